/* SPDX-License-Identifier: MIT */
/*
 * Evaluation by a network: accumulators on a stack, changed from ply to ply, and
 * the output from them. The vectors are in nnue_vectors.h, the file in nnue_file.c.
 *
 * Nothing overflows. nnue_load refuses weights outside these bounds:
 *
 *   - a view is a bias (at most 1,023) and the weights of at most 32 men (at most 992 each): within 32,767,
 *     so 16 bits hold it. While a move is made up to two more men are in the sum; there the arithmetic
 *     of 16 bits wraps around, and back again.
 *   - a neuron clipped to 0 … 255, times a weight of the output, at most 128: within 32,640, 16 bits again.
 *   - that times the neuron once more: within 8,323,200. 256 of these are within 2,130,739,200, so a block of 256
 *     neurons is summed in 32 bits, in whatever order; the sums of the blocks are added in 64.
 */
#include "nnue.h"

#include "nnue_vectors.h"
#include "score.h"

#include "luft/movegen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, ALIGNMENT = 64 };

_Static_assert(32 * NNUE_WEIGHT_MAX + NNUE_BIAS_MAX <= INT16_MAX, "a view fits in 16 bits");
_Static_assert(NNUE_QA *NNUE_OUTPUT_MAX <= INT16_MAX, "a neuron times a weight fits in 16 bits");
_Static_assert((int64_t)NNUE_QA *NNUE_QA *NNUE_OUTPUT_MAX *BLOCK <= INT32_MAX, "a block fits in 32 bits");
_Static_assert(NNUE_HIDDEN_STEP % VECTOR_LANES == 0, "views are made of whole vectors");

/* A man on a square. */
typedef struct placed_man {
    uint8_t man;    /* a luft_piece */
    uint8_t square; /* a luft_square */
} placed_man;

/* What a move does: nothing (a null move), 1 man goes and 1 comes, 2 go and 1 comes, or 2 go and 2 come. */
typedef struct move_effect {
    int gone_count, come_count;
    placed_man gone[2], come[2];
} move_effect;

/* A ply of the line. */
typedef struct stack_entry {
    move_effect effect; /* of the move that led here */
    bool ready[2];      /* the accumulator of this viewer is worked out */
    bool turned[2];     /* the viewer's king crossed the middle: the accumulator before is of no use */
    int16_t *view[2];   /* `hidden` numbers each */
} stack_entry;

/* The last board that was worked out for a viewer, mirrored or not, as a start for the next one. */
typedef struct cached_view {
    luft_bitboard men[16]; /* by luft_piece */
    int16_t *view;
} cached_view;

struct nnue_stack {
    const nnue_network *network;
    stack_entry *entries;
    void *numbers;           /* the memory of all views */
    cached_view cache[2][2]; /* by viewer, and by whether the view is mirrored */
};

/* --- Rows of numbers ------------------------------------------------------------ */

/* to = from + a - b */
static void add_sub(int16_t *to, const int16_t *from, const int16_t *a, const int16_t *b, int hidden) {
    for (int i = 0; i < hidden; i += VECTOR_LANES) {
        const vector sum = vector_add(vector_load(from + i), vector_load(a + i));
        vector_store(to + i, vector_sub(sum, vector_load(b + i)));
    }
}

/* to = from + a - b - c */
static void add_sub_sub(int16_t *to, const int16_t *from, const int16_t *a, const int16_t *b, const int16_t *c,
                        int hidden) {
    for (int i = 0; i < hidden; i += VECTOR_LANES) {
        const vector sum = vector_add(vector_load(from + i), vector_load(a + i));
        vector_store(to + i, vector_sub(vector_sub(sum, vector_load(b + i)), vector_load(c + i)));
    }
}

/* to = from + a + b - c - d */
static void add_add_sub_sub(int16_t *to, const int16_t *from, const int16_t *a, const int16_t *b, const int16_t *c,
                            const int16_t *d, int hidden) {
    for (int i = 0; i < hidden; i += VECTOR_LANES) {
        vector sum = vector_add(vector_load(from + i), vector_load(a + i));
        sum = vector_sub(vector_add(sum, vector_load(b + i)), vector_load(c + i));
        vector_store(to + i, vector_sub(sum, vector_load(d + i)));
    }
}

static void add_row(int16_t *view, const int16_t *row, int hidden) {
    for (int i = 0; i < hidden; i += VECTOR_LANES) {
        vector_store(view + i, vector_add(vector_load(view + i), vector_load(row + i)));
    }
}

static void sub_row(int16_t *view, const int16_t *row, int hidden) {
    for (int i = 0; i < hidden; i += VECTOR_LANES) {
        vector_store(view + i, vector_sub(vector_load(view + i), vector_load(row + i)));
    }
}

/* The sum of clipped, squared neurons times weights. */
static int64_t weighted_squares(const int16_t *view, const int16_t *weights, int hidden) {
    int64_t total = 0;
    for (int begin = 0; begin < hidden; begin += BLOCK) {
        const int end = begin + BLOCK < hidden ? begin + BLOCK : hidden;
        vector_sums sums = vector_no_sums();
        for (int i = begin; i < end; i += VECTOR_LANES) {
            sums = vector_add_products(sums, vector_clip(vector_load(view + i), NNUE_QA), vector_load(weights + i));
        }
        total += vector_total(sums);
    }
    return total;
}

/* --- Views ------------------------------------------------------------------------ */

static bool on_right_half(luft_square square) {
    return luft_file_of(square) >= 4;
}

/* Is the board of this viewer mirrored? */
static bool is_mirrored(const nnue_network *network, const luft_board *board, luft_color viewer) {
    return network->mirrored && on_right_half(luft_king_square(board, viewer));
}

static const int16_t *row_of(const nnue_network *network, luft_color viewer, bool mirrored, luft_piece man,
                             luft_square square) {
    const int flip = (viewer == LUFT_WHITE ? 56 : 0) ^ (mirrored ? 7 : 0);
    return network->feature_weights + (size_t)nnue_input(viewer, flip, man, square) * (size_t)network->hidden;
}

/* Works a view out from the last one that was worked out like this: what differs is added and taken away. */
static void refresh(nnue_stack *stack, int16_t *view, const luft_board *board, luft_color viewer) {
    const nnue_network *network = stack->network;
    const bool mirrored = is_mirrored(network, board, viewer);
    cached_view *cache = &stack->cache[viewer][mirrored];
    for (int color = LUFT_WHITE; color <= LUFT_BLACK; color++) {
        for (int type = LUFT_PAWN; type <= LUFT_KING; type++) {
            const luft_piece man = luft_make_piece((luft_color)color, (luft_piece_type)type);
            const luft_bitboard now = luft_pieces(board, (luft_color)color, (luft_piece_type)type);
            luft_bitboard come = now & ~cache->men[man], gone = cache->men[man] & ~now;
            cache->men[man] = now;
            while (gone) {
                sub_row(cache->view, row_of(network, viewer, mirrored, man, luft_pop(&gone)), network->hidden);
            }
            while (come) {
                add_row(cache->view, row_of(network, viewer, mirrored, man, luft_pop(&come)), network->hidden);
            }
        }
    }
    memcpy(view, cache->view, (size_t)network->hidden * sizeof *view);
}

/* The view at `entry` from the one before it. */
static void update(const nnue_network *network, stack_entry *entry, luft_color viewer, bool mirrored) {
    const move_effect *effect = &entry->effect;
    const int16_t *from = entry[-1].view[viewer];
    int16_t *to = entry->view[viewer];
    const int16_t *come[2] = {NULL, NULL}, *gone[2] = {NULL, NULL};
    assert(effect->come_count >= 0 && effect->come_count <= effect->gone_count && effect->gone_count <= 2);
    for (int i = 0; i < effect->come_count; i++) {
        come[i] =
            row_of(network, viewer, mirrored, (luft_piece)effect->come[i].man, (luft_square)effect->come[i].square);
    }
    for (int i = 0; i < effect->gone_count; i++) {
        gone[i] =
            row_of(network, viewer, mirrored, (luft_piece)effect->gone[i].man, (luft_square)effect->gone[i].square);
    }
    if (effect->come_count == 0) {
        memcpy(to, from, (size_t)network->hidden * sizeof *to);
    } else if (effect->gone_count == 1) {
        add_sub(to, from, come[0], gone[0], network->hidden);
    } else if (effect->come_count == 1) {
        add_sub_sub(to, from, come[0], gone[0], gone[1], network->hidden);
    } else {
        add_add_sub_sub(to, from, come[0], come[1], gone[0], gone[1], network->hidden);
    }
}

/* Makes the view of this ply ready: from the nearest ply before it that is, unless the view was turned since. */
static void prepare(nnue_stack *stack, int ply, const luft_board *board, luft_color viewer) {
    stack_entry *entries = stack->entries;
    int from = ply;
    while (from > 0 && !entries[from].ready[viewer] && !entries[from].turned[viewer]) {
        from--;
    }
    if (!entries[from].ready[viewer]) {
        refresh(stack, entries[ply].view[viewer], board, viewer);
        entries[ply].ready[viewer] = true;
        return;
    }
    const bool mirrored = is_mirrored(stack->network, board, viewer);
    while (from < ply) {
        from++;
        update(stack->network, &entries[from], viewer, mirrored);
        entries[from].ready[viewer] = true;
    }
}

int nnue_evaluate(nnue_stack *stack, int ply, const luft_position *position) {
    const nnue_network *network = stack->network;
    const luft_color us = (luft_color)position->side_to_move, them = luft_opposite(us);
    prepare(stack, ply, &position->board, us);
    prepare(stack, ply, &position->board, them);
    const stack_entry *entry = &stack->entries[ply];
    const int bucket = nnue_bucket(network->buckets, luft_popcount(luft_occupied(&position->board)));
    const int16_t *weights = network->output_weights + (size_t)bucket * 2 * (size_t)network->hidden;
    int64_t sum = weighted_squares(entry->view[us], weights, network->hidden);
    sum += weighted_squares(entry->view[them], weights + network->hidden, network->hidden);
    const int64_t output = sum / NNUE_QA + network->output_biases[bucket];
    const int64_t score = output * NNUE_SCALE / (NNUE_QA * network->qb);
    const int64_t bound = SCORE_EVAL_BOUND - 1;
    return (int)(score > bound ? bound : score < -bound ? -bound : score);
}

/* --- The line of play --------------------------------------------------------------- */

static placed_man placed(luft_color color, luft_piece_type type, luft_square square) {
    return (placed_man){(uint8_t)luft_make_piece(color, type), (uint8_t)square};
}

static move_effect effect_of(const luft_position *before, luft_move move) {
    const luft_color us = (luft_color)before->side_to_move, them = luft_opposite(us);
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    move_effect effect = {.gone_count = 1, .come_count = 1};
    if (luft_move_kind_of(move) == LUFT_CASTLING) {
        const bool short_side = to > from; /* towards the h-file, wherever the rook stands */
        const int row = luft_row_of(from);
        effect.gone_count = effect.come_count = 2;
        effect.gone[0] = placed(us, LUFT_KING, from);
        effect.gone[1] = placed(us, LUFT_ROOK, to);
        effect.come[0] = placed(us, LUFT_KING, luft_square_at(short_side ? 6 : 2, row));
        effect.come[1] = placed(us, LUFT_ROOK, luft_square_at(short_side ? 5 : 3, row));
        return effect;
    }
    const luft_piece mover = luft_piece_at(&before->board, from);
    effect.gone[0] = (placed_man){(uint8_t)mover, (uint8_t)from};
    effect.come[0] = (placed_man){(uint8_t)mover, (uint8_t)to};
    if (luft_move_is_promotion(move)) {
        effect.come[0] = placed(us, luft_move_promotion(move), to);
    }
    if (luft_move_is_capture(move)) {
        effect.gone_count = 2;
        effect.gone[1] = luft_move_kind_of(move) == LUFT_EN_PASSANT
                             ? placed(them, LUFT_PAWN, (luft_square)(to ^ 8))
                             : (placed_man){(uint8_t)luft_piece_at(&before->board, to), (uint8_t)to};
    }
    return effect;
}

void nnue_push(nnue_stack *stack, int ply, const luft_position *before, luft_move move) {
    stack_entry *next = &stack->entries[ply + 1];
    const luft_color us = (luft_color)before->side_to_move;
    next->effect = effect_of(before, move);
    next->ready[LUFT_WHITE] = next->ready[LUFT_BLACK] = false;
    next->turned[luft_opposite(us)] = false;
    /* The king is the first to go and to come. */
    const bool king_moves = luft_piece_type_of((luft_piece)next->effect.come[0].man) == LUFT_KING;
    next->turned[us] = stack->network->mirrored && king_moves &&
                       on_right_half((luft_square)next->effect.gone[0].square) !=
                           on_right_half((luft_square)next->effect.come[0].square);
}

void nnue_push_null(nnue_stack *stack, int ply) {
    stack_entry *next = &stack->entries[ply + 1];
    next->effect = (move_effect){0};
    next->ready[LUFT_WHITE] = next->ready[LUFT_BLACK] = false;
    next->turned[LUFT_WHITE] = next->turned[LUFT_BLACK] = false;
}

/* Worked out at once: all plies that follow go back to it. */
void nnue_set_root(nnue_stack *stack, const luft_position *root) {
    for (int viewer = LUFT_WHITE; viewer <= LUFT_BLACK; viewer++) {
        refresh(stack, stack->entries[0].view[viewer], &root->board, (luft_color)viewer);
        stack->entries[0].ready[viewer] = true;
        stack->entries[0].turned[viewer] = false;
    }
}

nnue_stack *nnue_stack_create(const nnue_network *network, int plies) {
    const size_t hidden = (size_t)network->hidden, views = 2 * (size_t)plies + 4;
    nnue_stack *stack = malloc(sizeof *stack);
    stack_entry *entries = malloc((size_t)plies * sizeof *entries);
    void *numbers = malloc(views * hidden * sizeof(int16_t) + ALIGNMENT);
    if (!stack || !entries || !numbers) {
        free(stack);
        free(entries);
        free(numbers);
        return NULL;
    }
    /* There is room for one unit more than the numbers take. */
    int16_t *next = (int16_t *)(void *)((char *)numbers + (ALIGNMENT - (uintptr_t)numbers % ALIGNMENT));
    *stack = (nnue_stack){.network = network, .entries = entries, .numbers = numbers};
    for (int i = 0; i < plies; i++) {
        entries[i] = (stack_entry){.view = {next, next + hidden}};
        next += 2 * hidden;
    }
    for (int i = 0; i < 4; i++, next += hidden) {
        /* An empty board: the biases alone. */
        stack->cache[i / 2][i % 2].view = next;
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
