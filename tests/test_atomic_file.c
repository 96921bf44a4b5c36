/* SPDX-License-Identifier: MIT */
/*
 * Atomic file replacement. However writing ends, the path holds either the old file or the
 * complete new one, and no temporary file is left. Paths that are not regular files keep
 * their type.
 */
#define _XOPEN_SOURCE 700

#include "support/check.h"

#include "util/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[] = "/tmp/luft-atomic-XXXXXX";

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Each test has its own folder, with a file in it that must not be lost. */
static int set_up(void **state) {
    (void)state;
    strcpy(directory + strlen(directory) - 6, "XXXXXX");
    if (!mkdtemp(directory) || chdir(directory) != 0) {
        return 1;
    }
    write_file("old", "precious");
    return 0;
}

/* Calls `visit` with each name in the folder; returns the number of names. */
static int each_name(void (*visit)(const char *name)) {
    int count = 0;
    DIR *listing = opendir(".");
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            count++;
            if (visit) {
                visit(entry->d_name);
            }
        }
    }
    closedir(listing);
    return count;
}

static void remove_name(const char *name) {
    (void)remove(name);
}

static int tear_down(void **state) {
    (void)state;
    each_name(remove_name);
    return chdir("/") == 0 ? rmdir(directory) : 1;
}

static void assert_holds(const char *path, const char *text) {
    char found[64] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, text);
}

static mode_t rights_of(const char *path) {
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 07777;
}

static mode_t rights_of_stream(FILE *stream) {
    struct stat about;
    assert_int_equal(fstat(fileno(stream), &about), 0);
    return about.st_mode & 07777;
}

static void a_new_file_appears_when_it_is_closed(void **state) {
    (void)state;
    atomic_file file;
    const mode_t mask = umask(027);
    assert_true(atomic_file_open(&file, "new"));
    fputs("text", file.stream);
    assert_int_equal(access("new", F_OK), -1);
    assert_true(atomic_file_close(&file, true));
    assert_null(file.stream);
    assert_holds("new", "text");
    assert_int_equal(rights_of("new"), 0640);
    assert_int_equal(umask(mask), 027); /* the mask was not changed */
    assert_int_equal(each_name(NULL), 2);
}

static void an_old_file_is_replaced_with_its_rights(void **state) {
    (void)state;
    atomic_file file;
    assert_int_equal(chmod("old", 0604), 0);
    assert_true(atomic_file_open(&file, "old"));
    assert_int_equal(rights_of_stream(file.stream), 0604);
    fputs("text", file.stream);
    assert_holds("old", "precious");
    assert_true(atomic_file_close(&file, true));
    assert_holds("old", "text");
    assert_int_equal(rights_of("old"), 0604);
    assert_int_equal(each_name(NULL), 1);
}

/* The temporary name is longer than the final one and must not exceed the limit either. */
static void names_of_maximum_length_work(void **state) {
    (void)state;
    char name[2 + NAME_MAX + 1] = "./";
    const long longest = pathconf(".", _PC_NAME_MAX) < NAME_MAX ? pathconf(".", _PC_NAME_MAX) : NAME_MAX;
    assert_true(longest > 16);
    for (size_t length = (size_t)longest - 8; length <= (size_t)longest; length++) {
        atomic_file file;
        memset(name + 2, 'n', length);
        name[2 + length] = '\0';
        assert_true(atomic_file_open(&file, name));
        assert_true(!file.temporary || strcmp(file.temporary, name) != 0);
        fputs("text", file.stream);
        assert_true(atomic_file_close(&file, true));
        assert_holds(name, "text");
        FILE *scratch = atomic_file_scratch(name);
        assert_non_null(scratch);
        fclose(scratch);
        assert_int_equal(each_name(NULL), 2);
        assert_int_equal(unlink(name), 0);
    }
    assert_int_equal(each_name(NULL), 1);
}

static void an_abandoned_file_leaves_nothing(void **state) {
    (void)state;
    atomic_file file;
    for (int i = 0; i < 2; i++) {
        assert_true(atomic_file_open(&file, i == 0 ? "old" : "new"));
        fputs("text", file.stream);
        errno = EDOM;
        assert_false(atomic_file_close(&file, false));
        assert_int_equal(errno, EDOM); /* keeps the errno of the caller */
        assert_false(atomic_file_close(&file, true));
    }
    assert_holds("old", "precious");
    assert_int_equal(each_name(NULL), 1);
}

static void files_of_others_are_left_alone(void **state) {
    (void)state;
    atomic_file files[3];
    char name[32];
    write_file("a.games.part", "precious");
    for (int i = 0; i < 2; i++) { /* such as a process with the same process id may have left behind */
        snprintf(name, sizeof name, "a.games.%06u", ((unsigned)getpid() + (unsigned)i) % 1000000);
        write_file(name, "precious");
    }
    int named = 0;
    for (int i = 0; i < 3; i++) {
        assert_true(atomic_file_open(&files[i], "a.games"));
        if (files[i].temporary) {
            const char *dot = strrchr(files[i].temporary, '.');
            assert_int_equal(strspn(dot, ".0123456789"), strlen(dot)); /* no extension of a shard */
            named++;
        }
        fprintf(files[i].stream, "%d", i);
    }
    assert_int_equal(each_name(NULL), 4 + named);
    for (int i = 0; i < 3; i++) {
        assert_true(atomic_file_close(&files[i], true));
    }
    assert_int_equal(each_name(NULL), 5);
    assert_holds("a.games", "2");
    assert_holds("a.games.part", "precious");
    assert_holds(name, "precious");
}

static void links_stay_and_lead_to_the_new_file(void **state) {
    (void)state;
    atomic_file file;
    char absolute[64];
    snprintf(absolute, sizeof absolute, "%s/far", directory);
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("../old", "folder/link"), 0);
    assert_int_equal(symlink("folder/link", "second"), 0);
    assert_int_equal(symlink(absolute, "dangling"), 0);
    assert_int_equal(symlink("circle", "circle"), 0);
    assert_true(atomic_file_open(&file, "second"));
    fputs("text", file.stream);
    assert_true(atomic_file_close(&file, true));
    assert_holds("old", "text");
    assert_true(atomic_file_open(&file, "dangling"));
    fputs("far away", file.stream);
    assert_int_equal(access("far", F_OK), -1);
    assert_true(atomic_file_close(&file, true));
    assert_holds("far", "far away");
    struct stat about;
    assert_true(lstat("second", &about) == 0 && S_ISLNK(about.st_mode));
    assert_true(lstat("folder/link", &about) == 0 && S_ISLNK(about.st_mode));
    assert_true(lstat("dangling", &about) == 0 && S_ISLNK(about.st_mode));
    assert_false(atomic_file_open(&file, "circle"));
    assert_int_equal(errno, ELOOP);
    remove_name("folder/link");
}

static void a_pipe_stays_a_pipe(void **state) {
    (void)state;
    atomic_file file;
    struct stat about;
    char found[16] = "";
    assert_int_equal(mkfifo("pipe", 0666), 0);
    const int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(atomic_file_open(&file, "pipe"));
    fputs("text", file.stream);
    assert_true(atomic_file_close(&file, true));
    assert_int_equal(read(reader, found, sizeof found), 4);
    assert_string_equal(found, "text");
    close(reader);
    assert_true(stat("pipe", &about) == 0 && S_ISFIFO(about.st_mode));
    assert_int_equal(each_name(NULL), 2);
}

static void failures_say_why(void **state) {
    (void)state;
    atomic_file file;
    assert_false(atomic_file_open(&file, "missing/new"));
    assert_int_equal(errno, ENOENT);
    assert_false(atomic_file_open(&file, "."));
    assert_int_equal(errno, EISDIR);
    if (access("/dev/full", W_OK) == 0) {
        assert_true(atomic_file_open(&file, "/dev/full"));
        fputs("text", file.stream);
        assert_false(atomic_file_close(&file, true));
        assert_string_equal(atomic_file_reason(), strerror(ENOSPC));
        assert_true(atomic_file_open(&file, "/dev/full"));
        fputs("text", file.stream);
        assert_int_not_equal(fflush(file.stream), 0);
        errno = EDOM; /* an unrelated earlier error */
        assert_false(atomic_file_close(&file, true));
        assert_string_equal(atomic_file_reason(), "cannot be written");
    }
    assert_true(atomic_file_open(&file, "new"));
    assert_int_equal(mkdir("new", 0777), 0); /* while the file was being written */
    assert_false(atomic_file_close(&file, true));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(each_name(NULL), 2);
}

#ifndef LUFT_NAMED_FILES_ONLY
/* A program that is killed leaves nothing behind where files need no name. */
static void a_killed_program_leaves_nothing(void **state) {
    (void)state;
    atomic_file file;
    assert_true(atomic_file_open(&file, "old"));
    const bool has_name = file.temporary != NULL;
    assert_false(atomic_file_close(&file, false));
    if (has_name) {
        skip();
    }
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (atomic_file_open(&file, "old") && fputs("text", file.stream) >= 0 && fflush(file.stream) == 0) {
            raise(SIGKILL);
        }
        _exit(1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_holds("old", "precious");
    assert_int_equal(each_name(NULL), 1);
}
#endif

static void scratch_has_no_name(void **state) {
    (void)state;
    char found[8] = "";
    FILE *stream = atomic_file_scratch("old");
    assert_non_null(stream);
    assert_int_equal(each_name(NULL), 1);
    fputs("text", stream);
    rewind(stream);
    assert_int_equal(fread(found, 1, sizeof found, stream), 4);
    assert_string_equal(found, "text");
    fclose(stream);
    assert_holds("old", "precious");
    assert_null(atomic_file_scratch("missing/new"));
    assert_int_equal(errno, ENOENT);
}

/* Runs as an unprivileged user, since root may write everywhere. */
static void a_protected_file_is_not_replaced(void **state) {
    (void)state;
    assert_int_equal(chmod("old", 0444), 0);
    assert_int_equal(chmod(".", 0777), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        atomic_file file;
        const bool is_other = geteuid() != 0 || setuid(65534) == 0;
        _exit(is_other && !atomic_file_open(&file, "old") && errno == EACCES ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(each_name(NULL), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_file_appears_when_it_is_closed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_old_file_is_replaced_with_its_rights, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_of_maximum_length_work, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_abandoned_file_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_of_others_are_left_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_stay_and_lead_to_the_new_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pipe_stays_a_pipe, set_up, tear_down),
        cmocka_unit_test_setup_teardown(failures_say_why, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_protected_file_is_not_replaced, set_up, tear_down),
#ifndef LUFT_NAMED_FILES_ONLY
        cmocka_unit_test_setup_teardown(a_killed_program_leaves_nothing, set_up, tear_down),
#endif
        cmocka_unit_test_setup_teardown(scratch_has_no_name, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
