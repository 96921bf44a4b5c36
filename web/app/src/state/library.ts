// SPDX-License-Identifier: MIT
// The library: games kept in this browser, in IndexedDB. What a list shows is stored apart from the texts, so that a large
// library is listed fast. Every failure is reported to the caller; a batch of games is stored completely or not at all.

/** What a list shows of a game. */
export interface Entry {
  key: number;
  /** The user's name for the game; empty for none. */
  name: string;
  white: string;
  black: string;
  event: string;
  date: string;
  result: string;
  eco: string;
  opening: string;
  plies: number;
  /** Milliseconds since 1970. */
  changed: number;
}

/** The game itself. */
export interface Text {
  key: number;
  pgn: string;
  /** The review, as saved.ts writes it. */
  review: unknown;
}

export type NewEntry = Omit<Entry, "key">;
export type NewText = Omit<Text, "key">;

const NAME = "luft";
const VERSION = 1;

function request<T>(of: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    of.onsuccess = () => resolve(of.result);
    of.onerror = () => reject(of.error ?? new Error("the database failed"));
  });
}

function finished(of: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    of.oncomplete = () => resolve();
    of.onabort = of.onerror = () => reject(of.error ?? new Error("the database failed"));
  });
}

export class Library {
  private opening: Promise<IDBDatabase> | null = null;
  /** Called when another game was stored, changed or deleted, also in another tab. */
  onChange: () => void = () => {};
  private readonly channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("luft-library");

  constructor() {
    if (this.channel) this.channel.onmessage = () => this.onChange();
  }

  private open(): Promise<IDBDatabase> {
    this.opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const opened = indexedDB.open(NAME, VERSION);
      opened.onupgradeneeded = () => {
        opened.result.createObjectStore("entries", { keyPath: "key", autoIncrement: true });
        opened.result.createObjectStore("texts", { keyPath: "key" });
      };
      opened.onsuccess = () => resolve(opened.result);
      opened.onerror = () => reject(opened.error ?? new Error("this browser stores no games"));
    });
    this.opening.catch(() => (this.opening = null));
    return this.opening;
  }

  private async write(): Promise<{ entries: IDBObjectStore; texts: IDBObjectStore; done: Promise<void> }> {
    const transaction = (await this.open()).transaction(["entries", "texts"], "readwrite");
    return { entries: transaction.objectStore("entries"), texts: transaction.objectStore("texts"), done: finished(transaction) };
  }

  private changed(): void {
    this.channel?.postMessage(null);
    this.onChange();
  }

  /** All entries, the last changed first. */
  async list(): Promise<Entry[]> {
    const entries = await request<Entry[]>((await this.open()).transaction("entries").objectStore("entries").getAll());
    return entries.sort((one, other) => other.changed - one.changed);
  }

  async text(key: number): Promise<Text | null> {
    return (await request<Text | undefined>((await this.open()).transaction("texts").objectStore("texts").get(key))) ?? null;
  }

  /** Stores games. Returns their keys. */
  async add(games: readonly { entry: NewEntry; text: NewText }[]): Promise<number[]> {
    const { entries, texts, done } = await this.write();
    const keys: number[] = [];
    for (const [index, { entry, text }] of games.entries()) {
      const added = entries.add(entry) as IDBRequest<number>;
      added.onsuccess = () => {
        keys[index] = added.result;
        texts.put({ ...text, key: added.result });
      };
    }
    await done;
    this.changed();
    return keys;
  }

  /** Replaces a game, or stores it again if it was deleted meanwhile. The user's name stays. */
  async put(key: number, entry: NewEntry, text: NewText): Promise<void> {
    const { entries, texts, done } = await this.write();
    const old = entries.get(key) as IDBRequest<Entry | undefined>;
    old.onsuccess = () => void entries.put({ ...entry, name: entry.name || (old.result?.name ?? ""), key });
    texts.put({ ...text, key });
    await done;
    this.changed();
  }

  async rename(key: number, name: string): Promise<void> {
    const { entries, done } = await this.write();
    const old = entries.get(key) as IDBRequest<Entry | undefined>;
    old.onsuccess = () => void (old.result && entries.put({ ...old.result, name }));
    await done;
    this.changed();
  }

  /** Deletes a game. Returns it, so that it can be restored. */
  async remove(key: number): Promise<{ entry: NewEntry; text: NewText } | null> {
    const { entries, texts, done } = await this.write();
    const entry = entries.get(key) as IDBRequest<Entry | undefined>;
    const text = texts.get(key) as IDBRequest<Text | undefined>;
    entries.delete(key);
    texts.delete(key);
    await done;
    this.changed();
    return entry.result && text.result ? { entry: entry.result, text: text.result } : null;
  }

  async clear(): Promise<void> {
    const { entries, texts, done } = await this.write();
    entries.clear();
    texts.clear();
    await done;
    this.changed();
  }

  /** The PGN of all games, in parts, in the order in which they were added. */
  async exportAll(): Promise<Blob> {
    const store = (await this.open()).transaction("texts").objectStore("texts");
    const parts: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const cursor = store.openCursor();
      cursor.onerror = () => reject(cursor.error ?? new Error("the database failed"));
      cursor.onsuccess = () => {
        if (!cursor.result) return resolve();
        parts.push((cursor.result.value as Text).pgn.trimEnd(), "\n\n");
        cursor.result.continue();
      };
    });
    return new Blob(parts, { type: "application/x-chess-pgn" });
  }
}

/** Bytes that all data of this page use, and that the browser has left for it; null if it does not say. */
export async function storageRoom(): Promise<{ used: number; left: number } | null> {
  try {
    const { usage, quota } = await navigator.storage.estimate();
    return usage === undefined || quota === undefined ? null : { used: usage, left: Math.max(0, quota - usage) };
  } catch {
    return null;
  }
}

/** Why a game could not be stored, for the user. */
export function storageError(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError") return "The browser's storage is full. Export the library and delete games, or free space on the disk.";
  return `The browser does not store games here: ${error instanceof Error ? error.message : String(error)}.`;
}
