// SPDX-License-Identifier: MIT
// Keeps the game on the board in the library: a game that the user played or changed is stored shortly after each change.
// Games that were only opened are not stored.

import type { Rules } from "../../../package/index.js";
import type { Game } from "./game.js";
import { storageError, type Library, type NewEntry } from "./library.js";
import { reviewToList } from "./saved.js";
import type { Session } from "./session.js";

/** Milliseconds after the last change. */
const DELAY = 800;

/** What the library lists of a game. */
export function entryOf(rules: Rules, game: Game, name = ""): NewEntry {
  const tag = (of: string): string => {
    const value = game.tags[of] ?? "";
    return /^[?.]*$/.test(value) ? "" : value.slice(0, 60);
  };
  const opening = game.chess960 ? null : rules.opening(game.start, game.uciLine(game.end().id));
  return {
    name,
    white: tag("White"),
    black: tag("Black"),
    event: tag("Event"),
    date: tag("Date"),
    result: game.result,
    eco: opening?.code ?? "",
    opening: opening?.name ?? (game.chess960 ? "Chess960" : ""),
    plies: game.mainLine().length,
    changed: Date.now(),
  };
}

export class Autosave {
  /** The keys of games by the ids of their roots, which edits keep. */
  private readonly keys = new Map<number, number>();
  private timer = 0;
  /** The running write; writes follow each other, so that a new game gets one key. */
  private writing: Promise<void> = Promise.resolve();
  private failed = false;
  onError: (text: string) => void = () => {};

  constructor(
    private readonly session: Session,
    private readonly library: Library,
  ) {
    session.listen((change) => {
      if (change === "move" || change === "tree") this.soon();
    });
    addEventListener("pagehide", () => void this.now());
  }

  /** The key of the game on the board; null if it is not in the library. */
  get key(): number | null {
    return this.keys.get(this.session.game.root.id) ?? null;
  }

  /** The game on the board is the one with this key. */
  adopt(key: number): void {
    this.keys.set(this.session.game.root.id, key);
  }

  /** The game with this key was deleted: another change stores it again under a new key. */
  forget(key: number): void {
    for (const [root, known] of this.keys) if (known === key) this.keys.delete(root);
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.now(), DELAY);
  }

  private now(): Promise<void> {
    if (!this.timer) return this.writing;
    clearTimeout(this.timer);
    this.timer = 0;
    const { game, review, rules } = this.session;
    if (game.size === 0 && !game.root.after) return this.writing;
    this.writing = this.writing.then(() => this.write(game, { pgn: rules.writePgn(game.toPgn()), review: reviewToList(game, review) }));
    return this.writing;
  }

  private async write(game: Game, text: { pgn: string; review: unknown }): Promise<void> {
    const entry = entryOf(this.session.rules, game);
    const key = this.keys.get(game.root.id);
    try {
      if (key !== undefined) await this.library.put(key, entry, text);
      else this.keys.set(game.root.id, (await this.library.add([{ entry, text }]))[0] ?? 0);
      this.failed = false;
    } catch (error) {
      // Tells it once, not after every move.
      if (!this.failed) this.onError(`This game is not saved in the library. ${storageError(error)}`);
      this.failed = true;
    }
  }
}
