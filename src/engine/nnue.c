/* SPDX-License-Identifier: MIT */
/*
 * NNUE evaluation: accumulators on a stack, updated from ply to ply, and the output layer. nnue_vectors.h has the SIMD
 * operations, nnue_file.c the file.
 *
 * Nothing overflows. nnue_load refuses weights outside these bounds:
 *
 *   - an accumulator is a bias (at most 1,023) and the weights of at most 32 pieces (at most 992 each): within 32,767,
 *     so 16 bits hold it. During an update up to two more pieces are in the sum; there 16-bit arithmetic wraps around,
 *     and back again.
 *   - a neuron clipped to 0 … 255, times an output weight, at most 128: within 32,640, 16 bits again.
 *   - that times the neuron once more (squared clipped ReLU): within 8,323,200. 256 of these are within 2,130,739,200,
 *     so a block of 256 neurons is summed in 32 bits, in any order; the sums of the blocks are added in 64.
 */
#include "nnue.h"

#include "move.h"

#include "nnue_vectors.h"
#include "score.h"

#include "luft/movegen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, ALIGNMENT = 64 };

_Static_assert(32 * NNUE_WEIGHT_MAX + NNUE_BIAS_MAX <= INT16_MAX, "an accumulator fits in 16 bits");
_Static_assert(NNUE_QA *NNUE_OUTPUT_MAX <= INT16_MAX, "a neuron times a weight fits in 16 bits");
_Static_assert((int64_t)NNUE_QA *NNUE_QA *NNUE_OUTPUT_MAX *BLOCK <= INT32_MAX, "a block fits in 32 bits");
_Static_assert(NNUE_HIDDEN_STEP % VECTOR_LANES == 0 || 2 * NNUE_HIDDEN_STEP == VECTOR_LANES,
               "accumulators are made of whole vectors, and half a one");
_Static_assert(BLOCK % VECTOR_LANES == 0, "blocks are made of whole vectors");

/* A piece on a square. */
typedef struct placed_piece {
    uint8_t piece;  /* a luft_piece */
    uint8_t square; /* a luft_square */
} placed_piece;

/* The pieces that a move changes: none (null move), 1 removed and 1 added, 2 and 1 (capture), 2 and 2 (castling). */
typedef struct move_effect {
    int removed_count, added_count;
    placed_piece removed[2], added[2];
} move_effect;

/* One ply. */
typedef struct stack_entry {
    move_effect effect;      /* of the move that led here */
    bool ready[2];           /* by perspective: the accumulator is computed */
    bool needs_refresh[2];   /* the king changed its orientation: the accumulator of the ply before is of no use */
    int16_t *accumulator[2]; /* `hidden` numbers each */
} stack_entry;

/* Refresh table: the last board that was computed from scratch, as the start of the next refresh. */
typedef struct refresh_entry {
    luft_bitboard pieces[16]; /* by luft_piece */
    int16_t *accumulator;
} refresh_entry;

enum { ORIENTATIONS_MAX = 2 * NNUE_KING_BUCKETS_MAX };

struct nnue_stack {
    const nnue_network *network;
    stack_entry *entries;
    void *numbers;                            /* the memory of all accumulators */
    refresh_entry cache[2][ORIENTATIONS_MAX]; /* by perspective and orientation */
};

/* --- Vectors --------------------------------------------------------------------- */

/* to = from + a - b */
static void add_sub(int16_t *to, const int16_t *from, const int16_t *a, const int16_t *b, int hidden) {
    for (int i = 0; i < hidden; i += VECTOR_LANES) {
        const int lanes = vector_lanes(hidden - i);
        const vector sum = vector_add(vector_load_lanes(from + i, lanes), vector_load_lanes(a + i, lanes));
        vector_store_lanes(to + i, vector_sub(sum, vector_load_lanes(b + i, lanes)), lanes);
    }
}

/* to = from + a - b - c */
static void add_sub_sub(int16_t *to, const int16_t *from, const int16_t *a, const int16_t *b, const int16_t *c,
                        int hidden) {
    for (int i = 0; i < hidden; i += VECTOR_LANES) {
        const int lanes = vector_lanes(hidden - i);
        const vector sum = vector_add(vector_load_lanes(from + i, lanes), vector_load_lanes(a + i, lanes));
        vector_store_lanes(
            to + i, vector_sub(vector_sub(sum, vector_load_lanes(b + i, lanes)), vector_load_lanes(c + i, lanes)),
            lanes);
    }
}

/* to = from + a + b - c - d */
static void add_add_sub_sub(int16_t *to, const int16_t *from, const int16_t *a, const int16_t *b, const int16_t *c,
                            const int16_t *d, int hidden) {
    for (int i = 0; i < hidden; i += VECTOR_LANES) {
        const int lanes = vector_lanes(hidden - i);
        vector sum = vector_add(vector_load_lanes(from + i, lanes), vector_load_lanes(a + i, lanes));
        sum = vector_sub(vector_add(sum, vector_load_lanes(b + i, lanes)), vector_load_lanes(c + i, lanes));
        vector_store_lanes(to + i, vector_sub(sum, vector_load_lanes(d + i, lanes)), lanes);
    }
}

static void add_row(int16_t *accumulator, const int16_t *row, int hidden) {
    for (int i = 0; i < hidden; i += VECTOR_LANES) {
        const int lanes = vector_lanes(hidden - i);
        vector_store_lanes(accumulator + i,
                           vector_add(vector_load_lanes(accumulator + i, lanes), vector_load_lanes(row + i, lanes)),
                           lanes);
    }
}

static void sub_row(int16_t *accumulator, const int16_t *row, int hidden) {
    for (int i = 0; i < hidden; i += VECTOR_LANES) {
        const int lanes = vector_lanes(hidden - i);
        vector_store_lanes(accumulator + i,
                           vector_sub(vector_load_lanes(accumulator + i, lanes), vector_load_lanes(row + i, lanes)),
                           lanes);
    }
}

/* The output layer of one perspective: squared clipped ReLU of the neurons, times the weights. */
static int64_t weighted_squares(const int16_t *accumulator, const int16_t *weights, int hidden) {
    int64_t total = 0;
    for (int begin = 0; begin < hidden; begin += BLOCK) {
        const int end = begin + BLOCK < hidden ? begin + BLOCK : hidden;
        vector_sums sums = vector_no_sums();
        for (int i = begin; i < end; i += VECTOR_LANES) {
            const int lanes = vector_lanes(end - i);
            sums = vector_add_products(sums, vector_clip(vector_load_lanes(accumulator + i, lanes), NNUE_QA),
                                       vector_load_lanes(weights + i, lanes));
        }
        total += vector_total(sums);
    }
    return total;
}

/* --- Accumulators ------------------------------------------------------------------ */

static bool on_king_side(luft_square square) {
    return luft_file_of(square) >= 4;
}

/* Converts squares of luft_position to a perspective. */
static int flip_of(luft_color perspective, bool mirrored) {
    return (perspective == LUFT_WHITE ? 56 : 0) ^ (mirrored ? 7 : 0);
}

/* The orientation of a perspective, which its king decides: twice the king bucket, and 1 more if it is mirrored. */
static int orientation_by_king(const nnue_network *network, luft_color perspective, luft_square king) {
    const bool mirrored = network->shape.mirrored && on_king_side(king);
    const int bucket = nnue_king_bucket(network->shape.king_buckets, (int)king ^ flip_of(perspective, mirrored));
    return 2 * bucket + mirrored;
}

static int orientation_of(const nnue_network *network, const luft_board *board, luft_color perspective) {
    return orientation_by_king(network, perspective, luft_king_square(board, perspective));
}

static const int16_t *row_of(const nnue_network *network, luft_color perspective, int orientation, luft_piece piece,
                             luft_square square) {
    const int input = nnue_input(perspective, flip_of(perspective, orientation & 1), piece, square);
    return network->feature_weights + (size_t)(orientation / 2 * NNUE_INPUTS + input) * (size_t)network->shape.hidden;
}

/* Computes an accumulator from the refresh table: adds and removes the pieces that differ. */
static void refresh(nnue_stack *stack, int16_t *accumulator, const luft_board *board, luft_color perspective) {
    const nnue_network *network = stack->network;
    const int orientation = orientation_of(network, board, perspective);
    refresh_entry *cache = &stack->cache[perspective][orientation];
    for (int color = LUFT_WHITE; color <= LUFT_BLACK; color++) {
        for (int type = LUFT_PAWN; type <= LUFT_KING; type++) {
            const luft_piece piece = luft_make_piece((luft_color)color, (luft_piece_type)type);
            const luft_bitboard now = luft_pieces(board, (luft_color)color, (luft_piece_type)type);
            luft_bitboard added = now & ~cache->pieces[piece], removed = cache->pieces[piece] & ~now;
            cache->pieces[piece] = now;
            while (removed) {
                sub_row(cache->accumulator, row_of(network, perspective, orientation, piece, luft_pop(&removed)),
                        network->shape.hidden);
            }
            while (added) {
                add_row(cache->accumulator, row_of(network, perspective, orientation, piece, luft_pop(&added)),
                        network->shape.hidden);
            }
        }
    }
    memcpy(accumulator, cache->accumulator, (size_t)network->shape.hidden * sizeof *accumulator);
}

/* Updates the accumulator of `entry` from that of the ply before. */
static void update(const nnue_network *network, stack_entry *entry, luft_color perspective, int orientation) {
    const move_effect *effect = &entry->effect;
    const int16_t *from = entry[-1].accumulator[perspective];
    int16_t *to = entry->accumulator[perspective];
    const int16_t *added[2] = {NULL, NULL}, *removed[2] = {NULL, NULL};
    assert(effect->added_count >= 0 && effect->added_count <= effect->removed_count && effect->removed_count <= 2);
    for (int i = 0; i < effect->added_count; i++) {
        added[i] = row_of(network, perspective, orientation, (luft_piece)effect->added[i].piece,
                          (luft_square)effect->added[i].square);
    }
    for (int i = 0; i < effect->removed_count; i++) {
        removed[i] = row_of(network, perspective, orientation, (luft_piece)effect->removed[i].piece,
                            (luft_square)effect->removed[i].square);
    }
    if (effect->added_count == 0) {
        memcpy(to, from, (size_t)network->shape.hidden * sizeof *to);
    } else if (effect->removed_count == 1) {
        add_sub(to, from, added[0], removed[0], network->shape.hidden);
    } else if (effect->added_count == 1) {
        add_sub_sub(to, from, added[0], removed[0], removed[1], network->shape.hidden);
    } else {
        add_add_sub_sub(to, from, added[0], added[1], removed[0], removed[1], network->shape.hidden);
    }
}

/* Computes the accumulator of this ply: from the nearest ply before that is computed, unless it needs a refresh. */
static void prepare(nnue_stack *stack, int ply, const luft_board *board, luft_color perspective) {
    stack_entry *entries = stack->entries;
    int from = ply;
    while (from > 0 && !entries[from].ready[perspective] && !entries[from].needs_refresh[perspective]) {
        from--;
    }
    if (!entries[from].ready[perspective]) {
        refresh(stack, entries[ply].accumulator[perspective], board, perspective);
        entries[ply].ready[perspective] = true;
        return;
    }
    const int orientation = orientation_of(stack->network, board, perspective);
    while (from < ply) {
        from++;
        update(stack->network, &entries[from], perspective, orientation);
        entries[from].ready[perspective] = true;
    }
}

int nnue_evaluate(nnue_stack *stack, int ply, const luft_position *position) {
    const nnue_network *network = stack->network;
    const luft_color us = (luft_color)position->side_to_move, them = luft_opposite(us);
    prepare(stack, ply, &position->board, us);
    prepare(stack, ply, &position->board, them);
    const stack_entry *entry = &stack->entries[ply];
    const int bucket = nnue_bucket(network->shape.buckets, luft_popcount(luft_occupied(&position->board)));
    const int16_t *weights = network->output_weights + (size_t)bucket * 2 * (size_t)network->shape.hidden;
    int64_t sum = weighted_squares(entry->accumulator[us], weights, network->shape.hidden);
    sum += weighted_squares(entry->accumulator[them], weights + network->shape.hidden, network->shape.hidden);
    const int64_t output = sum / NNUE_QA + network->output_biases[bucket];
    const int64_t score = output * NNUE_SCALE / (NNUE_QA * network->qb);
    const int64_t bound = SCORE_EVAL_BOUND - 1;
    return (int)(score > bound ? bound : score < -bound ? -bound : score);
}

/* --- Moves ---------------------------------------------------------------------- */

static placed_piece placed(luft_color color, luft_piece_type type, luft_square square) {
    return (placed_piece){(uint8_t)luft_make_piece(color, type), (uint8_t)square};
}

static move_effect effect_of(const luft_position *before, luft_move move) {
    const luft_color us = (luft_color)before->side_to_move, them = luft_opposite(us);
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    move_effect effect = {.removed_count = 1, .added_count = 1};
    if (luft_move_kind_of(move) == LUFT_CASTLING) {
        const bool short_side = to > from; /* `to` is the square of the rook */
        const int rank = luft_rank_of(from);
        effect.removed_count = effect.added_count = 2;
        effect.removed[0] = placed(us, LUFT_KING, from);
        effect.removed[1] = placed(us, LUFT_ROOK, to);
        effect.added[0] = placed(us, LUFT_KING, luft_square_at(short_side ? 6 : 2, rank));
        effect.added[1] = placed(us, LUFT_ROOK, luft_square_at(short_side ? 5 : 3, rank));
        return effect;
    }
    const luft_piece piece = piece_on(&before->board, from);
    effect.removed[0] = (placed_piece){(uint8_t)piece, (uint8_t)from};
    effect.added[0] = (placed_piece){(uint8_t)piece, (uint8_t)to};
    if (luft_move_is_promotion(move)) {
        effect.added[0] = placed(us, luft_move_promotion(move), to);
    }
    if (luft_move_is_capture(move)) {
        effect.removed_count = 2;
        effect.removed[1] = luft_move_kind_of(move) == LUFT_EN_PASSANT
                                ? placed(them, LUFT_PAWN, (luft_square)(to ^ 8))
                                : (placed_piece){(uint8_t)piece_on(&before->board, to), (uint8_t)to};
    }
    return effect;
}

void nnue_push(nnue_stack *stack, int ply, const luft_position *before, luft_move move) {
    stack_entry *next = &stack->entries[ply + 1];
    const luft_color us = (luft_color)before->side_to_move;
    next->effect = effect_of(before, move);
    next->ready[LUFT_WHITE] = next->ready[LUFT_BLACK] = false;
    next->needs_refresh[luft_opposite(us)] = false;
    /* Of castling the king comes first. */
    const bool king_moves = luft_piece_type_of((luft_piece)next->effect.added[0].piece) == LUFT_KING;
    next->needs_refresh[us] =
        king_moves && orientation_by_king(stack->network, us, (luft_square)next->effect.removed[0].square) !=
                          orientation_by_king(stack->network, us, (luft_square)next->effect.added[0].square);
}

void nnue_push_null(nnue_stack *stack, int ply) {
    stack_entry *next = &stack->entries[ply + 1];
    next->effect = (move_effect){0};
    next->ready[LUFT_WHITE] = next->ready[LUFT_BLACK] = false;
    next->needs_refresh[LUFT_WHITE] = next->needs_refresh[LUFT_BLACK] = false;
}

/* Not lazy: all plies that follow are updated from it. */
void nnue_set_root(nnue_stack *stack, const luft_position *root) {
    for (int perspective = LUFT_WHITE; perspective <= LUFT_BLACK; perspective++) {
        refresh(stack, stack->entries[0].accumulator[perspective], &root->board, (luft_color)perspective);
        stack->entries[0].ready[perspective] = true;
        stack->entries[0].needs_refresh[perspective] = false;
    }
}

nnue_stack *nnue_stack_create(const nnue_network *network, int plies) {
    const int orientations = 2 * network->shape.king_buckets;
    const size_t hidden = (size_t)network->shape.hidden, count = 2 * (size_t)(plies + orientations);
    nnue_stack *stack = malloc(sizeof *stack);
    stack_entry *entries = malloc((size_t)plies * sizeof *entries);
    void *numbers = malloc(count * hidden * sizeof(int16_t) + ALIGNMENT);
    if (!stack || !entries || !numbers) {
        free(stack);
        free(entries);
        free(numbers);
        return NULL;
    }
    /* The allocation is one alignment unit larger than the numbers. */
    int16_t *next = (int16_t *)(void *)((char *)numbers + (ALIGNMENT - (uintptr_t)numbers % ALIGNMENT));
    *stack = (nnue_stack){.network = network, .entries = entries, .numbers = numbers};
    for (int i = 0; i < plies; i++) {
        entries[i] = (stack_entry){.accumulator = {next, next + hidden}};
        next += 2 * hidden;
    }
    for (int i = 0; i < 2 * orientations; i++, next += hidden) {
        /* The biases: an empty board. */
        stack->cache[i % 2][i / 2].accumulator = next;
        memcpy(next, network->feature_biases, hidden * sizeof *next);
    }
    return stack;
}

void nnue_stack_free(nnue_stack *stack) {
    if (stack) {
        free(stack->entries);
        free(stack->numbers);
        free(stack);
    }
}
