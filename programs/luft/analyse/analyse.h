/* SPDX-License-Identifier: MIT */
/*
 * The forms of `luft analyse`, a file each: a position, a suite of positions with moves to find, lists of positions, and
 * games. They share the settings of the search and the form of scores.
 */
#ifndef LUFT_PROGRAM_ANALYSE_ANALYSE_H
#define LUFT_PROGRAM_ANALYSE_ANALYSE_H

#include "batch.h"
#include "thinking.h"

#include "util/json.h"

/* What is written for lists and games. */
typedef enum analyse_format { ANALYSE_AUTO, ANALYSE_JSON, ANALYSE_CSV, ANALYSE_EPD, ANALYSE_PGN } analyse_format;

typedef struct analyse_settings {
    const char *command;       /* for error lines: "luft analyse" */
    luft_engine_limits limits; /* of one search */
    uint64_t lines;            /* for a position: how many of the best moves */
    uint64_t threads;          /* of one search */
    uint64_t hash_mb;          /* of one search */
    batch_options batch;       /* for files: jobs, journal, parts */
    const unit_runner *runner; /* who searches the positions of files */
    const char *const *paths;  /* the files */
    size_t path_count;
    int format;                      /* an analyse_format; for files never ANALYSE_AUTO */
    const char *report;              /* for games: the file of the report; NULL for none */
    uint64_t game;                   /* for games: the number of the only one, 0 for all */
    const luft_tablebase *tablebase; /* NULL for none */
    const char *output;              /* for files: the file to write; NULL for standard output */
    bool json;
    bool chess960; /* castling is always written as king takes rook */
} analyse_settings;

/* Each prints what it finds, or an error line, and returns an exit status. */
int analyse_position(const analyse_settings *settings, const luft_game *game);
int analyse_suite(const analyse_settings *settings, const char *path);
int analyse_list(const analyse_settings *settings);
int analyse_games(const analyse_settings *settings);

/* --- Shared by them ----------------------------------------------------------- */

#define ANALYSE_NAME "luft analyse"

/* Creates an engine with these settings; NULL after an error line. */
luft_engine *analyse_create_engine(const analyse_settings *settings);

/* The columns of a terminal, 80 for other files. */
size_t analyse_columns(int descriptor);

/* The member "score" in JSON: {"cp": 35} or {"mate": -2}, from White's view. */
void analyse_write_score(json *out, int score_white);

/* A member with moves in JSON: ["e2e4", "e7e5"] */
void analyse_write_moves(json *out, const char *name, const analyse_settings *settings, const luft_position *start,
                         const luft_move *moves, int count);

/* The member "fen" in JSON. */
void analyse_write_fen(json *out, const luft_position *position);

/* The castling style for the moves of this position. */
luft_castling_style analyse_style(const analyse_settings *settings, const luft_position *position);

/* Writes the text to standard output and empties it. False if that fails; the error line comes here or from main. */
bool analyse_print(buffer *out);

#endif
