/* SPDX-License-Identifier: MIT */
/*
 * Question 9: Zobrist keys that follow the board. Two keys are Luft's: the
 * position as either player sees it, both changed by one 128-bit exclusive-or.
 * One key is the usual kind, with a table half the size and a constant for the
 * side to move. Both cover pieces, castling rights and the en passant file.
 */
#ifndef LAB_KEYS_H
#define LAB_KEYS_H

#include "en_passant.h"
#include "rules.h"

#if LAB_KEYS

#include "core/zobrist.h"

#if LAB_KEYS == 1

static uint64_t piece_keys[2][7][64]; /* filled before the clock starts */
#define SIDE_KEY UINT64_C(0x9d39247e33776d41)

static void prepare_keys(void) {
    for (int color = 0; color < 2; color++) {
        for (int type = LUFT_PAWN; type <= LUFT_KING; type++) {
            for (int square = 0; square < 64; square++) {
                piece_keys[color][type][square] = luft_zobrist_piece[color][type][square].key[LUFT_WHITE];
            }
        }
    }
}

#else

static void prepare_keys(void) {
}

#endif

/* Adds the piece to the keys, or removes it. */
ALWAYS_INLINE void toggle_key(lab_board *board, const luft_color color, luft_piece_type type, luft_square square) {
#if LAB_KEYS == 1
    board->key[0] ^= piece_keys[color][type][square];
#else
    const zobrist_pair *pair = &luft_zobrist_piece[color][type][square];
    board->key[0] ^= pair->key[0];
    board->key[1] ^= pair->key[1];
#endif
}

ALWAYS_INLINE void toggle_castling_key(lab_board *board, luft_square rook) {
    for (int i = 0; i < LAB_KEYS; i++) {
        board->key[i] ^= luft_zobrist_castling[rook].key[i];
    }
}

ALWAYS_INLINE void toggle_ep_key(lab_board *board, luft_bitboard ep) {
    if (UNLIKELY(ep)) {
        for (int i = 0; i < LAB_KEYS; i++) {
            board->key[i] ^= luft_zobrist_ep_file[luft_file_of(lowest(ep))];
        }
    }
}

/* What moves in a step of this kind. */
ALWAYS_INLINE luft_piece_type type_of_moved(const lab_board *board, const step_kind kind, luft_bitboard from) {
    switch (kind) {
    case STEP_KNIGHT: return LUFT_KNIGHT;
    case STEP_DIAGONAL: return board->orthogonal & from ? LUFT_QUEEN : LUFT_BISHOP;
    case STEP_ORTHOGONAL: return board->diagonal & from ? LUFT_QUEEN : LUFT_ROOK;
    case STEP_KING:
    case STEP_CASTLE: return LUFT_KING;
    default: return LUFT_PAWN;
    }
}

/* The keys after a step, before the pieces have moved. The slots are those before it and after it. */
ALWAYS_INLINE void update_keys(lab_board *board, const luft_color us, const step_kind kind, luft_bitboard from,
                               luft_bitboard to, const luft_piece_type promotion, luft_bitboard old_ep,
                               luft_bitboard new_ep) {
    const luft_color them = luft_opposite(us);
    const luft_square from_square = lowest(from), to_square = lowest(to);
    toggle_ep_key(board, old_ep);
    toggle_ep_key(board, new_ep);
#if LAB_KEYS == 1
    board->key[0] ^= SIDE_KEY;
#endif
    luft_bitboard lost = from | to | (kind == STEP_KING || kind == STEP_CASTLE ? home_rank(us) : 0);
    for (lost &= board->castling; UNLIKELY(lost);) {
        toggle_castling_key(board, pop_lowest(&lost));
    }
    if (kind == STEP_CASTLE) {
        toggle_key(board, us, LUFT_KING, from_square);
        toggle_key(board, us, LUFT_KING, lowest(castled_king(from, to)));
        toggle_key(board, us, LUFT_ROOK, to_square);
        toggle_key(board, us, LUFT_ROOK, lowest(castled_rook(from, to)));
        return;
    }
    if (kind == STEP_EN_PASSANT) {
        toggle_key(board, them, LUFT_PAWN, lowest(backward(us, to)));
    } else if (step_may_capture(kind) && to & pieces_of(board, them)) {
        toggle_key(board, them, type_on(board, to), to_square);
    }
    const luft_piece_type type = type_of_moved(board, kind, from);
    toggle_key(board, us, type, from_square);
    toggle_key(board, us, step_is_promotion(kind) ? promotion : type, to_square);
}

/* Computes the keys from scratch, to check the updated ones. */
static inline void compute_keys(lab_board *board, luft_bitboard ep, const luft_color to_move) {
    for (int i = 0; i < LAB_KEYS; i++) {
        board->key[i] = 0;
    }
    for (int color = 0; color < 2; color++) {
        for (luft_bitboard pieces = pieces_of(board, (luft_color)color); pieces;) {
            const luft_square square = pop_lowest(&pieces);
            toggle_key(board, (luft_color)color, type_on(board, luft_bit(square)), square);
        }
    }
    for (luft_bitboard rooks = board->castling; rooks;) {
        toggle_castling_key(board, pop_lowest(&rooks));
    }
    toggle_ep_key(board, ep);
#if LAB_KEYS == 1
    board->key[0] ^= to_move == LUFT_BLACK ? SIDE_KEY : 0;
#else
    (void)to_move;
#endif
}

#endif

#endif
