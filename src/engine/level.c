/* SPDX-License-Identifier: MIT */
/*
 * The model of a weaker player. level.h has the idea.
 *
 * Random numbers are hashes of seed, position and move: the player judges a position the same way twice.
 */
#include "level.h"

#include "minmax.h"
#include "move.h"
#include "score.h"
#include "see.h"

#include <stdlib.h>

enum { HORIZON_SPREAD = 20 }; /* in tenths of a ply */

/* --- How strong ------------------------------------------------------------ */

typedef struct level_row {
    int elo;
    level_rules rules;
} level_row;

/* Set by matches: docs/engine.md, "Limited strength". Values between two rows are interpolated. */
static const level_row rows[] = {
    /* Elo, then nodes, pv_count, horizon, noise, overlook */
    {LEVEL_ELO_MIN, {10000, 60, 7, 60, 60}}, {1000, {10000, 60, 10, 58, 56}},         {1150, {20000, 60, 15, 45, 30}},
    {1350, {20000, 60, 26, 28, 14}},         {1600, {40000, 40, 38, 15, 6}},          {1800, {20000, 12, 50, 8, 0}},
    {2100, {30000, 2, 150, 2, 0}},           {LEVEL_ELO_MAX, {100000, 1, 300, 0, 0}}, /* nearly full strength */
};

#define ROW_COUNT (sizeof rows / sizeof rows[0])

static int interpolate(int low, int high, int part, int whole) {
    return low + (high - low) * part / whole;
}

level_rules level_of_elo(int elo) {
    size_t above = 1;
    while (above < ROW_COUNT - 1 && rows[above].elo < elo) {
        above++;
    }
    const level_rules *low = &rows[above - 1].rules, *high = &rows[above].rules;
    const int whole = rows[above].elo - rows[above - 1].elo;
    const int part = clamp(elo - rows[above - 1].elo, 0, whole);
    return (level_rules){.nodes = interpolate(low->nodes, high->nodes, part, whole),
                         .pv_count = interpolate(low->pv_count, high->pv_count, part, whole),
                         .horizon = interpolate(low->horizon, high->horizon, part, whole),
                         .noise = interpolate(low->noise, high->noise, part, whole),
                         .overlook = interpolate(low->overlook, high->overlook, part, whole)};
}

int level_elo_of_skill(int skill) {
    return interpolate(LEVEL_ELO_MIN, LEVEL_ELO_MAX, skill, LEVEL_SKILL_MAX);
}

int level_depth(const level_rules *rules) {
    return max((rules->horizon + HORIZON_SPREAD - 1) / 10, 1);
}

/* --- Random numbers -------------------------------------------------------- */

static uint64_t next_random(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15ull;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* From 0 to `end` - 1. */
static int random_below(uint64_t *state, int end) {
    return (int)(next_random(state) % (uint64_t)end);
}

/* About normal with mean 0 and this standard deviation: a sum of twelve uniform numbers. */
static int random_normal(uint64_t *state, int deviation) {
    int sum = 0;
    for (int i = 0; i < 12; i++) {
        sum += random_below(state, 1001) - 500;
    }
    return sum * deviation / 1000;
}

/* --- Seeing ---------------------------------------------------------------- */

/* The exact static exchange evaluation of a move, in centipawns, by bisection. */
static int exchange_value(const luft_position *position, luft_move move) {
    int low = -see_value[LUFT_QUEEN], high = 2 * see_value[LUFT_QUEEN]; /* at least low, less than high */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (see_at_least(position, move, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/*
 * The score of a move with no replies but captures on its square: the player sees what the move does, and whether the
 * piece can be captured there, but nothing else.
 */
static int glance(nnue_stack *evaluation, const luft_position *position, luft_move move, int exchange) {
    luft_position next;
    luft_make(&next, position, move);
    if (!luft_has_legal_move(&next)) {
        return luft_in_check(&next) ? mate_in(1) : SCORE_DRAW;
    }
    const int gain = luft_move_kind_of(move) == LUFT_EN_PASSANT ? see_value[LUFT_PAWN]
                     : luft_move_is_capture(move) ? see_value[type_on(&position->board, luft_move_to(move))]
                                                  : 0;
    const int promoted = luft_move_is_promotion(move) ? see_value[luft_move_promotion(move)] - see_value[LUFT_PAWN] : 0;
    nnue_set_root(evaluation, &next);
    return -nnue_evaluate(evaluation, 0, &next) - gain - promoted + exchange;
}

void level_look(level_view *view, const level_rules *rules, nnue_stack *evaluation, const luft_position *position,
                luft_move last, const luft_move *moves, int count, uint64_t seed) {
    const bool in_check = luft_in_check(position);
    view->count = count;
    view->pv_count = min(rules->pv_count, count);
    for (int i = 0; i < count; i++) {
        const luft_move move = moves[i];
        uint64_t state = seed ^ luft_key(position) ^ (uint64_t)move << 40;
        const int horizon = rules->horizon + random_below(&state, HORIZON_SPREAD);
        /* Players in check consider every evasion, and after a capture every recapture. */
        const bool recaptures = last != LUFT_MOVE_NONE && luft_move_is_capture(last) && luft_move_is_capture(move) &&
                                luft_move_to(move) == luft_move_to(last);
        const int exchange = exchange_value(position, move);
        /* Weak players capture at once where a shallow search would wait. */
        const int greed = exchange > 0 ? exchange * rules->noise / 200 : 0;
        const int noise = random_normal(&state, rules->noise);
        const bool is_king_move =
            type_on(&position->board, luft_move_from(move)) == LUFT_KING && luft_move_kind_of(move) != LUFT_CASTLING;
        view->moves[i] = (level_move){
            .move = move,
            .horizon = max(horizon, 0) / 10,
            .seen = glance(evaluation, position, move, exchange),
            /* King moves get no positive noise, recaptures no negative. */
            .noise = greed + (is_king_move ? -abs(noise)
                              : recaptures ? abs(noise)
                                           : noise),
            .overlooked = random_below(&state, 1000) < rules->overlook && !in_check && !recaptures,
        };
    }
}

void level_note(level_view *view, int depth, int number, luft_move move, int score) {
    for (int i = 0; i < view->count; i++) {
        level_move *entry = &view->moves[i];
        if (depth > entry->horizon || depth < entry->depth) {
            continue;
        }
        if (entry->move == move) {
            entry->seen = score;
            entry->depth = depth;
        } else if (number == view->pv_count && entry->depth < depth) {
            entry->seen = -SCORE_INFINITE; /* the move is worse than all principal variations of this depth */
        }
    }
}

/* Considered moves first, then overlooked ones, then those worse than all principal variations. */
static int rank(const level_move *entry) {
    return entry->seen == -SCORE_INFINITE ? 0 : entry->overlooked ? 1 : 2;
}

const level_move *level_choose(const level_view *view) {
    const level_move *best = NULL;
    for (int i = 0; i < view->count; i++) {
        const level_move *entry = &view->moves[i];
        if (!best || rank(entry) > rank(best) ||
            (rank(entry) == rank(best) && entry->seen + entry->noise > best->seen + best->noise)) {
            best = entry;
        }
    }
    return best;
}
