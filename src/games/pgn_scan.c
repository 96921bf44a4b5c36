/* SPDX-License-Identifier: MIT */
/* Scans the tokens of PGN: blanks, words, results, glyphs, tag pairs. */
#include "games/pgn_scan.h"

#include "games/pgn_input.h"

#include <string.h>

/* --- Blanks and words ------------------------------------------------------ */

/* All bytes except blanks, control characters and ( ) [ ] { } < > ; $ ! ? * and the dot. */
/* clang-format off */
const bool luft_pgn_is_word[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};

/* All bytes except quotes, backslashes and line ends. */
const bool luft_pgn_is_value[256] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};
/* clang-format on */

size_t luft_pgn_blank_length(const char *text) {
    if ((unsigned char)text[0] <= ' ') {
        return 1;
    }
    if (memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* byte order mark; occurs inside joined files */
        return 3;
    }
    return memcmp(text, "\xc2\xa0", 2) == 0 ? 2 : 0; /* no-break space */
}

/* --- Results --------------------------------------------------------------- */

/* Length of the dash at `text`: ASCII, hyphens, dashes and the minus sign in UTF-8, dashes in Windows-1252. */
static size_t dash_length(const char *text) {
    if (*text == '-' || *text == '\x96' || *text == '\x97') {
        return 1;
    }
    const bool is_dash =
        memcmp(text, "\xe2\x80", 2) == 0 && text[2] >= '\x90' && text[2] <= '\x95'; /* U+2010 to U+2015 */
    return is_dash || memcmp(text, "\xe2\x88\x92", 3) == 0 ? 3 : 0;
}

/* Reads the score of one side, in half points. Returns its length, 0 if there is none. */
static size_t scan_score(int *half_points, const char *text) {
    static const struct {
        const char *text;
        size_t length;
        int half_points;
    } forms[] = {
        {"1/2", 3, 1},  {"1", 1, 2}, {"0", 1, 0}, {"\xc2\xbd", 2, 1}, /* one half in UTF-8 … */
        {"\xbd", 1, 1},                                               /* … and in Latin-1 */
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (memcmp(text, forms[i].text, forms[i].length) == 0) {
            *half_points = forms[i].half_points;
            return forms[i].length;
        }
    }
    return 0;
}

size_t luft_pgn_scan_result(luft_result *result, const char *text) {
    static const luft_result results[] = {LUFT_RESULT_BLACK, LUFT_RESULT_DRAW, LUFT_RESULT_WHITE};
    int white = 0, black = 0;
    if (*text == '*') {
        *result = LUFT_RESULT_UNKNOWN;
        return 1;
    }
    const size_t first = scan_score(&white, text), dash = first > 0 ? dash_length(text + first) : 0;
    const size_t second = dash > 0 ? scan_score(&black, text + first + dash) : 0;
    if (second > 0 && white + black == 2) {
        *result = results[white];
        return first + dash + second;
    }
    if (first > 0 && white == 1) { /* 1/2 alone */
        *result = LUFT_RESULT_DRAW;
        return first;
    }
    return 0;
}

/* --- Glyphs ---------------------------------------------------------------- */

/* Length of the UTF-8 character at `text`, by its first byte. Bytes that begin none count as one. */
static size_t character_length(const char *text) {
    const unsigned char first = (unsigned char)*text;
    return first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* True for a sign that annotates: + - = / # ~ ^ and the symbols U+2000 to U+2BFF except for pieces; also ±. */
static bool is_glyph(const char *text) {
    const unsigned char second = (unsigned char)text[1], third = (unsigned char)text[2];
    if (*text == '\xe2') {
        const bool is_piece = second == 0x99 && third >= 0x94 && third <= 0x9f;
        return second >= 0x80 && second <= 0xaf && third >= 0x80 && third <= 0xbf && !is_piece;
    }
    return dash_length(text) > 0 || memchr("+=/#~^\xb1", *text, strlen("+=/#~^\xb1")) ||
           memcmp(text, "\xc2\xb1", 2) == 0;
}

size_t luft_pgn_length_before_glyphs(const char *word, size_t length) {
    size_t before = 0;
    for (size_t i = 0; i < length;) {
        const bool is_sign = is_glyph(word + i);
        i += character_length(word + i);
        before = is_sign ? before : i;
    }
    return before < length ? before : length;
}

/* Copies glyphs with every dash as '-'. False if they are too long to be known ones. */
static bool normalise_glyphs(char *out, size_t size, const char *glyphs, size_t length) {
    for (size_t i = 0; i < length;) {
        const size_t dash = dash_length(glyphs + i), count = dash > 0 ? dash : character_length(glyphs + i);
        const size_t copied = dash > 0 ? 1 : count;
        if (copied >= size || i + count > length) {
            return false;
        }
        memcpy(out, dash > 0 ? "-" : glyphs + i, copied);
        out += copied;
        size -= copied;
        i += count;
    }
    *out = '\0';
    return true;
}

/* The NAG of the standard for a glyph; 0 if it has none, or has one for each side. */
static int nag_of_glyph(const char *glyphs, size_t length) {
    static const struct {
        const char *text;
        int nag;
    } known[] = {
        {"‼", 3},   {"⁇", 4},     {"⁉", 5},    {"⁈", 6},   {"□", 7},    {"=", 10},  {"∞", 13},
        {"+=", 14}, {"+/=", 14},  {"⩲", 14},   {"=+", 15}, {"=/+", 15}, {"⩱", 15},  {"+/-", 16},
        {"±", 16},  {"\xb1", 16}, {"-/+", 17}, {"∓", 17},  {"+-", 18},  {"-+", 19},
    };
    char plain[8];
    if (normalise_glyphs(plain, sizeof plain, glyphs, length)) {
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            if (memcmp(plain, known[i].text, strlen(known[i].text) + 1) == 0) {
                return known[i].nag;
            }
        }
    }
    return 0;
}

bool luft_pgn_scan_glyphs(int *nag, const char *word, size_t length) {
    *nag = 0;
    if (length == 0 || luft_pgn_length_before_glyphs(word, length) > 0) {
        return false;
    }
    *nag = nag_of_glyph(word, length);
    size_t i = 0;
    while (i < length && (word[i] == '/' || dash_length(word + i) > 0)) {
        i += word[i] == '/' ? 1 : dash_length(word + i);
    }
    return *nag > 0 || i < length; /* dashes and slashes alone may be a part of something else */
}

/* --- Lines ----------------------------------------------------------------- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static const char event_tag[] = "[Event \"";
_Static_assert(sizeof event_tag - 1 == LUFT_PGN_CUT_AFTER, "the bytes that decide about a cut");
_Static_assert(LUFT_PGN_CUT_BEFORE <= PGN_CONTEXT, "and those before it");

/* True if a tag pair ends the line above the one that begins at `line`. Reads no byte before `first`. */
static bool follows_tag_pair(const char *line, const char *first) {
    const char *end = line;
    end -= end > first && end[-1] == '\n';
    end -= end > first && end[-1] == '\r';
    while (end > first && is_blank(end[-1])) {
        end--;
    }
    if (end == first || *--end != ']') {
        return false;
    }
    while (end > first && is_blank(end[-1])) {
        end--;
    }
    return end > first && end[-1] == '"';
}

bool luft_pgn_is_event_line(const char *text) {
    return memcmp(text, event_tag, LUFT_PGN_CUT_AFTER) == 0 && pgn_begins_line(text);
}

bool luft_pgn_is_cut(const char *text) {
    return luft_pgn_is_event_line(text) && !follows_tag_pair(text, text - LUFT_PGN_CUT_BEFORE);
}

bool luft_pgn_can_cut(const char *text, size_t length, size_t at) {
    if (!text || at == 0 || at >= length || length - at < LUFT_PGN_CUT_AFTER || !luft_pgn_is_event_line(text + at)) {
        return false;
    }
    return !follows_tag_pair(text + at, at < LUFT_PGN_CUT_BEFORE ? text : text + at - LUFT_PGN_CUT_BEFORE);
}

const char *luft_pgn_find_cut(const char *text, size_t length) {
    const char *const end = text + length;
    while ((text = memchr(text, '[', (size_t)(end - text))) != NULL) {
        if (luft_pgn_is_cut(text)) {
            return text;
        }
        text++;
    }
    return NULL;
}

const char *luft_pgn_find_line_end(const char *text, size_t length) {
    const char *const feed = memchr(text, '\n', length);
    const char *const carriage_return = memchr(text, '\r', feed ? (size_t)(feed - text) : length);
    return carriage_return ? carriage_return : feed;
}

/* --- Tags ------------------------------------------------------------------ */

_Static_assert(PGN_PART > 3 * PGN_NAME_MAX + 2, "a tag name always fits into the window");

/* Finds the name of a tag pair. Returns its opening quote, or NULL if this is not a tag pair. */
static const char *scan_name(const char **name, size_t *length, const char *text) {
    const char *const limit = text + 2 * PGN_NAME_MAX; /* bounds the blanks; the name has its own limit */
    if (*text++ != '[') {
        return NULL;
    }
    while (is_blank(*text) && text < limit) {
        text++;
    }
    *name = text;
    while (pgn_is_name(*text) && text < *name + PGN_NAME_MAX) {
        text++;
    }
    *length = (size_t)(text - *name);
    while (is_blank(*text) && text < limit) {
        text++;
    }
    return *length > 0 && *text == '"' ? text : NULL;
}

bool luft_pgn_looks_like_tag(const char *text) {
    const char *name;
    size_t length;
    return scan_name(&name, &length, text) != NULL;
}

uint32_t luft_pgn_hash_name(const char *name, size_t length) {
    uint32_t hash = UINT32_C(2166136261); /* FNV-1a */
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)name[i]) * UINT32_C(16777619);
    }
    return hash;
}

uint32_t luft_pgn_hash_name_at(const char *text) {
    const char *name = text;
    size_t length = 0;
    scan_name(&name, &length, text);
    return luft_pgn_hash_name(name, length);
}

/* Returns the bracket that follows this quote, with only blanks between; else NULL. */
static char *closing_bracket(char *quote, const char *end) {
    char *after = quote + 1;
    while (after < end && is_blank(*after)) {
        after++;
    }
    return after < end && *after == ']' ? after : NULL;
}

/*
 * Finds the quote that ends the value: the first one before a bracket, since some files do not escape quotes
 * inside values. Some files end a value with a single backslash; then the quote after it looks escaped but
 * closes the value. So the first escaped quote before a bracket is used if there is no other.
 */
static char *find_closing_quote(char *value, const char *end) {
    char *escaped = NULL;
    for (char *c = value;; c++) {
        while (c < end && luft_pgn_is_value[(unsigned char)*c]) {
            c++;
        }
        if (c >= end || pgn_is_line_end(*c)) {
            return escaped;
        }
        if (*c == '\\' && (c[1] == '\\' || c[1] == '"')) {
            c++;
            escaped = !escaped && *c == '"' && closing_bracket(c, end) ? c : escaped;
        } else if (*c == '"' && closing_bracket(c, end)) {
            return c;
        }
    }
}

/* Removes the backslashes of escapes and returns the new length. */
static size_t unescape(char *value, size_t length) {
    const char *backslash = memchr(value, '\\', length);
    if (!backslash) {
        return length;
    }
    size_t kept = (size_t)(backslash - value);
    for (size_t i = kept; i < length; i++) {
        if (value[i] == '\\' && i + 1 < length && (value[i + 1] == '\\' || value[i + 1] == '"')) {
            i++;
        }
        value[kept++] = value[i];
    }
    return kept;
}

/* Counts the quotes and backslashes without an escape: the writer will add one to each. */
static size_t count_unescaped(const char *value, const char *end) {
    size_t count = 0;
    for (; value < end; value++) {
        if (*value == '\\' && value + 1 < end && (value[1] == '\\' || value[1] == '"')) {
            value++;
        } else {
            count += *value == '\\' || *value == '"';
        }
    }
    return count;
}

char *luft_pgn_scan_tag(luft_pgn_tag *tag, char *text, const char *end, const char **reason) {
    const char *name;
    size_t name_length;
    const char *const opening = scan_name(&name, &name_length, text);
    if (!opening) {
        *reason = "tag pair: expected a name and a value in quotes";
        return NULL;
    }
    char *const value = text + (opening - text) + 1;
    char *const quote = find_closing_quote(value, end);
    if (!quote) {
        *reason = luft_pgn_find_line_end(value, (size_t)(end - value)) ? "the tag pair is not closed on its line"
                                                                       : "the tag pair is too long or not closed";
        return NULL;
    }
    char *const after = closing_bracket(quote, end) + 1;
    if (after - text > PGN_PART / 2 &&
        strlen("[ \"\"]") + name_length + (size_t)(quote - value) + count_unescaped(value, quote) > PGN_PART) {
        *reason = "the tag pair is too long when escaped"; /* the writer's output must fit the reader's window */
        return NULL;
    }
    *tag = (luft_pgn_tag){.name = name, .name_length = name_length, .value = value};
    tag->value_length = unescape(value, (size_t)(quote - value));
    return after;
}

/* --- Variants -------------------------------------------------------------- */

/* Compares letters and digits only, and ignores case. */
static bool is_same_name(const char *text, size_t length, const char *plain) {
    for (size_t i = 0; i < length; i++) {
        const char c = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            if (*plain++ != c) {
                return false;
            }
        }
    }
    return *plain == '\0';
}

bool luft_pgn_is_chess(const char *variant, size_t length) {
    static const char *const names[] = {
        "",
        "standard",
        "chess",
        "normal",
        "regular",
        "orthodox",
        "fromposition",
        "chess960",
        "fischerandom",
        "fischerrandom",
        "fischerrandomchess",
        "freestyle",
        "freestylechess",
        "frc",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (is_same_name(variant, length, names[i])) {
            return true;
        }
    }
    return false;
}
