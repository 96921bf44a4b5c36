/* SPDX-License-Identifier: MIT */
/*
 * The game as PGN: its text, the file in which it is saved, and games resumed from a file. Files only grow: the one
 * part that is replaced is the text of this game, saved before, as long as it is there unchanged.
 */
#ifndef LUFT_PROGRAM_PLAY_RECORD_H
#define LUFT_PROGRAM_PLAY_RECORD_H

#include "match.h"
#include "util/buffer.h"

enum { PLAY_LEVEL_MAX = 10 }; /* full strength; the others are ratings in even steps */

#define RECORD_NAME_SIZE 80

/* What the tags say about the game. */
typedef struct record_facts {
    char person[RECORD_NAME_SIZE]; /* names */
    char engine[RECORD_NAME_SIZE];
    int elo;        /* of the engine, 0 if its strength is not limited */
    char date[16];  /* 2026.11.16 */
    char time[16];  /* 20:15:00, when the game began */
    buffer resumed; /* the game that is continued, as PGN; empty for a new one */
} record_facts;

/* Sets date and time to now, and forgets a game that was resumed. */
void record_begin(record_facts *facts);

/*
 * Sets the rating of the engine at this level, or at this Elo if that is not 0, and its name: Luft, its version, and
 * "(level 3)".
 */
void record_set_strength(record_facts *facts, int level, int elo);

/*
 * Appends the game up to its current position. A resumed game keeps its other tags, comments, marks and variations; a
 * move that was taken back stays in it only if it is annotated.
 */
void record_write(buffer *out, const match *game, const record_facts *facts);

/* Appends the PGN of a game tree. */
void record_write_tree(buffer *out, const luft_pgn_game *tree);

/* --- The file ------------------------------------------------------------------ */

/* Where the game is saved. All zeros: nowhere yet. All fields but the path are private. */
typedef struct record_file {
    char *path;      /* NULL for none */
    buffer text;     /* of the game in the file; empty if it is not there */
    long long begin; /* its offset, unless another program has changed the file */
} record_file;

/* Chooses a file, at whose end the game will be saved. False if out of memory. A name must not contain a NUL. */
bool record_file_choose(record_file *file, const char *path, size_t length);

/* Folders for a game without a name: the current one, that of the user, that for temporary files. */
enum { RECORD_PLACES = 3 };

/* Chooses an unused name with today's date in one of them: luft-2026-11-16.pgn … False if out of memory. */
bool record_file_choose_new(record_file *file, int place);

/* A new game begins: it will be saved after the one before. */
void record_file_next_game(record_file *file);

/* The game is in the file already, as this text, which is moved from `text`; `begin` is its offset. */
void record_file_place(record_file *file, long long begin, buffer *text);

/*
 * Writes the text, and takes it over: replaces the text of this game in the file, else appends it. False, with errno
 * set as for atomic_file_reason(), if it cannot; then the file is unchanged. Other programs may save into the same
 * file at the same time without losing a game.
 */
bool record_file_save(record_file *file, buffer *text);
void record_file_free(record_file *file);

/* --- Taking up a game ----------------------------------------------------------- */

/* What a saved game says about its players. */
typedef struct record_resumed {
    bool has_color; /* Luft was one of the players: */
    luft_color person;
    int level; /* of the engine, 0 if the game names no valid one */
    int elo;   /* likewise */
} record_resumed;

#define RECORD_REASON_SIZE 200

/*
 * Reads the last game of a file into `game`, and chooses the file for it. The game replaces what was read if that is
 * unfinished and byte for byte what this program writes, so that nothing in it is lost; else it is appended. A game in
 * which Luft did not play only gives its moves to a new game. A compressed file is not chosen. False, with the reason, if the file cannot be used.
 */
bool record_resume(match *game, record_facts *facts, record_file *file, record_resumed *resumed, const char *path,
                   char reason[RECORD_REASON_SIZE]);

#endif
