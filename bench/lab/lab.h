/* SPDX-License-Identifier: MIT */
/*
 * The design lab: one small move generator in which each question of design is a
 * switch. A variant is this program compiled with some LAB_ switches set; without
 * any it makes the choices that Luft makes. This file owns the switches; the header
 * named beside each holds its variants.
 *
 * The switches are compile-time switches so that two variants differ in nothing else.
 */
#ifndef LAB_H
#define LAB_H

#include "luft/attacks.h"

/* 1. Occupancy: one OR or several at each use, or words of its own. form_eight.h, form_twelve.h. */
#define LAB_OCCUPANCY_DERIVED 0
#define LAB_OCCUPANCY_KEPT 1
#ifndef LAB_OCCUPANCY
#define LAB_OCCUPANCY LAB_OCCUPANCY_DERIVED
#endif

/* 2. How the reply to a double push learns of the capture en passant. en_passant.h. */
#define LAB_EP_BIT 0    /* the square passed over, as a set */
#define LAB_EP_SQUARE 1 /* its number */
#define LAB_EP_PAWN 2   /* the number of the pawn's square */
#define LAB_EP_FILE 3   /* the number of the pawn's file */
#define LAB_EP_MOVE 4   /* the last move, which carries it */
#ifndef LAB_EP
#define LAB_EP LAB_EP_BIT
#endif

/* Offer en passant after every double push, or only where an enemy pawn stands beside it. perft.h. */
#ifndef LAB_EP_ALWAYS
#define LAB_EP_ALWAYS 0
#endif

/* 3. Bit scan. scan.h. */
#define LAB_SCAN_HARDWARE 0
#define LAB_SCAN_DE_BRUIJN 1             /* set & -set, with a constant table: gcc replaces it by the instruction */
#define LAB_SCAN_DE_BRUIJN_AT_RUN_TIME 2 /* the same with a table that is filled at the start */
#define LAB_SCAN_DE_BRUIJN_XOR 3         /* set ^ (set - 1), with a constant table of its own */
#define LAB_SCAN_LOOP 4                  /* bit by bit */
#ifndef LAB_SCAN
#define LAB_SCAN LAB_SCAN_HARDWARE
#endif

/* 4. Sliding attacks. sliders.h. */
#define LAB_SLIDERS_PEXT 0
#define LAB_SLIDERS_MAGIC_SHARED 1     /* an index of n bits, n as small as constructive collisions allow */
#define LAB_SLIDERS_MAGIC_PER_SQUARE 2 /* n is the number of blocker squares */
#define LAB_SLIDERS_MAGIC_FIXED 3      /* n is 12 for rooks, 9 for bishops */
#define LAB_SLIDERS_SUBTRACTION 4      /* the bits between the two nearest blockers, by one subtraction a line */
#define LAB_SLIDERS_FILL 5             /* Kogge-Stone fills: shifts alone */
#ifndef LAB_SLIDERS
#if LUFT_HAS_PEXT
#define LAB_SLIDERS LAB_SLIDERS_PEXT
#else
#define LAB_SLIDERS LAB_SLIDERS_MAGIC_SHARED
#endif
#endif

/* 5. Legality: masks before the move, or make the move and test whether the king is attacked. enumerate.h, perft.h. */
#define LAB_LEGALITY_MASKS 0
#define LAB_LEGALITY_TESTED 1
#ifndef LAB_LEGALITY
#define LAB_LEGALITY LAB_LEGALITY_MASKS
#endif

/* 6. A new board for each move, or one board that moves are made and unmade on. perft.h. */
#define LAB_MAKE_COPY 0
#define LAB_MAKE_UNMAKE 1
#ifndef LAB_MAKE
#define LAB_MAKE LAB_MAKE_COPY
#endif

/* Clear the target square in all boards, or test first whether an enemy piece stands there. step.h. */
#ifndef LAB_CAPTURE_ASKED
#define LAB_CAPTURE_ASKED 1
#endif

/* Words that are copied along with the board and never read, as in a whole position. form_eight.h. */
#ifndef LAB_BALLAST
#define LAB_BALLAST 0
#endif

/* 7. Board form. form_*.h. */
#define LAB_FORM_EIGHT 0 /* pawns, knights, two slider boards with the queens in both, kings, colours, castling rooks */
#define LAB_FORM_SIX_TWO 1 /* six types and two colours */
#define LAB_FORM_TWELVE 2  /* one word for each piece of each colour */
#define LAB_FORM_FIVE 3    /* three planes that code the piece, two colours; turned round after each move */
#ifndef LAB_FORM
#define LAB_FORM LAB_FORM_EIGHT
#endif

/* With eight words: move queens twice, as bishops and as rooks, or once, on their own. form_eight.h. */
#ifndef LAB_QUEENS_APART
#define LAB_QUEENS_APART 0
#endif

/* 8. How the generator remembers pins. pins.h. */
#define LAB_PINS_TWO_MASKS 0
#define LAB_PINS_ONE_MASK 1 /* of the pinned pieces; a table has the lines */
#define LAB_PINS_ARRAY 2    /* a list of piece and line, scanned for each piece */
#ifndef LAB_PINS
#define LAB_PINS LAB_PINS_TWO_MASKS
#endif

/* 9. How many Zobrist keys follow the board: 0, 1 or 2. keys.h. */
#ifndef LAB_KEYS
#define LAB_KEYS 0
#endif

#if (LAB_KEYS || LAB_BALLAST || LAB_MAKE) && LAB_FORM != LAB_FORM_EIGHT
#error "keys, ballast and make-unmake are written for the board of eight words"
#endif
#if LAB_FORM == LAB_FORM_FIVE && LAB_EP != LAB_EP_BIT
#error "the board that is turned round carries the en passant square as a set"
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define OUT_OF_LINE static __attribute__((noinline, unused))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* What a move does to the board. The generator passes on the moves of a kind as a set. */
typedef enum step_kind {
    STEP_PUSH,
    STEP_DOUBLE_PUSH,
    STEP_CAPTURE_WEST,
    STEP_CAPTURE_EAST,
    STEP_PROMOTE,
    STEP_PROMOTE_WEST,
    STEP_PROMOTE_EAST,
    STEP_EN_PASSANT,
    STEP_KNIGHT,
    STEP_DIAGONAL,   /* a bishop, or a queen along a diagonal, in forms that keep them together */
    STEP_ORTHOGONAL, /* a rook, or a queen along a rank or file */
    STEP_BISHOP,     /* these three in forms that keep queens apart */
    STEP_ROOK,
    STEP_QUEEN,
    STEP_KING,
    STEP_CASTLE /* goes to the rook's square */
} step_kind;

ALWAYS_INLINE bool step_is_promotion(const step_kind kind) {
    return kind == STEP_PROMOTE || kind == STEP_PROMOTE_WEST || kind == STEP_PROMOTE_EAST;
}

ALWAYS_INLINE bool step_may_capture(const step_kind kind) {
    return kind != STEP_PUSH && kind != STEP_DOUBLE_PUSH && kind != STEP_PROMOTE && kind != STEP_EN_PASSANT &&
           kind != STEP_CASTLE;
}

#endif
