/* SPDX-License-Identifier: MIT */
/*
 * The private side of a UCI session, which the files of this module share:
 *
 *     session.c   life, which lines wait and which run
 *     queue.c     the lines that wait
 *     commands.c  the table of commands, and the short ones
 *     position.c, options.c, go.c, eval.c   the long ones
 *     book.c      moves from the opening book
 *     job.c       search, perft and bench
 *     bench.c     the positions of bench
 *     output.c    the text of every answer
 */
#ifndef LUFT_UCI_SESSION_H
#define LUFT_UCI_SESSION_H

#include "queue.h"
#include "uci.h"

#include <pthread.h>
#include <stdatomic.h>

/* What a job is to do. */
typedef struct uci_task {
    uci_job_kind kind;
    int depth;                 /* of perft and bench */
    luft_engine_limits limits; /* of a search */
    bool is_finite;            /* ends without `stop` or `ponderhit`; perft and bench always do */
    bool is_pondering;         /* a search that is finite after `ponderhit` */
} uci_task;

/* A search in the threads of the session's engine, or perft or bench in a thread of its own. One at a time. */
typedef struct uci_job {
    uci_job_kind kind; /* started last; it may have ended */
    bool is_finite, is_pondering;
    /* Of perft and bench: */
    int depth;
    luft_position position; /* of perft */
    luft_engine *bench;     /* searches the positions of bench, else NULL */
    pthread_t thread;
    bool is_started;        /* `thread` is to be joined */
    atomic_bool is_running; /* has not written its last line */
    atomic_bool is_stopped; /* has been asked to end */
} uci_job;

struct uci_session {
    uci_host host;
    uci_extension extension;
    luft_engine *engine;
    uci_job job;
    uci_queue queue;
    /* The running line came from the queue, and a `stop` came after it: a job that it starts ends at once. */
    bool is_stopping;
    bool has_ended;
    atomic_bool has_lost_output;
    bool has_position; /* the last `position` was accepted */
    bool chess960;     /* castling is written as king takes rook */
    bool show_wdl;     /* win, draw and loss probabilities beside the score */
    /* Playing strength. The Elo counts where strength is limited, the skill where not, neither in analysis. */
    bool limit_strength;
    bool analyse_mode;
    int elo, skill;
    /* Tablebases. */
    luft_tablebase *tablebase; /* NULL for none */
    int probe_depth, probe_limit;
    bool rule50;
    /* The opening book. */
    luft_book *book;       /* NULL for none */
    bool own_book;         /* the client allows it */
    int book_depth;        /* the number of the last move that is played from it */
    int book_variety;      /* in percent, of the highest weight: how much less a move may have */
    uint64_t random;       /* state of the numbers that pick a move */
    luft_square ep_square; /* that the last move passed over; the position knows it only if a capture is legal */
};

/* --- Commands: commands.c ------------------------------------------------------- */

typedef struct uci_command {
    const char *name;
    void (*run)(uci_session *uci, uci_text arguments);
    const char *help; /* NULL for a command of the protocol */
    bool is_urgent;   /* never waits for perft or bench */
} uci_command;

/* NULL for a word that is not a command. */
const uci_command *uci_find_command(uci_text word);

void uci_preset_options(uci_session *uci);
void uci_list_options(uci_session *uci);
void uci_setoption(uci_session *uci, uci_text arguments);
void uci_position(uci_session *uci, uci_text arguments);
void uci_go(uci_session *uci, uci_text arguments);
void uci_eval(uci_session *uci, uci_text arguments);

/* Sends the error of a command that needs a position, if there is none. */
bool uci_require_position(uci_session *uci);

/*
 * Sets the engine's position and calls the extension; `ep_square` is that of the FEN, and counts if there are no moves.
 * False, with an error sent, if out of memory: nothing changes.
 */
bool uci_set_game(uci_session *uci, const luft_position *start, luft_square ep_square, const luft_move *moves,
                  size_t count);

/* Reads a number with an optional sign; one too large for its type is clamped. False if it is not a number. */
bool uci_to_number(uci_text word, int64_t *value);

/* Reports the tables that were found to be damaged, each once. */
void uci_report_tables(uci_session *uci);

/* Answers `go` with a move of the book. False, and nothing is sent, if there is none, or the book is not to be used. */
bool uci_play_from_book(uci_session *uci);

/* --- Which lines wait: session.c ------------------------------------------------- */

/*
 * Does this line wait, with this job running and so many lines queued? The only place that decides it. Perft and bench
 * hold up all lines but the urgent ones, and so does a queue, because lines run in the order in which they came.
 */
bool uci_is_deferred(uci_job_kind running, size_t queued, uci_text line);

/* --- Jobs: job.c ------------------------------------------------------------------- */

/*
 * Stops and waits for the job that runs, then starts this one and returns. Sends one error if it cannot be started; a
 * search has its best move all the same.
 */
void uci_start_job(uci_session *uci, const uci_task *task);

/* Asks the job that runs to end; returns at once. */
void uci_stop_job(uci_session *uci);

/* --- Answers: output.c --------------------------------------------------------------- */

/* One line, or several separated by line feeds. From any thread. */
void uci_send(uci_session *uci, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `info string error: …`: the one line that a refused command gets. Text from outside must be quoted. */
void uci_send_error(uci_session *uci, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A move in the notation of the session. Returns `buffer`. */
const char *uci_move_text(const uci_session *uci, char buffer[LUFT_UCI_MOVE_SIZE], luft_move move);

/* The callbacks of a search; the payload is the session. */
void uci_send_variation(void *payload, const luft_engine_line *line);
void uci_send_current_move(void *payload, int depth, luft_move move, int number);
void uci_send_fewer_threads(void *payload, int running, int wanted);
void uci_send_result(void *payload, const luft_engine_result *result);

/* The best move and, unless it is LUFT_MOVE_NONE, the expected reply. */
void uci_send_best_move(uci_session *uci, luft_move best, luft_move ponder);

#endif
