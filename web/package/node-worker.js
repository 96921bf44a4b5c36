// SPDX-License-Identifier: MIT
//
// The thread of the engine in Node.

import { readFile } from "node:fs/promises";
import { parentPort, Worker } from "node:worker_threads";

import { makeHost } from "./host.js";
import { PATIENCE_MS } from "./memory.js";

const threads = [];

function startThread(message, failed) {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./node-thread.js", import.meta.url), { execArgv: [] });
    let isThere = false;
    threads.push(thread);
    thread.on("message", () => {
      isThere = true;
      resolve();
    });
    thread.on("error", (error) => (isThere ? failed : reject)(error));
    thread.on("exit", () => reject(new Error("it has ended")));
    setTimeout(() => reject(new Error("it does not answer")), PATIENCE_MS).unref();
    thread.postMessage(message);
  });
}

parentPort.on(
  "message",
  makeHost({
    post: (message) => parentPort.postMessage(message),
    close() {
      for (const thread of threads) {
        thread.terminate();
      }
      parentPort.close();
    },
    async load(wasm, shared) {
      const beside = new URL(shared ? "./luft-threads.wasm" : "./luft.wasm", import.meta.url);
      return WebAssembly.compile(await readFile(wasm ?? beside));
    },
    later: setImmediate,
    startThread,
  }),
);
