# SPDX-License-Identifier: MIT
"""Luft in Python: the rules of chess, SAN, games, EPD and PGN at the speed of C.

    >>> import luft
    >>> position = luft.Position().play("e4").play("c5")
    >>> position.opening.name
    'Sicilian Defense'

Positions and moves are immutable values. PgnTree is a game with variations and comments; Engine searches for the best
move; Tablebase has the results of endgames, Book the moves of openings, Database many games with statistics. For many
positions or games there are batches: Positions, and PgnReader.batches, which return flat arrays that NumPy can wrap
without a copy.

Squares are numbers, a8 = 0, b8 = 1 ... h1 = 63, as in the C library; luft.A8 ... luft.H1 are their names.

Threads: positions, moves, batches, tablebases and books may be shared freely. Short calls hold Python's global lock and
are therefore atomic, those on a Game too; perft, the batches, searches, probes of tables and the work of a Database let
other threads run meanwhile. A PgnReader and a Database serve one thread at a time and have their own locks for that. An Engine does one
thing at a time.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):
    raise ImportError("luft needs Python 3.11 or newer")

from . import svg
from ._batch import Positions
from ._book import Book
from ._core import (
    Game, Move, PgnNode, PgnTree, Position, SquareSet, can_cut_pgn, fen_en_passant, square, square_file, square_name,
    square_rank, version,
)  # fmt: skip
from ._database import AddedGames, Database, DatabaseInfo, Match, MoveStatistics, PositionStatistics
from ._engine import AsyncEngine, Clock, Engine
from ._epd import Epd, Word, format_epd
from ._pgn import PgnBatch, PgnGame, PgnReader, PgnTreeReader, Tags, format_pgn, read_pgn, read_pgn_trees
from ._setup import Setup
from ._tablebase import Tablebase
from ._types import (
    FILE_NAMES, RANK_NAMES, SQUARES, SQUARE_NAMES, START_FEN, Analysis, AnalysisLine, Author, BookEntry, BookMove, Bound,
    Claim, Color, Comment, Error, KeyPair, KingConstraints, LuftError, MissingTableError, Opening, Outcome, PgnError,
    Piece, PieceType, Planes, Score, Status, TablebaseMove, TablebaseResult, TablebaseTable, Termination, Wdl,
    file_from_letter, file_letter, piece_from_letter, piece_letter, rank_digit, rank_from_digit, squares,
)  # fmt: skip

WHITE, BLACK = Color.WHITE, Color.BLACK
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = (
    PieceType.PAWN, PieceType.KNIGHT, PieceType.BISHOP, PieceType.ROOK, PieceType.QUEEN, PieceType.KING,
)  # fmt: skip

A8, B8, C8, D8, E8, F8, G8, H8 = 0, 1, 2, 3, 4, 5, 6, 7
A7, B7, C7, D7, E7, F7, G7, H7 = 8, 9, 10, 11, 12, 13, 14, 15
A6, B6, C6, D6, E6, F6, G6, H6 = 16, 17, 18, 19, 20, 21, 22, 23
A5, B5, C5, D5, E5, F5, G5, H5 = 24, 25, 26, 27, 28, 29, 30, 31
A4, B4, C4, D4, E4, F4, G4, H4 = 32, 33, 34, 35, 36, 37, 38, 39
A3, B3, C3, D3, E3, F3, G3, H3 = 40, 41, 42, 43, 44, 45, 46, 47
A2, B2, C2, D2, E2, F2, G2, H2 = 48, 49, 50, 51, 52, 53, 54, 55
A1, B1, C1, D1, E1, F1, G1, H1 = 56, 57, 58, 59, 60, 61, 62, 63

__version__ = version
"""The version of the library, such as "0.2.0"."""

__all__ = [
    "AddedGames", "Analysis", "AnalysisLine", "AsyncEngine", "Author", "BISHOP", "BLACK", "Book", "BookEntry",
    "BookMove", "Bound", "Claim", "Clock", "Color", "Comment", "Database", "DatabaseInfo", "Engine", "Epd", "Error",
    "FILE_NAMES", "Game", "KING", "KNIGHT", "KeyPair", "KingConstraints", "LuftError", "Match", "MissingTableError",
    "Move", "MoveStatistics", "Opening", "Outcome", "PAWN", "PgnBatch", "PgnError", "PgnGame", "PgnNode", "PgnReader",
    "PgnTree", "PgnTreeReader", "Piece", "PieceType", "Planes", "Position", "PositionStatistics", "Positions", "QUEEN",
    "RANK_NAMES", "ROOK", "SQUARES", "SQUARE_NAMES", "START_FEN", "Score", "Setup", "SquareSet", "Status", "Tablebase",
    "TablebaseMove", "TablebaseResult", "TablebaseTable", "Tags", "Termination", "WHITE", "Wdl", "Word", "can_cut_pgn",
    "fen_en_passant", "file_from_letter", "file_letter", "format_epd", "format_pgn", "piece_from_letter",
    "piece_letter", "rank_digit", "rank_from_digit", "read_pgn", "read_pgn_trees", "square", "square_file",
    "square_name", "square_rank", "squares", "svg", "version",
    "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8",
    "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8",
    "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8",
    "G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8",
]  # fmt: skip

# Users know these classes by the package, in messages and in pickles too.
for _item in list(vars().values()):
    if isinstance(_item, type) and _item.__module__.startswith("luft._"):
        _item.__module__ = "luft"
del _item
