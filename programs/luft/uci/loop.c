/* SPDX-License-Identifier: MIT */
/*
 * The UCI session as a process: gives it the lines of standard input as they come, until `quit` or the end of the
 * input. What the lines mean is in src/uci.
 */
#define _POSIX_C_SOURCE 200809L

#include "loop.h"

#include "command.h"
#include "files.h"
#include "input.h"
#include "terminal.h"

#include <poll.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
    SCRIPT_END_MS = 50, /* a script closes the pipe so soon after its last line */
    QUEUE_CHECK_MS = 10 /* how often to see whether perft or bench has ended, while lines wait for that */
};

typedef struct uci_process {
    uci_session *uci;
    uci_files files;
    uci_input input;
    terminal *terminal;   /* a person types; NULL in a pipe */
    bool has_input_ended; /* nothing more is to be read */
    bool quits_when_idle; /* because a script ended in `quit` while it waited for perft or bench */
} uci_process;

/*
 * Waits for the job that runs: a script reads its answer after it has closed the input. But if nobody can read it, the
 * job is stopped: a GUI that has crashed leaves no process behind.
 */
static void wait_for_job(uci_session *uci) {
    struct pollfd output = {.fd = STDOUT_FILENO};
    while (uci_running_job(uci) != UCI_JOB_NONE) {
        if (uci_has_lost_output(uci) ||
            (poll(&output, 1, 2) > 0 && (output.revents & (POLLERR | POLLHUP | POLLNVAL)))) {
            uci_stop(uci);
            break;
        }
    }
    uci_wait(uci);
}

static bool is_quit(uci_text line) {
    uci_text word;
    return uci_take_word(&line, &word) && uci_is(word, "quit");
}

/* Does the input end here, or after further quits and blank lines? */
static bool ends_script(uci_input *input) {
    uci_text line, word;
    bool ends = uci_input_ends(input, SCRIPT_END_MS);
    while (ends && uci_input_next(input, &line.text, &line.length)) {
        ends = is_quit(line) || !uci_take_word(&line, &word);
    }
    return ends;
}

/*
 * `quit` ends perft and bench, unless it is the last line of a script: the script gets its counts first, as from other
 * engines. The line is not valid afterwards.
 */
static void receive_quit(uci_process *process) {
    if (uci_is_busy(process->uci) && ends_script(&process->input)) {
        process->has_input_ended = process->quits_when_idle = true;
    } else {
        uci_receive(process->uci, "quit", 4);
    }
}

/* Reads a line and hands it to the session. While lines wait in the queue it comes back soon without one. */
static void read_line(uci_process *process) {
    uci_session *uci = process->uci;
    uci_text line;
    if (uci_queued(uci) > 0 && !uci_input_is_ready(&process->input, QUEUE_CHECK_MS)) {
        return;
    }
    if (!uci_input_next(&process->input, &line.text, &line.length)) {
        process->has_input_ended = true;
    } else if (process->input.is_cut) {
        uci_lose_line(uci);
    } else {
        uci_files_log_input(&process->files, line);
        if (is_quit(line)) {
            receive_quit(process);
        } else {
            uci_receive(uci, line.text, line.length);
            terminal_prompt(process->terminal);
        }
    }
}

static void run_lines(uci_process *process) {
    uci_session *uci = process->uci;
    while (!uci_has_ended(uci)) {
        if (uci_run_queued(uci)) {
            terminal_prompt(process->terminal);
        } else if (!process->has_input_ended) {
            read_line(process);
        } else if (uci_is_busy(uci)) {
            wait_for_job(uci);
        } else {
            break;
        }
    }
    if (uci_has_ended(uci) || process->quits_when_idle || !uci_job_is_finite(uci)) {
        uci_stop(uci);
    }
    wait_for_job(uci);
}

/*
 * A session runs for days, and threads and networks come and go in it. Returns large blocks to the system at once;
 * the C library would keep more and more of them.
 */
static void keep_memory_small(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 64 * 1024);
#endif
}

int uci_run(void) {
    uci_process process = {0};
    uci_files_open(&process.files);
    const uci_host host = uci_files_host(&process.files);
    keep_memory_small();
    process.uci = uci_create(&host);
    if (!process.uci) {
        uci_files_close(&process.files);
        return STATUS_FAILED;
    }
    const bool good = uci_input_begin(&process.input, process.files.lost[0]);
    if (good) {
        /* A person is greeted; a program gets only what it asks for. */
        process.terminal = isatty(STDIN_FILENO) ? terminal_open(process.uci) : NULL;
        terminal_prompt(process.terminal);
        run_lines(&process);
    } else {
        host.write(host.payload, "info string error: out of memory");
    }
    uci_free(process.uci);
    terminal_close(process.terminal);
    uci_files_close(&process.files);
    uci_input_free(&process.input);
    return good ? STATUS_OK : STATUS_FAILED;
}
