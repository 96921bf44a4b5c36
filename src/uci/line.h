/* SPDX-License-Identifier: MIT */
/*
 * A line of input and its words: not terminated, any bytes. Words are separated by
 * runs of spaces and tabs.
 */
#ifndef LUFT_UCI_LINE_H
#define LUFT_UCI_LINE_H

#include "util/text.h"

#include <string.h>

/* A line, or a part of one. */
typedef struct uci_text {
    const char *text;
    size_t length;
} uci_text;

/* Removes the next word from the front of a line. False if there is none. */
static inline bool uci_take_word(uci_text *line, uci_text *word) {
    return text_next_word(&word->text, &word->length, &line->text, &line->length);
}

static inline bool uci_is(uci_text word, const char *expected) {
    return word.length == strlen(expected) && memcmp(word.text, expected, word.length) == 0;
}

#endif
