/* SPDX-License-Identifier: MIT */
/*
 * What stands in the comments of a PGN game tree: commands, and the marks of what an engine
 * wrote, so that a second review replaces it and keeps what people wrote.
 */
#include "support/pgn_tree.h"

#include <stdio.h>
#include <string.h>

static void assert_command(const luft_pgn_game *game, luft_pgn_node node, const char *name, const char *expected) {
    size_t length = 0;
    const char *value = luft_pgn_node_command(game, node, name, &length);
    assert_int_equal(value != NULL, expected != NULL);
    if (expected) {
        assert_int_equal(length, strlen(expected));
        assert_memory_equal(value, expected, length);
    }
}

/* --- Commands ---------------------------------------------------------------- */

static const char *comment_text(const luft_pgn_game *game, luft_pgn_node node, size_t index) {
    luft_pgn_comment comment = {NULL, 0, LUFT_PGN_PERSON};
    assert_true(luft_pgn_node_comment_at(&comment, game, node, LUFT_PGN_AFTER, index));
    return comment.text;
}

static void commands_are_found(void **state) {
    (void)state;
    luft_pgn_game *game =
        read_text("1. e4 {a [%clk\n0:05:00][%evalx 3] [%eval  0.35 ]} {[%csl Ga1,Rb2] [%empty] [%clk 2]} *");
    const luft_pgn_node e4 = node_after(game, "e4");
    assert_command(game, e4, "clk", "0:05:00");
    assert_command(game, e4, "csl", "Ga1,Rb2");
    assert_command(game, e4, "evalx", "3");
    assert_command(game, e4, "empty", "");
    assert_command(game, e4, "cal", NULL);
    assert_command(game, e4, "ev", NULL);
    assert_command(game, LUFT_PGN_ROOT, "clk", NULL);
    luft_pgn_game_free(game);
    static const char *const without[] = {"1. e4 {[%clk 1} *", "1. e4 {[%clk} *", "1. e4 {%clk 1]} *", "1. e4 {[%} *"};
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        game = read_text(without[i]);
        assert_command(game, node_after(game, "e4"), "clk", NULL);
        luft_pgn_game_free(game);
    }
}

static void commands_are_set(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("1. e4 {a [%clk 1] b} {[%clk 2]} {[%clk 3][%eval 1]} *");
    const luft_pgn_node e4 = node_after(game, "e4");
    assert_int_equal(set_command(game, e4, "clk", "0:04", LUFT_PGN_PERSON), LUFT_OK);
    assert_moves(game, "1. e4 {a [%clk 0:04] b} {[%eval 1]} *");
    assert_int_equal(set_command(game, e4, "emt", " 0:01\n", LUFT_PGN_PERSON), LUFT_OK);
    assert_command(game, e4, "emt", "0:01");
    assert_int_equal(set_command(game, e4, "eval", "0.5", LUFT_PGN_ENGINE), LUFT_OK);
    assert_moves(game, "1. e4 {[%eval 0.5] [%luft]} {[%emt 0:01] a [%clk 0:04] b} *");
    assert_int_equal(set_command(game, e4, "eval", "#-3", LUFT_PGN_ENGINE), LUFT_OK);
    assert_int_equal(set_command(game, e4, "emt", NULL, LUFT_PGN_PERSON), LUFT_OK);
    assert_moves(game, "1. e4 {[%eval #-3] [%luft]} {a [%clk 0:04] b} *");
    assert_int_equal(set_command(game, e4, "clk", NULL, LUFT_PGN_PERSON), LUFT_OK);
    assert_int_equal(set_command(game, e4, "mate", "", LUFT_PGN_PERSON), LUFT_OK);
    assert_moves(game, "1. e4 {[%eval #-3] [%luft]} {[%mate] a b} *");
    static const char *const refused[] = {
        "", "luft", "a b", "a]", "[", "a-name-with-33-bytes-is-not-a-name", "name_of_33_bytes_xxxxxxxxxxxxxxxx"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_int_equal(set_command(game, e4, refused[i], "x", LUFT_PGN_PERSON), LUFT_ERROR_ARGUMENT);
    }
    assert_int_equal(set_command(game, e4, "clk", "1]", LUFT_PGN_PERSON), LUFT_ERROR_ARGUMENT);
    assert_int_equal(set_command(game, e4, "clk", "[1", LUFT_PGN_PERSON), LUFT_ERROR_ARGUMENT);
    luft_pgn_game_free(game);
    /* What is left when a command is cut out never becomes another one. */
    game = read_text("1. e4 {[%ev[%eval 1]al 2]} *");
    assert_int_equal(set_command(game, node_after(game, "e4"), "eval", NULL, LUFT_PGN_PERSON), LUFT_OK);
    assert_moves(game, "1. e4 {[%ev al 2]} *");
    luft_pgn_game_free(game);
}

/* A game may be edited with the names and texts that it has returned itself. */
static void returned_text_is_an_argument(void **state) {
    (void)state;
    luft_pgn_game *game =
        read_text("[ECO \"B00\"]\n[A \"1\"]\n[ECO \"B01\"]\n[Result \"1-0\"]\n\n1. e4 {clk} {[%clk 2]} 1-0");
    const luft_pgn_node e4 = node_after(game, "e4");
    luft_pgn_comment comment;
    luft_pgn_tag tag;
    while (luft_pgn_game_tag_at(&tag, game, 7)) { /* behind the roster */
        assert_int_equal(set_tag(game, tag.name, NULL), LUFT_OK);
        assert_null(luft_pgn_game_tag(game, "ECO", NULL));
    }
    for (size_t i = 0; luft_pgn_game_tag_at(&tag, game, i); i++) {
        assert_int_equal(set_tag(game, tag.name, NULL), LUFT_OK);
    }
    assert_int_equal(luft_pgn_game_result(game), LUFT_RESULT_UNKNOWN);
    assert_true(luft_pgn_node_comment_at(&comment, game, e4, LUFT_PGN_AFTER, 0));
    assert_int_equal(set_command(game, e4, comment.text, "3", LUFT_PGN_PERSON), LUFT_OK);
    assert_moves(game, "1. e4 {clk} {[%clk 3]} *");
    assert_true(luft_pgn_node_comment_at(&comment, game, e4, LUFT_PGN_AFTER, 1));
    assert_int_equal(luft_pgn_node_set_comment(game, e4, LUFT_PGN_AFTER, 1, comment.text + 2, 3, LUFT_PGN_PERSON),
                     LUFT_OK);
    assert_int_equal(set_command(game, e4, comment_text(game, e4, 0), comment_text(game, e4, 1), LUFT_PGN_PERSON),
                     LUFT_OK);
    assert_moves(game, "1. e4 {[%clk clk] clk} {clk} *");
    luft_pgn_game_free(game);
}

/* --- The engine's annotations -------------------------------------------------- */

#define LONG_MARK "{foobar [%luft bf9cf968,nag:4,moves:2]}" /* bf9cf968 is a published FNV-1a value */

static void marks_are_read(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("1. e4 $4 $1 " LONG_MARK " e5 2. Nf3 *");
    const luft_pgn_node e4 = node_after(game, "e4"), e5 = node_after(game, "e4 e5");
    luft_pgn_nag nag;
    assert_comment(game, e4, LUFT_PGN_AFTER, 0, "foobar", LUFT_PGN_ENGINE);
    assert_true(luft_pgn_node_nag_at(&nag, game, e4, 0) && nag.author == LUFT_PGN_ENGINE);
    assert_true(luft_pgn_node_nag_at(&nag, game, e4, 1) && nag.author == LUFT_PGN_PERSON);
    assert_int_equal(luft_pgn_node_author(game, e4), LUFT_PGN_ENGINE);
    assert_int_equal(luft_pgn_node_author(game, e5), LUFT_PGN_ENGINE);
    assert_int_equal(luft_pgn_node_author(game, node_after(game, "e4 e5 Nf3")), LUFT_PGN_PERSON);
    assert_moves(game, "1. e4 $4 $1 " LONG_MARK " 1... e5 2. Nf3 *");
    luft_pgn_game_free(game);
    assert_reads("1. e4 $4 {foobar [%luft bf9cf968]} {a [%luft e40c292c,nag:4]} *",
                 "1. e4 $4 {foobar [%luft bf9cf968,nag:4]} {a [%luft e40c292c]} *");
    assert_reads("1. e4 {[%eval 0.1] [%luft]} *", "1. e4 {[%eval 0.1] [%luft]} *");
    assert_reads("1. e4 {foobar\n[%luft\nbf9cf968]} *", "1. e4 {foobar [%luft bf9cf968]} *");
    assert_reads("1. e4 {[%luft moves:5]} {foobar [%luft bf9cf968]} e5 *",
                 "1. e4 {foobar [%luft bf9cf968,moves:2]} 1... e5 *");
}

/* A comment with a mark that does not fit is a person's, and stays as it is. */
static void changed_comments_are_a_persons(void **state) {
    (void)state;
    static const char *const comments[] = {
        "foobaz [%luft bf9cf968]",
        "foobar, indeed! [%luft bf9cf968]",
        "foobar [%luft bf9cf968] indeed!",
        "foobar [%luft bf9cf969]",
        "foobar [%luft bf9cf968,]",
        "foobar [%luft bf9cf968,nag:]",
        "foobar [%luft bf9cf968,nag:256]",
        "foobar [%luft bf9cf968,nag:04]",
        "foobar [%luft bf9cf968,moves:1,moves:1]",
        "foobar [%luft bf9cf968,moves:300000]",
        "foobar [%luft bf9cf968,other:1]",
        "foobar [%luft bf9cf96]",
        "foobar [%luft]",
        "foobar[%luft bf9cf968]",
        "[%eval 0.1] [%cal Ga1a2] [%luft]",
        "[%eval 0.1][%luft]",
        "[%clk 0:01] [%luft]",
        "[%luft ,]",
        "[%lufts]",
    };
    for (size_t i = 0; i < sizeof comments / sizeof comments[0]; i++) {
        char pgn[128], expected[128];
        snprintf(pgn, sizeof pgn, "1. e4 {%s} *", comments[i]);
        luft_pgn_game *game = read_text(pgn);
        assert_comment(game, node_after(game, "e4"), LUFT_PGN_AFTER, 0, comments[i], LUFT_PGN_PERSON);
        luft_pgn_game_remove_engine(game);
        snprintf(expected, sizeof expected, "1. e4 {%s} *", comments[i]);
        assert_moves(game, expected);
        luft_pgn_game_free(game);
    }
}

/* A person's text cannot pass for the engine's. */
static void people_write_no_marks(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("1. e4 e5 *");
    const luft_pgn_node e4 = node_after(game, "e4"), e5 = node_after(game, "e4 e5");
    add_comment(game, e4, LUFT_PGN_AFTER, "foobar [%luft bf9cf968]", LUFT_PGN_PERSON);
    add_comment(game, e5, LUFT_PGN_AFTER, "[%clk 1] [%luft]", LUFT_PGN_PERSON);
    assert_int_equal(set_command(game, e5, "clk", NULL, LUFT_PGN_PERSON), LUFT_OK);
    assert_moves(game, "1. e4 {foobar [%luft bf9cf968)} 1... e5 {[%luft)} *");
    /* The engine's text may say anything. */
    add_comment(game, e5, LUFT_PGN_AFTER, "foobar [%luft bf9cf968]", LUFT_PGN_ENGINE);
    assert_comment(game, e5, LUFT_PGN_AFTER, 0, "foobar [%luft bf9cf968]", LUFT_PGN_ENGINE);
    luft_pgn_game_remove_engine(game);
    assert_moves(game, "1. e4 {foobar [%luft bf9cf968)} 1... e5 {[%luft)} *");
    luft_pgn_game_free(game);
}

/* What an engine says of a game in a review. */
static void review(luft_pgn_game *game, const char *words, const char *line) {
    const luft_pgn_node g4 = node_after(game, "f3 e5 g4");
    luft_pgn_game_remove_engine(game);
    add_comment(game, g4, LUFT_PGN_AFTER, words, LUFT_PGN_ENGINE);
    assert_int_equal(set_command(game, g4, "eval", "#-1", LUFT_PGN_ENGINE), LUFT_OK);
    assert_int_equal(luft_pgn_node_add_nag(game, g4, 4, LUFT_PGN_ENGINE), LUFT_OK);
    add_moves(game, luft_pgn_node_parent(game, g4), line, LUFT_PGN_ENGINE);
}

/* Two reviews of a game with notes of people before, between and inside: the second replaces the first. */
static void a_second_review_replaces_the_first(void **state) {
    (void)state;
    static text_sink once, twice;
    static const char pgn[] = "{start} 1. f3 $6 (1. e4 {best} e5) {so} 1... e5 2. g4 {[%clk 0:01] why} ({or} 2. d4) "
                              "{and now} 2... Qh4# $3 {the end} 0-1";
    luft_pgn_game *game = read_text(pgn), *fresh = read_text(pgn);
    review(game, "Bad.", "Nc3 Nc6 d4");
    assert_int_equal(write_game(&once, game), LUFT_OK);
    luft_pgn_game *reviewed = read_bytes(once.text, once.length);
    const char *const moves = moves_of(&once);
    assert_non_null(strstr(moves, "2. g4 $4 {[%eval #-1] Bad. [%luft "));
    assert_non_null(strstr(moves, "(2. Nc3 {[%luft moves:3]} 2... Nc6 3. d4) {and now} 2... Qh4# $3 {the end} 0-1"));
    review(reviewed, "Very bad.", "h4 d5");
    review(fresh, "Very bad.", "h4 d5");
    assert_true(luft_pgn_game_equal(reviewed, fresh));
    assert_int_equal(write_game(&once, fresh), LUFT_OK);
    assert_int_equal(write_game(&twice, reviewed), LUFT_OK);
    assert_string_equal(once.text, twice.text);
    luft_pgn_game_remove_engine(reviewed);
    luft_pgn_game_free(fresh);
    fresh = read_text(pgn);
    assert_true(luft_pgn_game_equal(reviewed, fresh));
    luft_pgn_game_free(game);
    luft_pgn_game_free(reviewed);
    luft_pgn_game_free(fresh);
}

/* Moves of the engine stay where they lead to something that a person wrote. */
static void moves_to_peoples_notes_stay(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("1. e4 (1. d4 {[%luft moves:4]} d5 2. c4 {mine} e6 3. Nc3 a6) "
                                    "(1. c4 {[%luft moves:2]} e5 (1... c5 {[%luft moves:1]}) 2. Nc3) "
                                    "(1. Nf3 {[%luft moves:2]} d5) (1. g3 {[%luft moves:3]} d5 $1 2. Bg2) *");
    luft_pgn_game_remove_engine(game);
    assert_moves(game, "1. e4 (1. d4 {[%luft moves:4]} 1... d5 2. c4 {mine} 2... e6 3. Nc3 a6) "
                       "(1. c4 {[%luft moves:2]} 1... e5 2. Nc3) (1. g3 {[%luft moves:2]} 1... d5 $1) *");
    luft_pgn_game_remove_engine(game);
    assert_int_equal(luft_pgn_game_node_count(game), 1 + 1 + 6 + 3 + 2);
    luft_pgn_game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_found),
        cmocka_unit_test(commands_are_set),
        cmocka_unit_test(returned_text_is_an_argument),
        cmocka_unit_test(marks_are_read),
        cmocka_unit_test(changed_comments_are_a_persons),
        cmocka_unit_test(people_write_no_marks),
        cmocka_unit_test(a_second_review_replaces_the_first),
        cmocka_unit_test(moves_to_peoples_notes_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
