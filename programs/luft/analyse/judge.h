/* SPDX-License-Identifier: MIT */
/*
 * Moves of a game judged by the evaluations before and after them. A loss is measured
 * in winning chances, not in centipawns: from +6 to +4 nothing is lost, from +1 to -1 much.
 */
#ifndef LUFT_PROGRAM_ANALYSE_JUDGE_H
#define LUFT_PROGRAM_ANALYSE_JUDGE_H

#include "luft/luft.h"

enum { JUDGE_LINE_MAX = 10 }; /* moves of a better line that are kept */

/* What the search says of a position of the game. */
typedef struct evaluation {
    int score;    /* for White, see score.h */
    bool is_mate; /* the player to move is checkmated: the score needs no words */
    int length;   /* of the line; 0 if the game is over */
    luft_move line[JUDGE_LINE_MAX];
} evaluation;

typedef enum judgement { JUDGED_GOOD, JUDGED_INACCURACY, JUDGED_MISTAKE, JUDGED_BLUNDER, JUDGEMENT_COUNT } judgement;

/* The chances of a score for White as White sees them: -1 is lost, 0 even, 1 won. */
double judge_chances(int score_white);

/* The player of this colour has played `move`. The loss in centipawns is counted from scores of at most ±1000. */
judgement judge_move(int *loss_cp, luft_color color, luft_move move, const evaluation *before, const evaluation *after);

/* "Mistake" and so on, and the mark of PGN: $6, $2, $4, 0 for none. */
const char *judgement_name(judgement kind);
int judgement_nag(judgement kind);

/* What one player did in a game. */
typedef struct player_total {
    int moves;
    int64_t loss_cp; /* of all moves together */
    int counts[JUDGEMENT_COUNT];
} player_total;

#endif
