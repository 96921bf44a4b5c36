// SPDX-License-Identifier: MIT
// Applies settings to the page, the board and the engine.

import type { Board } from "../board/board.js";
import { usePieces } from "../board/pieces.js";
import { element } from "../dom.js";
import type { EngineClient } from "../engine/client.js";
import type { LiveAnalysis } from "../engine/live.js";
import * as sound from "../sound.js";
import type { Settings } from "../state/settings.js";

const ANIMATION_MS = 160;

export class Appearance {
  constructor(
    private readonly settings: Settings,
    private readonly board: Board,
    private readonly engine: EngineClient,
    private readonly live: LiveAnalysis,
  ) {}

  applyAll(): void {
    for (const name of ["theme", "boardColours", "coordinates", "bar", "animation", "more", "lines", "threads", "hash"] as const) this.apply(name);
  }

  /** The user changed a setting. */
  change(name: keyof Settings): void {
    this.apply(name);
    if (name === "pieces") void usePieces(this.settings.pieces);
    if (name === "sound" && this.settings.sound) sound.play("move");
    if (["more", "lines", "threads", "hash", "arrows"].includes(name)) this.live.restart();
  }

  private apply(name: keyof Settings): void {
    const { settings, engine, live } = this;
    const { dataset } = document.documentElement;
    if (name === "theme") dataset["theme"] = settings.theme;
    if (name === "boardColours") dataset["board"] = settings.boardColours;
    if (name === "coordinates") dataset["coordinates"] = String(settings.coordinates);
    if (name === "bar") dataset["bar"] = String(settings.bar);
    if (name === "animation") this.board.animation = settings.animation && !matchMedia("(prefers-reduced-motion: reduce)").matches ? ANIMATION_MS : 0;
    if (name === "more") {
      element("more-lines").setAttribute("aria-expanded", String(settings.more));
      document.body.classList.toggle("more-lines", settings.more);
    }
    engine.threads = settings.threads;
    engine.hash = settings.hash;
    live.wanted = settings.more ? settings.lines : 1;
  }
}

/** The wheel over the board steps through the moves. */
export function listenToWheel(board: Board, blocked: () => boolean, step: (forward: boolean) => void): void {
  let turned = 0;
  board.host.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || blocked()) return;
      event.preventDefault();
      turned += event.deltaMode === 0 ? event.deltaY : event.deltaY * 40;
      if (Math.abs(turned) < 40) return;
      step(turned > 0);
      turned = 0;
    },
    { passive: false },
  );
}
