#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/test/run counts what test programs report, and its pool runs every job. Argument: the path of the program, unused."""

import os
import sys
import threading
import time

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
from report import Report  # noqa: E402
from scripts import load  # noqa: E402

run = load("scripts/test/run")
report = Report()

# --- Counting: passed, failed, reasons of skipped tests -----------------------------------------

CASES = [
    ("cmocka, all pass", "cmocka", 0, ["1..2", "ok 1 - a", "ok 2 - b", "ok - tests"], (2, 0, [])),
    ("cmocka, one fails", "cmocka", 1, ["1..2", "ok 1 - a", "not ok 2 - b", "not ok - tests"], (1, 1, [])),
    ("cmocka, a test without its file", "cmocka", 0, ["1..2", "ok 1 - a", "# skipped: no file", "not ok 2 # SKIP b"], (1, 0, ["b: no file"])),
    ("cmocka, a test without a reason", "cmocka", 0, ["1..2", "not ok 1 # SKIP a", "ok 2 - b"], (1, 0, ["a"])),
    ("cmocka, fewer than planned", "cmocka", 0, ["1..3", "ok 1 - a", "ok 2 - b"], (2, 1, [])),
    ("cmocka, a crash", "cmocka", -11, ["1..3", "ok 1 - a"], (1, 1, [])),
    ("a script, two without their tools", "script", 0, ["ok - a", "ok - b: skipped: no c", "ok - skipped: no d"], (1, 0, ["b: no c", "no d"])),
    ("a script, a name with the word", "script", 0, ["ok - a frame to be skipped comes first"], (1, 0, [])),
    ("a script, two fail", "script", 1, ["ok - a", "not ok - b", "not ok - c"], (1, 2, [])),
    ("a script, a failure that is not reported", "script", 1, ["ok - a"], (1, 1, [])),
    ("a script that reports nothing", "script", 0, ["nothing"], (0, 1, [])),
    ("node, with parts of tests", "script", 0, ["ok 1 - a", "# Subtest: b", "    ok 1 - c", "ok 2 - b # SKIP no d", "1..2"], (1, 0, ["no d"])),
]
for name, kind, status, lines, expected in CASES:
    counted = run.count(lines, status, kind)
    report.check(f"counts: {name}", counted[:3] == expected, counted)

# --- The pool ----------------------------------------------------------------------------------


class Job:
    """Records how many jobs run at once."""

    active = most = done = 0
    lock = threading.Lock()

    def __init__(self, name):
        self.name = name

    def run(self):
        with Job.lock:
            Job.active += 1
            Job.most = max(Job.most, Job.active)
        time.sleep(0.01)
        with Job.lock:
            Job.active -= 1
            Job.done += 1


pool = run.Pool()
pool.add([Job("a") for _ in range(5)])
deadline = time.monotonic() + 10
while Job.done < 5 and time.monotonic() < deadline:
    time.sleep(0.01)
report.check("one job at a time beside the builds", Job.most == 1 and Job.done == 5, [Job.most, Job.done])
pool.add([Job("b") for _ in range(50)])
pool.finish()
report.check("all jobs run", Job.done == 55, Job.done)
report.check("several at once after the builds", 1 < Job.most <= run.JOBS + 1, Job.most)
report.finish()
