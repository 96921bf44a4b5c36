/* SPDX-License-Identifier: MIT */
/*
 * The worked examples of docs/internals.md: each number and each diagram with which
 * the page explains an idea is a test here. Every expected set is a diagram drawn by
 * hand, rank 8 on top, so that a reader can check it against the board. The page
 * lists these tests by name, and tests/cli/test_docs.sh compares the two lists.
 */
#include "support/check.h"

#include <string.h>

/* --- Helpers -------------------------------------------------------------- */

/* Compares a set with its eight ranks as text; both boards are printed where they differ. */
static void assert_diagram(luft_bitboard set, const char *ranks) {
    char text[LUFT_BITBOARD_TEXT_SIZE];
    assert_int_equal(luft_bitboard_text(text, sizeof text, set), LUFT_BITBOARD_TEXT_SIZE - 1);
    text[LUFT_BITBOARD_TEXT_SIZE - 1 - strlen("  a b c d e f g h\n")] = '\0';
    assert_string_equal(text, ranks);
}

/* The targets of the legal moves of this class from one square. */
static luft_bitboard targets_from(const luft_position *position, luft_square from, luft_move_class which) {
    luft_move_list list;
    luft_bitboard targets = 0;
    luft_generate(&list, position, which);
    for (int i = 0; i < list.count; i++) {
        if (luft_move_from(list.moves[i]) == from) {
            targets |= luft_bit(luft_move_to(list.moves[i]));
        }
    }
    return targets;
}

/* --- Squares and sets ------------------------------------------------------- */

static void squares_count_from_a8_to_h1(void **state) {
    (void)state;
    assert_int_equal(LUFT_A8, 0);
    assert_int_equal(LUFT_H8, 7);
    assert_int_equal(LUFT_A7, 8);
    assert_int_equal(LUFT_C2, 50);
    assert_int_equal(LUFT_H1, 63);
    assert_diagram(UINT64_C(1) << 50 | UINT64_C(1) << 63 | 1, "8 1 . . . . . . .\n"
                                                              "7 . . . . . . . .\n"
                                                              "6 . . . . . . . .\n"
                                                              "5 . . . . . . . .\n"
                                                              "4 . . . . . . . .\n"
                                                              "3 . . . . . . . .\n"
                                                              "2 . . 1 . . . . .\n"
                                                              "1 . . . . . . . 1\n");
}

/* Rank 7 is bits 8 to 15: 2^16 - 2^8. */
static void black_pawns_are_65280(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const luft_bitboard pawns = luft_pieces(&start.board, LUFT_BLACK, LUFT_PAWN);
    assert_int_equal(pawns, 65280);
    assert_diagram(pawns, "8 . . . . . . . .\n"
                          "7 1 1 1 1 1 1 1 1\n"
                          "6 . . . . . . . .\n"
                          "5 . . . . . . . .\n"
                          "4 . . . . . . . .\n"
                          "3 . . . . . . . .\n"
                          "2 . . . . . . . .\n"
                          "1 . . . . . . . .\n");
}

/* e7 is square 12 and e5 is square 28: 65280 - 2^12 + 2^28 = 268496640. */
static void e7_to_e5_and_back_gives_65280(void **state) {
    (void)state;
    luft_bitboard pawns = 65280;
    pawns = luft_bitboard_clear(pawns, LUFT_E7);
    pawns = luft_bitboard_set(pawns, LUFT_E5);
    assert_int_equal(pawns, 268496640);
    assert_diagram(pawns, "8 . . . . . . . .\n"
                          "7 1 1 1 1 . 1 1 1\n"
                          "6 . . . . . . . .\n"
                          "5 . . . . 1 . . .\n"
                          "4 . . . . . . . .\n"
                          "3 . . . . . . . .\n"
                          "2 . . . . . . . .\n"
                          "1 . . . . . . . .\n");

    /* The move that the library makes changes the set in the same way. */
    const luft_position moved = position_after(START_FEN, "e2e4 e7e5");
    assert_int_equal(luft_pieces(&moved.board, LUFT_BLACK, LUFT_PAWN), 268496640);

    /* One exclusive-or with both squares undoes what the two operations did. */
    pawns ^= luft_bit(LUFT_E7) | luft_bit(LUFT_E5);
    assert_int_equal(pawns, 65280);
}

/* White's pawns are 2^56 - 2^48. Without c2 it is 2^50 less. */
static void clearing_c2_takes_out_square_50(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const luft_bitboard pawns = luft_pieces(&start.board, LUFT_WHITE, LUFT_PAWN);
    assert_true(pawns == UINT64_C(71776119061217280));
    const luft_bitboard without = luft_bitboard_clear(pawns, LUFT_C2);
    assert_true(without == UINT64_C(70650219154374656));
    assert_true(without == (pawns & ~(UINT64_C(1) << 50)));
    assert_diagram(without, "8 . . . . . . . .\n"
                            "7 . . . . . . . .\n"
                            "6 . . . . . . . .\n"
                            "5 . . . . . . . .\n"
                            "4 . . . . . . . .\n"
                            "3 . . . . . . . .\n"
                            "2 1 1 . 1 1 1 1 1\n"
                            "1 . . . . . . . .\n");
    assert_true(luft_bitboard_clear(without, LUFT_C2) == without);
}

/* b - 1 turns the lowest bit, a7, into all the bits below it, so b & (b - 1) is b without a7. */
static void subtracting_one_finds_the_lowest_bit(void **state) {
    (void)state;
    luft_bitboard b = 65280;
    assert_int_equal(b - 1, 65279);
    assert_diagram(b - 1, "8 1 1 1 1 1 1 1 1\n"
                          "7 . 1 1 1 1 1 1 1\n"
                          "6 . . . . . . . .\n"
                          "5 . . . . . . . .\n"
                          "4 . . . . . . . .\n"
                          "3 . . . . . . . .\n"
                          "2 . . . . . . . .\n"
                          "1 . . . . . . . .\n");
    assert_int_equal(b & (b - 1), 65024);
    assert_diagram(b & (b - 1), "8 . . . . . . . .\n"
                                "7 . 1 1 1 1 1 1 1\n"
                                "6 . . . . . . . .\n"
                                "5 . . . . . . . .\n"
                                "4 . . . . . . . .\n"
                                "3 . . . . . . . .\n"
                                "2 . . . . . . . .\n"
                                "1 . . . . . . . .\n");
    assert_int_equal(luft_lsb(b), LUFT_A7);
    assert_int_equal(luft_pop(&b), LUFT_A7);
    assert_int_equal(b, 65024);
}

/* The occupancy is the union of the twelve sets of pieces, which do not overlap. */
static void twelve_sets_make_the_occupancy(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    luft_bitboard all = 0;
    for (int color = LUFT_WHITE; color <= LUFT_BLACK; color++) {
        for (int type = LUFT_PAWN; type <= LUFT_KING; type++) {
            const luft_bitboard pieces = luft_pieces(&start.board, (luft_color)color, (luft_piece_type)type);
            assert_true((all & pieces) == 0);
            all |= pieces;
        }
    }
    assert_true(luft_occupied(&start.board) == all);
    assert_diagram(all, "8 1 1 1 1 1 1 1 1\n"
                        "7 1 1 1 1 1 1 1 1\n"
                        "6 . . . . . . . .\n"
                        "5 . . . . . . . .\n"
                        "4 . . . . . . . .\n"
                        "3 . . . . . . . .\n"
                        "2 1 1 1 1 1 1 1 1\n"
                        "1 1 1 1 1 1 1 1 1\n");
}

/* --- Attacks ---------------------------------------------------------------- */

/* Takes one knight after the other out of the set, and collects where all of them may go. */
static luft_bitboard knight_moves(const luft_position *position, luft_move_list *list) {
    const luft_color us = (luft_color)position->side_to_move;
    luft_bitboard all = 0;
    list->count = 0;
    for (luft_bitboard knights = luft_pieces(&position->board, us, LUFT_KNIGHT); knights;) {
        const luft_square from = luft_pop(&knights);
        luft_bitboard targets = luft_knight_attacks(from) & ~position->board.color[us];
        all |= targets;
        while (targets) {
            const luft_square to = luft_pop(&targets);
            const bool captures = luft_bitboard_test(luft_occupied(&position->board), to);
            list->moves[list->count++] = luft_make_move(from, to, captures ? LUFT_CAPTURE : LUFT_QUIET);
        }
    }
    return all;
}

/* Asserts that the loop found exactly the legal moves of the knights; no knight is pinned and the king is not in check. */
static void assert_all_knight_moves(const luft_position *position, luft_move_list *found) {
    luft_move_list legal, knights = {.count = 0};
    luft_generate(&legal, position, LUFT_ALL_MOVES);
    for (int i = 0; i < legal.count; i++) {
        if (luft_bitboard_test(position->board.knights, luft_move_from(legal.moves[i]))) {
            knights.moves[knights.count++] = legal.moves[i];
        }
    }
    sort_moves(&knights);
    sort_moves(found);
    assert_int_equal(found->count, knights.count);
    assert_memory_equal(found->moves, knights.moves, (size_t)knights.count * sizeof knights.moves[0]);
}

static void the_knight_loop_collects_all_knight_moves(void **state) {
    (void)state;
    luft_move_list list;
    const luft_position start = luft_start_position();
    assert_diagram(knight_moves(&start, &list), "8 . . . . . . . .\n"
                                                "7 . . . . . . . .\n"
                                                "6 . . . . . . . .\n"
                                                "5 . . . . . . . .\n"
                                                "4 . . . . . . . .\n"
                                                "3 1 . 1 . . 1 . 1\n"
                                                "2 . . . . . . . .\n"
                                                "1 . . . . . . . .\n");
    assert_int_equal(list.count, 4);
    assert_all_knight_moves(&start, &list);

    /* Knights on c6, e4 and g2: 8, 8 and 3 moves. The own king blocks e1 for the knight on g2. */
    const luft_position three = position_from("4k3/8/2N5/8/4N3/8/6N1/4K3 w - - 0 1");
    assert_diagram(knight_moves(&three, &list), "8 . 1 . 1 . . . .\n"
                                                "7 1 . . . 1 . . .\n"
                                                "6 . . . 1 . 1 . .\n"
                                                "5 1 . 1 . 1 . 1 .\n"
                                                "4 . 1 . 1 . 1 . 1\n"
                                                "3 . . 1 . 1 . 1 .\n"
                                                "2 . . . 1 . 1 . .\n"
                                                "1 . . . . . . . .\n");
    assert_int_equal(list.count, 19);
    assert_all_knight_moves(&three, &list);
}

static void a_rook_attacks_up_to_the_first_blocker(void **state) {
    (void)state;
    const luft_position position = position_from("4k3/3p4/8/8/1P1R1p2/8/8/4K3 w - - 0 1");
    assert_diagram(luft_rook_attacks(LUFT_D4, luft_occupied(&position.board)), "8 . . . . . . . .\n"
                                                                               "7 . . . 1 . . . .\n"
                                                                               "6 . . . 1 . . . .\n"
                                                                               "5 . . . 1 . . . .\n"
                                                                               "4 . 1 1 . 1 1 . .\n"
                                                                               "3 . . . 1 . . . .\n"
                                                                               "2 . . . 1 . . . .\n"
                                                                               "1 . . . 1 . . . .\n");
}

static void between_e1_and_e8(void **state) {
    (void)state;
    assert_diagram(luft_between(LUFT_E1, LUFT_E8), "8 . . . . 1 . . .\n"
                                                   "7 . . . . 1 . . .\n"
                                                   "6 . . . . 1 . . .\n"
                                                   "5 . . . . 1 . . .\n"
                                                   "4 . . . . 1 . . .\n"
                                                   "3 . . . . 1 . . .\n"
                                                   "2 . . . . 1 . . .\n"
                                                   "1 . . . . . . . .\n");
    /* In the other direction e8 is the end that is left out. */
    assert_diagram(luft_between(LUFT_E8, LUFT_E1), "8 . . . . . . . .\n"
                                                   "7 . . . . 1 . . .\n"
                                                   "6 . . . . 1 . . .\n"
                                                   "5 . . . . 1 . . .\n"
                                                   "4 . . . . 1 . . .\n"
                                                   "3 . . . . 1 . . .\n"
                                                   "2 . . . . 1 . . .\n"
                                                   "1 . . . . 1 . . .\n");
}

static void between_b7_and_g2(void **state) {
    (void)state;
    static const char diagram[] = "8 . . . . . . . .\n"
                                  "7 . . . . . . . .\n"
                                  "6 . . 1 . . . . .\n"
                                  "5 . . . 1 . . . .\n"
                                  "4 . . . . 1 . . .\n"
                                  "3 . . . . . 1 . .\n"
                                  "2 . . . . . . 1 .\n"
                                  "1 . . . . . . . .\n";
    assert_diagram(luft_between(LUFT_B7, LUFT_G2), diagram);
    /* A bishop on g2 that checks a king on b7 makes it the king attack map. */
    const luft_position position = position_from("8/1k6/8/8/8/8/6B1/4K3 b - - 0 1");
    assert_diagram(luft_king_attack_map(&position), diagram);
}

/* --- Checks and pins -------------------------------------------------------- */

/* Ke1 and Ra2 against Ke8 and Re7: the rook's attacks and the check mask have one square in common, e2. */
static void one_rook_move_answers_the_check(void **state) {
    (void)state;
    const luft_position position = position_from("4k3/4r3/8/8/8/8/R7/4K3 w - - 0 1");
    const luft_bitboard attacks = luft_rook_attacks(LUFT_A2, luft_occupied(&position.board));
    const luft_bitboard check_mask = luft_king_attack_map(&position);
    luft_king_constraints constraints;
    assert_int_equal(luft_compute_king_constraints(&constraints, &position.board, LUFT_WHITE), LUFT_OK);
    assert_true(constraints.check_mask == check_mask);
    assert_int_equal(luft_check_count(&position), 1);
    assert_int_equal(luft_lsb(luft_checkers(&position)), LUFT_E7);
    assert_diagram(check_mask, "8 . . . . . . . .\n"
                               "7 . . . . 1 . . .\n"
                               "6 . . . . 1 . . .\n"
                               "5 . . . . 1 . . .\n"
                               "4 . . . . 1 . . .\n"
                               "3 . . . . 1 . . .\n"
                               "2 . . . . 1 . . .\n"
                               "1 . . . . . . . .\n");
    assert_diagram(attacks, "8 1 . . . . . . .\n"
                            "7 1 . . . . . . .\n"
                            "6 1 . . . . . . .\n"
                            "5 1 . . . . . . .\n"
                            "4 1 . . . . . . .\n"
                            "3 1 . . . . . . .\n"
                            "2 . 1 1 1 1 1 1 1\n"
                            "1 1 . . . . . . .\n");
    static const char only_e2[] = "8 . . . . . . . .\n"
                                  "7 . . . . . . . .\n"
                                  "6 . . . . . . . .\n"
                                  "5 . . . . . . . .\n"
                                  "4 . . . . . . . .\n"
                                  "3 . . . . . . . .\n"
                                  "2 . . . . 1 . . .\n"
                                  "1 . . . . . . . .\n";
    assert_diagram(attacks & check_mask, only_e2);
    assert_diagram(targets_from(&position, LUFT_A2, LUFT_ALL_MOVES), only_e2);
    assert_diagram(targets_from(&position, LUFT_A2, LUFT_EVASIONS), only_e2);
    assert_int_equal(luft_count_moves(&position), 5);
}

static void a_knight_check_is_answered_on_its_square(void **state) {
    (void)state;
    const luft_position position = position_from("4k3/8/8/8/8/5n2/8/4K3 w - - 0 1");
    static const char only_f3[] = "8 . . . . . . . .\n"
                                  "7 . . . . . . . .\n"
                                  "6 . . . . . . . .\n"
                                  "5 . . . . . . . .\n"
                                  "4 . . . . . . . .\n"
                                  "3 . . . . . 1 . .\n"
                                  "2 . . . . . . . .\n"
                                  "1 . . . . . . . .\n";
    assert_diagram(luft_between(LUFT_E1, LUFT_F3), only_f3);
    assert_diagram(luft_king_attack_map(&position), only_f3);

    /* A pawn on g2 can capture the knight. A rook on h1 cannot end the check. */
    const luft_position defended = position_from("4k3/8/8/8/8/5n2/6P1/4K2R w - - 0 1");
    assert_diagram(targets_from(&defended, LUFT_G2, LUFT_ALL_MOVES), only_f3);
    assert_true(targets_from(&defended, LUFT_H1, LUFT_ALL_MOVES) == 0);
}

/* The rook on e8 and the knight on f3 give check. Re2 and gxf3 answer one check each, which is not enough. */
static void only_the_king_moves_in_double_check(void **state) {
    (void)state;
    const luft_position position = position_from("4r2k/8/8/8/8/5n2/R5P1/4K3 w - - 0 1");
    assert_int_equal(luft_check_count(&position), 2);
    assert_diagram(luft_checkers(&position), "8 . . . . 1 . . .\n"
                                             "7 . . . . . . . .\n"
                                             "6 . . . . . . . .\n"
                                             "5 . . . . . . . .\n"
                                             "4 . . . . . . . .\n"
                                             "3 . . . . . 1 . .\n"
                                             "2 . . . . . . . .\n"
                                             "1 . . . . . . . .\n");
    assert_true(targets_from(&position, LUFT_G2, LUFT_ALL_MOVES) == 0);
    assert_true(targets_from(&position, LUFT_A2, LUFT_ALL_MOVES) == 0);
    assert_diagram(targets_from(&position, LUFT_E1, LUFT_ALL_MOVES), "8 . . . . . . . .\n"
                                                                     "7 . . . . . . . .\n"
                                                                     "6 . . . . . . . .\n"
                                                                     "5 . . . . . . . .\n"
                                                                     "4 . . . . . . . .\n"
                                                                     "3 . . . . . . . .\n"
                                                                     "2 . . . . . 1 . .\n"
                                                                     "1 . . . 1 . 1 . .\n");
}

#define ROOKS_FEN "4k3/4r3/8/8/8/8/4R3/4K3 "

/* Both rooks are pinned: each by the other, to its own king. */
static const char both_rooks[] = "8 . . . . . . . .\n"
                                 "7 . . . . 1 . . .\n"
                                 "6 . . . . . . . .\n"
                                 "5 . . . . . . . .\n"
                                 "4 . . . . . . . .\n"
                                 "3 . . . . . . . .\n"
                                 "2 . . . . 1 . . .\n"
                                 "1 . . . . . . . .\n";

/* The ray of either pin: from the square beside the king, on which the pinned rook stands, to the pinning rook. */
static const char pin_ray[] = "8 . . . . . . . .\n"
                              "7 . . . . 1 . . .\n"
                              "6 . . . . 1 . . .\n"
                              "5 . . . . 1 . . .\n"
                              "4 . . . . 1 . . .\n"
                              "3 . . . . 1 . . .\n"
                              "2 . . . . 1 . . .\n"
                              "1 . . . . . . . .\n";

static void two_rooks_pin_each_other_white_to_move(void **state) {
    (void)state;
    const luft_position position = position_from(ROOKS_FEN "w - - 0 1");
    const luft_board *board = &position.board;
    const luft_bitboard attacks = luft_rook_attacks(LUFT_E2, luft_occupied(board));
    const luft_bitboard ray = luft_between(LUFT_E1, LUFT_E7);
    luft_king_constraints constraints;
    assert_int_equal(luft_compute_king_constraints(&constraints, board, LUFT_WHITE), LUFT_OK);
    assert_true(luft_pin_ray(&constraints, LUFT_E2) == ray);
    assert_int_equal(luft_pinner(&constraints, LUFT_E2), LUFT_E7);
    assert_diagram(luft_pinned(board, LUFT_WHITE) | luft_pinned(board, LUFT_BLACK), both_rooks);
    assert_diagram(attacks, "8 . . . . . . . .\n"
                            "7 . . . . 1 . . .\n"
                            "6 . . . . 1 . . .\n"
                            "5 . . . . 1 . . .\n"
                            "4 . . . . 1 . . .\n"
                            "3 . . . . 1 . . .\n"
                            "2 1 1 1 1 . 1 1 1\n"
                            "1 . . . . 1 . . .\n");
    assert_diagram(attacks & ~luft_occupied(board), "8 . . . . . . . .\n"
                                                    "7 . . . . . . . .\n"
                                                    "6 . . . . 1 . . .\n"
                                                    "5 . . . . 1 . . .\n"
                                                    "4 . . . . 1 . . .\n"
                                                    "3 . . . . 1 . . .\n"
                                                    "2 1 1 1 1 . 1 1 1\n"
                                                    "1 . . . . . . . .\n");
    static const char capture[] = "8 . . . . . . . .\n"
                                  "7 . . . . 1 . . .\n"
                                  "6 . . . . . . . .\n"
                                  "5 . . . . . . . .\n"
                                  "4 . . . . . . . .\n"
                                  "3 . . . . . . . .\n"
                                  "2 . . . . . . . .\n"
                                  "1 . . . . . . . .\n";
    assert_diagram(attacks & board->color[LUFT_BLACK], capture);
    assert_diagram(ray, pin_ray);
    static const char legal[] = "8 . . . . . . . .\n"
                                "7 . . . . 1 . . .\n"
                                "6 . . . . 1 . . .\n"
                                "5 . . . . 1 . . .\n"
                                "4 . . . . 1 . . .\n"
                                "3 . . . . 1 . . .\n"
                                "2 . . . . . . . .\n"
                                "1 . . . . . . . .\n";
    assert_diagram(attacks & ~board->color[LUFT_WHITE] & ray, legal);
    assert_diagram(targets_from(&position, LUFT_E2, LUFT_ALL_MOVES), legal);
    assert_diagram(targets_from(&position, LUFT_E2, LUFT_CAPTURES), capture);
    assert_diagram(targets_from(&position, LUFT_E2, LUFT_QUIETS), "8 . . . . . . . .\n"
                                                                  "7 . . . . . . . .\n"
                                                                  "6 . . . . 1 . . .\n"
                                                                  "5 . . . . 1 . . .\n"
                                                                  "4 . . . . 1 . . .\n"
                                                                  "3 . . . . 1 . . .\n"
                                                                  "2 . . . . . . . .\n"
                                                                  "1 . . . . . . . .\n");
}

static void two_rooks_pin_each_other_black_to_move(void **state) {
    (void)state;
    const luft_position position = position_from(ROOKS_FEN "b - - 0 1");
    const luft_board *board = &position.board;
    const luft_bitboard attacks = luft_rook_attacks(LUFT_E7, luft_occupied(board));
    const luft_bitboard ray = luft_between(LUFT_E8, LUFT_E2);
    luft_king_constraints constraints;
    assert_int_equal(luft_compute_king_constraints(&constraints, board, LUFT_BLACK), LUFT_OK);
    assert_true(luft_pin_ray(&constraints, LUFT_E7) == ray);
    assert_int_equal(luft_pinner(&constraints, LUFT_E7), LUFT_E2);
    assert_diagram(luft_pinned(board, LUFT_WHITE) | luft_pinned(board, LUFT_BLACK), both_rooks);
    assert_diagram(attacks, "8 . . . . 1 . . .\n"
                            "7 1 1 1 1 . 1 1 1\n"
                            "6 . . . . 1 . . .\n"
                            "5 . . . . 1 . . .\n"
                            "4 . . . . 1 . . .\n"
                            "3 . . . . 1 . . .\n"
                            "2 . . . . 1 . . .\n"
                            "1 . . . . . . . .\n");
    assert_diagram(ray, pin_ray);
    static const char legal[] = "8 . . . . . . . .\n"
                                "7 . . . . . . . .\n"
                                "6 . . . . 1 . . .\n"
                                "5 . . . . 1 . . .\n"
                                "4 . . . . 1 . . .\n"
                                "3 . . . . 1 . . .\n"
                                "2 . . . . 1 . . .\n"
                                "1 . . . . . . . .\n";
    assert_diagram(attacks & ~board->color[LUFT_BLACK] & ray, legal);
    assert_diagram(targets_from(&position, LUFT_E7, LUFT_ALL_MOVES), legal);
}

static void eight_pinned_knights_are_a_stalemate(void **state) {
    (void)state;
    const luft_position position = position_from("8/q2q2qk/8/2NNN3/q1NKN1q1/2NNN3/8/q2q2q1 w - - 0 1");
    assert_diagram(luft_pinned(&position.board, LUFT_WHITE), "8 . . . . . . . .\n"
                                                             "7 . . . . . . . .\n"
                                                             "6 . . . . . . . .\n"
                                                             "5 . . 1 1 1 . . .\n"
                                                             "4 . . 1 . 1 . . .\n"
                                                             "3 . . 1 1 1 . . .\n"
                                                             "2 . . . . . . . .\n"
                                                             "1 . . . . . . . .\n");
    assert_int_equal(luft_check_count(&position), 0);
    assert_int_equal(luft_count_moves(&position), 0);
}

/* The king on e2 is in the way of the rook on e8, so e1 is attacked only when the king has left e2. */
static void the_king_cannot_hide_behind_itself(void **state) {
    (void)state;
    const luft_position position = position_from("4r2k/8/8/8/8/8/4K3/8 w - - 0 1");
    assert_false(luft_is_attacked(&position.board, LUFT_E1, LUFT_BLACK));
    assert_diagram(targets_from(&position, LUFT_E2, LUFT_ALL_MOVES), "8 . . . . . . . .\n"
                                                                     "7 . . . . . . . .\n"
                                                                     "6 . . . . . . . .\n"
                                                                     "5 . . . . . . . .\n"
                                                                     "4 . . . . . . . .\n"
                                                                     "3 . . . 1 . 1 . .\n"
                                                                     "2 . . . 1 . 1 . .\n"
                                                                     "1 . . . 1 . 1 . .\n");
}

/* No square beside the king is free, and castling with the rook on f1 is still a legal move. */
static void castling_needs_no_free_square_beside_the_king(void **state) {
    (void)state;
    const luft_position position = position_from("4k3/8/8/8/8/8/3PPP2/3QKR2 w F - 0 1");
    assert_diagram(targets_from(&position, LUFT_E1, LUFT_ALL_MOVES), "8 . . . . . . . .\n"
                                                                     "7 . . . . . . . .\n"
                                                                     "6 . . . . . . . .\n"
                                                                     "5 . . . . . . . .\n"
                                                                     "4 . . . . . . . .\n"
                                                                     "3 . . . . . . . .\n"
                                                                     "2 . . . . . . . .\n"
                                                                     "1 . . . . . 1 . .\n");
    /* A rook on g8 attacks g1, which the king would reach: the attacked squares matter although no step is possible. */
    const luft_position attacked = position_from("4k1r1/8/8/8/8/8/3PPP2/3QKR2 w F - 0 1");
    assert_true(targets_from(&attacked, LUFT_E1, LUFT_ALL_MOVES) == 0);
}

static void the_reach_map_shows_the_discovered_check(void **state) {
    (void)state;
    const luft_position position = position_from("4k3/8/8/8/8/4N3/8/4R1K1 w - - 0 1");
    assert_diagram(luft_king_reach(&position.board, LUFT_BLACK), "8 1 1 1 1 . 1 1 1\n"
                                                                 "7 . . . 1 1 1 . .\n"
                                                                 "6 . . 1 . 1 . 1 .\n"
                                                                 "5 . 1 . . 1 . . 1\n"
                                                                 "4 1 . . . 1 . . .\n"
                                                                 "3 . . . . 1 . . .\n"
                                                                 "2 . . . . . . . .\n"
                                                                 "1 . . . . . . . .\n");
    /* The knight leaves a square of the map, the king does not; c2 and f2 lie off the map. */
    assert_true(luft_gives_check(&position, move_from(&position, "e3c2")));
    assert_false(luft_gives_check(&position, move_from(&position, "g1f2")));
}

/* --- Hashes ----------------------------------------------------------------- */

/* The colour-flipped start position is the start position with Black to move. */
static void the_start_position_has_one_key_for_both_sides(void **state) {
    (void)state;
    const luft_position white = luft_start_position();
    const luft_position black = position_from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
    assert_true(luft_key(&white) == luft_key(&black));
    assert_true(white.key[LUFT_WHITE] == white.key[LUFT_BLACK]);
    assert_false(luft_position_equal(&white, &black));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_count_from_a8_to_h1),
        cmocka_unit_test(black_pawns_are_65280),
        cmocka_unit_test(e7_to_e5_and_back_gives_65280),
        cmocka_unit_test(clearing_c2_takes_out_square_50),
        cmocka_unit_test(subtracting_one_finds_the_lowest_bit),
        cmocka_unit_test(twelve_sets_make_the_occupancy),
        cmocka_unit_test(the_knight_loop_collects_all_knight_moves),
        cmocka_unit_test(a_rook_attacks_up_to_the_first_blocker),
        cmocka_unit_test(between_e1_and_e8),
        cmocka_unit_test(between_b7_and_g2),
        cmocka_unit_test(one_rook_move_answers_the_check),
        cmocka_unit_test(a_knight_check_is_answered_on_its_square),
        cmocka_unit_test(only_the_king_moves_in_double_check),
        cmocka_unit_test(two_rooks_pin_each_other_white_to_move),
        cmocka_unit_test(two_rooks_pin_each_other_black_to_move),
        cmocka_unit_test(eight_pinned_knights_are_a_stalemate),
        cmocka_unit_test(the_king_cannot_hide_behind_itself),
        cmocka_unit_test(castling_needs_no_free_square_beside_the_king),
        cmocka_unit_test(the_reach_map_shows_the_discovered_check),
        cmocka_unit_test(the_start_position_has_one_key_for_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
