/* SPDX-License-Identifier: MIT */
/*
 * Notes of games; see notes.h. Every line of moves has two positions: before its last move, where a variation begins,
 * and after it.
 */
#include "database/notes.h"

#include "database/codec.h"
#include "database/hash.h"

#include <stdlib.h>

#define MAX_DEPTH (1 << 17) /* variations inside each other; the reader of PGN refuses more */

void notes_append(buffer *out, note_kind kind, uint64_t number) {
    varint_append(out, number << 3 | (uint64_t)kind);
}

/* A line of moves: the main line or a variation. */
typedef struct line {
    luft_position before; /* the last move; the same as `after` before the first */
    luft_position after;
} line;

typedef struct walk {
    luft_pgn_writer *writer;
    line *lines; /* the main line first */
    size_t depth, capacity;
    const uint8_t *moves, *moves_end;
    const uint8_t *notes, *notes_end;
} walk;

/* Writes the move at *next of the innermost line. */
static luft_error write_move(walk *it, const uint8_t **next, const uint8_t *end) {
    line *current = &it->lines[it->depth];
    luft_position after = current->after;
    luft_move move;
    if (*next == end || codec_step(&after, &move, next, end) != LUFT_OK) {
        return LUFT_ERROR_DAMAGED;
    }
    const luft_error error = luft_pgn_write_move(it->writer, &current->after, move);
    current->before = current->after;
    current->after = after;
    return error == LUFT_ERROR_MOVE_ILLEGAL ? LUFT_ERROR_DAMAGED : error;
}

static luft_error start_variation(walk *it) {
    if (it->depth + 1 == it->capacity) {
        line *lines = it->capacity < MAX_DEPTH ? realloc(it->lines, 2 * it->capacity * sizeof *lines) : NULL;
        if (!lines) {
            return LUFT_ERROR_MEMORY;
        }
        it->lines = lines;
        it->capacity *= 2;
    }
    const luft_position before = it->lines[it->depth].before;
    it->lines[++it->depth] = (line){before, before};
    return luft_pgn_write_variation_start(it->writer);
}

static luft_error write_note(walk *it, unsigned kind, uint64_t number) {
    luft_error error = LUFT_OK;
    switch (kind) {
    case NOTE_ADVANCE:
        for (uint64_t i = 0; i < number && error == LUFT_OK; i++) {
            error = it->depth == 0 ? write_move(it, &it->moves, it->moves_end) : LUFT_ERROR_DAMAGED;
        }
        return error;
    case NOTE_NAG: return number > 255 ? LUFT_ERROR_DAMAGED : luft_pgn_write_nag(it->writer, (int)number);
    case NOTE_COMMENT:
        if (number > (uint64_t)(it->notes_end - it->notes)) {
            return LUFT_ERROR_DAMAGED;
        }
        error = luft_pgn_write_comment(it->writer, (const char *)it->notes, (size_t)number);
        it->notes += number;
        return error;
    case NOTE_VARIATION_START: return start_variation(it);
    case NOTE_VARIATION_END:
        if (it->depth == 0) {
            return LUFT_ERROR_DAMAGED;
        }
        it->depth--;
        return luft_pgn_write_variation_end(it->writer);
    case NOTE_MOVE: return it->depth == 0 ? LUFT_ERROR_DAMAGED : write_move(it, &it->notes, it->notes_end);
    default: return LUFT_ERROR_DAMAGED;
    }
}

luft_error notes_write(luft_pgn_writer *writer, const luft_position *start, const uint8_t *moves, size_t moves_size,
                       const uint8_t *notes, size_t notes_size) {
    luft_error error = LUFT_OK;
    walk it = {.writer = writer,
               .capacity = 4,
               .lines = malloc(4 * sizeof *it.lines),
               .moves = moves,
               .moves_end = moves_size > 0 ? moves + moves_size : moves,
               .notes = notes,
               .notes_end = notes_size > 0 ? notes + notes_size : notes};
    if (!it.lines) {
        return LUFT_ERROR_MEMORY;
    }
    it.lines[0] = (line){*start, *start};
    while (it.notes != it.notes_end && error == LUFT_OK) {
        uint64_t note;
        error = varint_read(&note, &it.notes, it.notes_end) ? write_note(&it, note & 7, note >> 3) : LUFT_ERROR_DAMAGED;
    }
    if (it.depth > 0 && error == LUFT_OK) {
        error = LUFT_ERROR_DAMAGED;
    }
    while (it.moves != it.moves_end && error == LUFT_OK) {
        error = write_move(&it, &it.moves, it.moves_end);
    }
    free(it.lines);
    return error;
}
