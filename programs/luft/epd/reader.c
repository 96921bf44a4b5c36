/* SPDX-License-Identifier: MIT */
/*
 * Reads and checks lines of EPD. Reports everything that is wrong with a line, not only the first error, because
 * people fix suites by hand.
 */
#include "reader.h"

#include "explain.h"
#include "util/buffer.h"
#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* More than any sane line has: operations are compared with each other. */
#define OPERATIONS_MAX 256

/* --- Mistakes ---------------------------------------------------------------- */

void epd_refuse(epd_reader *reader, const char *at, const char *format, ...) {
    const char *name = strcmp(reader->path, "-") == 0 ? "<stdin>" : reader->path;
    const size_t column = at ? (size_t)(at - reader->lines.text) + 1 : 1;
    buffer place = {0};
    buffer_append_printable(&place, name, strlen(name));
    buffer_printf(&place, ":%" PRIu64 ":%zu: ", reader->lines.number, column);
    va_list arguments;
    va_start(arguments, format);
    fwrite(place.data, 1, place.length, stderr);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    buffer_free(&place);
    reader->errors++;
}

static bool is_opcode(const luft_epd_operation *operation, const char *opcode) {
    return operation->opcode_length == strlen(opcode) &&
           memcmp(operation->opcode, opcode, operation->opcode_length) == 0;
}

static bool is_one_of(const luft_epd_operation *operation, const char *const *opcodes) {
    while (*opcodes && !is_opcode(operation, *opcodes)) {
        opcodes++;
    }
    return *opcodes != NULL;
}

bool epd_holds_moves(const luft_epd_operation *operation) {
    static const char *const opcodes[] = {"am", "bm", "pm", "sm", NULL};
    return is_one_of(operation, opcodes);
}

bool epd_holds_line(const luft_epd_operation *operation) {
    static const char *const opcodes[] = {"pv", "sv", NULL};
    return is_one_of(operation, opcodes);
}

/* Does it hold one integer? The library checks the counters hmvc and fmvn. */
static bool holds_number(const luft_epd_operation *operation) {
    static const char *const opcodes[] = {"acd", "acn", "acs", "ce", "dm", NULL};
    return is_one_of(operation, opcodes);
}

static size_t count_operands(const luft_epd_operation *operation) {
    luft_epd_cursor operands = operation->operands;
    luft_epd_operand operand;
    size_t count = 0;
    while (luft_epd_next_operand(&operand, &operands) == LUFT_OK) {
        count++;
    }
    return count;
}

bool epd_read_number(int64_t *value, const luft_epd_operand *operand) {
    const bool negative = operand->length > 0 && operand->text[0] == '-';
    uint64_t size;
    if (!text_to_number(&size, operand->text + negative, operand->length - negative, INT64_MAX)) {
        return false;
    }
    *value = negative ? -(int64_t)size : (int64_t)size;
    return true;
}

bool epd_read_mate(int64_t *moves, const luft_epd_operation *operation, const luft_epd_operand *operand) {
    const luft_epd_operand distance = {operand->text + 1, operand->length - 1, false, false};
    return is_opcode(operation, "bm") && operand->length > 1 && operand->text[0] == '#' &&
           epd_read_number(moves, &distance);
}

/* --- Moves --------------------------------------------------------------------- */

/* Reads one operand as a move, through an operation that holds nothing else. */
luft_error epd_read_move(luft_move *move, const luft_position *position, const luft_epd_operation *operation,
                         const luft_epd_operand *operand) {
    luft_epd_operation single = *operation;
    size_t count;
    single.operands = (luft_epd_cursor){operand->text, operand->length};
    return luft_epd_moves(move, 1, &count, position, &single, false);
}

static void refuse_move(epd_reader *reader, const luft_epd_operation *operation, const luft_epd_operand *operand,
                        luft_error error) {
    char quoted[TEXT_QUOTED_SIZE];
    text_quote(quoted, operand->text, operand->length);
    epd_refuse(reader, operand->text, "%.*s: %s %s", (int)operation->opcode_length, operation->opcode, quoted,
               error == LUFT_ERROR_MOVE_ILLEGAL     ? "is not legal here"
               : error == LUFT_ERROR_MOVE_AMBIGUOUS ? "can be more than one move"
                                                    : "is not a move");
}

/* Checks the moves of an operation. A variation is checked up to its first error. */
static void check_moves(epd_reader *reader, const luft_position *start, const luft_epd_operation *operation,
                        bool line) {
    luft_epd_cursor operands = operation->operands;
    luft_epd_operand operand;
    luft_position position = *start;
    while (luft_epd_next_operand(&operand, &operands) == LUFT_OK) {
        luft_move move;
        int64_t distance;
        if (epd_read_mate(&distance, operation, &operand)) {
            continue;
        }
        const luft_error error =
            operand.quoted ? LUFT_ERROR_MOVE_SYNTAX : epd_read_move(&move, &position, operation, &operand);
        if (error != LUFT_OK) {
            refuse_move(reader, operation, &operand, error);
            if (line) {
                return;
            }
        } else if (line) {
            luft_make(&position, &position, move);
        }
    }
}

/* --- Checking a line -------------------------------------------------------------- */

static void check_number(epd_reader *reader, const luft_epd_operation *operation) {
    luft_epd_cursor operands = operation->operands;
    luft_epd_operand operand = {0};
    char quoted[TEXT_QUOTED_SIZE];
    int64_t value;
    if (luft_epd_next_operand(&operand, &operands) == LUFT_OK && !epd_read_number(&value, &operand)) {
        epd_refuse(reader, operand.text, "%.*s: expected an integer, got %s", (int)operation->opcode_length,
                   operation->opcode, text_quote(quoted, operand.text, operand.length));
    }
}

static void check_operation(epd_reader *reader, const luft_position *position, const luft_epd_operation *operation) {
    const bool is_line = epd_holds_line(operation);
    const bool is_single = is_opcode(operation, "pm") || is_opcode(operation, "sm");
    const bool is_numeric = holds_number(operation);
    const size_t count = count_operands(operation);
    if ((is_single || is_numeric) && count != 1) {
        epd_refuse(reader, operation->opcode, "%.*s: expected one operand, got %zu", (int)operation->opcode_length,
                   operation->opcode, count);
    } else if (epd_holds_moves(operation) && count == 0) {
        epd_refuse(reader, operation->opcode, "%.*s: expected a move", (int)operation->opcode_length,
                   operation->opcode);
    } else if (is_numeric) {
        check_number(reader, operation);
    } else if (is_line || epd_holds_moves(operation)) {
        check_moves(reader, position, operation, is_line);
    }
}

/* Is the opcode among these operations? */
static bool came_before(const luft_epd_operation *operations, size_t count, const luft_epd_operation *operation) {
    size_t place = 0;
    while (place < count && !(operations[place].opcode_length == operation->opcode_length &&
                              memcmp(operations[place].opcode, operation->opcode, operation->opcode_length) == 0)) {
        place++;
    }
    return place < count;
}

static void refuse_line(epd_reader *reader, size_t length, const luft_fen_report *report) {
    const char *at = reader->lines.text + report->offset;
    explanation faults;
    if (report->error == LUFT_ERROR_EPD) {
        epd_refuse(reader, at, "%s", report->reason);
        return;
    }
    explain_refusal(&faults, reader->lines.text, length, report);
    for (int i = 0; i < faults.count; i++) {
        epd_refuse(reader, report->status ? reader->lines.text : at, "%s", faults.lines[i]);
    }
}

/* Reads a line and reports everything that is wrong with it. */
static bool check_line(epd_reader *reader, epd_record *out, size_t length) {
    const uint64_t errors_before = reader->errors;
    luft_fen_report report;
    if (luft_epd_read(&out->position, &out->operations, reader->lines.text, length, &report) != LUFT_OK) {
        refuse_line(reader, length, &report);
        return false;
    }
    out->ep_square = report.ep_square;
    luft_epd_cursor cursor = out->operations;
    luft_epd_operation seen[OPERATIONS_MAX]; /* kept, because parsing the line again for each operation is slow */
    luft_epd_operation operation;
    for (size_t count = 0; luft_epd_next_operation(&operation, &cursor) == LUFT_OK; count++) {
        if (count == OPERATIONS_MAX) {
            epd_refuse(reader, operation.opcode, "more than %d operations", OPERATIONS_MAX);
            return false;
        }
        seen[count] = operation;
        if (came_before(seen, count, &operation)) {
            char quoted[TEXT_QUOTED_SIZE];
            epd_refuse(reader, operation.opcode, "duplicate operation %s",
                       text_quote(quoted, operation.opcode, operation.opcode_length));
        } else {
            check_operation(reader, &out->position, &operation);
        }
    }
    return reader->errors == errors_before;
}

/* --- Files --------------------------------------------------------------------------- */

void epd_open(epd_reader *reader, const char *path) {
    reader->path = path;
    reader->result = lines_open(&reader->lines, path);
}

bool epd_next(epd_reader *reader, epd_record *out) {
    while (reader->result == LINES_READ && (reader->result = lines_next(&reader->lines)) == LINES_READ) {
        const char *trimmed = reader->lines.text;
        size_t length = reader->lines.length;
        text_trim(&trimmed, &length);
        if (length > 0 && trimmed[0] != '#') {
            reader->positions++;
            if (check_line(reader, out, reader->lines.length)) {
                return true;
            }
        }
    }
    return false;
}

bool epd_close(epd_reader *reader, const char *command) {
    char quoted[TEXT_QUOTED_SIZE];
    const bool failed = reader->result != LINES_END && reader->result != LINES_READ;
    if (failed) {
        output_error(command, "cannot read %s: %s", text_quote(quoted, reader->path, strlen(reader->path)),
                     lines_reason(&reader->lines, reader->result));
    }
    lines_close(&reader->lines);
    return !failed;
}
