/* SPDX-License-Identifier: MIT */
/*
 * Moves as text: the notation of the UCI protocol (e2e4, e7e8q), standard
 * algebraic notation (e4, Nbd7, exd8=Q+), and that with figurines.
 */
#ifndef LUFT_NOTATION_H
#define LUFT_NOTATION_H

#include "movegen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- UCI ------------------------------------------------------------------- */

#define LUFT_UCI_MOVE_SIZE 6 /* two squares, a promotion letter and the NUL */

typedef enum luft_castling_style {
    LUFT_CASTLING_STANDARD = 0, /* e1g1 */
    LUFT_CASTLING_CHESS960 = 1  /* e1h1 */
} luft_castling_style;

/*
 * Writes a move as UCI text, LUFT_MOVE_NONE as "0000". Writes a terminated
 * string if `size` has room for it, and at most an empty one otherwise. Returns
 * the length of the text. In the standard style castling is written as king
 * takes rook all the same where the king does not start on the e-file.
 */
LUFT_API size_t luft_move_to_uci(char *buffer, size_t size, luft_move move, luft_castling_style style);

/*
 * Reads `length` bytes as a legal move of the position, in either case of letters.
 * Castling is understood as king takes rook, and where the king stands on the
 * e-file also by its goal: elsewhere that could mean a plain move of the king.
 */
LUFT_API LUFT_NODISCARD luft_error luft_move_from_uci(luft_move *move, const luft_position *position, const char *text,
                                                      size_t length);

/* --- SAN ------------------------------------------------------------------- */

#define LUFT_SAN_SIZE 8       /* Qa1xb2+, exd8=Q# and their NUL */
#define LUFT_FIGURINE_SIZE 10 /* the same with a piece of three bytes */

/*
 * Writes a legal move of the position in SAN, as short as it can be: file, rank or both only
 * where another legal move would read the same; + and # where they are due. LUFT_MOVE_NONE is
 * written as "--". Text goes into the buffer as luft_move_to_uci writes it. Returns its length, 0 if the
 * move is not legal.
 */
LUFT_API size_t luft_move_to_san(char *buffer, size_t size, const luft_position *position, luft_move move);

/* The same with a UTF-8 figurine for the letter of a piece, white ones for both sides: ♘f3, exd8=♕+ */
LUFT_API size_t luft_move_to_figurine(char *buffer, size_t size, const luft_position *position, luft_move move);

/*
 * Reads `length` bytes as a legal move in SAN, as people write it: O-O or 0-0; e8=Q, e8Q, e8(Q) or e8/Q; with
 * more than is needed to tell the moves apart (Nbd2, Ng1f3, Ng1-f3, Pe4), also as both squares without a letter, as in
 * UCI (e2e4, e2-e4, g1f3, e1g1); with or without a capture sign, right or wrong; with any of + # ! ?, right or
 * wrong, and e.p. at the end; with figurines of either colour. Piece letters are English and may be in lower
 * case, but b is always the file. LUFT_MOVE_NONE is not a legal move, so "--" is an error here:
 * luft_move_from_san_or_null reads it.
 *
 * LUFT_ERROR_MOVE_SYNTAX if the text is not a move, LUFT_ERROR_MOVE_ILLEGAL if no legal move is meant,
 * LUFT_ERROR_MOVE_AMBIGUOUS if more than one is, as with e8 where a pawn promotes.
 */
LUFT_API LUFT_NODISCARD luft_error luft_move_from_san(luft_move *move, const luft_position *position, const char *text,
                                                      size_t length);

/*
 * The same, and the null move too, which gives LUFT_MOVE_NONE: -- or Z0, 0000, @@@@, null. LUFT_ERROR_MOVE_ILLEGAL for
 * a null move in check. Play LUFT_MOVE_NONE with luft_make_null.
 */
LUFT_API LUFT_NODISCARD luft_error luft_move_from_san_or_null(luft_move *move, const luft_position *position,
                                                              const char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
