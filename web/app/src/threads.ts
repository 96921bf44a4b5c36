// SPDX-License-Identifier: MIT
// With how many threads to search. Only a page that its host isolates from other origins may share memory between them.

/** As the engine's option has it. */
export const THREADS_MAX = 32;

/** What can be chosen here: 1, 2, 4 ... and all processors. */
export function threadChoices(processors: number, isolated: boolean): number[] {
  const most = isolated ? Math.min(Math.max(1, Math.floor(processors) || 1), THREADS_MAX) : 1;
  const choices = [];
  for (let count = 1; count < most; count *= 2) choices.push(count);
  return [...choices, most];
}

/** The choice nearest below what is wanted; if that is 0, the person's other work keeps half of the processors. */
export function threadCount(wanted: number, choices: number[]): number {
  const most = choices.at(-1) ?? 1;
  const goal = wanted || Math.max(1, Math.floor(most / 2));
  return choices.filter((count) => count <= goal).at(-1) ?? 1;
}
