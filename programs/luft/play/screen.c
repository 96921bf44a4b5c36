/* SPDX-License-Identifier: MIT */
/*
 * Prints the board as text that scrolls, so it works on every terminal and in a pipe. With colours the squares have a
 * background and all pieces are solid figures; without, White's are outlined, and brackets mark the last move.
 */
#define _POSIX_C_SOURCE 200809L

#include "screen.h"

#include "util/setup.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- What the terminal can do ------------------------------------------------- */

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

/* The name of the locale is enough: it need not be installed for the terminal to show UTF-8. */
static bool locale_is_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = "";
    for (int i = 0; i < 3 && *locale == '\0'; i++) {
        locale = environment(names[i]);
    }
    for (; *locale; locale++) {
        if (tolower((unsigned char)locale[0]) == 'u' && tolower((unsigned char)locale[1]) == 't' &&
            tolower((unsigned char)locale[2]) == 'f' && (locale[3] == '8' || (locale[3] == '-' && locale[4] == '8'))) {
            return true;
        }
    }
    return false;
}

screen_style screen_detect(bool ascii) {
    const char *terminal = environment("TERM");
    const bool can_color = isatty(STDOUT_FILENO) && *terminal && strcmp(terminal, "dumb") != 0;
    return (screen_style){.unicode = !ascii && locale_is_utf8(), .color = can_color && !*environment("NO_COLOR")};
}

/* --- The board ---------------------------------------------------------------- */

/* By luft_piece. */
static const char *const letters[] = {" ", "P", "N", "B", "R", "Q", "K", "", "", "p", "n", "b", "r", "q", "k"};
static const char *const figures[] = {" ", "♙", "♘", "♗", "♖", "♕", "♔", "", "", "♟", "♞", "♝", "♜", "♛", "♚"};
static const char *const full_figures[] = {" ", "♟", "♞", "♝", "♜", "♛", "♚", "", "", "♟", "♞", "♝", "♜", "♛", "♚"};

static luft_bitboard last_move_squares(const luft_game *game) {
    const size_t ply = luft_game_ply(game);
    if (ply == 0) {
        return 0;
    }
    const luft_move move = luft_game_move_at(game, ply - 1);
    return luft_bit(luft_move_from(move)) | luft_bit(setup_landing_square(move));
}

/* One square, three columns wide. */
static void append_square(buffer *out, const screen_style *style, const luft_position *position, luft_square square,
                          bool marked) {
    const luft_piece piece = luft_piece_at(&position->board, square);
    const bool is_light = (luft_file_of(square) + luft_rank_of(square)) % 2 != 0;
    const bool in_check = luft_piece_type_of(piece) == LUFT_KING &&
                          luft_piece_color(piece) == (luft_color)position->side_to_move && luft_in_check(position);
    if (style->color) {
        const int ground = in_check ? 131 : marked ? (is_light ? 71 : 65) : is_light ? 137 : 94;
        const bool is_white = luft_piece_color(piece) == LUFT_WHITE;
        const char *symbol = style->unicode ? full_figures[piece] : letters[piece];
        buffer_printf(out, "\033[48;5;%d;%sm %s \033[0m", ground, is_white ? "38;5;231;1" : "38;5;16", symbol);
        return;
    }
    const char *symbol = piece == LUFT_NO_PIECE ? (style->unicode ? "·" : ".")
                         : style->unicode       ? figures[piece]
                                                : letters[piece];
    buffer_printf(out, "%s%s%s", marked ? "[" : " ", symbol, marked ? "]" : " ");
}

static void append_row(buffer *out, const screen_style *style, const luft_game *game, int row, bool flipped) {
    const luft_position *position = luft_game_position(game);
    const luft_bitboard marks = last_move_squares(game);
    buffer_printf(out, " %d ", 8 - row);
    for (int column = 0; column < 8; column++) {
        const luft_square square = luft_square_at(flipped ? 7 - column : column, 7 - row);
        append_square(out, style, position, square, luft_bitboard_test(marks, square));
    }
}

/* --- Beside the board ----------------------------------------------------------- */

const char *screen_clock(char text[SCREEN_CLOCK_SIZE], int64_t left_ms) {
    const long long left = left_ms > 0 ? left_ms : 0;
    const int minutes = (int)(left / 60000 % 60), seconds = (int)(left / 1000 % 60);
    if (left >= 3600000) {
        snprintf(text, SCREEN_CLOCK_SIZE, "%lld:%02d:%02d", left / 3600000 % 10000, minutes, seconds);
    } else if (left >= 20000) {
        snprintf(text, SCREEN_CLOCK_SIZE, "%d:%02d", minutes, seconds);
    } else {
        snprintf(text, SCREEN_CLOCK_SIZE, "%d:%02d.%d", minutes, seconds, (int)(left / 100 % 10));
    }
    return text;
}

/* The pieces that a side has more than the other, and its lead in pawns. */
static void append_material(buffer *out, const screen_style *style, const luft_board *board, luft_color side) {
    static const int worth[] = {0, 1, 3, 3, 5, 9};
    const luft_bitboard of_type[] = {
        0, board->pawns, board->knights, luft_bishops(board), luft_rooks(board), luft_queens(board)};
    int ahead = 0;
    for (int type = LUFT_QUEEN; type >= LUFT_PAWN; type--) {
        const int more = luft_popcount(of_type[type] & board->color[side]) -
                         luft_popcount(of_type[type] & board->color[luft_opposite(side)]);
        const luft_piece piece = luft_make_piece(side, (luft_piece_type)type);
        ahead += more * worth[type];
        for (int i = 0; i < more; i++) {
            buffer_append_text(out, style->unicode ? figures[piece] : letters[piece]);
        }
    }
    if (ahead > 0) {
        buffer_printf(out, " +%d", ahead);
    }
}

/* A name, which may come from a file, in exactly so many columns; a character of several bytes is one. */
static void append_name(buffer *out, const char *name, size_t columns) {
    buffer readable = {0};
    size_t used = 0, length = 0;
    buffer_append_readable(&readable, name, strlen(name));
    for (; length < readable.length; length++) {
        const bool begins = ((unsigned char)readable.data[length] & 0xc0) != 0x80;
        if (begins && used == columns) {
            break;
        }
        used += begins;
    }
    out->failed |= readable.failed;
    buffer_append(out, length > 0 ? readable.data : "", length);
    buffer_printf(out, "%*s", (int)(columns - used), "");
    buffer_free(&readable);
}

static void append_side(buffer *out, const screen_style *style, const luft_board *board, const screen_side *sides,
                        luft_color side) {
    char clock[SCREEN_CLOCK_SIZE] = "";
    if (sides) {
        if (sides[side].has_clock) {
            screen_clock(clock, sides[side].left_ms);
        }
        buffer_append_text(out, style->color ? "\033[1m" : "");
        append_name(out, sides[side].name, 24);
        buffer_printf(out, "%s%8s  ", style->color ? "\033[0m" : "", clock);
    }
    append_material(out, style, board, side);
}

enum { MOVE_ROWS = 6 }; /* rows of the board with moves beside them */

/* The full move in a row beside the board; shows the last ones of the game. */
static void append_moves_row(buffer *out, const luft_game *game, int line) {
    const luft_position *start = luft_game_position_at(game, 0);
    const size_t offset = start->side_to_move == LUFT_BLACK; /* Black may have moved first */
    const size_t ply = luft_game_ply(game);
    const size_t rows = (ply + offset + 1) / 2;
    const size_t row = (rows > MOVE_ROWS ? rows - MOVE_ROWS : 0) + (size_t)line;
    if (ply == 0 || row >= rows) {
        return;
    }
    char texts[2][LUFT_SAN_SIZE] = {"...", ""};
    for (size_t i = 0; i < 2; i++) {
        if (2 * row + i >= offset && 2 * row + i - offset < ply) {
            const size_t at = 2 * row + i - offset;
            luft_move_to_san(texts[i], sizeof texts[i], luft_game_position_at(game, at), luft_game_move_at(game, at));
        }
    }
    buffer_printf(out, "%4zu. %-8s %s", (size_t)start->fullmove_number + row, texts[0], texts[1]);
}

void screen_print(const screen_style *style, const luft_game *game, bool flipped, const screen_side *sides) {
    const luft_board *board = &luft_game_position(game)->board;
    const luft_color bottom = flipped ? LUFT_BLACK : LUFT_WHITE;
    buffer text = {0};
    printf("\n");
    for (int line = 0; line < 8; line++) {
        buffer_clear(&text);
        append_row(&text, style, game, flipped ? 7 - line : line, flipped);
        buffer_append_text(&text, "    ");
        if (line == 0 || line == 7) {
            append_side(&text, style, board, sides, line == 7 ? bottom : luft_opposite(bottom));
        } else {
            append_moves_row(&text, game, line - 1);
        }
        while (text.length > 0 && text.data[text.length - 1] == ' ') {
            text.length--;
        }
        printf("%.*s\n", (int)text.length, text.length > 0 ? text.data : "");
    }
    printf("   ");
    for (int column = 0; column < 8; column++) {
        printf(" %c%s", flipped ? 'h' - column : 'a' + column, column < 7 ? " " : "\n");
    }
    if (text.failed) {
        printf("Out of memory: some of the board is not shown.\n");
    }
    buffer_free(&text);
}

/* --- Words -------------------------------------------------------------------- */

/* The accented letters in names of openings, each two bytes, and their plain letters. */
static const char *const marked_letters[] = {"áa", "äa", "ée", "óo", "öo", "øo", "üu", "ćc"};

static void print_name(const screen_style *style, const char *name) {
    for (const char *c = name; *c; c++) {
        char plain = *c;
        for (size_t i = 0; !style->unicode && i < sizeof marked_letters / sizeof marked_letters[0]; i++) {
            if (strncmp(c, marked_letters[i], 2) == 0) {
                plain = marked_letters[i][2];
                c++;
                break;
            }
        }
        putchar(plain);
    }
}

void screen_print_opening(const screen_style *style, const luft_game *game, const char **known) {
    luft_opening opening;
    if (luft_opening_of_game(&opening, game) && opening.name != *known) {
        *known = opening.name;
        printf("Opening: %s ", opening.eco);
        print_name(style, opening.name);
        printf("\n");
    }
}

void screen_append_moves(buffer *out, const luft_game *game, size_t columns) {
    const size_t ply = luft_game_ply(game);
    size_t used = 0;
    for (size_t i = 0; i < ply; i++) {
        const luft_position *before = luft_game_position_at(game, i);
        const bool is_white = before->side_to_move == LUFT_WHITE;
        char san[LUFT_SAN_SIZE] = "", text[40];
        luft_move_to_san(san, sizeof san, before, luft_game_move_at(game, i));
        size_t length = (size_t)snprintf(text, sizeof text, "%s", san);
        if (is_white || i == 0) {
            length =
                (size_t)snprintf(text, sizeof text, "%d%s %s", before->fullmove_number, is_white ? "." : "...", san);
        }
        if (used > 0) {
            const bool fits = used + 1 + length <= columns;
            buffer_append_text(out, fits ? " " : "\n");
            used = fits ? used + 1 : 0;
        }
        buffer_append(out, text, length);
        used += length;
    }
    buffer_append_text(out, ply > 0 ? "\n" : "");
}
