/* SPDX-License-Identifier: MIT */
/* Counting in bounded memory; see counts.h. */
#define _POSIX_C_SOURCE 200809L

#include "counts.h"

#include "atomic_file.h"

#include <stdlib.h>
#include <string.h>

typedef bool (*record_visitor)(void *payload, const count_record *record);

bool counts_init(counts *it, size_t memory, const char *path) {
    /* The other half is for qsort(), which copies what it sorts. */
    *it = (counts){.capacity = memory / 2 / sizeof *it->table, .path = path};
    it->capacity = it->capacity > COUNTS_RUNS_MAX ? it->capacity : COUNTS_RUNS_MAX; /* a record of each run, to merge */
    it->table = calloc(it->capacity, sizeof *it->table);
    return it->table != NULL;
}

void counts_free(counts *it) {
    free(it->table);
    if (it->scratch) {
        fclose(it->scratch);
    }
    *it = (counts){0};
}

static bool fail(counts *it, const char *reason) {
    it->reason = it->reason ? it->reason : reason;
    return false;
}

/* --- The table ----------------------------------------------------------------- */

static bool is_free(const count_record *record) {
    return (record->games[COUNT_LOST] | record->games[COUNT_DRAWN] | record->games[COUNT_WON]) == 0;
}

static int compare(const count_record *a, const count_record *b) {
    return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : (a->move > b->move) - (a->move < b->move);
}

static int compare_records(const void *a, const void *b) {
    return compare(a, b);
}

/* Puts the records of the table at its front, sorted. */
static void sort_table(counts *it) {
    size_t count = 0;
    for (size_t i = 0; i < it->capacity; i++) {
        if (!is_free(&it->table[i])) {
            it->table[count++] = it->table[i];
        }
    }
    qsort(it->table, count, sizeof *it->table, compare_records);
}

/* --- Merging runs ---------------------------------------------------------------- */

/* A run that is being read: a block of it in memory. */
typedef struct run {
    uint64_t next, end;  /* records of the file that are not in memory */
    count_record *block; /* part of the table */
    size_t used, length; /* of the block; the front of the run is block[used] */
} run;

typedef struct merger {
    counts *it;
    size_t block_length; /* in records */
    run runs[COUNTS_RUNS_MAX];
    int heap[COUNTS_RUNS_MAX]; /* indices of runs; the smallest front is first */
    int heap_count;
} merger;

/* Reads the next block if this one is used up. True if the run has a front. */
static bool has_front(merger *merging, run *from) {
    if (from->used < from->length) {
        return true;
    }
    const uint64_t left = from->end - from->next;
    from->length = left < merging->block_length ? (size_t)left : merging->block_length;
    from->used = 0;
    if (from->length == 0) {
        return false;
    }
    FILE *file = merging->it->scratch;
    if (fseeko(file, (off_t)(from->next * sizeof *from->block), SEEK_SET) != 0 ||
        fread(from->block, sizeof *from->block, from->length, file) != from->length) {
        return fail(merging->it, "the temporary file cannot be read");
    }
    from->next += from->length;
    return true;
}

static const count_record *front(const merger *merging, int place) {
    const run *from = &merging->runs[merging->heap[place]];
    return &from->block[from->used];
}

/* Moves the entry at this place of the heap down to where it belongs. */
static void sift_down(merger *merging, int place) {
    while (true) {
        int smallest = place;
        for (int child = 2 * place + 1; child <= 2 * place + 2 && child < merging->heap_count; child++) {
            smallest = compare(front(merging, child), front(merging, smallest)) < 0 ? child : smallest;
        }
        if (smallest == place) {
            return;
        }
        const int moved = merging->heap[place];
        merging->heap[place] = merging->heap[smallest];
        merging->heap[smallest] = moved;
        place = smallest;
    }
}

/* Removes the smallest record of all runs. */
static count_record take_front(merger *merging) {
    run *from = &merging->runs[merging->heap[0]];
    const count_record record = from->block[from->used++];
    if (!has_front(merging, from)) {
        merging->heap[0] = merging->heap[--merging->heap_count];
    }
    sift_down(merging, 0);
    return record;
}

/* Visits the records of all runs in order, equal ones added up. */
static bool merge_runs(counts *it, record_visitor visit, void *payload) {
    merger *merging = calloc(1, sizeof *merging);
    if (!merging) {
        return fail(it, "out of memory");
    }
    merging->it = it;
    merging->block_length = it->capacity / (size_t)it->run_count;
    for (int i = 0; i < it->run_count; i++) {
        merging->runs[i] = (run){.next = it->run_start[i],
                                 .end = it->run_start[i + 1],
                                 .block = it->table + merging->block_length * (size_t)i};
        if (has_front(merging, &merging->runs[i])) {
            merging->heap[merging->heap_count++] = i;
        }
    }
    for (int place = merging->heap_count / 2 - 1; place >= 0; place--) {
        sift_down(merging, place);
    }
    bool goes_on = true;
    while (goes_on && merging->heap_count > 0 && !it->reason) {
        count_record sum = take_front(merging);
        while (merging->heap_count > 0 && compare(front(merging, 0), &sum) == 0) {
            const count_record equal = take_front(merging);
            for (int result = 0; result < COUNT_RESULTS; result++) {
                sum.games[result] += equal.games[result];
            }
        }
        goes_on = visit(payload, &sum);
    }
    free(merging);
    return !it->reason;
}

/* --- Writing runs ------------------------------------------------------------------ */

static bool write_record(void *payload, const count_record *record) {
    return fwrite(record, sizeof *record, 1, payload) == 1;
}

/* Makes all runs one, in a new file. */
static bool join_runs(counts *it) {
    FILE *joined = atomic_file_scratch(it->path);
    if (!joined) {
        return fail(it, "the temporary file cannot be written");
    }
    const bool merged = merge_runs(it, write_record, joined);
    const off_t end = fflush(joined) == 0 && !ferror(joined) ? ftello(joined) : -1;
    fclose(it->scratch);
    it->scratch = joined;
    if (!merged || end < 0) {
        return fail(it, "the temporary file cannot be written");
    }
    it->run_start[1] = (uint64_t)end / sizeof(count_record);
    it->run_count = 1;
    memset(it->table, 0, it->capacity * sizeof *it->table);
    return true;
}

/* Writes the table as a run and empties it. */
static bool spill(counts *it) {
    it->scratch = it->scratch ? it->scratch : atomic_file_scratch(it->path);
    if (!it->scratch) {
        return fail(it, "the temporary file cannot be written");
    }
    sort_table(it);
    const uint64_t start = it->run_start[it->run_count];
    if (fseeko(it->scratch, (off_t)(start * sizeof *it->table), SEEK_SET) != 0 ||
        fwrite(it->table, sizeof *it->table, it->used, it->scratch) != it->used || fflush(it->scratch) != 0) {
        return fail(it, "the temporary file cannot be written");
    }
    it->run_start[++it->run_count] = start + it->used;
    it->used = 0;
    memset(it->table, 0, it->capacity * sizeof *it->table);
    return it->run_count < COUNTS_RUNS_MAX || join_runs(it);
}

/* --- Counting ------------------------------------------------------------------------ */

bool counts_add(counts *it, uint64_t key, uint16_t move, int result) {
    const uint64_t hash = (key ^ (uint64_t)move << 48 ^ move) * UINT64_C(0x9e3779b97f4a7c15);
    size_t place = (size_t)((hash >> 32) * it->capacity >> 32);
    while (!is_free(&it->table[place]) && (it->table[place].key != key || it->table[place].move != move)) {
        place = place + 1 < it->capacity ? place + 1 : 0;
    }
    count_record *record = &it->table[place];
    if (is_free(record)) {
        record->key = key;
        record->move = move;
        it->used++;
    }
    record->games[result]++;
    return it->used < it->capacity / 4 * 3 || spill(it);
}

bool counts_visit(counts *it, record_visitor visit, void *payload) {
    if (it->run_count > 0) {
        return (it->used == 0 || spill(it)) && merge_runs(it, visit, payload);
    }
    sort_table(it);
    for (size_t i = 0; i < it->used && visit(payload, &it->table[i]); i++) {
    }
    return true;
}
