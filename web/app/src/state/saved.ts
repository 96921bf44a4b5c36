// SPDX-License-Identifier: MIT
// Stores the game of this tab for a reload: phones discard hidden tabs, and links have no clocks and no review. The stored
// game is used after a reload or with the same link; another link opens its own game. After a reload the link can be older
// than the stored game, because a page cannot change its address once the reload has begun.

import type { Rules } from "../../../package/index.js";
import { JUDGEMENTS, type Judgement, type MoveReview, type ReviewLayer } from "../engine/judge.js";
import { isMatch, type SavedMatch } from "../play/match.js";
import { failed, Game } from "./game.js";
import { allNodes } from "./tree.js";

const KEY = "luft.game";
const MAX_LENGTH = 2_000_000;

export interface Stored {
  game: Game;
  current: number;
  review: ReviewLayer | null;
  match: SavedMatch | null;
  /** The game's key in the library; null if it is not there. */
  key: number | null;
  flipped: boolean;
}

/** The child numbers on the way to a node. */
export function pathTo(game: Game, id: number): number[] {
  return game.line(id).map((node) => game.parent(node.id)?.children.indexOf(node) ?? 0);
}

/** The node at the end of a path, or the last one that exists. */
export function nodeAt(game: Game, path: readonly unknown[]): number {
  let node = game.root;
  for (const index of path) node = node.children[Number(index)] ?? node;
  return node.id;
}

/** The review in an order that survives new ids: one entry for each node in preorder, the root first. */
export function reviewToList(game: Game, review: ReviewLayer | null): { nodes: number; moves: (MoveReview | null)[] } | null {
  return review && { nodes: review.nodes, moves: [game.root, ...allNodes(game.root)].map((node) => review.moves.get(node.id) ?? null) };
}

export function reviewFromList(game: Game, list: unknown): ReviewLayer | null {
  const { nodes, moves } = (list ?? {}) as { nodes?: unknown; moves?: unknown };
  if (typeof nodes !== "number" || !Array.isArray(moves)) return null;
  const found = new Map<number, MoveReview>();
  for (const [index, node] of [game.root, ...allNodes(game.root)].entries()) {
    const review = checkedReview(moves[index]);
    if (review) found.set(node.id, review);
  }
  return { nodes, moves: found };
}

/** A review of one move from an untrusted value; null if it is invalid. */
function checkedReview(value: unknown): MoveReview | null {
  const { score, better, judgement, loss, lostChances, accuracy } = (value ?? {}) as Record<string, unknown>;
  const isNumber = (one: unknown): one is number => typeof one === "number" && Number.isFinite(one);
  const { cp, mate, won } = (score ?? {}) as Record<string, unknown>;
  const hasScore = [cp, mate].every((one) => one === undefined || isNumber(one)) && (cp !== undefined || mate !== undefined);
  if (!hasScore || !(won === undefined || won === "w" || won === "b")) return null;
  if (!isNumber(loss) || !isNumber(lostChances) || !isNumber(accuracy) || !(judgement === null || JUDGEMENTS.includes(judgement as Judgement))) return null;
  if (!Array.isArray(better) || !better.every((move) => typeof move === "string" && /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(move))) return null;
  return value as MoveReview;
}

/** The review as text for a link: without the probabilities, and with three decimals. */
export function reviewToText(game: Game, review: ReviewLayer): string {
  return JSON.stringify(reviewToList(game, review), (key, value: unknown) => (key === "wdl" ? undefined : typeof value === "number" ? Math.round(value * 1000) / 1000 : value));
}

/** Returns null if the text is not a review of this game. */
export function reviewFromText(game: Game, text: string | null): ReviewLayer | null {
  try {
    return text === null ? null : reviewFromList(game, JSON.parse(text));
  } catch {
    return null;
  }
}

export function save(hash: string, rules: Rules, stored: Stored): void {
  const { game, current, review, match, key, flipped } = stored;
  const text = JSON.stringify({ hash, pgn: rules.writePgn(game.toPgn()), path: pathTo(game, current), review: reviewToList(game, review), match, key, flipped });
  try {
    if (text.length <= MAX_LENGTH) sessionStorage.setItem(KEY, text);
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage is full or forbidden: a reload must use the link, not an older game.
    forget();
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage that refuses access holds no game.
  }
}

function isReload(): boolean {
  return performance.getEntriesByType("navigation").some((entry) => (entry as PerformanceNavigationTiming).type === "reload");
}

export function restore(hash: string, rules: Rules): Stored | null {
  try {
    const saved = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Record<string, unknown> | null;
    if (!saved || (saved["hash"] !== hash && !isReload()) || typeof saved["pgn"] !== "string" || !Array.isArray(saved["path"])) return null;
    const read = rules.readPgn(saved["pgn"]);
    if (failed(read) || read.error) return null;
    const game = Game.fromPgn(rules, read);
    return {
      game,
      current: nodeAt(game, saved["path"]),
      review: reviewFromList(game, saved["review"]),
      match: isMatch(saved["match"]) ? saved["match"] : null,
      key: typeof saved["key"] === "number" ? saved["key"] : null,
      flipped: saved["flipped"] === true,
    };
  } catch {
    return null;
  }
}
