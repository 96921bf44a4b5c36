// SPDX-License-Identifier: MIT
// The board on the page: squares, pieces, marks, arrows and badges. It shows a position and animates changes; a new
// position ends the animation of the last one, so that the board never lags behind the game. input.ts handles moves.

import type { Position } from "../../../package/index.js";
import { make, makeSvg } from "../dom.js";
import { neighbour, pieceName, piecesOf, placementOf, placeOf, SQUARES, squareAt, type Orientation } from "./geometry.js";
import { pieceImage } from "./pieces.js";
import { drawShape, type BoardShape } from "./shapes.js";

export type Mark = "last" | "check" | "selected" | "target" | "capture" | "premove" | "hover" | "in-set";

export interface Badge {
  square: string;
  kind: string;
  text: string;
}

export class Board {
  /** The side at the bottom. */
  below: Orientation = "w";
  /** Milliseconds; 0 for none. */
  animation = 160;
  position: Position | null = null;

  private readonly squares = new Map<string, HTMLElement>();
  private readonly pieceLayer = make("div", "pieces");
  private readonly shapeLayer = makeSvg("svg", { class: "shapes", viewBox: "0 0 8 8", "aria-hidden": "true" });
  private readonly badgeLayer = make("div", "badges");
  private readonly pieces = new Map<string, HTMLElement>();
  private readonly layers = new Map<string, readonly BoardShape[]>();
  private badge: Badge | null = null;
  private animatedUntil = 0;

  constructor(readonly host: HTMLElement) {
    const grid = make("div", "squares");
    grid.setAttribute("role", "grid");
    grid.setAttribute("aria-label", "Board. Arrow keys choose a square, Enter picks up and puts down a piece.");
    for (let row = 0; row < 8; row++) {
      const line = make("div", "board-row-8");
      line.setAttribute("role", "row");
      for (const square of SQUARES.slice(8 * row, 8 * row + 8)) {
        const cell = make("div", "square");
        cell.setAttribute("role", "gridcell");
        cell.tabIndex = square === "a1" ? 0 : -1;
        this.squares.set(square, cell);
        line.append(cell);
      }
      grid.append(line);
    }
    grid.addEventListener("keydown", (event) => this.moveCursor(event));
    host.append(grid, this.pieceLayer, this.shapeLayer, this.badgeLayer);
    this.label();
  }

  // --- Showing a position ---

  /** Shows a position with the move that led to it. */
  show(position: Position, last: { from: string; to: string } | null): void {
    this.position = position;
    this.place(position.fen, true);
    this.clearMarks("last", "check", "selected", "target", "capture", "hover");
    for (const square of last ? [last.from, last.to] : []) this.mark(square, "last");
    if (position.check) this.mark([...this.placed()].find(([, piece]) => piece === `${position.turn}k`)?.[0], "check");
  }

  /** Shows pieces without the rules, for setting up positions and for previews. */
  place(fen: string, animated = false): void {
    const now = performance.now();
    // A position that follows before the last one has arrived is not animated: the user holds an arrow key.
    const smooth = animated && this.animation > 0 && now >= this.animatedUntil;
    if (animated) this.animatedUntil = now + this.animation;
    this.host.classList.toggle("smooth", smooth);
    this.host.style.setProperty("--animation", `${this.animation}ms`);
    const wanted = piecesOf(fen);
    const spare = new Map<string, [string, HTMLElement][]>();
    for (const [square, element] of this.pieces) {
      const piece = element.dataset["piece"] ?? "";
      if (wanted.get(square) === piece) continue;
      this.pieces.delete(square);
      spare.set(piece, [...(spare.get(piece) ?? []), [square, element]]);
    }
    for (const [square, piece] of wanted) {
      if (this.pieces.has(square)) continue;
      const near = (spare.get(piece) ?? []).sort(([one], [other]) => distance(one, square) - distance(other, square)).shift();
      this.pieces.set(square, near?.[1] ?? this.makePiece(piece));
    }
    for (const element of [...spare.values()].flat()) element[1].remove();
    for (const [square, element] of this.pieces) this.putAt(element, square);
    this.label();
  }

  /** The pieces on the board by square. */
  placed(): Map<string, string> {
    return new Map([...this.pieces].map(([square, element]) => [square, element.dataset["piece"] ?? ""]));
  }

  placement(): string {
    return placementOf(this.placed());
  }

  piece(square: string): string | null {
    return this.pieces.get(square)?.dataset["piece"] ?? null;
  }

  put(square: string, piece: string | null): void {
    const pieces = this.placed();
    if (piece) pieces.set(square, piece);
    else pieces.delete(square);
    this.place(placementOf(pieces));
  }

  /** The element of the piece on a square, which input.ts drags. */
  pieceElement(square: string): HTMLElement | null {
    return this.pieces.get(square) ?? null;
  }

  /** Puts a dragged piece back to its square. */
  putBack(square: string): void {
    const element = this.pieces.get(square);
    element?.classList.remove("dragged");
    if (element) this.putAt(element, square);
  }

  orient(colour: Orientation): void {
    if (this.below === colour) return;
    this.below = colour;
    this.host.classList.remove("smooth");
    for (const [square, element] of this.pieces) this.putAt(element, square);
    this.label();
    this.drawShapes();
    this.drawBadge();
  }

  private makePiece(piece: string): HTMLElement {
    const element = make("div", "piece");
    element.dataset["piece"] = piece;
    element.append(pieceImage(piece));
    this.pieceLayer.append(element);
    return element;
  }

  private putAt(element: HTMLElement, square: string): void {
    const { x, y } = placeOf(square, this.below);
    element.dataset["square"] = square;
    element.style.transform = `translate(${x * 100}%, ${y * 100}%)`;
  }

  // --- Squares ---

  /** The square under a point of the window. */
  squareAt(clientX: number, clientY: number): string | null {
    const box = this.host.getBoundingClientRect();
    return squareAt({ x: ((clientX - box.left) / box.width) * 8, y: ((clientY - box.top) / box.height) * 8 }, this.below);
  }

  mark(square: string | undefined, mark: Mark): void {
    if (square) this.squares.get(square)?.classList.add(mark);
  }

  clearMarks(...marks: Mark[]): void {
    for (const cell of this.squares.values()) cell.classList.remove(...marks);
  }

  /** Shows a set of squares over the board; null for none. */
  showSet(squares: readonly string[] | null): void {
    this.clearMarks("in-set");
    this.host.classList.toggle("has-set", squares !== null);
    for (const square of squares ?? []) this.mark(square, "in-set");
  }

  /** The square that has the focus of the keyboard; null if none. */
  get focused(): string | null {
    const focus = document.activeElement;
    return focus instanceof HTMLElement && this.host.contains(focus) ? (focus.dataset["square"] ?? null) : null;
  }

  // The cells stay in their order on the screen; a turned board gives them other names.
  private label(): void {
    const cells = [...this.squares.values()];
    for (const [index, cell] of cells.entries()) {
      const square = SQUARES[this.below === "w" ? index : 63 - index] ?? "";
      const piece = this.piece(square);
      const label = piece ? `${square}, ${pieceName(piece)}` : square;
      if (cell.dataset["square"] !== square) {
        cell.dataset["square"] = square;
        cell.classList.toggle("light", (index + Math.floor(index / 8)) % 2 === 0);
        cell.dataset["file"] = index >= 56 ? (square[0] ?? "") : "";
        cell.dataset["rank"] = index % 8 === 0 ? (square[1] ?? "") : "";
      }
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    }
    this.squares.clear();
    for (const cell of cells) this.squares.set(cell.dataset["square"] ?? "", cell);
  }

  private moveCursor(event: KeyboardEvent): void {
    const from = this.focused;
    const to = from && neighbour(from, event.key, this.below);
    if (!event.key.startsWith("Arrow") || !from) return;
    event.preventDefault();
    event.stopPropagation();
    const cell = to ? this.squares.get(to) : undefined;
    if (!cell) return;
    for (const other of this.squares.values()) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus({ preventScroll: true });
  }

  // --- Arrows and badges ---

  /** Shows the shapes of a layer, such as "engine", and keeps those of the others. */
  shapes(layer: string, shapes: readonly BoardShape[]): void {
    this.layers.set(layer, shapes);
    this.drawShapes();
  }

  showBadge(badge: Badge | null): void {
    this.badge = badge;
    this.drawBadge();
  }

  private drawShapes(): void {
    this.shapeLayer.replaceChildren(...[...this.layers.values()].flat().map((shape) => drawShape(shape, this.below)));
  }

  private drawBadge(): void {
    const { badge } = this;
    if (!badge) return this.badgeLayer.replaceChildren();
    const element = make("span", `badge ${badge.kind}`, badge.text);
    const { x, y } = placeOf(badge.square, this.below);
    element.style.left = `${Math.min(7.62, x + 0.72) * 12.5}%`;
    element.style.top = `${Math.max(0, y - 0.12) * 12.5}%`;
    this.badgeLayer.replaceChildren(element);
  }
}

function distance(one: string, other: string): number {
  return Math.max(Math.abs(one.charCodeAt(0) - other.charCodeAt(0)), Math.abs(one.charCodeAt(1) - other.charCodeAt(1)));
}
