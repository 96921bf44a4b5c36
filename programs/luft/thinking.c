/* SPDX-License-Identifier: MIT */
/* Runs a search and keeps what it reports. util/interrupt.h calls for ^C from a thread, which can call engine_stop. */
#include "thinking.h"

#include "util/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Running a search ------------------------------------------------------- */

/*
 * A score that is only a bound comes from an unfinished depth. The variation of the last complete depth is better, unless
 * the unfinished one has found another move.
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

/* A search that is stopped at once may have a move and no variation, or one that begins with another move. */
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

static void on_signal(void *payload, int number) {
    thinking_interrupt *watch = payload;
    if (number != SIGINT || atomic_exchange(&watch->interrupted, true)) {
        interrupt_exit(number, watch->unfinished);
    }
    /* Repeats the stop, so that it also reaches a search that is just about to start. */
    while (!interrupt_is_due(&watch->signals)) {
        for (size_t i = 0; i < watch->count; i++) {
            engine_stop(watch->engines[i]);
        }
        clock_sleep_ms(20);
    }
}

void thinking_watch(thinking_interrupt *watch, luft_engine *const *engines, size_t count, const char *unfinished) {
    atomic_init(&watch->interrupted, false);
    watch->engines = engines;
    watch->count = count;
    watch->unfinished = unfinished;
    interrupt_start(&watch->signals, on_signal, watch);
}

void thinking_unwatch(thinking_interrupt *watch) {
    interrupt_stop(&watch->signals);
}

/* --- In words ----------------------------------------------------------------- */

int thinking_mate_in(int score_white) {
    const int moves = (SCORE_MATE - abs(score_white) + 1) / 2;
    return score_white > 0 ? moves : -moves;
}

const char *thinking_score_text(char text[THINKING_SCORE_SIZE], int score_white) {
    if (is_decisive(score_white)) {
        snprintf(text, THINKING_SCORE_SIZE, "#%d", thinking_mate_in(score_white));
    } else {
        const unsigned size = (unsigned)abs(score_white) % 100000; /* the remainder bounds the width for the compiler */
        const char *sign = score_white > 0 ? "+" : score_white < 0 ? "-" : "";
        snprintf(text, THINKING_SCORE_SIZE, "%s%u.%02u", sign, size / 100, size % 100);
    }
    return text;
}

const char *thinking_words(char text[THINKING_WORDS_SIZE], int score_white) {
    /* Thresholds in centipawns. */
    static const struct {
        int from;
        const char *words;
    } steps[] = {{400, "is winning"}, {150, "is much better"}, {70, "is clearly better"}, {30, "is slightly better"}};
    const char *side = score_white > 0 ? "White" : "Black";
    if (is_decisive(score_white)) {
        const int moves = abs(thinking_mate_in(score_white));
        snprintf(text, THINKING_WORDS_SIZE, "%s mates in %d move%s", side, moves, moves == 1 ? "" : "s");
        return text;
    }
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (abs(score_white) >= steps[i].from) {
            snprintf(text, THINKING_WORDS_SIZE, "%s %s", side, steps[i].words);
            return text;
        }
    }
    snprintf(text, THINKING_WORDS_SIZE, "the position is about equal");
    return text;
}

void thinking_append_line(buffer *out, const luft_position *start, const luft_move *moves, int count, size_t columns) {
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
        const size_t dots = i + 1 < count ? 2 : 0; /* must still fit if the next move does not */
        if (columns > 0 && used + blank + length + dots > columns) {
            buffer_append_text(out, i > 0 ? " …" : "…");
            return;
        }
        buffer_append_text(out, blank ? " " : "");
        buffer_append(out, text, length);
        used += blank + length;
        luft_make(&position, &position, moves[i]);
    }
}
