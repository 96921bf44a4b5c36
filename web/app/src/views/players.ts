// SPDX-License-Identifier: MIT
// The lines above and below the board: names, clocks, and the material that a side is ahead.

import { pieceImage } from "../board/pieces.js";
import { element, make } from "../dom.js";
import type { Colour } from "../state/game.js";
import { materialLead } from "../state/material.js";

export interface PlayerView {
  name: string;
  clock: string;
  ticking: boolean;
  toMove: boolean;
}

export function showPlayer(id: "player-top" | "player-bottom", colour: Colour, view: PlayerView, fen: string): void {
  const player = element(id);
  setText(player.querySelector(".name"), view.name && !/^\?*$/.test(view.name) ? view.name : colour === "w" ? "White" : "Black");
  const clock = player.querySelector(".clock");
  setText(clock, view.clock);
  clock?.toggleAttribute("hidden", view.clock === "");
  player.classList.toggle("ticking", view.ticking);
  player.classList.toggle("to-move", view.toMove);
  player.classList.toggle("white", colour === "w");
  const material = player.querySelector<HTMLElement>(".material");
  const key = `${colour} ${fen.split(" ")[0]}`;
  if (!material || material.dataset["key"] === key) return;
  material.dataset["key"] = key;
  const { pieces, points } = materialLead(fen, colour);
  const other = colour === "w" ? "b" : "w";
  material.replaceChildren(...pieces.map((kind) => pieceImage(other + kind)), ...(points > 0 ? [make("span", "", `+${points}`)] : []));
}

function setText(target: Element | null, text: string): void {
  if (target && target.textContent !== text) target.textContent = text;
}
