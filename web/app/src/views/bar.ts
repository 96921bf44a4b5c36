// SPDX-License-Identifier: MIT
// The evaluation bar beside the board: the expected points of each side.

import { element } from "../dom.js";
import { expectation, text, words, type Score } from "../engine/score.js";

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

/** Without a sign: the bar is narrow, and its colours show which side is better. */
function short(score: Score): string {
  return score.cp === undefined ? text(score).replace("−", "") : (Math.abs(score.cp) / 100).toFixed(Math.abs(score.cp) >= 1000 ? 0 : 1);
}
