/* SPDX-License-Identifier: MIT */
/*
 * The UCI protocol: the session, what a line means, and the small commands. Where the
 * lines come from is the affair of uci_loop.c, or of a page in the browser.
 * Nothing that comes in ends the session but `quit` and the end of the input; what
 * cannot be understood is answered with one line `info string error: …` and changes nothing.
 */
#include "bench.h"
#include "luft/uci/terminal.h"
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

bool uci_open(uci_session *uci) {
    *uci = (uci_session){.engine = engine_create(), .has_position = true};
    if (!uci->engine) {
        uci_refuse(uci, "out of memory");
        return false;
    }
    uci_preset_options(uci);
    return true;
}

void uci_stop(uci_session *uci) {
    engine_stop(uci->engine);
    uci_work_stop(uci);
}

void uci_finish(uci_session *uci) {
    uci_stop(uci);
    engine_wait(uci->engine);
    uci_work_wait(uci);
}

/* --- The protocol's own commands ------------------------------------------------- */

static void run_uci(uci_session *uci, uci_text line) {
    (void)line;
    terminal_hush(uci->terminal);
    uci_say(uci, "id name Luft %s", luft_version());
    uci_say(uci, "id author the Luft authors");
    uci_list_options(uci);
    uci_say(uci, "uciok");
}

static void run_isready(uci_session *uci, uci_text line) {
    (void)line;
    uci_say(uci, "readyok");
}

static void run_ucinewgame(uci_session *uci, uci_text line) {
    (void)line;
    engine_clear(uci->engine);
}

static void run_stop(uci_session *uci, uci_text line) {
    (void)line;
    uci->stops_waiting -= uci->stops_waiting > 0; /* nothing else waits where one is obeyed that was not put off */
    uci_stop(uci);
}

static void run_ponderhit(uci_session *uci, uci_text line) {
    (void)line;
    uci->finite = uci->finite || uci->pondering;
    uci->pondering = false;
    engine_ponderhit(uci->engine);
}

static void run_ignored(uci_session *uci, uci_text line) {
    (void)uci;
    (void)line;
}

/* --- Commands beyond the protocol ------------------------------------------------- */

static void refuse_without_position(uci_session *uci) {
    uci_refuse(uci, "no position: the last one was refused");
}

static void run_display(uci_session *uci, uci_text line) {
    (void)line;
    if (!uci->has_position) {
        refuse_without_position(uci);
        return;
    }
    char board[8 * 18 + 1], *out = board, fen[LUFT_FEN_SIZE];
    const luft_position *position = engine_position(uci->engine);
    for (int row = 0; row < 8; row++) {
        *out++ = (char)('8' - row);
        for (int file = 0; file < 8; file++) {
            *out++ = ' ';
            *out++ = ".PNBRQK..pnbrqk."[luft_piece_at(&position->board, luft_square_at(file, row))];
        }
        *out++ = '\n';
    }
    *out = '\0';
    luft_position_to_fen(fen, sizeof fen, position, uci->chess960 ? LUFT_FEN_SHREDDER : LUFT_FEN_STANDARD);
    uci_say(uci, "%s  a b c d e f g h\n\nFen: %s\nKey: %016llX", board, fen, (unsigned long long)luft_key(position));
}

static void run_flip(uci_session *uci, uci_text line) {
    (void)line;
    luft_position flipped;
    if (!uci->has_position || luft_position_flip(&flipped, engine_position(uci->engine)) != LUFT_OK) {
        refuse_without_position(uci);
        return;
    }
    uci_finish(uci);
    uci->has_position = engine_set_position(uci->engine, &flipped, NULL, 0, NULL) == LUFT_OK &&
                        terminal_set_game(uci->terminal, &flipped, NULL, 0);
    if (!uci->has_position) {
        uci_refuse(uci, "out of memory");
    }
}

static void run_bench(uci_session *uci, uci_text line) {
    uci_text word;
    uint64_t depth = BENCH_DEPTH;
    if (uci_take_word(&line, &word) && (!text_to_number(&depth, word.text, word.length, MAX_DEPTH) || depth == 0)) {
        uci_refuse(uci, "bench needs a depth from 1 to %d", MAX_DEPTH);
        return;
    }
    uci_finish(uci);
    uci_start_bench(uci, (int)depth);
}

static void run_compiler(uci_session *uci, uci_text line) {
    (void)line;
    uci_say(uci, "compiled with %s",
#ifdef __clang__
            "clang " __clang_version__
#else
            "gcc " __VERSION__
#endif
    );
}

static void run_help(uci_session *uci, uci_text line);

/* --- The lines -------------------------------------------------------------------- */

typedef struct uci_command {
    const char *name;
    void (*run)(uci_session *uci, uci_text line);
    const char *help; /* NULL: one of the protocol's own */
} uci_command;

static const uci_command commands[] = {
    {"uci", run_uci, NULL},
    {"isready", run_isready, NULL},
    {"setoption", uci_setoption, NULL},
    {"ucinewgame", run_ucinewgame, NULL},
    {"position", uci_position, NULL},
    {"go", uci_go, NULL},
    {"stop", run_stop, NULL},
    {"ponderhit", run_ponderhit, NULL},
    {"debug", run_ignored, NULL},
    {"register", run_ignored, NULL},
    {"d", run_display, "show the board"},
    {"eval", uci_eval, "the static evaluation, term by term"},
    {"flip", run_flip, "exchange the colours"},
    {"bench", run_bench, "[DEPTH]: search a set of positions, print nodes and speed"},
    {"compiler", run_compiler, "what this program was compiled with"},
    {"help", run_help, "this list"},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void run_help(uci_session *uci, uci_text line) {
    (void)line;
    if (uci->terminal) {
        terminal_help();
    }
    uci_say(uci, "Luft %s speaks UCI (uci, isready, setoption, ucinewgame, position, go, stop, ponderhit, quit), and:",
            luft_version());
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (commands[i].help) {
            uci_say(uci, "  %-9s %s", commands[i].name, commands[i].help);
        }
    }
    uci_say(uci, "  %-9s %s", "go perft", "DEPTH: count the leaves of the game tree");
}

static const uci_command *find_command(uci_text word) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (uci_is(word, commands[i].name)) {
            return &commands[i];
        }
    }
    return NULL;
}

bool uci_obey(uci_session *uci, uci_text line) {
    uci_text rest = line, word;
    char quoted[TEXT_QUOTED_SIZE];
    if (!uci_take_word(&rest, &word)) {
        return true;
    }
    if (uci_is(word, "quit")) {
        return false;
    }
    const uci_command *command = find_command(word);
    if (command) {
        command->run(uci, rest);
        return true;
    }
    if (uci->terminal) {
        return terminal_obey(uci->terminal, line);
    }
    uci_refuse(uci, "unknown command %s", text_quote(quoted, word.text, word.length));
    return true;
}

bool uci_put_off(uci_session *uci, uci_text line, bool others_wait) {
    uci_text word = {0};
    if (!uci_work_runs(uci) && !others_wait) {
        return false;
    }
    uci_take_word(&line, &word);
    if (uci_is(word, "stop") && others_wait) {
        uci_stop(uci); /* now, and once more in its turn, for a search may wait before it */
        return true;
    }
    return !uci_is(word, "isready") && !uci_is(word, "stop") && !uci_is(word, "quit");
}

void uci_was_put_off(uci_session *uci, uci_text line) {
    uci_text word = {0};
    uci_take_word(&line, &word);
    uci->stops_waiting += uci_is(word, "stop");
}
