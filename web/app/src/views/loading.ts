// SPDX-License-Identifier: MIT
// Import and export: loads a FEN or PGN that the user pastes, types, drops or opens; copies or saves PGN, FEN and link.

import { element, notice } from "../dom.js";
import { completeFen, explainLink, looksLikeFen, MAX_FEN_LENGTH } from "../state/fen.js";
import { failed, Game } from "../state/game.js";
import type { Session } from "../state/session.js";
import { Picker } from "./picker.js";
import { TABLE_NAME } from "./tables_panel.js";

export class Loading {
  readonly games = new Picker();

  /** Called after a game or position was loaded. */
  onOpened: () => void = () => {};
  /** The reason why nothing can be loaded now; empty if there is none. */
  blocked: () => string = () => "";
  /** Called when text arrives outside the Game tab, which should then be shown. */
  onArrived: () => void = () => {};
  /** Called with tablebase files that were dropped. */
  onTables: (files: File[]) => void = () => {};
  /** Returns the link to the game on the board, with a note if it does not contain all of it. */
  makeLink: () => Promise<{ link: string; note: string }> = () => Promise.resolve({ link: location.href, note: "" });
  /** Writes the game on the board as PGN. */
  writePgn: () => string = () => "";

  constructor(private readonly session: Session) {
    this.games.onError = (text) => this.error(text);
    this.games.onGame = (bytes) => this.openPgn(bytes);
    const field = element<HTMLTextAreaElement>("load-text");
    element("load-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.text(field.value);
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.text(field.value);
    });
    element<HTMLInputElement>("file").addEventListener("change", (event) => {
      const input = event.target as HTMLInputElement;
      const file = input.files?.[0];
      if (file) this.file(file);
      input.value = "";
    });
    this.listenToDrops();
    this.listenToButtons();
  }

  /** Loads a FEN or PGN. */
  text(text: string): void {
    const plain = text.trim();
    this.error(this.blocked());
    if (this.blocked()) return;
    if (!plain) return this.error("Paste a FEN or PGN first.");
    const link = explainLink(plain);
    if (link) return this.error(link);
    if (looksLikeFen(plain)) this.openFen(plain);
    else this.games.open(new Blob([plain]));
  }

  file(file: File): void {
    this.onArrived();
    this.error(this.blocked());
    if (this.blocked()) return;
    if (file.size > MAX_FEN_LENGTH) return this.games.open(file);
    file.text().then((text) => this.text(text), () => this.error("Cannot read the file."));
  }

  private openFen(text: string): void {
    const fen = completeFen(text);
    const chess960 = /^\S+ [wb] [A-Ha-h]+ /.test(fen);
    const game = Game.fromFen(this.session.rules, fen, chess960);
    if (failed(game)) return this.error(game.error);
    this.games.close();
    this.opened(game);
  }

  private openPgn(bytes: Uint8Array): void {
    if (this.blocked()) return this.error(this.blocked());
    const read = this.session.rules.readPgn(bytes);
    if (failed(read)) return this.error(read.error);
    const nothing = read.moves.length === 0 && (read.error || (Object.keys(read.tags).length === 0 && !read.comment));
    if (nothing) return this.error(`This is neither a game nor a position. ${read.error ? `${read.error}.` : "Expected PGN, such as: 1. e4 e5 2. Nf3"}`);
    this.opened(Game.fromPgn(this.session.rules, read));
    if (read.error) this.error(`The game ends at an error: ${read.error}`);
  }

  private opened(game: Game): void {
    this.error("");
    this.session.open(game);
    this.onOpened();
  }

  private error(text: string): void {
    element("load-error").textContent = text;
    element("load-text").setAttribute("aria-invalid", String(text !== ""));
  }

  private listenToDrops(): void {
    addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) document.body.classList.remove("dropping");
    });
    addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      const files = [...(event.dataTransfer?.files ?? [])];
      const tables = files.filter((one) => TABLE_NAME.test(one.name));
      if (tables.length > 0) return this.onTables(tables);
      const file = files[0];
      const text = event.dataTransfer?.getData("text/plain");
      if (file) this.file(file);
      else if (text) {
        this.onArrived();
        this.text(text);
      }
    });
    addEventListener("paste", (event) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      const text = event.clipboardData?.getData("text/plain");
      if (!text) return;
      this.onArrived();
      this.text(text);
    });
  }

  private listenToButtons(): void {
    const { session } = this;
    const copy = (id: string, what: string, text: () => Promise<{ link: string; note: string }>): void =>
      element(id).addEventListener("click", () => {
        void text().then(({ link, note }) =>
          navigator.clipboard.writeText(link).then(
            () => (element("copy-text").textContent = `${what} copied. ${note}`.trim()),
            () => notice(`The browser does not allow copying. ${what}: ${link}`, 20),
          ),
        );
      });
    copy("copy-pgn", "PGN", () => Promise.resolve({ link: this.writePgn(), note: "" }));
    copy("copy-fen", "FEN", () => Promise.resolve({ link: session.fen, note: "" }));
    copy("copy-link", "Link", () => this.makeLink());
    element("save-pgn").addEventListener("click", () => download(this.writePgn(), fileName(session.game)));
  }
}

/** Offers a text as a file. */
export function download(text: string | Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function fileName(game: Game): string {
  const { White = "", Black = "" } = game.tags;
  const plain = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 30);
  return `${[plain(White), plain(Black)].filter(Boolean).join("-") || "game"}.pgn`;
}
