#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Loads bad networks into a UCI session: each is refused, and the network in force stays in force.

usage: bad_networks.py PATH-OF-LUFT GOOD-NETWORK BAD-NETWORK...      called by test_bad_files.sh
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from report import Report  # noqa: E402
from uci import HANG_S, Engine  # noqa: E402

report = Report()
engine = Engine(sys.argv[1])


def hear(name, pattern):
    report.check(name, engine.hear(pattern, HANG_S), engine.answers[-5:])


def load(path):
    engine.tell(f"setoption name EvalFile value {os.path.abspath(path)}")


load(sys.argv[2])
engine.tell("eval")
for bad in sys.argv[3:]:
    load(bad)
    hear(f"a network that is {bad}: refused", "info string error: .*EvalFile.*")
    engine.tell("isready")
    hear(f"a network that is {bad}: the session continues", "readyok")
engine.tell("eval", "go depth 2")
hear("bad networks: the engine still moves", "bestmove .*")
report.check("bad networks: ends well", engine.quit() == 0 and not engine.stderr, engine.stderr)
totals = [line for line in engine.answers if line.startswith("evaluation: ")]
report.check("bad networks: the network in force stays", len(totals) == 2 and totals[0] == totals[1], totals)
report.finish()
