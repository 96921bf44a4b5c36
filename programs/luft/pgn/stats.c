/* SPDX-License-Identifier: MIT */
/*
 * `luft pgn stats`: what a collection of games consists of. A worker makes a record
 * of each game; merge adds them up, in order, so that of two longest games the first
 * is named. The memory grows with the number of different players.
 */
#include "stats.h"

#include "command.h"
#include "util/output.h"
#include "pgn.h"
#include "facts.h"

#include <stdlib.h>
#include <string.h>

#define NAME "pgn stats"
#define DEFAULT_TOP 10

static const char about[] =
    "Prints results, lengths, ratings, years, openings and players. Openings are found by the positions of the main\n"
    "line, whatever the tags say. Needs memory for each different player, about 100 bytes.\n";

typedef struct stats_state {
    pgn_facts facts;
    luft_opening opening;
    bool has_opening;
} stats_state;

/* One game in a worker's output; both names follow. */
typedef struct game_record {
    uint64_t game;
    size_t white_length;
    size_t black_length;
    const char *opening; /* NULL for none */
    char eco[4];
    int elo[2];
    int date;
    uint32_t plies;
    luft_result result;
    bool has_error;
} game_record;

/* --- Visiting -------------------------------------------------------------- */

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    (void)place;
    stats_state *state = ((pgn_worker *)payload)->state;
    pgn_facts_clear(&state->facts);
    state->has_opening = false;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    pgn_worker *worker = payload;
    stats_state *state = worker->state;
    worker->output.failed |= !pgn_facts_tag(&state->facts, name, name_length, value, value_length);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    (void)before, (void)move;
    stats_state *state = ((pgn_worker *)payload)->state;
    if (++state->facts.plies <= luft_opening_longest() && luft_opening_of_position(&state->opening, after)) {
        state->has_opening = true;
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_variation(void *payload, const luft_position *before) {
    (void)payload, (void)before;
    return LUFT_PGN_SKIP_VARIATION;
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    (void)error;
    stats_state *state = ((pgn_worker *)payload)->state;
    state->facts.has_error = true;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    pgn_worker *worker = payload;
    stats_state *state = worker->state;
    pgn_facts *facts = &state->facts;
    pgn_facts_end(facts, result);
    game_record record;
    memset(&record, 0, sizeof record);
    record.game = worker->game;
    record.white_length = facts->player[LUFT_WHITE].length;
    record.black_length = facts->player[LUFT_BLACK].length;
    record.elo[0] = facts->elo[0];
    record.elo[1] = facts->elo[1];
    record.date = facts->date;
    record.plies = facts->plies;
    record.result = facts->result;
    record.has_error = facts->has_error;
    if (state->has_opening) {
        record.opening = state->opening.name;
        memcpy(record.eco, state->opening.eco, sizeof record.eco);
    }
    bytes_append(&worker->output, &record, sizeof record);
    bytes_append(&worker->output, facts->player[LUFT_WHITE].data, record.white_length);
    bytes_append(&worker->output, facts->player[LUFT_BLACK].data, record.black_length);
    return LUFT_PGN_CONTINUE;
}

static void free_state(void *memory) {
    stats_state *state = memory;
    pgn_facts_free(&state->facts);
}

/* --- Adding up ------------------------------------------------------------- */

static tally_result result_for(luft_result result, luft_color color) {
    switch (result) {
    case LUFT_RESULT_WHITE: return color == LUFT_WHITE ? TALLY_WIN : TALLY_LOSS;
    case LUFT_RESULT_BLACK: return color == LUFT_BLACK ? TALLY_WIN : TALLY_LOSS;
    case LUFT_RESULT_DRAW: return TALLY_DRAW;
    case LUFT_RESULT_NONE:
    case LUFT_RESULT_UNKNOWN: break;
    }
    return TALLY_OPEN;
}

static bool remember_game(stats_game *game, const pgn_worker *worker, const game_record *record, const char *names) {
    game->plies = record->plies;
    game->number = worker->first_game + record->game;
    game->path = worker->path;
    bytes_clear(&game->white);
    bytes_clear(&game->black);
    bytes_append(&game->white, names, record->white_length);
    bytes_append(&game->black, names + record->white_length, record->black_length);
    return !game->white.failed && !game->black.failed;
}

static bool add_length(stats *sums, const pgn_worker *worker, const game_record *record, const char *names) {
    const size_t bin = (record->plies + 1) / 2 / STATS_BIN_MOVES;
    if (record->has_error) {
        sums->with_errors++;
        return true;
    }
    sums->measured++;
    sums->plies += record->plies;
    sums->bins[bin < STATS_BINS ? bin : STATS_BINS - 1]++;
    if (record->plies == 0) {
        sums->without_moves++;
        return true;
    }
    const bool is_longest = sums->longest.number == 0 || record->plies > sums->longest.plies;
    const bool is_shortest = sums->shortest.number == 0 || record->plies < sums->shortest.plies;
    return (!is_longest || remember_game(&sums->longest, worker, record, names)) &&
           (!is_shortest || remember_game(&sums->shortest, worker, record, names));
}

static void add_elo(stats *sums, int elo) {
    if (elo > 0) {
        sums->elo_min = sums->rated == 0 || elo < sums->elo_min ? elo : sums->elo_min;
        sums->elo_max = elo > sums->elo_max ? elo : sums->elo_max;
        sums->elo_sum += (uint64_t)elo;
        sums->rated++;
    }
}

static bool add_opening(stats *sums, const game_record *record) {
    char name[160];
    if (!record->opening) {
        return true;
    }
    const int length = snprintf(name, sizeof name, "%s %s", record->eco, record->opening);
    const size_t kept = (size_t)length < sizeof name ? (size_t)length : sizeof name - 1;
    return tally_add(&sums->openings, name, kept, result_for(record->result, LUFT_WHITE));
}

/* A player of whom nothing is known is no player. */
static bool add_player(stats *sums, const char *name, size_t length, tally_result result) {
    const bool is_known = length > 0 && !(length == 1 && name[0] == '?');
    return !is_known || tally_add(&sums->players, name, length, result);
}

static bool merge(pgn_worker *worker) {
    stats *sums = worker->job->shared;
    const char *next = worker->output.data;
    const char *end = next + worker->output.length;
    while (next < end) {
        game_record record;
        memcpy(&record, next, sizeof record);
        next += sizeof record;
        sums->results[record.result]++;
        add_elo(sums, record.elo[0]);
        add_elo(sums, record.elo[1]);
        sums->years[record.date / 10000]++;
        if (!add_length(sums, worker, &record, next) || !add_opening(sums, &record) ||
            !add_player(sums, next, record.white_length, result_for(record.result, LUFT_WHITE)) ||
            !add_player(sums, next + record.white_length, record.black_length, result_for(record.result, LUFT_BLACK))) {
            output_error(NAME, "out of memory");
            return false;
        }
        next += record.white_length + record.black_length;
    }
    return true;
}

/* --- The command ----------------------------------------------------------- */

static int run_stats(stats *sums, bool json, const pgn_arguments *arguments) {
    pgn_job job;
    if (!pgn_job_start(&job, arguments)) {
        return STATUS_USAGE;
    }
    job.visitor = (luft_pgn_visitor){.game_start = on_game_start,
                                     .tag = on_tag,
                                     .move = on_move,
                                     .variation_start = on_variation,
                                     .error = on_error,
                                     .game_end = on_game_end};
    job.merge = merge;
    job.state_size = sizeof(stats_state);
    job.free_state = free_state;
    job.shared = sums;
    const pgn_totals totals = pgn_work(&job);
    bool good = tally_sort(&sums->players) && tally_sort(&sums->openings);
    good = good && (json ? stats_print_json : stats_print_text)(job.output, sums, &totals);
    if (!good) {
        output_error(NAME, "out of memory");
    }
    return pgn_job_finish(&job, arguments, &totals, good ? totals.status : STATUS_FAILED);
}

static void free_stats(stats *sums) {
    tally_free(&sums->players);
    tally_free(&sums->openings);
    bytes_free(&sums->longest.white);
    bytes_free(&sums->longest.black);
    bytes_free(&sums->shortest.white);
    bytes_free(&sums->shortest.black);
    free(sums);
}

int pgn_stats(int argc, char **argv) {
    stats *sums = calloc(1, sizeof *sums);
    if (!sums) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    sums->top = DEFAULT_TOP;
    bool json = false;
    const option options[] = {
        {.name = "top",
         .value = "N",
         .help = "how many openings and players to name (10)",
         .number = &sums->top,
         .maximum = 1000000},
        {.name = "json", .help = "print one JSON object and nothing else", .flag = &json},
    };
    pgn_arguments arguments;
    int status;
    if (pgn_arguments_read(&arguments, &status, NAME, about, options, sizeof options / sizeof options[0], argc, argv)) {
        status = run_stats(sums, json, &arguments);
    }
    pgn_arguments_free(&arguments);
    free_stats(sums);
    return status;
}
