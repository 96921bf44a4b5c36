/* SPDX-License-Identifier: MIT */
/*
 * A game: a start position and moves, with undo and redo, repetition and outcome.
 * It grows with every move.
 *
 * A game belongs to one thread at a time; to read one from several is fine.
 */
#ifndef LUFT_GAME_H
#define LUFT_GAME_H

#include "movegen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- How a game ends ------------------------------------------------------ */

/* What ends a game without a claim. */
typedef enum luft_termination {
    LUFT_NOT_OVER = 0,
    LUFT_CHECKMATE,
    LUFT_STALEMATE,
    LUFT_INSUFFICIENT_MATERIAL,  /* neither side can mate with its pieces: luft_has_insufficient_material */
    LUFT_SEVENTY_FIVE_MOVE_RULE, /* 75 moves of each side without a capture or a pawn move, the last not a mate */
    LUFT_FIVEFOLD_REPETITION
} luft_termination;

#define LUFT_NO_WINNER (-1)

typedef struct luft_outcome {
    luft_termination termination;
    int winner; /* a luft_color, or LUFT_NO_WINNER for a draw and an unfinished game */
} luft_outcome;

/* Draws that the side to move may claim: a set of these bits. */
typedef enum luft_claim {
    LUFT_CLAIM_NONE = 0,
    LUFT_CLAIM_THREEFOLD_REPETITION = 1 << 0, /* the position has occurred three times */
    LUFT_CLAIM_FIFTY_MOVE_RULE = 1 << 1       /* fifty moves of each side without a capture or a pawn move */
} luft_claim;

/* A short English name, such as "checkmate"; never NULL. */
LUFT_API const char *luft_termination_string(luft_termination termination);

/*
 * Is mate impossible because of the material? True for the kings alone, for one minor piece,
 * and for bishops of either side that all stand on squares of one colour.
 */
LUFT_API bool luft_has_insufficient_material(const luft_position *position);

/*
 * True if this side cannot mate by any sequence of legal moves, because of the pieces on the board alone: it has a
 * king only; a king and a knight against a king with or without queens; or a king and bishops, and all bishops on
 * the board stand on one colour and there is no knight or pawn. The other side may be able to mate: a player who
 * runs out of time draws if this is true of the opponent. False if `color` is not a colour.
 */
LUFT_API bool luft_side_has_insufficient_material(const luft_position *position, luft_color color);

/* The outcome as far as it follows from the position: all but repetition. */
LUFT_API luft_outcome luft_position_outcome(const luft_position *position);

/* --- The game ------------------------------------------------------------- */

typedef struct luft_game luft_game;

/*
 * A game that starts from `start`, or from the standard start position if that is NULL. LUFT_ERROR_POSITION if `start`
 * is invalid. Free it with luft_game_free.
 */
LUFT_API LUFT_NODISCARD luft_error luft_game_create(luft_game **game, const luft_position *start);

/* Frees the game and what belongs to it. NULL is fine. */
LUFT_API void luft_game_free(luft_game *game);

/* Copies a game, the moves to redo included. Free the copy with luft_game_free. */
LUFT_API LUFT_NODISCARD luft_error luft_game_copy(luft_game **copy, const luft_game *game);

/*
 * Plays a move: LUFT_ERROR_MOVE_ILLEGAL if it is not legal, LUFT_ERROR_MEMORY if out of
 * memory. Discards the moves to redo, unless this is the first of them. A game that is over by the rules can be
 * continued: callers check the outcome.
 */
LUFT_API LUFT_NODISCARD luft_error luft_game_play(luft_game *game, luft_move move);

/* One move back, one move forward; LUFT_ERROR_HISTORY if there is none. */
LUFT_API LUFT_NODISCARD luft_error luft_game_undo(luft_game *game);
LUFT_API LUFT_NODISCARD luft_error luft_game_redo(luft_game *game);

/* To the position after the first `ply` moves; LUFT_ERROR_HISTORY beyond luft_game_length. */
LUFT_API LUFT_NODISCARD luft_error luft_game_go_to(luft_game *game, size_t ply);

/* How many moves lead to the present position, and how many there are with those to redo. */
LUFT_API size_t luft_game_ply(const luft_game *game);
LUFT_API size_t luft_game_length(const luft_game *game);

/* The present position. The pointer holds until the game is next changed. NULL for NULL. */
LUFT_API const luft_position *luft_game_position(const luft_game *game);

/* The position after the first `ply` moves, 0 for the start; NULL beyond luft_game_length. Holds as above. */
LUFT_API const luft_position *luft_game_position_at(const luft_game *game, size_t ply);

/* The move that follows the first `ply` moves, LUFT_MOVE_NONE beyond the last. */
LUFT_API luft_move luft_game_move_at(const luft_game *game, size_t ply);

/*
 * How often the present position has occurred in the game, this time included: 1 if it is new, 0 for NULL. Positions
 * are the same if the same pieces stand on the same squares, the same side is to move and may castle with the same rooks,
 * and the same en passant captures are legal.
 */
LUFT_API int luft_game_repetitions(const luft_game *game);

/*
 * The outcome of the game so far. If several terminations apply, the first in luft_termination: mate on the last of
 * seventy-five moves is mate.
 */
LUFT_API luft_outcome luft_game_outcome(const luft_game *game);

/* The draws, luft_claim bits, that the side to move may claim in this position. None after mate or stalemate. */
LUFT_API unsigned luft_game_claims(const luft_game *game);

/*
 * The draws that the side to move may claim by announcing this move: those that could be claimed after it. None for
 * a move that mates or is not legal.
 */
LUFT_API unsigned luft_game_claims_by(const luft_game *game, luft_move move);

#ifdef __cplusplus
}
#endif

#endif
