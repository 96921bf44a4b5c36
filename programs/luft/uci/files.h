/* SPDX-License-Identifier: MIT */
/*
 * The outside of the UCI session in the program: standard output, the log, the files
 * that options name, and the clock.
 */
#ifndef LUFT_PROGRAM_UCI_FILES_H
#define LUFT_PROGRAM_UCI_FILES_H

#include "uci/uci.h"

#include <pthread.h>
#include <stdio.h>

typedef struct uci_files {
    pthread_mutex_t lock; /* of output, log and the pipe: lines of two threads stay apart */
    FILE *log;            /* gets every line of input and output; NULL for none */
    int lost[2];          /* a pipe whose second end is closed when output is lost; -1 for none */
} uci_files;

/* Begins without a log. */
void uci_files_open(uci_files *files);

/* The host of a session; `files` is its payload. */
uci_host uci_files_host(uci_files *files);

/* Appends a line of input to the log. */
void uci_files_log_input(uci_files *files, uci_text line);

void uci_files_close(uci_files *files);

#endif
