/* SPDX-License-Identifier: MIT */
/*
 * The network that evaluates positions: what it is, how it comes out of a file, and
 * how a search asks it. docs/network.md tells how it is trained and how the file looks.
 *
 * A network looks at the board twice, once with the eyes of each player. Each view is
 * a row of `hidden` numbers, the sum of one row of weights for every man on the board: the accumulator.
 * A move changes two to four men, so the accumulators are kept on a stack beside the plies of the search
 * and changed from ply to ply, and only where somebody asks for an evaluation.
 */
#ifndef LUFT_ENGINE_NNUE_H
#define LUFT_ENGINE_NNUE_H

#include "luft/position.h"

enum {
    NNUE_INPUTS = 768,      /* 64 squares, 6 types, own and other men */
    NNUE_HIDDEN_STEP = 16,  /* the size of a view is a multiple of this … */
    NNUE_HIDDEN_MAX = 1024, /* … and at most this */
    NNUE_BUCKETS_MAX = 8,   /* outputs, by the number of men */
    NNUE_QA = 255,          /* 1.0 in the views */
    NNUE_QB_MIN = 64,       /* 1.0 in the weights of the output, or twice or four times that: as the weights allow */
    NNUE_QB_MAX = 256,
    NNUE_SCALE = 400,        /* centipawns of an output of 1.0 */
    NNUE_FILE_MAX = 1 << 23, /* no network is larger, in bytes */
    NNUE_REASON_SIZE = 128,  /* for the text of a refusal */
    NNUE_WEIGHT_MAX = 992,   /* of a man in a view; nnue.c says why */
    NNUE_BIAS_MAX = 1023,    /* of a view */
    NNUE_OUTPUT_MAX = 128    /* of the weight of an output */
};

/* Constant once it is loaded; threads share it. */
typedef struct nnue_network {
    int hidden;               /* neurons of a view */
    int buckets;              /* outputs: 1 or 8 */
    int qb;                   /* 1.0 in the weights of the output: 64, 128 or 256 */
    bool mirrored;            /* the board is mirrored so that the viewer's king stands on files a to d */
    int16_t *feature_weights; /* NNUE_INPUTS rows of `hidden` */
    int16_t *feature_biases;  /* `hidden` */
    int16_t *output_weights;  /* for each bucket `hidden` for the player to move, then `hidden` for the opponent */
    int32_t *output_biases;   /* one for each bucket, in units of 1 / (QA * qb) */
    char *text;               /* what the file says of itself, ends in a NUL */
    void *memory;             /* of all of these */
} nnue_network;

/*
 * A network from the bytes of a file, which may hold anything: NULL if it is none or there is no memory, and
 * `reason` says in one clause why.
 */
nnue_network *nnue_load(const void *bytes, size_t length, char reason[NNUE_REASON_SIZE]);

/*
 * A network with all weights 0 and a qb of 64, to be filled and saved; NULL if there is no memory or no such network: `hidden`
 * and `buckets` must be as above.
 */
nnue_network *nnue_create(int hidden, int buckets, bool mirrored, const char *text, size_t text_length);

/* Writes the bytes of a file if `size` has room for them, and nothing otherwise. Returns how many they are. */
size_t nnue_save(void *bytes, size_t size, const nnue_network *network);

/* NULL is fine. */
void nnue_free(nnue_network *network);

/* --- The numbering of the inputs, which the trainer shares ------------------- */

/*
 * The input of a man in a view. `man` and `square` are as in luft_position; `flip` turns the square into the
 * viewer's: 56 for White, 0 for Black, and 7 more if the view is mirrored. Own men come first, by type, then
 * by square with A1 = 0.
 */
static inline int nnue_input(luft_color viewer, int flip, luft_piece man, luft_square square) {
    const int other = luft_piece_color(man) != viewer;
    return (other * 6 + (int)luft_piece_type_of(man) - LUFT_PAWN) * 64 + ((int)square ^ flip);
}

/* Which output answers for so many men. */
static inline int nnue_bucket(int buckets, int men) {
    return (men - 1) * buckets / 32;
}

/* --- Evaluation ---------------------------------------------------------------- */

/* The accumulators of a line of play. Each thread has its own. */
typedef struct nnue_stack nnue_stack;

/* Room for the plies 0 to `plies` - 1. NULL if there is no memory. The network must outlive the stack. */
nnue_stack *nnue_stack_create(const nnue_network *network, int plies);
void nnue_stack_free(nnue_stack *stack);

/* Ply 0 is this position from now on. */
void nnue_set_root(nnue_stack *stack, const luft_position *root);

/*
 * A legal move is made on the position `before`, which stands at this ply; the position after it stands at the
 * next one. What was noted for that ply before is forgotten: there is nothing to take back.
 */
void nnue_push(nnue_stack *stack, int ply, const luft_position *before, luft_move move);

/* The turn is passed. */
void nnue_push_null(nnue_stack *stack, int ply);

/* The evaluation of the position at this ply, in centipawns for the player to move, inside SCORE_EVAL_BOUND. */
int nnue_evaluate(nnue_stack *stack, int ply, const luft_position *position);

#endif
