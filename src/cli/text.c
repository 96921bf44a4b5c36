/* SPDX-License-Identifier: MIT */
/*
 * Numbers and words in and out of text, as text.h describes. Nothing here reads
 * past the length it is given or trusts a byte that came from outside.
 */
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool text_to_number(uint64_t *value, const char *text, size_t length, uint64_t maximum) {
    uint64_t number = 0;
    if (length == 0) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        const uint64_t digit = (uint64_t)(text[i] - '0');
        if (number > (UINT64_MAX - digit) / 10) {
            return false;
        }
        number = number * 10 + digit;
    }
    if (number > maximum) {
        return false;
    }
    *value = number;
    return true;
}

const char *text_group_digits(char buffer[TEXT_GROUPED_SIZE], uint64_t value) {
    char digits[21];
    const int count = snprintf(digits, sizeof digits, "%" PRIu64, value);
    size_t out = 0;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0) {
            buffer[out++] = ',';
        }
        buffer[out++] = digits[i];
    }
    buffer[out] = '\0';
    return buffer;
}

const char *text_quote(char buffer[TEXT_QUOTED_SIZE], const char *text, size_t length) {
    /* Room is kept for the dots, the closing quote and the NUL. */
    const size_t limit = TEXT_QUOTED_SIZE - 5;
    size_t out = 0;
    buffer[out++] = '"';
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        const bool printable = byte >= ' ' && byte <= '~';
        if (out + (printable ? 1 : 4) > limit) {
            memcpy(buffer + out, "...", 3);
            out += 3;
            break;
        }
        if (printable) {
            buffer[out++] = (char)byte;
        } else {
            out += (size_t)snprintf(buffer + out, 5, "\\x%02x", byte);
        }
    }
    buffer[out++] = '"';
    buffer[out] = '\0';
    return buffer;
}

bool text_is_blank(char byte) {
    return byte == ' ' || byte == '\t';
}

void text_trim(const char **text, size_t *length) {
    while (*length > 0 && text_is_blank(**text)) {
        ++*text;
        --*length;
    }
    while (*length > 0 && text_is_blank((*text)[*length - 1])) {
        --*length;
    }
}

bool text_next_word(const char **word, size_t *word_length, const char **text, size_t *length) {
    text_trim(text, length);
    size_t end = 0;
    while (end < *length && !text_is_blank((*text)[end])) {
        end++;
    }
    *word = *text;
    *word_length = end;
    *text += end;
    *length -= end;
    return end > 0;
}
