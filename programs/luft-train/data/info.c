/* SPDX-License-Identifier: MIT */
/*
 * `luft-train info`: counts the contents of files of games or records. The histograms show what a checksum cannot: data
 * that is all drawn, or all opening, or from one side.
 */
#include "info.h"

#include "command.h"
#include "inputs.h"
#include "records.h"

#include "util/atomic_file.h"
#include "util/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft-train info"

/* --- Counting ---------------------------------------------------------------- */

static void count_position(info_counts *counts, int score, int pieces, int result) {
    const int bin = (score + SCORE_BINS / 2 * SCORE_BIN) / SCORE_BIN;
    counts->scores[bin < 0 ? 0 : bin >= SCORE_BINS ? SCORE_BINS - 1 : bin]++;
    counts->pieces[pieces]++;
    counts->results[result]++;
    counts->positions++;
}

static void count_game(info_counts *counts, const game_data *game) {
    counts->plies += (uint64_t)(game->plies - game->opening + game->has_last);
    if (game->ending == GAME_DETOUR) {
        counts->detours++;
    } else {
        const int bin = game->plies / LENGTH_BIN;
        counts->lengths[bin < LENGTH_BINS ? bin : LENGTH_BINS - 1]++;
        counts->endings[game->ending]++;
        counts->games++;
    }
    for (int i = game->opening; i < game->plies + game->has_last; i++) {
        const luft_position *position = &game->positions[i];
        if (game->ply[i].kept) {
            count_position(counts, game->ply[i].score, luft_popcount(luft_occupied(&position->board)),
                           game_result_for(game, position->side_to_move));
        }
    }
}

static void print_header(const char *path, const file_header *header) {
    printf("%s: %" PRIu64 " %s, %" PRIu64 " positions, %" PRIu32 " nodes, engine %016" PRIx64 ", seed %016" PRIx64
           "%s%s\n",
           path, header->count, memcmp(header->kind, FILE_KIND_GAMES, FILE_KIND_SIZE) == 0 ? "games" : "records",
           header->positions, header->nodes, header->signature, header->seed,
           header->flags & FILE_SHUFFLED ? ", shuffled" : "",
           header->flags & FILE_DEDUPLICATED ? ", without duplicates" : "");
}

static const char *count_games(info_counts *counts, const char *path, game_data *game, bool list) {
    game_file file;
    const char *reason;
    if (!game_file_open(&file, path, &reason)) {
        return reason;
    }
    if (list) {
        print_header(path, &file.header);
    }
    counts->bytes += (uint64_t)(file.end - file.bytes);
    game_read state;
    while ((state = game_file_next(&file, game)) == GAME_READ) {
        count_game(counts, game);
    }
    game_file_close(&file);
    return state == GAME_DAMAGED ? "a game has an illegal move" : NULL;
}

static const char *count_records(info_counts *counts, const char *path, bool list) {
    record_file file;
    const char *reason;
    if (!record_file_open(&file, path, &reason)) {
        return reason;
    }
    if (list) {
        print_header(path, &file.header);
    }
    counts->bytes += file.mapping_size;
    for (uint64_t i = 0; i < file.header.count; i++) {
        const record *entry = &file.records[i];
        const int pieces = record_piece_count(entry);
        if (pieces > PIECES_MAX || record_result(entry) > RESULT_UNKNOWN) {
            reason = "a record is not a position";
            break;
        }
        count_position(counts, record_score(entry), pieces, record_result(entry));
    }
    record_file_close(&file);
    return reason;
}

/* --- Printing ---------------------------------------------------------------- */

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* "  1-2     12.3 %  ########" */
static void print_bar(const char *label, uint64_t part, uint64_t whole) {
    const double share = percent(part, whole);
    printf("  %-14s %5.1f %%  ", label, share);
    for (int i = 0; i < (int)(share * 2 + 0.5) && i < 60; i++) {
        putchar('#');
    }
    putchar('\n');
}

static void print_histograms(const info_counts *counts) {
    static const char *const results[] = {"lost", "drawn", "won", "not known"};
    static const char *const endings[GAME_ENDING_COUNT] = {"rules",    "claim",    "score", "mate seen",
                                                           "lifeless", "too long", NULL,    "tablebases"};
    char label[32];
    printf("\nresult for the side to move\n");
    for (int i = 0; i <= RESULT_UNKNOWN; i++) {
        print_bar(results[i], counts->results[i], counts->positions);
    }
    printf("\nscore for the side to move\n");
    for (int i = 0; i < SCORE_BINS; i++) {
        const int low = (i - SCORE_BINS / 2) * SCORE_BIN;
        snprintf(label, sizeof label, "%d..%d", low, low + SCORE_BIN - 1);
        print_bar(label, counts->scores[i], counts->positions);
    }
    printf("\npieces on the board\n");
    for (int pieces = 2; pieces <= PIECES_MAX; pieces++) {
        snprintf(label, sizeof label, "%d", pieces);
        print_bar(label, counts->pieces[pieces], counts->positions);
    }
    if (counts->games > 0) {
        printf("\nhow games ended\n");
        for (int i = 0; i < GAME_ENDING_COUNT; i++) {
            if (i == GAME_DETOUR || (i == GAME_BY_TABLES && counts->endings[i] == 0)) {
                continue; /* a detour is not a game, and most runs have no tablebases */
            }
            print_bar(endings[i], counts->endings[i], counts->games);
        }
        printf("\nlength of games in plies\n");
        for (int i = 0; i < LENGTH_BINS; i++) {
            snprintf(label, sizeof label, "%d..%d", i * LENGTH_BIN, i * LENGTH_BIN + LENGTH_BIN - 1);
            print_bar(label, counts->lengths[i], counts->games);
        }
    }
}

static void print_text(const info_counts *counts) {
    printf("%" PRIu64 " files, %" PRIu64 " bytes, %" PRIu64 " positions\n", counts->files, counts->bytes,
           counts->positions);
    if (counts->games > 0) {
        printf("%" PRIu64 " games, %" PRIu64 " detours, %" PRIu64
               " searches, %.1f positions a game, %.2f bytes a search, %.2f bytes a position\n",
               counts->games, counts->detours, counts->plies, (double)counts->positions / (double)counts->games,
               (double)counts->bytes / (double)(counts->plies ? counts->plies : 1),
               (double)counts->bytes / (double)(counts->positions ? counts->positions : 1));
    }
    if (counts->positions > 0) {
        print_histograms(counts);
    }
}

/* --- The command ------------------------------------------------------------- */

static int info(const inputs *list, const char *svg) {
    info_counts counts = {0};
    int status = STATUS_OK;
    game_data *game = malloc(sizeof *game);
    if (!game) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    for (size_t i = 0; i < list->count; i++) {
        const char *path = list->paths[i];
        const inputs_kind kind = inputs_kind_of(path);
        const bool few = list->count <= 20; /* more are not listed one by one */
        const char *reason = kind == INPUTS_GAMES     ? count_games(&counts, path, game, few)
                             : kind == INPUTS_RECORDS ? count_records(&counts, path, few)
                                                      : "it is not a file of games or records";
        counts.files += reason == NULL;
        if (reason) {
            output_error(NAME, "%s: %s", path, reason);
            status = STATUS_FAILED;
        }
    }
    free(game);
    print_text(&counts);
    if (svg) {
        atomic_file file;
        const bool opened = atomic_file_open(&file, svg);
        if (opened) {
            info_write_svg(file.stream, &counts);
        }
        if (!opened || !atomic_file_close(&file, true)) {
            output_error(NAME, "%s cannot be written", svg);
            status = STATUS_FAILED;
        }
    }
    return status;
}

int train_info(int argc, char **argv) {
    const char *svg = NULL;
    const option options[] = {
        option_text("svg", "FILE", "also draw the histograms into FILE", &svg),
    };
    const option_table table = {
        .command = NAME,
        .usage = "[--svg FILE] FILE|DIR...",
        .about = "Counts the contents of files of games or records: results, scores, pieces on the board, how games\n"
                 "ended.\n",
        .options = options,
        .option_count = 1,
    };
    int status;
    inputs list;
    if (inputs_read(&list, &table, argc, argv, &status)) {
        status = svg && inputs_has_output(&list, "--svg", svg, NAME) ? STATUS_USAGE : info(&list, svg);
        inputs_free(&list);
    }
    return status;
}
