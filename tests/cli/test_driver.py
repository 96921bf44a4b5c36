#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The UCI driver of the tests tells a late engine from a busy machine. Argument: the path of the program, unused."""

import os
import stat
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import uci  # noqa: E402
from report import Report  # noqa: E402

# Answers after it has worked, or slept, for 0.3 s. An engine that other processes keep from running looks like the sleeper.
ENGINE = f"""#!{sys.executable}
import sys, time
for line in sys.stdin:
    end = time.process_time() + 0.3
    while line == "work\\n" and time.process_time() < end:
        pass
    if line == "sleep\\n":
        time.sleep(0.3)
    print("done", flush=True)
"""
report = Report()


def is_late(engine, command, seconds):
    watch = engine.start_watch()
    engine.tell(command)
    return engine.is_late(watch, engine.hear("done", uci.HANG_S)[0], seconds)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "engine")
    with open(path, "w", encoding="utf-8") as file:
        file.write(ENGINE)
    os.chmod(path, stat.S_IRWXU)
    uci.SLOWDOWN, uci.BUSY_FACTOR = 1, 2
    for is_exact in (False, True):
        uci.IS_EXACT = is_exact
        name = "where times are exact" if is_exact else "on any machine"
        with uci.Engine(path) as engine:
            engine.tell("begin")
            engine.hear("done", uci.HANG_S)
            report.check(f"an engine that works too long is late {name}", is_late(engine, "work", 0.1))
            found = is_late(engine, "sleep", 0.2)
            report.check(f"one that does not run is {'' if is_exact else 'not '}late {name}", found == is_exact, found)
            report.check(f"one that sleeps far too long is late {name}", is_late(engine, "sleep", 0.1))
            report.check(f"one that is in time is not late {name}", not is_late(engine, "sleep", uci.HANG_S))
            engine.end()

report.finish()
