/* SPDX-License-Identifier: MIT */
/*
 * The opening book of a UCI session: options OwnBook, BookFile, BookDepth and BookVariety. A move of the book is the
 * answer to `go` at once, without a search.
 */
#include "session.h"

#include "util/random.h"

/* Drops moves of low weight: 0 keeps the highest weight only, 100 all moves. */
static void apply_variety(luft_book_moves *moves, int variety) {
    const uint64_t min_weight = (uint64_t)moves->moves[0].weight * (uint64_t)(100 - variety);
    while (moves->count > 1 && (uint64_t)moves->moves[moves->count - 1].weight * 100 < min_weight) {
        moves->count--;
    }
}

/* The reply with the highest weight that the book expects, LUFT_MOVE_NONE if it has none. */
static luft_move expected_reply(const luft_book *book, const luft_position *position, luft_move move) {
    luft_position next;
    luft_book_moves replies;
    luft_make(&next, position, move);
    const int count = luft_book_find(&replies, book, &next, luft_move_ep_square(move));
    return count > 0 && replies.moves[0].weight > 0 ? replies.moves[0].move : LUFT_MOVE_NONE;
}

bool uci_play_from_book(uci_session *uci) {
    const luft_position *position = luft_engine_position(uci->engine);
    luft_book_moves moves;
    char text[LUFT_UCI_MOVE_SIZE];
    if (!uci->own_book || !uci->book || uci->analyse_mode || position->fullmove_number > uci->book_depth ||
        luft_book_find(&moves, uci->book, position, uci->ep_square) == 0) {
        return false;
    }
    apply_variety(&moves, uci->book_variety);
    uci->random ^= (uint64_t)uci->host.now_us(uci->host.payload);
    const luft_move move = luft_book_pick(&moves, random_next(&uci->random));
    if (move == LUFT_MOVE_NONE) {
        return false;
    }
    uci_send(uci, "info string book move %s, one of %d", uci_move_text(uci, text, move), moves.count);
    uci_send_best_move(uci, move, expected_reply(uci->book, position, move));
    return true;
}
