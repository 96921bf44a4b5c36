/* SPDX-License-Identifier: MIT */
/*
 * `luft book export`: a book as a tree of moves in PGN. Positions are expanded breadth first, each once, where it is
 * reached after the fewest moves; a transposition ends its variation there.
 */
#include "commands.h"
#include "common.h"

#include "util/input.h"
#include "util/interrupt.h"
#include "util/options.h"
#include "util/output.h"
#include "util/output_file.h"
#include "util/setup.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME "luft book export"

static const char about[] =
    "Writes the moves of a book that follow a position, FEN or the start position, as one PGN game. The move with the\n"
    "highest weight continues a line, the others are variations. A position that is reached by several lines is\n"
    "continued in the shortest one. At most 262,143 moves fit in a game.\n";

typedef struct export_arguments {
    const char *book;
    const char *fen;
    const char *moves;
    const char *output;
    uint64_t max_ply;
    uint64_t min_share; /* in percent */
    bool weights;
    bool force;
} export_arguments;

typedef struct exporter {
    const export_arguments *given;
    const luft_book *book;
    luft_pgn_game *game;
    uint8_t *seen; /* by the first entry of a position: it is continued somewhere */
    /* Nodes in the order in which they are reached; those before `next` are done. */
    luft_pgn_node *queue;
    size_t next, end;
} exporter;

/* Adds the moves of the book after a node. */
static luft_error expand(exporter *it, luft_pgn_node node, luft_square ep) {
    luft_book_moves moves;
    const luft_position *position = luft_pgn_node_position(it->game, node);
    const size_t first = luft_book_lower_bound(it->book, luft_polyglot_key_with_ep(position, ep));
    uint64_t total = 0;
    if (luft_book_find(&moves, it->book, position, ep) == 0 || it->seen[first]) {
        return LUFT_OK;
    }
    it->seen[first] = 1;
    for (int i = 0; i < moves.count; i++) {
        total += moves.moves[i].weight;
    }
    for (int i = 0; i < moves.count; i++) {
        const luft_book_move *move = &moves.moves[i];
        luft_pgn_node child;
        char weight[16];
        if (100 * (uint64_t)move->weight < it->given->min_share * total) {
            break; /* so are all that follow */
        }
        luft_error error = luft_pgn_node_add(&child, it->game, node, move->move, LUFT_PGN_PERSON);
        if (error == LUFT_OK && it->given->weights) {
            snprintf(weight, sizeof weight, "%" PRIu32, move->weight);
            error = luft_pgn_node_set_command(it->game, child, "weight", weight, strlen(weight), LUFT_PGN_PERSON);
        }
        if (error != LUFT_OK) {
            return error;
        }
        it->queue[it->end++] = child;
    }
    return LUFT_OK;
}

/* Expands ply by ply. */
static luft_error build(exporter *it, luft_square ep) {
    luft_error error = expand(it, LUFT_PGN_ROOT, ep);
    for (uint64_t ply = 1; error == LUFT_OK && ply < it->given->max_ply && it->next < it->end; ply++) {
        for (const size_t end = it->end; error == LUFT_OK && it->next < end; it->next++) {
            const luft_pgn_node node = it->queue[it->next];
            error = expand(it, node, luft_move_ep_square(luft_pgn_node_move(it->game, node)));
        }
    }
    return error;
}

static bool write_text(void *payload, const char *text, size_t length) {
    return fwrite(text, 1, length, payload) == length;
}

static void on_signal(void *payload, int number) {
    const output_file *file = payload;
    interrupt_exit(number, file->temporary);
}

static int write_game(const export_arguments *given, const luft_pgn_game *game) {
    output_file file;
    interrupt signals = {0};
    luft_pgn_writer writer;
    if (!output_file_open(&file, given->output, NAME)) {
        return STATUS_USAGE;
    }
    if (file.temporary) {
        interrupt_start(&signals, on_signal, &file);
    }
    luft_pgn_writer_init(&writer, write_text, file.file);
    const luft_error error = luft_pgn_game_write(&writer, game);
    interrupt_stop(&signals);
    if (error == LUFT_ERROR_MEMORY) {
        output_error(NAME, "out of memory");
    }
    return output_file_close(&file, error == LUFT_OK, NAME) && error == LUFT_OK ? STATUS_OK : STATUS_FAILED;
}

/* The name of the book in the tag Event. */
static luft_error name_game(luft_pgn_game *game, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return luft_pgn_game_set_tag(game, "Event", name, strlen(name));
}

static int export_book(const export_arguments *given, const luft_book *book, const luft_position *position,
                       luft_square ep) {
    exporter it = {.given = given, .book = book};
    it.seen = calloc(luft_book_entry_count(book), 1);
    it.queue = malloc(LUFT_PGN_MAX_NODES * sizeof *it.queue);
    luft_error error = it.seen && it.queue ? luft_pgn_game_create(&it.game, position) : LUFT_ERROR_MEMORY;
    error = error == LUFT_OK ? name_game(it.game, given->book) : error;
    error = error == LUFT_OK ? build(&it, ep) : error;
    int status = STATUS_FAILED;
    if (error == LUFT_ERROR_OVERFLOW) {
        output_error(NAME, "the moves do not fit in a game: use a lower --max-ply or a higher --min-share");
    } else if (error != LUFT_OK) {
        output_error(NAME, "%s", luft_error_string(error));
    } else if (it.end == 0) {
        output_error(NAME, "the book has no move in this position");
    } else {
        status = write_game(given, it.game);
    }
    luft_pgn_game_free(it.game);
    free(it.queue);
    free(it.seen);
    return status;
}

static bool read_arguments(export_arguments *given, int argc, char **argv, int *status) {
    const option options[] = {
        option_text("moves", "MOVES", "begin after these moves, in UCI notation or SAN", &given->moves),
        option_number("max-ply", "N", "write lines of at most N plies (moves of one side; default 20)", &given->max_ply,
                      1, 65535),
        option_number("min-share", "PERCENT", "leave out moves with a smaller share of the weights", &given->min_share,
                      0, 100),
        option_flag("weights", "write the weight of each move as [%weight N]", &given->weights),
        {.name = "output",
         .letter = 'o',
         .value = "FILE",
         .help = "write to FILE instead of standard output",
         .text = &given->output},
        option_flag("force", "replace FILE if it exists", &given->force),
    };
    const option operands[] = {
        {.name = "BOOK", .help = "a book in the Polyglot format", .text = &given->book, .required = true},
        {.name = "FEN", .help = "the position (default: the start position)", .text = &given->fen},
    };
    const option_table table = {.command = NAME,
                                .usage = "[options] BOOK [FEN]",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .operands = operands,
                                .operand_count = sizeof operands / sizeof operands[0]};
    return options_read(&table, argc, argv, status);
}

int book_export(int argc, char **argv) {
    export_arguments given = {.output = "-", .max_ply = 20};
    int status;
    if (!read_arguments(&given, argc, argv, &status)) {
        return status;
    }
    if (input_is_among(given.output, &given.book, 1)) {
        output_error(NAME, "--output: %s is also a file to read", given.output);
        return STATUS_USAGE;
    }
    if (!output_file_may_create(given.output, given.force, NAME)) {
        return STATUS_USAGE;
    }
    luft_game *game = setup_game(NAME, "FEN", given.fen, given.moves);
    if (!game) {
        return STATUS_USAGE;
    }
    const luft_position position = *luft_game_position(game);
    const luft_square ep = setup_ep_square(game, given.fen);
    luft_game_free(game);
    luft_book *book = book_open_file(NAME, given.book);
    if (!book) {
        return STATUS_USAGE;
    }
    status = export_book(&given, book, &position, ep);
    luft_book_free(book);
    return status;
}
