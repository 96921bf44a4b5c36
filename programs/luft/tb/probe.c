/* SPDX-License-Identifier: MIT */
/* `luft tb probe`: the result of positions, their distance, all moves in order, and the line that play by them gives. */
#include "commands.h"
#include "epd/reader.h"
#include "tables.h"

#include "luft/luft.h"
#include "util/buffer.h"
#include "util/json.h"
#include "util/options.h"
#include "util/output.h"
#include "util/setup.h"

#define NAME "luft tb probe"

static const char about[] =
    "Prints the result of each position for the side to move, the distance in plies to the next capture, pawn move or\n"
    "mate (DTZ), all moves, the best first, and the best line up to that point. The halfmove clock counts: a win that\n"
    "takes too long is a cursed win. The exit status is 1 if no table has a position.\n";

enum { LINE_MAX_PLIES = 2048 };

/* What the tables say of a position. */
typedef struct probe_result {
    luft_error error;
    luft_wdl wdl;
    bool has_dtz;
    int dtz;
    luft_tablebase_moves moves;
    luft_move line[LINE_MAX_PLIES];
    int line_length;
    bool is_mate; /* the line ends with mate */
} probe_result;

typedef struct probe_job {
    luft_tablebase *tablebase;
    bool as_json;
    buffer text;
    bool is_written;
    uint64_t missing; /* positions without a result */
} probe_job;

static const char *name_of(luft_wdl wdl) {
    static const char *const names[] = {"loss", "blessed loss", "draw", "cursed win", "win"};
    return names[wdl + 2];
}

/* --- Probing ----------------------------------------------------------------------- */

static bool is_zeroing(const luft_position *position, luft_move move) {
    return luft_move_is_capture(move) || (position->board.pawns & luft_bit(luft_move_from(move))) != 0;
}

/* Plays the first move of both sides until one captures, moves a pawn or mates. */
static void find_line(probe_result *result, const luft_tablebase *tablebase, const luft_position *start) {
    uint64_t keys[LINE_MAX_PLIES];
    luft_tablebase_moves moves = result->moves;
    luft_position position = *start;
    bool is_over = result->dtz == 0;
    while (!is_over && moves.count > 0 && result->line_length < LINE_MAX_PLIES) {
        const luft_move move = moves.moves[0].move;
        is_over = is_zeroing(&position, move);
        keys[result->line_length] = luft_key(&position);
        result->line[result->line_length++] = move;
        luft_make(&position, &position, move);
        is_over = is_over || luft_tablebase_probe_root(&moves, tablebase, &position, keys, (size_t)result->line_length,
                                                       false) != LUFT_OK;
    }
    result->is_mate = result->line_length > 0 && luft_in_check(&position) && !luft_has_legal_move(&position);
}

static void probe(probe_result *result, const luft_tablebase *tablebase, const luft_position *position) {
    *result = (probe_result){.wdl = LUFT_WDL_DRAW};
    result->error = luft_tablebase_probe_wdl(&result->wdl, tablebase, position);
    if (result->error == LUFT_OK) {
        result->has_dtz = luft_tablebase_probe_dtz(&result->dtz, tablebase, position) == LUFT_OK;
        result->error = luft_tablebase_probe_root(&result->moves, tablebase, position, NULL, 0, true);
    }
    if (result->error == LUFT_OK && result->moves.count > 0) {
        result->wdl = result->moves.moves[0].wdl; /* counted with the halfmove clock, which the tables do not know */
    }
    if (result->error == LUFT_OK && result->has_dtz && result->moves.has_dtz) {
        find_line(result, tablebase, position);
    }
}

/* --- Writing ------------------------------------------------------------------------- */

static void write_text(buffer *out, const luft_position *position, const char *fen, const probe_result *result) {
    char san[LUFT_SAN_SIZE];
    buffer_printf(out, "%s\n", fen);
    if (result->error != LUFT_OK) {
        buffer_printf(out, "  %s\n", luft_error_string(result->error));
        return;
    }
    buffer_printf(out, "  result %s", name_of(result->wdl));
    if (result->has_dtz) {
        buffer_printf(out, ", DTZ %d", result->dtz);
    }
    buffer_append_text(out, "\n");
    for (int i = 0; i < result->moves.count; i++) {
        const luft_tablebase_move *move = &result->moves.moves[i];
        luft_move_to_san(san, sizeof san, position, move->move);
        buffer_printf(out, "  %-8s %s", san, name_of(move->wdl));
        if (result->moves.has_dtz && move->dtz != 0) {
            buffer_printf(out, ", DTZ %d", move->dtz);
        }
        buffer_append_text(out, "\n");
    }
    if (result->line_length > 0) {
        luft_position next = *position;
        buffer_append_text(out, result->is_mate ? "  line to mate:" : "  line:");
        for (int i = 0; i < result->line_length; i++) {
            luft_move_to_san(san, sizeof san, &next, result->line[i]);
            buffer_printf(out, " %s", san);
            luft_make(&next, &next, result->line[i]);
        }
        buffer_append_text(out, "\n");
    }
}

static void write_json_moves(json *out, const probe_result *result) {
    char uci[LUFT_UCI_MOVE_SIZE];
    json_key(out, "moves");
    json_open(out, '[');
    for (int i = 0; i < result->moves.count; i++) {
        luft_move_to_uci(uci, sizeof uci, result->moves.moves[i].move, LUFT_CASTLING_STANDARD);
        json_open(out, '{');
        json_member(out, "uci", uci);
        json_key(out, "wdl");
        json_integer(out, result->moves.moves[i].wdl);
        json_key(out, "dtz");
        if (result->moves.has_dtz) {
            json_integer(out, result->moves.moves[i].dtz);
        } else {
            json_null(out);
        }
        json_close(out, '}');
    }
    json_close(out, ']');
    json_key(out, "line");
    json_open(out, '[');
    for (int i = 0; i < result->line_length; i++) {
        luft_move_to_uci(uci, sizeof uci, result->line[i], LUFT_CASTLING_STANDARD);
        json_string(out, uci);
    }
    json_close(out, ']');
}

static void write_json(buffer *text, const char *fen, const probe_result *result) {
    json out = {.text = text};
    json_open(&out, '{');
    json_member(&out, "fen", fen);
    json_key(&out, "wdl");
    if (result->error != LUFT_OK) {
        json_null(&out);
        json_key(&out, "dtz");
        json_null(&out);
        json_member(&out, "error", luft_error_string(result->error));
    } else {
        json_integer(&out, result->wdl);
        json_key(&out, "dtz");
        if (result->has_dtz) {
            json_integer(&out, result->dtz);
        } else {
            json_null(&out);
        }
        write_json_moves(&out, result);
    }
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}

static void run_probe(probe_job *job, const luft_position *position) {
    probe_result result;
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
    probe(&result, job->tablebase, position);
    job->missing += result.error != LUFT_OK;
    if (job->as_json) {
        write_json(&job->text, fen, &result);
    } else {
        write_text(&job->text, position, fen, &result);
    }
    job->is_written = job->is_written && output_write(NAME, stdout, &job->text);
}

/* --- The command ------------------------------------------------------------------------ */

static bool probe_file(probe_job *job, const char *path) {
    epd_reader reader = {0};
    epd_record record;
    epd_open(&reader, path);
    while (job->is_written && epd_next(&reader, &record)) {
        run_probe(job, &record.position);
    }
    return epd_close(&reader, NAME) && reader.errors == 0;
}

int tb_probe(int argc, char **argv) {
    const char *directories = NULL, *epd = NULL;
    const char *const *fens = NULL;
    size_t fen_count = 0;
    bool as_json = false;
    int status;
    const option options[] = {
        {.name = "syzygy",
         .value = "DIR",
         .help = "directories with tables, separated by ':'",
         .text = &directories,
         .required = true},
        option_text("epd", "FILE", "probe all positions of a file, - for standard input", &epd),
        option_flag("json", "print one object a line: fen, wdl from -2 to 2, dtz, moves, line", &as_json),
    };
    const option_table table = {.command = NAME,
                                .usage = "--syzygy DIR [FEN...]",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .rest = &fens,
                                .rest_count = &fen_count};
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    if (!epd && fen_count == 0) {
        output_error(NAME, "expected a FEN or --epd FILE");
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < fen_count; i++) {
        luft_position position;
        if (!setup_position(&position, NAME, "FEN", fens[i], NULL)) {
            return STATUS_USAGE;
        }
    }
    probe_job job = {.tablebase = tables_open(NAME, directories), .as_json = as_json, .is_written = true};
    if (!job.tablebase) {
        return STATUS_USAGE;
    }
    bool is_good = true;
    for (size_t i = 0; i < fen_count; i++) {
        luft_position position;
        if (setup_position(&position, NAME, "FEN", fens[i], NULL)) {
            run_probe(&job, &position);
        }
    }
    if (epd) {
        is_good = probe_file(&job, epd);
    }
    tables_report(NAME, job.tablebase);
    luft_tablebase_free(job.tablebase);
    buffer_free(&job.text);
    return is_good && job.is_written && job.missing == 0 ? STATUS_OK : STATUS_FAILED;
}
