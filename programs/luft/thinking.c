/* SPDX-License-Identifier: MIT */
/*
 * Runs a search and keeps what it says. ^C is taken by a thread that waits for it (see
 * signals.h) and can simply call engine_stop.
 */
#define _POSIX_C_SOURCE 200809L

#include "thinking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- Running a search ------------------------------------------------------- */

/*
 * A score that is only a bound comes from a depth that is not finished: what was complete is better, unless
 * that depth has found another move.
 */
static void keep_line(void *payload, const engine_line *line) {
    thinking *found = payload;
    thinking_line *kept = &found->lines[line->multipv - 1];
    const bool is_new = line->multipv > found->line_count;
    if (line->length == 0 ||
        (!is_new && (line->is_lower_bound || line->is_upper_bound) && kept->moves[0] == line->moves[0])) {
        return;
    }
    kept->depth = line->depth;
    kept->score = found->position.side_to_move == LUFT_WHITE ? line->score : -line->score;
    kept->nodes = line->nodes;
    kept->time_ms = line->time_ms;
    kept->length = line->length <= MAX_PLY ? line->length : MAX_PLY;
    memcpy(kept->moves, line->moves, (size_t)kept->length * sizeof kept->moves[0]);
    found->line_count = is_new ? line->multipv : found->line_count;
    if (found->progress) {
        found->progress(found->payload, kept, line->multipv);
    }
}

static void keep_best_move(void *payload, luft_move best, luft_move ponder) {
    thinking *found = payload;
    found->best = best;
    found->ponder = ponder;
}

/* A search that is stopped at once may have a move and no line, or one that begins otherwise. */
static void complete_first_line(thinking *found) {
    thinking_line *first = &found->lines[0];
    if (found->best == LUFT_MOVE_NONE || (found->line_count > 0 && first->moves[0] == found->best)) {
        return;
    }
    if (found->line_count == 0) {
        *first = (thinking_line){0};
        found->line_count = 1;
    }
    first->moves[0] = found->best;
    first->moves[1] = found->ponder;
    first->length = found->ponder == LUFT_MOVE_NONE ? 1 : 2;
}

bool thinking_set_game(luft_engine *engine, const luft_game *game) {
    const size_t count = luft_game_ply(game);
    luft_move *moves = malloc((count + 1) * sizeof *moves);
    if (!moves) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        moves[i] = luft_game_move_at(game, i);
    }
    const luft_error error = engine_set_position(engine, luft_game_position_at(game, 0), moves, count, NULL);
    free(moves);
    return error == LUFT_OK;
}

bool thinking_run(thinking *found, luft_engine *engine, const search_limits *limits,
                  void (*progress)(void *payload, const thinking_line *line, int number), void *payload) {
    found->position = *engine_position(engine);
    found->best = found->ponder = LUFT_MOVE_NONE;
    found->line_count = 0;
    found->progress = progress;
    found->payload = payload;
    const engine_callbacks callbacks = {.line = keep_line, .best_move = keep_best_move, .payload = found};
    if (!engine_go(engine, limits, &callbacks)) {
        return false;
    }
    engine_wait(engine);
    complete_first_line(found);
    return true;
}

/* --- Interrupting it -------------------------------------------------------- */

/* Stops the engines again and again, so that a search which was just about to start is not missed. */
static void stop_engines(const thinking_interrupt *interrupt) {
    const struct timespec pause = {.tv_nsec = 20000000};
    while (!atomic_load(&interrupt->over) && !signals_are_pending(&interrupt->signals)) {
        for (size_t i = 0; i < interrupt->count; i++) {
            engine_stop(interrupt->engines[i]);
        }
        nanosleep(&pause, NULL);
    }
}

static void *wait_for_interrupts(void *argument) {
    thinking_interrupt *interrupt = argument;
    for (int number; sigwait(&interrupt->signals, &number) == 0 && !atomic_load(&interrupt->over);) {
        if (number != SIGINT || interrupt->count == 0 || atomic_exchange(&interrupt->interrupted, true)) {
            if (interrupt->unfinished) {
                unlink(interrupt->unfinished);
            }
            _exit(128 + number); /* what a shell says of a program that the signal has ended */
        }
        stop_engines(interrupt);
    }
    return NULL;
}

void thinking_watch(thinking_interrupt *interrupt, luft_engine *const *engines, size_t count, const char *unfinished) {
    atomic_init(&interrupt->interrupted, false);
    atomic_init(&interrupt->over, false);
    interrupt->engines = engines;
    interrupt->count = count;
    interrupt->unfinished = unfinished;
    interrupt->watching = false;
    if (!signals_take(&interrupt->signals)) {
        return;
    }
    interrupt->watching = pthread_create(&interrupt->watcher, NULL, wait_for_interrupts, interrupt) == 0;
    if (!interrupt->watching) {
        signals_give_back(&interrupt->signals);
    }
}

void thinking_unwatch(thinking_interrupt *interrupt) {
    if (interrupt->watching) {
        atomic_store(&interrupt->over, true);
        signals_wake(&interrupt->signals, interrupt->watcher);
        pthread_join(interrupt->watcher, NULL);
        signals_give_back(&interrupt->signals);
        interrupt->watching = false;
    }
}

/* --- In words ----------------------------------------------------------------- */

int thinking_mate_in(int score_white) {
    const int moves = (SCORE_MATE - abs(score_white) + 1) / 2;
    return score_white > 0 ? moves : -moves;
}

const char *thinking_score_text(char buffer[THINKING_SCORE_SIZE], int score_white) {
    if (is_decisive(score_white)) {
        snprintf(buffer, THINKING_SCORE_SIZE, "#%d", thinking_mate_in(score_white));
    } else {
        const unsigned size = (unsigned)abs(score_white) % 100000; /* the remainder is for the compiler, which counts */
        const char *sign = score_white > 0 ? "+" : score_white < 0 ? "-" : "";
        snprintf(buffer, THINKING_SCORE_SIZE, "%s%u.%02u", sign, size / 100, size % 100);
    }
    return buffer;
}

const char *thinking_words(char buffer[THINKING_WORDS_SIZE], int score_white) {
    /* From so many centipawns on: half a pawn is felt, a pawn and a half mostly wins, four pawns always. */
    static const struct {
        int from;
        const char *words;
    } steps[] = {{400, "is winning"}, {150, "is much better"}, {70, "is clearly better"}, {30, "is slightly better"}};
    const char *side = score_white > 0 ? "White" : "Black";
    if (is_decisive(score_white)) {
        const int moves = abs(thinking_mate_in(score_white));
        snprintf(buffer, THINKING_WORDS_SIZE, "%s mates in %d move%s", side, moves, moves == 1 ? "" : "s");
        return buffer;
    }
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (abs(score_white) >= steps[i].from) {
            snprintf(buffer, THINKING_WORDS_SIZE, "%s %s", side, steps[i].words);
            return buffer;
        }
    }
    snprintf(buffer, THINKING_WORDS_SIZE, "the position is about equal");
    return buffer;
}

void thinking_append_line(bytes *out, const luft_position *start, const luft_move *moves, int count, size_t columns) {
    luft_position position = *start;
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        char text[32], san[LUFT_SAN_SIZE] = "";
        const bool is_white = position.side_to_move == LUFT_WHITE;
        size_t length = luft_move_to_san(san, sizeof san, &position, moves[i]);
        if (length == 0) {
            return;
        }
        if (is_white || i == 0) {
            length =
                (size_t)snprintf(text, sizeof text, "%d%s %s", position.fullmove_number, is_white ? "." : "...", san);
        } else {
            memcpy(text, san, sizeof san);
        }
        const size_t blank = i > 0;
        const size_t dots = i + 1 < count ? 2 : 0; /* must still fit, should the next move not */
        if (columns > 0 && used + blank + length + dots > columns) {
            bytes_append_text(out, i > 0 ? " …" : "…");
            return;
        }
        bytes_append_text(out, blank ? " " : "");
        bytes_append(out, text, length);
        used += blank + length;
        luft_make(&position, &position, moves[i]);
    }
}
