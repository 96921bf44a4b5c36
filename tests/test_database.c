/* SPDX-License-Identifier: MIT */
/*
 * The game database, against a slow recount. Games are random, with tags that people write; the PGN reader reads them
 * into trees. Whatever a database says of them, whole or in parts, appended in any order or merged, must agree with a
 * recount over the trees, and each game must come back as it was.
 */
#define _XOPEN_SOURCE 700

#include "database/hash.h"
#include "database/sums.h"
#include "luft/database.h"
#include "luft/luft.h"
#include "util/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GAMES 120
#define PATH_SIZE 64

/* --- Random games ------------------------------------------------------------ */

typedef struct collection {
    buffer text[GAMES];
    luft_pgn_game *trees[GAMES];
} collection;

static const char *pick(uint64_t *seed, const char *const *from, size_t count) {
    return from[random_below(seed, count)];
}

static bool to_buffer(void *payload, const char *text, size_t length) {
    buffer_append(payload, text, length);
    return true;
}

/* A random move; the first few of a list of few, so that games share positions. */
static luft_move random_move(uint64_t *seed, const luft_position *position, int ply) {
    luft_move_list list;
    const int count = luft_generate(&list, position, LUFT_ALL_MOVES);
    return count == 0 ? LUFT_MOVE_NONE : list.moves[random_below(seed, (uint64_t)(ply < 12 && count > 2 ? 2 : count))];
}

static void write_moves(buffer *out, uint64_t *seed, const luft_position *start, int plies) {
    luft_position position = *start;
    luft_pgn_writer writer;
    luft_pgn_writer_init(&writer, to_buffer, out);
    for (int ply = 0; ply < plies; ply++) {
        const luft_position before = position;
        const luft_move move = random_move(seed, &before, ply);
        if (move == LUFT_MOVE_NONE) {
            break;
        }
        luft_pgn_write_move(&writer, &before, move);
        luft_make(&position, &before, move);
        if (random_below(seed, 10) == 0) {
            luft_pgn_write_nag(&writer, (int)random_below(seed, 200));
        }
        if (random_below(seed, 12) == 0) {
            luft_pgn_write_comment(&writer, "a comment (with \xe9) [%clk 0:01:02]", 33);
        }
        const luft_move other = random_move(seed, &before, 99);
        if (random_below(seed, 12) == 0) {
            luft_position after;
            luft_make(&after, &before, other);
            const luft_move reply = random_move(seed, &after, 99);
            luft_pgn_write_variation_start(&writer);
            luft_pgn_write_move(&writer, &before, other);
            luft_pgn_write_comment(&writer, "or", 2);
            if (reply != LUFT_MOVE_NONE) {
                luft_pgn_write_move(&writer, &after, reply);
            }
            luft_pgn_write_variation_end(&writer);
        }
    }
    static const luft_result results[] = {LUFT_RESULT_WHITE, LUFT_RESULT_BLACK, LUFT_RESULT_DRAW, LUFT_RESULT_UNKNOWN};
    luft_pgn_write_result(&writer, results[random_below(seed, 4)]);
}

/* Tags in several orders and forms, some of them not what their columns would say. */
static void write_game(buffer *out, uint64_t *seed, size_t number) {
    static const char *const players[] = {"Carlsen, Magnus", "Polgar, Judit", "M\xfcller", "?", "Tal, Mihail"};
    static const char *const events[] = {"WCh", "Open \\\"A\\\"", "?", "Blitz"};
    static const char *const sites[] = {"London", "https://example.org/g", "?", ""};
    static const char *const dates[] = {"2019.05.04", "2020.??.??", "????.??.??", "2018.5.7", "no date", "2021.12.31"};
    static const char *const rounds[] = {"1", "2.3", "?", ""};
    static const char *const tag_results[] = {"1-0", "0-1", "1/2-1/2", "*", "unknown"};
    static const char *const ratings[] = {"2850", "2500", "0", "-", " 2400", "1999", ""};
    static const char *const ecos[] = {"B90", "C42", "A00", "B90a", "?"};
    static const char *const times[] = {"180+2", "40/7200:3600", "-", "60"};
    luft_position start = luft_start_position();
    buffer_printf(out, "[Event \"%s\"]\n[Site \"%s%s\"]\n[Date \"%s\"]\n", pick(seed, events, 4), pick(seed, sites, 4),
                  random_below(seed, 2) ? "" : "x", pick(seed, dates, 6));
    buffer_printf(out, "[Round \"%s\"]\n[White \"%s\"]\n[Black \"%s\"]\n", pick(seed, rounds, 4),
                  pick(seed, players, 5), pick(seed, players, 5));
    if (random_below(seed, 8) > 0) {
        buffer_printf(out, "[Result \"%s\"]\n", pick(seed, tag_results, 5));
    }
    if (random_below(seed, 2)) {
        buffer_printf(out, "[WhiteElo \"%s\"]\n[BlackElo \"%s\"]\n", pick(seed, ratings, 7), pick(seed, ratings, 7));
    }
    buffer_printf(out, "[ECO \"%s\"]\n[Number \"%zu\"]\n[PlyCount \"%d\"]\n", pick(seed, ecos, 5), number, 20);
    if (random_below(seed, 2)) {
        buffer_printf(out, "[TimeControl \"%s\"]\n[Number \"again\"]\n[White \"second\"]\n", pick(seed, times, 4));
    }
    if (random_below(seed, 5) == 0) {
        char fen[LUFT_FEN_SIZE];
        assert_int_equal(luft_chess960_position(&start, (int)random_below(seed, 960)), LUFT_OK);
        luft_position_to_fen(fen, sizeof fen, &start, LUFT_FEN_SHREDDER);
        buffer_printf(out, "[SetUp \"1\"]\n[FEN \"%s\"]\n", fen);
    }
    buffer_append_text(out, "\n");
    write_moves(out, seed, &start, (int)random_below(seed, 50));
}

static collection *make_collection(uint64_t seed) {
    collection *made = calloc(1, sizeof *made);
    assert_non_null(made);
    for (size_t i = 0; i < GAMES; i++) {
        luft_pgn_reader *reader = NULL;
        write_game(&made->text[i], &seed, i);
        assert_int_equal(luft_pgn_reader_create_text(&reader, made->text[i].data, made->text[i].length), LUFT_OK);
        assert_int_equal(luft_pgn_game_read(&made->trees[i], reader), LUFT_OK);
        assert_null(luft_pgn_game_error(made->trees[i]));
        luft_pgn_reader_free(reader);
    }
    return made;
}

static void free_collection(collection *made) {
    for (size_t i = 0; i < GAMES; i++) {
        buffer_free(&made->text[i]);
        luft_pgn_game_free(made->trees[i]);
    }
    free(made);
}

/* --- Databases --------------------------------------------------------------- */

static void make_path(char path[PATH_SIZE], const char *name) {
    snprintf(path, PATH_SIZE, "/tmp/luft-test-%ld-%s.db", (long)getpid(), name);
}

static void remove_files(const char *path) {
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < 3; i++) {
        char name[PATH_SIZE + 8];
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

/* Adds games of the collection, those for which number % divisor == rest, to an open database. */
static luft_database_counts add_games(luft_database *database, const collection *from, size_t divisor, size_t rest,
                                      bool backwards, bool keep_duplicates) {
    const luft_pgn_visitor visitor = luft_database_batch_visitor();
    luft_database_batch *batch = NULL;
    luft_database_counts counts = {0};
    assert_int_equal(luft_database_batch_create(&batch, LUFT_DATABASE_LEAVE_OUT), LUFT_OK);
    assert_int_equal(luft_database_begin(database), LUFT_OK);
    for (size_t i = 0; i < GAMES; i++) {
        const size_t game = backwards ? GAMES - 1 - i : i;
        if (game % divisor == rest) {
            luft_pgn_reader *reader = NULL;
            assert_int_equal(luft_pgn_reader_create_text(&reader, from->text[game].data, from->text[game].length),
                             LUFT_OK);
            assert_int_equal(luft_pgn_read_all(reader, &visitor, batch), LUFT_OK);
            luft_pgn_reader_free(reader);
        }
        if (i % 7 == 0) {
            assert_int_equal(luft_database_append(database, batch, keep_duplicates, &counts), LUFT_OK);
            luft_database_batch_clear(batch);
        }
    }
    assert_int_equal(luft_database_append(database, batch, keep_duplicates, &counts), LUFT_OK);
    luft_database_batch_free(batch);
    return counts;
}

static void commit(luft_database *database, int threads, bool rebuild, size_t memory) {
    const luft_database_build build = {.threads = threads, .rebuild = rebuild, .memory = memory};
    assert_int_equal(luft_database_commit(database, &build), LUFT_OK);
}

static luft_database *create(const char *path) {
    luft_database *database = NULL;
    char reason[LUFT_DATABASE_REASON_SIZE];
    assert_int_equal(luft_database_open(&database, path, LUFT_DATABASE_CREATE, reason), LUFT_OK);
    return database;
}

static luft_database *make_database(const char *path, const collection *from) {
    luft_database *database = create(path);
    const luft_database_counts counts = add_games(database, from, 1, 0, false, true);
    assert_int_equal(counts.added, GAMES);
    commit(database, 2, false, 0);
    return database;
}

static void check_is_sound(luft_database *database, uint64_t games) {
    luft_database_findings found;
    assert_int_equal(luft_database_check(&found, database, NULL, NULL, NULL), LUFT_OK);
    assert_int_equal(found.games, games);
    assert_int_equal(found.file_faults + found.bad_games + found.bad_positions, 0);
}

/* --- The slow recount -------------------------------------------------------- */

/* The text of a tag as a number if it is one. */
static int rating_of(const luft_pgn_game *tree, const char *name) {
    const char *text = luft_pgn_game_tag(tree, name, NULL);
    return text ? atoi(text) : 0;
}

static int date_of(const luft_pgn_game *tree) {
    const char *text = luft_pgn_game_tag(tree, "Date", NULL);
    int year = 0, month = 0, day = 0;
    sscanf(text, "%4d.%2d.%2d", &year, &month, &day);
    return year * 10000 + month * 100 + day;
}

typedef struct recount {
    uint64_t games, white, draws, black, rated;
    double own, opponents, points;
    int first, last;
} recount;

static bool has_tag_part(const luft_pgn_game *tree, const char *name, const char *part) {
    const char *text = luft_pgn_game_tag(tree, name, NULL);
    return text && strstr(text, part) != NULL;
}

/* The slow form of the filters that the tests use. */
static bool passes(const luft_pgn_game *tree, const luft_database_filter *filter) {
    const int white = rating_of(tree, "WhiteElo"), black = rating_of(tree, "BlackElo"), date = date_of(tree);
    return !filter || ((!filter->player || has_tag_part(tree, "White", filter->player) ||
                        has_tag_part(tree, "Black", filter->player)) &&
                       (!filter->black || has_tag_part(tree, "Black", filter->black)) &&
                       (!filter->site || has_tag_part(tree, "Site", filter->site)) &&
                       (!filter->min_rating || (white >= filter->min_rating && black >= filter->min_rating)) &&
                       (!filter->from_date || date >= filter->from_date) &&
                       (!filter->results || filter->results >> luft_pgn_game_result(tree) & 1));
}

/* Counts the games that made the move in the position, each once; LUFT_MOVE_NONE counts those that ended there. */
static recount count_slowly(const collection *all, const luft_position *position, luft_move move,
                            const luft_database_filter *filter) {
    recount sum = {0};
    for (size_t i = 0; i < GAMES; i++) {
        const luft_pgn_game *tree = all->trees[i];
        bool found = false;
        for (luft_pgn_node node = LUFT_PGN_ROOT; node != LUFT_PGN_NO_NODE && !found;
             node = luft_pgn_node_next(tree, node)) {
            luft_position here = *luft_pgn_node_position(tree, node);
            const luft_pgn_node next = luft_pgn_node_next(tree, node);
            here.halfmove_clock = position->halfmove_clock;
            here.fullmove_number = position->fullmove_number;
            found = luft_position_equal(&here, position) &&
                    (next == LUFT_PGN_NO_NODE ? move == LUFT_MOVE_NONE : luft_pgn_node_move(tree, next) == move);
        }
        if (!found || !passes(tree, filter)) {
            continue;
        }
        const luft_result result = luft_pgn_game_result(tree);
        const int white = rating_of(tree, "WhiteElo"), black = rating_of(tree, "BlackElo"), date = date_of(tree);
        const bool is_white = position->side_to_move == LUFT_WHITE;
        sum.games++;
        sum.white += result == LUFT_RESULT_WHITE;
        sum.draws += result == LUFT_RESULT_DRAW;
        sum.black += result == LUFT_RESULT_BLACK;
        if (white > 0 && black > 0 && result != LUFT_RESULT_UNKNOWN) {
            sum.rated++;
            sum.own += is_white ? white : black;
            sum.opponents += is_white ? black : white;
        }
        sum.first = date > 0 && (sum.first == 0 || date < sum.first) ? date : sum.first;
        sum.last = date > sum.last ? date : sum.last;
    }
    return sum;
}

static void compare_move(const luft_database_move *move, const recount *slow) {
    assert_int_equal(move->games, slow->games);
    assert_int_equal(move->white, slow->white);
    assert_int_equal(move->draws, slow->draws);
    assert_int_equal(move->black, slow->black);
    assert_int_equal(move->rated, slow->rated);
    assert_int_equal(move->first_date, slow->first);
    assert_int_equal(move->last_date, slow->last);
    if (slow->rated > 0) {
        assert_int_equal(move->rating, (int)(slow->own / (double)slow->rated + 0.5));
        assert_int_equal(move->opponents, (int)(slow->opponents / (double)slow->rated + 0.5));
    }
}

/* Compares all moves of a position; the moves of the slow count are all legal ones. */
static void compare_position(luft_database *database, const collection *all, const luft_position *position,
                             const luft_database_filter *filter) {
    static luft_database_statistics found;
    luft_move_list list;
    uint32_t moves = 0;
    assert_int_equal(luft_database_explore(&found, database, position, filter, 2), LUFT_OK);
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        const recount slow = count_slowly(all, position, list.moves[i], filter);
        uint32_t at = 0;
        while (at < found.move_count && found.moves[at].move != list.moves[i]) {
            at++;
        }
        moves += slow.games > 0;
        if (slow.games > 0) {
            assert_true(at < found.move_count);
            compare_move(&found.moves[at], &slow);
        } else {
            assert_int_equal(at, found.move_count);
        }
    }
    assert_int_equal(found.move_count, moves);
    assert_int_equal(found.ended, count_slowly(all, position, LUFT_MOVE_NONE, filter).games);
}

/* Some positions of every few games, early and late. */
static void compare_with_recount(luft_database *database, const collection *all, const luft_database_filter *filter,
                                 size_t step) {
    for (size_t i = 0; i < GAMES; i += step) {
        const luft_pgn_game *tree = all->trees[i];
        int ply = 0;
        for (luft_pgn_node node = LUFT_PGN_ROOT; node != LUFT_PGN_NO_NODE;
             node = luft_pgn_node_next(tree, node), ply++) {
            if (ply % 5 == 0 || luft_pgn_node_next(tree, node) == LUFT_PGN_NO_NODE) {
                compare_position(database, all, luft_pgn_node_position(tree, node), filter);
            }
        }
    }
}

/* --- Tests ------------------------------------------------------------------- */

static void games_come_back_as_they_were(void **state) {
    (void)state;
    char path[PATH_SIZE];
    collection *all = make_collection(1);
    luft_database_cursor *cursor = NULL;
    luft_database_game game;
    make_path(path, "round-trip");
    luft_database *database = make_database(path, all);
    assert_int_equal(luft_database_cursor_create(&cursor, database, NULL), LUFT_OK);
    for (size_t i = 0; i < GAMES; i++) {
        luft_pgn_game *tree = NULL;
        assert_int_equal(luft_database_cursor_next(&game, cursor), LUFT_OK);
        assert_int_equal(game.id, i + 1);
        assert_int_equal(luft_database_cursor_tree(&tree, cursor), LUFT_OK);
        assert_true(luft_pgn_game_equal(tree, all->trees[i]));
        luft_pgn_game_free(tree);
    }
    assert_int_equal(luft_database_cursor_next(&game, cursor), LUFT_ERROR_END);
    luft_database_cursor_free(cursor);
    check_is_sound(database, GAMES);
    luft_database_free(database);
    remove_files(path);
    free_collection(all);
}

static void statistics_agree_with_a_recount(void **state) {
    (void)state;
    char path[PATH_SIZE];
    collection *all = make_collection(2);
    make_path(path, "recount");
    luft_database *database = make_database(path, all);
    compare_with_recount(database, all, NULL, 6);
    const luft_database_filter filters[] = {{.player = "Polgar"},
                                            {.black = "M\xfcller", .results = 1u << LUFT_RESULT_WHITE},
                                            {.min_rating = 1999},
                                            {.site = "example", .from_date = 20190101}};
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        compare_with_recount(database, all, &filters[i], 40);
    }
    luft_database_free(database);
    remove_files(path);
    free_collection(all);
}

static void compare_published(const luft_database_move *a, const luft_database_move *b) {
    const recount same = {.games = b->games,
                          .white = b->white,
                          .draws = b->draws,
                          .black = b->black,
                          .rated = b->rated,
                          .own = (double)b->rating * (double)b->rated,
                          .opponents = (double)b->opponents * (double)b->rated,
                          .first = b->first_date,
                          .last = b->last_date};
    assert_int_equal(a->move, b->move);
    assert_int_equal(a->rating, b->rating);
    assert_int_equal(a->opponents, b->opponents);
    assert_int_equal(a->performance, b->performance);
    compare_move(a, &same);
}

/* The best games too, which are known by number: their players, ratings and dates must be the same. */
static void compare_statistics(luft_database *a, luft_database *b, const luft_position *position) {
    static luft_database_statistics of_a, of_b;
    assert_int_equal(luft_database_explore(&of_a, a, position, NULL, 1), LUFT_OK);
    assert_int_equal(luft_database_explore(&of_b, b, position, NULL, 1), LUFT_OK);
    assert_int_equal(of_a.move_count, of_b.move_count);
    assert_int_equal(of_a.ended, of_b.ended);
    assert_int_equal(of_a.best_count, of_b.best_count);
    for (uint32_t i = 0; i < of_a.move_count; i++) {
        compare_published(&of_a.moves[i], &of_b.moves[i]);
    }
    luft_database_cursor *cursor_a = NULL, *cursor_b = NULL;
    assert_int_equal(luft_database_cursor_create(&cursor_a, a, NULL), LUFT_OK);
    assert_int_equal(luft_database_cursor_create(&cursor_b, b, NULL), LUFT_OK);
    for (uint32_t i = 0; i < of_a.best_count; i++) {
        luft_database_game game_a, game_b;
        assert_int_equal(luft_database_cursor_seek(&game_a, cursor_a, of_a.best[i]), LUFT_OK);
        assert_int_equal(luft_database_cursor_seek(&game_b, cursor_b, of_b.best[i]), LUFT_OK);
        assert_int_equal(game_a.moves_size, game_b.moves_size);
        assert_memory_equal(game_a.moves, game_b.moves, game_a.moves_size);
        assert_int_equal(game_a.date, game_b.date);
    }
    luft_database_cursor_free(cursor_a);
    luft_database_cursor_free(cursor_b);
}

static void compare_all(luft_database *a, luft_database *b, const collection *all) {
    for (size_t i = 0; i < GAMES; i += 3) {
        for (luft_pgn_node node = LUFT_PGN_ROOT; node != LUFT_PGN_NO_NODE;
             node = luft_pgn_node_next(all->trees[i], node)) {
            compare_statistics(a, b, luft_pgn_node_position(all->trees[i], node));
        }
    }
}

/* One run; three runs backwards, of which the last two are not in the statistics, then all are; two files merged. */
static void order_and_parts_do_not_matter(void **state) {
    (void)state;
    char whole_path[PATH_SIZE], parts_path[PATH_SIZE], other_path[PATH_SIZE];
    collection *all = make_collection(3);
    make_path(whole_path, "whole");
    make_path(parts_path, "parts");
    make_path(other_path, "other");
    luft_database *whole = create(whole_path), *parts = create(parts_path);
    add_games(whole, all, 1, 0, false, false);
    commit(whole, 2, false, 0);
    for (size_t rest = 3; rest-- > 0;) {
        add_games(parts, all, 3, rest, true, false);
        commit(parts, 1, false, 0);
    }
    luft_database_info info;
    assert_int_equal(luft_database_get_info(&info, parts), LUFT_OK);
    assert_true(info.indexed_games < info.games);
    compare_all(whole, parts, all);
    assert_int_equal(luft_database_vacuum(parts, NULL), LUFT_OK);
    assert_int_equal(luft_database_get_info(&info, parts), LUFT_OK);
    assert_int_equal(info.indexed_games, info.games);
    compare_all(whole, parts, all);
    check_is_sound(parts, info.games);
    luft_database_free(parts);
    remove_files(parts_path);

    luft_database *other = create(other_path);
    luft_database_counts counts = {0};
    parts = create(parts_path);
    add_games(parts, all, 2, 1, false, false);
    commit(parts, 1, false, 0);
    add_games(other, all, 2, 0, false, false);
    commit(other, 1, false, 0);
    assert_int_equal(luft_database_begin(parts), LUFT_OK);
    assert_int_equal(luft_database_merge(parts, other, false, &counts), LUFT_OK);
    assert_int_equal(luft_database_merge(parts, whole, false, &counts), LUFT_OK);
    commit(parts, 2, true, (size_t)1 << 16); /* little memory: most records go to the temporary file */
    compare_all(whole, parts, all);
    assert_int_equal(luft_database_get_info(&info, whole), LUFT_OK);
    check_is_sound(parts, info.games);
    assert_true(counts.duplicates >= info.games);
    luft_database_free(parts);
    luft_database_free(other);
    luft_database_free(whole);
    remove_files(whole_path);
    remove_files(parts_path);
    remove_files(other_path);
    free_collection(all);
}

static void duplicates_are_left_out(void **state) {
    (void)state;
    char path[PATH_SIZE];
    collection *all = make_collection(4);
    make_path(path, "duplicates");
    luft_database *database = make_database(path, all);
    luft_database_counts counts = add_games(database, all, 1, 0, true, false);
    assert_int_equal(counts.added, 0);
    assert_int_equal(counts.duplicates, GAMES);
    luft_database_rollback(database);
    luft_database_free(database);
    remove_files(path);
    free_collection(all);
}

static void a_second_writer_waits_its_turn(void **state) {
    (void)state;
    char path[PATH_SIZE];
    collection *all = make_collection(5);
    luft_database *second = NULL, *reader = NULL;
    luft_database_info info;
    make_path(path, "writers");
    luft_database *database = make_database(path, all);
    assert_int_equal(luft_database_begin(database), LUFT_OK);
    assert_int_equal(luft_database_begin(database), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_database_open(&second, path, LUFT_DATABASE_WRITE, NULL), LUFT_OK);
    assert_int_equal(luft_database_begin(second), LUFT_ERROR_BUSY);
    assert_int_equal(luft_database_open(&reader, path, LUFT_DATABASE_READ, NULL), LUFT_OK);
    assert_int_equal(luft_database_begin(reader), LUFT_ERROR_ARGUMENT);
    assert_int_equal(luft_database_get_info(&info, reader), LUFT_OK);
    assert_int_equal(info.games, GAMES);
    luft_database_rollback(database);
    assert_int_equal(luft_database_begin(second), LUFT_OK);
    luft_database_free(second);
    luft_database_free(reader);
    luft_database_free(database);
    remove_files(path);
    free_collection(all);
}

/* Flips bytes all over the file: errors or findings, and no crash. */
static void damage_is_found_or_harmless(void **state) {
    (void)state;
    char path[PATH_SIZE], copy[PATH_SIZE];
    collection *all = make_collection(6);
    make_path(path, "damage");
    make_path(copy, "damaged");
    luft_database_free(make_database(path, all));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static char bytes[1 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    uint64_t seed = 7;
    const int rounds = getenv("LUFT_TEST_QUICK") ? 20 : 120;
    for (int round = 0; round < rounds; round++) {
        static luft_database_statistics statistics;
        const luft_position start = luft_start_position();
        luft_database *database = NULL;
        luft_database_findings found;
        file = fopen(copy, "wb");
        fwrite(bytes, 1, size, file);
        for (int i = 0; i < 8; i++) {
            fseek(file, (long)random_below(&seed, size), SEEK_SET);
            fputc((int)random_below(&seed, 256), file);
        }
        fclose(file);
        if (luft_database_open(&database, copy, LUFT_DATABASE_READ, NULL) == LUFT_OK) {
            (void)!luft_database_check(&found, database, NULL, NULL, NULL);
            (void)!luft_database_explore(&statistics, database, &start, NULL, 1);
            luft_database_free(database);
        }
    }
    remove_files(path);
    remove_files(copy);
    free_collection(all);
}

static void files_that_are_no_databases(void **state) {
    (void)state;
    char path[PATH_SIZE], reason[LUFT_DATABASE_REASON_SIZE] = "";
    luft_database *database = NULL;
    make_path(path, "other");
    assert_int_equal(luft_database_open(&database, path, LUFT_DATABASE_READ, reason), LUFT_ERROR_READ);
    FILE *file = fopen(path, "wb");
    fputs("this is a text and not a database at all, however long it may be, and it has many words", file);
    fclose(file);
    assert_int_equal(luft_database_open(&database, path, LUFT_DATABASE_READ, reason), LUFT_ERROR_DAMAGED);
    assert_true(reason[0] != '\0');
    remove_files(path);
    assert_int_equal(luft_database_open(&database, "/nonexistent/folder/x", LUFT_DATABASE_CREATE, reason),
                     LUFT_ERROR_WRITE);
    assert_int_equal(luft_database_open(NULL, path, LUFT_DATABASE_READ, NULL), LUFT_ERROR_ARGUMENT);
    assert_null(database);
}

/* A link stays, and the file that it names is replaced; what is not a file stays as it is. */
static void only_files_are_replaced(void **state) {
    (void)state;
    char path[64], link_path[80], reason[LUFT_DATABASE_REASON_SIZE] = "";
    struct stat about;
    luft_database *database = NULL;
    snprintf(path, sizeof path, "/tmp/luft-replaced-%ld", (long)getpid());
    snprintf(link_path, sizeof link_path, "%s-link", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(luft_database_open(&database, path, LUFT_DATABASE_CREATE, reason), LUFT_ERROR_WRITE);
    assert_true(reason[0] != '\0');
    assert_true(stat(path, &about) == 0 && S_ISFIFO(about.st_mode));
    assert_int_equal(unlink(path), 0);
    fclose(fopen(path, "wb"));
    assert_int_equal(symlink(path, link_path), 0);
    assert_int_equal(luft_database_open(&database, link_path, LUFT_DATABASE_CREATE, reason), LUFT_OK);
    assert_int_equal(luft_database_begin(database), LUFT_OK);
    assert_int_equal(luft_database_commit(database, NULL), LUFT_OK);
    luft_database_free(database);
    assert_true(lstat(link_path, &about) == 0 && S_ISLNK(about.st_mode));
    assert_true(stat(path, &about) == 0 && about.st_size > 0);
    unlink(path);
    unlink(link_path);
}

static void sums_come_back_from_their_bytes(void **state) {
    (void)state;
    static position_sum sum, read;
    uint64_t seed = 8;
    for (int round = 0; round < 200; round++) {
        buffer bytes = {0};
        sum_clear(&sum, (luft_color)(round % 2));
        const uint64_t games = 1 + random_below(&seed, 40);
        for (uint64_t id = 1; id <= games; id++) {
            const game_fact fact = game_fact_make(
                random_next(&seed), random_below(&seed, 3) ? 20000101 + (uint32_t)random_below(&seed, 28) : 0,
                (unsigned)random_below(&seed, 5), (uint16_t)(random_below(&seed, 4) * 700),
                (uint16_t)(random_below(&seed, 4) * 700));
            assert_true(sum_add(&sum, (luft_move)(1 + random_below(&seed, 6)), id, &fact));
        }
        sum_pack(&bytes, &sum);
        assert_true(sum_unpack(&read, sum.side_to_move, (const uint8_t *)bytes.data, bytes.length));
        assert_int_equal(read.move_count, sum.move_count);
        for (uint32_t i = 0; i < sum.move_count; i++) {
            const move_sum *a = &read.moves[i], *b = &sum.moves[i];
            assert_true(a->move == b->move && a->games == b->games && a->white == b->white && a->draws == b->draws &&
                        a->black == b->black && a->rated == b->rated && a->points == b->points && a->own == b->own &&
                        a->opponents == b->opponents && a->first == b->first && a->last == b->last);
        }
        for (size_t length = 0; length < bytes.length; length++) {
            (void)!sum_unpack(&read, sum.side_to_move, (const uint8_t *)bytes.data, length); /* no crash */
        }
        buffer_free(&bytes);
    }
}

static void varints_come_back(void **state) {
    (void)state;
    const uint64_t values[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        uint8_t bytes[VARINT_MAX_BYTES + 1];
        const size_t length = varint_write(bytes, values[i]);
        const uint8_t *next = bytes;
        uint64_t value = 7;
        assert_true(varint_read(&value, &next, bytes + length));
        assert_true(value == values[i] && next == bytes + length);
        next = bytes;
        assert_false(varint_read(&value, &next, bytes + length - 1));
    }
    const uint8_t too_long[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
    const uint8_t *next = too_long;
    uint64_t value;
    assert_false(varint_read(&value, &next, too_long + sizeof too_long));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_come_back_as_they_were),    cmocka_unit_test(statistics_agree_with_a_recount),
        cmocka_unit_test(order_and_parts_do_not_matter),   cmocka_unit_test(duplicates_are_left_out),
        cmocka_unit_test(a_second_writer_waits_its_turn),  cmocka_unit_test(damage_is_found_or_harmless),
        cmocka_unit_test(files_that_are_no_databases),     cmocka_unit_test(only_files_are_replaced),
        cmocka_unit_test(sums_come_back_from_their_bytes), cmocka_unit_test(varints_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
