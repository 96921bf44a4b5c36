/* SPDX-License-Identifier: MIT */
/* Themes are found on the board along the solution: what the moved piece attacks, pins and uncovers. */
#include "puzzle.h"

#include "thinking.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- What moves do ------------------------------------------------------------------------------- */

static luft_piece_type type_at(const luft_board *board, luft_square square) {
    return luft_piece_type_of(luft_piece_at(board, square));
}

static int value_of(luft_piece_type type) {
    static const int values[] = {0, 1, 3,  3,
                                 5, 9, 100}; /* by luft_piece_type: pawn, knight, bishop, rook, queen, king */
    switch (type) {
    case LUFT_PAWN: return values[1];
    case LUFT_KNIGHT: return values[2];
    case LUFT_BISHOP: return values[3];
    case LUFT_ROOK: return values[4];
    case LUFT_QUEEN: return values[5];
    case LUFT_KING: return values[6];
    default: return 0;
    }
}

static luft_bitboard occupied(const luft_board *board) {
    return board->color[LUFT_WHITE] | board->color[LUFT_BLACK];
}

/* Does the piece on `from` attack `target`? */
static bool attacks(const luft_board *board, luft_square from, luft_square target) {
    return (luft_attackers_to(board, target, occupied(board)) & luft_bit(from)) != 0;
}

/* A fork: the moved piece attacks two pieces that are worth more than it or not defended, and is not lost for less. */
static bool is_fork(const luft_position *after, luft_square moved) {
    const luft_board *board = &after->board;
    const luft_color us = luft_opposite((luft_color)after->side_to_move), them = luft_opposite(us);
    const int own = value_of(type_at(board, moved));
    int targets = 0;
    if (type_at(board, moved) == LUFT_KING ||
        (luft_is_attacked(board, moved, them) && !luft_is_attacked(board, moved, us))) {
        return false;
    }
    for (luft_bitboard left = board->color[them]; left;) {
        const luft_square square = luft_pop(&left);
        const luft_piece_type type = type_at(board, square);
        const bool matters = type != LUFT_PAWN && (value_of(type) > own || !luft_is_attacked(board, square, them));
        targets += matters && attacks(board, moved, square);
    }
    return targets >= 2;
}

/* How many of their pieces the king constraints call pinned by a piece on this square. */
static bool is_pin(const luft_position *after, luft_square moved) {
    const luft_board *board = &after->board;
    const luft_color them = (luft_color)after->side_to_move;
    luft_square king = LUFT_NO_SQUARE;
    for (luft_bitboard left = board->color[them]; left;) {
        const luft_square square = luft_pop(&left);
        king = type_at(board, square) == LUFT_KING ? square : king;
    }
    const luft_piece_type slider = type_at(board, moved);
    if (king == LUFT_NO_SQUARE || (slider != LUFT_BISHOP && slider != LUFT_ROOK && slider != LUFT_QUEEN)) {
        return false;
    }
    for (luft_bitboard left = board->color[them] & ~luft_bit(king); left;) {
        const luft_square square = luft_pop(&left);
        if (type_at(board, square) != LUFT_PAWN && attacks(board, moved, square) && !attacks(board, moved, king) &&
            (luft_attackers_to(board, king, occupied(board) & ~luft_bit(square)) & luft_bit(moved))) {
            return true;
        }
    }
    return false;
}

/* A skewer: a slider attacks a piece, which moves away, and captures the piece behind it, which is worth less. */
static bool is_skewer(const puzzle *it, const luft_position positions[], int at) {
    const luft_square slider = luft_move_to(it->moves[at]);
    if (at + 2 >= it->length || luft_move_from(it->moves[at + 2]) != slider) {
        return false;
    }
    const luft_board *board = &positions[at + 1].board;
    const luft_square front = luft_move_from(it->moves[at + 1]), behind = luft_move_to(it->moves[at + 2]);
    const luft_piece_type type = type_at(board, slider);
    return (type == LUFT_BISHOP || type == LUFT_ROOK || type == LUFT_QUEEN) && attacks(board, slider, front) &&
           !attacks(board, slider, behind) && luft_piece_at(board, behind) != LUFT_NO_PIECE &&
           value_of(type_at(board, front)) > value_of(type_at(board, behind)) &&
           (luft_attackers_to(board, behind, occupied(board) & ~luft_bit(front)) & luft_bit(slider));
}

/* Another slider attacks the king, a queen or a rook through the square that the moved piece has left. */
static bool is_discovered(const luft_position *before, const luft_position *after, luft_move move) {
    const luft_color us = (luft_color)before->side_to_move, them = luft_opposite(us);
    const luft_bitboard moved = luft_bit(luft_move_to(move)) | luft_bit(luft_move_from(move));
    for (luft_bitboard left = after->board.color[them]; left;) {
        const luft_square square = luft_pop(&left);
        const luft_piece_type type = type_at(&after->board, square);
        if (type != LUFT_KING && type != LUFT_QUEEN && type != LUFT_ROOK) {
            continue;
        }
        const luft_bitboard now =
            luft_attackers_to(&after->board, square, occupied(&after->board)) & after->board.color[us];
        const luft_bitboard was =
            luft_attackers_to(&before->board, square, occupied(&before->board)) & before->board.color[us];
        if (now & ~was & ~moved) {
            return true;
        }
    }
    return false;
}

/* The last position is mate, by a rook or queen along the back rank of the king. */
static bool is_back_rank_mate(const luft_position *last) {
    const luft_color them = (luft_color)last->side_to_move;
    for (luft_bitboard left = last->board.color[them]; left;) {
        const luft_square square = luft_pop(&left);
        if (type_at(&last->board, square) == LUFT_KING) {
            const luft_bitboard checkers = luft_attackers_to(&last->board, square, occupied(&last->board)) &
                                           last->board.color[luft_opposite(them)];
            const int rank = luft_rank_of(square);
            if (!checkers || rank != (them == LUFT_WHITE ? luft_rank_of(LUFT_E1) : luft_rank_of(LUFT_E8))) {
                return false;
            }
            const luft_square checker = luft_lsb(checkers);
            const luft_piece_type type = type_at(&last->board, checker);
            return luft_rank_of(checker) == rank && (type == LUFT_ROOK || type == LUFT_QUEEN);
        }
    }
    return false;
}

static int count_pieces(const luft_board *board) {
    int count = 0;
    for (luft_bitboard left = occupied(board); left;) {
        const luft_piece_type type = type_at(board, luft_pop(&left));
        count += type != LUFT_PAWN && type != LUFT_KING;
    }
    return count;
}

/* --- Themes and rating ----------------------------------------------------------------------------- */

typedef struct themes {
    bool fork, pin, skewer, discovered, promotion;
} themes;

static themes find_themes(const puzzle *it, luft_position positions[PUZZLE_MOVES_MAX + 1]) {
    themes found = {0};
    positions[0] = it->start;
    for (int i = 0; i < it->length; i++) {
        luft_make(&positions[i + 1], &positions[i], it->moves[i]);
    }
    for (int i = 0; i < it->length; i += 2) {
        const luft_square to = luft_move_to(it->moves[i]);
        found.promotion |= luft_move_promotion(it->moves[i]) != LUFT_NO_PIECE_TYPE;
        found.fork |= i + 2 < it->length && is_fork(&positions[i + 1], to) && luft_move_from(it->moves[i + 2]) == to;
        found.pin |= i + 2 < it->length && is_pin(&positions[i + 1], to);
        found.skewer |= is_skewer(it, positions, i);
        found.discovered |= is_discovered(&positions[i], &positions[i + 1], it->moves[i]);
    }
    return found;
}

void puzzle_append_themes(buffer *out, const puzzle *it) {
    luft_position positions[PUZZLE_MOVES_MAX + 1];
    const themes found = find_themes(it, positions);
    const int moves = (it->length + 1) / 2;
    const bool is_mate = it->score >= THINKING_MATE_BOUND;
    const struct {
        bool holds;
        const char *name;
    } all[] = {{found.fork, "fork"},
               {found.pin, "pin"},
               {found.skewer, "skewer"},
               {found.discovered, "discoveredAttack"},
               {found.promotion, "promotion"},
               {is_mate && is_back_rank_mate(&positions[it->length]), "backRankMate"},
               {count_pieces(&it->start.board) <= 6, "endgame"},
               {!is_mate && it->score >= 200, "advantage"},
               {it->score < 200, "equality"}};
    if (is_mate) {
        buffer_printf(out, "mate mateIn%d ", thinking_mate_in(it->score));
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].holds) {
            buffer_printf(out, "%s ", all[i].name);
        }
    }
    buffer_append_text(out, moves == 1 ? "oneMove" : moves == 2 ? "short" : moves == 3 ? "long" : "veryLong");
}

int puzzle_rating(const puzzle *it) {
    luft_position after;
    luft_make(&after, &it->start, it->moves[0]);
    const bool captures = luft_piece_at(&it->start.board, luft_move_to(it->moves[0])) != LUFT_NO_PIECE;
    const bool is_quiet = !captures && !luft_gives_check(&it->start, it->moves[0]);
    return 900 + 200 * ((it->length + 1) / 2) + (is_quiet ? 300 : 0) + (it->is_quick ? 0 : 400) +
           (captures && it->is_quick ? -100 : 0);
}

/* --- Output ------------------------------------------------------------------------------------------ */

static void append_uci(buffer *out, luft_move move, const luft_position *position) {
    char text[LUFT_UCI_MOVE_SIZE];
    (void)position;
    luft_move_to_uci(text, sizeof text, move, LUFT_CASTLING_STANDARD);
    buffer_printf(out, " %s", text);
}

static void append_id(buffer *out, const puzzle *it) {
    buffer_printf(out, "%" PRIu64 "-%d", it->number, it->ply);
}

static void append_csv(buffer *out, const puzzle *it, const char *site, size_t site_length) {
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, &it->before, LUFT_FEN_STANDARD);
    append_id(out, it);
    buffer_printf(out, ",%s,", fen);
    const size_t begin = out->length;
    append_uci(out, it->last, &it->before);
    for (int i = 0; i < it->length; i++) {
        append_uci(out, it->moves[i], &it->start);
    }
    if (!out->failed) { /* the first has no blank before it */
        memmove(out->data + begin, out->data + begin + 1, out->length - begin - 1);
        out->length--;
    }
    buffer_printf(out, ",%d,0,0,0,", puzzle_rating(it));
    puzzle_append_themes(out, it);
    buffer_append_text(out, ",");
    if (site_length > 4 && memcmp(site, "http", 4) == 0 && !memchr(site, ',', site_length) &&
        !memchr(site, '"', site_length)) {
        buffer_append(out, site, site_length);
        buffer_printf(out, "#%d", it->ply);
    }
    buffer_append_text(out, ",\n");
}

static void append_epd(buffer *out, const puzzle *it) {
    char fields[LUFT_EPD_POSITION_SIZE], san[LUFT_SAN_SIZE] = "";
    luft_position position = it->start;
    luft_position_to_epd(fields, sizeof fields, &position, LUFT_FEN_STANDARD);
    luft_move_to_san(san, sizeof san, &position, it->moves[0]);
    buffer_printf(out, "%s bm %s; id \"", fields, san);
    append_id(out, it);
    buffer_append_text(out, "\"; pv");
    for (int i = 0; i < it->length; i++) {
        luft_move_to_san(san, sizeof san, &position, it->moves[i]);
        luft_make(&position, &position, it->moves[i]);
        buffer_printf(out, " %s", san);
    }
    buffer_append_text(out, "; c0 \"");
    puzzle_append_themes(out, it);
    buffer_printf(out, "\"; c1 \"rating %d\";\n", puzzle_rating(it));
}

static void append_pgn(buffer *out, const puzzle *it, const char *site, size_t site_length) {
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, &it->start, LUFT_FEN_STANDARD);
    buffer_append_text(out, "[Event \"Puzzle ");
    append_id(out, it);
    buffer_append_text(out, "\"]\n[Site \"");
    buffer_append_printable(out, site, memchr(site, '"', site_length) ? 0 : site_length);
    buffer_printf(out, "\"]\n[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"%s\"]\n[Themes \"", fen);
    puzzle_append_themes(out, it);
    buffer_printf(out, "\"]\n[Rating \"%d\"]\n\n", puzzle_rating(it));
    thinking_append_line(out, &it->start, it->moves, it->length, 0);
    buffer_append_text(out, " *\n\n");
}

void puzzle_append(buffer *out, const puzzle *it, puzzle_format format, const char *site, size_t site_length) {
    switch (format) {
    case PUZZLE_CSV: append_csv(out, it, site, site_length); break;
    case PUZZLE_PGN: append_pgn(out, it, site, site_length); break;
    case PUZZLE_EPD: append_epd(out, it); break;
    }
}
