#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The options of the UCI session: how they are announced, what is refused, and their visible effects.

Argument: the path of the program.
"""

import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from report import Report  # noqa: E402
from uci import converse  # noqa: E402

LUFT = os.path.abspath(sys.argv[1])
ERROR = "info string error: "
report = Report()


def talk(*lines, **limits):
    """The answers to these lines, from a program that must end well."""
    engine = converse(LUFT, "".join(line + "\n" for line in lines), **limits)
    if engine.status != 0 or engine.stderr:
        report.check(f"ends well: {lines[0]}", False, [engine.status, engine.stderr])
    return engine.answers


def setoption(text):
    return f"setoption name {text}"


def errors(lines):
    """How many errors there are; -1 if one is too long or not printable."""
    found = [line for line in lines if line.startswith(ERROR)]
    return len(found) if all(re.fullmatch(ERROR + "[ -~]{1,200}", line) for line in found) else -1


def count(pattern, lines):
    return sum(1 for line in lines if re.search(pattern, line))


# --- Announced under the names that GUIs and lichess-bot set ----------------------------------

OPTIONS = r"""
Hash type spin default 16 min 1 max [0-9]+
Clear Hash type button
Threads type spin default 1 min 1 max [0-9]+
Ponder type check default false
MultiPV type spin default 1 min 1 max [0-9]+
Move Overhead type spin default 10 min 0 max 5000
nodestime type spin default 0 min 0 max 10000
UCI_Chess960 type check default false
UCI_ShowWDL type check default false
UCI_AnalyseMode type check default false
UCI_LimitStrength type check default false
UCI_Elo type spin default [0-9]+ min 800 max [0-9]+
Skill Level type spin default 20 min 0 max 20
EvalFile type string default <empty>
OwnBook type check default false
BookFile type string default <empty>
BookDepth type spin default 1000 min 1 max 1000
BookVariety type spin default 100 min 0 max 100
SyzygyPath type string default <empty>
SyzygyProbeDepth type spin default 1 min 1 max 100
SyzygyProbeLimit type spin default 7 min 0 max 7
Syzygy50MoveRule type check default true
Debug Log File type string default <empty>
"""
answers = talk("uci")
for option in OPTIONS.strip().splitlines():
    report.check(f"option {option}", any(re.fullmatch(f"option name {option}", line) for line in answers), answers)
ranges = [re.search(r" default (\d+) min (\d+) max (\d+)$", line) for line in answers]
ranges = [tuple(map(int, found.groups())) for found in ranges if found]
report.check("every default is in its range", ranges and all(low <= value <= high for value, low, high in ranges), ranges)

# --- Refused -----------------------------------------------------------------------------------

for option in (
    "Hash value 0",
    "Hash value -1",
    "Hash value x",
    "Hash value 99999999999999999999",
    "Hash",
    "Threads value 0",
    "Threads value 100000",
    "Ponder value maybe",
    "Nonsense value 1",
    "UCI_Chess960 value",
    "UCI_Elo value 799",
    "UCI_Elo value 9999",
    "Skill Level value 21",
    "Skill Level value -1",
    "nodestime value -1",
    "UCI_ShowWDL value 1",
    "UCI_LimitStrength",
    "EvalFile value net.nnue",
    "BookFile value nowhere.bin",
    "BookFile value /",
    "BookFile value /dev/zero",
    "BookFile value /etc/passwd",
    "BookDepth value 0",
    "BookVariety value 101",
    "OwnBook value 1",
    "SyzygyPath value /nofolder",
    "SyzygyPath value /etc/passwd",
    "SyzygyProbeDepth value 0",
    "SyzygyProbeLimit value 8",
    "Syzygy50MoveRule value 2",
    "Debug Log File value /nofolder/a",
    "Debug Log File value /",
):
    answers = talk(setoption(option), "isready")
    report.check(f"refused: setoption name {option}", errors(answers) == 1, answers)
    report.check(f"refused: setoption name {option}: the session continues", "readyok" in answers, answers)
answers = talk("setoption", "setoption name", "setoption value 3")
report.check("setoption without a name", errors(answers) == 3, answers)
answers = talk(setoption("hash value 8"), setoption("Clear Hash"), setoption("Threads value 2"), "go depth 8")
report.check("option names in any case", errors(answers) == 0, answers)
report.check("two threads give a move", count("^bestmove", answers) == 1, answers)
answers = talk(
    setoption(" Clear \t Hash"), "setoption\tname Move   Overhead   value   20", setoption("ClearHash"), setoption("Clear")
)
report.check("a name may have any run of blanks, but not none", errors(answers) == 2, answers)
answers = talk(
    "eval", setoption("EvalFile value /etc/passwd"), "eval", setoption("EvalFile value <empty>"), setoption("EvalFile value")
)
board = [line for line in answers if not line.startswith("info")]
good = count(f"^{ERROR}.*EvalFile", answers) == 1 and board and board[: len(board) // 2] == board[len(board) // 2 :]
report.check("an unusable network changes nothing", good, answers)

# --- Win, draw, loss --------------------------------------------------------------------------

WDL_ON = setoption("UCI_ShowWDL value true")
answers = talk("go depth 6")
report.check("no wdl by default", count(" wdl ", answers) == 0, answers)
answers = talk(WDL_ON, "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "go depth 3")
report.check("the wdl of a mate is certain", count(" score mate 1 wdl 1000 0 0 nodes ", answers) > 0, answers)
answers = talk(WDL_ON, setoption("MultiPV value 3"), "go depth 6")
form = r" score [a-z]+ -?\d+(?: [a-z]+bound)? wdl (\d+) (\d+) (\d+) nodes "
wdl = [tuple(map(int, found.groups())) for found in (re.search(form, line) for line in answers) if found]
report.check("wdl in every line", len(wdl) >= 18 and len(wdl) == count(" score ", answers), answers)
report.check("wdl sums to 1000", wdl and all(sum(three) == 1000 for three in wdl), wdl)

# --- Strength -----------------------------------------------------------------------------------

# The unit tests of the engine measure how it plays; here every setting gives a legal move.
WEAK = [setoption("UCI_LimitStrength value true"), setoption("UCI_Elo value 800")]
ANALYSE = setoption("UCI_AnalyseMode value true")
for lines in (WEAK, [setoption("Skill Level value 0")], [setoption("Skill Level value 0"), ANALYSE]):
    answers = talk(*lines, "go nodes 2000")
    report.check(f"{', '.join(lines)}: a move", count("^bestmove [a-h][1-8][a-h][1-8]", answers) == 1, answers)
    report.check(f"{', '.join(lines)}: no error", errors(answers) == 0, answers)


def without_times(lines):
    """What a search reports, however fast the machine is: current moves are announced after three seconds."""
    lines = [line for line in lines if line.startswith("info") and " currmove " not in line]
    return [re.sub(" nps [0-9]+| time [0-9]+", "", line) for line in lines]


full = without_times(talk("go nodes 20000"))
answers = without_times(talk(*WEAK, ANALYSE, "go nodes 20000"))
report.check("UCI_AnalyseMode lifts the limit of strength", answers == full and full, answers)

# --- Nodes in place of time ----------------------------------------------------------------------

searches = [talk(setoption("nodestime value 50"), setoption("Move Overhead value 0"), "go movetime 1000") for _ in range(2)]
nodes = [int(found[1]) for found in (re.search(r" nodes (\d+) ", line) for line in searches[0]) if found]
report.check("nodestime: a second is 50,000 nodes", nodes and 50000 <= nodes[-1] <= 51100, nodes)
report.check("nodestime: the same search each time", without_times(searches[0]) == without_times(searches[1]), searches)

# --- The log --------------------------------------------------------------------------------------


def log_to(path):
    return setoption(f"Debug Log File value {path}")


with tempfile.TemporaryDirectory() as place:
    log = os.path.join(place, "a log.txt")

    def logged():
        with open(log, encoding="latin-1") as file:
            return file.read().splitlines()

    with open(log, "w", encoding="ascii") as file:
        file.write("before\n")
    answers = talk(log_to(log), "isready", "d", "go depth 1")
    report.check("the log: nothing is refused", errors(answers) == 0, answers)
    report.check("the log is appended to", logged()[0] == "before", logged())
    report.check("the log: input", ">> isready" in logged(), logged())
    report.check("the log: output", "<< readyok" in logged(), logged())
    report.check("the log: lines of the search", count("^<< bestmove ", logged()) == 1, logged())
    report.check("the log: every line is marked", all(re.match("(<<|>>) ", line) for line in logged()[1:]), logged())
    talk(log_to(log), setoption("Debug Log File value"), "isready")
    report.check("the log: nothing after it is closed", count("readyok", logged()) == 1, logged())
    pipe = os.path.join(place, "pipe")
    os.mkfifo(pipe)
    answers = talk(log_to(log), log_to(pipe), "isready", log_to("/nofolder/a"), "isready")
    report.check("a log that cannot be written is refused at once", errors(answers) == 2, answers)
    report.check("the log in force stays in force", count("<< readyok", logged()) == 3, logged())
    answers = talk(log_to(os.path.join(place, "short")), *["isready"] * 300, file_kb=1)
    full = count(f"^{ERROR}.*Debug Log File", answers)
    report.check("a log that cannot grow: one error, and every answer", full == 1 and answers.count("readyok") == 300, answers[-5:])

report.finish()
