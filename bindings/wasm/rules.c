/* SPDX-License-Identifier: MIT */
/*
 * The rules of chess for a page: positions, moves and how games end. Each call gets a FEN and moves and answers in JSON.
 * No state is kept between calls.
 */
#include "rules.h"

#include "magics.h"

#include "util/setup.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The module ---------------------------------------------------------------------- */

enum {
    ROOM_KEPT = 1 << 16,  /* bytes of input that stay allocated */
    ANSWER_KEPT = 1 << 20 /* and bytes of an answer */
};

/* The two buffers: all that the module remembers. */
static struct web_rules {
    char *input;
    size_t input_room;
    buffer answer;
    json out; /* writes into the answer */
} web;

void web_rules_start(void) {
    web_fill_magics();
}

char *web_rules_room(size_t size) {
    const size_t room = size > ROOM_KEPT ? size : ROOM_KEPT;
    if (room != web.input_room) {
        free(web.input);
        web.input = malloc(room);
        web.input_room = web.input ? room : 0;
    }
    return web.input;
}

const char *web_rules_text(void) {
    return web.answer.data;
}

const char *web_input(void) {
    return web.input;
}

char *web_take_input(size_t length) {
    char *smaller = realloc(web.input, length + 1);
    char *taken = smaller ? smaller : web.input;
    web.input = NULL;
    web.input_room = 0;
    return taken;
}

buffer *web_answer(void) {
    if (web.answer.capacity > ANSWER_KEPT) {
        buffer_free(&web.answer);
    }
    buffer_clear(&web.answer);
    web.answer.failed = false;
    return &web.answer;
}

json *web_json(void) {
    web.out = (json){.text = web_answer()};
    return &web.out;
}

size_t web_answer_length(void) {
    return web.answer.failed ? 0 : web.answer.length;
}

size_t web_refuse(const char *reason) {
    json *out = web_json();
    json_open(out, '{');
    json_member(out, "error", reason);
    json_close(out, '}');
    return web_answer_length();
}

/* --- Reading the request ------------------------------------------------------------- */

bool web_read_fen(luft_position *position, size_t length) {
    luft_fen_report report;
    if (luft_position_from_fen(position, web.input, length, &report) != LUFT_OK) {
        char reason[SETUP_REASON_SIZE];
        web_refuse(setup_fen_reason(reason, &report, web.input, length));
        return false;
    }
    return true;
}

void web_refuse_move(const char *text, size_t length, luft_error error) {
    char quoted[TEXT_QUOTED_SIZE], reason[160];
    snprintf(reason, sizeof reason, "%s %s", text_quote(quoted, text, length), setup_move_reason(error));
    web_refuse(reason);
}

luft_game *web_read_game(size_t fen_length, size_t moves_length) {
    luft_position start;
    luft_game *game = NULL;
    if (!web_read_fen(&start, fen_length)) {
        return NULL;
    }
    luft_error error = luft_game_create(&game, &start);
    const char *moves = web.input + fen_length, *word;
    size_t length;
    while (error == LUFT_OK && text_next_word(&word, &length, &moves, &moves_length)) {
        luft_move move;
        error = luft_move_from_uci(&move, luft_game_position(game), word, length);
        if (error != LUFT_OK) {
            web_refuse_move(word, length, error);
            luft_game_free(game);
            return NULL;
        }
        error = luft_game_play(game, move);
    }
    if (error != LUFT_OK) {
        luft_game_free(game);
        web_refuse("out of memory");
        return NULL;
    }
    return game;
}

/* --- Answers ------------------------------------------------------------------------------ */

static void put_square(json *out, const char *name, luft_square square) {
    const char text[2] = {luft_file_letter(square), luft_rank_digit(square)};
    json_key(out, name);
    json_bytes(out, text, 2);
}

void web_put_move_names(json *out, const luft_position *position, luft_move move, bool chess960) {
    char uci[LUFT_UCI_MOVE_SIZE], san[LUFT_SAN_SIZE];
    luft_move_to_uci(uci, sizeof uci, move, chess960 ? LUFT_CASTLING_CHESS960 : LUFT_CASTLING_STANDARD);
    luft_move_to_san(san, sizeof san, position, move);
    json_member(out, "uci", uci);
    json_member(out, "san", san);
}

static void put_move(json *out, const luft_position *position, luft_move move, bool chess960) {
    const luft_move_kind kind = luft_move_kind_of(move);
    luft_position after;
    luft_make(&after, position, move);
    json_open(out, '{');
    web_put_move_names(out, position, move, chess960);
    put_square(out, "from", luft_move_from(move));
    put_square(out, "to", setup_landing_square(move));
    if (luft_move_is_promotion(move)) {
        json_key(out, "promotion");
        json_bytes(out, &"nbrq"[kind & 3], 1);
    }
    json_key(out, "capture");
    json_bool(out, luft_move_is_capture(move));
    json_key(out, "castling");
    json_bool(out, kind == LUFT_CASTLING);
    json_key(out, "enPassant");
    json_bool(out, kind == LUFT_EN_PASSANT);
    json_key(out, "check");
    json_bool(out, luft_in_check(&after));
    json_close(out, '}');
}

/* The names of End in index.d.ts; NULL while the game goes on. */
static const char *end_name(luft_termination termination, unsigned claims) {
    switch (termination) {
    case LUFT_CHECKMATE: return "checkmate";
    case LUFT_STALEMATE: return "stalemate";
    case LUFT_INSUFFICIENT_MATERIAL: return "insufficient";
    case LUFT_SEVENTY_FIVE_MOVE_RULE: return "seventyfive";
    case LUFT_FIVEFOLD_REPETITION: return "fivefold";
    case LUFT_NOT_OVER: break;
    }
    return claims & LUFT_CLAIM_THREEFOLD_REPETITION ? "threefold"
           : claims & LUFT_CLAIM_FIFTY_MOVE_RULE    ? "fifty"
                                                    : NULL;
}

static void put_end(json *out, const char *name) {
    json_key(out, "end");
    if (name) {
        json_string(out, name);
    } else {
        json_null(out);
    }
}

static void put_position(json *out, const luft_position *position, bool chess960) {
    char fen[LUFT_FEN_SIZE];
    luft_move_list list;
    luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
    luft_generate(&list, position, LUFT_ALL_MOVES);
    json_open(out, '{');
    json_member(out, "fen", fen);
    json_member(out, "turn", position->side_to_move == LUFT_WHITE ? "w" : "b");
    json_key(out, "check");
    json_bool(out, luft_in_check(position));
    json_key(out, "moves");
    json_open(out, '[');
    for (int i = 0; i < list.count; i++) {
        put_move(out, position, list.moves[i], chess960);
    }
    json_close(out, ']');
    put_end(out, end_name(luft_position_outcome(position).termination, LUFT_CLAIM_NONE));
    json_close(out, '}');
}

/* --- The calls ------------------------------------------------------------------------ */

size_t web_version(void) {
    json_string(web_json(), luft_version());
    return web_answer_length();
}

size_t web_position(size_t fen_length, bool chess960) {
    luft_position position;
    if (web_read_fen(&position, fen_length)) {
        put_position(web_json(), &position, chess960);
    }
    return web_answer_length();
}

size_t web_play(size_t fen_length, size_t move_length, bool chess960) {
    luft_position position;
    luft_move move;
    if (!web_read_fen(&position, fen_length)) {
        return web_answer_length();
    }
    const char *text = web.input + fen_length;
    text_trim(&text, &move_length);
    const luft_error error = setup_read_move(&move, &position, text, move_length);
    if (error != LUFT_OK) {
        web_refuse_move(text, move_length, error);
        return web_answer_length();
    }
    json *out = web_json();
    json_open(out, '{');
    json_key(out, "move");
    put_move(out, &position, move, chess960);
    json_key(out, "position");
    luft_make(&position, &position, move);
    put_position(out, &position, chess960);
    json_close(out, '}');
    return web_answer_length();
}

size_t web_status(size_t fen_length, size_t moves_length, bool chess960) {
    luft_game *game = web_read_game(fen_length, moves_length);
    if (game) {
        const luft_outcome outcome = luft_game_outcome(game);
        const char *end = end_name(outcome.termination, luft_game_claims(game));
        json *out = web_json();
        json_open(out, '{');
        json_key(out, "position");
        put_position(out, luft_game_position(game), chess960);
        put_end(out, end);
        json_key(out, "result");
        if (end) {
            json_string(out, outcome.winner == LUFT_NO_WINNER ? "1/2-1/2"
                             : outcome.winner == LUFT_WHITE   ? "1-0"
                                                              : "0-1");
        } else {
            json_null(out);
        }
        json_close(out, '}');
        luft_game_free(game);
    }
    return web_answer_length();
}

size_t web_opening(size_t fen_length, size_t moves_length) {
    luft_game *game = web_read_game(fen_length, moves_length);
    luft_opening opening;
    const bool is_known = luft_opening_of_game(&opening, game);
    json *out = web_json();
    if (is_known) {
        json_open(out, '{');
        json_member(out, "code", opening.eco);
        json_member(out, "name", opening.name);
        json_close(out, '}');
    } else {
        json_null(out);
    }
    luft_game_free(game);
    return web_answer_length();
}

size_t web_san_line(size_t fen_length, size_t moves_length) {
    luft_position position;
    luft_move move;
    const char *moves = web.input + fen_length, *word;
    size_t length;
    bool is_good = luft_position_from_fen(&position, web.input, fen_length, NULL) == LUFT_OK;
    json *out = web_json();
    json_open(out, '[');
    while (is_good && text_next_word(&word, &length, &moves, &moves_length)) {
        is_good = luft_move_from_uci(&move, &position, word, length) == LUFT_OK;
        if (is_good) {
            char san[LUFT_SAN_SIZE];
            luft_move_to_san(san, sizeof san, &position, move);
            json_string(out, san);
            luft_make(&position, &position, move);
        }
    }
    json_close(out, ']');
    return web_answer_length();
}

size_t web_chess960_start(int number) {
    luft_position position;
    char fen[LUFT_FEN_SIZE];
    if (luft_chess960_position(&position, number) != LUFT_OK) {
        return web_refuse("expected the number of a Chess960 start position, 0 to 959");
    }
    luft_position_to_fen(fen, sizeof fen, &position, LUFT_FEN_STANDARD);
    json_string(web_json(), fen);
    return web_answer_length();
}
