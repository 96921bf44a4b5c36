/* SPDX-License-Identifier: MIT */
/*
 * Text that grows, and JSON written into it: how the module of the rules answers.
 * Commas come by themselves. When memory runs out the text stays what it was and `failed` is
 * set; nobody needs to look before the end.
 */
#ifndef LUFT_UTIL_JSON_H
#define LUFT_UTIL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros is an empty one. */
typedef struct json {
    char *text; /* not terminated */
    size_t length;
    size_t room;
    bool failed; /* there was no memory for something */
    bool comma;  /* something stands before the next value */
} json;

/* Empties it. The memory stays, unless it is unusually much. */
void json_clear(json *out);

/* As it stands, also text that is no JSON. */
void json_raw(json *out, const char *text, size_t length);

/* '{' or '[', and '}' or ']'. */
void json_open(json *out, char bracket);
void json_close(json *out, char bracket);

/* The name of the next value; it must need no escapes. */
void json_key(json *out, const char *name);

void json_string(json *out, const char *text);

/* Any bytes. What is not UTF-8 is taken for Latin-1. */
void json_bytes(json *out, const char *text, size_t length);

void json_number(json *out, uint64_t number);
void json_bool(json *out, bool value);
void json_null(json *out);

/* The string that the text of a member is. */
static inline void json_member(json *out, const char *name, const char *text) {
    json_key(out, name);
    json_string(out, text);
}

#endif
