// SPDX-License-Identifier: MIT
// The material on the board, in pawns.

import { piecesOf } from "../board/geometry.js";
import type { Colour } from "./game.js";

const VALUES: Record<string, number> = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };

/** The pieces that a side has more of than the other, and the difference in pawns. */
export function materialLead(fen: string, side: Colour): { pieces: string[]; points: number } {
  const counts: Record<string, number> = {};
  let points = 0;
  for (const piece of piecesOf(fen).values()) {
    const sign = piece[0] === side ? 1 : -1;
    const kind = piece[1] ?? "";
    counts[kind] = (counts[kind] ?? 0) + sign;
    points += sign * (VALUES[kind] ?? 0);
  }
  const pieces = [..."qrbnp"].flatMap((kind) => Array<string>(Math.max(0, counts[kind] ?? 0)).fill(kind));
  return { pieces, points };
}
