// SPDX-License-Identifier: MIT
//
// The engine's module and the thread that it shares with its page's messages.
//
// A search is a coroutine: where it looks at its limits it calls `pause`, and after some
// milliseconds it is set aside there (asyncify: the module unwinds its stack into memory) until the
// event loop has been round. Lines that came in meanwhile are obeyed between two slices.
// bindings/wasm/host.h lists what the two sides call of each other.
//
// A module that takes its memory from outside is the one with threads: these are Workers that share it (crew.js).

import { sharedMemory, system } from "./memory.js";

const SLICE_MS = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class EngineModule {
  #exports;
  #memory;
  #say;
  #later;
  #quit;
  #startThread;
  #lines = []; // from #next on to be obeyed
  #next = 0;
  #crew = 0; // threads beside the first
  #starting = 0; // not there yet: lines wait for them
  #isOver = false; // after `quit`
  #stack; // where the thread's stack stands while it is set aside or has not begun
  #kept; // what asyncify keeps while it is set aside, else 0
  #state = "none"; // of the thread: none, running, leaving, returning
  #sliceEnd = 0; // when to pause; never while somebody waits for the end
  #sleeps = false; // nothing to do until a line comes in
  #scheduled = false;

  /**
   * `say` gets each line; `later` calls a function after messages that have come in; `quit` is called after
   * that command; `failed` gets the error if the module crashes, which it should not; `startThread` starts a Worker
   * with a message and settles when it is there.
   */
  constructor(module, { say, later, failed, quit, startThread }) {
    this.#say = say;
    this.#quit = quit;
    this.#startThread = (stack) => startThread({ module, memory: this.#memory, stack });
    this.#later = (step) => {
      later(() => {
        try {
          if (!this.#isOver) {
            step();
          }
        } catch (error) {
          failed(error);
        }
      });
    };
    const imports = {
      luft: {
        say: (text, length) => this.#say(decoder.decode(this.#bytes(text, length).slice())), // no view of shared memory
        pause: () => this.#pause(false),
        wait: () => this.#pause(true),
        finish: () => this.#run(Infinity),
      },
      wasi_snapshot_preview1: system(() => this.#memory),
    };
    if (takesMemory(module)) {
      this.#memory = sharedMemory();
      imports.env = { memory: this.#memory };
    }
    this.#exports = new WebAssembly.Instance(module, imports).exports;
    this.#memory ??= this.#exports.memory;
    this.#exports._initialize?.();
    if (!this.#exports.uci_start()) {
      throw new Error("no memory for the engine");
    }
  }

  /** Obeys one line, or several. */
  send(text) {
    for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
      this.#lines.push(line);
    }
    this.#obey();
  }

  #obey() {
    this.#goOn();
    while (this.#next < this.#lines.length && this.#starting === 0 && !this.#isOver) {
      this.#line(this.#lines[this.#next++]);
    }
    if (this.#next === this.#lines.length) {
      this.#lines = [];
      this.#next = 0;
    }
    this.#sleeps = false;
    this.#schedule();
  }

  #line(text) {
    const bytes = encoder.encode(text);
    const room = this.#exports.uci_room(bytes.length);
    if (!room) {
      this.#say("info string error: out of memory");
      return;
    }
    this.#bytes(room, bytes.length).set(bytes);
    if (this.#exports.uci_line(bytes.length)) {
      this.#hire();
    } else {
      this.#isOver = true;
      this.#quit();
    }
  }

  // The lines that had to wait for perft or bench.
  #goOn() {
    while (this.#starting === 0 && this.#exports.uci_go_on()) {
      this.#hire();
    }
  }

  // A Worker needs a while to come up, so this is done when the number of threads changes and not when a search begins.
  #hire() {
    const missing = this.#exports.uci_threads() - 1 - this.#crew;
    for (let i = 0; i < missing; i++) {
      this.#starting++;
      this.#thread()
        .catch((error) => this.#say(`info string error: a thread cannot be started: ${error.message}`))
        .finally(() => this.#later(() => this.#hired()));
    }
  }

  async #thread() {
    const stack = this.#exports.crew_stack(); // for good: a thread that is given up may still come
    if (!stack) {
      throw new Error("out of memory");
    }
    await this.#startThread(stack);
    this.#crew++;
  }

  #hired() {
    if (--this.#starting === 0) {
      if (this.#exports.uci_threads() > this.#crew + 1) {
        this.#exports.uci_limit_threads(this.#crew + 1);
      }
      this.#obey();
    }
  }

  #bytes(start, length) {
    return new Uint8Array(this.#memory.buffer, start, length);
  }

  #schedule() {
    if (!this.#scheduled && !this.#sleeps && this.#exports.thread_is_alive()) {
      this.#scheduled = true;
      this.#later(() => {
        this.#scheduled = false;
        if (this.#exports.thread_is_alive()) {
          this.#run(performance.now() + SLICE_MS);
        }
        this.#goOn();
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
    } else if (this.#state === "running" && this.#sliceEnd !== Infinity && (sleeps || performance.now() >= this.#sliceEnd)) {
      this.#sleeps = sleeps;
      this.#kept = this.#exports.thread_kept();
      this.#state = "leaving";
      this.#exports.asyncify_start_unwind(this.#kept);
    }
  }
}

function takesMemory(module) {
  return WebAssembly.Module.imports(module).some(({ kind }) => kind === "memory");
}
