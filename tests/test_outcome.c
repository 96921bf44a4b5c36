/* SPDX-License-Identifier: MIT */
/*
 * Repetitions, against a slow count of equal FENs, and everything that ends a game or allows a claim.
 */
#include "support/check.h"
#include "support/played_games.h"

#include <stdlib.h>
#include <string.h>

static unsigned claims_by(const luft_game *game, const char *uci) {
    return luft_game_claims_by(game, move_from(luft_game_position(game), uci));
}

/* --- Repetition ----------------------------------------------------------------- */

static void en_passant_once_possible_is_another_position(void **state) {
    (void)state;
    const char *const there_and_back = "g1f3 h5f6 f3g1 f6h5";
    luft_game *game = game_after(START_FEN, "e2e4 g8f6 d1h5 f6h5 e4e5 d7d5"); /* now e5xd6 is legal */
    play_moves(game, there_and_back);
    assert_int_equal(luft_game_repetitions(game), 1);
    play_moves(game, there_and_back);
    assert_int_equal(luft_game_repetitions(game), 2);
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_NONE);
    assert_int_equal(claims_by(game, "g1f3"),
                     LUFT_CLAIM_THREEFOLD_REPETITION); /* this position occurred twice before */
    assert_int_equal(claims_by(game, "b1c3"), LUFT_CLAIM_NONE);
    play_moves(game, there_and_back);
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_THREEFOLD_REPETITION);
    luft_game_free(game);

    game = game_after(START_FEN, "e2e4 g8f6 d1h5 f6h5 e4e5 d7d6"); /* the same without en passant */
    play_moves(game, there_and_back);
    assert_int_equal(luft_game_repetitions(game), 2);
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_NONE);
    assert_int_equal(claims_by(game, "g1f3"), LUFT_CLAIM_NONE);
    play_moves(game, there_and_back);
    assert_int_equal(luft_game_repetitions(game), 3);
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_THREEFOLD_REPETITION);
    assert_outcome(game, LUFT_NOT_OVER, LUFT_NO_WINNER);
    luft_game_free(game);
}

static void en_passant_by_a_pinned_pawn_does_not_count(void **state) {
    (void)state;
    const char *const there_and_back = "h1g3 h8g8 g3h1 g8h8";
    luft_game *game = game_after("4r2k/3p4/8/4P3/8/8/8/4K2N b - - 0 1", "d7d5"); /* the rook pins the pawn */
    play_moves(game, there_and_back);
    play_moves(game, there_and_back);
    assert_int_equal(luft_game_repetitions(game), 3);
    luft_game_free(game);

    game = game_after("r6k/3p4/8/4P3/8/8/8/4K2N b - - 0 1", "d7d5"); /* it does not */
    play_moves(game, there_and_back);
    play_moves(game, there_and_back);
    assert_int_equal(luft_game_repetitions(game), 2);
    luft_game_free(game);
}

static void lost_castling_rights_are_another_position(void **state) {
    (void)state;
    luft_game *game = game_from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play_moves(game, "a1b1 a8b8 b1a1 b8a8");
    assert_int_equal(luft_game_repetitions(game), 1);
    play_moves(game, "h1g1 h8g8 g1h1 g8h8");
    assert_int_equal(luft_game_repetitions(game), 1);
    play_moves(game, "a1b1 a8b8 b1a1 b8a8");
    assert_int_equal(luft_game_repetitions(game), 2);
    play_moves(game, "e1e2 e8e7 e2e1 e7e8"); /* no rights were left to lose */
    assert_int_equal(luft_game_repetitions(game), 3);
    luft_game_free(game);
}

static void the_same_board_with_the_other_side_to_move_does_not_count(void **state) {
    (void)state;
    luft_game *game = game_from("k7/8/8/8/8/8/8/KR6 w - - 0 1");
    play_moves(game, "b1c1 a8a7 c1d1 a7a8 d1b1"); /* the first position with the other side to move */
    assert_int_equal(luft_game_repetitions(game), 1);
    luft_game_free(game);
}

/* The first four fields of a FEN, which define a repetition. */
static void identity_of(char text[LUFT_FEN_SIZE], const luft_position *position) {
    assert_true(luft_position_to_fen(text, LUFT_FEN_SIZE, position, LUFT_FEN_SHREDDER) > 0);
    for (int counters = 0; counters < 2; counters++) {
        *strrchr(text, ' ') = '\0';
    }
}

static int slow_repetitions(char (*identities)[LUFT_FEN_SIZE], int ply) {
    int count = 0;
    for (int i = 0; i <= ply; i++) {
        count += strcmp(identities[i], identities[ply]) == 0;
    }
    return count;
}

enum { SLOW_GAME_PLIES = 200 };

/* A random move, but mostly the reverse of the side's last move, so that positions repeat. */
static luft_move repeating_move(random_source *source, const luft_game *game) {
    const size_t ply = luft_game_ply(game);
    const luft_move last = ply >= 2 ? luft_game_move_at(game, ply - 2) : LUFT_MOVE_NONE;
    const luft_move back = luft_make_move(luft_move_to(last), luft_move_from(last), LUFT_QUIET);
    const bool goes_back = random_below(source, 4) > 0 && luft_is_legal(luft_game_position(game), back);
    return goes_back ? back : random_move(source, luft_game_position(game));
}

static int compare_with_slow_count(luft_game *game, random_source *source) {
    static char identities[SLOW_GAME_PLIES + 1][LUFT_FEN_SIZE];
    int max_repetitions = 0;
    for (int ply = 0; ply <= SLOW_GAME_PLIES; ply++) {
        const luft_position *position = luft_game_position(game);
        identity_of(identities[ply], position);
        const int expected = slow_repetitions(identities, ply);
        require_equal((uint64_t)luft_game_repetitions(game), (uint64_t)expected, position, "repetitions");
        max_repetitions = expected > max_repetitions ? expected : max_repetitions;
        const luft_move move = repeating_move(source, game);
        if (move == LUFT_MOVE_NONE) {
            break;
        }
        const unsigned announced = luft_game_claims_by(game, move);
        assert_int_equal(luft_game_play(game, move), LUFT_OK);
        assert_int_equal(luft_game_claims(game), announced); /* a claim before the move is the same claim after it */
        const bool five = luft_game_outcome(game).termination == LUFT_FIVEFOLD_REPETITION;
        assert_true(!five || luft_game_repetitions(game) >= 5);
    }
    return max_repetitions;
}

static void repetitions_are_those_of_a_slow_count(void **state) {
    (void)state;
    int max_repetitions = 0;
    for (int round = 0; round < test_rounds(200); round++) {
        random_source source = {(uint64_t)round + 1000};
        luft_game *game = random_start(round);
        const int repetitions = compare_with_slow_count(game, &source);
        max_repetitions = repetitions > max_repetitions ? repetitions : max_repetitions;
        luft_game_free(game);
    }
    assert_true(max_repetitions >= 5); /* otherwise few repetitions were compared */
}

/* --- Ends and claims --------------------------------------------------------------- */

static void mate_and_stalemate(void **state) {
    (void)state;
    luft_game *game = game_after(START_FEN, "f2f3 e7e5 g2g4 d8h4");
    assert_outcome(game, LUFT_CHECKMATE, LUFT_BLACK);
    assert_int_equal(luft_game_undo(game), LUFT_OK);
    assert_outcome(game, LUFT_NOT_OVER, LUFT_NO_WINNER);
    luft_game_free(game);

    game = game_after("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8");
    assert_outcome(game, LUFT_CHECKMATE, LUFT_WHITE);
    luft_game_free(game);

    game = game_after("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7");
    assert_outcome(game, LUFT_STALEMATE, LUFT_NO_WINNER);
    luft_game_free(game);
}

static void seventy_five_moves(void **state) {
    (void)state;
    luft_game *game = game_after("7k/8/6K1/8/8/8/8/R7 w - - 148 100", "a1a2");
    assert_outcome(game, LUFT_NOT_OVER, LUFT_NO_WINNER);
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_FIFTY_MOVE_RULE);
    play_moves(game, "h8g8");
    assert_outcome(game, LUFT_SEVENTY_FIVE_MOVE_RULE, LUFT_NO_WINNER);
    luft_game_free(game);

    game = game_after("7k/8/6K1/8/8/8/8/R7 w - - 149 100", "a1a8"); /* checkmate takes precedence over the counter */
    assert_outcome(game, LUFT_CHECKMATE, LUFT_WHITE);
    luft_game_free(game);

    game = game_after("7k/8/6K1/8/8/8/8/5Q2 w - - 149 100", "f1f7");
    assert_outcome(game, LUFT_STALEMATE, LUFT_NO_WINNER);
    luft_game_free(game);

    game = game_after("7k/8/6K1/8/8/8/P7/R7 w - - 149 100", "a2a3"); /* a pawn move resets the clock */
    assert_outcome(game, LUFT_NOT_OVER, LUFT_NO_WINNER);
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_NONE);
    luft_game_free(game);

    game = game_from("7k/8/8/8/8/8/8/NK6 w - - 400 300"); /* a dead position takes precedence */
    assert_outcome(game, LUFT_INSUFFICIENT_MATERIAL, LUFT_NO_WINNER);
    luft_game_free(game);
}

static void fivefold_repetition(void **state) {
    (void)state;
    luft_game *game = game_from(START_FEN);
    for (int i = 0; i < 3; i++) {
        play_moves(game, "g1f3 g8f6 f3g1 f6g8");
    }
    assert_int_equal(luft_game_repetitions(game), 4);
    assert_outcome(game, LUFT_NOT_OVER, LUFT_NO_WINNER);
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_THREEFOLD_REPETITION);
    play_moves(game, "g1f3 g8f6 f3g1 f6g8");
    assert_int_equal(luft_game_repetitions(game), 5);
    assert_outcome(game, LUFT_FIVEFOLD_REPETITION, LUFT_NO_WINNER);
    play_moves(game, "e2e4"); /* playing on is allowed */
    assert_outcome(game, LUFT_NOT_OVER, LUFT_NO_WINNER);
    luft_game_free(game);

    game = game_from("7k/8/6K1/8/8/8/8/R7 w - - 134 100"); /* seventy-five moves and fivefold repetition at once */
    for (int i = 0; i < 4; i++) {
        play_moves(game, "a1a2 h8g8 a2a1 g8h8");
    }
    assert_int_equal(luft_game_repetitions(game), 5);
    assert_outcome(game, LUFT_SEVENTY_FIVE_MOVE_RULE, LUFT_NO_WINNER);
    luft_game_free(game);
}

static void fifty_moves(void **state) {
    (void)state;
    luft_game *game = game_from("7k/8/6K1/8/8/8/P7/R6B w - - 99 100");
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_NONE);
    assert_int_equal(claims_by(game, "a1b1"), LUFT_CLAIM_FIFTY_MOVE_RULE);
    assert_int_equal(claims_by(game, "a2a3"), LUFT_CLAIM_NONE);
    play_moves(game, "a1b1");
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_FIFTY_MOVE_RULE);
    luft_game_free(game);

    game = game_from("7k/8/6K1/8/8/8/8/R7 w - - 99 100");
    assert_int_equal(claims_by(game, "a1a8"), LUFT_CLAIM_NONE); /* checkmate wins; there is no draw to claim */
    assert_int_equal(claims_by(game, "a1a7"), LUFT_CLAIM_FIFTY_MOVE_RULE);
    play_moves(game, "a1a8");
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_NONE);
    luft_game_free(game);
}

static void both_claims_at_once(void **state) {
    (void)state;
    luft_game *game = game_from("7k/8/6K1/8/8/8/8/R7 w - - 92 100");
    for (int i = 0; i < 2; i++) {
        play_moves(game, "a1a2 h8g8 a2a1 g8h8");
    }
    assert_int_equal(luft_game_claims(game), LUFT_CLAIM_THREEFOLD_REPETITION | LUFT_CLAIM_FIFTY_MOVE_RULE);
    luft_game_free(game);
}

static void dead_positions(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        bool dead;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", true},
        {"4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", true},
        {"4k1n1/8/8/8/8/8/8/4K3 w - - 0 1", true},
        {"4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true},
        {"4kb2/8/8/8/8/8/8/4K3 b - - 0 1", true},
        {"4k3/8/8/8/8/8/8/2B1K3 b - - 0 1", true},
        {"2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true},         /* c8 and f1 are light */
        {"4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true},         /* f8 and c1 are dark */
        {"4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false},         /* one of each colour */
        {"2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", false},       /* likewise */
        {"4k3/8/8/8/8/B1B5/1B1B4/B1B1K3 w - - 0 1", true},  /* many on dark squares */
        {"b1b1k3/1b6/8/8/8/3B4/8/4KB2 w - - 0 1", true},    /* many bishops of both sides on light squares */
        {"b1b1k3/1b6/8/8/8/3B4/8/2B1KB2 w - - 0 1", false}, /* except the one on c1 */
        {"4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1", false},        /* two knights can mate, though not by force */
        {"4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", false},
        {"4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", false},
        {"4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/3QK3 w - - 0 1", false},
        {"4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", false}, /* blocked forever, which only a search can prove */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const luft_position position = position_from(cases[i].fen);
        luft_position flipped;
        assert_int_equal(luft_position_flip(&flipped, &position), LUFT_OK);
        require(luft_has_insufficient_material(&position) == cases[i].dead, &position, "is it dead?");
        require(luft_has_insufficient_material(&flipped) == cases[i].dead, &flipped, "is it dead?");
        const luft_termination expected = cases[i].dead ? LUFT_INSUFFICIENT_MATERIAL : LUFT_NOT_OVER;
        require_equal(luft_position_outcome(&position).termination, expected, &position, "termination");
    }
}

/* The smallest sets of pieces that are not called dead can all mate. */
static void material_that_is_not_dead_can_mate(void **state) {
    (void)state;
    static const char *const mates[] = {
        "kb6/8/1K6/8/4B3/8/8/8 b - - 0 1",  /* bishop against bishop, of different colours */
        "kn6/1B6/1K6/8/8/8/8/8 b - - 0 1",  /* bishop against knight */
        "k1K5/b1N5/8/8/8/8/8/8 b - - 0 1",  /* knight against bishop */
        "kn6/2N5/1K6/8/8/8/8/8 b - - 0 1",  /* knight against knight */
        "k7/2N5/NK6/8/8/8/8/8 b - - 0 1",   /* two knights */
        "k7/1B6/NK6/8/8/8/8/8 b - - 0 1",   /* bishop and knight */
        "k7/1B6/1K6/4B3/8/8/8/8 b - - 0 1", /* two bishops */
    };
    for (size_t i = 0; i < sizeof mates / sizeof mates[0]; i++) {
        const luft_position position = position_from(mates[i]);
        require(luft_position_outcome(&position).termination == LUFT_CHECKMATE, &position, "mate");
        require(!luft_has_insufficient_material(&position), &position, "not dead");
    }
}

/* Puts a piece on a random empty square of one colour (0 light, 1 dark) or of any (2). */
static void put_piece(luft_board *board, random_source *source, luft_piece piece, int square_color) {
    luft_square square;
    do {
        square = (luft_square)random_below(source, 64);
    } while (luft_bitboard_test(luft_occupied(board), square) ||
             (square_color < 2 && (luft_file_of(square) + luft_rank_of(square)) % 2 == square_color));
    const luft_bitboard bit = luft_bit(square);
    board->color[luft_piece_color(piece)] |= bit;
    board->kings |= luft_piece_type_of(piece) == LUFT_KING ? bit : 0;
    board->knights |= luft_piece_type_of(piece) == LUFT_KNIGHT ? bit : 0;
    board->diagonal |= luft_piece_type_of(piece) == LUFT_BISHOP ? bit : 0;
}

/*
 * No arrangement of material that is called dead is a mate. Captures leave such material again, so no mate can
 * follow.
 */
static void no_arrangement_of_dead_material_is_mate(void **state) {
    (void)state;
    random_source source = {7};
    int valid = 0;
    for (int round = 0; round < test_rounds(500000); round++) {
        luft_position position = {.ep_square = LUFT_NO_SQUARE, .fullmove_number = 1};
        const int bishops = random_below(&source, 6), square_color = random_below(&source, 2);
        position.side_to_move = (uint8_t)random_below(&source, 2);
        put_piece(&position.board, &source, LUFT_WHITE_KING, 2);
        put_piece(&position.board, &source, LUFT_BLACK_KING, 2);
        for (int i = 0; i < bishops; i++) {
            const luft_color color = (luft_color)random_below(&source, 2);
            put_piece(&position.board, &source, luft_make_piece(color, LUFT_BISHOP), square_color);
        }
        if (bishops == 0) {
            put_piece(&position.board, &source, LUFT_WHITE_KNIGHT, 2);
        }
        luft_position_compute_keys(&position);
        if (luft_position_status(&position) == LUFT_STATUS_VALID) {
            valid++;
            require(luft_has_insufficient_material(&position), &position, "dead");
            require(luft_has_legal_move(&position) || !luft_in_check(&position), &position, "no mate");
        }
    }
    assert_true(valid > test_rounds(500000) / 10);
}

/* What each side has, and whether it cannot mate: by the rule that a series of legal moves to a mate must not exist. */
static void insufficient_material_of_a_side(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        bool white, black;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", true, true},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false, true},
        {"4k3/8/8/8/8/8/8/3QK3 b - - 0 1", false, true},
        {"4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false, true},      /* the pawn can become a queen */
        {"4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", true, true},      /* knight against the bare king */
        {"3qk3/8/8/8/8/8/8/4K1N1 w - - 0 1", true, false},    /* against a queen: it cannot be a mere blocker */
        {"2qqk3/8/8/8/8/8/8/4K1N1 w - - 0 1", true, false},   /* against two */
        {"3rk3/8/8/8/8/8/8/4K1N1 w - - 0 1", false, false},   /* against a rook: Ka8 Rb8, Kb6 Nc7 mate */
        {"4kb2/8/8/8/8/8/8/4K1N1 w - - 0 1", false, false},   /* against a bishop: Ka8 Ba7, Kc8 Nc7 mate */
        {"4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", false, false},  /* against a knight */
        {"4k3/p7/8/8/8/8/8/4K1N1 w - - 0 1", false, false},   /* against a pawn: Ka1 a2, Kc1 Nc2 mate */
        {"4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1", false, true},    /* two knights */
        {"4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", false, true},     /* bishop and knight */
        {"4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true, true},       /* bishop against the bare king */
        {"3qk3/8/8/8/8/8/8/4KB2 w - - 0 1", true, false},     /* against a queen, which can block the check */
        {"3rk3/8/8/8/8/8/8/4KB2 w - - 0 1", true, false},     /* against a rook, likewise */
        {"4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1", false, false},   /* against a knight */
        {"4k3/p7/8/8/8/8/8/4KB2 w - - 0 1", false, false},    /* against a pawn */
        {"2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true, true},     /* against a bishop on the same colour */
        {"4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false, false},    /* on the other colour */
        {"4k3/8/8/8/8/3B4/8/4KB2 w - - 0 1", true, true},     /* two bishops on one colour */
        {"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false, true},    /* on both */
        {"r1b1k3/8/8/8/8/3B4/8/4KB2 w - - 0 1", true, false}, /* bishops on one colour against rook and bishop */
        {"r3kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false, false},   /* the bishop on the other colour */
        {"3qk1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", false, false}, /* knight against queen and knight */
        {"rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w kq - 0 1", true, false},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const luft_position position = position_from(cases[i].fen);
        luft_position flipped;
        assert_int_equal(luft_position_flip(&flipped, &position), LUFT_OK);
        require_equal(luft_side_has_insufficient_material(&position, LUFT_WHITE), cases[i].white, &position, "White");
        require_equal(luft_side_has_insufficient_material(&position, LUFT_BLACK), cases[i].black, &position, "Black");
        require_equal(luft_side_has_insufficient_material(&flipped, LUFT_WHITE), cases[i].black, &flipped, "White");
        require_equal(luft_side_has_insufficient_material(&flipped, LUFT_BLACK), cases[i].white, &flipped, "Black");
    }
}

static void is_dead_if_neither_side_can_mate(const luft_position *position, void *payload) {
    (void)payload;
    require_equal(luft_has_insufficient_material(position),
                  luft_side_has_insufficient_material(position, LUFT_WHITE) &&
                      luft_side_has_insufficient_material(position, LUFT_BLACK),
                  position, "dead if neither side can mate");
}

static void a_position_is_dead_if_neither_side_can_mate(void **state) {
    (void)state;
    visit_random_positions(test_rounds(200), is_dead_if_neither_side_can_mate, NULL);
}

/*
 * Counts the mates by a king and one knight or bishop against a king with any number of pieces of one type beside
 * it. Pieces further away take no flight square, so they can only help their king.
 */
static int count_mates(luft_piece_type checker, luft_piece_type blocker) {
    int mates = 0;
    for (int king = 0; king < 32; king++) { /* the other half is a reflection */
        const luft_square king_square = (luft_square)king;
        const luft_bitboard neighbours = luft_king_attacks(king_square);
        const luft_bitboard origins =
            checker == LUFT_KNIGHT ? luft_knight_attacks(king_square) : luft_bishop_rays(king_square);
        luft_bitboard blockers = 0;
        do { /* every subset of the neighbours */
            for (luft_bitboard from = origins & ~blockers; from; from &= from - 1) {
                const luft_bitboard piece = from & (0 - from);
                const luft_bitboard taken = neighbours | luft_bit(king_square) | piece;
                for (luft_bitboard goals = ~taken; goals; goals &= goals - 1) {
                    const luft_bitboard white_king = goals & (0 - goals);
                    luft_position position = {.ep_square = LUFT_NO_SQUARE, .fullmove_number = 1};
                    luft_board *const board = &position.board;
                    position.side_to_move = LUFT_BLACK;
                    board->color[LUFT_WHITE] = white_king | piece;
                    board->color[LUFT_BLACK] = luft_bit(king_square) | blockers;
                    board->kings = white_king | luft_bit(king_square);
                    board->knights = (checker == LUFT_KNIGHT ? piece : 0) | (blocker == LUFT_KNIGHT ? blockers : 0);
                    board->diagonal = (checker == LUFT_BISHOP ? piece : 0) | (blocker == LUFT_QUEEN ? blockers : 0);
                    board->orthogonal = blocker == LUFT_QUEEN || blocker == LUFT_ROOK ? blockers : 0;
                    mates += luft_in_check(&position) && !luft_has_legal_move(&position) &&
                             !luft_is_attacked(board, luft_lsb(white_king), LUFT_BLACK);
                }
            }
            blockers = (blockers - neighbours) & neighbours;
        } while (blockers);
    }
    return mates;
}

/* The rule by exhaustion; the knight against rooks and the bishop against knights show that mates would be found. */
static void one_minor_piece_mates_only_with_the_right_blockers(void **state) {
    (void)state;
    assert_int_equal(count_mates(LUFT_KNIGHT, LUFT_QUEEN), 0);
    assert_int_equal(count_mates(LUFT_BISHOP, LUFT_ROOK), 0);
    assert_int_equal(count_mates(LUFT_BISHOP, LUFT_QUEEN), 0);
    assert_true(count_mates(LUFT_KNIGHT, LUFT_ROOK) > 0);
    assert_true(count_mates(LUFT_KNIGHT, LUFT_KNIGHT) > 0);
    assert_true(count_mates(LUFT_BISHOP, LUFT_KNIGHT) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(en_passant_once_possible_is_another_position),
        cmocka_unit_test(en_passant_by_a_pinned_pawn_does_not_count),
        cmocka_unit_test(lost_castling_rights_are_another_position),
        cmocka_unit_test(the_same_board_with_the_other_side_to_move_does_not_count),
        cmocka_unit_test(repetitions_are_those_of_a_slow_count),
        cmocka_unit_test(mate_and_stalemate),
        cmocka_unit_test(seventy_five_moves),
        cmocka_unit_test(fivefold_repetition),
        cmocka_unit_test(fifty_moves),
        cmocka_unit_test(both_claims_at_once),
        cmocka_unit_test(dead_positions),
        cmocka_unit_test(material_that_is_not_dead_can_mate),
        cmocka_unit_test(no_arrangement_of_dead_material_is_mate),
        cmocka_unit_test(insufficient_material_of_a_side),
        cmocka_unit_test(a_position_is_dead_if_neither_side_can_mate),
        cmocka_unit_test(one_minor_piece_mates_only_with_the_right_blockers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
