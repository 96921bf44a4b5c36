/* SPDX-License-Identifier: MIT */
/*
 * The terms of the evaluation. Each is a place in one array of weights, a pair of
 * numbers for the middlegame and for the endgame; the evaluation is the sum of
 * weight times how often a term occurs for White less for Black. Because it is a
 * plain sum, `luft-train tune` can fit the weights to the results of games.
 */
#ifndef LUFT_ENGINE_EVAL_TERMS_H
#define LUFT_ENGINE_EVAL_TERMS_H

enum {
    TERM_MATERIAL = 0,                               /* by type: pawn, knight, bishop, rook, queen */
    TERM_SQUARE = TERM_MATERIAL + 5,                 /* by type, then square, left and right alike: 6 x 32 */
    TERM_MOBILITY_KNIGHT = TERM_SQUARE + 6 * 32,     /* by number of squares: 0 to 8 */
    TERM_MOBILITY_BISHOP = TERM_MOBILITY_KNIGHT + 9, /* 0 to 13 */
    TERM_MOBILITY_ROOK = TERM_MOBILITY_BISHOP + 14,  /* 0 to 14 */
    TERM_MOBILITY_QUEEN = TERM_MOBILITY_ROOK + 15,   /* 0 to 27 */
    TERM_BISHOP_PAIR = TERM_MOBILITY_QUEEN + 28,
    TERM_PAWN_DOUBLED,
    TERM_PAWN_ISOLATED,
    TERM_PAWN_BACKWARD,
    TERM_PAWN_SUPPORTED,                               /* by own rank: 0 to 7 */
    TERM_PAWN_PHALANX = TERM_PAWN_SUPPORTED + 8,       /* by own rank */
    TERM_PASSED = TERM_PAWN_PHALANX + 8,               /* by own rank */
    TERM_PASSED_STOPPED = TERM_PASSED + 8,             /* a man in front of it, by own rank */
    TERM_PASSED_SAFE = TERM_PASSED_STOPPED + 8,        /* the way is not attacked, by own rank */
    TERM_PASSED_OWN_KING = TERM_PASSED_SAFE + 8,       /* from rank 4 on, by distance: 0 to 7 */
    TERM_PASSED_THEIR_KING = TERM_PASSED_OWN_KING + 8, /* likewise */
    TERM_ROOK_OPEN_FILE = TERM_PASSED_THEIR_KING + 8,
    TERM_ROOK_HALF_OPEN_FILE,
    TERM_ROOK_BEHIND_PASSED,
    TERM_KNIGHT_OUTPOST,
    TERM_BISHOP_OUTPOST,
    TERM_BISHOP_PAWNS, /* own pawns on squares of the bishop's colour */
    TERM_MINOR_BEHIND_PAWN,
    TERM_THREAT_BY_PAWN,                            /* on a type: pawn … queen */
    TERM_THREAT_BY_MINOR = TERM_THREAT_BY_PAWN + 5, /* on a type */
    TERM_THREAT_BY_ROOK = TERM_THREAT_BY_MINOR + 5, /* on a type */
    TERM_THREAT_BY_KING = TERM_THREAT_BY_ROOK + 5,
    TERM_HANGING,                                 /* attacked and not defended */
    TERM_THREAT_BY_PUSH,                          /* a safe push of a pawn would attack a piece */
    TERM_SHELTER,                                 /* by file from the edge (4) and own pawn's rank (8), 0 for none */
    TERM_STORM = TERM_SHELTER + 32,               /* by file from the edge (4) and their pawn's rank (8), 0 for none */
    TERM_KING_OPEN_FILE = TERM_STORM + 32,        /* no pawn at all on the king's file */
    TERM_KING_ATTACKS,                            /* on squares around their king, by type: knight … queen */
    TERM_SAFE_CHECK = TERM_KING_ATTACKS + 4,      /* checks that nothing prevents, by type: knight … queen */
    TERM_KING_WEAK_SQUARES = TERM_SAFE_CHECK + 4, /* around the king, attacked and defended by king or queen at most */
    TERM_KING_DANGER,                             /* all of this together, in steps: 0 to 31 */
    TERM_SPACE = TERM_KING_DANGER + 32,           /* squares of the centre behind own pawns that they do not attack */
    TERM_TEMPO,                                   /* the player to move; counted for White or for Black */
    TERM_COUNT
};

#endif
