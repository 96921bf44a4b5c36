// SPDX-License-Identifier: MIT
// Moves and results in words, for the line under the board and for screen readers.

import type { End, Status } from "../../package/index.js";

const MEN: Record<string, string> = { K: "King", Q: "Queen", R: "Rook", B: "Bishop", N: "Knight" };

/** "Nxf3+" as "Knight takes f3, check". */
export function spoken(san: string): string {
  const ending = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
  const plain = san.replace(/[+#]$/, "");
  if (plain === "O-O") return `castles short${ending}`;
  if (plain === "O-O-O") return `castles long${ending}`;
  const words = plain
    .replace(/=([QRBN])/, (_, man: string) => ` becomes ${MEN[man] ?? man}`)
    .replace(/x/, " takes ")
    .replace(/^[KQRBN]/, (man) => `${MEN[man] ?? man} `);
  return words.replace(/\s+/g, " ").trim() + ending;
}

const ENDS: Record<End, string> = {
  checkmate: "Checkmate",
  stalemate: "Stalemate: a draw",
  insufficient: "Draw: nobody can mate any more",
  threefold: "Draw: the position came three times",
  fifty: "Draw: fifty moves without a capture or a pawn move",
  fivefold: "Draw: the position came five times",
  seventyfive: "Draw: seventy-five moves without a capture or a pawn move",
};

export function outcome(status: Status): string {
  if (!status.end) return "";
  if (status.end !== "checkmate") return `${ENDS[status.end]}.`;
  return `${ENDS.checkmate}. ${status.position.turn === "w" ? "Black" : "White"} wins.`;
}

/** 12,345 as "12 k", 1,234,567 as "1.2 M". */
export function shortNumber(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (value >= 1e3) return `${Math.round(value / 1e3)} k`;
  return String(value);
}
