/* SPDX-License-Identifier: MIT */
/* Draws the histograms of `luft-train info` as SVG, readable on light and dark backgrounds. */
#include "info.h"

#include <inttypes.h>

enum { WIDTH = 640, PANEL = 170, LEFT = 20, BARS = 600, TALL = 100, TOP = 50 };

/* Draws one histogram; `label` writes the text under a bar. */
static void write_panel(FILE *stream, int number, const char *title, const uint64_t *values, int count,
                        void (*label)(char *text, size_t size, int bar), int every) {
    const int base = TOP + number * PANEL + 20 + TALL;
    uint64_t most = 1, sum = 0;
    for (int i = 0; i < count; i++) {
        most = values[i] > most ? values[i] : most;
        sum += values[i];
    }
    fprintf(stream, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", LEFT, base - TALL - 6, title);
    for (int i = 0; i < count; i++) {
        char text[32];
        const double width = (double)BARS / count;
        const double height = (double)values[i] / (double)most * TALL;
        label(text, sizeof text, i);
        fprintf(stream,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#4a7ebb\"><title>%s: %.2f "
                "%%</title></rect>\n",
                LEFT + i * width, base - height, width * 0.85, height, text,
                sum ? 100.0 * (double)values[i] / (double)sum : 0);
        if (i % every == 0) {
            fprintf(stream, "<text x=\"%.1f\" y=\"%d\" font-size=\"10\" text-anchor=\"middle\">%s</text>\n",
                    LEFT + (i + 0.43) * width, base + 13, text);
        }
    }
}

static void score_label(char *text, size_t size, int bar) {
    snprintf(text, size, "%d", (bar - SCORE_BINS / 2) * SCORE_BIN);
}

static void pieces_label(char *text, size_t size, int bar) {
    snprintf(text, size, "%d", bar + 2);
}

static void result_label(char *text, size_t size, int bar) {
    static const char *const names[] = {"lost", "drawn", "won", "not known"};
    snprintf(text, size, "%s", names[bar]);
}

static void length_label(char *text, size_t size, int bar) {
    snprintf(text, size, "%d", bar * LENGTH_BIN);
}

void info_write_svg(FILE *stream, const info_counts *counts) {
    const int panels = counts->games > 0 ? 4 : 3;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"13\" fill=\"#777\">\n"
            "<text x=\"%d\" y=\"26\" font-size=\"16\">%" PRIu64 " positions, %" PRIu64 " games, %" PRIu64
            " detours</text>\n",
            WIDTH, TOP + panels * PANEL, LEFT, counts->positions, counts->games, counts->detours);
    write_panel(stream, 0, "score for the side to move, centipawns", counts->scores, SCORE_BINS, score_label, 5);
    write_panel(stream, 1, "pieces on the board", counts->pieces + 2, PIECES_MAX - 1, pieces_label, 2);
    write_panel(stream, 2, "result for the side to move", counts->results, 4, result_label, 1);
    if (counts->games > 0) {
        write_panel(stream, 3, "length of games, plies", counts->lengths, LENGTH_BINS, length_label, 2);
    }
    fputs("</svg>\n", stream);
}
