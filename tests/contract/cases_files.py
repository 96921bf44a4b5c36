# SPDX-License-Identifier: MIT
"""Files: D1 to D11, and the rules R8 and R11; and what the other parts of the contract (A, C, W) are tested by."""

import atexit
import os
import random
import shutil
import tempfile

from table import Case, Command, Elsewhere, best, hear

LONG = os.environ.get("LUFT_TEST_LONG") == "1"
COUNT = r"games=\d+ errors=\d+"


# --- Networks ----------------------------------------------------------------------


def bad_files(place):
    """Bad networks, by what is wrong with them."""

    def write(name, content):
        path = os.path.join(place, name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def number(value, size=4):
        return value.to_bytes(size, "little")

    header = (
        b"LUFTNNUE"
        + b"".join(map(number, (1, 0, 768, 32, 1, 1, 0, 1)))
        + number(255, 2)
        + number(64, 2)
        + number(400)
        + bytes(16)
    )
    yield "an empty file", write("empty", b"")
    yield "text", write("text", b"no network\n" * 100)
    yield "a header cut off", write("header", header[:40])
    yield "a header alone", write("short", header)
    yield "a wrong checksum", write("checksum", header + bytes((768 * 32 + 32 + 64) * 2 + 4))
    yield "another architecture", write("other", header[:20] + number(1 << 31) + header[24:])
    yield "another version", write("version", header[:8] + number(2) + header[12:])
    yield "a text of 4 GB", write("long", header[:12] + number(0xFFFFFFFF) + header[16:])
    yield "the network of another engine", write("sf.nnue", b"\x20\x2f\xf0\x7a" + random.Random(1).randbytes(100000))
    yield "more than any network has", write("large", header + bytes(9 << 20))
    yield "a name with blanks that is not there", os.path.join(place, "no  such \t file")
    yield "a directory", place
    yield "/dev/zero", "/dev/zero"
    yield "/dev/full", "/dev/full"
    yield "/dev/stdin", "/dev/stdin"
    yield "a path through a file", os.path.join(place, "text", "net")
    yield "a name of 5,000 letters", "/" + "x" * 5000
    fifo = os.path.join(place, "pipe")
    os.mkfifo(fifo)
    yield "a pipe that nobody writes to", fifo
    loop = os.path.join(place, "loop")
    os.symlink(loop, loop)
    yield "a link to itself", loop


def same_evaluation(answers):
    """What `eval` printed before is what it printed after."""
    lines = [line for line in answers.lines if line.startswith("evaluation: ")]
    return None if len(lines) == 2 and lines[0] == lines[1] else f"evaluations: {lines}"


def network_cases(place):
    for name, path in bad_files(place):
        steps = [
            "eval",
            f"setoption name EvalFile value {path}",
            "isready",
            hear("readyok"),
            "eval",
            "go depth 3",
            hear("bestmove .*"),
        ]
        yield Case(
            "D1",
            f"EvalFile is {name}: refused, and what was in force stays",
            steps,
            [same_evaluation, best()],
            errors=1,
        )
    steps = ["go infinite", f"setoption name EvalFile value {place}", "go depth 2"]
    yield Case("D1", "a bad EvalFile while searching", steps, errors=1)
    yield Case(
        "D1",
        "EvalFile without a value goes back to the built-in",
        ["eval", "setoption name EvalFile", "setoption name EvalFile value <empty>", "eval"],
        [same_evaluation],
    )
    yield Elsewhere("D1", "tests/test_engine_network.c", "bad_networks_change_nothing")
    for name, path in (
        ("a directory", place),
        ("a pipe", os.path.join(place, "pipe")),
        ("/dev/full", "/dev/full"),
        ("/dev/stdout", "/dev/stdout"),
    ):
        yield Case(
            "R8",
            f"Debug Log File is {name}: refused",
            [f"setoption name Debug Log File value {path}", "isready", hear("readyok")],
            errors=1,
        )


# --- PGN and EPD --------------------------------------------------------------------

GAME = b'[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 {a (comment} Nc6 3. Bb5 a6 1-0\n\n'
HOSTILE = {
    "nothing": b"",
    "one byte": b"[",
    "NUL bytes": b"\0" * 1000,
    "a game with NUL bytes": GAME.replace(b" ", b"\0"),
    "tags without an end": b'[Event "' * 10000,
    "a tag of 1 MB": b'[Event "' + b"x" * 1000000 + b'"]\n\n1. e4 *\n',
    "a word of 1 MB": b"1. " + b"e" * 1000000,
    "a comment of 1 MB without an end": b"1. e4 {" + b"x" * 1000000,
    "a million parentheses": b"1. e4 " + b"(" * 1000000,
    "a million closing ones": b"1. e4 " + b")" * 1000000,
    "a million annotations": b"1. e4 " + b"$1 " * 300000 + b"$999999999999999999999 *",
    "move numbers without an end": b"1" * 1000000 + b". e4 *",
    "100,000 empty games": b"*\n\n" * 100000,
    "a bad FEN": b'[FEN "' + b"8/" * 1000 + b'"]\n\n1. e4 *\n',
    "UTF-16": GAME.decode().encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + GAME,
    "CR alone": GAME.replace(b"\n", b"\r"),
    "an archive cut off": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
    "another archive cut off": b"\x28\xb5\x2f\xfd\x04",
}


def pgn_cases(place):
    for name, text in HOSTILE.items():
        yield Command("R11", f"pgn check: {name}", ["pgn", "check"], text, last=COUNT, status=(0, 1))
        yield Command(
            "R8", f"epd check: {name}", ["epd", "check"], text, last=r"positions=\d+ errors=\d+", status=(0, 1, 2)
        )
    source = random.Random(3)
    for i in range(4):
        yield Command(
            "R11", f"pgn check: random bytes, {i}", ["pgn", "check"], source.randbytes(50000), last=COUNT, status=(0, 1)
        )
        spoiled = bytearray(GAME * 200)
        for _ in range(200):
            spoiled[source.randrange(len(spoiled))] ^= 1 << source.randrange(8)
        yield Command(
            "R11",
            f"pgn check: games with flipped bits, {i}",
            ["pgn", "check"],
            bytes(spoiled),
            last=COUNT,
            status=(0, 1),
        )
    yield Command("R11", "pgn check: a good game", ["pgn", "check"], GAME, last="games=1 errors=0", status=(0,))
    yield Command(
        "R11",
        "pgn check: a file that is not there",
        ["pgn", "check", os.path.join(place, "none.pgn")],
        b"",
        last="games=0 errors=1",
        status=(1,),
    )
    yield Command("R11", "pgn check: a directory", ["pgn", "check", place], b"", last="games=0 errors=1", status=(1,))
    megabytes = 10000 if LONG else 60
    rate = 100 if LONG else 0
    yield Command(
        "D9",
        f"{megabytes} MB of PGN from a pipe",
        ["pgn", "check"],
        GAME * 10000,
        repeat=megabytes * 1000000 // (len(GAME) * 10000) + 1,
        last=r"games=\d+ errors=0",
        status=(0,),
        rss_mb=64,
        rate_mb=rate,
    )


# --- Tablebases ----------------------------------------------------------------------


def says(text):
    """One of the answers contains this."""
    return lambda answers: None if any(text in line for line in answers.lines) else f"no line with {text!r}"


def tablebase_cases(place):
    tables = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "syzygy")
    with open(os.path.join(tables, "KQvK.rtbw"), "rb") as file:
        sound = file.read()
    for name, content in (("no bytes", b""), ("a wrong size", sound[:-1]), ("another magic", b"X" + sound[1:])):
        folder = tempfile.mkdtemp(dir=place)
        with open(os.path.join(folder, "KQvK.rtbw"), "wb") as file:
            file.write(content)
        steps = [
            f"setoption name SyzygyPath value {folder}",
            "position fen 8/8/8/3k4/8/8/1Q6/K7 w - - 0 1",
            "go depth 3",
            hear("bestmove .*"),
        ]
        yield Case("D2", f"a table with {name}: ignored with a message", steps, [best(), says("KQvK.rtbw is ignored: ")])
    steps = [f"setoption name SyzygyPath value {place}/nowhere", "isready", hear("readyok"), "go depth 2"]
    yield Case("D2", "a directory that is not there: refused", steps, errors=1)
    yield Elsewhere("D2", "tests/cli/test_tb.sh", "check: a wrong size")
    yield Elsewhere("D3", "tests/test_tablebase_files.c", "file_cut_while_open")


def cases(path):
    del path
    place = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    yield from network_cases(place)
    yield from tablebase_cases(place)
    yield Elsewhere("D4", "tests/test_book.c", "castling_is_king_takes_rook")
    yield Elsewhere("D4", "tests/cli/test_uci_book.py", "e1a1 of a rook is a rook move")
    yield Elsewhere("D5", "tests/cli/test_epd.sh", "a binary file is refused, the next one read")
    yield Elsewhere("D5", "tests/cli/test_pgn_files.sh", "not read here")
    yield Elsewhere("D5", "tests/cli/test_uci_book.py", "a file that is not a book keeps the book")
    yield Elsewhere("D6", "tests/test_pgn_reader.c", "quotes_and_brackets_in_tags")
    yield Elsewhere("D7", "tests/test_pgn_reader.c", "a_bad_move_cuts_its_game")
    yield Elsewhere("D7", "tests/cli/test_pgn.sh", "convert: and the game is cut there")
    yield Elsewhere("D8", "tests/test_pgn_reader.c", "games_without_moves")
    yield Elsewhere("D8", "tests/test_pgn_stream.c", "games_are_skipped")
    yield from pgn_cases(place)
    yield Elsewhere("D10", "tests/test_pgn_reader.c", "any_line_ends")
    yield Elsewhere("D10", "tests/cli/test_pgn.sh", "filter: Latin-1, CRLF, no line end at the end")
    yield Elsewhere("D11", "tests/test_epd.c", "d11_a_megabyte_in_each_field")
    yield Elsewhere("D11", "tests/test_pgn_stream.c", "long_tags")
    for number in (1, 2, 3, 4, 6):
        yield Elsewhere(f"A{number}", "tests/test_contract.c", f"a{number}_")
    yield Elsewhere("A5", "tests/test_game.c", "a5_no_memory")
    yield Elsewhere("A5", "tests/test_pgn_stream.c", "memory_may_run_out")
    yield Elsewhere("A5", "tests/test_batch_pgn.c", "Case A5")
    steps = [
        "setoption name Threads value 64",
        "isready",
        hear("readyok"),
        "go movetime 300",
        hear("bestmove .*", at_most=0.6 if LONG else 4),
    ]
    yield Case("C3", "64 threads: the clock is kept", steps, tries=3)
    steps = [
        "setoption name Threads value 256",
        "isready",
        hear("readyok"),
        "go movetime 300",
        hear("bestmove .*", at_most=10),
        "setoption name Threads value 1",
        "go depth 5",
    ]
    yield Case("C3", "as many threads as there can be", steps, [best(2)])
    yield Elsewhere("C3", "tests/cli/test_uci_work.py", "fewer threads than requested: a message")
    yield Case(
        "R8",
        "Hash as large as it can be: had, or refused",
        ["setoption name Hash value 33554432", "go depth 4", hear("bestmove .*")],
        errors=None,
    )
    yield Elsewhere("C1", "scripts/test/run", "LUFT_TEST_THREADS")
    yield Elsewhere("C2", "tests/test_contract.c", "c2_")
    for number, script in ((1, "browser"), (2, "package"), (3, "long"), (4, "browser"), (5, "long"), (6, "package")):
        yield Elsewhere(f"W{number}", f"tests/web/{script}.mjs", f"W{number}: ")
