/* SPDX-License-Identifier: MIT */
/* `luft tb`: finds the subcommand, and opens the tables of those with an operand DIR. */
#include "command.h"
#include "commands.h"
#include "tables.h"

#include "util/options.h"

luft_tablebase *tb_open_operand(const char *command, const char *about, const option *options, size_t option_count,
                                int argc, char **argv, int *status) {
    const char *directories = NULL;
    const option operands[] = {
        {.name = "DIR", .help = "directories with tables", .text = &directories, .required = true}};
    const option_table table = {.command = command,
                                .usage = "[options] DIR",
                                .about = about,
                                .options = options,
                                .option_count = option_count,
                                .operands = operands,
                                .operand_count = sizeof operands / sizeof operands[0]};
    if (!options_read(&table, argc, argv, status)) {
        return NULL;
    }
    *status = STATUS_USAGE; /* if they cannot be opened */
    return tables_open(command, directories);
}

static const cli_command subcommands[] = {
    {"probe", "print results, distances and moves of positions", tb_probe},
    {"check", "check the structure and the checksums of tables", tb_check},
    {"stats", "count tables by their number of pieces", tb_stats},
};

static int run(int argc, char **argv) {
    const cli_group group = {.name = "luft tb",
                             .usage = "[options] [ARGUMENT...]",
                             .about = "Reads Syzygy tablebases.\n",
                             .subcommands = subcommands,
                             .count = sizeof subcommands / sizeof subcommands[0]};
    return cli_run_subcommand(&group, argc, argv);
}

const cli_command tb_command = {"tb", "probe and check Syzygy tablebases", run};
