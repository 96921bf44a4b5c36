/* SPDX-License-Identifier: MIT */
/*
 * Resumes the last game of a file. The game is kept as PGN with everything that people wrote in it, and is continued
 * from there. It is replaced in the file only if nothing is lost. To find out, it is written as it was read, and both
 * texts are compared.
 */
#define _POSIX_C_SOURCE 200809L

#include "record.h"
#include "util/input.h"
#include "util/text.h"

#include "luft/engine.h"
#include "util/atomic_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS_MAX = 999999 }; /* of a time control */

typedef struct resume {
    match *game;
    record_facts *facts;
    record_resumed *resumed;
    luft_pgn_game *tree; /* the last game of the file; NULL for none */
    const char *error;   /* why it cannot be used; NULL for no reason */
    char text[RECORD_REASON_SIZE];
} resume;

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
        work->resumed->elo = number_behind(name, "(Elo ", LUFT_ENGINE_MIN_ELO, LUFT_ENGINE_MAX_ELO);
    } else {
        snprintf(work->facts->person, sizeof work->facts->person, "%.79s", name);
    }
}

/* Seconds and optionally an increment, as in "300+3". For others, such as "40/9000", there is no clock. */
static match_clock read_time_control(const char *value) {
    const size_t base_length = strcspn(value, "+");
    const char *plus = value + base_length;
    int64_t base_ms, increment_ms = 0;
    if (text_to_thousandths(&base_ms, value, base_length, SECONDS_MAX) && base_ms > 0 &&
        (*plus == '\0' || text_to_thousandths(&increment_ms, plus + 1, strlen(plus + 1), SECONDS_MAX))) {
        return (match_clock){.on = true, .base_ms = base_ms, .increment_ms = increment_ms};
    }
    return (match_clock){0};
}

/* The value of a tag, or its start; empty if there is none. */
static const char *tag_text(char text[RECORD_NAME_SIZE], const resume *work, const char *name) {
    const char *value = luft_pgn_game_tag(work->tree, name, NULL);
    snprintf(text, RECORD_NAME_SIZE, "%s", value ? value : "");
    return text;
}

static void read_tags(resume *work) {
    char text[RECORD_NAME_SIZE];
    read_player(work, LUFT_WHITE, tag_text(text, work, "White"));
    read_player(work, LUFT_BLACK, tag_text(text, work, "Black"));
    work->game->clock = read_time_control(tag_text(text, work, "TimeControl"));
}

/* Reads the value of [%clk 1:23:45.6]; -1 if there is none. */
static int64_t read_clock(const resume *work, luft_pgn_node node) {
    size_t length = 0;
    const char *at = luft_pgn_node_command(work->tree, node, "clk", &length);
    const char *const end = at ? at + length : NULL;
    const char *colon = at ? memchr(at, ':', length) : NULL;
    const char *second = colon ? memchr(colon + 1, ':', (size_t)(end - colon - 1)) : NULL;
    uint64_t hours, minutes;
    int64_t rest_ms;
    const bool is_read = second && text_to_number(&hours, at, (size_t)(colon - at), 9999) &&
                         text_to_number(&minutes, colon + 1, (size_t)(second - colon - 1), 59) &&
                         text_to_thousandths(&rest_ms, second + 1, (size_t)(end - second - 1), 59);
    return is_read ? (int64_t)(hours * 60 + minutes) * 60000 + rest_ms : -1;
}

/* Gives the moves and clocks of the main line to the match. False, with an error, if it cannot. */
static bool adopt(resume *work) {
    luft_game *played = NULL;
    luft_error error = luft_game_create(&played, luft_pgn_node_position(work->tree, LUFT_PGN_ROOT));
    luft_pgn_node node = luft_pgn_node_next(work->tree, LUFT_PGN_ROOT);
    for (; error == LUFT_OK && node != LUFT_PGN_NO_NODE; node = luft_pgn_node_next(work->tree, node)) {
        error = luft_game_play(played, luft_pgn_node_move(work->tree, node));
    }
    if (error != LUFT_OK) {
        luft_game_free(played);
        work->error = error == LUFT_ERROR_MEMORY ? "out of memory" : "the game has a null move";
        return false;
    }
    if (!match_adopt(work->game, played)) {
        work->error = "out of memory";
        return false;
    }
    node = LUFT_PGN_ROOT;
    for (size_t i = 0; i < luft_game_ply(played); i++) {
        node = luft_pgn_node_next(work->tree, node);
        const int64_t left_ms = read_clock(work, node);
        if (left_ms >= 0 || i >= 2) {
            match_set_time_after(work->game, i, left_ms >= 0 ? left_ms : match_time_after(work->game, i - 2));
        }
    }
    return true;
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
static bool choose_file(record_file *file, const char *path, bool is_compressed) {
    return is_compressed || !input_is_regular_file(path) || record_file_choose(file, path, strlen(path));
}

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    *(uint64_t *)payload = place->line;
    return LUFT_PGN_SKIP_GAME;
}

/* The line in which the last game of a file begins; 0 if it cannot be read. */
static uint64_t last_game_line(const char *path) {
    static const luft_pgn_visitor visitor = {.game_start = on_game_start};
    luft_pgn_reader *reader = NULL;
    uint64_t line = 0;
    input in;
    const bool is_read = input_open(&in, path) == INPUT_READ &&
                         luft_pgn_reader_create(&reader, input_read_pgn, &in) == LUFT_OK &&
                         luft_pgn_read_all(reader, &visitor, &line) == LUFT_OK;
    luft_pgn_reader_free(reader);
    input_close(&in);
    return is_read ? line : 0;
}

/* Records where the game is in the file, and its text if this program wrote it. False if out of memory. */
static bool place(record_file *file, const resume *work) {
    const record_resumed *resumed = work->resumed;
    buffer text = {0};
    if (!file->path || !resumed->has_color || luft_pgn_game_result(work->tree) != LUFT_RESULT_UNKNOWN) {
        return true;
    }
    work->game->person = resumed->person;
    record_set_strength(work->facts, resumed->level > 0 ? resumed->level : PLAY_LEVEL_MAX, resumed->elo);
    record_write(&text, work->game, work->facts);
    const uint64_t line = text.failed ? 0 : last_game_line(file->path);
    const long long begin = line > 0 ? offset_of_line(file->path, line) : -1;
    if (begin >= 0) {
        record_file_place(file, begin, &text);
    }
    buffer_free(&text);
    return begin >= 0; /* the file was readable just now: the reason is memory */
}

/* --- The game --------------------------------------------------------------------- */

/* Reads all games and keeps the last. False, with an error, if the file cannot be read. */
static bool read_last_game(resume *work, input *in) {
    luft_pgn_reader *reader = NULL;
    luft_error error = luft_pgn_reader_create(&reader, input_read_pgn, in);
    while (error == LUFT_OK || error == LUFT_ERROR_OVERFLOW) {
        luft_pgn_game *next = NULL;
        error = luft_pgn_game_read(&next, reader);
        if (error != LUFT_ERROR_END) {
            luft_pgn_game_free(work->tree);
            work->tree = next;
            work->error = error == LUFT_ERROR_OVERFLOW ? "the game is too long" : NULL;
        }
    }
    luft_pgn_reader_free(reader);
    if (error != LUFT_ERROR_END) {
        work->error = in->reason[0] ? in->reason : "out of memory";
    }
    return work->error == NULL;
}

/* Is there a game without an error? */
static bool check_game(resume *work) {
    const luft_pgn_error *error = luft_pgn_game_error(work->tree);
    char quoted[TEXT_QUOTED_SIZE];
    if (!work->tree) {
        work->error = "it has no game";
    } else if (error) {
        snprintf(work->text, sizeof work->text, "line %llu: %s (%s)", (unsigned long long)error->place.line,
                 error->reason, text_quote(quoted, error->token, error->token_length));
        work->error = work->text;
    }
    return work->error == NULL;
}

/* Keeps the game as it was read, if Luft played in it. */
static bool keep(resume *work) {
    buffer *text = &work->facts->resumed;
    if (work->resumed->has_color) {
        record_write_tree(text, work->tree);
    }
    return !text->failed;
}

bool record_resume(match *game, record_facts *facts, record_file *file, record_resumed *resumed, const char *path,
                   char reason[RECORD_REASON_SIZE]) {
    resume work = {.game = game, .facts = facts, .resumed = resumed};
    const record_facts usual = *facts;
    input in;
    bool done = false;
    *resumed = (record_resumed){0};
    if (input_open(&in, path) != INPUT_READ) {
        work.error = in.reason;
    } else if (read_last_game(&work, &in) && check_game(&work)) {
        read_tags(&work);
        done = adopt(&work) && choose_file(file, path, in.compressed != NULL) && keep(&work) && place(file, &work);
        if (!resumed->has_color) {
            memcpy(facts->person, usual.person, sizeof facts->person); /* two other players */
        }
    }
    snprintf(reason, RECORD_REASON_SIZE, "%s", work.error ? work.error : "out of memory");
    input_close(&in);
    luft_pgn_game_free(work.tree);
    return done;
}
