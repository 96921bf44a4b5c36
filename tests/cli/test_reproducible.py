#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A search by nodes is reproducible: in another process, locale, memory layout or environment, and after other searches.

Argument: the path of the program.
"""

import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from report import Report  # noqa: E402
from uci import HANG_S, Engine, converse  # noqa: E402

LUFT = os.path.abspath(sys.argv[1])
POSITIONS = (
    "startpos",
    "startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "fen 8/8/8/8/8/4k3/4p3/R3K3 b - - 0 1",
)
report = Report()


def search(position):
    return f"ucinewgame\nposition {position}\ngo nodes 20000\n"


def results(lines):
    """The last variation of each search without its times, and the best move."""
    last = None
    for line in lines:
        if " pv " in line:
            last = re.sub(" nps [0-9]+| time [0-9]+", "", line)
        elif line.startswith("bestmove"):
            yield last
            yield line


def run_with(*command):
    """All searches, each in a fresh process that this command starts. The end of the input lets the search finish."""
    lines = []
    for position in POSITIONS:
        run = subprocess.run(command, input=search(position), capture_output=True, text=True, check=False)
        lines += run.stdout.splitlines()
    return list(results(lines))


expected = [line for position in POSITIONS for line in results(converse(LUFT, search(position)).answers)]
good = len(expected) == 10 and all(" nodes " in line for line in expected[::2])
report.check("each search gives a variation and a move", good, expected)


def same(name, got):
    report.check(name, got == expected, got)


same("the same in another process", run_with(LUFT))
same("the same in another locale", run_with("env", "LC_ALL=tr_TR.UTF-8", "LANG=de_DE.UTF-8", "TZ=Asia/Tokyo", LUFT))
# Few machines have these locales. The program never sets one, which makes the check above certain.
symbols = subprocess.run(["nm", "-D", LUFT], capture_output=True, text=True, check=False).stdout
good = " __libc_start_main" in symbols and not re.search(r" (set|new|use)locale(@|$)", symbols, re.M)
report.check("the program cannot set a locale", good, symbols[:200])
same("the same in an empty environment", run_with("env", "-i", LUFT))
if shutil.which("setarch") and subprocess.run(["setarch", "-R", "true"], capture_output=True, check=False).returncode == 0:
    same("the same without address randomisation", run_with("setarch", "-R", LUFT))
else:
    report.skip("the same without address randomisation", "setarch -R does not work here")
small = [line for position in POSITIONS for line in results(converse(LUFT, search(position), stack_kb=1024).answers)]
same("the same with a small stack", small)

# All in one session, after other searches.
engine = Engine(LUFT)
got = []
for position in POSITIONS:
    engine.tell("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "go nodes 3000")
    engine.read_until("bestmove", HANG_S)
    engine.tell("setoption name Hash value 8", "setoption name Hash value 16", "setoption name MultiPV value 3", "go depth 5")
    engine.read_until("bestmove", HANG_S)
    engine.tell("setoption name MultiPV value 1")
    engine.send(search(position))
    got += results(engine.read_until("bestmove", HANG_S)[1])
engine.quit()
same("the same after other searches and ucinewgame", got)

report.finish()
