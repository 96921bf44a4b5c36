// SPDX-License-Identifier: MIT
// The evaluation graph of the game: White's expected points after each move as a curve, mistakes as dots, the current
// move as a line. It is a slider: a click or an arrow key goes to a move.

import { element, makeSvg } from "../dom.js";
import { isMistake } from "../engine/judge.js";
import { expectation, words } from "../engine/score.js";
import type { Session } from "../state/session.js";
import type { GameNode } from "../state/tree.js";

const WIDTH = 400;
const HEIGHT = 96;

export class Graph {
  private readonly host = element("graph");
  private drawing = 0;

  constructor(private readonly session: Session) {
    this.host.addEventListener("pointerdown", (event) => {
      const box = this.host.getBoundingClientRect();
      const nodes = this.nodes();
      const index = Math.round(((event.clientX - box.left) / box.width) * (nodes.length - 1));
      session.go(nodes[Math.min(nodes.length - 1, Math.max(0, index))]);
    });
    this.host.addEventListener("keydown", (event) => {
      const nodes = this.nodes();
      const at = this.currentIndex(nodes);
      const steps: Record<string, number> = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: nodes.length - 1 };
      const to = steps[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      session.go(nodes[to]);
    });
    session.listen(() => this.refresh());
    this.refresh();
  }

  refresh(): void {
    this.drawing ||= requestAnimationFrame(() => {
      this.drawing = 0;
      this.draw();
    });
  }

  private nodes(): GameNode[] {
    return [this.session.game.root, ...this.session.game.mainLine()];
  }

  /** The index of the current node, or of its last ancestor on the main line. */
  private currentIndex(nodes: GameNode[]): number {
    const { game, current } = this.session;
    const line = new Map(nodes.map((node, index) => [node.id, index]));
    for (let node: GameNode | null = game.node(current); node; node = game.parent(node.id)) {
      const index = line.get(node.id);
      if (index !== undefined) return index;
    }
    return 0;
  }

  private draw(): void {
    const { session } = this;
    const nodes = this.nodes();
    const at = this.currentIndex(nodes);
    const last = Math.max(1, nodes.length - 1);
    const x = (index: number): string => ((index / last) * WIDTH).toFixed(1);
    const svg = makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    const scores = nodes.map((node) => session.score(node.id));
    // One area for each run of positions with scores: nothing is painted where there is none.
    let run: string[] = [];
    let first = 0;
    for (const [index, score] of [...scores, null].entries()) {
      if (score) {
        if (run.length === 0) first = index;
        run.push(`${x(index)},${((1 - expectation(score)) * HEIGHT).toFixed(1)}`);
        continue;
      }
      if (run.length > 1) {
        svg.append(makeSvg("path", { class: "ground", d: `M${x(first)},0 H${x(index - 1)} V${HEIGHT} H${x(first)}Z` }));
        svg.append(makeSvg("path", { class: "area", d: `M${x(first)},${HEIGHT} L${run.join(" L")} L${x(index - 1)},${HEIGHT}Z` }));
        svg.append(makeSvg("path", { class: "curve", d: `M${run.join(" L")}` }));
      }
      run = [];
    }
    const known = scores.filter((score) => score).length;
    svg.append(makeSvg("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
    svg.append(makeSvg("line", { class: "now", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT }));
    this.host.replaceChildren(svg, ...this.dots(nodes, last));
    this.host.classList.toggle("empty", known < 2);
    this.host.setAttribute("aria-valuemax", String(nodes.length - 1));
    this.host.setAttribute("aria-valuenow", String(at));
    const node = nodes[at];
    const score = scores[at];
    if (node) this.host.setAttribute("aria-valuetext", session.game.label(node.id) + (score ? `, ${words(score)}` : ""));
  }

  // Dots are HTML elements: in the stretched SVG they would be ellipses.
  private dots(nodes: GameNode[], last: number): HTMLElement[] {
    const dots: HTMLElement[] = [];
    for (const [index, node] of nodes.entries()) {
      const review = this.session.review?.moves.get(node.id);
      if (!review || !isMistake(review.judgement)) continue;
      const dot = document.createElement("span");
      dot.className = `dot ${review.judgement}`;
      dot.title = `${this.session.game.label(node.id)}: ${review.judgement}`;
      dot.style.left = `${((index / last) * 100).toFixed(2)}%`;
      dot.style.top = `${((1 - expectation(review.score)) * 100).toFixed(1)}%`;
      dots.push(dot);
    }
    return dots;
  }
}
