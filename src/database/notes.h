/* SPDX-License-Identifier: MIT */
/*
 * What a game has beside the moves of its main line: comments, NAGs and variations, as the reader saw them. A game
 * without any has no notes. The format is frozen; docs/database.md describes it.
 */
#ifndef LUFT_DATABASE_NOTES_H
#define LUFT_DATABASE_NOTES_H

#include "util/buffer.h"

#include "luft/pgn.h"

/* A note is a varint: its kind in the lowest three bits, a number above them. */
typedef enum note_kind {
    NOTE_ADVANCE = 0,         /* the next notes stand after so many more moves of the main line */
    NOTE_NAG = 1,             /* the NAG of this number */
    NOTE_COMMENT = 2,         /* a comment of so many bytes, which follow */
    NOTE_VARIATION_START = 3, /* in place of the last move */
    NOTE_VARIATION_END = 4,
    NOTE_MOVE = 5 /* a move of the variation; its code follows */
} note_kind;

/* Appends a note. */
void notes_append(buffer *out, note_kind kind, uint64_t number);

/*
 * Writes the moves and notes of a game to a PGN writer, without tags and result. LUFT_ERROR_DAMAGED if the bytes are not
 * those of a game, LUFT_ERROR_WRITE, LUFT_ERROR_MEMORY.
 */
luft_error notes_write(luft_pgn_writer *writer, const luft_position *start, const uint8_t *moves, size_t moves_size,
                       const uint8_t *notes, size_t notes_size);

#endif
