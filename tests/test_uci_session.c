/* SPDX-License-Identifier: MIT */
/*
 * The UCI session with a host of the test: scripted conversations, the lines that wait for perft and bench, jobs that
 * are stopped, output that is lost, and memory that runs out. What a GUI sees of it is in tests/contract.
 */
#include "support/check.h"
#include "support/failing_malloc.h"

#include "uci/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MB = 1 << 20, TEXT_SIZE = 1 << 17 };

/* What the session asked of its host. */
typedef struct test_host {
    pthread_mutex_t lock;
    char text[TEXT_SIZE]; /* all that was written; what is too much is dropped */
    size_t length;
    bool loses_output;
    _Atomic int64_t now_us; /* one second later at each call */
    const uint8_t *file;    /* what every file contains; NULL: no file can be read */
    size_t file_length;
    bool refuses_log;
    char path[64]; /* of the last file or log */
    int logs_closed;
    uci_session *uci;
} test_host;

static bool write_text(void *payload, const char *text) {
    test_host *host = payload;
    pthread_mutex_lock(&host->lock);
    const size_t length = strlen(text);
    if (host->length + length + 1 < TEXT_SIZE) {
        memcpy(host->text + host->length, text, length);
        host->text[host->length + length] = '\n';
        host->length += length + 1;
        host->text[host->length] = '\0';
    }
    pthread_mutex_unlock(&host->lock);
    return !host->loses_output;
}

static int64_t now_us(void *payload) {
    test_host *host = payload;
    return host->now_us += 1000000;
}

static uint8_t *read_file(void *payload, const char *path, size_t limit, size_t *length, char *reason) {
    test_host *host = payload;
    snprintf(host->path, sizeof host->path, "%s", path);
    uint8_t *bytes = host->file ? malloc(host->file_length) : NULL;
    if (!bytes) {
        snprintf(reason, UCI_REASON_SIZE, "no such file");
        return NULL;
    }
    assert_true(host->file_length <= limit);
    memcpy(bytes, host->file, host->file_length);
    *length = host->file_length;
    return bytes;
}

static bool set_log(void *payload, const char *path, char *reason) {
    test_host *host = payload;
    snprintf(host->path, sizeof host->path, "%s", path ? path : "");
    host->logs_closed += !path;
    if (path && host->refuses_log) {
        snprintf(reason, UCI_REASON_SIZE, "the disk is full");
        return false;
    }
    return true;
}

static uci_session *create(test_host *host) {
    const uci_host callbacks = {
        .write = write_text, .now_us = now_us, .read_file = read_file, .set_log = set_log, .payload = host};
    return uci_create(&callbacks);
}

static int set_up(void **state) {
    test_host *host = calloc(1, sizeof *host);
    assert_non_null(host);
    pthread_mutex_init(&host->lock, NULL);
    host->uci = create(host);
    *state = host;
    return host->uci ? 0 : 1;
}

static int tear_down(void **state) {
    test_host *host = *state;
    uci_free(host->uci);
    pthread_mutex_destroy(&host->lock);
    free(host);
    return 0;
}

/* --- Conversations -------------------------------------------------------------------- */

static bool receive(const test_host *host, const char *line) {
    return uci_receive(host->uci, line, strlen(line));
}

/* Lines separated by line feeds, all at once. */
static void receive_all(const test_host *host, const char *lines) {
    while (*lines) {
        const size_t length = strcspn(lines, "\n");
        uci_receive(host->uci, lines, length);
        lines += length + (lines[length] == '\n');
    }
}

/* Runs the queue to its end, as the loop of a program does; every job ends by itself or was stopped. */
static void run_until_idle(const test_host *host) {
    while (uci_is_busy(host->uci)) {
        if (!uci_run_queued(host->uci)) {
            uci_wait(host->uci);
        }
    }
    uci_wait(host->uci);
}

/* How many lines of the output begin with this text. */
static int count(test_host *host, const char *begin) {
    int found = 0;
    pthread_mutex_lock(&host->lock);
    for (const char *line = host->text; *line; line = strchr(line, '\n') + 1) {
        found += strncmp(line, begin, strlen(begin)) == 0;
    }
    pthread_mutex_unlock(&host->lock);
    return found;
}

static void forget_output(test_host *host) {
    pthread_mutex_lock(&host->lock);
    host->length = 0;
    host->text[0] = '\0';
    pthread_mutex_unlock(&host->lock);
}

/* The lines have exactly this output. */
static void assert_answers(test_host *host, const char *lines, const char *expected) {
    forget_output(host);
    receive_all(host, lines);
    run_until_idle(host);
    assert_string_equal(host->text, expected);
}

static void test_handshake(void **state) {
    test_host *host = *state;
    receive_all(host, "uci\nisready");
    assert_int_equal(count(host, "id name Luft "), 1);
    assert_int_equal(count(host, "option name "), 15);
    const char *end = strstr(host->text, "uciok\nreadyok\n");
    assert_non_null(end);
    assert_string_equal(end, "uciok\nreadyok\n");
}

static void test_errors_name_object_and_range(void **state) {
    test_host *host = *state;
    assert_answers(host, "setoption name Hash value abc",
                   "info string error: option Hash: expected an integer from 1 to 33554432, got \"abc\"\n");
    assert_answers(host, "setoption name Skill Level value 21",
                   "info string error: option Skill Level: expected an integer from 0 to 20, got \"21\"\n");
    assert_answers(host, "setoption name Ponder value maybe",
                   "info string error: option Ponder: expected true or false, got \"maybe\"\n");
    assert_answers(host, "setoption Hash", "info string error: setoption: expected name\n");
    assert_answers(host, "setoption name Nonsense", "info string error: unknown option \"Nonsense\"\n");
    assert_answers(host, "bench 0", "info string error: bench: expected a depth from 1 to 245, got \"0\"\n");
    assert_answers(host, "go perft 31", "info string error: go perft: expected a depth of at most 30\n");
    assert_answers(host, "position", "info string error: position: expected startpos or fen\n");
    assert_answers(host, "position start", "info string error: position: expected startpos or fen, got \"start\"\n");
    assert_answers(host, "position startpos e2e4", "info string error: position: expected moves, got \"e2e4\"\n");
    assert_answers(host, "hello \x1b", "info string error: unknown command \"hello\"\n");
    assert_answers(host, "", "");
    assert_answers(host, " \t ", "");
}

static void test_quit_ends_the_session(void **state) {
    test_host *host = *state;
    assert_false(uci_has_ended(host->uci));
    assert_false(receive(host, "quit now"));
    assert_true(uci_has_ended(host->uci));
    assert_false(receive(host, "isready"));
    assert_string_equal(host->text, "");
}

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
    uci_lose_line(host->uci); /* and a search goes on */
    assert_int_equal(uci_running_job(host->uci), UCI_JOB_SEARCH);
}

/* --- The host ----------------------------------------------------------------------------- */

static void test_lost_output(void **state) {
    test_host *host = *state;
    receive(host, "isready");
    assert_false(uci_has_lost_output(host->uci));
    host->loses_output = true;
    receive_all(host, "position startpos moves e2e4\ngo depth 4");
    uci_wait(host->uci);
    receive_all(host, "go perft 2\nbench 1\nd");
    run_until_idle(host);
    assert_true(uci_has_lost_output(host->uci));
    assert_int_equal(count(host, "bestmove "), 1);
    assert_int_equal(count(host, "Nodes searched: 600"), 1);
    assert_int_equal(count(host, "Fen: "), 1);
}

static void test_time_of_bench(void **state) {
    test_host *host = *state;
    long long nodes, rate;
    receive(host, "bench 1");
    run_until_idle(host);
    const char *last = host->text;
    for (const char *line = last; *line; line = strchr(line, '\n') + 1) {
        last = line;
    }
    assert_int_equal(sscanf(last, "%lld nodes %lld nps", &nodes, &rate), 2);
    assert_int_equal(rate, nodes * 1000000 / 1000001); /* the host's clock: one second between two calls */
}

static void test_files(void **state) {
    test_host *host = *state;
    static const uint8_t garbage[100] = {1};
    receive(host, "eval");
    char *before = malloc(host->length + 1);
    assert_non_null(before);
    memcpy(before, host->text, host->length + 1);
    assert_answers(host, "setoption name EvalFile value a net.luft",
                   "info string error: option EvalFile: no such file; the evaluation stays as it is\n");
    assert_string_equal(host->path, "a net.luft");
    host->file = garbage;
    host->file_length = sizeof garbage;
    forget_output(host);
    receive(host, "setoption name EvalFile value b");
    assert_int_equal(count(host, "info string error: option EvalFile: "), 1);
    assert_string_equal(host->path, "b");
    assert_answers(host, "eval", before);
    free(before);
    assert_answers(host, "setoption name EvalFile value <empty>", "");
    static const char nul[] = "setoption name EvalFile value a\0b";
    forget_output(host);
    uci_receive(host->uci, nul, sizeof nul - 1);
    assert_string_equal(host->text, "info string error: option EvalFile: invalid file name \"a\\x00b\"\n");

    assert_answers(host, "setoption name Debug Log File value c", "");
    assert_string_equal(host->path, "c");
    assert_answers(host, "setoption name Debug Log File value", "");
    assert_int_equal(host->logs_closed, 1);
    host->refuses_log = true;
    assert_answers(host, "setoption name Debug Log File value e",
                   "info string error: option Debug Log File: cannot write \"e\": the disk is full\n");

    host->uci->host.read_file = NULL;
    host->uci->host.set_log = NULL;
    assert_answers(host, "setoption name EvalFile value f",
                   "info string error: option EvalFile: there are no files here; the evaluation stays as it is\n");
    assert_answers(host, "setoption name Debug Log File value g",
                   "info string error: option Debug Log File: cannot write \"g\": there are no files here\n");
    assert_answers(host, "setoption name Debug Log File value\nsetoption name EvalFile value", "");
}

/* --- The extension -------------------------------------------------------------------------- */

typedef struct listener {
    char line[32];
    int lines, positions, programs, helps;
    size_t moves;
    luft_position start;
} listener;

static bool hear_line(void *payload, uci_text line) {
    listener *heard = payload;
    snprintf(heard->line, sizeof heard->line, "%.*s", (int)line.length, line.text);
    heard->lines++;
    return strcmp(heard->line, "exit") != 0;
}

static void hear_position(void *payload, const luft_position *start, const luft_move *moves, size_t count) {
    listener *heard = payload;
    (void)moves;
    heard->positions++;
    heard->start = *start;
    heard->moves = count;
}

static void hear_program(void *payload) {
    ((listener *)payload)->programs++;
}

static void hear_help(void *payload) {
    ((listener *)payload)->helps++;
}

static void test_extension(void **state) {
    test_host *host = *state;
    listener heard = {0};
    const uci_extension extension = {.run_line = hear_line,
                                     .position_changed = hear_position,
                                     .client_is_program = hear_program,
                                     .help = hear_help,
                                     .payload = &heard};
    uci_extend(host->uci, &extension);
    assert_answers(host, "Nf3 please\nisready", "readyok\n");
    assert_string_equal(heard.line, "Nf3 please");
    receive(host, "position startpos moves e2e4 e7e5");
    assert_int_equal(heard.positions, 1);
    assert_int_equal(heard.moves, 2);
    assert_fen(&heard.start, START_FEN);
    receive_all(host, "position startpos moves e2e5\nposition fen x\nflip");
    assert_int_equal(heard.positions, 1); /* what is refused is not told */
    receive_all(host, "position startpos moves e2e4\nflip");
    assert_int_equal(heard.positions, 3);
    assert_int_equal(heard.moves, 0);
    assert_fen(&heard.start, "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    receive_all(host, "uci\nhelp");
    assert_int_equal(heard.programs, 1);
    assert_int_equal(heard.helps, 1);
    receive_all(host, "go perft 12\nexit"); /* its lines wait too */
    assert_int_equal(heard.lines, 1);
    receive(host, "stop");
    run_until_idle(host);
    assert_int_equal(heard.lines, 2);
    assert_true(uci_has_ended(host->uci));
}

/* --- Out of memory ----------------------------------------------------------------------------- */

/* LUFT_ERROR_MEMORY if the output says so. */
static luft_error memory_error(const test_host *host) {
    return strstr(host->text, "out of memory") ? LUFT_ERROR_MEMORY : LUFT_OK;
}

/* A whole session, from its creation to its end. */
static luft_error run_session(void *payload) {
    test_host *host = payload;
    forget_output(host);
    uci_session *own = create(host), *other = host->uci;
    if (!own) {
        assert_string_equal(host->text, "info string error: out of memory\n");
        return LUFT_ERROR_MEMORY;
    }
    host->uci = own;
    receive_all(host, "setoption name Threads value 2\nsetoption name Hash value 1\nsetoption name EvalFile value\n"
                      "position startpos moves e2e4 e7e5\ngo depth 1\ngo infinite\nstop\ngo perft 2\nd\nbench 1");
    run_until_idle(host);
    assert_int_equal(count(host, "bestmove "), 2);
    assert_int_equal(count(host, "Fen: "), uci_has_position(own));
    assert_int_equal(count(host, "info string error: no position"), uci_has_position(own) ? 0 : 2);
    assert_true(count(host, "info string error: ") - count(host, "info string error: no position") <= 1);
    uci_free(own);
    host->uci = other;
    return memory_error(host);
}

static void test_session_out_of_memory(void **state) {
    assert_true(assert_survives_failing_malloc(run_session, *state) >= 20);
}

static luft_error flip(void *payload) {
    test_host *host = payload;
    receive(host, "position startpos moves e2e4"); /* may fail too */
    const bool had_position = uci_has_position(host->uci);
    forget_output(host);
    receive(host, "flip");
    const luft_error error = had_position ? memory_error(host) : LUFT_ERROR_MEMORY;
    assert_int_equal(uci_has_position(host->uci), had_position);
    if (had_position) {
        assert_fen(engine_position(uci_engine(host->uci)),
                   error == LUFT_OK ? "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
                                    : "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    }
    return error;
}

static void test_flip_out_of_memory_keeps_the_position(void **state) {
    test_host *host = *state;
    receive(host, "position startpos"); /* the first keys of the engine are not new blocks afterwards */
    assert_true(assert_survives_failing_malloc(flip, host) >= 3);
}

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

#define SESSION_TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_handshake),
        SESSION_TEST(test_errors_name_object_and_range),
        SESSION_TEST(test_quit_ends_the_session),
        cmocka_unit_test(test_deferral),
        cmocka_unit_test(test_queue_is_first_in_first_out),
        cmocka_unit_test(test_queue_is_bounded),
        cmocka_unit_test(test_queue_remembers_stop),
        SESSION_TEST(test_lines_wait_for_perft),
        SESSION_TEST(test_stop_ends_queued_jobs),
        SESSION_TEST(test_search_ends_for_the_next_job),
        SESSION_TEST(test_finite_searches),
        SESSION_TEST(test_go_without_a_position),
        SESSION_TEST(test_full_queue),
        SESSION_TEST(test_lost_line),
        SESSION_TEST(test_lost_output),
        SESSION_TEST(test_time_of_bench),
        SESSION_TEST(test_files),
        SESSION_TEST(test_extension),
        SESSION_TEST(test_session_out_of_memory),
        SESSION_TEST(test_flip_out_of_memory_keeps_the_position),
        SESSION_TEST(test_queue_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
