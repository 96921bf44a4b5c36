/* SPDX-License-Identifier: MIT */
/*
 * Reads moves as people type them, more forgiving than the library, and explains why a move is refused.
 */
#ifndef LUFT_PROGRAM_PLAY_MOVE_H
#define LUFT_PROGRAM_PLAY_MOVE_H

#include "luft/luft.h"

/*
 * Reads a move in SAN or UCI notation, with or without its number (12.Nf3, 12... Nf3), in any case that leaves one
 * legal move. Errors are those of luft_move_from_san.
 */
luft_error play_read_move(luft_move *move, const luft_position *position, const char *text, size_t length);

/* Why the move was refused: one sentence. Returns `buffer`. */
#define PLAY_REASON_SIZE 200
const char *play_refusal(char buffer[PLAY_REASON_SIZE], const luft_position *position, const char *text, size_t length,
                         luft_error error);

#endif
