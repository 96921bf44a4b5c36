// SPDX-License-Identifier: MIT
// The field to type a move. "a8" without a piece asks for the promotion.

import type { Move } from "../../../package/index.js";
import type { Board } from "../board/board.js";
import type { BoardInput } from "../board/input.js";
import { element } from "../dom.js";
import { type Colour, failed } from "../state/game.js";
import type { Session } from "../state/session.js";

export function startMoveField(session: Session, input: BoardInput, board: Board, side: () => Colour | null, play: (move: Move) => void): void {
  const field = element<HTMLInputElement>("move-input");
  const error = element("move-error");
  const showError = (text: string): void => {
    error.textContent = text;
    field.setAttribute("aria-invalid", String(text !== ""));
  };
  element("move-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return;
    if (side() === null) {
      const isEarlier = session.node.children.length > 0;
      return showError(isEarlier ? "This is an earlier position. Press End to return to the game." : "Luft is to move.");
    }
    const promotions = promotionsOf(board.position?.moves ?? [], text);
    const played = session.rules.play(session.fen, text, session.game.chess960);
    if (promotions.length > 0) input.playOne(promotions);
    else if (failed(played)) return showError(played.error);
    else play(played.move);
    showError("");
    field.value = "";
  });
  field.addEventListener("input", () => showError(""));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") field.blur(); // the arrow keys navigate the game again
  });
}

/** The four promotions that a move without a piece means, such as "a8", "bxa8" or "a7a8". */
function promotionsOf(moves: readonly Move[], text: string): Move[] {
  return moves.filter((move) => move.promotion && (move.san.split("=")[0] === text || move.uci.slice(0, 4) === text));
}
