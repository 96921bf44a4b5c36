# SPDX-License-Identifier: MIT
"""Luft in Python: the rules of chess, SAN, games, EPD and PGN at the speed of C.

One file over libluft.so by way of ctypes; nothing to compile and nothing but the
standard library. Positions and moves are immutable values. Where one call into C
for each small thing would be the bottleneck there are batches: Positions, and
PgnReader.batches, which hand out flat arrays that NumPy can wrap without a copy.

    >>> import luft
    >>> position = luft.Position().play("e4").play("c5")
    >>> position.opening.name
    'Sicilian Defense'

Squares are numbers, a8 = 0, b8 = 1 ... h1 = 63, as in the C library.

Threads: positions, moves and batches of them may be shared freely. Short calls hold
Python's global lock and are therefore atomic, those on a Game too; perft and the
batches let other threads run meanwhile. A PgnReader serves one thread at a time and
has a lock of its own for that.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import enum
import os
import re
import struct
import sys
import threading
import weakref
from array import array
from collections.abc import Sequence
from ctypes import POINTER, byref, c_bool, c_char, c_char_p, c_int, c_size_t, c_uint, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Union

__all__ = [
    "BLACK", "WHITE", "Claim", "Color", "Epd", "Error", "Game", "KeyPair", "KingConstraints", "LuftError", "Move",
    "Opening", "Outcome", "PgnBatch", "PgnError", "PgnGame", "PgnReader", "Planes", "Position", "Positions", "START_FEN",
    "Termination", "Word", "fen_en_passant", "file_from_letter", "file_letter", "format_epd", "piece_from_letter",
    "piece_letter", "rank_digit", "rank_from_digit", "read_pgn", "square", "square_name", "squares", "version",
]  # fmt: skip

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

# --- Words of the language -------------------------------------------------------


class Error(enum.IntEnum):
    """luft_error of types.h, in its order."""

    OK = 0
    ARGUMENT = 1
    FEN_FIELDS = 2
    FEN_BOARD = 3
    FEN_SIDE = 4
    FEN_CASTLING = 5
    FEN_EN_PASSANT = 6
    FEN_HALFMOVE = 7
    FEN_FULLMOVE = 8
    POSITION = 9
    COMPACT = 10
    MOVE_SYNTAX = 11
    MOVE_ILLEGAL = 12
    OVERFLOW = 13
    MOVE_AMBIGUOUS = 14
    MEMORY = 15
    HISTORY = 16
    EPD = 17
    PGN = 18
    READ = 19
    WRITE = 20
    END = 21
    STOPPED = 22


class Color(enum.IntEnum):
    WHITE = 0
    BLACK = 1


WHITE, BLACK = Color


class Termination(enum.IntEnum):
    """What ends a game by itself: luft_termination of game.h."""

    NOT_OVER = 0
    CHECKMATE = 1
    STALEMATE = 2
    INSUFFICIENT_MATERIAL = 3
    SEVENTY_FIVE_MOVE_RULE = 4
    FIVEFOLD_REPETITION = 5


class Claim(enum.IntFlag):
    """Draws that a player may claim: luft_claim of game.h."""

    NONE = 0
    THREEFOLD_REPETITION = 1
    FIFTY_MOVE_RULE = 2


class Outcome(NamedTuple):
    termination: Termination
    winner: Optional[Color]  # None for a draw and for an unfinished game

    @property
    def is_over(self) -> bool:
        return self.termination != Termination.NOT_OVER


class Opening(NamedTuple):
    eco: str
    name: str


class Planes(NamedTuple):
    """A whole position as the side to move sees it: luft_position_planes of planes.h.

    Planes are 64-bit words in which H8 is bit 0, north is >> 8 and east is >> 1; for Black the ranks are reversed.
    """

    types: tuple[int, int, int]  # three planes: the digits of the piece type on each square, lowest first
    us: int  # all pieces of the side to move
    them: int  # all pieces of the opponent
    castling: int  # rooks of either side that may still castle
    en_passant: Optional[int]  # the bit that an en passant capture goes to, None unless one is legal
    turn: Color  # the side to move
    halfmove_clock: int
    fullmove_number: int


class KeyPair(NamedTuple):
    """The two keys of a position by player. They swap with every move; see luft_keys of position.h."""

    own: int  # as the side to move sees the position: Position.key
    other: int  # as the opponent sees it


class KingConstraints(NamedTuple):
    """The checks and pins of one side: luft_king_constraints of position.h. Sets of squares are ints; see squares."""

    king: int
    check_count: int
    checkers: int  # the pieces that give check
    check_mask: int  # all squares without check, the checker and the squares between, none in double check
    pin_orthogonal: int  # from the king to each piece that pins along a rank or file, that piece included
    pin_diagonal: int  # the same along diagonals
    pinned: int  # the pieces of the side that are pinned

    def pin_ray(self, where: int) -> int:
        """The ray on which the pinned piece on this square may move; 0 if it is not pinned."""
        return _quick.luft_pin_ray(_KingConstraints(*self), _int(where))

    def pinner(self, where: int) -> Optional[int]:
        """The square of the piece that pins the one on this square; None if it is not pinned."""
        found = _quick.luft_pinner(_KingConstraints(*self), _int(where))
        return found if found < 64 else None


class LuftError(ValueError):
    """What the library refused. `name` is that of the error, such as "MOVE_ILLEGAL"; `code` the same as a number."""

    def __init__(self, code: int, detail: str = ""):
        self.code = Error(code)
        self.name = self.code.name
        words = _quick.luft_error_string(code).decode()
        super().__init__(f"{words}: {detail}" if detail else words)


_PIECES = ".PNBRQK..pnbrqk"  # by luft_piece
_RESULTS = ("*", "1-0", "0-1", "1/2-1/2", "*")  # by luft_result
_SQUARES = [file + rank for rank in "87654321" for file in "abcdefgh"]


def square(name: str) -> int:
    """The number of a square: square("e4") is 36."""
    if name not in _SQUARES:
        raise ValueError(f"no square: {name!r}")
    return _SQUARES.index(name)


def square_name(number: int) -> str:
    """The name of a square: square_name(36) is "e4"."""
    if not 0 <= number < 64:
        raise ValueError(f"no square: {number}")
    return _SQUARES[number]


def squares(bitboard: int) -> list[int]:
    """The squares of a set, in their order: bit n stands for square n."""
    return [number for number in range(64) if bitboard >> number & 1]


def file_letter(number: int) -> str:
    """The letter of a square's file: file_letter(36) is "e"."""
    return square_name(number)[0]


def rank_digit(number: int) -> str:
    """The digit of a square's rank: rank_digit(36) is "4"."""
    return square_name(number)[1]


def file_from_letter(letter: str) -> int:
    """The number of a file, "a" is 0."""
    if len(letter) != 1 or letter not in "abcdefgh":
        raise ValueError(f"not a file: {letter!r}")
    return "abcdefgh".index(letter)


def rank_from_digit(digit: str) -> int:
    """The number of a rank, "1" is 0."""
    if len(digit) != 1 or digit not in "12345678":
        raise ValueError(f"not a rank: {digit!r}")
    return "12345678".index(digit)


def piece_letter(number: int) -> str:
    """The FEN letter of a luft_piece: "P" for 1, a white pawn, and "k" for 14, the black king."""
    if not 0 <= number < len(_PIECES) or _PIECES[number] == ".":
        raise ValueError(f"not a piece: {number}")
    return _PIECES[number]


def piece_from_letter(letter: str) -> int:
    """The luft_piece with this letter: its type from 1 for a pawn to 6 for a king, plus 8 if it is black."""
    if len(letter) != 1 or letter not in _PIECES or letter == ".":
        raise ValueError(f"not a piece: {letter!r}")
    return _PIECES.index(letter)


# --- The library -----------------------------------------------------------------

_EXPECTED_VERSION = (0, 1)  # major and minor; structs and codes may differ in any other


class _Position(ctypes.Structure):
    _fields_ = [
        ("board", c_uint64 * 8),
        ("key", c_uint64 * 2),
        ("pawn_key", c_uint64),
        ("halfmove_clock", c_uint16),
        ("fullmove_number", c_uint16),
        ("side_to_move", c_uint8),
        ("ep_square", c_uint8),
        ("unused", c_uint8 * 2),
    ]


class _Planes(ctypes.Structure):
    _fields_ = [
        ("board", c_uint64 * 5),
        ("castling", c_uint64),
        ("halfmove_clock", c_uint16),
        ("fullmove_number", c_uint16),
        ("side_to_move", c_uint8),
        ("ep_square", c_uint8),
        ("unused", c_uint8 * 2),
    ]


class _FenReport(ctypes.Structure):
    _fields_ = [
        ("error", c_int),
        ("status", c_uint),
        ("offset", c_size_t),
        ("reason", c_char_p),
        ("ep_square", c_int),
    ]


class _KingConstraints(ctypes.Structure):
    _fields_ = [
        ("king", c_int),
        ("check_count", c_int),
        ("checkers", c_uint64),
        ("check_mask", c_uint64),
        ("pin_orthogonal", c_uint64),
        ("pin_diagonal", c_uint64),
        ("pinned", c_uint64),
    ]


class _MoveList(ctypes.Structure):
    _fields_ = [("count", c_int), ("moves", c_uint16 * 415)]


class _Outcome(ctypes.Structure):
    _fields_ = [("termination", c_int), ("winner", c_int)]


class _Opening(ctypes.Structure):
    _fields_ = [("eco", c_char * 4), ("name", c_char_p)]


class _EpdCursor(ctypes.Structure):
    _fields_ = [("text", c_void_p), ("length", c_size_t)]


class _EpdOperation(ctypes.Structure):
    _fields_ = [("opcode", c_void_p), ("opcode_length", c_size_t), ("operands", _EpdCursor)]


class _EpdOperand(ctypes.Structure):
    _fields_ = [("text", c_char_p), ("length", c_size_t), ("quoted", c_bool), ("escaped", c_bool)]


class _BatchGames(ctypes.Structure):
    _fields_ = [
        ("games", c_void_p),
        ("moves", c_void_p),
        ("text", c_void_p),
        ("game_capacity", c_size_t),
        ("move_capacity", c_size_t),
        ("text_capacity", c_size_t),
        ("game_count", c_size_t),
        ("move_count", c_size_t),
        ("text_count", c_size_t),
    ]


# A luft_batch_game: start, first_move, first_text, number, line, error_line, error_column,
# move_count, text_length, tag_count, result, error.
_GAME = struct.Struct("=96s6Q3I2H")

_COMPACT_SIZE = 48
_TEXT_SIZE = 128  # room for a FEN, and for every shorter text
_Text = c_char * _TEXT_SIZE

_Source = ctypes.CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_size_t)
_READ_FAILED = c_size_t(-1).value

_position, _handle, _text = POINTER(_Position), c_void_p, [c_char_p, c_size_t]

# Calls that are over in a moment. They hold the global lock: cheaper, and atomic.
_QUICK = {
    "luft_version": (c_char_p, []),
    "luft_error_string": (c_char_p, [c_int]),
    "luft_start_position": (_Position, []),
    "luft_chess960_position": (c_int, [_position, c_int]),
    "luft_position_flip": (c_int, [_position, _position]),
    "luft_piece_at": (c_int, [_position, c_int]),
    "luft_checkers": (c_uint64, [_position]),
    "luft_position_from_fen": (c_int, [_position, *_text, POINTER(_FenReport)]),
    "luft_position_to_fen": (c_size_t, [*_text, _position, c_int]),
    "luft_position_to_planes": (c_int, [POINTER(_Planes), _position]),
    "luft_position_from_planes": (c_int, [_position, POINTER(_Planes)]),
    "luft_position_to_fen_with_ep": (c_size_t, [*_text, _position, c_int, c_int]),
    "luft_compute_king_constraints": (c_int, [POINTER(_KingConstraints), _position, c_int]),
    "luft_pin_ray": (c_uint64, [POINTER(_KingConstraints), c_int]),
    "luft_pinner": (c_int, [POINTER(_KingConstraints), c_int]),
    "luft_compact_pack": (c_int, [c_char_p, _position]),
    "luft_compact_unpack": (c_int, [_position, c_char_p]),
    "luft_generate": (c_int, [POINTER(_MoveList), _position, c_int]),
    "luft_is_legal": (c_bool, [_position, c_uint16]),
    "luft_gives_check": (c_bool, [_position, c_uint16]),
    "luft_play": (c_int, [_position, _position, c_uint16]),
    "luft_make_null": (c_int, [_position, _position]),
    "luft_move_to_uci": (c_size_t, [*_text, c_uint16, c_int]),
    "luft_move_from_uci": (c_int, [POINTER(c_uint16), _position, *_text]),
    "luft_move_to_san": (c_size_t, [*_text, _position, c_uint16]),
    "luft_move_to_figurine": (c_size_t, [*_text, _position, c_uint16]),
    "luft_move_from_san": (c_int, [POINTER(c_uint16), _position, *_text]),
    "luft_polyglot_key": (c_uint64, [_position]),
    "luft_opening_of_position": (c_bool, [POINTER(_Opening), _position]),
    "luft_opening_of_game": (c_bool, [POINTER(_Opening), _handle]),
    "luft_position_outcome": (_Outcome, [_position]),
    "luft_game_create": (c_int, [POINTER(_handle), _position]),
    "luft_game_free": (None, [_handle]),
    "luft_game_copy": (c_int, [POINTER(_handle), _handle]),
    "luft_game_play": (c_int, [_handle, c_uint16]),
    "luft_game_undo": (c_int, [_handle]),
    "luft_game_redo": (c_int, [_handle]),
    "luft_game_go_to": (c_int, [_handle, c_size_t]),
    "luft_game_ply": (c_size_t, [_handle]),
    "luft_game_length": (c_size_t, [_handle]),
    "luft_game_position_at": (_position, [_handle, c_size_t]),
    "luft_game_move_at": (c_uint16, [_handle, c_size_t]),
    "luft_game_repetitions": (c_int, [_handle]),
    "luft_game_outcome": (_Outcome, [_handle]),
    "luft_game_claims": (c_uint, [_handle]),
    "luft_game_claims_by": (c_uint, [_handle, c_uint16]),
    "luft_epd_read": (c_int, [_position, POINTER(_EpdCursor), *_text, POINTER(_FenReport)]),
    "luft_epd_next_operation": (c_int, [POINTER(_EpdOperation), POINTER(_EpdCursor)]),
    "luft_epd_next_operand": (c_int, [POINTER(_EpdOperand), POINTER(_EpdCursor)]),
    "luft_epd_find": (c_int, [POINTER(_EpdOperation), POINTER(_EpdCursor), c_char_p]),
    "luft_epd_unescape": (c_size_t, [*_text, POINTER(_EpdOperand)]),
    "luft_epd_moves": (c_int, [c_void_p, c_size_t, POINTER(c_size_t), _position, POINTER(_EpdOperation), c_bool]),
    "luft_position_to_epd_with_ep": (c_size_t, [*_text, _position, c_int, c_int]),
    "luft_epd_write_operation": (c_size_t, [*_text, c_char_p, POINTER(_EpdOperand), c_size_t]),
    "luft_pgn_reader_create": (c_int, [POINTER(_handle), _Source, c_void_p]),
    "luft_pgn_reader_create_text": (c_int, [POINTER(_handle), *_text]),
    "luft_pgn_reader_free": (None, [_handle]),
    "luft_batch_reader_create": (c_int, [POINTER(_handle), _handle]),
    "luft_batch_reader_free": (None, [_handle]),
}

# Calls that may take long. Other threads run meanwhile.
_SLOW = {
    "luft_perft": (c_uint64, [_position, c_int, c_int]),
    "luft_batch_positions": (c_size_t, [c_void_p, c_void_p, c_size_t, *_text, POINTER(c_size_t)]),
    "luft_batch_legal_moves": (c_size_t, [c_void_p, c_size_t, c_void_p, c_void_p, c_size_t]),
    "luft_batch_perft": (c_int, [c_void_p, c_void_p, c_size_t, c_int]),
    "luft_batch_line": (c_size_t, [c_void_p, _position, c_void_p, c_size_t]),
    "luft_batch_read": (c_int, [POINTER(_BatchGames), _handle]),
}


def _library_path() -> str:
    """LUFT_LIBRARY, else beside this file, else the build directory of a checkout, else where the system has it."""
    chosen = os.environ.get("LUFT_LIBRARY")
    if chosen:
        return chosen
    here = os.path.dirname(os.path.realpath(__file__))
    for place in (here, os.path.join(os.path.dirname(os.path.dirname(here)), "build")):
        path = os.path.join(place, "libluft.so")
        if os.path.exists(path):
            return path
    found = ctypes.util.find_library("luft")
    if found is None:
        raise ImportError("libluft.so is not found: `make lib` builds it; or set LUFT_LIBRARY to its path")
    return found


def _open_library() -> tuple[Any, Any]:
    """The library with its calls declared, twice: holding the global lock, and without."""
    path = _library_path()
    try:
        libraries = ctypes.PyDLL(path), ctypes.CDLL(path)
        libraries[0].luft_version.restype = c_char_p
        found = libraries[0].luft_version().decode()
        if tuple(int(part) for part in found.split(".")[:2]) != _EXPECTED_VERSION:
            wanted = "{}.{}".format(*_EXPECTED_VERSION)
            raise ImportError(f"luft.py is for libluft {wanted}, but {path} is version {found}")
        for library, declarations in zip(libraries, (_QUICK, _SLOW)):
            for name, (result, arguments) in declarations.items():
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise ImportError(f"{path} cannot be used as libluft: {error}") from error
    return libraries


_quick, _slow = _open_library()

version: str = _quick.luft_version().decode()
"""The version of the library, such as "0.1.0"."""


def _check(code: int, detail: str = "") -> None:
    if code == Error.MEMORY:
        raise MemoryError("libluft has no memory left")
    if code != Error.OK:
        raise LuftError(code, detail)


def _write(function: Any, *arguments: Any) -> str:
    """The text that a function writes about its arguments."""
    buffer = _Text()
    function(buffer, _TEXT_SIZE, *arguments)
    return buffer.value.decode()


def _int(number: int) -> int:
    """A number for a parameter of type int: ctypes would cut one that is too large, and another would come of it."""
    return max(-(2**31), min(number, 2**31 - 1))


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "replace")
    except AttributeError:
        raise TypeError(f"text expected, not {type(text).__name__}") from None


def _address(memory: array) -> int:
    return memory.buffer_info()[0]


# --- Moves -----------------------------------------------------------------------


class Move(int):
    """A move: 16 bits, from (0-5), to (6-11) and kind (12-15). Castling goes from the king to its rook.

    It is a number, so that arrays of moves and lists of moves are easily made of each other.
    """

    __slots__ = ()

    def __new__(cls, value: int) -> Move:
        if not 0 <= value <= 0xFFFF:
            raise ValueError(f"no move: {value}")
        return _MOVES[value]

    @property
    def from_square(self) -> int:
        return self & 63

    @property
    def to_square(self) -> int:
        return self >> 6 & 63

    @property
    def promotion(self) -> Optional[str]:
        """"n", "b", "r" or "q"; None if the move is not a promotion."""
        return "nbrq"[self >> 12 & 3] if self >> 15 else None

    @property
    def is_capture(self) -> bool:
        return bool(self >> 14 & 1)

    @property
    def is_castling(self) -> bool:
        return self >> 12 == 2

    @property
    def is_en_passant(self) -> bool:
        return self >> 12 == 5

    @property
    def en_passant_square(self) -> Optional[int]:
        """The square that a double push passes over; None for any other move."""
        return (self.from_square + self.to_square) // 2 if self >> 12 == 1 else None

    @property
    def uci(self) -> str:
        """The text of the UCI protocol: e2e4, e7e8q, e1g1; "0000" for a null move."""
        return _write(_quick.luft_move_to_uci, self, 0)

    @property
    def uci_chess960(self) -> str:
        """The same with castling as king takes rook: e1h1."""
        return _write(_quick.luft_move_to_uci, self, 1)

    def __str__(self) -> str:
        return self.uci

    def __repr__(self) -> str:
        return f"<Move {self.uci}>"

    def __reduce__(self) -> tuple:
        return Move, (int(self),)


class _MoveTable(dict):
    """One object for each move that has come up: finding it is faster than making it."""

    def __missing__(self, value: int) -> Move:
        return self.setdefault(int(value), int.__new__(Move, value))


_MOVES = _MoveTable()
Move.NONE = Move(0)  # the null move


def _moves_of(values: Iterable[int]) -> list[Move]:
    return list(map(_MOVES.__getitem__, values))


# --- Positions -------------------------------------------------------------------

_UCI_TEXT = re.compile("[a-h][1-8][a-h][1-8][nbrq]?")


class Position:
    """A valid position of standard chess or Chess960, counters included. Immutable: play returns a new one."""

    __slots__ = ("_c", "__weakref__")

    def __init__(self, fen: Optional[str] = None):
        if fen is None:
            self._c = _quick.luft_start_position()
            return
        text = _bytes(fen)
        self._c = _Position()
        report = _FenReport()
        code = _quick.luft_position_from_fen(self._c, text, len(text), report)
        _check(code, _reason(report, fen))

    @classmethod
    def _of(cls, c: _Position) -> Position:
        position = object.__new__(cls)
        position._c = c
        return position

    @classmethod
    def chess960(cls, number: int) -> Position:
        """The start position with this number, 0 to 959; 518 is that of standard chess."""
        c = _Position()
        _check(_quick.luft_chess960_position(c, _int(number)), f"no Chess960 position: {number}")
        return cls._of(c)

    @classmethod
    def from_compact(cls, data: bytes) -> Position:
        """The position of 48 bytes that `compact` gave."""
        if len(data) != _COMPACT_SIZE:
            raise LuftError(Error.COMPACT, f"{len(data)} bytes in place of {_COMPACT_SIZE}")
        c = _Position()
        _check(_quick.luft_compact_unpack(c, bytes(data)))
        return cls._of(c)

    @classmethod
    def from_planes(cls, planes: Planes) -> Position:
        """The position of planes such as `planes` gives. The error is POSITION if no valid position has them."""
        words = (*planes.types, planes.us, planes.them)
        counters = (planes.halfmove_clock, planes.fullmove_number)
        # ctypes would cut numbers that are too large for their fields.
        if (
            len(words) != 5
            or any(number >> 64 for number in (*words, planes.castling))
            or any(number >> 16 for number in counters)
            or planes.turn >> 8
            or (planes.en_passant or 0) >> 6
        ):
            raise LuftError(Error.POSITION, f"{planes}")
        c = _Position()
        ep_square = 64 if planes.en_passant is None else planes.en_passant
        given = _Planes((c_uint64 * 5)(*words), planes.castling, *counters, planes.turn, ep_square)
        _check(_quick.luft_position_from_planes(c, given), f"{planes}")
        return cls._of(c)

    # Text and identity

    @property
    def fen(self) -> str:
        return _write(_quick.luft_position_to_fen, self._c, 0)

    @property
    def shredder_fen(self) -> str:
        """The FEN with castling rights as the files of the rooks, HAha."""
        return _write(_quick.luft_position_to_fen, self._c, 1)

    def fen_with_en_passant(self, where: Union[int, Move, None], shredder: bool = False) -> str:
        """The FEN with the en passant square after every double push, as many programs expect it.

        A position keeps the square only if a capture onto it is legal, so it must be told: `where` is the last
        move, or the square, such as fen_en_passant says. Without a square it is the same as `fen`.
        """
        return _write_with_ep(_quick.luft_position_to_fen_with_ep, self, int(shredder), where)

    @property
    def compact(self) -> bytes:
        """48 bytes, the same on every machine."""
        buffer = ctypes.create_string_buffer(_COMPACT_SIZE)
        _check(_quick.luft_compact_pack(buffer, self._c))
        return buffer.raw

    @property
    def planes(self) -> Planes:
        """The position as the side to move sees it, in planes with H8 as bit 0."""
        c = _Planes()
        _check(_quick.luft_position_to_planes(c, self._c))
        low, middle, high, us, them = c.board
        ep_square = c.ep_square if c.ep_square < 64 else None
        return Planes((low, middle, high), us, them, c.castling, ep_square, self.turn, c.halfmove_clock, c.fullmove_number)

    @property
    def key(self) -> int:
        """Luft's 64-bit key, without the counters; the colour-flipped position has the same."""
        return self._c.key[self._c.side_to_move]

    @property
    def keys(self) -> KeyPair:
        """Both keys, that of the side to move first. A move swaps them and changes them by what it moves."""
        side = self._c.side_to_move
        return KeyPair(self._c.key[side], self._c.key[side ^ 1])

    @property
    def polyglot_key(self) -> int:
        """The key under which opening books of the Polyglot format file the position."""
        return _quick.luft_polyglot_key(self._c)

    def __eq__(self, other: object) -> bool:
        return bytes(self._c) == bytes(other._c) if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(bytes(self._c))

    def __reduce__(self) -> tuple:
        return Position.from_compact, (self.compact,)

    def __repr__(self) -> str:
        return f"Position({self.fen!r})"

    def __str__(self) -> str:
        """A diagram, rank 8 on top."""
        rows = re.sub("[1-8]", lambda digit: "." * int(digit.group()), self.fen.split()[0]).split("/")
        lines = [f"{8 - number} {' '.join(row)}" for number, row in enumerate(rows)]
        return "\n".join([*lines, "  a b c d e f g h"])

    # Questions

    @property
    def turn(self) -> Color:
        return Color(self._c.side_to_move)

    @property
    def halfmove_clock(self) -> int:
        return self._c.halfmove_clock

    @property
    def fullmove_number(self) -> int:
        return self._c.fullmove_number

    @property
    def en_passant(self) -> Optional[int]:
        """The square that an en passant capture goes to, None unless one is legal."""
        return self._c.ep_square if self._c.ep_square < 64 else None

    @property
    def en_passant_pawn(self) -> Optional[int]:
        """The square of the pawn that an en passant capture removes, None unless one is legal."""
        return self._c.ep_square ^ 8 if self._c.ep_square < 64 else None

    def king_constraints(self, color: Optional[Color] = None) -> KingConstraints:
        """The checks and pins of a side, by default the side to move."""
        found = _KingConstraints()
        side = self._c.side_to_move if color is None else _int(color)
        _check(_quick.luft_compute_king_constraints(found, self._c, side), f"not a colour: {color}")
        return KingConstraints(*(getattr(found, name) for name in KingConstraints._fields))

    def piece_at(self, where: int) -> Optional[str]:
        """The letter of a piece, "P" a white pawn and "k" the black king; None for an empty square."""
        piece = _PIECES[_quick.luft_piece_at(self._c, _int(where))]
        return piece if piece != "." else None

    @property
    def is_check(self) -> bool:
        return _quick.luft_checkers(self._c) != 0

    @property
    def outcome(self) -> Outcome:
        """How it stands as far as the position alone tells: all but repetition."""
        return _outcome(_quick.luft_position_outcome(self._c))

    @property
    def opening(self) -> Optional[Opening]:
        """The opening that has its name from this position."""
        return _opening(_quick.luft_opening_of_position, self._c)

    def perft(self, depth: int) -> int:
        """How many sequences of this many legal moves there are."""
        if not 0 <= depth <= 64:
            raise LuftError(Error.ARGUMENT, f"depth {depth}")
        return _slow.luft_perft(self._c, depth, 0)

    def flip(self) -> Position:
        """The colour-flipped position."""
        c = _Position()
        _check(_quick.luft_position_flip(c, self._c))
        return Position._of(c)

    # Moves

    @property
    def legal_moves(self) -> list[Move]:
        moves = _MoveList()
        count = _quick.luft_generate(moves, self._c, 0)
        return _moves_of(moves.moves[:count])

    def is_legal(self, move: int) -> bool:
        return 0 <= move <= 0xFFFF and _quick.luft_is_legal(self._c, move)

    def gives_check(self, move: Union[Move, str]) -> bool:
        return _quick.luft_gives_check(self._c, self._legal(move))

    def play(self, move: Union[Move, str]) -> Position:
        """The position after a legal move: a Move, or its text in SAN or UCI."""
        value = self.parse(move) if isinstance(move, str) else move
        c = _Position()
        if not 0 <= value <= 0xFFFF or _quick.luft_play(c, self._c, value):
            raise LuftError(Error.MOVE_ILLEGAL, f"{move} in {self.fen}")
        return Position._of(c)

    def pass_turn(self) -> Position:
        """The position with the other side to move: a null move. Not in check."""
        c = _Position()
        _check(_quick.luft_make_null(c, self._c), f"no null move in {self.fen}")
        return Position._of(c)

    def san(self, move: Union[Move, str], figurine: bool = False) -> str:
        """A legal move in SAN, as short as it can be."""
        value = self.parse(move) if isinstance(move, str) else move
        write = _quick.luft_move_to_figurine if figurine else _quick.luft_move_to_san
        text = _write(write, self._c, value) if 0 < value <= 0xFFFF else ""
        if not text:  # the library has looked whether it is legal
            raise LuftError(Error.MOVE_ILLEGAL, f"{move} in {self.fen}")
        return text

    def parse(self, text: str) -> Move:
        """Reads UCI (e2e4) or SAN (e4)."""
        return self.parse_uci(text) if _UCI_TEXT.fullmatch(text) else self.parse_san(text)

    def parse_san(self, text: str) -> Move:
        """Reads SAN as people write it. The error is MOVE_SYNTAX, MOVE_ILLEGAL or MOVE_AMBIGUOUS."""
        return self._read(_quick.luft_move_from_san, text)

    def parse_uci(self, text: str) -> Move:
        """Reads UCI text; castling is e1g1 or e1h1. The error is MOVE_SYNTAX or MOVE_ILLEGAL."""
        return self._read(_quick.luft_move_from_uci, text)

    def line(self, moves: Iterable[int]) -> Positions:
        """The positions after each of these moves, of which Move.NONE passes the turn."""
        values = moves if isinstance(moves, array) and moves.typecode == "H" else array("H", moves)
        words = array("Q", [0]) * (len(values) * _WORDS)
        played = _slow.luft_batch_line(_address(words), self._c, _address(values), len(values))
        if played < len(values):
            move = Move(values[played])
            raise LuftError(Error.MOVE_ILLEGAL, f"{move}, number {played + 1} of a line from {self.fen}")
        return Positions._of(words)

    def _legal(self, move: Union[Move, str]) -> int:
        if isinstance(move, str):
            return self.parse(move)
        if not self.is_legal(move):
            raise LuftError(Error.MOVE_ILLEGAL, f"{move} in {self.fen}")
        return move

    def _read(self, function: Any, text: str) -> Move:
        data, move = _bytes(text), c_uint16()
        code = function(byref(move), self._c, data, len(data))
        if code:
            raise LuftError(code, f"{text!r} in {self.fen}")
        return _MOVES[move.value]


def _write_with_ep(write: Any, position: Position, style: int, where: Union[int, Move, None]) -> str:
    """The text of a position with this en passant square, or that of this last move."""
    wanted = where.en_passant_square if isinstance(where, Move) else where
    text = _write(write, position._c, style, 64 if wanted is None else _int(wanted))
    if not text or (wanted is not None and not 0 <= wanted < 64):
        raise LuftError(Error.ARGUMENT, f"no double push has just passed over {where} in {position.fen}")
    return text


def fen_en_passant(fen: str) -> Optional[int]:
    """The en passant square that a FEN names, None if it names none or one that no double push can have passed over.

    A Position holds it only if a capture onto it is legal.
    """
    text, c, report = _bytes(fen), _Position(), _FenReport()
    _check(_quick.luft_position_from_fen(c, text, len(text), report), _reason(report, fen))
    return _ep_square(report)


def _ep_square(report: _FenReport) -> Optional[int]:
    return report.ep_square if report.ep_square < 64 else None


def _reason(report: _FenReport, text: str) -> str:
    """Why a FEN or an EPD was refused; empty if it was not."""
    place = f"byte {report.offset} of " if report.error != Error.POSITION else ""
    return f"{report.reason.decode()} ({place}{text!r})" if report.error else ""


def _outcome(outcome: _Outcome) -> Outcome:
    return Outcome(Termination(outcome.termination), Color(outcome.winner) if outcome.winner >= 0 else None)


def _opening(function: Any, subject: Any) -> Optional[Opening]:
    found = _Opening()
    return Opening(found.eco.decode(), found.name.decode()) if function(found, subject) else None


def _san_line(start: Position, moves: Sequence[Move]) -> list[str]:
    """Each move of a line in SAN, "--" for a null move."""
    before = [start, *start.line(moves)]
    return [_write(_quick.luft_move_to_san, position._c, move) for position, move in zip(before, moves)]


# --- Many positions ----------------------------------------------------------------

_WORDS = ctypes.sizeof(_Position) // 8


class Positions(Sequence):
    """Many positions in one block of memory, for calls that do all of them at once.

    Made of FENs, one a line, or of Position objects. `errors[i]` is the error of line i, 0 for a good one;
    to ask for a refused position raises that error, and in a batch it has no moves and the perft 0.
    `words` is the memory, 12 words of 64 bits each: pawns, knights, bishops and queens, rooks and queens, kings,
    White's pieces, Black's pieces, castling rooks, two keys, pawn key, counters and side to move.
    """

    __slots__ = ("words", "errors")

    def __init__(self, source: Union[str, bytes, Iterable[Position]]):
        if isinstance(source, str):
            source = _bytes(source)
        if not isinstance(source, bytes):
            self.words = array("Q", b"".join(bytes(position._c) for position in source))
            self.errors = array("I", [0]) * len(self)
            return
        lines = source.count(b"\n") + 1
        self.words = array("Q", [0]) * (lines * _WORDS)
        self.errors = array("I", [0]) * lines
        count = _slow.luft_batch_positions(
            _address(self.words), _address(self.errors), lines, source, len(source), None
        )
        del self.words[count * _WORDS :], self.errors[count:]

    @classmethod
    def _of(cls, words: array) -> Positions:
        positions = object.__new__(cls)
        positions.words = words
        positions.errors = array("I", [0]) * (len(words) // _WORDS)
        return positions

    def __len__(self) -> int:
        return len(self.words) // _WORDS

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        _check(self.errors[number], f"position {number} of a batch")
        return Position._of(_Position.from_buffer_copy(self.words, number * _WORDS * 8))

    def legal_moves(self) -> tuple[array, array]:
        """The moves of all, array("H"), and where each list begins, array("Q"), with the end of the last.

        The moves of position i are moves[offsets[i]:offsets[i + 1]]; Move(value) makes a Move of one.
        """
        count = len(self)
        offsets = array("Q", [0]) * (count + 1)
        capacity = 415 + 48 * count  # mostly enough: positions of games have some 35 moves
        while True:
            moves = array("H", [0]) * capacity
            done = _slow.luft_batch_legal_moves(
                _address(moves), capacity, _address(offsets), _address(self.words), count
            )
            if done == count:
                del moves[offsets[count] :]
                return moves, offsets
            capacity = max(2 * capacity, offsets[done] * (count + 1) // max(done, 1))

    def perft(self, depth: int) -> array:
        """The perft of each, array("Q")."""
        counts = array("Q", [0]) * len(self)
        if not counts:
            return counts
        code = _slow.luft_batch_perft(_address(counts), _address(self.words), len(self), _int(depth))
        _check(code, f"depth {depth}")
        return counts


# --- Games -------------------------------------------------------------------------


class Game:
    """A start position and moves, with undo and redo, repetitions, outcome and claims."""

    def __init__(self, start: Union[Position, str, None] = None):
        if not isinstance(start, Position):
            start = Position(start)
        self._adopt(_quick.luft_game_create, start._c)

    def _adopt(self, create: Any, source: Any) -> None:
        handle = c_void_p()
        _check(create(byref(handle), source))
        self._handle = handle
        weakref.finalize(self, _quick.luft_game_free, handle)

    def copy(self) -> Game:
        """A second game of its own, equal to this one, the moves to redo included."""
        other = object.__new__(Game)
        other._adopt(_quick.luft_game_copy, self._handle)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> Game:
        return self.copy()  # it holds nothing but values

    def play(self, *moves: Union[Move, str]) -> None:
        """Plays moves, each a Move or its text. Those before one that is refused stay played."""
        for move in moves:
            value = self.position.parse(move) if isinstance(move, str) else move
            if not 0 <= value <= 0xFFFF:
                raise LuftError(Error.MOVE_ILLEGAL, f"{move}")
            _check(_quick.luft_game_play(self._handle, value), f"{move} in {self.position.fen}")

    def undo(self) -> None:
        _check(_quick.luft_game_undo(self._handle))

    def redo(self) -> None:
        _check(_quick.luft_game_redo(self._handle))

    def go_to(self, ply: int) -> None:
        """To the position after the first `ply` moves, back or forward."""
        _check(_quick.luft_game_go_to(self._handle, self._ply(ply)), f"ply {ply}")

    @property
    def ply(self) -> int:
        """How many moves lead to the present position."""
        return _quick.luft_game_ply(self._handle)

    def __len__(self) -> int:
        """How many moves there are with those to redo."""
        return _quick.luft_game_length(self._handle)

    def __bool__(self) -> bool:
        return True

    @property
    def moves(self) -> list[Move]:
        """The moves that lead to the present position."""
        return [_MOVES[_quick.luft_game_move_at(self._handle, ply)] for ply in range(self.ply)]

    @property
    def sans(self) -> list[str]:
        """The same in SAN."""
        return _san_line(self.position_at(0), self.moves)

    @property
    def position(self) -> Position:
        return self.position_at(self.ply)

    def position_at(self, ply: int) -> Position:
        """The position after the first `ply` moves, 0 for the start."""
        pointer = _quick.luft_game_position_at(self._handle, self._ply(ply))
        if not pointer:
            raise IndexError(f"the game has no ply {ply}")
        return Position._of(_Position.from_buffer_copy(pointer.contents))

    @property
    def repetitions(self) -> int:
        """How often the present position has occurred, this time included."""
        return _quick.luft_game_repetitions(self._handle)

    @property
    def outcome(self) -> Outcome:
        """How the game stands: everything that ends it by itself."""
        return _outcome(_quick.luft_game_outcome(self._handle))

    @property
    def claims(self) -> Claim:
        """The draws that the side to move may claim in this position."""
        return Claim(_quick.luft_game_claims(self._handle))

    def claims_by(self, move: Union[Move, str]) -> Claim:
        """The draws that the side to move may claim by announcing this legal move."""
        return Claim(_quick.luft_game_claims_by(self._handle, self.position._legal(move)))

    @property
    def opening(self) -> Optional[Opening]:
        """The last opening on the way to the present position."""
        return _opening(_quick.luft_opening_of_game, self._handle)

    def __repr__(self) -> str:
        return f"<Game of {len(self)} moves, at ply {self.ply}: {self.position.fen}>"

    @staticmethod
    def _ply(ply: int) -> int:
        if not 0 <= ply <= sys.maxsize:
            raise IndexError(f"the game has no ply {ply}")
        return ply


# --- EPD ---------------------------------------------------------------------------


class Word(str):
    """An operand that stands bare in an EPD, such as the move of bm; a plain str stands in quotes."""

    __slots__ = ()


class Epd:
    """One line of an EPD file: `position`, and `operations`, for each opcode a list of operands.

    `en_passant` is the en passant square that the line names, also if no capture onto it is legal; or None.
    """

    def __init__(self, line: str):
        self._line = _bytes(line.rstrip("\r\n"))
        self._cursor = _EpdCursor()
        c, report = _Position(), _FenReport()
        code = _quick.luft_epd_read(c, self._cursor, self._line, len(self._line), report)
        _check(code, _reason(report, line))
        self.position = Position._of(c)
        self.en_passant = _ep_square(report)
        self.operations: dict[str, list[str]] = dict(self._read_operations())

    def moves(self, opcode: str, line: Optional[bool] = None) -> list[Move]:
        """The operands of an operation as moves: bm, am. `line`, which pv has, if each follows from the one before."""
        operation = _EpdOperation()
        if "\0" in opcode:  # a name of C ends there
            raise LuftError(Error.END, f"no operation {opcode!r}")
        _check(_quick.luft_epd_find(operation, self._cursor, _bytes(opcode)), f"no operation {opcode!r}")
        capacity = len(self.operations[opcode])
        moves, count = array("H", [0]) * (capacity + 1), c_size_t()
        is_line = opcode == "pv" if line is None else line
        code = _quick.luft_epd_moves(
            _address(moves), capacity, byref(count), self.position._c, operation, is_line
        )
        _check(code, f"{opcode} {' '.join(self.operations[opcode])}")
        return _moves_of(moves[: min(count.value, capacity)])

    def __str__(self) -> str:
        return format_epd(self.position, self.operations)

    def _read_operations(self) -> Iterator[tuple[str, list[str]]]:
        cursor = _EpdCursor(self._cursor.text, self._cursor.length)
        operation, operand = _EpdOperation(), _EpdOperand()
        while True:
            code = _quick.luft_epd_next_operation(operation, cursor)
            if code == Error.END:
                return
            _check(code, repr(self._line.decode("utf-8", "replace")))
            operands = []
            while _quick.luft_epd_next_operand(operand, operation.operands) == Error.OK:
                buffer = ctypes.create_string_buffer(operand.length + 1)
                _quick.luft_epd_unescape(buffer, len(buffer), operand)
                text = buffer.value.decode("utf-8", "replace")
                operands.append(text if operand.quoted else Word(text))
            yield ctypes.string_at(operation.opcode, operation.opcode_length).decode("utf-8", "replace"), operands


def format_epd(
    position: Position, operations: Optional[dict[str, Any]] = None, en_passant: Union[int, Move, None] = None
) -> str:
    """A line of EPD. An operand, or each of a list, is a Move, a number or a Word, which stand bare, or a quoted str.

    `en_passant` is as in Position.fen_with_en_passant.
    """
    text = _write_with_ep(_quick.luft_position_to_epd_with_ep, position, 0, en_passant)
    for opcode, given in (operations or {}).items():
        items = given if isinstance(given, (list, tuple)) else [given]
        operands = (_EpdOperand * max(len(items), 1))()
        for operand, item in zip(operands, items):
            data = _bytes(position.san(item) if isinstance(item, Move) else str(item))
            operand.text, operand.length = data, len(data)
            operand.quoted = isinstance(item, str) and not isinstance(item, Word)
        if "\0" in opcode:
            raise LuftError(Error.EPD, repr(opcode))
        arguments = _bytes(opcode), operands, len(items)
        length = _quick.luft_epd_write_operation(None, 0, *arguments)
        if length == 0:
            raise LuftError(Error.EPD, f"{opcode} {given!r}")
        buffer = ctypes.create_string_buffer(length + 1)
        _quick.luft_epd_write_operation(buffer, len(buffer), *arguments)
        text += buffer.value.decode()
    return text


# --- PGN ---------------------------------------------------------------------------


class PgnError(NamedTuple):
    """A mistake in a PGN: the game is cut there."""

    name: str  # of the error, such as "MOVE_ILLEGAL"
    reason: str
    token: str  # the text at fault, or its beginning
    line: int  # from 1
    column: int  # in bytes, from 1


class PgnGame:
    """One game of a PGN: tags, the moves of the main line, the result, and what was wrong with it."""

    __slots__ = (
        "number", "line", "result", "move_values", "_error", "_start", "_text", "_tag_count", "_moves", "_tags",
    )  # fmt: skip

    def __init__(self, batch: PgnBatch, index: int):
        record = _GAME.unpack_from(batch.records, index * _GAME.size)
        self._start, first_move, first_text, self.number, self.line = record[:5]
        move_count, text_length, self._tag_count, result = record[7:11]
        self.result: str = _RESULTS[result]
        self.move_values: array = batch.moves[first_move : first_move + move_count]
        self._text = bytes(batch.text[first_text : first_text + text_length])
        self._error = (record[11], record[5], record[6]) if record[11] else None
        self._moves = self._tags = None

    @property
    def moves(self) -> list[Move]:
        """The moves of the main line, up to the mistake if there is one."""
        if self._moves is None:
            self._moves = _moves_of(self.move_values)
        return self._moves

    @property
    def tags(self) -> dict[str, str]:
        """The tags by name; of one that comes twice, the first. Read as UTF-8, and where it is none as Latin-1."""
        if self._tags is None:
            words = self._words()[: 2 * self._tag_count]
            self._tags = {}
            for name, value in zip(words[::2], words[1::2]):
                self._tags.setdefault(name, value)
        return self._tags

    @property
    def errors(self) -> list[PgnError]:
        """What is wrong: nothing, or the one mistake that cut the game."""
        if self._error is None:
            return []
        code, line, column = self._error
        reason, token = self._words()[2 * self._tag_count : 2 * self._tag_count + 2]
        return [PgnError(Error(code).name, reason, token, line, column)]

    @property
    def start(self) -> Position:
        """The position before the first move; the error tells if the tags set up none."""
        c = _Position.from_buffer_copy(self._start)
        if not c.board[4]:
            raise LuftError(Error.POSITION, f"game {self.number} has no start position")
        return Position._of(c)

    @property
    def positions(self) -> Positions:
        """The positions after each move."""
        return self.start.line(self.move_values)

    @property
    def sans(self) -> list[str]:
        """The moves in SAN."""
        return _san_line(self.start, self.moves)

    def __repr__(self) -> str:
        white, black = self.tags.get("White", "?"), self.tags.get("Black", "?")
        return f"<PgnGame {self.number}: {white} - {black} {self.result}, {len(self.move_values)} moves>"

    def _words(self) -> list[str]:
        try:
            return self._text.decode().split("\0")
        except UnicodeDecodeError:
            return [_decode(word) for word in self._text.split(b"\0")]


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


class PgnBatch(Sequence):
    """Games of a PGN in flat arrays: `moves` of all, array("H"), their `text`, and a record of 160 bytes for each.

    first_moves, move_counts, results (1 White won, 2 Black won, 3 draw, 0 and 4 unknown) and errors are views
    of the records, one entry for each game. Item i is a PgnGame, which keeps nothing of the batch.
    """

    __slots__ = ("moves", "text", "records", "_count")

    def __init__(self, moves: array, text: bytearray, records: bytearray):
        self.moves, self.text, self.records = moves, text, records
        self._count = len(records) // _GAME.size

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        numbers = range(self._count)[index]
        return PgnGame(self, numbers) if isinstance(numbers, int) else [PgnGame(self, i) for i in numbers]

    def _view(self, typecode: str, offset: int) -> memoryview:
        size = struct.calcsize(typecode)
        return memoryview(self.records).cast(typecode)[offset // size :: _GAME.size // size]

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


class PgnReader:
    """Reads the games of a PGN, in memory that does not grow with the file. An iterator of PgnGame."""

    def __init__(self, source: Any, games: int = 1024, moves: int = 1 << 17, text: int = 1 << 20):
        """The source is a path, the PGN itself as bytes, or a file open in binary mode.

        The numbers are the room of a batch; a game with more moves, or more bytes of tags, than that is cut.
        """
        if min(games, moves) < 1 or text < 256:
            raise LuftError(Error.ARGUMENT, "a batch needs room for a game, a move and 256 bytes of text")
        self._capacities = games, moves, text
        self._lock = threading.Lock()
        self._failure: Optional[BaseException] = None
        self._games: Iterator[PgnGame] = iter(())
        self._own_file = None
        reader, batch = c_void_p(), c_void_p()
        if isinstance(source, (bytes, bytearray, memoryview)):
            self._source = bytes(source)
            _check(_quick.luft_pgn_reader_create_text(byref(reader), self._source, len(self._source)))
        else:
            if not hasattr(source, "read"):
                source = self._own_file = open(source, "rb", buffering=0)
            self._source = _Source(_reading(source, weakref.ref(self)))
            _check(_quick.luft_pgn_reader_create(byref(reader), self._source, None))
        code = _quick.luft_batch_reader_create(byref(batch), reader)
        self._batch = batch
        self._close = weakref.finalize(self, _close_reader, batch, reader, self._own_file)
        _check(code)

    def read_batch(self) -> Optional[PgnBatch]:
        """The next games, as many as there is room for; None after the last."""
        with self._lock:
            if not self._close.alive:
                return None
            games, moves, text = self._capacities
            records, values, words = bytearray(games * _GAME.size), array("H", [0]) * moves, bytearray(text)
            pinned = (c_char * len(records)).from_buffer(records), (c_char * text).from_buffer(words)
            request = _BatchGames(
                ctypes.addressof(pinned[0]), _address(values), ctypes.addressof(pinned[1]), games, moves, text
            )
            code = _slow.luft_batch_read(request, self._batch)
            del pinned
            failure = self._failure
            # An interrupt is raised at once, a failure of the file after the games before it.
            if code != Error.OK or (failure is not None and not isinstance(failure, Exception)):
                self._close()
                if failure is not None:
                    raise failure
                _check(code if code != Error.END else Error.OK)
                return None
            del records[request.game_count * _GAME.size :], values[request.move_count :], words[request.text_count :]
            return PgnBatch(values, words, records)

    def batches(self) -> Iterator[PgnBatch]:
        """The games that are left, in batches."""
        return iter(self.read_batch, None)

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
        """Gives memory and file back. Happens by itself at the end, and when nobody refers to the reader any more."""
        with self._lock:
            self._games = iter(())
            self._close()

    def __enter__(self) -> PgnReader:
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()


def _close_reader(batch: c_void_p, reader: c_void_p, file: Any) -> None:
    _quick.luft_batch_reader_free(batch)
    _quick.luft_pgn_reader_free(reader)
    if file is not None:
        file.close()


def _reading(file: Any, owner: Any) -> Any:
    """The function that the C reader calls for more bytes. What it raises waits until the C code has returned."""

    def read(unused: Any, address: int, size: int) -> int:
        try:
            data = file.read(size)
            if not isinstance(data, bytes) or len(data) > size:
                raise TypeError("a PGN is read from a file that is open in binary mode")
            ctypes.memmove(address, data, len(data))
            return len(data)
        except BaseException as failure:  # KeyboardInterrupt too: nothing may be raised through C
            reader = owner()
            if reader is not None:
                reader._failure = failure
            return _READ_FAILED

    return read


def read_pgn(source: Any) -> PgnReader:
    """for game in read_pgn(path, bytes or binary file): game.tags, game.moves, game.result, game.errors."""
    return PgnReader(source)
