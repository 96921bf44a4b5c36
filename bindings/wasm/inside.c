/* SPDX-License-Identifier: MIT */
/*
 * What a move generator works with, for people who want to see it: the sets of squares of a position, the lookup of a
 * sliding piece's attacks step by step, what a move changes in the keys, and perft by moves. Everything comes from the
 * library; nothing is computed here.
 */
#include "rules.h"

#include "util/setup.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>

/* A set of squares or a key. */
static void put_bits(json *out, const char *name, uint64_t bits) {
    char text[2 + 16 + 1];
    snprintf(text, sizeof text, "0x%016" PRIx64, bits);
    json_member(out, name, text);
}

static void put_square_name(json *out, const char *name, luft_square square) {
    const char text[2] = {luft_file_letter(square), luft_rank_digit(square)};
    json_key(out, name);
    json_bytes(out, text, 2);
}

/* The eight words of the board, in the order of luft_board. */
static void put_words(json *out, const luft_board *board) {
    json_open(out, '{');
    put_bits(out, "pawns", board->pawns);
    put_bits(out, "knights", board->knights);
    put_bits(out, "diagonal", board->diagonal);
    put_bits(out, "orthogonal", board->orthogonal);
    put_bits(out, "kings", board->kings);
    put_bits(out, "white", board->color[LUFT_WHITE]);
    put_bits(out, "black", board->color[LUFT_BLACK]);
    put_bits(out, "castling", board->castling);
    json_close(out, '}');
}

/* A plane as a number in its own order, and the squares it stands for. */
static void put_plane(json *out, const char *name, luft_plane plane, luft_color us) {
    json_key(out, name);
    json_open(out, '{');
    put_bits(out, "plane", plane);
    put_bits(out, "squares", luft_plane_to_bitboard(plane, us));
    json_close(out, '}');
}

static void put_planes(json *out, const luft_position *position) {
    const luft_color us = (luft_color)position->side_to_move;
    luft_position_planes planes;
    if (luft_position_to_planes(&planes, position) != LUFT_OK) {
        json_null(out);
        return;
    }
    json_open(out, '{');
    put_plane(out, "bit0", planes.board.types.bit[0], us);
    put_plane(out, "bit1", planes.board.types.bit[1], us);
    put_plane(out, "bit2", planes.board.types.bit[2], us);
    put_plane(out, "us", planes.board.us, us);
    put_plane(out, "them", planes.board.them, us);
    json_close(out, '}');
}

static void put_keys(json *out, const char *name, const luft_position *position) {
    const luft_key_pair pair = luft_keys(position);
    json_key(out, name);
    json_open(out, '{');
    put_bits(out, "own", pair.own);
    put_bits(out, "other", pair.other);
    put_bits(out, "pawns", position->pawn_key);
    json_close(out, '}');
}

/* The squares to which a piece may go; all pieces of the side to move for LUFT_NO_SQUARE. */
static luft_bitboard legal_targets(const luft_position *position, luft_square from) {
    luft_move_list list;
    luft_bitboard targets = 0;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        if (from == LUFT_NO_SQUARE || luft_move_from(list.moves[i]) == from) {
            targets |= luft_bit(setup_landing_square(list.moves[i]));
        }
    }
    return targets;
}

size_t web_inside(size_t fen_length) {
    luft_position position;
    luft_king_constraints king;
    if (!web_read_fen(&position, fen_length)) {
        return web_answer_length();
    }
    const luft_board *board = &position.board;
    if (luft_compute_king_constraints(&king, board, (luft_color)position.side_to_move) != LUFT_OK) {
        return web_refuse("the position has no king");
    }
    json *out = web_json();
    json_open(out, '{');
    put_bits(out, "occupied", luft_occupied(board));
    json_key(out, "words");
    put_words(out, board);
    json_key(out, "planes");
    put_planes(out, &position);
    put_bits(out, "kingAttackMap", luft_king_attack_map(&position));
    put_bits(out, "checkers", king.checkers);
    put_bits(out, "checkMask", king.check_mask);
    put_bits(out, "pinOrthogonal", king.pin_orthogonal);
    put_bits(out, "pinDiagonal", king.pin_diagonal);
    put_bits(out, "pinned", king.pinned);
    put_bits(out, "reachOwn", luft_king_reach(board, (luft_color)position.side_to_move));
    put_bits(out, "reachOther", luft_king_reach(board, luft_opposite((luft_color)position.side_to_move)));
    put_bits(out, "legalTargets", legal_targets(&position, LUFT_NO_SQUARE));
    put_keys(out, "keys", &position);
    json_close(out, '}');
    return web_answer_length();
}

/* --- A square ----------------------------------------------------------------------------------- */

/* The lookup of a rook's or bishop's attacks, step by step. */
static void put_lookup(json *out, const char *slider, const luft_magic *magic, luft_bitboard occupied) {
    const luft_bitboard blockers = occupied & magic->mask;
    const uint64_t product = blockers * magic->magic;
    json_open(out, '{');
    json_member(out, "slider", slider);
    put_bits(out, "mask", magic->mask);
    put_bits(out, "blockers", blockers);
    put_bits(out, "magic", magic->magic);
    put_bits(out, "product", product);
    json_count(out, "shift", magic->shift);
    json_count(out, "index", product >> magic->shift);
    json_count(out, "offset", magic->offset);
    put_bits(out, "attacks", luft_magic_table[magic->offset + (product >> magic->shift)]);
    json_close(out, '}');
}

size_t web_inside_square(size_t fen_length, int number) {
    luft_position position;
    luft_king_constraints king;
    if (number < 0 || number > 63) {
        return web_refuse("expected a square from 0 to 63");
    }
    if (!web_read_fen(&position, fen_length)) {
        return web_answer_length();
    }
    const luft_square square = (luft_square)number;
    const luft_board *board = &position.board;
    const luft_bitboard occupied = luft_occupied(board);
    const luft_piece piece = luft_piece_at(board, square);
    const luft_color color = piece == LUFT_NO_PIECE ? (luft_color)position.side_to_move : luft_piece_color(piece);
    const luft_piece_type type = piece == LUFT_NO_PIECE ? LUFT_NO_PIECE_TYPE : luft_piece_type_of(piece);
    if (luft_compute_king_constraints(&king, board, color) != LUFT_OK) {
        return web_refuse("the position has no king");
    }
    json *out = web_json();
    json_open(out, '{');
    put_square_name(out, "square", square);
    put_bits(out, "attacks", luft_attacks(color, type, square, occupied));
    put_bits(out, "attackers", luft_attackers_to(board, square, occupied));
    put_bits(out, "pinRay", luft_pin_ray(&king, square));
    put_bits(out, "legalTargets", legal_targets(&position, square));
    json_key(out, "lookups");
    json_open(out, '[');
    if (type == LUFT_ROOK || type == LUFT_QUEEN) {
        put_lookup(out, "rook", &luft_rook_magics[square], occupied);
    }
    if (type == LUFT_BISHOP || type == LUFT_QUEEN) {
        put_lookup(out, "bishop", &luft_bishop_magics[square], occupied);
    }
    json_close(out, ']');
    json_close(out, '}');
    return web_answer_length();
}

/* --- A move, and counting -------------------------------------------------------------------------- */

size_t web_inside_move(size_t fen_length, size_t move_length) {
    luft_position before, after;
    luft_move move;
    if (!web_read_fen(&before, fen_length)) {
        return web_answer_length();
    }
    const char *text = web_input() + fen_length;
    text_trim(&text, &move_length);
    const luft_error error = setup_read_move(&move, &before, text, move_length);
    if (error != LUFT_OK) {
        web_refuse_move(text, move_length, error);
        return web_answer_length();
    }
    luft_make(&after, &before, move);
    const luft_key_pair was = luft_keys(&before), is = luft_keys(&after);
    luft_board changed;
    for (size_t i = 0; i < sizeof changed / sizeof(luft_bitboard); i++) {
        ((luft_bitboard *)&changed)[i] =
            ((const luft_bitboard *)&before.board)[i] ^ ((const luft_bitboard *)&after.board)[i];
    }
    json *out = web_json();
    json_open(out, '{');
    json_key(out, "changed");
    put_words(out, &changed);
    put_keys(out, "before", &before);
    put_keys(out, "after", &after);
    put_bits(out, "otherToOwn", was.other ^ is.own);
    put_bits(out, "ownToOther", was.own ^ is.other);
    json_close(out, '}');
    return web_answer_length();
}

size_t web_perft_divide(size_t fen_length, int depth, bool chess960) {
    luft_position position;
    if (depth < 1 || depth > 8) {
        return web_refuse("expected a depth from 1 to 8");
    }
    if (!web_read_fen(&position, fen_length)) {
        return web_answer_length();
    }
    luft_move_list list;
    uint64_t total = 0;
    luft_generate(&list, &position, LUFT_ALL_MOVES);
    json *out = web_json();
    json_open(out, '{');
    json_key(out, "moves");
    json_open(out, '[');
    for (int i = 0; i < list.count; i++) {
        char uci[LUFT_UCI_MOVE_SIZE], san[LUFT_SAN_SIZE];
        luft_position after;
        luft_make(&after, &position, list.moves[i]);
        const uint64_t nodes = depth > 1 ? luft_perft(&after, depth - 1, LUFT_PERFT_TWO_PLY) : 1;
        luft_move_to_uci(uci, sizeof uci, list.moves[i], chess960 ? LUFT_CASTLING_CHESS960 : LUFT_CASTLING_STANDARD);
        luft_move_to_san(san, sizeof san, &position, list.moves[i]);
        total += nodes;
        json_open(out, '{');
        json_member(out, "uci", uci);
        json_member(out, "san", san);
        json_count(out, "nodes", nodes);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_count(out, "total", total);
    json_close(out, '}');
    return web_answer_length();
}
