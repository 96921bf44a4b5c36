// SPDX-License-Identifier: MIT
// Reads a file of games, with progress and a way to cancel, and shows a list to pick one from.

import { element } from "../dom.js";
import type { Listed, Report } from "../state/pgn_worker.js";
import { count, describe, GameList, matches, wordsOf } from "./game_list.js";

/** Files of this size get a progress bar, and their list is shown while they are read. */
const LARGE = 200_000;

export class Picker {
  /** The open file and its games. */
  file: Blob | null = null;
  games: Listed[] = [];
  private worker: Worker | null = null;
  private filtering = 0;
  private readonly list = new GameList<Listed>(element("picker-list"), "picker-row", describe);

  /** Receives the text of a game that was picked. */
  onGame: (bytes: Uint8Array) => void = () => {};
  onError: (text: string) => void = () => {};
  /** Called when a file was read or closed. */
  onFile: () => void = () => {};

  constructor() {
    element("scan-cancel").addEventListener("click", () => this.cancel());
    element<HTMLInputElement>("picker-filter").addEventListener("input", () => {
      clearTimeout(this.filtering);
      this.filtering = window.setTimeout(() => this.filter(), 120);
    });
    this.list.onPick = (game) => this.open1(game);
  }

  /** Reads a file or text. Opens a single game at once; lists several. */
  open(file: Blob): void {
    this.close();
    this.file = file;
    this.list.active = 0;
    element("scan").hidden = file.size < LARGE;
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
    this.file = null;
    element("scan").hidden = true;
    element("picker").hidden = true;
    element<HTMLInputElement>("picker-filter").value = "";
    this.onFile();
  }

  private cancel(): void {
    this.worker?.terminate();
    this.worker = null;
    element("scan").hidden = true;
    // The games read so far stay usable.
    if (this.games.length > 0) this.show(`Cancelled after ${count(this.games.length)}.`);
    this.onFile();
  }

  private receive(report: Report): void {
    if (report.kind === "progress") {
      const first = this.games.length === 0;
      // Not push(...): a chunk can hold more games than a call accepts arguments.
      for (const game of report.games) this.games.push(game);
      this.progress(report.bytes);
      // Shows the list while the file is read, so that the first games can be picked at once.
      if (this.file && this.file.size >= LARGE && this.games.length > 1 && first) this.show("");
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
    const [only] = this.games;
    if (!only) this.fail("The text contains no game. Expected PGN, such as: 1. e4 e5 2. Nf3 Nc6 *");
    else if (this.games.length === 1) this.open1(only);
    else this.show(`${count(this.games.length)}. Pick one.`);
    this.onFile();
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

  private show(text: string): void {
    element("picker").hidden = false;
    this.filter();
    if (text) element("picker-count").textContent = text;
  }

  private filter(): void {
    const words = wordsOf(element<HTMLInputElement>("picker-filter").value);
    const shown = words.length > 0 ? this.games.filter((game) => matches(game, words)) : this.games;
    element("picker-count").textContent = count(shown.length);
    this.list.show(shown);
  }

  private open1(game: Listed): void {
    if (!this.file) return;
    this.file
      .slice(game.offset, game.offset + game.length)
      .arrayBuffer()
      .then((buffer) => this.onGame(new Uint8Array(buffer)))
      .catch(() => this.onError("Cannot read the file any more. It may have been moved or changed."));
  }
}
