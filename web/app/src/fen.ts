// SPDX-License-Identifier: MIT
// Handles FEN as text. The library decides whether a FEN is a valid position.

/** FENs have at most 90 characters; longer text is something else. */
export const MAX_FEN_LENGTH = 200;

export function looksLikeFen(text: string): boolean {
  if (text.includes("\n") || text.startsWith("[")) return false;
  return text.length <= MAX_FEN_LENGTH && /^[^\s.]*\/[^\s]*(\s|$)/.test(text);
}

/** The position after a null move: the other side is to move, and there is no en passant square. */
export function afterNullMove(fen: string): string {
  const fields = fen.split(" ");
  if (fields[1] === "b") fields[5] = String((Number(fields[5]) || 1) + 1);
  fields[1] = fields[1] === "w" ? "b" : "w";
  fields[3] = "-";
  return fields.join(" ");
}
