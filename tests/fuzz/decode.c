/* SPDX-License-Identifier: MIT */
/*
 * Arbitrary bytes as positions. Hardly any 48 bytes are a compact position, and a
 * fuzzer that changes a few bits of one nearly always spoils it. So the same bytes
 * are read a second time, square by square: surplus pieces, rights without a rook and
 * attackers of the king of the side not to move are left out. Then a change
 * of a few bits is a small change of the position.
 */
#include "decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Saying what is wrong ------------------------------------------------ */

_Noreturn void report(const luft_position *position, const char *what) {
    char fen[LUFT_FEN_SIZE] = "";
    if (luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_SHREDDER) == 0) {
        fprintf(stderr, "status %#x, ", luft_position_status(position));
    }
    fprintf(stderr, "%s: %s\n", fen, what);
    abort();
}

void expect_equal(uint64_t actual, uint64_t expected, const luft_position *position, const char *what) {
    if (actual != expected) {
        fprintf(stderr, "%llu, expected %llu: ", (unsigned long long)actual, (unsigned long long)expected);
        report(position, what);
    }
}

/* --- The lenient reading ------------------------------------------------- */

/* A bit of one of the compact form's words, by the byte the word starts at and the square. */
static int bit_of(const luft_compact *compact, int word, luft_square square) {
    const int number = luft_square_to_h8(square);
    return compact->bytes[word + number / 8] >> number % 8 & 1;
}

static void put(luft_board *board, luft_color color, luft_piece_type type, luft_square square) {
    const luft_bitboard bit = luft_bit(square);
    board->pawns |= type == LUFT_PAWN ? bit : 0;
    board->knights |= type == LUFT_KNIGHT ? bit : 0;
    board->diagonal |= type == LUFT_BISHOP || type == LUFT_QUEEN ? bit : 0;
    board->orthogonal |= type == LUFT_ROOK || type == LUFT_QUEEN ? bit : 0;
    board->kings |= type == LUFT_KING ? bit : 0;
    board->color[color] |= bit;
}

static void take_off(luft_board *board, luft_bitboard set) {
    board->pawns &= ~set;
    board->knights &= ~set;
    board->diagonal &= ~set;
    board->orthogonal &= ~set;
    board->kings &= ~set;
    board->color[LUFT_WHITE] &= ~set;
    board->color[LUFT_BLACK] &= ~set;
}

/* Is one more piece of this kind possible there? One of the sixteen is reserved for the king. */
static bool has_room(const luft_board *board, luft_color color, luft_piece_type type, luft_square square) {
    const luft_bitboard own = board->color[color], bit = luft_bit(square);
    if (type == LUFT_KING) {
        return !(board->kings & own);
    }
    if (luft_popcount(own & ~board->kings) >= 15) {
        return false;
    }
    return type != LUFT_PAWN || (!(bit & (LUFT_RANK_1 | LUFT_RANK_8)) && luft_popcount(board->pawns & own) < 8);
}

/* A stride of 37 goes through all 64 squares without favouring a rank if there are too many pieces. */
static void place_pieces(luft_board *board, const luft_compact *compact) {
    for (int i = 0; i < 64; i++) {
        const luft_square square = (luft_square)((i * 37 + compact->bytes[44]) & 63);
        const int own = bit_of(compact, 24, square), theirs = bit_of(compact, 32, square);
        const int type = bit_of(compact, 0, square) + 2 * bit_of(compact, 8, square) + 4 * bit_of(compact, 16, square);
        const luft_color color = own ? LUFT_WHITE : LUFT_BLACK;
        if ((own || theirs) && type != LUFT_NO_PIECE_TYPE && type <= LUFT_KING &&
            has_room(board, color, (luft_piece_type)type, square)) {
            put(board, color, (luft_piece_type)type, square);
        }
    }
    for (int color = 0; color < 2; color++) {
        const luft_square square = (luft_square)(compact->bytes[45 + color] & 63);
        if (has_room(board, (luft_color)color, LUFT_KING, square)) {
            take_off(board, luft_bit(square));
            put(board, (luft_color)color, LUFT_KING, square);
        }
    }
}

/* The rights of one side: of its rooks on the home rank those named, one on each side of the king. */
static luft_bitboard castling_of(const luft_board *board, luft_color color, uint8_t files) {
    const luft_bitboard home = color == LUFT_WHITE ? LUFT_RANK_1 : LUFT_RANK_8;
    const luft_bitboard king = board->kings & board->color[color];
    luft_bitboard rights = 0, rooks = luft_rooks(board) & board->color[color] & home;
    if (!(king & home & ~(LUFT_FILE_A | LUFT_FILE_H))) {
        return 0;
    }
    while (rooks) {
        const luft_bitboard rook = rooks & (0 - rooks);
        const luft_bitboard side = rook < king ? king - 1 : ~(king - 1);
        rights |= files >> (7 - luft_file_of(luft_pop(&rooks))) & 1 && !(rights & side) ? rook : 0;
    }
    return rights;
}

static bool read_leniently(luft_position *position, const luft_compact *compact) {
    const uint8_t *bytes = compact->bytes;
    luft_position view = {.fullmove_number = 1, .ep_square = LUFT_NO_SQUARE, .side_to_move = LUFT_WHITE};
    luft_board *board = &view.board;
    place_pieces(board, compact);
    if (luft_popcount(board->kings) != 2) {
        return false; /* both had only one square to stand on */
    }
    const luft_square king = luft_king_square(board, LUFT_BLACK);
    luft_bitboard takers = 0;
    while ((takers = luft_attackers_to(board, king, luft_occupied(board)) & board->color[LUFT_WHITE]) != 0) {
        if (takers & board->kings) {
            return false;
        }
        take_off(board, takers);
    }
    board->castling = castling_of(board, LUFT_WHITE, bytes[40]) | castling_of(board, LUFT_BLACK, bytes[41]);
    if (bytes[42] < 8) {
        view.ep_square = (uint8_t)luft_square_at(7 - bytes[42], luft_rank_of(LUFT_A6));
    }
    luft_position_compute_keys(&view);
    if (luft_position_status(&view) == LUFT_STATUS_BAD_EN_PASSANT) {
        view.ep_square = LUFT_NO_SQUARE;
        luft_position_compute_keys(&view);
    }
    if (luft_position_status(&view) != LUFT_STATUS_VALID) {
        report(&view, "the lenient reading leaves this wrong");
    }
    if (bytes[43] & 1) {
        luft_position_flip(&view, &view);
    }
    *position = view;
    return true;
}

bool position_from_bytes(luft_position *position, const uint8_t *data, size_t size) {
    luft_compact compact = {{0}}, again;
    memcpy(compact.bytes, data, size < sizeof compact.bytes ? size : sizeof compact.bytes);
    if (luft_compact_unpack(position, &compact) == LUFT_OK) {
        if (luft_compact_pack(&again, position) != LUFT_OK || memcmp(&again, &compact, sizeof compact) != 0) {
            report(position, "it does not pack to the bytes it came from");
        }
        return true;
    }
    return read_leniently(position, &compact);
}
