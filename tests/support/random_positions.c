/* SPDX-License-Identifier: MIT */
/*
 * Random games are played with the library. Fantastic positions are set up on the oracle's
 * board and passed as FEN, so that they do not depend on the library's board. Pieces that
 * attack the king of the side not to move are removed, which makes almost every position
 * valid.
 */
#include "support/random_positions.h"

#include "support/check.h"
#include "support/oracle.h"

#include <ctype.h>
#include <string.h>

/* The splitmix64 sequence: every seed is as good as any other. */
uint64_t random_next(random_source *source) {
    uint64_t z = source->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int random_below(random_source *source, int limit) {
    return (int)((random_next(source) >> 32) * (uint64_t)limit >> 32);
}

/* --- Random games ------------------------------------------------------- */

static bool is_special(luft_move move) {
    const luft_move_kind kind = luft_move_kind_of(move);
    return kind == LUFT_CASTLING || kind == LUFT_EN_PASSANT || luft_move_is_promotion(move);
}

static luft_move choose_move(random_source *source, const luft_move_list *list) {
    luft_move special[LUFT_MAX_MOVES];
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        if (is_special(list->moves[i])) {
            special[count++] = list->moves[i];
        }
    }
    if (count > 0 && random_below(source, 2) == 0) {
        return special[random_below(source, count)];
    }
    return list->moves[random_below(source, list->count)];
}

void random_game(uint64_t seed, const luft_position *start, int plies, position_visitor visit, void *payload) {
    random_source source = {seed};
    luft_position position = *start;
    visit(&position, payload);
    for (int ply = 0; ply < plies; ply++) {
        luft_move_list list;
        if (luft_generate(&list, &position, LUFT_ALL_MOVES) == 0) {
            return;
        }
        luft_make(&position, &position, choose_move(&source, &list));
        visit(&position, payload);
    }
}

void visit_random_games(int games, position_visitor visit, void *payload) {
    for (int game = 0; game < games; game++) {
        luft_position start = luft_start_position();
        if (game % 2 == 1) {
            assert_int_equal(luft_chess960_position(&start, game * 397 % 960), LUFT_OK);
        }
        random_game((uint64_t)game, &start, 200, visit, payload);
    }
}

/* --- Fantastic positions ------------------------------------------------ */

static char for_color(luft_color color, char upper_case_letter) {
    return color == LUFT_WHITE ? upper_case_letter : (char)tolower((unsigned char)upper_case_letter);
}

static int count_pieces(const oracle_board *board, luft_color color, char upper_case_letter) {
    int count = 0;
    for (int square = 0; square < 64; square++) {
        const bool matches = upper_case_letter == '*' || board->pieces[square] == for_color(color, upper_case_letter);
        count += matches && oracle_is_color(board->pieces[square], color);
    }
    return count;
}

/* Puts a piece on an empty square if the number of pieces and the rank allow it. */
static void put(oracle_board *board, int square, luft_color color, char upper_case_letter) {
    const bool is_end_rank = square / 8 == 0 || square / 8 == 7;
    if (board->pieces[square] != '.' || count_pieces(board, color, '*') >= 16) {
        return;
    }
    if (upper_case_letter == 'P' && (is_end_rank || count_pieces(board, color, 'P') >= 8)) {
        return;
    }
    board->pieces[square] = for_color(color, upper_case_letter);
}

/* Puts pieces of both colours on random squares, their types drawn from a string of letters. */
static void scatter(random_source *source, oracle_board *board, int pieces, const char *letters) {
    for (int i = 0; i < pieces; i++) {
        const luft_color color = (luft_color)random_below(source, 2);
        put(board, random_below(source, 64), color, letters[random_below(source, (int)strlen(letters))]);
    }
}

static void put_kings(random_source *source, oracle_board *board) {
    for (int color = 0; color < 2; color++) {
        while (oracle_king(board, (luft_color)color) == ORACLE_NONE) {
            put(board, random_below(source, 64), (luft_color)color, 'K');
        }
    }
}

static void set_up_queens(random_source *source, oracle_board *board) {
    put_kings(source, board);
    scatter(source, board, 10 + random_below(source, 40), "QQQQQRBN");
}

/* In every direction from each king, one of its pieces and beyond it a piece of the other side. */
static void set_up_pins(random_source *source, oracle_board *board) {
    put_kings(source, board);
    for (int color = 0; color < 2; color++) {
        const int king = oracle_king(board, (luft_color)color);
        for (int direction = 0; direction < 9; direction++) {
            const int east = direction % 3 - 1;
            const int south = direction / 3 - 1;
            const int near = 1 + random_below(source, 3);
            const int far = near + 1 + random_below(source, 3);
            const int last_file = king % 8 + far * east;
            const int last_row = king / 8 + far * south;
            if (direction == 4 || last_file < 0 || last_file > 7 || last_row < 0 || last_row > 7) {
                continue;
            }
            const char *pinning = east == 0 || south == 0 ? "RRQQB" : "BBQQR";
            put(board, king + near * (east + 8 * south), (luft_color)color, "PPNBRQ"[random_below(source, 6)]);
            put(board, last_file + 8 * last_row, (luft_color)(color ^ 1), pinning[random_below(source, 5)]);
        }
    }
    scatter(source, board, random_below(source, 6), "PPNBR");
}

static void set_up_promotions(random_source *source, oracle_board *board) {
    put_kings(source, board);
    for (int color = 0; color < 2; color++) {
        const int row = color == LUFT_WHITE ? 1 : 6;
        const int last_row = color == LUFT_WHITE ? 0 : 7;
        for (int file = 0; file < 8; file++) {
            if (random_below(source, 3) > 0) {
                put(board, 8 * row + file, (luft_color)color, 'P');
            }
            if (random_below(source, 3) == 0) {
                put(board, 8 * last_row + file, (luft_color)(color ^ 1), "NBRQ"[random_below(source, 4)]);
            }
        }
    }
    scatter(source, board, random_below(source, 8), "NBRQ");
}

/* A pawn that has just moved two squares, pawns beside it, and many sliders. */
static void set_up_en_passant(random_source *source, oracle_board *board) {
    const luft_color us = board->side;
    const int forward = us == LUFT_WHITE ? -8 : 8;
    const int file = random_below(source, 8);
    const int pawn = (us == LUFT_WHITE ? 24 : 32) + file; /* rank 5 for White, rank 4 for Black */
    put(board, pawn, luft_opposite(us), 'P');
    if (file > 0 && random_below(source, 3) > 0) {
        put(board, pawn - 1, us, 'P');
    }
    if (file < 7 && random_below(source, 3) > 0) {
        put(board, pawn + 1, us, 'P');
    }
    if (random_below(source, 2) == 0) { /* a king on or near the pawns' rank */
        put(board, pawn / 8 * 8 + random_below(source, 8) - forward * random_below(source, 3), us, 'K');
    }
    put_kings(source, board);
    scatter(source, board, 2 + random_below(source, 12), "QRRBBNP");
    board->pieces[pawn + forward] = '.';
    board->pieces[pawn + 2 * forward] = '.';
    board->ep_square = pawn + forward;
}

/* Kings and rooks anywhere on the first and last ranks as in Chess960, with few other pieces there. */
static void set_up_castling(random_source *source, oracle_board *board) {
    for (int color = 0; color < 2; color++) {
        const int row = color == LUFT_WHITE ? 56 : 0;
        const int king_file = 1 + random_below(source, 6);
        const int rooks[2] = {king_file + 1 + random_below(source, 7 - king_file), random_below(source, king_file)};
        put(board, row + king_file, (luft_color)color, 'K');
        for (int wing = 0; wing < 2; wing++) {
            put(board, row + rooks[wing], (luft_color)color, 'R');
            if (random_below(source, 5) > 0) {
                board->castling_rook[color][wing] = row + rooks[wing];
            }
        }
        if (random_below(source, 3) == 0) {
            put(board, row + random_below(source, 8), (luft_color)random_below(source, 2),
                "NBRQ"[random_below(source, 4)]);
        }
    }
    for (int i = 2 + random_below(source, 14); i > 0; i--) {
        const luft_color color = (luft_color)random_below(source, 2);
        put(board, 8 + random_below(source, 48), color, "PPPNBRQ"[random_below(source, 7)]);
    }
}

static void set_up_anything(random_source *source, oracle_board *board) {
    put_kings(source, board);
    scatter(source, board, random_below(source, 40), "PPPPNNBBRRQ");
}

/* Removes the pieces that attack the king of the side not to move; false if a king attacks it. */
static bool remove_king_attackers(oracle_board *board) {
    const int king = oracle_king(board, luft_opposite(board->side));
    for (int square = 0; square < 64; square++) {
        if (oracle_is_color(board->pieces[square], board->side) && oracle_attacks(board, square, king)) {
            if (toupper((unsigned char)board->pieces[square]) == 'K') {
                return false;
            }
            board->pieces[square] = '.';
            square = -1; /* the removal may have opened a line */
        }
    }
    return true;
}

/* Drops castling rights whose rook was removed, and an en passant square whose pawn was. */
static void drop_lost_rights(oracle_board *board) {
    for (int color = 0; color < 2; color++) {
        for (int wing = 0; wing < 2; wing++) {
            int *rook = &board->castling_rook[color][wing];
            if (*rook != ORACLE_NONE && board->pieces[*rook] != for_color((luft_color)color, 'R')) {
                *rook = ORACLE_NONE;
            }
        }
    }
    const int behind = board->side == LUFT_WHITE ? 8 : -8;
    if (board->ep_square != ORACLE_NONE &&
        board->pieces[board->ep_square + behind] != for_color(luft_opposite(board->side), 'P')) {
        board->ep_square = ORACLE_NONE;
    }
}

luft_position fantastic_position(uint64_t seed) {
    static void (*const set_ups[])(random_source *, oracle_board *) = {
        set_up_queens, set_up_pins, set_up_promotions, set_up_en_passant, set_up_castling, set_up_anything,
    };
    const size_t kinds = sizeof set_ups / sizeof set_ups[0];
    random_source source = {seed * UINT64_C(0x2545f4914f6cdd1d) + 1};
    for (;;) {
        oracle_board board = oracle_empty();
        board.side = (luft_color)random_below(&source, 2);
        board.halfmove_clock = random_below(&source, 120);
        board.fullmove_number = 1 + random_below(&source, 300);
        set_ups[seed % kinds](&source, &board);
        if (oracle_king(&board, LUFT_WHITE) == ORACLE_NONE || oracle_king(&board, LUFT_BLACK) == ORACLE_NONE ||
            !remove_king_attackers(&board)) {
            continue;
        }
        drop_lost_rights(&board);
        char fen[LUFT_FEN_SIZE];
        oracle_to_fen(fen, &board);
        const luft_position position = position_from(fen);
        require_equal(luft_position_status(&position), LUFT_STATUS_VALID, &position, "status");
        return position;
    }
}

void visit_fantastic_positions(int count, position_visitor visit, void *payload) {
    for (int i = 0; i < count; i++) {
        const luft_position position = fantastic_position((uint64_t)i);
        visit(&position, payload);
    }
}

void visit_random_positions(int rounds, position_visitor visit, void *payload) {
    visit_random_games(rounds, visit, payload);
    visit_fantastic_positions(40 * rounds, visit, payload);
}
