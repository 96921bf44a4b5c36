/* SPDX-License-Identifier: MIT */
/* What the programs ask of the system: large memory, processors, standard files, and the output of a command. */
#define _XOPEN_SOURCE 700

#include "support/captured.h"
#include "support/check.h"

#include "util/output_file.h"
#include "util/pages.h"
#include "util/processors.h"
#include "util/standard_files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void pages_are_zero_and_aligned(void **state) {
    (void)state;
    const size_t size = (size_t)3 << 20;
    pages block;
    assert_true(pages_allocate(&block, size));
    assert_int_equal((uintptr_t)block.memory % ((size_t)2 << 20), 0);
    unsigned char *bytes = block.memory;
    for (size_t i = 0; i < size; i += 997) {
        assert_int_equal(bytes[i], 0);
    }
    bytes[0] = bytes[size - 1] = 1;
    pages_free(&block);
    assert_null(block.memory);
    pages_free(&block);
    assert_false(pages_allocate(&block, 0));
    assert_false(pages_allocate(&block, SIZE_MAX));
    assert_null(block.memory);
}

static void processors_are_at_least_one(void **state) {
    (void)state;
    assert_int_equal(processors_count(1), 1);
    assert_in_range(processors_count(64), 1, 64);
}

/* Runs in a child with these standard files closed; its exit status says what is wrong, 0 for nothing. */
static int check_standard_files(void) {
    close(STDIN_FILENO);
    close(STDERR_FILENO);
    standard_files_prepare();
    const int next = open("/dev/null", O_RDONLY);
    char byte;
    return next <= STDERR_FILENO                                                        ? 1
           : read(STDIN_FILENO, &byte, 1) != -1                                         ? 2
           : write(STDERR_FILENO, "x", 1) != -1                                         ? 3
           : fcntl(STDOUT_FILENO, F_GETFL) & O_NONBLOCK                                 ? 4
           : signal(SIGPIPE, SIG_DFL) != SIG_IGN || signal(SIGXFSZ, SIG_DFL) != SIG_IGN ? 5
                                                                                        : 0;
}

static void standard_files_are_taken(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
        _exit(check_standard_files());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    close(ends[0]);
    close(ends[1]);
}

static void output_replaces_a_file_when_it_is_kept(void **state) {
    (void)state;
    char path[] = "/tmp/luft-output-XXXXXX", text[8] = "";
    const int descriptor = mkstemp(path);
    assert_int_equal(write(descriptor, "old", 3), 3);
    close(descriptor);
    for (int keep = 0; keep < 2; keep++) {
        output_file output;
        assert_true(output_file_open(&output, path, "luft"));
        /* Where the system can, the temporary file has no name. */
        assert_true(!output.temporary || access(output.temporary, F_OK) == 0);
        assert_true(fputs("new", output.file) >= 0);
        assert_true(output_file_close(&output, keep == 1, "luft"));
        FILE *file = fopen(path, "r");
        assert_int_equal(fread(text, 1, sizeof text, file), 3);
        fclose(file);
        assert_string_equal(text, keep == 1 ? "new" : "old");
    }
    unlink(path);
}

static void output_is_standard_without_a_name(void **state) {
    (void)state;
    output_file output;
    assert_true(output_file_open(&output, NULL, "luft"));
    assert_ptr_equal(output.file, stdout);
    assert_null(output.temporary);
    assert_true(output_file_close(&output, true, "luft"));
    assert_true(output_file_open(&output, "-", "luft"));
    assert_ptr_equal(output.file, stdout);
    assert_true(output_file_close(&output, false, "luft"));
    capture_begin(2);
    const bool good = output_file_open(&output, "/nofolder/file", "luft test");
    assert_string_equal(capture_end(), "luft test: --output: /nofolder/file: No such file or directory\n");
    assert_false(good);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_zero_and_aligned),        cmocka_unit_test(processors_are_at_least_one),
        cmocka_unit_test(standard_files_are_taken),          cmocka_unit_test(output_replaces_a_file_when_it_is_kept),
        cmocka_unit_test(output_is_standard_without_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
