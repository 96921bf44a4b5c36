/* SPDX-License-Identifier: MIT */
/*
 * Syzygy tablebases: the exact result of positions with at most seven pieces. A table of win, draw and loss (WDL, files
 * named like KQvKR.rtbw) gives the result, a table of distances (DTZ, KQvKR.rtbz) leads to it.
 *
 * A tablebase is a value: a program can open any number of them. After opening, any number of threads may share one:
 * probing takes no lock. A table is opened and checked when it is first needed.
 *
 * Tables are untrusted. Every length, offset and tree in a header is checked before the table is used, every step through
 * its data while it is read. The probe that finds a damaged table returns the error; from then on the table counts as
 * missing, and luft_tablebase_next_fault reports it once.
 */
#ifndef LUFT_TABLEBASE_H
#define LUFT_TABLEBASE_H

#include "movegen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of pieces that a table has, kings and pawns included. */
#define LUFT_TABLEBASE_PIECES_MAX 7

typedef struct luft_tablebase luft_tablebase;

/* --- Opening -------------------------------------------------------------- */

/* How files are read. */
typedef enum luft_tablebase_access {
    /*
     * By pread, through a cache of 4 MB. If a file is cut or cannot be read while it is open, the probe returns
     * LUFT_ERROR_READ and the table counts as missing from then on. Keeps at most a quarter of the files open that the
     * process may open, and opens others for each read. If the process has no descriptor left when a table is first
     * needed, the probe returns LUFT_ERROR_READ, and the next one tries again.
     */
    LUFT_TABLEBASE_READ = 0,
    /*
     * By mmap: faster, and the operating system keeps what was read. If a file is cut while it is open, or the disk
     * fails, the process gets SIGBUS. Use it only for files that nobody changes.
     */
    LUFT_TABLEBASE_MAP = 1
} luft_tablebase_access;

/*
 * Opens all tables in these directories, which are separated by ':' (on Windows by ';'). The first directory wins where
 * two have the same table. Files with other names are ignored. NULL or an empty text opens none; tables in memory can be
 * added. LUFT_ERROR_READ if a directory cannot be read, or on a system without files. Free it with luft_tablebase_free.
 */
LUFT_API LUFT_NODISCARD luft_error luft_tablebase_open(luft_tablebase **tablebase, const char *directories,
                                                       luft_tablebase_access access);

/* Closes the files and frees the tablebase. NULL is fine. */
LUFT_API void luft_tablebase_free(luft_tablebase *tablebase);

/*
 * Adds a table whose bytes are in memory. The bytes must outlive the tablebase. `name` is the name of the file, such as
 * KQvK.rtbw, without a directory. A table of this name that is there already is kept. LUFT_ERROR_ARGUMENT for a name that
 * is not that of a table. No other thread may use the tablebase during this call.
 */
LUFT_API LUFT_NODISCARD luft_error luft_tablebase_add(luft_tablebase *tablebase, const char *name, const void *bytes,
                                                      size_t size);

/* How many tables there are, damaged ones included: each file of WDL or DTZ is one. */
LUFT_API size_t luft_tablebase_count(const luft_tablebase *tablebase);

/* The number of pieces of the largest WDL table, 0 without any. Positions with more pieces need not be probed. */
LUFT_API int luft_tablebase_largest(const luft_tablebase *tablebase);

/* --- The tables ------------------------------------------------------------ */

typedef enum luft_tablebase_kind {
    LUFT_TABLEBASE_WDL = 0, /* win, draw or loss */
    LUFT_TABLEBASE_DTZ = 1  /* the distance to the next capture or pawn move */
} luft_tablebase_kind;

/* Room for the name of an ending, such as KRBNvKRP, and its terminating NUL. */
#define LUFT_TABLEBASE_NAME_SIZE 9

/* One table of a tablebase. */
typedef struct luft_tablebase_table {
    char name[LUFT_TABLEBASE_NAME_SIZE]; /* the ending, such as KQvKR */
    luft_tablebase_kind kind;
    int piece_count;
    uint64_t size;      /* in bytes */
    const char *path;   /* of its file, NULL for one in memory; holds until the tablebase is freed */
    luft_error error;   /* LUFT_OK unless it was found to be damaged */
    const char *reason; /* what is wrong with it, one clause of English, a constant; NULL if nothing is known */
} luft_tablebase_table;

/*
 * Describes a table by its number, 0 to luft_tablebase_count - 1: fewer pieces first, then by name, WDL before DTZ.
 * LUFT_ERROR_ARGUMENT for any other number. Reads no file.
 */
LUFT_API luft_error luft_tablebase_get_table(luft_tablebase_table *table, const luft_tablebase *tablebase,
                                             size_t number);

/*
 * Opens a table by its number and checks its structure, without its data. Returns what a probe would: LUFT_OK,
 * LUFT_ERROR_READ, LUFT_ERROR_DAMAGED or LUFT_ERROR_MEMORY.
 */
LUFT_API LUFT_NODISCARD luft_error luft_tablebase_check_table(const luft_tablebase *tablebase, size_t number);

/*
 * Reads a whole table and compares it with its checksum, after luft_tablebase_check_table. LUFT_ERROR_DAMAGED if they
 * differ. Needs no more memory for a large table than for a small one, but for 32 bytes for each 16 MB.
 */
LUFT_API LUFT_NODISCARD luft_error luft_tablebase_check_sum(const luft_tablebase *tablebase, size_t number);

/*
 * The next damaged table that was not yet reported: each is returned once, even if several threads ask. False if there is
 * none. Files of a wrong size are reported after opening, others after a probe or a check needed them.
 */
LUFT_API bool luft_tablebase_next_fault(luft_tablebase_table *table, const luft_tablebase *tablebase);

/* --- Probing --------------------------------------------------------------- */

/*
 * The functions below expect a valid position. They return LUFT_ERROR_MISSING if it has castling rights, or more pieces
 * than any table, or if a table that they need is missing: a probe follows captures into smaller endings. Other errors
 * are LUFT_ERROR_READ and LUFT_ERROR_DAMAGED, once for each table, and LUFT_ERROR_MEMORY when a table is first opened.
 */

/*
 * The result for the side to move if both play best and the halfmove clock is 0. A cursed win is won but for the
 * fifty-move rule, a blessed loss lost but for it.
 */
typedef enum luft_wdl {
    LUFT_WDL_LOSS = -2,
    LUFT_WDL_BLESSED_LOSS = -1,
    LUFT_WDL_DRAW = 0,
    LUFT_WDL_CURSED_WIN = 1,
    LUFT_WDL_WIN = 2
} luft_wdl;

/* The result. Needs WDL tables only. The halfmove clock is ignored: correct just after a capture or a pawn move. */
LUFT_API LUFT_NODISCARD luft_error luft_tablebase_probe_wdl(luft_wdl *wdl, const luft_tablebase *tablebase,
                                                            const luft_position *position);

/*
 * The distance in plies to the next capture, pawn move or mate on the way to the best result: positive if the side to
 * move wins, negative if it loses, 0 for a draw; -1 if it is mated. The halfmove clock is ignored. Cursed wins and blessed
 * losses are farther than 100 from 0. Needs WDL and DTZ tables.
 *
 * Most tables count moves, not plies: n can mean n + 1, and -n can mean -n - 1. Where this could change the result by the
 * fifty-move rule, tables are exact.
 */
LUFT_API LUFT_NODISCARD luft_error luft_tablebase_probe_dtz(int *dtz, const luft_tablebase *tablebase,
                                                            const luft_position *position);

/* A legal move and what it is worth to the side that makes it. */
typedef struct luft_tablebase_move {
    luft_move move;
    luft_wdl wdl; /* the result, counted with the halfmove clock; a move that completes a threefold repetition draws */
    int dtz;      /* the distance in plies from before the move, as luft_tablebase_probe_dtz; 0 without DTZ tables */
    int rank;     /* the higher, the better; moves that keep the best result in any case have equal ranks */
} luft_tablebase_move;

#define LUFT_TABLEBASE_RANK_MAX (1 << 18) /* a certain win; its negative is a certain loss, 0 a draw */

typedef struct luft_tablebase_moves {
    int count;
    bool has_dtz; /* DTZ tables were there, so that play by this order reaches the result; else wdl and rank are all */
    luft_tablebase_move moves[LUFT_MAX_MOVES];
} luft_tablebase_moves;

/*
 * All legal moves, the best first: by rank, then by distance, the shortest win and the longest loss first. Whoever always
 * plays the first move reaches the best result that the halfmove clock allows.
 *
 * `keys` are the luft_key of the earlier positions of the game, the latest last, without `position` itself; those since
 * the last capture or pawn move matter. They may be NULL if there are none. `fifty_move_rule` false counts a win that takes
 * too long as a win.
 *
 * Ranks: a win is certain, and has LUFT_TABLEBASE_RANK_MAX, if its distance and the halfmove clock add up to 99 or less
 * and no position has occurred twice. Any other win has this sum less, so that play makes progress. A loss has
 * -LUFT_TABLEBASE_RANK_MAX unless the fifty-move rule may come first.
 */
LUFT_API LUFT_NODISCARD luft_error luft_tablebase_probe_root(luft_tablebase_moves *moves,
                                                             const luft_tablebase *tablebase,
                                                             const luft_position *position, const uint64_t *keys,
                                                             size_t key_count, bool fifty_move_rule);

#ifdef __cplusplus
}
#endif

#endif
