/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: arbitrary bytes as a line of EPD, and as the operations behind a
 * position. What luft_epd_read accepts has no fault anywhere, and an operation that
 * was read is written so that it reads as the same.
 */
#include "decode.h"

#include <string.h>

static const char POSITION[] = "4k3/P7/8/8/8/8/8/R3K2R w KQ - ";

/* Two operations are equal if their operands are, byte for byte: what was read is written as it was. */
static void expect_same(const luft_position *position, luft_epd_operation a, luft_epd_operation b) {
    luft_epd_operand first, second;
    luft_error error;
    do {
        error = luft_epd_next_operand(&first, &a.operands);
        expect_equal(luft_epd_next_operand(&second, &b.operands), error, position, "as many operands");
        if (error == LUFT_OK && (first.length != second.length || memcmp(first.text, second.text, first.length) != 0 ||
                                 first.quoted != second.quoted || first.escaped != second.escaped)) {
            report(position, "an operand is written as another");
        }
    } while (error == LUFT_OK);
    expect_equal(error, LUFT_ERROR_END, position, "operands of an accepted line");
}

static void check_operation(const luft_position *position, const luft_epd_operation *operation) {
    luft_epd_operand operands[256];
    luft_epd_cursor rest = operation->operands;
    luft_epd_operation back;
    char opcode[256] = "", text[1024];
    size_t count = 0;
    while (luft_epd_next_operand(&operands[count], &rest) == LUFT_OK) {
        count++;
    }
    memcpy(opcode, operation->opcode, operation->opcode_length);
    luft_epd_cursor written = {text, luft_epd_write_operation(text, sizeof text, opcode, operands, count)};
    expect_equal(luft_epd_next_operation(&back, &written), LUFT_OK, position, "what is written is read");
    expect_equal(back.opcode_length, operation->opcode_length, position, "the opcode");
    expect_same(position, *operation, back);
    luft_move moves[1];
    if (luft_epd_moves(moves, 1, &count, position, operation, true) == LUFT_ERROR_ARGUMENT) {
        report(position, "sound arguments are refused");
    }
}

static void check_line(const char *text, size_t length) {
    luft_position position;
    luft_epd_cursor cursor;
    luft_epd_operation operation;
    luft_error error;
    if (luft_epd_read(&position, &cursor, text, length, NULL) != LUFT_OK) {
        return;
    }
    if (luft_position_status(&position) != LUFT_STATUS_VALID) {
        report(&position, "not valid");
    }
    while ((error = luft_epd_next_operation(&operation, &cursor)) == LUFT_OK) {
        check_operation(&position, &operation);
    }
    expect_equal(error, LUFT_ERROR_END, &position, "operations of an accepted line");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[256];
    const size_t used = size < 200 ? size : 200;
    check_line((const char *)data, used);
    memcpy(text, POSITION, sizeof POSITION - 1);
    memcpy(text + sizeof POSITION - 1, data, used);
    check_line(text, sizeof POSITION - 1 + used);
    return 0;
}
