/* SPDX-License-Identifier: MIT */
/*
 * The text of the answers of a UCI session. All of it goes through uci_send, line by line.
 */
#include "session.h"

#include <stdarg.h>
#include <stdio.h>

/* --- Answers ---------------------------------------------------------------------- */

void uci_send(uci_session *uci, const char *format, ...) {
    char text[4096]; /* twice the longest line */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!uci->host.write(uci->host.payload, text)) {
        atomic_store(&uci->has_lost_output, true);
    }
}

void uci_send_error(uci_session *uci, const char *format, ...) {
    char reason[201];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    uci_send(uci, "info string error: %s", reason);
}

/* --- Callbacks of a search -------------------------------------------------------- */

const char *uci_move_text(const uci_session *uci, char buffer[LUFT_UCI_MOVE_SIZE], luft_move move) {
    luft_move_to_uci(buffer, LUFT_UCI_MOVE_SIZE, move, uci->chess960 ? LUFT_CASTLING_CHESS960 : LUFT_CASTLING_STANDARD);
    return buffer;
}

void uci_send_variation(void *payload, const luft_engine_line *line) {
    static const char *const bounds[] = {
        [LUFT_ENGINE_EXACT] = "", [LUFT_ENGINE_LOWER] = " lowerbound", [LUFT_ENGINE_UPPER] = " upperbound"};
    uci_session *uci = payload;
    char text[256 + (LUFT_ENGINE_MAX_PLY + 1) * LUFT_UCI_MOVE_SIZE];
    size_t used = 0;
    const int64_t rate = line->time_ms > 0 ? line->nodes * 1000 / line->time_ms : line->nodes * 1000;
    used += (size_t)snprintf(text, 256, "info depth %d seldepth %d multipv %d score ", line->depth, line->seldepth,
                             line->number);
    used += (size_t)snprintf(text + used, 64, "%s %d%s", line->score.kind == LUFT_ENGINE_MATE ? "mate" : "cp",
                             line->score.value, bounds[line->score.bound]);
    if (uci->show_wdl) {
        used += (size_t)snprintf(text + used, 32, " wdl %d %d %d", line->wdl.win, line->wdl.draw, line->wdl.loss);
    }
    used += (size_t)snprintf(text + used, 128, " nodes %lld nps %lld hashfull %d tbhits %lld time %lld pv",
                             (long long)line->nodes, (long long)rate, line->hashfull, (long long)line->tbhits,
                             (long long)line->time_ms);
    for (int i = 0; i < line->move_count; i++) {
        char move[LUFT_UCI_MOVE_SIZE];
        used += (size_t)snprintf(text + used, LUFT_UCI_MOVE_SIZE + 1, " %s", uci_move_text(uci, move, line->moves[i]));
    }
    uci_send(uci, "%s", text);
}

void uci_send_fewer_threads(void *payload, int running, int wanted) {
    uci_send(payload, "info string searching with %d of %d threads: cannot start more", running, wanted);
}

void uci_send_current_move(void *payload, int depth, luft_move move, int number) {
    char text[LUFT_UCI_MOVE_SIZE];
    uci_send(payload, "info depth %d currmove %s currmovenumber %d", depth, uci_move_text(payload, text, move), number);
}

void uci_send_best_move(uci_session *uci, luft_move best, luft_move ponder) {
    char text[LUFT_UCI_MOVE_SIZE], answer[LUFT_UCI_MOVE_SIZE];
    if (ponder != LUFT_MOVE_NONE) {
        uci_send(uci, "bestmove %s ponder %s", uci_move_text(uci, text, best), uci_move_text(uci, answer, ponder));
    } else {
        uci_send(uci, "bestmove %s", uci_move_text(uci, text, best));
    }
}

void uci_send_result(void *payload, const luft_engine_result *result) {
    uci_report_tables(payload);
    if (result->no_mate) {
        uci_send(payload, "info string proved: no mate within this number of moves");
    }
    uci_send_best_move(payload, result->best, result->ponder);
}
