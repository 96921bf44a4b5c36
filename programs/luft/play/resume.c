/* SPDX-License-Identifier: MIT */
/*
 * Resumes the last game of a file. Only what is read here is written again, so a game that has more, such as
 * variations, text in comments or other tags, is not replaced when it is saved. To find out, the game is written as it
 * was read, and both texts are compared.
 */
#define _POSIX_C_SOURCE 200809L

#include "record.h"
#include "util/input.h"
#include "util/text.h"

#include "engine/engine.h"
#include "util/atomic_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS_MAX = 999999 }; /* of a time control */

typedef struct resume {
    match *game;
    record_facts *facts;
    record_resumed *resumed;
    match_clock clock; /* of the tag TimeControl */
    luft_game *played; /* NULL before the moves begin */
    int64_t *left_ms;  /* of each move; -1 for none */
    size_t left_capacity;
    luft_pgn_place place; /* of the game */
    bool no_memory;
    luft_result result;
    char error[RECORD_REASON_SIZE]; /* in the game, empty for none */
} resume;

static bool is_name(const char *name, size_t length, const char *expected) {
    return length == strlen(expected) && memcmp(name, expected, length) == 0;
}

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    resume *work = payload;
    luft_game_free(work->played);
    work->played = NULL;
    work->place = *place;
    work->clock = (match_clock){0};
    work->error[0] = '\0';
    *work->resumed = (record_resumed){0};
    return LUFT_PGN_CONTINUE;
}

/* The number after these words in a name; 0 if there is none from `minimum` to `maximum`. */
static int number_behind(const char *name, const char *words, int minimum, int maximum) {
    const char *found = strstr(name, words);
    const char *digits = found ? found + strlen(words) : "";
    uint64_t number = 0;
    (void)text_to_number(&number, digits, strspn(digits, "0123456789"), (uint64_t)maximum);
    return (int)number < minimum ? 0 : (int)number;
}

static void read_player(resume *work, luft_color side, const char *name) {
    if (strncmp(name, "Luft", 4) == 0 && !work->resumed->has_color) {
        work->resumed->has_color = true;
        work->resumed->person = luft_opposite(side);
        work->resumed->level = number_behind(name, "(level ", 1, PLAY_LEVEL_MAX);
        work->resumed->elo = number_behind(name, "(Elo ", ENGINE_ELO_MIN, ENGINE_ELO_MAX);
    } else {
        snprintf(work->facts->person, sizeof work->facts->person, "%.79s", name);
    }
}

/* Seconds and optionally an increment, as in "300+3". For others, such as "40/9000", there is no clock. */
static void read_time_control(resume *work, const char *value) {
    const size_t base_length = strcspn(value, "+");
    const char *plus = value + base_length;
    int64_t base_ms, increment_ms = 0;
    if (text_to_thousandths(&base_ms, value, base_length, SECONDS_MAX) && base_ms > 0 &&
        (*plus == '\0' || text_to_thousandths(&increment_ms, plus + 1, strlen(plus + 1), SECONDS_MAX))) {
        work->clock = (match_clock){.on = true, .base_ms = base_ms, .increment_ms = increment_ms};
    }
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    resume *work = payload;
    char text[RECORD_NAME_SIZE];
    snprintf(text, sizeof text, "%.*s", (int)(value_length < sizeof text ? value_length : sizeof text - 1), value);
    if (is_name(name, name_length, "White")) {
        read_player(work, LUFT_WHITE, text);
    } else if (is_name(name, name_length, "Black")) {
        read_player(work, LUFT_BLACK, text);
    } else if (is_name(name, name_length, "TimeControl")) {
        read_time_control(work, text);
    } else if (is_name(name, name_length, "Date")) {
        snprintf(work->facts->date, sizeof work->facts->date, "%.15s", text);
    } else if (is_name(name, name_length, "Time")) {
        snprintf(work->facts->time, sizeof work->facts->time, "%.15s", text);
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *start) {
    resume *work = payload;
    work->no_memory |= luft_game_create(&work->played, start) != LUFT_OK;
    return work->no_memory ? LUFT_PGN_STOP : LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    resume *work = payload;
    (void)before;
    (void)after;
    const size_t ply = luft_game_ply(work->played);
    if (move == LUFT_MOVE_NONE) {
        snprintf(work->error, sizeof work->error, "the game has a null move");
        return LUFT_PGN_SKIP_GAME;
    }
    if (ply >= work->left_capacity) {
        const size_t capacity = 2 * ply + 64;
        int64_t *left = realloc(work->left_ms, capacity * sizeof *left);
        if (!left) {
            work->no_memory = true;
            return LUFT_PGN_STOP;
        }
        work->left_ms = left;
        work->left_capacity = capacity;
    }
    work->no_memory |= luft_game_play(work->played, move) != LUFT_OK;
    if (work->no_memory) {
        return LUFT_PGN_STOP;
    }
    work->left_ms[ply] = -1;
    return LUFT_PGN_CONTINUE;
}

/* How many bytes at the start of the text are blanks or line ends. */
static size_t blank_length(const char *text, size_t length) {
    size_t count = 0;
    while (count < length && (text_is_blank(text[count]) || text[count] == '\n' || text[count] == '\r')) {
        count++;
    }
    return count;
}

/* Reads "[%clk 1:23:45.6]" at the start of a comment, if it is there. */
static void read_clock(int64_t *left_ms, const char *text, size_t length) {
    static const char opening[] = "[%clk";
    const char *const end = text + length, *at = text + blank_length(text, length);
    if ((size_t)(end - at) < strlen(opening) || memcmp(at, opening, strlen(opening)) != 0) {
        return;
    }
    at += strlen(opening);
    at += blank_length(at, (size_t)(end - at));
    const char *close = memchr(at, ']', (size_t)(end - at));
    const char *colon = close ? memchr(at, ':', (size_t)(close - at)) : NULL;
    const char *second = colon ? memchr(colon + 1, ':', (size_t)(close - colon - 1)) : NULL;
    uint64_t hours, minutes;
    int64_t rest_ms;
    if (second && text_to_number(&hours, at, (size_t)(colon - at), 9999) &&
        text_to_number(&minutes, colon + 1, (size_t)(second - colon - 1), 59) &&
        text_to_thousandths(&rest_ms, second + 1, (size_t)(close - second - 1), 59)) {
        *left_ms = (int64_t)(hours * 60 + minutes) * 60000 + rest_ms;
    }
}

/* Only the clock is read. */
static luft_pgn_action on_comment(void *payload, const char *text, size_t length, bool more) {
    resume *work = payload;
    const size_t ply = work->played ? luft_game_ply(work->played) : 0;
    (void)more;
    if (ply > 0) {
        read_clock(&work->left_ms[ply - 1], text, length);
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_variation(void *payload, const luft_position *before) {
    (void)payload;
    (void)before;
    return LUFT_PGN_SKIP_VARIATION;
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    resume *work = payload;
    char quoted[TEXT_QUOTED_SIZE];
    snprintf(work->error, sizeof work->error, "line %llu: %s (%s)", (unsigned long long)error->place.line,
             error->reason, text_quote(quoted, error->token, error->token_length));
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    ((resume *)payload)->result = result;
    return LUFT_PGN_CONTINUE;
}

/* --- The file -------------------------------------------------------------------- */

/* The offset at which a line begins, counted as the reader does; -1 if the file cannot be read. */
static long long offset_of_line(const char *path, uint64_t line) {
    FILE *file = fopen(path, "rb");
    long long offset = 0;
    int before = 0;
    uint64_t number = 1;
    for (int byte; file && (byte = getc(file)) != EOF; offset++, before = byte) {
        number += before == '\n' || (before == '\r' && byte != '\n');
        if (number == line) {
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return file ? offset : -1;
}

/* Chooses only a regular file that is not compressed: output to others would be lost. */
static bool choose_file(record_file *file, const char *path, bool is_packed) {
    return is_packed || !input_is_regular_file(path) || record_file_choose(file, path, strlen(path));
}

/* Records where the game is in the file, and its text if this program wrote it. False if out of memory. */
static bool place(record_file *file, const resume *work) {
    const record_resumed *resumed = work->resumed;
    buffer text = {0};
    if (!file->path || !resumed->has_color || work->result != LUFT_RESULT_UNKNOWN) {
        return true;
    }
    work->game->person = resumed->person;
    record_set_strength(work->facts, resumed->level > 0 ? resumed->level : PLAY_LEVEL_MAX, resumed->elo);
    record_write(&text, work->game, work->facts);
    const long long begin = text.failed ? -1 : offset_of_line(file->path, work->place.line);
    if (begin >= 0) {
        record_file_place(file, begin, &text);
    }
    buffer_free(&text);
    return begin >= 0; /* the file was readable just now: the reason is memory */
}

static bool read_games(resume *work, input *in) {
    static const luft_pgn_visitor visitor = {.game_start = on_game_start,
                                             .tag = on_tag,
                                             .moves_start = on_moves_start,
                                             .move = on_move,
                                             .comment = on_comment,
                                             .variation_start = on_variation,
                                             .error = on_error,
                                             .game_end = on_game_end};
    luft_pgn_reader *reader;
    if (luft_pgn_reader_create(&reader, input_read_pgn, in) != LUFT_OK) {
        return false;
    }
    const luft_error error = luft_pgn_read_all(reader, &visitor, work);
    luft_pgn_reader_free(reader);
    return error == LUFT_OK && !work->no_memory;
}

/* Gives the game to the match. */
static bool adopt(resume *work) {
    const size_t count = luft_game_ply(work->played);
    work->game->clock = work->clock;
    if (!match_adopt(work->game, work->played)) {
        work->played = NULL;
        return false;
    }
    work->played = NULL;
    for (size_t i = 0; i < count; i++) {
        if (work->left_ms[i] >= 0) {
            match_set_time_after(work->game, i, work->left_ms[i]);
        } else if (i >= 2) {
            match_set_time_after(work->game, i, match_time_after(work->game, i - 2));
        }
    }
    return true;
}

bool record_resume(match *game, record_facts *facts, record_file *file, record_resumed *resumed, const char *path,
                   char reason[RECORD_REASON_SIZE]) {
    resume work = {.game = game, .facts = facts, .resumed = resumed};
    const record_facts usual = *facts;
    input in;
    bool done = false;
    *resumed = (record_resumed){0};
    if (input_open(&in, path) != INPUT_READ) {
        snprintf(reason, RECORD_REASON_SIZE, "%s", in.reason);
    } else if (!read_games(&work, &in)) {
        snprintf(reason, RECORD_REASON_SIZE, "%s", in.reason[0] ? in.reason : "out of memory");
    } else if (work.error[0]) {
        snprintf(reason, RECORD_REASON_SIZE, "%s", work.error);
    } else if (!work.played) {
        snprintf(reason, RECORD_REASON_SIZE, "it has no game");
    } else {
        done = choose_file(file, path, in.compressed != NULL) && adopt(&work) && place(file, &work);
        snprintf(reason, RECORD_REASON_SIZE, "out of memory");
        if (!resumed->has_color) {
            memcpy(facts->person, usual.person, sizeof facts->person); /* two other players */
        }
    }
    input_close(&in);
    luft_game_free(work.played);
    free(work.left_ms);
    return done;
}
