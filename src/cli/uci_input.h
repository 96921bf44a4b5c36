/* SPDX-License-Identifier: MIT */
/*
 * Standard input as it comes, line by line, for programs on the other side of a
 * pipe: a line is handed out as soon as it is complete. It may be of any length.
 */
#ifndef LUFT_CLI_UCI_INPUT_H
#define LUFT_CLI_UCI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* All zeros is one from which nothing was read yet. */
typedef struct uci_input {
    char *bytes;
    size_t used; /* of the lines already taken */
    size_t filled;
    size_t room;
    bool begun; /* a byte order mark was looked for */
} uci_input;

/*
 * The next line, without LF or CR LF, and without a byte order mark if it is the first. It is good until the next call.
 * False at the end of the input, or if there is no memory for the line.
 */
bool uci_input_next(uci_input *input, const char **line, size_t *length);

void uci_input_free(uci_input *input);

#endif
