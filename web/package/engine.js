// SPDX-License-Identifier: MIT
//
// The engine's module and the thread that it shares with its page's messages.
//
// A search is a coroutine: where it looks at its limits it calls `pause`, and after some
// milliseconds it is set aside there (asyncify: the module unwinds its stack into memory) until the
// event loop has been round. Lines that came in meanwhile are obeyed between two slices.
// src/web/host.h lists what the two sides call of each other.

const SLICE_MS = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class EngineModule {
  #exports;
  #say;
  #later;
  #stack; // where the thread's stack stands while it is set aside or has not begun
  #kept; // what asyncify keeps while it is set aside, else 0
  #state = "none"; // of the thread: none, running, leaving, returning
  #sliceEnd = 0; // when to pause; never while somebody waits for the end
  #sleeps = false; // nothing to do until a line comes in
  #scheduled = false;

  /**
   * `say` gets each line; `later` calls a function after messages that have come in;
   * `failed` gets the error if the module crashes, which it should not.
   */
  constructor(module, { say, later, failed }) {
    this.#say = say;
    this.#later = (step) => {
      later(() => {
        try {
          step();
        } catch (error) {
          failed(error);
        }
      });
    };
    const imports = {
      luft: {
        say: (text, length) => this.#say(decoder.decode(this.#bytes(text, length))),
        pause: () => this.#pause(false),
        wait: () => this.#pause(true),
        finish: () => this.#run(Infinity),
      },
      wasi_snapshot_preview1: system(() => this.#exports.memory),
    };
    this.#exports = new WebAssembly.Instance(module, imports).exports;
    this.#exports._initialize?.();
    if (!this.#exports.uci_start()) {
      throw new Error("no memory for the engine");
    }
  }

  /** Obeys one line, or several. False after `quit`. */
  send(text) {
    for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
      const bytes = encoder.encode(line);
      const room = this.#exports.uci_room(bytes.length);
      if (!room) {
        this.#say("info string error: out of memory");
        continue;
      }
      this.#bytes(room, bytes.length).set(bytes);
      if (!this.#exports.uci_line(bytes.length)) {
        return false;
      }
    }
    this.#sleeps = false;
    this.#schedule();
    return true;
  }

  #bytes(start, length) {
    return new Uint8Array(this.#exports.memory.buffer, start, length);
  }

  #schedule() {
    if (!this.#scheduled && !this.#sleeps && this.#exports.thread_is_alive()) {
      this.#scheduled = true;
      this.#later(() => {
        this.#scheduled = false;
        if (this.#exports.thread_is_alive()) {
          this.#run(performance.now() + SLICE_MS);
        }
        this.#exports.uci_go_on();
        this.#schedule();
      });
    }
  }

  // Runs the thread until it pauses or ends. Its stack is its own, because whoever waits for it has
  // frames on the other one.
  #run(sliceEnd) {
    const exports = this.#exports;
    const pointer = exports.__stack_pointer;
    const outer = pointer.value;
    this.#sliceEnd = sliceEnd;
    pointer.value = this.#stack ?? exports.thread_stack();
    if (this.#kept) {
      this.#state = "returning";
      exports.asyncify_start_rewind(this.#kept);
    } else {
      this.#state = "running";
    }
    exports.thread_run();
    if (this.#state === "leaving") {
      exports.asyncify_stop_unwind();
      this.#stack = pointer.value;
    } else {
      this.#stack = undefined;
      this.#kept = 0;
    }
    this.#state = "none";
    pointer.value = outer;
  }

  #pause(sleeps) {
    if (this.#state === "returning") {
      this.#exports.asyncify_stop_rewind();
      this.#state = "running";
    } else if (this.#sliceEnd !== Infinity && (sleeps || performance.now() >= this.#sliceEnd)) {
      this.#sleeps = sleeps;
      this.#kept = this.#exports.thread_kept();
      this.#state = "leaving";
      this.#exports.asyncify_start_unwind(this.#kept);
    }
  }
}

/** All that the module wants of a system: the time. What it would write to files is dropped. */
function system(memory) {
  const dropped = 28; // the number of EINVAL in WASI
  return {
    clock_time_get(clock, precision, result) {
      const now = BigInt(Math.round(performance.now() * 1e6));
      new DataView(memory().buffer).setBigUint64(result, now, true);
      return 0;
    },
    fd_write: () => dropped,
    fd_seek: () => dropped,
    fd_close: () => dropped,
  };
}
