/* SPDX-License-Identifier: MIT */
/*
 * Legal moves, and making them. The generator is legal: it uses the check mask and
 * pin masks and never makes a move to test it. Making a move writes a new position and leaves
 * the old one as it was, so nothing is ever unmade.
 */
#ifndef LUFT_MOVEGEN_H
#define LUFT_MOVEGEN_H

#include "position.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A game of chess can reach 218. Set-ups with fifteen queens are valid too: 8 + 2 moves of
 * the king and at most 27 for each other piece.
 */
#define LUFT_MAX_MOVES 415

typedef struct luft_move_list {
    int count;
    luft_move moves[LUFT_MAX_MOVES];
} luft_move_list;

/* Which of the legal moves; captures and quiets together are all of them. */
typedef enum luft_move_class {
    LUFT_ALL_MOVES = 0,
    LUFT_CAPTURES = 1, /* captures, en passant and promotions of every kind */
    LUFT_QUIETS = 2,   /* the rest, castling included */
    LUFT_EVASIONS = 3  /* all moves if the side to move is in check, none if it is not */
} luft_move_class;

/*
 * Fills the list with the legal moves of a valid position and returns how many
 * they are. The order is fixed for a position but promises nothing else.
 */
LUFT_API int luft_generate(luft_move_list *list, const luft_position *position, luft_move_class which);

/* The number of legal moves, without a list. */
LUFT_API int luft_count_moves(const luft_position *position);

/* Is there any legal move? If not, it is mate or stalemate. */
LUFT_API bool luft_has_legal_move(const luft_position *position);

/* Is this one of the legal moves? Correct for each of the 65,536 values. */
LUFT_API LUFT_NODISCARD bool luft_is_legal(const luft_position *position, luft_move move);

/* Does this legal move give check, directly or by discovery? */
LUFT_API bool luft_gives_check(const luft_position *position, luft_move move);

/*
 * Makes a legal move without checking it: after any other move the result is undefined.
 * `next` and `position` may be the same object.
 */
LUFT_API void luft_make(luft_position *next, const luft_position *position, luft_move move);

/* Checks, then makes: LUFT_ERROR_MOVE_ILLEGAL leaves `next` untouched. */
LUFT_API LUFT_NODISCARD luft_error luft_play(luft_position *next, const luft_position *position, luft_move move);

/* Passes the turn: LUFT_ERROR_MOVE_ILLEGAL in check. Not a move of chess; a search uses it. */
LUFT_API LUFT_NODISCARD luft_error luft_make_null(luft_position *next, const luft_position *position);

#ifdef __cplusplus
}
#endif

#endif
