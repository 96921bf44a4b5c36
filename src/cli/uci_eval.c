/* SPDX-License-Identifier: MIT */
/*
 * The command `eval`: the static evaluation as a table. The evaluation is a sum of
 * terms, so a row is a group of them: how often each occurs, times its weight.
 */
#include "uci_session.h"

#include "engine/eval.h"

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

void uci_eval(uci_session *uci, uci_text line) {
    (void)line;
    if (!uci->has_position) {
        uci_refuse(uci, "no position: the last one was refused");
        return;
    }
    static const char rule[] = "--------------------+----------------+----------------+----------------";
    if (engine_network_text(uci->engine)) {
        uci_say(uci, "evaluation: %+.2f (for White, by the network)", engine_eval(uci->engine) / 100.0);
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
    uci_say(uci, "evaluation: %+.2f (for White)", engine_eval(uci->engine) / 100.0);
}
