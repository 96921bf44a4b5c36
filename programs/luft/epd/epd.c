/* SPDX-License-Identifier: MIT */
/*
 * `luft epd`: checks or converts files of positions with operations, one a line. An error in a line is reported on
 * standard error and does not stop the rest.
 */
#include "command.h"
#include "reader.h"

#include "util/buffer.h"
#include "util/json.h"
#include "util/options.h"
#include "util/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft epd"

static const char about[] =
    "check    reads every line, the moves of bm, am, pm, sm, pv and sv included. Reports errors on standard\n"
    "         error as FILE:LINE:COLUMN: reason; the last line is positions=N errors=M.\n"
    "convert  writes the positions with fields and operations in standard form and moves in SAN.\n"
    "         Reports lines with errors as check does, and leaves them out.\n"
    "Skips blank lines and lines that begin with #. The exit status is 1 if there are errors.\n";

enum { ACTION_CHECK, ACTION_CONVERT, ACTION_NONE };
static const char *const action_names[] = {"check", "convert", NULL};

enum { FORM_EPD, FORM_FEN, FORM_JSON };
static const char *const form_names[] = {"epd", "fen", "json", NULL};

typedef struct epd_arguments {
    int action;
    int form;
    bool json;
    bool ep_always;
    const char *const *paths;
    size_t path_count;
} epd_arguments;

/* --- Writing ------------------------------------------------------------------------ */

/* Writes a move of the operation in SAN and, in a variation, makes it. False if the operand is not a move. */
static bool write_move(char san[LUFT_SAN_SIZE], luft_position *position, const luft_epd_operation *operation,
                       const luft_epd_operand *operand) {
    const bool line = epd_holds_line(operation);
    luft_move move;
    if ((!line && !epd_holds_moves(operation)) || operand->quoted ||
        epd_read_move(&move, position, operation, operand) != LUFT_OK) {
        return false;
    }
    luft_move_to_san(san, LUFT_SAN_SIZE, position, move);
    if (line) {
        luft_make(position, position, move);
    }
    return true;
}

static void write_operation(buffer *out, const epd_record *from, const luft_epd_operation *operation) {
    luft_epd_cursor operands = operation->operands;
    luft_epd_operand operand;
    luft_position position = from->position;
    char san[LUFT_SAN_SIZE];
    buffer_append_text(out, " ");
    buffer_append(out, operation->opcode, operation->opcode_length);
    while (luft_epd_next_operand(&operand, &operands) == LUFT_OK) {
        const char *quote = operand.quoted ? "\"" : "";
        buffer_append_text(out, " ");
        buffer_append_text(out, quote);
        if (write_move(san, &position, operation, &operand)) {
            buffer_append_text(out, san);
        } else {
            buffer_append(out, operand.text, operand.length); /* with its escapes, as it stood */
        }
        buffer_append_text(out, quote);
    }
    buffer_append_text(out, ";");
}

static void write_epd(buffer *out, const epd_record *from) {
    char fields[LUFT_EPD_POSITION_SIZE];
    luft_epd_cursor cursor = from->operations;
    luft_epd_operation operation;
    luft_position_to_epd_with_ep(fields, sizeof fields, &from->position, LUFT_FEN_STANDARD, from->ep_square);
    buffer_append_text(out, fields);
    while (luft_epd_next_operation(&operation, &cursor) == LUFT_OK) {
        write_operation(out, from, &operation);
    }
    /* Counters from the fields of a FEN become operations. */
    if (from->position.halfmove_clock != 0 && luft_epd_find(&operation, &from->operations, "hmvc") != LUFT_OK) {
        buffer_printf(out, " hmvc %d;", from->position.halfmove_clock);
    }
    if (from->position.fullmove_number != 1 && luft_epd_find(&operation, &from->operations, "fmvn") != LUFT_OK) {
        buffer_printf(out, " fmvn %d;", from->position.fullmove_number);
    }
}

static void write_json_operand(json *out, luft_position *position, const luft_epd_operation *operation,
                               const luft_epd_operand *operand) {
    char san[LUFT_SAN_SIZE];
    if (write_move(san, position, operation, operand)) {
        json_string(out, san);
        return;
    }
    const size_t size = operand->length + 1; /* unescaped text is not longer */
    char *text = malloc(size);
    if (text) {
        json_bytes(out, text, luft_epd_unescape(text, size, operand));
    }
    out->text->failed |= !text;
    free(text);
}

/* {"fen": "…", "operations": {"bm": ["Qg6"], "id": ["WAC.001"]}} */
static void write_json(buffer *text, const epd_record *from) {
    char fen[LUFT_FEN_SIZE];
    luft_epd_cursor cursor = from->operations;
    luft_epd_operation operation;
    json out = {.text = text};
    luft_position_to_fen_with_ep(fen, sizeof fen, &from->position, LUFT_FEN_STANDARD, from->ep_square);
    json_open(&out, '{');
    json_member(&out, "fen", fen);
    json_key(&out, "operations");
    json_open(&out, '{');
    while (luft_epd_next_operation(&operation, &cursor) == LUFT_OK) {
        luft_epd_operand operand;
        luft_position position = from->position;
        json_key_bytes(&out, operation.opcode, operation.opcode_length);
        json_open(&out, '[');
        while (luft_epd_next_operand(&operand, &operation.operands) == LUFT_OK) {
            write_json_operand(&out, &position, &operation, &operand);
        }
        json_close(&out, ']');
    }
    json_close(&out, '}');
    json_close(&out, '}');
}

static bool write_record(buffer *out, const epd_record *from, int form) {
    char fen[LUFT_FEN_SIZE];
    buffer_clear(out);
    switch (form) {
    case FORM_EPD: write_epd(out, from); break;
    case FORM_JSON: write_json(out, from); break;
    default:
        luft_position_to_fen_with_ep(fen, sizeof fen, &from->position, LUFT_FEN_STANDARD, from->ep_square);
        buffer_append_text(out, fen);
        break;
    }
    buffer_append_text(out, "\n");
    return output_write(NAME, stdout, out);
}

/* --- Files ------------------------------------------------------------------------- */

/* Checks or converts one file. False if it cannot be read to its end. */
static bool run_file(epd_reader *reader, const epd_arguments *arguments, const char *path) {
    epd_record read;
    buffer out = {0};
    bool going = true;
    epd_open(reader, path);
    while (going && epd_next(reader, &read)) {
        read.ep_square = arguments->ep_always ? read.ep_square : LUFT_NO_SQUARE;
        going = arguments->action != ACTION_CONVERT || write_record(&out, &read, arguments->form);
    }
    buffer_free(&out);
    return epd_close(reader, NAME) && going;
}

static int run_files(const epd_arguments *arguments) {
    static const char *const standard_input[] = {"-"};
    const bool named = arguments->path_count > 0;
    const char *const *paths = named ? arguments->paths : standard_input;
    const size_t count = named ? arguments->path_count : 1;
    epd_reader reader = {0};
    int status = STATUS_OK;
    if (input_is_among("-", paths, count)) { /* it would grow for ever */
        output_error(NAME, "standard output is also a file to read");
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < count && !ferror(stdout); i++) {
        if (!run_file(&reader, arguments, paths[i])) {
            status = arguments->action == ACTION_CHECK ? STATUS_FAILED : STATUS_USAGE;
            reader.errors++;
        }
    }
    if (arguments->action == ACTION_CHECK) {
        printf("positions=%" PRIu64 " errors=%" PRIu64 "\n", reader.positions, reader.errors);
    }
    return status == STATUS_OK && reader.errors > 0 ? STATUS_FAILED : status;
}

/* --- The command --------------------------------------------------------------------- */

static bool read_arguments(epd_arguments *arguments, int argc, char **argv, int *status) {
    const option operands[] = {
        {.name = "ACTION", .help = "check or convert", .choice = &arguments->action, .choices = action_names},
    };
    const option options[] = {
        {.name = "to",
         .value = "FORM",
         .help = "with convert: write epd (default), fen (with counters) or json (one object a line)",
         .choice = &arguments->form,
         .choices = form_names},
        {.name = "json", .help = "the same as --to json", .flag = &arguments->json},
        {.name = "ep-always",
         .help = "keep each en passant square, not only those with a legal capture",
         .flag = &arguments->ep_always},
    };
    const option_table table = {.command = NAME,
                                .usage = "[options] ACTION [FILE...]",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .operands = operands,
                                .operand_count = sizeof operands / sizeof operands[0],
                                .rest = &arguments->paths,
                                .rest_count = &arguments->path_count};
    return options_read(&table, argc, argv, status);
}

/* Prints an error line if the arguments contradict each other. */
static bool check_arguments(epd_arguments *arguments) {
    const bool form_given = arguments->form >= 0;
    if (arguments->action == ACTION_NONE) {
        output_error(NAME, "ACTION is missing: luft epd check FILE or luft epd convert FILE");
        return false;
    }
    if (arguments->action == ACTION_CHECK && (form_given || arguments->json || arguments->ep_always)) {
        output_error(NAME, "--to, --json and --ep-always: only with convert");
        return false;
    }
    if (arguments->json && form_given && arguments->form != FORM_JSON) {
        output_error(NAME, "--json and --to %s: use one of the two", form_names[arguments->form]);
        return false;
    }
    arguments->form = arguments->json ? FORM_JSON : form_given ? arguments->form : FORM_EPD;
    return true;
}

static int run(int argc, char **argv) {
    epd_arguments arguments = {.action = ACTION_NONE, .form = -1};
    int status;
    if (!read_arguments(&arguments, argc, argv, &status)) {
        return status;
    }
    return check_arguments(&arguments) ? run_files(&arguments) : STATUS_USAGE;
}

const cli_command epd_command = {"epd", "check or convert files of positions (EPD)", run};
