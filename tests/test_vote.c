/* SPDX-License-Identifier: MIT */
/*
 * Thread voting: which thread's move is played, by made-up results of three threads.
 */
#include "support/check.h"

#include "engine/vote.h"

#include <string.h>

enum { THREADS = 3 };

typedef struct fixture {
    search_shared shared;
    search_thread threads[THREADS];
    search_thread *pointers[THREADS];
    root_move roots[THREADS];
} fixture;

/* Three threads of depth 10 and score 0, of which each has a move of its own: 1, 2, 3. No limits. */
static void set_up(fixture *made) {
    memset(made, 0, sizeof *made);
    for (int i = 0; i < THREADS; i++) {
        made->roots[i].move = (luft_move)(i + 1);
        made->threads[i].root_moves = &made->roots[i];
        made->threads[i].root_move_count = 1;
        made->threads[i].completed_depth = 10;
        made->pointers[i] = &made->threads[i];
    }
    made->shared.threads = made->pointers;
    made->shared.thread_count = THREADS;
    made->shared.limits = limits_none();
    made->shared.multipv = 1;
}

static void assert_chosen(const fixture *made, int index) {
    assert_ptr_equal(vote_best_thread(&made->shared), &made->threads[index]);
}

static void equal_votes_go_to_the_main_thread(void **state) {
    (void)state;
    static fixture made;
    set_up(&made);
    assert_chosen(&made, 0);
}

static void threads_that_agree_win(void **state) {
    (void)state;
    static fixture made;
    set_up(&made);
    made.roots[2].move = made.roots[1].move;
    assert_chosen(&made, 1);
    made.threads[2].completed_depth = 11; /* of the two, the deeper one reports the move */
    assert_chosen(&made, 2);
}

static void depth_and_score_weigh(void **state) {
    (void)state;
    static fixture made;
    set_up(&made);
    made.threads[2].completed_depth = 12;
    made.roots[0].score = 1; /* two plies weigh more than a centipawn */
    assert_chosen(&made, 2);
    made.roots[1].score = 50;
    assert_chosen(&made, 1);
}

/* Without a score a thread votes neither for its move nor against it; without a finished iteration it is not chosen. */
static void threads_without_a_result_do_not_vote(void **state) {
    (void)state;
    static fixture made;
    set_up(&made);
    made.roots[1].score = 50;
    made.roots[2].move = made.roots[1].move;
    made.roots[2].score = -SCORE_INFINITE;
    assert_chosen(&made, 1);
    made.roots[0].score = -SCORE_INFINITE;
    made.threads[1].completed_depth = 0;
    assert_chosen(&made, 0);
}

/* `go mate` ends when the main thread finds the mate: deeper threads without it must not take its place. */
static void the_shortest_win_is_chosen(void **state) {
    (void)state;
    static fixture made;
    set_up(&made);
    made.roots[0].score = SCORE_MATE - 3;
    made.roots[1].move = made.roots[2].move = made.roots[0].move;
    made.threads[1].completed_depth = made.threads[2].completed_depth = 20;
    assert_chosen(&made, 0);
    made.roots[1].move = made.roots[2].move = 2;
    made.roots[1].score = made.roots[2].score = 900;
    assert_chosen(&made, 0);
    made.roots[2].score = SCORE_MATE - 1;
    assert_chosen(&made, 2);
}

static void threads_that_did_not_run_are_left_out(void **state) {
    (void)state;
    static fixture made;
    set_up(&made);
    made.roots[1].score = 50;
    made.shared.thread_count = 1;
    assert_chosen(&made, 0);
}

static void the_main_thread_decides_with_variations_or_a_depth(void **state) {
    (void)state;
    static fixture made;
    set_up(&made);
    made.threads[2].completed_depth = 12;
    made.shared.multipv = 2;
    assert_chosen(&made, 0);
    made.shared.multipv = 1;
    made.shared.limits.depth = 12;
    assert_chosen(&made, 0);
    made.shared.limits.depth = MAX_DEPTH;
    assert_chosen(&made, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_votes_go_to_the_main_thread),
        cmocka_unit_test(threads_that_agree_win),
        cmocka_unit_test(depth_and_score_weigh),
        cmocka_unit_test(threads_without_a_result_do_not_vote),
        cmocka_unit_test(the_shortest_win_is_chosen),
        cmocka_unit_test(threads_that_did_not_run_are_left_out),
        cmocka_unit_test(the_main_thread_decides_with_variations_or_a_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
