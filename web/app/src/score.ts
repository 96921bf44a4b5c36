// SPDX-License-Identifier: MIT
// What the engine thinks of a position, always as White sees it, and how that is shown.
// A mistake is measured by the points that a move gives away, not by centipawns: a pawn counts much in a
// level game and little in a won one.

export interface Score {
  /** Centipawns; absent where a mate is announced. */
  cp?: number;
  /** Moves to mate, below 0 if Black mates; 0 if the game is over and `won` says for whom. */
  mate?: number;
  won?: "w" | "b";
  /** White's chances to win, draw and lose, in thousandths. */
  wdl?: [number, number, number];
}

/** The same score seen from the other side. */
export function flipped(score: Score): Score {
  const other: Score = {};
  if (score.cp !== undefined) other.cp = score.cp === 0 ? 0 : -score.cp;
  if (score.mate !== undefined) other.mate = score.mate === 0 ? 0 : -score.mate;
  if (score.won) other.won = score.won === "w" ? "b" : "w";
  if (score.wdl) other.wdl = [score.wdl[2], score.wdl[1], score.wdl[0]];
  return other;
}

/** The points that White may expect, 0 to 1. */
export function expectation(score: Score): number {
  if (score.won) return score.won === "w" ? 1 : 0;
  if (score.mate !== undefined) return score.mate > 0 ? 1 : 0;
  if (score.wdl) return (score.wdl[0] + score.wdl[1] / 2) / 1000;
  return 1 / (1 + Math.exp(-(score.cp ?? 0) / 200));
}

/** "+0.35", "−1.20", "#3", "#−3". */
export function text(score: Score): string {
  if (score.won) return score.won === "w" ? "1-0" : "0-1";
  if (score.mate !== undefined) return `#${score.mate < 0 ? "−" : ""}${Math.abs(score.mate)}`;
  const pawns = (score.cp ?? 0) / 100;
  const digits = Math.abs(pawns) >= 10 ? 1 : 2;
  const shown = Math.abs(pawns).toFixed(digits);
  return Number(shown) === 0 ? shown : (pawns > 0 ? "+" : "−") + shown;
}

/** The same in words, for screen readers. */
export function words(score: Score): string {
  if (score.won) return score.won === "w" ? "White has won" : "Black has won";
  if (score.mate !== undefined) {
    const moves = Math.abs(score.mate);
    return `${score.mate > 0 ? "White" : "Black"} mates in ${moves}`;
  }
  const pawns = (score.cp ?? 0) / 100;
  if (Math.abs(pawns) < 0.2) return "equal";
  return `${pawns > 0 ? "White" : "Black"} is better by ${Math.abs(pawns).toFixed(1)}`;
}

/** As PGN writes it: [%eval 0.35], [%eval #-3]. */
export function pgnEval(score: Score): string {
  if (score.won) return "";
  if (score.mate !== undefined) return `[%eval #${score.mate}]`;
  return `[%eval ${((score.cp ?? 0) / 100).toFixed(2)}]`;
}

/** Reads the first [%eval] of a comment. */
export function readPgnEval(comment: string): Score | null {
  const found = /\[%eval\s+(#?)(-?\d{1,5}(?:\.\d{1,3})?)/.exec(comment);
  if (!found) return null;
  const value = Number(found[2]);
  return found[1] ? { mate: Math.trunc(value) } : { cp: Math.round(value * 100) };
}

export type Mistake = "inaccuracy" | "mistake" | "blunder";

/** The sign of PGN for each. */
export const MISTAKE_NAG: Record<Mistake, number> = { inaccuracy: 6, mistake: 2, blunder: 4 };

/** How bad a move was that led from one score to another; null if it was good enough. */
export function judge(before: Score, after: Score, mover: "w" | "b"): Mistake | null {
  const change = expectation(after) - expectation(before);
  const lost = mover === "w" ? -change : change;
  if (lost >= 0.22) return "blunder";
  if (lost >= 0.14) return "mistake";
  if (lost >= 0.07) return "inaccuracy";
  return null;
}
