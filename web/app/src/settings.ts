// SPDX-License-Identifier: MIT
// The settings that persist between visits. Storage may be full, forbidden or invalid: the defaults apply then.

import { THREADS_MAX } from "./threads.js";

export interface Settings {
  theme: "auto" | "light" | "dark";
  sound: boolean;
  level: number;
  colour: "w" | "b" | "random";
  clock: string;
  lines: number;
  /** 0 selects the default of threads.ts. */
  threads: number;
  arrows: boolean;
  tab: "play" | "analyse" | "game";
}

export const DEFAULTS: Settings = {
  theme: "auto",
  sound: false,
  level: 1200,
  colour: "w",
  clock: "",
  lines: 3,
  threads: 0,
  arrows: true,
  tab: "play",
};

const KEY = "luft.settings";

/** Settings from an untrusted value; invalid fields get their defaults. */
export function checked(value: unknown): Settings {
  const settings = { ...DEFAULTS };
  if (typeof value !== "object" || value === null) return settings;
  const given = value as Record<string, unknown>;
  const among = <T>(name: keyof Settings, allowed: readonly T[]): void => {
    if (allowed.includes(given[name] as T)) Object.assign(settings, { [name]: given[name] });
  };
  const within = (name: "level" | "lines" | "threads", low: number, high: number): void => {
    const number = given[name];
    if (typeof number === "number" && Number.isInteger(number) && number >= low && number <= high) settings[name] = number;
  };
  among("theme", ["auto", "light", "dark"]);
  among("sound", [true, false]);
  among("colour", ["w", "b", "random"]);
  among("arrows", [true, false]);
  among("tab", ["play", "analyse", "game"]);
  within("level", 800, 2600);
  within("lines", 1, 5);
  within("threads", 0, THREADS_MAX);
  if (typeof given["clock"] === "string" && /^(\d{1,3}\+\d{1,3})?$/.test(given["clock"])) settings.clock = given["clock"];
  return settings;
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
