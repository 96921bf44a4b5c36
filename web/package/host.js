// SPDX-License-Identifier: MIT
//
// The engine's end of the wire: what a Worker of the browser and a thread of Node have in common.

import { EngineModule } from "./engine.js";

/**
 * Takes messages for an engine. `wire.post` sends one back, `wire.close` ends the thread after `quit`,
 * `wire.load` gives the module from an address or from where it lies by default.
 * Lines that come before the module is there wait for it.
 */
export function makeHost(wire) {
  let engine;
  let loading;
  const failed = (error) => wire.post({ failed: String(error?.message ?? error) });

  function obey(text) {
    try {
      if (!engine.send(text)) {
        wire.close();
      }
    } catch (error) {
      failed(error);
    }
  }

  async function load(wasm) {
    const module = await wire.load(wasm);
    engine = new EngineModule(module, { say: wire.post, later: wire.later, failed });
    wire.post({ ready: true });
  }

  return (message) => {
    loading ??= load(message?.wasm).catch(failed);
    if (typeof message === "string") {
      if (engine) {
        obey(message);
      } else {
        loading.then(() => engine && obey(message));
      }
    }
  };
}
