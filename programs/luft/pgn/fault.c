/* SPDX-License-Identifier: MIT */
/* Errors in games; see fault.h. */
#include "fault.h"

#include "util/buffer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *pgn_path_name(const char *path) {
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

size_t pgn_fault_token_length(const pgn_fault *fault) {
    return fault->token_length < PGN_TOKEN_MAX ? fault->token_length : PGN_TOKEN_MAX;
}

pgn_fault pgn_fault_of(const luft_pgn_error *error) {
    pgn_fault fault = {
        .error = error->error, .place = error->place, .reason = error->reason, .token_length = error->token_length};
    memcpy(fault.token, error->token, pgn_fault_token_length(&fault));
    return fault;
}

bool pgn_fault_print(const char *path, const pgn_fault *fault) {
    buffer line = {0};
    const char *name = pgn_path_name(path);
    buffer_append_printable(&line, name, strlen(name));
    buffer_printf(&line, ":%" PRIu64 ":%" PRIu64 ": game %" PRIu64 ": %s", fault->place.line, fault->place.column,
                  fault->place.game, fault->reason);
    if (fault->token_length > 0) {
        buffer_append_text(&line, " ('");
        buffer_append_printable(&line, fault->token, pgn_fault_token_length(fault));
        buffer_append_text(&line, fault->token_length <= PGN_TOKEN_MAX ? "')" : "...')");
    }
    buffer_append_text(&line, "\n");
    const bool good = !line.failed;
    if (good) {
        fwrite(line.data, 1, line.length, stderr);
    }
    buffer_free(&line);
    return good;
}
