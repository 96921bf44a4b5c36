// SPDX-License-Identifier: MIT
// Luft as a client sees it: ask for a search, get reports, get one move. There is one engine for the whole page;
// a new search takes the place of the one that runs, which is stopped first. However fast searches are asked
// for, the engine gets only the last one, so that walking quickly through a game costs nothing.

import { startEngine, type Engine } from "../../package/index.js";
import { parse, type BestMove, type Info } from "./uci.js";

export interface SearchRequest {
  start: string;
  moves: string[];
  chess960: boolean;
  /** What follows `go`: "infinite", "movetime 500". */
  go: string;
  lines?: number;
  /** Play no better than this; full strength without it. */
  elo?: number;
  onInfo?: (info: Info) => void;
}

export interface Search {
  stop(): void;
  /** null if another search took its place. */
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
  private freshGame = false;
  private readonly options = new Map<string, string>();

  /** For searches that begin from now on. */
  threads = 1;

  /** What to tell the user where the engine fails; it is started again by itself. */
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
    this.setOption("Hash", "32");
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

  /** Stops whatever searches. */
  halt(): void {
    this.waiting?.finish(null);
    this.waiting = null;
    if (this.running) this.stop(this.running);
  }

  /** What the engine remembers of other games is of no use for the next one. */
  newGame(): void {
    this.freshGame = true;
  }

  quit(): void {
    this.engine?.quit();
    this.engine = null;
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
    if (this.freshGame) this.engine.send("ucinewgame");
    this.freshGame = false;
    this.setOption("UCI_Chess960", String(request.chess960));
    this.setOption("Threads", String(this.threads));
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

  // A search that was wanted goes on with the next engine, but not one at which two have crashed.
  private again(job: Job | null): void {
    if (!job) return;
    if (this.waiting || job.stopped || ++job.crashes > 1) job.finish(null);
    else this.waiting = job;
  }

  private recover(engine: Engine, error: Error): void {
    if (this.engine !== engine) return;
    this.engine = null;
    this.again(this.running);
    this.running = null;
    this.onTrouble(`The engine crashed and restarts: ${error.message}`);
    this.start().catch((again: unknown) => this.onTrouble(`Cannot start the engine: ${String(again)}`));
  }
}
