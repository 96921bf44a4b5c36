# SPDX-License-Identifier: MIT
"""Setup: a board that may be edited and need not be a valid position."""

from __future__ import annotations

from typing import Mapping, Optional, Union

from ._core import Position, SquareSet, set_up, square, status_string
from ._types import Color, Error, LuftError, Piece, Square, Status


class Setup:
    """Pieces on a board, and what else a position has. Anything may be set; `position` is there if it is valid.

        >>> import luft
        >>> setup = luft.Setup()
        >>> setup.set_piece_at("e1", "K")
        >>> setup.status
        <Status.NO_BLACK_KING: 4>
        >>> setup.set_piece_at("e8", "k")
        >>> setup.position.fen
        '4k3/8/8/8/8/8/8/4K3 w - - 0 1'
    """

    __slots__ = ("turn", "castling_rights", "en_passant", "halfmove_clock", "fullmove_number", "_pieces")

    turn: Color
    castling_rights: SquareSet
    """The rooks of both sides that may castle."""
    en_passant: Optional[int]
    halfmove_clock: int
    fullmove_number: int
    _pieces: dict[int, Piece]

    def __init__(self, position: Optional[Position] = None) -> None:
        """That of a position, or an empty board."""
        self._pieces = {} if position is None else position.piece_map()
        self.turn = Color.WHITE if position is None else position.turn
        self.castling_rights = SquareSet() if position is None else position.castling_rights
        self.en_passant = None if position is None else position.en_passant
        self.halfmove_clock = 0 if position is None else position.halfmove_clock
        self.fullmove_number = 1 if position is None else position.fullmove_number

    # The board

    def piece_at(self, where: Square) -> Optional[Piece]:
        return self._pieces.get(square(where))

    def piece_map(self) -> dict[int, Piece]:
        """The pieces by their squares, a new dict."""
        return dict(self._pieces)

    def set_piece_map(self, pieces: Mapping[int, Union[Piece, str]]) -> None:
        """Replaces all pieces."""
        self._pieces = {square(where): Piece(piece) for where, piece in pieces.items()}

    def set_piece_at(self, where: Square, piece: Union[Piece, str, None]) -> None:
        """Puts a piece, or its letter, on a square in place of what is there; None empties the square."""
        if piece is None:
            self.remove_piece_at(where)
        else:
            self._pieces[square(where)] = Piece(piece)

    def remove_piece_at(self, where: Square) -> Optional[Piece]:
        """Empties a square and returns what was there."""
        return self._pieces.pop(square(where), None)

    def clear(self) -> None:
        """Removes all pieces, castling rights and the en passant square."""
        self._pieces = {}
        self.castling_rights = SquareSet()
        self.en_passant = None

    # The position

    def _build(self) -> tuple[Status, Optional[Position]]:
        fields = (self.turn, self.castling_rights, self.en_passant, self.halfmove_clock, self.fullmove_number)
        status, position = set_up(self._pieces, *fields)
        return Status(status), position

    @property
    def status(self) -> Status:
        """Everything that is wrong with the position. If nothing is: warnings, if no game can lead to it."""
        return self._build()[0]

    @property
    def is_valid(self) -> bool:
        """Is there a `position`? Also true where `status` holds only warnings."""
        return self._build()[1] is not None

    @property
    def position(self) -> Position:
        """The position. The error is POSITION, with its `status`, if it is not valid."""
        status, position = self._build()
        if position is None:
            raise LuftError(Error.POSITION, status_string(status), status)
        return position

    def _state(self) -> tuple[object, ...]:
        fields = (self.turn, self.castling_rights, self.en_passant, self.halfmove_clock, self.fullmove_number)
        return (self._pieces, *fields)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Setup):
            return NotImplemented
        return self._state() == other._state()

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> Setup:
        other = type(self).__new__(type(self))
        for name in Setup.__slots__:
            setattr(other, name, getattr(self, name))
        other._pieces = dict(self._pieces)
        return other

    __copy__ = copy

    def __repr__(self) -> str:
        return f"<Setup of {len(self._pieces)} pieces: {self.status!r}>"
