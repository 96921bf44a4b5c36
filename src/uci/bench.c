/* SPDX-License-Identifier: MIT */
/*
 * `luft bench`, and the command of the same name in UCI: fifty positions from self-play
 * games, from the opening to the endgame. A change of the search or the evaluation shows
 * in the count of nodes.
 */
#include "bench.h"

#include "luft/luft.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
static const char *const fens[] = {
    "rnbq1b1r/p1pppkpp/7n/1p3p2/4P2P/P2P4/1PP2PP1/RNBQKBNR w KQ - 0 5",
    "rnbqkb1r/pppp2p1/4pn1p/5p2/8/1P1NP3/PBPP1PPP/R2QKBNR b KQkq - 1 7",
    "r2qk1nr/pp2ppb1/2np2pp/2p3P1/6bP/PPN5/1BPPPPB1/R2QK1NR b KQkq - 2 8",
    "r1bqk2r/1pppnp1p/n7/p3b1P1/8/PP6/R1P1PPP1/1NBQKBNR w Kkq - 2 9",
    "rn1qkb2/pp2ppp1/5n1r/2pp3b/5P1P/P3PN1B/1PPP4/RNBQK2R w KQq - 0 10",
    "1rbqkb1r/3n1p1p/2pp1np1/1p2p3/3PP1P1/1N2BP2/1PP1N1BP/R2QK2R b KQk - 1 11",
    "rnb1k2r/1p2ppb1/pqp5/7p/8/3P1N2/PP2PP1P/R1BQKB1R w KQkq - 1 10",
    "r3kbnr/pb2ppp1/4P2p/1Pppq3/1n6/2P2PP1/3P1K1P/RNBQ1BNR b kq - 2 11",
    "r1b1kb1r/2pp3p/1p2ppp1/pN6/8/5P2/PPPB1P1P/2KR1BR1 b kq - 1 12",
    "r3kb1r/p7/1qn1bn1p/3p1pp1/3P1P2/2N1PB2/1P1N2PP/R1BQK2R w KQkq - 2 15",
    "1k1r1br1/1ppb1p1p/p1np1q1p/5P2/2PpP2P/1PN1B3/P2QN3/R3KB1R w KQ - 0 16",
    "r1b2bkr/p1q3p1/1pp2n1p/3P4/3P4/1P1B4/P2PNPPP/R2Q1RK1 b - - 0 15",
    "rnb1k2r/5nbp/2p3p1/p2pp3/5B2/2N2N2/PPP1BPPP/R4RK1 w kq - 0 16",
    "rnbk3r/1p4QN/2p5/P1b1pp2/P7/3P2P1/R3BPP1/1N2K2R b K - 0 19",
    "3qr2k/1bpnbppp/1p1p4/1P2p3/2PPP3/3BB1P1/3N1P1P/Q4RK1 w - - 3 20",
    "4kb1r/1b1p1npp/2p5/3n1p2/1pP5/4PP1P/1BNPB3/4K1NR b k - 1 19",
    "r1b2rk1/1ppqbp2/p2p2p1/P2P2N1/4PRpP/1QP1B1P1/1P6/R5K1 w - - 1 21",
    "5r1k/p2b1pp1/1r2qn1p/2p1p3/5BP1/PPNP2QP/2P5/R4RK1 w - - 0 22",
    "1r1q2k1/1p2n1p1/1N5p/Q1P1P3/3p3b/7b/PR3P1P/2B2RK1 w - - 0 24",
    "2r2knr/3ppq1p/p1n5/1p3PP1/P2P1N2/2P1Q3/1BP3B1/R5K1 b - - 0 23",
    "1r5k/ppP2p1p/5Np1/8/3P4/6P1/PP6/2KQ1nq1 b - - 0 24",
    "2k3r1/pq5p/b1p1R2p/P2p1P2/1p4P1/2N4N/1PP4P/6QK w - - 1 26",
    "3r1k2/2n1n3/5ppr/p2pp3/7P/P1PP1B2/2KN1P2/3R3R b - - 1 28",
    "6k1/1bp3pp/8/2pp2P1/8/3P3P/2PKN2r/r2NR3 b - - 0 29",
    "5k1r/4bp2/1Q1Nn3/4P1pp/8/2P2N2/PP3P1P/3K1B2 b - - 0 29",
    "4r1k1/p6p/2r1pBp1/2p5/5P2/2P3P1/P6P/4R1K1 b - - 7 30",
    "4r1k1/4n3/R6p/2P4P/1p1B1P2/1P2P3/5P2/1N2K3 b - - 0 31",
    "2k1q3/1pnb4/2p1p3/3p1p2/Pb3P2/3P4/3BP1BQ/R2K4 b - - 1 31",
    "r1bk4/p2p2Q1/2p2p2/Pp1n4/1qPB4/8/5P2/R2K1B2 w - - 4 32",
    "4r1k1/7p/2p5/7p/P7/1Pb1B3/2N5/5K2 w - - 1 34",
    "8/r2k3p/3p1ppP/4p3/6P1/4PP2/8/1R2K3 b - - 0 35",
    "R5k1/5nb1/3Pp3/4Pn1p/8/5N1P/7r/4K3 b - - 1 36",
    "8/p4R2/1pp5/5pk1/3K4/r7/2P3P1/8 b - - 1 36",
    "3n2r1/2k5/R5P1/1P5p/8/3p3P/1P4P1/6K1 w - - 0 37",
    "8/p1kn4/1p3pQ1/1P4Pp/7q/1P6/1K6/8 w - - 0 40",
    "8/p4k2/1p3pp1/1P5p/4NP2/2Pr3P/R7/6K1 b - - 5 39",
    "8/2p2R2/4B3/2P3k1/4P2p/2PPN3/3K2b1/1r6 w - - 6 41",
    "2k5/2p5/1p6/1P6/2BR4/P7/1P4r1/2K4r w - - 1 41",
    "5R2/1b6/2n2pk1/3B2p1/1pP5/4B3/4rPP1/6K1 w - - 6 43",
    "8/1B3pk1/4n3/2R1Ppp1/5P1p/6P1/7P/7K b - - 0 43",
    "8/5k2/6p1/p4p1p/1p2pN1P/4K1P1/P7/8 w - - 0 46",
    "8/5k2/R5p1/2P2p1n/P2P3P/5K2/7P/8 b - - 0 47",
    "8/8/4k2P/4N3/5P2/R1PB3P/8/4K3 w - - 3 48",
    "8/2k5/1pPn4/pB1K4/2P4P/5P2/8/8 w - - 1 47",
    "8/k1p5/1p6/p2P4/P1P2q1p/1P1K3Q/8/8 w - - 8 49",
    "7k/P7/8/3B4/2P5/KP6/8/4r3 w - - 0 49",
    "8/3R4/P6p/6pk/5p2/7P/r7/6K1 b - - 2 52",
    "3R4/3p4/1p6/p1pNk2K/P1P4p/1P4bP/3n4/8 b - - 7 51",
    "4rk2/8/3RKPP1/P7/6P1/8/8/8 w - - 1 53",
    "7k/4R1b1/3N2p1/2p1P3/5P2/7P/6rr/4R1K1 w - - 7 55",
};
/* clang-format on */

#define FEN_COUNT (sizeof fens / sizeof fens[0])

static void keep_nodes(void *payload, const luft_engine_line *line) {
    *(int64_t *)payload = line->nodes;
}

bench_result bench_run(luft_engine *engine, int depth, const atomic_bool *stop, const bench_client *client) {
    char line[160];
    int64_t total = 0;
    const int64_t begin = client->now_us(client->payload);
    for (size_t i = 0; i < FEN_COUNT; i++) {
        luft_position position;
        luft_engine_limits limits = luft_engine_no_limits();
        int64_t nodes = 0;
        const luft_engine_callbacks callbacks = {.size = sizeof callbacks, .line = keep_nodes, .payload = &nodes};
        limits.depth = depth;
        luft_engine_clear(engine);
        if (luft_position_from_fen(&position, fens[i], strlen(fens[i]), NULL) != LUFT_OK ||
            luft_engine_set_position(engine, &position, NULL, 0, NULL) != LUFT_OK ||
            luft_engine_start(engine, &limits, &callbacks) != LUFT_OK) {
            return BENCH_FAILED;
        }
        if (stop && atomic_load(stop)) {
            luft_engine_stop(engine); /* the request may have come before luft_engine_start */
        }
        luft_engine_wait(engine);
        if (stop && atomic_load(stop)) {
            return BENCH_STOPPED;
        }
        snprintf(line, sizeof line, "%2zu: %10lld nodes  %s", i + 1, (long long)nodes, fens[i]);
        client->print(client->payload, line);
        total += nodes;
    }
    const int64_t microseconds = client->now_us(client->payload) - begin;
    snprintf(line, sizeof line, "%lld nodes %lld nps", (long long)total,
             (long long)(total * 1000000 / (microseconds + 1)));
    client->print(client->payload, line);
    return BENCH_DONE;
}
