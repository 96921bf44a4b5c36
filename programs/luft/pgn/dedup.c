/* SPDX-License-Identifier: MIT */
/*
 * `luft pgn dedup`: leaves out duplicate games. Two games are equal if their start positions and the moves of their main
 * lines are; short games, which different players do repeat, must also have the same players and date. Each worker
 * computes a signature of 128 bits for each game; only merge uses the set of signatures.
 */
#include "commands.h"
#include "facts.h"
#include "frame.h"

#include "util/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft pgn dedup"
#define DEFAULT_SHORT 40

static const char about[] =
    "Writes each game once, unchanged; of equal games, the first. Two games are equal if they begin from the same\n"
    "position and have the same moves in the main line and, if they are short, the same surnames and date.\n"
    "Keeps all games with errors. Needs about 50 bytes of memory for each game kept.\n";

/* Two hashes of a game. */
typedef struct signature {
    uint64_t words[2];
} signature;

typedef struct dedup {
    uint64_t short_plies;
    signature *seen; /* zeros are free; a power of two of them, or none */
    size_t capacity;
    size_t count;
    uint64_t duplicates;
} dedup;

typedef struct dedup_state {
    pgn_facts facts; /* first, for pgn_facts_visitor */
    signature moves;
    bool has_start; /* the tags set up a position */
} dedup_state;

/* Precedes the text of each game in a worker's output. */
typedef struct game_record {
    signature game; /* zeros for a game that is always kept */
    size_t length;  /* of the text that follows */
} game_record;

/* --- Signatures ------------------------------------------------------------ */

static void mix(signature *sum, uint64_t value) {
    sum->words[0] = (sum->words[0] + value + 1) * UINT64_C(0x9e3779b97f4a7c15);
    sum->words[0] ^= sum->words[0] >> 32;
    sum->words[1] = (sum->words[1] ^ value) * UINT64_C(0xd6e8feb86659fd93) + 1;
    sum->words[1] ^= sum->words[1] >> 29;
}

/* The letters before the first comma, point or blank, in lower case. */
static void mix_surname(signature *sum, const buffer *name) {
    for (size_t i = 0; i < name->length && !strchr(" ,.\t", name->data[i]); i++) {
        const char letter = name->data[i];
        mix(sum, (unsigned char)(letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter));
    }
    mix(sum, 256); /* the end: no letter */
}

static signature game_signature(const dedup_state *state, uint64_t short_plies) {
    signature sum = state->moves;
    if (state->facts.has_error || !state->has_start) {
        return (signature){{0, 0}};
    }
    if (state->facts.plies < short_plies) {
        mix_surname(&sum, &state->facts.player[LUFT_WHITE]);
        mix_surname(&sum, &state->facts.player[LUFT_BLACK]);
        for (size_t i = 0; i < state->facts.date_text.length; i++) {
            mix(&sum, (unsigned char)state->facts.date_text.data[i]);
        }
    }
    sum.words[0] |= 1; /* never zeros */
    return sum;
}

/* --- The set --------------------------------------------------------------- */

/* Inserts a signature; false if the set has it already. The set has room. */
static bool insert(signature *seen, size_t capacity, signature game) {
    size_t place = (size_t)game.words[1] & (capacity - 1);
    while (seen[place].words[0] != 0) {
        if (seen[place].words[0] == game.words[0] && seen[place].words[1] == game.words[1]) {
            return false;
        }
        place = (place + 1) & (capacity - 1);
    }
    seen[place] = game;
    return true;
}

/* Grows the set if needed; false if out of memory. */
static bool make_room(dedup *shared) {
    if (shared->count < shared->capacity / 4 * 3) {
        return true;
    }
    const size_t capacity = shared->capacity ? 2 * shared->capacity : 1024;
    signature *seen = calloc(capacity, sizeof *seen);
    if (!seen) {
        return false;
    }
    for (size_t i = 0; i < shared->capacity; i++) {
        if (shared->seen[i].words[0] != 0) {
            insert(seen, capacity, shared->seen[i]);
        }
    }
    free(shared->seen);
    shared->seen = seen;
    shared->capacity = capacity;
    return true;
}

/* Writes the games that are new. */
static bool merge(pgn_worker *worker) {
    dedup *shared = worker->job->shared;
    const char *next = worker->output.data;
    const char *end = next + worker->output.length;
    while (next < end) {
        game_record record;
        memcpy(&record, next, sizeof record);
        next += sizeof record;
        bool is_new = true;
        if (record.game.words[0] != 0) {
            if (!make_room(shared)) {
                output_error(NAME, "out of memory");
                return false;
            }
            is_new = insert(shared->seen, shared->capacity, record.game);
            shared->count += is_new;
            shared->duplicates += !is_new;
        }
        if (is_new && fwrite(next, 1, record.length, worker->job->output) != record.length) {
            return false;
        }
        next += record.length;
    }
    return true;
}

/* --- Visiting -------------------------------------------------------------- */

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    dedup_state *state = ((pgn_worker *)payload)->state;
    state->moves = (signature){{0, 0}};
    state->has_start = false;
    return pgn_facts_on_game_start(payload, place);
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *start) {
    dedup_state *state = ((pgn_worker *)payload)->state;
    state->has_start = true;
    mix(&state->moves, start->key[LUFT_WHITE]);
    mix(&state->moves, (uint64_t)start->key[LUFT_BLACK] ^ start->side_to_move);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    dedup_state *state = ((pgn_worker *)payload)->state;
    mix(&state->moves, move);
    return pgn_facts_on_move(payload, before, move, after);
}

static void on_text(pgn_worker *worker, const char *text, size_t length) {
    const dedup *shared = worker->job->shared;
    const dedup_state *state = worker->state;
    const size_t start = worker->output.length;
    game_record record = {.game = game_signature(state, shared->short_plies)};
    buffer_append(&worker->output, &record, sizeof record);
    pgn_append_game(&worker->output, text, length);
    if (!worker->output.failed) {
        record.length = worker->output.length - start - sizeof record;
        memcpy(worker->output.data + start, &record, sizeof record);
    }
}

/* --- The command ----------------------------------------------------------- */

static int finish(const pgn_job *job, const pgn_totals *totals) {
    const dedup *shared = job->shared;
    if (!job->quiet) {
        fprintf(stderr, "%" PRIu64 " games, %" PRIu64 " duplicates left out\n", totals->games, shared->duplicates);
    }
    return totals->status;
}

int pgn_dedup(int argc, char **argv) {
    dedup shared = {.short_plies = DEFAULT_SHORT};
    const option options[] = {
        option_number("short", "N", "compare players and date too in games of fewer than N plies (default 40)",
                      &shared.short_plies, 0, UINT32_MAX),
    };
    const pgn_frame frame = {.about = about, .options = options, .option_count = 1, .finish = finish};
    pgn_job job = {.command = NAME,
                   .visitor = pgn_facts_visitor(),
                   .text = on_text,
                   .merge = merge,
                   .state_size = sizeof(dedup_state),
                   .free_state = pgn_facts_free_state,
                   .shared = &shared};
    job.visitor.game_start = on_game_start;
    job.visitor.moves_start = on_moves_start;
    job.visitor.move = on_move;
    const int status = pgn_frame_run(&frame, &job, argc, argv);
    free(shared.seen);
    return status;
}
