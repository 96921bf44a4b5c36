// SPDX-License-Identifier: MIT
// The library in the Games tab: its list, search, names, export, import of the open file, and what is stored.

import { element, make, notice } from "../dom.js";
import type { Autosave } from "../state/autosave.js";
import { failed, Game } from "../state/game.js";
import { storageError, storageRoom, type Entry, type Library } from "../state/library.js";
import type { Listed } from "../state/pgn_worker.js";
import { reviewFromList } from "../state/saved.js";
import type { Session } from "../state/session.js";
import { count, describe, GameList, matches, wordsOf, type Row } from "./game_list.js";
import { download } from "./loading.js";

/** Games that are stored at once. */
const BATCH = 250;

export class LibraryPanel {
  /** The reason why another game cannot be opened now; empty if there is none. */
  blocked: () => string = () => "";
  /** Called when the library changed. */
  onChange: () => void = () => {};
  entries: Entry[] = [];
  private chosen: Entry | null = null;
  private refreshing = 0;
  private importing = false;
  private readonly list = new GameList<Entry>(element("library-list"), "library-row", libraryRow);

  constructor(
    private readonly session: Session,
    private readonly library: Library,
    private readonly autosave: Autosave,
    private readonly openFile: () => { file: Blob; games: readonly Listed[] } | null,
  ) {
    library.onChange = () => {
      this.soon();
      this.onChange();
    };
    autosave.onError = (text) => notice(text, 12);
    this.list.onPick = (entry) => void this.open(entry);
    element("library-filter").addEventListener("input", () => this.show());
    const on = (id: string, act: () => unknown): void => element(id).addEventListener("click", () => void act());
    on("library-export", () => this.guard(async () => download(await library.exportAll(), "luft-library.pgn")));
    on("library-import", () => (this.importing ? (this.importing = false) : this.guard(() => this.import())));
    on("library-delete", () => this.chosen && this.guard(() => this.remove(this.chosen as Entry)));
    on("library-clear", () => this.guard(() => this.clear()));
    element("library-name").addEventListener("change", (event) => {
      const { chosen } = this;
      if (chosen) void this.guard(() => library.rename(chosen.key, (event.target as HTMLInputElement).value.trim().slice(0, 80)));
    });
    this.soon();
  }

  /** Shows or hides the button that imports the open file. */
  fileChanged(): void {
    const open = this.openFile();
    element("library-import").hidden = !open || open.games.length === 0;
    if (open && !this.importing) element("library-import").textContent = `Add ${count(open.games.length)} to the library`;
  }

  private soon(): void {
    clearTimeout(this.refreshing);
    this.refreshing = window.setTimeout(() => void this.guard(() => this.refresh()), 60);
  }

  private async refresh(): Promise<void> {
    this.entries = await this.library.list();
    const key = this.autosave.key;
    this.choose(this.entries.find((entry) => entry.key === (this.chosen?.key ?? key)) ?? null);
    this.show();
    const room = await storageRoom();
    const size = room ? `, ${(room.used / 1e6).toFixed(1)} MB, ${left(room.left)} left` : "";
    element("library-info").textContent = `${count(this.entries.length)}${size}. Stored only in this browser: clearing its data deletes them. Export to keep a copy.`;
    element<HTMLButtonElement>("library-export").disabled = element<HTMLButtonElement>("library-clear").disabled = this.entries.length === 0;
  }

  private show(): void {
    const words = wordsOf(element<HTMLInputElement>("library-filter").value);
    this.list.show(words.length > 0 ? this.entries.filter((entry) => matches(entry, words)) : this.entries);
    element("library-list").hidden = this.entries.length === 0;
  }

  private choose(entry: Entry | null): void {
    this.chosen = entry;
    element("library-chosen").hidden = entry === null;
    const field = element<HTMLInputElement>("library-name");
    if (document.activeElement !== field) field.value = entry?.name ?? "";
    field.placeholder = entry ? libraryRow({ ...entry, name: "" }).title : "";
  }

  private async open(entry: Entry): Promise<void> {
    const reason = this.blocked();
    if (reason) return notice(reason);
    await this.guard(async () => {
      const text = await this.library.text(entry.key);
      const read = text && this.session.rules.readPgn(text.pgn);
      if (!text || !read || failed(read)) return notice("This game cannot be read any more.");
      const game = Game.fromPgn(this.session.rules, read);
      this.session.open(game, game.root.id, reviewFromList(game, text.review));
      this.autosave.adopt(entry.key);
      this.choose(entry);
    });
  }

  private async remove(entry: Entry): Promise<void> {
    const removed = await this.library.remove(entry.key);
    this.autosave.forget(entry.key);
    this.choose(null);
    if (!removed) return;
    const undo = make("button", "", "Undo");
    undo.type = "button";
    undo.addEventListener("click", () => {
      notice("");
      void this.guard(() => this.library.add([removed]));
    });
    notice("Deleted from the library. ", 10);
    element("notice").append(undo);
  }

  // The second click deletes: there is no undo for the whole library.
  private async clear(): Promise<void> {
    const button = element("library-clear");
    if (button.dataset["sure"]) {
      await this.library.clear();
      for (const entry of this.entries) this.autosave.forget(entry.key);
    }
    const isFirst = !button.dataset["sure"];
    button.textContent = isFirst ? `Really delete ${count(this.entries.length)}?` : "Delete all";
    if (!isFirst) delete button.dataset["sure"];
    else button.dataset["sure"] = "yes";
    if (isFirst) setTimeout(() => button.dataset["sure"] && (delete button.dataset["sure"], (button.textContent = "Delete all")), 5000);
  }

  /** Stores all games of the open file. */
  private async import(): Promise<void> {
    const open = this.openFile();
    if (!open) return;
    const room = await storageRoom();
    if (room && open.file.size * 2 > room.left) {
      return notice(`The file needs about ${left(open.file.size * 2)}, but the browser has only ${left(room.left)} left for this page. Nothing was added.`, 12);
    }
    this.importing = true;
    let done = 0;
    try {
      for (; done < open.games.length && this.importing; done += BATCH) {
        element("library-import").textContent = `Stop (${done.toLocaleString("en")} of ${count(open.games.length)})`;
        await this.library.add(await batch(open.file, open.games.slice(done, done + BATCH)));
      }
      notice(`${count(Math.min(done, open.games.length))} added to the library.`);
    } catch (error) {
      notice(`${count(done)} added to the library, then: ${storageError(error)}`, 15);
    }
    this.importing = false;
    this.fileChanged();
  }

  private async guard(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      notice(storageError(error), 12);
    }
  }
}

function libraryRow(entry: Entry): Row {
  const row = describe(entry);
  const isNamed = entry.white !== "" || entry.black !== "";
  const title = entry.name || (isNamed ? row.title : entry.opening || "Game");
  const when = new Date(entry.changed).toISOString().slice(0, 10);
  return { ...row, title, details: row.details || `changed ${when}` };
}

/** The texts of some games of a file, read at once. */
async function batch(file: Blob, games: readonly Listed[]): Promise<{ entry: Omit<Entry, "key">; text: { pgn: string; review: null } }[]> {
  const first = games[0]?.offset ?? 0;
  const end = games.reduce((most, game) => Math.max(most, game.offset + game.length), first);
  const bytes = new Uint8Array(await file.slice(first, end).arrayBuffer());
  const decoder = new TextDecoder();
  return games.map(({ offset, length, ...game }) => ({
    entry: { ...game, name: "", changed: Date.now() },
    text: { pgn: decoder.decode(bytes.subarray(offset - first, offset - first + length)), review: null },
  }));
}

function left(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`;
}
