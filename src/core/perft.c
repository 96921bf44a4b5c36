/* SPDX-License-Identifier: MIT */
/*
 * Perft. The fast methods walk the tree on bare boards, without keys or counters. They
 * count the last ply (one-ply) or the last two plies (two-ply, in perft_two_ply.c) without
 * making the moves. The plain method makes every move with luft_make and shares only the
 * generator with the fast ones. The details of the last ply are counted the plain way.
 */
#include "luft/perft.h"
#include "core/perft_internal.h"

/* --- The last ply ------------------------------------------------------- */

/* One function per colour, with and without an en passant square, which is rare. */
NEVER_INLINE uint64_t luft_perft_count_white(const luft_board *board) {
    uint64_t nodes = 0;
    enumerate(board, LUFT_WHITE, 0, LUFT_ALL_MOVES, count_sink, &nodes);
    return nodes;
}

NEVER_INLINE uint64_t luft_perft_count_black(const luft_board *board) {
    uint64_t nodes = 0;
    enumerate(board, LUFT_BLACK, 0, LUFT_ALL_MOVES, count_sink, &nodes);
    return nodes;
}

NEVER_INLINE uint64_t luft_perft_count_white_ep(const luft_board *board, luft_bitboard ep) {
    uint64_t nodes = 0;
    enumerate(board, LUFT_WHITE, ep, LUFT_ALL_MOVES, count_sink, &nodes);
    return nodes;
}

NEVER_INLINE uint64_t luft_perft_count_black_ep(const luft_board *board, luft_bitboard ep) {
    uint64_t nodes = 0;
    enumerate(board, LUFT_BLACK, ep, LUFT_ALL_MOVES, count_sink, &nodes);
    return nodes;
}

/* --- Walking the tree ---------------------------------------------------- */

typedef struct walk_context {
    uint64_t nodes;
    int depth;     /* remaining after the move being made */
    bool in_pairs; /* count the last two plies together */
} walk_context;

/* Counts the nodes below a board on which `us` has just moved. */
ALWAYS_INLINE uint64_t count_below(const luft_board *board, const luft_color us, luft_bitboard ep, int depth,
                                   bool in_pairs) {
    if (depth == 1) {
        return UNLIKELY(ep) ? count_replies_ep(board, us, ep) : count_replies(board, us);
    }
    if (depth == 2 && in_pairs) {
        return us == LUFT_WHITE ? luft_perft_pairs_black(board, ep) : luft_perft_pairs_white(board, ep);
    }
    return us == LUFT_WHITE ? luft_perft_walk_black(board, ep, depth, in_pairs)
                            : luft_perft_walk_white(board, ep, depth, in_pairs);
}

/* Makes each of these moves and counts below it. Either all of them capture or none does. */
ALWAYS_INLINE void walk_each(walk_context *walk, const luft_board *board, const luft_color us, const step_kind kind,
                             luft_square from, luft_bitboard targets, const bool captures) {
    const luft_color them = luft_opposite(us);
    for (; targets; targets &= targets - 1) {
        const luft_bitboard to = targets & (0 - targets), origin = step_origin(us, kind, from, to);
        luft_bitboard ep = 0;
        if (kind == STEP_DOUBLE_PUSH) {
            /* Set if an enemy pawn stands beside; the generator checks whether its capture is legal. */
            ep = (luft_west(to) | luft_east(to)) & board->pawns & board->color[them] ? backward(us, to) : 0;
        }
        for (int type = LUFT_KNIGHT; type <= (step_is_promotion(kind) ? LUFT_QUEEN : LUFT_KNIGHT); type++) {
            luft_board child = *board;
            make_step(&child, us, kind, origin, to, (luft_piece_type)type, captures);
            walk->nodes += count_below(&child, us, ep, walk->depth, walk->in_pairs);
        }
    }
}

/* A sink that makes each move and counts below it. */
ALWAYS_INLINE void walk_sink(void *context, const luft_board *board, const luft_color us, const step_kind kind,
                             luft_square from, luft_bitboard targets) {
    const luft_bitboard enemy = board->color[luft_opposite(us)];
    if (step_may_capture(kind)) {
        walk_each(context, board, us, kind, from, targets & enemy, true);
    }
    if (step_may_be_quiet(kind)) {
        walk_each(context, board, us, kind, from, targets & ~enemy, false);
    }
}

NEVER_INLINE uint64_t luft_perft_walk_white(const luft_board *board, luft_bitboard ep, int depth, bool in_pairs) {
    walk_context walk = {0, depth - 1, in_pairs};
    enumerate(board, LUFT_WHITE, ep, LUFT_ALL_MOVES, walk_sink, &walk);
    return walk.nodes;
}

NEVER_INLINE uint64_t luft_perft_walk_black(const luft_board *board, luft_bitboard ep, int depth, bool in_pairs) {
    walk_context walk = {0, depth - 1, in_pairs};
    enumerate(board, LUFT_BLACK, ep, LUFT_ALL_MOVES, walk_sink, &walk);
    return walk.nodes;
}

/* --- Plain -------------------------------------------------------------- */

// NOLINTNEXTLINE(misc-no-recursion): depth is limited
static uint64_t perft_plain(const luft_position *position, int depth) {
    if (depth == 0) {
        return 1;
    }
    uint64_t nodes = 0;
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        nodes += perft_plain(&next, depth - 1);
    }
    return nodes;
}

uint64_t luft_perft(const luft_position *position, int depth, luft_perft_method method) {
    if (!position || depth < 0 || depth > LUFT_PERFT_MAX_DEPTH || (unsigned)method > LUFT_PERFT_PLAIN) {
        return 0;
    }
    if (method == LUFT_PERFT_PLAIN || depth == 0) {
        return perft_plain(position, depth);
    }
    const luft_color them = (luft_color)(position->side_to_move ^ 1);
    const luft_bitboard ep = position->ep_square < LUFT_NO_SQUARE ? luft_bit((luft_square)position->ep_square) : 0;
    const bool in_pairs = method == LUFT_PERFT_TWO_PLY;
    return them == LUFT_WHITE ? count_below(&position->board, LUFT_WHITE, ep, depth, in_pairs)
                              : count_below(&position->board, LUFT_BLACK, ep, depth, in_pairs);
}

/* --- Details ------------------------------------------------------------ */

static void count_details_of(luft_perft_details *details, const luft_position *next, luft_move move) {
    const luft_move_kind kind = luft_move_kind_of(move);
    details->nodes++;
    details->captures += luft_move_is_capture(move);
    details->en_passant += kind == LUFT_EN_PASSANT;
    details->castles += kind == LUFT_CASTLING;
    details->promotions += luft_move_is_promotion(move);

    const luft_bitboard checkers = luft_checkers(next);
    if (!checkers) {
        return;
    }
    luft_square arrival = luft_move_to(move);
    if (kind == LUFT_CASTLING) {
        arrival = castled_rook(luft_move_from(move), arrival);
    }
    details->checks++;
    details->double_checks += luft_more_than_one(checkers);
    details->discovered_checks += !luft_more_than_one(checkers) && !luft_bitboard_test(checkers, arrival);
    details->mates += !luft_has_legal_move(next);
}

// NOLINTNEXTLINE(misc-no-recursion): depth is limited
luft_error luft_perft_count_details(luft_perft_details *details, const luft_position *position, int depth) {
    if (!details || !position || depth < 0 || depth > LUFT_PERFT_MAX_DEPTH) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (depth == 0) {
        details->nodes++;
        return LUFT_OK;
    }
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        if (depth == 1) {
            count_details_of(details, &next, list.moves[i]);
        } else {
            luft_perft_count_details(details, &next, depth - 1);
        }
    }
    return LUFT_OK;
}
