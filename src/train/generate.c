/* SPDX-License-Identifier: MIT */
/*
 * `luft-train generate`: games of the engine with itself, for data. Each begins
 * with a few random moves, is played with a fixed number of nodes, and is given up
 * when it is decided. What is kept are quiet positions: not in check, and the
 * best move no capture, because the evaluation is asked for such.
 */
#define _POSIX_C_SOURCE 200809L

#include "records.h"
#include "train.h"

#include "engine/engine.h"
#include "luft/luft.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAME_MAX = 400,   /* plies; a longer game is a draw */
    RANDOM_PLIES = 8, /* at the start, or one more */
    UNFAIR = 400,     /* a start with a greater score than this is not played */
    DECIDED = 1500,   /* a score like this for DECIDED_PLIES plies ends the game */
    DECIDED_PLIES = 5,
    QUIET_SCORE_MAX = 3000 /* positions with a greater score teach nothing */
};

typedef struct generate_job {
    record_writer *writer;
    pthread_mutex_t mutex; /* guards the file and the counters */
    long games;            /* still to be played */
    long played;
    long long written;
    long nodes;
    uint64_t seed;
} generate_job;

/* A position that is kept until the result of its game is known. */
typedef struct sample {
    luft_position position;
    int score;
} sample;

typedef struct generate_worker {
    generate_job *job;
    int index;
} generate_worker;

/* What a search found, filled by its callbacks. */
typedef struct found_move {
    luft_move move;
    int score;
} found_move;

static void note_line(void *payload, const engine_line *line) {
    ((found_move *)payload)->score = line->score;
}

static void note_move(void *payload, luft_move best, luft_move ponder) {
    (void)ponder;
    ((found_move *)payload)->move = best;
}

static uint64_t next_random(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15ull;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* A few random moves; false if they end the game. */
static bool random_start(luft_game *game, uint64_t *random) {
    const int plies = RANDOM_PLIES + (int)(next_random(random) & 1);
    for (int i = 0; i < plies; i++) {
        luft_move_list list;
        if (luft_generate(&list, luft_game_position(game), LUFT_ALL_MOVES) == 0) {
            return false;
        }
        luft_game_play(game, list.moves[next_random(random) % (uint64_t)list.count]);
    }
    return luft_has_legal_move(luft_game_position(game));
}

static found_move think(luft_engine *engine, const luft_game *game, long nodes) {
    luft_move moves[GAME_MAX + RANDOM_PLIES + 2];
    const size_t count = luft_game_ply(game);
    for (size_t i = 0; i < count; i++) {
        moves[i] = luft_game_move_at(game, i);
    }
    found_move found = {0};
    search_limits limits = limits_none();
    limits.nodes = nodes;
    const engine_callbacks callbacks = {.line = note_line, .best_move = note_move, .payload = &found};
    engine_set_position(engine, luft_game_position_at(game, 0), moves, count, NULL);
    engine_go(engine, &limits, &callbacks);
    engine_wait(engine);
    return found;
}

/* Plays one game; returns how many records it gave, their results for White in `result` (0, 1, 2). */
static int play_game(luft_engine *engine, luft_game *game, uint64_t *random, long nodes, sample *samples, int *result) {
    int count = 0, decided = 0;
    *result = 1;
    if (!random_start(game, random)) {
        return 0;
    }
    const size_t first = luft_game_ply(game);
    engine_clear(engine);
    while (luft_game_ply(game) < GAME_MAX) {
        const luft_outcome outcome = luft_game_outcome(game);
        if (outcome.termination != LUFT_NOT_OVER || luft_game_claims(game)) {
            *result = outcome.winner == LUFT_WHITE ? 2 : outcome.winner == LUFT_BLACK ? 0 : 1;
            return count;
        }
        const luft_position *position = luft_game_position(game);
        const found_move found = think(engine, game, nodes);
        if (luft_game_ply(game) == first && abs(found.score) > UNFAIR) {
            return 0;
        }
        decided = abs(found.score) >= DECIDED ? decided + 1 : 0;
        if (decided == DECIDED_PLIES) {
            *result = (found.score > 0) == (position->side_to_move == LUFT_WHITE) ? 2 : 0;
            return count;
        }
        const bool quiet = !luft_in_check(position) && !luft_move_is_capture(found.move) &&
                           !luft_move_is_promotion(found.move) && abs(found.score) <= QUIET_SCORE_MAX;
        if (quiet) {
            samples[count++] = (sample){.position = *position, .score = found.score};
        }
        luft_game_play(game, found.move);
    }
    return count;
}

static void *work(void *argument) {
    const generate_worker *worker = argument;
    generate_job *job = worker->job;
    luft_engine *engine = engine_create();
    sample *samples = malloc((GAME_MAX + 1) * sizeof *samples);
    for (;;) {
        pthread_mutex_lock(&job->mutex);
        const bool more = job->games > 0 && engine && samples;
        job->games -= more;
        uint64_t random = job->seed + (uint64_t)job->games * 0x2545f4914f6cdd1dull; /* by game, not by thread */
        pthread_mutex_unlock(&job->mutex);
        luft_game *game = NULL;
        if (!more || luft_game_create(&game, NULL) != LUFT_OK) {
            break;
        }
        int result;
        const int count = play_game(engine, game, &random, job->nodes, samples, &result);
        luft_game_free(game);

        pthread_mutex_lock(&job->mutex);
        for (int i = 0; i < count; i++) {
            record entry;
            const bool white = samples[i].position.side_to_move == LUFT_WHITE;
            record_pack(&entry, &samples[i].position, samples[i].score, white ? result : 2 - result,
                        (uint32_t)job->played);
            record_writer_add(job->writer, &entry, 1);
        }
        job->written += count;
        if (++job->played % 1000 == 0) {
            fprintf(stderr, "%ld games, %lld positions\n", job->played, job->written);
        }
        pthread_mutex_unlock(&job->mutex);
    }
    free(samples);
    engine_free(engine);
    return NULL;
}

int train_generate(int argc, char **argv) {
    enum { MOST_THREADS = 64 };
    const char *out = NULL;
    generate_job job = {.games = 1000, .nodes = 5000, .seed = 1};
    long threads = 1;
    for (int i = 0; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--out") == 0) {
            out = argv[i + 1];
        } else if (strcmp(argv[i], "--games") == 0) {
            job.games = atol(argv[i + 1]);
        } else if (strcmp(argv[i], "--nodes") == 0) {
            job.nodes = atol(argv[i + 1]);
        } else if (strcmp(argv[i], "--threads") == 0) {
            threads = atol(argv[i + 1]);
        } else if (strcmp(argv[i], "--seed") == 0) {
            job.seed = strtoull(argv[i + 1], NULL, 10) * 0x9e3779b97f4a7c15ull;
        } else {
            fprintf(stderr, "luft-train generate: unknown option %s\n", argv[i]);
            return 2;
        }
    }
    if (!out || job.games < 1 || job.nodes < 1 || threads < 1 || threads > MOST_THREADS || argc % 2 != 0) {
        fprintf(stderr, "luft-train generate: --out FILE is needed, and numbers from 1; luft-train --help\n");
        return 2;
    }
    file_header header = file_header_of(FILE_KIND_RECORDS);
    header.nodes = (uint32_t)job.nodes;
    header.seed = job.seed;
    record_writer writer;
    if (!record_writer_open(&writer, out, &header)) {
        perror(out);
        return 1;
    }
    job.writer = &writer;
    pthread_mutex_init(&job.mutex, NULL);
    pthread_t ids[MOST_THREADS];
    generate_worker workers[MOST_THREADS];
    int started = 0;
    for (; started < threads; started++) {
        workers[started] = (generate_worker){&job, started};
        if (pthread_create(&ids[started], NULL, work, &workers[started]) != 0) {
            break;
        }
    }
    for (int i = 0; i < started; i++) {
        pthread_join(ids[i], NULL);
    }
    fprintf(stderr, "%ld games, %lld positions\n", job.played, job.written);
    return record_writer_close(&writer) && started > 0 ? 0 : 1;
}
