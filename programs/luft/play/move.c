/* SPDX-License-Identifier: MIT */
/*
 * The library reads SAN as games have it, where `b` is the b-file. A person may type without shift, or with caps lock:
 * the text as typed comes first, and only if it is not a move are other cases tried.
 */
#include "move.h"

#include "util/setup.h"
#include "util/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOVE_TEXT_MAX = 24 }; /* longer text is not a move */

/* --- Reading ----------------------------------------------------------------- */

/* Removes blanks and a move number with its dots from the front. */
static void skip_number(const char **text, size_t *length) {
    text_trim(text, length);
    size_t digits = 0, points;
    while (digits < *length && isdigit((unsigned char)(*text)[digits])) {
        digits++;
    }
    points = digits;
    while (points < *length && (*text)[points] == '.') {
        points++;
    }
    if (digits > 0 && points > digits) {
        *text += points;
        *length -= points;
        text_trim(text, length);
    }
}

/* Converts to lower case, except the first letter if `capital`. */
static void recase(char *out, const char *text, size_t length, bool capital) {
    for (size_t i = 0; i < length; i++) {
        out[i] = (char)tolower((unsigned char)text[i]);
    }
    if (capital && length > 0) {
        out[0] = (char)toupper((unsigned char)out[0]);
    }
}

/* e7e8: a promotion as UCI writes it, but without the new piece. */
static bool lacks_piece(const luft_position *position, const char *text, size_t length) {
    char whole[5];
    luft_move move;
    if (length != sizeof whole - 1) {
        return false;
    }
    recase(whole, text, length, false);
    whole[length] = 'q';
    return luft_move_from_uci(&move, position, whole, sizeof whole) == LUFT_OK;
}

luft_error play_read_move(luft_move *move, const luft_position *position, const char *text, size_t length) {
    char other[MOVE_TEXT_MAX];
    skip_number(&text, &length);
    const luft_error error = setup_read_move(move, position, text, length);
    if (error == LUFT_OK || error == LUFT_ERROR_MOVE_AMBIGUOUS || length > sizeof other) {
        return error;
    }
    if (lacks_piece(position, text, length)) {
        return LUFT_ERROR_MOVE_AMBIGUOUS;
    }
    luft_error result = error;
    for (int capital = 0; capital < 2; capital++) {
        recase(other, text, length, capital);
        const luft_error next = setup_read_move(move, position, other, length);
        if (next == LUFT_OK || next == LUFT_ERROR_MOVE_AMBIGUOUS) {
            return next;
        }
        result = next == LUFT_ERROR_MOVE_ILLEGAL ? next : result;
    }
    return result;
}

/* --- Refusing ---------------------------------------------------------------- */

/* The last square in the text, which is the target; none if there is none. */
static luft_square target_of(const char *text, size_t length) {
    for (size_t i = length; i >= 2; i--) {
        const char file = (char)tolower((unsigned char)text[i - 2]), rank = text[i - 1];
        if (file >= 'a' && file <= 'h' && rank >= '1' && rank <= '8') {
            return luft_square_at(file - 'a', rank - '1');
        }
    }
    return LUFT_NO_SQUARE;
}

/* The piece type of the first letter; a pawn if it names none. */
static luft_piece_type type_of(const char *text, size_t length) {
    static const char letters[] = "nbrqk";
    const char first = length > 0 ? (char)tolower((unsigned char)text[0]) : ' ';
    const char *found = first == 'b' && text[0] == 'b' ? NULL : strchr(letters, first);
    return found && *found ? (luft_piece_type)(LUFT_KNIGHT + (found - letters)) : LUFT_PAWN;
}

/* "Nbd2 or Nfd2": the moves that may be meant, as many as fit. */
static void write_candidates(char *out, size_t size, const luft_position *position, luft_square to,
                             luft_piece_type type) {
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    size_t used = 0;
    for (int i = 0; i < list.count; i++) {
        const luft_move move = list.moves[i];
        char san[LUFT_SAN_SIZE];
        if (luft_move_to(move) == to && luft_move_kind_of(move) != LUFT_CASTLING &&
            luft_piece_type_of(luft_piece_at(&position->board, luft_move_from(move))) == type &&
            used + LUFT_SAN_SIZE + 4 < size) {
            luft_move_to_san(san, sizeof san, position, move);
            used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? " or " : "", san);
        }
    }
}

const char *play_refusal(char buffer[PLAY_REASON_SIZE], const luft_position *position, const char *text, size_t length,
                         luft_error error) {
    char quoted[TEXT_QUOTED_SIZE], candidates[80] = "";
    skip_number(&text, &length);
    text_quote(quoted, text, length);
    if (error == LUFT_ERROR_MOVE_AMBIGUOUS) {
        write_candidates(candidates, sizeof candidates, position, target_of(text, length), type_of(text, length));
        snprintf(buffer, PLAY_REASON_SIZE, "%s can be more than one move: %s.", quoted, candidates);
    } else if (error == LUFT_ERROR_MOVE_ILLEGAL) {
        snprintf(buffer, PLAY_REASON_SIZE, "%s is not legal here%s; moves lists the moves that are.", quoted,
                 luft_in_check(position) ? ": the king is in check" : "");
    } else {
        snprintf(buffer, PLAY_REASON_SIZE, "%s is neither a move nor a command; help lists the commands.", quoted);
    }
    return buffer;
}
