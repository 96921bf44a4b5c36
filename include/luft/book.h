/* SPDX-License-Identifier: MIT */
/*
 * Opening books in the Polyglot format: the moves of a position with their weights, and a writer.
 *
 * A book is a file of entries of 16 bytes, sorted by the key of the position (luft/polyglot.h): key, move, weight and
 * learn value. Opening reads the whole file into memory and checks it; nothing of it is used unchecked, and what happens
 * to the file later does not matter. A move is checked when its position is looked up: moves that are not legal there,
 * from a damaged file or by a collision of keys, are left out.
 *
 * A book does not change once it is open. Any number of threads may read one at the same time.
 */
#ifndef LUFT_BOOK_H
#define LUFT_BOOK_H

#include "polyglot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Entries ---------------------------------------------------------------- */

/* An entry as the file has it. */
typedef struct luft_book_entry {
    uint64_t key;    /* luft_polyglot_key_with_ep of the position */
    uint16_t move;   /* luft_move_to_polyglot of the move */
    uint16_t weight; /* how good or how frequent the move is; 0: do not play it */
    uint32_t learn;  /* for programs that learn; 0 in books that nobody has played from */
} luft_book_entry;

#define LUFT_BOOK_ENTRY_SIZE 16                /* bytes of an entry in a file */
#define LUFT_BOOK_MAX_SIZE ((uint32_t)1 << 30) /* bytes of the largest book that is opened: 67 million entries */
#define LUFT_BOOK_MAX_ENTRIES_PER_KEY 1024     /* a file with more is not a book: no position has as many moves */

/*
 * Fills an entry for a move of the position; `ep_square` as in luft_polyglot_key_with_ep. The learn value is 0.
 * LUFT_ERROR_MOVE_ILLEGAL if the move is not legal.
 */
LUFT_API LUFT_NODISCARD luft_error luft_book_make_entry(luft_book_entry *entry, const luft_position *position,
                                                        luft_square ep_square, luft_move move, uint16_t weight);

/* --- Opening ---------------------------------------------------------------- */

typedef struct luft_book luft_book;

/* Why a file was refused. */
typedef struct luft_book_report {
    luft_error error;
    const char *reason; /* one clause of English, a constant; never NULL */
    size_t offset;      /* the first byte of the entry at fault; 0 if the file as a whole is */
} luft_book_report;

/*
 * Opens a file: reads all of it, checks it and closes it. `report` may be NULL; its `error` is what is returned.
 * LUFT_ERROR_READ if it is not a regular file or cannot be read; LUFT_ERROR_BOOK if it is empty, its length is not a
 * multiple of LUFT_BOOK_ENTRY_SIZE, its keys are not sorted, or a key has more than LUFT_BOOK_MAX_ENTRIES_PER_KEY
 * entries; LUFT_ERROR_OVERFLOW if it is larger than LUFT_BOOK_MAX_SIZE; LUFT_ERROR_MEMORY. Free it with luft_book_free.
 */
LUFT_API LUFT_NODISCARD luft_error luft_book_open(luft_book **book, const char *path, luft_book_report *report);

/* The same with the bytes of a file, which are copied. Free it with luft_book_free. */
LUFT_API LUFT_NODISCARD luft_error luft_book_open_bytes(luft_book **book, const void *bytes, size_t length,
                                                        luft_book_report *report);

/* Frees the book. NULL is fine. */
LUFT_API void luft_book_free(luft_book *book);

/* How many entries the book has, and the one at `index`, false beyond the last. They are sorted by key. */
LUFT_API size_t luft_book_entry_count(const luft_book *book);
LUFT_API bool luft_book_entry_at(luft_book_entry *entry, const luft_book *book, size_t index);

/* The index of the first entry whose key is not less than this one; luft_book_entry_count if there is none. */
LUFT_API size_t luft_book_lower_bound(const luft_book *book, uint64_t key);

/* --- Moves of a position ----------------------------------------------------- */

typedef struct luft_book_move {
    luft_move move;
    uint32_t weight; /* the sum, where several entries have the same move */
    uint32_t learn;  /* of the first of them */
} luft_book_move;

typedef struct luft_book_moves {
    int count;   /* of moves, each of them once */
    int illegal; /* entries left out because their move is not legal in the position */
    luft_book_move moves[LUFT_MAX_MOVES];
} luft_book_moves;

/*
 * Fills the list with the legal moves that the book has in a valid position, the highest weight first, and returns how
 * many they are. Moves of equal weight keep the order of the file. `ep_square` is the square that the last move passed
 * over, or LUFT_NO_SQUARE: luft_polyglot_key_with_ep says where it matters. 0 for NULL.
 */
LUFT_API int luft_book_find(luft_book_moves *moves, const luft_book *book, const luft_position *position,
                            luft_square ep_square);

/*
 * Picks a move with a probability proportional to its weight. `random` is any number; equal numbers give equal moves.
 * LUFT_MOVE_NONE if there are no moves, or all have weight 0. To pick from fewer moves, lower `count`.
 */
LUFT_API luft_move luft_book_pick(const luft_book_moves *moves, uint64_t random);

/* --- The writer -------------------------------------------------------------- */

/* Takes the next bytes of the file; false if it cannot, which every later call then returns as LUFT_ERROR_WRITE. */
typedef bool (*luft_book_sink)(void *payload, const void *bytes, size_t length);

/* Fill it with luft_book_writer_init; its fields are private. Nothing is allocated. */
typedef struct luft_book_writer {
    luft_book_sink sink;
    void *payload;
    uint64_t key; /* of the last entry */
    int run;      /* entries with that key */
    bool failed;  /* the sink refused */
} luft_book_writer;

/* A writer into `sink`, called with `payload`. Nothing is written yet, and there is nothing to free. */
LUFT_API void luft_book_writer_init(luft_book_writer *writer, luft_book_sink sink, void *payload);

/*
 * Writes an entry. LUFT_ERROR_ARGUMENT, and nothing is written, if its key is less than that of the entry before;
 * LUFT_ERROR_OVERFLOW if its key has LUFT_BOOK_MAX_ENTRIES_PER_KEY entries already; LUFT_ERROR_WRITE.
 */
LUFT_API LUFT_NODISCARD luft_error luft_book_write(luft_book_writer *writer, const luft_book_entry *entry);

#ifdef __cplusplus
}
#endif

#endif
