/* SPDX-License-Identifier: MIT */
/*
 * Planes: the view of the side to move against file and rank arithmetic, shifts
 * against those of bitboards, positions there and back, the turn of the board
 * against moves that are made by hand on the planes, and planes that are not
 * those of any position.
 */
#include "support/check.h"
#include "support/oracle.h"
#include "support/random_positions.h"

#include <string.h>

/* --- The view, computed by hand ------------------------------------------- */

/* The bit of a square: files from h to a, ranks from the far end of the board to the home rank of `us`. */
static int number_of(int square, luft_color us) {
    const int file = square % 8, row_from_rank_8 = square / 8;
    const int row = us == LUFT_WHITE ? row_from_rank_8 : 7 - row_from_rank_8;
    return row * 8 + (7 - file);
}

static luft_position_planes planes_of(const luft_position *position) {
    luft_position_planes planes;
    memset(&planes, 0xa5, sizeof planes);
    require(luft_position_to_planes(&planes, position) == LUFT_OK, position, "luft_position_to_planes");
    return planes;
}

static void squares_have_their_bits(void **state) {
    (void)state;
    assert_int_equal(luft_plane_number(LUFT_H8, LUFT_WHITE), 0);
    assert_int_equal(luft_plane_number(LUFT_A1, LUFT_WHITE), 63);
    assert_int_equal(luft_plane_number(LUFT_H1, LUFT_BLACK), 0);
    assert_int_equal(luft_plane_number(LUFT_A8, LUFT_BLACK), 63);
    assert_int_equal(luft_plane_number(LUFT_E1, LUFT_WHITE), luft_plane_number(LUFT_E8, LUFT_BLACK));
    for (int color = 0; color < 2; color++) {
        const luft_color us = (luft_color)color;
        for (int square = 0; square < 64; square++) {
            const int number = number_of(square, us);
            const luft_plane plane = UINT64_C(1) << number;
            assert_int_equal(luft_plane_number((luft_square)square, us), number);
            assert_int_equal(luft_plane_square(number, us), square);
            assert_true(luft_plane_from_bitboard(luft_bit((luft_square)square), us) == plane);
            assert_true(luft_plane_to_bitboard(plane, us) == luft_bit((luft_square)square));
            assert_true(luft_plane_turn(plane) == UINT64_C(1) << number_of(square, luft_opposite(us)));
        }
    }
}

static void assert_same_shifts(luft_bitboard set, luft_color us) {
    const luft_plane plane = luft_plane_from_bitboard(set, us);
    const bool white = us == LUFT_WHITE; /* Black looks to the south of the bitboard */
    assert_true(luft_plane_to_bitboard(plane, us) == set);
    assert_true(luft_plane_to_bitboard(luft_plane_north(plane), us) == (white ? luft_north(set) : luft_south(set)));
    assert_true(luft_plane_to_bitboard(luft_plane_south(plane), us) == (white ? luft_south(set) : luft_north(set)));
    assert_true(luft_plane_to_bitboard(luft_plane_east(plane), us) == luft_east(set));
    assert_true(luft_plane_to_bitboard(luft_plane_west(plane), us) == luft_west(set));
    assert_true(luft_plane_from_bitboard(set, luft_opposite(us)) == luft_plane_turn(plane));
}

static void shifts_are_those_of_bitboards(void **state) {
    (void)state;
    random_source source = {21};
    assert_true(luft_plane_north(UINT64_C(1) << 36) == UINT64_C(1) << 28);
    assert_true(luft_plane_east(UINT64_C(1) << 36) == UINT64_C(1) << 35);
    assert_true(LUFT_PLANE_FILE_A == luft_plane_from_bitboard(LUFT_FILE_A, LUFT_WHITE));
    assert_true(LUFT_PLANE_FILE_H == luft_plane_from_bitboard(LUFT_FILE_H, LUFT_BLACK));
    for (int color = 0; color < 2; color++) {
        for (int square = 0; square < 64; square++) {
            assert_same_shifts(luft_bit((luft_square)square), (luft_color)color);
        }
        assert_same_shifts(0, (luft_color)color);
        assert_same_shifts(~UINT64_C(0), (luft_color)color);
        for (int i = 0; i < test_rounds(2000); i++) {
            assert_same_shifts(random_next(&source), (luft_color)color);
        }
    }
}

/*
 * Bytes from the h-file on, the opponent's home rank lowest: R N B K Q B N R are the
 * codes 4 2 3 6 5 3 2 4, so bit[0] has 2 4 5, bit[1] 1 2 3 5 6, bit[2] 0 3 4 7.
 */
static void the_planes_of_the_start_position(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const luft_position_planes planes = planes_of(&start);
    assert_true(planes.board.types.bit[0] == UINT64_C(0x34ff00000000ff34));
    assert_true(planes.board.types.bit[1] == UINT64_C(0x6e0000000000006e));
    assert_true(planes.board.types.bit[2] == UINT64_C(0x9900000000000099));
    assert_true(planes.board.us == UINT64_C(0xffff000000000000));
    assert_true(planes.board.them == UINT64_C(0x000000000000ffff));
    assert_true(planes.castling == UINT64_C(0x8100000000000081));
    assert_int_equal(planes.ep_square, LUFT_NO_SQUARE);
}

/* --- Positions there and back ---------------------------------------------- */

static luft_piece_type type_of_letter(char letter) {
    static const char letters[] = ".pnbrqk";
    return (luft_piece_type)(strchr(letters, letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter) - letters);
}

static void check_squares(const luft_position *position, const luft_position_planes *planes) {
    const oracle_board oracle = oracle_from_position(position);
    const luft_board_planes *board = &planes->board;
    const luft_color us = oracle.side;
    for (int square = 0; square < 64; square++) {
        const int number = number_of(square, us);
        const char letter = oracle.men[square];
        const luft_piece_type type = type_of_letter(letter);
        const luft_plane bit = UINT64_C(1) << number;
        require_equal(luft_type_planes_at(&board->types, number), type, position, "the type on a square");
        require_equal(luft_board_planes_at(board, number, us), luft_piece_at(&position->board, (luft_square)square),
                      position, "the piece on a square");
        for (int other = LUFT_NO_PIECE_TYPE; other <= LUFT_KING; other++) {
            require(((luft_type_planes_of(&board->types, (luft_piece_type)other) & bit) != 0) == ((int)type == other),
                    position, "the squares of a type");
        }
        require(((board->us & bit) != 0) == oracle_is_color(letter, us), position, "our pieces");
        require(((board->them & bit) != 0) == oracle_is_color(letter, luft_opposite(us)), position, "their pieces");
    }
    require(luft_type_planes_occupied(&board->types) == luft_board_planes_occupied(board), position, "occupancy");
    require_equal(luft_board_planes_occupied(board), luft_plane_from_bitboard(luft_occupied(&position->board), us),
                  position, "occupancy");
}

static void check_round_trip(const luft_position *position, void *payload) {
    (void)payload;
    const luft_position_planes planes = planes_of(position);
    luft_position back, flipped;
    check_squares(position, &planes);
    require(luft_position_from_planes(&back, &planes) == LUFT_OK, position, "luft_position_from_planes");
    require(memcmp(&back, position, sizeof back) == 0, position, "the same position again");

    /* The colour-flipped position looks the same to the side to move. */
    require(luft_position_flip(&flipped, position) == LUFT_OK, position, "flip");
    luft_position_planes other = planes_of(&flipped);
    require(other.side_to_move == 1 - planes.side_to_move, position, "the other side is to move");
    other.side_to_move = planes.side_to_move;
    require(memcmp(&other, &planes, sizeof planes) == 0, position, "the same view");

    const luft_board_planes turned = luft_board_planes_turn(&planes.board);
    const luft_board_planes twice = luft_board_planes_turn(&turned);
    require(memcmp(&twice, &planes.board, sizeof twice) == 0, position, "turned twice");
    const luft_type_planes types = luft_type_planes_turn(&planes.board.types);
    require(memcmp(&types, &turned.types, sizeof types) == 0, position, "the colourless board turns alike");
}

static void positions_become_planes_and_planes_positions(void **state) {
    (void)state;
    visit_random_positions(test_rounds(100), check_round_trip, NULL);
}

/* The compact position is the planes, low byte first. */
static void check_compact(const luft_position *position, void *payload) {
    (void)payload;
    const luft_position_planes planes = planes_of(position);
    luft_compact compact;
    require(luft_compact_pack(&compact, position) == LUFT_OK, position, "luft_compact_pack");
    const luft_board_planes *board = &planes.board;
    const luft_plane words[5] = {board->types.bit[0], board->types.bit[1], board->types.bit[2], board->us, board->them};
    for (int byte = 0; byte < 40; byte++) {
        require_equal(compact.bytes[byte], words[byte / 8] >> byte % 8 * 8 & 0xff, position, "a byte of a plane");
    }
    require_equal(compact.bytes[40], planes.castling >> 56, position, "our castling rooks");
    require_equal(compact.bytes[41], planes.castling & 0xff, position, "their castling rooks");
    require_equal(compact.bytes[42], planes.ep_square == LUFT_NO_SQUARE ? 255U : planes.ep_square % 8U, position,
                  "the en passant file");
}

static void the_compact_position_is_made_of_planes(void **state) {
    (void)state;
    visit_random_positions(test_rounds(50), check_compact, NULL);
}

/* The same pieces with their colours exchanged: other positions, the same three planes. */
static void three_planes_have_no_colours(void **state) {
    (void)state;
    const luft_position first = position_from("4k3/8/8/8/3q4/8/8/4K3 w - - 0 1");
    const luft_position second = position_from("4K3/8/8/8/3Q4/8/8/4k3 w - - 0 1");
    const luft_position_planes a = planes_of(&first), b = planes_of(&second);
    assert_memory_equal(&a.board.types, &b.board.types, sizeof a.board.types);
    assert_true(a.board.us != b.board.us && a.board.them != b.board.them);
}

/* --- A move, then the turn -------------------------------------------------- */

static void clear_square(luft_board_planes *board, int number) {
    const luft_plane others = ~(UINT64_C(1) << number);
    for (int i = 0; i < 3; i++) {
        board->types.bit[i] &= others;
    }
    board->us &= others;
    board->them &= others;
}

/* Puts a piece of the side to move on an empty square. */
static void put_piece(luft_board_planes *board, int number, int code) {
    for (int i = 0; i < 3; i++) {
        board->types.bit[i] |= (luft_plane)(code >> i & 1) << number;
    }
    board->us |= UINT64_C(1) << number;
}

/* In the view of the side to move its home rank is 56 to 63, and the c-, d-, f- and g-file are 5, 4, 2 and 1. */
static void castle_by_hand(luft_board_planes *board, int king, int rook) {
    const bool east = rook < king;
    clear_square(board, king);
    clear_square(board, rook);
    put_piece(board, 56 + (east ? 1 : 5), LUFT_KING);
    put_piece(board, 56 + (east ? 2 : 4), LUFT_ROOK);
}

/* The board and the castling rooks after a move, still in the view of the side that made it. */
static void move_by_hand(luft_board_planes *board, luft_plane *castling, luft_move move, luft_color us) {
    const int from = number_of(luft_move_from(move), us), to = number_of(luft_move_to(move), us);
    const luft_piece_type promotion = luft_move_promotion(move);
    int code = 0;
    for (int i = 0; i < 3; i++) {
        code |= (int)(board->types.bit[i] >> from & 1) << i;
    }
    *castling &= ~(UINT64_C(1) << from | UINT64_C(1) << to);
    if (code == LUFT_KING) {
        *castling &= UINT64_C(0x00ffffffffffffff);
    }
    if (luft_move_kind_of(move) == LUFT_CASTLING) {
        castle_by_hand(board, from, to);
        return;
    }
    clear_square(board, from);
    clear_square(board, to);
    if (luft_move_kind_of(move) == LUFT_EN_PASSANT) {
        clear_square(board, to + 8); /* the captured pawn is one step south of the target */
    }
    put_piece(board, to, promotion != LUFT_NO_PIECE_TYPE ? (int)promotion : code);
}

static void check_moves(const luft_position *position, void *payload) {
    int *kinds_seen = payload;
    const luft_position_planes before = planes_of(position);
    const luft_color us = (luft_color)position->side_to_move;
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        const luft_move move = list.moves[i];
        luft_position next;
        luft_make(&next, position, move);
        const luft_position_planes after = planes_of(&next);
        luft_board_planes board = before.board;
        luft_plane castling = before.castling;
        move_by_hand(&board, &castling, move, us);
        board = luft_board_planes_turn(&board);
        require(memcmp(&board, &after.board, sizeof board) == 0, position, "the turned board after a move");
        require_equal(after.castling, luft_plane_turn(castling), position, "castling rooks after a move");
        require_equal(after.side_to_move, luft_opposite(us), position, "the other side is to move");
        require_equal(after.halfmove_clock, next.halfmove_clock, position, "the halfmove clock");
        require_equal(after.fullmove_number, next.fullmove_number, position, "the fullmove number");
        if (after.ep_square != LUFT_NO_SQUARE) {
            require_equal(luft_move_kind_of(move), LUFT_DOUBLE_PUSH, position, "en passant after a double push");
            /* One step south of where the pawn went, ranks reversed. */
            const int passed = number_of(luft_move_to(move), us) + 8;
            require(after.ep_square == (7 - passed / 8) * 8 + passed % 8, position, "the en passant square");
        }
        kinds_seen[luft_move_kind_of(move)]++;
    }
}

static void the_board_is_turned_after_a_move(void **state) {
    (void)state;
    int kinds_seen[16] = {0};
    visit_random_positions(test_rounds(60), check_moves, kinds_seen);
    for (int kind = 0; kind < 16; kind++) {
        assert_true((kinds_seen[kind] > 0) == (kind != 3 && kind != 6 && kind != 7));
    }
}

/* --- Planes that are not those of any position ----------------------------- */

/* Whatever the planes are: refused and nothing written, or accepted and the same planes again. */
static bool reads_faithfully(const luft_position_planes *planes) {
    luft_position position;
    memset(&position, 0xa5, sizeof position);
    const luft_position untouched = position;
    const luft_error error = luft_position_from_planes(&position, planes);
    if (error != LUFT_OK) {
        assert_int_equal(error, LUFT_ERROR_POSITION);
        assert_memory_equal(&position, &untouched, sizeof position);
        return false;
    }
    assert_int_equal(luft_position_status(&position), LUFT_STATUS_VALID);
    const luft_position_planes again = planes_of(&position);
    assert_memory_equal(&again, planes, sizeof again);
    return true;
}

/* Every code with every colour on every square: accepted exactly if the position with that piece is valid. */
static void square_codes_without_a_meaning_are_refused(void **state) {
    (void)state;
    const luft_position position = position_from("7k/8/8/8/8/8/8/K7 b - - 0 1");
    const luft_position_planes planes = planes_of(&position);
    int accepted = 0;
    for (int number = 0; number < 64; number++) {
        for (int code = 0; code < 8; code++) {
            for (int colors = 0; colors < 4; colors++) {
                luft_position_planes changed = planes;
                clear_square(&changed.board, number);
                for (int i = 0; i < 3; i++) {
                    changed.board.types.bit[i] |= (luft_plane)(code >> i & 1) << number;
                }
                changed.board.us |= (luft_plane)(colors & 1) << number;
                changed.board.them |= (luft_plane)(colors >> 1) << number;
                const bool one_color = colors == 1 || colors == 2;
                const bool has_meaning = code == 0 ? colors == 0 : code != 7 && one_color;
                const bool is_read = reads_faithfully(&changed);
                assert_true(!is_read || has_meaning);
                accepted += is_read;
            }
        }
    }
    assert_true(accepted > 62 * 5); /* among them an empty square, and our knight, bishop, rook and queen on most */
}

static void planes_with_one_fault_are_refused(void **state) {
    (void)state;
    const luft_position position = position_from("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 7 30");
    const luft_position_planes good = planes_of(&position);
    const luft_plane e4 = UINT64_C(1) << number_of(LUFT_E4, LUFT_WHITE);
    const luft_plane e5 = UINT64_C(1) << number_of(LUFT_E5, LUFT_WHITE);
    luft_position_planes bad[14];
    for (int i = 0; i < 14; i++) {
        bad[i] = good;
    }
    for (int i = 0; i < 3; i++) {
        bad[0].board.types.bit[i] |= e4; /* code 7 on an empty square */
        bad[1].board.types.bit[i] |= e4; /* code 7 of a side */
    }
    bad[1].board.us |= e4;
    bad[2].board.them |= e5;         /* a piece of both sides */
    bad[3].board.types.bit[1] |= e4; /* a knight of no side */
    bad[4].board.us |= e4;           /* a side without a piece */
    bad[5].board.us &= ~e5;          /* a pawn of no side */
    bad[6].castling |= e4;           /* a castling rook off the home ranks */
    bad[7].castling >>= 1;           /* castling rooks where there are none */
    bad[8].ep_square = 63;           /* en passant on the home rank */
    bad[9].ep_square = 65;           /* neither a square nor LUFT_NO_SQUARE */
    bad[10].side_to_move = 2;        /* neither White nor Black */
    bad[11].fullmove_number = 0;     /* below 1 */
    bad[12].unused[0] = 1;           /* not zero */
    bad[13].unused[1] = 1;
    assert_true(reads_faithfully(&good));
    for (int i = 0; i < 14; i++) {
        if (reads_faithfully(&bad[i])) {
            fail_msg("bad planes %d were accepted", i);
        }
    }
}

static void check_bit_flips(const luft_position *position, void *payload) {
    (void)payload;
    const luft_position_planes planes = planes_of(position);
    for (size_t bit = 0; bit < sizeof planes * 8; bit++) {
        luft_position_planes changed = planes;
        ((uint8_t *)&changed)[bit / 8] ^= (uint8_t)(1 << bit % 8);
        reads_faithfully(&changed);
    }
}

static void changed_bits_and_random_planes(void **state) {
    (void)state;
    random_source source = {22};
    visit_random_positions(test_rounds(15), check_bit_flips, NULL);
    for (int i = 0; i < test_rounds(20000); i++) {
        luft_position_planes planes;
        for (size_t byte = 0; byte < sizeof planes; byte++) {
            ((uint8_t *)&planes)[byte] = (uint8_t)random_next(&source);
        }
        reads_faithfully(&planes);
    }
    for (int byte = 0; byte < 256; byte++) {
        luft_position_planes planes;
        memset(&planes, byte, sizeof planes);
        assert_false(reads_faithfully(&planes));
    }
}

static void null_and_invalid_positions_are_refused(void **state) {
    (void)state;
    luft_position position = luft_start_position();
    luft_position_planes planes;
    memset(&planes, 0xa5, sizeof planes);
    const luft_position_planes untouched = planes;
    assert_int_equal(luft_position_to_planes(NULL, &position), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_to_planes(&planes, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_from_planes(NULL, &planes), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_position_from_planes(&position, NULL), LUFT_ERROR_ARGUMENT);
    position.key[0] ^= 1;
    assert_int_equal(luft_position_to_planes(&planes, &position), LUFT_ERROR_POSITION);
    assert_memory_equal(&planes, &untouched, sizeof planes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_have_their_bits),
        cmocka_unit_test(shifts_are_those_of_bitboards),
        cmocka_unit_test(the_planes_of_the_start_position),
        cmocka_unit_test(positions_become_planes_and_planes_positions),
        cmocka_unit_test(the_compact_position_is_made_of_planes),
        cmocka_unit_test(three_planes_have_no_colours),
        cmocka_unit_test(the_board_is_turned_after_a_move),
        cmocka_unit_test(square_codes_without_a_meaning_are_refused),
        cmocka_unit_test(planes_with_one_fault_are_refused),
        cmocka_unit_test(changed_bits_and_random_planes),
        cmocka_unit_test(null_and_invalid_positions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
