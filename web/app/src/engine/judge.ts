// SPDX-License-Identifier: MIT
// Judges moves by the scores before and after them. The formulas of losses and mistakes are those of `luft analyse`
// (programs/luft/analyse/judge.c), so that both report the same; docs/web.md documents all of them.

import type { Rules } from "../../../package/index.js";
import { failed, type Colour, type Game } from "../state/game.js";
import { materialLead } from "../state/material.js";
import type { GameNode } from "../state/tree.js";
import { text, type Score } from "./score.js";

export type Mistake = "inaccuracy" | "mistake" | "blunder";
export type Judgement = "brilliant" | "best" | "good" | Mistake;

export const JUDGEMENTS: readonly Judgement[] = ["brilliant", "best", "good", "inaccuracy", "mistake", "blunder"];

/** The sign and the NAG of a judgement; best and good moves have none. */
export const SIGNS: Partial<Record<Judgement, { nag: number; sign: string }>> = {
  brilliant: { nag: 3, sign: "!!" },
  inaccuracy: { nag: 6, sign: "?!" },
  mistake: { nag: 2, sign: "?" },
  blunder: { nag: 4, sign: "??" },
};

export interface MoveReview {
  /** After the move, from White's point of view. */
  readonly score: Score;
  /** The variation that the engine would have played instead; at the root, empty. */
  readonly better: readonly string[];
  /** null at the root. */
  readonly judgement: Judgement | null;
  /** Centipawns, from scores clamped to ±1000. */
  readonly loss: number;
  /** Winning chances lost, 0 to 2. */
  readonly lostChances: number;
  /** 0 to 100. */
  readonly accuracy: number;
}

/** What a review found, by the ids of the nodes. It is never a part of the game itself. */
export interface ReviewLayer {
  readonly moves: ReadonlyMap<number, MoveReview>;
  /** The nodes that were searched for each position. */
  readonly nodes: number;
}

const CENTIPAWN_SLOPE = 0.00368208;
const LOSS_BOUND = 1000;

export function isMistake(judgement: Judgement | null | undefined): judgement is Mistake {
  return judgement === "inaccuracy" || judgement === "mistake" || judgement === "blunder";
}

/** White's winning chances: -1 is lost, 0 even, 1 won. */
export function chances(score: Score): number {
  if (score.won) return score.won === "w" ? 1 : -1;
  if (score.mate !== undefined) return score.mate > 0 ? 1 : -1;
  return 2 / (1 + Math.exp(-CENTIPAWN_SLOPE * (score.cp ?? 0))) - 1;
}

function boundedCentipawns(score: Score): number {
  if (score.won || score.mate !== undefined) return chances(score) * LOSS_BOUND;
  return Math.max(-LOSS_BOUND, Math.min(LOSS_BOUND, score.cp ?? 0));
}

/** The accuracy of a move that loses these chances: 100 for none, about 64 for 0.2, 0 for 2. The curve is that of lichess.org. */
export function accuracyOf(lostChances: number): number {
  const percent = Math.max(0, lostChances) * 50;
  return Math.max(0, Math.min(100, 103.1668 * Math.exp(-0.04354 * percent) - 3.1669));
}

/** Judges a move. `best` is the engine's variation before it; the engine's own move loses nothing. */
export function judgeMove(side: Colour, move: string, best: readonly string[], before: Score, after: Score): Omit<MoveReview, "score" | "better"> {
  if (best.length === 0 || best[0] === move) return { judgement: "best", loss: 0, lostChances: 0, accuracy: 100 };
  const sign = side === "w" ? 1 : -1;
  const loss = Math.max(0, sign * (boundedCentipawns(before) - boundedCentipawns(after)));
  const lostChances = sign * (chances(before) - chances(after));
  const judgement = lostChances >= 0.3 ? "blunder" : lostChances >= 0.2 ? "mistake" : lostChances >= 0.1 ? "inaccuracy" : "good";
  return { judgement, loss, lostChances: Math.max(0, lostChances), accuracy: accuracyOf(lostChances) };
}

/**
 * A brilliant move is the engine's choice, gives up material worth two pawns or more in the expected variation (after one
 * reply and after two), does not leave the side worse, and the game was not won already.
 */
export function isBrilliant(rules: Rules, game: Game, node: GameNode, reply: readonly string[], before: Score, after: Score): boolean {
  const side = game.movedBy(node.id);
  const sign = side === "w" ? 1 : -1;
  if (sign * chances(after) < 0 || sign * chances(before) > 0.8 || reply.length < 3) return false;
  let fen = game.fen(node.id);
  const start = materialLead(game.fen(game.parent(node.id)?.id ?? node.id), side).points;
  for (const [index, move] of reply.slice(0, 3).entries()) {
    const next = rules.play(fen, move, game.chess960);
    if (failed(next)) return false;
    fen = next.position.fen;
    if (index % 2 === 0 && materialLead(fen, side).points > start - 2) return false;
  }
  return true;
}

/** "Blunder: allows mate in 1. Better is Nf3 (+0.35)." */
export function explanation(judgement: Mistake, side: Colour, before: Score, after: Score, betterSan: string): string {
  const sign = side === "w" ? 1 : -1;
  const name = judgement.charAt(0).toUpperCase() + judgement.slice(1);
  const mates = (score: Score): boolean => score.mate !== undefined || score.won !== undefined;
  const mateText =
    mates(after) && sign * chances(after) < 0 && after.mate
      ? `: allows mate in ${Math.abs(after.mate)}`
      : mates(before) && sign * chances(before) > 0 && before.mate
        ? `: misses mate in ${Math.abs(before.mate)}`
        : "";
  return `${name}${mateText}.${betterSan ? ` Better is ${betterSan} (${text(before).replace("−", "-")}).` : ""}`;
}

// --- The report ---

export const PHASES = ["opening", "middlegame", "endgame"] as const;
export type Phase = (typeof PHASES)[number];

/** The endgame begins with at most six pieces other than pawns and kings; the opening is ten moves long. */
export function phaseOf(fen: string): Phase {
  const [placement = "", , , , , number = "1"] = fen.split(" ");
  if (placement.replace(/[^qrbnQRBN]/g, "").length <= 6) return "endgame";
  return Number(number) <= 10 ? "opening" : "middlegame";
}

export interface PlayerReport {
  moves: number;
  accuracy: number;
  averageLoss: number;
  counts: Record<Judgement, number>;
  /** The accuracy in each phase; null without moves. */
  phases: Record<Phase, number | null>;
}

/** The totals of both players over the main line. */
export function report(game: Game, layer: ReviewLayer): Record<Colour, PlayerReport> {
  const one = (side: Colour): PlayerReport => {
    const nodes = game.mainLine().filter((node) => game.movedBy(node.id) === side && layer.moves.has(node.id));
    const reviews = nodes.map((node) => ({ phase: phaseOf(game.fen(game.parent(node.id)?.id ?? node.id)), ...(layer.moves.get(node.id) as MoveReview) }));
    const mean = (values: number[]): number | null => (values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null);
    const count = (kind: Judgement): number => reviews.filter((review) => review.judgement === kind).length;
    return {
      moves: reviews.length,
      accuracy: mean(reviews.map((review) => review.accuracy)) ?? 100,
      averageLoss: mean(reviews.map((review) => review.loss)) ?? 0,
      counts: Object.fromEntries(JUDGEMENTS.map((kind) => [kind, count(kind)])) as Record<Judgement, number>,
      phases: Object.fromEntries(PHASES.map((phase) => [phase, mean(reviews.filter((review) => review.phase === phase).map((review) => review.accuracy))])) as Record<Phase, number | null>,
    };
  };
  return { w: one("w"), b: one("b") };
}

/** The moves that decided the game: the three largest losses of chances, and brilliant moves, in the order of the game. */
export function keyMoments(game: Game, layer: ReviewLayer): GameNode[] {
  const line = game.mainLine();
  const lost = (node: GameNode): number => layer.moves.get(node.id)?.lostChances ?? 0;
  const worst = [...line].sort((one, other) => lost(other) - lost(one)).slice(0, 3).filter((node) => lost(node) >= 0.1);
  return line.filter((node) => worst.includes(node) || layer.moves.get(node.id)?.judgement === "brilliant");
}
