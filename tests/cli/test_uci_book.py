#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The opening book of the UCI session: when moves are played from it, which ones, and files that are not books.

Argument: the path of the program.
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from report import Report  # noqa: E402
from uci import converse  # noqa: E402

LUFT = os.path.abspath(sys.argv[1])
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CASTLE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
ROOK = "7k/8/8/8/8/8/6K1/4R3 w - - 0 1"
PINNED = "e2e4 e7e5 f2f4 e5f4 e4e5 d8e7 d2d4 d7d5"  # e5d6 is not legal, but the key of the format counts the file
report = Report()
place = tempfile.TemporaryDirectory()


def path(name):
    return os.path.join(place.name, name)


def write(name, data):
    with open(path(name), "wb") as file:
        file.write(data)


def code(move):
    """A move as the format codes it, castling as king takes rook."""
    numbers = [ord(move[0]) - 97, int(move[1]) - 1, ord(move[2]) - 97, int(move[3]) - 1]
    return numbers[2] | numbers[3] << 3 | numbers[0] << 6 | numbers[1] << 9


def key(fen, moves=""):
    """The key of a position, from luft book show, which tests/cli/test_book.sh compares with other programs."""
    command = [LUFT, "book", "show", "--json", path("one.bin"), fen, "--moves", moves]
    return int(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["key"], 16)


def book(name, *entries):
    """Writes a book of (key, move, weight)."""
    write(name, b"".join(struct.pack(">QHHI", number, code(move), weight, 0) for number, move, weight in sorted(entries)))


def talk(*lines, use="book.bin", on=True, **limits):
    """The answers after the book was set, from a program that must end well."""
    setup = [f"setoption name BookFile value {path(use)}", f"setoption name OwnBook value {'true' if on else 'false'}"]
    engine = converse(LUFT, "".join(line + "\n" for line in (*setup, *lines)), **limits)
    if engine.status != 0 or engine.stderr:
        report.check(f"ends well: {lines}", False, [engine.status, engine.stderr])
    return engine.answers


def best(answers):
    return [line.split()[1] for line in answers if line.startswith("bestmove")]


def from_book(answers):
    return sum(line.startswith("info string book move") for line in answers)


write("one.bin", struct.pack(">QHHI", 1, 1, 1, 0))
book(
    "book.bin",
    (key(START), "a2a3", 60),
    (key(START), "h2h3", 30),
    (key(START), "b2b3", 10),
    (key(START), "c2c3", 0),
    (key(START, "a2a3"), "h7h6", 1),
    (key(CASTLE), "e1a1", 1),
    (key(ROOK), "e1a1", 1),
    (key(START, PINNED), "a2a3", 1),
)

# --- Which move ------------------------------------------------------------------------------

answers = talk(*["go depth 1"] * 300)
moves = best(answers)
counts = {move: moves.count(move) for move in set(moves)}
report.check("every go has one move of the book", len(moves) == from_book(answers) == 300, answers[:5])
report.check("moves are picked by weight, those of weight 0 never", set(counts) == {"a2a3", "h2h3", "b2b3"}, counts)
report.check("a weight of 60 in 100", 140 <= counts.get("a2a3", 0) <= 220, counts)  # 5 standard deviations
answers = talk("setoption name BookVariety value 0", *["go depth 1"] * 50)
report.check("BookVariety 0 plays the highest weight", set(best(answers)) == {"a2a3"}, best(answers))
answers = talk("setoption name BookVariety value 50", *["go depth 1"] * 100)
report.check("BookVariety 50 leaves out less than half of it", set(best(answers)) == {"a2a3", "h2h3"}, set(best(answers)))
answers = talk("setoption name BookVariety value 0", "go depth 1")
report.check("the reply of the book to ponder on", "bestmove a2a3 ponder h7h6" in answers, answers)

# --- When ------------------------------------------------------------------------------------

position = f"position fen {START.replace(' 0 1', ' 0 9')}"
for name, lines, expected in (
    ("without OwnBook", ["setoption name OwnBook value false", "go depth 1"], 0),
    ("in analysis", ["setoption name UCI_AnalyseMode value true", "go depth 1"], 0),
    ("with searchmoves", ["go depth 1 searchmoves e2e4"], 0),
    ("for a mate", ["go mate 1"], 0),
    ("in go infinite", ["go infinite", "stop"], 0),
    ("in go ponder", ["go ponder wtime 1000", "stop"], 0),
    ("after BookDepth", ["setoption name BookDepth value 8", position, "go depth 1"], 0),
    ("up to BookDepth", ["setoption name BookDepth value 9", position, "go depth 1"], 1),
    ("with a clock", ["go wtime 1000 btime 1000"], 1),
    ("with MultiPV and limited strength", ["setoption name MultiPV value 3", "setoption name UCI_LimitStrength value true", "go nodes 10"], 1),
    ("in a position that it has not", ["position startpos moves e2e4", "go depth 1"], 0),
    ("without a position", ["position fen nonsense", "go depth 1"], 0),
    ("after BookFile <empty>", ["setoption name BookFile value <empty>", "go depth 1"], 0),
):  # fmt: skip
    answers = talk(*lines)
    report.check(f"{'a' if expected else 'no'} book move {name}", from_book(answers) == expected, answers)
    report.check(f"one best move {name}", len(best(answers)) == 1, answers)

# --- Special moves -----------------------------------------------------------------------------

answers = talk(f"position fen {CASTLE}", "go depth 1", "setoption name UCI_Chess960 value true", "go depth 1")
report.check("castling as the mode spells it", best(answers) == ["e1c1", "e1a1"], answers)
answers = talk(f"position fen {ROOK}", "go depth 1")
report.check("e1a1 of a rook is a rook move", best(answers) == ["e1a1"] and from_book(answers) == 1, answers)
for text in (f"position startpos moves {PINNED}", "position fen rnb1kbnr/ppp1qppp/8/3pP3/3P1p2/8/PPP3PP/RNBQKBNR w KQkq d6 0 5"):
    answers = talk(text, "go depth 1")
    report.check(f"an en passant capture that a pin forbids: {text[:20]}", from_book(answers) == 1, answers)
book("illegal.bin", (key(START), "e2e5", 100), (key(START), "e1a1", 100), (key(START), "a1a1", 100))
answers = talk("go depth 1", use="illegal.bin")
report.check("illegal moves are not played", from_book(answers) == 0 and len(best(answers)) == 1, answers)

# --- Files that are not books --------------------------------------------------------------------

with open(path("book.bin"), "rb") as file:
    good = file.read()
write("empty", b"")
write("short", good[:-1])
write("unsorted", good[16:] + good[:16])
write("text.pgn", b'[Event "?"]\n\n1. e4 *\n')
os.mkfifo(path("pipe"))
for bad in ("empty", "short", "unsorted", "text.pgn", "pipe", "missing", "."):
    answers = talk(f"setoption name BookFile value {path(bad)}", "isready", "go depth 1")
    errors = [line for line in answers if line.startswith("info string error: option BookFile: ")]
    report.check(f"a file that is not a book keeps the book: {bad}", len(errors) == 1 and from_book(answers) == 1, answers)
    report.check(f"the error is short and printable: {bad}", all(re.fullmatch("[ -~]{1,220}", line) for line in errors), errors)
report.finish()
