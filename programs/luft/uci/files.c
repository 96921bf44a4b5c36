/* SPDX-License-Identifier: MIT */
/*
 * Where the UCI session meets the system: standard output, the log, and the options
 * that name files. The browser, which has none of these, puts bindings/wasm/uci_web.c in its place.
 */
#define _POSIX_C_SOURCE 200809L

#include "uci/session.h"

#include "engine/nnue.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Lines -------------------------------------------------------------------------- */

/* What comes is marked with >>, what goes with <<. A log that cannot grow any more ends, and that is said. */
static void write_log(uci_session *uci, const char *mark, uci_text text) {
    if (!uci->log) {
        return;
    }
    while (text.length > 0) {
        const char *feed = memchr(text.text, '\n', text.length);
        const size_t length = feed ? (size_t)(feed - text.text) : text.length;
        fprintf(uci->log, "%s ", mark);
        fwrite(text.text, 1, length, uci->log);
        fputc('\n', uci->log);
        text.text += length + (feed != NULL);
        text.length -= length + (feed != NULL);
    }
    fflush(uci->log);
    if (ferror(uci->log)) {
        fclose(uci->log);
        uci->log = NULL;
        uci_refuse(uci, "Debug Log File: no more can be written, the log ends here");
    }
}

/* The lock of stdout parts the lines of the search from answers to commands; the log is written under it too. */
void uci_write(uci_session *uci, const char *text) {
    flockfile(stdout);
    puts(text);
    fflush(stdout);
    write_log(uci, "<<", (uci_text){text, strlen(text)});
    funlockfile(stdout);
}

void uci_log_input(uci_session *uci, uci_text line) {
    flockfile(stdout);
    write_log(uci, ">>", line);
    funlockfile(stdout);
}

void uci_log_close(uci_session *uci) {
    flockfile(stdout);
    if (uci->log) {
        fclose(uci->log);
        uci->log = NULL;
    }
    funlockfile(stdout);
}

/* Notes all lines in a file from now on, behind what is there. False if it cannot be written: what was before stays. */
static bool log_open(uci_session *uci, const char *path) {
    /* Nothing but a plain file: a pipe that nobody reads would hold up the session. */
    const int number = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    struct stat about;
    if (number < 0 || fstat(number, &about) != 0 || !S_ISREG(about.st_mode)) {
        const int error = number < 0 ? errno : EINVAL;
        if (number >= 0) {
            close(number);
        }
        errno = error;
        return false;
    }
    FILE *file = fdopen(number, "a");
    if (!file) {
        close(number);
        return false;
    }
    uci_log_close(uci);
    flockfile(stdout);
    uci->log = file;
    funlockfile(stdout);
    return true;
}

/* --- Options that name files -------------------------------------------------------- */

/* The name of a file as a string of C. False, and refused, if it cannot be one. */
static bool copy_path(uci_session *uci, const char *option, char *path, size_t size, uci_text text) {
    char quoted[TEXT_QUOTED_SIZE];
    if (text.length >= size || memchr(text.text, '\0', text.length)) {
        uci_refuse(uci, "%s: %s is no name of a file", option, text_quote(quoted, text.text, text.length));
        return false;
    }
    memcpy(path, text.text, text.length);
    path[text.length] = '\0';
    return true;
}

/* Opens a plain file to read. Nothing else: a pipe that nobody writes to would hold up the session. */
static FILE *open_plain_file(const char *path) {
    const int number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    FILE *file = NULL;
    if (number >= 0 && fstat(number, &about) == 0) {
        errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
        file = S_ISREG(about.st_mode) ? fdopen(number, "rb") : NULL;
    }
    if (number >= 0 && !file) {
        const int error = errno;
        close(number);
        errno = error;
    }
    return file;
}

/* The whole of a file that is not larger than any network; NULL and a reason if it cannot be read. */
static uint8_t *read_network(const char *path, size_t *length, char reason[NNUE_REASON_SIZE]) {
    FILE *file = open_plain_file(path);
    uint8_t *bytes = file ? malloc(NNUE_FILE_MAX + 1) : NULL;
    if (!bytes) {
        snprintf(reason, NNUE_REASON_SIZE, "%s", file ? "out of memory" : strerror(errno));
    } else {
        errno = 0;
        *length = fread(bytes, 1, NNUE_FILE_MAX + 1, file);
        if (ferror(file)) {
            snprintf(reason, NNUE_REASON_SIZE, "%s", strerror(errno));
            free(bytes);
            bytes = NULL;
        }
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

void uci_set_eval_file(uci_session *uci, uci_text name) {
    char path[4096], reason[NNUE_REASON_SIZE] = "out of memory";
    size_t length = 0;
    if (name.length == 0) {
        if (!engine_reset_network(uci->engine)) {
            uci_refuse(uci, "EvalFile: out of memory; the evaluation stays as it is");
        }
        return;
    }
    if (!copy_path(uci, "EvalFile", path, sizeof path, name)) {
        return;
    }
    uint8_t *bytes = read_network(path, &length, reason);
    if (!bytes || !engine_load_network(uci->engine, bytes, length, reason)) {
        uci_refuse(uci, "EvalFile: %s; the evaluation stays as it is", reason);
    }
    free(bytes);
}

void uci_set_log_file(uci_session *uci, uci_text name) {
    char path[4096], quoted[TEXT_QUOTED_SIZE];
    if (name.length == 0) {
        uci_log_close(uci);
        return;
    }
    if (!copy_path(uci, "Debug Log File", path, sizeof path, name)) {
        return;
    }
    if (!log_open(uci, path)) {
        uci_refuse(uci, "Debug Log File: cannot write %s: %s", text_quote(quoted, path, name.length), strerror(errno));
    }
}
