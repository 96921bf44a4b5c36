/* SPDX-License-Identifier: MIT */
/*
 * The report as one HTML page that needs nothing else: no script, no network. Plots are SVG in the page; names from the
 * games are escaped.
 */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    GRAPH_WIDTH = 720,
    GRAPH_HEIGHT = 120,
    BAR_WIDTH = 240,
    GAMES_SHOWN = 500, /* with a graph of each; the tables have all */
    LOSS_SCALE = 150   /* centipawns of a full bar */
};

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1d2126;--soft:#5b636e;--page:#fff;--line:#d5d9df;--white:#f4f1ea;--black:#4a4f57;--bar:#3572b0}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--soft:#a4abb5;--page:#16181b;--line:#3a3f46;--white:#"
    "d9d5cb;--black:#2b2e33;--bar:#6aa5df}}"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:76rem;margin:2rem "
    "auto;padding:0 1rem}"
    "h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2rem}h3{font-size:1rem;margin:1.5rem 0 .25rem}"
    "table{border-collapse:collapse;width:100%;font-size:.875rem;font-variant-numeric:tabular-nums}"
    "th,td{padding:.25rem .5rem;text-align:right;border-bottom:1px solid "
    "var(--line)}th:first-child,td:first-child{text-align:left}"
    ".scroll{overflow-x:auto}.soft{color:var(--soft)}svg{max-width:100%;height:auto;display:block}svg "
    "text{fill:var(--soft);font:12px system-ui,sans-serif}";

static void append_escaped(buffer *out, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '<': buffer_append_text(out, "&lt;"); break;
        case '>': buffer_append_text(out, "&gt;"); break;
        case '&': buffer_append_text(out, "&amp;"); break;
        case '"': buffer_append_text(out, "&quot;"); break;
        default: buffer_append(out, text, 1); break;
        }
    }
}

static void append_table_head(buffer *out, const char *first) {
    buffer_printf(
        out,
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">%s</th><th scope=\"col\">Games</th>"
        "<th scope=\"col\">Moves</th><th scope=\"col\">Accuracy</th><th scope=\"col\">Loss (cp)</th>"
        "<th scope=\"col\">Opening</th><th scope=\"col\">Middlegame</th><th scope=\"col\">Endgame</th>"
        "<th scope=\"col\" title=\"Inaccuracies\">?!</th><th scope=\"col\" title=\"Mistakes\">?</th><th scope=\"col\" "
        "title=\"Blunders\">?\?</th>"
        "<th scope=\"col\">Missed mates</th><th scope=\"col\">Mistakes in time trouble</th></tr></thead><tbody>\n",
        first);
}

static void append_row(buffer *out, const char *name, uint64_t games, const player_total *total) {
    buffer_append_text(out, "<tr><td>");
    append_escaped(out, name);
    buffer_printf(out, "</td><td>%" PRIu64 "</td><td>%" PRId64 "</td><td>%.1f %%</td><td>%.0f</td>", games,
                  total->moves, report_mean(total->accuracy, total->moves, 100),
                  report_mean((double)total->loss_cp, total->moves, 0));
    for (int i = 0; i < PHASE_COUNT; i++) {
        if (total->phase_moves[i] > 0) {
            buffer_printf(out, "<td>%.0f</td>", (double)total->phase_loss_cp[i] / (double)total->phase_moves[i]);
        } else {
            buffer_append_text(out, "<td>–</td>");
        }
    }
    buffer_printf(out,
                  "<td>%" PRId64 "</td><td>%" PRId64 "</td><td>%" PRId64 "</td><td>%" PRId64 "</td><td>%" PRId64
                  " of %" PRId64 "</td></tr>\n",
                  total->counts[JUDGED_INACCURACY], total->counts[JUDGED_MISTAKE], total->counts[JUDGED_BLUNDER],
                  total->missed_mates, total->hurried_mistakes, total->hurried);
}

/* The average loss in each phase, as bars. */
static void append_phases(buffer *out, const player_total *total) {
    buffer_printf(out, "<svg viewBox=\"0 0 %d 84\" width=\"%d\" role=\"img\" aria-label=\"Average loss by phase\">\n",
                  BAR_WIDTH + 180, BAR_WIDTH + 180);
    for (int i = 0; i < PHASE_COUNT; i++) {
        const double loss = report_mean((double)total->phase_loss_cp[i], total->phase_moves[i], 0);
        const double width = loss < LOSS_SCALE ? loss / LOSS_SCALE * BAR_WIDTH : BAR_WIDTH;
        buffer_printf(out,
                      "<text x=\"0\" y=\"%d\">%s</text><rect x=\"90\" y=\"%d\" width=\"%.1f\" height=\"16\" rx=\"2\" "
                      "fill=\"var(--bar)\"/><text x=\"%.1f\" y=\"%d\">%.0f cp</text>\n",
                      20 + 28 * i, game_phase_name((game_phase)i), 7 + 28 * i, width, 96 + width, 20 + 28 * i, loss);
    }
    buffer_append_text(out, "</svg>\n");
}

/* White's winning chances over the game: what is White's below the curve, Black's above it. */
static void append_graph(buffer *out, const report *it, const report_game *game) {
    const double step = game->plies > 0 ? (double)GRAPH_WIDTH / (double)game->plies : GRAPH_WIDTH;
    buffer_printf(
        out,
        "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"Winning chances\"><rect width=\"%d\" "
        "height=\"%d\" fill=\"var(--black)\"/><path fill=\"var(--white)\" d=\"M0 %d",
        GRAPH_WIDTH, GRAPH_HEIGHT, GRAPH_WIDTH, GRAPH_WIDTH, GRAPH_HEIGHT, GRAPH_HEIGHT);
    for (size_t ply = 0; ply <= game->plies; ply++) {
        buffer_printf(out, "L%.1f %.1f", step * (double)ply,
                      (1 - (double)it->chances[game->first + ply]) / 2 * GRAPH_HEIGHT);
    }
    buffer_printf(out,
                  "L%d %d\"/><line x1=\"0\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"var(--soft)\" "
                  "stroke-dasharray=\"4 4\"/></svg>\n",
                  GRAPH_WIDTH, GRAPH_HEIGHT, GRAPH_HEIGHT / 2, GRAPH_WIDTH, GRAPH_HEIGHT / 2);
}

static void append_game(buffer *out, const report *it, const report_game *game) {
    static const char *const sides[] = {"White", "Black"};
    buffer_printf(out, "<h3>Game %" PRIu64 ": ", game->number);
    append_escaped(out, it->text.data + game->names[LUFT_WHITE]);
    buffer_append_text(out, " – ");
    append_escaped(out, it->text.data + game->names[LUFT_BLACK]);
    buffer_printf(out, ", %s</h3>\n", game->result);
    append_graph(out, it, game);
    buffer_append_text(out, "<p class=\"soft\">");
    for (int color = 0; color < 2; color++) {
        const player_total *total = &game->totals[color];
        buffer_printf(out,
                      "%s%s: accuracy %.1f %%, average loss %.0f cp, %" PRId64 " inaccuracies, %" PRId64
                      " mistakes, %" PRId64 " blunders",
                      color ? "<br>" : "", sides[color], report_mean(total->accuracy, total->moves, 100),
                      report_mean((double)total->loss_cp, total->moves, 0), total->counts[JUDGED_INACCURACY],
                      total->counts[JUDGED_MISTAKE], total->counts[JUDGED_BLUNDER]);
    }
    buffer_append_text(out, "</p>\n");
}

void report_append_html(buffer *out, const report *it) {
    buffer_printf(out,
                  "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                  "content=\"width=device-width\"><title>Analysis by Luft</title><style>%s</style></head><body>\n"
                  "<h1>Analysis by Luft %s</h1>\n<p>%zu games, %zu players, %" PRId64
                  " moves. Accuracy and losses are means over moves; the phases show the average loss in centipawns; "
                  "?!, ? and ?\? count inaccuracies, mistakes and blunders.</p>\n",
                  style, luft_version(), it->game_count, it->player_count, it->all.moves);
    buffer_append_text(out, "<h2>Players</h2>\n");
    append_table_head(out, "Player");
    for (size_t i = 0; i < it->player_count; i++) {
        append_row(out, it->text.data + it->players[i].name, it->players[i].games, &it->players[i].total);
    }
    append_row(out, "All", it->game_count, &it->all);
    buffer_append_text(out, "</tbody></table></div>\n<h2>Average loss by phase</h2>\n");
    append_phases(out, &it->all);
    buffer_append_text(out,
                       "<h2>Games</h2>\n<p class=\"soft\">White's winning chances after each move; the dashed line is "
                       "an even game.</p>\n");
    for (size_t i = 0; i < it->game_count && i < GAMES_SHOWN; i++) {
        append_game(out, it, &it->games[i]);
    }
    if (it->game_count > GAMES_SHOWN) {
        buffer_printf(out, "<p class=\"soft\">The other %zu games are in the tables only.</p>\n",
                      it->game_count - GAMES_SHOWN);
    }
    buffer_append_text(out, "</body></html>\n");
}
