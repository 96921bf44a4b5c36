/* SPDX-License-Identifier: MIT */
/*
 * The PGN reader. It reads a stream game by game, in one pass. A game is comments, tags,
 * movetext, a result, and comments after it. This file finds where games begin and end,
 * reads comments, calls the visitor, and creates and frees readers. pgn_tags.c reads the
 * tags, pgn_moves.c the movetext.
 */
#include "games/pgn_reader.h"

#include "games/pgn_scan.h"

#include <stdlib.h>
#include <string.h>

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

/* --- Visitor calls --------------------------------------------------------- */

void luft_pgn_handle_action(luft_pgn_reader *reader, luft_pgn_action action) {
    static const luft_pgn_visitor no_callbacks = {0};
    if (action == LUFT_PGN_STOP) {
        reader->is_stopped = true;
        reader->visitor = &no_callbacks;
    }
    if (action == LUFT_PGN_SKIP_VARIATION && reader->depth > 0 && !reader->muted) {
        reader->muted = MUTE_VARIATION;
        reader->mute_depth = reader->depth;
    } else {
        reader->muted = MUTE_GAME;
    }
}

luft_pgn_place luft_pgn_place_of(luft_pgn_reader *reader, const char *byte) {
    luft_pgn_place place = luft_pgn_lines_place(&reader->input.lines, byte);
    place.game = reader->games;
    return place;
}

void luft_pgn_report(luft_pgn_reader *reader, const luft_pgn_error *error) {
    if (reader->muted) {
        return;
    }
    reader->muted = MUTE_GAME;
    if (reader->visitor->error) {
        pgn_handle_action(reader, reader->visitor->error(reader->payload, error));
    }
}

void luft_pgn_report_token(luft_pgn_reader *reader, luft_error error, const char *reason, const char *token,
                           size_t length) {
    if (!reader->muted) {
        const luft_pgn_error details = {
            .error = error,
            .place = luft_pgn_place_of(reader, token),
            .reason = reason,
            .token = token,
            .token_length = length,
        };
        luft_pgn_report(reader, &details);
    }
}

/* --- Comments and lines ----------------------------------------------------- */

static void visit_comment(luft_pgn_reader *reader, const char *text, size_t length, bool more) {
    if (!reader->muted && reader->visitor->comment) {
        pgn_handle_action(reader, reader->visitor->comment(reader->payload, text, length, more));
    }
}

/* Reads a comment in braces. It ends at the first closing brace; an unclosed one ends at the next place where a text
 * can be cut. */
static void read_brace_comment(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    luft_pgn_error unclosed = {.error = LUFT_ERROR_PGN, .reason = "a comment is not closed", .token = "{"};
    unclosed.token_length = 1;
    input->at++;
    for (bool is_first = true;; is_first = false) {
        const size_t window = pgn_input_window(input);
        const bool has_next =
            input->at + window < input->end; /* look one byte further: if the brace is there, this is the last part */
        const char *const text = input->at, *const close = memchr(text, '}', window + has_next);
        const size_t length = close ? (size_t)(close - text) : window;
        const char *const game = luft_pgn_find_cut(text, length);
        const bool is_cut = game || (!close && input->ended && text + window == input->end);
        if (is_first && (is_cut || !close)) {
            unclosed.place = luft_pgn_place_of(reader, text - 1); /* computed now: the brace may leave the buffer */
        }
        if (is_cut) {
            input->at += game ? (size_t)(game - text) : window;
            luft_pgn_report(reader, &unclosed);
            return;
        }
        input->at += length + (close != NULL);
        visit_comment(reader, text, length, !close);
        if (close) {
            return;
        }
        pgn_input_has_more(input);
    }
}

void luft_pgn_read_rest_of_line(luft_pgn_reader *reader, bool is_comment) {
    pgn_input *const input = &reader->input;
    bool is_done = false;
    while (!is_done) {
        const size_t window = pgn_input_window(input);
        const bool has_next = input->at + window < input->end;
        const char *const text = input->at, *const line_end = luft_pgn_find_line_end(text, window + has_next);
        const size_t length = line_end ? (size_t)(line_end - text) : window;
        is_done = line_end || (input->ended && text + window == input->end);
        input->at += length;
        if (is_comment) {
            visit_comment(reader, text, length, !is_done);
        }
        if (!is_done) {
            pgn_input_has_more(input);
        }
    }
}

bool luft_pgn_skip_blank(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const size_t length = luft_pgn_blank_length(input->at);
    if (length == 0 && *input->at == '%' && pgn_begins_line(input->at)) {
        luft_pgn_read_rest_of_line(reader, false);
        return true;
    }
    input->at += length;
    return length > 0;
}

bool luft_pgn_read_comment(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    if (*input->at == '{') {
        read_brace_comment(reader);
    } else if (*input->at == ';') {
        input->at++;
        luft_pgn_read_rest_of_line(reader, true);
    } else {
        return false;
    }
    return true;
}

/* --- Games ----------------------------------------------------------------- */

/* Returns where the comments at the current byte end; NULL if they exceed the window or are not closed. */
static char *end_of_comments(pgn_input *input) {
    char *text = input->at, *const end = text + pgn_input_window(input);
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
            if (!close || luft_pgn_find_cut(text, (size_t)(close - text))) {
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
 * Advances to the next game; false if there is none. Comments before a game belong to it. Comments before a
 * place where the text can be cut, or before the end of the input, belong to no game and are skipped.
 */
static bool find_game(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    while (pgn_input_has_more(input)) {
        if (luft_pgn_skip_blank(reader)) {
            continue;
        }
        if (*input->at != '{' && *input->at != ';') {
            return true;
        }
        char *const after = end_of_comments(input);
        if (!after || !(after == input->end || luft_pgn_is_cut(after))) {
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
    reader->is_tagged = false;
    reader->names = 0;
    reader->start = reader->standard_start;
    reader->setup.error = LUFT_OK;
    reader->has_fen = reader->has_variant = false;
    if (reader->visitor->game_start) {
        const luft_pgn_place place = luft_pgn_place_of(reader, reader->input.at);
        pgn_handle_action(reader, reader->visitor->game_start(reader->payload, &place));
    }
}

static void end_game(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const bool is_truncated = input->failed && input->at == input->end && reader->result == LUFT_RESULT_NONE;
    if (is_truncated) {
        luft_pgn_report_token(reader, LUFT_ERROR_READ, "cannot read the input", input->at, 0);
    } else if (reader->depth > 0) {
        luft_pgn_report_token(reader, LUFT_ERROR_PGN, "a variation is not closed", input->at, 0);
    }
    if (reader->visitor->game_end) {
        reader->muted = MUTE_GAME; /* nothing is left to skip */
        pgn_handle_action(reader, reader->visitor->game_end(reader->payload, reader->result));
    }
}

luft_error luft_pgn_read_game(luft_pgn_reader *reader, const luft_pgn_visitor *visitor, void *payload) {
    if (!reader || !visitor || reader->is_reading) {
        return LUFT_ERROR_ARGUMENT;
    }
    reader->visitor = visitor;
    reader->payload = payload;
    if (!find_game(reader)) {
        return reader->input.failed ? LUFT_ERROR_READ : LUFT_ERROR_END;
    }
    reader->is_reading = true;
    begin_game(reader);
    luft_pgn_read_tags(reader);
    luft_pgn_begin_moves(reader);
    luft_pgn_read_moves(reader);
    if (reader->result != LUFT_RESULT_NONE) {
        luft_pgn_read_after_result(reader);
    }
    end_game(reader);
    reader->is_reading = false;
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

/* --- Create and free ------------------------------------------------------- */

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
    created->is_reading = false;
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
        pgn_lines lines = reader->input.lines; /* a copy, since `reader` is const */
        place = luft_pgn_lines_place(&lines, reader->input.at);
        place.game = reader->games;
    }
    return place;
}
