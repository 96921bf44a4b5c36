// SPDX-License-Identifier: MIT
// Position setup: place pieces with mouse or keyboard, select the side to move and the castling rights. The library
// checks the position and says why an invalid one is invalid.

import type { Rules } from "../../../package/index.js";
import type { Board } from "../board/board.js";
import { pieceName } from "../board/geometry.js";
import type { BoardInput } from "../board/input.js";
import { pieceImage } from "../board/pieces.js";
import { element, make } from "../dom.js";
import { completeFen } from "../state/fen.js";
import { failed } from "../state/game.js";

const EMPTY = "8/8/8/8/8/8/8/8";
/** The last three FEN fields (en passant, halfmove clock, move number) of an edited position. */
const DEFAULT_FIELDS = "- 0 1";

export class Setup {
  private chosen = "wp";
  private lastFields = DEFAULT_FIELDS;
  /** The rook files of castling rights, where the loaded FEN names them: "K" to "G". */
  private rookFiles = new Map<string, string>();

  /** Receives the valid position. */
  onDone: (fen: string, chess960: boolean) => void = () => {};
  onCancel: () => void = () => {};

  constructor(
    private readonly rules: Rules,
    private readonly board: Board,
    private readonly input: BoardInput,
  ) {
    this.palette();
    element("setup-start").addEventListener("click", () => this.fill(rules.startFen));
    element("setup-clear").addEventListener("click", () => this.fill(`${EMPTY} w - - 0 1`));
    element("setup-cancel").addEventListener("click", () => {
      this.close();
      this.onCancel();
    });
    element("setup-done").addEventListener("click", () => this.done());
    element("setup-960").addEventListener("change", (event) => this.loadChess960(event.target as HTMLInputElement));
    element("setup-fen").addEventListener("change", (event) => this.fill((event.target as HTMLInputElement).value));
    element("setup").addEventListener("change", (event) => {
      if (!["setup-fen", "setup-960"].includes((event.target as HTMLElement).id)) this.changed();
    });
  }

  get active(): boolean {
    return this.input.setup !== null;
  }

  open(fen: string, chess960: boolean): void {
    this.input.reset();
    this.input.setup = {
      pick: (square) => this.edit(square, this.chosen === "" || this.board.piece(square) === this.chosen ? null : this.chosen),
      drop: (from, to) => {
        const piece = this.board.piece(from);
        this.board.put(from, null);
        if (to) this.edit(to, piece);
        else this.changed();
      },
    };
    this.board.clearMarks("last", "check", "premove");
    for (const layer of ["engine", "drawn", "hint"]) this.board.shapes(layer, []);
    this.board.showBadge(null);
    document.body.classList.add("setting-up");
    element("setup").hidden = false;
    element<HTMLInputElement>("setup-chess960").checked = chess960;
    this.fill(fen);
    element("setup").querySelector<HTMLInputElement>("#palette input:checked")?.focus({ preventScroll: true });
  }

  /** Also called when another game is opened. */
  close(): void {
    this.input.setup = null;
    document.body.classList.remove("setting-up");
    element("setup").hidden = true;
  }

  private edit(square: string, piece: string | null): void {
    this.board.put(square, piece);
    this.changed();
  }

  private get chess960(): boolean {
    return element<HTMLInputElement>("setup-chess960").checked;
  }

  private palette(): void {
    const pieces = (colour: string): string[] => [..."kqrbnp"].map((letter) => colour + letter);
    for (const piece of [...pieces("w"), "", ...pieces("b")]) {
      const label = make("label");
      const radio = make("input");
      radio.type = "radio";
      radio.name = "setup-piece";
      radio.checked = piece === this.chosen;
      const name = piece ? pieceName(piece) : "Remove piece";
      radio.setAttribute("aria-label", name);
      radio.addEventListener("change", () => (this.chosen = piece));
      const face = make("span", "", piece ? "" : "×");
      face.title = name;
      if (piece) face.append(pieceImage(piece));
      label.append(radio, face);
      element("palette").append(label);
    }
  }

  /** Loads a FEN. The position may be illegal, but its placement must be readable. */
  private fill(fen: string): void {
    const [placement = EMPTY, turn = "w", castling = "-", passant = "-", halfmoves = "0", number = "1"] = completeFen(fen).split(" ");
    // Unreadable text stays in the field, with the reason below it.
    if (placement.split("/").length !== 8 || !placement.split("/").every(isRank)) return this.refuse(fen);
    this.board.place(placement);
    this.lastFields = `${passant} ${halfmoves} ${number}`;
    for (const radio of document.querySelectorAll<HTMLInputElement>("input[name=setup-turn]")) radio.checked = radio.value === (turn === "b" ? "b" : "w");
    this.rookFiles.clear();
    const rights = this.chess960 ? this.withoutRookFiles(castling) : castling;
    for (const letter of "KQkq") element<HTMLInputElement>(`castle-${letter}`).checked = rights.includes(letter);
    this.show();
  }

  private refuse(fen: string): void {
    const position = this.rules.position(fen, this.chess960);
    element("setup-error").textContent = failed(position) ? position.error : "";
    element<HTMLButtonElement>("setup-done").disabled = true;
  }

  /** The user changed the position. */
  private changed(): void {
    this.lastFields = DEFAULT_FIELDS;
    this.show();
  }

  // Shredder-FEN names the rook's file instead of K or Q; the file of the king decides which of the two it means.
  private withoutRookFiles(castling: string): string {
    const king = (colour: string): number => {
      for (const [file, letter] of [..."abcdefgh"].entries()) if (this.board.piece(letter + (colour === "w" ? "1" : "8")) === `${colour}k`) return file;
      return 4;
    };
    return [...castling]
      .map((letter) => {
        if (/[KQkq-]/.test(letter)) return letter;
        const white = letter === letter.toUpperCase();
        const short = letter.toLowerCase().charCodeAt(0) - 97 > king(white ? "w" : "b");
        const right = white ? (short ? "K" : "Q") : short ? "k" : "q";
        this.rookFiles.set(right, letter);
        return right;
      })
      .join("");
  }

  /** The FEN letter of a castling right: the rook's file if the loaded FEN named it and the rook is still there. */
  private castlingLetter(right: string): string {
    const letter = this.chess960 ? this.rookFiles.get(right) : undefined;
    const rook = right === right.toUpperCase() ? "wr" : "br";
    const rank = rook === "wr" ? "1" : "8";
    return letter && this.board.piece(letter.toLowerCase() + rank) === rook ? letter : right;
  }

  private fen(): string {
    const turn = document.querySelector<HTMLInputElement>("input[name=setup-turn]:checked")?.value ?? "w";
    const castling = [..."KQkq"]
      .filter((letter) => element<HTMLInputElement>(`castle-${letter}`).checked)
      .map((letter) => this.castlingLetter(letter))
      .join("");
    return `${this.board.placement()} ${turn} ${castling || "-"} ${this.lastFields}`;
  }

  private show(): void {
    const fen = this.fen();
    const position = this.rules.position(fen, this.chess960);
    element<HTMLInputElement>("setup-fen").value = failed(position) ? fen : position.fen;
    element("setup-error").textContent = failed(position) ? position.error : "";
    element<HTMLButtonElement>("setup-done").disabled = failed(position);
  }

  private done(): void {
    const position = this.rules.position(this.fen(), this.chess960);
    if (failed(position)) return this.show();
    const { chess960 } = this;
    this.close();
    this.onDone(position.fen, chess960);
  }

  private loadChess960(field: HTMLInputElement): void {
    const number = Number(field.value);
    if (field.value === "" || !Number.isInteger(number) || number < 0 || number > 959) {
      if (field.value !== "") element("setup-error").textContent = "Chess960 position: enter a number from 0 to 959.";
      return;
    }
    element<HTMLInputElement>("setup-chess960").checked = true;
    this.fill(this.rules.chess960Start(number));
  }
}

function isRank(rank: string): boolean {
  return /^[pnbrqkPNBRQK1-8]{1,8}$/.test(rank) && [...rank].reduce((sum, letter) => sum + (Number(letter) || 1), 0) === 8;
}
