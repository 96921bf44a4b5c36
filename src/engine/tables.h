/* SPDX-License-Identifier: MIT */
/*
 * Tablebases in the search. At the root, the tables rank all moves, and the search chooses among the best of them. Below the
 * root, a position just after a capture or a pawn move gets its result from the tables.
 */
#ifndef LUFT_ENGINE_TABLES_H
#define LUFT_ENGINE_TABLES_H

#include "score.h"

#include "luft/tablebase.h"

/* What the client has set. */
typedef struct tables_settings {
    const luft_tablebase *tablebase; /* NULL for none */
    int depth;                       /* the least depth of a node whose position has as many pieces as the limit */
    int limit;                       /* positions with more pieces are not probed */
    bool fifty_move_rule;            /* a win that takes too long is a draw */
} tables_settings;

/* The tables of one search: constant while it runs. */
typedef struct search_tables {
    tables_settings settings;
    int pieces;                /* positions with so many pieces or fewer are probed below the root; 0 for none */
    bool is_ranked;            /* `root` has the moves of the root */
    bool seeks_progress;       /* the root is won, and there are no distances that lead to the win */
    luft_color winner;         /* the side to move at the root */
    luft_tablebase_moves root; /* all legal moves of the root, the best first */
} search_tables;

/* Prepares a search of this position: ranks its moves if the tables have it. `keys` are those of the game before it. */
void tables_prepare(search_tables *tables, const tables_settings *settings, const luft_position *root,
                    const uint64_t *keys, size_t key_count);

/* The rank of a root move, for sorting: a higher one is better, and of two wins the shorter. 0 without tables. */
int tables_rank(const search_tables *tables, luft_move move);

/* The score of a root move by the tables; SCORE_NONE without. */
int tables_root_score(const search_tables *tables, luft_move move);

/* May the tables have this position? For nodes below the root. */
static inline bool tables_may_have(const search_tables *tables, const luft_position *position, int depth) {
    if (tables->pieces == 0 || position->halfmove_clock != 0 || position->board.castling != 0) {
        return false;
    }
    const int pieces = luft_popcount(luft_occupied(&position->board));
    return pieces < tables->pieces || (pieces == tables->pieces && depth >= tables->settings.depth);
}

/*
 * How far a won ending has come, in centipawns for the side to move: added to the evaluation where the tables have no distances.
 * Mates need the king of the losing side at the edge, and the other king near it.
 */
int tables_progress(const search_tables *tables, const luft_position *position);

/* The score of a position by the tables, at this ply from the root; SCORE_NONE if they do not have it. */
int tables_score(const search_tables *tables, const luft_position *position, int ply);

#endif
