/* SPDX-License-Identifier: MIT */
/*
 * Keeps a game as a list of events, in the order of the reader, and writes it in export format. Everything in the game
 * stays. An evaluation goes into a comment directly after the move, in the form [%eval 0.35] that other programs read,
 * and replaces an older one. Notes that this file wrote about mistakes are replaced too, so that a game can be
 * annotated again.
 */
#define _POSIX_C_SOURCE 200809L

#include "game.h"

#include "pgn/facts.h"
#include "thinking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than any sane game has. */
#define EVENTS_MAX ((size_t)1 << 18)
#define TAGS_MAX ((size_t)4096)
#define TEXT_MAX ((size_t)16 << 20)

/* --- Reading --------------------------------------------------------------------------- */

/* Makes room for one more in a list; NULL if out of memory. */
static void *grow(void *list, size_t size, size_t count, size_t *capacity) {
    if (count < *capacity) {
        return list;
    }
    const size_t wanted = *capacity > 0 ? 2 * *capacity : 64;
    void *memory = realloc(list, wanted * size);
    *capacity = memory ? wanted : *capacity;
    return memory;
}

static luft_pgn_action add_event(pgn_game *game, const game_event *event) {
    if (game->event_count >= EVENTS_MAX || game->text.length > TEXT_MAX) {
        game->is_too_long = true;
        return LUFT_PGN_SKIP_GAME;
    }
    game_event *events = grow(game->events, sizeof *events, game->event_count, &game->event_capacity);
    game->events = events ? events : game->events;
    if (!events || game->text.failed) {
        game->failed = true;
        return LUFT_PGN_STOP;
    }
    events[game->event_count++] = *event;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_tag(void *payload, const char *name, size_t name_length, const char *value,
                              size_t value_length) {
    pgn_game *game = payload;
    if (game->tag_count >= TAGS_MAX || game->text.length > TEXT_MAX) {
        game->is_too_long = true;
        return LUFT_PGN_SKIP_GAME;
    }
    game_tag *tags = grow(game->tags, sizeof *tags, game->tag_count, &game->tag_capacity);
    game->tags = tags ? tags : game->tags;
    if (!tags || game->text.failed) {
        game->failed = true;
        return LUFT_PGN_STOP;
    }
    const size_t at = game->text.length;
    tags[game->tag_count++] = (game_tag){at, name_length, at + name_length, value_length};
    buffer_append(&game->text, name, name_length);
    buffer_append(&game->text, value, value_length);
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_moves_start(void *payload, const luft_position *start) {
    pgn_game *game = payload;
    game->start = *start;
    game->has_start = true;
    return LUFT_PGN_CONTINUE;
}

static luft_pgn_action on_move(void *payload, const luft_position *before, luft_move move, const luft_position *after) {
    (void)after;
    pgn_game *game = payload;
    const bool is_main = game->depth == 0;
    const luft_pgn_action action =
        add_event(game, &(game_event){.kind = EVENT_MOVE, .is_main = is_main, .move = move, .before = *before});
    game->plies += is_main && action == LUFT_PGN_CONTINUE;
    return action;
}

static luft_pgn_action on_nag(void *payload, int nag) {
    return add_event(payload, &(game_event){.kind = EVENT_NAG, .nag = nag});
}

/* Joins the parts of a long comment. */
static luft_pgn_action on_comment(void *payload, const char *text, size_t length, bool more) {
    pgn_game *game = payload;
    game_event *last = game->event_count > 0 ? &game->events[game->event_count - 1] : NULL;
    const size_t at = game->text.length;
    if (at > TEXT_MAX) { /* a part of a comment adds no event, where the limit is checked */
        game->is_too_long = true;
        return LUFT_PGN_SKIP_GAME;
    }
    buffer_append(&game->text, text, length);
    if (last && last->kind == EVENT_COMMENT && last->is_open) {
        last->length += length;
        last->is_open = more;
        return LUFT_PGN_CONTINUE;
    }
    return add_event(game, &(game_event){.kind = EVENT_COMMENT, .text = at, .length = length, .is_open = more});
}

static luft_pgn_action on_variation_start(void *payload, const luft_position *before) {
    (void)before;
    pgn_game *game = payload;
    game->depth++;
    return add_event(game, &(game_event){.kind = EVENT_START});
}

static luft_pgn_action on_variation_end(void *payload) {
    pgn_game *game = payload;
    game->depth--;
    return add_event(game, &(game_event){.kind = EVENT_END});
}

static luft_pgn_action on_error(void *payload, const luft_pgn_error *error) {
    pgn_game *game = payload;
    game->has_fault = true;
    game->fault = pgn_fault_of(error);
    return LUFT_PGN_CONTINUE;
}

/* An error may have cut the game inside a variation. */
static luft_pgn_action on_game_end(void *payload, luft_result result) {
    pgn_game *game = payload;
    game->result = result;
    while (game->depth > 0 && !game->is_too_long && !game->failed) {
        on_variation_end(game);
    }
    return LUFT_PGN_CONTINUE;
}

/* The tag Result decides if the marker after the moves has no result. */
static void settle_result(pgn_game *game) {
    size_t length;
    const char *text = game_tag_value(game, "Result", &length);
    luft_result of_tag;
    if ((game->result == LUFT_RESULT_NONE || game->result == LUFT_RESULT_UNKNOWN) &&
        pgn_read_result(&of_tag, text, length)) {
        game->result = of_tag;
    }
}

luft_error game_read(pgn_game *game, luft_pgn_reader *reader) {
    static const luft_pgn_visitor visitor = {.tag = on_tag,
                                             .moves_start = on_moves_start,
                                             .move = on_move,
                                             .nag = on_nag,
                                             .comment = on_comment,
                                             .variation_start = on_variation_start,
                                             .variation_end = on_variation_end,
                                             .error = on_error,
                                             .game_end = on_game_end};
    buffer_clear(&game->text);
    game->tag_count = game->event_count = game->plies = game->depth = 0;
    game->has_start = game->has_fault = game->is_too_long = game->failed = false;
    game->result = LUFT_RESULT_NONE;
    const luft_error error = luft_pgn_read_game(reader, &visitor, game);
    if (game->failed || game->text.failed) {
        return LUFT_ERROR_MEMORY;
    }
    settle_result(game);
    return error;
}

void game_free(pgn_game *game) {
    buffer_free(&game->text);
    free(game->tags);
    free(game->events);
}

const char *game_tag_value(const pgn_game *game, const char *name, size_t *length) {
    for (size_t i = 0; i < game->tag_count; i++) {
        const game_tag *tag = &game->tags[i];
        if (tag->name_length == strlen(name) && memcmp(game->text.data + tag->name, name, tag->name_length) == 0) {
            *length = tag->value_length;
            return game->text.data + tag->value;
        }
    }
    *length = 1;
    return "?";
}

/* --- Writing --------------------------------------------------------------------------- */

static bool append(void *payload, const char *text, size_t length) {
    buffer *out = payload;
    buffer_append(out, text, length);
    return !out->failed;
}

/* Writes all tags, and those of the result and the annotator if they are missing. */
static void write_tags(luft_pgn_writer *writer, buffer *out, const pgn_game *game) {
    luft_pgn_tag *tags = malloc((game->tag_count + 2) * sizeof *tags);
    const char *result = luft_result_string(game->result);
    const char annotator[] = "Luft " LUFT_VERSION;
    size_t count = 0;
    bool has_result = false, has_annotator = false;
    if (!tags) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < game->tag_count; i++) {
        const game_tag *tag = &game->tags[i];
        const char *name = game->text.data + tag->name;
        const char *value = game->text.data + tag->value;
        const bool is_result = tag->name_length == 6 && memcmp(name, "Result", 6) == 0;
        const bool is_open = is_result && tag->value_length == 1 && value[0] == '*';
        has_result |= is_result;
        has_annotator |= tag->name_length == 9 && memcmp(name, "Annotator", 9) == 0;
        tags[count++] = (luft_pgn_tag){name, is_open ? result : value, tag->name_length,
                                       is_open ? strlen(result) : tag->value_length};
    }
    if (!has_result) {
        tags[count++] = (luft_pgn_tag){"Result", result, 6, strlen(result)};
    }
    if (!has_annotator) {
        tags[count++] = (luft_pgn_tag){"Annotator", annotator, 9, strlen(annotator)};
    }
    luft_pgn_write_tags(writer, tags, count);
    free(tags);
}

/* Writes a comment without its [%eval …]; nothing if that was all. */
static void write_comment(luft_pgn_writer *writer, buffer *out, const char *text, size_t length) {
    static const char opening[] = "[%eval ";
    buffer kept = {0};
    for (size_t i = 0; i < length;) {
        const char *close = NULL;
        if (length - i >= sizeof opening - 1 && memcmp(text + i, opening, sizeof opening - 1) == 0) {
            close = memchr(text + i, ']', length - i);
        }
        if (close) {
            i = (size_t)(close - text) + 1;
            i += i < length && text[i] == ' ';
        } else {
            buffer_append(&kept, text + i++, 1);
        }
    }
    size_t first = 0;
    while (first < kept.length && strchr(" \t\r\n", kept.data[first])) {
        first++;
    }
    if (first < kept.length || length == 0) {
        luft_pgn_write_comment(writer, kept.data ? kept.data : "", kept.length);
    }
    out->failed |= kept.failed;
    buffer_free(&kept);
}

/* The reason of a mark: "Blunder: allows mate in 1. Better is Nf3 (+0.35)." */
static void append_reason(buffer *out, const luft_position *before, judgement kind, const evaluation *was,
                          const evaluation *is) {
    char san[LUFT_SAN_SIZE] = "", score[THINKING_SCORE_SIZE];
    const int sign = before->side_to_move == LUFT_WHITE ? 1 : -1;
    luft_move_to_san(san, sizeof san, before, was->line[0]);
    buffer_printf(out, " %s", judgement_name(kind));
    if (is_loss(sign * is->score)) {
        buffer_printf(out, ": allows mate in %d", abs(thinking_mate_in(is->score)));
    } else if (is_win(sign * was->score)) {
        buffer_printf(out, ": misses mate in %d", abs(thinking_mate_in(was->score)));
    }
    buffer_printf(out, ". Better is %s (%s).", san, thinking_score_text(score, was->score));
}

/* [%eval 0.35]: the score without its plus, as programs expect it. */
static void append_eval(buffer *out, int score_white) {
    char text[THINKING_SCORE_SIZE];
    thinking_score_text(text, score_white);
    buffer_printf(out, "[%%eval %s]", text + (text[0] == '+'));
}

static void write_better_line(luft_pgn_writer *writer, const luft_position *before, const evaluation *was) {
    luft_position position = *before;
    luft_pgn_write_variation_start(writer);
    for (int i = 0; i < was->length; i++) {
        luft_pgn_write_move(writer, &position, was->line[i]);
        luft_make(&position, &position, was->line[i]);
    }
    luft_pgn_write_variation_end(writer);
}

/* --- What was written before --------------------------------------------------------- */

/* A reason that append_reason wrote when the game was annotated before. */
typedef struct old_note {
    judgement kind; /* JUDGED_GOOD for none */
    char better[16];
} old_note;

/* Is the comment one of ours, and nothing else? Any blank may have become a line end. */
static bool read_old_note(old_note *note, const char *text, size_t length) {
    char copy[128], name[16];
    int used = 0;
    if (length >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (sscanf(copy, "[%%eval %*[^]]] %15[A-Za-z]. Better is %15s (%*[^)]).%n", name, note->better, &used) != 2 ||
        !used) {
        sscanf(copy, "[%%eval %*[^]]] %15[A-Za-z]: %*[a-z] mate in %*[0-9]. Better is %15s (%*[^)]).%n", name,
               note->better, &used);
    }
    for (judgement kind = JUDGED_INACCURACY; used > 0 && (size_t)used == length && kind <= JUDGED_BLUNDER; kind++) {
        if (strcmp(name, judgement_name(kind)) == 0) {
            note->kind = kind;
            return true;
        }
    }
    return false;
}

/* Finds our note among the marks and comments that begin at this event. */
static old_note find_old_note(const pgn_game *game, size_t at) {
    old_note note = {.kind = JUDGED_GOOD};
    for (; at < game->event_count; at++) {
        const game_event *event = &game->events[at];
        if ((event->kind != EVENT_NAG && event->kind != EVENT_COMMENT) ||
            (event->kind == EVENT_COMMENT && read_old_note(&note, game->text.data + event->text, event->length))) {
            break;
        }
    }
    return note;
}

/* Skips the better variation of our note if it comes next: moves only, the first as in the note. */
static size_t skip_old_line(const pgn_game *game, size_t at, const old_note *note) {
    size_t next = at + 1;
    char san[LUFT_SAN_SIZE] = "";
    if (note->kind == JUDGED_GOOD || next >= game->event_count || game->events[at].kind != EVENT_START ||
        game->events[next].kind != EVENT_MOVE) {
        return at;
    }
    luft_move_to_san(san, sizeof san, &game->events[next].before, game->events[next].move);
    while (next < game->event_count && game->events[next].kind == EVENT_MOVE) {
        next++;
    }
    const bool is_ours =
        next < game->event_count && game->events[next].kind == EVENT_END && strcmp(san, note->better) == 0;
    return is_ours ? next + 1 : at;
}

/* --- Moves ------------------------------------------------------------------------------- */

/* Writes a move of the main line with its marks and comments, and ours. Returns the next event. */
static size_t write_main_move(luft_pgn_writer *writer, buffer *out, const pgn_game *game, size_t at,
                              const evaluation *was, const evaluation *is) {
    const game_event *move = &game->events[at++];
    const old_note old = find_old_note(game, at);
    const luft_color color = (luft_color)move->before.side_to_move;
    bool is_judged = false; /* a mark of the author: it stays */
    int loss;
    const judgement kind = judge_move(&loss, color, move->move, was, is);
    luft_pgn_write_move(writer, &move->before, move->move);
    for (; at < game->event_count && game->events[at].kind == EVENT_NAG; at++) {
        const int nag = game->events[at].nag;
        if (old.kind != JUDGED_GOOD && nag == judgement_nag(old.kind)) {
            continue;
        }
        is_judged |= nag >= 1 && nag <= 6;
        luft_pgn_write_nag(writer, nag);
    }
    if (kind != JUDGED_GOOD && !is_judged) {
        luft_pgn_write_nag(writer, judgement_nag(kind));
    }
    if (!is->is_mate) {
        buffer comment = {0};
        append_eval(&comment, is->score);
        if (kind != JUDGED_GOOD) {
            append_reason(&comment, &move->before, kind, was, is);
        }
        luft_pgn_write_comment(writer, comment.data ? comment.data : "", comment.length);
        out->failed |= comment.failed;
        buffer_free(&comment);
    }
    for (; at < game->event_count && game->events[at].kind == EVENT_COMMENT; at++) {
        const char *text = game->text.data + game->events[at].text;
        old_note ours;
        if (!read_old_note(&ours, text, game->events[at].length)) {
            write_comment(writer, out, text, game->events[at].length);
        }
    }
    at = skip_old_line(game, at, &old);
    if (kind != JUDGED_GOOD) {
        write_better_line(writer, &move->before, was);
    }
    return at;
}

void game_write(buffer *out, const pgn_game *game, const evaluation *evaluations) {
    luft_pgn_writer writer;
    luft_pgn_writer_init(&writer, append, out);
    write_tags(&writer, out, game);
    for (size_t at = 0, ply = 0; at < game->event_count;) {
        const game_event *event = &game->events[at];
        if (event->kind == EVENT_MOVE && event->is_main) {
            at = write_main_move(&writer, out, game, at, &evaluations[ply], &evaluations[ply + 1]);
            ply++;
            continue;
        }
        switch (event->kind) {
        case EVENT_MOVE: luft_pgn_write_move(&writer, &event->before, event->move); break;
        case EVENT_NAG: luft_pgn_write_nag(&writer, event->nag); break;
        case EVENT_COMMENT: luft_pgn_write_comment(&writer, game->text.data + event->text, event->length); break;
        case EVENT_START: luft_pgn_write_variation_start(&writer); break;
        case EVENT_END: luft_pgn_write_variation_end(&writer); break;
        }
        at++;
    }
    luft_pgn_write_result(&writer, game->result);
}
