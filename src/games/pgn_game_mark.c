/* SPDX-License-Identifier: MIT */
/*
 * The mark of an engine's annotations, a command at the end of a comment:
 *
 *     [%luft 9c3e41d2,nag:4,moves:10]
 *
 * The checksum covers the text before the mark. If a person changes that text, the checksum
 * no longer fits and the comment counts as the person's. It is left out where there is no
 * text to change: if the mark stands alone, or behind a single [%eval ...].
 */
#include "games/pgn_game.h"

#include <string.h>

static const char OPENING[] = "[%luft";
enum { OPENING_LENGTH = sizeof OPENING - 1, CHECKSUM_DIGITS = 8 };

/* --- Parts of a mark ------------------------------------------------------- */

/* FNV-1a, 32 bits. */
static uint32_t checksum(const char *text, size_t length) {
    uint32_t sum = UINT32_C(2166136261);
    for (size_t i = 0; i < length; i++) {
        sum = (sum ^ (unsigned char)text[i]) * UINT32_C(16777619);
    }
    return sum;
}

static bool needs_checksum(const char *body, size_t length) {
    static const char eval[] = "[%eval ";
    const bool is_eval = length >= sizeof eval && memcmp(body, eval, sizeof eval - 1) == 0 &&
                         memchr(body, ']', length) == body + length - 1;
    return length > 0 && !is_eval;
}

/* Reads a decimal number up to `limit` without leading zeros, and returns the text after it; NULL if there is none. */
static const char *read_number(uint32_t *number, const char *text, const char *end, uint32_t limit) {
    const char *at = text;
    uint64_t value = 0;
    while (at < end && *at >= '0' && *at <= '9' && value <= limit) {
        value = value * 10 + (uint64_t)(*at++ - '0');
    }
    if (at == text || value > limit || (*text == '0' && at > text + 1)) {
        return NULL;
    }
    *number = (uint32_t)value;
    return at;
}

static char *put_number(char *out, uint32_t number) {
    char digits[10];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0) {
        *out++ = digits[--count];
    }
    return out;
}

static char *put_text(char *out, const char *text) {
    while (*text) {
        *out++ = *text++;
    }
    return out;
}

/* Writes the digits that `text` must have. */
static void put_checksum(char *out, const char *body, size_t length) {
    uint32_t sum = checksum(body, length);
    for (int i = CHECKSUM_DIGITS - 1; i >= 0; i--, sum >>= 4) {
        out[i] = "0123456789abcdef"[sum & 15];
    }
}

/* --- Reading --------------------------------------------------------------- */

/* Returns the text after `prefix`; NULL if it begins otherwise. */
static const char *skip(const char *text, const char *end, const char *prefix) {
    const size_t length = strlen(prefix);
    return (size_t)(end - text) >= length && memcmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* Reads one item, such as nag:4, and returns the text after it; NULL if it is not one. */
static const char *read_item(pgn_mark *mark, const char *text, const char *end) {
    const char *const nag = skip(text, end, "nag:"), *const moves = skip(text, end, "moves:");
    uint32_t number;
    const char *after = NULL;
    if (nag && mark->nag_count < 256) {
        after = read_number(&number, nag, end, 255);
        if (after) {
            mark->nags[mark->nag_count++] = (uint8_t)number;
        }
    } else if (moves && mark->moves == 0) {
        after = read_number(&number, moves, end, LUFT_PGN_MAX_NODES);
        mark->moves = after ? number : 0;
    }
    return after;
}

/* Returns the start of the mark that ends the text; NULL if the text ends otherwise. */
static const char *find_opening(const char *text, size_t length) {
    const char *at = text + length;
    if (length <= OPENING_LENGTH || at[-1] != ']') {
        return NULL;
    }
    at -= 1 + OPENING_LENGTH;
    while (at > text && *at != '[' && *at != ']') {
        at--;
    }
    const bool is_apart = at == text || at[-1] == ' ';
    const char after = at[OPENING_LENGTH];
    return is_apart && memcmp(at, OPENING, OPENING_LENGTH) == 0 && (after == ' ' || after == ']') ? at : NULL;
}

bool luft_pgn_read_mark(pgn_mark *mark, const char *text, size_t length) {
    const char *const opening = find_opening(text, length), *const end = text + length - 1;
    char expected[CHECKSUM_DIGITS];
    if (!opening) {
        return false;
    }
    *mark = (pgn_mark){.body = opening > text ? (size_t)(opening - text) - 1 : 0};
    const char *at = opening + OPENING_LENGTH;
    bool has_items = at < end;
    at += has_items; /* the blank */
    if (needs_checksum(text, mark->body)) {
        put_checksum(expected, text, mark->body);
        if (end - at < CHECKSUM_DIGITS || memcmp(at, expected, CHECKSUM_DIGITS) != 0) {
            return false;
        }
        at += CHECKSUM_DIGITS;
        has_items = at < end;
        if (has_items && *at++ != ',') {
            return false;
        }
    }
    while (has_items) {
        at = read_item(mark, at, end);
        if (!at || (at < end && *at++ != ',')) {
            return false;
        }
        has_items = at < end || at[-1] == ',';
    }
    return true;
}

/* --- Writing --------------------------------------------------------------- */

size_t luft_pgn_write_mark(char *text, const pgn_mark *mark) {
    char *at = text + mark->body, separator = ' ';
    if (mark->body > 0) {
        *at++ = ' ';
    }
    at = put_text(at, OPENING);
    if (needs_checksum(text, mark->body)) {
        *at++ = separator;
        put_checksum(at, text, mark->body);
        at += CHECKSUM_DIGITS;
        separator = ',';
    }
    for (int i = 0; i < mark->nag_count; i++, separator = ',') {
        *at++ = separator;
        at = put_number(put_text(at, "nag:"), mark->nags[i]);
    }
    if (mark->moves > 0) {
        *at++ = separator;
        at = put_number(put_text(at, "moves:"), mark->moves);
    }
    *at++ = ']';
    return (size_t)(at - text);
}
