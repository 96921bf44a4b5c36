// SPDX-License-Identifier: MIT
//
// Opening books and tablebases, from the bytes of their files. luft-rules.wasm keeps them until they are freed; `core`
// is what makeRules knows of it.

/** The bytes of an ArrayBuffer or of a view of one. */
function toBytes(data) {
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  if (data instanceof ArrayBuffer) {
    return new Uint8Array(data);
  }
  throw new TypeError("expected an ArrayBuffer or a view of one");
}

/** An object of the module that callers free. */
class Handle {
  #name;
  #address;
  #free;

  constructor(name, address, free) {
    this.#name = name;
    this.#address = address;
    this.#free = free;
  }

  get address() {
    if (!this.#address) {
      throw new Error(`the ${this.#name} was freed`);
    }
    return this.#address;
  }

  free() {
    if (this.#address) {
      this.#free(this.#address);
      this.#address = 0;
    }
  }
}

// --- Opening books -------------------------------------------------------------------

export function openBook(core, data) {
  const lengths = core.putTexts(toBytes(data));
  const opened = core.parseAnswer(lengths ? core.wasm.book_open(...lengths) : 0);
  return opened.error ? opened : new Book(core, opened);
}

class Book {
  #core;
  #handle;
  count;

  constructor(core, { handle, count }) {
    this.#core = core;
    this.#handle = new Handle("book", handle, core.wasm.book_free);
    this.count = count;
  }

  find(start, moves = [], chess960 = false) {
    return this.#core.callWith("book_find", this.#handle.address, start, moves, chess960);
  }

  pick(start, moves = [], chess960 = false, random = Math.random) {
    const found = this.find(start, moves, chess960);
    if (found.error) {
      return found;
    }
    let left = random() * found.reduce((sum, move) => sum + move.weight, 0);
    for (const move of found) {
      left -= move.weight;
      if (left < 0) {
        return move;
      }
    }
    return null;
  }

  free() {
    this.#handle.free();
  }
}

// --- Tablebases ------------------------------------------------------------------------

export function openTablebase(core, files) {
  const entries = Symbol.iterator in files ? [...files] : Object.entries(files);
  const given = entries.map(([name, data]) => [name, toBytes(data)]); // throws before anything is created
  const address = core.wasm.tables_create();
  if (!address) {
    return { error: "out of memory" };
  }
  const tables = new Tablebase(core, new Handle("tablebase", address, core.wasm.tables_free));
  for (const [name, bytes] of given) {
    const failure = tables.add(name, bytes);
    if (failure) {
      tables.free();
      return failure;
    }
  }
  return tables;
}

class Tablebase {
  #core;
  #handle;

  constructor(core, handle) {
    this.#core = core;
    this.#handle = handle;
  }

  get count() {
    return this.#info().count;
  }

  get largest() {
    return this.#info().largest;
  }

  add(name, data) {
    const lengths = this.#core.putTexts(toBytes(data), String(name));
    const { error } = this.#core.parseAnswer(lengths ? this.#core.wasm.tables_add(this.#handle.address, ...lengths) : 0);
    return error ? { error } : null;
  }

  probe(start, moves = [], chess960 = false) {
    return this.#core.callWith("tables_probe", this.#handle.address, start, moves, chess960);
  }

  faults() {
    return this.#info().faults;
  }

  free() {
    this.#handle.free();
  }

  #info() {
    return this.#core.parseAnswer(this.#core.wasm.tables_info(this.#handle.address));
  }
}
