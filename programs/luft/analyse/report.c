/* SPDX-License-Identifier: MIT */
/* Collects the games and writes the report as text and JSON; report_html.c writes the page. */
#include "report.h"

#include "analyse.h"

#include "util/checksum.h"
#include "util/output.h"
#include "util/output_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

report *report_create(void) {
    return calloc(1, sizeof(report));
}

void report_free(report *it) {
    if (it) {
        free(it->games);
        free(it->players);
        free(it->slots);
        free(it->chances);
        buffer_free(&it->text);
    }
    free(it);
}

double report_mean(double sum, int64_t moves, double none) {
    return moves > 0 ? sum / (double)moves : none;
}

/* --- Collecting ---------------------------------------------------------------------------------- */

/* Makes room for one more element. */
static bool reserve(void **array, size_t *room, size_t count, size_t size) {
    if (count < *room) {
        return true;
    }
    const size_t wanted = *room ? *room * 2 : 64;
    void *grown = realloc(*array, wanted * size);
    if (grown) {
        *array = grown;
        *room = wanted;
    }
    return grown != NULL;
}

static uint32_t *slot_of(const report *it, const char *name) {
    size_t place = (size_t)checksum_of(name, strlen(name)) & (it->slot_count - 1);
    while (it->slots[place] != 0 && strcmp(it->text.data + it->players[it->slots[place] - 1].name, name) != 0) {
        place = (place + 1) & (it->slot_count - 1);
    }
    return &it->slots[place];
}

static bool grow_slots(report *it) {
    const size_t wanted = it->slot_count ? it->slot_count * 2 : 256;
    uint32_t *slots = calloc(wanted, sizeof *slots);
    if (!slots) {
        return false;
    }
    free(it->slots);
    it->slots = slots;
    it->slot_count = wanted;
    for (size_t i = 0; i < it->player_count; i++) {
        *slot_of(it, it->text.data + it->players[i].name) = (uint32_t)(i + 1);
    }
    return true;
}

/* The player of this name, a new one at first; NULL if out of memory. */
static report_player *find_player(report *it, size_t name) {
    if (it->player_count * 2 >= it->slot_count && !grow_slots(it)) {
        return NULL;
    }
    uint32_t *slot = slot_of(it, it->text.data + name);
    if (*slot == 0) {
        if (!reserve((void **)&it->players, &it->player_room, it->player_count, sizeof *it->players)) {
            return NULL;
        }
        it->players[it->player_count++] = (report_player){.name = name};
        *slot = (uint32_t)it->player_count;
    }
    return &it->players[*slot - 1];
}

static bool add_player(report *it, report_game *added, const reviewed_game *game, luft_color color) {
    size_t length;
    const char *name = game_tag_value(game, color == LUFT_WHITE ? "White" : "Black", &length);
    added->names[color] = it->text.length;
    buffer_append_readable(&it->text, name, length < 80 ? length : 80);
    buffer_append(&it->text, "", 1);
    report_player *player = it->text.failed ? NULL : find_player(it, added->names[color]);
    if (!player) {
        return false;
    }
    player->games++;
    judge_add_total(&player->total, &added->totals[color]);
    judge_add_total(&it->all, &added->totals[color]);
    return true;
}

bool report_add_game(report *it, uint64_t number, const reviewed_game *game, const evaluation *evaluations,
                     const player_total totals[2]) {
    if (!reserve((void **)&it->games, &it->game_room, it->game_count, sizeof *it->games)) {
        return false;
    }
    report_game *added = &it->games[it->game_count];
    *added = (report_game){.number = number,
                           .result = luft_result_string(luft_pgn_game_result(game->tree)),
                           .totals = {totals[0], totals[1]},
                           .first = it->chance_count,
                           .plies = game->plies};
    for (size_t ply = 0; ply <= game->plies; ply++) {
        if (!reserve((void **)&it->chances, &it->chance_room, it->chance_count, sizeof *it->chances)) {
            return false;
        }
        it->chances[it->chance_count++] = (float)judge_chances(evaluations[ply].score);
    }
    it->game_count++;
    return add_player(it, added, game, LUFT_WHITE) && add_player(it, added, game, LUFT_BLACK);
}

/* --- JSON ------------------------------------------------------------------------------------------ */

void report_write_total(json *out, const player_total *total) {
    json_count(out, "moves", (uint64_t)total->moves);
    json_key(out, "accuracy");
    json_real(out, report_mean(total->accuracy, total->moves, 100), 1);
    json_key(out, "average_loss_cp");
    json_real(out, report_mean((double)total->loss_cp, total->moves, 0), 1);
    json_count(out, "inaccuracies", (uint64_t)total->counts[JUDGED_INACCURACY]);
    json_count(out, "mistakes", (uint64_t)total->counts[JUDGED_MISTAKE]);
    json_count(out, "blunders", (uint64_t)total->counts[JUDGED_BLUNDER]);
    json_count(out, "missed_mates", (uint64_t)total->missed_mates);
    json_key(out, "phases");
    json_open(out, '{');
    for (int i = 0; i < PHASE_COUNT; i++) {
        json_key(out, game_phase_name((game_phase)i));
        json_open(out, '{');
        json_count(out, "moves", (uint64_t)total->phase_moves[i]);
        json_key(out, "accuracy");
        json_real(out, report_mean(total->phase_accuracy[i], total->phase_moves[i], 100), 1);
        json_key(out, "average_loss_cp");
        json_real(out, report_mean((double)total->phase_loss_cp[i], total->phase_moves[i], 0), 1);
        json_close(out, '}');
    }
    json_close(out, '}');
    json_key(out, "time_trouble");
    json_open(out, '{');
    json_count(out, "moves", (uint64_t)total->hurried);
    json_count(out, "mistakes", (uint64_t)total->hurried_mistakes);
    json_close(out, '}');
}

static void append_json(buffer *text, const report *it) {
    static const char *const keys[] = {"white", "black"};
    json out = {.text = text};
    json_open_lines(&out, '{');
    json_key(&out, "games");
    json_open_lines(&out, '[');
    for (size_t i = 0; i < it->game_count; i++) {
        const report_game *game = &it->games[i];
        json_open(&out, '{');
        json_count(&out, "game", game->number);
        json_member(&out, "result", game->result);
        for (int color = 0; color < 2; color++) {
            json_key(&out, keys[color]);
            json_open(&out, '{');
            json_member(&out, "name", it->text.data + game->names[color]);
            report_write_total(&out, &game->totals[color]);
            json_close(&out, '}');
        }
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_key(&out, "players");
    json_open_lines(&out, '[');
    for (size_t i = 0; i < it->player_count; i++) {
        const report_player *player = &it->players[i];
        json_open(&out, '{');
        json_member(&out, "name", it->text.data + player->name);
        json_count(&out, "games", player->games);
        report_write_total(&out, &player->total);
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_key(&out, "all");
    json_open(&out, '{');
    json_count(&out, "games", it->game_count);
    report_write_total(&out, &it->all);
    json_close(&out, '}');
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}

/* --- Text -------------------------------------------------------------------------------------------- */

static void append_row(buffer *out, const char *name, uint64_t games, const player_total *total) {
    buffer_printf(out, "%5" PRIu64 "  %6" PRId64 "  %6.1f %%  %5.0f", games, total->moves,
                  report_mean(total->accuracy, total->moves, 100),
                  report_mean((double)total->loss_cp, total->moves, 0));
    for (int i = 0; i < PHASE_COUNT; i++) {
        buffer_printf(out, "  %5.0f", report_mean((double)total->phase_loss_cp[i], total->phase_moves[i], 0));
    }
    buffer_printf(out, "  %4" PRId64 "  %4" PRId64 "  %4" PRId64 "  %6" PRId64 "  %7" PRId64 "  %s\n",
                  total->counts[JUDGED_INACCURACY], total->counts[JUDGED_MISTAKE], total->counts[JUDGED_BLUNDER],
                  total->missed_mates, total->hurried_mistakes, name);
}

static void append_text(buffer *out, const report *it) {
    buffer_append_text(
        out, "games   moves  accuracy   loss  open.  midd.   end.    ?!     ?    ??  missed  hurried  player\n");
    for (size_t i = 0; i < it->player_count; i++) {
        append_row(out, it->text.data + it->players[i].name, it->players[i].games, &it->players[i].total);
    }
    append_row(out, "(all)", it->game_count, &it->all);
}

/* --- Writing ------------------------------------------------------------------------------------------- */

static bool ends_with(const char *path, const char *end) {
    const size_t length = strlen(path), end_length = strlen(end);
    return length >= end_length && strcmp(path + length - end_length, end) == 0;
}

bool report_write(const report *it, const char *path) {
    output_file file;
    buffer text = {0};
    if (ends_with(path, ".html")) {
        report_append_html(&text, it);
    } else if (ends_with(path, ".json")) {
        append_json(&text, it);
    } else {
        append_text(&text, it);
    }
    if (!output_file_open(&file, path, ANALYSE_NAME)) {
        buffer_free(&text);
        return false;
    }
    const bool written = output_write(ANALYSE_NAME, file.file, &text);
    const bool good = output_file_close(&file, written, ANALYSE_NAME) && written;
    buffer_free(&text);
    return good;
}
