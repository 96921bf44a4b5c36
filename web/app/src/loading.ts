// SPDX-License-Identifier: MIT
// Import and export: loads a FEN or PGN that the user pastes, types, drops or opens; copies or saves PGN, FEN and link.

import type { Game } from "../../package/index.js";
import { element, notice } from "./dom.js";
import { looksLikeFen, MAX_FEN_LENGTH } from "./fen.js";
import { failed, GameTree } from "./game.js";
import { GamesFile } from "./games_file.js";
import { pgnEval } from "./score.js";
import type { Session } from "./session.js";

export class Loading {
  private readonly games = new GamesFile();

  /** Called after a game or position was loaded. */
  onOpened: () => void = () => {};
  /** The reason why nothing can be loaded now; empty if there is none. */
  blocked: () => string = () => "";
  /** Called when text arrives outside the Game tab, which should then be shown. */
  onArrived: () => void = () => {};
  /** Called before the address is copied, because its update is delayed. */
  onLinkWanted: () => void = () => {};

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

  private openFen(fen: string): void {
    const chess960 = /^\S+ [wb] [A-Ha-h]+ /.test(fen);
    const tree = GameTree.fromFen(this.session.rules, fen, chess960);
    if (failed(tree)) return this.error(tree.error);
    this.games.close();
    this.opened(tree);
  }

  private openPgn(bytes: Uint8Array): void {
    if (this.blocked()) return this.error(this.blocked());
    const game = this.session.rules.readPgn(bytes);
    if (failed(game)) return this.error(game.error);
    this.opened(GameTree.fromGame(this.session.rules, game));
    if (game.error) this.error(`The game ends at an error: ${game.error}`);
  }

  private opened(tree: GameTree): void {
    this.error("");
    this.session.open(tree);
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
      const file = event.dataTransfer?.files[0];
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
    const copy = (id: string, what: string, text: () => string): void =>
      element(id).addEventListener("click", () => {
        navigator.clipboard.writeText(text()).then(
          () => (element("copy-text").textContent = `${what} copied.`),
          () => notice(`The browser does not allow copying. ${what}: ${text()}`, 20),
        );
      });
    const pgn = (): string => session.rules.writePgn(withEvals(session.tree));
    copy("copy-pgn", "PGN", pgn);
    copy("copy-fen", "FEN", () => session.tree.fen());
    copy("copy-link", "Link", () => {
      this.onLinkWanted();
      return location.href;
    });
    element("save-pgn").addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([pgn()], { type: "application/x-chess-pgn" }));
      link.download = fileName(session.tree);
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }
}

/** The game with the engine's scores as [%eval] in the comments. */
export function withEvals(tree: GameTree): Game {
  const scored = [...tree.all()].filter((node) => node.score && !node.after.includes("[%eval"));
  const before = scored.map((node) => node.after);
  for (const node of scored) if (node.score) node.after = `${pgnEval(node.score)} ${node.after}`.trim();
  const game = tree.toGame();
  for (const [index, node] of scored.entries()) node.after = before[index] ?? "";
  return game;
}

function fileName(tree: GameTree): string {
  const { White = "", Black = "" } = tree.tags;
  const plain = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 30);
  return `${[plain(White), plain(Black)].filter(Boolean).join("-") || "game"}.pgn`;
}
