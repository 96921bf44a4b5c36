/* SPDX-License-Identifier: MIT */
/*
 * The command `go`: its words become limits of a search. A limit that is there makes
 * the search finite, whatever is wrong with its number; without any the search is infinite.
 */
#include "uci_session.h"

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
    limits->depth = value < 1 ? 1 : value > MAX_DEPTH ? MAX_DEPTH : (int)value;
}

static void set_mate(search_limits *limits, int64_t value) {
    limits->mate = to_int(value);
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

static bool is_go_word(uci_text word) {
    return find_go_number(word) || uci_is(word, "infinite") || uci_is(word, "ponder") || uci_is(word, "searchmoves") ||
           uci_is(word, "perft");
}

static bool is_finite(const search_limits *limits, luft_color side) {
    return limits->time_ms[side] != LIMIT_NONE || limits->movetime_ms != LIMIT_NONE || limits->nodes != LIMIT_NONE ||
           limits->depth < MAX_DEPTH || limits->mate > 0;
}

/* --- Reading the line ------------------------------------------------------------ */

/* The moves after `searchmoves`, up to the next word of `go`. A bad one is reported and left out. */
static void read_search_moves(uci_session *uci, uci_text *line, search_limits *limits) {
    uci_text word;
    char quoted[TEXT_QUOTED_SIZE];
    for (uci_text rest = *line; uci_take_word(&rest, &word) && !is_go_word(word); *line = rest) {
        luft_move move;
        if (luft_move_from_uci(&move, engine_position(uci->engine), word.text, word.length) != LUFT_OK) {
            uci_refuse(uci, "searchmoves: %s is no legal move", text_quote(quoted, word.text, word.length));
        } else if (limits->search_move_count < LUFT_MAX_MOVES) {
            limits->search_moves[limits->search_move_count++] = move;
        }
    }
}

/* Reads the words of the line. False for perft, which is no search and was started. */
static bool read_limits(uci_session *uci, uci_text line, search_limits *limits) {
    uci_text word, digits;
    char quoted[TEXT_QUOTED_SIZE];
    while (uci_take_word(&line, &word)) {
        const go_number *number = find_go_number(word);
        const bool perft = uci_is(word, "perft");
        if (number || perft) {
            int64_t value;
            if (!uci_take_word(&line, &digits) || !uci_to_number(digits, &value)) {
                uci_refuse(uci, "go %.*s needs a number", (int)word.length, word.text);
                limits->depth = 1; /* something was to limit the search: it must not go on for ever */
            } else if (perft) {
                if (value > 30) {
                    uci_refuse(uci, "go perft: the depth is at most 30");
                } else {
                    uci_start_perft(uci, to_int(value));
                }
                return false;
            } else {
                number->set(limits, value);
            }
        } else if (uci_is(word, "infinite")) {
            limits->infinite = true;
        } else if (uci_is(word, "ponder")) {
            limits->ponder = true;
        } else if (uci_is(word, "searchmoves")) {
            read_search_moves(uci, &line, limits);
        } else {
            uci_refuse(uci, "go: unknown word %s", text_quote(quoted, word.text, word.length));
        }
    }
    return true;
}

void uci_go(uci_session *uci, uci_text line) {
    uci_finish(uci);
    if (!uci->has_position) {
        uci_say(uci, "bestmove 0000");
        return;
    }
    search_limits limits = limits_none();
    if (!read_limits(uci, line, &limits)) {
        return;
    }
    const luft_color side = (luft_color)engine_position(uci->engine)->side_to_move;
    if (!limits.ponder && !is_finite(&limits, side)) {
        limits.infinite = true;
    }
    uci->finite = !limits.infinite && !limits.ponder;
    uci->pondering = limits.ponder && !limits.infinite && is_finite(&limits, side);
    const engine_callbacks callbacks = {
        .line = uci_say_line, .current_move = uci_say_current_move, .best_move = uci_say_best_move, .payload = uci};
    if (!engine_go(uci->engine, &limits, &callbacks)) {
        luft_move_list list;
        uci_refuse(uci, "the system gives no thread for the search");
        luft_generate(&list, engine_position(uci->engine), LUFT_ALL_MOVES);
        uci_say_best_move(uci, list.count > 0 ? list.moves[0] : LUFT_MOVE_NONE, LUFT_MOVE_NONE);
    }
}
