/* SPDX-License-Identifier: MIT */
/* Reads the tags of a game: finds where they end and sets up the position they give. */
#include "games/pgn_reader.h"
#include "games/pgn_scan.h"

#include <string.h>

/* --- Tags ------------------------------------------------------------------ */

/* Keeps a setup error until the moves begin, so that the visitor sees all tags first. */
static void keep_setup_error(luft_pgn_reader *reader, luft_error error, const char *reason, const luft_pgn_tag *tag) {
    luft_pgn_error *const setup = &reader->setup;
    setup->error = error;
    setup->reason = reason;
    setup->place = luft_pgn_place_of(reader, tag->value);
    setup->token = reader->setup_token;
    setup->token_length = tag->value_length < TOKEN_COPY ? tag->value_length : TOKEN_COPY;
    memcpy(reader->setup_token, tag->value, setup->token_length);
}

/* Handles the FEN and Variant tags. An unsupported variant overrides an error of the FEN. */
static void note_tag(luft_pgn_reader *reader, const luft_pgn_tag *tag) {
    if (tag->name_length == 3 && memcmp(tag->name, "FEN", 3) == 0 && tag->value_length > 0 && !reader->has_fen) {
        luft_fen_report fen;
        reader->has_fen = true;
        if (luft_position_from_fen(&reader->start, tag->value, tag->value_length, &fen) != LUFT_OK &&
            reader->setup.error == LUFT_OK) {
            keep_setup_error(reader, fen.error, fen.reason, tag);
        }
    } else if (tag->name_length == 7 && memcmp(tag->name, "Variant", 7) == 0 && !reader->has_variant) {
        reader->has_variant = true;
        if (!luft_pgn_is_chess(tag->value, tag->value_length)) {
            keep_setup_error(reader, LUFT_ERROR_PGN, "the variant is not supported", tag);
        }
    }
}

static void remember_name(luft_pgn_reader *reader, uint32_t name_hash) {
    if (reader->names < NAMES_KEPT) {
        reader->name_hashes[reader->names++] = name_hash;
    }
}

static void read_tag(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    const luft_pgn_visitor *const visitor = reader->visitor;
    char *const text = input->at;
    const char *reason;
    luft_pgn_tag tag;
    char *const after = luft_pgn_scan_tag(&tag, text, text + pgn_input_window(input), &reason);
    if (!after) {
        if (luft_pgn_looks_like_tag(text)) {
            remember_name(reader, luft_pgn_hash_name_at(text));
        }
        const size_t length = pgn_input_window(input) < TOKEN_COPY ? pgn_input_window(input) : TOKEN_COPY;
        const char *const line_end = luft_pgn_find_line_end(text, length);
        luft_pgn_report_token(reader, LUFT_ERROR_PGN, reason, text, line_end ? (size_t)(line_end - text) : length);
        luft_pgn_read_rest_of_line(reader, false);
        return;
    }
    input->at = after;
    remember_name(reader, luft_pgn_hash_name(tag.name, tag.name_length));
    if (!reader->muted) {
        note_tag(reader, &tag);
        if (visitor->tag) {
            pgn_handle_action(reader,
                              visitor->tag(reader->payload, tag.name, tag.name_length, tag.value, tag.value_length));
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
 * True if another game begins with this tag. An empty line alone does not separate games: some programs write
 * one between the tags of a game. If a tag repeats after an empty line, the game before it had no moves. A line
 * with a second Event begins a game in any case.
 */
static bool begins_next_game(const luft_pgn_reader *reader, const char *text, int line_ends) {
    const bool is_event = luft_pgn_is_event_line(text);
    return (is_event && luft_pgn_is_cut(text)) ||
           ((is_event || line_ends > 1) && has_tag(reader, luft_pgn_hash_name_at(text)));
}

void luft_pgn_read_tags(luft_pgn_reader *reader) {
    pgn_input *const input = &reader->input;
    bool is_fresh = true;
    int line_ends = 0; /* since the last tag, counted up to 2 */
    while (pgn_input_has_more(input)) {
        const char *const text = input->at;
        if (pgn_is_line_end(text[0]) && line_ends < 2) {
            line_ends += !(text[0] == '\r' && text[1] == '\n');
        }
        if (luft_pgn_skip_blank(reader)) {
            continue;
        }
        if (*text == '[') {
            if (!is_fresh && begins_next_game(reader, text, line_ends)) {
                return;
            }
            read_tag(reader);
            reader->is_tagged = true;
        } else if (reader->is_tagged || !luft_pgn_read_comment(reader)) {
            return;
        }
        is_fresh = false;
        line_ends = 0;
    }
}
