#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the cases of the contract, Luft's promises on bad input, against the real program over pipes.

usage: run.py PATH-OF-LUFT [ID ...]

With ids (F1, R9 ...) runs only those. Prints one line for each case, `ok - ID: name` or `not ok - ID: name`, with the
reasons above it. The exit status is 1 if a case failed, or if an id of the contract has no entry in the tables.
LUFT_TEST_LONG=1 adds the long cases, LUFT_TEST_EXACT=1 takes times by the wall clock alone, LUFT_TEST_SLOW=5 multiplies every time limit by five.
LUFT_TEST_THREADS=4 lets every search use four threads, for the sanitizer of data races.
"""

import os
import re
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))

import cases_files  # noqa: E402
import cases_limits  # noqa: E402
import cases_position  # noqa: E402
import cases_session  # noqa: E402
from table import Case, Command, Elsewhere, NotHere, pause, silence  # noqa: E402
from uci import HANG_S, SLOWDOWN, Engine, converse  # noqa: E402

THREADS = int(os.environ.get("LUFT_TEST_THREADS", "1"))
KNOWN = {"F": 9, "U": 10, "M": 4, "L": 9, "D": 11, "A": 6, "C": 3, "W": 6}  # how many cases the contract has of each
ERROR = "info string error: "


class Answers:
    """All that a run of the program said, and how to ask it for the legal moves of a position."""

    cache = {}

    def __init__(self, path, lines):
        self.path = path
        self.lines = lines

    def legal_moves(self, position):
        if position not in self.cache:
            lines = converse(self.path, f"position {position}\ngo perft 1\n").answers
            self.cache[position] = {line[:-3] for line in lines if line.endswith(": 1")}
        return self.cache[position]


class Result:
    """A finished run of the program with arguments: exit status, last line, peak memory and time."""

    def __init__(self, path, arguments, content, repeat):
        begin = time.perf_counter()
        self.rss_mb = 0
        self.process = subprocess.Popen(
            [path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        writer = threading.Thread(target=self._write, args=(content, repeat))
        writer.start()
        lines = self.process.stdout.read().decode("latin-1").splitlines()
        writer.join()
        self.status = self.process.wait()
        self.process.stdout.close()
        self.last = lines[-1] if lines else ""
        self.seconds = time.perf_counter() - begin

    def _write(self, content, repeat):
        pipe = self.process.stdin
        try:
            for _ in range(repeat):
                view = memoryview(content)
                while view:
                    view = view[pipe.write(view) :]
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as about:
                found = re.search(r"VmHWM:\s*(\d+) kB", about.read())
                self.rss_mb = int(found.group(1)) / 1024 if found else 0
        except OSError:
            pass  # it has ended: the exit status reports it
        pipe.close()


def take_steps(engine, steps):
    """Goes through the steps; returns what was wrong, or None."""
    watch = engine.start_watch()
    for step in steps:
        if isinstance(step, str):
            watch = engine.start_watch()
            engine.tell(step)
        elif isinstance(step, pause):
            time.sleep(step.seconds)
        elif isinstance(step, silence):
            heard = engine.hear(step.pattern, step.seconds)
            if heard:
                return f"too early: {heard[1]}"
        else:
            heard = engine.hear(step.pattern, HANG_S)
            if not heard:
                return f"not heard: {step.pattern}"
            passed = heard[0] - watch[0]
            if passed < step.at_least or (step.at_most and engine.is_late(watch, heard[0], step.at_most)):
                return f"{heard[1]}: after {passed:.3f} s"
    return None


def judge(case, answers, status, stderr):
    """What is wrong with a run that has ended."""
    wrong = []
    if status != 0:
        wrong.append("did not end" if status is None else f"exit status {status}")
    if stderr:
        wrong.append(f"on standard error: {stderr[:200]!r}")
    if "readyok" not in answers.lines:
        wrong.append("isready was not answered")
    errors = [line for line in answers.lines if line.startswith(ERROR)]
    if case.errors is not None and len(errors) != case.errors:
        wrong.append(f"{len(errors)} error lines, expected {case.errors}")
    wrong += [
        f"not a good error line: {line[:300]!r}" for line in errors if not re.fullmatch(ERROR + "[ -~]{1,200}", line)
    ]
    wrong += [fault for fault in (check(answers) for check in case.checks) if fault]
    return wrong


def run_once(path, case):
    engine = Engine(path, stack_kb=case.stack_kb)
    if THREADS > 1 and not case.as_is:
        engine.tell(f"setoption name Threads value {THREADS}")
    if all(isinstance(step, str) for step in case.steps):
        engine.tell(*case.steps, "isready")
        fault = None
    else:
        fault = take_steps(engine, [*case.steps, "isready"])
    status = engine.end()
    answers = Answers(path, engine.answers)
    wrong = ([fault] if fault else []) + judge(case, answers, status, engine.stderr)
    return wrong, answers


def run_case(path, case):
    for left in reversed(range(case.tries)):
        wrong, answers = run_once(path, case)
        if not wrong:
            break
        if left:
            time.sleep(0.3)  # the machine is busy
    for fault in wrong:
        print(f"# {fault}")
    if wrong:
        for line in answers.lines[-8:]:
            print(f"#   {line[:160]}")
    print(f"{'not ok' if wrong else 'ok'} - {case.id}: {case.name}", flush=True)
    return not wrong


def run_command(path, entry):
    result = Result(path, entry.arguments, entry.input, entry.repeat)
    rate = len(entry.input) * entry.repeat / 1e6 / result.seconds
    good = result.status in entry.status and re.fullmatch(entry.last, result.last)
    good = (
        good and (entry.rss_mb is None or SLOWDOWN > 1 or 0 < result.rss_mb <= entry.rss_mb) and rate >= entry.rate_mb
    )
    if not good:
        print(
            f"# exit status {result.status}, {result.rss_mb:.0f} MB, {rate:.0f} MB/s, last line {result.last[:200]!r}"
        )
    print(f"{'ok' if good else 'not ok'} - {entry.id}: {entry.name}", flush=True)
    return bool(good)


def look_elsewhere(entry):
    try:
        with open(os.path.join(ROOT, entry.file), encoding="utf-8") as file:
            found = entry.text in file.read()
    except OSError:
        found = False
    print(f"{'ok' if found else 'not ok'} - {entry.id}: {entry.file}: {entry.text}")
    return found


def main():
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        print(__doc__.strip())
        return 2
    path, wanted = os.path.abspath(sys.argv[1]), set(sys.argv[2:])
    table = [entry for part in (cases_position, cases_session, cases_limits, cases_files) for entry in part.cases(path)]
    good = True
    missing = {f"{letter}{i}" for letter, count in KNOWN.items() for i in range(1, count + 1)} - {e.id for e in table}
    if missing:
        print(f"not ok - no entry for {' '.join(sorted(missing))}")
        good = False
    for entry in table:
        if wanted and entry.id not in wanted:
            continue
        if isinstance(entry, NotHere):
            print(f"ok - {entry.id}: skipped: {entry.why}")
        elif isinstance(entry, Elsewhere):
            good = look_elsewhere(entry) and good
        elif isinstance(entry, Command):
            good = run_command(path, entry) and good
        elif isinstance(entry, Case) and (not entry.long or os.environ.get("LUFT_TEST_LONG") == "1"):
            good = run_case(path, entry) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
