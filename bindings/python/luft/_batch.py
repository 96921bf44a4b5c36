# SPDX-License-Identifier: MIT
"""Positions: many positions in one block of memory."""

from __future__ import annotations

import operator
from array import array
from typing import Any, Iterable, Iterator, Sequence, Union, overload

from . import _core
from ._core import Move, Position
from ._types import Error, LuftError

_WORD_COUNT = 12  # 64-bit words in a luft_position


def _array(typecode: str, data: bytes) -> array[int]:
    values: array[int] = array(typecode)
    values.frombytes(data)
    return values


def _move_bytes(start: Position, moves: Iterable[Union[Move, str, int]]) -> bytes:
    """The numbers of moves, two bytes each. Text is read in the position that the moves before it lead to."""
    if isinstance(moves, str):
        raise TypeError(f"expected a list of moves, got {moves[:80]!r}")
    if isinstance(moves, memoryview) and moves.format != "H":
        raise TypeError(f'expected a memoryview of format "H", got {moves.format!r}')
    if isinstance(moves, memoryview) or (isinstance(moves, array) and moves.typecode == "H"):
        return moves.tobytes()
    given: list[Any] = list(moves)
    try:
        return array("H", map(operator.index, given)).tobytes()
    except (TypeError, ValueError, OverflowError):  # text, or what is refused below
        values, position = [], start
        for move in given:
            if isinstance(move, (Move, int)) and not move:
                values.append(bytes(2))
                position = position.pass_turn()
            else:
                values.append(_core.legal_move_values(position, [move]))
                position = position.play(move)
        return b"".join(values)


class Positions(Sequence[Position]):
    """Many positions in one block of memory, for calls that do all of them at once.

    Made of FENs, one a line, or of Position objects. `errors[i]` is the error of line i, 0 for a good one;
    asking for a refused position raises that error, and in a batch it has no moves and the perft 0.
    `words` is the memory, 12 words of 64 bits each: pawns, knights, bishops and queens, rooks and queens, kings,
    White's pieces, Black's pieces, castling rooks, two keys, pawn key, counters and side to move. It is read-only.
    """

    __slots__ = ("_words", "_errors", "__weakref__")

    _words: bytes
    _errors: bytes

    def __init__(self, source: Union[str, bytes, Iterable[Position]]) -> None:
        if isinstance(source, str):
            source = source.encode("utf-8", "replace")
        if isinstance(source, bytes):
            self._words, self._errors = _core.read_positions(source)
        else:
            self._words = _core.join_positions(source)
            self._errors = bytes(len(self._words) // (2 * _WORD_COUNT))

    @classmethod
    def _of(cls, words: bytes, errors: bytes) -> Positions:
        positions = cls.__new__(cls)
        positions._words, positions._errors = words, errors
        return positions

    @property
    def words(self) -> memoryview:
        """The positions, as 64-bit words."""
        return memoryview(self._words).cast("Q")

    @property
    def errors(self) -> memoryview:
        """An Error for each position, as 32-bit words."""
        return memoryview(self._errors).cast("I")

    def __len__(self) -> int:
        return len(self._words) // (8 * _WORD_COUNT)

    @overload
    def __getitem__(self, index: int) -> Position: ...

    @overload
    def __getitem__(self, index: slice) -> list[Position]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Position, list[Position]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        if self.errors[number]:
            raise LuftError(self.errors[number], f"position {number} of a batch")
        return _core.position_of(self._words, number)

    def __iter__(self) -> Iterator[Position]:
        return (self[number] for number in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Positions):
            return NotImplemented
        return (self._words, self._errors) == (other._words, other._errors)

    def __hash__(self) -> int:
        return hash((self._words, self._errors))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self._words, self._errors)

    def __repr__(self) -> str:
        return f"<Positions: {len(self)}>"

    def legal_moves(self) -> tuple[array[int], array[int]]:
        """The moves of all, array("H"), and where each list begins, array("Q"), with the end of the last.

        The moves of position i are moves[offsets[i]:offsets[i + 1]]; Move(value) makes a Move of one.
        """
        moves, offsets = _core.legal_moves(self._words)
        return _array("H", moves), _array("Q", offsets)

    def perft(self, depth: int) -> array[int]:
        """The perft of each, array("Q")."""
        return _array("Q", _core.perfts(self._words, depth))


def _restore(cls: type[Positions], words: bytes, errors: bytes) -> Positions:
    """What was pickled comes from outside: the memory is checked."""
    if not _core.are_valid(words, errors):
        raise LuftError(Error.POSITION, "the memory of a batch of positions is damaged")
    return cls._of(words, errors)


def line(start: Position, moves: Iterable[Union[Move, str, int]]) -> Positions:
    """What Position.line returns."""
    words = _core.play_line(start, _move_bytes(start, moves))
    return Positions._of(words, bytes(len(words) // (2 * _WORD_COUNT)))
