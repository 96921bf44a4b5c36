/* SPDX-License-Identifier: MIT */
/*
 * A search for people: run to its end, with ^C to cut it short, its last lines kept,
 * and scores and lines as people write them. Scores are White's here, whoever is to
 * move: more than nothing is good for White.
 *
 * How to use it: create an engine, choose its hash, threads and MultiPV, set the
 * position, with thinking_set_game for example, then thinking_run. The engine stays the caller's.
 */
#ifndef LUFT_PROGRAM_THINKING_H
#define LUFT_PROGRAM_THINKING_H

#include "util/buffer.h"
#include "util/interrupt.h"

#include "engine/engine.h"
#include "luft/luft.h"

/* --- Running a search ------------------------------------------------------- */

typedef struct thinking_line {
    int depth;
    int score;       /* for White, see score.h */
    int64_t nodes;   /* of the whole search, when the line was found */
    int64_t time_ms; /* since the search began */
    int length;      /* at least 1 */
    luft_move moves[MAX_PLY + 1];
} thinking_line;

/* What a search has found. It is large: keep it in the heap or once in a command. */
typedef struct thinking {
    luft_position position;                  /* that was searched */
    luft_move best;                          /* LUFT_MOVE_NONE if there is no legal move */
    luft_move ponder;                        /* the answer that is expected, or LUFT_MOVE_NONE */
    int line_count;                          /* 0 if there is no legal move */
    thinking_line lines[ENGINE_MULTIPV_MAX]; /* the best first; lines[0] begins with `best` when the search is over */
    /* Private: */
    void (*progress)(void *payload, const thinking_line *line, int number);
    void *payload;
} thinking;

/* The present position of a game, with all its moves before: repetitions count. False if there is no memory. */
bool thinking_set_game(luft_engine *engine, const luft_game *game);

/*
 * Searches the engine's position and waits for the end. `progress`, which may be NULL, is called from the engine's
 * thread with each new line, `number` 1 for the best. False if no thread could be started; the result is then empty.
 */
bool thinking_run(thinking *found, luft_engine *engine, const search_limits *limits,
                  void (*progress)(void *payload, const thinking_line *line, int number), void *payload);

/* --- Interrupting it -------------------------------------------------------- */

/*
 * From thinking_watch to thinking_unwatch, ^C (SIGINT) stops the searches of these engines instead of ending the
 * program, and sets `interrupted`; a second one ends the program at once, as SIGTERM and SIGHUP do, but not before the
 * file `unfinished` is removed, if that is not NULL; without engines the first one does so too. Threads that run searches must be started after thinking_watch, which
 * blocks the signals in the calling thread. If it fails, or where a signal is ignored already, it is what it was.
 */
typedef struct thinking_interrupt {
    atomic_bool interrupted;
    /* Private: */
    luft_engine *const *engines;
    size_t count;
    const char *unfinished;
    sigset_t signals; /* those that are waited for */
    pthread_t watcher;
    bool watching;
    atomic_bool over;
} thinking_interrupt;

void thinking_watch(thinking_interrupt *interrupt, luft_engine *const *engines, size_t count, const char *unfinished);
void thinking_unwatch(thinking_interrupt *interrupt);

/* --- In words ----------------------------------------------------------------- */

/* "+0.35", "-1.20", "0.00"; "#3" where White mates in three moves, "#-2" where Black does in two. Returns `buffer`. */
#define THINKING_SCORE_SIZE 16
const char *thinking_score_text(char buffer[THINKING_SCORE_SIZE], int score_white);

/* How many moves a score that is_decisive announces until the mate: 3, or -2 where Black mates. */
int thinking_mate_in(int score_white);

/* "White is clearly better", "Black mates in 2 moves": a clause without its full stop. Returns `buffer`. */
#define THINKING_WORDS_SIZE 48
const char *thinking_words(char buffer[THINKING_WORDS_SIZE], int score_white);

/*
 * Appends moves from a position in numbered SAN, "12... Nf6 13. O-O". Where there are more than fit in `columns`,
 * whole moves are left out at the end and " …" says so; 0 for no limit.
 */
void thinking_append_line(bytes *out, const luft_position *start, const luft_move *moves, int count, size_t columns);

#endif
