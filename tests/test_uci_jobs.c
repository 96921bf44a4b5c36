/* SPDX-License-Identifier: MIT */
/*
 * Search, perft and bench in a UCI session, and the lines that wait for them: which ones wait, the queue and its bound,
 * jobs that are stopped while they run or wait.
 */
#include "support/failing_malloc.h"
#include "support/uci_host.h"

#include "uci/session.h"

enum { MB = 1 << 20 };

/* --- Which lines wait ------------------------------------------------------------------ */

static void test_deferral(void **state) {
    (void)state;
    static const char *const urgent[] = {"isready", "stop", "quit", " \t stop now", "", "  "};
    static const char *const others[] = {"uci",        "setoption name Hash value 1",
                                         "ucinewgame", "position startpos",
                                         "go",         "go infinite",
                                         "go perft 3", "ponderhit",
                                         "debug on",   "register later",
                                         "d",          "eval",
                                         "flip",       "bench",
                                         "compiler",   "help",
                                         "nonsense",   "e2e4",
                                         "stopp",      "isready\0"};
    static const struct {
        uci_job_kind running;
        size_t queued;
        bool defers;
    } states[] = {
        {UCI_JOB_NONE, 0, false}, {UCI_JOB_SEARCH, 0, false}, {UCI_JOB_PERFT, 0, true},  {UCI_JOB_BENCH, 0, true},
        {UCI_JOB_NONE, 1, true},  {UCI_JOB_SEARCH, 1, true},  {UCI_JOB_PERFT, 99, true}, {UCI_JOB_BENCH, 99, true},
    };
    for (size_t s = 0; s < sizeof states / sizeof states[0]; s++) {
        for (size_t i = 0; i < sizeof urgent / sizeof urgent[0]; i++) {
            const uci_text line = {urgent[i], strlen(urgent[i])};
            assert_false(uci_is_deferred(states[s].running, states[s].queued, line));
        }
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            const bool has_nul = i + 1 == sizeof others / sizeof others[0];
            const uci_text line = {others[i], strlen(others[i]) + has_nul};
            assert_int_equal(uci_is_deferred(states[s].running, states[s].queued, line), states[s].defers);
        }
    }
}

static void test_queue_is_first_in_first_out(void **state) {
    (void)state;
    uci_queue queue = {0};
    char text[64];
    int pushed = 0, popped = 0;
    bool stopped;
    for (int round = 0; round < 2000; round++) {
        for (int i = 0; i < 3 + round % 5; i++) { /* grows, and shrinks again */
            const int length = snprintf(text, sizeof text, "line %d%*s", pushed++, round % 40, "");
            assert_true(uci_queue_push(&queue, (uci_text){text, (size_t)length}));
        }
        const int count = round % 97 == 96 ? (int)queue.count : 4 + round % 3;
        for (int i = 0; i < count && queue.count > 0; i++) {
            const uci_text line = uci_queue_pop(&queue, &stopped);
            const int length = snprintf(text, sizeof text, "line %d", popped++);
            assert_true(line.length >= (size_t)length);
            assert_memory_equal(line.text, text, (size_t)length);
            assert_false(stopped);
        }
        assert_int_equal(queue.count, pushed - popped);
    }
    uci_queue_free(&queue);
}

static void test_queue_is_bounded(void **state) {
    (void)state;
    uci_queue queue = {0};
    char *line = calloc(1, MB);
    bool stopped;
    int count = 0;
    assert_non_null(line);
    while (uci_queue_push(&queue, (uci_text){line, MB - 16})) {
        assert_true(++count <= 16);
    }
    assert_int_equal(count, 16);
    uci_queue_pop(&queue, &stopped);
    assert_true(uci_queue_push(&queue, (uci_text){line, MB - 16}));
    assert_false(uci_queue_push(&queue, (uci_text){line, SIZE_MAX}));
    assert_true(queue.room <= 3 * (size_t)UCI_QUEUE_MAX_BYTES);
    uci_queue_free(&queue);
    free(line);
}

static void test_queue_remembers_stop(void **state) {
    (void)state;
    uci_queue queue = {0};
    bool stopped;
    uci_queue_stop(&queue); /* nothing waits, so it counts for nothing */
    for (int i = 0; i < 3; i++) {
        assert_true(uci_queue_push(&queue, (uci_text){"a", 1}));
        if (i == 1) {
            uci_queue_stop(&queue);
        }
    }
    for (int i = 0; i < 3; i++) {
        uci_queue_pop(&queue, &stopped);
        assert_int_equal(stopped, i < 2);
    }
    uci_queue_free(&queue);
}

/* --- Jobs -------------------------------------------------------------------------------- */

/* Counts of perft from the start position are known from the literature. */
static void test_lines_wait_for_perft(void **state) {
    test_host *host = *state;
    static const char *const jobs[] = {"go perft 12", "bench 60"};
    for (int i = 0; i < 2; i++) {
        forget_output(host);
        receive_all(host, "position startpos");
        receive(host, jobs[i]);
        receive_all(host, "position startpos moves e2e4\ngo perft 1\nisready");
        assert_int_equal(uci_running_job(host->uci), i == 0 ? UCI_JOB_PERFT : UCI_JOB_BENCH);
        assert_int_equal(uci_queued(host->uci), 2);
        assert_false(uci_run_queued(host->uci));
        assert_int_equal(count(host, "readyok"), 1);
        assert_int_equal(count(host, "Nodes searched"), 0);
        uci_stop_job(host->uci); /* this one alone */
        run_until_idle(host);
        assert_int_equal(count(host, i == 0 ? "info string perft was stopped" : "info string bench was stopped"), 1);
        assert_int_equal(count(host, "Nodes searched: 20"), 1);
        assert_non_null(strstr(host->text, "a7a6: 1\n"));
        assert_int_equal(uci_queued(host->uci), 0);
    }
}

static void test_perft_prints_each_first_move(void **state) {
    test_host *host = *state;
    receive(host, "go perft 0");
    run_until_idle(host);
    assert_string_equal(host->text, "Nodes searched: 1\n");
    forget_output(host);
    receive_all(host, "position fen 8/8/8/8/8/k7/8/K7 w - - 0 1\ngo perft 1"); /* a2 and b2 are attacked */
    run_until_idle(host);
    assert_string_equal(host->text, "a1b1: 1\n\nNodes searched: 1\n");
    forget_output(host);
    receive_all(host, "position fen k7/8/K7/8/8/8/8/7R b - - 0 1\ngo perft 64"); /* as deep as is allowed */
    uci_stop(host->uci);
    run_until_idle(host);
    assert_string_equal(host->text, "info string perft was stopped\n");
}

static void test_stop_ends_queued_jobs(void **state) {
    test_host *host = *state;
    receive_all(host, "go perft 12\ngo perft 12\nbench 60\ngo infinite\ngo ponder\nstop\ngo perft 2\ngo depth 1");
    run_until_idle(host);
    assert_int_equal(count(host, "info string perft was stopped"), 2);
    assert_int_equal(count(host, "info string bench was stopped"), 1);
    assert_int_equal(count(host, "Nodes searched: 400"), 1);
    assert_int_equal(count(host, "bestmove "), 3);
    assert_int_equal(count(host, "info string error"), 0);
    forget_output(host);
    receive_all(host,
                "go perft 12\ngo perft 1\ngo infinite\nstop"); /* a short one too, and nothing else ends the search */
    run_until_idle(host);
    assert_int_equal(count(host, "info string perft was stopped"), 2);
    assert_int_equal(count(host, "bestmove "), 1);
}

static void test_search_ends_for_the_next_job(void **state) {
    test_host *host = *state;
    receive_all(host, "go infinite\ngo infinite\ngo perft 2");
    assert_int_equal(count(host, "bestmove "), 2);
    run_until_idle(host);
    receive_all(host, "go infinite\nposition startpos moves e2e4\ngo depth 1");
    uci_wait(host->uci);
    assert_int_equal(count(host, "bestmove "), 4);
    assert_int_equal(count(host, "Nodes searched: 400"), 1);
}

static void test_finite_searches(void **state) {
    test_host *host = *state;
    static const struct {
        const char *go;
        bool is_finite, after_ponderhit;
    } cases[] = {
        {"go infinite", false, false},
        {"go", false, false},
        {"go depth 60", true, true},
        {"go infinite depth 60", false, false},
        {"go ponder movetime 5000", false, true},
        {"go ponder", false, false},
        {"go ponder infinite", false, false},
        {"go movetime 5000", true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        receive(host, cases[i].go);
        assert_int_equal(uci_running_job(host->uci), UCI_JOB_SEARCH);
        assert_int_equal(uci_job_is_finite(host->uci), cases[i].is_finite);
        receive(host, "ponderhit");
        assert_int_equal(uci_job_is_finite(host->uci), cases[i].after_ponderhit);
        uci_finish(host->uci);
        assert_int_equal(uci_running_job(host->uci), UCI_JOB_NONE);
        assert_int_equal(count(host, "bestmove "), (int)i + 1);
    }
    receive(host, "go perft 2");
    assert_true(uci_job_is_finite(host->uci));
}

static void test_go_without_a_position(void **state) {
    test_host *host = *state;
    receive(host, "position fen nonsense");
    assert_false(uci_has_position(host->uci));
    assert_answers(host, "go depth 3", "bestmove 0000\n");
    assert_answers(host, "go infinite", "bestmove 0000\n");
    assert_answers(host, "go fly", "bestmove 0000\n");
    static const char no_position[] = "info string error: no position: the last one was refused\n";
    assert_answers(host, "go perft 3", no_position);
    assert_answers(host, "go fly perft 31", no_position);
    assert_answers(host, "d", no_position);
    assert_answers(host, "eval", no_position);
    assert_answers(host, "flip", no_position);
    receive_all(host, "position startpos\ngo perft 3");
    run_until_idle(host);
    assert_int_equal(count(host, "Nodes searched: 8902"), 1);
}

/* The bound of the queue: one error line, perft ends, and every line is answered in its order. */
static void test_full_queue(void **state) {
    test_host *host = *state;
    enum { LINES = 16 };
    char *line = malloc(MB - 8);
    assert_non_null(line);
    memset(line, ' ', MB - 8);
    line[0] = 'd';
    receive(host, "go perft 12");
    for (int i = 0; i < LINES; i++) {
        assert_true(uci_receive(host->uci, line, MB - 8));
    }
    assert_int_equal(uci_queued(host->uci), LINES);
    assert_int_equal(count(host, ""), 0);
    assert_true(receive(host, "go perft 2"));
    assert_int_equal(count(host, "info string error"), 1);
    assert_int_equal(count(host, "info string perft was stopped"), 1);
    assert_int_equal(count(host, "Fen: "), LINES);
    run_until_idle(host);
    assert_int_equal(count(host, "Nodes searched: 400"), 1);
    assert_int_equal(count(host, "info string error"), 1);
    free(line);
}

static void test_lost_line(void **state) {
    test_host *host = *state;
    receive_all(host, "go perft 12\nposition startpos moves e2e4\nd");
    uci_lose_line(host->uci);
    assert_int_equal(count(host, "info string error: out of memory"), 1);
    assert_int_equal(count(host, "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"), 1);
    assert_answers(host, "go depth 3", "bestmove 0000\n"); /* it may have been a position */
    receive_all(host, "position startpos\ngo infinite");
    uci_lose_line(host->uci); /* the search continues */
    assert_int_equal(uci_running_job(host->uci), UCI_JOB_SEARCH);
}

/* --- Out of memory ---------------------------------------------------------------------- */

/* A line that cannot be queued: perft ends early, and the line is run. */
static luft_error fail_to_queue(void *payload) {
    test_host *host = payload;
    forget_output(host);
    uci_queue_free(&host->uci->queue);
    receive_all(host, "go perft 12\nd");
    const luft_error error = memory_error(host);
    assert_int_equal(count(host, "Fen: "), error != LUFT_OK);
    receive(host, "stop");
    run_until_idle(host);
    assert_int_equal(count(host, "Fen: "), 1);
    assert_int_equal(count(host, "info string perft was stopped"), 1);
    uci_queue_free(&host->uci->queue);
    return error;
}

static void test_queue_out_of_memory(void **state) {
    assert_int_equal(assert_survives_failing_malloc(fail_to_queue, *state), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deferral),
        cmocka_unit_test(test_queue_is_first_in_first_out),
        cmocka_unit_test(test_queue_is_bounded),
        cmocka_unit_test(test_queue_remembers_stop),
        SESSION_TEST(test_lines_wait_for_perft),
        SESSION_TEST(test_perft_prints_each_first_move),
        SESSION_TEST(test_stop_ends_queued_jobs),
        SESSION_TEST(test_search_ends_for_the_next_job),
        SESSION_TEST(test_finite_searches),
        SESSION_TEST(test_go_without_a_position),
        SESSION_TEST(test_full_queue),
        SESSION_TEST(test_lost_line),
        SESSION_TEST(test_queue_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
