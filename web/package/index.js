// SPDX-License-Identifier: MIT
//
// Luft in the browser: the rules on the page's own thread, the engine in a Worker.
// index.d.ts says what everything does.

import { EnginePort } from "./port.js";
import { compile } from "./load.js";
import { makeRules } from "./rules.js";

let rules;

export function loadRules(options = {}) {
  rules ??= compile(options.wasm ?? new URL("./luft-rules.wasm", import.meta.url)).then(makeRules);
  rules.catch(() => {
    rules = undefined; // so that it can be tried again
  });
  return rules;
}

export function startEngine(options = {}) {
  const worker = options.worker
    ? new Worker(options.worker, { type: "module" })
    : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const port = new EnginePort({ post: (message) => worker.postMessage(message), end: () => worker.terminate() });
  worker.onmessage = (event) => port.take(event.data);
  worker.onerror = (event) => {
    event.preventDefault?.();
    port.fail(new Error(event.message || "the engine's Worker could not be started"));
  };
  return port.start({ wasm: options.wasm && new URL(options.wasm, location.href).href, threads: options.threads });
}
