// SPDX-License-Identifier: MIT
// Analysis of the whole game: searches every position of the main line, then marks the moves that lost expected points
// and adds better variations.

import type { EngineClient, Search } from "./engine.js";
import { failed, type GameNode, type GameTree } from "./game.js";
import { flipped, judge, MISTAKE_NAG, type Mistake, type Score } from "./score.js";

const SEARCH_MS = 300;
/** The plies of a better variation. */
const BETTER_PLIES = 6;

export interface Counts {
  w: Record<Mistake, number>;
  b: Record<Mistake, number>;
}

export class Review {
  private stopped = false;
  private search: Search | null = null;

  constructor(
    private readonly tree: GameTree,
    private readonly engine: EngineClient,
    private readonly onProgress: (done: number, of: number) => void,
  ) {}

  stop(): void {
    this.stopped = true;
    this.search?.stop();
  }

  /** Returns the number of mistakes, or null if stopped. */
  async run(): Promise<Counts | null> {
    const nodes = [this.tree.root, ...this.tree.mainLine()];
    const best: string[][] = [];
    for (const [index, node] of nodes.entries()) {
      best.push(await this.searchNode(node));
      if (this.stopped) return null;
      this.onProgress(index + 1, nodes.length);
    }
    return annotate(this.tree, nodes, best);
  }

  /** Stores the score of a node and returns its principal variation. */
  private async searchNode(node: GameNode): Promise<string[]> {
    const { tree } = this;
    const position = tree.position(node);
    const ended = endScore(position.end, position.turn);
    if (ended) {
      node.score = ended;
      return [];
    }
    let pv: string[] = [];
    this.search = this.engine.search({
      ...tree.history(node),
      chess960: tree.chess960,
      go: `movetime ${SEARCH_MS}`,
      onInfo: (info) => {
        if (info.bound) return;
        node.score = position.turn === "b" ? flipped(info.score) : info.score;
        pv = info.pv;
      },
    });
    if ((await this.search.done) === null) this.stopped = true;
    return pv;
  }
}

function endScore(end: string | null, turn: "w" | "b"): Score | null {
  if (end === "checkmate") return { mate: 0, won: turn === "w" ? "b" : "w" };
  return end === "stalemate" || end === "insufficient" ? { cp: 0, wdl: [0, 1000, 0] } : null;
}

/** Adds signs and better variations to the game. `best[i]` is the principal variation of `nodes[i]`. */
export function annotate(tree: GameTree, nodes: GameNode[], best: string[][]): Counts {
  const none = (): Record<Mistake, number> => ({ inaccuracy: 0, mistake: 0, blunder: 0 });
  const counts: Counts = { w: none(), b: none() };
  for (const [index, node] of nodes.entries()) {
    const before = nodes[index - 1];
    if (!before?.score || !node.score) continue;
    const side = tree.movedBy(node);
    const mistake = best[index - 1]?.[0] === node.uci ? null : judge(before.score, node.score, side);
    node.nags = node.nags.filter((nag) => !Object.values(MISTAKE_NAG).includes(nag));
    if (!mistake) continue;
    counts[side][mistake]++;
    node.nags.push(MISTAKE_NAG[mistake]);
    let at = before;
    for (const move of best[index - 1]?.slice(0, BETTER_PLIES) ?? []) {
      const next = tree.play(move, at);
      if (failed(next)) break;
      at = next;
    }
  }
  return counts;
}

/** "White: 1 blunder, 2 inaccuracies. Black: no mistakes found." */
export function summary(counts: Counts): string {
  const side = (name: string, found: Record<Mistake, number>): string => {
    const parts = (["blunder", "mistake", "inaccuracy"] as const)
      .filter((kind) => found[kind] > 0)
      .map((kind) => `${found[kind]} ${found[kind] === 1 ? kind : kind === "inaccuracy" ? "inaccuracies" : `${kind}s`}`);
    return `${name}: ${parts.length > 0 ? parts.join(", ") : "no mistakes found"}.`;
  };
  return `${side("White", counts.w)} ${side("Black", counts.b)}`;
}
