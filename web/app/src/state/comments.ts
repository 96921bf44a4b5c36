// SPDX-License-Identifier: MIT
// The commands inside PGN comments: [%eval], [%clk], [%cal] and [%csl]. A person's text and the commands are edited apart.

import type { Score } from "../engine/score.js";

/** The pattern excludes nested brackets, so that it takes linear time. */
const COMMANDS = /\[%[^[\]]*\]/g;

/** The colours that [%cal] and [%csl] name by a letter. */
export type ShapeColour = "G" | "R" | "Y" | "B";

/** A coloured square, or an arrow if `to` is another square. */
export interface Shape {
  colour: ShapeColour;
  from: string;
  to: string;
}

/** A comment without its commands. */
export function readable(comment: string): string {
  return comment.replace(COMMANDS, "").replace(/\s+/g, " ").trim();
}

/** The comment with another text and the same commands. */
export function withText(comment: string, text: string): string {
  const commands = comment.match(COMMANDS) ?? [];
  return [...commands, text.replace(/[{}]/g, "")].join(" ").trim();
}

/** The value of the first command with this name; null if there is none. */
function command(comment: string, name: string): string | null {
  for (const found of comment.match(COMMANDS) ?? []) {
    const parts = /^\[%(\w+)\s+(.*?)\s*\]$/.exec(found);
    if (parts?.[1] === name) return parts[2] ?? "";
  }
  return null;
}

export function evalOf(comment: string): Score | null {
  const value = comment.includes("[%eval") ? command(comment, "eval") : null;
  const found = /^(#?)([-+]?\d{1,5}(?:\.\d{1,3})?)/.exec(value ?? "");
  if (!found) return null;
  const number = Number(found[2]);
  return found[1] ? { mate: Math.trunc(number) } : { cp: Math.round(number * 100) };
}

/** The score as a command: [%eval 0.35], [%eval #-3]. */
export function evalCommand(score: Score): string {
  if (score.won) return "";
  if (score.mate !== undefined) return `[%eval #${score.mate}]`;
  return `[%eval ${((score.cp ?? 0) / 100).toFixed(2)}]`;
}

/** The time on the clock after a move, as the file has it, without tenths: "1:02:03", "4:59". */
export function clockOf(comment: string): string {
  const value = comment.includes("[%clk") ? command(comment, "clk") : null;
  const found = /^(\d{1,3}):(\d\d):(\d\d)/.exec(value ?? "");
  if (!found) return "";
  return Number(found[1]) > 0 ? `${Number(found[1])}:${found[2]}:${found[3]}` : `${Number(found[2])}:${found[3]}`;
}

export function shapesOf(comment: string): Shape[] {
  if (!comment.includes("[%c")) return [];
  const shapes: Shape[] = [];
  for (const name of ["csl", "cal"]) {
    for (const word of (command(comment, name) ?? "").split(/[\s,]+/)) {
      const found = /^([GRYB])([a-h][1-8])([a-h][1-8])?$/.exec(word);
      if (found && (found[3] !== undefined) === (name === "cal")) shapes.push({ colour: found[1] as ShapeColour, from: found[2] ?? "", to: found[3] ?? found[2] ?? "" });
    }
  }
  return shapes;
}

/** The comment with other arrows and squares. */
export function withShapes(comment: string, shapes: readonly Shape[]): string {
  const rest = comment.replace(/\[%c[as]l[^[\]]*\]/g, "").replace(/ {2,}/g, " ").trim();
  const list = (name: string, some: readonly Shape[]): string =>
    some.length > 0 ? `[%${name} ${some.map((shape) => shape.colour + shape.from + (name === "cal" ? shape.to : "")).join(",")}]` : "";
  const squares = shapes.filter((shape) => shape.from === shape.to);
  const arrows = shapes.filter((shape) => shape.from !== shape.to);
  return [list("csl", squares), list("cal", arrows), rest].filter(Boolean).join(" ");
}

/** Adds a shape; the same shape again is removed, and another colour replaces it. */
export function toggledShape(shapes: readonly Shape[], shape: Shape): Shape[] {
  const same = shapes.find((each) => each.from === shape.from && each.to === shape.to);
  const others = shapes.filter((each) => each !== same);
  return same?.colour === shape.colour ? others : [...others, shape];
}
