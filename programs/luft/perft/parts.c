/* SPDX-License-Identifier: MIT */
/* Cuts the tree, has the units counted, and adds up; see parts.h. A request is "perft DEPTH RUN fen FEN". */
#define _POSIX_C_SOURCE 200809L

#include "parts.h"

#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WANTED_UNITS = 2000, MIN_UNIT_DEPTH = 3, RUNS = 2 };

typedef unsigned __int128 wide;

/* --- Cutting ----------------------------------------------------------------------------------- */

/* A position where the tree is cut. */
typedef struct cut_position {
    luft_position position; /* without counters: they do not change a count */
    uint64_t ways;
} cut_position;

typedef struct cut_list {
    cut_position *positions;
    size_t count;
    int depth; /* below each */
} cut_list;

static int compare(const void *a, const void *b) {
    const cut_position *first = a, *second = b;
    return memcmp(&first->position, &second->position, sizeof first->position);
}

/* Sorts, and merges equal positions. Their order does not depend on the machine's memory. */
static void merge_equal(cut_list *list) {
    size_t kept = 0;
    qsort(list->positions, list->count, sizeof *list->positions, compare);
    for (size_t i = 0; i < list->count; i++) {
        if (kept > 0 && compare(&list->positions[kept - 1], &list->positions[i]) == 0) {
            list->positions[kept - 1].ways += list->positions[i].ways;
        } else {
            list->positions[kept++] = list->positions[i];
        }
    }
    list->count = kept;
}

/* Replaces the positions by those a ply later. False if out of memory. */
static bool cut_once(cut_list *list) {
    size_t total = 0, count = 0;
    for (size_t i = 0; i < list->count; i++) {
        total += (size_t)luft_count_moves(&list->positions[i].position);
    }
    cut_position *next = calloc(total ? total : 1, sizeof *next); /* zeros between the fields, for memcmp */
    if (!next) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        luft_move_list moves;
        luft_generate(&moves, &list->positions[i].position, LUFT_ALL_MOVES);
        for (int j = 0; j < moves.count; j++) {
            cut_position *added = &next[count++];
            luft_make(&added->position, &list->positions[i].position, moves.moves[j]);
            added->position.halfmove_clock = 0;
            added->position.fullmove_number = 1;
            added->ways = list->positions[i].ways;
        }
    }
    free(list->positions);
    *list = (cut_list){next, count, list->depth - 1};
    merge_equal(list);
    return true;
}

static bool cut(cut_list *list, const luft_position *position, int depth) {
    *list = (cut_list){calloc(1, sizeof *list->positions), 1, depth};
    if (!list->positions) {
        return false;
    }
    list->positions[0] = (cut_position){.position = *position, .ways = 1};
    list->positions[0].position.halfmove_clock = 0;
    list->positions[0].position.fullmove_number = 1;
    while (list->count > 0 && list->count < WANTED_UNITS && list->depth > MIN_UNIT_DEPTH) {
        if (!cut_once(list)) {
            return false;
        }
    }
    return true;
}

/* --- Units ---------------------------------------------------------------------------------------- */

static void write_request(buffer *out, const cut_position *cut_at, int depth, int run) {
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, &cut_at->position, LUFT_FEN_SHREDDER);
    buffer_clear(out);
    buffer_printf(out, "perft %d %d fen %s", depth, run, fen);
}

/* What the workers share. They only read it, and the table is made to be shared. */
typedef struct counting_work {
    const luft_perft_table *table; /* NULL for none */
    luft_perft_keys keys[RUNS];    /* of each run: what one has entered into the table, the other does not find */
} counting_work;

static void *open_worker(void *shared) {
    return shared;
}

static void close_worker(void *state) {
    (void)state;
}

static bool count_unit(void *state, const char *request, size_t length, buffer *result) {
    const counting_work *shared = state;
    char digits[TEXT_COUNT_SIZE];
    luft_position position;
    luft_count count = {0, 0};
    int depth, run, used = 0;
    if (sscanf(request, "perft %d %d fen %n", &depth, &run, &used) != 2 || used == 0 || depth < 0 ||
        depth > LUFT_PERFT_MAX_DEPTH || run < 0 || run >= RUNS ||
        luft_position_from_fen(&position, request + used, length - (size_t)used, NULL) != LUFT_OK) {
        buffer_append_text(result, "not a request");
        return false;
    }
    if (shared->table) {
        if (luft_perft_hashed_with(&count, &position, depth, shared->table, &shared->keys[run]) != LUFT_OK) {
            buffer_append_text(result, "the count does not fit in 128 bits");
            return false;
        }
    } else {
        count.low = luft_perft(&position, depth, LUFT_PERFT_TWO_PLY);
    }
    buffer_append_text(result, text_count(digits, count, false));
    return true;
}

static bool read_count(wide *count, const buffer *text) {
    wide value = 0;
    for (size_t i = 0; i < text->length; i++) {
        const char digit = text->data[i];
        if (digit < '0' || digit > '9' || value > (~(wide)0 - 9) / 10) {
            return false;
        }
        value = value * 10 + (wide)(digit - '0');
    }
    *count = value;
    return text->length > 0;
}

/* --- Counting ----------------------------------------------------------------------------------------- */

typedef struct counter {
    const parts_request *request;
    units *units;
    cut_list list;
    buffer text;   /* a request */
    buffer answer; /* its result */
} counter;

static int runs_of(const parts_request *request) {
    return request->twice ? RUNS : 1;
}

static bool ask_all(counter *it) {
    const int runs = runs_of(it->request);
    const double share = it->list.count > 0 ? 1.0 / (double)it->list.count / runs : 0;
    for (size_t i = 0; i < it->list.count; i++) {
        const cut_position *cut_at = &it->list.positions[i];
        const uint64_t weight = luft_perft(&cut_at->position, 2, LUFT_PERFT_TWO_PLY);
        for (int run = 0; run < runs; run++) {
            write_request(&it->text, cut_at, it->list.depth, run);
            if (!units_ask(it->units, it->text.data, it->text.length, weight, share)) {
                return false;
            }
        }
    }
    return true;
}

/* The count of a unit. False after an error line. */
static bool wait_for(counter *it, const cut_position *cut_at, int run, wide *count) {
    write_request(&it->text, cut_at, it->list.depth, run);
    buffer_clear(&it->answer);
    const unit_state state = units_wait(it->units, it->text.data, it->text.length, &it->answer);
    if (state == UNIT_FINISHED && !read_count(count, &it->answer)) {
        output_error(it->request->command, "the journal has a result that is not a count");
        return false;
    }
    return state == UNIT_FINISHED;
}

static int add_up(counter *it, parts_result *result) {
    const char *command = it->request->command;
    wide sum = 0;
    for (size_t i = 0; i < it->list.count; i++) {
        const cut_position *cut_at = &it->list.positions[i];
        wide count = 0, again = 0;
        if (!wait_for(it, cut_at, 0, &count) || (it->request->twice && !wait_for(it, cut_at, 1, &again))) {
            return STATUS_FAILED;
        }
        if (it->request->twice && count != again) {
            write_request(&it->text, cut_at, it->list.depth, 0);
            output_error(command, "two counts differ: please report this: %.*s", (int)it->text.length, it->text.data);
            return STATUS_FAILED;
        }
        if (count > (~(wide)0 - sum) / cut_at->ways) {
            output_error(command, "the count does not fit in 128 bits");
            return STATUS_FAILED;
        }
        sum += count * cut_at->ways;
        result->ways += cut_at->ways;
    }
    result->nodes = (luft_count){(uint64_t)sum, (uint64_t)(sum >> 64)};
    result->is_printed = true;
    return STATUS_OK;
}

static int count_all(counter *it, parts_result *result) {
    if (!ask_all(it) || !units_drain(it->units)) {
        if (units_is_interrupted(it->units)) {
            batch_report_interrupt(it->request->batch, it->request->command, it->units);
        }
        return STATUS_FAILED;
    }
    result->units = it->list.count;
    result->counted = units_done(it->units);
    return units_is_part(it->units) ? STATUS_OK : add_up(it, result);
}

int parts_run(parts_result *result, const parts_request *request) {
    const unit_runner *runner = request->runner;
    counter it = {.request = request};
    progress line;
    char manifest[160];
    int status = STATUS_FAILED;
    counting_work shared = {.table = request->table};
    const unit_work work = {.shared = &shared, .open = open_worker, .close = close_worker, .run = count_unit};
    *result = (parts_result){0};
    for (uint64_t run = 0; run < RUNS; run++) {
        luft_perft_keys_init(&shared.keys[run], request->seed ^ run << 63);
    }
    if (runner->serve) {
        return runner->serve(runner->payload, &work, request->threads);
    }
    progress_start_units(&line, "perft", true, "units", "/s", 1);
    snprintf(manifest, sizeof manifest, "work perft\ndepth %d\nseed %" PRIu64 "\nprogram %s\n", request->depth,
             request->seed, luft_version());
    if (!cut(&it.list, &request->position, request->depth)) {
        output_error(request->command, "out of memory");
    } else {
        it.units = batch_open(request->batch, request->command, manifest, &line, &status);
    }
    if (it.units) {
        status = request->batch->from || runner->start(runner->payload, it.units, &work, request->threads, NULL)
                     ? count_all(&it, result)
                     : STATUS_FAILED;
        units_end(it.units);
        runner->finish(runner->payload, it.units);
        progress_clear(&line);
        status = units_free(it.units) ? status : STATUS_FAILED;
    }
    free(it.list.positions);
    buffer_free(&it.text);
    buffer_free(&it.answer);
    return status;
}
