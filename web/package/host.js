// SPDX-License-Identifier: MIT
//
// The engine's end of the wire: what a Worker of the browser and a thread of Node have in common.

import { EngineModule } from "./engine.js";

/**
 * Takes messages for an engine. `wire.post` sends one back, `wire.close` ends the thread after `quit`,
 * `wire.load` gives the module from an address or from where it lies by default, the one with threads if that is wanted
 * and memory can be shared here; `wire.startThread` starts another Worker: see EngineModule.
 * Lines that come before the module is there wait for it.
 */
export function makeHost(wire) {
  let engine;
  let loading;
  const failed = (error) => wire.post({ failed: String(error?.message ?? error) });

  function obey(text) {
    try {
      engine.send(text);
    } catch (error) {
      failed(error);
    }
  }

  // A thread that crashes is no thread that cannot be started: then all is lost.
  const startThread = (message) => wire.startThread(message, failed);

  async function load({ wasm, threads = true } = {}) {
    const start = async (shared) =>
      new EngineModule(await wire.load(wasm, shared), { say: wire.post, later: wire.later, quit: wire.close, failed, startThread });
    engine = threads && canShare() ? await start(true).catch(() => start(false)) : await start(false);
    wire.post({ ready: true });
  }

  return (message) => {
    loading ??= load(typeof message === "object" && message !== null ? message : {}).catch(failed);
    if (typeof message === "string") {
      if (engine) {
        obey(message);
      } else {
        loading.then(() => engine && obey(message));
      }
    }
  };
}

function canShare() {
  return typeof SharedArrayBuffer !== "undefined" && globalThis.crossOriginIsolated !== false;
}
