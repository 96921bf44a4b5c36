// SPDX-License-Identifier: MIT
//
// The engine's thread in Node, the counterpart of worker.js.

import { readFile } from "node:fs/promises";
import { parentPort, Worker } from "node:worker_threads";

import { makeHost } from "./host.js";
import { THREAD_START_TIMEOUT_MS } from "./memory.js";

const threads = [];

function startThread(message, failed) {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./node-thread.js", import.meta.url), { execArgv: [] });
    let isReady = false;
    threads.push(thread);
    thread.on("message", () => {
      isReady = true;
      resolve();
    });
    thread.on("error", (error) => (isReady ? failed : reject)(error));
    thread.on("exit", () => reject(new Error("the thread exited")));
    setTimeout(() => reject(new Error("the thread does not answer")), THREAD_START_TIMEOUT_MS).unref();
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
