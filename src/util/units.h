/* SPDX-License-Identifier: MIT */
/*
 * Long work as units that do not depend on each other. A unit is a request, some text that says all that its result
 * depends on beside the manifest; so units are deterministic, can be done again, and equal requests are done once.
 *
 * The command asks for units (units_ask) and waits for their results (units_wait) in the order of its output. Workers take
 * units and finish them: threads of this process (units_start), or whoever calls units_take and units_finish, such as the
 * coordinator of an MPI program. Which worker did a unit, and when, shows nowhere in the output. Finished units are kept
 * in a journal (util/journal.h), from which a later run, or luft merge, takes them.
 */
#ifndef LUFT_UTIL_UNITS_H
#define LUFT_UTIL_UNITS_H

#include "interrupt.h"
#include "journal.h"
#include "progress.h"

#define UNITS_MAX_THREADS 256

typedef struct units units;

/* How units of a kind are done. */
typedef struct unit_work {
    void *shared;                /* for `open`, such as the settings of the command */
    void *(*open)(void *shared); /* the state of a worker; NULL after an error line */
    void (*close)(void *state);  /* frees it; NULL is fine */
    /* Does a unit: appends its result. False with the reason of the failure in `result`, or if it was stopped. */
    bool (*run)(void *state, const char *request, size_t length, buffer *result);
    void (*stop)(void *state); /* ends a running unit soon; called by another thread; may be NULL */
} unit_work;

typedef struct units_settings {
    const char *command;  /* for error lines: "luft analyse" */
    const char *manifest; /* lines that describe the work */
    const char *journal;  /* a file; NULL for a temporary one */
    const char *parts;    /* a directory of finished parts, from which all results come; NULL for none */
    journal_part part;    /* to do; all zeros for everything. The results of other parts are not available then */
    size_t waiting_max;   /* units_ask blocks while so many wait; 0 for no limit */
    progress *line;       /* NULL for none */
} units_settings;

/* Opens the journal. NULL after an error line, with an exit status. */
units *units_open(const units_settings *settings, int *status);

/* Frees everything, after the workers have ended. False after an error line if the journal cannot be synced. */
bool units_free(units *it);

/* --- For the command -------------------------------------------------------------- */

/*
 * Asks for a unit. Larger weights are done first; `share` is its part of the progress, 0 to 1. False if the work is to
 * end: out of memory, interrupted, or the journal cannot be written.
 */
bool units_ask(units *it, const char *request, size_t length, uint64_t weight, double share);

/*
 * Waits for a unit that was asked for, and appends its result. UNIT_FAILED if it failed twice; UNIT_UNKNOWN if the work
 * is to end, or if the unit belongs to another part.
 */
unit_state units_wait(units *it, const char *request, size_t length, buffer *result);

/*
 * Waits until no unit waits or runs. True if all that were asked for are finished. A part that is finished is marked as
 * such in its journal.
 */
bool units_drain(units *it);

/* Is this run one of several parts, whose journals are its only output? */
bool units_is_part(const units *it);

/* How many units were asked for, and how many of them were done by this run; how many failed twice. */
uint64_t units_asked(units *it);
uint64_t units_done(units *it);
uint64_t units_failed(units *it);

/* Has the work been ended by ^C? */
bool units_is_interrupted(const units *it);

/* --- Workers ------------------------------------------------------------------------ */

/*
 * Starts this many threads, 1 to UNITS_MAX_THREADS, each with a state of its own. ^C then stops the work; a second one,
 * SIGTERM or SIGHUP ends the program at once, after removing the file `unfinished` if that is not NULL. False after an error line if not even
 * one thread or state could be made; fewer than asked for do the work too.
 */
bool units_start(units *it, const unit_work *work, int threads, const char *unfinished);

/* A unit that a worker has taken. */
typedef struct unit {
    unit_key key;
    char *request; /* freed by units_finish, units_fail or units_return */
    size_t length;
    uint64_t weight;
    uint64_t order; /* in which it was asked for */
    double share;
    int failures;
} unit;

/* Takes the next unit. If there is none, waits for one if `may_wait`. False if there is none. */
bool units_take(units *it, unit *out, bool may_wait);

/* The unit is finished, has failed for a reason, or goes back untouched because its worker ends. */
void units_finish(units *it, unit *taken, const void *result, size_t length);
void units_fail(units *it, unit *taken, const char *reason, size_t length);
void units_return(units *it, unit *taken);

/* Is the unit finished or failed, so that units_wait returns at once? */
bool units_is_ready(units *it, const char *request, size_t length);

/* True as long as units wait, run, or may still be asked for. */
bool units_is_open(units *it);

/* No more units will be asked for: workers end when none is left. units_drain says so too. */
void units_end(units *it);

/* --- Who runs the workers ----------------------------------------------------------------- */

/*
 * Threads of this process, or ranks of an MPI program, which all get the same arguments. In a rank that only works, `serve`
 * does units until the coordinator has no more, and returns an exit status; it is NULL elsewhere. The others call `start`
 * in place of units_start, and `finish` before units_free.
 */
typedef struct unit_runner {
    void *payload; /* the first argument of the functions */
    bool (*start)(void *payload, units *it, const unit_work *work, int threads, const char *unfinished);
    void (*finish)(void *payload, units *it);
    int (*serve)(void *payload, const unit_work *work, int threads);
    /*
     * Memory of zeros that all processes on this machine share, aligned to 64 bytes and freed at the end of the program.
     * All of them call it, with the same size. NULL if the system has too little. The function is NULL where a process is
     * alone.
     */
    void *(*share)(void *payload, size_t size);
} unit_runner;

extern const unit_runner units_by_threads;

#endif
