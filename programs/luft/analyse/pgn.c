/* SPDX-License-Identifier: MIT */
/*
 * `luft analyse --pgn`: reads games, searches every position of their main lines, and writes them with evaluations. A
 * game is kept in memory, so that it is written completely or not at all; an output file is replaced at the end,
 * atomically.
 */
#define _XOPEN_SOURCE 700

#include "analyse.h"

#include "command.h"
#include "game.h"
#include "graph.h"
#include "pgn/fault.h"
#include "util/input.h"
#include "util/output.h"
#include "util/output_file.h"
#include "util/progress.h"
#include "util/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct annotator {
    const analyse_settings *settings;
    const char *path;
    luft_engine *engine;
    thinking_interrupt interrupt;
    thinking found;
    input in;
    luft_pgn_reader *reader;
    reviewed_game game;
    evaluation *evaluations; /* of the positions of the game */
    luft_move *moves;        /* of the main line since its last null move */
    buffer text;
    output_file output;
    progress progress;
    uint64_t number; /* of the game in the file */
    uint64_t annotated;
    uint64_t faults;
    bool replaces_input; /* the output replaces the input */
    bool is_complete;    /* everything was done, errors in games apart */
} annotator;

/* --- Searching ------------------------------------------------------------------------- */

/* Evaluates the position after some moves, by the rules if the game is over there. False if it was not searched. */
static bool evaluate(annotator *work, evaluation *out, const luft_position *base, size_t count) {
    if (luft_engine_set_position(work->engine, base, work->moves, count, NULL) != LUFT_OK) {
        return false;
    }
    const luft_position *position = luft_engine_position(work->engine);
    const luft_outcome outcome = luft_position_outcome(position);
    *out = (evaluation){0};
    if (outcome.termination != LUFT_NOT_OVER) {
        out->is_mate = outcome.termination == LUFT_CHECKMATE;
        out->score = !out->is_mate ? 0 : outcome.winner == LUFT_WHITE ? THINKING_MATE : -THINKING_MATE;
        return true;
    }
    if (!thinking_run(&work->found, work->engine, &work->settings->limits, NULL, NULL)) {
        return false;
    }
    const thinking_line *best = &work->found.lines[0];
    out->score = best->score;
    out->length = best->length < JUDGE_LINE_MAX ? best->length : JUDGE_LINE_MAX;
    memcpy(out->line, best->moves, (size_t)out->length * sizeof out->line[0]);
    progress_add(&work->progress, 1 / (double)(work->game.plies + 1), (uint64_t)best->nodes, (uint64_t)best->nodes);
    return !atomic_load(&work->interrupt.interrupted);
}

/* Evaluates all positions of the main line. The engine gets the moves before them, so that it sees repetitions. */
static bool evaluate_game(annotator *work) {
    const reviewed_game *game = &work->game;
    luft_position base = *luft_pgn_node_position(game->tree, LUFT_PGN_ROOT);
    size_t count = 0, ply = 0;
    char label[32];
    snprintf(label, sizeof label, "game %" PRIu64, work->number);
    progress_start(&work->progress, label, true);
    luft_engine_clear(work->engine);
    bool going = evaluate(work, &work->evaluations[ply++], &base, count);
    for (luft_pgn_node node = game_first_move(game); going && node != LUFT_PGN_NO_NODE;
         node = luft_pgn_node_next(game->tree, node)) {
        const luft_move move = luft_pgn_node_move(game->tree, node);
        if (move == LUFT_MOVE_NONE) { /* nothing before a null move can be repeated */
            base = *luft_pgn_node_position(game->tree, node);
            count = 0;
        } else {
            work->moves[count++] = move;
        }
        going = evaluate(work, &work->evaluations[ply++], &base, count);
    }
    progress_clear(&work->progress);
    return going;
}

/* --- What comes out -------------------------------------------------------------------- */

static void append_json_move(buffer *text, const annotator *work, size_t ply, luft_pgn_node node, judgement kind,
                             int loss) {
    const evaluation *was = &work->evaluations[ply], *is = &work->evaluations[ply + 1];
    const luft_position *before = game_position_before(&work->game, node);
    const luft_move move = luft_pgn_node_move(work->game.tree, node);
    char san[LUFT_SAN_SIZE] = "", uci[LUFT_UCI_MOVE_SIZE];
    json out = {.text = text};
    luft_move_to_san(san, sizeof san, before, move);
    luft_move_to_uci(uci, sizeof uci, move, analyse_style(work->settings, before));
    json_open(&out, '{');
    json_count(&out, "game", work->number);
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

/* Adds up the losses of the players, and writes each move as JSON if asked for. */
static void judge_game(annotator *work, player_total totals[2]) {
    const reviewed_game *game = &work->game;
    size_t ply = 0;
    memset(totals, 0, 2 * sizeof totals[0]);
    for (luft_pgn_node node = game_first_move(game); node != LUFT_PGN_NO_NODE;
         node = luft_pgn_node_next(game->tree, node)) {
        const luft_color color = (luft_color)game_position_before(game, node)->side_to_move;
        int loss;
        const judgement kind = judge_move(&loss, color, luft_pgn_node_move(game->tree, node), &work->evaluations[ply],
                                          &work->evaluations[ply + 1]);
        totals[color].moves++;
        totals[color].loss_cp += loss;
        totals[color].counts[kind]++;
        if (work->settings->json) {
            append_json_move(&work->text, work, ply, node, kind, loss);
        }
        ply++;
    }
}

static void append_json_total(buffer *text, const annotator *work, const player_total totals[2]) {
    static const char *const names[] = {"White", "Black"}, *const keys[] = {"white", "black"};
    json out = {.text = text};
    json_open(&out, '{');
    json_count(&out, "game", work->number);
    json_member(&out, "result", luft_result_string(luft_pgn_game_result(work->game.tree)));
    for (int color = 0; color < 2; color++) {
        const player_total *total = &totals[color];
        size_t length;
        const char *name = game_tag_value(&work->game, names[color], &length);
        json_key(&out, keys[color]);
        json_open(&out, '{');
        json_key(&out, "name");
        json_bytes(&out, name, length);
        json_count(&out, "moves", (uint64_t)total->moves);
        json_key(&out, "average_loss_cp");
        json_real(&out, total->moves > 0 ? (double)total->loss_cp / total->moves : 0.0, 1);
        json_count(&out, "inaccuracies", (uint64_t)total->counts[JUDGED_INACCURACY]);
        json_count(&out, "mistakes", (uint64_t)total->counts[JUDGED_MISTAKE]);
        json_count(&out, "blunders", (uint64_t)total->counts[JUDGED_BLUNDER]);
        json_close(&out, '}');
    }
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}

static void append_report(buffer *out, const annotator *work, const player_total totals[2], size_t columns) {
    const reviewed_game *game = &work->game;
    size_t white, black;
    const char *white_name = game_tag_value(game, "White", &white);
    const char *black_name = game_tag_value(game, "Black", &black);
    buffer_printf(out, "%sGame %" PRIu64 ": ", work->annotated > 0 ? "\n" : "", work->number);
    buffer_append_readable(out, white_name, white < 40 ? white : 40);
    buffer_append_text(out, " - ");
    buffer_append_readable(out, black_name, black < 40 ? black : 40);
    buffer_printf(out, ", %s\n\n", luft_result_string(luft_pgn_game_result(game->tree)));
    graph_append(out, game, work->evaluations, columns);
    buffer_append_text(out, "\n");
    summary_append(out, game, totals);
}

/* Writes the game, and its report where the output leaves room for it. */
static bool write_game(annotator *work) {
    const analyse_settings *settings = work->settings;
    const bool has_file = work->output.file != stdout;
    player_total totals[2];
    judge_game(work, totals);
    if (settings->json) {
        append_json_total(&work->text, work, totals);
        if (!analyse_print(&work->text)) {
            return false;
        }
    }
    if (has_file || !settings->json) {
        game_write(&work->text, &work->game);
        if (!output_write(ANALYSE_NAME, work->output.file, &work->text)) {
            return false;
        }
    }
    if (!settings->json && (has_file || isatty(STDERR_FILENO))) {
        append_report(&work->text, work, totals, analyse_columns(has_file ? STDOUT_FILENO : STDERR_FILENO));
        return output_write(ANALYSE_NAME, has_file ? stdout : stderr, &work->text);
    }
    return true;
}

/* Makes room for the evaluations of so many positions. False if out of memory. */
static bool make_room(annotator *work, size_t count) {
    evaluation *evaluations = realloc(work->evaluations, count * sizeof *evaluations);
    if (!evaluations) {
        return false;
    }
    work->evaluations = evaluations;
    luft_move *moves = realloc(work->moves, count * sizeof *moves);
    if (!moves) {
        return false;
    }
    work->moves = moves;
    return true;
}

/* --- What would be lost ------------------------------------------------------------------- */

/*
 * A first reading of a file that is to be replaced. Games are written with everything in them, but the reader skips
 * lines that begin with %, and comments before the first game that do not belong to it.
 */
typedef struct survey {
    input in;
    char last_read;          /* the last byte read */
    char last_in_comment;    /* the last byte of the comment, if more of it follows */
    char first;              /* the first byte of the file that is not a blank; NUL for none */
    uint64_t lines_read;     /* lines that begin with % … */
    uint64_t comment_lines;  /* … and those of them inside comments, which stay */
    bool has_tag_or_moves;   /* of the first game, and … */
    bool has_comment_before; /* … a comment that belongs to it */
    bool has_fault;          /* some game has an error */
} survey;

/* Counts the lines of the text that begin with %. `last` is the byte before the text, and then its last byte. */
static uint64_t count_percent_lines(const char *text, size_t length, char *last) {
    uint64_t count = 0;
    for (const char *at = text; length > 0 && (at = memchr(at, '%', (size_t)(text + length - at))); at++) {
        const char before = at > text ? at[-1] : *last;
        count += before == '\n' || before == '\r';
    }
    *last = length > 0 ? text[length - 1] : *last;
    return count;
}

static size_t survey_read(void *payload, char *bytes, size_t size) {
    survey *seen = payload;
    const size_t length = input_read_pgn(&seen->in, bytes, size);
    if (length != LUFT_PGN_READ_FAILED) {
        seen->lines_read += count_percent_lines(bytes, length, &seen->last_read);
        for (size_t i = 0; i < length && seen->first == '\0'; i++) {
            const bool is_blank = (unsigned char)bytes[i] <= ' ' || strchr("\xef\xbb\xbf\xc2\xa0", bytes[i]);
            seen->first = (char)(is_blank ? '\0' : bytes[i]);
        }
    }
    return length;
}

static luft_pgn_action survey_tag(void *payload, const char *name, size_t name_length, const char *value,
                                  size_t value_length) {
    (void)name, (void)name_length, (void)value, (void)value_length;
    ((survey *)payload)->has_tag_or_moves = true;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action survey_moves_start(void *payload, const luft_position *start) {
    (void)start;
    ((survey *)payload)->has_tag_or_moves = true;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action survey_comment(void *payload, const char *text, size_t length, bool more) {
    survey *seen = payload;
    seen->has_comment_before |= !seen->has_tag_or_moves;
    seen->comment_lines += count_percent_lines(text, length, &seen->last_in_comment);
    seen->last_in_comment = (char)(more ? seen->last_in_comment : '\0');
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action survey_error(void *payload, const luft_pgn_error *error) {
    (void)error;
    ((survey *)payload)->has_fault = true;
    return LUFT_PGN_STOP;
}

/*
 * Would such lines be lost if the games replaced the file? A file with errors is refused later, after they are
 * reported.
 */
static bool loses_lines(const char *path) {
    static const luft_pgn_visitor visitor = {
        .tag = survey_tag, .moves_start = survey_moves_start, .comment = survey_comment, .error = survey_error};
    survey seen = {.last_read = '\n'};
    luft_pgn_reader *reader = NULL;
    const bool is_stdin = strcmp(path, "-") == 0;
    const off_t start = is_stdin ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0; /* a regular file, as run has checked */
    bool is_read = false;
    if (input_open(&seen.in, path) == INPUT_READ && luft_pgn_reader_create(&reader, survey_read, &seen) == LUFT_OK) {
        is_read = luft_pgn_read_all(reader, &visitor, &seen) == LUFT_OK;
    }
    luft_pgn_reader_free(reader);
    input_close(&seen.in);
    if (is_stdin) {
        lseek(STDIN_FILENO, start, SEEK_SET);
    }
    const bool loses_comment = (seen.first == '{' || seen.first == ';') && !seen.has_comment_before;
    return is_read && !seen.has_fault && (seen.lines_read > seen.comment_lines || loses_comment);
}

/* --- The games of a file ------------------------------------------------------------------ */

static bool leave_out(annotator *work) {
    output_error(ANALYSE_NAME, "game %" PRIu64 " is left out: it is too long", work->number);
    work->faults++;
    return true;
}

/* Reports the error that cut the game, if there is one. False if out of memory. */
static bool report_fault(annotator *work) {
    const luft_pgn_error *error = luft_pgn_game_error(work->game.tree);
    if (!error) {
        return true;
    }
    const pgn_fault fault = pgn_fault_of(error);
    work->faults++;
    return pgn_fault_print(work->path, &fault);
}

/* Evaluates and writes the game that was read. False to stop. */
static bool annotate(annotator *work) {
    reviewed_game *game = &work->game;
    if (!game->tree) {
        return leave_out(work);
    }
    if (!report_fault(work)) {
        output_error(ANALYSE_NAME, "out of memory");
        return false;
    }
    if (luft_pgn_game_node_count(game->tree) == 0) {
        return true; /* its tags set up no position, as reported above */
    }
    if (!make_room(work, game->plies + 1)) {
        output_error(ANALYSE_NAME, "out of memory");
        return false;
    }
    if (!evaluate_game(work)) {
        output_error(ANALYSE_NAME,
                     atomic_load(&work->interrupt.interrupted) ? "interrupted in game %" PRIu64
                                                               : "cannot start the search in game %" PRIu64,
                     work->number);
        return false;
    }
    const luft_error error = game_annotate(game, work->evaluations);
    if (error == LUFT_ERROR_OVERFLOW) {
        return leave_out(work);
    }
    if (error != LUFT_OK) {
        output_error(ANALYSE_NAME, "out of memory");
        return false;
    }
    const bool written = write_game(work);
    work->annotated++;
    return written;
}

/* Reads the games and annotates those asked for. Returns an exit status. */
static int annotate_all(annotator *work) {
    const uint64_t wanted = work->settings->game;
    char quoted[TEXT_QUOTED_SIZE];
    luft_error error = LUFT_OK;
    while (wanted == 0 || work->number < wanted) {
        error = game_read(&work->game, work->reader);
        if (error != LUFT_OK) {
            break;
        }
        work->number++;
        if ((wanted == 0 || work->number == wanted) && !annotate(work)) {
            return STATUS_FAILED;
        }
    }
    if (error == LUFT_ERROR_MEMORY) {
        output_error(ANALYSE_NAME, "out of memory");
        return STATUS_FAILED;
    }
    if (error != LUFT_OK && error != LUFT_ERROR_END) {
        output_error(ANALYSE_NAME, "cannot read %s: %s", text_quote(quoted, work->path, strlen(work->path)),
                     work->in.reason);
        return work->in.last == INPUT_NOT_USABLE ? STATUS_USAGE : STATUS_FAILED;
    }
    if (wanted > 0 && work->number < wanted) {
        output_error(ANALYSE_NAME, "--game: there is no game %" PRIu64 ", only %" PRIu64, wanted, work->number);
        return STATUS_USAGE;
    }
    if (work->number == 0) {
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

static int run(annotator *work) {
    const analyse_settings *settings = work->settings;
    char quoted[TEXT_QUOTED_SIZE];
    if (input_is_among("-", &work->path, 1)) {
        output_error(ANALYSE_NAME, "standard output is also a file to read");
        return STATUS_USAGE;
    }
    work->replaces_input = settings->output && input_is_among(settings->output, &work->path, 1);
    if (work->replaces_input && settings->game > 0) {
        output_error(ANALYSE_NAME, "--output: also the file to read, whose games other than --game would be lost");
        return STATUS_USAGE;
    }
    if (work->replaces_input && loses_lines(work->path)) {
        output_error(ANALYSE_NAME,
                     "--output: not written, because it is also the file to read and lines that begin with %%, or "
                     "comments before the first game, would be lost");
        return STATUS_FAILED;
    }
    if (input_open(&work->in, work->path) != INPUT_READ) {
        output_error(ANALYSE_NAME, "cannot read %s: %s", text_quote(quoted, work->path, strlen(work->path)),
                     work->in.reason);
        return STATUS_USAGE;
    }
    if (work->replaces_input && work->in.compressed) {
        output_error(ANALYSE_NAME,
                     "--output: also the file to read, which is compressed and would be replaced by plain text");
        return STATUS_USAGE;
    }
    work->engine = analyse_create_engine(settings);
    if (!work->engine || !output_file_open(&work->output, settings->output, ANALYSE_NAME)) {
        return STATUS_USAGE;
    }
    if (luft_pgn_reader_create(&work->reader, input_read_pgn, &work->in) != LUFT_OK) {
        output_error(ANALYSE_NAME, "out of memory");
        return STATUS_FAILED;
    }
    thinking_watch(&work->interrupt, &work->engine, 1, work->output.temporary);
    const int status = annotate_all(work);
    thinking_unwatch(&work->interrupt);
    return status;
}

int analyse_games(const analyse_settings *settings, const char *path) {
    annotator *work = calloc(1, sizeof *work);
    if (!work) {
        output_error(ANALYSE_NAME, "out of memory");
        return STATUS_FAILED;
    }
    work->settings = settings;
    work->path = path;
    int status = run(work);
    if (!output_file_close(&work->output, work->is_complete, ANALYSE_NAME)) {
        status = STATUS_FAILED;
    }
    luft_pgn_reader_free(work->reader);
    input_close(&work->in);
    luft_engine_free(work->engine);
    game_free(&work->game);
    free(work->evaluations);
    free(work->moves);
    buffer_free(&work->text);
    free(work);
    return status;
}
