/* SPDX-License-Identifier: MIT */
/* Growing text, and JSON in it; see json.h. */
#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 1 << 20 }; /* bytes that stay for the next text */

void json_clear(json *out) {
    if (out->room > KEPT) {
        free(out->text);
        *out = (json){0};
    }
    out->length = 0;
    out->failed = out->comma = false;
}

void json_raw(json *out, const char *text, size_t length) {
    if (out->room - out->length < length) {
        const size_t room = 2 * (out->length + length) + 256;
        char *more = room > length ? realloc(out->text, room) : NULL;
        if (!more) {
            out->failed = true;
            return;
        }
        out->text = more;
        out->room = room;
    }
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

static void put(json *out, char byte) {
    json_raw(out, &byte, 1);
}

static void begin_value(json *out) {
    if (out->comma) {
        put(out, ',');
    }
    out->comma = true;
}

void json_open(json *out, char bracket) {
    begin_value(out);
    put(out, bracket);
    out->comma = false;
}

void json_close(json *out, char bracket) {
    put(out, bracket);
    out->comma = true;
}

void json_key(json *out, const char *name) {
    json_string(out, name);
    put(out, ':');
    out->comma = false;
}

void json_string(json *out, const char *text) {
    json_bytes(out, text, strlen(text));
}

/* The length of the UTF-8 character that begins here, 0 if none does. */
static size_t character_length(const unsigned char *text, size_t left) {
    const unsigned first = text[0];
    const size_t length = first < 0x80   ? 1
                          : first < 0xc2 ? 0
                          : first < 0xe0 ? 2
                          : first < 0xf0 ? 3
                          : first < 0xf5 ? 4
                                         : 0;
    if (length == 0 || length > left) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    /* Too long a form, half of a pair, or beyond the last character. */
    const bool is_wrong = (first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] >= 0xa0) ||
                          (first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] >= 0x90);
    return is_wrong ? 0 : length;
}

static bool is_utf8(const char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        const size_t step = character_length((const unsigned char *)text + i, length - i);
        if (step == 0) {
            return false;
        }
        i += step;
    }
    return true;
}

/* Does the byte stand for itself in a string? */
static bool is_plain(unsigned char byte, bool is_latin) {
    return byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f && (byte < 0x80 || !is_latin);
}

static void put_special(json *out, unsigned char byte) {
    static const char digits[] = "0123456789abcdef";
    if (byte >= 0x80) { /* Latin-1 as UTF-8 */
        put(out, (char)(0xc0 | byte >> 6));
        put(out, (char)(0x80 | (byte & 0x3f)));
    } else {
        const char escape[6] = {'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};
        json_raw(out, escape, sizeof escape);
    }
}

void json_bytes(json *out, const char *text, size_t length) {
    const bool is_latin = !is_utf8(text, length);
    begin_value(out);
    put(out, '"');
    for (size_t i = 0; i < length;) {
        size_t end = i;
        while (end < length && is_plain((unsigned char)text[end], is_latin)) {
            end++;
        }
        json_raw(out, text + i, end - i);
        if (end < length) {
            put_special(out, (unsigned char)text[end++]);
        }
        i = end;
    }
    put(out, '"');
}

void json_number(json *out, uint64_t number) {
    char digits[20], *first = digits + sizeof digits;
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    begin_value(out);
    json_raw(out, first, (size_t)(digits + sizeof digits - first));
}

static void put_word(json *out, const char *word) {
    begin_value(out);
    json_raw(out, word, strlen(word));
}

void json_bool(json *out, bool value) {
    put_word(out, value ? "true" : "false");
}

void json_null(json *out) {
    put_word(out, "null");
}
