// SPDX-License-Identifier: MIT
// Handles FEN as text, and recognises what a pasted text is. The library decides whether a FEN is a valid position.

/** FENs have at most 90 characters; longer text is something else. */
export const MAX_FEN_LENGTH = 200;

export function looksLikeFen(text: string): boolean {
  if (text.includes("\n") || text.startsWith("[") || text.includes("://")) return false;
  return text.length <= MAX_FEN_LENGTH && /^[^\s.]*\/[^\s]*(\s|$)/.test(text);
}

/**
 * Completes a FEN that leaves fields out, as other programs accept it: White to move, castling rights where king and rooks
 * are at home, no en passant square, counters 0 and 1.
 */
export function completeFen(text: string): string {
  const [placement = "", turn = "w", castling = homeRights(placement), passant = "-", halfmoves = "0", number = "1"] = text.trim().replace(/_/g, " ").split(/\s+/);
  return [placement, turn.toLowerCase(), castling, passant, halfmoves, number].join(" ");
}

function homeRights(placement: string): string {
  const rank = (index: number): string => (placement.split("/")[index] ?? "").replace(/\d/g, (digit) => ".".repeat(Number(digit)));
  const [black, white] = [rank(0), rank(7)];
  const rights = [
    white[4] === "K" && white[7] === "R" ? "K" : "",
    white[4] === "K" && white[0] === "R" ? "Q" : "",
    black[4] === "k" && black[7] === "r" ? "k" : "",
    black[4] === "k" && black[0] === "r" ? "q" : "",
  ].join("");
  return rights || "-";
}

/** What to tell a user who pastes the address of a game on another site; empty for other text. */
export function explainLink(text: string): string {
  const found = /^(?:https?:\/\/)?(?:www\.)?(lichess\.org|chess\.com)\/\S*$/i.exec(text.trim());
  if (!found) return "";
  const site = found[1]?.toLowerCase() ?? "";
  const how = site === "lichess.org" ? "open the game there, choose “FEN & PGN” below the board, and copy the PGN" : "open the game there, choose “Share”, then “PGN”, and copy it";
  return `This is a link to ${site}. Luft works without other sites and cannot open it: ${how}, then paste it here.`;
}

/** The position after a null move: the other side is to move, and there is no en passant square. */
export function afterNullMove(fen: string): string {
  const fields = fen.split(" ");
  if (fields[1] === "b") fields[5] = String((Number(fields[5]) || 1) + 1);
  fields[1] = fields[1] === "w" ? "b" : "w";
  fields[3] = "-";
  return fields.join(" ");
}
