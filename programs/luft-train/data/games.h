/* SPDX-License-Identifier: MIT */
/*
 * Games on disk: every move in one byte and the score of its search in one or two, so that all games can be kept and
 * converted to records when needed. docs/network.md describes the format.
 *
 * A file of games is a shard: it is composed in memory, written atomically, and read as a whole.
 */
#ifndef LUFT_TRAIN_DATA_GAMES_H
#define LUFT_TRAIN_DATA_GAMES_H

#include "file_header.h"

#include "util/buffer.h"

#include "luft/movegen.h"
#include "luft/planes.h"

enum {
    GAME_PLIES_MAX = 1000,
    GAME_SCORE_MAX = 32000, /* of either sign */
    QUIET_SCORE_MAX = 3000  /* positions with a greater score are not learned from */
};

/* How a game ended. */
typedef enum game_ending {
    GAME_BY_RULES = 0,  /* checkmate, stalemate or dead position */
    GAME_BY_CLAIM = 1,  /* threefold repetition or fifty moves */
    GAME_BY_SCORE = 2,  /* adjudicated: the scores of both sides agreed on a winner for some plies */
    GAME_BY_MATE = 3,   /* adjudicated: the search found a forced mate */
    GAME_LIFELESS = 4,  /* adjudicated as a draw: scores near zero for many plies */
    GAME_TOO_LONG = 5,  /* adjudicated as a draw at the maximum length */
    GAME_DETOUR = 6,    /* a position beside the game before it, searched but not played */
    GAME_BY_TABLES = 7, /* adjudicated: the tablebases have the position after a capture or a pawn move */
    GAME_ENDING_COUNT
} game_ending;

typedef struct game_ply {
    luft_move move; /* LUFT_MOVE_NONE after the last move */
    int16_t score;  /* for the side to move; 0 in the opening */
    bool kept;      /* the position is one to learn from */
} game_ply;

/* Large: not for the stack. */
typedef struct game_data {
    int start_number; /* of a Chess960 start, 518 for the standard one; -1 if the game starts from another position */
    int opening;      /* plies that were played at random, without a search */
    int plies;        /* all plies, those included */
    bool has_last;    /* there is a score for the position after the last move too */
    int result;       /* for White: 0 lost, 1 drawn, 2 won; RESULT_UNKNOWN in a detour */
    game_ending ending;
    luft_position positions[GAME_PLIES_MAX + 1]; /* the start, and the position after each move */
    game_ply ply[GAME_PLIES_MAX + 1];            /* the score and move of each of them */
} game_data;

/* The result for `color`: 0 lost, 1 drawn, 2 won, RESULT_UNKNOWN. */
static inline int game_result_for(const game_data *game, luft_color color) {
    return color == LUFT_WHITE || game->result == RESULT_UNKNOWN ? game->result : 2 - game->result;
}

/* The number of kept positions. */
int game_kept(const game_data *game);

/* Appends the game; false if out of memory. Every move must be legal, and no position may have more than 256 moves. */
bool game_encode(buffer *out, const game_data *game);

/* Decodes a game, checks every move, and advances the cursor; false if the bytes are not a game. */
bool game_decode(game_data *game, const uint8_t **cursor, const uint8_t *end);

/* --- Files ------------------------------------------------------------------- */

/* Writes a shard; `header` has all but the checksums. False, with errno set, if it cannot; then no file is left. */
bool game_file_write(const char *path, const file_header *header, const buffer *games);

typedef struct game_file {
    file_header header;
    uint8_t *bytes;
    const uint8_t *cursor;
    const uint8_t *end;
    uint64_t games_left;
} game_file;

/*
 * Reads and checks a shard. On failure false, and `reason` is a constant clause: game_file_no_memory if the shard is
 * not at fault.
 */
extern const char game_file_no_memory[];
bool game_file_open(game_file *file, const char *path, const char **reason);
void game_file_close(game_file *file);

typedef enum game_read { GAME_READ, GAME_NO_MORE, GAME_DAMAGED } game_read;

/* Reads the next game; GAME_DAMAGED if the bytes are not a game although the checksum is right. */
game_read game_file_next(game_file *file, game_data *game);

#endif
