/* SPDX-License-Identifier: MIT */
/*
 * The public face of the generator: lists, counts and single moves. The rules are
 * in enumerate.h; here are the sinks that turn its sets into moves, and the same
 * per-piece routines asked about one move (luft_is_legal).
 */
#include "luft/movegen.h"
#include "core/enumerate.h"

/* The en passant square as a set. */
static luft_bitboard ep_set(const luft_position *position) {
    return position->ep_square < LUFT_NO_SQUARE ? luft_bit((luft_square)position->ep_square) : 0;
}

/* --- Counting ----------------------------------------------------------- */

int luft_count_moves(const luft_position *position) {
    uint64_t count = 0;
    if (!position) {
        return 0;
    }
    if (position->side_to_move == LUFT_WHITE) {
        enumerate(&position->board, LUFT_WHITE, ep_set(position), LUFT_ALL_MOVES, count_sink, &count);
    } else {
        enumerate(&position->board, LUFT_BLACK, ep_set(position), LUFT_ALL_MOVES, count_sink, &count);
    }
    return (int)count;
}

bool luft_has_legal_move(const luft_position *position) {
    return luft_count_moves(position) != 0;
}

/* --- Listing ------------------------------------------------------------ */

/* The kind of the move that a step other than a piece's or king's makes; the knight stands for all promotions. */
ALWAYS_INLINE luft_move_kind special_kind(const step_kind kind) {
    switch (kind) {
    case STEP_DOUBLE_PUSH: return LUFT_DOUBLE_PUSH;
    case STEP_CAPTURE_WEST:
    case STEP_CAPTURE_EAST: return LUFT_CAPTURE;
    case STEP_PROMOTE: return LUFT_PROMOTE_KNIGHT;
    case STEP_PROMOTE_WEST:
    case STEP_PROMOTE_EAST: return LUFT_CAPTURE_PROMOTE_KNIGHT;
    case STEP_EN_PASSANT: return LUFT_EN_PASSANT;
    case STEP_CASTLE: return LUFT_CASTLING;
    default: return LUFT_QUIET;
    }
}

ALWAYS_INLINE luft_move *list_each(luft_move *end, luft_square from, luft_bitboard targets, const luft_move_kind kind) {
    while (targets) {
        *end++ = luft_make_move(from, luft_pop(&targets), kind);
    }
    return end;
}

ALWAYS_INLINE void list_sink(void *context, const luft_board *board, const luft_color us, const step_kind kind,
                             luft_square from, luft_bitboard targets) {
    luft_move **const list_end = context;
    luft_move *end = *list_end;
    switch (kind) {
    case STEP_KNIGHT:
    case STEP_DIAGONAL:
    case STEP_ORTHOGONAL:
    case STEP_KING: {
        const luft_bitboard enemy = board->color[luft_opposite(us)];
        end = list_each(end, from, targets & enemy, LUFT_CAPTURE);
        end = list_each(end, from, targets & ~enemy, LUFT_QUIET);
        break;
    }
    case STEP_EN_PASSANT:
    case STEP_CASTLE: end = list_each(end, from, targets, special_kind(kind)); break;
    default:
        while (targets) {
            const luft_square to = luft_pop(&targets);
            const luft_square origin = luft_lsb(step_origin(us, kind, LUFT_NO_SQUARE, luft_bit(to)));
            for (int piece = 0; piece < (step_is_promotion(kind) ? 4 : 1); piece++) {
                *end++ = luft_make_move(origin, to, (luft_move_kind)(special_kind(kind) + piece));
            }
        }
    }
    *list_end = end;
}

ALWAYS_INLINE luft_move *list_class(luft_move *end, const luft_position *position, const luft_move_class which) {
    if (position->side_to_move == LUFT_WHITE) {
        enumerate(&position->board, LUFT_WHITE, ep_set(position), which, list_sink, &end);
    } else {
        enumerate(&position->board, LUFT_BLACK, ep_set(position), which, list_sink, &end);
    }
    return end;
}

int luft_generate(luft_move_list *list, const luft_position *position, luft_move_class which) {
    if (!list) {
        return 0;
    }
    list->count = 0;
    if (!position) {
        return 0;
    }
    luft_move *end = list->moves;
    switch (which) {
    case LUFT_EVASIONS:
        if (!luft_in_check(position)) {
            break;
        }
        /* fall through */
    case LUFT_ALL_MOVES: end = list_class(end, position, LUFT_ALL_MOVES); break;
    case LUFT_CAPTURES: end = list_class(end, position, LUFT_CAPTURES); break;
    case LUFT_QUIETS: end = list_class(end, position, LUFT_QUIETS); break;
    }
    list->count = (int)(end - list->moves);
    return list->count;
}

/* --- One move ----------------------------------------------------------- */

static bool pawn_move_is_legal(const luft_position *position, const luft_color us, const king_masks *masks,
                               luft_move move) {
    const luft_bitboard from = luft_bit(luft_move_from(move)), to = luft_bit(luft_move_to(move));
    const luft_move_kind kind = luft_move_kind_of(move);
    if (kind == LUFT_EN_PASSANT) {
        return to == ep_set(position) && en_passant_pawns(&position->board, us, masks->king, to) & from;
    }
    const pawn_targets targets = targets_of_pawns(&position->board, us, masks, from);
    const bool promotes = (to & last_rank(us)) != 0;
    if (to & targets.push) {
        return promotes ? kind >= LUFT_PROMOTE_KNIGHT && kind <= LUFT_PROMOTE_QUEEN : kind == LUFT_QUIET;
    }
    if (to & (targets.west | targets.east)) {
        return promotes ? kind >= LUFT_CAPTURE_PROMOTE_KNIGHT : kind == LUFT_CAPTURE;
    }
    return to & targets.double_push && kind == LUFT_DOUBLE_PUSH;
}

static bool king_move_is_legal(const luft_board *board, const luft_color us, const king_masks *masks, luft_move move) {
    const luft_bitboard to = luft_bit(luft_move_to(move));
    const luft_bitboard without_king = luft_occupied(board) ^ luft_bit(masks->king);
    const luft_bitboard danger = attacked_squares(board, luft_opposite(us), without_king);
    if (luft_move_kind_of(move) == LUFT_CASTLING) {
        return to & castling_targets(masks, us, castling_candidates(board, us, masks->king), danger);
    }
    return to & king_targets(board, us, masks->king, danger);
}

ALWAYS_INLINE bool is_legal_for(const luft_position *position, const luft_color us, luft_move move) {
    const luft_board *board = &position->board;
    const luft_square from = luft_move_from(move);
    const luft_bitboard from_bit = luft_bit(from), to = luft_bit(luft_move_to(move));
    const luft_bitboard occupied = luft_occupied(board), enemy = board->color[luft_opposite(us)];
    const luft_move_kind kind = luft_move_kind_of(move);
    if (!(from_bit & board->color[us])) {
        return false;
    }
    const king_masks masks = compute_king_constraints(board, us);
    if (from_bit & board->pawns) {
        return pawn_move_is_legal(position, us, &masks, move);
    }
    if (kind == LUFT_CASTLING ? !(from_bit & board->kings) : kind != (to & enemy ? LUFT_CAPTURE : LUFT_QUIET)) {
        return false;
    }
    const luft_bitboard allowed = masks.check_mask & ~board->color[us];
    if (from_bit & board->kings) {
        return king_move_is_legal(board, us, &masks, move);
    }
    if (from_bit & board->knights) {
        return to & knight_targets(&masks, from, allowed);
    }
    luft_bitboard targets = 0;
    if (from_bit & board->diagonal) {
        targets |= diagonal_targets(&masks, from, occupied, allowed);
    }
    if (from_bit & board->orthogonal) {
        targets |= orthogonal_targets(&masks, from, occupied, allowed);
    }
    return to & targets;
}

bool luft_is_legal(const luft_position *position, luft_move move) {
    if (!position) {
        return false;
    }
    return position->side_to_move == LUFT_WHITE ? is_legal_for(position, LUFT_WHITE, move)
                                                : is_legal_for(position, LUFT_BLACK, move);
}

bool luft_gives_check(const luft_position *position, luft_move move) {
    if (!position) {
        return false;
    }
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move, them = luft_opposite(us);
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_move_kind kind = luft_move_kind_of(move);
    const luft_piece_type moving = type_at(board, from);
    const luft_square king = luft_king_square(board, them);

    if (moving == LUFT_KNIGHT && luft_knight_attacks(to) & luft_bit(king)) {
        return true;
    }
    /*
     * The pre-filter: any other move that gives check, directly or by discovery, must touch the
     * reach map of the king. Special moves touch more than two squares.
     */
    const luft_bitboard reach = luft_king_reach(board, them);
    const bool special = kind == LUFT_CASTLING || kind == LUFT_EN_PASSANT || luft_move_is_promotion(move);
    if (!special && !(reach & (luft_bit(from) | luft_bit(to)))) {
        return false;
    }
    luft_bitboard own = board->color[us] & ~luft_bit(from), occupied = luft_occupied(board) & ~luft_bit(from);
    luft_piece_type arriving = luft_move_is_promotion(move) ? luft_move_promotion(move) : moving;
    luft_square arrival = to;
    if (kind == LUFT_CASTLING) {
        occupied = (occupied & ~luft_bit(to)) | luft_bit(castled_king(from, to));
        own &= ~luft_bit(to);
        arriving = LUFT_ROOK;
        arrival = castled_rook(from, to);
    } else if (kind == LUFT_EN_PASSANT) {
        occupied &= ~luft_bit((luft_square)(to ^ 8)); /* the captured pawn stands beside the capturing one */
    }
    occupied |= luft_bit(arrival);
    return (luft_attacks(us, arriving, arrival, occupied) & luft_bit(king)) != 0 ||
           (luft_rook_attacks(king, occupied) & board->orthogonal & own) != 0 ||
           (luft_bishop_attacks(king, occupied) & board->diagonal & own) != 0;
}
