/* SPDX-License-Identifier: MIT */
/*
 * Batches: games from the reader's callbacks to records. Tags are kept as they come; when the game ends they become
 * columns, a shape and values. A value becomes a column only if the column gives the same text back.
 */
#include "database/batch.h"

#include "database/codec.h"
#include "database/hash.h"
#include "database/notes.h"
#include "database/shape.h"

#include "util/date.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>

#define SHORT_PLIES 40 /* games of fewer plies are the same only if players and date are */

typedef struct batch_tag {
    uint32_t name_length, value_length;
    shape_tag tag;
} batch_tag;

/* --- The batch ------------------------------------------------------------- */

luft_error luft_database_batch_create(luft_database_batch **batch, luft_database_errors errors) {
    if (!batch || (errors != LUFT_DATABASE_LEAVE_OUT && errors != LUFT_DATABASE_KEEP_START)) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_database_batch *created = calloc(1, sizeof *created);
    if (!created) {
        return LUFT_ERROR_MEMORY;
    }
    created->errors = errors;
    *batch = created;
    return LUFT_OK;
}

static size_t buffers_of(buffer *buffers[7], luft_database_batch *batch) {
    buffer *const all[7] = {&batch->records, &batch->tags,   &batch->moves, &batch->notes,
                            &batch->shape,   &batch->values, &batch->part};
    memcpy(buffers, all, sizeof all);
    return 7;
}

void luft_database_batch_free(luft_database_batch *batch) {
    if (batch) {
        buffer *buffers[7];
        for (size_t i = buffers_of(buffers, batch); i > 0; i--) {
            buffer_free(buffers[i - 1]);
        }
        free(batch);
    }
}

void luft_database_batch_clear(luft_database_batch *batch) {
    if (batch) {
        buffer_clear(&batch->records);
        batch->count = 0;
    }
}

size_t luft_database_batch_count(const luft_database_batch *batch) {
    return batch ? batch->count : 0;
}

size_t luft_database_batch_size(const luft_database_batch *batch) {
    return batch ? batch->records.length : 0;
}

luft_error luft_database_batch_error(const luft_database_batch *batch) {
    if (!batch) {
        return LUFT_ERROR_ARGUMENT;
    }
    return batch->records.failed || batch->tags.failed || batch->moves.failed || batch->notes.failed ||
                   batch->shape.failed || batch->values.failed || batch->part.failed
               ? LUFT_ERROR_MEMORY
               : LUFT_OK;
}

/* --- Reading a game -------------------------------------------------------- */

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    luft_database_batch *batch = payload;
    (void)place;
    buffer_clear(&batch->tags);
    buffer_clear(&batch->moves);
    buffer_clear(&batch->notes);
    buffer_clear(&batch->part);
    batch->plies = 0;
    batch->advance = 0;
    batch->depth = 0;
    batch->has_start = batch->has_error = batch->is_too_large = false;
    return LUFT_PGN_CONTINUE;
}

/* Leaves the game out if it is too large. */
static luft_pgn_action checked(luft_database_batch *batch) {
    batch->is_too_large |= batch->tags.length > LUFT_PGN_MAX_TEXT || batch->notes.length > LUFT_PGN_MAX_TEXT ||
                           batch->part.length > LUFT_PGN_MAX_TEXT || batch->plies > LUFT_PGN_MAX_NODES;
    return batch->is_too_large ? LUFT_PGN_SKIP_GAME : LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    luft_database_batch *batch = payload;
    const batch_tag tag = {(uint32_t)name_length, (uint32_t)value_length, shape_tag_of(name, name_length)};
    buffer_append(&batch->tags, &tag, sizeof tag);
    buffer_append(&batch->tags, name, name_length);
    buffer_append(&batch->tags, value, value_length);
    return checked(batch);
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *start) {
    luft_database_batch *batch = payload;
    batch->has_start = true;
    summary_start(&batch->positions, start);
    return LUFT_PGN_CONTINUE;
}

/* Appends a note at this place of the main line. */
static void note(luft_database_batch *batch, note_kind kind, uint64_t number) {
    if (batch->advance > 0) {
        notes_append(&batch->notes, NOTE_ADVANCE, batch->advance);
        batch->advance = 0;
    }
    notes_append(&batch->notes, kind, number);
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    luft_database_batch *batch = payload;
    if (batch->depth > 0) {
        uint8_t code[CODEC_MAX_BYTES];
        note(batch, NOTE_MOVE, 0);
        buffer_append(&batch->notes, code, codec_encode(code, before, move));
        return checked(batch);
    }
    char *code = buffer_reserve(&batch->moves, CODEC_MAX_BYTES);
    if (!code) {
        return LUFT_PGN_SKIP_GAME; /* luft_database_batch_error says why */
    }
    batch->moves.length += codec_encode((uint8_t *)code, before, move);
    summary_add(&batch->positions, move, after);
    batch->advance++;
    batch->plies++;
    return batch->plies > LUFT_PGN_MAX_NODES ? checked(batch) : LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_nag(void *payload, int nag) {
    note(payload, NOTE_NAG, (uint64_t)nag);
    return checked(payload);
}

static luft_pgn_action on_comment(void *payload, const char *text, size_t length, bool more) {
    luft_database_batch *batch = payload;
    if (more || batch->part.length > 0) {
        buffer_append(&batch->part, text, length);
        text = batch->part.data;
        length = batch->part.length;
    }
    if (!more) {
        note(batch, NOTE_COMMENT, length);
        buffer_append(&batch->notes, text, length);
        buffer_clear(&batch->part);
    }
    return checked(batch);
}

static luft_pgn_action on_variation_start(void *payload, const luft_position *before) {
    luft_database_batch *batch = payload;
    (void)before;
    note(batch, NOTE_VARIATION_START, 0);
    batch->depth++;
    return checked(batch);
}

static luft_pgn_action on_variation_end(void *payload) {
    luft_database_batch *batch = payload;
    note(batch, NOTE_VARIATION_END, 0);
    batch->depth--;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    luft_database_batch *batch = payload;
    (void)error;
    batch->has_error = true;
    return LUFT_PGN_CONTINUE;
}

/* --- Making the record ------------------------------------------------------ */

/* A text in memory that does not end with a NUL. */
typedef struct span {
    const char *text;
    size_t length;
} span;

static bool span_is(span a, const char *text) {
    return strlen(text) == a.length && memcmp(a.text, text, a.length) == 0;
}

/* Adds a name to the shape, and its value where the column does not have it. */
static void add_tag(luft_database_batch *batch, int mark, span name, span value) {
    const char sign = (char)mark, end = SHAPE_END;
    if (mark != 0) {
        buffer_append(&batch->shape, &sign, 1);
        varint_append(&batch->values, value.length);
        buffer_append(&batch->values, value.text, value.length);
    }
    buffer_append(&batch->shape, name.text, name.length);
    buffer_append(&batch->shape, &end, 1);
}

static bool read_result(luft_result *result, span text) {
    for (luft_result each = LUFT_RESULT_WHITE; each <= LUFT_RESULT_UNKNOWN; each++) {
        if (span_is(text, luft_result_string(each))) {
            *result = each;
            return true;
        }
    }
    return false;
}

/* The result as luft_pgn_game_result has it. True if the tag is its text, or becomes it. */
static bool set_result(record *game, luft_result marker, span tag) {
    luft_result of_tag = LUFT_RESULT_UNKNOWN;
    const bool has_tag = read_result(&of_tag, tag);
    const bool is_open = marker == LUFT_RESULT_NONE || marker == LUFT_RESULT_UNKNOWN;
    game->result = (uint8_t)(is_open ? of_tag : marker);
    return has_tag && (of_tag == game->result || of_tag == LUFT_RESULT_UNKNOWN);
}

/* A rating that reads back as the same text; blanks around it are not part of the number, and kept as text. */
static bool set_rating(record *game, int color, span value) {
    uint64_t number = 0;
    span trimmed = value;
    text_trim(&trimmed.text, &trimmed.length);
    if (!text_to_number(&number, trimmed.text, trimmed.length, 9999)) {
        return false;
    }
    game->rating[color] = (uint16_t)number;
    return number > 0 && trimmed.length == value.length && value.text[0] != '0';
}

static bool set_eco(record *game, span value) {
    const char *text = value.text;
    const bool is_eco = value.length >= 3 && text[0] >= 'A' && text[0] <= 'E' && text[1] >= '0' && text[1] <= '9' &&
                        text[2] >= '0' && text[2] <= '9';
    if (is_eco) {
        memcpy(game->eco, text, 3);
    }
    return is_eco && value.length == 3;
}

static bool set_date(record *game, span value) {
    char text[DATE_TEXT_SIZE];
    int date = 0;
    date_read(&date, value.text, value.length);
    game->date = date;
    return span_is(value, date_write(text, date));
}

/* Sets the column of the first tag of its kind. True if the column gives the value back. */
static bool set_column(record *game, span texts[RECORD_PARTS], shape_tag tag, span value, luft_result marker) {
    char number[16];
    switch (tag) {
    case SHAPE_EVENT: texts[RECORD_EVENT] = value; return true;
    case SHAPE_SITE: texts[RECORD_SITE] = value; return true;
    case SHAPE_ROUND: texts[RECORD_ROUND] = value; return true;
    case SHAPE_WHITE: texts[RECORD_WHITE] = value; return true;
    case SHAPE_BLACK: texts[RECORD_BLACK] = value; return true;
    case SHAPE_DATE: return set_date(game, value);
    case SHAPE_RESULT: return set_result(game, marker, value);
    case SHAPE_WHITE_ELO: return set_rating(game, LUFT_WHITE, value);
    case SHAPE_BLACK_ELO: return set_rating(game, LUFT_BLACK, value);
    case SHAPE_ECO: return set_eco(game, value);
    case SHAPE_TIME_CONTROL: texts[RECORD_TIME_CONTROL] = value; return value.length > 0;
    case SHAPE_FEN: texts[RECORD_FEN] = value; return value.length > 0;
    case SHAPE_PLY_COUNT: snprintf(number, sizeof number, "%u", game->plies); return span_is(value, number);
    case SHAPE_OTHER: break;
    }
    return false;
}

/* Sorts the tags into columns, shape and values. */
static void read_tags(luft_database_batch *batch, record *game, span texts[RECORD_PARTS], luft_result marker) {
    const char *next = batch->tags.data, *end = next + batch->tags.length;
    unsigned seen = 0;
    while (next < end) {
        batch_tag tag;
        memcpy(&tag, next, sizeof tag);
        const span name = {next + sizeof tag, tag.name_length};
        const span value = {name.text + name.length, tag.value_length};
        next = value.text + value.length;
        const bool is_first = !(seen >> tag.tag & 1);
        const bool is_roster = tag.tag < SHAPE_ROSTER;
        const bool is_empty_fen = tag.tag == SHAPE_FEN && value.length == 0; /* counts as none */
        seen |= is_empty_fen ? 0 : 1u << tag.tag;
        const bool has_column =
            is_first && !is_empty_fen && tag.tag != SHAPE_OTHER && set_column(game, texts, tag.tag, value, marker);
        if (tag.tag == SHAPE_EVENT && !is_first) {
            continue; /* would begin a game when it is read again */
        }
        if (!is_roster || !is_first || !has_column) {
            add_tag(batch, has_column ? 0 : is_roster && is_first ? SHAPE_OVERRIDE : SHAPE_VALUE, name, value);
        }
    }
    if (!(seen >> SHAPE_RESULT & 1)) {
        (void)set_result(game, marker, (span){"", 0});
    }
}

/* The surname, without case: names are written in many ways behind it. */
static uint64_t hash_surname(uint64_t hash, const char *name, size_t length) {
    for (size_t i = 0; i < length && !memchr(" ,.\t", name[i], 4); i++) {
        const char letter = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + ('a' - 'A')) : name[i];
        hash = hash_bytes(hash, &letter, 1);
    }
    return random_mix(hash);
}

uint64_t batch_signature(const record *game, const char *const parts[RECORD_PARTS]) {
    const uint32_t *length = game->length;
    uint64_t hash = 0;
    luft_position start;
    if (length[RECORD_FEN] > 0 &&
        luft_position_from_fen(&start, parts[RECORD_FEN], length[RECORD_FEN], NULL) == LUFT_OK &&
        luft_database_key(&start) != 0) {
        const luft_position standard = luft_start_position();
        hash = luft_database_key(&start) ^ luft_database_key(&standard);
    }
    hash = hash_bytes(hash, parts[RECORD_MOVES], length[RECORD_MOVES]);
    if (game->plies < SHORT_PLIES) {
        const uint8_t date[4] = {(uint8_t)game->date, (uint8_t)(game->date >> 8), (uint8_t)(game->date >> 16),
                                 (uint8_t)(game->date >> 24)};
        hash = hash_surname(hash, parts[RECORD_WHITE], length[RECORD_WHITE]);
        hash = hash_surname(hash, parts[RECORD_BLACK], length[RECORD_BLACK]);
        hash = hash_bytes(hash, date, sizeof date);
    }
    return hash;
}

static void add_record(luft_database_batch *batch, luft_result marker) {
    record game = {.plies = batch->plies};
    span texts[RECORD_PARTS];
    const char *parts[RECORD_PARTS];
    for (int part = 0; part < RECORD_PARTS; part++) {
        texts[part] = part <= RECORD_ROUND ? (span){"?", 1} : (span){"", 0};
    }
    buffer_clear(&batch->shape);
    buffer_clear(&batch->values);
    read_tags(batch, &game, texts, marker);
    texts[RECORD_SHAPE] = (span){batch->shape.data, batch->shape.length};
    texts[RECORD_VALUES] = (span){batch->values.data, batch->values.length};
    texts[RECORD_MOVES] = (span){batch->moves.data, batch->moves.length};
    texts[RECORD_NOTES] = (span){batch->notes.data, batch->notes.length};
    for (int part = 0; part < RECORD_PARTS; part++) {
        parts[part] = texts[part].text;
        game.length[part] = (uint32_t)texts[part].length;
    }
    summary_pack(game.summary, &batch->positions);
    game.signature = batch_signature(&game, parts);
    buffer_append(&batch->records, &game, sizeof game);
    for (int part = 0; part < RECORD_PARTS; part++) {
        buffer_append(&batch->records, texts[part].text, texts[part].length);
    }
    batch->count++;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    luft_database_batch *batch = payload;
    const bool is_kept = batch->has_start && !batch->is_too_large &&
                         (!batch->has_error || batch->errors == LUFT_DATABASE_KEEP_START) &&
                         luft_database_batch_error(batch) == LUFT_OK;
    if (is_kept) {
        while (batch->depth > 0) { /* cut by an error */
            on_variation_end(batch);
        }
        add_record(batch, result);
    }
    return LUFT_PGN_CONTINUE;
}

luft_pgn_visitor luft_database_batch_visitor(void) {
    return (luft_pgn_visitor){.game_start = on_game_start,
                              .tag = on_tag,
                              .moves_start = on_moves_start,
                              .move = on_move,
                              .nag = on_nag,
                              .comment = on_comment,
                              .variation_start = on_variation_start,
                              .variation_end = on_variation_end,
                              .error = on_error,
                              .game_end = on_game_end};
}
