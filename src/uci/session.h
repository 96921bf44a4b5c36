/* SPDX-License-Identifier: MIT */
/*
 * What the files of the UCI protocol share: the session, the pieces of a line, and
 * how to answer. uci.c knows the commands and runs the small ones, uci_position.c,
 * uci_go.c and uci_options.c the large ones, uci_eval.c tells of the evaluation, uci_work.c runs what would hold up the loop;
 * uci_output.c says everything that is said. uci_loop.c and uci_files.c join all this to a process and its files;
 * in the browser bindings/wasm/uci_web.c does so.
 */
#ifndef LUFT_UCI_SESSION_H
#define LUFT_UCI_SESSION_H

#include "util/text.h"

#include "engine/engine.h"
#include "luft/luft.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Perft or bench, in a thread of its own so that the loop goes on. */
typedef struct uci_work {
    pthread_t thread;
    bool started;        /* `thread` is to be joined */
    atomic_bool running; /* it has not said its last line */
    atomic_bool stop;    /* it is to end early */
    int depth;
    luft_position position; /* of perft */
    luft_engine *bench;     /* searches the positions of bench; NULL for perft */
} uci_work;

typedef struct uci_session {
    luft_engine *engine;
    uci_work work;
    struct terminal *terminal; /* a person types; NULL in a pipe */
    bool has_position;         /* the last `position` was good */
    bool chess960;             /* castling is written as king takes rook */
    bool finite;               /* the search that runs ends by itself */
    bool pondering;            /* it does so after ponderhit */
    int stops_waiting;         /* lines `stop` that were put off: perft and bench that start before them end at once */
    bool show_wdl;             /* chances to win, draw and lose beside the score */
    /* How well to play. The Elo counts where strength is limited, the skill where not, and neither in analysis. */
    bool limit_strength;
    bool analyse_mode;
    int elo, skill;
    FILE *log; /* every line that comes and goes; NULL for none */
} uci_session;

/* A piece of a line of input: not terminated, any bytes. */
typedef struct uci_text {
    const char *text;
    size_t length;
} uci_text;

/* Takes the next word off a line. False if there is none. */
static inline bool uci_take_word(uci_text *line, uci_text *word) {
    return text_next_word(&word->text, &word->length, &line->text, &line->length);
}

static inline bool uci_is(uci_text word, const char *expected) {
    return word.length == strlen(expected) && memcmp(word.text, expected, word.length) == 0;
}

/* Reads a number with an optional sign; one too large for its type is cut to it. False if it is none. */
bool uci_to_number(uci_text word, int64_t *value);

/* --- Answers: uci_output.c --------------------------------------------------- */

/* One line, whole and at once: the search answers from a thread of its own. */
void uci_say(uci_session *uci, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `info string error: …`: the one line that a refused command gets. What comes from outside must be quoted. */
void uci_refuse(uci_session *uci, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A move as the session spells it. Returns `buffer`. */
const char *uci_move_text(const uci_session *uci, char buffer[LUFT_UCI_MOVE_SIZE], luft_move move);

/* What the search calls; the payload is the session. */
void uci_say_line(void *payload, const engine_line *line);
void uci_say_current_move(void *payload, int depth, luft_move move, int number);
void uci_say_fewer_threads(void *payload, int running, int wanted);
void uci_say_best_move(void *payload, luft_move best, luft_move ponder);

/* --- The outside: uci_files.c -------------------------------------------------- */

/* One line of output, or several parted by line feeds; from any thread. */
void uci_write(uci_session *uci, const char *text);

void uci_log_input(uci_session *uci, uci_text line);
void uci_log_close(uci_session *uci);

/* What the options EvalFile and Debug Log File do; a name of no length is that of no file. */
void uci_set_eval_file(uci_session *uci, uci_text name);
void uci_set_log_file(uci_session *uci, uci_text name);

/* --- The session: uci.c --------------------------------------------------------- */

/* False, with an error line said, if there is no memory. */
bool uci_open(uci_session *uci);

/* Does what a line says. False for `quit`. */
bool uci_obey(uci_session *uci, uci_text line);

/*
 * While perft or bench runs a line that is not urgent waits for its end, in order, so that a script may send many at once.
 * True if this one is to wait; `others_wait` if some do already.
 */
bool uci_put_off(uci_session *uci, uci_text line, bool others_wait);

/* To be called when that was done. */
void uci_was_put_off(uci_session *uci, uci_text line);

/* --- Commands; each gets the rest of its line --------------------------------- */

void uci_preset_options(uci_session *uci);
void uci_list_options(uci_session *uci);
void uci_setoption(uci_session *uci, uci_text line);
void uci_position(uci_session *uci, uci_text line);
void uci_go(uci_session *uci, uci_text line);
void uci_eval(uci_session *uci, uci_text line);

/* Asks the search, perft or bench that runs to end; uci_finish also waits until it has, and its last line is out. */
void uci_stop(uci_session *uci);
void uci_finish(uci_session *uci);

/* --- Perft and bench: uci_work.c ------------------------------------------------ */

/* Both return at once; nothing may run before. */
void uci_start_perft(uci_session *uci, int depth);
void uci_start_bench(uci_session *uci, int depth);

bool uci_work_runs(const uci_session *uci);
void uci_work_stop(uci_session *uci);
void uci_work_wait(uci_session *uci);

#endif
