/* SPDX-License-Identifier: MIT */
/*
 * The code of moves in a database: one byte a move, two for a queen that moves diagonally. The format is frozen;
 * docs/database.md describes it.
 *
 * The upper four bits are the number of the piece among those of the side to move, counted from a8 to h1. The lower four
 * say where it goes, by the kind of piece. So a code means the same in equal positions, whatever led to them, and it is
 * decoded without generating moves.
 *
 * Decoding trusts nothing: whatever the bytes, the piece moves as it can and no king is captured, so that every position
 * has both kings and a consistent board. Only a king left in check is not found.
 */
#ifndef LUFT_DATABASE_CODEC_H
#define LUFT_DATABASE_CODEC_H

#include "luft/movegen.h"

#define CODEC_MAX_BYTES 2             /* of a move */
#define CODEC_BAD ((luft_move)0xffff) /* not a move */

/* The lower four bits. Pawns: 4 is added for promotions to 4 * direction, and the piece, knight to queen, as 0 to 3. */
enum {
    CODEC_PAWN_PUSH = 0,
    CODEC_PAWN_DOUBLE = 1,
    CODEC_PAWN_WEST = 2, /* captures towards the a-file */
    CODEC_PAWN_EAST = 3,
    CODEC_PAWN_PROMOTE = 4,
    CODEC_CASTLE_WEST = 8, /* the king: 0 to 7 are its steps */
    CODEC_CASTLE_EAST = 9,
    CODEC_NULL_MOVE = 15
};

/* Writes the code of a legal move, or of LUFT_MOVE_NONE for a null move. Returns its length, 1 or 2. */
size_t codec_encode(uint8_t code[CODEC_MAX_BYTES], const luft_position *position, luft_move move);

/*
 * Reads the code of a move at *next, of which at least one byte is before `end`, and advances *next. LUFT_MOVE_NONE for
 * a null move, CODEC_BAD for bytes that are not a code here.
 */
luft_move codec_decode(const luft_position *position, const uint8_t **next, const uint8_t *end);

/*
 * Decodes a move and makes it. LUFT_ERROR_DAMAGED, and nothing changes, for bytes that are not a code here. `move` is the
 * move. The caller has tested that *next is before `end`.
 */
luft_error codec_step(luft_position *position, luft_move *move, const uint8_t **next, const uint8_t *end);

#endif
