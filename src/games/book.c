/* SPDX-License-Identifier: MIT */
/*
 * Polyglot books: checking the bytes of one, finding the entries of a position by binary search, and writing entries.
 * The bytes stay as the file has them, big-endian; book_file.c reads them from a file.
 */
#include "games/book.h"

#include <stdlib.h>
#include <string.h>

/* --- Bytes ------------------------------------------------------------------- */

static uint64_t get_number(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static void put_number(uint8_t *bytes, int count, uint64_t value) {
    for (int i = count - 1; i >= 0; i--, value >>= 8) {
        bytes[i] = (uint8_t)value;
    }
}

static uint64_t key_at(const luft_book *book, size_t index) {
    return get_number(book->bytes + LUFT_BOOK_ENTRY_SIZE * index, 8);
}

/* --- Opening ----------------------------------------------------------------- */

luft_error luft_book_refuse(luft_book_report *report, luft_error error, const char *reason, size_t offset) {
    if (report) {
        *report = (luft_book_report){error, reason, offset};
    }
    return error;
}

luft_error luft_book_check_length(uint64_t length, luft_book_report *report) {
    if (length == 0) {
        return luft_book_refuse(report, LUFT_ERROR_BOOK, "the file is empty", 0);
    }
    if (length > LUFT_BOOK_MAX_SIZE) {
        return luft_book_refuse(report, LUFT_ERROR_OVERFLOW, "the file is larger than 1 GB", 0);
    }
    if (length % LUFT_BOOK_ENTRY_SIZE != 0) {
        return luft_book_refuse(report, LUFT_ERROR_BOOK, "the length is not a multiple of 16 bytes", 0);
    }
    return LUFT_OK;
}

luft_error luft_book_adopt(luft_book **book, uint8_t *bytes, size_t length, luft_book_report *report) {
    const luft_book made = {bytes, length / LUFT_BOOK_ENTRY_SIZE};
    for (size_t i = 1, run = 1; i < made.count; i++) {
        const uint64_t last = key_at(&made, i - 1), key = key_at(&made, i);
        run = key == last ? run + 1 : 1;
        if (key < last) {
            return luft_book_refuse(report, LUFT_ERROR_BOOK, "the keys are not sorted", LUFT_BOOK_ENTRY_SIZE * i);
        }
        if (run > LUFT_BOOK_MAX_ENTRIES_PER_KEY) {
            return luft_book_refuse(report, LUFT_ERROR_BOOK, "a key has more than 1024 entries",
                                    LUFT_BOOK_ENTRY_SIZE * i);
        }
    }
    luft_book *result = malloc(sizeof *result);
    if (!result) {
        return luft_book_refuse(report, LUFT_ERROR_MEMORY, "out of memory", 0);
    }
    *result = made;
    *book = result;
    return luft_book_refuse(report, LUFT_OK, "a book", 0);
}

luft_error luft_book_open_bytes(luft_book **book, const void *bytes, size_t length, luft_book_report *report) {
    if (!book || (!bytes && length > 0)) {
        return luft_book_refuse(report, LUFT_ERROR_ARGUMENT, "a pointer is NULL", 0);
    }
    luft_error error = luft_book_check_length(length, report);
    if (error != LUFT_OK) {
        return error;
    }
    uint8_t *copy = malloc(length);
    if (!copy) {
        return luft_book_refuse(report, LUFT_ERROR_MEMORY, "out of memory", 0);
    }
    memcpy(copy, bytes, length);
    error = luft_book_adopt(book, copy, length, report);
    if (error != LUFT_OK) {
        free(copy);
    }
    return error;
}

void luft_book_free(luft_book *book) {
    if (book) {
        free(book->bytes);
        free(book);
    }
}

/* --- Entries ----------------------------------------------------------------- */

size_t luft_book_entry_count(const luft_book *book) {
    return book ? book->count : 0;
}

bool luft_book_entry_at(luft_book_entry *entry, const luft_book *book, size_t index) {
    if (!entry || !book || index >= book->count) {
        return false;
    }
    const uint8_t *bytes = book->bytes + LUFT_BOOK_ENTRY_SIZE * index;
    *entry = (luft_book_entry){
        .key = get_number(bytes, 8),
        .move = (uint16_t)get_number(bytes + 8, 2),
        .weight = (uint16_t)get_number(bytes + 10, 2),
        .learn = (uint32_t)get_number(bytes + 12, 4),
    };
    return true;
}

size_t luft_book_lower_bound(const luft_book *book, uint64_t key) {
    size_t low = 0, high = luft_book_entry_count(book);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (key_at(book, middle) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

luft_error luft_book_make_entry(luft_book_entry *entry, const luft_position *position, luft_square ep_square,
                                luft_move move, uint16_t weight) {
    if (!entry || !position) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (!luft_is_legal(position, move)) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    *entry = (luft_book_entry){
        .key = luft_polyglot_key_with_ep(position, ep_square),
        .move = luft_move_to_polyglot(move),
        .weight = weight,
    };
    return LUFT_OK;
}

/* --- Moves of a position ------------------------------------------------------ */

/* Adds a move, or its weight if the list has the move already. */
static void add_move(luft_book_moves *moves, luft_move move, const luft_book_entry *entry) {
    for (int i = 0; i < moves->count; i++) {
        if (moves->moves[i].move == move) {
            moves->moves[i].weight += entry->weight; /* at most 1024 times 65535 */
            return;
        }
    }
    moves->moves[moves->count++] = (luft_book_move){move, entry->weight, entry->learn};
}

/* By insertion: stable, and most lists are short and sorted already. */
static void sort_by_weight(luft_book_moves *moves) {
    for (int i = 1; i < moves->count; i++) {
        const luft_book_move it = moves->moves[i];
        int place = i;
        for (; place > 0 && moves->moves[place - 1].weight < it.weight; place--) {
            moves->moves[place] = moves->moves[place - 1];
        }
        moves->moves[place] = it;
    }
}

int luft_book_find(luft_book_moves *moves, const luft_book *book, const luft_position *position,
                   luft_square ep_square) {
    if (!moves) {
        return 0;
    }
    moves->count = moves->illegal = 0;
    if (!book || !position) {
        return 0;
    }
    const uint64_t key = luft_polyglot_key_with_ep(position, ep_square);
    luft_book_entry entry;
    for (size_t i = luft_book_lower_bound(book, key); luft_book_entry_at(&entry, book, i) && entry.key == key; i++) {
        luft_move move;
        if (luft_move_from_polyglot(&move, position, entry.move) == LUFT_OK) {
            add_move(moves, move, &entry);
        } else {
            moves->illegal++;
        }
    }
    sort_by_weight(moves);
    return moves->count;
}

luft_move luft_book_pick(const luft_book_moves *moves, uint64_t random) {
    uint64_t total = 0;
    for (int i = 0; moves && i < moves->count; i++) {
        total += moves->moves[i].weight;
    }
    if (total == 0) {
        return LUFT_MOVE_NONE;
    }
    uint64_t left = random % total; /* a total below 2^26 makes the bias less than one in 2^38 */
    int i = 0;
    for (; left >= moves->moves[i].weight; i++) {
        left -= moves->moves[i].weight;
    }
    return moves->moves[i].move;
}

/* --- The writer ---------------------------------------------------------------- */

void luft_book_writer_init(luft_book_writer *writer, luft_book_sink sink, void *payload) {
    if (writer) {
        *writer = (luft_book_writer){.sink = sink, .payload = payload, .failed = !sink};
    }
}

luft_error luft_book_write(luft_book_writer *writer, const luft_book_entry *entry) {
    if (!writer || !entry) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (writer->failed) {
        return LUFT_ERROR_WRITE;
    }
    if (entry->key < writer->key) {
        return LUFT_ERROR_ARGUMENT;
    }
    const int run = entry->key == writer->key ? writer->run + 1 : 1;
    if (run > LUFT_BOOK_MAX_ENTRIES_PER_KEY) {
        return LUFT_ERROR_OVERFLOW;
    }
    uint8_t bytes[LUFT_BOOK_ENTRY_SIZE];
    put_number(bytes, 8, entry->key);
    put_number(bytes + 8, 2, entry->move);
    put_number(bytes + 10, 2, entry->weight);
    put_number(bytes + 12, 4, entry->learn);
    if (!writer->sink(writer->payload, bytes, sizeof bytes)) {
        writer->failed = true;
        return LUFT_ERROR_WRITE;
    }
    writer->key = entry->key;
    writer->run = run;
    return LUFT_OK;
}
