/* SPDX-License-Identifier: MIT */
/*
 * `luft pgn stats`: counts what is in a collection of games. A worker writes a record of each game; merge adds them up in
 * order, so that of two longest games the first is named. The memory grows with the number of different players.
 */
#include "stats.h"

#include "commands.h"
#include "facts.h"
#include "frame.h"

#include "util/output.h"

#include <stdlib.h>
#include <string.h>

#define NAME "luft pgn stats"
#define DEFAULT_TOP 10

static const char about[] =
    "Prints results, lengths, ratings, years, openings and players. Finds openings by the positions of the main\n"
    "line, not by the tags. Needs about 100 bytes of memory for each different player.\n";

typedef struct stats_state {
    pgn_facts facts; /* first, for pgn_facts_visitor */
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
    stats_state *state = ((pgn_worker *)payload)->state;
    state->has_opening = false;
    return pgn_facts_on_game_start(payload, place);
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    stats_state *state = ((pgn_worker *)payload)->state;
    pgn_facts_on_move(payload, before, move, after);
    if (state->facts.plies <= luft_opening_longest() && luft_opening_of_position(&state->opening, after)) {
        state->has_opening = true;
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    pgn_worker *worker = payload;
    stats_state *state = worker->state;
    pgn_facts *facts = &state->facts;
    pgn_facts_on_game_end(payload, result);
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
    buffer_append(&worker->output, &record, sizeof record);
    buffer_append(&worker->output, facts->player[LUFT_WHITE].data, record.white_length);
    buffer_append(&worker->output, facts->player[LUFT_BLACK].data, record.black_length);
    return LUFT_PGN_CONTINUE;
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
    buffer_clear(&game->white);
    buffer_clear(&game->black);
    buffer_append(&game->white, names, record->white_length);
    buffer_append(&game->black, names + record->white_length, record->black_length);
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

/* Skips unknown players. */
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

static int finish(const pgn_job *job, const pgn_totals *totals) {
    stats *sums = job->shared;
    buffer text = {0};
    if (!tally_sort(&sums->players) || !tally_sort(&sums->openings)) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    (sums->as_json ? stats_write_json : stats_write_text)(&text, sums, totals);
    const bool is_complete = !text.failed;
    output_write(NAME, job->output, &text);
    buffer_free(&text);
    return is_complete ? totals->status : STATUS_FAILED;
}

static void free_stats(stats *sums) {
    tally_free(&sums->players);
    tally_free(&sums->openings);
    buffer_free(&sums->longest.white);
    buffer_free(&sums->longest.black);
    buffer_free(&sums->shortest.white);
    buffer_free(&sums->shortest.black);
    free(sums);
}

int pgn_stats(int argc, char **argv) {
    stats *sums = calloc(1, sizeof *sums);
    if (!sums) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    sums->top = DEFAULT_TOP;
    const option options[] = {
        option_number("top", "N", "list the N most frequent openings and players (default 10)", &sums->top, 0, 1000000),
        option_flag("json", "print one JSON object", &sums->as_json),
    };
    const pgn_frame frame = {.about = about, .options = options, .option_count = 2, .finish = finish};
    pgn_job job = {.command = NAME,
                   .visitor = pgn_facts_visitor(),
                   .merge = merge,
                   .state_size = sizeof(stats_state),
                   .free_state = pgn_facts_free_state,
                   .shared = sums};
    job.visitor.game_start = on_game_start;
    job.visitor.move = on_move;
    job.visitor.game_end = on_game_end;
    const int status = pgn_frame_run(&frame, &job, argc, argv);
    free_stats(sums);
    return status;
}
