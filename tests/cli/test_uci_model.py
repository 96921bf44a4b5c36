#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random UCI conversations against the model of the protocol in tests/support/uci_model.py.

usage: test_uci_model.py LUFT [--count N | --seconds S] [--seed N] [--show]

Each conversation follows from its seed, and goes to a process of its own: in one write, or line by line with pauses and
waits. It ends with the end of the input, with `quit`, or with lines after `quit`. A conversation that does not fit the
model is printed with its seed; `--seed N --count 1 --show` runs it again. `make fuzz-uci` runs for an hour.
"""

import argparse
import concurrent.futures
import itertools
import os
import random
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from report import Report  # noqa: E402
from uci import SLOWDOWN, Engine, converse  # noqa: E402
from uci_model import POSITIONS, Model, choose_line, flip  # noqa: E402

WAIT_S = 60 * SLOWDOWN  # nothing takes so long: what does has stopped
BARRIER = object()


def find_legal_moves(path):
    """The legal moves of all positions of the model. That they are right is tested elsewhere."""
    legal = {}
    for text, fen, _ in POSITIONS:
        for flips, chess960 in itertools.product((0, 1), (False, True)):
            lines = [f"setoption name UCI_Chess960 value {str(chess960).lower()}", f"position {text}", *["flip"] * flips]
            answers = converse(path, "\n".join([*lines, "go perft 1", ""])).answers
            moves = [line.split(":")[0] for line in answers if line.endswith(": 1")]
            legal[flip(fen) if flips else fen, chess960] = moves
    return legal


class Conversation:
    """What is said, and how; all of it follows from the seed."""

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.lines = [choose_line(self.random) for _ in range(self.random.randint(1, 24))]
        self.is_paced = self.random.random() < 0.6
        self.line_end = self.random.choice(("\n", "\n", "\r\n", " \t\n"))
        self.end = self.random.choice(("end", "end", "quit", "quit and end", "quit and more"))
        if self.end != "end":
            self.lines.append("quit")
        if self.end == "quit and more":
            self.lines += [choose_line(self.random) for _ in range(3)] + ["isready"]

    def _pause(self, engine, model):
        """Between two lines: nothing, a moment, or until all is answered that can be."""
        choice = self.random.random()
        if choice < 0.3:
            time.sleep(self.random.random() * 0.01)
        elif choice < 0.5 and model.quit_at is None:
            end = time.monotonic() + WAIT_S
            while not model.is_idle(engine.answers):
                if time.monotonic() > end or engine.process.poll() is not None:
                    return "did not answer all, or has ended"
                time.sleep(0.002)
            model.barrier()
        return None

    def hold(self, path, legal):
        """Holds the conversation. Returns what was wrong, and the answers."""
        model = Model(legal)
        faults = []
        with Engine(path) as engine:
            if self.is_paced:
                for line in self.lines:
                    engine.send(line + self.line_end)
                    model.say(line)
                    fault = self._pause(engine, model)
                    if fault:
                        faults.append(f"command {model.at}: {fault}")
                        break
            else:
                for line in self.lines:
                    model.say(line)
                engine.send("".join(line + self.line_end for line in self.lines))
            if self.end == "quit" and not faults:
                engine.wait(WAIT_S)  # the input stays open
            status = engine.end(WAIT_S)
            answers = engine.answers
            if status != 0 or engine.stderr:
                faults.append(f"exit status {status}, on standard error: {engine.stderr[:200]!r}")
        return faults + model.check(answers), answers


def show(conversation, faults, answers):
    print(f"# seed {conversation.seed}, {'line by line' if conversation.is_paced else 'in one write'}, {conversation.end}")
    for number, line in enumerate(conversation.lines, 1):
        print(f"#   > {number:2} {line!r}")
    for number, line in enumerate(answers, 1):
        print(f"#   < {number:2} {line[:120]!r}")
    for fault in faults:
        print(f"# {fault}")


def said(lines, output, legal):
    """What the model says of a conversation without a barrier."""
    model = Model(legal)
    for line in lines:
        model.say(line)
    return model.check(output)


def check_model(report, legal):
    """The model must be able to find fault."""
    depth = "info depth 1 seldepth 2 multipv 1 score cp 13 nodes 20 nps 20000 hashfull 0 tbhits 0 time 1 pv b1c3"
    error = "info string error: unknown command \"x\""
    perft = ["", "Nodes searched: 0"]
    mated = "position " + POSITIONS[4][0]
    good = [
        (["isready", "go depth 1", "isready"], ["readyok", depth, "bestmove b1c3", "readyok"]),
        (["go depth 1", "isready"], ["readyok", "bestmove b1c3"]),
        (["go infinite", "isready", "stop"], ["readyok", "bestmove b1c3"]),
        (["go infinite", "x", "stop", "isready"], [error, "readyok", "bestmove b1c3"]),
        ([mated, "go perft 2", "isready", "x"], ["readyok", *perft, error]),
        ([mated, "go perft 2", "x", "isready"], ["readyok", *perft, error]),
        (["go perft 3", "go infinite", "stop", "quit"], ["info string perft was stopped"]),
        (["go ponder depth 1", "ponderhit", "x"], [error, "bestmove b1c3"]),
        (["position x", "go infinite"], [error, "bestmove 0000"]),
    ]
    bad = {
        "a bestmove is missing": (["go depth 1"], [depth]),
        "a bestmove too many": (["go depth 1"], ["bestmove b1c3", "bestmove b1c3"]),
        "no move of the position": (["go depth 1"], ["bestmove e7e5"]),
        "no move of searchmoves": (["go searchmoves e2e4 depth 1"], ["bestmove b1c3"]),
        "an infinite search ends before stop": (["go infinite", "isready", "stop"], ["bestmove b1c3", "readyok"]),
        "a pondering search ends before ponderhit": (["go ponder depth 1", "x", "ponderhit"], ["bestmove b1c3", error]),
        "an info after the bestmove": (["go depth 1"], ["bestmove b1c3", depth]),
        "an info without a search": (["isready"], [depth, "readyok"]),
        "position does not wait for the bestmove": (["go infinite", "position x"], [error, "bestmove b1c3"]),
        "readyok before the bestmove of an ended search": (["go depth 1", "ucinewgame", "isready"], ["readyok", "bestmove b1c3"]),
        "a readyok is missing": (["isready", "isready"], ["readyok"]),
        "a readyok too many": (["isready"], ["readyok", "readyok"]),
        "readyok before an earlier answer": (["x", "isready"], ["readyok", error]),
        "an error too many": (["isready", "x"], ["readyok", error, error]),
        "answers in the wrong order": (["x", "compiler"], ["compiled with gcc", error]),
        "a stale position is searched": (["position x", "go depth 1"], [error, depth, "bestmove b1c3"]),
        "a stale position moves": (["position x", "go depth 1"], [error, "bestmove b1c3"]),
        "a wrong count": (["go perft 1"], ["", "Nodes searched: 21"]),
        "a count that was not stopped": (["go perft 3"], ["info string perft was stopped"]),
        "a search that waits speaks before perft": ([mated, "go perft 2", "go depth 1"], [depth, *perft, "bestmove 0000"]),
        "an answer after quit": (["quit", "isready"], ["readyok"]),
        "an answer is lost at quit": (["x", "quit"], []),
        "the bestmove is lost at quit": (["go infinite", "quit"], []),
    }
    wrong = [lines for lines, output in good if said(lines, output, legal)]
    report.check("the model accepts what is promised", not wrong, wrong)
    for name, (lines, output) in bad.items():
        report.check(f"the model finds: {name}", said(lines, output, legal), [lines, output])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("luft")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    path = os.path.abspath(arguments.luft)
    report = Report()
    legal = find_legal_moves(path)
    check_model(report, legal)
    end = time.monotonic() + arguments.seconds if arguments.seconds else None
    seeds = itertools.count(arguments.seed) if end else iter(range(arguments.seed, arguments.seed + arguments.count))
    held = wrong = 0

    def hold(seed):
        if end and time.monotonic() > end:
            return None
        conversation = Conversation(seed)
        return conversation, *conversation.hold(path, legal)

    with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        while batch := list(itertools.islice(seeds, 64)):
            results = [result for result in pool.map(hold, batch) if result]
            for conversation, faults, answers in results:
                held += 1
                wrong += bool(faults)
                if faults or arguments.show:
                    show(conversation, faults, answers)
            if len(results) < len(batch) or wrong > 20:
                break
    report.check(f"{held} conversations fit the model", held > 0 and not wrong, f"{wrong} do not")
    report.finish()


if __name__ == "__main__":
    main()
