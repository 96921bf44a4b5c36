/* SPDX-License-Identifier: MIT */
/*
 * `luft analyse`: analyses a position, solves a suite, or analyses files of positions and games. Here are the arguments and
 * what the forms share.
 */
#define _DEFAULT_SOURCE

#include "analyse.h"

#include "command.h"
#include "tables.h"
#include "util/lines.h"
#include "util/options.h"
#include "util/output.h"
#include "util/setup.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define NAME ANALYSE_NAME

static const char *const format_names[] = {"auto", "json", "csv", "epd", "pgn", NULL}; /* by analyse_format */

enum {
    OPTIONS_MAX = 32,         /* in the table */
    DEFAULT_TIME_MS = 3000,   /* for a single position */
    DEFAULT_NODES = 200000,   /* for each position of a file: the same result on every machine */
    SECONDS_MAX = 1000000000, /* no overflow in milliseconds */
    COLUMNS_LEAST = 40,       /* of a terminal; a smaller value is ignored */
    COLUMNS_DEFAULT = 80
};

static const char about[] =
    "With a FEN, or without an operand: prints the position and the variations of the search as it gets deeper, then\n"
    "the best move and a verdict. Searches for 3 seconds if no limit is given.\n"
    "With files of positions (EPD, or FEN with or without operations): writes each with its evaluation. With files of\n"
    "games (PGN): writes them with the evaluation of each move, and marks mistakes with better variations. A graph\n"
    "and a summary follow, on standard output with --output, else on standard error if it is a terminal.\n"
    "With --epd: solves a suite: checks the moves found against the operations bm, am and dm, and ends with a line\n"
    "\"solved N of M\".\n"
    "With files, limits apply to each position; the default is 200000 nodes. Scores are from White's view.\n"
    "^C ends the search and prints what was found so far.\n";

typedef struct analyse_arguments {
    analyse_settings settings;
    const char *const *operands; /* a FEN, or files */
    size_t operand_count;
    const char *fen;
    const char *moves;
    const char *epd;
    const char *pgn;
    const char *time;
    const char *syzygy;
    bool is_suite;
    bool has_games; /* the files are games, not positions */
    uint64_t depth; /* 0 if not given, as for nodes */
    uint64_t nodes;
} analyse_arguments;

/* --- Shared ---------------------------------------------------------------------- */

luft_engine *analyse_create_engine(const analyse_settings *settings) {
    luft_engine *engine;
    if (luft_engine_create(&engine) != LUFT_OK) {
        output_error(settings->command, "out of memory");
        return NULL;
    }
    const char *refused = luft_engine_set_threads(engine, (int)settings->threads) != LUFT_OK ? "--threads"
                          : luft_engine_set_hash(engine, settings->hash_mb) != LUFT_OK       ? "--hash"
                          : luft_engine_set_lines(engine, (int)settings->lines) != LUFT_OK   ? "--lines"
                                                                                             : NULL;
    if (refused) {
        output_error(settings->command, "%s: not enough memory", refused);
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
    option options[OPTIONS_MAX] = {
        option_text("moves", "MOVES", "play these moves first, such as \"e2e4 e7e5\" or \"e4 e5\"", &arguments->moves),
        option_text("epd", "FILE", "solve a suite of positions; with --to: analyse them", &arguments->epd),
        option_text("pgn", "FILE", "annotate games; FILE without --pgn does too", &arguments->pgn),
        option_number("depth", "N", "search to this depth, 1 to 245", &arguments->depth, 1, LUFT_ENGINE_MAX_DEPTH),
        option_number("nodes", "N", "search N nodes", &arguments->nodes, 1, INT64_MAX),
        option_text("time", "SECONDS", "search for SECONDS, such as 10 or 0.5", &arguments->time),
        option_number("lines", "N", "with a position: show the N best moves, each with its variation, 1 to 256",
                      &settings->lines, 1, LUFT_ENGINE_MAX_LINES),
        option_number("threads", "N", "search with N threads, 1 to 256 (default 1)", &settings->threads, 1,
                      LUFT_ENGINE_MAX_THREADS),
        option_number(
            "hash", "MB",
            "use a hash table of MB megabytes for a search (default 16; in files 1 for 8192 nodes, at most 16)",
            &settings->hash_mb, 1, LUFT_ENGINE_MAX_HASH_MB),
        option_text("syzygy", "DIR", "use the tablebases in DIR; several directories are separated by ':'",
                    &arguments->syzygy),
        option_number("game", "N", "with games: annotate only the N-th", &settings->game, 1, UINT64_MAX),
        {.name = "output",
         .letter = 'o',
         .value = "FILE",
         .help = "with files: write to FILE instead of standard output",
         .text = &settings->output},
        option_choice("to", "FORMAT", "with files: write json, csv, epd (positions; default) or pgn (games; default)",
                      &settings->format, format_names),
        option_text("report", "FILE", "with games: write a report to FILE, as its name ends: .html, .json or text",
                    &settings->report),
        option_flag("json", "print JSON, one object a line", &settings->json),
        option_flag("chess960", "write castling as king takes rook (e1h1) in JSON", &settings->chess960),
    };
    size_t count = 0;
    while (options[count].name) {
        count++;
    }
    batch_add_options(options + count, &settings->batch,
                      "with files: search N positions at once, 1 to 256 (default 1)");
    const option_table table = {.command = NAME,
                                .usage = "[options] [FEN | FILE...]",
                                .about = about,
                                .options = options,
                                .option_count = count + BATCH_OPTION_COUNT,
                                .rest = &arguments->operands,
                                .rest_count = &arguments->operand_count};
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
        const bool from_file = arguments->settings.path_count > 0;
        limits->nodes = from_file ? DEFAULT_NODES : LUFT_ENGINE_NO_LIMIT;
        limits->movetime_ms = from_file ? LUFT_ENGINE_NO_LIMIT : DEFAULT_TIME_MS;
    }
    return true;
}

/* Is the operand a position? A FEN has blanks; a file whose name has some can be given as ./NAME. */
static bool is_fen(const char *operand) {
    return strcmp(operand, "startpos") == 0 || (strchr(operand, ' ') && operand[0] != '.' && operand[0] != '/');
}

/* Sets the position or the files. False after an error line. */
static bool sort_operands(analyse_arguments *arguments) {
    analyse_settings *settings = &arguments->settings;
    const char *refusal = NULL;
    if (arguments->operand_count > 0 && is_fen(arguments->operands[0])) {
        arguments->fen = arguments->operands[0];
        refusal = arguments->operand_count > 1 ? "expected one position; quote its FEN" : NULL;
    } else {
        settings->paths = arguments->operands;
        settings->path_count = arguments->operand_count;
    }
    if (arguments->epd && arguments->pgn) {
        refusal = "--epd and --pgn: use one of the two";
    } else if ((arguments->epd || arguments->pgn) && settings->path_count > 0) {
        refusal = "--epd and --pgn: not with other files";
    } else if ((arguments->epd || arguments->pgn || settings->path_count > 0) && (arguments->fen || arguments->moves)) {
        refusal = "expected a position or a file, got both";
    }
    if (refusal) {
        output_error(NAME, "%s", refusal);
        return false;
    }
    if (arguments->epd || arguments->pgn) {
        settings->paths = arguments->epd ? &arguments->epd : &arguments->pgn;
        settings->path_count = 1;
    }
    return true;
}

/* Are the files games? They are positions if the first word of the first line has seven slashes. */
static bool holds_games(const char *path) {
    const size_t length = strlen(path);
    lines *reader = malloc(sizeof *reader);
    bool is_list = false;
    if (reader && strcmp(path, "-") != 0 && !strstr(path, ".pgn") && lines_open(reader, path) == LINES_READ) {
        bool going = true;
        while (going && lines_next(reader) == LINES_READ) {
            const char *text = reader->text, *word;
            size_t left = reader->length, word_length;
            if (text_next_word(&word, &word_length, &text, &left) && word[0] != '#') {
                int slashes = 0;
                for (size_t i = 0; i < word_length; i++) {
                    slashes += word[i] == '/';
                }
                is_list = slashes == 7;
                going = false;
            }
        }
    }
    if (reader && strcmp(path, "-") != 0 && !strstr(path, ".pgn")) {
        lines_close(reader);
    }
    free(reader);
    return !is_list &&
           !(length > 4 && (strcmp(path + length - 4, ".epd") == 0 || strcmp(path + length - 4, ".fen") == 0));
}

/* Chooses between games, positions and a suite, and the format. False after an error line. */
static bool choose_form(analyse_arguments *arguments) {
    analyse_settings *settings = &arguments->settings;
    const bool by_batch = batch_is_kept(&settings->batch) || settings->format != ANALYSE_AUTO || settings->output;
    const char *refusal = NULL;
    arguments->is_suite = arguments->epd && !by_batch;
    arguments->has_games = settings->path_count > 0 && !arguments->epd;
    for (size_t i = 0; arguments->has_games && !arguments->pgn && i < settings->path_count; i++) {
        const bool games = holds_games(settings->paths[i]);
        if (i > 0 && games != arguments->has_games) {
            refusal = "expected files of games or files of positions, got both";
        }
        arguments->has_games = i == 0 ? games : arguments->has_games;
    }
    settings->json |= settings->format == ANALYSE_JSON && !settings->output;
    if (settings->format == ANALYSE_AUTO) {
        settings->format = settings->json ? ANALYSE_JSON : arguments->has_games ? ANALYSE_PGN : ANALYSE_EPD;
    }
    if (settings->path_count == 0 && (settings->batch.jobs > 0 || by_batch || settings->report)) {
        refusal = "--jobs, --journal, --unit, --to, --report and --output: only with files";
    } else if (!arguments->has_games && (settings->game > 0 || settings->report)) {
        refusal = "--game and --report: only with games";
    } else if (arguments->has_games ? settings->format == ANALYSE_EPD
                                    : settings->path_count > 0 && settings->format == ANALYSE_PGN) {
        refusal = "--to: pgn is for games, epd for positions";
    }
    if (refusal) {
        output_error(NAME, "%s", refusal);
    }
    return !refusal;
}

/* The hash for the positions of files: enough for all nodes, and quickly cleared; as in web/app/src/engine/review.ts. */
static uint64_t hash_for(const luft_engine_limits *limits) {
    enum { NODES_PER_MB = 8192 };
    const int64_t wanted = (limits->nodes + NODES_PER_MB - 1) / NODES_PER_MB;
    return limits->nodes > 0 && wanted < LUFT_ENGINE_DEFAULT_HASH_MB ? (uint64_t)wanted : LUFT_ENGINE_DEFAULT_HASH_MB;
}

/* Prints an error line if the arguments contradict each other. */
static bool check_arguments(analyse_arguments *arguments) {
    analyse_settings *settings = &arguments->settings;
    if (!sort_operands(arguments) || !choose_form(arguments) || !batch_check(&settings->batch, NAME)) {
        return false;
    }
    const char *refusal = NULL;
    if (settings->path_count > 0 && settings->lines > 0) {
        refusal = "--lines: only for a single position";
    } else if (settings->chess960 && !settings->json && settings->format != ANALYSE_JSON) {
        refusal = "--chess960: only with --json";
    }
    if (refusal) {
        output_error(NAME, "%s", refusal);
        return false;
    }
    settings->lines = settings->lines > 0 ? settings->lines : 1;
    if (!set_limits(arguments)) {
        return false;
    }
    if (settings->hash_mb == 0) {
        settings->hash_mb = settings->path_count > 0 ? hash_for(&settings->limits) : LUFT_ENGINE_DEFAULT_HASH_MB;
    }
    return true;
}

static int run(analyse_arguments *arguments) {
    analyse_settings *settings = &arguments->settings;
    luft_tablebase *tablebase = arguments->syzygy ? tables_open(NAME, arguments->syzygy) : NULL;
    int status;
    if (arguments->syzygy && !tablebase) {
        return STATUS_USAGE;
    }
    settings->tablebase = tablebase;
    if (arguments->is_suite) {
        status = analyse_suite(settings, arguments->epd);
    } else if (settings->path_count > 0) {
        status = arguments->has_games ? analyse_games(settings) : analyse_list(settings);
    } else {
        luft_game *game = setup_game(NAME, NULL, arguments->fen, arguments->moves);
        status = game ? analyse_position(settings, game) : STATUS_USAGE;
        luft_game_free(game);
    }
    tables_report(NAME, tablebase);
    luft_tablebase_free(tablebase);
    return status;
}

int analyse_run(int argc, char **argv, const unit_runner *runner) {
    analyse_arguments arguments = {.settings = {.command = NAME, .threads = 1, .runner = runner}};
    char **kept = malloc(((size_t)argc + 1) * sizeof *kept); // NOLINT(bugprone-sizeof-expression): pointers
    int status;
    if (!kept) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    memcpy(kept, argv, ((size_t)argc + 1) * sizeof *kept); // NOLINT(bugprone-sizeof-expression): reading sorts argv
    arguments.settings.batch.argc = argc;
    arguments.settings.batch.argv = kept;
    if (!read_arguments(&arguments, argc, argv, &status)) {
        free(kept);
        return status;
    }
    status = check_arguments(&arguments) ? run(&arguments) : STATUS_USAGE;
    free(kept);
    return status;
}

static int run_by_threads(int argc, char **argv) {
    return analyse_run(argc, argv, &units_by_threads);
}

const cli_command analyse_command = {"analyse", "analyse a position, lists of positions (EPD, FEN), games (PGN)",
                                     run_by_threads};
