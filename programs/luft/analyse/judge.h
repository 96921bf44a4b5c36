/* SPDX-License-Identifier: MIT */
/*
 * Judges moves by the evaluations before and after them. A loss is measured in winning chances, not in centipawns:
 * from +6 to +4 little is lost, from +1 to -1 much.
 */
#ifndef LUFT_PROGRAM_ANALYSE_JUDGE_H
#define LUFT_PROGRAM_ANALYSE_JUDGE_H

#include "luft/luft.h"

enum { JUDGE_LINE_MAX = 10 }; /* moves of a better variation that are kept */

/* What the search found in a position of the game. */
typedef struct evaluation {
    int score;    /* from White's view, see thinking.h */
    bool is_mate; /* the side to move is checkmated */
    int length;   /* of the variation; 0 if the game is over */
    luft_move line[JUDGE_LINE_MAX];
} evaluation;

typedef enum judgement { JUDGED_GOOD, JUDGED_INACCURACY, JUDGED_MISTAKE, JUDGED_BLUNDER, JUDGEMENT_COUNT } judgement;

/* The winning chances of a score, from White's view: -1 is lost, 0 even, 1 won. */
double judge_chances(int score_white);

/* Judges a move of this colour. The loss in centipawns is computed from scores clamped to ±1000. */
judgement judge_move(int *loss_cp, luft_color color, luft_move move, const evaluation *before, const evaluation *after);

/* "Mistake" and so on, and the NAG: $6, $2, $4, 0 for none. */
const char *judgement_name(judgement kind);
int judgement_nag(judgement kind);

/* The totals of a player in a game. */
typedef struct player_total {
    int moves;
    int64_t loss_cp; /* of all moves together */
    int counts[JUDGEMENT_COUNT];
} player_total;

#endif
