#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command `eval`: prints the board, and below each piece what it contributes to the evaluation.

The contribution is checked against the evaluation of the same position without the piece. Argument: the path of the program.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from report import Report  # noqa: E402
from uci import converse  # noqa: E402

LUFT = os.path.abspath(sys.argv[1])
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
report = Report()


def evaluate(fen):
    engine = converse(LUFT, f"position fen {fen}\neval\n")
    if engine.status != 0 or engine.stderr:
        report.check(f"ends well: {fen}", False, [engine.status, engine.stderr])
    return engine.answers


def board(lines):
    """The pieces as in the first field of a FEN, without the digits."""
    rows = [line[3:] for line in lines if re.match("[1-8] [|]", line)]
    return "/".join(re.sub("[ |]", "", row) for row in rows)


def centipawns(text):
    return round(float(text) * 100)


def totals(lines):
    return [centipawns(line.split()[1]) for line in lines if re.fullmatch(r"evaluation: [-+]?[0-9.]+ \(for White\)", line)]


def below(lines, square):
    """The text below a square."""
    row = next(i for i, line in enumerate(lines) if line.startswith(f"{square[1]} |"))
    return lines[row + 1].split("|")[ord(square[0]) - ord("a") + 1].strip()


PAIRS = [
    (
        "d1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
    ),
    (
        "c4",
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
    ),
    ("h5", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/2p5/3p4/KP6/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("a7", "8/P7/5k2/8/8/2K2p2/8/8 b - - 0 1", "8/8/5k2/8/8/2K2p2/8/8 b - - 0 1"),
]
for square, fen, without in PAIRS:
    answers = evaluate(fen)
    report.check(f"eval {fen}: the pieces", board(answers) == re.sub("[1-8]", "", fen.split()[0]), answers)
    whole, rest, piece = totals(answers), totals(evaluate(without)), centipawns(below(answers, square))
    report.check(f"eval {fen}: the contribution of {square}", [whole[0] - piece] == rest, [whole, rest, piece])

pair = totals(converse(LUFT, f"position fen {KIWIPETE}\neval\nflip\neval\n").answers)
report.check("the colour-flipped position has the opposite evaluation", len(pair) == 2 and pair[0] == -pair[1] != 0, pair)
answers = evaluate("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
report.check("nothing below the kings", below(answers, "e1") == below(answers, "e8") == "", answers)
answers = converse(LUFT, "position fen x\neval\n").answers
errors = [line for line in answers if re.fullmatch("info string error: [ -~]{1,200}", line)]
report.check("no evaluation without a position", len(errors) == 2 and not totals(answers), answers)

report.finish()
