// SPDX-License-Identifier: MIT
//
// Luft in Node: the same as index.js, with files in place of addresses and a thread in place of a Worker.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

import { EnginePort } from "./port.js";
import { compile } from "./load.js";
import { makeRules } from "./rules.js";

let rules;

/** A path or a file's address, which import.meta.resolve gives as text, as a path. */
function pathOf(address) {
  return address instanceof URL || /^file:/.test(address) ? fileURLToPath(address) : address;
}

async function compileFile(source) {
  const isBytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
  return compile(isBytes ? source : await readFile(pathOf(source)));
}

export function loadRules(options = {}) {
  rules ??= compileFile(options.wasm ?? new URL("./luft-rules.wasm", import.meta.url)).then(makeRules);
  rules.catch(() => {
    rules = undefined;
  });
  return rules;
}

export function startEngine(options = {}) {
  const worker = new Worker(pathOf(options.worker ?? new URL("./node-worker.js", import.meta.url)), {
    execArgv: [], // flags of the program, such as --input-type, are not for this file
  });
  const port = new EnginePort({ post: (message) => worker.postMessage(message), end: () => worker.terminate() });
  worker.on("message", (message) => port.take(message));
  worker.on("error", (error) => port.fail(error));
  return port.start({ wasm: options.wasm && pathOf(options.wasm), threads: options.threads });
}
