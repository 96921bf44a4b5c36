/* SPDX-License-Identifier: MIT */
/*
 * The history heuristics of one search thread: which moves caused cutoffs, in which context, and by how much the
 * static evaluation was wrong in similar positions (correction history).
 *
 * All entries use gravity: an update moves an entry towards a bound, by less the nearer it is.
 */
#ifndef LUFT_ENGINE_HISTORY_H
#define LUFT_ENGINE_HISTORY_H

#include "frame.h"

enum {
    HISTORY_MAX = 16384,
    PAWN_HISTORY_SIZE = 1024,
    CORRECTION_SIZE = 16384,
    CORRECTION_MAX = 8192, /* 128 centipawns in 64ths */
    SEARCHED_QUIETS_MAX = 64,
    SEARCHED_CAPTURES_MAX = 32
};

typedef struct history_tables {
    int16_t quiet[2][4][64][64];                        /* butterfly history: side, threat index, from, to */
    int16_t capture[16][64][8];                         /* piece, to, captured type */
    piece_to_history continuation[16][64];              /* after a move of this piece to this square */
    piece_to_history pawn[PAWN_HISTORY_SIZE];           /* pawn history: by pawn key */
    int16_t pawn_correction[2][CORRECTION_SIZE];        /* side to move, pawn key */
    int16_t non_pawn_correction[2][2][CORRECTION_SIZE]; /* side to move, colour of the pieces, their hash */
    piece_to_history continuation_correction[16][64];   /* the last two moves */
} history_tables;

/* --- Moves ----------------------------------------------------------------- */

/* The moves that a node searched before its best move: their histories get a malus. */
typedef struct searched_moves {
    luft_move quiets[SEARCHED_QUIETS_MAX];
    luft_move captures[SEARCHED_CAPTURES_MAX];
    int quiet_count;
    int capture_count;
} searched_moves;

/* Which of the four butterfly tables: `threats` are the squares that the opponent attacks. */
static inline int history_threat_index(luft_bitboard threats, luft_move move) {
    return (int)(threats >> luft_move_from(move) & 1) << 1 | (int)(threats >> luft_move_to(move) & 1);
}

/* The history score of a quiet move. */
int history_quiet_score(const history_tables *history, const search_frame *ss, luft_bitboard threats, luft_move move);

/* The history score of a capture or promotion. */
int history_capture_score(const history_tables *history, const search_frame *ss, luft_move move);

/* The bonus for a result of this depth. */
int history_depth_bonus(int depth);

/* Updates the continuation histories of the moves before `ss` for a move of `piece` to `to`. */
void history_update_continuation(search_frame *ss, luft_piece piece, luft_square to, int bonus);

/* After a fail high or a new best move: bonus for `best`, malus for the moves searched before it. Sets the killer. */
void history_update(history_tables *history, search_frame *ss, luft_bitboard threats, luft_move best, int depth,
                    const searched_moves *searched);

/* --- Correction history ---------------------------------------------------- */

/* Finds the entries of the frame's position, and starts to load them. The frame before has its move already. */
void history_find_corrections(history_tables *history, search_frame *ss);

/* The evaluation, adjusted by correction history. */
int history_correct_eval(int eval, const correction_entries *corrections);

/* A search of this depth found the evaluation wrong by `error`. */
void history_update_corrections(const correction_entries *corrections, int error, int depth);

#endif
