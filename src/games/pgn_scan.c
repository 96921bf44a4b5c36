/* SPDX-License-Identifier: MIT */
/* Scans the tokens of PGN: blanks, words, results, tag pairs. */
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

size_t luft_pgn_scan_result(luft_result *result, const char *text) {
    static const struct {
        const char *text;
        size_t length;
        luft_result result;
    } forms[] = {
        {"1-0", 3, LUFT_RESULT_WHITE},
        {"0-1", 3, LUFT_RESULT_BLACK},
        {"1/2-1/2", 7, LUFT_RESULT_DRAW},
        {"1/2", 3, LUFT_RESULT_DRAW},
        {"*", 1, LUFT_RESULT_UNKNOWN},
        {"\xc2\xbd-\xc2\xbd", 5, LUFT_RESULT_DRAW}, /* the character for one half, in UTF-8 and in Latin-1 */
        {"\xc2\xbd", 2, LUFT_RESULT_DRAW},
        {"\xbd-\xbd", 3, LUFT_RESULT_DRAW},
        {"\xbd", 1, LUFT_RESULT_DRAW},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (memcmp(text, forms[i].text, forms[i].length) == 0) {
            *result = forms[i].result;
            return forms[i].length;
        }
    }
    return 0;
}

/* --- Lines ----------------------------------------------------------------- */

bool luft_pgn_is_event_line(const char *text) {
    return memcmp(text, "[Event \"", 8) == 0 && pgn_begins_line(text);
}

const char *luft_pgn_find_event_line(const char *text, size_t length) {
    const char *const end = text + length;
    while ((text = memchr(text, '[', (size_t)(end - text))) != NULL) {
        if (luft_pgn_is_event_line(text)) {
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

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

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
