/* SPDX-License-Identifier: MIT */
/*
 * Creates and ends a UCI session, and decides which of its lines run now and which wait. Nothing that is received ends a session
 * except `quit`; a line that cannot be understood is answered with one error line and changes nothing.
 */
#include "session.h"

#include <stdlib.h>

/* --- Life ----------------------------------------------------------------------- */

uci_session *uci_create(const uci_host *host) {
    uci_session *uci = calloc(1, sizeof *uci);
    if (uci) {
        uci->host = *host;
    }
    if (!uci || luft_engine_create(&uci->engine) != LUFT_OK) {
        host->write(host->payload, "info string error: out of memory");
        free(uci);
        return NULL;
    }
    uci->has_position = true;
    uci->ep_square = LUFT_NO_SQUARE;
    uci_preset_options(uci);
    return uci;
}

void uci_free(uci_session *uci) {
    if (uci) {
        uci_finish(uci);
        luft_engine_free(uci->engine);
        luft_book_free(uci->book);
        luft_tablebase_free(uci->tablebase);
        uci_queue_free(&uci->queue);
        free(uci);
    }
}

void uci_extend(uci_session *uci, const uci_extension *extension) {
    uci->extension = *extension;
}

/* --- State ----------------------------------------------------------------------- */

bool uci_has_ended(const uci_session *uci) {
    return uci->has_ended;
}

bool uci_has_lost_output(const uci_session *uci) {
    return atomic_load(&uci->has_lost_output);
}

luft_engine *uci_engine(const uci_session *uci) {
    return uci->engine;
}

bool uci_has_position(const uci_session *uci) {
    return uci->has_position;
}

void uci_set_has_position(uci_session *uci, bool has_position) {
    uci->has_position = has_position;
    uci->ep_square = LUFT_NO_SQUARE;
}

size_t uci_queued(const uci_session *uci) {
    return uci->queue.count;
}

/* --- Running lines ---------------------------------------------------------------- */

static void run_line(uci_session *uci, uci_text line) {
    uci_text arguments = line, word;
    char quoted[TEXT_QUOTED_SIZE];
    if (!uci_take_word(&arguments, &word)) {
        return;
    }
    const uci_command *command = uci_find_command(word);
    if (command) {
        command->run(uci, arguments);
    } else if (uci->extension.run_line) {
        uci->has_ended = !uci->extension.run_line(uci->extension.payload, line);
    } else {
        uci_send_error(uci, "unknown command %s", text_quote(quoted, word.text, word.length));
    }
}

/* A search delays no line: a command that cannot run beside it stops it first. */
static bool holds_up_lines(uci_job_kind running) {
    return running == UCI_JOB_PERFT || running == UCI_JOB_BENCH;
}

bool uci_is_deferred(uci_job_kind running, size_t queued, uci_text line) {
    uci_text word;
    if (!holds_up_lines(running) && queued == 0) {
        return false;
    }
    if (!uci_take_word(&line, &word)) {
        return false;
    }
    const uci_command *command = uci_find_command(word);
    return !command || !command->is_urgent;
}

bool uci_is_busy(const uci_session *uci) {
    return holds_up_lines(uci_running_job(uci)) || uci->queue.count > 0;
}

static void run_first_queued(uci_session *uci) {
    const uci_text line = uci_queue_pop(&uci->queue, &uci->is_stopping);
    run_line(uci, line);
    uci->is_stopping = false;
}

bool uci_run_queued(uci_session *uci) {
    if (uci->has_ended || uci->queue.count == 0 || holds_up_lines(uci_running_job(uci))) {
        return false;
    }
    run_first_queued(uci);
    return true;
}

void uci_stop(uci_session *uci) {
    uci_stop_job(uci);
    uci_queue_stop(&uci->queue);
}

void uci_finish(uci_session *uci) {
    uci_stop_job(uci);
    uci_wait(uci);
}

void uci_drain(uci_session *uci) {
    uci_stop(uci);
    while (uci->queue.count > 0 && !uci->has_ended) {
        uci_finish(uci);
        run_first_queued(uci);
    }
    uci_finish(uci);
}

bool uci_receive(uci_session *uci, const char *text, size_t length) {
    const uci_text line = {text, length};
    if (uci->has_ended) {
        return false;
    }
    if (!uci_is_deferred(uci_running_job(uci), uci->queue.count, line)) {
        run_line(uci, line);
    } else if (!uci_queue_push(&uci->queue, line)) {
        /* Every command must be answered, so perft and bench end early instead. */
        uci_send_error(uci, "too many commands wait for perft or bench, or out of memory: all jobs are stopped");
        uci_drain(uci);
        if (!uci->has_ended) {
            run_line(uci, line);
        }
    }
    return !uci->has_ended;
}

void uci_lose_line(uci_session *uci) {
    uci_send_error(uci, "out of memory: the line is too long");
    if (uci_is_busy(uci)) {
        uci_drain(uci);
    }
    uci->has_position = false;
}
