/* SPDX-License-Identifier: MIT */
/*
 * `luft epd`: files of positions with operations, one a line, checked or written anew.
 * The library reads the lines; this adds what it leaves to its users, which is what the
 * operations of the standard must hold: moves that are legal, numbers, and no opcode
 * twice. A line at fault is told on standard error and does not stop the rest.
 */
#include "bytes.h"
#include "command.h"
#include "explain.h"
#include "input.h"
#include "lines.h"
#include "options.h"
#include "output.h"
#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "epd"

/* No honest line has so many; they are compared with each other. */
#define OPERATIONS_MAX 256

static const char about[] =
    "check    reads every line, the moves of bm, am, pm, sm, pv and sv included. Mistakes are told on standard\n"
    "         error as FILE:LINE:COLUMN: reason; the last line is positions=N errors=M.\n"
    "convert  writes the positions anew: fields and operations in their usual form, moves in SAN.\n"
    "         Lines with mistakes are told of as by check and left out.\n"
    "Blank lines and lines that begin with # are no positions. The exit status is 1 if there were mistakes.\n";

enum { ACTION_CHECK, ACTION_CONVERT, ACTION_NONE };
static const char *const action_names[] = {"check", "convert", NULL};

enum { FORM_EPD, FORM_FEN, FORM_JSON };
static const char *const form_names[] = {"epd", "fen", "json", NULL};

typedef struct epd_arguments {
    int action;
    int form;
    bool json;
    const char **paths;
    size_t path_count;
} epd_arguments;

/* What is being read, and what was found. */
typedef struct epd_state {
    const char *path;
    uint64_t line;
    const char *text; /* of the line */
    uint64_t positions;
    uint64_t errors;
} epd_state;

/* A line that was found good. */
typedef struct record {
    luft_position position;
    luft_epd_cursor operations;
} record;

/* --- Mistakes ---------------------------------------------------------------- */

/* Tells of a mistake at a place in the line. */
__attribute__((format(printf, 3, 4))) static void refuse(epd_state *state, const char *at, const char *format, ...) {
    const char *name = strcmp(state->path, "-") == 0 ? "<stdin>" : state->path;
    bytes place = {0};
    bytes_append_printable(&place, name, strlen(name));
    bytes_printf(&place, ":%" PRIu64 ":%zu: ", state->line, (size_t)(at - state->text) + 1);
    va_list arguments;
    va_start(arguments, format);
    fwrite(place.data, 1, place.length, stderr);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    bytes_free(&place);
    state->errors++;
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

/* Moves of the position, each by itself. */
static const char *const move_opcodes[] = {"am", "bm", "pm", "sm", NULL};
/* Moves that follow each other. */
static const char *const line_opcodes[] = {"pv", "sv", NULL};
/* One whole number. The counters hmvc and fmvn are checked by the library. */
static const char *const number_opcodes[] = {"acd", "acn", "acs", "ce", "dm", NULL};

static size_t count_operands(const luft_epd_operation *operation) {
    luft_epd_cursor operands = operation->operands;
    luft_epd_operand operand;
    size_t count = 0;
    while (luft_epd_next_operand(&operand, &operands) == LUFT_OK) {
        count++;
    }
    return count;
}

static bool is_number(const luft_epd_operand *operand) {
    const bool negative = operand->length > 0 && operand->text[0] == '-';
    uint64_t value;
    return text_to_number(&value, operand->text + negative, operand->length - negative, INT64_MAX);
}

/* "#3", "#-3": files of mates give the distance in the place of the best move. */
static bool is_mate_distance(const luft_epd_operation *operation, const luft_epd_operand *operand) {
    const luft_epd_operand distance = {operand->text + 1, operand->length - 1, false, false};
    return is_opcode(operation, "bm") && operand->length > 1 && operand->text[0] == '#' && is_number(&distance);
}

/* --- Moves --------------------------------------------------------------------- */

/* Reads one operand as a move by way of an operation that holds nothing else. */
static luft_error read_move(luft_move *move, const luft_position *position, const luft_epd_operation *operation,
                            const luft_epd_operand *operand) {
    luft_epd_operation single = *operation;
    size_t count;
    single.operands = (luft_epd_cursor){operand->text, operand->length};
    return luft_epd_moves(move, 1, &count, position, &single, false);
}

static void refuse_move(epd_state *state, const luft_epd_operation *operation, const luft_epd_operand *operand,
                        luft_error error) {
    char quoted[TEXT_QUOTED_SIZE];
    text_quote(quoted, operand->text, operand->length);
    refuse(state, operand->text, "%.*s: %s %s", (int)operation->opcode_length, operation->opcode, quoted,
           error == LUFT_ERROR_MOVE_ILLEGAL     ? "is not legal here"
           : error == LUFT_ERROR_MOVE_AMBIGUOUS ? "can be more than one move"
                                                : "is no move");
}

/* Checks the moves of an operation. In a line of play nothing can be said after the first mistake. */
static void check_moves(epd_state *state, const luft_position *start, const luft_epd_operation *operation, bool line) {
    luft_epd_cursor operands = operation->operands;
    luft_epd_operand operand;
    luft_position position = *start;
    while (luft_epd_next_operand(&operand, &operands) == LUFT_OK) {
        luft_move move;
        if (is_mate_distance(operation, &operand)) {
            continue;
        }
        const luft_error error =
            operand.quoted ? LUFT_ERROR_MOVE_SYNTAX : read_move(&move, &position, operation, &operand);
        if (error != LUFT_OK) {
            refuse_move(state, operation, &operand, error);
            if (line) {
                return;
            }
        } else if (line) {
            luft_make(&position, &position, move);
        }
    }
}

/* --- Checking a line -------------------------------------------------------------- */

static void check_number(epd_state *state, const luft_epd_operation *operation) {
    luft_epd_cursor operands = operation->operands;
    luft_epd_operand operand = {0};
    char quoted[TEXT_QUOTED_SIZE];
    if (luft_epd_next_operand(&operand, &operands) == LUFT_OK && !is_number(&operand)) {
        refuse(state, operand.text, "%.*s: %s is no whole number", (int)operation->opcode_length, operation->opcode,
               text_quote(quoted, operand.text, operand.length));
    }
}

static void check_operation(epd_state *state, const luft_position *position, const luft_epd_operation *operation) {
    const bool is_line = is_one_of(operation, line_opcodes);
    const bool is_single = is_opcode(operation, "pm") || is_opcode(operation, "sm");
    const bool is_numeric = is_one_of(operation, number_opcodes);
    const size_t count = count_operands(operation);
    if ((is_single || is_numeric) && count != 1) {
        refuse(state, operation->opcode, "%.*s needs one operand and has %zu", (int)operation->opcode_length,
               operation->opcode, count);
    } else if (is_one_of(operation, move_opcodes) && count == 0) {
        refuse(state, operation->opcode, "%.*s needs a move", (int)operation->opcode_length, operation->opcode);
    } else if (is_numeric) {
        check_number(state, operation);
    } else if (is_line || is_one_of(operation, move_opcodes)) {
        check_moves(state, position, operation, is_line);
    }
}

/* Is there the same opcode among the operations before this one? */
static bool came_before(luft_epd_cursor operations, const luft_epd_operation *operation) {
    luft_epd_operation other;
    while (luft_epd_next_operation(&other, &operations) == LUFT_OK && other.opcode != operation->opcode) {
        if (other.opcode_length == operation->opcode_length &&
            memcmp(other.opcode, operation->opcode, other.opcode_length) == 0) {
            return true;
        }
    }
    return false;
}

static void refuse_line(epd_state *state, size_t length, const luft_fen_report *report) {
    const char *at = state->text + report->offset;
    explanation faults;
    if (report->error == LUFT_ERROR_EPD) {
        refuse(state, at, "%s", report->reason);
        return;
    }
    explain_refusal(&faults, state->text, length, report);
    for (int i = 0; i < faults.count; i++) {
        refuse(state, report->status ? state->text : at, "%s", faults.lines[i]);
    }
}

/* Reads a line and tells of everything that is wrong with it. */
static bool check_line(epd_state *state, record *out, size_t length) {
    const uint64_t errors_before = state->errors;
    luft_fen_report report;
    if (luft_epd_read(&out->position, &out->operations, state->text, length, &report) != LUFT_OK) {
        refuse_line(state, length, &report);
        return false;
    }
    luft_epd_cursor cursor = out->operations;
    luft_epd_operation operation;
    for (int count = 1; luft_epd_next_operation(&operation, &cursor) == LUFT_OK; count++) {
        if (count > OPERATIONS_MAX) {
            refuse(state, operation.opcode, "more than %d operations", OPERATIONS_MAX);
            return false;
        }
        if (came_before(out->operations, &operation)) {
            char quoted[TEXT_QUOTED_SIZE];
            refuse(state, operation.opcode, "the operation %s stands there twice",
                   text_quote(quoted, operation.opcode, operation.opcode_length));
        } else {
            check_operation(state, &out->position, &operation);
        }
    }
    return state->errors == errors_before;
}

/* --- Writing ------------------------------------------------------------------------ */

/* Writes a move of the operation in SAN and, in a line of play, makes it. False if the operand is none. */
static bool write_move(char san[LUFT_SAN_SIZE], luft_position *position, const luft_epd_operation *operation,
                       const luft_epd_operand *operand) {
    const bool line = is_one_of(operation, line_opcodes);
    luft_move move;
    if ((!line && !is_one_of(operation, move_opcodes)) || operand->quoted ||
        read_move(&move, position, operation, operand) != LUFT_OK) {
        return false;
    }
    luft_move_to_san(san, LUFT_SAN_SIZE, position, move);
    if (line) {
        luft_make(position, position, move);
    }
    return true;
}

static void write_operation(bytes *out, const record *from, const luft_epd_operation *operation) {
    luft_epd_cursor operands = operation->operands;
    luft_epd_operand operand;
    luft_position position = from->position;
    char san[LUFT_SAN_SIZE];
    bytes_append_text(out, " ");
    bytes_append(out, operation->opcode, operation->opcode_length);
    while (luft_epd_next_operand(&operand, &operands) == LUFT_OK) {
        const char *quote = operand.quoted ? "\"" : "";
        bytes_append_text(out, " ");
        bytes_append_text(out, quote);
        if (write_move(san, &position, operation, &operand)) {
            bytes_append_text(out, san);
        } else {
            bytes_append(out, operand.text, operand.length); /* with its escapes: as good now as it was before */
        }
        bytes_append_text(out, quote);
    }
    bytes_append_text(out, ";");
}

static void write_epd(bytes *out, const record *from) {
    char fields[LUFT_EPD_POSITION_SIZE];
    luft_epd_cursor cursor = from->operations;
    luft_epd_operation operation;
    luft_position_to_epd(fields, sizeof fields, &from->position, LUFT_FEN_STANDARD);
    bytes_append_text(out, fields);
    while (luft_epd_next_operation(&operation, &cursor) == LUFT_OK) {
        write_operation(out, from, &operation);
    }
    /* Counters that came from the fields of a FEN are kept as operations. */
    if (from->position.halfmove_clock != 0 && luft_epd_find(&operation, &from->operations, "hmvc") != LUFT_OK) {
        bytes_printf(out, " hmvc %d;", from->position.halfmove_clock);
    }
    if (from->position.fullmove_number != 1 && luft_epd_find(&operation, &from->operations, "fmvn") != LUFT_OK) {
        bytes_printf(out, " fmvn %d;", from->position.fullmove_number);
    }
}

static void write_json_operand(bytes *out, luft_position *position, const luft_epd_operation *operation,
                               const luft_epd_operand *operand) {
    char san[LUFT_SAN_SIZE];
    if (write_move(san, position, operation, operand)) {
        bytes_append_json(out, san, strlen(san));
        return;
    }
    const size_t size = operand->length + 1; /* what is unescaped is not longer */
    char *text = malloc(size);
    out->failed |= !text;
    bytes_append_json(out, text ? text : "", luft_epd_unescape(text, text ? size : 0, operand) * (text != NULL));
    free(text);
}

/* {"fen": "…", "operations": {"bm": ["Qg6"], "id": ["WAC.001"]}} */
static void write_json(bytes *out, const record *from) {
    char fen[LUFT_FEN_SIZE];
    luft_epd_cursor cursor = from->operations;
    luft_epd_operation operation;
    luft_position_to_fen(fen, sizeof fen, &from->position, LUFT_FEN_STANDARD);
    bytes_printf(out, "{\"fen\": \"%s\", \"operations\": {", fen);
    for (const char *comma = ""; luft_epd_next_operation(&operation, &cursor) == LUFT_OK; comma = ", ") {
        luft_epd_operand operand;
        luft_position position = from->position;
        bytes_append_text(out, comma);
        bytes_append_json(out, operation.opcode, operation.opcode_length);
        bytes_append_text(out, ": [");
        for (const char *inner = ""; luft_epd_next_operand(&operand, &operation.operands) == LUFT_OK; inner = ", ") {
            bytes_append_text(out, inner);
            write_json_operand(out, &position, &operation, &operand);
        }
        bytes_append_text(out, "]");
    }
    bytes_append_text(out, "}}");
}

static bool write_record(bytes *out, const record *from, int form) {
    char fen[LUFT_FEN_SIZE];
    bytes_clear(out);
    switch (form) {
    case FORM_EPD: write_epd(out, from); break;
    case FORM_JSON: write_json(out, from); break;
    default:
        luft_position_to_fen(fen, sizeof fen, &from->position, LUFT_FEN_STANDARD);
        bytes_append_text(out, fen);
        break;
    }
    bytes_append_text(out, "\n");
    if (out->failed) {
        output_error(NAME, "out of memory");
        return false;
    }
    return fwrite(out->data, 1, out->length, stdout) == out->length; /* main tells of it */
}

/* --- Files ------------------------------------------------------------------------- */

/* Works through one file. False if it cannot be read to its end. */
static bool run_file(epd_state *state, const epd_arguments *arguments, const char *path) {
    char quoted[TEXT_QUOTED_SIZE];
    lines reader;
    bytes out = {0};
    lines_result result = lines_open(&reader, path);
    bool going = true;
    state->path = path;
    while (going && result == LINES_READ && (result = lines_next(&reader)) == LINES_READ) {
        record read;
        const char *trimmed = reader.text;
        size_t length = reader.length;
        text_trim(&trimmed, &length);
        if (length == 0 || trimmed[0] == '#') {
            continue;
        }
        state->line = reader.number;
        state->text = reader.text;
        state->positions++;
        if (check_line(state, &read, reader.length) && arguments->action == ACTION_CONVERT) {
            going = write_record(&out, &read, arguments->form);
        }
    }
    if (going && result != LINES_END) {
        output_error(NAME, "cannot read %s: %s", text_quote(quoted, path, strlen(path)), lines_reason(&reader, result));
    }
    lines_close(&reader);
    bytes_free(&out);
    return going && result == LINES_END;
}

static int run_files(const epd_arguments *arguments) {
    static const char *const standard_input[] = {"-"};
    const bool named = arguments->path_count > 0;
    const char *const *paths = named ? arguments->paths : standard_input;
    const size_t count = named ? arguments->path_count : 1;
    epd_state state = {0};
    int status = STATUS_OK;
    if (input_is_among("-", paths, count)) { /* it would grow for ever */
        output_error(NAME, "standard output is also a file to read");
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < count && !ferror(stdout); i++) {
        status = run_file(&state, arguments, paths[i]) ? status : STATUS_USAGE;
    }
    if (arguments->action == ACTION_CHECK) {
        printf("positions=%" PRIu64 " errors=%" PRIu64 "\n", state.positions, state.errors);
    }
    return status == STATUS_OK && state.errors > 0 ? STATUS_FAILED : status;
}

/* --- The command --------------------------------------------------------------------- */

static options_result read_arguments(epd_arguments *arguments, int argc, char **argv) {
    const option operands[] = {
        {.name = "ACTION", .help = "check or convert", .choice = &arguments->action, .choices = action_names},
    };
    const option options[] = {
        {.name = "to",
         .value = "FORM",
         .help = "what convert writes: epd, fen (with counters) or json (an object a line)",
         .choice = &arguments->form,
         .choices = form_names},
        {.name = "json", .help = "the same as --to json", .flag = &arguments->json},
    };
    const option_table table = {.command = NAME,
                                .usage = "[options] ACTION [FILE...]",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .operands = operands,
                                .operand_count = sizeof operands / sizeof operands[0],
                                .rest = arguments->paths,
                                .rest_count = &arguments->path_count};
    return options_parse(&table, argc, argv);
}

/* Prints an error line if the arguments do not go together. */
static bool check_arguments(epd_arguments *arguments) {
    const bool form_given = arguments->form >= 0;
    if (arguments->action == ACTION_NONE) {
        output_error(NAME, "say what to do: luft epd check FILE or luft epd convert FILE");
        return false;
    }
    if (arguments->action == ACTION_CHECK && (form_given || arguments->json)) {
        output_error(NAME, "--to and --json are for convert");
        return false;
    }
    if (arguments->json && form_given && arguments->form != FORM_JSON) {
        output_error(NAME, "--json and --to %s do not go together", form_names[arguments->form]);
        return false;
    }
    arguments->form = arguments->json ? FORM_JSON : form_given ? arguments->form : FORM_EPD;
    return true;
}

static int run(int argc, char **argv) {
    epd_arguments arguments = {.action = ACTION_NONE, .form = -1};
    arguments.paths = malloc((size_t)argc * sizeof *arguments.paths);
    if (!arguments.paths) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    int status = STATUS_USAGE;
    switch (read_arguments(&arguments, argc, argv)) {
    case OPTIONS_HELP: status = STATUS_OK; break;
    case OPTIONS_BAD: break;
    case OPTIONS_READ:
        if (check_arguments(&arguments)) {
            status = run_files(&arguments);
        }
        break;
    }
    free(arguments.paths);
    return status;
}

const cli_command epd_command = {NAME, "check or convert files of positions (EPD)", run};
