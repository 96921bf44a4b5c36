/* SPDX-License-Identifier: MIT */
/*
 * Writes games. The text is composed in memory. The record remembers what was written and where it is in the file, so
 * that saving again replaces it; everything else in the file is copied. The file is replaced atomically and locked
 * until then, so that two programs that save into it wait for each other.
 */
#define _POSIX_C_SOURCE 200809L

#include "record.h"

#include "util/setup.h"

#include "engine/engine.h"
#include "util/atomic_file.h"

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
    buffer_append(payload, text, length);
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

/* One of the eight words of the PGN standard for the tag Termination. */
static const char *termination_of(const match *game) {
    switch (game->end) {
    case MATCH_GOES_ON: return "unterminated";
    case MATCH_TIME:
    case MATCH_TIME_DRAW: return "time forfeit";
    default: return "normal";
    }
}

/* In seconds, with a fraction only if there is one. */
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

/* Does the game begin from the standard start position? If not, a tag has its first position. */
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

void record_write(buffer *out, const match *game, const record_facts *facts) {
    const luft_position *start = luft_game_position_at(game->game, 0);
    const bool person_is_white = game->person == LUFT_WHITE;
    const luft_result result = match_result(game);
    char fen[LUFT_FEN_SIZE], control[64], elo[16], count[24];
    luft_opening opening;
    tag_list list = {.count = 0};
    luft_pgn_writer writer;
    add_tag(&list, "Event", "Game against Luft");
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

void record_set_strength(record_facts *facts, int level, int elo) {
    const int above = (ENGINE_ELO_MAX - ENGINE_ELO_MIN) * (level - 1) / (PLAY_LEVEL_MAX - 2);
    const bool is_full = elo == 0 && level == PLAY_LEVEL_MAX;
    facts->elo = elo > 0 ? elo : is_full ? 0 : ENGINE_ELO_MIN + above / 10 * 10; /* ratings of levels are rounded */
    if (elo > 0) {
        snprintf(facts->engine, sizeof facts->engine, "Luft %s (Elo %d)", luft_version(), elo);
    } else if (!is_full) {
        snprintf(facts->engine, sizeof facts->engine, "Luft %s (level %d)", luft_version(), level);
    } else {
        snprintf(facts->engine, sizeof facts->engine, "Luft %s", luft_version());
    }
}

/* --- The file ------------------------------------------------------------------ */

enum {
    BLOCK_SIZE = 16384, /* bytes copied at once */
    LOCK_TRIES = 500,   /* for five seconds, while another program saves */
    LOCK_PAUSE_MS = 10, /* between two tries */
    OPENS_MAX = 1000    /* how many other programs may be first */
};

bool record_file_choose(record_file *file, const char *path, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) {
        return false;
    }
    memcpy(copy, path, length);
    copy[length] = '\0';
    record_file_free(file);
    file->path = copy;
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

void record_file_place(record_file *file, long long begin, buffer *text) {
    buffer_free(&file->text);
    file->text = *text;
    file->begin = begin;
    *text = (buffer){0};
}

void record_file_next_game(record_file *file) {
    buffer_free(&file->text);
}

void record_file_free(record_file *file) {
    free(file->path);
    buffer_free(&file->text);
    *file = (record_file){0};
}

/* Writes all bytes. False, with errno set, if it cannot. */
static bool write_all(int descriptor, const char *data, size_t length) {
    while (length > 0) {
        const ssize_t count = write(descriptor, data, length);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        data += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* Reads all bytes. False, with errno set, if it cannot. */
static bool read_all(int descriptor, char *data, size_t length, long long offset) {
    while (length > 0) {
        const ssize_t count = pread(descriptor, data, length, (off_t)offset);
        if (count == 0) {
            errno = EIO; /* the file has become shorter */
        }
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return false;
        }
        data += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
        offset += count > 0 ? count : 0;
    }
    return true;
}

/* Copies the bytes from `offset` up to `end`. */
static bool copy_part(FILE *out, int descriptor, long long offset, long long end) {
    char block[BLOCK_SIZE];
    while (offset < end) {
        const size_t length = end - offset < BLOCK_SIZE ? (size_t)(end - offset) : BLOCK_SIZE;
        if (!read_all(descriptor, block, length, offset) || fwrite(block, 1, length, out) != length) {
            return false;
        }
        offset += (long long)length;
    }
    return true;
}

/* The separator between the games of a file and the next: an empty line. NULL if the file cannot be read. */
static const char *separator(int descriptor, long long size) {
    char last[2] = "\n\n";
    const size_t length = size < 2 ? (size_t)size : 2;
    if (!read_all(descriptor, last + 2 - length, length, size - (long long)length)) {
        return NULL;
    }
    return last[1] != '\n' ? "\n\n" : last[0] != '\n' ? "\n" : "";
}

/* Is the text of the game still where it was written? False if it cannot be read: then it cannot be copied either. */
static bool is_in_place(const record_file *file, int descriptor, long long size) {
    char block[BLOCK_SIZE];
    const size_t length = file->text.length;
    bool is_same = length > 0 && file->begin + (long long)length <= size;
    for (size_t done = 0; is_same && done < length; done += BLOCK_SIZE) {
        const size_t count = length - done < BLOCK_SIZE ? length - done : BLOCK_SIZE;
        is_same = read_all(descriptor, block, count, file->begin + (long long)done) &&
                  memcmp(block, file->text.data + done, count) == 0;
    }
    return is_same;
}

static bool save_atomically(int descriptor, long long size, record_file *file, buffer *text) {
    const bool replaces = is_in_place(file, descriptor, size);
    const long long front = replaces ? file->begin : size;
    const long long behind = replaces ? file->begin + (long long)file->text.length : size;
    const char *blank = replaces ? "" : separator(descriptor, size);
    atomic_file out;
    if (!blank || !atomic_file_open(&out, file->path)) {
        return false;
    }
    const bool written = copy_part(out.stream, descriptor, 0, front) &&
                         fwrite(blank, 1, strlen(blank), out.stream) == strlen(blank) &&
                         fwrite(text->data, 1, text->length, out.stream) == text->length &&
                         copy_part(out.stream, descriptor, behind, size);
    if (!atomic_file_close(&out, written)) {
        return false;
    }
    record_file_place(file, front + (long long)strlen(blank), text);
    return true;
}

/* Waits for another program that saves, with a limit. Continues without a lock if the file system has none. */
static bool lock(int descriptor) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_MS * 1000000L};
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (fcntl(descriptor, F_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES)) {
            return true;
        }
        nanosleep(&pause, NULL);
    }
    errno = EAGAIN;
    return false;
}

/* Is this still the file of that name? Another may have replaced it during the wait for the lock. */
static bool is_current(const struct stat *about, const char *path) {
    struct stat now;
    return stat(path, &now) == 0 && now.st_dev == about->st_dev && now.st_ino == about->st_ino;
}

/* Opens the file to read and write, and locks it if it is a regular file. Creates it if it does not exist. */
static int open_locked(const char *path, struct stat *about, bool *is_new) {
    for (int i = 0; i < OPENS_MAX; i++) {
        int descriptor = open(path, O_RDWR | O_CLOEXEC);
        *is_new = false;
        if (descriptor < 0 && errno == ENOENT) {
            descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            *is_new = descriptor >= 0;
            if (descriptor < 0 && errno == EEXIST) { /* created just now, or a link to a file that does not exist */
                descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
            }
        }
        if (descriptor < 0) {
            return -1;
        }
        const bool is_good = fstat(descriptor, about) == 0 &&
                             (!S_ISREG(about->st_mode) || (lock(descriptor) && fstat(descriptor, about) == 0));
        if (is_good && (!S_ISREG(about->st_mode) || is_current(about, path))) {
            return descriptor;
        }
        const int error = errno;
        close(descriptor);
        errno = error;
        if (!is_good) {
            return -1;
        }
    }
    errno = EAGAIN;
    return -1;
}

bool record_file_save(record_file *file, buffer *text) {
    struct stat about;
    bool is_new;
    if (text->failed) {
        errno = ENOMEM;
        return false;
    }
    const int descriptor = open_locked(file->path, &about, &is_new);
    if (descriptor < 0) {
        return false;
    }
    const bool saved = S_ISREG(about.st_mode) ? save_atomically(descriptor, about.st_size, file, text)
                                              : write_all(descriptor, text->data, text->length);
    const int error = errno;
    if (!saved && is_new) {
        unlink(file->path); /* no other program has written to it: it is locked */
    }
    close(descriptor); /* there is no buffered output */
    errno = error;
    return saved;
}
