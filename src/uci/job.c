/* SPDX-License-Identifier: MIT */
/*
 * The jobs of a UCI session: search, perft and bench. All are started, stopped and waited for here, and one runs at a
 * time. A search runs in the threads of the session's engine. Perft and bench run in a thread of this file, so that
 * `isready` is answered meanwhile and `stop` and `quit` end them.
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"
#include "session.h"

/* --- Search ----------------------------------------------------------------------- */

static bool start_search(uci_session *uci, const luft_engine_limits *limits) {
    const luft_engine_callbacks callbacks = {.size = sizeof callbacks,
                                             .line = uci_send_variation,
                                             .current_move = uci_send_current_move,
                                             .fewer_threads = uci_send_fewer_threads,
                                             .done = uci_send_result,
                                             .payload = uci};
    return luft_engine_start(uci->engine, limits, &callbacks) == LUFT_OK;
}

/* A search that cannot be started still answers with a best move: the first legal one. */
static void send_first_move(uci_session *uci, const luft_engine_limits *limits) {
    luft_move_list list;
    luft_generate(&list, luft_engine_position(uci->engine), LUFT_ALL_MOVES);
    const luft_move *moves = limits->search_move_count > 0 ? limits->search_moves : list.moves;
    uci_send_best_move(uci, list.count > 0 ? moves[0] : LUFT_MOVE_NONE, LUFT_MOVE_NONE);
}

/* --- Perft ------------------------------------------------------------------------ */

enum { SUBTREE_DEPTH = 4 }; /* of subtrees that are counted in one call: a few tenths of a second at most */

/* luft_perft in subtrees, with a look at the flag between them. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as was asked for, which is limited
static uint64_t count(const uci_session *uci, const luft_position *position, int depth) {
    if (uci->host.pause) {
        uci->host.pause(uci->host.payload);
    }
    if (atomic_load_explicit(&uci->job.is_stopped, memory_order_relaxed)) {
        return 0;
    }
    if (depth <= SUBTREE_DEPTH) {
        return luft_perft(position, depth, LUFT_PERFT_TWO_PLY);
    }
    uint64_t nodes = 0;
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        nodes += count(uci, &next, depth - 1);
    }
    return nodes;
}

static void run_perft(uci_session *uci) {
    const uci_job *job = &uci->job;
    luft_move_list list;
    luft_generate(&list, &job->position, LUFT_ALL_MOVES);
    uint64_t total = 0;
    for (int i = 0; i < list.count && job->depth > 0; i++) {
        luft_position next;
        char text[LUFT_UCI_MOVE_SIZE];
        luft_make(&next, &job->position, list.moves[i]);
        const uint64_t nodes = count(uci, &next, job->depth - 1);
        if (atomic_load(&job->is_stopped)) {
            uci_send(uci, "info string perft was stopped");
            return;
        }
        uci_send(uci, "%s: %llu", uci_move_text(uci, text, list.moves[i]), (unsigned long long)nodes);
        total += nodes;
    }
    uci_send(uci, "%sNodes searched: %llu", job->depth > 0 ? "\n" : "",
             (unsigned long long)(job->depth > 0 ? total : 1));
}

/* --- Bench ------------------------------------------------------------------------ */

static void send_bench_line(void *payload, const char *line) {
    uci_send(payload, "%s", line);
}

static int64_t host_time(void *payload) {
    const uci_session *uci = payload;
    return uci->host.now_us(uci->host.payload);
}

static void run_bench(uci_session *uci) {
    const bench_client client = {.print = send_bench_line, .now_us = host_time, .payload = uci};
    const bench_result result = bench_run(uci->job.bench, uci->job.depth, &uci->job.is_stopped, &client);
    if (result == BENCH_STOPPED) {
        uci_send(uci, "info string bench was stopped");
    } else if (result == BENCH_FAILED) {
        uci_send_error(uci, "%s", BENCH_FAILED_TEXT);
    }
}

/* --- Threads of perft and bench ------------------------------------------------------ */

static void *thread_main(void *argument) {
    uci_session *uci = argument;
    if (uci->job.kind == UCI_JOB_BENCH) {
        run_bench(uci);
    } else {
        run_perft(uci);
    }
    atomic_store(&uci->job.is_running, false);
    return NULL;
}

static bool start_thread(uci_session *uci) {
    uci_job *job = &uci->job;
    atomic_store(&job->is_running, true);
    job->is_started = pthread_create(&job->thread, NULL, thread_main, uci) == 0;
    if (!job->is_started) {
        atomic_store(&job->is_running, false);
    }
    return job->is_started;
}

/* --- All of them ------------------------------------------------------------------- */

void uci_start_job(uci_session *uci, const uci_task *task) {
    static const char *const names[] = {"", "search", "perft", "bench"};
    uci_job *job = &uci->job;
    bool is_started = false;
    uci_finish(uci);
    job->kind = task->kind;
    job->is_finite = task->kind != UCI_JOB_SEARCH || task->is_finite;
    job->is_pondering = task->is_pondering;
    job->depth = task->depth;
    atomic_store(&job->is_stopped, uci->is_stopping);
    switch (task->kind) {
    case UCI_JOB_NONE: return;
    case UCI_JOB_SEARCH: is_started = start_search(uci, &task->limits); break;
    case UCI_JOB_PERFT:
        job->position = *luft_engine_position(uci->engine);
        is_started = start_thread(uci);
        break;
    case UCI_JOB_BENCH: is_started = luft_engine_create(&job->bench) == LUFT_OK && start_thread(uci); break;
    }
    if (!is_started) {
        uci_send_error(uci, "cannot start the %s: out of memory or threads", names[task->kind]);
        if (task->kind == UCI_JOB_SEARCH) {
            send_first_move(uci, &task->limits);
        }
        uci_wait(uci);
    } else if (uci->is_stopping) {
        uci_stop_job(uci);
    }
}

uci_job_kind uci_running_job(const uci_session *uci) {
    const uci_job *job = &uci->job;
    const bool is_running =
        job->kind == UCI_JOB_SEARCH ? luft_engine_is_searching(uci->engine) : atomic_load(&job->is_running);
    return is_running ? job->kind : UCI_JOB_NONE;
}

bool uci_job_is_finite(const uci_session *uci) {
    return uci->job.is_finite;
}

void uci_stop_job(uci_session *uci) {
    atomic_store(&uci->job.is_stopped, true);
    luft_engine_stop(uci->engine);
    if (uci->job.bench) {
        luft_engine_stop(uci->job.bench);
    }
}

void uci_wait(uci_session *uci) {
    luft_engine_wait(uci->engine);
    if (uci->job.is_started) {
        pthread_join(uci->job.thread, NULL);
        uci->job.is_started = false;
    }
    luft_engine_free(uci->job.bench);
    uci->job.bench = NULL;
}
