/* SPDX-License-Identifier: MIT */
/*
 * Limited strength: between the player model of level.h and a search. See strength.h.
 */
#include "strength.h"

#include "minmax.h"
#include "root.h"

void strength_init(strength_limit *strength) {
    strength->elo = 0;
    strength->skill = LEVEL_SKILL_MAX;
    strength->fixed_seed = 0;
    strength->limited = false;
    strength_new_game(strength);
}

void strength_new_game(strength_limit *strength) {
    strength->seed = strength->fixed_seed ? strength->fixed_seed : (uint64_t)clock_now() * 0x9e3779b97f4a7c15ull;
}

bool strength_is_limited(const strength_limit *strength) {
    return strength->elo > 0 || strength->skill < LEVEL_SKILL_MAX;
}

void strength_begin(strength_limit *strength, search_shared *shared, const search_thread *thread,
                    nnue_stack *evaluation, luft_move last) {
    strength->limited = strength_is_limited(strength);
    if (!strength->limited) {
        return;
    }
    level_rules rules = level_of_elo(strength->elo > 0 ? strength->elo : level_elo_of_skill(strength->skill));
    rules.pv_count = max(rules.pv_count, shared->multipv);
    luft_move moves[LUFT_MAX_MOVES];
    const int count = root_choices(thread);
    for (int i = 0; i < count; i++) {
        moves[i] = thread->root_moves[i].move;
    }
    level_look(&strength->view, &rules, evaluation, &thread->stack[FRAMES_BEFORE_ROOT].position, last, moves, count,
               strength->seed);
    if (!shared->tables.is_ranked) {
        shared->tables.pieces = 0; /* a weaker player does not see the tables ahead */
    }
    shared->thread_count = 1;
    shared->multipv = rules.pv_count;
    if (shared->limits.nodes == LIMIT_NONE || shared->limits.nodes > rules.nodes) {
        shared->limits.nodes = rules.nodes;
    }
    shared->limits.depth = min(shared->limits.depth, level_depth(&rules));
}

void strength_note(strength_limit *strength, const search_report *report) {
    if (strength->limited) {
        level_note(&strength->view, report->depth, report->multipv, report->pv->moves[0], report->score);
    }
}

static const root_move *find_root_move(const search_thread *thread, luft_move move) {
    for (int i = 0; i < thread->root_move_count; i++) {
        if (thread->root_moves[i].move == move) {
            return &thread->root_moves[i];
        }
    }
    return &thread->root_moves[0];
}

strength_choice strength_choose(const strength_limit *strength, const search_thread *thread) {
    const level_move *choice = level_choose(&strength->view);
    const root_move *root = find_root_move(thread, choice->move);
    return (strength_choice){
        .root = root, .score = choice->seen, .depth = max(choice->depth, 1), .has_pv = choice->seen == root->score};
}
