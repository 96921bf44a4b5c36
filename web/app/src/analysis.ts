// SPDX-License-Identifier: MIT
// Live analysis: the engine searches the position on the board until it changes. Variations are shown in SAN; a click on a
// move adds the variation up to it to the game. The threat view searches the position after a null move.

import type { Arrow, Board } from "./board.js";
import type { Bar } from "./bar.js";
import { element, make, press } from "./dom.js";
import type { EngineClient, Search } from "./engine.js";
import { afterNullMove } from "./fen.js";
import { failed, type GameNode } from "./game.js";
import { flipped, text, words, type Score } from "./score.js";
import type { Session } from "./session.js";
import { outcome, shortNumber } from "./words.js";
import type { Info } from "./uci.js";

interface Line {
  score: Score;
  depth: number;
  uci: string[];
}

/** A score of this depth replaces the stored score of a node. */
const MIN_STORED_DEPTH = 8;

export interface AnalysisOptions {
  lines: number;
  arrows: boolean;
}

export class Analysis {
  on = false;
  threat = false;
  options: AnalysisOptions = { lines: 3, arrows: true };
  /** Called when a node of the game has a new score. */
  onScore: () => void = () => {};
  /** True during a game against Luft, when analysis would help the user. */
  blocked: () => boolean = () => false;

  private search: Search | null = null;
  private lines: Line[] = [];
  /** The lines on the page, which can be older. */
  private shown: Line[] = [];
  private info: Info | null = null;
  private fen = "";
  private drawing = 0;
  /** A pointer is down on the lines. */
  private pressed = false;

  constructor(
    private readonly session: Session,
    private readonly engine: EngineClient,
    private readonly board: Board,
    private readonly bar: Bar,
  ) {
    this.listenToLines();
  }

  private listenToLines(): void {
    const list = element("lines-list");
    list.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button[data-line]") : null;
      if (button) this.follow(Number(button.dataset["line"]), Number(button.dataset["ply"]));
    });
    // A button that is replaced while it is pressed receives no click.
    list.addEventListener("pointerdown", () => (this.pressed = true));
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => (this.pressed = false));
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

  toggle(on = !this.on): void {
    this.on = on && !this.blocked();
    this.restart();
  }

  toggleThreat(): void {
    if (this.blocked()) return;
    this.threat = !this.threat;
    if (this.threat && !this.on) this.toggle(true);
    else this.restart();
  }

  /** Starts again after a change of the position or the options. */
  restart(): void {
    element("analyse-toggle").setAttribute("aria-checked", String(this.on));
    press(element("threat"), this.threat && this.on);
    this.search?.stop();
    this.search = null;
    this.lines = [];
    this.info = null;
    const { tree } = this.session;
    const node = tree.current;
    this.board.arrows([]);
    this.bar.show(node.score);
    if (!this.on || this.blocked() || document.hidden) return this.draw();
    const request = { ...tree.history(node), chess960: tree.chess960 };
    this.fen = tree.fen(node);
    if (tree.position(node).moves.length === 0) return this.draw(outcome(tree.status(node)));
    if (this.threat) {
      const position = this.session.rules.position(afterNullMove(this.fen), tree.chess960);
      if (failed(position)) return this.draw("No threat to show: the side to move is in check.");
      if (position.moves.length === 0) return this.draw("No threat to show: the opponent has no legal move.");
      this.fen = position.fen;
      Object.assign(request, { start: position.fen, moves: [] });
    }
    const search = this.engine.search({
      ...request,
      go: "infinite",
      lines: this.options.lines,
      onInfo: (info) => this.receive(node, info),
    });
    this.search = search;
    // A search that ends without being stopped: the engine has failed permanently.
    void search.done.then(() => this.search === search && this.toggle(false));
    this.draw();
  }


  private receive(node: GameNode, info: Info): void {
    if (node !== this.session.tree.current || info.pv.length === 0) return;
    if (info.bound && info.multipv > 1) return;
    const blackToMove = this.fen.split(" ")[1] === "b";
    const score = blackToMove ? flipped(info.score) : info.score;
    this.lines[info.multipv - 1] = { score, depth: info.depth, uci: info.pv };
    this.info = info;
    // The first iterations must not replace the score of an earlier, deeper search.
    if (info.multipv === 1 && !this.threat && !info.bound && (info.depth >= MIN_STORED_DEPTH || !node.score)) {
      node.score = score;
      if (info.depth >= MIN_STORED_DEPTH) this.onScore();
    }
    // Limits redrawing to 12 times per second; the engine reports more often.
    this.drawing ||= window.setTimeout(() => {
      this.drawing = 0;
      if (this.search) this.draw();
    }, 80);
  }

  private draw(instead = ""): void {
    const lines = this.lines.filter((line) => line !== undefined);
    const { info } = this;
    element("speed").textContent =
      this.on && info ? `Depth ${info.depth} · ${shortNumber(info.nodes)} nodes · ${shortNumber(info.nps)}/s` : "";
    const list = element("lines-list");
    if (lines.length > 0) {
      if (!this.pressed) {
        this.shown = lines;
        keepFocus(list, () => list.replaceChildren(...lines.map((line, index) => this.row(line, index))));
      }
    } else if (instead) list.replaceChildren(make("li", "hint", instead));
    else if (!this.on) list.replaceChildren(make("li", "hint", this.blocked() ? "No analysis during a game against Luft." : "The engine is off."));
    else list.replaceChildren(make("li", "hint", "Searching …"));
    list.classList.toggle("is-threat", this.threat && this.on);
    const [best] = lines;
    if (best && !this.threat) this.bar.show(best.score);
    if (lines.length > 0) this.board.arrows(this.options.arrows || this.threat ? this.arrows(lines) : []);
  }

  private arrows(lines: Line[]): Arrow[] {
    const moves = this.session.rules.position(this.fen, this.session.tree.chess960);
    if (failed(moves)) return [];
    const arrows: Arrow[] = [];
    for (const [index, line] of lines.entries()) {
      const move = moves.moves.find((each) => each.uci === line.uci[0]);
      if (!move) continue;
      arrows.push({ kind: this.threat ? "threat" : index === 0 ? "best" : "other", from: move.from, to: move.to });
      if (this.threat) break;
    }
    return arrows.reverse(); // draws the best one last, on top
  }

  private row(line: Line, index: number): HTMLElement {
    const { rules } = this.session;
    const item = make("li", "line");
    const badge = make("span", `score ${(line.score.cp ?? line.score.mate ?? 0) < 0 ? "black" : "white"}`, text(line.score));
    badge.setAttribute("role", "img");
    badge.setAttribute("aria-label", words(line.score));
    item.append(badge);
    const moves = make("span", "line-moves");
    const fields = this.fen.split(" ");
    let black = fields[1] === "b";
    let number = Number(fields[5]) || 1;
    for (const [ply, san] of rules.sanLine(this.fen, line.uci.slice(0, 24)).entries()) {
      if (!black || ply === 0) moves.append(make("span", "number", `${number}${black ? "…" : "."}`));
      if (this.threat) {
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
    if (!line || this.threat) return;
    const { tree } = this.session;
    let node = tree.current;
    for (const move of line.uci.slice(0, ply + 1)) {
      const next = tree.play(move, node);
      if (failed(next)) break;
      node = next;
    }
    this.session.edited();
    this.session.go(node);
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
