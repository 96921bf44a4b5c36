// SPDX-License-Identifier: MIT
// Counts the moves of many games in a Worker, and answers which moves were played in a position.

import { loadRules, type Explorer, type ExplorerMove } from "../../../package/index.js";

export type Ask = { kind: "index"; number: number; texts: Blob[] } | { kind: "find"; id: number; fen: string; chess960: boolean };

export type Answer =
  | { kind: "progress"; number: number; share: number }
  | { kind: "indexed"; number: number; games: number; full: boolean }
  | { kind: "found"; id: number; moves: ExplorerMove[] }
  | { kind: "error"; text: string };

const CHUNK = 1 << 20;

let explorer: Explorer | null = null;
let newest = 0;

async function index(number: number, texts: readonly Blob[]): Promise<void> {
  newest = number;
  const rules = await loadRules();
  const next = rules.explorer();
  const size = texts.reduce((sum, text) => sum + text.size, 0);
  let done = 0;
  for (const text of texts) {
    const scan = rules.scanPgn(next);
    for (let at = 0; at < text.size && newest === number; at += CHUNK) {
      const bytes = new Uint8Array(await text.slice(at, at + CHUNK).arrayBuffer());
      scan.push(bytes);
      done += bytes.length;
      answer({ kind: "progress", number, share: done / Math.max(1, size) });
    }
    scan.finish();
    scan.free();
  }
  if (newest !== number) return next.free();
  explorer?.free();
  explorer = next;
  const found = next.find(rules.startFen);
  if (!("error" in found)) answer({ kind: "indexed", number, games: found.games, full: found.full });
}

function answer(message: Answer): void {
  postMessage(message);
}

addEventListener("message", (event: MessageEvent<Ask>) => {
  const ask = event.data;
  if (ask.kind === "index") {
    index(ask.number, ask.texts).catch((error: unknown) => answer({ kind: "error", text: error instanceof Error ? error.message : String(error) }));
    return;
  }
  const found = explorer?.find(ask.fen, ask.chess960);
  answer({ kind: "found", id: ask.id, moves: found && !("error" in found) ? found.moves : [] });
});
