/* SPDX-License-Identifier: MIT */
/*
 * Counts the moves of many games: for each position and move, how often White won, Black won, nobody did,
 * and no result is known. One hash
 * table holds everything, by the key of the position and the move. Its size is bounded; when it is full, new moves are
 * left out and known ones still counted.
 */
#include "explorer.h"

#include <stdlib.h>

enum {
    SLOTS_FIRST = 1 << 14,
    SLOTS_MAX = 1 << 22 /* 32 bytes each: 128 MiB */
};

typedef struct slot {
    uint64_t key;
    luft_move move; /* LUFT_MOVE_NONE for an empty slot */
    uint32_t counts[4];
} slot;

struct explorer {
    slot *slots;
    size_t capacity; /* a power of two */
    size_t used;
    uint64_t games;
    bool is_full;
};

enum { WHITE_WINS, DRAWN, BLACK_WINS, UNKNOWN };

explorer *web_explorer_create(void) {
    explorer *all = calloc(1, sizeof *all);
    if (all) {
        all->slots = calloc(SLOTS_FIRST, sizeof *all->slots);
        all->capacity = SLOTS_FIRST;
    }
    if (all && !all->slots) {
        free(all);
        return NULL;
    }
    return all;
}

void web_explorer_free(explorer *all) {
    if (all) {
        free(all->slots);
        free(all);
    }
}

/* A position and its colour-flipped position share their key, but not their moves. */
static uint64_t key_of(const luft_position *position) {
    return luft_key(position) ^ position->side_to_move;
}

/* The slot of a move, or the empty one where it belongs. */
static slot *find_slot(const explorer *all, uint64_t key, luft_move move) {
    size_t at = (size_t)((key ^ (uint64_t)move * UINT64_C(0x9e3779b97f4a7c15)) >> 20);
    while (true) {
        slot *one = &all->slots[at++ & (all->capacity - 1)];
        if (one->move == LUFT_MOVE_NONE || (one->key == key && one->move == move)) {
            return one;
        }
    }
}

/* Doubles the table. Without room the explorer is full. */
static void grow(explorer *all) {
    explorer larger = *all;
    larger.capacity = 2 * all->capacity;
    larger.slots = larger.capacity <= SLOTS_MAX ? calloc(larger.capacity, sizeof *larger.slots) : NULL;
    if (!larger.slots) {
        all->is_full = true;
        return;
    }
    for (size_t i = 0; i < all->capacity; i++) {
        if (all->slots[i].move != LUFT_MOVE_NONE) {
            *find_slot(&larger, all->slots[i].key, all->slots[i].move) = all->slots[i];
        }
    }
    free(all->slots);
    *all = larger;
}

void explorer_game_move(explorer_game *game, const luft_position *before, luft_move move) {
    if (game->count < EXPLORER_PLIES && move != LUFT_MOVE_NONE) {
        game->keys[game->count] = key_of(before);
        game->moves[game->count++] = move;
    }
}

void explorer_add(explorer *all, const explorer_game *game) {
    if (!all || game->count == 0) {
        return;
    }
    const int outcome = game->result == LUFT_RESULT_WHITE   ? WHITE_WINS
                        : game->result == LUFT_RESULT_BLACK ? BLACK_WINS
                        : game->result == LUFT_RESULT_DRAW  ? DRAWN
                                                            : UNKNOWN;
    all->games++;
    for (int i = 0; i < game->count; i++) {
        if (!all->is_full && 3 * all->used >= 2 * all->capacity) {
            grow(all);
        }
        slot *one = find_slot(all, game->keys[i], game->moves[i]);
        if (one->move == LUFT_MOVE_NONE) {
            if (all->is_full) {
                continue;
            }
            one->key = game->keys[i];
            one->move = game->moves[i];
            all->used++;
        }
        one->counts[outcome]++;
    }
}

/* --- Asking ---------------------------------------------------------------------------------- */

static uint64_t total(const slot *one) {
    return (uint64_t)one->counts[WHITE_WINS] + one->counts[DRAWN] + one->counts[BLACK_WINS] + one->counts[UNKNOWN];
}

/* The most frequent first. */
static int compare(const void *a, const void *b) {
    const uint64_t x = total(*(const slot *const *)a), y = total(*(const slot *const *)b);
    return x < y ? 1 : x > y ? -1 : 0;
}

static void put_slot(json *out, const slot *one, const luft_position *position, bool chess960) {
    char uci[LUFT_UCI_MOVE_SIZE], san[LUFT_SAN_SIZE];
    luft_position after;
    luft_opening opening;
    luft_make(&after, position, one->move);
    luft_move_to_uci(uci, sizeof uci, one->move, chess960 ? LUFT_CASTLING_CHESS960 : LUFT_CASTLING_STANDARD);
    luft_move_to_san(san, sizeof san, position, one->move);
    json_open(out, '{');
    json_member(out, "uci", uci);
    json_member(out, "san", san);
    json_count(out, "white", one->counts[WHITE_WINS]);
    json_count(out, "draws", one->counts[DRAWN]);
    json_count(out, "black", one->counts[BLACK_WINS]);
    json_count(out, "unknown", one->counts[UNKNOWN]);
    if (luft_opening_of_position(&opening, &after)) {
        json_key(out, "opening");
        json_open(out, '{');
        json_member(out, "code", opening.eco);
        json_member(out, "name", opening.name);
        json_close(out, '}');
    }
    json_close(out, '}');
}

size_t web_explorer_find(const explorer *all, size_t fen_length, bool chess960) {
    luft_position position;
    if (!web_read_fen(&position, fen_length)) {
        return web_answer_length();
    }
    const uint64_t key = key_of(&position);
    luft_move_list list;
    const slot *found[LUFT_MAX_MOVES];
    size_t count = 0;
    luft_generate(&list, &position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        const slot *one = find_slot(all, key, list.moves[i]);
        if (one->move != LUFT_MOVE_NONE) {
            found[count++] = one;
        }
    }
    qsort(found, count, sizeof *found, compare);
    json *out = web_json();
    json_open(out, '{');
    json_count(out, "games", all->games);
    json_key(out, "full");
    json_bool(out, all->is_full);
    json_key(out, "moves");
    json_open(out, '[');
    for (size_t i = 0; i < count; i++) {
        put_slot(out, found[i], &position, chess960);
    }
    json_close(out, ']');
    json_close(out, '}');
    return web_answer_length();
}
