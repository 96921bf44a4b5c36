/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: arbitrary bytes as a query, matched against a game. A refused query gives a reason and a place in the
 * text; an accepted one gives the same answers twice, and facts and summary never rule out a game that matches.
 */
#include "decode.h"

#include <string.h>

#define PLIES 60

/* Plays the move in the middle of the list each time: captures, checks and castling occur. */
static int play_game(luft_position positions[PLIES + 1], luft_query_summary *summary) {
    int count = 1;
    positions[0] = luft_start_position();
    luft_query_summary_add(summary, &positions[0], true);
    for (; count <= PLIES; count++) {
        luft_move_list list;
        if (luft_generate(&list, &positions[count - 1], LUFT_ALL_MOVES) == 0) {
            break;
        }
        luft_make(&positions[count], &positions[count - 1], list.moves[list.count / 2]);
        luft_query_summary_add(summary, &positions[count], false);
    }
    return count;
}

/* The first ply that matches, -1 if none does. */
static int first_match(luft_query_matcher *matcher, const luft_query_facts *facts, const luft_position *positions,
                       int count) {
    luft_query_begin(matcher, facts);
    for (int ply = 0; ply < count; ply++) {
        if (luft_query_feed(matcher, &positions[ply], ply == count - 1)) {
            return ply;
        }
    }
    return -1;
}

static void check_query(const luft_query *query) {
    luft_position positions[PLIES + 1];
    luft_query_summary summary;
    const int count = play_game(positions, &summary);
    luft_query_matcher *matcher;
    luft_query_facts facts = {.player = {{"Anna", 4}, {"Boris", 5}},
                              .event = {"Cup", 3},
                              .site = {"Oslo", 4},
                              .elo = {2500, 2400},
                              .date = 20190500,
                              .result = LUFT_RESULT_WHITE,
                              .eco = "B90",
                              .plies = (uint32_t)count - 1,
                              .summary = &summary};
    if (luft_query_matcher_create(&matcher, query) != LUFT_OK) {
        return;
    }
    const int first = first_match(matcher, &facts, positions, count);
    expect_equal((uint64_t)first_match(matcher, &facts, positions, count), (uint64_t)first, positions,
                 "the same twice");
    if (first >= 0 && !luft_query_possible(query, &facts)) {
        report(&positions[first], "ruled out, but matches");
    }
    luft_query_matcher_free(matcher);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const luft_position start = luft_start_position();
    luft_query *query = NULL;
    luft_query_report refusal;
    const luft_error error = luft_query_compile(&query, (const char *)data, size, &refusal);
    expect_equal(refusal.error, error, &start, "the report");
    if (error != LUFT_OK) {
        if (query || !refusal.reason || refusal.offset > size) {
            report(&start, "a refusal leaves something behind or no reason");
        }
        return 0;
    }
    check_query(query);
    luft_query_free(query);
    return 0;
}
