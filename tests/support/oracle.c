/* SPDX-License-Identifier: MIT */
/*
 * The board of the oracle: attacks by stepping, moves made on a mailbox board, and legal
 * moves by trying each one. The code follows the laws of chess and is not meant to be
 * fast.
 */
#include "support/oracle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct step {
    int east;
    int south;
} step;

static const step knight_steps[8] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
/* The four steps of the rook, then the four of the bishop. */
static const step line_steps[8] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

/* The square one step further, or ORACLE_NONE beyond the edge. */
static int stepped(int square, step by) {
    const int file = square % 8 + by.east;
    const int row = square / 8 + by.south;
    return file >= 0 && file < 8 && row >= 0 && row < 8 ? row * 8 + file : ORACLE_NONE;
}

/* The rows grow to the south, so White's pawns move by -1. */
static int pawn_direction(luft_color color) {
    return color == LUFT_WHITE ? -1 : 1;
}

bool oracle_is_color(char letter, luft_color color) {
    return color == LUFT_WHITE ? isupper((unsigned char)letter) != 0 : islower((unsigned char)letter) != 0;
}

static char letter_of(luft_color color, char upper_case_letter) {
    return color == LUFT_WHITE ? upper_case_letter : (char)tolower((unsigned char)upper_case_letter);
}

oracle_board oracle_empty(void) {
    oracle_board board = {.side = LUFT_WHITE, .ep_square = ORACLE_NONE, .fullmove_number = 1};
    memset(board.pieces, '.', sizeof board.pieces);
    for (int color = 0; color < 2; color++) {
        for (int wing = 0; wing < 2; wing++) {
            board.castling_rook[color][wing] = ORACLE_NONE;
        }
    }
    return board;
}

/* --- Attacks ------------------------------------------------------------ */

/* The steps of a slider: a range of line_steps. */
static void line_range(char upper_case_letter, int *first, int *end) {
    *first = upper_case_letter == 'B' ? 4 : 0;
    *end = upper_case_letter == 'R' ? 4 : 8;
}

static bool slides_to(const oracle_board *board, int from, int to, step by) {
    for (int square = stepped(from, by); square != ORACLE_NONE; square = stepped(square, by)) {
        if (square == to) {
            return true;
        }
        if (board->pieces[square] != '.') {
            return false;
        }
    }
    return false;
}

bool oracle_attacks(const oracle_board *board, int from, int to) {
    const char letter = board->pieces[from];
    const char type = (char)toupper((unsigned char)letter);
    if (letter == '.' || from == to) {
        return false;
    }
    const int east = abs(to % 8 - from % 8);
    const int south = to / 8 - from / 8;
    int first = 0;
    int end = 0;
    switch (type) {
    case 'P':
        return east == 1 && south == pawn_direction(oracle_is_color(letter, LUFT_WHITE) ? LUFT_WHITE : LUFT_BLACK);
    case 'N': return east * abs(south) == 2;
    case 'K': return east <= 1 && abs(south) <= 1;
    default: line_range(type, &first, &end); break;
    }
    for (int i = first; i < end; i++) {
        if (slides_to(board, from, to, line_steps[i])) {
            return true;
        }
    }
    return false;
}

uint64_t oracle_attackers(const oracle_board *board, int square, luft_color by) {
    uint64_t attackers = 0;
    for (int from = 0; from < 64; from++) {
        if (oracle_is_color(board->pieces[from], by) && oracle_attacks(board, from, square)) {
            attackers |= UINT64_C(1) << from;
        }
    }
    return attackers;
}

int oracle_king(const oracle_board *board, luft_color color) {
    const char *king = memchr(board->pieces, letter_of(color, 'K'), sizeof board->pieces);
    return king != NULL ? (int)(king - board->pieces) : ORACLE_NONE;
}

bool oracle_in_check(const oracle_board *board, luft_color color) {
    const int king = oracle_king(board, color);
    return king != ORACLE_NONE && oracle_attackers(board, king, luft_opposite(color)) != 0;
}

/* --- Making a move ------------------------------------------------------ */

static int castled_king_square(luft_color color, int wing) {
    return (color == LUFT_WHITE ? 56 : 0) + (wing == ORACLE_KING_SIDE ? 6 : 2);
}

static int castled_rook_square(luft_color color, int wing) {
    return (color == LUFT_WHITE ? 56 : 0) + (wing == ORACLE_KING_SIDE ? 5 : 3);
}

static void castle(oracle_board *board, int king, int rook) {
    const luft_color us = board->side;
    const int wing = rook > king ? ORACLE_KING_SIDE : ORACLE_QUEEN_SIDE;
    board->pieces[king] = '.';
    board->pieces[rook] = '.';
    board->pieces[castled_king_square(us, wing)] = letter_of(us, 'K');
    board->pieces[castled_rook_square(us, wing)] = letter_of(us, 'R');
}

/* A right is lost when its king moves and when its rook moves or is captured. */
static void lose_rights(oracle_board *board, int from, int to, bool king_moves) {
    for (int color = 0; color < 2; color++) {
        for (int wing = 0; wing < 2; wing++) {
            int *rook = &board->castling_rook[color][wing];
            if (*rook == from || *rook == to || (king_moves && color == (int)board->side)) {
                *rook = ORACLE_NONE;
            }
        }
    }
}

static int capped(int counter) {
    return counter > LUFT_COUNTER_MAX ? LUFT_COUNTER_MAX : counter;
}

oracle_board oracle_make(const oracle_board *board, luft_move move) {
    static const char promotions[] = "NBRQ";
    const int from = move & 63;
    const int to = move >> 6 & 63;
    const int kind = move >> 12;
    const luft_color us = board->side;
    const char letter = board->pieces[from];
    const bool is_pawn = toupper((unsigned char)letter) == 'P';
    oracle_board next = *board;

    next.halfmove_clock = is_pawn || (kind & 4) != 0 ? 0 : capped(board->halfmove_clock + 1);
    next.fullmove_number = capped(board->fullmove_number + (us == LUFT_BLACK));
    next.ep_square = kind == LUFT_DOUBLE_PUSH ? (from + to) / 2 : ORACLE_NONE;
    lose_rights(&next, from, to, from == oracle_king(board, us));
    if (kind == LUFT_CASTLING) {
        castle(&next, from, to);
    } else {
        next.pieces[from] = '.';
        next.pieces[to] = kind >= 8 ? letter_of(us, promotions[kind & 3]) : letter;
        if (kind == LUFT_EN_PASSANT) {
            next.pieces[to - 8 * pawn_direction(us)] = '.';
        }
    }
    next.side = luft_opposite(us);
    return next;
}

/* --- The legal moves ---------------------------------------------------- */

/* Adds a move if it leaves the king of the side to move safe. */
static void try_move(oracle_moves *list, const oracle_board *board, int from, int to, int kind) {
    const luft_move move = (luft_move)(from | to << 6 | kind << 12);
    const oracle_board next = oracle_make(board, move);
    if (!oracle_in_check(&next, board->side) && list->count < ORACLE_MAX_MOVES) {
        list->moves[list->count++] = move;
    }
}

static void try_pawn_arrival(oracle_moves *list, const oracle_board *board, int from, int to, int kind) {
    if (to / 8 != 0 && to / 8 != 7) {
        try_move(list, board, from, to, kind);
        return;
    }
    for (int piece = 0; piece < 4; piece++) {
        try_move(list, board, from, to, kind + LUFT_PROMOTE_KNIGHT + piece);
    }
}

static void pawn_moves(oracle_moves *list, const oracle_board *board, int from) {
    const int direction = pawn_direction(board->side);
    const int home_row = board->side == LUFT_WHITE ? 6 : 1;
    const int ahead = stepped(from, (step){0, direction});
    if (ahead != ORACLE_NONE && board->pieces[ahead] == '.') {
        try_pawn_arrival(list, board, from, ahead, LUFT_QUIET);
        const int two_ahead = stepped(ahead, (step){0, direction});
        if (from / 8 == home_row && board->pieces[two_ahead] == '.') {
            try_move(list, board, from, two_ahead, LUFT_DOUBLE_PUSH);
        }
    }
    for (int east = -1; east <= 1; east += 2) {
        const int to = stepped(from, (step){east, direction});
        if (to == ORACLE_NONE) {
            continue;
        }
        if (oracle_is_color(board->pieces[to], luft_opposite(board->side))) {
            try_pawn_arrival(list, board, from, to, LUFT_CAPTURE);
        } else if (to == board->ep_square) {
            try_move(list, board, from, to, LUFT_EN_PASSANT);
        }
    }
}

static void piece_moves(oracle_moves *list, const oracle_board *board, int from) {
    const char type = (char)toupper((unsigned char)board->pieces[from]);
    const step *steps = type == 'N' ? knight_steps : line_steps;
    const bool one_step = type == 'N' || type == 'K';
    int first = 0;
    int end = 8;
    if (!one_step) {
        line_range(type, &first, &end);
    }
    for (int i = first; i < end; i++) {
        for (int to = stepped(from, steps[i]); to != ORACLE_NONE; to = stepped(to, steps[i])) {
            if (oracle_is_color(board->pieces[to], board->side)) {
                break;
            }
            try_move(list, board, from, to, board->pieces[to] == '.' ? LUFT_QUIET : LUFT_CAPTURE);
            if (board->pieces[to] != '.' || one_step) {
                break;
            }
        }
    }
}

/* True if the squares from one to the other, both included, are empty except for the king and the rook. */
static bool path_is_clear(const oracle_board *board, int from, int to, int king, int rook) {
    for (int square = from < to ? from : to; square <= (from < to ? to : from); square++) {
        if (board->pieces[square] != '.' && square != king && square != rook) {
            return false;
        }
    }
    return true;
}

/* True if the king stands on, crosses or reaches an attacked square. */
static bool path_is_attacked(const oracle_board *board, int from, int to) {
    for (int square = from < to ? from : to; square <= (from < to ? to : from); square++) {
        if (oracle_attackers(board, square, luft_opposite(board->side)) != 0) {
            return true;
        }
    }
    return false;
}

static void castling_moves(oracle_moves *list, const oracle_board *board) {
    const int king = oracle_king(board, board->side);
    for (int wing = 0; wing < 2; wing++) {
        const int rook = board->castling_rook[board->side][wing];
        if (rook == ORACLE_NONE) {
            continue;
        }
        const int king_to = castled_king_square(board->side, wing);
        const int rook_to = castled_rook_square(board->side, wing);
        if (path_is_clear(board, king, king_to, king, rook) && path_is_clear(board, rook, rook_to, king, rook) &&
            !path_is_attacked(board, king, king_to)) {
            try_move(list, board, king, rook, LUFT_CASTLING);
        }
    }
}

static int compare_moves(const void *a, const void *b) {
    return (int)*(const luft_move *)a - (int)*(const luft_move *)b;
}

void oracle_generate(oracle_moves *list, const oracle_board *board) {
    list->count = 0;
    for (int from = 0; from < 64; from++) {
        if (!oracle_is_color(board->pieces[from], board->side)) {
            continue;
        }
        if (toupper((unsigned char)board->pieces[from]) == 'P') {
            pawn_moves(list, board, from);
        } else {
            piece_moves(list, board, from);
        }
    }
    castling_moves(list, board);
    qsort(list->moves, (size_t)list->count, sizeof list->moves[0], compare_moves);
}
