/* SPDX-License-Identifier: MIT */
/*
 * The solver of endings.h. An ending is an array over the squares of its pieces and the side to move. Pawns come first, then
 * the white king; the first piece stands on the a- to d-file, by reflection. Pawn moves, captures and promotions lead to
 * solved positions, so the array is solved in slices: one for each placement of the pawns, the most advanced first.
 */
#include "support/endings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN = 0, DISTANCE_MAX = 100, KINDS = 16, NO_SQUARE = -1 };

/* An ending with both sides to move. */
typedef struct ending {
    int count;
    int pawn_count;
    luft_piece pieces[ENDING_PIECES_MAX];
    size_t size; /* positions for one side to move */
    int8_t *values[2];
} ending;

/* What pieces can do on an empty board, found by stepping from square to square. A set has bit n for square n. */
typedef struct geometry {
    int8_t next[16][64];      /* by step: the square it leads to, NO_SQUARE off the board */
    uint64_t reach[16][64];   /* by piece: the squares it attacks */
    uint64_t between[64][64]; /* the squares between two of a rank, file or diagonal */
} geometry;

struct ending_solver {
    ending *endings[KINDS][KINDS]; /* by the two pieces beside the kings, the larger number first; 0 for none */
    geometry geometry;
};

static int file_of(int square) {
    return square & 7;
}

static int rank_of(int square) {
    return 7 - (square >> 3);
}

static int type_of(int piece) {
    return piece & 7;
}

static int color_of(int piece) {
    return piece >> 3;
}

static uint64_t bit_of(int square) {
    return 1ull << square;
}

/* The square some files and ranks away, NO_SQUARE off the board. */
static int step(int square, int files, int ranks) {
    const int file = file_of(square) + files, rank = rank_of(square) + ranks;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? NO_SQUARE : (7 - rank) * 8 + file;
}

static const int8_t steps[16][2] = {
    {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1},   {-1, 1},  {-1, -1}, {1, -1}, /* king and queen; rook, then bishop */
    {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1},  {-1, 2},
};

/* Which steps a piece takes, and whether it slides. */
static void steps_of(int type, int *first, int *end, bool *slides) {
    *first = type == LUFT_BISHOP ? 4 : type == LUFT_KNIGHT ? 8 : 0;
    *end = type == LUFT_ROOK ? 4 : type == LUFT_KNIGHT ? 16 : 8;
    *slides = type == LUFT_BISHOP || type == LUFT_ROOK || type == LUFT_QUEEN;
}

static uint64_t reach_of(const geometry *shapes, int piece, int square) {
    int first, end;
    bool slides;
    uint64_t reach = 0;
    steps_of(type_of(piece), &first, &end, &slides);
    for (int i = first; i < end; i++) {
        const bool is_forward = steps[i][1] == (color_of(piece) == LUFT_WHITE ? 1 : -1);
        if (type_of(piece) == LUFT_PAWN && (steps[i][0] == 0 || !is_forward)) {
            continue;
        }
        for (int at = shapes->next[i][square]; at != NO_SQUARE; at = slides ? shapes->next[i][at] : NO_SQUARE) {
            reach |= bit_of(at);
        }
    }
    return reach;
}

static void init_geometry(geometry *shapes) {
    for (int square = 0; square < 64; square++) {
        for (int i = 0; i < 16; i++) {
            shapes->next[i][square] = (int8_t)step(square, steps[i][0], steps[i][1]);
        }
    }
    for (int square = 0; square < 64; square++) {
        for (int piece = 0; piece < 16; piece++) {
            shapes->reach[piece][square] =
                type_of(piece) >= LUFT_PAWN && type_of(piece) <= LUFT_KING ? reach_of(shapes, piece, square) : 0;
        }
        for (int i = 0; i < 8; i++) {
            uint64_t between = 0;
            for (int at = shapes->next[i][square]; at != NO_SQUARE; at = shapes->next[i][at]) {
                shapes->between[square][at] = between;
                between |= bit_of(at);
            }
        }
    }
}

static uint64_t occupied_of(const ending_position *position) {
    uint64_t occupied = 0;
    for (int i = 0; i < position->count; i++) {
        occupied |= bit_of(position->squares[i]);
    }
    return occupied;
}

/* The piece on a square, 0 for none. */
static int piece_on(const ending_position *position, int square) {
    for (int i = 0; i < position->count; i++) {
        if (position->squares[i] == square) {
            return position->pieces[i];
        }
    }
    return 0;
}

static bool is_attacked(const geometry *shapes, const ending_position *position, int square, int by) {
    const uint64_t occupied = occupied_of(position);
    for (int i = 0; i < position->count; i++) {
        const int from = position->squares[i], piece = position->pieces[i];
        if (color_of(piece) == by && (shapes->reach[piece][from] & bit_of(square)) &&
            !(shapes->between[from][square] & occupied)) {
            return true;
        }
    }
    return false;
}

static int king_square(const ending_position *position, int color) {
    int i = 0;
    while (position->pieces[i] != luft_make_piece((luft_color)color, LUFT_KING)) {
        i++;
    }
    return position->squares[i];
}

/* Do the pieces stand on different squares, pawns between, and the side not to move not in check? */
static bool is_legal(const geometry *shapes, const ending_position *position) {
    uint64_t occupied = 0;
    for (int i = 0; i < position->count; i++) {
        const int square = position->squares[i], rank = rank_of(square);
        if ((occupied & bit_of(square)) || (type_of(position->pieces[i]) == LUFT_PAWN && (rank == 0 || rank == 7))) {
            return false;
        }
        occupied |= bit_of(square);
    }
    return !is_attacked(shapes, position, king_square(position, position->side ^ 1), position->side);
}

/* --- Indices -------------------------------------------------------------------------- */

/* Squares in the order of the ending's pieces. */
static size_t index_of(const ending *table, const int *squares) {
    const int mirror = file_of(squares[0]) > 3 ? 7 : 0;
    const int first = squares[0] ^ mirror;
    size_t index = (size_t)((first >> 3) * 4 + (first & 3));
    for (int i = 1; i < table->count; i++) {
        index = index * 64 + (size_t)(squares[i] ^ mirror);
    }
    return index;
}

static void squares_of(const ending *table, size_t index, int *squares) {
    for (int i = table->count - 1; i > 0; i--) {
        squares[i] = (int)(index % 64);
        index /= 64;
    }
    squares[0] = (int)(index / 4 * 8 + index % 4);
}

static ending_position position_at(const ending *table, size_t index, int side) {
    ending_position position = {.count = table->count, .side = (luft_color)side};
    memcpy(position.pieces, table->pieces, sizeof position.pieces);
    squares_of(table, index, position.squares);
    return position;
}

/* --- Moves that change the ending or its slice ---------------------------------------------- */

/* What the moves of a position amount to. */
typedef struct move_summary {
    int quiet;   /* legal moves of pieces that are neither captures nor of pawns */
    int zeroing; /* legal captures and pawn moves */
    int best;    /* the best result of those: 1, 0 or -1 */
    bool in_check;
} move_summary;

static int sign_of(int value) {
    return (value > 0) - (value < 0);
}

static void add_zeroing(move_summary *summary, int value) {
    summary->best = summary->zeroing == 0 || value > summary->best ? value : summary->best;
    summary->zeroing++;
}

/* The position after a move of piece `i`; a piece on `captured` is removed, unless it is NO_SQUARE. */
static ending_position after(const ending_position *position, int i, int to, int captured, luft_piece becomes) {
    ending_position next = *position;
    next.squares[i] = to;
    next.pieces[i] = becomes;
    next.side = (luft_color)(position->side ^ 1);
    if (captured != NO_SQUARE) {
        for (int j = 0; j < next.count; j++) {
            if (j != i && next.squares[j] == captured) {
                next.count--;
                next.squares[j] = next.squares[next.count];
                next.pieces[j] = next.pieces[next.count];
                break;
            }
        }
    }
    return next;
}

/* Adds a pawn move, once for each promotion. */
static void add_pawn_move(move_summary *summary, ending_solver *solver, const ending_position *position, int i, int to,
                          int captured, bool is_double) {
    const bool promotes = rank_of(to) == 0 || rank_of(to) == 7;
    for (int type = promotes ? LUFT_KNIGHT : LUFT_PAWN; type <= (promotes ? LUFT_QUEEN : LUFT_PAWN); type++) {
        const ending_position next =
            after(position, i, to, captured, luft_make_piece(position->side, (luft_piece_type)type));
        bool unused;
        if (is_legal(&solver->geometry, &next)) {
            const int value =
                is_double ? ending_value_with_en_passant(solver, &next, to, &unused) : ending_value(solver, &next);
            add_zeroing(summary, -sign_of(value));
        }
    }
}

static void add_pawn_moves(move_summary *summary, ending_solver *solver, const ending_position *position, int i) {
    const int forward = position->side == LUFT_WHITE ? 1 : -1, from = position->squares[i];
    const int push = step(from, 0, forward);
    if (piece_on(position, push) == 0) {
        add_pawn_move(summary, solver, position, i, push, NO_SQUARE, false);
        const int twice = step(push, 0, forward);
        if (rank_of(from) == (position->side == LUFT_WHITE ? 1 : 6) && piece_on(position, twice) == 0) {
            add_pawn_move(summary, solver, position, i, twice, NO_SQUARE, true);
        }
    }
    for (int files = -1; files <= 1; files += 2) {
        const int to = step(from, files, forward);
        const int target = to == NO_SQUARE ? 0 : piece_on(position, to);
        if (target != 0 && color_of(target) != (int)position->side) {
            add_pawn_move(summary, solver, position, i, to, to, false);
        }
    }
}

static void add_piece_moves(move_summary *summary, ending_solver *solver, const ending_position *position, int i) {
    int first, end;
    bool slides;
    steps_of(type_of(position->pieces[i]), &first, &end, &slides);
    for (int direction = first; direction < end; direction++) {
        int to = position->squares[i];
        do {
            to = solver->geometry.next[direction][to];
            if (to == NO_SQUARE) {
                break;
            }
            const int target = piece_on(position, to);
            if (target != 0 && color_of(target) == (int)position->side) {
                break;
            }
            const ending_position next = after(position, i, to, target ? to : NO_SQUARE, position->pieces[i]);
            if (is_legal(&solver->geometry, &next)) {
                if (target) {
                    add_zeroing(summary, -sign_of(ending_value(solver, &next)));
                } else {
                    summary->quiet++;
                }
            }
            if (target) {
                break;
            }
        } while (slides);
    }
}

static move_summary summarise(ending_solver *solver, const ending_position *position) {
    move_summary summary = {.in_check = is_attacked(&solver->geometry, position, king_square(position, position->side),
                                                    position->side ^ 1)};
    for (int i = 0; i < position->count; i++) {
        if (color_of(position->pieces[i]) != (int)position->side) {
            continue;
        }
        if (type_of(position->pieces[i]) == LUFT_PAWN) {
            add_pawn_moves(&summary, solver, position, i);
        } else {
            add_piece_moves(&summary, solver, position, i);
        }
    }
    return summary;
}

/* --- Solving a slice ---------------------------------------------------------------------------- */

enum { NEVER_LOST = 255 }; /* in `left`: a capture or pawn move draws */

/* The positions whose values were found last. */
typedef struct frontier {
    uint32_t *items; /* twice the index, plus the side to move */
    size_t count, capacity;
} frontier;

static void add_item(frontier *list, size_t index, int side) {
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 1024;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        if (!list->items) {
            abort();
        }
    }
    list->items[list->count++] = (uint32_t)(2 * index + (size_t)side);
}

/* The state of a slice while it is solved: levels[0] are mates, levels[1] values of one ply. */
typedef struct slice {
    ending_solver *solver;
    ending *table;
    uint8_t *left[2]; /* quiet moves that are not yet known to lose */
    frontier levels[2];
} slice;

static void start_position(slice *work, size_t index, int side) {
    const ending_position position = position_at(work->table, index, side);
    int8_t *value = &work->table->values[side][index];
    if (!is_legal(&work->solver->geometry, &position)) {
        *value = ENDING_ILLEGAL;
        return;
    }
    const move_summary summary = summarise(work->solver, &position);
    work->left[side][index] = (uint8_t)summary.quiet;
    if (summary.quiet == 0 && summary.zeroing == 0) {
        if (summary.in_check) {
            *value = -1;
            add_item(&work->levels[0], index, side);
        } else {
            work->left[side][index] = NEVER_LOST;
        }
    } else if (summary.zeroing > 0 && summary.best > 0) {
        *value = 1;
        add_item(&work->levels[1], index, side);
    } else if (summary.zeroing > 0 && summary.best == 0) {
        work->left[side][index] = NEVER_LOST;
    } else if (summary.quiet == 0) {
        *value = -1;
        add_item(&work->levels[1], index, side);
    }
}

/* A position from which a move leads to one whose value is known: perhaps its value is now known, too. */
static void update_predecessor(slice *work, frontier *next, size_t index, int side, int value, int level) {
    int8_t *known = &work->table->values[side][index];
    uint8_t *left = &work->left[side][index];
    if (*known != UNKNOWN) {
        return;
    }
    if (value < 0) {
        *known = (int8_t)(level + 1);
        add_item(next, index, side);
    } else if (*left != NEVER_LOST && --*left == 0) {
        *known = (int8_t) - (level + 1);
        add_item(next, index, side);
    }
}

/* All positions from which the side that just moved can have come by a quiet move of a piece. */
static void update_predecessors(slice *work, frontier *next, uint32_t item, int level) {
    const int side = (int)(item & 1), moved = side ^ 1;
    const ending_position position = position_at(work->table, item / 2, side);
    const int value = work->table->values[side][item / 2];
    const uint64_t occupied = occupied_of(&position);
    for (int i = 0; i < position.count; i++) {
        int first, end;
        bool slides;
        if (color_of(position.pieces[i]) != moved || type_of(position.pieces[i]) == LUFT_PAWN) {
            continue;
        }
        steps_of(type_of(position.pieces[i]), &first, &end, &slides);
        for (int direction = first; direction < end; direction++) {
            int squares[ENDING_PIECES_MAX];
            memcpy(squares, position.squares, sizeof squares);
            do {
                squares[i] = work->solver->geometry.next[direction][squares[i]];
                if (squares[i] == NO_SQUARE || (occupied & bit_of(squares[i]))) {
                    break;
                }
                update_predecessor(work, next, index_of(work->table, squares), moved, value, level);
            } while (slides);
        }
    }
}

/* From the mates upward, one ply at a time: the first value found for a position is the right one. */
static void solve_levels(slice *work) {
    frontier found = {0};
    for (size_t i = 0; i < work->levels[0].count; i++) {
        update_predecessors(work, &work->levels[1], work->levels[0].items[i], 0);
    }
    for (int level = 1; work->levels[1].count > 0; level++) {
        if (level >= DISTANCE_MAX) {
            fputs("an ending takes longer than the fifty-move rule allows\n", stderr);
            abort();
        }
        found.count = 0;
        for (size_t i = 0; i < work->levels[1].count; i++) {
            update_predecessors(work, &found, work->levels[1].items[i], level);
        }
        const frontier done = work->levels[1];
        work->levels[1] = found;
        found = done;
    }
    work->levels[0].count = 0;
    free(found.items);
}

/* How far the pawns of a slice are from promotion, all together. */
static int pawn_distance(const ending *table, size_t pawns) {
    int squares[ENDING_PIECES_MAX] = {0}, sum = 0;
    size_t index = pawns;
    for (int i = table->pawn_count - 1; i > 0; i--) {
        squares[i] = (int)(index % 64);
        index /= 64;
    }
    squares[0] = (int)(index / 4 * 8 + index % 4);
    for (int i = 0; i < table->pawn_count; i++) {
        const int rank = rank_of(squares[i]);
        sum += color_of(table->pieces[i]) == LUFT_WHITE ? 7 - rank : rank;
    }
    return sum;
}

static void solve(ending_solver *solver, ending *table) {
    slice work = {.solver = solver, .table = table};
    size_t slices = table->pawn_count == 0 ? 1 : 32;
    for (int i = 1; i < table->pawn_count; i++) {
        slices *= 64;
    }
    const size_t positions = table->size / slices;
    for (int side = 0; side < 2; side++) {
        work.left[side] = malloc(table->size);
        if (!work.left[side]) {
            abort();
        }
    }
    for (int distance = 0; distance <= 14; distance++) {
        for (size_t pawns = 0; pawns < slices; pawns++) {
            if (table->pawn_count > 0 ? pawn_distance(table, pawns) != distance : distance != 0) {
                continue;
            }
            for (size_t i = pawns * positions; i < (pawns + 1) * positions; i++) {
                start_position(&work, i, LUFT_WHITE);
                start_position(&work, i, LUFT_BLACK);
            }
            solve_levels(&work);
        }
    }
    for (int i = 0; i < 2; i++) {
        free(work.left[i]);
        free(work.levels[i].items);
    }
}

/* --- Finding a value --------------------------------------------------------------------------------- */

/* The array of the ending with these two pieces beside the kings, 0 for none. Pawns first, then the white king. */
static ending *new_ending(int a, int b) {
    ending *table = malloc(sizeof *table);
    if (!table) {
        abort();
    }
    *table = (ending){.count = 0, .size = 32};
    const int pieces[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (type_of(pieces[i]) == LUFT_PAWN) {
            table->pieces[table->count++] = (luft_piece)pieces[i];
        }
    }
    table->pawn_count = table->count;
    table->pieces[table->count++] = LUFT_WHITE_KING;
    table->pieces[table->count++] = LUFT_BLACK_KING;
    for (int i = 0; i < 2; i++) {
        if (pieces[i] != 0 && type_of(pieces[i]) != LUFT_PAWN) {
            table->pieces[table->count++] = (luft_piece)pieces[i];
        }
    }
    for (int i = 1; i < table->count; i++) {
        table->size *= 64;
    }
    for (int side = 0; side < 2; side++) {
        table->values[side] = malloc(table->size);
        if (!table->values[side]) {
            abort();
        }
        memset(table->values[side], UNKNOWN, table->size);
    }
    return table;
}

/* Exchanges the colours if White has fewer pieces or weaker ones, so that one array serves both endings. */
static ending_position normalised(const ending_position *position) {
    int strength[2] = {0};
    for (int i = 0; i < position->count; i++) {
        if (type_of(position->pieces[i]) != LUFT_KING) {
            strength[color_of(position->pieces[i])] += 10 + type_of(position->pieces[i]);
        }
    }
    ending_position result = *position;
    if (strength[LUFT_BLACK] > strength[LUFT_WHITE]) {
        for (int i = 0; i < result.count; i++) {
            result.pieces[i] = (luft_piece)(result.pieces[i] ^ 8);
            result.squares[i] ^= 56;
        }
        result.side = (luft_color)(result.side ^ 1);
    }
    return result;
}

int ending_value(ending_solver *solver, const ending_position *position) {
    const ending_position normal = normalised(position);
    int others[2] = {0}, count = 0, squares[ENDING_PIECES_MAX];
    for (int i = 0; i < normal.count; i++) {
        if (type_of(normal.pieces[i]) != LUFT_KING) {
            others[count++] = normal.pieces[i];
        }
    }
    if (count == 0) {
        return is_legal(&solver->geometry, position) ? 0 : ENDING_ILLEGAL;
    }
    const int a = others[0] > others[1] ? others[0] : others[1], b = others[0] > others[1] ? others[1] : others[0];
    ending **table = &solver->endings[a][b];
    if (!*table) {
        *table = new_ending(a, b);
        solve(solver, *table);
    }
    bool is_used[ENDING_PIECES_MAX] = {false};
    for (int i = 0; i < normal.count; i++) {
        int j = 0;
        while (is_used[j] || normal.pieces[j] != (*table)->pieces[i]) {
            j++;
        }
        is_used[j] = true;
        squares[i] = normal.squares[j];
    }
    return (*table)->values[normal.side][index_of(*table, squares)];
}

int ending_value_with_en_passant(ending_solver *solver, const ending_position *position, int pushed,
                                 bool *is_possible) {
    const int value = ending_value(solver, position);
    const int behind = step(pushed, 0, position->side == LUFT_WHITE ? 1 : -1);
    int best = -1;
    *is_possible = false;
    for (int i = 0; i < position->count; i++) {
        const int square = position->squares[i];
        if (position->pieces[i] != luft_make_piece(position->side, LUFT_PAWN) || rank_of(square) != rank_of(pushed) ||
            abs(file_of(square) - file_of(pushed)) != 1) {
            continue;
        }
        const ending_position next = after(position, i, behind, pushed, position->pieces[i]);
        if (is_legal(&solver->geometry, &next)) {
            const int result = -sign_of(ending_value(solver, &next));
            best = !*is_possible || result > best ? result : best;
            *is_possible = true;
        }
    }
    if (!*is_possible) {
        return value;
    }
    const move_summary summary = summarise(solver, position);
    const bool is_forced = summary.quiet == 0 && summary.zeroing == 0;
    return is_forced || best > sign_of(value) ? best : best > 0 ? 1 : value;
}

ending_solver *ending_solver_create(void) {
    ending_solver *solver = malloc(sizeof *solver);
    if (!solver) {
        abort();
    }
    memset(solver, 0, sizeof *solver);
    init_geometry(&solver->geometry);
    return solver;
}

void ending_solver_free(ending_solver *solver) {
    for (int a = 0; solver && a < KINDS; a++) {
        for (int b = 0; b < KINDS; b++) {
            ending *table = solver->endings[a][b];
            if (table) {
                free(table->values[0]);
                free(table->values[1]);
                free(table);
            }
        }
    }
    free(solver);
}
