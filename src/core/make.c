/* SPDX-License-Identifier: MIT */
/*
 * Making moves: the board, both Zobrist keys and the pawn key, rights, en passant
 * and counters. A new position is written; the old one stays as it was.
 */
#include "core/enumerate.h"
#include "core/zobrist.h"
#include "luft/movegen.h"

/* Adds a man to, or takes it from, the keys. */
ALWAYS_INLINE void toggle_key(luft_position *position, luft_color color, luft_piece_type type, luft_square square) {
    const zobrist_pair *pair = &luft_zobrist_piece[color][type][square];
    position->key[0] ^= pair->key[0];
    position->key[1] ^= pair->key[1];
    position->pawn_key ^= type == LUFT_PAWN ? pair->key[LUFT_WHITE] : 0;
}

/* Removes the keys of the castling rights that are gone. */
ALWAYS_INLINE void forget_castling(luft_position *position, luft_bitboard lost) {
    while (UNLIKELY(lost)) {
        const zobrist_pair *pair = &luft_zobrist_castling[luft_pop(&lost)];
        position->key[0] ^= pair->key[0];
        position->key[1] ^= pair->key[1];
    }
}

ALWAYS_INLINE void toggle_ep(luft_position *position, luft_square ep) {
    const uint64_t key = luft_zobrist_ep_file[luft_file_of(ep)];
    position->key[0] ^= key;
    position->key[1] ^= key;
}

ALWAYS_INLINE void forget_ep(luft_position *position) {
    if (UNLIKELY(position->ep_square != LUFT_NO_SQUARE)) {
        toggle_ep(position, (luft_square)position->ep_square);
        position->ep_square = LUFT_NO_SQUARE;
    }
}

ALWAYS_INLINE void pass_turn(luft_position *position, const luft_color us, bool resets_clock) {
    position->side_to_move = (uint8_t)luft_opposite(us);
    if (us == LUFT_BLACK && position->fullmove_number < LUFT_COUNTER_MAX) {
        position->fullmove_number++;
    }
    if (resets_clock) {
        position->halfmove_clock = 0;
    } else if (position->halfmove_clock < LUFT_COUNTER_MAX) {
        position->halfmove_clock++;
    }
}

/*
 * Puts a man on empty squares or lifts it off, on the board alone. Which man moves in a game cannot be predicted,
 * so there is no branch on its type.
 */
ALWAYS_INLINE void toggle_squares(luft_board *board, luft_color color, luft_piece_type type, luft_bitboard squares) {
    board->color[color] ^= squares;
    board->pawns ^= type == LUFT_PAWN ? squares : 0;
    board->knights ^= type == LUFT_KNIGHT ? squares : 0;
    board->diagonals ^= type == LUFT_BISHOP || type == LUFT_QUEEN ? squares : 0;
    board->straights ^= type == LUFT_ROOK || type == LUFT_QUEEN ? squares : 0;
    board->kings ^= type == LUFT_KING ? squares : 0;
}

/* The same for one square, in the keys too. */
ALWAYS_INLINE void toggle_man(luft_position *position, luft_color color, luft_piece_type type, luft_square square) {
    toggle_squares(&position->board, color, type, luft_bit(square));
    toggle_key(position, color, type, square);
}

/* Moves a man to another square, which is empty. */
ALWAYS_INLINE void move_man(luft_position *position, luft_color color, luft_piece_type type, luft_square from,
                            luft_square to) {
    toggle_squares(&position->board, color, type, luft_bit(from) | luft_bit(to));
    toggle_key(position, color, type, from);
    toggle_key(position, color, type, to);
}

/* `next` is a copy of the position before. It is changed where it stands: to build it elsewhere and copy it is slower. */
ALWAYS_INLINE void make_for(luft_position *next, luft_move move, const luft_color us) {
    const luft_color them = luft_opposite(us);
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_move_kind kind = luft_move_kind_of(move);
    const luft_piece_type mover = type_at(&next->board, from);
    luft_bitboard lost_rights = luft_bit(from) | luft_bit(to);

    forget_ep(next);
    if (UNLIKELY(kind == LUFT_CASTLING)) {
        toggle_man(next, us, LUFT_KING, from);
        toggle_man(next, us, LUFT_ROOK, to);
        toggle_man(next, us, LUFT_KING, castled_king(from, to));
        toggle_man(next, us, LUFT_ROOK, castled_rook(from, to));
    } else {
        if (kind == LUFT_EN_PASSANT) {
            toggle_man(next, them, LUFT_PAWN, (luft_square)(to ^ 8));
        } else if (luft_move_is_capture(move)) {
            toggle_man(next, them, type_at(&next->board, to), to);
        }
        if (UNLIKELY(luft_move_is_promotion(move))) {
            toggle_man(next, us, LUFT_PAWN, from);
            toggle_man(next, us, luft_move_promotion(move), to);
        } else {
            move_man(next, us, mover, from, to);
        }
    }
    if (mover == LUFT_KING) {
        lost_rights |= home_rank(us);
    }
    lost_rights &= next->board.castling;
    next->board.castling ^= lost_rights;
    forget_castling(next, lost_rights);
    if (kind == LUFT_DOUBLE_PUSH) {
        const luft_bitboard ep = ep_after_double_push(&next->board, them, luft_bit(to));
        if (UNLIKELY(ep)) {
            next->ep_square = (uint8_t)luft_lsb(ep);
            toggle_ep(next, luft_lsb(ep));
        }
    }
    pass_turn(next, us, mover == LUFT_PAWN || luft_move_is_capture(move));
}

void luft_make(luft_position *next, const luft_position *position, luft_move move) {
    if (!next || !position) {
        return;
    }
    *next = *position;
    if (next->side_to_move == LUFT_WHITE) {
        make_for(next, move, LUFT_WHITE);
    } else {
        make_for(next, move, LUFT_BLACK);
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
    luft_position passed = *position;
    forget_ep(&passed);
    pass_turn(&passed, (luft_color)passed.side_to_move, false);
    *next = passed;
    return LUFT_OK;
}
