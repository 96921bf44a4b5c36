/* SPDX-License-Identifier: MIT */
/* Tablebases for commands. See tables.h. */
#include "tables.h"

#include "util/output.h"
#include "util/text.h"

#include <string.h>

luft_tablebase *tables_open(const char *command, const char *directories) {
    luft_tablebase *tablebase = NULL;
    char quoted[TEXT_QUOTED_SIZE];
    text_quote(quoted, directories, strlen(directories));
    const luft_error error = luft_tablebase_open(&tablebase, directories, LUFT_TABLEBASE_READ);
    if (error != LUFT_OK) {
        output_error(command, "cannot read the tables in %s: %s", quoted,
                     error == LUFT_ERROR_READ ? "a directory cannot be read" : luft_error_string(error));
    } else if (luft_tablebase_count(tablebase) == 0) {
        output_error(command, "no tables in %s", quoted);
        luft_tablebase_free(tablebase);
        tablebase = NULL;
    }
    return tablebase;
}

void tables_use(luft_engine *engine, const luft_tablebase *tablebase) {
    luft_engine_set_tablebase(engine, tablebase, 1, LUFT_TABLEBASE_PIECES_MAX, true);
}

void tables_report(const char *command, const luft_tablebase *tablebase) {
    luft_tablebase_table fault;
    while (luft_tablebase_next_fault(&fault, tablebase)) {
        output_error(command, "ignored %s.%s: %s", fault.name, fault.kind == LUFT_TABLEBASE_WDL ? "rtbw" : "rtbz",
                     fault.reason);
    }
}
