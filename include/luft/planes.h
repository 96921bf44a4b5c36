/* SPDX-License-Identifier: MIT */
/*
 * Planes: the board in as few words as can hold it, always as the side to move
 * sees it. Three planes code the piece type on each square, without its colour;
 * with one plane for each side they are a whole board. The compact position is
 * these planes as bytes. Planes are for storing and exchanging positions, and
 * for rules that are written once for both sides; luft_board is for speed.
 */
#ifndef LUFT_PLANES_H
#define LUFT_PLANES_H

#include "position.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- One plane ------------------------------------------------------------ */

/*
 * A set of squares as the side to move sees the board. Bit 0 is H8 and bit 63 is
 * A1, north is >> 8 and east is >> 1. The side to move has its home rank in the
 * south: for Black the ranks are reversed, and the files stay. So a plane of
 * Black's view has A8 in the place of A1. In `us` the functions below take the
 * side to move. luft_popcount and the operators of C work on planes as they do on
 * bitboards; luft_lsb and luft_pop give numbers for luft_plane_square.
 */
typedef uint64_t luft_plane;

/* The files at the edges, the same for both sides. */
#define LUFT_PLANE_FILE_A UINT64_C(0x8080808080808080)
#define LUFT_PLANE_FILE_H UINT64_C(0x0101010101010101)

/* The bit, 0 to 63, of a square in the view of `us`. */
static inline int luft_plane_number(luft_square square, luft_color us) {
    return luft_square_to_h8(us == LUFT_WHITE ? square : luft_square_flip(square));
}

/* The square that this bit means in the view of `us`. */
static inline luft_square luft_plane_square(int number, luft_color us) {
    const luft_square square = luft_square_from_h8(number);
    return us == LUFT_WHITE ? square : luft_square_flip(square);
}

/* A set of squares in the view of `us`. */
static inline LUFT_NODISCARD luft_plane luft_plane_from_bitboard(luft_bitboard set, luft_color us) {
    return luft_bitboard_to_h8(us == LUFT_WHITE ? set : luft_bitboard_flip(set));
}

/* The set of squares that a plane means in the view of `us`. */
static inline luft_bitboard luft_plane_to_bitboard(luft_plane plane, luft_color us) {
    const luft_bitboard set = luft_bitboard_from_h8(plane);
    return us == LUFT_WHITE ? set : luft_bitboard_flip(set);
}

/* Every square one step away from the side to move. Squares that would leave the board vanish; none wraps round. */
static inline LUFT_NODISCARD luft_plane luft_plane_north(luft_plane plane) {
    return plane >> 8;
}

/* One step towards the side to move. */
static inline LUFT_NODISCARD luft_plane luft_plane_south(luft_plane plane) {
    return plane << 8;
}

/* One step towards the h-file. */
static inline LUFT_NODISCARD luft_plane luft_plane_east(luft_plane plane) {
    return (plane & ~LUFT_PLANE_FILE_H) >> 1;
}

/* One step towards the a-file. */
static inline LUFT_NODISCARD luft_plane luft_plane_west(luft_plane plane) {
    return (plane & ~LUFT_PLANE_FILE_A) << 1;
}

/* The same squares as the other side sees them. */
static inline LUFT_NODISCARD luft_plane luft_plane_turn(luft_plane plane) {
    return luft_bitboard_flip(plane);
}

/* --- Three planes: the colourless board ----------------------------------- */

/*
 * The piece type on each square: bit n of bit[0], bit[1] and bit[2] are the binary
 * digits of its luft_piece_type, lowest first. 0 is an empty square; 7 is not
 * used. The planes are colourless: they do not say which side a piece belongs to,
 * so no function makes a position of them alone.
 */
typedef struct luft_type_planes {
    luft_plane bit[3];
} luft_type_planes;

/* The squares that are not empty. */
static inline luft_plane luft_type_planes_occupied(const luft_type_planes *types) {
    return types->bit[0] | types->bit[1] | types->bit[2];
}

/* The squares with this type of piece; for LUFT_NO_PIECE_TYPE, the empty ones. */
static inline luft_plane luft_type_planes_of(const luft_type_planes *types, luft_piece_type type) {
    return (type & 1 ? types->bit[0] : ~types->bit[0]) & (type & 2 ? types->bit[1] : ~types->bit[1]) &
           (type & 4 ? types->bit[2] : ~types->bit[2]);
}

/* The type of the piece on a square of the view, 0 to 63; LUFT_NO_PIECE_TYPE for an empty one. */
static inline luft_piece_type luft_type_planes_at(const luft_type_planes *types, int number) {
    return (luft_piece_type)((types->bit[0] >> number & 1) | (types->bit[1] >> number & 1) << 1 |
                             (types->bit[2] >> number & 1) << 2);
}

/* The same board as the other side sees it. */
static inline LUFT_NODISCARD luft_type_planes luft_type_planes_turn(const luft_type_planes *types) {
    const luft_type_planes turned = {
        {luft_plane_turn(types->bit[0]), luft_plane_turn(types->bit[1]), luft_plane_turn(types->bit[2])}};
    return turned;
}

/* --- Five planes: the board ----------------------------------------------- */

/* The colourless board, and whose the pieces are. Every piece is in one of the two last planes, and nothing else is. */
typedef struct luft_board_planes {
    luft_type_planes types;
    luft_plane us;   /* all pieces of the side to move */
    luft_plane them; /* all pieces of the opponent */
} luft_board_planes;

/* The squares that are not empty. */
static inline luft_plane luft_board_planes_occupied(const luft_board_planes *board) {
    return board->us | board->them;
}

/* What stands on a square of the view of `us`, 0 to 63; LUFT_NO_PIECE for an empty one. */
static inline luft_piece luft_board_planes_at(const luft_board_planes *board, int number, luft_color us) {
    const luft_piece_type type = luft_type_planes_at(&board->types, number);
    if (type == LUFT_NO_PIECE_TYPE) {
        return LUFT_NO_PIECE;
    }
    return luft_make_piece(board->us >> number & 1 ? us : luft_opposite(us), type);
}

/*
 * The same board as the other side sees it: after a move was made on the planes,
 * the view of the side that is to move next.
 */
static inline LUFT_NODISCARD luft_board_planes luft_board_planes_turn(const luft_board_planes *board) {
    const luft_board_planes turned = {luft_type_planes_turn(&board->types), luft_plane_turn(board->them),
                                      luft_plane_turn(board->us)};
    return turned;
}

/* --- A whole position ----------------------------------------------------- */

/* The five planes and what else a luft_position says; its keys follow from that. */
typedef struct luft_position_planes {
    luft_board_planes board;
    luft_plane castling;      /* rooks of either side that may still castle */
    uint16_t halfmove_clock;  /* plies since the last capture or pawn move */
    uint16_t fullmove_number; /* 1 at the start, one more after each move of Black */
    uint8_t side_to_move;     /* a luft_color: whose view it is */
    uint8_t ep_square;        /* the bit where an en passant capture goes, only if one is legal; else LUFT_NO_SQUARE */
    uint8_t unused[2];        /* zero, so that equal planes are equal in all their bytes */
} luft_position_planes;

/* Writes the planes of a position. LUFT_ERROR_POSITION for a position that is not valid. */
LUFT_API LUFT_NODISCARD luft_error luft_position_to_planes(luft_position_planes *planes, const luft_position *position);

/*
 * The position of these planes. LUFT_ERROR_POSITION for planes that contradict each
 * other or are not those of a valid position; what it accepts has the same planes.
 */
LUFT_API LUFT_NODISCARD luft_error luft_position_from_planes(luft_position *position,
                                                             const luft_position_planes *planes);

/* --- The compact position ------------------------------------------------ */

/*
 * The planes of a position in 48 bytes, the same on every machine. Words are
 * little-endian.
 *
 *     0-7, 8-15, 16-23   three planes that code the piece on each square, lowest bit
 *                        first: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king
 *     24-31, 32-39       the pieces of the side to move, the pieces of the opponent
 *     40, 41             the files of their castling rooks, bit 0 for the h-file
 *     42                 the en passant file, 0 for the h-file, or 255 for none
 *     43                 0 if White is to move, 1 if Black
 *     44-45, 46-47       halfmove clock, fullmove number
 */
typedef struct luft_compact {
    uint8_t bytes[48];
} luft_compact;

/* Writes the 48 bytes. LUFT_ERROR_POSITION for a position that is not valid. */
LUFT_API LUFT_NODISCARD luft_error luft_compact_pack(luft_compact *compact, const luft_position *position);

/* Reads them. LUFT_ERROR_COMPACT for bytes that are not those of a valid position; what it accepts packs to the same bytes. */
LUFT_API LUFT_NODISCARD luft_error luft_compact_unpack(luft_position *position, const luft_compact *compact);

#ifdef __cplusplus
}
#endif

#endif
