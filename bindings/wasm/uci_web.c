/* SPDX-License-Identifier: MIT */
/*
 * The host of a UCI session in the browser: JavaScript calls uci_line for each line, and lines go out by an imported
 * function. There are no files.
 */
#include "host.h"
#include "magics.h"

#include "uci/uci.h"
#include "util/clock.h"

#include <stdlib.h>

/* A module is one session. */
static struct web_session {
    uci_session *uci;
    char *line; /* where JavaScript puts the next line */
} web;

/* --- What the session calls ----------------------------------------------------------- */

static bool write_lines(void *payload, const char *text) {
    (void)payload;
    for (;;) {
        const size_t length = strcspn(text, "\n");
        host_say(text, length);
        if (text[length] == '\0') {
            return true;
        }
        text += length + 1;
    }
}

static int64_t now_us(void *payload) {
    (void)payload;
    return clock_microseconds();
}

static void pause_job(void *payload) {
    (void)payload;
    host_pause();
}

/* --- What JavaScript calls -------------------------------------------------------------- */

bool web_uci_start(void) {
    const uci_host host = {.write = write_lines, .now_us = now_us, .pause = pause_job};
    web_fill_magics();
    web.uci = uci_create(&host);
    return web.uci != NULL;
}

char *web_uci_room(size_t length) {
    free(web.line);
    web.line = malloc(length + 1);
    return web.line;
}

bool web_uci_line(size_t length) {
    return uci_receive(web.uci, web.line, length);
}

int web_uci_threads(void) {
    return luft_engine_threads(uci_engine(web.uci));
}

void web_uci_limit_threads(int threads) {
    const luft_error error = luft_engine_set_threads(uci_engine(web.uci), threads);
    (void)error; /* fewer threads need no memory */
}

bool web_uci_go_on(void) {
    return uci_run_queued(web.uci);
}
