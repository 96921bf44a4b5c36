/* SPDX-License-Identifier: MIT */
/*
 * Positions from arguments. Arguments come from outside, so an error line names what is wrong and quotes it safely. A
 * position is returned only after its FEN and all of its moves were accepted.
 */
#include "setup.h"

#include "output.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *setup_fen_reason(char text[SETUP_REASON_SIZE], const luft_fen_report *report, const char *fen,
                             size_t length) {
    const char *name = luft_error_string(report->error);
    if (report->status == 0) {
        char quoted[TEXT_QUOTED_SIZE] = "";
        const bool has_character = report->offset < length;
        if (has_character) {
            text_quote(quoted, fen + report->offset, 1);
        }
        snprintf(text, SETUP_REASON_SIZE, "%s: %s%s%s (column %zu)", name, report->reason, has_character ? ": " : "",
                 quoted, report->offset + 1);
        return text;
    }
    size_t used = (size_t)snprintf(text, SETUP_REASON_SIZE, "%s", name);
    const char *separator = ": ";
    for (unsigned rest = report->status; rest != 0 && used < SETUP_REASON_SIZE; rest &= rest - 1) {
        used += (size_t)snprintf(text + used, SETUP_REASON_SIZE - used, "%s%s", separator, luft_status_string(rest));
        separator = "; ";
    }
    return text;
}

luft_error setup_read_move(luft_move *move, const luft_position *position, const char *text, size_t length) {
    const luft_error error = luft_move_from_uci(move, position, text, length);
    return error == LUFT_ERROR_MOVE_SYNTAX ? luft_move_from_san(move, position, text, length) : error;
}

const char *setup_move_reason(luft_error error) {
    return error == LUFT_ERROR_MOVE_ILLEGAL     ? "is not legal here"
           : error == LUFT_ERROR_MOVE_AMBIGUOUS ? "can be more than one move"
                                                : "is not a move like e2e4, e7e8q, Nf3 or e8=Q";
}

static bool play_moves(luft_game *game, const char *command, const char *moves) {
    char quoted[TEXT_QUOTED_SIZE];
    size_t length = strlen(moves);
    const char *word;
    size_t word_length;
    for (int number = 1; text_next_word(&word, &word_length, &moves, &length); number++) {
        luft_move move;
        const luft_error error = setup_read_move(&move, luft_game_position(game), word, word_length);
        if (error != LUFT_OK) {
            output_error(command, "--moves: %s, move %d of the list, %s", text_quote(quoted, word, word_length), number,
                         setup_move_reason(error));
            return false;
        }
        if (luft_game_play(game, move) != LUFT_OK) {
            output_error(command, "out of memory");
            return false;
        }
    }
    return true;
}

luft_game *setup_game(const char *command, const char *fen_name, const char *fen, const char *moves) {
    luft_position start = luft_start_position();
    luft_game *game;
    if (fen && strcmp(fen, "startpos") != 0) {
        luft_fen_report report;
        char reason[SETUP_REASON_SIZE];
        if (luft_position_from_fen(&start, fen, strlen(fen), &report) != LUFT_OK) {
            setup_fen_reason(reason, &report, fen, strlen(fen));
            output_error(command, "%s%s%s", fen_name ? fen_name : "", fen_name ? ": " : "", reason);
            return NULL;
        }
    }
    if (luft_game_create(&game, &start) != LUFT_OK) {
        output_error(command, "out of memory");
        return NULL;
    }
    if (moves && !play_moves(game, command, moves)) {
        luft_game_free(game);
        return NULL;
    }
    return game;
}

bool setup_position(luft_position *position, const char *command, const char *fen_name, const char *fen,
                    const char *moves) {
    luft_game *game = setup_game(command, fen_name, fen, moves);
    if (game) {
        *position = *luft_game_position(game);
        luft_game_free(game);
    }
    return game != NULL;
}

bool setup_query(luft_query **query, const char *command, const char *option_name, const char *text) {
    char quoted[TEXT_QUOTED_SIZE];
    luft_query_report report;
    const size_t length = strlen(text);
    if (luft_query_compile(query, text, length, &report) == LUFT_OK) {
        return true;
    }
    text_quote(quoted, text + report.offset, length - report.offset);
    output_error(command, "%s%s%s, at %s", option_name ? option_name : "", option_name ? ": " : "", report.reason,
                 report.offset < length ? quoted : "the end");
    return false;
}

luft_square setup_ep_square(const luft_game *game, const char *fen) {
    const size_t ply = luft_game_ply(game);
    luft_position position;
    luft_fen_report report;
    if (ply > 0) {
        return luft_move_ep_square(luft_game_move_at(game, ply - 1));
    }
    return fen && luft_position_from_fen(&position, fen, strlen(fen), &report) == LUFT_OK ? report.ep_square
                                                                                          : LUFT_NO_SQUARE;
}

luft_castling_style setup_castling_style(const luft_position *position) {
    const luft_board *board = &position->board;
    for (luft_color color = LUFT_WHITE; color <= LUFT_BLACK; color++) {
        const luft_bitboard rooks = board->castling & board->color[color];
        if (rooks && (luft_file_of(luft_king_square(board, color)) != 4 || rooks & ~(LUFT_FILE_A | LUFT_FILE_H))) {
            return LUFT_CASTLING_CHESS960;
        }
    }
    return LUFT_CASTLING_STANDARD;
}

luft_square setup_landing_square(luft_move move) {
    const luft_square to = luft_move_to(move);
    return luft_move_kind_of(move) == LUFT_CASTLING
               ? luft_square_at(to > luft_move_from(move) ? 6 : 2, luft_rank_of(to))
               : to;
}

static int compare_text(const void *a, const void *b) {
    return strcmp(((const named_move *)a)->text, ((const named_move *)b)->text);
}

int setup_sorted_moves(named_move moves[LUFT_MAX_MOVES], const luft_position *position) {
    luft_move_list list;
    const int count = luft_generate(&list, position, LUFT_ALL_MOVES);
    const luft_castling_style style = setup_castling_style(position);
    for (int i = 0; i < count; i++) {
        moves[i].move = list.moves[i];
        luft_move_to_uci(moves[i].text, sizeof moves[i].text, list.moves[i], style);
    }
    qsort(moves, (size_t)count, sizeof moves[0], compare_text);
    return count;
}
