/* SPDX-License-Identifier: MIT */
/*
 * The model of a weaker player. It does not play random moves: it judges every move, but looks less far, and not equally
 * far at each move.
 *
 * Before a search each root move gets a random horizon. The score of a move counts up to that depth; what the search
 * finds deeper is ignored. So the player overlooks a threat of two moves more often than a piece that hangs. It plays
 * the move that looks best to it.
 *
 * The search does not know of this: strength.h gives it limits and hands its reports to level_note.
 */
#ifndef LUFT_ENGINE_LEVEL_H
#define LUFT_ENGINE_LEVEL_H

#include "nnue.h"

#include "luft/movegen.h"

enum {
    LEVEL_ELO_MIN = 800,
    LEVEL_ELO_MAX = 2500,
    LEVEL_SKILL_MAX = 20 /* full strength */
};

/* How a player of some strength plays. */
typedef struct level_rules {
    int nodes;    /* limit for a move */
    int pv_count; /* principal variations to search: so many moves have a score */
    int horizon;  /* in tenths of a ply: a move is judged up to this depth, or up to 1.9 plies deeper */
    int noise;    /* standard deviation of the error of judgement, in centipawns */
    int overlook; /* how often a move is not considered at all, in thousandths */
} level_rules;

level_rules level_of_elo(int elo);

/* The Elo of a skill below LEVEL_SKILL_MAX. */
int level_elo_of_skill(int skill);

/* The depth beyond which the player sees nothing. */
int level_depth(const level_rules *rules);

/* A root move as the player sees it. */
typedef struct level_move {
    luft_move move;
    int horizon; /* in plies */
    int seen;    /* its score so far; -SCORE_INFINITE if it is worse than all principal variations */
    int depth;   /* where that score comes from; 0 for the first glance */
    int noise;   /* added to the score when moves are compared, in centipawns */
    bool overlooked;
} level_move;

typedef struct level_view {
    level_move moves[LUFT_MAX_MOVES];
    int count;
    int pv_count; /* principal variations that the search reports at each depth */
} level_view;

/*
 * The first glance at the moves. `evaluation` has room for one ply. `last` is the opponent's last move, LUFT_MOVE_NONE
 * if there is none. The random numbers depend on nothing but seed, position and move.
 */
void level_look(level_view *view, const level_rules *rules, nnue_stack *evaluation, const luft_position *position,
                luft_move last, const luft_move *moves, int count, uint64_t seed);

/* The search reports principal variation `number`, counted from 1, of the iteration `depth`. */
void level_note(level_view *view, int depth, int number, luft_move move, int score);

/* The move to play; NULL if there is none. */
const level_move *level_choose(const level_view *view);

#endif
