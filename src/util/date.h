/* SPDX-License-Identifier: MIT */
/* Dates of games as numbers: 20190504, with 0 for the parts that are not known. */
#ifndef LUFT_UTIL_DATE_H
#define LUFT_UTIL_DATE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads "2019", "2019.05", "2019.05.04" or "2019.5.4", separated by . - or /, with ? for what is not known. Missing parts
 * are 0. At a part that is not a number, it and the following are 0 and the function returns false.
 */
bool date_read(int *date, const char *text, size_t length);

/* Writes a date as PGN has it: "2019.05.04", "2019.??.??". Returns `text`. */
#define DATE_TEXT_SIZE 11
const char *date_write(char text[DATE_TEXT_SIZE], int date);

#endif
