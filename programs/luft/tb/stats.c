/* SPDX-License-Identifier: MIT */
/* `luft tb stats`: how many tables there are of each number of pieces, and how many exist in all. */
#include "commands.h"

#include "luft/luft.h"
#include "util/buffer.h"
#include "util/json.h"
#include "util/options.h"
#include "util/output.h"

#include <inttypes.h>

#define NAME "luft tb stats"

static const char about[] =
    "Counts the tables in the directories, which are separated by ':', by their number of pieces. `of` is how many\n"
    "endings there are. Files of a wrong size or kind are not counted.\n";

typedef struct piece_stats {
    size_t tables[2]; /* by kind */
    uint64_t bytes[2];
} piece_stats;

/*
 * How many endings have this number of pieces: choices of pieces beside the kings, of five kinds for each side, with
 * colours exchanged counted once.
 */
static int count_endings(int pieces) {
    int choices[LUFT_TABLEBASE_PIECES_MAX] = {1}; /* of n pieces for one side: n + 4 over 4 */
    for (int n = 1; n < LUFT_TABLEBASE_PIECES_MAX; n++) {
        choices[n] = choices[n - 1] * (n + 4) / n;
    }
    const int others = pieces - 2;
    int all = 0;
    for (int n = 0; n <= others; n++) {
        all += choices[n] * choices[others - n];
    }
    const int symmetric = others % 2 == 0 ? choices[others / 2] : 0;
    return (all + symmetric) / 2;
}

static void write_text(buffer *out, const piece_stats *stats) {
    buffer_printf(out, "pieces   WDL   DTZ    of      bytes of WDL      bytes of DTZ\n");
    for (int pieces = 3; pieces <= LUFT_TABLEBASE_PIECES_MAX; pieces++) {
        const piece_stats *row = &stats[pieces];
        buffer_printf(out, "%6d %5zu %5zu %5d %17" PRIu64 " %17" PRIu64 "\n", pieces, row->tables[0], row->tables[1],
                      count_endings(pieces), row->bytes[0], row->bytes[1]);
    }
}

static void write_json(buffer *text, const piece_stats *stats) {
    json out = {.text = text};
    for (int pieces = 3; pieces <= LUFT_TABLEBASE_PIECES_MAX; pieces++) {
        json_open(&out, '{');
        json_count(&out, "pieces", (uint64_t)pieces);
        json_count(&out, "wdl", stats[pieces].tables[0]);
        json_count(&out, "dtz", stats[pieces].tables[1]);
        json_count(&out, "endings", (uint64_t)count_endings(pieces));
        json_count(&out, "wdl_bytes", stats[pieces].bytes[0]);
        json_count(&out, "dtz_bytes", stats[pieces].bytes[1]);
        json_close(&out, '}');
        buffer_append_text(text, "\n");
        out = (json){.text = text};
    }
}

int tb_stats(int argc, char **argv) {
    bool as_json = false;
    int status;
    const option options[] = {option_flag("json", "print one object a line for each number of pieces", &as_json)};
    luft_tablebase *tablebase =
        tb_open_operand(NAME, about, options, sizeof options / sizeof options[0], argc, argv, &status);
    if (!tablebase) {
        return status;
    }
    piece_stats stats[LUFT_TABLEBASE_PIECES_MAX + 1] = {0};
    for (size_t i = 0; i < luft_tablebase_count(tablebase); i++) {
        luft_tablebase_table found;
        luft_tablebase_get_table(&found, tablebase, i);
        if (found.error == LUFT_OK) {
            stats[found.piece_count].tables[found.kind]++;
            stats[found.piece_count].bytes[found.kind] += found.size;
        }
    }
    luft_tablebase_free(tablebase);
    buffer text = {0};
    if (as_json) {
        write_json(&text, stats);
    } else {
        write_text(&text, stats);
    }
    const bool is_written = output_write(NAME, stdout, &text);
    buffer_free(&text);
    return is_written ? STATUS_OK : STATUS_FAILED;
}
