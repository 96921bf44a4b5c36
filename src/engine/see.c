/* SPDX-License-Identifier: MIT */
/*
 * Static exchange evaluation. Both sides capture on the square in turn, each with its least valuable attacker, and may
 * stop when the next capture would lose. Sliders behind a piece join in when it is gone (x-rays). Pins are ignored.
 */
#include "see.h"

#include "move.h"

const int see_value[7] = {0, 100, 320, 330, 500, 950, 0};

/* The least valuable of the attackers: its type, and its square as a set in `bit`. */
static luft_piece_type least_valuable(const luft_board *board, luft_bitboard attackers, luft_bitboard *bit) {
    const luft_bitboard sets[6] = {board->pawns,      board->knights,     luft_bishops(board),
                                   luft_rooks(board), luft_queens(board), board->kings};
    for (int i = 0; i < 6; i++) {
        const luft_bitboard set = attackers & sets[i];
        if (set) {
            *bit = set & (0 - set);
            return (luft_piece_type)(i + LUFT_PAWN);
        }
    }
    return LUFT_NO_PIECE_TYPE;
}

bool see_at_least(const luft_position *position, luft_move move, int threshold) {
    const luft_board *board = &position->board;
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_move_kind kind = luft_move_kind_of(move);
    if (kind == LUFT_CASTLING) {
        return threshold <= 0;
    }
    luft_bitboard occupied = (luft_occupied(board) & ~luft_bit(from)) | luft_bit(to);
    luft_piece_type next = type_on(board, from); /* the piece on the square, the next to be captured */
    int balance = -threshold;
    if (kind == LUFT_EN_PASSANT) {
        balance += see_value[LUFT_PAWN];
        occupied &= ~luft_bit((luft_square)(to ^ 8));
    } else {
        balance += see_value[type_on(board, to)];
    }
    if (luft_move_is_promotion(move)) {
        next = luft_move_promotion(move);
        balance += see_value[next] - see_value[LUFT_PAWN];
    }
    if (balance < 0) {
        return false; /* not even without a recapture */
    }
    balance -= see_value[next];
    if (balance >= 0) {
        return true; /* even if the piece is lost */
    }
    luft_bitboard attackers = luft_attackers_to(board, to, occupied) & occupied;
    luft_color side = luft_opposite((luft_color)position->side_to_move);
    for (;;) {
        const luft_bitboard own = attackers & board->color[side];
        if (!own) {
            break;
        }
        luft_bitboard bit = 0;
        next = least_valuable(board, own, &bit);
        if (next == LUFT_KING && (attackers & board->color[luft_opposite(side)])) {
            break; /* the king cannot capture a defended piece */
        }
        side = luft_opposite(side);
        balance = -balance - 1 - see_value[next];
        if (balance >= 0) {
            break; /* the capture gains even if this piece is lost */
        }
        occupied ^= bit;
        if (next == LUFT_PAWN || next == LUFT_BISHOP || next == LUFT_QUEEN) {
            attackers |= luft_bishop_attacks(to, occupied) & board->diagonal;
        }
        if (next == LUFT_ROOK || next == LUFT_QUEEN) {
            attackers |= luft_rook_attacks(to, occupied) & board->orthogonal;
        }
        attackers &= occupied;
    }
    /* The side to capture next, which cannot or does not want to, has lost the exchange. */
    return side != position->side_to_move;
}
