/* SPDX-License-Identifier: MIT */
/*
 * The curve from centipawns to winning chances is the one that lichess.org publishes, fitted to human games. So are
 * the three thresholds: a loss of a tenth of the way from lost to won counts 0.2. Marks can therefore be compared with
 * those that many players know. The page computes the same (web/app/src/engine/judge.ts); docs/commands.md has the
 * formulas.
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

double judge_accuracy(double lost_chances) {
    const double percent = lost_chances > 0 ? lost_chances * 50 : 0;
    const double accuracy = 103.1668 * exp(-0.04354 * percent) - 3.1669;
    return accuracy < 0 ? 0 : accuracy > 100 ? 100 : accuracy;
}

game_phase judge_phase(const luft_position *position) {
    const luft_board *board = &position->board;
    int pieces = 0;
    for (luft_bitboard left = board->color[LUFT_WHITE] | board->color[LUFT_BLACK]; left;) {
        const luft_piece_type type = luft_piece_type_of(luft_piece_at(board, luft_pop(&left)));
        pieces += type != LUFT_PAWN && type != LUFT_KING;
    }
    return pieces <= 6 ? PHASE_ENDGAME : position->fullmove_number <= 10 ? PHASE_OPENING : PHASE_MIDDLEGAME;
}

const char *game_phase_name(game_phase phase) {
    static const char *const names[] = {"opening", "middlegame", "endgame"};
    return names[phase];
}

judged_move judge_move(luft_color color, luft_move move, const evaluation *before, const evaluation *after) {
    const int sign = color == LUFT_WHITE ? 1 : -1;
    judged_move judged = {.accuracy = 100};
    if (move == LUFT_MOVE_NONE || before->length == 0 || move == before->line[0]) {
        return judged; /* the engine's own move: a lower score one move later is not the player's loss */
    }
    const int loss = sign * (bounded(before->score) - bounded(after->score));
    const double lost_chances = sign * (judge_chances(before->score) - judge_chances(after->score));
    judged.loss_cp = loss > 0 ? loss : 0;
    judged.accuracy = judge_accuracy(lost_chances);
    judged.misses_mate =
        sign * before->score >= THINKING_MATE_BOUND && sign * after->score < THINKING_MATE_BOUND && !after->is_mate;
    judged.kind = lost_chances >= 0.3   ? JUDGED_BLUNDER
                  : lost_chances >= 0.2 ? JUDGED_MISTAKE
                  : lost_chances >= 0.1 ? JUDGED_INACCURACY
                                        : JUDGED_GOOD;
    return judged;
}

void judge_add(player_total *total, const judged_move *move) {
    total->moves++;
    total->loss_cp += move->loss_cp;
    total->accuracy += move->accuracy;
    total->counts[move->kind]++;
    total->phase_moves[move->phase]++;
    total->phase_loss_cp[move->phase] += move->loss_cp;
    total->phase_accuracy[move->phase] += move->accuracy;
    total->missed_mates += move->misses_mate;
    total->hurried += move->is_hurried;
    total->hurried_mistakes += move->is_hurried && move->kind >= JUDGED_MISTAKE;
}

void judge_add_total(player_total *sum, const player_total *more) {
    sum->moves += more->moves;
    sum->loss_cp += more->loss_cp;
    sum->accuracy += more->accuracy;
    for (int i = 0; i < JUDGEMENT_COUNT; i++) {
        sum->counts[i] += more->counts[i];
    }
    for (int i = 0; i < PHASE_COUNT; i++) {
        sum->phase_moves[i] += more->phase_moves[i];
        sum->phase_loss_cp[i] += more->phase_loss_cp[i];
        sum->phase_accuracy[i] += more->phase_accuracy[i];
    }
    sum->missed_mates += more->missed_mates;
    sum->hurried += more->hurried;
    sum->hurried_mistakes += more->hurried_mistakes;
}

const char *judgement_name(judgement kind) {
    static const char *const names[] = {"Good", "Inaccuracy", "Mistake", "Blunder"};
    return names[kind];
}

int judgement_nag(judgement kind) {
    static const int nags[] = {0, 6, 2, 4};
    return nags[kind];
}
