/* SPDX-License-Identifier: MIT */
/*
 * Basic types: colours, pieces, squares, moves and error codes. All are plain values.
 *
 * Squares run from A8 = 0 to H1 = 63, the order in which a FEN is read and a
 * board is printed. White pawns therefore move towards smaller numbers.
 */
#ifndef LUFT_TYPES_H
#define LUFT_TYPES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The version, here and nowhere else: the text is put together from the numbers, and the
 * Makefile reads them. The two helpers in the middle are what it takes to quote a number.
 */
#define LUFT_VERSION_MAJOR 0
#define LUFT_VERSION_MINOR 2
#define LUFT_VERSION_PATCH 0
#define LUFT_QUOTE_WORD(word) #word
#define LUFT_QUOTE(macro) LUFT_QUOTE_WORD(macro)
#define LUFT_VERSION                                                                                                   \
    LUFT_QUOTE(LUFT_VERSION_MAJOR) "." LUFT_QUOTE(LUFT_VERSION_MINOR) "." LUFT_QUOTE(LUFT_VERSION_PATCH)

/* Marks what the shared library exports; everything else in it is hidden. */
#if defined(__GNUC__)
#define LUFT_API __attribute__((visibility("default")))
#else
#define LUFT_API
#endif

/*
 * Marks functions whose result must be used: those that can fail although their arguments are sound, except the PGN
 * writer, whose error stays until its last call; and those that return a changed value and change nothing in place.
 */
#if defined(__GNUC__)
#define LUFT_NODISCARD __attribute__((warn_unused_result))
#else
#define LUFT_NODISCARD
#endif

/* The version of the library that is linked, as text: MAJOR.MINOR.PATCH. */
LUFT_API const char *luft_version(void);

/* --- Errors ------------------------------------------------------------- */

/* What a function that can fail returns. On any failure its results are left untouched. */
typedef enum luft_error {
    LUFT_OK = 0,
    LUFT_ERROR_ARGUMENT,       /* a pointer is NULL or a value out of its range */
    LUFT_ERROR_FEN_FIELDS,     /* too few or too many fields */
    LUFT_ERROR_FEN_BOARD,      /* field 1 */
    LUFT_ERROR_FEN_SIDE,       /* field 2 */
    LUFT_ERROR_FEN_CASTLING,   /* field 3 */
    LUFT_ERROR_FEN_EN_PASSANT, /* field 4 */
    LUFT_ERROR_FEN_HALFMOVE,   /* field 5 */
    LUFT_ERROR_FEN_FULLMOVE,   /* field 6 */
    LUFT_ERROR_POSITION,       /* valid syntax, but not a legal position: see its status */
    LUFT_ERROR_COMPACT,        /* the bytes are not those of a compact position */
    LUFT_ERROR_MOVE_SYNTAX,    /* the text is not a move */
    LUFT_ERROR_MOVE_ILLEGAL,   /* a move, but not legal in this position */
    LUFT_ERROR_OVERFLOW,       /* the result does not fit in its type or buffer */
    LUFT_ERROR_MOVE_AMBIGUOUS, /* more than one legal move matches */
    LUFT_ERROR_MEMORY,         /* out of memory */
    LUFT_ERROR_HISTORY,        /* no move to undo or redo */
    LUFT_ERROR_EPD,            /* the text is not an EPD operation */
    LUFT_ERROR_PGN,            /* the text is not PGN: see the reason */
    LUFT_ERROR_READ,           /* the source of the text failed */
    LUFT_ERROR_WRITE,          /* the sink of the text failed */
    LUFT_ERROR_END,            /* nothing is left to read */
    LUFT_ERROR_STOPPED,        /* a callback asked to stop */
    LUFT_ERROR_BOOK,           /* the bytes are not a Polyglot book: see the reason */
    LUFT_ERROR_BUSY,           /* another thread uses the object, or one of its callbacks called */
    LUFT_ERROR_THREAD,         /* the system cannot start a thread */
    LUFT_ERROR_NETWORK,        /* the bytes are not those of a network that can be used */
    LUFT_ERROR_MISSING,        /* no table has the position */
    LUFT_ERROR_DAMAGED,        /* the file is not what it should be */
    LUFT_ERROR_QUERY,          /* the text is not a query: see the reason */
    LUFT_ERROR_COUNT           /* how many codes there are; never returned */
} luft_error;

/* A short English name of the error, never NULL. */
LUFT_API const char *luft_error_string(luft_error error);

/* --- Colours and pieces ------------------------------------------------- */

/* The two players; also an index, as in luft_board. */
typedef enum luft_color { LUFT_WHITE = 0, LUFT_BLACK = 1 } luft_color;

/* The type of a piece, without its colour. */
typedef enum luft_piece_type {
    LUFT_NO_PIECE_TYPE = 0,
    LUFT_PAWN = 1,
    LUFT_KNIGHT = 2,
    LUFT_BISHOP = 3,
    LUFT_ROOK = 4,
    LUFT_QUEEN = 5,
    LUFT_KING = 6
} luft_piece_type;

/* A piece is its type, plus 8 if it is black; 0 is LUFT_NO_PIECE. */
typedef enum luft_piece {
    LUFT_NO_PIECE = 0,
    LUFT_WHITE_PAWN = 1,
    LUFT_WHITE_KNIGHT,
    LUFT_WHITE_BISHOP,
    LUFT_WHITE_ROOK,
    LUFT_WHITE_QUEEN,
    LUFT_WHITE_KING,
    LUFT_BLACK_PAWN = 9,
    LUFT_BLACK_KNIGHT,
    LUFT_BLACK_BISHOP,
    LUFT_BLACK_ROOK,
    LUFT_BLACK_QUEEN,
    LUFT_BLACK_KING
} luft_piece;

/* The piece of this colour and type, which must not be LUFT_NO_PIECE_TYPE. */
static inline luft_piece luft_make_piece(luft_color color, luft_piece_type type) {
    return (luft_piece)((int)type | (int)color << 3);
}

/* The type without the colour; LUFT_NO_PIECE_TYPE for LUFT_NO_PIECE. */
static inline luft_piece_type luft_piece_type_of(luft_piece piece) {
    return (luft_piece_type)(piece & 7);
}

/* The colour of a piece. Meaningless for LUFT_NO_PIECE. */
static inline luft_color luft_piece_color(luft_piece piece) {
    return (luft_color)(piece >> 3);
}

/* The letter of a piece as FEN has it: P N B R Q K for White, p n b r q k for Black; '.' for any other number. */
LUFT_API char luft_piece_letter(luft_piece piece);

/* The piece with this letter, LUFT_NO_PIECE if it is none. */
LUFT_API luft_piece luft_piece_from_letter(char letter);

/* The other colour. */
static inline luft_color luft_opposite(luft_color color) {
    return (luft_color)(color ^ 1);
}

/* --- Squares ------------------------------------------------------------ */

/* The squares in printing order, and one value that means none. */
/* clang-format off */
typedef enum luft_square {
    LUFT_A8, LUFT_B8, LUFT_C8, LUFT_D8, LUFT_E8, LUFT_F8, LUFT_G8, LUFT_H8,
    LUFT_A7, LUFT_B7, LUFT_C7, LUFT_D7, LUFT_E7, LUFT_F7, LUFT_G7, LUFT_H7,
    LUFT_A6, LUFT_B6, LUFT_C6, LUFT_D6, LUFT_E6, LUFT_F6, LUFT_G6, LUFT_H6,
    LUFT_A5, LUFT_B5, LUFT_C5, LUFT_D5, LUFT_E5, LUFT_F5, LUFT_G5, LUFT_H5,
    LUFT_A4, LUFT_B4, LUFT_C4, LUFT_D4, LUFT_E4, LUFT_F4, LUFT_G4, LUFT_H4,
    LUFT_A3, LUFT_B3, LUFT_C3, LUFT_D3, LUFT_E3, LUFT_F3, LUFT_G3, LUFT_H3,
    LUFT_A2, LUFT_B2, LUFT_C2, LUFT_D2, LUFT_E2, LUFT_F2, LUFT_G2, LUFT_H2,
    LUFT_A1, LUFT_B1, LUFT_C1, LUFT_D1, LUFT_E1, LUFT_F1, LUFT_G1, LUFT_H1,
    LUFT_NO_SQUARE
} luft_square;
/* clang-format on */

/* The file, 0 for the a-file to 7 for the h-file. */
static inline int luft_file_of(luft_square square) {
    return square & 7;
}

/* The rank, 0 for the first rank to 7 for the eighth. */
static inline int luft_rank_of(luft_square square) {
    return 7 - (square >> 3);
}

/* The square on this file and rank, each 0 to 7. */
static inline luft_square luft_square_at(int file, int rank) {
    return (luft_square)((7 - rank) << 3 | file);
}

/* The same square in the numbering with A1 = 0, B1 = 1 … H8 = 63. */
static inline int luft_square_to_a1(luft_square square) {
    return square ^ 56;
}

/* The square that has this number with A1 = 0. */
static inline luft_square luft_square_from_a1(int number) {
    return (luft_square)(number ^ 56);
}

/* The same square in the numbering with H8 = 0, G8 = 1 … A1 = 63. */
static inline int luft_square_to_h8(luft_square square) {
    return square ^ 7;
}

/* The square that has this number with H8 = 0. */
static inline luft_square luft_square_from_h8(int number) {
    return (luft_square)(number ^ 7);
}

/* The square with its rank reversed: e2 and e7, a1 and a8. */
static inline luft_square luft_square_flip(luft_square square) {
    return (luft_square)(square ^ 56);
}

/* The letter of the square's file, 'a' to 'h'. */
static inline char luft_file_letter(luft_square square) {
    return (char)('a' + luft_file_of(square));
}

/* The digit of the square's rank, '1' to '8'. */
static inline char luft_rank_digit(luft_square square) {
    return (char)('1' + luft_rank_of(square));
}

/* The file with this letter, 0 for 'a' to 7 for 'h'; -1 for any other character. */
static inline int luft_file_from_letter(char letter) {
    return letter >= 'a' && letter <= 'h' ? letter - 'a' : -1;
}

/* The rank with this digit, 0 for '1' to 7 for '8'; -1 for any other character. */
static inline int luft_rank_from_digit(char digit) {
    return digit >= '1' && digit <= '8' ? digit - '1' : -1;
}

/* Room for the text of a square and its terminating NUL. */
#define LUFT_SQUARE_TEXT_SIZE 3

/*
 * Writes a square as text, such as e4, and a terminating NUL if `size` has room for both, and at most an empty
 * string otherwise. Returns the length of the text, 0 for LUFT_NO_SQUARE and any other number off the board.
 */
LUFT_API size_t luft_square_to_text(char *buffer, size_t size, luft_square square);

/* Reads `length` bytes as a square, such as e4 in lower case. LUFT_ERROR_ARGUMENT for any other text. */
LUFT_API LUFT_NODISCARD luft_error luft_square_from_text(luft_square *square, const char *text, size_t length);

/* --- Moves -------------------------------------------------------------- */

/*
 * A move is 16 bits: the square it leaves (bits 0-5), the square it goes to
 * (bits 6-11) and its kind (bits 12-15). Castling goes from the king's square
 * to the rook's, in Chess960 too.
 */
typedef uint16_t luft_move;

/* No move. It is never legal. */
#define LUFT_MOVE_NONE ((luft_move)0)

/* Bit 2 of a kind means capture, bit 3 promotion. */
typedef enum luft_move_kind {
    LUFT_QUIET = 0,
    LUFT_DOUBLE_PUSH = 1,
    LUFT_CASTLING = 2,
    LUFT_CAPTURE = 4,
    LUFT_EN_PASSANT = 5,
    LUFT_PROMOTE_KNIGHT = 8,
    LUFT_PROMOTE_BISHOP = 9,
    LUFT_PROMOTE_ROOK = 10,
    LUFT_PROMOTE_QUEEN = 11,
    LUFT_CAPTURE_PROMOTE_KNIGHT = 12,
    LUFT_CAPTURE_PROMOTE_BISHOP = 13,
    LUFT_CAPTURE_PROMOTE_ROOK = 14,
    LUFT_CAPTURE_PROMOTE_QUEEN = 15
} luft_move_kind;

/* A move of these parts, legal or not: luft_is_legal. */
static inline luft_move luft_make_move(luft_square from, luft_square to, luft_move_kind kind) {
    return (luft_move)((unsigned)from | (unsigned)to << 6 | (unsigned)kind << 12);
}

/* The square that the move leaves. */
static inline luft_square luft_move_from(luft_move move) {
    return (luft_square)(move & 63);
}

/* The square that it goes to; for castling, the rook's. */
static inline luft_square luft_move_to(luft_move move) {
    return (luft_square)(move >> 6 & 63);
}

/* The kind of the move. A garbage value can have the number 3, 6 or 7, which is not a kind. */
static inline luft_move_kind luft_move_kind_of(luft_move move) {
    return (luft_move_kind)(move >> 12);
}

/* Is it a capture, en passant included? */
static inline bool luft_move_is_capture(luft_move move) {
    return (move >> 12 & 4) != 0;
}

/* Is it a promotion, with or without a capture? */
static inline bool luft_move_is_promotion(luft_move move) {
    return (move >> 12 & 8) != 0;
}

/* What the pawn becomes, or LUFT_NO_PIECE_TYPE. */
static inline luft_piece_type luft_move_promotion(luft_move move) {
    return luft_move_is_promotion(move) ? (luft_piece_type)(LUFT_KNIGHT + (move >> 12 & 3)) : LUFT_NO_PIECE_TYPE;
}

/* The square that a double push passes over, LUFT_NO_SQUARE for any other move. */
static inline luft_square luft_move_ep_square(luft_move move) {
    return luft_move_kind_of(move) == LUFT_DOUBLE_PUSH ? (luft_square)((luft_move_from(move) + luft_move_to(move)) / 2)
                                                       : LUFT_NO_SQUARE;
}

#ifdef __cplusplus
}
#endif

#endif
