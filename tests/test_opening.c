/* SPDX-License-Identifier: MIT */
/*
 * Opening names: the right name at the end of each line of the public list, if the list is
 * available, and of well-known lines otherwise, by any move order; no name for positions
 * that only resemble a named one. SAN is read by a slow reader of this test, because the
 * table was made with the library's reader.
 */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_NAME NULL

static void assert_opening(const luft_position *position, const char *eco, const char *name) {
    luft_opening opening = {.eco = "?", .name = "untouched"};
    const bool known = luft_opening_of_position(&opening, position);
    require(known == (name != NO_NAME), position, name ? "has a name" : "has no name");
    assert_string_equal(opening.eco, known ? eco : "?");
    assert_string_equal(opening.name, known ? name : "untouched");
}

static void assert_line(const char *uci_moves, const char *eco, const char *name) {
    const luft_position position = position_after(START_FEN, uci_moves);
    assert_opening(&position, eco, name);
}

static void test_well_known_openings(void **state) {
    (void)state;
    assert_line("e2e4", "B00", "King's Pawn Game");
    assert_line("d2d4", "A40", "Queen's Pawn Game");
    assert_line("c2c4", "A10", "English Opening");
    assert_line("g2g4", "A00", "Grob Opening");
    assert_line("e2e4 e7e5 g1f3 b8c6 f1b5", "C60", "Ruy Lopez");
    assert_line("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 b2b4", "C51", "Italian Game: Evans Gambit");
    assert_line("e2e4 c7c5", "B20", "Sicilian Defense");
    assert_line("e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6", "B90", "Sicilian Defense: Najdorf Variation");
    assert_line("e2e4 e7e6", "C00", "French Defense");
    assert_line("e2e4 c7c6", "B10", "Caro-Kann Defense");
    assert_line("d2d4 d7d5 c2c4", "D06", "Queen's Gambit");
    assert_line("d2d4 d7d5 c2c4 c7c6", "D10", "Slav Defense");
    assert_line("d2d4 g8f6 c2c4 e7e6 b1c3 f8b4", "E20", "Nimzo-Indian Defense");
    /* Names beyond ASCII are UTF-8. */
    assert_line("d2d4 g8f6 c2c4 g7g6 b1c3 d7d5", "D80", "Gr\xc3\xbcnfeld Defense");
}

static void test_no_name(void **state) {
    (void)state;
    const luft_position start = luft_start_position();
    assert_opening(&start, NULL, NO_NAME);
    const luft_position kiwipete = position_from(KIWIPETE_FEN);
    assert_opening(&kiwipete, NULL, NO_NAME);
    assert_line("a2a3 a7a6 h2h3 h7h6 a1a2 a8a7", NULL, NO_NAME);
}

/* The Queen's Indian by another move order, and with other counters. */
static void test_transpositions(void **state) {
    (void)state;
    const char *name = "Queen's Indian Defense";
    assert_line("d2d4 g8f6 c2c4 e7e6 g1f3 b7b6", "E12", name);
    assert_line("g1f3 g8f6 c2c4 b7b6 d2d4 e7e6", "E12", name);
    assert_line("g1f3 b7b6 c2c3 e7e6 c3c4 g8f6 d2d4", NULL, NO_NAME); /* Black to move */
    luft_position position = position_after(START_FEN, "d2d4 g8f6 c2c4 e7e6 g1f3 b7b6");
    position.halfmove_clock = 40;
    position.fullmove_number = 99;
    assert_opening(&position, "E12", name);
    assert_line("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 a6a5 a4b5 a5a4", NULL, NO_NAME);
}

/* Castling rights, en passant square and side to move must match. */
static void test_near_misses(void **state) {
    (void)state;
    const luft_position french = position_from("rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert_opening(&french, "C00", "French Defense");
    const luft_position cannot_castle = position_from("rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQq - 0 2");
    assert_opening(&cannot_castle, NULL, NO_NAME);
    const luft_position black_to_move = position_from("rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    assert_opening(&black_to_move, NULL, NO_NAME);
}

/* A colour-flipped position has the same key, but not the name. */
static void assert_flipped_has_no_name(const char *line, const char *flipped_line) {
    const luft_position position = position_after(START_FEN, line), flipped = position_after(START_FEN, flipped_line);
    luft_opening opening;
    assert_true(luft_key(&position) == luft_key(&flipped));
    require(luft_opening_of_position(&opening, &position), &position, "has a name");
    require(!luft_opening_of_position(&opening, &flipped), &flipped, "has no name");
}

static void test_colour_flipped(void **state) {
    (void)state;
    assert_flipped_has_no_name("e2e4 e7e5", "e2e3 e7e5 e3e4");
    assert_flipped_has_no_name("e2e4 c7c5 g1f3", "c2c3 e7e5 c3c4 g8f6");
    const char *const lines[] = {"e2e4", "d2d4 d7d5 c2c4", "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const luft_position position = position_after(START_FEN, lines[i]);
        luft_position flipped;
        luft_position_flip(&flipped, &position);
        assert_opening(&flipped, NULL, NO_NAME);
    }
}

static void test_null(void **state) {
    (void)state;
    luft_opening opening = {.eco = "?", .name = "untouched"};
    const luft_position position = position_after(START_FEN, "e2e4");
    luft_game *game = NULL;
    assert_int_equal(luft_game_create(&game, &position), LUFT_OK);
    assert_false(luft_opening_of_position(NULL, &position));
    assert_false(luft_opening_of_position(&opening, NULL));
    assert_false(luft_opening_of_position(NULL, NULL));
    assert_false(luft_opening_of_game(NULL, game));
    assert_false(luft_opening_of_game(&opening, NULL));
    assert_string_equal(opening.name, "untouched");
    luft_game_free(game);
}

/* --- Games ------------------------------------------------------------------ */

static void play(luft_game *game, const char *uci) {
    assert_int_equal(luft_game_play(game, move_from(luft_game_position(game), uci)), LUFT_OK);
}

static void assert_game(const luft_game *game, const char *name) {
    luft_opening opening = {.name = "none"};
    assert_true(luft_opening_of_game(&opening, game) == (strcmp(name, "none") != 0));
    assert_string_equal(opening.name, name);
}

static void test_opening_of_game(void **state) {
    (void)state;
    luft_game *game;
    assert_int_equal(luft_game_create(&game, NULL), LUFT_OK);
    assert_game(game, "none");
    play(game, "e2e4");
    assert_game(game, "King's Pawn Game");
    play(game, "c7c5");
    assert_game(game, "Sicilian Defense");
    /* The moves that follow lead to no name: the last name stays until its move is undone. */
    play(game, "h2h3");
    play(game, "h7h5");
    play(game, "h3h4");
    play(game, "h8h6");
    assert_game(game, "Sicilian Defense");
    assert_int_equal(luft_game_go_to(game, 1), LUFT_OK);
    assert_game(game, "King's Pawn Game");
    assert_int_equal(luft_game_go_to(game, 0), LUFT_OK);
    assert_game(game, "none");
    luft_game_free(game);
}

/* A name reached late, after knight moves back and forth for longer than any line. */
static void test_late_name(void **state) {
    (void)state;
    luft_game *game;
    assert_int_equal(luft_game_create(&game, NULL), LUFT_OK);
    play(game, "e2e4");
    play(game, "e7e6");
    for (size_t i = 0; i < luft_opening_longest(); i++) {
        play(game, i % 2 == 0 ? "b1a3" : "a3b1");
        play(game, i % 2 == 0 ? "b8a6" : "a6b8");
    }
    play(game, "d2d4");
    play(game, "d7d5");
    play(game, "b1c3");
    play(game, "f8b4");
    assert_game(game, "French Defense: Winawer Variation");
    luft_game_free(game);
}

static void test_game_from_a_position(void **state) {
    (void)state;
    const luft_position endgame = position_from("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    luft_game *game;
    assert_int_equal(luft_game_create(&game, &endgame), LUFT_OK);
    play(game, "e2e4");
    assert_game(game, "none");
    luft_game_free(game);
}

/* --- The public list ---------------------------------------------------------- */

/* True if the text is the SAN of this move. Tries all spellings, without check marks. */
static bool says(const char *text, size_t length, const luft_position *position, luft_move move) {
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_piece_type type = luft_piece_type_of(luft_piece_at(&position->board, from));
    char san[16];
    if (luft_move_kind_of(move) == LUFT_CASTLING) {
        snprintf(san, sizeof san, "%s", to > from ? "O-O" : "O-O-O");
        return strlen(san) == length && memcmp(san, text, length) == 0;
    }
    for (int with = 0; with < 4; with++) {
        const char file[2] = {with & 1 ? (char)('a' + luft_file_of(from)) : '\0'};
        const char rank[2] = {with & 2 ? luft_rank_digit(from) : '\0'};
        const char letter[2] = {type == LUFT_PAWN ? '\0' : ".PNBRQK"[type]};
        const int count = snprintf(san, sizeof san, "%s%s%s%s%c%c", letter, file, rank,
                                   luft_move_is_capture(move) ? "x" : "", 'a' + luft_file_of(to), luft_rank_digit(to));
        if ((size_t)count == length && memcmp(san, text, length) == 0) {
            return true;
        }
    }
    return false;
}

static void play_san(luft_position *position, const char *text, size_t length) {
    luft_move_list list;
    luft_move found = LUFT_MOVE_NONE;
    while (length > 0 && strchr("+#", text[length - 1])) {
        length--;
    }
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        if (says(text, length, position, list.moves[i])) {
            require(found == LUFT_MOVE_NONE, position, "one move is meant");
            found = list.moves[i];
        }
    }
    require(found != LUFT_MOVE_NONE, position, text);
    luft_make(position, position, found);
}

/* "1. e4 c5 2. Nf3" */
static luft_position position_after_san(const char *moves) {
    luft_position position = luft_start_position();
    while (*moves != '\0') {
        const size_t length = strcspn(moves, " ");
        if (moves[length - 1] != '.') {
            play_san(&position, moves, length);
        }
        moves += length;
        moves += strspn(moves, " ");
    }
    return position;
}

enum { LIST_MAX = 8192 };

typedef struct public_list {
    luft_position positions[LIST_MAX];
    size_t count;
    size_t longest;
} public_list;

/* Checks each line of a file of LUFT_DATA, and collects the positions they lead to. Skips the test without the file. */
static void check_file(public_list *list, char letter) {
    char name_of_file[] = "openings/lichess-?.tsv", line[1024];
    *strchr(name_of_file, '?') = letter;
    FILE *file = open_optional_data(name_of_file);
    assert_non_null(fgets(line, sizeof line, file)); /* column names */
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        char *name = strchr(line, '\t');
        assert_non_null(name);
        *name++ = '\0';
        char *moves = strchr(name, '\t');
        assert_non_null(moves);
        *moves++ = '\0';
        assert_true(list->count < LIST_MAX);
        luft_position *position = &list->positions[list->count++];
        *position = position_after_san(moves);
        assert_opening(position, line, name);
        const size_t plies = (position->fullmove_number - 1u) * 2 + position->side_to_move;
        list->longest = plies > list->longest ? plies : list->longest;
    }
    fclose(file);
}

static bool same_position(const luft_position *a, const luft_position *b) {
    return memcmp(&a->board, &b->board, sizeof a->board) == 0 && a->side_to_move == b->side_to_move &&
           a->ep_square == b->ep_square;
}

/* A colour-flipped position has a name only if it is in the list too. */
static void check_flipped(const public_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        luft_position flipped;
        luft_opening opening;
        bool listed = false;
        luft_position_flip(&flipped, &list->positions[i]);
        for (size_t j = 0; j < list->count && !listed; j++) {
            listed = same_position(&list->positions[j], &flipped);
        }
        require(luft_opening_of_position(&opening, &flipped) == listed, &flipped, "has a name only if it is listed");
    }
}

static void test_public_list(void **state) {
    (void)state;
    static public_list list; /* too large for the stack, and a skipped test frees nothing */
    list.count = list.longest = 0;
    for (char letter = 'a'; letter <= 'e'; letter++) {
        check_file(&list, letter);
    }
    assert_int_equal(luft_opening_count(), list.count);
    assert_int_equal(luft_opening_longest(), list.longest);
    check_flipped(&list);
}

static void test_size(void **state) {
    (void)state;
    assert_true(luft_opening_count() > 3000);
    assert_in_range(luft_opening_longest(), 20, 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_well_known_openings),
        cmocka_unit_test(test_no_name),
        cmocka_unit_test(test_transpositions),
        cmocka_unit_test(test_near_misses),
        cmocka_unit_test(test_colour_flipped),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_opening_of_game),
        cmocka_unit_test(test_late_name),
        cmocka_unit_test(test_game_from_a_position),
        cmocka_unit_test(test_public_list),
        cmocka_unit_test(test_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
