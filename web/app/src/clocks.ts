// SPDX-License-Identifier: MIT
// A pair of chess clocks. Time comes from outside, so that tests need not wait.

export type Colour = "w" | "b";

export interface Control {
  minutes: number;
  increment: number;
}

/** "5+3": five minutes, and three seconds for each move. null if it is not such a text. */
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

  /** Milliseconds, never below 0. */
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

  /** The player whose clock runs has moved: the increment is his, and the other clock runs. */
  press(): void {
    if (!this.running) return;
    const mover = this.running;
    this.pause();
    if (this.left[mover] > 0) this.left[mover] += this.control.increment * 1000;
    this.start(mover === "w" ? "b" : "w");
  }

  set(colour: Colour, milliseconds: number): void {
    this.left[colour] = Math.max(0, milliseconds);
    if (this.running === colour) this.since = this.now();
  }

  /** Whose time is up. */
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
