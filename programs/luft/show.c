/* SPDX-License-Identifier: MIT */
/*
 * `luft show`: prints a position, and the bitboards that the library computes from it as diagrams. The documentation
 * quotes these diagrams and the tests compare them, so their form is fixed: rank 8 on top, one character a square.
 */
#include "command.h"
#include "diagram.h"
#include "explain.h"

#include "util/options.h"
#include "util/output.h"
#include "util/setup.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft show"

static const char about[] =
    "Prints a position, FEN or the start position, with its legal moves. Explains what is wrong\n"
    "with a FEN, and notes what was corrected in it.\n"
    "\n"
    "Maps are sets of squares, 1 for a square of the set:\n"
    "  occupancy        the occupied squares\n"
    "  king-attack-map  the pieces that give check, and the squares between them and the king\n"
    "  check-mask       where pieces other than the king may go: all squares without check\n"
    "  pin-rays         from the king of the side to move to each pinning piece, included\n"
    "  reach            where a queen in the place of the king of the side to move could go\n"
    "  white-reach      where a queen in the place of White's king could go\n"
    "  black-reach      the same for Black's king\n"
    "  pins             the pieces of both sides that are pinned to their king\n"
    "  attacks          the squares that the piece on --square attacks\n"
    "  targets          the legal targets of the piece on --square; without --square, of all pieces\n"
    "  planes           the five planes of the board, as the side to move sees them\n";

/* The order of the names below. */
enum {
    MAP_OCCUPANCY,
    MAP_KING_ATTACK,
    MAP_CHECK_MASK,
    MAP_PIN_RAYS,
    MAP_REACH,
    MAP_WHITE_REACH,
    MAP_BLACK_REACH,
    MAP_PINS,
    MAP_ATTACKS,
    MAP_TARGETS,
    MAP_PLANES,
    MAP_COUNT
};

static const char *const map_names[] = {"occupancy", "king-attack-map", "check-mask",  "pin-rays",
                                        "reach",     "white-reach",     "black-reach", "pins",
                                        "attacks",   "targets",         "planes",      NULL};

#define NO_MAP (-1)

typedef struct show_arguments {
    const char *fen;
    const char *moves;
    const char *square_text;
    luft_square square; /* LUFT_NO_SQUARE if none was named */
    bool maps;
    int map; /* NO_MAP if none was named */
    bool san;
    bool unicode;
    bool no_coordinates;
    bool ep_always;
} show_arguments;

/* --- Maps ---------------------------------------------------------------- */

static luft_bitboard attacks_from(const luft_board *board, luft_square square) {
    const luft_piece piece = luft_piece_at(board, square);
    return luft_attacks(luft_piece_color(piece), luft_piece_type_of(piece), square, luft_occupied(board));
}

static luft_bitboard legal_targets(const luft_position *position, luft_square square) {
    luft_move_list list;
    luft_bitboard targets = 0;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        if (square == LUFT_NO_SQUARE || luft_move_from(list.moves[i]) == square) {
            targets = luft_bitboard_set(targets, setup_landing_square(list.moves[i]));
        }
    }
    return targets;
}

/* One of the maps about the king of the side to move. */
static luft_bitboard king_map(const luft_position *position, int map) {
    const luft_color us = (luft_color)position->side_to_move;
    luft_king_constraints constraints;
    if (map == MAP_REACH) {
        return luft_king_reach(&position->board, us);
    }
    if (luft_compute_king_constraints(&constraints, &position->board, us) != LUFT_OK) {
        return 0; /* no valid position lacks a king */
    }
    return map == MAP_CHECK_MASK ? constraints.check_mask : constraints.pin_orthogonal | constraints.pin_diagonal;
}

static luft_bitboard get_map(const luft_position *position, int map, luft_square square) {
    const luft_board *board = &position->board;
    switch (map) {
    case MAP_OCCUPANCY: return luft_occupied(board);
    case MAP_KING_ATTACK: return luft_king_attack_map(position);
    case MAP_CHECK_MASK:
    case MAP_PIN_RAYS:
    case MAP_REACH: return king_map(position, map);
    case MAP_WHITE_REACH: return luft_king_reach(board, LUFT_WHITE);
    case MAP_BLACK_REACH: return luft_king_reach(board, LUFT_BLACK);
    case MAP_PINS: return luft_pinned(board, LUFT_WHITE) | luft_pinned(board, LUFT_BLACK);
    case MAP_ATTACKS: return attacks_from(board, square);
    default: return legal_targets(position, square);
    }
}

static void print_map(luft_bitboard set) {
    char text[LUFT_BITBOARD_TEXT_SIZE];
    luft_bitboard_text(text, sizeof text, set);
    printf("%s", text);
}

/* The far end of the board on top: rank 8 for White, rank 1 for Black. */
static void print_plane(luft_plane plane, luft_color us) {
    for (int row = 0; row < 8; row++) {
        printf("%d", 1 + luft_rank_of(luft_plane_square(8 * row, us)));
        for (int bit = 7; bit >= 0; bit--) { /* the a-file is bit 7 of its row */
            printf(" %c", plane >> (8 * row + bit) & 1 ? '1' : '.');
        }
        printf("\n");
    }
    printf("  a b c d e f g h\n");
}

/* The only map of more than one set: each plane has a heading with its word. */
static void print_planes(const luft_position *position) {
    luft_position_planes planes;
    if (luft_position_to_planes(&planes, position) != LUFT_OK) {
        return; /* the position was checked when it was read */
    }
    const luft_board_planes *board = &planes.board;
    const struct {
        const char *name;
        luft_plane plane;
    } parts[] = {
        {"bit 0, pawns bishops queens", board->types.bit[0]},
        {"bit 1, knights bishops kings", board->types.bit[1]},
        {"bit 2, rooks queens kings", board->types.bit[2]},
        {"the side to move", board->us},
        {"the opponent", board->them},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        printf("%s%s: 0x%016" PRIx64 "\n", i > 0 ? "\n" : "", parts[i].name, parts[i].plane);
        print_plane(parts[i].plane, (luft_color)position->side_to_move);
    }
}

static void print_map_or_planes(const luft_position *position, int map, luft_square square) {
    if (map == MAP_PLANES) {
        print_planes(position);
    } else {
        print_map(get_map(position, map, square));
    }
}

static bool is_about_square(int map) {
    return map == MAP_ATTACKS || map == MAP_TARGETS;
}

/* All maps, or only those about the square that was named. */
static void print_maps(const luft_position *position, const show_arguments *arguments) {
    const bool has_square = arguments->square != LUFT_NO_SQUARE;
    for (int map = 0; map < MAP_COUNT; map++) {
        if ((map == MAP_ATTACKS && !has_square) || (!arguments->maps && !is_about_square(map))) {
            continue;
        }
        printf("\n%s", map_names[map]);
        if (has_square && is_about_square(map)) {
            printf(" of %c%c", luft_file_letter(arguments->square), luft_rank_digit(arguments->square));
        }
        printf("\n");
        print_map_or_planes(position, map, arguments->square);
    }
}

/* --- The position -------------------------------------------------------- */

/* Copies the castling and en passant fields from the FEN, so that they read the same there and here. */
static void print_fen(const luft_position *position, luft_square ep_square) {
    char fen[LUFT_FEN_SIZE] = "";
    char castling[LUFT_FEN_SIZE] = "";
    char en_passant[LUFT_FEN_SIZE] = "";
    luft_position_to_fen_with_ep(fen, sizeof fen, position, LUFT_FEN_STANDARD, ep_square);
    sscanf(fen, "%*s %*s %103s %103s", castling, en_passant);
    printf("Fen: %s\n", fen);
    printf("Key: %016" PRIx64 "\n", luft_key(position));
    printf("Side to move: %s\n", position->side_to_move == LUFT_WHITE ? "white" : "black");
    printf("Castling: %s\n", castling);
    printf("En passant: %s\n", en_passant);
}

static void print_checkers(const luft_position *position) {
    luft_bitboard checkers = luft_checkers(position);
    printf("Checkers:%s", checkers ? "" : " -");
    while (checkers) {
        const luft_square square = luft_pop(&checkers);
        printf(" %c%c", luft_file_letter(square), luft_rank_digit(square));
    }
    printf("\n");
}

/* Prints the last opening name on the way to the position. The moves were checked before. False after an error line. */
static bool print_opening(const show_arguments *arguments) {
    luft_position position;
    luft_opening opening;
    luft_move move;
    const char *moves = arguments->moves ? arguments->moves : "";
    size_t length = strlen(moves);
    const char *word;
    size_t word_length;
    if (!setup_position(&position, NAME, NULL, arguments->fen, NULL)) {
        return false; /* out of memory: the FEN was accepted before */
    }
    bool known = luft_opening_of_position(&opening, &position);
    while (text_next_word(&word, &word_length, &moves, &length) &&
           setup_read_move(&move, &position, word, word_length) == LUFT_OK) {
        luft_make(&position, &position, move);
        known |= luft_opening_of_position(&opening, &position);
    }
    if (known) {
        printf("Opening: %s %s\n", opening.eco, opening.name);
    }
    return true;
}

typedef struct move_text {
    char text[LUFT_FIGURINE_SIZE];
} move_text;

static int compare_text(const void *a, const void *b) {
    return strcmp(((const move_text *)a)->text, ((const move_text *)b)->text);
}

/* Writes the legal moves in the notation asked for, in alphabetical order. */
static int write_moves(move_text moves[LUFT_MAX_MOVES], const luft_position *position,
                       const show_arguments *arguments) {
    const luft_castling_style style = setup_castling_style(position);
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        char *text = moves[i].text;
        if (!arguments->san) {
            luft_move_to_uci(text, sizeof moves[i].text, list.moves[i], style);
        } else if (arguments->unicode) {
            luft_move_to_figurine(text, sizeof moves[i].text, position, list.moves[i]);
        } else {
            luft_move_to_san(text, sizeof moves[i].text, position, list.moves[i]);
        }
    }
    qsort(moves, (size_t)list.count, sizeof moves[0], compare_text);
    return list.count;
}

static void print_moves(const luft_position *position, const show_arguments *arguments) {
    move_text moves[LUFT_MAX_MOVES];
    const int count = write_moves(moves, position, arguments);
    printf("Legal moves: %d", count);
    for (int i = 0; i < count; i++) {
        printf("%s %s", i == 0 ? ":" : "", moves[i].text);
    }
    if (count == 0) {
        printf(" (%s)", luft_in_check(position) ? "checkmate" : "stalemate");
    }
    printf("\n");
}

/* --- The FEN ------------------------------------------------------------- */

/* Prints the board of an invalid position, and what is wrong with it. Returns an exit status. */
static int print_impossible(const show_arguments *arguments, const explanation *faults) {
    if (arguments->map == NO_MAP) {
        const luft_board board = explain_board(arguments->fen, strlen(arguments->fen));
        diagram_print(&board, arguments->unicode, !arguments->no_coordinates);
        fflush(stdout);
    }
    output_error(NAME, "FEN: invalid position");
    for (int i = 0; i < faults->count; i++) {
        fprintf(stderr, "- %s\n", faults->lines[i]);
    }
    return STATUS_FAILED;
}

/* True if the FEN is good or missing. Otherwise prints why not and sets the exit status. */
static bool check_fen(int *status, const show_arguments *arguments) {
    const char *fen = arguments->fen;
    luft_position position;
    luft_fen_report report;
    explanation faults;
    if (!fen || luft_position_from_fen(&position, fen, strlen(fen), &report) == LUFT_OK) {
        return true;
    }
    explain_refusal(&faults, fen, strlen(fen), &report);
    if (report.error == LUFT_ERROR_POSITION) {
        *status = print_impossible(arguments, &faults);
        return false;
    }
    char place[EXPLAIN_PLACE_SIZE];
    output_error(NAME, "%s (column %zu)", faults.lines[0], report.offset + 1);
    fprintf(stderr, "%s", explain_place(place, fen, strlen(fen), report.offset));
    *status = STATUS_USAGE;
    return false;
}

/* What was put right in the FEN; an en passant square that is shown all the same was not dropped. */
static void print_notes(const show_arguments *arguments) {
    const char *fen = arguments->fen;
    luft_position position;
    luft_fen_report report;
    explanation notes;
    if (fen && luft_position_from_fen(&position, fen, strlen(fen), &report) == LUFT_OK) {
        const bool shows_ep = arguments->ep_always && !arguments->moves;
        explain_corrections(&notes, fen, strlen(fen), &position, shows_ep ? report.ep_square : LUFT_NO_SQUARE);
        for (int i = 0; i < notes.count; i++) {
            printf("Note: %s\n", notes.lines[i]);
        }
    }
}

/* --- The command --------------------------------------------------------- */

static bool read_arguments(show_arguments *arguments, int argc, char **argv, int *status) {
    const option operands[] = {
        {.name = "FEN",
         .help = "show this position, or startpos (default: the start position)",
         .text = &arguments->fen},
    };
    const option options[] = {
        {.name = "moves",
         .value = "MOVES",
         .help = "play these moves first, such as \"e2e4 e7e5\" or \"e4 e5\"",
         .text = &arguments->moves},
        {.name = "maps", .help = "also print the maps", .flag = &arguments->maps},
        {.name = "map",
         .value = "NAME",
         .help = "print only this map",
         .choice = &arguments->map,
         .choices = map_names},
        {.name = "square",
         .value = "SQUARE",
         .help = "select the piece for the maps attacks and targets, such as e4",
         .text = &arguments->square_text},
        {.name = "san", .help = "print the legal moves in SAN, such as Nf3", .flag = &arguments->san},
        {.name = "unicode", .help = "print chess figures instead of letters", .flag = &arguments->unicode},
        {.name = "no-coordinates",
         .help = "leave out the ranks and files around the board",
         .flag = &arguments->no_coordinates},
        {.name = "ep-always",
         .help = "write the en passant square after every double push",
         .flag = &arguments->ep_always},
    };
    const option_table table = {.command = NAME,
                                .usage = "[options] [FEN]",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .operands = operands,
                                .operand_count = sizeof operands / sizeof operands[0]};
    return options_read(&table, argc, argv, status);
}

/* Prints an error line if the arguments contradict each other. */
static bool check_arguments(show_arguments *arguments, const luft_position *position) {
    char quoted[TEXT_QUOTED_SIZE];
    const char *text = arguments->square_text;
    if (arguments->maps && arguments->map != NO_MAP) {
        output_error(NAME, "--maps prints all maps and --map one: use one of the two");
        return false;
    }
    if (arguments->map != NO_MAP &&
        (arguments->san || arguments->unicode || arguments->no_coordinates || arguments->ep_always)) {
        output_error(NAME, "--san, --unicode, --no-coordinates and --ep-always: not with --map");
        return false;
    }
    if (text && arguments->map != NO_MAP && arguments->map != MAP_ATTACKS && arguments->map != MAP_TARGETS) {
        output_error(NAME, "--square: not with this map, only with attacks and targets");
        return false;
    }
    if (!text) {
        if (arguments->map == MAP_ATTACKS) {
            output_error(NAME, "--map attacks: expected --square SQUARE too");
            return false;
        }
        return true;
    }
    if (luft_square_from_text(&arguments->square, text, strlen(text)) != LUFT_OK) {
        output_error(NAME, "--square: expected a square such as e4, got %s", text_quote(quoted, text, strlen(text)));
        return false;
    }
    if (luft_piece_at(&position->board, arguments->square) == LUFT_NO_PIECE) {
        output_error(NAME, "--square: there is no piece on %s", text);
        return false;
    }
    return true;
}

static int run(int argc, char **argv) {
    show_arguments arguments = {.square = LUFT_NO_SQUARE, .map = NO_MAP};
    int status = STATUS_OK;
    if (!read_arguments(&arguments, argc, argv, &status)) {
        return status;
    }
    if (arguments.fen && strcmp(arguments.fen, "startpos") == 0) {
        arguments.fen = NULL;
    }
    if (!check_fen(&status, &arguments)) {
        return status;
    }
    luft_game *game = setup_game(NAME, NULL, arguments.fen, arguments.moves);
    if (!game) {
        return STATUS_USAGE;
    }
    const luft_position position = *luft_game_position(game);
    const luft_square ep_square = arguments.ep_always ? setup_ep_square(game, arguments.fen) : LUFT_NO_SQUARE;
    luft_game_free(game);
    if (!check_arguments(&arguments, &position)) {
        return STATUS_USAGE;
    }
    if (arguments.map != NO_MAP) {
        print_map_or_planes(&position, arguments.map, arguments.square);
        return STATUS_OK;
    }
    diagram_print(&position.board, arguments.unicode, !arguments.no_coordinates);
    printf("\n");
    print_fen(&position, ep_square);
    print_checkers(&position);
    if (!print_opening(&arguments)) {
        return STATUS_FAILED;
    }
    print_moves(&position, &arguments);
    print_notes(&arguments);
    if (arguments.maps || arguments.square != LUFT_NO_SQUARE) {
        print_maps(&position, &arguments);
    }
    return STATUS_OK;
}

const cli_command show_command = {"show", "print a position, its legal moves and its maps, or what is wrong with it",
                                  run};
