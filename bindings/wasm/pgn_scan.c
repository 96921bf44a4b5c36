/* SPDX-License-Identifier: MIT */
/*
 * The games of a PGN that comes in pieces: where each stands, its tags, its length and its
 * mistake. A line that begins with `[Event "` always begins a game (see luft/pgn.h), so all before the
 * last such line is whole and is read at once, and the rest waits for more. What waits is
 * bounded, whatever the file: without such lines the games are cut where the reader cuts them.
 */
#include "pgn_common.h"

#include <stdlib.h>

enum {
    MOST_WAITING = 16 << 20, /* bytes without a line that begins a game */
    LONGEST_GAME = MOST_WAITING / 2,
    EVENT_LENGTH = 8
};

static const char event_line[EVENT_LENGTH + 1] = "[Event \"";

struct pgn_scan {
    char *bytes; /* that wait */
    size_t length, room;
    uint64_t offset; /* of the first of them in the whole text */
    bool is_lost;    /* within a game that is too long: nothing counts until the next one begins */
};

/* --- Reading what is whole -------------------------------------------------------------- */

/* A line in the text, walked to forwards. */
typedef struct line_walk {
    const char *text;
    size_t length;
    size_t start;    /* of the line */
    uint64_t number; /* counted from 1 */
} line_walk;

/* The byte at a place that the reader named. */
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
    int depth; /* of open variations */
    bool in_tags;
    json before; /* the answer before this game */
} summary;

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    summary *game = payload;
    game->start = walk_to(&game->walk, *place);
    game->plies = 0;
    game->depth = 0;
    game->in_tags = true;
    game->before = *game->out;
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
    (void)before;
    (void)move;
    (void)after;
    game->plies += game->depth == 0;
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
    within.place.line -= game->walk.number - 1; /* a person sees the game, not the file */
    json_key(game->out, "error");
    pgn_put_error(game->out, &within);
    return LUFT_PGN_CONTINUE;
}

/*
 * Tells of all games in the text, but not of the last if the text is not whole, for that may go on. Returns where the
 * games that were told of end.
 */
static size_t read_games(json *out, const char *text, size_t length, uint64_t offset, bool is_whole) {
    static const luft_pgn_visitor visitor = {.game_start = on_game_start,
                                             .tag = on_tag,
                                             .move = on_move,
                                             .variation_start = on_variation_start,
                                             .variation_end = on_variation_end,
                                             .error = on_error};
    luft_pgn_reader *reader;
    if (luft_pgn_reader_create_text(&reader, text, length) != LUFT_OK) {
        out->failed = true;
        return length;
    }
    summary game = {.out = out, .walk = {.text = text, .length = length, .number = 1}, .offset = offset};
    bool is_any = false;
    while (luft_pgn_read_game(reader, &visitor, &game) == LUFT_OK) {
        is_any = true;
        end_tags(&game);
        json_key(out, "plies");
        json_number(out, game.plies);
        json_key(out, "length");
        json_number(out, walk_to(&game.walk, luft_pgn_reader_place(reader)) - game.start);
        json_close(out, '}');
    }
    luft_pgn_reader_free(reader);
    if (is_whole || !is_any) {
        return length;
    }
    out->length = game.before.length;
    out->comma = game.before.comma;
    return game.start;
}

/* --- Pieces ------------------------------------------------------------------------------- */

static bool begins_game(const char *text, size_t length, size_t at) {
    return at > 0 && at + EVENT_LENGTH <= length && (text[at - 1] == '\n' || text[at - 1] == '\r') &&
           memcmp(text + at, event_line, EVENT_LENGTH) == 0;
}

static bool append(pgn_scan *scan, const char *bytes, size_t length) {
    if (scan->room - scan->length < length) {
        const size_t room = scan->length + length + (1 << 16);
        char *more = realloc(scan->bytes, room);
        if (!more) {
            return false;
        }
        scan->bytes = more;
        scan->room = room;
    }
    if (length > 0) { /* else there may be no memory yet */
        memcpy(scan->bytes + scan->length, bytes, length);
    }
    scan->length += length;
    return true;
}

static void drop(pgn_scan *scan, size_t count) {
    if (count == 0) {
        return; /* there may be no memory yet */
    }
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): bytes that are there are in memory
    memmove(scan->bytes, scan->bytes + count, scan->length - count);
    scan->length -= count;
    scan->offset += count;
}

/* Goes on behind a game that was too long, if the next one begins in what is here. */
static void find_again(pgn_scan *scan) {
    size_t at = 1;
    while (at < scan->length && !begins_game(scan->bytes, scan->length, at)) {
        at++;
    }
    scan->is_lost = at >= scan->length;
    const size_t kept = EVENT_LENGTH; /* the line may be here in part, with the end of the one before */
    drop(scan, !scan->is_lost ? at : scan->length > kept ? scan->length - kept : 0);
}

/* Too much waits: the games are those that the reader finds, and one that fills half of it is given up. */
static void read_waiting(pgn_scan *scan, json *out) {
    drop(scan, read_games(out, scan->bytes, scan->length, scan->offset, false));
    if (scan->length > LONGEST_GAME) {
        json_open(out, '{');
        json_key(out, "offset");
        json_number(out, scan->offset);
        json_key(out, "length");
        json_number(out, scan->length);
        json_key(out, "plies");
        json_number(out, 0);
        json_key(out, "tags");
        json_open(out, '[');
        json_close(out, ']');
        json_member(out, "error", "the game is longer than 8 MB");
        json_close(out, '}');
        drop(scan, scan->length);
        scan->is_lost = true;
    }
}

pgn_scan *web_scan_create(void) {
    return calloc(1, sizeof(pgn_scan));
}

void web_scan_free(pgn_scan *scan) {
    free(scan->bytes);
    free(scan);
}

size_t web_scan_push(pgn_scan *scan, size_t length) {
    json *out = web_answer();
    const size_t known = scan->length > EVENT_LENGTH ? scan->length - EVENT_LENGTH : 0; /* looked through already */
    if (!append(scan, web_input(), length)) {
        return 0;
    }
    if (scan->is_lost) {
        find_again(scan);
    }
    json_open(out, '[');
    if (!scan->is_lost) {
        size_t cut = scan->length;
        while (cut > known && !begins_game(scan->bytes, scan->length, cut)) {
            cut--;
        }
        if (cut > known) {
            read_games(out, scan->bytes, cut, scan->offset, true);
            drop(scan, cut);
        }
        if (scan->length > MOST_WAITING) {
            read_waiting(scan, out);
        }
    }
    json_close(out, ']');
    return web_answer_length();
}

size_t web_scan_finish(pgn_scan *scan) {
    json *out = web_answer();
    json_open(out, '[');
    if (!scan->is_lost) {
        read_games(out, scan->bytes ? scan->bytes : "", scan->length, scan->offset, true);
    }
    drop(scan, scan->length);
    json_close(out, ']');
    return web_answer_length();
}
