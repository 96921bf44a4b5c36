# SPDX-License-Identifier: MIT
"""The vocabulary of the cases: what is sent to the program, and what must come back.

A case is a list of steps. A text is sent with a line end behind it; `hear`, `silence` and `pause` are the other steps. A
case of texts only is sent in one write, and then the input is closed. The checks read all answers after the program has
ended. Every case also checks: exit status 0, nothing on standard error, `isready` answered at the end, exactly the error
lines that the case states, and each of those printable and short.
"""

import re
from dataclasses import dataclass, field

MOVE = "[a-h][1-8][a-h][1-8][nbrq]?"
BEST = f"bestmove {MOVE}( ponder {MOVE})?"
NO_MOVE = "bestmove 0000"


@dataclass
class Case:
    """`id` is that of the contract: a known case, or the rule that a case of our own is about."""

    id: str
    name: str
    steps: list
    checks: list = field(default_factory=list)
    errors: int = 0  # how many commands are refused; None if unknown
    tries: int = 1  # for checks of time: a busy machine may need more than one
    stack_kb: int = None
    long: bool = False  # only with LUFT_TEST_LONG=1
    as_is: bool = False  # ignores LUFT_TEST_THREADS: the first line must be its own


@dataclass
class Command:
    """A run of the program with arguments: `repeat` times the input, the last line, limits of memory and speed."""

    id: str
    name: str
    arguments: list
    input: bytes
    last: str
    status: tuple
    repeat: int = 1
    rss_mb: int = None
    rate_mb: int = 0  # minimum megabytes of input per second


@dataclass
class Elsewhere:
    """A case in another test: the text must be in that file."""

    id: str
    file: str
    text: str


@dataclass
class NotHere:
    """A case that cannot be tested here, and why."""

    id: str
    why: str


# --- Steps -------------------------------------------------------------------------


@dataclass
class hear:
    """Waits for an answer that matches as a whole; `at_most` and `at_least` are seconds since the last text was sent.

    Engine.is_late says what is late on a machine that does other work too.
    """

    pattern: str
    at_most: float = None
    at_least: float = 0


@dataclass
class silence:
    """No answer matches for that many seconds."""

    pattern: str
    seconds: float


@dataclass
class pause:
    seconds: float


# --- Checks: each takes the answers, and returns what is wrong, or None -----------


def says(pattern, times=None):
    """An answer matches as a whole; exactly `times` do, if given."""

    def check(answers):
        count = sum(1 for line in answers.lines if re.fullmatch(pattern, line))
        good = count == times if times is not None else count > 0
        return None if good else f"{count} answers match {pattern}, not {'some' if times is None else times}"

    return check


def says_before_each_best(pattern):
    """Some answer matches between any best move and the one before it."""

    def check(answers):
        said, number = False, 0
        for line in answers.lines:
            said = said or re.fullmatch(pattern, line) is not None
            if line.startswith("bestmove"):
                number += 1
                if not said:
                    return f"nothing matches {pattern} before best move {number}"
                said = False
        return None

    return check


def best(times=1):
    """Exactly `times` best moves, each a move."""
    return says(BEST, times)


def legal(position):
    """Every best move is legal in this position."""

    def check(answers):
        moves = answers.legal_moves(position)
        wrong = [m.group(1) for m in (re.match("bestmove (.*?)(?= |$)", line) for line in answers.lines) if m]
        wrong = [move for move in wrong if move not in moves]
        return f"not legal: {wrong}" if wrong else None

    return check


def fen(text, times=1):
    return says("Fen: " + re.escape(text), times)


def perft(*counts):
    """The counts of `go perft`, in order."""

    def check(answers):
        found = tuple(int(line.split()[-1]) for line in answers.lines if line.startswith("Nodes searched: "))
        return None if found == counts else f"perft {found}, expected {counts}"

    return check


def _numbers(answers, name):
    found = (re.match(rf"info .*?\b{name} (\d+)\b", line) for line in answers.lines)
    return [int(m.group(1)) for m in found if m]


def depth(least=0, most=1000):
    """The maximum depth of the info lines."""

    def check(answers):
        greatest = max(_numbers(answers, "depth"), default=-1)
        return None if least <= greatest <= most else f"depth {greatest}, expected {least} to {most}"

    return check


def nodes(most):
    def check(answers):
        greatest = max(_numbers(answers, "nodes"), default=0)
        return None if greatest <= most else f"{greatest} nodes, at most {most} expected"

    return check
