/* SPDX-License-Identifier: MIT */
/*
 * `luft puzzles`: finds positions of games with one move that clearly wins or saves. A first search of every position finds
 * candidates, a second one with ten times the nodes must agree: on the move, and on the margin to the second best. The
 * solution continues with the expected replies as long as the best move stays the only one. Trivial solutions are left out.
 * All searches are units (util/units.h), so jobs, journals and MPI work as in luft analyse.
 */
#define _POSIX_C_SOURCE 200809L

#include "analyse/analysis.h"
#include "analyse/game.h"
#include "command.h"
#include "puzzle.h"

#include "util/options.h"
#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft puzzles"

enum {
    DEFAULT_NODES = 20000,
    DEPTH_FACTOR = 10,
    QUICK_DIVISOR = 20,
    GAMES_PER_BATCH = 32,
    OPENING_PLIES = 6,
    FEW_MOVES = 2
};

/* What makes a move the only one, in winning chances (analyse/judge.h) for the solver. */
typedef struct demands {
    double winning_min; /* the move wins ... */
    double margin_min;  /* ... and has more than the second best; or */
    double saving_min;  /* the move saves ... */
    double losing_max;  /* ... and the second best loses */
} demands;

static const demands usual = {.winning_min = 0.5, .margin_min = 0.45, .saving_min = -0.15, .losing_max = -0.6};
/* For the proof of the first move: a deeper search may take some of the margin, and the puzzle still holds. */
static const demands strict = {.winning_min = 0.6, .margin_min = 0.55, .saving_min = -0.1, .losing_max = -0.7};

static const char *const format_names[] = {"csv", "pgn", "epd", NULL}; /* by puzzle_format */

static const char about[] =
    "Finds puzzles in games: positions with one move that clearly wins or saves, by the margin to the second best,\n"
    "proved by a second search with ten times the nodes. Writes them with the solution as long as its moves stay the\n"
    "only ones, with themes and an estimated rating.\n";

/* A position that may be a puzzle, from its first search on. */
typedef struct candidate {
    puzzle found;
    luft_position position; /* after the moves found so far */
    size_t game;            /* in the batch */
    bool is_open;           /* more moves may follow */
    buffer request;         /* of the search that is awaited */
} candidate;

typedef struct maker {
    analysis run;
    analyse_settings settings;
    luft_engine_limits first, deep, quick;
    int format;
    uint64_t nodes;
    input in;
    luft_pgn_reader *reader;
    reviewed_game games[GAMES_PER_BATCH];
    uint64_t numbers[GAMES_PER_BATCH];
    size_t game_count;
    candidate *candidates;
    size_t candidate_count, candidate_room;
    uint64_t number; /* of games read */
    uint64_t positions, considered, puzzles;
} maker;

/* --- Judging -------------------------------------------------------------------------------------- */

static double chances_for(luft_color color, const searched_line *line) {
    return (color == LUFT_WHITE ? 1 : -1) * judge_chances(line->score);
}

/* Is the best move the only one that wins, or saves? A forced move counts if `may_be_forced`. */
static bool is_only_move(const searched *found, luft_color color, const demands *asked, bool may_be_forced) {
    if (found->line_count == 0) {
        return false;
    }
    const double best = chances_for(color, &found->lines[0]);
    if (found->line_count == 1) {
        return may_be_forced && best >= asked->saving_min;
    }
    const double second = chances_for(color, &found->lines[1]);
    return (best >= asked->winning_min && best - second >= asked->margin_min) ||
           (best >= asked->saving_min && second <= asked->losing_max);
}

/* Does the move answer a capture by a capture, on its square or of a piece of the same type? That needs no thinking. */
static bool is_recapture(const luft_position *before, luft_move last, luft_move move) {
    const luft_piece lost = luft_piece_at(&before->board, luft_move_to(last));
    const luft_piece won = luft_piece_at(&before->board, luft_move_to(move));
    if (luft_move_kind_of(last) == LUFT_EN_PASSANT) {
        return luft_move_to(move) == luft_move_to(last);
    }
    return lost != LUFT_NO_PIECE && (luft_move_to(move) == luft_move_to(last) ||
                                     (won != LUFT_NO_PIECE && luft_piece_type_of(won) == luft_piece_type_of(lost)));
}

/*
 * Trivial: a solution that does not mate, from a position with two legal moves at most; or one that is a single move, a
 * capture or the way out of a check, which a very short search finds too.
 */
static bool is_trivial(const puzzle *it) {
    const luft_position *start = &it->start;
    const bool captures = luft_piece_at(&start->board, luft_move_to(it->moves[0])) != LUFT_NO_PIECE;
    return it->score < THINKING_MATE_BOUND && (luft_count_moves(start) <= FEW_MOVES ||
                                               (it->length == 1 && it->is_quick && (captures || luft_in_check(start))));
}

/* Where the search for puzzles begins: the first plies of a game from the start position are left out. */
static int first_ply(const reviewed_game *game) {
    const luft_position start = luft_start_position();
    return luft_position_equal(&start, luft_pgn_node_position(game->tree, LUFT_PGN_ROOT)) ? OPENING_PLIES : 1;
}

/* --- The first search ------------------------------------------------------------------------------- */

static bool ask(maker *work, buffer *request, const luft_engine_limits *limits, int lines,
                const luft_position *position, double share) {
    searches_write(request, limits, lines, position, NULL, 0);
    return !request->failed &&
           (request->length == 0 || units_ask(work->run.units, request->data, request->length, 1, share));
}

/* Asks for all positions of a game after the opening. */
static bool ask_for_game(maker *work, const reviewed_game *game, double share) {
    int ply = 0;
    const int first = first_ply(game);
    for (luft_pgn_node node = game_first_move(game); node != LUFT_PGN_NO_NODE;
         node = luft_pgn_node_next(game->tree, node)) {
        if (++ply >= first && !ask(work, &work->run.request, &work->first, 2, luft_pgn_node_position(game->tree, node),
                                   share / (double)(game->plies + 1))) {
            return false;
        }
    }
    return true;
}

static bool add_candidate(maker *work, size_t game, luft_pgn_node node, int ply) {
    if (work->candidate_count == work->candidate_room) {
        const size_t room = work->candidate_room ? work->candidate_room * 2 : 64;
        candidate *grown = realloc(work->candidates, room * sizeof *grown);
        if (!grown) {
            return false;
        }
        memset(grown + work->candidate_room, 0, (room - work->candidate_room) * sizeof *grown);
        work->candidates = grown;
        work->candidate_room = room;
    }
    candidate *added = &work->candidates[work->candidate_count++];
    buffer request = added->request; /* its memory is used again */
    *added = (candidate){.game = game, .is_open = true, .request = request};
    added->position = *luft_pgn_node_position(work->games[game].tree, node);
    added->found = (puzzle){.before = *game_position_before(&work->games[game], node),
                            .last = luft_pgn_node_move(work->games[game].tree, node),
                            .start = added->position,
                            .number = work->numbers[game],
                            .ply = ply};
    return true;
}

/* Keeps the positions of a game in which the first search sees one move only. */
static bool find_candidates(maker *work, size_t place) {
    const reviewed_game *game = &work->games[place];
    int ply = 0;
    const int first = first_ply(game);
    for (luft_pgn_node node = game_first_move(game); node != LUFT_PGN_NO_NODE;
         node = luft_pgn_node_next(game->tree, node)) {
        const luft_position *position = luft_pgn_node_position(game->tree, node);
        const luft_move last = luft_pgn_node_move(game->tree, node);
        searched found;
        if (++ply < first || last == LUFT_MOVE_NONE) {
            continue;
        }
        searches_write(&work->run.request, &work->first, 2, position, NULL, 0);
        if (work->run.request.failed || !analysis_wait(&work->run, &found, position, work->run.request.data)) {
            return false;
        }
        work->positions++;
        if (is_only_move(&found, (luft_color)position->side_to_move, &usual, false) &&
            !is_recapture(game_position_before(game, node), last, found.lines[0].moves[0])) {
            work->considered++;
            if (!add_candidate(work, place, node, ply)) {
                return false;
            }
        }
    }
    return true;
}

/* --- The solution -------------------------------------------------------------------------------------- */

/* Has the solution had this position? So a perpetual check is shown once. */
static bool is_repeated(const puzzle *solution, const luft_position *position) {
    luft_position earlier = solution->start;
    for (int i = 0; i < solution->length; i++) {
        if (earlier.side_to_move == position->side_to_move && earlier.key[0] == position->key[0] &&
            earlier.key[1] == position->key[1]) {
            return true;
        }
        luft_make(&earlier, &earlier, solution->moves[i]);
    }
    return false;
}

/* Takes the result of a deep search into the solution. */
static void extend(candidate *it, const searched *found) {
    puzzle *solution = &it->found;
    const luft_color color = (luft_color)it->position.side_to_move;
    const bool is_first = solution->length == 0;
    it->is_open = false;
    if (!is_only_move(found, color, is_first ? &strict : &usual, !is_first) ||
        (is_first && is_recapture(&solution->before, solution->last, found->lines[0].moves[0]))) {
        solution->length -= !is_first; /* without the reply: the solution ends with the solver's move */
        return;
    }
    const searched_line *best = &found->lines[0];
    if (is_first) {
        solution->score = color == LUFT_WHITE ? best->score : -best->score;
    }
    solution->moves[solution->length++] = best->moves[0];
    luft_make(&it->position, &it->position, best->moves[0]);
    luft_position next;
    if (best->length >= 2 && solution->length + 2 <= PUZZLE_MOVES_MAX) {
        luft_make(&next, &it->position, best->moves[1]);
        if (!is_repeated(solution, &next)) {
            solution->moves[solution->length++] = best->moves[1];
            it->position = next;
            it->is_open = true;
        }
    }
}

/* One deep search for each open candidate, all at once. False to stop. */
static bool extend_all(maker *work, bool *any) {
    searched found;
    *any = false;
    for (size_t i = 0; i < work->candidate_count; i++) {
        candidate *it = &work->candidates[i];
        if (it->is_open && !ask(work, &it->request, &work->deep, 2, &it->position, 0)) {
            return false;
        }
    }
    for (size_t i = 0; i < work->candidate_count; i++) {
        candidate *it = &work->candidates[i];
        if (it->is_open) {
            if (!analysis_wait(&work->run, &found, &it->position, it->request.data)) {
                return false;
            }
            extend(it, &found);
            *any = *any || it->is_open;
        }
    }
    return true;
}

/* A short search tells easy puzzles. */
static bool search_quickly(maker *work) {
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < work->candidate_count; i++) {
            candidate *it = &work->candidates[i];
            searched found;
            if (it->found.length == 0) {
                continue;
            }
            if (pass == 0) {
                if (!ask(work, &it->request, &work->quick, 1, &it->found.start, 0)) {
                    return false;
                }
            } else if (!analysis_wait(&work->run, &found, &it->found.start, it->request.data)) {
                return false;
            } else {
                it->found.is_quick = found.line_count > 0 && found.lines[0].moves[0] == it->found.moves[0];
            }
        }
    }
    return true;
}

/* Finds and writes the puzzles of the games in memory. False to stop. */
static bool finish_batch(maker *work) {
    bool any = true;
    work->candidate_count = 0;
    for (size_t i = 0; i < work->game_count; i++) {
        if (!find_candidates(work, i)) {
            return false;
        }
    }
    while (any) {
        if (!extend_all(work, &any)) {
            return false;
        }
    }
    if (!search_quickly(work)) {
        return false;
    }
    const puzzle *written = NULL;
    for (size_t i = 0; i < work->candidate_count; i++) {
        const candidate *it = &work->candidates[i];
        size_t length;
        const char *site = game_tag_value(&work->games[it->game], "Site", &length);
        const bool is_part =
            written && written->number == it->found.number && it->found.ply < written->ply + written->length;
        /* Positions within the last solution do not count. */
        if (it->found.length > 0 && !is_part && !is_trivial(&it->found)) {
            written = &it->found;
            work->puzzles++;
            puzzle_append(&work->run.text, &it->found, (puzzle_format)work->format, site, length);
        }
    }
    work->game_count = 0;
    return output_write(NAME, work->run.output.file, &work->run.text);
}

/* --- Files ---------------------------------------------------------------------------------------------- */

/* Reads the games of a file. Returns an exit status. */
static int read_file(maker *work, const char *path) {
    char quoted[TEXT_QUOTED_SIZE];
    luft_error error = LUFT_OK;
    bool going = true;
    if (input_open(&work->in, path) != INPUT_READ ||
        luft_pgn_reader_create(&work->reader, input_read_pgn, &work->in) != LUFT_OK) {
        output_error(NAME, "cannot read %s: %s", text_quote(quoted, path, strlen(path)), work->in.reason);
        input_close(&work->in);
        return STATUS_USAGE;
    }
    while (going) {
        reviewed_game *game = &work->games[work->game_count];
        const uint64_t before = work->in.stored;
        error = game_read(game, work->reader);
        if (error != LUFT_OK) {
            break;
        }
        work->number++;
        if (game->tree && luft_pgn_game_node_count(game->tree) > 0) {
            work->numbers[work->game_count++] = work->number;
            going = ask_for_game(work, game, analysis_share(&work->run, work->in.stored - before));
        }
        if (going && work->game_count == GAMES_PER_BATCH) {
            going = finish_batch(work);
        }
    }
    if (error != LUFT_OK && error != LUFT_ERROR_END) {
        output_error(NAME, "cannot read %s: %s", text_quote(quoted, path, strlen(path)),
                     error == LUFT_ERROR_MEMORY ? "out of memory" : work->in.reason);
    }
    luft_pgn_reader_free(work->reader);
    input_close(&work->in);
    return going && error == LUFT_ERROR_END ? STATUS_OK : STATUS_FAILED;
}

static int make_puzzles(maker *work) {
    const analyse_settings *settings = &work->settings;
    int status;
    if (input_is_among(settings->output ? settings->output : "-", settings->paths, settings->path_count)) {
        output_error(NAME, "the output is also a file to read");
        return STATUS_USAGE;
    }
    if (!analysis_open(&work->run, settings, "puzzles", &status)) {
        return status;
    }
    status = STATUS_OK;
    if (work->format == PUZZLE_CSV) {
        buffer_append_text(&work->run.text, PUZZLE_CSV_HEAD);
    }
    for (size_t i = 0; status == STATUS_OK && i < settings->path_count; i++) {
        status = read_file(work, settings->paths[i]);
    }
    if (status == STATUS_OK && (!finish_batch(work) || !units_drain(work->run.units))) {
        status = STATUS_FAILED;
    }
    progress_clear(&work->run.line);
    if (status == STATUS_OK) {
        fprintf(stderr, "%" PRIu64 " games, %" PRIu64 " positions, %" PRIu64 " candidates, %" PRIu64 " puzzles\n",
                work->number, work->positions, work->considered, work->puzzles);
    } else if (units_is_interrupted(work->run.units)) {
        batch_report_interrupt(&settings->batch, NAME, work->run.units);
    }
    return status;
}

static bool read_arguments(maker *work, int argc, char **argv, int *status) {
    analyse_settings *settings = &work->settings;
    const option options[] = {
        option_number("nodes", "N",
                      "search each position with N nodes, and candidates with ten times N (default 20000)",
                      &work->nodes, QUICK_DIVISOR, INT64_MAX / DEPTH_FACTOR),
        option_choice("to", "FORMAT", "write csv as lichess.org publishes puzzles (default), pgn or epd", &work->format,
                      format_names),
        {.name = "output",
         .letter = 'o',
         .value = "FILE",
         .help = "write to FILE instead of standard output",
         .text = &settings->output},
        option_number("hash", "MB", "use a hash table of MB megabytes for a search (default 16)", &settings->hash_mb, 1,
                      LUFT_ENGINE_MAX_HASH_MB),
        option_number("jobs", "N", "search N positions at once, 1 to 256 (default 1)", &settings->batch.jobs, 1,
                      BATCH_MAX_JOBS),
        option_text("journal", "FILE", "keep finished searches in FILE, and continue from there if it is run again",
                    &settings->batch.journal),
    };
    const option_table table = {.command = NAME,
                                .usage = "[options] FILE...",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .rest = &settings->paths,
                                .rest_count = &settings->path_count};
    if (!options_read(&table, argc, argv, status)) {
        return false;
    }
    if (settings->path_count == 0) {
        output_error(NAME, "expected files of games (luft puzzles --help)");
        return false;
    }
    return true;
}

int puzzles_run(int argc, char **argv, const unit_runner *runner) {
    maker *work = calloc(1, sizeof *work);
    int status;
    if (!work) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    work->nodes = DEFAULT_NODES;
    work->settings = (analyse_settings){
        .command = NAME, .threads = 1, .hash_mb = LUFT_ENGINE_DEFAULT_HASH_MB, .lines = 1, .runner = runner};
    if (!read_arguments(work, argc, argv, &status) || !batch_check(&work->settings.batch, NAME)) {
        free(work);
        return status;
    }
    work->first = work->deep = work->quick = luft_engine_no_limits();
    work->first.nodes = (int64_t)work->nodes;
    work->deep.nodes = (int64_t)work->nodes * DEPTH_FACTOR;
    work->quick.nodes = (int64_t)work->nodes / QUICK_DIVISOR;
    status = make_puzzles(work);
    if (work->run.settings && !analysis_close(&work->run, status == STATUS_OK) && status == STATUS_OK) {
        status = STATUS_FAILED;
    }
    for (size_t i = 0; i < GAMES_PER_BATCH; i++) {
        game_free(&work->games[i]);
    }
    for (size_t i = 0; i < work->candidate_room; i++) {
        buffer_free(&work->candidates[i].request);
    }
    free(work->candidates);
    free(work);
    return status;
}

static int run_by_threads(int argc, char **argv) {
    return puzzles_run(argc, argv, &units_by_threads);
}

const cli_command puzzles_command = {"puzzles", "find puzzles in games", run_by_threads};
