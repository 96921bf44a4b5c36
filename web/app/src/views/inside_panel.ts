// SPDX-License-Identifier: MIT
// The Inside tab, for learners: the sets of squares that the move generator works with, live for the position on the board.
// Everything shown comes from the library; this file only draws it.

import type { Inside, InsideSquare, MagicLookup, SquareSet } from "../../../package/index.js";
import type { Board } from "../board/board.js";
import { SQUARES } from "../board/geometry.js";
import { element, make } from "../dom.js";
import type { Session } from "../state/session.js";
import { TOPICS, type Topic } from "./inside_texts.js";

const STEPS = ["mask", "blockers", "product", "index", "attacks"] as const;
type Step = (typeof STEPS)[number];

const STEP_TEXTS: Record<Step, (lookup: MagicLookup) => string> = {
  mask: () => "1. The mask: squares on the rays whose occupation matters. The last square of a ray never does.",
  blockers: () => "2. Blockers: the occupied squares of the mask.",
  product: (lookup) => `3. Blockers × magic ${hex(lookup.magic)}: the product gathers their bits at the top.`,
  index: (lookup) => `4. Product >> ${lookup.shift} is the index ${lookup.index}; the square's part of the table begins at ${lookup.offset}.`,
  attacks: (lookup) => `5. Entry ${lookup.offset + lookup.index} of the table: the attacks of the ${lookup.slider}.`,
};

export class InsidePanel {
  private topic: Topic = TOPICS[0] as Topic;
  private square = "";
  private step: Step = "mask";
  private visible = false;
  private readonly select = element<HTMLSelectElement>("inside-topic");

  constructor(
    private readonly session: Session,
    private readonly board: Board,
  ) {
    for (const group of new Set(TOPICS.map((topic) => topic.group))) {
      const box = make("optgroup");
      box.label = group;
      box.append(...TOPICS.filter((topic) => topic.group === group).map((topic) => new Option(topic.name, topic.id)));
      this.select.append(box);
    }
    this.select.addEventListener("change", () => {
      this.topic = TOPICS.find((topic) => topic.id === this.select.value) ?? this.topic;
      this.draw();
    });
    // A click on the board chooses the square, and still moves pieces.
    const choose = (square: string | null): void => {
      if (!this.visible || !square) return;
      this.square = square;
      this.draw();
    };
    board.host.addEventListener("pointerdown", (event) => choose(board.squareAt(event.clientX, event.clientY)));
    board.host.addEventListener("focusin", () => choose(board.focused));
    element("inside-body").addEventListener("click", (event) => {
      const step = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-step]")?.dataset["step"] : undefined;
      if (STEPS.includes(step as Step)) {
        this.step = step as Step;
        this.draw();
      }
    });
    session.listen(() => this.draw());
  }

  show(visible: boolean): void {
    this.visible = visible;
    if (visible) this.draw();
    else this.board.showSet(null);
  }

  private draw(): void {
    if (!this.visible) return;
    const { rules, fen } = this.session;
    const inside = rules.inside(fen);
    if ("error" in inside) return;
    element("inside-text").textContent = this.topic.text;
    element<HTMLAnchorElement>("inside-link").href = `./internals.html#${this.topic.chapter}`;
    const { id } = this.topic;
    const chosen = this.chosen(id);
    element("inside-square").textContent = id.startsWith("square.") || id === "magic" ? `Square: ${chosen?.square ?? ""}. Click another one on the board.` : "";
    if (id === "keys") return this.drawKeys(inside);
    if (id === "perft") return this.drawPerft();
    if (id === "magic") return this.drawLookups(chosen);
    const set = id.startsWith("square.") ? chosen?.[id.slice(7) as "attacks"] : pick(inside, id);
    this.drawSet(set ?? 0n, id.startsWith("planes.") ? plane(inside, id) : null);
  }

  /** The square that the user chose, or one with a piece of the wanted kind. */
  private chosen(id: string): InsideSquare | null {
    const { rules, fen } = this.session;
    const pieces = this.board.placed();
    const isSlider = (square: string): boolean => /[qrb]/.test(pieces.get(square)?.[1] ?? "");
    const wanted = id === "magic" ? (isSlider(this.square) ? this.square : SQUARES.findLast(isSlider)) : pieces.has(this.square) || id === "square.attackers" ? this.square : "";
    const found = rules.insideSquare(fen, wanted || (SQUARES.findLast((square) => pieces.get(square)?.[0] === this.session.game.turn(this.session.current)) ?? "e1"));
    return "error" in found ? null : found;
  }

  private drawSet(set: SquareSet, planeNumber: bigint | null): void {
    this.board.showSet(squaresOf(set));
    const number = make("p", "inside-number", planeNumber === null ? hex(set) : `${hex(planeNumber)} as a plane`);
    element("inside-body").replaceChildren(grid(set), number, make("p", "hint", counted(set)));
  }

  private drawLookups(chosen: InsideSquare | null): void {
    const body = element("inside-body");
    body.replaceChildren();
    const lookups = chosen?.lookups ?? [];
    if (lookups.length === 0) {
      this.board.showSet([]);
      body.append(make("p", "hint", "There is no rook, bishop or queen on the board."));
      return;
    }
    const steps = make("div", "buttons");
    for (const step of STEPS) {
      const button = make("button", "toggle", step.charAt(0).toUpperCase() + step.slice(1));
      button.type = "button";
      button.dataset["step"] = step;
      button.setAttribute("aria-pressed", String(step === this.step));
      steps.append(button);
    }
    body.append(steps);
    const isSet = this.step !== "product" && this.step !== "index";
    let all = 0n;
    for (const lookup of lookups) {
      const value = this.step === "index" ? lookup.product >> BigInt(lookup.shift) : lookup[this.step];
      body.append(make("p", "", `${lookups.length > 1 ? `As a ${lookup.slider}: ` : ""}${STEP_TEXTS[this.step](lookup)}`), grid(value), make("p", "inside-number", hex(value)));
      if (isSet) all |= value;
    }
    this.board.showSet(isSet ? squaresOf(all) : []);
  }

  private drawKeys(inside: Inside): void {
    const { session } = this;
    this.board.showSet([]);
    const body = element("inside-body");
    const list = make("dl", "inside-keys");
    const add = (name: string, value: bigint): void => list.append(make("dt", "", name), make("dd", "inside-number", hex(value)));
    add("Side to move", inside.keys.own);
    add("Opponent", inside.keys.other);
    add("Pawns", inside.keys.pawns);
    body.replaceChildren(list);
    const parent = session.game.parent(session.current);
    const moved = parent && session.rules.insideMove(session.game.fen(parent.id), session.node.uci);
    if (!moved || "error" in moved) return void body.append(make("p", "hint", "Go to a move to see what it changed."));
    const changes = make("dl", "inside-keys");
    const change = (name: string, value: bigint): void => changes.append(make("dt", "", name), make("dd", "inside-number", hex(value)));
    change("Opponent before", moved.before.other);
    change("^ changed by", moved.otherToOwn);
    change("= side to move now", moved.after.own);
    change("Side to move before", moved.before.own);
    change("^ changed by", moved.ownToOther);
    change("= opponent now", moved.after.other);
    const words = Object.entries(moved.changed).filter(([, bits]) => bits !== 0n);
    const told = words.map(([name, bits]) => `${name}: ${squaresOf(bits).join(" ")}`).join("; ");
    body.append(make("h2", "", `What ${session.game.label(session.current)} changed`), changes, make("p", "hint", `Bits changed in the words: ${told}.`));
  }

  private drawPerft(): void {
    const { session } = this;
    this.board.showSet([]);
    const body = element("inside-body");
    const rows = make("table", "inside-perft");
    // Deeper counts would stop the page for seconds.
    for (const depth of [1, 2, 3]) {
      const counts = session.rules.perftDivide(session.fen, depth, session.game.chess960);
      if ("error" in counts) continue;
      const row = make("tr");
      row.append(make("th", "", `Depth ${depth}`), make("td", "", counts.total.toLocaleString("en")));
      rows.append(row);
      if (depth < 3) continue;
      for (const { san, nodes } of counts.moves) {
        const line = make("tr", "divide");
        line.append(make("td", "", san), make("td", "", nodes.toLocaleString("en")));
        rows.append(line);
      }
    }
    body.replaceChildren(rows);
  }
}

function pick(inside: Inside, id: string): SquareSet | undefined {
  const [first, second] = id.split(".") as [keyof Inside, string | undefined];
  if (first === "planes") return inside.planes[second as "us"].squares;
  if (first === "words") return inside.words[second as "pawns"];
  return inside[first] as SquareSet;
}

function plane(inside: Inside, id: string): bigint {
  return inside.planes[id.slice(7) as "us"].plane;
}

function squaresOf(set: SquareSet): string[] {
  return SQUARES.filter((_, index) => ((set >> BigInt(index)) & 1n) === 1n);
}

function hex(value: bigint): string {
  return `0x${value.toString(16).padStart(16, "0")}`;
}

function counted(set: SquareSet): string {
  const number = squaresOf(set).length;
  return number === 1 ? "1 square" : `${number} squares`;
}

/** The bits in the order of the squares, rank 8 on top. */
function grid(set: SquareSet): HTMLElement {
  const text = make("pre", "inside-grid");
  for (let rank = 0; rank < 8; rank++) {
    const bits = [...Array(8).keys()].map((file) => ((set >> BigInt(8 * rank + file)) & 1n ? "1" : "·"));
    text.append(`${8 - rank}  ${bits.join(" ")}\n`);
  }
  text.append("   a b c d e f g h");
  text.setAttribute("aria-label", squaresOf(set).join(", ") || "no square");
  text.setAttribute("role", "img");
  return text;
}
