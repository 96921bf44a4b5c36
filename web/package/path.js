// SPDX-License-Identifier: MIT
//
// Files in Node.

import { fileURLToPath } from "node:url";

/** The path of a file. Accepts paths, file URLs, and file URLs as text, which import.meta.resolve returns. */
export function pathOf(address) {
  return address instanceof URL || /^file:/.test(address) ? fileURLToPath(address) : address;
}
