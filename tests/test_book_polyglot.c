/* SPDX-License-Identifier: MIT */
/*
 * Books against Debian's polyglot, the program that defined the format: the moves and shares that it prints for the
 * lines of real books, and the keys under which it files the positions of a game, the en passant case included in which
 * a Luft position stores no square. Skipped without the program.
 */
#define _XOPEN_SOURCE 700

#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POLYGLOT "PATH=$PATH:/usr/games polyglot"

static void require_polyglot(void) {
    if (system("PATH=$PATH:/usr/games command -v polyglot >/dev/null 2>&1") != 0) {
        print_message("skipped: the program polyglot is not installed\n");
        skip();
    }
}

static void run(const char *command) {
    if (system(command) != 0) {
        fail_msg("failed: %s", command);
    }
}

/* --- Lines of a dump ---------------------------------------------------------------- */

typedef struct dump {
    const luft_book *book;
    uint8_t *seen; /* by entry: the dump has it */
    int shares;    /* how many were compared */
} dump;

/* A move of the book with its share in percent, which polyglot rounds down or to the nearest. */
static void check_share(dump *it, const luft_position *position, luft_square ep, luft_move move, int percent) {
    luft_book_moves moves;
    double total = 0, weight = -1;
    luft_book_find(&moves, it->book, position, ep);
    for (int i = 0; i < moves.count; i++) {
        total += moves.moves[i].weight;
        weight = moves.moves[i].move == move ? moves.moves[i].weight : weight;
    }
    require(weight >= 0, position, "a move that polyglot finds");
    const double share = 100 * weight / total;
    require(share - 1 < percent && percent < share + 1, position, "its share");
    luft_book_entry entry;
    const uint64_t key = luft_polyglot_key_with_ep(position, ep);
    for (size_t i = luft_book_lower_bound(it->book, key); luft_book_entry_at(&entry, it->book, i) && entry.key == key;
         i++) {
        it->seen[i] |= entry.move == luft_move_to_polyglot(move);
    }
    it->shares++;
}

/* "17: 1. e4{33%} a6 2. d4{100%} {trans: line=1, ply=8}": moves of one side have shares. */
static void check_line(dump *it, char *line) {
    luft_position position = luft_start_position();
    luft_square ep = LUFT_NO_SQUARE;
    char *rest = NULL;
    strtok_r(line, " \n", &rest);
    for (char *word; (word = strtok_r(NULL, " \n", &rest)) && word[0] != '{';) {
        char *brace = strchr(word, '{');
        luft_move move;
        if (strchr(word, '.')) {
            continue;
        }
        const size_t length = brace ? (size_t)(brace - word) : strlen(word);
        require(luft_move_from_san(&move, &position, word, length) == LUFT_OK, &position, word);
        if (brace) {
            check_share(it, &position, ep, move, atoi(brace + 1));
        }
        luft_make(&position, &position, move);
        ep = luft_move_ep_square(move);
    }
}

/* A position that the dump has is there with all its moves. */
static size_t count_positions(const dump *it) {
    size_t positions = 0;
    luft_book_entry entry, first = {0};
    for (size_t i = 0; luft_book_entry_at(&entry, it->book, i); i++) {
        const bool is_first = i == 0 || entry.key != first.key;
        first = entry;
        assert_true(is_first || it->seen[i] == it->seen[i - 1]);
        positions += is_first && it->seen[i];
    }
    return positions;
}

static void check_dump(const char *name, const char *color) {
    char path[512], output[] = "/tmp/luft-dump-XXXXXX", command[1200];
    fclose(open_optional_data(name));
    snprintf(path, sizeof path, "%s/%s", getenv("LUFT_DATA"), name);
    const int descriptor = mkstemp(output);
    assert_true(descriptor >= 0);
    close(descriptor);
    snprintf(command, sizeof command, POLYGLOT " dump-book -bin '%s' -color %s -out %s >/dev/null", path, color,
             output);
    run(command);
    luft_book *book = NULL;
    assert_int_equal(luft_book_open(&book, path, NULL), LUFT_OK);
    dump it = {book, calloc(luft_book_entry_count(book), 1), 0};
    FILE *file = fopen(output, "r");
    char *line = NULL;
    size_t size = 0;
    assert_true(it.seen && file);
    assert_true(getline(&line, &size, file) > 0); /* "Dump of ..." */
    while (getline(&line, &size, file) > 0) {
        check_line(&it, line);
    }
    const size_t positions = count_positions(&it);
    print_message("%s for %s: %d shares, %zu positions\n", name, color, it.shares, positions);
    assert_true(positions > 5000);
    free(line);
    fclose(file);
    unlink(output);
    free(it.seen);
    luft_book_free(book);
}

static void polyglot_prints_the_same_shares(void **state) {
    (void)state;
    require_polyglot();
    check_dump("polyglot/performance.bin", "white");
    check_dump("polyglot/performance.bin", "black");
    if (test_is_long()) {
        check_dump("polyglot/gnuchess-book.bin", "white");
        check_dump("polyglot/gnuchess-book.bin", "black");
    }
}

/* --- Keys ------------------------------------------------------------------------------ */

/* Double pushes beside pinned and free pawns, castling of all four kinds, an underpromotion, an en passant capture. */
static const char *const games[] = {
    "e4 e5 f4 exf4 e5 Qe7 d4 d5 Nf3 Bg4 Be2 Nc6 O-O O-O-O c4 f5 exf6 gxf6",
    "d4 d5 Nc3 Nf6 Bf4 e6 Qd2 c5 O-O-O Be7 g4 h5 g5 Nfd7 h4 O-O",
    "a4 b5 axb5 a6 bxa6 Nc6 a7 Rb8 axb8=N Nxb8",
};

static void polyglot_files_positions_under_the_same_keys(void **state) {
    (void)state;
    require_polyglot();
    char folder[] = "/tmp/luft-keys-XXXXXX", path[64], command[400];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/games.pgn", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        fprintf(file, "[Event \"?\"]\n[Result \"1/2-1/2\"]\n\n%s 1/2-1/2\n\n", games[i]);
    }
    fclose(file);
    snprintf(command, sizeof command, POLYGLOT " make-book -pgn %s/games.pgn -bin %s/book -min-game 1 >/dev/null",
             folder, folder);
    run(command);
    snprintf(path, sizeof path, "%s/book", folder);
    luft_book *book = NULL;
    assert_int_equal(luft_book_open(&book, path, NULL), LUFT_OK);
    size_t plies = 0;
    int unlike_luft = 0;
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        luft_position position = luft_start_position();
        luft_square ep = LUFT_NO_SQUARE;
        for (const char *at = games[i]; *at; plies++) {
            luft_book_moves moves;
            luft_move move;
            bool has_move = false;
            const size_t length = strcspn(at, " ");
            require(luft_move_from_san(&move, &position, at, length) == LUFT_OK, &position, at);
            luft_book_find(&moves, book, &position, ep);
            for (int k = 0; k < moves.count; k++) {
                has_move |= moves.moves[k].move == move;
            }
            require(has_move, &position, at);
            unlike_luft += luft_polyglot_key_with_ep(&position, ep) != luft_polyglot_key(&position);
            luft_make(&position, &position, move);
            ep = luft_move_ep_square(move);
            at += length + (at[length] == ' ');
        }
    }
    assert_int_equal(luft_book_entry_count(book), plies); /* the games share no move */
    assert_int_equal(unlike_luft, 1);
    luft_book_free(book);
    snprintf(command, sizeof command, "rm -r %s", folder);
    run(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polyglot_prints_the_same_shares),
        cmocka_unit_test(polyglot_files_positions_under_the_same_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
