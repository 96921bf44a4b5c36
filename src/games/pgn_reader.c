/* SPDX-License-Identifier: MIT */
/*
 * The grammar of PGN, read in one pass: a game is comments, tags, moves with what stands
 * between them, a result, and comments after it. Every move is resolved and made on the
 * position where it stands; a stack holds the positions around each open variation.
 *
 * A game that is skipped or cut is read to its end by the same functions, only muted. So
 * where games begin and end never depends on what a visitor asks for.
 */
#include "core/board.h"
#include "games/pgn_input.h"
#include "games/pgn_scan.h"
#include "luft/pgn.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_LEVELS = 16,
    MAX_LEVELS = 1 << 17, /* 26 MB of positions; what nests deeper is refused as if memory had run out */
    NAMES_KEPT = 64,      /* of how many tags of a game the names are remembered */
    TOKEN_COPY = 128      /* how much of a bad FEN or variant is kept for the error */
};

/* One line of moves: the main line, or a variation that is open. */
typedef struct level {
    luft_position positions[2]; /* the present one and the one before the last move */
    uint8_t present;            /* which is which */
    bool has_move;              /* is there a last move? */
} level;

typedef enum muting {
    MUTE_NOTHING = 0,
    MUTE_VARIATION, /* until the variation at mute_depth is closed */
    MUTE_GAME
} muting;

/* What luft_pgn_reader_create_text reads from. */
typedef struct text_source {
    const char *text;
    size_t left;
} text_source;

struct luft_pgn_reader {
    const luft_pgn_visitor *visitor;
    void *payload;
    uint64_t games; /* how many have begun */

    /* The present game. */
    luft_result result;
    bool is_stopped; /* the visitor wants no more */
    muting muted;
    size_t mute_depth;
    size_t depth;          /* open variations; those opened while muted have no level */
    level *levels;         /* levels[0] is the main line */
    size_t level_capacity; /* how many there is memory for */
    luft_position standard_start;
    luft_position start;  /* the position that the tags set up … */
    luft_pgn_error setup; /* … or why they set up none */
    char setup_token[TOKEN_COPY];
    uint32_t name_hashes[NAMES_KEPT]; /* the tags it has */
    int names;

    text_source text;
    pgn_input input;
};

const char *luft_result_string(luft_result result) {
    switch (result) {
    case LUFT_RESULT_WHITE: return "1-0";
    case LUFT_RESULT_BLACK: return "0-1";
    case LUFT_RESULT_DRAW: return "1/2-1/2";
    case LUFT_RESULT_NONE:
    case LUFT_RESULT_UNKNOWN: break;
    }
    return "*";
}

/* --- Telling the visitor --------------------------------------------------- */

/* Does what a callback asked for. What is muted already stays so. */
static void obey(luft_pgn_reader *reader, luft_pgn_action action) {
    static const luft_pgn_visitor nobody = {0};
    if (LIKELY(action == LUFT_PGN_CONTINUE)) {
        return;
    }
    if (action == LUFT_PGN_STOP) {
        reader->is_stopped = true;
        reader->visitor = &nobody;
    }
    if (action == LUFT_PGN_SKIP_VARIATION && reader->depth > 0 && !reader->muted) {
        reader->muted = MUTE_VARIATION;
        reader->mute_depth = reader->depth;
    } else {
        reader->muted = MUTE_GAME;
    }
}

/* The place of a byte in the buffer. */
static luft_pgn_place place_of(luft_pgn_reader *reader, const char *byte) {
    luft_pgn_place place = luft_pgn_lines_place(&reader->input.lines, byte);
    place.game = reader->games;
    return place;
}

/* Reports an error unless the game is muted already, and cuts the game. */
static void report(luft_pgn_reader *reader, const luft_pgn_error *error) {
    if (reader->muted) {
        return;
    }
    reader->muted = MUTE_GAME;
    if (reader->visitor->error) {
        obey(reader, reader->visitor->error(reader->payload, error));
    }
}

/* The same for a token that is in the buffer. */
static void report_token(luft_pgn_reader *reader, luft_error error, const char *reason, const char *token,
                         size_t length) {
    if (!reader->muted) {
        const luft_pgn_error details = {
            .error = error,
            .place = place_of(reader, token),
            .reason = reason,
            .token = token,
            .token_length = length,
        };
        report(reader, &details);
    }
}

/* --- Comments and lines ----------------------------------------------------- */

static size_t window_of(const pgn_input *input) {
    const size_t left = (size_t)(input->end - input->at);
    return left < PGN_PART ? left : PGN_PART;
}

static void tell_comment(luft_pgn_reader *reader, const char *text, size_t length, bool more) {
    if (!reader->muted && reader->visitor->comment) {
        obey(reader, reader->visitor->comment(reader->payload, text, length, more));
    }
}

/* A comment in braces. It ends at the first closing brace, and before a line that begins a game at the latest. */
static void read_brace_comment(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    luft_pgn_error unclosed = {.error = LUFT_ERROR_PGN, .reason = "a comment is not closed", .token = "{"};
    unclosed.token_length = 1;
    input->at++;
    for (bool is_first = true;; is_first = false) {
        const size_t window = window_of(input);
        const char *const text = input->at, *const close = memchr(text, '}', window);
        const size_t length = close ? (size_t)(close - text) : window;
        const char *const game = luft_pgn_find_event_line(text, length);
        const bool is_cut = game || (!close && input->ended && text + window == input->end);
        if (is_first && (is_cut || !close)) {
            unclosed.place = place_of(reader, text - 1); /* the brace may soon be gone */
        }
        if (is_cut) {
            input->at += game ? (size_t)(game - text) : window;
            report(reader, &unclosed);
            return;
        }
        input->at += length + (close != NULL);
        tell_comment(reader, text, length, !close);
        if (close) {
            return;
        }
        pgn_input_has_more(input);
    }
}

/* Reads to the end of the line, and passes that on as a comment if it is one. */
static void read_rest_of_line(luft_pgn_reader *reader, bool is_comment) {
    pgn_input *const input = &reader->input;
    bool is_done = false;
    while (!is_done) {
        const size_t window = window_of(input);
        const char *const text = input->at, *const line_end = luft_pgn_find_line_end(text, window);
        const size_t length = line_end ? (size_t)(line_end - text) : window;
        is_done = line_end || (input->ended && text + window == input->end);
        input->at += length;
        if (is_comment) {
            tell_comment(reader, text, length, !is_done);
        }
        if (!is_done) {
            pgn_input_has_more(input);
        }
    }
}

/* Blanks, and lines that begin with a percent sign: true if something of that kind was passed over. */
static bool skip_blank(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const size_t length = luft_pgn_blank_length(input->at);
    if (length == 0 && *input->at == '%' && pgn_begins_line(input->at)) {
        read_rest_of_line(reader, false);
        return true;
    }
    input->at += length;
    return length > 0;
}

/* A comment of either kind: true if one was read. */
static bool read_comment(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    if (*input->at == '{') {
        read_brace_comment(reader);
    } else if (*input->at == ';') {
        input->at++;
        read_rest_of_line(reader, true);
    } else {
        return false;
    }
    return true;
}

/* --- Tags ------------------------------------------------------------------ */

/* Keeps why the tags set up no position until the moves begin: the other tags are told first. */
static void keep_setup_error(luft_pgn_reader *reader, luft_error error, const char *reason, const luft_pgn_tag *tag) {
    luft_pgn_error *const setup = &reader->setup;
    setup->error = error;
    setup->reason = reason;
    setup->place = place_of(reader, tag->value);
    setup->token = reader->setup_token;
    setup->token_length = tag->value_length < TOKEN_COPY ? tag->value_length : TOKEN_COPY;
    memcpy(reader->setup_token, tag->value, setup->token_length);
}

/* Looks at the tags that say where the game starts. Another game than chess is worse than a bad FEN. */
static void note_tag(luft_pgn_reader *reader, const luft_pgn_tag *tag) {
    if (tag->name_length == 3 && memcmp(tag->name, "FEN", 3) == 0 && tag->value_length > 0) {
        luft_fen_report fen;
        if (luft_position_from_fen(&reader->start, tag->value, tag->value_length, &fen) != LUFT_OK &&
            reader->setup.error == LUFT_OK) {
            keep_setup_error(reader, fen.error, fen.reason, tag);
        }
    } else if (tag->name_length == 7 && memcmp(tag->name, "Variant", 7) == 0 &&
               !luft_pgn_is_chess(tag->value, tag->value_length)) {
        keep_setup_error(reader, LUFT_ERROR_PGN, "the variant is not supported", tag);
    }
}

static void read_tag(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const luft_pgn_visitor *const visitor = reader->visitor;
    char *const text = input->at;
    const char *reason;
    luft_pgn_tag tag;
    char *const after = luft_pgn_scan_tag(&tag, text, text + window_of(input), &reason);
    if (!after) {
        const size_t length = window_of(input) < TOKEN_COPY ? window_of(input) : TOKEN_COPY;
        const char *const line_end = luft_pgn_find_line_end(text, length);
        report_token(reader, LUFT_ERROR_PGN, reason, text, line_end ? (size_t)(line_end - text) : length);
        read_rest_of_line(reader, false);
        return;
    }
    input->at = after;
    if (reader->names < NAMES_KEPT) {
        reader->name_hashes[reader->names++] = luft_pgn_hash_name(tag.name, tag.name_length);
    }
    if (!reader->muted) {
        note_tag(reader, &tag);
        if (visitor->tag) {
            obey(reader, visitor->tag(reader->payload, tag.name, tag.name_length, tag.value, tag.value_length));
        }
    }
}

static bool has_tag(const luft_pgn_reader *reader, uint32_t name_hash) {
    for (int i = 0; i < reader->names; i++) {
        if (reader->name_hashes[i] == name_hash) {
            return true;
        }
    }
    return false;
}

/*
 * Does another game begin with this tag? An empty line does not tell: some programs write one among the tags of a
 * game. But if a tag comes again behind one, there was a game without moves.
 */
static bool begins_next_game(const luft_pgn_reader *reader, const char *text, int line_ends) {
    return luft_pgn_is_event_line(text) || (line_ends > 1 && has_tag(reader, luft_pgn_hash_name_at(text)));
}

/* Comments, then tags, up to the first thing that is neither. */
static void read_tags(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    bool is_fresh = true, has_tag = false;
    int line_ends = 0; /* since the last tag, as far as two */
    while (pgn_input_has_more(input)) {
        const char *const text = input->at;
        if (pgn_is_line_end(text[0]) && line_ends < 2) {
            line_ends += !(text[0] == '\r' && text[1] == '\n');
        }
        if (skip_blank(reader)) {
            continue;
        }
        if (*text == '[') {
            if (!is_fresh && begins_next_game(reader, text, line_ends)) {
                return;
            }
            read_tag(reader);
            has_tag = true;
        } else if (has_tag || !read_comment(reader)) {
            return;
        }
        is_fresh = false;
        line_ends = 0;
    }
}

/* --- Moves ----------------------------------------------------------------- */

static void begin_moves(luft_pgn_reader *reader) {
    if (reader->muted) {
        return;
    }
    if (reader->setup.error != LUFT_OK) {
        report(reader, &reader->setup);
        return;
    }
    reader->levels[0].positions[0] = reader->start;
    reader->levels[0].present = 0;
    reader->levels[0].has_move = false;
    if (reader->visitor->moves_start) {
        obey(reader, reader->visitor->moves_start(reader->payload, &reader->start));
    }
}

static const luft_position *present_position(const luft_pgn_reader *reader) {
    const level *const line = &reader->levels[reader->depth];
    return &line->positions[line->present];
}

/* Makes a legal move, or the null move, in the innermost line. */
static void make_move(luft_pgn_reader *reader, luft_move move) {
    level *const line = &reader->levels[reader->depth];
    const luft_position *const before = &line->positions[line->present];
    luft_position *const after = &line->positions[line->present ^ 1];
    if (move == LUFT_MOVE_NONE) {
        luft_make_null(after, before);
    } else {
        luft_make(after, before, move);
    }
    line->present ^= 1;
    line->has_move = true;
    if (reader->visitor->move) {
        obey(reader, reader->visitor->move(reader->payload, before, move, after));
    }
}

static bool is_null_move(const char *word, size_t length) {
    static const char *const forms[] = {"--", "Z0", "0000", "@@@@", "null"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (length == strlen(forms[i]) && memcmp(word, forms[i], length) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_letter_of_promotion(char c) {
    return c == 'Q' || c == 'R' || c == 'B' || c == 'N';
}

/* Where the result is glued to a word: how much of the word stands before it. */
static size_t length_before_result(const char *word, size_t length) {
    luft_result result;
    if (LIKELY(length < 4 || (word[length - 2] != '-' && word[length - 2] != '/'))) {
        return length;
    }
    for (size_t before = 2; before < length; before++) {
        const size_t result_length = luft_pgn_scan_result(&result, word + before);
        if (result_length > 0 && before + result_length == length) {
            return before;
        }
    }
    return length;
}

/*
 * A word that is not SAN by itself: other notations, and moves to which something is
 * glued that the scan for words took for a part of them or for something else.
 * Returns how many bytes were used, 0 if it is no legal move, with the error.
 */
static size_t resolve_odd_word(luft_move *move, luft_error *error, const luft_position *position, const char *word,
                               size_t length) {
    const size_t before_result = length_before_result(word, length);
    if (is_null_move(word, length)) {
        *move = LUFT_MOVE_NONE;
        *error = luft_in_check(position) ? LUFT_ERROR_MOVE_ILLEGAL : LUFT_OK;
        return *error == LUFT_OK ? length : 0;
    }
    if (word[length] == '(' && is_letter_of_promotion(word[length + 1]) && word[length + 2] == ')' &&
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
    return 0;
}

/* Marks of check that stand apart from their move, and "e.p.": their bytes, 0 if there are none. */
static size_t idle_mark_length(const char *word, size_t length) {
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
    case LUFT_ERROR_MOVE_AMBIGUOUS: return "more than one legal move can be meant";
    default: return "this is no move";
    }
}

/* A word: a move, in whatever form, or what stands in the place of one. */
static void read_word(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const char *const word = input->at;
    const size_t length = pgn_word_length(word);
    if (reader->muted) {
        input->at += length_before_result(word, length);
        return;
    }
    const luft_position *const position = present_position(reader);
    luft_move move;
    luft_error error = luft_move_from_san(&move, position, word, length);
    size_t used = error == LUFT_OK ? length : idle_mark_length(word, length);
    if (error != LUFT_OK && used > 0) {
        input->at += used;
        return;
    }
    if (used == 0) {
        used = resolve_odd_word(&move, &error, position, word, length);
    }
    if (used == 0) {
        input->at += length_before_result(word, length);
        report_token(reader, error, move_reason(error), word, length);
        return;
    }
    input->at += used;
    make_move(reader, move);
}

/*
 * Reads as long as there are only moves in plain SAN, their numbers and blanks, which is nearly all of most files.
 * Everything else is left where it stands for read_moves, which could read this as well, a third slower.
 */
static void read_plain_moves(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    char *at = input->at, *const limit = input->refill_at;
    while (at < limit && !reader->muted) {
        if (*at >= 'A') {
            const size_t length = pgn_plain_word_length(at);
            luft_move move;
            if (UNLIKELY(length == 0 || luft_move_from_san(&move, present_position(reader), at, length) != LUFT_OK)) {
                break;
            }
            at += length;
            input->at = at;
            make_move(reader, move);
        } else if (*at >= '1' && *at <= '9' && at[1] != '-' && at[1] != '/') {
            const char *const end = at + PGN_WORD_MAX;
            while (*at >= '0' && *at <= '9' && at < end) {
                at++;
            }
            while (*at == '.' && at < end) {
                at++;
            }
        } else if (*at == '\r') {
            at++;
        } else if (*at != ' ' && *at != '\n') {
            break;
        }
        at += (*at == ' ') | (*at == '\n'); /* there is one behind nearly everything */
    }
    input->at = at;
}

/* A number of a move in any form, a result, or a word that begins with a digit. False if the game ends here. */
static bool read_digits(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const char *text = input->at;
    if (UNLIKELY(text[0] <= '1' && (text[1] == '-' || text[1] == '/'))) {
        luft_result result;
        const size_t length = luft_pgn_scan_result(&result, text);
        if (length > 0) {
            input->at += length;
            reader->result = reader->depth > 0 ? reader->result : result;
            return reader->depth > 0; /* in a variation it ends nothing */
        }
        read_word(reader);
        return true;
    }
    if (UNLIKELY(memcmp(text, "0000", 4) == 0 && !luft_pgn_is_word[(unsigned char)text[4]])) {
        read_word(reader);
        return true;
    }
    const char *const limit = text + PGN_WORD_MAX;
    while (*text >= '0' && *text <= '9' && text < limit) {
        text++;
    }
    while (*text == '.' && text < limit) {
        text++;
    }
    text += *text == ' ';
    input->at += text - input->at; /* not assigned: `text` is const */
    return true;
}

static void read_nag(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const char *const text = input->at;
    size_t length = 1;
    int nag = 0;
    if (*text == '$') {
        for (; length <= 4 && text[length] >= '0' && text[length] <= '9'; length++) {
            nag = nag * 10 + (text[length] - '0');
        }
    } else if (text[1] == '!' || text[1] == '?') {
        nag = text[0] == text[1] ? (text[0] == '!' ? 3 : 4) : (text[0] == '!' ? 5 : 6);
        length = 2;
    } else {
        nag = text[0] == '!' ? 1 : 2;
    }
    input->at += length;
    if ((*text == '$' && length == 1) || nag > 255) {
        report_token(reader, LUFT_ERROR_PGN, "an annotation is $ and a number up to 255", text, length);
    } else if (!reader->muted && reader->visitor->nag) {
        obey(reader, reader->visitor->nag(reader->payload, nag));
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

/* Puts a level on the stack that begins where the last move was played; false, with a report, if it cannot. */
static bool push_level(luft_pgn_reader *reader) {
    if (!reader->levels[reader->depth].has_move) {
        report_token(reader, LUFT_ERROR_PGN, "a variation needs a move that it replaces", reader->input.at, 1);
        return false;
    }
    if (reader->depth + 1 == reader->level_capacity && !grow_levels(reader)) {
        report_token(reader, LUFT_ERROR_MEMORY, "the variations nest too deep", reader->input.at, 1);
        return false;
    }
    const level *const parent = &reader->levels[reader->depth];
    level *const child = &reader->levels[reader->depth + 1];
    child->positions[0] = parent->positions[parent->present ^ 1];
    child->present = 0;
    child->has_move = false;
    return true;
}

static void open_variation(luft_pgn_reader *reader) {
    const bool is_pushed = !reader->muted && push_level(reader);
    reader->input.at++;
    reader->depth++;
    if (is_pushed && reader->visitor->variation_start) {
        obey(reader, reader->visitor->variation_start(reader->payload, present_position(reader)));
    }
}

static void close_variation(luft_pgn_reader *reader) {
    if (reader->depth == 0) {
        report_token(reader, LUFT_ERROR_PGN, "no variation is open here", reader->input.at, 1);
        reader->input.at++;
        return;
    }
    reader->input.at++;
    if (reader->muted == MUTE_VARIATION && reader->depth == reader->mute_depth) {
        reader->muted = MUTE_NOTHING;
    }
    reader->depth--;
    if (!reader->muted && reader->visitor->variation_end) {
        obey(reader, reader->visitor->variation_end(reader->payload));
    }
}

/* --- The movetext ---------------------------------------------------------- */

/* All other bytes: results of one character, blanks of several bytes, and what has no place here. */
static bool read_other(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    luft_result result;
    const size_t length = luft_pgn_scan_result(&result, input->at);
    if (length > 0) {
        input->at += length;
        reader->result = reader->depth > 0 ? reader->result : result;
        return reader->depth > 0;
    }
    if (skip_blank(reader)) {
        return true;
    }
    if (luft_pgn_is_word[(unsigned char)*input->at]) {
        read_word(reader);
        return true;
    }
    report_token(reader, LUFT_ERROR_PGN, "this character has no place among moves", input->at, 1);
    input->at++;
    return true;
}

/* Reads to the result, to the tags of the next game or to the end. */
static void read_moves(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    bool goes_on = true;
    while (goes_on && pgn_input_has_more(input)) {
        read_plain_moves(reader);
        if (input->at >= input->refill_at) {
            continue;
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
        case '9': goes_on = read_digits(reader); break;
        case '$':
        case '!':
        case '?': read_nag(reader); break;
        case '{':
        case ';': read_comment(reader); break;
        case '(': open_variation(reader); break;
        case ')': close_variation(reader); break;
        case '[':
            goes_on = !luft_pgn_looks_like_tag(input->at);
            if (goes_on) {
                goes_on = read_other(reader);
            }
            break;
        default: goes_on = read_other(reader); break;
        }
    }
}

/* What may still stand behind the result. */
static void read_after_result(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    while (pgn_input_has_more(input)) {
        if (*input->at == '$' || *input->at == '!' || *input->at == '?') {
            read_nag(reader);
        } else if (!skip_blank(reader) && !read_comment(reader)) {
            return;
        }
    }
}

/* --- Games ----------------------------------------------------------------- */

/*
 * Where the comments that begin here end. NULL if they are too long to tell, or not closed.
 */
static char *end_of_comments(pgn_input *input) {
    char *text = input->at, *const end = text + window_of(input);
    while (text < end) {
        const size_t blank = luft_pgn_blank_length(text);
        const char *close = NULL;
        if (blank > 0) {
            text += blank;
            continue;
        }
        if (*text == ';' || (*text == '%' && pgn_begins_line(text))) {
            close = luft_pgn_find_line_end(text, (size_t)(end - text));
            text = close ? text + (close - text) : end;
        } else if (*text == '{') {
            close = memchr(text, '}', (size_t)(end - text));
            if (!close || luft_pgn_find_event_line(text, (size_t)(close - text))) {
                return NULL;
            }
            text += close - text + 1;
        } else {
            return text;
        }
    }
    return input->ended && end == input->end ? end : NULL;
}

/*
 * Goes to where the next game begins; false if there is none. Comments before it are a part of it, but not before a
 * line that begins a game by itself, nor before nothing.
 */
static bool find_game(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    while (pgn_input_has_more(input)) {
        if (skip_blank(reader)) {
            continue;
        }
        if (*input->at != '{' && *input->at != ';') {
            return true;
        }
        char *const after = end_of_comments(input);
        if (!after || !(after == input->end || luft_pgn_is_event_line(after))) {
            return true;
        }
        input->at = after;
    }
    return false;
}

static void begin_game(luft_pgn_reader *reader) {
    reader->games++;
    reader->result = LUFT_RESULT_NONE;
    reader->is_stopped = false;
    reader->muted = MUTE_NOTHING;
    reader->depth = 0;
    reader->names = 0;
    reader->start = reader->standard_start;
    reader->setup.error = LUFT_OK;
    if (reader->visitor->game_start) {
        const luft_pgn_place place = place_of(reader, reader->input.at);
        obey(reader, reader->visitor->game_start(reader->payload, &place));
    }
}

static void end_game(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const bool is_torn = input->failed && input->at == input->end && reader->result == LUFT_RESULT_NONE;
    if (is_torn) {
        report_token(reader, LUFT_ERROR_READ, "the input cannot be read further", input->at, 0);
    } else if (reader->depth > 0) {
        report_token(reader, LUFT_ERROR_PGN, "a variation is not closed", input->at, 0);
    }
    if (reader->visitor->game_end) {
        reader->muted = MUTE_GAME; /* nothing is left to skip */
        obey(reader, reader->visitor->game_end(reader->payload, reader->result));
    }
}

luft_error luft_pgn_read_game(luft_pgn_reader *reader, const luft_pgn_visitor *visitor, void *payload) {
    if (!reader || !visitor) {
        return LUFT_ERROR_ARGUMENT;
    }
    reader->visitor = visitor;
    reader->payload = payload;
    if (!find_game(reader)) {
        return reader->input.failed ? LUFT_ERROR_READ : LUFT_ERROR_END;
    }
    begin_game(reader);
    read_tags(reader);
    begin_moves(reader);
    read_moves(reader);
    if (reader->result != LUFT_RESULT_NONE) {
        read_after_result(reader);
    }
    end_game(reader);
    if (reader->is_stopped) {
        return LUFT_ERROR_STOPPED;
    }
    return LUFT_OK;
}

luft_error luft_pgn_read_all(luft_pgn_reader *reader, const luft_pgn_visitor *visitor, void *payload) {
    luft_error error;
    do {
        error = luft_pgn_read_game(reader, visitor, payload);
    } while (error == LUFT_OK);
    return error == LUFT_ERROR_END ? LUFT_OK : error;
}

/* --- The reader as an object ----------------------------------------------- */

static size_t read_text(void *payload, char *buffer, size_t size) {
    text_source *const source = payload;
    const size_t length = source->left < size ? source->left : size;
    memcpy(buffer, source->text, length);
    source->text += length;
    source->left -= length;
    return length;
}

luft_error luft_pgn_reader_create(luft_pgn_reader **reader, luft_pgn_source source, void *payload) {
    if (!reader || !source) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_pgn_reader *const created = malloc(sizeof *created);
    level *const levels = malloc(FIRST_LEVELS * sizeof *levels);
    if (!created || !levels) {
        free(created);
        free(levels);
        return LUFT_ERROR_MEMORY;
    }
    created->games = 0;
    created->standard_start = luft_start_position();
    created->levels = levels;
    created->level_capacity = FIRST_LEVELS;
    luft_pgn_input_start(&created->input, source, payload);
    *reader = created;
    return LUFT_OK;
}

luft_error luft_pgn_reader_create_text(luft_pgn_reader **reader, const char *text, size_t length) {
    if (!text) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_pgn_reader *created;
    const luft_error error = luft_pgn_reader_create(reader ? &created : NULL, read_text, NULL);
    if (error == LUFT_OK) {
        created->text = (text_source){text, length};
        created->input.payload = &created->text;
        *reader = created;
    }
    return error;
}

void luft_pgn_reader_free(luft_pgn_reader *reader) {
    if (reader) {
        free(reader->levels);
        free(reader);
    }
}

luft_pgn_place luft_pgn_reader_place(const luft_pgn_reader *reader) {
    luft_pgn_place place = {0};
    if (reader) {
        pgn_lines lines = reader->input.lines; /* a copy: to ask changes nothing */
        place = luft_pgn_lines_place(&lines, reader->input.at);
        place.game = reader->games;
    }
    return place;
}
