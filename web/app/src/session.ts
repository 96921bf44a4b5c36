// SPDX-License-Identifier: MIT
// The game that the page shows, and who wants to know when it changes. Every part of the page acts on the game
// through this, so that board, move list, engine and link always agree.

import type { Failure, Rules } from "../../package/index.js";
import { failed, GameTree, type GameNode } from "./game.js";

/** "game": another game; "tree": its moves or notes; "move": a move was made on the board; "place": another place in it. */
export type Change = "game" | "tree" | "move" | "place";

export class Session {
  tree: GameTree;
  private readonly listeners: ((change: Change) => void)[] = [];

  constructor(readonly rules: Rules) {
    this.tree = new GameTree(rules, rules.startFen, false);
  }

  listen(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  open(tree: GameTree): void {
    this.tree = tree;
    this.tell("game");
  }

  /** Makes a move at the place that is shown. */
  play(move: string): Failure | null {
    const node = this.tree.play(move);
    if (failed(node)) return node;
    this.tree.go(node);
    this.tell("move");
    return null;
  }

  go(node: GameNode | null | undefined): void {
    if (!node || node === this.tree.current) return;
    this.tree.go(node);
    this.tell("place");
  }

  /** The moves or notes of the game were changed. */
  edited(): void {
    this.tell("tree");
  }

  private tell(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }
}
