/* SPDX-License-Identifier: MIT */
/*
 * The board, the position, FEN, and queries about them; planes.h has the compact form.
 * Positions are plain values: copy, compare and share them freely. Every legal move leads
 * from a valid position (luft_position_status) to a valid one.
 */
#ifndef LUFT_POSITION_H
#define LUFT_POSITION_H

#include "attacks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- The board ---------------------------------------------------------- */

/*
 * Eight words, one cache line. Queens are in `diagonal` and in `orthogonal`, because a
 * move generator asks for all diagonal sliders far more often than for bishops. The
 * castling rights are the set of rooks that may still castle.
 */
typedef struct luft_board {
    luft_bitboard pawns;
    luft_bitboard knights;
    luft_bitboard diagonal;   /* diagonal sliders: bishops and queens */
    luft_bitboard orthogonal; /* orthogonal sliders: rooks and queens */
    luft_bitboard kings;
    luft_bitboard color[2]; /* all pieces of White, of Black */
    luft_bitboard castling; /* rooks of either side that may still castle */
} luft_board;

/* The occupied squares. */
static inline luft_bitboard luft_occupied(const luft_board *board) {
    return board->color[LUFT_WHITE] | board->color[LUFT_BLACK];
}

/* The bishops of both sides, without the queens. */
static inline luft_bitboard luft_bishops(const luft_board *board) {
    return board->diagonal & ~board->orthogonal;
}

/* The rooks of both sides, without the queens. */
static inline luft_bitboard luft_rooks(const luft_board *board) {
    return board->orthogonal & ~board->diagonal;
}

/* The queens of both sides. */
static inline luft_bitboard luft_queens(const luft_board *board) {
    return board->diagonal & board->orthogonal;
}

/* One of the twelve piece sets. `type` is LUFT_PAWN … LUFT_KING. */
static inline luft_bitboard luft_pieces(const luft_board *board, luft_color color, luft_piece_type type) {
    luft_bitboard set = 0;
    switch (type) {
    case LUFT_PAWN: set = board->pawns; break;
    case LUFT_KNIGHT: set = board->knights; break;
    case LUFT_BISHOP: set = luft_bishops(board); break;
    case LUFT_ROOK: set = luft_rooks(board); break;
    case LUFT_QUEEN: set = luft_queens(board); break;
    case LUFT_KING: set = board->kings; break;
    case LUFT_NO_PIECE_TYPE: break;
    }
    return set & board->color[color];
}

/* The square of a side's king, which must be on the board. */
static inline luft_square luft_king_square(const luft_board *board, luft_color color) {
    return luft_lsb(board->kings & board->color[color]);
}

/* The piece on a square, LUFT_NO_PIECE if the square is empty or off the board. */
LUFT_API luft_piece luft_piece_at(const luft_board *board, luft_square square);

/* --- The position ------------------------------------------------------- */

#define LUFT_COUNTER_MAX 65535 /* both counters stop here */

typedef struct luft_position {
    luft_board board;
    /*
     * Two Zobrist keys: the position as White sees it, and as Black sees it. The key of
     * the position is that of the side to move; the colour-flipped position has the same.
     */
    uint64_t key[2];
    uint64_t pawn_key;        /* of the pawns alone, as White sees them; 0 without pawns */
    uint16_t halfmove_clock;  /* plies since the last capture or pawn move */
    uint16_t fullmove_number; /* 1 at the start, one more after each move of Black */
    uint8_t side_to_move;     /* a luft_color */
    uint8_t ep_square;        /* where an en passant capture goes, only if one is legal; else LUFT_NO_SQUARE */
    uint8_t unused[2];        /* zero, so that equal positions are equal in all their bytes */
} luft_position;

/* The key of a position: that of the side to move. */
static inline uint64_t luft_key(const luft_position *position) {
    return position->key[position->side_to_move];
}

/* The two keys of a position by player, not by colour. */
typedef struct luft_key_pair {
    uint64_t own;   /* the position as the side to move sees it: luft_key */
    uint64_t other; /* the position as the opponent sees it */
} luft_key_pair;

/*
 * Both keys, that of the side to move first. The colour-flipped position has the same pair.
 *
 * The pair swaps with every move: `own` after a move is `other` before it, changed by what the move changed on the
 * board, in the castling rights and in the en passant square, and the same holds the other way round. A null move
 * changes only the en passant square: without one it swaps the pair exactly, with one it swaps the pair and
 * changes both keys by the same constant.
 */
static inline luft_key_pair luft_keys(const luft_position *position) {
    const luft_key_pair pair = {position->key[position->side_to_move], position->key[position->side_to_move ^ 1]};
    return pair;
}

/* The square of the pawn that an en passant capture removes, LUFT_NO_SQUARE if no such capture is legal. */
static inline luft_square luft_ep_pawn_square(const luft_position *position) {
    return position->ep_square < LUFT_NO_SQUARE ? (luft_square)(position->ep_square ^ 8) : LUFT_NO_SQUARE;
}

/* The position at the start of a game of standard chess. */
LUFT_API luft_position luft_start_position(void);

/*
 * A Chess960 start position by its number, 0 to 959, in Scharnagl's scheme;
 * number 518 is the standard start. LUFT_ERROR_ARGUMENT for any other number.
 */
LUFT_API luft_error luft_chess960_position(luft_position *position, int number);

/* Equal as chess positions, counters included. False if either is NULL. */
LUFT_API LUFT_NODISCARD bool luft_position_equal(const luft_position *a, const luft_position *b);

/* Writes the colour-flipped position: ranks reversed, colours and side to move exchanged. Both may be the same object. */
LUFT_API luft_error luft_position_flip(luft_position *flipped, const luft_position *position);

/* Recomputes the three keys from the board, the castling rights and the en passant square. */
LUFT_API luft_error luft_position_compute_keys(luft_position *position);

/* --- Validity ----------------------------------------------------------- */

/* The faults of a position, as bits; 0 is valid. */
typedef enum luft_status {
    LUFT_STATUS_VALID = 0,
    LUFT_STATUS_INCONSISTENT_BOARD = 1 << 0, /* the eight words contradict each other */
    LUFT_STATUS_NO_WHITE_KING = 1 << 1,
    LUFT_STATUS_NO_BLACK_KING = 1 << 2,
    LUFT_STATUS_TOO_MANY_WHITE_KINGS = 1 << 3,
    LUFT_STATUS_TOO_MANY_BLACK_KINGS = 1 << 4,
    LUFT_STATUS_TOO_MANY_WHITE_PAWNS = 1 << 5, /* more than 8 */
    LUFT_STATUS_TOO_MANY_BLACK_PAWNS = 1 << 6,
    LUFT_STATUS_TOO_MANY_WHITE_PIECES = 1 << 7, /* more than 16 */
    LUFT_STATUS_TOO_MANY_BLACK_PIECES = 1 << 8,
    LUFT_STATUS_PAWN_ON_BACK_RANK = 1 << 9,
    LUFT_STATUS_OPPONENT_IN_CHECK = 1 << 10, /* the king of the side not to move could be captured */
    LUFT_STATUS_BAD_CASTLING = 1 << 11,      /* a right without its king or rook in place, or two on one side */
    LUFT_STATUS_BAD_EN_PASSANT = 1 << 12,    /* an en passant square without a legal capture onto it */
    LUFT_STATUS_BAD_SIDE = 1 << 13,
    LUFT_STATUS_BAD_COUNTER = 1 << 14,
    LUFT_STATUS_BAD_KEY = 1 << 15, /* a key is not that of the position */

    /* Warnings: only luft_position_warnings returns these, for a position that is valid. */
    LUFT_STATUS_TOO_MANY_CHECKERS = 1 << 16, /* more than two pieces give check */
    LUFT_STATUS_IMPOSSIBLE_CHECK = 1 << 17   /* no move can have led to this check */
} luft_status;

/*
 * Returns all faults of a position as luft_status bits. If the words contradict each other,
 * and for NULL, the result is LUFT_STATUS_INCONSISTENT_BOARD alone. Checks, castling, en
 * passant and keys are tested only if each side has one king.
 */
LUFT_API LUFT_NODISCARD unsigned luft_position_status(const luft_position *position);

/*
 * A set of warnings about a valid position that no game can lead to; 0 if there are none, and for a position that is
 * not valid. Such positions can be played like all others. LUFT_STATUS_IMPOSSIBLE_CHECK: two checkers on one line with
 * the king; two of which none is a bishop, rook or queen; or, with an en passant square, a check that is not given by
 * the pawn that passed over it nor opened by that pawn. There are other positions that no game leads to.
 */
LUFT_API LUFT_NODISCARD unsigned luft_position_warnings(const luft_position *position);

/* Describes the lowest bit of a status in English; "valid" for 0. Never NULL. */
LUFT_API const char *luft_status_string(unsigned status);

/* --- FEN ---------------------------------------------------------------- */

/* Room for the longest FEN and its terminating NUL. */
#define LUFT_FEN_SIZE 104

/* Why a FEN was refused; for an accepted FEN, the en passant square that a position may not store. */
typedef struct luft_fen_report {
    luft_error error;      /* names the field; LUFT_ERROR_POSITION if only the position is at fault */
    unsigned status;       /* for LUFT_ERROR_POSITION, all that is wrong with the position */
    size_t offset;         /* the byte of the text at which reading stopped */
    const char *reason;    /* one clause of English, a constant */
    luft_square ep_square; /* field 4 if a double push can just have passed over the square; else LUFT_NO_SQUARE */
} luft_fen_report;

/*
 * Reads `length` bytes as a FEN; fields 5 and 6 may be missing and are then 0
 * and 1. Castling is standard, X-FEN or Shredder-FEN. A castling letter without
 * its king or rook in place is dropped, an en passant square onto which no
 * capture is legal is dropped too, and a fullmove number of 0 is read as 1.
 * `report` may be NULL; its `error` is what is returned: LUFT_OK,
 * LUFT_ERROR_FEN_FIELDS to LUFT_ERROR_FEN_FULLMOVE for text that is not a FEN,
 * LUFT_ERROR_POSITION for an invalid position.
 */
LUFT_API LUFT_NODISCARD luft_error luft_position_from_fen(luft_position *position, const char *text, size_t length,
                                                          luft_fen_report *report);

/* How the castling rights are written. */
typedef enum luft_fen_style {
    LUFT_FEN_STANDARD = 0, /* KQkq where that is clear, else the rook's file (X-FEN) */
    LUFT_FEN_SHREDDER = 1  /* always the rooks' files: HAha */
} luft_fen_style;

/*
 * Writes the FEN and a terminating NUL if `size` has room for both, and at most
 * an empty string otherwise. Returns the length of the FEN, 0 if the position is
 * NULL or invalid.
 */
LUFT_API size_t luft_position_to_fen(char *buffer, size_t size, const luft_position *position, luft_fen_style style);

/*
 * Writes the FEN as above, but with this en passant square, for programs that follow the PGN standard to the letter:
 * they name the square after every double push, whether or not a capture onto it is legal.
 *
 * A position does not know this square. It stores one only if a capture is legal, so that positions with the same
 * moves are equal in all their bytes and keys. The caller knows it: `ep_square` is luft_move_ep_square of
 * the last move, or what the report of the FEN says. With LUFT_NO_SQUARE the text is that of luft_position_to_fen.
 * Returns 0 too if no double push can just have passed over the square, and if the text would be another position:
 * the position stores another square, or none although a capture onto this one is legal.
 */
LUFT_API size_t luft_position_to_fen_with_ep(char *buffer, size_t size, const luft_position *position,
                                             luft_fen_style style, luft_square ep_square);

/* --- Queries ------------------------------------------------------------ */

/*
 * All queries expect a valid position, or at least one king of each colour on the board. They
 * return 0 or false for a NULL pointer or a square off the board.
 */

/* The pieces of both colours that attack a square; sliders stop at the squares of `occupied`. */
LUFT_API luft_bitboard luft_attackers_to(const luft_board *board, luft_square square, luft_bitboard occupied);

/* Does this side attack the square? */
LUFT_API bool luft_is_attacked(const luft_board *board, luft_square square, luft_color by);

/* The pieces that give check to the side to move. */
LUFT_API luft_bitboard luft_checkers(const luft_position *position);

/* How many give check: 0, 1 or 2 (more only in positions that no game reaches). */
LUFT_API int luft_check_count(const luft_position *position);

/* Is the side to move in check? */
static inline bool luft_in_check(const luft_position *position) {
    return luft_checkers(position) != 0;
}

/*
 * The king attack map: the checkers of the side to move and, for sliders, the squares between
 * them and the king. A move of another piece answers a single check if and only if its target
 * is on the map; an en passant capture of the checking pawn answers it too.
 */
LUFT_API luft_bitboard luft_king_attack_map(const luft_position *position);

/*
 * The reach map of a side's king: where a queen on its square could go, first
 * blockers included. A move that neither leaves a square of the map nor goes to one
 * does not give check to that king, with four exceptions: a knight's move; a promotion to a
 * knight; castling, whose rook arrives on a third square; and an en passant capture,
 * which empties a third square, that of the captured pawn.
 */
LUFT_API luft_bitboard luft_king_reach(const luft_board *board, luft_color color);

/* The pieces of a side that are pinned to its king. */
LUFT_API luft_bitboard luft_pinned(const luft_board *board, luft_color color);

/* --- Checks and pins ----------------------------------------------------- */

/*
 * What a side's king imposes on its other pieces: such a piece may only move to a square of the check mask and, if it
 * is pinned, of its pin ray. En passant captures are the exception, because they empty two squares.
 *
 * A pin ray runs from the king, excluded, to the enemy slider that pins, included. The only
 * other piece on it is the pinned one.
 */
typedef struct luft_king_constraints {
    luft_square king;
    int check_count;          /* how many pieces give check: 0, 1 or 2 (more only in positions that no game reaches) */
    luft_bitboard checkers;   /* the pieces that give check */
    luft_bitboard check_mask; /* no check: all squares; one: the checker and the squares between; double check: none */
    luft_bitboard pin_orthogonal; /* all pin rays along ranks and files */
    luft_bitboard pin_diagonal;   /* all pin rays along diagonals */
    luft_bitboard pinned;         /* the pieces of the side that are pinned */
} luft_king_constraints;

/* Computes the checks and pins of a side, to move or not, as the generator does. LUFT_ERROR_POSITION without a king. */
LUFT_API LUFT_NODISCARD luft_error luft_compute_king_constraints(luft_king_constraints *constraints,
                                                                 const luft_board *board, luft_color color);

/* The pin ray on which the piece on this square stands; empty if it is not pinned. */
LUFT_API luft_bitboard luft_pin_ray(const luft_king_constraints *constraints, luft_square square);

/* The square of the piece that pins the one on this square, LUFT_NO_SQUARE if it is not pinned. */
LUFT_API luft_square luft_pinner(const luft_king_constraints *constraints, luft_square square);

#ifdef __cplusplus
}
#endif

#endif
