// SPDX-License-Identifier: MIT
// The bar beside the board: how many points each side may expect.

import { element } from "./dom.js";
import { expectation, text, words, type Score } from "./score.js";

export class Bar {
  private readonly host = element("bar");
  private readonly white = this.host.querySelector<HTMLElement>(".bar-white");
  private readonly label = this.host.querySelector<HTMLElement>(".bar-text");

  show(score: Score | null): void {
    const share = score ? expectation(score) : 0.5;
    if (this.white) this.white.style.height = `${(Math.min(0.97, Math.max(0.03, share)) * 100).toFixed(1)}%`;
    if (this.label) this.label.textContent = score ? short(score) : "";
    this.host.classList.toggle("black-ahead", share < 0.5);
    this.host.setAttribute("aria-label", `Evaluation: ${score ? words(score) : "none"}`);
  }

  flip(blackBelow: boolean): void {
    this.host.classList.toggle("flipped", blackBelow);
  }
}

/** The bar is narrow, and its colours say who is ahead. */
function short(score: Score): string {
  return score.cp === undefined ? text(score).replace("−", "") : (Math.abs(score.cp) / 100).toFixed(Math.abs(score.cp) >= 1000 ? 0 : 1);
}
