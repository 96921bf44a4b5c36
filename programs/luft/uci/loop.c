/* SPDX-License-Identifier: MIT */
/*
 * UCI as a program: lines of standard input are obeyed as they come, until `quit`
 * or the end of the input. What the lines mean is in uci.c.
 */
#define _POSIX_C_SOURCE 200809L

#include "uci/uci.h"

#include "command.h"
#include "terminal.h"
#include "uci/input.h"
#include "uci/session.h"

#include <poll.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { SCRIPT_END_MS = 50 }; /* so soon behind its last line a script closes the pipe */

/*
 * At the end of the input what ends by itself may do so, for a script waits for the answer. But if nobody
 * reads that any more it is stopped: a GUI that has crashed leaves no process behind.
 */
static void wait_for_answer(uci_session *uci) {
    struct pollfd output = {.fd = STDOUT_FILENO};
    while (engine_is_searching(uci->engine) || uci_work_runs(uci)) {
        if (ferror(stdout) || (poll(&output, 1, 2) > 0 && (output.revents & (POLLERR | POLLHUP | POLLNVAL)))) {
            uci_stop(uci);
            break;
        }
    }
    engine_wait(uci->engine);
    uci_work_wait(uci);
}

/*
 * Puts off `quit` behind perft or bench where it is the end of a script, behind which nothing more comes: the counts come
 * first, as from other engines. Else it does not wait. What follows may take the place of the line.
 */
static bool put_off_quit(const uci_session *uci, uci_input *input, uci_text *line) {
    static const uci_text quit = {"quit", 4};
    uci_text rest = *line, word = {0};
    uci_take_word(&rest, &word);
    if (!uci_is(word, "quit") || (!uci_work_runs(uci) && !uci_input_has_postponed(input))) {
        return false;
    }
    *line = quit;
    return uci_input_ends(input, SCRIPT_END_MS) && uci_input_postpone(input, quit.text, quit.length);
}

/*
 * The next line to run. While perft or bench runs, a line that is not urgent waits for its end, so that a script
 * may send many at once; the loop goes on meanwhile. False at the end of the input.
 */
static bool next_line(uci_session *uci, uci_input *input, uci_text *line) {
    for (;;) {
        const bool waiting = uci_input_has_postponed(input);
        if (waiting && !uci_work_runs(uci)) {
            uci_input_take_postponed(input, &line->text, &line->length);
            return true;
        }
        if (input->cut && waiting) {
            uci_work_stop(uci); /* what came before it is done first, and in short */
            uci_work_wait(uci);
            continue;
        }
        if (input->cut) {
            uci->has_position = false; /* it may have been the next one */
            input->cut = false;
        }
        if (waiting && !uci_input_is_ready(input, 10)) {
            continue; /* to see whether the work has ended */
        }
        if (!uci_input_next(input, &line->text, &line->length)) {
            if (!waiting) {
                return false;
            }
            wait_for_answer(uci);
            continue;
        }
        if (input->cut) {
            uci_refuse(uci, "out of memory: the line is too long");
            continue;
        }
        const bool put_off = uci_put_off(uci, *line, waiting);
        if (put_off && !uci_input_postpone(input, line->text, line->length)) {
            uci_refuse(uci, "out of memory: what runs is stopped"); /* so that every command is answered */
            uci_input_put_back(input);
            uci_work_stop(uci);
            uci_work_wait(uci);
            continue;
        }
        uci_log_input(uci, *line);
        if (put_off) {
            uci_was_put_off(uci, *line);
        } else if (!put_off_quit(uci, input, line)) {
            return true;
        }
    }
}

/*
 * A session lives for days, and threads and networks come and go in it: what is large goes back to the system at once,
 * where the C library would come to keep it, in ever other places.
 */
static void keep_memory_small(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 64 * 1024);
#endif
}

int uci_run(void) {
    keep_memory_small();
    uci_session uci;
    uci_input input;
    if (!uci_open(&uci)) {
        return STATUS_FAILED;
    }
    if (!uci_input_begin(&input)) {
        uci_refuse(&uci, "out of memory");
        engine_free(uci.engine);
        return STATUS_FAILED;
    }
    /* A person is greeted; a program on the other side of a pipe gets nothing that it did not ask for. */
    uci.terminal = isatty(STDIN_FILENO) ? terminal_open(&uci) : NULL;
    terminal_prompt(uci.terminal);
    uci_text line;
    bool quit = false;
    while (!quit && next_line(&uci, &input, &line)) {
        quit = !uci_obey(&uci, line);
        terminal_prompt(quit ? NULL : uci.terminal);
    }
    if (quit) {
        uci_stop(&uci);
    } else if (!uci.finite) {
        engine_stop(uci.engine); /* it does not end by itself */
    }
    wait_for_answer(&uci);
    engine_free(uci.engine);
    terminal_close(uci.terminal);
    uci_log_close(&uci);
    uci_input_free(&input);
    return STATUS_OK;
}
