/* SPDX-License-Identifier: MIT */
/*
 * Long work that shares its only thread with its client calls this now and then, at least every few thousandths of a
 * second. In the browser the client then takes what has come in meanwhile; elsewhere work has threads, and this is nothing.
 */
#ifndef LUFT_ENGINE_PAUSE_H
#define LUFT_ENGINE_PAUSE_H

#ifdef __wasm__
/* Only the stack of whoever calls is kept: see bindings/wasm/threads.c. */
__attribute__((import_module("luft"), import_name("pause"))) void engine_pause(void);
#else
static inline void engine_pause(void) {
}
#endif

#endif
