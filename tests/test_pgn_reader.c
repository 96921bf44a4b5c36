/* SPDX-License-Identifier: MIT */
/*
 * Reading PGN: every form in which games occur, what is refused and where. A test gives a
 * text and the callbacks it must lead to; each text is read at once, byte by byte and in
 * random pieces. Requests of visitors and input of any size are in test_pgn_stream.c.
 */
#include "support/check.h"
#include "support/transcript.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Bounds of games ------------------------------------------------------- */

static void a_plain_game(void **state) {
    (void)state;
    assert_transcript("[Event \"Club\"]\n[White \"Ann\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n",
                      "game\ntag Event=Club\ntag White=Ann\nmoves\ne2e4\ne7e5\ng1f3\nb8c6\nend 1-0\n");
}

static void text_without_a_game(void **state) {
    (void)state;
    assert_transcript("", "");
    assert_transcript(" \n\t\r\n\v\f ", "");
    assert_transcript("\xef\xbb\xbf", "");
    assert_transcript("{only a comment}\n; and another", "");
    assert_transcript("% only an escaped line\n%\n", "");
}

static void several_games(void **state) {
    (void)state;
    assert_transcript("[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 0-1\n",
                      "game\ntag Event=a\nmoves\ne2e4\nend *\ngame\ntag Event=b\nmoves\nd2d4\nend 0-1\n");
    /* without empty lines, and on one line */
    assert_transcript("[A \"a\"]1. e4 *[A \"b\"]1. d4 0-1", "game\ntag A=a\nmoves\ne2e4\nend *\n"
                                                            "game\ntag A=b\nmoves\nd2d4\nend 0-1\n");
}

static void games_without_tags(void **state) {
    (void)state;
    assert_transcript("1. e4 e5 1/2-1/2\n\n1. d4 d5 *\n",
                      "game\nmoves\ne2e4\ne7e5\nend 1/2-1/2\ngame\nmoves\nd2d4\nd7d5\nend *\n");
    assert_transcript("e4", "game\nmoves\ne2e4\nend without result\n");
    assert_transcript("*\n", "game\nmoves\nend *\n");
}

static void games_without_moves(void **state) {
    (void)state;
    assert_transcript("[White \"a\"]\n[SetUp \"1\"]\n\n",
                      "game\ntag White=a\ntag SetUp=1\nmoves\nend without result\n");
    assert_transcript("[White \"a\"]\n\n 0-1\n", "game\ntag White=a\nmoves\nend 0-1\n");
    assert_transcript("[White \"a\"]\n *\n\n[White \"b\"]\n *    ",
                      "game\ntag White=a\nmoves\nend *\ngame\ntag White=b\nmoves\nend *\n");
    assert_transcript("[White \"a\"]\n\n{The line was cut} 0-1\n\n[White \"b\"]\n\n{again} 1-0",
                      "game\ntag White=a\nmoves\n{The line was cut}\nend 0-1\n"
                      "game\ntag White=b\nmoves\n{again}\nend 1-0\n");
    assert_transcript("[Event \"a\"]\n[Result \"*\"]\n \n\n[Event \"b\"]\n\n1. e4 *\n",
                      "game\ntag Event=a\ntag Result=*\nmoves\nend without result\n"
                      "game\ntag Event=b\nmoves\ne2e4\nend *\n");
}

static void a_game_may_lack_its_result(void **state) {
    (void)state;
    assert_transcript("[White \"a\"]\n\n1. e4 e5\n\n[White \"b\"]\n\n1. d4",
                      "game\ntag White=a\nmoves\ne2e4\ne7e5\nend without result\n"
                      "game\ntag White=b\nmoves\nd2d4\nend without result\n");
}

/* An empty line between tags ends nothing: some programs write one after the first tag. */
static void an_empty_line_among_tags(void **state) {
    (void)state;
    assert_transcript("[Event \"a\"]\n\n[Date \"2017\"]\n\n\n[White \"b\"]\n\n1. e4 *",
                      "game\ntag Event=a\ntag Date=2017\ntag White=b\nmoves\ne2e4\nend *\n");
    /* names that differ in one bit are different */
    assert_transcript("[A \"1\"]\n\n[D \"2\"]\n\n[E \"3\"]\n\n[@ \"4\"]\n\n1. e4 *",
                      "game\ntag A=1\ntag D=2\ntag E=3\ntag @=4\nmoves\ne2e4\nend *\n");
}

/* A tag that repeats after an empty line belongs to the next game; without the empty line it is a duplicate. */
static void games_of_tags_alone(void **state) {
    (void)state;
    assert_transcript("[Round \"1\"]\n[White \"a\"]\n\n[Round \"2\"]\n[White \"b\"]\n\n[White \"c\"]\n[White \"d\"]\n",
                      "game\ntag Round=1\ntag White=a\nmoves\nend without result\n"
                      "game\ntag Round=2\ntag White=b\nmoves\nend without result\n"
                      "game\ntag White=c\ntag White=d\nmoves\nend without result\n");
    assert_transcript(
        "[Round \"1\"]\r\n[White \"a\"]\r\n[Round \"2\"]\r\n \r\n[Black \"b\"]\r\n\t\r\n[Black \"c\"]\r\n",
        "game\ntag Round=1\ntag White=a\ntag Round=2\ntag Black=b\nmoves\nend without result\n"
        "game\ntag Black=c\nmoves\nend without result\n");
}

static void an_empty_line_among_moves(void **state) {
    (void)state;
    const char *const tagged = "game\ntag A=a\nmoves\ne2e4\ne7e5\nd2d4\nd7d5\nend *\n";
    assert_transcript("[A \"a\"]\n1. e4\n\n\ne5 2. d4\r\n\r\nd5 *", tagged);
    assert_transcript("[A \"a\"]\n\n1. e4 e5\n\n1. d4 d5 *", tagged); /* numbers are not checked */
}

/* Without tags and result, an empty line ends a game if moves begin after it. */
static void an_empty_line_ends_a_game_without_tags(void **state) {
    (void)state;
    const char *const two =
        "game\nmoves\ne2e4\ne7e5\nend without result\ngame\nmoves\nd2d4\nd7d5\nend without result\n";
    static const char *const texts[] = {
        "1. e4 e5\n\n1. d4 d5\n",   "1. e4 e5\r\n\r\n1. d4 d5\r\n", "1. e4 e5\r\r1. d4 d5\r",
        "e4 e5\n\nd4 d5",           "1.e4 e5\n \t \n1.d4 d5",       "1. e4 e5 \n\n\n\n 1 d4 d5",
        "1e4 e5\n\n1d4 d5",         "\n\n1. e4 e5\n\n1.\nd4 d5",    "1. e4 e5\n%\n\n1. d4 d5",
        "1. e4 e5\n\n%x\n1. d4 d5", "1. e4 e5\n\xc2\xa0\n1. d4 d5",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_transcript(texts[i], two);
    }
    assert_transcript("1. e9 e5\n\n1. d4 d5", "game\nmoves\nerror at 1:4: not a move: e9\nend without result\n"
                                              "game\nmoves\nd2d4\nd7d5\nend without result\n");
    assert_transcript("1. e4 e5\n\n{second}\n1. d4 d5", "game\nmoves\ne2e4\ne7e5\n{second}\nend without result\n"
                                                        "game\nmoves\nd2d4\nd7d5\nend without result\n");
    assert_transcript("{first}\n\n1. e4 e5\n\n*", "game\n{first}\nmoves\ne2e4\ne7e5\nend *\n");
    /* text that continues the game does not begin the next one */
    const char *const one = "game\nmoves\ne2e4\ne7e5\ng1f3\nend *\n";
    assert_transcript("1. e4 e5\n\n2. Nf3\n\n*", one);
    assert_transcript("1. e4\n\n1... e5\n\n2. Nf3\n\n*", one);
    assert_transcript("1. e4 e5\n2.\nNf3\n*", one);
    assert_transcript("1. e4\n\n$1\n\n(\n\n1. d4\n\n1... d5)\n\n1... e5\n\n1-0",
                      "game\nmoves\ne2e4\n$1\n(\nd2d4\nd7d5\n)\ne7e5\nend 1-0\n");
}

/* Text after a result is not a game unless it can begin one. */
static void text_after_a_result(void **state) {
    (void)state;
    static const char *const texts[] = {
        ".",
        " .",
        "...",
        " White resigns",
        "\nWhite resigns\nin time trouble.",
        " (1:23-0:58)",
        " (2. Nf3 Nc6)",
        " 1-0",
        " *",
        " # +-",
        " ]",
        " 3 hours",
        " 3.5 hours",
        "\n%x\ny",
        " )",
        " -",
        "\r\nx\r\ny",
        " - -",
        " <x>",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        static const char *const nexts[] = {"", "\n\n1. d4 *", " 1. d4 *", "\n[A \"a\"]\n1. d4 *", "\nd4 *"};
        for (size_t j = 0; j < sizeof nexts / sizeof nexts[0]; j++) {
            char text[100];
            const char *const second = j == 0   ? "game\nmoves\ne2e4\nend 1-0\n"
                                       : j == 3 ? "game\nmoves\ne2e4\nend 1-0\ngame\ntag A=a\nmoves\nd2d4\nend *\n"
                                                : "game\nmoves\ne2e4\nend 1-0\ngame\nmoves\nd2d4\nend *\n";
            snprintf(text, sizeof text, "1. e4 1-0%s%s", texts[i], nexts[j]);
            assert_transcript(text, second);
        }
    }
    assert_transcript("1. e4 1-0 won {x} well $1", "game\nmoves\ne2e4\n{x}\n$1\nend 1-0\n");
    /* after an empty line it is an error, as it is before the first game */
    assert_transcript("1. e4 1-0\n\nWhite resigns",
                      "game\nmoves\ne2e4\nend 1-0\n"
                      "game\nmoves\nerror at 3:1: not a move: White\nend without result\n");
    assert_transcript("e4 1-0 -- e5 *", "game\nmoves\ne2e4\nend 1-0\ngame\nmoves\n0000\ne7e5\nend *\n");
    assert_transcript("e4 1-0 d4+- *", "game\nmoves\ne2e4\nend 1-0\ngame\nmoves\nd2d4\n$18\nend *\n");
    assert_transcript("e4 1-0 d4*", "game\nmoves\ne2e4\nend 1-0\ngame\nmoves\nd2d4\nend *\n");
}

/* --- Tags ------------------------------------------------------------------ */

static void escapes_in_tags(void **state) {
    (void)state;
    assert_transcript("[A \"say \\\"x\\\" and \\\\ and \\n\"]\n*",
                      "game\ntag A=say \"x\" and \\ and \\n\nmoves\nend *\n");
    assert_transcript("[A \"\\\"]\"]*", "game\ntag A=\"]\nmoves\nend *\n");
    assert_transcript("[A \"\"][B \"\\\\\"]*", "game\ntag A=\ntag B=\\\nmoves\nend *\n");
    /* a stray backslash before the closing quote */
    assert_transcript("[Event \"Open \\\"]\n[Site \"x\"]\n1. e4 *",
                      "game\ntag Event=Open \\\ntag Site=x\nmoves\ne2e4\nend *\n");
}

static void quotes_and_brackets_in_tags(void **state) {
    (void)state;
    assert_transcript("[A \"The \"Open\" Finals\"]\n[B \"Club \"Win\"\"]\n*",
                      "game\ntag A=The \"Open\" Finals\ntag B=Club \"Win\"\nmoves\nend *\n");
    assert_transcript("[A \"one [!] two\"]\n[B \"closing ] opening [ (\"]\n[C \"{;%$\"]\n*",
                      "game\ntag A=one [!] two\ntag B=closing ] opening [ (\ntag C={;%$\nmoves\nend *\n");
}

static void blanks_around_tags(void **state) {
    (void)state;
    assert_transcript("  [ A   \"1\"  ]\t[B\"2\"][C \"3\"]\n  [_x-Y9 \"4\" ]\n*",
                      "game\ntag A=1\ntag B=2\ntag C=3\ntag _x-Y9=4\nmoves\nend *\n");
}

/* A duplicate tag is not an error and is passed on twice. The first one sets up the position. */
static void duplicate_tags(void **state) {
    (void)state;
    assert_transcript("[A \"1\"]\n[A \"2\"]\n*", "game\ntag A=1\ntag A=2\nmoves\nend *\n");
    assert_transcript("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[FEN \"none\"]\n1. e4 *",
                      "game\ntag FEN=4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\ntag FEN=none\n"
                      "moves 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\ne2e4\nend *\n");
    assert_transcript("[FEN \"\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n1. e4 *",
                      "game\ntag FEN=\ntag FEN=4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n"
                      "moves 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\ne2e4\nend *\n");
    assert_transcript("[Variant \"Chess\"]\n[Variant \"Horde\"]\n1. e4 *",
                      "game\ntag Variant=Chess\ntag Variant=Horde\nmoves\ne2e4\nend *\n");
    assert_transcript("[Variant \"Horde\"]\n[Variant \"Chess\"]\n1. e4 *",
                      "game\ntag Variant=Horde\ntag Variant=Chess\n"
                      "error at 1:11: the variant is not supported: Horde\nend *\n");
}

static void malformed_tags(void **state) {
    (void)state;
    assert_transcript("[A \"1]\n[B \"2\"]\n1. e4 *\n[C \"3\"] *",
                      "game\nerror at 1:1: the tag pair is not closed on its line: [A \"1]\nend *\n"
                      "game\ntag C=3\nmoves\nend *\n");
    assert_transcript("[A 1]\n\n1. e4 *",
                      "game\nerror at 1:1: tag pair: expected a name and a value in quotes: [A 1]\nend *\n");
    assert_transcript(
        "[\"x\"] *",
        "game\nerror at 1:1: tag pair: expected a name and a value in quotes: [\"x\"] *\nend without result\n");
}

static void a_line_with_event_begins_a_game(void **state) {
    (void)state;
    const char *const second = "game\ntag Event=b\nmoves\nd2d4\nend *\n";
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"1. e4 {not closed", "game\nmoves\ne2e4\nerror at 1:7: a comment is not closed: {\nend without result\n"},
        {"1. e4 e5 (1... c5 2. d4",
         "game\nmoves\ne2e4\ne7e5\n(\nc7c5\nd2d4\nerror at 2:1: a variation is not closed: \n"
         "end without result\n"},
        {"[Event \"a\"]", "game\ntag Event=a\nmoves\nend without result\n"},
        {"[Event \"a\"]\n[Site \"a\"]", "game\ntag Event=a\ntag Site=a\nmoves\nend without result\n"},
        {"[Event \"]", "game\nerror at 1:1: the tag pair is not closed on its line: [Event \"]\nend without result\n"},
        {"[Site \"a\"]\n", "game\ntag Site=a\nmoves\nend without result\n"},
        {"[Site \"a\"] {x}", "game\ntag Site=a\nmoves\n{x}\nend without result\n"},
        {"1. e4 ; [A \"b\"]", "game\nmoves\ne2e4\n{ [A \"b\"]}\nend without result\n"},
        {"{before}", ""},
        {"{never closed", "game\nerror at 1:1: a comment is not closed: {\nend without result\n"},
        {"; a line", ""},
        {"1. e4 1-0 {after}", "game\nmoves\ne2e4\n{after}\nend 1-0\n"},
        {"1. e5 nonsense", "game\nmoves\nerror at 1:4: the move is not legal: e5\nend without result\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200], expected[400];
        snprintf(text, sizeof text, "%s\n[Event \"b\"]\n1. d4 *", cases[i].text);
        snprintf(expected, sizeof expected, "%s%s", cases[i].expected, second);
        assert_transcript(text, expected);
    }
    /* not at the beginning of a line it is ordinary text */
    assert_transcript("1. e4 { [Event \"b\"] } e5 *", "game\nmoves\ne2e4\n{ [Event \"b\"] }\ne7e5\nend *\n");
    assert_transcript("1. e4 {\n[Events \"b\"] } e5 *", "game\nmoves\ne2e4\n{\n[Events \"b\"] }\ne7e5\nend *\n");
}

/* Import format allows any order; DGT boards write other tags before Event. */
static void tags_before_event(void **state) {
    (void)state;
    const char *const expected = "game\ntag Site=X\ntag Event=Y\nmoves\ne2e4\nend 1-0\n";
    assert_transcript("[Site \"X\"]\n[Event \"Y\"]\n\n1. e4 1-0\n", expected);
    assert_transcript("[Site \"X\"]\r\n[Event \"Y\"]\r\n\r\n1. e4 1-0\r\n", expected);
    assert_transcript("[Site \"X\"]\r[Event \"Y\"]\r\r1. e4 1-0\r", expected);
    assert_transcript("[Site \"X\" ] \t\n[Event \"Y\"]\n1. e4 1-0", expected);
    assert_transcript("[Site \"X\"] [Event \"Y\"]\n1. e4 1-0", expected);
    assert_transcript("[Date \"1\"]\n[White \"2\"]\n[Event \"3\"]\n[Site \"4\"]\n\n*\n\n[Date \"5\"]\n[Event \"6\"]\n*",
                      "game\ntag Date=1\ntag White=2\ntag Event=3\ntag Site=4\nmoves\nend *\n"
                      "game\ntag Date=5\ntag Event=6\nmoves\nend *\n");
    /* A comment that is not closed continues over such a line. It would not over one that stands apart. */
    assert_transcript("1. e4 {not closed\n[Site \"X\"]\n[Event \"Y\"]\n\n1. d4 *\n\n[Event \"Z\"]\n*",
                      "game\nmoves\ne2e4\nerror at 1:7: a comment is not closed: {\nend without result\n"
                      "game\ntag Event=Z\nmoves\nend *\n");
    /* More blanks than the cut looks at: two games. */
    assert_transcript("[Site \"X\"]                             \n[Event \"Y\"]\n*",
                      "game\ntag Site=X\ntag Event=Y\nmoves\nend *\n");
    assert_transcript("[Site \"X\"]                              \n[Event \"Y\"]\n*",
                      "game\ntag Site=X\nmoves\nend without result\ngame\ntag Event=Y\nmoves\nend *\n");
}

static void a_text_can_be_cut_before_event(void **state) {
    (void)state;
    static const struct {
        const char *before;
        bool can_cut;
    } cases[] = {
        {"\n", true},
        {"\r", true},
        {"*\n", true},
        {"1-0\r\n", true},
        {"[A \"b\"]\n\n", true},
        {"[A \"b\"]\r\n\r\n", true},
        {"[A \"b\"]\r\r", true},
        {"[A \"b\"]\n\r", true},
        {"[A \"b\"] {c}\n", true},
        {"{[%clk 1:00]\n", true},
        {"{never closed\n", true},
        {"x]\n", true},
        {"]\n", true},
        {"\" x]\n", true},
        {"[A \"b\"]\n", false},
        {"[A \"b\"]\r", false},
        {"[A \"b\"]\r\n", false},
        {"[A \"b\" \t]  \n", false},
        {"\"]\n", false},
        {"\"                           ]  \n", false}, /* 32 bytes */
        {"\"                            ]  \n", true},
        {"", false},
        {"x", false}, /* not at the beginning of a line */
        {"\n ", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[100];
        const size_t at = strlen(cases[i].before);
        const int length = snprintf(text, sizeof text, "%s[Event \"x", cases[i].before);
        for (size_t end = 0; end <= (size_t)length; end++) {
            char *const exact = malloc(end + 1); /* so that sanitizers see a read beyond the end */
            assert_non_null(exact);
            memcpy(exact, text, end);
            for (size_t place = 0; place <= end + 1; place++) {
                const bool expected = cases[i].can_cut && place == at && end >= at + LUFT_PGN_CUT_AFTER;
                assert_int_equal(luft_pgn_can_cut(exact, end, place), expected);
            }
            free(exact);
        }
    }
    assert_false(luft_pgn_can_cut("\n[Events \"x\"]", 13, 1));
    assert_false(luft_pgn_can_cut("\n[Event\"x\"]", 12, 1));
    assert_false(luft_pgn_can_cut(NULL, 10, 1));
    assert_false(luft_pgn_can_cut("\n[Event \"", 9, SIZE_MAX));
}

/* --- Moves ----------------------------------------------------------------- */

static void move_numbers_in_any_form(void **state) {
    (void)state;
    const char *const expected = "game\nmoves\ne2e4\ne7e5\ng1f3\nb8c6\nend *\n";
    assert_transcript("1. e4 e5 2. Nf3 Nc6 *", expected);
    assert_transcript("1.e4 e5 2.Nf3 Nc6 *", expected);
    assert_transcript("1. e4 1... e5 2. Nf3 2... Nc6 *", expected);
    assert_transcript("1.e4 1...e5 2.Nf3 2...Nc6 *", expected);
    assert_transcript("1 . e4 1 . . . e5 2 Nf3 Nc6 *", expected);
    assert_transcript("e4 e5 Nf3 Nc6 *", expected);
    assert_transcript("99.e4 12345... e5 0. Nf3 007 Nc6*", expected);
    assert_transcript("1.\ne4\ne5\n2.\nNf3\nNc6\n*", expected);
    assert_transcript("1e4 e5 2Nf3 Nc6 *", expected);
    assert_transcript("01.e4 0e5 02.Nf3 002...Nc6 *", expected);
    assert_transcript("0001 e4 0001 e5 00. Nf3 000...Nc6 *", expected);
}

/* A number is cut after 255 bytes, like every word. The rest is read separately, and may be a result. */
static void long_move_numbers_are_cut(void **state) {
    (void)state;
    static const char first_digits[] = {'2', '0'};
    for (size_t i = 0; i < sizeof first_digits; i++) {
        char text[300];
        memset(text, '2', sizeof text);
        text[0] = first_digits[i];
        strcpy(text + 255, "1-0");
        assert_transcript(text, "game\nmoves\nend 1-0\n");
        memset(text, '.', 255);
        text[0] = first_digits[i];
        assert_transcript(text, "game\nmoves\nend 1-0\n");
        text[0] = first_digits[i];
        memset(text + 1, '2', 254);
        strcpy(text + 255, " e4 *");
        assert_transcript(text, "game\nmoves\ne2e4\nend *\n");
    }
}

static void results_in_any_form(void **state) {
    (void)state;
    assert_transcript("e4 1/2", "game\nmoves\ne2e4\nend 1/2-1/2\n");
    assert_transcript("e4 \xc2\xbd-\xc2\xbd", "game\nmoves\ne2e4\nend 1/2-1/2\n");
    assert_transcript("e4 \xbd-\xbd", "game\nmoves\ne2e4\nend 1/2-1/2\n");
    assert_transcript("e4 \xbd", "game\nmoves\ne2e4\nend 1/2-1/2\n");
    assert_transcript("f3 e5 g4 Qh4#0-1", "game\nmoves\nf2f3\ne7e5\ng2g4\nd8h4\nend 0-1\n");
    assert_transcript("e4 e51-0", "game\nmoves\ne2e4\ne7e5\nend 1-0\n");
    assert_transcript("e4 e5*", "game\nmoves\ne2e4\ne7e5\nend *\n");
    assert_transcript("e4 e51/2-1/2", "game\nmoves\ne2e4\ne7e5\nend 1/2-1/2\n");
    assert_transcript("e4 {x}1-0", "game\nmoves\ne2e4\n{x}\nend 1-0\n");
    assert_transcript("e4 e5\xc2\xbd", "game\nmoves\ne2e4\ne7e5\nend 1/2-1/2\n");
    assert_transcript("e4 e5\xc2\xbd-\xc2\xbd", "game\nmoves\ne2e4\ne7e5\nend 1/2-1/2\n");
    assert_transcript("e4 e5\xbd-\xbd", "game\nmoves\ne2e4\ne7e5\nend 1/2-1/2\n");
    assert_transcript("e4 e5\xbd", "game\nmoves\ne2e4\ne7e5\nend 1/2-1/2\n");
    /* the shortest words with a result glued to them, in a muted game */
    assert_transcript("e9 ab\xbd d4 *", "game\nmoves\nerror at 1:1: not a move: e9\nend 1/2-1/2\n"
                                        "game\nmoves\nd2d4\nend *\n");
    assert_transcript("e9 ab-\xbd d4 *", "game\nmoves\nerror at 1:1: not a move: e9\nend 1/2-1/2\n"
                                         "game\nmoves\nd2d4\nend *\n");
    assert_transcript("e9 e41-0 d4 *", "game\nmoves\nerror at 1:1: not a move: e9\nend 1-0\n"
                                       "game\nmoves\nd2d4\nend *\n");
}

/* Hyphens, dashes and the minus sign in UTF-8, and the dashes of Windows-1252. */
static void results_with_typographic_dashes(void **state) {
    (void)state;
    static const char *const dashes[] = {"-", "‐", "‑", "‒", "–", "—", "―", "−", "\x96", "\x97"};
    for (size_t i = 0; i < sizeof dashes / sizeof dashes[0]; i++) {
        static const char *const befores[] = {"e4 e5 ", "e4 e5", "e4 e5\n", "e4 e5 {x} "};
        for (size_t j = 0; j < sizeof befores / sizeof befores[0]; j++) {
            const char *const moves = j == 3 ? "e2e4\ne7e5\n{x}\n" : "e2e4\ne7e5\n";
            static const char *const scores[][3] = {
                {"1", "0", "1-0"}, {"0", "1", "0-1"}, {"1/2", "1/2", "1/2-1/2"}, {"½", "½", "1/2-1/2"}};
            for (size_t k = 0; k < sizeof scores / sizeof scores[0]; k++) {
                char text[100], expected[100];
                snprintf(text, sizeof text, "%s%s%s%s d4 *", befores[j], scores[k][0], dashes[i], scores[k][1]);
                snprintf(expected, sizeof expected, "game\nmoves\n%send %s\ngame\nmoves\nd2d4\nend *\n", moves,
                         scores[k][2]);
                assert_transcript(text, expected);
            }
        }
    }
    assert_transcript("1♘f3 1♞f6 *", "game\nmoves\ng1f3\ng8f6\nend *\n"); /* a number, not a result */
    assert_transcript("e4 (e3 1–0) e5 *", "game\nmoves\ne2e4\n(\ne2e3\n)\ne7e5\nend *\n");
}

static void castling_in_any_form(void **state) {
    (void)state;
    const char *const tags = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n";
    static const char *const moves[] = {"O-O O-O-O *", "0-0 0-0-0 *",  "1.O-O 0-0-0*",       "1.0-0 1...O-O-O *",
                                        "00 000 *",    "1.00 000+\n*", "1. 00 1... 000#+ *", "001. 00. 00 1...000*"};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s%s", tags, moves[i]);
        assert_transcript(text, "game\ntag FEN=r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\n"
                                "moves r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\ne1g1\ne8c8\nend *\n");
    }
    /* zeros are never skipped as numbers: the next move would be read for the wrong side */
    assert_transcript("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 00! Nd4 (4... 000 d3) 5. d3 *",
                      "game\nmoves\ne2e4\ne7e5\ng1f3\nb8c6\nf1c4\nf8c5\ne1g1\n$1\nc6d4\n(\n"
                      "error at 1:49: the move is not legal: 000\nend *\n");
    assert_transcript("1. 00 e5 1-0 00 *", "game\nmoves\nerror at 1:4: the move is not legal: 00\nend 1-0\n"
                                           "game\nmoves\nerror at 1:14: the move is not legal: 00\nend *\n");
}

static void moves_in_other_spellings(void **state) {
    (void)state;
    assert_transcript("g1f3 g8f6 e2-e4 Nf6xe4 *", "game\nmoves\ng1f3\ng8f6\ne2e4\nf6e4\nend *\n");
    assert_transcript("e4 d5 e5 f5 exf6e.p. *", "game\nmoves\ne2e4\nd7d5\ne4e5\nf7f5\ne5f6\nend *\n");
    assert_transcript("e4 d5 e5 f5 exf6 e.p. gxf6 *", "game\nmoves\ne2e4\nd7d5\ne4e5\nf7f5\ne5f6\ng7f6\nend *\n");
    assert_transcript("e4 d5 e5 f5 exf6 e.p.$1 gxf6 *", "game\nmoves\ne2e4\nd7d5\ne4e5\nf7f5\ne5f6\n$1\ng7f6\nend *\n");
    assert_transcript("e4 d5 e5 f5 exf6 ep gxf6 *", "game\nmoves\ne2e4\nd7d5\ne4e5\nf7f5\ne5f6\ng7f6\nend *\n");
    assert_transcript("e4 eq *", "game\nmoves\ne2e4\nerror at 1:4: not a move: eq\nend *\n");
    assert_transcript("e4 e5 Qh5 g6 Qxe5 + Qe7 *", "game\nmoves\ne2e4\ne7e5\nd1h5\ng7g6\nh5e5\nd8e7\nend *\n");
    const char *const promotion =
        "game\ntag FEN=7k/P7/8/8/8/8/8/K7 w - - 0 1\nmoves 7k/P7/8/8/8/8/8/K7 w - - 0 1\na7a8q\n"
        "end *\n";
    assert_transcript("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"] a8=Q *", promotion);
    assert_transcript("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"] a8Q+ *", promotion);
    assert_transcript("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"] a8(Q) *", promotion);
    assert_transcript("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"] a8/Q *", promotion);
}

static void null_moves(void **state) {
    (void)state;
    assert_transcript("e4 -- d4 Z0 Nf3 0000 a3 @@@@ *",
                      "game\nmoves\ne2e4\n0000\nd2d4\n0000\ng1f3\n0000\na2a3\n0000\nend *\n");
    assert_transcript("e4 f5 Qh5+ -- *",
                      "game\nmoves\ne2e4\nf7f5\nd1h5\nerror at 1:12: the move is not legal: --\nend *\n");
}

static void annotations(void **state) {
    (void)state;
    assert_transcript("e4! e5? d4!! d5?? c4!? c5?! b4 ! b5 ?? a4 $1 a5$255 h4 $0 *",
                      "game\nmoves\ne2e4\n$1\ne7e5\n$2\nd2d4\n$3\nd7d5\n$4\nc2c4\n$5\nc7c5\n$6\nb2b4\n$1\nb7b5\n$4\n"
                      "a2a4\n$1\na7a5\n$255\nh2h4\n$0\nend *\n");
    assert_transcript("e4!!! e5 $12 $13 Qh5+! *", "game\nmoves\ne2e4\n$3\n$1\ne7e5\n$12\n$13\nd1h5\n$1\nend *\n");
    assert_transcript("e4 $00001 e5 *", "game\nmoves\ne2e4\n$1\ne7e5\nend *\n");
    assert_transcript("e4 $99999999999999999999 e5 *",
                      "game\nmoves\ne2e4\nerror at 1:4: annotation: expected $ and an integer up to 255: "
                      "$99999999999999999999\nend *\n");
    assert_transcript("e4 $256 e5 *",
                      "game\nmoves\ne2e4\nerror at 1:4: annotation: expected $ and an integer up to 255: $256\n"
                      "end *\n");
    assert_transcript("e4 $ e5 *",
                      "game\nmoves\ne2e4\nerror at 1:4: annotation: expected $ and an integer up to 255: $\nend *\n");
}

static void glyphs(void **state) {
    (void)state;
    static const struct {
        const char *glyph;
        int nag; /* 0 for none */
    } cases[] =
        {
            {"=", 10},   {"+=", 14},  {"+/=", 14}, {"⩲", 14},    {"=+", 15}, {"=/+", 15},
            {"⩱", 15},   {"+/-", 16}, {"±", 16},   {"\xb1", 16},             /* the same in Latin-1 */
            {"-/+", 17}, {"∓", 17},   {"+-", 18},  {"-+", 19},   {"+−", 18}, /* the minus sign */
            {"−+", 19},  {"+–", 18},  {"—+", 19},  {"+/−", 16},  {"∞", 13},  {"□", 7},
            {"‼", 3},    {"⁇", 4},    {"⁉", 5},    {"⁈", 6},     {"⨀", 0}, /* zugzwang, attack, counterplay: the standard has a number for each side */
            {"→", 0},    {"⇆", 0},    {"⊕", 0},    {"=∞", 0},    {"~=", 0},  {"^", 0},
            {"⌓", 0},    {"⌽", 0}, /* its last byte is that of one half in Latin-1 */
        };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[100], expected[100], nag[16] = "";
        if (cases[i].nag > 0) {
            snprintf(nag, sizeof nag, "$%d\n", cases[i].nag);
        }
        snprintf(expected, sizeof expected, "game\nmoves\ne2e4\n%se7e5\n%s{x}\ng1f3\nend 1-0\n", nag, nag);
        snprintf(text, sizeof text, "1. e4 %s e5 %s {x} 2. Nf3 1-0", cases[i].glyph, cases[i].glyph);
        assert_transcript(text, expected);
        snprintf(text, sizeof text, "1. e4%s e5%s {x} 2. Nf3 1-0", cases[i].glyph, cases[i].glyph);
        assert_transcript(text, expected);
        /* a game that is skipped ends at the same place */
        snprintf(text, sizeof text, "e9 e5%s %s 1-0 d4 *", cases[i].glyph, cases[i].glyph);
        assert_transcript(text, "game\nmoves\nerror at 1:1: not a move: e9\nend 1-0\ngame\nmoves\nd2d4\nend *\n");
    }
    assert_transcript("e4!± e5?! +/= *", "game\nmoves\ne2e4\n$1\n$16\ne7e5\n$6\n$14\nend *\n");
    assert_transcript("e4 f5 Qh5+= g6 *", "game\nmoves\ne2e4\nf7f5\nd1h5\n$10\ng7g6\nend *\n"); /* check and = */
    assert_transcript("e4 f5 Qh5++- g6 *", "game\nmoves\ne2e4\nf7f5\nd1h5\n$18\ng7g6\nend *\n");
    assert_transcript("e4 f5 Qh5+- g6 *", "game\nmoves\ne2e4\nf7f5\nd1h5\n$18\ng7g6\nend *\n");
    assert_transcript("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\nO-O+- Ke7 *",
                      "game\ntag FEN=4k3/8/8/8/8/8/8/4K2R w K - 0 1\nmoves 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n"
                      "e1g1\n$18\ne8e7\nend *\n");
    /* signs that are not glyphs, or stand in the middle of a move, are still errors */
    static const char *const words[] = {"-", "/", "-/-", "—", "♘", "e5-", "e5--", "=Q", "±e5", "e±5"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char text[100], expected[100];
        snprintf(text, sizeof text, "e4 %s *", words[i]);
        snprintf(expected, sizeof expected, "game\nmoves\ne2e4\nerror at 1:4: not a move: %s\nend *\n", words[i]);
        assert_transcript(text, expected);
    }
}

static void comments(void **state) {
    (void)state;
    assert_transcript(
        "{first} 1. e4 {a}{b} e5 { ( [ \" ; % \n two lines } 2. d4 {} d5 *",
        "game\n{first}\nmoves\ne2e4\n{a}\n{b}\ne7e5\n{ ( [ \" ; % \n two lines }\nd2d4\n{}\nd7d5\nend *\n");
    assert_transcript("e4 ; to the end {\ne5;again\r\nd4;\n*",
                      "game\nmoves\ne2e4\n{ to the end {}\ne7e5\n{again}\nd2d4\n{}\nend *\n");
    assert_transcript("e4;last", "game\nmoves\ne2e4\n{last}\nend without result\n");
    assert_transcript("e4 {a {b} c} e5 *", "game\nmoves\ne2e4\n{a {b}\nerror at 1:11: not a move: c\nend *\n");
    assert_transcript("[A \"1\"]\n; said before\n{and this}\n1. e4 * ; after\n{all} $1",
                      "game\ntag A=1\nmoves\n{ said before}\n{and this}\ne2e4\n{ after}\n{all}\n$1\nend *\n");
    assert_transcript("{one} ;two\n[A \"1\"] e4 *", "game\n{one}\n{two}\ntag A=1\nmoves\ne2e4\nend *\n");
}

static void escaped_lines(void **state) {
    (void)state;
    assert_transcript("% one\n[A \"1\"]\n%two\n1. e4\n%1. e5 {\ne5 *\n% end",
                      "game\ntag A=1\nmoves\ne2e4\ne7e5\nend *\n");
    assert_transcript("e4 %e5 *", "game\nmoves\ne2e4\nerror at 1:4: not a move: %e5\nend *\n");
    assert_transcript(" %e4 *", "game\nmoves\nerror at 1:2: not a move: %e4\nend *\n");
}

static void variations(void **state) {
    (void)state;
    assert_transcript(
        "1. e4 e5 (1... c5 2. Nf3 (2. c3) (2. d4 cxd4) 2... d6) (1... e6) 2. Nf3 *",
        "game\nmoves\ne2e4\ne7e5\n(\nc7c5\ng1f3\n(\nc2c3\n)\n(\nd2d4\nc5d4\n)\nd7d6\n)\n(\ne7e6\n)\ng1f3\nend *\n");
    assert_transcript("e4(d4)e5()(d5)*", "game\nmoves\ne2e4\n(\nd2d4\n)\ne7e5\n(\n)\n(\nd7d5\n)\nend *\n");
    assert_transcript("e4 ({why} d4! $7 {so}) e5 *",
                      "game\nmoves\ne2e4\n(\n{why}\nd2d4\n$1\n$7\n{so}\n)\ne7e5\nend *\n");
    /* a result in a variation does not end the game */
    assert_transcript("e4 (d4 d5 1-0) (f4 *) e5 0-1",
                      "game\nmoves\ne2e4\n(\nd2d4\nd7d5\n)\n(\nf2f4\n)\ne7e5\nend 0-1\n");
    assert_transcript("(e4) *", "game\nmoves\nerror at 1:1: a variation must follow a move: (\nend *\n");
    assert_transcript("e4 (d4 ((e3)) ) *",
                      "game\nmoves\ne2e4\n(\nd2d4\n(\nerror at 1:9: a variation must follow a move: (\nend *\n");
    assert_transcript("e4) *", "game\nmoves\ne2e4\nerror at 1:3: no variation is open: )\nend *\n");
    assert_transcript("e4 (d4",
                      "game\nmoves\ne2e4\n(\nd2d4\nerror at 1:7: a variation is not closed: \nend without result\n");
}

/* --- Start positions -------------------------------------------------------- */

static void start_positions(void **state) {
    (void)state;
    assert_transcript("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 20\"]\n20... Kd7 21. e4 *",
                      "game\ntag FEN=4k3/8/8/8/8/8/4P3/4K3 b - - 3 20\nmoves 4k3/8/8/8/8/8/4P3/4K3 b - - 3 20\n"
                      "e8d7\ne2e4\nend *\n");
    /* the next game starts from the standard position again */
    assert_transcript(
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] e4 * [A \"1\"] d4 *",
        "game\ntag FEN=4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nmoves 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\ne2e4\nend *\n"
        "game\ntag A=1\nmoves\nd2d4\nend *\n");
    assert_transcript("[FEN \"\"] e4 *", "game\ntag FEN=\nmoves\ne2e4\nend *\n");
    assert_transcript("[FEN \"-\"] e4 *",
                      "game\ntag FEN=-\nerror at 1:7: neither a piece letter nor a digit from 1 to 8: -\nend *\n");
    assert_transcript("[FEN \"4k3/8/8/8/8/8/8/8 w - - 0 1\"]\n[White \"a\"]\n1. e4 *\n[B \"2\"] d4 *",
                      "game\ntag FEN=4k3/8/8/8/8/8/8/8 w - - 0 1\ntag White=a\n"
                      "error at 1:7: White has no king: 4k3/8/8/8/8/8/8/8 w - - 0 1\nend *\n"
                      "game\ntag B=2\nmoves\nd2d4\nend *\n");
}

static void chess960_games(void **state) {
    (void)state;
    static const char *const names[] = {"Chess960", "fischerandom", "Fischer Random", "chess 960", "Freestyle"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[200], expected[300];
        snprintf(text, sizeof text, "[Variant \"%s\"]\n[FEN \"4k3/8/8/8/8/8/8/RK4R1 w GA - 0 1\"]\n1. O-O *", names[i]);
        snprintf(expected, sizeof expected,
                 "game\ntag Variant=%s\ntag FEN=4k3/8/8/8/8/8/8/RK4R1 w GA - 0 1\n"
                 "moves 4k3/8/8/8/8/8/8/RK4R1 w KQ - 0 1\nb1g1\nend *\n",
                 names[i]);
        assert_transcript(text, expected);
    }
}

static void other_variants(void **state) {
    (void)state;
    static const char *const names[] = {"Crazyhouse", "Atomic", "Three-check", "King of the Hill", "chess9600"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[200], expected[300];
        snprintf(text, sizeof text, "[Variant \"%s\"]\n[FEN \"bad\"]\n1. e4 P@e6 1-0\n\n[A \"1\"] d4 *", names[i]);
        snprintf(expected, sizeof expected,
                 "game\ntag Variant=%s\ntag FEN=bad\nerror at 1:11: the variant is not supported: %s\nend 1-0\n"
                 "game\ntag A=1\nmoves\nd2d4\nend *\n",
                 names[i], names[i]);
        assert_transcript(text, expected);
    }
    assert_transcript(
        "[FEN \"bad\"]\n[Variant \"Horde\"]\n1. e4 *",
        "game\ntag FEN=bad\ntag Variant=Horde\nerror at 2:11: the variant is not supported: Horde\nend *\n");
    assert_transcript("[Variant \"Standard\"] e4 *", "game\ntag Variant=Standard\nmoves\ne2e4\nend *\n");
    assert_transcript("[Variant \"\"] e4 *", "game\ntag Variant=\nmoves\ne2e4\nend *\n");
    assert_transcript("[Variant \"?\"] e4 *", "game\ntag Variant=?\nmoves\ne2e4\nend *\n");
    assert_transcript("[Variant \"From Position\"] e4 *", "game\ntag Variant=From Position\nmoves\ne2e4\nend *\n");
}

/* --- Bytes ----------------------------------------------------------------- */

static void any_line_ends(void **state) {
    (void)state;
    const char *const expected = "game\ntag Event=a\ntag Site=b\nmoves\ne2e4\n{c}\ne7e5\nend *\n"
                                 "game\ntag Event=d\nmoves\nerror at 9:1: not a move: x\nend without result\n";
    const char *const lines[] = {"%", "[Event \"a\"]", "[Site \"b\"]", "", "1. e4 ;c", "e5 *", "", "[Event \"d\"]",
                                 "x"};
    const char *const ends[] = {"\n", "\r\n", "\r"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char text[200] = "";
        for (size_t line = 0; line < sizeof lines / sizeof lines[0]; line++) {
            strcat(strcat(text, lines[line]), ends[i]);
        }
        assert_transcript(text, expected);
        text[strlen(text) - strlen(ends[i])] = '\0';
        assert_transcript(text, expected);
    }
    /* two kinds of line end in one text, around a line of one byte */
    assert_transcript("1. e4\rx\ne5 *", "game\nmoves\ne2e4\nerror at 2:1: not a move: x\nend *\n");
}

static void text_in_any_encoding(void **state) {
    (void)state;
    assert_transcript(
        "\xef\xbb\xbf[Event \"Fran\xc3\xa7ois\"]\n1. e4 {caf\xe9} *\n\xef\xbb\xbf[Event \"B\xfchl\"]\n1. d4 *",
        "game\ntag Event=Fran\xc3\xa7ois\nmoves\ne2e4\n{caf\xe9}\nend *\n"
        "game\ntag Event=B\xfchl\nmoves\nd2d4\nend *\n");
    assert_transcript("1.\xc2\xa0"
                      "e4 *",
                      "game\nmoves\ne2e4\nend *\n");
    assert_transcript("e4 \xe9t\xe9 *", "game\nmoves\ne2e4\nerror at 1:4: not a move: \xe9t\xe9\nend *\n");
}

static void control_bytes_are_blanks(void **state) {
    (void)state;
    static const char text[] = "[A \"1\"]\0\1\n1. e4\0e5\x1a{a\1b}\n*\x1a";
    assert_transcript_of(text, sizeof text - 1, "game\ntag A=1\nmoves\ne2e4\ne7e5\n{a\1b}\nend *\n");
}

/* --- Errors ---------------------------------------------------------------- */

static void a_bad_move_cuts_its_game(void **state) {
    (void)state;
    assert_transcript("[A \"1\"]\n\n1. e4 e5\n2. Ke5 Nc6 {x} (2... d6) $1 1-0 {y}\n\n[A \"2\"]\n\n1. d4 *",
                      "game\ntag A=1\nmoves\ne2e4\ne7e5\nerror at 4:4: the move is not legal: Ke5\nend 1-0\n"
                      "game\ntag A=2\nmoves\nd2d4\nend *\n");
    assert_transcript("1. e4 d5 2. Bxfv dxe4 1-0\n1. d4 *",
                      "game\nmoves\ne2e4\nd7d5\nerror at 1:13: not a move: Bxfv\nend 1-0\ngame\nmoves\nd2d4\nend *\n");
    assert_transcript("1. Nf3 d5 2. Nc3 d4 3. e3 a6 4. Nd4 *",
                      "game\nmoves\ng1f3\nd7d5\nb1c3\nd5d4\ne2e3\na7a6\nf3d4\nend *\n");
    assert_transcript("1. Nf3 d5 2. d3 d4 3. Nd2 a6 *", "game\nmoves\ng1f3\nd7d5\nd2d3\nd5d4\n"
                                                        "error at 1:23: the move is ambiguous: Nd2\nend *\n");
    assert_transcript("e4 e5 > d4 *", "game\nmoves\ne2e4\ne7e5\nerror at 1:7: unexpected character in the movetext: >\n"
                                      "end *\n");
    assert_transcript("e4 } e5 *", "game\nmoves\ne2e4\nerror at 1:4: unexpected character in the movetext: }\nend *\n");
    assert_transcript("e4 [%clk] *",
                      "game\nmoves\ne2e4\nerror at 1:4: unexpected character in the movetext: [\nend *\n");
}

static void only_the_first_error_is_reported(void **state) {
    (void)state;
    assert_transcript("e4 e9 Qx ) ( { } $999 [ > 1-0",
                      "game\nmoves\ne2e4\nerror at 1:4: not a move: e9\nend without result\n");
    assert_transcript("[A 1]\n[B 2]\n1. e9 *",
                      "game\nerror at 1:1: tag pair: expected a name and a value in quotes: [A 1]\nend *\n");
}

static void an_error_in_a_variation_cuts_the_game(void **state) {
    (void)state;
    assert_transcript("e4 (d4 Ke7 1-0) e5 0-1 [A \"1\"] d4 *",
                      "game\nmoves\ne2e4\n(\nd2d4\nerror at 1:8: the move is not legal: Ke7\nend 0-1\n"
                      "game\ntag A=1\nmoves\nd2d4\nend *\n");
}

static void places_are_exact(void **state) {
    (void)state;
    transcript record = {.has_places = true};
    const char text[] =
        "\n  [A \"1\"]\r\n\r1. e4\n *\n\n {x} [Event \"2\"] *\n[Event \"3\"]\n\n\n\n1. e4\n   e5   e4\n";
    assert_int_equal(transcribe(&record, text, sizeof text - 1, DELIVER_TEXT), LUFT_OK);
    assert_string_equal(record.text, "game 1 at 2:3\ntag A=1\nmoves\ne2e4\n{x}\nend *\n"
                                     "game 2 at 7:6\ntag Event=2\nmoves\nend *\n"
                                     "game 3 at 8:1\ntag Event=3\nmoves\ne2e4\ne7e5\n"
                                     "error at 13:9: the move is not legal: e4\nend without result\n");
    transcript_free(&record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_game),
        cmocka_unit_test(text_without_a_game),
        cmocka_unit_test(several_games),
        cmocka_unit_test(games_without_tags),
        cmocka_unit_test(games_without_moves),
        cmocka_unit_test(a_game_may_lack_its_result),
        cmocka_unit_test(an_empty_line_among_tags),
        cmocka_unit_test(games_of_tags_alone),
        cmocka_unit_test(an_empty_line_among_moves),
        cmocka_unit_test(an_empty_line_ends_a_game_without_tags),
        cmocka_unit_test(text_after_a_result),
        cmocka_unit_test(escapes_in_tags),
        cmocka_unit_test(quotes_and_brackets_in_tags),
        cmocka_unit_test(blanks_around_tags),
        cmocka_unit_test(duplicate_tags),
        cmocka_unit_test(malformed_tags),
        cmocka_unit_test(a_line_with_event_begins_a_game),
        cmocka_unit_test(tags_before_event),
        cmocka_unit_test(a_text_can_be_cut_before_event),
        cmocka_unit_test(move_numbers_in_any_form),
        cmocka_unit_test(long_move_numbers_are_cut),
        cmocka_unit_test(results_in_any_form),
        cmocka_unit_test(results_with_typographic_dashes),
        cmocka_unit_test(castling_in_any_form),
        cmocka_unit_test(moves_in_other_spellings),
        cmocka_unit_test(null_moves),
        cmocka_unit_test(annotations),
        cmocka_unit_test(glyphs),
        cmocka_unit_test(comments),
        cmocka_unit_test(escaped_lines),
        cmocka_unit_test(variations),
        cmocka_unit_test(start_positions),
        cmocka_unit_test(chess960_games),
        cmocka_unit_test(other_variants),
        cmocka_unit_test(any_line_ends),
        cmocka_unit_test(text_in_any_encoding),
        cmocka_unit_test(control_bytes_are_blanks),
        cmocka_unit_test(a_bad_move_cuts_its_game),
        cmocka_unit_test(only_the_first_error_is_reported),
        cmocka_unit_test(an_error_in_a_variation_cuts_the_game),
        cmocka_unit_test(places_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
