/* SPDX-License-Identifier: MIT */
/*
 * Positions: start positions, the colour-flipped position, keys, validity, and the
 * queries about attacks, checks and pins, each against a slow answer computed
 * square by square on the oracle's board.
 */
#include "support/check.h"
#include "support/oracle.h"
#include "support/random_positions.h"

#include "core/zobrist.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- Starts ------------------------------------------------------------- */

static void the_start_position(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const luft_position read = position_from(START_FEN);
    assert_fen(&start, START_FEN);
    assert_memory_equal(&start, &read, sizeof start);
    assert_int_equal(luft_position_status(&start), LUFT_STATUS_VALID);
}

static void chess960_numbers_are_the_usual_ones(void **state) {
    (void)state;
    static const struct {
        int number;
        const char *fen;
    } known[] = {
        {0, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"},
        {518, START_FEN},
        {959, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        luft_position position;
        assert_int_equal(luft_chess960_position(&position, known[i].number), LUFT_OK);
        assert_fen(&position, known[i].fen);
    }
    static const int bad[] = {-1, 960, 1000000, -1000000};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        luft_position position;
        memset(&position, 0xa5, sizeof position);
        const luft_position untouched = position;
        assert_int_equal(luft_chess960_position(&position, bad[i]), LUFT_ERROR_ARGUMENT);
        assert_memory_equal(&position, &untouched, sizeof position);
    }
}

/* The rule of Chess960: the king between the rooks, the bishops on squares of either colour. */
static void all_960_starts_are_different_and_fair(void **state) {
    (void)state;
    static char home[960][9];
    for (int number = 0; number < 960; number++) {
        luft_position position;
        assert_int_equal(luft_chess960_position(&position, number), LUFT_OK);
        assert_int_equal(luft_position_status(&position), LUFT_STATUS_VALID);
        const oracle_board board = oracle_from_position(&position);
        memcpy(home[number], board.pieces + 56, 8);
        const int king = oracle_king(&board, LUFT_WHITE);
        assert_in_range(board.castling_rook[LUFT_WHITE][ORACLE_QUEEN_SIDE], 56, king - 1);
        assert_in_range(board.castling_rook[LUFT_WHITE][ORACLE_KING_SIDE], king + 1, 63);
        const char *first_bishop = strchr(home[number], 'B');
        const char *second_bishop = strrchr(home[number], 'B');
        assert_int_equal((second_bishop - first_bishop) % 2, 1);
        for (int file = 0; file < 8; file++) {
            assert_int_equal(board.pieces[file], tolower((unsigned char)home[number][file]));
        }
        for (int other = 0; other < number; other++) {
            assert_string_not_equal(home[number], home[other]);
        }
    }
}

/* --- The colour-flipped position ----------------------------------------- */

static luft_move flipped_move(luft_move move) {
    return luft_make_move(luft_square_flip(luft_move_from(move)), luft_square_flip(luft_move_to(move)),
                          luft_move_kind_of(move));
}

static void check_flipped(const luft_position *position, void *payload) {
    (void)payload;
    luft_position flipped;
    luft_position back;
    require(luft_position_flip(&flipped, position) == LUFT_OK, position, "flip");
    require(luft_position_flip(&back, &flipped) == LUFT_OK, position, "flip back");
    require(memcmp(&back, position, sizeof back) == 0, position, "flipped twice is the same");
    require_equal(luft_position_status(&flipped), LUFT_STATUS_VALID, position, "status of the flipped position");
    require_equal(luft_key(&flipped), luft_key(position), position, "the key of the flipped position");
    require_equal(flipped.key[LUFT_WHITE], position->key[LUFT_BLACK], position, "the views are exchanged");
    require_equal(flipped.key[LUFT_BLACK], position->key[LUFT_WHITE], position, "the views are exchanged");

    for (int square = 0; square < 64; square++) {
        const luft_piece piece = luft_piece_at(&position->board, (luft_square)square);
        const luft_piece expected = piece == LUFT_NO_PIECE ? piece : (luft_piece)(piece ^ 8);
        require_equal(luft_piece_at(&flipped.board, luft_square_flip((luft_square)square)), expected, position,
                      "a piece");
    }
    luft_move_list moves;
    luft_move_list flipped_moves;
    luft_generate(&moves, position, LUFT_ALL_MOVES);
    luft_generate(&flipped_moves, &flipped, LUFT_ALL_MOVES);
    require_equal((uint64_t)flipped_moves.count, (uint64_t)moves.count, position, "moves of the flipped position");
    for (int i = 0; i < moves.count; i++) {
        moves.moves[i] = flipped_move(moves.moves[i]);
    }
    sort_moves(&moves);
    sort_moves(&flipped_moves);
    const size_t size = (size_t)moves.count * sizeof moves.moves[0];
    require(memcmp(moves.moves, flipped_moves.moves, size) == 0, position, "the moves are mirrored");
}

static void flipped_positions_agree(void **state) {
    (void)state;
    visit_random_positions(test_rounds(100), check_flipped, NULL);
    luft_position position = position_from(KIWIPETE_FEN);
    const luft_position original = position;
    assert_int_equal(luft_position_flip(&position, &position), LUFT_OK); /* in place */
    assert_fen(&position, "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1");
    assert_int_equal(luft_position_flip(&position, &position), LUFT_OK);
    assert_true(luft_position_equal(&position, &original));
}

/* --- Keys --------------------------------------------------------------- */

static void different_positions_have_different_keys(void **state) {
    (void)state;
    static const char *const fens[] = {
        "r3k2r/8/8/3pP3/8/8/7P/R3K2R w KQkq d6 0 1", "r3k2r/8/8/3pP3/8/8/7P/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/7P/R3K2R b KQkq - 0 1",  "r3k2r/8/8/3pP3/8/8/7P/R3K2R w KQk - 0 1",
        "r3k2r/8/8/3pP3/8/8/7P/R3K2R w KQq - 0 1",   "r3k2r/8/8/3pP3/8/8/7P/R3K2R w Kkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/7P/R3K2R w Qkq - 0 1",   "r3k2r/8/8/3pP3/8/8/7P/R3K2R w - - 0 1",
        "r3k2r/8/8/2PpP3/8/8/7P/R3K2R w KQkq - 0 1", "r3k2r/8/8/3pP3/8/7P/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pN3/8/8/7P/R3K2R w KQkq - 0 1",  "r3k2r/8/8/3pp3/8/8/7P/R3K2R w KQkq - 0 1",
    };
    enum { COUNT = sizeof fens / sizeof fens[0] };
    for (size_t i = 0; i < COUNT; i++) {
        const luft_position a = position_from(fens[i]);
        for (size_t j = 0; j < i; j++) {
            const luft_position b = position_from(fens[j]);
            assert_true(luft_key(&a) != luft_key(&b));
            assert_false(luft_position_equal(&a, &b));
        }
    }
}

static void keys_know_nothing_of_the_counters(void **state) {
    (void)state;
    const luft_position a = position_from("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    const luft_position b = position_from("4k3/8/8/8/8/8/4P3/4K3 w - - 17 40");
    const luft_position no_pawns = position_from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_int_equal(a.key[0], b.key[0]);
    assert_int_equal(a.key[1], b.key[1]);
    assert_int_equal(a.pawn_key, b.pawn_key);
    assert_int_not_equal(a.pawn_key, 0);
    assert_int_equal(no_pawns.pawn_key, 0);
    assert_false(luft_position_equal(&a, &b));
    assert_true(luft_position_equal(&a, &a));
}

/* What the piece on a square, as a FEN letter, adds to the key as `viewer` sees it; 0 for an empty square. */
static uint64_t piece_constant(luft_color viewer, char letter, int square) {
    if (letter == '.') {
        return 0;
    }
    static const char letters[] = "PNBRQK";
    const luft_color color = isupper((unsigned char)letter) ? LUFT_WHITE : LUFT_BLACK;
    const int type = (int)(strchr(letters, toupper((unsigned char)letter)) - letters) + LUFT_PAWN;
    return luft_zobrist_piece[color][type][square].key[viewer];
}

/* The key that `viewer` has of a position, put together square by square from the oracle's board. */
static uint64_t slow_key(const luft_position *position, luft_color viewer) {
    const oracle_board board = oracle_from_position(position);
    uint64_t key = 0;
    for (int square = 0; square < 64; square++) {
        key ^= piece_constant(viewer, board.pieces[square], square);
    }
    for (int i = 0; i < 4; i++) {
        const int rook = board.castling_rook[i / 2][i % 2];
        key ^= rook == ORACLE_NONE ? 0 : luft_zobrist_castling[rook].key[viewer];
    }
    return key ^ (board.ep_square == ORACLE_NONE ? 0 : luft_zobrist_ep_file[board.ep_square % 8]);
}

/* Each view changes by what changed in that view, and the views swap their places in the pair. */
static void check_pair_after(const luft_position *before, const luft_position *after) {
    const luft_color us = (luft_color)before->side_to_move, them = luft_opposite(us);
    const luft_key_pair old = luft_keys(before), new = luft_keys(after);
    require_equal(new.own, old.other ^ slow_key(before, them) ^ slow_key(after, them), after, "own after a move");
    require_equal(new.other, old.own ^ slow_key(before, us) ^ slow_key(after, us), after, "other after a move");
}

static void check_pair(const luft_position *position, void *payload) {
    uint64_t *en_passant_squares = payload;
    const luft_key_pair pair = luft_keys(position);
    luft_move_list list;
    luft_position next;
    require_equal(pair.own, luft_key(position), position, "own is the key");
    require_equal(pair.own, slow_key(position, (luft_color)position->side_to_move), position, "own");
    require_equal(pair.other, slow_key(position, luft_opposite((luft_color)position->side_to_move)), position, "other");
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        luft_make(&next, position, list.moves[i]);
        check_pair_after(position, &next);
    }
    luft_position flipped;
    require_equal(luft_position_flip(&flipped, position), LUFT_OK, position, "flip");
    require_equal(luft_keys(&flipped).own, pair.own, position, "own of the colour-flipped position");
    require_equal(luft_keys(&flipped).other, pair.other, position, "other of the colour-flipped position");
    if (luft_make_null(&next, position) == LUFT_OK) {
        const bool has_ep = position->ep_square != LUFT_NO_SQUARE;
        const uint64_t ep = has_ep ? luft_zobrist_ep_file[position->ep_square % 8] : 0;
        require_equal(luft_keys(&next).own, pair.other ^ ep, position, "own after a null move");
        require_equal(luft_keys(&next).other, pair.own ^ ep, position, "other after a null move");
        *en_passant_squares += has_ep;
    }
}

static void the_pair_of_keys_swaps_with_every_move(void **state) {
    (void)state;
    uint64_t en_passant_squares = 0;
    visit_random_positions(test_rounds(40), check_pair, &en_passant_squares);
    assert_true(en_passant_squares > 0); /* the exception of the null move has been tested */
}

/* --- Validity ----------------------------------------------------------- */

/* Puts a piece on a square, valid or not. */
static void put_piece(luft_position *position, luft_square square, luft_piece piece) {
    luft_board *board = &position->board;
    const luft_piece_type type = luft_piece_type_of(piece);
    const luft_bitboard bit = luft_bit(square);
    board->pawns |= type == LUFT_PAWN ? bit : 0;
    board->knights |= type == LUFT_KNIGHT ? bit : 0;
    board->diagonal |= type == LUFT_BISHOP || type == LUFT_QUEEN ? bit : 0;
    board->orthogonal |= type == LUFT_ROOK || type == LUFT_QUEEN ? bit : 0;
    board->kings |= type == LUFT_KING ? bit : 0;
    board->color[luft_piece_color(piece)] |= bit;
}

static luft_position position_of(size_t count, const luft_square *squares, const luft_piece *pieces) {
    luft_position position = {.side_to_move = LUFT_WHITE, .ep_square = LUFT_NO_SQUARE, .fullmove_number = 1};
    for (size_t i = 0; i < count; i++) {
        put_piece(&position, squares[i], pieces[i]);
    }
    return position;
}

/* White Ke1, Black Ke8: valid, and ready to be spoiled. */
static luft_position bare_kings(void) {
    static const luft_square squares[] = {LUFT_E1, LUFT_E8};
    static const luft_piece kings[] = {LUFT_WHITE_KING, LUFT_BLACK_KING};
    return position_of(2, squares, kings);
}

/* The status once the keys are made to fit. */
static unsigned status_of(luft_position position) {
    assert_int_equal(luft_position_compute_keys(&position), LUFT_OK);
    return luft_position_status(&position);
}

static void a_board_that_contradicts_itself_is_broken(void **state) {
    (void)state;
    assert_int_equal(status_of(bare_kings()), LUFT_STATUS_VALID);
    const luft_bitboard e4 = luft_bit(LUFT_E4);
    luft_position spoiled[7];
    for (size_t i = 0; i < 7; i++) {
        spoiled[i] = bare_kings();
    }
    spoiled[0].board.pawns |= e4;             /* a type without a colour */
    spoiled[1].board.color[LUFT_BLACK] |= e4; /* a colour without a type */
    put_piece(&spoiled[2], LUFT_E4, LUFT_WHITE_PAWN);
    put_piece(&spoiled[2], LUFT_E4, LUFT_BLACK_PAWN); /* two colours */
    put_piece(&spoiled[3], LUFT_E4, LUFT_WHITE_PAWN);
    put_piece(&spoiled[3], LUFT_E4, LUFT_WHITE_KNIGHT); /* two types */
    put_piece(&spoiled[4], LUFT_E4, LUFT_WHITE_KNIGHT);
    put_piece(&spoiled[4], LUFT_E4, LUFT_WHITE_ROOK);
    put_piece(&spoiled[5], LUFT_E1, LUFT_WHITE_BISHOP); /* a king and a bishop */
    put_piece(&spoiled[6], LUFT_E4, LUFT_BLACK_PAWN);
    put_piece(&spoiled[6], LUFT_E4, LUFT_BLACK_QUEEN);
    for (size_t i = 0; i < 7; i++) {
        assert_true((luft_position_status(&spoiled[i]) & LUFT_STATUS_INCONSISTENT_BOARD) != 0);
    }
    assert_int_equal(luft_position_status(NULL), LUFT_STATUS_INCONSISTENT_BOARD);
}

/* Adds pieces to the bare kings, on the squares from `first` on. */
static luft_position crowd(int count, luft_square first, luft_piece piece) {
    luft_position position = bare_kings();
    for (int i = 0; i < count; i++) {
        put_piece(&position, (luft_square)(first + i), piece);
    }
    return position;
}

static void wrong_numbers_of_pieces_are_named(void **state) {
    (void)state;
    static const luft_square e1 = LUFT_E1;
    static const luft_piece white_king = LUFT_WHITE_KING;
    static const luft_piece black_king = LUFT_BLACK_KING;
    assert_int_equal(status_of(position_of(1, &e1, &white_king)), LUFT_STATUS_NO_BLACK_KING);
    assert_int_equal(status_of(position_of(1, &e1, &black_king)), LUFT_STATUS_NO_WHITE_KING);
    assert_int_equal(status_of(position_of(0, NULL, NULL)), LUFT_STATUS_NO_WHITE_KING | LUFT_STATUS_NO_BLACK_KING);
    assert_int_equal(status_of(crowd(1, LUFT_A4, LUFT_WHITE_KING)), LUFT_STATUS_TOO_MANY_WHITE_KINGS);
    assert_int_equal(status_of(crowd(1, LUFT_A4, LUFT_BLACK_KING)), LUFT_STATUS_TOO_MANY_BLACK_KINGS);
    assert_int_equal(status_of(crowd(8, LUFT_A4, LUFT_WHITE_PAWN)), LUFT_STATUS_VALID);
    assert_int_equal(status_of(crowd(9, LUFT_A4, LUFT_WHITE_PAWN)), LUFT_STATUS_TOO_MANY_WHITE_PAWNS);
    assert_int_equal(status_of(crowd(9, LUFT_A5, LUFT_BLACK_PAWN)), LUFT_STATUS_TOO_MANY_BLACK_PAWNS);
    assert_int_equal(status_of(crowd(15, LUFT_A3, LUFT_WHITE_KNIGHT)), LUFT_STATUS_VALID);
    assert_int_equal(status_of(crowd(16, LUFT_A3, LUFT_WHITE_KNIGHT)), LUFT_STATUS_TOO_MANY_WHITE_PIECES);
    assert_int_equal(status_of(crowd(16, LUFT_A6, LUFT_BLACK_KNIGHT)), LUFT_STATUS_TOO_MANY_BLACK_PIECES);
    assert_int_equal(status_of(crowd(1, LUFT_A8, LUFT_WHITE_PAWN)), LUFT_STATUS_PAWN_ON_BACK_RANK);
    assert_int_equal(status_of(crowd(1, LUFT_H1, LUFT_BLACK_PAWN)), LUFT_STATUS_PAWN_ON_BACK_RANK);
}

static void a_king_that_could_be_taken_is_named(void **state) {
    (void)state;
    luft_position position = crowd(1, LUFT_E4, LUFT_WHITE_ROOK);
    assert_int_equal(status_of(position), LUFT_STATUS_OPPONENT_IN_CHECK);
    position.side_to_move = LUFT_BLACK;
    assert_int_equal(status_of(position), LUFT_STATUS_VALID);
    assert_int_equal(status_of(crowd(1, LUFT_D7, LUFT_WHITE_PAWN)), LUFT_STATUS_OPPONENT_IN_CHECK);
}

static void impossible_castling_rights_are_named(void **state) {
    (void)state;
    static const struct {
        luft_square king, rook, other_rook;
        bool valid;
    } cases[] = {
        {LUFT_E1, LUFT_H1, LUFT_A1, true},         /* standard chess */
        {LUFT_B1, LUFT_A1, LUFT_C1, true},         /* Chess960 */
        {LUFT_E1, LUFT_F1, LUFT_NO_SQUARE, true},  /* one right alone */
        {LUFT_E1, LUFT_F1, LUFT_H1, false},        /* two rooks on one side */
        {LUFT_E1, LUFT_A1, LUFT_B1, false},        /* on the other */
        {LUFT_E2, LUFT_A1, LUFT_NO_SQUARE, false}, /* the king has moved */
        {LUFT_A1, LUFT_H1, LUFT_NO_SQUARE, false}, /* no king starts in the corner */
        {LUFT_H1, LUFT_A1, LUFT_NO_SQUARE, false}, /* nor in the other */
        {LUFT_E1, LUFT_H4, LUFT_A1, false},        /* a rook has moved */
        {LUFT_E1, LUFT_H8, LUFT_A1, false},        /* to the other side's home */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool two_rooks = cases[i].other_rook != LUFT_NO_SQUARE;
        const luft_square squares[] = {cases[i].king, LUFT_D7, cases[i].rook, cases[i].other_rook};
        static const luft_piece pieces[] = {LUFT_WHITE_KING, LUFT_BLACK_KING, LUFT_WHITE_ROOK, LUFT_WHITE_ROOK};
        luft_position position = position_of(two_rooks ? 4 : 3, squares, pieces);
        position.board.castling = luft_bit(cases[i].rook) | (two_rooks ? luft_bit(cases[i].other_rook) : 0);
        assert_int_equal(status_of(position), cases[i].valid ? LUFT_STATUS_VALID : LUFT_STATUS_BAD_CASTLING);
    }
    static const luft_piece not_rooks[] = {LUFT_NO_PIECE, LUFT_WHITE_QUEEN, LUFT_WHITE_KNIGHT, LUFT_BLACK_ROOK};
    for (size_t i = 0; i < sizeof not_rooks / sizeof not_rooks[0]; i++) {
        luft_position position = crowd(not_rooks[i] != LUFT_NO_PIECE, LUFT_A1, not_rooks[i]);
        position.board.castling = luft_bit(LUFT_A1);
        assert_int_equal(status_of(position), LUFT_STATUS_BAD_CASTLING);
    }
}

static void impossible_en_passant_squares_are_named(void **state) {
    (void)state;
    luft_position position = position_from("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    assert_int_equal(position.ep_square, LUFT_D6);
    for (int square = 0; square < 256; square++) {
        if (square != LUFT_D6 && square != LUFT_NO_SQUARE) {
            position.ep_square = (uint8_t)square;
            assert_int_equal(status_of(position), LUFT_STATUS_BAD_EN_PASSANT);
        }
    }
    position = position_from("4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1"); /* the capturing pawn is pinned */
    position.ep_square = LUFT_D6;
    assert_int_equal(status_of(position), LUFT_STATUS_BAD_EN_PASSANT);
    position = position_from("4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1"); /* the pawn cannot have come from d7 */
    position.ep_square = LUFT_D6;
    assert_int_equal(status_of(position), LUFT_STATUS_BAD_EN_PASSANT);
}

static void bad_sides_counters_and_keys_are_named(void **state) {
    (void)state;
    luft_position position = luft_start_position();
    position.fullmove_number = 0;
    assert_int_equal(status_of(position), LUFT_STATUS_BAD_COUNTER);
    for (int side = 2; side < 256; side++) {
        position = luft_start_position();
        position.side_to_move = (uint8_t)side;
        assert_true((luft_position_status(&position) & LUFT_STATUS_BAD_SIDE) != 0);
    }
    for (int bit = 0; bit < 64; bit++) {
        uint64_t *const words[] = {&position.key[0], &position.key[1], &position.pawn_key};
        for (size_t word = 0; word < 3; word++) {
            position = luft_start_position();
            *words[word] ^= UINT64_C(1) << bit;
            assert_int_equal(luft_position_status(&position), LUFT_STATUS_BAD_KEY);
        }
    }
}

static void all_faults_are_listed_together(void **state) {
    (void)state;
    luft_position position = crowd(9, LUFT_A4, LUFT_WHITE_PAWN);
    put_piece(&position, LUFT_A8, LUFT_BLACK_PAWN);
    put_piece(&position, LUFT_A6, LUFT_BLACK_KING);
    position.fullmove_number = 0;
    const unsigned expected = LUFT_STATUS_TOO_MANY_WHITE_PAWNS | LUFT_STATUS_PAWN_ON_BACK_RANK |
                              LUFT_STATUS_TOO_MANY_BLACK_KINGS | LUFT_STATUS_BAD_COUNTER;
    assert_int_equal(status_of(position) & expected, expected);
}

/* Checks that no game leads to. The position stays valid; only the warnings name them. */
static void impossible_checks_are_warned_of(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        unsigned warnings;
    } cases[] = {
        {START_FEN, 0},
        {"4k3/8/8/8/8/8/8/r3K3 w - - 0 1", 0},
        {"1k2r3/8/8/8/8/3n4/8/4K3 w - - 0 1", 0},  /* Ne5-d3 opened the e-file */
        {"1k2r3/8/8/8/8/2b5/8/4K3 w - - 0 1", 0},  /* Be5-c3 too */
        {"4k3/8/8/b7/8/8/8/2q1K3 w - - 0 1", 0},   /* d2xc1=Q opened the diagonal */
        {"1k2r3/8/1b6/8/8/3pK3/8/8 w - - 0 1", 0}, /* e4xd3 en passant opened two lines */
        {"4k3/4r3/8/8/8/3n4/8/r3K3 w - - 0 1", LUFT_STATUS_TOO_MANY_CHECKERS},
        {"4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", LUFT_STATUS_IMPOSSIBLE_CHECK}, /* two knights */
        {"4k3/8/8/8/8/8/3p1p2/4K3 w - - 0 1", LUFT_STATUS_IMPOSSIBLE_CHECK}, /* two pawns */
        {"4k3/8/8/8/8/5n2/3p4/4K3 w - - 0 1", LUFT_STATUS_IMPOSSIBLE_CHECK}, /* a knight and a pawn */
        {"4k3/8/8/8/8/8/8/r3K2r w - - 0 1", LUFT_STATUS_IMPOSSIBLE_CHECK},   /* two rooks on one rank */
        {"4k3/8/8/b7/1K6/2q5/8/8 w - - 0 1", LUFT_STATUS_IMPOSSIBLE_CHECK},  /* Ba5 and Qc3 on one diagonal */
        {"4k3/8/8/2PpP3/4K3/8/8/8 w - d6 0 1", 0},                           /* d7-d5 gave check */
        {"4k3/8/r6K/3pP3/8/8/8/8 w - d6 0 1", LUFT_STATUS_IMPOSSIBLE_CHECK}, /* the rook gave check before d7-d5 */
        {"4k3/8/r6K/3pP3/8/8/8/8 w - - 0 1", 0},                             /* after another move it can */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const luft_position position = position_from(cases[i].fen);
        luft_position flipped;
        assert_int_equal(luft_position_flip(&flipped, &position), LUFT_OK);
        require_equal(luft_position_status(&position), LUFT_STATUS_VALID, &position, "valid");
        require_equal(luft_position_warnings(&position), cases[i].warnings, &position, "warnings");
        require_equal(luft_position_warnings(&flipped), cases[i].warnings, &flipped,
                      "warnings of the flipped position");
    }
    const luft_position no_king = position_of(0, NULL, NULL);
    assert_int_equal(luft_position_warnings(&no_king), 0);
    assert_int_equal(luft_position_warnings(NULL), 0);
}

static void has_no_warning(const luft_position *position, void *payload) {
    (void)payload;
    require_equal(luft_position_warnings(position), 0, position, "no warning in a game");
}

static void no_position_of_a_game_is_warned_of(void **state) {
    (void)state;
    visit_random_games(test_rounds(2000), has_no_warning, NULL);
}

static void every_status_has_its_own_words(void **state) {
    (void)state;
    assert_string_equal(luft_status_string(LUFT_STATUS_VALID), "valid");
    for (int bit = 0; bit < 32; bit++) {
        const char *text = luft_status_string(1U << bit);
        assert_non_null(text);
        assert_true(text[0] != '\0');
        for (int other = 0; other < bit && bit < 18; other++) {
            assert_string_not_equal(text, luft_status_string(1U << other));
        }
        assert_string_equal(luft_status_string(~0U << bit), text); /* the lowest bit speaks */
    }
}

/* --- Questions ---------------------------------------------------------- */

/* The steps from a to b if they share a line, in squares of the mailbox; 0 otherwise. */
static int line_step(int a, int b) {
    const int east = b % 8 - a % 8;
    const int south = b / 8 - a / 8;
    if (a == b || (east != 0 && south != 0 && abs(east) != abs(south))) {
        return 0;
    }
    return (east > 0) - (east < 0) + 8 * ((south > 0) - (south < 0));
}

/* The checkers and the squares on the way to them. */
static uint64_t slow_king_attack_map(const oracle_board *board, int king) {
    uint64_t map = 0;
    for (int square = 0; square < 64; square++) {
        if (!oracle_is_color(board->pieces[square], luft_opposite(board->side)) ||
            !oracle_attacks(board, square, king)) {
            continue;
        }
        map |= UINT64_C(1) << square;
        const bool slides = strchr("BRQ", toupper((unsigned char)board->pieces[square])) != NULL;
        for (int on_way = slides ? king + line_step(king, square) : square; on_way != square;
             on_way += line_step(king, square)) {
            map |= UINT64_C(1) << on_way;
        }
    }
    return map;
}

/* A piece is pinned if removing it lets a slider attack the king that did not before. */
static uint64_t slow_pinned(const oracle_board *board, luft_color color) {
    const int king = oracle_king(board, color);
    const uint64_t before = oracle_attackers(board, king, luft_opposite(color));
    uint64_t pinned = 0;
    for (int square = 0; square < 64; square++) {
        if (oracle_is_color(board->pieces[square], color) && square != king) {
            oracle_board without = *board;
            without.pieces[square] = '.';
            if ((oracle_attackers(&without, king, luft_opposite(color)) & ~before) != 0) {
                pinned |= UINT64_C(1) << square;
            }
        }
    }
    return pinned;
}

/* Where a queen in the king's place could look. */
static uint64_t slow_reach(const oracle_board *board, luft_color color) {
    const int king = oracle_king(board, color);
    oracle_board with_queen = *board;
    with_queen.pieces[king] = 'Q';
    uint64_t reach = 0;
    for (int square = 0; square < 64; square++) {
        reach |= (uint64_t)oracle_attacks(&with_queen, king, square) << square;
    }
    return reach;
}

/* The rays of a side's pins, the king excluded and the pinner included: of one pinned piece, or of all (ORACLE_NONE). */
static uint64_t slow_pin_rays(const oracle_board *board, luft_color color, int pinned, bool orthogonal) {
    const int king = oracle_king(board, color);
    const uint64_t before = oracle_attackers(board, king, luft_opposite(color));
    uint64_t rays = 0;
    for (int square = 0; square < 64; square++) {
        if (!oracle_is_color(board->pieces[square], color) || square == king ||
            (pinned != ORACLE_NONE && square != pinned)) {
            continue;
        }
        oracle_board without = *board;
        without.pieces[square] = '.';
        const uint64_t pinners = oracle_attackers(&without, king, luft_opposite(color)) & ~before;
        for (int pinner = 0; pinner < 64; pinner++) {
            if ((pinners >> pinner & 1) == 0 || orthogonal != (pinner % 8 == king % 8 || pinner / 8 == king / 8)) {
                continue;
            }
            for (int on_ray = king; on_ray != pinner;) {
                on_ray += line_step(king, pinner);
                rays |= UINT64_C(1) << on_ray;
            }
        }
    }
    return rays;
}

/* The enemy piece that attacks the king once the piece on this square is gone and did not before. */
static int slow_pinner(const oracle_board *board, luft_color color, int square) {
    const int king = oracle_king(board, color);
    oracle_board without = *board;
    without.pieces[square] = '.';
    const uint64_t pinners =
        oracle_attackers(&without, king, luft_opposite(color)) & ~oracle_attackers(board, king, luft_opposite(color));
    for (int pinner = 0; pinner < 64; pinner++) {
        if ((pinners >> pinner & 1) != 0) {
            return pinner;
        }
    }
    return LUFT_NO_SQUARE;
}

/* How often the cases that matter have come up. */
typedef struct constraint_cases {
    int checks, double_checks, pins;
} constraint_cases;

static void check_constraints_of(const luft_position *position, luft_color color, constraint_cases *cases) {
    const oracle_board board = oracle_from_position(position);
    const int king = oracle_king(&board, color);
    const uint64_t checkers = oracle_attackers(&board, king, luft_opposite(color));
    oracle_board turned = board;
    turned.side = color;
    luft_king_constraints found;
    memset(&found, 0xa5, sizeof found);
    require_equal(luft_compute_king_constraints(&found, &position->board, color), LUFT_OK, position, "constraints");
    int count = 0;
    for (int square = 0; square < 64; square++) {
        count += (int)(checkers >> square & 1);
    }
    const uint64_t mask = count == 0 ? ~UINT64_C(0) : count == 1 ? slow_king_attack_map(&turned, king) : 0;
    require_equal((uint64_t)found.king, (uint64_t)king, position, "king");
    require_equal(found.checkers, checkers, position, "checkers");
    require_equal((uint64_t)found.check_count, (uint64_t)count, position, "check count");
    require_equal(found.check_mask, mask, position, "check mask");
    require_equal(found.pin_orthogonal, slow_pin_rays(&board, color, ORACLE_NONE, true), position, "orthogonal pins");
    require_equal(found.pin_diagonal, slow_pin_rays(&board, color, ORACLE_NONE, false), position, "diagonal pins");
    require_equal(found.pinned, slow_pinned(&board, color), position, "pinned");
    for (int square = 0; square < 64; square++) {
        const bool is_pinned = (found.pinned >> square & 1) != 0;
        const uint64_t ray =
            is_pinned ? slow_pin_rays(&board, color, square, true) | slow_pin_rays(&board, color, square, false) : 0;
        const int pinner = is_pinned ? slow_pinner(&board, color, square) : LUFT_NO_SQUARE;
        require_equal(luft_pin_ray(&found, (luft_square)square), ray, position, "pin ray");
        require_equal((uint64_t)luft_pinner(&found, (luft_square)square), (uint64_t)pinner, position, "pinner");
        cases->pins += is_pinned;
    }
    cases->checks += count == 1;
    cases->double_checks += count > 1;
}

static void check_constraints(const luft_position *position, void *payload) {
    check_constraints_of(position, LUFT_WHITE, payload);
    check_constraints_of(position, LUFT_BLACK, payload);
}

static void checks_and_pins_are_those_of_the_oracle(void **state) {
    (void)state;
    constraint_cases cases = {0};
    visit_random_positions(test_rounds(60), check_constraints, &cases);
    assert_true(cases.checks > 0 && cases.double_checks > 0 && cases.pins > 0);
}

/* Pins on both sides of the king on one line, which share a line but no ray; and a knight's check, whose mask is itself. */
static void rays_on_one_line_are_told_apart(void **state) {
    (void)state;
    const luft_position position = position_from("7k/8/8/8/r1N1K1Br/8/3n4/8 w - - 0 1");
    const luft_bitboard west = luft_bit(LUFT_D4) | luft_bit(LUFT_C4) | luft_bit(LUFT_B4) | luft_bit(LUFT_A4);
    const luft_bitboard east = luft_bit(LUFT_F4) | luft_bit(LUFT_G4) | luft_bit(LUFT_H4);
    luft_king_constraints found;
    assert_int_equal(luft_compute_king_constraints(&found, &position.board, LUFT_WHITE), LUFT_OK);
    assert_int_equal(found.king, LUFT_E4);
    assert_int_equal(found.check_count, 1);
    assert_int_equal(found.check_mask, luft_bit(LUFT_D2));
    assert_int_equal(found.pin_orthogonal, west | east);
    assert_int_equal(found.pin_diagonal, 0);
    assert_int_equal(found.pinned, luft_bit(LUFT_C4) | luft_bit(LUFT_G4));
    assert_int_equal(luft_pin_ray(&found, LUFT_C4), west);
    assert_int_equal(luft_pin_ray(&found, LUFT_G4), east);
    assert_int_equal(luft_pinner(&found, LUFT_C4), LUFT_A4);
    assert_int_equal(luft_pinner(&found, LUFT_G4), LUFT_H4);
    assert_int_equal(luft_pin_ray(&found, LUFT_D4), 0); /* on a ray, but not the pinned piece */
    assert_int_equal(luft_pinner(&found, LUFT_A4), LUFT_NO_SQUARE);
}

/* Does the move leave or reach the reach map of the king of the side not to move? */
static bool touches_reach(const luft_position *position, luft_move move) {
    const luft_bitboard reach = luft_king_reach(&position->board, luft_opposite((luft_color)position->side_to_move));
    return (reach & (luft_bit(luft_move_from(move)) | luft_bit(luft_move_to(move)))) != 0;
}

static void check_reach(const luft_position *position, void *payload) {
    (void)payload;
    const oracle_board board = oracle_from_position(position);
    oracle_moves list;
    oracle_generate(&list, &board);
    for (int i = 0; i < list.count; i++) {
        const luft_move move = list.moves[i];
        const luft_move_kind kind = luft_move_kind_of(move);
        const oracle_board after = oracle_make(&board, move);
        const bool knight = toupper((unsigned char)board.pieces[luft_move_from(move)]) == 'N' ||
                            luft_move_promotion(move) == LUFT_KNIGHT;
        if (!knight && kind != LUFT_CASTLING && kind != LUFT_EN_PASSANT && !touches_reach(position, move)) {
            require(!oracle_in_check(&after, after.side), position, "a check from off the reach map");
        }
    }
}

/* What position.h says of the reach map: the rule over random positions, and an example of each exception. */
static void only_four_kinds_of_moves_give_check_from_off_the_reach_map(void **state) {
    (void)state;
    static const struct {
        const char *fen, *move;
    } exceptions[] = {
        {"6k1/8/8/3pP3/8/8/B7/4K3 w - d6 0 1", "e5d6"}, /* opens a2-g8 by the pawn that it captures */
        {"8/4Ppk1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n"},   /* f7 hides e7 from g7 */
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"},     /* the rook arrives on f1 */
        {"4k3/8/N7/8/8/8/8/4K3 w - - 0 1", "a6c7"},
    };
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++) {
        const luft_position position = position_from(exceptions[i].fen);
        const luft_move move = move_from(&position, exceptions[i].move);
        const oracle_board board = oracle_from_position(&position), after = oracle_make(&board, move);
        require(oracle_in_check(&after, after.side), &position, exceptions[i].move);
        require(luft_gives_check(&position, move), &position, exceptions[i].move);
        require(!touches_reach(&position, move), &position, exceptions[i].move);
    }
    visit_random_positions(test_rounds(20), check_reach, NULL);
}

static void check_questions(const luft_position *position, void *payload) {
    (void)payload;
    const luft_board *luft = &position->board;
    const oracle_board board = oracle_from_position(position);
    const luft_color us = board.side;
    const int king = oracle_king(&board, us);
    const uint64_t checkers = oracle_attackers(&board, king, luft_opposite(us));
    require_equal(luft_checkers(position), checkers, position, "luft_checkers");
    int count = 0;
    for (int square = 0; square < 64; square++) {
        count += (int)(checkers >> square & 1);
    }
    require_equal((uint64_t)luft_check_count(position), (uint64_t)count, position, "luft_check_count");
    require(luft_in_check(position) == oracle_in_check(&board, us), position, "luft_in_check");
    require_equal(luft_king_attack_map(position), slow_king_attack_map(&board, king), position, "king attack map");
    for (int color = 0; color < 2; color++) {
        const luft_color side = (luft_color)color;
        require_equal(luft_pinned(luft, side), slow_pinned(&board, side), position, "luft_pinned");
        require_equal(luft_king_reach(luft, side), slow_reach(&board, side), position, "luft_king_reach");
    }
    for (int square = 0; square < 64; square++) {
        const luft_square target = (luft_square)square;
        const uint64_t white = oracle_attackers(&board, square, LUFT_WHITE);
        const uint64_t black = oracle_attackers(&board, square, LUFT_BLACK);
        require_equal(luft_attackers_to(luft, target, luft_occupied(luft)), white | black, position, "attackers");
        require(luft_is_attacked(luft, target, LUFT_WHITE) == (white != 0), position, "attacked by White");
        require(luft_is_attacked(luft, target, LUFT_BLACK) == (black != 0), position, "attacked by Black");
    }
}

static void questions_are_answered_as_the_oracle_answers(void **state) {
    (void)state;
    visit_random_positions(test_rounds(60), check_questions, NULL);
}

static void attackers_look_through_what_is_left_out(void **state) {
    (void)state;
    const luft_position position = position_from("4r2k/8/4r3/8/8/8/8/4K3 w - - 0 1");
    const luft_board *board = &position.board;
    const luft_bitboard without = luft_occupied(board) & ~luft_bit(LUFT_E6);
    assert_int_equal(luft_attackers_to(board, LUFT_E1, luft_occupied(board)), luft_bit(LUFT_E6));
    assert_int_equal(luft_attackers_to(board, LUFT_E1, without), luft_bit(LUFT_E6) | luft_bit(LUFT_E8));
    assert_int_equal(luft_attackers_to(board, LUFT_NO_SQUARE, ~UINT64_C(0)), 0);
}

static void pieces_stand_where_the_fen_puts_them(void **state) {
    (void)state;
    const luft_position position = luft_start_position();
    assert_int_equal(luft_piece_at(&position.board, LUFT_E1), LUFT_WHITE_KING);
    assert_int_equal(luft_piece_at(&position.board, LUFT_D8), LUFT_BLACK_QUEEN);
    assert_int_equal(luft_piece_at(&position.board, LUFT_A1), LUFT_WHITE_ROOK);
    assert_int_equal(luft_piece_at(&position.board, LUFT_G8), LUFT_BLACK_KNIGHT);
    assert_int_equal(luft_piece_at(&position.board, LUFT_F1), LUFT_WHITE_BISHOP);
    assert_int_equal(luft_piece_at(&position.board, LUFT_C7), LUFT_BLACK_PAWN);
    assert_int_equal(luft_piece_at(&position.board, LUFT_E4), LUFT_NO_PIECE);
    assert_int_equal(luft_piece_at(&position.board, LUFT_NO_SQUARE), LUFT_NO_PIECE);
    assert_int_equal(luft_pieces(&position.board, LUFT_WHITE, LUFT_ROOK), luft_bit(LUFT_A1) | luft_bit(LUFT_H1));
    assert_int_equal(luft_pieces(&position.board, LUFT_BLACK, LUFT_QUEEN), luft_bit(LUFT_D8));
    assert_int_equal(luft_pieces(&position.board, LUFT_BLACK, LUFT_NO_PIECE_TYPE), 0);
    assert_int_equal(luft_king_square(&position.board, LUFT_BLACK), LUFT_E8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_position),
        cmocka_unit_test(chess960_numbers_are_the_usual_ones),
        cmocka_unit_test(all_960_starts_are_different_and_fair),
        cmocka_unit_test(flipped_positions_agree),
        cmocka_unit_test(different_positions_have_different_keys),
        cmocka_unit_test(keys_know_nothing_of_the_counters),
        cmocka_unit_test(the_pair_of_keys_swaps_with_every_move),
        cmocka_unit_test(a_board_that_contradicts_itself_is_broken),
        cmocka_unit_test(wrong_numbers_of_pieces_are_named),
        cmocka_unit_test(a_king_that_could_be_taken_is_named),
        cmocka_unit_test(impossible_castling_rights_are_named),
        cmocka_unit_test(impossible_en_passant_squares_are_named),
        cmocka_unit_test(bad_sides_counters_and_keys_are_named),
        cmocka_unit_test(all_faults_are_listed_together),
        cmocka_unit_test(impossible_checks_are_warned_of),
        cmocka_unit_test(no_position_of_a_game_is_warned_of),
        cmocka_unit_test(every_status_has_its_own_words),
        cmocka_unit_test(questions_are_answered_as_the_oracle_answers),
        cmocka_unit_test(checks_and_pins_are_those_of_the_oracle),
        cmocka_unit_test(rays_on_one_line_are_told_apart),
        cmocka_unit_test(only_four_kinds_of_moves_give_check_from_off_the_reach_map),
        cmocka_unit_test(attackers_look_through_what_is_left_out),
        cmocka_unit_test(pieces_stand_where_the_fen_puts_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
