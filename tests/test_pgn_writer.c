/* SPDX-License-Identifier: MIT */
/*
 * Writing PGN: the export format line by line. Writing, reading and writing again gives
 * the same bytes, for random games with everything a game can contain.
 */
#include "games/pgn_input.h"
#include "support/check.h"
#include "support/random_positions.h"
#include "support/transcript.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- A sink that keeps the text -------------------------------------------- */

typedef struct text_sink {
    char *text;
    size_t length;
    size_t room; /* bytes it still accepts; SIZE_MAX for no limit */
} text_sink;

static bool keep(void *payload, const char *text, size_t length) {
    text_sink *sink = payload;
    assert_true(length > 0);
    if (sink->room != SIZE_MAX) {
        if (length > sink->room) {
            return false;
        }
        sink->room -= length;
    }
    sink->text = realloc(sink->text, sink->length + length + 1);
    assert_non_null(sink->text);
    memcpy(sink->text + sink->length, text, length);
    sink->length += length;
    sink->text[sink->length] = '\0';
    return true;
}

static luft_pgn_tag tag_of(const char *name, const char *value) {
    return (luft_pgn_tag){name, value, strlen(name), strlen(value)};
}

static void write_comment(luft_pgn_writer *writer, const char *text) {
    assert_int_equal(luft_pgn_write_comment(writer, text, strlen(text)), LUFT_OK);
}

/* Plays and writes moves given in UCI notation. */
static void write_moves(luft_pgn_writer *writer, luft_position *position, const char *moves) {
    for (; *moves; moves += moves[4] == ' ' ? 5 : 4) {
        luft_move move;
        assert_int_equal(luft_move_from_uci(&move, position, moves, 4), LUFT_OK);
        assert_int_equal(luft_pgn_write_move(writer, position, move), LUFT_OK);
        luft_make(position, position, move);
    }
}

#define ROSTER                                                                                                         \
    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result "        \
    "\"*\"]\n"

/* --- Tags ------------------------------------------------------------------ */

static void the_roster_comes_first(void **state) {
    (void)state;
    text_sink sink = {.room = SIZE_MAX};
    luft_pgn_writer writer;
    const luft_pgn_tag tags[] = {tag_of("ECO", "C20"),     tag_of("Result", "1-0"), tag_of("White", "Ann"),
                                 tag_of("White", "Again"), tag_of("ECO", "C21"),    tag_of("Event", "Club")};
    luft_pgn_writer_init(&writer, keep, &sink);
    assert_int_equal(luft_pgn_write_tags(&writer, tags, sizeof tags / sizeof tags[0]), LUFT_OK);
    assert_int_equal(luft_pgn_write_result(&writer, LUFT_RESULT_WHITE), LUFT_OK);
    assert_int_equal(luft_pgn_write_tags(&writer, NULL, 0), LUFT_OK);
    assert_int_equal(luft_pgn_write_result(&writer, LUFT_RESULT_NONE), LUFT_OK);
    assert_string_equal(
        sink.text,
        "[Event \"Club\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Ann\"]\n"
        "[Black \"?\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n[White \"Again\"]\n[ECO \"C21\"]\n\n1-0\n\n" ROSTER "\n*\n\n");
    free(sink.text);
}

static void tags_are_escaped(void **state) {
    (void)state;
    text_sink sink = {.room = SIZE_MAX};
    luft_pgn_writer writer;
    const luft_pgn_tag tags[] = {tag_of("A", "a \"b\" \\ c"),
                                 tag_of("B", "\\"),
                                 tag_of("C", "one\ntwo\r\x01"),
                                 tag_of("D", "\"]"),
                                 {"E", NULL, 1, 0}};
    luft_pgn_writer_init(&writer, keep, &sink);
    assert_int_equal(luft_pgn_write_tags(&writer, tags, sizeof tags / sizeof tags[0]), LUFT_OK);
    assert_string_equal(sink.text, ROSTER "[A \"a \\\"b\\\" \\\\ c\"]\n[B \"\\\\\"]\n[C \"one two  \"]\n[D \"\\\"]\"]\n"
                                          "[E \"\"]\n\n");
    transcript record = {0};
    assert_int_equal(transcribe(&record, sink.text, sink.length, DELIVER_TEXT), LUFT_OK);
    assert_non_null(strstr(record.text, "tag A=a \"b\" \\ c\ntag B=\\\ntag C=one two  \ntag D=\"]\ntag E=\nmoves\n"));
    transcript_free(&record);
    free(sink.text);
}

/* Names that can be read can be written; longer ones are refused by both. */
static void names_may_be_long(void **state) {
    (void)state;
    enum { LONGEST = 200 };
    char name[LONGEST + 2], text[LONGEST + 16], expected[LONGEST + 16];
    memset(name, 'N', sizeof name);
    for (int length = LONGEST - 3; length <= LONGEST + 2; length++) {
        text_sink sink = {.room = SIZE_MAX};
        luft_pgn_writer writer;
        const luft_pgn_tag tag = {name, "x", (size_t)length, 1};
        const bool is_fine = length <= LONGEST;
        luft_pgn_writer_init(&writer, keep, &sink);
        assert_int_equal(luft_pgn_write_tags(&writer, &tag, 1), is_fine ? LUFT_OK : LUFT_ERROR_ARGUMENT);
        snprintf(expected, sizeof expected, "tag %.*s=x\n", length, name);
        for (int blanks = 0; blanks < 3; blanks++) {
            transcript record = {0};
            const int text_length = snprintf(text, sizeof text, "[%.*s%*s\"x\"]\n", length, name, blanks, "");
            assert_int_equal(transcribe(&record, text, (size_t)text_length, DELIVER_TEXT), LUFT_OK);
            assert_int_equal(strstr(record.text, expected) != NULL, is_fine);
            transcript_free(&record);
        }
        free(sink.text);
    }
}

/*
 * The writer escapes the quotes of a value. If the result is too long for the reader, the reader refuses the
 * original too.
 */
static void values_may_be_long(void **state) {
    (void)state;
    enum { LONGEST = PGN_PART, ROOM = LONGEST + 16 };
    static char text[ROOM];
    const int frame = (int)strlen("[A \"\"]");
    for (int i = 0; i < 10; i++) {
        const int length = LONGEST - 2 + i / 2;
        const char *const blank = i % 2 ? " " : ""; /* the writer always writes one */
        /* As many quotes as give this length when escaped, and one plain byte if the length is odd. */
        const int quotes = (length - frame) / 2, odd = (length - frame) % 2;
        int used = snprintf(text, ROOM, "[A%s\"%s", blank, odd ? "x" : "");
        memset(text + used, '"', (size_t)quotes);
        used += quotes;
        used += snprintf(text + used, (size_t)(ROOM - used), "\"]\n");
        transcript record = {0};
        assert_int_equal(transcribe(&record, text, (size_t)used, DELIVER_TEXT), LUFT_OK);
        const bool is_read = strstr(record.text, "tag A=") != NULL;
        assert_int_equal(is_read, length <= LONGEST);
        assert_int_equal(strstr(record.text, "too long when escaped") == NULL, is_read);
        transcript_free(&record);

        text_sink sink = {.room = SIZE_MAX};
        luft_pgn_writer writer;
        const luft_pgn_tag tag = {"A", strchr(text, '"') + 1, 1, (size_t)(quotes + odd)};
        luft_pgn_writer_init(&writer, keep, &sink);
        assert_int_equal(luft_pgn_write_tags(&writer, &tag, 1), LUFT_OK);
        assert_int_equal(strchr(strstr(sink.text, "[A "), '\n') - strstr(sink.text, "[A "), length);
        transcript again = {0};
        assert_int_equal(transcribe(&again, sink.text, sink.length, DELIVER_TEXT), LUFT_OK);
        assert_int_equal(strstr(again.text, "tag A=") != NULL, is_read);
        transcript_free(&again);
        free(sink.text);
    }
}

static void tags_that_cannot_be_written(void **state) {
    (void)state;
    text_sink sink = {.room = SIZE_MAX};
    luft_pgn_writer writer;
    static const char *const names[] = {"", "a b", "a\"", "a]", "[a", "a\n", "a{", "a;"};
    luft_pgn_writer_init(&writer, keep, &sink);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const luft_pgn_tag tags[] = {tag_of("A", "fine"), tag_of(names[i], "x")};
        assert_int_equal(luft_pgn_write_tags(&writer, tags, 2), LUFT_ERROR_ARGUMENT);
    }
    const luft_pgn_tag nothing = {NULL, "x", 1, 1}, no_value = {"A", NULL, 1, 1};
    assert_int_equal(luft_pgn_write_tags(&writer, &nothing, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_tags(&writer, &no_value, 1), LUFT_ERROR_ARGUMENT);
    assert_null(sink.text); /* nothing was written */
}

/* --- Moves ----------------------------------------------------------------- */

static void moves_have_their_numbers(void **state) {
    (void)state;
    text_sink sink = {.room = SIZE_MAX};
    luft_pgn_writer writer;
    luft_position position = luft_start_position(), before, inner;
    luft_pgn_writer_init(&writer, keep, &sink);
    write_moves(&writer, &position, "e2e4");
    write_comment(&writer, "best by test");
    before = position;
    write_moves(&writer, &position, "e7e5");
    assert_int_equal(luft_pgn_write_nag(&writer, 1), LUFT_OK);
    assert_int_equal(luft_pgn_write_variation_start(&writer), LUFT_OK);
    inner = before;
    write_moves(&writer, &inner, "c7c5 g1f3 d7d6");
    assert_int_equal(luft_pgn_write_variation_end(&writer), LUFT_OK);
    assert_int_equal(luft_pgn_write_variation_start(&writer), LUFT_OK);
    write_comment(&writer, "or");
    inner = before;
    write_moves(&writer, &inner, "e7e6");
    assert_int_equal(luft_pgn_write_variation_end(&writer), LUFT_OK);
    assert_int_equal(luft_pgn_write_variation_start(&writer), LUFT_OK);
    assert_int_equal(luft_pgn_write_variation_end(&writer), LUFT_OK);
    write_moves(&writer, &position, "g1f3 b8c6");
    assert_int_equal(luft_pgn_write_move(&writer, &position, LUFT_MOVE_NONE), LUFT_OK);
    assert_int_equal(luft_pgn_write_result(&writer, LUFT_RESULT_DRAW), LUFT_OK);
    assert_string_equal(sink.text, "1. e4 {best by test} 1... e5 $1 (1... c5 2. Nf3 d6) ({or} 1... e6) () 2. Nf3\n"
                                   "Nc6 3. -- 1/2-1/2\n\n");
    free(sink.text);
}

static void a_game_may_start_anywhere(void **state) {
    (void)state;
    text_sink sink = {.room = SIZE_MAX};
    luft_pgn_writer writer;
    luft_position position = position_from("4k3/8/8/8/8/8/4P3/4K3 b - - 3 20");
    luft_pgn_writer_init(&writer, keep, &sink);
    write_moves(&writer, &position, "e8d7 e2e4 d7e7");
    assert_string_equal(sink.text, "20... Kd7 21. e4 Ke7");
    free(sink.text);
}

/* --- Comments and lines ---------------------------------------------------- */

static void assert_comment(const char *text, const char *expected) {
    text_sink sink = {.room = SIZE_MAX};
    luft_pgn_writer writer;
    luft_pgn_writer_init(&writer, keep, &sink);
    write_comment(&writer, text);
    assert_string_equal(sink.text, expected);
    free(sink.text);
}

static void comments_are_plain(void **state) {
    (void)state;
    assert_comment("", "{}");
    assert_comment(" \n ", "{}");
    assert_comment("x", "{x}");
    assert_comment("  a \t b\r\n\r\nc ", "{a b c}");
    assert_comment("an } inside {", "{an ) inside {}");
    assert_comment("}", "{)}");
    assert_comment("caf\xe9 \xc3\xa9", "{caf\xe9 \xc3\xa9}");
    /* 78 letters and the braces exceed a line, but a word is never split */
    assert_comment("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz next",
                   "{abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\nnext}");
    /* a command is not split */
    assert_comment("0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 012 [%clk  1:00:00] x",
                   "{0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 012\n[%clk 1:00:00] x}");
    /* a long command is: after 64 bytes it is ordinary text */
    assert_comment("[%x 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789]",
                   "{[%x 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789\n0123456789 0123456789]}");
    /* a line must not begin with [Event or % */
    assert_comment("0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 012345678 [Event \"x\"]",
                   "{0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 012345678 [Event\n\"x\"]}");
    assert_comment("0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 012345678 %50",
                   "{0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 012345678 %50}");
}

/* Bytes after the comment, including blanks, do not belong to it. */
static void comments_end_with_their_length(void **state) {
    (void)state;
    static const char *const texts[] = {"a   b", "a[%x   b", "    b"};
    static const char *const expected[] = {"{a}", "{a[%x}", "{}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t blanks = 0; blanks < 4; blanks++) {
            text_sink sink = {.room = SIZE_MAX};
            luft_pgn_writer writer;
            luft_pgn_writer_init(&writer, keep, &sink);
            assert_int_equal(luft_pgn_write_comment(&writer, texts[i], strlen(texts[i]) - 1 - blanks), LUFT_OK);
            assert_string_equal(sink.text, expected[i]);
            free(sink.text);
        }
    }
}

/* --- Written, read, written again ------------------------------------------ */

/* A visitor that passes everything on to a writer. */
typedef struct copier {
    luft_pgn_writer writer;
    luft_pgn_tag tags[16];
    size_t tag_count;
    char text[4096]; /* of the tags */
    size_t text_length;
} copier;

static const char *keep_text(copier *copy, const char *text, size_t length) {
    char *kept = copy->text + copy->text_length;
    assert_true(copy->text_length + length <= sizeof copy->text);
    memcpy(kept, text, length);
    copy->text_length += length;
    return kept;
}

static luft_pgn_action copy_start(void *payload, const luft_pgn_place *place) {
    copier *copy = payload;
    (void)place;
    copy->tag_count = copy->text_length = 0;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action copy_tag(void *payload, const char *name, size_t name_length, const char *value,
                                size_t value_length) {
    copier *copy = payload;
    assert_true(copy->tag_count < 16);
    copy->tags[copy->tag_count++] = (luft_pgn_tag){keep_text(copy, name, name_length),
                                                   keep_text(copy, value, value_length), name_length, value_length};
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action copy_moves_start(void *payload, const luft_position *start) {
    copier *copy = payload;
    (void)start;
    assert_int_equal(luft_pgn_write_tags(&copy->writer, copy->tags, copy->tag_count), LUFT_OK);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action copy_move(void *payload, const luft_position *before, luft_move move,
                                 const luft_position *after) {
    (void)after;
    assert_int_equal(luft_pgn_write_move(&((copier *)payload)->writer, before, move), LUFT_OK);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action copy_nag(void *payload, int nag) {
    assert_int_equal(luft_pgn_write_nag(&((copier *)payload)->writer, nag), LUFT_OK);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action copy_comment(void *payload, const char *text, size_t length, bool more) {
    assert_false(more);
    assert_int_equal(luft_pgn_write_comment(&((copier *)payload)->writer, text, length), LUFT_OK);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action copy_variation_start(void *payload, const luft_position *before) {
    (void)before;
    assert_int_equal(luft_pgn_write_variation_start(&((copier *)payload)->writer), LUFT_OK);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action copy_variation_end(void *payload) {
    assert_int_equal(luft_pgn_write_variation_end(&((copier *)payload)->writer), LUFT_OK);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action fail_on_error(void *payload, const luft_pgn_error *error) {
    (void)payload;
    fail_msg("line %d, column %d: %s: %.*s", (int)error->place.line, (int)error->place.column, error->reason,
             (int)error->token_length, error->token);
    return LUFT_PGN_STOP;
}

static luft_pgn_action copy_end(void *payload, luft_result result) {
    assert_int_equal(luft_pgn_write_result(&((copier *)payload)->writer, result), LUFT_OK);
    return LUFT_PGN_CONTINUE;
}

static const luft_pgn_visitor copying = {
    .game_start = copy_start,
    .tag = copy_tag,
    .moves_start = copy_moves_start,
    .move = copy_move,
    .nag = copy_nag,
    .comment = copy_comment,
    .variation_start = copy_variation_start,
    .variation_end = copy_variation_end,
    .error = fail_on_error,
    .game_end = copy_end,
};

/* Reads the text of one sink and writes it to another. */
static void copy_games(text_sink *to, const text_sink *from) {
    copier copy = {0};
    luft_pgn_reader *reader = NULL;
    luft_pgn_writer_init(&copy.writer, keep, to);
    assert_int_equal(luft_pgn_reader_create_text(&reader, from->text, from->length), LUFT_OK);
    assert_int_equal(luft_pgn_read_all(reader, &copying, &copy), LUFT_OK);
    luft_pgn_reader_free(reader);
}

/* Duplicate tags are kept, except Event, which begins a game; their order is kept too. */
static void duplicate_tags_are_kept(void **state) {
    (void)state;
    text_sink sink = {.room = SIZE_MAX}, again = {.room = SIZE_MAX};
    luft_pgn_writer writer;
    const luft_pgn_tag tags[] = {tag_of("Result", "1-0"), tag_of("FEN", ""),      tag_of("White", "Ann"),
                                 tag_of("Result", "0-1"), tag_of("White", "Bob"), tag_of("Event", "A"),
                                 tag_of("Event", "B"),    tag_of("Result", "*")};
    luft_pgn_writer_init(&writer, keep, &sink);
    assert_int_equal(luft_pgn_write_tags(&writer, tags, sizeof tags / sizeof tags[0]), LUFT_OK);
    assert_int_equal(luft_pgn_write_result(&writer, LUFT_RESULT_WHITE), LUFT_OK);
    assert_non_null(strstr(sink.text, "[White \"Ann\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[FEN \"\"]\n[Result \"0-1\"]\n"
                                      "[White \"Bob\"]\n[Result \"*\"]\n\n1-0\n"));
    copy_games(&again, &sink);
    assert_string_equal(again.text, sink.text);
    free(again.text);
    free(sink.text);
}

/* Words that are hard for the writer: braces, commands, text like tags and escapes, any bytes. */
static void random_comment(random_source *random, char *text) {
    static const char *const words[] = {"a",      "word",
                                        "[%clk",  "0:10:00]",
                                        "[Event", "\"x\"]",
                                        "%",      "%x",
                                        "}",      "{",
                                        ";c",     "(",
                                        ")",      "1-0",
                                        "1.",     "\xe9",
                                        "$",      "\n",
                                        "  ",     "\r\n",
                                        "[%",     "a-very-long-word-that-takes-half-a-line",
                                        "\t"};
    const int count = random_below(random, 40);
    *text = '\0';
    for (int i = 0; i < count; i++) {
        strcat(text, words[random_below(random, (int)(sizeof words / sizeof words[0]))]);
        strcat(text, random_below(random, 5) > 0 ? " " : "");
    }
}

static void write_random_line(luft_pgn_writer *writer, random_source *random, luft_position position, int plies,
                              int depth) {
    char text[2000];
    for (int ply = 0; ply < plies; ply++) {
        luft_move_list list;
        if (luft_generate(&list, &position, LUFT_ALL_MOVES) == 0) {
            return;
        }
        const luft_position before = position;
        const luft_move move = random_below(random, 50) == 0 && !luft_in_check(&position)
                                   ? LUFT_MOVE_NONE
                                   : list.moves[random_below(random, list.count)];
        assert_int_equal(luft_pgn_write_move(writer, &before, move), LUFT_OK);
        if (move == LUFT_MOVE_NONE) {
            assert_int_equal(luft_make_null(&position, &before), LUFT_OK);
        } else {
            luft_make(&position, &before, move);
        }
        if (random_below(random, 8) == 0) {
            assert_int_equal(luft_pgn_write_nag(writer, random_below(random, 256)), LUFT_OK);
        }
        if (random_below(random, 8) == 0) {
            random_comment(random, text);
            write_comment(writer, text);
        }
        while (depth < 4 && random_below(random, 12) == 0) {
            assert_int_equal(luft_pgn_write_variation_start(writer), LUFT_OK);
            write_random_line(writer, random, before, random_below(random, 12), depth + 1);
            assert_int_equal(luft_pgn_write_variation_end(writer), LUFT_OK);
        }
    }
}

static void write_random_game(luft_pgn_writer *writer, random_source *random) {
    char fen[LUFT_FEN_SIZE], value[2000];
    luft_position start;
    assert_int_equal(luft_chess960_position(&start, random_below(random, 960)), LUFT_OK);
    luft_position_to_fen(fen, sizeof fen, &start, LUFT_FEN_SHREDDER);
    random_comment(random, value);
    const luft_pgn_tag tags[] = {tag_of("FEN", fen), tag_of("Variant", "Chess960"), tag_of("Site", value),
                                 tag_of("Note", "\\")};
    assert_int_equal(luft_pgn_write_tags(writer, tags, sizeof tags / sizeof tags[0]), LUFT_OK);
    write_random_line(writer, random, start, random_below(random, 60), 0);
    /* All results except none, which is read as unknown. */
    assert_int_equal(luft_pgn_write_result(writer, (luft_result)(1 + random_below(random, 4))), LUFT_OK);
}

/*
 * No line is too long, except for tags, single words, and lines that cannot be broken before a percent sign or
 * [Event.
 */
static void assert_lines_fit(char *text) {
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        const bool may_be_long =
            line[0] == '[' || !strchr(line, ' ') || strchr(line, '%') != NULL || strstr(line, "[Event") != NULL;
        assert_true(may_be_long || strlen(line) <= 79);
    }
}

static void write_read_write_is_stable(void **state) {
    (void)state;
    for (int seed = 0; seed < test_rounds(300); seed++) {
        random_source random = {(uint64_t)seed};
        text_sink first = {.room = SIZE_MAX}, second = {.room = SIZE_MAX};
        luft_pgn_writer writer;
        luft_pgn_writer_init(&writer, keep, &first);
        for (int game = 0; game < 3; game++) {
            write_random_game(&writer, &random);
        }
        copy_games(&second, &first);
        assert_string_equal(first.text, second.text);
        assert_lines_fit(first.text);
        free(first.text);
        free(second.text);
    }
}

/* --- Failures -------------------------------------------------------------- */

static void a_sink_may_fail(void **state) {
    (void)state;
    for (size_t room = 0; room < 200; room++) {
        text_sink sink = {.room = room};
        luft_pgn_writer writer;
        luft_position position = luft_start_position();
        luft_pgn_writer_init(&writer, keep, &sink);
        luft_error error = luft_pgn_write_tags(&writer, NULL, 0);
        const luft_error after_move = luft_pgn_write_move(&writer, &position, move_from(&position, "e2e4"));
        assert_true(error == LUFT_OK || after_move == LUFT_ERROR_WRITE); /* a failed writer stays failed */
        error = luft_pgn_write_comment(&writer, "a comment", 9);
        assert_true(after_move == LUFT_OK || error == LUFT_ERROR_WRITE);
        error = luft_pgn_write_result(&writer, LUFT_RESULT_DRAW);
        const size_t needed = strlen(ROSTER "\n1. e4 {a comment} 1/2-1/2\n\n");
        assert_int_equal(error, room >= needed ? LUFT_OK : LUFT_ERROR_WRITE);
        free(sink.text);
    }
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    text_sink sink = {.room = SIZE_MAX};
    luft_pgn_writer writer;
    const luft_position start = luft_start_position();
    const luft_move move = move_from(&start, "e2e4");
    luft_pgn_writer_init(NULL, keep, &sink);
    luft_pgn_writer_init(&writer, keep, &sink);
    assert_int_equal(luft_pgn_write_tags(NULL, NULL, 0), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_tags(&writer, NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_move(NULL, &start, move), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_move(&writer, NULL, move), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_move(&writer, &start, luft_make_move(LUFT_E2, LUFT_E5, LUFT_QUIET)),
                     LUFT_ERROR_MOVE_ILLEGAL);
    const luft_position checked = position_from("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    assert_int_equal(luft_pgn_write_move(&writer, &checked, LUFT_MOVE_NONE), LUFT_ERROR_MOVE_ILLEGAL);
    assert_int_equal(luft_pgn_write_nag(NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_nag(&writer, -1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_nag(&writer, 256), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_comment(NULL, "x", 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_comment(&writer, NULL, 1), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_variation_start(NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_variation_end(NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_pgn_write_result(NULL, LUFT_RESULT_DRAW), LUFT_ERROR_ARGUMENT);
    assert_null(sink.text);
    assert_int_equal(luft_pgn_write_comment(&writer, NULL, 0), LUFT_OK);
    assert_string_equal(sink.text, "{}");
    free(sink.text);
    luft_pgn_writer_init(&writer, NULL, NULL);
    assert_int_equal(luft_pgn_write_nag(&writer, 1), LUFT_ERROR_WRITE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_roster_comes_first),      cmocka_unit_test(tags_are_escaped),
        cmocka_unit_test(duplicate_tags_are_kept),     cmocka_unit_test(comments_end_with_their_length),
        cmocka_unit_test(names_may_be_long),           cmocka_unit_test(values_may_be_long),
        cmocka_unit_test(tags_that_cannot_be_written), cmocka_unit_test(moves_have_their_numbers),
        cmocka_unit_test(a_game_may_start_anywhere),   cmocka_unit_test(comments_are_plain),
        cmocka_unit_test(write_read_write_is_stable),  cmocka_unit_test(a_sink_may_fail),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
