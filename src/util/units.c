/* SPDX-License-Identifier: MIT */
/*
 * The queue of units and the threads that work on it. One lock guards everything; a unit takes a millisecond or more, so
 * nobody waits for it. Waiting units are a heap: the largest first, among equals the one that was asked for first.
 */
#define _POSIX_C_SOURCE 200809L

#include "units.h"

#include "clock.h"
#include "numa.h"
#include "output.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURES_MAX = 2, STOP_INTERVAL_MS = 20 };
#define STACK_SIZE ((size_t)8 << 20) /* perft with a table needs 40 KB for each ply; some systems give threads little */

typedef struct units_thread {
    units *all;
    void *state;
    pthread_t id;
} units_thread;

struct units {
    units_settings settings;
    pthread_mutex_t mutex; /* guards all that follows, but for the threads */
    pthread_cond_t changed;
    journal journal;
    unit *heap;
    size_t waiting; /* units in the heap */
    size_t room;
    size_t running; /* units that workers have taken */
    uint64_t order;
    uint64_t asked, done, failed;
    uint64_t missing; /* not in the parts */
    bool ended;       /* no more units will be asked for */
    bool broken;      /* the journal cannot be written, or out of memory; an error line was printed */
    atomic_bool interrupted;
    unit_work work;
    units_thread *threads;
    int state_count;  /* threads with a state */
    int thread_count; /* threads that were started: the first ones */
    numa_map nodes;
    const char *unfinished;
    interrupt signals;
};

/* --- The heap ------------------------------------------------------------------------ */

static bool is_before(const unit *a, const unit *b) {
    return a->weight != b->weight ? a->weight > b->weight : a->order < b->order;
}

static void swap(unit *a, unit *b) {
    const unit kept = *a;
    *a = *b;
    *b = kept;
}

static bool push(units *it, const unit *added) {
    if (it->waiting == it->room) {
        const size_t room = it->room ? it->room * 2 : 64;
        unit *heap = realloc(it->heap, room * sizeof *heap);
        if (!heap) {
            return false;
        }
        it->heap = heap;
        it->room = room;
    }
    size_t place = it->waiting++;
    it->heap[place] = *added;
    for (; place > 0 && is_before(&it->heap[place], &it->heap[(place - 1) / 2]); place = (place - 1) / 2) {
        swap(&it->heap[place], &it->heap[(place - 1) / 2]);
    }
    return true;
}

static unit pop(units *it) {
    const unit top = it->heap[0];
    it->heap[0] = it->heap[--it->waiting];
    for (size_t place = 0;;) {
        size_t first = place;
        for (size_t child = 2 * place + 1; child <= 2 * place + 2 && child < it->waiting; child++) {
            first = is_before(&it->heap[child], &it->heap[first]) ? child : first;
        }
        if (first == place) {
            return top;
        }
        swap(&it->heap[place], &it->heap[first]);
        place = first;
    }
}

/* --- Ends ------------------------------------------------------------------------------ */

static bool is_over(const units *it) {
    return it->broken || atomic_load(&it->interrupted);
}

/* Ends the work after an error line. The caller holds the lock. */
static void break_off(units *it, const char *what, const char *reason) {
    if (!it->broken) {
        it->broken = true;
        if (it->settings.line) {
            progress_clear(it->settings.line);
        }
        output_error(it->settings.command, "%s%s", what, reason);
    }
    pthread_cond_broadcast(&it->changed);
}

static void break_journal(units *it) {
    break_off(it, it->settings.journal ? "--journal: cannot be written: " : "temporary file: ", it->journal.reason);
}

/* --- Opening --------------------------------------------------------------------------- */

static int refuse_part(const units *it, const char *directory, const char *name, const char *reason) {
    char quoted[TEXT_QUOTED_SIZE];
    buffer path = {0};
    buffer_printf(&path, "%s/%s", directory, name);
    output_error(it->settings.command, "%s: %s", text_quote(quoted, path.data ? path.data : "", path.length), reason);
    buffer_free(&path);
    return STATUS_FAILED;
}

/* Reads a finished part, and marks its number in `seen`. */
static int read_part(units *it, const char *name, bool **seen, uint64_t *of) {
    const char *directory = it->settings.parts;
    buffer path = {0};
    journal *all = &it->journal;
    buffer_printf(&path, "%s/%s%c", directory, name, '\0');
    const bool was_read = !path.failed && journal_merge(all, path.data, it->settings.manifest);
    buffer_free(&path);
    if (!was_read) {
        return refuse_part(it, directory, name, all->reason);
    }
    if (!*seen) {
        *of = all->part.of;
        *seen = *of < UINT32_MAX ? calloc(*of + 1, sizeof **seen) : NULL;
        if (!*seen) {
            return refuse_part(it, directory, name, "out of memory");
        }
    }
    if (all->part.of != *of || all->part.number < 1 || all->part.number > *of) {
        return refuse_part(it, directory, name, "the parts belong to different numbers of parts");
    }
    if ((*seen)[all->part.number]) {
        return refuse_part(it, directory, name, "a second journal of the same part");
    }
    if (!all->is_complete || all->dropped > 0) {
        return refuse_part(it, directory, name, "this part is not finished: run it again");
    }
    (*seen)[all->part.number] = true;
    return STATUS_OK;
}

static bool is_part_name(const char *name) {
    const size_t length = strlen(name);
    return length > strlen(".journal") && strcmp(name + length - strlen(".journal"), ".journal") == 0;
}

/* Reads all parts and checks that there are all, once. Returns an exit status. */
static int read_parts(units *it) {
    DIR *directory = opendir(it->settings.parts);
    const struct dirent *entry;
    bool *seen = NULL;
    uint64_t of = 0, found = 0;
    int status = STATUS_OK;
    if (!directory) {
        output_error(it->settings.command, "cannot read %s: %s", it->settings.parts, strerror(errno));
        return STATUS_USAGE;
    }
    while (status == STATUS_OK && (entry = readdir(directory)) != NULL) {
        if (is_part_name(entry->d_name)) {
            status = read_part(it, entry->d_name, &seen, &of);
            found++;
        }
    }
    closedir(directory);
    if (status == STATUS_OK && (found < of || found == 0)) {
        uint64_t number = 1;
        while (number < of && seen[number]) {
            number++;
        }
        output_error(it->settings.command,
                     found ? "%s: part %" PRIu64 " of %" PRIu64 " is missing" : "%s: there are no parts",
                     it->settings.parts, number, of);
        status = STATUS_FAILED;
    }
    if (status == STATUS_OK && it->journal.twice > 0) {
        output_error(it->settings.command, "%s: %" PRIu64 " units are in more than one part", it->settings.parts,
                     it->journal.twice);
        status = STATUS_FAILED;
    }
    free(seen);
    return status;
}

units *units_open(const units_settings *settings, int *status) {
    units *it = calloc(1, sizeof *it);
    if (!it) {
        output_error(settings->command, "out of memory");
        *status = STATUS_FAILED;
        return NULL;
    }
    it->settings = *settings;
    pthread_mutex_init(&it->mutex, NULL);
    pthread_cond_init(&it->changed, NULL);
    const journal_part whole = {1, 1};
    *status = STATUS_OK;
    if (!journal_open(&it->journal, settings->journal, settings->manifest,
                      settings->part.of > 0 ? settings->part : whole)) {
        output_error(settings->command, "%s: %s", settings->journal ? settings->journal : "temporary file",
                     it->journal.reason);
        *status = STATUS_USAGE;
    } else if (settings->parts) {
        *status = read_parts(it);
    }
    if (*status == STATUS_OK && it->journal.dropped > 0) {
        output_error(settings->command, "%s: %" PRIu64 " bytes at the end were not a complete record and are removed",
                     settings->journal, it->journal.dropped);
    }
    if (*status != STATUS_OK) {
        units_free(it);
        return NULL;
    }
    return it;
}

/* Waits for the threads. */
static void join_threads(units *it) {
    units_end(it);
    for (int i = 0; i < it->thread_count; i++) {
        pthread_join(it->threads[i].id, NULL);
    }
    interrupt_stop(&it->signals);
    for (int i = 0; i < it->state_count; i++) {
        it->work.close(it->threads[i].state);
    }
    free(it->threads);
}

bool units_free(units *it) {
    if (!it) {
        return true;
    }
    join_threads(it);
    while (it->waiting > 0) {
        unit left = pop(it);
        free(left.request);
    }
    const bool synced = journal_close(&it->journal);
    if (!synced) {
        output_error(it->settings.command, "--journal: cannot be synced: %s", it->journal.reason);
    }
    const bool good = synced && !it->broken;
    free(it->heap);
    pthread_cond_destroy(&it->changed);
    pthread_mutex_destroy(&it->mutex);
    free(it);
    return good;
}

/* --- For the command ----------------------------------------------------------------- */

static bool is_mine(const units *it, unit_key key) {
    const journal_part part = it->settings.part;
    return part.of == 0 || key.words[1] % part.of == part.number - 1;
}

/* A unit is over: finished now or found in the journal. The caller holds the lock. */
static void show_progress(units *it, double share, bool was_done) {
    if (it->settings.line) {
        progress_add(it->settings.line, share, 1, was_done);
    }
}

/* Adds a new unit to the queue. The caller holds the lock. */
static void enqueue(units *it, journal_entry *entry, const char *request, size_t length, uint64_t weight,
                    double share) {
    unit added = {.key = entry->key,
                  .request = malloc(length + 1),
                  .length = length,
                  .weight = weight,
                  .order = it->order++,
                  .share = share};
    if (added.request) {
        memcpy(added.request, request, length);
        added.request[length] = '\0';
    }
    if (!added.request || !push(it, &added)) {
        free(added.request);
        break_off(it, "out of memory", "");
        return;
    }
    entry->state = UNIT_WAITING;
    pthread_cond_broadcast(&it->changed);
}

bool units_ask(units *it, const char *request, size_t length, uint64_t weight, double share) {
    const unit_key key = unit_key_of(request, length);
    pthread_mutex_lock(&it->mutex);
    while (!is_over(it) && it->settings.waiting_max > 0 && it->waiting >= it->settings.waiting_max) {
        pthread_cond_wait(&it->changed, &it->mutex);
    }
    journal_entry *entry = is_over(it) ? NULL : journal_entry_of(&it->journal, key);
    if (!entry && !is_over(it)) {
        break_off(it, "out of memory", "");
    } else if (entry) {
        it->asked++;
        if (entry->state != UNIT_UNKNOWN || !is_mine(it, key)) {
            show_progress(it, share, false);
        } else if (it->settings.parts) {
            it->missing++;
            break_off(it, it->settings.parts, ": a unit is missing: the input or the program has changed");
        } else {
            enqueue(it, entry, request, length, weight, share);
        }
    }
    const bool goes_on = !is_over(it);
    pthread_mutex_unlock(&it->mutex);
    return goes_on;
}

unit_state units_wait(units *it, const char *request, size_t length, buffer *result) {
    const unit_key key = unit_key_of(request, length);
    unit_state state;
    pthread_mutex_lock(&it->mutex);
    for (;;) {
        const journal_entry *entry = journal_entry_of(&it->journal, key);
        state = entry ? entry->state : UNIT_UNKNOWN;
        if (state != UNIT_WAITING || is_over(it)) {
            if (state == UNIT_FINISHED && !journal_read(&it->journal, entry, result)) {
                break_journal(it);
                state = UNIT_UNKNOWN;
            }
            break;
        }
        pthread_cond_wait(&it->changed, &it->mutex);
    }
    pthread_mutex_unlock(&it->mutex);
    return state == UNIT_WAITING ? UNIT_UNKNOWN : state;
}

bool units_is_ready(units *it, const char *request, size_t length) {
    const unit_key key = unit_key_of(request, length);
    pthread_mutex_lock(&it->mutex);
    const journal_entry *entry = journal_entry_of(&it->journal, key);
    const bool ready = !entry || entry->state == UNIT_FINISHED || entry->state == UNIT_FAILED;
    pthread_mutex_unlock(&it->mutex);
    return ready;
}

bool units_drain(units *it) {
    pthread_mutex_lock(&it->mutex);
    it->ended = true;
    pthread_cond_broadcast(&it->changed);
    while (!is_over(it) && it->waiting + it->running > 0) {
        pthread_cond_wait(&it->changed, &it->mutex);
    }
    bool good = !is_over(it) && it->failed == 0;
    if (good && it->settings.part.of > 0 && !it->journal.is_complete && !journal_complete(&it->journal)) {
        break_journal(it);
        good = false;
    }
    pthread_mutex_unlock(&it->mutex);
    return good;
}

bool units_is_part(const units *it) {
    return it->settings.part.of > 0;
}

/* Reads a count under the lock. */
static uint64_t read_count(units *it, const uint64_t *count) {
    pthread_mutex_lock(&it->mutex);
    const uint64_t value = *count;
    pthread_mutex_unlock(&it->mutex);
    return value;
}

uint64_t units_asked(units *it) {
    return read_count(it, &it->asked);
}

uint64_t units_done(units *it) {
    return read_count(it, &it->done);
}

uint64_t units_failed(units *it) {
    return read_count(it, &it->failed);
}

bool units_is_interrupted(const units *it) {
    return atomic_load(&it->interrupted);
}

/* --- Workers ----------------------------------------------------------------------------- */

bool units_take(units *it, unit *out, bool may_wait) {
    pthread_mutex_lock(&it->mutex);
    while (may_wait && !is_over(it) && it->waiting == 0 && !(it->ended && it->running == 0)) {
        pthread_cond_wait(&it->changed, &it->mutex);
    }
    const bool taken = !is_over(it) && it->waiting > 0;
    if (taken) {
        *out = pop(it);
        it->running++;
        pthread_cond_broadcast(&it->changed);
    }
    pthread_mutex_unlock(&it->mutex);
    return taken;
}

/* Ends the work of a worker on a unit. The caller holds the lock, which is released. */
static void release(units *it, unit *taken) {
    free(taken->request);
    taken->request = NULL;
    it->running--;
    pthread_cond_broadcast(&it->changed);
    pthread_mutex_unlock(&it->mutex);
}

void units_finish(units *it, unit *taken, const void *result, size_t length) {
    pthread_mutex_lock(&it->mutex);
    if (it->broken) {
        release(it, taken);
        return;
    }
    if (journal_add(&it->journal, taken->key, result, length)) {
        it->done++;
        show_progress(it, taken->share, true);
    } else {
        break_journal(it);
    }
    release(it, taken);
}

void units_fail(units *it, unit *taken, const char *reason, size_t length) {
    char quoted[TEXT_QUOTED_SIZE], why[TEXT_QUOTED_SIZE];
    pthread_mutex_lock(&it->mutex);
    if (!is_over(it) && ++taken->failures < FAILURES_MAX) {
        pthread_mutex_unlock(&it->mutex);
        units_return(it, taken);
        return;
    }
    journal_entry *entry = is_over(it) ? NULL : journal_entry_of(&it->journal, taken->key);
    if (entry) {
        entry->state = UNIT_FAILED;
        it->failed++;
        if (it->settings.line) {
            progress_clear(it->settings.line);
        }
        output_error(it->settings.command, "a unit failed twice, %s: %s", text_quote(why, reason, length),
                     text_quote(quoted, taken->request, taken->length));
    }
    release(it, taken);
}

void units_return(units *it, unit *taken) {
    pthread_mutex_lock(&it->mutex);
    const unit back = *taken;
    taken->request = NULL;
    if (!push(it, &back)) {
        free(back.request);
        break_off(it, "out of memory", "");
    }
    release(it, taken);
}

bool units_is_open(units *it) {
    pthread_mutex_lock(&it->mutex);
    const bool open = !is_over(it) && (!it->ended || it->waiting + it->running > 0);
    pthread_mutex_unlock(&it->mutex);
    return open;
}

void units_end(units *it) {
    pthread_mutex_lock(&it->mutex);
    it->ended = true;
    pthread_cond_broadcast(&it->changed);
    pthread_mutex_unlock(&it->mutex);
}

static void *work_on_units(void *argument) {
    units_thread *self = argument;
    units *it = self->all;
    buffer result = {0};
    unit taken;
    numa_keep_thread(&it->nodes, (int)(self - it->threads), it->state_count);
    while (units_take(it, &taken, true)) {
        buffer_clear(&result);
        const bool good = it->work.run(self->state, taken.request, taken.length, &result) && !result.failed;
        if (atomic_load(&it->interrupted)) {
            units_return(it, &taken); /* what a stopped search found is not its result */
        } else if (good) {
            units_finish(it, &taken, result.data, result.length);
        } else {
            units_fail(it, &taken, result.data ? result.data : "", result.length);
        }
    }
    buffer_free(&result);
    return NULL;
}

/* ^C: stops the running units. Repeats that, so that it also reaches one that is just about to start. */
static void on_signal(void *payload, int number) {
    units *it = payload;
    if (number != SIGINT || atomic_exchange(&it->interrupted, true)) {
        if (it->settings.journal) {
            output_error(it->settings.command, "ended by a signal; finished work is kept, the same command continues");
        }
        interrupt_exit(number, it->unfinished);
    }
    pthread_mutex_lock(&it->mutex);
    pthread_cond_broadcast(&it->changed);
    pthread_mutex_unlock(&it->mutex);
    while (!interrupt_is_due(&it->signals)) {
        for (int i = 0; it->work.stop && i < it->state_count; i++) {
            it->work.stop(it->threads[i].state);
        }
        clock_sleep_ms(STOP_INTERVAL_MS);
    }
}

bool units_start(units *it, const unit_work *work, int threads, const char *unfinished) {
    it->work = *work;
    it->unfinished = unfinished;
    it->threads = calloc((size_t)threads, sizeof *it->threads);
    if (!it->threads) {
        output_error(it->settings.command, "out of memory");
        return false;
    }
    while (it->state_count < threads && (it->threads[it->state_count].state = work->open(work->shared)) != NULL) {
        it->threads[it->state_count++].all = it;
    }
    pthread_attr_t attributes;
    if (it->state_count == 0 || pthread_attr_init(&attributes) != 0) {
        return false;
    }
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    numa_read(&it->nodes, NUMA_DIRECTORY);
    interrupt_start(&it->signals, on_signal, it);
    while (it->thread_count < it->state_count && pthread_create(&it->threads[it->thread_count].id, &attributes,
                                                                work_on_units, &it->threads[it->thread_count]) == 0) {
        it->thread_count++;
    }
    pthread_attr_destroy(&attributes);
    if (it->thread_count < threads) {
        output_error(it->settings.command,
                     it->thread_count ? "only %d of %d threads could be started" : "cannot start a thread",
                     it->thread_count, threads);
    }
    return it->thread_count > 0;
}

static bool start_threads(void *payload, units *it, const unit_work *work, int threads, const char *unfinished) {
    (void)payload;
    return units_start(it, work, threads, unfinished);
}

static void finish_threads(void *payload, units *it) {
    (void)payload, (void)it;
}

const unit_runner units_by_threads = {.start = start_threads, .finish = finish_threads};
