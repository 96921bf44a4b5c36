/* SPDX-License-Identifier: MIT */
/* Luft for JavaScript: the rules of chess (rules-entry.d.ts), and a UCI engine. */

export * from "./rules-entry.js";

export interface EngineOptions {
  /** The addresses of the package's files, if they are not beside this module. */
  worker?: URL | string;
  wasm?: URL | string;
  /**
   * False loads the module without threads and without shared memory. By default the option `Threads` is at most 32 in
   * Node and in pages that are cross-origin isolated, and 1 elsewhere. If `wasm` is given, that file decides: luft.wasm or
   * luft-threads.wasm. thread.js must be beside the Worker.
   */
  threads?: boolean;
}

/** From the side to move: centipawns, or moves to mate, which are negative if it is mated. */
export interface Score {
  kind: "cp" | "mate";
  value: number;
  /** The true score is at least ("lower") or at most ("upper") this. Absent if it is exact. */
  bound?: "lower" | "upper";
}

/** What the engine reports about one variation during a search. */
export interface Info {
  score: Score;
  /** The variation, in UCI. */
  pv: string[];
  depth?: number;
  seldepth?: number;
  /** Which of several variations this is, from 1. */
  multipv?: number;
  nodes?: number;
  nps?: number;
  /** Per mille. */
  hashfull?: number;
  tbhits?: number;
  /** Milliseconds. */
  time?: number;
  /** Per mille of wins, draws and losses, with the option UCI_ShowWDL. */
  wdl?: [number, number, number];
}

/** An AbortSignal of any system. */
export interface Abortable {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** What is searched, and for how long. Without depth, nodes and time the search runs until `signal` aborts it. */
export interface AnalyseOptions {
  /** By default the start position. */
  fen?: string;
  /** Moves from there, in UCI. */
  moves?: string[];
  chess960?: boolean;
  depth?: number;
  nodes?: number;
  /** Milliseconds. */
  time?: number;
  /** How many variations; by default 1. */
  lines?: number;
  /** Only these moves, in UCI. */
  searchMoves?: string[];
  /** Ends the search; the promise resolves to what was found. */
  signal?: Abortable;
  onInfo?: (info: Info) => void;
}

export interface Analysis {
  /** In UCI; null if there is no legal move. */
  best: string | null;
  ponder: string | null;
  /** The last report about each variation, the best first. */
  lines: Info[];
}

/** Luft in a Worker, or in a thread under Node. One line of UCI per message. */
export interface Engine {
  send(line: string): void;
  /** Returns a function that removes the listener. */
  listen(listener: (line: string) => void): () => void;
  /** "info" gives reports, parsed; "line" is like listen. Returns a function that removes the listener. */
  on(event: "info", listener: (info: Info) => void): () => void;
  on(event: "line", listener: (line: string) => void): () => void;
  /**
   * Searches a position. It sets the options MultiPV and UCI_Chess960. Searches wait for each other; do not send `go`
   * meanwhile. Rejects if the position is refused, the engine crashes, or `quit` is called.
   */
  analyse(options?: AnalyseOptions): Promise<Analysis>;
  /** Ends the Worker. Searches that are not finished reject with the Error "the engine has ended". */
  quit(): void;
  /** Resolves if the engine crashes, which is a bug. */
  readonly failed: Promise<Error>;
}

export function startEngine(options?: EngineOptions): Promise<Engine>;
