/* SPDX-License-Identifier: MIT */
/*
 * The hand-written evaluation: a sum of terms (eval_terms.h), each with a weight
 * for the middlegame and one for the endgame, blended by the men that are left.
 *
 * Everything is written once, for one side, in that side's view, and runs for both;
 * so the evaluation of a position and of its colour-flipped twin are opposite
 * numbers. The same code counts how often each term occurs, for the tuner.
 */
#include "eval.h"

#include "eval_weights.h"
#include "score.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* --- Adding up ------------------------------------------------------------- */

/*
 * Two sums in one number: the middlegame's in the low half, the endgame's in the
 * high half. A negative low half borrows one from the high half, which
 * endgame_of gives back.
 */
typedef struct eval_sums {
    int32_t both;
    eval_trace *trace; /* NULL in play */
} eval_sums;

static int middlegame_of(int32_t both) {
    return (int16_t)(uint16_t)both;
}

static int endgame_of(int32_t both) {
    return (int16_t)(uint16_t)((uint32_t)(both + 0x8000) >> 16);
}

ALWAYS_INLINE void add(eval_sums *sums, luft_color color, int term, int times) {
    sums->both += (color == LUFT_WHITE ? times : -times) * weights[term];
    if (sums->trace) {
        int16_t *counts = color == LUFT_WHITE ? sums->trace->white : sums->trace->black;
        counts[term] = (int16_t)(counts[term] + times);
    }
}

/* --- Geometry -------------------------------------------------------------- */

/* The rank as a side counts it: 0 is its first. */
ALWAYS_INLINE int own_rank(luft_color color, luft_square square) {
    return color == LUFT_WHITE ? 7 - luft_row_of(square) : luft_row_of(square);
}

ALWAYS_INLINE luft_bitboard forward(luft_color color, luft_bitboard set) {
    return color == LUFT_WHITE ? luft_north(set) : luft_south(set);
}

ALWAYS_INLINE luft_bitboard backward(luft_color color, luft_bitboard set) {
    return forward(luft_opposite(color), set);
}

/* All squares in front of these, as this side moves. */
ALWAYS_INLINE luft_bitboard front_span(luft_color color, luft_bitboard set) {
    set = forward(color, set);
    if (color == LUFT_WHITE) {
        set |= set >> 8;
        set |= set >> 16;
        set |= set >> 32;
    } else {
        set |= set << 8;
        set |= set << 16;
        set |= set << 32;
    }
    return set;
}

ALWAYS_INLINE luft_bitboard beside(luft_bitboard set) {
    return luft_east(set) | luft_west(set);
}

ALWAYS_INLINE luft_bitboard pawn_attacks(luft_color color, luft_bitboard pawns) {
    return beside(forward(color, pawns));
}

/* The colour of the square a8: light. */
#define LIGHT_SQUARES 0xaa55aa55aa55aa55ull

static luft_bitboard file_of(int file) {
    return LUFT_FILE_A << file;
}

static int edge_distance(int file) {
    return file < 4 ? file : 7 - file;
}

static int distance(luft_square a, luft_square b) {
    const int files = luft_file_of(a) - luft_file_of(b), rows = luft_row_of(a) - luft_row_of(b);
    const int x = files < 0 ? -files : files, y = rows < 0 ? -rows : rows;
    return x > y ? x : y;
}

/* The ranks 2 to 5 of a side, where its outposts and its space are not. */
static luft_bitboard ranks(luft_color color, int first, int last) {
    const luft_bitboard white = (~0ull >> (8 * first)) & (~0ull << (8 * (7 - last)));
    return color == LUFT_WHITE ? white : luft_bitboard_flip(white);
}

/* --- What both sides attack ------------------------------------------------ */

typedef struct eval_view {
    const luft_board *board;
    luft_bitboard occupied;
    luft_bitboard pawns[2];
    luft_bitboard attacked[2];       /* by anything of this side */
    luft_bitboard attacked_twice[2]; /* by two or more of its men */
    luft_bitboard by[2][7];          /* by its men of a type */
    luft_bitboard ring[2];           /* around its king */
    luft_bitboard passed[2];         /* its passed pawns */
    int ring_attackers[2];           /* men of this side that attack the ring of the other king */
    int ring_danger[2];              /* the same, weighed */
} eval_view;

ALWAYS_INLINE void note_attacks(eval_view *view, luft_color color, luft_piece_type type, luft_bitboard attacks) {
    view->attacked_twice[color] |= view->attacked[color] & attacks;
    view->attacked[color] |= attacks;
    view->by[color][type] |= attacks;
}

ALWAYS_INLINE void look(eval_view *view, const luft_board *board) {
    memset(view, 0, sizeof *view);
    view->board = board;
    view->occupied = luft_occupied(board);
    for (int c = 0; c < 2; c++) {
        const luft_color color = (luft_color)c;
        const luft_square king = luft_king_square(board, color);
        view->pawns[c] = board->pawns & board->color[c];
        const luft_bitboard around = luft_king_attacks(king);
        view->ring[c] = around | luft_bit(king) | forward(color, around);
        note_attacks(view, color, LUFT_KING, around);
        const luft_bitboard one = forward(color, view->pawns[c]);
        note_attacks(view, color, LUFT_PAWN, luft_east(one));
        note_attacks(view, color, LUFT_PAWN, luft_west(one));
    }
}

/* --- Pawns ----------------------------------------------------------------- */

ALWAYS_INLINE void judge_pawns(eval_sums *sums, eval_view *view, luft_color color) {
    const luft_color them = luft_opposite(color);
    const luft_bitboard own = view->pawns[color], theirs = view->pawns[them];
    const luft_bitboard own_attacks = view->by[color][LUFT_PAWN], their_attacks = view->by[them][LUFT_PAWN];

    /* A pawn is passed if no enemy pawn stands before it on its file or the next ones, and none of our own before it. */
    const luft_bitboard their_span = front_span(them, theirs);
    const luft_bitboard contested = their_span | beside(their_span);
    view->passed[color] = own & ~contested & ~front_span(luft_opposite(color), own);

    luft_bitboard files = own | front_span(color, own) | front_span(them, own);
    const luft_bitboard isolated = own & ~beside(files);
    const luft_bitboard doubled = own & front_span(color, own);
    /* Backward: no neighbour can ever defend it, and the square before it is in the hands of enemy pawns. */
    const luft_bitboard defensible = beside(front_span(color, own) | own);
    const luft_bitboard behind = own & ~isolated & ~defensible & backward(color, their_attacks);
    add(sums, color, TERM_PAWN_ISOLATED, luft_popcount(isolated));
    add(sums, color, TERM_PAWN_DOUBLED, luft_popcount(doubled));
    add(sums, color, TERM_PAWN_BACKWARD, luft_popcount(behind));
    for (luft_bitboard set = own & own_attacks; set;) {
        add(sums, color, TERM_PAWN_SUPPORTED + own_rank(color, luft_pop(&set)), 1);
    }
    for (luft_bitboard set = own & beside(own); set;) {
        add(sums, color, TERM_PAWN_PHALANX + own_rank(color, luft_pop(&set)), 1);
    }
}

ALWAYS_INLINE void judge_passed(eval_sums *sums, const eval_view *view, luft_color color) {
    const luft_color them = luft_opposite(color);
    const luft_square own_king = luft_king_square(view->board, color), their_king = luft_king_square(view->board, them);
    const luft_bitboard rooks = luft_pieces(view->board, color, LUFT_ROOK);
    for (luft_bitboard set = view->passed[color]; set;) {
        const luft_square square = luft_pop(&set);
        const int rank = own_rank(color, square);
        const luft_bitboard way = front_span(color, luft_bit(square));
        const luft_bitboard next = forward(color, luft_bit(square));
        add(sums, color, TERM_PASSED + rank, 1);
        if (next & view->occupied) {
            add(sums, color, TERM_PASSED_STOPPED + rank, 1);
        }
        if (!(way & view->attacked[them])) {
            add(sums, color, TERM_PASSED_SAFE + rank, 1);
        }
        if (rank >= 3) {
            add(sums, color, TERM_PASSED_OWN_KING + distance(own_king, luft_lsb(next)), 1);
            add(sums, color, TERM_PASSED_THEIR_KING + distance(their_king, luft_lsb(next)), 1);
        }
        if (rooks & front_span(them, luft_bit(square))) {
            add(sums, color, TERM_ROOK_BEHIND_PASSED, 1);
        }
    }
}

/* --- Pieces ---------------------------------------------------------------- */

/* How much a man that attacks the ring of the king counts towards its danger. */
static const int ring_weight[7] = {0, 0, 3, 3, 4, 5, 0};
static const int mobility_term[7] = {
    0, 0, TERM_MOBILITY_KNIGHT, TERM_MOBILITY_BISHOP, TERM_MOBILITY_ROOK, TERM_MOBILITY_QUEEN, 0};

ALWAYS_INLINE void judge_rook(eval_sums *sums, const eval_view *view, luft_color color, luft_square square) {
    const luft_bitboard file = file_of(luft_file_of(square));
    if (!(file & view->board->pawns)) {
        add(sums, color, TERM_ROOK_OPEN_FILE, 1);
    } else if (!(file & view->pawns[color])) {
        add(sums, color, TERM_ROOK_HALF_OPEN_FILE, 1);
    }
}

ALWAYS_INLINE void judge_minor(eval_sums *sums, const eval_view *view, luft_color color, luft_piece_type type,
                               luft_square square) {
    const luft_color them = luft_opposite(color);
    const luft_bitboard bit = luft_bit(square);
    /* An outpost is defended by a pawn, and no enemy pawn can come to attack it. */
    const luft_bitboard attackable = beside(front_span(them, view->pawns[them]));
    if (bit & ranks(color, 3, 5) & view->by[color][LUFT_PAWN] & ~attackable) {
        add(sums, color, type == LUFT_KNIGHT ? TERM_KNIGHT_OUTPOST : TERM_BISHOP_OUTPOST, 1);
    }
    if (bit & backward(color, view->board->pawns)) {
        add(sums, color, TERM_MINOR_BEHIND_PAWN, 1);
    }
    if (type == LUFT_BISHOP) {
        const luft_bitboard shade = bit & LIGHT_SQUARES ? LIGHT_SQUARES : ~LIGHT_SQUARES;
        add(sums, color, TERM_BISHOP_PAWNS, luft_popcount(view->pawns[color] & shade));
    }
}

ALWAYS_INLINE void judge_pieces(eval_sums *sums, eval_view *view, luft_color color, luft_piece_type type,
                                luft_bitboard area, luft_bitboard pinned) {
    const luft_color them = luft_opposite(color);
    const luft_square king = luft_king_square(view->board, color);
    for (luft_bitboard set = luft_pieces(view->board, color, type); set;) {
        const luft_square square = luft_pop(&set);
        /* Men that move the same way see through each other. */
        luft_bitboard through = view->occupied;
        if (type == LUFT_BISHOP) {
            through &= ~luft_queens(view->board);
        } else if (type == LUFT_ROOK) {
            through &= ~(view->board->straights & view->board->color[color]);
        }
        luft_bitboard attacks = luft_attacks(color, type, square, through);
        if (pinned & luft_bit(square)) {
            attacks &= luft_line(king, square);
        }
        note_attacks(view, color, type, attacks);
        add(sums, color, mobility_term[type] + luft_popcount(attacks & area), 1);
        const luft_bitboard on_ring = attacks & view->ring[them];
        if (on_ring) {
            view->ring_attackers[color]++;
            view->ring_danger[color] += ring_weight[type] + luft_popcount(on_ring);
            add(sums, color, TERM_KING_ATTACKS + type - LUFT_KNIGHT, luft_popcount(on_ring));
        }
        if (type == LUFT_ROOK) {
            judge_rook(sums, view, color, square);
        } else if (type != LUFT_QUEEN) {
            judge_minor(sums, view, color, type, square);
        }
    }
}

ALWAYS_INLINE void judge_side(eval_sums *sums, eval_view *view, luft_color color) {
    const luft_color them = luft_opposite(color);
    const luft_board *board = view->board;
    for (int type = LUFT_PAWN; type <= LUFT_KING; type++) {
        luft_bitboard set = luft_pieces(board, color, (luft_piece_type)type);
        if (type < LUFT_KING) {
            add(sums, color, TERM_MATERIAL + type - LUFT_PAWN, luft_popcount(set));
        }
        while (set) {
            const luft_square square = luft_pop(&set);
            const int row = 7 - own_rank(color, square);
            add(sums, color, TERM_SQUARE + (type - LUFT_PAWN) * 32 + row * 4 + edge_distance(luft_file_of(square)), 1);
        }
    }
    if (luft_more_than_one(luft_pieces(board, color, LUFT_BISHOP))) {
        add(sums, color, TERM_BISHOP_PAIR, 1);
    }
    /* Squares worth going to: not guarded by enemy pawns, not held by our king or by pawns that cannot move. */
    const luft_bitboard stuck = view->pawns[color] & (backward(color, view->occupied) | ranks(color, 1, 2));
    const luft_bitboard area = ~(view->by[them][LUFT_PAWN] | stuck | (board->kings & board->color[color]));
    const luft_bitboard pinned = luft_pinned(board, color);
    judge_pieces(sums, view, color, LUFT_KNIGHT, area, pinned);
    judge_pieces(sums, view, color, LUFT_BISHOP, area, pinned);
    judge_pieces(sums, view, color, LUFT_ROOK, area, pinned);
    judge_pieces(sums, view, color, LUFT_QUEEN, area, pinned);
}

/* --- Kings ----------------------------------------------------------------- */

/* The pawn of a set on a file that is the nearest to a side's first rank, among those not behind its king. */
ALWAYS_INLINE int nearest_rank(luft_color color, luft_bitboard pawns) {
    if (!pawns) {
        return 0;
    }
    const luft_square square = color == LUFT_WHITE ? (luft_square)(63 - __builtin_clzll(pawns)) : luft_lsb(pawns);
    return own_rank(color, square);
}

ALWAYS_INLINE void judge_shelter(eval_sums *sums, const eval_view *view, luft_color color) {
    const luft_color them = luft_opposite(color);
    const luft_square king = luft_king_square(view->board, color);
    const int king_file = luft_file_of(king);
    const luft_bitboard not_behind = ranks(color, own_rank(color, king), 7);
    const int middle = king_file < 1 ? 1 : king_file > 6 ? 6 : king_file;
    for (int file = middle - 1; file <= middle + 1; file++) {
        const luft_bitboard on_file = file_of(file) & not_behind;
        const int own = nearest_rank(color, on_file & view->pawns[color]);
        const int theirs = nearest_rank(color, on_file & view->pawns[them]);
        add(sums, color, TERM_SHELTER + edge_distance(file) * 8 + own, 1);
        add(sums, color, TERM_STORM + edge_distance(file) * 8 + theirs, 1);
    }
    if (!(file_of(king_file) & view->board->pawns)) {
        add(sums, color, TERM_KING_OPEN_FILE, 1);
    }
}

ALWAYS_INLINE void judge_king(eval_sums *sums, const eval_view *view, luft_color color) {
    const luft_color them = luft_opposite(color);
    const luft_square king = luft_king_square(view->board, color);
    judge_shelter(sums, view, color);

    /* Squares around the king that they attack and we defend with king or queen at most. */
    const luft_bitboard weak = view->attacked[them] & ~view->attacked_twice[color] &
                               (~view->attacked[color] | view->by[color][LUFT_KING] | view->by[color][LUFT_QUEEN]);
    const luft_bitboard weak_ring = weak & view->ring[color];
    /* Squares from which a check cannot be answered by taking the checker. */
    const luft_bitboard safe =
        ~view->board->color[them] & (~view->attacked[color] | (weak & view->attacked_twice[them]));
    const luft_bitboard straight =
        luft_rook_attacks(king, view->occupied & ~luft_pieces(view->board, color, LUFT_QUEEN));
    const luft_bitboard diagonal =
        luft_bishop_attacks(king, view->occupied & ~luft_pieces(view->board, color, LUFT_QUEEN));
    const int knight_checks = luft_popcount(luft_knight_attacks(king) & safe & view->by[them][LUFT_KNIGHT]);
    const int bishop_checks = luft_popcount(diagonal & safe & view->by[them][LUFT_BISHOP]);
    const int rook_checks = luft_popcount(straight & safe & view->by[them][LUFT_ROOK]);
    const int queen_checks = luft_popcount((straight | diagonal) & safe & view->by[them][LUFT_QUEEN]);
    add(sums, them, TERM_SAFE_CHECK + 0, knight_checks);
    add(sums, them, TERM_SAFE_CHECK + 1, bishop_checks);
    add(sums, them, TERM_SAFE_CHECK + 2, rook_checks);
    add(sums, them, TERM_SAFE_CHECK + 3, queen_checks);
    add(sums, color, TERM_KING_WEAK_SQUARES, luft_popcount(weak_ring));

    const bool has_queen = luft_pieces(view->board, them, LUFT_QUEEN) != 0;
    if (view->ring_attackers[them] > (has_queen ? 0 : 1)) {
        const int danger = view->ring_danger[them] + 2 * luft_popcount(weak_ring) + 4 * (knight_checks > 0) +
                           3 * (bishop_checks > 0) + 5 * (rook_checks > 0) + 5 * (queen_checks > 0) +
                           (has_queen ? 4 : 0);
        add(sums, color, TERM_KING_DANGER + (danger / 2 > 31 ? 31 : danger / 2), 1);
    }
}

/* --- Threats and space ----------------------------------------------------- */

ALWAYS_INLINE void threaten(eval_sums *sums, const eval_view *view, luft_color color, int term, luft_bitboard attacks) {
    const luft_color them = luft_opposite(color);
    for (int type = LUFT_PAWN; type <= LUFT_QUEEN; type++) {
        add(sums, color, term + type - LUFT_PAWN,
            luft_popcount(attacks & luft_pieces(view->board, them, (luft_piece_type)type)));
    }
}

ALWAYS_INLINE void judge_threats(eval_sums *sums, const eval_view *view, luft_color color) {
    const luft_color them = luft_opposite(color);
    const luft_bitboard men = view->board->color[them] & ~view->board->kings;
    const luft_bitboard held = view->by[them][LUFT_PAWN] | (view->attacked_twice[them] & ~view->attacked_twice[color]);
    threaten(sums, view, color, TERM_THREAT_BY_PAWN, view->by[color][LUFT_PAWN] & men & ~view->pawns[them]);
    threaten(sums, view, color, TERM_THREAT_BY_MINOR,
             (view->by[color][LUFT_KNIGHT] | view->by[color][LUFT_BISHOP]) & men & (~held | ~view->pawns[them]));
    threaten(sums, view, color, TERM_THREAT_BY_ROOK, view->by[color][LUFT_ROOK] & men & ~held);
    add(sums, color, TERM_THREAT_BY_KING, luft_popcount(view->by[color][LUFT_KING] & men & ~held));
    add(sums, color, TERM_HANGING, luft_popcount(men & view->attacked[color] & ~view->attacked[them]));

    /* Pushes to where the pawn cannot simply be taken. */
    luft_bitboard pushes = forward(color, view->pawns[color]) & ~view->occupied;
    pushes |= forward(color, pushes & ranks(color, 2, 2)) & ~view->occupied;
    pushes &= ~view->by[them][LUFT_PAWN] & (view->attacked[color] | ~view->attacked[them]);
    add(sums, color, TERM_THREAT_BY_PUSH, luft_popcount(pawn_attacks(color, pushes) & men & ~view->pawns[them]));
}

ALWAYS_INLINE void judge_space(eval_sums *sums, const eval_view *view, luft_color color) {
    const luft_color them = luft_opposite(color);
    const luft_bitboard centre = ranks(color, 1, 3) & 0x3c3c3c3c3c3c3c3cull;
    add(sums, color, TERM_SPACE, luft_popcount(centre & ~view->pawns[color] & ~view->by[them][LUFT_PAWN]));
}

/* --- The whole -------------------------------------------------------------- */

static int phase_of(const luft_board *board) {
    const int phase = luft_popcount(board->knights | luft_bishops(board)) + 2 * luft_popcount(luft_rooks(board)) +
                      4 * luft_popcount(luft_queens(board));
    return phase > 24 ? 24 : phase;
}

/* How much of an advantage in the endgame is worth, in 64ths: drawish material makes it less. */
static int scale_of(const luft_board *board, int endgame) {
    const luft_color strong = endgame >= 0 ? LUFT_WHITE : LUFT_BLACK, weak = luft_opposite(strong);
    const luft_bitboard own = board->color[strong], other = board->color[weak];
    const int pawns = luft_popcount(board->pawns & own);
    const luft_bitboard pieces = luft_occupied(board) & ~board->pawns & ~board->kings;
    const luft_bitboard bishops = luft_bishops(board);
    if (luft_popcount(bishops & own) == 1 && luft_popcount(bishops & other) == 1 &&
        luft_popcount(bishops & LIGHT_SQUARES) == 1) {
        /* Bishops of opposite colours, alone or beside other pieces. */
        return pieces == bishops ? 20 + 4 * pawns : 44 + 2 * pawns;
    }
    if (pawns == 0) {
        /* Without pawns a lead of a minor piece or less wins nothing. */
        const int own_value = phase_of(board) ? 3 * luft_popcount((board->knights | bishops) & own) +
                                                    5 * luft_popcount(luft_rooks(board) & own) +
                                                    9 * luft_popcount(luft_queens(board) & own)
                                              : 0;
        const int their_value = 3 * luft_popcount((board->knights | bishops) & other) +
                                5 * luft_popcount(luft_rooks(board) & other) +
                                9 * luft_popcount(luft_queens(board) & other);
        if (own_value - their_value <= 3) {
            return own_value <= 3 ? 0 : 8;
        }
    }
    const int scale = 40 + 6 * pawns;
    return scale > 64 ? 64 : scale;
}

ALWAYS_INLINE int evaluate(const luft_position *position, eval_trace *trace) {
    eval_sums sums = {.both = 0, .trace = trace};
    eval_view view;
    look(&view, &position->board);
    judge_pawns(&sums, &view, LUFT_WHITE);
    judge_pawns(&sums, &view, LUFT_BLACK);
    judge_side(&sums, &view, LUFT_WHITE);
    judge_side(&sums, &view, LUFT_BLACK);
    judge_passed(&sums, &view, LUFT_WHITE);
    judge_passed(&sums, &view, LUFT_BLACK);
    judge_king(&sums, &view, LUFT_WHITE);
    judge_king(&sums, &view, LUFT_BLACK);
    judge_threats(&sums, &view, LUFT_WHITE);
    judge_threats(&sums, &view, LUFT_BLACK);
    judge_space(&sums, &view, LUFT_WHITE);
    judge_space(&sums, &view, LUFT_BLACK);
    add(&sums, (luft_color)position->side_to_move, TERM_TEMPO, 1);

    const int phase = phase_of(&position->board);
    const int endgame = endgame_of(sums.both);
    const int scale = scale_of(&position->board, endgame);
    const int score = (middlegame_of(sums.both) * phase * 64 + endgame * scale * (24 - phase)) / (24 * 64);
    if (trace) {
        trace->phase = phase;
        trace->scale = scale;
        trace->score = score;
    }
    return score;
}

int eval_position(const luft_position *position) {
    const int score = evaluate(position, NULL);
    const int seen = position->side_to_move == LUFT_WHITE ? score : -score;
    return seen >= SCORE_EVAL_BOUND ? SCORE_EVAL_BOUND - 1 : seen <= -SCORE_EVAL_BOUND ? 1 - SCORE_EVAL_BOUND : seen;
}

void eval_explain(eval_trace *trace, const luft_position *position) {
    memset(trace, 0, sizeof *trace);
    evaluate(position, trace);
}

eval_weight eval_weight_of(int term) {
    return (eval_weight){(int16_t)middlegame_of(weights[term]), (int16_t)endgame_of(weights[term])};
}
