/* SPDX-License-Identifier: MIT */
/* Messages between the coordinator and the other ranks; see ranks.h. Both ends are the same program on the same kind of machine. */
#define _POSIX_C_SOURCE 200809L

#include "ranks.h"

#include "util/clock.h"
#include "util/numa.h"
#include "util/output.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#define NAME "luft-mpi"
#define ALIGNMENT 64

enum {
    TAG_ASK = 1, /* to the coordinator: how many units, an int; -1 if the rank does not serve */
    TAG_UNITS,   /* to a rank: units, each a number, a length and a request */
    TAG_RESULT,  /* to the coordinator: the number of a unit, whether it is good, and its result */
    TAG_END      /* to a rank: no more units; an int, 1 to stop those that run */
};

/* A rank has units for this time, so that it does not wait for a message, which takes two or three polls. */
#define AHEAD_S 0.02

enum { POLL_MS = 1, UNITS_PER_THREAD_MIN = 2, UNITS_PER_THREAD_MAX = 64, UNITS_PER_MESSAGE = 1024, UNITS_AVERAGED = 8 };

/* The head of a unit or a result in a message. */
typedef struct message_head {
    uint64_t number;
    uint64_t length; /* of the text behind it */
    uint64_t good;   /* of a result */
} message_head;

/* A unit that another rank has. */
typedef struct lent_unit {
    unit unit;
    bool is_lent;
} lent_unit;

struct ranks {
    int number; /* of this rank */
    int count;
    unit_runner runner;
    bool has_served;
    MPI_Comm machine;      /* the ranks of this machine, if memory is shared; MPI_COMM_NULL for none */
    MPI_Win shared_window; /* their memory; MPI_WIN_NULL for none */
    /* The coordinator: */
    units *units;
    pthread_t thread;
    bool is_running;
    int *wanted; /* units that each rank waits for */
    lent_unit *lent;
    size_t lent_room;
    size_t lent_first; /* no place before it is free */
    buffer message;
};

/* Receives a message of any length that has arrived. */
static bool receive(buffer *out, const MPI_Status *about) {
    int length;
    MPI_Get_count(about, MPI_BYTE, &length);
    buffer_clear(out);
    char *room = buffer_reserve(out, (size_t)length + 1);
    if (!room) {
        return false;
    }
    MPI_Recv(room, length, MPI_BYTE, about->MPI_SOURCE, about->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    out->length = (size_t)length;
    return true;
}

/* --- The coordinator ------------------------------------------------------------------------------- */

/* A free place for a unit that is lent; NULL if out of memory. */
static lent_unit *find_place(ranks *it, size_t *number) {
    size_t place = it->lent_first;
    while (place < it->lent_room && it->lent[place].is_lent) {
        place++;
    }
    if (place == it->lent_room) {
        const size_t room = it->lent_room ? it->lent_room * 2 : 256;
        lent_unit *grown = realloc(it->lent, room * sizeof *grown);
        if (!grown) {
            return NULL;
        }
        memset(grown + it->lent_room, 0, (room - it->lent_room) * sizeof *grown);
        it->lent = grown;
        it->lent_room = room;
    }
    *number = place;
    it->lent_first = place + 1;
    return &it->lent[place];
}

/* Sends a rank as many of the units that it asked for as there are. */
static void lend(ranks *it, int rank) {
    unit taken;
    int sent = 0;
    buffer_clear(&it->message);
    while (sent < it->wanted[rank] && units_take(it->units, &taken, false)) {
        size_t number;
        lent_unit *place = find_place(it, &number);
        if (!place) {
            units_return(it->units, &taken);
            break;
        }
        *place = (lent_unit){taken, true};
        const message_head head = {.number = number, .length = taken.length};
        buffer_append(&it->message, &head, sizeof head);
        buffer_append(&it->message, taken.request, taken.length);
        sent++;
    }
    if (sent > 0) {
        it->wanted[rank] = 0;
        MPI_Send(it->message.data, (int)it->message.length, MPI_BYTE, rank, TAG_UNITS, MPI_COMM_WORLD);
    }
}

static void take_result(ranks *it) {
    message_head head;
    if (it->message.length < sizeof head) {
        return;
    }
    memcpy(&head, it->message.data, sizeof head);
    if (head.number >= it->lent_room || !it->lent[head.number].is_lent ||
        head.length != it->message.length - sizeof head) {
        return;
    }
    lent_unit *place = &it->lent[head.number];
    const char *text = it->message.data + sizeof head;
    place->is_lent = false;
    it->lent_first = head.number < it->lent_first ? (size_t)head.number : it->lent_first;
    if (head.good) {
        units_finish(it->units, &place->unit, text, head.length);
    } else {
        units_fail(it->units, &place->unit, text, head.length);
    }
}

/* Takes one message. False if none has arrived. */
static bool take_message(ranks *it) {
    int arrived;
    MPI_Status about;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, &about);
    if (!arrived) {
        return false;
    }
    if (about.MPI_TAG == TAG_ASK) {
        MPI_Recv(&it->wanted[about.MPI_SOURCE], 1, MPI_INT, about.MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    } else if (receive(&it->message, &about)) {
        take_result(it);
    }
    return true;
}

static void *coordinate(void *argument) {
    ranks *it = argument;
    while (units_is_open(it->units)) {
        const bool had_message = take_message(it);
        for (int rank = 1; rank < it->count; rank++) {
            if (it->wanted[rank] > 0) {
                lend(it, rank);
            }
        }
        if (!had_message) {
            clock_sleep_ms(POLL_MS);
        }
    }
    const int stop = 1;
    for (int rank = 1; rank < it->count; rank++) {
        MPI_Send(&stop, 1, MPI_INT, rank, TAG_END, MPI_COMM_WORLD);
    }
    for (size_t i = 0; i < it->lent_room; i++) {
        if (it->lent[i].is_lent) {
            units_return(it->units, &it->lent[i].unit);
            it->lent[i].is_lent = false;
        }
    }
    it->lent_first = 0;
    return NULL;
}

static bool start(void *payload, units *it, const unit_work *work, int threads, const char *unfinished) {
    ranks *all = payload;
    all->has_served = true;
    if (!units_start(it, work, threads, unfinished)) {
        return false;
    }
    all->units = it;
    all->is_running = pthread_create(&all->thread, NULL, coordinate, all) == 0;
    if (!all->is_running) {
        output_error(NAME, "cannot start the coordinator: this rank works alone");
    }
    return true;
}

static void finish(void *payload, units *it) {
    ranks *all = payload;
    (void)it;
    if (all->is_running) {
        pthread_join(all->thread, NULL);
        all->is_running = false;
    } else {
        const int stop = 1;
        for (int rank = 1; rank < all->count; rank++) {
            MPI_Send(&stop, 1, MPI_INT, rank, TAG_END, MPI_COMM_WORLD);
        }
    }
}

/* --- The other ranks -------------------------------------------------------------------------------- */

/* Requests that wait for a thread, and results that wait to be sent: both messages without their MPI. */
typedef struct server {
    const unit_work *work;
    pthread_mutex_t mutex; /* guards all that follows */
    pthread_cond_t changed;
    buffer requests; /* heads and texts */
    buffer results;
    int unfinished; /* units that were received and whose results were not sent */
    double unit_s;  /* how long a unit takes, an average of the last ones */
    bool is_over;
} server;

typedef struct server_thread {
    server *all;
    void *state;
    pthread_t id;
} server_thread;

/* Takes the first text off a list of heads and texts. */
static bool pop_text(buffer *list, message_head *head, buffer *text) {
    if (list->length < sizeof *head) {
        return false;
    }
    memcpy(head, list->data, sizeof *head);
    buffer_clear(text);
    buffer_append(text, list->data + sizeof *head, head->length);
    buffer_append(text, "", 1); /* requests end in a NUL */
    text->length--;
    buffer_remove_front(list, sizeof *head + head->length);
    return true;
}

static void *serve_units(void *argument) {
    server_thread *self = argument;
    server *all = self->all;
    buffer request = {0}, result = {0};
    message_head head;
    pthread_mutex_lock(&all->mutex);
    while (!all->is_over) {
        if (!pop_text(&all->requests, &head, &request)) {
            pthread_cond_wait(&all->changed, &all->mutex);
            continue;
        }
        pthread_mutex_unlock(&all->mutex);
        buffer_clear(&result);
        const double began = clock_seconds();
        head.good = all->work->run(self->state, request.data, request.length, &result) && !result.failed;
        head.length = result.length;
        const double unit_s = clock_seconds() - began;
        pthread_mutex_lock(&all->mutex);
        all->unit_s += (unit_s - all->unit_s) / UNITS_AVERAGED;
        buffer_append(&all->results, &head, sizeof head);
        buffer_append(&all->results, result.data, result.length);
    }
    pthread_mutex_unlock(&all->mutex);
    buffer_free(&request);
    buffer_free(&result);
    return NULL;
}

/* Sends the results that there are. True if there were any. */
static bool send_results(server *all, buffer *text, buffer *message) {
    message_head head;
    bool any = false;
    for (;;) {
        pthread_mutex_lock(&all->mutex);
        const bool found = pop_text(&all->results, &head, text);
        all->unfinished -= found;
        pthread_mutex_unlock(&all->mutex);
        if (!found) {
            return any;
        }
        any = true;
        buffer_clear(message);
        buffer_append(message, &head, sizeof head);
        buffer_append(message, text->data, text->length);
        MPI_Send(message->data, (int)message->length, MPI_BYTE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
}

/* Adds units that have arrived. */
static void add_units(server *all, const buffer *message) {
    pthread_mutex_lock(&all->mutex);
    for (size_t at = 0; at + sizeof(message_head) <= message->length;) {
        message_head head;
        memcpy(&head, message->data + at, sizeof head);
        at += sizeof head + head.length;
        all->unfinished++;
    }
    buffer_append(&all->requests, message->data, message->length);
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->mutex);
}

/* How many units of this duration a thread has ahead. Before the first is done, the duration is that of a long one. */
static int units_ahead(double unit_s) {
    const double ahead = AHEAD_S / (unit_s > 1e-6 ? unit_s : 1e-6) + 1;
    return ahead < UNITS_PER_THREAD_MIN   ? UNITS_PER_THREAD_MIN
           : ahead > UNITS_PER_THREAD_MAX ? UNITS_PER_THREAD_MAX
                                          : (int)ahead;
}

/* Talks to the coordinator until it says that the work is over. */
static void converse(server *all, int threads) {
    buffer message = {0}, text = {0};
    bool has_asked = false;
    for (;;) {
        int arrived;
        MPI_Status about;
        bool busy = send_results(all, &text, &message);
        pthread_mutex_lock(&all->mutex);
        const int room = threads * units_ahead(all->unit_s);
        int wanted = room - all->unfinished;
        pthread_mutex_unlock(&all->mutex);
        wanted = wanted < UNITS_PER_MESSAGE ? wanted : UNITS_PER_MESSAGE;
        if (wanted >= (room + 3) / 4 && !has_asked) {
            MPI_Send(&wanted, 1, MPI_INT, 0, TAG_ASK, MPI_COMM_WORLD);
            has_asked = true;
        }
        MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, &about);
        if (arrived && about.MPI_TAG == TAG_END) {
            break;
        }
        if (arrived && receive(&message, &about)) {
            add_units(all, &message);
            has_asked = false;
            busy = true;
        }
        if (!busy) {
            clock_sleep_ms(POLL_MS);
        }
    }
    buffer_free(&message);
    buffer_free(&text);
}

static int serve(void *payload, const unit_work *work, int threads) {
    ranks *it = payload;
    server all = {
        .work = work, .unit_s = AHEAD_S, .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    server_thread *workers = calloc((size_t)threads, sizeof *workers);
    int started = 0;
    while (workers && started < threads && (workers[started].state = work->open(work->shared)) != NULL) {
        workers[started].all = &all;
        if (pthread_create(&workers[started].id, NULL, serve_units, &workers[started]) != 0) {
            work->close(workers[started].state);
            break;
        }
        started++;
    }
    if (started == 0) {
        output_error(NAME, "rank %d cannot work, the others go on", it->number);
        free(workers);
        return STATUS_FAILED;
    }
    it->has_served = true;
    converse(&all, started);
    pthread_mutex_lock(&all.mutex);
    all.is_over = true;
    pthread_cond_broadcast(&all.changed);
    pthread_mutex_unlock(&all.mutex);
    for (int i = 0; i < started; i++) {
        if (work->stop) {
            work->stop(workers[i].state);
        }
    }
    for (int i = 0; i < started; i++) {
        pthread_join(workers[i].id, NULL);
        work->close(workers[i].state);
    }
    int ending;
    MPI_Recv(&ending, 1, MPI_INT, 0, TAG_END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(workers);
    buffer_free(&all.requests);
    buffer_free(&all.results);
    return STATUS_OK;
}

/* --- Both ---------------------------------------------------------------------------------------------- */

/*
 * Is there room for shared memory? The system does not refuse what it lacks, but ends the program when it is touched.
 * Without /dev/shm, MPI keeps it elsewhere, and says itself if there is no room.
 */
static bool has_room(size_t size) {
    struct statvfs about;
    return statvfs("/dev/shm", &about) != 0 || (uint64_t)about.f_bavail * about.f_frsize > size;
}

/* The ranks of a machine have one table; a machine with one rank, or without room, gets none from here. */
static void *share(void *payload, size_t size) {
    ranks *it = payload;
    int number, count, good;
    void *memory = NULL;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, it->number, MPI_INFO_NULL, &it->machine) !=
        MPI_SUCCESS) {
        return NULL;
    }
    MPI_Comm_set_errhandler(it->machine, MPI_ERRORS_RETURN);
    MPI_Comm_rank(it->machine, &number);
    MPI_Comm_size(it->machine, &count);
    good = count > 1 && has_room(size + ALIGNMENT);
    MPI_Bcast(&good, 1, MPI_INT, 0, it->machine);
    if (count > 1 && !good && number == 0) {
        output_error(NAME, "rank %d: %zu MB do not fit in /dev/shm: each rank has its own table", it->number,
                     size >> 20);
    }
    if (!good || MPI_Win_allocate_shared(number == 0 ? (MPI_Aint)(size + ALIGNMENT) : 0, 1, MPI_INFO_NULL, it->machine,
                                         &memory, &it->shared_window) != MPI_SUCCESS) {
        return NULL;
    }
    MPI_Aint got;
    int unit_size;
    MPI_Win_shared_query(it->shared_window, 0, &got, &unit_size, &memory);
    char *aligned = (char *)memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    if (number == 0) {
        numa_map nodes;
        numa_read(&nodes, NUMA_DIRECTORY);
        numa_spread(&nodes, memory, size);
        memset(aligned, 0, size);
    }
    MPI_Barrier(it->machine);
    return aligned;
}

ranks *ranks_create(void) {
    ranks *it = calloc(1, sizeof *it);
    if (!it) {
        return NULL;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &it->number);
    MPI_Comm_size(MPI_COMM_WORLD, &it->count);
    it->wanted = calloc((size_t)it->count, sizeof *it->wanted);
    if (!it->wanted) {
        free(it);
        return NULL;
    }
    it->machine = MPI_COMM_NULL;
    it->shared_window = MPI_WIN_NULL;
    it->runner = it->number == 0 ? (unit_runner){.payload = it, .start = start, .finish = finish, .share = share}
                                 : (unit_runner){.payload = it, .serve = serve, .share = share};
    return it;
}

const unit_runner *ranks_runner(const ranks *it) {
    return &it->runner;
}

int ranks_number(const ranks *it) {
    return it->number;
}

void ranks_free(ranks *it) {
    if (!it->has_served && it->number > 0) {
        const int none = -1;
        int ending;
        MPI_Send(&none, 1, MPI_INT, 0, TAG_ASK, MPI_COMM_WORLD);
        MPI_Recv(&ending, 1, MPI_INT, 0, TAG_END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (!it->has_served) {
        finish(it, NULL); /* the others may wait */
    }
    /* Takes what ranks have sent and the coordinator did not wait for, until all are here. */
    MPI_Request barrier;
    int all_here = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!all_here) {
        MPI_Test(&barrier, &all_here, MPI_STATUS_IGNORE);
        if (!(it->number == 0 && take_message(it)) && !all_here) {
            clock_sleep_ms(POLL_MS);
        }
    }
    if (it->shared_window != MPI_WIN_NULL) {
        MPI_Win_free(&it->shared_window);
    }
    if (it->machine != MPI_COMM_NULL) {
        MPI_Comm_free(&it->machine);
    }
    buffer_free(&it->message);
    free(it->wanted);
    free(it->lent);
    free(it);
}
