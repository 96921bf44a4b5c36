// SPDX-License-Identifier: MIT
// The images of the pieces: one SVG sprite for each set, with an element for each piece, such as "wk". All sets were drawn
// for Luft.

import luft from "./sets/luft.svg?raw";
import { makeSvg } from "../dom.js";

export const PIECE_SETS = { luft: "Luft", solid: "Solid", shapes: "Shapes" } as const;
export type PieceSet = keyof typeof PIECE_SETS;

const LATER: Record<Exclude<PieceSet, "luft">, () => Promise<{ default: string }>> = {
  solid: () => import("./sets/solid.svg?raw"),
  shapes: () => import("./sets/shapes.svg?raw"),
};

let wanted: PieceSet = "luft";

function put(text: string): void {
  const sprite = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  sprite.id = "piece-sprite";
  sprite.setAttribute("class", "hidden-text");
  sprite.setAttribute("aria-hidden", "true");
  document.getElementById("piece-sprite")?.remove();
  document.body.append(document.importNode(sprite, true));
}

/** Shows another set. Pieces refer to the sprite by name, so that they change at once. */
export async function usePieces(set: PieceSet): Promise<void> {
  wanted = set;
  const text = set === "luft" ? luft : (await LATER[set]()).default;
  if (wanted === set) put(text);
}

/** The image of a piece, such as "wq". */
export function pieceImage(piece: string): SVGSVGElement {
  const svg = makeSvg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" });
  svg.append(makeSvg("use", { href: `#${piece}` }));
  return svg;
}
