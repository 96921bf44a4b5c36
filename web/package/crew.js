// SPDX-License-Identifier: MIT
//
// A thread of a search beside its first: an instance of the engine's module that shares the memory of the others.

import { system } from "./memory.js";

/** Says `ready` and then serves, without end: the Worker sleeps in WebAssembly until there is work. */
export function serve({ module, memory, stack }, ready) {
  const never = () => {
    throw new Error("only the first thread talks");
  };
  const imports = {
    env: { memory },
    luft: { say: never, wait: never, finish: never, pause() {} },
    wasi_snapshot_preview1: system(() => memory),
  };
  const { exports } = new WebAssembly.Instance(module, imports);
  exports.__stack_pointer.value = stack;
  const number = exports.crew_enter();
  if (number < 0) {
    throw new Error("there are threads enough");
  }
  ready();
  exports.crew_serve(number);
}
