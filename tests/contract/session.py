# SPDX-License-Identifier: MIT
"""The program on the other side of two pipes: what is said to it, what it answers and when.

A thread reads all answers as they come, so that neither side can wait for the other with a full pipe.
"""

import os
import re
import resource
import subprocess
import threading
import time

# Under sanitizers everything takes longer: LUFT_TEST_SLOW=5 gives five times as long.
PATIENCE = float(os.environ.get("LUFT_TEST_SLOW", "1"))

# Under the sanitizer of data races all searches are by several threads: LUFT_TEST_THREADS=4.
THREADS = int(os.environ.get("LUFT_TEST_THREADS", "1"))


class Session:
    """A run of the program, talked to line by line."""

    def __init__(self, path, stack_kb=None, threads=1):
        def before():
            if stack_kb:
                resource.setrlimit(resource.RLIMIT_STACK, (stack_kb << 10, stack_kb << 10))

        self.process = subprocess.Popen(
            [path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            preexec_fn=before if stack_kb else None,
        )
        self.lines = []  # (when, text), text without its line end, a character for each byte
        self.heard = 0  # how many of them `hear` has gone through
        self.stderr = b""
        self.changed = threading.Condition()
        self.is_over = False
        self.readers = [threading.Thread(target=self._read), threading.Thread(target=self._read_errors)]
        for reader in self.readers:
            reader.start()
        if threads > 1:
            self.say(f"setoption name Threads value {threads}\n")

    def _read(self):
        rest = b""
        while True:
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            now = time.monotonic()
            *lines, rest = (rest + more).split(b"\n")
            if not more and rest:
                lines.append(rest)
            with self.changed:
                self.lines += [(now, line.decode("latin-1")) for line in lines]
                self.is_over = not more
                self.changed.notify_all()
            if not more:
                return

    def _read_errors(self):
        self.stderr = self.process.stderr.read()

    def say(self, text):
        view = memoryview(text.encode("latin-1"))
        try:
            while view:
                view = view[self.process.stdin.write(view) :]
        except BrokenPipeError:
            pass  # it has ended: the status tells

    def hear(self, pattern, seconds):
        """The time and text of the next answer that the pattern matches as a whole; None if it does not come in time."""
        wanted = re.compile(pattern)
        end = time.monotonic() + seconds
        with self.changed:
            while True:
                while self.heard < len(self.lines):
                    when, text = self.lines[self.heard]
                    self.heard += 1
                    if wanted.fullmatch(text):
                        return when, text
                left = end - time.monotonic()
                if left <= 0 or (self.is_over and self.heard == len(self.lines)):
                    return None
                self.changed.wait(left)

    def end(self, seconds=20):
        """Closes the input and waits for the end. The exit status; minus a signal; None if it does not end."""
        self.process.stdin.close()
        try:
            status = self.process.wait(seconds * PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            status = None
        for reader in self.readers:
            reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        return status


def ask(path, text):
    """All answers to a text that is sent at once."""
    session = Session(path)
    session.say(text)
    session.end()
    return [line for _, line in session.lines]


class Result:
    """How a run of the program with arguments ended: its status, the last line, the memory it took, the time."""

    def __init__(self, path, arguments, content, repeat):
        begin = time.monotonic()
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
        self.seconds = time.monotonic() - begin

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
            pass  # it has ended already: the status tells
        pipe.close()
