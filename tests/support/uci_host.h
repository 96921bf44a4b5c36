/* SPDX-License-Identifier: MIT */
/*
 * A host of the UCI session that keeps what is written and answers as a test tells it, and short ways to talk to the
 * session. All functions are inline, so that tests of libluft alone do not need the session.
 */
#ifndef LUFT_TESTS_UCI_HOST_H
#define LUFT_TESTS_UCI_HOST_H

#include "support/check.h"

#include "uci/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 1 << 17 };

/* What the session asked of its host. */
typedef struct test_host {
    pthread_mutex_t lock;
    char text[TEXT_SIZE]; /* all that was written; what is too much is dropped */
    size_t length;
    bool loses_output;
    _Atomic int64_t now_us; /* one second later at each call */
    const uint8_t *file;    /* what every file contains; NULL: no file can be read */
    size_t file_length;
    bool refuses_log;
    char path[64]; /* of the last file or log */
    int logs_closed;
    uci_session *uci;
} test_host;

static inline bool write_text(void *payload, const char *text) {
    test_host *host = payload;
    pthread_mutex_lock(&host->lock);
    const size_t length = strlen(text);
    if (host->length + length + 1 < TEXT_SIZE) {
        memcpy(host->text + host->length, text, length);
        host->text[host->length + length] = '\n';
        host->length += length + 1;
        host->text[host->length] = '\0';
    }
    pthread_mutex_unlock(&host->lock);
    return !host->loses_output;
}

static inline int64_t now_us(void *payload) {
    test_host *host = payload;
    return atomic_fetch_add(&host->now_us, 1000000) + 1000000;
}

static inline uint8_t *read_file(void *payload, const char *path, size_t limit, size_t *length, char *reason) {
    test_host *host = payload;
    snprintf(host->path, sizeof host->path, "%s", path);
    uint8_t *bytes = host->file ? malloc(host->file_length) : NULL;
    if (!bytes) {
        snprintf(reason, UCI_REASON_SIZE, "no such file");
        return NULL;
    }
    assert_true(host->file_length <= limit);
    memcpy(bytes, host->file, host->file_length);
    *length = host->file_length;
    return bytes;
}

static inline bool set_log(void *payload, const char *path, char *reason) {
    test_host *host = payload;
    snprintf(host->path, sizeof host->path, "%s", path ? path : "");
    host->logs_closed += !path;
    if (path && host->refuses_log) {
        snprintf(reason, UCI_REASON_SIZE, "the disk is full");
        return false;
    }
    return true;
}

static inline uci_session *create(test_host *host) {
    const uci_host callbacks = {
        .write = write_text, .now_us = now_us, .read_file = read_file, .set_log = set_log, .payload = host};
    return uci_create(&callbacks);
}

static inline int set_up(void **state) {
    test_host *host = calloc(1, sizeof *host);
    assert_non_null(host);
    pthread_mutex_init(&host->lock, NULL);
    host->uci = create(host);
    *state = host;
    return host->uci ? 0 : 1;
}

static inline int tear_down(void **state) {
    test_host *host = *state;
    uci_free(host->uci);
    pthread_mutex_destroy(&host->lock);
    free(host);
    return 0;
}

static inline bool receive(const test_host *host, const char *line) {
    return uci_receive(host->uci, line, strlen(line));
}

/* Lines separated by line feeds, all at once. */
static inline void receive_all(const test_host *host, const char *lines) {
    while (*lines) {
        const size_t length = strcspn(lines, "\n");
        uci_receive(host->uci, lines, length);
        lines += length + (lines[length] == '\n');
    }
}

/* Runs the queue to its end, as the loop of a program does; every job ends by itself or was stopped. */
static inline void run_until_idle(const test_host *host) {
    while (uci_is_busy(host->uci)) {
        if (!uci_run_queued(host->uci)) {
            uci_wait(host->uci);
        }
    }
    uci_wait(host->uci);
}

/* How many lines of the output begin with this text. */
static inline int count(test_host *host, const char *begin) {
    int found = 0;
    pthread_mutex_lock(&host->lock);
    for (const char *line = host->text; *line; line = strchr(line, '\n') + 1) {
        found += strncmp(line, begin, strlen(begin)) == 0;
    }
    pthread_mutex_unlock(&host->lock);
    return found;
}

static inline void forget_output(test_host *host) {
    pthread_mutex_lock(&host->lock);
    host->length = 0;
    host->text[0] = '\0';
    pthread_mutex_unlock(&host->lock);
}

/* The lines have exactly this output. */
static inline void assert_answers(test_host *host, const char *lines, const char *expected) {
    forget_output(host);
    receive_all(host, lines);
    run_until_idle(host);
    assert_string_equal(host->text, expected);
}

/* LUFT_ERROR_MEMORY if the output says so. */
static inline luft_error memory_error(const test_host *host) {
    return strstr(host->text, "out of memory") ? LUFT_ERROR_MEMORY : LUFT_OK;
}

#define SESSION_TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

#endif
