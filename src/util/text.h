/* SPDX-License-Identifier: MIT */
/*
 * Text functions that the commands share: strict numbers in, readable numbers out, and text from outside made safe to
 * print. No input or output.
 */
#ifndef LUFT_UTIL_TEXT_H
#define LUFT_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luft/perft.h"

/*
 * Reads a number of decimal digits and nothing else: no sign, blank or exponent. False, with `*value` untouched, for
 * other text or a number greater than `maximum`.
 */
bool text_to_number(uint64_t *value, const char *text, size_t length, uint64_t maximum);

/*
 * Reads digits, optionally a point and up to three more, such as "10" or "0.5", as thousandths. False, with `*value`
 * untouched, for other text or an integer part greater than `maximum`, which is at most 10^15.
 */
bool text_to_thousandths(int64_t *value, const char *text, size_t length, uint64_t maximum);

/* A count in decimal digits, with commas between the thousands if `grouped`: 119,060,324. Returns `buffer`. */
#define TEXT_COUNT_SIZE 52
const char *text_count(char buffer[TEXT_COUNT_SIZE], luft_count count, bool grouped);

/* Text from outside in double quotes, as printable ASCII with \xHH; a long text is cut and ends in "...". Returns `buffer`. */
#define TEXT_QUOTED_SIZE 64
const char *text_quote(char buffer[TEXT_QUOTED_SIZE], const char *text, size_t length);

/* Is the byte a space or a tab? */
bool text_is_blank(char byte);

/* Removes the blanks at both ends of the text. */
void text_trim(const char **text, size_t *length);

/* Removes the next word from the front of the text; blanks separate words. False if there is none left. */
bool text_next_word(const char **word, size_t *word_length, const char **text, size_t *length);

#endif
