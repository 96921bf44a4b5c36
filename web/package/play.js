// SPDX-License-Identifier: MIT
//
// A game with its state: the moves that were played, and those that were undone. It holds UCI moves and asks the rules for
// everything else.

import { isFailure, unwrap } from "./results.js";

/** What rules-entry.d.ts describes as GamePlay. */
export class GamePlay {
  #rules;
  #start;
  #chess960;
  #played = []; // Played of each move
  #undone = []; // the last one is the next to redo
  #first;

  constructor(rules, { start = rules.startFen, chess960 = false } = {}) {
    this.#rules = rules;
    this.#chess960 = chess960;
    this.#first = unwrap(rules.position(start, chess960));
    this.#start = this.#first.fen;
  }

  get start() {
    return this.#start;
  }

  get chess960() {
    return this.#chess960;
  }

  get position() {
    return this.#played.at(-1)?.position ?? this.#first;
  }

  get fen() {
    return this.position.fen;
  }

  get turn() {
    return this.position.turn;
  }

  get moves() {
    return this.position.moves;
  }

  get uciMoves() {
    return this.#played.map(({ move }) => move.uci);
  }

  get end() {
    return this.#status().end;
  }

  get result() {
    return this.#status().result;
  }

  get opening() {
    return this.#rules.opening(this.#start, this.uciMoves);
  }

  #status() {
    return unwrap(this.#rules.status(this.#start, this.uciMoves, this.#chess960));
  }

  /** The same move again, after it was undone, keeps those that were undone behind it. */
  move(text) {
    const played = this.#rules.play(this.fen, text, this.#chess960);
    if (isFailure(played)) {
      return played;
    }
    const next = this.#undone.pop();
    if (next?.move.uci !== played.move.uci) {
      this.#undone = [];
    }
    this.#played.push(played);
    return played;
  }

  undo() {
    const played = this.#played.pop();
    if (!played) {
      return null;
    }
    this.#undone.push(played);
    return played.move;
  }

  redo() {
    const played = this.#undone.pop();
    if (!played) {
      return null;
    }
    this.#played.push(played);
    return played.move;
  }

  history() {
    return this.#played.map(({ move }) => move);
  }

  /** Rows from the eighth rank to the first, as in a FEN. */
  board() {
    return this.fen.split(" ")[0].split("/").map((row) =>
      [...row].flatMap((letter) => (letter >= "1" && letter <= "8" ? Array(Number(letter)).fill(null) : [letter])),
    );
  }

  pieceAt(square) {
    if (!/^[a-h][1-8]$/.test(square)) {
      throw new RangeError(`expected a square such as e4, got ${JSON.stringify(square)}`);
    }
    return this.board()[8 - Number(square[1])][square.charCodeAt(0) - 97];
  }

  pgn(tags = {}) {
    const moves = this.#played.map(({ move }) => ({ uci: move.uci, san: move.san, nags: [], variations: [] }));
    return this.#rules.writePgn({ tags, start: this.#start, chess960: this.#chess960, moves, result: this.result ?? "*" });
  }
}
