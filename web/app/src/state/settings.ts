// SPDX-License-Identifier: MIT
// The settings that persist between visits. Storage may be full, forbidden or invalid: the defaults apply then.

import type { PieceSet } from "../board/pieces.js";
import { THREADS_MAX } from "../engine/threads.js";

export const TABS = ["moves", "play", "review", "explore", "games", "inside"] as const;
export type Tab = (typeof TABS)[number];

export const BOARD_COLOURS = { slate: "Slate", wood: "Wood", green: "Green", violet: "Violet", contrast: "High contrast" } as const;
export type BoardColours = keyof typeof BOARD_COLOURS;

export const REVIEW_NODES = [50_000, 200_000, 1_000_000] as const;

export interface Settings {
  theme: "auto" | "light" | "dark";
  sound: boolean;
  level: number;
  colour: "w" | "b" | "random";
  clock: string;
  lines: number;
  /** 0 selects the default of threads.ts. */
  threads: number;
  /** Megabytes. */
  hash: number;
  arrows: boolean;
  /** The engine strip shows all lines. */
  more: boolean;
  tab: Tab;
  pieces: PieceSet;
  boardColours: BoardColours;
  animation: boolean;
  coordinates: boolean;
  bar: boolean;
  /** Nodes for each position of a review. */
  reviewNodes: number;
  /** Write the review into exported PGN. */
  exportReview: boolean;
}

export const DEFAULTS: Settings = {
  theme: "auto",
  sound: false,
  level: 1200,
  colour: "w",
  clock: "",
  lines: 3,
  threads: 0,
  hash: 32,
  arrows: true,
  more: false,
  tab: "play",
  pieces: "luft",
  boardColours: "slate",
  animation: true,
  coordinates: true,
  bar: true,
  reviewNodes: 200_000,
  exportReview: true,
};

/** The choices of fields that have a list of values. */
const CHOICES: { [Name in keyof Settings]?: readonly Settings[Name][] } = {
  theme: ["auto", "light", "dark"],
  colour: ["w", "b", "random"],
  tab: TABS,
  pieces: ["luft", "solid", "shapes"],
  boardColours: Object.keys(BOARD_COLOURS) as BoardColours[],
  reviewNodes: REVIEW_NODES,
  hash: [16, 32, 64, 128, 256, 512, 1024],
};

/** The ranges of integers. */
const RANGES: { [Name in keyof Settings]?: [number, number] } = { level: [800, 2600], lines: [1, 5], threads: [0, THREADS_MAX] };

const KEY = "luft.settings";

/** Settings from an untrusted value; invalid fields get their defaults. */
export function checked(value: unknown): Settings {
  const settings = { ...DEFAULTS };
  if (typeof value !== "object" || value === null) return settings;
  const given = value as Record<string, unknown>;
  for (const name of Object.keys(DEFAULTS) as (keyof Settings)[]) if (isGood(name, given[name])) Object.assign(settings, { [name]: given[name] });
  return settings;
}

function isGood(name: keyof Settings, value: unknown): boolean {
  const choices = CHOICES[name] as readonly unknown[] | undefined;
  const range = RANGES[name];
  if (choices) return choices.includes(value);
  if (range) return Number.isInteger(value) && (value as number) >= range[0] && (value as number) <= range[1];
  if (name === "clock") return typeof value === "string" && /^(\d{1,3}\+\d{1,3})?$/.test(value);
  return typeof value === "boolean";
}

export function load(): Settings {
  try {
    return checked(JSON.parse(localStorage.getItem(KEY) ?? "null"));
  } catch {
    return { ...DEFAULTS };
  }
}

export function save(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Private windows may refuse storage; the settings then last until the page closes.
  }
}
