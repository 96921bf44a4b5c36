/* SPDX-License-Identifier: MIT */
/*
 * What the tags and the moves of a game say about it, as values that can be
 * compared: who played, when, how strong, how it ended, how long it was.
 */
#ifndef LUFT_PROGRAM_PGN_FACTS_H
#define LUFT_PROGRAM_PGN_FACTS_H

#include "util/buffer.h"

#include "luft/luft.h"

typedef struct pgn_facts {
    bytes player[2];    /* the tags White and Black, as they stand; empty if missing */
    bytes date_text;    /* the tag Date, as it stands */
    int elo[2];         /* 0 if missing or no number */
    int date;           /* 20190504; parts that are not known are 0: 20190000 */
    char eco[4];        /* the tag ECO, such as "B90"; empty if missing or nothing of that form */
    unsigned tags_seen; /* a bit for each kind of tag that the game had */
    bool has_tag_result;
    luft_result result; /* of the tag Result; of the marker after the moves where that is missing */
    uint32_t plies;     /* of the main line, up to a mistake */
    bool has_error;
} pgn_facts;

/* For the next game; keeps the memory. */
void pgn_facts_clear(pgn_facts *facts);
void pgn_facts_free(pgn_facts *facts);

/* Takes a tag, if it is one of those that count here. The first of two with one name counts. False: no memory. */
bool pgn_facts_tag(pgn_facts *facts, const char *name, size_t name_length, const char *value, size_t value_length);

/* At the end of the game. */
void pgn_facts_end(pgn_facts *facts, luft_result marker);

/* The result of "1-0" and so on; false for other text. */
bool pgn_read_result(luft_result *result, const char *text, size_t length);

/*
 * Reads "2019", "2019.05", "2019.05.04" or "2019.5.4", with . - or / between and ? for what is not known. Parts
 * that are missing are 0, and so are those from the first that is no such thing on; then it returns false.
 */
bool pgn_read_date(int *date, const char *text, size_t length);

#endif
