// SPDX-License-Identifier: MIT
// Holds the tablebase files that the user added, in a Worker with a rules module of its own: large files must not block the
// page. Answers the result of a position and of each of its moves.

import { loadRules, type Rules, type Tablebase, type TablebaseProbe } from "../../../package/index.js";

export type TablesAsk = { kind: "add"; files: File[] } | { kind: "probe"; id: number; start: string; moves: string[]; chess960: boolean };

export type TablesAnswer =
  | { kind: "progress"; done: number; of: number }
  /** `refused` says for each file that is not a table why it is none. */
  | { kind: "added"; count: number; largest: number; refused: string[] }
  | { kind: "found"; id: number; found: TablebaseProbe | null; reason: string };

let opened: Promise<{ rules: Rules; tables: Tablebase }> | null = null;
/** The names of the tables, in lower case: a file that is added twice counts once. */
const names = new Set<string>();
let adding: Promise<void> = Promise.resolve();

function answer(message: TablesAnswer): void {
  postMessage(message);
}

async function open(): Promise<{ rules: Rules; tables: Tablebase }> {
  const rules = await loadRules();
  const tables = rules.openTablebase({});
  if ("error" in tables) throw new Error(tables.error);
  return { rules, tables };
}

async function add(files: readonly File[]): Promise<void> {
  const refused: string[] = [];
  opened ??= open();
  const { tables } = await opened;
  for (const [index, file] of files.entries()) {
    answer({ kind: "progress", done: index, of: files.length });
    if (names.has(file.name.toLowerCase())) continue;
    const bytes = await file.arrayBuffer().catch(() => null);
    const failure = bytes ? tables.add(file.name, bytes) : { error: "cannot read the file" };
    if (failure) refused.push(`${file.name}: ${failure.error}`);
    else names.add(file.name.toLowerCase());
  }
  refused.push(...tables.faults().map(({ name, kind, reason }) => `${name}.${kind === "wdl" ? "rtbw" : "rtbz"}: ${reason}`));
  answer({ kind: "added", count: names.size, largest: tables.largest, refused });
}

async function probe(ask: Extract<TablesAsk, { kind: "probe" }>): Promise<void> {
  const { id, start, moves, chess960 } = ask;
  if (!opened) return;
  const found = (await opened).tables.probe(start, moves, chess960);
  answer(found.error !== undefined ? { kind: "found", id, found: null, reason: found.error } : { kind: "found", id, found, reason: "" });
}

addEventListener("message", (event: MessageEvent<TablesAsk>) => {
  const ask = event.data;
  if (ask.kind === "probe") return void probe(ask);
  adding = adding
    .then(() => add(ask.files))
    .catch((error: unknown) => answer({ kind: "added", count: names.size, largest: 0, refused: [error instanceof Error ? error.message : String(error)] }));
});
