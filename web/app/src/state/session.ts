// SPDX-License-Identifier: MIT
// The game on the page, its history and its listeners. All parts of the page change the game through this class, so that
// board, move list, engine and link agree, and every change can be undone. Games are immutable: a step of the history is
// an earlier game.

import type { Failure, Rules } from "../../../package/index.js";
import type { Score } from "../engine/score.js";
import type { ReviewLayer } from "../engine/judge.js";
import { evalOf } from "./comments.js";
import { failed, Game } from "./game.js";
import type { GameNode } from "./tree.js";

/**
 * "game": another game was opened; "tree": its moves, annotations or review changed; "move": a move was played; "node":
 * another node became current.
 */
export type Change = "game" | "tree" | "move" | "node";

interface Step {
  game: Game;
  review: ReviewLayer | null;
  current: number;
  /** The change that followed, for the buttons: "Undo: delete moves". */
  what: string;
}

export interface EditOptions {
  /** The node that becomes current. */
  current?: number;
  /** Edits with the same key in a row are one step of the history: the letters of a comment. */
  key?: string;
  review?: ReviewLayer | null;
  change?: Change;
}

export class Session {
  game: Game;
  /** The id of the current node. */
  current: number;
  /** What the engine wrote about the game: a layer of its own, never a part of the game. */
  review: ReviewLayer | null = null;
  /** Scores of the live analysis. */
  readonly scores = new Map<number, Score>();
  private past: Step[] = [];
  private future: Step[] = [];
  private lastKey = "";
  private readonly listeners: ((change: Change) => void)[] = [];

  constructor(readonly rules: Rules) {
    this.game = Game.create(rules);
    this.current = this.game.root.id;
  }

  listen(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  get node(): GameNode {
    return this.game.node(this.current);
  }

  get fen(): string {
    return this.game.fen(this.current);
  }

  /** The best known score of a node: of the live analysis, of the review, or of the file. */
  score(id: number): Score | null {
    return this.scores.get(id) ?? this.review?.moves.get(id)?.score ?? evalOf(this.game.node(id).after);
  }

  // --- Changes ---

  /** Opens another game. The old one stays in the history. */
  open(game: Game, current = game.root.id, review: ReviewLayer | null = null): void {
    const isFirst = this.past.length === 0 && this.game.size === 0 && !this.game.root.after;
    if (!isFirst) this.remember("opening another game");
    this.game = game;
    this.review = review;
    this.current = current;
    this.scores.clear();
    this.notify("game");
  }

  /** Replaces the game by an edited version. */
  edit(what: string, game: Game, options: EditOptions = {}): void {
    if (!options.key || options.key !== this.lastKey) this.remember(what);
    this.lastKey = options.key ?? "";
    this.game = game;
    if (options.review !== undefined) this.review = options.review;
    this.current = this.existing(options.current ?? this.current);
    this.notify(options.change ?? "tree");
  }

  /** Plays a move at the current node. */
  play(move: string): Failure | null {
    const next = this.game.play(move, this.current);
    if (failed(next)) return next;
    if (next.game === this.game) {
      this.current = next.id;
      this.notify("move");
    } else {
      this.edit(`move ${next.game.node(next.id).san}`, next.game, { current: next.id, change: "move" });
    }
    return null;
  }

  go(node: GameNode | number | null | undefined): void {
    const id = typeof node === "number" ? node : node?.id;
    if (id === undefined || id === this.current || !this.game.has(id)) return;
    this.current = id;
    this.lastKey = "";
    this.notify("node");
  }

  // --- History ---

  /** What undo and redo would change; empty if there is nothing to undo or redo. */
  get undoes(): string {
    return this.past.at(-1)?.what ?? "";
  }

  get redoes(): string {
    return this.future.at(-1)?.what ?? "";
  }

  undo(): boolean {
    return this.travel(this.past, this.future);
  }

  redo(): boolean {
    return this.travel(this.future, this.past);
  }

  private travel(from: Step[], to: Step[]): boolean {
    const step = from.pop();
    if (!step) return false;
    to.push(this.step(step.what));
    const isSame = step.game.root.id === this.game.root.id;
    this.game = step.game;
    this.review = step.review;
    this.current = this.existing(step.current);
    this.lastKey = "";
    if (!isSame) this.scores.clear();
    this.notify(isSame ? "tree" : "game");
    return true;
  }

  private remember(what: string): void {
    this.past.push(this.step(what));
    this.future = [];
    this.lastKey = "";
  }

  private step(what: string): Step {
    return { game: this.game, review: this.review, current: this.current, what };
  }

  /** A node that was removed gives its nearest remaining ancestor in the previous version. */
  private existing(id: number): number {
    if (this.game.has(id)) return id;
    const before = this.past.at(-1)?.game;
    for (let at = before?.has(id) ? before.parent(id) : null; at; at = before?.parent(at.id) ?? null) if (this.game.has(at.id)) return at.id;
    return this.game.root.id;
  }

  private notify(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }
}
