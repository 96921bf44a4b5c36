/* SPDX-License-Identifier: MIT */
/*
 * Scans the tokens of PGN: blanks, words, results, glyphs, tag pairs. These functions see bytes
 * only, no game. They may read a few bytes beyond their text: NULs follow the input and
 * end every token.
 */
#ifndef LUFT_GAMES_PGN_SCAN_H
#define LUFT_GAMES_PGN_SCAN_H

#include "luft/pgn.h"

#include <string.h>

enum {
    PGN_WORD_MAX = 255, /* longer words are cut; they cannot be moves */
    PGN_NAME_MAX = 200  /* longest tag name */
};

/* The Seven Tag Roster in its order, with the values that mean unknown. */
typedef struct pgn_roster_tag {
    const char *name, *unknown;
} pgn_roster_tag;

enum { PGN_ROSTER_SIZE = 7 };

extern const pgn_roster_tag luft_pgn_roster[PGN_ROSTER_SIZE];

extern const bool luft_pgn_is_word[256];
extern const bool luft_pgn_is_value[256]; /* bytes that need no special treatment in a tag value */

/* Length of the word at `text`: a move, or what is written in its place. */
static inline size_t pgn_word_length(const char *text) {
    size_t length = 0;
    while (length < PGN_WORD_MAX && luft_pgn_is_word[(unsigned char)text[length]]) {
        length++;
    }
    return length;
}

/*
 * Length of the word at `text` if it has fewer than eight bytes and a blank or a mark such as `!` follows;
 * otherwise 0. It tests eight bytes at once, because a loop over unpredictable lengths mispredicts its branch.
 * The word may contain bytes that end a word elsewhere, but none of these occur in a valid move.
 */
static inline size_t pgn_plain_word_length(const char *text) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    /*
     * Only the lowest set bit counts: it marks the first byte up to `!`, or the first `?`. Borrows may set wrong
     * bits above it.
     */
    const uint64_t marks = bytes ^ ones * '?';
    const uint64_t ends = ((bytes - ones * ('!' + 1)) & ~bytes & high) | ((marks - ones) & ~marks & high);
    const size_t length = ends ? (size_t)luft_lsb(ends) / 8 : 0;
    return length > 0 && luft_pgn_is_word[(unsigned char)text[length - 1]] ? length : 0;
#else
    const size_t length = pgn_word_length(text);
    return length < 8 ? length : 0;
#endif
}

/* True for bytes allowed in a tag name. */
static inline bool pgn_is_name(char c) {
    return luft_pgn_is_word[(unsigned char)c] && c != '"';
}

/*
 * Length of the blank at `text`, 0 if there is none. Blanks are spaces, line ends, control characters, byte
 * order marks and no-break spaces.
 */
size_t luft_pgn_blank_length(const char *text);

/* Length of the result at `text`, 0 if there is none. */
size_t luft_pgn_scan_result(luft_result *result, const char *text);

/* Length of a word without the glyphs at its end, such as +- or ±. */
size_t luft_pgn_length_before_glyphs(const char *word, size_t length);

/* True if the word is made of glyphs. *nag is then the NAG that they mean, 0 for none. */
bool luft_pgn_scan_glyphs(int *nag, const char *word, size_t length);

/* True for `[Event "` at the beginning of a line. */
bool luft_pgn_is_event_line(const char *text);

/* True where luft_pgn_can_cut is: a game begins there in every context. Reads PGN_CONTEXT bytes before `text`. */
bool luft_pgn_is_cut(const char *text);

/* Returns the first such place in a text, or NULL. */
const char *luft_pgn_find_cut(const char *text, size_t length);

/* Returns the first byte that ends a line, or NULL. */
const char *luft_pgn_find_line_end(const char *text, size_t length);

/* True if `text` begins as a tag pair does: a bracket, a name, a quote. */
bool luft_pgn_looks_like_tag(const char *text);

/* Hash of a tag name, and of the name in the tag pair at `text`. */
uint32_t luft_pgn_hash_name(const char *name, size_t length);
uint32_t luft_pgn_hash_name_at(const char *text);

/*
 * Reads the tag pair that begins at `text` and ends before `end`. Resolves the escapes of the value in place.
 * Returns the byte after the pair, or NULL with the reason.
 */
char *luft_pgn_scan_tag(luft_pgn_tag *tag, char *text, const char *end, const char **reason);

/* True if this value of the Variant tag means standard chess or Chess960. */
bool luft_pgn_is_chess(const char *variant, size_t length);

#endif
