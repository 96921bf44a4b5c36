/* SPDX-License-Identifier: MIT */
/* A report over games: each game, each player over all games, and everything together; as text, JSON or an HTML page. */
#ifndef LUFT_PROGRAM_ANALYSE_REPORT_H
#define LUFT_PROGRAM_ANALYSE_REPORT_H

#include "game.h"

#include "util/json.h"

typedef struct report_game {
    uint64_t number;
    size_t names[2];    /* where those of White and Black begin in `text`, readable UTF-8 that ends in a NUL */
    const char *result; /* "1-0" */
    player_total totals[2];
    size_t first; /* of its plies + 1 chances in `chances` */
    size_t plies;
} report_game;

typedef struct report_player {
    size_t name; /* in `text` */
    uint64_t games;
    player_total total;
} report_player;

typedef struct report {
    report_game *games;
    size_t game_count, game_room;
    report_player *players; /* in the order of their first games */
    size_t player_count, player_room;
    uint32_t *slots; /* a hash table of players: places in `players` plus 1; 0 is free */
    size_t slot_count;
    float *chances; /* White's winning chances after each ply, -1 to 1 */
    size_t chance_count, chance_room;
    buffer text;
    player_total all;
} report;

/* NULL if out of memory. Free it with report_free; NULL is fine. */
report *report_create(void);
void report_free(report *it);

/* Adds a game with the evaluations of its positions. False if out of memory. */
bool report_add_game(report *it, uint64_t number, const reviewed_game *game, const evaluation *evaluations,
                     const player_total totals[2]);

/* Writes the report: HTML to a file whose name ends in .html, JSON to .json, else text. False after an error line. */
bool report_write(const report *it, const char *path);

/* The members of a JSON object: moves, accuracy, average_loss_cp, phases and so on. */
void report_write_total(json *out, const player_total *total);

/* Appends the page. */
void report_append_html(buffer *out, const report *it);

/* The mean per move, `none` without moves. */
double report_mean(double sum, int64_t moves, double none);

#endif
