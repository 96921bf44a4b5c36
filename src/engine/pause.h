/* SPDX-License-Identifier: MIT */
/*
 * Where the search and its client share one thread, the search calls engine_pause every few milliseconds, and the client
 * handles its input meanwhile. Where the search has threads of its own, the call does nothing.
 */
#ifndef LUFT_ENGINE_PAUSE_H
#define LUFT_ENGINE_PAUSE_H

#ifdef __wasm__
/* Keeps only the stack of the calling thread: see bindings/wasm/threads.c. */
__attribute__((import_module("luft"), import_name("pause"))) void engine_pause(void);
#else
static inline void engine_pause(void) {
}
#endif

#endif
