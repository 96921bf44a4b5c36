// SPDX-License-Identifier: MIT
// The review of a game: searches every position of the main line and judges the moves. The result is a layer of its own,
// shown over the game and written into a PGN only on request.

import type { GameMove, Rules } from "../../../package/index.js";
import { evalCommand } from "../state/comments.js";
import type { Game } from "../state/game.js";
import type { Extra, GameNode } from "../state/tree.js";
import type { EngineClient, Search } from "./client.js";
import { explanation, isBrilliant, isMistake, judgeMove, SIGNS, type MoveReview, type ReviewLayer } from "./judge.js";
import { flipped, type Score } from "./score.js";

/** The plies of a better variation, as in `luft analyse`. */
const BETTER_PLIES = 10;
/** The hash size of `luft analyse` for a limit of nodes, in MB, so that the same limits give the same scores. */
const hashFor = (nodes: number): number => Math.min(16, Math.ceil(nodes / 8192));

interface Found {
  score: Score;
  best: string[];
}

export class Review {
  private stopped = false;
  private search: Search | null = null;

  constructor(
    private readonly game: Game,
    private readonly rules: Rules,
    private readonly engine: EngineClient,
    private readonly nodes: number,
    private readonly onProgress: (done: number, of: number) => void,
  ) {}

  stop(): void {
    this.stopped = true;
    this.search?.stop();
  }

  /** Returns null if stopped. */
  async run(): Promise<ReviewLayer | null> {
    const line = [this.game.root, ...this.game.mainLine()];
    const found: Found[] = [];
    for (const node of line) {
      this.engine.newGame(); // each search begins with an empty table, as in `luft analyse`
      const one = await this.searchNode(node);
      if (this.stopped || !one) return null;
      found.push(one);
      this.onProgress(found.length, line.length);
    }
    return layerOf(this.rules, this.game, line, found, this.nodes);
  }

  private async searchNode(node: GameNode): Promise<Found | null> {
    const { game } = this;
    const position = game.position(node.id);
    const ended = endScore(position.end, position.turn);
    if (ended) return { score: ended, best: [] };
    let found: Found | null = null;
    this.search = this.engine.search({
      ...game.history(node.id),
      chess960: game.chess960,
      go: `nodes ${this.nodes}`,
      hash: hashFor(this.nodes),
      threads: 1,
      onInfo: (info) => {
        if (!info.bound) found = { score: position.turn === "b" ? flipped(info.score) : info.score, best: info.pv };
      },
    });
    return (await this.search.done) === null ? null : found;
  }
}

function endScore(end: string | null, turn: "w" | "b"): Score | null {
  if (end === "checkmate") return { mate: 0, won: turn === "w" ? "b" : "w" };
  return end === "stalemate" || end === "insufficient" ? { cp: 0 } : null;
}

/** Judges the moves of a line. `found[i]` belongs to `line[i]`, which begins with the root. */
export function layerOf(rules: Rules, game: Game, line: readonly GameNode[], found: readonly Found[], nodes: number): ReviewLayer {
  const moves = new Map<number, MoveReview>();
  for (const [index, node] of line.entries()) {
    const after = found[index];
    const before = found[index - 1];
    if (!after) break;
    if (!before) {
      moves.set(node.id, { score: after.score, better: [], judgement: null, loss: 0, lostChances: 0, accuracy: 100 });
      continue;
    }
    const judged = judgeMove(game.movedBy(node.id), node.uci, before.best, before.score, after.score);
    const brilliant = judged.judgement === "best" && isBrilliant(rules, game, node, after.best, before.score, after.score);
    const better = isMistake(judged.judgement) ? before.best.slice(0, BETTER_PLIES) : [];
    moves.set(node.id, { ...judged, score: after.score, better, judgement: brilliant ? "brilliant" : judged.judgement });
  }
  return { moves, nodes };
}

/** "Mistake. Better is Nf3 (+0.35)."; empty for other moves. */
export function explain(rules: Rules, game: Game, layer: ReviewLayer, node: GameNode): string {
  const review = layer.moves.get(node.id);
  const parent = game.parent(node.id);
  const before = parent && layer.moves.get(parent.id);
  if (!review || !before || !isMistake(review.judgement)) return "";
  const [san = ""] = rules.sanLine(game.fen(parent.id), [...review.better]);
  return explanation(review.judgement, game.movedBy(node.id), before.score, review.score, san);
}

/** What the review adds to the moves when the game is written as PGN. A person's own sign stays the only one. */
export function exportExtra(rules: Rules, game: Game, layer: ReviewLayer): (node: GameNode, parent: GameNode) => Extra | null {
  return (node, parent) => {
    const review = layer.moves.get(node.id);
    if (!review) return null;
    const sign = review.judgement ? SIGNS[review.judgement]?.nag : undefined;
    const isSigned = node.nags.some((nag) => nag >= 1 && nag <= 6);
    const after = [node.after.includes("[%eval") ? "" : evalCommand(review.score), explain(rules, game, layer, node)].filter(Boolean).join(" ");
    const line: GameMove[] = rules
      .sanLine(game.fen(parent.id), [...review.better])
      .map((san, index) => ({ uci: review.better[index] ?? "", san, nags: [], variations: [] }));
    const isThere = parent.children.some((child) => child.uci === review.better[0]);
    return { nags: sign && !isSigned ? [sign] : [], after, variations: line.length > 0 && !isThere ? [line] : [] };
  };
}
