/* SPDX-License-Identifier: MIT */
/*
 * A UCI session without a process: lines go in by uci_receive, and lines come out by a callback of the host. The host
 * owns everything outside: standard input and output, files, the clock. The program (programs/luft/uci), the browser
 * build (bindings/wasm/uci_web.c) and the fuzzers (tests/fuzz/session.c) are hosts.
 *
 * How to use it: fill in a uci_host, call uci_create, then uci_receive for each line. Search, perft and bench run in
 * threads of their own, as jobs. While perft or bench runs, most lines wait in a queue: call uci_run_queued between
 * two lines, and now and then while uci_is_busy. A session belongs to one thread of the host.
 */
#ifndef LUFT_UCI_UCI_H
#define LUFT_UCI_UCI_H

#include "line.h"

#include "luft/engine.h"
#include "luft/luft.h"

typedef struct uci_session uci_session;

enum { UCI_REASON_SIZE = 160 }; /* of a text that says why a file cannot be used; printable ASCII */

/* What a session needs from outside. */
typedef struct uci_host {
    /*
     * Writes one line, or several separated by line feeds, and a final line feed. Called from any thread; the host
     * keeps lines of two threads apart. False if the text is lost.
     */
    bool (*write)(void *payload, const char *text);

    /* Microseconds of a monotonic clock. Called from any thread. */
    int64_t (*now_us)(void *payload);

    /*
     * Called every few milliseconds by perft, for a host that runs the session and its jobs in one thread and handles
     * its input meanwhile. NULL where threads exist.
     */
    void (*pause)(void *payload);

    /*
     * Reads the first `limit` bytes of a file into memory that the session frees. NULL, with a reason, if that fails.
     * The callback itself is NULL where there are no files.
     */
    uint8_t *(*read_file)(void *payload, const char *path, size_t limit, size_t *length, char *reason);

    /*
     * From now on appends all input and output to this file; NULL ends the log. False, with a reason, if the file
     * cannot be written: the log before stays. The callback itself is NULL where there are no files.
     */
    bool (*set_log)(void *payload, const char *path, char *reason);

    void *payload;
} uci_host;

/* What a host can add to UCI, such as commands for a person at a terminal. Each callback may be NULL. */
typedef struct uci_extension {
    /* Runs a line that is not a UCI command. False ends the session. */
    bool (*run_line)(void *payload, uci_text line);

    /* `position` or `flip` was accepted: the game is now `start` and these moves. */
    void (*position_changed)(void *payload, const luft_position *start, const luft_move *moves, size_t count);

    /* `uci` was received: the client is a program. */
    void (*client_is_program)(void *payload);

    /* `help` lists the commands of the extension first. */
    void (*help)(void *payload);

    void *payload;
} uci_extension;

/* --- Life --------------------------------------------------------------------- */

/* NULL, with an error line written, if out of memory. The host is copied; its payload must outlive the session. */
uci_session *uci_create(const uci_host *host);

/* Stops what runs and drops what waits. NULL is fine. */
void uci_free(uci_session *uci);

/* Adds to UCI. The extension is copied; its payload must outlive the session. */
void uci_extend(uci_session *uci, const uci_extension *extension);

/* --- Lines -------------------------------------------------------------------- */

/* Runs a line, without its line feed, or puts it in the queue. False once the session has ended. */
bool uci_receive(uci_session *uci, const char *line, size_t length);

/* Runs the line that has waited longest, unless perft or bench still runs. False if no line was run. */
bool uci_run_queued(uci_session *uci);

/*
 * Reports that a line was lost because it does not fit into memory. It may have been a position, so there is none until
 * the next one. Runs what waits in the queue first.
 */
void uci_lose_line(uci_session *uci);

/* `quit` was received, or the extension has ended the session. */
bool uci_has_ended(const uci_session *uci);

/* Some output was lost. */
bool uci_has_lost_output(const uci_session *uci);

/* --- Jobs --------------------------------------------------------------------- */

typedef enum uci_job_kind { UCI_JOB_NONE, UCI_JOB_SEARCH, UCI_JOB_PERFT, UCI_JOB_BENCH } uci_job_kind;

/* The job that runs. */
uci_job_kind uci_running_job(const uci_session *uci);

/* False for a search that waits for `stop` or `ponderhit`. */
bool uci_job_is_finite(const uci_session *uci);

/* Perft or bench runs, or lines are queued. */
bool uci_is_busy(const uci_session *uci);

/* How many lines are queued. */
size_t uci_queued(const uci_session *uci);

/* Does what the command `stop` does: asks the job that runs, and the queued ones, to end. Returns at once. */
void uci_stop(uci_session *uci);

/* Waits until the job that runs has written its last line. A search that is not finite must be stopped before. */
void uci_wait(uci_session *uci);

/* uci_stop and uci_wait. */
void uci_finish(uci_session *uci);

/* Stops everything, and runs the queue to its end. */
void uci_drain(uci_session *uci);

/* --- State, for hosts and extensions ------------------------------------------- */

/* The engine of the session. Call uci_finish before changing its position. */
luft_engine *uci_engine(const uci_session *uci);

/* The last position was accepted. */
bool uci_has_position(const uci_session *uci);

/* An extension has set the engine's position, or has failed to. */
void uci_set_has_position(uci_session *uci, bool has_position);

#endif
