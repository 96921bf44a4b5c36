/* SPDX-License-Identifier: MIT */
/*
 * Luft for JavaScript: the rules of chess as functions, and the engine as lines of UCI.
 *
 * Positions are FEN and moves are UCI text (in Chess960 castling is king takes rook). Functions that
 * take text from outside never throw on bad input: they return { error }.
 */

export interface Failure {
  /** One sentence for people. */
  error: string;
}

export interface Move {
  uci: string;
  san: string;
  from: string;
  /** Where the king lands in castling, not the rook's square. */
  to: string;
  /** "q", "r", "b" or "n". */
  promotion?: string;
  capture: boolean;
  castling: boolean;
  enPassant: boolean;
  check: boolean;
}

export type End = "checkmate" | "stalemate" | "insufficient" | "threefold" | "fifty" | "fivefold" | "seventyfive";

export interface Position {
  /** As Luft writes it: an impossible en passant square or castling right is dropped. */
  fen: string;
  turn: "w" | "b";
  check: boolean;
  moves: Move[];
  /**
   * How the game ended by the rules, of the position alone, without draws that must be claimed; for these and for
   * repetition see Rules.status.
   */
  end: End | null;
}

export interface Played {
  move: Move;
  position: Position;
}

export interface Status {
  position: Position;
  /** With the moves that led here: repetition and the fifty-move rule count. Draws that must be claimed are given too. */
  end: End | null;
  /** Null exactly where `end` is. */
  result: "1-0" | "0-1" | "1/2-1/2" | null;
}

export interface Opening {
  code: string;
  name: string;
}

/** A move of a game with what a PGN says of it. */
export interface GameMove {
  uci: string;
  san: string;
  nags: number[];
  /** Comments before the move (only at the start of a line) and after it. */
  before?: string;
  after?: string;
  /** Other moves in place of this one. */
  variations: GameMove[][];
}

export interface Game {
  tags: Record<string, string>;
  /** The position it starts from. */
  start: string;
  chess960: boolean;
  /** A comment before the first move. */
  comment?: string;
  moves: GameMove[];
  result: "1-0" | "0-1" | "1/2-1/2" | "*";
  /** The game was cut short here because of this. */
  error?: string;
}

export interface GameSummary {
  /** Where its text is, in bytes. A game of more than 8 MB has an error and no tags. */
  offset: number;
  length: number;
  tags: Record<string, string>;
  plies: number;
  error?: string;
}

/** Reads a PGN of any size in pieces; memory does not grow with it. */
export interface PgnScan {
  /** Gives the next bytes and gets the games that ended in them. */
  push(bytes: Uint8Array): GameSummary[];
  /** The end of the text: the last game. */
  finish(): GameSummary[];
  free(): void;
}

export interface Rules {
  readonly version: string;
  readonly startFen: string;
  position(fen: string, chess960?: boolean): Position | Failure;
  /** A move in UCI or SAN. */
  play(fen: string, move: string, chess960?: boolean): Played | Failure;
  /** The position after the moves (UCI), with repetition. */
  status(start: string, moves: string[], chess960?: boolean): Status | Failure;
  /** Start position number 0 to 959 of Chess960; 518 is the usual one. Throws a RangeError for other numbers. */
  chess960Start(number: number): string;
  /** The opening that the game reached last, by its positions. */
  opening(start: string, moves: string[]): Opening | null;
  /** UCI moves as SAN, as far as they are legal; castling in either notation. */
  sanLine(fen: string, moves: string[]): string[];
  /** The first game of a text. */
  readPgn(text: string | Uint8Array): Game | Failure;
  /** A line ends before a move that is not legal; text of no length if the start is no position. */
  writePgn(game: Game): string;
  scanPgn(): PgnScan;
}

/** Compiles the module once; every call gives the same object. */
export function loadRules(options?: { wasm?: URL | string | ArrayBuffer | ArrayBufferView }): Promise<Rules>;

export interface EngineOptions {
  /** Where the files of the package are, if not beside this module. */
  worker?: URL | string;
  wasm?: URL | string;
  /**
   * False: the module without threads, whose memory is not shared. Without this, the option `Threads` goes up to 32
   * in Node and where the page is cross-origin isolated, and is 1 elsewhere. If `wasm` is given, that decides: it is the
   * address of luft.wasm or of luft-threads.wasm, and thread.js lies beside the Worker.
   */
  threads?: boolean;
}

/** Luft in a Worker (a thread of its own in Node). One line of UCI per message. */
export interface Engine {
  send(line: string): void;
  /** Returns how to stop listening. */
  listen(listener: (line: string) => void): () => void;
  /** Ends the Worker. */
  quit(): void;
  /** Settles when the engine crashed (it should not). */
  readonly failed: Promise<Error>;
}

export function startEngine(options?: EngineOptions): Promise<Engine>;
