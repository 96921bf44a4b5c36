// SPDX-License-Identifier: MIT
// The game of this tab, kept over a reload: a phone may drop a tab that is out of sight, and the link holds no
// comments, no variations and no clocks. It counts only for a reload and for the same link; another link opens what it
// says. A reload can come with an older link, as the address cannot be changed any more once it has begun.

import type { Rules } from "../../package/index.js";
import { failed, GameTree } from "./game.js";
import { isMatch, type SavedMatch } from "./play.js";

const KEY = "luft.game";
const LARGEST = 1_000_000;

export function save(hash: string, rules: Rules, tree: GameTree, match: SavedMatch | null): void {
  const path = tree.line().map((node) => node.parent?.children.indexOf(node) ?? 0);
  const text = JSON.stringify({ hash, pgn: rules.writePgn(tree.toGame()), path, match });
  try {
    if (text.length <= LARGEST) sessionStorage.setItem(KEY, text);
    else sessionStorage.removeItem(KEY);
  } catch {
    // No room, or not allowed: then a reload has the link alone, not an older game.
    forget();
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Then nothing is in it either.
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
