/* SPDX-License-Identifier: MIT */
/*
 * Standard algebraic notation: every legal move of random positions and back, against a
 * second writer that uses only the oracle's list of legal moves; every text of a piece, an
 * origin and a target, read as that list says; other spellings; and texts that are
 * unreadable, illegal or ambiguous, which are different errors.
 */
#include "support/check.h"
#include "support/oracle.h"
#include "support/random_positions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Reads from a block of exactly the text's size, without a NUL. */
static luft_error read_text(luft_move *move, const luft_position *position, const char *text, size_t length) {
    char *exact = malloc(length > 0 ? length : 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    const luft_error error = luft_move_from_san(move, position, exact, length);
    free(exact);
    return error;
}

/* Requires that the text gives this error, or this move if the error is LUFT_OK. */
static void require_reading(const luft_position *position, const char *text, luft_error expected, luft_move move) {
    luft_move back = 0x1234;
    const luft_error error = read_text(&back, position, text, strlen(text));
    if (error != expected) {
        char fen[LUFT_FEN_SIZE] = "";
        luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
        fail_msg("%s: \"%s\": %s, expected %s", fen, text, luft_error_string(error), luft_error_string(expected));
    }
    require_equal(back, expected == LUFT_OK ? move : 0x1234, position, text);
}

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

/* Half of the games are Chess960. */
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

/* Among the legal moves of the same type to the same square: does any start on this file, on this rank, at all? */
static char *spell_origin(char *out, const oracle_board *board, const oracle_moves *legal, luft_move move) {
    const int from = move & 63;
    bool any = false, same_file = false, same_rank = false;
    for (int i = 0; i < legal->count; i++) {
        const luft_move other = legal->moves[i];
        const int square = other & 63;
        const bool castles = other >> 12 == LUFT_CASTLING;
        if (square == from || castles || (other >> 6 & 63) != (move >> 6 & 63) ||
            board->pieces[square] != board->pieces[from]) {
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
    const char type = (char)toupper((unsigned char)board->pieces[from]);
    char *out = text;
    if (kind == LUFT_CASTLING) {
        out += strlen(strcpy(out, to > from ? "O-O" : "O-O-O"));
    } else {
        const bool captures = board->pieces[to] != '.' || (type == 'P' && from % 8 != to % 8);
        if (type != 'P') {
            *out++ = type;
            out = spell_origin(out, board, legal, move);
        } else if (captures) {
            *out++ = "abcdefgh"[from % 8];
        }
        if (captures) {
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

/* --- Every text of a piece, an origin and a target ---------------------- */

/* A pattern of moves; -1 means any. */
typedef struct pattern {
    char type; /* upper case */
    int from_file, from_row, to;
    char promotion; /* upper case, 0 if not given */
} pattern;

static bool fits(const oracle_board *board, luft_move move, pattern wanted) {
    const int from = move & 63, kind = move >> 12;
    return kind != LUFT_CASTLING && toupper((unsigned char)board->pieces[from]) == wanted.type &&
           (move >> 6 & 63) == wanted.to && (wanted.from_file < 0 || from % 8 == wanted.from_file) &&
           (wanted.from_row < 0 || from / 8 == wanted.from_row) &&
           (wanted.promotion == 0 || (kind >= 8 && "NBRQ"[kind % 4] == wanted.promotion));
}

static void check_pattern(const luft_position *position, const oracle_board *board, const oracle_moves *legal,
                          pattern wanted) {
    luft_move meant = LUFT_MOVE_NONE;
    int count = 0;
    for (int i = 0; i < legal->count; i++) {
        if (fits(board, legal->moves[i], wanted)) {
            meant = legal->moves[i];
            count++;
        }
    }
    char text[16], *out = text;
    if (wanted.type != 'P') {
        *out++ = wanted.type;
    }
    if (wanted.from_file >= 0 && (wanted.type != 'P' || wanted.from_file != wanted.to % 8)) {
        *out++ = "abcdefgh"[wanted.from_file];
    }
    if (wanted.from_row >= 0) {
        *out++ = "87654321"[wanted.from_row];
    }
    out = spell_square(out, wanted.to);
    if (wanted.promotion != 0) {
        *out++ = wanted.promotion;
    }
    *out = '\0';
    const luft_error expected = count == 0 ? LUFT_ERROR_MOVE_ILLEGAL : count == 1 ? LUFT_OK : LUFT_ERROR_MOVE_AMBIGUOUS;
    require_reading(position, text, expected, meant);
}

static void check_patterns(const luft_position *position, void *payload) {
    (void)payload;
    const oracle_board board = oracle_from_position(position);
    oracle_moves legal;
    oracle_generate(&legal, &board);
    for (int to = 0; to < 64; to++) {
        for (const char *type = "NBRQK"; *type != '\0'; type++) {
            check_pattern(position, &board, &legal, (pattern){*type, -1, -1, to, 0});
            for (int line = 0; line < 8; line++) {
                check_pattern(position, &board, &legal, (pattern){*type, line, -1, to, 0});
                check_pattern(position, &board, &legal, (pattern){*type, -1, line, to, 0});
            }
        }
        for (int file = 0; file < 8; file++) {
            for (int promotion = 0; promotion < 5; promotion++) {
                check_pattern(position, &board, &legal, (pattern){'P', file, -1, to, "\0NBRQ"[promotion]});
            }
        }
    }
}

static void every_text_means_what_the_list_of_legal_moves_says(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(240); seed++) {
        const luft_position position = fantastic_position(seed);
        check_patterns(&position, NULL);
    }
    visit_random_games(1, check_patterns, NULL);
}

/* Both squares always identify a move, with and without the letter and a sign. */
static void check_long_texts(const luft_position *position, void *payload) {
    (void)payload;
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        const luft_move move = list.moves[i];
        const int type = luft_piece_type_of(luft_piece_at(&position->board, luft_move_from(move)));
        for (const char *sign = "x-: "; *sign != '\0'; sign++) {
            for (int letter = 0; letter < 2; letter++) {
                char text[16], *out = text;
                if (letter == 1) {
                    *out++ = " PNBRQK"[type];
                }
                out = spell_square(out, luft_move_from(move));
                if (*sign != ' ') {
                    *out++ = *sign;
                }
                out = spell_square(out, luft_move_to(move));
                if (luft_move_is_promotion(move)) {
                    *out++ = (letter == 1 ? "NBRQ" : "nbrq")[luft_move_promotion(move) - LUFT_KNIGHT];
                }
                *out = '\0';
                require_reading(position, text, LUFT_OK, move);
            }
        }
    }
}

static void both_squares_are_always_enough(void **state) {
    (void)state;
    visit_random_positions(test_rounds(10), check_long_texts, NULL);
}

/* --- Examples ----------------------------------------------------------- */

static void assert_san(const char *fen, const char *uci, const char *san) {
    const luft_position position = position_from(fen);
    const luft_move move = move_from(&position, uci);
    char text[LUFT_SAN_SIZE];
    luft_move_to_san(text, sizeof text, &position, move);
    assert_string_equal(text, san);
    require_reading(&position, san, LUFT_OK, move);
}

static void assert_refused(const char *fen, const char *text, luft_error expected) {
    const luft_position position = position_from(fen);
    require_reading(&position, text, expected, LUFT_MOVE_NONE);
}

/* In the second position the knight on d2 is pinned; in the fifth the rook on e2 may move on the file only. */
static void only_legal_moves_need_disambiguation(void **state) {
    (void)state;
    static const char knights[] = "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1";
    static const char pinned_knight[] = "4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1";
    static const char rooks[] = "3k4/8/8/8/R7/8/8/R5K1 w - - 0 1";
    static const char queens[] = "8/8/1k6/8/4Q2Q/8/K7/7Q w - - 0 1";
    static const char pinned_rook[] = "k3r3/8/8/8/8/7R/4R3/4K3 w - - 0 1";
    assert_san(knights, "g1f3", "Ngf3");
    assert_san(knights, "d2f3", "Ndf3");
    assert_refused(knights, "Nf3", LUFT_ERROR_MOVE_AMBIGUOUS);
    assert_san(pinned_knight, "g1f3", "Nf3");
    assert_refused(pinned_knight, "Ndf3", LUFT_ERROR_MOVE_ILLEGAL);
    assert_refused(pinned_knight, "Nd2f3", LUFT_ERROR_MOVE_ILLEGAL);
    assert_san(rooks, "a1a2", "R1a2");
    assert_san(rooks, "a4a2", "R4a2");
    assert_refused(rooks, "Raa2", LUFT_ERROR_MOVE_AMBIGUOUS);
    assert_san(queens, "h4e1", "Qh4e1");
    assert_san(queens, "e4e1", "Qee1");
    assert_san(queens, "h1e1", "Q1e1");
    assert_refused(queens, "Qhe1", LUFT_ERROR_MOVE_AMBIGUOUS);
    assert_refused(queens, "Q4e1", LUFT_ERROR_MOVE_AMBIGUOUS);
    assert_san(pinned_rook, "h3h2", "Rh2");
    assert_san(pinned_rook, "h3e3", "Rhe3");
    assert_san(pinned_rook, "e2e3", "Ree3");
}

static void checks_and_mates_are_marked(void **state) {
    (void)state;
    assert_san("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#");
    assert_san("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7", "Qg7#");
    assert_san("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", "Qf7"); /* stalemate */
    assert_san("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6h5", "Qh5+");
    assert_san("4k3/8/8/8/8/8/4N3/4R1K1 w - - 0 1", "e2c3", "Nc3+"); /* discovered check */
    assert_san("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+");
    assert_san("2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O#");
    assert_san("8/8/8/2k5/3Pp3/8/8/4RK2 b - d3 0 1", "e4d3", "exd3");
    assert_san("8/4k3/8/4Pp2/8/8/8/4R1K1 w - f6 0 1", "e5f6", "exf6+"); /* double check */
    assert_san("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8q", "a8=Q#");
    assert_san("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8r", "a8=R#");
    assert_san("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8b", "a8=B");
    assert_san("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8n", "a8=N");
    assert_san("3q2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+");
}

/* O-O and O-O-O are read exactly where the generator lists castling; the two share no code. */
static void check_castling(const luft_position *position, void *payload) {
    static const char *const texts[] = {"O-O-O", "O-O"};
    int *found = payload;
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int side = 0; side < 2; side++) {
        luft_move expected = LUFT_MOVE_NONE, move = LUFT_MOVE_NONE;
        for (int i = 0; i < list.count; i++) {
            const bool is_east = luft_move_to(list.moves[i]) > luft_move_from(list.moves[i]);
            if (luft_move_kind_of(list.moves[i]) == LUFT_CASTLING && is_east == (side == 1)) {
                expected = list.moves[i];
            }
        }
        const luft_error error = luft_move_from_san(&move, position, texts[side], strlen(texts[side]));
        require(move == expected && (error == LUFT_OK) == (expected != LUFT_MOVE_NONE), position, texts[side]);
        *found += expected != LUFT_MOVE_NONE;
    }
}

static void castling_is_read_where_it_is_legal(void **state) {
    (void)state;
    int found = 0;
    visit_random_positions(test_rounds(300), check_castling, &found);
    assert_true(found > 100);
}

static void castling_is_written_by_the_side_of_the_rook(void **state) {
    (void)state;
    assert_san("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O");
    assert_san("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O");
    assert_san("k7/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "O-O");
    assert_san("7k/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "O-O-O");
    assert_san("7k/8/8/8/8/8/8/RK6 w A - 0 1", "b1c1", "Kc1");
    assert_san("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "O-O");
    assert_refused("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "Kg1", LUFT_ERROR_MOVE_ILLEGAL);
    assert_refused("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Kg1", LUFT_ERROR_MOVE_ILLEGAL);
    assert_refused("r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", "O-O", LUFT_ERROR_MOVE_ILLEGAL);
    assert_refused("r3kr2/8/8/8/8/8/8/R3K2R w KQq - 0 1", "O-O", LUFT_ERROR_MOVE_ILLEGAL);
}

/* --- What is read ------------------------------------------------------- */

static void assert_all_read(const char *fen, const char *uci, const char *const texts[]) {
    const luft_position position = position_from(fen);
    const luft_move move = move_from(&position, uci);
    for (; *texts != NULL; texts++) {
        require_reading(&position, *texts, LUFT_OK, move);
    }
}

#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void other_spellings_are_read(void **state) {
    (void)state;
    assert_all_read(START_FEN, "e2e4",
                    TEXTS("e4", "e4!", "e4?", "e4!!", "e4?!", "e4+", "e4#", "e4++", "e4+!?", "Pe4", "e2e4", "e2-e4",
                          "e2xe4", "Pe2e4", "Pe2-e4", "ee4", "pe4", "pe2-e4", "♙e4"));
    assert_all_read(START_FEN, "g1f3",
                    TEXTS("Nf3", "nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Ng1xf3", "Nxf3", "N-f3", "g1f3", "g1-f3",
                          "ng1f3", "♘f3", "♞f3"));
    assert_all_read("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q",
                    TEXTS("a8=Q+", "a8=Q", "a8Q", "a8Q+", "a8=q", "a8q", "a8(Q)", "a8=(Q)", "a8(q)+", "a8/Q", "a8/Q+!",
                          "a7a8q", "a7a8Q", "a7-a8=Q", "a7a8(Q)", "Pa8=Q", "a8=♕+", "a8♛"));
    assert_all_read("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8b", TEXTS("a8=B", "a8B", "a8=b", "a8b", "a8/b", "a7a8b"));
    assert_all_read("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6",
                    TEXTS("exd6", "ed6", "e:d6", "e5xd6", "e5d6", "exd6e.p.", "exd6 e.p.", "exd6ep", "exd6 ep",
                          "exd6+ e.p.", "exd6 e.p.+", "exd6 e.p.!?", "Pexd6", "e5xd6 e.p."));
    assert_all_read("4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", "e1g1",
                    TEXTS("O-O", "0-0", "o-o", "O-O+", "O-O!", "0-0#", "e1g1", "e1h1", "e1-g1", "Ke1g1"));
    assert_all_read("4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", "e1c1", TEXTS("O-O-O", "0-0-0", "o-o-o", "O-O-O+?", "e1c1"));
    assert_all_read("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1", "b2c3", TEXTS("bxc3", "bc3", "b2xc3", "b2c3"));
    assert_all_read("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1", "d2c3", TEXTS("Bxc3", "Bc3", "Bdxc3", "B2c3"));
}

/* --- What is refused ---------------------------------------------------- */

static void text_that_is_not_a_move_is_a_syntax_error(void **state) {
    (void)state;
    /* clang-format off */
    static const char *const texts[] = {
        "", "e", "4", "N", "Nf", "N3", "e9", "i4", "e0", "Sf3", "Nf9", "E4", "EXD5", "nnf3", "NNf3", "Ndf3d",
        "Nxxf3", "Nfx", "xf3", "-e4", "Pxe4", "2e4", "P2e4", "N11f3", "Ngg1f3", "N1gf3", "Nxgf3", "Nf3e4d5c6b7",
        "Nf/3", "Nf(3)", "N/f3", "N(f3)", "e1e/2", "e(4)", "e/4", "e2e(4)", "O-/O", "O(-)O", "0-/0", "O-O-/O",
        "e4=", "e8=K", "e8=P", "e8=X", "Nf3=Q", "nf3q", "e8(Q", "e8()", "e8/", "/Q", "(Q)", "=Q", "(e4)", "e4)",
        "O", "O-", "OO", "O-O-", "O-O-O-O", "O-0-O-0", "0", "0-", "00", "o",
        "--", "Z0", "0000", "null", "@@@@", "1.e4", "1", "1-0", "*", "$1",
        "+", "#", "!?", "++", "e.p.", "ep", "Nf3 e.p.", "Nf3ep", "O-O ep", "e4e.p",
        "e4 ", " e4", "e 4", "e2 e4", "e4\n", "\xe2\x99", "♘", "♠f3", "♓f3", "Ng1f3Ng1f3Ng1f3",
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_refused(START_FEN, texts[i], LUFT_ERROR_MOVE_SYNTAX);
    }
    luft_move move = LUFT_MOVE_NONE;
    const luft_position start = luft_start_position();
    assert_int_equal(luft_move_from_san(&move, &start, "e4\0", 3), LUFT_ERROR_MOVE_SYNTAX);
    assert_int_equal(luft_move_from_san(&move, &start, "e4Q and more", 2), LUFT_OK);
    assert_int_equal(luft_move_from_san(&move, &start, &"e4+"[1], 2), LUFT_ERROR_MOVE_SYNTAX); /* nor alone */
}

/* Only luft_move_from_san_or_null reads a null move; it reads everything else as luft_move_from_san does. */
static void the_null_move_is_read_where_the_caller_allows_it(void **state) {
    (void)state;
    static const char *const nulls[] = {"--", "Z0", "0000", "@@@@", "null"};
    static const char *const others[] = {"", "-", "---", "Z", "Z00", "000", "00000", "@@", "nul", "--+", "\0\0"};
    const luft_position start = luft_start_position();
    const luft_position checked = position_from("4k3/8/8/8/8/8/8/4K2r w - - 0 1");
    const luft_position blocked = position_from("4k3/8/8/8/8/8/8/4KR1r w - - 0 1");
    luft_move move = 0x1234;
    for (size_t i = 0; i < sizeof nulls / sizeof nulls[0]; i++) {
        const size_t length = strlen(nulls[i]);
        move = 0x1234;
        assert_int_equal(luft_move_from_san(&move, &start, nulls[i], length), LUFT_ERROR_MOVE_SYNTAX);
        assert_int_equal(move, 0x1234);
        assert_int_equal(luft_move_from_san_or_null(&move, &start, nulls[i], length), LUFT_OK);
        assert_int_equal(move, LUFT_MOVE_NONE);
    }
    move = 0x1234;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(luft_move_from_san_or_null(&move, &start, others[i], strlen(others[i])),
                         LUFT_ERROR_MOVE_SYNTAX);
    }
    assert_int_equal(luft_move_from_san_or_null(&move, &start, "e5", 2), LUFT_ERROR_MOVE_ILLEGAL);
    assert_int_equal(move, 0x1234);
    assert_int_equal(luft_move_from_san_or_null(&move, &blocked, "--", 2), LUFT_OK);
    move = 0x1234;
    assert_int_equal(luft_move_from_san_or_null(&move, &checked, "--", 2), LUFT_ERROR_MOVE_ILLEGAL);
    assert_int_equal(move, 0x1234);
    assert_int_equal(luft_move_from_san_or_null(&move, &start, "Nf3", 3), LUFT_OK);
    assert_int_equal(move, luft_make_move(LUFT_G1, LUFT_F3, LUFT_QUIET));
    move = 0x1234;
    assert_int_equal(luft_move_from_san_or_null(NULL, &start, "--", 2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_move_from_san_or_null(&move, NULL, "--", 2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_move_from_san_or_null(&move, &start, NULL, 2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(move, 0x1234);
}

static void an_illegal_move_is_a_different_error(void **state) {
    (void)state;
    static const char *const texts[] = {
        "e5",  "exd5", "exd3", "e3d4", "Nd2", "Ke2", "Bb5",  "Nbf3",  "N8f6",  "Nf6",   "e8=Q", "e4=Q", "O-O",
        "0-0", "e2e5", "e7e5", "e4e5", "bf3", "bb5", "e1g1", "Ng1e4", "Pg1f3", "Ke1e2", "Kxh1", "Rxa2", "a1a1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_refused(START_FEN, texts[i], LUFT_ERROR_MOVE_ILLEGAL);
    }
    assert_refused("8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1", "dxc6", LUFT_ERROR_MOVE_ILLEGAL);
    assert_refused("4k3/8/8/8/8/8/8/q3K2R w K - 0 1", "Rh2", LUFT_ERROR_MOVE_ILLEGAL); /* leaves the king in check */
    assert_refused("4k3/8/8/8/8/8/3K4/8 w - - 0 1", "a8=Q", LUFT_ERROR_MOVE_ILLEGAL);
}

static void a_promotion_needs_its_piece(void **state) {
    (void)state;
    static const char fen[] = "3n2k1/4P3/8/8/8/8/8/4K3 w - - 0 1";
    assert_refused(fen, "e8", LUFT_ERROR_MOVE_AMBIGUOUS);
    assert_refused(fen, "exd8", LUFT_ERROR_MOVE_AMBIGUOUS);
    assert_refused(fen, "e7e8", LUFT_ERROR_MOVE_AMBIGUOUS);
    assert_refused(fen, "exf8", LUFT_ERROR_MOVE_ILLEGAL); /* no promotion makes it legal */
    assert_refused("4k3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8", LUFT_ERROR_MOVE_ILLEGAL);
}

/* Random bytes, and texts of legal moves with bytes changed, inserted or removed, never give an illegal move. */
static void garbage_never_becomes_an_illegal_move(void **state) {
    (void)state;
    random_source source = {7};
    for (int i = 0; i < test_rounds(200000); i++) {
        static const char alphabet[] = "abcdefgh12345678NBRQKPOOxx-=+#!?0.()/ep ♘";
        const luft_position position =
            i % 50 == 0 ? fantastic_position((uint64_t)i) : position_from(i % 2 == 0 ? KIWIPETE_FEN : START_FEN);
        char text[24];
        size_t length = (size_t)random_below(&source, (int)sizeof text + 1);
        luft_move_list list;
        if (i % 4 != 0 && luft_generate(&list, &position, LUFT_ALL_MOVES) > 0) {
            luft_move_to_san(text, sizeof text, &position, list.moves[random_below(&source, list.count)]);
            length = strlen(text) + (size_t)random_below(&source, 2);
            text[random_below(&source, (int)length)] = alphabet[random_below(&source, (int)sizeof alphabet - 1)];
        } else {
            for (size_t at = 0; at < length; at++) {
                text[at] = random_below(&source, 8) == 0 ? (char)random_next(&source)
                                                         : alphabet[random_below(&source, (int)sizeof alphabet - 1)];
            }
        }
        luft_move move = LUFT_MOVE_NONE;
        const luft_error error = read_text(&move, &position, text, length);
        assert_true(error == LUFT_OK || error == LUFT_ERROR_MOVE_SYNTAX || error == LUFT_ERROR_MOVE_ILLEGAL ||
                    error == LUFT_ERROR_MOVE_AMBIGUOUS);
        assert_true(error == LUFT_OK ? luft_is_legal(&position, move) : move == LUFT_MOVE_NONE);
    }
}

static void null_is_refused(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const luft_move legal = luft_make_move(LUFT_E2, LUFT_E4, LUFT_DOUBLE_PUSH);
    luft_move move = 0x1234;
    char text[LUFT_FIGURINE_SIZE] = "x";
    assert_int_equal(luft_move_from_san(NULL, &start, "e4", 2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_move_from_san(&move, NULL, "e4", 2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_move_from_san(&move, &start, NULL, 2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(move, 0x1234);
    assert_int_equal(luft_move_to_san(text, sizeof text, NULL, legal), 0);
    assert_int_equal(luft_move_to_san(text, sizeof text, NULL, LUFT_MOVE_NONE), 0);
    assert_int_equal(luft_move_to_figurine(text, sizeof text, NULL, legal), 0);
    assert_int_equal(luft_move_to_san(NULL, LUFT_SAN_SIZE, &start, legal), 2);
    assert_int_equal(luft_move_to_figurine(NULL, LUFT_FIGURINE_SIZE, &start, legal), 2);
}

/* --- Writing ------------------------------------------------------------ */

/* Each of the 65,536 values: legal moves and the null move have a text, all others none. */
static void only_legal_moves_have_a_text(void **state) {
    (void)state;
    const luft_position position = position_from(KIWIPETE_FEN);
    for (unsigned value = 0; value < 65536; value++) {
        char text[LUFT_FIGURINE_SIZE];
        const luft_move move = (luft_move)value;
        const bool has_text = move == LUFT_MOVE_NONE || luft_is_legal(&position, move);
        assert_int_equal(luft_move_to_san(text, sizeof text, &position, move) != 0, has_text);
        assert_int_equal(luft_move_to_figurine(text, sizeof text, &position, move) != 0, has_text);
        assert_int_equal(text[0] != '\0', has_text);
    }
}

typedef struct move_of {
    luft_position position;
    luft_move move;
} move_of;

static size_t write_san(char *buffer, size_t size, const void *subject) {
    const move_of *it = subject;
    return luft_move_to_san(buffer, size, &it->position, it->move);
}

static size_t write_figurine(char *buffer, size_t size, const void *subject) {
    const move_of *it = subject;
    return luft_move_to_figurine(buffer, size, &it->position, it->move);
}

static void assert_written(const char *fen, const char *uci, const char *san, const char *figurine) {
    move_of it = {.position = position_from(fen)};
    it.move = uci ? move_from(&it.position, uci) : LUFT_MOVE_NONE;
    assert_writes_within(write_san, &it, san);
    assert_writes_within(write_figurine, &it, figurine);
}

static void text_stays_within_its_buffer(void **state) {
    (void)state;
    assert_written(START_FEN, "e2e4", "e4", "e4");
    assert_written(START_FEN, "g1f3", "Nf3", "♘f3");
    assert_written(START_FEN, NULL, "--", "--");
    assert_written("3q2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+", "exd8=♕+");
    assert_written("3q2k1/4P3/8/8/8/8/8/4K3 b - - 0 1", "d8d7", "Qd7", "♕d7");
    assert_written("8/8/1k6/8/4Q2Q/8/K7/4r2Q w - - 0 1", "h4e1", "Qh4xe1", "♕h4xe1");
    assert_written("8/8/8/k7/4Q2Q/8/K7/4r2Q w - - 0 1", "h4e1", "Qh4xe1+", "♕h4xe1+");
    assert_written("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", "O-O+");
    assert_written("5k2/8/8/8/8/8/8/B3K3 w - - 0 1", "e1d2", "Kd2", "♔d2");
    assert_written("5k2/8/8/8/8/8/8/B3K3 w - - 0 1", "a1b2", "Bb2", "♗b2");
    assert_written("5k2/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b1", "Rb1", "♖b1");
}

static void check_figurines(const luft_position *position, void *payload) {
    (void)payload;
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        char text[LUFT_FIGURINE_SIZE];
        const size_t length = luft_move_to_figurine(text, sizeof text, position, list.moves[i]);
        require_equal(strlen(text), length, position, "length of the text");
        require_reading(position, text, LUFT_OK, list.moves[i]);
    }
}

static void figurines_come_back_too(void **state) {
    (void)state;
    visit_random_positions(test_rounds(10), check_figurines, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_move_of_100000_positions_comes_back),
        cmocka_unit_test(the_second_writer_agrees),
        cmocka_unit_test(every_text_means_what_the_list_of_legal_moves_says),
        cmocka_unit_test(both_squares_are_always_enough),
        cmocka_unit_test(only_legal_moves_need_disambiguation),
        cmocka_unit_test(checks_and_mates_are_marked),
        cmocka_unit_test(castling_is_read_where_it_is_legal),
        cmocka_unit_test(castling_is_written_by_the_side_of_the_rook),
        cmocka_unit_test(other_spellings_are_read),
        cmocka_unit_test(text_that_is_not_a_move_is_a_syntax_error),
        cmocka_unit_test(the_null_move_is_read_where_the_caller_allows_it),
        cmocka_unit_test(an_illegal_move_is_a_different_error),
        cmocka_unit_test(a_promotion_needs_its_piece),
        cmocka_unit_test(garbage_never_becomes_an_illegal_move),
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(only_legal_moves_have_a_text),
        cmocka_unit_test(text_stays_within_its_buffer),
        cmocka_unit_test(figurines_come_back_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
