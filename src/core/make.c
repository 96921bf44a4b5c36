/* SPDX-License-Identifier: MIT */
/*
 * Making moves: the board, both Zobrist keys and the pawn key, rights, en passant
 * and counters. A new position is written; the old one stays as it was.
 *
 * A move is a set of bits that change. They are gathered first; then every word is read,
 * changed and written once. Copying the position and changing the copy is slower, because loads
 * wait for stores of another width.
 */
#include "core/enumerate.h"
#include "core/zobrist.h"
#include "luft/movegen.h"

/* The bits in which the position after a move differs from the one before it. */
typedef struct change {
    luft_board board;
    uint64_t key[2];
    uint64_t pawn_key;
} change;

/* Adds a piece to the keys or removes it. */
ALWAYS_INLINE void toggle_key(change *bits, luft_color color, luft_piece_type type, luft_square square) {
    const zobrist_pair *pair = &luft_zobrist_piece[color][type][square];
    bits->key[0] ^= pair->key[0];
    bits->key[1] ^= pair->key[1];
    bits->pawn_key ^= type == LUFT_PAWN ? pair->key[LUFT_WHITE] : 0;
}

/* Puts a piece on empty squares or removes it. No branch on the type, because it would be mispredicted. */
ALWAYS_INLINE void toggle_squares(change *bits, luft_color color, luft_piece_type type, luft_bitboard squares) {
    luft_board *board = &bits->board;
    board->color[color] ^= squares;
    board->pawns ^= type == LUFT_PAWN ? squares : 0;
    board->knights ^= type == LUFT_KNIGHT ? squares : 0;
    board->diagonal ^= type == LUFT_BISHOP || type == LUFT_QUEEN ? squares : 0;
    board->orthogonal ^= type == LUFT_ROOK || type == LUFT_QUEEN ? squares : 0;
    board->kings ^= type == LUFT_KING ? squares : 0;
}

/* One piece on one square, in the keys too. */
ALWAYS_INLINE void toggle_piece(change *bits, luft_color color, luft_piece_type type, luft_square square) {
    toggle_squares(bits, color, type, luft_bit(square));
    toggle_key(bits, color, type, square);
}

/* From one square to another, which is empty. */
ALWAYS_INLINE void move_piece(change *bits, luft_color color, luft_piece_type type, luft_square from, luft_square to) {
    toggle_squares(bits, color, type, luft_bit(from) | luft_bit(to));
    toggle_key(bits, color, type, from);
    toggle_key(bits, color, type, to);
}

ALWAYS_INLINE void forget_castling(change *bits, luft_bitboard lost) {
    bits->board.castling = lost;
    while (UNLIKELY(lost)) {
        const zobrist_pair *pair = &luft_zobrist_castling[luft_pop(&lost)];
        bits->key[0] ^= pair->key[0];
        bits->key[1] ^= pair->key[1];
    }
}

/* The key of an en passant square, 0 for none. */
ALWAYS_INLINE uint64_t ep_key(unsigned ep) {
    return UNLIKELY(ep != LUFT_NO_SQUARE) ? luft_zobrist_ep_file[luft_file_of((luft_square)ep)] : 0;
}

/* All that happens on the board, castling rights included. */
ALWAYS_INLINE change change_by(const luft_board *board, luft_move move, luft_piece_type moving, const luft_color us) {
    const luft_color them = luft_opposite(us);
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_move_kind kind = luft_move_kind_of(move);
    change bits = {0};
    if (UNLIKELY(kind == LUFT_CASTLING)) {
        toggle_piece(&bits, us, LUFT_KING, from);
        toggle_piece(&bits, us, LUFT_ROOK, to);
        toggle_piece(&bits, us, LUFT_KING, castled_king(from, to));
        toggle_piece(&bits, us, LUFT_ROOK, castled_rook(from, to));
    } else {
        if (UNLIKELY(kind == LUFT_EN_PASSANT)) {
            toggle_piece(&bits, them, LUFT_PAWN, (luft_square)(to ^ 8));
        } else if (luft_move_is_capture(move)) {
            toggle_piece(&bits, them, type_at(board, to), to);
        }
        if (UNLIKELY(luft_move_is_promotion(move))) {
            toggle_piece(&bits, us, LUFT_PAWN, from);
            toggle_piece(&bits, us, luft_move_promotion(move), to);
        } else {
            move_piece(&bits, us, moving, from, to);
        }
    }
    const luft_bitboard touched = luft_bit(from) | luft_bit(to) | (moving == LUFT_KING ? home_rank(us) : 0);
    forget_castling(&bits, touched & board->castling);
    return bits;
}

ALWAYS_INLINE void change_board(luft_board *next, const luft_board *board, const luft_board *bits) {
    next->pawns = board->pawns ^ bits->pawns;
    next->knights = board->knights ^ bits->knights;
    next->diagonal = board->diagonal ^ bits->diagonal;
    next->orthogonal = board->orthogonal ^ bits->orthogonal;
    next->kings = board->kings ^ bits->kings;
    next->color[LUFT_WHITE] = board->color[LUFT_WHITE] ^ bits->color[LUFT_WHITE];
    next->color[LUFT_BLACK] = board->color[LUFT_BLACK] ^ bits->color[LUFT_BLACK];
    next->castling = board->castling ^ bits->castling;
}

/* The other side's turn: counters, and no en passant square yet. */
ALWAYS_INLINE void pass_turn(luft_position *next, const luft_position *position, const luft_color us,
                             bool resets_clock) {
    const unsigned clock = position->halfmove_clock, number = position->fullmove_number;
    next->halfmove_clock = (uint16_t)(resets_clock ? 0 : clock + (clock < LUFT_COUNTER_MAX));
    next->fullmove_number = (uint16_t)(number + (us == LUFT_BLACK && number < LUFT_COUNTER_MAX));
    next->side_to_move = (uint8_t)luft_opposite(us);
    next->ep_square = LUFT_NO_SQUARE;
    next->unused[0] = next->unused[1] = 0;
}

/* `next` and `position` may be the same: nothing is read after it has been written. */
ALWAYS_INLINE void make_for(luft_position *next, const luft_position *position, luft_move move, const luft_color us) {
    const luft_piece_type moving = type_at(&position->board, luft_move_from(move));
    const change bits = change_by(&position->board, move, moving, us);
    const uint64_t ep = ep_key(position->ep_square);
    change_board(&next->board, &position->board, &bits.board);
    next->key[0] = position->key[0] ^ bits.key[0] ^ ep;
    next->key[1] = position->key[1] ^ bits.key[1] ^ ep;
    next->pawn_key = position->pawn_key ^ bits.pawn_key;
    pass_turn(next, position, us, moving == LUFT_PAWN || luft_move_is_capture(move));
    if (luft_move_kind_of(move) == LUFT_DOUBLE_PUSH) {
        const luft_bitboard square =
            ep_after_double_push(&next->board, luft_opposite(us), luft_bit(luft_move_to(move)));
        if (UNLIKELY(square)) {
            next->ep_square = (uint8_t)luft_lsb(square);
            next->key[0] ^= ep_key(next->ep_square);
            next->key[1] ^= ep_key(next->ep_square);
        }
    }
}

void luft_make(luft_position *next, const luft_position *position, luft_move move) {
    if (!next || !position) {
        return;
    }
    if (position->side_to_move == LUFT_WHITE) {
        make_for(next, position, move, LUFT_WHITE);
    } else {
        make_for(next, position, move, LUFT_BLACK);
    }
}

luft_error luft_play(luft_position *next, const luft_position *position, luft_move move) {
    if (!next || !position) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (!luft_is_legal(position, move)) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    luft_make(next, position, move);
    return LUFT_OK;
}

luft_error luft_make_null(luft_position *next, const luft_position *position) {
    if (!next || !position) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (luft_in_check(position)) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    const uint64_t ep = ep_key(position->ep_square);
    luft_position passed = *position;
    passed.key[0] ^= ep;
    passed.key[1] ^= ep;
    pass_turn(&passed, position, (luft_color)position->side_to_move, false);
    *next = passed;
    return LUFT_OK;
}
