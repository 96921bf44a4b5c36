/* SPDX-License-Identifier: MIT */
/*
 * Two-ply counting case by case: a small position for each correction and for each kind of
 * wild move, with a name that says what it shows. The count must equal that of the slow
 * generator in tests/support, which uses no bitboards, and those of the colour-flipped and
 * of the left-right mirrored position. White moves and Black replies; flipping exchanges
 * them. Suites and random positions are in test_perft.c.
 */
#include "support/check.h"
#include "support/oracle.h"

typedef struct pair_case {
    const char *name;
    const char *fen;
} pair_case;

static uint64_t oracle_pairs(const luft_position *position) {
    const oracle_board board = oracle_from_position(position);
    oracle_moves moves;
    uint64_t count = 0;
    oracle_generate(&moves, &board);
    for (int i = 0; i < moves.count; i++) {
        const oracle_board next = oracle_make(&board, moves.moves[i]);
        oracle_moves replies;
        oracle_generate(&replies, &next);
        count += (uint64_t)replies.count;
    }
    return count;
}

/* Exchanges left and right. Castling rights are dropped, since castling is not symmetrical. */
static luft_position mirrored(const luft_position *position) {
    oracle_board board = oracle_from_position(position);
    for (int square = 0; square < 64; square++) {
        board.pieces[square ^ 7] = oracle_from_position(position).pieces[square];
    }
    board.ep_square = board.ep_square == ORACLE_NONE ? ORACLE_NONE : board.ep_square ^ 7;
    char fen[LUFT_FEN_SIZE];
    oracle_to_fen(fen, &board);
    return position_from(fen);
}

static void check_all_methods(const luft_position *position, uint64_t expected, const char *name) {
    for (int method = LUFT_PERFT_TWO_PLY; method <= LUFT_PERFT_PLAIN; method++) {
        require_equal(luft_perft(position, 2, (luft_perft_method)method), expected, position, name);
    }
}

static void check_cases(const pair_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const luft_position position = position_from(cases[i].fen);
        luft_position flipped;
        const uint64_t expected = oracle_pairs(&position);
        assert_int_equal(luft_position_flip(&flipped, &position), LUFT_OK);
        check_all_methods(&position, expected, cases[i].name);
        check_all_methods(&flipped, expected, cases[i].name);
        if (!position.board.castling) {
            const luft_position mirror = mirrored(&position), mirrored_flipped = mirrored(&flipped);
            check_all_methods(&mirror, expected, cases[i].name);
            check_all_methods(&mirrored_flipped, expected, cases[i].name);
        }
    }
}

/* --- Corrections --------------------------------------------------------- */

static void leaving_a_square_is_corrected(void **state) {
    (void)state;
    static const pair_case cases[] = {
        {"a pawn can no longer capture there", "7k/8/8/3p4/4N3/8/8/K7 w - - 0 1"},
        {"two pawns can no longer capture there", "7k/8/8/3p1p2/4N3/8/8/K7 w - - 0 1"},
        {"a capture that promotes is four captures less", "7k/8/8/8/8/8/3p1p2/K3N3 w - - 0 1"},
        {"a push leaves the reach of two pawns", "7k/8/8/8/3p1p2/4P3/8/K7 w - - 0 1"},
        {"a double push leaves the reach of a pawn", "7k/8/8/8/8/5p2/4P3/K7 w - - 0 1"},
        {"a pawn pinned on a file does not capture there", "4k3/8/4p3/3N4/8/8/4R3/K7 w - - 0 1"},
        {"a rook sees further", "r2N4/7k/8/8/8/8/8/7K w - - 0 1"},
        {"a rook sees further, up to the next of ours", "r2N1B2/7k/8/8/8/8/8/7K w - - 0 1"},
        {"a rook sees further, up to the next of theirs", "r2N1b2/7k/8/8/8/8/8/7K w - - 0 1"},
        {"two rooks see further from both sides", "r2N3r/7k/8/8/8/8/8/7K w - - 0 1"},
        {"a bishop sees further", "7k/8/b7/8/2N5/8/8/6K1 w - - 0 1"},
        {"a queen sees further both orthogonally and diagonally", "8/7k/2q5/8/2N1N3/8/8/K7 w - - 0 1"},
        {"a rook moves nearer, further, or captures on a file", "7k/r7/8/8/R7/8/8/7K w - - 0 1"},
        {"a rook moves nearer, further, or captures on a rank", "8/7k/8/8/r3R3/8/8/7K w - - 0 1"},
        {"a bishop moves nearer, further, or captures", "7k/8/b7/8/2B5/8/8/7K w - - 0 1"},
        {"a queen between two rooks", "7k/r7/8/8/Q7/8/r7/7K w - - 0 1"},
        {"a pawn goes nearer to a rook", "r6k/8/8/8/P7/8/8/6K1 w - - 0 1"},
        {"a pawn goes further from a rook, one step or two", "7k/8/8/8/8/8/P7/r4K2 w - - 0 1"},
        {"a double push leaves a diagonal", "8/4K3/8/8/4P3/8/3P4/k3q3 w - - 0 1"},
        {"a pinned slider sees no further", "4k3/4r3/4N3/8/8/4R3/8/K7 w - - 0 1"},
        {"a pawn is released", "7k/8/8/4p3/4N3/8/8/7K w - - 0 1"},
        {"a pawn is released unless it is captured", "7k/8/8/4p3/4R3/8/8/7K w - - 0 1"},
        {"a pawn is released for two steps", "7k/4p3/4N3/8/8/8/8/K7 w - - 0 1"},
        {"a pawn is released, and blocked again one square further", "7k/4p3/4R3/8/8/8/8/K7 w - - 0 1"},
        {"a pawn is released for one step only", "7k/4p3/4R3/4N3/8/8/8/K7 w - - 0 1"},
        {"a pawn is released for its second step", "7k/4p3/8/4N3/8/8/8/K7 w - - 0 1"},
        {"from the second step to the first, or capturing", "7k/4p3/8/4R3/8/8/8/K7 w - - 0 1"},
        {"a pawn is released to promote", "7k/8/8/8/8/8/4p3/4N2K w - - 0 1"},
        {"a pawn pinned on its file is released", "4k3/4p3/4N3/8/8/8/4R3/K7 w - - 0 1"},
        {"a pawn pinned on a rank is not", "8/8/8/k2p3R/3N4/8/8/K7 w - - 0 1"},
        {"a knight was the only guard", "4k3/8/8/2N5/8/8/8/K7 w - - 0 1"},
        {"a pawn was the only guard", "4k3/8/2P5/8/8/8/8/K7 w - - 0 1"},
        {"a pawn was the only guard, and advances twice", "8/8/8/8/2k5/8/4P3/7K w - - 0 1"},
        {"a pawn was the only guard, and advances once", "8/8/pkp5/8/1P6/8/8/3K4 w - - 0 1"},
        {"a bishop was the only guard", "4k3/8/8/8/8/7B/8/K7 w - - 0 1"},
        {"a rook was the only guard", "4k3/8/8/8/8/8/8/K2R4 w - - 0 1"},
        {"a queen was the only guard", "4k3/8/8/8/8/8/8/K2Q4 w - - 0 1"},
        {"the king was the only guard", "8/8/8/3k4/8/3K4/8/8 w - - 0 1"},
        {"two guard, one leaves", "4k3/8/8/2N1N3/8/8/8/K7 w - - 0 1"},
        {"a rook behind a rook guards further", "7k/8/8/8/8/R7/R7/K7 w - - 0 1"},
        {"a guarded piece of ours beside the king", "4k3/3N4/8/2N5/8/8/8/K7 w - - 0 1"},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

static void arriving_on_a_square_is_corrected(void **state) {
    (void)state;
    static const pair_case cases[] = {
        {"a pawn may capture there", "7k/8/8/3p4/8/8/8/K3R3 w - - 0 1"},
        {"two pawns may capture there", "7k/8/8/3p1p2/8/8/8/K3R3 w - - 0 1"},
        {"two pawns may capture there and promote", "7k/8/8/4R3/8/8/3p1p2/K7 w - - 0 1"},
        {"a pawn steps into the reach of a pawn", "7k/8/3p4/8/4P3/8/8/K7 w - - 0 1"},
        {"a pawn pinned on a diagonal may capture there", "6k1/5p2/8/8/2B5/8/8/K3R3 w - - 0 1"},
        {"a pawn is blocked", "7k/8/8/4p3/8/8/8/K5R1 w - - 0 1"},
        {"a pawn on its first rank is blocked at once or one square further", "7k/4p3/1R6/R7/8/8/8/7K w - - 0 1"},
        {"two pawns meet", "7k/8/4p3/8/4P3/8/8/7K w - - 0 1"},
        {"a pawn meets a pawn on its first rank", "7k/4p3/8/8/4P3/8/8/7K w - - 0 1"},
        {"a pawn is blocked before it promotes", "7k/8/8/8/8/8/4p3/R6K w - - 0 1"},
        {"a rook is cut off", "7k/8/8/r7/8/8/8/3R3K w - - 0 1"},
        {"a rook is cut off from a piece of theirs", "7k/8/8/r4b2/8/8/8/3R3K w - - 0 1"},
        {"a bishop is cut off", "7k/8/8/b7/8/8/8/3R2K1 w - - 0 1"},
        {"a queen is cut off", "7k/8/q7/8/8/8/8/3R2K1 w - - 0 1"},
        {"a knight is not cut off", "7k/8/2n5/8/8/8/8/3R3K w - - 0 1"},
        {"king squares are lost to a knight", "4k3/8/8/8/5N2/8/8/K7 w - - 0 1"},
        {"king squares are lost to a pawn, one step or two", "8/8/8/2k5/8/8/3P4/7K w - - 0 1"},
        {"king squares are lost to a bishop", "4k3/8/8/8/8/8/5B2/K7 w - - 0 1"},
        {"king squares are lost to a rook", "4k3/8/8/8/8/8/5R2/K7 w - - 0 1"},
        {"king squares are lost to a queen", "4k3/8/8/8/8/8/2Q5/K7 w - - 0 1"},
        {"king squares are lost to a king", "8/8/8/3k4/8/8/3K4/8 w - - 0 1"},
        {"a guard leaves one square and guards another", "4k3/8/8/8/8/8/8/K2R1R2 w - - 0 1"},
        {"a rook guards further, along the line it leaves", "8/8/8/k7/8/8/1R6/7K w - - 0 1"},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

static void capturing_is_corrected(void **state) {
    (void)state;
    static const pair_case cases[] = {
        {"a pawn is captured", "7k/8/8/2p5/8/8/8/2R4K w - - 0 1"},
        {"a pawn with two steps is captured", "7k/2p5/8/8/8/8/8/2R4K w - - 0 1"},
        {"a pawn with captures is captured", "7k/8/8/2p5/1N1N4/8/8/2R4K w - - 0 1"},
        {"a pawn captures a pawn that could capture it", "7k/8/8/3p4/4P3/8/8/7K w - - 0 1"},
        {"a pawn that could promote is captured", "7k/8/8/8/8/8/R3p3/7K w - - 0 1"},
        {"a pawn that could capture and promote is captured", "7k/8/8/8/8/8/R3p3/3N1N1K w - - 0 1"},
        {"a knight is captured", "7k/8/8/2n5/8/8/8/2R4K w - - 0 1"},
        {"a bishop is captured", "7k/8/8/2b5/8/8/8/2R4K w - - 0 1"},
        {"a rook is captured", "7k/8/8/2r5/8/8/8/2R4K w - - 0 1"},
        {"a queen is captured", "7k/8/8/2q5/8/8/8/2R4K w - - 0 1"},
        {"a pinned knight is captured", "4k3/4n3/8/8/8/B7/8/4R2K w - - 0 1"},
        {"pawns recapture", "7k/8/1p1p4/2n5/8/8/8/2R4K w - - 0 1"},
        {"pawns recapture and promote", "7k/8/8/8/8/6K1/1p1p4/2n3R1 w - - 0 1"},
        {"a knight recaptures", "7k/3n4/8/2n5/8/8/8/2R4K w - - 0 1"},
        {"a bishop recaptures", "7k/8/1b6/2n5/8/8/8/2R4K w - - 0 1"},
        {"a rook recaptures", "7k/8/8/r1n5/8/8/8/2R4K w - - 0 1"},
        {"a queen recaptures orthogonally or diagonally", "7k/8/1q6/2n5/2n5/8/8/2R4K w - - 0 1"},
        {"a pinned rook does not recapture", "4k3/4r3/8/4n3/8/8/8/4R2K w - - 0 1"},
        {"a slider recaptures through the square that was left", "7k/8/8/2n5/8/2R5/7K/2r5 w - - 0 1"},
        {"a bishop recaptures through the square that was left", "7k/8/8/4n3/8/2B5/7K/b7 w - - 0 1"},
        {"the king recaptures", "4k3/3n4/8/8/8/8/8/3R2K1 w - - 0 1"},
        {"the king does not recapture what a pawn guards", "4k3/3n4/2P5/8/8/8/8/3R2K1 w - - 0 1"},
        {"the king does not recapture what a slider guards from behind", "4k3/3n4/8/8/8/8/3R4/3Q2K1 w - - 0 1"},
        {"the king recaptures from a knight", "4k3/3n4/8/4N3/8/8/8/6K1 w - - 0 1"},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

/* --- Wild moves ------------------------------------------------------------ */

static void wild_moves_are_counted_exactly(void **state) {
    (void)state;
    static const pair_case cases[] = {
        {"checks by every type of piece", "3k4/8/2P1P3/N7/8/8/8/KBR1Q3 w - - 0 1"},
        {"a discovered check", "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1"},
        {"a discovered check from beside the king", "4k3/p3N3/8/8/8/8/8/4R1K1 w - - 0 1"},
        {"a discovered check by the king", "8/4k3/8/8/4K3/8/8/4R3 w - - 0 1"},
        {"a rook comes to pin", "4k3/4n3/8/8/8/8/8/R5K1 w - - 0 1"},
        {"a bishop comes to pin", "4k3/3p4/8/8/8/8/8/5BK1 w - - 0 1"},
        {"a piece of ours leaves, and one of theirs is pinned", "4k3/4n3/8/8/4N3/8/8/4R1K1 w - - 0 1"},
        {"a piece of theirs on a line is captured, and the other is pinned", "4k3/4n3/4n3/2B5/8/8/8/4R1K1 w - - 0 1"},
        {"a piece of ours blocks a line, and a pin is broken", "4k3/4b3/8/8/8/8/R7/4R1K1 w - - 0 1"},
        {"the pinning piece leaves", "4k3/4b3/8/8/8/8/8/4Q1K1 w - - 0 1"},
        {"the pinning piece moves on its line", "4k3/4r3/8/8/8/8/8/4Q1K1 w - - 0 1"},
        {"the pinning piece moves on its diagonal", "7k/6b1/8/8/8/2Q5/8/6K1 w - - 0 1"},
        {"a pinned pawn", "4k3/4p3/8/2N5/8/8/8/4R1K1 w - - 0 1"},
        {"a pawn pinned on a diagonal", "4k3/5p2/8/7B/4N3/8/8/6K1 w - - 0 1"},
        {"a pinned pawn may capture the pinning piece", "4k3/5p2/6B1/8/8/8/8/K7 w - - 0 1"},
        {"our king keeps away from a pinned pawn", "4k3/4p3/8/3K4/8/8/8/4R3 w - - 0 1"},
        {"our king keeps away from a pinned knight", "4k3/4n3/8/2K5/8/8/8/4R3 w - - 0 1"},
        {"our king keeps away from a pinned bishop", "4k3/4b3/2K5/8/8/8/8/4R3 w - - 0 1"},
        {"our king keeps away from a pinned rook", "7k/6r1/3K4/8/3B4/8/8/8 w - - 0 1"},
        {"two pieces between a slider and the king", "4k3/4b3/4n3/2N5/8/8/8/4R1K1 w - - 0 1"},
        {"a line of ours to a king square is opened", "4k3/8/8/8/8/3N4/8/3R2K1 w - - 0 1"},
        {"a diagonal of ours to a king square is opened", "4k3/8/8/8/4N3/8/6B1/6K1 w - - 0 1"},
        {"a line of ours to a king square is closed", "4k3/8/8/8/8/1N6/8/3R2K1 w - - 0 1"},
        {"a line of ours through a king square is closed or opened", "4k3/3N4/8/8/8/8/3R4/6K1 w - - 0 1"},
        {"promotions", "7k/P3r3/8/8/8/8/6P1/7K w - - 0 1"},
        {"promotions that capture, and give check", "1r4k1/P1P5/8/8/8/8/8/7K w - - 0 1"},
        {"an en passant capture", "7k/8/8/3pP3/8/8/8/7K w - d6 0 1"},
        {"two en passant captures", "7k/8/8/2PpP3/8/8/8/7K w - d6 0 1"},
        {"the side to move is in check", "4k3/4r3/8/8/8/3p4/2N5/4K2R w K - 0 1"},
        {"the side to move is in double check", "4k3/4r3/8/8/8/3n4/2N5/4K2R w K - 0 1"},
        {"our own pieces are pinned", "4k3/4r3/8/b7/4R3/8/3N4/4K3 w - - 0 1"},
        {"our own bishop, queen and pawn are pinned", "q3r1k1/1B6/8/4Q3/r1P1K3/8/8/8 w - - 0 1"},
        {"mate and stalemate", "k7/8/1K6/8/8/8/8/6QR w - - 0 1"},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

static void double_pushes_allow_en_passant(void **state) {
    (void)state;
    static const pair_case cases[] = {
        {"one pawn may capture", "7k/8/8/8/3p4/8/4P3/K7 w - - 0 1"},
        {"two pawns may capture", "7k/8/8/8/3p1p2/8/4P3/K7 w - - 0 1"},
        {"no pawn beside: the a-file and the h-file are not neighbours", "7k/8/8/7p/p7/8/1P4P1/K7 w - - 0 1"},
        {"the capture discovers a rook on the rank", "8/8/8/8/k2p3R/8/4P3/K7 w - - 0 1"},
        {"of two pawns the other still blocks", "8/8/8/8/k2p1p1R/8/4P3/K7 w - - 0 1"},
        {"the pawn that would capture is pinned on a file", "3k4/8/8/8/3p4/8/4P3/K2R4 w - - 0 1"},
        {"it is pinned on the diagonal of the capture", "8/8/1k6/8/3p4/8/4PB2/K7 w - - 0 1"},
        {"it is pinned on the other diagonal", "8/6k1/8/8/3p4/8/1B2P3/K7 w - - 0 1"},
        {"the push gives check and may be answered", "8/8/8/5k2/3p4/8/4P3/K7 w - - 0 1"},
        {"the push discovers a check and may not be answered", "8/8/k7/8/3p4/8/4P3/K4B2 w - - 0 1"},
        {"the pawn was the only guard", "7K/8/8/8/5p2/2k5/4P3/8 w - - 0 1"},
        {"the pushed pawn guards king squares", "8/8/8/2k5/2p5/8/3P4/7K w - - 0 1"},
        {"the pawn left a rook's line", "7k/8/8/8/3p4/8/r3P3/6K1 w - - 0 1"},
        {"the pawn comes into a rook's line", "7k/8/8/8/r2p4/8/4P3/6K1 w - - 0 1"},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

/* --- Castling ------------------------------------------------------------ */

static void their_castling_is_kept_exact(void **state) {
    (void)state;
    static const pair_case cases[] = {
        {"a guard leaves the king's path", "r3k2r/8/8/8/8/8/8/3R2K1 w kq - 0 1"},
        {"a guard of one path moves to guard the other", "r3k2r/8/8/8/8/8/8/5RK1 w kq - 0 1"},
        {"guards arrive", "r3k2r/8/8/8/8/8/6K1/R7 w kq - 0 1"},
        {"knight, pawn and king guard the path", "r3k2r/8/2P1K3/8/5N2/8/8/8 w kq - 0 1"},
        {"a guarded square that only the rook crosses", "r3k2r/8/8/8/8/8/8/1R4K1 w kq - 0 1"},
        {"a piece of ours leaves the castling path", "rN2k2r/8/8/8/8/8/8/6K1 w kq - 0 1"},
        {"a piece of ours moves into the castling path", "r3k2r/8/N7/8/8/8/8/6K1 w kq - 0 1"},
        {"a piece of theirs in the castling path is captured", "rn2k2r/8/N7/8/8/8/8/6K1 w kq - 0 1"},
        {"the rook is captured", "r3k2r/8/8/8/8/8/1B6/R5K1 w kq - 0 1"},
        {"a check prevents castling", "r3k2r/8/8/8/8/8/5R2/6K1 w kq - 0 1"},
        {"Chess960: the rook is pinned on the rank", "Rrk5/8/8/8/8/8/8/6K1 w b - 0 1"},
        {"Chess960: the rook would be pinned on the rank", "Rnrk4/8/8/8/8/8/8/6K1 w c - 0 1"},
        {"Chess960: the king stays", "r1k5/8/8/8/8/8/8/3R2K1 w a - 0 1"},
        {"Chess960: the king stays, its neighbours are guarded", "1rk5/8/8/8/1N6/8/8/3R2K1 w b - 0 1"},
        {"Chess960: the king crosses many squares", "1k5r/8/8/8/8/8/8/4R1K1 w h - 0 1"},
        {"Chess960: king and rook exchange places", "5kr1/8/8/8/8/8/8/4R2K w g - 0 1"},
        {"Chess960: the rook crosses what the king does not", "rk6/8/8/8/8/3N4/8/6K1 w a - 0 1"},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

static void our_castling_is_kept_exact(void **state) {
    (void)state;
    static const pair_case cases[] = {
        {"far from everything", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"},
        {"the rook gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1"},
        {"the rook guards king squares", "6k1/8/8/8/8/8/8/4K2R w K - 0 1"},
        {"the rook comes to pin", "5k2/5n2/8/8/8/8/8/4K2R w K - 0 1"},
        {"the rook leaves a line", "7k/7p/8/8/8/8/8/4K2R w K - 0 1"},
        {"the rook opens the line of a rook of theirs", "5nk1/8/8/8/8/8/5r2/4K2R w K - 0 1"},
        {"pawns attack where the pieces go or come from", "4k3/8/8/8/8/8/1p2p2p/R3K2R w Q - 0 1"},
        {"a pawn is released", "4k3/8/8/8/8/8/7p/4K2R w K - 0 1"},
        {"Chess960: a pawn is released", "5k2/8/8/8/8/8/p7/R4K2 w A - 0 1"},
        {"Chess960: a pawn could capture the rook", "5k2/8/8/8/8/8/p7/1R2K3 w B - 0 1"},
        {"Chess960: a pawn may capture the rook that arrives", "2k5/8/8/8/8/8/3Bp3/RK6 w A - 0 1"},
        {"Chess960: the rook breaks a pin", "1k6/8/8/8/1n6/8/8/1R2K3 w B - 0 1"},
        {"Chess960: the rook was the only guard", "2k2r2/8/5P2/8/8/8/8/2K1R3 w Ef - 0 1"},
        {"Chess960: the rook comes to guard", "8/8/4k3/8/8/8/8/RK6 w A - 0 1"},
        {"Chess960: the king comes to guard", "8/8/8/8/8/7k/8/1KR5 w C - 0 1"},
        {"a pawn is blocked", "4k3/8/8/8/8/5p2/8/4K2R w K - 0 1"},
        {"the king was the only guard", "8/8/8/8/8/4k3/8/R3K3 w Q - 0 1"},
        {"the king comes beside a king square", "8/8/8/8/8/1k6/8/R3K3 w Q - 0 1"},
        {"sliders are blocked or released", "4k3/8/8/8/8/7b/3b3q/R3K2R w Q - 0 1"},
        {"Chess960: the king stays", "4k3/8/8/8/8/8/8/R1K5 w A - 0 1"},
        {"Chess960: the rook stays", "4k3/8/8/8/8/8/8/1K1R4 w D - 0 1"},
        {"Chess960: king and rook exchange places", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"},
        {"Chess960: king and rook guard a square together", "8/8/8/8/4q3/1B1kPN2/5P2/3KR3 w E - 0 1"},
        {"Chess960: two rooks on one side", "7k/8/8/8/8/8/8/1RR1K3 w C - 0 1"},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

/* --- Limits ---------------------------------------------------------------- */

/* Eight knights, the king and seven sliders can reach one square: e4 in all of these. */
static void many_pieces_may_reach_one_square(void **state) {
    (void)state;
    static const pair_case cases[] = {
        {"16 arrivals", "8/k7/3N1N2/2NBRQN1/3R1Q2/2NQKBN1/3N1N2/8 w - - 0 1"},
        {"15 arrivals where a pawn may capture", "1k6/8/3N1N2/2NpRQN1/3R1Q2/2NQKBN1/3N1N2/8 w - - 0 1"},
        {"15 arrivals where a pawn may advance", "1k6/8/3N1N2/2NBpQN1/3R1Q2/2NQKBN1/3N1N2/8 w - - 0 1"},
        {"15 arrivals on the line of a rook", "1k6/8/3N1N2/2NBrQN1/3R1Q2/2NQKBN1/3N1N2/8 w - - 0 1"},
        {"15 arrivals on the line of a bishop", "1k6/8/3N1N2/2NbRQN1/3R1Q2/2NQKBN1/3N1N2/8 w - - 0 1"},
        {"14 arrivals where a pawn may capture", "1k6/8/3N1N2/2NpRQ2/3R1Q2/2NQKBN1/3N1N2/8 w - - 0 1"},
        {"14 arrivals where a pawn may advance", "1k6/8/3N1N2/2NBpQ2/3R1Q2/2NQKBN1/3N1N2/8 w - - 0 1"},
        {"14 arrivals on the line of a rook", "1k6/8/3N1N2/2NBrQ2/3R1Q2/2NQKBN1/3N1N2/8 w - - 0 1"},
        {"14 arrivals on the line of a bishop", "1k6/8/3N1N2/2NbRQ2/3R1Q2/2NQKBN1/3N1N2/8 w - - 0 1"},
        {"8 arrivals on the line of a rook", "k7/8/8/r2N1N2/2N1R1N1/8/2N3N1/1Q2R2K w - - 0 1"},
        {"14 arrivals where two pawns may capture", "1k6/8/3N1N2/2NpRpN1/3R1Q2/2NQKBN1/3N1N2/8 w - - 0 1"},
        {"8 knights where a pawn may advance two squares", "7k/4p3/8/1N3N2/4N3/8/3N4/K7 w - - 0 1"},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
    const luft_position sixteen = position_from(cases[0].fen);
    luft_move_list list;
    int arrivals = 0;
    luft_generate(&list, &sixteen, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        arrivals += luft_move_to(list.moves[i]) == LUFT_E4;
    }
    assert_int_equal(arrivals, 16);
}

static void boards_full_of_queens_are_counted_exactly(void **state) {
    (void)state;
    static const pair_case cases[] = {
        {"15 queens against 15, face to face", "qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK w - - 0 1"},
        {"15 queens against 15 among each other", "kqQqQqQq/qqQqQqQQ/qq6/QqqQQqQq/Qq5Q/QQ6/8/7K w - - 0 1"},
        {"15 queens against a walled king", "kr4QQ/pp4QQ/6QQ/6QQ/6QQ/6QQ/5QQQ/K7 w - - 0 1"},
        {"a king against 15 queens", "qqqqqqqk/1q1q1q2/q1q1q1q1/6q1/8/8/8/1K6 w - - 0 1"},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
    /* The two known positions with the most legal moves, 218; the numbers of replies are published too. */
    const luft_position first = position_from("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    const luft_position second = position_from("3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1");
    check_all_methods(&first, 99, "218 moves");
    check_all_methods(&second, 20, "218 moves");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaving_a_square_is_corrected),
        cmocka_unit_test(arriving_on_a_square_is_corrected),
        cmocka_unit_test(capturing_is_corrected),
        cmocka_unit_test(wild_moves_are_counted_exactly),
        cmocka_unit_test(double_pushes_allow_en_passant),
        cmocka_unit_test(their_castling_is_kept_exact),
        cmocka_unit_test(our_castling_is_kept_exact),
        cmocka_unit_test(many_pieces_may_reach_one_square),
        cmocka_unit_test(boards_full_of_queens_are_counted_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
