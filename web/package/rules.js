// SPDX-License-Identifier: MIT
//
// The rules of chess over the module luft-rules.wasm, which answers in JSON: bindings/wasm/rules.h says
// how it is called. Everything here is synchronous; the module keeps nothing between two calls but a
// scan of PGN.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const RESULTS = { "1-0": 1, "0-1": 2, "1/2-1/2": 3, "*": 4 }; // luft_result
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The rules as index.d.ts describes them. */
export function makeRules(module) {
  const wasm = new WebAssembly.Instance(module, { wasi_snapshot_preview1: noSystem }).exports;
  wasm._initialize?.();
  wasm.rules_start();

  /** Puts texts into the module, one behind the other; their lengths, or null if there is no room. */
  function give(...texts) {
    const parts = texts.map((text) => (typeof text === "string" ? encoder.encode(text) : text));
    let at = wasm.rules_room(parts.reduce((sum, part) => sum + part.length, 0));
    if (!at) {
      return null;
    }
    const memory = new Uint8Array(wasm.memory.buffer);
    for (const part of parts) {
      memory.set(part, at);
      at += part.length;
    }
    return parts.map((part) => part.length);
  }

  /** The text of an answer of this length. */
  function take(length) {
    return decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.rules_text(), length));
  }

  const answer = (length) => (length > 0 ? JSON.parse(take(length)) : { error: "out of memory" });

  /** Asks a function of the module: texts, then what else it wants. */
  function ask(question, texts, ...more) {
    const lengths = give(...texts.map((text) => (text instanceof Uint8Array ? text : String(text))));
    return answer(lengths ? wasm[question](...lengths, ...more) : 0);
  }

  const words = (moves) => (Array.isArray(moves) ? moves.join(" ") : String(moves ?? ""));

  const rules = {
    version: answer(wasm.version()),
    startFen: START,
    position: (fen, chess960 = false) => ask("position", [fen], chess960),
    play: (fen, move, chess960 = false) => ask("play", [fen, move], chess960),
    status: (start, moves, chess960 = false) => ask("status", [start, words(moves)], chess960),
    chess960Start(number) {
      const start = answer(wasm.chess960_start(number));
      if (start.error || number !== (number | 0)) {
        throw new RangeError("the start positions of Chess960 have the numbers 0 to 959");
      }
      return start;
    },
    opening: (start, moves) => ask("opening", [start, words(moves)]),
    sanLine: (fen, moves) => ask("san_line", [fen, words(moves)]),
    readPgn(text) {
      const events = ask("pgn_read", [text]);
      return events.error ? events : gameOf(events);
    },
    writePgn: (game) => writeGame(wasm, give, take, game),
    scanPgn: () => new Scan(wasm, give, answer),
  };
  return Object.freeze(rules);
}

// --- Reading PGN -------------------------------------------------------------------

/** The game that the reader's events tell of. */
function gameOf(events) {
  const tags = [];
  const game = { tags: {}, start: START, chess960: false, moves: [], result: "*" };
  let line = game.moves;
  let before; // comments that wait for the first move of a line
  const outer = []; // the lines around this one
  const join = (a, b) => (a === undefined ? b : `${a} ${b}`);
  for (const [kind, ...values] of events) {
    switch (kind) {
      case "tag":
        tags.push(values);
        break;
      case "start":
        [game.start, game.chess960] = values;
        break;
      case "move": {
        const move = { uci: values[0], san: values[1], nags: [], variations: [] };
        if (before !== undefined) {
          move.before = before;
          before = undefined;
        }
        line.push(move);
        break;
      }
      case "nag":
        line.at(-1)?.nags.push(values[0]);
        break;
      case "comment": {
        const text = values.join("").trim();
        const last = line.at(-1);
        if (text === "") {
          break;
        }
        if (last) {
          last.after = join(last.after, text);
        } else if (outer.length > 0) {
          before = join(before, text);
        } else {
          game.comment = join(game.comment, text);
        }
        break;
      }
      case "(":
        outer.push(line);
        line = [];
        outer.at(-1).at(-1).variations.push(line);
        break;
      case ")":
        line = outer.pop();
        before = undefined;
        if (line.at(-1).variations.at(-1).length === 0) {
          line.at(-1).variations.pop();
        }
        break;
      case "error":
        game.error = values[0];
        break;
      case "end":
        game.result = values[0];
        break;
    }
  }
  game.tags = firstOfEach(tags);
  return game;
}

/** Of a tag that comes twice the first counts. */
function firstOfEach(tags) {
  const first = new Map();
  for (const [name, value] of tags) {
    if (!first.has(name)) {
      first.set(name, value);
    }
  }
  return Object.fromEntries(first);
}

/** Games out of pieces of text. */
class Scan {
  #wasm;
  #give;
  #answer;
  #handle;

  constructor(wasm, give, answer) {
    this.#wasm = wasm;
    this.#give = give;
    this.#answer = answer;
    this.#handle = wasm.scan_create();
    if (!this.#handle) {
      throw new Error("out of memory");
    }
  }

  push(bytes) {
    const games = [];
    for (let at = 0; at < bytes.length; at += 1 << 20) {
      const piece = bytes.subarray(at, at + (1 << 20));
      games.push(...this.#games(this.#give(piece) ? this.#wasm.scan_push(this.#open(), piece.length) : 0));
    }
    return games;
  }

  finish() {
    return this.#games(this.#wasm.scan_finish(this.#open()));
  }

  free() {
    if (this.#handle) {
      this.#wasm.scan_free(this.#handle);
      this.#handle = 0;
    }
  }

  #open() {
    if (!this.#handle) {
      throw new Error("the scan was freed");
    }
    return this.#handle;
  }

  #games(length) {
    const games = this.#answer(length);
    if (games.error) {
      throw new Error(games.error);
    }
    for (const game of games) {
      game.tags = firstOfEach(game.tags);
    }
    return games;
  }
}

// --- Writing PGN -------------------------------------------------------------------

/** The tags, with what the start position and the result ask for. */
function tagsOf(game) {
  const tags = Object.entries(game.tags ?? {}).filter(
    ([name]) => /^\w{1,200}$/.test(name) && !["SetUp", "FEN", "Result"].includes(name),
  );
  if (game.chess960 && !tags.some(([name]) => name === "Variant")) {
    tags.push(["Variant", "Chess960"]);
  }
  if (game.start && (game.start !== START || game.chess960)) {
    tags.push(["SetUp", "1"], ["FEN", game.start]);
  }
  tags.push(["Result", game.result in RESULTS ? game.result : "*"]);
  return tags;
}

function writeGame(wasm, give, take, game) {
  const tags = tagsOf(game).map(([name, value]) => `${name}\0${String(value).replaceAll("\0", " ")}\0`);
  const begun = give(game.start || START, tags.join(""));
  if (!begun || !wasm.write_begin(...begun)) {
    return "";
  }

  function writeComment(text) {
    const length = text ? give(String(text)) : null;
    if (length) {
      wasm.write_comment(...length);
    }
  }

  /** A line as far as its moves are legal. */
  function writeLine(moves) {
    for (const move of moves) {
      writeComment(move.before);
      const length = give(String(move.uci));
      if (!length || !wasm.write_move(...length)) {
        return;
      }
      for (const nag of move.nags ?? []) {
        wasm.write_nag(nag);
      }
      writeComment(move.after);
      for (const variation of move.variations ?? []) {
        if (variation.length > 0 && wasm.write_open()) {
          writeLine(variation);
          wasm.write_close();
        }
      }
    }
  }

  writeComment(game.comment);
  writeLine(game.moves ?? []);
  return take(wasm.write_end(RESULTS[game.result] ?? RESULTS["*"]));
}

// The C library brings these in; the rules never write to a file.
const noSystem = { fd_write: () => 28, fd_seek: () => 28, fd_close: () => 28, clock_time_get: () => 28 };
