# SPDX-License-Identifier: MIT
"""Positions and moves: F1 to F9, M1 to M4, and the rules R3 and R7. tests/test_fen.c has R7 case by case for the library."""

from table import NO_MOVE, Case, Elsewhere, best, fen, legal, perft, says

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BOARD = START.split()[0]
BARE = "4k3/8/8/8/8/8/8/4K3"

# A refused position: one error, and nothing is searched (R3).
REFUSED = [
    ("F1", ""),
    ("F1", "fen"),
    ("F1", "fen startpos"),
    ("F1", "fen blah"),
    ("F1", f"fen position fen {START}"),
    ("F2", f"fen {BOARD} w"),
    ("F3", "fen 4k3/8/8/8/8/8/8/8 w - - 0 1"),
    ("F3", "fen 4k3/8/8/8/8/8/8/K3K3 w - - 0 1"),
    ("F3", "fen k3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("F3", "fen 8/8/8/8/8/8/8/8 w - - 0 1"),
    ("F4", "fen 2P5/8/8/3p4/4bK2/8/4k1p1/2Q5 w - - 12 81"),
    ("F5", "fen 5k1r/2q3p1/p3p2p/1B3p1Q/n4P2/6P1/bbP2N1P/1K1RR3 b - - 0 1"),
    ("F9", "fen knNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/KNnNnNnN w - - 0 0"),
    ("R3", "startpos moves e2e5"),
    ("R3", "startpos moves e2e4 e7e5 e1e3"),
    ("R3", "startpos moves e2e4 hello"),
    ("R3", "startpos moves e2e4 0000"),
    ("R3", "startpos moves e2e4 e7e5 e2e4"),
    ("R3", "startpos moves moves e2e4"),
    ("R3", "startpos e2e4"),
    ("R3", "startpos startpos"),
    ("R3", "middle"),
    ("R3", "STARTPOS"),
    ("R3", f"{START}"),
    ("R3", f"fen {START} e2e4"),
    ("R3", f"fen {START} moves e2e4 e2e4"),
    ("R3", f"fen {BARE} w - - 0 1 moves e1e2 e8e7 e2e4"),
    ("R7", f"fen {BARE}"),
    ("R7", f"fen {BARE} w -"),
    ("R7", f"fen {BARE} W - - 0 1"),
    ("R7", f"fen {BARE} white - - 0 1"),
    ("R7", f"fen {BARE} w - - -1 1"),
    ("R7", f"fen {BARE} w - - 0 -1"),
    ("R7", f"fen {BARE} w - - 0 1 1"),
    ("R7", f"fen {BARE} w - - 99999999999999999999 1"),
    ("R7", f"fen {BARE} w - - 0 4294967297"),
    ("R7", f"fen {BARE} w - - 0x10 1"),
    ("R7", f"fen {BARE} w - - 1.5 1"),
    ("R7", f"fen {BARE} w - e9 0 1"),
    ("R7", f"fen {BARE} w - e6 0 1"),
    ("R7", f"fen {BARE} w - e3 0 1"),
    ("R7", f"fen {BARE} w KX - 0 1"),
    ("R7", f"fen {BARE}/8 w - - 0 1"),
    ("R7", "fen 4k3/8/8/8/8/8/4K3 w - - 0 1"),
    ("R7", "fen 4k3/9/8/8/8/8/8/4K3 w - - 0 1"),
    ("R7", "fen 4k3/0/8/8/8/8/8/4K3 w - - 0 1"),
    ("R7", "fen 4k3/44/8/8/8/8/8/4K3 w - - 0 1"),
    ("R7", "fen 4k4/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("R7", "fen 4k2/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("R7", "fen 4k3/8/8/8/8/8/8/4K3/ w - - 0 1"),
    ("R7", "fen 4k3//8/8/8/8/8/4K3 w - - 0 1"),
    ("R7", "fen 4k3/8/8/8/8/8/8/4X3 w - - 0 1"),
    ("R7", "fen 4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1"),
    ("R7", "fen qqqqkqqq/qqqqqqqq/q7/8/8/8/8/4K3 w - - 0 1"),
    ("R7", "fen 8/8/8/8/8/8/8/4Kk2 w - - 0 1"),
    ("R7", "fen 4k3/8/8/8/8/8/8/4K3\x00 w - - 0 1"),
    ("R7", "fen " + "8/" * 100000 + "8 w - - 0 1"),
    ("R7", f"fen {BARE} w - - 0 " + "1" * 100000),
    ("R7", f"fen {BARE} w " + "K" * 100000 + " - 0 1"),
]

# Accepted, and written like this.
ACCEPTED = [
    ("F2", f"fen {BOARD} w KQkq -", START),
    ("F2", f"fen {BOARD} w KQkq - 0", START),
    ("F2", f"fen {BOARD} w KQkq - 7", START.replace(" 0 1", " 7 1")),
    ("F6", "fen 2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq - 0 1", "2k5/8/3K4/1p6/p7/P7/1B6/8 b - - 0 1"),
    ("F7", "fen k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", "k7/8/8/3pP3/8/7n/5K2/8 w - - 0 1"),
    ("F7", "fen q6k/8/8/3pP3/8/8/8/7K w - d6 0 1", "q6k/8/8/3pP3/8/8/8/7K w - - 0 1"),
    ("M2", "startpos moves E2E4 E7E5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
    ("M2", "fen 8/4P1k1/8/8/8/8/8/4K3 w - - 0 1 moves e7e8Q", "4Q3/6k1/8/8/8/8/8/4K3 b - - 0 1"),
    ("R7", "startpos moves", START),
    ("R7", f"fen {START} moves", START),
    ("R7", f"fen {BARE} w KQkq - 0 1", f"{BARE} w - - 0 1"),
    ("R7", "fen r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"),
    ("R7", "fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"),
    ("R7", "fen 4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 2"),
    ("R7", f"fen {BARE} w - - 0 0", f"{BARE} w - - 0 1"),
    ("R7", f"fen \t {BARE}\t w   - -  0\t1 ", f"{BARE} w - - 0 1"),
]

COUNTED = [
    ("F6", "2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq - 0 1", 4, 57),
    ("F7", "k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", 7, 56),
    ("F7", "q6k/8/8/3pP3/8/8/8/7K w - d6 0 1", 4, 76),
    ("F8", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218, 99),
    ("F8", "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", 218, 20),
]

SHUFFLE = "g1f3 g8f6 f3g1 f6g8 "


def refused_cases():
    for id_, text in REFUSED:
        shown = text if len(text) < 90 else text[:40] + "..."
        yield Case(
            id_,
            f"refused: position {shown!r}",
            ["position startpos", f"position {text}", "go depth 3"],
            [says(NO_MOVE, 1)],
            errors=1,
        )
    for go in ("go", "go infinite", "go ponder wtime 1000", "go mate 1", "go searchmoves e2e4", "go nodes 5"):
        yield Case(
            "R3",
            f"no position: {go} answers at once",
            ["position fen x", go],
            [says(NO_MOVE, 1), says("info depth.*", 0)],
            errors=1,
        )
    yield Case(
        "R3",
        "no position: go perft is refused and answers no best move",
        ["position fen x", "go perft 3", "go fly perft 65", "position startpos", "go perft 2"],
        [says("bestmove.*", 0), perft(400)],
        errors=3,
    )
    yield Case(
        "R3",
        "after a refused position d and eval have none",
        ["position fen x", "d", "eval", "flip"],
        [says("Fen: .*", 0)],
        errors=4,
    )
    yield Case(
        "R3",
        "a good position after a refused one is searched",
        ["position fen x", "go depth 2", "position startpos", "go depth 2"],
        [says(NO_MOVE, 1), best(1)],
        errors=1,
    )
    yield Case(
        "R3",
        "ucinewgame brings no position back",
        ["position fen x", "ucinewgame", "go depth 2"],
        [says(NO_MOVE, 1)],
        errors=1,
    )
    yield Case(
        "R3",
        "a position refused while searching",
        ["go infinite", "position fen x", "go depth 2"],
        [best(1), says(NO_MOVE, 1)],
        errors=1,
    )


def accepted_cases():
    for id_, text, expected in ACCEPTED:
        yield Case(id_, f"position {text!r}", [f"position {text}", "d"], [fen(expected)])
    for id_, text, one, two in COUNTED:
        steps = [f"position fen {text}", "go perft 1", "go perft 2", "go depth 6"]
        yield Case(
            id_, f"perft {one}, {two}, and a legal move: {text}", steps, [perft(one, two), best(), legal(f"fen {text}")]
        )


def move_cases():
    for rounds in (100, 150, 2000):
        steps = ["position startpos moves " + SHUFFLE * rounds, "d", "go depth 4"]
        expected = START.replace("0 1", f"{4 * rounds} {2 * rounds + 1}")
        yield Case("M1", f"a game of {4 * rounds} plies", steps, [fen(expected), best(), legal("startpos")])
    # The counters stop at the greatest value that a FEN can have; the line is of 1 MB.
    yield Case(
        "M1",
        "a game of 200,000 plies: the counters do not wrap",
        ["position startpos moves " + SHUFFLE * 50000, "d", "go depth 4"],
        [says(r"Fen: \S+ w KQkq - (\d+) \1"), best(), legal("startpos")],
    )
    shuffle = "8/8/8/3k4/8/r7/3KN2P/8 w - - 0 1"
    circle = "e2c1 a3a8 c1e2 a8a3 "
    yield Case(
        "M3",
        "160 halfmoves without progress, then a capture: the clock starts again",
        [f"position fen {shuffle} moves {circle * 40}h2h4 a3a4 d2e3 a4h4", "d", "go depth 5"],
        [fen("8/8/8/3k4/7r/4K3/4N3/8 w - - 0 83"), best()],
    )
    yield Elsewhere("M4", "tests/test_outcome.c", "en_passant_once_possible_is_another_position")
    yield Case(
        "M2",
        "a promotion without a letter is refused",
        ["position fen 8/4P1k1/8/8/8/8/8/4K3 w - - 0 1 moves e7e8", "go depth 1"],
        [says(NO_MOVE, 1)],
        errors=1,
    )
    yield Case(
        "M2",
        "a promotion to a king or a pawn is refused",
        [
            "position fen 8/4P1k1/8/8/8/8/8/4K3 w - - 0 1 moves e7e8k",
            "position fen 8/4P1k1/8/8/8/8/8/4K3 w - - 0 1 moves e7e8p",
        ],
        errors=2,
    )
    yield Case(
        "M2", "a letter behind a move that does not promote is refused", ["position startpos moves e2e4q"], errors=1
    )


def cases(path):
    del path
    yield from refused_cases()
    yield from accepted_cases()
    yield from move_cases()
