# SPDX-License-Identifier: MIT
"""Sessions: U1 to U10, and the rules R1 (nothing ends it), R2 (one error line), R4 (one best move), R5 (isready), R9 (lines), R10."""

import os
import random
import re
import shutil
import subprocess
import tempfile

from table import (
    BEST,
    NO_MOVE,
    Case,
    Elsewhere,
    NotHere,
    best,
    fen,
    hear,
    legal,
    pause,
    perft,
    says,
    says_before_each_best,
    silence,
)

MATE_IN_ONE = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
MATED = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"
STALEMATED = "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"
CASTLING = "fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1"
BOTH_CASTLE = "fen 1r2k2r/8/8/8/8/8/8/1R2K2R w BHbh - 0 1"
ON, OFF = "setoption name UCI_Chess960 value true", "setoption name UCI_Chess960 value false"


# --- Known cases ---------------------------------------------------------------------


def noise_cases():
    """Lines that nobody should send. Every tenth is one of go, and is stopped."""
    source = random.Random(5)
    printable = [chr(c) for c in range(32, 127)]
    words = "position startpos fen moves go depth infinite ponder stop setoption name value e2e4 - 0 -1 w".split()
    lines, goes = [], 0
    for i in range(10000):
        if i % 3 == 0:
            line = "".join(source.choices(printable, k=source.randrange(60)))
        else:
            line = " ".join(source.choices(words, k=source.randrange(1, 7)))
        if i % 10 == 0:
            line = "go " + line
        if re.match(r"\s*(quit|bench|go\s.*perft)\b", line):
            continue
        lines.append(line)
        if re.match(r"\s*go( |$)", line):
            goes += 1
            lines.append("stop")

    def check(answers):
        count = sum(1 for line in answers.lines if line.startswith("bestmove "))
        return None if count == goes else f"{count} best moves for {goes} go"

    def at_most_one(answers):
        count = sum(1 for line in answers.lines if line.startswith("info string error: "))
        return None if count <= len(lines) else f"{count} errors for {len(lines)} lines"

    yield Case("U1", "10,000 lines of printable noise", lines, [check, at_most_one], errors=None)
    junk = bytes(source.randrange(256) for _ in range(200000)).decode("latin-1")
    yield Case("U1", "200,000 random bytes", [junk], errors=None)


def known_cases(path):
    yield from noise_cases()
    ready = [x for _ in range(1000) for x in ("isready", hear("readyok", at_most=0.05))]
    steps = ["go infinite", *ready, silence("bestmove.*", 0), "stop", hear(BEST)]
    yield Case("U2", "isready 1,000 times during go infinite", steps, [says("bestmove.*", 1)], tries=3)
    yield Case(
        "U3",
        "go infinite and stop without a gap, 50 times",
        ["go infinite", "stop"] * 50,
        [best(50), legal("startpos")],
    )
    yield Case(
        "U3",
        "go and stop in one write: a line with a score, and no blind move",
        ["position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "go infinite\nstop"],
        [says("info depth 1 .* score .*"), says("bestmove e4d5.*", 1)],
    )
    for threads in (1, 2, 4):
        steps = [f"setoption name Threads value {threads}", "position startpos", *(["go infinite\nstop"] * 20)]
        yield Case(
            "U3",
            f"go and stop in one write: depth 1 is searched first, {threads} threads",
            steps,
            [best(20), says_before_each_best("info depth 1 seldepth .* score .* pv .*")],
        )
    wait = hear(BEST, at_least=0.4, at_most=5)
    yield Case(
        "U4",
        "go ponder movetime: the clock starts at ponderhit",
        ["go ponder movetime 500", silence("bestmove.*", 0.8), "ponderhit", wait],
    )
    yield Case(
        "U4",
        "go ponder movetime: depths that were done before ponderhit do not count",
        [
            "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "go ponder movetime 300",
            silence("bestmove.*", 1.2),
            "ponderhit",
            hear(BEST, at_least=0.2, at_most=5),
        ],
    )
    yield Case(
        "U4",
        "go ponder movetime 15000: nothing before ponderhit",
        [
            "go ponder movetime 15000",
            silence("bestmove.*", 0.5),
            "ponderhit",
            silence("bestmove.*", 0.5),
            "stop",
            hear(BEST),
        ],
    )
    yield Case(
        "U5", "go ponder and ponderhit in one write", ["go ponder wtime 2000 btime 2000\nponderhit", hear(BEST, at_most=2)]
    )
    yield Case(
        "U5",
        "go ponder movetime and ponderhit in one write",
        ["go ponder movetime 300\nponderhit", hear(BEST, at_least=0.2, at_most=2)],
    )
    yield Case(
        "U5", "go ponder and ponderhit, 50 times in one write", ["go ponder nodes 50", "ponderhit"] * 50, [best(50)]
    )
    others = [
        "ucinewgame",
        "setoption name Clear Hash",
        "position startpos moves d2d4",
        "setoption name Hash value 4",
        "flip",
    ]
    others += [
        "setoption name Threads value 2",
        ON,
        "setoption name MultiPV value 3",
        "setoption name UCI_Elo value 900",
        "d",
        "eval",
        "uci",
    ]
    others += [
        "setoption name EvalFile value",
        "setoption name UCI_ShowWDL value true",
        "setoption name nodestime value 7",
        "debug on",
    ]
    for other in others:
        steps = ["go infinite", other, MATE_IN_ONE, "go depth 4"]
        yield Case("U6", f"{other} while searching", steps, [best(2), says("bestmove a1a8", 1)])
    wrong = [f"setoption name {name} value x" for name in ("Hash", "Threads", "Nonsense", "UCI_Elo", "EvalFile")]
    for command in (*wrong, "setoption name EvalFile value /dev/zero", f"setoption name EvalFile value {__file__}", "bench x"):
        steps = ["go infinite", command, silence("bestmove.*", 0.2), "stop", hear(BEST)]
        yield Case("U6", f"{os.path.basename(command)}: what is refused does not end the search", steps, errors=1)
    yield Elsewhere("U7", "tests/cli/test_uci_lines.py", "check_lines.py")
    yield Case("U8", "a log that cannot be written", ["setoption name Debug Log File value /nofolder/a"], errors=1)
    yield compliance(path)
    yield from castling_cases()


def compliance(path):
    fastchess = os.environ.get("FASTCHESS") or shutil.which("fastchess")
    if not fastchess:
        return NotHere("U9", "fastchess is not installed")

    def check(answers):
        del answers
        with tempfile.TemporaryDirectory() as place:
            run = subprocess.run(
                [fastchess, "--compliance", path], cwd=place, capture_output=True, text=True, timeout=60, check=False
            )
        return None if "passed all compliance checks" in run.stdout else run.stdout[-500:]

    return Case("U9", "fastchess --compliance", [], [check])


def castling_cases():
    after = "4k3/8/8/8/8/8/5PPP/5RK1 b - - 1 1"
    steps = [
        f"position {CASTLING} moves e1g1",
        "d",
        ON,
        f"position {CASTLING} moves e1h1",
        "d",
        f"position {CASTLING} moves e1g1",
        "d",
    ]
    yield Case("U10", "e1g1 and e1h1 both castle", steps, [fen(after, 3)])
    for mode, word in ((OFF, "e1g1"), (ON, "e1h1")):
        for asked in ("e1g1", "e1h1"):
            steps = [mode, f"position {CASTLING}", f"go depth 2 searchmoves {asked}"]
            yield Case(
                "U10", f"{mode[-5:]}: castling asked as {asked} is {word}", steps, [says(f"bestmove {word}.*", 1)]
            )
    steps = [
        ON,
        "position startpos",
        "go depth 1",
        OFF,
        f"position {CASTLING}",
        "go depth 3 searchmoves e1g1",
        ON,
        "go depth 3 searchmoves e1g1",
    ]
    yield Case("U10", "on and off between games", steps, [says("bestmove e1g1.*", 1), says("bestmove e1h1.*", 1)])
    steps = [ON, f"position {BOTH_CASTLE} moves e1b1 e8h8", "d"]
    yield Case("U10", "king takes rook, both sides", steps, [fen("1r3rk1/8/8/8/8/8/8/2KR3R w - - 2 2")])
    yield Case(
        "U10",
        "changed in the midst of a search: moves of one search are of one mode",
        ["go infinite", ON, OFF, ON, "go depth 1"],
        [best(2)],
    )


# --- Rules -----------------------------------------------------------------------------

STATES = {
    "nothing": [],
    "half a line": ["isready\nisrea"],
    "no position": ["position fen x"],
    "go depth 3": ["go depth 3"],
    "go infinite": ["go infinite"],
    "go ponder": ["go ponder wtime 1000 btime 1000"],
    "go ponder and ponderhit": ["go ponder movetime 100", "ponderhit"],
    "go mate 3": ["position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "go mate 3"],
    "go perft 3": ["go perft 3"],
    "bench 1": ["bench 1"],
    "a mate": [f"position fen {MATED}", "go infinite"],
    "a mate in ponder": [f"position fen {MATED}", "go ponder"],
    "four threads": ["setoption name Threads value 4", "go infinite"],
    "go while another search runs": ["go infinite", "go infinite"],
}


def end_cases():
    """R1: in every state, the end of the input and quit end the program with status 0."""
    for state, lines in STATES.items():
        errors = 1 if state in ("no position", "half a line") else 0
        end = Case("R1", f"the end of the input: {state}", ["isready", *lines], errors=errors)
        yield end
        if state != "half a line":
            long = [line.replace("perft 3", "perft 9").replace("bench 1", "bench 90") for line in lines]
            yield Case("R1", f"quit: {state}", ["isready", *long, "quit"], errors=errors)
    yield Case(
        "R1", "quit with words behind it", ["isready", "quit now please", "go infinite"], [says("bestmove.*", 0)]
    )
    yield Case("R1", "what comes after quit is not read", ["isready", "quit", "position fen x"])


BAD_LINES = {
    "bytes beyond ASCII": [
        "go \x80\xff\x1b[2J",
        "position fen \x01\x02\xfe w - -",
        "setoption name \xe2\x99\x9e value \x7f",
        "\xc3\xa4",
        "position startpos moves \xff",
    ],
    "NUL bytes": [
        "\0",
        "isready\0",
        "\0isready",
        "go\0",
        "position\0startpos",
        "setoption\0name Hash",
        "setoption name Hash value 4\0",
        "position startpos moves e2e4\0",
    ],
    "NUL in the name of a file": ["setoption name EvalFile value a\0b", "setoption name Debug Log File value a\0b"],
    "control characters": ["\x07", "\x1b[31misready", "\x0bisready", "\x0cisready", "isready\x1a", "uci\b\b\b"],
    "percent signs": [
        "%s%s%n",
        "position %n",
        "setoption name %s%s%s value %d",
        "position startpos moves %s",
        "position fen %n%n%n%n w - - 0 1",
    ],
    "unknown words": [
        "hello",
        "isready?",
        "ISREADY",
        "Go depth 3",
        "xyzzy go depth 3",
        "joho debug on",
        "quit!",
        "e2e4",
        "-h",
        "--help",
    ],
    "setoption without what it needs": [
        "setoption",
        "setoption name",
        "setoption value 3",
        "setoption Hash 4",
        "setoption name value",
        "setoption name value value value",
        "setoption names Hash value 4",
    ],
    "one letter too many or few": [
        "positio startpos",
        "positions startpos",
        "setoptio name Hash value 4",
        "stopp",
        "ponderhi",
    ],
    "lines of 1 MB": [
        "go depth " + "9" * 1000000 + "x",
        "go " + "x " * 500000,
        "go " + "depth x " * 100000,
        "x" * 1000000,
        "position " + "x" * 1000000,
        "position fen " + "x " * 500000,
        "position startpos moves " + "x" * 1000000,
        "setoption name " + "x" * 1000000,
        "setoption name Hash value " + "9" * 1000000,
        "setoption name EvalFile value " + "x" * 1000000,
        "position startpos moves" + " e2e4" * 200000,
    ],
}


def refused_cases():
    """R2: exactly one line for each."""
    for name, lines in BAD_LINES.items():
        yield Case("R2", f"one line for each: {name}", lines, errors=len(lines))
    yield Case(
        "R2",
        "the name of an option of 300 letters, and a value of 300",
        ["setoption name " + "n" * 300 + " value 1", "setoption name Hash value " + "v" * 300],
        errors=2,
    )
    words = [
        "fly me",
        "depth x nodes y",
        "searchmoves e2e5 e2e6 depth 2",
        "searchmoves e2e5 me up",
        "fly perft x",
        "fly perft 65",
        "fly perft 1",
    ]
    for text in words:
        first = says("info string error: .*(fly|go depth|e2e5).*", 1)
        yield Case("R2", f"go {text}: one line, of what is wrong first", [f"go {text}"], [first], errors=1)


def best_move_cases():
    """R4: exactly one best move for each go, and none too early."""
    for position in (f"fen {MATED}", f"fen {STALEMATED}", "startpos"):
        for go in (
            "go infinite",
            "go ponder",
            "go ponder depth 1",
            "go infinite nodes 10",
            "go ponder movetime 0",
            "go ponder wtime 0 btime 0",
            "go infinite mate 0",
            "go ponder winc 5",
            "go",
            "go searchmoves e2e5",
        ):
            if position != "startpos" and go in ("go searchmoves e2e5", "go ponder winc 5", "go infinite mate 0"):
                continue
            steps = [
                f"position {position}",
                go,
                silence("bestmove.*", 0.12),
                "stop",
                hear(BEST if position == "startpos" else NO_MOVE),
            ]
            yield Case(
                "R4",
                f"{position}: {go}: none before stop",
                steps,
                [says("bestmove.*", 1)],
                errors=1 if "e2e5" in go else 0,
            )
    for name, fen_ in (("mate", MATED), ("stalemate", STALEMATED)):
        yield Case(
            "R4",
            f"{name}: bestmove 0000",
            [
                f"position fen {fen_}",
                "go depth 5",
                "go movetime 10",
                "go nodes 10",
                "go mate 1",
                "go wtime 10 btime 10",
            ],
            [says(NO_MOVE, 5)],
        )
        yield Case(
            "R4",
            f"{name}: ponderhit",
            [
                f"position fen {fen_}",
                "go ponder wtime 100 btime 100",
                silence("bestmove.*", 0.1),
                "ponderhit",
                hear(NO_MOVE),
            ],
        )
    yield Case(
        "R4",
        "go while a search runs: one for each",
        ["go infinite", "go infinite", "go ponder", "go depth 2"],
        [best(4)],
    )
    yield Case(
        "R4", "stop and ponderhit without a search", ["stop", "ponderhit", "stop", "stop"], [says("bestmove.*", 0)]
    )
    yield Case(
        "R4",
        "stop twice, and ponderhit behind it",
        ["go infinite", pause(0.05), "stop\nstop\nponderhit\nstop"],
        [best(1)],
    )
    yield Case(
        "R4",
        "ponderhit without ponder leaves an infinite search",
        ["go infinite", "ponderhit", silence("bestmove.*", 0.2), "stop", hear(BEST)],
    )
    late = [
        "go ponder",
        "stop",
        "setoption name Threads value 4",
        "ponderhit",
        "setoption name Threads value 1",
        "ponderhit",
    ]
    yield Case("R4", "ponderhit when the search and its threads are gone", [*late, "go depth 3"], [best(2)])
    yield Case("R4", "ponderhit twice", ["go ponder movetime 200", "ponderhit", "ponderhit", hear(BEST, at_most=2)], [best(1)])
    yield Case(
        "R4",
        "go ponder infinite: ponderhit does not end it",
        ["go ponder infinite", "ponderhit", silence("bestmove.*", 0.2), "stop", hear(BEST)],
    )
    yield Case(
        "R4",
        "stop behind go behind perft",
        ["go perft 9", "go infinite", "stop", hear("info string perft was stopped"), hear(BEST)],
    )
    yield Case(
        "R4",
        "stop behind two go behind bench",
        [
            "bench 90",
            "go infinite",
            "go infinite",
            "stop",
            hear("info string bench was stopped"),
            hear(BEST),
            hear(BEST),
        ],
    )
    yield Case(
        "R4",
        "stop behind two perft and a bench ends them all",
        [
            "go perft 12",
            "go perft 12",
            "bench 90",
            "stop",
            "go depth 1",
            hear("info string perft was stopped"),
            hear("info string perft was stopped"),
            hear("info string bench was stopped"),
            hear(BEST),
        ],
    )


def ready_cases():
    """R5: isready is answered within a second whatever came before."""
    long_list = "position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 50000
    befores = [
        "go infinite",
        "go perft 12",
        "bench 90",
        "go ponder",
        long_list,
        "setoption name Hash value 1",
        "setoption name Threads value 64\ngo infinite",
        "ucinewgame",
    ]
    befores += [
        "setoption name MultiPV value 256\nposition fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1\ngo infinite",
        "go perft 12\nposition startpos\ngo infinite\nd\neval",
    ]
    for before in befores:
        shown = before.replace("\n", ", ")
        yield Case(
            "R5", f"isready behind {shown[:70]}", [before, "isready", hear("readyok", at_most=1), "stop"], tries=3
        )
    waiting = ["d" + " " * (1 << 20)] * 17
    yield Case(
        "R5",
        "17 MB of commands wait for perft: the queue is bounded, one error line, and each command is answered",
        ["go perft 12", *waiting, "isready"],
        [says("info string perft was stopped", 1), says("Fen: .*", 17)],
        errors=1,
    )


def line_cases():
    """R9: how lines end, and what stands between words."""
    yield Case(
        "R9",
        "a byte order mark, CR LF, blanks",
        ["\xef\xbb\xbfisready\r", "\t isready \r", " \t isready\t\t"],
        [says("readyok", 4)],
        as_is=True,
    )
    yield Case(
        "R9",
        "a byte order mark on another line is refused",
        ["isready", "\xef\xbb\xbfisready"],
        [says("readyok", 2)],
        errors=1,
    )
    yield Case("R9", "empty lines, of blanks, of CR", ["", "\r", "   ", "\t\t\r", "\n\n\n"], [says(".*", 1)])
    yield Case(
        "R9",
        "tabs between all words",
        ["position\tstartpos\tmoves\te2e4\t\te7e5\r", "d", "go\tdepth\t3\tsearchmoves\tg1f3\r"],
        [fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"), says("bestmove g1f3.*", 1)],
    )
    yield Case(
        "R9",
        "options with odd blanks",
        [
            "setoption  name   Hash\tvalue  4 ",
            "setoption name Clear \t Hash",
            "setoption\tname Move   Overhead   value   20",
            "setoption name UCI_Chess960 value  TRUE ",
        ],
        [],
    )
    yield Case(
        "R9",
        "the last line without its end",
        ["isready", "go depth 3\nisready\nposition startpos moves e2e4"],
        [best(1)],
    )
    yield Case(
        "R9",
        "a line of 1 MB that is good",
        ["position startpos" + " " * 1000000 + "moves e2e4" + "\t" * 1000000, "d", "go depth 2"],
        [fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"), best(1)],
    )
    yield Case("R9", "16 MB in one line", ["x" * (16 << 20)], errors=1)


def spelling_cases():
    """R10: what public tools look for."""
    yield Case(
        "R10",
        "go perft, d and bench",
        ["go perft 4", "d", "bench 2"],
        [perft(197281), fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), says(r"\d+ nodes \d+ nps", 1)],
    )
    yield Case("R10", "go perft 0", ["go perft 0"], [perft(1)])
    yield Case(
        "R10",
        "go perft without a good depth",
        ["go perft", "go perft x", "go perft -1", "go perft 65", "go perft 99999999999999999999"],
        [perft(), says("bestmove.*", 0)],
        errors=5,
    )
    yield Case(
        "R10",
        "bench without a good depth",
        ["bench 0", "bench x", "bench -1", "bench 246", "bench 99999999999999999999"],
        [says(".*nps", 0)],
        errors=5,
    )
    yield Case("R10", "go perft at mate", [f"position fen {MATED}", "go perft 1", "go perft 3"], [perft(0, 0)])
    yield Case(
        "R10",
        "bench leaves the position alone",
        ["position startpos moves e2e4", "bench 1", "d"],
        [fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")],
    )


def cases(path):
    yield from known_cases(path)
    yield from end_cases()
    yield from refused_cases()
    yield from best_move_cases()
    yield from ready_cases()
    yield from line_cases()
    yield from spelling_cases()
