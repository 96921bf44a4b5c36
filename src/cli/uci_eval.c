/* SPDX-License-Identifier: MIT */
/*
 * The command `eval`: the static evaluation and where it comes from. By hand it is a sum
 * of terms, so a row of a table is a group of them: how often each occurs, times its weight. A network
 * has no terms: it is asked again without each of the men, and what is missing then is what the man adds.
 */
#include "uci_session.h"

#include "engine/eval.h"

/* --- By hand ---------------------------------------------------------------------- */

/* A group begins with this term and ends before the next group; so no term is left out or counted twice. */
typedef struct term_group {
    const char *name;
    int begin;
} term_group;

static const term_group groups[] = {
    {"material", TERM_MATERIAL},
    {"piece-square tables", TERM_SQUARE},
    {"mobility", TERM_MOBILITY_KNIGHT},
    {"bishop pair", TERM_BISHOP_PAIR},
    {"pawns", TERM_PAWN_DOUBLED},
    {"passed pawns", TERM_PASSED},
    {"rooks, minor pieces", TERM_ROOK_OPEN_FILE},
    {"threats", TERM_THREAT_BY_PAWN},
    {"king safety", TERM_SHELTER},
    {"space", TERM_SPACE},
    {"player to move", TERM_TEMPO},
    {NULL, TERM_COUNT},
};

/* Centipawns in the middlegame and in the endgame. */
typedef struct phase_sums {
    int middlegame, endgame;
} phase_sums;

static phase_sums sum_terms(const int16_t counts[TERM_COUNT], int begin, int end) {
    phase_sums sums = {0};
    for (int term = begin; term < end; term++) {
        const eval_weight weight = eval_weight_of(term);
        sums.middlegame += weight.middlegame * counts[term];
        sums.endgame += weight.endgame * counts[term];
    }
    return sums;
}

static void say_row(uci_session *uci, const char *name, const eval_trace *trace, int begin, int end) {
    const phase_sums white = sum_terms(trace->white, begin, end), black = sum_terms(trace->black, begin, end);
    uci_say(uci, "%-20s|%7.2f %7.2f |%7.2f %7.2f |%7.2f %7.2f", name, white.middlegame / 100.0, white.endgame / 100.0,
            black.middlegame / 100.0, black.endgame / 100.0, (white.middlegame - black.middlegame) / 100.0,
            (white.endgame - black.endgame) / 100.0);
}

/* --- By the network --------------------------------------------------------------- */

static luft_position without(const luft_position *position, luft_square square) {
    const luft_bitboard rest = ~luft_bit(square);
    luft_position other = *position; /* its keys and castling rights are not true any more; no network sees them */
    luft_board *board = &other.board;
    luft_bitboard *const words[] = {
        &board->color[LUFT_WHITE], &board->color[LUFT_BLACK], &board->pawns, &board->knights,
        &board->diagonals,         &board->straights,         &board->kings};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *words[i] &= rest;
    }
    return other;
}

/* A rank of the board: the men, and below them what they add. */
static void say_rank(uci_session *uci, const luft_position *position, int row, int whole) {
    char men[8 * 8 + 16], values[8 * 8 + 16]; /* a value that is too wide loses its end to the next one */
    for (int file = 0; file < 8; file++) {
        const luft_square square = luft_square_at(file, row);
        const luft_piece piece = luft_piece_at(&position->board, square);
        const bool is_king = luft_bit(square) & position->board.kings;
        const luft_position other = without(position, square);
        snprintf(men + 8 * file, 16, "|   %c   ", " PNBRQK  pnbrqk "[piece]);
        if (piece == LUFT_NO_PIECE || is_king) {
            snprintf(values + 8 * file, 16, "|       ");
        } else {
            snprintf(values + 8 * file, 16, "|%+6.2f ", (whole - engine_eval(uci->engine, &other)) / 100.0);
        }
    }
    uci_say(uci, "%d %s|\n  %s|", 8 - row, men, values);
}

static void say_network(uci_session *uci) {
    static const char rule[] = "  +-------+-------+-------+-------+-------+-------+-------+-------+";
    const luft_position *position = engine_position(uci->engine);
    const int whole = engine_eval(uci->engine, position);
    uci_say(uci, "%s", rule);
    for (int row = 0; row < 8; row++) {
        say_rank(uci, position, row, whole);
        uci_say(uci, "%s", rule);
    }
    uci_say(uci, "      a       b       c       d       e       f       g       h");
    uci_say(uci, "below each man: what it adds, in pawns for White");
    uci_say(uci, "evaluation: %+.2f (for White, by the network)", whole / 100.0);
}

void uci_eval(uci_session *uci, uci_text line) {
    (void)line;
    if (!uci->has_position) {
        uci_refuse(uci, "no position: the last one was refused");
        return;
    }
    static const char rule[] = "--------------------+----------------+----------------+----------------";
    if (engine_network_text(uci->engine)) {
        say_network(uci);
        return;
    }
    eval_trace trace;
    eval_explain(&trace, engine_position(uci->engine));
    uci_say(uci, "%-20s|%15s |%15s |%15s", "in pawns", "White", "Black", "total");
    uci_say(uci, "%-20s|%7s %7s |%7s %7s |%7s %7s", "", "middle", "end", "middle", "end", "middle", "end");
    uci_say(uci, "%s", rule);
    for (const term_group *group = groups; group->name; group++) {
        say_row(uci, group->name, &trace, group->begin, group[1].begin);
    }
    uci_say(uci, "%s", rule);
    say_row(uci, "sum", &trace, 0, TERM_COUNT);
    uci_say(uci, "phase: %d of 24 (24 is the middlegame, 0 the endgame)", trace.phase);
    uci_say(uci, "scale: %d of 64 (what an advantage in the endgame is worth)", trace.scale);
    uci_say(uci, "evaluation: %+.2f (for White)", engine_eval(uci->engine, engine_position(uci->engine)) / 100.0);
}
