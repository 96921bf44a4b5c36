/* SPDX-License-Identifier: MIT */
/*
 * `luft pgn convert`: writes games in other forms: PGN in export format, by the writer of the library; UCI moves, one game
 * a line; positions as EPD or FEN, one a line.
 *
 * The result of a game is known at its end, but the tags, which come first, must say it too. So the moves are kept until
 * the end, up to a limit.
 */
#include "commands.h"
#include "facts.h"
#include "frame.h"

#include "util/output.h"
#include "util/setup.h"

#include <stdlib.h>
#include <string.h>

#define NAME "luft pgn convert"
#define MOVES_MAX ((size_t)1 << 20)    /* bytes of moves that are kept until the result */
#define GAME_MAX ((size_t)4 << 20)     /* bytes of a game kept until it ends; more than pgn_spill keeps */
#define COMMENT_MAX ((size_t)64 << 10) /* a longer comment is split */
#define TAGS_MAX 4096                  /* of a game; one with more is left out … */
#define TAG_TEXT_MAX ((size_t)1 << 20) /* … and so is one with more bytes of tags */

static const char about[] =
    "Writes games in another form. Cuts a game at its first error, and reports the error as luft pgn check does.\n"
    "  pgn   export format: the seven tags first, moves in the shortest SAN, lines of 80 columns\n"
    "  uci   one line for each game: e2e4 e7e5; after \"fen FEN moves\" if it has another start position\n"
    "  epd   one line for each position: its four fields\n"
    "  fen   one line for each position: the four fields and both counters\n";

typedef enum format { FORMAT_PGN, FORMAT_UCI, FORMAT_EPD, FORMAT_FEN } format;

static const char *const format_names[] = {"pgn", "uci", "epd", "fen", NULL};

typedef enum which { WHICH_ALL, WHICH_LAST } which;

static const char *const which_names[] = {"all", "last", NULL};

typedef struct convert_options {
    int format;
    int positions; /* a `which`, for EPD and FEN */
    bool no_comments;
    bool no_variations;
    bool no_nags;
    bool no_errors;
    bool ep_always; /* the en passant square after every double push, for EPD and FEN */
} convert_options;

/* A tag, as offsets in a buffer that may move. */
typedef struct tag_span {
    size_t name;
    size_t name_length;
    size_t value;
    size_t value_length;
} tag_span;

typedef struct convert_state {
    size_t output_start; /* where the game begins in the worker's output */
    bool is_partly_gone; /* its beginning was merged */
    bool has_error;
    /* For PGN. */
    buffer tag_text;
    tag_span *tags; /* TAGS_MAX */
    size_t tag_count;
    bool has_result_tag;    /* the first counts, as for the writer */
    luft_result tag_result; /* LUFT_RESULT_NONE if the tag is missing or not a result */
    bool is_left_out;       /* its tags are beyond the limits */
    bool tags_written;
    luft_pgn_writer writer; /* of the moves */
    size_t depth;           /* variations that are open */
    buffer moves;
    buffer comment; /* its parts so far */
    /* For the others. */
    luft_castling_style style;
    bool line_begun; /* the next move has a blank before it */
    bool has_position;
    luft_position position;  /* the last one */
    luft_square ep_square;   /* to be written with it */
    luft_position tag_start; /* that of the tag FEN, if it was read */
    luft_square tag_ep;      /* the en passant square that the tag names */
} convert_state;

static const convert_options *options_of(const pgn_worker *worker) {
    return worker->job->shared;
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    (void)error;
    pgn_worker *worker = payload;
    ((convert_state *)worker->state)->has_error = true;
    return LUFT_PGN_CONTINUE;
}

static void start_game(pgn_worker *worker) {
    convert_state *state = worker->state;
    state->output_start = worker->output.length;
    state->is_partly_gone = false;
    state->has_error = false;
}

/* Removes the output of a game with an error if the user wants that. A game that is partly merged stays. */
static void end_game(pgn_worker *worker) {
    const convert_state *state = worker->state;
    if (state->has_error && options_of(worker)->no_errors && !state->is_partly_gone) {
        worker->output.length = state->output_start;
    }
}

/* Merges in the middle of a game only if the game is very long; between games the frame does it. */
static void spill(pgn_worker *worker) {
    convert_state *state = worker->state;
    if (worker->output.length - state->output_start > GAME_MAX) {
        pgn_spill(worker);
        state->output_start = 0;
        state->is_partly_gone = true;
    }
}

static luft_pgn_action skip_variation(void *payload, const luft_position *before) {
    (void)payload, (void)before;
    return LUFT_PGN_SKIP_VARIATION;
}

/* --- PGN ------------------------------------------------------------------- */

static bool append(void *payload, const char *text, size_t length) {
    buffer *out = payload;
    buffer_append(out, text, length);
    return !out->failed;
}

static luft_pgn_action pgn_game_start(void *payload, const luft_pgn_place *place) {
    (void)place;
    pgn_worker *worker = payload;
    convert_state *state = worker->state;
    if (!state->tags) {
        state->tags = malloc(TAGS_MAX * sizeof *state->tags);
        if (!state->tags) {
            worker->output.failed = true;
            return LUFT_PGN_STOP;
        }
    }
    start_game(worker);
    state->tag_count = 0;
    state->has_result_tag = false;
    state->tag_result = LUFT_RESULT_NONE;
    state->is_left_out = false;
    state->tags_written = false;
    state->depth = 0;
    buffer_clear(&state->tag_text);
    buffer_clear(&state->moves);
    buffer_clear(&state->comment);
    luft_pgn_writer_init(&state->writer, append, &state->moves);
    return LUFT_PGN_CONTINUE;
}

static bool is_result_tag(const char *name, size_t length) {
    return length == 6 && memcmp(name, "Result", 6) == 0;
}

static luft_pgn_action pgn_tag(void *payload, const char *name, size_t name_length, const char *value,
                               size_t value_length) {
    pgn_worker *worker = payload;
    convert_state *state = worker->state;
    buffer *text = &state->tag_text;
    if (state->tag_count == TAGS_MAX || text->length + name_length + value_length > TAG_TEXT_MAX) {
        pgn_leave_out(worker, state->tag_count == TAGS_MAX ? "the game is left out: it has more than 4,096 tags"
                                                           : "the game is left out: its tags are longer than 1 MiB");
        state->is_left_out = true; /* without its FEN tag it would be another game */
        return LUFT_PGN_SKIP_GAME;
    }
    if (is_result_tag(name, name_length) && !state->has_result_tag) {
        state->has_result_tag = true;
        pgn_read_result(&state->tag_result, value, value_length);
    }
    state->tags[state->tag_count++] = (tag_span){text->length, name_length, text->length + name_length, value_length};
    buffer_append(text, name, name_length);
    buffer_append(text, value, value_length);
    return LUFT_PGN_CONTINUE;
}

/* Writes the tags, with this result if they have no other. */
static void write_tags(pgn_worker *worker, luft_result result) {
    convert_state *state = worker->state;
    const char *result_text = luft_result_string(result);
    luft_pgn_tag *tags = malloc((state->tag_count + 1) * sizeof *tags);
    if (!tags || state->tag_text.failed) {
        worker->output.failed = true;
        free(tags);
        return;
    }
    size_t count = 0;
    bool has_result = false;
    for (size_t i = 0; i < state->tag_count; i++) {
        const tag_span *span = &state->tags[i];
        const char *text = state->tag_text.data;
        luft_pgn_tag tag = {text + span->name, text + span->value, span->name_length, span->value_length};
        if (!has_result && is_result_tag(tag.name, tag.name_length)) {
            has_result = true;
            if (state->tag_result == LUFT_RESULT_NONE || state->tag_result == LUFT_RESULT_UNKNOWN) {
                tag.value = result_text;
                tag.value_length = strlen(result_text);
            }
        }
        tags[count++] = tag;
    }
    if (!has_result) {
        tags[count++] = (luft_pgn_tag){"Result", result_text, 6, strlen(result_text)};
    }
    luft_pgn_writer writer;
    luft_pgn_writer_init(&writer, append, &worker->output);
    luft_pgn_write_tags(&writer, tags, count);
    free(tags);
    state->tags_written = true;
}

static void move_moves_to_output(pgn_worker *worker, luft_result result) {
    convert_state *state = worker->state;
    if (!state->tags_written) {
        write_tags(worker, result);
    }
    worker->output.failed |= state->moves.failed;
    buffer_append(&worker->output, state->moves.data, state->moves.length);
    buffer_clear(&state->moves);
}

/* A game may be longer than memory. */
static void spill_moves(pgn_worker *worker) {
    convert_state *state = worker->state;
    if (state->moves.length > MOVES_MAX) {
        move_moves_to_output(worker, state->tag_result);
        spill(worker);
    }
}

static luft_pgn_action pgn_move(void *payload, const luft_position *before, luft_move move,
                                const luft_position *after) {
    (void)after;
    pgn_worker *worker = payload;
    convert_state *state = worker->state;
    luft_pgn_write_move(&state->writer, before, move);
    spill_moves(worker);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action pgn_nag(void *payload, int nag) {
    pgn_worker *worker = payload;
    luft_pgn_write_nag(&((convert_state *)worker->state)->writer, nag);
    spill_moves(worker);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action pgn_comment(void *payload, const char *text, size_t length, bool more) {
    pgn_worker *worker = payload;
    convert_state *state = worker->state;
    buffer_append(&state->comment, text, length);
    if (!more || state->comment.length > COMMENT_MAX) {
        luft_pgn_write_comment(&state->writer, state->comment.data, state->comment.length);
        buffer_clear(&state->comment);
        worker->output.failed |= state->comment.failed;
        spill_moves(worker);
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action pgn_variation_start(void *payload, const luft_position *before) {
    (void)before;
    pgn_worker *worker = payload;
    convert_state *state = worker->state;
    luft_pgn_write_variation_start(&state->writer);
    state->depth++;
    spill_moves(worker);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action pgn_variation_end(void *payload) {
    pgn_worker *worker = payload;
    convert_state *state = worker->state;
    luft_pgn_write_variation_end(&state->writer);
    state->depth--;
    spill_moves(worker);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action pgn_game_end(void *payload, luft_result result) {
    pgn_worker *worker = payload;
    convert_state *state = worker->state;
    if (state->is_left_out) {
        return LUFT_PGN_CONTINUE; /* nothing of it was written */
    }
    const bool open = result == LUFT_RESULT_NONE || result == LUFT_RESULT_UNKNOWN;
    const luft_result shown = open && state->tag_result != LUFT_RESULT_NONE ? state->tag_result : result;
    for (; state->depth > 0; state->depth--) {
        luft_pgn_write_variation_end(&state->writer); /* an error has cut the game inside it */
    }
    luft_pgn_write_result(&state->writer, shown);
    move_moves_to_output(worker, shown);
    end_game(worker);
    return LUFT_PGN_CONTINUE;
}

/* --- UCI ------------------------------------------------------------------- */

static luft_pgn_action line_game_start(void *payload, const luft_pgn_place *place) {
    (void)place;
    pgn_worker *worker = payload;
    convert_state *state = worker->state;
    start_game(worker);
    state->line_begun = false;
    state->has_position = false;
    state->tag_start = (luft_position){0};
    state->tag_ep = LUFT_NO_SQUARE;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action uci_moves_start(void *payload, const luft_position *start) {
    pgn_worker *worker = payload;
    convert_state *state = worker->state;
    const luft_position standard = luft_start_position();
    state->style = setup_castling_style(start);
    if (!luft_position_equal(start, &standard)) {
        char fen[LUFT_FEN_SIZE] = "";
        luft_position_to_fen(fen, sizeof fen, start, LUFT_FEN_STANDARD);
        buffer_printf(&worker->output, "fen %s moves", fen);
        state->line_begun = true;
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action uci_move(void *payload, const luft_position *before, luft_move move,
                                const luft_position *after) {
    (void)before, (void)after;
    pgn_worker *worker = payload;
    convert_state *state = worker->state;
    char *end = buffer_reserve(&worker->output, LUFT_UCI_MOVE_SIZE + 1);
    if (end) {
        const size_t blank = state->line_begun;
        end[0] = ' ';
        state->line_begun = true;
        worker->output.length += blank + luft_move_to_uci(end + blank, LUFT_UCI_MOVE_SIZE, move, state->style);
        spill(worker);
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action uci_game_end(void *payload, luft_result result) {
    (void)result;
    pgn_worker *worker = payload;
    buffer_append_text(&worker->output, "\n");
    end_game(worker);
    return LUFT_PGN_CONTINUE;
}

/* --- EPD and FEN ----------------------------------------------------------- */

static void write_position(pgn_worker *worker, const luft_position *position, luft_square ep_square) {
    char *end = buffer_reserve(&worker->output, LUFT_FEN_SIZE + 1);
    if (end) {
        size_t length = options_of(worker)->format == FORMAT_FEN
                            ? luft_position_to_fen_with_ep(end, LUFT_FEN_SIZE, position, LUFT_FEN_STANDARD, ep_square)
                            : luft_position_to_epd_with_ep(end, LUFT_FEN_SIZE, position, LUFT_FEN_STANDARD, ep_square);
        end[length++] = '\n';
        worker->output.length += length;
        spill(worker);
    }
}

static luft_pgn_action take_position(pgn_worker *worker, const luft_position *position, luft_square ep_square) {
    convert_state *state = worker->state;
    ep_square = options_of(worker)->ep_always ? ep_square : LUFT_NO_SQUARE;
    if (options_of(worker)->positions == WHICH_ALL) {
        write_position(worker, position, ep_square);
    } else {
        state->position = *position;
        state->ep_square = ep_square;
        state->has_position = true;
    }
    return LUFT_PGN_CONTINUE;
}

/* Keeps the en passant square of the tag FEN, which the position that the reader makes of it may not hold. */
static luft_pgn_action position_tag(void *payload, const char *name, size_t name_length, const char *value,
                                    size_t value_length) {
    convert_state *state = ((pgn_worker *)payload)->state;
    luft_fen_report report;
    if (name_length == 3 && memcmp(name, "FEN", 3) == 0 &&
        luft_position_from_fen(&state->tag_start, value, value_length, &report) == LUFT_OK) {
        state->tag_ep = report.ep_square;
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action position_moves_start(void *payload, const luft_position *start) {
    const convert_state *state = ((pgn_worker *)payload)->state;
    /* Of several such tags the reader may have taken another. */
    const bool is_of_tag = luft_position_equal(start, &state->tag_start);
    return take_position(payload, start, is_of_tag ? state->tag_ep : LUFT_NO_SQUARE);
}

static luft_pgn_action position_move(void *payload, const luft_position *before, luft_move move,
                                     const luft_position *after) {
    (void)before;
    return take_position(payload, after, luft_move_ep_square(move));
}

static luft_pgn_action position_game_end(void *payload, luft_result result) {
    (void)result;
    pgn_worker *worker = payload;
    const convert_state *state = worker->state;
    if (state->has_position) {
        write_position(worker, &state->position, state->ep_square);
    }
    end_game(worker);
    return LUFT_PGN_CONTINUE;
}

/* --- The command ----------------------------------------------------------- */

static void free_state(void *memory) {
    convert_state *state = memory;
    free(state->tags);
    buffer_free(&state->tag_text);
    buffer_free(&state->moves);
    buffer_free(&state->comment);
}

static luft_pgn_visitor make_visitor(const convert_options *options) {
    luft_pgn_visitor visitor = {.game_start = line_game_start, .error = on_error, .variation_start = skip_variation};
    switch ((format)options->format) {
    case FORMAT_PGN:
        visitor.game_start = pgn_game_start;
        visitor.tag = pgn_tag;
        visitor.move = pgn_move;
        visitor.nag = options->no_nags ? NULL : pgn_nag;
        visitor.comment = options->no_comments ? NULL : pgn_comment;
        visitor.variation_start = options->no_variations ? skip_variation : pgn_variation_start;
        visitor.variation_end = options->no_variations ? NULL : pgn_variation_end;
        visitor.game_end = pgn_game_end;
        break;
    case FORMAT_UCI:
        visitor.moves_start = uci_moves_start;
        visitor.move = uci_move;
        visitor.game_end = uci_game_end;
        break;
    case FORMAT_EPD:
    case FORMAT_FEN:
        visitor.tag = options->ep_always ? position_tag : NULL;
        visitor.moves_start = position_moves_start;
        visitor.move = position_move;
        visitor.game_end = position_game_end;
        break;
    }
    return visitor;
}

/* Prints an error line if an option has no effect on the form. */
static bool check_options(const convert_options *options) {
    const bool is_pgn = options->format == FORMAT_PGN;
    const bool has_positions = options->format == FORMAT_EPD || options->format == FORMAT_FEN;
    if (!has_positions && (options->positions >= 0 || options->ep_always)) {
        output_error(NAME, "--positions and --ep-always: only with --to epd and --to fen");
        return false;
    }
    if (!is_pgn && (options->no_comments || options->no_variations || options->no_nags)) {
        output_error(NAME, "--no-comments, --no-variations and --no-nags: only with --to pgn");
        return false;
    }
    return true;
}

static bool prepare(pgn_job *job) {
    convert_options *options = job->shared;
    if (!check_options(options)) {
        return false;
    }
    options->positions = options->positions < 0 ? WHICH_ALL : options->positions;
    job->visitor = make_visitor(options);
    return true;
}

static int finish(const pgn_job *job, const pgn_totals *totals) {
    (void)job;
    return totals->status == STATUS_OK && totals->errors > 0 ? STATUS_FAILED : totals->status;
}

int pgn_convert(int argc, char **argv) {
    convert_options chosen = {.format = FORMAT_PGN, .positions = -1}; /* -1: not given */
    const option options[] = {
        {.name = "to",
         .value = "FORM",
         .help = "write pgn (default), uci, epd or fen",
         .choice = &chosen.format,
         .choices = format_names},
        {.name = "positions",
         .value = "WHICH",
         .help = "with epd and fen: write all positions of each game (default) or the last",
         .choice = &chosen.positions,
         .choices = which_names},
        {.name = "ep-always",
         .help = "with epd and fen: write the en passant square after every double push",
         .flag = &chosen.ep_always},
        {.name = "no-comments", .help = "with pgn: leave out comments", .flag = &chosen.no_comments},
        {.name = "no-variations", .help = "with pgn: leave out variations", .flag = &chosen.no_variations},
        {.name = "no-nags", .help = "with pgn: leave out $1, ! and the like", .flag = &chosen.no_nags},
        {.name = "no-errors", .help = "leave out games with errors", .flag = &chosen.no_errors},
    };
    const pgn_frame frame = {.about = about,
                             .options = options,
                             .option_count = sizeof options / sizeof options[0],
                             .prepare = prepare,
                             .finish = finish};
    pgn_job job = {.command = NAME,
                   .fault = pgn_print_fault,
                   .state_size = sizeof(convert_state),
                   .free_state = free_state,
                   .shared = &chosen};
    return pgn_frame_run(&frame, &job, argc, argv);
}
