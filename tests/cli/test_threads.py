#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Several threads: every command during their search, more threads than processors, the maximum in little memory.

Also runs under the sanitizer of data races (make test-threads). Argument: the path of the program.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from report import Report  # noqa: E402
from uci import HANG_S, Engine, converse  # noqa: E402

LUFT = os.path.abspath(sys.argv[1])
BEST = "bestmove [a-h].*"
report = Report()


def best_moves(engine):
    return sum(1 for line in engine.answers if re.fullmatch(BEST, line))


engine = Engine(LUFT)
engine.tell("setoption name Threads value 4")
for command in (
    "isready",
    "stop",
    "ucinewgame",
    "setoption name Hash value 8",
    "setoption name Clear Hash",
    "position startpos moves e2e4",
    "setoption name Threads value 3",
    "setoption name MultiPV value 4",
    "setoption name EvalFile value <empty>",
    "setoption name Debug Log File value <empty>",
    "d",
    "eval",
    "flip",
    "uci",
    "setoption name UCI_ShowWDL value true",
    "go movetime 20",
    "go ponder wtime 100 btime 100",
    "ponderhit",
    "nonsense",
):
    # ucinewgame waits for the best move
    engine.tell("position startpos", "go infinite", command, "stop", "ucinewgame", "isready")
    report.check(f"four threads search: {command}", engine.hear("readyok", HANG_S), engine.answers[-8:])
engine.tell("compiler")
report.check("four threads: everything is answered", engine.hear("compiled with .*", HANG_S), engine.answers[-8:])
status = engine.quit()
report.check("four threads: ends well", status == 0 and not engine.stderr, [status, engine.stderr])
report.check("four threads: one best move for each go", best_moves(engine) == 21, best_moves(engine))

# Far more than there are processors. The limit is ten times the usual time.
for threads in (16, 64, 256):
    engine = Engine(LUFT)
    engine.tell(f"setoption name Threads value {threads}", "isready")
    engine.hear("readyok", HANG_S)
    watch = engine.start_watch()
    engine.tell("go movetime 200")
    heard = engine.hear(BEST, HANG_S)
    in_time = heard and not engine.is_late(watch, heard[0], 2.5)
    engine.quit()
    print(f"# {threads} threads, movetime 200: {heard and (heard[0] - watch[0]) * 1000:.0f} ms")
    good = in_time and best_moves(engine) == 1
    report.check(f"{threads} threads keep the time", good, engine.answers[-5:])

# The maximum of everything in a gigabyte of address space. A sanitizer build needs more even to start.
if converse(LUFT, "", memory_kb=1000000).status != 0:
    report.skip("the largest hash and all threads in little memory", "the program does not start in bounded address space")
else:
    script = "setoption name Hash value 33554432\nsetoption name Threads value 256\nisready\ngo depth 4\n"
    engine = converse(LUFT, script, memory_kb=1000000)
    good = engine.status == 0 and not engine.stderr
    report.check("the largest hash and all threads in little memory: ends well", good, [engine.status, engine.stderr])
    refused = [line for line in engine.answers if re.match("info string error: .*33554432 MB", line)]
    report.check("the largest hash: refused once, the old one stays", len(refused) == 1, engine.answers)
    report.check("the largest hash: one move", best_moves(engine) == 1, engine.answers)

report.finish()
