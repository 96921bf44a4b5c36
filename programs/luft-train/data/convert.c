/* SPDX-License-Identifier: MIT */
/*
 * `luft-train convert`: games to records, one for each position that is kept. Games are numbered in the order in which
 * they are read. With --dedup the first record of a board stays and later ones go.
 */
#include "arguments.h"
#include "games.h"
#include "inputs.h"
#include "progress.h"
#include "records.h"
#include "command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char command[] = "convert";

/* --- Boards that were seen --------------------------------------------------- */

/* A set of hashes with open addressing. At 2^64 two unlike boards that meet are not worth a thought. */
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

/* Makes room for one more; false if there is no memory. */
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

/* A detour has the number of its game: what is held out is held out with all that is like it. False if there is no memory. */
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
            return false; /* nothing is wrong with the file */
        }
        complain(command, "%s is skipped: %s", path, reason);
        job->skipped++;
        return true;
    }
    /* What is not the same for all games is not known of the records. */
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
        progress_show(&job->line, job->positions);
    }
    if (good && state == GAME_DAMAGED) {
        complain(command, "%s: the rest is skipped: a game is not legal", path);
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
    if (!game || !record_writer_open(&job.writer, out, &header)) {
        complain(command, "%s cannot be written", out);
        free(game);
        return STATUS_USAGE;
    }
    progress_start(&job.line, "positions", 0, 0);
    bool good = true;
    for (size_t i = 0; good && i < list->count; i++) {
        good = add_file(&job, list->paths[i], game);
    }
    progress_end(&job.line);
    free(job.seen.keys);
    free(game);
    if (!good) {
        if (job.writer.failed) {
            complain(command, "%s cannot be written", out);
        } else {
            complain(command, "there is no memory");
        }
        record_writer_abandon(&job.writer);
        return STATUS_FAILED;
    }
    if (job.games == 0) { /* a file that is there is worth more than an empty one */
        complain(command, "%s is not written: there is no game in what was read", out);
        record_writer_abandon(&job.writer);
        return STATUS_FAILED;
    }
    if (!record_writer_close(&job.writer)) {
        complain(command, "%s cannot be written", out);
        return STATUS_FAILED;
    }
    fprintf(stderr,
            "%" PRIu32 " games, %" PRIu64 " positions, %" PRIu64 " repeated, %" PRIu64 " written, %" PRIu64
            " files skipped\n",
            job.games, job.positions, job.repeated, job.positions - job.repeated, job.skipped);
    return STATUS_OK;
}

int train_convert(int argc, char **argv) {
    const char *out = NULL;
    bool dedup = false;
    const argument arguments[] = {
        {.name = "out", .value = "FILE", .help = "the file of records; needed", .text = &out},
        {.name = "dedup", .help = "no board twice: the first one stays", .flag = &dedup},
    };
    size_t count = 0;
    const argument_table table = {
        .command = command,
        .usage = "--out FILE [--dedup] FILE|DIR...",
        .about = "Makes training records of games. A directory means all shards in it; damaged ones are skipped.\n",
        .arguments = arguments,
        .count = sizeof arguments / sizeof arguments[0],
        .operand_count = &count,
    };
    int status;
    inputs list;
    if (arguments_read(&table, argc, argv, &status)) {
        status = STATUS_USAGE;
        if (!out) {
            complain(command, "--out FILE is needed");
        } else if (inputs_find(&list, argv, count, command)) {
            status = convert(out, dedup, &list);
            inputs_free(&list);
        }
    }
    return status;
}
