// SPDX-License-Identifier: MIT
// Live analysis: the engine searches the current position until it changes. The threat view searches the position after a
// null move. Knows nothing of the page; views/strip.ts shows the result.

import { afterNullMove } from "../state/fen.js";
import { failed } from "../state/game.js";
import type { Session } from "../state/session.js";
import { outcome } from "../words.js";
import type { EngineClient, Search } from "./client.js";
import { flipped, type Score } from "./score.js";
import type { Info } from "./uci.js";

export interface Line {
  score: Score;
  depth: number;
  uci: string[];
}

/** A score of this depth replaces the stored score of a node. */
const MIN_STORED_DEPTH = 8;

export class LiveAnalysis {
  on = false;
  threat = false;
  /** The number of lines to search. */
  wanted = 3;
  lines: Line[] = [];
  info: Info | null = null;
  /** The position that the lines begin from. */
  fen = "";
  /** Why there are no lines; empty while the engine searches. */
  message = "";

  /** Called when the search starts or ends. */
  onChange: () => void = () => {};
  /** Called when there are new lines. */
  onLines: () => void = () => {};
  /** Called when a node of the game has a new score. */
  onScore: () => void = () => {};
  /** Why there is no analysis, in a game or a puzzle, where it would help the user; else empty. */
  blocked: () => string = () => "";

  private search: Search | null = null;

  constructor(
    private readonly session: Session,
    private readonly engine: EngineClient,
  ) {}

  toggle(on = !this.on): void {
    this.on = on && !this.blocked();
    this.restart();
  }

  toggleThreat(): void {
    if (this.blocked()) return;
    this.threat = !this.threat;
    if (this.threat && !this.on) this.toggle(true);
    else this.restart();
  }

  /** Starts again after a change of the position or the options. */
  restart(): void {
    this.search?.stop();
    this.search = null;
    this.lines = [];
    this.info = null;
    this.message = this.begin();
    this.onChange();
  }

  /** Returns why there is nothing to search. */
  private begin(): string {
    const { game, current, rules } = this.session;
    if (this.blocked()) return this.blocked();
    if (!this.on || document.hidden) return "The engine is off.";
    this.fen = game.fen(current);
    const request = { ...game.history(current), chess960: game.chess960 };
    if (game.position(current).moves.length === 0) return outcome(game.status(current));
    if (this.threat) {
      const position = rules.position(afterNullMove(this.fen), game.chess960);
      if (failed(position)) return "No threat to show: the side to move is in check.";
      if (position.moves.length === 0) return "No threat to show: the opponent has no legal move.";
      this.fen = position.fen;
      Object.assign(request, { start: position.fen, moves: [] });
    }
    const search: Search = this.engine.search({
      ...request,
      go: "infinite",
      lines: this.wanted,
      // A search that was stopped may still report.
      onInfo: (info) => this.search === search && this.receive(current, info),
    });
    this.search = search;
    // A search that ends without being stopped: the engine has failed permanently.
    void search.done.then(() => this.search === search && this.toggle(false));
    return "";
  }

  private receive(id: number, info: Info): void {
    if (id !== this.session.current || info.pv.length === 0) return;
    if (info.bound && info.multipv > 1) return;
    const score = this.fen.split(" ")[1] === "b" ? flipped(info.score) : info.score;
    this.lines[info.multipv - 1] = { score, depth: info.depth, uci: info.pv };
    this.info = info;
    // The first iterations must not replace the score of an earlier, deeper search.
    if (info.multipv === 1 && !this.threat && !info.bound && (info.depth >= MIN_STORED_DEPTH || !this.session.score(id))) {
      this.session.scores.set(id, score);
      if (info.depth >= MIN_STORED_DEPTH) this.onScore();
    }
    this.onLines();
  }
}
