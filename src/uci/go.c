/* SPDX-License-Identifier: MIT */
/*
 * The command `go`: its parameters become the limits of a search, or the depth of perft. A limit makes the search
 * finite even if its number is wrong; without limits the search is infinite. An unknown parameter may have been meant
 * as a limit, so the search has depth 1.
 */
#include "session.h"

#include <stdarg.h>
#include <stdio.h>

enum { PERFT_MAX_DEPTH = 64 }; /* as of `luft perft` */

/* The parameters of the line. */
typedef struct go_line {
    luft_engine_limits limits;              /* depth 0 until one is given */
    luft_move search_moves[LUFT_MAX_MOVES]; /* of the limits */
    bool limited;                           /* there is a limit, or a word that may be one */
    bool is_perft;
    int perft_depth; /* -1 if it was refused */
    char error[160]; /* the first error, or empty: a command gets one error line */
} go_line;

__attribute__((format(printf, 2, 3))) static void note_error(go_line *go, const char *format, ...) {
    if (go->error[0] == '\0') {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(go->error, sizeof go->error, format, arguments);
        va_end(arguments);
    }
}

/* --- Limits with a number ------------------------------------------------------- */

typedef struct go_number {
    const char *name;
    void (*set)(luft_engine_limits *limits, int64_t value);
} go_number;

static int to_int(int64_t value) {
    return value > 1000000 ? 1000000 : value < 0 ? 0 : (int)value;
}

static int64_t from_zero(int64_t value) {
    return value < 0 ? 0 : value;
}

static void set_wtime(luft_engine_limits *limits, int64_t value) {
    limits->time_ms[LUFT_WHITE] = from_zero(value);
}

static void set_btime(luft_engine_limits *limits, int64_t value) {
    limits->time_ms[LUFT_BLACK] = from_zero(value);
}

static void set_winc(luft_engine_limits *limits, int64_t value) {
    limits->increment_ms[LUFT_WHITE] = from_zero(value);
}

static void set_binc(luft_engine_limits *limits, int64_t value) {
    limits->increment_ms[LUFT_BLACK] = from_zero(value);
}

static void set_movestogo(luft_engine_limits *limits, int64_t value) {
    limits->moves_to_go = to_int(value);
}

static void set_movetime(luft_engine_limits *limits, int64_t value) {
    limits->movetime_ms = from_zero(value);
}

static void set_nodes(luft_engine_limits *limits, int64_t value) {
    limits->nodes = from_zero(value);
}

static void set_depth(luft_engine_limits *limits, int64_t value) {
    const int depth = value < 1 ? 1 : value > LUFT_ENGINE_MAX_DEPTH ? LUFT_ENGINE_MAX_DEPTH : (int)value;
    limits->depth = limits->depth == 0 || depth < limits->depth ? depth : limits->depth;
}

static void set_mate(luft_engine_limits *limits, int64_t value) {
    limits->mate = to_int(value);
    if (value < 1) {
        set_depth(limits, 1);
    }
}

static const go_number go_numbers[] = {
    {"wtime", set_wtime},         {"btime", set_btime},       {"winc", set_winc},
    {"binc", set_binc},           {"nodes", set_nodes},       {"depth", set_depth},
    {"movestogo", set_movestogo}, {"movetime", set_movetime}, {"mate", set_mate},
};

#define GO_NUMBER_COUNT (sizeof go_numbers / sizeof go_numbers[0])

static const go_number *find_go_number(uci_text word) {
    for (size_t i = 0; i < GO_NUMBER_COUNT; i++) {
        if (uci_is(word, go_numbers[i].name)) {
            return &go_numbers[i];
        }
    }
    return NULL;
}

/* --- Reading the line ------------------------------------------------------------ */

/* Adds a move to the list unless it is there already: so the list has room for all legal moves. */
static void add_search_move(go_line *go, luft_move move) {
    luft_engine_limits *limits = &go->limits;
    for (size_t i = 0; i < limits->search_move_count; i++) {
        if (go->search_moves[i] == move) {
            return;
        }
    }
    go->search_moves[limits->search_move_count++] = move;
    limits->search_moves = go->search_moves;
}

/* The moves after `searchmoves`, up to the first word that is not a move. Skips illegal moves. */
static void read_search_moves(go_line *go, const luft_position *position, uci_text *line) {
    uci_text word;
    char quoted[TEXT_QUOTED_SIZE];
    for (uci_text rest = *line; uci_take_word(&rest, &word); *line = rest) {
        luft_move move;
        const luft_error error = luft_move_from_uci(&move, position, word.text, word.length);
        if (error == LUFT_ERROR_MOVE_SYNTAX) {
            return;
        }
        if (error != LUFT_OK) {
            note_error(go, "go searchmoves: %s is not a legal move", text_quote(quoted, word.text, word.length));
        } else {
            add_search_move(go, move);
        }
    }
}

/* The number after a parameter. Without one the search has depth 1, because a limit was meant. */
static bool read_number(go_line *go, uci_text word, uci_text *line, int64_t *value) {
    uci_text digits = {"", 0};
    char quoted[TEXT_QUOTED_SIZE];
    go->limited = true;
    if (uci_take_word(line, &digits) && uci_to_number(digits, value)) {
        return true;
    }
    note_error(go, "go %.*s: expected an integer, got %s", (int)word.length, word.text,
               text_quote(quoted, digits.text, digits.length));
    set_depth(&go->limits, 1);
    return false;
}

static void read_perft(go_line *go, uci_text line) {
    uci_text digits = {"", 0};
    char quoted[TEXT_QUOTED_SIZE];
    int64_t value;
    go->is_perft = true;
    if (uci_take_word(&line, &digits) && uci_to_number(digits, &value) && value >= 0 && value <= PERFT_MAX_DEPTH) {
        go->perft_depth = (int)value;
    } else {
        go->perft_depth = -1;
        note_error(go, "go perft: expected an integer from 0 to %d, got %s", PERFT_MAX_DEPTH,
                   text_quote(quoted, digits.text, digits.length));
    }
}

static void read_line(go_line *go, const luft_position *position, uci_text line) {
    uci_text word;
    char quoted[TEXT_QUOTED_SIZE];
    int64_t value;
    while (!go->is_perft && uci_take_word(&line, &word)) {
        const go_number *number = find_go_number(word);
        if (number) {
            if (read_number(go, word, &line, &value)) {
                number->set(&go->limits, value);
            }
        } else if (uci_is(word, "perft")) {
            read_perft(go, line);
        } else if (uci_is(word, "infinite")) {
            go->limits.infinite = true;
        } else if (uci_is(word, "ponder")) {
            go->limits.ponder = true;
        } else if (uci_is(word, "searchmoves")) {
            read_search_moves(go, position, &line);
        } else {
            note_error(go, "go: unknown parameter %s", text_quote(quoted, word.text, word.length));
            go->limited = true;
            set_depth(&go->limits, 1);
        }
    }
}

/*
 * The depth of `go mate` without another limit. The mate itself is 2 * moves - 1 plies deep, but the search reduces
 * moves that seem bad. docs/engine.md says which mates this depth finds.
 */
static int mate_depth(int moves) {
    enum { EXTRA = 16 };
    return moves > (LUFT_ENGINE_MAX_DEPTH - EXTRA) / 2 ? LUFT_ENGINE_MAX_DEPTH : 2 * moves + EXTRA;
}

/*
 * The depth, if none was given. Some limits do not say when to end, such as an increment alone or the clock of the
 * other side alone. The remaining time is unknown then, so the engine moves at once.
 */
static void complete_depth(go_line *go, luft_color side) {
    luft_engine_limits *limits = &go->limits;
    const bool ends = limits->time_ms[side] != LUFT_ENGINE_NO_LIMIT || limits->movetime_ms != LUFT_ENGINE_NO_LIMIT ||
                      limits->nodes != LUFT_ENGINE_NO_LIMIT || limits->infinite;
    if (limits->depth == 0) {
        limits->depth = !go->limited || ends ? LUFT_ENGINE_MAX_DEPTH : limits->mate > 0 ? mate_depth(limits->mate) : 1;
    }
}

/* --- Starting --------------------------------------------------------------------- */

/* `go perft` is not a search: it answers with its counts or with one error, never with a best move. */
static void start_perft(uci_session *uci, go_line *go) {
    const uci_task task = {.kind = UCI_JOB_PERFT, .depth = go->perft_depth};
    if (!uci_require_position(uci)) {
        return;
    }
    if (go->error[0] != '\0') {
        uci_send_error(uci, "%s", go->error);
    }
    if (go->perft_depth >= 0) {
        uci_start_job(uci, &task);
    }
}

static void start_search(uci_session *uci, go_line *go) {
    if (!uci->has_position) {
        uci_send(uci, "bestmove 0000"); /* the error line was that of `position` */
        return;
    }
    if (go->error[0] != '\0') {
        uci_send_error(uci, "%s", go->error);
    }
    complete_depth(go, (luft_color)luft_engine_position(uci->engine)->side_to_move);
    go->limits.infinite = go->limits.infinite || (!go->limits.ponder && !go->limited);
    const bool asks_for_a_move =
        !go->limits.infinite && !go->limits.ponder && go->limits.mate == 0 && go->limits.search_move_count == 0;
    if (asks_for_a_move && uci_play_from_book(uci)) {
        return;
    }
    const uci_task task = {.kind = UCI_JOB_SEARCH,
                           .limits = go->limits,
                           .is_finite = !go->limits.infinite && !go->limits.ponder,
                           .is_pondering = go->limits.ponder && !go->limits.infinite && go->limited};
    uci_start_job(uci, &task);
}

void uci_go(uci_session *uci, uci_text line) {
    go_line go = {.limits = luft_engine_no_limits()};
    uci_finish(uci);
    read_line(&go, luft_engine_position(uci->engine), line);
    if (go.is_perft) {
        start_perft(uci, &go);
    } else {
        start_search(uci, &go);
    }
}
