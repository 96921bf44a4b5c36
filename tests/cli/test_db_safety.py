#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""luft db keeps what it was given: readers beside a writer, two writers, kill -9 at random moments, disks that are full at
any byte, damaged pages, and hostile PGN.

usage: tests/cli/test_db_safety.py PATH-OF-LUFT
"""
import concurrent.futures
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from report import Report  # noqa: E402

luft = os.path.abspath(sys.argv[1])
report = Report()
IS_LONG, IS_QUICK = bool(os.environ.get("LUFT_TEST_LONG")), bool(os.environ.get("LUFT_TEST_QUICK"))
ROUNDS = 60 if IS_LONG else 6 if IS_QUICK else 12
SOURCE = random.Random(22)


def run(*arguments, **options):
    """`luft db` with these arguments: status and lines of standard error; the output is in `run.output`."""
    done = subprocess.run([luft, "db", *map(str, arguments)], capture_output=True, check=False, timeout=300, **options)
    run.output = done.stdout
    return done.returncode, done.stderr.decode(errors="replace").splitlines()


def write_games(path, count, first=0):
    """Games of steps of pawns, which are legal in any order; each has a player of its own, so none is a duplicate."""
    with open(path, "w", encoding="ascii") as file:
        for number in range(first, first + count):
            sides = [SOURCE.sample("abcdefgh", SOURCE.randrange(1, 9)) for _ in range(2)]
            moves = [f"{file_name}{rank}" for pair in zip(*sides) for file_name, rank in zip(pair, "36")]
            file.write(f'[White "P{number}"]\n[Black "Q"]\n[Result "1-0"]\n\n{" ".join(moves)} 1-0\n\n')


def count_games(path):
    status, _ = run("stats", "--json", path)
    return json.loads(run.output)["games"] if status == 0 else None


def is_sound(path):
    status, errors = run("check", "--quiet", path)
    return status == 0 and not errors


def is_refusal(status, errors):
    """One clear error: no signal, no second line."""
    return status in (1, 2) and len(errors) == 1 and errors[0].startswith("luft db ")


# --- Readers and writers -----------------------------------------------------------------


def check_readers(folder):
    """Each reader sees whole transactions, and never fewer games than before."""
    path, games = folder / "shared.luftdb", folder / "part.pgn"
    write_games(games, 500)
    run("create", "--quiet", path, games)
    is_over = threading.Event()

    def read(number):
        faults, last, answers = [], 0, 0
        while not is_over.is_set():
            command = [["explore", "--json"], ["search", "--format", "count"], ["stats", "--json"]][number % 3]
            done = subprocess.run([luft, "db", *command, path, *(["ply 0"] if number % 3 == 1 else [])], capture_output=True, check=False, timeout=100)
            if done.returncode != 0:
                faults.append(done.stderr)
                continue
            seen = int(done.stdout) if number % 3 == 1 else json.loads(done.stdout)["games"]
            if seen % 500 or seen < last:
                faults.append(f"{last} games, then {seen}")
            last, answers = seen, answers + 1
        return faults, answers

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        readers = [pool.submit(read, number) for number in range(8)]
        for part in range(1, 4 if IS_QUICK else 8):
            write_games(games, 500, 500 * part)
            status, errors = run("append", "--quiet", path, games)
            report.check(f"append {part} beside eight readers", status == 0 and not errors, errors)
        is_over.set()
        results = [reader.result() for reader in readers]
    report.check("eight readers see whole transactions only", not any(faults for faults, _ in results), [faults for faults, _ in results])
    report.check("each of them had answers", all(answers > 0 for _, answers in results), [answers for _, answers in results])
    report.check("the database that they read is sound", is_sound(path))


def check_writers(folder):
    """Two writers: each adds all of its games, or says that the other is writing."""
    path, before = folder / "writers.luftdb", 100
    write_games(folder / "first.pgn", before)
    run("create", "--quiet", path, folder / "first.pgn")
    for number in (1, 2):
        write_games(folder / f"writer{number}.pgn", 4000, 10000 * number)
    both = [subprocess.Popen([luft, "db", "append", "--quiet", path, folder / f"writer{number}.pgn"], stderr=subprocess.PIPE, text=True) for number in (1, 2)]
    ends = [(writer.communicate(timeout=200)[1].splitlines(), writer.returncode) for writer in both]
    added = sum(4000 for errors, status in ends if status == 0 and not errors)
    report.check("a writer that cannot write says why", all(status == 0 or is_refusal(status, errors) for errors, status in ends), ends)
    report.check("two writers add their games or none", added > 0 and count_games(path) == before + added and is_sound(path), ends)


# --- Ends that nobody asked for ------------------------------------------------------------


def duration_of(*arguments):
    start = time.monotonic()
    run(*arguments)
    return time.monotonic() - start


def kill_often(name, wanted, duration, end_of):
    """Calls `luft db` and kills it at random moments: ROUNDS times, and more until each of the wanted ends was seen.

    `end_of` gets the longest delay and returns one of them, "over" if the command had ended before, or a fault.
    """
    seen = {"over": 0, **dict.fromkeys(wanted, 0)}
    for number in range(10 * ROUNDS):
        end = end_of(duration)
        if end not in seen:
            report.check(f"{name}, round {number}", False, end)
            return
        seen[end] += 1
        if number + 1 >= ROUNDS and all(seen[each] for each in wanted):
            break
        duration *= 1.1 if end == wanted[0] else 0.9  # the machine may be busier than when it was measured, or idler
    report.check(f"{name}: {', '.join(f'{seen[each]} times {each}' for each in wanted)}", all(seen[each] for each in wanted), seen)


def kill(duration, *arguments):
    """Was the command still running when it was killed?"""
    writer = subprocess.Popen([luft, "db", *map(str, arguments)])
    time.sleep(duration * SOURCE.random())
    writer.kill()
    return writer.wait() == -signal.SIGKILL


def check_kills(folder):
    """More games than may be missing from the statistics, so that an append has both of its transactions."""
    path, games, more = folder / "killed.luftdb", folder / "base.pgn", folder / "more.pgn"
    write_games(games, 300)
    write_games(more, 9000, 1000)

    def end_of_append(duration):
        for leftover in folder.glob("killed.luftdb*"):
            leftover.unlink()
        run("create", "--quiet", path, games)
        was_running = kill(duration, "append", "--quiet", path, more)
        found, good = count_games(path), is_sound(path)
        if found not in (300, 9300) or not good:
            return f"{found} games, sound: {good}"
        status, errors = run("append", "--quiet", path, more)
        if status != 0 or count_games(path) != 9300 or not is_sound(path):
            return f"the append after it: {status}, {errors}"
        return "over" if not was_running else "no game" if found == 300 else "all games"

    def end_of_create(duration):
        for leftover in folder.glob("new*"):
            leftover.unlink()
        new = folder / "new.luftdb"
        kill(duration, "create", "--quiet", new, more)
        if not new.exists():
            return "no database"
        found = count_games(new)
        return "a complete one" if found == 9000 and is_sound(new) else f"{found} games"

    run("create", "--quiet", path, games)
    kill_often("kill -9 of append", ("no game", "all games"), duration_of("append", "--quiet", path, more), end_of_append)
    # The file appears at the end of a create: a complete one may be that of a command that had ended.
    kill_often("kill -9 of create", ("no database", "a complete one"), duration_of("create", "--quiet", folder / "new.luftdb", more), end_of_create)


def limit_files(size):
    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return prepare


def check_full(folder):
    path, games, more = folder / "full.luftdb", folder / "base.pgn", folder / "more.pgn"
    run("create", "--quiet", folder / "all.luftdb", more)
    largest = (folder / "all.luftdb").stat().st_size
    run("create", "--quiet", path, games)
    refused = 0
    for number in range(ROUNDS):
        size = SOURCE.randrange(4096, largest)
        for command in (["append", path], ["create", folder / "none.luftdb"]):
            status, errors = run(command[0], "--quiet", command[1], more, preexec_fn=limit_files(size))
            refused += status != 0
            is_append = command[0] == "append"
            if status != 0 and not is_refusal(status, errors):
                report.check(f"{command[0]} with files of at most {size} bytes", False, (status, errors))
                return
            if not is_append and status != 0 and list(folder.glob("none.luftdb*")):
                report.check("a create that fails leaves no file", False, list(folder.glob("none*")))
                return
            # The games are one transaction, their statistics a second one.
            is_added = status == 0 or "the games are added" in errors[0]
            if is_append and not (is_sound(path) and count_games(path) == (9300 if is_added else 300)):
                report.check(f"the database after an append with files of at most {size} bytes", False, (status, errors, count_games(path)))
                return
        for leftover in [*folder.glob("full.luftdb*"), *folder.glob("none.luftdb*")]:
            leftover.unlink()
        run("create", "--quiet", path, games)
    report.check("files that cannot grow: one error, nothing lost", refused > ROUNDS // 2, refused)
    # A disk with room for the games or not, where an unprivileged user may mount one.
    script = (
        'mount -t tmpfs -o size="$4" none "$1" || exit 77; cp "$2" "$1/d" || exit 78; "$0" db append --quiet "$1/d" "$3" && exit 79; '
        '"$0" db stats --json "$1/d" && "$0" db check "$1/d"'
    )
    (folder / "disk").mkdir()
    for room in (200_000, 1_000_000):
        arguments = ["unshare", "-rm", "sh", "-c", script, luft, folder / "disk", path, more, str(path.stat().st_size + room)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False) if shutil.which("unshare") else None
        if not done or done.returncode == 77 or "unshare:" in done.stderr:
            report.skip(f"a disk with {room} bytes of room", "no permission to mount one")
            continue
        games_left = 9300 if "the games are added" in done.stderr else 300
        is_good = done.returncode == 0 and done.stderr.count("\n") == 1 and "full" in done.stderr
        is_good = is_good and f'"games": {games_left},' in done.stdout and ": 0 faults" in done.stdout
        report.check(f"a disk with {room} bytes of room: one error, and all games or none", is_good, (done.returncode, done.stdout, done.stderr))


# --- Bad files -----------------------------------------------------------------------------


def check_damage(folder):
    path, games = folder / "damaged.luftdb", folder / "base.pgn"
    run("create", "--quiet", "--force", path, games)
    sound = path.read_bytes()
    commands = [["stats", path], ["explore", path], ["explore", "--player", "P1", path], ["search", path, "ply 3"], ["players", path],
                ["export", path], ["check", path], ["append", "--quiet", path, games]]  # fmt: skip
    noticed = 0
    for number in range(2 * ROUNDS):
        page = SOURCE.randrange(len(sound) // 4096)
        data = bytearray(sound)
        if number % 3 == 0:
            data[page * 4096 : (page + 1) * 4096] = SOURCE.randbytes(4096)
        elif number % 3 == 1:
            for _ in range(20):
                data[page * 4096 + SOURCE.randrange(4096)] = SOURCE.randrange(256)
        else:
            del data[page * 4096 + SOURCE.randrange(4096) :]
        for command in commands:
            for leftover in folder.glob("damaged.luftdb*"):
                leftover.unlink()
            path.write_bytes(data)
            status, errors = run(*command)
            if status not in (0, 1, 2) or (command[0] != "check" and len(errors) > 1):
                report.check(f"{command[0]}: a damaged page, round {number}", False, (status, errors[:5]))
                return
            noticed += status != 0
    report.check("damaged pages: an answer or one error", noticed > ROUNDS, noticed)


def check_hostile(folder):
    """Whatever the text, each game is added, or reported with its line; what is added replays and is as the reader says."""
    folders = [ROOT / "tests" / "data" / "pgn", ROOT / "tests" / "fuzz" / "regressions"]
    if os.environ.get("LUFT_DATA"):
        folders.append(pathlib.Path(os.environ["LUFT_DATA"]) / "pgn" / "corner-cases")
    texts = [file.read_bytes()[:200000] for each in folders for file in sorted(each.rglob("*")) if file.is_file() and ("pgn" in file.name or "pgn" in str(file.parent))]
    path, games, added = folder / "hostile.luftdb", folder / "hostile.pgn", 0
    write_games(games, 20)  # so that there are good games among the damaged ones
    texts += [games.read_bytes()] * (len(texts) // 4)
    for number in range(8 * ROUNDS):
        data = bytearray(SOURCE.choice(texts) + SOURCE.choice(texts)) if number >= len(texts) else bytearray(texts[number])
        for _ in range(SOURCE.randrange(30) if number >= len(texts) and data else 0):
            place = SOURCE.randrange(len(data))
            data[place : place + SOURCE.randrange(3)] = SOURCE.choice([b'"', b"[", b"]", b"{", b"}", b"(", b")", b"\0", b"\xff", b"\n\n", b"$9", b"--", b"1/2", b"*"])
        games.write_bytes(data)
        path.unlink(missing_ok=True)
        status, errors = run("create", "--quiet", "--keep-duplicates", path, games)
        if status == 2 and is_refusal(status, errors) and not path.exists():
            continue  # not a text
        checked = subprocess.run([luft, "pgn", "check", "--quiet", games], capture_output=True, text=True, errors="replace", check=False)
        counts = dict(part.split("=") for part in checked.stdout.splitlines()[-1].split())
        good = int(counts["games"]) - int(counts["errors"])
        added += good
        if status not in (0, 1) or count_games(path) != good or not is_sound(path):
            report.check(f"hostile PGN, round {number}", False, (status, errors[-3:], counts, count_games(path)))
            return
    report.check(f"{8 * ROUNDS} hostile files: games without an error are added, and replay", added > 8 * ROUNDS, added)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        _, errors = run("check", folder / "none")
        if any("compiled without SQLite" in line for line in errors):
            report.skip("luft db", "this build has no database")
            report.finish()
        check_readers(folder)
        check_writers(folder)
        check_kills(folder)
        check_full(folder)
        check_damage(folder)
        check_hostile(folder)
    report.finish()


main()
