/* SPDX-License-Identifier: MIT */
/*
 * The command `go`: its words become limits of a search. A limit that is there makes
 * the search finite, whatever is wrong with its number; without any the search is infinite.
 * A word that cannot be understood may have been meant as a limit: the search is one of depth 1.
 */
#include "session.h"

#include <stdarg.h>

/* What was read of the line. */
typedef struct go_line {
    search_limits limits; /* its depth is 0 until one is given */
    bool limited;         /* a limit is there, or something that may be one */
    int perft;            /* the depth of perft, which is no search; -1 for none */
    char error[160];      /* the first thing that was wrong, or empty: a command gets one line */
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
    void (*set)(search_limits *limits, int64_t value);
} go_number;

static int to_int(int64_t value) {
    return value > 1000000 ? 1000000 : value < 0 ? 0 : (int)value;
}

static int64_t from_zero(int64_t value) {
    return value < 0 ? 0 : value;
}

static void set_wtime(search_limits *limits, int64_t value) {
    limits->time_ms[LUFT_WHITE] = from_zero(value);
}

static void set_btime(search_limits *limits, int64_t value) {
    limits->time_ms[LUFT_BLACK] = from_zero(value);
}

static void set_winc(search_limits *limits, int64_t value) {
    limits->increment_ms[LUFT_WHITE] = from_zero(value);
}

static void set_binc(search_limits *limits, int64_t value) {
    limits->increment_ms[LUFT_BLACK] = from_zero(value);
}

static void set_movestogo(search_limits *limits, int64_t value) {
    limits->moves_to_go = to_int(value);
}

static void set_movetime(search_limits *limits, int64_t value) {
    limits->movetime_ms = from_zero(value);
}

static void set_nodes(search_limits *limits, int64_t value) {
    limits->nodes = from_zero(value);
}

static void set_depth(search_limits *limits, int64_t value) {
    const int depth = value < 1 ? 1 : value > MAX_DEPTH ? MAX_DEPTH : (int)value;
    limits->depth = limits->depth == 0 || depth < limits->depth ? depth : limits->depth;
}

static void set_mate(search_limits *limits, int64_t value) {
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

/* Adds a move to the list unless it is in it: so all the moves that there are have room. */
static void add_search_move(search_limits *limits, luft_move move) {
    for (int i = 0; i < limits->search_move_count; i++) {
        if (limits->search_moves[i] == move) {
            return;
        }
    }
    limits->search_moves[limits->search_move_count++] = move;
}

/* The moves after `searchmoves`, up to the first word that is none. One that is not legal is left out. */
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
            note_error(go, "searchmoves: %s is no legal move", text_quote(quoted, word.text, word.length));
        } else {
            add_search_move(&go->limits, move);
        }
    }
}

/* The number after the word; without one the search is of depth 1, for something was to limit it. */
static bool read_number(go_line *go, uci_text word, uci_text *line, int64_t *value) {
    uci_text digits;
    go->limited = true;
    if (uci_take_word(line, &digits) && uci_to_number(digits, value)) {
        return true;
    }
    note_error(go, "go %.*s needs a number", (int)word.length, word.text);
    set_depth(&go->limits, 1);
    return false;
}

static void read_line(go_line *go, const luft_position *position, uci_text line) {
    uci_text word;
    char quoted[TEXT_QUOTED_SIZE];
    int64_t value;
    while (go->perft < 0 && uci_take_word(&line, &word)) {
        const go_number *number = find_go_number(word);
        if (number) {
            if (read_number(go, word, &line, &value)) {
                number->set(&go->limits, value);
            }
        } else if (uci_is(word, "perft")) {
            if (read_number(go, word, &line, &value)) {
                go->perft = to_int(value);
            }
        } else if (uci_is(word, "infinite")) {
            go->limits.infinite = true;
        } else if (uci_is(word, "ponder")) {
            go->limits.ponder = true;
        } else if (uci_is(word, "searchmoves")) {
            read_search_moves(go, position, &line);
        } else {
            note_error(go, "go: unknown word %s", text_quote(quoted, word.text, word.length));
            go->limited = true;
            set_depth(&go->limits, 1);
        }
    }
}

/*
 * How deep to look for a mate in so many moves if nothing else limits the search. The mate itself is 2 * moves - 1 plies
 * deep, but what looks bad at first is reduced. docs/engine.md says what this depth was measured to find.
 */
static int mate_depth(int moves) {
    enum { MORE = 16 };
    return moves > (MAX_DEPTH - MORE) / 2 ? MAX_DEPTH : 2 * moves + MORE;
}

/*
 * The depth, if none was given. Numbers that do not tell when to end, as an increment alone or the clock of the other
 * side alone, are limits all the same: nothing is known of the time that is left, so the move is made at once.
 */
static void complete_depth(go_line *go, luft_color side) {
    search_limits *limits = &go->limits;
    const bool ends = limits->time_ms[side] != LIMIT_NONE || limits->movetime_ms != LIMIT_NONE ||
                      limits->nodes != LIMIT_NONE || limits->infinite;
    if (limits->depth == 0) {
        limits->depth = !go->limited || ends ? MAX_DEPTH : limits->mate > 0 ? mate_depth(limits->mate) : 1;
    }
}

/* --- Going ----------------------------------------------------------------------- */

static void start_search(uci_session *uci, const search_limits *limits) {
    const engine_callbacks callbacks = {.line = uci_say_line,
                                        .current_move = uci_say_current_move,
                                        .fewer_threads = uci_say_fewer_threads,
                                        .best_move = uci_say_best_move,
                                        .payload = uci};
    if (!engine_go(uci->engine, limits, &callbacks)) {
        luft_move_list list;
        uci_refuse(uci, "the system gives no memory or no thread for the search");
        luft_generate(&list, engine_position(uci->engine), LUFT_ALL_MOVES);
        const luft_move *moves = limits->search_move_count > 0 ? limits->search_moves : list.moves;
        uci_say_best_move(uci, list.count > 0 ? moves[0] : LUFT_MOVE_NONE, LUFT_MOVE_NONE);
    }
}

void uci_go(uci_session *uci, uci_text line) {
    uci_finish(uci);
    if (!uci->has_position) {
        uci_say(uci, "bestmove 0000");
        return;
    }
    const luft_position *position = engine_position(uci->engine);
    go_line go = {.limits = limits_none(), .perft = -1};
    go.limits.depth = 0;
    read_line(&go, position, line);
    if (go.perft > 30) {
        note_error(&go, "go perft: the depth is at most 30");
    }
    if (go.error[0] != '\0') {
        uci_refuse(uci, "%s", go.error);
    }
    if (go.perft >= 0) {
        if (go.perft <= 30) {
            uci_start_perft(uci, go.perft);
        }
        return;
    }
    complete_depth(&go, (luft_color)position->side_to_move);
    go.limits.infinite = go.limits.infinite || (!go.limits.ponder && !go.limited);
    uci->finite = !go.limits.infinite && !go.limits.ponder;
    uci->pondering = go.limits.ponder && !go.limits.infinite && go.limited;
    start_search(uci, &go.limits);
}
