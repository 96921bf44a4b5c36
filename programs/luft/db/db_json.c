/* SPDX-License-Identifier: MIT */
/* Statistics and games of a database as JSON, for `luft db explore`, `search` and `serve`. */
#include "db_json.h"

#include "util/date.h"
#include "util/setup.h"

void db_append_date(buffer *out, int date) {
    char text[DATE_TEXT_SIZE];
    date_write(text, date);
    text[date == 0 ? 0 : date % 10000 == 0 ? 4 : date % 100 == 0 ? 7 : 10] = '\0';
    buffer_append_text(out, text);
}

static void json_date(json *out, const char *name, int date) {
    buffer text = {0};
    json_key(out, name);
    db_append_date(&text, date);
    if (text.length > 0) {
        json_bytes(out, text.data, text.length);
    } else {
        json_null(out);
    }
    buffer_free(&text);
}

/* The numbers of a move, into an open object. */
static void write_json_numbers(json *out, const luft_database_move *move) {
    json_count(out, "games", move->games);
    json_count(out, "white", move->white);
    json_count(out, "draws", move->draws);
    json_count(out, "black", move->black);
    json_count(out, "rated", move->rated);
    if (move->rated > 0) {
        json_count(out, "rating", move->rating);
        json_count(out, "opponents", move->opponents);
        json_key(out, "performance");
        json_integer(out, move->performance);
    }
    json_date(out, "first", move->first_date);
    json_date(out, "last", move->last_date);
}

static void write_json_moves(json *out, const luft_database_statistics *found, const luft_position *position,
                             uint32_t limit) {
    json_key(out, "moves");
    json_open_lines(out, '[');
    for (uint32_t i = 0; i < found->move_count && i < limit; i++) {
        char san[LUFT_SAN_SIZE] = "--", uci[LUFT_UCI_MOVE_SIZE] = "0000";
        const luft_move move = found->moves[i].move;
        if (move != LUFT_MOVE_NONE) {
            luft_move_to_san(san, sizeof san, position, move);
            luft_move_to_uci(uci, sizeof uci, move, setup_castling_style(position));
        }
        json_open(out, '{');
        json_member(out, "san", san);
        json_member(out, "uci", uci);
        write_json_numbers(out, &found->moves[i]);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static luft_error json_name(json *out, const char *key, luft_database_cursor *cursor, luft_database_name_kind kind,
                            uint32_t number) {
    luft_database_text name;
    const luft_error error = luft_database_cursor_name(&name, cursor, kind, number);
    if (error == LUFT_OK) {
        json_key(out, key);
        json_bytes(out, name.text, name.length);
    }
    return error;
}

luft_error db_json_game(json *out, const luft_database_game *game, luft_database_cursor *cursor) {
    json_count(out, "id", game->id);
    luft_error error = json_name(out, "white", cursor, LUFT_DATABASE_PLAYER, game->player[LUFT_WHITE]);
    json_count(out, "white_elo", game->rating[LUFT_WHITE]);
    error = error == LUFT_OK ? json_name(out, "black", cursor, LUFT_DATABASE_PLAYER, game->player[LUFT_BLACK]) : error;
    json_count(out, "black_elo", game->rating[LUFT_BLACK]);
    json_member(out, "result", luft_result_string((luft_result)game->result));
    json_date(out, "date", game->date);
    return error == LUFT_OK ? json_name(out, "event", cursor, LUFT_DATABASE_EVENT, game->event) : error;
}

static luft_error write_json_best(json *out, const luft_database_statistics *found, luft_database_cursor *cursor) {
    luft_error error = LUFT_OK;
    json_key(out, "best");
    json_open_lines(out, '[');
    for (uint32_t i = 0; i < found->best_count && error == LUFT_OK; i++) {
        luft_database_game game;
        error = luft_database_cursor_seek(&game, cursor, found->best[i]);
        if (error == LUFT_OK) {
            json_open(out, '{');
            error = db_json_game(out, &game, cursor);
            json_close(out, '}');
        }
    }
    json_close(out, ']');
    return error;
}

luft_error db_json_statistics(json *out, const luft_database_statistics *found, const luft_position *position,
                              uint32_t limit, luft_database_cursor *cursor) {
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
    json_open_lines(out, '{');
    json_member(out, "fen", fen);
    write_json_numbers(out, &found->total);
    json_count(out, "ended", found->ended);
    write_json_moves(out, found, position, limit);
    const luft_error error = write_json_best(out, found, cursor);
    json_close(out, '}');
    return error;
}
