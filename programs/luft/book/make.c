/* SPDX-License-Identifier: MIT */
/*
 * `luft book make`: makes a book from games. Workers turn the first moves of each game into observations: this move was
 * played here, and the side that made it won, drew or lost. Merge adds them up in bounded memory (util/counts.h). At the end
 * the counts of each position become weights.
 */
#include "commands.h"
#include "common.h"

#include "pgn/facts.h"
#include "pgn/frame.h"

#include "util/counts.h"
#include "util/output.h"

#include <inttypes.h>
#include <string.h>

#define NAME "luft book make"

static const char about[] =
    "Makes an opening book in the Polyglot format from the games of PGN files. The weight of a move is by default\n"
    "2 for each win and 1 for each draw of the side that made it. Skips games without a result, and variations.\n";

/* What the weight of a move is; the order of the names. */
enum { WEIGHT_SCORE, WEIGHT_WINS, WEIGHT_GAMES, WEIGHT_EQUAL };
static const char *const weight_names[] = {"score", "wins", "games", "equal", NULL};

/* Whose moves count; the order of the names. */
enum { COLOR_WHITE, COLOR_BLACK, COLOR_BOTH };
static const char *const color_names[] = {"white", "black", "both", NULL};

#define NOT_GIVEN UINT64_MAX

typedef struct make {
    uint64_t max_ply;
    uint64_t min_games;
    uint64_t min_score; /* in percent */
    uint64_t elo_min, elo_max;
    uint64_t memory_mb;
    const char *player;
    int weights;
    int color;

    counts counted;
    luft_book_writer writer;
    book_group group;   /* of the position that is being written */
    uint64_t used;      /* games of which a move was counted */
    uint64_t positions; /* written, and their … */
    uint64_t entries;
    luft_error error; /* of the writer */
} make;

typedef struct make_state {
    pgn_facts facts;     /* first, for pgn_facts_visitor */
    bool counts[2];      /* do the moves of this colour count? */
    luft_square ep;      /* that the last move passed over */
    size_t observations; /* where those of the game begin in the output */
} make_state;

/* A move of a game, in the output of a worker. */
typedef struct observation {
    uint64_t key;
    uint16_t move;
    uint8_t color;  /* that made it */
    uint8_t result; /* COUNT_LOST …, when the game is over */
    bool is_first;  /* of its game */
} observation;

/* --- Visiting games -------------------------------------------------------------- */

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    pgn_worker *worker = payload;
    make_state *state = worker->state;
    state->ep = LUFT_NO_SQUARE;
    state->observations = worker->output.length;
    return pgn_facts_on_game_start(payload, place);
}

/* Do the moves of this side count, by its colour, name and rating? */
static bool side_counts(const make *shared, const pgn_facts *facts, luft_color color) {
    const uint64_t elo = (uint64_t)facts->elo[color];
    return (shared->color == COLOR_BOTH || shared->color == (int)color) &&
           (!shared->player || pgn_name_contains(&facts->player[color], shared->player)) &&
           (shared->elo_min == NOT_GIVEN || (elo != 0 && elo >= shared->elo_min)) &&
           (shared->elo_max == NOT_GIVEN || (elo != 0 && elo <= shared->elo_max));
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *start) {
    (void)start;
    const pgn_worker *worker = payload;
    make_state *state = worker->state;
    state->counts[LUFT_WHITE] = side_counts(worker->job->shared, &state->facts, LUFT_WHITE);
    state->counts[LUFT_BLACK] = side_counts(worker->job->shared, &state->facts, LUFT_BLACK);
    return state->counts[LUFT_WHITE] || state->counts[LUFT_BLACK] ? LUFT_PGN_CONTINUE : LUFT_PGN_SKIP_GAME;
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    pgn_worker *worker = payload;
    const make *shared = worker->job->shared;
    make_state *state = worker->state;
    if (state->counts[before->side_to_move] && move != LUFT_MOVE_NONE) {
        observation seen;
        memset(&seen, 0, sizeof seen);
        seen.key = luft_polyglot_key_with_ep(before, state->ep);
        seen.move = luft_move_to_polyglot(move);
        seen.color = before->side_to_move;
        seen.is_first = worker->output.length == state->observations;
        buffer_append(&worker->output, &seen, sizeof seen);
    }
    state->ep = luft_move_ep_square(move);
    const luft_pgn_action action = pgn_facts_on_move(payload, before, move, after);
    return state->facts.plies >= shared->max_ply ? LUFT_PGN_SKIP_GAME : action;
}

/* The result as this side sees it. */
static uint8_t result_of(luft_result result, uint8_t color) {
    if (result == LUFT_RESULT_DRAW) {
        return COUNT_DRAWN;
    }
    return (result == LUFT_RESULT_WHITE) == (color == LUFT_WHITE) ? COUNT_WON : COUNT_LOST;
}

static luft_pgn_action on_game_end(void *payload, luft_result marker) {
    pgn_worker *worker = payload;
    const make_state *state = worker->state;
    buffer *output = &worker->output;
    const luft_pgn_action action = pgn_facts_on_game_end(payload, marker);
    const luft_result result = state->facts.result;
    if (result != LUFT_RESULT_WHITE && result != LUFT_RESULT_BLACK && result != LUFT_RESULT_DRAW) {
        output->length = state->observations;
        return action;
    }
    for (size_t at = state->observations; at + sizeof(observation) <= output->length; at += sizeof(observation)) {
        observation seen;
        memcpy(&seen, output->data + at, sizeof seen);
        seen.result = result_of(result, seen.color);
        memcpy(output->data + at, &seen, sizeof seen);
    }
    return action;
}

static bool merge(pgn_worker *worker) {
    make *shared = worker->job->shared;
    for (size_t at = 0; at < worker->output.length; at += sizeof(observation)) {
        observation seen;
        memcpy(&seen, worker->output.data + at, sizeof seen);
        shared->used += seen.is_first;
        if (!counts_add(&shared->counted, seen.key, seen.move, seen.result)) {
            output_error(NAME, "%s", shared->counted.reason);
            return false;
        }
    }
    return true;
}

/* --- Writing the book ---------------------------------------------------------------- */

static uint64_t weight_of(const make *shared, const count_record *record) {
    const uint64_t won = record->games[COUNT_WON], drawn = record->games[COUNT_DRAWN];
    switch (shared->weights) {
    case WEIGHT_SCORE: return 2 * won + drawn;
    case WEIGHT_WINS: return won;
    case WEIGHT_GAMES: return won + drawn + record->games[COUNT_LOST];
    default: return 1;
    }
}

static void write_group(make *shared) {
    shared->positions += shared->group.count > 0;
    shared->entries += (uint64_t)shared->group.count;
    shared->error = shared->error != LUFT_OK ? shared->error : book_group_write(&shared->group, &shared->writer);
}

static bool visit_record(void *payload, const count_record *record) {
    make *shared = payload;
    const uint64_t games = (uint64_t)record->games[COUNT_WON] + record->games[COUNT_DRAWN] + record->games[COUNT_LOST];
    const uint64_t score = 2 * (uint64_t)record->games[COUNT_WON] + record->games[COUNT_DRAWN];
    const uint64_t weight = weight_of(shared, record);
    if (record->key != shared->group.key) {
        write_group(shared);
        shared->group.key = record->key;
    }
    if (games >= shared->min_games && 100 * score >= 2 * games * shared->min_score && weight > 0) {
        book_group_add(&shared->group, record->move, weight, 0);
    }
    return shared->error == LUFT_OK;
}

static int finish(const pgn_job *job, const pgn_totals *totals) {
    make *shared = job->shared;
    if (totals->gave_up || totals->status != STATUS_OK) {
        return totals->status;
    }
    luft_book_writer_init(&shared->writer, book_write_stream, job->output);
    if (!counts_visit(&shared->counted, visit_record, shared)) {
        output_error(NAME, "%s", shared->counted.reason);
        return STATUS_FAILED;
    }
    write_group(shared);
    if (shared->entries == 0) {
        output_error(NAME, "no move was played in %" PRIu64 " games or more (%" PRIu64 " games read, %" PRIu64 " used)",
                     shared->min_games, totals->games, shared->used);
        return STATUS_FAILED;
    }
    if (!job->quiet) {
        fprintf(stderr,
                "%" PRIu64 " games, %" PRIu64 " used, %" PRIu64 " with errors; %" PRIu64 " positions, %" PRIu64
                " moves\n",
                totals->games, shared->used, totals->errors, shared->positions, shared->entries);
    }
    return shared->error == LUFT_OK ? STATUS_OK : STATUS_FAILED;
}

/* --- The command ------------------------------------------------------------------------ */

static bool prepare(pgn_job *job) {
    make *shared = job->shared;
    if (!counts_init(&shared->counted, (size_t)shared->memory_mb << 20, job->output_path)) {
        output_error(NAME, "out of memory");
        return false;
    }
    return true;
}

int book_make(int argc, char **argv) {
    make shared = {.max_ply = 40,
                   .min_games = 3,
                   .elo_min = NOT_GIVEN,
                   .elo_max = NOT_GIVEN,
                   .memory_mb = 256,
                   .color = COLOR_BOTH};
    const option options[] = {
        option_number("max-ply", "N", "count the first N plies (moves of one side) of each game (default 40)",
                      &shared.max_ply, 1, 65535),
        option_number("min-games", "N", "leave out moves of fewer than N games (default 3)", &shared.min_games, 1,
                      UINT32_MAX),
        option_number("min-score", "PERCENT", "leave out moves that scored less for the side that made them",
                      &shared.min_score, 0, 100),
        option_choice("weights", "KIND",
                      "score: 2 for a win, 1 for a draw (default); wins; games; or equal: 1 for each move",
                      &shared.weights, weight_names),
        option_choice("color", "COLOR", "count the moves of white, of black, or of both (default)", &shared.color,
                      color_names),
        option_text("player", "NAME", "count only the moves of players whose name contains NAME", &shared.player),
        option_number("elo-min", "N", "count only the moves of players rated N or more", &shared.elo_min, 0, 9999),
        option_number("elo-max", "N", "count only the moves of players rated N or less", &shared.elo_max, 0, 9999),
        option_number("memory", "MB", "count in MB megabytes (default 256); what exceeds them goes to temporary files",
                      &shared.memory_mb, 16, 65536),
    };
    const pgn_frame frame = {.about = about,
                             .options = options,
                             .option_count = sizeof options / sizeof options[0],
                             .makes_file = true,
                             .prepare = prepare,
                             .finish = finish};
    pgn_job job = {.command = NAME,
                   .visitor = pgn_facts_visitor(),
                   .merge = merge,
                   .state_size = sizeof(make_state),
                   .free_state = pgn_facts_free_state,
                   .shared = &shared};
    job.visitor.game_start = on_game_start;
    job.visitor.moves_start = on_moves_start;
    job.visitor.move = on_move;
    job.visitor.game_end = on_game_end;
    const int status = pgn_frame_run(&frame, &job, argc, argv);
    counts_free(&shared.counted);
    return status;
}
