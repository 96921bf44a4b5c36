/* SPDX-License-Identifier: MIT */
/*
 * Standard input line by line, for a program on the other side of a pipe: a line is
 * handed out as soon as it is complete. It may have any length. The input also ends when
 * nobody can read the answers any more, whoever holds its other end.
 */
#ifndef LUFT_PROGRAM_UCI_INPUT_H
#define LUFT_PROGRAM_UCI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct uci_input {
    char *bytes;
    size_t used; /* bytes of lines that were handed out */
    size_t filled;
    size_t room;
    bool has_ended;  /* there is nothing more to read than the bytes here */
    bool has_begun;  /* the first line, which may have a byte order mark, was handed out */
    bool is_cut;     /* the last line was too long for the memory: only its end is there */
    int lost_output; /* a file whose hangup says that output was lost; -1 for none */
} uci_input;

/* False if out of memory. `lost_output` stays open. */
bool uci_input_begin(uci_input *input, int lost_output);

/*
 * The next line, without LF or CR LF, and without a byte order mark if it is the first. It is valid until the next call.
 * False at the end of the input. `is_cut` is set if the line was too long for the memory.
 */
bool uci_input_next(uci_input *input, const char **line, size_t *length);

/* Can a line be read now or within this time? Also true at the end of the input. */
bool uci_input_is_ready(const uci_input *input, int milliseconds);

/* Does the input end within this time, after at most a few more lines? The last line is not valid any more. */
bool uci_input_ends(uci_input *input, int milliseconds);

void uci_input_free(uci_input *input);

#endif
