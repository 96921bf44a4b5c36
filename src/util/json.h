/* SPDX-License-Identifier: MIT */
/*
 * Writes JSON into a buffer. Commas, line feeds and indentation follow from the calls:
 *
 *     json out = {.text = &text};
 *     json_open(&out, '{');
 *     json_member(&out, "fen", fen);
 *     json_key(&out, "nodes");
 *     json_number(&out, nodes);
 *     json_close(&out, '}');
 *
 * Running out of memory shows in the buffer. The caller sees to it that brackets match and that names have values.
 */
#ifndef LUFT_UTIL_JSON_H
#define LUFT_UTIL_JSON_H

#include "buffer.h"

#include <stdint.h>

#define JSON_DEPTH_MAX 32 /* containers that may be open at once */

typedef struct json {
    buffer *text;    /* the caller's */
    unsigned depth;  /* open containers */
    uint32_t lines;  /* bit N: the container at depth N + 1 has a line for each member */
    bool has_member; /* the innermost container has one, so a comma precedes the next */
    bool has_key;    /* the next value belongs to a name */
} json;

/* Begins an object '{' or an array '[' on one line; json_open_lines gives each member a line of its own. */
void json_open(json *out, char bracket);
void json_open_lines(json *out, char bracket);

/* Ends it: '}' or ']'. */
void json_close(json *out, char bracket);

/* The name of the next value. */
void json_key(json *out, const char *name);
void json_key_bytes(json *out, const char *name, size_t length);

/* A string; bytes that are not UTF-8 are converted from Latin-1. */
void json_string(json *out, const char *text);
void json_bytes(json *out, const char *text, size_t length);

void json_number(json *out, uint64_t number);
void json_integer(json *out, int64_t number);
void json_real(json *out, double number, int decimals);
void json_bool(json *out, bool value);
void json_null(json *out);

/* A value as it stands: a number too large for the functions above, or JSON that is ready. */
void json_literal(json *out, const char *text);

/* A name and its string. */
static inline void json_member(json *out, const char *name, const char *text) {
    json_key(out, name);
    json_string(out, text);
}

/* A name and its number. */
static inline void json_count(json *out, const char *name, uint64_t number) {
    json_key(out, name);
    json_number(out, number);
}

#endif
