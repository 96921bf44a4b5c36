/* SPDX-License-Identifier: MIT */
/* Numbers and words in and out of text; see text.h. No function reads past the given length or trusts a byte. */
#include "text.h"

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

bool text_to_thousandths(int64_t *value, const char *text, size_t length, uint64_t maximum) {
    const char *point = memchr(text, '.', length);
    const size_t whole_length = point ? (size_t)(point - text) : length;
    const size_t digits = point ? length - whole_length - 1 : 0;
    uint64_t whole, part = 0;
    if (!text_to_number(&whole, text, whole_length, maximum) ||
        (point && !text_to_number(&part, point + 1, digits, 999)) || digits > 3) {
        return false;
    }
    for (size_t i = digits; i < 3; i++) {
        part *= 10;
    }
    *value = (int64_t)(whole * 1000 + part);
    return true;
}

/* Divides by ten, 32 bits at a time, and returns the remainder. */
static unsigned divide_by_ten(luft_count *count) {
    uint64_t remainder = 0;
    uint64_t *const words[2] = {&count->high, &count->low};
    for (int i = 0; i < 2; i++) {
        const uint64_t upper = remainder << 32 | *words[i] >> 32;
        const uint64_t lower = (upper % 10) << 32 | (*words[i] & 0xffffffff);
        *words[i] = (upper / 10) << 32 | lower / 10;
        remainder = lower % 10;
    }
    return (unsigned)remainder;
}

const char *text_count(char buffer[TEXT_COUNT_SIZE], luft_count count, bool grouped) {
    char reversed[TEXT_COUNT_SIZE];
    size_t digits = 0;
    size_t length = 0;
    do {
        if (grouped && digits > 0 && digits % 3 == 0) {
            reversed[length++] = ',';
        }
        reversed[length++] = (char)('0' + divide_by_ten(&count));
        digits++;
    } while (count.low | count.high);
    for (size_t i = 0; i < length; i++) {
        buffer[i] = reversed[length - 1 - i];
    }
    buffer[length] = '\0';
    return buffer;
}

const char *text_quote(char buffer[TEXT_QUOTED_SIZE], const char *text, size_t length) {
    /* Keeps room for the dots, the closing quote and the NUL. */
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
