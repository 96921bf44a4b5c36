// SPDX-License-Identifier: MIT
// Shows the position after a move of a variation on the board while the pointer is over that move, or while a finger
// stays on it. The game does not change.

import type { Rules } from "../../../package/index.js";
import type { Board } from "../board/board.js";
import { failed } from "../state/game.js";

interface Target {
  fen: string;
  moves: readonly string[];
}

/** A finger must stay this long, in milliseconds. */
const LONG_PRESS = 350;

export class Preview {
  active = false;
  private timer = 0;
  private wasLong = false;

  /** `restore` shows the game again. */
  constructor(
    private readonly rules: Rules,
    private readonly board: Board,
    private readonly chess960: () => boolean,
    private readonly restore: () => void,
  ) {}

  /** Watches the buttons inside an element. `find` returns the position that a button stands for. */
  listen(host: HTMLElement, find: (target: Element) => Target | null): void {
    const at = (event: Event): Target | null => (event.target instanceof Element ? find(event.target) : null);
    host.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "mouse") return;
      const target = at(event);
      if (target) this.show(target);
      else this.end();
    });
    host.addEventListener("pointerleave", () => this.end());
    host.addEventListener("pointerdown", (event) => {
      const target = event.pointerType === "mouse" ? null : at(event);
      clearTimeout(this.timer);
      if (target) this.timer = window.setTimeout(() => this.longPress(target), LONG_PRESS);
    });
    for (const type of ["pointerup", "pointercancel"]) {
      host.addEventListener(type, (event) => {
        clearTimeout(this.timer);
        if ((event as PointerEvent).pointerType !== "mouse") this.end();
      });
    }
    // The click at the end of a long press only ends the preview.
    host.addEventListener(
      "click",
      (event) => {
        if (this.wasLong) event.stopImmediatePropagation();
        this.wasLong = false;
      },
      true,
    );
  }

  end(): void {
    clearTimeout(this.timer);
    if (!this.active) return;
    this.active = false;
    this.board.host.classList.remove("preview");
    this.restore();
  }

  private longPress(target: Target): void {
    this.wasLong = true;
    this.show(target);
  }

  private show({ fen, moves }: Target): void {
    let position = fen;
    let last: { from: string; to: string } | null = null;
    for (const move of moves) {
      const next = this.rules.play(position, move, this.chess960());
      if (failed(next)) break;
      position = next.position.fen;
      last = next.move;
    }
    this.active = true;
    this.board.host.classList.add("preview");
    this.board.place(position);
    this.board.clearMarks("last", "check", "selected", "target", "capture");
    this.board.shapes("engine", []);
    this.board.showBadge(null);
    if (last) for (const square of [last.from, last.to]) this.board.mark(square, "last");
  }
}
