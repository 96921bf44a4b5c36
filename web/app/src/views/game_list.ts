// SPDX-License-Identifier: MIT
// A list of games to choose from. It can have hundreds of thousands of rows; only the visible ones are elements.

import { make } from "../dom.js";

export interface Row {
  title: string;
  result: string;
  /** The second line, left and right. */
  details: string;
  length: string;
  hint: string;
}

/** The height of a row in pixels, as in panels.css. */
const HEIGHT = 52;
/** Rows drawn above and below the visible ones. */
const MARGIN = 6;

export class GameList<T> {
  items: readonly T[] = [];
  active = 0;
  onPick: (item: T, index: number) => void = () => {};

  /** `id` is unique on the page: the rows get ids from it. */
  constructor(
    private readonly host: HTMLElement,
    private readonly id: string,
    private readonly row: (item: T) => Row,
  ) {
    host.addEventListener("scroll", () => this.draw());
    host.addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-index]") : null;
      if (target) this.pick(Number(target.dataset["index"]));
    });
    host.addEventListener("keydown", (event) => this.key(event));
  }

  show(items: readonly T[]): void {
    this.items = items;
    this.active = Math.min(this.active, Math.max(0, items.length - 1));
    this.draw();
  }

  draw(): void {
    const { host } = this;
    const first = Math.max(0, Math.floor(host.scrollTop / HEIGHT) - MARGIN);
    const last = Math.min(this.items.length, Math.ceil((host.scrollTop + host.clientHeight) / HEIGHT) + MARGIN);
    const space = make("div", "picker-space");
    space.style.height = `${this.items.length * HEIGHT}px`;
    for (let index = first; index < last; index++) {
      const item = this.items[index];
      if (item !== undefined) space.append(this.element(this.row(item), index));
    }
    host.replaceChildren(space);
    if (this.items.length > 0) host.setAttribute("aria-activedescendant", `${this.id}-${this.active}`);
    else host.removeAttribute("aria-activedescendant");
  }

  pick(index: number): void {
    const item = this.items[index];
    if (item === undefined) return;
    this.active = index;
    this.draw();
    this.onPick(item, index);
  }

  private element(row: Row, index: number): HTMLElement {
    const element = make("div", "picker-row");
    element.id = `${this.id}-${index}`;
    element.dataset["index"] = String(index);
    element.setAttribute("role", "option");
    element.setAttribute("aria-selected", String(index === this.active));
    element.setAttribute("aria-setsize", String(this.items.length));
    element.setAttribute("aria-posinset", String(index + 1));
    element.style.top = `${index * HEIGHT}px`;
    const details = make("span", "where", row.details);
    details.title = row.hint;
    element.append(make("span", "names", row.title), make("span", "result", row.result.replace(/1\/2/g, "½")), details, make("span", "length", row.length));
    return element;
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.host.clientHeight / HEIGHT) - 1);
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (event.key === "Enter") this.pick(this.active);
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (step === undefined) return;
    this.active = Math.min(this.items.length - 1, Math.max(0, this.active + step));
    const top = this.active * HEIGHT;
    if (top < this.host.scrollTop) this.host.scrollTop = top;
    else if (top + HEIGHT > this.host.scrollTop + this.host.clientHeight) this.host.scrollTop = top + HEIGHT - this.host.clientHeight;
    this.draw();
  }
}

interface Described {
  white: string;
  black: string;
  event: string;
  date: string;
  result: string;
  eco: string;
  opening: string;
  plies: number;
}

/** The row of a game with these tags. */
export function describe(game: Described): Row {
  const known = [game.eco, game.event, game.date.replace(/\.\?\?/g, "")].filter((part) => part && !/^\?/.test(part));
  const length = game.plies > 2 ? `${Math.ceil(game.plies / 2)} moves` : game.plies > 0 ? "1 move" : "no moves";
  return { title: `${game.white || "?"} – ${game.black || "?"}`, result: game.result, details: known.join(", "), length, hint: game.opening };
}

/** Every word is in a name, the event, the date, the result, the ECO code or the name of the opening. */
export function matches(game: Described & { name?: string }, words: readonly string[]): boolean {
  const text = `${game.name ?? ""} ${game.white} ${game.black} ${game.event} ${game.date} ${game.result} ${game.eco} ${game.opening}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export function wordsOf(text: string): string[] {
  return text.trim().toLowerCase().split(/\s+/).filter(Boolean);
}

export function count(games: number): string {
  return games === 1 ? "1 game" : `${games.toLocaleString("en")} games`;
}
