/* SPDX-License-Identifier: MIT */
/* Processes that play pairs of games. See duel.h. */
#define _XOPEN_SOURCE 700

#include "duel.h"

#include "data/selfplay.h"

#include "engine/params.h"
#include "util/random.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- Messages -------------------------------------------------------------------- */

static bool read_all(int file, void *bytes, size_t size) {
    for (char *to = bytes; size > 0;) {
        const ssize_t got = read(file, to, size);
        if (got > 0) {
            to += got;
            size -= (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

static bool write_all(int file, const void *bytes, size_t size) {
    for (const char *from = bytes; size > 0;) {
        const ssize_t written = write(file, from, size);
        if (written > 0) {
            from += written;
            size -= (size_t)written;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* --- Playing ----------------------------------------------------------------------- */

/* The game in progress: whose values are in force when a side is to move. */
typedef struct duel_game {
    const duel_settings *settings;
    const int *values[2]; /* by colour */
} duel_game;

static void set_params(void *payload, luft_color side) {
    const duel_game *game = payload;
    for (size_t i = 0; i < game->settings->param_count; i++) {
        *search_params[game->settings->params[i]].value = game->values[side][i];
    }
}

/* The engines and the memory of a worker. */
typedef struct duel_room {
    luft_engine *engines[2];
    game_data *start, *game;
} duel_room;

static bool play(const duel_settings *settings, const duel_room *room, const duel_pair *pair, int *points) {
    luft_engine_limits limits = luft_engine_no_limits();
    uint64_t random = random_mix(pair->seed);
    duel_game turns = {.settings = settings, .values = {pair->values[0], pair->values[0]}};
    limits.nodes = (int64_t)settings->nodes;
    set_params(&turns, LUFT_WHITE);
    if (!selfplay_start(room->engines[0], settings->starts, &random, room->start)) {
        return false;
    }
    *points = 0;
    for (int first = LUFT_WHITE; first <= LUFT_BLACK; first++) { /* the colour of the first values */
        const selfplay_players players = {
            .engines = {room->engines[first], room->engines[!first]}, .turn = set_params, .payload = &turns};
        turns.values[first] = pair->values[0];
        turns.values[!first] = pair->values[1];
        luft_engine_clear(room->engines[0]);
        luft_engine_clear(room->engines[1]);
        *room->game = *room->start;
        if (!selfplay_continue(&players, NULL, &limits, room->game)) {
            return false;
        }
        *points += game_result_for(room->game, (luft_color)first) - 1;
    }
    return true;
}

/* The whole life of a worker; ends when no more pairs come. Returns its exit status. */
static int work(const duel_settings *settings, int pairs, int results) {
    duel_room room = {.start = malloc(sizeof *room.start), .game = malloc(sizeof *room.game)};
    bool good = room.start && room.game;
    for (int i = 0; i < 2 && good; i++) {
        good = luft_engine_create(&room.engines[i]) == LUFT_OK &&
               luft_engine_set_hash(room.engines[i], settings->hash_mb) == LUFT_OK;
    }
    duel_pair pair;
    while (good && read_all(pairs, &pair, sizeof pair)) {
        duel_result result = {.number = pair.number};
        good = play(settings, &room, &pair, &result.points) && write_all(results, &result, sizeof result);
    }
    luft_engine_free(room.engines[0]);
    luft_engine_free(room.engines[1]);
    free(room.start);
    free(room.game);
    return good ? 0 : 1;
}

/* --- Processes ----------------------------------------------------------------------- */

bool duel_worker_start(duel_worker *worker, const duel_settings *settings) {
    int to[2], from[2];
    if (pipe(to) != 0) {
        return false;
    }
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    *worker = (duel_worker){.process = fork(), .pairs = to[1], .results = from[0]};
    if (worker->process == 0) {
        /* The parent decides when to end; ^C in a terminal reaches both. */
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        close(to[1]);
        close(from[0]);
        _exit(work(settings, to[0], from[1]));
    }
    close(to[0]);
    close(from[1]);
    if (worker->process < 0) {
        close(to[1]);
        close(from[0]);
        return false;
    }
    return true;
}

bool duel_worker_give(const duel_worker *worker, const duel_pair *pair) {
    return write_all(worker->pairs, pair, sizeof *pair);
}

bool duel_worker_take(const duel_worker *worker, duel_result *result) {
    return read_all(worker->results, result, sizeof *result);
}

/* Closes all pipes first: a process holds those of the processes before it too, which end only when it has ended. */
void duel_workers_stop(duel_worker *workers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        close(workers[i].pairs);
        close(workers[i].results);
    }
    for (size_t i = 0; i < count; i++) {
        while (waitpid(workers[i].process, NULL, 0) < 0 && errno == EINTR) {
        }
    }
}
