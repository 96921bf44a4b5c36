/* SPDX-License-Identifier: MIT */
/* `luft book show`: the moves that a book has in a position, with weights and shares. */
#include "commands.h"
#include "common.h"

#include "util/json.h"
#include "util/options.h"
#include "util/output.h"
#include "util/setup.h"

#include <inttypes.h>

#define NAME "luft book show"

static const char about[] =
    "Prints the moves that a book has in a position, FEN or the start position, the highest weight first. A move is\n"
    "picked with the probability that its share says.\n";

static double share_of(const luft_book_moves *moves, int i) {
    double total = 0;
    for (int k = 0; k < moves->count; k++) {
        total += moves->moves[k].weight;
    }
    return total > 0 ? 100 * moves->moves[i].weight / total : 0;
}

static void write_text(buffer *out, const luft_position *position, const luft_book_moves *moves) {
    if (moves->count == 0) {
        buffer_append_text(out, "no moves\n");
    }
    for (int i = 0; i < moves->count; i++) {
        char san[LUFT_SAN_SIZE];
        luft_move_to_san(san, sizeof san, position, moves->moves[i].move);
        buffer_printf(out, "%-7s %7" PRIu32 " %6.2f %%\n", san, moves->moves[i].weight, share_of(moves, i));
    }
    if (moves->illegal > 0) {
        buffer_printf(out, "left out because they are not legal: %d\n", moves->illegal);
    }
}

static void write_json(buffer *text, const luft_position *position, luft_square ep, const luft_book_moves *moves) {
    const luft_castling_style style = setup_castling_style(position);
    char fen[LUFT_FEN_SIZE], key[24];
    json out = {.text = text};
    luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
    snprintf(key, sizeof key, "%016" PRIx64, luft_polyglot_key_with_ep(position, ep));
    json_open(&out, '{');
    json_member(&out, "fen", fen);
    json_member(&out, "key", key);
    json_count(&out, "illegal", (uint64_t)moves->illegal);
    json_key(&out, "moves");
    json_open(&out, '[');
    for (int i = 0; i < moves->count; i++) {
        char san[LUFT_SAN_SIZE], uci[LUFT_UCI_MOVE_SIZE];
        luft_move_to_san(san, sizeof san, position, moves->moves[i].move);
        luft_move_to_uci(uci, sizeof uci, moves->moves[i].move, style);
        json_open(&out, '{');
        json_member(&out, "san", san);
        json_member(&out, "uci", uci);
        json_count(&out, "weight", moves->moves[i].weight);
        json_key(&out, "share");
        json_real(&out, share_of(moves, i), 2);
        json_count(&out, "learn", moves->moves[i].learn);
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}

int book_show(int argc, char **argv) {
    const char *path = NULL, *fen = NULL, *moves_text = NULL;
    bool as_json = false;
    int status;
    const option options[] = {
        option_text("moves", "MOVES", "play these moves first, in UCI notation or SAN", &moves_text),
        option_flag("json", "print one object", &as_json),
    };
    const option operands[] = {
        {.name = "BOOK", .help = "a book in the Polyglot format", .text = &path, .required = true},
        {.name = "FEN", .help = "the position (default: the start position)", .text = &fen},
    };
    const option_table table = {.command = NAME,
                                .usage = "[options] BOOK [FEN]",
                                .about = about,
                                .options = options,
                                .option_count = sizeof options / sizeof options[0],
                                .operands = operands,
                                .operand_count = sizeof operands / sizeof operands[0]};
    if (!options_read(&table, argc, argv, &status)) {
        return status;
    }
    luft_game *game = setup_game(NAME, "FEN", fen, moves_text);
    if (!game) {
        return STATUS_USAGE;
    }
    const luft_position position = *luft_game_position(game);
    const luft_square ep = setup_ep_square(game, fen);
    luft_game_free(game);
    luft_book *book = book_open_file(NAME, path);
    if (!book) {
        return STATUS_USAGE;
    }
    luft_book_moves moves;
    buffer text = {0};
    luft_book_find(&moves, book, &position, ep);
    luft_book_free(book);
    if (as_json) {
        write_json(&text, &position, ep, &moves);
    } else {
        write_text(&text, &position, &moves);
    }
    const bool written = output_write(NAME, stdout, &text);
    buffer_free(&text);
    return written ? STATUS_OK : STATUS_FAILED;
}
