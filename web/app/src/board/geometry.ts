// SPDX-License-Identifier: MIT
// Squares and pixels. A place is a column and a row of the board as it is shown, from the top left.

export type Orientation = "w" | "b";

export const SQUARES: readonly string[] = [..."87654321"].flatMap((rank) => [..."abcdefgh"].map((file) => file + rank));

export interface Place {
  x: number;
  y: number;
}

export function placeOf(square: string, below: Orientation): Place {
  const file = square.charCodeAt(0) - 97;
  const rank = square.charCodeAt(1) - 49;
  return below === "w" ? { x: file, y: 7 - rank } : { x: 7 - file, y: rank };
}

export function squareAt({ x, y }: Place, below: Orientation): string | null {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (column < 0 || column > 7 || row < 0 || row > 7) return null;
  return SQUARES[below === "w" ? 8 * row + column : 63 - (8 * row + column)] ?? null;
}

/** The square beside another in the direction of an arrow key, as the board is shown; null at the edge. */
export function neighbour(square: string, key: string, below: Orientation): string | null {
  const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const step = steps[key];
  if (!step) return null;
  const { x, y } = placeOf(square, below);
  return squareAt({ x: x + step[0], y: y + step[1] }, below);
}

/** The pieces of a FEN placement by square: "e1" has "wk". */
export function piecesOf(fen: string): Map<string, string> {
  const pieces = new Map<string, string>();
  let at = 0;
  for (const letter of fen.split(" ")[0] ?? "") {
    if (letter === "/") continue;
    if (/\d/.test(letter)) at += Number(letter);
    else pieces.set(SQUARES[at++] ?? "", (letter === letter.toUpperCase() ? "w" : "b") + letter.toLowerCase());
  }
  return pieces;
}

export function placementOf(pieces: ReadonlyMap<string, string>): string {
  let text = "";
  for (const [index, square] of SQUARES.entries()) {
    if (index > 0 && index % 8 === 0) text += "/";
    const piece = pieces.get(square);
    text += piece ? (piece[0] === "w" ? (piece[1] ?? "").toUpperCase() : piece[1]) : "1";
  }
  return text.replace(/1+/g, (ones) => String(ones.length));
}

const NAMES: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

/** "White knight" for "wn". */
export function pieceName(piece: string): string {
  return `${piece[0] === "w" ? "White" : "Black"} ${NAMES[piece[1] ?? ""] ?? ""}`;
}
