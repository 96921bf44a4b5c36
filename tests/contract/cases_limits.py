# SPDX-License-Identifier: MIT
"""Limits of a search: L1 to L9, and the rule R6. Times have some room, or three tries, for a busy machine."""

import os

from table import BEST, NO_MOVE, Case, Elsewhere, best, depth, hear, legal, nodes, says, silence

LONG = os.environ.get("LUFT_TEST_LONG") == "1"
QUEEN_HANGS = "position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"
TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "syzygy")
HUGE = "99999999999999999999999999"

# Searches that exploded or got stuck in other engines.
LOCKED = [
    "5R2/2K5/1pP5/4k2p/3pp3/2p4N/B4N1b/n1R1B2b w - -",
    "7k/7P/8/8/4B3/3B4/2B5/KB6 w - - 0 1",
    "8/Pk6/8/1p6/8/P1K5/8/6B1 w - - 37 130",
]
MANY_QUEENS = "1q2B2q/2q1B1q1/3qkq2/qrr1rRRQ/3QKQ2/2Q3Q1/1Q2n2Q/Q3n3 w - - 10"


def at_once_cases():
    limits = [
        "movetime 0",
        "wtime 0",
        "wtime -120 btime -120",
        "depth 0",
        "nodes 0",
        "movetime -5",
        "wtime 0 btime 0 winc 0 binc 0",
        "wtime -1 winc -1",
        "wtime -9999999999999999999 btime 5",
    ]
    for limit in limits:
        yield Case(
            "L1", f"go {limit}: at once", ["isready", hear("readyok"), f"go {limit}", hear(BEST, at_most=0.05)], tries=3
        )
    for limit in ("movetime 0", "wtime 0 btime 0", "wtime 1 winc 0", "wtime -5 btime 9"):
        yield Case(
            "L1", f"go {limit}: takes a queen all the same", [QUEEN_HANGS, f"go {limit}"], [says("bestmove e4d5.*", 1)]
        )


def large_cases():
    for count in ("2147483648", "4294967297", "200000000000", "9223372036854775807", HUGE):
        steps = [f"go nodes {count}", silence("bestmove.*", 0.3), "stop", hear(BEST)]
        yield Case("L2", f"go nodes {count} is not cut to fewer bits", steps)


def clock_cases():
    # With nine moves to go, 100 ms are to be kept for each of them: less than 200 ms are left for this one.
    steps = [
        "setoption name Move Overhead value 100",
        "isready",
        hear("readyok"),
        "go wtime 1000 btime 1000 movestogo 9",
        hear(BEST, at_most=0.2),
    ]
    yield Case("L3", "the overhead of all moves to come is kept", steps, tries=3)
    yield Elsewhere("L3", "tests/test_limits.c", "time_is_never_overspent")


def deep_cases():
    for fen in ("8/8/8/8/4k3/8/1R6/K7 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"):
        steps = [f"position fen {fen}", "go infinite", silence("bestmove.*", 0.7), "stop", hear(BEST)]
        yield Case("L4", f"silent until stop: {fen}", steps)
    steps = [
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "go infinite",
        hear("info depth 245 .*", at_most=10),
        silence("bestmove.*", 0.2),
        "stop",
        hear(BEST),
    ]
    yield Case("L4", "silent at the greatest depth", steps)
    time_ms = 1000 if LONG else 300
    for fen in LOCKED + [MANY_QUEENS]:
        for threads in (1, 2, 8):
            steps = [
                f"setoption name Threads value {threads}",
                f"position fen {fen}",
                "isready",
                hear("readyok"),
                f"go movetime {time_ms}",
            ]
            steps.append(hear(BEST, at_most=time_ms / 1000 + (0.05 if LONG else 1)))
            yield Case("L5", f"movetime {time_ms}, {threads} threads: {fen}", steps, tries=3)
    steps = [
        "position fen 8/8/6k1/3p4/3P4/3K4/8/8 w - - 0 1",
        "go depth 250",
        hear("info depth 3[0-9] .*", at_most=20),
        "stop",
        hear(BEST),
    ]
    yield Case("L6", "go depth 250 with a stack of 512 KB", steps, [best(1)], stack_kb=512)


def line_cases():
    positions = [
        (0, "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"),
        (1, "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1"),
        (6, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        (20, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        (218, "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
    ]
    for count, fen in positions:
        plies = 5 if count < 100 else 1
        checks = [says(rf"info depth {plies} .* multipv \d+ score .*", count), says(BEST if count else NO_MOVE, 1)]
        yield Case(
            "L7",
            f"MultiPV 256 with {count} legal moves",
            ["setoption name MultiPV value 256", f"position fen {fen}", f"go depth {plies}"],
            checks,
        )
    yield Case(
        "L7",
        "MultiPV 256 of two moves asked for",
        ["setoption name MultiPV value 256", "go depth 4 searchmoves a2a3 h2h3 a2a3"],
        [says("info depth 4 .*", 2), says("bestmove (a2a3|h2h3).*", 1)],
    )
    won_fen, winning = "fen 8/8/8/8/8/5k2/3P4/K7 w - - 0 1", "a1b2"  # five legal moves
    weak_fen = "fen 8/8/8/8/8/4k3/7p/4K2N w - - 0 1"
    weak = {
        "Skill Level 0": ["setoption name Skill Level value 0"],
        "Elo 800": ["setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 800"],
    }
    for name, lines in weak.items():
        steps = [*lines, f"position {weak_fen}", *(["go nodes 200", hear(BEST)] * 100)]
        yield Case("L8", f"{name}: 100 legal moves, no tables", steps, [best(100), legal(weak_fen)])
        tables = f"setoption name SyzygyPath value {TABLES}"
        steps = [tables, *lines, f"position {won_fen}", *(["go nodes 200", hear(f"bestmove {winning}.*")] * 200)]
        yield Case("L8", f"{name}: the only winning move by the tables, 200 times", steps, [best(200)])
        steps = [tables, *lines, "position fen 7k/8/5KQ1/8/8/8/8/8 b - - 0 1", "go nodes 200", hear(NO_MOVE)]
        yield Case("L8", f"{name}: stalemate, with tables", steps, [best(0)])
    checks = [nodes(1100), says("info depth .* score (cp|mate) .*"), best(), legal(f"fen {MANY_QUEENS}")]
    yield Case(
        "L9",
        "many queens: the limit of nodes is kept, and there is a line",
        [f"position fen {MANY_QUEENS}", "go nodes 1000"],
        checks,
        as_is=True,
    )
    for count in (1, 2, 10, 100):
        yield Case(
            "L9",
            f"go nodes {count}: a line with a score",
            [f"go nodes {count}"],
            [nodes(count + 100), says("info depth .* score .*"), best(), legal("startpos")],
            as_is=True,  # more threads overshoot more
        )
    yield Case(
        "L9",
        "many queens: stop in the same write",
        [f"position fen {MANY_QUEENS}", "go infinite\nstop"],
        [says("info depth .* score .*"), best(), legal(f"fen {MANY_QUEENS}")],
    )


def word_cases():
    """R6: a limit that is present makes the search finite."""
    for limit in ("wtime", "btime", "winc", "binc", "movestogo", "nodes", "depth", "movetime", "mate"):
        for value in ("", "x", "1x", "0x10", "1.5", "1e3", "--1", "+", "-", "1,000", "\0"):
            yield Case(
                "R6",
                f"go {limit} {value!r}: an error and a move of depth 1",
                [f"go {limit} {value}"],
                [best(1), depth(1, 1)],
                errors=1,
            )
    for limit in (
        "mate 0",
        "mate -1",
        "btime 60000",
        "movestogo 5",
        "winc 100",
        "binc -5",
        "winc 100 mate 0",
        "depth -5",
        "depth 0",
        f"depth -{HUGE}",
        f"movestogo {HUGE}",
    ):
        yield Case("R6", f"go {limit}: one of depth 1", [f"go {limit}", hear(BEST)], [depth(1, 1)])
    for text in ("deph 5", "fly", "searchmoves e2e4 deph 5", "depth 5 fly", "5", "infinit", "Infinite", "depth5"):
        yield Case(
            "R6", f"go {text}: an error, and one of depth 1", [f"go {text}", hear(BEST)], [depth(1, 1)], errors=1
        )
    finite = [
        "movetime 20",
        "wtime 200 btime 200",
        "wtime 100 movestogo 1",
        f"wtime 100 movestogo {HUGE}",
        f"wtime 100 winc -{HUGE}",
        "nodes 500",
        "depth 4",
        "movetime 20 depth 200 nodes 100000000 mate 50",
        f"nodes 2000 movetime {HUGE}",
        f"nodes 2000 wtime {HUGE} btime {HUGE} winc {HUGE} binc {HUGE}",
        f"depth 3 nodes {HUGE}",
        "depth 200 depth 3",
        "nodes 100000000 nodes 300",
        "movetime 99999999 movetime 20",
        "+5 depth 2",
    ]
    for limit in finite:
        errors = 1 if limit.startswith("+5") else 0
        yield Case("R6", f"go {limit} ends by itself", [f"go {limit}", hear(BEST)], [legal("startpos")], errors=errors)
    yield Case(
        "R6",
        "the clock of the side to move counts",
        ["position startpos moves e2e4", "go wtime 60000", hear(BEST), "go btime 1 winc 100", hear(BEST)],
    )
    steps = ["position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "go depth 250", hear(BEST, at_most=10)]
    yield Case("R6", "a depth that is too large is clamped", steps, [depth(245, 245)])
    for rate in (1, 10000):
        steps = [
            f"setoption name nodestime value {rate}",
            "go movetime 5",
            hear(BEST),
            f"go nodes 1000 wtime {HUGE} btime {HUGE} winc {HUGE}",
            hear(BEST),
            "ucinewgame",
            "go wtime 10 btime 10",
            hear(BEST),
        ]
        yield Case("R6", f"nodestime {rate} and numbers of any size", steps)


def mate_cases():
    """go mate: ends with the mate, or where there is none to be expected."""
    mate = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    yield Case(
        "R6",
        "go mate 1 finds it",
        [mate, "go mate 1", hear(BEST)],
        [says("bestmove a1a8", 1), says("info .* score mate 1 .*")],
    )
    none = "info string proved: no mate within this number of moves"
    for moves in (1, 2, 3):
        steps = ["position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", f"go mate {moves}", hear(BEST, at_most=10)]
        yield Case("R6", f"go mate {moves} ends where there is none", steps, [depth(1, 2 * moves + 16), says(none, 1)])
    steps = ["go mate 1 movetime 60000", hear(BEST, at_most=5)]
    yield Case("R6", "go mate ends before its time with the proof that there is none", steps, [says(none, 1)])
    yield Case("R6", "go mate with a time goes by the time", ["go mate 40 movetime 300", hear(BEST, at_least=0.2)])
    yield Case(
        "R6",
        f"go mate {HUGE} is finite in what it can search",
        ["position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1", f"go mate {HUGE}", hear(BEST, at_most=10)],
        [says(none, 1)],
    )


def search_move_cases():
    yield Case("R6", "searchmoves", ["go depth 5 searchmoves a2a3 h2h3"], [says("bestmove (a2a3|h2h3).*", 1)])
    yield Case(
        "R6",
        "searchmoves: what is not legal is left out",
        ["go searchmoves e2e5 h2h3 depth 2"],
        [says("bestmove h2h3.*", 1)],
        errors=1,
    )
    yield Case(
        "R6",
        "searchmoves: none of them legal",
        ["go searchmoves e2e5 e7e5 depth 2"],
        [best(1), legal("startpos")],
        errors=1,
    )
    yield Case(
        "R6",
        "searchmoves without moves",
        ["go searchmoves depth 2", "go depth 2 searchmoves"],
        [best(2), legal("startpos")],
    )
    yield Case(
        "R6",
        "searchmoves: a move behind another, which comes 500 times",
        ["go depth 5 searchmoves " + "a2a3 " * 500 + "e2e4"],
        [says("bestmove e2e4.*", 1)],
    )
    yield Case(
        "R6",
        "searchmoves: one move 100,000 times",
        ["go depth 2 searchmoves" + " e2e4" * 100000],
        [says("bestmove e2e4.*", 1)],
    )
    yield Case(
        "R6",
        "searchmoves holds for one search",
        ["go depth 2 searchmoves a2a3", "go depth 8"],
        [says("bestmove a2a3.*", 1), best(2)],
    )


def cases(path):
    del path
    yield from at_once_cases()
    yield from large_cases()
    yield from clock_cases()
    yield from deep_cases()
    yield from line_cases()
    yield from word_cases()
    yield from mate_cases()
    yield from search_move_cases()
