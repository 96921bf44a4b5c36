/* SPDX-License-Identifier: MIT */
/*
 * The compact position: round trips, the byte layout of planes.h checked by hand,
 * colour-flipped positions, and bytes that are not a position.
 */
#include "support/check.h"
#include "support/random_positions.h"

#include <string.h>

static luft_compact packed(const luft_position *position) {
    luft_compact compact;
    memset(&compact, 0xa5, sizeof compact);
    require(luft_compact_pack(&compact, position) == LUFT_OK, position, "luft_compact_pack");
    return compact;
}

/* Any bytes are either refused, and nothing is written, or unpack to a position that packs to the same bytes. */
static bool unpacks_faithfully(const luft_compact *compact) {
    luft_position position;
    memset(&position, 0xa5, sizeof position);
    const luft_position untouched = position;
    const luft_error error = luft_compact_unpack(&position, compact);
    if (error != LUFT_OK) {
        assert_int_equal(error, LUFT_ERROR_COMPACT);
        assert_memory_equal(&position, &untouched, sizeof position);
        return false;
    }
    assert_int_equal(luft_position_status(&position), LUFT_STATUS_VALID);
    const luft_compact again = packed(&position);
    assert_memory_equal(again.bytes, compact->bytes, sizeof again.bytes);
    return true;
}

/* --- Properties --------------------------------------------------------- */

static void check_round_trip(const luft_position *position, void *payload) {
    (void)payload;
    const luft_compact compact = packed(position);
    luft_position back;
    require(luft_compact_unpack(&back, &compact) == LUFT_OK, position, "luft_compact_unpack");
    require(memcmp(&back, position, sizeof back) == 0, position, "unpacked as it was packed");

    luft_position flipped;
    require(luft_position_flip(&flipped, position) == LUFT_OK, position, "flip");
    luft_compact flipped_compact = packed(&flipped);
    require(flipped_compact.bytes[43] == (compact.bytes[43] ^ 1), position, "flipping changes the side to move");
    flipped_compact.bytes[43] ^= 1;
    require(memcmp(&flipped_compact, &compact, sizeof compact) == 0, position,
            "flipped positions differ in the side to move only");
}

static void positions_round_trip(void **state) {
    (void)state;
    visit_random_positions(test_rounds(150), check_round_trip, NULL);
}

static void check_bit_flips(const luft_position *position, void *payload) {
    (void)payload;
    const luft_compact compact = packed(position);
    for (int bit = 0; bit < 48 * 8; bit++) {
        luft_compact changed = compact;
        changed.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        unpacks_faithfully(&changed);
    }
}

static void changed_bits_are_refused_or_round_trip(void **state) {
    (void)state;
    visit_random_positions(test_rounds(20), check_bit_flips, NULL);
}

/* Every code of three bits and two colours on every square: only the thirteen valid ones pass. */
static void square_codes_without_a_meaning_are_refused(void **state) {
    (void)state;
    const luft_position position = position_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    const luft_compact compact = packed(&position);
    for (int square = 0; square < 64; square++) {
        for (int code = 0; code < 32; code++) {
            luft_compact changed = compact;
            for (int plane = 0; plane < 5; plane++) {
                const uint8_t bit = (uint8_t)(1 << square % 8);
                uint8_t *byte = &changed.bytes[8 * plane + square / 8];
                *byte = (uint8_t)((code >> plane & 1) != 0 ? *byte | bit : *byte & ~bit);
            }
            const int type = code & 7;
            const int owners = (code >> 3 & 1) + (code >> 4 & 1);
            const bool has_meaning = type == 0 ? owners == 0 : type <= 6 && owners == 1;
            assert_true(!unpacks_faithfully(&changed) || has_meaning);
        }
    }
}

static void random_bytes_are_refused(void **state) {
    (void)state;
    random_source source = {11};
    for (int i = 0; i < test_rounds(20000); i++) {
        luft_compact compact;
        for (size_t byte = 0; byte < sizeof compact.bytes; byte++) {
            compact.bytes[byte] = (uint8_t)random_next(&source);
        }
        unpacks_faithfully(&compact);
    }
    for (int byte = 0; byte < 256; byte++) {
        luft_compact compact;
        memset(&compact, byte, sizeof compact);
        assert_false(unpacks_faithfully(&compact));
    }
}

/* Every value in each of the bytes 40 to 47 of a valid position. */
static void every_value_of_the_last_bytes(void **state) {
    (void)state;
    const luft_position position = position_from("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 7 30");
    const luft_compact compact = packed(&position);
    for (int at = 40; at < 48; at++) {
        int accepted = 0;
        for (int value = 0; value < 256; value++) {
            luft_compact changed = compact;
            changed.bytes[at] = (uint8_t)value;
            accepted += unpacks_faithfully(&changed);
        }
        /* Four sets of rights; the en passant file or none; both sides; any counter except a fullmove number of 0. */
        static const int expected[8] = {4, 4, 2, 2, 256, 256, 255, 256};
        assert_int_equal(accepted, expected[at - 40]);
    }
}

/* --- The layout --------------------------------------------------------- */

static void assert_bytes(const char *fen, const uint8_t expected[48]) {
    const luft_position position = position_from(fen);
    const luft_compact compact = packed(&position);
    for (int i = 0; i < 48; i++) {
        if (compact.bytes[i] != expected[i]) {
            fail_msg("%s: byte %d is %#x, expected %#x", fen, i, compact.bytes[i], expected[i]);
        }
    }
    assert_true(unpacks_faithfully(&compact));
}

/*
 * The h-file is bit 0 of each byte and the opponent's home rank is byte 0 of each
 * plane. Seen from the h-file the home ranks read R N B K Q B N R: codes 4 2 3 6 5
 * 3 2 4, so the lowest plane has bits 2 4 5, the middle one 1 2 3 5 6, the highest
 * 0 3 4 7. Pawns are in the lowest plane alone.
 */
static void the_layout_of_the_start_position(void **state) {
    (void)state;
    static const uint8_t expected[48] = {
        0x34, 0xff, 0,   0, 0, 0, 0xff, 0x34, /* lowest bits of the codes */
        0x6e, 0,    0,   0, 0, 0, 0,    0x6e, /* middle bits */
        0x99, 0,    0,   0, 0, 0, 0,    0x99, /* highest bits */
        0,    0,    0,   0, 0, 0, 0xff, 0xff, /* pieces of the side to move */
        0xff, 0xff, 0,   0, 0, 0, 0,    0,    /* pieces of the opponent */
        0x81, 0x81, 255, 0, 0, 0, 1,    0,
    };
    assert_bytes(START_FEN, expected);
}

/*
 * Black to move: Kg8, Rb8 with its castling right, a pawn on e4 that may capture on d3. White: Kc1 with the
 * castling right of Rf1, a pawn on d4. The ranks are reversed for Black: Black's home rank is byte 7, rank 4 is
 * byte 3, and g8 is bit 1 of its byte.
 */
static void the_layout_of_a_chess960_position_with_en_passant(void **state) {
    (void)state;
    static const uint8_t expected[48] = {
        0,           0,    0,    0x10 | 0x08, 0, 0, 0, 0,           /* d4 and e4: pawns */
        0x20,        0,    0,    0,           0, 0, 0, 0x02,        /* kings: c1 and g8 */
        0x20 | 0x04, 0,    0,    0,           0, 0, 0, 0x02 | 0x40, /* kings and rooks: f1 and b8 */
        0,           0,    0,    0x08,        0, 0, 0, 0x42,        /* Black: e4, b8, g8 */
        0x24,        0,    0,    0x10,        0, 0, 0, 0,           /* White: c1, f1, d4 */
        0x40,                                                       /* the b-file */
        0x04,                                                       /* the f-file */
        4,                                                          /* the d-file */
        1,                                                          /* Black */
        0x39,        0x05, 0x02, 0x01,                              /* 1337 and 258 */
    };
    assert_bytes("1r4k1/8/8/8/3Pp3/8/8/2K2R2 b Fb d3 1337 258", expected);
}

static void invalid_positions_are_not_packed(void **state) {
    (void)state;
    luft_position position = luft_start_position();
    position.key[0] ^= 1;
    luft_compact compact;
    memset(&compact, 0xa5, sizeof compact);
    const luft_compact untouched = compact;
    assert_int_equal(luft_compact_pack(&compact, &position), LUFT_ERROR_POSITION);
    assert_memory_equal(&compact, &untouched, sizeof compact);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_round_trip),
        cmocka_unit_test(changed_bits_are_refused_or_round_trip),
        cmocka_unit_test(square_codes_without_a_meaning_are_refused),
        cmocka_unit_test(random_bytes_are_refused),
        cmocka_unit_test(every_value_of_the_last_bytes),
        cmocka_unit_test(the_layout_of_the_start_position),
        cmocka_unit_test(the_layout_of_a_chess960_position_with_en_passant),
        cmocka_unit_test(invalid_positions_are_not_packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
