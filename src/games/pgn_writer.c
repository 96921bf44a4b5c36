/* SPDX-License-Identifier: MIT */
/*
 * Writes PGN in export format. After the tags comes a sequence of units, and a line may
 * end only between two of them. So the output depends on the game alone: reading it and
 * writing it again gives the same bytes. Units go to the sink at once; the writer
 * remembers only its column.
 */
#include "games/pgn_scan.h"
#include "luft/pgn.h"

#include <string.h>

enum {
    LINE_BYTES = 79, /* maximum length of a line in the PGN standard */
    COMMAND_MAX = 64 /* longer commands in a comment may be split */
};

void luft_pgn_writer_init(luft_pgn_writer *writer, luft_pgn_sink sink, void *payload) {
    if (writer) {
        *writer = (luft_pgn_writer){.sink = sink, .payload = payload, .failed = !sink, .needs_number = true};
    }
}

/* --- Units ----------------------------------------------------------------- */

static void put(luft_pgn_writer *writer, const char *text, size_t length) {
    if (!writer->failed && length > 0) {
        writer->failed = !writer->sink(writer->payload, text, length);
        writer->column += length;
    }
}

static void put_line_end(luft_pgn_writer *writer) {
    put(writer, "\n", 1);
    writer->column = 0;
}

/* Starts a unit of this length on this line or the next, and writes a pending parenthesis. */
static void begin_unit(luft_pgn_writer *writer, size_t length, bool may_break) {
    length += writer->is_opening;
    if (writer->column > 0) {
        if (may_break && writer->column + 1 + length > LINE_BYTES) {
            put_line_end(writer);
        } else {
            put(writer, " ", 1);
        }
    }
    put(writer, "(", writer->is_opening);
    writer->is_opening = false;
}

static luft_error outcome(const luft_pgn_writer *writer) {
    return writer->failed ? LUFT_ERROR_WRITE : LUFT_OK;
}

static luft_error put_unit(luft_pgn_writer *writer, const char *text, size_t length) {
    begin_unit(writer, length, true);
    put(writer, text, length);
    return outcome(writer);
}

/* Writes a number and returns its length. */
static size_t write_number(char *out, unsigned number) {
    char digits[10];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    for (size_t i = 0; i < count; i++) {
        out[i] = digits[count - 1 - i];
    }
    return count;
}

/* --- Tags ------------------------------------------------------------------ */

const pgn_roster_tag luft_pgn_roster[PGN_ROSTER_SIZE] = {
    {"Event", "?"}, {"Site", "?"},  {"Date", "????.??.??"}, {"Round", "?"},
    {"White", "?"}, {"Black", "?"}, {"Result", "*"},
};

static bool has_name(const luft_pgn_tag *tag, const char *name) {
    return tag->name_length == strlen(name) && memcmp(tag->name, name, tag->name_length) == 0;
}

/* Index of the first tag with this name; `count` if there is none. */
static size_t find_tag(const luft_pgn_tag *tags, size_t count, const char *name) {
    size_t place = 0;
    while (place < count && !has_name(&tags[place], name)) {
        place++;
    }
    return place;
}

static bool is_writable(const luft_pgn_tag *tag) {
    if (!tag->name || tag->name_length == 0 || tag->name_length > PGN_NAME_MAX ||
        (!tag->value && tag->value_length > 0)) {
        return false;
    }
    for (size_t i = 0; i < tag->name_length; i++) {
        if (!pgn_is_name(tag->name[i])) {
            return false;
        }
    }
    return true;
}

/* Escapes quotes and backslashes. Replaces control characters, which a value cannot hold, with blanks. */
static void put_tag(luft_pgn_writer *writer, const char *name, size_t name_length, const char *value, size_t length) {
    size_t done = 0;
    value = value ? value : "";
    put(writer, "[", 1);
    put(writer, name, name_length);
    put(writer, " \"", 2);
    for (size_t i = 0; i < length; i++) {
        const bool is_control = (unsigned char)value[i] < ' ';
        if (is_control || value[i] == '"' || value[i] == '\\') {
            put(writer, value + done, i - done);
            put(writer, is_control ? " " : "\\", 1);
            done = i + is_control;
        }
    }
    put(writer, value + done, length - done);
    put(writer, "\"]", 2);
    put_line_end(writer);
}

luft_error luft_pgn_write_tags(luft_pgn_writer *writer, const luft_pgn_tag *tags, size_t count) {
    if (!writer || (!tags && count > 0)) {
        return LUFT_ERROR_ARGUMENT;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_writable(&tags[i])) {
            return LUFT_ERROR_ARGUMENT;
        }
    }
    size_t written[PGN_ROSTER_SIZE]; /* indices of the tags in the roster; duplicates are written with the other tags */
    for (int i = 0; i < PGN_ROSTER_SIZE; i++) {
        const size_t first = written[i] = find_tag(tags, count, luft_pgn_roster[i].name);
        const char *const value = first < count ? tags[first].value : luft_pgn_roster[i].unknown;
        const size_t length = first < count ? tags[first].value_length : strlen(luft_pgn_roster[i].unknown);
        put_tag(writer, luft_pgn_roster[i].name, strlen(luft_pgn_roster[i].name), value, length);
    }
    for (size_t i = 0; i < count; i++) {
        bool is_written = has_name(&tags[i], "Event"); /* a second Event tag would begin another game */
        for (int j = 0; j < PGN_ROSTER_SIZE; j++) {
            is_written |= written[j] == i;
        }
        if (!is_written) {
            put_tag(writer, tags[i].name, tags[i].name_length, tags[i].value, tags[i].value_length);
        }
    }
    put_line_end(writer);
    writer->needs_number = true;
    writer->is_opening = false;
    return outcome(writer);
}

/* --- Moves ----------------------------------------------------------------- */

luft_error luft_pgn_write_move(luft_pgn_writer *writer, const luft_position *before, luft_move move) {
    char unit[LUFT_SAN_SIZE + 16];
    size_t length = 0;
    if (!writer || !before) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (before->side_to_move == LUFT_WHITE || writer->needs_number) {
        length = write_number(unit, before->fullmove_number);
        const size_t dots = before->side_to_move == LUFT_WHITE ? 1 : 3;
        memcpy(unit + length, "...", dots);
        length += dots;
        unit[length++] = ' ';
    }
    const size_t san_length = luft_move_to_san(unit + length, sizeof unit - length, before, move);
    const bool is_null_in_check =
        move == LUFT_MOVE_NONE && luft_in_check(before); /* readers refuse it, although it has a SAN */
    if (san_length == 0 || is_null_in_check) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    writer->needs_number = false;
    return put_unit(writer, unit, length + san_length);
}

luft_error luft_pgn_write_nag(luft_pgn_writer *writer, int nag) {
    char unit[8] = "$";
    if (!writer || nag < 0 || nag > 255) {
        return LUFT_ERROR_ARGUMENT;
    }
    return put_unit(writer, unit, 1 + write_number(unit + 1, (unsigned)nag));
}

luft_error luft_pgn_write_variation_start(luft_pgn_writer *writer) {
    if (!writer) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (writer->is_opening) { /* two parentheses in a row, which no valid game has */
        put_unit(writer, "", 0);
    }
    writer->is_opening = true;
    writer->needs_number = true;
    return outcome(writer);
}

luft_error luft_pgn_write_variation_end(luft_pgn_writer *writer) {
    if (!writer) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (writer->is_opening) { /* an empty variation */
        put_unit(writer, "", 0);
    }
    if (writer->column >= LINE_BYTES) {
        put_line_end(writer);
    }
    put(writer, ")", 1);
    writer->needs_number = true;
    return outcome(writer);
}

luft_error luft_pgn_write_result(luft_pgn_writer *writer, luft_result result) {
    if (!writer) {
        return LUFT_ERROR_ARGUMENT;
    }
    const char *const text = luft_result_string(result);
    put_unit(writer, text, strlen(text));
    put_line_end(writer);
    put_line_end(writer);
    writer->needs_number = true;
    return outcome(writer);
}

/* --- Comments -------------------------------------------------------------- */

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A part of a comment that must stay on one line. */
typedef struct comment_unit {
    const char *text;
    size_t length;  /* in the source text */
    size_t written; /* length with each run of blanks as one */
} comment_unit;

/* Returns a word, or a whole command such as [%clk 1:00:00]: programs do not find a command split over two lines. */
static comment_unit next_unit(const char *text, const char *end) {
    comment_unit unit = {.text = text};
    const char *at = text;
    size_t command = 0; /* 1 + where the command began in the output; 0 outside of a command */
    while (at < end) {
        if (is_blank(*at)) {
            const char *after = at;
            while (after < end && is_blank(*after)) {
                after++;
            }
            if (command == 0 || after == end || unit.written >= command + COMMAND_MAX) {
                break;
            }
            at = after;
        } else {
            const bool begins = *at == '[' && at + 1 < end && at[1] == '%';
            command = begins ? unit.written + 1 : *at == ']' ? 0 : command;
            at++;
        }
        unit.written++;
    }
    unit.length = (size_t)(at - text);
    return unit;
}

/* Writes each run of blanks as one blank, and closing braces as parentheses. */
static void put_comment_text(luft_pgn_writer *writer, const comment_unit *unit) {
    size_t done = 0;
    for (size_t i = 0; i < unit->length; i++) {
        const char c = unit->text[i];
        if (c == '}' || is_blank(c)) {
            put(writer, unit->text + done, i - done);
            put(writer, c == '}' ? ")" : " ", 1);
            while (is_blank(c) && i + 1 < unit->length && is_blank(unit->text[i + 1])) {
                i++;
            }
            done = i + 1;
        }
    }
    put(writer, unit->text + done, unit->length - done);
}

/* A line of a comment must not begin with [Event, which starts a game, or with %, which hides the line. */
static bool may_begin_line(const comment_unit *unit) {
    return unit->text[0] != '%' && !(unit->length >= 6 && memcmp(unit->text, "[Event", 6) == 0);
}

luft_error luft_pgn_write_comment(luft_pgn_writer *writer, const char *text, size_t length) {
    if (!writer || (!text && length > 0)) {
        return LUFT_ERROR_ARGUMENT;
    }
    const char *at = text, *const end = length > 0 ? text + length : text;
    bool is_first = true;
    writer->needs_number = true;
    while (at < end && is_blank(*at)) {
        at++;
    }
    if (at == end) {
        return put_unit(writer, "{}", 2);
    }
    while (at < end) {
        const comment_unit unit = next_unit(at, end);
        at += unit.length;
        while (at < end && is_blank(*at)) {
            at++;
        }
        begin_unit(writer, unit.written + is_first + (at == end), is_first || may_begin_line(&unit));
        put(writer, "{", is_first);
        put_comment_text(writer, &unit);
        put(writer, "}", at == end);
        is_first = false;
    }
    return outcome(writer);
}
