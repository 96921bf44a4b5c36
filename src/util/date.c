/* SPDX-License-Identifier: MIT */
/* Dates of games; see date.h. */
#include "date.h"

#include <string.h>

/* Reads at most so many digits, or as many question marks, which are 0. Returns the bytes read; 0 for neither. */
static size_t read_part(int *value, const char *text, size_t length, size_t digits) {
    size_t used = 0;
    *value = 0;
    if (length >= digits && memcmp(text, "????", digits) == 0) {
        return digits;
    }
    while (used < length && used < digits && text[used] >= '0' && text[used] <= '9') {
        *value = 10 * *value + (text[used++] - '0');
    }
    return used;
}

bool date_read(int *date, const char *text, size_t length) {
    static const int max[3] = {9999, 12, 31};
    int parts[3] = {0, 0, 0};
    size_t at = 0;
    bool good = true;
    for (int part = 0; part < 3 && (part == 0 || at < length) && good; part++) {
        int value = 0;
        good = part == 0 || text[at] == '.' || text[at] == '-' || text[at] == '/';
        at += part > 0;
        const size_t used = good ? read_part(&value, text + at, length - at, part == 0 ? 4 : 2) : 0;
        at += used;
        /* People write 2017.5.7, but a year has four digits, and no other part has more than two. */
        good =
            used >= (part == 0 ? 4 : 1) && value <= max[part] && !(at < length && text[at] >= '0' && text[at] <= '9');
        parts[part] = good ? value : 0;
    }
    if (parts[1] == 0) {
        parts[2] = 0; /* a day without a month means nothing */
    }
    *date = parts[0] * 10000 + parts[1] * 100 + parts[2];
    return good && at == length;
}

/* Writes so many digits over question marks, which stay if the value is 0. */
static void write_part(char *text, int value, int digits) {
    const bool is_known = value != 0;
    for (int i = digits - 1; is_known && i >= 0; i--, value /= 10) {
        text[i] = (char)('0' + value % 10);
    }
}

const char *date_write(char text[DATE_TEXT_SIZE], int date) {
    memcpy(text, "????.??.??", DATE_TEXT_SIZE);
    write_part(text, date / 10000, 4);
    write_part(text + 5, date / 100 % 100, 2);
    write_part(text + 8, date % 100, 2);
    return text;
}
