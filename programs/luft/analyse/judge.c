/* SPDX-License-Identifier: MIT */
/*
 * The curve from centipawns to winning chances is the one that lichess.org publishes, fitted to human games. So are
 * the three thresholds: a loss of a tenth of the way from lost to won counts 0.2. Marks can therefore be compared with
 * those that many players know.
 */
#include "judge.h"

#include "thinking.h"

#include <math.h>
#include <stdlib.h>

static const double centipawn_slope = 0.00368208;
enum { LOSS_BOUND = 1000 }; /* beyond ten pawns the difference says nothing about the play */

double judge_chances(int score_white) {
    if (thinking_is_mate(score_white)) {
        return score_white > 0 ? 1 : -1;
    }
    return 2 / (1 + exp(-centipawn_slope * score_white)) - 1;
}

/* Clamps a score to the range in which losses are counted. */
static int bounded(int score) {
    return score > LOSS_BOUND ? LOSS_BOUND : score < -LOSS_BOUND ? -LOSS_BOUND : score;
}

judgement judge_move(int *loss_cp, luft_color color, luft_move move, const evaluation *before,
                     const evaluation *after) {
    const int sign = color == LUFT_WHITE ? 1 : -1;
    *loss_cp = 0;
    if (move == LUFT_MOVE_NONE || before->length == 0 || move == before->line[0]) {
        return JUDGED_GOOD; /* the engine's own move: a lower score one move later is not the player's loss */
    }
    const int loss = sign * (bounded(before->score) - bounded(after->score));
    const double lost_chances = sign * (judge_chances(before->score) - judge_chances(after->score));
    *loss_cp = loss > 0 ? loss : 0;
    return lost_chances >= 0.3   ? JUDGED_BLUNDER
           : lost_chances >= 0.2 ? JUDGED_MISTAKE
           : lost_chances >= 0.1 ? JUDGED_INACCURACY
                                 : JUDGED_GOOD;
}

const char *judgement_name(judgement kind) {
    static const char *const names[] = {"Good", "Inaccuracy", "Mistake", "Blunder"};
    return names[kind];
}

int judgement_nag(judgement kind) {
    static const int nags[] = {0, 6, 2, 4};
    return nags[kind];
}
