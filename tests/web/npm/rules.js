// SPDX-License-Identifier: MIT
//
// The rules alone, bundled: the bundle must not contain the engine. The bytes of the module are given to it.

import { loadRules, unwrap } from "luft-chess/rules";

export async function count(wasm) {
  const rules = await loadRules({ wasm });
  return unwrap(rules.perftDivide(rules.startFen, 4)).total;
}
