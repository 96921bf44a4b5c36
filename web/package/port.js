// SPDX-License-Identifier: MIT
//
// The page's end of the wire to the engine, whatever thread that is in. Text goes both ways as
// lines of UCI; all else is an object: { wasm, threads } to begin, { ready } or { failed } back.

export class EnginePort {
  #wire;
  #listeners = new Set();
  #started;
  #fail;

  /** `wire.post` sends a message, `wire.end` ends the thread. */
  constructor(wire) {
    this.#wire = wire;
    this.failed = new Promise((resolve) => {
      this.#fail = resolve;
    });
  }

  /** Settles with this port when the engine is there. */
  start(options) {
    const started = new Promise((resolve, reject) => {
      this.#started = resolve;
      this.failed.then(reject);
    });
    this.#wire.post(options);
    return started;
  }

  send(line) {
    this.#wire.post(String(line));
  }

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  quit() {
    this.#wire.end();
    this.#listeners.clear();
  }

  /** A message from the engine. */
  take(message) {
    if (typeof message === "string") {
      for (const listener of [...this.#listeners]) {
        try {
          listener(message);
        } catch (error) {
          setTimeout(() => {
            throw error; // where errors of a program go; the other listeners get the line too
          });
        }
      }
    } else if (message.ready) {
      this.#started(this);
    } else if (message.failed) {
      this.fail(new Error(message.failed));
    }
  }

  fail(error) {
    this.#wire.end();
    this.#fail(error);
  }
}
