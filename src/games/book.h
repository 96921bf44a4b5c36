/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the book: what a book is, and how its bytes become one. */
#ifndef LUFT_GAMES_BOOK_H
#define LUFT_GAMES_BOOK_H

#include "luft/book.h"

struct luft_book {
    uint8_t *bytes; /* the file, checked */
    size_t count;   /* of entries */
};

/* Fills the report if there is one, and returns the error. */
luft_error luft_book_refuse(luft_book_report *report, luft_error error, const char *reason, size_t offset);

/* Can a book have this many bytes? */
luft_error luft_book_check_length(uint64_t length, luft_book_report *report);

/* Checks allocated bytes of a checked length and makes them a book, which owns them. They stay the caller's on failure. */
luft_error luft_book_adopt(luft_book **book, uint8_t *bytes, size_t length, luft_book_report *report);

#endif
