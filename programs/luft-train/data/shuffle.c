/* SPDX-License-Identifier: MIT */
/*
 * `luft-train shuffle`: writes all records of some files in random order. Records that do not fit in memory take two
 * passes: each goes to a random bucket, an unnamed file on the disk of the output; then each bucket is shuffled in memory
 * and written. Either way every order is equally likely.
 */
#include "command.h"
#include "inputs.h"
#include "records.h"

#include "util/atomic_file.h"
#include "util/output.h"
#include "util/progress.h"
#include "util/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME "luft-train shuffle"

enum { BUCKETS_MAX = 512 };

typedef struct bucket {
    FILE *stream; /* NULL if all is in memory */
    record *records;
    size_t count;
    size_t room;
} bucket;

typedef struct shuffle_job {
    record_writer writer;
    bucket *buckets;
    size_t bucket_count;
    uint64_t total;
    uint64_t done; /* records read, and records written */
    uint64_t random;
    progress line;
} shuffle_job;

/* --- The files to read ------------------------------------------------------- */

/* Opens and verifies all files; false after an error line. The header of the output keeps what they agree on. */
static bool open_all(record_file *files, const inputs *list, file_header *header, uint64_t *total) {
    for (size_t i = 0; i < list->count; i++) {
        const char *reason = NULL;
        if (!record_file_open(&files[i], list->paths[i], &reason) || !record_file_verify(&files[i])) {
            output_error(NAME, "%s: %s", list->paths[i], reason ? reason : "the data is damaged: wrong checksum");
            return false;
        }
        const file_header *own = &files[i].header;
        header->flags = (uint16_t)(list->count == 1 ? own->flags : 0);
        header->nodes = i == 0 || header->nodes == own->nodes ? own->nodes : 0;
        header->signature = i == 0 || header->signature == own->signature ? own->signature : 0;
        *total += own->count;
    }
    header->flags |= FILE_SHUFFLED;
    return true;
}

/* --- Buckets ----------------------------------------------------------------- */

static bool open_buckets(shuffle_job *job, const char *out, size_t memory) {
    const uint64_t bytes = job->total * RECORD_SIZE;
    /* Random buckets differ a little in size: a tenth is left free. */
    job->bucket_count = bytes <= memory ? 1 : (size_t)(bytes / (memory - memory / 10) + 1);
    if (job->bucket_count > BUCKETS_MAX) {
        output_error(NAME, "--memory: too small for so many records");
        return false;
    }
    job->buckets = calloc(job->bucket_count, sizeof *job->buckets);
    bool good = job->buckets != NULL;
    for (size_t i = 0; good && job->bucket_count > 1 && i < job->bucket_count; i++) {
        job->buckets[i].stream = atomic_file_scratch(out);
        good = job->buckets[i].stream != NULL;
    }
    if (!good) {
        output_error(NAME, "cannot create the buckets: out of memory or disk space");
    }
    return good;
}

static void close_buckets(shuffle_job *job) {
    for (size_t i = 0; job->buckets && i < job->bucket_count; i++) {
        if (job->buckets[i].stream) {
            fclose(job->buckets[i].stream);
        }
        free(job->buckets[i].records);
    }
    free(job->buckets);
}

static bool reserve(bucket *chosen, size_t room) {
    record *grown = room > chosen->room ? realloc(chosen->records, room * sizeof *grown) : chosen->records;
    if (grown) {
        chosen->records = grown;
        chosen->room = room > chosen->room ? room : chosen->room;
    }
    return grown != NULL;
}

/* The game numbers of a file follow those of the file before, so that they stay different. */
static void renumber(record *entry, uint32_t offset) {
    const uint32_t game = record_game(entry) + offset;
    for (int i = 0; i < 4; i++) {
        entry->bytes[28 + i] = (uint8_t)(game >> 8 * i);
    }
}

static bool distribute(shuffle_job *job, const record_file *files, size_t count) {
    uint32_t offset = 0;
    if (job->bucket_count == 1 && !reserve(&job->buckets[0], job->total ? job->total : 1)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t games = 0;
        for (uint64_t j = 0; j < files[i].header.count; j++) {
            record entry = files[i].records[j];
            games = record_game(&entry) >= games ? record_game(&entry) + 1 : games;
            renumber(&entry, offset);
            bucket *chosen = &job->buckets[random_below(&job->random, job->bucket_count)];
            if (!chosen->stream) {
                chosen->records[chosen->count++] = entry;
            } else if (fwrite(&entry, sizeof entry, 1, chosen->stream) == 1) {
                chosen->count++;
            } else {
                return false;
            }
            if (++job->done % 65536 == 0) {
                progress_set(&job->line, job->done);
            }
        }
        offset += games;
    }
    return true;
}

/* Reads a bucket back into memory, shuffles it and writes it. */
static bool gather(shuffle_job *job, bucket *chosen) {
    if (chosen->stream) {
        rewind(chosen->stream);
        if (!reserve(chosen, chosen->count ? chosen->count : 1) ||
            fread(chosen->records, sizeof *chosen->records, chosen->count, chosen->stream) != chosen->count) {
            return false;
        }
    }
    for (size_t i = chosen->count; i > 1; i--) {
        const size_t j = (size_t)random_below(&job->random, i);
        const record swap = chosen->records[i - 1];
        chosen->records[i - 1] = chosen->records[j];
        chosen->records[j] = swap;
    }
    record_writer_add(&job->writer, chosen->records, chosen->count);
    job->done += chosen->count;
    progress_set(&job->line, job->done);
    free(chosen->records);
    chosen->records = NULL;
    return true;
}

/* --- The command ------------------------------------------------------------- */

static int shuffle(const char *out, uint64_t seed, size_t memory, const inputs *list, record_file *files) {
    shuffle_job job = {.random = random_mix(seed)};
    file_header header = file_header_of(FILE_KIND_RECORDS);
    header.seed = seed;
    if (!open_all(files, list, &header, &job.total)) {
        return STATUS_USAGE;
    }
    if (!record_writer_open(&job.writer, out, &header)) {
        output_error(NAME, "%s cannot be written", out);
        return STATUS_USAGE;
    }
    if (!open_buckets(&job, out, memory)) {
        close_buckets(&job);
        record_writer_abandon(&job.writer);
        return STATUS_FAILED;
    }
    progress_start_goal(&job.line, "records read and written", 0, 2 * job.total);
    bool good = distribute(&job, files, list->count);
    for (size_t i = 0; good && i < job.bucket_count; i++) {
        good = gather(&job, &job.buckets[i]);
    }
    progress_clear(&job.line);
    close_buckets(&job);
    if (good) {
        good = record_writer_close(&job.writer);
    } else {
        record_writer_abandon(&job.writer);
    }
    if (!good) {
        output_error(NAME, "%s cannot be written, or out of memory", out);
        return STATUS_FAILED;
    }
    fprintf(stderr, "%" PRIu64 " records in random order, %zu buckets\n", job.total, job.bucket_count);
    return STATUS_OK;
}

static int shuffle_files(const char *out, uint64_t seed, size_t memory, const inputs *list) {
    record_file *files = calloc(list->count, sizeof *files);
    if (!files) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    const int status = shuffle(out, seed, memory, list, files);
    for (size_t i = 0; i < list->count; i++) {
        record_file_close(&files[i]);
    }
    free(files);
    return status;
}

int train_shuffle(int argc, char **argv) {
    const char *out = NULL;
    uint64_t seed = 1, memory_mb = 2048;
    const option options[] = {
        {.name = "out",
         .value = "FILE",
         .help = "write the shuffled records to FILE; required",
         .text = &out,
         .required = true},
        option_number("seed", "N", "seed of the order (default 1)", &seed, 0, UINT64_MAX / 2),
        option_number("memory", "MB", "use at most this much memory (default 2048)", &memory_mb, 1, 1 << 24),
    };
    const option_table table = {
        .command = NAME,
        .usage = "--out FILE [--seed N] [--memory MB] FILE...",
        .about = "Shuffles all records of the files. The order depends on the seed and the memory alone.\n",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    int status;
    inputs list;
    if (inputs_read(&list, &table, argc, argv, &status)) {
        status = inputs_has_output(&list, "--out", out, NAME)
                     ? STATUS_USAGE
                     : shuffle_files(out, seed, (size_t)memory_mb << 20, &list);
        inputs_free(&list);
    }
    return status;
}
