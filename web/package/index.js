// SPDX-License-Identifier: MIT
//
// Luft in the browser: the rules run on the page's thread, the engine in a Worker. index.d.ts documents all functions.

import { EnginePort } from "./port.js";

export { isFailure, loadRules, unwrap } from "./web-rules.js";

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
