/* SPDX-License-Identifier: MIT */
/*
 * Writes games. The text is composed in memory. The record remembers what was written and where it is in the file, so
 * that saving again replaces it; everything else in the file is copied. The file is replaced atomically and locked
 * until then, so that two programs that save into it wait for each other.
 */
#define _POSIX_C_SOURCE 200809L

#include "record.h"

#include "util/setup.h"

#include "luft/engine.h"
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

static bool append_to_buffer(void *payload, const char *text, size_t length) {
    buffer *out = payload;
    buffer_append(out, text, length);
    return !out->failed;
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

static void set_tag(luft_error *error, luft_pgn_game *tree, const char *name, const char *value) {
    if (*error == LUFT_OK) {
        *error = luft_pgn_game_set_tag(tree, name, value, value ? strlen(value) : 0);
    }
}

/* The names of the players. A person's longer name, of which the facts have the start, stays. */
static luft_error set_players(luft_pgn_game *tree, const match *game, const record_facts *facts) {
    const bool person_is_white = game->person == LUFT_WHITE;
    const char *person = person_is_white ? "White" : "Black", *engine = person_is_white ? "Black" : "White";
    const char *known = luft_pgn_game_tag(tree, person, NULL);
    char elo[16];
    luft_error error = LUFT_OK;
    snprintf(elo, sizeof elo, "%d", facts->elo);
    if (strncmp(known ? known : "", facts->person, RECORD_NAME_SIZE - 1) != 0) {
        set_tag(&error, tree, person, facts->person);
    }
    set_tag(&error, tree, engine, facts->engine);
    set_tag(&error, tree, person_is_white ? "BlackElo" : "WhiteElo", facts->elo > 0 ? elo : NULL);
    return error;
}

/* Sets the tags that the facts and the moves decide. The others of a resumed game stay. */
static luft_error set_tags(luft_pgn_game *tree, const match *game, const record_facts *facts) {
    const bool is_new = facts->resumed.length == 0;
    char control[64], count[24];
    size_t plies = 0;
    luft_opening opening;
    luft_error error = luft_pgn_game_set_result(tree, match_result(game));
    if (is_new) {
        set_tag(&error, tree, "Event", "Game against Luft");
        set_tag(&error, tree, "Date", facts->date);
        set_tag(&error, tree, "Time", facts->time);
    }
    if (error == LUFT_OK) {
        error = set_players(tree, game, facts);
    }
    write_time_control(control, sizeof control, &game->clock);
    set_tag(&error, tree, "TimeControl", control);
    const bool has_opening = luft_opening_of_game(&opening, game->game);
    set_tag(&error, tree, "ECO", has_opening ? opening.eco : NULL);
    set_tag(&error, tree, "Opening", has_opening ? opening.name : NULL);
    if (is_new && setup_castling_style(luft_game_position_at(game->game, 0)) == LUFT_CASTLING_CHESS960) {
        set_tag(&error, tree, "Variant", "Chess960");
    }
    for (luft_pgn_node node = LUFT_PGN_ROOT; (node = luft_pgn_node_next(tree, node)) != LUFT_PGN_NO_NODE;) {
        plies++;
    }
    snprintf(count, sizeof count, "%zu", plies);
    set_tag(&error, tree, "PlyCount", count);
    set_tag(&error, tree, "Termination", termination_of(game));
    return error;
}

static bool is_clock(const luft_pgn_comment *comment) {
    static const char opening[] = "[%clk ";
    const char *close = memchr(comment->text, ']', comment->length);
    return comment->length >= strlen(opening) && memcmp(comment->text, opening, strlen(opening)) == 0 &&
           close == comment->text + comment->length - 1;
}

/* Is there more in the line from this node on than moves and clocks? */
static bool is_annotated(const luft_pgn_game *tree, luft_pgn_node node) {
    bool found = false;
    for (; !found && node != LUFT_PGN_NO_NODE; node = luft_pgn_node_next(tree, node)) {
        luft_pgn_comment comment;
        found = luft_pgn_node_nag_count(tree, node) > 0 || luft_pgn_node_comment_count(tree, node, LUFT_PGN_BEFORE) > 0;
        for (size_t i = 0; luft_pgn_node_comment_at(&comment, tree, node, LUFT_PGN_AFTER, i); i++) {
            found |= !is_clock(&comment);
        }
        found |= luft_pgn_node_sibling(tree, luft_pgn_node_next(tree, node)) != LUFT_PGN_NO_NODE;
    }
    return found;
}

/* Makes the move the main one after this node. The one in its place was taken back: it stays if it is annotated. */
static luft_error play_in_tree(luft_pgn_node *node, luft_pgn_game *tree, luft_pgn_node parent, luft_move move) {
    const luft_pgn_node other = luft_pgn_node_next(tree, parent);
    luft_error error = LUFT_OK;
    *node = luft_pgn_node_find(tree, parent, move);
    if (*node == LUFT_PGN_NO_NODE) {
        error = luft_pgn_node_add(node, tree, parent, move, LUFT_PGN_PERSON);
    }
    if (error == LUFT_OK && other != LUFT_PGN_NO_NODE && other != *node && !is_annotated(tree, other)) {
        error = luft_pgn_node_delete(tree, other);
    }
    return error == LUFT_OK ? luft_pgn_node_reorder(tree, *node, 0) : error;
}

static luft_error set_clock(luft_pgn_game *tree, luft_pgn_node node, int64_t left_ms) {
    char value[32];
    const int64_t left = left_ms > 0 ? left_ms : 0;
    const int length = snprintf(value, sizeof value, "%lld:%02d:%02d.%d", (long long)(left / 3600000),
                                (int)(left / 60000 % 60), (int)(left / 1000 % 60), (int)(left / 100 % 10));
    return luft_pgn_node_set_command(tree, node, "clk", value, (size_t)length, LUFT_PGN_PERSON);
}

/* Sets the main line. Moves after it were taken back: they stay if they are annotated. */
static luft_error set_moves(luft_pgn_game *tree, const match *game) {
    luft_pgn_node node = LUFT_PGN_ROOT;
    luft_error error = LUFT_OK;
    for (size_t i = 0; error == LUFT_OK && i < luft_game_ply(game->game); i++) {
        error = play_in_tree(&node, tree, node, luft_game_move_at(game->game, i));
        if (error == LUFT_OK && game->clock.on) {
            error = set_clock(tree, node, match_time_after(game, i));
        }
    }
    const luft_pgn_node rest = error == LUFT_OK ? luft_pgn_node_next(tree, node) : LUFT_PGN_NO_NODE;
    return rest == LUFT_PGN_NO_NODE || is_annotated(tree, rest) ? error : luft_pgn_node_delete(tree, rest);
}

static luft_error read_resumed(luft_pgn_game **tree, const buffer *text) {
    luft_pgn_reader *reader = NULL;
    luft_error error = luft_pgn_reader_create_text(&reader, text->data, text->length);
    if (error == LUFT_OK) {
        error = luft_pgn_game_read(tree, reader);
    }
    luft_pgn_reader_free(reader);
    return error;
}

void record_write_tree(buffer *out, const luft_pgn_game *tree) {
    luft_pgn_writer writer;
    luft_pgn_writer_init(&writer, append_to_buffer, out);
    out->failed |= luft_pgn_game_write(&writer, tree) != LUFT_OK;
}

void record_write(buffer *out, const match *game, const record_facts *facts) {
    luft_pgn_game *tree = NULL;
    luft_error error = facts->resumed.length > 0 ? read_resumed(&tree, &facts->resumed)
                                                 : luft_pgn_game_create(&tree, luft_game_position_at(game->game, 0));
    if (error == LUFT_OK) {
        error = set_moves(tree, game);
    }
    if (error == LUFT_OK) {
        error = set_tags(tree, game, facts);
    }
    if (error == LUFT_OK) {
        record_write_tree(out, tree);
    }
    out->failed |= error != LUFT_OK;
    luft_pgn_game_free(tree);
}

void record_begin(record_facts *facts) {
    buffer_free(&facts->resumed);
    const time_t now = time(NULL);
    struct tm local;
    if (!localtime_r(&now, &local) || strftime(facts->date, sizeof facts->date, "%Y.%m.%d", &local) == 0 ||
        strftime(facts->time, sizeof facts->time, "%H:%M:%S", &local) == 0) {
        strcpy(facts->date, "????.??.??");
        strcpy(facts->time, "??:??:??");
    }
}

void record_set_strength(record_facts *facts, int level, int elo) {
    const int above = (LUFT_ENGINE_MAX_ELO - LUFT_ENGINE_MIN_ELO) * (level - 1) / (PLAY_LEVEL_MAX - 2);
    const bool is_full = elo == 0 && level == PLAY_LEVEL_MAX;
    facts->elo = elo > 0   ? elo
                 : is_full ? 0
                           : LUFT_ENGINE_MIN_ELO + above / 10 * 10; /* ratings of levels are rounded */
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

/* The folder with its slash, or nothing for the current one. */
static void append_folder(buffer *path, int place) {
    const char *temporary = getenv("TMPDIR");
    const char *folder = place == 0 ? NULL : place == 1 ? getenv("HOME") : temporary ? temporary : "/tmp";
    if (folder && folder[0] != '\0') {
        buffer_printf(path, "%s/", folder);
    }
}

bool record_file_choose_new(record_file *file, int place) {
    char day[16] = "";
    buffer path = {0};
    struct stat info;
    const time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local)) {
        strftime(day, sizeof day, "-%Y-%m-%d", &local);
    }
    append_folder(&path, place);
    const size_t folder = path.length;
    for (int i = 1; i == 1 || (!path.failed && lstat(path.data, &info) == 0); i++) {
        path.length = folder;
        buffer_printf(&path, i == 1 ? "luft%s.pgn" : "luft%s-%d.pgn", day, i);
        buffer_append(&path, "", 1); /* ends the name */
    }
    const bool chosen = !path.failed && record_file_choose(file, path.data, path.length - 1);
    buffer_free(&path);
    return chosen;
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
