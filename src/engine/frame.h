/* SPDX-License-Identifier: MIT */
/*
 * The search stack: one frame for each ply of the current variation. Frames are on the heap, so that threads can have
 * small stacks. A frame keeps its own position: moves are made by copying and never unmade.
 *
 * Functions take a pointer `ss` into the stack; ss[-1] is the frame of the parent, ss[1] that of the child.
 */
#ifndef LUFT_ENGINE_FRAME_H
#define LUFT_ENGINE_FRAME_H

#include "score.h"

#include "luft/movegen.h"

enum {
    FRAMES_BEFORE_ROOT = 6, /* continuation histories look back so many plies */
    FRAMES = FRAMES_BEFORE_ROOT + MAX_PLY + 4
};

/* Scores by a piece and the square that it moves to. */
typedef int16_t piece_to_history[16][64];

/* A principal variation. */
typedef struct search_pv {
    int length;
    luft_move moves[MAX_PLY + 1];
} search_pv;

/* The entries of the correction histories that a position belongs to. */
typedef struct correction_entries {
    int count; /* 3 after a null move and at the root, else 4 */
    int16_t *entries[4];
} correction_entries;

/* The generated moves of a node and their ordering scores. */
typedef struct search_moves {
    luft_move_list captures;
    luft_move_list quiets;
    int capture_scores[LUFT_MAX_MOVES];
    int quiet_scores[LUFT_MAX_MOVES];
} search_moves;

typedef struct search_frame {
    luft_position position;
    uint8_t pieces[64];             /* the luft_piece on each square: move ordering and histories look up many */
    correction_entries corrections; /* of the position */
    search_moves moves;
    search_pv pv;
    piece_to_history *continuation;            /* continuation history of `move`; all zeros for a null move */
    piece_to_history *continuation_correction; /* likewise, of the correction history */
    luft_move move;                            /* being searched here; LUFT_MOVE_NONE for a null move */
    luft_move excluded;                        /* left out by a singular search; LUFT_MOVE_NONE in other searches */
    luft_move killer;                          /* the last quiet move that failed high at this ply, or none */
    int ply;                                   /* distance from the root; negative before it */
    int static_eval;                           /* adjusted by correction history; SCORE_NONE in check */
    bool in_check;
    bool tt_pv; /* the node is, or was once, on a principal variation */
} search_frame;

/* The piece that moves. */
static inline luft_piece moving_piece(const search_frame *ss, luft_move move) {
    return (luft_piece)ss->pieces[luft_move_from(move)];
}

/* The type of the captured piece, or LUFT_NO_PIECE_TYPE. Not for castling: its target square holds the own rook. */
static inline luft_piece_type captured_type(const search_frame *ss, luft_move move) {
    return luft_move_kind_of(move) == LUFT_EN_PASSANT ? LUFT_PAWN
                                                      : luft_piece_type_of((luft_piece)ss->pieces[luft_move_to(move)]);
}

#endif
