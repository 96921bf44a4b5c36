// SPDX-License-Identifier: MIT
//
// What all instances of the engine module share: the memory of its threads, and the system calls it imports.

const INITIAL_PAGES = 128; // 8 MB, the size that the Makefile links
const MAX_PAGES = 65536; // 4 GB

/** A thread that is not ready after this time counts as failed. */
export const THREAD_START_TIMEOUT_MS = 10000;

/** Tries smaller limits until one fits: browsers reserve the maximum at once, and small devices cannot reserve 4 GB. */
export function sharedMemory() {
  for (let maximum = MAX_PAGES; ; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum, shared: true });
    } catch (error) {
      if (maximum / 2 < INITIAL_PAGES) {
        throw error;
      }
    }
  }
}

/** The WASI functions that the module imports. The clock is the same in all threads; file functions fail. */
export function system(memory) {
  const EINVAL = 28; // its number in WASI
  return {
    clock_time_get(clock, precision, result) {
      const now = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6));
      new DataView(memory().buffer).setBigUint64(result, now, true);
      return 0;
    },
    fd_write: () => EINVAL,
    fd_seek: () => EINVAL,
    fd_close: () => EINVAL,
  };
}
