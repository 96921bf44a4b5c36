/* SPDX-License-Identifier: MIT */
/* Requests and results as text, and the worker that turns one into the other. */
#define _POSIX_C_SOURCE 200809L

#include "searches.h"

#include "util/checksum.h"
#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Requests ------------------------------------------------------------------------------- */

static void write_limits(buffer *out, const luft_engine_limits *limits, int lines) {
    if (limits->depth > 0) {
        buffer_printf(out, "depth %d ", limits->depth);
    }
    if (limits->nodes > 0) {
        buffer_printf(out, "nodes %" PRId64 " ", limits->nodes);
    }
    if (limits->movetime_ms > 0) {
        buffer_printf(out, "time %" PRId64 " ", limits->movetime_ms);
    }
    buffer_printf(out, "lines %d fen ", lines);
}

void searches_write(buffer *request, const luft_engine_limits *limits, int lines, const luft_position *base,
                    const luft_move *moves, size_t count) {
    luft_position start = *base, position = *base;
    size_t first = 0;
    char text[LUFT_FEN_SIZE];
    for (size_t i = 0; i < count; i++) {
        luft_make(&position, &position, moves[i]);
        if (position.halfmove_clock == 0) { /* nothing before can come again */
            start = position;
            first = i + 1;
        }
    }
    buffer_clear(request);
    if (luft_position_outcome(&position).termination == LUFT_NOT_OVER) {
        start.fullmove_number = 1; /* no result depends on it */
        write_limits(request, limits, lines);
        luft_position_to_fen(text, sizeof text, &start, LUFT_FEN_SHREDDER);
        buffer_append_text(request, text);
        for (size_t i = first; i < count; i++) {
            luft_move_to_uci(text, sizeof text, moves[i], LUFT_CASTLING_CHESS960);
            buffer_printf(request, "%s%s", i == first ? " moves " : " ", text);
        }
    }
    buffer_append(request, "", 1);
    request->length -= !request->failed;
}

/* Takes "name number" off the front of the text. */
static bool take_number(const char **text, size_t *length, const char *name, int64_t *value) {
    const char *rest = *text, *word;
    size_t left = *length, word_length;
    uint64_t number;
    if (!text_next_word(&word, &word_length, &rest, &left) || word_length != strlen(name) ||
        memcmp(word, name, word_length) != 0 || !text_next_word(&word, &word_length, &rest, &left) ||
        !text_to_number(&number, word, word_length, INT64_MAX)) {
        return false;
    }
    *value = (int64_t)number;
    *text = rest;
    *length = left;
    return true;
}

/* Sets up the engine as the request says. */
static bool prepare(luft_engine *engine, luft_engine_limits *limits, const char *text, size_t length) {
    int64_t depth = 0, lines = 1;
    size_t count = 0;
    luft_position position;
    *limits = luft_engine_no_limits();
    take_number(&text, &length, "depth", &depth);
    take_number(&text, &length, "nodes", &limits->nodes);
    take_number(&text, &length, "time", &limits->movetime_ms);
    limits->depth = (int)depth;
    if (!take_number(&text, &length, "lines", &lines) || lines > LUFT_ENGINE_MAX_LINES || length < 5 ||
        memcmp(text, " fen ", 5) != 0) {
        return false;
    }
    const char *marker = strstr(text, " moves "); /* requests end in a NUL */
    const size_t fen_length = (marker ? (size_t)(marker - text) : length) - 5;
    if (luft_position_from_fen(&position, text + 5, fen_length, NULL) != LUFT_OK) {
        return false;
    }
    luft_move *moves = malloc((length + 1) * sizeof *moves);
    luft_position current = position;
    const char *word, *rest = marker ? marker + strlen(" moves ") : text + length;
    size_t word_length, left = (size_t)(text + length - rest);
    bool good = moves != NULL;
    while (good && text_next_word(&word, &word_length, &rest, &left)) {
        good = luft_move_from_uci(&moves[count], &current, word, word_length) == LUFT_OK;
        if (good) {
            luft_make(&current, &current, moves[count++]);
        }
    }
    good = good && luft_engine_set_lines(engine, (int)lines) == LUFT_OK && luft_engine_clear(engine) == LUFT_OK &&
           luft_engine_set_position(engine, &position, moves, count, NULL) == LUFT_OK;
    free(moves);
    return good;
}

/* --- Results ----------------------------------------------------------------------------------- */

static void write_line(buffer *out, const thinking_line *line) {
    char text[LUFT_UCI_MOVE_SIZE];
    buffer_printf(out, "%d %d %" PRId64, line->score, line->depth, line->nodes);
    for (int i = 0; i < line->length && i < SEARCHED_MOVES_MAX; i++) {
        luft_move_to_uci(text, sizeof text, line->moves[i], LUFT_CASTLING_CHESS960);
        buffer_printf(out, " %s", text);
    }
    buffer_append_text(out, "\n");
}

/* Reads "35 12 10000 e2e4 e7e5". */
static bool read_line(searched_line *out, const luft_position *position, const char *text, size_t length) {
    luft_position current = *position;
    const char *word;
    size_t word_length;
    int used = 0;
    if (sscanf(text, "%d %d %" SCNd64 "%n", &out->score, &out->depth, &out->nodes, &used) != 3 ||
        (size_t)used > length) {
        return false;
    }
    text += used;
    length -= (size_t)used;
    out->length = 0;
    while (out->length < SEARCHED_MOVES_MAX && text_next_word(&word, &word_length, &text, &length)) {
        luft_move *move = &out->moves[out->length++];
        if (luft_move_from_uci(move, &current, word, word_length) != LUFT_OK) {
            return false;
        }
        luft_make(&current, &current, *move);
    }
    return out->length > 0;
}

bool searches_read(searched *out, const luft_position *position, const char *text, size_t length) {
    out->outcome = luft_position_outcome(position);
    out->line_count = 0;
    if (out->outcome.termination != LUFT_NOT_OVER) {
        return length == 0;
    }
    while (length > 0 && out->line_count < SEARCHED_LINES_MAX) {
        const char *feed = memchr(text, '\n', length);
        if (!feed || !read_line(&out->lines[out->line_count++], position, text, (size_t)(feed - text))) {
            return false;
        }
        length -= (size_t)(feed + 1 - text);
        text = feed + 1;
    }
    return out->line_count > 0;
}

/* --- The worker ------------------------------------------------------------------------------- */

typedef struct searcher {
    luft_engine *engine;
    thinking found;
} searcher;

static void searcher_close(void *state) {
    searcher *self = state;
    if (self) {
        luft_engine_free(self->engine);
    }
    free(self);
}

static void *searcher_open(void *shared) {
    const analyse_settings *settings = shared;
    searcher *self = malloc(sizeof *self);
    if (!self) {
        output_error(settings->command, "out of memory");
        return NULL;
    }
    self->engine = analyse_create_engine(settings);
    if (!self->engine) {
        free(self);
        return NULL;
    }
    return self;
}

static bool searcher_run(void *state, const char *request, size_t length, buffer *result) {
    searcher *self = state;
    luft_engine_limits limits;
    if (!prepare(self->engine, &limits, request, length)) {
        buffer_append_text(result, "not a request, or out of memory");
        return false;
    }
    if (!thinking_run(&self->found, self->engine, &limits, NULL, NULL) || self->found.line_count == 0) {
        buffer_append_text(result, "cannot start the search: out of memory or threads");
        return false;
    }
    for (int i = 0; i < self->found.line_count && i < SEARCHED_LINES_MAX; i++) {
        write_line(result, &self->found.lines[i]);
    }
    return true;
}

static void searcher_stop(void *state) {
    luft_engine_stop(((searcher *)state)->engine);
}

unit_work searches_work(const analyse_settings *settings) {
    return (unit_work){.shared = (void *)(uintptr_t)settings, // NOLINT(performance-no-int-to-ptr): only read
                       .open = searcher_open,
                       .close = searcher_close,
                       .run = searcher_run,
                       .stop = searcher_stop};
}

/* --- The manifest -------------------------------------------------------------------------------- */

/* What two short searches find: it changes with the program and its network. */
static bool append_signature(buffer *out, const analyse_settings *settings) {
    static const char *const requests[] = {
        "depth 8 lines 1 fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
        "depth 10 lines 1 fen 8/5pk1/4p1p1/1R2P3/r4P1P/6P1/5K2/8 b - - 4 1"};
    buffer found = {0};
    void *worker = searcher_open((void *)(uintptr_t)settings); // NOLINT(performance-no-int-to-ptr): only read
    bool good = worker != NULL;
    for (size_t i = 0; good && i < sizeof requests / sizeof requests[0]; i++) {
        good = searcher_run(worker, requests[i], strlen(requests[i]), &found);
    }
    if (good) {
        buffer_printf(out, "engine %s %016" PRIx64 "\n", luft_version(), checksum_of(found.data, found.length));
    } else if (worker) {
        output_error(settings->command, "cannot start the search: out of memory or threads");
    }
    searcher_close(worker);
    buffer_free(&found);
    return good;
}

bool searches_append_manifest(buffer *out, const analyse_settings *settings) {
    buffer_printf(out, "hash %" PRIu64 "\nthreads %" PRIu64 "\ntablebases %s\n", settings->hash_mb, settings->threads,
                  settings->tablebase ? "yes" : "no");
    analyse_settings one = *settings;
    one.threads = 1;
    one.hash_mb = 1;
    one.tablebase = NULL;
    return append_signature(out, &one);
}
