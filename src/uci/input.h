/* SPDX-License-Identifier: MIT */
/*
 * Standard input as it comes, line by line, for programs on the other side of a
 * pipe: a line is handed out as soon as it is complete. It may be of any length.
 */
#ifndef LUFT_UCI_INPUT_H
#define LUFT_UCI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct uci_input {
    char *bytes;
    size_t used; /* of the lines already taken */
    size_t filled;
    size_t room;
    size_t last; /* where the line begins that was taken last */
    bool begun;  /* a byte order mark was looked for */
    bool cut;    /* there was no memory for the whole of the line that was taken last: only its end is there */
    /* Lines put off, each with its line feed. */
    char *postponed;
    size_t postponed_begin, postponed_end, postponed_room;
} uci_input;

/* False if there is no memory. */
bool uci_input_begin(uci_input *input);

/*
 * The next line, without LF or CR LF, and without a byte order mark if it is the first. It is good until the next call.
 * False at the end of the input. Where the line is too long for the memory that is left, `cut` says so.
 */
bool uci_input_next(uci_input *input, const char **line, size_t *length);

/* Is there something to read, or will there be within this time? Also true at the end of the input. */
bool uci_input_is_ready(const uci_input *input, int milliseconds);

/*
 * Is the line that was taken last the last one of all, and the input ended or about to within this time? The
 * line is not good any more.
 */
bool uci_input_ends(uci_input *input, int milliseconds);

/* The line that was taken last is the next one again. */
void uci_input_put_back(uci_input *input);

/* Puts a line off until it is taken again, first come first served. False if there is no memory. */
bool uci_input_postpone(uci_input *input, const char *line, size_t length);
bool uci_input_has_postponed(const uci_input *input);

/* The line that was put off first; good until the next one is put off. */
void uci_input_take_postponed(uci_input *input, const char **line, size_t *length);

void uci_input_free(uci_input *input);

#endif
