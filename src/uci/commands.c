/* SPDX-License-Identifier: MIT */
/*
 * The table of UCI commands, and the short ones, which need no file of their own.
 */
#include "bench.h"
#include "session.h"

bool uci_to_number(uci_text word, int64_t *value) {
    const bool negative = word.length > 1 && word.text[0] == '-';
    size_t i = negative || (word.length > 1 && word.text[0] == '+') ? 1 : 0;
    int64_t number = 0;
    if (i == word.length) {
        return false;
    }
    for (; i < word.length; i++) {
        if (word.text[i] < '0' || word.text[i] > '9') {
            return false;
        }
        number = number > (INT64_MAX - 9) / 10 ? INT64_MAX : number * 10 + (word.text[i] - '0');
    }
    *value = negative ? -number : number;
    return true;
}

/* --- Commands of the protocol ------------------------------------------------------- */

static void run_uci(uci_session *uci, uci_text line) {
    (void)line;
    if (uci->extension.client_is_program) {
        uci->extension.client_is_program(uci->extension.payload);
    }
    uci_send(uci, "id name Luft %s", luft_version());
    uci_send(uci, "id author the Luft authors");
#ifdef LUFT_ARCH
    uci_send(uci, "info string variant " LUFT_ARCH);
#endif
    uci_list_options(uci);
    uci_send(uci, "uciok");
}

static void run_isready(uci_session *uci, uci_text line) {
    (void)line;
    uci_send(uci, "readyok");
}

static void run_ucinewgame(uci_session *uci, uci_text line) {
    (void)line;
    luft_engine_clear(uci->engine);
}

static void run_stop(uci_session *uci, uci_text line) {
    (void)line;
    uci_stop(uci);
}

static void run_ponderhit(uci_session *uci, uci_text line) {
    (void)line;
    uci->job.is_finite = uci->job.is_finite || uci->job.is_pondering;
    uci->job.is_pondering = false;
    luft_engine_ponderhit(uci->engine);
}

static void run_quit(uci_session *uci, uci_text line) {
    (void)line;
    uci->has_ended = true;
}

static void run_ignored(uci_session *uci, uci_text line) {
    (void)uci;
    (void)line;
}

/* --- Commands beyond the protocol ------------------------------------------------- */

bool uci_require_position(uci_session *uci) {
    if (!uci->has_position) {
        uci_send_error(uci, "no position: the last one was refused");
    }
    return uci->has_position;
}

bool uci_set_game(uci_session *uci, const luft_position *start, luft_square ep_square, const luft_move *moves,
                  size_t count) {
    if (luft_engine_set_position(uci->engine, start, moves, count, NULL) != LUFT_OK) {
        uci_send_error(uci, "out of memory");
        return false;
    }
    uci->ep_square = count > 0 ? luft_move_ep_square(moves[count - 1]) : ep_square;
    if (uci->extension.position_changed) {
        uci->extension.position_changed(uci->extension.payload, start, moves, count);
    }
    return true;
}

static void run_display(uci_session *uci, uci_text line) {
    (void)line;
    if (!uci_require_position(uci)) {
        return;
    }
    char board[8 * 18 + 1], *out = board, fen[LUFT_FEN_SIZE];
    const luft_position *position = luft_engine_position(uci->engine);
    for (int row = 0; row < 8; row++) {
        *out++ = (char)('8' - row);
        for (int file = 0; file < 8; file++) {
            *out++ = ' ';
            *out++ = ".PNBRQK..pnbrqk."[luft_piece_at(&position->board, luft_square_at(file, 7 - row))];
        }
        *out++ = '\n';
    }
    *out = '\0';
    luft_position_to_fen(fen, sizeof fen, position, uci->chess960 ? LUFT_FEN_SHREDDER : LUFT_FEN_STANDARD);
    uci_send(uci, "%s  a b c d e f g h\n\nFen: %s\nKey: %016llX", board, fen, (unsigned long long)luft_key(position));
}

/* Out of memory, the position stays as it is. */
static void run_flip(uci_session *uci, uci_text line) {
    (void)line;
    luft_position flipped;
    if (uci_require_position(uci) && luft_position_flip(&flipped, luft_engine_position(uci->engine)) == LUFT_OK) {
        uci_finish(uci);
        uci_set_game(uci, &flipped, LUFT_NO_SQUARE, NULL, 0);
    }
}

static void run_bench(uci_session *uci, uci_text line) {
    uci_text word;
    char quoted[TEXT_QUOTED_SIZE];
    uint64_t depth = BENCH_DEPTH;
    if (uci_take_word(&line, &word) &&
        (!text_to_number(&depth, word.text, word.length, LUFT_ENGINE_MAX_DEPTH) || depth == 0)) {
        uci_send_error(uci, "bench: expected a depth from 1 to %d, got %s", LUFT_ENGINE_MAX_DEPTH,
                       text_quote(quoted, word.text, word.length));
        return;
    }
    const uci_task task = {.kind = UCI_JOB_BENCH, .depth = (int)depth};
    uci_start_job(uci, &task);
}

static void run_compiler(uci_session *uci, uci_text line) {
    (void)line;
    uci_send(uci, "compiled with %s",
#ifdef __clang__
             "clang " __clang_version__
#else
             "gcc " __VERSION__
#endif
    );
}

static void run_help(uci_session *uci, uci_text line);

/* --- The table -------------------------------------------------------------------- */

static const uci_command commands[] = {
    {.name = "uci", .run = run_uci},
    {.name = "isready", .run = run_isready, .is_urgent = true},
    {.name = "setoption", .run = uci_setoption},
    {.name = "ucinewgame", .run = run_ucinewgame},
    {.name = "position", .run = uci_position},
    {.name = "go", .run = uci_go},
    {.name = "stop", .run = run_stop, .is_urgent = true},
    {.name = "ponderhit", .run = run_ponderhit},
    {.name = "quit", .run = run_quit, .is_urgent = true},
    {.name = "debug", .run = run_ignored},
    {.name = "register", .run = run_ignored},
    {.name = "d", .run = run_display, .help = "show the board"},
    {.name = "eval", .run = uci_eval, .help = "show the static evaluation, piece by piece"},
    {.name = "flip", .run = run_flip, .help = "exchange the colours"},
    {.name = "bench", .run = run_bench, .help = "[DEPTH]: search a set of positions, print nodes and speed"},
    {.name = "compiler", .run = run_compiler, .help = "show the compiler of this program"},
    {.name = "help", .run = run_help, .help = "show this list"},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void run_help(uci_session *uci, uci_text line) {
    (void)line;
    if (uci->extension.help) {
        uci->extension.help(uci->extension.payload);
    }
    uci_send(uci, "Luft %s speaks UCI (uci, isready, setoption, ucinewgame, position, go, stop, ponderhit, quit), and:",
             luft_version());
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (commands[i].help) {
            uci_send(uci, "  %-9s %s", commands[i].name, commands[i].help);
        }
    }
    uci_send(uci, "  %-9s %s", "go perft", "DEPTH: count the leaves of the game tree");
}

const uci_command *uci_find_command(uci_text word) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (uci_is(word, commands[i].name)) {
            return &commands[i];
        }
    }
    return NULL;
}
