/* SPDX-License-Identifier: MIT */
/*
 * The history of a game. Moves copy positions instead of changing them, so a game keeps
 * all positions in one growing array. Undo and redo change an index, and repetition
 * compares the current position with earlier ones.
 */
#include "luft/game.h"

#include <stdlib.h>
#include <string.h>

typedef struct game_ply {
    luft_position position;
    luft_move move; /* the move played from here; LUFT_MOVE_NONE in the last position */
} game_ply;

struct luft_game {
    game_ply *plies; /* length + 1 elements: the start and the position after each move */
    size_t capacity; /* of plies, in elements */
    size_t length;   /* all moves, including those that can be redone */
    size_t ply;      /* moves before the current position */
};

#define FIRST_CAPACITY 128 /* most games fit without growing */

/* --- Memory -------------------------------------------------------------- */

/* Returns a game with space for `capacity` positions, or NULL if out of memory. */
static luft_game *allocate_game(size_t capacity) {
    luft_game *game = malloc(sizeof *game);
    game_ply *plies = malloc(capacity * sizeof *plies);
    if (!game || !plies) {
        free(game);
        free(plies);
        return NULL;
    }
    *game = (luft_game){.plies = plies, .capacity = capacity};
    return game;
}

luft_error luft_game_create(luft_game **game, const luft_position *start) {
    if (!game) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (start && luft_position_status(start) != LUFT_STATUS_VALID) {
        return LUFT_ERROR_POSITION;
    }
    luft_game *created = allocate_game(FIRST_CAPACITY);
    if (!created) {
        return LUFT_ERROR_MEMORY;
    }
    created->plies[0] = (game_ply){start ? *start : luft_start_position(), LUFT_MOVE_NONE};
    *game = created;
    return LUFT_OK;
}

void luft_game_free(luft_game *game) {
    if (game) {
        free(game->plies);
        free(game);
    }
}

luft_error luft_game_copy(luft_game **copy, const luft_game *game) {
    if (!copy || !game) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_game *created = allocate_game(game->capacity);
    if (!created) {
        return LUFT_ERROR_MEMORY;
    }
    memcpy(created->plies, game->plies, (game->length + 1) * sizeof *game->plies);
    created->length = game->length;
    created->ply = game->ply;
    *copy = created;
    return LUFT_OK;
}

/* Makes space for the position after the current one. On failure the game is unchanged. */
static bool reserve_next(luft_game *game) {
    if (game->ply + 1 < game->capacity) {
        return true;
    }
    if (game->capacity > SIZE_MAX / sizeof *game->plies / 2) {
        return false;
    }
    game_ply *plies = realloc(game->plies, 2 * game->capacity * sizeof *plies);
    if (!plies) {
        return false;
    }
    game->plies = plies;
    game->capacity *= 2;
    return true;
}

/* --- Moves --------------------------------------------------------------- */

luft_error luft_game_play(luft_game *game, luft_move move) {
    if (!game) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (game->ply < game->length && game->plies[game->ply].move == move) {
        game->ply++;
        return LUFT_OK;
    }
    if (!luft_is_legal(&game->plies[game->ply].position, move)) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    if (!reserve_next(game)) {
        return LUFT_ERROR_MEMORY;
    }
    game_ply *here = &game->plies[game->ply];
    here->move = move;
    luft_make(&here[1].position, &here->position, move);
    here[1].move = LUFT_MOVE_NONE;
    game->length = ++game->ply;
    return LUFT_OK;
}

luft_error luft_game_go_to(luft_game *game, size_t ply) {
    if (!game) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (ply > game->length) {
        return LUFT_ERROR_HISTORY;
    }
    game->ply = ply;
    return LUFT_OK;
}

luft_error luft_game_undo(luft_game *game) {
    /* At ply 0 the subtraction wraps to a ply beyond every length, which go_to refuses. */
    return luft_game_go_to(game, luft_game_ply(game) - 1);
}

luft_error luft_game_redo(luft_game *game) {
    return luft_game_go_to(game, luft_game_ply(game) + 1);
}

size_t luft_game_ply(const luft_game *game) {
    return game ? game->ply : 0;
}

size_t luft_game_length(const luft_game *game) {
    return game ? game->length : 0;
}

const luft_position *luft_game_position(const luft_game *game) {
    return game ? &game->plies[game->ply].position : NULL;
}

const luft_position *luft_game_position_at(const luft_game *game, size_t ply) {
    return game && ply <= game->length ? &game->plies[ply].position : NULL;
}

luft_move luft_game_move_at(const luft_game *game, size_t ply) {
    return game && ply < game->length ? game->plies[ply].move : LUFT_MOVE_NONE;
}

/* --- Repetition, outcome and claims --------------------------------------- */

/*
 * Counts the occurrences of `position`, reached after `ply` moves, including this one. The search goes back to
 * the last capture or pawn move, which halfmove_clock gives unless it is saturated.
 */
static int count_occurrences(const luft_game *game, const luft_position *position, size_t ply) {
    const size_t clock = position->halfmove_clock;
    const size_t reach = clock < ply && clock < LUFT_COUNTER_MAX ? clock : ply;
    int count = 1;
    for (size_t back = 2; back <= reach; back += 2) {
        const luft_position *earlier = &game->plies[ply - back].position;
        count += earlier->key[0] == position->key[0] && earlier->key[1] == position->key[1];
    }
    return count;
}

int luft_game_repetitions(const luft_game *game) {
    return game ? count_occurrences(game, luft_game_position(game), game->ply) : 0;
}

luft_outcome luft_game_outcome(const luft_game *game) {
    luft_outcome outcome = luft_position_outcome(luft_game_position(game));
    if (outcome.termination == LUFT_NOT_OVER && luft_game_repetitions(game) >= 5) {
        outcome.termination = LUFT_FIVEFOLD_REPETITION;
    }
    return outcome;
}

/* Returns the claims in `position`, reached after `ply` moves. */
static unsigned claims_in(const luft_game *game, const luft_position *position, size_t ply) {
    if (!luft_has_legal_move(position)) {
        return LUFT_CLAIM_NONE;
    }
    const bool threefold = count_occurrences(game, position, ply) >= 3,
               fifty_moves = position->halfmove_clock >= 2 * 50;
    return (threefold ? LUFT_CLAIM_THREEFOLD_REPETITION : 0u) | (fifty_moves ? LUFT_CLAIM_FIFTY_MOVE_RULE : 0u);
}

unsigned luft_game_claims(const luft_game *game) {
    return game ? claims_in(game, luft_game_position(game), game->ply) : LUFT_CLAIM_NONE;
}

unsigned luft_game_claims_by(const luft_game *game, luft_move move) {
    luft_position next;
    if (!game || luft_play(&next, luft_game_position(game), move) != LUFT_OK) {
        return LUFT_CLAIM_NONE;
    }
    return claims_in(game, &next, game->ply + 1);
}
