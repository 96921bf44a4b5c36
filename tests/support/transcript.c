/* SPDX-License-Identifier: MIT */
/* Records the callbacks of the PGN reader as text and checks their rules. */
#include "support/transcript.h"

#include "support/check.h"
#include "support/random_positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The text -------------------------------------------------------------- */

static void append(transcript *record, const char *text, size_t length) {
    if (record->length + length + 1 > record->capacity) {
        record->capacity = (record->length + length + 1) * 2;
        record->text = realloc(record->text, record->capacity);
        assert_non_null(record->text);
    }
    memcpy(record->text + record->length, text, length);
    record->length += length;
    record->text[record->length] = '\0';
}

static void append_string(transcript *record, const char *text) {
    append(record, text, strlen(text));
}

/* Ends the line that began at `start`, and returns the action that the test wants there. */
static luft_pgn_action end_line(transcript *record, size_t start) {
    const bool acts = record->act_on && strcmp(record->text + start, record->act_on) == 0;
    append_string(record, "\n");
    return acts ? record->action : LUFT_PGN_CONTINUE;
}

void transcript_free(transcript *record) {
    free(record->text);
    record->text = NULL;
}

/* --- The callbacks --------------------------------------------------------- */

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    transcript *record = payload;
    const size_t start = record->length;
    char line[80];
    assert_false(record->in_game);
    record->in_game = true;
    record->in_moves = record->is_cut = record->in_comment = false;
    record->depth = 0;
    record->games++;
    assert_int_equal(place->game, record->games);
    if (record->has_places) {
        snprintf(line, sizeof line, "game %d at %d:%d", (int)place->game, (int)place->line, (int)place->column);
    } else {
        snprintf(line, sizeof line, "game");
    }
    append_string(record, line);
    return end_line(record, start);
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    transcript *record = payload;
    const size_t start = record->length;
    assert_true(record->in_game && !record->in_moves && !record->is_cut && !record->in_comment);
    append_string(record, "tag ");
    append(record, name, name_length);
    append_string(record, "=");
    append(record, value, value_length);
    return end_line(record, start);
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *position) {
    transcript *record = payload;
    const size_t start = record->length;
    const luft_position standard = luft_start_position();
    assert_true(record->in_game && !record->in_moves && !record->is_cut && !record->in_comment);
    assert_int_equal(luft_position_status(position), LUFT_STATUS_VALID);
    record->in_moves = true;
    append_string(record, "moves");
    if (!luft_position_equal(position, &standard)) {
        char fen[LUFT_FEN_SIZE];
        luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
        append_string(record, " ");
        append_string(record, fen);
    }
    return end_line(record, start);
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    transcript *record = payload;
    const size_t start = record->length;
    luft_position expected;
    char uci[LUFT_UCI_MOVE_SIZE];
    assert_true(record->in_moves && !record->is_cut && !record->in_comment);
    if (move == LUFT_MOVE_NONE) {
        assert_int_equal(luft_make_null(&expected, before), LUFT_OK);
    } else {
        assert_int_equal(luft_play(&expected, before, move), LUFT_OK);
    }
    assert_memory_equal(&expected, after, sizeof expected);
    luft_move_to_uci(uci, sizeof uci, move, LUFT_CASTLING_STANDARD);
    append_string(record, uci);
    return end_line(record, start);
}

static luft_pgn_action on_nag(void *payload, int nag) {
    transcript *record = payload;
    const size_t start = record->length;
    char line[20];
    assert_true(record->in_moves && !record->is_cut && !record->in_comment);
    assert_in_range(nag, 0, 255);
    snprintf(line, sizeof line, "$%d", nag);
    append_string(record, line);
    return end_line(record, start);
}

/* Joins the parts of a comment, so that the transcript does not depend on how it was split. */
static luft_pgn_action on_comment(void *payload, const char *text, size_t length, bool more) {
    transcript *record = payload;
    const size_t start = record->length;
    assert_true(record->in_game && !record->is_cut);
    if (!record->in_comment) {
        append_string(record, "{");
    }
    record->in_comment = more;
    append(record, text, length);
    if (more) {
        return LUFT_PGN_CONTINUE;
    }
    append_string(record, "}");
    return end_line(record, start);
}

static luft_pgn_action on_variation_start(void *payload, const luft_position *before) {
    transcript *record = payload;
    const size_t start = record->length;
    assert_true(record->in_moves && !record->is_cut && !record->in_comment);
    assert_int_equal(luft_position_status(before), LUFT_STATUS_VALID);
    record->depth++;
    append_string(record, "(");
    return end_line(record, start);
}

static luft_pgn_action on_variation_end(void *payload) {
    transcript *record = payload;
    const size_t start = record->length;
    assert_true(record->in_moves && !record->is_cut && !record->in_comment);
    assert_true(record->depth-- > 0);
    append_string(record, ")");
    return end_line(record, start);
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    transcript *record = payload;
    const size_t start = record->length;
    char line[200];
    assert_true(record->in_game && !record->is_cut);
    assert_true(error->error > LUFT_OK && error->error < LUFT_ERROR_COUNT);
    assert_non_null(error->reason);
    assert_non_null(error->token);
    assert_int_equal(error->place.game, record->games);
    assert_true(error->place.line > 0 && error->place.column > 0);
    if (record->in_comment) {
        append_string(record, "\n");
    }
    record->is_cut = true;
    record->in_comment = false;
    snprintf(line, sizeof line, "error at %d:%d: %s: ", record->hides_lines ? 0 : (int)error->place.line,
             (int)error->place.column, error->reason);
    append_string(record, line);
    append(record, error->token, error->token_length);
    return end_line(record, start);
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    transcript *record = payload;
    const size_t start = record->length;
    assert_true(record->in_game);
    record->in_game = false;
    append_string(record, "end ");
    append_string(record, result == LUFT_RESULT_NONE ? "without result" : luft_result_string(result));
    return end_line(record, start);
}

const luft_pgn_visitor transcript_visitor = {
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

/* --- Reading --------------------------------------------------------------- */

typedef struct chunk_source {
    const char *text;
    size_t left;
    delivery how;
    random_source random;
} chunk_source;

static size_t give_chunk(void *payload, char *buffer, size_t size) {
    chunk_source *source = payload;
    assert_true(size > 0);
    size_t length = source->how == DELIVER_BYTES    ? 1
                    : source->how == DELIVER_CHUNKS ? 1 + (size_t)random_below(&source->random, 5000)
                                                    : SIZE_MAX;
    length = length < size ? length : size;
    length = length < source->left ? length : source->left;
    memcpy(buffer, source->text, length);
    source->text += length;
    source->left -= length;
    return length;
}

luft_error transcribe(transcript *record, const char *text, size_t length, delivery how) {
    chunk_source source = {.text = text, .left = length, .how = how, .random = {length}};
    luft_pgn_reader *reader = NULL;
    append_string(record, "");
    if (how == DELIVER_TEXT) {
        assert_int_equal(luft_pgn_reader_create_text(&reader, text, length), LUFT_OK);
    } else {
        assert_int_equal(luft_pgn_reader_create(&reader, give_chunk, &source), LUFT_OK);
    }
    const luft_error error = luft_pgn_read_all(reader, &transcript_visitor, record);
    if (error == LUFT_OK) {
        assert_false(record->in_game);
        assert_int_equal(luft_pgn_read_game(reader, &transcript_visitor, record), LUFT_ERROR_END);
    }
    luft_pgn_reader_free(reader);
    return error;
}

void assert_transcript_of(const char *text, size_t length, const char *expected) {
    /* A block of exactly this size, so that a sanitizer detects the first byte read beyond it. */
    char *exact = malloc(length + !length);
    assert_non_null(exact);
    memcpy(exact, text, length);
    for (int how = 0; how < DELIVERIES; how++) {
        transcript record = {0};
        assert_int_equal(transcribe(&record, exact, length, (delivery)how), LUFT_OK);
        assert_string_equal(record.text, expected);
        transcript_free(&record);
    }
    free(exact);
}

void assert_transcript(const char *text, const char *expected) {
    assert_transcript_of(text, strlen(text), expected);
}
