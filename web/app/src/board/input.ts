// SPDX-License-Identifier: MIT
// Moves on the board with mouse, touch and keyboard: click two squares, or drag. The right mouse button draws arrows and
// coloured squares. In setup mode pieces move freely. Reports what the user did; its callers change the game.

import type { Move } from "../../../package/index.js";
import type { ShapeColour } from "../state/comments.js";
import type { Board } from "./board.js";
import { askPromotion } from "./promotion.js";

type Colour = "w" | "b";

export interface Premove {
  from: string;
  to: string;
}

export interface InputHandlers {
  move(move: Move): void;
  /** A move to be played after the opponent's. */
  premove(premove: Premove | null): void;
  draw(colour: ShapeColour, from: string, to: string): void;
}

/** Handles squares while a position is set up. */
export interface SetupHandlers {
  /** A click or a key on a square. */
  pick(square: string): void;
  /** A piece was dragged; null is outside the board. */
  drop(from: string, to: string | null): void;
}

interface Drag {
  from: string;
  pointer: number;
  x: number;
  y: number;
  moved: boolean;
  /** The square was selected before: a second click takes the selection back. */
  wasSelected: boolean;
  button: number;
  colour: ShapeColour;
}

/** Pixels that a pointer moves before a click becomes a drag. */
const DRAG_DISTANCE = 4;

export class BoardInput {
  /** The side whose pieces the user may move now. */
  side: Colour | null = null;
  /** The side for which moves may be made in advance. */
  premoveSide: Colour | null = null;
  setup: SetupHandlers | null = null;
  private selected: string | null = null;
  private drag: Drag | null = null;

  constructor(
    private readonly board: Board,
    private readonly handlers: InputHandlers,
  ) {
    const { host } = board;
    host.addEventListener("pointerdown", (event) => this.down(event));
    host.addEventListener("pointermove", (event) => this.moved(event));
    host.addEventListener("pointerup", (event) => this.up(event));
    host.addEventListener("pointercancel", () => this.cancel());
    host.addEventListener("contextmenu", (event) => event.preventDefault());
    // A click selects a piece; it must not focus a square, which would show the keyboard cursor.
    host.addEventListener("mousedown", (event) => {
      event.preventDefault();
      if (document.activeElement instanceof HTMLElement && !host.contains(document.activeElement)) document.activeElement.blur();
    });
    host.addEventListener("keydown", (event) => this.key(event));
  }

  /** Call when the position or the side changes. */
  reset(): void {
    this.cancel();
  }

  cancel(): void {
    const { drag } = this;
    this.drag = null;
    if (drag) this.board.putBack(drag.from);
    this.select(null);
    this.board.clearMarks("hover");
    this.board.shapes("drawing", []);
  }

  // --- Pointers ---

  private down(event: PointerEvent): void {
    const square = this.board.squareAt(event.clientX, event.clientY);
    if (!square || (event.target instanceof Element && event.target.closest("#promotion"))) return;
    if (this.drag) return this.cancel();
    const { clientX: x, clientY: y, pointerId: pointer, button } = event;
    const start = { from: square, pointer, x, y, moved: false, button, wasSelected: this.selected === square, colour: colourOf(event) };
    if (button === 2) {
      if (this.premoveSide) this.handlers.premove(null);
      if (!this.setup) this.drag = start;
    } else if (button === 0) {
      if (this.setup) {
        this.drag = start;
      } else if (this.selected && this.selected !== square && this.choose(this.selected, square)) {
        return;
      } else if (this.isOwn(square)) {
        this.drag = start;
        this.select(square);
      } else {
        this.select(null);
        if (this.premoveSide) this.handlers.premove(null);
      }
    }
    if (this.drag) this.board.host.setPointerCapture(pointer);
  }

  private moved(event: PointerEvent): void {
    const { drag, board } = this;
    if (!drag || drag.pointer !== event.pointerId) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_DISTANCE) return;
    drag.moved = true;
    const over = board.squareAt(event.clientX, event.clientY);
    if (drag.button === 2) {
      board.shapes("drawing", [{ kind: drag.colour, from: drag.from, to: over ?? drag.from }]);
      return;
    }
    const piece = board.pieceElement(drag.from);
    if (!piece) return;
    const box = board.host.getBoundingClientRect();
    const size = box.width / 8;
    piece.classList.add("dragged");
    piece.style.transform = `translate(${event.clientX - box.left - size / 2}px, ${event.clientY - box.top - size / 2}px)`;
    board.clearMarks("hover");
    if (over) board.mark(over, "hover");
  }

  private up(event: PointerEvent): void {
    const { drag, board } = this;
    if (!drag || drag.pointer !== event.pointerId) return;
    this.drag = null;
    board.clearMarks("hover");
    const to = board.squareAt(event.clientX, event.clientY);
    if (drag.button === 2) {
      board.shapes("drawing", []);
      if (to) this.handlers.draw(drag.colour, drag.from, to);
      return;
    }
    board.putBack(drag.from);
    if (this.setup) {
      if (drag.moved && board.piece(drag.from)) this.setup.drop(drag.from, to);
      else if (to) this.setup.pick(drag.from);
      return;
    }
    if (drag.moved && to !== drag.from) {
      if (!to || !this.choose(drag.from, to)) this.select(null);
    } else if (drag.wasSelected && !drag.moved) {
      this.select(null);
    }
  }

  private key(event: KeyboardEvent): void {
    const square = this.board.focused;
    if (!square || (event.target instanceof Element && event.target.closest("#promotion"))) return;
    if (event.key === "Escape") this.cancel();
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (this.setup) this.setup.pick(square);
    else if (this.selected === square) this.select(null);
    else if (!this.selected || !this.choose(this.selected, square)) this.select(this.isOwn(square) ? square : null);
  }

  // --- Moves ---

  private isOwn(square: string): boolean {
    const side = this.side ?? this.premoveSide;
    return side !== null && this.board.piece(square)?.[0] === side;
  }

  private select(square: string | null): void {
    const { board } = this;
    this.selected = square;
    board.clearMarks("selected", "target", "capture");
    if (!square) return;
    board.mark(square, "selected");
    for (const to of new Set((this.side ? this.moves(square) : []).map((move) => move.to))) board.mark(to, board.piece(to) ? "capture" : "target");
  }

  /**
   * The legal moves from one square to another, or all from a square. A king move onto its own rook means castling. A
   * normal king move comes before a castling move to the same square, which Chess960 allows.
   */
  private moves(from: string, to?: string): Move[] {
    const { position } = this.board;
    const moves = (position?.moves ?? []).filter((move) => move.from === from);
    if (to === undefined) return moves;
    if (this.board.piece(to) === `${position?.turn ?? "w"}r`) {
      const short = to > from;
      return moves.filter((move) => move.castling && (move.san.startsWith("O-O-O") ? !short : short));
    }
    return moves.filter((move) => move.to === to).sort((one, other) => Number(one.castling) - Number(other.castling));
  }

  /** Plays the move between two squares. Returns false if there is none. */
  private choose(from: string, to: string): boolean {
    if (!this.side && this.premoveSide) {
      if (this.isOwn(to) && this.board.piece(from)?.[1] !== "k") return false;
      this.select(null);
      this.handlers.premove({ from, to });
      return true;
    }
    const moves = this.side ? this.moves(from, to) : [];
    if (moves.length === 0) return false;
    this.select(null);
    this.playOne(moves);
    return true;
  }

  /** Plays the only move, or asks for the piece of a promotion. */
  playOne(moves: readonly Move[]): void {
    const [move] = moves;
    const { position } = this.board;
    if (!move || !position) return;
    if (!move.promotion) return this.handlers.move(move);
    void askPromotion(this.board, position.turn, move.to).then((piece) => {
      const chosen = moves.find((each) => each.promotion === piece);
      if (chosen && this.board.position === position) this.handlers.move(chosen);
    });
  }
}

/** The colour of an arrow by the keys that are held, as on other boards. */
function colourOf(event: PointerEvent): ShapeColour {
  const red = event.shiftKey || event.ctrlKey;
  return red && event.altKey ? "Y" : red ? "R" : event.altKey ? "B" : "G";
}
