/* SPDX-License-Identifier: MIT */
/*
 * Plays a game: random moves, then searches with a soft node limit, so that every score comes from a completed
 * iteration, until the rules end the game or its result is clear. Keeps quiet positions: not in check, and the best
 * move not a capture or promotion, because the search evaluates such positions.
 */
#include "selfplay.h"

#include "util/random.h"

#include "luft/luft.h"

#include <stdlib.h>
#include <string.h>

enum {
    HARD_FACTOR = 8,      /* the hard limit is this multiple of the soft limit */
    OPENING_NODES = 1000, /* nodes of the search that judges an opening */
    OPENINGS_TRIED = 1000,
    UNFAIR = 400,   /* a start with a greater score than this is not played */
    DECIDED = 1000, /* scores like this, of both sides, for DECIDED_PLIES end the game */
    DECIDED_PLIES = 5,
    HELPLESS = 150, /* a bare king against a rook or more ends the game from this score on */
    LIFELESS = 8,   /* scores up to this for LIFELESS_PLIES end the game, but not before LIFELESS_FROM */
    LIFELESS_PLIES = 12,
    LIFELESS_FROM = 80,
    LONGEST = 400,      /* plies; a longer game is a draw */
    DETOUR_SEARCHES = 6 /* a position that is not quiet after so many moves is given up */
};

/* What a search found. */
typedef struct found_move {
    luft_move move;
    int score; /* of the last report, as in the files: a mate is GAME_SCORE_MAX less the plies to it */
    bool is_mate;
    bool is_exact;
    int64_t nodes;
} found_move;

static int score_in_file(luft_engine_score score) {
    if (score.kind != LUFT_ENGINE_MATE) {
        return score.value;
    }
    return score.value > 0 ? GAME_SCORE_MAX - (2 * score.value - 1) : -GAME_SCORE_MAX - 2 * score.value;
}

static void note_line(void *payload, const luft_engine_line *line) {
    found_move *found = payload;
    found->score = score_in_file(line->score);
    found->is_mate = line->score.kind == LUFT_ENGINE_MATE;
    found->is_exact = line->score.bound == LUFT_ENGINE_EXACT;
    found->nodes = line->nodes;
}

static bool search(luft_engine *engine, const luft_engine_limits *limits, found_move *found) {
    const luft_engine_callbacks callbacks = {.size = sizeof callbacks, .line = note_line, .payload = found};
    const luft_engine_result *result;
    *found = (found_move){0};
    if (luft_engine_search(&result, engine, limits, &callbacks) != LUFT_OK || result->best == LUFT_MOVE_NONE) {
        return false;
    }
    found->move = result->best;
    found->is_exact =
        found->is_exact && found->nodes < limits->nodes; /* a stopped iteration has not searched every move */
    return true;
}

/* Limits that end at a complete depth: every score comes from one. */
static luft_engine_limits soft_limits(int64_t nodes) {
    luft_engine_limits limits = luft_engine_no_limits();
    limits.soft_nodes = nodes;
    limits.nodes = nodes * HARD_FACTOR;
    return limits;
}

/* Gives the engine the moves since the last irreversible one: positions before it cannot repeat. */
static bool think(luft_engine *engine, const game_data *game, const luft_engine_limits *limits, found_move *found) {
    luft_move moves[GAME_PLIES_MAX];
    const int clock = game->positions[game->plies].halfmove_clock;
    const int first = clock < game->plies ? game->plies - clock : 0;
    for (int i = first; i < game->plies; i++) {
        moves[i - first] = game->ply[i].move;
    }
    return luft_engine_set_position(engine, &game->positions[first], moves, (size_t)(game->plies - first), NULL) ==
               LUFT_OK &&
           search(engine, limits, found);
}

/* --- Where a game ends ------------------------------------------------------- */

/* How often the last position of the game has occurred. */
static int repetitions(const game_data *game) {
    const luft_position *last = &game->positions[game->plies];
    int count = 1;
    for (int back = 4; back <= last->halfmove_clock && back <= game->plies; back += 2) {
        count += luft_key(&game->positions[game->plies - back]) == luft_key(last);
    }
    return count;
}

static bool over(game_data *game, int result, game_ending ending) {
    game->result = result;
    game->ending = ending;
    return true;
}

static bool over_by_rules(game_data *game) {
    const luft_position *position = &game->positions[game->plies];
    const luft_outcome outcome = luft_position_outcome(position);
    if (outcome.termination != LUFT_NOT_OVER) {
        return over(game, outcome.winner == LUFT_NO_WINNER ? 1 : outcome.winner == LUFT_WHITE ? 2 : 0, GAME_BY_RULES);
    }
    if (position->halfmove_clock >= 100 || repetitions(game) >= 3) {
        return over(game, 1, GAME_BY_CLAIM);
    }
    return game->plies >= LONGEST && over(game, 1, GAME_TOO_LONG);
}

/* Do the tablebases know the result? Only after a capture or a pawn move do they know it whatever the clock. */
static bool over_by_tables(game_data *game, const luft_tablebase *tablebase) {
    const luft_position *position = &game->positions[game->plies];
    luft_wdl wdl;
    if (position->halfmove_clock != 0 ||
        luft_popcount(luft_occupied(&position->board)) > luft_tablebase_largest(tablebase) ||
        luft_tablebase_probe_wdl(&wdl, tablebase, position) != LUFT_OK) {
        return false;
    }
    const int result = wdl == LUFT_WDL_WIN ? 2 : wdl == LUFT_WDL_LOSS ? 0 : 1;
    return over(game, position->side_to_move == LUFT_WHITE ? result : 2 - result, GAME_BY_TABLES);
}

/* How many plies in a row the scores have agreed. */
typedef struct verdict {
    int winner; /* the winner by the last scores: 2 for White, 0 for Black */
    int decided;
    int lifeless;
} verdict;

/*
 * A bare king against a rook or a queen. Short searches do not always find the mate: when such games were played out,
 * a quarter of the positions with a rook and a third of those with a queen came from drawn games.
 */
static bool is_helpless(const luft_board *board, luft_color color) {
    return !luft_more_than_one(board->color[color]) && (board->orthogonal & board->color[luft_opposite(color)]);
}

/* Adds the score of the last position; true if the game can be adjudicated. */
static bool over_by_score(game_data *game, const found_move *found, verdict *so_far) {
    const int score = found->score;
    const bool white = game->positions[game->plies].side_to_move == LUFT_WHITE;
    const int winner = (score > 0) == white ? 2 : 0;
    const bool agrees = abs(score) >= DECIDED && (winner == so_far->winner || so_far->decided == 0);
    so_far->decided = agrees ? so_far->decided + 1 : abs(score) >= DECIDED;
    so_far->winner = winner;
    so_far->lifeless = abs(score) <= LIFELESS && game->plies >= LIFELESS_FROM ? so_far->lifeless + 1 : 0;
    if (found->is_mate) {
        return over(game, winner, GAME_BY_MATE);
    }
    const luft_color loser = winner == 2 ? LUFT_BLACK : LUFT_WHITE;
    const bool helpless = abs(score) >= HELPLESS && is_helpless(&game->positions[game->plies].board, loser);
    if (so_far->decided >= DECIDED_PLIES || helpless) {
        return over(game, winner, GAME_BY_SCORE);
    }
    return so_far->lifeless >= LIFELESS_PLIES && over(game, 1, GAME_LIFELESS);
}

/* --- Playing ----------------------------------------------------------------- */

bool selfplay_start(luft_engine *engine, const openings *starts, uint64_t *random, game_data *game) {
    const luft_engine_limits limits = soft_limits(OPENING_NODES);
    luft_engine_clear(engine);
    for (int i = 0; i < OPENINGS_TRIED; i++) {
        found_move found;
        if (!openings_choose(starts, game, random) || over_by_rules(game)) {
            continue;
        }
        if (!think(engine, game, &limits, &found)) {
            return false;
        }
        if (abs(found.score) <= UNFAIR) {
            return true;
        }
    }
    return false;
}

static bool is_quiet(const luft_position *position, const found_move *found) {
    return found->is_exact && abs(found->score) < QUIET_SCORE_MAX && !luft_in_check(position) &&
           !luft_move_is_capture(found->move) && !luft_move_is_promotion(found->move);
}

bool selfplay_continue(const selfplay_players *players, const luft_tablebase *tablebase,
                       const luft_engine_limits *limits, game_data *game) {
    verdict so_far = {0};
    while (!over_by_rules(game) && !over_by_tables(game, tablebase)) {
        found_move found;
        const luft_position *position = &game->positions[game->plies];
        const luft_color side = (luft_color)position->side_to_move;
        if (players->turn) {
            players->turn(players->payload, side);
        }
        if (!think(players->engines[side], game, limits, &found)) {
            return false;
        }
        game->ply[game->plies] =
            (game_ply){.move = found.move, .score = (int16_t)found.score, .kept = is_quiet(position, &found)};
        if (over_by_score(game, &found, &so_far)) {
            /* The last position has a score, but its move was not played. */
            game->ply[game->plies].move = LUFT_MOVE_NONE;
            game->has_last = true;
            break;
        }
        luft_make(&game->positions[game->plies + 1], position, found.move);
        game->plies++;
    }
    return true;
}

bool selfplay_game(luft_engine *engine, const openings *starts, const luft_tablebase *tablebase, int64_t nodes,
                   uint64_t *random, game_data *game) {
    const selfplay_players players = {.engines = {engine, engine}};
    const luft_engine_limits limits = soft_limits(nodes);
    return selfplay_start(engine, starts, random, game) && selfplay_continue(&players, tablebase, &limits, game);
}

/* --- Beside a game ----------------------------------------------------------- */

static bool play_random(luft_position *position, uint64_t *random) {
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    if (list.count == 0) {
        return false;
    }
    const luft_position before = *position;
    luft_make(position, &before, list.moves[random_below(random, (uint32_t)list.count)]);
    return true;
}

bool selfplay_detour(luft_engine *engine, const luft_position *from, int64_t nodes, uint64_t *random,
                     game_data *detour) {
    luft_position *position = &detour->positions[0];
    const luft_engine_limits limits = soft_limits(nodes);
    *position = *from;
    for (uint32_t left = 1 + random_below(random, 2); left > 0; left--) {
        if (!play_random(position, random)) {
            return false;
        }
    }
    for (int i = 0; i < DETOUR_SEARCHES; i++) {
        found_move found;
        if (luft_position_outcome(position).termination != LUFT_NOT_OVER ||
            luft_engine_set_position(engine, position, NULL, 0, NULL) != LUFT_OK || !search(engine, &limits, &found)) {
            return false;
        }
        if (is_quiet(position, &found)) {
            detour->start_number = -1;
            detour->opening = detour->plies = 0;
            detour->has_last = true;
            detour->result = RESULT_UNKNOWN;
            detour->ending = GAME_DETOUR;
            detour->ply[0] = (game_ply){.score = (int16_t)found.score, .kept = true};
            return true;
        }
        const luft_position before = *position;
        luft_make(position, &before, found.move);
    }
    return false;
}

uint64_t selfplay_signature(void) {
    static const char *const fens[] = {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                                       "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9",
                                       "8/5pk1/4p1p1/1R2P3/r4P1P/6P1/5K2/8 b - - 4 44"};
    checksum sum = checksum_start();
    luft_engine *engine = NULL;
    bool good = luft_engine_create(&engine) == LUFT_OK;
    for (size_t i = 0; good && i < sizeof fens / sizeof fens[0]; i++) {
        luft_position position;
        found_move found = {0};
        luft_engine_limits limits = luft_engine_no_limits();
        limits.depth = 9;
        good = luft_position_from_fen(&position, fens[i], strlen(fens[i]), NULL) == LUFT_OK &&
               luft_engine_set_position(engine, &position, NULL, 0, NULL) == LUFT_OK && search(engine, &limits, &found);
        const uint8_t answer[8] = {(uint8_t)found.move,          (uint8_t)(found.move >> 8),
                                   (uint8_t)found.score,         (uint8_t)(found.score >> 8),
                                   (uint8_t)found.nodes,         (uint8_t)(found.nodes >> 8),
                                   (uint8_t)(found.nodes >> 16), (uint8_t)(found.nodes >> 24)};
        checksum_add(&sum, answer, sizeof answer);
    }
    luft_engine_free(engine);
    return good ? checksum_end(&sum) : 0;
}
