/* SPDX-License-Identifier: MIT */
/*
 * The UCI protocol. Nothing that comes in ends the program but `quit` and the end
 * of the input; what cannot be understood is answered with one line
 * `info string error: …` and changes nothing.
 *
 * A refused `position` leaves no position at all, so that a stale one is never searched.
 */
#define _POSIX_C_SOURCE 200809L

#include "uci.h"

#include "bench.h"
#include "command.h"
#include "setup.h"
#include "text.h"

#include "engine/engine.h"
#include "luft/luft.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct uci_session {
    luft_engine *engine;
    luft_position start; /* of the last good `position` */
    bool has_position;   /* the last `position` was good */
    bool chess960;       /* castling is written as king takes rook */
    bool finite;         /* the search that runs ends by itself */
    bool pondering;      /* it does so after ponderhit */
} uci_session;

/* A line of input that is taken apart word by word. */
typedef struct words {
    const char *text;
    size_t length;
} words;

/* --- Output ---------------------------------------------------------------- */

/* One line, whole and at once: the search writes from another thread. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    flockfile(stdout);
    vprintf(format, arguments);
    putchar('\n');
    fflush(stdout);
    funlockfile(stdout);
    va_end(arguments);
}

static void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void refuse(const char *format, ...) {
    char reason[201];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    say("info string error: %s", reason);
}

static bool is_word(const char *word, size_t length, const char *expected) {
    return length == strlen(expected) && memcmp(word, expected, length) == 0;
}

static bool next_word(words *line, const char **word, size_t *length) {
    return text_next_word(word, length, &line->text, &line->length);
}

/* --- What the search says --------------------------------------------------- */

static const char *move_text(const uci_session *uci, char buffer[LUFT_UCI_MOVE_SIZE], luft_move move) {
    luft_move_to_uci(buffer, LUFT_UCI_MOVE_SIZE, move, uci->chess960 ? LUFT_CASTLING_CHESS960 : LUFT_CASTLING_STANDARD);
    return buffer;
}

static void say_line(void *payload, const engine_line *line) {
    const uci_session *uci = payload;
    char text[256 + (MAX_PLY + 1) * LUFT_UCI_MOVE_SIZE];
    size_t used = 0;
    const int64_t rate = line->time_ms > 0 ? line->nodes * 1000 / line->time_ms : line->nodes * 1000;
    used += (size_t)snprintf(text, 256, "info depth %d seldepth %d multipv %d score ", line->depth, line->seldepth,
                             line->multipv);
    if (is_decisive(line->score)) {
        const int plies = SCORE_MATE - abs(line->score);
        used += (size_t)snprintf(text + used, 64, "mate %d", line->score > 0 ? (plies + 1) / 2 : -plies / 2);
    } else {
        used += (size_t)snprintf(text + used, 64, "cp %d", line->score);
    }
    used += (size_t)snprintf(text + used, 160, "%s nodes %lld nps %lld hashfull %d tbhits 0 time %lld pv",
                             line->is_lower_bound   ? " lowerbound"
                             : line->is_upper_bound ? " upperbound"
                                                    : "",
                             (long long)line->nodes, (long long)rate, line->hashfull, (long long)line->time_ms);
    for (int i = 0; i < line->length; i++) {
        char move[LUFT_UCI_MOVE_SIZE];
        used += (size_t)snprintf(text + used, LUFT_UCI_MOVE_SIZE + 1, " %s", move_text(uci, move, line->moves[i]));
    }
    say("%s", text);
}

static void say_current_move(void *payload, int depth, luft_move move, int number) {
    char text[LUFT_UCI_MOVE_SIZE];
    say("info depth %d currmove %s currmovenumber %d", depth, move_text(payload, text, move), number);
}

static void say_best_move(void *payload, luft_move best, luft_move ponder) {
    char text[LUFT_UCI_MOVE_SIZE], answer[LUFT_UCI_MOVE_SIZE];
    if (ponder != LUFT_MOVE_NONE) {
        say("bestmove %s ponder %s", move_text(payload, text, best), move_text(payload, answer, ponder));
    } else {
        say("bestmove %s", move_text(payload, text, best));
    }
}

/* --- Options ---------------------------------------------------------------- */

typedef struct uci_option {
    const char *name;
    const char *declaration;                               /* after the name: type, default and range */
    int64_t least, most;                                   /* of a number; both 0 for other types */
    void (*set)(uci_session *uci, int64_t value, bool on); /* the number, or the state of a check */
} uci_option;

static void set_hash(uci_session *uci, int64_t value, bool on) {
    (void)on;
    if (!engine_set_hash(uci->engine, (size_t)value)) {
        refuse("no memory for a hash table of %lld MB; the old one stays", (long long)value);
    }
}

static void set_threads(uci_session *uci, int64_t value, bool on) {
    (void)on;
    const int count = engine_set_threads(uci->engine, (int)value);
    if (count != value) {
        refuse("no memory for %lld threads; there are %d", (long long)value, count);
    }
}

static void set_multipv(uci_session *uci, int64_t value, bool on) {
    (void)on;
    engine_set_multipv(uci->engine, (int)value);
}

static void set_overhead(uci_session *uci, int64_t value, bool on) {
    (void)on;
    engine_set_overhead(uci->engine, (int)value);
}

static void set_chess960(uci_session *uci, int64_t value, bool on) {
    (void)value;
    engine_stop(uci->engine);
    engine_wait(uci->engine);
    uci->chess960 = on;
}

static void clear_hash(uci_session *uci, int64_t value, bool on) {
    (void)value;
    (void)on;
    engine_clear(uci->engine);
}

/* Pondering is the GUI's choice; the option only tells it that Luft can. */
static void set_ponder(uci_session *uci, int64_t value, bool on) {
    (void)uci;
    (void)value;
    (void)on;
}

static const uci_option options[] = {
    {"Hash", "type spin default 16 min 1 max 33554432", 1, ENGINE_HASH_MAX_MB, set_hash},
    {"Clear Hash", "type button", 0, 0, clear_hash},
    {"Threads", "type spin default 1 min 1 max 256", 1, ENGINE_THREADS_MAX, set_threads},
    {"Ponder", "type check default false", 0, 0, set_ponder},
    {"MultiPV", "type spin default 1 min 1 max 256", 1, ENGINE_MULTIPV_MAX, set_multipv},
    {"Move Overhead", "type spin default 10 min 0 max 5000", 0, ENGINE_OVERHEAD_MAX_MS, set_overhead},
    {"UCI_Chess960", "type check default false", 0, 0, set_chess960},
};

#define OPTION_COUNT (sizeof options / sizeof options[0])

static bool same_name(const char *a, size_t length, const char *b) {
    if (length != strlen(b)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        const char x = a[i] >= 'A' && a[i] <= 'Z' ? (char)(a[i] + 32) : a[i];
        const char y = b[i] >= 'A' && b[i] <= 'Z' ? (char)(b[i] + 32) : b[i];
        if (x != y) {
            return false;
        }
    }
    return true;
}

/* Reads a number with an optional sign; one that is too large for its type is cut to it. False if it is none. */
static bool read_number(const char *word, size_t length, int64_t *value) {
    const bool negative = length > 1 && word[0] == '-';
    size_t i = negative || (length > 1 && word[0] == '+') ? 1 : 0;
    int64_t number = 0;
    if (i == length) {
        return false;
    }
    for (; i < length; i++) {
        if (word[i] < '0' || word[i] > '9') {
            return false;
        }
        number = number > (INT64_MAX - 9) / 10 ? INT64_MAX : number * 10 + (word[i] - '0');
    }
    *value = negative ? -number : number;
    return true;
}

static void apply_option(uci_session *uci, const uci_option *option, const char *value, size_t length) {
    char quoted[TEXT_QUOTED_SIZE];
    int64_t number = 0;
    const bool is_number = option->least != option->most;
    const bool is_check = strncmp(option->declaration, "type check", 10) == 0;
    if (is_number && (!read_number(value, length, &number) || number < option->least || number > option->most)) {
        refuse("option %s needs a number from %lld to %lld, not %s", option->name, (long long)option->least,
               (long long)option->most, text_quote(quoted, value, length));
        return;
    }
    const bool on = is_check && same_name(value, length, "true");
    if (is_check && !on && !same_name(value, length, "false")) {
        refuse("option %s needs true or false, not %s", option->name, text_quote(quoted, value, length));
        return;
    }
    option->set(uci, number, on);
}

/* setoption name NAME [value VALUE]; both may hold blanks. */
static void run_setoption(uci_session *uci, words line) {
    const char *word;
    size_t length;
    char quoted[TEXT_QUOTED_SIZE];
    if (!next_word(&line, &word, &length) || !is_word(word, length, "name")) {
        refuse("setoption needs name");
        return;
    }
    text_trim(&line.text, &line.length);
    const char *name = line.text;
    size_t name_length = line.length;
    const char *value = line.text + line.length;
    size_t value_length = 0;
    for (words rest = line; next_word(&rest, &word, &length);) {
        if (is_word(word, length, "value")) {
            name_length = (size_t)(word - name);
            value = rest.text;
            value_length = rest.length;
            break;
        }
    }
    text_trim(&name, &name_length);
    text_trim(&value, &value_length);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (same_name(name, name_length, options[i].name)) {
            apply_option(uci, &options[i], value, value_length);
            return;
        }
    }
    refuse("unknown option %s", text_quote(quoted, name, name_length));
}

static void run_uci(uci_session *uci, words line) {
    (void)uci;
    (void)line;
    say("id name Luft %s", luft_version());
    say("id author the Luft authors");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        say("option name %s %s", options[i].name, options[i].declaration);
    }
    say("uciok");
}

/* --- Positions -------------------------------------------------------------- */

/* Reads the words after `moves`. Each must be legal where it stands. */
static bool read_moves(words *line, const luft_position *start, luft_move **moves, size_t *count) {
    const char *word;
    size_t length, room = 0;
    char quoted[TEXT_QUOTED_SIZE];
    luft_position position = *start;
    while (next_word(line, &word, &length)) {
        luft_move move;
        const luft_error error = luft_move_from_uci(&move, &position, word, length);
        if (error != LUFT_OK) {
            refuse("move %zu, %s: %s", *count + 1, text_quote(quoted, word, length), luft_error_string(error));
            return false;
        }
        if (*count == room) {
            room = room ? 2 * room : 64;
            luft_move *more = realloc(*moves, room * sizeof *more);
            if (!more) {
                refuse("out of memory");
                return false;
            }
            *moves = more;
        }
        (*moves)[(*count)++] = move;
        luft_make(&position, &position, move);
    }
    return true;
}

static bool read_fen(words *line, luft_position *position) {
    const char *begin = NULL, *end = NULL;
    words rest = *line;
    const char *word;
    size_t length;
    while (next_word(&rest, &word, &length) && !is_word(word, length, "moves")) {
        begin = begin ? begin : word;
        end = word + length;
        *line = rest;
    }
    if (!begin) {
        refuse("position fen needs a FEN");
        return false;
    }
    luft_fen_report report;
    if (luft_position_from_fen(position, begin, (size_t)(end - begin), &report) != LUFT_OK) {
        char reason[SETUP_REASON_SIZE];
        refuse("FEN: %s", setup_fen_reason(reason, &report));
        return false;
    }
    return true;
}

static bool read_position(uci_session *uci, words line) {
    const char *word;
    size_t length;
    char quoted[TEXT_QUOTED_SIZE];
    luft_position start = luft_start_position();
    if (!next_word(&line, &word, &length)) {
        refuse("position needs startpos or fen");
        return false;
    }
    if (is_word(word, length, "fen")) {
        if (!read_fen(&line, &start)) {
            return false;
        }
    } else if (!is_word(word, length, "startpos")) {
        refuse("position needs startpos or fen, not %s", text_quote(quoted, word, length));
        return false;
    }
    luft_move *moves = NULL;
    size_t count = 0;
    bool good = true;
    if (next_word(&line, &word, &length)) {
        good = is_word(word, length, "moves");
        if (!good) {
            refuse("moves expected, not %s", text_quote(quoted, word, length));
        }
        good = good && read_moves(&line, &start, &moves, &count);
    }
    if (good) {
        good = engine_set_position(uci->engine, &start, moves, count, NULL) == LUFT_OK;
        if (!good) {
            refuse("out of memory");
        }
    }
    free(moves);
    return good;
}

static void run_position(uci_session *uci, words line) {
    engine_stop(uci->engine);
    engine_wait(uci->engine);
    uci->has_position = read_position(uci, line);
}

/* --- go --------------------------------------------------------------------- */

static void run_perft(const uci_session *uci, int64_t depth) {
    const luft_position *position = engine_position(uci->engine);
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    uint64_t total = 0;
    for (int i = 0; i < list.count && depth > 0; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        const uint64_t nodes = luft_perft(&next, (int)depth - 1, LUFT_PERFT_TWO_PLY);
        char text[LUFT_UCI_MOVE_SIZE];
        say("%s: %llu", move_text(uci, text, list.moves[i]), (unsigned long long)nodes);
        total += nodes;
    }
    say("%sNodes searched: %llu", depth > 0 ? "\n" : "", (unsigned long long)(depth > 0 ? total : 1));
}

/* What `go` says with a number behind it. */
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

static const go_number *find_go_number(const char *word, size_t length) {
    for (size_t i = 0; i < GO_NUMBER_COUNT; i++) {
        if (is_word(word, length, go_numbers[i].name)) {
            return &go_numbers[i];
        }
    }
    return NULL;
}

static bool is_go_word(const char *word, size_t length) {
    return find_go_number(word, length) || is_word(word, length, "infinite") || is_word(word, length, "ponder") ||
           is_word(word, length, "searchmoves") || is_word(word, length, "perft");
}

/* The moves after `searchmoves`, up to the next word of `go`. A bad one is reported and left out. */
static void read_search_moves(const uci_session *uci, words *line, search_limits *limits) {
    const char *word;
    size_t length;
    char quoted[TEXT_QUOTED_SIZE];
    for (words rest = *line; next_word(&rest, &word, &length) && !is_go_word(word, length); *line = rest) {
        luft_move move;
        if (luft_move_from_uci(&move, engine_position(uci->engine), word, length) != LUFT_OK) {
            refuse("searchmoves: %s is no legal move", text_quote(quoted, word, length));
        } else if (limits->search_move_count < LUFT_MAX_MOVES) {
            limits->search_moves[limits->search_move_count++] = move;
        }
    }
}

static bool is_finite(const search_limits *limits, luft_color side) {
    return limits->time_ms[side] != LIMIT_NONE || limits->movetime_ms != LIMIT_NONE || limits->nodes != LIMIT_NONE ||
           limits->depth < MAX_DEPTH || limits->mate > 0;
}

static void run_go(uci_session *uci, words line) {
    engine_stop(uci->engine);
    engine_wait(uci->engine);
    if (!uci->has_position) {
        say("bestmove 0000");
        return;
    }
    search_limits limits = limits_none();
    const char *word;
    size_t length;
    char quoted[TEXT_QUOTED_SIZE];
    while (next_word(&line, &word, &length)) {
        const go_number *number = find_go_number(word, length);
        const bool perft = is_word(word, length, "perft");
        if (number || perft) {
            const char *digits;
            size_t digits_length;
            int64_t value;
            if (!next_word(&line, &digits, &digits_length) || !read_number(digits, digits_length, &value)) {
                refuse("go %.*s needs a number", (int)length, word);
                limits.depth = 1; /* something was to limit the search: it must not go on for ever */
            } else if (perft) {
                if (value > 30) {
                    refuse("go perft: the depth is at most 30");
                } else {
                    run_perft(uci, from_zero(value));
                }
                return;
            } else {
                number->set(&limits, value);
            }
        } else if (is_word(word, length, "infinite")) {
            limits.infinite = true;
        } else if (is_word(word, length, "ponder")) {
            limits.ponder = true;
        } else if (is_word(word, length, "searchmoves")) {
            read_search_moves(uci, &line, &limits);
        } else {
            refuse("go: unknown word %s", text_quote(quoted, word, length));
        }
    }
    const luft_color side = (luft_color)engine_position(uci->engine)->side_to_move;
    if (!limits.ponder && !is_finite(&limits, side)) {
        limits.infinite = true;
    }
    uci->finite = !limits.infinite && !limits.ponder;
    uci->pondering = limits.ponder && !limits.infinite && is_finite(&limits, side);
    const engine_callbacks callbacks = {
        .line = say_line, .current_move = say_current_move, .best_move = say_best_move, .payload = uci};
    if (!engine_go(uci->engine, &limits, &callbacks)) {
        luft_move_list list;
        refuse("the system gives no thread for the search");
        luft_generate(&list, engine_position(uci->engine), LUFT_ALL_MOVES);
        say_best_move(uci, list.count > 0 ? list.moves[0] : LUFT_MOVE_NONE, LUFT_MOVE_NONE);
    }
}

/* --- The other commands ------------------------------------------------------ */

static void run_stop(uci_session *uci, words line) {
    (void)line;
    engine_stop(uci->engine);
}

static void run_ponderhit(uci_session *uci, words line) {
    (void)line;
    uci->finite = uci->finite || uci->pondering;
    uci->pondering = false;
    engine_ponderhit(uci->engine);
}

static void run_isready(uci_session *uci, words line) {
    (void)uci;
    (void)line;
    say("readyok");
}

static void run_ucinewgame(uci_session *uci, words line) {
    (void)line;
    engine_clear(uci->engine);
}

static void run_ignored(uci_session *uci, words line) {
    (void)uci;
    (void)line;
}

static void run_display(uci_session *uci, words line) {
    (void)line;
    if (!uci->has_position) {
        refuse("no position: the last one was refused");
        return;
    }
    char board[8 * 18 + 32], *out = board, fen[LUFT_FEN_SIZE];
    const luft_position *position = engine_position(uci->engine);
    for (int row = 0; row < 8; row++) {
        *out++ = (char)('8' - row);
        for (int file = 0; file < 8; file++) {
            *out++ = ' ';
            *out++ = ".PNBRQK..pnbrqk."[luft_piece_at(&position->board, luft_square_at(file, row))];
        }
        *out++ = '\n';
    }
    strcpy(out, "  a b c d e f g h\n");
    luft_position_to_fen(fen, sizeof fen, position, uci->chess960 ? LUFT_FEN_SHREDDER : LUFT_FEN_STANDARD);
    say("%s\nFen: %s\nKey: %016llX", board, fen, (unsigned long long)luft_key(position));
}

static void run_eval(uci_session *uci, words line) {
    (void)line;
    if (!uci->has_position) {
        refuse("no position: the last one was refused");
    } else {
        say("evaluation: %+.2f (for White)", engine_eval(uci->engine) / 100.0);
    }
}

static void run_flip(uci_session *uci, words line) {
    (void)line;
    luft_position flipped;
    engine_stop(uci->engine);
    engine_wait(uci->engine);
    if (!uci->has_position || luft_position_flip(&flipped, engine_position(uci->engine)) != LUFT_OK) {
        refuse("no position: the last one was refused");
        return;
    }
    engine_set_position(uci->engine, &flipped, NULL, 0, NULL);
}

static void run_bench(uci_session *uci, words line) {
    const char *word;
    size_t length;
    uint64_t depth = BENCH_DEPTH;
    engine_stop(uci->engine);
    engine_wait(uci->engine);
    if (next_word(&line, &word, &length) && (!text_to_number(&depth, word, length, MAX_DEPTH) || depth == 0)) {
        refuse("bench needs a depth from 1 to %d", MAX_DEPTH);
        return;
    }
    bench_run((int)depth);
}

static void run_compiler(uci_session *uci, words line) {
    (void)uci;
    (void)line;
    say("compiled with %s",
#ifdef __clang__
        "clang " __clang_version__
#else
        "gcc " __VERSION__
#endif
    );
}

static void run_help(uci_session *uci, words line);

typedef struct uci_command {
    const char *name;
    void (*run)(uci_session *uci, words line);
    const char *help; /* NULL: one of the protocol's own */
} uci_command;

static const uci_command commands[] = {
    {"uci", run_uci, NULL},
    {"isready", run_isready, NULL},
    {"setoption", run_setoption, NULL},
    {"ucinewgame", run_ucinewgame, NULL},
    {"position", run_position, NULL},
    {"go", run_go, NULL},
    {"stop", run_stop, NULL},
    {"ponderhit", run_ponderhit, NULL},
    {"debug", run_ignored, NULL},
    {"register", run_ignored, NULL},
    {"d", run_display, "show the board"},
    {"eval", run_eval, "the static evaluation"},
    {"flip", run_flip, "exchange the colours"},
    {"bench", run_bench, "[DEPTH]: search a set of positions, print nodes and speed"},
    {"compiler", run_compiler, "what this program was compiled with"},
    {"help", run_help, "this list"},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void run_help(uci_session *uci, words line) {
    (void)uci;
    (void)line;
    say("Luft %s speaks UCI (uci, isready, setoption, ucinewgame, position, go, stop, ponderhit, quit), and:",
        luft_version());
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (commands[i].help) {
            say("  %-9s %s", commands[i].name, commands[i].help);
        }
    }
    say("  %-9s %s", "go perft", "DEPTH: count the leaves of the game tree");
}

/* False for `quit`. */
static bool run_line(uci_session *uci, const char *text, size_t size) {
    words line = {text, size};
    const char *word;
    size_t length;
    char quoted[TEXT_QUOTED_SIZE];
    if (!next_word(&line, &word, &length)) {
        return true;
    }
    if (is_word(word, length, "quit")) {
        return false;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (is_word(word, length, commands[i].name)) {
            commands[i].run(uci, line);
            return true;
        }
    }
    refuse("unknown command %s", text_quote(quoted, word, length));
    return true;
}

/* --- Input ------------------------------------------------------------------ */

/* Standard input as it comes, line by line; a line may be of any length. */
typedef struct uci_input {
    char *bytes;
    size_t used; /* of the lines already taken */
    size_t filled;
    size_t room;
    bool begun; /* a byte order mark was looked for */
} uci_input;

/* More bytes behind those that are there. False at the end of the input, or if there is no memory. */
static bool fill(uci_input *input) {
    if (input->used > 0) {
        memmove(input->bytes, input->bytes + input->used, input->filled - input->used);
        input->filled -= input->used;
        input->used = 0;
    }
    if (input->filled == input->room) {
        const size_t room = input->room ? 2 * input->room : 65536;
        char *bytes = realloc(input->bytes, room);
        if (!bytes) {
            return false;
        }
        input->bytes = bytes;
        input->room = room;
    }
    ssize_t count;
    do {
        count = read(STDIN_FILENO, input->bytes + input->filled, input->room - input->filled);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) {
        return false;
    }
    input->filled += (size_t)count;
    return true;
}

static bool next_line(uci_input *input, const char **line, size_t *length) {
    size_t looked = 0; /* bytes known to hold no line feed */
    for (;;) {
        const size_t rest = input->filled - input->used;
        const char *begin = input->bytes + input->used;
        const char *feed = rest > looked ? memchr(begin + looked, '\n', rest - looked) : NULL;
        const bool ended = !feed && !fill(input);
        if (!feed && !ended) {
            looked = rest;
            continue;
        }
        begin = input->bytes + input->used;
        if (ended && rest == 0) {
            return false;
        }
        *line = begin;
        *length = feed ? (size_t)(feed - begin) : rest;
        input->used += *length + (feed != NULL);
        if (*length > 0 && begin[*length - 1] == '\r') {
            --*length;
        }
        if (!input->begun && *length >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0) {
            *line += 3;
            *length -= 3;
        }
        input->begun = true;
        return true;
    }
}

int uci_run(void) {
    uci_session uci = {.engine = engine_create(), .has_position = true};
    if (!uci.engine) {
        refuse("out of memory");
        return STATUS_FAILED;
    }
    uci_input input = {0};
    if (isatty(STDIN_FILENO)) {
        say("Luft %s, a chess engine that speaks UCI. help lists the commands, quit ends; luft --help tells what else "
            "there is.",
            luft_version());
    }
    const char *line;
    size_t length;
    bool quit = false;
    while (!quit && next_line(&input, &line, &length)) {
        quit = !run_line(&uci, line, length);
    }
    /* At the end of the input a search that ends by itself may do so; one that does not is stopped. */
    if (quit || !uci.finite) {
        engine_stop(uci.engine);
    }
    engine_wait(uci.engine);
    engine_free(uci.engine);
    free(input.bytes);
    return STATUS_OK;
}
