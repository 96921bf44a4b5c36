// SPDX-License-Identifier: MIT
//
// The rules alone, in the browser: luft-chess/rules.

import { compile } from "./load.js";
import { makeRules } from "./rules.js";

export { isFailure, unwrap } from "./results.js";

let rules;

export function loadRules(options = {}) {
  rules ??= compile(options.wasm ?? new URL("./luft-rules.wasm", import.meta.url)).then(makeRules);
  rules.catch(() => {
    rules = undefined; // the next call tries again
  });
  return rules;
}
