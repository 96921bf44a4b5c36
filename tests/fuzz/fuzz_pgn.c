/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: arbitrary bytes as PGN. The callbacks come in their order and in pairs, every
 * move is legal, and the callbacks are the same however the bytes arrive and whether the
 * visitor skips games or not. A text that is cut where luft_pgn_can_cut gives the same games.
 * What was read is written, reads back without an error and is written as the same text.
 */
#include "decode.h"

#include <stdlib.h>
#include <string.h>

typedef struct bytes {
    char *data;
    size_t length, capacity;
} bytes;

static void append(bytes *text, const void *data, size_t length) {
    if (text->length + length > text->capacity) {
        text->capacity = (text->length + length) * 2;
        text->data = realloc(text->data, text->capacity);
    }
    if (length > 0) {
        memcpy(text->data + text->length, data, length);
    }
    text->length += length;
}

/* What one reading of the input saw. */
typedef struct record {
    bytes log;     /* all callbacks, with what they were given */
    bytes results; /* of the games alone */
    bytes written; /* the games as luft_pgn_write_… put them */
    luft_pgn_writer writer;
    bytes names; /* the tags of a game: texts and lengths */
    luft_pgn_tag tags[256];
    size_t tag_count;
    bool in_game, in_moves, is_cut, in_comment;
    bool skips;      /* skip every game at once */
    bool is_written; /* does the writer get the callbacks? */
    bool has_error;
    int depth;
} record;

static void expect(bool condition, const char *what) {
    const luft_position start = luft_start_position();
    if (!condition) {
        report(&start, what);
    }
}

static void log_callback(record *seen, char kind, const void *data, size_t length) {
    append(&seen->log, &kind, 1);
    append(&seen->log, &length, sizeof length);
    append(&seen->log, data, length);
}

static bool write_bytes(void *payload, const char *text, size_t length) {
    append(payload, text, length);
    return true;
}

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    record *seen = payload;
    expect(!seen->in_game && place->line > 0 && place->column > 0, "game_start");
    log_callback(seen, 'g', place, sizeof *place);
    seen->in_game = true;
    seen->in_moves = seen->is_cut = seen->in_comment = false;
    seen->depth = 0;
    seen->tag_count = seen->names.length = 0;
    return seen->skips ? LUFT_PGN_SKIP_GAME : LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    record *seen = payload;
    expect(seen->in_game && !seen->in_moves && !seen->is_cut && name_length > 0, "tag");
    log_callback(seen, 't', name, name_length);
    log_callback(seen, '=', value, value_length);
    if (seen->tag_count < 256) { /* offsets for now: the block may move */
        seen->tags[seen->tag_count++] = (luft_pgn_tag){NULL, NULL, name_length, value_length};
        append(&seen->names, name, name_length);
        append(&seen->names, value, value_length);
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *start) {
    record *seen = payload;
    const char *text = seen->names.data;
    expect(seen->in_game && !seen->in_moves && !seen->is_cut, "moves_start");
    expect(luft_position_status(start) == LUFT_STATUS_VALID, "the start is valid");
    log_callback(seen, 's', start, sizeof *start);
    seen->in_moves = true;
    for (size_t i = 0; i < seen->tag_count; i++) {
        seen->tags[i].name = text;
        seen->tags[i].value = text + seen->tags[i].name_length;
        text += seen->tags[i].name_length + seen->tags[i].value_length;
    }
    if (seen->is_written) {
        expect(luft_pgn_write_tags(&seen->writer, seen->tags, seen->tag_count) == LUFT_OK, "tags are written");
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    record *seen = payload;
    luft_position next;
    expect(seen->in_moves && !seen->is_cut, "move");
    expect((move == LUFT_MOVE_NONE ? luft_make_null(&next, before) : luft_play(&next, before, move)) == LUFT_OK,
           "the move is legal");
    expect(memcmp(&next, after, sizeof next) == 0, "the position after the move");
    log_callback(seen, 'm', &move, sizeof move);
    if (seen->is_written) {
        expect(luft_pgn_write_move(&seen->writer, before, move) == LUFT_OK, "a move is written");
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_nag(void *payload, int nag) {
    record *seen = payload;
    expect(seen->in_moves && !seen->is_cut && nag >= 0 && nag <= 255, "nag");
    log_callback(seen, '$', &nag, sizeof nag);
    if (seen->is_written) {
        expect(luft_pgn_write_nag(&seen->writer, nag) == LUFT_OK, "an annotation is written");
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_comment(void *payload, const char *text, size_t length, bool more) {
    record *seen = payload;
    expect(seen->in_game && !seen->is_cut, "comment");
    log_callback(seen, more ? '+' : '{', text, length);
    if (seen->is_written && seen->in_moves) {
        expect(luft_pgn_write_comment(&seen->writer, text, length) == LUFT_OK, "a comment is written");
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_variation_start(void *payload, const luft_position *before) {
    record *seen = payload;
    expect(seen->in_moves && !seen->is_cut, "variation_start");
    log_callback(seen, '(', before, sizeof *before);
    seen->depth++;
    if (seen->is_written) {
        expect(luft_pgn_write_variation_start(&seen->writer) == LUFT_OK, "a variation is written");
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_variation_end(void *payload) {
    record *seen = payload;
    expect(seen->in_moves && !seen->is_cut && seen->depth-- > 0, "variation_end");
    log_callback(seen, ')', NULL, 0);
    if (seen->is_written) {
        expect(luft_pgn_write_variation_end(&seen->writer) == LUFT_OK, "a variation is ended");
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    record *seen = payload;
    expect(seen->in_game && !seen->is_cut && error->reason && error->token, "error");
    expect(error->error != LUFT_OK && error->place.line > 0 && error->place.column > 0, "what the error says");
    log_callback(seen, '!', &error->place, sizeof error->place);
    log_callback(seen, '"', error->token, error->token_length);
    seen->is_cut = seen->has_error = true;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    record *seen = payload;
    expect(seen->in_game, "game_end");
    log_callback(seen, 'e', &result, sizeof result);
    append(&seen->results, &result, sizeof result);
    if (seen->is_written && seen->in_moves) {
        for (; seen->depth > 0; seen->depth--) { /* the game was cut within */
            luft_pgn_write_variation_end(&seen->writer);
        }
        expect(luft_pgn_write_result(&seen->writer, result) == LUFT_OK, "a result is written");
    }
    seen->in_game = false;
    return LUFT_PGN_CONTINUE;
}

static const luft_pgn_visitor visitor = {
    .game_start = on_game_start,
    .tag = on_tag,
    .moves_start = on_moves_start,
    .move = on_move,
    .nag = on_nag,
    .comment = on_comment,
    .variation_start = on_variation_start,
    .variation_end = on_variation_end,
    .error = on_error,
    .game_end = on_game_end,
};

/* Gives one byte at a time. */
typedef struct byte_source {
    const char *text;
    size_t left;
} byte_source;

static size_t give_byte(void *payload, char *buffer, size_t size) {
    byte_source *source = payload;
    if (source->left == 0 || size == 0) {
        return 0;
    }
    *buffer = *source->text++;
    source->left--;
    return 1;
}

static void read_games(record *seen, const char *text, size_t length, bool by_bytes) {
    byte_source source = {text, length};
    luft_pgn_reader *reader;
    luft_pgn_writer_init(&seen->writer, write_bytes, &seen->written);
    const luft_error error = by_bytes ? luft_pgn_reader_create(&reader, give_byte, &source)
                                      : luft_pgn_reader_create_text(&reader, text, length);
    expect(error == LUFT_OK && luft_pgn_read_all(reader, &visitor, seen) == LUFT_OK, "everything is read");
    expect(!seen->in_game, "the last game has its end");
    luft_pgn_reader_free(reader);
}

/* Reads the parts of a text that is cut wherever it can be. */
static void read_parts(record *seen, const char *text, size_t length) {
    size_t start = 0;
    for (size_t at = 1; at <= length; at++) {
        if (at == length || luft_pgn_can_cut(text, length, at)) {
            read_games(seen, text + start, at - start, false);
            start = at;
        }
    }
}

static bool is_same(const bytes *a, const bytes *b) {
    return a->length == b->length && (a->length == 0 || memcmp(a->data, b->data, a->length) == 0);
}

static void free_record(record *seen) {
    free(seen->log.data);
    free(seen->results.data);
    free(seen->written.data);
    free(seen->names.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char nothing[1];
    const char *const text = size > 0 ? (const char *)data : nothing;
    record whole = {.is_written = true}, by_bytes = {0}, skipped = {.skips = true}, again = {.is_written = true};
    record parts = {.is_written = true};
    read_games(&whole, text, size, false);
    read_games(&by_bytes, text, size, true);
    read_games(&skipped, text, size, false);
    expect(is_same(&whole.log, &by_bytes.log), "told alike byte by byte");
    expect(is_same(&whole.results, &skipped.results), "the same games where they are skipped");
    read_parts(&parts, text, size);
    expect(is_same(&whole.results, &parts.results), "the same games in parts");
    expect(is_same(&whole.written, &parts.written), "and the same text");
    read_games(&again, whole.written.data ? whole.written.data : nothing, whole.written.length, false);
    expect(!again.has_error, "what is written is read");
    expect(is_same(&whole.written, &again.written), "and written as the same");
    free_record(&whole);
    free_record(&by_bytes);
    free_record(&skipped);
    free_record(&again);
    free_record(&parts);
    return 0;
}
