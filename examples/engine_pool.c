/* SPDX-License-Identifier: MIT */
/*
 * A pool of engines that serves requests, as in a server: `engine_pool` reads a FEN from each line of standard input and
 * prints its line number and the best move. Each engine belongs to one thread, which takes the next request when it has
 * answered the last one. The answers may come in another order than the requests.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "luft/engine.h"
#include "luft/luft.h"

enum { ENGINES = 4 };

/* Where the requests come from. */
typedef struct request_queue {
    pthread_mutex_t mutex;
    int number; /* of the last request that was taken */
} request_queue;

/* The number of the next request; 0 if there is none left. */
static int take_request(request_queue *queue, char fen[256]) {
    pthread_mutex_lock(&queue->mutex);
    const int number = fgets(fen, 256, stdin) ? ++queue->number : 0;
    pthread_mutex_unlock(&queue->mutex);
    return number;
}

/* The answer does not depend on which engine gives it: the engine is cleared, and counts nodes, not time. */
static bool answer(luft_engine *engine, char san[LUFT_SAN_SIZE], const char *fen) {
    luft_position position;
    const luft_engine_result *result;
    luft_engine_limits limits = luft_engine_no_limits();
    limits.nodes = 50000;
    return luft_position_from_fen(&position, fen, strcspn(fen, "\r\n"), NULL) == LUFT_OK &&
           luft_engine_clear(engine) == LUFT_OK &&
           luft_engine_set_position(engine, &position, NULL, 0, NULL) == LUFT_OK &&
           luft_engine_search(&result, engine, &limits, NULL) == LUFT_OK && result->best != LUFT_MOVE_NONE &&
           luft_move_to_san(san, LUFT_SAN_SIZE, &position, result->best) > 0;
}

static void *serve(void *payload) {
    char fen[256], san[LUFT_SAN_SIZE];
    luft_engine *engine = NULL;
    int number;
    if (luft_engine_create(&engine) == LUFT_OK) {
        while ((number = take_request(payload, fen)) > 0) {
            printf("%d: %s\n", number, answer(engine, san, fen) ? san : "no move");
        }
    }
    luft_engine_free(engine);
    return NULL;
}

int main(void) {
    request_queue queue = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[ENGINES];
    int count = 0;
    while (count < ENGINES && pthread_create(&threads[count], NULL, serve, &queue) == 0) {
        count++;
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    return count > 0 ? 0 : 1;
}
