// SPDX-License-Identifier: MIT
//
// What all instances of the engine's module have in common: memory that threads share, and a system.

const PAGES_AT_FIRST = 128; // as the Makefile links it: 8 MB
const PAGES_MAX = 65536; // 4 GB

/** So long a thread may take to come up. */
export const PATIENCE_MS = 10000;

/** A browser must set aside what memory may grow to, and on a small device has less. */
export function sharedMemory() {
  for (let maximum = PAGES_MAX; ; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: PAGES_AT_FIRST, maximum, shared: true });
    } catch (error) {
      if (maximum / 2 < PAGES_AT_FIRST) {
        throw error;
      }
    }
  }
}

/** All that the module wants of a system: the time, the same for all threads. What it would write to files is dropped. */
export function system(memory) {
  const dropped = 28; // the number of EINVAL in WASI
  return {
    clock_time_get(clock, precision, result) {
      const now = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6));
      new DataView(memory().buffer).setBigUint64(result, now, true);
      return 0;
    },
    fd_write: () => dropped,
    fd_seek: () => dropped,
    fd_close: () => dropped,
  };
}
