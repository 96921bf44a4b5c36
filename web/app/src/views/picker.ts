// SPDX-License-Identifier: MIT
// Reads a file of games, with progress and a way to cancel, and shows a list to pick one from. The list can have hundreds
// of thousands of games; only the visible rows are elements.

import { element, make } from "../dom.js";
import type { Listed, Report } from "../state/pgn_worker.js";

/** The height of a row in pixels, as in panels.css. */
const ROW = 52;
/** Rows drawn above and below the visible ones. */
const MARGIN = 6;

export class Picker {
  private worker: Worker | null = null;
  private file: Blob | null = null;
  private games: Listed[] = [];
  private shown: Listed[] = [];
  private active = 0;
  private filtering = 0;

  /** Receives the text of a game that was picked. */
  onGame: (bytes: Uint8Array) => void = () => {};
  onError: (text: string) => void = () => {};

  constructor() {
    element("scan-cancel").addEventListener("click", () => this.cancel());
    element<HTMLInputElement>("picker-filter").addEventListener("input", () => {
      clearTimeout(this.filtering);
      this.filtering = window.setTimeout(() => this.filter(), 120);
    });
    const list = element("picker-list");
    list.addEventListener("scroll", () => this.draw());
    list.addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-index]") : null;
      if (row) this.pick(Number(row.dataset["index"]));
    });
    list.addEventListener("keydown", (event) => this.key(event));
  }

  /** Reads a file or text. Opens a single game at once; lists several. */
  open(file: Blob): void {
    this.close();
    this.file = file;
    this.active = 0;
    element("scan").hidden = file.size < 200_000;
    this.progress(0);
    const worker = new Worker(new URL("../state/pgn_worker.ts", import.meta.url), { type: "module" });
    this.worker = worker;
    worker.addEventListener("message", (event: MessageEvent<Report>) => {
      if (this.worker === worker) this.receive(event.data);
    });
    worker.addEventListener("error", () => this.fail("Cannot read the file."));
    worker.postMessage(file);
  }

  close(): void {
    this.worker?.terminate();
    this.worker = null;
    this.games = [];
    this.shown = [];
    element("scan").hidden = true;
    element("picker").hidden = true;
    element<HTMLInputElement>("picker-filter").value = "";
  }

  private cancel(): void {
    this.worker?.terminate();
    this.worker = null;
    element("scan").hidden = true;
    // The games read so far stay usable.
    if (this.games.length > 0) this.list(`Cancelled after ${count(this.games.length)}.`);
  }

  private receive(report: Report): void {
    if (report.kind === "progress") {
      const first = this.games.length === 0;
      // Not push(...): a chunk can hold more games than a call accepts arguments.
      for (const game of report.games) this.games.push(game);
      this.progress(report.bytes);
      // Shows the list while the file is read, so that the first games can be picked at once.
      if (this.file && this.file.size >= 200_000 && this.games.length > 1 && first) this.list("");
      else if (!element("picker").hidden) this.filter();
    } else if (report.kind === "error") {
      this.fail(`Cannot read the file: ${report.text}`);
    } else {
      this.finished();
    }
  }

  private finished(): void {
    this.worker?.terminate();
    this.worker = null;
    element("scan").hidden = true;
    if (this.games.length === 0) this.fail("The text contains no game. Expected PGN, such as: 1. e4 e5 2. Nf3 Nc6 *");
    else if (this.games.length === 1) this.pick(0, this.games);
    else this.list(`${count(this.games.length)}. Pick one.`);
  }

  private fail(text: string): void {
    this.close();
    this.onError(text);
  }

  private progress(bytes: number): void {
    const size = this.file?.size ?? 1;
    element<HTMLProgressElement>("scan-progress").value = bytes / Math.max(1, size);
    element("scan-text").textContent = `Reading: ${(bytes / 1e6).toFixed(0)} of ${(size / 1e6).toFixed(0)} MB, ${count(this.games.length)}`;
  }

  private list(text: string): void {
    element("picker").hidden = false;
    this.filter();
    if (text) element("picker-count").textContent = text;
  }

  private filter(): void {
    const wanted = element<HTMLInputElement>("picker-filter").value.trim().toLowerCase();
    const words = wanted.split(/\s+/);
    this.shown = wanted ? this.games.filter((game) => matches(game, words)) : this.games;
    this.active = Math.min(this.active, Math.max(0, this.shown.length - 1));
    element("picker-count").textContent = count(this.shown.length);
    this.draw();
  }

  private draw(): void {
    const list = element("picker-list");
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - MARGIN);
    const last = Math.min(this.shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + MARGIN);
    const space = make("div", "picker-space");
    space.style.height = `${this.shown.length * ROW}px`;
    for (let index = first; index < last; index++) {
      const game = this.shown[index];
      if (game) space.append(this.row(game, index));
    }
    list.replaceChildren(space);
    list.setAttribute("aria-activedescendant", `picker-row-${this.active}`);
  }

  private row(game: Listed, index: number): HTMLElement {
    const row = make("div", "picker-row");
    row.id = `picker-row-${index}`;
    row.dataset["index"] = String(index);
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(index === this.active));
    row.setAttribute("aria-setsize", String(this.shown.length));
    row.setAttribute("aria-posinset", String(index + 1));
    row.style.top = `${index * ROW}px`;
    row.append(make("span", "names", `${game.white || "?"} – ${game.black || "?"}`));
    row.append(make("span", "result", game.result.replace(/1\/2/g, "½")));
    const known = [game.eco, game.event, game.date.replace(/\.\?\?/g, "")].filter((part) => part && !/^\?/.test(part));
    const where = make("span", "where", known.join(", "));
    where.title = game.opening;
    row.append(where);
    row.append(make("span", "length", game.plies > 2 ? `${Math.ceil(game.plies / 2)} moves` : game.plies > 0 ? "1 move" : "no moves"));
    return row;
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(element("picker-list").clientHeight / ROW) - 1);
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (event.key === "Enter") this.pick(this.active);
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (step === undefined) return;
    this.active = Math.min(this.shown.length - 1, Math.max(0, this.active + step));
    const list = element("picker-list");
    const top = this.active * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    this.draw();
  }

  private pick(index: number, from: Listed[] = this.shown): void {
    const game = from[index];
    if (!game || !this.file) return;
    this.active = index;
    if (!element("picker").hidden) this.draw();
    this.file
      .slice(game.offset, game.offset + game.length)
      .arrayBuffer()
      .then((buffer) => this.onGame(new Uint8Array(buffer)))
      .catch(() => this.onError("Cannot read the file any more. It may have been moved or changed."));
  }
}

/** Every word is in a name, the event, the date, the result, the ECO code or the name of the opening. */
export function matches(game: Omit<Listed, "offset" | "length">, words: readonly string[]): boolean {
  const text = `${game.white} ${game.black} ${game.event} ${game.date} ${game.result} ${game.eco} ${game.opening}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export function count(games: number): string {
  return games === 1 ? "1 game" : `${games.toLocaleString("en")} games`;
}
