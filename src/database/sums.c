/* SPDX-License-Identifier: MIT */
/* Sums over games; see sums.h. */
#include "database/sums.h"

#include "database/hash.h"

#include <math.h>
#include <stdlib.h>

/* Flags of a move in the file. */
enum {
    FLAG_ALL_DECIDED = 1, /* every game has a result, so that the number of black wins follows */
    FLAG_ALL_RATED = 2,   /* every game is rated, so that their number and points follow */
    FLAG_DATED = 4,       /* there are dates */
    FLAGS = 7
};

#define MAX_PERFORMANCE 800 /* above or below the opponents, for a score of 100 or 0 % */

void sum_clear(position_sum *sum, luft_color side_to_move) {
    sum->side_to_move = side_to_move;
    sum->ended = 0;
    sum->move_count = 0;
    sum->best_count = 0;
}

/* --- Adding ---------------------------------------------------------------- */

/* The place of a move, which is made if it is new; NULL if there are too many. */
static move_sum *find_move(position_sum *sum, luft_move move) {
    uint32_t at = sum->move_count;
    while (at > 0 && sum->moves[at - 1].move > move) {
        at--;
    }
    if (at > 0 && sum->moves[at - 1].move == move) {
        return &sum->moves[at - 1];
    }
    if (sum->move_count > LUFT_MAX_MOVES) {
        return NULL;
    }
    memmove(&sum->moves[at + 1], &sum->moves[at], (sum->move_count - at) * sizeof sum->moves[0]);
    sum->moves[at] = (move_sum){.move = move};
    sum->move_count++;
    return &sum->moves[at];
}

static void add_date(move_sum *to, uint32_t first, uint32_t last) {
    if (first != 0) {
        to->first = to->first == 0 || first < to->first ? first : to->first;
        to->last = last > to->last ? last : to->last;
    }
}

/* Better games have higher ratings; then the later one counts, and then one that does not depend on the order of games. */
static bool is_better(const best_game *a, const best_game *b) {
    const unsigned of_a = (unsigned)a->fact.rating[0] + a->fact.rating[1];
    const unsigned of_b = (unsigned)b->fact.rating[0] + b->fact.rating[1];
    if (of_a != of_b) {
        return of_a > of_b;
    }
    if (game_fact_date(&a->fact) != game_fact_date(&b->fact)) {
        return game_fact_date(&a->fact) > game_fact_date(&b->fact);
    }
    return a->fact.signature != b->fact.signature ? a->fact.signature < b->fact.signature : a->id < b->id;
}

void sum_offer_best(position_sum *sum, uint64_t id, const game_fact *fact) {
    const best_game game = {id, *fact};
    uint32_t at = sum->best_count;
    for (uint32_t i = 0; i < sum->best_count; i++) {
        if (sum->best[i].id == id) {
            return;
        }
    }
    while (at > 0 && is_better(&game, &sum->best[at - 1])) {
        at--;
    }
    if (at < LUFT_DATABASE_BEST_GAMES) {
        sum->best_count += sum->best_count < LUFT_DATABASE_BEST_GAMES;
        memmove(&sum->best[at + 1], &sum->best[at], (sum->best_count - at - 1) * sizeof game);
        sum->best[at] = game;
    }
}

bool sum_add(position_sum *sum, luft_move move, uint64_t id, const game_fact *fact) {
    const luft_result result = game_fact_result(fact);
    const luft_color us = sum->side_to_move;
    sum_offer_best(sum, id, fact);
    if (move == SUM_ENDED) {
        sum->ended++;
        return true;
    }
    move_sum *to = find_move(sum, move);
    if (!to) {
        return false;
    }
    to->games++;
    to->white += result == LUFT_RESULT_WHITE;
    to->draws += result == LUFT_RESULT_DRAW;
    to->black += result == LUFT_RESULT_BLACK;
    if (result >= LUFT_RESULT_WHITE && result <= LUFT_RESULT_DRAW && fact->rating[0] > 0 && fact->rating[1] > 0) {
        const luft_result won = us == LUFT_WHITE ? LUFT_RESULT_WHITE : LUFT_RESULT_BLACK;
        to->rated++;
        to->points += result == LUFT_RESULT_DRAW ? 1 : result == won ? 2 : 0;
        to->own += fact->rating[us];
        to->opponents += fact->rating[us ^ 1];
    }
    add_date(to, game_fact_date(fact), game_fact_date(fact));
    return true;
}

bool sum_merge(position_sum *sum, const position_sum *other) {
    sum->ended += other->ended;
    for (uint32_t i = 0; i < other->move_count; i++) {
        const move_sum *from = &other->moves[i];
        move_sum *to = find_move(sum, from->move);
        if (!to) {
            return false;
        }
        to->games += from->games;
        to->white += from->white;
        to->draws += from->draws;
        to->black += from->black;
        to->rated += from->rated;
        to->points += from->points;
        to->own += from->own;
        to->opponents += from->opponents;
        add_date(to, from->first, from->last);
    }
    for (uint32_t i = 0; i < other->best_count; i++) {
        sum_offer_best(sum, other->best[i].id, &other->best[i].fact);
    }
    return true;
}

/* --- Bytes ----------------------------------------------------------------- */

/* Dates as year, month and day in bits: three bytes instead of four. */
static uint32_t pack_date(uint32_t date) {
    return date / 10000 << 9 | date / 100 % 100 << 5 | date % 100;
}

static uint32_t unpack_date(uint64_t bits) {
    return (uint32_t)((bits >> 9) * 10000 + (bits >> 5 & 15) * 100 + (bits & 31));
}

static uint64_t points_of(const move_sum *move, luft_color us) {
    return move->draws + 2 * (us == LUFT_WHITE ? move->white : move->black);
}

static void pack_move(buffer *out, const move_sum *move, luft_color us) {
    const bool decided = move->white + move->draws + move->black == move->games;
    const bool rated = decided && move->rated == move->games && move->points == points_of(move, us);
    const unsigned flags =
        (decided ? FLAG_ALL_DECIDED : 0u) | (rated ? FLAG_ALL_RATED : 0u) | (move->first ? FLAG_DATED : 0u);
    const uint8_t code[2] = {(uint8_t)move->move, (uint8_t)(move->move >> 8)};
    buffer_append(out, code, sizeof code);
    varint_append(out, move->games << 3 | flags);
    varint_append(out, move->white);
    if (move->white < move->games) {
        varint_append(out, move->draws);
    }
    if (!decided) {
        varint_append(out, move->black);
    }
    if (!rated) {
        varint_append(out, move->rated);
    }
    if (!rated && move->rated > 0) {
        varint_append(out, move->points);
    }
    if (move->rated > 0) {
        varint_append(out, move->own);
        varint_append(out, move->opponents);
    }
    if (move->first) {
        varint_append(out, pack_date(move->first));
        varint_append(out, pack_date(move->last) - pack_date(move->first));
    }
}

void sum_pack(buffer *out, const position_sum *sum) {
    varint_append(out, sum->ended << 3 | sum->best_count);
    for (uint32_t i = 0; i < sum->best_count; i++) {
        varint_append(out, sum->best[i].id);
    }
    for (uint32_t i = 0; i < sum->move_count; i++) {
        pack_move(out, &sum->moves[i], sum->side_to_move);
    }
}

/* Reads a number that is at most `maximum`. */
static bool read_number(uint64_t *value, const uint8_t **next, const uint8_t *end, uint64_t maximum) {
    return varint_read(value, next, end) && *value <= maximum;
}

#define MAX_GAMES (UINT64_C(1) << 40)
#define MAX_SUM (UINT64_C(1) << 56)

static bool unpack_results(move_sum *move, unsigned flags, const uint8_t **next, const uint8_t *end) {
    bool good = read_number(&move->white, next, end, move->games) &&
                (move->white == move->games || read_number(&move->draws, next, end, move->games - move->white));
    if (good) {
        move->black = move->games - move->white - move->draws;
        good = flags & FLAG_ALL_DECIDED || read_number(&move->black, next, end, move->black);
    }
    return good;
}

static bool unpack_move(move_sum *move, luft_color us, const uint8_t **next, const uint8_t *end) {
    uint64_t number, first, span;
    if (end - *next < 2) {
        return false;
    }
    *move = (move_sum){.move = (luft_move)((*next)[0] | (*next)[1] << 8)};
    *next += 2;
    if (!varint_read(&number, next, end) || number >> 3 == 0 || number >> 3 > MAX_GAMES) {
        return false;
    }
    const unsigned flags = number & FLAGS;
    move->games = number >> 3;
    if (!unpack_results(move, flags, next, end)) {
        return false;
    }
    move->rated = move->games;
    move->points = points_of(move, us);
    if (!(flags & FLAG_ALL_RATED) &&
        (!read_number(&move->rated, next, end, move->games) ||
         (move->rated > 0 ? !read_number(&move->points, next, end, 2 * move->rated) : (move->points = 0)))) {
        return false;
    }
    if (move->rated > 0 &&
        (!read_number(&move->own, next, end, MAX_SUM) || !read_number(&move->opponents, next, end, MAX_SUM))) {
        return false;
    }
    if (flags & FLAG_DATED) {
        if (!read_number(&first, next, end, 1u << 23) || !read_number(&span, next, end, 1u << 23)) {
            return false;
        }
        move->first = unpack_date(first);
        move->last = unpack_date(first + span);
    }
    return true;
}

bool sum_unpack(position_sum *sum, luft_color side_to_move, const uint8_t *bytes, size_t length) {
    const uint8_t *next = bytes, *end = length > 0 ? bytes + length : bytes;
    uint64_t head;
    sum_clear(sum, side_to_move);
    if (!varint_read(&head, &next, end) || (head & 7) > LUFT_DATABASE_BEST_GAMES || head >> 3 > MAX_GAMES) {
        return false;
    }
    sum->ended = head >> 3;
    sum->best_count = head & 7;
    for (uint32_t i = 0; i < sum->best_count; i++) {
        sum->best[i] = (best_game){0};
        if (!read_number(&sum->best[i].id, &next, end, MAX_GAMES)) {
            return false;
        }
    }
    while (next < end) {
        if (sum->move_count > LUFT_MAX_MOVES || !unpack_move(&sum->moves[sum->move_count], side_to_move, &next, end) ||
            (sum->move_count > 0 && sum->moves[sum->move_count - 1].move >= sum->moves[sum->move_count].move)) {
            return false;
        }
        sum->move_count++;
    }
    return true;
}

/* --- For callers ----------------------------------------------------------- */

/* The rating at which this score against these opponents is expected. */
static int16_t performance(const move_sum *move) {
    const double score = (double)move->points / (2 * (double)move->rated);
    const double opponents = (double)move->opponents / (double)move->rated;
    const double limit = 1 / (1 + pow(10, MAX_PERFORMANCE / 400.0));
    const double difference = score <= limit       ? -MAX_PERFORMANCE
                              : score >= 1 - limit ? MAX_PERFORMANCE
                                                   : 400 * log10(score / (1 - score));
    return (int16_t)lround(opponents + difference);
}

static luft_database_move publish_move(const move_sum *move) {
    luft_database_move shown = {.move = move->move,
                                .games = move->games,
                                .white = move->white,
                                .draws = move->draws,
                                .black = move->black,
                                .rated = move->rated,
                                .first_date = (int32_t)move->first,
                                .last_date = (int32_t)move->last};
    if (move->rated > 0) {
        shown.rating = (uint16_t)((move->own + move->rated / 2) / move->rated);
        shown.opponents = (uint16_t)((move->opponents + move->rated / 2) / move->rated);
        shown.performance = performance(move);
    }
    return shown;
}

static int compare_moves(const void *a, const void *b) {
    const luft_database_move *first = a, *second = b;
    if (first->games != second->games) {
        return first->games < second->games ? 1 : -1;
    }
    return (first->move > second->move) - (first->move < second->move);
}

void sum_publish(luft_database_statistics *statistics, const position_sum *sum, const luft_position *position) {
    move_sum total = {0};
    statistics->move_count = 0;
    for (uint32_t i = 0; i < sum->move_count; i++) {
        const move_sum *move = &sum->moves[i];
        if (move->move != LUFT_MOVE_NONE && !luft_is_legal(position, move->move)) {
            continue;
        }
        statistics->moves[statistics->move_count++] = publish_move(move);
        total.games += move->games;
        total.white += move->white;
        total.draws += move->draws;
        total.black += move->black;
        total.rated += move->rated;
        total.points += move->points;
        total.own += move->own;
        total.opponents += move->opponents;
        add_date(&total, move->first, move->last);
    }
    statistics->total = publish_move(&total);
    qsort(statistics->moves, statistics->move_count, sizeof statistics->moves[0], compare_moves);
    statistics->ended = sum->ended;
    statistics->best_count = sum->best_count;
    for (uint32_t i = 0; i < sum->best_count; i++) {
        statistics->best[i] = sum->best[i].id;
    }
}
