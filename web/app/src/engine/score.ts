// SPDX-License-Identifier: MIT
// Scores from White's point of view, and their texts.

export interface Score {
  /** Centipawns; undefined if there is a mate. */
  cp?: number;
  /** Moves to mate, negative if Black mates; 0 after checkmate, when `won` is the winner. */
  mate?: number;
  won?: "w" | "b";
  /** White's probabilities to win, draw and lose, in thousandths. */
  wdl?: [number, number, number];
}

/** The score from the other side's point of view. */
export function flipped(score: Score): Score {
  const other: Score = {};
  if (score.cp !== undefined) other.cp = score.cp === 0 ? 0 : -score.cp;
  if (score.mate !== undefined) other.mate = score.mate === 0 ? 0 : -score.mate;
  if (score.won) other.won = score.won === "w" ? "b" : "w";
  if (score.wdl) other.wdl = [score.wdl[2], score.wdl[1], score.wdl[0]];
  return other;
}

/** White's expected points, 0 to 1. */
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

/** The score in words, for screen readers. */
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
