// SPDX-License-Identifier: MIT
//
// Luft in Node: the functions of index.js, with files instead of addresses and a thread instead of a Worker.

import { Worker } from "node:worker_threads";

import { pathOf } from "./path.js";
import { EnginePort } from "./port.js";

export { isFailure, loadRules, unwrap } from "./node-rules.js";

export function startEngine(options = {}) {
  const worker = new Worker(pathOf(options.worker ?? new URL("./node-worker.js", import.meta.url)), {
    execArgv: [], // the worker must not inherit flags such as --input-type
  });
  const port = new EnginePort({ post: (message) => worker.postMessage(message), end: () => worker.terminate() });
  worker.on("message", (message) => port.receive(message));
  worker.on("error", (error) => port.fail(error));
  return port.start({ wasm: options.wasm && pathOf(options.wasm), threads: options.threads });
}
