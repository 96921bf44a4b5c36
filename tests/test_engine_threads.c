/* SPDX-License-Identifier: MIT */
/*
 * libluft-engine and threads: starting, stopping and freeing, calls from a second thread and from callbacks, and several
 * engines at once. Misuse gives an error and changes nothing; nothing waits for itself. Also run with the thread sanitizer.
 */
#define _DEFAULT_SOURCE

#include "support/tested_engine.h"

#include "luft/engine.h"

#include <pthread.h>
#include <unistd.h>

/* --- Starting and stopping ------------------------------------------------------------ */

static void a_second_start_ends_the_first(void **state) {
    (void)state;
    call_log first = {0}, second = {0};
    const luft_engine_callbacks first_calls = counting(&first), second_calls = counting(&second);
    const luft_engine_limits limits = forever();
    assert_int_equal(luft_engine_start(engine, &limits, &first_calls), LUFT_OK);
    assert_true(luft_engine_is_searching(engine));
    assert_null(luft_engine_last_result(engine));
    assert_int_equal(luft_engine_start(engine, &limits, &second_calls), LUFT_OK);
    assert_int_equal(atomic_load(&first.ends), 1);
    assert_true(luft_engine_is_searching(engine));
    luft_engine_stop(engine);
    luft_engine_stop(engine);
    assert_int_equal(luft_engine_wait(engine), LUFT_OK);
    luft_engine_stop(engine); /* of nothing */
    assert_int_equal(atomic_load(&first.ends), 1);
    assert_int_equal(atomic_load(&second.ends), 1);
    assert_true(luft_engine_last_result(engine)->best != LUFT_MOVE_NONE);
}

static void changes_end_a_running_search(void **state) {
    (void)state;
    call_log log = {0};
    const luft_engine_callbacks callbacks = counting(&log);
    const luft_engine_limits limits = forever();
    const luft_position position = position_from(KIWIPETE_FEN);
    for (int change = 0; change < 7; change++) {
        luft_error error = LUFT_OK;
        assert_int_equal(luft_engine_start(engine, &limits, &callbacks), LUFT_OK);
        switch (change) {
        case 0: error = luft_engine_set_threads(engine, 2); break;
        case 1: error = luft_engine_set_hash(engine, 2); break;
        case 2: error = luft_engine_set_lines(engine, 2); break;
        case 3: error = luft_engine_set_elo(engine, 0); break;
        case 4: error = luft_engine_clear(engine); break;
        case 5: error = luft_engine_set_position(engine, &position, NULL, 0, NULL); break;
        default: error = luft_engine_set_network(engine, NULL, 0, NULL); break;
        }
        assert_int_equal(error, LUFT_OK);
        assert_false(luft_engine_is_searching(engine));
        assert_int_equal(atomic_load(&log.ends), change + 1);
    }
    /* Evaluating does not, nor does what is refused. */
    int score;
    const luft_position empty = {0};
    const luft_move none = LUFT_MOVE_NONE;
    assert_int_equal(luft_engine_start(engine, &limits, &callbacks), LUFT_OK);
    assert_int_equal(luft_engine_evaluate(&score, engine, NULL), LUFT_OK);
    assert_int_equal(luft_engine_set_lines(engine, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_start(engine, NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_engine_set_position(engine, &empty, NULL, 0, NULL), LUFT_ERROR_POSITION);
    assert_int_equal(luft_engine_set_position(engine, NULL, &none, 1, NULL), LUFT_ERROR_MOVE_ILLEGAL);
    assert_int_equal(luft_engine_set_position(engine, NULL, NULL, 1, NULL), LUFT_ERROR_ARGUMENT);
    assert_true(luft_engine_is_searching(engine));
    assert_int_equal(atomic_load(&log.ends), 7);
    luft_engine_stop(engine);
    assert_int_equal(luft_engine_wait(engine), LUFT_OK);
}

static void freeing_ends_a_running_search(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        call_log log = {0};
        luft_engine *other = NULL;
        const luft_engine_callbacks callbacks = counting(&log);
        const luft_engine_limits limits = forever();
        assert_int_equal(luft_engine_create(&other), LUFT_OK);
        assert_int_equal(luft_engine_set_threads(other, threads), LUFT_OK);
        assert_int_equal(luft_engine_start(other, &limits, &callbacks), LUFT_OK);
        luft_engine_free(other);
        assert_int_equal(atomic_load(&log.ends), 1);
    }
}

/* --- Other threads ------------------------------------------------------------------------ */

typedef struct intruder {
    pthread_t thread;
    call_log *log;    /* of the search to wait for */
    luft_error error; /* of calls in between */
    bool ponderhit;
} intruder;

/* Waits until the search has reported, tries what it must not, then ends the search. */
static void *intrude(void *payload) {
    intruder *self = payload;
    int score;
    const luft_engine_limits limits = to_depth(1);
    while (atomic_load(&self->log->lines) == 0 || !luft_engine_is_searching(engine)) {
        usleep(100);
    }
    const luft_error errors[] = {luft_engine_wait(engine), luft_engine_clear(engine),
                                 luft_engine_set_threads(engine, 1), luft_engine_start(engine, &limits, NULL),
                                 luft_engine_evaluate(&score, engine, NULL)};
    self->error = LUFT_ERROR_BUSY;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        self->error = errors[i] != LUFT_ERROR_BUSY ? errors[i] : self->error;
    }
    if (self->ponderhit) {
        luft_engine_ponderhit(engine);
    } else {
        luft_engine_stop(engine);
    }
    return NULL;
}

/* A blocking search occupies the engine: the thread inside it is the only one that uses the engine. */
static void another_thread_ends_a_search(bool ponders) {
    call_log log = {0};
    intruder other = {.log = &log, .ponderhit = ponders};
    const luft_engine_callbacks callbacks = counting(&log);
    const luft_engine_result *result = NULL;
    luft_engine_limits limits = forever();
    if (ponders) {
        limits = to_depth(3);
        limits.ponder = true;
    }
    assert_int_equal(pthread_create(&other.thread, NULL, intrude, &other), 0);
    assert_int_equal(luft_engine_search(&result, engine, &limits, &callbacks), LUFT_OK);
    pthread_join(other.thread, NULL);
    assert_int_equal(atomic_load(&log.ends), 1);
    assert_int_equal(other.error, LUFT_ERROR_BUSY);
    assert_int_equal(result->best, luft_engine_last_result(engine)->best);
    assert_int_equal(luft_engine_clear(engine), LUFT_OK); /* the engine is free again */
}

static void another_thread_stops_a_blocking_search(void **state) {
    (void)state;
    another_thread_ends_a_search(false);
    another_thread_ends_a_search(true);
}

static void *stop_later(void *payload) {
    call_log *log = payload;
    while (atomic_load(&log->lines) == 0) {
        usleep(100);
    }
    luft_engine_stop(engine);
    return NULL;
}

static void another_thread_stops_a_started_search(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) {
        call_log log = {0};
        pthread_t thread;
        const luft_engine_callbacks callbacks = counting(&log);
        const luft_engine_limits limits = forever();
        assert_int_equal(luft_engine_start(engine, &limits, &callbacks), LUFT_OK);
        assert_int_equal(pthread_create(&thread, NULL, stop_later, &log), 0);
        assert_int_equal(luft_engine_wait(engine), LUFT_OK);
        pthread_join(thread, NULL);
        assert_int_equal(atomic_load(&log.ends), 1);
    }
}

/* Hammers on the functions that are for any thread, while searches come and go. */
typedef struct hammer {
    pthread_t thread;
    atomic_bool ends;
} hammer;

static void *strike(void *payload) {
    hammer *self = payload;
    while (!atomic_load(&self->ends)) {
        luft_engine_ponderhit(engine);
        (void)luft_engine_is_searching(engine);
        luft_engine_stop(engine);
        usleep(50);
    }
    return NULL;
}

static void any_thread_may_stop_at_any_time(void **state) {
    (void)state;
    hammer hammers[2] = {0};
    assert_int_equal(luft_engine_set_threads(engine, 2), LUFT_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&hammers[i].thread, NULL, strike, &hammers[i]), 0);
    }
    for (int i = 0; i < 100; i++) {
        call_log log = {0};
        const luft_engine_callbacks callbacks = counting(&log);
        luft_engine_limits limits = to_depth(5);
        limits.ponder = i % 2 == 1;
        assert_int_equal(luft_engine_start(engine, &limits, &callbacks), LUFT_OK);
        assert_int_equal(luft_engine_wait(engine), LUFT_OK);
        assert_int_equal(atomic_load(&log.ends), 1);
        assert_true(luft_engine_last_result(engine)->best != LUFT_MOVE_NONE);
    }
    for (int i = 0; i < 2; i++) {
        atomic_store(&hammers[i].ends, true);
        pthread_join(hammers[i].thread, NULL);
    }
}

static void *strike_without_rest(void *payload) {
    hammer *self = payload;
    while (!atomic_load(&self->ends)) {
        luft_engine_stop(engine);
    }
    return NULL;
}

/* However early the stop comes, a search tries all moves of the root before it ends. */
static void a_stop_between_two_searches_cuts_neither(void **state) {
    (void)state;
    hammer hammers[3] = {0};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&hammers[i].thread, NULL, strike_without_rest, &hammers[i]), 0);
    }
    int cut = 0;
    for (int i = test_is_quick() ? 500 : 10000; i > 0; i--) {
        cut += search(to_depth(4))->nodes < 20; /* the start position has 20 moves */
    }
    for (int i = 0; i < 3; i++) {
        atomic_store(&hammers[i].ends, true);
        pthread_join(hammers[i].thread, NULL);
    }
    assert_int_equal(cut, 0);
}

/* --- Callbacks that call back ---------------------------------------------------------------- */

/* All that a callback must not do is refused, and does nothing. */
static void assert_all_busy(void) {
    const luft_engine_limits limits = to_depth(1);
    const luft_engine_result *result = NULL;
    const luft_move move = LUFT_MOVE_NONE;
    int score = 7;
    assert_int_equal(luft_engine_set_threads(engine, 2), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_set_hash(engine, 2), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_set_lines(engine, 2), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_set_overhead(engine, 2), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_set_node_rate(engine, 2), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_set_tablebase(engine, NULL, 1, 7, true), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_set_elo(engine, 1000), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_set_level(engine, 2), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_set_seed(engine, 2), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_set_network(engine, NULL, 0, NULL), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_load_network(engine, "x", NULL), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_clear(engine), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_set_position(engine, NULL, &move, 1, NULL), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_evaluate(&score, engine, NULL), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_search(&result, engine, &limits, NULL), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_start(engine, &limits, NULL), LUFT_ERROR_BUSY);
    assert_int_equal(luft_engine_wait(engine), LUFT_ERROR_BUSY);
    luft_engine_free(engine);
    assert_null(result);
    assert_int_equal(score, 7);
    assert_int_equal(luft_engine_threads(engine), 1);
    assert_true(luft_position_equal(luft_engine_position(engine), luft_engine_position(engine)));
}

static void call_back_from_line(void *payload, const luft_engine_line *line) {
    (void)line;
    assert_all_busy();
    assert_true(luft_engine_is_searching(engine));
    assert_null(luft_engine_last_result(engine));
    if (atomic_fetch_add(&((call_log *)payload)->lines, 1) == 2) {
        luft_engine_stop(engine);
    }
}

static void call_back_from_move(void *payload, int depth, luft_move move, int number) {
    (void)depth;
    (void)move;
    (void)number;
    atomic_fetch_add(&((call_log *)payload)->moves, 1);
    assert_all_busy();
}

static void call_back_from_end(void *payload, const luft_engine_result *result) {
    assert_all_busy();
    luft_engine_stop(engine);
    luft_engine_ponderhit(engine);
    assert_false(luft_engine_is_searching(engine));
    assert_ptr_equal(luft_engine_last_result(engine), result);
    atomic_fetch_add(&((call_log *)payload)->ends, 1);
}

static void callbacks_can_only_stop(void **state) {
    (void)state;
    const luft_engine_limits limits = forever();
    for (int is_blocking = 0; is_blocking <= 1; is_blocking++) {
        call_log log = {0};
        const luft_engine_result *result;
        const luft_engine_callbacks callbacks = {.size = sizeof callbacks,
                                                 .line = call_back_from_line,
                                                 .current_move = call_back_from_move,
                                                 .done = call_back_from_end,
                                                 .payload = &log};
        if (is_blocking) {
            assert_int_equal(luft_engine_search(&result, engine, &limits, &callbacks), LUFT_OK);
        } else {
            assert_int_equal(luft_engine_start(engine, &limits, &callbacks), LUFT_OK);
            while (atomic_load(&log.ends) == 0) { /* not in luft_engine_wait, which would refuse the callbacks too */
                usleep(1000);
            }
            assert_int_equal(luft_engine_wait(engine), LUFT_OK);
        }
        assert_true(atomic_load(&log.lines) >= 3);
        assert_int_equal(atomic_load(&log.ends), 1);
    }
    assert_int_equal(luft_engine_clear(engine), LUFT_OK); /* it is not freed, and not busy any more */
}

/* --- Several engines --------------------------------------------------------------------------- */

/* A callback of one engine searches with another. */
static void search_with_another(void *payload, const luft_engine_line *line) {
    luft_engine *other = payload;
    const luft_engine_limits limits = to_depth(3);
    const luft_engine_result *result;
    luft_position next;
    luft_make(&next, luft_engine_position(engine), line->moves[0]);
    assert_int_equal(luft_engine_set_position(other, &next, NULL, 0, NULL), LUFT_OK);
    assert_int_equal(luft_engine_search(&result, other, &limits, NULL), LUFT_OK);
    assert_true(luft_is_legal(&next, result->best));
}

static void a_callback_may_use_another_engine(void **state) {
    (void)state;
    luft_engine *other = NULL;
    const luft_engine_limits limits = to_depth(6);
    assert_int_equal(luft_engine_create(&other), LUFT_OK);
    const luft_engine_callbacks callbacks = {.size = sizeof callbacks, .line = search_with_another, .payload = other};
    assert_int_equal(luft_engine_start(engine, &limits, &callbacks), LUFT_OK);
    assert_int_equal(luft_engine_wait(engine), LUFT_OK);
    luft_engine_free(other);
}

typedef struct player {
    pthread_t thread;
    int elo;
    luft_move moves[16];
} player;

/* Plays a few moves against itself. */
static void *play_alone(void *payload) {
    player *self = payload;
    luft_engine *own = NULL;
    luft_engine_limits limits = luft_engine_no_limits();
    limits.nodes = 3000;
    if (luft_engine_create(&own) != LUFT_OK || luft_engine_set_elo(own, self->elo) != LUFT_OK ||
        luft_engine_set_seed(own, 5) != LUFT_OK) {
        return NULL;
    }
    for (size_t i = 0; i < 16; i++) {
        const luft_engine_result *result;
        if (luft_engine_set_position(own, NULL, self->moves, i, NULL) != LUFT_OK ||
            luft_engine_search(&result, own, &limits, NULL) != LUFT_OK) {
            break;
        }
        self->moves[i] = result->best;
    }
    luft_engine_free(own);
    return NULL;
}

static void engines_do_not_disturb_each_other(void **state) {
    (void)state;
    enum { PLAYERS = 6 };
    static const int elos[PLAYERS] = {0, 800, 1500, 2200, 0, 2500};
    player alone[PLAYERS] = {0}, together[PLAYERS] = {0};
    for (int i = 0; i < PLAYERS; i++) {
        alone[i].elo = together[i].elo = elos[i];
        play_alone(&alone[i]);
        assert_true(alone[i].moves[15] != LUFT_MOVE_NONE);
    }
    for (int i = 0; i < PLAYERS; i++) {
        assert_int_equal(pthread_create(&together[i].thread, NULL, play_alone, &together[i]), 0);
    }
    for (int i = 0; i < PLAYERS; i++) {
        pthread_join(together[i].thread, NULL);
        assert_memory_equal(together[i].moves, alone[i].moves, sizeof alone[i].moves);
    }
    assert_memory_not_equal(alone[0].moves, alone[1].moves, sizeof alone[0].moves); /* the Elo matters */
}

/* --- Random calls ------------------------------------------------------------------------------- */

/* Threads and callbacks that call anything, and how often searches began and ended. */
typedef struct storm {
    luft_position positions[4];
    atomic_int starts, ends, refused;
    atomic_int running; /* threads */
    atomic_bool is_over;
} storm;

static storm the_storm;

static void call_anything(uint64_t *seed, bool is_callback);

static void call_from_line(void *payload, const luft_engine_line *line) {
    (void)payload;
    uint64_t seed = (uint64_t)line->nodes + (uint64_t)line->depth;
    assert_true(line->move_count >= 1);
    call_anything(&seed, true);
}

static void call_from_end(void *payload, const luft_engine_result *result) {
    (void)payload;
    uint64_t seed = (uint64_t)result->nodes;
    call_anything(&seed, true);
    luft_engine_free(engine); /* does nothing here */
    atomic_fetch_add(&the_storm.ends, 1);
}

static luft_error start_or_search(unsigned kind, bool is_callback) {
    const luft_engine_callbacks callbacks = {.size = sizeof callbacks, .line = call_from_line, .done = call_from_end};
    const luft_engine_result *result;
    luft_engine_limits limits = to_depth(1 + (int)(kind / 8 % 5));
    limits.infinite = kind % 8 == 1;
    limits.ponder = kind % 8 == 2;
    const luft_error error = kind % 8 == 3 ? luft_engine_search(&result, engine, &limits, &callbacks)
                                           : luft_engine_start(engine, &limits, &callbacks);
    assert_true(error == LUFT_OK || error == LUFT_ERROR_BUSY);
    assert_true(!is_callback || error == LUFT_ERROR_BUSY);
    atomic_fetch_add(&the_storm.starts, error == LUFT_OK);
    return error;
}

static luft_error change_anything(unsigned kind) {
    const int number = (int)(kind / 8 % 8);
    switch (kind % 8) {
    case 0: return luft_engine_set_threads(engine, 1 + number % 3);
    case 1: return luft_engine_set_hash(engine, 1 + (size_t)number % 2);
    case 2: return luft_engine_set_lines(engine, 1 + number);
    case 3: return luft_engine_set_elo(engine, number > 3 ? 0 : 1000);
    case 4: return luft_engine_clear(engine);
    case 5: return luft_engine_set_network(engine, NULL, 0, NULL);
    default: return luft_engine_set_position(engine, &the_storm.positions[number % 4], NULL, 0, NULL);
    }
}

static void call_anything(uint64_t *seed, bool is_callback) {
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    const unsigned kind = (unsigned)(*seed >> 40);
    luft_error error = LUFT_OK;
    int centipawns;
    switch (kind % 8) {
    case 0:
    case 1: error = start_or_search(kind / 8, is_callback); break;
    case 2: luft_engine_stop(engine); break;
    case 3: luft_engine_ponderhit(engine); break;
    case 4: (void)luft_engine_is_searching(engine); break;
    case 5:
        luft_engine_stop(engine);
        error = luft_engine_wait(engine);
        break;
    case 6: error = luft_engine_evaluate(&centipawns, engine, &the_storm.positions[kind / 8 % 4]); break;
    default: error = change_anything(kind / 8); break;
    }
    assert_true(error == LUFT_OK || error == LUFT_ERROR_BUSY);
    atomic_fetch_add(&the_storm.refused, error == LUFT_ERROR_BUSY);
}

static void *call_at_random(void *payload) {
    while (!atomic_load(&the_storm.is_over)) {
        call_anything(payload, false);
    }
    atomic_fetch_sub(&the_storm.running, 1);
    return NULL;
}

/* Every search that began has ended with one last call, and nobody waits for ever. */
static void threads_and_callbacks_may_call_anything(void **state) {
    (void)state;
    static const char *const fens[] = {START_FEN, KIWIPETE_FEN, "7k/5Q2/8/8/8/8/8/6K1 b - - 0 1",
                                       "k7/8/K7/8/8/8/8/7R b - - 99 90"};
    uint64_t seeds[] = {1, 2, 3};
    pthread_t threads[3];
    for (int i = 0; i < 4; i++) {
        the_storm.positions[i] = position_from(fens[i]);
    }
    atomic_store(&the_storm.running, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, call_at_random, &seeds[i]), 0);
    }
    /* All threads may be inside an infinite search, which only this one can stop. */
    for (int rest = test_is_quick() ? 100 : 300; atomic_load(&the_storm.running) > 0; rest--) {
        atomic_store(&the_storm.is_over, rest < 0 && atomic_load(&the_storm.starts) >= 30);
        usleep(10000);
        luft_engine_stop(engine);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    luft_engine_stop(engine);
    assert_int_equal(luft_engine_wait(engine), LUFT_OK);
    assert_int_equal(atomic_load(&the_storm.starts), atomic_load(&the_storm.ends));
    assert_true(atomic_load(&the_storm.refused) > 0);
    assert_int_equal(luft_engine_clear(engine), LUFT_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_second_start_ends_the_first, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(changes_end_a_running_search, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(freeing_ends_a_running_search, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(another_thread_stops_a_blocking_search, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(another_thread_stops_a_started_search, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(any_thread_may_stop_at_any_time, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(a_stop_between_two_searches_cuts_neither, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(callbacks_can_only_stop, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(a_callback_may_use_another_engine, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(engines_do_not_disturb_each_other, create_engine, destroy_engine),
        cmocka_unit_test_setup_teardown(threads_and_callbacks_may_call_anything, create_engine, destroy_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
