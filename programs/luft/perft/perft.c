/* SPDX-License-Identifier: MIT */
/*
 * `luft perft`: counts the sequences of legal moves of a given length, and prints the counts as text or JSON. The
 * library counts; suite.c runs files of positions with known counts.
 */
#include "batch.h"
#include "command.h"
#include "counting.h"
#include "parts.h"
#include "suite.h"

#include "util/clock.h"
#include "util/json.h"
#include "util/numa.h"
#include "util/options.h"
#include "util/output.h"
#include "util/pages.h"
#include "util/progress.h"
#include "util/setup.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAME "luft perft"
#define NOT_GIVEN UINT64_MAX

static const char *const method_names[] = {"two-ply", "one-ply", "plain", NULL};

static const char *const method_meanings[] = {"counts the last two plies together, without making most of their moves",
                                              "counts the last ply without making its moves", "makes every move"};

static const char about[] = "Counts the ways to play DEPTH plies (moves of one side) from a position.\n";

/* The arguments as given. */
typedef struct perft_arguments {
    uint64_t depth; /* NOT_GIVEN if missing, as for max_depth and max_nodes */
    const char *fen;
    const char *moves;
    int method;       /* a luft_perft_method */
    uint64_t threads; /* default 1 */
    uint64_t hash;    /* megabytes; 0 for none */
    bool divide;
    bool detail;
    bool json;
    const char *suite;
    uint64_t max_depth;
    uint64_t max_nodes;
    bool twice;
    uint64_t seed; /* NOT_GIVEN if missing */
    batch_options batch;
    const unit_runner *runner;
    const parts_result *parts; /* of a count in units; NULL for others */
} perft_arguments;

/* Is the work cut into units? Else threads of this process count without them, which shows progress by nodes. */
static bool has_units(const perft_arguments *arguments) {
    return batch_is_kept(&arguments->batch) || arguments->twice || arguments->seed != NOT_GIVEN ||
           arguments->runner != &units_by_threads;
}

typedef struct perft_result {
    luft_position position;
    int depth;
    int threads; /* that counted */
    luft_count nodes;
    double seconds;
    int move_count; /* of the root; 0 unless the counts are divided */
    named_move moves[LUFT_MAX_MOVES];
    luft_count move_nodes[LUFT_MAX_MOVES];
    double detail_seconds;
    luft_perft_details details[LUFT_PERFT_MAX_DEPTH + 1]; /* by depth, from 1 */
} perft_result;

/* --- The columns of the details ------------------------------------------ */

#define COLUMN_COUNT 9

static const char *const column_titles[COLUMN_COUNT] = {"nodes",  "captures",   "e.p.",   "castles", "promotions",
                                                        "checks", "discovered", "double", "mates"};

static const char *const json_names[COLUMN_COUNT] = {"nodes",      "captures", "en_passant",        "castles",
                                                     "promotions", "checks",   "discovered_checks", "double_checks",
                                                     "mates"};

static void get_columns(uint64_t values[COLUMN_COUNT], const luft_perft_details *details) {
    values[0] = details->nodes;
    values[1] = details->captures;
    values[2] = details->en_passant;
    values[3] = details->castles;
    values[4] = details->promotions;
    values[5] = details->checks;
    values[6] = details->discovered_checks;
    values[7] = details->double_checks;
    values[8] = details->mates;
}

/* --- Counting ------------------------------------------------------------ */

/* Counts each root move separately, or all together. */
static counting_result count(perft_result *result, const perft_arguments *arguments, counting how) {
    luft_position after[LUFT_MAX_MOVES];
    counting_result outcome = COUNTING_DONE;
    char label[32];
    progress line;
    snprintf(label, sizeof label, "perft %d", result->depth);
    progress_start(&line, label, true);
    how.line = &line;
    how.threads_started = &result->threads;
    if (arguments->divide && result->depth > 0) {
        result->move_count = setup_sorted_moves(result->moves, &result->position);
        for (int i = 0; i < result->move_count; i++) {
            luft_make(&after[i], &result->position, result->moves[i].move);
        }
        outcome = counting_run(result->move_nodes, &how, after, result->move_count, result->depth - 1, 1);
        for (int i = 0; i < result->move_count && outcome == COUNTING_DONE; i++) {
            outcome = luft_count_add(&result->nodes, result->move_nodes[i]) ? COUNTING_DONE : COUNTING_OVERFLOW;
        }
    } else {
        outcome = counting_run(&result->nodes, &how, &result->position, 1, result->depth, 1);
    }
    result->seconds = clock_seconds() - line.started;
    progress_clear(&line);
    return outcome;
}

/* Sets up the counting; the table, if any, is in `memory`. False after an error line. */
static bool prepare(counting *how, luft_perft_table *table, pages *memory, const perft_arguments *arguments) {
    *how = (counting){.method = (luft_perft_method)arguments->method, .threads = (int)arguments->threads};
    *memory = (pages){0};
    if (arguments->hash > 0) {
        const size_t size = (size_t)arguments->hash << 20;
        const unit_runner *runner = arguments->runner;
        void *shared = runner->share ? runner->share(runner->payload, size) : NULL; /* freed by the runner */
        if (!(shared || pages_allocate(memory, size)) ||
            luft_perft_table_init(table, shared ? shared : memory->memory, size) != LUFT_OK) {
            output_error(NAME, "--hash: cannot allocate %" PRIu64 " MB", arguments->hash);
            return false;
        }
        if (!shared) {
            numa_map nodes;
            numa_read(&nodes, NUMA_DIRECTORY);
            numa_spread(&nodes, memory->memory, size); /* all threads read all of it */
        }
        how->table = table;
    }
    return true;
}

/* False if the details give another number of nodes, which would be a bug. */
static bool count_details(perft_result *result) {
    const double started = clock_seconds();
    for (int depth = 1; depth <= result->depth; depth++) {
        char label[32];
        progress line;
        snprintf(label, sizeof label, "details of depth %d", depth);
        progress_start(&line, label, true);
        counting_details(&result->details[depth], &line, &result->position, depth, 1);
        progress_clear(&line);
    }
    result->detail_seconds = clock_seconds() - started;
    return result->depth == 0 || (result->nodes.high == 0 && result->details[result->depth].nodes == result->nodes.low);
}

/* Only for counts without a table: with one, most nodes are never visited, and a rate would mean nothing. */
static double million_nodes_per_second(const perft_result *result) {
    const double nodes = (double)result->nodes.high * 0x1p64 + (double)result->nodes.low;
    return result->seconds > 0 ? nodes / result->seconds * 1e-6 : 0;
}

/* --- Output for people --------------------------------------------------- */

static void print_divide(const perft_result *result) {
    char digits[TEXT_COUNT_SIZE];
    for (int i = 0; i < result->move_count; i++) {
        printf("%s: %s\n", result->moves[i].text, text_count(digits, result->move_nodes[i], false));
    }
    printf("\n");
}

static void print_details(const perft_result *result) {
    uint64_t values[COLUMN_COUNT];
    int widths[COLUMN_COUNT];
    for (int column = 0; column < COLUMN_COUNT; column++) {
        widths[column] = (int)strlen(column_titles[column]);
        for (int depth = 1; depth <= result->depth; depth++) {
            get_columns(values, &result->details[depth]);
            const int width = snprintf(NULL, 0, "%" PRIu64, values[column]);
            widths[column] = width > widths[column] ? width : widths[column];
        }
    }
    printf("depth");
    for (int column = 0; column < COLUMN_COUNT; column++) {
        printf("  %*s", widths[column], column_titles[column]);
    }
    printf("\n");
    for (int depth = 1; depth <= result->depth; depth++) {
        get_columns(values, &result->details[depth]);
        printf("%5d", depth);
        for (int column = 0; column < COLUMN_COUNT; column++) {
            printf("  %*" PRIu64, widths[column], values[column]);
        }
        printf("\n");
    }
    printf("(The details were counted apart, in %.3f s.)\n\n", result->detail_seconds);
}

static void print_summary(const perft_result *result) {
    char grouped[TEXT_COUNT_SIZE];
    const luft_position start = luft_start_position();
    const bool from_start = luft_position_equal(&result->position, &start);
    const char *which = from_start ? "first" : "next";
    printf("From %s position there ", from_start ? "the start" : "this");
    if (result->nodes.high == 0 && result->nodes.low == 0) {
        printf("are 0 ways");
    } else if (result->nodes.high == 0 && result->nodes.low == 1) {
        printf("is 1 way");
    } else {
        printf("are %s ways", text_count(grouped, result->nodes, true));
    }
    if (result->depth == 0) {
        printf(" to play no move at all.\n");
    } else if (result->depth == 1) {
        printf(" to play the %s move.\n", which);
    } else {
        printf(" to play the %s %d moves (plies).\n", which, result->depth);
    }
}

static void print_text(const perft_result *result, const perft_arguments *arguments) {
    if (arguments->divide) {
        print_divide(result);
    }
    if (arguments->detail && result->depth > 0) {
        print_details(result);
    }
    print_summary(result);
    printf("Method: %s (%s)\n", method_names[arguments->method], method_meanings[arguments->method]);
    if (arguments->hash > 0) {
        printf("Hash: %" PRIu64 " MB (positions that were reached before are not counted again)\n", arguments->hash);
    }
    if (result->threads > 1) {
        printf("Threads: %d\n", result->threads);
    }
    if (arguments->parts) {
        printf("Units: %" PRIu64 " positions for %" PRIu64 " ways to reach them, %" PRIu64 " counted by this run%s\n",
               arguments->parts->units, arguments->parts->ways, arguments->parts->counted,
               arguments->twice ? ", each twice with the same count" : "");
    }
    char digits[TEXT_COUNT_SIZE];
    printf("\nNodes searched: %s\n", text_count(digits, result->nodes, false));
    printf("Time: %.3f s", result->seconds);
    if (arguments->hash == 0 && !arguments->parts) {
        printf(", %.1f Mnps", million_nodes_per_second(result));
    }
    printf("\n");
}

/* --- Output for programs ------------------------------------------------- */

static void write_json_details(json *out, const perft_result *result) {
    uint64_t values[COLUMN_COUNT];
    json_key(out, "details");
    json_open_lines(out, '[');
    for (int depth = 1; depth <= result->depth; depth++) {
        get_columns(values, &result->details[depth]);
        json_open(out, '{');
        json_count(out, "depth", (uint64_t)depth);
        for (int column = 0; column < COLUMN_COUNT; column++) {
            json_count(out, json_names[column], values[column]);
        }
        json_close(out, '}');
    }
    json_close(out, ']');
    json_key(out, "detail_seconds");
    json_real(out, result->detail_seconds, 6);
}

static void write_json_divide(json *out, const perft_result *result) {
    char digits[TEXT_COUNT_SIZE];
    json_key(out, "divide");
    json_open_lines(out, '{');
    for (int i = 0; i < result->move_count; i++) {
        json_key(out, result->moves[i].text);
        json_literal(out, text_count(digits, result->move_nodes[i], false));
    }
    json_close(out, '}');
}

/* False if it cannot be printed. */
static bool print_json(const perft_result *result, const perft_arguments *arguments) {
    char fen[LUFT_FEN_SIZE] = "", digits[TEXT_COUNT_SIZE];
    buffer text = {0};
    json out = {.text = &text};
    luft_position_to_fen(fen, sizeof fen, &result->position, LUFT_FEN_STANDARD);
    json_open_lines(&out, '{');
    json_member(&out, "fen", fen);
    json_count(&out, "depth", (uint64_t)result->depth);
    json_member(&out, "method", method_names[arguments->method]);
    json_count(&out, "threads", (uint64_t)result->threads);
    json_count(&out, "hash_mb", arguments->hash);
    json_key(&out, "nodes");
    json_literal(&out, text_count(digits, result->nodes, false));
    json_key(&out, "seconds");
    json_real(&out, result->seconds, 6);
    json_key(&out, "mnps");
    if (arguments->hash == 0 && !arguments->parts) {
        json_real(&out, million_nodes_per_second(result), 3);
    } else {
        json_null(&out);
    }
    if (arguments->divide) {
        write_json_divide(&out, result);
    }
    if (arguments->detail) {
        write_json_details(&out, result);
    }
    json_close(&out, '}');
    buffer_append_text(&text, "\n");
    const bool good = output_write(NAME, stdout, &text);
    buffer_free(&text);
    return good;
}

/* --- The command --------------------------------------------------------- */

enum { OPTIONS_MAX = 24 };

static bool read_arguments(perft_arguments *arguments, int argc, char **argv, int *status) {
    const option operands[] = {
        option_number("DEPTH", NULL, "count DEPTH plies, 0 to 64", &arguments->depth, 0, LUFT_PERFT_MAX_DEPTH),
    };
    option options[OPTIONS_MAX] = {
        option_text("fen", "FEN", "count from this position (default: the start position)", &arguments->fen),
        option_text("moves", "MOVES", "play these moves first, such as \"e2e4 e7e5\" or \"e4 e5\"", &arguments->moves),
        option_choice(
            "method", "METHOD",
            "two-ply: count the last two plies together (default); one-ply: count the last; plain: make every move",
            &arguments->method, method_names),
        option_number("threads", "N", "count with N threads, 1 to 256 (default 1)", &arguments->threads, 1,
                      COUNTING_MAX_THREADS),
        option_number("hash", "MB", "keep finished counts in a table of MB megabytes (two-ply only)", &arguments->hash,
                      0, SIZE_MAX >> 20),
        option_flag("divide", "also print the count of each root move", &arguments->divide),
        option_flag("detail", "also print the captures, checks, mates and so on of each depth", &arguments->detail),
        option_flag("json", "print one JSON object", &arguments->json),
        option_text("suite", "FILE",
                    "check the counts of a file with lines such as FEN ;D1 20 ;D2 400 (- is standard input)",
                    &arguments->suite),
        option_number("max-depth", "D", "with --suite: leave out counts of a greater depth", &arguments->max_depth, 0,
                      LUFT_PERFT_MAX_DEPTH),
        option_number("max-nodes", "N", "with --suite: leave out counts greater than N", &arguments->max_nodes, 0,
                      UINT64_MAX - 1),
        option_flag("twice", "count each part of the tree twice, with the keys of two seeds, and compare",
                    &arguments->twice),
        option_number("seed", "N", "with --hash: make the Zobrist keys of the table from N", &arguments->seed, 0,
                      (UINT64_C(1) << 63) - 1),
    };
    size_t count = 0;
    while (options[count].name) {
        count++;
    }
    batch_add_options(options + count, &arguments->batch, "");
    const option_table table = {.command = NAME,
                                .usage =
                                    "[options] DEPTH\n       luft perft --suite FILE [--max-depth D] [--max-nodes N]",
                                .about = about,
                                .options = options,
                                .option_count = count + BATCH_OPTION_COUNT - 1, /* without --jobs */
                                .operands = operands,
                                .operand_count = sizeof operands / sizeof operands[0]};
    return options_read(&table, argc, argv, status);
}

/* Prints an error line if the arguments contradict each other. */
static bool check_arguments(const perft_arguments *arguments) {
    if (arguments->hash > 0 && arguments->method != LUFT_PERFT_TWO_PLY) {
        output_error(NAME, "--hash: only with the two-ply method");
        return false;
    }
    if (has_units(arguments) &&
        (arguments->suite || arguments->divide || arguments->detail || arguments->method != LUFT_PERFT_TWO_PLY)) {
        output_error(
            NAME, "--journal, --unit, --from, --twice and --seed: not with --suite, --divide, --detail and --method");
        return false;
    }
    if (arguments->seed != NOT_GIVEN && arguments->hash == 0) {
        output_error(NAME, "--seed: only with --hash");
        return false;
    }
    if (arguments->suite) {
        if (arguments->depth != NOT_GIVEN || arguments->fen || arguments->moves || arguments->divide ||
            arguments->detail || arguments->json) {
            output_error(NAME, "--suite: only with --method, --threads, --hash, --max-depth and --max-nodes");
            return false;
        }
        return true;
    }
    if (arguments->max_depth != NOT_GIVEN || arguments->max_nodes != NOT_GIVEN) {
        output_error(NAME, "--max-depth and --max-nodes: only with --suite");
        return false;
    }
    if (arguments->depth == NOT_GIVEN) {
        output_error(NAME, "DEPTH is missing (luft perft 6 counts six plies; luft perft --help)");
        return false;
    }
    return true;
}

static int run_suite(const perft_arguments *arguments, const counting *how) {
    const suite_request request = {.command = NAME,
                                   .path = arguments->suite,
                                   .how = *how,
                                   .max_depth = arguments->max_depth,
                                   .max_nodes = arguments->max_nodes};
    return suite_run(&request);
}

/* Counts in units, and prints the count unless this run is only a part of the work. */
static int run_parts(perft_result *result, const perft_arguments *arguments, const counting *how) {
    const parts_request request = {.command = NAME,
                                   .batch = &arguments->batch,
                                   .runner = arguments->runner,
                                   .table = how->table,
                                   .position = result->position,
                                   .depth = result->depth,
                                   .threads = how->threads,
                                   .seed = arguments->seed == NOT_GIVEN ? 0 : arguments->seed,
                                   .twice = arguments->twice};
    const double started = clock_seconds();
    parts_result counted;
    const int status = parts_run(&counted, &request);
    if (status != STATUS_OK || !counted.is_printed) {
        return status;
    }
    perft_arguments shown = *arguments;
    shown.parts = &counted;
    result->nodes = counted.nodes;
    result->threads = how->threads;
    result->seconds = clock_seconds() - started;
    if (shown.json) {
        return print_json(result, &shown) ? STATUS_OK : STATUS_FAILED;
    }
    print_text(result, &shown);
    return STATUS_OK;
}

static int run_perft(const perft_arguments *arguments, const counting *how) {
    perft_result result;
    memset(&result, 0, sizeof result);
    result.depth = (int)arguments->depth;
    if (!setup_position(&result.position, NAME, "--fen", arguments->fen, arguments->moves)) {
        return STATUS_USAGE;
    }
    int status = STATUS_OK;
    if (has_units(arguments)) {
        return run_parts(&result, arguments, how);
    }
    switch (count(&result, arguments, *how)) {
    case COUNTING_DONE: break;
    case COUNTING_NO_MEMORY: output_error(NAME, "out of memory"); return STATUS_FAILED;
    case COUNTING_OVERFLOW: output_error(NAME, "the count does not fit in 128 bits"); return STATUS_FAILED;
    }
    if (arguments->detail && !count_details(&result)) {
        char digits[TEXT_COUNT_SIZE];
        output_error(NAME, "the details count %" PRIu64 " nodes and perft %s: please report this",
                     result.details[result.depth].nodes, text_count(digits, result.nodes, false));
        status = STATUS_FAILED;
    }
    if (arguments->json) {
        status = print_json(&result, arguments) ? status : STATUS_FAILED;
    } else {
        print_text(&result, arguments);
    }
    return status;
}

int perft_run(int argc, char **argv, const unit_runner *runner) {
    perft_arguments arguments = {.depth = NOT_GIVEN,
                                 .max_depth = NOT_GIVEN,
                                 .max_nodes = NOT_GIVEN,
                                 .seed = NOT_GIVEN,
                                 .threads = 1,
                                 .runner = runner};
    int status;
    arguments.batch.argc = argc;
    arguments.batch.argv = argv; /* without further operands, reading leaves them as they are */
    if (!read_arguments(&arguments, argc, argv, &status)) {
        return status;
    }
    if (!check_arguments(&arguments) || !batch_check(&arguments.batch, NAME)) {
        return STATUS_USAGE;
    }
    counting how;
    luft_perft_table table;
    pages memory;
    if (!prepare(&how, &table, &memory, &arguments)) {
        return STATUS_USAGE; /* nothing was counted: --hash is like a file that is missing */
    }
    status = arguments.suite ? run_suite(&arguments, &how) : run_perft(&arguments, &how);
    pages_free(&memory);
    return status;
}

static int run_by_threads(int argc, char **argv) {
    return perft_run(argc, argv, &units_by_threads);
}

const cli_command perft_command = {"perft", "count the ways to play a number of moves", run_by_threads};
