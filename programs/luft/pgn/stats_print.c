/* SPDX-License-Identifier: MIT */
/*
 * Writes the statistics as text and as JSON. Names come from files: both forms write them as valid UTF-8, converted from
 * Latin-1 where needed, with control characters escaped.
 */
#include "stats.h"

#include "util/json.h"
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

/* Sorts the codes by games, most first. The openings are sorted, so the first of a code is its most frequent. */
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

/* The score in percent: of White for openings, of the player for players. */
static double score(const uint64_t results[TALLY_RESULTS]) {
    const uint64_t finished = results[TALLY_WIN] + results[TALLY_DRAW] + results[TALLY_LOSS];
    return percent(2 * results[TALLY_WIN] + results[TALLY_DRAW], 2 * finished);
}

/* --- Text ------------------------------------------------------------------ */

static const char *grouped(char text[TEXT_COUNT_SIZE], uint64_t count) {
    return text_count(text, (luft_count){count, 0}, true);
}

static void append_bar(buffer *out, uint64_t part, uint64_t max) {
    const int width = max ? (int)((double)part / (double)max * BAR_WIDTH + 0.5) : 0;
    buffer_append_text(out, width > 0 ? "  " : "");
    for (int i = 0; i < width; i++) {
        buffer_append_text(out, "#");
    }
    buffer_append_text(out, "\n");
}

static void append_results(buffer *out, const stats *sums, const pgn_totals *totals) {
    static const char *const titles[] = {"without a result", "White won", "Black won", "drawn", "unfinished"};
    static const luft_result order[] = {LUFT_RESULT_WHITE, LUFT_RESULT_BLACK, LUFT_RESULT_DRAW, LUFT_RESULT_UNKNOWN,
                                        LUFT_RESULT_NONE};
    char digits[TEXT_COUNT_SIZE];
    buffer_printf(out, "Games: %s\n", grouped(digits, totals->games));
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const uint64_t count = sums->results[order[i]];
        if (count > 0) {
            buffer_printf(out, "  %-16s %12s  %5.1f %%\n", titles[order[i]], grouped(digits, count),
                          percent(count, totals->games));
        }
    }
    if (sums->with_errors > 0) {
        buffer_printf(out, "  %-16s %12s  %5.1f %%  (not counted in the lengths)\n", "with errors",
                      grouped(digits, sums->with_errors), percent(sums->with_errors, totals->games));
    }
}

static void append_game(buffer *out, const char *title, const stats_game *game) {
    if (game->number == 0) {
        return;
    }
    const char *path = pgn_path_name(game->path);
    buffer_printf(out, "  %s: %" PRIu32 " %s, game %" PRIu64 " of ", title, game->plies,
                  game->plies == 1 ? "ply" : "plies", game->number);
    buffer_append_readable(out, path, strlen(path));
    buffer_printf(out, ": ");
    buffer_append_readable(out, game->white.data, game->white.length);
    buffer_printf(out, " - ");
    buffer_append_readable(out, game->black.data, game->black.length);
    buffer_printf(out, "\n");
}

static void append_lengths(buffer *out, const stats *sums) {
    char digits[TEXT_COUNT_SIZE];
    uint64_t max = 0;
    int last = 0;
    if (sums->measured == 0) {
        return;
    }
    for (int bin = 0; bin < STATS_BINS; bin++) {
        max = sums->bins[bin] > max ? sums->bins[bin] : max;
        last = sums->bins[bin] > 0 ? bin : last;
    }
    buffer_printf(out, "\nLengths: %.1f plies on average\n", (double)sums->plies / (double)sums->measured);
    append_game(out, "longest", &sums->longest);
    append_game(out, "shortest", &sums->shortest);
    if (sums->without_moves > 0) {
        buffer_printf(out, "  without moves: %s\n", grouped(digits, sums->without_moves));
    }
    for (int bin = 0; bin <= last; bin++) {
        char title[32];
        if (bin < STATS_BINS - 1) {
            snprintf(title, sizeof title, "%d-%d", bin * STATS_BIN_MOVES, (bin + 1) * STATS_BIN_MOVES - 1);
        } else {
            snprintf(title, sizeof title, "%d or more", bin * STATS_BIN_MOVES);
        }
        buffer_printf(out, "  %-11s moves %10s", title, grouped(digits, sums->bins[bin]));
        append_bar(out, sums->bins[bin], max);
    }
}

static void append_years(buffer *out, const stats *sums) {
    char digits[TEXT_COUNT_SIZE];
    uint64_t max = 0;
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
    buffer_printf(out, "\nYears: %d to %d; games without a year: %s\n", first, last, grouped(digits, sums->years[0]));
    for (int pass = 0; pass < 2; pass++) {
        for (int from = first - first % step; from <= last; from += step) {
            uint64_t games = 0;
            for (int year = from > 0 ? from : 1; year < from + step && year < STATS_YEARS; year++) {
                games += sums->years[year];
            }
            max = games > max ? games : max;
            if (pass == 1 && games > 0) {
                buffer_printf(out, "  %d%s %10s", from, step > 1 ? "s" : " ", grouped(digits, games));
                append_bar(out, games, max);
            }
        }
    }
}

/* A row of a table, with the name last, because its width varies. */
static void append_row(buffer *out, uint64_t games, const uint64_t results[TALLY_RESULTS], const char *name,
                       size_t length) {
    char digits[TEXT_COUNT_SIZE];
    buffer_printf(out, "  %10s", grouped(digits, games));
    for (int result = TALLY_WIN; result <= TALLY_LOSS; result++) {
        buffer_printf(out, " %9s", grouped(digits, results[result]));
    }
    buffer_printf(out, "  %5.1f %%  ", score(results));
    buffer_append_readable(out, name, length);
    buffer_printf(out, "\n");
}

/* The results are those of the players if `of_players`, else those of the two sides. */
static void append_titles(buffer *out, bool of_players) {
    buffer_printf(out, "  %10s %9s %9s %9s  %7s\n", "games", of_players ? "won" : "White", "drawn",
                  of_players ? "lost" : "Black", "score");
}

static void append_tally(buffer *out, const tally *table, const char *title, bool of_players, uint64_t top) {
    char digits[TEXT_COUNT_SIZE];
    buffer_printf(out, "\n%s: %s\n", title, grouped(digits, table->count));
    if (table->count > 0 && top > 0) {
        append_titles(out, of_players);
    }
    for (size_t i = 0; i < table->count && i < top; i++) {
        const tally_entry *entry = &table->entries[i];
        append_row(out, entry->games, entry->results, tally_name(table, entry), entry->length);
    }
}

static void append_codes(buffer *out, const tally *openings, uint64_t top) {
    eco_sum codes[ECO_CODES];
    const size_t count = sum_codes(codes, openings);
    buffer_printf(out, "\nECO codes, with the most frequent opening of each: %zu\n", count);
    if (count > 0 && top > 0) {
        append_titles(out, false);
    }
    for (size_t i = 0; i < count && i < top; i++) {
        append_row(out, codes[i].games, codes[i].results, tally_name(openings, codes[i].commonest),
                   codes[i].commonest->length);
    }
}

void stats_write_text(buffer *out, const stats *sums, const pgn_totals *totals) {
    append_results(out, sums, totals);
    append_lengths(out, sums);
    if (sums->rated > 0) {
        buffer_printf(out, "\nElo: %d to %d, %.0f on average\n", sums->elo_min, sums->elo_max,
                      (double)sums->elo_sum / (double)sums->rated);
    }
    append_years(out, sums);
    append_codes(out, &sums->openings, sums->top);
    append_tally(out, &sums->openings, "Openings", false, sums->top);
    append_tally(out, &sums->players, "Players", true, sums->top);
}

/* --- JSON ------------------------------------------------------------------ */

static void write_game(json *out, const char *key, const stats_game *game) {
    json_key(out, key);
    if (game->number == 0) {
        json_null(out);
        return;
    }
    json_open(out, '{');
    json_count(out, "plies", game->plies);
    json_count(out, "game", game->number);
    json_member(out, "file", pgn_path_name(game->path));
    json_key(out, "white");
    json_bytes(out, game->white.data, game->white.length);
    json_key(out, "black");
    json_bytes(out, game->black.data, game->black.length);
    json_close(out, '}');
}

static void write_counts(json *out, uint64_t games, const uint64_t results[TALLY_RESULTS]) {
    json_count(out, "games", games);
    json_count(out, "won", results[TALLY_WIN]);
    json_count(out, "drawn", results[TALLY_DRAW]);
    json_count(out, "lost", results[TALLY_LOSS]);
    json_key(out, "score_percent");
    json_real(out, score(results), 2);
}

/* An opening's name begins with its code, "B90 ", which has a key of its own. */
static void write_opening(json *out, const char *key, const char *name, size_t length) {
    json_key(out, "eco");
    json_bytes(out, name, 3);
    json_key(out, key);
    json_bytes(out, name + 4, length - 4);
}

static void write_tally(json *out, const char *key, const tally *table, uint64_t top, bool is_opening) {
    json_key(out, key);
    json_open_lines(out, '[');
    for (size_t i = 0; i < table->count && i < top; i++) {
        const tally_entry *entry = &table->entries[i];
        const char *name = tally_name(table, entry);
        json_open(out, '{');
        if (is_opening) {
            write_opening(out, "name", name, entry->length);
        } else {
            json_key(out, "name");
            json_bytes(out, name, entry->length);
        }
        write_counts(out, entry->games, entry->results);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_codes(json *out, const tally *openings) {
    eco_sum codes[ECO_CODES];
    const size_t count = sum_codes(codes, openings);
    json_key(out, "eco_codes");
    json_open_lines(out, '[');
    for (size_t i = 0; i < count; i++) {
        const tally_entry *commonest = codes[i].commonest;
        json_open(out, '{');
        write_opening(out, "commonest", tally_name(openings, commonest), commonest->length);
        write_counts(out, codes[i].games, codes[i].results);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_results(json *out, const stats *sums) {
    static const struct {
        const char *key;
        luft_result result;
    } results[] = {{"1-0", LUFT_RESULT_WHITE},
                   {"0-1", LUFT_RESULT_BLACK},
                   {"1/2-1/2", LUFT_RESULT_DRAW},
                   {"*", LUFT_RESULT_UNKNOWN},
                   {"none", LUFT_RESULT_NONE}};
    json_key(out, "results");
    json_open(out, '{');
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        json_count(out, results[i].key, sums->results[results[i].result]);
    }
    json_close(out, '}');
}

static void write_lengths(json *out, const stats *sums) {
    json_key(out, "lengths");
    json_open_lines(out, '{');
    json_count(out, "games", sums->measured);
    json_count(out, "plies", sums->plies);
    json_count(out, "without_moves", sums->without_moves);
    write_game(out, "longest", &sums->longest);
    write_game(out, "shortest", &sums->shortest);
    json_count(out, "moves_per_bin", STATS_BIN_MOVES);
    json_key(out, "bins");
    json_open(out, '[');
    for (int bin = 0; bin < STATS_BINS; bin++) {
        json_number(out, sums->bins[bin]);
    }
    json_close(out, ']');
    json_close(out, '}');
}

static void write_elo(json *out, const stats *sums) {
    json_key(out, "elo");
    json_open(out, '{');
    json_count(out, "count", sums->rated);
    json_count(out, "min", (uint64_t)sums->elo_min);
    json_count(out, "max", (uint64_t)sums->elo_max);
    json_count(out, "sum", sums->elo_sum);
    json_close(out, '}');
}

static void write_years(json *out, const stats *sums) {
    json_key(out, "years");
    json_open(out, '{');
    for (int year = 1; year < STATS_YEARS; year++) {
        if (sums->years[year] > 0) {
            char key[16];
            snprintf(key, sizeof key, "%d", year);
            json_count(out, key, sums->years[year]);
        }
    }
    json_close(out, '}');
    json_count(out, "without_year", sums->years[0]);
}

void stats_write_json(buffer *text, const stats *sums, const pgn_totals *totals) {
    json out = {.text = text};
    json_open_lines(&out, '{');
    json_count(&out, "games", totals->games);
    json_count(&out, "with_mistakes", sums->with_errors);
    json_count(&out, "bytes", totals->bytes);
    write_results(&out, sums);
    write_lengths(&out, sums);
    write_elo(&out, sums);
    write_years(&out, sums);
    write_codes(&out, &sums->openings);
    write_tally(&out, "openings", &sums->openings, sums->top, true);
    write_tally(&out, "players", &sums->players, sums->top, false);
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}
