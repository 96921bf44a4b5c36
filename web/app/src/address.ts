// SPDX-License-Identifier: MIT
// The address of the page always contains the game. A plain line of moves is readable; other games are compressed. The
// game is also stored for a reload.

import { notice } from "./dom.js";
import type { ReviewLayer } from "./engine/judge.js";
import { compress, decompress, MAX_LINK_LENGTH, readLink, writeLink, type LinkState } from "./state/link.js";
import { failed, Game, NULL_MOVE } from "./state/game.js";
import { nodeAt, pathTo, restore, reviewFromText, reviewToText, save, type Stored } from "./state/saved.js";
import type { Session } from "./state/session.js";

export interface Host {
  flipped(): boolean;
  orient(flipped: boolean): void;
  /** What is stored beside the game. */
  extra(): Pick<Stored, "match" | "key">;
  /** Opens a stored game. */
  resume(stored: Stored): void;
  /** The reason why another game cannot be opened now; empty if there is none. */
  busy(): string;
}

export class Address {
  private timer = 0;
  /** The last link that the page itself wrote into the address. */
  private link = "";
  /** Counts the links that were begun, because compression takes time. */
  private begun = 0;

  constructor(
    private readonly session: Session,
    private readonly host: Host,
  ) {}

  async start(): Promise<void> {
    await this.open(location.hash);
    addEventListener("pagehide", () => this.store());
    // Not location.hash: the page may have written its own address since.
    addEventListener("hashchange", (event) => this.changed(new URL(event.newURL).hash));
  }

  /** Delayed, because browsers limit how often a page changes its address. */
  saveSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.saveNow(), 200);
  }

  /** Writes the game into the address and stores it. Returns the link, and a note if it lacks a part of the game. */
  async saveNow(): Promise<{ link: string; note: string }> {
    clearTimeout(this.timer);
    const number = ++this.begun;
    this.store();
    const { link, note } = await this.makeLink();
    if (number === this.begun) {
      this.link = link;
      if (link !== location.hash) history.replaceState(null, "", link || location.pathname + location.search);
      this.store();
    }
    return { link: location.origin + location.pathname + location.search + link, note };
  }

  private store(): void {
    const { game, current, review, rules } = this.session;
    save(this.link, rules, { game, current, review, flipped: this.host.flipped(), ...this.host.extra() });
  }

  private async makeLink(): Promise<{ link: string; note: string }> {
    const { game, current, rules, review } = this.session;
    const plain = { ...plainState(game, current, rules.startFen), flipped: this.host.flipped() };
    const whole = isPlain(game) ? plain : { ...plain, pgn: await compress(rules.writePgn(game.toPgn())), path: pathTo(game, current) };
    if (review) {
      const link = writeLink({ ...whole, review: await compress(reviewToText(game, review)) });
      if (link.length <= MAX_LINK_LENGTH) return { link, note: "" };
    }
    const link = writeLink(whole);
    if (link.length <= MAX_LINK_LENGTH) return { link, note: review ? "The review is too long for a link: this one has the game only." : "" };
    const note = isPlain(game) ? "" : "The game is too long for a link: this one has only the moves of the line on the board. Save the PGN to keep everything.";
    return { link: writeLink(plain), note };
  }

  // --- Opening ---

  private async open(hash: string): Promise<void> {
    const stored = restore(hash, this.session.rules);
    if (!stored) return this.openLink(hash);
    this.host.orient(stored.flipped);
    this.host.resume(stored);
  }

  /** The user or the browser's Back button changed the address. */
  private changed(hash: string): void {
    if (hash === this.link) return;
    const refused = this.host.busy() || (hash !== "" && !readLink(hash) ? "This link contains no game." : "");
    if (!refused) return void this.openLink(hash);
    notice(refused);
    void this.saveNow(); // restores the address of the game on the board
  }

  private async openLink(hash: string): Promise<void> {
    const link = readLink(hash);
    if (link?.pgn) return this.openPgn(link);
    const { rules } = this.session;
    const game = Game.fromFen(rules, link?.fen ?? rules.startFen, link?.chess960 ?? false);
    if (failed(game)) {
      notice(`The link contains an invalid position: ${game.error}`, 12);
      this.session.open(Game.create(rules));
      return;
    }
    const end = game.playLine(link?.moves ?? [], game.root.id);
    const illegal = link?.moves[end.game.ply(end.id)];
    if (illegal) notice(`The link contains an illegal move: ${illegal}`, 12);
    const current = link ? (end.game.line(end.id)[Math.min(link.ply, end.game.ply(end.id)) - 1]?.id ?? game.root.id) : game.root.id;
    if (link) this.host.orient(link.flipped);
    this.session.open(end.game, current, await linkedReview(end.game, link));
  }

  private async openPgn(link: LinkState): Promise<void> {
    const { rules } = this.session;
    const text = await decompress(link.pgn ?? "");
    const read = text === null ? { error: "the link is damaged" } : rules.readPgn(text);
    if (failed(read)) {
      notice(`The link contains no game: ${read.error}.`, 12);
      this.session.open(Game.create(rules));
      return;
    }
    const game = Game.fromPgn(rules, read);
    this.host.orient(link.flipped);
    this.session.open(game, nodeAt(game, link.path), await linkedReview(game, link));
  }
}

async function linkedReview(game: Game, link: LinkState | null): Promise<ReviewLayer | null> {
  return link?.review ? reviewFromText(game, await decompress(link.review)) : null;
}

/** Only moves: no tags, comments, signs or variations. Links without PGN have no null moves either. */
function isPlain(game: Game): boolean {
  if (game.result !== "*" || game.root.after || Object.entries(game.tags).some(([name, value]) => !["SetUp", "FEN", "Variant", "Result"].includes(name) && !/^[?.*]*$/.test(value))) return false;
  let node = game.root;
  while (node.children.length === 1 && node.children[0] && !node.children[0].after && node.children[0].nags.length === 0 && node.children[0].uci !== NULL_MOVE) node = node.children[0];
  return node.children.length === 0;
}

/** The line through the current node, from the start or from the last null move. */
function plainState(game: Game, current: number, standard: string): LinkState {
  const end = game.end(current);
  const whole = game.history(end.id);
  const before = game.ply(end.id) - whole.moves.length;
  const ply = game.ply(current) - before;
  const { start, moves } = ply >= 0 ? whole : game.history(current);
  return { fen: start === standard ? null : start, moves, ply: ply >= 0 ? ply : moves.length, chess960: game.chess960, flipped: false, pgn: null, path: [], review: null };
}
