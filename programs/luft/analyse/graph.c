/* SPDX-License-Identifier: MIT */
/*
 * Draws with half blocks, which exist as upper and lower halves, so that bars below the axis are as fine as bars
 * above. The graph is as wide as the terminal unless the game is very short; in a long game several moves share a
 * column, which shows their mean.
 */
#include "graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROWS = 4,       /* for each side */
    MARGIN = 7,     /* columns before the bars */
    STRETCH_MAX = 4 /* the most columns of a move */
};

/* Column c shows the moves from c * plies / width on. */
typedef struct graph_scale {
    size_t plies;
    size_t width;
} graph_scale;

static graph_scale choose_scale(size_t plies, size_t columns) {
    const size_t room = columns - MARGIN;
    return (graph_scale){plies, room < plies * STRETCH_MAX ? room : plies * STRETCH_MAX};
}

static size_t first_ply(const graph_scale *scale, size_t column) {
    return column * scale->plies / scale->width;
}

/* The height of a column in half rows, positive up, negative down. */
static int height(const graph_scale *scale, const evaluation *evaluations, size_t column) {
    const size_t first = first_ply(scale, column), next = first_ply(scale, column + 1);
    const size_t end = next > first ? next : first + 1;
    double sum = 0;
    for (size_t ply = first; ply < end; ply++) {
        sum += judge_chances(evaluations[ply + 1].score);
    }
    return (int)lround(sum / (double)(end - first) * 2 * ROWS);
}

/* One row of bars: row 1 is next to the axis, above it for White, below it for Black. */
static void append_row(buffer *out, const graph_scale *scale, const evaluation *evaluations, int row, bool above) {
    const char *label = row < ROWS ? "" : above ? "White" : "Black";
    size_t blanks = MARGIN - strlen(label); /* not yet written: a line has no blanks at its end */
    buffer_append_text(out, label);
    for (size_t column = 0; column < scale->width; column++) {
        const int halves = (above ? 1 : -1) * height(scale, evaluations, column);
        if (halves <= 2 * (row - 1)) {
            blanks++;
            continue;
        }
        buffer_printf(out, "%*s%s", (int)blanks, "", halves >= 2 * row ? "█" : above ? "▄" : "▀");
        blanks = 0;
    }
    buffer_append_text(out, "\n");
}

static int move_number(const reviewed_game *game, size_t ply) {
    const luft_position *start = luft_pgn_node_position(game->tree, LUFT_PGN_ROOT);
    const size_t half_moves = ply + (start->side_to_move == LUFT_BLACK);
    return start->fullmove_number + (int)(half_moves / 2);
}

/* The move number to show in this column, 0 for none. */
static int number_at(const reviewed_game *game, const graph_scale *scale, size_t column, int step) {
    const size_t ply = first_ply(scale, column);
    const int number = move_number(game, ply);
    const bool begins = column == 0 || first_ply(scale, column - 1) != ply;
    const bool is_new = column == 0 || move_number(game, first_ply(scale, column - 1)) != number;
    const bool is_shown = number % step == 0 || (column == 0 && number % step <= step / 2);
    return begins && is_new && is_shown ? number : 0;
}

/* The axis with its ticks, or the numbers under them. */
static void append_numbers(buffer *out, const reviewed_game *game, const graph_scale *scale, bool as_axis) {
    const size_t moves = scale->plies / 2 + 1;
    const size_t wanted = moves * 8 / scale->width; /* a number in every 8 columns is enough */
    const int step = wanted < 5 ? 5 : (int)((wanted + 9) / 10 * 10);
    size_t free_from = 0;
    for (size_t column = 0; column < scale->width; column++) {
        const int number = number_at(game, scale, column, step);
        if (as_axis) {
            buffer_append_text(out, number > 0 ? "┼" : "─");
        } else if (number > 0 && column >= free_from) {
            char text[16];
            const int length = snprintf(text, sizeof text, "%d", number);
            buffer_printf(out, "%*s%s", (int)(column - free_from), "", text);
            free_from = column + (size_t)length;
        }
    }
    buffer_append_text(out, "\n");
}

void graph_append(buffer *out, const reviewed_game *game, const evaluation *evaluations, size_t columns) {
    if (game->plies == 0) {
        return;
    }
    const graph_scale scale = choose_scale(game->plies, columns);
    for (int row = ROWS; row >= 1; row--) {
        append_row(out, &scale, evaluations, row, true);
    }
    buffer_printf(out, "%*s ", MARGIN - 1, "even");
    append_numbers(out, game, &scale, true);
    for (int row = 1; row <= ROWS; row++) {
        append_row(out, &scale, evaluations, row, false);
    }
    buffer_printf(out, "%-*s", MARGIN, "move");
    append_numbers(out, game, &scale, false);
}

void summary_append(buffer *out, const reviewed_game *game, const player_total totals[2]) {
    static const char *const names[] = {"White", "Black"};
    buffer_printf(out, "%-7s%5s  %8s  %17s  %4s  %4s  %4s  %s\n", "", "moves", "accuracy", "average loss (cp)", "?!",
                  "?", "??", "player");
    for (int color = 0; color < 2; color++) {
        const player_total *total = &totals[color];
        const double moves = total->moves > 0 ? (double)total->moves : 1;
        size_t length;
        const char *name = game_tag_value(game, names[color], &length);
        buffer_printf(out, "%-7s%5d  %6.1f %%  %17.0f  %4d  %4d  %4d  ", names[color], (int)total->moves,
                      total->moves > 0 ? total->accuracy / moves : 100.0, (double)total->loss_cp / moves,
                      (int)total->counts[JUDGED_INACCURACY], (int)total->counts[JUDGED_MISTAKE],
                      (int)total->counts[JUDGED_BLUNDER]);
        buffer_append_readable(out, name, length < 40 ? length : 40);
        buffer_append_text(out, "\n");
    }
}
