/* SPDX-License-Identifier: MIT */
/*
 * The game database: many games in one SQLite file, with statistics of their positions. It has a library of
 * its own, libluft-database, and luft.h does not include it. docs/database.md describes the file.
 *
 * A database is written by one connection and read by any number at the same time. Games are only ever added, so a game
 * keeps its number, and what a reader has seen of a game stays true. A handle, and a cursor made from it, each belong to
 * one thread at a time; different cursors of one handle may run in different threads.
 */
#ifndef LUFT_DATABASE_H
#define LUFT_DATABASE_H

#include "pgn_game.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Opening ---------------------------------------------------------------- */

typedef struct luft_database luft_database;

/* The version of the file format that this library writes. It reads this one only. */
#define LUFT_DATABASE_VERSION 1

#define LUFT_DATABASE_MAX_THREADS 64

/* How a file is opened. */
typedef enum luft_database_mode {
    LUFT_DATABASE_READ = 0,   /* an existing database, which others may read and write meanwhile */
    LUFT_DATABASE_WRITE = 1,  /* an existing database, to add games */
    LUFT_DATABASE_CREATE = 2, /* a new one, in place of a file of that name; it appears with luft_database_commit */
} luft_database_mode;

/* Room for the reason of a failure and its terminating NUL. */
#define LUFT_DATABASE_REASON_SIZE 256

/*
 * Opens a database. LUFT_ERROR_READ if the file cannot be opened, LUFT_ERROR_DAMAGED if it is not a database of this
 * version, LUFT_ERROR_WRITE if it cannot be created, LUFT_ERROR_BUSY if another process is creating it,
 * LUFT_ERROR_MEMORY. `reason` has LUFT_DATABASE_REASON_SIZE bytes for one clause of English, or is NULL. Free it with
 * luft_database_free.
 */
LUFT_API LUFT_NODISCARD luft_error luft_database_open(luft_database **database, const char *path,
                                                      luft_database_mode mode, char *reason);

/* Closes the file; discards what was not committed. NULL is fine. */
LUFT_API void luft_database_free(luft_database *database);

/* Why the last call that failed did so: one clause of English, which holds until the next call. Never NULL. */
LUFT_API const char *luft_database_reason(const luft_database *database);

/* The sizes of a database. */
typedef struct luft_database_info {
    uint64_t games;
    uint64_t plies;
    uint64_t players;
    uint64_t events;
    uint64_t sites;
    uint64_t positions;        /* that have statistics */
    uint64_t position_moves;   /* moves in those: entries of the statistics */
    uint64_t indexed_games;    /* games that the statistics count; the others are counted when a position is explored */
    uint64_t bytes;            /* of the file */
    uint64_t statistics_bytes; /* of them, for statistics */
} luft_database_info;

/* Counts what the database holds. Errors as for reading: LUFT_ERROR_DAMAGED, LUFT_ERROR_READ, LUFT_ERROR_MEMORY. */
LUFT_API LUFT_NODISCARD luft_error luft_database_get_info(luft_database_info *info, luft_database *database);

/* --- Keys ------------------------------------------------------------------- */

/*
 * The key of a position in a database: 64 bits, the same on every machine and in every version of Luft. It is the
 * Zobrist key of the position as White sees it, inverted if Black is to move. Counters do not matter, an en passant
 * square only if the capture is legal. docs/database.md has the constants.
 */
static inline uint64_t luft_database_key(const luft_position *position) {
    return position->key[LUFT_WHITE] ^ (uint64_t)(0 - (uint64_t)position->side_to_move);
}

/* --- Batches of games ------------------------------------------------------- */

/*
 * Games on their way into a database, in its own form. Filling batches is the expensive part of adding games and needs
 * no database: several threads can fill one each.
 */
typedef struct luft_database_batch luft_database_batch;

/* What is done with a game that has an error. */
typedef enum luft_database_errors {
    LUFT_DATABASE_LEAVE_OUT = 0, /* it is not added */
    LUFT_DATABASE_KEEP_START = 1 /* it is added up to the error */
} luft_database_errors;

/* An empty batch. LUFT_ERROR_MEMORY. Free it with luft_database_batch_free. */
LUFT_API LUFT_NODISCARD luft_error luft_database_batch_create(luft_database_batch **batch, luft_database_errors errors);

/* NULL is fine. */
LUFT_API void luft_database_batch_free(luft_database_batch *batch);

/* Empties the batch and keeps its memory. */
LUFT_API void luft_database_batch_clear(luft_database_batch *batch);

/* How many games it holds, and how many bytes. */
LUFT_API size_t luft_database_batch_count(const luft_database_batch *batch);
LUFT_API size_t luft_database_batch_size(const luft_database_batch *batch);

/*
 * LUFT_OK, or the reason why games are missing: LUFT_ERROR_MEMORY. A game with more tags, text or moves than the limits
 * of luft/pgn_game.h is left out, and counts as one with an error.
 */
LUFT_API luft_error luft_database_batch_error(const luft_database_batch *batch);

/* The visitor that adds the games of a luft_pgn_reader; its payload is the batch. */
LUFT_API luft_pgn_visitor luft_database_batch_visitor(void);

/* --- Writing ---------------------------------------------------------------- */

/* What became of the games of batches, added up. */
typedef struct luft_database_counts {
    uint64_t added;
    uint64_t duplicates; /* left out: the database has the same game */
} luft_database_counts;

/*
 * Begins to write. Readers see nothing of it before luft_database_commit. LUFT_ERROR_BUSY if somebody else is writing,
 * LUFT_ERROR_ARGUMENT if the database is open for reading or a transaction has begun already.
 */
LUFT_API LUFT_NODISCARD luft_error luft_database_begin(luft_database *database);

/*
 * Adds the games of a batch, which stays as it is, in their order. `keep_duplicates` adds those too that the database
 * has. Two games are the same if start and moves are, and in games of fewer than 40 plies also the surnames and the
 * date. `counts` is added to and may be NULL. After an error the transaction can only be given up.
 */
LUFT_API LUFT_NODISCARD luft_error luft_database_append(luft_database *database, const luft_database_batch *batch,
                                                        bool keep_duplicates, luft_database_counts *counts);

/* Adds the games of another database, as luft_database_append does. */
LUFT_API LUFT_NODISCARD luft_error luft_database_merge(luft_database *database, luft_database *other,
                                                       bool keep_duplicates, luft_database_counts *counts);

/* Called now and then during long work with what is done, 0 to 1; false asks to stop: LUFT_ERROR_STOPPED. */
typedef bool (*luft_database_progress)(void *payload, double done);

/* How statistics are built. All zeros is fine. */
typedef struct luft_database_build {
    int threads;   /* 0 for one */
    bool skip;     /* leave the statistics as they are; the games still count when a position is explored */
    bool rebuild;  /* build them from all games, even if few were added */
    size_t memory; /* bytes for sorting; 0 for 256 MB */
    luft_database_progress progress; /* NULL for none */
    void *payload;
} luft_database_build;

/*
 * Makes the games permanent and builds the statistics. `build` may be NULL. After an error the transaction is given up;
 * but if only the statistics of an existing database fail, its games are there, as luft_database_reason then says.
 */
LUFT_API LUFT_NODISCARD luft_error luft_database_commit(luft_database *database, const luft_database_build *build);

/* Gives up what was written since luft_database_begin. */
LUFT_API void luft_database_rollback(luft_database *database);

/* --- Which games ------------------------------------------------------------ */

/* A set of results, as bits of 1 << luft_result. */
#define LUFT_DATABASE_ALL_RESULTS 0u

/* Conditions on the facts of a game. All must hold; zeros and NULL set none. Texts are not case sensitive. */
typedef struct luft_database_filter {
    const char *player; /* part of the name of either player */
    const char *white;  /* part of the name of White */
    const char *black;
    const char *event; /* part of the name of the event */
    const char *site;
    const char *time_control; /* bullet, blitz, rapid, classical, or the value of the tag */
    const char *eco;          /* "B9", "B90" or a range "B90-B99" */
    int min_rating;           /* both players have at least this rating */
    int max_rating;           /* both are rated, with at most this */
    int from_date;            /* 20190504; unknown parts are 0: 20190000 */
    int to_date;
    unsigned results; /* bits 1 << luft_result */
    uint32_t min_plies;
    uint32_t max_plies;
    uint64_t first_game; /* numbers, from 1; 0 for no limit */
    uint64_t last_game;
    luft_color player_color; /* of `player`, only if player_has_color */
    bool player_has_color;
} luft_database_filter;

/* --- Reading games ---------------------------------------------------------- */

/* The kinds of names that games refer to. */
typedef enum luft_database_name_kind {
    LUFT_DATABASE_PLAYER = 0,
    LUFT_DATABASE_EVENT = 1,
    LUFT_DATABASE_SITE = 2,
    LUFT_DATABASE_TEXT = 3 /* other values of tags */
} luft_database_name_kind;

/* A text, not terminated; Latin-1 or UTF-8 as in the PGN file. */
typedef struct luft_database_text {
    const char *text;
    size_t length;
} luft_database_text;

/*
 * A game as it is stored. Pointers hold until the cursor moves. Names are numbers: luft_database_cursor_name.
 */
typedef struct luft_database_game {
    uint64_t id;        /* its number, from 1 */
    uint32_t player[2]; /* by luft_color */
    uint32_t event;
    uint32_t site;         /* 0 if it is stored with the game */
    uint32_t time_control; /* a LUFT_DATABASE_TEXT; 0 if missing */
    int32_t date;          /* 20190504; unknown parts are 0 */
    uint16_t rating[2];    /* 0 if unknown */
    uint8_t result;        /* a luft_result */
    char eco[4];           /* "B90", or empty */
    uint32_t plies;
    uint16_t home_pawns;    /* pawns that never left: White a2 to h2 in bits 0 to 7, Black a7 to h7 in bits 8 to 15 */
    uint8_t min[2][5];      /* by colour, pawns to queens: at least so many in every position */
    uint8_t max[2][5];      /* at most so many */
    luft_bitboard pawns[2]; /* all squares on which a pawn of this colour ever stood */
    luft_database_text round;
    luft_database_text fen; /* the start position; empty for the standard one */
    const uint8_t *moves;   /* their code: luft_database_replay */
    size_t moves_size;
} luft_database_game;

typedef struct luft_database_cursor luft_database_cursor;

/*
 * Reads the games that pass the filter, in the order of their numbers; the filter may be NULL. The cursor has its own
 * connection to the file, so that threads can share the work: give each a part of the numbers. Free it with
 * luft_database_cursor_free, before the database.
 */
LUFT_API LUFT_NODISCARD luft_error luft_database_cursor_create(luft_database_cursor **cursor, luft_database *database,
                                                               const luft_database_filter *filter);

/* NULL is fine. */
LUFT_API void luft_database_cursor_free(luft_database_cursor *cursor);

/* The next game; LUFT_ERROR_END after the last, LUFT_ERROR_DAMAGED for a row that is not a game. */
LUFT_API LUFT_NODISCARD luft_error luft_database_cursor_next(luft_database_game *game, luft_database_cursor *cursor);

/* Goes to the game with this number, whatever the filter; the next one after it follows. LUFT_ERROR_MISSING without one. */
LUFT_API LUFT_NODISCARD luft_error luft_database_cursor_seek(luft_database_game *game, luft_database_cursor *cursor,
                                                             uint64_t id);

/* A name by its number; it holds until the next call of the cursor. LUFT_ERROR_MISSING if there is none. */
LUFT_API LUFT_NODISCARD luft_error luft_database_cursor_name(luft_database_text *name, luft_database_cursor *cursor,
                                                             luft_database_name_kind kind, uint32_t number);

/* The site of the game at which the cursor stands, wherever it is stored; it holds until the next call of the cursor. */
LUFT_API LUFT_NODISCARD luft_error luft_database_cursor_site(luft_database_text *site, luft_database_cursor *cursor);

/* Writes the game at which the cursor stands, as it was read: tags, moves, variations, comments and NAGs. */
LUFT_API LUFT_NODISCARD luft_error luft_database_cursor_write(luft_pgn_writer *writer, luft_database_cursor *cursor);

/* The game at which the cursor stands as a tree. Free it with luft_pgn_game_free. */
LUFT_API LUFT_NODISCARD luft_error luft_database_cursor_tree(luft_pgn_game **tree, luft_database_cursor *cursor);

/* --- Replaying -------------------------------------------------------------- */

/* The moves of a game, one by one. Its fields may be read. */
typedef struct luft_database_replay {
    luft_position position; /* before the next move */
    luft_move move;         /* the last one; LUFT_MOVE_NONE for a null move */
    uint32_t ply;           /* how many were made */
    const uint8_t *next;    /* the rest of the code */
    const uint8_t *end;
} luft_database_replay;

/* At the start of a game. LUFT_ERROR_DAMAGED if its start position is not valid. */
LUFT_API LUFT_NODISCARD luft_error luft_database_replay_start(luft_database_replay *replay,
                                                              const luft_database_game *game);

/*
 * Makes the next move. LUFT_ERROR_END after the last, LUFT_ERROR_DAMAGED if the code is not that of a move. The moves of
 * a damaged file may be illegal by leaving the king in check; luft_database_check finds those.
 */
LUFT_API LUFT_NODISCARD luft_error luft_database_replay_next(luft_database_replay *replay);

/* --- Exploring -------------------------------------------------------------- */

#define LUFT_DATABASE_BEST_GAMES 4

/* A move, and what became of the games in which it was played in a position. */
typedef struct luft_database_move {
    luft_move move; /* LUFT_MOVE_NONE for a null move */
    uint64_t games;
    uint64_t white; /* games that White won */
    uint64_t draws;
    uint64_t black;     /* the rest has no result */
    uint64_t rated;     /* games in which both players are rated */
    uint16_t rating;    /* average rating of the side that made the move, in those; 0 if there is none */
    uint16_t opponents; /* average rating of its opponents */
    int16_t
        performance; /* rating for which the score is expected, at most 800 from that of the opponents; 0 if unknown */
    int32_t first_date; /* 20190504; 0 if no game has a date */
    int32_t last_date;
} luft_database_move;

/* The statistics of a position. */
typedef struct luft_database_statistics {
    luft_database_move total; /* of all moves together; its `move` means nothing */
    uint32_t move_count;
    luft_database_move moves[LUFT_MAX_MOVES + 1]; /* most games first, then by the number of the move */
    uint32_t best_count;
    uint64_t best[LUFT_DATABASE_BEST_GAMES]; /* games of the highest rated players, best first */
    uint64_t ended;                          /* games whose last position this is; not part of the total */
    bool from_games; /* computed from games, because the statistics have no entry or there is a filter */
} luft_database_statistics;

/*
 * The moves that were played in a position. Takes them from the statistics, and from the games if there is a filter, or
 * if the position has no statistics because only one game has it. Threads are used to read games; 0 for one.
 */
LUFT_API LUFT_NODISCARD luft_error luft_database_explore(luft_database_statistics *statistics, luft_database *database,
                                                         const luft_position *position,
                                                         const luft_database_filter *filter, int threads);

/* --- Searching -------------------------------------------------------------- */

/* A game that matches a query. */
typedef struct luft_database_match {
    uint64_t game; /* its number */
    uint32_t ply;  /* the first position that matches; 0 is the start of the game */
} luft_database_match;

/* Matches in the order of the games. Free them with luft_database_matches_free. */
typedef struct luft_database_matches {
    luft_database_match *matches;
    size_t count;
} luft_database_matches;

/* How games are searched. All zeros is fine. */
typedef struct luft_database_search_options {
    int threads;                     /* 0 for one */
    uint64_t limit;                  /* only the first so many matches; 0 for all */
    luft_database_progress progress; /* NULL for none */
    void *payload;
} luft_database_search_options;

/*
 * Finds the games that pass the filter and match the query. Facts and summaries rule most games out, the others are
 * replayed. `filter` and `options` may be NULL. The result is the same for every number of threads.
 */
LUFT_API LUFT_NODISCARD luft_error luft_database_search(luft_database_matches *matches, luft_database *database,
                                                        const luft_query *query, const luft_database_filter *filter,
                                                        const luft_database_search_options *options);

/* Frees the matches and empties the struct. NULL is fine. */
LUFT_API void luft_database_matches_free(luft_database_matches *matches);

/* --- Checking --------------------------------------------------------------- */

/* What luft_database_check found. */
typedef struct luft_database_findings {
    uint64_t file_faults; /* what SQLite finds wrong with the file */
    uint64_t games;       /* that were checked */
    uint64_t bad_games;   /* that do not replay, or whose facts are not those of their moves */
    uint64_t positions;   /* whose statistics were counted again */
    uint64_t bad_positions;
} luft_database_findings;

/*
 * Checks the file, replays every game, and counts the statistics again. `report` gets a line for each fault, and may be
 * NULL; `build` has threads and progress. LUFT_OK also if there are findings; LUFT_ERROR_DAMAGED if SQLite cannot read
 * the file.
 */
LUFT_API LUFT_NODISCARD luft_error luft_database_check(luft_database_findings *findings, luft_database *database,
                                                       const luft_database_build *build,
                                                       void (*report)(void *payload, const char *line), void *payload);

/* Rebuilds the statistics if games are missing from them, and makes the file as small as it can be. */
LUFT_API LUFT_NODISCARD luft_error luft_database_vacuum(luft_database *database, const luft_database_build *build);

#ifdef __cplusplus
}
#endif

#endif
