/* SPDX-License-Identifier: MIT */
/*
 * `go perft` and `bench` for the UCI session: long work that is no search of the
 * session's engine. It runs in a thread, so that `isready` is answered meanwhile
 * and `stop` and `quit` end it; but not the `quit` at the end of a script.
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"
#include "session.h"

#include "engine/pause.h"

/* --- Perft ------------------------------------------------------------------------ */

enum { PIECE_DEPTH = 4 }; /* of trees that are counted in one go: some tenths of a second at the most */

/* luft_perft in pieces, with a look at the flag between them. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as was asked for, which is limited
static uint64_t count(const uci_work *work, const luft_position *position, int depth) {
    engine_pause();
    if (atomic_load_explicit(&work->stop, memory_order_relaxed)) {
        return 0;
    }
    if (depth <= PIECE_DEPTH) {
        return luft_perft(position, depth, LUFT_PERFT_TWO_PLY);
    }
    uint64_t nodes = 0;
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        nodes += count(work, &next, depth - 1);
    }
    return nodes;
}

static void run_perft(uci_session *uci) {
    const uci_work *work = &uci->work;
    luft_move_list list;
    luft_generate(&list, &work->position, LUFT_ALL_MOVES);
    uint64_t total = 0;
    for (int i = 0; i < list.count && work->depth > 0; i++) {
        luft_position next;
        char text[LUFT_UCI_MOVE_SIZE];
        luft_make(&next, &work->position, list.moves[i]);
        const uint64_t nodes = count(work, &next, work->depth - 1);
        if (atomic_load(&work->stop)) {
            uci_say(uci, "info string perft was stopped");
            return;
        }
        uci_say(uci, "%s: %llu", uci_move_text(uci, text, list.moves[i]), (unsigned long long)nodes);
        total += nodes;
    }
    uci_say(uci, "%sNodes searched: %llu", work->depth > 0 ? "\n" : "",
            (unsigned long long)(work->depth > 0 ? total : 1));
}

/* --- Bench ------------------------------------------------------------------------ */

static void say_bench_line(void *payload, const char *line) {
    uci_say(payload, "%s", line);
}

static void run_bench(uci_session *uci) {
    const bench_printer printer = {.print = say_bench_line, .payload = uci};
    const bench_result result = bench_run(uci->work.bench, uci->work.depth, &uci->work.stop, &printer);
    if (result == BENCH_STOPPED) {
        uci_say(uci, "info string bench was stopped");
    } else if (result == BENCH_REFUSED) {
        uci_refuse(uci, BENCH_REFUSED_TEXT);
    }
}

/* --- The thread ------------------------------------------------------------------- */

static void *work_main(void *argument) {
    uci_session *uci = argument;
    if (uci->work.bench) {
        run_bench(uci);
    } else {
        run_perft(uci);
    }
    atomic_store(&uci->work.running, false);
    return NULL;
}

static void start(uci_session *uci) {
    atomic_store(&uci->work.stop, uci->stops_waiting > 0);
    atomic_store(&uci->work.running, true);
    uci->work.started = pthread_create(&uci->work.thread, NULL, work_main, uci) == 0;
    if (!uci->work.started) { /* without one the loop would hear nothing until the end */
        atomic_store(&uci->work.running, false);
        uci_refuse(uci, "the system gives no thread for perft or bench");
        uci_work_wait(uci);
    }
}

void uci_start_perft(uci_session *uci, int depth) {
    uci_work_wait(uci);
    uci->work.depth = depth;
    uci->work.position = *engine_position(uci->engine);
    start(uci);
}

void uci_start_bench(uci_session *uci, int depth) {
    uci_work_wait(uci);
    uci->work.depth = depth;
    uci->work.bench = engine_create();
    if (!uci->work.bench) {
        uci_refuse(uci, "out of memory");
        return;
    }
    start(uci);
}

bool uci_work_runs(const uci_session *uci) {
    return atomic_load(&uci->work.running);
}

void uci_work_stop(uci_session *uci) {
    atomic_store(&uci->work.stop, true);
    if (uci->work.bench) {
        engine_stop(uci->work.bench);
    }
}

void uci_work_wait(uci_session *uci) {
    if (uci->work.started) {
        pthread_join(uci->work.thread, NULL);
        uci->work.started = false;
    }
    engine_free(uci->work.bench);
    uci->work.bench = NULL;
}
