/* SPDX-License-Identifier: MIT */
/* An error in a game: what is wrong, where, and the text at fault. Shared by `luft pgn` and `luft analyse --pgn`. */
#ifndef LUFT_PROGRAM_PGN_FAULT_H
#define LUFT_PROGRAM_PGN_FAULT_H

#include "luft/luft.h"

#define PGN_TOKEN_MAX 40
typedef struct pgn_fault {
    luft_error error;
    luft_pgn_place place;
    const char *reason;
    size_t token_length;       /* of the whole token */
    char token[PGN_TOKEN_MAX]; /* its first bytes, not terminated */
} pgn_fault;

/* Copies an error of the reader, whose token is valid only while it is reported. */
pgn_fault pgn_fault_of(const luft_pgn_error *error);

/* How many bytes of the token are kept. */
size_t pgn_fault_token_length(const pgn_fault *fault);

/* Prints FILE:LINE:COLUMN: game N: reason ('token') on standard error. False if out of memory. */
bool pgn_fault_print(const char *path, const pgn_fault *fault);

/* The name of a file in messages: "<stdin>" for "-". */
const char *pgn_path_name(const char *path);

#endif
