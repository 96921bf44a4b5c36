/* SPDX-License-Identifier: MIT */
/* Games of a PGN stream and a query: see query.h. */
#include "query.h"

#include <string.h>

static luft_query_text text_of(const buffer *text) {
    return (luft_query_text){text->data, text->length};
}

static luft_query_facts facts_for(const pgn_facts *facts, const char eco[4]) {
    luft_query_facts result = {
        .player = {text_of(&facts->player[LUFT_WHITE]), text_of(&facts->player[LUFT_BLACK])},
        .event = text_of(&facts->event),
        .site = text_of(&facts->site),
        .elo = {facts->elo[LUFT_WHITE], facts->elo[LUFT_BLACK]},
        .date = facts->date,
        .result = facts->result,
        .plies = facts->plies,
    };
    memcpy(result.eco, eco, sizeof result.eco);
    return result;
}

bool pgn_query_start(pgn_query *state, const luft_query *query, const pgn_facts *facts, const luft_position *start) {
    luft_query_facts known = facts_for(facts, facts->eco);
    known.pending = LUFT_QUERY_PLIES | (facts->eco[0] == '\0' ? LUFT_QUERY_ECO : 0) |
                    (facts->has_tag_result ? 0 : LUFT_QUERY_RESULT);
    buffer_clear(&state->positions);
    if (!luft_query_possible(query, &known)) {
        return false;
    }
    if (!state->matcher && luft_query_matcher_create(&state->matcher, query) != LUFT_OK) {
        state->positions.failed = true;
        return false;
    }
    pgn_query_add(state, start);
    return !state->positions.failed;
}

void pgn_query_add(pgn_query *state, const luft_position *position) {
    buffer_append(&state->positions, position, sizeof *position);
}

bool pgn_query_finish(pgn_query *state, const pgn_facts *facts, const char eco[4]) {
    const luft_query_facts known = facts_for(facts, eco);
    const size_t length = state->positions.failed ? 0 : state->positions.length;
    bool matches = false;
    luft_query_begin(state->matcher, &known);
    for (size_t at = 0; at < length && !matches; at += sizeof(luft_position)) {
        luft_position position;
        memcpy(&position, state->positions.data + at, sizeof position);
        matches = luft_query_feed(state->matcher, &position, at + sizeof position == length);
    }
    buffer_clear(&state->positions);
    return matches;
}

void pgn_query_free(pgn_query *state) {
    luft_query_matcher_free(state->matcher);
    buffer_free(&state->positions);
}
