// SPDX-License-Identifier: MIT
// The evaluation graph of the game: White's expected points after each move as a curve, mistakes as dots, the current
// move as a line. It is a slider: a click or an arrow key goes to a move.

import { element, makeSvg } from "./dom.js";
import type { GameNode } from "./game.js";
import { expectation, words } from "./score.js";
import type { Session } from "./session.js";

const WIDTH = 400;
const HEIGHT = 96;
const MARKED: Record<number, string> = { 6: "inaccuracy", 2: "mistake", 4: "blunder" };

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
    return [this.session.tree.root, ...this.session.tree.mainLine()];
  }

  /** The index of the current node, or of its last ancestor on the main line. */
  private currentIndex(nodes: GameNode[]): number {
    const line = new Set(nodes);
    let node: GameNode = this.session.tree.current;
    while (!line.has(node) && node.parent) node = node.parent;
    return nodes.indexOf(node);
  }

  private draw(): void {
    const nodes = this.nodes();
    const at = this.currentIndex(nodes);
    const last = Math.max(1, nodes.length - 1);
    const x = (index: number): number => (index / last) * WIDTH;
    const y = (node: GameNode): number => (node.score ? (1 - expectation(node.score)) * HEIGHT : HEIGHT / 2);
    const svg = makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    const known = nodes.map((node, index) => ({ node, index })).filter(({ node }) => node.score);
    if (known.length > 1) {
      const curve = known.map(({ node, index }) => `${x(index).toFixed(1)},${y(node).toFixed(1)}`).join(" L");
      const first = known[0]?.index ?? 0;
      const end = known[known.length - 1]?.index ?? last;
      svg.append(makeSvg("path", { class: "area", d: `M${x(first)},${HEIGHT} L${curve} L${x(end)},${HEIGHT}Z` }));
      svg.append(makeSvg("path", { class: "curve", d: `M${curve}` }));
    }
    svg.append(makeSvg("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
    svg.append(makeSvg("line", { class: "now", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT }));
    this.host.replaceChildren(svg, ...this.dots(nodes, last));
    this.host.classList.toggle("empty", known.length < 2);
    this.host.setAttribute("aria-valuemax", String(nodes.length - 1));
    this.host.setAttribute("aria-valuenow", String(at));
    const node = nodes[at];
    if (node) this.host.setAttribute("aria-valuetext", this.session.tree.label(node) + (node.score ? `, ${words(node.score)}` : ""));
  }

  // Dots are HTML elements: in the stretched SVG they would be ellipses.
  private dots(nodes: GameNode[], last: number): HTMLElement[] {
    const dots: HTMLElement[] = [];
    for (const [index, node] of nodes.entries()) {
      const kind = node.nags.map((nag) => MARKED[nag]).find((name) => name);
      if (!kind || !node.score) continue;
      const dot = document.createElement("span");
      dot.className = `dot ${kind}`;
      dot.title = `${this.session.tree.label(node)}: ${kind}`;
      dot.style.left = `${((index / last) * 100).toFixed(2)}%`;
      dot.style.top = `${((1 - expectation(node.score)) * 100).toFixed(1)}%`;
      dots.push(dot);
    }
    return dots;
  }
}
