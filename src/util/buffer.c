/* SPDX-License-Identifier: MIT */
/* A buffer that grows by half, and the ways in which text from outside is made safe: for terminals and for JSON. */
#include "buffer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALLEST 256

char *bytes_reserve(bytes *buffer, size_t count) {
    if (count <= buffer->capacity - buffer->length) {
        return buffer->data + buffer->length;
    }
    if (count > SIZE_MAX / 4 || buffer->length > SIZE_MAX / 4) {
        buffer->failed = true;
        return NULL;
    }
    const size_t needed = buffer->length + count;
    const size_t capacity = needed < SMALLEST ? SMALLEST : needed + needed / 2;
    char *data = realloc(buffer->data, capacity);
    if (!data) {
        buffer->failed = true;
        return NULL;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return data + buffer->length;
}

void bytes_append(bytes *buffer, const void *data, size_t count) {
    char *end = count > 0 ? bytes_reserve(buffer, count) : NULL;
    if (end) {
        memcpy(end, data, count);
        buffer->length += count;
    }
}

void bytes_append_text(bytes *buffer, const char *text) {
    bytes_append(buffer, text, strlen(text));
}

void bytes_printf(bytes *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *end = length >= 0 ? bytes_reserve(buffer, (size_t)length + 1) : NULL;
    if (end) {
        vsnprintf(end, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void bytes_append_printable(bytes *buffer, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (byte >= ' ' && byte <= '~' && byte != '\\') {
            bytes_append(buffer, &text[i], 1);
        } else {
            bytes_printf(buffer, "\\x%02x", byte);
        }
    }
}

/* The length of the UTF-8 character at the front, 0 if there is none: no overlong ones, no surrogates, no more than 10FFFF. */
static size_t utf8_length(const unsigned char *text, size_t length) {
    const unsigned char first = text[0];
    const size_t size = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
    if (size == 0 || size > length) {
        return 0;
    }
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f) || (first == 0xf0 && text[1] < 0x90) ||
        (first == 0xf4 && text[1] > 0x8f)) {
        return 0;
    }
    return size;
}

/* The character at the front, in UTF-8. Returns how many bytes of the text it is. */
static size_t append_character(bytes *buffer, const unsigned char *text, size_t length) {
    const size_t size = utf8_length(text, length);
    if (size > 0) {
        bytes_append(buffer, text, size);
        return size;
    }
    const char latin[2] = {(char)(0xc0 | text[0] >> 6), (char)(0x80 | (text[0] & 0x3f))};
    bytes_append(buffer, latin, 2);
    return 1;
}

void bytes_append_readable(bytes *buffer, const char *text, size_t length) {
    const unsigned char *next = (const unsigned char *)text;
    for (size_t left = length; left > 0;) {
        size_t taken = 1;
        /* Terminals obey the control characters of Latin-1 too, 80 to 9F, also where they are written in UTF-8. */
        const bool is_split_control = left > 1 && next[0] == 0xc2 && next[1] >= 0x80 && next[1] < 0xa0;
        const bool is_stray_control = next[0] >= 0x7f && next[0] < 0xa0;
        if (next[0] < ' ' || is_stray_control || is_split_control) {
            bytes_printf(buffer, "\\x%02x", next[0]);
        } else {
            taken = append_character(buffer, next, left);
        }
        next += taken;
        left -= taken;
    }
}

void bytes_append_json(bytes *buffer, const char *text, size_t length) {
    const unsigned char *next = (const unsigned char *)text;
    bytes_append_text(buffer, "\"");
    for (size_t left = length; left > 0;) {
        size_t taken = 1;
        if (*next == '"' || *next == '\\') {
            bytes_printf(buffer, "\\%c", *next);
        } else if (*next < ' ' || *next == 0x7f) {
            bytes_printf(buffer, "\\u%04x", *next);
        } else {
            taken = append_character(buffer, next, left);
        }
        next += taken;
        left -= taken;
    }
    bytes_append_text(buffer, "\"");
}

void bytes_remove_front(bytes *buffer, size_t count) {
    if (count > 0) {
        buffer->length -= count;
        memmove(buffer->data, buffer->data + count, buffer->length);
    }
}

void bytes_clear(bytes *buffer) {
    buffer->length = 0;
}

void bytes_free(bytes *buffer) {
    free(buffer->data);
    *buffer = (bytes){0};
}
