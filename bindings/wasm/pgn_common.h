/* SPDX-License-Identifier: MIT */
/* What reading one game and scanning many share. */
#ifndef LUFT_WASM_PGN_COMMON_H
#define LUFT_WASM_PGN_COMMON_H

#include "rules.h"

#include <stdio.h>
#include <string.h>

/* What is wrong, the text at fault and its line, as one string. */
static inline void pgn_put_error(json *out, const luft_pgn_error *error) {
    char text[256];
    const int shown = error->token_length < 60 ? (int)error->token_length : 60;
    snprintf(text, sizeof text, "line %llu: %s%s%.*s", (unsigned long long)error->place.line, error->reason,
             shown > 0 ? ": " : "", shown, error->token);
    json_bytes(out, text, strlen(text));
}

#endif
