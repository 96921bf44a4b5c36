# SPDX-License-Identifier: MIT
"""Tests of luft.Database, with the standard library alone:

    make python && PYTHONPATH=build/python python3 tests/python/test_database.py

Answers are compared with a recount of the same games by the PGN reader.
"""

import collections
import concurrent.futures
import copy
import datetime
import io
import pathlib
import pickle
import random
import signal
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "build" / "python"))

import luft  # noqa: E402
from luft import Color, Error, LuftError, Position  # noqa: E402

try:
    from luft import _store  # noqa: F401

    HAS_DATABASE = True
except ImportError:
    HAS_DATABASE = False

ANNOTATED = sorted((ROOT / "tests" / "data" / "pgn").glob("*.pgn"))
NAMES = ("Adams", "Baker, Anna", "Château", "Dvorak")


def random_pgn(games, seed, start=0):
    """Random games of a few players. Openings are drawn from few moves, so that games share positions."""
    source = random.Random(seed)
    text = []
    for number in range(start, start + games):
        game = luft.Game()
        for ply in range(source.randrange(90)):
            moves = sorted(game.position.legal_moves, key=lambda move: move.uci)
            if not moves:
                break
            game.play(source.choice(moves[:3] if ply < 8 else moves))
        tags = {
            "Event": f"Event {number % 3}", "Site": "?", "Date": f"20{source.randrange(10, 13)}.{source.randrange(1, 13):02}.??",
            "Round": str(number), "White": source.choice(NAMES), "Black": source.choice(NAMES),
            "Result": source.choice(["1-0", "0-1", "1/2-1/2", "*"]),
        }  # fmt: skip
        if source.random() < 0.7:
            tags["WhiteElo"], tags["BlackElo"] = str(source.randrange(1800, 2800)), str(source.randrange(1800, 2800))
        text.append(luft.format_pgn(game, tags))
    return "\n".join(text).encode()


def facts(game):
    """The columns of a game, from its tags."""
    tags = game.tags
    year, month, day = (int(part) if part.isdigit() else 0 for part in tags["Date"].split("."))
    return {
        "white": tags["White"], "black": tags["Black"], "result": tags["Result"], "date": year * 10000 + month * 100 + day,
        "white_elo": int(tags["WhiteElo"]) if "WhiteElo" in tags else None,
        "black_elo": int(tags["BlackElo"]) if "BlackElo" in tags else None,
        "event": tags["Event"], "site": tags["Site"], "round": tags["Round"], "plies": len(game.moves),
    }  # fmt: skip


def recount(games, position):
    """By move: (games, white, draws, black), counted with the reader alone."""
    found = collections.defaultdict(lambda: [0, 0, 0, 0])
    wanted = " ".join(position.fen.split()[:4])
    for game in games:
        current, seen = game.start, set()
        for move in game.moves:
            if " ".join(current.fen.split()[:4]) == wanted and move not in seen:
                seen.add(move)
                found[move][0] += 1
                if game.tags["Result"] != "*":
                    found[move][1 + ["1-0", "1/2-1/2", "0-1"].index(game.tags["Result"])] += 1
            current = current.play(move)
    return dict(found)


class TestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "games.luftdb")

    def create(self, *sources, **options):
        database = luft.Database.create(self.path, *sources, **options)
        self.addCleanup(database.close)
        return database

    def refuses(self, name, function, *arguments, **options):
        with self.assertRaises(LuftError) as caught:
            function(*arguments, **options)
        self.assertEqual(caught.exception.name, name)
        return str(caught.exception)


@unittest.skipUnless(HAS_DATABASE, "the package was built without SQLite")
class Databases(TestCase):
    def test_every_answer_is_that_of_a_recount(self):
        conditions = (
            ({}, lambda game: True),
            ({"player": "baker"}, lambda game: "Baker" in game["white"] or "Baker" in game["black"]),
            ({"player": "baker", "color": Color.BLACK}, lambda game: "Baker" in game["black"]),
            ({"white": "Château"}, lambda game: game["white"] == "Château"),
            ({"min_rating": 2300}, lambda game: min(game["white_elo"] or 0, game["black_elo"] or 0) >= 2300),
            ({"from_date": "2011"}, lambda game: game["date"] >= 20110000),
            ({"to_date": datetime.date(2011, 6, 30)}, lambda game: game["date"] <= 20110630),
            ({"result": ["1-0", "*"]}, lambda game: game["result"] in ("1-0", "*")),
            ({"min_plies": 30, "event": "event 1"}, lambda game: game["plies"] >= 30 and game["event"] == "Event 1"),
            ({"first_game": 50, "last_game": 60}, lambda game: 50 <= game["id"] <= 60),
        )
        pgn = random_pgn(150, 1)
        games = list(luft.read_pgn(pgn))
        database = self.create(pgn, threads=2, keep_duplicates=True)
        rows = [{"id": number + 1, **facts(game)} for number, game in enumerate(games)]
        for given, holds in conditions:
            chosen = [games[row["id"] - 1] for row in rows if holds(row)]
            self.assertGreater(len(chosen), 3, given)
            for position in (Position(), *(game.positions[min(5, len(game.moves) - 1)] for game in games[::30] if game.moves)):
                found = database.explore(position, threads=2, **given)
                counted = recount(chosen, position)
                self.assertEqual({move.move: [*move[2:6]] for move in found.moves}, counted, (given, position.fen))
                self.assertEqual(found.total.games, sum(count[0] for count in counted.values()))
                self.assertEqual(sorted((move.games for move in found.moves), reverse=True), [move.games for move in found.moves])
            numbers = [row["id"] for row in rows if holds(row)]
            self.assertEqual([match.game for match in database.search(**given)], numbers)
            columns = database.columns(*rows[0], **given)
            self.assertEqual([dict(zip(columns, row)) for row in zip(*columns.values())], [rows[number - 1] for number in numbers])

    def test_ratings_and_dates_of_a_move(self):
        pgn = b"".join(
            f'[White "A"]\n[Black "B"]\n[Date "{date}"]\n[WhiteElo "{white}"]\n[BlackElo "{black}"]\n[Result "{result}"]\n\n1. e4 {reply} {result}\n\n'.encode()
            for date, white, black, result, reply in (
                ("2001.02.03", 2000, 2100, "1-0", "e5"),
                ("2003.??.??", 2200, 2300, "0-1", "c5"),
                ("????.??.??", 2500, 2600, "*", "e6"),
            )
        )
        database = self.create(pgn)
        (move,) = database.explore(Position()).moves
        self.assertEqual((move.san, move.games, move.white, move.draws, move.black), ("e4", 3, 1, 0, 1))
        # A game without a result is not rated. The score is 1 of 2, so the performance is the average of the opponents.
        self.assertEqual((move.rated, move.rating, move.opponents, move.performance), (2, 2100, 2200, 2200))
        self.assertEqual((move.first_date, move.last_date), (20010203, 20030000))
        after = database.explore(Position().play("e4"))
        self.assertEqual({each.san: (each.rating, each.first_date) for each in after.moves}, {"e5": (2100, 20010203), "c5": (2300, 20030000), "e6": (None, None)})
        self.assertEqual(sorted(after.best), [1, 2, 3])
        self.assertEqual(after.best[0], 3)
        ended = database.explore(Position().play("e4").play("e5"))
        self.assertEqual((ended.ended, ended.moves, ended.total.games), (1, [], 0))
        self.assertEqual(database.explore(luft.Game()), database.explore(Position()))

    def test_search(self):
        games = list(luft.read_pgn(random_pgn(120, 2)))
        database = self.create(random_pgn(120, 2), keep_duplicates=True)

        def first_ply(game, holds):
            positions = [game.start, *game.positions]
            return next((ply for ply, position in enumerate(positions) if holds(position)), None)

        cases = {
            "check": lambda position: position.is_check,
            "board ////????P???///": lambda position: position.piece_at("e4") == luft.Piece("P"),
            "checkmate": lambda position: position.is_checkmate,
            "ply 40": None,
        }
        for query, holds in cases.items():
            expected = [
                (number, ply)
                for number, game in enumerate(games, 1)
                if (ply := first_ply(game, holds) if holds else (40 if len(game.moves) >= 40 else None)) is not None
            ]
            self.assertEqual(database.search(query, threads=2), expected, query)
            self.assertEqual(database.search(query, limit=3), expected[:3], query)
        found = database.search("check", white="Adams")
        self.assertTrue(found and all(luft.PgnTree.parse(database.pgn(match.game)).tags["White"] == "Adams" for match in found))
        self.assertEqual(database.columns("white", games=found), {"white": ["Adams"] * len(found)})
        self.assertEqual(database.columns("id", games=[7, 3, 7]), {"id": [7, 3, 7]})

    def test_games_come_back_as_trees(self):
        for path in ANNOTATED:
            trees = [tree for tree in luft.read_pgn_trees(path) if not tree.errors]
            if not trees:
                continue
            database = self.create(path, keep_duplicates=True)
            self.assertEqual(list(database), trees, path)
            self.assertEqual(len(database), len(trees))
            self.assertEqual(database[1], trees[0])
            database.close()

    def test_adding_games(self):
        pgn, more = random_pgn(40, 3), random_pgn(25, 4, 40)
        broken = b'[White "X"]\n[Black "Y"]\n\n1. e4 e5 2. Ke3 *\n'
        sizes = []
        for sources in ([pgn, more], [pgn + b"\n" + more], [io.BytesIO(pgn), memoryview(more)]):
            database = self.create(*sources, keep_duplicates=True)
            sizes.append((len(database), database.explore(Position()).moves))
            database.close()
        self.assertEqual(sizes, [sizes[0]] * 3)
        self.assertEqual(sizes[0][0], 65)
        with luft.Database(self.path, write=True) as database:
            distinct = len(set(database.search()))
            added = database.append(pgn, more)
            self.assertEqual((added.read, added.added, added.duplicates, added.left_out), (65, 0, 65, 0))
            added = database.append(broken)
            self.assertEqual((added, added.left_out, len(database)), ((1, 0, 0), 1, distinct))
            added = database.append(broken, keep_broken=True, statistics=False)
            self.assertEqual((added, added.left_out), ((1, 1, 0), 0))
            self.assertEqual(database[len(database)].sans, ["e4", "e5"])
            self.assertEqual(len(database), 66)
            self.assertEqual(database.info.indexed_games, 65)
        with luft.Database(self.path) as database:
            self.assertEqual(database.info.games, 66)
            self.refuses("ARGUMENT", database.append, pgn)

    def test_nothing_is_lost_when_a_source_fails(self):
        class Failing:
            def __init__(self):
                self.text = random_pgn(30, 5)

            def read(self, size):
                if not self.text:
                    raise KeyError("gone")
                part, self.text = self.text[:500], self.text[500:]
                return part

        class Nosy:
            def __init__(self, call):
                self.call = call

            def read(self, size):
                self.call()
                return b""

        database = self.create(random_pgn(10, 6))
        before = database.info
        self.assertRaises(KeyError, database.append, Failing())
        self.assertRaises(TypeError, database.append, io.StringIO("1. e4 *"))
        self.assertRaises(FileNotFoundError, database.append, self.path.with_name("none.pgn"))
        self.assertRaises(AttributeError, database.append, 5)
        for call in (database.close, database.__len__, lambda: database.append(b"")):
            self.assertRaises(RuntimeError, database.append, Nosy(call))
        self.assertEqual(database.info[:8], before[:8])
        database.append(random_pgn(5, 7), keep_duplicates=True)
        self.assertEqual(len(database), before.games + 5)
        database.close()
        content = self.path.read_bytes()
        self.assertRaises(KeyError, luft.Database.create, self.path, Failing())
        self.assertEqual(self.path.read_bytes(), content)
        self.assertEqual([path.name for path in self.path.parent.iterdir()], [self.path.name])

    @unittest.skipUnless(hasattr(signal, "setitimer"), "this system has no such timer")
    def test_an_interrupt_of_the_statistics_keeps_the_games(self):
        database = self.create(random_pgn(10, 13), keep_duplicates=True)
        more = random_pgn(20, 14) * 500  # so many that their statistics are due

        def interrupt(*_):
            with luft.Database(self.path) as other:
                are_added = len(other) > 10
            if are_added:
                raise KeyboardInterrupt
            signal.setitimer(signal.ITIMER_REAL, 0.001)  # the games are not yet in the file

        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, interrupt))
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        self.assertRaises(KeyboardInterrupt, database.append, more, keep_duplicates=True)
        self.assertEqual((database.info.games, database.info.indexed_games), (10010, 10))
        total = database.explore(Position())
        self.assertEqual(total.total.games + total.ended, 10010)
        database.append(b"")
        self.assertEqual(database.info.indexed_games, 10010)
        self.assertEqual(database.explore(Position())[:2], total[:2])

    def test_what_is_refused(self):
        database = self.create(random_pgn(10, 8))
        for conditions in (
            {"min_rating": -1}, {"min_rating": "2000"}, {"max_rating": 1 << 40}, {"from_date": "May"}, {"from_date": 2019}, {"from_date": "2019-13"},
            {"to_date": "1-2-3-4"}, {"result": "2-0"}, {"result": ["1-0", "x"]}, {"color": Color.WHITE}, {"min_plies": 1 << 32},
            {"last_game": 1 << 63},
        ):  # fmt: skip
            for function in (database.search, database.columns, lambda **given: database.explore(Position(), **given)):
                message = self.refuses("ARGUMENT", function, **conditions)
                self.assertIn(next(iter(conditions)), message)
        self.assertRaises(TypeError, database.search, colour="white")
        self.assertRaises(TypeError, database.search, player=5)
        self.assertRaises(ValueError, database.search, player="a\0b")
        self.assertIn("byte 6", self.refuses("QUERY", database.search, "check chekc"))
        self.refuses("ARGUMENT", database.columns, "colour")
        self.refuses("ARGUMENT", database.search, threads=65)
        self.assertRaises(TypeError, database.columns, games=[1], white="A")
        for number in (0, -1, len(database) + 1, 1 << 80):
            self.assertRaises(IndexError, database.pgn, number)
        self.assertRaises(IndexError, database.columns, games=[len(database) + 1])
        for function in (pickle.dumps, copy.copy):
            self.assertRaises(TypeError, function, database)
        database.close()
        database.close()
        for call in (database.__len__, lambda: database.explore(Position()), lambda: database[1], database.search, database.columns):
            self.assertRaises(ValueError, call)
        self.assertRaises(FileNotFoundError, luft.Database, self.path.with_name("none"))
        other = self.path.with_name("other")
        other.write_bytes(b"not a database" * 100)
        self.refuses(Error.DAMAGED.name, luft.Database, other)
        self.refuses("WRITE", luft.Database.create, self.path / "below")
        games = self.path.with_name("games.pgn")
        games.write_bytes(random_pgn(3, 1))
        self.refuses("ARGUMENT", luft.Database.create, games, games)
        self.assertEqual(games.read_bytes(), random_pgn(3, 1))

    def test_threads_share_a_database(self):
        pgn = random_pgn(60, 9)
        database = self.create(pgn, keep_duplicates=True)
        expected = database.explore(Position()), database.search("check"), database.columns("white")
        stop = threading.Event()

        def ask(_):
            while not stop.is_set():
                if (database.explore(Position()), database.search("check"), database.columns("white")) != expected:
                    return False
            return True

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = [pool.submit(ask, number) for number in range(4)]
            stop.wait(1)
            stop.set()
            self.assertEqual([answer.result() for answer in answers], [True] * 4)

    def test_other_threads_run_during_a_call(self):
        database = self.create(random_pgn(10, 12) * 300, keep_duplicates=True)
        games, stop, turns = len(database), threading.Event(), [0]

        def count():
            while not stop.is_set():
                turns[0] += 1
                time.sleep(0)

        wanted = luft._database._filter({})
        calls = {
            "info": lambda: database._store.info(),
            "pgn": lambda: database._store.pgn(1),
            "columns": lambda: database._store.columns(1, wanted, None),
            "columns of numbers": lambda: database._store.columns(1, wanted, list(range(1, games + 1))),
        }
        # Python itself changes the thread after this time only: the other one has turns while a call lets it.
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1000)
        other = threading.Thread(target=count)
        other.start()
        try:
            for name, call in calls.items():
                for _ in range(1000):  # a call may end before the other thread has woken up
                    before = turns[0]
                    call()
                    if turns[0] > before:
                        break
                else:
                    self.fail(f"no other thread ran during {name}")
        finally:
            stop.set()
            other.join()

    @unittest.skipUnless(hasattr(signal, "setitimer"), "this system has no such timer")
    def test_an_interrupt_ends_the_reading_of_columns(self):
        database = self.create(random_pgn(10, 15), keep_duplicates=True)

        def interrupt(*_):
            raise KeyboardInterrupt

        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, interrupt))
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        numbers = [1] * 1000000 + [11]  # without the interrupt: IndexError, as there is no game 11
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        self.assertRaises(KeyboardInterrupt, database._store.columns, 1, luft._database._filter({}), numbers)

    def test_columns_of_more_games_than_are_read_at_once(self):
        texts = [
            f'[White "W{number}"]\n[Black "B"]\n[Site "https://example.com/{number}"]\n[Round "{number}"]\n[Result "*"]\n'
            + (f'[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 {number}"]\n' if number % 3 == 0 else "")
            + "\n*\n\n"
            for number in range(1, 2501)
        ]
        database = self.create("".join(texts).encode(), keep_duplicates=True)
        self.assertEqual(len(database), 2500)

        def expected(numbers):
            return {
                "site": [f"https://example.com/{number}" for number in numbers],
                "round": [str(number) for number in numbers],
                "fen": [None if number % 3 else f"4k3/8/8/8/8/8/8/4K3 w - - 0 {number}" for number in numbers],
                "white": [f"W{number}" for number in numbers],
            }

        names = ("site", "round", "fen", "white")
        for numbers in (range(1, 2501), range(2500, 0, -1), [7] * 1000, [1] * 1001):
            self.assertEqual(database.columns(*names, games=numbers), expected(numbers))
        self.assertEqual(database.columns(*names), expected(range(1, 2501)))
        self.assertEqual(database.columns(*names, last_game=1000), expected(range(1, 1001)))
        self.assertEqual(database.columns(*names, last_game=2000), expected(range(1, 2001)))
        with self.assertRaisesRegex(IndexError, "no game 2501"):
            database.columns("id", games=[*range(1, 1200), 2501])


if __name__ == "__main__":
    unittest.main()
