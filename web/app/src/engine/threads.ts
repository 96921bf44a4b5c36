// SPDX-License-Identifier: MIT
// The number of search threads. Threads need shared memory, which only cross-origin isolated pages have.

/** The maximum of the engine's option. */
export const THREADS_MAX = 32;

/** The choices: 1, 2, 4, … and all processors. */
export function threadChoices(processors: number, isolated: boolean): number[] {
  const max = isolated ? Math.min(Math.max(1, Math.floor(processors) || 1), THREADS_MAX) : 1;
  const choices = [];
  for (let count = 1; count < max; count *= 2) choices.push(count);
  return [...choices, max];
}

/** The largest choice that is at most `wanted`. 0 means half of the processors, which leaves half for other programs. */
export function threadCount(wanted: number, choices: number[]): number {
  const max = choices.at(-1) ?? 1;
  const goal = wanted || Math.max(1, Math.floor(max / 2));
  return choices.filter((count) => count <= goal).at(-1) ?? 1;
}
