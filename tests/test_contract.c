/* SPDX-License-Identifier: MIT */
/*
 * The contract on misuse, cases A1 to A6: a call with NULL, a bad number or a garbage
 * position never crashes, writes beyond its results or succeeds. A5 (failing malloc) is
 * tested with the functions that allocate, such as games; none here do. A2 and A3 are also
 * tested with the single functions; here they are together. And C2: engines in one process
 * are independent. tests/contract has the other cases.
 */
#include "support/check.h"
#include "support/random_positions.h"

#include "luft/engine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* --- A1: NULL and nothing ----------------------------------------------- */

static void a1_null_where_a_position_is_written(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const luft_compact compact = {{0}};
    const luft_position_planes planes = {0};
    luft_position position = start;
    assert_int_equal(luft_chess960_position(NULL, 518), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_compute_keys(NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_flip(NULL, &start), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_flip(&position, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_from_fen(NULL, START_FEN, strlen(START_FEN), NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_compact_unpack(NULL, &compact), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_compact_unpack(&position, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_from_planes(NULL, &planes), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_from_planes(&position, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_play(NULL, &start, LUFT_MOVE_NONE), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_play(&position, NULL, LUFT_MOVE_NONE), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_make_null(NULL, &start), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_make_null(&position, NULL), LUFT_ERROR_ARGUMENT);
    luft_make(NULL, &start, LUFT_MOVE_NONE);
    luft_make(&position, NULL, LUFT_MOVE_NONE);
    assert_memory_equal(&position, &start, sizeof start);
}

static void a1_null_where_a_position_is_read(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    luft_move_list list;
    luft_compact compact;
    luft_position_planes planes;
    luft_move move = 0x1234;
    luft_perft_details details = {0};
    assert_int_equal(luft_position_status(NULL), LUFT_STATUS_INCONSISTENT_BOARD);
    assert_int_equal(luft_position_warnings(NULL), 0);
    assert_false(luft_side_has_insufficient_material(NULL, LUFT_WHITE));
    assert_false(luft_side_has_insufficient_material(&start, (luft_color)2));
    assert_false(luft_pgn_can_cut(NULL, 0, 0));
    assert_false(luft_pgn_can_cut(NULL, 100, 10));
    assert_false(luft_position_equal(NULL, &start));
    assert_false(luft_position_equal(&start, NULL));
    assert_false(luft_position_equal(NULL, NULL));
    assert_int_equal(luft_compact_pack(&compact, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_compact_pack(NULL, &start), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_to_planes(&planes, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_to_planes(NULL, &start), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_generate(NULL, &start, LUFT_ALL_MOVES), 0);
    assert_int_equal(luft_generate(&list, NULL, LUFT_ALL_MOVES), 0);
    assert_int_equal(luft_count_moves(NULL), 0);
    assert_false(luft_has_legal_move(NULL));
    assert_false(luft_is_legal(NULL, LUFT_MOVE_NONE));
    assert_false(luft_gives_check(NULL, LUFT_MOVE_NONE));
    assert_int_equal(luft_perft(NULL, 1, LUFT_PERFT_ONE_PLY), 0);
    assert_int_equal(luft_perft_count_details(NULL, &start, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_perft_count_details(&details, NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_move_from_uci(&move, NULL, "e2e4", 4), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_move_from_uci(NULL, &start, "e2e4", 4), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_move_from_san_or_null(&move, NULL, "--", 2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_move_from_san_or_null(NULL, &start, "--", 2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_move_from_san_or_null(&move, &start, NULL, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(move, 0x1234);
}

static void a1_queries_of_null(void **state) {
    (void)state;
    assert_int_equal(luft_piece_at(NULL, LUFT_E1), LUFT_NO_PIECE);
    assert_int_equal(luft_attackers_to(NULL, LUFT_E1, 0), 0);
    assert_false(luft_is_attacked(NULL, LUFT_E1, LUFT_WHITE));
    assert_int_equal(luft_checkers(NULL), 0);
    assert_int_equal(luft_check_count(NULL), 0);
    assert_false(luft_in_check(NULL));
    assert_int_equal(luft_king_attack_map(NULL), 0);
    assert_int_equal(luft_king_reach(NULL, LUFT_WHITE), 0);
    assert_int_equal(luft_pinned(NULL, LUFT_WHITE), 0);
    const luft_position start = luft_start_position();
    luft_king_constraints constraints;
    assert_int_equal(luft_compute_king_constraints(NULL, &start.board, LUFT_WHITE), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_compute_king_constraints(&constraints, NULL, LUFT_WHITE), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pin_ray(NULL, LUFT_E1), 0);
    assert_int_equal(luft_pinner(NULL, LUFT_E1), LUFT_NO_SQUARE);
}

static void a1_text_of_null(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    luft_position position;
    luft_move move = LUFT_MOVE_NONE;
    luft_fen_report report;
    assert_int_equal(luft_position_from_fen(&position, NULL, 10, &report), LUFT_ERROR_ARGUMENT);
    assert_non_null(report.reason);
    assert_int_equal(luft_position_from_fen(&position, NULL, 0, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_from_fen(&position, "", 0, NULL), LUFT_ERROR_FEN_FIELDS);
    assert_int_equal(luft_move_from_uci(&move, &start, NULL, 4), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_move_from_uci(&move, &start, "", 0), LUFT_ERROR_MOVE_SYNTAX);
    luft_square square = LUFT_E4;
    assert_int_equal(luft_square_from_text(NULL, "a1", 2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_square_from_text(&square, NULL, 2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_square_from_text(&square, "", 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_square_from_text(&square, "a1", 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_square_from_text(&square, "a1b", 3), LUFT_ERROR_ARGUMENT);
    assert_int_equal(square, LUFT_E4);

    char text[LUFT_FEN_SIZE] = "x";
    assert_int_equal(luft_position_to_fen(text, sizeof text, NULL, LUFT_FEN_STANDARD), 0);
    assert_true(text[0] == '\0' || text[0] == 'x');
    assert_int_equal(luft_position_to_fen_with_ep(text, sizeof text, NULL, LUFT_FEN_STANDARD, LUFT_NO_SQUARE), 0);
    assert_string_equal(text, "");
    luft_position_to_fen_with_ep(NULL, LUFT_FEN_SIZE, &start, LUFT_FEN_STANDARD, LUFT_NO_SQUARE);
    /* A NULL buffer is never written, whatever the size. */
    luft_position_to_fen(NULL, LUFT_FEN_SIZE, &start, LUFT_FEN_STANDARD);
    luft_move_to_uci(NULL, LUFT_UCI_MOVE_SIZE, LUFT_MOVE_NONE, LUFT_CASTLING_STANDARD);
    luft_bitboard_text(NULL, LUFT_BITBOARD_TEXT_SIZE, 0);
    assert_int_equal(luft_square_to_text(NULL, LUFT_SQUARE_TEXT_SIZE, LUFT_E4), 2);
}

static void a1_pgn_games_of_null(void **state) {
    (void)state;
    const luft_pgn_author person = LUFT_PGN_PERSON;
    luft_pgn_game *game = NULL;
    luft_pgn_tag tag;
    luft_pgn_nag nag;
    luft_pgn_comment comment;
    luft_pgn_writer writer;
    luft_pgn_reader *reader;
    luft_pgn_writer_init(&writer, NULL, NULL);
    assert_int_equal(luft_pgn_reader_create_text(&reader, "*", 1), LUFT_OK);
    assert_int_equal(luft_pgn_game_create(NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_game_read(NULL, reader), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_game_read(&game, NULL), LUFT_ERROR_ARGUMENT);
    luft_pgn_reader_free(reader);
    luft_pgn_game_free(NULL);
    luft_pgn_game_remove_engine(NULL);
    assert_null(luft_pgn_game_error(NULL));
    assert_int_equal(luft_pgn_game_write(&writer, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_game_tag_count(NULL), 0);
    assert_false(luft_pgn_game_tag_at(&tag, NULL, 0));
    assert_null(luft_pgn_game_tag(NULL, "Event", NULL));
    assert_int_equal(luft_pgn_game_set_tag(NULL, "Event", "x", 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_game_result(NULL), LUFT_RESULT_NONE);
    assert_int_equal(luft_pgn_game_set_result(NULL, LUFT_RESULT_DRAW), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_game_node_count(NULL), 0);
    assert_false(luft_pgn_node_exists(NULL, LUFT_PGN_ROOT));
    assert_int_equal(luft_pgn_game_create(&game, NULL), LUFT_OK);
    assert_false(luft_pgn_game_equal(game, NULL));
    assert_false(luft_pgn_game_equal(NULL, game));
    assert_int_equal(luft_pgn_game_write(NULL, game), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_game_write(&writer, game), LUFT_ERROR_WRITE); /* it has no sink */
    assert_false(luft_pgn_game_tag_at(NULL, game, 0));
    assert_null(luft_pgn_game_tag(game, NULL, NULL));
    assert_int_equal(luft_pgn_game_set_tag(game, NULL, "x", 1), LUFT_ERROR_ARGUMENT);
    assert_false(luft_pgn_node_nag_at(NULL, game, LUFT_PGN_ROOT, 0));
    assert_false(luft_pgn_node_comment_at(NULL, game, LUFT_PGN_ROOT, LUFT_PGN_AFTER, 0));
    assert_int_equal(luft_pgn_node_add_comment(game, LUFT_PGN_ROOT, LUFT_PGN_AFTER, NULL, 1, person),
                     LUFT_ERROR_ARGUMENT);
    assert_null(luft_pgn_node_command(game, LUFT_PGN_ROOT, NULL, NULL));
    assert_int_equal(luft_pgn_node_set_command(game, LUFT_PGN_ROOT, NULL, "x", 1, person), LUFT_ERROR_ARGUMENT);

    /* Neither a game that is NULL nor one that exists has these nodes. */
    for (int i = 0; i < 3; i++) {
        luft_pgn_game *const of = i == 0 ? NULL : game;
        const luft_pgn_node node = i == 0 ? LUFT_PGN_ROOT : i == 1 ? 1 : LUFT_PGN_NO_NODE;
        assert_int_equal(luft_pgn_node_parent(of, node), LUFT_PGN_NO_NODE);
        assert_int_equal(luft_pgn_node_next(of, node), LUFT_PGN_NO_NODE);
        assert_int_equal(luft_pgn_node_sibling(of, node), LUFT_PGN_NO_NODE);
        assert_int_equal(luft_pgn_node_find(of, node, LUFT_MOVE_NONE), LUFT_PGN_NO_NODE);
        assert_int_equal(luft_pgn_node_index(of, node), 0);
        assert_int_equal(luft_pgn_node_move(of, node), LUFT_MOVE_NONE);
        assert_null(luft_pgn_node_position(of, node));
        assert_int_equal(luft_pgn_node_author(of, node), LUFT_PGN_PERSON);
        assert_int_equal(luft_pgn_node_add(NULL, of, node, LUFT_MOVE_NONE, person), LUFT_ERROR_ARGUMENT);
        assert_int_equal(luft_pgn_node_delete(of, node), LUFT_ERROR_ARGUMENT);
        assert_int_equal(luft_pgn_node_reorder(of, node, 0), LUFT_ERROR_ARGUMENT);
        assert_int_equal(luft_pgn_node_promote(of, node), LUFT_ERROR_ARGUMENT);
        assert_int_equal(luft_pgn_node_nag_count(of, node), 0);
        assert_false(luft_pgn_node_nag_at(&nag, of, node, 0));
        assert_int_equal(luft_pgn_node_add_nag(of, node, 1, person), LUFT_ERROR_ARGUMENT);
        assert_int_equal(luft_pgn_node_remove_nag(of, node, 1), LUFT_ERROR_ARGUMENT);
        assert_int_equal(luft_pgn_node_comment_count(of, node, LUFT_PGN_AFTER), 0);
        assert_false(luft_pgn_node_comment_at(&comment, of, node, LUFT_PGN_AFTER, 0));
        assert_int_equal(luft_pgn_node_add_comment(of, node, LUFT_PGN_AFTER, "x", 1, person), LUFT_ERROR_ARGUMENT);
        assert_int_equal(luft_pgn_node_set_comment(of, node, LUFT_PGN_AFTER, 0, "x", 1, person), LUFT_ERROR_ARGUMENT);
        assert_int_equal(luft_pgn_node_remove_comment(of, node, LUFT_PGN_AFTER, 0), LUFT_ERROR_ARGUMENT);
        assert_null(luft_pgn_node_command(of, node, "clk", NULL));
        assert_int_equal(luft_pgn_node_set_command(of, node, "clk", "1", 1, person), LUFT_ERROR_ARGUMENT);
    }
    luft_pgn_game_free(game);
}

static void a1_every_error_has_a_text(void **state) {
    (void)state;
    for (int error = -2; error < LUFT_ERROR_COUNT + 2; error++) {
        const char *text = luft_error_string((luft_error)error);
        assert_non_null(text);
        assert_true(text[0] != '\0');
        for (int other = LUFT_OK; other < error && error < LUFT_ERROR_COUNT; other++) {
            assert_string_not_equal(text, luft_error_string((luft_error)other));
        }
    }
    assert_string_equal(luft_version(), LUFT_VERSION);
}

/* --- A2: small buffers -------------------------------------------------- */

static size_t write_fen(char *buffer, size_t size, const void *subject) {
    return luft_position_to_fen(buffer, size, subject, LUFT_FEN_STANDARD);
}

static size_t write_move(char *buffer, size_t size, const void *subject) {
    return luft_move_to_uci(buffer, size, *(const luft_move *)subject, LUFT_CASTLING_CHESS960);
}

static size_t write_bitboard(char *buffer, size_t size, const void *subject) {
    return luft_bitboard_text(buffer, size, *(const luft_bitboard *)subject);
}

static size_t write_square(char *buffer, size_t size, const void *subject) {
    return luft_square_to_text(buffer, size, *(const luft_square *)subject);
}

static void a2_output_stays_within_its_buffer(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const luft_move move = luft_make_move(LUFT_E7, LUFT_E8, LUFT_PROMOTE_QUEEN);
    const luft_bitboard set = LUFT_RANK_1 | LUFT_FILE_A;
    char text[LUFT_BITBOARD_TEXT_SIZE];
    assert_int_equal(luft_bitboard_text(text, sizeof text, set), LUFT_BITBOARD_TEXT_SIZE - 1);
    assert_writes_within(write_fen, &start, START_FEN);
    assert_writes_within(write_move, &move, "e7e8q");
    assert_writes_within(write_bitboard, &set, text);
    const luft_square square = LUFT_E4, none = LUFT_NO_SQUARE;
    assert_writes_within(write_square, &square, "e4");
    assert_writes_within(write_square, &none, "");
}

/* --- A3: text without an end -------------------------------------------- */

static void a3_only_the_given_length_is_read(void **state) {
    (void)state;
    /* The text after the given length would change the meaning if it were read. */
    static const char fen[] = "4k3/8/8/8/8/8/8/4K3 w - - 12 345";
    luft_position position;
    for (size_t length = 26; length <= strlen(fen); length++) {
        char *exact = malloc(length);
        assert_non_null(exact);
        memcpy(exact, fen, length);
        assert_int_equal(luft_position_from_fen(&position, exact, length, NULL), LUFT_OK);
        static const int halfmoves[7] = {0, 1, 12, 12, 12, 12, 12};
        static const int fullmoves[7] = {1, 1, 1, 1, 3, 34, 345};
        assert_int_equal(position.halfmove_clock, halfmoves[length - 26]);
        assert_int_equal(position.fullmove_number, fullmoves[length - 26]);
        free(exact);
    }
    const luft_position start = luft_start_position();
    luft_move move = LUFT_MOVE_NONE;
    assert_int_equal(luft_move_from_uci(&move, &start, "e2e4q and more", 4), LUFT_OK);
    assert_int_equal(luft_move_from_uci(&move, &start, "e2e4", 5),
                     LUFT_ERROR_MOVE_SYNTAX); /* a NUL is not a promotion letter */
    luft_square square = LUFT_NO_SQUARE;
    assert_int_equal(luft_square_from_text(&square, "e4 and more", 2), LUFT_OK);
    assert_int_equal(square, LUFT_E4);
}

/* --- A4: invalid moves -------------------------------------------------- */

static void a4_garbage_moves_leave_the_position_alone(void **state) {
    (void)state;
    luft_position position = position_from(KIWIPETE_FEN);
    const luft_position before = position;
    for (unsigned value = 0; value < 65536; value++) {
        if (!luft_is_legal(&before, (luft_move)value)) {
            assert_int_equal(luft_play(&position, &position, (luft_move)value), LUFT_ERROR_MOVE_ILLEGAL);
        }
    }
    assert_memory_equal(&position, &before, sizeof before);
}

typedef struct walk {
    int plies;
} walk;

static void count_ply(const luft_position *position, void *payload) {
    ((walk *)payload)->plies++;
    if (((walk *)payload)->plies % 64 == 0) {
        require_equal(luft_position_status(position), LUFT_STATUS_VALID, position, "status far into a game");
    }
}

/* No history exists that could overflow: 100,000 moves in a row, restarting when a game ends. */
static void a4_a_hundred_thousand_moves_without_undo(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    walk total = {0};
    for (uint64_t seed = 1; total.plies < test_rounds(100000); seed++) {
        random_game(seed, &start, 100000, count_ply, &total);
        assert_true(seed < 100000);
    }
}

/* --- A6: garbage for a position ----------------------------------------- */

static void a6_garbage_is_not_a_position(void **state) {
    (void)state;
    static const uint8_t fills[] = {0x00, 0xa5, 0xff, 0x5a, 0x01, 0x80};
    for (size_t i = 0; i < sizeof fills; i++) {
        luft_position position;
        luft_compact compact;
        luft_position_planes planes;
        char text[LUFT_FEN_SIZE];
        memset(&position, fills[i], sizeof position);
        memset(&compact, fills[i], sizeof compact);
        memset(&planes, fills[i], sizeof planes);
        assert_int_not_equal(luft_position_status(&position), LUFT_STATUS_VALID);
        assert_int_equal(luft_position_to_fen(text, sizeof text, &position, LUFT_FEN_STANDARD), 0);
        assert_int_equal(luft_position_to_fen_with_ep(text, sizeof text, &position, LUFT_FEN_STANDARD, LUFT_E3), 0);
        assert_int_equal(luft_compact_pack(&compact, &position), LUFT_ERROR_POSITION);
        assert_int_equal(luft_compact_unpack(&position, &compact), LUFT_ERROR_COMPACT);
        assert_int_equal(luft_position_to_planes(&planes, &position), LUFT_ERROR_POSITION);
        assert_int_equal(luft_position_from_planes(&position, &planes), LUFT_ERROR_POSITION);
        /* The keys of garbage are meaningless, but computing them and flipping the garbage are safe. */
        assert_int_equal(luft_position_compute_keys(&position), LUFT_OK);
        assert_int_equal(luft_position_flip(&position, &position), LUFT_OK);
        assert_int_not_equal(luft_position_status(&position), LUFT_STATUS_VALID);
    }
}

/* Sets each byte of a position to every value: the position is refused, or valid and self-consistent. */
static void a6_one_wrong_byte_is_found(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    for (size_t at = 0; at < sizeof start; at++) {
        for (int bit = 0; bit < 8; bit++) {
            luft_position position = start;
            ((uint8_t *)&position)[at] ^= (uint8_t)(1 << bit);
            const bool is_counter = at >= offsetof(luft_position, halfmove_clock) &&
                                    at < offsetof(luft_position, side_to_move) && position.fullmove_number != 0;
            /* The start position is symmetrical, so both keys are equal and the other side may be to move. */
            const bool is_side = at == offsetof(luft_position, side_to_move) && bit == 0;
            assert_int_equal(luft_position_status(&position) == LUFT_STATUS_VALID, is_counter || is_side);
        }
    }
}

static void a6_numbers_off_the_board(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const luft_board *board = &start.board;
    static const int squares[] = {-1, 64, 65, 255, 1 << 20, -(1 << 20)};
    luft_king_constraints constraints, untouched;
    memset(&constraints, 0xff, sizeof constraints); /* every square pinned, by a king that is off the board */
    untouched = constraints;
    assert_int_equal(luft_pin_ray(&constraints, LUFT_E4), 0);
    assert_int_equal(luft_pinner(&constraints, LUFT_E4), LUFT_NO_SQUARE);
    for (size_t i = 0; i < sizeof squares / sizeof squares[0]; i++) {
        const luft_square square = (luft_square)squares[i];
        assert_int_equal(luft_piece_at(board, square), LUFT_NO_PIECE);
        assert_int_equal(luft_square_to_text(NULL, 0, square), 0);
        assert_true(square == LUFT_NO_SQUARE ||
                    luft_position_to_fen_with_ep(NULL, 0, &start, LUFT_FEN_STANDARD, square) == 0);
        assert_int_equal(luft_attackers_to(board, square, luft_occupied(board)), 0);
        assert_false(luft_is_attacked(board, square, LUFT_WHITE));
        constraints.king = LUFT_E1;
        assert_int_equal(luft_pin_ray(&constraints, square), 0);
        assert_int_equal(luft_pinner(&constraints, square), LUFT_NO_SQUARE);
        constraints = untouched;
    }
    static const int colors[] = {-1, 2, 3, 255};
    for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++) {
        const luft_color color = (luft_color)colors[i];
        assert_false(luft_is_attacked(board, LUFT_E2, color));
        assert_int_equal(luft_king_reach(board, color), 0);
        assert_int_equal(luft_pinned(board, color), 0);
        assert_int_equal(luft_compute_king_constraints(&constraints, board, color), LUFT_ERROR_ARGUMENT);
    }
    luft_board headless = start.board;
    headless.kings &= ~luft_bit(LUFT_E1);
    assert_int_equal(luft_king_reach(&headless, LUFT_WHITE), 0);
    assert_int_equal(luft_pinned(&headless, LUFT_WHITE), 0);
    assert_int_equal(luft_compute_king_constraints(&constraints, &headless, LUFT_WHITE), LUFT_ERROR_POSITION);
    assert_memory_equal(&constraints, &untouched, sizeof constraints);
    luft_move_list list;
    assert_int_equal(luft_generate(&list, &start, (luft_move_class)99), 0);
    assert_int_equal(list.count, 0);
}

/* --- C2: engines side by side -------------------------------------------- */

enum { SIDE_BY_SIDE = 8 };

/* A search and its result. */
typedef struct lone_search {
    luft_position position;
    int64_t nodes;
    int score;
    luft_move best;
    bool done;
} lone_search;

static void *search_alone(void *payload) {
    lone_search *search = payload;
    luft_engine *engine = NULL;
    const luft_engine_result *result;
    luft_engine_limits limits = luft_engine_no_limits();
    limits.depth = 7;
    if (luft_engine_create(&engine) == LUFT_OK &&
        luft_engine_set_position(engine, &search->position, NULL, 0, NULL) == LUFT_OK &&
        luft_engine_start(engine, &limits, NULL) == LUFT_OK && luft_engine_wait(engine) == LUFT_OK) {
        result = luft_engine_last_result(engine);
        search->nodes = result->nodes;
        search->score = result->score.value;
        search->best = result->best;
        search->done = true;
    }
    luft_engine_free(engine);
    return NULL;
}

static void c2_eight_engines_search_like_one(void **state) {
    (void)state;
    lone_search alone[SIDE_BY_SIDE] = {0}, together[SIDE_BY_SIDE] = {0};
    pthread_t threads[SIDE_BY_SIDE];
    for (int i = 0; i < SIDE_BY_SIDE; i++) {
        alone[i].position = together[i].position = fantastic_position((uint64_t)i);
        search_alone(&alone[i]);
    }
    for (int i = 0; i < SIDE_BY_SIDE; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, search_alone, &together[i]), 0);
    }
    for (int i = 0; i < SIDE_BY_SIDE; i++) {
        pthread_join(threads[i], NULL);
        assert_true(alone[i].done && together[i].done);
        require_equal((uint64_t)together[i].nodes, (uint64_t)alone[i].nodes, &alone[i].position, "the nodes");
        require_equal(together[i].best, alone[i].best, &alone[i].position, "the best move");
        assert_int_equal(together[i].score, alone[i].score);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a1_null_where_a_position_is_written),
        cmocka_unit_test(a1_null_where_a_position_is_read),
        cmocka_unit_test(a1_queries_of_null),
        cmocka_unit_test(a1_text_of_null),
        cmocka_unit_test(a1_pgn_games_of_null),
        cmocka_unit_test(a1_every_error_has_a_text),
        cmocka_unit_test(a2_output_stays_within_its_buffer),
        cmocka_unit_test(a3_only_the_given_length_is_read),
        cmocka_unit_test(a4_garbage_moves_leave_the_position_alone),
        cmocka_unit_test(a4_a_hundred_thousand_moves_without_undo),
        cmocka_unit_test(a6_garbage_is_not_a_position),
        cmocka_unit_test(a6_one_wrong_byte_is_found),
        cmocka_unit_test(a6_numbers_off_the_board),
        cmocka_unit_test(c2_eight_engines_search_like_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
