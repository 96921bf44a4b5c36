/* SPDX-License-Identifier: MIT */
/*
 * Builds the PGN game tree from the callbacks of the reader. Comments go to the move before them;
 * those at the start of a variation, or after one, wait for the next move.
 */
#include "games/pgn_game.h"

#include "games/pgn_reader.h"
#include "games/pgn_scan.h"

#include <stdlib.h>
#include <string.h>

/* A line of moves that is being read: the main line or a variation. */
typedef struct line {
    luft_pgn_node last;    /* the last move; the node where the line branches off if there is none */
    uint32_t engine_moves; /* how many of the next moves are the engine's, by the mark of an earlier one */
} line;

typedef struct tree_builder {
    luft_pgn_game *game;
    luft_error error; /* why the game is not kept */
    line line;        /* the innermost one */
    line *outer;      /* the lines around it, outermost first */
    size_t depth, capacity;
    bool is_line_start;   /* the line has no move yet */
    bool follows_line;    /* a variation has ended since the last move */
    pgn_comments waiting; /* comments that belong before the next move */
    uint8_t nags[256];    /* NAGs at the start of a line, which belong to its first move */
    size_t nag_count;
    bool has_tag[PGN_ROSTER_SIZE]; /* the tag of the roster was read */
    char *comment;                 /* parts of a comment that is not complete */
    size_t comment_length, comment_capacity;
} tree_builder;

/* The answer to a callback: skips the rest of a game that is not kept. */
static luft_pgn_action answer(tree_builder *builder, luft_error error) {
    builder->error = builder->error == LUFT_OK ? error : builder->error;
    return builder->error == LUFT_OK ? LUFT_PGN_CONTINUE : LUFT_PGN_SKIP_GAME;
}

/* --- Tags and start -------------------------------------------------------- */

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    tree_builder *const builder = payload;
    const luft_pgn_tag tag = {name, value, name_length, value_length};
    const size_t place = luft_pgn_game_find_tag(builder->game, name, name_length);
    if (place >= PGN_ROSTER_SIZE || (builder->has_tag[place] && place > 0)) {
        return answer(builder, luft_pgn_game_store_tag(builder->game, builder->game->tag_count, &tag));
    }
    if (builder->has_tag[place]) { /* the writer drops a second Event tag too, because it would begin a game */
        return LUFT_PGN_CONTINUE;
    }
    builder->has_tag[place] = true;
    return answer(builder, luft_pgn_game_store_tag(builder->game, place, &tag));
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *start) {
    tree_builder *const builder = payload;
    builder->game->nodes[LUFT_PGN_ROOT].position = *start;
    builder->game->has_start = true;
    return LUFT_PGN_CONTINUE;
}

/* --- Moves and variations -------------------------------------------------- */

/* Gives the NAGs at the start of a line to the last move. */
static luft_error settle_nags(tree_builder *builder) {
    luft_error error = LUFT_OK;
    for (size_t i = 0; i < builder->nag_count && error == LUFT_OK; i++) {
        error = luft_pgn_node_add_nag(builder->game, builder->line.last, builder->nags[i], LUFT_PGN_PERSON);
    }
    builder->nag_count = 0;
    return error;
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    (void)before;
    tree_builder *const builder = payload;
    line *const current = &builder->line;
    const luft_pgn_author author = current->engine_moves > 0 ? LUFT_PGN_ENGINE : LUFT_PGN_PERSON;
    const luft_error error = luft_pgn_game_attach(&current->last, builder->game, current->last, move, after, author);
    if (error != LUFT_OK) {
        return answer(builder, error);
    }
    current->engine_moves -= current->engine_moves > 0;
    builder->is_line_start = builder->follows_line = false;
    builder->game->nodes[current->last].comments[LUFT_PGN_BEFORE] = builder->waiting;
    builder->waiting = (pgn_comments){0};
    return answer(builder, settle_nags(builder));
}

/* Gives the waiting comments to the last move, where no move follows that they could stand before. */
static luft_error settle_waiting(tree_builder *builder) {
    pgn_comments *const waiting = &builder->waiting;
    pgn_comments *const after = &builder->game->nodes[builder->line.last].comments[LUFT_PGN_AFTER];
    for (uint32_t i = 0; i < waiting->count; i++) {
        pgn_comment *const comment = &waiting->items[i];
        builder->game->text_cost -= PGN_ENTRY_COST + comment->length; /* insert adds it again */
        const luft_error error = luft_pgn_insert_comment(builder->game, after, after->count, *comment);
        if (error != LUFT_OK) {
            builder->game->text_cost += PGN_ENTRY_COST + comment->length;
            memmove(waiting->items, comment, (waiting->count - i) * sizeof *comment);
            waiting->count -= i;
            return error;
        }
    }
    waiting->count = 0;
    return LUFT_OK;
}

static luft_pgn_action on_variation_start(void *payload, const luft_position *before) {
    (void)before;
    tree_builder *const builder = payload;
    if (builder->depth == builder->capacity) {
        const size_t capacity = builder->capacity > 0 ? 2 * builder->capacity : 8;
        line *const outer = realloc(builder->outer, capacity * sizeof *outer);
        if (!outer) {
            return answer(builder, LUFT_ERROR_MEMORY);
        }
        builder->outer = outer;
        builder->capacity = capacity;
    }
    builder->outer[builder->depth++] = builder->line;
    builder->line = (line){.last = builder->game->nodes[builder->line.last].parent};
    builder->is_line_start = true;
    builder->follows_line = false;
    return LUFT_PGN_CONTINUE;
}

/* An empty variation leaves its comments and NAGs to the line around it. */
static luft_pgn_action on_variation_end(void *payload) {
    tree_builder *const builder = payload;
    luft_error error = builder->is_line_start ? LUFT_OK : settle_waiting(builder);
    builder->line = builder->outer[--builder->depth];
    error = error == LUFT_OK ? settle_nags(builder) : error;
    builder->is_line_start = false;
    builder->follows_line = true;
    return answer(builder, error);
}

/* --- Annotations ----------------------------------------------------------- */

static luft_pgn_action on_nag(void *payload, int nag) {
    tree_builder *const builder = payload;
    if (!builder->is_line_start) {
        return answer(builder, luft_pgn_node_add_nag(builder->game, builder->line.last, nag, LUFT_PGN_PERSON));
    }
    if (builder->nag_count < sizeof builder->nags && !memchr(builder->nags, nag, builder->nag_count)) {
        builder->nags[builder->nag_count++] = (uint8_t)nag;
    }
    return LUFT_PGN_CONTINUE;
}

/* Notes what the mark of a comment says of its move and of those that follow. */
static void apply_mark(tree_builder *builder, const pgn_mark *mark) {
    pgn_node *const node = &builder->game->nodes[builder->line.last];
    for (size_t i = 0; i < node->nag_count; i++) {
        if (memchr(mark->nags, node->nags[i] & 255, mark->nag_count)) {
            node->nags[i] |= PGN_NAG_BY_ENGINE;
        }
    }
    if (mark->moves > 0 && builder->line.last != LUFT_PGN_ROOT) {
        node->author = LUFT_PGN_ENGINE;
        if (builder->line.engine_moves < mark->moves - 1) {
            builder->line.engine_moves = mark->moves - 1;
        }
    }
}

static luft_error add_comment(tree_builder *builder, const char *text, size_t length) {
    const bool waits = builder->is_line_start || builder->follows_line;
    pgn_comments *const comments =
        waits ? &builder->waiting : &builder->game->nodes[builder->line.last].comments[LUFT_PGN_AFTER];
    pgn_mark mark;
    char *const copy = malloc(length + 1);
    if (!copy) {
        return LUFT_ERROR_MEMORY;
    }
    length = luft_pgn_normalise_comment(copy, text, length);
    luft_pgn_author author = LUFT_PGN_PERSON;
    if (luft_pgn_read_mark(&mark, copy, length)) {
        author = LUFT_PGN_ENGINE;
        length = mark.body;
        copy[length] = '\0';
        if (!waits) {
            apply_mark(builder, &mark);
        }
    }
    const pgn_comment comment = {copy, (uint32_t)length, (uint8_t)author};
    const luft_error error =
        length > 0 ? luft_pgn_insert_comment(builder->game, comments, comments->count, comment) : LUFT_OK;
    if (error != LUFT_OK || length == 0) {
        free(copy);
    }
    return error;
}

/* Keeps a part of a comment until the rest is there. */
static luft_error keep_part(tree_builder *builder, const char *text, size_t length) {
    const size_t needed = builder->comment_length + length;
    if (needed > LUFT_PGN_MAX_TEXT) {
        return LUFT_ERROR_OVERFLOW;
    }
    if (needed > builder->comment_capacity) {
        char *const comment = realloc(builder->comment, 2 * needed);
        if (!comment) {
            return LUFT_ERROR_MEMORY;
        }
        builder->comment = comment;
        builder->comment_capacity = 2 * needed;
    }
    memcpy(builder->comment + builder->comment_length, text, length);
    builder->comment_length = needed;
    return LUFT_OK;
}

static luft_pgn_action on_comment(void *payload, const char *text, size_t length, bool more) {
    tree_builder *const builder = payload;
    luft_error error = LUFT_OK;
    if (more || builder->comment_length > 0) {
        error = length > 0 ? keep_part(builder, text, length) : LUFT_OK;
        text = builder->comment;
        length = builder->comment_length;
    }
    if (error == LUFT_OK && !more) {
        error = add_comment(builder, text, length);
        builder->comment_length = 0;
    }
    return answer(builder, error);
}

/* --- Mistakes and the end -------------------------------------------------- */

/* The reader reports variations that are nested too deeply as lack of memory. */
static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    tree_builder *const builder = payload;
    luft_pgn_game *const game = builder->game;
    if (error->error == LUFT_ERROR_MEMORY) {
        return answer(builder, builder->depth + 1 >= MAX_LEVELS ? LUFT_ERROR_OVERFLOW : LUFT_ERROR_MEMORY);
    }
    game->has_mistake = true;
    game->mistake = *error;
    game->mistake.token = game->mistake_token;
    if (game->mistake.token_length > PGN_TOKEN_KEPT) {
        game->mistake.token_length = PGN_TOKEN_KEPT;
    }
    memcpy(game->mistake_token, error->token, game->mistake.token_length);
    return LUFT_PGN_CONTINUE;
}

/* Sets up the start that the tags give, as the reader does, for a game that was cut by a mistake in a later tag. */
static void settle_start(luft_pgn_game *game) {
    const size_t variant = luft_pgn_game_find_tag(game, "Variant", strlen("Variant"));
    size_t fen = luft_pgn_game_find_tag(game, "FEN", strlen("FEN"));
    while (fen < game->tag_count && game->tags[fen].value_length == 0) { /* an empty FEN counts as none */
        do {
            fen++;
        } while (fen < game->tag_count &&
                 !(game->tags[fen].name_length == 3 && memcmp(game->tags[fen].name, "FEN", 3) == 0));
    }
    luft_position start = luft_start_position();
    game->has_start = (variant == game->tag_count ||
                       luft_pgn_is_chess(game->tags[variant].value, game->tags[variant].value_length)) &&
                      (fen == game->tag_count || luft_position_from_fen(&start, game->tags[fen].value,
                                                                        game->tags[fen].value_length, NULL) == LUFT_OK);
    game->nodes[LUFT_PGN_ROOT].position = start;
    if (!game->has_start) { /* what is written after the tags of such a game is not read again */
        luft_pgn_clear_notes(game, &game->nodes[LUFT_PGN_ROOT], false);
    }
}

/* Uses the Result tag if the moves have no result, and the other way round. */
static luft_error settle_result(luft_pgn_game *game, luft_result result) {
    const size_t index = luft_pgn_game_find_tag(game, "Result", strlen("Result"));
    const luft_pgn_tag *const tag = &game->tags[index];
    luft_result of_tag;
    const bool has_tag = luft_pgn_game_parse_result(&of_tag, tag->value, tag->value_length);
    if (result == LUFT_RESULT_NONE || result == LUFT_RESULT_UNKNOWN) {
        game->result = has_tag ? of_tag : LUFT_RESULT_UNKNOWN;
        return LUFT_OK;
    }
    game->result = result;
    const char *const text = luft_result_string(result);
    const luft_pgn_tag settled = {"Result", text, strlen("Result"), strlen(text)};
    return has_tag && of_tag == LUFT_RESULT_UNKNOWN ? luft_pgn_game_store_tag(game, index, &settled) : LUFT_OK;
}

static luft_pgn_action on_game_end(void *payload, luft_result result) {
    tree_builder *const builder = payload;
    if (builder->error == LUFT_OK && builder->is_line_start) { /* cut by a mistake */
        on_variation_end(builder);
    }
    if (builder->error == LUFT_OK) {
        answer(builder, settle_waiting(builder));
    }
    if (builder->error == LUFT_OK) {
        answer(builder, settle_result(builder->game, result));
    }
    if (!builder->game->has_start) {
        settle_start(builder->game);
    }
    return LUFT_PGN_CONTINUE;
}

luft_error luft_pgn_game_read(luft_pgn_game **game, luft_pgn_reader *reader) {
    static const luft_pgn_visitor visitor = {
        .tag = on_tag,
        .moves_start = on_moves_start,
        .move = on_move,
        .nag = on_nag,
        .comment = on_comment,
        .variation_start = on_variation_start,
        .variation_end = on_variation_end,
        .error = on_error,
        .game_end = on_game_end,
    };
    if (!game || !reader) {
        return LUFT_ERROR_ARGUMENT;
    }
    tree_builder builder = {.game = luft_pgn_game_allocate()};
    builder.error = builder.game ? luft_pgn_game_add_roster(builder.game) : LUFT_ERROR_MEMORY;
    if (builder.error == LUFT_OK) {
        const luft_error error = luft_pgn_read_game(reader, &visitor, &builder);
        builder.error = error != LUFT_OK ? error : builder.error;
        luft_pgn_free_comments(builder.game, &builder.waiting);
    }
    free(builder.outer);
    free(builder.comment);
    if (builder.error != LUFT_OK) {
        luft_pgn_game_free(builder.game);
        return builder.error;
    }
    *game = builder.game;
    return LUFT_OK;
}
