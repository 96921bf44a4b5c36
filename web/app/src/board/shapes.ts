// SPDX-License-Identifier: MIT
// Arrows and coloured squares over the board, in an SVG whose unit is a square. An arrow is one closed shape, so that a
// transparent one has no seam between shaft and head.

import { makeSvg } from "../dom.js";
import { placeOf, type Orientation } from "./geometry.js";

/** Engine and hint arrows, and the four colours that people draw in. */
export type ShapeKind = "best" | "other" | "threat" | "hint" | "G" | "R" | "Y" | "B";

export interface BoardShape {
  kind: ShapeKind;
  from: string;
  /** The same square for a circle. */
  to: string;
}

const WIDTHS: Partial<Record<ShapeKind, number>> = { best: 0.17, hint: 0.17, threat: 0.17, other: 0.12 };

export function drawShape(shape: BoardShape, below: Orientation): SVGElement {
  const from = placeOf(shape.from, below);
  const to = placeOf(shape.to, below);
  const [x1, y1, x2, y2] = [from.x + 0.5, from.y + 0.5, to.x + 0.5, to.y + 0.5];
  if (shape.from === shape.to) return makeSvg("circle", { class: `shape circle kind-${shape.kind}`, cx: x1, cy: y1, r: 0.45 });
  const half = (WIDTHS[shape.kind] ?? 0.15) / 2;
  const head = half * 2.6;
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  // Points along and across the arrow, from the edge of the first piece to just before the middle of the last square.
  const point = (along: number, across: number): string => `${(x1 + ux * along - uy * across).toFixed(3)},${(y1 + uy * along + ux * across).toFixed(3)}`;
  const start = 0.3;
  const end = length - 0.08;
  const neck = end - head * 1.7;
  const points = [point(start, -half), point(neck, -half), point(neck, -head), point(end, 0), point(neck, head), point(neck, half), point(start, half)];
  return makeSvg("path", { class: `shape arrow arrow-${shape.kind} kind-${shape.kind}`, d: `M${points.join(" L")} Z`, "data-from": shape.from, "data-to": shape.to });
}
