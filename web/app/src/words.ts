// SPDX-License-Identifier: MIT
// Moves and outcomes in words, for the line below the board and for screen readers.

import type { End, Status } from "../../package/index.js";

const PIECES: Record<string, string> = { K: "King", Q: "Queen", R: "Rook", B: "Bishop", N: "Knight" };

/** "Nxf3+" as "Knight captures f3, check". */
export function spoken(san: string): string {
  const ending = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
  const plain = san.replace(/[+#]$/, "");
  if (plain === "O-O") return `castles short${ending}`;
  if (plain === "O-O-O") return `castles long${ending}`;
  const words = plain
    .replace(/=([QRBN])/, (_, piece: string) => ` promotes to ${PIECES[piece] ?? piece}`)
    .replace(/x/, " captures ")
    .replace(/^[KQRBN]/, (piece) => `${PIECES[piece] ?? piece} `);
  return words.replace(/\s+/g, " ").trim() + ending;
}

const ENDS: Record<End, string> = {
  checkmate: "Checkmate",
  stalemate: "Draw: stalemate",
  insufficient: "Draw: insufficient material",
  threefold: "Draw: threefold repetition",
  fifty: "Draw: fifty-move rule",
  fivefold: "Draw: fivefold repetition",
  seventyfive: "Draw: seventy-five-move rule",
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
