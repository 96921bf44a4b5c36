/* SPDX-License-Identifier: MIT */
/*
 * Writing. The text is made in memory and written in one piece. Where it stands in
 * the file is remembered, so that saving again replaces it; whatever else is in the
 * file, before it or behind, stays.
 */
#define _POSIX_C_SOURCE 200809L

#include "play_record.h"

#include "setup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- The text ------------------------------------------------------------------- */

static bool append_to_bytes(void *payload, const char *text, size_t length) {
    bytes_append(payload, text, length);
    return true;
}

enum { TAG_MAX = 24 };

typedef struct tag_list {
    luft_pgn_tag tags[TAG_MAX];
    size_t count;
} tag_list;

static void add_tag(tag_list *list, const char *name, const char *value) {
    list->tags[list->count++] =
        (luft_pgn_tag){.name = name, .name_length = strlen(name), .value = value, .value_length = strlen(value)};
}

/* One of the eight words that the standard has for the tag Termination. */
static const char *termination_of(const match *game) {
    switch (game->end) {
    case MATCH_GOES_ON: return "unterminated";
    case MATCH_TIME:
    case MATCH_TIME_DRAW: return "time forfeit";
    default: return "normal";
    }
}

/* In whole seconds where they are whole. */
static void write_seconds(char *out, size_t size, int64_t milliseconds) {
    const long long seconds = milliseconds / 1000, rest = milliseconds % 1000;
    if (rest == 0) {
        snprintf(out, size, "%lld", seconds);
    } else {
        snprintf(out, size, "%lld.%03lld", seconds, rest);
    }
}

static void write_time_control(char *out, size_t size, const match_clock *clock) {
    char base[32], increment[32];
    if (!clock->on) {
        snprintf(out, size, "-");
        return;
    }
    write_seconds(base, sizeof base, clock->base_ms);
    write_seconds(increment, sizeof increment, clock->increment_ms);
    if (clock->increment_ms > 0) {
        snprintf(out, size, "%s+%s", base, increment);
    } else {
        snprintf(out, size, "%s", base);
    }
}

/* Does the game begin as games do? If not, its first position is a tag. */
static bool is_usual_start(const luft_position *start) {
    const luft_position usual = luft_start_position();
    return luft_key(start) == luft_key(&usual) && start->side_to_move == LUFT_WHITE && start->fullmove_number == 1;
}

static void write_moves(luft_pgn_writer *writer, const match *game) {
    for (size_t i = 0; i < luft_game_ply(game->game); i++) {
        luft_pgn_write_move(writer, luft_game_position_at(game->game, i), luft_game_move_at(game->game, i));
        if (game->clock.on) {
            char comment[48];
            const int64_t left = match_time_after(game, i) > 0 ? match_time_after(game, i) : 0;
            const int length =
                snprintf(comment, sizeof comment, "[%%clk %lld:%02d:%02d.%d]", (long long)(left / 3600000),
                         (int)(left / 60000 % 60), (int)(left / 1000 % 60), (int)(left / 100 % 10));
            luft_pgn_write_comment(writer, comment, (size_t)length);
        }
    }
}

void record_write(bytes *out, const match *game, const record_facts *facts) {
    const luft_position *start = luft_game_position_at(game->game, 0);
    const bool person_is_white = game->person == LUFT_WHITE;
    const luft_result result = match_result(game);
    char fen[LUFT_FEN_SIZE], control[64], elo[16], count[24];
    luft_opening opening;
    tag_list list = {.count = 0};
    luft_pgn_writer writer;
    add_tag(&list, "Event", RECORD_EVENT);
    add_tag(&list, "Date", facts->date);
    add_tag(&list, "White", person_is_white ? facts->person : facts->engine);
    add_tag(&list, "Black", person_is_white ? facts->engine : facts->person);
    add_tag(&list, "Result", luft_result_string(result));
    add_tag(&list, "Time", facts->time);
    if (facts->elo > 0) {
        snprintf(elo, sizeof elo, "%d", facts->elo);
        add_tag(&list, person_is_white ? "BlackElo" : "WhiteElo", elo);
    }
    write_time_control(control, sizeof control, &game->clock);
    add_tag(&list, "TimeControl", control);
    if (luft_opening_of_game(&opening, game->game)) {
        add_tag(&list, "ECO", opening.eco);
        add_tag(&list, "Opening", opening.name);
    }
    if (setup_castling_style(start) == LUFT_CASTLING_CHESS960) {
        add_tag(&list, "Variant", "Chess960");
    }
    if (!is_usual_start(start)) {
        luft_position_to_fen(fen, sizeof fen, start, LUFT_FEN_STANDARD);
        add_tag(&list, "SetUp", "1");
        add_tag(&list, "FEN", fen);
    }
    snprintf(count, sizeof count, "%zu", luft_game_ply(game->game));
    add_tag(&list, "PlyCount", count);
    add_tag(&list, "Termination", termination_of(game));
    luft_pgn_writer_init(&writer, append_to_bytes, out);
    luft_pgn_write_tags(&writer, list.tags, list.count);
    write_moves(&writer, game);
    luft_pgn_write_result(&writer, result);
}

void record_begin(record_facts *facts) {
    const time_t now = time(NULL);
    struct tm local;
    if (!localtime_r(&now, &local) || strftime(facts->date, sizeof facts->date, "%Y.%m.%d", &local) == 0 ||
        strftime(facts->time, sizeof facts->time, "%H:%M:%S", &local) == 0) {
        strcpy(facts->date, "????.??.??");
        strcpy(facts->time, "??:??:??");
    }
}

/* --- The file ------------------------------------------------------------------ */

bool record_file_choose(record_file *file, const char *path, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) {
        return false;
    }
    memcpy(copy, path, length);
    copy[length] = '\0';
    free(file->path);
    *file = (record_file){.path = copy};
    return true;
}

bool record_file_choose_new(record_file *file) {
    char day[16] = "", name[64];
    struct stat info;
    const time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local)) {
        strftime(day, sizeof day, "-%Y-%m-%d", &local);
    }
    snprintf(name, sizeof name, "luft%s.pgn", day);
    for (int i = 2; lstat(name, &info) == 0; i++) {
        snprintf(name, sizeof name, "luft%s-%d.pgn", day, i);
    }
    return record_file_choose(file, name, strlen(name));
}

void record_file_next_game(record_file *file) {
    file->is_placed = false;
}

void record_file_free(record_file *file) {
    free(file->path);
    *file = (record_file){0};
}

/* Writes at the present place, or at `offset` if that is not -1. False, with errno set, if not everything gets there. */
static bool write_all(int descriptor, const char *data, size_t length, long long offset) {
    while (length > 0) {
        const ssize_t count =
            offset < 0 ? write(descriptor, data, length) : pwrite(descriptor, data, length, (off_t)offset);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        data += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
        offset += offset >= 0 && count > 0 ? count : 0;
    }
    return true;
}

/* What must stand between the games of a file and a further one: an empty line. */
static const char *separator(int descriptor, long long size) {
    char last[2] = "\n\n";
    if (size == 0 || pread(descriptor, last + (size == 1), size == 1 ? 1 : 2, size == 1 ? 0 : size - 2) < 0) {
        return "";
    }
    return last[1] != '\n' ? "\n\n" : last[0] != '\n' ? "\n" : "";
}

/*
 * What makes the file longer is written first: if the disk is full, the file is cut back to what it was. Writing over
 * the text that was there before needs no more room.
 */
static bool save_in(int descriptor, record_file *file, const bytes *text) {
    struct stat info;
    if (fstat(descriptor, &info) != 0) {
        return false;
    }
    if (!S_ISREG(info.st_mode)) {
        return write_all(descriptor, text->data, text->length, -1);
    }
    const bool replaces = file->is_placed && info.st_size == file->end;
    const char *blank = replaces ? "" : separator(descriptor, info.st_size);
    const long long begin = replaces ? file->begin : info.st_size + (long long)strlen(blank);
    const long long end = begin + (long long)text->length;
    const size_t inside = (size_t)(!replaces ? 0 : end < info.st_size ? end - begin : info.st_size - begin);
    if (!write_all(descriptor, blank, strlen(blank), info.st_size) ||
        !write_all(descriptor, text->data + inside, text->length - inside, begin + (long long)inside)) {
        const int error = errno;
        const bool restored = ftruncate(descriptor, info.st_size) == 0;
        errno = restored ? error : errno;
        return false;
    }
    if (!write_all(descriptor, text->data, inside, begin) || ftruncate(descriptor, (off_t)end) != 0) {
        return false;
    }
    file->begin = begin;
    file->end = end;
    file->is_placed = true;
    return true;
}

bool record_file_save(record_file *file, const bytes *text) {
    if (text->failed) {
        errno = ENOMEM;
        return false;
    }
    const int descriptor = open(file->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return false;
    }
    const bool saved = save_in(descriptor, file, text);
    const int error = errno;
    const bool closed = close(descriptor) == 0;
    errno = saved ? errno : error;
    return saved && closed;
}
