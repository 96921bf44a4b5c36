/* SPDX-License-Identifier: MIT */
/* `luft tb check`: the structure and the checksum of every table, one line each. */
#include "commands.h"

#include "luft/luft.h"
#include "util/buffer.h"
#include "util/options.h"
#include "util/output.h"

#define NAME "luft tb check"

static const char about[] =
    "Checks the structure of every table in the directories, which are separated by ':', and compares its checksum.\n"
    "Prints a line for each table; the last line is tables=N errors=M. The exit status is 1 if there are errors.\n";

int tb_check(int argc, char **argv) {
    bool quick = false, quiet = false;
    int status;
    const option options[] = {
        option_flag("quick", "check the structure only: the checksum needs all bytes of a table", &quick),
        option_flag("quiet", "print only the tables with errors, and the last line", &quiet),
    };
    luft_tablebase *tablebase =
        tb_open_operand(NAME, about, options, sizeof options / sizeof options[0], argc, argv, &status);
    if (!tablebase) {
        return status;
    }
    buffer text = {0};
    bool is_written = true;
    size_t errors = 0;
    const size_t count = luft_tablebase_count(tablebase);
    for (size_t i = 0; i < count && is_written; i++) {
        const luft_error error =
            quick ? luft_tablebase_check_table(tablebase, i) : luft_tablebase_check_sum(tablebase, i);
        luft_tablebase_table found;
        luft_tablebase_get_table(&found, tablebase, i);
        const char *suffix = found.kind == LUFT_TABLEBASE_WDL ? "rtbw" : "rtbz";
        if (error != LUFT_OK) {
            errors++;
            buffer_printf(&text, "%s.%s: error: %s\n", found.name, suffix,
                          found.reason ? found.reason : luft_error_string(error));
        } else if (!quiet) {
            buffer_printf(&text, "%s.%s: ok\n", found.name, suffix);
        }
        is_written = output_write(NAME, stdout, &text);
    }
    buffer_printf(&text, "tables=%zu errors=%zu\n", count, errors);
    is_written = is_written && output_write(NAME, stdout, &text);
    buffer_free(&text);
    luft_tablebase_free(tablebase);
    return is_written && errors == 0 ? STATUS_OK : STATUS_FAILED;
}
