/* SPDX-License-Identifier: MIT */
/* The best move of a position after half a second of search: `best_move [FEN]` */
#include <stdio.h>
#include <string.h>

#include "luft/engine.h"
#include "luft/luft.h"

int main(int argc, char **argv) {
    luft_position position = luft_start_position();
    luft_engine *engine = NULL;
    luft_engine_limits limits = luft_engine_no_limits();
    limits.movetime_ms = 500;
    const luft_engine_result *result;
    if (argc > 1 && luft_position_from_fen(&position, argv[1], strlen(argv[1]), NULL) != LUFT_OK) {
        printf("not the FEN of a legal position\n");
        return 1;
    }
    luft_error error = luft_engine_create(&engine);
    error = error == LUFT_OK ? luft_engine_set_position(engine, &position, NULL, 0, NULL) : error;
    error = error == LUFT_OK ? luft_engine_search(&result, engine, &limits, NULL) : error;
    if (error == LUFT_OK) {
        char san[LUFT_SAN_SIZE];
        luft_move_to_san(san, sizeof san, &position, result->best);
        printf("%s\n", san);
    }
    luft_engine_free(engine);
    return error == LUFT_OK ? 0 : 1;
}
