#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/test/release: a clean clone, results that survive a stop, one report. Argument: the path of the program, unused."""

import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
from report import Report  # noqa: E402
from scripts import load  # noqa: E402
from uci import HANG_S  # noqa: E402

release = load("scripts/test/release")
report = Report()


def shell(name, script, figures="[0-9]+ passed", **options):
    return release.Step(name, ["sh", "-c", script], figures, **options)


def check_release(*arguments):
    """Its own lines `ok - ` and `not ok - ` are not results of this test."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return release.check_release(*arguments)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


# --- The list -----------------------------------------------------------------------------------

full, tiny = release.all_steps(1), release.all_steps(1e-9)
names = [step.name for step in full]
report.check("every step has its own name and file", len(set(names)) == len(names), names)
targets = {name[5:-2] for name in os.listdir(os.path.join(ROOT, "tests", "fuzz")) if name.startswith("fuzz_") and name.endswith(".c")}
fuzzed = {name[5:] for name in names if name.startswith("fuzz ")}
report.check("every fuzz target is in the list", fuzzed == targets, fuzzed ^ targets)
listed = subprocess.run(["make", "-s", "-C", ROOT, "help"], capture_output=True, text=True, check=True).stdout
targets = set(re.findall(r"^ *(test|test-[a-z0-9-]+|check-[a-z0-9-]+|lint) ", listed, re.M))
report.check("make help lists tests and checks", {"test", "test-wheel", "check-abi", "lint"} <= targets, targets)
# test-long calls others: each of them is a step.
made = {step.command[1] for step in full if step.command[0] == "make"}
report.check("every test and check of make help is in the list", targets - {"test-long"} <= made, targets - made)
commands = [" ".join(step.command) for step in full]
for wanted in ("--runs 100000000 fen", "fuzz 3600 pgn", "--count 300 --seed 3", "SOAK_COUNT=5000", "UCI_S=3600"):
    report.check(f"the full budget: {wanted}", any(wanted in command for command in commands), commands)
commands = [" ".join(step.command) for step in tiny]
for wanted in ("--runs 1 fen", "fuzz 1 pgn", "--count 1 --seed 3", "SOAK_COUNT=1 ", "UCI_S=1"):
    report.check(f"the least budget: {wanted}", any(wanted in command for command in commands), commands)

# --- Runs in a repository of its own --------------------------------------------------------------

with tempfile.TemporaryDirectory() as root:
    os.environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)
    for name in ("AUTHOR", "COMMITTER"):
        os.environ[f"GIT_{name}_NAME"] = os.environ[f"GIT_{name}_EMAIL"] = "test"
    subprocess.run(["git", "init", "--quiet", root], check=True)
    with open(os.path.join(root, "Makefile"), "w", encoding="ascii") as file:
        file.write("print-VERSION:\n\t@echo 7.8.9\n")
    subprocess.run(["git", "-C", root, "add", "Makefile"], check=True)
    subprocess.run(["git", "-C", root, "commit", "--quiet", "-m", "one"], check=True)
    with open(os.path.join(root, "Makefile"), "a", encoding="ascii") as file:
        file.write("not committed\n")
    page = os.path.join(root, "page.md")
    ran = os.path.join(root, "ran")
    repaired = os.path.join(root, "repaired")
    steps = [
        shell("clean", f"echo clean >>{ran}; ! grep committed Makefile && [ -z \"$BUILD\" ] && echo 3 passed && echo noise"),
        shell("faulty", f"echo faulty >>{ran}; echo 5 passed; [ -e {repaired} ]"),
        shell("later", f"echo later >>{ran}"),
    ]
    os.environ["BUILD"] = "elsewhere"
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    good = check_release(root, steps, steps[:2], page)
    text = read(page)
    report.check("a failed step fails the run", not good)
    report.check("the next step runs all the same", read(ran).split() == ["clean", "faulty"], read(ran))
    report.check("the sources are those of the commit, the environment is clean", "1 of 3 steps passed" in text, text)
    report.check("the report has the version and the figures", "Luft 7.8.9" in text and "s | 3 passed |" in text, text)
    missing = text.split("## Not reached")[1]
    report.check("the report says what failed and what has not run", "faulty: failed" in missing and "later: not run" in missing, text)

    with open(repaired, "w", encoding="ascii"):
        pass
    good = check_release(root, steps, steps, page)
    text = read(page)
    report.check("what has passed is not run again, what failed is", read(ran).split() == ["clean", "faulty", "faulty", "later"], read(ran))
    report.check("all have passed", good and "3 of 3 steps passed" in text and "every step has passed" in text, text)

    steps[2] = shell("later", f"echo larger >>{ran}")
    check_release(root, steps, steps, page)
    report.check("a result counts only for its own command", read(ran).split()[4:] == ["larger"], read(ran))

    # A run that is stopped: the step in progress has no result, its processes are gone, and the next run begins with it.
    begun = os.path.join(root, "begun")
    steps.append(shell("long", f"echo $$ >{begun}.new && mv {begun}.new {begun}; sleep 1000; echo never"))
    steps.append(shell("last", f"echo last >>{ran}"))

    def stop_when_begun():
        end = time.monotonic() + HANG_S
        while not os.path.exists(begun) and time.monotonic() < end:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)

    stopper = threading.Thread(target=stop_when_begun)
    stopper.start()
    good = check_release(root, steps, steps, page)
    stopper.join()
    text = read(page)
    report.check("a stopped run reports what it has not reached", not good and "long: not run" in text and "last: not run" in text, text)
    report.check("it starts nothing more", "last" not in read(ran).split(), read(ran))
    try:
        os.kill(int(read(begun)), 0)
        is_gone = False
    except ProcessLookupError:
        is_gone = True
    report.check("it leaves no process behind", is_gone)
    steps[3] = shell("long", "echo 9 passed")
    good = check_release(root, steps, steps, page)
    report.check("a later run continues", good and "| 9 passed |" in read(page), read(page))

    # Steps that share run at the same time: each waits for the other.
    release.PROCESSORS = 2
    pair = [shell(a, f"touch {root}/{a}; until [ -e {root}/{b} ]; do sleep 0.01; done", shares=True) for a, b in ("xy", "yx")]
    watch = threading.Timer(HANG_S, lambda: os.kill(os.getpid(), signal.SIGTERM))
    watch.start()
    report.check("steps that use one processor share the machine", check_release(root, pair, pair, None))
    watch.cancel()

    clone = next(os.path.join(folder, "source") for folder, folders, _ in os.walk(os.path.join(root, "build")) if "source" in folders)
    with open(os.path.join(clone, "Makefile"), "a", encoding="ascii") as file:
        file.write("changed\n")
    try:
        check_release(root, steps, steps, page)
        refusal = ""
    except SystemExit as error:
        refusal = str(error)
    report.check("a changed clone is refused", "not a clean clone" in refusal, refusal)
    for number, handler in kept.items():
        signal.signal(number, handler)

result = subprocess.run([os.path.join(ROOT, "scripts", "test", "release"), "nonsense"], capture_output=True, text=True, check=False)
report.check("no such step", result.returncode != 0 and "no step is named nonsense" in result.stderr, result.stderr)
report.finish()
