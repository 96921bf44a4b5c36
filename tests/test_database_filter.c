/* SPDX-License-Identifier: MIT */
/*
 * Filters of the database, at the edge of each condition: which of ten games pass. The expected numbers follow from the
 * definitions in luft/database.h; a class of speed goes by the time for 40 moves, with limits at 3, 8 and 25 minutes.
 */
#include "luft/database.h"
#include "support/check.h"
#include "support/made_database.h"

#include <string.h>
#include <unistd.h>

typedef struct test_game {
    const char *white, *black, *event, *site, *time_control, *eco, *date, *white_elo, *black_elo, *moves, *result;
} test_game;

/* Games are numbered from 1. The result 1/2-1/2 is written as =. */
static const test_game games[] = {
    {"Anna Moll", "Bert", "Open", "Oslo", "179", "A00", "2019.05.04", "2000", "2100", "1. e4 e5", "1-0"},
    {"Bert", "Anna Moll", "Open", "Rome", "180", "B89", "2019.05.31", "2100", "2000", "1. e4 e5 2. d4 d5", "0-1"},
    {"Carl", "Dora", "Cup", "Oslo", "300+4", "B90", "2019.12.31", "2200", "2200", "1. e4", "="},
    {"Dora", "Carl", "Cup", "Rome", "439+1", "B99", "2020.01.01", "2200", "", "1. e4 e5 2. d4", "*"},
    {"Emil", "Fred", "Cup", "Nice", "440+1", "C00", "", "", "", "", "1-0"},
    {"Emil", "Fred", "Cup", "Nice", "1499", "E99", "2019.??.??", "1999", "2001", "", "1-0"},
    {"Emil", "Fred", "Cup", "Nice", "1500", "E99", "2019.05.??", "2000", "2000", "", "1-0"},
    {"Emil", "Fred", "Cup", "Nice", "40/7200:3600", "D45", "2018.12.31", "2001", "2000", "", "1-0"},
    {"Emil", "Fred", "Cup", "Nice", "bullet", "D45", "2018.01.01", "2001", "2000", "", "1-0"},
    {"Zoe", "Moll", "Last", "Ulm", "-", "A01", "2018.02.01", "2001", "2000", "", "1-0"},
};

enum { GAMES = sizeof games / sizeof games[0] };

static char path[64];
static luft_database *database;

static void write_tag(buffer *out, const char *name, const char *value) {
    if (value[0] != '\0') {
        buffer_printf(out, "[%s \"%s\"]\n", name, value);
    }
}

static int make_database(void **state) {
    (void)state;
    buffer text = {0};
    for (int i = 0; i < GAMES; i++) {
        const test_game *game = &games[i];
        write_tag(&text, "Event", game->event);
        write_tag(&text, "Site", game->site);
        write_tag(&text, "Date", game->date);
        write_tag(&text, "White", game->white);
        write_tag(&text, "Black", game->black);
        write_tag(&text, "WhiteElo", game->white_elo);
        write_tag(&text, "BlackElo", game->black_elo);
        write_tag(&text, "TimeControl", game->time_control);
        write_tag(&text, "ECO", game->eco);
        buffer_printf(&text, "\n%s %s\n\n", game->moves, game->result[0] == '=' ? "1/2-1/2" : game->result);
    }
    snprintf(path, sizeof path, "/tmp/luft-filter-%ld.luftdb", (long)getpid());
    database = database_of_pgn(path, &text);
    buffer_free(&text);
    return 0;
}

static int remove_database(void **state) {
    (void)state;
    luft_database_free(database);
    return unlink(path);
}

/* The numbers of the games that pass, such as " 1 3". */
#define expect(numbers, ...) expect_games(numbers, &(luft_database_filter){__VA_ARGS__})

static void expect_games(const char *expected, const luft_database_filter *filter) {
    luft_database_cursor *cursor = NULL;
    luft_database_game game;
    luft_error error;
    char numbers[64] = "";
    size_t used = 0;
    assert_int_equal(luft_database_cursor_create(&cursor, database, filter), LUFT_OK);
    while ((error = luft_database_cursor_next(&game, cursor)) == LUFT_OK) {
        used += (size_t)snprintf(numbers + used, sizeof numbers - used, " %d", (int)game.id);
    }
    assert_int_equal(error, LUFT_ERROR_END);
    assert_string_equal(numbers, expected);
    luft_database_cursor_free(cursor);
}

static void without_conditions_all_pass(void **state) {
    (void)state;
    expect(" 1 2 3 4 5 6 7 8 9 10", .player = NULL);
    expect_games(" 1 2 3 4 5 6 7 8 9 10", NULL);
}

static void names_match_in_part(void **state) {
    (void)state;
    expect(" 1 2 10", .player = "moll");
    expect(" 1", .player = "moll", .player_has_color = true, .player_color = LUFT_WHITE);
    expect(" 2 10", .player = "moll", .player_has_color = true, .player_color = LUFT_BLACK);
    expect(" 1", .white = "MOLL");
    expect(" 2 10", .black = "moll");
    expect(" 1 2", .event = "pen");
    expect(" 10", .event = "Last"); /* the name with the highest number */
    expect(" 1 3", .site = "Oslo");
    expect(" 10", .site = "ulm");
    expect(" 10", .white = "zoe");
    expect("", .player = "nobody");
    expect("", .white = "Bert", .black = "Bert");
}

static void speeds_have_edges(void **state) {
    (void)state;
    expect(" 1", .time_control = "bullet");      /* below 180 s; the text bullet is not a time */
    expect(" 2 3 4", .time_control = "blitz");   /* 180, 300 + 160 = 460, 439 + 40 = 479 */
    expect(" 5 6", .time_control = "rapid");     /* 440 + 40 = 480, 1499 */
    expect(" 7 8", .time_control = "classical"); /* 1500, 7200 for 40 moves */
    expect(" 3", .time_control = "300+4");
    expect("", .time_control = "300");
}

static void openings_are_ranges(void **state) {
    (void)state;
    expect(" 1", .eco = "A00");
    expect(" 1 10", .eco = "A");
    expect(" 3 4", .eco = "B9");
    expect(" 2 3", .eco = "B89-B90");
    expect(" 6 7", .eco = "E");
    expect(" 5 6 7 8 9", .eco = "C-E");
    luft_database_cursor *cursor = NULL;
    static const char *const bad[] = {"", "B901", "-B90", "B90-", "B90-B901"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const luft_database_filter filter = {.eco = bad[i]};
        assert_int_equal(luft_database_cursor_create(&cursor, database, &filter), LUFT_ERROR_ARGUMENT);
        assert_null(cursor);
    }
}

static void ratings_are_those_of_both(void **state) {
    (void)state;
    expect(" 1 2 3 7 8 9 10", .min_rating = 2000); /* game 6 has 1999 */
    expect(" 3", .min_rating = 2101);
    expect(" 7", .max_rating = 2000); /* unrated players do not count as low */
    expect(" 6 7 8 9 10", .max_rating = 2001);
    expect(" 1 2 6 7 8 9 10", .max_rating = 2199);
    expect(" 1 2 3 6 7 8 9 10", .max_rating = 2200);
    expect(" 1 2 7 8 9 10", .min_rating = 2000, .max_rating = 2100);
}

static void dates_have_unknown_parts(void **state) {
    (void)state;
    expect(" 1 2 3 4", .from_date = 20190504);
    expect(" 2 3 4", .from_date = 20190505);
    expect(" 1 2 3 4 7", .from_date = 20190500);
    expect(" 1 2 3 4 6 7", .from_date = 20190000);
    expect(" 1 6 7 8 9 10", .to_date = 20190504);
    expect(" 1 2 6 7 8 9 10", .to_date = 20190500);   /* to the end of the month */
    expect(" 1 2 3 6 7 8 9 10", .to_date = 20190000); /* to the end of the year */
    expect(" 9 10", .to_date = 20180201);
    expect(" 9 10", .to_date = 20180200);
    expect(" 9", .to_date = 20180131);
    expect(" 8 9 10", .to_date = 20180000);
    expect(" 1 2 3 6 7", .from_date = 20190000, .to_date = 20190000);
}

static void results_plies_and_numbers(void **state) {
    (void)state;
    expect(" 3", .results = 1U << LUFT_RESULT_DRAW);
    expect(" 2 3", .results = 1U << LUFT_RESULT_DRAW | 1U << LUFT_RESULT_BLACK);
    expect(" 1 2 4", .min_plies = 2);
    expect(" 2 4", .min_plies = 3);
    expect(" 3 5 6 7 8 9 10", .max_plies = 1);
    expect(" 1 3 4", .min_plies = 1, .max_plies = 3);
    expect(" 9 10", .first_game = 9);
    expect(" 1 2", .last_game = 2);
    expect(" 4 5", .first_game = 4, .last_game = 5);
    expect(" 1", .player = "bert", .results = 1U << LUFT_RESULT_WHITE, .first_game = 1, .min_plies = 2, .eco = "A");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_conditions_all_pass), cmocka_unit_test(names_match_in_part),
        cmocka_unit_test(speeds_have_edges),           cmocka_unit_test(openings_are_ranges),
        cmocka_unit_test(ratings_are_those_of_both),   cmocka_unit_test(dates_have_unknown_parts),
        cmocka_unit_test(results_plies_and_numbers),
    };
    return cmocka_run_group_tests(tests, make_database, remove_database);
}
