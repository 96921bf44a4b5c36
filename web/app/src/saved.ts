// SPDX-License-Identifier: MIT
// Stores the game of this tab for a reload: phones discard hidden tabs, and the link has no comments, variations or
// clocks. The stored game is used after a reload or with the same link; another link opens its own game. After a reload
// the link can be older than the stored game, because a page cannot change its address once the reload has begun.

import type { Rules } from "../../package/index.js";
import { failed, GameTree } from "./game.js";
import { isMatch, type SavedMatch } from "./play.js";

const KEY = "luft.game";
const MAX_LENGTH = 1_000_000;

export function save(hash: string, rules: Rules, tree: GameTree, match: SavedMatch | null): void {
  const path = tree.line().map((node) => node.parent?.children.indexOf(node) ?? 0);
  const text = JSON.stringify({ hash, pgn: rules.writePgn(tree.toGame()), path, match });
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

export function restore(hash: string, rules: Rules): { tree: GameTree; match: SavedMatch | null } | null {
  try {
    const saved = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as { hash?: unknown; pgn?: unknown; path?: unknown; match?: unknown } | null;
    if (!saved || (saved.hash !== hash && !isReload()) || typeof saved.pgn !== "string" || !Array.isArray(saved.path)) return null;
    const game = rules.readPgn(saved.pgn);
    if (failed(game) || game.error) return null;
    const tree = GameTree.fromGame(rules, game);
    let node = tree.root;
    for (const index of saved.path) node = node.children[Number(index)] ?? node;
    tree.go(node);
    return { tree, match: isMatch(saved.match) ? saved.match : null };
  } catch {
    return null;
  }
}
