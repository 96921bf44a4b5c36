// SPDX-License-Identifier: MIT
//
// Luft as a Worker: post UCI commands, receive UCI output, one line per message. The first message loads the module
// beside this file, with threads where the page is cross-origin isolated. If that message is an object, it can choose
// otherwise: { wasm: address, threads: false }, both optional.

import { makeHost } from "./host.js";
import { compile } from "./load.js";
import { THREAD_START_TIMEOUT_MS } from "./memory.js";

// A message to this Worker itself arrives after the waiting messages, without the minimum delay of a timer.
const channel = new MessageChannel();
const steps = [];
channel.port1.onmessage = () => steps.shift()();

const threads = [];

function startThread(message, failed) {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./thread.js", import.meta.url), { type: "module" });
    let isReady = false;
    threads.push(thread);
    thread.onmessage = () => {
      isReady = true;
      resolve();
    };
    setTimeout(() => reject(new Error("the thread does not answer")), THREAD_START_TIMEOUT_MS);
    thread.onerror = (event) => {
      event.preventDefault?.();
      const error = new Error(event.message || "the browser cannot start a Worker");
      (isReady ? failed : reject)(error);
    };
    thread.postMessage(message);
  });
}

const receive = makeHost({
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

self.onmessage = (event) => receive(event.data);
