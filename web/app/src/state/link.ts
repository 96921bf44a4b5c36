// SPDX-License-Identifier: MIT
// The game in a link. A plain line of moves is readable text: #moves=e2e4,e7e5. A game with names, a result, comments or
// variations is compressed PGN: #pgn=… . Links are untrusted: this module checks their form and bounds their size; the
// library checks the position and the moves.

export interface LinkState {
  /** null for the standard start position. */
  fen: string | null;
  moves: string[];
  /** The number of moves on the board. */
  ply: number;
  chess960: boolean;
  flipped: boolean;
  /** Compressed PGN, in place of the start position and the moves. */
  pgn: string | null;
  /** The child numbers on the way to the current node of the PGN. */
  path: number[];
  /** The compressed review of the game. */
  review: string | null;
}

/** Longer links do not survive in many programs. */
export const MAX_LINK_LENGTH = 16_000;
const MAX_LENGTH = 20_000;
const MAX_MOVES = 1_000;
/** A link that decompresses to more is refused. */
const MAX_PGN = 2_000_000;

const EMPTY: LinkState = { fen: null, moves: [], ply: -1, chess960: false, flipped: false, pgn: null, path: [], review: null };

export function writeLink(state: LinkState): string {
  const parts: string[] = [];
  if (state.pgn) {
    parts.push(`pgn=${state.pgn}`);
    if (state.path.length > 0) parts.push(`at=${runs(state.path)}`);
  } else {
    if (state.fen) parts.push(`fen=${encodeFen(state.fen)}`);
    if (state.moves.length > 0) parts.push(`moves=${state.moves.slice(0, MAX_MOVES).join(",")}`);
    if (state.ply < state.moves.length) parts.push(`ply=${state.ply}`);
    if (state.chess960) parts.push("960=1");
  }
  if (state.flipped) parts.push("flip=1");
  if (state.review) parts.push(`review=${state.review}`);
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}

/** Returns null if the text contains no game, or is longer than any link of the page. */
export function readLink(hash: string): LinkState | null {
  if (hash.length < 2 || hash.length > MAX_LENGTH) return null;
  const state: LinkState = { ...EMPTY };
  let known = false;
  for (const part of hash.replace(/^#/, "").split("&")) {
    const cut = part.indexOf("=");
    if (cut >= 0 && readPart(state, part.slice(0, cut), part.slice(cut + 1))) known = true;
  }
  if (state.ply < 0 || state.ply > state.moves.length) state.ply = state.moves.length;
  return known ? state : null;
}

function readPart(state: LinkState, name: string, value: string): boolean {
  switch (name) {
    case "fen":
      state.fen = decodeFen(value);
      return true;
    case "moves":
      state.moves = value.split(",", MAX_MOVES).filter((move) => /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(move));
      return true;
    case "ply":
      if (/^\d{1,4}$/.test(value)) state.ply = Number(value);
      return true;
    case "960":
      state.chess960 = value === "1";
      return true;
    case "flip":
      state.flipped = value === "1";
      return true;
    case "pgn":
      if (/^[\w-]+$/.test(value)) state.pgn = value;
      return state.pgn !== null;
    case "review":
      if (/^[\w-]+$/.test(value)) state.review = value;
      return false;
    case "at":
      state.path = readRuns(value);
      return true;
    default:
      return false;
  }
}

// A path is mostly zeros: 0,0,0,1,0 is written as 3-v1-1, which is three zeros, the second child, one zero.
function runs(path: readonly number[]): string {
  const words: string[] = [];
  let zeros = 0;
  for (const index of [...path, -1]) {
    if (index === 0) {
      zeros++;
      continue;
    }
    if (zeros > 0) words.push(String(zeros));
    if (index > 0) words.push(`v${index}`);
    zeros = 0;
  }
  return words.join("-");
}

function readRuns(value: string): number[] {
  const path: number[] = [];
  for (const word of value.split("-", MAX_MOVES)) {
    const found = /^(v?)(\d{1,4})$/.exec(word);
    if (!found) break;
    if (found[1]) path.push(Number(found[2]));
    else path.push(...Array<number>(Number(found[2])).fill(0));
  }
  return path;
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

// --- Compression ---

/** Text as deflated bytes in the letters of base64url. */
export async function compress(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Returns null if the text is not compressed text, or too long. */
export async function decompress(value: string): Promise<string | null> {
  try {
    const bytes = Uint8Array.from(atob(value.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.length;
      if (size > MAX_PGN) {
        await reader.cancel();
        return null;
      }
      parts.push(read.value);
    }
    return await new Blob(parts).text();
  } catch {
    return null;
  }
}
