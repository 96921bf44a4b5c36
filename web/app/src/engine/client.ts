// SPDX-License-Identifier: MIT
// A client for the engine: request a search, receive its reports and one best move. The page has one engine. A new search
// stops and replaces the running one. Of several requests in the meantime only the last one is sent, so that fast
// navigation through a game stays cheap.

import { startEngine, type Engine } from "../../../package/index.js";
import { parse, type BestMove, type Info } from "./uci.js";

export interface SearchRequest {
  start: string;
  moves: string[];
  chess960: boolean;
  /** The arguments of `go`, such as "infinite" or "movetime 500". */
  go: string;
  lines?: number;
  /** Megabytes and threads of this search; the client's own by default. */
  hash?: number;
  threads?: number;
  /** Limits the strength; undefined for full strength. */
  elo?: number;
  onInfo?: (info: Info) => unknown;
}

export interface Search {
  stop(): void;
  /** Resolves to null if another search replaced this one. */
  readonly done: Promise<BestMove | null>;
}

class Job implements Search {
  readonly done: Promise<BestMove | null>;
  finish!: (best: BestMove | null) => void;
  superseded = false;
  stopped = false;
  crashes = 0;

  constructor(
    readonly request: SearchRequest,
    readonly stop: () => void,
  ) {
    this.done = new Promise((resolve) => (this.finish = resolve));
  }
}

export class EngineClient {
  private engine: Engine | null = null;
  private running: Job | null = null;
  private waiting: Job | null = null;
  private stopping = false;
  private newGamePending = false;
  private readonly options = new Map<string, string>();

  /** Takes effect with the next search. */
  threads = 1;
  hash = 32;

  /** Receives error messages for the user. A crashed engine restarts automatically. */
  onTrouble: (text: string) => void = () => {};

  constructor(private readonly launch: () => Promise<Engine> = () => startEngine()) {}

  async start(): Promise<void> {
    const engine = await this.launch();
    this.engine = engine;
    this.options.clear();
    engine.listen((line) => this.receive(line));
    void engine.failed.then((error) => this.recover(engine, error));
    engine.send("uci");
    this.setOption("UCI_ShowWDL", "true");
    this.begin();
  }

  search(request: SearchRequest): Search {
    const job: Job = new Job(request, () => this.stop(job));
    this.waiting?.finish(null);
    this.waiting = job;
    if (this.running) {
      this.running.superseded = true;
      this.sendStop();
    } else {
      this.begin();
    }
    return job;
  }


  /** Sends `ucinewgame` before the next search. */
  newGame(): void {
    this.newGamePending = true;
  }


  private stop(job: Job): void {
    if (this.waiting === job) {
      this.waiting = null;
      job.finish(null);
    } else if (this.running === job) {
      job.stopped = true;
      this.sendStop();
    }
  }

  private sendStop(): void {
    if (this.stopping) return;
    this.stopping = true;
    this.engine?.send("stop");
  }

  private begin(): void {
    const job = this.waiting;
    if (!job || !this.engine || this.running) return;
    this.waiting = null;
    this.running = job;
    this.stopping = false;
    const { request } = job;
    if (this.newGamePending) this.engine.send("ucinewgame");
    this.newGamePending = false;
    this.setOption("UCI_Chess960", String(request.chess960));
    this.setOption("Threads", String(request.threads ?? this.threads));
    this.setOption("Hash", String(request.hash ?? this.hash));
    this.setOption("MultiPV", String(request.lines ?? 1));
    this.setOption("UCI_LimitStrength", String(request.elo !== undefined));
    if (request.elo !== undefined) this.setOption("UCI_Elo", String(request.elo));
    const moves = request.moves.length > 0 ? ` moves ${request.moves.join(" ")}` : "";
    this.engine.send(`position fen ${request.start}${moves}`);
    this.engine.send(`go ${request.go}`);
  }

  private setOption(name: string, value: string): void {
    if (this.options.get(name) === value) return;
    this.options.set(name, value);
    this.engine?.send(`setoption name ${name} value ${value}`);
  }

  private receive(line: string): void {
    const report = parse(line);
    if (report?.kind === "bestmove" && this.running) {
      const job = this.running;
      this.running = null;
      job.finish(job.superseded ? null : report);
      this.begin();
    } else if (report?.kind === "info" && this.running && !this.running.superseded) {
      this.running.request.onInfo?.(report);
    } else if (report?.kind === "message" && report.text.startsWith("error")) {
      this.onTrouble(`Engine: ${report.text}`);
    }
  }

  // Repeats the search in the next engine, unless it was stopped or replaced, or has crashed two engines.
  private retry(job: Job | null): void {
    if (!job) return;
    if (this.waiting || job.stopped || ++job.crashes > 1) job.finish(null);
    else this.waiting = job;
  }

  private recover(engine: Engine, error: Error): void {
    if (this.engine !== engine) return;
    this.engine = null;
    this.retry(this.running);
    this.running = null;
    this.onTrouble(`The engine crashed and restarts: ${error.message}`);
    this.start().catch((reason: unknown) => this.onTrouble(`Cannot start the engine: ${String(reason)}`));
  }
}
