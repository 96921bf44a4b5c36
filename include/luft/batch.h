/* SPDX-License-Identifier: MIT */
/*
 * Many positions, and many games, in one call: for languages in which a call
 * into C costs more than what it does, and for programs that want flat arrays.
 *
 * All results go into arrays of the caller. A call does as much as there is room
 * for and says how far it came; the next call continues from there. A batch reader, and
 * the PGN reader under it, belong to one thread at a time.
 */
#ifndef LUFT_BATCH_H
#define LUFT_BATCH_H

#include "perft.h"
#include "pgn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Positions ------------------------------------------------------------- */

/*
 * Reads lines of text as FENs, each line one, the empty ones too; a line ends in LF or CRLF. For
 * line i, errors[i] is what luft_position_from_fen returns; where that is not LUFT_OK, positions[i]
 * is filled with zeros, a position without pieces that the functions below skip. Stops
 * after `capacity` lines or at the end of the text; `used`, which may be NULL, is the number of bytes read.
 * Returns the number of lines.
 */
LUFT_API size_t luft_batch_positions(luft_position *positions, luft_error *errors, size_t capacity, const char *text,
                                     size_t length, size_t *used);

/*
 * The legal moves of many valid positions, one list after the other: those of positions[i] are
 * moves[offsets[i]] up to, not including, moves[offsets[i + 1]]. `offsets` has room for count + 1.
 * Stops before the first position whose moves do not fit into `capacity`; room for LUFT_MAX_MOVES
 * is always enough for one. Returns the number of positions done.
 */
LUFT_API size_t luft_batch_legal_moves(luft_move *moves, size_t capacity, uint64_t *offsets,
                                       const luft_position *positions, size_t count);

/* counts[i] is the perft of positions[i] to this depth, 0 for one of zeros. LUFT_ERROR_ARGUMENT for a bad depth. */
LUFT_API luft_error luft_batch_perft(uint64_t *counts, const luft_position *positions, size_t count, int depth);

/*
 * The positions of a line of play: positions[i] is the one after i + 1 moves from `start`, and
 * LUFT_MOVE_NONE passes the turn. Returns how many moves were played: `count`, unless one is not legal.
 */
LUFT_API size_t luft_batch_line(luft_position *positions, const luft_position *start, const luft_move *moves,
                                size_t count);

/* --- Games of a PGN ---------------------------------------------------------- */

/* One game. Without pointers, so that it can be kept in a file together with the arrays it refers to. */
typedef struct luft_batch_game {
    luft_position start;   /* before the first move; zeros if the tags set up no position */
    uint64_t first_move;   /* where its moves begin in `moves` */
    uint64_t first_text;   /* where its text begins in `text` */
    uint64_t number;       /* of the game in the input, from 1 */
    uint64_t line;         /* of its beginning, from 1 */
    uint64_t error_line;   /* of the mistake, 0 if there is none */
    uint64_t error_column; /* in bytes, from 1; 0 if there is none */
    uint32_t move_count;   /* of the main line, up to the mistake */
    uint32_t text_length;  /* in bytes */
    uint32_t tag_count;
    uint16_t result; /* a luft_result */
    uint16_t error;  /* a luft_error: the mistake that cut the game, or LUFT_OK */
} luft_batch_game;

#define LUFT_BATCH_MIN_TEXT 256 /* the least text_capacity: room for the words about a mistake */

/*
 * The caller's arrays, and how far they are filled. The text of a game is a row of terminated strings:
 * name and value of each tag, and if the game has a mistake the reason in English and the text
 * at fault, or its beginning. (A NUL within one of these, which no honest file has, is passed on as a blank.)
 */
typedef struct luft_batch_games {
    luft_batch_game *games;
    luft_move *moves; /* LUFT_MOVE_NONE is a null move */
    char *text;
    size_t game_capacity; /* these three are set by the caller: at least 1 */
    size_t move_capacity;
    size_t text_capacity; /* at least LUFT_BATCH_MIN_TEXT */
    size_t game_count;    /* and these three by luft_batch_read */
    size_t move_count;
    size_t text_count;
} luft_batch_games;

/* A reader of games in batches; it keeps the one game that did not fit. */
typedef struct luft_batch_reader luft_batch_reader;

/* Takes its games from `reader`, which stays the caller's and must live longer. Free it with luft_batch_reader_free. */
LUFT_API LUFT_NODISCARD luft_error luft_batch_reader_create(luft_batch_reader **batch, luft_pgn_reader *reader);

/* NULL is fine. */
LUFT_API void luft_batch_reader_free(luft_batch_reader *batch);

/*
 * Fills the arrays with the next games, at least one. LUFT_ERROR_END if there is none left, LUFT_ERROR_READ
 * if the source failed; either comes only after all games before it were handed over.
 * Variations are passed over unread, so a mistake in one is not found.
 *
 * A game that does not fit behind others is kept for the next call. One that does not fit into the empty
 * arrays is cut where they are full, with LUFT_ERROR_OVERFLOW as its mistake; so memory stays bounded
 * whatever the file. LUFT_ERROR_OVERFLOW is returned, and the game stays for another call, only if it was kept
 * from a call with larger arrays.
 */
LUFT_API LUFT_NODISCARD luft_error luft_batch_read(luft_batch_games *games, luft_batch_reader *batch);

#ifdef __cplusplus
}
#endif

#endif
