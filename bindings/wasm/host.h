/* SPDX-License-Identifier: MIT */
/*
 * The interface between the engine's module and JavaScript (web/package/engine.js): the functions that each side calls
 * of the other. engine/pause.h of the engine imports the same `pause`.
 */
#ifndef LUFT_WASM_HOST_H
#define LUFT_WASM_HOST_H

#include <stdbool.h>
#include <stddef.h>

#define WEB_IMPORT(name) __attribute__((import_module("luft"), import_name(name)))
#define WEB_EXPORT(name) __attribute__((export_name(name)))

/* --- What C calls ------------------------------------------------------------------ */

/* Writes a line of UCI. */
WEB_IMPORT("say") void host_say(const char *text, size_t length);

/* Suspends the thread for input to be handled; only its own stack is kept: see threads.c. */
WEB_IMPORT("pause") void host_pause(void);

/* The same, but there is nothing to do until a line is received. */
WEB_IMPORT("wait") void host_wait(void);

/* Runs the thread to its end, without a pause. */
WEB_IMPORT("finish") void host_finish(void);

/* --- What JavaScript calls: lines of UCI (uci_web.c) --------------------------------- */

/* Creates the session. False if out of memory. */
WEB_EXPORT("uci_start") bool web_uci_start(void);

/* A buffer for the next line; NULL if out of memory. */
WEB_EXPORT("uci_room") char *web_uci_room(size_t length);

/* Receives the line in the buffer. False for `quit`. */
WEB_EXPORT("uci_line") bool web_uci_line(size_t length);

/* How many threads the session is set to. */
WEB_EXPORT("uci_threads") int web_uci_threads(void);

/* Sets this number instead, because no more Workers could be started. */
WEB_EXPORT("uci_limit_threads") void web_uci_limit_threads(int threads);

/* Runs the next queued line. False if none is queued, or if perft or bench still runs. */
WEB_EXPORT("uci_go_on") bool web_uci_go_on(void);

/* --- What JavaScript calls: the thread of a search (threads.c) ------------------------- */

/* Is there one that has not ended? */
WEB_EXPORT("thread_is_alive") bool web_thread_is_alive(void);

/* Runs it, from its start or from where it was suspended. */
WEB_EXPORT("thread_run") void web_thread_run(void);

/* The begin of its C stack, which grows downward. */
WEB_EXPORT("thread_stack") char *web_thread_stack(void);

/* The empty buffer in which asyncify saves the stack of WebAssembly. */
WEB_EXPORT("thread_kept") void *web_thread_kept(void);

/* --- What JavaScript calls: the thread pool (pool.c), where memory is shared ------------------ */
#ifdef __wasm_atomics__

/* The begin of the C stack of the next pool thread; NULL if out of memory. */
WEB_EXPORT("pool_stack") char *web_pool_stack(void);

/* Adds a thread to the pool. Returns its number; -1 if the pool is full. */
WEB_EXPORT("pool_enter") int web_pool_enter(void);

/* Runs what the pool thread is given. Never returns. */
WEB_EXPORT("pool_serve") void web_pool_serve(int number);

#endif

#endif
