/* SPDX-License-Identifier: MIT */
/* Opening books for a page: opened from the bytes of a file, which the book copies. */
#include "rules.h"

#include <stdio.h>

size_t web_book_open(size_t length) {
    luft_book *book = NULL;
    luft_book_report report;
    if (luft_book_open_bytes(&book, web_input(), length, &report) != LUFT_OK) {
        char reason[160];
        snprintf(reason, sizeof reason, "%s: %s (byte %zu)", luft_error_string(report.error), report.reason,
                 report.offset);
        return web_refuse(reason);
    }
    json *out = web_json();
    json_open(out, '{');
    json_key(out, "handle");
    json_number(out, (uintptr_t)book);
    json_key(out, "count");
    json_number(out, luft_book_entry_count(book));
    json_close(out, '}');
    const size_t answer = web_answer_length();
    if (!answer) { /* nobody gets the handle */
        luft_book_free(book);
    }
    return answer;
}

void web_book_free(luft_book *book) {
    luft_book_free(book);
}

size_t web_book_find(const luft_book *book, size_t fen_length, size_t moves_length, bool chess960) {
    luft_game *game = web_read_game(fen_length, moves_length);
    if (!game) {
        return web_answer_length();
    }
    const luft_position *position = luft_game_position(game);
    const size_t ply = luft_game_ply(game);
    luft_book_moves moves;
    /* The format counts en passant by the last move, which a position does not keep. */
    luft_book_find(&moves, book, position,
                   ply > 0 ? luft_move_ep_square(luft_game_move_at(game, ply - 1)) : LUFT_NO_SQUARE);
    json *out = web_json();
    json_open(out, '[');
    for (int i = 0; i < moves.count; i++) {
        json_open(out, '{');
        web_put_move_names(out, position, moves.moves[i].move, chess960);
        json_key(out, "weight");
        json_number(out, moves.moves[i].weight);
        json_key(out, "learn");
        json_number(out, moves.moves[i].learn);
        json_close(out, '}');
    }
    json_close(out, ']');
    luft_game_free(game);
    return web_answer_length();
}
