// SPDX-License-Identifier: MIT
//
// The thread of the engine in Node.

import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";

import { makeHost } from "./host.js";

parentPort.on(
  "message",
  makeHost({
    post: (message) => parentPort.postMessage(message),
    close: () => parentPort.close(),
    load: async (wasm) => WebAssembly.compile(await readFile(wasm ?? new URL("./luft.wasm", import.meta.url))),
    later: setImmediate,
  }),
);
