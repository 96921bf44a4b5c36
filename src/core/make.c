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
    if (type == LUFT_PAWN) {
        position->pawn_key ^= pair->key[LUFT_WHITE];
    }
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

/* Puts a man on an empty square or lifts it off, on the board and in the keys. */
ALWAYS_INLINE void toggle_man(luft_position *position, luft_color color, luft_piece_type type, luft_square square) {
    luft_board *board = &position->board;
    const luft_bitboard bit = luft_bit(square);
    board->color[color] ^= bit;
    switch (type) {
    case LUFT_PAWN: board->pawns ^= bit; break;
    case LUFT_KNIGHT: board->knights ^= bit; break;
    case LUFT_BISHOP: board->diagonals ^= bit; break;
    case LUFT_ROOK: board->straights ^= bit; break;
    case LUFT_QUEEN:
        board->diagonals ^= bit;
        board->straights ^= bit;
        break;
    case LUFT_KING: board->kings ^= bit; break;
    case LUFT_NO_PIECE_TYPE: break;
    }
    toggle_key(position, color, type, square);
}

ALWAYS_INLINE luft_position make_for(const luft_position *position, luft_move move, const luft_color us) {
    const luft_color them = luft_opposite(us);
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_move_kind kind = luft_move_kind_of(move);
    luft_position next = *position;
    const luft_piece_type mover = luft_piece_type_of(luft_piece_at(&next.board, from));
    luft_bitboard lost_rights = luft_bit(from) | luft_bit(to);

    forget_ep(&next);
    if (kind == LUFT_CASTLING) {
        toggle_man(&next, us, LUFT_KING, from);
        toggle_man(&next, us, LUFT_ROOK, to);
        toggle_man(&next, us, LUFT_KING, castled_king(from, to));
        toggle_man(&next, us, LUFT_ROOK, castled_rook(from, to));
    } else {
        if (kind == LUFT_EN_PASSANT) {
            toggle_man(&next, them, LUFT_PAWN, (luft_square)(to ^ 8));
        } else if (luft_move_is_capture(move)) {
            toggle_man(&next, them, luft_piece_type_of(luft_piece_at(&next.board, to)), to);
        }
        toggle_man(&next, us, mover, from);
        toggle_man(&next, us, luft_move_is_promotion(move) ? luft_move_promotion(move) : mover, to);
    }
    if (mover == LUFT_KING) {
        lost_rights |= home_rank(us);
    }
    lost_rights &= next.board.castling;
    next.board.castling ^= lost_rights;
    forget_castling(&next, lost_rights);
    if (kind == LUFT_DOUBLE_PUSH) {
        const luft_bitboard ep = ep_after_double_push(&next.board, them, luft_bit(to));
        if (UNLIKELY(ep)) {
            next.ep_square = (uint8_t)luft_lsb(ep);
            toggle_ep(&next, luft_lsb(ep));
        }
    }
    pass_turn(&next, us, mover == LUFT_PAWN || luft_move_is_capture(move));
    return next;
}

void luft_make(luft_position *next, const luft_position *position, luft_move move) {
    if (next && position) {
        *next = position->side_to_move == LUFT_WHITE ? make_for(position, move, LUFT_WHITE)
                                                     : make_for(position, move, LUFT_BLACK);
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
