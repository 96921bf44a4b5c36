/* SPDX-License-Identifier: MIT */
/*
 * The time left is kept with each move, not as one number: so taking back a move restores its time, and the saved game
 * can record the clocks.
 */
#include "match.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

const char *match_color_name(luft_color color) {
    return color == LUFT_WHITE ? "White" : "Black";
}

/* --- Beginning --------------------------------------------------------------- */

bool match_start(match *game, const luft_position *start) {
    luft_game *fresh;
    return luft_game_create(&fresh, start) == LUFT_OK && match_adopt(game, fresh);
}

static bool reserve_times(match *game, size_t count) {
    if (count <= game->left_capacity) {
        return true;
    }
    const size_t capacity = 2 * count + 64;
    int64_t *left = realloc(game->left_ms, capacity * sizeof *left);
    if (left) {
        for (size_t i = game->left_capacity; i < capacity; i++) {
            left[i] = game->clock.base_ms;
        }
        game->left_ms = left;
        game->left_capacity = capacity;
    }
    return left != NULL;
}

bool match_adopt(match *game, luft_game *played) {
    if (!reserve_times(game, luft_game_length(played))) {
        luft_game_free(played);
        return false;
    }
    match_set_clock(game, game->clock);
    luft_game_free(game->game);
    game->game = played;
    match_judge(game);
    return true;
}

void match_free(match *game) {
    luft_game_free(game->game);
    free(game->left_ms);
    *game = (match){0};
}

/* --- Playing ----------------------------------------------------------------- */

luft_color match_turn(const match *game) {
    return (luft_color)luft_game_position(game->game)->side_to_move;
}

bool match_is_persons_turn(const match *game) {
    return match_turn(game) == game->person;
}

void match_judge(match *game) {
    const unsigned claims = luft_game_claims(game->game);
    switch (luft_game_outcome(game->game).termination) {
    case LUFT_CHECKMATE: game->end = MATCH_MATE; return;
    case LUFT_STALEMATE: game->end = MATCH_STALEMATE; return;
    case LUFT_INSUFFICIENT_MATERIAL: game->end = MATCH_DEAD; return;
    default: break;
    }
    game->end = claims & LUFT_CLAIM_THREEFOLD_REPETITION ? MATCH_THREEFOLD
                : claims & LUFT_CLAIM_FIFTY_MOVE_RULE    ? MATCH_FIFTY
                                                         : MATCH_GOES_ON;
}

bool match_play(match *game, luft_move move, int64_t spent_ms) {
    const size_t ply = luft_game_ply(game->game);
    const int64_t left = match_time_left(game, match_turn(game), spent_ms) + game->clock.increment_ms;
    if (!reserve_times(game, ply + 1) || luft_game_play(game->game, move) != LUFT_OK) {
        return false;
    }
    game->left_ms[ply] = left;
    match_judge(game);
    return true;
}

/* Undoes or redoes moves until it is the person's turn. If that never comes, nothing changes. */
static bool step(match *game, luft_error (*one)(luft_game *game)) {
    const size_t before = luft_game_ply(game->game);
    while (one(game->game) == LUFT_OK) {
        if (match_is_persons_turn(game)) {
            match_judge(game);
            return true;
        }
    }
    /* Forward, the last move can be the person's: the game ends there, or the engine is to reply. */
    if (luft_game_ply(game->game) > before) {
        match_judge(game);
        return true;
    }
    const luft_error error = luft_game_go_to(game->game, before);
    assert(error == LUFT_OK); /* the game was there before */
    (void)error;
    return false;
}

bool match_undo(match *game) {
    return step(game, luft_game_undo);
}

bool match_redo(match *game) {
    return step(game, luft_game_redo);
}

/* --- Clocks ------------------------------------------------------------------ */

void match_set_clock(match *game, match_clock clock) {
    game->clock = clock;
    for (size_t i = 0; i < game->left_capacity; i++) {
        game->left_ms[i] = clock.base_ms;
    }
}

int64_t match_time_after(const match *game, size_t ply) {
    return ply < game->left_capacity ? game->left_ms[ply] : game->clock.base_ms;
}

void match_set_time_after(match *game, size_t ply, int64_t left_ms) {
    if (ply < game->left_capacity) {
        game->left_ms[ply] = left_ms;
    }
}

int64_t match_time_left(const match *game, luft_color side, int64_t spent_ms) {
    const size_t ply = luft_game_ply(game->game);
    const bool to_move = match_turn(game) == side;
    const size_t ago = to_move ? 2 : 1; /* plies since this side's last move, that one included */
    const int64_t left = ply >= ago ? match_time_after(game, ply - ago) : game->clock.base_ms;
    return to_move ? left - spent_ms : left;
}

/* --- The end ------------------------------------------------------------------ */

void match_flag(match *game) {
    const luft_color side = match_turn(game);
    const luft_board *board = &luft_game_position(game->game)->board;
    const luft_bitboard opponents = board->color[luft_opposite(side)];
    game->end = opponents & ~board->kings ? MATCH_TIME : MATCH_TIME_DRAW;
    game->loser = side;
}

void match_resign(match *game, luft_color side) {
    game->end = MATCH_RESIGNED;
    game->loser = side;
}

void match_agree(match *game) {
    game->end = MATCH_AGREED;
}

luft_result match_result(const match *game) {
    switch (game->end) {
    case MATCH_GOES_ON: return LUFT_RESULT_UNKNOWN;
    case MATCH_MATE: return match_turn(game) == LUFT_WHITE ? LUFT_RESULT_BLACK : LUFT_RESULT_WHITE;
    case MATCH_RESIGNED:
    case MATCH_TIME: return game->loser == LUFT_WHITE ? LUFT_RESULT_BLACK : LUFT_RESULT_WHITE;
    default: return LUFT_RESULT_DRAW;
    }
}

const char *match_explain(char buffer[MATCH_EXPLANATION_SIZE], const match *game) {
    const luft_color turn = match_turn(game);
    const char *to_move = match_color_name(turn), *other = match_color_name(luft_opposite(turn));
    const char *loser = match_color_name(game->loser), *winner = match_color_name(luft_opposite(game->loser));
    const size_t size = MATCH_EXPLANATION_SIZE;
    switch (game->end) {
    case MATCH_GOES_ON: snprintf(buffer, size, "The game goes on."); break;
    case MATCH_MATE: snprintf(buffer, size, "Checkmate: %s wins.", other); break;
    case MATCH_STALEMATE:
        snprintf(buffer, size, "Stalemate: %s has no legal move and is not in check. A draw.", to_move);
        break;
    case MATCH_DEAD: snprintf(buffer, size, "A draw: neither side has enough material to mate."); break;
    case MATCH_THREEFOLD: snprintf(buffer, size, "A draw: this position has occurred three times."); break;
    case MATCH_FIFTY:
        snprintf(buffer, size, "A draw: fifty moves of each side without a capture or a pawn move.");
        break;
    case MATCH_RESIGNED: snprintf(buffer, size, "%s resigns: %s wins.", loser, winner); break;
    case MATCH_AGREED: snprintf(buffer, size, "A draw by agreement."); break;
    case MATCH_TIME: snprintf(buffer, size, "%s has run out of time: %s wins.", loser, winner); break;
    case MATCH_TIME_DRAW:
        snprintf(buffer, size, "%s has run out of time, but %s has only the king. A draw.", loser, winner);
        break;
    }
    return buffer;
}
