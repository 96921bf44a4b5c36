/* SPDX-License-Identifier: MIT */
/*
 * `luft analyse` with games: reads them, has every position of their main lines searched, and writes them with
 * evaluations, in the order of the files. A few games are in memory at a time: some are searched while the first is
 * written. An output file is replaced at the end, atomically.
 */
#define _XOPEN_SOURCE 700

#include "analysis.h"

#include "command.h"
#include "game.h"
#include "graph.h"
#include "pgn/fault.h"
#include "report.h"
#include "survey.h"
#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A game that was read and is searched. */
typedef struct pending_game {
    reviewed_game game;
    uint64_t number;         /* of the game in all files */
    evaluation *evaluations; /* of its plies + 1 positions */
    buffer requests;         /* for each position, each ends in a NUL */
} pending_game;

enum { WINDOW_EXTRA = 8 }; /* games in memory beyond one for each worker */

typedef struct annotator {
    analysis run;
    const analyse_settings *settings;
    const char *path; /* the file that is read */
    input in;
    luft_pgn_reader *reader;
    pending_game *games; /* a ring */
    size_t window;       /* its size */
    size_t first, count; /* the oldest game, and how many there are */
    luft_move *moves;    /* of the main line since its last null move */
    size_t move_room;
    report *report; /* NULL if none is wanted */
    uint64_t number;
    uint64_t annotated;
    uint64_t faults;
    bool replaces_input; /* the output replaces the input */
    bool is_complete;    /* everything was done, errors in games apart */
} annotator;

/* --- Asking for searches ------------------------------------------------------------------- */

/* Makes room for the moves of a game, its evaluations, and their requests. */
static bool make_room(annotator *work, pending_game *pending) {
    const size_t count = pending->game.plies + 1;
    evaluation *evaluations = realloc(pending->evaluations, count * sizeof *evaluations);
    if (!evaluations) {
        return false;
    }
    pending->evaluations = evaluations;
    if (count > work->move_room) {
        luft_move *moves = realloc(work->moves, count * sizeof *moves);
        if (!moves) {
            return false;
        }
        work->moves = moves;
        work->move_room = count;
    }
    return true;
}

/* Asks for the search of one position. */
static bool ask(annotator *work, pending_game *pending, const luft_position *base, size_t count, double share) {
    buffer *request = &work->run.request;
    searches_write(request, &work->settings->limits, 1, base, work->moves, count);
    buffer_append(&pending->requests, request->data, request->length + 1);
    if (request->failed || pending->requests.failed) {
        output_error(ANALYSE_NAME, "out of memory");
        return false;
    }
    return request->length == 0 || units_ask(work->run.units, request->data, request->length, 1, share);
}

/* Asks for all positions of the main line, with the moves before them, so that the engine sees repetitions. */
static bool ask_for_game(annotator *work, pending_game *pending, double share) {
    const reviewed_game *game = &pending->game;
    luft_position base = *luft_pgn_node_position(game->tree, LUFT_PGN_ROOT);
    size_t count = 0;
    buffer_clear(&pending->requests);
    share /= (double)(game->plies + 1);
    bool going = ask(work, pending, &base, count, share);
    for (luft_pgn_node node = game_first_move(game); going && node != LUFT_PGN_NO_NODE;
         node = luft_pgn_node_next(game->tree, node)) {
        const luft_move move = luft_pgn_node_move(game->tree, node);
        if (move == LUFT_MOVE_NONE) { /* nothing before a null move can be repeated */
            base = *luft_pgn_node_position(game->tree, node);
            count = 0;
        } else {
            work->moves[count++] = move;
        }
        going = ask(work, pending, &base, count, share);
    }
    return going;
}

/* --- Results -------------------------------------------------------------------------------- */

/* The evaluation of a position, from the search or, if the game is over there, by the rules. */
static bool evaluate(annotator *work, evaluation *out, const luft_position *position, const char *request) {
    searched found;
    *out = (evaluation){0};
    if (!analysis_wait(&work->run, &found, position, request)) {
        return false;
    }
    if (found.line_count == 0) {
        out->is_mate = found.outcome.termination == LUFT_CHECKMATE;
        out->score = !out->is_mate ? 0 : found.outcome.winner == LUFT_WHITE ? THINKING_MATE : -THINKING_MATE;
        return true;
    }
    const searched_line *best = &found.lines[0];
    out->score = best->score;
    out->depth = best->depth;
    out->length = best->length < JUDGE_LINE_MAX ? best->length : JUDGE_LINE_MAX;
    memcpy(out->line, best->moves, (size_t)out->length * sizeof out->line[0]);
    return true;
}

static bool evaluate_game(annotator *work, pending_game *pending) {
    const reviewed_game *game = &pending->game;
    const char *request = pending->requests.data;
    luft_pgn_node node = LUFT_PGN_ROOT;
    for (size_t ply = 0; node != LUFT_PGN_NO_NODE; ply++) {
        if (!evaluate(work, &pending->evaluations[ply], luft_pgn_node_position(game->tree, node), request)) {
            return false;
        }
        request += strlen(request) + 1;
        node = luft_pgn_node_next(game->tree, node);
    }
    return true;
}

/* --- What comes out -------------------------------------------------------------------- */

static void append_json_move(buffer *text, const annotator *work, const pending_game *pending, size_t ply,
                             luft_pgn_node node, judgement kind, int loss) {
    const evaluation *was = &pending->evaluations[ply], *is = &pending->evaluations[ply + 1];
    const luft_position *before = game_position_before(&pending->game, node);
    const luft_move move = luft_pgn_node_move(pending->game.tree, node);
    char san[LUFT_SAN_SIZE] = "", uci[LUFT_UCI_MOVE_SIZE];
    json out = {.text = text};
    luft_move_to_san(san, sizeof san, before, move);
    luft_move_to_uci(uci, sizeof uci, move, analyse_style(work->settings, before));
    json_open(&out, '{');
    json_count(&out, "game", pending->number);
    json_count(&out, "ply", ply + 1);
    json_count(&out, "number", (uint64_t)before->fullmove_number);
    json_member(&out, "move", uci);
    json_member(&out, "san", san);
    if (is->is_mate) {
        json_member(&out, "outcome", "checkmate");
    } else {
        analyse_write_score(&out, is->score);
    }
    json_count(&out, "loss_cp", (uint64_t)loss);
    if (kind != JUDGED_GOOD) {
        json_count(&out, "nag", (uint64_t)judgement_nag(kind));
    }
    analyse_write_moves(&out, "best", work->settings, before, was->line, was->length);
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}

/* A row of CSV for a move. */
static void append_csv_move(buffer *text, const pending_game *pending, size_t ply, luft_pgn_node node, judgement kind,
                            int loss) {
    const evaluation *was = &pending->evaluations[ply], *is = &pending->evaluations[ply + 1];
    const luft_position *before = game_position_before(&pending->game, node);
    char san[LUFT_SAN_SIZE] = "", best[LUFT_SAN_SIZE] = "";
    luft_move_to_san(san, sizeof san, before, luft_pgn_node_move(pending->game.tree, node));
    if (was->length > 0) {
        luft_move_to_san(best, sizeof best, before, was->line[0]);
    }
    buffer_printf(text, "%" PRIu64 ",%zu,%d,%s,%s,", pending->number, ply + 1, before->fullmove_number,
                  before->side_to_move == LUFT_WHITE ? "white" : "black", san);
    analysis_append_csv_score(text, is->score);
    buffer_printf(text, ",%d,%s,%s\n", loss, kind == JUDGED_GOOD ? "" : judgement_name(kind), best);
}

/* Adds up the totals of the players, and writes each move if the format has moves. */
static void judge_game(annotator *work, const pending_game *pending, player_total totals[2]) {
    const reviewed_game *game = &pending->game;
    size_t ply = 0;
    memset(totals, 0, 2 * sizeof totals[0]);
    for (luft_pgn_node node = game_first_move(game); node != LUFT_PGN_NO_NODE;
         node = luft_pgn_node_next(game->tree, node)) {
        const luft_position *before = game_position_before(game, node);
        const luft_color color = (luft_color)before->side_to_move;
        const evaluation *was = &pending->evaluations[ply], *is = &pending->evaluations[ply + 1];
        judged_move judged = judge_move(color, luft_pgn_node_move(game->tree, node), was, is);
        judged.phase = judge_phase(before);
        judged.is_hurried = game_is_hurried(game, node);
        judge_add(&totals[color], &judged);
        if (work->settings->format == ANALYSE_JSON) {
            append_json_move(&work->run.text, work, pending, ply, node, judged.kind, judged.loss_cp);
        } else if (work->settings->format == ANALYSE_CSV) {
            append_csv_move(&work->run.text, pending, ply, node, judged.kind, judged.loss_cp);
        }
        ply++;
    }
}

static void append_json_total(buffer *text, const pending_game *pending, const player_total totals[2]) {
    static const char *const names[] = {"White", "Black"}, *const keys[] = {"white", "black"};
    json out = {.text = text};
    json_open(&out, '{');
    json_count(&out, "game", pending->number);
    json_member(&out, "result", luft_result_string(luft_pgn_game_result(pending->game.tree)));
    for (int color = 0; color < 2; color++) {
        size_t length;
        const char *name = game_tag_value(&pending->game, names[color], &length);
        json_key(&out, keys[color]);
        json_open(&out, '{');
        json_key(&out, "name");
        json_bytes(&out, name, length);
        report_write_total(&out, &totals[color]);
        json_close(&out, '}');
    }
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}

static void append_text_report(buffer *out, const annotator *work, const pending_game *pending,
                               const player_total totals[2], size_t columns) {
    const reviewed_game *game = &pending->game;
    size_t white, black;
    const char *white_name = game_tag_value(game, "White", &white);
    const char *black_name = game_tag_value(game, "Black", &black);
    buffer_printf(out, "%sGame %" PRIu64 ": ", work->annotated > 0 ? "\n" : "", pending->number);
    buffer_append_readable(out, white_name, white < 40 ? white : 40);
    buffer_append_text(out, " - ");
    buffer_append_readable(out, black_name, black < 40 ? black : 40);
    buffer_printf(out, ", %s\n\n", luft_result_string(luft_pgn_game_result(game->tree)));
    graph_append(out, game, pending->evaluations, columns);
    buffer_append_text(out, "\n");
    summary_append(out, game, totals);
}

/* Writes the game, and its report where the output leaves room for it. */
static bool write_game(annotator *work, const pending_game *pending) {
    const analyse_settings *settings = work->settings;
    analysis *run = &work->run;
    const bool has_file = run->output.file != stdout, is_pgn = settings->format == ANALYSE_PGN;
    player_total totals[2];
    judge_game(work, pending, totals);
    if (settings->format == ANALYSE_JSON) {
        append_json_total(&run->text, pending, totals);
    }
    /* With --json and --output the moves go to standard output, and the games to the file. */
    FILE *lines = settings->json ? stdout : run->output.file;
    if (!is_pgn && !output_write(ANALYSE_NAME, lines, &run->text)) {
        return false;
    }
    if (is_pgn || (settings->json && has_file)) {
        game_write(&run->text, &pending->game);
        if (!output_write(ANALYSE_NAME, run->output.file, &run->text)) {
            return false;
        }
    }
    if (work->report && !report_add_game(work->report, pending->number, &pending->game, pending->evaluations, totals)) {
        output_error(ANALYSE_NAME, "out of memory");
        return false;
    }
    if (is_pgn && (has_file || isatty(STDERR_FILENO))) {
        progress_clear(&run->line);
        append_text_report(&run->text, work, pending, totals,
                           analyse_columns(has_file ? STDOUT_FILENO : STDERR_FILENO));
        return output_write(ANALYSE_NAME, has_file ? stdout : stderr, &run->text);
    }
    return true;
}

/* --- The games of the files ---------------------------------------------------------------- */

static bool leave_out(annotator *work, uint64_t number) {
    output_error(ANALYSE_NAME, "game %" PRIu64 " is left out: it is too long", number);
    work->faults++;
    return true;
}

/* Waits for the oldest game and writes it. False to stop. */
static bool write_first(annotator *work) {
    pending_game *pending = &work->games[work->first];
    work->first = (work->first + 1) % work->window;
    work->count--;
    if (units_is_part(work->run.units)) {
        return true; /* its results are all that is wanted */
    }
    if (!evaluate_game(work, pending)) {
        analysis_report_stop(&work->run, "game", pending->number);
        return false;
    }
    const luft_error error = game_annotate(&pending->game, pending->evaluations);
    if (error == LUFT_ERROR_OVERFLOW) {
        return leave_out(work, pending->number);
    }
    if (error != LUFT_OK) {
        output_error(ANALYSE_NAME, "out of memory");
        return false;
    }
    const bool written = write_game(work, pending);
    work->annotated++;
    return written;
}

/* Reports the error that cut the game, if there is one. False if out of memory. */
static bool report_fault(annotator *work, const reviewed_game *game) {
    const luft_pgn_error *error = luft_pgn_game_error(game->tree);
    if (!error) {
        return true;
    }
    const pgn_fault fault = pgn_fault_of(error);
    work->faults++;
    progress_clear(&work->run.line);
    return pgn_fault_print(work->path, &fault);
}

/* Takes the game that was read into the ring. False to stop. */
static bool take_game(annotator *work, pending_game *pending, double share) {
    const reviewed_game *game = &pending->game;
    pending->number = work->number;
    if (!game->tree) {
        return leave_out(work, work->number);
    }
    if (!report_fault(work, game)) {
        output_error(ANALYSE_NAME, "out of memory");
        return false;
    }
    if (luft_pgn_game_node_count(game->tree) == 0) {
        return true; /* its tags set up no position, as reported above */
    }
    if (!make_room(work, pending)) {
        output_error(ANALYSE_NAME, "out of memory");
        return false;
    }
    if (!ask_for_game(work, pending, share)) {
        analysis_report_stop(&work->run, "game", pending->number);
        return false;
    }
    work->count++;
    return true;
}

/* Reads the games of a file. Returns LUFT_ERROR_END at its end, LUFT_OK to stop. */
static luft_error read_games(annotator *work) {
    const uint64_t wanted = work->settings->game;
    while (wanted == 0 || work->number < wanted) {
        if (work->count == work->window && !write_first(work)) {
            return LUFT_OK;
        }
        pending_game *pending = &work->games[(work->first + work->count) % work->window];
        const uint64_t before = work->in.stored;
        const luft_error error = game_read(&pending->game, work->reader);
        if (error != LUFT_OK) {
            return error;
        }
        work->number++;
        const double share = analysis_share(&work->run, work->in.stored - before);
        if ((wanted == 0 || work->number == wanted) && !take_game(work, pending, share)) {
            return LUFT_OK;
        }
    }
    return LUFT_ERROR_END;
}

/* Reads a file. Returns an exit status; STATUS_OK to go on. */
static int read_file(annotator *work, const char *path) {
    char quoted[TEXT_QUOTED_SIZE];
    work->path = path;
    if (input_open(&work->in, path) != INPUT_READ) {
        output_error(ANALYSE_NAME, "cannot read %s: %s", text_quote(quoted, path, strlen(path)), work->in.reason);
        input_close(&work->in);
        return STATUS_USAGE;
    }
    if (work->replaces_input && work->in.compressed) {
        output_error(ANALYSE_NAME,
                     "--output: also the file to read, which is compressed and would be replaced by plain text");
        input_close(&work->in);
        return STATUS_USAGE;
    }
    if (luft_pgn_reader_create(&work->reader, input_read_pgn, &work->in) != LUFT_OK) {
        output_error(ANALYSE_NAME, "out of memory");
        input_close(&work->in);
        return STATUS_FAILED;
    }
    const luft_error error = read_games(work);
    int status = error == LUFT_ERROR_END ? STATUS_OK : STATUS_FAILED;
    if (error == LUFT_ERROR_MEMORY) {
        output_error(ANALYSE_NAME, "out of memory");
    } else if (error != LUFT_OK && error != LUFT_ERROR_END) {
        output_error(ANALYSE_NAME, "cannot read %s: %s", text_quote(quoted, path, strlen(path)), work->in.reason);
        status = work->in.last == INPUT_NOT_USABLE ? STATUS_USAGE : STATUS_FAILED;
    }
    luft_pgn_reader_free(work->reader);
    work->reader = NULL;
    input_close(&work->in);
    return status;
}

/* Says why the work is not complete. Returns an exit status. */
static int judge_work(annotator *work) {
    const uint64_t wanted = work->settings->game;
    if (wanted > 0 && work->number < wanted) {
        output_error(ANALYSE_NAME, "--game: there is no game %" PRIu64 ", only %" PRIu64, wanted, work->number);
        return STATUS_USAGE;
    }
    if (work->number == 0) {
        char quoted[TEXT_QUOTED_SIZE];
        output_error(ANALYSE_NAME, "%s has no games", text_quote(quoted, work->path, strlen(work->path)));
        return STATUS_USAGE;
    }
    if (work->replaces_input && work->faults > 0) {
        output_error(
            ANALYSE_NAME,
            "--output: not written, because it is also the file to read and the text after errors would be lost");
        return STATUS_FAILED;
    }
    work->is_complete = true;
    return work->faults > 0 ? STATUS_FAILED : STATUS_OK;
}

/* Reads the games and annotates those asked for. Returns an exit status. */
static int annotate_all(annotator *work) {
    const analyse_settings *settings = work->settings;
    int status = STATUS_OK;
    if (settings->format == ANALYSE_CSV && !units_is_part(work->run.units)) {
        buffer_append_text(&work->run.text, "game,ply,number,side,san,cp,mate,loss_cp,judgement,best\n");
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
    return status == STATUS_OK ? judge_work(work) : status;
}

/* Refuses outputs that would destroy an input. Returns an exit status. */
static int check_output(annotator *work) {
    const analyse_settings *settings = work->settings;
    if (input_is_among("-", settings->paths, settings->path_count)) {
        output_error(ANALYSE_NAME, "standard output is also a file to read");
        return STATUS_USAGE;
    }
    work->replaces_input = settings->output && input_is_among(settings->output, settings->paths, settings->path_count);
    if (!work->replaces_input) {
        return STATUS_OK;
    }
    const char *path = settings->paths[0];
    if (settings->path_count > 1 || (settings->format != ANALYSE_PGN && !settings->json)) {
        output_error(ANALYSE_NAME, "--output: also a file to read");
        return STATUS_USAGE;
    }
    if (settings->game > 0) {
        output_error(ANALYSE_NAME, "--output: also the file to read, whose games other than --game would be lost");
        return STATUS_USAGE;
    }
    if (survey_loses_lines(path)) {
        output_error(ANALYSE_NAME,
                     "--output: not written, because it is also the file to read and lines that begin with %%, or "
                     "comments before the first game, would be lost");
        return STATUS_FAILED;
    }
    return STATUS_OK;
}

static int run(annotator *work) {
    const analyse_settings *settings = work->settings;
    int status = check_output(work);
    work->window = settings->batch.jobs + WINDOW_EXTRA;
    work->games = calloc(work->window, sizeof *work->games);
    if (status != STATUS_OK) {
        return status;
    }
    if (!work->games || (settings->report && !(work->report = report_create()))) {
        output_error(ANALYSE_NAME, "out of memory");
        return STATUS_FAILED;
    }
    if (!analysis_open(&work->run, settings, "games", &status)) {
        return status;
    }
    status = annotate_all(work);
    if (work->report && work->is_complete && !units_is_part(work->run.units) &&
        !report_write(work->report, settings->report)) {
        status = STATUS_FAILED;
        work->is_complete = false;
    }
    return status;
}

int analyse_games(const analyse_settings *settings) {
    annotator *work = calloc(1, sizeof *work);
    if (!work) {
        output_error(ANALYSE_NAME, "out of memory");
        return STATUS_FAILED;
    }
    work->settings = settings;
    int status = run(work);
    if (work->run.settings && !analysis_close(&work->run, work->is_complete) && status == STATUS_OK) {
        status = STATUS_FAILED;
    }
    for (size_t i = 0; work->games && i < work->window; i++) {
        game_free(&work->games[i].game);
        free(work->games[i].evaluations);
        buffer_free(&work->games[i].requests);
    }
    report_free(work->report);
    free(work->games);
    free(work->moves);
    free(work);
    return status;
}
