/* SPDX-License-Identifier: MIT */
/* The JSON writer; see json.h. */
#include "json.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* --- Layout ------------------------------------------------------------------ */

static bool is_in_lines(const json *out) {
    return out->depth > 0 && out->lines >> (out->depth - 1) & 1;
}

static void begin_line(json *out) {
    buffer_append_text(out->text, "\n");
    for (unsigned i = 0; i < out->depth; i++) {
        buffer_append_text(out->text, "  ");
    }
}

/* Before a name, or before a value without one. */
static void begin_member(json *out) {
    if (out->has_key) {
        out->has_key = false;
        return;
    }
    if (out->has_member) {
        buffer_append_text(out->text, is_in_lines(out) ? "," : ", ");
    }
    if (is_in_lines(out)) {
        begin_line(out);
    }
    out->has_member = true;
}

static void open_container(json *out, char bracket, bool in_lines) {
    assert(out->depth < JSON_DEPTH_MAX);
    begin_member(out);
    buffer_append(out->text, &bracket, 1);
    const uint32_t bit = UINT32_C(1) << out->depth;
    out->lines = in_lines ? out->lines | bit : out->lines & ~bit;
    out->depth++;
    out->has_member = false;
}

void json_open(json *out, char bracket) {
    open_container(out, bracket, false);
}

void json_open_lines(json *out, char bracket) {
    open_container(out, bracket, true);
}

void json_close(json *out, char bracket) {
    assert(out->depth > 0 && !out->has_key);
    const bool needs_line = is_in_lines(out) && out->has_member;
    out->depth--;
    if (needs_line) {
        begin_line(out);
    }
    buffer_append(out->text, &bracket, 1);
    out->has_member = true;
}

/* --- Values ------------------------------------------------------------------ */

/* Does the byte stand for itself in a string? */
static bool is_plain(unsigned char byte) {
    return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

static void append_string(buffer *out, const char *text, size_t length) {
    buffer_append_text(out, "\"");
    for (size_t i = 0; i < length;) {
        size_t end = i;
        while (end < length && is_plain((unsigned char)text[end])) {
            end++;
        }
        buffer_append(out, text + i, end - i);
        i = end;
        if (i == length) {
            break;
        }
        const unsigned char byte = (unsigned char)text[i];
        if (byte >= 0x80) {
            i += buffer_append_character(out, text + i, length - i);
        } else {
            buffer_printf(out, byte == '"' || byte == '\\' ? "\\%c" : "\\u%04x", byte);
            i++;
        }
    }
    buffer_append_text(out, "\"");
}

void json_key_bytes(json *out, const char *name, size_t length) {
    begin_member(out);
    append_string(out->text, name, length);
    buffer_append_text(out->text, ": ");
    out->has_key = true;
}

void json_key(json *out, const char *name) {
    json_key_bytes(out, name, strlen(name));
}

void json_bytes(json *out, const char *text, size_t length) {
    begin_member(out);
    append_string(out->text, text, length);
}

void json_string(json *out, const char *text) {
    json_bytes(out, text, strlen(text));
}

void json_literal(json *out, const char *text) {
    begin_member(out);
    buffer_append_text(out->text, text);
}

void json_number(json *out, uint64_t number) {
    begin_member(out);
    buffer_printf(out->text, "%" PRIu64, number);
}

void json_integer(json *out, int64_t number) {
    begin_member(out);
    buffer_printf(out->text, "%" PRId64, number);
}

void json_real(json *out, double number, int decimals) {
    begin_member(out);
    buffer_printf(out->text, "%.*f", decimals, number);
}

void json_bool(json *out, bool value) {
    json_literal(out, value ? "true" : "false");
}

void json_null(json *out) {
    json_literal(out, "null");
}
