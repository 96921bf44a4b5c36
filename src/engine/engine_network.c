/* SPDX-License-Identifier: MIT */
/*
 * Changing the network of an engine, from memory or from a file. A network that cannot be used changes nothing.
 */
#define _POSIX_C_SOURCE 200809L

#include "engine_internal.h"
#include "network.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Owns the network from now on. Allocates all memory before it stops a search or changes anything. */
static bool use_network(luft_engine *engine, nnue_network *network) {
    nnue_stack *stacks[MAX_THREADS_HERE] = {NULL};
    nnue_stack *evaluation = nnue_stack_create(network, 1);
    bool good = evaluation != NULL;
    for (int i = 0; i < engine->thread_count; i++) {
        stacks[i] = nnue_stack_create(network, SEARCH_PLIES);
        good = good && stacks[i];
    }
    if (good) {
        engine_finish(engine);
    }
    for (int i = 0; i < engine->thread_count; i++) {
        nnue_stack *unused = good ? engine->threads[i]->nnue : stacks[i];
        engine->threads[i]->nnue = good ? stacks[i] : engine->threads[i]->nnue;
        nnue_stack_free(unused);
    }
    const bool had_one = engine->network != NULL;
    nnue_stack_free(good ? engine->evaluation : evaluation);
    nnue_free(good ? engine->network : network);
    if (good) {
        engine->evaluation = evaluation;
        engine->network = network;
    }
    if (good && had_one) {
        engine_clear(engine); /* the transposition table holds evaluations of the old network */
    }
    return good;
}

static luft_error load_bytes(luft_engine *engine, const void *bytes, size_t length, const char **reason) {
    nnue_network *network;
    luft_error error = nnue_load(&network, bytes, length, reason);
    if (error == LUFT_OK && !use_network(engine, network)) {
        error = LUFT_ERROR_MEMORY;
        *reason = "out of memory";
    }
    return error;
}

luft_error engine_reset_network(luft_engine *engine) {
    const char *reason;
    return load_bytes(engine, network_bytes, network_size, &reason);
}

luft_error luft_engine_set_network(luft_engine *engine, const void *bytes, size_t length, const char **reason) {
    const char *unwanted;
    const luft_error busy = engine_enter(engine);
    if (busy != LUFT_OK) {
        return busy;
    }
    const bool is_default = !bytes && length == 0;
    return engine_leave(engine, load_bytes(engine, is_default ? network_bytes : bytes,
                                           is_default ? network_size : length, reason ? reason : &unwanted));
}

/* --- Files ------------------------------------------------------------------------ */

/* Reads up to `room` bytes. False if reading fails. */
static bool read_all(uint8_t *bytes, size_t room, size_t *length, int file) {
    ssize_t count;
    *length = 0;
    while (*length < room && (count = read(file, bytes + *length, room - *length)) != 0) {
        if (count < 0 && errno != EINTR) {
            return false;
        }
        *length += count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* Opens a regular file only: a pipe without a writer would block. */
static int open_regular_file(const char *path) {
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0 && (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))) {
        close(file);
        return -1;
    }
    return file;
}

static luft_error load_file(luft_engine *engine, const char *path, const char **reason) {
    const size_t room = NNUE_FILE_MAX + 1; /* one byte more than any network has, so that a longer file is refused */
    const int file = open_regular_file(path);
    if (file < 0) {
        *reason = "the file cannot be opened";
        return LUFT_ERROR_READ;
    }
    uint8_t *bytes = malloc(room);
    size_t length;
    luft_error error;
    if (!bytes) {
        error = LUFT_ERROR_MEMORY;
        *reason = "out of memory";
    } else if (!read_all(bytes, room, &length, file)) {
        error = LUFT_ERROR_READ;
        *reason = "the file cannot be read";
    } else {
        error = load_bytes(engine, bytes, length, reason);
    }
    free(bytes);
    close(file);
    return error;
}

luft_error luft_engine_load_network(luft_engine *engine, const char *path, const char **reason) {
    const char *unwanted;
    const luft_error busy = engine_enter(engine);
    if (busy != LUFT_OK) {
        return busy;
    }
    return engine_leave(engine, path ? load_file(engine, path, reason ? reason : &unwanted) : LUFT_ERROR_ARGUMENT);
}

const char *luft_engine_network_text(const luft_engine *engine) {
    return engine ? engine->network->text : NULL;
}
