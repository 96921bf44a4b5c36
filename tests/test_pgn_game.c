/* SPDX-License-Identifier: MIT */
/*
 * The PGN game tree: what is read becomes which nodes and annotations, what each edit does,
 * and that writing and reading gives an equal game. Limits, deep trees, and failing
 * allocations. test_pgn_game_notes.c tests commands and the engine's marks.
 */
#include "games/pgn_input.h"
#include "support/failing_malloc.h"
#include "support/pgn_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Reading and writing ---------------------------------------------------- */

/* The games of a file, each read, written, read again and compared. Returns the text of all. */
static size_t round_trip_file(char *out, size_t size, const char *name) {
    static text_sink sink;
    char path[1024];
    size_t length = 0;
    snprintf(path, sizeof path, "%s/pgn/%s", test_data_directory(), name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t bytes = fread(out, 1, size, file);
    fclose(file);
    assert_true(bytes > 0 && bytes < size);
    char *pgn = malloc(bytes);
    assert_non_null(pgn);
    memcpy(pgn, out, bytes);
    luft_pgn_reader *reader;
    luft_pgn_game *game;
    assert_int_equal(luft_pgn_reader_create_text(&reader, pgn, bytes), LUFT_OK);
    while (luft_pgn_game_read(&game, reader) == LUFT_OK) {
        assert_int_equal(write_game(&sink, game), LUFT_OK);
        luft_pgn_game *again = read_bytes(sink.text, sink.length);
        assert_true(luft_pgn_game_equal(game, again));
        assert_null(luft_pgn_game_error(again));
        luft_pgn_game_free(again);
        luft_pgn_game_free(game);
        memcpy(out + length, sink.text, sink.length);
        length += sink.length;
    }
    luft_pgn_reader_free(reader);
    free(pgn);
    return length;
}

/* classics.pgn is in export format, so it is written as it stands. */
static void files_make_a_round_trip(void **state) {
    (void)state;
    static char out[TEXT_SIZE], original[TEXT_SIZE];
    char path[1024];
    assert_true(round_trip_file(out, sizeof out, "mistakes.pgn") > 0);
    const size_t length = round_trip_file(out, sizeof out, "classics.pgn");
    snprintf(path, sizeof path, "%s/pgn/classics.pgn", test_data_directory());
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(original, 1, sizeof original, file), length);
    fclose(file);
    assert_memory_equal(out, original, length);
}

static void variations_become_siblings(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("1. e4 e5 (1... c5 (1... c6 2. d4) 2. Nf3) (1... e6) 2. Nf3 *");
    const luft_pgn_node e4 = node_after(game, "e4"), e5 = node_after(game, "e4 e5"), c5 = node_after(game, "e4 c5"),
                        c6 = node_after(game, "e4 c6"), e6 = node_after(game, "e4 e6");
    assert_int_equal(luft_pgn_game_node_count(game), 9);
    assert_int_equal(luft_pgn_node_next(game, LUFT_PGN_ROOT), e4);
    assert_int_equal(luft_pgn_node_parent(game, LUFT_PGN_ROOT), LUFT_PGN_NO_NODE);
    assert_int_equal(luft_pgn_node_sibling(game, e4), LUFT_PGN_NO_NODE);
    assert_int_equal(luft_pgn_node_next(game, e4), e5);
    assert_int_equal(luft_pgn_node_sibling(game, e5), c5);
    assert_int_equal(luft_pgn_node_sibling(game, c5), c6);
    assert_int_equal(luft_pgn_node_sibling(game, c6), e6);
    assert_int_equal(luft_pgn_node_sibling(game, e6), LUFT_PGN_NO_NODE);
    assert_int_equal(luft_pgn_node_index(game, e6), 3);
    assert_int_equal(luft_pgn_node_parent(game, e6), e4);
    const luft_position expected = position_after(START_FEN, "e2e4 c7c6 d2d4");
    assert_true(luft_position_equal(luft_pgn_node_position(game, node_after(game, "e4 c6 d4")), &expected));
    assert_int_equal(luft_pgn_node_move(game, e4), move_from(luft_pgn_node_position(game, LUFT_PGN_ROOT), "e2e4"));
    assert_int_equal(luft_pgn_node_find(game, e4, LUFT_MOVE_NONE), LUFT_PGN_NO_NODE);
    assert_moves(game, "1. e4 e5 (1... c5 2. Nf3) (1... c6 2. d4) (1... e6) 2. Nf3 *");
    luft_pgn_game_free(game);
}

static void comments_have_their_sides(void **state) {
    (void)state;
    luft_pgn_game *game =
        read_text("{start} 1. e4 {a} {b} ({c} 1. d4 {d} d5) {e} (1. c4) {f} 1... e5 (1... c5) {g} * {h}");
    const luft_pgn_node e4 = node_after(game, "e4"), d4 = node_after(game, "d4"), e5 = node_after(game, "e4 e5");
    assert_int_equal(luft_pgn_node_comment_count(game, LUFT_PGN_ROOT, LUFT_PGN_AFTER), 1);
    assert_int_equal(luft_pgn_node_comment_count(game, LUFT_PGN_ROOT, LUFT_PGN_BEFORE), 0);
    assert_comment(game, LUFT_PGN_ROOT, LUFT_PGN_AFTER, 0, "start", LUFT_PGN_PERSON);
    assert_int_equal(luft_pgn_node_comment_count(game, e4, LUFT_PGN_BEFORE), 0);
    assert_comment(game, e4, LUFT_PGN_AFTER, 1, "b", LUFT_PGN_PERSON);
    assert_comment(game, d4, LUFT_PGN_BEFORE, 0, "c", LUFT_PGN_PERSON);
    assert_comment(game, d4, LUFT_PGN_AFTER, 0, "d", LUFT_PGN_PERSON);
    assert_comment(game, node_after(game, "c4"), LUFT_PGN_BEFORE, 0, "e", LUFT_PGN_PERSON);
    assert_comment(game, e5, LUFT_PGN_BEFORE, 0, "f", LUFT_PGN_PERSON);
    assert_comment(game, e5, LUFT_PGN_AFTER, 0, "g", LUFT_PGN_PERSON);
    assert_moves(game, "{start} 1. e4 {a} {b} ({c} 1. d4 {d} 1... d5) ({e} 1. c4) {f} 1... e5 {g} {h} (1... c5) *");
    luft_pgn_game_free(game);
    /* Empty variations and comments are dropped, what stands in them is not. */
    assert_reads("1. e4 ({x} $3) {} () e5 *", "1. e4 $3 {x} 1... e5 *");
    assert_reads("$5 1. e4 ($1 1. d4 $1 $2 $1) e5 *", "$5 1. e4 (1. d4 $1 $2) 1... e5 *");
    /* A comment after a nested variation precedes the next move. */
    assert_reads("1. e4 e5 (1... c5 (1... c6) {x} 2. Nf3) *", "1. e4 e5 (1... c5 {x} 2. Nf3) (1... c6) *");
}

/* A part of more than 60 kB is passed on in parts, and is one comment here. */
static void long_comments_are_whole(void **state) {
    (void)state;
    enum { LENGTH = 200000 };
    static char pgn[LENGTH + 16];
    memset(pgn, 'x', sizeof pgn);
    memcpy(pgn, "1. e4 {", 7);
    memcpy(pgn + 7 + LENGTH, "} *", 3);
    luft_pgn_game *game = read_bytes(pgn, LENGTH + 10);
    luft_pgn_comment comment;
    assert_true(luft_pgn_node_comment_at(&comment, game, node_after(game, "e4"), LUFT_PGN_AFTER, 0));
    assert_int_equal(comment.length, LENGTH);
    luft_pgn_game_free(game);
}

static void mistakes_cut_the_game(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("1. e4 (1. d4 {x} ({y} 1. Ke5 c5) d5) e5 *");
    const luft_pgn_error *error = luft_pgn_game_error(game);
    assert_non_null(error);
    assert_int_equal(error->error, LUFT_ERROR_MOVE_ILLEGAL);
    assert_int_equal(error->place.column, 26);
    assert_int_equal(error->token_length, 3);
    assert_memory_equal(error->token, "Ke5", 3);
    assert_moves(game, "1. e4 (1. d4 {x} {y}) *");
    luft_pgn_game_free(game);

    static const char *const without_start[] = {"{x} [FEN \"none\"]\n\n1. e4 *", "[Variant \"Atomic\"]\n\n{x} 1. e4 *"};
    for (int i = 0; i < 2; i++) {
        game = read_text(without_start[i]);
        assert_non_null(luft_pgn_game_error(game));
        assert_int_equal(luft_pgn_game_node_count(game), 0);
        assert_null(luft_pgn_node_position(game, LUFT_PGN_ROOT));
        assert_int_equal(luft_pgn_node_add(NULL, game, LUFT_PGN_ROOT, LUFT_MOVE_NONE, LUFT_PGN_PERSON),
                         LUFT_ERROR_ARGUMENT);
        assert_int_equal(set_tag(game, "Variant", "Chess"), LUFT_ERROR_POSITION);
        assert_moves(game, "*");
        luft_pgn_game_free(game);
    }
    game = read_text("[White \"A\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[Bad]\n\n1. e4 *");
    const luft_position expected = position_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_true(luft_position_equal(luft_pgn_node_position(game, LUFT_PGN_ROOT), &expected));
    assert_moves(game, "*");
    luft_pgn_game_free(game);
}

static void games_start_anywhere(void **state) {
    (void)state;
    const luft_position position = position_from("4k3/8/8/8/8/8/4P3/4K2R b K - 3 20"), broken = {0};
    luft_pgn_game *game = NULL;
    assert_int_equal(luft_pgn_game_create(&game, &broken), LUFT_ERROR_POSITION);
    assert_null(game);
    assert_int_equal(luft_pgn_game_create(&game, &position), LUFT_OK);
    assert_string_equal(luft_pgn_game_tag(game, "FEN", NULL), "4k3/8/8/8/8/8/4P3/4K2R b K - 3 20");
    assert_string_equal(luft_pgn_game_tag(game, "SetUp", NULL), "1");
    add_moves(game, LUFT_PGN_ROOT, "Kd7 O-O", LUFT_PGN_PERSON);
    assert_moves(game, "20... Kd7 21. O-O *");
    luft_pgn_game_free(game);
    assert_int_equal(luft_pgn_game_create(&game, NULL), LUFT_OK);
    assert_null(luft_pgn_game_tag(game, "FEN", NULL));
    assert_int_equal(luft_pgn_game_tag_count(game), 7);
    assert_moves(game, "*");
    luft_pgn_game_free(game);
}

/* Refuses everything from some byte on. */
static bool refuse_late(void *payload, const char *text, size_t length) {
    (void)text;
    size_t *room = payload;
    *room -= length <= *room ? length : *room;
    return *room > 0;
}

static void a_full_sink_is_reported(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("1. e4 $1 {a} (1. d4 {b}) e5 *");
    static text_sink sink;
    assert_int_equal(write_game(&sink, game), LUFT_OK);
    for (size_t room = 0; room <= sink.length; room++) {
        size_t left = room;
        luft_pgn_writer writer;
        luft_pgn_writer_init(&writer, refuse_late, &left);
        assert_int_equal(luft_pgn_game_write(&writer, game), LUFT_ERROR_WRITE);
    }
    luft_pgn_game_free(game);
}

static void games_differ(void **state) {
    (void)state;
    static const char *const games[] = {
        "1. e4 e5 *",
        "1. e4 e5 1-0",
        "[White \"A\"]\n\n1. e4 e5 *",
        "[ECO \"B00\"]\n\n1. e4 e5 *",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n*",
        "1. e4 *",
        "1. e4 c5 *",
        "1. e4 e5 (1... c5) *",
        "1. e4 (1. d4) e5 *",
        "1. e4 (1. d4 d5) *",
        "1. e4 (1. d4) (1. c4) *",
        "1. e4 $1 e5 *",
        "1. e4 $2 e5 *",
        "1. e4 e5 $1 *",
        "1. e4 {x} e5 *",
        "1. e4 {y} e5 *",
        "1. e4 {x} {y} e5 *",
        "1. e4 {y} {x} e5 *",
        "1. e4 e5 {x} *",
        "1. e4 {[%eval 0.1]} e5 *",
        "1. e4 {[%eval 0.1] [%luft]} e5 *",
        "1. e4 $1 {[%luft nag:1]} e5 *",
        "1. e4 {[%luft moves:1]} e5 *",
        "1. e4 {[%luft moves:2]} e5 *",
        "1. e4 {x} (1. d4) e5 *",
        "1. e4 ({x} 1. d4) e5 *",
        "1. e4 (1. d4) {x} e5 *",
    };
    enum { COUNT = sizeof games / sizeof games[0] };
    for (int i = 0; i < COUNT; i++) {
        luft_pgn_game *one = read_text(games[i]);
        for (int j = 0; j < COUNT; j++) {
            luft_pgn_game *other = read_text(games[j]);
            if (luft_pgn_game_equal(one, other) != (i == j)) {
                fail_msg("%s and %s", games[i], games[j]);
            }
            luft_pgn_game_free(other);
        }
        luft_pgn_game_free(one);
    }
}

/* --- Tags and result --------------------------------------------------------- */

static void tags_are_set_and_removed(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("[ECO \"B00\"]\n[White \"Ann\"]\n[White \"Again\"]\n[ECO \"B01\"]\n\n1. e4 *");
    luft_pgn_tag tag;
    size_t length;
    assert_string_equal(luft_pgn_game_tag(game, "White", &length), "Ann");
    assert_int_equal(length, 3);
    assert_int_equal(luft_pgn_game_tag_count(game), 10);
    assert_true(luft_pgn_game_tag_at(&tag, game, 0));
    assert_string_equal(tag.name, "Event");
    assert_true(luft_pgn_game_tag_at(&tag, game, 9));
    assert_string_equal(tag.value, "B01");
    assert_false(luft_pgn_game_tag_at(&tag, game, 10));
    assert_int_equal(set_tag(game, "ECO", NULL), LUFT_OK);
    assert_null(luft_pgn_game_tag(game, "ECO", NULL));
    assert_int_equal(set_tag(game, "White", NULL), LUFT_OK);
    assert_string_equal(luft_pgn_game_tag(game, "White", NULL), "?");
    assert_int_equal(luft_pgn_game_tag_count(game), 7);
    assert_int_equal(set_tag(game, "Annotator", "a \"b\"\n\\"), LUFT_OK);
    assert_string_equal(luft_pgn_game_tag(game, "Annotator", NULL), "a \"b\" \\");
    assert_int_equal(set_tag(game, "Annotator", luft_pgn_game_tag(game, "Annotator", NULL) + 2), LUFT_OK);
    assert_string_equal(luft_pgn_game_tag(game, "Annotator", NULL), "\"b\" \\");
    assert_int_equal(set_tag(game, "Variant", "Chess960"), LUFT_OK);
    assert_moves(game, "1. e4 *");

    static const char *const refused[] = {"", "FEN", "SetUp", "a b", "a\"", "[", "]"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_int_equal(set_tag(game, refused[i], "x"), LUFT_ERROR_ARGUMENT);
    }
    assert_int_equal(set_tag(game, "Variant", "Atomic"), LUFT_ERROR_ARGUMENT);
    assert_int_equal(set_tag(game, "Result", "x"), LUFT_ERROR_ARGUMENT);
    luft_pgn_game_free(game);
}

/* The longest value that is written is the longest that is read. */
static void tags_have_a_longest_value(void **state) {
    (void)state;
    enum { LONGEST = PGN_PART - 6 }; /* [A "…"] */
    static char value[LONGEST + 1];
    luft_pgn_game *game;
    assert_int_equal(luft_pgn_game_create(&game, NULL), LUFT_OK);
    memset(value, 'x', sizeof value);
    assert_int_equal(luft_pgn_game_set_tag(game, "A", value, LONGEST + 1), LUFT_ERROR_OVERFLOW);
    value[7] = '"';
    assert_int_equal(luft_pgn_game_set_tag(game, "A", value, LONGEST), LUFT_ERROR_OVERFLOW);
    assert_int_equal(luft_pgn_game_set_tag(game, "A", value, LONGEST - 1), LUFT_OK);
    assert_moves(game, "*");
    for (int i = 0; i < LUFT_PGN_MAX_TEXT / LONGEST + 1; i++) { /* what is removed does not count */
        assert_int_equal(set_tag(game, "A", NULL), LUFT_OK);
        assert_int_equal(luft_pgn_game_set_tag(game, "A", value, LONGEST - 1), LUFT_OK);
        assert_int_equal(luft_pgn_game_set_tag(game, "A", value, LONGEST - 1), LUFT_OK);
    }
    luft_pgn_game_free(game);
}

static void the_result_and_its_tag_agree(void **state) {
    (void)state;
    static const struct {
        const char *pgn, *tag;
        luft_result result;
    } cases[] = {
        {"1. e4 1-0", "1-0", LUFT_RESULT_WHITE},
        {"1. e4", "*", LUFT_RESULT_UNKNOWN},
        {"[Result \"0-1\"]\n\n1. e4", "0-1", LUFT_RESULT_BLACK},
        {"[Result \"0-1\"]\n\n1. e4 *", "0-1", LUFT_RESULT_BLACK},
        {"[Result \"*\"]\n\n1. e4 1/2-1/2", "1/2-1/2", LUFT_RESULT_DRAW},
        {"[Result \"1-0\"]\n\n1. e4 0-1", "1-0", LUFT_RESULT_BLACK},
        {"[Result \"?\"]\n\n1. e4 0-1", "?", LUFT_RESULT_BLACK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        luft_pgn_game *game = read_text(cases[i].pgn);
        assert_int_equal(luft_pgn_game_result(game), cases[i].result);
        assert_string_equal(luft_pgn_game_tag(game, "Result", NULL), cases[i].tag);
        assert_int_equal(luft_pgn_game_set_result(game, LUFT_RESULT_DRAW), LUFT_OK);
        assert_string_equal(luft_pgn_game_tag(game, "Result", NULL), "1/2-1/2");
        assert_moves(game, "1. e4 1/2-1/2");
        assert_int_equal(set_tag(game, "Result", "1-0"), LUFT_OK);
        assert_int_equal(luft_pgn_game_result(game), LUFT_RESULT_WHITE);
        assert_int_equal(set_tag(game, "Result", NULL), LUFT_OK);
        assert_int_equal(luft_pgn_game_result(game), LUFT_RESULT_UNKNOWN);
        assert_int_equal(luft_pgn_game_set_result(game, LUFT_RESULT_NONE), LUFT_ERROR_ARGUMENT);
        luft_pgn_game_free(game);
    }
}

/* --- Editing ----------------------------------------------------------------- */

static void moves_are_added(void **state) {
    (void)state;
    luft_pgn_game *game;
    luft_pgn_node node = 77;
    assert_int_equal(luft_pgn_game_create(&game, NULL), LUFT_OK);
    const luft_pgn_node e5 = add_moves(game, LUFT_PGN_ROOT, "e4 e5", LUFT_PGN_PERSON);
    add_moves(game, LUFT_PGN_ROOT, "d4 d5", LUFT_PGN_PERSON);
    add_moves(game, e5, "Nf3", LUFT_PGN_PERSON);
    const luft_move illegal = luft_make_move(LUFT_E2, LUFT_E5, 0);
    assert_int_equal(luft_pgn_node_add(&node, game, e5, illegal, LUFT_PGN_PERSON), LUFT_ERROR_MOVE_ILLEGAL);
    assert_int_equal(luft_pgn_node_add(&node, game, 99, illegal, LUFT_PGN_PERSON), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_node_add(&node, game, e5, LUFT_MOVE_NONE, (luft_pgn_author)2), LUFT_ERROR_ARGUMENT);
    assert_int_equal(node, 77);
    assert_int_equal(luft_pgn_node_add(&node, game, e5, LUFT_MOVE_NONE, LUFT_PGN_PERSON), LUFT_OK);
    assert_moves(game, "1. e4 (1. d4 d5) 1... e5 2. Nf3 (2. --) *");
    luft_pgn_game_free(game);
    game = read_text("1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *");
    assert_int_equal(
        luft_pgn_node_add(NULL, game, node_after(game, "e4 e5 Qh5 Nc6 Qxf7+"), LUFT_MOVE_NONE, LUFT_PGN_PERSON),
        LUFT_ERROR_MOVE_ILLEGAL); /* no null move in check */
    luft_pgn_game_free(game);
}

static void nodes_are_deleted(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("1. e4 {a} (1. d4 $1 d5 (1... Nf6 {b}) 2. c4) (1. c4) 1... e5 2. Nf3 *");
    const luft_pgn_node d4 = node_after(game, "d4"), nf3 = node_after(game, "e4 e5 Nf3");
    assert_int_equal(luft_pgn_node_delete(game, d4), LUFT_OK);
    assert_false(luft_pgn_node_exists(game, d4));
    assert_int_equal(luft_pgn_node_delete(game, d4), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_node_delete(game, LUFT_PGN_ROOT), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_game_node_count(game), 5);
    assert_moves(game, "1. e4 {a} (1. c4) 1... e5 2. Nf3 *");
    assert_int_equal(node_after(game, "e4 e5 Nf3"), nf3); /* numbers stay */
    const luft_pgn_node added = add_moves(game, nf3, "Nc6", LUFT_PGN_PERSON);
    assert_true(added < 9); /* a number is used again */
    assert_int_equal(luft_pgn_node_nag_count(game, added), 0);
    assert_int_equal(luft_pgn_node_delete(game, node_after(game, "e4")), LUFT_OK);
    assert_moves(game, "1. c4 *"); /* the first variation becomes the line */
    luft_pgn_game_free(game);
}

static void variations_change_their_order(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("1. e4 e5 (1... c5 2. Nf3 (2. c3 d5)) (1... e6) ({x} 1... c6) 2. d4 *");
    const luft_pgn_node c6 = node_after(game, "e4 c6"), e5 = node_after(game, "e4 e5");
    assert_int_equal(luft_pgn_node_reorder(game, c6, 1), LUFT_OK);
    assert_moves(game, "1. e4 e5 ({x} 1... c6) (1... c5 2. Nf3 (2. c3 d5)) (1... e6) 2. d4 *");
    assert_int_equal(luft_pgn_node_reorder(game, e5, 2), LUFT_OK);
    assert_moves(game, "1. e4 {x} 1... c6 (1... c5 2. Nf3 (2. c3 d5)) (1... e5 2. d4) (1... e6) *");
    assert_int_equal(luft_pgn_node_reorder(game, c6, 99), LUFT_OK);
    assert_int_equal(luft_pgn_node_index(game, c6), 3);
    assert_int_equal(luft_pgn_node_promote(game, node_after(game, "e4 c5 c3 d5")), LUFT_OK);
    assert_moves(game, "1. e4 c5 (1... e5 2. d4) (1... e6) ({x} 1... c6) 2. c3 (2. Nf3) 2... d5 *");
    assert_int_equal(luft_pgn_node_promote(game, LUFT_PGN_ROOT), LUFT_OK);
    assert_int_equal(luft_pgn_node_reorder(game, LUFT_PGN_ROOT, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_node_promote(game, 99), LUFT_ERROR_ARGUMENT);
    luft_pgn_game_free(game);
}

static void nags_are_a_set(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("1. e4 $14 *");
    const luft_pgn_node e4 = node_after(game, "e4");
    luft_pgn_nag nag;
    assert_int_equal(luft_pgn_node_add_nag(game, e4, 1, LUFT_PGN_ENGINE), LUFT_OK);
    assert_int_equal(luft_pgn_node_add_nag(game, e4, 14, LUFT_PGN_ENGINE), LUFT_OK); /* stays the person's */
    assert_int_equal(luft_pgn_node_nag_count(game, e4), 2);
    assert_true(luft_pgn_node_nag_at(&nag, game, e4, 0));
    assert_true(nag.value == 14 && nag.author == LUFT_PGN_PERSON);
    assert_true(luft_pgn_node_nag_at(&nag, game, e4, 1));
    assert_true(nag.value == 1 && nag.author == LUFT_PGN_ENGINE);
    assert_moves(game, "1. e4 $14 $1 {[%luft nag:1]} *");
    assert_int_equal(luft_pgn_node_add_nag(game, e4, 1, LUFT_PGN_PERSON), LUFT_OK);
    assert_moves(game, "1. e4 $14 $1 *");
    assert_int_equal(luft_pgn_node_remove_nag(game, e4, 14), LUFT_OK);
    assert_int_equal(luft_pgn_node_remove_nag(game, e4, 14), LUFT_OK);
    assert_false(luft_pgn_node_nag_at(&nag, game, e4, 1));
    assert_int_equal(luft_pgn_node_add_nag(game, e4, 256, LUFT_PGN_PERSON), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_node_add_nag(game, e4, -1, LUFT_PGN_PERSON), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_node_remove_nag(game, e4, 256), LUFT_ERROR_ARGUMENT);
    assert_moves(game, "1. e4 $1 *");
    luft_pgn_game_free(game);
}

static void comments_are_edited(void **state) {
    (void)state;
    luft_pgn_game *game = read_text("1. e4 (1. d4) 1... e5 *");
    const luft_pgn_node e4 = node_after(game, "e4"), d4 = node_after(game, "d4"), e5 = node_after(game, "e4 e5");
    add_comment(game, e4, LUFT_PGN_AFTER, " one\n two } ", LUFT_PGN_PERSON);
    add_comment(game, e4, LUFT_PGN_AFTER, "three", LUFT_PGN_PERSON);
    add_comment(game, e4, LUFT_PGN_AFTER, " \n", LUFT_PGN_PERSON);
    add_comment(game, e4, LUFT_PGN_AFTER, "E", LUFT_PGN_ENGINE);
    add_comment(game, d4, LUFT_PGN_BEFORE, "or", LUFT_PGN_PERSON);
    add_comment(game, e5, LUFT_PGN_BEFORE, "back", LUFT_PGN_PERSON);
    assert_int_equal(luft_pgn_node_comment_count(game, e4, LUFT_PGN_AFTER), 3);
    assert_comment(game, e4, LUFT_PGN_AFTER, 0, "E", LUFT_PGN_ENGINE);
    assert_comment(game, e4, LUFT_PGN_AFTER, 1, "one two )", LUFT_PGN_PERSON);
    assert_int_equal(luft_pgn_node_set_comment(game, e4, LUFT_PGN_AFTER, 1, "2", 1, LUFT_PGN_PERSON), LUFT_OK);
    assert_int_equal(luft_pgn_node_remove_comment(game, e4, LUFT_PGN_AFTER, 0), LUFT_OK);
    assert_moves(game, "1. e4 {2} {three} ({or} 1. d4) {back} 1... e5 *");
    assert_int_equal(luft_pgn_node_set_comment(game, e4, LUFT_PGN_AFTER, 0, " ", 1, LUFT_PGN_PERSON), LUFT_OK);
    assert_comment(game, e4, LUFT_PGN_AFTER, 0, "three", LUFT_PGN_PERSON);
    /* Without the variation the two sides of the gap are one. */
    assert_int_equal(luft_pgn_node_delete(game, d4), LUFT_OK);
    assert_moves(game, "1. e4 {three} {back} 1... e5 *");

    assert_int_equal(luft_pgn_node_set_comment(game, e4, LUFT_PGN_AFTER, 1, "x", 1, LUFT_PGN_PERSON),
                     LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_node_remove_comment(game, e4, LUFT_PGN_AFTER, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_node_add_comment(game, e4, (luft_pgn_comment_place)2, "x", 1, LUFT_PGN_PERSON),
                     LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_node_add_comment(game, LUFT_PGN_ROOT, LUFT_PGN_BEFORE, "x", 1, LUFT_PGN_PERSON),
                     LUFT_ERROR_ARGUMENT);
    luft_pgn_game_free(game);
}

/* --- Limits ------------------------------------------------------------------ */

static void nodes_are_limited(void **state) {
    (void)state;
    luft_pgn_game *game;
    luft_pgn_node node = LUFT_PGN_ROOT;
    assert_int_equal(luft_pgn_game_create(&game, NULL), LUFT_OK);
    for (int i = 1; i < LUFT_PGN_MAX_NODES; i++) { /* one deep line */
        assert_int_equal(luft_pgn_node_add(&node, game, node, LUFT_MOVE_NONE, LUFT_PGN_ENGINE), LUFT_OK);
    }
    assert_int_equal(luft_pgn_node_add(&node, game, node, LUFT_MOVE_NONE, LUFT_PGN_PERSON), LUFT_ERROR_OVERFLOW);
    assert_true(luft_pgn_game_equal(game, game));
    assert_int_equal(luft_pgn_node_promote(game, node), LUFT_OK);
    luft_pgn_game_remove_engine(game); /* keeps the main line */
    assert_int_equal(luft_pgn_game_node_count(game), LUFT_PGN_MAX_NODES);
    assert_int_equal(luft_pgn_node_delete(game, luft_pgn_node_next(game, LUFT_PGN_ROOT)), LUFT_OK);
    assert_int_equal(luft_pgn_game_node_count(game), 1);
    node = LUFT_PGN_ROOT;
    for (int i = 1; i < LUFT_PGN_MAX_NODES; i++) { /* the same in a variation */
        const luft_pgn_node parent = i == 2 ? LUFT_PGN_ROOT : node;
        assert_int_equal(luft_pgn_node_add(&node, game, parent, LUFT_MOVE_NONE, LUFT_PGN_ENGINE), LUFT_OK);
    }
    luft_pgn_game_remove_engine(game);
    assert_int_equal(luft_pgn_game_node_count(game), 2);
    assert_int_equal(luft_pgn_node_author(game, luft_pgn_node_next(game, LUFT_PGN_ROOT)), LUFT_PGN_PERSON);
    assert_int_equal(luft_pgn_node_add(&node, game, LUFT_PGN_ROOT, LUFT_MOVE_NONE, LUFT_PGN_PERSON), LUFT_OK);
    luft_pgn_game_free(game);
}

static void texts_are_limited(void **state) {
    (void)state;
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE + 2);
    luft_pgn_game *game;
    assert_non_null(text);
    memset(text, 'x', SIZE + 2);
    assert_int_equal(luft_pgn_game_create(&game, NULL), LUFT_OK);
    for (int i = 0; i < 15; i++) {
        assert_int_equal(luft_pgn_node_add_comment(game, 0, LUFT_PGN_AFTER, text, SIZE, LUFT_PGN_PERSON), LUFT_OK);
    }
    assert_int_equal(luft_pgn_node_add_comment(game, 0, LUFT_PGN_AFTER, text, SIZE, LUFT_PGN_PERSON),
                     LUFT_ERROR_OVERFLOW);
    assert_int_equal(luft_pgn_node_add_comment(game, 0, LUFT_PGN_AFTER, text, SIZE - 4096, LUFT_PGN_PERSON), LUFT_OK);
    assert_int_equal(luft_pgn_node_set_command(game, 0, "a", text, 4096, LUFT_PGN_PERSON), LUFT_ERROR_OVERFLOW);
    assert_int_equal(luft_pgn_node_set_command(game, 0, "a", text, 4096, LUFT_PGN_ENGINE), LUFT_ERROR_OVERFLOW);
    assert_int_equal(luft_pgn_node_set_comment(game, 0, LUFT_PGN_AFTER, 15, text, SIZE, LUFT_PGN_PERSON),
                     LUFT_ERROR_OVERFLOW);
    assert_int_equal(luft_pgn_game_set_tag(game, "A", text, 4096), LUFT_ERROR_OVERFLOW);
    for (int i = 0; i < 20; i++) { /* only the last text counts */
        assert_int_equal(luft_pgn_node_set_comment(game, 0, LUFT_PGN_AFTER, 15, "x", 1, LUFT_PGN_PERSON), LUFT_OK);
        assert_int_equal(luft_pgn_node_set_comment(game, 0, LUFT_PGN_AFTER, 15, text, SIZE - 4096, LUFT_PGN_PERSON),
                         LUFT_OK);
        assert_int_equal(luft_pgn_node_set_comment(game, 0, LUFT_PGN_AFTER, 15, text, SIZE, LUFT_PGN_PERSON),
                         LUFT_ERROR_OVERFLOW);
    }
    int nags = 0;
    luft_error error = LUFT_OK;
    while (error == LUFT_OK && nags < 1000) {
        luft_pgn_node node;
        error = nags % 256 == 0 ? luft_pgn_node_add(&node, game, 0, LUFT_MOVE_NONE, LUFT_PGN_PERSON) : LUFT_OK;
        error = error == LUFT_OK ? luft_pgn_node_add_nag(game, node, nags % 256, LUFT_PGN_PERSON) : error;
        nags += error == LUFT_OK;
    }
    assert_int_equal(error, LUFT_ERROR_OVERFLOW);
    assert_int_equal(luft_pgn_node_remove_comment(game, 0, LUFT_PGN_AFTER, 0), LUFT_OK); /* makes room again */
    assert_int_equal(luft_pgn_node_add_comment(game, 0, LUFT_PGN_AFTER, text, SIZE, LUFT_PGN_PERSON), LUFT_OK);
    luft_pgn_game_free(game);
    free(text);
}

/* Gives a start, a pattern again and again, an end, and a short game. */
typedef struct pattern_source {
    const char *parts[4];
    size_t repeats; /* of part 1 that are left */
    int part;
    size_t used; /* bytes of the part */
} pattern_source;

static size_t give_pattern(void *payload, char *buffer, size_t size) {
    pattern_source *source = payload;
    if (source->part == 4) {
        return 0;
    }
    const char *const part = source->parts[source->part] + source->used;
    const size_t left = strlen(part), length = left < size ? left : size;
    memcpy(buffer, part, length);
    source->used += length;
    if (length == left) {
        source->part += source->part != 1 || --source->repeats == 0;
        source->used = 0;
    }
    return length;
}

/* A game beyond a limit is refused, and the next one is read. */
static void large_games_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *parts[4];
        size_t repeats;
        luft_error error;
    } cases[] = {
        {{"1. e4 ", "-- ", "*\n\n", "1. d4 *"}, LUFT_PGN_MAX_NODES, LUFT_ERROR_OVERFLOW},
        {{"1. e4 ", "(1. d4) ", "*\n\n", "1. d4 *"}, LUFT_PGN_MAX_NODES, LUFT_ERROR_OVERFLOW},
        {{"1. e4 ", "{x}", "*\n\n", "1. d4 *"}, LUFT_PGN_MAX_TEXT / 64, LUFT_ERROR_OVERFLOW},
        {{"1. e4 {", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "}*\n\n", "1. d4 *"},
         LUFT_PGN_MAX_TEXT / 32,
         LUFT_ERROR_OVERFLOW},
        {{"[A \"b\"]\n", "[A \"b\"]\n", "\n*\n\n", "1. d4 *"}, LUFT_PGN_MAX_TAGS, LUFT_ERROR_OVERFLOW},
        {{"1. e4 ", "(1. d4 ", "*\n\n[Event \"x\"]\n\n", "1. d4 *"}, 140000, LUFT_ERROR_OVERFLOW},
        {{"1. e4 ", "(1. d4 ", "*\n\n[Event \"x\"]\n\n", "1. d4 *"}, 100000, LUFT_OK}, /* many that are not closed */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pattern_source source = {.repeats = cases[i].repeats};
        memcpy(source.parts, cases[i].parts, sizeof source.parts);
        luft_pgn_reader *reader;
        luft_pgn_game *game = NULL;
        assert_int_equal(luft_pgn_reader_create(&reader, give_pattern, &source), LUFT_OK);
        assert_int_equal(luft_pgn_game_read(&game, reader), cases[i].error);
        if (cases[i].error == LUFT_OK) {
            assert_int_equal(luft_pgn_game_node_count(game), 100002);
            luft_pgn_game_free(game);
            game = NULL;
        }
        assert_null(game);
        assert_int_equal(luft_pgn_game_read(&game, reader), LUFT_OK);
        assert_moves(game, "1. d4 *");
        luft_pgn_game_free(game);
        assert_int_equal(luft_pgn_game_read(&game, reader), LUFT_ERROR_END);
        luft_pgn_reader_free(reader);
    }
}

/* --- Memory ------------------------------------------------------------------ */

/* Edits of every kind that allocates. */
static luft_error edit_step(luft_pgn_game *game, int step) {
    const luft_pgn_node e4 = node_after(game, "e4");
    luft_move move;
    switch (step) {
    case 0:
        assert_int_equal(luft_move_from_san(&move, luft_pgn_node_position(game, e4), "c6", 2), LUFT_OK);
        return luft_pgn_node_add(NULL, game, e4, move, LUFT_PGN_ENGINE);
    case 1: return luft_pgn_node_add_nag(game, e4, 4, LUFT_PGN_ENGINE);
    case 2: return luft_pgn_node_add_comment(game, e4, LUFT_PGN_AFTER, "x", 1, LUFT_PGN_ENGINE);
    case 3: return luft_pgn_node_set_comment(game, e4, LUFT_PGN_AFTER, 0, "y", 1, LUFT_PGN_PERSON);
    case 4: return set_command(game, e4, "eval", "1", LUFT_PGN_ENGINE);
    case 5: return set_command(game, e4, "eval", "2", LUFT_PGN_ENGINE);
    case 6: return set_tag(game, "ECO", "B00");
    case 7: return set_tag(game, "White", NULL);
    default: return LUFT_ERROR_END;
    }
}

/* Reads, edits and writes a game. An edit that fails leaves the game as it was. */
static luft_error read_and_edit(void *payload) {
    static text_sink before, after;
    luft_pgn_reader *reader = NULL;
    luft_pgn_game *game = NULL;
    luft_error error = luft_pgn_reader_create_text(&reader, payload, strlen(payload));
    if (error == LUFT_OK) {
        error = luft_pgn_game_read(&game, reader);
        assert_int_equal(error == LUFT_OK, game != NULL);
    }
    for (int step = 0; error == LUFT_OK; step++) {
        error = write_game(&before, game);
        if (error == LUFT_OK) {
            error = edit_step(game, step);
        }
        if (error == LUFT_ERROR_MEMORY) {
            assert_int_equal(write_game(&after, game), LUFT_OK);
            assert_true(before.length == 0 || strcmp(before.text, after.text) == 0);
        }
    }
    luft_pgn_game_free(game);
    luft_pgn_reader_free(reader);
    return error == LUFT_ERROR_END ? LUFT_OK : error;
}

static luft_error create_game(void *payload) {
    luft_pgn_game *game = NULL;
    const luft_error error = luft_pgn_game_create(&game, payload);
    assert_int_equal(error == LUFT_OK, game != NULL);
    luft_pgn_game_free(game);
    return error;
}

static void allocations_may_fail(void **state) {
    (void)state;
    char pgn[512] = "[Event \"x\"]\n[White \"y\"]\n[A \"1\"]\n[B \"1\"]\n[C \"1\"]\n[D \"1\"]\n[E \"1\"]\n[F \"1\"]\n"
                    "[G \"1\"]\n[H \"1\"]\n[I \"1\"]\n[J \"1\"]\n\n{a} 1. e4 $1 {b} {c} ($2 {d} 1. d4 $3) {e} "
                    "({f} $5) {g} (1. c4 (1. c3) {h}) {i} e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 "
                    "7. Bb3 (7. Nxe5 (7. Ng5) {j} {k}) {l} {m} 1-0";
    assert_true(assert_survives_failing_malloc(read_and_edit, pgn) > 30);
    luft_position position = position_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_true(assert_survives_failing_malloc(create_game, &position) >= 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_make_a_round_trip),
        cmocka_unit_test(variations_become_siblings),
        cmocka_unit_test(comments_have_their_sides),
        cmocka_unit_test(long_comments_are_whole),
        cmocka_unit_test(mistakes_cut_the_game),
        cmocka_unit_test(games_start_anywhere),
        cmocka_unit_test(a_full_sink_is_reported),
        cmocka_unit_test(games_differ),
        cmocka_unit_test(tags_are_set_and_removed),
        cmocka_unit_test(tags_have_a_longest_value),
        cmocka_unit_test(the_result_and_its_tag_agree),
        cmocka_unit_test(moves_are_added),
        cmocka_unit_test(nodes_are_deleted),
        cmocka_unit_test(variations_change_their_order),
        cmocka_unit_test(nags_are_a_set),
        cmocka_unit_test(comments_are_edited),
        cmocka_unit_test(nodes_are_limited),
        cmocka_unit_test(texts_are_limited),
        cmocka_unit_test(large_games_are_refused),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
