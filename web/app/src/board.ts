// SPDX-License-Identifier: MIT
// The board on the page: cm-chessboard with markers, arrows and keyboard input. Shows a position and reports the legal
// moves that the user makes; its callers change the game.

import { Chessboard, type MoveInputEvent } from "cm-chessboard/src/Chessboard.js";
import { Accessibility } from "cm-chessboard/src/extensions/accessibility/Accessibility.js";
import { Arrows } from "cm-chessboard/src/extensions/arrows/Arrows.js";
import { Markers } from "cm-chessboard/src/extensions/markers/Markers.js";
import { Svg } from "cm-chessboard/src/lib/Svg.js";
import type { Move, Position } from "../../package/index.js";
import { element, make } from "./dom.js";

const LAST_MOVE = { class: "marker-last", slice: "markerSquare" };
const CHECK = { class: "marker-check", slice: "markerCircleFilled" };
const SELECTED = { class: "marker-selected", slice: "markerSquare" };
const TARGET = { class: "marker-target", slice: "markerDot", position: "above" };
const CAPTURE = { class: "marker-capture", slice: "markerBevel" };

export type ArrowKind = "best" | "other" | "threat" | "hint";

export interface Arrow {
  kind: ArrowKind;
  from: string;
  to: string;
}

// cm-chessboard sets style attributes on coordinates and on the dragged piece. The page's Content-Security-Policy forbids
// them, but allows the style object.
function writeStylesAsObjects(): void {
  const { addElement, createSvg } = Svg;
  const redirect = (target: SVGElement): SVGElement => {
    const setAttribute = target.setAttribute.bind(target);
    target.setAttribute = (name, value) => {
      if (name === "style") target.style.cssText = value;
      else setAttribute(name, value);
    };
    return target;
  };
  Svg.createSvg = (container) => redirect(createSvg.call(Svg, container)) as SVGSVGElement;
  Svg.addElement = (parent, name, attributes = {}) => {
    const { style, ...rest } = attributes;
    const added = addElement.call(Svg, parent, name, rest);
    if (typeof style === "string") added.style.cssText = style;
    return added;
  };
}

export class Board {
  private readonly view: Chessboard;
  private readonly square: () => string | null;
  private position: Position | null = null;
  private below: "w" | "b" = "w";
  private turning: Promise<void> = Promise.resolve();
  private onMove: ((move: Move) => void) | null = null;

  constructor(private readonly host: HTMLElement) {
    writeStylesAsObjects();
    const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.view = new Chessboard(host, {
      position: "8/8/8/8/8/8/8/8",
      assetsUrl: "./board/",
      style: {
        cssClass: "luft",
        showCoordinates: true,
        borderType: "none",
        pieces: { file: "pieces.svg" },
        animationDuration: reducedMotion ? 0 : 180,
      },
      extensions: [
        { class: Markers, props: { autoMarkers: null, sprite: "markers.svg" } },
        { class: Arrows, props: { sprite: "arrows.svg", headSize: 4, offsetTo: 0.3 } },
        { class: Accessibility, props: { language: "en", movePieceForm: false, keyboardMoveInput: true } },
      ],
    });
    // A click selects a piece; it must not focus the board, which would show the keyboard cursor.
    host.addEventListener("mousedown", (event) => {
      event.preventDefault();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    const keys = this.view.getExtension(Accessibility)?.components.find((part) => part.getCurrentSquare);
    this.square = () => keys?.getCurrentSquare?.() ?? null;
  }

  get svg(): SVGSVGElement {
    return this.view.view.svg;
  }

  /** Shows a position with the move that led to it. */
  show(position: Position, last: { from: string; to: string } | null, animated = true): void {
    this.position = position;
    this.markAnimation(this.view.setPosition(position.fen, animated));
    this.view.removeMarkers();
    if (last) {
      this.view.addMarker(LAST_MOVE, last.from);
      this.view.addMarker(LAST_MOVE, last.to);
    }
    if (position.check) {
      const king = this.kingSquare(position.turn);
      if (king) this.view.addMarker(CHECK, king);
    }
  }

  /** Enables moves with the pieces of a colour; null disables them. */
  allow(colour: "w" | "b" | null, onMove: ((move: Move) => void) | null = null): void {
    this.onMove = onMove;
    this.view.disableMoveInput();
    if (colour && onMove) this.view.enableMoveInput((event) => this.input(event), colour);
  }

  /** Turns the board so that this colour is at the bottom, after the running animation. */
  orient(colour: "w" | "b"): void {
    if (this.below === colour) return;
    this.below = colour;
    this.turning = this.turning.then(() => (this.view.getOrientation() === this.below ? undefined : this.view.setOrientation(this.below, false)));
    this.markAnimation(this.turning);
  }

  get orientation(): "w" | "b" {
    return this.below;
  }

  arrows(arrows: Arrow[]): void {
    this.view.removeArrows();
    for (const arrow of arrows) this.view.addArrow({ class: `arrow-${arrow.kind}` }, arrow.from, arrow.to);
  }

  /** Reports each square that the user clicks or selects by key, for position setup. Returns a function that ends this. */
  edit(onSquare: (square: string) => void): () => void {
    this.allow(null);
    this.view.removeMarkers();
    this.arrows([]);
    const click = (event: Event): void => {
      const square = event.target instanceof Element ? event.target.getAttribute("data-square") : null;
      if (square) onSquare(square);
    };
    const key = (event: KeyboardEvent): void => {
      const square = this.square();
      if (square && (event.key === "Enter" || event.key === " ")) onSquare(square);
    };
    this.host.addEventListener("pointerdown", click);
    this.svg.addEventListener("keydown", key);
    return () => {
      this.host.removeEventListener("pointerdown", click);
      this.svg.removeEventListener("keydown", key);
    };
  }

  piece(square: string): string | null {
    return this.view.getPiece(square);
  }

  put(square: string, piece: string | null): void {
    void this.view.setPiece(square, piece);
  }

  placement(): string {
    return this.view.getPosition();
  }

  place(placement: string): void {
    void this.view.setPosition(placement);
  }

  // Marks the board as animated until `done`: it ignores clicks meanwhile, so tests wait for the end of the mark.
  private markAnimation(done: Promise<void>): void {
    const number = String(Number(this.host.dataset["moving"] ?? 0) + 1);
    this.host.dataset["moving"] = number;
    void done.then(() => {
      if (this.host.dataset["moving"] === number) delete this.host.dataset["moving"];
    });
  }

  private kingSquare(colour: "w" | "b"): string | null {
    for (const file of "abcdefgh") {
      for (const rank of "12345678") if (this.view.getPiece(file + rank) === `${colour}k`) return file + rank;
    }
    return null;
  }

  /**
   * The moves from one square to another, or all from a square. A king move onto its own rook means castling. A normal
   * king move comes before a castling move to the same square, which Chess960 allows.
   */
  private moves(from: string, to?: string): Move[] {
    const moves = (this.position?.moves ?? []).filter((move) => move.from === from);
    if (to === undefined) return moves;
    if (this.view.getPiece(to) === `${this.position?.turn ?? "w"}r`) {
      const short = to > from;
      return moves.filter((move) => move.castling && (move.san.startsWith("O-O-O") ? !short : short));
    }
    return moves.filter((move) => move.to === to).sort((one, other) => Number(one.castling) - Number(other.castling));
  }

  private input(event: MoveInputEvent): boolean | void {
    switch (event.type) {
      case "moveInputStarted": {
        this.clearTargets();
        const moves = this.moves(event.squareFrom);
        this.view.addMarker(SELECTED, event.squareFrom);
        for (const to of new Set(moves.map((move) => move.to))) {
          this.view.addMarker(this.view.getPiece(to) ? CAPTURE : TARGET, to);
        }
        return moves.length > 0;
      }
      case "validateMoveInput":
        this.clearTargets();
        return this.choose(event.squareFrom, event.squareTo);
      case "moveInputCanceled":
        this.clearTargets();
        return;
    }
  }

  private clearTargets(): void {
    for (const type of [SELECTED, TARGET, CAPTURE]) this.view.removeMarkers(type);
  }

  /** Handles a move by the user. Returns true if cm-chessboard may move the piece. */
  private choose(from: string, to: string): boolean {
    const moves = this.moves(from, to);
    const [move] = moves;
    const { onMove } = this;
    if (!move || !onMove) return false;
    if (moves.some((each) => each.promotion)) {
      const { position } = this;
      // Opens the dialog after the animation: the board must receive the release of the mouse button first.
      const animation = Promise.resolve().then(() => this.view.setPosition(this.view.getPosition()));
      const choice = animation.then(() => askPromotion(position?.turn ?? "w"));
      void choice.then((piece) => {
        const chosen = moves.find((each) => each.promotion === piece);
        if (chosen && this.position === position) onMove(chosen);
        else if (position && this.position === position) void this.view.setPosition(position.fen, false);
      });
      return true;
    }
    // Runs after cm-chessboard has moved the piece; the new position then changes the other squares.
    queueMicrotask(() => onMove(move));
    return move.to === to;
  }
}

const PROMOTIONS: [string, string][] = [
  ["q", "Queen"],
  ["r", "Rook"],
  ["b", "Bishop"],
  ["n", "Knight"],
];

/** The image of a piece, such as "wq", from the board's sprite. */
export function pieceImage(piece: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 40 40");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#${piece}`);
  svg.append(use);
  return svg;
}

function askPromotion(colour: "w" | "b"): Promise<string | null> {
  const dialog = element<HTMLDialogElement>("promotion");
  const choice = element("promotion-choice");
  const buttons = PROMOTIONS.map(([letter, name]) => {
    const button = make("button");
    button.type = "button";
    button.title = name;
    button.setAttribute("aria-label", name);
    button.append(pieceImage(colour + letter));
    button.addEventListener("click", () => dialog.close(letter));
    return button;
  });
  choice.replaceChildren(...buttons);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => resolve(dialog.returnValue || null), { once: true }),
  );
}
