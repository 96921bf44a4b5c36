/* SPDX-License-Identifier: MIT */
/*
 * UCI without a process: lines come in by uci_line and go out by one imported
 * function. There are no files here; what the session wants of these is answered below.
 */
#include "host.h"
#include "magics.h"

#include "uci/input.h"
#include "uci/session.h"

#include <stdlib.h>

/* A module is one session. */
static struct web_session {
    uci_session uci;
    uci_input input; /* only for lines that are put off */
    char *line;      /* where the page's side puts the next line */
} web;

/* --- What the page's side calls ----------------------------------------------------- */

bool web_uci_start(void) {
    web_fill_magics();
    return uci_open(&web.uci);
}

char *web_uci_room(size_t length) {
    free(web.line);
    web.line = malloc(length + 1);
    return web.line;
}

bool web_uci_line(size_t length) {
    const uci_text line = {web.line, length};
    if (uci_put_off(&web.uci, line, uci_input_has_postponed(&web.input))) {
        if (!uci_input_postpone(&web.input, line.text, line.length)) {
            uci_refuse(&web.uci, "out of memory");
            return true;
        }
        uci_was_put_off(&web.uci, line);
        return true;
    }
    return uci_obey(&web.uci, line);
}

int web_uci_threads(void) {
    return engine_threads(web.uci.engine);
}

void web_uci_limit_threads(int threads) {
    engine_set_threads(web.uci.engine, threads);
}

bool web_uci_go_on(void) {
    if (uci_work_runs(&web.uci) || !uci_input_has_postponed(&web.input)) {
        return false;
    }
    uci_text line;
    uci_input_take_postponed(&web.input, &line.text, &line.length);
    uci_obey(&web.uci, line); /* never `quit`, which does not wait */
    return true;
}

/* --- What the session calls ----------------------------------------------------------- */

void uci_write(uci_session *uci, const char *text) {
    (void)uci;
    for (;;) {
        const size_t length = strcspn(text, "\n");
        host_say(text, length);
        if (text[length] == '\0') {
            return;
        }
        text += length + 1;
    }
}

void uci_set_eval_file(uci_session *uci, uci_text name) {
    if (name.length > 0) {
        uci_refuse(uci, "EvalFile: there are no files here; the evaluation stays as it is");
    } else if (!engine_reset_network(uci->engine)) {
        uci_refuse(uci, "EvalFile: out of memory; the evaluation stays as it is");
    }
}

void uci_set_log_file(uci_session *uci, uci_text name) {
    if (name.length > 0) {
        uci_refuse(uci, "Debug Log File: there are no files here");
    }
}
