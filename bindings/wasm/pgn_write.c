/* SPDX-License-Identifier: MIT */
/* Writes a game as PGN, move by move: JavaScript walks its tree, this module keeps the positions. One game at a time. */
#include "rules.h"

#include "util/setup.h"

#include <stdlib.h>
#include <string.h>

/* An open variation, or the main line. */
typedef struct write_line {
    luft_position before, present; /* of the last move; equal if there is none yet */
} write_line;

/* The game that is being written. */
static struct web_writer {
    luft_pgn_writer writer;
    buffer *text;
    write_line *lines;
    size_t depth, room; /* of `lines`: the innermost is the last */
} web;

static bool take_text(void *payload, const char *text, size_t length) {
    buffer *out = payload;
    buffer_append(out, text, length);
    return !out->failed;
}

static bool add_line(const luft_position *position) {
    if (web.depth == web.room) {
        const size_t room = web.room ? 2 * web.room : 16;
        write_line *lines = realloc(web.lines, room * sizeof *lines);
        if (!lines) {
            return false;
        }
        web.lines = lines;
        web.room = room;
    }
    web.lines[web.depth++] = (write_line){*position, *position};
    return true;
}

/* Reads names and values, each with a NUL after it. Returns the number of tags. */
static size_t read_tags(luft_pgn_tag *tags, size_t max, const char *text, size_t length) {
    size_t count = 0;
    const char *const end = text + length;
    while (count < max && text < end) {
        luft_pgn_tag *tag = &tags[count];
        tag->name = text;
        tag->name_length = strlen(text);
        tag->value = text + tag->name_length + 1;
        if (tag->value >= end) {
            break;
        }
        tag->value_length = strlen(tag->value);
        text = tag->value + tag->value_length + 1;
        count++;
    }
    return count;
}

bool web_write_begin(size_t fen_length, size_t tags_length) {
    enum { TAGS_MAX = 1024 };
    luft_position start;
    const char *fen = web_input();
    luft_pgn_tag *tags = calloc(TAGS_MAX, sizeof *tags);
    web.depth = 0;
    web.text = web_answer();
    const bool is_good = tags && luft_position_from_fen(&start, fen, fen_length, NULL) == LUFT_OK && add_line(&start);
    if (is_good) {
        luft_pgn_writer_init(&web.writer, take_text, web.text);
        luft_pgn_write_tags(&web.writer, tags, read_tags(tags, TAGS_MAX, fen + fen_length, tags_length));
    }
    free(tags);
    return is_good;
}

bool web_write_move(size_t length) {
    write_line *line = &web.lines[web.depth - 1];
    const char *text = web_input();
    luft_move move = LUFT_MOVE_NONE;
    const bool is_null = length == 4 && memcmp(text, "0000", 4) == 0;
    if (!is_null && setup_read_move(&move, &line->present, text, length) != LUFT_OK) {
        return false;
    }
    luft_position after;
    if (is_null ? luft_make_null(&after, &line->present) != LUFT_OK
                : luft_play(&after, &line->present, move) != LUFT_OK) {
        return false;
    }
    if (luft_pgn_write_move(&web.writer, &line->present, move) != LUFT_OK) {
        return false;
    }
    line->before = line->present;
    line->present = after;
    return true;
}

void web_write_nag(int nag) {
    luft_pgn_write_nag(&web.writer, nag);
}

void web_write_comment(size_t length) {
    luft_pgn_write_comment(&web.writer, web_input(), length);
}

bool web_write_open(void) {
    const luft_position before = web.lines[web.depth - 1].before;
    if (!add_line(&before)) {
        return false;
    }
    luft_pgn_write_variation_start(&web.writer);
    return true;
}

void web_write_close(void) {
    luft_pgn_write_variation_end(&web.writer);
    web.depth--;
}

size_t web_write_end(luft_result result) {
    luft_pgn_write_result(&web.writer, result);
    return web_answer_length();
}
