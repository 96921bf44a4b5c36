/* SPDX-License-Identifier: MIT */
/*
 * The board from one side, with the last move marked, and beside it the players, their clocks, the material and the
 * last moves. It fits in 80 columns, and with its prompt in half of 24 lines.
 */
#ifndef LUFT_PROGRAM_PLAY_SCREEN_H
#define LUFT_PROGRAM_PLAY_SCREEN_H

#include "util/buffer.h"

#include "luft/luft.h"

typedef struct screen_style {
    bool unicode; /* chess figures; letters if not */
    bool color;   /* the board in colours */
} screen_style;

/*
 * Figures if the locale is UTF-8, unless `ascii`; colours if standard output is a terminal that has them and the
 * environment variable NO_COLOR is not set.
 */
screen_style screen_detect(bool ascii);

typedef struct screen_side {
    const char *name;
    bool has_clock;
    int64_t left_ms;
} screen_side;

/* Prints the board, ten lines. `sides` are by colour; NULL for a board without players. */
void screen_print(const screen_style *style, const luft_game *game, bool flipped, const screen_side *sides);

/* "4:58", "1:02:03", with tenths under twenty seconds: "0:09.4". Returns `text`. */
#define SCREEN_CLOCK_SIZE 24
const char *screen_clock(char text[SCREEN_CLOCK_SIZE], int64_t left_ms);

/* "Opening: C60 Ruy Lopez", if the game has a name other than `*known`, which is then that name. */
void screen_print_opening(const screen_style *style, const luft_game *game, const char **known);

/* Appends the moves of the game as numbered SAN, in lines of at most `columns`. */
void screen_append_moves(buffer *out, const luft_game *game, size_t columns);

#endif
