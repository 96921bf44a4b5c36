/* SPDX-License-Identifier: MIT */
/*
 * Training records: round trips, the byte layout of records.h checked by hand,
 * colour-flipped positions, bytes that are not a record, and damaged files.
 */
#define _POSIX_C_SOURCE 200809L

#include "support/check.h"
#include "support/random_positions.h"

#include "luft-train/data/records.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- One record -------------------------------------------------------------- */

static void check_round_trip(const luft_position *position, void *payload) {
    (void)payload;
    record entry, flipped_entry;
    luft_position back, flipped;
    record_pack(&entry, position, -1234, 2, 0x89abcdef);
    require(record_unpack(&back, &entry), position, "record_unpack");
    require(record_score(&entry) == -1234 && record_result(&entry) == 2 && record_game(&entry) == 0x89abcdef, position,
            "score, result and game");
    require(record_piece_count(&entry) == luft_popcount(luft_occupied(&position->board)), position, "number of pieces");

    /*
     * The board is that of the position or, for Black, of the colour-flipped position; rights, en passant and
     * counters are dropped.
     */
    luft_position view = *position;
    if (position->side_to_move == LUFT_BLACK) {
        require(luft_position_flip(&view, position) == LUFT_OK, position, "flip");
    }
    view.board.castling = 0;
    require(memcmp(&back.board, &view.board, sizeof back.board) == 0, position, "board seen by the side to move");
    require(back.side_to_move == LUFT_WHITE && back.ep_square == LUFT_NO_SQUARE, position, "White to move");

    require(luft_position_flip(&flipped, position) == LUFT_OK, position, "flip");
    record_pack(&flipped_entry, &flipped, -1234, 2, 0x89abcdef);
    require(memcmp(&flipped_entry, &entry, sizeof entry) == 0, position, "flipped positions have the same record");
}

static void positions_round_trip(void **state) {
    (void)state;
    visit_random_positions(test_rounds(150), check_round_trip, NULL);
}

static void the_bytes_are_as_documented(void **state) {
    (void)state;
    /* Black to move: seen by Black, its king stands on e1, its pawn on e2, White's king on e8 and queen on a8. */
    const luft_position position = position_from("4k3/4p3/8/8/8/8/8/Q3K3 b - - 3 9");
    record entry;
    record_pack(&entry, &position, -300, 0, 0x04030201);
    const uint8_t expected[RECORD_SIZE] = {
        0x10, 0x10, 0, 0, 0, 0, 0, 0x11, /* e1, e2, a8, e8 */
        0x05, 0xdc, 0, 0, 0, 0, 0, 0,    /* king and pawn, the opponent's queen and king */
        0,    0,    0, 0, 0, 0, 0, 0,    /* */
        0xd4, 0xfe, 0, 0, 1, 2, 3, 4 /* -300 */,
    };
    assert_memory_equal(entry.bytes, expected, sizeof expected);
}

static void scores_are_cut_to_sixteen_bits(void **state) {
    (void)state;
    const luft_position position = luft_start_position();
    record entry;
    record_pack(&entry, &position, 99999, 1, 0);
    assert_int_equal(record_score(&entry), 32767);
    record_pack(&entry, &position, -99999, 1, 0);
    assert_int_equal(record_score(&entry), -32768);
}

static void the_key_is_that_of_the_board(void **state) {
    (void)state;
    const luft_position position = luft_start_position();
    const luft_position other = position_from("rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 1");
    record a, b;
    record_pack(&a, &position, 10, 1, 0);
    record_pack(&b, &position, -70, 2, 5);
    assert_true(record_key(&a) == record_key(&b));
    record_pack(&b, &other, 10, 1, 0);
    assert_false(record_key(&a) == record_key(&b));
}

static void refuse(const record *good, int byte, uint8_t value) {
    record bad = *good;
    luft_position position = {0};
    const luft_position untouched = position;
    bad.bytes[byte] = value;
    assert_false(record_unpack(&position, &bad));
    assert_memory_equal(&position, &untouched, sizeof position);
}

static void bytes_that_are_not_a_record(void **state) {
    (void)state;
    record good;
    const luft_position position = position_from("4k3/4p3/8/8/8/8/8/Q3K3 b - - 3 9");
    record_pack(&good, &position, 0, 1, 0);
    refuse(&good, 26, 4);    /* invalid result */
    refuse(&good, 27, 1);    /* the byte that must be zero */
    refuse(&good, 8, 0x06);  /* invalid piece code */
    refuse(&good, 8, 0x04);  /* no king */
    refuse(&good, 9, 0xdd);  /* two kings */
    refuse(&good, 8, 0x55);  /* two kings of the side to move */
    refuse(&good, 10, 0x01); /* a nibble without a piece */
    refuse(&good, 0, 0x00);  /* one piece less, one nibble too many */
    refuse(&good, 9, 0xd8);  /* a pawn on the last rank */
    record all = {{0}};
    memset(all.bytes, 255, 8); /* 64 pieces */
    luft_position none;
    assert_false(record_unpack(&none, &all));
}

/* --- Files ------------------------------------------------------------------- */

static char directory[] = "/tmp/luft-records-XXXXXX";
static char path[64];

static int make_directory(void **state) {
    (void)state;
    if (!mkdtemp(directory)) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/data.rec", directory);
    return 0;
}

static int remove_directory(void **state) {
    (void)state;
    unlink(path);
    return rmdir(directory);
}

enum { COUNT = 1000 };

static void write_file(void) {
    unlink(path);
    file_header header = file_header_of(FILE_KIND_RECORDS);
    header.flags = FILE_SHUFFLED;
    header.nodes = 2500;
    header.signature = 77;
    header.seed = 0x123456789abcdef0ull;
    record_writer writer;
    assert_true(record_writer_open(&writer, path, &header));
    const luft_position position = luft_start_position();
    for (int i = 0; i < COUNT; i++) {
        record entry;
        record_pack(&entry, &position, i - 500, i % 3, (uint32_t)i);
        record_writer_add(&writer, &entry, 1);
    }
    assert_int_not_equal(access(path, F_OK), 0); /* it appears when it is complete */
    assert_true(record_writer_close(&writer));
}

static void files_are_read_as_they_were_written(void **state) {
    (void)state;
    write_file();
    record_file file;
    const char *reason = NULL;
    assert_true(record_file_open(&file, path, &reason));
    assert_int_equal(file.header.count, COUNT);
    assert_int_equal(file.header.positions, COUNT);
    assert_int_equal(file.header.flags, FILE_SHUFFLED);
    assert_int_equal(file.header.nodes, 2500);
    assert_int_equal(file.header.signature, 77);
    assert_true(file.header.seed == 0x123456789abcdef0ull);
    assert_true(record_file_verify(&file));
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(record_score(&file.records[i]), i - 500);
        assert_int_equal(record_game(&file.records[i]), i);
    }
    record_file_close(&file);
}

/* Flips a bit of the file, or truncates it. */
static void damage(long offset, long length) {
    FILE *stream = fopen(path, "r+b");
    assert_non_null(stream);
    if (length >= 0) {
        assert_int_equal(ftruncate(fileno(stream), length), 0);
    } else {
        fseek(stream, offset, SEEK_SET);
        const int byte = fgetc(stream);
        fseek(stream, offset, SEEK_SET);
        fputc(byte ^ 4, stream);
    }
    fclose(stream);
}

static bool is_complete(void) {
    record_file file;
    const char *reason = NULL;
    const bool open = record_file_open(&file, path, &reason);
    assert_true(open == (reason == NULL));
    const bool complete = open && record_file_verify(&file);
    record_file_close(&file);
    return complete;
}

static void damaged_files_are_detected(void **state) {
    (void)state;
    for (long offset = 0; offset < FILE_HEADER_SIZE; offset++) {
        write_file();
        damage(offset, -1);
        assert_false(is_complete());
    }
    const long end = FILE_HEADER_SIZE + (long)COUNT * RECORD_SIZE;
    for (long offset = FILE_HEADER_SIZE; offset < end; offset += 997) {
        write_file();
        damage(offset, -1);
        assert_false(is_complete());
    }
    for (long length = 0; length < end; length += 501) {
        write_file();
        damage(0, length);
        assert_false(is_complete());
    }
    write_file();
    damage(0, end + RECORD_SIZE);
    assert_false(is_complete());
    unlink(path);
    assert_false(is_complete());
}

static void the_checksum_does_not_depend_on_the_parts(void **state) {
    (void)state;
    uint8_t bytes[100];
    for (int i = 0; i < 100; i++) {
        bytes[i] = (uint8_t)(i * 7);
    }
    for (size_t length = 0; length <= 100; length++) {
        for (size_t cut = 0; cut <= length; cut++) {
            checksum sum = checksum_start();
            checksum_add(&sum, bytes, cut);
            checksum_add(&sum, bytes + cut, length - cut);
            assert_true(checksum_end(&sum) == checksum_of(bytes, length));
        }
    }
    const uint8_t zeros[16] = {0};
    for (size_t length = 0; length < 16; length++) {
        assert_false(checksum_of(zeros, length) == checksum_of(zeros, length + 1));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_round_trip),           cmocka_unit_test(the_bytes_are_as_documented),
        cmocka_unit_test(scores_are_cut_to_sixteen_bits), cmocka_unit_test(the_key_is_that_of_the_board),
        cmocka_unit_test(bytes_that_are_not_a_record),    cmocka_unit_test(files_are_read_as_they_were_written),
        cmocka_unit_test(damaged_files_are_detected),     cmocka_unit_test(the_checksum_does_not_depend_on_the_parts),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
