/* SPDX-License-Identifier: MIT */
/*
 * EPD: positions, operations and operands, strings with escapes, moves, and writing that
 * reads back the same. Input that is not EPD is refused without a crash. The public suites
 * of positions are read if they lie beside the repository.
 */
#include "support/check.h"
#include "support/random_positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATE "6k1/5ppp/8/8/8/8/8/R5K1 w - - "

/* --- Helpers --------------------------------------------------------------- */

/* A line in a block of exactly its length, so that a sanitizer detects the first byte read beyond it. */
typedef struct epd_line {
    char *text;
    size_t length;
    luft_error error;
    luft_fen_report report;
    luft_position position;
    luft_epd_cursor cursor;
} epd_line;

static epd_line read_bytes(const char *text, size_t length) {
    epd_line line = {.text = malloc(length + (length == 0)), .length = length};
    assert_non_null(line.text);
    memcpy(line.text, text, length);
    line.error = luft_epd_read(&line.position, &line.cursor, line.text, length, &line.report);
    return line;
}

/* Reads a valid line. */
static epd_line read_good(const char *text) {
    const epd_line line = read_bytes(text, strlen(text));
    if (line.error != LUFT_OK) {
        fail_msg("refused: %s: %s at byte %zu", text, line.report.reason, line.report.offset);
    }
    return line;
}

static void free_line(epd_line *line) {
    free(line->text);
}

static void assert_refused(const char *text, size_t length, luft_error error, size_t offset) {
    epd_line line = read_bytes(text, length);
    if (line.error != error || line.report.error != error || line.report.offset != offset) {
        fail_msg("%s: %s at byte %zu (%s), expected %s at byte %zu", text, luft_error_string(line.error),
                 line.report.offset, line.report.reason, luft_error_string(error), offset);
    }
    assert_true(line.report.reason[0] != '\0');
    assert_null(line.cursor.text); /* nothing was written */
    assert_int_equal(line.position.board.kings, 0);
    free_line(&line);
}

static bool text_is(const char *text, size_t length, const char *expected) {
    return length == strlen(expected) && memcmp(text, expected, length) == 0;
}

/*
 * Writes everything the cursor leads to as <opcode>(operand)["string"], without escapes, to compare a whole line
 * at once.
 */
static void describe(char *out, luft_epd_cursor cursor) {
    luft_epd_operation operation;
    luft_epd_operand operand;
    luft_error error;
    *out = '\0';
    while ((error = luft_epd_next_operation(&operation, &cursor)) == LUFT_OK) {
        out += sprintf(out, "<%.*s>", (int)operation.opcode_length, operation.opcode);
        while ((error = luft_epd_next_operand(&operand, &operation.operands)) == LUFT_OK) {
            char text[256];
            assert_true(luft_epd_unescape(text, sizeof text, &operand) < sizeof text);
            out += sprintf(out, operand.quoted ? "[%s]" : "(%s)", text);
        }
        assert_int_equal(error, LUFT_ERROR_END);
    }
    assert_int_equal(error, LUFT_ERROR_END);
}

static void assert_operations(const char *operations, const char *expected) {
    char text[512], found[512];
    snprintf(text, sizeof text, MATE "%s", operations);
    epd_line line = read_good(text);
    describe(found, line.cursor);
    assert_string_equal(found, expected);
    assert_fen(&line.position, MATE "0 1");
    free_line(&line);
}

/* --- Reading ---------------------------------------------------------------- */

static void assert_counters(const char *text, int clock, int number) {
    epd_line line = read_good(text);
    assert_int_equal(line.position.halfmove_clock, clock);
    assert_int_equal(line.position.fullmove_number, number);
    assert_int_equal(luft_position_status(&line.position), LUFT_STATUS_VALID);
    free_line(&line);
}

static void operations_and_operands(void **state) {
    (void)state;
    assert_operations("", "");
    assert_operations("bm Ra8#; id \"mate.1\";", "<bm>(Ra8#)<id>[mate.1]");
    assert_operations("bm Ra8# Kf2; am Kh1;", "<bm>(Ra8#)(Kf2)<am>(Kh1)");
    assert_operations("noop;", "<noop>");
    assert_operations("acd 5; ce -120; dm 1; pv Ra8; acn 1000; acs 3;",
                      "<acd>(5)<ce>(-120)<dm>(1)<pv>(Ra8)<acn>(1000)<acs>(3)");
    assert_operations("c0 \"a\"; c9 \"b\" \"c\" d;", "<c0>[a]<c9>[b][c](d)");
    assert_operations("c0 \"\";", "<c0>[]");
    assert_operations("\tbm\t Ra8#\t ;\tid  \"x\"\t;\t ", "<bm>(Ra8#)<id>[x]");
    assert_operations("v 1.0;", "<v>(1.0)");
}

static void deviations_found_in_files(void **state) {
    (void)state;
    assert_operations("bm Ra8#", "<bm>(Ra8#)");                  /* no semicolon at the end */
    assert_operations("bm Ra8#; id \"x\"", "<bm>(Ra8#)<id>[x]"); /* likewise */
    assert_operations(";D1 20 ;D2 400 ;", "<D1>(20)<D2>(400)");  /* semicolons first, as in perft suites */
    assert_operations(";; bm Ra8#;;;", "<bm>(Ra8#)");            /* extra semicolons */
    assert_operations("bm Ra8#; \r\n", "<bm>(Ra8#)");            /* line end */
    assert_operations("\n", "");
    assert_operations("c0 \"a; b\"; id \"c;\";", "<c0>[a; b]<id>[c;]"); /* a semicolon between quotes is text */
    assert_operations("c0 \"J\xc3\xb6rg\"; c1 \"J\xf6rg\";", "<c0>[J\xc3\xb6rg]<c1>[J\xf6rg]"); /* UTF-8, Latin-1 */
    assert_operations("- bm Ra8#;", "<bm>(Ra8#)"); /* a third dash, or a fourth: counters that are not given */
    assert_operations("- - bm Ra8#;", "<bm>(Ra8#)");
    assert_operations("-;bm Ra8#;", "<bm>(Ra8#)");
    assert_operations("-", "");
    assert_counters(MATE "17 - bm Ra8#;", 17, 1);
    assert_counters(MATE "- hmvc 17;", 17, 1);
    epd_line line = read_good("6k1/5ppp/8/8/8/8/8/R5K1 w - -;bm Ra8#;"); /* no blank after the fields */
    char found[64];
    describe(found, line.cursor);
    assert_string_equal(found, "<bm>(Ra8#)");
    free_line(&line);
}

static void escapes(void **state) {
    (void)state;
    assert_operations("c0 \"say \\\"mate\\\"\";", "<c0>[say \"mate\"]");
    assert_operations("c0 \"back\\\\slash\" x;", "<c0>[back\\slash](x)");
    assert_operations("c0 \"ends in \\\\\"; id \"x\";", "<c0>[ends in \\]<id>[x]");
    assert_operations("c0 \"\\\\\\\"; \\\\\";", "<c0>[\\\"; \\]");
    assert_operations("c0 \"C:\\games\\1\";", "<c0>[C:\\games\\1]"); /* other backslashes stand for themselves */
    assert_operations("c0 a\\b;", "<c0>(a\\b)");                     /* so do all backslashes in a word */
}

static void an_operand_says_what_it_is(void **state) {
    (void)state;
    epd_line line = read_good(MATE "c0 plain \"string\" \"with \\\" escape\";");
    luft_epd_operation operation;
    luft_epd_operand operand;
    assert_int_equal(luft_epd_next_operation(&operation, &line.cursor), LUFT_OK);
    assert_int_equal(luft_epd_next_operand(&operand, &operation.operands), LUFT_OK);
    assert_true(!operand.quoted && !operand.escaped && text_is(operand.text, operand.length, "plain"));
    assert_int_equal(luft_epd_next_operand(&operand, &operation.operands), LUFT_OK);
    assert_true(operand.quoted && !operand.escaped && text_is(operand.text, operand.length, "string"));
    assert_int_equal(luft_epd_next_operand(&operand, &operation.operands), LUFT_OK);
    assert_true(operand.quoted && operand.escaped && text_is(operand.text, operand.length, "with \\\" escape"));
    assert_int_equal(luft_epd_next_operand(&operand, &operation.operands), LUFT_ERROR_END);
    free_line(&line);
}

static void counters(void **state) {
    (void)state;
    assert_counters(MATE, 0, 1);
    assert_counters(MATE "17", 17, 1);
    assert_counters(MATE "17 42", 17, 42);
    assert_counters(MATE "17 42 bm Ra8#;", 17, 42);
    assert_counters(MATE "17 42; bm Ra8#;", 17, 42);
    assert_counters(MATE "hmvc 17; fmvn 42;", 17, 42);
    assert_counters(MATE "bm Ra8#; fmvn 42; id \"x\"; hmvc 17", 17, 42);
    assert_counters(MATE "1 2 hmvc 17;", 17, 2); /* the named counter wins */
    assert_counters(MATE "fmvn 0;", 0, 1);       /* as the FEN reader does */
    assert_counters(MATE "hmvc 65535; fmvn 65535;", 65535, 65535);
}

static void find_by_opcode(void **state) {
    (void)state;
    epd_line line = read_good(MATE "bmx 1; c0 \"bm Kf2;\"; bm Ra8#; id \"x\"; bm Kh1;");
    const luft_epd_cursor before = line.cursor;
    luft_epd_operation operation = {.opcode = NULL};
    assert_int_equal(luft_epd_find(&operation, &line.cursor, "bm"), LUFT_OK);
    assert_true(text_is(operation.operands.text, operation.operands.length, " Ra8#"));
    assert_int_equal(luft_epd_find(&operation, &line.cursor, "am"), LUFT_ERROR_END);
    assert_int_equal(luft_epd_find(&operation, &line.cursor, "b"), LUFT_ERROR_END);
    assert_int_equal(luft_epd_find(&operation, &line.cursor, ""), LUFT_ERROR_END);
    assert_true(text_is(operation.opcode, operation.opcode_length, "bm")); /* untouched */
    assert_memory_equal(&before, &line.cursor, sizeof before);
    free_line(&line);
}

/* --- What is refused ----------------------------------------------------------- */

static void assert_bad(const char *operations, size_t offset) {
    char text[512];
    const int length = snprintf(text, sizeof text, MATE "%s", operations);
    assert_refused(text, (size_t)length, LUFT_ERROR_EPD, strlen(MATE) + offset);
}

static void bad_operations(void **state) {
    (void)state;
    assert_bad("bm Ra8#; \"bm\";", 9); /* a string is not an opcode */
    assert_bad("bm Ra8#; 12;", 9);     /* nor is a number */
    assert_bad("0 1 2;", 4);           /* a FEN has two counters only */
    assert_bad("- - - bm Ra8#;", 4);   /* so no more dashes in their place */
    assert_bad("- 1 bm Ra8#;", 2);
    assert_bad("0 1 - bm Ra8#;", 4);
    assert_bad("-- bm Ra8#;", 0);
    assert_bad("-bm Ra8#;", 0);
    assert_bad("id \"x;", 3);     /* no closing quote */
    assert_bad("id \"x\\\";", 3); /* the closing quote is escaped */
    assert_bad("id \"x\"y;", 6);  /* no blank between operands */
    assert_bad("id x\"y\";", 4);  /* likewise */
    assert_bad("id\"y\";", 2);    /* likewise */
    assert_bad("bm \x01;", 3);    /* control characters */
    assert_bad("bm R\x7f;", 4);
    assert_bad("id \"a\nb\";", 5);
    assert_bad("bm Ra8#;\rid x;", 8);
    assert_bad("hmvc;", 0); /* invalid counters */
    assert_bad("hmvc -1;", 0);
    assert_bad("id x; hmvc 65536;", 6);
    assert_bad("fmvn 1 2;", 0);
    assert_bad("fmvn \"\";", 0);
    assert_bad("fmvn 4294967297;", 0);
    assert_refused(MATE "bm\0;", strlen(MATE) + 4, LUFT_ERROR_EPD, strlen(MATE) + 2); /* a NUL */
}

/* An opcode must begin with an ASCII letter. */
static void first_bytes_of_opcodes(void **state) {
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        char text[] = MATE "?q 1;";
        text[strlen(MATE)] = (char)byte;
        const bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        const bool is_passed_over = byte == ' ' || byte == '\t' || byte == ';';
        if (is_letter || is_passed_over) {
            epd_line line = read_bytes(text, sizeof text - 1);
            luft_epd_operation operation;
            assert_int_equal(line.error, LUFT_OK);
            assert_int_equal(luft_epd_next_operation(&operation, &line.cursor), LUFT_OK);
            assert_int_equal(operation.opcode_length, is_letter ? 2 : 1);
            assert_int_equal((unsigned char)operation.opcode[0], is_letter ? byte : 'q');
            free_line(&line);
        } else {
            assert_refused(text, sizeof text - 1, LUFT_ERROR_EPD, strlen(MATE));
        }
    }
}

static void bad_positions(void **state) {
    (void)state;
    assert_refused("", 0, LUFT_ERROR_FEN_FIELDS, 0);
    assert_refused(" \t", 2, LUFT_ERROR_FEN_FIELDS, 2);
    assert_refused("6k1/5ppp/8/8/8/8/8/R5K1 w -", 27, LUFT_ERROR_FEN_FIELDS, 27);
    assert_refused("6k1/5ppp/8/8/8/8/8/R5K1 w; - - bm Ra8#;", 39, LUFT_ERROR_FEN_FIELDS, 25);
    assert_refused("6k1/5ppp/8/8/8/8/8/R5K1 x - - bm Ra8#;", 38, LUFT_ERROR_FEN_SIDE, 24);
    assert_refused("6k1/5ppp/8/8/8/8/8/R5K1 w - -0 1", 32, LUFT_ERROR_FEN_EN_PASSANT, 29);
    assert_refused(MATE "70000", strlen(MATE) + 5, LUFT_ERROR_FEN_HALFMOVE, strlen(MATE) + 4);
    epd_line line = read_bytes("8/8/8/8/8/8/8/8 w - - bm e4;", 28);
    assert_int_equal(line.error, LUFT_ERROR_POSITION);
    assert_int_equal(line.report.status, LUFT_STATUS_NO_WHITE_KING | LUFT_STATUS_NO_BLACK_KING);
    free_line(&line);
}

/* A cursor that did not come from luft_epd_read may lead to anything; it stays in place on an error. */
static void a_fault_stops_the_cursor(void **state) {
    (void)state;
    luft_epd_cursor cursor = {"bm e4; \"x\"; id", 14};
    luft_epd_operation operation;
    luft_epd_operand operand = {.length = 77};
    assert_int_equal(luft_epd_next_operation(&operation, &cursor), LUFT_OK);
    const luft_epd_cursor before = cursor;
    assert_int_equal(luft_epd_next_operation(&operation, &cursor), LUFT_ERROR_EPD);
    assert_int_equal(luft_epd_find(&operation, &cursor, "id"), LUFT_ERROR_EPD);
    assert_memory_equal(&cursor, &before, sizeof before);
    assert_true(text_is(operation.opcode, operation.opcode_length, "bm"));
    luft_epd_cursor operands = {" \"x", 3};
    assert_int_equal(luft_epd_next_operand(&operand, &operands), LUFT_ERROR_EPD);
    assert_int_equal(operands.length, 3);
    assert_int_equal(operand.length, 77);
}

static void a1_null(void **state) {
    (void)state;
    luft_position position = luft_start_position();
    luft_epd_cursor cursor = {NULL, 0}, nowhere = {NULL, 5};
    luft_epd_operation operation = {.opcode = NULL};
    luft_epd_operand operand = {.text = NULL};
    luft_move moves[2];
    size_t count = 99;
    char text[32] = "x";
    luft_fen_report report;
    assert_int_equal(luft_epd_read(NULL, &cursor, MATE, strlen(MATE), &report), LUFT_ERROR_ARGUMENT);
    assert_int_equal(report.error, LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_read(&position, NULL, MATE, strlen(MATE), NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_read(&position, &cursor, NULL, 5, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_read(&position, &cursor, MATE "\"", strlen(MATE) + 1, NULL), LUFT_ERROR_EPD);
    assert_int_equal(luft_epd_next_operation(NULL, &cursor), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_next_operation(&operation, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_next_operation(&operation, &nowhere), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_next_operation(&operation, &cursor), LUFT_ERROR_END);
    assert_int_equal(luft_epd_next_operand(NULL, &cursor), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_next_operand(&operand, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_next_operand(&operand, &nowhere), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_next_operand(&operand, &cursor), LUFT_ERROR_END);
    assert_int_equal(luft_epd_find(NULL, &cursor, "bm"), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_find(&operation, NULL, "bm"), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_find(&operation, &cursor, NULL), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_moves(NULL, 1, &count, &position, &operation, false), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_moves(moves, 2, NULL, &position, &operation, false), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_moves(moves, 2, &count, NULL, &operation, false), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_epd_moves(moves, 2, &count, &position, NULL, false), LUFT_ERROR_ARGUMENT);
    assert_int_equal(count, 99);
    assert_int_equal(luft_epd_unescape(text, sizeof text, NULL), 0);
    assert_int_equal(luft_epd_unescape(text, sizeof text, &operand), 0);
    assert_int_equal(luft_position_to_epd(text, sizeof text, NULL, LUFT_FEN_STANDARD), 0);
    assert_int_equal(luft_epd_write_operation(text, sizeof text, NULL, NULL, 0), 0);
    assert_int_equal(luft_epd_write_operation(text, sizeof text, "bm", NULL, 1), 0);
    operand.length = 3;
    assert_int_equal(luft_epd_write_operation(text, sizeof text, "bm", &operand, 1), 0);
    assert_string_equal(text, "");
}

/* --- The en passant square after every double push ------------------------------ */

static size_t write_with_ep(char *buffer, size_t size, const void *subject) {
    return luft_position_to_epd_with_ep(buffer, size, subject, LUFT_FEN_STANDARD, LUFT_E3);
}

static void the_en_passant_square_of_the_text_is_kept_beside_the_position(void **state) {
    (void)state;
    static const char line[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 bm e5;";
    luft_position position;
    luft_epd_cursor cursor;
    luft_fen_report report;
    assert_int_equal(luft_epd_read(&position, &cursor, line, strlen(line), &report), LUFT_OK);
    assert_int_equal(position.ep_square, LUFT_NO_SQUARE);
    assert_int_equal(report.ep_square, LUFT_E3);
    assert_writes_within(write_with_ep, &position, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3");
    assert_int_equal(luft_position_to_epd_with_ep(NULL, 0, &position, LUFT_FEN_STANDARD, LUFT_D3), 0);
    assert_int_equal(luft_position_to_epd_with_ep(NULL, 0, NULL, LUFT_FEN_STANDARD, LUFT_NO_SQUARE), 0);
    static const char bad[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id \"open";
    assert_int_equal(luft_epd_read(&position, &cursor, bad, strlen(bad), &report), LUFT_ERROR_EPD);
    assert_int_equal(report.ep_square, LUFT_NO_SQUARE);
    assert_int_equal(luft_epd_read(NULL, &cursor, line, strlen(line), &report), LUFT_ERROR_ARGUMENT);
    assert_int_equal(report.ep_square, LUFT_NO_SQUARE);
}

/* --- Hostile lines ------------------------------------------------------------ */

/* A megabyte of one kind of bytes in each place of a line: it is read or refused, without a crash. */
static void d11_a_megabyte_in_each_field(void **state) {
    (void)state;
    static const char *const parts[] = {
        "6k1/5ppp/8/8/8/8/8/R5K1", " w", " -", " -", " 0", " 1", " bm Ra8#;", " id \"x", "\";"};
    static const char fillers[] = "8p/KQkqw-0 ;\"\\aA\t\x01\xff\n\0";
    const size_t megabyte = 1u << 20;
    char *text = malloc(megabyte + 256);
    assert_non_null(text);
    for (size_t place = 0; place <= sizeof parts / sizeof parts[0]; place++) {
        for (size_t filler = 0; filler < sizeof fillers; filler++) {
            size_t length = 0;
            for (size_t part = 0; part <= sizeof parts / sizeof parts[0]; part++) {
                if (part == place) {
                    memset(text + length, fillers[filler], megabyte);
                    length += megabyte;
                }
                if (part < sizeof parts / sizeof parts[0]) {
                    memcpy(text + length, parts[part], strlen(parts[part]));
                    length += strlen(parts[part]);
                }
            }
            epd_line line = read_bytes(text, length);
            assert_true(line.error == LUFT_OK || line.report.offset <= length);
            luft_epd_operation operation;
            while (line.error == LUFT_OK && luft_epd_next_operation(&operation, &line.cursor) == LUFT_OK) {
                luft_move moves[1];
                size_t count;
                assert_int_not_equal(luft_epd_moves(moves, 1, &count, &line.position, &operation, true),
                                     LUFT_ERROR_ARGUMENT);
            }
            free_line(&line);
        }
    }
    free(text);
}

static void random_junk(void **state) {
    (void)state;
    static const char alphabet[] = "rnbqkpRNBQKP12345678/wb-KQkq  ;;\"\"\\\\\t0123bmid#\x01\xfe\n";
    random_source source = {11};
    for (int round = 0; round < test_rounds(50000); round++) {
        char text[160] = MATE "bm Ra8# Kf2; id \"a \\\" b\"; c0 x \"y;\" hmvc; fmvn 3;";
        size_t length = strlen(text);
        for (int i = 1 + random_below(&source, 6); i > 0; i--) { /* with a few changed bytes most of it is still EPD */
            const int at = random_below(&source, (int)length);
            text[at] = round % 4 == 0 ? (char)random_below(&source, 256)
                                      : alphabet[random_below(&source, (int)sizeof alphabet)];
        }
        length -= (size_t)random_below(&source, (int)length) / 4;
        epd_line line = read_bytes(text, length);
        if (line.error == LUFT_OK) {
            char found[512];
            describe(found, line.cursor); /* an accepted line has no error */
            assert_int_equal(luft_position_status(&line.position), LUFT_STATUS_VALID);
        } else {
            assert_true(line.report.offset <= length);
        }
        free_line(&line);
    }
}

/* --- Moves -------------------------------------------------------------------- */

/* Reads the first operation's operands as moves and compares them with UCI text. */
static void assert_moves(const char *epd, bool as_line, const char *expected) {
    epd_line line = read_good(epd);
    luft_epd_operation operation;
    luft_move moves[8];
    size_t count = 0;
    char found[128] = "", text[LUFT_UCI_MOVE_SIZE];
    assert_int_equal(luft_epd_next_operation(&operation, &line.cursor), LUFT_OK);
    assert_int_equal(luft_epd_moves(moves, 8, &count, &line.position, &operation, as_line), LUFT_OK);
    for (size_t i = 0; i < count; i++) {
        luft_move_to_uci(text, sizeof text, moves[i], LUFT_CASTLING_CHESS960);
        strcat(strcat(found, i ? " " : ""), text);
    }
    assert_string_equal(found, expected);
    free_line(&line);
}

static void moves_of_operations(void **state) {
    (void)state;
    assert_moves(MATE "bm Ra8#;", false, "a1a8");
    assert_moves(MATE "bm Ra8+! Kf2 \"Kh1\";", false, "a1a8 g1f2 g1h1");
    assert_moves(MATE "bm;", false, "");
    assert_moves(MATE "pv Ra7 Kf8 Ra8+ Ke7;", true, "a1a7 g8f8 a7a8 f8e7");
    assert_moves("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - bm O-O 0-0-0 e1g1 e1a1;", false,
                 "e1h1 e1a1 e1h1 e1a1");
    assert_moves("1r5k/P7/8/8/8/8/8/K7 w - - bm axb8=Q a8N a7b8q a7a8r;", false, "a7b8q a7a8n a7b8q a7a8r");
    assert_moves("rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 bm exd6 g1f3;", false, "e5d6 g1f3");
}

static void operands_that_are_not_moves(void **state) {
    (void)state;
    static const struct {
        const char *epd;
        bool line;
        luft_error error;
    } cases[] = {
        {MATE "bm #3;", false, LUFT_ERROR_MOVE_SYNTAX}, /* a mate distance, as in suites of mates */
        {MATE "bm Ra8# Ra8;", true, LUFT_ERROR_MOVE_ILLEGAL},
        {MATE "bm Kf2 Rb2;", false, LUFT_ERROR_MOVE_ILLEGAL},
        {MATE "bm --;", true, LUFT_ERROR_MOVE_SYNTAX},
        {"6k1/8/8/8/8/8/1N1N4/6K1 w - - bm Nc4;", false, LUFT_ERROR_MOVE_AMBIGUOUS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        epd_line line = read_good(cases[i].epd);
        luft_epd_operation operation;
        luft_move moves[4] = {1, 2, 3, 4};
        size_t count = 99;
        assert_int_equal(luft_epd_next_operation(&operation, &line.cursor), LUFT_OK);
        assert_int_equal(luft_epd_moves(moves, 4, &count, &line.position, &operation, cases[i].line), cases[i].error);
        assert_int_equal(count, 99); /* none of the moves before it was written */
        assert_int_equal(moves[0], 1);
        free_line(&line);
    }
}

static void more_moves_than_room(void **state) {
    (void)state;
    epd_line line = read_good(MATE "bm Ra8# Kf2 Kh1;");
    luft_epd_operation operation;
    luft_move moves[3] = {0, 0, 0x1234};
    size_t count = 0;
    assert_int_equal(luft_epd_next_operation(&operation, &line.cursor), LUFT_OK);
    assert_int_equal(luft_epd_moves(moves, 2, &count, &line.position, &operation, false), LUFT_OK);
    assert_int_equal(count, 3);
    assert_int_equal(moves[1], move_from(&line.position, "g1f2"));
    assert_int_equal(moves[2], 0x1234);
    assert_int_equal(luft_epd_moves(NULL, 0, &count, &line.position, &operation, false), LUFT_OK);
    assert_int_equal(count, 3);
    free_line(&line);
}

/* --- Writing ------------------------------------------------------------------- */

static luft_epd_operand word(const char *text) {
    return (luft_epd_operand){.text = text, .length = strlen(text)};
}

static luft_epd_operand string(const char *text) {
    return (luft_epd_operand){.text = text, .length = strlen(text), .quoted = true};
}

static size_t write_subject(char *buffer, size_t size, const void *subject) {
    return luft_epd_write_operation(buffer, size, "c0", subject, 3);
}

static size_t unescape_subject(char *buffer, size_t size, const void *subject) {
    return luft_epd_unescape(buffer, size, subject);
}

static size_t write_position(char *buffer, size_t size, const void *subject) {
    return luft_position_to_epd(buffer, size, subject, LUFT_FEN_STANDARD);
}

static void writing(void **state) {
    (void)state;
    const luft_epd_operand operands[3] = {word("e4"), string("a \"b\" \\ ;"), string("")};
    assert_writes_within(write_subject, operands, " c0 e4 \"a \\\"b\\\" \\\\ ;\" \"\";");
    luft_epd_operand escaped[3] = {word("e4"), string("a \\\" \\\\"), string("C:\\x")};
    escaped[1].escaped = escaped[2].escaped = true; /* as read */
    assert_writes_within(write_subject, escaped, " c0 e4 \"a \\\" \\\\\" \"C:\\x\";");
    assert_writes_within(unescape_subject, &escaped[1], "a \" \\");
    assert_writes_within(unescape_subject, &escaped[2], "C:\\x");
    assert_writes_within(unescape_subject, &operands[1], "a \"b\" \\ ;");
    const luft_epd_operand cut = {.text = "a\\\"", .length = 2, .quoted = true, .escaped = true};
    assert_writes_within(unescape_subject, &cut, "a\\"); /* bytes after its end are not read */
    const luft_position position = position_from("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 7 12");
    assert_writes_within(write_position, &position, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -");
    char text[LUFT_EPD_POSITION_SIZE];
    luft_position_to_epd(text, sizeof text, &position, LUFT_FEN_SHREDDER);
    assert_string_equal(text, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha -");
    assert_int_equal(luft_epd_write_operation(text, sizeof text, "noop", NULL, 0), 6);
    assert_string_equal(text, " noop;");
    const luft_epd_operand tab = string("a\tb");
    assert_int_equal(luft_epd_write_operation(text, sizeof text, "c0", &tab, 1), 10);
    assert_string_equal(text, " c0 \"a\tb\";");
}

static void operations_that_cannot_be_written(void **state) {
    (void)state;
    static const char *const bad_words[] = {"", "a b", "a;b", "a\"b", "a\tb", "a\nb", "\x7f"};
    static const char *const bad_opcodes[] = {"", "1", "\"", "b m", "bm;", "-", "b\n"};
    char text[64] = "x";
    for (size_t i = 0; i < sizeof bad_words / sizeof bad_words[0]; i++) {
        const luft_epd_operand operand = word(bad_words[i]);
        assert_int_equal(luft_epd_write_operation(text, sizeof text, "bm", &operand, 1), 0);
    }
    for (size_t i = 0; i < sizeof bad_opcodes / sizeof bad_opcodes[0]; i++) {
        assert_int_equal(luft_epd_write_operation(text, sizeof text, bad_opcodes[i], NULL, 0), 0);
    }
    luft_epd_operand operand = string("a\nb");
    assert_int_equal(luft_epd_write_operation(text, sizeof text, "c0", &operand, 1), 0);
    static const char *const not_escaped[] = {"a\"b", "a\\", "\\\\\\",
                                              "\\\\\""}; /* they would end the string too early or too late */
    for (size_t i = 0; i < sizeof not_escaped / sizeof not_escaped[0]; i++) {
        operand = string(not_escaped[i]);
        operand.escaped = true;
        assert_int_equal(luft_epd_write_operation(text, sizeof text, "c0", &operand, 1), 0);
    }
    assert_string_equal(text, "");
}

/*
 * Writes a line again: the position, then all operations. With `plain`, strings are unescaped first and escaped
 * again.
 */
static void rewrite(char *out, size_t size, const epd_line *line, bool plain) {
    luft_epd_cursor cursor = line->cursor;
    luft_epd_operation operation;
    size_t length = luft_position_to_epd(out, size, &line->position, LUFT_FEN_STANDARD);
    while (luft_epd_next_operation(&operation, &cursor) == LUFT_OK) {
        luft_epd_operand operands[64];
        static char texts[64][256];
        char opcode[64] = "";
        size_t count = 0;
        memcpy(opcode, operation.opcode, operation.opcode_length);
        while (count < 64 && luft_epd_next_operand(&operands[count], &operation.operands) == LUFT_OK) {
            if (plain) {
                operands[count].length = luft_epd_unescape(texts[count], sizeof texts[count], &operands[count]);
                operands[count].text = texts[count];
                operands[count].escaped = false;
            }
            count++;
        }
        const size_t written = luft_epd_write_operation(out + length, size - length, opcode, operands, count);
        assert_true(written > 0 && written < size - length);
        length += written;
    }
}

/* Reads, writes, reads and writes again: the operations and the text must be the same. */
static void assert_stable(const char *text, size_t length) {
    char first[1024], second[1024], before[1024], after[1024];
    for (int plain = 0; plain < 2; plain++) {
        epd_line line = read_bytes(text, length);
        assert_int_equal(line.error, LUFT_OK);
        rewrite(first, sizeof first, &line, plain);
        describe(before, line.cursor);
        epd_line again = read_good(first);
        describe(after, again.cursor);
        assert_string_equal(before, after);
        rewrite(second, sizeof second, &again, plain);
        assert_string_equal(first, second);
        free_line(&line);
        free_line(&again);
    }
}

static void read_write_read_is_stable(void **state) {
    (void)state;
    static const char *const lines[] = {
        MATE "bm Ra8#; id \"mate.1\";",
        MATE "c0 \"\\\\\\\"; \\\\\" x \"\" y; hmvc 3; fmvn 9; noop;",
        MATE ";D1 20 ;D2 400",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_stable(lines[i], strlen(lines[i]));
    }
    static const char alphabet[] = "ab \\\\\"\";\t\xc3\xa4#";
    random_source source = {5};
    for (int round = 0; round < test_rounds(20000); round++) { /* random strings */
        char value[24] = "", text[256] = MATE;
        const int value_length = random_below(&source, sizeof value);
        for (int i = 0; i < value_length; i++) {
            value[i] = alphabet[random_below(&source, (int)sizeof alphabet - 1)];
        }
        luft_epd_operand operand = string(value);
        const size_t length = strlen(MATE) + luft_epd_write_operation(text + strlen(MATE), 200, "c0", &operand, 1);
        assert_stable(text, length);
        epd_line line = read_good(text);
        luft_epd_operation operation;
        char back[64];
        assert_int_equal(luft_epd_find(&operation, &line.cursor, "c0"), LUFT_OK);
        assert_int_equal(luft_epd_next_operand(&operand, &operation.operands), LUFT_OK);
        assert_int_equal(luft_epd_unescape(back, sizeof back, &operand), value_length);
        assert_string_equal(back, value);
        free_line(&line);
    }
}

static void check_position(const luft_position *position, void *payload) {
    (void)payload;
    char text[LUFT_EPD_POSITION_SIZE];
    const size_t length = luft_position_to_epd(text, sizeof text, position, LUFT_FEN_SHREDDER);
    epd_line line = read_bytes(text, length);
    require(line.error == LUFT_OK, position, "its EPD is read");
    require(memcmp(&line.position.board, &position->board, sizeof position->board) == 0 &&
                luft_key(&line.position) == luft_key(position),
            position, "and is the same position");
    free_line(&line);
}

static void every_position_reads_back(void **state) {
    (void)state;
    visit_random_positions(test_rounds(40), check_position, NULL);
}

/* --- The public suites ---------------------------------------------------------- */

typedef struct suite_count {
    int lines;
    int refused;
    int moves;     /* in operations with legal moves only */
    int bad_moves; /* operations with something else */
} suite_count;

static void count_moves_of(suite_count *count, const epd_line *line, const char *opcode) {
    luft_epd_operation operation;
    size_t moves = 0;
    if (luft_epd_find(&operation, &line->cursor, opcode) == LUFT_OK) {
        count->bad_moves += luft_epd_moves(NULL, 0, &moves, &line->position, &operation, false) != LUFT_OK;
        count->moves += (int)moves;
    }
}

static void count_line(suite_count *count, const char *text, size_t length) {
    while (length > 0 && text[length - 1] == '\0') { /* the destruction test has one after each line */
        length--;
    }
    if (length == 0 || text[0] == '#' || text[0] == '\r') {
        return;
    }
    epd_line line = read_bytes(text, length);
    count->lines++;
    count->refused += line.error != LUFT_OK;
    if (line.error == LUFT_OK) {
        count_moves_of(count, &line, "bm");
        count_moves_of(count, &line, "am");
        if (length < 900) {
            assert_stable(text, length);
        }
    }
    free_line(&line);
}

/* Reads every line of a file of LUFT_DATA except empty ones and comments. Skips the test without the file. */
static suite_count count_suite(const char *name) {
    static char text[1 << 20];
    suite_count count = {0};
    FILE *file = open_optional_data(name);
    const size_t length = fread(text, 1, sizeof text, file);
    assert_true(feof(file));
    fclose(file);
    for (size_t start = 0, end; start < length; start = end + 1) {
        const char *newline = memchr(text + start, '\n', length - start);
        end = newline ? (size_t)(newline - text) : length;
        count_line(&count, text + start, end - start);
    }
    return count;
}

/* Every line is read, and every move in bm and am is legal. ECM.160 is missing: the file has it as a comment. */
static void tactics(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int lines;
    } suites[] = {
        {"tactics/wac.epd", 300},   {"tactics/arasan2024.epd", 200},  {"tactics/sts.epd", 1500},
        {"tactics/ecm98.epd", 769}, {"tactics/bratko-kopec.epd", 24},
    };
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++) {
        const suite_count count = count_suite(suites[i].name);
        if (count.lines != suites[i].lines || count.refused > 0 || count.bad_moves > 0) {
            fail_msg("%s: %d lines, %d refused, %d with illegal moves", suites[i].name, count.lines, count.refused,
                     count.bad_moves);
        }
        assert_true(count.moves >= count.lines); /* each has a best move or a move to avoid */
    }
}

/* In these suites `bm #3` is a mate distance, not a move. */
static void mates(void **state) {
    (void)state;
    const suite_count count = count_suite("mates/mates2000.epd"), cursed = count_suite("mates/cursed.epd");
    assert_int_equal(count.lines, 2000);
    assert_int_equal(count.bad_moves, 2000);
    assert_int_equal(count.refused + cursed.refused, 0);
    assert_int_equal(cursed.bad_moves, cursed.lines);
}

/* Most positions of this suite are invalid on purpose, and the others are not strict EPD. */
static void destruction_test(void **state) {
    (void)state;
    const suite_count count = count_suite("tactics/destruction-test.epd");
    assert_true(count.refused > 80 && count.refused < count.lines);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_and_operands),
        cmocka_unit_test(deviations_found_in_files),
        cmocka_unit_test(escapes),
        cmocka_unit_test(an_operand_says_what_it_is),
        cmocka_unit_test(counters),
        cmocka_unit_test(find_by_opcode),
        cmocka_unit_test(bad_operations),
        cmocka_unit_test(first_bytes_of_opcodes),
        cmocka_unit_test(bad_positions),
        cmocka_unit_test(a_fault_stops_the_cursor),
        cmocka_unit_test(a1_null),
        cmocka_unit_test(the_en_passant_square_of_the_text_is_kept_beside_the_position),
        cmocka_unit_test(d11_a_megabyte_in_each_field),
        cmocka_unit_test(random_junk),
        cmocka_unit_test(moves_of_operations),
        cmocka_unit_test(operands_that_are_not_moves),
        cmocka_unit_test(more_moves_than_room),
        cmocka_unit_test(writing),
        cmocka_unit_test(operations_that_cannot_be_written),
        cmocka_unit_test(read_write_read_is_stable),
        cmocka_unit_test(every_position_reads_back),
        cmocka_unit_test(tactics),
        cmocka_unit_test(mates),
        cmocka_unit_test(destruction_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
