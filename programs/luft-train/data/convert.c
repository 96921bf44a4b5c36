/* SPDX-License-Identifier: MIT */
/*
 * `luft-train convert`: converts games to records, one for each kept position. Games are numbered in the order in which
 * they are read. With --dedup only the first record of each board is written.
 */
#include "command.h"
#include "games.h"
#include "inputs.h"
#include "records.h"

#include "util/output.h"
#include "util/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft-train convert"

/* --- Boards that were seen --------------------------------------------------- */

/* A set of hashes with open addressing. Among 2^64 hashes, collisions of different boards can be ignored. */
typedef struct key_set {
    uint64_t *keys; /* 0 for an empty place */
    size_t room;    /* a power of two */
    size_t count;
} key_set;

static bool insert(key_set *set, uint64_t key) {
    size_t place = key & (set->room - 1);
    while (set->keys[place] != 0 && set->keys[place] != key) {
        place = (place + 1) & (set->room - 1);
    }
    const bool is_new = set->keys[place] == 0;
    set->keys[place] = key;
    set->count += is_new;
    return is_new;
}

/* Makes room for one more; false if out of memory. */
static bool make_room(key_set *set) {
    if (set->count * 2 < set->room) {
        return true;
    }
    key_set larger = {.room = set->room ? 2 * set->room : 1 << 16};
    larger.keys = calloc(larger.room, sizeof *larger.keys);
    if (!larger.keys) {
        return false;
    }
    for (size_t i = 0; i < set->room; i++) {
        if (set->keys[i] != 0) {
            insert(&larger, set->keys[i]);
        }
    }
    free(set->keys);
    *set = larger;
    return true;
}

/* --- Converting -------------------------------------------------------------- */

typedef struct convert_job {
    record_writer writer;
    key_set seen;
    bool dedup;
    uint32_t games;
    uint64_t positions;
    uint64_t repeated;
    uint64_t skipped; /* files */
    progress line;
} convert_job;

/* A detour gets the number of its game, so that both are held out together. False if out of memory. */
static bool add_game(convert_job *job, const game_data *game) {
    job->games += game->ending != GAME_DETOUR || job->games == 0;
    for (int i = game->opening; i < game->plies + game->has_last; i++) {
        record entry;
        if (!game->ply[i].kept) {
            continue;
        }
        record_pack(&entry, &game->positions[i], game->ply[i].score,
                    game_result_for(game, game->positions[i].side_to_move), job->games - 1);
        job->positions++;
        if (job->dedup) {
            if (!make_room(&job->seen)) {
                return false;
            }
            const uint64_t key = record_key(&entry);
            if (!insert(&job->seen, key ? key : 1)) {
                job->repeated++;
                continue;
            }
        }
        record_writer_add(&job->writer, &entry, 1);
    }
    return true;
}

static bool add_file(convert_job *job, const char *path, game_data *game) {
    game_file file;
    const char *reason;
    if (!game_file_open(&file, path, &reason)) {
        if (reason == game_file_no_memory) {
            return false; /* the file is not at fault */
        }
        output_error(NAME, "%s is skipped: %s", path, reason);
        job->skipped++;
        return true;
    }
    /* The header of the records keeps what all games agree on. */
    file_header *header = &job->writer.header;
    if (job->games == 0) {
        header->nodes = file.header.nodes;
        header->signature = file.header.signature;
    }
    header->nodes = header->nodes == file.header.nodes ? header->nodes : 0;
    header->signature = header->signature == file.header.signature ? header->signature : 0;
    bool good = true;
    game_read state;
    while (good && (state = game_file_next(&file, game)) == GAME_READ) {
        good = add_game(job, game) && !job->writer.failed;
        progress_set(&job->line, job->positions);
    }
    if (good && state == GAME_DAMAGED) {
        output_error(NAME, "%s: the rest is skipped: a game has an illegal move", path);
        job->skipped++;
    }
    game_file_close(&file);
    return good;
}

static int convert(const char *out, bool dedup, const inputs *list) {
    convert_job job = {.dedup = dedup};
    file_header header = file_header_of(FILE_KIND_RECORDS);
    header.flags = dedup ? FILE_DEDUPLICATED : 0;
    game_data *game = malloc(sizeof *game);
    if (!game) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    if (!record_writer_open(&job.writer, out, &header)) {
        output_error(NAME, "%s cannot be written", out);
        free(game);
        return STATUS_USAGE;
    }
    progress_start_goal(&job.line, "positions", 0, 0);
    bool good = true;
    for (size_t i = 0; good && i < list->count; i++) {
        good = add_file(&job, list->paths[i], game);
    }
    progress_clear(&job.line);
    free(job.seen.keys);
    free(game);
    if (!good) {
        if (job.writer.failed) {
            output_error(NAME, "%s cannot be written", out);
        } else {
            output_error(NAME, "out of memory");
        }
        record_writer_abandon(&job.writer);
        return STATUS_FAILED;
    }
    if (job.games == 0) { /* does not replace an old file by an empty one */
        output_error(NAME, "%s is not written: the input has no games", out);
        record_writer_abandon(&job.writer);
        return STATUS_FAILED;
    }
    if (!record_writer_close(&job.writer)) {
        output_error(NAME, "%s cannot be written", out);
        return STATUS_FAILED;
    }
    fprintf(stderr,
            "%" PRIu32 " games, %" PRIu64 " positions, %" PRIu64 " repeated, %" PRIu64 " written, %" PRIu64
            " files skipped\n",
            job.games, job.positions, job.repeated, job.positions - job.repeated, job.skipped);
    return job.skipped > 0 ? STATUS_FAILED : STATUS_OK;
}

int train_convert(int argc, char **argv) {
    const char *out = NULL;
    bool dedup = false;
    const option options[] = {
        {.name = "out", .value = "FILE", .help = "write the records to FILE; required", .text = &out, .required = true},
        option_flag("dedup", "write only the first record of each board", &dedup),
    };
    const option_table table = {
        .command = NAME,
        .usage = "--out FILE [--dedup] FILE|DIR...",
        .about = "Converts games to training records. A directory means all shards in it; skips damaged ones.\n",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    int status;
    inputs list;
    if (inputs_read(&list, &table, argc, argv, &status)) {
        status = inputs_has_output(&list, "--out", out, NAME) ? STATUS_USAGE : convert(out, dedup, &list);
        inputs_free(&list);
    }
    return status;
}
