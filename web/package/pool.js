// SPDX-License-Identifier: MIT
//
// A thread of the pool, which searches beside the first thread: an instance of the engine module that shares the memory
// of the others. bindings/wasm exports the pool's functions with the prefix `pool_`.

import { system } from "./memory.js";

/** Calls `ready`, then never returns: the Worker sleeps in WebAssembly until there is work. */
export function runPoolThread({ module, memory, stack }, ready) {
  const refuse = () => {
    throw new Error("only the first thread may call the host");
  };
  const imports = {
    env: { memory },
    luft: { say: refuse, wait: refuse, finish: refuse, pause() {} },
    wasi_snapshot_preview1: system(() => memory),
  };
  const { exports } = new WebAssembly.Instance(module, imports);
  exports.__stack_pointer.value = stack;
  const number = exports.pool_enter();
  if (number < 0) {
    throw new Error("the thread pool is full");
  }
  ready();
  exports.pool_serve(number);
}
