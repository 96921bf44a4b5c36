/* SPDX-License-Identifier: MIT */
/*
 * Moves in standard algebraic notation: every legal move of random positions there
 * and back, against a second writer that knows nothing but the oracle's list of legal
 * moves.
 */
#include "support/check.h"
#include "support/oracle.h"
#include "support/random_positions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- There and back ----------------------------------------------------- */

static int compare_texts(const void *a, const void *b) {
    return strcmp(a, b);
}

static void check_round_trip(const luft_position *position, void *payload) {
    luft_move_list list;
    char texts[LUFT_MAX_MOVES][LUFT_SAN_SIZE];
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        luft_move back = LUFT_MOVE_NONE;
        const size_t length = luft_move_to_san(texts[i], LUFT_SAN_SIZE, position, list.moves[i]);
        require_equal(strlen(texts[i]), length, position, "length of the text");
        require(length >= 2, position, "no text for a legal move");
        require(luft_move_from_san(&back, position, texts[i], length) == LUFT_OK, position, texts[i]);
        require_equal(back, list.moves[i], position, texts[i]);
    }
    qsort(texts, (size_t)list.count, LUFT_SAN_SIZE, compare_texts);
    for (int i = 1; i < list.count; i++) {
        require(strcmp(texts[i - 1], texts[i]) != 0, position, texts[i]);
    }
    ++*(int *)payload;
}

/* Half of the games are of Chess960. */
static void every_legal_move_of_100000_positions_comes_back(void **state) {
    (void)state;
    int positions = 0;
    visit_random_games(test_rounds(580), check_round_trip, &positions);
    visit_fantastic_positions(test_rounds(4000), check_round_trip, &positions);
    assert_true(test_is_quick() || positions >= 100000);
}

/* --- A second writer ---------------------------------------------------- */

static char *spell_square(char *out, int square) {
    *out++ = "abcdefgh"[square % 8];
    *out++ = "87654321"[square / 8];
    return out;
}

/* Of the legal moves of the same kind of man to the same square: does any start on this file, on this rank, at all? */
static char *spell_origin(char *out, const oracle_board *board, const oracle_moves *legal, luft_move move) {
    const int from = move & 63;
    bool any = false, same_file = false, same_rank = false;
    for (int i = 0; i < legal->count; i++) {
        const luft_move other = legal->moves[i];
        const int square = other & 63;
        const bool castles = other >> 12 == LUFT_CASTLING;
        if (square == from || castles || (other >> 6 & 63) != (move >> 6 & 63) ||
            board->men[square] != board->men[from]) {
            continue;
        }
        any = true;
        same_file |= square % 8 == from % 8;
        same_rank |= square / 8 == from / 8;
    }
    if (any && (!same_file || same_rank)) {
        *out++ = "abcdefgh"[from % 8];
    }
    if (any && same_file) {
        *out++ = "87654321"[from / 8];
    }
    return out;
}

static void spell(char text[16], const oracle_board *board, const oracle_moves *legal, luft_move move) {
    const int from = move & 63, to = move >> 6 & 63, kind = move >> 12;
    const char man = (char)toupper((unsigned char)board->men[from]);
    char *out = text;
    if (kind == LUFT_CASTLING) {
        out += strlen(strcpy(out, to > from ? "O-O" : "O-O-O"));
    } else {
        const bool takes = board->men[to] != '.' || (man == 'P' && from % 8 != to % 8);
        if (man != 'P') {
            *out++ = man;
            out = spell_origin(out, board, legal, move);
        } else if (takes) {
            *out++ = "abcdefgh"[from % 8];
        }
        if (takes) {
            *out++ = 'x';
        }
        out = spell_square(out, to);
        if (kind >= 8) {
            *out++ = '=';
            *out++ = "NBRQ"[kind % 4];
        }
    }
    const oracle_board after = oracle_make(board, move);
    if (oracle_in_check(&after, after.side)) {
        oracle_moves replies;
        oracle_generate(&replies, &after);
        *out++ = replies.count == 0 ? '#' : '+';
    }
    *out = '\0';
}

static void check_against_oracle(const luft_position *position, void *payload) {
    (void)payload;
    const oracle_board board = oracle_from_position(position);
    oracle_moves legal;
    oracle_generate(&legal, &board);
    for (int i = 0; i < legal.count; i++) {
        char expected[16], text[LUFT_SAN_SIZE] = "";
        spell(expected, &board, &legal, legal.moves[i]);
        luft_move_to_san(text, sizeof text, position, legal.moves[i]);
        require(strcmp(text, expected) == 0, position, expected);
    }
}

static void the_second_writer_agrees(void **state) {
    (void)state;
    visit_random_games(test_rounds(12), check_against_oracle, NULL);
    visit_fantastic_positions(test_rounds(600), check_against_oracle, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_move_of_100000_positions_comes_back),
        cmocka_unit_test(the_second_writer_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
