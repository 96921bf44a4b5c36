/* SPDX-License-Identifier: MIT */
/*
 * The statistics as text for people and as JSON for programs. Names come from
 * files: both ways they come out as valid UTF-8, with Latin-1 converted and what
 * could play tricks on a terminal escaped.
 */
#include "stats.h"

#include "util/text.h"

#include <inttypes.h>
#include <string.h>

#define ECO_CODES 500 /* A00 to E99 */
#define BAR_WIDTH 40

/* All openings of one code together. */
typedef struct eco_sum {
    int code; /* 0 for A00 */
    uint64_t games;
    uint64_t results[TALLY_RESULTS];
    const tally_entry *commonest;
} eco_sum;

static int eco_number(const char *name) {
    return (name[0] - 'A') * 100 + (name[1] - '0') * 10 + (name[2] - '0');
}

/* The codes with the most games first. The openings are sorted, so the first of a code is its commonest. */
static size_t sum_codes(eco_sum sums[ECO_CODES], const tally *openings) {
    memset(sums, 0, ECO_CODES * sizeof *sums);
    for (size_t i = 0; i < openings->count; i++) {
        const tally_entry *entry = &openings->entries[i];
        eco_sum *sum = &sums[eco_number(tally_name(openings, entry))];
        sum->commonest = sum->commonest ? sum->commonest : entry;
        sum->games += entry->games;
        for (int result = 0; result < TALLY_RESULTS; result++) {
            sum->results[result] += entry->results[result];
        }
    }
    size_t count = 0;
    for (int code = 0; code < ECO_CODES; code++) {
        if (sums[code].games > 0) {
            eco_sum sum = sums[code];
            sum.code = code;
            size_t place = count++;
            for (; place > 0 && sums[place - 1].games < sum.games; place--) {
                sums[place] = sums[place - 1];
            }
            sums[place] = sum;
        }
    }
    return count;
}

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Points of those who play for a win here: White for openings, the player for players. */
static double score(const uint64_t results[TALLY_RESULTS]) {
    const uint64_t finished = results[TALLY_WIN] + results[TALLY_DRAW] + results[TALLY_LOSS];
    return percent(2 * results[TALLY_WIN] + results[TALLY_DRAW], 2 * finished);
}

/* --- Text ------------------------------------------------------------------ */

static const char *grouped(char buffer[TEXT_COUNT_SIZE], uint64_t count) {
    return text_count(buffer, (luft_count){count, 0}, true);
}

static void append_bar(bytes *out, uint64_t part, uint64_t most) {
    const int width = most ? (int)((double)part / (double)most * BAR_WIDTH + 0.5) : 0;
    bytes_append_text(out, width > 0 ? "  " : "");
    for (int i = 0; i < width; i++) {
        bytes_append_text(out, "#");
    }
    bytes_append_text(out, "\n");
}

static void append_results(bytes *out, const stats *sums, const pgn_totals *totals) {
    static const char *const titles[] = {"without a result", "White won", "Black won", "drawn", "unfinished"};
    static const luft_result order[] = {LUFT_RESULT_WHITE, LUFT_RESULT_BLACK, LUFT_RESULT_DRAW, LUFT_RESULT_UNKNOWN,
                                        LUFT_RESULT_NONE};
    char digits[TEXT_COUNT_SIZE];
    bytes_printf(out, "Games: %s\n", grouped(digits, totals->games));
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const uint64_t count = sums->results[order[i]];
        if (count > 0) {
            bytes_printf(out, "  %-16s %12s  %5.1f %%\n", titles[order[i]], grouped(digits, count),
                         percent(count, totals->games));
        }
    }
    if (sums->with_errors > 0) {
        bytes_printf(out, "  %-16s %12s  %5.1f %%  (not counted in the lengths)\n", "with mistakes",
                     grouped(digits, sums->with_errors), percent(sums->with_errors, totals->games));
    }
}

static void append_game(bytes *out, const char *title, const stats_game *game) {
    if (game->number == 0) {
        return;
    }
    const char *path = pgn_path_name(game->path);
    bytes_printf(out, "  %s: %" PRIu32 " %s, game %" PRIu64 " of ", title, game->plies,
                 game->plies == 1 ? "ply" : "plies", game->number);
    bytes_append_readable(out, path, strlen(path));
    bytes_printf(out, ": ");
    bytes_append_readable(out, game->white.data, game->white.length);
    bytes_printf(out, " - ");
    bytes_append_readable(out, game->black.data, game->black.length);
    bytes_printf(out, "\n");
}

static void append_lengths(bytes *out, const stats *sums) {
    char digits[TEXT_COUNT_SIZE];
    uint64_t most = 0;
    int last = 0;
    if (sums->measured == 0) {
        return;
    }
    for (int bin = 0; bin < STATS_BINS; bin++) {
        most = sums->bins[bin] > most ? sums->bins[bin] : most;
        last = sums->bins[bin] > 0 ? bin : last;
    }
    bytes_printf(out, "\nLengths: %.1f plies on average\n", (double)sums->plies / (double)sums->measured);
    append_game(out, "longest", &sums->longest);
    append_game(out, "shortest", &sums->shortest);
    if (sums->without_moves > 0) {
        bytes_printf(out, "  without moves: %s\n", grouped(digits, sums->without_moves));
    }
    for (int bin = 0; bin <= last; bin++) {
        char title[32];
        if (bin < STATS_BINS - 1) {
            snprintf(title, sizeof title, "%d-%d", bin * STATS_BIN_MOVES, (bin + 1) * STATS_BIN_MOVES - 1);
        } else {
            snprintf(title, sizeof title, "%d or more", bin * STATS_BIN_MOVES);
        }
        bytes_printf(out, "  %-11s moves %10s", title, grouped(digits, sums->bins[bin]));
        append_bar(out, sums->bins[bin], most);
    }
}

static void append_years(bytes *out, const stats *sums) {
    char digits[TEXT_COUNT_SIZE];
    uint64_t most = 0;
    int first = 0;
    int last = 0;
    for (int year = 1; year < STATS_YEARS; year++) {
        if (sums->years[year] > 0) {
            first = first ? first : year;
            last = year;
        }
    }
    if (first == 0) {
        return;
    }
    const int step = last - first < 20 ? 1 : 10; /* years or decades */
    bytes_printf(out, "\nYears: %d to %d; games without a year: %s\n", first, last, grouped(digits, sums->years[0]));
    for (int pass = 0; pass < 2; pass++) {
        for (int from = first - first % step; from <= last; from += step) {
            uint64_t games = 0;
            for (int year = from > 0 ? from : 1; year < from + step && year < STATS_YEARS; year++) {
                games += sums->years[year];
            }
            most = games > most ? games : most;
            if (pass == 1 && games > 0) {
                bytes_printf(out, "  %d%s %10s", from, step > 1 ? "s" : " ", grouped(digits, games));
                append_bar(out, games, most);
            }
        }
    }
}

/* The row of a table: name at the end, because it has no fixed width. */
static void append_row(bytes *out, uint64_t games, const uint64_t results[TALLY_RESULTS], const char *name,
                       size_t length) {
    char digits[TEXT_COUNT_SIZE];
    bytes_printf(out, "  %10s", grouped(digits, games));
    for (int result = TALLY_WIN; result <= TALLY_LOSS; result++) {
        bytes_printf(out, " %9s", grouped(digits, results[result]));
    }
    bytes_printf(out, "  %5.1f %%  ", score(results));
    bytes_append_readable(out, name, length);
    bytes_printf(out, "\n");
}

/* `of_players`: the results are theirs; else they are those of the two sides. */
static void append_titles(bytes *out, bool of_players) {
    bytes_printf(out, "  %10s %9s %9s %9s  %7s\n", "games", of_players ? "won" : "White", "drawn",
                 of_players ? "lost" : "Black", "score");
}

static void append_tally(bytes *out, const tally *table, const char *title, bool of_players, uint64_t top) {
    char digits[TEXT_COUNT_SIZE];
    bytes_printf(out, "\n%s: %s\n", title, grouped(digits, table->count));
    if (table->count > 0 && top > 0) {
        append_titles(out, of_players);
    }
    for (size_t i = 0; i < table->count && i < top; i++) {
        const tally_entry *entry = &table->entries[i];
        append_row(out, entry->games, entry->results, tally_name(table, entry), entry->length);
    }
}

static void append_codes(bytes *out, const tally *openings, uint64_t top) {
    eco_sum codes[ECO_CODES];
    const size_t count = sum_codes(codes, openings);
    bytes_printf(out, "\nECO codes, with the commonest opening of each: %zu\n", count);
    if (count > 0 && top > 0) {
        append_titles(out, false);
    }
    for (size_t i = 0; i < count && i < top; i++) {
        append_row(out, codes[i].games, codes[i].results, tally_name(openings, codes[i].commonest),
                   codes[i].commonest->length);
    }
}

/* Writes the text; false if something of it is missing. */
static bool write_text(FILE *file, bytes *text) {
    const bool good = !text->failed;
    if (good) {
        fwrite(text->data, 1, text->length, file);
    }
    bytes_free(text);
    return good;
}

bool stats_print_text(FILE *file, stats *sums, const pgn_totals *totals) {
    bytes text = {0};
    append_results(&text, sums, totals);
    append_lengths(&text, sums);
    if (sums->rated > 0) {
        bytes_printf(&text, "\nElo: %d to %d, %.0f on average\n", sums->elo_min, sums->elo_max,
                     (double)sums->elo_sum / (double)sums->rated);
    }
    append_years(&text, sums);
    append_codes(&text, &sums->openings, sums->top);
    append_tally(&text, &sums->openings, "Openings", false, sums->top);
    append_tally(&text, &sums->players, "Players", true, sums->top);
    return write_text(file, &text);
}

/* --- JSON ------------------------------------------------------------------ */

static void append_json_game(bytes *text, const char *key, const stats_game *game) {
    if (game->number == 0) {
        bytes_printf(text, ",\n    \"%s\": null", key);
        return;
    }
    const char *path = pgn_path_name(game->path);
    bytes_printf(text, ",\n    \"%s\": {\"plies\": %" PRIu32 ", \"game\": %" PRIu64 ", \"file\": ", key, game->plies,
                 game->number);
    bytes_append_json(text, path, strlen(path));
    bytes_append_text(text, ", \"white\": ");
    bytes_append_json(text, game->white.data, game->white.length);
    bytes_append_text(text, ", \"black\": ");
    bytes_append_json(text, game->black.data, game->black.length);
    bytes_append_text(text, "}");
}

static void append_json_counts(bytes *text, uint64_t games, const uint64_t results[TALLY_RESULTS]) {
    bytes_printf(text,
                 ", \"games\": %" PRIu64 ", \"won\": %" PRIu64 ", \"drawn\": %" PRIu64 ", \"lost\": %" PRIu64
                 ", \"score_percent\": %.2f}",
                 games, results[TALLY_WIN], results[TALLY_DRAW], results[TALLY_LOSS], score(results));
}

/* `is_opening`: the name begins with a code, which has a key of its own. */
static void append_json_tally(bytes *text, const char *key, const tally *table, uint64_t top, bool is_opening) {
    bytes_printf(text, ",\n  \"%s\": [", key);
    for (size_t i = 0; i < table->count && i < top; i++) {
        const tally_entry *entry = &table->entries[i];
        const char *name = tally_name(table, entry);
        const size_t skipped = is_opening ? 4 : 0;
        bytes_printf(text, "%s\n    {", i > 0 ? "," : "");
        if (is_opening) {
            bytes_printf(text, "\"eco\": \"%.3s\", ", name);
        }
        bytes_append_text(text, "\"name\": ");
        bytes_append_json(text, name + skipped, entry->length - skipped);
        append_json_counts(text, entry->games, entry->results);
    }
    bytes_append_text(text, table->count > 0 && top > 0 ? "\n  ]" : "]");
}

static void append_json_codes(bytes *text, const tally *openings) {
    eco_sum codes[ECO_CODES];
    const size_t count = sum_codes(codes, openings);
    bytes_append_text(text, ",\n  \"eco_codes\": [");
    for (size_t i = 0; i < count; i++) {
        const char *name = tally_name(openings, codes[i].commonest);
        bytes_printf(text, "%s\n    {\"eco\": \"%.3s\", \"commonest\": ", i > 0 ? "," : "", name);
        bytes_append_json(text, name + 4, codes[i].commonest->length - 4);
        append_json_counts(text, codes[i].games, codes[i].results);
    }
    bytes_append_text(text, count > 0 ? "\n  ]" : "]");
}

static void append_json_years(bytes *text, const stats *sums) {
    const char *comma = "";
    bytes_append_text(text, ",\n  \"years\": {");
    for (int year = 1; year < STATS_YEARS; year++) {
        if (sums->years[year] > 0) {
            bytes_printf(text, "%s\"%d\": %" PRIu64, comma, year, sums->years[year]);
            comma = ", ";
        }
    }
    bytes_printf(text, "},\n  \"without_year\": %" PRIu64, sums->years[0]);
}

bool stats_print_json(FILE *file, stats *sums, const pgn_totals *totals) {
    bytes text = {0};
    bytes_printf(&text,
                 "{\n  \"games\": %" PRIu64 ",\n  \"with_mistakes\": %" PRIu64 ",\n  \"bytes\": %" PRIu64
                 ",\n  \"results\": {\"1-0\": %" PRIu64 ", \"0-1\": %" PRIu64 ", \"1/2-1/2\": %" PRIu64
                 ", \"*\": %" PRIu64 ", \"none\": %" PRIu64 "}",
                 totals->games, sums->with_errors, totals->bytes, sums->results[LUFT_RESULT_WHITE],
                 sums->results[LUFT_RESULT_BLACK], sums->results[LUFT_RESULT_DRAW], sums->results[LUFT_RESULT_UNKNOWN],
                 sums->results[LUFT_RESULT_NONE]);
    bytes_printf(&text, ",\n  \"lengths\": {\n    \"games\": %" PRIu64 ",\n    \"plies\": %" PRIu64, sums->measured,
                 sums->plies);
    bytes_printf(&text, ",\n    \"without_moves\": %" PRIu64, sums->without_moves);
    append_json_game(&text, "longest", &sums->longest);
    append_json_game(&text, "shortest", &sums->shortest);
    bytes_printf(&text, ",\n    \"moves_per_bin\": %d,\n    \"bins\": [", STATS_BIN_MOVES);
    for (int bin = 0; bin < STATS_BINS; bin++) {
        bytes_printf(&text, "%s%" PRIu64, bin > 0 ? ", " : "", sums->bins[bin]);
    }
    bytes_printf(&text, "]\n  },\n  \"elo\": {\"count\": %" PRIu64 ", \"min\": %d, \"max\": %d, \"sum\": %" PRIu64 "}",
                 sums->rated, sums->elo_min, sums->elo_max, sums->elo_sum);
    append_json_years(&text, sums);
    append_json_codes(&text, &sums->openings);
    append_json_tally(&text, "openings", &sums->openings, sums->top, true);
    append_json_tally(&text, "players", &sums->players, sums->top, false);
    bytes_append_text(&text, "\n}\n");
    return write_text(file, &text);
}
