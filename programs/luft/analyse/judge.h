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
    int depth;    /* of the search; 0 if the game is over */
    bool is_mate; /* the side to move is checkmated */
    int length;   /* of the variation; 0 if the game is over */
    luft_move line[JUDGE_LINE_MAX];
} evaluation;

typedef enum judgement { JUDGED_GOOD, JUDGED_INACCURACY, JUDGED_MISTAKE, JUDGED_BLUNDER, JUDGEMENT_COUNT } judgement;

/* The winning chances of a score, from White's view: -1 is lost, 0 even, 1 won. */
double judge_chances(int score_white);

/* The endgame has at most six pieces other than pawns and kings; before it, the opening is ten moves long. */
typedef enum game_phase { PHASE_OPENING, PHASE_MIDDLEGAME, PHASE_ENDGAME, PHASE_COUNT } game_phase;
game_phase judge_phase(const luft_position *position);
const char *game_phase_name(game_phase phase); /* "opening" */

/* The accuracy of a move that loses these chances: 100 for none, about 64 for 0.2, 0 for 2. */
double judge_accuracy(double lost_chances);

typedef struct judged_move {
    judgement kind;
    int loss_cp;     /* from scores clamped to ±1000 */
    double accuracy; /* 0 to 100 */
    bool misses_mate;
    /* Set by the caller: */
    game_phase phase;
    bool is_hurried; /* made in time trouble */
} judged_move;

/* Judges a move of this colour. */
judged_move judge_move(luft_color color, luft_move move, const evaluation *before, const evaluation *after);

/* "Mistake" and so on, and the NAG: $6, $2, $4, 0 for none. */
const char *judgement_name(judgement kind);
int judgement_nag(judgement kind);

/* The totals of a player in a game, or in several. */
typedef struct player_total {
    int64_t moves;
    int64_t loss_cp; /* of all moves together */
    double accuracy; /* the sum over all moves */
    int64_t counts[JUDGEMENT_COUNT];
    int64_t phase_moves[PHASE_COUNT];
    int64_t phase_loss_cp[PHASE_COUNT];
    double phase_accuracy[PHASE_COUNT];
    int64_t missed_mates;
    int64_t hurried;          /* moves in time trouble */
    int64_t hurried_mistakes; /* of them, mistakes and blunders */
} player_total;

void judge_add(player_total *total, const judged_move *move);
void judge_add_total(player_total *sum, const player_total *more);

#endif
