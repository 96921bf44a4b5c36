/* SPDX-License-Identifier: MIT */
/*
 * Polyglot books: entries written byte by byte as the format says, found as legal moves; castling, promotions and the en
 * passant case that a Luft position does not store; weights and picking; damaged files; the writer. Real books are
 * compared with a slow scan here, and with Debian's polyglot in test_book_polyglot.c.
 */
#define _XOPEN_SOURCE 700

#include "support/check.h"
#include "support/failing_malloc.h"
#include "support/random_positions.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Helpers ------------------------------------------------------------------ */

enum { ROOM = 2048 };

/* A book under construction: the bytes of a file. */
typedef struct raw_book {
    uint8_t bytes[16 * ROOM];
    size_t length;
} raw_book;

/* Adds an entry, byte by byte; the keys must come in order. */
static void put_entry(raw_book *raw, uint64_t key, unsigned code, unsigned weight, uint32_t learn) {
    uint8_t *at = raw->bytes + raw->length;
    for (int i = 0; i < 8; i++) {
        at[i] = (uint8_t)(key >> (56 - 8 * i));
    }
    at[8] = (uint8_t)(code >> 8);
    at[9] = (uint8_t)code;
    at[10] = (uint8_t)(weight >> 8);
    at[11] = (uint8_t)weight;
    for (int i = 0; i < 4; i++) {
        at[12 + i] = (uint8_t)(learn >> (24 - 8 * i));
    }
    raw->length += 16;
}

/* The code of a move as the format has it, from two squares and a promotion letter: "e1h1", "a7b8q". */
static unsigned code_of(const char *text) {
    const unsigned from = (unsigned)(text[0] - 'a') | (unsigned)(text[1] - '1') << 3;
    const unsigned to = (unsigned)(text[2] - 'a') | (unsigned)(text[3] - '1') << 3;
    const unsigned promotion = text[4] ? (unsigned)(strchr("nbrq", text[4]) - "nbrq") + 1 : 0;
    return to | from << 6 | promotion << 12;
}

static luft_book *open_raw(const raw_book *raw) {
    luft_book *book = NULL;
    luft_book_report report = {.error = LUFT_ERROR_END};
    if (luft_book_open_bytes(&book, raw->bytes, raw->length, &report) != LUFT_OK) {
        fail_msg("refused: %s at byte %zu", report.reason, report.offset);
    }
    assert_int_equal(report.error, LUFT_OK);
    return book;
}

/* A book with one move of one position finds this move: in UCI with castling as king takes rook, or "" for none. */
static void assert_finds(const char *fen, const char *code, const char *expected) {
    const luft_position position = position_from(fen);
    raw_book raw = {.length = 0};
    luft_book_moves moves;
    char text[LUFT_UCI_MOVE_SIZE] = "";
    put_entry(&raw, luft_polyglot_key(&position), code_of(code), 7, 9);
    luft_book *book = open_raw(&raw);
    const int count = luft_book_find(&moves, book, &position, LUFT_NO_SQUARE);
    assert_int_equal(count, moves.count);
    assert_int_equal(count, expected[0] != '\0');
    assert_int_equal(moves.illegal, !count);
    if (count) {
        luft_move_to_uci(text, sizeof text, moves.moves[0].move, LUFT_CASTLING_CHESS960);
        assert_true(luft_is_legal(&position, moves.moves[0].move));
        assert_int_equal(moves.moves[0].weight, 7);
        assert_int_equal(moves.moves[0].learn, 9);
        assert_int_equal(luft_move_to_polyglot(moves.moves[0].move), code_of(code));
    }
    assert_string_equal(text, expected);
    luft_book_free(book);
}

/* --- Moves --------------------------------------------------------------------- */

#define CASTLES "r3k2r/8/8/8/8/8/8/R3K2R"

static void moves_are_legal_moves(void **state) {
    (void)state;
    assert_finds(START_FEN, "e2e4", "e2e4");
    assert_finds(START_FEN, "g1f3", "g1f3");
    assert_finds(START_FEN, "e2e5", "");
    assert_finds(START_FEN, "a1a1", ""); /* the code 0, no move */
    assert_finds(START_FEN, "e2e4q", "");
    assert_finds("1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8q", "a7a8q");
    assert_finds("1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7b8n", "a7b8n");
    assert_finds("1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7b8b", "a7b8b");
    assert_finds("1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7b8r", "a7b8r");
    assert_finds("1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8", ""); /* without its promotion */
    assert_finds("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e5d6");
}

/* Contract D4: e1a1 and its like are castling only where the king stands there and may castle. */
static void castling_is_king_takes_rook(void **state) {
    (void)state;
    assert_finds(CASTLES " w KQkq - 0 1", "e1h1", "e1h1");
    assert_finds(CASTLES " w KQkq - 0 1", "e1a1", "e1a1");
    assert_finds(CASTLES " b KQkq - 0 1", "e8h8", "e8h8");
    assert_finds(CASTLES " b KQkq - 0 1", "e8a8", "e8a8");
    assert_finds(CASTLES " w Kkq - 0 1", "e1a1", "");
    assert_finds(CASTLES " w - - 0 1", "e1h1", "");
    assert_finds("7k/8/8/8/8/8/6K1/4R3 w - - 0 1", "e1a1", "e1a1");
    assert_finds("7k/8/8/8/8/8/6K1/n3R3 w - - 0 1", "e1a1", "e1a1");
    assert_finds("4q3/3k4/8/8/8/8/8/6K1 b - - 0 1", "e8h8", "e8h8");
    assert_finds("1r3kr1/6p1/8/8/8/8/6P1/1R3KR1 w GBgb - 0 1", "f1g1", "f1g1");
    assert_finds("1r3kr1/6p1/8/8/8/8/6P1/1R3KR1 w GBgb - 0 1", "f1b1", "f1b1");
    assert_finds("1r3kr1/6p1/8/8/8/8/6P1/1R3KR1 b GBgb - 0 1", "f8b8", "f8b8");
}

static void check_codes(const luft_position *position, void *payload) {
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        char text[LUFT_UCI_MOVE_SIZE];
        luft_move move = LUFT_MOVE_NONE;
        luft_move_to_uci(text, sizeof text, list.moves[i], LUFT_CASTLING_CHESS960);
        require_equal(luft_move_to_polyglot(list.moves[i]), code_of(text), position, text);
        require(luft_move_from_polyglot(&move, position, (uint16_t)(code_of(text) | 0x8000)) == LUFT_OK, position,
                text);
        require_equal(move, list.moves[i], position, text);
    }
    *(int *)payload += list.count;
}

static void codes_of_all_legal_moves_round_trip(void **state) {
    (void)state;
    int count = 0;
    visit_random_positions(test_rounds(20), check_codes, &count);
    assert_true(count > 10000);
    const luft_position start = luft_start_position();
    luft_move move = 0x1234;
    assert_int_equal(luft_move_to_polyglot(LUFT_MOVE_NONE), 0);
    assert_int_equal(luft_move_from_polyglot(&move, &start, 0), LUFT_ERROR_MOVE_ILLEGAL);
    assert_int_equal(luft_move_from_polyglot(NULL, &start, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_move_from_polyglot(&move, NULL, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(move, 0x1234);
}

/* --- En passant ------------------------------------------------------------------ */

/* White's pawn on e5 is pinned, so the position after d7d5 stores no square; the format counts the file. */
static void the_format_counts_captures_that_a_pin_forbids(void **state) {
    (void)state;
    const luft_position position = position_after(START_FEN, "e2e4 e7e5 f2f4 e5f4 e4e5 d8e7 d2d4 d7d5");
    assert_int_equal(position.ep_square, LUFT_NO_SQUARE);
    const uint64_t key = luft_polyglot_key_with_ep(&position, LUFT_D6);
    assert_int_not_equal(key, luft_polyglot_key(&position));
    const luft_position with = position_from("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    const luft_position without = position_from("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1");
    assert_int_equal(key ^ luft_polyglot_key(&position), luft_polyglot_key(&with) ^ luft_polyglot_key(&without));
    raw_book raw = {.length = 0};
    luft_book_moves moves;
    put_entry(&raw, key, code_of("g1f3"), 1, 0);
    luft_book *book = open_raw(&raw);
    assert_int_equal(luft_book_find(&moves, book, &position, LUFT_D6), 1);
    assert_int_equal(luft_book_find(&moves, book, &position, LUFT_NO_SQUARE), 0);
    luft_book_free(book);
}

static void other_squares_do_not_count(void **state) {
    (void)state;
    const luft_position stored = position_from("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    const luft_position pinned = position_from("4k3/8/8/K2pP2r/8/8/8/8 w - - 0 1");
    const luft_position lonely = position_from("4k3/8/8/3p4/8/4P3/8/4K3 w - - 0 1");
    assert_int_not_equal(luft_polyglot_key_with_ep(&pinned, LUFT_D6), luft_polyglot_key(&pinned));
    assert_int_equal(luft_polyglot_key_with_ep(&lonely, LUFT_D6), luft_polyglot_key(&lonely));
    for (int square = -3; square < 70; square++) {
        assert_int_equal(luft_polyglot_key_with_ep(&stored, (luft_square)square), luft_polyglot_key(&stored));
        if (square != LUFT_D6) {
            assert_int_equal(luft_polyglot_key_with_ep(&pinned, (luft_square)square), luft_polyglot_key(&pinned));
        }
    }
    assert_int_equal(luft_polyglot_key_with_ep(NULL, LUFT_D6), 0);
}

/* The rule of the format, square by square, after every legal move of random positions. */
static void check_ep(const luft_position *position, void *payload) {
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        luft_position next;
        luft_make(&next, position, list.moves[i]);
        const luft_square ep = luft_move_ep_square(list.moves[i]), to = luft_move_to(list.moves[i]);
        luft_position plain = next;
        plain.ep_square = LUFT_NO_SQUARE;
        bool counts = false;
        for (int step = -1; step <= 1 && ep != LUFT_NO_SQUARE; step += 2) {
            const int file = luft_file_of(to) + step;
            counts |= file >= 0 && file < 8 &&
                      luft_piece_at(&next.board, (luft_square)(to + step)) ==
                          luft_make_piece((luft_color)next.side_to_move, LUFT_PAWN);
        }
        const bool differs = luft_polyglot_key_with_ep(&next, ep) != luft_polyglot_key(&plain);
        require_equal(differs, counts, &next, "does the en passant file count");
        *(int *)payload += counts && next.ep_square == LUFT_NO_SQUARE;
    }
}

static void the_file_counts_if_a_pawn_stands_beside(void **state) {
    (void)state;
    int unlike_luft = 0;
    visit_random_positions(test_rounds(100), check_ep, &unlike_luft);
    assert_true(unlike_luft > 0); /* the case in which the two keys differ is among them */
}

/* --- Weights ---------------------------------------------------------------------- */

static void weights_add_up_and_sort(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const uint64_t key = luft_polyglot_key(&start);
    static const struct {
        const char *move;
        unsigned weight, learn;
    } entries[] = {{"a2a3", 5, 1},   {"e2e4", 100, 2}, {"e7e5", 9, 3}, {"d2d4", 65535, 4},
                   {"c2c4", 100, 5}, {"e2e4", 3, 6},   {"b2b3", 0, 7}, {"d2d4", 65535, 8}};
    static const struct {
        const char *move;
        unsigned weight, learn;
    } expected[] = {{"d2d4", 131070, 4}, {"e2e4", 103, 2}, {"c2c4", 100, 5}, {"a2a3", 5, 1}, {"b2b3", 0, 7}};
    raw_book raw = {.length = 0};
    luft_book_moves moves;
    put_entry(&raw, key - 1, code_of("h2h4"), 1, 0);
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        put_entry(&raw, key, code_of(entries[i].move), entries[i].weight, entries[i].learn);
    }
    put_entry(&raw, key + 1, code_of("h2h4"), 1, 0);
    luft_book *book = open_raw(&raw);
    assert_int_equal(luft_book_entry_count(book), 10);
    assert_int_equal(luft_book_lower_bound(book, 0), 0);
    assert_int_equal(luft_book_lower_bound(book, key), 1);
    assert_int_equal(luft_book_lower_bound(book, key + 1), 9);
    assert_int_equal(luft_book_lower_bound(book, key + 2), 10);
    assert_int_equal(luft_book_find(&moves, book, &start, LUFT_NO_SQUARE), 5);
    assert_int_equal(moves.illegal, 1);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(moves.moves[i].move, move_from(&start, expected[i].move));
        assert_int_equal(moves.moves[i].weight, expected[i].weight);
        assert_int_equal(moves.moves[i].learn, expected[i].learn);
    }
    luft_book_entry entry = {0};
    assert_true(luft_book_entry_at(&entry, book, 9));
    assert_true(entry.key == key + 1 && entry.move == code_of("h2h4") && entry.weight == 1 && entry.learn == 0);
    assert_false(luft_book_entry_at(&entry, book, 10));
    assert_false(luft_book_entry_at(&entry, book, SIZE_MAX));
    luft_book_free(book);
}

/* Each number below the total picks one move; each move is picked as often as its weight says. */
static void picking_is_proportional(void **state) {
    (void)state;
    luft_book_moves moves = {.count = 4, .moves = {{1, 50, 0}, {2, 30, 0}, {3, 20, 0}, {4, 0, 0}}};
    int picked[5] = {0};
    for (uint64_t random = 0; random < 100; random++) {
        picked[luft_book_pick(&moves, random)]++;
        assert_int_equal(luft_book_pick(&moves, random), luft_book_pick(&moves, random + 1000));
    }
    assert_true(picked[1] == 50 && picked[2] == 30 && picked[3] == 20 && picked[4] == 0 && picked[0] == 0);
    assert_int_not_equal(luft_book_pick(&moves, UINT64_MAX), LUFT_MOVE_NONE);
    moves.count = 1;
    assert_int_equal(luft_book_pick(&moves, 99), 1);
    moves.moves[0].weight = 0;
    assert_int_equal(luft_book_pick(&moves, 0), LUFT_MOVE_NONE);
    moves.count = 0;
    assert_int_equal(luft_book_pick(&moves, 0), LUFT_MOVE_NONE);
    assert_int_equal(luft_book_pick(NULL, 0), LUFT_MOVE_NONE);
}

/* --- Damaged files ------------------------------------------------------------------ */

static void assert_refused(const raw_book *raw, luft_error error, size_t offset) {
    luft_book *const before = (luft_book *)raw, *book = before;
    luft_book_report report = {.error = LUFT_OK};
    assert_int_equal(luft_book_open_bytes(&book, raw->bytes, raw->length, &report), error);
    assert_int_equal(report.error, error);
    assert_int_equal(report.offset, offset);
    assert_true(report.reason && report.reason[0]);
    assert_ptr_equal(book, before);
    assert_int_equal(luft_book_open_bytes(&book, raw->bytes, raw->length, NULL), error);
}

static void faults_are_named(void **state) {
    (void)state;
    static raw_book raw;
    raw.length = 0;
    assert_refused(&raw, LUFT_ERROR_BOOK, 0);
    for (raw.length = 1; raw.length < 100; raw.length++) {
        if (raw.length % 16 != 0) {
            assert_refused(&raw, LUFT_ERROR_BOOK, 0);
        }
    }
    raw.length = 0;
    put_entry(&raw, 5, 1, 1, 0);
    put_entry(&raw, 6, 1, 1, 0);
    put_entry(&raw, 5, 1, 1, 0);
    assert_refused(&raw, LUFT_ERROR_BOOK, 32);
    raw.length = 0;
    put_entry(&raw, 1, 1, 1, 0);
    for (int i = 0; i < LUFT_BOOK_MAX_ENTRIES_PER_KEY; i++) {
        put_entry(&raw, 7, 1, 1, 0);
    }
    luft_book_free(open_raw(&raw));
    put_entry(&raw, 7, 1, 1, 0);
    assert_refused(&raw, LUFT_ERROR_BOOK, (size_t)16 * (LUFT_BOOK_MAX_ENTRIES_PER_KEY + 1));
    luft_book *book = NULL;
    luft_book_report report;
    assert_int_equal(luft_book_open_bytes(&book, raw.bytes, (size_t)LUFT_BOOK_MAX_SIZE + 16, &report),
                     LUFT_ERROR_OVERFLOW);
    assert_null(book);
}

/* Whatever the bytes: a refusal, or a book whose moves are legal. */
static void random_flips_do_no_harm(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    const uint64_t key = luft_polyglot_key(&start);
    raw_book good = {.length = 0};
    random_source source = {1};
    int opened = 0, found = 0;
    put_entry(&good, key - 1000, code_of("d2d4"), 5, 0);
    put_entry(&good, key, code_of("d2d4"), 5, 0);
    put_entry(&good, key, code_of("e2e4"), 5, 0);
    put_entry(&good, key + 1000, code_of("e2e4"), 5, 0);
    for (int round = 0; round < test_rounds(100000); round++) {
        raw_book raw = {.length = good.length};
        memcpy(raw.bytes, good.bytes, good.length);
        for (int flips = 1 + random_below(&source, 3); flips > 0; flips--) {
            const int bit = random_below(&source, 8 * (int)good.length);
            raw.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        luft_book *book = NULL;
        luft_book_moves moves;
        if (luft_book_open_bytes(&book, raw.bytes, raw.length, NULL) != LUFT_OK) {
            assert_null(book);
            continue;
        }
        opened++;
        luft_book_find(&moves, book, &start, LUFT_NO_SQUARE);
        for (int i = 0; i < moves.count; i++, found++) {
            require(luft_is_legal(&start, moves.moves[i].move), &start, "a legal move");
        }
        const luft_move picked = luft_book_pick(&moves, random_next(&source));
        require(picked == LUFT_MOVE_NONE || luft_is_legal(&start, picked), &start, "a legal pick");
        luft_book_free(book);
    }
    assert_true(opened > 0 && found > 0);
}

/* --- Files --------------------------------------------------------------------------- */

static void write_raw(const char *path, const raw_book *raw) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(raw->bytes, 1, raw->length, file), raw->length);
    assert_int_equal(fclose(file), 0);
}

static void assert_unreadable(const char *path, luft_error error) {
    luft_book *book = NULL;
    luft_book_report report = {.error = LUFT_OK};
    assert_int_equal(luft_book_open(&book, path, &report), error);
    assert_int_equal(report.error, error);
    assert_true(report.reason && report.reason[0]);
    assert_null(book);
}

static void files_are_opened_and_closed(void **state) {
    (void)state;
    char folder[] = "/tmp/luft-book-XXXXXX", path[64];
    const luft_position start = luft_start_position();
    raw_book raw = {.length = 0};
    luft_book *book = NULL;
    luft_book_moves moves;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/book", folder);
    put_entry(&raw, luft_polyglot_key(&start), code_of("e2e4"), 1, 0);
    write_raw(path, &raw);
    assert_int_equal(luft_book_open(&book, path, NULL), LUFT_OK);
    assert_int_equal(truncate(path, 3), 0); /* the open book does not change */
    assert_int_equal(luft_book_find(&moves, book, &start, LUFT_NO_SQUARE), 1);
    luft_book_free(book);
    assert_unreadable(path, LUFT_ERROR_BOOK);
    assert_int_equal(truncate(path, 0), 0);
    assert_unreadable(path, LUFT_ERROR_BOOK);
    assert_int_equal(truncate(path, (off_t)LUFT_BOOK_MAX_SIZE + 16), 0); /* sparse: takes no room on the disk */
    assert_unreadable(path, LUFT_ERROR_OVERFLOW);
    unlink(path);
    assert_unreadable(path, LUFT_ERROR_READ);
    assert_unreadable(folder, LUFT_ERROR_READ);
    assert_unreadable("/dev/zero", LUFT_ERROR_READ);
    assert_unreadable("", LUFT_ERROR_READ);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_unreadable(path, LUFT_ERROR_READ); /* at once, although nobody writes */
    unlink(path);
    rmdir(folder);
}

/* --- Misuse and memory ------------------------------------------------------------------ */

static void null_is_an_error(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    luft_book *book = NULL;
    luft_book_entry entry = {0};
    luft_book_moves moves = {.count = 3};
    luft_book_writer writer;
    assert_int_equal(luft_book_open(NULL, "x", NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_book_open(&book, NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_book_open_bytes(NULL, "x", 1, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_book_open_bytes(&book, NULL, 16, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_book_open_bytes(&book, NULL, 0, NULL), LUFT_ERROR_BOOK);
    assert_null(book);
    luft_book_free(NULL);
    assert_int_equal(luft_book_entry_count(NULL), 0);
    assert_int_equal(luft_book_lower_bound(NULL, 1), 0);
    assert_false(luft_book_entry_at(&entry, NULL, 0));
    assert_int_equal(luft_book_find(NULL, NULL, &start, LUFT_NO_SQUARE), 0);
    assert_int_equal(luft_book_find(&moves, NULL, &start, LUFT_NO_SQUARE), 0);
    assert_int_equal(moves.count, 0);
    assert_int_equal(luft_book_make_entry(NULL, &start, LUFT_NO_SQUARE, 0, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_book_make_entry(&entry, NULL, LUFT_NO_SQUARE, 0, 1), LUFT_ERROR_ARGUMENT);
    luft_book_writer_init(NULL, NULL, NULL);
    luft_book_writer_init(&writer, NULL, NULL);
    assert_int_equal(luft_book_write(&writer, &entry), LUFT_ERROR_WRITE);
    assert_int_equal(luft_book_write(&writer, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_book_write(NULL, &entry), LUFT_ERROR_ARGUMENT);
}

static luft_error open_scenario(void *payload) {
    const raw_book *raw = payload;
    luft_book *book = NULL;
    const luft_error error = luft_book_open_bytes(&book, raw->bytes, raw->length, NULL);
    assert_int_equal(book != NULL, error == LUFT_OK);
    luft_book_free(book);
    return error;
}

static luft_error file_scenario(void *payload) {
    luft_book *book = NULL;
    const luft_error error = luft_book_open(&book, payload, NULL);
    assert_int_equal(book != NULL, error == LUFT_OK);
    luft_book_free(book);
    return error;
}

static void out_of_memory(void **state) {
    (void)state;
    char path[] = "/tmp/luft-book-XXXXXX";
    raw_book raw = {.length = 0};
    put_entry(&raw, 1, 2, 3, 4);
    assert_int_equal(assert_survives_failing_malloc(open_scenario, &raw), 2);
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    write_raw(path, &raw);
    assert_int_equal(assert_survives_failing_malloc(file_scenario, path), 2);
    unlink(path);
}

/* --- The writer ---------------------------------------------------------------------------- */

static bool append(void *payload, const void *bytes, size_t length) {
    raw_book *raw = payload;
    memcpy(raw->bytes + raw->length, bytes, length);
    raw->length += length;
    return true;
}

static bool refuse(void *payload, const void *bytes, size_t length) {
    (void)bytes;
    (void)length;
    ++*(int *)payload;
    return false;
}

static void what_is_written_is_read(void **state) {
    (void)state;
    raw_book expected = {.length = 0};
    static raw_book written;
    written.length = 0;
    luft_book_writer writer;
    luft_book_writer_init(&writer, append, &written);
    put_entry(&expected, 0, 0x0102, 0x0304, 0x05060708);
    put_entry(&expected, 0, 1, 2, 3);
    put_entry(&expected, UINT64_C(0x0123456789abcdef), 0xffff, 0xffff, UINT32_MAX);
    put_entry(&expected, UINT64_MAX, 0, 0, 0);
    luft_book *book = open_raw(&expected);
    luft_book_entry entry;
    for (size_t i = 0; luft_book_entry_at(&entry, book, i); i++) {
        assert_int_equal(luft_book_write(&writer, &entry), LUFT_OK);
    }
    assert_int_equal(written.length, expected.length);
    assert_memory_equal(written.bytes, expected.bytes, expected.length);
    entry.key = UINT64_MAX - 1;
    assert_int_equal(luft_book_write(&writer, &entry), LUFT_ERROR_ARGUMENT);
    entry.key = UINT64_MAX;
    for (int i = 1; i < LUFT_BOOK_MAX_ENTRIES_PER_KEY; i++) {
        assert_int_equal(luft_book_write(&writer, &entry), LUFT_OK);
    }
    assert_int_equal(luft_book_write(&writer, &entry), LUFT_ERROR_OVERFLOW);
    luft_book_free(open_raw(&written));
    luft_book_free(book);
}

static void a_sink_that_refuses_is_asked_once(void **state) {
    (void)state;
    const luft_book_entry entry = {.key = 1};
    luft_book_writer writer;
    int calls = 0;
    luft_book_writer_init(&writer, refuse, &calls);
    assert_int_equal(luft_book_write(&writer, &entry), LUFT_ERROR_WRITE);
    assert_int_equal(luft_book_write(&writer, &entry), LUFT_ERROR_WRITE);
    assert_int_equal(calls, 1);
}

static void entries_of_positions(void **state) {
    (void)state;
    const luft_position position = position_from(CASTLES " w KQkq - 0 1");
    luft_book_entry entry = {.key = 1};
    assert_int_equal(
        luft_book_make_entry(&entry, &position, LUFT_NO_SQUARE, luft_make_move(LUFT_E1, LUFT_A1, LUFT_QUIET), 1),
        LUFT_ERROR_MOVE_ILLEGAL);
    assert_int_equal(entry.key, 1);
    assert_int_equal(luft_book_make_entry(&entry, &position, LUFT_NO_SQUARE, move_from(&position, "e1a1"), 77),
                     LUFT_OK);
    assert_true(entry.key == luft_polyglot_key(&position) && entry.move == code_of("e1a1"));
    assert_true(entry.weight == 77 && entry.learn == 0);
}

/* --- Sharing and real books ------------------------------------------------------------------ */

typedef struct walk {
    const luft_book *book;
    uint8_t *seen; /* by entry */
    size_t found;
} walk;

/* What luft_book_find must return, by a scan of all entries with this key. */
static void compare_with_entries(const walk *it, const luft_position *position, const luft_book_moves *moves) {
    const uint64_t key = luft_polyglot_key(position);
    luft_book_entry entry;
    int count = 0;
    size_t at = luft_book_lower_bound(it->book, key);
    for (; luft_book_entry_at(&entry, it->book, at) && entry.key == key; at++, count++) {
        require(count < moves->count, position, "a move of the book is found");
        require_equal(luft_move_to_polyglot(moves->moves[count].move), entry.move, position, "its code");
        require_equal(moves->moves[count].weight, entry.weight, position, "its weight");
        require_equal(moves->moves[count].learn, entry.learn, position, "its learn value");
    }
    require_equal((uint64_t)moves->count, (uint64_t)count, position, "how many moves the book has");
}

static void follow(walk *it, const luft_position *position, int depth) {
    luft_book_moves moves;
    luft_position next;
    const size_t first = luft_book_lower_bound(it->book, luft_polyglot_key(position));
    luft_book_find(&moves, it->book, position, LUFT_NO_SQUARE);
    if (depth == 0 || moves.count == 0 || it->seen[first]) {
        return;
    }
    it->seen[first] = 1;
    it->found++;
    compare_with_entries(it, position, &moves);
    for (int i = 0; i < moves.count; i++) {
        luft_make(&next, position, moves.moves[i].move);
        follow(it, &next, depth - 1);
    }
}

static void *walk_book(void *payload) {
    walk *it = payload;
    const luft_position start = luft_start_position();
    it->seen = calloc(luft_book_entry_count(it->book), 1);
    if (it->seen) {
        follow(it, &start, 60);
    }
    free(it->seen);
    return NULL;
}

/* The file has each move once and the best first, so a position has its entries in their order. */
static void real_books_are_found_by_many_threads(void **state) {
    (void)state;
    enum { THREADS = 4 };
    char path[512];
    fclose(open_optional_data("polyglot/gnuchess-book.bin"));
    snprintf(path, sizeof path, "%s/polyglot/gnuchess-book.bin", getenv("LUFT_DATA"));
    luft_book *book = NULL;
    pthread_t threads[THREADS];
    walk walks[THREADS];
    assert_int_equal(luft_book_open(&book, path, NULL), LUFT_OK);
    for (int i = 0; i < THREADS; i++) {
        walks[i] = (walk){.book = book};
        assert_int_equal(pthread_create(&threads[i], NULL, walk_book, &walks[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(walks[i].found, walks[0].found);
    }
    print_message("%zu positions of %zu entries\n", walks[0].found, luft_book_entry_count(book));
    assert_true(walks[0].found > 10000);
    luft_book_free(book);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_legal_moves),
        cmocka_unit_test(castling_is_king_takes_rook),
        cmocka_unit_test(codes_of_all_legal_moves_round_trip),
        cmocka_unit_test(the_format_counts_captures_that_a_pin_forbids),
        cmocka_unit_test(other_squares_do_not_count),
        cmocka_unit_test(the_file_counts_if_a_pawn_stands_beside),
        cmocka_unit_test(weights_add_up_and_sort),
        cmocka_unit_test(picking_is_proportional),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(random_flips_do_no_harm),
        cmocka_unit_test(files_are_opened_and_closed),
        cmocka_unit_test(null_is_an_error),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_sink_that_refuses_is_asked_once),
        cmocka_unit_test(entries_of_positions),
        cmocka_unit_test(real_books_are_found_by_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
