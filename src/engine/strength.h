/* SPDX-License-Identifier: MIT */
/*
 * Limited strength: the settings of the client, and their application to a search. The player model is in level.h.
 */
#ifndef LUFT_ENGINE_STRENGTH_H
#define LUFT_ENGINE_STRENGTH_H

#include "level.h"
#include "thread.h"

typedef struct strength_limit {
    int elo;             /* to play at, 0 for full strength; overrides the skill */
    int skill;           /* LEVEL_SKILL_MAX for full strength */
    uint64_t fixed_seed; /* of all games, for tests; 0 for a new seed in each game */
    uint64_t seed;       /* of this game */
    bool limited;        /* the current search is of limited strength and fills `view` */
    level_view view;
} strength_limit;

/* Full strength, with a random seed. */
void strength_init(strength_limit *strength);

/* Is the strength below the full one? */
bool strength_is_limited(const strength_limit *strength);

/* Takes a new seed. */
void strength_new_game(strength_limit *strength);

/*
 * Limits the search that is about to start, if the strength is limited: one thread, fewer nodes and plies, and more
 * principal variations. `thread` has the root set. `evaluation` and `last` are those of level_look.
 */
void strength_begin(strength_limit *strength, search_shared *shared, const search_thread *thread,
                    nnue_stack *evaluation, luft_move last);

/* Hands a report of the search to the player model. */
void strength_note(strength_limit *strength, const search_report *report);

/* The move of a weaker player. */
typedef struct strength_choice {
    const root_move *root;
    int score;   /* as the player sees it */
    int depth;   /* where that score comes from */
    bool has_pv; /* the principal variation of `root` goes with the score */
} strength_choice;

/* Chooses after a search of limited strength; there is at least one root move. */
strength_choice strength_choose(const strength_limit *strength, const search_thread *thread);

#endif
