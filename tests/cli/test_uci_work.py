#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`go perft` and `bench` in a UCI session do not block it (R5), and `luft bench`.

isready is answered while they run; stop and quit end them, except a quit at the end of a script; other commands wait.
Argument: the path of the program.
"""

import os
import re
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from report import Report  # noqa: E402
from uci import HANG_S, Engine, converse  # noqa: E402

LUFT = os.path.abspath(sys.argv[1])
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
NPS = r"\d+ nodes \d+ nps"
report = Report()


def hear(name, engine, pattern):
    report.check(name, engine.hear(pattern, HANG_S), engine.answers[-8:])


def found(pattern, lines):
    """What the pattern matches, line by line."""
    return [match[0] for match in (re.search(pattern, line) for line in lines) if match]


for long in ("go perft 12", "bench 60"):
    engine = Engine(LUFT)
    engine.tell(long, "isready")
    hear(f"{long}: isready is answered", engine, "readyok")
    engine.tell("position startpos moves e2e4", "isready")
    hear(f"{long}: isready is answered while another command waits", engine, "readyok")
    engine.tell("d", "stop")
    hear(f"{long}: stop ends it", engine, "info string (perft|bench) was stopped")
    hear(f"{long}: then the waiting commands run", engine, "Fen: .* b KQkq - 0 1")
    engine.tell(long)
    report.check(f"{long}: quit ends it", engine.quit() == 0, engine.status)
    report.check(f"{long}: no total of an unfinished count", not found("^Nodes searched|nps$", engine.answers), engine.answers)

# The counts are known from the literature; each command works on the position before it.
engine = converse(
    LUFT,
    f"go perft 5\nposition fen {KIWIPETE}\ngo perft 4\n"
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -\ngo perft 5\ngo perft 0\n",
)
counts = [int(line.split()[-1]) for line in found("^Nodes searched: .*", engine.answers)]
report.check("perft after perft in one write", counts == [4865609, 4085603, 674624, 1], counts)
report.check("the count of each first move", "a2a3: 181046" in engine.answers and engine.status == 0, engine.answers)

# At the end of a script quit waits, as in other engines; where more input could follow it does not, see above.
lines = converse(LUFT, "go perft 4\nposition startpos moves e2e4\ngo perft 3\ngo depth 3\nquit\n").answers
order = found("^Nodes searched: .*|^bestmove", lines)
good = order == ["Nodes searched: 197281", "Nodes searched: 13160", "bestmove"]
report.check("a script that ends in quit gets all its answers", good, order)
lines = converse(LUFT, "bench 3\nquit").answers
report.check("and so does one without a last line end", len(found("nps$", lines)) == 1, lines)
for pause in (0, 0.02, 0.3):  # in one read, in several, and long after
    engine = Engine(LUFT)
    engine.tell("go perft 12")
    for line in ("quit", "isready"):
        time.sleep(pause)
        engine.tell(line)
    time.sleep(0.2)
    good = engine.end() == 0 and not found("error|readyok", engine.answers)
    report.check(f"quit before the end does not wait, {pause} s apart", good, [engine.status, *engine.answers])
engine = converse(LUFT, "go perft 5\ngo depth 245\nquit\n")
order = found("^Nodes searched|^bestmove", engine.answers)
good = engine.status == 0 and order == ["Nodes searched", "bestmove"]
report.check("quit stops a search that follows perft", good, [engine.status, *order])
order = found("nps$|^bestmove", converse(LUFT, "bench 3\ngo depth 4\n").answers)
report.check("go waits for the end of bench", order == ["nps", "bestmove"], order)

# --- luft bench -------------------------------------------------------------------------------


def bench(*arguments, **limits):
    engine = Engine(LUFT, ("bench", *arguments), **limits)
    engine.end()
    return engine


def is_one_error(engine, status):
    """This status, nothing on standard output, one printable line on standard error."""
    return engine.status == status and not engine.answers and re.fullmatch(rb"luft( [a-z]+)?: [ -~]{1,200}\n", engine.stderr)


engine = bench("4")
last = engine.answers[-1] if engine.answers else ""
report.check("luft bench ends with nodes and nps", engine.status == 0 and re.fullmatch(NPS, last), engine.answers)
counts = [int(match[1]) for match in (re.match(r" *\d+: *(\d+) nodes ", line) for line in engine.answers) if match]
report.check("luft bench: the counts sum to the total", counts and sum(counts) == int(last.split()[0]), engine.answers)
session = converse(LUFT, "bench 4\n").answers[-1]
report.check("luft bench counts the same nodes as bench", session.split()[0] == last.split()[0], [session, last])
for arguments in (["0"], ["x"], ["4", "5"]):
    engine = bench(*arguments)
    report.check(f"refused: luft bench {' '.join(arguments)}", is_one_error(engine, 2), engine.stderr)

# --- Too little memory for a thread -------------------------------------------------------------


def smallest(high, works):
    """The smallest address space in kilobytes, to within 50, in which something works."""
    low = 0
    while high - low > 50:
        middle = (high + low) // 2
        if works(middle):
            high = middle
        else:
            low = middle
    return high


def many_threads(kilobytes):
    script = "setoption name Threads value 8\ngo depth 3\nisready\n"
    return converse(LUFT, script, memory_kb=kilobytes)


def is_complete(engine):
    return engine.status == 0 and found("^bestmove", engine.answers) and not found("^info string", engine.answers)


# 250 kB below the minimum only the stack of the thread, 512 kB, is missing. A sanitizer build needs far more.
if bench("1", memory_kb=200000).status != 0:
    report.skip("too little memory for a thread", "the program does not start in bounded address space")
else:
    little = smallest(200000, lambda kilobytes: bench("1", memory_kb=kilobytes).status == 0) - 250
    engine = bench("1", memory_kb=little)
    report.check("luft bench without a thread: an error, and no total", is_one_error(engine, 1), engine.stderr)
    report.check("luft bench without a thread: the error names it", b"thread" in engine.stderr, engine.stderr)
    lines = converse(LUFT, "go depth 3\nisready\n", memory_kb=little).answers
    report.check("go without a thread: an error", found("^info string error: .*thread", lines), lines)
    order = found("^bestmove(?= [a-h])|^readyok", lines)
    report.check("go without a thread: a move, and the session continues", order == ["bestmove", "readyok"], lines)

    little = smallest(2000000, lambda kilobytes: is_complete(many_threads(kilobytes))) - 250
    lines = many_threads(little).answers
    report.check("fewer threads than requested: a message", found("^info string .*7.* threads? of 8|^info string .*7 of 8 threads", lines), lines)
    order = sorted(found("^bestmove(?= [a-h])|^readyok", lines))
    report.check("fewer threads than requested: a move, and the session continues", order == ["bestmove", "readyok"], lines)

    lines = converse(LUFT, "go infinite\nsetoption name Hash value 4096\nisready\nstop\n", memory_kb=1000000).answers
    order = found("^info string error|^bestmove(?= [a-h])|^readyok", lines)
    good = order == ["info string error", "readyok", "bestmove"]
    report.check("no memory for a hash table: an error, and the search continues", good, lines)

report.finish()
