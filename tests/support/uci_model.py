# SPDX-License-Identifier: MIT
"""A model of the UCI protocol as Luft promises it: which answers a conversation has, and in which order.

The model reads the commands one by one and keeps the state that answers depend on: is there a position, which one, is
castling written as in Chess960. Each command adds the answers that must come to one of three sequences:

    ready   `readyok`: written when the line is read
    slow    all other answers of the session. Lines run in order, but wait for perft and bench
    best    `bestmove`: one for each `go` that is a search, in the order of these commands

Each sequence is in order. What the order between them must be follows from how lines run (src/uci/session.c):

- `isready`, `stop` and `quit` run when they are read. Other lines do too, unless perft or bench runs or lines wait.
- `go`, `position`, `flip` and `ucinewgame` end the search that runs, and wait for its `bestmove`.
- A search that is not finite ends only after its release: `stop`, `ponderhit` where it ponders, a command that ends it,
  or the end of the input. A valid `setoption` may end a search.

`check` compares what an engine has said with that. A barrier is a place in the conversation at which the other side
waited for all slow answers, and for the best moves that need no more commands. If the last line that can wait has such
an answer, nothing waits there any more.
"""

import re

COMMANDS = (
    "uci isready setoption ucinewgame position go stop ponderhit quit debug register d eval flip bench compiler".split()
)

URGENT = ("isready", "stop", "quit")

ERROR = r"info string error: [ -~]{1,200}"
SEARCHING = re.compile(r"info (depth \d+ (currmove|seldepth)|string (?!error|perft|bench|option|variant)).*")
BEST = re.compile(r"bestmove ([a-h][1-8][a-h][1-8][nbrq]?)( ponder [a-h][1-8][a-h][1-8][nbrq]?)?")

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ROOKS = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"

# The words after `position`, the FEN that they give, and its perft counts from depth 0 on, as published.
POSITIONS = [
    ("startpos", START, [1, 20, 400, 8902, 197281]),
    ("startpos moves e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", [1, 20, 600, 13160, 405385]),
    (f"fen {KIWIPETE}", KIWIPETE, [1, 48, 2039, 97862, 4085603]),
    (f"fen {ROOKS}", ROOKS, [1, 14, 191, 2812, 43238]),
    (f"fen {MATED}", MATED, [1, 0, 0, 0, 0]),
    (f"fen {STALEMATED}", STALEMATED, [1, 0, 0, 0, 0]),
]

BAD_POSITIONS = [
    "",
    "fen",
    "fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "fen x w - - 0 1",
    "startpos e2e4",
    "startpos moves e2e5",
    f"fen {START} moves e2e4 e2e4",
    "nowhere",
]

FINITE = [
    "depth 1",
    "depth 4",
    "nodes 1",
    "nodes 3000",
    "movetime 0",
    "movetime 15",
    "wtime 50 btime 50",
    "wtime 0 btime 0 winc 5 binc 5",
    "mate 1 nodes 2000",
    "depth 99 nodes 500",
    "depth 0",
    "nodes -5",
    "movestogo 3 wtime 30 btime 30",
]

# With these a search is finite, but there is an error line first.
BAD_LIMITS = ["depth x", "nodes", "fly", "movetime 1e3", "depth 2 soon", "wtime ten"]

INFINITE = ["", "infinite", "infinite depth 2", "infinite nodes 10"]

# Finite after `ponderhit`; without limits it is infinite then.
PONDER = ["ponder depth 3", "ponder nodes 200", "ponder movetime 5", "ponder wtime 40 btime 40"]
PONDER_INFINITE = ["ponder", "ponder infinite depth 1"]

BAD_PERFT = ["perft", "perft x", "perft -1", "perft 65"]

OPTIONS = [
    "Hash value 1",
    "Hash value 2",
    "Threads value 1",
    "Threads value 2",
    "MultiPV value 1",
    "MultiPV value 3",
    "Clear Hash",
    "UCI_ShowWDL value true",
    "UCI_ShowWDL value false",
    "Skill Level value 3",
    "Skill Level value 20",
    "Ponder value true",
    "Move Overhead value 0",
    "UCI_Chess960 value true",
    "UCI_Chess960 value false",
    "UCI_LimitStrength value true",
    "UCI_LimitStrength value false",
    "UCI_Elo value 800",
    "UCI_AnalyseMode value true",
    "nodestime value 600",
    "nodestime value 0",
    "OwnBook value true",
    "BookFile value <empty>",
    "BookDepth value 1",
    "EvalFile value <empty>",
    "SyzygyPath value <empty>",
    "SyzygyProbeDepth value 100",
    "Syzygy50MoveRule value false",
    "Debug Log File value <empty>",
]

BAD_OPTIONS = [
    "",
    "name",
    "name Nonsense value 1",
    "name Hash value x",
    "name MultiPV value 0",
    "Hash value 3",
    "name Ponder value maybe",
    "name UCI_Elo value 799",
    "name BookVariety value 101",
    "name EvalFile value /nowhere",
    "name BookFile value /nowhere",
    "name SyzygyPath value /nowhere",
    "name Debug Log File value /nowhere/log",
]

UNKNOWN = ["hello", "isready?", "ISREADY", "e2e4", "\x07", "quit!", "go\x00", "stopp"]

SILENT = ["", "   ", "\t", "debug on", "register later", "ponderhit", "stop"]


class Many(str):
    """The pattern of a line that comes any number of times."""


def flip(fen):
    """The position with exchanged colours."""
    board, side, castling, en_passant, halfmove, fullmove = fen.split()
    assert en_passant == "-"
    rights = castling.swapcase()
    rights = "".join(letter for letter in "KQkq" if letter in rights) or "-"
    board = "/".join(reversed(board.split("/"))).swapcase()
    return " ".join((board, "b" if side == "w" else "w", rights, en_passant, halfmove, fullmove))


def written(fen, chess960):
    """The FEN as `d` writes it: in Chess960 castling names the rooks, which stand in the corners here."""
    fields = fen.split()
    if chess960:
        fields[2] = fields[2].translate(str.maketrans("KQkq", "HAha"))
    return " ".join(fields)


class Answer:
    """Something that the engine must say."""

    def __init__(self, at, epoch, lines=(), **facts):
        self.at = at  # the number of the command
        self.epoch = epoch  # barriers before it
        self.lines = lines  # patterns of its lines
        self.is_late = False  # slow: it may come after answers to later lines
        self.stopped = None  # perft and bench: the line that says that it was stopped
        self.first = self.last = None  # the lines of the output that it is
        # Of a best move:
        self.is_search = False  # else it is `bestmove 0000` at once, without a position
        self.key = None  # (FEN, is Chess960) of the position
        self.only = ()  # the moves of searchmoves
        self.ends = None  # the number of the command that ends it at the latest
        self.is_finite = True
        self.is_pondering = False
        self.is_limited = False  # and has a limit for the time after `ponderhit`
        self.release = None  # of a search that is not finite: the number of the command after which it may end
        self.is_stopped = False  # there is a `stop` after it, which does not wait for perft and bench
        self.is_due = False  # it ponders with a limit, and `ponderhit` came
        self.__dict__.update(facts)


class Model:
    """The answers to a conversation."""

    def __init__(self, legal):
        """`legal` maps (FEN, is Chess960) to the legal moves."""
        self.legal = legal
        self.fen, self.counts = START, POSITIONS[0][2]
        self.chess960 = False
        self.epoch = 0
        self.at = 0
        self.ready, self.slow, self.best = [], [], []
        self.ender = {}  # number of a command that ends searches: its epoch and whether it may be late
        self.has_job = False  # perft or bench since the last barrier
        self.last_line = 0  # the number of the last command that can wait for perft and bench
        self.quit_at = None

    # --- Commands --------------------------------------------------------------

    def say(self, line):
        """Takes the next command."""
        self.at += 1
        words = line.split()
        if self.quit_at is not None or not words:
            return
        if words[0] not in URGENT:
            self.last_line = self.at
        if words[0] in COMMANDS:
            getattr(self, "_" + words[0])(" ".join(words[1:]))
        else:
            self._add(ERROR)

    def barrier(self):
        """All slow answers have come: `is_idle` was true."""
        if not self.has_job or (self.slow and self.slow[-1].at == self.last_line):
            self.epoch += 1
            self.has_job = False

    def _add(self, *lines, **facts):
        self.slow.append(Answer(self.at, self.epoch, lines, is_late=self.has_job, **facts))

    def _require_position(self):
        if not self.fen:
            self._add(ERROR)
        return self.fen

    def _end_search(self):
        """The command waits for the end of the search that runs."""
        self.ender[self.at] = (self.epoch, self.has_job)
        if self.best and self.best[-1].ends is None:
            self.best[-1].ends = self.at
            self._release(self.best[-1:])

    def _release(self, answers, wants_ponder=False):
        """These searches may end from here on, even if they are not finite."""
        for best in answers:
            if best.release is None and (not wants_ponder or best.is_pondering):
                best.release = self.at

    def _isready(self, _):
        self.ready.append(Answer(self.at, self.epoch))

    def _uci(self, _):
        self._add("id name Luft .*", "id author .*", "info string variant .*", Many("option name .*"), "uciok")

    def _stop(self, _):
        self._release(self.best)  # those that wait behind perft too
        for answer in self.slow + self.best:
            answer.is_stopped = True

    def _quit(self, _):
        self.quit_at = self.at
        self._stop("")

    def _ponderhit(self, _):
        if self.best and self.best[-1].ends is None:
            self._release(self.best[-1:], wants_ponder=True)
            self.best[-1].is_due = self.best[-1].is_limited

    def _debug(self, _):
        pass

    def _register(self, _):
        pass

    def _ucinewgame(self, _):
        self._end_search()

    def _position(self, words):
        self._end_search()
        for text, fen, counts in POSITIONS:
            if words == text:
                self.fen, self.counts = fen, counts
                return
        self.fen = None
        self._add(ERROR)

    def _flip(self, _):
        if self._require_position():
            self._end_search()
            self.fen = flip(self.fen)

    def _d(self, _):
        if self._require_position():
            fen = re.escape(written(self.fen, self.chess960))
            self._add(*["[1-8]( [.pnbrqkPNBRQK]){8}"] * 8, "  a b c d e f g h", "", "Fen: " + fen, "Key: [0-9A-F]{16}")

    def _eval(self, _):
        if self._require_position():
            self._add(Many("[ 1-8] .*"), "below .*", "evaluation: .*")

    def _compiler(self, _):
        self._add("compiled with .*")

    def _bench(self, words):
        if words.isdigit() and 1 <= int(words) <= 245:
            self._end_search()
            self.has_job = True
            self._add(Many(r" *\d+: .*"), r"\d+ nodes \d+ nps", stopped="info string bench was stopped")
        else:
            self._add(ERROR)

    def _setoption(self, words):
        if words.startswith("name ") and words[5:] in OPTIONS:
            self._release(self.best[-1:])
            if words.startswith("name UCI_Chess960"):
                self.chess960 = words.endswith("true")
        else:
            self._add(ERROR)

    def _go(self, words):
        self._end_search()
        if words.startswith("perft"):
            self._perft(words)
            return
        if not self.fen:
            self.best.append(Answer(self.at, self.epoch, is_late=self.has_job, ends=self.at))
            return
        moves = re.match(r"searchmoves((?: [a-h][1-8][a-h][1-8])+) ", words)
        limits = words[moves.end() :] if moves else words
        key = (self.fen, self.chess960)
        only = moves[1].split() if moves else []
        if limits in BAD_LIMITS or not set(only) <= set(self.legal[key]):
            self._add(ERROR)
        self.best.append(
            Answer(
                self.at,
                self.epoch,
                is_late=self.has_job,
                is_search=True,
                key=key,
                only=only,
                is_finite=limits in FINITE or limits in BAD_LIMITS,
                is_pondering=limits in PONDER or limits in PONDER_INFINITE,
                is_limited=limits in PONDER,
            )
        )

    def _perft(self, words):
        depth = words.split()[1] if len(words.split()) > 1 else ""
        if not self.fen or not depth.isdigit() or int(depth) > 64:
            self._add(ERROR)
            return
        count = self.counts[int(depth)]
        self.has_job = True
        stopped = "info string perft was stopped"
        if int(depth) == 0:
            self._add("Nodes searched: 1", stopped=stopped)
        else:
            self._add(Many(r"[a-h][1-8][a-h][1-8][nbrq]?: \d+"), "", f"Nodes searched: {count}", stopped=stopped)

    # --- Reading the output ------------------------------------------------------

    def read(self, output):
        """Finds the answers in the output. Returns what does not fit, None if all of it does."""
        ready, slow, best = iter(self.ready), iter(self.slow), iter(self.best)
        for answer in self.ready + self.slow + self.best:
            answer.first = answer.last = None
        current, step = None, 0
        for number, line in enumerate(output):
            found = BEST.fullmatch(line)
            if line == "readyok":
                answer = next(ready, None)
                if not answer:
                    return f"a readyok too many: line {number + 1}"
                answer.first = answer.last = number
            elif found or line == "bestmove 0000":
                answer = next(best, None)
                if not answer:
                    return f"a bestmove too many: line {number + 1}, {line}"
                answer.first = answer.last = number
                answer.move = found[1] if found else "0000"
            elif not SEARCHING.fullmatch(line):
                if not current:
                    current, step = next(slow, None), 0
                if not current:
                    return f"nothing asked for this: line {number + 1}, {line!r}"
                step = self._take(current, step, line)
                if step is None:
                    return f"command {current.at} is not answered by line {number + 1}, {line!r}"
                current.first = number if current.first is None else current.first
                if step == len(current.lines):
                    current.last = number
                    current = None
        return None

    @staticmethod
    def _take(answer, step, line):
        """The next step after this line; None if it does not fit."""
        if line == answer.stopped and answer.is_stopped:
            return len(answer.lines)
        while not re.fullmatch(answer.lines[step], line):
            if not isinstance(answer.lines[step], Many):
                return None
            step += 1  # the last one is never one of many
        return step if isinstance(answer.lines[step], Many) else step + 1

    def is_idle(self, output):
        """Have all slow answers come, and the best moves of all searches that end without another command?"""
        due = [best for best in self.best if best.is_due or best.is_finite or best.is_stopped or best.ends is not None]
        return self.read(output) is None and all(answer.last is not None for answer in self.slow + due)

    # --- Checking ------------------------------------------------------------------

    def check(self, output):
        """What is wrong with the output of a conversation that has ended: a list of sentences."""
        fault = self.read(output)
        if fault:
            return [fault]
        faults = self._check_missing() + self._check_order() + self._check_search_lines(output)
        for best in self.best:
            if best.last is not None:
                faults += self._check_move(best)
        return faults

    def _check_missing(self):
        """All is answered; after `quit`, all that could not be waiting for perft or bench."""
        faults = []
        for kind, answers in (("readyok", self.ready), ("answer", self.slow), ("bestmove", self.best)):
            for answer in answers:
                may_miss = self.quit_at is not None and answer.is_late and answer.epoch == self.epoch
                if answer.last is None and not may_miss:
                    faults.append(f"command {answer.at} has no {kind}")
        return faults

    def _check_order(self):
        faults = []

        def need(before, after, why):
            if before.last is not None and after.first is not None and not before.last < after.first:
                faults.append(f"command {before.at} is answered after command {after.at}: {why}")

        def is_sure(epoch, is_late, later):
            return not is_late or epoch < later.epoch

        for ready in self.ready:
            for slow in self.slow:
                if slow.at > ready.at:
                    need(ready, slow, "isready is answered when it is read")
                elif is_sure(slow.epoch, slow.is_late, ready):
                    need(slow, ready, "lines run in order")
            for best in self.best:
                if best.at > ready.at or self._is_held(best, ready.at):
                    need(ready, best, "the search has not begun, or is not to end")
                elif best.ends is not None and best.ends <= ready.at:
                    if is_sure(*self._when(best), ready):
                        need(best, ready, "the search was ended before")
        for best in self.best:
            for slow in self.slow:
                if slow.at <= best.at:
                    need(slow, best, "the search begins after it")
                elif best.ends is not None and best.ends <= slow.at:
                    need(best, slow, "the search ends before it")
                elif self._is_held(best, slow.at) and not (best.is_stopped and slow.is_late):
                    need(slow, best, "the search is not to end before it")
        return faults

    def _when(self, best):
        """Of the command that ends the search: its epoch, and whether it may be late."""
        return self.ender.get(best.ends, (best.epoch, best.is_late))

    @staticmethod
    def _is_held(best, at):
        """Is this a search that must not have ended at this command?"""
        return best.is_search and not best.is_finite and (best.release is None or at < best.release)

    def _check_search_lines(self, output):
        """A search says something between its go and its bestmove only."""
        done = 0
        for number, line in enumerate(output):
            if line.startswith("bestmove"):
                done += 1
            elif SEARCHING.fullmatch(line):
                best = self.best[done] if done < len(self.best) else None
                if not best or not best.is_search:
                    return [f"no search can say this: line {number + 1}, {line!r}"]
                for other in self.slow:
                    if other.at <= best.at and (other.last is None or other.last > number):
                        return [f"the search of command {best.at} speaks before command {other.at} is answered"]
        return []

    def _check_move(self, best):
        if not best.is_search:
            return [] if best.move == "0000" else [f"command {best.at}: a move without a position"]
        moves = self.legal[best.key]
        allowed = [move for move in best.only if move in moves] or moves or ["0000"]
        return [] if best.move in allowed else [f"command {best.at}: {best.move} is not one of {' '.join(allowed)[:80]}"]


# --- Conversations -------------------------------------------------------------------


LIMITS = {"finite": FINITE, "bad": BAD_LIMITS, "infinite": INFINITE, "ponder": PONDER, "ponder only": PONDER_INFINITE}


def choose_go(random):
    kind = random.choices(("perft", "bad perft", *LIMITS), (4, 1, 8, 2, 4, 3, 1))[0]
    if kind == "perft":
        return f"go perft {random.randint(0, 4)}"
    if kind == "bad perft":
        return "go " + random.choice(BAD_PERFT)
    moves = random.choice(("", "", "", "searchmoves e2e4 ", "searchmoves d2d4 a2a3 "))
    words = random.choice(LIMITS[kind])
    return f"go {moves if words else ''}{words}".rstrip()


def choose_line(random):
    kind = random.choices(
        ("isready", "go", "stop", "position", "bad-position", "option", "bad-option", "other", "unknown", "silent", "bench"),
        (8, 12, 5, 5, 1, 2, 1, 4, 1, 2, 2),
    )[0]
    if kind == "go":
        return choose_go(random)
    if kind == "position":
        return "position " + random.choice(POSITIONS)[0]
    if kind == "bad-position":
        return "position " + random.choice(BAD_POSITIONS)
    if kind == "option":
        return "setoption name " + random.choice(OPTIONS)
    if kind == "bad-option":
        return "setoption " + random.choice(BAD_OPTIONS)
    if kind == "other":
        return random.choice(("d", "d", "eval", "flip", "uci", "ucinewgame", "compiler", "ponderhit", "bench x"))
    if kind == "bench":
        return "bench 1"
    return {"isready": "isready", "stop": "stop", "unknown": random.choice(UNKNOWN), "silent": random.choice(SILENT)}[kind]
