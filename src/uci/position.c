/* SPDX-License-Identifier: MIT */
/*
 * The command `position`. It is accepted as a whole or refused: a bad FEN or one bad
 * move leaves the session without a position, so that a stale one is never searched.
 */
#include "session.h"
#include "util/setup.h"

#include <stdlib.h>

/* Reads the words after `moves`. Each must be legal in its position. */
static bool read_moves(uci_session *uci, uci_text line, const luft_position *start, luft_move **moves, size_t *count) {
    uci_text word;
    size_t room = 0;
    char quoted[TEXT_QUOTED_SIZE];
    luft_position position = *start;
    while (uci_take_word(&line, &word)) {
        luft_move move;
        const luft_error error = luft_move_from_uci(&move, &position, word.text, word.length);
        if (error != LUFT_OK) {
            uci_send_error(uci, "position: move %zu, %s: %s", *count + 1, text_quote(quoted, word.text, word.length),
                           luft_error_string(error));
            return false;
        }
        if (*count == room) {
            room = room ? 2 * room : 64;
            luft_move *more = realloc(*moves, room * sizeof *more);
            if (!more) {
                uci_send_error(uci, "out of memory");
                return false;
            }
            *moves = more;
        }
        (*moves)[(*count)++] = move;
        luft_make(&position, &position, move);
    }
    return true;
}

/* Removes the FEN from the line: all words before `moves`. */
static bool read_fen(uci_session *uci, uci_text *line, luft_position *position, luft_square *ep_square) {
    const char *begin = NULL, *end = NULL;
    uci_text rest = *line, word;
    while (uci_take_word(&rest, &word) && !uci_is(word, "moves")) {
        begin = begin ? begin : word.text;
        end = word.text + word.length;
        *line = rest;
    }
    if (!begin) {
        uci_send_error(uci, "position fen: expected a FEN");
        return false;
    }
    luft_fen_report report;
    if (luft_position_from_fen(position, begin, (size_t)(end - begin), &report) != LUFT_OK) {
        char reason[SETUP_REASON_SIZE];
        uci_send_error(uci, "position: %s", setup_fen_reason(reason, &report, begin, (size_t)(end - begin)));
        return false;
    }
    *ep_square = report.ep_square;
    return true;
}

static bool read_position(uci_session *uci, uci_text line) {
    uci_text word;
    char quoted[TEXT_QUOTED_SIZE];
    luft_position start = luft_start_position();
    luft_square ep_square = LUFT_NO_SQUARE;
    if (!uci_take_word(&line, &word)) {
        uci_send_error(uci, "position: expected startpos or fen");
        return false;
    }
    if (uci_is(word, "fen")) {
        if (!read_fen(uci, &line, &start, &ep_square)) {
            return false;
        }
    } else if (!uci_is(word, "startpos")) {
        uci_send_error(uci, "position: expected startpos or fen, got %s", text_quote(quoted, word.text, word.length));
        return false;
    }
    luft_move *moves = NULL;
    size_t count = 0;
    bool good = true;
    if (uci_take_word(&line, &word)) {
        good = uci_is(word, "moves");
        if (!good) {
            uci_send_error(uci, "position: expected moves, got %s", text_quote(quoted, word.text, word.length));
        }
        good = good && read_moves(uci, line, &start, &moves, &count);
    }
    good = good && uci_set_game(uci, &start, ep_square, moves, count);
    free(moves);
    return good;
}

void uci_position(uci_session *uci, uci_text line) {
    uci_finish(uci);
    uci->has_position = read_position(uci, line);
}
