# SPDX-License-Identifier: MIT
"""EPD: a position with operations, as test suites use them."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

from . import _core
from ._core import Move, Position
from ._types import Error, LuftError


class Word(str):
    """An operand that stands bare in an EPD, such as the move of bm; a plain str stands in quotes."""

    __slots__ = ()


Operand = Union[Move, int, float, str]


class Epd:
    """One line of an EPD file: `position`, and `operations`, for each opcode a list of operands.

    `en_passant` is the en passant square that the line names, also if no capture onto it is legal; or None.
    """

    __slots__ = ("position", "en_passant", "operations", "__weakref__")

    position: Position
    en_passant: Optional[int]
    operations: dict[str, list[str]]

    def __init__(self, line: str) -> None:
        if not isinstance(line, str):
            raise TypeError(f"expected a str, got {type(line)!r}")
        self.position, self.en_passant, operations = _core.read_epd(line.rstrip("\r\n"))
        self.operations = {}
        for opcode, operands in operations:
            words = [text if quoted else Word(text) for text, quoted in operands]
            self.operations[opcode] = words

    def moves(self, opcode: str, line: Optional[bool] = None) -> list[Move]:
        """The operands of an operation as moves: bm, am. `line`, true for pv, if each follows from the one before."""
        if opcode not in self.operations:
            raise LuftError(Error.END, f"there is no operation {opcode!r}")
        is_line = opcode == "pv" if line is None else line
        moves, position = [], self.position
        for text in self.operations[opcode]:
            move = position.parse_san(text)
            moves.append(move)
            position = position.play(move) if is_line else position
        return moves

    def __str__(self) -> str:
        return format_epd(self.position, self.operations)

    def __repr__(self) -> str:
        return f"Epd({str(self)!r})"

    def _state(self) -> tuple[object, ...]:
        kinds = [[isinstance(word, Word) for word in words] for words in self.operations.values()]
        return self.position, self.en_passant, self.operations, kinds

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Epd):
            return NotImplemented
        return self._state() == other._state()

    def __hash__(self) -> int:
        return hash((self.position, self.en_passant, tuple(self.operations)))


def _operand(position: Position, item: object) -> tuple[bytes, bool]:
    """The text of an operand, and whether it stands in quotes."""
    if isinstance(item, Move):
        return position.san(item).encode(), False
    if isinstance(item, str):
        return item.encode("utf-8", "replace"), not isinstance(item, Word)
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        return str(item).encode(), False
    raise TypeError(f"an operand of an EPD is a Move, a number or a str, not {item!r}")


def format_epd(
    position: Position,
    operations: Optional[Mapping[str, Union[Operand, Sequence[Operand]]]] = None,
    en_passant: Union[int, str, Move, None] = None,
) -> str:
    """A line of EPD. An operand, or each of a list, is a Move, a number or a Word, which stand bare, or a quoted str.

    `en_passant` is as in Position.fen_with_en_passant.
    """
    text = _core.epd_position(position, en_passant)
    for opcode, given in (operations or {}).items():
        items: Sequence[Any] = given if isinstance(given, (list, tuple)) else [given]
        operands = [_operand(position, item) for item in items]
        if not isinstance(opcode, str):
            raise TypeError(f"an opcode of an EPD is a str, not {opcode!r}")
        if "\0" in opcode:  # a name in C ends there
            raise LuftError(Error.EPD, repr(opcode))
        text += _core.write_operation(opcode, operands)
    return text
