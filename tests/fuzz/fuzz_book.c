/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: any bytes are a book or are refused. What a book holds is found, every move of it is legal, and writing it
 * gives the same bytes. The second half of the inputs is made a book of one position, which random bytes never are: each
 * entry gets its key, so that its moves are looked up.
 */
#include "decode.h"

#include <stdlib.h>
#include <string.h>

enum { COMPACT_BYTES = 48 };

static void check_moves(const luft_book *book, const luft_position *position, uint64_t random) {
    luft_book_moves moves;
    luft_book_find(&moves, book, position, LUFT_NO_SQUARE);
    for (int i = 0; i < moves.count; i++) {
        if (!luft_is_legal(position, moves.moves[i].move)) {
            report(position, "an illegal move from a book");
        }
        if (i > 0 && moves.moves[i].weight > moves.moves[i - 1].weight) {
            report(position, "moves that are not sorted by weight");
        }
        for (int j = 0; j < i; j++) {
            if (moves.moves[i].move == moves.moves[j].move) {
                report(position, "a move twice");
            }
        }
    }
    const luft_move picked = luft_book_pick(&moves, random);
    const bool has_weight = moves.count > 0 && moves.moves[0].weight > 0;
    expect_equal(picked != LUFT_MOVE_NONE, has_weight, position, "a pick");
    for (int i = 0; i < moves.count; i++) {
        if (moves.moves[i].move == picked && moves.moves[i].weight == 0) {
            report(position, "a pick of weight 0");
        }
    }
}

typedef struct comparison {
    const uint8_t *bytes;
    size_t done;
} comparison;

static bool compare(void *payload, const void *bytes, size_t length) {
    comparison *it = payload;
    const bool equal = memcmp(it->bytes + it->done, bytes, length) == 0;
    it->done += length;
    return equal;
}

static void check_book(const uint8_t *bytes, size_t length, const luft_position *position) {
    luft_book *book = NULL;
    luft_book_report why = {.error = LUFT_ERROR_COUNT};
    const luft_error error = luft_book_open_bytes(&book, bytes, length, &why);
    if (error != why.error || !why.reason || (error == LUFT_OK) != (book != NULL)) {
        report(position, "an error that differs from its report");
    }
    if (error != LUFT_OK) {
        return;
    }
    comparison it = {bytes, 0};
    luft_book_writer writer;
    luft_book_entry entry;
    luft_book_writer_init(&writer, compare, &it);
    for (size_t i = 0; luft_book_entry_at(&entry, book, i); i++) {
        const size_t first = luft_book_lower_bound(book, entry.key);
        luft_book_entry found;
        if (first > i || !luft_book_entry_at(&found, book, first) || found.key != entry.key) {
            report(position, "a key that is not found");
        }
        if (luft_book_write(&writer, &entry) != LUFT_OK) {
            report(position, "an entry that is written differently");
        }
    }
    expect_equal(it.done, length, position, "the length of the written book");
    check_moves(book, position, luft_polyglot_key(position) * length);
    luft_book_free(book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    luft_position position;
    if (size < COMPACT_BYTES || !position_from_bytes(&position, data, COMPACT_BYTES)) {
        position = luft_start_position();
    }
    check_book(data, size, &position);
    if (size < COMPACT_BYTES + LUFT_BOOK_ENTRY_SIZE) {
        return 0;
    }
    const size_t length = (size - COMPACT_BYTES) / LUFT_BOOK_ENTRY_SIZE * LUFT_BOOK_ENTRY_SIZE;
    uint8_t *bytes = malloc(length);
    if (!bytes) {
        return 0;
    }
    memcpy(bytes, data + COMPACT_BYTES, length);
    const uint64_t key = luft_polyglot_key(&position);
    for (size_t i = 0; i < length; i += LUFT_BOOK_ENTRY_SIZE) {
        for (int byte = 0; byte < 8; byte++) {
            bytes[i + (size_t)byte] = (uint8_t)(key >> (56 - 8 * byte));
        }
    }
    check_book(bytes, length, &position);
    free(bytes);
    return 0;
}
