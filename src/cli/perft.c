/* SPDX-License-Identifier: MIT */
/*
 * `luft perft`: counts the sequences of legal moves of a length, and prints the
 * counts for people or as JSON. The counting itself is the library's; the files
 * of positions with known counts are suite.c's.
 */
#include "command.h"
#include "counting.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "setup.h"
#include "suite.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAME "perft"
#define NOT_GIVEN UINT64_MAX

static const char *const method_names[] = {"two-ply", "one-ply", "plain", NULL};

static const char *const method_meanings[] = {
    "the last two plies are counted together, most of their moves are not made", "the last ply is counted, not made",
    "every move is made"};

static const char about[] = "Counts the ways to play DEPTH plies (moves of one side) from a position.\n";

/* The arguments as they were given. */
typedef struct perft_arguments {
    uint64_t depth; /* NOT_GIVEN if it is missing, and so below */
    const char *fen;
    const char *moves;
    int method; /* a luft_perft_method */
    bool divide;
    bool detail;
    bool json;
    const char *suite;
    uint64_t max_depth;
    uint64_t max_nodes;
} perft_arguments;

typedef struct perft_result {
    luft_position position;
    int depth;
    uint64_t nodes;
    double seconds;
    int move_count; /* of the root; 0 unless the counts are divided */
    named_move moves[LUFT_MAX_MOVES];
    uint64_t move_nodes[LUFT_MAX_MOVES];
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

static void count(perft_result *result, const perft_arguments *arguments) {
    const luft_perft_method method = (luft_perft_method)arguments->method;
    char label[32];
    progress line;
    snprintf(label, sizeof label, "perft %d", result->depth);
    progress_start(&line, label, true);
    if (arguments->divide && result->depth > 0) {
        result->move_count = setup_sorted_moves(result->moves, &result->position);
        for (int i = 0; i < result->move_count; i++) {
            luft_position next;
            luft_make(&next, &result->position, result->moves[i].move);
            result->move_nodes[i] = counting_nodes(&line, &next, result->depth - 1, method, 1.0 / result->move_count);
            result->nodes += result->move_nodes[i];
        }
    } else {
        result->nodes = counting_nodes(&line, &result->position, result->depth, method, 1);
    }
    result->seconds = clock_seconds() - line.started;
    progress_clear(&line);
}

/* False if the details know another number of nodes, which would be an error of the program. */
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
    return result->depth == 0 || result->details[result->depth].nodes == result->nodes;
}

static double million_nodes_per_second(const perft_result *result) {
    return result->seconds > 0 ? (double)result->nodes / result->seconds * 1e-6 : 0;
}

/* --- Output for people --------------------------------------------------- */

static void print_divide(const perft_result *result) {
    for (int i = 0; i < result->move_count; i++) {
        printf("%s: %" PRIu64 "\n", result->moves[i].text, result->move_nodes[i]);
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
    char grouped[TEXT_GROUPED_SIZE];
    const luft_position start = luft_start_position();
    const bool from_start = luft_position_equal(&result->position, &start);
    const char *which = from_start ? "first" : "next";
    printf("From %s position there ", from_start ? "the start" : "this");
    if (result->nodes == 0) {
        printf("is no way");
    } else if (result->nodes == 1) {
        printf("is 1 way");
    } else {
        printf("are %s ways", text_group_digits(grouped, result->nodes));
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
    printf("Method: %s (%s)\n\n", method_names[arguments->method], method_meanings[arguments->method]);
    printf("Nodes searched: %" PRIu64 "\n", result->nodes);
    printf("Time: %.3f s, %.1f Mnps\n", result->seconds, million_nodes_per_second(result));
}

/* --- Output for programs ------------------------------------------------- */

static void print_json_details(const perft_result *result) {
    uint64_t values[COLUMN_COUNT];
    printf(",\n  \"details\": [");
    for (int depth = 1; depth <= result->depth; depth++) {
        get_columns(values, &result->details[depth]);
        printf("%s\n    {\"depth\": %d", depth > 1 ? "," : "", depth);
        for (int column = 0; column < COLUMN_COUNT; column++) {
            printf(", \"%s\": %" PRIu64, json_names[column], values[column]);
        }
        printf("}");
    }
    printf("\n  ],\n  \"detail_seconds\": %.6f", result->detail_seconds);
}

/* A FEN and a move hold no character that JSON would want escaped. */
static void print_json(const perft_result *result, const perft_arguments *arguments) {
    char fen[LUFT_FEN_SIZE] = "";
    luft_position_to_fen(fen, sizeof fen, &result->position, LUFT_FEN_STANDARD);
    printf("{\n  \"fen\": \"%s\",\n  \"depth\": %d,\n  \"method\": \"%s\",\n", fen, result->depth,
           method_names[arguments->method]);
    printf("  \"nodes\": %" PRIu64 ",\n  \"seconds\": %.6f,\n  \"mnps\": %.3f", result->nodes, result->seconds,
           million_nodes_per_second(result));
    if (arguments->divide) {
        printf(",\n  \"divide\": {");
        for (int i = 0; i < result->move_count; i++) {
            printf("%s\n    \"%s\": %" PRIu64, i > 0 ? "," : "", result->moves[i].text, result->move_nodes[i]);
        }
        printf("\n  }");
    }
    if (arguments->detail) {
        print_json_details(result);
    }
    printf("\n}\n");
}

/* --- The command --------------------------------------------------------- */

static options_result read_arguments(perft_arguments *arguments, int argc, char **argv) {
    const option operands[] = {
        {.name = "DEPTH",
         .help = "how many plies, 0 to 64",
         .number = &arguments->depth,
         .maximum = LUFT_PERFT_MAX_DEPTH},
    };
    const option options[] = {
        {.name = "fen",
         .value = "FEN",
         .help = "the position; without it, the start position",
         .text = &arguments->fen},
        {.name = "moves",
         .value = "MOVES",
         .help = "moves to play first, such as \"e2e4 e7e5\"",
         .text = &arguments->moves},
        {.name = "method",
         .value = "METHOD",
         .help =
             "two-ply: count the last two plies together (default); one-ply: count the last; plain: make every move",
         .choice = &arguments->method,
         .choices = method_names},
        {.name = "divide", .help = "print the count of each first move too", .flag = &arguments->divide},
        {.name = "detail",
         .help = "print how many captures, checks, mates and so on each depth has",
         .flag = &arguments->detail},
        {.name = "json", .help = "print one JSON object and nothing else", .flag = &arguments->json},
        {.name = "suite",
         .value = "FILE",
         .help = "check the counts of a file with lines such as FEN ;D1 20 ;D2 400 (- is standard input)",
         .text = &arguments->suite},
        {.name = "max-depth",
         .value = "D",
         .help = "in a suite, leave out counts of a greater depth",
         .number = &arguments->max_depth,
         .maximum = LUFT_PERFT_MAX_DEPTH},
        {.name = "max-nodes",
         .value = "N",
         .help = "in a suite, leave out counts greater than N",
         .number = &arguments->max_nodes,
         .maximum = UINT64_MAX - 1},
    };
    const option_table table = {.command = NAME,
                                .usage =
                                    "[options] DEPTH\n       luft perft --suite FILE [--max-depth D] [--max-nodes N]",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .operands = operands,
                                .operand_count = sizeof operands / sizeof operands[0]};
    return options_parse(&table, argc, argv);
}

/* Do the arguments go together? Prints an error line if they do not. */
static bool check_arguments(const perft_arguments *arguments) {
    if (arguments->suite) {
        if (arguments->depth != NOT_GIVEN || arguments->fen || arguments->moves || arguments->divide ||
            arguments->detail || arguments->json) {
            output_error(NAME, "--suite goes with --method, --max-depth and --max-nodes only");
            return false;
        }
        return true;
    }
    if (arguments->max_depth != NOT_GIVEN || arguments->max_nodes != NOT_GIVEN) {
        output_error(NAME, "--max-depth and --max-nodes go with --suite only");
        return false;
    }
    if (arguments->depth == NOT_GIVEN) {
        output_error(NAME, "DEPTH is missing (luft perft 6 counts six plies; luft perft --help)");
        return false;
    }
    return true;
}

static int run_suite(const perft_arguments *arguments) {
    const suite_request request = {.command = NAME,
                                   .path = arguments->suite,
                                   .method = (luft_perft_method)arguments->method,
                                   .max_depth = arguments->max_depth,
                                   .max_nodes = arguments->max_nodes};
    return suite_run(&request);
}

static int run_perft(const perft_arguments *arguments) {
    perft_result result;
    memset(&result, 0, sizeof result);
    result.depth = (int)arguments->depth;
    if (!setup_position(&result.position, NAME, "--fen", arguments->fen, arguments->moves)) {
        return STATUS_USAGE;
    }
    int status = STATUS_OK;
    count(&result, arguments);
    if (arguments->detail && !count_details(&result)) {
        output_error(NAME, "the details count %" PRIu64 " nodes and perft %" PRIu64 ": please report this",
                     result.details[result.depth].nodes, result.nodes);
        status = STATUS_FAILED;
    }
    if (arguments->json) {
        print_json(&result, arguments);
    } else {
        print_text(&result, arguments);
    }
    return status;
}

static int run(int argc, char **argv) {
    perft_arguments arguments = {.depth = NOT_GIVEN, .max_depth = NOT_GIVEN, .max_nodes = NOT_GIVEN};
    switch (read_arguments(&arguments, argc, argv)) {
    case OPTIONS_HELP: return STATUS_OK;
    case OPTIONS_BAD: return STATUS_USAGE;
    case OPTIONS_READ: break;
    }
    if (!check_arguments(&arguments)) {
        return STATUS_USAGE;
    }
    return arguments.suite ? run_suite(&arguments) : run_perft(&arguments);
}

const cli_command perft_command = {NAME, "count the ways to play a number of moves", run};
