/* SPDX-License-Identifier: MIT */
/*
 * The first game of a PGN as a list of the reader's events, in order; JavaScript builds the tree. Variations that nest
 * deeper than DEPTH_MAX are left out.
 */
#include "pgn_common.h"

#include "util/setup.h"

#include <string.h>

enum { DEPTH_MAX = 200 };

typedef struct game_events {
    json *out;
    int depth; /* of open variations */
    bool is_chess960;
    bool in_comment; /* more parts of it follow */
} game_events;

/* Begins ["name", …; the caller adds values and ends it. */
static json *begin_event(game_events *events, const char *name) {
    json_open(events->out, '[');
    json_string(events->out, name);
    return events->out;
}

static luft_pgn_action end_event(game_events *events) {
    json_close(events->out, ']');
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    game_events *events = payload;
    json *out = begin_event(events, "tag");
    json_bytes(out, name, name_length);
    json_bytes(out, value, value_length);
    if (name_length == 7 && memcmp(name, "Variant", 7) == 0 && value_length >= 3) {
        for (size_t i = 0; i + 3 <= value_length; i++) {
            events->is_chess960 |= memcmp(value + i, "960", 3) == 0;
        }
        events->is_chess960 |= value[0] == 'F' || value[0] == 'f'; /* Fischerandom */
    }
    return end_event(events);
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *start) {
    game_events *events = payload;
    char fen[LUFT_FEN_SIZE];
    events->is_chess960 |= setup_castling_style(start) == LUFT_CASTLING_CHESS960;
    luft_position_to_fen(fen, sizeof fen, start, LUFT_FEN_STANDARD);
    json *out = begin_event(events, "start");
    json_string(out, fen);
    json_bool(out, events->is_chess960);
    return end_event(events);
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    game_events *events = payload;
    char uci[LUFT_UCI_MOVE_SIZE], san[LUFT_SAN_SIZE];
    (void)after;
    luft_move_to_uci(uci, sizeof uci, move, events->is_chess960 ? LUFT_CASTLING_CHESS960 : LUFT_CASTLING_STANDARD);
    luft_move_to_san(san, sizeof san, before, move);
    json *out = begin_event(events, "move");
    json_string(out, uci);
    json_string(out, san);
    return end_event(events);
}

static luft_pgn_action on_nag(void *payload, int nag) {
    game_events *events = payload;
    json_number(begin_event(events, "nag"), (uint64_t)nag);
    return end_event(events);
}

static luft_pgn_action on_comment(void *payload, const char *text, size_t length, bool more) {
    game_events *events = payload;
    if (!events->in_comment) {
        begin_event(events, "comment");
    }
    json_bytes(events->out, text, length);
    events->in_comment = more;
    return more ? LUFT_PGN_CONTINUE : end_event(events);
}

static luft_pgn_action on_variation_start(void *payload, const luft_position *before) {
    game_events *events = payload;
    (void)before;
    if (++events->depth > DEPTH_MAX) {
        return LUFT_PGN_SKIP_VARIATION;
    }
    begin_event(events, "(");
    return end_event(events);
}

static luft_pgn_action on_variation_end(void *payload) {
    game_events *events = payload;
    if (events->depth-- <= DEPTH_MAX) {
        begin_event(events, ")");
        end_event(events);
    }
    return LUFT_PGN_CONTINUE;
}

/* A comment that is never closed ends with an error instead of its last part. */
static void end_comment(game_events *events) {
    if (events->in_comment) {
        events->in_comment = false;
        end_event(events);
    }
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    game_events *events = payload;
    end_comment(events);
    pgn_put_error(begin_event(events, "error"), error);
    return end_event(events);
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    game_events *events = payload;
    end_comment(events);
    json_string(begin_event(events, "end"), luft_result_string(result));
    return end_event(events);
}

size_t web_pgn_read(size_t length) {
    static const luft_pgn_visitor visitor = {.tag = on_tag,
                                             .moves_start = on_moves_start,
                                             .move = on_move,
                                             .nag = on_nag,
                                             .comment = on_comment,
                                             .variation_start = on_variation_start,
                                             .variation_end = on_variation_end,
                                             .error = on_error,
                                             .game_end = on_game_end};
    game_events events = {.out = web_json()};
    luft_pgn_reader *reader;
    if (luft_pgn_reader_create_text(&reader, web_input(), length) != LUFT_OK) {
        return web_refuse("out of memory");
    }
    json_open(events.out, '[');
    const luft_error error = luft_pgn_read_game(reader, &visitor, &events);
    json_close(events.out, ']');
    luft_pgn_reader_free(reader);
    return error == LUFT_OK ? web_answer_length()
                            : web_refuse(error == LUFT_ERROR_END ? "there is no game in the text" : "out of memory");
}
