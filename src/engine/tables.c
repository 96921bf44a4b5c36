/* SPDX-License-Identifier: MIT */
/*
 * Tablebases in the search. See tables.h.
 *
 * With distances at the root, only the moves with the shortest way to the next capture, pawn move or mate are searched in a
 * won position: each such move makes progress, so that a win is never lost by moving to and fro. In drawn and lost positions
 * the search decides among all moves that keep the result. The search below the root then needs no tables. Without distances
 * it does: a win is reached by captures and pawn moves that the tables see, and by the mates that the search sees.
 */
#include "tables.h"

#include "minmax.h"

#include <stdlib.h>

/* A win or loss at this distance from the root, or a draw. Cursed results score a little more or less than a draw. */
static int score_of(luft_wdl wdl, bool fifty_move_rule, int ply) {
    const int limit = fifty_move_rule ? LUFT_WDL_CURSED_WIN : LUFT_WDL_DRAW;
    if (wdl > limit) {
        return SCORE_TABLEBASE - ply;
    }
    return wdl < -limit ? -SCORE_TABLEBASE + ply : SCORE_DRAW + 2 * (int)wdl * fifty_move_rule;
}

void tables_prepare(search_tables *tables, const tables_settings *settings, const luft_position *root,
                    const uint64_t *keys, size_t key_count) {
    tables->settings = *settings;
    tables->is_ranked = tables->seeks_progress = false;
    tables->winner = (luft_color)root->side_to_move;
    tables->pieces = settings->tablebase ? min(luft_tablebase_largest(settings->tablebase), settings->limit) : 0;
    if (tables->pieces == 0 || luft_popcount(luft_occupied(&root->board)) > tables->pieces) {
        return;
    }
    tables->is_ranked = luft_tablebase_probe_root(&tables->root, settings->tablebase, root, keys, key_count,
                                                  settings->fifty_move_rule) == LUFT_OK;
    if (tables->is_ranked && (tables->root.has_dtz || tables->root.count == 0 || tables->root.moves[0].rank <= 0)) {
        tables->pieces = 0;
    }
    tables->seeks_progress = tables->is_ranked && tables->pieces > 0;
}

/* Steps from the four squares in the centre, along files and ranks: 0 to 6. */
static int steps_from_centre(luft_square square) {
    const int file = luft_file_of(square), rank = luft_rank_of(square);
    return max(3 - file, file - 4) + max(3 - rank, rank - 4);
}

static int steps_between(luft_square a, luft_square b) {
    return abs(luft_file_of(a) - luft_file_of(b)) + abs(luft_rank_of(a) - luft_rank_of(b));
}

/* A bishop and a knight mate in a corner of the bishop's colour only: steps to the nearer one. */
static int steps_to_bishops_corner(luft_square square, luft_bitboard bishop) {
    const bool is_light = steps_between(luft_lsb(bishop), LUFT_H1) % 2 == 0;
    const int first = steps_between(square, is_light ? LUFT_H1 : LUFT_A1);
    return min(first, 14 - first);
}

int tables_progress(const search_tables *tables, const luft_position *position) {
    const luft_board *board = &position->board;
    const luft_color winner = tables->winner;
    const luft_square king = luft_king_square(board, winner), hunted = luft_king_square(board, (luft_color)!winner);
    const luft_bitboard own = board->color[winner], bishop = luft_bishops(board) & own;
    int progress = 30 * steps_from_centre(hunted) - 10 * steps_between(king, hunted);
    if (luft_popcount(own) == 3 && bishop && (board->knights & own)) {
        progress -= 60 * steps_to_bishops_corner(hunted, bishop);
    }
    return position->side_to_move == winner ? progress : -progress;
}

static const luft_tablebase_move *find(const search_tables *tables, luft_move move) {
    for (int i = 0; tables->is_ranked && i < tables->root.count; i++) {
        if (tables->root.moves[i].move == move) {
            return &tables->root.moves[i];
        }
    }
    return NULL;
}

int tables_rank(const search_tables *tables, luft_move move) {
    const luft_tablebase_move *found = find(tables, move);
    if (!found) {
        return 0;
    }
    return found->rank > 0 && tables->root.has_dtz ? LUFT_TABLEBASE_RANK_MAX - found->dtz : found->rank;
}

int tables_root_score(const search_tables *tables, luft_move move) {
    const luft_tablebase_move *found = find(tables, move);
    return found ? score_of(found->wdl, tables->settings.fifty_move_rule, 0) : SCORE_NONE;
}

int tables_score(const search_tables *tables, const luft_position *position, int ply) {
    luft_wdl wdl;
    if (luft_tablebase_probe_wdl(&wdl, tables->settings.tablebase, position) != LUFT_OK) {
        return SCORE_NONE;
    }
    return score_of(wdl, tables->settings.fifty_move_rule, ply);
}
