/* SPDX-License-Identifier: MIT */
/*
 * A blocking search for commands: runs to its end or ^C, keeps the last variations, and writes scores and variations as
 * people do. Scores are one number from White's view, whichever side is to move: centipawns, positive if White is
 * better, or THINKING_MATE less the plies to mate.
 *
 * To use it, create an engine, set its hash, threads, lines and position (thinking_set_game for a game), then call
 * thinking_run. The caller owns the engine.
 */
#ifndef LUFT_PROGRAM_THINKING_H
#define LUFT_PROGRAM_THINKING_H

#include "util/buffer.h"
#include "util/interrupt.h"

#include "luft/engine.h"
#include "luft/luft.h"

/* --- Scores ------------------------------------------------------------------ */

enum {
    THINKING_MATE = 32000,      /* White has mated; no evaluation comes near */
    THINKING_MATE_BOUND = 31000 /* a score of at least this is a mate by White */
};

/* Does a side mate? */
static inline bool thinking_is_mate(int score_white) {
    return score_white >= THINKING_MATE_BOUND || score_white <= -THINKING_MATE_BOUND;
}

/* The plies to mate of a score for which thinking_is_mate holds. */
int thinking_plies_to_mate(int score_white);

/* The moves to mate of such a score: 3, or -2 if Black mates. */
int thinking_mate_in(int score_white);

/* --- Running a search ------------------------------------------------------- */

typedef struct thinking_line {
    int depth;
    int score;       /* for White */
    int64_t nodes;   /* of the whole search, when the line was found */
    int64_t time_ms; /* since the search began */
    int length;      /* at least 1 */
    luft_move moves[LUFT_ENGINE_MAX_PLY + 1];
} thinking_line;

/* What a search has found. It is large: allocate it, or have one in a command. */
typedef struct thinking {
    luft_position position; /* that was searched */
    luft_move best;         /* LUFT_MOVE_NONE if there is no legal move */
    luft_move ponder;       /* the expected reply, or LUFT_MOVE_NONE */
    int line_count;         /* 0 if there is no legal move */
    /* The best first; lines[0] begins with `best` when the search is over. */
    thinking_line lines[LUFT_ENGINE_MAX_LINES];
    /* Private: */
    void (*progress)(void *payload, const thinking_line *line, int number);
    void *payload;
} thinking;

/* Sets the current position of a game with the moves before it, so that repetitions count. False if out of memory. */
bool thinking_set_game(luft_engine *engine, const luft_game *game);

/*
 * Searches the engine's position in the thread of the caller, because starting a thread costs more than a short search.
 * `progress`, which may be NULL, is called with each new line, `number` 1 for the best. False for bad limits or if memory
 * runs out; the result is then empty.
 */
bool thinking_run(thinking *found, luft_engine *engine, const luft_engine_limits *limits,
                  void (*progress)(void *payload, const thinking_line *line, int number), void *payload);

/* --- Interrupting it -------------------------------------------------------- */

/*
 * From thinking_watch to thinking_unwatch, ^C (SIGINT) stops the searches of these engines instead of ending the program,
 * and sets `interrupted`. A second ^C, SIGTERM or SIGHUP ends the program at once, after removing the file `unfinished`
 * if that is not NULL. Start the threads that search after thinking_watch (util/interrupt.h).
 */
typedef struct thinking_interrupt {
    atomic_bool interrupted;
    /* Private: */
    luft_engine *const *engines;
    size_t count;
    const char *unfinished;
    interrupt signals;
} thinking_interrupt;

void thinking_watch(thinking_interrupt *watch, luft_engine *const *engines, size_t count, const char *unfinished);
void thinking_unwatch(thinking_interrupt *watch);

/* --- In words ----------------------------------------------------------------- */

/* "+0.35", "-1.20", "0.00"; "#3" where White mates in three moves, "#-2" where Black does in two. Returns `text`. */
#define THINKING_SCORE_SIZE 16
const char *thinking_score_text(char text[THINKING_SCORE_SIZE], int score_white);

/* "White is clearly better", "Black mates in 2 moves": a clause without full stop. Returns `text`. */
#define THINKING_WORDS_SIZE 48
const char *thinking_words(char text[THINKING_WORDS_SIZE], int score_white);

/*
 * Appends moves from a position in numbered SAN, "12... Nf6 13. O-O". Moves that do not fit in `columns` are left out at
 * the end and replaced by " …"; 0 for no limit.
 */
void thinking_append_line(buffer *out, const luft_position *start, const luft_move *moves, int count, size_t columns);

#endif
