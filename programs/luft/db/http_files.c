/* SPDX-License-Identifier: MIT */
/*
 * Files of the page for `luft db serve`. A path must consist of plain segments, and the file that it leads to, links
 * resolved, must be below the folder.
 */
#define _XOPEN_SOURCE 700 /* realpath, O_CLOEXEC */

#include "http.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_SIZE_MAX (64 << 20)

static const struct {
    const char *ending;
    const char *type;
} types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".json", "application/json"},
    {".wasm", "application/wasm"},
    {".webmanifest", "application/manifest+json"},
    {".pgn", "application/x-chess-pgn"},
};

static const char *type_of(const char *path) {
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const size_t ending = strlen(types[i].ending);
        if (length >= ending && strcmp(path + length - ending, types[i].ending) == 0) {
            return types[i].type;
        }
    }
    return "application/octet-stream";
}

/* Is it made of slashes and names of letters, digits, - _ and dots, of which none begins with a dot? */
static bool is_plain(const char *path) {
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./";
    return path[0] == '/' && strspn(path, allowed) == strlen(path) && !strstr(path, "/.") && !strstr(path, "//");
}

/* The real name of the file, NULL if it is not below the folder. Free it. */
static char *find_file(const char *folder, const char *path) {
    buffer name = {0};
    char *root = realpath(folder, NULL), *file = NULL;
    if (root && is_plain(path)) {
        buffer_append_text(&name, root);
        buffer_append_text(&name, path);
        buffer_append_text(&name, path[strlen(path) - 1] == '/' ? "index.html" : "");
        buffer_append(&name, "", 1);
        file = name.failed ? NULL : realpath(name.data, NULL);
    }
    if (file && (strncmp(file, root, strlen(root)) != 0 || file[strlen(root)] != '/')) {
        free(file);
        file = NULL;
    }
    buffer_free(&name);
    free(root);
    return file;
}

/* Reads a regular file. False if it cannot. */
static bool read_file(buffer *body, const char *name) {
    struct stat status;
    const int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool good = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= FILE_SIZE_MAX;
    const size_t size = good ? (size_t)status.st_size : 0;
    char *bytes = good ? buffer_reserve(body, size + 1) : NULL;
    good = bytes != NULL;
    while (good && body->length < size) {
        const ssize_t count = read(file, body->data + body->length, size - body->length);
        good = count > 0;
        body->length += good ? (size_t)count : 0;
    }
    if (file >= 0) {
        close(file);
    }
    return good;
}

void http_file(http_answer *answer, const char *folder, const char *path) {
    char *name = find_file(folder, path);
    if (name && read_file(&answer->body, name)) {
        answer->status = 200;
        answer->type = type_of(name);
    } else {
        http_fail(answer, 404, "there is no such file");
    }
    free(name);
}
