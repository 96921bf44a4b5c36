/* SPDX-License-Identifier: MIT */
/*
 * The small forms of PGN text: blanks, words, results, tag pairs. These look at bytes and
 * know no game. They may look a few bytes beyond what they are given: behind the
 * input there are NULs, which end everything.
 */
#ifndef LUFT_GAMES_PGN_SCAN_H
#define LUFT_GAMES_PGN_SCAN_H

#include "luft/pgn.h"

#include <string.h>

enum {
    PGN_WORD_MAX = 255, /* a longer word is cut: it is no move in any case */
    PGN_NAME_MAX = 200  /* the longest name of a tag */
};

extern const bool luft_pgn_is_word[256];
extern const bool luft_pgn_is_value[256]; /* bytes that need no care in the value of a tag */

/* The bytes of the word that begins here: moves, and whatever stands in their place. */
static inline size_t pgn_word_length(const char *text) {
    size_t length = 0;
    while (length < PGN_WORD_MAX && luft_pgn_is_word[(unsigned char)text[length]]) {
        length++;
    }
    return length;
}

/*
 * The length of the word that begins here if it is a usual one: fewer than eight bytes, then a blank or a mark such as
 * `!`. Else 0. Eight bytes are looked at together, without a branch on the length, which nothing predicts. What is
 * counted may have bytes in it that end a word elsewhere, but none that could be taken for a part of a move.
 */
static inline size_t pgn_plain_word_length(const char *text) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    /* The lowest high bit of each is that of the first byte up to `!`, and of the first `?`; higher ones may be wrong. */
    const uint64_t marks = bytes ^ ones * '?';
    const uint64_t ends = ((bytes - ones * ('!' + 1)) & ~bytes & high) | ((marks - ones) & ~marks & high);
    const size_t length = ends ? (size_t)luft_lsb(ends) / 8 : 0;
    return length > 0 && luft_pgn_is_word[(unsigned char)text[length - 1]] ? length : 0;
#else
    const size_t length = pgn_word_length(text);
    return length < 8 ? length : 0;
#endif
}

/* May this byte stand in the name of a tag? */
static inline bool pgn_is_name(char c) {
    return luft_pgn_is_word[(unsigned char)c] && c != '"';
}

/* The bytes of the blank here, 0 if there is none: spaces, line ends, all control characters, byte order marks. */
size_t luft_pgn_blank_length(const char *text);

/* The bytes of the result that stands here, 0 if there is none. */
size_t luft_pgn_scan_result(luft_result *result, const char *text);

/* Is this `[Event "` at the beginning of a line? There a game begins, whatever came before. */
bool luft_pgn_is_event_line(const char *text);

/* The first such place in a text, or NULL. */
const char *luft_pgn_find_event_line(const char *text, size_t length);

/* The first byte that ends a line, or NULL. */
const char *luft_pgn_find_line_end(const char *text, size_t length);

/* Does a tag pair seem to begin here: a bracket, a name, a quote? */
bool luft_pgn_looks_like_tag(const char *text);

/* A number that stands for the name of a tag, and that of the tag pair which begins here. */
uint32_t luft_pgn_hash_name(const char *name, size_t length);
uint32_t luft_pgn_hash_name_at(const char *text);

/*
 * Reads the tag pair that begins here and ends before `end`. The value's escapes are resolved where
 * it stands. Returns the first byte behind it, or NULL with the reason why it is none.
 */
char *luft_pgn_scan_tag(luft_pgn_tag *tag, char *text, const char *end, const char **reason);

/* Does this value of the Variant tag mean chess, in any start position? */
bool luft_pgn_is_chess(const char *variant, size_t length);

#endif
