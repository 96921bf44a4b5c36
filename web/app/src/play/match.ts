// SPDX-License-Identifier: MIT
// A game against Luft as data: sides, level, clocks and the last move, and what follows from them.

import type { Colour, Game } from "../state/game.js";
import { parseControl, type Clocks } from "./clocks.js";

/** The last step of the slider: unlimited strength. */
export const FULL_STRENGTH = 2600;

export interface Match {
  human: Colour;
  level: number;
  clocks: Clocks | null;
  /** The id of the last node of the game; the current node may be an earlier one. */
  at: number;
  /** The outcome in words; empty during the game. */
  over: string;
  /** Luft's score of its last search, in centipawns from its own view; null before its first move. */
  score: number | null;
  /** The ply of the last draw offer. */
  offered: number;
}

/** How a new game is to be played. */
export interface MatchOptions {
  level: number;
  human: Colour;
  /** Such as "5+3"; empty for none. */
  clock: string;
  from: "start" | "960" | "here";
  /** The number of the Chess960 position; null for a random one. */
  number: number | null;
}

/** A game that is stored for a reload. Times are in milliseconds. */
export interface SavedMatch {
  human: Colour;
  level: number;
  clock: string;
  w: number;
  b: number;
  over: string;
}

export function isMatch(value: unknown): value is SavedMatch {
  if (typeof value !== "object" || value === null) return false;
  const { human, level, clock, w, b, over } = value as Record<string, unknown>;
  const time = (ms: unknown): boolean => typeof ms === "number" && ms >= 0 && ms < 1e9;
  const isLevel = typeof level === "number" && level >= 800 && level <= FULL_STRENGTH;
  return (human === "w" || human === "b") && isLevel && typeof clock === "string" && time(w) && time(b) && typeof over === "string" && over.length < 200;
}

export function savedMatch(match: Match): SavedMatch {
  const { human, level, clocks, over } = match;
  const clock = clocks ? `${clocks.control.minutes}+${clocks.control.increment}` : "";
  return { human, level, clock, w: clocks?.remaining("w") ?? 0, b: clocks?.remaining("b") ?? 0, over };
}

export function levelName(level: number): string {
  return level >= FULL_STRENGTH ? "Full strength" : String(level);
}

const LEVELS: [number, string][] = [
  [1000, "A beginner: knows the moves, leaves pieces en prise and misses mates."],
  [1200, "Casual: sees captures of one move, overlooks most tactics."],
  [1500, "A club newcomer: punishes simple mistakes and makes them too."],
  [1800, "A club player: short tactics are seen, plans are modest."],
  [2100, "A strong club player: few blunders, solid endgames."],
  [2400, "An expert: hard to beat for anyone without a title."],
  [FULL_STRENGTH - 1, "A master: mistakes are rare and small."],
  [FULL_STRENGTH, "Luft as strong as your computer allows. Nobody wins against it."],
];

/** What a level plays like. */
export function levelHint(level: number): string {
  return LEVELS.find(([bound]) => level <= bound)?.[1] ?? "";
}

/** The arguments of `go` for Luft's move. */
export function thinkingTime(match: Match): string {
  const { clocks } = match;
  if (!clocks) return "movetime 1000";
  const increment = clocks.control.increment * 1000;
  const left = (colour: Colour): number => Math.max(1, Math.round(clocks.remaining(colour)));
  return `wtime ${left("w")} btime ${left("b")} winc ${increment} binc ${increment}`;
}

/** A side with only a king cannot win on time. */
export function hasOnlyKing(fen: string, colour: Colour): boolean {
  const pieces = (fen.split(" ")[0] ?? "").replace(colour === "w" ? /[^A-Z]/g : /[^a-z]/g, "");
  return pieces.length === 1;
}

/** Luft accepts a draw after move 10 if it is not better. */
export function acceptsDraw(match: Match, ply: number): boolean {
  return ply >= 20 && match.score !== null && match.score <= 10;
}

/** The tags of a new game. */
export function matchTags(options: MatchOptions): Record<string, string> {
  const luft = options.level >= FULL_STRENGTH ? "Luft" : `Luft ${options.level}`;
  const today = new Date();
  const two = (n: number): string => String(n).padStart(2, "0");
  const control = parseControl(options.clock);
  return {
    Event: "Game against Luft",
    Date: `${today.getFullYear()}.${two(today.getMonth() + 1)}.${two(today.getDate())}`,
    White: options.human === "w" ? "You" : luft,
    Black: options.human === "b" ? "You" : luft,
    ...(control ? { TimeControl: `${control.minutes * 60}+${control.increment}` } : {}),
  };
}

/** The tag that says how a game ended, where the moves do not. */
export const TERMINATION = "Termination";

/** The values that the PGN standard defines say too little to show. */
const STANDARD = ["abandoned", "adjudication", "death", "emergency", "normal", "rules infraction", "time forfeit", "unterminated"];

/** How the game ended by agreement, resignation or time, at the end of its main line; empty elsewhere. */
export function agreedEnd(game: Game, id: number): string {
  if (game.result === "*" || game.size === 0 || game.end().id !== id) return "";
  const told = game.tags[TERMINATION] ?? "";
  if (told && told.length < 120 && !STANDARD.includes(told.toLowerCase())) return told;
  return game.result === "1-0" ? "White wins." : game.result === "0-1" ? "Black wins." : "Draw.";
}
