// SPDX-License-Identifier: MIT
//
// The caller's side of the message protocol; host.js is the engine's. Strings are lines of UCI, in both directions.
// Objects control the engine: the caller sends { wasm, threads } first, the engine answers { ready } or { failed }.

import { analyse, parseInfo } from "./analysis.js";

export class EnginePort {
  #transport;
  #searching = Promise.resolve(); // the last search that was asked for
  #abandon; // ends the last search that began, with an Error
  #ended; // an Error with the reason, if the engine has ended
  #listeners = new Set();
  #onReady;
  #onFailed;

  /** `transport.post` sends a message, `transport.end` ends the thread. */
  constructor(transport) {
    this.#transport = transport;
    this.failed = new Promise((resolve) => {
      this.#onFailed = resolve;
    });
  }

  /** Resolves to this port when the engine is ready; rejects if it fails. */
  start(options) {
    const ready = new Promise((resolve, reject) => {
      this.#onReady = resolve;
      this.failed.then(reject);
    });
    this.#transport.post(options);
    return ready;
  }

  send(line) {
    this.#transport.post(String(line));
  }

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  on(event, listener) {
    if (event !== "info" && event !== "line") {
      throw new RangeError(`on: expected "info" or "line", got ${JSON.stringify(event)}`);
    }
    return this.listen(event === "line" ? listener : (line) => {
      const info = parseInfo(line);
      if (info) {
        listener(info);
      }
    });
  }

  /** Searches wait for each other. Those that are not finished reject when the engine ends. */
  analyse(options) {
    const search = this.#searching.then(() => {
      if (this.#ended) {
        throw this.#ended;
      }
      const { result, abandon } = analyse(this, options);
      this.#abandon = abandon;
      return result;
    });
    this.#searching = search.catch(() => {});
    return search;
  }

  quit() {
    this.#end(new Error("the engine has ended"));
    this.#listeners.clear();
  }

  /** Handles a message from the engine. */
  receive(message) {
    if (typeof message === "string") {
      for (const listener of [...this.#listeners]) {
        try {
          listener(message);
        } catch (error) {
          setTimeout(() => {
            throw error; // reported as uncaught, after the other listeners have received the line
          });
        }
      }
    } else if (message.ready) {
      this.#onReady(this);
    } else if (message.failed) {
      this.fail(new Error(message.failed));
    }
  }

  fail(error) {
    this.#end(error);
    this.#onFailed(error);
  }

  #end(error) {
    this.#transport.end();
    this.#ended ??= error;
    this.#abandon?.(error);
  }
}
