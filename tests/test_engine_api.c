/* SPDX-License-Identifier: MIT */
/*
 * The interface of libluft-engine: what results hold, and what wrong arguments, bad networks and failing allocations do:
 * they give an error and change nothing. test_engine_threads.c tests starting, stopping and calls from other threads.
 */
#define _DEFAULT_SOURCE

#include "support/failing_malloc.h"
#include "support/tested_engine.h"

#include "luft/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char mate_in_two_fen[] = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

/* --- Results --------------------------------------------------------------------- */

static void a_result_has_everything(void **state) {
    (void)state;
    set_fen(KIWIPETE_FEN);
    assert_int_equal(luft_engine_set_lines(engine, 3), LUFT_OK);
    assert_null(luft_engine_last_result(engine));
    const luft_engine_result *result = search(to_depth(8));
    assert_int_equal(result->line_count, 3);
    assert_int_equal(result->depth, 8);
    assert_true(result->seldepth >= 8);
    assert_true(result->nodes > 1000 && result->time_ms >= 0);
    assert_int_equal(result->score.kind, LUFT_ENGINE_CENTIPAWNS);
    assert_int_equal(result->score.bound, LUFT_ENGINE_EXACT);
    assert_int_equal(result->wdl.win + result->wdl.draw + result->wdl.loss, 1000);
    assert_int_equal(result->best, result->lines[0]->moves[0]);
    assert_int_equal(result->ponder, result->lines[0]->moves[1]);
    for (int i = 0; i < result->line_count; i++) {
        luft_position position = *luft_engine_position(engine);
        const luft_engine_line *line = result->lines[i];
        assert_int_equal(line->number, i + 1);
        assert_true(i == 0 || line->score.value <= result->lines[i - 1]->score.value);
        assert_true(i == 0 || line->moves[0] != result->lines[i - 1]->moves[0]);
        assert_true(line->nodes > 0 && line->nodes <= result->nodes);
        assert_in_range(line->hashfull, 0, 1000);
        for (int j = 0; j < line->move_count; j++) {
            assert_int_equal(luft_play(&position, &position, line->moves[j]), LUFT_OK);
        }
    }
}

static void mates_are_counted_in_moves(void **state) {
    (void)state;
    set_fen(mate_in_two_fen);
    const luft_engine_result *result = search(to_depth(10));
    assert_int_equal(result->score.kind, LUFT_ENGINE_MATE);
    assert_int_equal(result->score.value, 2);
    assert_int_equal(result->wdl.win, 1000);
    assert_int_equal(result->lines[0]->move_count, 3);
    /* After the key move Black is mated in one more move of White. */
    const luft_move key = result->best;
    const luft_position start = position_from(mate_in_two_fen);
    assert_int_equal(luft_engine_set_position(engine, &start, &key, 1, NULL), LUFT_OK);
    result = search(to_depth(10));
    assert_int_equal(result->score.kind, LUFT_ENGINE_MATE);
    assert_int_equal(result->score.value, -1);
    assert_int_equal(result->wdl.loss, 1000);
}

static void without_a_legal_move_there_is_a_score_and_no_line(void **state) {
    (void)state;
    call_log log = {0};
    const luft_engine_callbacks callbacks = counting(&log);
    const luft_engine_limits limits = to_depth(5);
    const luft_engine_result *result = NULL;
    set_fen("6kQ/5pp1/6N1/8/8/8/8/6K1 b - - 0 1"); /* checkmate */
    assert_int_equal(luft_engine_search(&result, engine, &limits, &callbacks), LUFT_OK);
    assert_int_equal(result->best, LUFT_MOVE_NONE);
    assert_int_equal(result->ponder, LUFT_MOVE_NONE);
    assert_int_equal(result->line_count, 0);
    assert_int_equal(result->score.kind, LUFT_ENGINE_MATE);
    assert_int_equal(result->score.value, 0);
    assert_int_equal(result->wdl.loss, 1000);
    assert_int_equal(atomic_load(&log.lines), 0);
    assert_int_equal(atomic_load(&log.ends), 1);
    set_fen("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1"); /* stalemate */
    result = search(to_depth(5));
    assert_int_equal(result->best, LUFT_MOVE_NONE);
    assert_int_equal(result->score.kind, LUFT_ENGINE_CENTIPAWNS);
    assert_int_equal(result->score.value, 0);
    assert_int_equal(result->wdl.draw, 1000);
}

/* The last score that was reported for each first move. */
typedef struct score_log {
    luft_move moves[LUFT_MAX_MOVES];
    luft_engine_score scores[LUFT_MAX_MOVES];
    int count;
} score_log;

static int find_move(const score_log *log, luft_move move) {
    int i = 0;
    while (i < log->count && log->moves[i] != move) {
        i++;
    }
    return i;
}

static void log_score(void *payload, const luft_engine_line *line) {
    score_log *log = payload;
    const int i = find_move(log, line->moves[0]);
    log->moves[i] = line->moves[0];
    log->scores[i] = line->score;
    log->count += i == log->count;
}

/* Lines have different first moves; the result repeats the first line, which has no score or that of its own move. */
static void assert_lines_agree(const luft_engine_result *result, const score_log *log) {
    const luft_engine_line *first = result->lines[0];
    const int reported = find_move(log, result->best);
    assert_int_equal(first->moves[0], result->best);
    assert_memory_equal(&first->score, &result->score, sizeof result->score);
    assert_memory_equal(&first->wdl, &result->wdl, sizeof result->wdl);
    assert_int_equal(first->depth, result->depth);
    assert_int_equal(first->seldepth, result->seldepth);
    if (result->score.kind == LUFT_ENGINE_NO_SCORE) {
        assert_int_equal(result->score.value, 0);
        assert_int_equal(result->wdl.win + result->wdl.draw + result->wdl.loss, 0);
    } else {
        assert_true(reported < log->count);
        assert_memory_equal(&log->scores[reported], &result->score, sizeof result->score);
    }
    for (int i = 0; i < result->line_count; i++) {
        assert_int_equal(result->lines[i]->number, i + 1);
        for (int j = 0; j < i; j++) {
            assert_true(result->lines[i]->moves[0] != result->lines[j]->moves[0]);
        }
    }
}

/* Searches at limited strength with many seeds. Returns how many results have no score. */
static int count_unscored(const char *fen, int elo, int lines) {
    int unscored = 0;
    set_fen(fen);
    assert_int_equal(luft_engine_set_elo(engine, elo), LUFT_OK);
    assert_int_equal(luft_engine_set_lines(engine, lines), LUFT_OK);
    for (uint64_t seed = 1, last = test_is_quick() ? 15 : 60; seed <= last; seed++) {
        score_log log = {.count = 0};
        const luft_engine_callbacks callbacks = {.size = sizeof callbacks, .line = log_score, .payload = &log};
        const luft_engine_limits limits = luft_engine_no_limits();
        const luft_engine_result *result = NULL;
        assert_int_equal(luft_engine_set_seed(engine, seed), LUFT_OK);
        assert_int_equal(luft_engine_clear(engine), LUFT_OK);
        assert_int_equal(luft_engine_search(&result, engine, &limits, &callbacks), LUFT_OK);
        assert_int_equal(result->line_count, lines);
        assert_lines_agree(result, &log);
        unscored += result->score.kind == LUFT_ENGINE_NO_SCORE;
    }
    return unscored;
}

/*
 * A mate that was seen without its variation has no score: rare, in positions with many mates. Which ones depends on the
 * search, so there are several.
 */
static void the_score_is_that_of_the_chosen_move(void **state) {
    (void)state;
    static const char *const many_mates[] = {"4k3/8/8/8/8/8/8/QR2K2R w - - 0 1", "5k2/8/6R1/8/8/8/2Q5/4K3 w - - 0 1",
                                             "8/2R5/8/2RQ2K1/8/8/8/6k1 w - - 0 1"};
    for (int lines = 1; lines <= 3; lines += 2) {
        int unscored = 0;
        assert_int_equal(count_unscored(START_FEN, LUFT_ENGINE_MIN_ELO, lines), 0);
        for (int i = 0; i < 3; i++) {
            unscored += count_unscored(many_mates[i], 1500, lines) + count_unscored(many_mates[i], 2000, lines);
        }
        assert_true(unscored > 0);
    }
}

static void a_started_search_gives_the_same_result(void **state) {
    (void)state;
    call_log log = {0};
    const luft_engine_callbacks callbacks = counting(&log);
    const luft_engine_limits limits = to_depth(8);
    set_fen(KIWIPETE_FEN);
    const luft_engine_result first = *search(limits);
    assert_int_equal(luft_engine_clear(engine), LUFT_OK);
    assert_int_equal(luft_engine_start(engine, &limits, &callbacks), LUFT_OK);
    assert_int_equal(luft_engine_wait(engine), LUFT_OK);
    assert_int_equal(luft_engine_wait(engine), LUFT_OK); /* no search runs */
    const luft_engine_result *second = luft_engine_last_result(engine);
    assert_int_equal(second->nodes, first.nodes);
    assert_int_equal(second->best, first.best);
    assert_int_equal(second->score.value, first.score.value);
    assert_true(atomic_load(&log.lines) >= 8);
    assert_int_equal(atomic_load(&log.ends), 1);
}

/* --- Arguments --------------------------------------------------------------------- */

static void null_is_an_error_or_nothing(void **state) {
    (void)state;
    const luft_engine_limits limits = to_depth(1);
    const luft_engine_result *result = NULL;
    int score = 7;
    assert_int_equal(luft_engine_create(NULL), LUFT_ERROR_ARGUMENT);
    luft_engine_free(NULL);
    luft_engine_stop(NULL);
    luft_engine_ponderhit(NULL);
    assert_false(luft_engine_is_searching(NULL));
    assert_int_equal(luft_engine_threads(NULL), 0);
    assert_null(luft_engine_position(NULL));
    assert_null(luft_engine_network_text(NULL));
    assert_null(luft_engine_last_result(NULL));
    assert_int_equal(luft_engine_set_threads(NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_hash(NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_lines(NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_overhead(NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_node_rate(NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_elo(NULL, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_level(NULL, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_seed(NULL, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_network(NULL, NULL, 0, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_load_network(NULL, "x", NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_load_network(engine, NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_clear(NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_position(NULL, NULL, NULL, 0, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_position(engine, NULL, NULL, 1, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_evaluate(NULL, engine, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_evaluate(&score, NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_search(NULL, engine, &limits, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_search(&result, NULL, &limits, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_search(&result, engine, NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_start(NULL, &limits, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_start(engine, NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_wait(NULL), LUFT_ERROR_ARGUMENT);
    assert_null(result);
    assert_int_equal(score, 7);
    search(limits); /* the engine is as usable as before */
}

static void settings_out_of_range_are_refused(void **state) {
    (void)state;
    assert_int_equal(luft_engine_set_threads(engine, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_threads(engine, luft_engine_max_threads() + 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_threads(engine), 1);
    assert_int_equal(luft_engine_set_hash(engine, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_hash(engine, luft_engine_max_hash_mb() + 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_lines(engine, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_lines(engine, LUFT_ENGINE_MAX_LINES + 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_overhead(engine, -1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_overhead(engine, LUFT_ENGINE_MAX_OVERHEAD_MS + 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_node_rate(engine, -1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_node_rate(engine, LUFT_ENGINE_MAX_NODE_RATE + 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_elo(engine, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_elo(engine, LUFT_ENGINE_MAX_ELO + 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_level(engine, -1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_level(engine, LUFT_ENGINE_MAX_LEVEL + 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(search(to_depth(3))->line_count, 1);
}

static luft_error refused(luft_engine_limits limits) {
    const luft_engine_result *result;
    assert_int_equal(luft_engine_start(engine, &limits, NULL), luft_engine_search(&result, engine, &limits, NULL));
    return luft_engine_start(engine, &limits, NULL);
}

static void limits_are_checked(void **state) {
    (void)state;
    luft_engine_limits limits = to_depth(1);
    limits.size = 0; /* as in a struct of zeros, in which a movetime of 0 would end the search at once */
    assert_int_equal(refused(limits), LUFT_ERROR_ARGUMENT);
    limits.size = sizeof limits + 1; /* a later version */
    assert_int_equal(refused(limits), LUFT_ERROR_ARGUMENT);
    limits = to_depth(-1);
    assert_int_equal(refused(limits), LUFT_ERROR_ARGUMENT);
    limits = to_depth(1);
    limits.nodes = -2;
    assert_int_equal(refused(limits), LUFT_ERROR_ARGUMENT);
    limits = to_depth(1);
    limits.time_ms[LUFT_BLACK] = INT64_MIN;
    assert_int_equal(refused(limits), LUFT_ERROR_ARGUMENT);
    limits = to_depth(1);
    limits.search_move_count = 1;
    assert_int_equal(refused(limits), LUFT_ERROR_ARGUMENT);
    luft_engine_callbacks callbacks = {.size = sizeof callbacks - 1};
    limits = to_depth(1);
    assert_int_equal(luft_engine_start(engine, &limits, &callbacks), LUFT_ERROR_ARGUMENT);
    callbacks.size = 0;
    assert_int_equal(luft_engine_start(engine, &limits, &callbacks), LUFT_ERROR_ARGUMENT);
    assert_null(luft_engine_last_result(engine));
    limits = to_depth(1000000); /* larger than any search can reach */
    limits.movetime_ms = 0;     /* move at once */
    limits.nodes = INT64_MAX;
    limits.time_ms[LUFT_WHITE] = limits.time_ms[LUFT_BLACK] = INT64_MAX;
    limits.increment_ms[LUFT_WHITE] = INT64_MAX;
    assert_true(search(limits)->best != LUFT_MOVE_NONE);
}

static void only_legal_search_moves_are_accepted(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const luft_move a3 = move_from(&start, "a2a3");
    luft_move moves[2 * LUFT_MAX_MOVES];
    luft_engine_limits limits = to_depth(4);
    for (size_t i = 0; i < 2 * LUFT_MAX_MOVES; i++) {
        moves[i] = a3; /* more than there are moves */
    }
    limits.search_moves = moves;
    limits.search_move_count = 2 * LUFT_MAX_MOVES;
    assert_int_equal(search(limits)->best, a3);
    const luft_position other = position_from("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    moves[1] = move_from(&other, "h1h8");
    assert_int_equal(refused(limits), LUFT_ERROR_MOVE_ILLEGAL);
    moves[1] = LUFT_MOVE_NONE;
    assert_int_equal(refused(limits), LUFT_ERROR_MOVE_ILLEGAL);
}

static void a_refused_position_changes_nothing(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    luft_position position = start, garbage;
    luft_move moves[3];
    size_t bad = 99;
    static const char *const texts[] = {"e2e4", "e7e5", "g1f3"};
    for (int i = 0; i < 3; i++) {
        moves[i] = move_from(&position, texts[i]);
        luft_make(&position, &position, moves[i]);
    }
    assert_int_equal(luft_engine_set_position(engine, NULL, moves, 3, &bad), LUFT_OK); /* NULL: the standard start */
    assert_true(luft_position_equal(luft_engine_position(engine), &position));
    assert_int_equal(bad, 99);
    const luft_move twice[] = {moves[0], moves[1], moves[0]};
    assert_int_equal(luft_engine_set_position(engine, &start, twice, 3, &bad), LUFT_ERROR_MOVE_ILLEGAL);
    assert_int_equal(bad, 2);
    assert_int_equal(luft_engine_set_position(engine, &start, twice, 3, NULL), LUFT_ERROR_MOVE_ILLEGAL);
    memset(&garbage, 0x5a, sizeof garbage);
    assert_int_equal(luft_engine_set_position(engine, &garbage, NULL, 0, NULL), LUFT_ERROR_POSITION);
    assert_int_equal(luft_engine_set_position(engine, &start, moves, SIZE_MAX, NULL), LUFT_ERROR_ARGUMENT);
    assert_true(luft_position_equal(luft_engine_position(engine), &position));
}

static void evaluations_are_for_the_side_to_move(void **state) {
    (void)state;
    luft_position position = position_from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"), flipped;
    int white = 0, black = 0, current = 0;
    assert_int_equal(luft_position_flip(&flipped, &position), LUFT_OK);
    assert_int_equal(luft_engine_evaluate(&white, engine, &position), LUFT_OK);
    assert_int_equal(luft_engine_evaluate(&black, engine, &flipped), LUFT_OK);
    assert_true(white < -200);
    assert_int_equal(white, black);
    assert_int_equal(luft_engine_set_position(engine, &position, NULL, 0, NULL), LUFT_OK);
    assert_int_equal(luft_engine_evaluate(&current, engine, NULL), LUFT_OK);
    assert_int_equal(current, white);
    position.key[0] ^= 1; /* the network does not read it */
    assert_int_equal(luft_engine_evaluate(&current, engine, &position), LUFT_OK);
    position.board.kings &= position.board.color[LUFT_WHITE];
    position.board.color[LUFT_BLACK] &= ~luft_bit(LUFT_E8);
    assert_int_equal(luft_engine_evaluate(&current, engine, &position), LUFT_ERROR_POSITION);
    memset(&position, 0xff, sizeof position);
    assert_int_equal(luft_engine_evaluate(&current, engine, &position), LUFT_ERROR_POSITION);
    assert_int_equal(current, white);
}

/* --- Networks ----------------------------------------------------------------------- */

static void write_file(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void a_network_that_cannot_be_used_changes_nothing(void **state) {
    (void)state;
    char path[] = "/tmp/luft-engine-api-XXXXXX";
    const int number = mkstemp(path);
    assert_true(number >= 0);
    close(number);
    const luft_position position = position_from(KIWIPETE_FEN);
    int before = 0, after = 0;
    assert_int_equal(luft_engine_evaluate(&before, engine, &position), LUFT_OK);
    uint8_t *bytes = calloc(1, LUFT_ENGINE_MAX_NETWORK_SIZE + 2);
    assert_non_null(bytes);
    memcpy(bytes, "LUFTNNUE\1", 9);
    const size_t sizes[] = {0, 1, 8, 63, 64, 1000, LUFT_ENGINE_MAX_NETWORK_SIZE + 2};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const char *reason = NULL;
        assert_int_equal(luft_engine_set_network(engine, bytes, sizes[i], &reason), LUFT_ERROR_NETWORK);
        assert_true(reason && reason[0]);
        write_file(path, bytes, sizes[i]);
        reason = NULL;
        assert_int_equal(luft_engine_load_network(engine, path, &reason), LUFT_ERROR_NETWORK);
        assert_true(reason && reason[0]);
        assert_int_equal(luft_engine_load_network(engine, path, NULL), LUFT_ERROR_NETWORK);
    }
    free(bytes);
    unlink(path);
    const char *reason = NULL;
    assert_int_equal(luft_engine_load_network(engine, path, &reason), LUFT_ERROR_READ);
    assert_true(reason && reason[0]);
    assert_int_equal(luft_engine_load_network(engine, "/", &reason), LUFT_ERROR_READ);
    assert_int_equal(luft_engine_load_network(engine, "", &reason), LUFT_ERROR_READ);
    assert_int_equal(luft_engine_evaluate(&after, engine, &position), LUFT_OK);
    assert_int_equal(before, after);
}

static void the_network_of_the_library_is_also_a_file(void **state) {
    (void)state;
    char path[4096];
    const char *data = getenv("LUFT_TEST_DATA");
    snprintf(path, sizeof path, "%s/../../src/engine/network.luft", data ? data : "tests/data");
    const luft_position position = position_from(KIWIPETE_FEN);
    int before = 0, after = 0;
    assert_int_equal(luft_engine_evaluate(&before, engine, &position), LUFT_OK);
    assert_int_equal(luft_engine_load_network(engine, path, NULL), LUFT_OK);
    assert_int_equal(luft_engine_evaluate(&after, engine, &position), LUFT_OK);
    assert_int_equal(before, after);
    assert_true(strlen(luft_engine_network_text(engine)) > 0);
    assert_int_equal(luft_engine_set_network(engine, NULL, 0, NULL), LUFT_OK);
    assert_int_equal(luft_engine_evaluate(&after, engine, NULL), LUFT_OK);
}

/* --- Memory ------------------------------------------------------------------------------------- */

/* Everything that allocates; what fails leaves the engine as it was. */
static luft_error use_an_engine(void *payload) {
    (void)payload;
    luft_engine *own = NULL;
    const luft_engine_limits limits = to_depth(2);
    const luft_engine_result *result = NULL;
    const luft_position start = luft_start_position();
    const luft_move move = move_from(&start, "e2e4");
    luft_error error = luft_engine_create(&own);
    if (error != LUFT_OK) {
        assert_null(own);
        return error;
    }
    if ((error = luft_engine_set_threads(own, 3)) != LUFT_OK) {
        assert_int_equal(luft_engine_threads(own), 1);
    } else if ((error = luft_engine_set_lines(own, 5)) == LUFT_OK) {
        error = luft_engine_set_position(own, NULL, &move, 1, NULL);
        assert_int_equal(luft_engine_position(own)->side_to_move, error == LUFT_OK ? LUFT_BLACK : LUFT_WHITE);
        error = error == LUFT_OK ? luft_engine_search(&result, own, &limits, NULL) : error;
        assert_int_equal(result != NULL, error == LUFT_OK);
        error = error == LUFT_OK ? luft_engine_set_network(own, NULL, 0, NULL) : error;
    }
    luft_engine_free(own);
    return error;
}

static void out_of_memory_is_an_error(void **state) {
    (void)state;
    assert_true(assert_survives_failing_malloc(use_an_engine, NULL) > 10);
}

enum { SET_THREADS, SET_LINES, SET_POSITION, CHANGES };

/* A change without memory does not end the search; with memory it does. */
static luft_error change_during_search(void *payload) {
    const int change = *(const int *)payload;
    const luft_engine_limits limits = forever();
    luft_error error = luft_engine_start(engine, &limits, NULL);
    if (error != LUFT_OK) {
        return error;
    }
    error = change == SET_THREADS ? luft_engine_set_threads(engine, 3)
            : change == SET_LINES ? luft_engine_set_lines(engine, 5)
                                  : luft_engine_set_position(engine, NULL, NULL, 0, NULL);
    assert_int_equal(luft_engine_is_searching(engine), error != LUFT_OK);
    luft_engine_stop(engine);
    assert_int_equal(luft_engine_wait(engine), LUFT_OK);
    if (error == LUFT_OK && change == SET_THREADS) {
        assert_int_equal(luft_engine_set_threads(engine, 1), LUFT_OK);
    }
    return error;
}

static void out_of_memory_does_not_end_a_search(void **state) {
    (void)state;
    assert_int_equal(luft_engine_set_position(engine, NULL, NULL, 0, NULL), LUFT_OK);
    search(to_depth(1)); /* what the first search allocates stays */
    for (int change = 0; change < CHANGES; change++) {
        assert_true(assert_survives_failing_malloc(change_during_search, &change) > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_result_has_everything, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(mates_are_counted_in_moves, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(without_a_legal_move_there_is_a_score_and_no_line, create_engine,
                                        destroy_engine),
        cmocka_unit_test_setup_teardown(the_score_is_that_of_the_chosen_move, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(a_started_search_gives_the_same_result, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(null_is_an_error_or_nothing, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(settings_out_of_range_are_refused, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(limits_are_checked, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(only_legal_search_moves_are_accepted, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(a_refused_position_changes_nothing, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(evaluations_are_for_the_side_to_move, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(a_network_that_cannot_be_used_changes_nothing, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(the_network_of_the_library_is_also_a_file, create_engine, destroy_engine),
        cmocka_unit_test(out_of_memory_is_an_error),
        cmocka_unit_test_setup_teardown(out_of_memory_does_not_end_a_search, create_engine, destroy_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
