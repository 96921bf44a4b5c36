/* SPDX-License-Identifier: MIT */
/*
 * Games as they are kept: every move in one byte and the score of its search in one or two, so that all the
 * games there ever were can stay on disk, and records are made from them when they are needed.
 * docs/network.md has the form byte for byte.
 *
 * A file of games is a shard: it is made in memory, written aside and renamed, and read as a whole.
 */
#ifndef LUFT_TRAIN_DATA_GAMES_H
#define LUFT_TRAIN_DATA_GAMES_H

#include "file_header.h"

#include "util/buffer.h"

#include "luft/movegen.h"

enum {
    GAME_PLIES_MAX = 1000,
    GAME_SCORE_MAX = 32000, /* of either sign */
    QUIET_SCORE_MAX = 3000  /* positions with a greater score teach nothing, and are not kept */
};

/* How a game ended. */
typedef enum game_ending {
    GAME_BY_RULES = 0, /* mate, stalemate, or no men left to mate with */
    GAME_BY_CLAIM = 1, /* threefold repetition or fifty moves */
    GAME_BY_SCORE = 2, /* given up: the scores of both sides agreed on a winner for some plies */
    GAME_BY_MATE = 3,  /* the search saw a forced mate */
    GAME_LIFELESS = 4, /* drawn: no score but about zero for many plies */
    GAME_TOO_LONG = 5, /* drawn at the greatest length */
    GAME_DETOUR = 6,   /* a position beside the game before it, that was searched but not played */
    GAME_ENDING_COUNT
} game_ending;

typedef struct game_ply {
    luft_move move; /* LUFT_MOVE_NONE behind the last move */
    int16_t score;  /* for the player to move; 0 in the opening */
    bool kept;      /* the position is one to learn from */
} game_ply;

/* Large: not for the stack. */
typedef struct game_data {
    int start_number; /* of a Chess960 start, 518 for the standard one; -1 if the game starts from another position */
    int opening;      /* how many moves were played at random, without a search */
    int plies;        /* how many moves there are, those included */
    bool has_last;    /* there is a score for the position after the last move too */
    int result;       /* for White: 0 lost, 1 drawn, 2 won; RESULT_UNKNOWN in a detour */
    game_ending ending;
    luft_position positions[GAME_PLIES_MAX + 1]; /* the start, and the position after each move */
    game_ply ply[GAME_PLIES_MAX + 1];            /* what was found and played in each of them */
} game_data;

/* The result as `color` sees it: 0 lost, 1 drawn, 2 won, RESULT_UNKNOWN. */
static inline int game_result_for(const game_data *game, luft_color color) {
    return color == LUFT_WHITE || game->result == RESULT_UNKNOWN ? game->result : 2 - game->result;
}

/* How many positions of the game are to be learned from. */
int game_kept(const game_data *game);

/* Adds the game to the bytes; false if there is no memory. Every move must be legal, and have fewer than 256 beside it. */
bool game_encode(buffer *out, const game_data *game);

/* Reads a game, every move of it checked, and moves the cursor on; false if the bytes are none. */
bool game_decode(game_data *game, const uint8_t **cursor, const uint8_t *end);

/* --- Files ------------------------------------------------------------------- */

/* Writes a shard; `header` has all but the checksums. False, with errno set, if it cannot; then there is no file. */
bool game_file_write(const char *path, const file_header *header, const buffer *games);

typedef struct game_file {
    file_header header;
    uint8_t *bytes;
    const uint8_t *cursor;
    const uint8_t *end;
    uint64_t games_left;
} game_file;

/* Reads and checks a shard; on failure false, and `reason` is one clause of English, a constant: this one where nothing is wrong with the shard. */
extern const char game_file_no_memory[];
bool game_file_open(game_file *file, const char *path, const char **reason);
void game_file_close(game_file *file);

typedef enum game_read { GAME_READ, GAME_NO_MORE, GAME_DAMAGED } game_read;

/* The next game; GAME_DAMAGED if the bytes are none although the checksum holds. */
game_read game_file_next(game_file *file, game_data *game);

#endif
