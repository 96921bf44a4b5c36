/* SPDX-License-Identifier: MIT */
/*
 * `luft analyse`: analyses a position, solves a suite of positions, or annotates games. Here are the arguments and
 * what the three forms share.
 */
#define _DEFAULT_SOURCE

#include "analyse.h"

#include "command.h"
#include "tables.h"
#include "util/options.h"
#include "util/output.h"
#include "util/setup.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#define NAME ANALYSE_NAME

enum {
    DEFAULT_TIME_MS = 3000,   /* for a single position */
    DEFAULT_NODES = 200000,   /* for each position of a file: the same result on every machine */
    JOBS_MAX = 64,            /* of --jobs */
    SECONDS_MAX = 1000000000, /* no overflow in milliseconds */
    COLUMNS_LEAST = 40,       /* of a terminal; a smaller value is ignored */
    COLUMNS_DEFAULT = 80
};

static const char about[] =
    "Without --epd and --pgn: prints the position, FEN or the start position, and the variations of the search\n"
    "as it gets deeper, then the best move and a verdict. Searches for 3 seconds if no limit is given.\n"
    "With --epd: searches each position of a suite, checks the move found against the operations bm, am and dm,\n"
    "and ends with a line \"solved N of M\".\n"
    "With --pgn: writes the games with the evaluation of each move, and marks mistakes with better variations.\n"
    "A graph and a summary follow, on standard output with --output, else on standard error if it is a terminal.\n"
    "With files, limits apply to each position; the default is 200000 nodes. Scores are from White's view.\n"
    "^C ends the search and prints what was found so far.\n";

typedef struct analyse_arguments {
    analyse_settings settings;
    const char *fen;
    const char *moves;
    const char *epd;
    const char *pgn;
    const char *time;
    const char *syzygy;
    uint64_t depth; /* 0 if not given, as for nodes */
    uint64_t nodes;
} analyse_arguments;

/* --- Shared ---------------------------------------------------------------------- */

luft_engine *analyse_create_engine(const analyse_settings *settings) {
    luft_engine *engine;
    if (luft_engine_create(&engine) != LUFT_OK) {
        output_error(NAME, "out of memory");
        return NULL;
    }
    const char *refused = luft_engine_set_threads(engine, (int)settings->threads) != LUFT_OK ? "--threads"
                          : luft_engine_set_hash(engine, settings->hash_mb) != LUFT_OK       ? "--hash"
                          : luft_engine_set_lines(engine, (int)settings->lines) != LUFT_OK   ? "--lines"
                                                                                             : NULL;
    if (refused) {
        output_error(NAME, "%s: not enough memory", refused);
        luft_engine_free(engine);
        return NULL;
    }
    tables_use(engine, settings->tablebase);
    return engine;
}

size_t analyse_columns(int descriptor) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= COLUMNS_LEAST) {
        return size.ws_col;
    }
    return COLUMNS_DEFAULT;
}

luft_castling_style analyse_style(const analyse_settings *settings, const luft_position *position) {
    return settings->chess960 ? LUFT_CASTLING_CHESS960 : setup_castling_style(position);
}

void analyse_write_score(json *out, int score_white) {
    json_key(out, "score");
    json_open(out, '{');
    json_key(out, thinking_is_mate(score_white) ? "mate" : "cp");
    json_integer(out, thinking_is_mate(score_white) ? thinking_mate_in(score_white) : score_white);
    json_close(out, '}');
}

void analyse_write_moves(json *out, const char *name, const analyse_settings *settings, const luft_position *start,
                         const luft_move *moves, int count) {
    const luft_castling_style style = analyse_style(settings, start);
    json_key(out, name);
    json_open(out, '[');
    for (int i = 0; i < count; i++) {
        char text[LUFT_UCI_MOVE_SIZE];
        luft_move_to_uci(text, sizeof text, moves[i], style);
        json_string(out, text);
    }
    json_close(out, ']');
}

void analyse_write_fen(json *out, const luft_position *position) {
    char fen[LUFT_FEN_SIZE] = "";
    luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
    json_member(out, "fen", fen);
}

bool analyse_print(buffer *out) {
    return output_write(NAME, stdout, out);
}

/* --- Arguments --------------------------------------------------------------------- */

static bool read_arguments(analyse_arguments *arguments, int argc, char **argv, int *status) {
    analyse_settings *settings = &arguments->settings;
    const option operands[] = {
        option_text("FEN", NULL, "analyse this position, or startpos (default: the start position)", &arguments->fen),
    };
    const option options[] = {
        option_text("moves", "MOVES", "play these moves first, such as \"e2e4 e7e5\" or \"e4 e5\"", &arguments->moves),
        option_text("epd", "FILE", "solve a suite of positions", &arguments->epd),
        option_text("pgn", "FILE", "annotate games", &arguments->pgn),
        option_number("depth", "N", "search to this depth, 1 to 245", &arguments->depth, 1, LUFT_ENGINE_MAX_DEPTH),
        option_number("nodes", "N", "search N nodes", &arguments->nodes, 1, INT64_MAX),
        option_text("time", "SECONDS", "search for SECONDS, such as 10 or 0.5", &arguments->time),
        option_number("lines", "N", "with a position: show the N best moves, each with its variation, 1 to 256",
                      &settings->lines, 1, LUFT_ENGINE_MAX_LINES),
        option_number("threads", "N", "search with N threads, 1 to 256 (default 1)", &settings->threads, 1,
                      LUFT_ENGINE_MAX_THREADS),
        option_number("hash", "MB", "use a hash table of MB megabytes for a search (default 16)", &settings->hash_mb, 1,
                      LUFT_ENGINE_MAX_HASH_MB),
        option_text("syzygy", "DIR", "use the tablebases in DIR; several directories are separated by ':'",
                    &arguments->syzygy),
        option_number("jobs", "N", "with a suite: search N positions at once, 1 to 64 (default 1)", &settings->jobs, 1,
                      JOBS_MAX),
        option_number("game", "N", "with games: annotate only the N-th", &settings->game, 1, UINT64_MAX),
        {.name = "output",
         .letter = 'o',
         .value = "FILE",
         .help = "with games: write to FILE instead of standard output",
         .text = &settings->output},
        option_flag("json", "print JSON, one object a line", &settings->json),
        option_flag("chess960", "write castling as king takes rook (e1h1) in JSON", &settings->chess960),
    };
    const option_table table = {.command = NAME,
                                .usage = "[options] [FEN]",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .operands = operands,
                                .operand_count = sizeof operands / sizeof operands[0]};
    return options_read(&table, argc, argv, status);
}

/* Sets the limits of a search. False after an error line. */
static bool set_limits(analyse_arguments *arguments) {
    luft_engine_limits *limits = &arguments->settings.limits;
    char quoted[TEXT_QUOTED_SIZE];
    *limits = luft_engine_no_limits();
    if (arguments->time &&
        (!text_to_thousandths(&limits->movetime_ms, arguments->time, strlen(arguments->time), SECONDS_MAX) ||
         limits->movetime_ms == 0)) {
        output_error(NAME, "--time: expected seconds such as 10 or 0.5, got %s",
                     text_quote(quoted, arguments->time, strlen(arguments->time)));
        return false;
    }
    if (arguments->depth > 0) {
        limits->depth = (int)arguments->depth;
    }
    if (arguments->nodes > 0) {
        limits->nodes = (int64_t)arguments->nodes;
    }
    if (!arguments->time && arguments->depth == 0 && arguments->nodes == 0) {
        const bool from_file = arguments->epd || arguments->pgn;
        limits->nodes = from_file ? DEFAULT_NODES : LUFT_ENGINE_NO_LIMIT;
        limits->movetime_ms = from_file ? LUFT_ENGINE_NO_LIMIT : DEFAULT_TIME_MS;
    }
    return true;
}

/* Prints an error line if the arguments contradict each other. */
static bool check_arguments(analyse_arguments *arguments) {
    analyse_settings *settings = &arguments->settings;
    const char *refusal = NULL;
    if (arguments->epd && arguments->pgn) {
        refusal = "--epd and --pgn: use one of the two";
    } else if ((arguments->epd || arguments->pgn) && (arguments->fen || arguments->moves)) {
        refusal = "expected a position or a file, got both";
    } else if ((arguments->epd || arguments->pgn) && settings->lines > 0) {
        refusal = "--lines: only for a single position";
    } else if (!arguments->epd && settings->jobs > 0) {
        refusal = "--jobs: only with --epd";
    } else if (!arguments->pgn && (settings->game > 0 || settings->output)) {
        refusal = "--game and --output: only with --pgn";
    } else if (settings->chess960 && !settings->json) {
        refusal = "--chess960: only with --json";
    }
    if (refusal) {
        output_error(NAME, "%s", refusal);
        return false;
    }
    settings->lines = settings->lines > 0 ? settings->lines : 1;
    settings->jobs = settings->jobs > 0 ? settings->jobs : 1;
    return set_limits(arguments);
}

static int run(int argc, char **argv) {
    analyse_arguments arguments = {.settings = {.threads = 1, .hash_mb = LUFT_ENGINE_DEFAULT_HASH_MB}};
    int status;
    if (!read_arguments(&arguments, argc, argv, &status)) {
        return status;
    }
    if (!check_arguments(&arguments)) {
        return STATUS_USAGE;
    }
    luft_tablebase *tablebase = arguments.syzygy ? tables_open(NAME, arguments.syzygy) : NULL;
    if (arguments.syzygy && !tablebase) {
        return STATUS_USAGE;
    }
    arguments.settings.tablebase = tablebase;
    if (arguments.epd) {
        status = analyse_suite(&arguments.settings, arguments.epd);
    } else if (arguments.pgn) {
        status = analyse_games(&arguments.settings, arguments.pgn);
    } else {
        luft_game *game = setup_game(NAME, NULL, arguments.fen, arguments.moves);
        status = game ? analyse_position(&arguments.settings, game) : STATUS_USAGE;
        luft_game_free(game);
    }
    tables_report(NAME, tablebase);
    luft_tablebase_free(tablebase);
    return status;
}

const cli_command analyse_command = {"analyse", "analyse a position, solve a suite (EPD), annotate games (PGN)", run};
