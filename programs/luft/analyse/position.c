/* SPDX-License-Identifier: MIT */
/*
 * `luft analyse FEN`: prints the board, a table of variations as the search gets deeper, and at the end the best move
 * and a verdict. As JSON, each row of the table is an object, and the last object is the result.
 */
#define _POSIX_C_SOURCE 200809L

#include "analyse.h"

#include "command.h"
#include "diagram.h"
#include "util/output.h"
#include "util/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LINE_COLUMN = 38,    /* where the moves begin in the table */
    LABEL_COLUMN = 12,   /* and in the result */
    DEPTH_OVER_MATE = 6, /* a mate found so many plies earlier is the shortest */
    UNREADABLE_MS = 100  /* rows before this are not shown on a terminal */
};

typedef struct position_view {
    const analyse_settings *settings;
    luft_engine *engine;
    const luft_game *game;
    const luft_position *position; /* of the game */
    size_t columns;
    buffer text;
    bool for_eyes;       /* the output is a terminal: rows that scroll past are left out */
    bool skips;          /* the rows of the current depth */
    thinking_line shown; /* the last variation in the table */
    bool has_rows;       /* there is one */
    bool failed;         /* something could not be printed, as an error line says */
} position_view;

/* Prints the text; false from the first failure on. */
static bool print(position_view *view) {
    view->failed = view->failed || !analyse_print(&view->text);
    return !view->failed;
}

/* --- While it searches ----------------------------------------------------------- */

static void append_json_line(buffer *text, const position_view *view, const thinking_line *line, int number) {
    json out = {.text = text};
    buffer san = {0};
    thinking_append_line(&san, view->position, line->moves, line->length, 0);
    json_open(&out, '{');
    json_count(&out, "depth", (uint64_t)line->depth);
    json_count(&out, "line", (uint64_t)number);
    analyse_write_score(&out, line->score);
    json_count(&out, "nodes", (uint64_t)line->nodes);
    json_count(&out, "time_ms", (uint64_t)line->time_ms);
    analyse_write_moves(&out, "pv", view->settings, view->position, line->moves, line->length);
    json_key(&out, "san");
    json_bytes(&out, san.data ? san.data : "", san.length);
    json_close(&out, '}');
    buffer_append_text(text, "\n");
    text->failed |= san.failed;
    buffer_free(&san);
}

static void append_row(buffer *out, const position_view *view, const thinking_line *line, int number) {
    char score[THINKING_SCORE_SIZE], nodes[TEXT_COUNT_SIZE], depth[16] = "";
    thinking_score_text(score, line->score);
    if (number == 1) {
        snprintf(depth, sizeof depth, "%d", line->depth);
        text_count(nodes, (luft_count){(uint64_t)line->nodes, 0}, true);
        buffer_printf(out, "%5s  %7s  %13s %6.1f  ", depth, score, nodes, (double)line->time_ms / 1000);
    } else {
        buffer_printf(out, "%5s  %7s  %13s %6s  ", "", score, "", "");
    }
    thinking_append_line(out, view->position, line->moves, line->length, view->columns - LINE_COLUMN);
    buffer_append_text(out, "\n");
}

static bool is_same(const thinking_line *a, const thinking_line *b) {
    return a->score == b->score && a->length == b->length &&
           memcmp(a->moves, b->moves, (size_t)a->length * sizeof a->moves[0]) == 0;
}

/* Is the variation worth a row? A depth that changes nothing is not. */
static bool is_worth_showing(position_view *view, const thinking_line *line, int number) {
    if (number == 1) {
        view->skips = (view->for_eyes && line->time_ms < UNREADABLE_MS) ||
                      (view->settings->lines == 1 && view->has_rows && is_same(line, &view->shown));
    }
    return !view->skips;
}

static void show_line(void *payload, const thinking_line *line, int number) {
    position_view *view = payload;
    if (view->settings->lines == 1 && thinking_is_mate(line->score) &&
        line->depth > thinking_plies_to_mate(line->score) + DEPTH_OVER_MATE) {
        luft_engine_stop(view->engine); /* a shorter mate does not exist */
    }
    if (view->settings->json) {
        append_json_line(&view->text, view, line, number);
    } else if (is_worth_showing(view, line, number)) {
        append_row(&view->text, view, line, number);
        view->shown = *line;
        view->has_rows = true;
    }
    if (!print(view)) {
        luft_engine_stop(view->engine); /* the reader is gone */
    }
}

/* --- The result -------------------------------------------------------------------- */

/* The next word; a move number and its move are one word. */
static bool next_word(const char **word, size_t *word_length, const char **text, size_t *length) {
    const char *rest;
    size_t rest_length;
    if (!text_next_word(word, word_length, text, length)) {
        return false;
    }
    if ((*word)[*word_length - 1] == '.' && text_next_word(&rest, &rest_length, text, length)) {
        *word_length = (size_t)(rest - *word) + rest_length;
    }
    return true;
}

/* Wraps the text at words, with all lines but the first indented. */
static void append_wrapped(buffer *out, const char *label, const char *text, size_t length, size_t columns) {
    const char *word;
    size_t word_length, column = LABEL_COLUMN;
    buffer_printf(out, "%-*s", LABEL_COLUMN, label);
    for (bool first = true; next_word(&word, &word_length, &text, &length); first = false) {
        if (!first && column + 1 + word_length > columns) {
            buffer_printf(out, "\n%*s", LABEL_COLUMN, "");
            column = LABEL_COLUMN;
        } else if (!first) {
            buffer_append_text(out, " ");
            column++;
        }
        buffer_append(out, word, word_length);
        column += word_length;
    }
    buffer_append_text(out, "\n");
}

static void append_verdict(buffer *out, const thinking_line *best) {
    char words[THINKING_WORDS_SIZE], score[THINKING_SCORE_SIZE], nodes[TEXT_COUNT_SIZE];
    thinking_words(words, best->score);
    buffer_printf(out, "%-*s%c%s", LABEL_COLUMN, "Verdict:", words[0] == 't' ? 'T' : words[0], words + 1);
    if (!thinking_is_mate(best->score)) {
        const int size = abs(best->score);
        if (size >= LUFT_ENGINE_TABLEBASE_SCORE - LUFT_ENGINE_MAX_PLY) {
            buffer_append_text(out, " by the tablebases");
        } else if (size >= 30) {
            buffer_printf(out, ", as if %d.%d pawns ahead", (size + 5) / 100, (size + 5) / 10 % 10);
        }
        buffer_printf(out, " (%s)", thinking_score_text(score, best->score));
    }
    text_count(nodes, (luft_count){(uint64_t)best->nodes, 0}, true);
    buffer_printf(out, ".\n%-*sdepth %d, %s nodes, %.1f s\n", LABEL_COLUMN, "Searched:", best->depth, nodes,
                  (double)best->time_ms / 1000);
}

static void append_result(buffer *out, const position_view *view, const thinking *found) {
    buffer line = {0};
    const thinking_line *best = &found->lines[0];
    for (int i = 0; !view->has_rows && i < found->line_count; i++) { /* all depths were too fast */
        append_row(out, view, &found->lines[i], i + 1);
    }
    buffer_append_text(out, "\n");
    thinking_append_line(&line, view->position, best->moves, 1, 0);
    append_wrapped(out, "Best move:", line.data, line.length, view->columns);
    for (int i = 1; i < found->line_count; i++) {
        const thinking_line *other = &found->lines[i];
        char score[THINKING_SCORE_SIZE];
        buffer_clear(&line);
        thinking_append_line(&line, view->position, other->moves, 1, 0);
        buffer_printf(&line, " (%s)", thinking_score_text(score, other->score));
        append_wrapped(out, i == 1 ? "Then:" : "", line.data, line.length, view->columns);
    }
    append_verdict(out, best);
    buffer_clear(&line);
    thinking_append_line(&line, view->position, best->moves, best->length, 0);
    append_wrapped(out, thinking_is_mate(best->score) ? "Mate:" : "Expected:", line.data, line.length, view->columns);
    out->failed |= line.failed;
    buffer_free(&line);
}

static void append_json_result(buffer *text, const position_view *view, const thinking *found) {
    const thinking_line *best = &found->lines[0];
    char uci[LUFT_UCI_MOVE_SIZE], san[LUFT_SAN_SIZE], words[THINKING_WORDS_SIZE];
    json out = {.text = text};
    luft_move_to_uci(uci, sizeof uci, found->best, analyse_style(view->settings, view->position));
    luft_move_to_san(san, sizeof san, view->position, found->best);
    json_open(&out, '{');
    analyse_write_fen(&out, view->position);
    json_member(&out, "best", uci);
    json_member(&out, "san", san);
    analyse_write_score(&out, best->score);
    json_member(&out, "verdict", thinking_words(words, best->score));
    json_count(&out, "depth", (uint64_t)best->depth);
    json_count(&out, "nodes", (uint64_t)best->nodes);
    json_count(&out, "time_ms", (uint64_t)best->time_ms);
    json_close(&out, '}');
    buffer_append_text(text, "\n");
}

/* The game is over by the rules: nothing to search. */
static void append_end(buffer *out, const position_view *view, luft_outcome outcome) {
    const bool white = view->position->side_to_move == LUFT_WHITE;
    if (view->settings->json) {
        json result = {.text = out};
        json_open(&result, '{');
        analyse_write_fen(&result, view->position);
        json_key(&result, "best");
        json_null(&result);
        json_member(&result, "outcome", luft_termination_string(outcome.termination));
        json_close(&result, '}');
        buffer_append_text(out, "\n");
        return;
    }
    buffer_append_text(out, "\n");
    switch (outcome.termination) {
    case LUFT_CHECKMATE: buffer_printf(out, "Checkmate: %s has won.\n", white ? "Black" : "White"); break;
    case LUFT_STALEMATE:
        buffer_printf(out, "Stalemate: %s has no legal move and is not in check. The game is drawn.\n",
                      white ? "White" : "Black");
        break;
    case LUFT_INSUFFICIENT_MATERIAL:
        buffer_append_text(out, "Dead position: neither side has enough material to mate. The game is drawn.\n");
        break;
    default:
        buffer_append_text(out, "Seventy-five moves without a capture or a pawn move: the game is drawn.\n");
        break;
    }
}

static void append_heading(buffer *out, const position_view *view) {
    const luft_position *position = view->position;
    char fen[LUFT_FEN_SIZE];
    luft_position_to_fen(fen, sizeof fen, position, LUFT_FEN_STANDARD);
    buffer_printf(out, "\n%s\n%s to move. Scores are in pawns, + is good for White.\n\n", fen,
                  position->side_to_move == LUFT_WHITE ? "White" : "Black");
    buffer_printf(out, "%5s  %7s  %13s %6s  %s\n", "depth", "score", "nodes", "time", "line");
}

/* Searches and prints; returns an exit status. */
static int search(position_view *view, thinking *found) {
    const analyse_settings *settings = view->settings;
    thinking_interrupt watch;
    if (!settings->json) {
        append_heading(&view->text, view);
        if (!print(view)) {
            return STATUS_FAILED;
        }
    }
    thinking_watch(&watch, &view->engine, 1, NULL);
    const bool searched = thinking_set_game(view->engine, view->game) &&
                          thinking_run(found, view->engine, &settings->limits, show_line, view);
    thinking_unwatch(&watch);
    if (!searched) {
        output_error(ANALYSE_NAME, "cannot start the search: out of memory or threads");
        return STATUS_FAILED;
    }
    if (settings->json) {
        append_json_result(&view->text, view, found);
    } else {
        append_result(&view->text, view, found);
    }
    return print(view) ? STATUS_OK : STATUS_FAILED;
}

int analyse_position(const analyse_settings *settings, const luft_game *game) {
    const luft_position *position = luft_game_position(game);
    position_view view = {.settings = settings,
                          .game = game,
                          .position = position,
                          .columns = analyse_columns(STDOUT_FILENO),
                          .for_eyes = isatty(STDOUT_FILENO) != 0};
    const luft_outcome outcome = luft_position_outcome(position);
    int status = STATUS_USAGE;
    thinking *found = malloc(sizeof *found);
    view.engine = found ? analyse_create_engine(settings) : NULL;
    if (!found) {
        output_error(ANALYSE_NAME, "out of memory");
    } else if (view.engine) {
        if (!settings->json) {
            diagram_print(&position->board, true, true);
        }
        if (outcome.termination == LUFT_NOT_OVER) {
            status = search(&view, found);
        } else {
            append_end(&view.text, &view, outcome);
            status = print(&view) ? STATUS_OK : STATUS_FAILED;
        }
    }
    luft_engine_free(view.engine);
    buffer_free(&view.text);
    free(found);
    return status;
}
