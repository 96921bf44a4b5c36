/* SPDX-License-Identifier: MIT */
/*
 * What the UCI session says, put into words. Every line goes through uci_say, and
 * is out before the next is begun.
 */
#include "session.h"

#include "engine/wdl.h"

#include <stdarg.h>
#include <stdlib.h>

/* --- Answers ---------------------------------------------------------------------- */

void uci_say(uci_session *uci, const char *format, ...) {
    char text[4096]; /* twice the longest line */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    uci_write(uci, text);
}

void uci_refuse(uci_session *uci, const char *format, ...) {
    char reason[201];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    uci_say(uci, "info string error: %s", reason);
}

/* --- What the search says --------------------------------------------------------- */

const char *uci_move_text(const uci_session *uci, char buffer[LUFT_UCI_MOVE_SIZE], luft_move move) {
    luft_move_to_uci(buffer, LUFT_UCI_MOVE_SIZE, move, uci->chess960 ? LUFT_CASTLING_CHESS960 : LUFT_CASTLING_STANDARD);
    return buffer;
}

void uci_say_line(void *payload, const engine_line *line) {
    uci_session *uci = payload;
    char text[256 + (MAX_PLY + 1) * LUFT_UCI_MOVE_SIZE];
    size_t used = 0;
    const int64_t rate = line->time_ms > 0 ? line->nodes * 1000 / line->time_ms : line->nodes * 1000;
    used += (size_t)snprintf(text, 256, "info depth %d seldepth %d multipv %d score ", line->depth, line->seldepth,
                             line->multipv);
    if (is_decisive(line->score)) {
        const int plies = SCORE_MATE - abs(line->score);
        used += (size_t)snprintf(text + used, 64, "mate %d", line->score > 0 ? (plies + 1) / 2 : -plies / 2);
    } else {
        used += (size_t)snprintf(text + used, 64, "cp %d", line->score);
    }
    used += (size_t)snprintf(text + used, 16, "%s",
                             line->is_lower_bound   ? " lowerbound"
                             : line->is_upper_bound ? " upperbound"
                                                    : "");
    if (uci->show_wdl) {
        const wdl chances = wdl_of(line->score, engine_position(uci->engine));
        used += (size_t)snprintf(text + used, 32, " wdl %d %d %d", chances.win, chances.draw, chances.loss);
    }
    used += (size_t)snprintf(text + used, 128, " nodes %lld nps %lld hashfull %d tbhits 0 time %lld pv",
                             (long long)line->nodes, (long long)rate, line->hashfull, (long long)line->time_ms);
    for (int i = 0; i < line->length; i++) {
        char move[LUFT_UCI_MOVE_SIZE];
        used += (size_t)snprintf(text + used, LUFT_UCI_MOVE_SIZE + 1, " %s", uci_move_text(uci, move, line->moves[i]));
    }
    uci_say(uci, "%s", text);
}

void uci_say_fewer_threads(void *payload, int running, int wanted) {
    uci_say(payload, "info string the system gives %d threads of %d for the search", running, wanted);
}

void uci_say_current_move(void *payload, int depth, luft_move move, int number) {
    char text[LUFT_UCI_MOVE_SIZE];
    uci_say(payload, "info depth %d currmove %s currmovenumber %d", depth, uci_move_text(payload, text, move), number);
}

void uci_say_best_move(void *payload, luft_move best, luft_move ponder) {
    char text[LUFT_UCI_MOVE_SIZE], answer[LUFT_UCI_MOVE_SIZE];
    if (ponder != LUFT_MOVE_NONE) {
        uci_say(payload, "bestmove %s ponder %s", uci_move_text(payload, text, best),
                uci_move_text(payload, answer, ponder));
    } else {
        uci_say(payload, "bestmove %s", uci_move_text(payload, text, best));
    }
}
