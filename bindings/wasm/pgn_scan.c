/* SPDX-License-Identifier: MIT */
/*
 * Lists the games of a PGN that comes in pieces: where each begins, its tags, opening, length and error. The text before
 * the last line at which luft_pgn_can_cut is complete and is read at once; the rest waits for more. What waits is bounded
 * for any file: without such lines the reader finds the games.
 */
#include "explorer.h"
#include "pgn_common.h"

#include <stdlib.h>

enum {
    WAITING_MAX = 16 << 20, /* bytes without a line that begins a game */
    GAME_MAX = WAITING_MAX / 2,
    KEPT_BACK = LUFT_PGN_CUT_BEFORE + LUFT_PGN_CUT_AFTER /* bytes in which the next cut may be hidden */
};

struct pgn_scan {
    buffer waiting;
    uint64_t offset; /* of its first byte in the whole text */
    explorer *all;   /* receives the moves of the games; NULL for none */
    bool is_lost;    /* inside a game that is too long: skips everything until the next one begins */
};

/* --- Reading complete games -------------------------------------------------------------- */

/* The current line while walking forward through the text. */
typedef struct line_walk {
    const char *text;
    size_t length;
    size_t start;    /* of the line */
    uint64_t number; /* counted from 1 */
} line_walk;

/* The offset of a place that the reader reported. */
static size_t walk_to(line_walk *walk, luft_pgn_place place) {
    size_t i = walk->start;
    while (walk->number < place.line && i < walk->length) {
        const char byte = walk->text[i++];
        if (byte == '\n' || (byte == '\r' && (i == walk->length || walk->text[i] != '\n'))) {
            walk->number++;
            walk->start = i;
        }
    }
    const size_t byte = walk->start + (size_t)(place.column - 1);
    return byte < walk->length ? byte : walk->length;
}

/* One game while it is read. */
typedef struct summary {
    json *out;
    line_walk walk;
    size_t start;
    uint64_t offset; /* of the text */
    uint64_t plies;
    int depth;            /* of open variations */
    luft_opening opening; /* the last named position; no name if there was none */
    explorer_game *moves; /* of the main line, for the explorer; NULL if there is none */
    bool in_tags;
    json before;          /* the writer before this game … */
    size_t before_length; /* … and the length of its text */
} summary;

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    summary *game = payload;
    game->start = walk_to(&game->walk, *place);
    game->plies = 0;
    game->depth = 0;
    game->opening = (luft_opening){0};
    game->in_tags = true;
    if (game->moves) {
        game->moves->count = 0;
    }
    game->before = *game->out;
    game->before_length = game->out->text->length;
    json_open(game->out, '{');
    json_key(game->out, "offset");
    json_number(game->out, game->offset + game->start);
    json_key(game->out, "tags");
    json_open(game->out, '[');
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    summary *game = payload;
    json_open(game->out, '[');
    json_bytes(game->out, name, name_length);
    json_bytes(game->out, value, value_length);
    json_close(game->out, ']');
    return LUFT_PGN_CONTINUE;
}

static void end_tags(summary *game) {
    if (game->in_tags) {
        json_close(game->out, ']');
        game->in_tags = false;
    }
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    summary *game = payload;
    if (game->depth > 0) {
        return LUFT_PGN_CONTINUE;
    }
    if (++game->plies <= luft_opening_longest()) {
        (void)luft_opening_of_position(&game->opening, after);
    }
    if (game->moves) {
        explorer_game_move(game->moves, before, move);
    }
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_variation_start(void *payload, const luft_position *before) {
    (void)before;
    ((summary *)payload)->depth++;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_variation_end(void *payload) {
    ((summary *)payload)->depth--;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    summary *game = payload;
    luft_pgn_error within = *error;
    end_tags(game);
    within.place.line -= game->walk.number - 1; /* lines are counted within the game: that is what the page shows */
    json_key(game->out, "error");
    pgn_put_error(game->out, &within);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    summary *game = payload;
    if (game->moves) {
        game->moves->result = result;
    }
    return LUFT_PGN_CONTINUE;
}

/*
 * Writes all games in the text, but not the last if the text is not complete, because it may go on. Returns where the
 * written games end.
 */
static size_t read_games(json *out, explorer *all, const char *text, size_t length, uint64_t offset, bool is_complete) {
    static const luft_pgn_visitor visitor = {.game_start = on_game_start,
                                             .tag = on_tag,
                                             .move = on_move,
                                             .variation_start = on_variation_start,
                                             .variation_end = on_variation_end,
                                             .error = on_error,
                                             .game_end = on_game_end};
    explorer_game moves = {0}, last = {0}; /* the last game is added once it is known to be complete */
    luft_pgn_reader *reader;
    if (luft_pgn_reader_create_text(&reader, text, length) != LUFT_OK) {
        out->text->failed = true;
        return length;
    }
    summary game = {.out = out,
                    .walk = {.text = text, .length = length, .number = 1},
                    .offset = offset,
                    .moves = all ? &moves : NULL};
    bool is_any = false;
    while (luft_pgn_read_game(reader, &visitor, &game) == LUFT_OK) {
        is_any = true;
        explorer_add(all, &last);
        last = moves;
        end_tags(&game);
        json_key(out, "plies");
        json_number(out, game.plies);
        if (game.opening.name) {
            json_key(out, "opening");
            json_open(out, '{');
            json_member(out, "code", game.opening.eco);
            json_member(out, "name", game.opening.name);
            json_close(out, '}');
        }
        json_key(out, "length");
        json_number(out, walk_to(&game.walk, luft_pgn_reader_place(reader)) - game.start);
        json_close(out, '}');
    }
    luft_pgn_reader_free(reader);
    if (is_complete || !is_any) {
        explorer_add(all, &last);
        return length;
    }
    *out = game.before;
    out->text->length = game.before_length;
    return game.start;
}

/* --- Pieces ------------------------------------------------------------------------------- */

static void drop(pgn_scan *scan, size_t count) {
    buffer_remove_front(&scan->waiting, count);
    scan->offset += count;
}

/* After a game that was too long: continues if the next one begins in the waiting text. */
static void find_again(pgn_scan *scan) {
    size_t at = LUFT_PGN_CUT_BEFORE + 1; /* earlier places were tested with the bytes that are gone */
    while (at < scan->waiting.length && !luft_pgn_can_cut(scan->waiting.data, scan->waiting.length, at)) {
        at++;
    }
    scan->is_lost = at >= scan->waiting.length;
    drop(scan, !scan->is_lost ? at : scan->waiting.length > KEPT_BACK ? scan->waiting.length - KEPT_BACK : 0);
}

/* Too much waits: takes the games that the reader finds, and gives up one that fills half of the text. */
static void read_waiting(pgn_scan *scan, json *out) {
    drop(scan, read_games(out, scan->all, scan->waiting.data, scan->waiting.length, scan->offset, false));
    if (scan->waiting.length > GAME_MAX) {
        json_open(out, '{');
        json_key(out, "offset");
        json_number(out, scan->offset);
        json_key(out, "length");
        json_number(out, scan->waiting.length);
        json_key(out, "plies");
        json_number(out, 0);
        json_key(out, "tags");
        json_open(out, '[');
        json_close(out, ']');
        json_member(out, "error", "the game is longer than 8 MiB");
        json_close(out, '}');
        drop(scan, scan->waiting.length - KEPT_BACK);
        scan->is_lost = true;
    }
}

void web_scan_explore(pgn_scan *scan, explorer *all) {
    scan->all = all;
}

pgn_scan *web_scan_create(void) {
    return calloc(1, sizeof(pgn_scan));
}

void web_scan_free(pgn_scan *scan) {
    buffer_free(&scan->waiting);
    free(scan);
}

size_t web_scan_push(pgn_scan *scan, size_t length) {
    json *out = web_json();
    const size_t known = scan->waiting.length > LUFT_PGN_CUT_AFTER ? scan->waiting.length - LUFT_PGN_CUT_AFTER
                                                                   : 0; /* already searched */
    buffer_append(&scan->waiting, web_input(), length);
    if (scan->waiting.failed) {
        scan->waiting.failed = false; /* the page may try again */
        return 0;
    }
    if (scan->is_lost) {
        find_again(scan);
    }
    json_open(out, '[');
    if (!scan->is_lost) {
        size_t cut = scan->waiting.length;
        while (cut > known && !luft_pgn_can_cut(scan->waiting.data, scan->waiting.length, cut)) {
            cut--;
        }
        if (cut > known) {
            read_games(out, scan->all, scan->waiting.data, cut, scan->offset, true);
            drop(scan, cut);
        }
        if (scan->waiting.length > WAITING_MAX) {
            read_waiting(scan, out);
        }
    }
    json_close(out, ']');
    return web_answer_length();
}

size_t web_scan_finish(pgn_scan *scan) {
    json *out = web_json();
    json_open(out, '[');
    if (!scan->is_lost) {
        read_games(out, scan->all, scan->waiting.data ? scan->waiting.data : "", scan->waiting.length, scan->offset,
                   true);
    }
    drop(scan, scan->waiting.length);
    json_close(out, ']');
    return web_answer_length();
}
