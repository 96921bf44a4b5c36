/* SPDX-License-Identifier: MIT */
/* Redirects a descriptor to an unnamed file; see captured.h. */
#define _POSIX_C_SOURCE 200809L

#include "captured.h"

#include "check.h"

#include <stdio.h>
#include <unistd.h>

static struct captured {
    int descriptor;
    int saved;
    FILE *file;
    char text[8192];
} captured;

void capture_begin(int descriptor) {
    fflush(NULL);
    captured.descriptor = descriptor;
    captured.saved = dup(descriptor);
    captured.file = tmpfile();
    assert_non_null(captured.file);
    assert_true(captured.saved >= 0 && dup2(fileno(captured.file), descriptor) == descriptor);
}

const char *capture_end(void) {
    fflush(NULL);
    dup2(captured.saved, captured.descriptor);
    close(captured.saved);
    rewind(captured.file);
    captured.text[fread(captured.text, 1, sizeof captured.text - 1, captured.file)] = '\0';
    fclose(captured.file);
    return captured.text;
}
