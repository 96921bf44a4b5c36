/* SPDX-License-Identifier: MIT */
/*
 * Luft for JavaScript: the rules of chess as functions, luft-chess/rules. index.d.ts adds the engine.
 *
 * Positions are FEN and moves are UCI text. In Chess960 a castling move names the square of the rook. Functions that
 * parse text never throw on bad input: they return { error }. Test `result.error !== undefined`, or use `unwrap`, which throws.
 */

export interface Failure {
  /** The reason, as a sentence to show to users. */
  error: string;
}

/** A value or a failure, which `error` tells apart. */
export type Result<T> = (T & { error?: undefined }) | Failure;

/** Is the result { error }? A game that was read up to a mistake is not a failure. */
export function isFailure(result: unknown): result is Failure;

/** The value of a result. Throws an Error with the reason of a failure. */
export function unwrap<T>(result: T | Failure): T;

export interface Move {
  uci: string;
  san: string;
  from: string;
  /** In castling the square on which the king lands, also in Chess960. */
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
  /** Normalized: impossible en passant squares and castling rights are dropped. */
  fen: string;
  turn: "w" | "b";
  check: boolean;
  moves: Move[];
  /**
   * How the game has ended, judged by the position alone. Rules.status also sees repetition and draws that must be
   * claimed.
   */
  end: End | null;
}

export interface Played {
  move: Move;
  position: Position;
}

export interface Status {
  position: Position;
  /** Counts repetition and the fifty-move rule over the moves. Includes draws that must be claimed. */
  end: End | null;
  /** Null if and only if `end` is null. */
  result: "1-0" | "0-1" | "1/2-1/2" | null;
}

export interface Opening {
  code: string;
  name: string;
}

/** A move of a game, with its annotations from PGN. */
export interface GameMove {
  uci: string;
  san: string;
  nags: number[];
  /** Comments before the move (only for the first move of a variation) and after it. */
  before?: string;
  after?: string;
  /** Alternatives to this move. */
  variations: GameMove[][];
}

export interface Game {
  tags: Record<string, string>;
  /** The FEN of the start position. */
  start: string;
  chess960: boolean;
  /** A comment before the first move. */
  comment?: string;
  moves: GameMove[];
  result: "1-0" | "0-1" | "1/2-1/2" | "*";
  /** Why reading stopped here; the moves before it are valid. */
  error?: string;
}

export interface GameSummary {
  /** The place of its text, in bytes. A game of more than 8 MB has an error and no tags. */
  offset: number;
  length: number;
  tags: Record<string, string>;
  plies: number;
  /** The last named position of the main line. Absent if none has a name. */
  opening?: Opening;
  error?: string;
}

/** Reads a PGN of any size in chunks, in bounded memory. */
export interface PgnScan {
  /** Reads the next bytes. Returns the games that are complete. */
  push(bytes: Uint8Array): GameSummary[];
  /** Ends the text. Returns the games that were still open. */
  finish(): GameSummary[];
  free(): void;
}

/** A move in the explorer, and how the games ended in which it was played. */
export interface ExplorerMove {
  uci: string;
  san: string;
  white: number;
  draws: number;
  black: number;
  /** Games without a result. */
  unknown: number;
  /** The name of the position after the move. */
  opening?: Opening;
}

/** Counts the moves of many games: the first 60 plies of their main lines. */
export interface Explorer {
  /** The moves that were played in a position, by any order of moves, the most frequent first. */
  find(fen: string, chess960?: boolean): Result<{ games: number; full: boolean; moves: ExplorerMove[] }>;
  /** Free scans that use it first. */
  free(): void;
}

/** A set of squares: a8 is the lowest bit, h1 the highest. */
export type SquareSet = bigint;

/** The eight words of a board. */
export interface BoardWords {
  pawns: SquareSet;
  knights: SquareSet;
  /** Bishops and queens. */
  diagonal: SquareSet;
  /** Rooks and queens. */
  orthogonal: SquareSet;
  kings: SquareSet;
  white: SquareSet;
  black: SquareSet;
  /** Rooks that may still castle. */
  castling: SquareSet;
}

/** A plane as the side to move sees it, as a number in its own order (h8 is the lowest bit), and its squares. */
export interface Plane {
  plane: bigint;
  squares: SquareSet;
}

/** The Zobrist keys: as the side to move sees the position, as the opponent does, and of the pawns. */
export interface Keys {
  own: bigint;
  other: bigint;
  pawns: bigint;
}

/** What the move generator works with. docs/internals.md explains each. */
export interface Inside {
  occupied: SquareSet;
  words: BoardWords;
  planes: { bit0: Plane; bit1: Plane; bit2: Plane; us: Plane; them: Plane };
  kingAttackMap: SquareSet;
  checkers: SquareSet;
  checkMask: SquareSet;
  pinOrthogonal: SquareSet;
  pinDiagonal: SquareSet;
  pinned: SquareSet;
  reachOwn: SquareSet;
  reachOther: SquareSet;
  legalTargets: SquareSet;
  keys: Keys;
}

/** The lookup of a slider's attacks: attacks = table[offset + ((occupied & mask) * magic >> shift)]. */
export interface MagicLookup {
  slider: "rook" | "bishop";
  mask: SquareSet;
  blockers: SquareSet;
  magic: bigint;
  product: bigint;
  shift: number;
  index: number;
  offset: number;
  attacks: SquareSet;
}

export interface InsideSquare {
  square: string;
  /** What the piece on the square attacks; empty for an empty square. */
  attacks: SquareSet;
  attackers: SquareSet;
  pinRay: SquareSet;
  legalTargets: SquareSet;
  /** One for rooks and bishops, two for queens, none for other pieces. */
  lookups: MagicLookup[];
}

export interface InsideMove {
  /** The bits of each word that the move changes. */
  changed: BoardWords;
  before: Keys;
  after: Keys;
  /** The key pair swaps with each move: own after = other before ^ otherToOwn, other after = own before ^ ownToOther. */
  otherToOwn: bigint;
  ownToOther: bigint;
}

export interface Divide {
  total: number;
  moves: { uci: string; san: string; nodes: number }[];
}

export interface BookMove {
  uci: string;
  san: string;
  /** How good or how frequent the move is; 0: do not play it. */
  weight: number;
  /** For programs that learn. */
  learn: number;
}

/** An opening book in the Polyglot format. It stays in memory until it is freed. Afterwards its methods throw. */
export interface Book {
  /** How many entries it has. */
  readonly count: number;
  /** The legal moves of the book after these moves (UCI), the highest weight first. */
  find(start: string, moves?: string[], chess960?: boolean): BookMove[] | Failure;
  /**
   * One of them, with a probability proportional to its weight; null if there is none. `random` returns numbers from 0 to
   * less than 1, by default Math.random.
   */
  pick(start: string, moves?: string[], chess960?: boolean, random?: () => number): BookMove | null | Failure;
  free(): void;
}

/**
 * The result for the side to move: 2 for a win, 0 for a draw, -2 for a loss; 1 and -1 are wins and losses that the
 * fifty-move rule makes draws.
 */
export type Wdl = -2 | -1 | 0 | 1 | 2;

export interface TablebaseMove {
  uci: string;
  san: string;
  /** For the side that makes the move, counted with the halfmove clock and repetitions. */
  wdl: Wdl;
  /** The distance from before the move, as in TablebaseProbe; null without DTZ tables. */
  dtz: number | null;
  /** The higher, the better: from -262144, a certain loss, to 262144, a certain win. */
  rank: number;
}

export interface TablebaseProbe {
  /** The halfmove clock is ignored. */
  wdl: Wdl;
  /**
   * The distance in plies to the next capture, pawn move or mate: positive if the side to move wins, negative if it loses.
   * It can be one ply too short. Null without DTZ tables.
   */
  dtz: number | null;
  /** All legal moves, the best first. Whoever always plays the first one reaches the best result. */
  moves: TablebaseMove[];
}

/** Syzygy tables. They stay in memory until they are freed. Afterwards the methods throw. */
export interface Tablebase {
  /** How many tables it has, damaged ones included. */
  readonly count: number;
  /** The number of pieces of the largest WDL table. */
  readonly largest: number;
  /**
   * Adds a table from the bytes of its file. `name` is that of the file, such as KQvK.rtbw. A table of this name that is
   * there already is kept. Null on success.
   */
  add(name: string, data: ArrayBuffer | ArrayBufferView): Failure | null;
  /** The position after these moves (UCI). Fails if a table is missing, or if the position has castling rights. */
  probe(start: string, moves?: string[], chess960?: boolean): Result<TablebaseProbe>;
  /** The tables that were found to be damaged so far. The first probe of such a table fails; then it counts as missing. */
  faults(): { name: string; kind: "wdl" | "dtz"; reason: string }[];
  free(): void;
}

/** A piece as in FEN: upper case is White. */
export type PieceLetter = "P" | "N" | "B" | "R" | "Q" | "K" | "p" | "n" | "b" | "r" | "q" | "k";

/** A game that is being played. */
export interface GamePlay {
  readonly start: string;
  readonly chess960: boolean;
  readonly fen: string;
  readonly turn: "w" | "b";
  readonly position: Position;
  /** The legal moves. */
  readonly moves: Move[];
  /** What was played, as `Engine.analyse` takes it. */
  readonly uciMoves: string[];
  /** Also counts repetition and the fifty-move rule, as Rules.status does. */
  readonly end: End | null;
  readonly result: "1-0" | "0-1" | "1/2-1/2" | null;
  readonly opening: Opening | null;
  /** Plays a move, in UCI or SAN. A failure changes nothing. */
  move(text: string): Result<Played>;
  /** Takes the last move back and returns it; null at the start. */
  undo(): Move | null;
  /** Plays the move again that was undone last; null if there is none. */
  redo(): Move | null;
  history(): Move[];
  /** Eight rows of eight, from a8 to h1; null is an empty square. */
  board(): (PieceLetter | null)[][];
  /** Throws a RangeError for what is not a square. */
  pieceAt(square: string): PieceLetter | null;
  pgn(tags?: Record<string, string>): string;
}

export interface Rules {
  readonly version: string;
  readonly startFen: string;
  position(fen: string, chess960?: boolean): Result<Position>;
  /** Makes a move, in UCI or SAN. */
  play(fen: string, move: string, chess960?: boolean): Result<Played>;
  /** The state of the game after the moves (UCI). */
  status(start: string, moves: string[], chess960?: boolean): Result<Status>;
  /** The Chess960 start position with a number from 0 to 959; 518 is the standard one. Throws a RangeError for others. */
  chess960Start(number: number): string;
  /** A game to play. Throws an Error if `start` is not a valid FEN. */
  game(options?: { start?: string; chess960?: boolean }): GamePlay;
  /** The last named opening whose position the game reached; null if none. */
  opening(start: string, moves: string[]): Opening | null;
  /** UCI moves as SAN, up to the first illegal one. Castling may name the square of the king or of the rook. */
  sanLine(fen: string, moves: string[]): string[];
  /** Reads the first game of a text. */
  readPgn(text: string | Uint8Array): Game | Failure;
  /** Cuts each line before its first illegal move. Returns "" if the start position is invalid. */
  writePgn(game: Game): string;
  /** With an explorer, the scan adds its games to it. */
  scanPgn(explorer?: Explorer): PgnScan;
  explorer(): Explorer;
  /** The sets of squares and keys of a position. */
  inside(fen: string): Result<Inside>;
  insideSquare(fen: string, square: string): Result<InsideSquare>;
  /** What a move (UCI or SAN) changes. */
  insideMove(fen: string, move: string): Result<InsideMove>;
  /** How many positions follow each move, 1 to 8 plies deep. Takes long at the greater depths. */
  perftDivide(fen: string, depth: number, chess960?: boolean): Result<Divide>;
  /** Opens a book from the bytes of its file. */
  openBook(data: ArrayBuffer | ArrayBufferView): Result<Book>;
  /** Opens tables from the bytes of their files, by names such as KQvK.rtbw: an object, a Map or pairs. */
  openTablebase(
    files: Record<string, ArrayBuffer | ArrayBufferView> | Iterable<[string, ArrayBuffer | ArrayBufferView]>,
  ): Result<Tablebase>;
}

/** Compiles the module once; every call resolves to the same object. */
export function loadRules(options?: { wasm?: URL | string | ArrayBuffer | ArrayBufferView }): Promise<Rules>;
