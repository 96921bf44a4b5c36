/* SPDX-License-Identifier: MIT */
/* Signals by a thread: the handler gets each of them, ignored ones stay ignored, and all is restored at the end. */
#define _POSIX_C_SOURCE 200809L

#include "support/check.h"

#include "util/clock.h"
#include "util/interrupt.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAIT_MS = 5000 };

typedef struct seen {
    interrupt signals;
    atomic_int last;
    atomic_int count;
    atomic_bool lingers; /* the handler stays until interrupt_is_due */
    atomic_bool was_due;
} seen;

static void on_signal(void *payload, int number) {
    seen *all = payload;
    atomic_store(&all->last, number);
    atomic_fetch_add(&all->count, 1);
    while (atomic_load(&all->lingers)) {
        if (interrupt_is_due(&all->signals)) {
            atomic_store(&all->was_due, true);
            return;
        }
        clock_sleep_ms(1);
    }
}

static bool await_count(seen *all, int count) {
    for (int i = 0; i < WAIT_MS && atomic_load(&all->count) < count; i++) {
        clock_sleep_ms(1);
    }
    return atomic_load(&all->count) == count;
}

static bool is_blocked(int number) {
    sigset_t set;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    return sigismember(&set, number) == 1;
}

static void handler_gets_every_signal(void **state) {
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    seen all = {0};
    interrupt_start(&all.signals, on_signal, &all);
    assert_true(all.signals.watching);
    for (int i = 0; i < 3; i++) {
        assert_true(is_blocked(numbers[i]));
        kill(getpid(), numbers[i]);
        assert_true(await_count(&all, i + 1));
        assert_int_equal(atomic_load(&all.last), numbers[i]);
    }
    interrupt_stop(&all.signals);
    assert_int_equal(atomic_load(&all.count), 3);
    assert_false(is_blocked(SIGINT));
    interrupt_stop(&all.signals); /* once more is fine */
}

static void handler_learns_of_the_next(void **state) {
    (void)state;
    seen all = {.lingers = true};
    interrupt_start(&all.signals, on_signal, &all);
    kill(getpid(), SIGINT);
    assert_true(await_count(&all, 1));
    assert_false(atomic_load(&all.was_due));
    kill(getpid(), SIGTERM);
    assert_true(await_count(&all, 2));
    assert_true(atomic_load(&all.was_due));
    interrupt_stop(&all.signals); /* ends the second one too */
    assert_int_equal(atomic_load(&all.last), SIGTERM);
}

static void ignored_signals_stay_ignored(void **state) {
    (void)state;
    seen all = {0};
    signal(SIGHUP, SIG_IGN);
    interrupt_start(&all.signals, on_signal, &all);
    kill(getpid(), SIGHUP);
    kill(getpid(), SIGTERM);
    assert_true(await_count(&all, 1));
    assert_int_equal(atomic_load(&all.last), SIGTERM);
    interrupt_stop(&all.signals);
    signal(SIGHUP, SIG_DFL);
    assert_int_equal(atomic_load(&all.count), 1);
}

static void nothing_to_handle(void **state) {
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    seen all = {0};
    for (int i = 0; i < 3; i++) {
        signal(numbers[i], SIG_IGN);
    }
    interrupt_start(&all.signals, on_signal, &all);
    assert_false(all.signals.watching);
    interrupt_stop(&all.signals);
    for (int i = 0; i < 3; i++) {
        signal(numbers[i], SIG_DFL);
    }
}

static void exit_removes_the_file(void **state) {
    (void)state;
    char path[] = "/tmp/luft-interrupt-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    const pid_t child = fork();
    if (child == 0) {
        interrupt_exit(SIGINT, path);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT);
    assert_int_not_equal(access(path, F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handler_gets_every_signal),    cmocka_unit_test(handler_learns_of_the_next),
        cmocka_unit_test(ignored_signals_stay_ignored), cmocka_unit_test(nothing_to_handle),
        cmocka_unit_test(exit_removes_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
