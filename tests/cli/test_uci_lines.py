#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the engine prints during a search (U7): tests/python/check_lines.py checks every variation of some hundred
searches; current moves are announced after three seconds.

Argument: the path of the program; the Python package must be beside it.
"""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
from report import Report  # noqa: E402
from uci import HANG_S, Engine  # noqa: E402

LUFT = os.path.abspath(sys.argv[1])
PACKAGE = os.path.join(os.path.dirname(LUFT), "python")
report = Report()


def check_lines(*arguments):
    """Runs check_lines.py; its output and whether it ended well."""
    command = [sys.executable, os.path.join(ROOT, "tests", "python", "check_lines.py"), LUFT, *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": PACKAGE}, check=False)
    return run.stdout + run.stderr, run.returncode == 0 and not run.stderr


def matches(pattern, output):
    return any(re.fullmatch(pattern, line) for line in output.splitlines())


# --- Variations are checked while another engine reaches its current moves ---------------------

engine = Engine(LUFT)
engine.tell("setoption name MultiPV value 3", "position fen 8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", "go infinite")
if not os.path.exists(PACKAGE):
    report.skip("variations", "the Python package is not beside the program")
else:
    text, is_good = check_lines(2000)
    good = is_good and matches(r"lines=\d+ bounds=\d+ ponder=\d+ errors=0", text)
    report.check("every variation is legal and ends where the game does, mates have their full length", good, text)
    good = matches(r"lines=\d{4,} bounds=[1-9]\d+ ponder=[1-9]\d{2} .*", text)
    report.check("some scores are bounds, most best moves have a ponder move", good, text)
    text, is_good = check_lines(2000, 7, 1000)
    good = is_good and matches(r"lines=\d{3,} bounds=\d+ ponder=[1-9]\d{2} errors=0", text)
    report.check("the same with limited strength: the last variation is that of the move played", good, text)

# The first current move follows the last line of the first three seconds; on a busy machine much later.
engine.hear(".* currmove .*", HANG_S)
engine.tell("stop")
engine.hear("bestmove .*", HANG_S)
answers = engine.answers
current = [i for i, line in enumerate(answers) if " currmove " in line]
form = r"info depth \d+ currmove [a-h][1-8][a-h][1-8] currmovenumber \d+"
report.check("a current move after three seconds", current and all(re.fullmatch(form, answers[i]) for i in current), answers)
times = [(i, int(found[1])) for i, found in enumerate(re.search(r" time (\d+) ", line) for line in answers) if found]
before = [time for i, time in times if current and i < current[0]]
after = [time for i, time in times if current and i > current[0]]
report.check("none before three seconds", before and before[-1] > 0 and after and after[0] >= 3000, [before, after])
report.check("ends well", engine.quit() == 0, engine.status)

report.finish()
