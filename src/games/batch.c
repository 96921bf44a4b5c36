/* SPDX-License-Identifier: MIT */
/*
 * Batch functions over many positions. Each one loops over another function of the library
 * and checks the capacity of the caller's arrays. Games in batches are in batch_pgn.c.
 */
#include "luft/batch.h"

#include <string.h>

/* False for the zeroed position that stands for a refused FEN. */
static bool is_filled(const luft_position *position) {
    return position->board.kings != 0;
}

size_t luft_batch_positions(luft_position *positions, luft_error *errors, size_t capacity, const char *text,
                            size_t length, size_t *used) {
    size_t count = 0, at = 0;
    const bool usable = positions && errors && text;
    while (usable && count < capacity && at < length) {
        const char *line = text + at;
        const char *feed = memchr(line, '\n', length - at);
        size_t line_length = feed ? (size_t)(feed - line) : length - at;
        at += line_length + (feed != NULL);
        if (line_length > 0 && line[line_length - 1] == '\r') {
            line_length--;
        }
        errors[count] = luft_position_from_fen(&positions[count], line, line_length, NULL);
        if (errors[count] != LUFT_OK) {
            memset(&positions[count], 0, sizeof positions[count]);
        }
        count++;
    }
    if (used) {
        *used = at;
    }
    return count;
}

size_t luft_batch_legal_moves(luft_move *moves, size_t capacity, uint64_t *offsets, const luft_position *positions,
                              size_t count) {
    if (!moves || !offsets || !positions) {
        return 0;
    }
    size_t filled = 0, done = 0;
    offsets[0] = 0;
    for (; done < count; done++) {
        luft_move_list list;
        list.count = 0;
        if (is_filled(&positions[done])) {
            luft_generate(&list, &positions[done], LUFT_ALL_MOVES);
        }
        if ((size_t)list.count > capacity - filled) {
            break;
        }
        memcpy(moves + filled, list.moves, (size_t)list.count * sizeof moves[0]);
        filled += (size_t)list.count;
        offsets[done + 1] = filled;
    }
    return done;
}

luft_error luft_batch_perft(uint64_t *counts, const luft_position *positions, size_t count, int depth) {
    if (!counts || !positions || depth < 0 || depth > LUFT_PERFT_MAX_DEPTH) {
        return LUFT_ERROR_ARGUMENT;
    }
    for (size_t i = 0; i < count; i++) {
        counts[i] = is_filled(&positions[i]) ? luft_perft(&positions[i], depth, LUFT_PERFT_TWO_PLY) : 0;
    }
    return LUFT_OK;
}

size_t luft_batch_line(luft_position *positions, const luft_position *start, const luft_move *moves, size_t count) {
    if (!positions || !start || !moves || !is_filled(start)) {
        return 0;
    }
    size_t played = 0;
    for (const luft_position *before = start; played < count; before = &positions[played++]) {
        const luft_error error = moves[played] == LUFT_MOVE_NONE ? luft_make_null(&positions[played], before)
                                                                 : luft_play(&positions[played], before, moves[played]);
        if (error != LUFT_OK) {
            break;
        }
    }
    return played;
}
