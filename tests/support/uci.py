# SPDX-License-Identifier: MIT
"""The UCI driver of all tests and measurements: runs the program, sends lines, and reads its answers with their times.

A thread reads the answers as they arrive, so neither side can block on a full pipe.

    with Engine(path) as engine:
        engine.tell("position startpos", "go depth 5")
        when, lines = engine.read_until("bestmove", 10)

`hear` waits for a matching answer and returns None if there is none; `read_until` raises EngineError instead.
`start_watch` and `is_late` say whether the engine took too long, on a busy machine too.
`converse` sends a whole script at once and returns everything that came back.
"""

import os
import re
import resource
import subprocess
import threading
import time

# Sanitizer builds are slow: LUFT_TEST_SLOW=5 multiplies every time limit by five.
SLOWDOWN = float(os.environ.get("LUFT_TEST_SLOW", "1"))
# An answer that has not come after so many seconds will not come, however busy the machine is.
HANG_S = 120 * SLOWDOWN
# LUFT_TEST_EXACT=1, for a machine that has nothing else to do: only the wall clock says what is late.
IS_EXACT = os.environ.get("LUFT_TEST_EXACT") == "1"
# Other processes make an answer so many times slower at most. An engine that waits for nothing is found by that.
BUSY_FACTOR = 10


class EngineError(Exception):
    """The engine crashed, does not answer, or refused a command."""


class Engine:
    """One run of the program. Times are those of time.perf_counter, in seconds."""

    def __init__(self, path, arguments=(), stack_kb=None, memory_kb=None, file_kb=None, **options):
        """The three limits are those of the process (stack, address space, size of files); options are UCI options."""
        limits = [
            (kind, kilobytes << 10)
            for kind, kilobytes in (
                (resource.RLIMIT_STACK, stack_kb),
                (resource.RLIMIT_AS, memory_kb),
                (resource.RLIMIT_FSIZE, file_kb),
            )
            if kilobytes
        ]

        def set_limits():
            for kind, size in limits:
                resource.setrlimit(kind, (size, size))

        self.process = subprocess.Popen(
            [path, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            preexec_fn=set_limits if limits else None,
        )
        self.lines = []  # (time, text) of the answers that read_until has not removed; one character for each byte
        self.heard = 0  # how many of them hear and read_until have passed
        self.stderr = b""
        self.status = None  # after the end: the exit status, or minus the signal
        self._changed = threading.Condition()
        self._is_over = False
        self._readers = [threading.Thread(target=self._read, daemon=True), threading.Thread(target=self._read_errors, daemon=True)]
        for reader in self._readers:
            reader.start()
        for name, value in options.items():
            self.tell(f"setoption name {name} value {value}")

    def _read(self):
        rest = b""
        while True:
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            now = time.perf_counter()
            *lines, rest = (rest + more).split(b"\n")
            if not more and rest:
                lines.append(rest)
            with self._changed:
                self.lines += [(now, line.decode("latin-1")) for line in lines]
                self._is_over = not more
                self._changed.notify_all()
            if not more:
                return

    def _read_errors(self):
        self.stderr = self.process.stderr.read()

    def send(self, text):
        """Sends the text as it is; returns the time just before. An engine that has ended ignores it."""
        now = time.perf_counter()
        view = memoryview(text.encode("latin-1"))
        try:
            while view:
                view = view[self.process.stdin.write(view) :]
        except BrokenPipeError:
            pass  # the exit status reports it
        return now

    def tell(self, *lines):
        """Sends lines in one write; returns the time just before."""
        return self.send("".join(line + "\n" for line in lines))

    def _next(self, end):
        """The next answer (time, text); None at the time `end` or at the end of the output. Call with the lock held."""
        while self.heard == len(self.lines):
            left = end - time.perf_counter()
            if left <= 0 or self._is_over:
                return None
            self._changed.wait(left)
        self.heard += 1
        return self.lines[self.heard - 1]

    def hear(self, pattern, seconds):
        """The next answer (time, text) that the pattern matches as a whole; None if it does not come in time."""
        wanted = re.compile(pattern)
        end = time.perf_counter() + seconds
        with self._changed:
            while answer := self._next(end):
                if wanted.fullmatch(answer[1]):
                    return answer
        return None

    def read_until(self, word, seconds):
        """The time of the next answer that begins with the word, and all answers up to it, which are removed."""
        end = time.perf_counter() + seconds
        lines = []
        with self._changed:
            while answer := self._next(end):
                lines.append(answer[1])
                if answer[1].startswith("info string error"):
                    raise EngineError(f"error: {answer[1]}")
                if answer[1].startswith(word):
                    del self.lines[: self.heard]
                    self.heard = 0
                    return answer[0], lines
            is_over = self._is_over
        if is_over:
            raise EngineError(f"crash: the engine ended with {self.process.wait()}")
        raise EngineError(f"stall: no {word} within {seconds:.1f} s")

    def processor_s(self):
        """Processor time of the program so far, of all threads. None if the system does not know it."""
        try:
            return time.clock_gettime(~self.process.pid << 3 | 2)  # as clock_getcpuclockid(3)
        except OSError:
            return None

    def start_watch(self):
        """A point in time, for `is_late`."""
        return time.perf_counter(), self.processor_s()

    def is_late(self, watch, when, seconds):
        """Did the engine take longer than that, from the watch to the answer at `when`, of which the caller has just heard?

        The wall clock alone would judge the machine: an engine that other processes kept from running is not late. So it is
        late if it has used that much processor time too, or BUSY_FACTOR times as much by the wall clock; where times are
        exact, by the wall clock alone.
        """
        begin, used_before = watch
        limit = seconds * SLOWDOWN
        if when - begin <= limit:
            return False
        used = self.processor_s()
        is_idle = used is not None and used_before is not None and used - used_before <= limit
        return IS_EXACT or not is_idle or when - begin > BUSY_FACTOR * limit

    def ready(self, seconds=10):
        self.tell("isready")
        self.read_until("readyok", seconds)

    def _wait(self, seconds):
        try:
            self.status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()

    def wait(self, seconds=HANG_S):
        """Waits for the end of an engine that has received quit. The input stays open, so it cannot see its end."""
        self._wait(seconds)

    def end(self, seconds=HANG_S):
        """Closes the input and waits. Returns the exit status, minus the signal, or None if the engine had to be killed."""
        self.process.stdin.close()
        self._wait(seconds)
        for reader in self._readers:
            reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        return self.status

    def quit(self, seconds=HANG_S):
        """Sends quit, waits, then as `end`. The input stays open until then, so the engine cannot see its end."""
        self.tell("quit")
        self.wait(seconds)
        return self.end(seconds)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.kill()

    @property
    def answers(self):
        """The texts of all answers that read_until has not removed."""
        return [text for _, text in self.lines]


def converse(path, text, seconds=HANG_S, **limits):
    """Sends a text at once, then the end of the input. Returns the engine after its end."""
    engine = Engine(path, **limits)
    engine.send(text)
    engine.end(seconds)
    return engine
