#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program in a pseudo-terminal of 80 columns and follows a script.

usage: drive_terminal.py PROGRAM [ARGUMENTS...] <SCRIPT

The script has a step on each line: `expect TEXT` waits until the text appears, `send TEXT` types it and
presses Enter, `key C` presses control with that letter, `bytes HEX` types these bytes, `signal NAME` sends a
signal, `pause SECONDS` waits. At the end of the script the program is waited for. What it printed goes to standard
output without carriage returns; the exit status is that of the program, or 99 if a step failed.
"""

import errno
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
import fcntl

TIMEOUT_S = 30

pid, master = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

printed = b""
seen = 0  # up to here the script has looked


def read_some(seconds):
    """Takes what comes within this time; False at the end."""
    global printed
    if not select.select([master], [], [], seconds)[0]:
        return True
    try:
        chunk = os.read(master, 65536)
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        chunk = b""
    printed += chunk
    return chunk != b""


def finish(failure=None):
    sys.stdout.buffer.write(printed.replace(b"\r", b""))
    sys.stdout.flush()
    if failure:
        print("\n# " + failure)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        sys.exit(99)
    status = os.waitpid(pid, 0)[1]
    sys.exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 98)


def expect(text):
    global seen
    end = time.monotonic() + TIMEOUT_S
    while True:
        place = printed.find(text, seen)
        if place >= 0:
            seen = place + len(text)
            return
        if time.monotonic() > end or not read_some(0.1):
            finish("did not see: " + text.decode())


for line in sys.stdin.buffer.read().splitlines():
    word, _, rest = line.partition(b" ")
    if word == b"expect":
        expect(rest)
    elif word == b"send":
        os.write(master, rest + b"\r")
    elif word == b"key":
        os.write(master, bytes([rest[0] & 31]))
    elif word == b"bytes":
        os.write(master, bytes.fromhex(rest.decode()))
    elif word == b"signal":
        os.kill(pid, getattr(signal, rest.decode()))
    elif word == b"pause":
        time.sleep(float(rest))
    elif word:
        finish("no step: " + word.decode())

end = time.monotonic() + TIMEOUT_S
while read_some(0.1):
    if time.monotonic() > end:
        finish("the program does not end")
finish()
