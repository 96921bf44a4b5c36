// SPDX-License-Identifier: MIT
// A chess clock for both sides. The source of time is a parameter, so that tests need not wait.

export type Colour = "w" | "b";

export interface Control {
  minutes: number;
  increment: number;
}

/** Parses "5+3": five minutes, and an increment of three seconds. Returns null for other text. */
export function parseControl(value: string): Control | null {
  const found = /^(\d{1,3})\+(\d{1,3})$/.exec(value);
  if (!found) return null;
  const control = { minutes: Number(found[1]), increment: Number(found[2]) };
  return control.minutes > 0 ? control : null;
}

export class Clocks {
  private readonly left: Record<Colour, number>;
  private running: Colour | null = null;
  private since = 0;

  constructor(
    readonly control: Control,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.left = { w: control.minutes * 60_000, b: control.minutes * 60_000 };
  }

  /** The remaining time in milliseconds, never below 0. */
  remaining(colour: Colour): number {
    const used = this.running === colour ? this.now() - this.since : 0;
    return Math.max(0, this.left[colour] - used);
  }

  get turn(): Colour | null {
    return this.running;
  }

  start(colour: Colour): void {
    this.pause();
    this.running = colour;
    this.since = this.now();
  }

  pause(): void {
    if (!this.running) return;
    this.left[this.running] = this.remaining(this.running);
    this.running = null;
  }

  /** The running side has moved: adds its increment and starts the other clock. */
  press(): void {
    if (!this.running) return;
    const side = this.running;
    this.pause();
    if (this.left[side] > 0) this.left[side] += this.control.increment * 1000;
    this.start(side === "w" ? "b" : "w");
  }

  set(colour: Colour, milliseconds: number): void {
    this.left[colour] = Math.max(0, milliseconds);
    if (this.running === colour) this.since = this.now();
  }

  /** The side whose time is up; null if none. */
  flagged(): Colour | null {
    return this.running && this.remaining(this.running) <= 0 ? this.running : null;
  }
}

/** "1:02:03", "4:59", and tenths in the last ten seconds: "0:09.4". */
export function clockText(milliseconds: number): string {
  if (milliseconds < 10_000) {
    const tenths = Math.floor(milliseconds / 100);
    return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.ceil(milliseconds / 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
