/* SPDX-License-Identifier: MIT */
/*
 * `luft-train check`: is everything in these files what it should be? Checksums, the legality of every move and every
 * position, that what is kept is quiet, and that the header counts right.
 */
#include "arguments.h"
#include "games.h"
#include "inputs.h"
#include "progress.h"
#include "records.h"
#include "command.h"

#include "luft/luft.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char command[] = "check";

/* What is wrong with a game that could be read; NULL if nothing. */
static const char *fault_of_game(const game_data *game) {
    for (int i = game->opening; i < game->plies + game->has_last; i++) {
        const game_ply *ply = &game->ply[i];
        if (!ply->kept) {
            continue;
        }
        if (luft_in_check(&game->positions[i])) {
            return "a position that is kept is in check";
        }
        if (luft_move_is_capture(ply->move) || luft_move_is_promotion(ply->move)) {
            return "the best move of a position that is kept is a capture or a promotion";
        }
        if (abs(ply->score) >= QUIET_SCORE_MAX) {
            return "the score of a position that is kept is too great";
        }
    }
    const luft_outcome outcome = luft_position_outcome(&game->positions[game->plies]);
    const int result = outcome.winner == LUFT_NO_WINNER ? 1 : outcome.winner == LUFT_WHITE ? 2 : 0;
    if (game->ending == GAME_BY_RULES && (outcome.termination == LUFT_NOT_OVER || result != game->result)) {
        return "the result is not what the last position says";
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
        progress_show(line, *positions + kept);
    }
    if (!reason && state == GAME_DAMAGED) {
        reason = "a game is not legal";
    }
    if (!reason && kept != file.header.positions) {
        reason = "there are not as many positions as its header says";
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
        reason = "the data are not those that were written";
    }
    for (uint64_t i = 0; !reason && i < file.header.count; i++) {
        luft_position position;
        if (!record_unpack(&position, &file.records[i])) {
            reason = "a record is none of a position";
        }
        progress_show(line, *positions + i);
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
        complain(command, "there is no memory");
        return STATUS_FAILED;
    }
    progress_start(&line, "positions", 0, 0);
    for (size_t i = 0; i < list->count; i++) {
        const char *path = list->paths[i];
        const input_kind kind = input_kind_of(path);
        const char *reason = kind == INPUT_GAMES     ? check_games(path, game, &line, &positions)
                             : kind == INPUT_RECORDS ? check_records(path, &line, &positions)
                                                     : "it is no file of games or records";
        if (reason) {
            progress_end(&line);
            printf("%s: %s\n", path, reason);
            faults++;
        }
    }
    progress_end(&line);
    printf("files=%zu positions=%" PRIu64 " errors=%" PRIu64 "\n", list->count, positions, faults);
    free(game);
    return fflush(stdout) == 0 && faults == 0 ? STATUS_OK : STATUS_FAILED;
}

int train_check(int argc, char **argv) {
    size_t count = 0;
    const argument_table table = {
        .command = command,
        .usage = "FILE|DIR...",
        .about = "Verifies files of games and of records: checksums, legality, counts. The exit status is 1 if\n"
                 "anything is wrong.\n",
        .operand_count = &count,
    };
    int status;
    inputs list;
    if (arguments_read(&table, argc, argv, &status)) {
        status = STATUS_USAGE;
        if (inputs_find(&list, argv, count, command)) {
            status = check(&list);
            inputs_free(&list);
        }
    }
    return status;
}
