/* SPDX-License-Identifier: MIT */
/*
 * Puts a review into a game. Everything that people wrote stays. The engine's annotations carry its mark, so a second
 * review replaces those of the first: the evaluation after each move, in the form [%eval 0.35] that other programs
 * read, and for a mistake its NAG, the reason and the better variation. An evaluation by another program is replaced
 * too, because a move can have only one.
 */
#define _POSIX_C_SOURCE 200809L

#include "game.h"

#include "thinking.h"

#include <stdlib.h>
#include <string.h>

luft_error game_read(reviewed_game *game, luft_pgn_reader *reader) {
    game_free(game);
    const luft_error error = luft_pgn_game_read(&game->tree, reader);
    if (error == LUFT_ERROR_OVERFLOW) {
        return LUFT_OK;
    }
    luft_pgn_game_remove_engine(game->tree);
    for (luft_pgn_node node = game_first_move(game); node != LUFT_PGN_NO_NODE;
         node = luft_pgn_node_next(game->tree, node)) {
        game->plies++;
    }
    return error;
}

void game_free(reviewed_game *game) {
    luft_pgn_game_free(game->tree);
    *game = (reviewed_game){0};
}

const char *game_tag_value(const reviewed_game *game, const char *name, size_t *length) {
    const char *value = luft_pgn_game_tag(game->tree, name, length);
    if (!value) {
        *length = 1;
        value = "?";
    }
    return value;
}

luft_pgn_node game_first_move(const reviewed_game *game) {
    return luft_pgn_node_next(game->tree, LUFT_PGN_ROOT);
}

const luft_position *game_position_before(const reviewed_game *game, luft_pgn_node node) {
    return luft_pgn_node_position(game->tree, luft_pgn_node_parent(game->tree, node));
}

/* Seconds of "1:05:09" or "05:09.5"; -1 if it is not a time. */
static int read_clock(const char *text, size_t length) {
    int seconds = 0, part = 0;
    for (size_t i = 0; i < length && text[i] != '.'; i++) {
        if (text[i] == ':') {
            seconds = (seconds + part) * 60;
            part = 0;
        } else if (text[i] >= '0' && text[i] <= '9' && part < 10000 && seconds < 1000000) {
            part = part * 10 + (text[i] - '0');
        } else {
            return -1;
        }
    }
    return length > 0 ? seconds + part : -1;
}

bool game_is_hurried(const reviewed_game *game, luft_pgn_node node) {
    enum { LIMIT = 60, LIMIT_UNKNOWN = 30, SHARE = 10 };
    size_t length;
    const char *clock = luft_pgn_node_command(game->tree, node, "clk", &length);
    const int left = clock ? read_clock(clock, length) : -1;
    const char *control = luft_pgn_game_tag(game->tree, "TimeControl", &length);
    int limit = LIMIT_UNKNOWN;
    if (control && length > 0) { /* "300+3", "40/7200:3600" */
        const char *slash = memchr(control, '/', length);
        const long first = strtol(slash ? slash + 1 : control, NULL, 10);
        if (first > 0) {
            limit = first / SHARE < LIMIT ? (int)(first / SHARE) : LIMIT;
        }
    }
    return left >= 0 && left < limit;
}

/* --- Annotating ------------------------------------------------------------------------ */

/* The reason of a mark: "Blunder: allows mate in 1. Better is Nf3 (+0.35)." */
static void append_reason(buffer *out, const luft_position *before, judgement kind, const evaluation *was,
                          const evaluation *is) {
    char san[LUFT_SAN_SIZE] = "", score[THINKING_SCORE_SIZE];
    const int sign = before->side_to_move == LUFT_WHITE ? 1 : -1;
    luft_move_to_san(san, sizeof san, before, was->line[0]);
    buffer_printf(out, " %s", judgement_name(kind));
    if (sign * is->score <= -THINKING_MATE_BOUND) {
        buffer_printf(out, ": allows mate in %d", abs(thinking_mate_in(is->score)));
    } else if (sign * was->score >= THINKING_MATE_BOUND) {
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

/* Adds the evaluation, and the reason for a mark. */
static luft_error add_comment(reviewed_game *game, luft_pgn_node node, judgement kind, const evaluation *was,
                              const evaluation *is) {
    buffer comment = {0};
    append_eval(&comment, is->score);
    if (kind != JUDGED_GOOD) {
        append_reason(&comment, game_position_before(game, node), kind, was, is);
    }
    const luft_error error = comment.failed ? LUFT_ERROR_MEMORY
                                            : luft_pgn_node_add_comment(game->tree, node, LUFT_PGN_AFTER, comment.data,
                                                                        comment.length, LUFT_PGN_ENGINE);
    buffer_free(&comment);
    return error;
}

/* True if the move has a NAG from ! to ?!: the judgement of the annotator stands. */
static bool is_judged(const reviewed_game *game, luft_pgn_node node) {
    luft_pgn_nag nag;
    for (size_t i = 0; luft_pgn_node_nag_at(&nag, game->tree, node, i); i++) {
        if (nag.value >= 1 && nag.value <= 6) {
            return true;
        }
    }
    return false;
}

/* Adds the better variation as the first variation in place of the move. */
static luft_error add_better_variation(reviewed_game *game, luft_pgn_node node, const evaluation *was) {
    luft_pgn_node first = LUFT_PGN_NO_NODE, last = luft_pgn_node_parent(game->tree, node);
    for (int i = 0; i < was->length; i++) {
        const luft_error error = luft_pgn_node_add(&last, game->tree, last, was->line[i], LUFT_PGN_ENGINE);
        if (error != LUFT_OK) {
            return error;
        }
        first = i == 0 ? last : first;
    }
    return luft_pgn_node_reorder(game->tree, first, 1);
}

static luft_error annotate_move(reviewed_game *game, luft_pgn_node node, const evaluation *was, const evaluation *is) {
    const luft_color color = (luft_color)game_position_before(game, node)->side_to_move;
    const judgement kind = judge_move(color, luft_pgn_node_move(game->tree, node), was, is).kind;
    luft_error error = luft_pgn_node_set_command(game->tree, node, "eval", NULL, 0, LUFT_PGN_ENGINE);
    if (error == LUFT_OK && !is->is_mate) {
        error = add_comment(game, node, kind, was, is);
    }
    if (error == LUFT_OK && kind != JUDGED_GOOD && !is_judged(game, node)) {
        error = luft_pgn_node_add_nag(game->tree, node, judgement_nag(kind), LUFT_PGN_ENGINE);
    }
    return error == LUFT_OK && kind != JUDGED_GOOD ? add_better_variation(game, node, was) : error;
}

luft_error game_annotate(reviewed_game *game, const evaluation *evaluations) {
    static const char annotator[] = "Luft " LUFT_VERSION;
    luft_error error = LUFT_OK;
    if (!luft_pgn_game_tag(game->tree, "Annotator", NULL)) {
        error = luft_pgn_game_set_tag(game->tree, "Annotator", annotator, strlen(annotator));
    }
    luft_pgn_node node = game_first_move(game);
    for (size_t ply = 0; error == LUFT_OK && node != LUFT_PGN_NO_NODE; ply++) {
        error = annotate_move(game, node, &evaluations[ply], &evaluations[ply + 1]);
        node = luft_pgn_node_next(game->tree, node);
    }
    return error;
}

/* --- Writing --------------------------------------------------------------------------- */

static bool append(void *payload, const char *text, size_t length) {
    buffer *out = payload;
    buffer_append(out, text, length);
    return !out->failed;
}

void game_write(buffer *out, const reviewed_game *game) {
    luft_pgn_writer writer;
    luft_pgn_writer_init(&writer, append, out);
    out->failed |= luft_pgn_game_write(&writer, game->tree) != LUFT_OK; /* this sink fails only if out of memory */
}
