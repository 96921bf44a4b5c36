// SPDX-License-Identifier: MIT
// The state in a link: the start position, the moves, and how many of them are on the board. Links are untrusted. This
// module only checks the form of each part; the library checks the position and the moves.

export interface LinkState {
  /** null for the standard start position. */
  fen: string | null;
  moves: string[];
  /** The number of moves on the board. */
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

/** Returns null if the text contains no game, or is longer than any link of the page. */
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

// Underscores instead of blanks, and unescaped slashes, keep the link readable.
function encodeFen(fen: string): string {
  return encodeURIComponent(fen.replace(/ /g, "_")).replace(/%2F/g, "/");
}

function decodeFen(value: string): string {
  let plain = value;
  try {
    plain = decodeURIComponent(value);
  } catch {
    // A stray percent sign: the library refuses the FEN and says why.
  }
  return plain.replace(/[_+]/g, " ").slice(0, 200);
}
