/* SPDX-License-Identifier: MIT */
/*
 * The Polyglot key: the nine keys published with the format, all of its constants, the
 * contribution of each part of a position, and real books. The books are walked from the
 * start position: every move they give must be legal in the position of its key.
 */
#include "core/polyglot_table.h"
#include "support/check.h"
#include "support/random_positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Published data of the format --------------------------------------- */

static void the_nine_published_keys(void **state) {
    (void)state;
    static const struct {
        const char *moves, *fen;
        uint64_t key;
    } cases[] = {
        {"", START_FEN, 0x463b96181691fc9c},
        {"e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196},
        {"e2e4 d7d5", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0},
        {"e2e4 d7d5 e4e5", "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4},
        {"e2e4 d7d5 e4e5 f7f5", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78},
        {"e2e4 d7d5 e4e5 f7f5 e1e2", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a607ca3f242c1},
        {"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4",
         0x00fdd303c946bdd9},
        {"a2a4 b7b5 h2h4 b5b4 c2c4", "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
         0x3c8123ea7b067637},
        {"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
         0x5c3f9b829b279560},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const luft_position played = position_after(START_FEN, cases[i].moves);
        const luft_position read = position_from(cases[i].fen);
        require_equal(luft_polyglot_key(&played), cases[i].key, &played, "key after the moves");
        require_equal(luft_polyglot_key(&read), cases[i].key, &read, "key of the FEN");
    }
}

static uint64_t fold(uint64_t sum, uint64_t value) {
    return (sum ^ value) * UINT64_C(0x100000001b3);
}

/* Folded in the published order: black pawn first, a1 as square 0. */
static void all_constants_are_those_of_the_format(void **state) {
    (void)state;
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (int kind = 0; kind < 12; kind++) {
        const luft_color color = kind % 2 == 0 ? LUFT_BLACK : LUFT_WHITE;
        for (int square = 0; square < 64; square++) {
            sum = fold(sum, polyglot_piece[color][kind / 2][luft_square_from_a1(square)]);
        }
    }
    for (int right = 0; right < 4; right++) {
        sum = fold(sum, polyglot_castling[right / 2][right % 2]);
    }
    for (int file = 0; file < 8; file++) {
        sum = fold(sum, polyglot_ep_file[file]);
    }
    assert_int_equal(fold(sum, polyglot_white_to_move), UINT64_C(0xdbdd6c53476f44e5));
}

/* --- What each part contributes ----------------------------------------- */

static uint64_t key_of(const char *fen) {
    const luft_position position = position_from(fen);
    return luft_polyglot_key(&position);
}

static void the_side_to_move_adds_one_constant(void **state) {
    (void)state;
    assert_int_equal(key_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1") ^ key_of("4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
                     polyglot_white_to_move);
}

/* By side, wherever king and rooks stand, and for any number of rights. */
static void castling_rights_add_a_constant_each(void **state) {
    (void)state;
    static const struct {
        const char *board, *rights;
    } cases[] = {{"r3k2r/8/8/8/8/8/8/R3K2R", "HAha"}, {"1r3kr1/8/8/8/8/8/8/1R3KR1", "GBgb"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int set = 0; set < 16; set++) {
            char rights[5], none[LUFT_FEN_SIZE], some[LUFT_FEN_SIZE];
            uint64_t sum = 0;
            int count = 0;
            for (int right = 0; right < 4; right++) {
                if (set >> right & 1) {
                    rights[count++] = cases[i].rights[right];
                    sum ^= polyglot_castling[right / 2][right % 2];
                }
            }
            rights[count] = '\0';
            snprintf(none, sizeof none, "%s w - - 0 1", cases[i].board);
            snprintf(some, sizeof some, "%s w %s - 0 1", cases[i].board, count > 0 ? rights : "-");
            assert_int_equal(key_of(none) ^ key_of(some), sum);
        }
    }
}

static void an_en_passant_file_counts_where_capturing_is_legal(void **state) {
    (void)state;
    /* A pawn beside it. */
    assert_int_equal(key_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1") ^ key_of("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
                     polyglot_ep_file[3]);
    /* No pawn beside it. */
    assert_int_equal(key_of("4k3/8/8/3p4/4P3/8/8/4K3 w - d6 0 1"), key_of("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"));
    /* A pinned pawn beside it: the format would count the file, but a Luft position does not store it. */
    assert_int_equal(key_of("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1"), key_of("4k3/8/8/K2pP2r/8/8/8/8 w - - 0 1"));
}

static void check_recomputed(const luft_position *position, void *payload) {
    (void)payload;
    uint64_t key = position->side_to_move == LUFT_WHITE ? polyglot_white_to_move : 0;
    for (int square = 0; square < 64; square++) {
        const luft_piece piece = luft_piece_at(&position->board, (luft_square)square);
        if (piece != LUFT_NO_PIECE) {
            key ^= polyglot_piece[luft_piece_color(piece)][luft_piece_type_of(piece) - 1][square];
        }
        if (position->board.castling >> square & 1) {
            const luft_color color = luft_piece_color(piece);
            key ^= polyglot_castling[color][square < (int)luft_king_square(&position->board, color)];
        }
    }
    if (position->ep_square != LUFT_NO_SQUARE) {
        key ^= polyglot_ep_file[position->ep_square % 8];
    }
    require_equal(luft_polyglot_key(position), key, position, "Polyglot key");
}

static void the_key_is_the_xor_of_its_parts(void **state) {
    (void)state;
    visit_random_positions(test_rounds(20), check_recomputed, NULL);
    assert_int_equal(luft_polyglot_key(NULL), 0);
}

/* --- Real books --------------------------------------------------------- */

#define ENTRY_BYTES 16

typedef struct book {
    uint8_t *entries; /* key (8 bytes), move (2), weight (2), learn (4), all big-endian; sorted by key */
    size_t count;
    bool *seen; /* by entry */
    size_t seen_count;
} book;

static uint64_t big_endian(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* The first entry whose key is not less. */
static size_t find_entry(const book *it, uint64_t key) {
    size_t low = 0, high = it->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (big_endian(it->entries + ENTRY_BYTES * middle, 8) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The move of an entry, castling as king to rook; must be legal. */
static luft_move book_move(const luft_position *position, const uint8_t *entry) {
    const unsigned code = (unsigned)big_endian(entry + 8, 2);
    const char uci[] = {(char)('a' + (code >> 6 & 7)), (char)('1' + (code >> 9 & 7)), (char)('a' + (code & 7)),
                        (char)('1' + (code >> 3 & 7)), "\0nbrq\0\0"[code >> 12 & 7],  '\0'};
    return move_from(position, uci);
}

static bool is_entry(const book *it, size_t at, uint64_t key) {
    return at < it->count && big_endian(it->entries + ENTRY_BYTES * at, 8) == key;
}

/* Follows the moves of the book, and all replies if it has none: some books hold the moves of one side only. */
static void walk(book *it, const luft_position *position, bool after_book_move, int depth) {
    const uint64_t key = luft_polyglot_key(position);
    size_t at = find_entry(it, key);
    luft_position next;
    if (depth == 0 || (!is_entry(it, at, key) && !after_book_move)) {
        return;
    }
    if (!is_entry(it, at, key)) {
        luft_move_list list;
        luft_generate(&list, position, LUFT_ALL_MOVES);
        for (int i = 0; i < list.count; i++) {
            luft_make(&next, position, list.moves[i]);
            walk(it, &next, false, depth - 1);
        }
    }
    for (; is_entry(it, at, key) && !it->seen[at]; at++) {
        it->seen[at] = true;
        it->seen_count++;
        luft_make(&next, position, book_move(position, it->entries + ENTRY_BYTES * at));
        walk(it, &next, true, depth - 1);
    }
}

/* A wrong key would end the walk early: these books have more than 10,000 entries that it reaches. */
static void check_book(const char *name) {
    FILE *file = open_optional_data(name);
    const size_t room = 16 << 20;
    book it = {.entries = malloc(room)};
    assert_non_null(it.entries);
    it.count = fread(it.entries, ENTRY_BYTES, room / ENTRY_BYTES, file);
    fclose(file);
    it.seen = calloc(it.count, sizeof *it.seen);
    assert_non_null(it.seen);
    const luft_position start = luft_start_position();
    walk(&it, &start, false, 200);
    print_message("%s: %zu of %zu entries\n", name, it.seen_count, it.count);
    assert_true(it.seen_count >= 10000);
    free(it.seen);
    free(it.entries);
}

static void books_give_legal_moves_only(void **state) {
    (void)state;
    check_book("polyglot/gnuchess-book.bin");
    check_book("polyglot/performance.bin");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nine_published_keys),
        cmocka_unit_test(all_constants_are_those_of_the_format),
        cmocka_unit_test(the_side_to_move_adds_one_constant),
        cmocka_unit_test(castling_rights_add_a_constant_each),
        cmocka_unit_test(an_en_passant_file_counts_where_capturing_is_legal),
        cmocka_unit_test(the_key_is_the_xor_of_its_parts),
        cmocka_unit_test(books_give_legal_moves_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
