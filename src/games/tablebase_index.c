/* SPDX-License-Identifier: MIT */
/*
 * From a position to its index. The board is reflected until the first piece stands in a small region: with pawns the
 * leading pawn on the a- to d-file, without pawns the first piece in the triangle a1-d1-d4. Groups of pieces then become
 * numbers, and the index is their sum, each times its factor:
 *
 * - without pawns, the first group is three different pieces, or the two kings if no other piece is single;
 * - with pawns, the first group is the pawns of one side and the second those of the other side;
 * - every other group is the equal pieces of one kind, as a combination of the squares that are still free.
 *
 * Squares are numbered from A1 = 0: the file is s % 8, the rank s / 8.
 */
#include "games/tablebase_internal.h"

#include <string.h>

enum {
    TRIPLES_OFF = 6 * 63 * 62,                   /* the first of three pieces is off the diagonal */
    TRIPLES_SECOND = TRIPLES_OFF + 4 * 28 * 62,  /* the second is the first one off it */
    TRIPLES_THIRD = TRIPLES_SECOND + 4 * 7 * 28, /* the third is */
    TRIPLES = TRIPLES_THIRD + 4 * 7 * 6,         /* all three on it */
    KING_PAIRS = 462,
    PAWN_SQUARES = 48
};

static int file_of(int square) {
    return square & 7;
}

static int rank_of(int square) {
    return square >> 3;
}

/* Above 0 below the diagonal a1-h8, 0 on it, below 0 above it. */
static int off_diagonal(int square) {
    return file_of(square) - rank_of(square);
}

/* --- The numbers ---------------------------------------------------------------- */

static void init_binomials(table_numbers *numbers) {
    for (int n = 0; n < 64; n++) {
        numbers->binomial[0][n] = 1;
        for (int k = 1; k < PIECES_MAX; k++) {
            numbers->binomial[k][n] = n == 0 ? 0 : numbers->binomial[k][n - 1] + numbers->binomial[k - 1][n - 1];
        }
    }
}

static void init_triangle(table_numbers *numbers) {
    uint8_t below = 0, off = 0, on = 6;
    for (int square = 0; square < 64; square++) {
        const bool in_region = file_of(square) < 4 && rank_of(square) < 4;
        if (off_diagonal(square) > 0) {
            numbers->below[square] = below++;
            numbers->below[rank_of(square) + 8 * file_of(square)] = numbers->below[square];
        }
        if (in_region && off_diagonal(square) >= 0) {
            numbers->triangle[square] = off_diagonal(square) > 0 ? off++ : on++;
        }
    }
}

static bool are_adjacent(int a, int b) {
    const int files = file_of(a) - file_of(b), ranks = rank_of(a) - rank_of(b);
    return files * files <= 1 && ranks * ranks <= 1;
}

/*
 * Pairs of kings that do not touch, in the order of the triangle. With the first on the diagonal the second is not above
 * it. Pairs with both on the diagonal come last.
 */
static void init_kings(table_numbers *numbers) {
    uint16_t next = 0;
    for (int both_on = 0; both_on < 2; both_on++) {
        for (int number = 0; number < 10; number++) {
            int first = 0;
            while (numbers->triangle[first] != number || file_of(first) > 3 || rank_of(first) > file_of(first)) {
                first++;
            }
            for (int second = 0; second < 64; second++) {
                const bool on = off_diagonal(first) == 0 && off_diagonal(second) == 0;
                const bool is_reflection = off_diagonal(first) == 0 && off_diagonal(second) < 0;
                if (!are_adjacent(first, second) && !is_reflection && on == (both_on != 0)) {
                    numbers->kings[number][second] = next++;
                }
            }
        }
    }
}

static void init_pawns(table_numbers *numbers) {
    for (int square = 8; square < 56; square++) {
        const bool is_right = file_of(square) > 3;
        const int file = is_right ? 7 - file_of(square) : file_of(square);
        numbers->pawn_order[square] = (uint8_t)(PAWN_SQUARES - 1 - 2 * (6 * file + rank_of(square) - 1) - is_right);
    }
    /* The other leading pawns stand on squares of a lower order than the first. */
    for (int count = 1; count < PIECES_MAX - 1; count++) {
        for (int file = 0; file < PAWN_FILES; file++) {
            uint32_t next = 0;
            for (int rank = 1; rank < 7; rank++) {
                const int square = file + 8 * rank;
                numbers->lead_pawns[count][square] = next;
                next += numbers->binomial[count - 1][numbers->pawn_order[square]];
            }
            numbers->lead_pawns_size[count][file] = next;
        }
    }
}

void luft_table_numbers_init(table_numbers *numbers) {
    memset(numbers, 0, sizeof *numbers);
    init_binomials(numbers);
    init_triangle(numbers);
    init_kings(numbers);
    init_pawns(numbers);
}

/* --- The factors of a header ------------------------------------------------------ */

static bool is_pawn(int piece) {
    return (piece & 7) == LUFT_PAWN;
}

/* How many indices a group has by itself. `free` counts the squares that the groups before it leave. */
static uint64_t group_indices(const table_pairs *pairs, const table_numbers *numbers, int group, int file, int free) {
    const int size = pairs->group_size[group];
    const bool has_pawns = is_pawn(pairs->pieces[0]);
    if (group == 0) {
        return has_pawns ? numbers->lead_pawns_size[size][file] : size == 3 ? TRIPLES : KING_PAIRS;
    }
    if (group == 1 && has_pawns && is_pawn(pairs->pieces[pairs->group_size[0]])) {
        free = PAWN_SQUARES - pairs->group_size[0];
    }
    return numbers->binomial[size][free];
}

/*
 * The header tells at which place of the order the first group comes and, with pawns of both sides, the second; the
 * others keep their order. A group has as its factor the product of the indices of the groups before it.
 */
bool luft_table_compute_factors(table_pairs *pairs, const table_numbers *numbers, const int order[2], int file) {
    const bool two_leading = order[1] >= 0;
    if (order[0] >= pairs->group_count || (two_leading && (order[1] >= pairs->group_count || order[1] == order[0]))) {
        return false;
    }
    int free = 64 - pairs->group_size[0] - (two_leading ? pairs->group_size[1] : 0);
    int next = two_leading ? 2 : 1;
    uint64_t product = 1;
    for (int place = 0; place < pairs->group_count; place++) {
        const int group = place == order[0] ? 0 : place == order[1] ? 1 : next;
        pairs->factor[group] = product;
        product *= group_indices(pairs, numbers, group, file, free);
        if (group == next) {
            free -= pairs->group_size[next];
            next++;
        }
    }
    pairs->index_count = product;
    return true;
}

/* --- The index of a position --------------------------------------------------------- */

/* The number of a square from A1 = 0, with the ranks reflected if the colours are exchanged. */
static int number_of(luft_square square, bool is_swapped) {
    return is_swapped ? (int)square : luft_square_to_a1(square);
}

static luft_bitboard set_of(const luft_board *board, int piece, bool is_swapped) {
    return luft_pieces(board, (luft_color)((piece >> 3) ^ (int)is_swapped), (luft_piece_type)(piece & 7));
}

int luft_table_lead_file(const table_layout *layout, const table_numbers *numbers, const luft_board *board,
                         bool is_swapped) {
    if (!layout->has_pawns) {
        return 0;
    }
    luft_bitboard pawns = set_of(board, layout->pairs[0][0].pieces[0], is_swapped);
    int first = number_of(luft_pop(&pawns), is_swapped);
    while (pawns) {
        const int square = number_of(luft_pop(&pawns), is_swapped);
        first = numbers->pawn_order[square] > numbers->pawn_order[first] ? square : first;
    }
    return file_of(first) > 3 ? 7 - file_of(first) : file_of(first);
}

/* Sorts the few squares of a group by a key of each square, the lowest first. */
static void sort_squares(int *squares, int count, const uint8_t *key) {
    for (int i = 1; i < count; i++) {
        const int square = squares[i];
        int j = i;
        for (; j > 0 && (key ? key[squares[j - 1]] > key[square] : squares[j - 1] > square); j--) {
            squares[j] = squares[j - 1];
        }
        squares[j] = square;
    }
}

static void reflect(int *squares, int count, int mask) {
    for (int i = 0; i < count; i++) {
        squares[i] ^= mask;
    }
}

/* The leading pawn is first in pawn_order, the others follow from the lowest to the highest. */
static uint64_t index_lead_pawns(int *squares, int all, int count, const table_numbers *numbers) {
    for (int i = 1; i < count; i++) {
        if (numbers->pawn_order[squares[i]] > numbers->pawn_order[squares[0]]) {
            const int square = squares[0];
            squares[0] = squares[i];
            squares[i] = square;
        }
    }
    if (file_of(squares[0]) > 3) {
        reflect(squares, all, 7);
    }
    sort_squares(squares + 1, count - 1, numbers->pawn_order);
    uint64_t index = numbers->lead_pawns[count][squares[0]];
    for (int i = 1; i < count; i++) {
        index += numbers->binomial[i][numbers->pawn_order[squares[i]]];
    }
    return index;
}

/* Moves the first piece into the triangle, and the first piece off the diagonal below it. */
static void reflect_into_triangle(int *squares, int all, int count) {
    reflect(squares, all, (file_of(squares[0]) > 3 ? 7 : 0) | (rank_of(squares[0]) > 3 ? 56 : 0));
    int i = 0;
    while (i < count - 1 && off_diagonal(squares[i]) == 0) {
        i++;
    }
    if (off_diagonal(squares[i]) < 0) {
        for (int j = 0; j < all; j++) {
            squares[j] = rank_of(squares[j]) + 8 * file_of(squares[j]);
        }
    }
}

/* Three different pieces. Squares and diagonals that earlier pieces occupy are left out of the count. */
static uint64_t index_three(const int *squares, const table_numbers *numbers) {
    const int a = squares[0], b = squares[1], c = squares[2];
    const int skip_b = b > a, skip_c = (c > a) + (c > b);
    if (off_diagonal(a) != 0) {
        return (uint64_t)((numbers->triangle[a] * 63 + b - skip_b) * 62 + c - skip_c);
    }
    if (off_diagonal(b) != 0) {
        return (uint64_t)(TRIPLES_OFF + (rank_of(a) * 28 + numbers->below[b]) * 62 + c - skip_c);
    }
    if (off_diagonal(c) != 0) {
        return (uint64_t)(TRIPLES_SECOND + (rank_of(a) * 7 + rank_of(b) - skip_b) * 28 + numbers->below[c]);
    }
    return (uint64_t)(TRIPLES_THIRD + (rank_of(a) * 7 + rank_of(b) - skip_b) * 6 + rank_of(c) - skip_c);
}

/* Equal pieces as a combination of the squares that those before them leave free. */
static uint64_t index_group(int *squares, int before, int count, bool are_pawns, const table_numbers *numbers) {
    int *group = squares + before;
    uint64_t index = 0;
    sort_squares(group, count, NULL);
    for (int i = 0; i < count; i++) {
        int place = group[i] - (are_pawns ? 8 : 0);
        for (int j = 0; j < before; j++) {
            place -= squares[j] < group[i];
        }
        index += numbers->binomial[i + 1][place];
    }
    return index;
}

uint64_t luft_table_index(const table_layout *layout, const table_pairs *pairs, const table_numbers *numbers,
                          const luft_board *board, bool is_swapped) {
    int squares[PIECES_MAX];
    int all = 0;
    for (int group = 0, piece = 0; group < pairs->group_count; group++) {
        for (int end = piece + pairs->group_size[group]; piece < end;) {
            luft_bitboard set = set_of(board, pairs->pieces[piece], is_swapped);
            while (set && piece < end) {
                squares[all++] = number_of(luft_pop(&set), is_swapped);
                piece++;
            }
        }
    }
    const int lead = pairs->group_size[0];
    uint64_t index;
    if (layout->has_pawns) {
        index = index_lead_pawns(squares, all, lead, numbers);
    } else {
        reflect_into_triangle(squares, all, lead);
        index = lead == 3 ? index_three(squares, numbers) : numbers->kings[numbers->triangle[squares[0]]][squares[1]];
    }
    index *= pairs->factor[0];
    for (int group = 1, before = lead; group < pairs->group_count; group++) {
        const bool are_pawns = is_pawn(pairs->pieces[before]);
        const int count = pairs->group_size[group];
        index += index_group(squares, before, count, are_pawns, numbers) * pairs->factor[group];
        before += count;
    }
    return index;
}
