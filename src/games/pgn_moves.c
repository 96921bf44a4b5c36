/* SPDX-License-Identifier: MIT */
/*
 * Reads the movetext. Resolves each move in the current position and makes it. A stack
 * holds the positions of the open variations, so there is no recursion.
 */
#include "games/pgn_reader.h"
#include "games/pgn_scan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- Moves ----------------------------------------------------------------- */

void luft_pgn_begin_moves(luft_pgn_reader *reader) {
    if (reader->muted) {
        return;
    }
    if (reader->setup.error != LUFT_OK) {
        luft_pgn_report(reader, &reader->setup);
        return;
    }
    reader->levels[0].positions[0] = reader->start;
    reader->levels[0].current = 0;
    reader->levels[0].has_move = false;
    if (reader->visitor->moves_start) {
        pgn_handle_action(reader, reader->visitor->moves_start(reader->payload, &reader->start));
    }
}

static const luft_position *current_position(const luft_pgn_reader *reader) {
    const level *const variation = &reader->levels[reader->depth];
    return &variation->positions[variation->current];
}

/* Makes a legal move, or the null move, in the innermost variation. */
ALWAYS_INLINE void make_move(luft_pgn_reader *reader, luft_move move) {
    level *const variation = &reader->levels[reader->depth];
    const luft_position *const before = &variation->positions[variation->current];
    luft_position *const after = &variation->positions[variation->current ^ 1];
    if (move == LUFT_MOVE_NONE) {
        const luft_error error = luft_make_null(after, before);
        assert(error == LUFT_OK); /* a null move in check has been refused */
        (void)error;
    } else {
        luft_make(after, before, move);
    }
    variation->current ^= 1;
    variation->has_move = true;
    if (reader->visitor->move) {
        pgn_handle_action(reader, reader->visitor->move(reader->payload, before, move, after));
    }
}

/* Returns the SAN of castling written as 00 or 000, with or without check marks; NULL for any other word. */
static const char *castling_from_zeros(const char *word, size_t length) {
    while (length > 0 && (word[length - 1] == '+' || word[length - 1] == '#')) {
        length--;
    }
    return length == 2 && memcmp(word, "00", 2) == 0    ? "O-O"
           : length == 3 && memcmp(word, "000", 3) == 0 ? "O-O-O"
                                                        : NULL;
}

static bool is_promotion_letter(char c) {
    return c == 'Q' || c == 'R' || c == 'B' || c == 'N';
}

static bool is_beyond_ascii(char c) {
    return (unsigned char)c >= 0x80;
}

/* True for a byte that may be inside of a UTF-8 character: 0xBD there is not one half. */
static bool continues_character(const char *byte) {
    return is_beyond_ascii(byte[-1]) && is_beyond_ascii(byte[0]) && (unsigned char)byte[0] < 0xc0;
}

/* Returns the length of a word without a result glued to its end, as in Qh7#1-0. */
static size_t length_before_result(const char *word, size_t length) {
    luft_result result;
    /*
     * Fast exit: 1-0, 0-1 and 1/2 have '-', '/' or the end of a longer dash in the second to last byte; the
     * character for one half ends in 0xBD.
     */
    if (LIKELY(length < 3 || (word[length - 2] != '-' && word[length - 2] != '/' &&
                              !is_beyond_ascii(word[length - 2]) && word[length - 1] != '\xbd'))) {
        return length;
    }
    for (size_t before = 2; before < length; before++) {
        const size_t result_length =
            continues_character(word + before) ? 0 : luft_pgn_scan_result(&result, word + before);
        if (result_length > 0 && before + result_length == length) {
            return before;
        }
    }
    return length;
}

/* Returns the NAG of the glyphs right behind a move; a + before them may be its check mark. */
static int nag_behind_move(const luft_position *position, luft_move move, const char *glyphs, size_t length) {
    int nag = 0;
    const bool has_check_mark = (*glyphs == '+' || *glyphs == '#') && luft_gives_check(position, move);
    if (!has_check_mark || !luft_pgn_scan_glyphs(&nag, glyphs + 1, length - 1) || nag == 0) {
        luft_pgn_scan_glyphs(&nag, glyphs, length);
    }
    return nag;
}

/*
 * Resolves a word that is not SAN: other notations, and moves with something glued to them. Returns the number
 * of bytes used. Returns 0 if the word is not a legal move; *error then says why.
 */
static size_t resolve_other_word(luft_move *move, int *nag, luft_error *error, const luft_position *position,
                                 const char *word, size_t length) {
    const size_t before_result = length_before_result(word, length);
    const size_t before_glyphs = luft_pgn_length_before_glyphs(word, length);
    const char *const castling = castling_from_zeros(word, length);
    if (castling) {
        *error = luft_move_from_san(move, position, castling, strlen(castling));
        return *error == LUFT_OK ? length : 0;
    }
    if (word[length] == '(' && is_promotion_letter(word[length + 1]) && word[length + 2] == ')' &&
        luft_move_from_san(move, position, word, length + 3) == LUFT_OK) {
        return length + 3; /* e8(Q) */
    }
    if (memcmp(word + length - 1, "e.p.", 4) == 0 && length > 1 &&
        luft_move_from_san(move, position, word, length - 1) == LUFT_OK) {
        return length + 3; /* exd6e.p. */
    }
    if (before_result < length && luft_move_from_san(move, position, word, before_result) == LUFT_OK) {
        return before_result; /* Qh7#1-0 */
    }
    if (before_glyphs < length && luft_pgn_scan_glyphs(nag, word + before_glyphs, length - before_glyphs) &&
        luft_move_from_san(move, position, word, before_glyphs) == LUFT_OK) {
        *nag = nag_behind_move(position, *move, word + before_glyphs, length - before_glyphs);
        return length; /* Nf3+- */
    }
    return 0;
}

/* Length of check marks apart from their move, or of "e.p."; 0 if there are none. */
static size_t detached_mark_length(const char *word, size_t length) {
    size_t marks = 0;
    while (marks < length && (word[marks] == '+' || word[marks] == '#')) {
        marks++;
    }
    if (marks == length) {
        return marks;
    }
    if (memcmp(word, "e.p.", 4) == 0) {
        return 4;
    }
    return length == 2 && memcmp(word, "ep", 2) == 0 ? 2 : 0;
}

static const char *move_reason(luft_error error) {
    switch (error) {
    case LUFT_ERROR_MOVE_ILLEGAL: return "the move is not legal";
    case LUFT_ERROR_MOVE_AMBIGUOUS: return "the move is ambiguous";
    default: return "not a move";
    }
}

static void visit_nag(luft_pgn_reader *reader, int nag) {
    if (!reader->muted && reader->visitor->nag) {
        pgn_handle_action(reader, reader->visitor->nag(reader->payload, nag));
    }
}

/* Reads a word: a move in any notation, a detached mark, glyphs or an error. */
static void read_word(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const char *const word = input->at;
    const size_t length = pgn_word_length(word);
    if (reader->muted) {
        input->at += length_before_result(word, length);
        return;
    }
    const luft_position *const position = current_position(reader);
    luft_move move;
    int nag = 0;
    luft_error error = luft_move_from_san_or_null(&move, position, word, length);
    size_t used = error == LUFT_OK ? length : detached_mark_length(word, length);
    const bool is_glyphs = used == 0 && luft_pgn_scan_glyphs(&nag, word, length);
    if (error != LUFT_OK && (used > 0 || is_glyphs)) {
        input->at += is_glyphs ? length : used;
        if (nag > 0) {
            visit_nag(reader, nag);
        }
        return;
    }
    if (used == 0) {
        used = resolve_other_word(&move, &nag, &error, position, word, length);
    }
    if (used == 0) {
        input->at += length_before_result(word, length);
        luft_pgn_report_token(reader, error, move_reason(error), word, length);
        return;
    }
    input->at += used;
    make_move(reader, move);
    if (nag > 0) {
        visit_nag(reader, nag);
    }
}

/*
 * Fast path for plain SAN, move numbers and blanks, which is nearly all of most files. Leaves everything else to
 * luft_pgn_read_moves, which can read these tokens too, but takes a third longer.
 */
static void read_plain_moves(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const bool is_tagged = reader->is_tagged; /* otherwise an empty line may end the game: luft_pgn_read_moves looks */
    char *at = input->at, *const limit = input->refill_at;
    while (at < limit && !reader->muted) {
        if (*at >= 'A') {
            const size_t length = pgn_plain_word_length(at);
            luft_move move;
            if (UNLIKELY(length == 0 || luft_move_from_san(&move, current_position(reader), at, length) != LUFT_OK)) {
                break;
            }
            at += length;
            input->at = at;
            make_move(reader, move);
        } else if (*at >= '1' && *at <= '9' && (signed char)at[1] >= '.' && at[1] != '/') { /* not 1-0 with any dash */
            const char *const end = at + PGN_WORD_MAX;
            while (*at >= '0' && *at <= '9' && at < end) {
                at++;
            }
            while (*at == '.' && at < end) {
                at++;
            }
        } else if (*at == '\r' && is_tagged) {
            at++;
        } else if ((*at != ' ' && *at != '\n') || !is_tagged) {
            break;
        }
        at += (*at == ' ') | (*at == '\n'); /* a blank follows nearly every token */
    }
    input->at = at;
}

/*
 * Reads a move number in any form, a result, or a word that begins with a digit. Returns false at the end of the
 * game.
 */
static bool read_digits(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const char *text = input->at;
    const bool has_sign = text[1] == '-' || text[1] == '/';
    if (UNLIKELY(text[0] <= '1' && (has_sign || is_beyond_ascii(text[1])))) {
        luft_result result;
        const size_t length = luft_pgn_scan_result(&result, text);
        if (length > 0) {
            input->at += length;
            reader->result = reader->depth > 0 ? reader->result : result;
            return reader->depth > 0; /* a result inside a variation does not end the game */
        }
        if (has_sign) {
            read_word(reader);
            return true;
        }
    }
    if (UNLIKELY(text[0] == '0' && text[1] == '0')) {
        const size_t length = pgn_word_length(text);
        const bool is_castling = castling_from_zeros(text, length) && text[length] != '.'; /* "00." is a move number */
        if (is_castling || (length == 4 && memcmp(text, "0000", 4) == 0)) {
            read_word(reader);
            return true;
        }
    }
    const char *const limit = text + PGN_WORD_MAX;
    while (*text >= '0' && *text <= '9' && text < limit) {
        text++;
    }
    while (*text == '.' && text < limit) {
        text++;
    }
    text += *text == ' ';
    input->at += text - input->at; /* an assignment would drop the const of `text` */
    return true;
}

static void read_nag(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const char *const text = input->at;
    size_t length = 1;
    int nag = 0;
    if (*text == '$') {
        for (; length < PGN_WORD_MAX && text[length] >= '0' && text[length] <= '9'; length++) {
            nag = nag > 255 ? nag : nag * 10 + (text[length] - '0');
        }
    } else if (text[1] == '!' || text[1] == '?') {
        nag = text[0] == text[1] ? (text[0] == '!' ? 3 : 4) : (text[0] == '!' ? 5 : 6);
        length = 2;
    } else {
        nag = text[0] == '!' ? 1 : 2;
    }
    input->at += length;
    if ((*text == '$' && length == 1) || nag > 255) {
        luft_pgn_report_token(reader, LUFT_ERROR_PGN, "annotation: expected $ and an integer up to 255", text, length);
    } else {
        visit_nag(reader, nag);
    }
}

/* --- Variations ------------------------------------------------------------ */

static bool grow_levels(luft_pgn_reader *reader) {
    const size_t capacity = reader->level_capacity * 2;
    level *const levels = capacity <= MAX_LEVELS ? realloc(reader->levels, capacity * sizeof *levels) : NULL;
    if (levels) {
        reader->levels = levels;
        reader->level_capacity = capacity;
    }
    return levels != NULL;
}

/* Pushes a level that begins before the last move. On failure it reports the error and returns false. */
static bool push_level(luft_pgn_reader *reader) {
    if (!reader->levels[reader->depth].has_move) {
        luft_pgn_report_token(reader, LUFT_ERROR_PGN, "a variation must follow a move", reader->input.at, 1);
        return false;
    }
    if (reader->depth + 1 == reader->level_capacity && !grow_levels(reader)) {
        luft_pgn_report_token(reader, LUFT_ERROR_MEMORY, "the variations are nested too deeply", reader->input.at, 1);
        return false;
    }
    const level *const parent = &reader->levels[reader->depth];
    level *const child = &reader->levels[reader->depth + 1];
    child->positions[0] = parent->positions[parent->current ^ 1];
    child->current = 0;
    child->has_move = false;
    return true;
}

static void open_variation(luft_pgn_reader *reader) {
    const bool is_pushed = !reader->muted && push_level(reader);
    reader->input.at++;
    reader->depth++;
    if (is_pushed && reader->visitor->variation_start) {
        pgn_handle_action(reader, reader->visitor->variation_start(reader->payload, current_position(reader)));
    }
}

static void close_variation(luft_pgn_reader *reader) {
    if (reader->depth == 0) {
        luft_pgn_report_token(reader, LUFT_ERROR_PGN, "no variation is open", reader->input.at, 1);
        reader->input.at++;
        return;
    }
    reader->input.at++;
    if (reader->muted == MUTE_VARIATION && reader->depth == reader->mute_depth) {
        reader->muted = MUTE_NOTHING;
    }
    reader->depth--;
    if (!reader->muted && reader->visitor->variation_end) {
        pgn_handle_action(reader, reader->visitor->variation_end(reader->payload));
    }
}

/* --- Where a game without tags begins --------------------------------------- */

/* True if the word at `text` has the form of a move, legal or not. */
static bool looks_like_move(const luft_pgn_reader *reader, const char *text) {
    const size_t word = pgn_word_length(text), before_result = length_before_result(text, word);
    const size_t before_glyphs = luft_pgn_length_before_glyphs(text, before_result);
    const size_t length = before_glyphs > 0 ? before_glyphs : before_result; /* a null move may look like glyphs */
    luft_move ignored;
    return castling_from_zeros(text, length) ||
           luft_move_from_san_or_null(&ignored, &reader->standard_start, text, length) != LUFT_ERROR_MOVE_SYNTAX;
}

/* True if moves begin at `text`, with or without a move number. `from_one`: a number must be that of a first move. */
static bool looks_like_moves(const luft_pgn_reader *reader, const char *text, bool from_one) {
    const char *const limit = text + PGN_WORD_MAX;
    if (looks_like_move(reader, text)) {
        return true;
    }
    const char *at = text;
    while (at < limit && *at >= '0' && *at <= '9') {
        at++;
    }
    const char *const dots = at;
    while (at < limit && *at == '.') {
        at++;
    }
    const bool is_one = dots - text == 1 && *text == '1' && at - dots <= 1; /* 2. or 1... continues a game */
    if (dots == text || (from_one && !is_one)) {
        return false;
    }
    while (at < limit && (*at == ' ' || pgn_is_line_end(*at))) {
        at++;
    }
    return looks_like_move(reader, at);
}

/* True if a line of nothing but blanks begins at this byte. */
static bool begins_empty_line(const pgn_input *input) {
    const char *text = input->at;
    const char *const end = input->end - text < PGN_WORD_MAX ? input->end : text + PGN_WORD_MAX;
    if (!pgn_begins_line(text) || (text[-1] == '\r' && text[0] == '\n')) {
        return false;
    }
    while (text < end && !pgn_is_line_end(*text)) {
        const size_t blank = luft_pgn_blank_length(text);
        if (blank == 0) {
            return false;
        }
        text += blank;
    }
    return text < end;
}

/*
 * True if a game without tags ends here: after an empty line, with only comments between, other moves begin.
 * *after_empty_line is kept from one token to the next.
 */
static bool ends_untagged_game(const luft_pgn_reader *reader, bool *after_empty_line) {
    const char *const text = reader->input.at;
    if (begins_empty_line(&reader->input)) {
        *after_empty_line = true;
    }
    const bool is_comment = *text == '{' || *text == ';' || (*text == '%' && pgn_begins_line(text));
    if (!*after_empty_line || is_comment || luft_pgn_blank_length(text) > 0) {
        return false;
    }
    *after_empty_line = false;
    return looks_like_moves(reader, text, true);
}

/* --- The movetext ---------------------------------------------------------- */

/* Reads the remaining tokens: results of one character, blanks of several bytes, odd words and invalid characters. */
static bool read_other(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    luft_result result;
    const size_t length = luft_pgn_scan_result(&result, input->at);
    if (length > 0) {
        input->at += length;
        reader->result = reader->depth > 0 ? reader->result : result;
        return reader->depth > 0;
    }
    if (luft_pgn_skip_blank(reader)) {
        return true;
    }
    if (luft_pgn_is_word[(unsigned char)*input->at]) {
        read_word(reader);
        return true;
    }
    luft_pgn_report_token(reader, LUFT_ERROR_PGN, "unexpected character in the movetext", input->at, 1);
    input->at++;
    return true;
}

void luft_pgn_read_moves(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    bool continues = true, after_empty_line = false;
    while (continues && pgn_input_has_more(input)) {
        if (!after_empty_line) {
            read_plain_moves(reader);
        }
        if (input->at >= input->refill_at) {
            continue;
        }
        if (!reader->is_tagged && reader->depth == 0 && ends_untagged_game(reader, &after_empty_line)) {
            return;
        }
        switch (*input->at) {
        case ' ':
        case '\n':
        case '\r':
        case '.': input->at++; break;
        case '0':
        case '1':
        case '2':
        case '3':
        case '4':
        case '5':
        case '6':
        case '7':
        case '8':
        case '9': continues = read_digits(reader); break;
        case '$':
        case '!':
        case '?': read_nag(reader); break;
        case '{':
        case ';': luft_pgn_read_comment(reader); break;
        case '(': open_variation(reader); break;
        case ')': close_variation(reader); break;
        case '[':
            continues = !luft_pgn_looks_like_tag(input->at);
            if (continues) {
                continues = read_other(reader);
            }
            break;
        default: continues = read_other(reader); break;
        }
    }
}

/* Skips a word or a character after the result. Counts open parentheses in *depth. */
static void skip_text(pgn_input *input, size_t *depth) {
    const size_t word = pgn_word_length(input->at);
    if (*input->at == '(') {
        ++*depth;
    } else if (*input->at == ')' && *depth > 0) {
        --*depth;
    }
    input->at += word > 0 ? word : 1;
}

/* True if the next game begins at `text`, which is not a blank or a comment. */
static bool begins_next_game(const luft_pgn_reader *reader, const char *text, size_t depth) {
    return *text == '[' ? luft_pgn_looks_like_tag(text) : depth == 0 && looks_like_moves(reader, text, false);
}

void luft_pgn_read_after_result(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    size_t depth = 0;  /* of parentheses in the text: moves in them belong to no game */
    int line_ends = 0; /* since the last text or comment, counted up to 2 */
    while (pgn_input_has_more(input)) {
        const char *const text = input->at;
        const size_t blank = luft_pgn_blank_length(text);
        if (blank > 0) {
            line_ends += pgn_is_line_end(*text) && line_ends < 2 && !(text[0] == '\r' && text[1] == '\n');
            input->at += blank;
            continue;
        }
        if (*text == '$' || *text == '!' || *text == '?') {
            read_nag(reader);
        } else if (!luft_pgn_read_comment(reader) && !luft_pgn_skip_blank(reader)) { /* that is a line with % */
            if (line_ends > 1 || begins_next_game(reader, text, depth)) {
                return;
            }
            skip_text(input, &depth);
        }
        line_ends = 0;
    }
}
