/* SPDX-License-Identifier: MIT */
/*
 * The staged move picker: gives the moves of a node one at a time, the most promising first, and generates a kind of
 * move only when the stages before it are used up. Most nodes end in a cutoff before the last stage.
 */
#ifndef LUFT_ENGINE_PICKER_H
#define LUFT_ENGINE_PICKER_H

#include "checks.h"
#include "history.h"

typedef enum picker_stage {
    PICK_TT_MOVE,
    PICK_GENERATE_CAPTURES,
    PICK_GOOD_CAPTURES,
    PICK_KILLER,
    PICK_GENERATE_QUIETS,
    PICK_QUIETS,
    PICK_BAD_CAPTURES,
    PICK_GENERATE_CHECKS,
    PICK_CHECKS,
    PICK_DONE
} picker_stage;

typedef struct move_picker {
    search_frame *ss; /* its lists are filled; the moves before it are the context of the continuation histories */
    const history_tables *history;
    luft_bitboard threats; /* squares that the opponent attacks */
    luft_move tt_move;     /* legal, or none */
    luft_move killer;      /* may be illegal here: its stage checks it; or none */
    picker_stage stage;
    int index;
    int bad_count; /* captures that lose material, at the front of their list */
    bool captures_only;
    bool quiet_checks;    /* after the captures, quiet checks that do not lose material */
    check_squares checks; /* for the quiet checks */
} move_picker;

/* All legal moves, in check too. */
void picker_start(move_picker *picker, const history_tables *history, search_frame *ss, luft_bitboard threats,
                  luft_move tt_move, luft_move killer);

/* Captures and promotions that do not lose material, then quiet checks if wanted. */
void picker_start_captures(move_picker *picker, const history_tables *history, search_frame *ss, luft_move tt_move,
                           bool quiet_checks);

/* The next move, LUFT_MOVE_NONE after the last. `skip_quiets` leaves out the remaining quiet moves. */
luft_move picker_next(move_picker *picker, bool skip_quiets);

#endif
