/* SPDX-License-Identifier: MIT */
/* The code of moves; see codec.h. */
#include "database/codec.h"

/* Steps in the order of their codes, as differences of square numbers. */
static const int8_t knight_steps[8] = {-17, -15, -10, -6, 6, 10, 15, 17};
static const int8_t king_steps[8] = {-9, -8, -7, -1, 1, 7, 8, 9};

/* --- Encoding -------------------------------------------------------------- */

static unsigned step_code(const int8_t *steps, int difference) {
    unsigned code = 0;
    while (code < 7 && steps[code] != difference) {
        code++;
    }
    return code;
}

/* By rank and file: the target's file on the same rank; 8 more than its row, counted from rank 8, on the same file. */
static unsigned orthogonal_code(luft_square from, luft_square to) {
    return from >> 3 == to >> 3 ? (unsigned)to & 7 : 8 + ((unsigned)to >> 3);
}

/* The target's file, and 8 more on the diagonals that fall from left to right. */
static unsigned diagonal_code(luft_square from, luft_square to) {
    const bool falls = (to > from) == ((to & 7) > (from & 7));
    return ((unsigned)to & 7) + (falls ? 8 : 0);
}

static unsigned pawn_code(luft_square from, luft_square to, luft_move_kind kind) {
    const int difference = luft_file_of(to) - luft_file_of(from);
    if (kind & 8) {
        const unsigned direction = difference == 0 ? 0 : difference < 0 ? 1 : 2;
        return CODEC_PAWN_PROMOTE + 4 * direction + ((unsigned)kind & 3);
    }
    return kind == LUFT_DOUBLE_PUSH ? CODEC_PAWN_DOUBLE
           : difference == 0        ? CODEC_PAWN_PUSH
           : difference < 0         ? CODEC_PAWN_WEST
                                    : CODEC_PAWN_EAST;
}

static unsigned king_code(luft_square from, luft_square to, luft_move_kind kind) {
    if (kind == LUFT_CASTLING) {
        return to < from ? CODEC_CASTLE_WEST : CODEC_CASTLE_EAST;
    }
    return step_code(king_steps, (int)to - (int)from);
}

size_t codec_encode(uint8_t code[CODEC_MAX_BYTES], const luft_position *position, luft_move move) {
    const luft_board *board = &position->board;
    const luft_bitboard own = board->color[position->side_to_move];
    const luft_square from = move == LUFT_MOVE_NONE ? luft_lsb(own & board->kings) : luft_move_from(move);
    const luft_square to = luft_move_to(move);
    const luft_bitboard bit = luft_bit(from);
    unsigned low;
    size_t length = 1;
    if (move == LUFT_MOVE_NONE) {
        low = CODEC_NULL_MOVE;
    } else if (board->pawns & bit) {
        low = pawn_code(from, to, luft_move_kind_of(move));
    } else if (board->knights & bit) {
        low = step_code(knight_steps, (int)to - (int)from);
    } else if (board->kings & bit) {
        low = king_code(from, to, luft_move_kind_of(move));
    } else if (!(board->orthogonal & bit)) {
        low = diagonal_code(from, to);
    } else if (board->diagonal & bit && from >> 3 != to >> 3 && (from & 7) != (to & 7)) {
        low = (unsigned)from & 7; /* a queen that stays on its square: the next byte has the target */
        code[length++] = (uint8_t)to;
    } else {
        low = orthogonal_code(from, to);
    }
    code[0] = (uint8_t)((unsigned)luft_popcount(own & (bit - 1)) << 4 | low);
    return length;
}

/* --- Decoding -------------------------------------------------------------- */

/* The square of piece `number` of the set, LUFT_NO_SQUARE if there are fewer. */
static inline luft_square nth_square(luft_bitboard set, unsigned number) {
#if LUFT_HAS_PEXT
    set = _pdep_u64(UINT64_C(1) << number, set);
#else
    while (number-- > 0) {
        set &= set - 1;
    }
#endif
    return set ? luft_lsb(set) : LUFT_NO_SQUARE;
}

static luft_move_kind quiet_or_capture(const luft_position *position, luft_square to) {
    return position->board.color[position->side_to_move ^ 1] & luft_bit(to) ? LUFT_CAPTURE : LUFT_QUIET;
}

/* A move to a square that the piece attacks, unless an own piece or a king stands there. */
static inline luft_move attack_move(const luft_position *position, luft_square from, int to, luft_bitboard attacks) {
    const luft_board *board = &position->board;
    const luft_bitboard targets = attacks & ~(board->color[position->side_to_move] | board->kings);
    return to >= 0 && to < 64 && targets >> to & 1
               ? luft_make_move(from, (luft_square)to, quiet_or_capture(position, (luft_square)to))
               : CODEC_BAD;
}

static luft_move promotion(const luft_position *position, luft_square from, int to, unsigned low) {
    const luft_move_kind piece = (luft_move_kind)(low & 3);
    const bool is_capture = low >= CODEC_PAWN_PROMOTE + 4;
    (void)position;
    return luft_make_move(from, (luft_square)to,
                          (luft_move_kind)((is_capture ? LUFT_CAPTURE_PROMOTE_KNIGHT : LUFT_PROMOTE_KNIGHT) + piece));
}

static luft_move pawn_push(const luft_position *position, luft_square from, unsigned low) {
    const luft_color us = (luft_color)position->side_to_move;
    const int step = us == LUFT_WHITE ? -8 : 8, to = (int)from + step; /* no pawn stands on the last rank */
    const luft_bitboard occupied = luft_occupied(&position->board);
    if (occupied >> to & 1) {
        return CODEC_BAD;
    }
    const bool promotes = to < 8 || to >= 56;
    if (promotes != (low >= CODEC_PAWN_PROMOTE)) {
        return CODEC_BAD;
    }
    if (promotes) {
        return promotion(position, from, to, low);
    }
    if (low == CODEC_PAWN_PUSH) {
        return luft_make_move(from, (luft_square)to, LUFT_QUIET);
    }
    const bool at_home = luft_rank_of(from) == (us == LUFT_WHITE ? 1 : 6);
    return at_home && !(occupied >> (to + step) & 1) ? luft_make_move(from, (luft_square)(to + step), LUFT_DOUBLE_PUSH)
                                                     : CODEC_BAD;
}

static luft_move pawn_capture(const luft_position *position, luft_square from, unsigned low) {
    const luft_color us = (luft_color)position->side_to_move;
    const luft_board *board = &position->board;
    const bool promotes = low >= CODEC_PAWN_PROMOTE;
    const bool east = promotes ? low >= CODEC_PAWN_PROMOTE + 8 : low == CODEC_PAWN_EAST;
    const luft_bitboard side = east ? luft_east(luft_bit(from)) : luft_west(luft_bit(from));
    if (!side) {
        return CODEC_BAD;
    }
    const luft_square to = luft_lsb(us == LUFT_WHITE ? luft_north(side) : luft_south(side));
    if (to == position->ep_square && !promotes) {
        return luft_make_move(from, to, LUFT_EN_PASSANT);
    }
    const luft_bitboard victims = board->color[us ^ 1] & ~board->kings;
    if (!(victims & luft_bit(to)) || promotes != (to < 8 || to >= 56)) {
        return CODEC_BAD;
    }
    return promotes ? promotion(position, from, to, low) : luft_make_move(from, to, LUFT_CAPTURE);
}

/* Castling, if king and rook arrive on free squares and nothing stands between them. */
static luft_move castling(const luft_position *position, luft_square king, bool east) {
    const luft_board *board = &position->board;
    const luft_bitboard rank = UINT64_C(0xff) << (king & 56), below = luft_bit(king) - 1;
    const luft_bitboard rooks = board->castling & board->color[position->side_to_move] & rank & (east ? ~below : below);
    if (!rooks) {
        return CODEC_BAD;
    }
    const luft_square rook = luft_lsb(rooks), first = (luft_square)(king & 56);
    const luft_bitboard arrive = luft_bit(first + (east ? 6 : 2)) | luft_bit(first + (east ? 5 : 3));
    const luft_bitboard others = luft_occupied(board) & ~(luft_bit(king) | luft_bit(rook));
    const luft_bitboard path = luft_between(king, rook) | arrive;
    return path & others ? CODEC_BAD : luft_make_move(king, rook, LUFT_CASTLING);
}

static luft_move king_move(const luft_position *position, luft_square from, unsigned low) {
    if (low < 8) {
        return attack_move(position, from, (int)from + king_steps[low], luft_king_attacks(from));
    }
    return low == CODEC_NULL_MOVE                                 ? LUFT_MOVE_NONE
           : low == CODEC_CASTLE_WEST || low == CODEC_CASTLE_EAST ? castling(position, from, low == CODEC_CASTLE_EAST)
                                                                  : CODEC_BAD;
}

static luft_square orthogonal_target(luft_square from, unsigned low) {
    return (luft_square)(low < 8 ? ((unsigned)from & 56) | low : ((unsigned)from & 7) | (low & 7) << 3);
}

static luft_move bishop_move(const luft_position *position, luft_square from, unsigned low) {
    const int files = (int)(low & 7) - luft_file_of(from);
    const int to = (int)from + files + 8 * (low >= 8 ? files : -files);
    return attack_move(position, from, to, luft_bishop_attacks(from, luft_occupied(&position->board)));
}

luft_move codec_decode(const luft_position *position, const uint8_t **next, const uint8_t *end) {
    const luft_board *board = &position->board;
    const unsigned code = *(*next)++, low = code & 15;
    const luft_square from = nth_square(board->color[position->side_to_move], code >> 4);
    if (from == LUFT_NO_SQUARE) {
        return CODEC_BAD;
    }
    const luft_bitboard bit = luft_bit(from);
    if (board->pawns & bit) {
        const bool captures = low == CODEC_PAWN_WEST || low == CODEC_PAWN_EAST || low >= CODEC_PAWN_PROMOTE + 4;
        return captures ? pawn_capture(position, from, low) : pawn_push(position, from, low);
    }
    if (board->knights & bit) {
        return low < 8 ? attack_move(position, from, (int)from + knight_steps[low], luft_knight_attacks(from))
                       : CODEC_BAD;
    }
    if (board->kings & bit) {
        return king_move(position, from, low);
    }
    if (!(board->orthogonal & bit)) {
        return bishop_move(position, from, low);
    }
    luft_square to = orthogonal_target(from, low);
    if (to == from && board->diagonal & bit && *next < end) {
        to = (luft_square) * (*next)++;
        return attack_move(position, from, to, luft_bishop_attacks(from, luft_occupied(board)));
    }
    return attack_move(position, from, to, luft_rook_attacks(from, luft_occupied(board)));
}

luft_error codec_step(luft_position *position, luft_move *move, const uint8_t **next, const uint8_t *end) {
    const uint8_t *after = *next;
    const luft_move decoded = codec_decode(position, &after, end);
    if (decoded == CODEC_BAD || (decoded == LUFT_MOVE_NONE && luft_make_null(position, position) != LUFT_OK)) {
        return LUFT_ERROR_DAMAGED;
    }
    if (decoded != LUFT_MOVE_NONE) {
        luft_make(position, position, decoded);
    }
    *move = decoded;
    *next = after;
    return LUFT_OK;
}
