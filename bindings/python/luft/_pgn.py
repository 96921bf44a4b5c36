# SPDX-License-Identifier: MIT
"""PGN: reading games one by one, in batches or as trees, and writing them."""

from __future__ import annotations

import itertools
import os
import struct
import threading
from typing import IO, Any, Iterator, Mapping, MutableMapping, Optional, Protocol, Sequence, TypeVar, Union, overload

from . import _core
from ._batch import Positions, _move_bytes, line
from ._core import Game, Move, PgnTree, Position
from ._types import START_FEN, Error, LuftError, PgnError

_RESULTS = ("*", "1-0", "0-1", "1/2-1/2", "*")  # by luft_result

# A luft_batch_game: start, first_move, first_text, number, line, error_line, error_column,
# move_count, text_length, tag_count, result, error.
_GAME = struct.Struct("=96s6Q3I2H")


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
        return map(PgnGame, itertools.repeat(self), range(len(self)))

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


_ReaderT = TypeVar("_ReaderT", bound="_Reader")


class _Reader:
    """What both readers share: the source, and a lock, so that several threads can read from one reader."""

    def __init__(self, source: Source, *room: int) -> None:
        self._own_file: Optional[IO[bytes]] = None
        self._lock = threading.RLock()
        self._is_reading = False
        given: object = source
        if isinstance(source, (bytes, bytearray, memoryview)):
            given = bytes(source)
        elif not hasattr(source, "read"):
            given = self._own_file = open(source, "rb", buffering=0)
        try:
            self._reader = _core.Reader(given, *room)
        except BaseException:
            self._close_file()
            raise

    def _read(self) -> Any:
        """What the compiled reader gives next; None after the last game."""
        with self._lock:
            if self._is_reading:  # further out in this thread, as no other can hold the lock
                raise RuntimeError("the source of a PgnReader cannot read from that reader")
            self._is_reading = True
            try:
                found = self._reader.read()
            except BaseException as error:
                # Only after a game that is too large the next one can be read.
                if not isinstance(error, LuftError) or error.code != Error.OVERFLOW:
                    self._close_file()
                raise
            finally:
                self._is_reading = False
            if found is None:
                self._close_file()
            return found

    def close(self) -> None:
        """Frees memory and file. Happens at the end of the games, and when nothing refers to the reader any more.

        It never waits: a read that is under way, in another thread or in the source that calls this, ends as if there
        were no more games.
        """
        self._reader.close()
        self._close_file()

    def _close_file(self) -> None:
        if self._own_file is not None:
            self._own_file.close()

    def __del__(self) -> None:
        if hasattr(self, "_reader"):
            self.close()

    def __enter__(self: _ReaderT) -> _ReaderT:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __iter__(self: _ReaderT) -> _ReaderT:
        return self


class PgnReader(_Reader):
    """Reads the games of a PGN, in memory that does not grow with the file. An iterator of PgnGame."""

    def __init__(self, source: Source, games: int = 1024, moves: int = 1 << 17, text: int = 1 << 20) -> None:
        """The source is a path, the PGN itself as bytes, or a file open in binary mode.

        The numbers are the room of a batch; a game with more moves, or more bytes of tags, than that is cut.
        """
        self._games: Iterator[PgnGame] = iter(())
        self._is_closed = False
        super().__init__(source, games, moves, text)

    def read_batch(self) -> Optional[PgnBatch]:
        """The next games, as many as there is room for; None after the last."""
        found = self._read()
        return None if found is None else PgnBatch(*found)

    def batches(self) -> Iterator[PgnBatch]:
        """The games that are left, in batches. Threads may share this iterator."""
        return _Batches(self)

    def __next__(self) -> PgnGame:
        with self._lock:  # the games of a batch are given out before another thread can read the next batch
            while not self._is_closed:
                for game in self._games:
                    return game
                batch = self.read_batch()
                if batch is None:
                    break
                self._games = iter(batch)
        raise StopIteration

    def close(self) -> None:
        self._is_closed = True
        self._games = iter(())
        super().close()


class _Batches(Iterator[PgnBatch]):
    """The batches of a reader. Not a generator, which two threads cannot run at once."""

    def __init__(self, reader: PgnReader) -> None:
        self._reader = reader

    def __next__(self) -> PgnBatch:
        batch = self._reader.read_batch()
        if batch is None:
            raise StopIteration
        return batch


class PgnTreeReader(_Reader):
    """Reads the games of a PGN as trees, one at a time. An iterator of PgnTree.

    A game beyond the limits of pgn_game.h raises the error OVERFLOW; the games after it can still be read.
    """

    def __init__(self, source: Source) -> None:
        """The source is a path, the PGN itself as bytes, or a file open in binary mode."""
        super().__init__(source)

    def __next__(self) -> PgnTree:
        tree: Optional[PgnTree] = self._read()
        if tree is None:
            raise StopIteration
        return tree


class Tags(_core.TagView, MutableMapping[str, str]):
    """The tags of a PgnTree. Deleting a tag of the Seven Tag Roster sets it to unknown. FEN and SetUp cannot be set."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(dict(self))


def read_pgn(source: Source) -> PgnReader:
    """for game in read_pgn(path, bytes or binary file): game.tags, game.moves, game.result, game.errors."""
    return PgnReader(source)


def read_pgn_trees(source: Source) -> PgnTreeReader:
    """for tree in read_pgn_trees(path, bytes or binary file): games with their variations, comments and NAGs."""
    return PgnTreeReader(source)


def format_pgn(
    game: Union[Game, PgnGame, PgnTree], tags: Optional[Mapping[str, str]] = None, result: Optional[str] = None
) -> str:
    """A game as PGN, in export format. Of a Game up to its present position, of a PgnTree with all that it holds.

    `tags` replace or follow those of the game. FEN and SetUp are written where the game does not start in the
    standard position; another FEN among `tags` is refused. The result is by default that of the game.
    """
    if isinstance(game, PgnTree):
        return _format_tree(game.copy(), tags or {}, result)
    if not isinstance(game, (Game, PgnGame)):
        raise TypeError(f"expected a Game, a PgnGame or a PgnTree, got {type(game)!r}")
    found = dict(game.tags) if isinstance(game, PgnGame) else {}
    found.update(tags or {})
    for name, value in found.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(f"the tag {name!r}: expected a str, got {type(value if isinstance(name, str) else name)!r}")
    if result is None:
        result = found.get("Result") or (game.result if isinstance(game, PgnGame) else game.outcome.result)
    if result not in _RESULTS:
        raise ValueError(f"not a result: {result!r}")
    start = game.start
    if tags and "FEN" in tags and Position(tags["FEN"]) != start:
        raise ValueError(f"the tag FEN: expected the start position of the game, {start.fen}, got {tags['FEN']!r}")
    if start.fen != START_FEN:
        found["SetUp"], found["FEN"] = "1", start.fen
    else:
        found.pop("SetUp", None)
        found.pop("FEN", None)
    found["Result"] = result
    pairs = [(name.encode("utf-8", "replace"), value.encode("utf-8", "replace")) for name, value in found.items()]
    marker = 4 if result == "*" else _RESULTS.index(result)
    return _core.write_pgn(pairs, start, _move_bytes(start, game.moves), marker)


def _format_tree(tree: PgnTree, tags: Mapping[str, str], result: Optional[str]) -> str:
    for name, value in tags.items():
        tree.tags[name] = value
    if result is not None:
        tree.result = result
    return str(tree)
