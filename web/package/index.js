// SPDX-License-Identifier: MIT
//
// Luft in the browser: the rules run on the page's thread, the engine in a Worker. index.d.ts documents all functions.

import { EnginePort } from "./port.js";
import { compile } from "./load.js";
import { makeRules } from "./rules.js";

let rules;

export function loadRules(options = {}) {
  rules ??= compile(options.wasm ?? new URL("./luft-rules.wasm", import.meta.url)).then(makeRules);
  rules.catch(() => {
    rules = undefined; // the next call tries again
  });
  return rules;
}

export function startEngine(options = {}) {
  const worker = options.worker
    ? new Worker(options.worker, { type: "module" })
    : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const port = new EnginePort({ post: (message) => worker.postMessage(message), end: () => worker.terminate() });
  worker.onmessage = (event) => port.receive(event.data);
  worker.onerror = (event) => {
    event.preventDefault?.();
    port.fail(new Error(event.message || "cannot start the engine's Worker"));
  };
  return port.start({ wasm: options.wasm && new URL(options.wasm, location.href).href, threads: options.threads });
}
