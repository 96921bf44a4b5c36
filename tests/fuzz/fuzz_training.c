/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: arbitrary bytes as training data: games behind each other, as records, and as the header of a file. Every move
 * of a game that is read is legal, and the game is written so that it reads as the same; a record that is read is
 * a valid position that packs to the same bytes.
 */
#include "decode.h"

#include "luft-train/data/games.h"
#include "luft-train/data/records.h"

#include <stdlib.h>
#include <string.h>

static void check_game(const game_data *game) {
    static game_data back;
    buffer written = {0};
    for (int i = 0; i <= game->plies; i++) {
        expect_equal(luft_position_status(&game->positions[i]), LUFT_STATUS_VALID, &game->positions[i], "a position");
        if (i < game->plies && !luft_is_legal(&game->positions[i], game->ply[i].move)) {
            report(&game->positions[i], "a move that is not legal");
        }
    }
    const luft_position *start = &game->positions[0];
    expect_equal(game_encode(&written, game), true, start, "the game is written");
    const uint8_t *const bytes = (const uint8_t *)written.data, *cursor = bytes;
    expect_equal(game_decode(&back, &cursor, bytes + written.length), true, start, "and read again");
    expect_equal((uint64_t)(cursor - bytes), written.length, start, "to its end");
    expect_equal((uint64_t)back.plies, (uint64_t)game->plies, start, "with as many moves");
    expect_equal((uint64_t)game_kept(&back), (uint64_t)game_kept(game), start, "of which as many are kept");
    for (int i = 0; i < game->plies + game->has_last; i++) {
        expect_equal(back.ply[i].move, game->ply[i].move, &game->positions[i], "the move");
        expect_equal((uint64_t)back.ply[i].score, (uint64_t)game->ply[i].score, &game->positions[i], "the score");
    }
    buffer_free(&written);
}

static void check_games(const uint8_t *data, size_t size) {
    static game_data game; /* large */
    const uint8_t *cursor = data, *end = data + size;
    while (cursor < end && game_decode(&game, &cursor, end)) {
        check_game(&game);
    }
}

static void check_record(const uint8_t *data) {
    record entry, back;
    luft_position position;
    memcpy(entry.bytes, data, RECORD_SIZE);
    if (record_unpack(&position, &entry)) {
        expect_equal(luft_position_status(&position), LUFT_STATUS_VALID, &position, "the position of a record");
        record_pack(&back, &position, record_score(&entry), record_result(&entry), record_game(&entry));
        if (memcmp(&back, &entry, sizeof back) != 0) {
            report(&position, "a record packs to other bytes");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    luft_position position;
    file_header header;
    record entry;
    check_games(data, size);
    for (size_t i = 0; i + RECORD_SIZE <= size; i += RECORD_SIZE) {
        check_record(data + i);
    }
    if (size >= FILE_HEADER_SIZE) {
        file_header_unpack(&header, data, FILE_KIND_GAMES);
        file_header_unpack(&header, data, FILE_KIND_RECORDS);
    }
    if (position_from_bytes(&position, data, size)) {
        record_pack(&entry, &position, 0, 1, 7);
        check_record(entry.bytes);
    }
    return 0;
}
