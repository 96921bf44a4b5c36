/* SPDX-License-Identifier: MIT */
/* Tags into values. People write many things into tags: what is not understood is not known, and no error. */
#include "facts.h"

#include "util/text.h"

#include <string.h>

void pgn_facts_clear(pgn_facts *facts) {
    pgn_facts empty = {0};
    for (int side = 0; side < 2; side++) {
        bytes_clear(&facts->player[side]);
        empty.player[side] = facts->player[side];
    }
    bytes_clear(&facts->date_text);
    empty.date_text = facts->date_text;
    *facts = empty;
}

void pgn_facts_free(pgn_facts *facts) {
    bytes_free(&facts->player[0]);
    bytes_free(&facts->player[1]);
    bytes_free(&facts->date_text);
}

bool pgn_read_result(luft_result *result, const char *text, size_t length) {
    for (luft_result each = LUFT_RESULT_WHITE; each <= LUFT_RESULT_UNKNOWN; each++) {
        const char *name = luft_result_string(each);
        if (strlen(name) == length && memcmp(text, name, length) == 0) {
            *result = each;
            return true;
        }
    }
    return false;
}

/* The digits at the front, at most so many, or as many question marks, which are 0. Returns how many bytes; 0 for neither. */
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

bool pgn_read_date(int *date, const char *text, size_t length) {
    static const int most[3] = {9999, 12, 31};
    int parts[3] = {0, 0, 0};
    size_t at = 0;
    bool good = true;
    for (int part = 0; part < 3 && (part == 0 || at < length) && good; part++) {
        int value = 0;
        good = part == 0 || text[at] == '.' || text[at] == '-' || text[at] == '/';
        at += part > 0;
        const size_t used = good ? read_part(&value, text + at, length - at, part == 0 ? 4 : 2) : 0;
        at += used;
        /* People write 2017.5.7, but a year has four digits, and no part has more than it can have. */
        good =
            used >= (part == 0 ? 4 : 1) && value <= most[part] && !(at < length && text[at] >= '0' && text[at] <= '9');
        parts[part] = good ? value : 0;
    }
    if (parts[1] == 0) {
        parts[2] = 0; /* a day of no month says nothing */
    }
    *date = parts[0] * 10000 + parts[1] * 100 + parts[2];
    return good && at == length;
}

static bool is_eco(const char *text, size_t length) {
    return length >= 3 && text[0] >= 'A' && text[0] <= 'E' && text[1] >= '0' && text[1] <= '9' && text[2] >= '0' &&
           text[2] <= '9';
}

static void read_elo(int *elo, const char *text, size_t length) {
    uint64_t number;
    text_trim(&text, &length);
    if (text_to_number(&number, text, length, 9999)) {
        *elo = (int)number;
    }
}

static bool is_named(const char *name, size_t length, const char *wanted) {
    return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

/* The tags that matter. */
typedef enum fact {
    FACT_WHITE,
    FACT_BLACK,
    FACT_WHITE_ELO,
    FACT_BLACK_ELO,
    FACT_RESULT,
    FACT_ECO,
    FACT_DATE,
    NO_FACT
} fact;

/* One by one, with names that the compiler knows: a table of them makes filter a fifteenth slower. */
static fact find_fact(const char *name, size_t length) {
    return is_named(name, length, "White")      ? FACT_WHITE
           : is_named(name, length, "Black")    ? FACT_BLACK
           : is_named(name, length, "WhiteElo") ? FACT_WHITE_ELO
           : is_named(name, length, "BlackElo") ? FACT_BLACK_ELO
           : is_named(name, length, "Result")   ? FACT_RESULT
           : is_named(name, length, "ECO")      ? FACT_ECO
           : is_named(name, length, "Date")     ? FACT_DATE
                                                : NO_FACT;
}

bool pgn_facts_tag(pgn_facts *facts, const char *name, size_t name_length, const char *value, size_t value_length) {
    const fact which = find_fact(name, name_length);
    const unsigned bit = 1u << which;
    if (facts->tags_seen & bit) {
        return true; /* the first counts */
    }
    facts->tags_seen |= bit;
    switch (which) {
    case FACT_WHITE: bytes_append(&facts->player[LUFT_WHITE], value, value_length); break;
    case FACT_BLACK: bytes_append(&facts->player[LUFT_BLACK], value, value_length); break;
    case FACT_WHITE_ELO: read_elo(&facts->elo[LUFT_WHITE], value, value_length); break;
    case FACT_BLACK_ELO: read_elo(&facts->elo[LUFT_BLACK], value, value_length); break;
    case FACT_RESULT: facts->has_tag_result = pgn_read_result(&facts->result, value, value_length); break;
    case FACT_ECO:
        if (is_eco(value, value_length)) {
            memcpy(facts->eco, value, 3);
        }
        break;
    case FACT_DATE:
        bytes_append(&facts->date_text, value, value_length);
        pgn_read_date(&facts->date, value, value_length);
        break;
    case NO_FACT: break;
    }
    return !facts->player[LUFT_WHITE].failed && !facts->player[LUFT_BLACK].failed && !facts->date_text.failed;
}

void pgn_facts_end(pgn_facts *facts, luft_result marker) {
    if (!facts->has_tag_result) {
        facts->result = marker;
    }
}
