// SPDX-License-Identifier: MIT
// Reads a file of games in a Worker, in chunks, so that the page stays responsive with files of any size. Reports only
// the place and tags of each game; the page reads the game that the user picks. The page terminates this Worker to cancel.

import { loadRules, type GameSummary } from "../../../package/index.js";

/** The properties of a game in the list. */
export interface Listed {
  offset: number;
  length: number;
  white: string;
  black: string;
  result: string;
  date: string;
  event: string;
  eco: string;
  opening: string;
  plies: number;
}

export type Report =
  | { kind: "progress"; bytes: number; games: Listed[] }
  | { kind: "done" }
  | { kind: "error"; text: string };

const CHUNK = 1 << 20;

function listed(game: GameSummary): Listed {
  const { tags } = game;
  const short = (text: string | undefined): string => (text ?? "").slice(0, 60);
  return {
    offset: game.offset,
    length: game.length,
    white: short(tags["White"]),
    black: short(tags["Black"]),
    result: short(tags["Result"]),
    date: short(tags["Date"]),
    event: short(tags["Event"]),
    eco: game.opening?.code ?? short(tags["ECO"]),
    opening: game.opening?.name ?? short(tags["Opening"]),
    plies: game.plies,
  };
}

async function scan(file: Blob): Promise<void> {
  const rules = await loadRules();
  const reader = rules.scanPgn();
  for (let at = 0; at < file.size; at += CHUNK) {
    const bytes = new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer());
    report({ kind: "progress", bytes: at + bytes.length, games: reader.push(bytes).map(listed) });
  }
  report({ kind: "progress", bytes: file.size, games: reader.finish().map(listed) });
  reader.free();
  report({ kind: "done" });
}

function report(message: Report): void {
  postMessage(message);
}

addEventListener("message", (event: MessageEvent<Blob>) => {
  scan(event.data).catch((error: unknown) => report({ kind: "error", text: error instanceof Error ? error.message : String(error) }));
});
