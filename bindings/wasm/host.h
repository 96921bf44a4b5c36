/* SPDX-License-Identifier: MIT */
/*
 * The engine's module and the JavaScript around it (web/package/engine.js): what each
 * calls of the other. The pause of the search is in engine/pause.h.
 */
#ifndef LUFT_WASM_HOST_H
#define LUFT_WASM_HOST_H

#include <stdbool.h>
#include <stddef.h>

#define WEB_IMPORT(name) __attribute__((import_module("luft"), import_name(name)))
#define WEB_EXPORT(name) __attribute__((export_name(name)))

/* --- What C calls ------------------------------------------------------------------ */

/* A line of UCI goes out. */
WEB_IMPORT("say") void host_say(const char *text, size_t length);

/* Like engine_pause, but there is nothing to do until a line has come in. */
WEB_IMPORT("wait") void host_wait(void);

/* Lets the thread run to its end, without a pause. */
WEB_IMPORT("finish") void host_finish(void);

/* --- What JavaScript calls: lines of UCI (uci_web.c) --------------------------------- */

/* The session begins. False if there is no memory. */
WEB_EXPORT("uci_start") bool web_uci_start(void);

/* Room for the next line; NULL if there is no memory. */
WEB_EXPORT("uci_room") char *web_uci_room(size_t length);

/* A line is in the room. False for `quit`. */
WEB_EXPORT("uci_line") bool web_uci_line(size_t length);

/* How many threads the session wants to search with. */
WEB_EXPORT("uci_threads") int web_uci_threads(void);

/* No more than so many could be had. */
WEB_EXPORT("uci_limit_threads") void web_uci_limit_threads(int threads);

/* Obeys the next line that had to wait for perft or bench. False if there is none, or something holds it up again. */
WEB_EXPORT("uci_go_on") bool web_uci_go_on(void);

/* --- What JavaScript calls: the thread of a search (threads.c) ------------------------- */

/* Is there one that has not come to its end? */
WEB_EXPORT("thread_is_alive") bool web_thread_is_alive(void);

/* Runs it, from its begin or from where it was set aside. */
WEB_EXPORT("thread_run") void web_thread_run(void);

/* Where its stack begins: it grows downward. */
WEB_EXPORT("thread_stack") char *web_thread_stack(void);

/* The room in which asyncify keeps what is on the stack of WebAssembly, all of it free. */
WEB_EXPORT("thread_kept") void *web_thread_kept(void);

/* --- What JavaScript calls: the crew (crew.c), where memory is shared ------------------------ */
#ifdef __wasm_atomics__

/* Where the stack of the next member begins; NULL if there is no memory. */
WEB_EXPORT("crew_stack") char *web_crew_stack(void);

/* A member is there; its number, or -1: there are enough, one that was given up came late. */
WEB_EXPORT("crew_enter") int web_crew_enter(void);

/* The member does what there is to do, for ever. */
WEB_EXPORT("crew_serve") void web_crew_serve(int number);

#endif

#endif
