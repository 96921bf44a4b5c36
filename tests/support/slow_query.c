/* SPDX-License-Identifier: MIT */
/* Makes, writes and evaluates random queries; see the header. Shares no code with the library but FEN for `position`. */
#include "support/slow_query.h"

#include "support/check.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "PNBRQpnbrq";

/* --- Evaluating ------------------------------------------------------------- */

static int count_letter(const oracle_board *board, char letter) {
    int count = 0;
    for (int square = 0; square < 64; square++) {
        count += board->pieces[square] == letter;
    }
    return count;
}

/* The letter of a partial board for a square, '?' in an empty rank. */
static char pattern_letter(const char *text, int square) {
    for (int rank = 0; rank < square / 8; rank++) {
        text = strchr(text, '/') + 1;
    }
    int file = 0;
    for (; *text != '\0' && *text != '/'; text++) {
        const int squares = isdigit((unsigned char)*text) ? *text - '0' : 1;
        if (square % 8 < file + squares) {
            return isdigit((unsigned char)*text) ? '.' : *text;
        }
        file += squares;
    }
    return '?';
}

static bool letter_matches(char wanted, char piece) {
    switch (wanted) {
    case '?': return true;
    case '*': return piece != '.';
    case 'A': return isupper((unsigned char)piece);
    case 'a': return islower((unsigned char)piece);
    default: return piece == wanted;
    }
}

static bool board_matches(const slow_node *node, const oracle_board *board, bool pawns_only) {
    for (int square = 0; square < 64; square++) {
        const char piece = board->pieces[square];
        const char seen = pawns_only && piece != 'P' && piece != 'p' ? '.' : piece;
        if (!letter_matches(pattern_letter(node->value, square), seen)) {
            return false;
        }
    }
    return true;
}

static bool has_castling_rook(const oracle_board *board, int square) {
    for (int i = 0; i < 4; i++) {
        if (board->castling_rook[i / 2][i % 2] == square) {
            return true;
        }
    }
    return false;
}

static bool same_position(const oracle_board *a, const oracle_board *b) {
    bool same = memcmp(a->pieces, b->pieces, 64) == 0 && a->side == b->side && a->ep_square == b->ep_square;
    for (int square = 0; square < 64; square++) {
        same = same && has_castling_rook(a, square) == has_castling_rook(b, square);
    }
    return same;
}

static bool material_matches(const slow_node *node, const oracle_board *board) {
    for (int i = 0; i < 10; i++) {
        const int count = count_letter(board, letters[i]);
        if (count < node->min[i] || count > node->max[i]) {
            return false;
        }
    }
    return true;
}

static bool imbalance_matches(const slow_node *node, const oracle_board *board) {
    for (int i = 0; i < 5; i++) {
        const int difference = count_letter(board, letters[i]) - count_letter(board, letters[i + 5]);
        if (difference < node->min[i] || difference > node->max[i]) {
            return false;
        }
    }
    return true;
}

static int balance(const oracle_board *board) {
    static const int values[5] = {1, 3, 3, 5, 9};
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        sum += values[i] * (count_letter(board, letters[i]) - count_letter(board, letters[i + 5]));
    }
    return sum;
}

/* Is there a pawn with this letter on the file, beyond the rank in this direction? `from` is excluded; -1 or 8 is all. */
static bool pawn_on_file(const oracle_board *board, char pawn, int file, int from, int step) {
    for (int row = from + step; file >= 0 && file < 8 && row >= 0 && row < 8; row += step) {
        if (board->pieces[8 * row + file] == pawn) {
            return true;
        }
    }
    return false;
}

/* Is the pawn on this square passed, isolated, doubled? */
static bool pawn_is(const char *what, const oracle_board *board, int square) {
    const char own = board->pieces[square], enemy = own == 'P' ? 'p' : 'P';
    const int file = square % 8, row = square / 8, forward = own == 'P' ? -1 : 1;
    if (strcmp(what, "passed") == 0) {
        return !pawn_on_file(board, enemy, file, row, forward) && !pawn_on_file(board, enemy, file - 1, row, forward) &&
               !pawn_on_file(board, enemy, file + 1, row, forward);
    }
    if (strcmp(what, "isolated") == 0) {
        return !pawn_on_file(board, own, file - 1, -1, 1) && !pawn_on_file(board, own, file + 1, -1, 1);
    }
    return pawn_on_file(board, own, file, row, forward);
}

static bool pawn_counts_match(const slow_node *node, const oracle_board *board) {
    for (int color = 0; color < 2; color++) {
        int count = 0;
        for (int square = 0; square < 64; square++) {
            count += board->pieces[square] == (color == 0 ? 'P' : 'p') && pawn_is(node->name, board, square);
        }
        if (count < node->min[5 * color] || count > node->max[5 * color]) {
            return false;
        }
    }
    return true;
}

static bool opposite_bishops(const oracle_board *board) {
    int shade[2] = {0, 0};
    for (int square = 0; square < 64; square++) {
        const char piece = board->pieces[square];
        if (piece == 'B' || piece == 'b') {
            shade[piece == 'b'] = (square / 8 + square % 8) % 2;
        }
    }
    return count_letter(board, 'B') == 1 && count_letter(board, 'b') == 1 && shade[0] != shade[1];
}

/* Conditions on the board. */
static bool board_value(const slow_node *node, const oracle_board *board, bool is_over) {
    const char *name = node->name;
    const bool in_check = oracle_in_check(board, board->side);
    return strcmp(name, "board") == 0              ? board_matches(node, board, false)
           : strcmp(name, "pawns") == 0            ? board_matches(node, board, true)
           : strcmp(name, "position") == 0         ? same_position(&node->board, board)
           : strcmp(name, "material") == 0         ? material_matches(node, board)
           : strcmp(name, "imbalance") == 0        ? imbalance_matches(node, board)
           : strcmp(name, "balance") == 0          ? balance(board) >= node->from && balance(board) <= node->to
           : strcmp(name, "opposite-bishops") == 0 ? opposite_bishops(board)
           : strcmp(name, "turn") == 0             ? (board->side == LUFT_WHITE) == (strcmp(node->value, "white") == 0)
           : strcmp(name, "check") == 0            ? in_check
           : strcmp(name, "checkmate") == 0        ? in_check && is_over
           : strcmp(name, "stalemate") == 0        ? !in_check && is_over
                                                   : pawn_counts_match(node, board);
}

/* Conditions on the game. False if `name` is not one of them. */
static bool game_value(bool *value, const slow_node *node, const slow_game *game, int ply) {
    const char *name = node->name;
    const int from = node->from, to = node->to;
    if (strcmp(name, "player") == 0) {
        *value = strcmp(node->value, game->player[0]) == 0 || strcmp(node->value, game->player[1]) == 0;
    } else if (strcmp(name, "white") == 0 || strcmp(name, "black") == 0) {
        *value = strcmp(node->value, game->player[name[0] == 'b']) == 0;
    } else if (strcmp(name, "elo") == 0) {
        *value = game->elo[0] >= from && game->elo[1] >= from && game->elo[0] <= to && game->elo[1] <= to;
    } else if (strcmp(name, "white-elo") == 0 || strcmp(name, "black-elo") == 0) {
        *value = game->elo[name[0] == 'b'] >= from && game->elo[name[0] == 'b'] <= to;
    } else if (strcmp(name, "date") == 0) {
        *value = game->date / 10000 >= from && game->date / 10000 <= to;
    } else if (strcmp(name, "result") == 0) {
        *value = strcmp(luft_result_string(game->result), node->value) == 0;
    } else if (strcmp(name, "eco") == 0) {
        *value = strncmp(game->eco, node->value, strlen(node->value)) == 0;
    } else if (strcmp(name, "plies") == 0) {
        *value = game->count - 1 >= from && game->count - 1 <= to;
    } else if (strcmp(name, "ply") == 0) {
        *value = ply >= from && ply <= to;
    } else if (strcmp(name, "end") == 0) {
        *value = ply == game->count - 1;
    } else {
        return false;
    }
    return true;
}

static oracle_board turned_board(const oracle_board *board, bool flip) {
    oracle_board turned = *board;
    const int change = flip ? 56 : 7;
    for (int square = 0; square < 64; square++) {
        const char piece = board->pieces[square ^ change];
        turned.pieces[square] = !flip                           ? piece
                                : isupper((unsigned char)piece) ? (char)tolower((unsigned char)piece)
                                                                : (char)toupper((unsigned char)piece);
    }
    for (int i = 0; i < 4; i++) {
        const int rook = board->castling_rook[i / 2][i % 2];
        turned.castling_rook[flip ? 1 - i / 2 : i / 2][flip ? i % 2 : 1 - i % 2] =
            rook == ORACLE_NONE ? rook : rook ^ change;
    }
    turned.side = flip ? luft_opposite(board->side) : board->side;
    turned.ep_square = board->ep_square == ORACLE_NONE ? ORACLE_NONE : board->ep_square ^ change;
    return turned;
}

static slow_game *turned_game(const slow_game *game, bool flip) {
    slow_game *turned = malloc(sizeof *turned);
    assert_non_null(turned);
    *turned = *game;
    for (int i = 0; i < game->count; i++) {
        turned->boards[i] = turned_board(&game->boards[i], flip);
    }
    for (int side = 0; side < 2 && flip; side++) {
        turned->player[side] = game->player[1 - side];
        turned->elo[side] = game->elo[1 - side];
    }
    if (flip && game->result <= LUFT_RESULT_BLACK) {
        turned->result = game->result == LUFT_RESULT_WHITE ? LUFT_RESULT_BLACK : LUFT_RESULT_WHITE;
    }
    return turned;
}

static bool value_at(const slow_query *query, int index, const slow_game *game, int ply);

/* `flip` and `mirror`: the operand, or the operand on the turned game. */
static bool turned_value(const slow_query *query, int index, const slow_game *game, int ply, bool flip) {
    if (value_at(query, index, game, ply)) {
        return true;
    }
    slow_game *turned = turned_game(game, flip);
    const bool value = value_at(query, index, turned, ply);
    free(turned);
    return value;
}

/* Does the operand hold at `count` positions in a row, up to this one? At any of them, if `any`. */
static bool past_value(const slow_query *query, int index, const slow_game *game, int last, int count, bool any) {
    for (int ply = last; ply > last - count; ply--) {
        if (ply < 0) {
            return false;
        }
        if (value_at(query, index, game, ply) == any) {
            return any;
        }
    }
    return !any;
}

static bool value_at(const slow_query *query, int index, const slow_game *game, int ply) {
    const slow_node *node = &query->nodes[index];
    const char *name = node->name;
    const int left = node->left, right = node->right;
    bool value;
    if (left < 0) {
        return game_value(&value, node, game, ply) ? value : board_value(node, &game->boards[ply], game->is_over[ply]);
    }
    return strcmp(name, "and") == 0    ? value_at(query, left, game, ply) && value_at(query, right, game, ply)
           : strcmp(name, "or") == 0   ? value_at(query, left, game, ply) || value_at(query, right, game, ply)
           : strcmp(name, "not") == 0  ? !value_at(query, left, game, ply)
           : strcmp(name, "for") == 0  ? past_value(query, left, game, ply, node->from, false)
           : strcmp(name, "once") == 0 ? past_value(query, left, game, ply, ply + 1, true)
           : strcmp(name, "flip") == 0 ? turned_value(query, left, game, ply, true)
           : strcmp(name, "mirror") == 0
               ? turned_value(query, left, game, ply, false)
               : value_at(query, right, game, ply) && ply > 0 &&
                     past_value(query, left, game, ply - 1, node->to < ply ? node->to : ply, true); /* then */
}

bool slow_query_value(const slow_query *query, const slow_game *game, int ply) {
    return value_at(query, query->count - 1, game, ply);
}

/* --- Making ----------------------------------------------------------------- */

static void append(slow_query *query, const char *text) {
    const size_t length = strlen(query->text);
    assert_true(length + strlen(text) < sizeof query->text);
    memcpy(query->text + length, text, strlen(text) + 1);
}

/* A partial board that the board matches: squares left open, exact, or as loose as the letter allows. */
static void make_pattern(char *text, random_source *source, const oracle_board *board, bool pawns_only) {
    for (int square = 0; square < 64; square++) {
        const char piece = board->pieces[square];
        const bool is_pawn = piece == 'P' || piece == 'p';
        const int choice = random_below(source, 12);
        const char loose = piece == '.' ? '.' : isupper((unsigned char)piece) ? 'A' : 'a';
        char letter = '?';
        if (choice == 0) {
            letter = pawns_only && !is_pawn ? '.' : piece;
        } else if (choice == 1 && !pawns_only) {
            letter = random_below(source, 2) == 0 && piece != '.' ? '*' : loose;
        }
        *text++ = letter == '.' && random_below(source, 2) == 0 ? '1' : letter;
        if (square % 8 == 7 && square < 63) {
            *text++ = '/';
        }
    }
    *text = '\0';
}

/* Empties the ranks whose squares are all open. */
static void shorten_pattern(char *text) {
    static const char open_rank[8] = {'?', '?', '?', '?', '?', '?', '?', '?'};
    char *rank = text;
    while (rank) {
        if (strncmp(rank, open_rank, 8) == 0) {
            memmove(rank, rank + 8, strlen(rank + 8) + 1);
        }
        rank = strchr(rank, '/');
        rank = rank ? rank + 1 : NULL;
    }
}

/* Ranges around the counts of a board, written with letters, numbers, dots and stars. */
static void make_material(slow_node *node, random_source *source, const oracle_board *board) {
    char *text = node->value;
    for (int i = 0; i < 10; i++) {
        const int count = count_letter(board, letters[i]);
        text += i % 5 == 0 ? sprintf(text, "%c", i == 0 ? 'K' : 'k') : 0;
        node->min[i] = node->max[i] = count;
        switch (random_below(source, 4)) {
        case 0:
            for (int times = 0; times < count; times++) {
                *text++ = letters[i];
            }
            break;
        case 1: text += sprintf(text, "%c%d", letters[i], count); break;
        case 2:
            node->max[i] = 15;
            text += sprintf(text, "%c%d..", letters[i], count);
            break;
        default:
            node->min[i] = 0;
            node->max[i] = random_below(source, 2) == 0 ? 15 : count + 1;
            text +=
                node->max[i] == 15 ? sprintf(text, "%c*", letters[i]) : sprintf(text, "%c0..%d", letters[i], count + 1);
        }
    }
    *text = '\0';
}

static void make_imbalance(slow_node *node, random_source *source, const oracle_board *board) {
    char *text = node->value;
    text += sprintf(text, "P0");
    for (int i = 0; i < 5; i++) {
        const int difference = count_letter(board, letters[i]) - count_letter(board, letters[i + 5]);
        const char letter = letters[difference < 0 ? i + 5 : i];
        node->min[i] = node->max[i] = difference;
        if (random_below(source, 3) == 0) {
            node->min[i] = -15;
            node->max[i] = 15;
            text += sprintf(text, "%c*", letter);
        } else if (difference != 0) {
            text += sprintf(text, "%c%d", letter, abs(difference));
        }
    }
}

static void make_pawn_counts(slow_node *node, random_source *source) {
    const int color = random_below(source, 2);
    node->max[0] = node->max[5] = 15;
    node->min[5 * color] = random_below(source, 3);
    sprintf(node->value, "%c%d..", color == 0 ? 'P' : 'p', node->min[5 * color]);
}

/* A range around a number, written in one of the four ways. */
static void make_range(slow_node *node, random_source *source, int number) {
    node->from = number - random_below(source, 10);
    node->to = number + random_below(source, 10);
    switch (random_below(source, 4)) {
    case 0:
        node->from = node->to = number;
        sprintf(node->value, "%d", number);
        break;
    case 1:
        node->to = 999999;
        sprintf(node->value, "%d..", node->from);
        break;
    case 2:
        node->from = -999999;
        sprintf(node->value, "..%d", node->to);
        break;
    default: sprintf(node->value, "%d..%d", node->from, node->to);
    }
}

static void make_position(slow_node *node, const oracle_board *board) {
    char fen[LUFT_FEN_SIZE];
    node->board = *board;
    oracle_to_fen(fen, board);
    sprintf(node->value, "\"%s\"", fen);
}

static const char *const leaf_names[] = {
    "board",  "board",   "pawns",    "position", "material", "material",  "imbalance", "balance",
    "passed", "doubled", "isolated", "turn",     "check",    "checkmate", "stalemate", "opposite-bishops",
    "end",    "ply",     "player",   "white",    "black",    "elo",       "white-elo", "black-elo",
    "date",   "result",  "eco",      "plies",
};

/* The value of a condition, chosen so that it holds at this position or nearly so. */
static void make_value(slow_node *node, random_source *source, const slow_game *game, int ply) {
    const char *name = node->name;
    const oracle_board *board = &game->boards[ply];
    if (strcmp(name, "board") == 0 || strcmp(name, "pawns") == 0) {
        make_pattern(node->value, source, board, name[0] == 'p');
        shorten_pattern(node->value);
    } else if (strcmp(name, "position") == 0) {
        make_position(node, board);
    } else if (strcmp(name, "material") == 0) {
        make_material(node, source, board);
    } else if (strcmp(name, "imbalance") == 0) {
        make_imbalance(node, source, board);
    } else if (strcmp(name, "balance") == 0) {
        make_range(node, source, balance(board));
    } else if (strcmp(name, "passed") == 0 || strcmp(name, "doubled") == 0 || strcmp(name, "isolated") == 0) {
        make_pawn_counts(node, source);
    } else if (strcmp(name, "turn") == 0) {
        strcpy(node->value, random_below(source, 2) == 0 ? "white" : "black");
    } else if (strcmp(name, "ply") == 0) {
        make_range(node, source, ply);
    } else if (strcmp(name, "plies") == 0) {
        make_range(node, source, game->count - 1);
    } else if (strcmp(name, "player") == 0 || strcmp(name, "white") == 0 || strcmp(name, "black") == 0) {
        strcpy(node->value, game->player[random_below(source, 2)]);
    } else if (strstr(name, "elo")) {
        make_range(node, source, game->elo[random_below(source, 2)]);
    } else if (strcmp(name, "date") == 0) {
        node->from = node->to = game->date / 10000 + random_below(source, 2);
        sprintf(node->value, "%04d", node->from);
    } else if (strcmp(name, "result") == 0) {
        strcpy(node->value, luft_result_string((luft_result)(LUFT_RESULT_WHITE + random_below(source, 3))));
    } else if (strcmp(name, "eco") == 0) {
        sprintf(node->value, "%.*s", 1 + random_below(source, 3), game->eco);
    }
}

static int add(slow_query *query, const slow_node *node) {
    assert_true(query->count < SLOW_NODES_MAX);
    query->nodes[query->count] = *node;
    return query->count++;
}

static int make_node(slow_query *query, random_source *source, const slow_game *game, int depth);

static int make_leaf(slow_query *query, random_source *source, const slow_game *game) {
    slow_node node = {.left = -1, .right = -1};
    node.name = leaf_names[random_below(source, sizeof leaf_names / sizeof leaf_names[0])];
    make_value(&node, source, game, random_below(source, game->count));
    append(query, node.name);
    append(query, " ");
    append(query, node.value);
    return add(query, &node);
}

/* Operands are in parentheses, so that the text does not depend on precedence. */
static int make_operand(slow_query *query, random_source *source, const slow_game *game, int depth) {
    append(query, "(");
    const int index = make_node(query, source, game, depth - 1);
    append(query, ")");
    return index;
}

static int make_node(slow_query *query, random_source *source, const slow_game *game, int depth) {
    static const char *const unary[] = {"not", "once", "flip", "mirror", "for"};
    static const char *const binary[] = {"and", "or", "then", "then", "and"};
    slow_node node = {.left = -1, .right = -1};
    char number[40];
    if (depth == 0 || random_below(source, 5) == 0) {
        return make_leaf(query, source, game);
    }
    if (random_below(source, 2) == 0) {
        node.name = unary[random_below(source, 5)];
        const bool is_for = strcmp(node.name, "for") == 0;
        append(query, is_for ? "" : node.name);
        node.left = make_operand(query, source, game, depth);
        if (is_for) {
            node.from = 1 + random_below(source, 6);
            sprintf(number, "for %d", node.from);
            append(query, number);
        }
        return add(query, &node);
    }
    node.name = binary[random_below(source, 5)];
    node.left = make_operand(query, source, game, depth);
    append(query, node.name);
    node.to = 1000;
    if (strcmp(node.name, "then") == 0 && random_below(source, 2) == 0) {
        node.to = 1 + random_below(source, 20);
        sprintf(number, " within %d", node.to);
        append(query, number);
    }
    node.right = make_operand(query, source, game, depth);
    return add(query, &node);
}

void slow_query_make(slow_query *query, random_source *source, const slow_game *game, int depth) {
    query->count = 0;
    query->text[0] = '\0';
    make_node(query, source, game, depth);
}
