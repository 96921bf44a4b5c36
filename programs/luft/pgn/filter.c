/* SPDX-License-Identifier: MIT */
/*
 * `luft pgn filter`: writes the games that match, byte for byte. Reads a game only as far as needed: if the tags decide,
 * its moves are skipped.
 */
#include "commands.h"
#include "facts.h"
#include "frame.h"
#include "query.h"

#include "util/date.h"
#include "util/output.h"
#include "util/setup.h"
#include "util/text.h"

#include <inttypes.h>
#include <string.h>

#define NAME "luft pgn filter"
#define NOT_GIVEN UINT64_MAX
#define FIRST_DATE 10000 /* the year 1; a smaller date has no known year */

static const char about[] =
    "Writes the games that match all conditions, unchanged. Names match in part and ignore case. A game without\n"
    "the tag or position of a condition does not match. Only the main line counts.\n";

static const char *const result_names[] = {"1-0", "0-1", "1/2-1/2", "*", NULL};

/* The arguments as given. */
typedef struct filter_arguments {
    const char *player;
    const char *side[2]; /* --white, --black */
    int result;          /* place in result_names; -1 for any */
    const char *eco;
    uint64_t elo_min; /* NOT_GIVEN, and so below */
    uint64_t elo_max;
    const char *date;
    uint64_t ply_min;
    uint64_t ply_max;
    const char *fen;
    const char *material;
    const char *query;
    bool no_errors;
    bool invert;
    bool count;
} filter_arguments;

/* The conditions, ready to be compared. */
typedef struct filter {
    filter_arguments given;
    char eco_from[4];
    char eco_to[4];
    int date_from;
    int date_to;
    luft_position position;
    uint32_t material[2]; /* as material_of gives it */
    int piece_count;      /* of both sides together */
    luft_query *query;    /* NULL for none */
    uint64_t matches;     /* counted by merge */
} filter;

typedef struct filter_state {
    pgn_facts facts; /* first, for pgn_facts_visitor */
    char opening[4]; /* the ECO code of the moves so far; empty for none */
    bool position_reached;
    bool material_reached;
    pgn_query query;
    bool matches; /* the last game that ended */
} filter_state;

/* --- Reading the arguments ------------------------------------------------- */

/* A bound of --eco: "B90", or "B9" or "B" with the missing digits filled in. */
static bool read_eco(char eco[4], const char *text, size_t length, char fill) {
    if (length < 1 || length > 3 || text[0] < 'A' || text[0] > 'E') {
        return false;
    }
    eco[0] = text[0];
    for (size_t i = 1; i < 3; i++) {
        if (i < length && (text[i] < '0' || text[i] > '9')) {
            return false;
        }
        eco[i] = i < length ? text[i] : fill;
    }
    eco[3] = '\0';
    return true;
}

static bool read_eco_range(filter *wanted, const char *text) {
    const char *dash = strchr(text, '-');
    const size_t first = dash ? (size_t)(dash - text) : strlen(text);
    const char *second = dash ? dash + 1 : text;
    return read_eco(wanted->eco_from, text, first, '0') && read_eco(wanted->eco_to, second, strlen(second), '9') &&
           strcmp(wanted->eco_from, wanted->eco_to) <= 0;
}

/* "2019", "2019.05..2020", "..2020.06", "2019.." */
static bool read_date_range(filter *wanted, const char *text) {
    const char *dots = strstr(text, "..");
    const size_t first = dots ? (size_t)(dots - text) : strlen(text);
    const char *second = dots ? dots + 2 : text;
    wanted->date_from = 0;
    wanted->date_to = 99999999;
    if (dots && first == 0 && *second == '\0') {
        return false;
    }
    if (first > 0 && (!date_read(&wanted->date_from, text, first) || wanted->date_from < FIRST_DATE)) {
        return false;
    }
    if (*second != '\0') {
        if (!date_read(&wanted->date_to, second, strlen(second)) || wanted->date_to < FIRST_DATE) {
            return false;
        }
        /* A month or a year lasts to its end. */
        wanted->date_to += wanted->date_to % 10000 == 0 ? 9999 : wanted->date_to % 100 == 0 ? 99 : 0;
    }
    return wanted->date_from <= wanted->date_to;
}

static const char piece_letters[] = "PNBRQ";

/* Reads "KRP": four bits for each type of piece but the king. */
static bool read_side(uint32_t *material, int *piece_count, const char *text, size_t length) {
    *material = 0;
    if (length < 1 || length > 16 || text[0] != 'K') {
        return false;
    }
    *piece_count += 1;
    for (size_t i = 1; i < length; i++) {
        const char *letter = memchr(piece_letters, text[i], sizeof piece_letters - 1);
        if (!letter) {
            return false;
        }
        *material += UINT32_C(1) << 4 * (letter - piece_letters);
        *piece_count += 1;
    }
    return true;
}

static bool read_material(filter *wanted, const char *text) {
    const char *against = strchr(text, 'v');
    return against && read_side(&wanted->material[0], &wanted->piece_count, text, (size_t)(against - text)) &&
           read_side(&wanted->material[1], &wanted->piece_count, against + 1, strlen(against + 1));
}

static bool refuse(const char *option_name, const char *expected, const char *text) {
    char quoted[TEXT_QUOTED_SIZE];
    output_error(NAME, "%s: expected %s, got %s", option_name, expected, text_quote(quoted, text, strlen(text)));
    return false;
}

/* False after an error line. */
static bool read_filter(filter *wanted) {
    const filter_arguments *given = &wanted->given;
    if (given->eco && !read_eco_range(wanted, given->eco)) {
        return refuse("--eco", "a code such as B90, the beginning of one, or a range such as B90-B99", given->eco);
    }
    if (given->date && !read_date_range(wanted, given->date)) {
        return refuse("--date", "a date such as 2019, 2019.05 or 2019.05.04, or FROM..TO", given->date);
    }
    if (given->material && !read_material(wanted, given->material)) {
        return refuse("--material", "the pieces of both sides such as KRPvKR", given->material);
    }
    return (!given->fen || setup_position(&wanted->position, NAME, "--position", given->fen, NULL)) &&
           (!given->query || setup_query(&wanted->query, NAME, "--query", given->query));
}

/* --- Comparing ------------------------------------------------------------- */

static bool eco_matches(const filter *wanted, const char eco[4]) {
    return eco[0] != '\0' && strcmp(eco, wanted->eco_from) >= 0 && strcmp(eco, wanted->eco_to) <= 0;
}

/* A date with unknown parts matches only if it does so for all their values. */
static bool date_matches(const filter *wanted, int date) {
    const int latest = date + (date % 10000 == 0 ? 9999 : date % 100 == 0 ? 99 : 0);
    return date >= FIRST_DATE && date >= wanted->date_from && latest <= wanted->date_to;
}

/* The conditions that the tags decide. */
static bool tags_match(const filter *wanted, const pgn_facts *facts) {
    const filter_arguments *given = &wanted->given;
    const buffer *white = &facts->player[LUFT_WHITE];
    const buffer *black = &facts->player[LUFT_BLACK];
    if ((given->player && !pgn_name_contains(white, given->player) && !pgn_name_contains(black, given->player)) ||
        (given->side[LUFT_WHITE] && !pgn_name_contains(white, given->side[LUFT_WHITE])) ||
        (given->side[LUFT_BLACK] && !pgn_name_contains(black, given->side[LUFT_BLACK]))) {
        return false;
    }
    for (int side = 0; side < 2; side++) {
        const uint64_t elo = (uint64_t)facts->elo[side];
        if ((given->elo_min != NOT_GIVEN && (elo < given->elo_min || elo == 0)) ||
            (given->elo_max != NOT_GIVEN && (elo > given->elo_max || elo == 0))) {
            return false;
        }
    }
    return (!given->date || date_matches(wanted, facts->date)) &&
           (!given->eco || facts->eco[0] == '\0' || eco_matches(wanted, facts->eco)) &&
           (given->result < 0 || !facts->has_tag_result || (int)facts->result == LUFT_RESULT_WHITE + given->result);
}

/* Must the game be read to its end, beyond the tags and the position or material to reach? */
static bool needs_end(const filter *wanted, const pgn_facts *facts) {
    const filter_arguments *given = &wanted->given;
    return given->no_errors || given->query || given->ply_min != NOT_GIVEN || given->ply_max != NOT_GIVEN ||
           (given->eco && facts->eco[0] == '\0') || (given->result >= 0 && !facts->has_tag_result);
}

/* Must the opening be found by the moves? */
static bool needs_opening(const filter *wanted, const pgn_facts *facts) {
    return facts->eco[0] == '\0' && (wanted->given.eco || luft_query_needs(wanted->query) & LUFT_QUERY_ECO);
}

static bool all_matches(const filter *wanted, filter_state *state) {
    const filter_arguments *given = &wanted->given;
    const pgn_facts *facts = &state->facts;
    const char *eco = facts->eco[0] != '\0' ? facts->eco : state->opening;
    return tags_match(wanted, facts) && (!given->no_errors || !facts->has_error) &&
           (given->ply_min == NOT_GIVEN || facts->plies >= given->ply_min) &&
           (given->ply_max == NOT_GIVEN || facts->plies <= given->ply_max) &&
           (!given->eco || eco_matches(wanted, eco)) &&
           (given->result < 0 || (int)facts->result == LUFT_RESULT_WHITE + given->result) &&
           (!given->fen || state->position_reached) && (!given->material || state->material_reached) &&
           (!given->query || pgn_query_finish(&state->query, facts, eco));
}

static uint32_t material_of(const luft_board *board, luft_color color) {
    uint32_t material = 0;
    for (int type = LUFT_PAWN; type <= LUFT_QUEEN; type++) {
        const luft_bitboard pieces = luft_pieces(board, color, (luft_piece_type)type);
        material |= (uint32_t)luft_popcount(pieces) << 4 * (type - LUFT_PAWN);
    }
    return material;
}

static bool has_material(const filter *wanted, const luft_board *board) {
    if (luft_popcount(luft_occupied(board)) != wanted->piece_count) {
        return false;
    }
    const uint32_t white = material_of(board, LUFT_WHITE);
    const uint32_t black = material_of(board, LUFT_BLACK);
    return (white == wanted->material[0] && black == wanted->material[1]) ||
           (white == wanted->material[1] && black == wanted->material[0]);
}

/* The same pieces, side to move, castling rights and en passant square; the counters do not matter. */
static bool is_position(const luft_position *position, const luft_position *wanted) {
    return luft_key(position) == luft_key(wanted) && position->side_to_move == wanted->side_to_move &&
           position->ep_square == wanted->ep_square &&
           memcmp(&position->board, &wanted->board, sizeof position->board) == 0;
}

/* --- Visiting -------------------------------------------------------------- */

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    filter_state *state = ((pgn_worker *)payload)->state;
    state->opening[0] = '\0';
    state->position_reached = false;
    state->material_reached = false;
    buffer_clear(&state->query.positions);
    return pgn_facts_on_game_start(payload, place);
}

/* Checks a position of the game; skips the rest if nothing more is needed. */
static luft_pgn_action check_position(const filter *wanted, filter_state *state, const luft_position *position) {
    const filter_arguments *given = &wanted->given;
    const pgn_facts *facts = &state->facts;
    if (given->fen && !state->position_reached) {
        state->position_reached = is_position(position, &wanted->position);
    }
    if (given->material && !state->material_reached) {
        state->material_reached = has_material(wanted, &position->board);
    }
    if (needs_opening(wanted, facts)) {
        luft_opening opening;
        if (facts->plies <= luft_opening_longest() && luft_opening_of_position(&opening, position)) {
            memcpy(state->opening, opening.eco, sizeof state->opening);
        }
    }
    const bool reached = (!given->fen || state->position_reached) && (!given->material || state->material_reached);
    return reached && !needs_end(wanted, facts) ? LUFT_PGN_SKIP_GAME : LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *start) {
    pgn_worker *worker = payload;
    const filter *wanted = worker->job->shared;
    filter_state *state = worker->state;
    if (!tags_match(wanted, &state->facts) ||
        (wanted->query && !pgn_query_start(&state->query, wanted->query, &state->facts, start))) {
        worker->output.failed |= state->query.positions.failed;
        return LUFT_PGN_SKIP_GAME;
    }
    return check_position(wanted, state, start);
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    pgn_worker *worker = payload;
    const filter *wanted = worker->job->shared;
    filter_state *state = worker->state;
    pgn_facts_on_move(payload, before, move, after);
    if (wanted->query) {
        pgn_query_add(&state->query, after);
        worker->output.failed |= state->query.positions.failed;
    }
    return check_position(worker->job->shared, worker->state, after);
}

static luft_pgn_action on_variation(void *payload, const luft_position *before) {
    (void)before;
    const pgn_worker *worker = payload;
    const filter *wanted = worker->job->shared;
    /* Errors in variations count too. */
    return wanted->given.no_errors ? LUFT_PGN_CONTINUE : LUFT_PGN_SKIP_VARIATION;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    pgn_worker *worker = payload;
    const filter *wanted = worker->job->shared;
    filter_state *state = worker->state;
    pgn_facts_on_game_end(payload, result);
    state->matches = all_matches(wanted, state) != wanted->given.invert;
    if (wanted->given.count && state->matches) {
        buffer_append(&worker->output, "1", 1); /* a byte for each, which merge counts */
    }
    return LUFT_PGN_CONTINUE;
}

static void on_text(pgn_worker *worker, const char *text, size_t length) {
    const filter_state *state = worker->state;
    if (state->matches) {
        pgn_append_game(&worker->output, text, length);
    }
}

static bool merge_count(pgn_worker *worker) {
    filter *wanted = worker->job->shared;
    wanted->matches += worker->output.length;
    return true;
}

/* --- The command ----------------------------------------------------------- */

static bool prepare(pgn_job *job) {
    filter *wanted = job->shared;
    if (wanted->given.count) {
        job->merge = merge_count;
    } else {
        job->text = on_text;
    }
    return read_filter(wanted);
}

static int finish(const pgn_job *job, const pgn_totals *totals) {
    const filter *wanted = job->shared;
    if (wanted->given.count) {
        fprintf(job->output, "%" PRIu64 "\n", wanted->matches);
    }
    return totals->status;
}

static void free_state(void *state) {
    pgn_facts_free_state(state);
    pgn_query_free(&((filter_state *)state)->query);
}

int pgn_filter(int argc, char **argv) {
    filter wanted = {
        .given = {
            .result = -1, .elo_min = NOT_GIVEN, .elo_max = NOT_GIVEN, .ply_min = NOT_GIVEN, .ply_max = NOT_GIVEN}};
    filter_arguments *given = &wanted.given;
    const option options[] = {
        option_text("player", "NAME", "match either player", &given->player),
        option_text("white", "NAME", "match the player of White", &given->side[LUFT_WHITE]),
        option_text("black", "NAME", "match the player of Black", &given->side[LUFT_BLACK]),
        option_choice("result", "RESULT", "match 1-0, 0-1, 1/2-1/2 or *", &given->result, result_names),
        option_text("eco", "CODES", "match B90, B9, B or B90-B99, by the tag ECO or, without it, by the moves",
                    &given->eco),
        option_number("elo-min", "N", "require N or more of both players", &given->elo_min, 0, 9999),
        option_number("elo-max", "N", "require N or less of both players", &given->elo_max, 0, 9999),
        option_text("date", "DATES", "match 2019, 2019.05 or 2019.05.04; FROM..TO, FROM.. or ..TO", &given->date),
        option_number("ply-min", "N", "require at least N plies (moves of one side)", &given->ply_min, 0, UINT32_MAX),
        option_number("ply-max", "N", "require at most N plies", &given->ply_max, 0, UINT32_MAX),
        option_text("position", "FEN",
                    "require this position, counters apart: pieces, side to move, castling, en passant", &given->fen),
        option_text("material", "PIECES", "require exactly these pieces on the board, such as KRPvKR, for either side",
                    &given->material),
        option_text("query", "QUERY", "require a match of this query: docs/queries.md describes the language",
                    &given->query),
        option_flag("no-errors", "leave out games with errors", &given->no_errors),
        option_flag("invert", "write the games that do not match", &given->invert),
        option_flag("count", "print only the number of matching games", &given->count),
    };
    const pgn_frame frame = {.about = about,
                             .options = options,
                             .option_count = sizeof options / sizeof options[0],
                             .prepare = prepare,
                             .finish = finish};
    pgn_job job = {.command = NAME,
                   .visitor = pgn_facts_visitor(),
                   .state_size = sizeof(filter_state),
                   .free_state = free_state,
                   .shared = &wanted};
    job.visitor.game_start = on_game_start;
    job.visitor.moves_start = on_moves_start;
    job.visitor.move = on_move;
    job.visitor.variation_start = on_variation;
    job.visitor.game_end = on_game_end;
    const int status = pgn_frame_run(&frame, &job, argc, argv);
    luft_query_free(wanted.query);
    return status;
}
