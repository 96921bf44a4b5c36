/* SPDX-License-Identifier: MIT */
/*
 * Queries: conditions on games and their positions, written as text, compiled once, and matched against any number of
 * games, from a PGN stream, a database or memory. docs/queries.md describes the language.
 *
 *     flip (material KRPkr for 8) elo 2500..
 *
 * To match a game: luft_query_possible says whether its facts rule the game out, without its moves. Otherwise call
 * luft_query_begin, then luft_query_feed with each position in order, until it returns true or the game ends.
 *
 * A query does not change after it is compiled, so threads share it; each has its own matcher.
 */
#ifndef LUFT_QUERY_H
#define LUFT_QUERY_H

#include "pgn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Compiling -------------------------------------------------------------- */

typedef struct luft_query luft_query;

/* Longer texts and larger queries are refused. Each `flip` and `mirror` doubles its part of the query. */
#define LUFT_QUERY_TEXT_MAX 4096
#define LUFT_QUERY_NODES_MAX 1024

/* Why a query was refused. */
typedef struct luft_query_report {
    luft_error error;
    size_t offset;      /* the byte of the text at fault */
    const char *reason; /* one clause of English, a constant */
} luft_query_report;

/*
 * Compiles `length` bytes of text. LUFT_ERROR_QUERY if they are not a query, LUFT_ERROR_MEMORY. `report` may be NULL.
 * Free the query with luft_query_free.
 */
LUFT_API LUFT_NODISCARD luft_error luft_query_compile(luft_query **query, const char *text, size_t length,
                                                      luft_query_report *report);

/* Frees the query, which no matcher may use any more. NULL is fine. */
LUFT_API void luft_query_free(luft_query *query);

/* --- What is known of a game ------------------------------------------------- */

/* Facts that a query may ask for, as bits. */
typedef enum luft_query_fact {
    LUFT_QUERY_PLAYERS = 1 << 0,
    LUFT_QUERY_EVENT = 1 << 1,
    LUFT_QUERY_SITE = 1 << 2,
    LUFT_QUERY_ELO = 1 << 3,
    LUFT_QUERY_DATE = 1 << 4,
    LUFT_QUERY_RESULT = 1 << 5,
    LUFT_QUERY_ECO = 1 << 6,
    LUFT_QUERY_PLIES = 1 << 7,
    LUFT_QUERY_POSITIONS = 1 << 8 /* the positions themselves: without this bit the facts decide */
} luft_query_fact;

/* The facts that the query asks for, luft_query_fact bits; others need not be filled in. 0 for NULL. */
LUFT_API unsigned luft_query_needs(const luft_query *query);

/* Text that is not terminated; unknown if the length is 0. */
typedef struct luft_query_text {
    const char *text;
    size_t length;
} luft_query_text;

/*
 * Bounds that hold in every position of a game. They may be loose, but never wrong. luft_query_summary_add computes
 * them; a database stores them to rule out most games without replaying them.
 */
typedef struct luft_query_summary {
    uint8_t min[2][5];      /* by colour, pawns to queens: at least so many in every position */
    uint8_t max[2][5];      /* at most so many */
    luft_bitboard pawns[2]; /* all squares on which a pawn of this colour ever stood */
} luft_query_summary;

/* Extends the summary by a position, the first if `is_first`. */
LUFT_API void luft_query_summary_add(luft_query_summary *summary, const luft_position *position, bool is_first);

/* A game beside its positions. Zero means unknown, and an unknown fact meets no condition. */
typedef struct luft_query_facts {
    luft_query_text player[2];
    luft_query_text event;
    luft_query_text site;
    int elo[2];
    int date; /* 20190504; unknown parts are 0: 20190000 */
    luft_result result;
    char eco[4];                       /* such as "B90" */
    uint32_t plies;                    /* moves of both sides, 0 for a game without */
    unsigned pending;                  /* luft_query_fact bits: not known yet, for luft_query_possible only */
    const luft_query_summary *summary; /* NULL if there is none */
} luft_query_facts;

/* False if no game with these facts matches, whatever its moves. Never false for a game that matches. */
LUFT_API LUFT_NODISCARD bool luft_query_possible(const luft_query *query, const luft_query_facts *facts);

/* --- Matching ---------------------------------------------------------------- */

typedef struct luft_query_matcher luft_query_matcher;

/* A matcher for this query, which must outlive it. Free it with luft_query_matcher_free. */
LUFT_API LUFT_NODISCARD luft_error luft_query_matcher_create(luft_query_matcher **matcher, const luft_query *query);

/* Frees the matcher. NULL is fine. */
LUFT_API void luft_query_matcher_free(luft_query_matcher *matcher);

/* Begins a game. Nothing of the facts is used after the call. */
LUFT_API void luft_query_begin(luft_query_matcher *matcher, const luft_query_facts *facts);

/*
 * Takes the next position of the game, the start position first; `is_last` if it is the last of the game. True if
 * the query matches here: the game matches at this ply.
 */
LUFT_API bool luft_query_feed(luft_query_matcher *matcher, const luft_position *position, bool is_last);

#ifdef __cplusplus
}
#endif

#endif
