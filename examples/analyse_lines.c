/* SPDX-License-Identifier: MIT */
/*
 * The best moves of a position, each with its variation, deeper and deeper:
 * analyse_lines [FEN [LINES [DEPTH]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "luft/engine.h"
#include "luft/luft.h"

/* "+0.35", "-1.20"; "mate in 2", "mated in 3". */
static void print_score(luft_engine_score score) {
    if (score.kind == LUFT_ENGINE_MATE) {
        printf("%s in %d", score.value > 0 ? "mate" : "mated", abs(score.value));
    } else {
        printf("%+.2f", score.value / 100.0);
    }
}

static void print_line(const luft_position *root, const luft_engine_line *line) {
    luft_position position = *root;
    printf("%d. ", line->number);
    print_score(line->score);
    printf("  (%d%% won, %d%% drawn) ", line->wdl.win / 10, line->wdl.draw / 10);
    for (int i = 0; i < line->move_count; i++) {
        char san[LUFT_SAN_SIZE] = "";
        luft_move_to_san(san, sizeof san, &position, line->moves[i]);
        luft_make(&position, &position, line->moves[i]);
        printf(" %s", san);
    }
    printf("\n");
}

/* Called from the thread of the search. A bound belongs to a depth that is not complete. */
static void show_progress(void *payload, const luft_engine_line *line) {
    if (line->number == 1 && line->score.bound == LUFT_ENGINE_EXACT) {
        printf("depth %d, %lld nodes\n", line->depth, (long long)line->nodes);
    }
    (void)payload;
}

int main(int argc, char **argv) {
    luft_position position = luft_start_position();
    luft_engine *engine = NULL;
    luft_engine_limits limits = luft_engine_no_limits();
    luft_engine_callbacks callbacks = {.size = sizeof callbacks, .line = show_progress};
    limits.depth = argc > 3 ? atoi(argv[3]) : 12;
    if (argc > 1 && luft_position_from_fen(&position, argv[1], strlen(argv[1]), NULL) != LUFT_OK) {
        printf("not the FEN of a legal position\n");
        return 1;
    }
    luft_error error = luft_engine_create(&engine);
    error = error == LUFT_OK ? luft_engine_set_lines(engine, argc > 2 ? atoi(argv[2]) : 3) : error;
    error = error == LUFT_OK ? luft_engine_set_position(engine, &position, NULL, 0, NULL) : error;
    error = error == LUFT_OK ? luft_engine_start(engine, &limits, &callbacks) : error;
    if (error == LUFT_OK) {
        /* The program could do something else here, and call luft_engine_stop when it has waited enough. */
        luft_engine_wait(engine);
        const luft_engine_result *result = luft_engine_last_result(engine);
        for (int i = 0; i < result->line_count; i++) {
            print_line(&position, result->lines[i]);
        }
    } else {
        printf("%s\n", luft_error_string(error));
    }
    luft_engine_free(engine);
    return error == LUFT_OK ? 0 : 1;
}
