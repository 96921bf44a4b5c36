/* SPDX-License-Identifier: MIT */
/*
 * The code of moves in a database. Every legal move of thousands of positions has a code of its own that gives the move
 * back, and no other bytes give a move that cannot be made. A few codes are written out here, as docs/database.md has
 * them: the format is frozen.
 */
#include "database/codec.h"
#include "luft/database.h"
#include "support/check.h"
#include "support/random_positions.h"

#include <stdlib.h>
#include <string.h>

/* The bytes of a move, as a number: the second byte above the first. -1 if it has another length than wanted. */
static int code_of(const char *fen, const char *uci, size_t wanted) {
    const luft_position position = position_from(fen);
    luft_move move;
    uint8_t code[CODEC_MAX_BYTES] = {0};
    assert_int_equal(luft_move_from_uci(&move, &position, uci, strlen(uci)), LUFT_OK);
    return codec_encode(code, &position, move) == wanted ? code[0] | code[1] << 8 : -1;
}

/* The pieces count from a8: in the start position Black's are 0 to 15, White's pawns 0 to 7, its king 12. */
static void documented_codes(void **state) {
    (void)state;
    assert_int_equal(code_of(START_FEN, "e2e4", 1), 4 << 4 | 1);
    assert_int_equal(code_of(START_FEN, "a2a3", 1), 0 << 4 | 0);
    assert_int_equal(code_of(START_FEN, "g1f3", 1), 14 << 4 | 0); /* -17 */
    assert_int_equal(code_of(START_FEN, "b1c3", 1), 9 << 4 | 1);  /* -15 */
    const char *castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_int_equal(code_of(castle, "e1g1", 1), 1 << 4 | 9);
    assert_int_equal(code_of(castle, "e1c1", 1), 1 << 4 | 8);
    assert_int_equal(code_of(castle, "e1e2", 1), 1 << 4 | 1); /* -8 */
    assert_int_equal(code_of(castle, "a1d1", 1), 0 << 4 | 3); /* along the rank to the d-file */
    assert_int_equal(code_of(castle, "a1a8", 1), 0 << 4 | 8); /* along the file to the top row */
    const char *promote = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    assert_int_equal(code_of(promote, "a7a8q", 1), 0 << 4 | 7);
    assert_int_equal(code_of(promote, "a7a8n", 1), 0 << 4 | 4);
    assert_int_equal(code_of(promote, "a7b8r", 1), 0 << 4 | 14);
    const char *queen = "6k1/8/8/8/8/2Q5/8/7K w - - 0 1";
    assert_int_equal(code_of(queen, "c3c8", 1), 0 << 4 | 8);
    assert_int_equal(code_of(queen, "c3f6", 2), (0 << 4 | 2) | LUFT_F6 << 8);
    const char *bishop = "6k1/8/8/8/8/2B5/8/7K w - - 0 1";
    assert_int_equal(code_of(bishop, "c3f6", 1), 0 << 4 | 5);
    assert_int_equal(code_of(bishop, "c3e1", 1), 0 << 4 | 12);
    assert_int_equal(code_of("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", 1), 0 << 4 | 2);
}

/* Each legal move gives itself back, and two moves never share a code. */
static void check_position(const luft_position *position, void *payload) {
    (void)payload;
    luft_move_list list;
    luft_move by_code[256] = {0};
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        uint8_t code[CODEC_MAX_BYTES];
        const size_t length = codec_encode(code, position, list.moves[i]);
        const uint8_t *next = code;
        require_equal(codec_decode(position, &next, code + length), list.moves[i], position, "the move comes back");
        require_equal((uint64_t)(next - code), length, position, "all bytes are read");
        if (length == 1) {
            require_equal(by_code[code[0]], LUFT_MOVE_NONE, position, "no other move has the code");
            by_code[code[0]] = list.moves[i];
        }
    }
    /* All other bytes: nothing, a null move, or a move that keeps the board consistent. */
    for (int byte = 0; byte < 256; byte++) {
        const uint8_t code[2] = {(uint8_t)byte, (uint8_t)(byte * 7)};
        const uint8_t *next = code;
        luft_position after = *position;
        luft_move move;
        if (codec_step(&after, &move, &next, code + 2) == LUFT_OK && move != LUFT_MOVE_NONE) {
            const unsigned status = luft_position_status(&after) & ~(unsigned)LUFT_STATUS_OPPONENT_IN_CHECK;
            require_equal(luft_is_legal(position, move) ? luft_position_status(&after) : status, 0, position,
                          "the position after any code is valid but for a king in check");
        }
    }
}

static void all_moves_of_random_positions(void **state) {
    (void)state;
    visit_random_positions(20, check_position, NULL);
}

static void null_moves(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    uint8_t code[CODEC_MAX_BYTES];
    assert_int_equal(codec_encode(code, &start, LUFT_MOVE_NONE), 1);
    assert_int_equal(code[0], 12 << 4 | 15);
    luft_position after = start;
    luft_move move = 1;
    const uint8_t *next = code;
    assert_int_equal(codec_step(&after, &move, &next, code + 1), LUFT_OK);
    assert_int_equal(move, LUFT_MOVE_NONE);
    assert_int_equal(after.side_to_move, LUFT_BLACK);
    const luft_position checked = position_from("4r2k/8/8/8/8/8/8/4K3 w - - 0 1");
    codec_encode(code, &checked, LUFT_MOVE_NONE);
    next = code;
    after = checked;
    assert_int_equal(codec_step(&after, &move, &next, code + 1), LUFT_ERROR_DAMAGED);
}

/* The constants of the keys, drawn again here as docs/database.md says: SplitMix64 from the seed "Luft". */
static uint64_t draw(uint64_t *seed) {
    uint64_t word = *seed += 0x9e3779b97f4a7c15ull;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9ull;
    word = (word ^ word >> 27) * 0x94d049bb133111ebull;
    return word ^ word >> 31;
}

typedef struct key_constants {
    uint64_t piece[2][6][64], castling[64], ep_file[8];
} key_constants;

static key_constants constants(void) {
    key_constants made = {0};
    uint64_t seed = 0x4c756674;
    for (int i = 0; i < 2 * 6 * 64; i++) {
        made.piece[i / 384][i / 64 % 6][i % 64] = draw(&seed);
    }
    for (int i = 0; i < 16; i++) {
        made.castling[i < 8 ? i : 48 + i] = draw(&seed);
    }
    for (int i = 0; i < 8; i++) {
        made.ep_file[i] = draw(&seed);
    }
    return made;
}

static void check_key(const luft_position *position, void *payload) {
    const key_constants made = *(const key_constants *)payload;
    uint64_t key = position->side_to_move == LUFT_BLACK ? ~UINT64_C(0) : 0;
    for (int square = 0; square < 64; square++) {
        const luft_piece piece = luft_piece_at(&position->board, (luft_square)square);
        if (piece != LUFT_NO_PIECE) {
            key ^= made.piece[luft_piece_color(piece)][luft_piece_type_of(piece) - 1][square];
        }
        if (luft_bitboard_test(position->board.castling, (luft_square)square)) {
            key ^= made.castling[square];
        }
    }
    if (position->ep_square != LUFT_NO_SQUARE) {
        key ^= made.ep_file[position->ep_square & 7];
    }
    require_equal(luft_database_key(position), key, position, "the key is that of the document");
}

static void keys_are_frozen(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    key_constants made = constants();
    check_key(&start, &made);
    visit_random_positions(20, check_key, &made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documented_codes),
        cmocka_unit_test(all_moves_of_random_positions),
        cmocka_unit_test(null_moves),
        cmocka_unit_test(keys_are_frozen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
