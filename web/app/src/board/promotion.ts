// SPDX-License-Identifier: MIT
// The choice of a promotion piece, at the square where the pawn arrives. Esc and a click elsewhere cancel it.

import { make } from "../dom.js";
import type { Board } from "./board.js";
import { placeOf } from "./geometry.js";
import { pieceImage } from "./pieces.js";

const PROMOTIONS: [string, string][] = [
  ["q", "Queen"],
  ["r", "Rook"],
  ["b", "Bishop"],
  ["n", "Knight"],
];

let cancelOpen: () => void = () => {};

/** Closes an open choice. */
export function cancelPromotion(): void {
  cancelOpen();
}

/** Resolves to "q", "r", "b" or "n", or to null if the user cancels. */
export function askPromotion(board: Board, colour: "w" | "b", square: string): Promise<string | null> {
  cancelOpen();
  const focus = document.activeElement;
  const box = make("div", "promotion");
  box.id = "promotion";
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", "Promote to");
  const { x, y } = placeOf(square, board.below);
  box.style.left = `${x * 12.5}%`;
  box.style[y === 0 ? "top" : "bottom"] = "0";
  box.classList.toggle("upward", y !== 0);
  return new Promise((resolve) => {
    const finish = (piece: string | null): void => {
      cancelOpen = () => {};
      removeEventListener("pointerdown", outside, true);
      box.remove();
      if (focus instanceof HTMLElement) focus.focus({ preventScroll: true });
      resolve(piece);
    };
    const outside = (event: Event): void => {
      if (event.target instanceof Node && box.contains(event.target)) return;
      event.stopPropagation();
      finish(null);
    };
    cancelOpen = () => finish(null);
    addEventListener("pointerdown", outside, true);
    box.addEventListener("keydown", (event) => {
      const buttons = [...box.querySelectorAll("button")];
      const step = { ArrowDown: 1, ArrowUp: -1, Tab: event.shiftKey ? -1 : 1 }[event.key];
      event.stopPropagation();
      if (event.key === "Escape") finish(null);
      if (!step) return;
      event.preventDefault();
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      buttons[(at + step + buttons.length) % buttons.length]?.focus();
    });
    for (const [letter, name] of PROMOTIONS) {
      const button = make("button");
      button.type = "button";
      button.title = name;
      button.setAttribute("aria-label", name);
      button.append(pieceImage(colour + letter));
      button.addEventListener("click", () => finish(letter));
      box.append(button);
    }
    board.host.append(box);
    box.querySelector("button")?.focus({ preventScroll: true });
  });
}
