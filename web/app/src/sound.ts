// SPDX-License-Identifier: MIT
// Sounds for moves, captures, checks and the end of the game, synthesized without sound files.

let context: AudioContext | null = null;

export type Sound = "move" | "capture" | "check" | "end";

const TONES: Record<Sound, number[]> = { move: [320], capture: [210, 140], check: [520, 660], end: [392, 494, 587] };

export function play(sound: Sound): void {
  context ??= new AudioContext();
  const { currentTime } = context;
  for (const [index, frequency] of TONES[sound].entries()) {
    const start = currentTime + index * (sound === "end" ? 0.09 : 0.02);
    const oscillator = new OscillatorNode(context, { type: "triangle", frequency });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(0.16, start + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + (sound === "end" ? 0.5 : 0.12));
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + 0.6);
  }
}
