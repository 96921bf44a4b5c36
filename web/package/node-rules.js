// SPDX-License-Identifier: MIT
//
// The rules alone, in Node: luft-chess/rules.

import { readFile } from "node:fs/promises";

import { compile } from "./load.js";
import { pathOf } from "./path.js";
import { makeRules } from "./rules.js";

export { isFailure, unwrap } from "./results.js";

let rules;

async function compileFile(source) {
  const isBytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
  return compile(isBytes ? source : await readFile(pathOf(source)));
}

export function loadRules(options = {}) {
  rules ??= compileFile(options.wasm ?? new URL("./luft-rules.wasm", import.meta.url)).then(makeRules);
  rules.catch(() => {
    rules = undefined; // the next call tries again
  });
  return rules;
}
