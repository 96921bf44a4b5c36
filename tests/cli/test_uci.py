#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The UCI protocol as a GUI uses it. tests/contract has bad input. Argument: the path of the program."""

import os
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from report import Report  # noqa: E402
from uci import HANG_S, converse  # noqa: E402

LUFT = os.path.abspath(sys.argv[1])
MOVE = "[a-h][1-8][a-h][1-8]"
report = Report()


def talk(text):
    """A conversation that must end well: status 0, nothing on standard error."""
    engine = converse(LUFT, text)
    if engine.status != 0 or engine.stderr:
        report.check(f"ends well: {text!r}", False, [engine.status, engine.stderr])
    return engine.answers


def count(pattern, lines):
    return sum(1 for line in lines if re.search(pattern, line))


# --- The protocol ------------------------------------------------------------------------

answers = talk("uci\nisready\nquit\n")
report.check("id name", count(r"^id name Luft [0-9.]+$", answers) == 1, answers)
report.check("the variant for this CPU", count(r"^info string variant [a-z0-9-]+$", answers) == 1, answers)
report.check("uciok", "uciok" in answers, answers)
report.check("readyok", "readyok" in answers, answers)

answers = talk("position startpos moves e2e4 e7e5\ngo depth 8\n")
report.check("a finite search completes at the end of the input", count(rf"^bestmove {MOVE}( ponder {MOVE})?$", answers), answers)
report.check("an info line for each depth", count(r"^info depth 8 seldepth [0-9]* multipv 1 score ", answers) >= 1, answers)
report.check("exactly one bestmove", count("^bestmove", answers) == 1, answers)

answers = talk("go infinite\nisready\nstop\nisready\nquit\n")
report.check("stop answers with a move", count(rf"^bestmove {MOVE}", answers) == 1, answers)
report.check("isready is answered during a search", answers.count("readyok") == 2, answers)

answers = talk("go infinite\n")
report.check("the end of the input stops an infinite search", count("^bestmove", answers) == 1, answers)

answers = talk("setoption name MultiPV value 3\ngo depth 5\n")
report.check("three variations with MultiPV 3", count(r"^info depth 5 .* multipv [123] ", answers) == 3, answers)

# --- Output that nobody reads, input that does not block -------------------------------------

STATES = {
    "idle": "",
    "half a line": "isrea",
    "no position": "position x\n",
    "after a search": "go depth 1\n",
    "go infinite": "go infinite\n",
    "go ponder": "go ponder wtime 1000000 btime 1000000\n",
    "ponderhit": "go ponder wtime 100000000 btime 100000000\nponderhit\n",
    "go movetime": "go movetime 1000000\n",
    "go mate": "go mate 40\n",
    "four threads": "setoption name Threads value 4\ngo infinite\n",
    "go infinite in mate": "position fen R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1\ngo infinite\n",
    "perft": "go perft 12\n",
    "perft, lines wait": "go perft 12\nd\ngo infinite\n",
    "bench": "bench 60\n",
    "bench, jobs wait": "bench 60\ngo perft 12\nbench 60\ngo ponder\n",
}


class Orphan:
    """An engine whose answers nobody reads. `writer` is what the other end of its input does: stay, talk or leave."""

    def __init__(self, state, writer, output):
        self.name = f"nobody reads ({output}), the writer {writer}: {state}"
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec "$0" >&-', LUFT] if output == "closed" else [LUFT],
            stdin=subprocess.PIPE,
            stdout=open("/dev/full", "wb") if output == "full" else subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        self.is_talking = writer == "talks"
        self.say(b"isready\n" + STATES[state].encode())
        if output == "a pipe":
            self.process.stdout.readline()  # it has begun
            self.process.stdout.close()
        if writer == "leaves":
            self.process.stdin.close()

    def say(self, text):
        try:
            self.process.stdin.write(text)
        except BrokenPipeError:
            pass

    def has_ended(self):
        if self.is_talking:
            self.say(b"isready\n")
        return self.process.poll() is not None


WRITERS = ("stays", "talks", "leaves")
# Windows does not report that the reader of a pipe is gone: there only a writer that leaves ends the engine.
# A finite job there comes to its end first, which for these takes days.
IS_WINDOWS = bool(os.environ.get("LUFT_TEST_WINDOWS"))
WHO = ("leaves",) if IS_WINDOWS else WRITERS
PIPED = [state for state in STATES if not (IS_WINDOWS and state.startswith(("perft", "bench")))]
orphans = [Orphan(state, writer, "a pipe") for state in PIPED for writer in WHO]
orphans += [Orphan(state, writer, output) for state in STATES for writer in WHO for output in ("closed", "full")]
end = time.monotonic() + HANG_S  # each takes a few milliseconds; a search that is not stopped takes minutes
while not all([orphan.has_ended() for orphan in orphans]) and time.monotonic() < end:
    time.sleep(0.2)
for orphan in orphans:
    report.check(orphan.name, orphan.process.poll() in (0, 1), orphan.process.returncode)
    if orphan.process.returncode is None:
        orphan.process.kill()

answers = talk("go perft 5\nquit\nquit\n")
report.check("a script that ends in two quits gets its count", answers[-1:] == ["Nodes searched: 4865609"], answers)

end, start = os.pipe()
os.set_blocking(end, False)
process = subprocess.Popen([LUFT], stdin=end, stdout=subprocess.PIPE)
for part in (b"isr", b"eady\n", b"isready\n"):
    time.sleep(0.1)  # the engine finds nothing to read yet
    os.write(start, part)
os.close(start)
output = process.communicate(timeout=HANG_S)[0]
report.check("waits for an input that does not block", process.returncode == 0 and output == b"readyok\nreadyok\n", output)

# --- bench ---------------------------------------------------------------------------------

totals = []
for _ in range(2):
    answers = talk("bench 4\n")
    totals.append(re.fullmatch(r"([0-9]+) nodes [0-9]+ nps", answers[-1]))
report.check("bench ends with nodes and nps", all(totals), answers)
report.check("bench counts the same nodes each time", all(totals) and totals[0][1] == totals[1][1], totals)

report.finish()
