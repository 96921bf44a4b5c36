// SPDX-License-Identifier: MIT
//
// Luft as a Worker: post a line of UCI, get lines of UCI. It loads luft.wasm beside this file with
// the first message, unless that is { wasm: address }.

import { makeHost } from "./host.js";
import { compile } from "./load.js";

// A message to oneself comes after those that are there, without the delay of a timer.
const channel = new MessageChannel();
let step;
channel.port1.onmessage = () => step();

self.onmessage = (() => {
  const take = makeHost({
    post: (message) => self.postMessage(message),
    close: () => self.close(),
    load: (wasm) => compile(wasm ?? new URL("./luft.wasm", import.meta.url)),
    later(next) {
      step = next;
      channel.port2.postMessage(0);
    },
  });
  return (event) => take(event.data);
})();
