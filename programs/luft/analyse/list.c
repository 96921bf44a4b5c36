/* SPDX-License-Identifier: MIT */
/*
 * `luft analyse` with lists of positions, as EPD or FEN with or without operations: searches each and writes it with its
 * evaluation, in the order of the files. Lines that cannot be read are reported and left out.
 */
#define _POSIX_C_SOURCE 200809L

#include "analysis.h"

#include "command.h"
#include "epd/reader.h"
#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_EXTRA = 512, WINDOW_FACTOR = 8 }; /* positions in memory: for each worker, and beyond */

/* A position that was read and is searched. */
typedef struct pending_position {
    luft_position position;
    luft_square ep_square;
    uint64_t line;     /* its number in the file */
    buffer text;       /* the line */
    size_t operations; /* where they begin in it */
    size_t length;     /* theirs */
    buffer request;
} pending_position;

typedef struct list {
    analysis run;
    const analyse_settings *settings;
    epd_reader reader;
    pending_position *positions; /* a ring */
    size_t window, first, count;
    bool is_complete;
} list;

/* --- What comes out ---------------------------------------------------------------------------- */

static void append_json(buffer *text, const list *work, const pending_position *from, const searched *found) {
    json out = {.text = text};
    const searched_line *best = found->line_count > 0 ? &found->lines[0] : NULL;
    json_open(&out, '{');
    json_count(&out, "line", from->line);
    analyse_write_fen(&out, &from->position);
    json_key(&out, "best");
    if (best) {
        char uci[LUFT_UCI_MOVE_SIZE], san[LUFT_SAN_SIZE] = "";
        luft_move_to_uci(uci, sizeof uci, best->moves[0], analyse_style(work->settings, &from->position));
        luft_move_to_san(san, sizeof san, &from->position, best->moves[0]);
        json_string(&out, uci);
        json_member(&out, "san", san);
        analyse_write_score(&out, best->score);
        json_count(&out, "depth", (uint64_t)best->depth);
        json_count(&out, "nodes", (uint64_t)best->nodes);
        analyse_write_moves(&out, "pv", work->settings, &from->position, best->moves, best->length);
    } else {
        json_null(&out);
        json_member(&out, "outcome", luft_termination_string(found->outcome.termination));
    }
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}

static void append_csv(buffer *out, const pending_position *from, const searched *found) {
    char fen[LUFT_FEN_SIZE] = "", san[LUFT_SAN_SIZE];
    luft_position_to_fen(fen, sizeof fen, &from->position, LUFT_FEN_STANDARD);
    buffer_printf(out, "%" PRIu64 ",%s,", from->line, fen);
    if (found->line_count == 0) {
        buffer_printf(out, ",,,,,%s\n", luft_termination_string(found->outcome.termination));
        return;
    }
    const searched_line *best = &found->lines[0];
    luft_move_to_san(san, sizeof san, &from->position, best->moves[0]);
    buffer_printf(out, "%s,", san);
    analysis_append_csv_score(out, best->score);
    buffer_printf(out, ",%d,%" PRId64 ",", best->depth, best->nodes);
    thinking_append_line(out, &from->position, best->moves, best->length, 0);
    buffer_append_text(out, "\n");
}

/* ce of the standard: from the view of the side to move; a mate is 32767 less the plies. */
static int epd_evaluation(const searched *found, const luft_position *position) {
    const int score = found->line_count > 0                          ? found->lines[0].score
                      : found->outcome.termination != LUFT_CHECKMATE ? 0
                      : found->outcome.winner == LUFT_WHITE          ? THINKING_MATE
                                                                     : -THINKING_MATE;
    const int own = position->side_to_move == LUFT_WHITE ? score : -score;
    if (!thinking_is_mate(own)) {
        return own;
    }
    const int plies = thinking_plies_to_mate(own);
    return own > 0 ? 32767 - plies : plies - 32767;
}

/* Is this an operation that the analysis writes itself? */
static bool is_replaced(const luft_epd_operation *operation) {
    static const char *const opcodes[] = {"ce", "acd", "acn", "pv"};
    for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++) {
        if (operation->opcode_length == strlen(opcodes[i]) &&
            memcmp(operation->opcode, opcodes[i], operation->opcode_length) == 0) {
            return true;
        }
    }
    return false;
}

static void append_epd(buffer *out, const pending_position *from, const searched *found) {
    char fields[LUFT_EPD_POSITION_SIZE], san[LUFT_SAN_SIZE];
    const luft_epd_cursor all = {from->text.data + from->operations, from->length};
    luft_epd_cursor cursor = all;
    luft_epd_operation operation;
    luft_position position = from->position;
    luft_position_to_epd_with_ep(fields, sizeof fields, &position, LUFT_FEN_STANDARD, from->ep_square);
    buffer_append_text(out, fields);
    while (luft_epd_next_operation(&operation, &cursor) == LUFT_OK) {
        if (!is_replaced(&operation)) {
            const char *end = operation.operands.text + operation.operands.length;
            buffer_append_text(out, " ");
            buffer_append(out, operation.opcode, (size_t)(end - operation.opcode));
            while (out->length > 0 && text_is_blank(out->data[out->length - 1])) {
                out->length--;
            }
            buffer_append_text(out, ";");
        }
    }
    if (position.halfmove_clock != 0 && luft_epd_find(&operation, &all, "hmvc") != LUFT_OK) {
        buffer_printf(out, " hmvc %d;", position.halfmove_clock);
    }
    if (position.fullmove_number != 1 && luft_epd_find(&operation, &all, "fmvn") != LUFT_OK) {
        buffer_printf(out, " fmvn %d;", position.fullmove_number);
    }
    buffer_printf(out, " ce %d;", epd_evaluation(found, &position));
    if (found->line_count > 0) {
        const searched_line *best = &found->lines[0];
        buffer_printf(out, " acd %d; acn %" PRId64 "; pv", best->depth, best->nodes);
        for (int i = 0; i < best->length && luft_move_to_san(san, sizeof san, &position, best->moves[i]) > 0; i++) {
            buffer_printf(out, " %s", san);
            luft_make(&position, &position, best->moves[i]);
        }
        buffer_append_text(out, ";");
    }
    buffer_append_text(out, "\n");
}

/* --- The positions ------------------------------------------------------------------------------ */

/* Waits for the oldest position and writes it. False to stop. */
static bool write_first(list *work) {
    analysis *run = &work->run;
    const pending_position *pending = &work->positions[work->first];
    searched found;
    work->first = (work->first + 1) % work->window;
    work->count--;
    if (units_is_part(run->units)) {
        return true;
    }
    if (!analysis_wait(run, &found, &pending->position, pending->request.data)) {
        analysis_report_stop(run, "line", pending->line);
        return false;
    }
    switch (work->settings->format) {
    case ANALYSE_JSON: append_json(&run->text, work, pending, &found); break;
    case ANALYSE_CSV: append_csv(&run->text, pending, &found); break;
    default: append_epd(&run->text, pending, &found); break;
    }
    return output_write(ANALYSE_NAME, run->output.file, &run->text);
}

/* Can the oldest position be written without waiting? */
static bool is_first_ready(list *work) {
    const buffer *request = &work->positions[work->first].request;
    return units_is_part(work->run.units) || request->length == 0 ||
           units_is_ready(work->run.units, request->data, request->length);
}

/* Takes a position into the ring and asks for its search. False to stop. */
static bool take_position(list *work, const epd_record *record, double share) {
    pending_position *pending = &work->positions[(work->first + work->count) % work->window];
    const lines *from = &work->reader.lines;
    pending->position = record->position;
    pending->ep_square = record->ep_square;
    pending->line = from->number;
    pending->operations = record->operations.text ? (size_t)(record->operations.text - from->text) : 0;
    pending->length = record->operations.length;
    buffer_clear(&pending->text);
    buffer_append(&pending->text, from->text, from->length);
    searches_write(&pending->request, &work->settings->limits, 1, &pending->position, NULL, 0);
    if (pending->text.failed || pending->request.failed) {
        output_error(ANALYSE_NAME, "out of memory");
        return false;
    }
    work->count++;
    if (pending->request.length > 0 &&
        !units_ask(work->run.units, pending->request.data, pending->request.length, 1, share)) {
        analysis_report_stop(&work->run, "line", pending->line);
        return false;
    }
    return true;
}

/* Reads a file to its end. Returns an exit status; STATUS_OK to go on. */
static int read_file(list *work, const char *path) {
    epd_record record;
    bool going = true;
    epd_open(&work->reader, path);
    uint64_t before = 0;
    while (going && epd_next(&work->reader, &record)) {
        const uint64_t stored = work->reader.lines.in.stored;
        while (going && work->count > 0 && (work->count == work->window || is_first_ready(work))) {
            going = write_first(work);
        }
        going = going && take_position(work, &record, analysis_share(&work->run, stored - before));
        before = stored;
    }
    const bool was_read = epd_close(&work->reader, ANALYSE_NAME);
    return !going ? STATUS_FAILED : was_read ? STATUS_OK : STATUS_USAGE;
}

static int run(list *work) {
    const analyse_settings *settings = work->settings;
    int status;
    if (input_is_among(settings->output ? settings->output : "-", settings->paths, settings->path_count)) {
        output_error(ANALYSE_NAME, "%s is also a file to read", settings->output ? "--output" : "standard output");
        return STATUS_USAGE;
    }
    work->window = settings->batch.jobs * WINDOW_FACTOR + WINDOW_EXTRA;
    work->positions = calloc(work->window, sizeof *work->positions);
    if (!work->positions) {
        output_error(ANALYSE_NAME, "out of memory");
        return STATUS_FAILED;
    }
    if (!analysis_open(&work->run, settings, "positions", &status)) {
        return status;
    }
    status = STATUS_OK;
    if (settings->format == ANALYSE_CSV && !units_is_part(work->run.units)) {
        buffer_append_text(&work->run.text, "line,fen,best,cp,mate,depth,nodes,pv\n");
    }
    for (size_t i = 0; status == STATUS_OK && i < settings->path_count; i++) {
        status = read_file(work, settings->paths[i]);
    }
    while (status == STATUS_OK && work->count > 0) {
        status = write_first(work) ? STATUS_OK : STATUS_FAILED;
    }
    if (status == STATUS_OK && !units_drain(work->run.units)) {
        status = STATUS_FAILED;
    }
    if (status == STATUS_OK && work->reader.positions == 0) {
        output_error(ANALYSE_NAME, "there are no positions");
        status = STATUS_USAGE;
    }
    work->is_complete = status == STATUS_OK;
    return status == STATUS_OK && work->reader.errors > 0 ? STATUS_FAILED : status;
}

int analyse_list(const analyse_settings *settings) {
    list *work = calloc(1, sizeof *work);
    if (!work) {
        output_error(ANALYSE_NAME, "out of memory");
        return STATUS_FAILED;
    }
    work->settings = settings;
    int status = run(work);
    if (work->run.settings && !analysis_close(&work->run, work->is_complete) && status == STATUS_OK) {
        status = STATUS_FAILED;
    }
    for (size_t i = 0; work->positions && i < work->window; i++) {
        buffer_free(&work->positions[i].text);
        buffer_free(&work->positions[i].request);
    }
    free(work->positions);
    free(work);
    return status;
}
