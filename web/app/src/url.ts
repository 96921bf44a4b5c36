// SPDX-License-Identifier: MIT
// The state that a link carries: where the game starts, its moves, and which of them are on the board.
// What comes in a link is anybody's text: everything here is only cut into words of known shape, and the
// rules of chess judge the rest.

export interface LinkState {
  /** null: the usual start position. */
  fen: string | null;
  moves: string[];
  /** How many of the moves have been made. */
  ply: number;
  chess960: boolean;
  flipped: boolean;
}

const MAX_LENGTH = 20_000;
const MAX_MOVES = 1_000;

export function writeLink(state: LinkState): string {
  const parts: string[] = [];
  if (state.fen) parts.push(`fen=${encodeFen(state.fen)}`);
  if (state.moves.length > 0) parts.push(`moves=${state.moves.slice(0, MAX_MOVES).join(",")}`);
  if (state.ply < state.moves.length) parts.push(`ply=${state.ply}`);
  if (state.chess960) parts.push("960=1");
  if (state.flipped) parts.push("flip=1");
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}

/** null if the text says nothing of a game, or is too long to be one of our links. */
export function readLink(hash: string): LinkState | null {
  if (hash.length < 2 || hash.length > MAX_LENGTH) return null;
  const state: LinkState = { fen: null, moves: [], ply: -1, chess960: false, flipped: false };
  let known = false;
  for (const part of hash.replace(/^#/, "").split("&")) {
    const cut = part.indexOf("=");
    if (cut < 0) continue;
    const value = part.slice(cut + 1);
    switch (part.slice(0, cut)) {
      case "fen":
        state.fen = decodeFen(value);
        break;
      case "moves":
        state.moves = value.split(",", MAX_MOVES).filter((move) => /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(move));
        break;
      case "ply":
        if (/^\d{1,4}$/.test(value)) state.ply = Number(value);
        break;
      case "960":
        state.chess960 = value === "1";
        break;
      case "flip":
        state.flipped = value === "1";
        break;
      default:
        continue;
    }
    known = true;
  }
  if (state.ply < 0 || state.ply > state.moves.length) state.ply = state.moves.length;
  return known ? state : null;
}

// A FEN has blanks and slashes only; links stay readable if the blanks become underscores.
function encodeFen(fen: string): string {
  return encodeURIComponent(fen.replace(/ /g, "_")).replace(/%2F/g, "/");
}

function decodeFen(value: string): string {
  let plain = value;
  try {
    plain = decodeURIComponent(value);
  } catch {
    // A stray percent sign: the rules will refuse it with its reason.
  }
  return plain.replace(/[_+]/g, " ").slice(0, 200);
}
