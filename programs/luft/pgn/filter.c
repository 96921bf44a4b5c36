/* SPDX-License-Identifier: MIT */
/*
 * `luft pgn filter`: the games that match, byte for byte as they stand. A game is
 * looked at only as far as the question goes: where the tags decide, its moves are
 * passed over unread.
 */
#include "command.h"
#include "util/output.h"
#include "pgn.h"
#include "facts.h"
#include "util/setup.h"
#include "util/text.h"

#include <inttypes.h>
#include <string.h>

#define NAME "pgn filter"
#define NOT_GIVEN UINT64_MAX
#define FIRST_DATE 10000 /* the year 1: the year of a date before that is not known */

static const char about[] =
    "Writes the games that match all that is asked for, as they stand in the file. Names match in part, and\n"
    "whatever the case of their letters. What is missing in a game does not match. Only the main line counts.\n";

static const char *const result_names[] = {"1-0", "0-1", "1/2-1/2", "*", NULL};

/* The arguments as they were given. */
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
    bool no_errors;
    bool invert;
    bool count;
} filter_arguments;

/* What is asked for, ready to be compared. */
typedef struct filter {
    const filter_arguments *given;
    char eco_from[4];
    char eco_to[4];
    int date_from;
    int date_to;
    luft_position position;
    uint32_t material[2]; /* as material_of gives it */
    int men;              /* of both sides together */
    uint64_t matches;     /* counted by merge */
} filter;

typedef struct filter_state {
    pgn_facts facts;
    char opening[4]; /* the code that the moves lead to; empty for none so far */
    bool position_reached;
    bool material_reached;
    bool matches; /* the game that ended last */
} filter_state;

/* --- Reading the arguments ------------------------------------------------- */

/* A bound of --eco: "B90", or "B9" or "B" with the missing digits filled up. */
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
    if (first > 0 && (!pgn_read_date(&wanted->date_from, text, first) || wanted->date_from < FIRST_DATE)) {
        return false;
    }
    if (*second != '\0') {
        if (!pgn_read_date(&wanted->date_to, second, strlen(second)) || wanted->date_to < FIRST_DATE) {
            return false;
        }
        /* To the end of the month or the year where that is all that was said. */
        wanted->date_to += wanted->date_to % 10000 == 0 ? 9999 : wanted->date_to % 100 == 0 ? 99 : 0;
    }
    return wanted->date_from <= wanted->date_to;
}

static const char man_letters[] = "PNBRQ";

/* Four bits for each type of man but the king. */
static bool read_men(uint32_t *material, int *men, const char *text, size_t length) {
    *material = 0;
    if (length < 1 || length > 16 || text[0] != 'K') {
        return false;
    }
    *men += 1;
    for (size_t i = 1; i < length; i++) {
        const char *letter = memchr(man_letters, text[i], sizeof man_letters - 1);
        if (!letter) {
            return false;
        }
        *material += UINT32_C(1) << 4 * (letter - man_letters);
        *men += 1;
    }
    return true;
}

static bool read_material(filter *wanted, const char *text) {
    const char *against = strchr(text, 'v');
    return against && read_men(&wanted->material[0], &wanted->men, text, (size_t)(against - text)) &&
           read_men(&wanted->material[1], &wanted->men, against + 1, strlen(against + 1));
}

/* False after an error line. */
static bool read_filter(filter *wanted, const filter_arguments *given) {
    char quoted[TEXT_QUOTED_SIZE];
    *wanted = (filter){.given = given};
    if (given->eco && !read_eco_range(wanted, given->eco)) {
        output_error(NAME, "--eco must be a code such as B90, the beginning of one, or a range such as B90-B99, not %s",
                     text_quote(quoted, given->eco, strlen(given->eco)));
        return false;
    }
    if (given->date && !read_date_range(wanted, given->date)) {
        output_error(NAME, "--date must be a date such as 2019, 2019.05 or 2019.05.04, or FROM..TO, not %s",
                     text_quote(quoted, given->date, strlen(given->date)));
        return false;
    }
    if (given->material && !read_material(wanted, given->material)) {
        output_error(NAME, "--material must be such as KRPvKR, not %s",
                     text_quote(quoted, given->material, strlen(given->material)));
        return false;
    }
    return !given->fen || setup_position(&wanted->position, NAME, "--position", given->fen, NULL);
}

/* --- Comparing ------------------------------------------------------------- */

static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + ('a' - 'A')) : letter;
}

/* Does the name hold this text, in either case of ASCII letters? */
static bool name_holds(const bytes *name, const char *text) {
    const size_t length = strlen(text);
    for (size_t start = 0; start + length <= name->length; start++) {
        size_t same = 0;
        while (same < length && lower(name->data[start + same]) == lower(text[same])) {
            same++;
        }
        if (same == length) {
            return true;
        }
    }
    return false;
}

static bool eco_matches(const filter *wanted, const char eco[4]) {
    return eco[0] != '\0' && strcmp(eco, wanted->eco_from) >= 0 && strcmp(eco, wanted->eco_to) <= 0;
}

/* A date of which a part is not known matches only if it does so whatever that part is. */
static bool date_matches(const filter *wanted, int date) {
    const int latest = date + (date % 10000 == 0 ? 9999 : date % 100 == 0 ? 99 : 0);
    return date >= FIRST_DATE && date >= wanted->date_from && latest <= wanted->date_to;
}

/* All that the tags decide. */
static bool tags_match(const filter *wanted, const pgn_facts *facts) {
    const filter_arguments *given = wanted->given;
    const bytes *white = &facts->player[LUFT_WHITE];
    const bytes *black = &facts->player[LUFT_BLACK];
    if ((given->player && !name_holds(white, given->player) && !name_holds(black, given->player)) ||
        (given->side[LUFT_WHITE] && !name_holds(white, given->side[LUFT_WHITE])) ||
        (given->side[LUFT_BLACK] && !name_holds(black, given->side[LUFT_BLACK]))) {
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

/* Does more than the tags and a position or material reached have to be known? */
static bool needs_end(const filter *wanted, const pgn_facts *facts) {
    const filter_arguments *given = wanted->given;
    return given->no_errors || given->ply_min != NOT_GIVEN || given->ply_max != NOT_GIVEN ||
           (given->eco && facts->eco[0] == '\0') || (given->result >= 0 && !facts->has_tag_result);
}

static bool all_matches(const filter *wanted, const filter_state *state) {
    const filter_arguments *given = wanted->given;
    const pgn_facts *facts = &state->facts;
    return tags_match(wanted, facts) && (!given->no_errors || !facts->has_error) &&
           (given->ply_min == NOT_GIVEN || facts->plies >= given->ply_min) &&
           (given->ply_max == NOT_GIVEN || facts->plies <= given->ply_max) &&
           (!given->eco || eco_matches(wanted, facts->eco[0] != '\0' ? facts->eco : state->opening)) &&
           (given->result < 0 || (int)facts->result == LUFT_RESULT_WHITE + given->result) &&
           (!given->fen || state->position_reached) && (!given->material || state->material_reached);
}

static uint32_t material_of(const luft_board *board, luft_color color) {
    uint32_t material = 0;
    for (int type = LUFT_PAWN; type <= LUFT_QUEEN; type++) {
        const luft_bitboard men = luft_pieces(board, color, (luft_piece_type)type);
        material |= (uint32_t)luft_popcount(men) << 4 * (type - LUFT_PAWN);
    }
    return material;
}

static bool has_material(const filter *wanted, const luft_board *board) {
    if (luft_popcount(luft_occupied(board)) != wanted->men) {
        return false;
    }
    const uint32_t white = material_of(board, LUFT_WHITE);
    const uint32_t black = material_of(board, LUFT_BLACK);
    return (white == wanted->material[0] && black == wanted->material[1]) ||
           (white == wanted->material[1] && black == wanted->material[0]);
}

/* The same men, side to move, rights and en passant square; the counters do not matter. */
static bool is_position(const luft_position *position, const luft_position *wanted) {
    return luft_key(position) == luft_key(wanted) && position->side_to_move == wanted->side_to_move &&
           position->ep_square == wanted->ep_square &&
           memcmp(&position->board, &wanted->board, sizeof position->board) == 0;
}

/* --- Visiting -------------------------------------------------------------- */

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    (void)place;
    filter_state *state = ((pgn_worker *)payload)->state;
    pgn_facts_clear(&state->facts);
    state->opening[0] = '\0';
    state->position_reached = false;
    state->material_reached = false;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    pgn_worker *worker = payload;
    filter_state *state = worker->state;
    worker->output.failed |= !pgn_facts_tag(&state->facts, name, name_length, value, value_length);
    return LUFT_PGN_CONTINUE;
}

/* Looks at a position of the game; says whether the rest must be read. */
static luft_pgn_action look_at(const filter *wanted, filter_state *state, const luft_position *position) {
    const filter_arguments *given = wanted->given;
    const pgn_facts *facts = &state->facts;
    if (given->fen && !state->position_reached) {
        state->position_reached = is_position(position, &wanted->position);
    }
    if (given->material && !state->material_reached) {
        state->material_reached = has_material(wanted, &position->board);
    }
    if (given->eco && facts->eco[0] == '\0') {
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
    if (!tags_match(wanted, &state->facts)) {
        return LUFT_PGN_SKIP_GAME;
    }
    return look_at(wanted, state, start);
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    (void)before, (void)move;
    pgn_worker *worker = payload;
    filter_state *state = worker->state;
    state->facts.plies++;
    return look_at(worker->job->shared, state, after);
}

static luft_pgn_action on_variation(void *payload, const luft_position *before) {
    (void)before;
    const pgn_worker *worker = payload;
    const filter *wanted = worker->job->shared;
    /* Mistakes in variations are mistakes too, if those are asked for. */
    return wanted->given->no_errors ? LUFT_PGN_CONTINUE : LUFT_PGN_SKIP_VARIATION;
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    (void)error;
    filter_state *state = ((pgn_worker *)payload)->state;
    state->facts.has_error = true;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    pgn_worker *worker = payload;
    const filter *wanted = worker->job->shared;
    filter_state *state = worker->state;
    pgn_facts_end(&state->facts, result);
    state->matches = all_matches(wanted, state) != wanted->given->invert;
    if (wanted->given->count && state->matches) {
        bytes_append(&worker->output, "1", 1); /* a byte for each, which merge counts */
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

static void free_state(void *memory) {
    filter_state *state = memory;
    pgn_facts_free(&state->facts);
}

/* --- The command ----------------------------------------------------------- */

static int run_filter(filter *wanted, const pgn_arguments *arguments) {
    pgn_job job;
    if (!pgn_job_start(&job, arguments)) {
        return STATUS_USAGE;
    }
    const bool count = wanted->given->count;
    job.visitor = (luft_pgn_visitor){.game_start = on_game_start,
                                     .tag = on_tag,
                                     .moves_start = on_moves_start,
                                     .move = on_move,
                                     .variation_start = on_variation,
                                     .error = on_error,
                                     .game_end = on_game_end};
    job.text = count ? NULL : on_text;
    job.merge = count ? merge_count : NULL;
    job.state_size = sizeof(filter_state);
    job.free_state = free_state;
    job.shared = wanted;
    const pgn_totals totals = pgn_work(&job);
    if (count) {
        fprintf(job.output, "%" PRIu64 "\n", wanted->matches);
    }
    return pgn_job_finish(&job, arguments, &totals, totals.status);
}

int pgn_filter(int argc, char **argv) {
    filter_arguments given = {
        .result = -1, .elo_min = NOT_GIVEN, .elo_max = NOT_GIVEN, .ply_min = NOT_GIVEN, .ply_max = NOT_GIVEN};
    const option options[] = {
        {.name = "player", .value = "NAME", .help = "one of the players", .text = &given.player},
        {.name = "white", .value = "NAME", .help = "the player of White", .text = &given.side[LUFT_WHITE]},
        {.name = "black", .value = "NAME", .help = "the player of Black", .text = &given.side[LUFT_BLACK]},
        {.name = "result",
         .value = "RESULT",
         .help = "1-0, 0-1, 1/2-1/2 or *",
         .choice = &given.result,
         .choices = result_names},
        {.name = "eco",
         .value = "CODES",
         .help = "B90, B9, B or B90-B99: the tag, or what the moves lead to where there is none",
         .text = &given.eco},
        {.name = "elo-min",
         .value = "N",
         .help = "both players have at least N",
         .number = &given.elo_min,
         .maximum = 9999},
        {.name = "elo-max",
         .value = "N",
         .help = "both players have at most N",
         .number = &given.elo_max,
         .maximum = 9999},
        {.name = "date",
         .value = "DATES",
         .help = "2019, 2019.05 or 2019.05.04; FROM..TO, FROM.. or ..TO",
         .text = &given.date},
        {.name = "ply-min",
         .value = "N",
         .help = "at least N plies (moves of one side)",
         .number = &given.ply_min,
         .maximum = UINT32_MAX},
        {.name = "ply-max", .value = "N", .help = "at most N plies", .number = &given.ply_max, .maximum = UINT32_MAX},
        {.name = "position",
         .value = "FEN",
         .help = "the position was reached: men, side to move, castling and en passant; not the counters",
         .text = &given.fen},
        {.name = "material",
         .value = "MEN",
         .help = "these men were on the board and no other, such as KRPvKR; the stronger side may be either",
         .text = &given.material},
        {.name = "no-errors", .help = "no mistake in the game", .flag = &given.no_errors},
        {.name = "invert", .help = "write the games that do not match", .flag = &given.invert},
        {.name = "count", .help = "print how many match, and nothing else", .flag = &given.count},
    };
    pgn_arguments arguments;
    filter wanted;
    int status;
    if (pgn_arguments_read(&arguments, &status, NAME, about, options, sizeof options / sizeof options[0], argc, argv)) {
        status = read_filter(&wanted, &given) ? run_filter(&wanted, &arguments) : STATUS_USAGE;
    }
    pgn_arguments_free(&arguments);
    return status;
}
