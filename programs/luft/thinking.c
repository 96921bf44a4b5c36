/* SPDX-License-Identifier: MIT */
/* Runs a search and keeps what it reports. util/interrupt.h calls for ^C from a thread, which can call luft_engine_stop. */
#include "thinking.h"

#include "util/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Scores ------------------------------------------------------------------ */

/* A score for the side to move as one number for White. */
static int score_for_white(luft_engine_score score, luft_color side) {
    int value = score.value;
    if (score.kind == LUFT_ENGINE_MATE) {
        value = value > 0 ? THINKING_MATE - (2 * value - 1) : -THINKING_MATE - 2 * value;
    }
    return side == LUFT_WHITE ? value : -value;
}

int thinking_plies_to_mate(int score_white) {
    return THINKING_MATE - abs(score_white);
}

int thinking_mate_in(int score_white) {
    const int moves = (thinking_plies_to_mate(score_white) + 1) / 2;
    return score_white > 0 ? moves : -moves;
}

/* --- Running a search ------------------------------------------------------- */

static void copy_line(thinking *found, const luft_engine_line *line) {
    thinking_line *kept = &found->lines[line->number - 1];
    kept->depth = line->depth;
    kept->score = score_for_white(line->score, (luft_color)found->position.side_to_move);
    kept->nodes = line->nodes;
    kept->time_ms = line->time_ms;
    kept->length = line->move_count;
    memcpy(kept->moves, line->moves, (size_t)kept->length * sizeof kept->moves[0]);
    found->line_count = line->number > found->line_count ? line->number : found->line_count;
}

/* Shows the lines that the result would keep: a bound is worth showing only if it changes the move. */
static void show_line(void *payload, const luft_engine_line *line) {
    thinking *found = payload;
    const thinking_line *kept = &found->lines[line->number - 1];
    if (line->number <= found->line_count && line->score.bound != LUFT_ENGINE_EXACT &&
        kept->moves[0] == line->moves[0]) {
        return;
    }
    copy_line(found, line);
    if (found->progress) {
        found->progress(found->payload, kept, line->number);
    }
}

static void keep_result(void *payload, const luft_engine_result *result) {
    thinking *found = payload;
    found->best = result->best;
    found->ponder = result->ponder;
    for (int i = 0; i < result->line_count; i++) {
        copy_line(found, result->lines[i]);
    }
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
    const luft_error error = luft_engine_set_position(engine, luft_game_position_at(game, 0), moves, count, NULL);
    free(moves);
    return error == LUFT_OK;
}

bool thinking_run(thinking *found, luft_engine *engine, const luft_engine_limits *limits,
                  void (*progress)(void *payload, const thinking_line *line, int number), void *payload) {
    found->position = *luft_engine_position(engine);
    found->best = found->ponder = LUFT_MOVE_NONE;
    found->line_count = 0;
    found->progress = progress;
    found->payload = payload;
    const luft_engine_callbacks callbacks = {
        .size = sizeof callbacks, .line = show_line, .done = keep_result, .payload = found};
    const luft_engine_result *result; /* keep_result has it */
    return luft_engine_search(&result, engine, limits, &callbacks) == LUFT_OK;
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
            luft_engine_stop(watch->engines[i]);
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

const char *thinking_score_text(char text[THINKING_SCORE_SIZE], int score_white) {
    if (thinking_is_mate(score_white)) {
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
    if (thinking_is_mate(score_white)) {
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
