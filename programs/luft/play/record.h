/* SPDX-License-Identifier: MIT */
/*
 * The game as PGN: its text, the file in which it is kept, and a game of a file taken
 * up again. A file is only ever added to. The one thing that is replaced
 * is the text of this very game, saved before, as long as it stands there unchanged.
 */
#ifndef LUFT_PROGRAM_PLAY_RECORD_H
#define LUFT_PROGRAM_PLAY_RECORD_H

#include "match.h"
#include "util/buffer.h"

enum { PLAY_LEVEL_MAX = 10 }; /* full strength; the others are Elo in even steps */

#define RECORD_NAME_SIZE 80

/* What the tags say beyond the moves. */
typedef struct record_facts {
    char person[RECORD_NAME_SIZE]; /* names */
    char engine[RECORD_NAME_SIZE];
    int elo;       /* of the engine, 0 if its strength is not limited */
    char date[16]; /* 2026.11.16 */
    char time[16]; /* 20:15:00, when the game began */
} record_facts;

/* Sets date and time to now. */
void record_begin(record_facts *facts);

/*
 * Sets the rating of the engine at this level, or at this Elo if that is not 0, and its name: Luft, its version, and
 * "(level 3)".
 */
void record_set_strength(record_facts *facts, int level, int elo);

/* Appends the game up to its present position. */
void record_write(buffer *out, const match *game, const record_facts *facts);

/* --- The file ------------------------------------------------------------------ */

/* Where the game is kept. All zeros: nowhere yet. Fields are private but for the path. */
typedef struct record_file {
    char *path;      /* NULL for none */
    buffer text;     /* of the game as it stands in the file; empty if it does not */
    long long begin; /* where it stands, unless somebody else has changed that */
} record_file;

/* Chooses a file; false if there is no memory. The game will stand at its end. No name has a NUL in it. */
bool record_file_choose(record_file *file, const char *path, size_t length);

/* Chooses a name with today's date that no file has: luft-2026-11-16.pgn, luft-2026-11-16-2.pgn … */
bool record_file_choose_new(record_file *file);

/* A new game: it will stand behind the one before. */
void record_file_next_game(record_file *file);

/* The game stands in the file already, as this text, which is taken over; `begin` is its first byte. */
void record_file_place(record_file *file, long long begin, buffer *text);

/*
 * Writes the text, and takes it over, in place of the one of this game that stands in the file, else at the end. False,
 * with errno set as for atomic_file_reason(), if it does not get there: then the file is as it was, or is not there if it was
 * not. Others may save into the same file meanwhile: nobody's game is lost.
 */
bool record_file_save(record_file *file, buffer *text);
void record_file_free(record_file *file);

/* --- Taking up a game ----------------------------------------------------------- */

/* What a saved game says of itself. */
typedef struct record_resumed {
    bool has_color; /* Luft was one of the players: */
    luft_color person;
    int level; /* of the engine, 0 if the game names none that there is */
    int elo;   /* likewise */
} record_resumed;

#define RECORD_REASON_SIZE 200

/*
 * Reads the last game of a file into `game`, and chooses the file for it: the game replaces what was read if that is
 * unfinished and, byte for byte, what this program writes, so that nothing in it can be lost; else it is added at the
 * end. A file that is packed is not chosen. False, with the reason in words, if it cannot be used.
 */
bool record_resume(match *game, record_facts *facts, record_file *file, record_resumed *resumed, const char *path,
                   char reason[RECORD_REASON_SIZE]);

#endif
