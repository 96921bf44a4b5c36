/* SPDX-License-Identifier: MIT */
/*
 * Limited strength. A weak player is not one who plays random moves: it judges
 * every move, but looks less far, and not equally far at each move.
 *
 * Before a search each move of the root gets a horizon of its own, by chance. What the search finds
 * out about a move up to that depth counts; what it finds deeper, the player has not
 * seen. So a threat that takes two moves to see is overlooked more often than a
 * man that can be taken at once. The move that looks best is played.
 *
 * The search itself knows nothing of this: it is given a limit and reports several lines.
 */
#ifndef LUFT_ENGINE_LEVEL_H
#define LUFT_ENGINE_LEVEL_H

#include "nnue.h"

#include "luft/movegen.h"

/* How a player of some strength plays. */
typedef struct level_rules {
    int nodes;    /* that a move may take */
    int lines;    /* of MultiPV, so that so many moves have a score */
    int horizon;  /* in tenths of a ply: a move is judged up to this depth or at most 1.9 plies deeper, 0 if less */
    int noise;    /* the standard deviation of what is misjudged, in centipawns */
    int overlook; /* how often a move does not come to mind at all, in thousandths */
} level_rules;

level_rules level_of_elo(int elo);

/* The Elo of a skill from 0 to one below ENGINE_SKILL_MAX. */
int level_elo_of_skill(int skill);

/* The depth beyond which nothing is seen. */
int level_depth(const level_rules *rules);

/* A move of the root as the player sees it. */
typedef struct level_move {
    luft_move move;
    int horizon; /* in plies */
    int seen;    /* its score so far; -SCORE_INFINITE if it is worse than all lines */
    int depth;   /* where that comes from; 0 for a first glance */
    int fancy;   /* added to the score when moves are compared: what is misjudged, in centipawns */
    bool overlooked;
} level_move;

typedef struct level_view {
    level_move moves[LUFT_MAX_MOVES];
    int count;
    int lines; /* that the search reports at each depth */
} level_view;

/*
 * The first glance at the moves given. `evaluation` has room for a ply. `last` is the opponent's last move,
 * LUFT_MOVE_NONE if it is not known. All chance comes from the seed, the position and the move.
 */
void level_look(level_view *view, const level_rules *rules, nnue_stack *evaluation, const luft_position *position,
                luft_move last, const luft_move *moves, int count, uint64_t seed);

/* The search reports line `number`, counted from 1, of the iteration `depth`. */
void level_note(level_view *view, int depth, int number, luft_move move, int score);

/* The move to play; NULL if there is none. */
const level_move *level_choose(const level_view *view);

#endif
