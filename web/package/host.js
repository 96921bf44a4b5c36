// SPDX-License-Identifier: MIT
//
// The engine's side of the message protocol, shared by the browser's Worker and Node's thread. port.js is the other side.

import { EngineModule } from "./engine.js";

/**
 * Returns a handler of messages for an engine. `transport.post` sends a message back, `transport.close` ends the thread
 * after `quit`, `transport.startThread` starts a thread of the pool (see EngineModule). `transport.load(wasm, shared)`
 * compiles the module at an address, or the one beside this file: with threads if `shared`.
 * Lines that arrive before the module is loaded wait for it.
 */
export function makeHost(transport) {
  let engine;
  let loading;
  const failed = (error) => transport.post({ failed: String(error?.message ?? error) });

  function send(text) {
    try {
      engine.send(text);
    } catch (error) {
      failed(error);
    }
  }

  // A thread that cannot start gives an error line. A running thread that crashes makes the whole engine fail.
  const startThread = (message) => transport.startThread(message, failed);

  async function load({ wasm, threads = true } = {}) {
    const start = async (shared) =>
      new EngineModule(await transport.load(wasm, shared), {
        say: transport.post,
        later: transport.later,
        quit: transport.close,
        failed,
        startThread,
      });
    engine = threads && canShareMemory() ? await start(true).catch(() => start(false)) : await start(false);
    transport.post({ ready: true });
  }

  return (message) => {
    loading ??= load(typeof message === "object" && message !== null ? message : {}).catch(failed);
    if (typeof message === "string") {
      if (engine) {
        send(message);
      } else {
        loading.then(() => engine && send(message));
      }
    }
  };
}

function canShareMemory() {
  return typeof SharedArrayBuffer !== "undefined" && globalThis.crossOriginIsolated !== false;
}
