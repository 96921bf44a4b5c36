/* SPDX-License-Identifier: MIT */
/*
 * The order in which a node tries its moves: one move at a time, and generated
 * only when the stages before are used up, because most nodes end early.
 */
#ifndef LUFT_ENGINE_PICKER_H
#define LUFT_ENGINE_PICKER_H

#include "history.h"

/* Neither a capture nor a promotion. */
static inline bool is_quiet(luft_move move) {
    return !luft_move_is_capture(move) && !luft_move_is_promotion(move);
}

/* What a capture or a promotion takes, LUFT_NO_PIECE_TYPE if nothing. */
static inline luft_piece_type victim_of(const luft_position *position, luft_move move) {
    return luft_move_kind_of(move) == LUFT_EN_PASSANT
               ? LUFT_PAWN
               : luft_piece_type_of(luft_piece_at(&position->board, luft_move_to(move)));
}

typedef enum picker_stage {
    PICK_TABLE_MOVE,
    PICK_MAKE_CAPTURES,
    PICK_GOOD_CAPTURES,
    PICK_KILLER,
    PICK_MAKE_QUIETS,
    PICK_QUIETS,
    PICK_BAD_CAPTURES,
    PICK_MAKE_CHECKS,
    PICK_CHECKS,
    PICK_DONE
} picker_stage;

/* The lists of a node, kept with the ply and not on the stack of the thread. */
typedef struct picker_moves {
    luft_move_list captures;
    luft_move_list quiets;
    int capture_scores[LUFT_MAX_MOVES];
    int quiet_scores[LUFT_MAX_MOVES];
} picker_moves;

typedef struct move_picker {
    const luft_position *position;
    const search_history *history;
    piece_to_history *const *continuation; /* those of the last six moves; [0] is the last one */
    picker_moves *moves;
    luft_bitboard threats;
    luft_move table_move; /* legal, or none */
    luft_move killer;     /* not checked; or none */
    picker_stage stage;
    int index;
    int bad_count; /* captures put off, at the front of their list */
    bool captures_only;
    bool quiet_checks; /* behind the captures, quiet moves that give check and lose nothing */
} move_picker;

/* All moves of a node; in check too, where the lists hold evasions. */
void picker_start(move_picker *picker, const luft_position *position, const search_history *history,
                  piece_to_history *const *continuation, picker_moves *moves, luft_bitboard threats,
                  luft_move table_move, luft_move killer);

/* Captures and promotions only that lose nothing by exchange, and behind them quiet checks if wanted. */
void picker_start_captures(move_picker *picker, const luft_position *position, const search_history *history,
                           picker_moves *moves, luft_move table_move, bool quiet_checks);

/* The next move, LUFT_MOVE_NONE after the last. `skip_quiets` leaves out the quiet ones still to come. */
luft_move picker_next(move_picker *picker, bool skip_quiets);

#endif
