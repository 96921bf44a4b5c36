/* SPDX-License-Identifier: MIT */
/*
 * `luft book info`: counts of a book, and how much of it can be reached from the start position by moves of the book
 * alone. A book for one side is reached through the replies of the other, so those count where it has no move.
 */
#include "commands.h"
#include "common.h"

#include "util/buffer.h"
#include "util/json.h"
#include "util/options.h"
#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft book info"

static const char about[] =
    "Prints how many positions and moves each book has, their weights, and how many of the positions can be reached\n"
    "from the start position. Where the book has no move after a move of the book, every legal move counts.\n";

typedef struct book_facts {
    uint64_t entries;
    uint64_t positions;
    uint64_t most_moves; /* of a position */
    uint64_t highest_weight;
    uint64_t zero_weights;
    uint64_t learned; /* entries with a learn value */
    uint64_t reached; /* positions */
    uint64_t illegal; /* entries of reached positions whose move is not legal */
} book_facts;

static book_facts count_entries(const luft_book *book) {
    book_facts facts = {.entries = luft_book_entry_count(book)};
    luft_book_entry entry;
    uint64_t last_key = 0, run = 0;
    for (size_t i = 0; luft_book_entry_at(&entry, book, i); i++) {
        run = i > 0 && entry.key == last_key ? run + 1 : 1;
        last_key = entry.key;
        facts.positions += run == 1;
        facts.most_moves = run > facts.most_moves ? run : facts.most_moves;
        facts.highest_weight = entry.weight > facts.highest_weight ? entry.weight : facts.highest_weight;
        facts.zero_weights += entry.weight == 0;
        facts.learned += entry.learn != 0;
    }
    return facts;
}

/* --- Walking --------------------------------------------------------------------- */

/* A position that waits to be looked up. */
typedef struct waiting {
    luft_position position;
    luft_square ep;    /* that the last move passed over */
    bool is_book_move; /* the last move is one of the book */
} waiting;

static void push(buffer *stack, const luft_position *position, luft_move move, bool is_book_move) {
    waiting next;
    memset(&next, 0, sizeof next);
    luft_make(&next.position, position, move);
    next.ep = luft_move_ep_square(move);
    next.is_book_move = is_book_move;
    buffer_append(stack, &next, sizeof next);
}

/* Visits one position; pushes those that follow it. */
static void visit(book_facts *facts, const luft_book *book, uint8_t *seen, buffer *stack, const waiting *from) {
    luft_book_moves moves;
    const size_t first = luft_book_lower_bound(book, luft_polyglot_key_with_ep(&from->position, from->ep));
    luft_book_find(&moves, book, &from->position, from->ep);
    if (moves.count + moves.illegal > 0) {
        if (seen[first]) {
            return;
        }
        seen[first] = 1;
        facts->reached++;
        facts->illegal += (uint64_t)moves.illegal;
        for (int i = 0; i < moves.count; i++) {
            push(stack, &from->position, moves.moves[i].move, true);
        }
    } else if (from->is_book_move) {
        luft_move_list list;
        luft_generate(&list, &from->position, LUFT_ALL_MOVES);
        for (int i = 0; i < list.count; i++) {
            push(stack, &from->position, list.moves[i], false);
        }
    }
}

/* False if out of memory. */
static bool count_reached(book_facts *facts, const luft_book *book) {
    uint8_t *seen = calloc(luft_book_entry_count(book), 1); /* by the first entry of a position */
    buffer stack = {0};
    waiting from = {.position = luft_start_position(), .ep = LUFT_NO_SQUARE, .is_book_move = true};
    buffer_append(&stack, &from, sizeof from);
    while (seen && !stack.failed && stack.length > 0) {
        stack.length -= sizeof from;
        memcpy(&from, stack.data + stack.length, sizeof from);
        visit(facts, book, seen, &stack, &from);
    }
    const bool good = seen && !stack.failed;
    buffer_free(&stack);
    free(seen);
    return good;
}

/* --- Printing ---------------------------------------------------------------------- */

static void write_text(buffer *out, const char *path, const book_facts *facts) {
    buffer_append_readable(out, path, strlen(path));
    buffer_printf(out, "\n  positions       %10" PRIu64 "\n", facts->positions);
    buffer_printf(out, "  reached         %10" PRIu64 "\n", facts->reached);
    buffer_printf(out, "  moves           %10" PRIu64 "\n", facts->entries);
    buffer_printf(out, "  most moves      %10" PRIu64 "\n", facts->most_moves);
    buffer_printf(out, "  highest weight  %10" PRIu64 "\n", facts->highest_weight);
    buffer_printf(out, "  of weight 0     %10" PRIu64 "\n", facts->zero_weights);
    buffer_printf(out, "  learned         %10" PRIu64 "\n", facts->learned);
    buffer_printf(out, "  not legal       %10" PRIu64 "\n", facts->illegal);
}

static void write_json(buffer *text, const char *path, const book_facts *facts) {
    json out = {.text = text};
    json_open(&out, '{');
    json_member(&out, "file", path);
    json_count(&out, "positions", facts->positions);
    json_count(&out, "reached", facts->reached);
    json_count(&out, "moves", facts->entries);
    json_count(&out, "most_moves", facts->most_moves);
    json_count(&out, "highest_weight", facts->highest_weight);
    json_count(&out, "zero_weights", facts->zero_weights);
    json_count(&out, "learned", facts->learned);
    json_count(&out, "illegal", facts->illegal);
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}

/* Returns an exit status. */
static int show_book(const char *path, bool as_json) {
    luft_book *book = book_open_file(NAME, path);
    if (!book) {
        return STATUS_USAGE;
    }
    book_facts facts = count_entries(book);
    buffer text = {0};
    bool good = count_reached(&facts, book);
    luft_book_free(book);
    if (!good) {
        output_error(NAME, "out of memory");
        return STATUS_FAILED;
    }
    (as_json ? write_json : write_text)(&text, path, &facts);
    good = output_write(NAME, stdout, &text);
    buffer_free(&text);
    return good ? STATUS_OK : STATUS_FAILED;
}

int book_info(int argc, char **argv) {
    const char *const *paths;
    size_t count = 0;
    bool as_json = false;
    int status;
    const option options[] = {option_flag("json", "print one object a line for each book", &as_json)};
    const option_table table = {.command = NAME,
                                .usage = "[options] BOOK...",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .rest = &paths,
                                .rest_count = &count};
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    if (count == 0) {
        output_error(NAME, "expected a book (luft book info --help shows how)");
        return STATUS_USAGE;
    }
    status = STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        const int each = show_book(paths[i], as_json);
        status = each > status ? each : status;
    }
    return status;
}
