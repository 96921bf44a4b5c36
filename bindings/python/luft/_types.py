# SPDX-License-Identifier: MIT
"""The words of the language: enumerations, named tuples, squares, and LuftError.

Plain Python. The compiled module imports these classes and returns their instances.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Literal, NamedTuple, Optional, Union

if TYPE_CHECKING:
    from ._core import Game, Move, Position, SquareSet

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

Square = Union[int, str]
"""A square as an argument: its number, or its name such as "e4"."""

# --- Enumerations ------------------------------------------------------------------


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
    BOOK = 23
    BUSY = 24
    THREAD = 25
    NETWORK = 26
    MISSING = 27
    DAMAGED = 28
    QUERY = 29


class Color(enum.IntEnum):
    WHITE = 0
    BLACK = 1


class PieceType(enum.IntEnum):
    PAWN = 1
    KNIGHT = 2
    BISHOP = 3
    ROOK = 4
    QUEEN = 5
    KING = 6


class Piece(enum.StrEnum):
    """A piece is its FEN letter: Piece.WHITE_KNIGHT == "N"."""

    WHITE_PAWN = "P"
    WHITE_KNIGHT = "N"
    WHITE_BISHOP = "B"
    WHITE_ROOK = "R"
    WHITE_QUEEN = "Q"
    WHITE_KING = "K"
    BLACK_PAWN = "p"
    BLACK_KNIGHT = "n"
    BLACK_BISHOP = "b"
    BLACK_ROOK = "r"
    BLACK_QUEEN = "q"
    BLACK_KING = "k"

    __slots__ = ("color", "piece_type")  # Python reads slots faster than the dictionary of an instance

    color: Color
    piece_type: PieceType

    def __new__(cls, letter: str) -> Piece:
        self = str.__new__(cls, letter)
        self._value_ = letter
        self.color = Color.WHITE if letter.isupper() else Color.BLACK
        self.piece_type = PieceType("pnbrqk".index(letter.lower()) + 1)
        return self


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


class Status(enum.IntFlag):
    """Everything that can be wrong with a position: luft_status of position.h.

    The last two are warnings. A position with them can be played, but no game leads to it.
    """

    VALID = 0
    INCONSISTENT_BOARD = 1 << 0
    NO_WHITE_KING = 1 << 1
    NO_BLACK_KING = 1 << 2
    TOO_MANY_WHITE_KINGS = 1 << 3
    TOO_MANY_BLACK_KINGS = 1 << 4
    TOO_MANY_WHITE_PAWNS = 1 << 5
    TOO_MANY_BLACK_PAWNS = 1 << 6
    TOO_MANY_WHITE_PIECES = 1 << 7
    TOO_MANY_BLACK_PIECES = 1 << 8
    PAWN_ON_BACK_RANK = 1 << 9
    OPPONENT_IN_CHECK = 1 << 10
    BAD_CASTLING = 1 << 11
    BAD_EN_PASSANT = 1 << 12
    BAD_SIDE = 1 << 13
    BAD_COUNTER = 1 << 14
    BAD_KEY = 1 << 15
    TOO_MANY_CHECKERS = 1 << 16
    IMPOSSIBLE_CHECK = 1 << 17


class Author(enum.IntEnum):
    """Who made a move or an annotation of a PgnTree: luft_pgn_author of pgn_game.h."""

    PERSON = 0
    ENGINE = 1


class Bound(enum.IntEnum):
    """How the true score relates to a Score: luft_engine_bound of engine.h."""

    EXACT = 0
    LOWER = 1  # it is at least the value
    UPPER = 2  # it is at most the value


class TablebaseResult(enum.IntEnum):
    """The result for the side to move if both play best: luft_wdl of tablebase.h."""

    LOSS = -2
    BLESSED_LOSS = -1  # lost but for the fifty-move rule
    DRAW = 0
    CURSED_WIN = 1  # won but for the fifty-move rule
    WIN = 2


# --- Named tuples --------------------------------------------------------------------


class Outcome(NamedTuple):
    termination: Termination
    winner: Optional[Color]  # None for a draw and for a game that goes on

    @property
    def is_over(self) -> bool:
        return self.termination != Termination.NOT_OVER

    @property
    def result(self) -> str:
        """"1-0", "0-1", "1/2-1/2", or "*" for a game that goes on."""
        if not self.is_over:
            return "*"
        return "1/2-1/2" if self.winner is None else ("1-0", "0-1")[self.winner]


class Opening(NamedTuple):
    eco: str
    name: str


class PgnError(NamedTuple):
    """A mistake in a PGN: the game is cut there."""

    name: str  # of the error, such as "MOVE_ILLEGAL"
    reason: str
    token: str  # the text at fault, or its beginning
    line: int  # from 1
    column: int  # in bytes, from 1


class Comment(NamedTuple):
    """A comment of a PgnNode."""

    text: str
    author: Author


class Score(NamedTuple):
    """A score of an engine, in centipawns or in moves to mate, for the side to move. -score is for the opponent."""

    centipawns: Optional[int]  # None if it is a mate
    mate: Optional[int]  # 2 mates in two, -2 is mated in two, 0 is mated already; None if it is none
    bound: Bound

    def __neg__(self) -> Score:
        bound = (Bound.EXACT, Bound.UPPER, Bound.LOWER)[self.bound]
        centipawns = None if self.centipawns is None else -self.centipawns
        return Score(centipawns, None if self.mate is None else -self.mate, bound)

    def __str__(self) -> str:
        """+0.31, #3, #-2, with <= or >= before a bound."""
        prefix = ("", ">=", "<=")[self.bound]
        if self.centipawns is not None:
            return f"{prefix}{self.centipawns / 100:+.2f}"
        return "?" if self.mate is None else f"{prefix}#{self.mate}"


class Wdl(NamedTuple):
    """How often the engine, playing itself, wins, draws and loses with a score, in thousandths."""

    win: int
    draw: int
    loss: int


class AnalysisLine(NamedTuple):
    """A variation of a search, for the side to move in its first position."""

    moves: tuple[Move, ...]
    score: Score
    wdl: Wdl
    depth: int
    seldepth: int  # the deepest ply that was reached
    nodes: int  # of the whole search up to here
    time: float  # seconds since the search began
    number: int  # 1 for the best variation

    def __repr__(self) -> str:
        moves = " ".join(move.uci for move in self.moves)
        return f"<AnalysisLine {self.number}: {self.score}, depth {self.depth}, {moves}>"


class Analysis(NamedTuple):
    """What a search found. Scores are for the side to move."""

    position: Position  # that was searched
    best: Optional[Move]  # None if there is no legal move
    ponder: Optional[Move]  # the expected reply
    score: Score
    wdl: Wdl
    depth: int
    seldepth: int  # the deepest ply that was reached
    nodes: int
    time: float  # in seconds
    lines: tuple[AnalysisLine, ...]  # the best first
    no_mate: bool  # proved: the side to move has no mate in as many moves as the search was asked for

    def sans(self, number: int = 0) -> list[str]:
        """The moves of a line in SAN; none if there is no legal move."""
        from ._core import line_sans

        return line_sans(self.position, self.lines[number].moves) if self.lines else []

    def __repr__(self) -> str:
        moves = " ".join(self.sans()) if self.lines else "no legal move"
        figures = f"depth {self.depth}, {self.nodes} nodes, {self.time:.3f} s"
        return f"<Analysis: {moves}, score {self.score}, {figures}>"


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
    """The checks and pins of one side: luft_king_constraints of position.h."""

    king: int
    check_count: int
    checkers: SquareSet  # the pieces that give check
    check_mask: SquareSet  # all squares without check, the checker and the squares between, none in double check
    pin_orthogonal: SquareSet  # from the king to each piece that pins along a rank or file, that piece included
    pin_diagonal: SquareSet  # the same along diagonals
    pinned: SquareSet  # the pieces of the side that are pinned

    def pin_ray(self, where: Square) -> SquareSet:
        """The ray on which the pinned piece on this square may move; empty if it is not pinned."""
        from ._core import pin_ray

        return pin_ray(self, where)

    def pinner(self, where: Square) -> Optional[int]:
        """The square of the piece that pins the one on this square; None if it is not pinned."""
        from ._core import pinner

        return pinner(self, where)


class TablebaseMove(NamedTuple):
    """A legal move and what it is worth to the side that makes it."""

    move: Move
    wdl: TablebaseResult  # counted with the halfmove clock and repetitions
    dtz: Optional[int]  # plies from before the move, as Tablebase.probe_dtz; None without DTZ tables
    rank: int  # the higher, the better: from -262144, a certain loss, to 262144, a certain win


class TablebaseTable(NamedTuple):
    """A table of a Tablebase."""

    name: str  # the ending, such as "KQvKR"
    kind: Literal["wdl", "dtz"]
    piece_count: int
    size: int  # in bytes
    path: Optional[str]  # None for one in memory
    error: Error  # OK unless it was found to be damaged
    reason: Optional[str]  # what is wrong with it


class BookMove(NamedTuple):
    """A legal move that a Book has in a position."""

    move: Move
    weight: int  # how good or how frequent it is; 0: do not play it
    learn: int  # for programs that learn


class BookEntry(NamedTuple):
    """An entry of a Book as its file has it."""

    key: int  # of the position
    raw_move: int  # the code of the move, 16 bits
    weight: int  # 16 bits
    learn: int = 0  # 32 bits

    @classmethod
    def make(
        cls,
        position: Union[Position, Game],
        move: Union[Move, str, int],
        weight: int,
        learn: int = 0,
        *,
        en_passant: Union[Square, Move, None] = None,
    ) -> BookEntry:
        """The entry for a legal move. `en_passant` is as in Book.find_all."""
        from ._core import book_entry

        return book_entry(position, move, weight, learn, en_passant)


# --- Errors ----------------------------------------------------------------------------


class LuftError(ValueError):
    """What the library refuses. `name` is the name of the error, such as "MOVE_ILLEGAL"; `code` is its number.

    `status` says everything that is wrong with a position that was refused.
    """

    code: Error
    name: str
    detail: str
    status: Status

    def __init__(self, code: int, detail: str = "", status: int = 0) -> None:
        from ._core import error_string

        self.code = Error(code)
        self.name = self.code.name
        self.detail = detail
        self.status = Status(status)
        words = error_string(code)
        if detail:  # that of END says what is missing
            words = detail if self.code == Error.END else f"{words}: {detail}"
        super().__init__(words)

    def __reduce__(self) -> tuple[type[LuftError], tuple[int, str, int], dict[str, object]]:
        # By default an exception is rebuilt from its message, which is not what __init__ takes.
        return type(self), (int(self.code), self.detail, int(self.status)), self.__dict__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LuftError) or type(other) is not type(self):
            return NotImplemented
        return (self.code, self.detail, self.status) == (other.code, other.detail, other.status)

    def __hash__(self) -> int:
        return hash((self.code, self.detail, self.status))


class MissingTableError(LuftError, KeyError):
    """A Tablebase has no table for a position, or not all that the probe needs. Its `name` is "MISSING"."""

    def __str__(self) -> str:
        return ValueError.__str__(self)  # KeyError would put the message in quotes


# --- Squares and letters -----------------------------------------------------------------

SQUARE_NAMES = [file + rank for rank in "87654321" for file in "abcdefgh"]
"""The names of the squares in their order, a8, b8 ... h1."""

SQUARES = range(64)
FILE_NAMES = list("abcdefgh")
RANK_NAMES = list("12345678")

_PIECES = ".PNBRQK..pnbrqk"  # by luft_piece


def _name(number: int) -> str:
    from ._core import square_name

    return square_name(number)


def squares(bitboard: Union[int, SquareSet]) -> list[int]:
    """The squares of a set, in their order: bit n stands for square n."""
    from ._core import Move, Position, SquareSet

    return list(SquareSet(bitboard))


def file_letter(number: int) -> str:
    """The letter of a square's file: file_letter(36) is "e"."""
    return _name(number)[0]


def rank_digit(number: int) -> str:
    """The digit of a square's rank: rank_digit(36) is "4"."""
    return _name(number)[1]


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
        raise ValueError(f"not a piece: {number!r}")
    return _PIECES[number]


def piece_from_letter(letter: str) -> int:
    """The luft_piece with this letter: its type from 1 for a pawn to 6 for a king, plus 8 if it is black."""
    if len(letter) != 1 or letter not in _PIECES or letter == ".":
        raise ValueError(f"not a piece: {letter!r}")
    return _PIECES.index(letter)
