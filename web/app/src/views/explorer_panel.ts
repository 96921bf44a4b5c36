// SPDX-License-Identifier: MIT
// The Explore tab: which moves were played in this position in the games of the open file and the library, how these games
// ended, and the names of the openings. A click plays a move.

import type { ExplorerMove } from "../../../package/index.js";
import { element, make } from "../dom.js";
import type { Answer, Ask } from "../state/explorer_worker.js";
import type { Library } from "../state/library.js";
import type { Session } from "../state/session.js";
import { count } from "./game_list.js";
import type { Preview } from "./preview.js";

/** Milliseconds before changed games are counted again: a game that is being played is saved after every move. */
const DELAY = 1500;

export class ExplorerPanel {
  /** The open file; null if there is none. */
  file: () => Blob | null = () => null;
  onMove: (uci: string) => void = () => {};
  private worker: Worker | null = null;
  private visible = false;
  /** The sources changed since they were counted. */
  private stale = true;
  private waiting = 0;
  private number = 0;
  private asked = 0;
  private moves: readonly ExplorerMove[] = [];

  constructor(
    private readonly session: Session,
    private readonly library: Library,
    preview: Preview,
  ) {
    for (const id of ["explore-file", "explore-library"]) element(id).addEventListener("change", () => void this.index());
    const list = element("explore-moves");
    list.addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-uci]") : null;
      if (row) this.onMove(row.dataset["uci"] ?? "");
    });
    preview.listen(list, (target) => {
      const uci = target.closest<HTMLElement>("[data-uci]")?.dataset["uci"];
      return uci ? { fen: session.fen, moves: [uci] } : null;
    });
    session.listen(() => this.ask());
  }

  show(visible: boolean): void {
    this.visible = visible;
    if (visible && this.stale) void this.index();
    else this.ask();
  }

  /** The library or the open file changed. */
  changed(): void {
    this.stale = true;
    clearTimeout(this.waiting);
    if (this.visible) this.waiting = window.setTimeout(() => this.visible && this.stale && void this.index(), DELAY);
  }

  private async index(): Promise<void> {
    this.stale = false;
    const number = ++this.number;
    const wants = (id: string): boolean => element<HTMLInputElement>(id).checked;
    const file = this.file();
    element<HTMLInputElement>("explore-file").disabled = file === null;
    const texts = [...(file && wants("explore-file") ? [file] : [])];
    // A browser that stores no games has an empty library.
    if (wants("explore-library")) texts.push(await this.library.exportAll().catch(() => new Blob()));
    if (number !== this.number) return;
    this.worker ??= this.start();
    this.send({ kind: "index", number, texts });
  }

  private start(): Worker {
    const worker = new Worker(new URL("../state/explorer_worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", (event: MessageEvent<Answer>) => this.receive(event.data));
    return worker;
  }

  private send(ask: Ask): void {
    this.worker?.postMessage(ask);
  }

  private ask(): void {
    const { game, current } = this.session;
    if (this.visible && this.worker) this.send({ kind: "find", id: ++this.asked, fen: game.fen(current), chess960: game.chess960 });
  }

  private receive(answer: Answer): void {
    const text = element("explore-text");
    if (answer.kind === "error") {
      text.textContent = `Cannot count the games: ${answer.text}.`;
    } else if (answer.kind === "found") {
      if (answer.id !== this.asked) return;
      this.moves = answer.moves;
      this.draw();
    } else if (answer.number === this.number) {
      if (answer.kind === "progress") text.textContent = `Counting … ${Math.round(answer.share * 100)} %`;
      else {
        text.textContent = `${count(answer.games)}${answer.full ? ", more than fit: rare moves are left out" : ""}.`;
        this.ask();
      }
    }
  }

  private draw(): void {
    const list = element("explore-moves");
    if (this.moves.length === 0) {
      list.replaceChildren(make("p", "hint", "No game reaches this position. Open a PGN file, or play: your games are counted too."));
      return;
    }
    const all = this.moves.reduce((sum, move) => sum + games(move), 0);
    list.replaceChildren(...this.moves.map((move) => this.row(move, all)));
  }

  private row(move: ExplorerMove, all: number): HTMLElement {
    const row = make("button", "explore-row");
    row.type = "button";
    row.dataset["uci"] = move.uci;
    const number = games(move);
    const known = move.white + move.draws + move.black;
    const bar = make("span", "explore-bar");
    for (const [name, value] of [["white", move.white], ["draws", move.draws], ["black", move.black]] as const) {
      const part = make("span", name, known > 0 && value / known >= 0.3 ? `${Math.round((value / known) * 100)} %` : "");
      part.style.flexGrow = String(value);
      bar.append(part);
    }
    if (known === 0) bar.append(make("span", "none", "no results"));
    const opening = make("span", "explore-opening", move.opening ? `${move.opening.code} ${move.opening.name}` : "");
    const results = `White won ${move.white}, ${move.draws} draws, Black won ${move.black}`;
    bar.setAttribute("aria-hidden", "true"); // the same in words follows
    bar.title = results;
    row.append(make("strong", "", move.san), make("span", "explore-count", `${number.toLocaleString("en")} · ${Math.round((number / all) * 100)} %`), bar, opening, make("span", "hidden-text", results));
    return row;
  }
}

function games(move: ExplorerMove): number {
  return move.white + move.draws + move.black + move.unknown;
}
