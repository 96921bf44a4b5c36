/* SPDX-License-Identifier: MIT */
/* `luft bench`: runs the benchmark of uci/bench.h. */
#include "command.h"

#include "uci/bench.h"
#include "util/clock.h"
#include "util/options.h"

#include <stdio.h>

#define NAME "luft bench"

static const char about[] =
    "Searches fifty positions of all phases of the game to DEPTH plies, with one thread and an\n"
    "empty hash table for each, and prints the nodes of each. The last line is\n"
    "\"<n> nodes <m> nps\". The nodes are the same with every compiler and on every processor:\n"
    "they are the signature of search and evaluation.\n";

static void print_line(void *payload, const char *line) {
    (void)payload;
    puts(line);
}

static int64_t now_us(void *payload) {
    (void)payload;
    return clock_microseconds();
}

static int run(int argc, char **argv) {
    uint64_t depth = BENCH_DEPTH;
    const option operands[] = {option_number("DEPTH", NULL, "search to this depth in plies, 1 to 245 (default 12)",
                                             &depth, 1, LUFT_ENGINE_MAX_DEPTH)};
    const option_table table = {
        .command = NAME, .usage = "[DEPTH]", .about = about, .operands = operands, .operand_count = 1};
    int status;
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    luft_engine *engine;
    if (luft_engine_create(&engine) != LUFT_OK) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    const bench_client client = {.print = print_line, .now_us = now_us};
    const bool done = bench_run(engine, (int)depth, NULL, &client) == BENCH_DONE;
    luft_engine_free(engine);
    if (!done) {
        output_error(NAME, BENCH_FAILED_TEXT);
        return STATUS_FAILED;
    }
    return STATUS_OK;
}

const cli_command bench_command = {"bench", "search a set of positions: nodes and speed", run};
