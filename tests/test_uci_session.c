/* SPDX-License-Identifier: MIT */
/*
 * The UCI session with a host of the test: scripted conversations, the callbacks of host and extension, output that is
 * lost, and memory that runs out. Jobs and the queue are in test_uci_jobs.c; what a GUI sees is in tests/contract.
 */
#include "support/failing_malloc.h"
#include "support/uci_host.h"

#include "uci/session.h"

static void test_handshake(void **state) {
    test_host *host = *state;
    receive_all(host, "uci\nisready");
    assert_int_equal(count(host, "id name Luft "), 1);
    static const char *const options[] = {"Hash",    "Threads",      "Clear Hash", "Ponder",
                                          "MultiPV", "UCI_Chess960", "EvalFile"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "option name %s type ", options[i]);
        assert_int_equal(count(host, line), 1);
    }
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
    assert_answers(host, "go perft 65", "info string error: go perft: expected an integer from 0 to 64, got \"65\"\n");
    assert_answers(host, "go perft -1", "info string error: go perft: expected an integer from 0 to 64, got \"-1\"\n");
    assert_answers(host, "go perft x", "info string error: go perft: expected an integer from 0 to 64, got \"x\"\n");
    assert_answers(host, "go perft", "info string error: go perft: expected an integer from 0 to 64, got \"\"\n");
    assert_answers(host, "position", "info string error: position: expected startpos or fen\n");
    assert_answers(
        host, "position fen 8/8/8/8/8/8/8/x7 w - - 0 1",
        "info string error: position: FEN board field: neither a piece letter nor a digit from 1 to 8: \"x\" "
        "(column 15)\n");
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
    assert_answers(
        host, "setoption name EvalFile value f",
        "info string error: option EvalFile: this build cannot read or write files; the evaluation stays as it is\n");
    assert_answers(
        host, "setoption name Debug Log File value g",
        "info string error: option Debug Log File: cannot write \"g\": this build cannot read or write files\n");
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
        assert_fen(luft_engine_position(uci_engine(host->uci)),
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

int main(void) {
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_handshake),
        SESSION_TEST(test_errors_name_object_and_range),
        SESSION_TEST(test_quit_ends_the_session),
        SESSION_TEST(test_lost_output),
        SESSION_TEST(test_time_of_bench),
        SESSION_TEST(test_files),
        SESSION_TEST(test_extension),
        SESSION_TEST(test_session_out_of_memory),
        SESSION_TEST(test_flip_out_of_memory_keeps_the_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
