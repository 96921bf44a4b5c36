/* SPDX-License-Identifier: MIT */
/* A buffer that grows by half, and the two ways to make text from outside safe to print. */
#include "buffer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 256

char *buffer_reserve(buffer *out, size_t count) {
    if (out->data && count <= out->capacity - out->length) {
        return out->data + out->length;
    }
    if (count > SIZE_MAX / 4 || out->length > SIZE_MAX / 4) {
        out->failed = true;
        return NULL;
    }
    const size_t needed = out->length + count;
    const size_t capacity = needed < CAPACITY_MIN ? CAPACITY_MIN : needed + needed / 2;
    char *data = realloc(out->data, capacity);
    if (!data) {
        out->failed = true;
        return NULL;
    }
    out->data = data;
    out->capacity = capacity;
    return data + out->length;
}

void buffer_append(buffer *out, const void *data, size_t count) {
    char *end = count > 0 ? buffer_reserve(out, count) : NULL;
    if (end) {
        memcpy(end, data, count);
        out->length += count;
    }
}

void buffer_append_text(buffer *out, const char *text) {
    buffer_append(out, text, strlen(text));
}

void buffer_printf(buffer *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *end = length >= 0 ? buffer_reserve(out, (size_t)length + 1) : NULL;
    if (end) {
        vsnprintf(end, (size_t)length + 1, format, again);
        out->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void buffer_append_printable(buffer *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (byte >= ' ' && byte <= '~' && byte != '\\') {
            buffer_append(out, &text[i], 1);
        } else {
            buffer_printf(out, "\\x%02x", byte);
        }
    }
}

/* The length of the UTF-8 character at the front, 0 for none. Refuses overlong forms, surrogates and all above 10FFFF. */
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

size_t buffer_append_character(buffer *out, const char *text, size_t length) {
    const size_t size = utf8_length((const unsigned char *)text, length);
    if (size > 0) {
        buffer_append(out, text, size);
        return size;
    }
    const unsigned char byte = (unsigned char)text[0];
    const char latin[2] = {(char)(0xc0 | byte >> 6), (char)(0x80 | (byte & 0x3f))};
    buffer_append(out, latin, 2);
    return 1;
}

void buffer_append_readable(buffer *out, const char *text, size_t length) {
    for (size_t left = length; left > 0;) {
        const unsigned char first = (unsigned char)text[0];
        /* Terminals also obey the control characters of Latin-1, 80 to 9F, and so in UTF-8: C2 80 to C2 9F. */
        const unsigned char second = left > 1 ? (unsigned char)text[1] : 0;
        const bool is_split_control = first == 0xc2 && second >= 0x80 && second < 0xa0;
        size_t taken = 1;
        if (first < ' ' || (first >= 0x7f && first < 0xa0) || is_split_control) {
            buffer_printf(out, "\\x%02x", first);
        } else {
            taken = buffer_append_character(out, text, left);
        }
        text += taken;
        left -= taken;
    }
}

void buffer_remove_front(buffer *out, size_t count) {
    if (count > 0) {
        out->length -= count;
        memmove(out->data, out->data + count, out->length);
    }
}

void buffer_clear(buffer *out) {
    out->length = 0;
}

void buffer_free(buffer *out) {
    free(out->data);
    *out = (buffer){0};
}
