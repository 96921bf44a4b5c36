/* SPDX-License-Identifier: MIT */
/*
 * Reading PGN as a stream: what visitors may ask for and must not do, texts of any size,
 * failing sources and memory. The result depends neither on how the bytes arrive nor on
 * where a file is split.
 */
#include "games/pgn_input.h"
#include "support/check.h"
#include "support/failing_malloc.h"
#include "support/random_positions.h"
#include "support/transcript.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Requests of a visitor ---------------------------------------------------- */

/* Reads a text; the transcript answers one callback with an action. */
static void assert_acts(const char *text, const char *act_on, luft_pgn_action action, luft_error error,
                        const char *expected) {
    transcript record = {.act_on = act_on, .action = action};
    assert_int_equal(transcribe(&record, text, strlen(text), DELIVER_TEXT), error);
    assert_string_equal(record.text, expected);
    transcript_free(&record);
}

static void games_are_skipped(void **state) {
    (void)state;
    const char text[] = "{c}[A \"1\"][B \"2\"] 1. e4 e5 $3 {x} (1... c5 0-1) 2. nonsense 1-0 {z} [A \"2\"] d4 *";
    const char second[] = "game\ntag A=2\nmoves\nd2d4\nend *\n";
    static const struct {
        const char *act_on, *expected;
    } cases[] = {
        {"{c}", "game\n{c}\nend 1-0\n"},
        {"tag A=1", "game\n{c}\ntag A=1\nend 1-0\n"},
        {"moves", "game\n{c}\ntag A=1\ntag B=2\nmoves\nend 1-0\n"},
        {"e2e4", "game\n{c}\ntag A=1\ntag B=2\nmoves\ne2e4\nend 1-0\n"},
        {"$3", "game\n{c}\ntag A=1\ntag B=2\nmoves\ne2e4\ne7e5\n$3\nend 1-0\n"},
        {"{x}", "game\n{c}\ntag A=1\ntag B=2\nmoves\ne2e4\ne7e5\n$3\n{x}\nend 1-0\n"},
        {"(", "game\n{c}\ntag A=1\ntag B=2\nmoves\ne2e4\ne7e5\n$3\n{x}\n(\nend 1-0\n"},
        {"c7c5", "game\n{c}\ntag A=1\ntag B=2\nmoves\ne2e4\ne7e5\n$3\n{x}\n(\nc7c5\nend 1-0\n"},
        {")", "game\n{c}\ntag A=1\ntag B=2\nmoves\ne2e4\ne7e5\n$3\n{x}\n(\nc7c5\n)\nend 1-0\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[300];
        const bool both = strcmp(cases[i].act_on, "moves") == 0; /* the second game has this line too */
        snprintf(expected, sizeof expected, "%s%s", cases[i].expected, both ? "game\ntag A=2\nmoves\nend *\n" : second);
        assert_acts(text, cases[i].act_on, LUFT_PGN_SKIP_GAME, LUFT_OK, expected);
    }
    assert_acts(text, "game", LUFT_PGN_SKIP_GAME, LUFT_OK, "game\nend 1-0\ngame\nend *\n");
}

static void variations_are_skipped(void **state) {
    (void)state;
    const char text[] = "e4 e5 (c5 Nf3 (c3 {x}) nonsense (Nc3) {y} 0-1) (e6 d4) Nf3 *";
    const char tail[] = ")\n(\ne7e6\nd2d4\n)\ng1f3\nend *\n";
    char expected[200];
    snprintf(expected, sizeof expected, "game\nmoves\ne2e4\ne7e5\n(\nc7c5\n%s", tail);
    assert_acts(text, "c7c5", LUFT_PGN_SKIP_VARIATION, LUFT_OK, expected);
    /* inside the inner variation: skips that one and continues in the outer */
    snprintf(expected, sizeof expected,
             "game\nmoves\ne2e4\ne7e5\n(\nc7c5\ng1f3\n(\nc2c3\n)\n"
             "error at 1:24: not a move: nonsense\nend *\n");
    assert_acts(text, "c2c3", LUFT_PGN_SKIP_VARIATION, LUFT_OK, expected);
    /* at the start of each variation */
    assert_acts(text, "(", LUFT_PGN_SKIP_VARIATION, LUFT_OK, "game\nmoves\ne2e4\ne7e5\n(\n)\n(\n)\ng1f3\nend *\n");
    /* in the main line it skips the game */
    assert_acts(text, "e7e5", LUFT_PGN_SKIP_VARIATION, LUFT_OK, "game\nmoves\ne2e4\ne7e5\nend *\n");
    /* the end of a variation is already outside of it */
    assert_acts("e4 (d4 (c4) d5) e5 *", ")", LUFT_PGN_SKIP_VARIATION, LUFT_OK,
                "game\nmoves\ne2e4\n(\nd2d4\n(\nc2c4\n)\n)\nend *\n");
}

static void reading_is_stopped(void **state) {
    (void)state;
    const char text[] = "[A \"1\"] e4 {x} (d4) e5 1-0 [A \"2\"] d4 *";
    static const char *const lines[] = {"game", "tag A=1", "moves", "e2e4", "{x}", "(", "d2d4", ")", "e7e5", "end 1-0"};
    char expected[200] = "";
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        transcript record = {.act_on = lines[i], .action = LUFT_PGN_STOP};
        luft_pgn_reader *reader = NULL;
        strcat(strcat(expected, lines[i]), "\n");
        assert_int_equal(luft_pgn_reader_create_text(&reader, text, sizeof text - 1), LUFT_OK);
        assert_int_equal(luft_pgn_read_all(reader, &transcript_visitor, &record), LUFT_ERROR_STOPPED);
        assert_string_equal(record.text, expected);
        /* continues with the next game */
        record.act_on = NULL;
        record.in_game = false;
        record.length = 0;
        assert_int_equal(luft_pgn_read_all(reader, &transcript_visitor, &record), LUFT_OK);
        assert_string_equal(record.text, "game\ntag A=2\nmoves\nd2d4\nend *\n");
        transcript_free(&record);
        luft_pgn_reader_free(reader);
    }
    assert_acts("e9", "error at 1:1: not a move: e9", LUFT_PGN_STOP, LUFT_ERROR_STOPPED,
                "game\nmoves\nerror at 1:1: not a move: e9\n");
}

static void callbacks_may_be_missing(void **state) {
    (void)state;
    static const luft_pgn_visitor no_callbacks = {0};
    const char text[] = "{c}[A \"1\"] e4 {x} (d4 $1) e5 1-0 ;c\n[A \"2\"] e9 * [FEN \"bad\"] *";
    luft_pgn_reader *reader = NULL;
    assert_int_equal(luft_pgn_reader_create_text(&reader, text, sizeof text - 1), LUFT_OK);
    for (int game = 0; game < 3; game++) {
        assert_int_equal(luft_pgn_read_game(reader, &no_callbacks, NULL), LUFT_OK);
    }
    assert_int_equal(luft_pgn_read_game(reader, &no_callbacks, NULL), LUFT_ERROR_END);
    assert_int_equal(luft_pgn_reader_place(reader).game, 3);
    luft_pgn_reader_free(reader);
}

/* --- Sizes ----------------------------------------------------------------- */

/* A text with `count` copies of `piece` in its middle; the caller frees it. */
static char *text_with(const char *before, const char *piece, size_t count, const char *after, size_t *length) {
    const size_t piece_length = strlen(piece);
    *length = strlen(before) + piece_length * count + strlen(after);
    char *text = malloc(*length + 1), *out = text;
    assert_non_null(text);
    out += sprintf(out, "%s", before);
    for (size_t i = 0; i < count; i++) {
        memcpy(out, piece, piece_length);
        out += piece_length;
    }
    sprintf(out, "%s", after);
    return text;
}

static void assert_long_text(const char *before, const char *piece, size_t count, const char *after,
                             const char *expected_before, const char *expected_after) {
    size_t length, expected_length;
    char *text = text_with(before, piece, count, after, &length);
    char *expected = text_with(expected_before, piece, count, expected_after, &expected_length);
    assert_transcript_of(text, length, expected);
    free(text);
    free(expected);
}

#define MEGABYTE (1024 * 1024)

static void long_comments_are_complete(void **state) {
    (void)state;
    assert_long_text("e4 {", "word \n", MEGABYTE / 6, "} e5 *", "game\nmoves\ne2e4\n{", "}\ne7e5\nend *\n");
    assert_long_text("e4 ;", "x", MEGABYTE, "\ne5 *", "game\nmoves\ne2e4\n{", "}\ne7e5\nend *\n");
    assert_long_text("{", "x", MEGABYTE, "} e4 *", "game\n{", "}\nmoves\ne2e4\nend *\n");
    size_t length;
    char *text = text_with("e4 {", "x", MEGABYTE, "\n[Event \"b\"] d4 *", &length);
    transcript record = {0};
    assert_int_equal(transcribe(&record, text, length, DELIVER_CHUNKS), LUFT_OK);
    assert_non_null(strstr(record.text, "x\nerror at 1:4: a comment is not closed: {\nend without result\ngame\n"));
    transcript_free(&record);
    free(text);
}

static luft_pgn_action count_part(void *payload, const char *text, size_t length, bool more) {
    (void)text;
    (void)more;
    assert_true(length > 0);
    ++*(int *)payload;
    return LUFT_PGN_CONTINUE;
}

#ifndef LUFT_SMALL_WINDOW
static_assert(PGN_PART == 60 * 1024, "the 60 kB that luft/pgn.h promises");
#endif

/* A comment comes in as few parts as possible: up to 60 kB are one part, and no part is empty. */
static void comments_have_no_more_parts_than_they_must(void **state) {
    (void)state;
    enum { PART = PGN_PART };
    static const char *const forms[][2] = {{"e4 {", "} e5 *"}, {"e4 ;", "\ne5 *"}};
    static const luft_pgn_visitor visitor = {.comment = count_part};
    for (int i = 0; i < 12; i++) {
        const size_t parts = 1 + (size_t)i / 6;
        const size_t bytes = parts * PART - 1 + (size_t)i % 3;
        size_t length;
        char *text = text_with(forms[i / 3 % 2][0], "x", bytes, forms[i / 3 % 2][1], &length);
        luft_pgn_reader *reader;
        int count = 0;
        assert_int_equal(luft_pgn_reader_create_text(&reader, text, length), LUFT_OK);
        assert_int_equal(luft_pgn_read_all(reader, &visitor, &count), LUFT_OK);
        assert_int_equal(count, parts + (bytes > parts * PART));
        luft_pgn_reader_free(reader);
        free(text);
    }
}

/* A line longer than the buffer: its beginning has left the buffer when the error is found, and is still counted. */
static void places_on_long_lines(void **state) {
    (void)state;
    size_t length;
    char *text = text_with("1. e4 {\n", "x", MEGABYTE, "} e9 *", &length);
    for (int how = 0; how < DELIVERIES; how++) {
        transcript record = {0};
        char expected[80];
        assert_int_equal(transcribe(&record, text, length, (delivery)how), LUFT_OK);
        snprintf(expected, sizeof expected, "error at 2:%d: not a move: e9\n", MEGABYTE + 3);
        assert_non_null(strstr(record.text, expected));
        transcript_free(&record);
    }
    free(text);
}

static void long_nonsense_is_skipped(void **state) {
    (void)state;
    static const char *const pieces[] = {"x", "1", ".",  "e4 ",  "$",    "((", ")",  "[",
                                         "]", "0", "*a", "\xff", "0-0-", "}",  "9- "};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        size_t length;
        char *text = text_with("[A \"1\"]\n", pieces[i], MEGABYTE / 4, "\n[Event \"b\"]\n d4 *", &length);
        char *first = NULL;
        for (int how = 0; how < DELIVERIES; how++) {
            transcript record = {0};
            assert_int_equal(transcribe(&record, text, length, (delivery)how), LUFT_OK);
            const char tail[] = "\ngame\ntag Event=b\nmoves\nd2d4\nend *\n";
            assert_true(record.length >= sizeof tail);
            assert_string_equal(record.text + record.length - (sizeof tail - 1), tail);
            if (first) {
                assert_string_equal(record.text, first);
                transcript_free(&record);
            } else {
                first = record.text;
            }
        }
        free(first);
        free(text);
    }
}

static void long_tags(void **state) {
    (void)state;
    assert_long_text("[A \"", "x", PGN_PART - 100, "\"] e4 *", "game\ntag A=", "\nmoves\ne2e4\nend *\n");
    static const char *const befores[] = {"[A \"", "[", "[A", "[A \"1\" "};
    for (size_t i = 0; i < sizeof befores / sizeof befores[0]; i++) {
        size_t length;
        char *text = text_with(befores[i], "x", MEGABYTE, "\"]\n1. e4 *\n[Event \"b\"] d4 *", &length);
        transcript record = {0};
        assert_int_equal(transcribe(&record, text, length, DELIVER_CHUNKS), LUFT_OK);
        assert_non_null(strstr(record.text, "game\nerror at 1:1: "));
        assert_non_null(strstr(record.text, "end *\ngame\ntag Event=b\nmoves\nd2d4\nend *\n"));
        transcript_free(&record);
        free(text);
    }
}

/* "(Nf3 Nf6" repeated: each variation replaces the last move of the one around it. */
static void variations_nest_deep(void **state) {
    (void)state;
    for (size_t depth = 1000; depth <= 200000; depth *= 10 - 8 * (depth > 10000)) {
        const bool is_refused = depth >= 131072;
        size_t length;
        char *open = text_with("e4 ", "(d4 ", depth, "", &length);
        char *text = text_with(open, ")", depth, " e5 1-0\n[Event \"b\"] d4 *", &length);
        transcript record = {0};
        assert_int_equal(transcribe(&record, text, length, DELIVER_WHOLE), LUFT_OK);
        assert_true(is_refused == (strstr(record.text, "the variations are nested too deeply") != NULL));
        assert_true(is_refused != (strstr(record.text, ")\ne7e5\nend 1-0\ngame\n") != NULL));
        assert_non_null(strstr(record.text, "end 1-0\ngame\ntag Event=b\nmoves\nd2d4\nend *\n"));
        transcript_free(&record);
        free(text);
        free(open);
    }
}

/* --- Sources --------------------------------------------------------------- */

typedef struct failing_source {
    const char *text;
    size_t length;
    size_t answer; /* returned after the end of the text */
} failing_source;

static size_t give_then_fail(void *payload, char *buffer, size_t size) {
    failing_source *source = payload;
    const size_t length = source->length < size ? source->length : size;
    if (length == 0) {
        return source->answer == SIZE_MAX ? LUFT_PGN_READ_FAILED : size + source->answer;
    }
    memcpy(buffer, source->text, length);
    source->length -= length;
    return length;
}

static void a_source_may_fail(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", ""},
        {"e4 *", "game\nmoves\ne2e4\nend *\n"},
        {"e4 e5", "game\nmoves\ne2e4\ne7e5\nerror at 1:6: cannot read the input: \nend without result\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t answer = 1; answer != 0;
             answer = answer == 1 ? SIZE_MAX : 0) { /* too large a length, and the failure value */
            failing_source source = {cases[i].text, strlen(cases[i].text), answer};
            transcript record = {0};
            luft_pgn_reader *reader = NULL;
            assert_int_equal(luft_pgn_reader_create(&reader, give_then_fail, &source), LUFT_OK);
            assert_int_equal(luft_pgn_read_all(reader, &transcript_visitor, &record), LUFT_ERROR_READ);
            assert_string_equal(record.text ? record.text : "", cases[i].expected);
            assert_int_equal(luft_pgn_read_game(reader, &transcript_visitor, &record), LUFT_ERROR_READ);
            transcript_free(&record);
            luft_pgn_reader_free(reader);
        }
    }
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    luft_pgn_reader *reader = NULL;
    assert_int_equal(luft_pgn_reader_create(NULL, give_then_fail, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_reader_create(&reader, NULL, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_reader_create_text(NULL, "", 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_reader_create_text(&reader, NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_null(reader);
    assert_int_equal(luft_pgn_read_game(NULL, &transcript_visitor, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_read_all(NULL, &transcript_visitor, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_reader_place(NULL).line, 0);
    luft_pgn_reader_free(NULL);
    assert_int_equal(luft_pgn_reader_create_text(&reader, "e4", 2), LUFT_OK);
    assert_int_equal(luft_pgn_read_game(reader, NULL, NULL), LUFT_ERROR_ARGUMENT);
    luft_pgn_reader_free(reader);
    assert_string_equal(luft_result_string(LUFT_RESULT_NONE), "*");
    assert_string_equal(luft_result_string((luft_result)99), "*");
}

/* The stack of positions grows with nested variations; out of memory is reported like any error. */
static luft_pgn_action note_error(void *payload, const luft_pgn_error *error) {
    *(luft_error *)payload = error->error;
    return LUFT_PGN_CONTINUE;
}

static luft_error read_nested(void *payload) {
    static const luft_pgn_visitor visitor = {.error = note_error};
    const char *const text = payload;
    luft_pgn_reader *reader = NULL;
    luft_error reported = LUFT_OK, error = luft_pgn_reader_create_text(&reader, text, strlen(text));
    if (error == LUFT_OK) {
        assert_int_equal(luft_pgn_read_game(reader, &visitor, &reported), LUFT_OK);
        error = reported;
        assert_int_equal(luft_pgn_read_game(reader, &visitor, &reported), LUFT_OK); /* the next game is intact */
        assert_int_equal(luft_pgn_read_game(reader, &visitor, &reported), LUFT_ERROR_END);
    }
    luft_pgn_reader_free(reader);
    return error;
}

static void memory_may_run_out(void **state) {
    (void)state;
    char text[2000] = "e4 ";
    for (int i = 0; i < 100; i++) {
        strcat(text, "(d4 ");
    }
    for (int i = 0; i < 100; i++) {
        strcat(text, ")");
    }
    strcat(text, " e5 * d4 *");
    assert_true(assert_survives_failing_malloc(read_nested, text) >= 4);
}

/* --- All together ---------------------------------------------------------- */

/* A text of meaningful pieces in random order. */
static char *random_text(uint64_t seed, size_t *length) {
    static const char *const pieces[] = {
        "[Event \"x\"]\n",
        "\n[Event \"y\"]",
        "[White \"a\"]",
        "[White \"a\"]\n[Event \"z\"]\n",
        "[White \"a\"]\r\n[Event \"z\"]\r\n",
        "\"]\n[Event \"z\"]\n",
        "\" ] \n",
        "[A \"\\\"]",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]",
        "[Variant \"Atomic\"]",
        "[",
        "]",
        "\"",
        "{",
        "}",
        "{ c }",
        "(",
        ")",
        "(d4)",
        ";c\n",
        "\n",
        "\r\n",
        "\r",
        " ",
        " ",
        "1.",
        "1...",
        "e4 ",
        "e5 ",
        "Nf3 ",
        "Nc6 ",
        "d4 ",
        "d5 ",
        "exd5 ",
        "O-O ",
        "0-0",
        "--",
        "1-0 ",
        "0-1",
        "1/2-1/2 ",
        "*",
        "$1",
        "$",
        "!",
        "?!",
        "%x\n",
        "\n%",
        "\xef\xbb\xbf",
        "\xe9",
        "#",
        "+",
        ".",
        "e.p.",
        "\\",
        "\n\n",
        "\r\n\r\n",
        "White resigns ",
        "+-",
        "=",
        "⩱",
        "–",
        "1–0 ",
    };
    random_source random = {seed};
    const int count = 1 + random_below(&random, 120);
    char *text = malloc((size_t)count * 48 + 1), *out = text;
    assert_non_null(text);
    *out = '\0';
    for (int i = 0; i < count; i++) {
        out += sprintf(out, "%s", pieces[random_below(&random, (int)(sizeof pieces / sizeof pieces[0]))]);
    }
    *length = (size_t)(out - text);
    return text;
}

static void how_bytes_arrive_makes_no_difference(void **state) {
    (void)state;
    for (int seed = 0; seed < test_rounds(5000); seed++) {
        size_t length;
        char *text = random_text((uint64_t)seed, &length);
        transcript complete = {0}, bytes = {0};
        assert_int_equal(transcribe(&complete, text, length, DELIVER_TEXT), LUFT_OK);
        assert_int_equal(transcribe(&bytes, text, length, DELIVER_BYTES), LUFT_OK);
        assert_string_equal(complete.text, bytes.text);
        transcript_free(&complete);
        transcript_free(&bytes);
        free(text);
    }
}

/*
 * Splits the text wherever luft_pgn_can_cut and reads the parts separately: the same games, except for their
 * numbers and lines.
 */
static void parts_read_separately_give_the_same_games(void **state) {
    (void)state;
    for (int seed = 0; seed < test_rounds(5000); seed++) {
        size_t length;
        char *text = random_text((uint64_t)seed + 1000000, &length);
        transcript complete = {.hides_lines = true}, parts = {.hides_lines = true};
        assert_int_equal(transcribe(&complete, text, length, DELIVER_TEXT), LUFT_OK);
        char *start = text;
        while (start) {
            char *next = start;
            do {
                next = strstr(next + 1, "[Event \"");
            } while (next && !luft_pgn_can_cut(text, length, (size_t)(next - text)));
            const size_t part = next ? (size_t)(next - start) : strlen(start);
            parts.games = 0;
            assert_int_equal(transcribe(&parts, start, part, DELIVER_TEXT), LUFT_OK);
            start = next;
        }
        assert_string_equal(complete.text, parts.text);
        transcript_free(&complete);
        transcript_free(&parts);
        free(text);
    }
}

/* --- Misuse ------------------------------------------------------------------ */

typedef struct nested_reading {
    luft_pgn_reader *reader;
    luft_pgn_visitor visitor;
    int moves;
} nested_reading;

static luft_pgn_action read_again(void *payload, const luft_position *before, luft_move move,
                                  const luft_position *after) {
    nested_reading *nested = payload;
    (void)before, (void)move, (void)after;
    nested->moves++;
    assert_int_equal(luft_pgn_read_game(nested->reader, &nested->visitor, nested), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_read_all(nested->reader, &nested->visitor, nested), LUFT_ERROR_ARGUMENT);
    return LUFT_PGN_CONTINUE;
}

static void a_callback_cannot_read_on(void **state) {
    (void)state;
    const char text[] = "1. e4 e5 2. Nf3 *\n\n1. d4 *\n";
    nested_reading nested = {.visitor = {.move = read_again}};
    assert_int_equal(luft_pgn_reader_create_text(&nested.reader, text, strlen(text)), LUFT_OK);
    assert_int_equal(luft_pgn_read_all(nested.reader, &nested.visitor, &nested), LUFT_OK);
    assert_int_equal(nested.moves, 4);
    luft_pgn_reader_free(nested.reader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_skipped),
        cmocka_unit_test(variations_are_skipped),
        cmocka_unit_test(reading_is_stopped),
        cmocka_unit_test(callbacks_may_be_missing),
        cmocka_unit_test(long_comments_are_complete),
        cmocka_unit_test(comments_have_no_more_parts_than_they_must),
        cmocka_unit_test(places_on_long_lines),
        cmocka_unit_test(long_nonsense_is_skipped),
        cmocka_unit_test(long_tags),
        cmocka_unit_test(variations_nest_deep),
        cmocka_unit_test(a_source_may_fail),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(how_bytes_arrive_makes_no_difference),
        cmocka_unit_test(parts_read_separately_give_the_same_games),
        cmocka_unit_test(a_callback_cannot_read_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
