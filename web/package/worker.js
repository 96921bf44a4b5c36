// SPDX-License-Identifier: MIT
//
// Luft as a Worker: post a line of UCI, get lines of UCI. With the first message it loads the module beside this file,
// the one with threads where the page is cross-origin isolated. If that message is an object, it says otherwise:
// { wasm: address, threads: false }, both optional.

import { makeHost } from "./host.js";
import { compile } from "./load.js";
import { PATIENCE_MS } from "./memory.js";

// A message to oneself comes after those that are there, without the delay of a timer.
const channel = new MessageChannel();
const steps = [];
channel.port1.onmessage = () => steps.shift()();

const threads = [];

function startThread(message, failed) {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./thread.js", import.meta.url), { type: "module" });
    let isThere = false;
    threads.push(thread);
    thread.onmessage = () => {
      isThere = true;
      resolve();
    };
    setTimeout(() => reject(new Error("it does not answer")), PATIENCE_MS);
    thread.onerror = (event) => {
      event.preventDefault?.();
      const error = new Error(event.message || "the browser gives no Worker");
      (isThere ? failed : reject)(error);
    };
    thread.postMessage(message);
  });
}

const take = makeHost({
  post: (message) => self.postMessage(message),
  close() {
    for (const thread of threads) {
      thread.terminate();
    }
    self.close();
  },
  load(wasm, shared) {
    const beside = shared ? new URL("./luft-threads.wasm", import.meta.url) : new URL("./luft.wasm", import.meta.url);
    return compile(wasm ?? beside);
  },
  later(next) {
    steps.push(next);
    channel.port2.postMessage(0);
  },
  startThread,
});

self.onmessage = (event) => take(event.data);
