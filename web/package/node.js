// SPDX-License-Identifier: MIT
//
// Luft in Node: the functions of index.js, with files instead of addresses and a thread instead of a Worker.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

import { EnginePort } from "./port.js";
import { compile } from "./load.js";
import { makeRules } from "./rules.js";

let rules;

/** The path of a file. Accepts paths, file URLs, and file URLs as text, which import.meta.resolve returns. */
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
    rules = undefined; // the next call tries again
  });
  return rules;
}

export function startEngine(options = {}) {
  const worker = new Worker(pathOf(options.worker ?? new URL("./node-worker.js", import.meta.url)), {
    execArgv: [], // the worker must not inherit flags such as --input-type
  });
  const port = new EnginePort({ post: (message) => worker.postMessage(message), end: () => worker.terminate() });
  worker.on("message", (message) => port.receive(message));
  worker.on("error", (error) => port.fail(error));
  return port.start({ wasm: options.wasm && pathOf(options.wasm), threads: options.threads });
}
