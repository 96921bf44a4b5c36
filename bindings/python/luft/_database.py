# SPDX-License-Identifier: MIT
"""Database: many games in one file, with statistics of their positions."""

from __future__ import annotations

import contextlib
import datetime
import os
import threading
from typing import TYPE_CHECKING, Any, Iterable, Iterator, NamedTuple, NoReturn, Optional, TypeVar, Union

from ._core import Game, Move, PgnTree, Position
from ._pgn import Source
from ._types import Color, Error, LuftError

if TYPE_CHECKING:
    from ._store import Store

_Path = Union[str, "os.PathLike[str]"]
_Condition = Union[str, int, datetime.date, Iterable[str], None]
_DatabaseT = TypeVar("_DatabaseT", bound="Database")

_RESULTS = {"1-0": 1, "0-1": 2, "1/2-1/2": 3, "*": 4}  # a luft_result
_READ, _WRITE, _CREATE = range(3)  # a luft_database_mode

COLUMNS = (
    "id", "white", "black", "white_elo", "black_elo", "result", "date", "event", "site", "round", "eco", "plies",
    "time_control", "fen",
)  # fmt: skip
"""The columns of Database.columns."""


class MoveStatistics(NamedTuple):
    """A move, and what became of the games in which it was played in a position. A null move has no `move`."""

    move: Optional[Move]
    san: str
    games: int
    white: int  # games that White won
    draws: int
    black: int
    rated: int  # games in which both players are rated
    rating: Optional[int]  # the average of those who made the move, in rated games
    opponents: Optional[int]
    performance: Optional[int]
    first_date: Optional[int]  # 20190504; unknown parts are 0
    last_date: Optional[int]


class PositionStatistics(NamedTuple):
    """What was played in a position."""

    total: MoveStatistics  # of all moves together, without a move
    moves: list[MoveStatistics]  # most games first
    best: list[int]  # numbers of the games of the highest rated players, at most four
    ended: int  # games whose last position this is; the total does not count them
    from_games: bool  # computed from the games, because the file has no statistics of it or there are conditions


class Match(NamedTuple):
    """A game that matches a query."""

    game: int
    ply: int  # the first position that matches; 0 is the start of the game


class DatabaseInfo(NamedTuple):
    """The sizes of a database."""

    games: int
    plies: int
    players: int
    events: int
    sites: int
    positions: int  # that have statistics
    position_moves: int  # moves in those
    indexed_games: int  # games that the statistics count; the others are counted when a position is explored
    bytes: int  # of the file


class AddedGames(NamedTuple):
    """What became of the games that were read."""

    read: int
    added: int
    duplicates: int

    @property
    def left_out(self) -> int:
        """Games with errors, and games that are too large."""
        return self.read - self.added - self.duplicates


# --- Arguments ------------------------------------------------------------------------------


def _number(name: str, value: object, largest: int) -> int:
    if not isinstance(value, int) or not 0 <= value <= largest:
        raise LuftError(Error.ARGUMENT, f"{name}: expected an integer from 0 to {largest}, got {value!r}")
    return int(value)


def _date(name: str, value: object) -> int:
    if isinstance(value, datetime.date):
        return value.year * 10000 + value.month * 100 + value.day
    if isinstance(value, str):
        parts = value.replace(".", "-").split("-")
        if len(parts) <= 3 and all(part.isascii() and part.isdigit() for part in parts):
            year, month, day = [*map(int, parts), 0, 0][:3]
            if year <= 9999 and month <= 12 and day <= 31:
                return year * 10000 + month * 100 + day
        raise LuftError(Error.ARGUMENT, f'{name}: expected a date such as "2019-05-04" or "2019", got {value!r}')
    number = _number(name, value, 99991231)
    if 0 < number <= 9999:
        raise LuftError(Error.ARGUMENT, f'{name}: expected a date such as 20190504 or "2019", got {value!r}')
    return number


def _result(value: Union[str, Iterable[str]]) -> int:
    bits = 0
    for each in [value] if isinstance(value, str) else value:
        if each not in _RESULTS:
            raise LuftError(Error.ARGUMENT, f"result: expected one of {', '.join(_RESULTS)}, got {each!r}")
        bits |= 1 << _RESULTS[each]
    return bits


def _text(name: str, value: object) -> Optional[str]:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name}: expected a str, got {type(value)!r}")
    return value


def _filter(given: dict[str, _Condition]) -> tuple[Any, ...]:
    """The fields of a luft_database_filter in their order, then the colour."""
    values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    color = values.pop("color", None)
    if color is not None and "player" not in values:
        raise LuftError(Error.ARGUMENT, "color: expected with player, which is missing")
    names = ("player", "white", "black", "event", "site", "time_control", "eco")
    fields: list[Any] = [_text(name, values.pop(name, None)) for name in names]
    fields += [_number(name, values.pop(name, 0), 9999) for name in ("min_rating", "max_rating")]
    fields += [_date(name, values.pop(name, 0)) for name in ("from_date", "to_date")]
    fields.append(_result(values.pop("result", ())))
    fields += [_number(name, values.pop(name, 0), 2**32 - 1) for name in ("min_plies", "max_plies")]
    fields += [_number(name, values.pop(name, 0), 2**63 - 1) for name in ("first_game", "last_game")]
    if values:
        raise TypeError(f"{next(iter(values))!r} is not a condition")
    return *fields, -1 if color is None else int(Color(color))


def _statistics(numbers: tuple[int, ...], position: Optional[Position]) -> MoveStatistics:
    move = Move(numbers[0]) if position and numbers[0] else None
    san = "" if position is None else "--" if move is None else position.san(move)
    return MoveStatistics(move, san, *numbers[1:6], *(number or None for number in numbers[6:]))


def _new_store(path: _Path, mode: int) -> Store:
    try:
        from ._store import Store
    except ImportError as error:
        raise ImportError(f"luft.Database needs SQLite: this package was built without it, or it is missing ({error})")
    return Store(os.fsencode(path), mode)


# --- The database ---------------------------------------------------------------------------


class Database:
    """Many games in one file, with statistics of their positions: what `luft db` makes.

        with luft.Database("games.luftdb") as database:
            for move in database.explore(luft.Position()).moves:
                print(move.san, move.games)

    Others may read and write the file meanwhile. Threads may share a Database; calls follow one another, and other
    threads of Python run meanwhile. A call sees all games that were added before it began.

    Conditions on the facts of a game are keyword arguments, of which all must hold; texts match in part and ignore the
    case of A to Z:

    player, color           either player, or the one of this Color
    white, black            the players
    event, site             as the tags have them
    time_control            bullet, blitz, rapid, classical, or the value of the tag
    eco                     "B9", "B90" or "B90-B99"
    min_rating, max_rating  of both players
    from_date, to_date      a datetime.date, 20190504, or text such as "2019" and "2019-05-04"
    result                  "1-0", "0-1", "1/2-1/2", "*", or several
    min_plies, max_plies    moves of both sides
    first_game, last_game   numbers of games
    """

    __slots__ = ("_store", "_lock", "_is_busy", "__weakref__")

    def __init__(self, path: _Path, *, write: bool = False) -> None:
        """Opens a database for reading, or with `write` also for append."""
        self._open(path, _WRITE if write else _READ)

    def _open(self, path: _Path, mode: int) -> None:
        if mode != _CREATE:
            os.stat(path)  # a file that does not exist raises what open would
        self._lock = threading.RLock()
        self._is_busy = False
        self._store: Store = _new_store(path, mode)

    @classmethod
    def create(
        cls: type[_DatabaseT],
        path: _Path,
        *sources: Source,
        threads: int = 1,
        keep_broken: bool = False,
        keep_duplicates: bool = False,
    ) -> _DatabaseT:
        """Makes a database of PGN sources, in place of a file of that name, and returns it open for writing.

        The sources are those of PgnReader. The file appears when it is complete.
        """
        for source in sources:
            if isinstance(source, (str, os.PathLike)) and os.path.exists(path) and os.path.samefile(path, source):
                raise LuftError(Error.ARGUMENT, "the database is also a file to read")
        database = cls.__new__(cls)
        database._open(path, _CREATE)
        try:
            database.append(*sources, threads=threads, keep_broken=keep_broken, keep_duplicates=keep_duplicates)
        except BaseException:
            database.close()
            raise
        return database

    @contextlib.contextmanager
    def _held(self) -> Iterator[Store]:
        """The store, for one call at a time."""
        with self._lock:
            if self._is_busy:  # a source of this thread's own append calls back
                raise RuntimeError("a source of PGN cannot use the Database that reads it")
            self._is_busy = True
            try:
                yield self._store
            finally:
                self._is_busy = False

    def append(
        self,
        *sources: Source,
        threads: int = 1,
        keep_broken: bool = False,
        keep_duplicates: bool = False,
        statistics: bool = True,
    ) -> AddedGames:
        """Adds the games of PGN sources, all or none. Games that the database has are left out.

        If only the statistics then fail, or an interrupt (^C) ends their making, the exception is raised, but the games
        are in the file: explore counts them too, and the next append makes the statistics.
        A game with an error is left out too, or kept up to the error with `keep_broken`. `threads` build the statistics.
        """
        threads = _number("threads", threads, 64)
        counts = [0, 0, 0]
        with self._held() as store:
            store.begin()
            try:
                for source in sources:
                    for index, count in enumerate(_add(store, source, keep_broken, keep_duplicates)):
                        counts[index] += count
                store.commit(threads, statistics)
            except BaseException:
                store.rollback()
                raise
        return AddedGames(*counts)

    @property
    def info(self) -> DatabaseInfo:
        """The sizes of the database."""
        with self._held() as store:
            return DatabaseInfo(*store.info())

    def __len__(self) -> int:
        """The number of games."""
        return self.info.games

    def explore(
        self, position: Union[Position, Game], *, threads: int = 1, **conditions: _Condition
    ) -> PositionStatistics:
        """The moves that were played in a position, in all games or in those that meet the conditions."""
        if isinstance(position, Game):
            position = position.position
        wanted = _filter(conditions) if any(value is not None for value in conditions.values()) else None
        with self._held() as store:
            total, moves, best, ended, from_games = store.explore(position.fen, wanted, _number("threads", threads, 64))
        listed = [_statistics(numbers, position) for numbers in moves]
        return PositionStatistics(_statistics(total, None), listed, best, ended, from_games)

    def search(
        self, query: str = "", *, limit: int = 0, threads: int = 1, **conditions: _Condition
    ) -> list[Match]:
        """The games that match a query and meet the conditions, in order; only the first `limit` if it is not 0.

        docs/queries.md describes the language of queries. The empty query matches every game.
        """
        wanted = _filter(conditions)
        with self._held() as store:
            found = store.search(
                query or "ply 0..", wanted, _number("limit", limit, 2**63 - 1), _number("threads", threads, 64)
            )
        return [Match(*match) for match in found]

    def pgn(self, number: int) -> bytes:
        """The PGN of a game, as it was read. Games are numbered from 1; IndexError if there is none."""
        if number < 1 or number >= 2**63:
            raise IndexError(f"the database has no game {number}")
        with self._held() as store:
            return store.pgn(number)

    def __getitem__(self, number: int) -> PgnTree:
        """A game as a tree, with its tags, comments and variations. Games are numbered from 1."""
        return PgnTree.parse(self.pgn(number))

    def __iter__(self) -> Iterator[PgnTree]:
        """All games in the order of their numbers."""
        return self.games()

    def games(
        self, query: str = "", *, limit: int = 0, threads: int = 1, **conditions: _Condition
    ) -> Iterator[PgnTree]:
        """The games that match a query and meet the conditions, one by one."""
        for match in self.search(query, limit=limit, threads=threads, **conditions):
            yield self[match.game]

    def columns(
        self, *names: str, games: Optional[Iterable[Union[int, Match]]] = None, **conditions: _Condition
    ) -> dict[str, list[Any]]:
        """Facts of games, a list for each column: pandas.DataFrame(database.columns()) is a table of them.

        `names` are some of luft.Database.COLUMNS, without any all of them. `games` are numbers, or what search returns;
        without them, all games that meet the conditions. What a game does not have is None; dates are as 20190504.
        """
        unknown = [name for name in names if name not in COLUMNS]
        if unknown:
            raise LuftError(Error.ARGUMENT, f"{unknown[0]!r} is not a column: {', '.join(COLUMNS)}")
        if games is not None and any(value is not None for value in conditions.values()):
            raise TypeError("columns takes games or conditions, not both")
        chosen = sum(1 << COLUMNS.index(name) for name in set(names or COLUMNS))
        numbers = None
        if games is not None:
            numbers = [game.game if isinstance(game, Match) else game for game in games]
            for number in numbers:
                _number("games", number, 2**63 - 1)
        with self._held() as store:
            found = store.columns(chosen, _filter(conditions), numbers)
        by_name = dict(zip((name for name in COLUMNS if chosen >> COLUMNS.index(name) & 1), found))
        return {name: by_name[name] for name in names or COLUMNS}

    COLUMNS = COLUMNS

    def close(self) -> None:
        """Closes the file, after the calls of other threads."""
        with self._held() as store:
            store.close()

    def __enter__(self: _DatabaseT) -> _DatabaseT:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Database cannot be pickled or copied: open it again")


def _add(store: Store, source: Source, keep_broken: bool, keep_duplicates: bool) -> tuple[int, int, int]:
    """Adds the games of one source."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return store.add(bytes(source), keep_broken, keep_duplicates)
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb", buffering=0) as file:
            return store.add(file.read, keep_broken, keep_duplicates)
    return store.add(source.read, keep_broken, keep_duplicates)
