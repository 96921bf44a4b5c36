// SPDX-License-Identifier: MIT
// The game on the page and its listeners. All parts of the page change the game through this class, so that board, move
// list, engine and link agree.

import type { Failure, Rules } from "../../package/index.js";
import { failed, GameTree, type GameNode } from "./game.js";

/**
 * "game": another game was opened; "tree": its moves or annotations changed; "move": a move was played; "node": another
 * node became current.
 */
export type Change = "game" | "tree" | "move" | "node";

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
    this.notify("game");
  }

  /** Plays a move at the current node. */
  play(move: string): Failure | null {
    const node = this.tree.play(move);
    if (failed(node)) return node;
    this.tree.go(node);
    this.notify("move");
    return null;
  }

  go(node: GameNode | null | undefined): void {
    if (!node || node === this.tree.current) return;
    this.tree.go(node);
    this.notify("node");
  }

  /** Call after changing moves or annotations of the tree. */
  edited(): void {
    this.notify("tree");
  }

  private notify(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }
}
