/* SPDX-License-Identifier: MIT */
/*
 * NNUE evaluation: the network, its file, and its use in a search. docs/network.md describes training and file format.
 *
 * The network sees the board from two perspectives, one for each colour. The accumulator of a perspective is a vector of
 * `hidden` numbers: the biases, plus one row of weights for every piece on the board. A move changes two to four pieces,
 * so a stack beside the search keeps the accumulators of all plies, and updates them from ply to ply. Updates are lazy:
 * they wait until a position is evaluated.
 */
#ifndef LUFT_ENGINE_NNUE_H
#define LUFT_ENGINE_NNUE_H

#include "luft/position.h"

enum {
    NNUE_INPUTS = 768,         /* 64 squares, 6 types, own pieces and those of the opponent */
    NNUE_HIDDEN_STEP = 16,     /* the size of an accumulator is a multiple of this … */
    NNUE_HIDDEN_MAX = 1024,    /* … and at most this */
    NNUE_BUCKETS_MAX = 8,      /* output buckets, by the number of pieces */
    NNUE_KING_BUCKETS_MAX = 4, /* sets of input weights, by the square of the own king */
    NNUE_QA = 255,             /* 1.0 in the accumulators */
    NNUE_QB_MIN = 64, /* 1.0 in the output weights: this, or twice or four times as much, as the weights allow */
    NNUE_QB_MAX = 256,
    NNUE_SCALE = 400,        /* an output of 1.0 in centipawns */
    NNUE_FILE_MAX = 1 << 23, /* in bytes; no network is larger */
    NNUE_WEIGHT_MAX = 992,   /* of the weight of an input; nnue.c says why */
    NNUE_BIAS_MAX = 1023,    /* of an accumulator */
    NNUE_OUTPUT_MAX = 128    /* of an output weight */
};

/* What distinguishes the architectures of networks. The trainer uses it too. */
typedef struct nnue_shape {
    int hidden;       /* neurons of an accumulator: a multiple of NNUE_HIDDEN_STEP */
    int buckets;      /* output buckets: 1 or 8 */
    int king_buckets; /* sets of input weights: 1, or 4 in a mirrored network */
    bool mirrored;    /* a perspective is mirrored if its king stands on files e to h */
} nnue_shape;

/* Is there an architecture of this shape? */
bool nnue_shape_is_possible(nnue_shape shape);

/* Constant after loading; threads share it. */
typedef struct nnue_network {
    nnue_shape shape;
    int qb;                   /* 1.0 in the output weights: 64, 128 or 256 */
    int16_t *feature_weights; /* for each king bucket NNUE_INPUTS rows of `hidden` */
    int16_t *feature_biases;  /* `hidden` */
    int16_t *output_weights;  /* for each bucket `hidden` for the side to move, then `hidden` for the opponent */
    int32_t *output_biases;   /* one for each bucket, in units of 1 / (QA * qb) */
    char *text;               /* the description in the file, ends in a NUL */
    void *memory;             /* of all arrays above */
} nnue_network;

/*
 * Reads a network from the bytes of a file, which are not trusted. LUFT_ERROR_NETWORK if they are not a network, else
 * LUFT_ERROR_MEMORY; *reason is then a constant text that says why, in one clause.
 */
luft_error nnue_load(nnue_network **out, const void *bytes, size_t length, const char **reason);

/*
 * A network with all weights 0 and a qb of 64, to be filled and saved. NULL if out of memory, or if the shape is not
 * possible.
 */
nnue_network *nnue_create(nnue_shape shape, const char *text, size_t text_length);

/* Writes the file into `bytes` if it fits in `size`, else nothing. Returns its length. */
size_t nnue_save(void *bytes, size_t size, const nnue_network *network);

/* NULL is fine. */
void nnue_free(nnue_network *network);

/* --- Inputs, as the trainer numbers them too ---------------------------------- */

/*
 * The input of a piece in a perspective. `flip` converts a square of luft_position to the perspective: 56 for White, 0
 * for Black, and 7 more if it is mirrored. Own pieces come first, by type, then by square with A1 = 0.
 */
static inline int nnue_input(luft_color perspective, int flip, luft_piece piece, luft_square square) {
    const int is_theirs = luft_piece_color(piece) != perspective;
    return (is_theirs * 6 + (int)luft_piece_type_of(piece) - LUFT_PAWN) * 64 + ((int)square ^ flip);
}

/*
 * The king bucket for the square of the own king in its perspective, A1 = 0, on files a to d. Most games are decided
 * while the king is behind its pawns: two buckets divide the first rank into the castled king and the king in the
 * centre, one has the second rank, one all other squares.
 */
static inline int nnue_king_bucket(int king_buckets, int king) {
    if (king_buckets == 1) {
        return 0;
    }
    const int rank = king / 8, file = king % 8;
    return rank == 0 ? file >= 2 : rank == 1 ? 2 : 3;
}

/* The output bucket for a number of pieces. */
static inline int nnue_bucket(int buckets, int piece_count) {
    return (piece_count - 1) * buckets / 32;
}

/* --- Evaluation ---------------------------------------------------------------- */

/* The accumulators of a variation. Each thread has its own stack. */
typedef struct nnue_stack nnue_stack;

/* A stack for the plies 0 to `plies` - 1. NULL if out of memory. The network must outlive the stack. */
nnue_stack *nnue_stack_create(const nnue_network *network, int plies);

/* NULL is fine. */
void nnue_stack_free(nnue_stack *stack);

/* Sets the position of ply 0. */
void nnue_set_root(nnue_stack *stack, const luft_position *root);

/*
 * Makes a legal move on the position `before` of this ply, which gives the position of the next one. It replaces
 * whatever the next ply held: there is no function to undo a move.
 */
void nnue_push(nnue_stack *stack, int ply, const luft_position *before, luft_move move);

/* Makes a null move. */
void nnue_push_null(nnue_stack *stack, int ply);

/* The evaluation of the position of this ply, in centipawns for the side to move, below SCORE_EVAL_BOUND. */
int nnue_evaluate(nnue_stack *stack, int ply, const luft_position *position);

#endif
