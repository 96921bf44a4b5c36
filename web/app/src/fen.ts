// SPDX-License-Identifier: MIT
// FEN as text: what looks like one, and the two things that can be done with it without knowing chess. Whether it is
// a position is the library's to say.

/** A FEN has at most 90 characters; more is another text. */
export const LONGEST_FEN = 200;

export function looksLikeFen(text: string): boolean {
  if (text.includes("\n") || text.startsWith("[")) return false;
  return text.length <= LONGEST_FEN && /^[^\s.]*\/[^\s]*(\s|$)/.test(text);
}

/** The same position with the other side to move, as if somebody had passed. */
export function passed(fen: string): string {
  const fields = fen.split(" ");
  if (fields[1] === "b") fields[5] = String((Number(fields[5]) || 1) + 1);
  fields[1] = fields[1] === "w" ? "b" : "w";
  fields[3] = "-";
  return fields.join(" ");
}
