# SPDX-License-Identifier: MIT
"""PGN: reading games one by one or in batches, and writing them."""

from __future__ import annotations

import os
import struct
import threading
from typing import IO, Any, Iterator, Mapping, NamedTuple, Optional, Protocol, Sequence, Union, overload

from . import _core
from ._batch import Positions, _move_bytes, line
from ._core import Game, Move, Position
from ._types import START_FEN, Error, LuftError

_RESULTS = ("*", "1-0", "0-1", "1/2-1/2", "*")  # by luft_result

# A luft_batch_game: start, first_move, first_text, number, line, error_line, error_column,
# move_count, text_length, tag_count, result, error.
_GAME = struct.Struct("=96s6Q3I2H")


class PgnError(NamedTuple):
    """A mistake in a PGN: the game is cut there."""

    name: str  # of the error, such as "MOVE_ILLEGAL"
    reason: str
    token: str  # the text at fault, or its beginning
    line: int  # from 1
    column: int  # in bytes, from 1


class PgnGame:
    """One game of a PGN: tags, the moves of the main line, the result, and what is wrong with it."""

    __slots__ = ("_record", "_moves", "_text", "__weakref__")

    _record: bytes
    _moves: bytes
    _text: bytes

    def __init__(self, batch: PgnBatch, index: int) -> None:
        self._record = batch._records[index * _GAME.size : (index + 1) * _GAME.size]
        record = _GAME.unpack(self._record)
        self._moves = batch._moves[2 * record[1] : 2 * (record[1] + record[7])]
        self._text = batch._text[record[2] : record[2] + record[8]]

    def _field(self, index: int) -> int:
        value: int = _GAME.unpack(self._record)[index]
        return value

    @property
    def number(self) -> int:
        """The number of the game in the input, from 1."""
        return self._field(3)

    @property
    def line(self) -> int:
        """The line of the input in which the game begins, from 1."""
        return self._field(4)

    @property
    def result(self) -> str:
        """"1-0", "0-1", "1/2-1/2" or "*"."""
        return _RESULTS[self._field(10)]

    @property
    def move_values(self) -> memoryview:
        """The moves of the main line as numbers."""
        return memoryview(self._moves).cast("H")

    @property
    def moves(self) -> list[Move]:
        """The moves of the main line, up to the mistake if there is one."""
        return _core.moves_of(self._moves)

    @property
    def tags(self) -> dict[str, str]:
        """The tags by name; of one that comes twice, the first. Read as UTF-8, else as Latin-1."""
        words = self._words()[: 2 * self._field(9)]
        tags: dict[str, str] = {}
        for name, value in zip(words[::2], words[1::2]):
            tags.setdefault(name, value)
        return tags

    @property
    def errors(self) -> list[PgnError]:
        """What is wrong: nothing, or the one mistake that cut the game."""
        record = _GAME.unpack(self._record)
        if record[11] == Error.OK:
            return []
        reason, token = self._words()[2 * record[9] : 2 * record[9] + 2]
        return [PgnError(Error(record[11]).name, reason, token, record[5], record[6])]

    @property
    def start(self) -> Position:
        """The position before the first move. The error is POSITION if the tags set up none."""
        words = self._record[:96]
        if not any(words):
            raise LuftError(Error.POSITION, f"game {self.number} has no start position")
        return _core.position_of(words, 0)

    @property
    def positions(self) -> Positions:
        """The positions after each move."""
        return line(self.start, self.move_values)

    @property
    def sans(self) -> list[str]:
        """The moves in SAN."""
        return _core.sans(self.start, self.positions._words, self._moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PgnGame):
            return NotImplemented
        return (self._essence(), self._moves, self._text) == (other._essence(), other._moves, other._text)

    def __hash__(self) -> int:
        return hash((self._essence(), self._moves, self._text))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_game, (type(self), self._record, self._moves, self._text), getattr(self, "__dict__", None)

    def __repr__(self) -> str:
        white, black = self.tags.get("White", "?"), self.tags.get("Black", "?")
        return f"<PgnGame {self.number}: {white} - {black} {self.result}, {len(self._moves) // 2} moves>"

    def _essence(self) -> bytes:
        """The record without the places in the arrays of the batch."""
        return self._record[:96] + self._record[112:]

    def _words(self) -> list[str]:
        try:
            return self._text.decode().split("\0")
        except UnicodeDecodeError:
            return [_decode(word) for word in self._text.split(b"\0")]


def _has_valid_start(record: bytes) -> bool:
    """Is the start position of a record valid, or all zeros, which stands for none?"""
    return _core.are_valid(record[:96], struct.pack("=I", not any(record[:96])))


def _restore_game(cls: type[PgnGame], record: bytes, moves: bytes, text: bytes) -> PgnGame:
    """What was pickled comes from outside: the start position and the length of the moves are checked."""
    if not _has_valid_start(record) or len(moves) != 2 * _GAME.unpack(record)[7]:
        raise LuftError(Error.PGN, "the record of a game is damaged")
    game = cls.__new__(cls)
    game._record, game._moves, game._text = record, moves, text
    return game


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


class PgnBatch(Sequence[PgnGame]):
    """Games of a PGN in flat, read-only arrays: the `moves` of all, their `text`, and `records` of 160 bytes for each.

    first_moves, move_counts, results (1 White won, 2 Black won, 3 draw, 0 and 4 unknown) and errors are views
    of the records, one entry for each game. Item i is a PgnGame, which keeps nothing of the batch.
    """

    __slots__ = ("_moves", "_text", "_records", "__weakref__")

    _moves: bytes
    _text: bytes
    _records: bytes

    def __init__(self, records: bytes, moves: bytes, text: bytes) -> None:
        self._records, self._moves, self._text = records, moves, text

    @property
    def moves(self) -> memoryview:
        """The moves of all games as 16-bit numbers."""
        return memoryview(self._moves).cast("H")

    @property
    def text(self) -> bytes:
        """The tags and mistakes of all games: see luft_batch_games of batch.h."""
        return self._text

    @property
    def records(self) -> bytes:
        """A luft_batch_game of batch.h for each game."""
        return self._records

    def __len__(self) -> int:
        return len(self._records) // _GAME.size

    @overload
    def __getitem__(self, index: int) -> PgnGame: ...

    @overload
    def __getitem__(self, index: slice) -> list[PgnGame]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[PgnGame, list[PgnGame]]:
        if isinstance(index, slice):
            return [PgnGame(self, i) for i in range(*index.indices(len(self)))]
        return PgnGame(self, range(len(self))[index])

    def __iter__(self) -> Iterator[PgnGame]:
        return (PgnGame(self, index) for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PgnBatch):
            return NotImplemented
        return self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_batch, (type(self), *self._state())

    def __repr__(self) -> str:
        return f"<PgnBatch: {len(self)} games, {len(self._moves) // 2} moves>"

    def _state(self) -> tuple[bytes, bytes, bytes]:
        return self._records, self._moves, self._text

    def _view(self, typecode: str, offset: int) -> memoryview:
        size = struct.calcsize(typecode)
        return memoryview(self._records).cast(typecode)[offset // size :: _GAME.size // size]

    @property
    def first_moves(self) -> memoryview:
        return self._view("Q", 96)

    @property
    def move_counts(self) -> memoryview:
        return self._view("I", 144)

    @property
    def results(self) -> memoryview:
        return self._view("H", 156)

    @property
    def errors(self) -> memoryview:
        return self._view("H", 158)


def _restore_batch(cls: type[PgnBatch], records: bytes, moves: bytes, text: bytes) -> PgnBatch:
    """What was pickled comes from outside: each start position and each place in the arrays is checked."""
    batch = cls(records, moves, text)
    for record in _GAME.iter_unpack(records):
        if not _has_valid_start(record[0]) or 2 * (record[1] + record[7]) > len(moves) or record[2] + record[8] > len(text):
            raise LuftError(Error.PGN, "the records of a batch of games are damaged")
    return batch


class _Readable(Protocol):
    def read(self, size: int, /) -> Optional[bytes]: ...


Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes], _Readable]


class PgnReader:
    """Reads the games of a PGN, in memory that does not grow with the file. An iterator of PgnGame."""

    def __init__(self, source: Source, games: int = 1024, moves: int = 1 << 17, text: int = 1 << 20) -> None:
        """The source is a path, the PGN itself as bytes, or a file open in binary mode.

        The numbers are the room of a batch; a game with more moves, or more bytes of tags, than that is cut.
        """
        self._own_file: Optional[IO[bytes]] = None
        self._lock = threading.Lock()
        self._thread = 0  # the thread that holds the lock
        self._games: Iterator[PgnGame] = iter(())
        given: object = source
        if isinstance(source, (bytes, bytearray, memoryview)):
            given = bytes(source)
        elif not hasattr(source, "read"):
            given = self._own_file = open(source, "rb", buffering=0)
        try:
            self._reader = _core.BatchReader(given, games, moves, text)
        except BaseException:
            self._close_file()
            raise

    def read_batch(self) -> Optional[PgnBatch]:
        """The next games, as many as there is room for; None after the last."""
        if self._thread == threading.get_ident():
            raise RuntimeError("the source of a PgnReader cannot read from that reader")
        with self._lock:
            self._thread = threading.get_ident()
            try:
                found = self._reader.read()
            except BaseException:
                self._close_file()
                raise
            finally:
                self._thread = 0
            if found is None:
                self._close_file()
                return None
            return PgnBatch(*found)

    def batches(self) -> Iterator[PgnBatch]:
        """The games that are left, in batches."""
        while True:
            batch = self.read_batch()
            if batch is None:
                return
            yield batch

    def __iter__(self) -> PgnReader:
        return self

    def __next__(self) -> PgnGame:
        while True:
            for game in self._games:
                return game
            batch = self.read_batch()
            if batch is None:
                raise StopIteration
            self._games = iter(batch)

    def close(self) -> None:
        """Frees memory and file. Happens at the end of the games, and when nothing refers to the reader any more.

        It never waits: a read that is under way, in another thread or in the source that calls this, ends as if there
        were no more games.
        """
        self._games = iter(())
        self._reader.close()
        self._close_file()

    def _close_file(self) -> None:
        if self._own_file is not None:
            self._own_file.close()

    def __del__(self) -> None:
        if hasattr(self, "_reader"):
            self.close()

    def __enter__(self) -> PgnReader:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()


def read_pgn(source: Source) -> PgnReader:
    """for game in read_pgn(path, bytes or binary file): game.tags, game.moves, game.result, game.errors."""
    return PgnReader(source)


def format_pgn(
    game: Union[Game, PgnGame], tags: Optional[Mapping[str, str]] = None, result: Optional[str] = None
) -> str:
    """A game as PGN, in export format: up to its present position, without comments and variations.

    `tags` replace or follow those of a PgnGame. FEN and SetUp are written where the game does not start in the
    standard position. The result is by default that of the game.
    """
    found = dict(game.tags) if isinstance(game, PgnGame) else {}
    found.update(tags or {})
    if result is None:
        result = found.get("Result") or (game.result if isinstance(game, PgnGame) else game.outcome.result)
    if result not in _RESULTS:
        raise ValueError(f"not a result: {result!r}")
    start = game.start
    if start.fen != START_FEN:
        found["SetUp"], found["FEN"] = "1", start.fen
    else:
        found.pop("SetUp", None)
        found.pop("FEN", None)
    found["Result"] = result
    pairs = [(name.encode("utf-8", "replace"), value.encode("utf-8", "replace")) for name, value in found.items()]
    marker = 4 if result == "*" else _RESULTS.index(result)
    return _core.write_pgn(pairs, start, _move_bytes(game.moves), marker)
