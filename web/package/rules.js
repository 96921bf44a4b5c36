// SPDX-License-Identifier: MIT
//
// The rules of chess, from the module luft-rules.wasm. It returns JSON; bindings/wasm/rules.h documents its functions.
// All calls are synchronous. The module keeps no state between two calls except PGN scans, explorers, books and tablebases.

import { GamePlay } from "./play.js";
import { openBook, openTablebase } from "./tables.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const RESULTS = { "1-0": 1, "0-1": 2, "1/2-1/2": 3, "*": 4 }; // luft_result
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The rules as rules-entry.d.ts describes them. */
export function makeRules(module) {
  const wasm = new WebAssembly.Instance(module, { wasi_snapshot_preview1: noSystem }).exports;
  wasm._initialize?.();
  wasm.rules_start();

  /** Copies texts into the module's buffer, one after the other. Returns their lengths, or null if out of memory. */
  function putTexts(...texts) {
    const parts = texts.map((text) => (typeof text === "string" ? encoder.encode(text) : text));
    let address = wasm.rules_room(parts.reduce((sum, part) => sum + part.length, 0));
    if (!address) {
      return null;
    }
    const memory = new Uint8Array(wasm.memory.buffer);
    for (const part of parts) {
      memory.set(part, address);
      address += part.length;
    }
    return parts.map((part) => part.length);
  }

  /** The text of the last answer, `length` bytes. */
  function answerText(length) {
    return decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.rules_text(), length));
  }

  const parseAnswer = (length) => (length > 0 ? JSON.parse(answerText(length)) : { error: "out of memory" });

  /** Calls a function, or one of the module by its name, with the lengths of these texts, then the other arguments. */
  function call(name, texts, ...more) {
    const lengths = putTexts(...texts.map((text) => (text instanceof Uint8Array ? text : String(text))));
    const run = typeof name === "function" ? name : wasm[name];
    return parseAnswer(lengths ? run(...lengths, ...more) : 0);
  }

  const joinMoves = (moves) => (Array.isArray(moves) ? moves.join(" ") : String(moves ?? ""));

  /** Calls a function with an object of the module and a game. */
  function callWith(name, address, start, moves, chess960) {
    const lengths = putTexts(String(start), joinMoves(moves));
    return parseAnswer(lengths ? wasm[name](address, ...lengths, chess960) : 0);
  }

  const core = { wasm, putTexts, parseAnswer, callWith };

  const rules = {
    version: parseAnswer(wasm.version()),
    startFen: START,
    position: (fen, chess960 = false) => call("position", [fen], chess960),
    play: (fen, move, chess960 = false) => call("play", [fen, move], chess960),
    status: (start, moves, chess960 = false) => call("status", [start, joinMoves(moves)], chess960),
    chess960Start(number) {
      const start = parseAnswer(wasm.chess960_start(number));
      if (start.error || number !== (number | 0)) {
        throw new RangeError(`Chess960 start position: expected an integer from 0 to 959, got ${number}`);
      }
      return start;
    },
    game: (options) => new GamePlay(rules, options),
    opening: (start, moves) => call("opening", [start, joinMoves(moves)]),
    sanLine: (fen, moves) => call("san_line", [fen, joinMoves(moves)]),
    readPgn(text) {
      const events = call("pgn_read", [text]);
      return events.error ? events : gameFromEvents(events);
    },
    writePgn: (game) => writeGame(wasm, putTexts, answerText, game),
    scanPgn: (explorer) => new Scan(wasm, putTexts, parseAnswer, explorer),
    explorer: () => new Explorer(wasm, call),
    inside: (fen) => withBits(call("inside", [fen])),
    insideSquare: (fen, square) => withBits(call("inside_square", [fen], squareNumber(square))),
    insideMove: (fen, move) => withBits(call("inside_move", [fen, move])),
    perftDivide: (fen, depth, chess960 = false) => call("perft_divide", [fen], depth, chess960),
    openBook: (data) => openBook(core, data),
    openTablebase: (files) => openTablebase(core, files),
  };
  return Object.freeze(rules);
}

// --- Inside a position --------------------------------------------------------------

/** Sets of squares and keys have 64 bits: strings in JSON, BigInt in JavaScript. */
function withBits(value) {
  if (typeof value === "string" && /^0x[0-9a-f]{16}$/.test(value)) {
    return BigInt(value);
  }
  if (Array.isArray(value)) {
    return value.map(withBits);
  }
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withBits(part)]));
  }
  return value;
}

/** a8 is 0, h1 is 63; -1 for anything else. */
function squareNumber(square) {
  return /^[a-h][1-8]$/.test(square) ? 8 * (56 - square.charCodeAt(1)) + square.charCodeAt(0) - 97 : -1;
}

// --- The explorer -------------------------------------------------------------------

/** Counts the moves of many games. Scans add games to it. */
class Explorer {
  #wasm;
  #call;
  #handle;

  constructor(wasm, call) {
    this.#wasm = wasm;
    this.#call = call;
    this.#handle = wasm.explorer_create();
    if (!this.#handle) {
      throw new Error("out of memory");
    }
  }

  /** For Scan: the address of the explorer in the module. */
  get handle() {
    if (!this.#handle) {
      throw new Error("the explorer was freed");
    }
    return this.#handle;
  }

  find(fen, chess960 = false) {
    const handle = this.handle;
    const { explorer_find: find } = this.#wasm;
    return this.#call((length) => find(handle, length, chess960), [fen]);
  }

  free() {
    if (this.#handle) {
      this.#wasm.explorer_free(this.#handle);
      this.#handle = 0;
    }
  }
}

// --- Reading PGN -------------------------------------------------------------------

/** Builds a game from the events of the PGN reader. */
function gameFromEvents(events) {
  const tags = [];
  const game = { tags: {}, start: START, chess960: false, moves: [], result: "*" };
  let line = game.moves; // the main line or variation that is being read
  let before; // comments before the first move of a variation
  const outer = []; // the lines that contain this one
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
  game.tags = tagsToObject(tags);
  return game;
}

/** Tags as an object. The first of several tags with the same name counts. */
function tagsToObject(tags) {
  const first = new Map();
  for (const [name, value] of tags) {
    if (!first.has(name)) {
      first.set(name, value);
    }
  }
  return Object.fromEntries(first);
}

/** Finds the games in a text that arrives in chunks. */
class Scan {
  #wasm;
  #putTexts;
  #parseAnswer;
  #handle;
  #explorer; // keeps it alive

  constructor(wasm, putTexts, parseAnswer, explorer) {
    this.#wasm = wasm;
    this.#putTexts = putTexts;
    this.#parseAnswer = parseAnswer;
    this.#handle = wasm.scan_create();
    if (!this.#handle) {
      throw new Error("out of memory");
    }
    if (explorer) {
      this.#explorer = explorer;
      wasm.scan_explore(this.#handle, explorer.handle);
    }
  }

  push(bytes) {
    const games = [];
    for (let at = 0; at < bytes.length; at += 1 << 20) {
      const chunk = bytes.subarray(at, at + (1 << 20));
      // Not push(...): a chunk can hold more games than a call accepts arguments.
      for (const game of this.#games(this.#putTexts(chunk) ? this.#wasm.scan_push(this.#openHandle(), chunk.length) : 0)) {
        games.push(game);
      }
    }
    return games;
  }

  finish() {
    return this.#games(this.#wasm.scan_finish(this.#openHandle()));
  }

  free() {
    if (this.#handle) {
      this.#wasm.scan_free(this.#handle);
      this.#handle = 0;
    }
  }

  #openHandle() {
    if (!this.#handle) {
      throw new Error("the scan was freed");
    }
    void this.#explorer?.handle; // throws if it was freed before the scan
    return this.#handle;
  }

  #games(length) {
    const games = this.#parseAnswer(length);
    if (games.error) {
      throw new Error(games.error);
    }
    for (const game of games) {
      game.tags = tagsToObject(game.tags);
    }
    return games;
  }
}

// --- Writing PGN -------------------------------------------------------------------

/** The tags to write: the game's own, and those that follow from its start position and result. */
function tagsToWrite(game) {
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

function writeGame(wasm, putTexts, answerText, game) {
  const tags = tagsToWrite(game).map(([name, value]) => `${name}\0${String(value).replaceAll("\0", " ")}\0`);
  const lengths = putTexts(game.start || START, tags.join(""));
  if (!lengths || !wasm.write_begin(...lengths)) {
    return "";
  }

  function writeComment(text) {
    const lengths = text ? putTexts(String(text)) : null;
    if (lengths) {
      wasm.write_comment(...lengths);
    }
  }

  /** Writes a line up to its first illegal move. */
  function writeLine(moves) {
    for (const move of moves) {
      writeComment(move.before);
      const lengths = putTexts(String(move.uci));
      if (!lengths || !wasm.write_move(...lengths)) {
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
  return answerText(wasm.write_end(RESULTS[game.result] ?? RESULTS["*"]));
}

// The C library imports these functions; the rules never call them.
const noSystem = { fd_write: () => 28, fd_seek: () => 28, fd_close: () => 28, clock_time_get: () => 28 };
