/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes EPD. A scanner walks over the text without copying it. Words end at a
 * blank or a semicolon, strings at their closing quote; a semicolon inside a string is
 * text. All reading functions use this scanner.
 *
 * Operands have any length, so the writer runs twice: once to measure the text and once to
 * write it.
 */
#include "luft/epd.h"
#include "core/text.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* True for bytes allowed in a string. Bytes beyond ASCII count as text in any encoding. */
static bool is_text(char c) {
    return (unsigned char)c >= ' ' ? c != 0x7f : c == '\t';
}

/* True for bytes allowed in a word. */
static bool is_word(char c) {
    return is_text(c) && !is_blank(c) && c != ';' && c != '"';
}

/* --- The scanner --------------------------------------------------------- */

static bool at_end(const luft_epd_cursor *cursor) {
    return cursor->length == 0;
}

static void advance(luft_epd_cursor *cursor, size_t count) {
    cursor->text += count;
    cursor->length -= count;
}

static void skip_blanks(luft_epd_cursor *cursor) {
    while (!at_end(cursor) && is_blank(*cursor->text)) {
        advance(cursor, 1);
    }
}

/* Returns the text between two states of one cursor. */
static luft_epd_cursor between(const luft_epd_cursor *start, const luft_epd_cursor *end) {
    return (luft_epd_cursor){start->text, start->length - end->length};
}

/* A blank, a semicolon or the end must follow a word or a string. */
static const char *fault_after(const luft_epd_cursor *cursor) {
    if (at_end(cursor) || is_blank(*cursor->text) || *cursor->text == ';') {
        return NULL;
    }
    return is_text(*cursor->text) ? "expected a blank or a semicolon" : "unexpected control character";
}

/*
 * Each scan_ function consumes one item and returns NULL. On an error it leaves the cursor at the fault and
 * returns the reason.
 */

static const char *scan_word(luft_epd_cursor *word, luft_epd_cursor *cursor) {
    const luft_epd_cursor start = *cursor;
    while (!at_end(cursor) && is_word(*cursor->text)) {
        advance(cursor, 1);
    }
    *word = between(&start, cursor);
    return fault_after(cursor);
}

/* The cursor is at the opening quote. */
static const char *scan_string(luft_epd_operand *operand, luft_epd_cursor *cursor) {
    const luft_epd_cursor opening = *cursor;
    advance(cursor, 1);
    const luft_epd_cursor start = *cursor;
    bool escaped = false;
    while (!at_end(cursor) && *cursor->text != '"') {
        if (!is_text(*cursor->text)) {
            return "unexpected control character";
        }
        const bool escape = *cursor->text == '\\';
        const bool escapes_next = escape && cursor->length > 1 && (cursor->text[1] == '"' || cursor->text[1] == '\\');
        escaped |= escape;
        advance(cursor, escapes_next ? 2 : 1);
    }
    if (at_end(cursor)) {
        *cursor = opening;
        return "string without a closing quote";
    }
    const luft_epd_cursor text = between(&start, cursor);
    *operand = (luft_epd_operand){text.text, text.length, .quoted = true, .escaped = escaped};
    advance(cursor, 1);
    return fault_after(cursor);
}

/* Returns an operand with a NULL text if the operation ends here. */
static const char *scan_operand(luft_epd_operand *operand, luft_epd_cursor *cursor) {
    skip_blanks(cursor);
    *operand = (luft_epd_operand){.text = NULL};
    if (at_end(cursor) || *cursor->text == ';') {
        return NULL;
    }
    if (*cursor->text == '"') {
        return scan_string(operand, cursor);
    }
    luft_epd_cursor word;
    const char *fault = scan_word(&word, cursor);
    *operand = (luft_epd_operand){word.text, word.length, .quoted = false};
    return fault;
}

/* Consumes the semicolon too. Returns an operation with a NULL opcode at the end of the text. */
static const char *scan_operation(luft_epd_operation *operation, luft_epd_cursor *cursor) {
    *operation = (luft_epd_operation){.opcode = NULL};
    while (!at_end(cursor) && (is_blank(*cursor->text) || *cursor->text == ';')) {
        advance(cursor, 1);
    }
    if (at_end(cursor)) {
        return NULL;
    }
    if (!is_letter(*cursor->text)) {
        return is_text(*cursor->text) ? "expected an opcode that begins with a letter" : "unexpected control character";
    }
    luft_epd_cursor opcode;
    const char *fault = scan_word(&opcode, cursor);
    const luft_epd_cursor start = *cursor;
    luft_epd_operand operand = {.text = opcode.text};
    while (!fault && operand.text) {
        fault = scan_operand(&operand, cursor);
    }
    *operation = (luft_epd_operation){opcode.text, opcode.length, between(&start, cursor)};
    if (!fault && !at_end(cursor)) {
        advance(cursor, 1);
    }
    return fault;
}

/* --- Operations and operands ---------------------------------------------- */

luft_error luft_epd_next_operation(luft_epd_operation *operation, luft_epd_cursor *cursor) {
    if (!operation || !cursor || (!cursor->text && cursor->length)) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_epd_cursor rest = *cursor;
    luft_epd_operation next;
    if (scan_operation(&next, &rest)) {
        return LUFT_ERROR_EPD;
    }
    if (!next.opcode) {
        return LUFT_ERROR_END;
    }
    *cursor = rest;
    *operation = next;
    return LUFT_OK;
}

luft_error luft_epd_next_operand(luft_epd_operand *operand, luft_epd_cursor *operands) {
    if (!operand || !operands || (!operands->text && operands->length)) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_epd_cursor rest = *operands;
    luft_epd_operand next;
    if (scan_operand(&next, &rest)) {
        return LUFT_ERROR_EPD;
    }
    if (!next.text) {
        return LUFT_ERROR_END;
    }
    *operands = rest;
    *operand = next;
    return LUFT_OK;
}

static bool has_opcode(const luft_epd_operation *operation, const char *opcode) {
    return operation->opcode_length == strlen(opcode) &&
           memcmp(operation->opcode, opcode, operation->opcode_length) == 0;
}

luft_error luft_epd_find(luft_epd_operation *operation, const luft_epd_cursor *cursor, const char *opcode) {
    if (!operation || !cursor || !opcode) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_epd_cursor rest = *cursor;
    luft_epd_operation next = {.opcode = NULL};
    luft_error error;
    do {
        error = luft_epd_next_operation(&next, &rest);
    } while (error == LUFT_OK && !has_opcode(&next, opcode));
    if (error == LUFT_OK) {
        *operation = next;
    }
    return error;
}

/* --- Moves ----------------------------------------------------------------- */

static luft_error read_moves(luft_move *moves, size_t capacity, size_t *count, luft_position position,
                             luft_epd_cursor operands, bool line) {
    luft_epd_operand operand;
    luft_error error;
    size_t read = 0;
    while ((error = luft_epd_next_operand(&operand, &operands)) == LUFT_OK) {
        luft_move move;
        error = luft_move_from_san(&move, &position, operand.text, operand.length);
        if (error != LUFT_OK) {
            return error;
        }
        if (read < capacity) {
            moves[read] = move;
        }
        read++;
        if (line) {
            luft_make(&position, &position, move);
        }
    }
    *count = read;
    return error == LUFT_ERROR_END ? LUFT_OK : error;
}

luft_error luft_epd_moves(luft_move *moves, size_t capacity, size_t *count, const luft_position *position,
                          const luft_epd_operation *operation, bool line) {
    if ((!moves && capacity) || !count || !position || !operation) {
        return LUFT_ERROR_ARGUMENT;
    }
    /* The first pass only checks: on failure the results must stay untouched. */
    size_t ignored;
    const luft_error error = read_moves(NULL, 0, &ignored, *position, operation->operands, line);
    return error == LUFT_OK ? read_moves(moves, capacity, count, *position, operation->operands, line) : error;
}

/* --- The line --------------------------------------------------------------- */

/* Takes the text up to the next blank or semicolon, without the blanks before it. */
static luft_epd_cursor scan_field(luft_epd_cursor *cursor) {
    skip_blanks(cursor);
    const luft_epd_cursor start = *cursor;
    while (!at_end(cursor) && !is_blank(*cursor->text) && *cursor->text != ';') {
        advance(cursor, 1);
    }
    return between(&start, cursor);
}

static bool is_number(const luft_epd_cursor *field) {
    for (size_t i = 0; i < field->length; i++) {
        if (!is_digit(field->text[i])) {
            return false;
        }
    }
    return true;
}

/*
 * Consumes the fields of the position: four, then at most two counters. Returns those that are text of a FEN. Some
 * files have dashes in the place of the counters; these are consumed and not returned.
 */
static luft_epd_cursor scan_position(luft_epd_cursor *cursor) {
    const luft_epd_cursor start = *cursor;
    luft_epd_cursor fen_end = start;
    bool has_dash = false;
    for (int field = 1; field <= 6; field++) {
        luft_epd_cursor rest = *cursor;
        const luft_epd_cursor text = scan_field(&rest);
        const bool is_dash = field > 4 && text.length == 1 && *text.text == '-';
        if (field > 4 && !is_dash && (has_dash || !is_number(&text))) {
            break;
        }
        has_dash |= is_dash;
        *cursor = rest;
        fen_end = has_dash ? fen_end : rest;
    }
    return between(&start, &fen_end);
}

/*
 * Reads the only operand of the operation as a counter of the position; false if there is not exactly one valid
 * number.
 */
static bool read_counter(uint16_t *counter, const luft_epd_operation *operation) {
    luft_epd_cursor operands = operation->operands;
    luft_epd_operand operand, second;
    uint32_t value = 0;
    if (luft_epd_next_operand(&operand, &operands) != LUFT_OK || operand.length == 0 ||
        luft_epd_next_operand(&second, &operands) != LUFT_ERROR_END) {
        return false;
    }
    for (size_t i = 0; i < operand.length; i++) {
        if (!is_digit(operand.text[i])) {
            return false;
        }
        value = value * 10 + (uint32_t)(operand.text[i] - '0');
        if (value > LUFT_COUNTER_MAX) {
            return false;
        }
    }
    *counter = (uint16_t)value;
    return true;
}

/* Checks all operations and reads the counters hmvc and fmvn. Reports errors as the scan_ functions do. */
static const char *scan_all_operations(luft_position *position, luft_epd_cursor *cursor) {
    while (!at_end(cursor)) {
        luft_epd_cursor start = *cursor;
        luft_epd_operation operation;
        const char *fault = scan_operation(&operation, cursor);
        if (fault) {
            return fault;
        }
        if (!operation.opcode) {
            break; /* only blanks were left */
        }
        uint16_t *counter = has_opcode(&operation, "hmvc")   ? &position->halfmove_clock
                            : has_opcode(&operation, "fmvn") ? &position->fullmove_number
                                                             : NULL;
        if (counter && !read_counter(counter, &operation)) {
            advance(&start, (size_t)(operation.opcode - start.text));
            *cursor = start;
            return "counter: expected an integer from 0 to 65535";
        }
    }
    if (position->fullmove_number == 0) {
        position->fullmove_number = 1; /* as the FEN reader does */
    }
    return NULL;
}

static luft_error refuse(luft_fen_report *report, luft_error error, size_t offset, const char *reason) {
    if (report) {
        *report = (luft_fen_report){.error = error, .offset = offset, .reason = reason, .ep_square = LUFT_NO_SQUARE};
    }
    return error;
}

luft_error luft_epd_read(luft_position *position, luft_epd_cursor *cursor, const char *text, size_t length,
                         luft_fen_report *report) {
    if (!position || !cursor || !text) {
        return refuse(report, LUFT_ERROR_ARGUMENT, 0, "a pointer is NULL");
    }
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) {
        length--;
    }
    luft_position result;
    luft_epd_cursor rest = {text, length};
    const luft_epd_cursor fields = scan_position(&rest);
    const luft_error error = luft_position_from_fen(&result, fields.text, fields.length, report);
    if (error != LUFT_OK) {
        return error;
    }
    const luft_epd_cursor operations = rest;
    const char *fault = scan_all_operations(&result, &rest);
    if (fault) {
        return refuse(report, LUFT_ERROR_EPD, length - rest.length, fault);
    }
    *position = result;
    *cursor = operations;
    return LUFT_OK;
}

/* --- Writing ----------------------------------------------------------------- */

/* Counts the bytes of a text and writes them if there is a buffer. */
typedef struct epd_writer {
    char *buffer; /* NULL: count only */
    size_t length;
    bool failed; /* the text is invalid or too long to count */
} epd_writer;

static void put(epd_writer *writer, char c) {
    if (writer->length == SIZE_MAX) {
        writer->failed = true;
        return;
    }
    if (writer->buffer) {
        writer->buffer[writer->length] = c;
    }
    writer->length++;
}

static void put_word(epd_writer *writer, const char *text, size_t length) {
    writer->failed |= length == 0;
    for (size_t i = 0; i < length; i++) {
        writer->failed |= !is_word(text[i]);
        put(writer, text[i]);
    }
}

static void put_string(epd_writer *writer, const luft_epd_operand *operand) {
    put(writer, '"');
    for (size_t i = 0; i < operand->length; i++) {
        const char c = operand->text[i];
        const bool special = c == '"' || c == '\\';
        writer->failed |= !is_text(c);
        if (special && !operand->escaped) {
            put(writer, '\\');
        }
        put(writer, c);
    }
    put(writer, '"');
}

/* True if an operand marked as escaped reads back as exactly one string. */
static bool is_string(const luft_epd_operand *operand) {
    for (size_t i = 0; i < operand->length; i++) {
        if (operand->text[i] == '"') {
            return false;
        }
        if (operand->text[i] == '\\') {
            if (i + 1 == operand->length) {
                return false; /* it would escape the closing quote */
            }
            i += operand->text[i + 1] == '"' || operand->text[i + 1] == '\\';
        }
    }
    return true;
}

static void put_operation(epd_writer *writer, const char *opcode, const luft_epd_operand *operands, size_t count) {
    put(writer, ' ');
    writer->failed |= !is_letter(*opcode);
    put_word(writer, opcode, strlen(opcode));
    for (size_t i = 0; i < count && !writer->failed; i++) {
        const luft_epd_operand *operand = &operands[i];
        put(writer, ' ');
        if (!operand->text && operand->length) {
            writer->failed = true;
        } else if (!operand->quoted) {
            put_word(writer, operand->text, operand->length);
        } else {
            writer->failed |= operand->escaped && !is_string(operand);
            put_string(writer, operand);
        }
    }
    put(writer, ';');
}

static void put_unescaped(epd_writer *writer, const luft_epd_operand *operand) {
    for (size_t i = 0; i < operand->length; i++) {
        const char *at = operand->text + i;
        if (operand->escaped && *at == '\\' && i + 1 < operand->length && (at[1] == '"' || at[1] == '\\')) {
            i++;
        }
        put(writer, operand->text[i]);
    }
}

/* True if a text of this length and its NUL fit into the buffer. */
static bool has_room(const char *buffer, size_t size, size_t length) {
    return buffer && size > length;
}

/* Terminates the text if it fits; otherwise leaves an empty string if the buffer has at least one byte. */
static size_t end_text(char *buffer, size_t size, size_t length) {
    if (has_room(buffer, size, 0)) {
        buffer[size > length ? length : 0] = '\0';
    }
    return length;
}

size_t luft_epd_unescape(char *buffer, size_t size, const luft_epd_operand *operand) {
    epd_writer measured = {NULL, 0, false}, written = {buffer, 0, false};
    if (operand && operand->text) {
        put_unescaped(&measured, operand);
        if (has_room(buffer, size, measured.length)) {
            put_unescaped(&written, operand);
        }
    }
    return end_text(buffer, size, measured.length);
}

size_t luft_epd_write_operation(char *buffer, size_t size, const char *opcode, const luft_epd_operand *operands,
                                size_t count) {
    epd_writer measured = {NULL, 0, false}, written = {buffer, 0, false};
    if (opcode && (operands || count == 0)) {
        put_operation(&measured, opcode, operands, count);
        if (!measured.failed && has_room(buffer, size, measured.length)) {
            put_operation(&written, opcode, operands, count);
        }
    }
    return end_text(buffer, size, measured.failed ? 0 : measured.length);
}

size_t luft_position_to_epd_with_ep(char *buffer, size_t size, const luft_position *position, luft_fen_style style,
                                    luft_square ep_square) {
    char fen[LUFT_FEN_SIZE] = "";
    size_t length = luft_position_to_fen_with_ep(fen, sizeof fen, position, style, ep_square);
    for (int counters = 0; counters < 2 && length > 0; counters++) {
        while (fen[--length] != ' ') {
        }
    }
    return put_text(buffer, size, fen, length);
}

size_t luft_position_to_epd(char *buffer, size_t size, const luft_position *position, luft_fen_style style) {
    return luft_position_to_epd_with_ep(buffer, size, position, style, LUFT_NO_SQUARE);
}
