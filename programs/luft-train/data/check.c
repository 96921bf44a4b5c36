/* SPDX-License-Identifier: MIT */
/*
 * `luft-train check`: verifies files of games and records: checksums, the legality of every move and position, that the
 * positions to learn from are quiet, and that the header counts right.
 */
#include "command.h"
#include "games.h"
#include "inputs.h"
#include "records.h"

#include "luft/luft.h"
#include "util/output.h"
#include "util/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft-train check"

/* What is wrong with a decoded game; NULL if nothing. */
static const char *fault_of_game(const game_data *game) {
    for (int i = game->opening; i < game->plies + game->has_last; i++) {
        const game_ply *ply = &game->ply[i];
        if (!ply->kept) {
            continue;
        }
        if (luft_in_check(&game->positions[i])) {
            return "a kept position is in check";
        }
        if (luft_move_is_capture(ply->move) || luft_move_is_promotion(ply->move)) {
            return "the best move of a kept position is a capture or a promotion";
        }
        if (abs(ply->score) >= QUIET_SCORE_MAX) {
            return "the score of a kept position is too great";
        }
    }
    const luft_outcome outcome = luft_position_outcome(&game->positions[game->plies]);
    const int result = outcome.winner == LUFT_NO_WINNER ? 1 : outcome.winner == LUFT_WHITE ? 2 : 0;
    if (game->ending == GAME_BY_RULES && (outcome.termination == LUFT_NOT_OVER || result != game->result)) {
        return "the result differs from the last position";
    }
    return NULL;
}

static const char *check_games(const char *path, game_data *game, progress *line, uint64_t *positions) {
    game_file file;
    const char *reason;
    if (!game_file_open(&file, path, &reason)) {
        return reason;
    }
    uint64_t kept = 0;
    game_read state;
    while (!reason && (state = game_file_next(&file, game)) == GAME_READ) {
        reason = fault_of_game(game);
        kept += (uint64_t)game_kept(game);
        progress_set(line, *positions + kept);
    }
    if (!reason && state == GAME_DAMAGED) {
        reason = "a game has an illegal move";
    }
    if (!reason && kept != file.header.positions) {
        reason = "the number of positions differs from the header";
    }
    *positions += kept;
    game_file_close(&file);
    return reason;
}

static const char *check_records(const char *path, progress *line, uint64_t *positions) {
    record_file file;
    const char *reason = NULL;
    if (!record_file_open(&file, path, &reason)) {
        return reason;
    }
    if (!record_file_verify(&file)) {
        reason = "the data is damaged: wrong checksum";
    }
    for (uint64_t i = 0; !reason && i < file.header.count; i++) {
        luft_position position;
        if (!record_unpack(&position, &file.records[i])) {
            reason = "a record is not a position";
        }
        progress_set(line, *positions + i);
    }
    *positions += file.header.count;
    record_file_close(&file);
    return reason;
}

static int check(const inputs *list) {
    uint64_t positions = 0, faults = 0;
    progress line;
    game_data *game = malloc(sizeof *game);
    if (!game) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    progress_start_goal(&line, "positions", 0, 0);
    for (size_t i = 0; i < list->count; i++) {
        const char *path = list->paths[i];
        const inputs_kind kind = inputs_kind_of(path);
        const char *reason = kind == INPUTS_GAMES     ? check_games(path, game, &line, &positions)
                             : kind == INPUTS_RECORDS ? check_records(path, &line, &positions)
                                                      : "it is not a file of games or records";
        if (reason) {
            progress_clear(&line);
            printf("%s: %s\n", path, reason);
            faults++;
        }
    }
    progress_clear(&line);
    printf("files=%zu positions=%" PRIu64 " errors=%" PRIu64 "\n", list->count, positions, faults);
    free(game);
    return faults == 0 ? STATUS_OK : STATUS_FAILED;
}

int train_check(int argc, char **argv) {
    const option_table table = {
        .command = NAME,
        .usage = "FILE|DIR...",
        .about =
            "Verifies files of games and records: checksums, legality, counts. The exit status is 1 if anything is\n"
            "wrong.\n",
    };
    int status;
    inputs list;
    if (inputs_read(&list, &table, argc, argv, &status)) {
        status = check(&list);
        inputs_free(&list);
    }
    return status;
}
