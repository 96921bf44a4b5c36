// SPDX-License-Identifier: MIT
// The move list: the main line in two columns, variations and comments in between, and the review's signs and better
// variations as a layer of their own. A click on a move goes to it. A change updates only the elements that differ.

import { clockOf, readable } from "../state/comments.js";
import { element, make } from "../dom.js";
import { isMistake, SIGNS } from "../engine/judge.js";
import { explain } from "../engine/review.js";
import type { Session } from "../state/session.js";
import type { GameNode } from "../state/tree.js";
import { List, type Item } from "./list.js";

export const NAG_SIGNS: Record<number, string> = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+", 146: "N",
};

export class MoveList {
  private readonly host = element("moves");
  private readonly headers = element("headers");
  private readonly rows = new List(this.host);
  /** The list of moves inside each variation. */
  private readonly inner = new WeakMap<HTMLElement, List>();
  private readonly buttons = new Map<number, HTMLButtonElement>();
  private marked: HTMLButtonElement | null = null;

  constructor(private readonly session: Session) {
    this.host.addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target : null;
      const move = target?.closest<HTMLElement>("button.move");
      const better = target?.closest<HTMLElement>("button.better");
      if (better) this.addBetter(Number(better.dataset["of"]), Number(better.dataset["plies"]));
      else if (move) session.go(Number(move.dataset["id"]));
    });
    session.listen((change) => (change === "node" ? this.mark() : this.update()));
    // The engine's lines and the comment field take room from the list.
    new ResizeObserver(() => this.marked && this.reveal(this.marked)).observe(this.host);
    this.update();
  }

  private update(): void {
    const { game } = this.session;
    this.rows.show(this.items());
    for (const id of this.buttons.keys()) if (!game.has(id)) this.buttons.delete(id);
    this.title();
    this.mark();
  }

  private *items(): Generator<Item> {
    const { game } = this.session;
    yield* this.remark(game.root.id, game.root.after);
    let white: GameNode | null = null;
    const startsBlack = game.turn(game.root.id) === "b";
    let ply = startsBlack ? 1 : 0;
    let number = game.root.children[0] ? game.moveNumber(game.root.children[0].id) : 1;
    for (let parent = game.root, node = parent.children[0]; node; parent = node, node = node.children[0], ply++) {
      const isWhite = ply % 2 === 0;
      if (readable(node.before)) {
        if (white) yield this.row(white, null, number);
        white = null;
        yield* this.remark(-node.id, node.before);
      }
      const notes = [...this.notes(parent, node)];
      const ends = notes.length > 0 || !node.children[0];
      if (isWhite && !ends) white = node;
      else {
        yield isWhite ? this.row(node, null, number) : this.row(white, node, number);
        white = null;
        yield* notes;
      }
      if (!isWhite) number++;
    }
    if (game.result !== "*" && game.root.children.length > 0) yield text("result", "p", "result", game.result.replace(/1\/2/g, "½"));
    if (game.root.children.length === 0) yield text("empty", "p", "hint", "No moves yet. Move a piece to begin.");
  }

  /** What stands between two moves of the main line: comments, the review's remark, variations. */
  private *notes(parent: GameNode, node: GameNode): Generator<Item> {
    yield* this.remark(node.id, node.after);
    yield* this.reviewNote(node);
    for (const other of parent.children.slice(1)) yield this.variation(parent, other);
  }

  private *remark(id: number, comment: string): Generator<Item> {
    const shown = comment ? readable(comment) : "";
    if (shown) yield text(`c${id}`, "p", "remark", shown);
  }

  private row(white: GameNode | null, black: GameNode | null, number: number): Item {
    const first = white ?? black;
    return {
      key: `r${first?.id}`,
      same: [white?.id, black?.id, number],
      make: () => make("div", "move-row"),
      update: (row, isNew) => {
        if (!isNew) {
          for (const node of [white, black]) if (node) this.button(node);
          return;
        }
        row.append(make("span", "number", `${number}.`));
        if (white) row.append(this.button(white));
        else row.append(make("span", "gap", "…"));
        if (black) row.append(this.button(black));
      },
      always: true,
    };
  }

  /** A variation with the variations inside it. Skips those that did not change. */
  private variation(parent: GameNode, first: GameNode): Item {
    return {
      key: `v${first.id}`,
      same: [first],
      make: () => make("div", "variation"),
      update: (block) => {
        const list = this.inner.get(block) ?? new List(block);
        this.inner.set(block, list);
        list.show(this.variationItems(parent, first));
      },
    };
  }

  private *variationItems(start: GameNode, first: GameNode): Generator<Item> {
    const { game } = this.session;
    let numbered = false;
    for (let parent = start, node: GameNode | undefined = first; node; parent = node, node = node.children[0]) {
      const move = node;
      const isWhite = game.movedBy(node.id) === "w";
      if (readable(node.before)) yield text(`b${node.id}`, "span", "remark", `${readable(node.before)} `);
      if (!numbered || isWhite) yield text(`n${node.id}`, "span", "number", `${game.moveNumber(node.id)}${isWhite ? "." : "…"}`);
      numbered = true;
      yield { key: `m${node.id}`, same: [node.san], make: () => this.button(move), update: () => void this.button(move), always: true };
      const note = readable(node.after);
      if (note) yield text(`c${node.id}`, "span", "remark", ` ${note} `);
      numbered = !note;
      if (node !== first) {
        for (const other of parent.children.slice(1)) {
          yield this.variation(parent, other);
          numbered = false;
        }
      }
    }
  }

  /** The button of a move, with its present signs and clock. */
  private button(node: GameNode): HTMLButtonElement {
    const review = this.session.review?.moves.get(node.id)?.judgement;
    const sign = review ? SIGNS[review] : undefined;
    const isSigned = node.nags.some((nag) => nag >= 1 && nag <= 6);
    const clock = clockOf(node.after);
    const state = `${node.nags.join()} ${clock} ${sign && !isSigned ? sign.nag : ""}`;
    let button = this.buttons.get(node.id);
    if (button?.dataset["state"] === state) return button;
    if (!button) {
      button = make("button", "move");
      button.type = "button";
      button.tabIndex = -1;
      button.dataset["id"] = String(node.id);
      this.buttons.set(node.id, button);
    }
    button.dataset["state"] = state;
    const signs = node.nags.map((nag) => make("span", `sign nag-${nag}`, NAG_SIGNS[nag] ?? `$${nag}`));
    if (sign && !isSigned) signs.push(make("span", `sign engine nag-${sign.nag}`, sign.sign));
    button.replaceChildren(node.san, ...signs);
    if (clock) button.append(make("span", "move-clock", clock));
    button.setAttribute("aria-label", this.session.game.label(node.id) + signs.map((each) => ` ${each.textContent}`).join("") + (clock ? `, ${clock} left` : ""));
    return button;
  }

  /** The engine's remark about a mistake, with the better variation. */
  private *reviewNote(node: GameNode): Generator<Item> {
    const { review, game, rules } = this.session;
    const one = review?.moves.get(node.id);
    if (!review || !one || !isMistake(one.judgement)) return;
    yield {
      key: `e${node.id}`,
      same: [one],
      make: () => make("p", `remark engine ${one.judgement ?? ""}`),
      update: (note) => {
        const parent = game.parent(node.id);
        note.replaceChildren(make("span", "", `${explain(rules, game, review, node)} `));
        const sans = parent ? rules.sanLine(game.fen(parent.id), [...one.better]) : [];
        for (const [index, san] of sans.slice(0, 6).entries()) {
          const button = make("button", "better", san);
          button.type = "button";
          button.tabIndex = -1;
          button.title = "Add this variation to the game";
          button.dataset["of"] = String(node.id);
          button.dataset["plies"] = String(index + 1);
          note.append(button, " ");
        }
      },
    };
  }

  /** Adds the engine's variation to the game: from now on it is the user's. */
  private addBetter(id: number, plies: number): void {
    const { session } = this;
    const better = session.review?.moves.get(id)?.better ?? [];
    const parent = session.game.has(id) ? session.game.parent(id) : null;
    if (!parent) return;
    const added = session.game.playLine(better.slice(0, plies), parent.id);
    if (added.game === session.game) session.go(added.id);
    else session.edit("adding the engine's variation", added.game, { current: added.id });
  }

  private title(): void {
    const { White, Black, Event, Date: date, WhiteElo, BlackElo } = this.session.game.tags;
    const known = (value: string | undefined): value is string => !!value && !/^[?.]+$/.test(value);
    const player = (name: string | undefined, elo: string | undefined): string => (name ?? "?") + (known(elo) ? ` (${elo})` : "");
    const names = known(White) || known(Black) ? `${player(White, WhiteElo)} – ${player(Black, BlackElo)}` : "";
    const rest = [Event, date?.slice(0, 4)].filter(known).join(", ");
    this.headers.replaceChildren(...[make("strong", "", names), make("span", "", rest)].filter((part) => part.textContent));
    this.headers.hidden = !this.headers.hasChildNodes();
  }

  private mark(): void {
    this.marked?.removeAttribute("aria-current");
    if (this.marked) this.marked.tabIndex = -1;
    this.marked = this.buttons.get(this.session.current) ?? null;
    if (this.marked) {
      this.marked.setAttribute("aria-current", "true");
      this.marked.tabIndex = 0;
      this.reveal(this.marked);
    } else {
      this.host.scrollTop = 0;
    }
  }

  // Scrolls only the list; scrollIntoView would also scroll the page on a phone.
  private reveal(button: HTMLElement): void {
    const inside = this.host.getBoundingClientRect();
    const place = button.getBoundingClientRect();
    if (place.top < inside.top) this.host.scrollTop += place.top - inside.top - 8;
    else if (place.bottom > inside.bottom) this.host.scrollTop += place.bottom - inside.bottom + 8;
  }
}

function text(key: string, tag: "p" | "span", className: string, value: string): Item {
  return { key, same: [value], make: () => make(tag, className), update: (made) => void (made.textContent = value) };
}
