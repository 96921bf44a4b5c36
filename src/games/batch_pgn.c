/* SPDX-License-Identifier: MIT */
/*
 * Reads the games of a PGN into flat arrays. The PGN reader cannot pause inside a game,
 * and the length of a game is known only at its end. So each game is first collected in a
 * private buffer, which grows to the longest game but never beyond the caller's arrays,
 * and then copied. A copy is a few hundred bytes, far cheaper than reading the game.
 */
#include "luft/batch.h"

#include <stdlib.h>
#include <string.h>

#define REASON_LENGTH 127 /* longest kept reason of an error, in bytes */
#define TOKEN_LENGTH 127  /* longest kept token of an error, in bytes; both with their NULs are LUFT_BATCH_MIN_TEXT */

struct luft_batch_reader {
    luft_pgn_reader *source;
    luft_error end;       /* LUFT_OK until the source has no more games */
    bool has_game;        /* a complete game is collected but not stored yet */
    luft_batch_game game; /* the collected game */
    luft_move *moves;
    char *text;
    size_t move_room, text_room;   /* allocated elements */
    size_t move_limit, text_limit; /* longer games are cut */
    const char *reason;            /* reason of the error; a string literal */
    char token[TOKEN_LENGTH];
    size_t token_length;
};

/* --- Collecting one game --------------------------------------------------- */

/* Records the first error of a game. The data collected before it stays. */
static void record_error(luft_batch_reader *batch, luft_error error, const luft_pgn_place *place, const char *reason,
                         const char *token, size_t token_length) {
    if (batch->game.error != LUFT_OK) {
        return;
    }
    batch->game.error = (uint16_t)error;
    batch->game.error_line = place->line;
    batch->game.error_column = place->column;
    batch->reason = reason;
    batch->token_length = token_length < TOKEN_LENGTH ? token_length : TOKEN_LENGTH;
    memcpy(batch->token, token, batch->token_length);
}

/* Ends a game that does not fit. */
static luft_pgn_action cut_game(luft_batch_reader *batch, luft_error error) {
    const luft_pgn_place place = luft_pgn_reader_place(batch->source);
    const char *reason = error == LUFT_ERROR_OVERFLOW ? "the game is longer than the arrays for it" : "out of memory";
    record_error(batch, error, &place, reason, "", 0);
    return LUFT_PGN_SKIP_GAME;
}

/* Grows an array to hold `needed` items, but at most `limit`. */
static luft_error reserve(void **array, size_t *room, size_t needed, size_t limit, size_t item_size) {
    if (needed > limit) {
        return LUFT_ERROR_OVERFLOW;
    }
    if (needed <= *room) {
        return LUFT_OK;
    }
    size_t wanted = needed < limit / 2 ? 2 * needed : limit;
    void *larger = wanted <= SIZE_MAX / item_size ? realloc(*array, wanted * item_size) : NULL;
    if (!larger) {
        return LUFT_ERROR_MEMORY;
    }
    *array = larger;
    *room = wanted;
    return LUFT_OK;
}

/* Writes a NUL-terminated string and returns the byte after it. Replaces NULs inside the text with blanks. */
static char *put_string(char *to, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        to[i] = text[i] != '\0' ? text[i] : ' ';
    }
    to[length] = '\0';
    return to + length + 1;
}

static luft_pgn_action on_game_start(void *payload, const luft_pgn_place *place) {
    luft_batch_reader *batch = payload;
    memset(&batch->game, 0, sizeof batch->game);
    batch->game.number = place->game;
    batch->game.line = place->line;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    luft_batch_reader *batch = payload;
    const size_t used = batch->game.text_length, limit = batch->text_limit;
    /* Check each length alone first: the sum could overflow. */
    const bool fits = name_length <= limit && value_length <= limit;
    void *text = batch->text;
    const luft_error error =
        fits ? reserve(&text, &batch->text_room, used + name_length + value_length + 2, limit, 1) : LUFT_ERROR_OVERFLOW;
    batch->text = text;
    if (error != LUFT_OK) {
        return cut_game(batch, error);
    }
    char *end = put_string(put_string(batch->text + used, name, name_length), value, value_length);
    batch->game.text_length = (uint32_t)(end - batch->text);
    batch->game.tag_count++;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *start) {
    luft_batch_reader *batch = payload;
    batch->game.start = *start;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    (void)before;
    (void)after;
    luft_batch_reader *batch = payload;
    const size_t count = batch->game.move_count;
    if (count == batch->move_room || count >= batch->move_limit) {
        void *moves = batch->moves;
        const luft_error error = reserve(&moves, &batch->move_room, count + 1, batch->move_limit, sizeof move);
        batch->moves = moves;
        if (error != LUFT_OK) {
            return cut_game(batch, error);
        }
    }
    batch->moves[count] = move;
    batch->game.move_count++;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_variation_start(void *payload, const luft_position *before) {
    (void)payload;
    (void)before;
    return LUFT_PGN_SKIP_VARIATION;
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    record_error(payload, error->error, &error->place, error->reason, error->token, error->token_length);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    luft_batch_reader *batch = payload;
    batch->game.result = (uint16_t)result;
    batch->has_game = true;
    return LUFT_PGN_CONTINUE;
}

static const luft_pgn_visitor COLLECT = {
    .game_start = on_game_start,
    .tag = on_tag,
    .moves_start = on_moves_start,
    .move = on_move,
    .variation_start = on_variation_start,
    .error = on_error,
    .game_end = on_game_end,
};

/* Collects the next game; false if there is none. */
static bool collect(luft_batch_reader *batch) {
    if (batch->end == LUFT_OK) {
        batch->end = luft_pgn_read_game(batch->source, &COLLECT, batch);
    }
    return batch->has_game;
}

/* --- Storing a game -------------------------------------------------------- */

/* Appends the collected game to the caller's arrays; false if it does not fit. */
static bool store_game(luft_batch_games *games, luft_batch_reader *batch) {
    luft_batch_game game = batch->game;
    const bool has_error = game.error != LUFT_OK;
    size_t reason_length = has_error ? strlen(batch->reason) : 0;
    reason_length = reason_length < REASON_LENGTH ? reason_length : REASON_LENGTH;
    const size_t text_length = game.text_length + (has_error ? reason_length + batch->token_length + 2 : 0);
    if (game.move_count > games->move_capacity - games->move_count ||
        text_length > games->text_capacity - games->text_count) {
        return false;
    }
    char *text = games->text + games->text_count;
    if (game.text_length > 0) {
        memcpy(text, batch->text, game.text_length);
    }
    if (has_error) {
        char *token = put_string(text + game.text_length, batch->reason, reason_length);
        put_string(token, batch->token, batch->token_length);
    }
    if (game.move_count > 0) {
        memcpy(games->moves + games->move_count, batch->moves, game.move_count * sizeof games->moves[0]);
    }
    game.first_move = games->move_count;
    game.first_text = games->text_count;
    game.text_length = (uint32_t)text_length;
    games->games[games->game_count++] = game;
    games->move_count += game.move_count;
    games->text_count += text_length;
    batch->has_game = false;
    return true;
}

static size_t min_size(size_t a, size_t b) {
    return a < b ? a : b;
}

luft_error luft_batch_read(luft_batch_games *games, luft_batch_reader *batch) {
    if (!games || !batch || !games->games || !games->moves || !games->text || games->game_capacity == 0 ||
        games->move_capacity == 0 || games->text_capacity < LUFT_BATCH_MIN_TEXT) {
        return LUFT_ERROR_ARGUMENT;
    }
    games->game_count = games->move_count = games->text_count = 0;
    batch->move_limit = min_size(games->move_capacity, UINT32_MAX);
    batch->text_limit = min_size(games->text_capacity, UINT32_MAX) - LUFT_BATCH_MIN_TEXT;
    while (games->game_count < games->game_capacity && (batch->has_game || collect(batch)) &&
           store_game(games, batch)) {
    }
    if (games->game_count > 0) {
        return LUFT_OK;
    }
    return batch->has_game ? LUFT_ERROR_OVERFLOW : batch->end;
}

/* --- The reader ------------------------------------------------------------ */

luft_error luft_batch_reader_create(luft_batch_reader **batch, luft_pgn_reader *reader) {
    if (!batch || !reader) {
        return LUFT_ERROR_ARGUMENT;
    }
    luft_batch_reader *created = malloc(sizeof *created);
    if (!created) {
        return LUFT_ERROR_MEMORY;
    }
    *created = (luft_batch_reader){.source = reader, .reason = ""};
    *batch = created;
    return LUFT_OK;
}

void luft_batch_reader_free(luft_batch_reader *batch) {
    if (batch) {
        free(batch->moves);
        free(batch->text);
        free(batch);
    }
}
