// SPDX-License-Identifier: MIT
//
// Runs the engine module on a thread that must also receive messages.
//
// A search is a coroutine. It calls `pause` where it checks its limits. When its time slice is over, `pause` suspends it
// (asyncify: the module unwinds its stack into a buffer) until the event loop has delivered the waiting messages. Lines are
// processed between two slices. bindings/wasm/host.h lists the functions that each side calls.
//
// A module that imports its memory supports threads: Workers that share this memory (pool.js).

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
  #lines = []; // lines before #next have been processed
  #next = 0;
  #poolSize = 0; // threads beside the first
  #startingThreads = 0; // lines wait until this is 0
  #hasQuit = false;
  #stack; // the coroutine's stack pointer while it is suspended, else undefined
  #unwound; // the buffer of asyncify while the coroutine is suspended, else 0
  #state = "idle"; // of the coroutine: idle, running, unwinding, rewinding
  #sliceEnd = 0; // when to pause, in ms; Infinity if a command waits for the end of the search
  #isAsleep = false; // the coroutine has nothing to do until a line arrives
  #isScheduled = false;

  /**
   * `say` receives each line of output. `later` calls a function after the messages that are waiting. `quit` is called
   * after that command. `failed` receives the error if the module crashes, which is a bug. `startThread` starts a Worker
   * with a message; its promise resolves when the Worker is ready.
   */
  constructor(module, { say, later, failed, quit, startThread }) {
    this.#say = say;
    this.#quit = quit;
    this.#startThread = (stack) => startThread({ module, memory: this.#memory, stack });
    this.#later = (step) => {
      later(() => {
        try {
          if (!this.#hasQuit) {
            step();
          }
        } catch (error) {
          failed(error);
        }
      });
    };
    const imports = {
      luft: {
        say: (text, length) => this.#say(decoder.decode(this.#bytes(text, length).slice())), // a copy: decode refuses shared memory
        pause: () => this.#pause(false),
        wait: () => this.#pause(true),
        finish: () => this.#run(Infinity),
      },
      wasi_snapshot_preview1: system(() => this.#memory),
    };
    if (importsMemory(module)) {
      this.#memory = sharedMemory();
      imports.env = { memory: this.#memory };
    }
    this.#exports = new WebAssembly.Instance(module, imports).exports;
    this.#memory ??= this.#exports.memory;
    this.#exports._initialize?.();
    if (!this.#exports.uci_start()) {
      throw new Error("out of memory");
    }
  }

  /** Processes one line or several. */
  send(text) {
    for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
      this.#lines.push(line);
    }
    this.#processLines();
  }

  #processLines() {
    this.#processDeferredLines();
    while (this.#next < this.#lines.length && this.#startingThreads === 0 && !this.#hasQuit) {
      this.#processLine(this.#lines[this.#next++]);
    }
    if (this.#next === this.#lines.length) {
      this.#lines = [];
      this.#next = 0;
    }
    this.#isAsleep = false;
    this.#schedule();
  }

  #processLine(text) {
    const bytes = encoder.encode(text);
    const buffer = this.#exports.uci_room(bytes.length);
    if (!buffer) {
      this.#say("info string error: out of memory");
      return;
    }
    this.#bytes(buffer, bytes.length).set(bytes);
    if (this.#exports.uci_line(bytes.length)) {
      this.#startMissingThreads();
    } else {
      this.#hasQuit = true;
      this.#quit();
    }
  }

  // Processes the lines that the session deferred until the end of perft or bench.
  #processDeferredLines() {
    while (this.#startingThreads === 0 && this.#exports.uci_go_on()) {
      this.#startMissingThreads();
    }
  }

  // Starting a Worker takes time, so a change of the option starts them, not the next search.
  #startMissingThreads() {
    const missing = this.#exports.uci_threads() - 1 - this.#poolSize;
    for (let i = 0; i < missing; i++) {
      this.#startingThreads++;
      this.#startPoolThread()
        .catch((error) => this.#say(`info string error: a thread cannot be started: ${error.message}`))
        .finally(() => this.#later(() => this.#threadStarted()));
    }
  }

  async #startPoolThread() {
    const stack = this.#exports.pool_stack(); // never freed: a thread may still start after its timeout
    if (!stack) {
      throw new Error("out of memory");
    }
    await this.#startThread(stack);
    this.#poolSize++;
  }

  // Also called for a thread that could not start.
  #threadStarted() {
    if (--this.#startingThreads === 0) {
      if (this.#exports.uci_threads() > this.#poolSize + 1) {
        this.#exports.uci_limit_threads(this.#poolSize + 1);
      }
      this.#processLines();
    }
  }

  #bytes(start, length) {
    return new Uint8Array(this.#memory.buffer, start, length);
  }

  #schedule() {
    if (!this.#isScheduled && !this.#isAsleep && this.#exports.thread_is_alive()) {
      this.#isScheduled = true;
      this.#later(() => {
        this.#isScheduled = false;
        if (this.#exports.thread_is_alive()) {
          this.#run(performance.now() + SLICE_MS);
        }
        this.#processDeferredLines();
        this.#schedule();
      });
    }
  }

  // Runs the coroutine until it pauses or ends. It has a separate stack: a command that waits for its end calls this
  // function with frames on the main stack.
  #run(sliceEnd) {
    const exports = this.#exports;
    const pointer = exports.__stack_pointer;
    const outer = pointer.value;
    this.#sliceEnd = sliceEnd;
    pointer.value = this.#stack ?? exports.thread_stack();
    if (this.#unwound) {
      this.#state = "rewinding";
      exports.asyncify_start_rewind(this.#unwound);
    } else {
      this.#state = "running";
    }
    exports.thread_run();
    if (this.#state === "unwinding") {
      exports.asyncify_stop_unwind();
      this.#stack = pointer.value;
    } else {
      this.#stack = undefined;
      this.#unwound = 0;
    }
    this.#state = "idle";
    pointer.value = outer;
  }

  #pause(sleeps) {
    if (this.#state === "rewinding") {
      this.#exports.asyncify_stop_rewind();
      this.#state = "running";
    } else if (this.#state === "running" && this.#sliceEnd !== Infinity && (sleeps || performance.now() >= this.#sliceEnd)) {
      this.#isAsleep = sleeps;
      this.#unwound = this.#exports.thread_kept();
      this.#state = "unwinding";
      this.#exports.asyncify_start_unwind(this.#unwound);
    }
  }
}

function importsMemory(module) {
  return WebAssembly.Module.imports(module).some(({ kind }) => kind === "memory");
}
