// SPDX-License-Identifier: MIT
// The engine strip: switch, evaluation and best line, and more lines on demand. A click on a move of a line adds the line
// to the game up to it; the position after a move is previewed on the board while the pointer is over it.

import type { Board } from "../board/board.js";
import type { BoardShape } from "../board/shapes.js";
import { element, make, press } from "../dom.js";
import type { Line, LiveAnalysis } from "../engine/live.js";
import { text, words } from "../engine/score.js";
import { failed } from "../state/game.js";
import type { Session } from "../state/session.js";
import type { Settings } from "../state/settings.js";
import { shortNumber } from "../words.js";
import type { Bar } from "./bar.js";
import type { Preview } from "./preview.js";

const MAX_PLIES = 24;
/** Milliseconds between two drawings; the engine reports more often. */
const DRAW_MS = 80;

export class Strip {
  /** The lines on the page, which can be older than those of the engine. */
  private shown: Line[] = [];
  private drawing = 0;
  /** A pointer is down on the lines. */
  private pressed = false;

  constructor(
    private readonly session: Session,
    private readonly live: LiveAnalysis,
    private readonly board: Board,
    private readonly bar: Bar,
    private readonly settings: Settings,
    private readonly preview: Preview,
  ) {
    live.onChange = () => this.changed();
    live.onLines = () => {
      this.drawing ||= window.setTimeout(() => {
        this.drawing = 0;
        if (this.live.lines.length > 0) this.draw();
      }, DRAW_MS);
    };
    this.listen();
  }

  private listen(): void {
    const list = element("lines-list");
    const buttonOf = (event: Event): HTMLElement | null => (event.target instanceof Element ? event.target.closest<HTMLElement>("button[data-line]") : null);
    list.addEventListener("click", (event) => {
      const button = buttonOf(event);
      if (button) this.follow(Number(button.dataset["line"]), Number(button.dataset["ply"]));
    });
    // A button that is replaced while it is pressed receives no click.
    list.addEventListener("pointerdown", () => (this.pressed = true));
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => (this.pressed = false));
    this.preview.listen(list, (target) => {
      const button = target.closest<HTMLElement>("button[data-line]");
      const line = button && this.shown[Number(button.dataset["line"])];
      return line ? { fen: this.live.fen, moves: line.uci.slice(0, Number(button.dataset["ply"]) + 1) } : null;
    });
    // The Tab key stops once in each line; the arrow keys select a move of it.
    list.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const buttons = [...((event.target as Element).closest(".line")?.querySelectorAll<HTMLElement>("button.san") ?? [])];
      if (!step || buttons.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      buttons[buttons.indexOf(event.target as HTMLElement) + step]?.focus();
    });
  }

  /** The search began or ended: old lines, arrows and scores go. */
  private changed(): void {
    const { live } = this;
    element("analyse-toggle").setAttribute("aria-checked", String(live.on));
    press(element("threat"), live.threat && live.on);
    this.board.shapes("engine", []);
    this.showScore();
    this.draw();
  }

  private showScore(): void {
    const [best] = this.live.lines;
    const score = (this.live.threat ? null : best?.score) ?? this.session.score(this.session.current);
    this.bar.show(score);
    const output = element("strip-score");
    output.textContent = score ? text(score) : "";
    output.setAttribute("aria-label", score ? `Evaluation: ${words(score)}` : "Evaluation: none");
  }

  draw(): void {
    const { live } = this;
    const lines = live.lines.filter((line) => line !== undefined).slice(0, this.settings.more ? live.wanted : 1);
    const { info } = live;
    const speed = live.on && info ? [`Depth ${info.depth}`, `${shortNumber(info.nps)}/s`, `${shortNumber(info.nodes)} nodes`] : [];
    element("speed").replaceChildren(...speed.flatMap((part) => [make("span", "", part), " "]));
    const list = element("lines-list");
    if (lines.length > 0) {
      if (!this.pressed && !this.preview.active) {
        this.shown = lines;
        keepFocus(list, () => list.replaceChildren(...lines.map((line, index) => this.row(line, index))));
      }
    } else {
      list.replaceChildren(make("li", "hint", live.message || "Searching …"));
    }
    list.classList.toggle("is-threat", live.threat && live.on);
    if (lines.length === 0) return;
    this.showScore();
    if (!this.preview.active) this.board.shapes("engine", this.settings.arrows || live.threat ? this.arrows(lines) : []);
  }

  private arrows(lines: Line[]): BoardShape[] {
    const { live, session } = this;
    const position = session.rules.position(live.fen, session.game.chess960);
    if (failed(position)) return [];
    const shapes: BoardShape[] = [];
    for (const [index, line] of lines.entries()) {
      const move = position.moves.find((each) => each.uci === line.uci[0]);
      if (!move) continue;
      shapes.push({ kind: live.threat ? "threat" : index === 0 ? "best" : "other", from: move.from, to: move.to });
      if (live.threat) break;
    }
    return shapes.reverse(); // draws the best one last, on top
  }

  private row(line: Line, index: number): HTMLElement {
    const { live } = this;
    const item = make("li", "line");
    const badge = make("span", `score ${(line.score.cp ?? line.score.mate ?? 0) < 0 ? "black" : "white"}`, text(line.score));
    badge.setAttribute("role", "img");
    badge.setAttribute("aria-label", words(line.score));
    item.append(badge);
    const moves = make("span", "line-moves");
    const fields = live.fen.split(" ");
    let black = fields[1] === "b";
    let number = Number(fields[5]) || 1;
    for (const [ply, san] of this.session.rules.sanLine(live.fen, line.uci.slice(0, MAX_PLIES)).entries()) {
      if (!black || ply === 0) moves.append(make("span", "number", `${number}${black ? "…" : "."}`));
      if (live.threat) {
        moves.append(make("span", "san", san), " ");
      } else {
        const button = make("button", "san", san);
        button.type = "button";
        button.tabIndex = ply === 0 ? 0 : -1;
        button.dataset["line"] = String(index);
        button.dataset["ply"] = String(ply);
        moves.append(button, " ");
      }
      if (black) number++;
      black = !black;
    }
    item.append(moves);
    return item;
  }

  /** Adds a line to the game, up to the move that was clicked. */
  private follow(index: number, ply: number): void {
    const line = this.shown[index];
    const { session } = this;
    if (!line || this.live.threat) return;
    this.preview.end();
    const added = session.game.playLine(line.uci.slice(0, ply + 1), session.current);
    if (added.game === session.game) session.go(added.id);
    else session.edit("adding a line", added.game, { current: added.id });
  }
}

/** Redraws the list and moves the focus to the same place in it. */
function keepFocus(list: HTMLElement, draw: () => void): void {
  const focused = document.activeElement instanceof HTMLElement && list.contains(document.activeElement) ? document.activeElement.dataset : null;
  const [line, ply] = [focused?.["line"], focused?.["ply"]];
  draw();
  if (line === undefined) return;
  const row = [...list.querySelectorAll<HTMLElement>(`button[data-line="${line}"]`)];
  (row.find((button) => button.dataset["ply"] === ply) ?? row[row.length - 1])?.focus({ preventScroll: true });
}
