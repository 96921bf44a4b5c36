/* SPDX-License-Identifier: MIT */
/*
 * Positions as values: start positions, equality, the colour-flipped position, computing keys,
 * validity, and queries. FEN is in fen.c,
 * planes and bytes are in planes.c and compact.c, moves in movegen.c and make.c.
 */
#include <string.h>

#include "core/rules.h"
#include "core/zobrist.h"
#include "luft/position.h"

_Static_assert(sizeof(luft_board) == 64, "a board is one cache line");
_Static_assert(sizeof(luft_position) == 96, "a position is a line and a half");

luft_piece luft_piece_at(const luft_board *board, luft_square square) {
    if (!board || (unsigned)square >= 64) {
        return LUFT_NO_PIECE;
    }
    const luft_bitboard bit = luft_bit(square);
    if (!(luft_occupied(board) & bit)) {
        return LUFT_NO_PIECE;
    }
    luft_piece_type type = LUFT_KING;
    if (board->pawns & bit) {
        type = LUFT_PAWN;
    } else if (board->knights & bit) {
        type = LUFT_KNIGHT;
    } else if (board->diagonal & bit) {
        type = board->orthogonal & bit ? LUFT_QUEEN : LUFT_BISHOP;
    } else if (board->orthogonal & bit) {
        type = LUFT_ROOK;
    }
    return luft_make_piece(board->color[LUFT_BLACK] & bit ? LUFT_BLACK : LUFT_WHITE, type);
}

/* --- Where games start -------------------------------------------------- */

/* Both sides with these pieces on the home ranks, from the a-file on, pawns before them and all rights. */
static luft_position position_with_pieces(const luft_piece_type pieces[8]) {
    luft_position position = {.fullmove_number = 1, .ep_square = LUFT_NO_SQUARE};
    luft_board *board = &position.board;
    for (int file = 0; file < 8; file++) {
        const luft_bitboard both = LUFT_FILE_A << file & (LUFT_RANK_1 | LUFT_RANK_8);
        put_type(board, pieces[file], both);
    }
    board->pawns = LUFT_RANK_8 << 8 | LUFT_RANK_1 >> 8;
    board->color[LUFT_WHITE] = LUFT_RANK_1 | LUFT_RANK_1 >> 8;
    board->color[LUFT_BLACK] = LUFT_RANK_8 | LUFT_RANK_8 << 8;
    board->castling = luft_rooks(board);
    luft_position_compute_keys(&position);
    return position;
}

luft_position luft_start_position(void) {
    static const luft_piece_type pieces[8] = {LUFT_ROOK, LUFT_KNIGHT, LUFT_BISHOP, LUFT_QUEEN,
                                              LUFT_KING, LUFT_BISHOP, LUFT_KNIGHT, LUFT_ROOK};
    return position_with_pieces(pieces);
}

/* Puts a piece on the n-th square from the a-file that is still empty. */
static void put_on_nth_empty(luft_piece_type pieces[8], int n, luft_piece_type piece) {
    for (int file = 0; file < 8; file++) {
        if (pieces[file] == LUFT_NO_PIECE_TYPE && n-- == 0) {
            pieces[file] = piece;
            return;
        }
    }
}

/*
 * Scharnagl's numbering: bishop on b d f h, bishop on a c e g, queen on one of the
 * six squares left, knights on two of the five left in one of ten ways; rook,
 * king, rook on the rest.
 */
luft_error luft_chess960_position(luft_position *position, int number) {
    static const uint8_t knights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                           {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    if (!position || number < 0 || number > 959) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_piece_type pieces[8] = {LUFT_NO_PIECE_TYPE};
    pieces[number % 4 * 2 + 1] = LUFT_BISHOP;
    pieces[number / 4 % 4 * 2] = LUFT_BISHOP;
    put_on_nth_empty(pieces, number / 16 % 6, LUFT_QUEEN);
    /* The second knight first: the first one's place lies before it and stays where it was counted. */
    put_on_nth_empty(pieces, knights[number / 96][1], LUFT_KNIGHT);
    put_on_nth_empty(pieces, knights[number / 96][0], LUFT_KNIGHT);
    put_on_nth_empty(pieces, 0, LUFT_ROOK);
    put_on_nth_empty(pieces, 0, LUFT_KING);
    put_on_nth_empty(pieces, 0, LUFT_ROOK);
    *position = position_with_pieces(pieces);
    return LUFT_OK;
}

/* --- Values ------------------------------------------------------------- */

bool luft_position_equal(const luft_position *a, const luft_position *b) {
    return a && b && memcmp(a, b, sizeof *a) == 0;
}

luft_error luft_position_flip(luft_position *flipped, const luft_position *position) {
    if (!flipped || !position) {
        return LUFT_ERROR_ARGUMENT;
    }
    const luft_board *board = &position->board;
    luft_position result = *position;
    result.board = (luft_board){
        .pawns = luft_bitboard_flip(board->pawns),
        .knights = luft_bitboard_flip(board->knights),
        .diagonal = luft_bitboard_flip(board->diagonal),
        .orthogonal = luft_bitboard_flip(board->orthogonal),
        .kings = luft_bitboard_flip(board->kings),
        .color = {luft_bitboard_flip(board->color[LUFT_BLACK]), luft_bitboard_flip(board->color[LUFT_WHITE])},
        .castling = luft_bitboard_flip(board->castling),
    };
    result.side_to_move ^= 1;
    if (result.ep_square < LUFT_NO_SQUARE) {
        result.ep_square = (uint8_t)luft_square_flip((luft_square)result.ep_square);
    }
    luft_position_compute_keys(&result);
    *flipped = result;
    return LUFT_OK;
}

luft_error luft_position_compute_keys(luft_position *position) {
    if (!position) {
        return LUFT_ERROR_ARGUMENT;
    }
    uint64_t key[2] = {0, 0}, pawn_key = 0;
    for (luft_bitboard pieces = luft_occupied(&position->board); pieces;) {
        const luft_square square = luft_pop(&pieces);
        const luft_piece piece = luft_piece_at(&position->board, square);
        const luft_piece_type type = luft_piece_type_of(piece);
        const zobrist_pair *pair = &luft_zobrist_piece[luft_piece_color(piece)][type][square];
        key[0] ^= pair->key[0];
        key[1] ^= pair->key[1];
        pawn_key ^= type == LUFT_PAWN ? pair->key[LUFT_WHITE] : 0;
    }
    for (luft_bitboard rooks = position->board.castling; rooks;) {
        const zobrist_pair *pair = &luft_zobrist_castling[luft_pop(&rooks)];
        key[0] ^= pair->key[0];
        key[1] ^= pair->key[1];
    }
    if (position->ep_square < LUFT_NO_SQUARE) {
        const uint64_t ep_key = luft_zobrist_ep_file[luft_file_of((luft_square)position->ep_square)];
        key[0] ^= ep_key;
        key[1] ^= ep_key;
    }
    position->key[0] = key[0];
    position->key[1] = key[1];
    position->pawn_key = pawn_key;
    return LUFT_OK;
}

/* --- Validity ----------------------------------------------------------- */

/* The words agree on every square: empty, or one piece of one colour and one type. */
static bool board_is_consistent(const luft_board *board) {
    const luft_bitboard sliders = board->diagonal | board->orthogonal;
    const luft_bitboard types = board->pawns | board->knights | sliders | board->kings;
    const bool one_type = !(board->pawns & (board->knights | sliders | board->kings)) &&
                          !(board->knights & (sliders | board->kings)) && !(sliders & board->kings);
    return one_type && !(board->color[0] & board->color[1]) && types == luft_occupied(board);
}

static unsigned status_of_pieces(const luft_board *board) {
    unsigned status = 0;
    for (int color = 0; color < 2; color++) {
        const luft_bitboard pieces = board->color[color];
        const int kings = luft_popcount(board->kings & pieces);
        status |= kings < 1 ? LUFT_STATUS_NO_WHITE_KING << color : 0;
        status |= kings > 1 ? LUFT_STATUS_TOO_MANY_WHITE_KINGS << color : 0;
        status |= luft_popcount(board->pawns & pieces) > 8 ? LUFT_STATUS_TOO_MANY_WHITE_PAWNS << color : 0;
        status |= luft_popcount(pieces) > 16 ? LUFT_STATUS_TOO_MANY_WHITE_PIECES << color : 0;
    }
    status |= board->pawns & (LUFT_RANK_1 | LUFT_RANK_8) ? LUFT_STATUS_PAWN_ON_BACK_RANK : 0;
    return status;
}

/* A side's rights: rooks on its home rank, its king there too and off the corners, at most one rook on each side. */
static bool castling_is_valid(const luft_board *board, luft_color color) {
    const luft_bitboard home = home_rank(color), rooks = board->castling & home;
    const luft_bitboard king = board->kings & board->color[color];
    if (!rooks) {
        return true;
    }
    return !(rooks & ~(luft_rooks(board) & board->color[color])) && king & home & ~(LUFT_FILE_A | LUFT_FILE_H) &&
           !luft_more_than_one(rooks & (king - 1)) && !luft_more_than_one(rooks & ~(king - 1));
}

/* An en passant square is kept only where the double push could have been and some capture is legal. */
static bool en_passant_is_valid(const luft_position *position) {
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move, them = luft_opposite(us);
    if (position->ep_square == LUFT_NO_SQUARE) {
        return true;
    }
    if (position->ep_square > LUFT_NO_SQUARE) {
        return false;
    }
    const luft_bitboard ep = luft_bit((luft_square)position->ep_square);
    return double_push_is_possible(board, them, ep) && en_passant_pawns(board, us, luft_king_square(board, us), ep);
}

unsigned luft_position_status(const luft_position *position) {
    if (!position || !board_is_consistent(&position->board)) {
        return LUFT_STATUS_INCONSISTENT_BOARD;
    }
    const luft_board *board = &position->board;
    unsigned status = status_of_pieces(board);
    const unsigned king_faults = LUFT_STATUS_NO_WHITE_KING | LUFT_STATUS_NO_BLACK_KING |
                                 LUFT_STATUS_TOO_MANY_WHITE_KINGS | LUFT_STATUS_TOO_MANY_BLACK_KINGS;
    if (position->side_to_move > LUFT_BLACK) {
        status |= LUFT_STATUS_BAD_SIDE;
    }
    if (position->fullmove_number < 1 || position->unused[0] || position->unused[1]) {
        status |= LUFT_STATUS_BAD_COUNTER;
    }
    /* The rest needs one king each, and a side to move. */
    if (!(status & (king_faults | LUFT_STATUS_BAD_SIDE))) {
        const luft_color us = (luft_color)position->side_to_move, them = luft_opposite(us);
        if (luft_is_attacked(board, luft_king_square(board, them), us)) {
            status |= LUFT_STATUS_OPPONENT_IN_CHECK;
        }
        if (board->castling & ~(LUFT_RANK_1 | LUFT_RANK_8) || !castling_is_valid(board, LUFT_WHITE) ||
            !castling_is_valid(board, LUFT_BLACK)) {
            status |= LUFT_STATUS_BAD_CASTLING;
        }
        if (!en_passant_is_valid(position)) {
            status |= LUFT_STATUS_BAD_EN_PASSANT;
        }
        luft_position recomputed = *position;
        luft_position_compute_keys(&recomputed);
        if (memcmp(recomputed.key, position->key, sizeof position->key) != 0 ||
            recomputed.pawn_key != position->pawn_key) {
            status |= LUFT_STATUS_BAD_KEY;
        }
    }
    return status;
}

/* True if no double push over `ep` can have led to these checks. */
static bool double_push_cannot_check(const luft_board *board, luft_color them, luft_square king, luft_bitboard ep,
                                     luft_bitboard checkers) {
    const luft_bitboard pushed = forward(them, ep), origin = backward(them, ep);
    const luft_bitboard before = (luft_occupied(board) & ~pushed) | origin;
    /* The pawn cannot give check and open a line in one move: no line leads from its origin to that king. */
    return luft_more_than_one(checkers) || luft_attackers_to(board, king, before) & board->color[them] & ~pushed;
}

/* True if no single move can have led to these two checks. */
static bool is_impossible_double_check(const luft_board *board, luft_square king, luft_bitboard checkers) {
    const luft_square first = luft_lsb(checkers), second = luft_lsb(checkers & (checkers - 1));
    const bool on_one_line = luft_between(first, second) & luft_bit(king);
    return on_one_line || !(checkers & (board->orthogonal | board->diagonal));
}

unsigned luft_position_warnings(const luft_position *position) {
    if (luft_position_status(position) != LUFT_STATUS_VALID) {
        return 0;
    }
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move, them = luft_opposite(us);
    const luft_square king = luft_king_square(board, us);
    const luft_bitboard checkers = luft_checkers(position);
    unsigned warnings = 0;
    if (luft_popcount(checkers) > 2) {
        warnings |= LUFT_STATUS_TOO_MANY_CHECKERS;
    } else if (luft_more_than_one(checkers) && is_impossible_double_check(board, king, checkers)) {
        warnings |= LUFT_STATUS_IMPOSSIBLE_CHECK;
    }
    if (checkers && position->ep_square != LUFT_NO_SQUARE &&
        double_push_cannot_check(board, them, king, luft_bit((luft_square)position->ep_square), checkers)) {
        warnings |= LUFT_STATUS_IMPOSSIBLE_CHECK;
    }
    return warnings;
}

const char *luft_status_string(unsigned status) {
    switch ((luft_status)(status & (0 - status))) {
    case LUFT_STATUS_VALID: return "valid";
    case LUFT_STATUS_INCONSISTENT_BOARD: return "the words of the board contradict each other";
    case LUFT_STATUS_NO_WHITE_KING: return "White has no king";
    case LUFT_STATUS_NO_BLACK_KING: return "Black has no king";
    case LUFT_STATUS_TOO_MANY_WHITE_KINGS: return "White has more than one king";
    case LUFT_STATUS_TOO_MANY_BLACK_KINGS: return "Black has more than one king";
    case LUFT_STATUS_TOO_MANY_WHITE_PAWNS: return "White has more than 8 pawns";
    case LUFT_STATUS_TOO_MANY_BLACK_PAWNS: return "Black has more than 8 pawns";
    case LUFT_STATUS_TOO_MANY_WHITE_PIECES: return "White has more than 16 pieces";
    case LUFT_STATUS_TOO_MANY_BLACK_PIECES: return "Black has more than 16 pieces";
    case LUFT_STATUS_PAWN_ON_BACK_RANK: return "a pawn stands on the first or last rank";
    case LUFT_STATUS_OPPONENT_IN_CHECK: return "the side not to move is in check";
    case LUFT_STATUS_BAD_CASTLING: return "a castling right lacks its king or rook, or two are on one side of the king";
    case LUFT_STATUS_BAD_EN_PASSANT: return "no legal capture onto the en passant square";
    case LUFT_STATUS_BAD_SIDE: return "the side to move is not a colour";
    case LUFT_STATUS_BAD_COUNTER: return "a counter is out of range";
    case LUFT_STATUS_BAD_KEY: return "a key does not belong to the position";
    case LUFT_STATUS_TOO_MANY_CHECKERS: return "more than two pieces give check";
    case LUFT_STATUS_IMPOSSIBLE_CHECK: return "no move can have led to this check";
    }
    return "unknown fault";
}

/* --- Questions ---------------------------------------------------------- */

luft_bitboard luft_attackers_to(const luft_board *board, luft_square square, luft_bitboard occupied) {
    if (!board || (unsigned)square >= 64) {
        return 0;
    }
    const luft_bitboard pawns = (luft_pawn_attacks(LUFT_BLACK, square) & board->color[LUFT_WHITE]) |
                                (luft_pawn_attacks(LUFT_WHITE, square) & board->color[LUFT_BLACK]);
    return (pawns & board->pawns) | (luft_knight_attacks(square) & board->knights) |
           (luft_bishop_attacks(square, occupied) & board->diagonal) |
           (luft_rook_attacks(square, occupied) & board->orthogonal) | (luft_king_attacks(square) & board->kings);
}

bool luft_is_attacked(const luft_board *board, luft_square square, luft_color by) {
    if (!board || (unsigned)by > LUFT_BLACK) {
        return false;
    }
    return (luft_attackers_to(board, square, luft_occupied(board)) & board->color[by]) != 0;
}

/* A side's king, or LUFT_NO_SQUARE where it has none. */
static luft_square find_king(const luft_board *board, luft_color color) {
    if (!board || (unsigned)color > LUFT_BLACK || !(board->kings & board->color[color])) {
        return LUFT_NO_SQUARE;
    }
    return luft_king_square(board, color);
}

luft_bitboard luft_checkers(const luft_position *position) {
    if (!position) {
        return 0;
    }
    const luft_board *board = &position->board;
    const luft_square king = find_king(board, (luft_color)position->side_to_move);
    if (king == LUFT_NO_SQUARE) {
        return 0;
    }
    const luft_color us = (luft_color)position->side_to_move;
    const luft_bitboard enemy = board->color[luft_opposite(us)], occupied = luft_occupied(board);
    const luft_bitboard orthogonal = board->orthogonal & enemy, diagonal = board->diagonal & enemy;
    luft_bitboard checkers = ((luft_knight_attacks(king) & board->knights) |
                              (luft_pawn_attacks(us, king) & board->pawns) | (luft_king_attacks(king) & board->kings)) &
                             enemy;
    /* Most kings share no line with an enemy slider: testing the empty board first skips the lookups. */
    if (luft_rook_rays(king) & orthogonal) {
        checkers |= luft_rook_attacks(king, occupied) & orthogonal;
    }
    if (luft_bishop_rays(king) & diagonal) {
        checkers |= luft_bishop_attacks(king, occupied) & diagonal;
    }
    return checkers;
}

int luft_check_count(const luft_position *position) {
    return luft_popcount(luft_checkers(position));
}

luft_bitboard luft_king_attack_map(const luft_position *position) {
    luft_bitboard map = 0;
    for (luft_bitboard checkers = luft_checkers(position); checkers;) {
        map |=
            luft_between(luft_king_square(&position->board, (luft_color)position->side_to_move), luft_pop(&checkers));
    }
    return map;
}

luft_bitboard luft_king_reach(const luft_board *board, luft_color color) {
    const luft_square king = find_king(board, color);
    return king == LUFT_NO_SQUARE ? 0 : luft_queen_attacks(king, luft_occupied(board));
}

luft_bitboard luft_pinned(const luft_board *board, luft_color color) {
    luft_king_constraints constraints;
    return luft_compute_king_constraints(&constraints, board, color) == LUFT_OK ? constraints.pinned : 0;
}

/* --- Checks and pins ---------------------------------------------------- */

luft_error luft_compute_king_constraints(luft_king_constraints *constraints, const luft_board *board,
                                         luft_color color) {
    if (!constraints || !board || (unsigned)color > LUFT_BLACK) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (find_king(board, color) == LUFT_NO_SQUARE) {
        return LUFT_ERROR_POSITION;
    }
    const king_masks masks =
        color == LUFT_WHITE ? compute_king_constraints(board, LUFT_WHITE) : compute_king_constraints(board, LUFT_BLACK);
    *constraints = (luft_king_constraints){
        .king = masks.king,
        .checkers = masks.checkers,
        .check_count = luft_popcount(masks.checkers),
        .check_mask = masks.check_mask,
        .pin_orthogonal = masks.pin_orthogonal,
        .pin_diagonal = masks.pin_diagonal,
        .pinned = (masks.pin_orthogonal | masks.pin_diagonal) & board->color[color],
    };
    return LUFT_OK;
}

luft_bitboard luft_pin_ray(const luft_king_constraints *constraints, luft_square square) {
    if (!constraints || (unsigned)square >= 64 || (unsigned)constraints->king >= 64 ||
        !luft_bitboard_test(constraints->pinned, square)) {
        return 0;
    }
    /* Each direction from the king has at most one ray, so what the masks have in this direction is the ray. */
    const luft_square king = constraints->king;
    return (constraints->pin_orthogonal | constraints->pin_diagonal) &
           (luft_between(king, square) | luft_beyond(king, square));
}

luft_square luft_pinner(const luft_king_constraints *constraints, luft_square square) {
    const luft_bitboard ray = luft_pin_ray(constraints, square);
    for (luft_bitboard rest = ray; rest;) {
        const luft_square last = luft_pop(&rest);
        if (!(luft_beyond(constraints->king, last) & ray)) {
            return last;
        }
    }
    return LUFT_NO_SQUARE;
}
