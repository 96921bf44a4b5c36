# SPDX-License-Identifier: MIT
"""Tests of the Python package, with the standard library alone:

    make python && PYTHONPATH=build/python python3 tests/python/test_luft.py

Most are properties over random games. What Python says about the C library is compared with its headers, and the
examples of docs/python.md and docs/coming-from-python-chess.md are run.
"""

import asyncio
import concurrent.futures
import copy
import doctest
import gc
import gzip
import io
import itertools
import multiprocessing
import operator
import os
import pathlib
import pickle
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import tracemalloc
import unittest
import weakref
from array import array
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "build" / "python"))

import luft  # noqa: E402
from luft import (  # noqa: E402
    BLACK, WHITE, Author, Bound, Claim, Color, Engine, Error, Game, LuftError, Move, PgnTree, Piece, PieceType, Position, Positions, Setup, SquareSet, Status,
    Termination, TablebaseResult,
)  # fmt: skip
from luft import _pgn  # noqa: E402

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
BARE_KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
COMPILER = shutil.which("cc")


def random_positions(games=6, plies=80, seed=1):
    """The positions of random games, from the standard start and from Chess960 ones in turn."""
    source = random.Random(seed)
    for number in range(games):
        position = Position.chess960(source.randrange(960)) if number % 2 else Position()
        for _ in range(plies):
            yield position
            moves = position.legal_moves
            if not moves:
                break
            position = position.play(source.choice(moves))


class TestCase(unittest.TestCase):
    def refuses(self, name, function, *arguments):
        with self.assertRaises(LuftError) as caught:
            function(*arguments)
        self.assertEqual(caught.exception.name, name)
        self.assertEqual(caught.exception.code, Error[name])
        return str(caught.exception)


# --- What Python says about the C library ------------------------------------------


class Headers(TestCase):
    @classmethod
    def setUpClass(cls):
        text = "".join(path.read_text() for path in sorted((ROOT / "include" / "luft").glob("*.h")))
        cls.text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)

    def enumerators(self, name):
        body = re.search(rf"typedef enum {name} {{(.*?)}} {name};", self.text, re.S).group(1)
        return [entry.split("=")[0].strip() for entry in body.split(",") if entry.strip()]

    def test_codes_are_those_of_the_headers(self):
        codes = [f"LUFT_ERROR_{error.name}" if error else "LUFT_OK" for error in Error]
        self.assertEqual(self.enumerators("luft_error"), [*codes, "LUFT_ERROR_COUNT"])
        self.assertEqual(self.enumerators("luft_termination"), [f"LUFT_{entry.name}" for entry in Termination])
        claims = [Claim.NONE, Claim.THREEFOLD_REPETITION, Claim.FIFTY_MOVE_RULE]
        self.assertEqual(self.enumerators("luft_claim"), [f"LUFT_CLAIM_{claim.name}" for claim in claims])
        self.assertEqual([int(claim) for claim in claims], [0, 1, 2])
        statuses = [Status.VALID, *Status]
        self.assertEqual(self.enumerators("luft_status"), [f"LUFT_STATUS_{entry.name}" for entry in statuses])
        self.assertEqual([int(entry) for entry in statuses], [0, *(1 << bit for bit in range(len(statuses) - 1))])
        types = [f"LUFT_{entry.name}" for entry in PieceType]
        self.assertEqual(self.enumerators("luft_piece_type"), ["LUFT_NO_PIECE_TYPE", *types])
        pieces = [f"LUFT_{entry.name}" for entry in Piece]
        self.assertEqual(self.enumerators("luft_piece"), ["LUFT_NO_PIECE", *pieces])
        squares = [f"LUFT_{name.upper()}" for name in luft.SQUARE_NAMES]
        self.assertEqual(self.enumerators("luft_square"), [*squares, "LUFT_NO_SQUARE"])
        self.assertEqual(len(self.enumerators("luft_result")), len(_pgn._RESULTS))
        self.assertEqual(self.enumerators("luft_engine_bound"), [f"LUFT_ENGINE_{entry.name}" for entry in Bound])
        self.assertEqual(self.enumerators("luft_wdl"), [f"LUFT_WDL_{entry.name}" for entry in TablebaseResult])
        self.assertEqual([int(entry) for entry in TablebaseResult], [-2, -1, 0, 1, 2])
        self.assertEqual(self.enumerators("luft_pgn_author"), [f"LUFT_PGN_{entry.name}" for entry in Author])
        version = re.findall(r"#define LUFT_VERSION_M\w+ (\d+)", self.text)
        self.assertEqual(luft.version.split(".")[:2], version)

    @unittest.skipUnless(COMPILER, "no C compiler")
    def test_structs_are_laid_out_as_in_c(self):
        record = ["start", "first_move", "first_text", "number", "line", "error_line", "error_column", "move_count",
                  "text_length", "tag_count", "result", "error"]  # fmt: skip
        offsets = [0, *range(96, 144, 8), 144, 148, 152, 156, 158]
        numbers = ["sizeof(luft_position)", "sizeof(luft_error)", "sizeof(luft_batch_game)"]
        numbers += [f"offsetof(luft_batch_game, {field})" for field in record]
        expected = [96, 4, _pgn._GAME.size, *offsets]
        lines = "".join(f'printf("%zu\\n", {number});' for number in numbers)
        program = f"#include <stdio.h>\n#include <luft/luft.h>\nint main(void) {{ {lines} return 0; }}"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sizes")
            command = [COMPILER, "-std=c17", "-I", str(ROOT / "include"), "-x", "c", "-", "-o", path]
            subprocess.run(command, input=program.encode(), check=True)
            actual = [int(line) for line in subprocess.run([path], capture_output=True, check=True).stdout.split()]
        self.assertEqual(dict(zip(numbers, actual)), dict(zip(numbers, expected)))


# --- Positions and moves ------------------------------------------------------------


# --- Squares and sets of squares ----------------------------------------------------


class SquareSets(TestCase):
    def test_a_set_is_that_of_python(self):
        source = random.Random(7)
        for _ in range(300):
            one, two = (frozenset(source.sample(range(64), source.randrange(64))) for _ in range(2))
            a, b = SquareSet(one), SquareSet(sum(1 << number for number in two))
            self.assertEqual((list(a), len(b), bool(a)), (sorted(one), len(two), bool(one)))
            for made, expected in ((a | b, one | two), (a & b, one & two), (a ^ b, one ^ two), (a - b, one - two)):
                self.assertEqual((frozenset(made), type(made)), (expected, SquareSet))
            self.assertEqual(frozenset(~a), frozenset(range(64)) - one)
            self.assertEqual((a <= b, a < b, a == b, a >= b, a > b), (one <= two, one < two, one == two, one >= two, one > two))
            self.assertEqual(a.isdisjoint(b), one.isdisjoint(two))
            self.assertEqual([number in a for number in range(64)], [number in one for number in range(64)])
            self.assertEqual((SquareSet(int(a)), hash(SquareSet(int(a)))), (a, hash(a)))
            self.assertEqual((a | int(b), int(a) & b), (a | b, a & b))
            self.assertEqual(eval(repr(a)), a)
        self.assertEqual(SquareSet(["e4", "a8", luft.H1]), 1 | 1 << 36 | 1 << 63)
        self.assertIn("e4", SquareSet(["e4"]))
        self.assertNotIn(64, SquareSet(2**64 - 1))
        self.assertEqual(str(SquareSet(["b7"])).splitlines()[1], "7 . 1 . . . . . .")

    def test_what_is_refused(self):
        for bad in (-1, 2**64, [64], [-1], ["e9"]):
            self.assertRaises(ValueError, SquareSet, bad)
        for bad in (None, 1.5, [None]):
            self.assertRaises(TypeError, SquareSet, bad)
        self.assertRaises(TypeError, lambda: SquareSet() | None)
        self.assertRaises(ValueError, lambda: SquareSet() | -1)
        self.assertFalse(SquareSet() == -1 or SquareSet() == 2**64 or SquareSet() == "")

    def test_every_square_has_its_name(self):
        for name in luft.SQUARE_NAMES:
            self.assertEqual(getattr(luft, name.upper()), luft.square(name))
        self.assertEqual((luft.square_file(luft.C2), luft.square_rank(luft.C2)), (2, 1))


class Boards(TestCase):
    def test_attacks_and_attackers_are_two_views_of_the_same(self):
        for position in random_positions(games=4, plies=50, seed=8):
            pieces = position.piece_map()
            attacks = {where: position.attacks(where) for where in range(64)}
            self.assertEqual([where for where in attacks if attacks[where]], [w for w in pieces if attacks[w]])
            for color in luft.Color:
                own = [where for where, piece in pieces.items() if piece.color == color]
                for where in range(64):
                    found = position.attackers(color, where)
                    self.assertEqual(list(found), [one for one in own if where in attacks[one]])
                    self.assertEqual(position.is_attacked_by(color, where), bool(found))
            self.assertEqual(position.checkers, position.attackers(1 - position.turn, position.king(position.turn)))
            # Every capture but one en passant goes to an attacked square.
            for move in position.legal_moves:
                if move.is_capture and not move.is_en_passant:
                    self.assertIn(move.from_square, position.attackers(position.turn, move.to_square))
        position = Position("4k3/8/8/8/4r3/8/4P3/4K3 w - - 0 1")
        self.assertEqual(position.attackers(BLACK, "e2"), SquareSet(["e4"]))
        self.assertEqual(position.attackers(BLACK, luft.E1), SquareSet())
        self.assertEqual(position.attackers(BLACK, "e1", SquareSet(["e4"])), SquareSet(["e4"]))
        self.assertEqual(position.attacks("e2"), SquareSet(["d3", "f3"]))
        self.refuses("ARGUMENT", position.attackers, WHITE, 64)
        self.refuses("ARGUMENT", position.attackers, 2, 0)
        self.assertRaises(TypeError, position.attackers, WHITE)

    def test_pins(self):
        position = Position("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1")
        self.assertEqual(position.pin(WHITE, "e2"), SquareSet(["e2", "e3", "e4"]))
        self.assertTrue(position.is_pinned(WHITE, "e2"))
        self.assertEqual(position.pin(WHITE, "e1"), ~SquareSet())
        self.assertFalse(position.is_pinned(WHITE, "e1") or position.is_pinned(BLACK, "e4"))

    def test_the_piece_map(self):
        for position in random_positions(games=4, plies=40, seed=9):
            pieces = position.piece_map()
            self.assertEqual(pieces, {w: position.piece_at(w) for w in range(64) if position.piece_at(w)})
            self.assertEqual(SquareSet(pieces), position.occupied)
            for color in luft.Color:
                for kind in PieceType:
                    squares = [w for w, piece in pieces.items() if (piece.color, piece.piece_type) == (color, kind)]
                    self.assertEqual(list(position.pieces(kind, color)), sorted(squares))
                self.assertEqual(pieces[position.king(color)].piece_type, luft.KING)
            rows = [line[2:].split() for line in str(position).splitlines()[:8]]
            self.assertEqual({w: rows[w // 8][w % 8] for w in range(64) if rows[w // 8][w % 8] != "."}, pieces)
        self.assertEqual(Position().piece_at("e1"), Piece.WHITE_KING)
        self.refuses("ARGUMENT", Position().pieces, 7, WHITE)

    def test_castling_rights(self):
        for fen, kingside, queenside, rooks in (
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", (True, True), (True, True), ["a8", "h8", "a1", "h1"]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w Kq -", (True, False), (False, True), ["a8", "h1"]),
            ("1r1k1r2/8/8/8/8/8/8/1R1K1R2 w Bf -", (False, True), (True, False), ["f8", "b1"]),
        ):
            position = Position(fen)
            self.assertEqual(tuple(map(position.has_kingside_castling_rights, luft.Color)), kingside)
            self.assertEqual(tuple(map(position.has_queenside_castling_rights, luft.Color)), queenside)
            self.assertEqual(position.castling_rights, SquareSet(rooks))
            self.assertTrue(position.has_castling_rights(WHITE) and position.has_castling_rights(BLACK))
        self.assertFalse(Position(BARE_KINGS).has_castling_rights(WHITE))

    def test_a_setup_is_the_position_it_came_from(self):
        for position in random_positions(games=4, plies=40, seed=10):
            setup = position.setup()
            self.assertEqual((setup.position, setup.status, setup.is_valid), (position, Status.VALID, True))
            self.assertEqual(setup.piece_map(), position.piece_map())
        self.assertEqual(Position().status, Status.VALID)

    def test_editing(self):
        setup = Position().setup()
        setup.set_piece_at("e4", setup.remove_piece_at("e2"))
        setup.turn, setup.halfmove_clock, setup.fullmove_number = BLACK, 0, 1
        self.assertEqual(setup.position, Position().play("e4"))
        self.assertIsNone(setup.piece_at("e2"))
        setup.castling_rights -= SquareSet(["h1"])
        self.assertEqual(setup.position.fen.split()[2], "Qkq")
        setup.set_piece_at("a1", None)
        self.assertEqual(setup.status, Status.BAD_CASTLING)
        other = Setup()
        other.set_piece_map({luft.E1: "K", luft.E8: Piece.BLACK_KING})
        self.assertEqual(other.position, Position(BARE_KINGS))
        self.assertEqual(other.copy(), other)
        other.clear()
        self.assertEqual(other.piece_map(), {})
        self.assertRaises(ValueError, other.set_piece_at, "e9", "K")
        self.assertRaises(ValueError, other.set_piece_at, 64, "K")
        self.assertRaises(ValueError, other.set_piece_at, "e4", "X")
        self.assertRaises(ValueError, other.piece_at, -1)

    def test_all_that_is_wrong_is_said(self):
        self.assertEqual(Setup().status, Status.NO_WHITE_KING | Status.NO_BLACK_KING)
        with self.assertRaises(LuftError) as caught:
            Setup().position
        self.assertEqual((caught.exception.name, caught.exception.status), ("POSITION", Setup().status))
        with self.assertRaises(LuftError) as caught:
            Position("kk6/8/8/8/8/8/8/P7 w - - 0 1")
        self.assertLessEqual(Status.NO_WHITE_KING | Status.PAWN_ON_BACK_RANK, caught.exception.status)
        with self.assertRaises(LuftError) as caught:
            Position("nonsense")
        self.assertEqual(caught.exception.status, Status.VALID)
        setup = Position(BARE_KINGS).setup()
        for name, bad, status in (
            ("halfmove_clock", -1, Status.BAD_COUNTER),
            ("halfmove_clock", 65536, Status.BAD_COUNTER),
            ("fullmove_number", 0, Status.BAD_COUNTER),
            ("en_passant", luft.E3, Status.BAD_EN_PASSANT),
            ("castling_rights", SquareSet(["h1"]), Status.BAD_CASTLING),
            ("turn", 2, Status.BAD_SIDE),
        ):
            changed = setup.copy()
            setattr(changed, name, bad)
            self.assertEqual(changed.status, status)
        for square in luft.SQUARES:
            setup.set_piece_at(square, "Q")
        self.assertLessEqual(Status.TOO_MANY_WHITE_PIECES, setup.status)

    def test_positions_that_no_game_leads_to_can_be_played(self):
        for fen, status in (
            ("4k3/8/8/8/8/5n2/2n5/r3K3 w - - 0 1", Status.TOO_MANY_CHECKERS),
            ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", Status.IMPOSSIBLE_CHECK),
            ("4k3/8/8/8/8/8/8/r3K2r w - - 0 1", Status.IMPOSSIBLE_CHECK),
            ("4k3/4r3/8/8/8/8/8/4K3 w - - 0 1", Status.VALID),
        ):
            position = Position(fen)
            self.assertEqual(position.status & status, status)
            setup = position.setup()
            self.assertEqual((setup.status, setup.is_valid, setup.position), (position.status, True, position))

    def test_who_cannot_mate(self):
        for board, cannot in (
            ("4k3/8/8/8/8/8/8/4K3", (True, True)),
            ("4k3/8/8/8/8/8/8/R3K3", (False, True)),
            ("4k3/8/8/8/8/8/8/N3K3", (True, True)),
            ("4k3/7p/8/8/8/8/8/N3K3", (False, False)),
            ("4kq2/8/8/8/8/8/8/N3K3", (True, False)),
            ("4k3/8/8/8/8/8/8/B3K2B", (False, True)),
        ):
            position = Position(f"{board} w - - 0 1")
            self.assertEqual(tuple(map(position.has_insufficient_material, luft.Color)), cannot)
            self.assertEqual(position.is_insufficient_material, all(cannot))
        self.refuses("ARGUMENT", Position().has_insufficient_material, 2)
        self.assertRaises(TypeError, Position().has_insufficient_material, None)


class Values(TestCase):
    def test_fen_compact_and_pickle_round_trip(self):
        for position in random_positions():
            for other in (
                Position(position.fen),
                Position(position.shredder_fen),
                Position.from_compact(position.compact),
                Position.from_planes(position.planes),
                pickle.loads(pickle.dumps(position)),
                copy.deepcopy(position),
                position.flip().flip(),
            ):
                self.assertEqual(other, position)
                self.assertEqual(hash(other), hash(position))
                self.assertEqual(other.key, position.key)

    def test_planes_are_those_of_the_pieces(self):
        for position in random_positions(games=4):
            planes = position.planes
            seen = {}
            for name in luft.SQUARE_NAMES:
                rank = int(name[1]) if position.turn == WHITE else 9 - int(name[1])
                bit = (8 - rank) * 8 + "hgfedcba".index(name[0])
                code = sum((plane >> bit & 1) << digit for digit, plane in enumerate(planes.types))
                if planes.us >> bit & 1:
                    seen[name] = (code, position.turn)
                if planes.them >> bit & 1:
                    seen[name] = (code, 1 - position.turn)
                if planes.en_passant == bit:
                    self.assertEqual(position.en_passant, luft.square(name))
            letters = {name: position.piece_at(luft.square(name)) for name in luft.SQUARE_NAMES}
            expected = {
                name: (".pnbrqk".index(letter.lower()), WHITE if letter.isupper() else BLACK)
                for name, letter in letters.items()
                if letter
            }
            self.assertEqual(seen, expected)
            self.assertEqual(planes.en_passant is None, position.en_passant is None)
            self.assertEqual(planes._replace(turn=1 - planes.turn), position.flip().planes)

    def test_bad_planes_are_refused(self):
        planes = Position(KIWIPETE).planes
        for changes in (
            {"types": (0, 0, 0)},
            {"types": planes.types[:2]},
            {"types": (planes.types[0] | 1 << 32, planes.types[1] | 1 << 32, planes.types[2] | 1 << 32)},
            {"us": planes.us | planes.them},
            {"us": planes.us | 1 << 64},
            {"them": planes.them - 2**64},
            {"castling": planes.castling | 1 << 64},
            {"en_passant": 16},
            {"en_passant": 64},
            {"en_passant": 256 + 64},
            {"en_passant": -192},
            {"turn": 2},
            {"turn": 256},
            {"halfmove_clock": -1},
            {"halfmove_clock": 65536},
            {"fullmove_number": 0},
            {"fullmove_number": 65537},
        ):
            self.refuses("POSITION", Position.from_planes, planes._replace(**changes))
        self.assertEqual(Position.from_planes(planes), Position(KIWIPETE))

    def test_positions_are_equal_with_their_counters(self):
        start = Position()
        self.assertEqual(start, Position(luft.START_FEN))
        self.assertNotEqual(start, Position(luft.START_FEN.replace("0 1", "0 2")))
        self.assertNotEqual(start, luft.START_FEN)
        self.assertEqual(len({start, Position(), start.play("e4")}), 2)

    def test_positions_do_not_change(self):
        position = Position(KIWIPETE)
        before = position.compact
        for move in position.legal_moves:
            position.play(move)
        self.assertEqual(position.compact, before)
        for name in ("fen", "turn", "halfmove_clock", "something_new"):
            with self.assertRaises(AttributeError):
                setattr(position, name, 1)

    def test_questions(self):
        position = Position("4k3/4r3/8/8/Pp6/8/4R3/4K3 b - a3 0 7")
        self.assertEqual(position.turn, BLACK)
        self.assertEqual(position.fullmove_number, 7)
        self.assertEqual(position.halfmove_clock, 0)
        self.assertEqual(position.en_passant, luft.square("a3"))
        self.assertEqual(position.piece_at(luft.square("e7")), "r")
        self.assertEqual(position.piece_at(luft.square("e1")), "K")
        self.assertIsNone(position.piece_at(luft.square("e4")))
        for beyond in (64, -1, 2**32 + luft.square("e1"), -(2**32) + 4, 2**80):
            for question in (position.piece_at, position.attacks, luft.square_name):
                with self.assertRaisesRegex(ValueError, f"^not a square: {beyond}$"):
                    question(beyond)
        for question, most in ((position.pin, 2), (position.is_pinned, 2), (position.is_attacked_by, 2), (position.attackers, 3),
                               (position.pieces, 2), (position.king_constraints, 1)):  # fmt: skip
            question(*(BLACK, 1, None)[:most])
            with self.assertRaisesRegex(TypeError, "takes"):
                question(*(BLACK, 1, None)[:most], None)
        self.assertFalse(position.is_check)
        self.assertTrue(position.play("Rxe2+").is_check)
        self.assertTrue(position.gives_check("e7e2"))
        self.assertFalse(position.gives_check("b3"))
        self.assertEqual(position.pass_turn().turn, WHITE)
        self.assertIsNone(Position().en_passant)

    def test_the_two_keys_swap(self):
        for position in random_positions(games=4):
            self.assertEqual(position.keys.own, position.key)
            self.assertEqual(position.flip().keys, position.keys)
            if not position.is_check and position.en_passant is None:
                self.assertEqual(position.pass_turn().keys, position.keys[::-1])
        # A knight's move changes the pair by the two constants of each view, and the move back by the same.
        there = Position(BARE_KINGS.replace("4K3", "4K1N1"))
        back = there.play("Nf3").pass_turn().play("Ng1").pass_turn()
        self.assertEqual(back.keys, there.keys)

    def test_checks_and_pins(self):
        # The bishop on c4 and the knight on g4 are pinned along the fourth rank, and the knight on d2 gives check.
        position = Position("7k/8/8/8/r1B1K1Nr/8/3n4/8 w - - 0 1")
        found = position.king_constraints()

        def names(bitboard):
            return [luft.square_name(number) for number in luft.squares(bitboard)]

        self.assertEqual((luft.square_name(found.king), found.check_count), ("e4", 1))
        self.assertEqual((names(found.checkers), names(found.check_mask)), (["d2"], ["d2"]))
        self.assertEqual(names(found.pin_orthogonal), ["a4", "b4", "c4", "d4", "f4", "g4", "h4"])
        self.assertEqual((names(found.pin_diagonal), names(found.pinned)), ([], ["c4", "g4"]))
        self.assertEqual(names(found.pin_ray(luft.square("g4"))), ["f4", "g4", "h4"])
        self.assertEqual(found.pinner(luft.square("c4")), luft.square("a4"))
        self.assertEqual((found.pin_ray(luft.square("d4")), found.pinner(luft.square("a4"))), (0, None))
        for beyond in (64, -1, 2**32 + luft.square("g4")):
            self.assertEqual((found.pin_ray(beyond), found.pinner(beyond)), (0, None))
        self.assertEqual(position.king_constraints(BLACK).check_mask, ~SquareSet())
        self.assertEqual(Position("4k3/4r3/8/8/8/5n2/8/4K3 w - - 0 1").king_constraints().check_mask, 0)
        self.refuses("ARGUMENT", position.king_constraints, 2)
        self.refuses("ARGUMENT", position.king_constraints, 2**32)
        # A pinned piece other than the king moves along its ray only, en passant captures included.
        for position in random_positions(games=4):
            found = position.king_constraints()
            self.assertEqual(found.check_count > 0, position.is_check)
            for move in position.legal_moves:
                if move.from_square in found.pinned:
                    self.assertIn(move.to_square, found.pin_ray(move.from_square))

    def test_en_passant_after_every_double_push(self):
        position = Position()
        after = position.play("e4")
        move = position.parse("e4")
        fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq {} 0 1"
        self.assertEqual(move.en_passant_square, luft.square("e3"))
        self.assertIsNone(position.parse("e3").en_passant_square)
        self.assertEqual(after.fen, fen.format("-"))
        self.assertEqual(after.fen_with_en_passant(move), fen.format("e3"))
        self.assertEqual(after.fen_with_en_passant(luft.square("e3")), fen.format("e3"))
        self.assertEqual(after.fen_with_en_passant(move, shredder=True), fen.replace("KQkq", "HAha").format("e3"))
        self.assertEqual(after.fen_with_en_passant(None), after.fen)
        self.assertEqual(luft.fen_en_passant(fen.format("e3")), luft.square("e3"))
        self.assertIsNone(luft.fen_en_passant(fen.format("-")))
        for wrong in (luft.square("d3"), luft.square("e4"), -1, 64, 2**32 + luft.square("e3")):
            self.refuses("ARGUMENT", after.fen_with_en_passant, wrong)
        self.refuses("FEN_BOARD", luft.fen_en_passant, "nonsense w - -")
        self.assertEqual(Position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").en_passant_pawn, luft.square("d5"))
        self.assertEqual(Position("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1").en_passant_pawn, luft.square("d4"))
        self.assertIsNone(after.en_passant_pawn)

    def test_the_diagram(self):
        rows = str(Position("4k3/8/8/8/8/8/PP6/R3K3 w Q - 0 1")).splitlines()
        self.assertEqual([rows[0], rows[6], rows[7], rows[8]],
                         ["8 . . . . k . . .", "2 P P . . . . . .", "1 R . . . K . . .", "  a b c d e f g h"])  # fmt: skip
        self.assertEqual(len(rows), 9)

    def test_squares(self):
        self.assertEqual([luft.square(name) for name in ("a8", "h8", "e4", "h1")], [0, 7, 36, 63])
        self.assertEqual([luft.square_name(luft.square(name)) for name in luft.SQUARE_NAMES], luft.SQUARE_NAMES)
        for bad in ("e9", "", "e", "i1"):
            self.assertRaises(ValueError, luft.square, bad)
        self.assertRaises(ValueError, luft.square_name, 64)
        self.assertRaises(ValueError, luft.square_name, -1)

    def test_text_of_files_ranks_and_pieces(self):
        for number, name in enumerate(luft.SQUARE_NAMES):
            self.assertEqual(luft.file_letter(number) + luft.rank_digit(number), name)
            self.assertEqual((luft.file_from_letter(name[0]), luft.rank_from_digit(name[1])), (number % 8, 7 - number // 8))
            self.assertEqual((luft.square_file(number), luft.square_rank(number)), (number % 8, 7 - number // 8))
        letters = {1: "P", 2: "N", 3: "B", 4: "R", 5: "Q", 6: "K", 9: "p", 10: "n", 11: "b", 12: "r", 13: "q", 14: "k"}
        for number, letter in letters.items():
            self.assertEqual((luft.piece_letter(number), luft.piece_from_letter(letter)), (letter, number))
        self.assertEqual(luft.squares(1 | 1 << 36 | 1 << 63), [0, 36, 63])
        for bad in (0, 7, 8, 15, -1):
            self.assertRaises(ValueError, luft.piece_letter, bad)
        for bad in ("", ".", "x", "PN"):
            self.assertRaises(ValueError, luft.piece_from_letter, bad)
        for bad in ("", "i", "A", "ab"):
            self.assertRaises(ValueError, luft.file_from_letter, bad)
        for bad in ("", "0", "9", "12"):
            self.assertRaises(ValueError, luft.rank_from_digit, bad)
        for function in (luft.file_letter, luft.rank_digit):
            self.assertRaises(ValueError, function, 64)

    def test_chess960_number_518_is_standard(self):
        self.assertEqual(Position.chess960(518), Position())
        self.assertEqual(len({Position.chess960(number) for number in range(960)}), 960)
        for number in (960, -1, 2**32, 2**32 + 518, -(2**32), 2**64):
            self.refuses("ARGUMENT", Position.chess960, number)

    def test_bad_positions_are_refused(self):
        self.refuses("FEN_FIELDS", Position, "")
        self.assertIn("byte", self.refuses("FEN_BOARD", Position, "nonsense w - - 0 1"))
        self.refuses("POSITION", Position, "8/8/8/8/8/8/8/8 w - - 0 1")
        self.refuses("FEN_BOARD", Position, "\ud800\u2654 w - -")
        self.refuses("COMPACT", Position.from_compact, b"")
        self.refuses("COMPACT", Position.from_compact, bytes(48))
        self.assertRaises(TypeError, Position, 5)
        self.assertRaises(TypeError, Position, b"")
        self.assertTrue(issubclass(LuftError, ValueError))

    def test_long_text_is_cut_in_messages(self):
        long = "x" * 10**6
        for function in (Position, luft.Epd, Position().parse, Position().parse_san, Move.from_uci, luft.square, Game().play):
            with self.assertRaises(ValueError) as caught:
                function(long)
            self.assertLess(len(str(caught.exception)), 500)
            self.assertIn("'xxx", str(caught.exception))
        self.assertIn(" in " + luft.START_FEN, self.refuses("MOVE_SYNTAX", Position().parse, long))

    def test_perft_of_known_positions(self):
        published = {
            luft.START_FEN: [1, 20, 400, 8902, 197281, 4865609],
            KIWIPETE: [1, 48, 2039, 97862, 4085603],
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [1, 14, 191, 2812, 43238, 674624],
        }
        for fen, counts in published.items():
            for depth, count in enumerate(counts):
                self.assertEqual(Position(fen).perft(depth), count)
        self.refuses("ARGUMENT", Position().perft, -1)
        self.refuses("ARGUMENT", Position().perft, 65)

    def test_polyglot_keys_are_those_of_the_format(self):
        position = Position()
        self.assertEqual(position.polyglot_key, 0x463B96181691FC9C)
        for move, key in (("e4", 0x823C9B50FD114196), ("d5", 0x0756B94461C50FB0), ("e5", 0x662FAFB965DB29D4),
                          ("f5", 0x22A48B5A8E47FF78)):  # fmt: skip
            position = position.play(move)
            self.assertEqual(position.polyglot_key, key)

    def test_outcomes_of_positions(self):
        for fen, termination, winner in (
            (luft.START_FEN, Termination.NOT_OVER, None),
            ("R3k3/8/4K3/8/8/8/8/8 b - - 0 1", Termination.CHECKMATE, WHITE),
            ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", Termination.STALEMATE, None),
            (BARE_KINGS, Termination.INSUFFICIENT_MATERIAL, None),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 150 90", Termination.SEVENTY_FIVE_MOVE_RULE, None),
        ):
            outcome = Position(fen).outcome
            self.assertEqual(outcome, (termination, winner))
            self.assertEqual(outcome.is_over, termination != Termination.NOT_OVER)


class Moves(TestCase):
    def test_text_round_trips_for_every_legal_move(self):
        for position in random_positions(games=4, plies=60, seed=2):
            moves = position.legal_moves
            self.assertEqual(len(set(moves)), len(moves))
            self.assertEqual(len(moves), position.perft(1))
            sans = [position.san(move) for move in moves]
            self.assertEqual(len(set(sans)), len(moves))
            for move, san in zip(moves, sans):
                self.assertEqual(position.parse_san(san), move)
                self.assertEqual(position.parse(san), move)
                self.assertEqual(position.parse_uci(move.uci), move)
                self.assertEqual(position.parse_uci(move.uci_chess960), move)
                self.assertEqual(position.play(san), position.play(move))
                self.assertEqual(san[-1] in "+#", position.play(move).is_check)
                self.assertTrue(position.is_legal(move))

    def test_parts_of_a_move(self):
        position = Position("1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1")
        move = position.parse("axb8=N")
        self.assertEqual((move.from_square, move.to_square), (luft.square("a7"), luft.square("b8")))
        self.assertEqual((move.promotion, move.is_capture, move.uci, str(move)), ("n", True, "a7b8n", "a7b8n"))
        self.assertEqual([position.parse(f"a8={letter}").promotion for letter in "NBRQ"], list("nbrq"))
        castling = position.parse("O-O")
        self.assertEqual((castling.uci, castling.uci_chess960), ("e1g1", "e1h1"))
        self.assertTrue(castling.is_castling and not castling.is_capture and castling.promotion is None)
        self.assertEqual(position.parse("0-0-0").to_square, luft.square("a1"))
        passing = Position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").parse("exd6")
        self.assertTrue(passing.is_en_passant and passing.is_capture)
        self.assertEqual(position.san("e1c1"), "O-O-O")
        self.assertEqual(Position().san("Nf3", figurine=True), "\u2658f3")

    def test_moves_are_numbers(self):
        move = Position().parse("e4")
        self.assertIs(Move(int(move)), move)
        self.assertEqual(pickle.loads(pickle.dumps(move)), move)
        self.assertIsInstance(pickle.loads(pickle.dumps(move)), Move)
        self.assertEqual(repr(move), "<Move e2e4>")
        self.assertEqual(Move.NONE.uci, "0000")
        for bad in (-1, 65536):
            self.assertRaises(ValueError, Move, bad)

    def test_moves_without_a_position(self):
        for position in random_positions(games=4, plies=40, seed=11):
            moves = position.legal_moves
            for move in moves:
                bare = Move.from_uci(move.uci)
                self.assertEqual((bare, hash(bare), bare.uci), (move, hash(move), move.uci))
                self.assertEqual((bare.from_square, bare.promotion), (move.from_square, move.promotion))
                self.assertIn(bare, moves)
                self.assertEqual(position.play(bare), position.play(move))
                self.assertEqual((position.san(bare), position.lan(bare)), (position.san(move), position.lan(move)))
                self.assertEqual(position.gives_check(bare), position.gives_check(move))
                self.assertEqual(position.is_capture(bare), move.is_capture)
                self.assertTrue(position.is_legal(bare))
        bare = Move.from_uci("e2e4")
        self.assertIs(Move.from_uci("E2E4"), bare)
        self.assertIsNone(bare.is_capture)
        self.assertIsNone(bare.is_castling)
        self.assertRaises(ValueError, int, bare)
        self.assertFalse(Position(BARE_KINGS).is_legal(bare))
        self.refuses("MOVE_ILLEGAL", Position(BARE_KINGS).play, bare)
        self.assertNotEqual(bare, Move.from_uci("e2e3"))
        self.assertNotEqual(Move.from_uci("e7e8q"), Move.from_uci("e7e8n"))
        self.assertEqual((Move.from_uci("e7e8q").promotion, repr(bare)), ("q", "<Move e2e4>"))
        self.assertIs(Move.from_uci("0000"), Move.NONE)
        self.assertIs(Move.null(), Move.NONE)
        self.assertFalse(Move.NONE)
        for bad in ("", "e2", "e2e9", "e2e2", "e7e8k", "e2e4x", "e2e4qq", "\ud800"):
            self.refuses("MOVE_SYNTAX", Move.from_uci, bad)
        self.assertRaises(TypeError, Move.from_uci, None)

    def test_long_algebraic_notation(self):
        for fen, move, text in (
            (luft.START_FEN, "Nf3", "Ng1-f3"),
            (luft.START_FEN, "e4", "e2-e4"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5xd6"),
            ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+", "a7xb8=Q+"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O", "O-O-O"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Rxa8+", "Ra1xa8+"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8", "Ra1-a8#"),
        ):
            self.assertEqual(Position(fen).lan(move), text)
            self.assertEqual(Position(fen).parse_san(text), Position(fen).parse_san(move))

    def test_plain_answers_and_type_errors(self):
        position, move = Position(), Position().parse("e4")
        self.assertEqual((f"{move:>8}", f"{move}", f"{move:^6}|", "%5s" % move), ("    e2e4", "e2e4", " e2e4 |", " e2e4"))
        self.assertEqual((position.piece_at("e1"), position.piece_at("e4")), ("K", None))
        for bad in (3.5, "e2e4", None, [], position):
            self.assertRaises(TypeError, Move, bad)
        for function in (position.play, position.san, position.lan, position.is_legal, position.gives_check,
                         Game().play, Game().claims_by):  # fmt: skip
            for bad in (None, 3.5, [], position, b"e4"):
                self.assertRaises(TypeError, function, bad)
        for function in (position.piece_at, position.attacks, position.king, position.perft, Position.chess960):
            for bad in (None, 3.5, []):
                self.assertRaises(TypeError, function, bad)
        for bad in (None, 3, move, (">8",)):
            self.assertRaises(TypeError, move.__format__, bad)
        self.assertRaises(ValueError, position.piece_at, "e9")
        self.assertRaises(TypeError, Position, b"fen")
        self.assertRaises(TypeError, Game, 5)
        self.assertRaises(TypeError, Positions, [None])
        self.assertRaises(TypeError, luft.Epd, None)

    def test_what_is_refused(self):
        start, two = Position(), Position("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1")
        self.refuses("MOVE_SYNTAX", start.parse_san, "hello")
        self.refuses("MOVE_SYNTAX", start.parse_san, "")
        self.refuses("MOVE_ILLEGAL", start.parse_san, "Ke2")
        self.refuses("MOVE_AMBIGUOUS", two.parse_san, "Nb3")
        self.refuses("MOVE_SYNTAX", start.parse_uci, "e4")
        self.refuses("MOVE_ILLEGAL", start.parse_uci, "e2e5")
        self.refuses("MOVE_ILLEGAL", start.play, "e2e5")
        for value in (0, 5, 65535, 65536, -1):
            self.assertFalse(start.is_legal(value))
            self.refuses("MOVE_ILLEGAL", start.play, value)
            self.refuses("MOVE_ILLEGAL", start.san, value)
            self.refuses("MOVE_ILLEGAL", start.gives_check, value)
        self.refuses("MOVE_ILLEGAL", Position("4k3/8/8/8/8/8/8/r3K3 w - - 0 1").pass_turn)
        self.assertRaises(TypeError, start.parse_san, 5)

    def test_null_moves_are_read_where_they_are_allowed(self):
        start = Position()
        for text in ("--", "Z0", "0000", "@@@@", "null"):
            self.refuses("MOVE_SYNTAX", start.parse_san, text)
            self.assertIs(start.parse_san(text, null=True), Move.NONE)
        self.assertEqual(start.parse_san("e4", null=True), start.parse_san("e4", null=False))
        in_check = Position("4k3/8/8/8/8/8/8/r3K3 w - - 0 1")
        with self.assertRaises(LuftError) as caught:
            in_check.parse_san("--", null=True)
        self.assertEqual(caught.exception.name, "MOVE_ILLEGAL")
        self.assertRaises(TypeError, start.parse_san)
        self.assertRaises(TypeError, start.parse_san, "e4", True)

    def test_a_bishop_is_no_file(self):
        position = Position("4k3/8/8/8/8/8/3B4/1N2K3 w - - 0 1")
        self.assertEqual(position.parse("b1c3").from_square, luft.square("b1"))
        self.assertEqual(position.parse("Bc3").from_square, luft.square("d2"))


# --- Games ----------------------------------------------------------------------------


class Games(TestCase):
    def test_a_game_is_its_positions(self):
        source, game, positions = random.Random(3), Game(), [Position()]
        for _ in range(200):
            moves = positions[-1].legal_moves
            if not moves:
                break
            move = source.choice(moves)
            game.play(move)
            positions.append(positions[-1].play(move))
            self.assertEqual(game.position, positions[-1])
        self.assertEqual([game.position_at(ply) for ply in range(len(game) + 1)], positions)
        self.assertEqual(len(game.moves), len(positions) - 1)
        replayed = Game()
        replayed.play(*game.sans)
        self.assertEqual(replayed.moves, game.moves)
        for ply in (0, 17, len(game), 3):
            game.go_to(ply)
            self.assertEqual((game.ply, game.position), (ply, positions[ply]))

    def test_undo_and_redo(self):
        game = Game()
        self.refuses("HISTORY", game.undo)
        game.play("e4", "e5")
        self.refuses("HISTORY", game.redo)
        game.undo()
        self.assertEqual((game.ply, len(game), game.sans), (1, 2, ["e4"]))
        game.redo()
        self.assertEqual(game.sans, ["e4", "e5"])
        self.assertRaises(IndexError, game.go_to, 3)
        self.assertEqual(game.ply, 2)
        self.assertRaises(IndexError, game.go_to, -1)
        self.assertRaises(IndexError, game.position_at, 3)
        self.assertRaises(IndexError, game.position_at, -1)
        for ply in (2**64, 2**64 + 1, 2**63):
            self.assertRaises(IndexError, game.go_to, ply)
            self.assertRaises(IndexError, game.position_at, ply)

    def test_a_refused_move_leaves_those_before_it(self):
        game = Game()
        self.refuses("MOVE_ILLEGAL", game.play, "e4", "e4", "e5")
        self.assertEqual(game.sans, ["e4"])
        self.refuses("MOVE_ILLEGAL", game.play, 70000)
        self.refuses("MOVE_SYNTAX", game.play, "?")

    def test_a_copy_is_apart(self):
        game = Game()
        game.play("e4")
        for make in copy.copy, copy.deepcopy:
            other = make(game)
            other.play("e5")
            self.assertEqual((game.sans, other.sans), (["e4"], ["e4", "e5"]))

    def test_outcomes(self):
        game = Game()
        game.play("f3", "e5", "g4")
        self.assertFalse(game.outcome.is_over)
        game.play("Qh4#")
        self.assertEqual(game.outcome, (Termination.CHECKMATE, BLACK))
        self.assertEqual(Game("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1").outcome, (Termination.STALEMATE, None))

    def test_repetition_and_claims(self):
        game, there_and_back = Game(), ["Nf3", "Nf6", "Ng1", "Ng8"]
        game.play(*there_and_back, *there_and_back[:3])
        self.assertEqual((game.repetitions, game.claims), (2, Claim.NONE))
        self.assertEqual(game.claims_by("Ng8"), Claim.THREEFOLD_REPETITION)
        game.play("Ng8")
        self.assertEqual((game.repetitions, game.claims), (3, Claim.THREEFOLD_REPETITION))
        game.play(*there_and_back * 2)
        self.assertEqual(game.outcome, (Termination.FIVEFOLD_REPETITION, None))
        fifty = Game("4k3/8/8/8/8/8/8/R3K3 w - - 100 80")
        self.assertEqual(fifty.claims, Claim.FIFTY_MOVE_RULE)

    def test_en_passant_makes_another_position(self):
        game = Game()
        moves = "e4 Nf6 Qh5 Nxh5 e5 d5 Nf3 Nf6 Ng1 Nh5 Nf3 Nf6 Ng1 Nh5"
        game.play(*moves.split())
        self.assertEqual((game.repetitions, game.claims), (2, Claim.NONE))

    def test_openings(self):
        game = Game()
        self.assertEqual(Position().play("e4").play("c5").opening, ("B20", "Sicilian Defense"))
        game.play("d4", "d5", "c4")
        self.assertEqual((game.opening.eco, game.opening.name), ("D06", "Queen's Gambit"))
        game.play("h5", "h3", "h4")
        self.assertEqual(game.opening.name.split(":")[0].split(" ")[0], "Queen's")
        self.assertIsNone(Position(BARE_KINGS).opening)
        self.assertIsNone(Game(BARE_KINGS).opening)

    def test_handles_are_freed_once(self):
        games = [Game() for _ in range(100)]
        seen = weakref.ref(games[50])
        games[50].copy()
        del games
        gc.collect()
        self.assertIsNone(seen())

    def test_short_calls_are_atomic(self):
        game, failures = Game(), []

        def play_there_and_back():
            try:
                for _ in range(300):
                    game.copy().play("e4", "e5")
                    game.claims, game.outcome, game.position
            except Exception as failure:
                failures.append(failure)

        threads = [threading.Thread(target=play_there_and_back) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


# --- EPD --------------------------------------------------------------------------------


class EpdLines(TestCase):
    LINE = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5 Bc4; acd 3; id "a \\"b\\"; c"; pv Bb5 a6 Ba4;'

    def test_a_line_is_read_and_written(self):
        epd = luft.Epd(self.LINE + "\n")
        self.assertEqual(epd.operations, {"bm": ["Bb5", "Bc4"], "acd": ["3"], "id": ['a "b"; c'], "pv": ["Bb5", "a6", "Ba4"]})
        self.assertEqual([move.uci for move in epd.moves("bm")], ["f1b5", "f1c4"])
        self.assertEqual([move.uci for move in epd.moves("pv")], ["f1b5", "a7a6", "b5a4"])
        self.assertEqual(str(epd), self.LINE)
        self.assertEqual(luft.Epd(str(epd)).operations, epd.operations)

    def test_writing(self):
        position = Position()
        text = luft.format_epd(position, {"bm": position.parse("e4"), "acd": 12, "id": "x y", "c0": ["a", "b"]})
        self.assertEqual(text, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; acd 12; id "x y"; c0 "a" "b";')
        self.assertEqual(luft.Epd(text).moves("bm"), [position.parse("e4")])
        for missing in ("am", "bm\0", "bm\0x"):
            self.refuses("END", luft.Epd(text).moves, missing)
        long = "x" * 5000
        self.assertEqual(luft.Epd(luft.format_epd(position, {"c0": long})).operations["c0"], [long])
        self.refuses("EPD", luft.format_epd, position, {"bm": luft.Word("two words")})
        self.refuses("EPD", luft.format_epd, position, {"": "x"})
        self.refuses("EPD", luft.format_epd, position, {"bm\0x": "x"})
        for bad in (None, [None], True, position, b"e4", {}):
            self.assertRaises(TypeError, luft.format_epd, position, {"bm": bad})
        self.assertEqual(luft.format_epd(position, {"draw": [], "ce": -1.5}).split(" - ")[1], "draw; ce -1.5;")

    def test_the_en_passant_square_of_the_line(self):
        line = "4k3/8/8/3p4/8/8/8/4K3 w - d6"
        epd = luft.Epd(line)
        self.assertIsNone(epd.position.en_passant)
        self.assertEqual(epd.en_passant, luft.square("d6"))
        self.assertEqual(luft.format_epd(epd.position, en_passant=epd.en_passant), line)
        self.assertEqual(luft.format_epd(epd.position), line.replace("d6", "-"))
        self.assertIsNone(luft.Epd(line.replace("d6", "-")).en_passant)
        self.refuses("ARGUMENT", luft.format_epd, epd.position, None, luft.square("e6"))

    def test_what_is_refused(self):
        self.refuses("FEN_BOARD", luft.Epd, "nonsense w - -")
        self.refuses("EPD", luft.Epd, BARE_KINGS[:-4] + ' id "not closed')
        self.refuses("END", luft.Epd(self.LINE).moves, "am")
        self.refuses("MOVE_SYNTAX", luft.Epd(self.LINE).moves, "acd")
        self.refuses("MOVE_ILLEGAL", luft.Epd(self.LINE).moves, "pv", False)
        with self.assertRaisesRegex(TypeError, "opcode of an EPD is a str, not 1"):
            luft.format_epd(Position(), {1: 2})


# --- Batches ------------------------------------------------------------------------------


class Batches(TestCase):
    def test_a_batch_says_what_single_calls_say(self):
        singles = list(random_positions(games=6, plies=100, seed=4)) + [Position(KIWIPETE), Position("R3k3/8/4K3/8/8/8/8/8 b - - 0 1")]
        text = "\n".join(position.fen for position in singles)
        for batch in (Positions(singles), Positions(text), Positions(text.encode() + b"\r\n")):
            self.assertEqual(list(batch), singles)
            self.assertEqual(set(batch.errors), {0})
            moves, offsets = batch.legal_moves()
            self.assertEqual(len(moves), offsets[-1])
            for number, position in enumerate(singles):
                self.assertEqual(list(map(Move, moves[offsets[number] : offsets[number + 1]])), position.legal_moves)
            self.assertEqual(list(batch.perft(2)), [position.perft(2) for position in singles])
            pawns = singles[1].pieces(luft.PAWN, WHITE) | singles[1].pieces(luft.PAWN, BLACK)
            self.assertEqual(batch.words[12], int(pawns))
            self.assertEqual((batch[-1], batch[1:3]), (singles[-1], singles[1:3]))

    def test_many_moves_find_room(self):
        crowded = Position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
        moves, offsets = Positions([crowded] * 50).legal_moves()
        self.assertEqual(list(offsets), list(range(0, 51 * 218, 218)))
        self.assertEqual(len(moves), 50 * 218)

    def test_refused_lines(self):
        batch = Positions(f"{luft.START_FEN}\n\nnonsense\n{KIWIPETE}\n")
        self.assertEqual([Error(code).name for code in batch.errors], ["OK", "FEN_FIELDS", "FEN_BOARD", "OK"])
        self.refuses("FEN_BOARD", batch.__getitem__, 2)
        self.assertEqual(list(batch.perft(1)), [20, 0, 0, 48])
        for depth in (2**32 + 1, -(2**32) + 1, -1):
            self.refuses("ARGUMENT", batch.perft, depth)
        self.assertEqual(list(batch.legal_moves()[1]), [0, 20, 20, 20, 68])
        self.assertRaises(IndexError, batch.__getitem__, 4)
        self.refuses("ARGUMENT", batch.perft, 65)

    def test_nothing(self):
        for batch in (Positions(""), Positions([])):
            self.assertEqual(len(batch), 0)
            self.assertEqual((len(batch.perft(3)), len(batch.legal_moves()[0]), list(batch.legal_moves()[1])), (0, 0, [0]))

    def test_a_line_of_play(self):
        start, moves = Position(), []
        position, expected, source = start, [], random.Random(5)
        for ply in range(60):
            if ply == 7:
                moves.append(Move.NONE)
                position = position.pass_turn()
            else:
                moves.append(source.choice(position.legal_moves))
                position = position.play(moves[-1])
            expected.append(position)
        self.assertEqual(list(start.line(moves)), expected)
        self.assertEqual(len(start.line([])), 0)
        self.assertIn("number 3", self.refuses("MOVE_ILLEGAL", start.line, [*moves[:2], Move(65535), *moves[3:]]))
        numbers = array("H", moves)
        for given in (numbers, memoryview(numbers), list(numbers), iter(moves), [str(move) if move else move for move in moves]):
            self.assertEqual(list(start.line(given)), expected)
        self.assertEqual(start.line(["e4", Move.from_uci("e7e5"), "g1f3"])[-1], start.play("e4").play("e5").play("Nf3"))
        self.refuses("MOVE_ILLEGAL", start.line, ["e4", "e4"])
        for bad in (3.7, b"12", None):
            self.assertRaises(TypeError, start.line, [bad])
        self.refuses("MOVE_SYNTAX", start.line, ["12"])
        for number in (-1, 65536, 2**80):
            self.refuses("MOVE_ILLEGAL", start.line, [number])
        for bad in (memoryview(b"abc"), memoryview(array("I", [1])), memoryview(array("h", [1])), "e4", 5):
            self.assertRaises(TypeError, start.line, bad)

    def test_batches_run_in_threads(self):
        batch, results = Positions([Position(KIWIPETE)] * 4), []
        threads = [threading.Thread(target=lambda: results.append(list(batch.perft(3)))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [[97862] * 4] * 4)


# --- PGN -------------------------------------------------------------------------------------

PGN = """\
[Event "One"]
[White "A \\"quoted\\" name"]

1. e4 e5 2. Nf3 {a comment} (2. f4 exf4) 2... Nc6 $1 1-0

[Event "Two"]
[SetUp "1"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]

1. a8=Q+ Kd7 2. -- Ke7 *

[Event "Three"]
[White "J\xfcrgen"]

1. e4 e5
2. Ke3 Ke7 0-1

[Event "Four"]

1/2-1/2
"""

TRANSCRIPT = [
    ({"Event": "One", "White": 'A "quoted" name'}, "e4 e5 Nf3 Nc6", "1-0"),
    ({"Event": "Two", "SetUp": "1", "FEN": "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"}, "a8=Q+ Kd7 -- Ke7", "*"),
    ({"Event": "Three", "White": "J\xfcrgen"}, "e4 e5", "0-1"),
    ({"Event": "Four"}, "", "1/2-1/2"),
]


class Endless(io.RawIOBase):
    """The same games for ever."""

    def __init__(self, data):
        self.data, self.given = data, 0

    def readable(self):
        return True

    def read(self, size=-1):
        self.given += len(self.data)
        return self.data[:size]


class Pgn(TestCase):
    def transcript(self, source):
        return [(game.tags, " ".join(game.sans), game.result) for game in luft.read_pgn(source)]

    def test_every_source_gives_the_same_games(self):
        data = PGN.encode()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "games.pgn"
            path.write_bytes(data)
            for source in (data, bytearray(data), memoryview(data), io.BytesIO(data), path, str(path), open(path, "rb")):
                self.assertEqual(self.transcript(source), TRANSCRIPT)
                if hasattr(source, "close"):
                    source.close()
            with gzip.open(path, "wb") as file:
                file.write(data)
            with gzip.open(path) as file:
                self.assertEqual(self.transcript(file), TRANSCRIPT)

    def test_latin_1_is_read_where_it_is_no_utf_8(self):
        self.assertEqual(self.transcript(PGN.encode("latin-1")), TRANSCRIPT)
        mixed = '[Event "\u2654"]\n[White "'.encode() + b'\xfc"]\n\n*\n'
        self.assertEqual(next(luft.read_pgn(mixed)).tags, {"Event": "\u2654", "White": "\xfc"})

    def test_of_a_tag_that_comes_twice_the_first_counts(self):
        game = next(luft.read_pgn(b'[Event "a"]\n[White "one"]\n[White "two"]\n\n1. e4 *\n'))
        self.assertEqual(game.tags, {"Event": "a", "White": "one"})

    def test_games_know_more(self):
        games = list(luft.read_pgn(PGN.encode()))
        self.assertEqual([game.number for game in games], [1, 2, 3, 4])
        self.assertEqual([game.line for game in games], [1, 6, 12, 18])
        self.assertEqual([game.errors for game in games if game.number != 3], [[], [], []])
        (error,) = games[2].errors
        self.assertEqual((error.name, error.token, error.line, error.column), ("MOVE_ILLEGAL", "Ke3", 16, 4))
        self.assertTrue(error.reason)
        self.assertEqual(games[0].moves, [games[0].start.parse("e4"), *games[0].moves[1:]])
        self.assertEqual(games[1].start, Position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"))
        self.assertEqual(games[1].positions[3].turn, WHITE)
        self.assertEqual(games[1].moves[2], Move.NONE)
        self.assertIn("Jürgen", repr(games[2]))

    def test_a_bad_fen_leaves_no_start(self):
        (game,) = luft.read_pgn(b'[FEN "nonsense"]\n\n1. e4 *\n')
        self.assertEqual(len(game.errors), 1)
        self.assertEqual(game.moves, [])
        self.refuses("POSITION", lambda: game.start)

    def test_the_room_does_not_change_the_games(self):
        whole = self.transcript(PGN.encode())
        for games, moves, text in ((1, 4, 400), (2, 5, 500), (3, 9, 700), (100, 100, 10000)):
            with luft.PgnReader(PGN.encode(), games=games, moves=moves, text=text) as reader:
                self.assertEqual([(game.tags, " ".join(game.sans), game.result) for game in reader], whole)
        cut = list(luft.PgnReader(PGN.encode(), games=10, moves=3, text=1000))
        self.assertEqual([len(game.moves) for game in cut], [3, 3, 2, 0])
        self.assertEqual([[error.name for error in game.errors] for game in cut], [["OVERFLOW"], ["OVERFLOW"], ["MOVE_ILLEGAL"], []])
        for bad in ({"games": 0}, {"moves": 0}, {"text": 255}):
            with self.assertRaises(LuftError):
                luft.PgnReader(b"", **bad)

    def test_batches_are_flat(self):
        batches = list(luft.PgnReader(PGN.encode(), games=3).batches())
        self.assertEqual([len(batch) for batch in batches], [3, 1])
        first = batches[0]
        self.assertEqual(list(first.first_moves), [0, 4, 8])
        self.assertEqual(list(first.move_counts), [4, 4, 2])
        self.assertEqual(list(first.results), [1, 4, 2])
        self.assertEqual([Error(code).name for code in first.errors], ["OK", "OK", "MOVE_ILLEGAL"])
        self.assertEqual(len(first.moves), 10)
        self.assertEqual([game.number for game in first[1:]], [2, 3])
        self.assertEqual(first[-1].number, 3)
        self.assertRaises(IndexError, first.__getitem__, 3)
        self.assertEqual([len(view.tobytes()) for view in (first.first_moves, first.move_counts, first.results)], [24, 12, 6])

    def test_random_games_round_trip(self):
        source, text, expected = random.Random(6), [], []
        for number in range(40):
            game = Game(Position.chess960(source.randrange(960)) if number % 2 else None)
            start = game.position.fen
            for _ in range(source.randrange(120)):
                moves = game.position.legal_moves
                if not moves:
                    break
                game.play(source.choice(moves))
            text.append(f'[Event "{number}"]\n[FEN "{start}"]\n\n{" ".join(game.sans)} *\n\n')
            expected.append((start, game.moves, game.position))
        for game, (start, moves, last) in itertools.zip_longest(luft.read_pgn("".join(text).encode()), expected):
            self.assertEqual((game.start.fen, game.moves, game.errors), (start, moves, []))
            self.assertEqual([game.start, *game.positions][-1], last)

    def test_a_text_is_cut_between_games(self):
        data = PGN.encode()
        cuts = [at for at in range(-1, len(data) + 2) if luft.can_cut_pgn(data, at)]
        self.assertEqual(cuts, [found.start() for found in re.finditer(rb"^\[Event ", data, re.M)][1:])
        parts = [data[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(data)])]
        self.assertEqual([self.transcript(part) for part in parts], [[game] for game in self.transcript(data)])
        self.assertRaises(TypeError, luft.can_cut_pgn, PGN, 0)

    def test_reading_is_lazy_and_bounded(self):
        source = Endless(PGN.encode() * 100)
        reader = luft.read_pgn(source)
        next(reader)
        self.assertLess(source.given, 5_000_000)
        for _ in range(2000):
            next(reader)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        kept = [game for game in itertools.islice(reader, 60_000) if game.number % 2000 == 0]
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        self.assertGreater(source.given, 4_000_000)
        self.assertLess(grown, 16_000)  # kilobytes
        self.assertEqual(len(kept), 30)

    def test_a_failing_source_raises_after_the_games_before(self):
        class Failing(Endless):
            def read(self, size=-1):
                if self.given:
                    raise OSError("the disk is gone")
                return super().read(size)

        reader, games = luft.read_pgn(Failing(PGN.encode())), []
        with self.assertRaisesRegex(OSError, "the disk is gone"):
            for game in reader:
                games.append(game)
        self.assertEqual([game.number for game in games], [1, 2, 3, 4])
        self.assertEqual(list(reader), [])

    def test_an_interrupt_passes_through(self):
        class Interrupted(Endless):
            def read(self, size=-1):
                if self.given:
                    raise KeyboardInterrupt
                return super().read(size)

        self.assertRaises(KeyboardInterrupt, next, luft.read_pgn(Interrupted(PGN.encode())))

    def test_text_is_no_source(self):
        self.assertRaises(TypeError, next, luft.read_pgn(io.StringIO(PGN)))
        self.assertRaises(FileNotFoundError, luft.read_pgn, "/nowhere/games.pgn")
        self.assertEqual(list(luft.read_pgn(b"")), [])

    def test_a_source_that_closes_its_reader(self):
        class Closing(Endless):
            def read(self, size=-1):
                self.reader.close()
                return super().read(size)

        class Reading(Endless):
            def read(self, size=-1):
                return next(self.reader)

        def run():
            source = Closing(PGN.encode())
            source.reader = luft.read_pgn(source)
            results.append(list(source.reader))
            source = Reading(PGN.encode())
            source.reader = luft.read_pgn(source)
            try:
                next(source.reader)
            except RuntimeError as error:
                results.append(str(error))

        class Interrupted(Closing):
            def read(self, size=-1):
                super().read(size)
                raise KeyboardInterrupt

        source = Interrupted(PGN.encode())
        source.reader = luft.read_pgn(source)
        self.assertRaises(KeyboardInterrupt, next, source.reader)
        results = []
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(30)
        self.assertEqual(results, [[], "the source of a PgnReader cannot read from that reader"])

    def test_a_reader_is_closed_while_another_thread_reads(self):
        read_end, write_end = os.pipe()
        with open(read_end, "rb", buffering=0) as source:
            reader, results = luft.read_pgn(source), []
            thread = threading.Thread(target=lambda: results.append(reader.read_batch()), daemon=True)
            thread.start()
            reader.close()  # it does not wait
            os.close(write_end)
            thread.join(30)
        self.assertEqual(results, [None])

    def test_a_reader_that_its_source_refers_to_is_freed(self):
        source = Endless(PGN.encode())
        source.reader = luft.read_pgn(source)
        next(source.reader)
        seen = weakref.ref(source)
        del source
        gc.collect()
        self.assertIsNone(seen())

    def test_writing(self):
        game = Game()
        game.play("e4", "e5", "Nf3", "Nc6")
        game.undo()
        text = luft.format_pgn(game, {"White": "A \"quoted\" name", "Annotator": "J\xfcrgen"}, "1-0")
        self.assertEqual(text.splitlines()[-2:], ["1. e4 e5 2. Nf3 1-0", ""])
        (back,) = luft.read_pgn(text.encode())
        self.assertEqual((back.moves, back.result, back.errors), (game.moves, "1-0", []))
        self.assertEqual((back.tags["White"], back.tags["Annotator"], back.tags["Event"]), ('A "quoted" name', "J\xfcrgen", "?"))
        self.assertNotIn("FEN", back.tags)
        self.assertEqual(luft.format_pgn(back), text)
        game.go_to(0)
        game.play("f3", "e5", "g4", "Qh4#")
        self.assertIn("2. g4 Qh4# 0-1", luft.format_pgn(game))
        for one in luft.read_pgn(PGN.encode()):
            (two,) = luft.read_pgn(luft.format_pgn(one).encode())
            self.assertEqual((two.moves, two.result, two.start), (one.moves, one.result, one.start))
            self.assertLessEqual(one.tags.items(), {**two.tags, "Result": one.result}.items())
        self.assertIn("Chess960", luft.format_pgn(Game(Position.chess960(0)), {"Variant": "Chess960"}))
        self.assertRaises(ValueError, luft.format_pgn, game, None, "2-0")

    def test_what_cannot_be_written(self):
        for bad in (None, "1. e4", Position()):
            with self.assertRaisesRegex(TypeError, "expected a Game, a PgnGame or a PgnTree"):
                luft.format_pgn(bad)
        with self.assertRaisesRegex(TypeError, "the tag 'White': expected a str"):
            luft.format_pgn(Game(), {"White": None})
        with self.assertRaisesRegex(TypeError, "the tag 1: expected a str"):
            luft.format_pgn(Game(), {1: "x"})
        for tags in ({"a b": "x"}, {"White": "x", "a b": "x", "Black": "y"}):
            self.assertIn("the tag 'a b'", self.refuses("ARGUMENT", luft.format_pgn, Game(), tags))
        # The FEN is that of the game.
        for game in (Game(), Game(Position(KIWIPETE))):
            with self.assertRaisesRegex(ValueError, "the tag FEN: expected the start position"):
                luft.format_pgn(game, {"FEN": BARE_KINGS})
            self.assertEqual(luft.format_pgn(game, {"SetUp": "1", "FEN": game.start.fen}), luft.format_pgn(game))
        self.refuses("FEN_BOARD", luft.format_pgn, Game(), {"FEN": "x"})

    def test_readers_are_closed(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(PGN.encode())
            file.flush()
            reader = luft.read_pgn(file.name)
            self.assertEqual(next(reader).number, 1)
            own = reader._own_file
            reader.close()
            reader.close()
            self.assertTrue(own.closed)
            self.assertEqual(list(reader), [])
            self.assertIsNone(reader.read_batch())
            other = luft.read_pgn(file.name)
            own = other._own_file
            del other
            gc.collect()
            self.assertTrue(own.closed)

    def test_readers_in_threads(self):
        data, counts = PGN.encode() * 500, []

        def read(reader):
            counts.append(sum(len(batch) for batch in reader.batches()))

        shared = luft.PgnReader(data, games=7)
        readers = [luft.read_pgn(data), luft.read_pgn(io.BytesIO(data)), shared, shared]
        threads = [threading.Thread(target=read, args=(reader,)) for reader in readers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sum(counts), 3 * 2000)

    def numbers_in_threads(self, iterator, numbers):
        """What four threads get from one iterator, as game numbers; they switch as often as possible."""
        found, errors = [], []

        def read():
            try:
                for item in iterator:
                    found.extend(numbers(item))
            except Exception as error:
                errors.append(error)

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            threads = [threading.Thread(target=read) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        self.assertEqual(errors, [])
        return sorted(found)

    def test_threads_share_a_reader(self):
        data = PGN.encode() * 500
        for source in (data, io.BytesIO(data)):
            for games in (1, 3, 50):
                found = self.numbers_in_threads(luft.PgnReader(source, games=games), lambda game: [game.number])
                self.assertEqual(found, list(range(1, 2001)))
                if source is not data:
                    source.seek(0)
        batches = luft.PgnReader(data, games=3).batches()
        found = self.numbers_in_threads(batches, lambda batch: [game.number for game in batch])
        self.assertEqual(found, list(range(1, 2001)))
        trees = self.numbers_in_threads(luft.read_pgn_trees(data), lambda tree: [1])
        self.assertEqual(len(trees), 2000)


# --- Trees ---------------------------------------------------------------------------

TREE = """[Event "Tree"]
[Site "?"]
[Date "2026.01.02"]
[Round "1"]
[White "A"]
[Black "B"]
[Result "1-0"]
[Annotator "me"]

{start} 1. e4 $1 {[%clk 0:05:00] good} 1... e5 (1... c5 {Sicilian} 2. Nf3
(2. c3)) (1... e6) 2. Nf3 Nc6 1-0

"""


class Trees(TestCase):
    def outline(self, node):
        """The moves below a node: SAN and the outlines of what follows."""
        return [(child.san, self.outline(child)) for child in node.children]

    def test_a_tree_is_read(self):
        tree = PgnTree.parse(TREE)
        self.assertEqual(dict(tree.tags), {"Event": "Tree", "Site": "?", "Date": "2026.01.02", "Round": "1", "White": "A",
                                           "Black": "B", "Result": "1-0", "Annotator": "me"})  # fmt: skip
        self.assertEqual(self.outline(tree.root), [("e4", [
            ("e5", [("Nf3", [("Nc6", [])])]), ("c5", [("Nf3", []), ("c3", [])]), ("e6", [])])])  # fmt: skip
        self.assertEqual((tree.sans, tree.result, tree.errors), (["e4", "e5", "Nf3", "Nc6"], "1-0", []))
        self.assertEqual([node.san for node in tree.nodes()], [None, "e4", "e5", "Nf3", "Nc6", "c5", "Nf3", "c3", "e6"])
        self.assertEqual((tree.root.comment, tree.root.move, tree.root.parent), ("start", None, None))
        first = tree.root.next
        self.assertEqual((first.nags, first.comment), ({1: Author.PERSON}, "[%clk 0:05:00] good"))
        self.assertEqual((first.command("clk"), first.command("eval")), ("0:05:00", None))
        sicilian = first.find("c5")
        self.assertEqual((sicilian.index, sicilian.is_main_line, sicilian.parent), (1, False, first))
        self.assertEqual(sicilian.comments, [("Sicilian", Author.PERSON)])
        self.assertEqual(sicilian.position, Position().play("e4").play("c5"))
        self.assertEqual(sicilian.next.game().sans, ["e4", "c5", "Nf3"])
        self.assertIsNone(first.find("a6"))
        self.assertEqual([node.move for node in tree.main_line], tree.moves)
        self.assertTrue(all(node.is_main_line for node in [tree.root, *tree.main_line]))
        self.assertEqual(repr(sicilian), "<PgnNode: 1... c5>")
        self.assertEqual((repr(tree), repr(tree.root)), ("<PgnTree: A - B 1-0, 8 moves>", "<PgnNode: start>"))

    def test_what_is_written_is_read(self):
        tree = PgnTree.parse(TREE)
        self.assertEqual(str(tree), TREE)
        self.assertEqual(luft.format_pgn(tree), TREE)
        other = PgnTree.parse(luft.format_pgn(tree, {"White": "C"}, "*"))
        self.assertEqual((other.tags["White"], other.tags["Result"], other.result), ("C", "*", "*"))
        self.assertEqual((tree.tags["White"], str(tree)), ("A", TREE))
        self.assertNotEqual(other, tree)

    def test_readers_of_games_and_of_trees_agree(self):
        data = PGN.encode()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "games.pgn")
            path.write_bytes(data)
            for source in (data, path, str(path), io.BytesIO(data), bytearray(data)):
                for tree, game in itertools.zip_longest(luft.read_pgn_trees(source), luft.read_pgn(data)):
                    self.assertEqual(tree.moves, game.moves)
                    self.assertEqual((tree.sans, tree.result), (game.sans, game.result))
                    self.assertEqual([error[:3] for error in tree.errors], [error[:3] for error in game.errors])
                    self.assertEqual({name: tree.tags[name] for name in game.tags}, game.tags)
        with luft.read_pgn_trees(data) as reader:
            next(reader)
        self.assertEqual(list(reader), [])
        self.assertRaises(TypeError, next, luft.read_pgn_trees(io.StringIO(PGN)))
        self.refuses("END", PgnTree.parse, "")
        self.assertRaises(TypeError, PgnTree.parse, None)

    def test_latin_1_is_read_in_trees_too(self):
        tree = PgnTree.parse('[White "Müller"]\n\n1. e4 {schön} *\n'.encode("latin-1"))
        self.assertEqual((tree.tags["White"], tree.root.next.comment), ("Müller", "schön"))

    def test_a_game_without_a_position(self):
        tree = PgnTree.parse('[Event "x"]\n[FEN "nonsense"]\n\n1. e4 1-0\n')
        self.assertEqual((tree.result, tree.main_line, tree.moves, tree.sans, tree.nodes()), ("1-0", [], [], [], []))
        self.assertEqual([error.name for error in tree.errors], ["FEN_BOARD"])
        for name in ("root", "start"):
            self.refuses("POSITION", getattr, tree, name)
        self.assertEqual(pickle.loads(pickle.dumps(tree)), tree)

    def test_a_game_is_made(self):
        tree = PgnTree()
        tree.tags["White"], tree.tags["Annotator"] = "Me", "Myself"
        tree.root.add_line(["e4", Move.from_uci("e7e5"), Position().parse("Nf3")][:2])
        node = tree.main_line[0]
        node.add("c5", author=Author.ENGINE).comment = "also"
        node.add_nag(1)
        node.add_comment("before", before=True)
        node.add_comment("[%eval 0.3]", author=Author.ENGINE)
        tree.result = "1/2-1/2"
        self.assertEqual(node.nags, {1: Author.PERSON})
        self.assertEqual([child.author for child in node.children], [Author.PERSON, Author.ENGINE])
        self.assertEqual(node.comments_before, [("before", Author.PERSON)])
        again = PgnTree.parse(str(tree))
        self.assertEqual(again, tree)
        self.assertEqual(again.root.next.comments, [("[%eval 0.3]", Author.ENGINE)])
        self.assertEqual((again.tags["Result"], again.tags["Annotator"]), ("1/2-1/2", "Myself"))
        again.remove_engine()
        self.assertEqual(again.root.next.comments, [])
        self.assertEqual([child.san for child in again.root.next.children], ["e5", "c5"])  # a person's comment is there
        chess960 = PgnTree(Position.chess960(5))
        self.assertEqual(PgnTree.parse(str(chess960)).start, Position.chess960(5))
        self.assertEqual(PgnTree(KIWIPETE).start, Position(KIWIPETE))
        self.assertIs(type(PgnTree(MyPosition()).root.add("e4").position), MyPosition)

    def test_tags(self):
        tags = PgnTree().tags
        self.assertEqual(len(tags), 7)
        self.assertEqual(list(tags), ["Event", "Site", "Date", "Round", "White", "Black", "Result"])
        tags.update({"ECO": "B20", "White": "W"})
        del tags["White"], tags["ECO"]
        self.assertEqual((tags["White"], "ECO" in tags, 5 in tags, "E\0CO" in tags), ("?", False, False, False))
        self.assertRaises(KeyError, operator.delitem, tags, "ECO")
        self.assertRaises(KeyError, operator.getitem, tags, "ECO")
        for name in ("FEN", "SetUp", "E\0CO", "", "a b"):
            self.refuses("ARGUMENT", operator.setitem, tags, name, "x")
        self.refuses("ARGUMENT", operator.setitem, tags, "Result", "won")
        self.assertRaises(TypeError, operator.setitem, tags, "White", None)
        self.assertRaises(TypeError, operator.setitem, tags, 5, "x")
        self.assertEqual(repr(tags), repr(dict(tags)))

    def test_editing(self):
        tree = PgnTree.parse(TREE)
        first = tree.root.next
        e5, c5, e6 = first.children
        e6.reorder(0)
        self.assertEqual([child.san for child in first.children], ["e6", "e5", "c5"])
        e6.reorder(99)
        self.assertEqual([child.san for child in first.children], ["e5", "c5", "e6"])
        c5.children[1].promote()
        self.assertEqual(tree.sans, ["e4", "c5", "c3"])
        self.assertEqual([child.san for child in first.children], ["c5", "e5", "e6"])
        inside = e5.line
        e5.delete()
        self.assertEqual([child.san for child in first.children], ["c5", "e6"])
        for node in (e5, *inside):
            self.assertEqual(repr(node), "<PgnNode: deleted>")
            self.refuses("ARGUMENT", getattr, node, "san")
            self.refuses("ARGUMENT", node.add, "e4")
            self.refuses("ARGUMENT", node.delete)
            self.refuses("ARGUMENT", pickle.dumps, node)
        c5.comment = "one"
        c5.comment = "two"
        self.assertEqual(c5.comments, [("two", Author.PERSON)])
        c5.set_comment(0, "three", author=Author.ENGINE)
        self.assertEqual(c5.comments, [("three", Author.ENGINE)])
        c5.remove_comment(0)
        c5.comment = "four"
        del c5.comment
        self.assertEqual(c5.comment, "")
        c5.add_comment("before", before=True)
        c5.remove_comment(0, before=True)
        self.assertEqual(c5.comments_before, [])
        c5.set_command("clk", "0:01:00")
        c5.set_command("clk", "0:00:59")
        self.assertEqual((c5.command("clk"), c5.comment), ("0:00:59", "[%clk 0:00:59]"))
        c5.set_command("clk", None)
        c5.add_nag(2)
        c5.remove_nag(2)
        c5.remove_nag(2)
        self.assertEqual((c5.comment, c5.nags), ("", {}))
        self.assertEqual(c5.add("--").move, Move.NONE)
        self.assertEqual(c5.find(Move.null()).san, "--")
        self.refuses("MOVE_ILLEGAL", c5.find("--").game)

    def test_a_deleted_node_is_not_the_one_that_gets_its_number(self):
        tree = PgnTree()
        old = tree.root.add("e4")
        kept = {old: "old"}
        old.delete()
        new = tree.root.add("d4")
        self.assertNotEqual(old, new)
        self.assertEqual((kept.get(new), kept[old]), (None, "old"))
        self.refuses("ARGUMENT", getattr, old, "san")

    def test_random_edits(self):
        source = random.Random(8)
        for _ in range(20):
            tree, nodes = PgnTree(), []
            nodes.append(tree.root)
            for _ in range(60):
                node = source.choice(nodes)
                action = source.random()
                if action < 0.7 and node.position.legal_moves:
                    nodes.append(node.add(source.choice(node.position.legal_moves), author=Author(source.randrange(2))))
                elif action < 0.8 and node != tree.root:
                    node.promote()
                    self.assertIn(node, tree.main_line)
                elif action < 0.85 and node != tree.root:
                    node.delete()
                    nodes = [node for node in nodes if node in set(tree.nodes())]
                else:
                    node.add_comment(f"comment {source.random()}", author=Author(source.randrange(2)))
            self.assertEqual(set(nodes), set(tree.nodes()))
            again = PgnTree.parse(str(tree))
            self.assertEqual(again, tree)
            self.assertEqual(self.outline(again.root), self.outline(tree.root))
            again.remove_engine()
            self.assertEqual(PgnTree.parse(str(again)), again)

    def test_what_is_refused(self):
        tree = PgnTree()
        root = tree.root
        self.refuses("MOVE_ILLEGAL", root.add, "Ke2")
        self.refuses("MOVE_SYNTAX", root.add, "hello")
        self.refuses("MOVE_ILLEGAL", root.add_line, ["e4", "e5", "Ke3"])
        self.assertEqual(tree.nodes(), [root])
        self.refuses("ARGUMENT", root.delete)
        self.refuses("ARGUMENT", root.add_nag, 256)
        self.refuses("ARGUMENT", root.add_nag, -1)
        self.refuses("ARGUMENT", lambda: root.add_comment("x", before=True))
        self.refuses("ARGUMENT", lambda: root.add("e4", author=2))
        self.refuses("ARGUMENT", root.set_command, "luft", "x")
        self.refuses("ARGUMENT", root.set_command, "a b", "x")
        self.refuses("ARGUMENT", root.set_command, "clk", "]")
        self.refuses("ARGUMENT", setattr, tree, "result", "2-0")
        for bad in (None, 3.5, [], root):
            self.assertRaises(TypeError, root.add, bad)
            self.assertRaises(TypeError, root.find, bad)
            self.assertRaises(TypeError, root.add_line, [bad])
            self.assertRaises(TypeError, root.add_comment, bad)
            self.assertRaises(TypeError, root.command, bad)
        self.assertRaises(TypeError, root.add_line, "e4")
        self.assertRaises(TypeError, setattr, root, "comment", 5)
        self.assertRaises(TypeError, luft.PgnNode)
        self.assertRaises(TypeError, PgnTree, 5)
        self.assertRaises(IndexError, root.remove_comment, 0)
        self.assertRaises(IndexError, root.set_comment, 0, "x")
        self.assertRaises(IndexError, root.set_comment, -1, "x")
        for name in ("san", "move", "next", "position", "nags"):
            self.assertRaises(AttributeError, setattr, root, name, None)
        self.assertRaises(AttributeError, delattr, tree, "result")

    def test_an_argument_that_changes_the_tree(self):
        class Hostile:
            def __init__(self, action, number):
                self.action, self.number = action, number

            def __index__(self):
                self.action()
                return self.number

        tree = PgnTree()
        node = tree.root.add("e4")
        move = int(Position().play("e4").parse("e5"))
        self.refuses("ARGUMENT", node.add, Hostile(node.delete, move))
        node = tree.root.add("e4")
        self.refuses("ARGUMENT", node.add_line, [Hostile(lambda: None, move), Hostile(node.delete, move)])
        node = tree.root.add("e4")
        self.refuses("ARGUMENT", node.add_nag, Hostile(node.delete, 1))
        node = tree.root.add("e4")
        self.refuses("ARGUMENT", node.reorder, Hostile(node.delete, 1))
        game = Game()
        game.play("e4")
        self.refuses("MOVE_ILLEGAL", game.play, Hostile(game.undo, move))
        self.assertEqual(game.ply, 0)

    def test_a_game_that_is_too_large_is_passed_over(self):
        text = '[Event "large"]\n\n1. e4 {' + "x" * (17 << 20) + '} *\n\n[Event "small"]\n\n1. d4 *\n'
        reader = luft.read_pgn_trees(text.encode())
        self.refuses("OVERFLOW", next, reader)
        self.assertEqual([tree.sans for tree in reader], [["d4"]])

    def test_nodes_keep_their_tree_and_trees_are_freed(self):
        node = PgnTree.parse(TREE).root.next
        self.assertEqual(node.tree.sans[0], node.san)
        tree = MyTree()
        tree.favourite = tree.root
        seen = weakref.ref(tree)
        del tree
        gc.collect()
        self.assertIsNone(seen())


# --- The engine ----------------------------------------------------------------------

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"
STALEMATED = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"


class Engines(TestCase):
    def test_a_stop_just_after_the_start_is_not_lost(self):
        for end in (Engine.stop, Engine.close):
            for _ in range(20):
                engine, found = Engine(hash=1), []
                thread = threading.Thread(target=lambda: found.append(engine.analyse(Position(), infinite=True)), daemon=True)
                thread.start()
                while not engine.is_searching:
                    pass
                end(engine)
                thread.join(60)
                self.assertFalse(thread.is_alive())
                self.assertIn(found[0].best, Position().legal_moves)

    def test_a_mate_is_found(self):
        with Engine() as engine:
            found = engine.analyse(Position(MATE_IN_ONE), depth=3)
            self.assertEqual((found.best.uci, found.score, found.position), ("a1a8", (None, 1, Bound.EXACT), Position(MATE_IN_ONE)))
            self.assertEqual((found.sans(), found.ponder, str(found.score), str(-found.score)), (["Ra8#"], None, "#1", "#-1"))
            self.assertEqual(engine.play(Position(MATE_IN_ONE), nodes=1000), found.best)
            two = Position("8/8/8/8/8/1k6/7r/K7 b - - 0 1")
            self.assertEqual(engine.analyse(two, mate=1).score.mate, 1)
            self.assertFalse(engine.analyse(two, mate=1).no_mate)
            self.assertTrue(engine.analyse(Position(), mate=1).no_mate)
        self.assertEqual(repr(found).split(",")[:2], ["<Analysis: Ra8#", " score #1"])

    def test_limits_are_kept(self):
        with Engine() as engine:
            found = engine.analyse(Position(KIWIPETE), nodes=3000)
            self.assertTrue(0 < found.nodes <= 3000)
            self.assertEqual(engine.analyse(Position(KIWIPETE), depth=4).depth, 4)
            self.assertTrue(engine.analyse(Position(KIWIPETE), nodes=0).best in Position(KIWIPETE).legal_moves)
            self.assertLess(engine.analyse(Position(), time=0.05).time, 5)
            self.assertLess(engine.analyse(Position(), clock=luft.Clock(1, 1, 0, 0, 20)).time, 1)
            self.assertLess(engine.analyse(Position(), clock=(1, 1)).time, 1)
            self.assertLess(engine.analyse(Position(), soft_nodes=100, depth=245).nodes, 100000)
            self.assertEqual(engine.analyse(Position(MATE_IN_ONE), depth=10**30).score.mate, 1)
            found = engine.analyse(Position(), nodes=2000, moves=["a3", "h2h3", Move.from_uci("a2a4")])
            self.assertIn(found.best.uci, ("a2a3", "h2h3", "a2a4"))

    def test_several_lines(self):
        with Engine() as engine:
            found = engine.analyse(Position(KIWIPETE), depth=5, lines=4)
            self.assertEqual([line.number for line in found.lines], [1, 2, 3, 4])
            self.assertEqual(len({line.moves[0] for line in found.lines}), 4)
            scores = [line.score.centipawns for line in found.lines if line.depth == 5]
            self.assertEqual(scores, sorted(scores, reverse=True))
            self.assertEqual((found.best, found.score, found.wdl), (found.lines[0].moves[0], found.lines[0].score, found.lines[0].wdl))
            for number, line in enumerate(found.lines):
                self.assertEqual(len(Position(KIWIPETE).line(line.moves)), len(found.sans(number)))
                self.assertEqual(sum(line.wdl), 1000)
            self.assertEqual(len(engine.analyse(Position("7k/8/8/8/8/8/8/K7 w - - 0 1"), depth=3, lines=50).lines), 3)

    def test_positions_without_a_move(self):
        with Engine() as engine:
            for fen, score in ((MATED, (None, 0, Bound.EXACT)), (STALEMATED, (0, None, Bound.EXACT))):
                found = engine.analyse(Position(fen), nodes=100)
                self.assertEqual((found.best, found.ponder, found.lines, found.score), (None, None, (), score))
                self.assertIn("no legal move", repr(found))
                self.assertEqual(found.sans(), [])
                message = self.refuses("END", lambda fen=fen: engine.play(Position(fen), nodes=100))
                self.assertEqual(message, "there is no legal move")

    def test_a_game_tells_of_repetitions(self):
        game = Game()
        game.play("Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1")
        with Engine() as engine:
            known = engine.analyse(game, depth=1, moves=["Ng8"])
            engine.clear()
            alone = engine.analyse(game.position, depth=1, moves=["Ng8"])
        self.assertEqual(known.position, game.position)
        self.assertLessEqual(abs(known.score.centipawns), 2)  # a draw; the engine adds a little to tell draws apart
        self.assertLess(alone.score.centipawns, -5)

    def test_the_same_search_gives_the_same(self):
        def essence(found):
            return [(line.moves, line.score) for line in found.lines], found.nodes

        engines = [Engine(), Engine(level=0, hash=16), Engine()]
        found = [essence(engine.analyse(Position(KIWIPETE), nodes=5000)) for engine in engines]
        self.assertEqual(found[0], found[1])  # levels do not change analyse
        engines[0].clear()
        self.assertEqual(found[0], essence(engines[0].analyse(Position(KIWIPETE), nodes=5000)))

    def test_levels(self):
        def moves(**strength):
            with Engine(**strength) as engine:
                game = Game()
                for _ in range(8):
                    game.play(engine.play(game, nodes=300))
                return game.moves

        self.assertEqual(moves(elo=800, seed=7), moves(elo=800, seed=7))
        games = {tuple(moves(elo=800, seed=seed)) for seed in range(1, 7)}
        self.assertGreater(len(games), 1)
        with Engine(level=3) as engine:
            self.assertEqual((engine.level, engine.elo), (3, None))
            engine.level, engine.elo = None, 1500
            self.assertEqual((engine.level, engine.elo, repr(engine)), (None, 1500, "<Engine: 1 thread, 16 MB, Elo 1500>"))
            for name, bad in (("level", 21), ("level", -1), ("elo", 799), ("elo", 2501), ("elo", 0)):
                self.refuses("ARGUMENT", setattr, engine, name, bad)
                self.refuses("ARGUMENT", lambda name=name, bad=bad: Engine(**{name: bad}))
            self.assertEqual((engine.level, engine.elo), (None, 1500))

    def test_settings(self):
        with Engine(threads=2, hash=1) as engine:
            self.assertEqual((engine.threads, engine.hash, repr(engine)), (2, 1, "<Engine: 2 threads, 1 MB>"))
            self.assertIn(engine.analyse(Position(), nodes=5000).best, Position().legal_moves)
            engine.threads, engine.hash = 1, 2
            for name, bad in (("threads", 0), ("threads", 1000), ("hash", 0), ("hash", -5), ("hash", 1 << 60)):
                self.refuses("ARGUMENT", setattr, engine, name, bad)
                self.assertRaises(TypeError, setattr, engine, name, "1")
            self.assertEqual((engine.threads, engine.hash), (1, 2))
            self.assertEqual(engine.evaluate(Position()), engine.evaluate(Position().flip()))
            self.assertGreater(engine.evaluate(Position("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")), 300)
            self.assertIsInstance(engine.network_text, str)
            self.refuses("NETWORK", engine.load_network, b"nonsense")
            self.refuses("NETWORK", engine.load_network, b"")
            self.refuses("NETWORK", lambda: Engine(network=b"nonsense"))
            self.assertRaises(FileNotFoundError, engine.load_network, "/nonexistent")
            for bad in (0, 10**6, 1.5):  # a file descriptor is not a path
                self.assertRaises(TypeError, engine.load_network, bad)
            engine.load_network(None)
            self.assertIn(engine.analyse(Position(), nodes=100).best, Position().legal_moves)

    def test_what_is_refused(self):
        engine, start = Engine(), Position()
        self.refuses("ARGUMENT", engine.analyse, start)
        self.refuses("ARGUMENT", engine.play, start)
        for limits in ({"nodes": -1}, {"depth": 0}, {"depth": -1}, {"time": -0.5}, {"time": float("nan")}, {"mate": 0},
                       {"time": float("inf")}, {"soft_nodes": -2}, {"clock": luft.Clock(-1, 1)}, {"nodes": 1, "lines": 0},
                       {"nodes": 1, "lines": 257}, {"nodes": 1, "moves": []}, {"clock": luft.Clock(1, 1, 0, 0, -1)}):  # fmt: skip
            self.refuses("ARGUMENT", lambda limits=limits: engine.analyse(start, **limits))
        for limits in ({"nodes": "5"}, {"nodes": 5.0}, {"nodes": True}, {"depth": 3.5}, {"time": "1"}, {"clock": 5},
                       {"nodes": 1, "lines": "2"}, {"nodes": 1, "moves": "e4"}, {"nodes": 1, "report": 5}, {"moves": 5, "nodes": 1}):  # fmt: skip
            self.assertRaises(TypeError, lambda limits=limits: engine.analyse(start, **limits))
        self.refuses("MOVE_ILLEGAL", lambda: engine.analyse(start, nodes=1, moves=["e5"]))
        for bad in (None, luft.START_FEN, 5, start.setup()):
            self.assertRaises(TypeError, lambda bad=bad: engine.analyse(bad, nodes=1))
            self.assertRaises(TypeError, engine.evaluate, bad)
        self.assertRaises(TypeError, Engine, 5)
        self.refuses("ARGUMENT", lambda: Engine(seed=-1))
        self.refuses("ARGUMENT", lambda: Engine(overhead=9))
        for name in ("threads", "hash"):
            for bad in (0, -1, 2**31, 10**300):
                with self.assertRaisesRegex(LuftError, f"{name}: expected an integer from 1 to [0-9]+, got {str(bad)[:9]}") as caught:
                    Engine(**{name: bad})
                self.assertLess(len(str(caught.exception)), 250)
        for function in (pickle.dumps, copy.copy, copy.deepcopy):
            self.assertRaisesRegex(TypeError, "cannot be pickled or copied", function, engine)
        engine.stop()
        engine.close()
        engine.close()
        engine.stop()
        self.assertEqual((repr(engine), engine.is_searching), ("<Engine: closed>", False))
        self.assertRaisesRegex(ValueError, "closed", lambda: engine.analyse(start, nodes=1))
        self.assertRaisesRegex(ValueError, "closed", engine.evaluate, start)
        self.assertRaisesRegex(ValueError, "closed", engine.clear)

    def test_reports(self):
        with Engine() as engine:
            lines = []
            found = engine.analyse(Position(), depth=5, lines=2, report=lines.append)
            self.assertEqual({line.number for line in lines}, {1, 2})
            self.assertEqual(sorted(line.depth for line in lines), [line.depth for line in sorted(lines, key=lambda l: l.nodes)])
            self.assertEqual(lines[-2:][0].depth, found.depth)
            self.assertTrue(repr(lines[0]).startswith("<AnalysisLine 1: "))

            def fail(line):
                raise KeyError(line.depth)

            self.assertRaises(KeyError, lambda: engine.analyse(Position(), infinite=True, report=fail))
            found = engine.analyse(Position(), infinite=True, report=lambda line: line.depth >= 4 and engine.stop())
            self.assertGreaterEqual(found.depth, 3)
            errors = []

            def ask(line):
                for function in (engine.clear, lambda: engine.analyse(Position(), nodes=1), lambda: engine.evaluate(Position()),
                                 lambda: setattr(engine, "hash", 1)):  # fmt: skip
                    try:
                        function()
                    except LuftError as error:
                        errors.append(error.name)

            engine.analyse(Position(), depth=1, report=ask)
            self.assertEqual(set(errors), {"BUSY"})
            found = engine.analyse(Position(), infinite=True, report=lambda line: engine.close())
            self.assertIsNotNone(found.best)
            self.assertEqual(repr(engine), "<Engine: closed>")

    def test_other_threads_run_during_a_search(self):
        with Engine() as engine:
            found = []
            thread = threading.Thread(target=lambda: found.append(engine.analyse(Position(), infinite=True)))
            thread.start()
            while not engine.is_searching:
                pass
            self.refuses("BUSY", lambda: engine.analyse(Position(), nodes=1))
            self.refuses("BUSY", engine.evaluate, Position())
            while thread.is_alive():
                engine.stop()
                thread.join(0.01)
            self.assertIn(found[0].best, Position().legal_moves)
            self.assertFalse(engine.is_searching)

    def test_many_engines_search_at_once(self):
        def search(number):
            with Engine(hash=1) as engine:
                return engine.analyse(Position.chess960(number), nodes=2000)[1:8]

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = list(pool.map(search, range(12)))
        self.assertEqual(found, list(map(search, range(12))))

    def test_an_interrupt_ends_a_search(self):
        # A shell starts background jobs with SIGINT ignored; Python then has no handler for it.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        with Engine() as engine:
            timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
            timer.start()
            self.assertRaises(KeyboardInterrupt, lambda: engine.analyse(Position(), infinite=True))
            timer.join()
            self.assertIn(engine.analyse(Position(), nodes=100).best, Position().legal_moves)

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_a_forked_process_can_use_its_copy_of_an_engine(self):
        """The threads of a search stay in the parent: the child gets no answer from them, and must not wait for one."""

        def child_status(function):
            if (process := os.fork()) == 0:
                signal.alarm(20)  # ends a child that hangs
                try:
                    function()
                finally:
                    os._exit(1)
            return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

        def search():
            os._exit(40 + engine.analyse(Position(), depth=3).depth)

        def refused():
            self.refuses("BUSY", engine.evaluate, Position())
            engine.stop()
            engine.close()
            os._exit(40 + Engine(hash=1).analyse(Position(), depth=2).depth)

        engine, begun = Engine(hash=1, threads=2), threading.Event()
        engine.analyse(Position(), depth=2)
        self.assertEqual(child_status(search), 43)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            work = pool.submit(engine.analyse, Position(), infinite=True, report=lambda line: begun.set())
            begun.wait()
            status = child_status(refused)
            engine.stop()
            self.assertIsNotNone(work.result().best)
        self.assertEqual(status, 42)

    def test_python_ends_while_an_engine_searches(self):
        program = (
            "import luft, threading\nengine, begun = luft.Engine(hash=1), threading.Event()\n"
            "search = lambda: engine.analyse(luft.Position(), infinite=True, report=lambda line: begun.set())\n"
            "threading.Thread(target=search, daemon=True).start()\nbegun.wait()"
        )
        subprocess.run([sys.executable, "-c", program], check=True, timeout=30)

    def test_results_are_values(self):
        with Engine() as engine:
            found = engine.analyse(Position(), nodes=1000, lines=2)
        for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
            self.assertEqual((other, type(other), type(other.lines[0])), (found, luft.Analysis, luft.AnalysisLine))
        self.assertEqual(hash(found), hash(pickle.loads(pickle.dumps(found))))
        score = luft.Score(31, None, Bound.LOWER)
        self.assertEqual((str(score), str(-score), -(-score)), (">=+0.31", "<=-0.31", score))
        self.assertEqual(str(luft.Score(None, None, Bound.EXACT)), "?")

    def test_engines_are_freed(self):
        def round():
            engine = Engine(hash=1)
            engine.analyse(Position(), nodes=300, lines=2, report=lambda line: engine.is_searching)
            for bad in ({}, {"nodes": -1}, {"nodes": 1, "moves": ["e5"]}, {"nodes": 1, "lines": 0}):
                self.assertRaises(LuftError, lambda: engine.analyse(Position(), **bad))
            self.assertRaises(ZeroDivisionError, lambda: engine.analyse(Position(), depth=2, report=lambda line: 1 / 0))

        def memory_after(rounds):
            for _ in range(rounds):
                round()
            gc.collect()
            return tracemalloc.get_traced_memory()[0]

        tracemalloc.start()
        try:
            sizes = [memory_after(5) for _ in range(5)]
        finally:
            tracemalloc.stop()
        self.assertLess(min(after - before for before, after in zip(sizes[1:], sizes[2:])), 5 * 16)


class AsyncEngines(TestCase):
    def test_coroutines(self):
        async def main():
            threads = set()
            async with luft.AsyncEngine(hash=1) as engine:
                found, move, value = await asyncio.gather(
                    engine.analyse(Position(), nodes=2000, report=lambda line: threads.add(threading.get_ident())),
                    engine.play(Position(MATE_IN_ONE), depth=2),
                    engine.evaluate(Position()),
                )
                await engine.clear()
                self.refuses("ARGUMENT", lambda: engine.engine.analyse(Position()))
                with self.assertRaises(LuftError):
                    await engine.analyse(Position())
                self.assertIn("<AsyncEngine: 1 thread, ", repr(engine))
                self.assertRaises(TypeError, pickle.dumps, engine)
            self.assertEqual(repr(engine), "<AsyncEngine: closed>")
            return found, move, value, threads

        found, move, value, threads = asyncio.run(main())
        self.assertIn(found.best, Position().legal_moves)
        self.assertEqual((move.uci, type(value), threads), ("a1a8", int, {threading.get_ident()}))

    def test_a_cancelled_search_is_stopped(self):
        async def main():
            async with luft.AsyncEngine(hash=1) as engine:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(engine.analyse(Position(), infinite=True), 0.05)
                self.assertFalse(engine.engine.is_searching)
                task = asyncio.ensure_future(engine.analyse(Position(), infinite=True))
                ticks = 0
                while not engine.engine.is_searching or ticks < 3:
                    ticks += 1
                    await asyncio.sleep(0.005)  # the event loop runs meanwhile
                engine.stop()
                self.assertIn((await task).best, Position().legal_moves)

        asyncio.run(asyncio.wait_for(main(), 60))

    def test_a_search_is_cancelled_twice(self):
        async def cancel(engine, pauses):
            task = asyncio.ensure_future(engine.analyse(Position(), infinite=True))
            for pause in pauses:
                await asyncio.sleep(pause)
                task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        async def main():
            async with luft.AsyncEngine(hash=1) as engine:
                for pauses in ((0, 0), (0, 0, 0), (0.001, 0), (0.05, 0, 0, 0.001), (0.05, 0.005)):
                    await cancel(engine, pauses)
                    self.assertFalse(engine.engine.is_searching)
                    self.assertIsInstance(await asyncio.wait_for(engine.evaluate(Position()), 20), int)
                # A call that waits is cancelled; the search before it goes on.
                first = asyncio.ensure_future(engine.analyse(Position(), infinite=True))
                while not engine.engine.is_searching:
                    await asyncio.sleep(0.001)
                await cancel(engine, (0.001, 0))
                self.assertTrue(engine.engine.is_searching)
                engine.stop()
                self.assertIn((await first).best, Position().legal_moves)

        asyncio.run(asyncio.wait_for(main(), 60))

    def test_what_a_report_raises(self):
        lines = []

        def report(line):
            lines.append(line)
            raise ZeroDivisionError("of the report")

        class Awaitable:
            async def __call__(self, line):
                pass

        async def main():
            async with luft.AsyncEngine(hash=1) as engine:
                with self.assertRaisesRegex(ZeroDivisionError, "of the report"):
                    await engine.analyse(Position(), infinite=True, report=report)
                self.assertEqual(len(lines), 1)
                self.assertEqual((await engine.analyse(Position(), nodes=500)).nodes, 500)
                for bad in (Awaitable(), Awaitable().__call__, "report"):
                    with self.assertRaises(TypeError):
                        await engine.analyse(Position(), depth=1, report=bad)
                    self.assertRaises(TypeError, lambda: engine.engine.analyse(Position(), depth=1, report=bad))

        asyncio.run(asyncio.wait_for(main(), 60))

    def test_an_engine_serves_several_event_loops(self):
        engine = luft.AsyncEngine(hash=1)

        async def main():
            found = await asyncio.gather(*(engine.analyse(Position(), nodes=2000) for _ in range(4)))
            return [analysis.nodes for analysis in found]

        def run(results):
            results.append(asyncio.run(asyncio.wait_for(main(), 60)))

        results = []
        run(results)
        threads = [threading.Thread(target=run, args=(results,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [[2000] * 4] * 3)
        engine.close()

    def test_a_closed_engine_says_so(self):
        async def main():
            engine = luft.AsyncEngine(hash=1)
            calls = [asyncio.ensure_future(engine.analyse(Position(), infinite=True)) for _ in range(3)]
            while not engine.engine.is_searching:
                await asyncio.sleep(0.001)
            engine.close()
            self.assertIn((await calls[0]).best, Position().legal_moves)
            for call in (*calls[1:], engine.evaluate(Position()), engine.clear(), engine.play(Position(), depth=1)):
                with self.assertRaisesRegex(ValueError, "^the engine is closed$"):
                    await call

        asyncio.run(asyncio.wait_for(main(), 60))


# --- Tablebases and books ------------------------------------------------------------


SYZYGY = ROOT / "tests" / "data" / "syzygy"
CLASSICS = ROOT / "tests" / "data" / "book" / "classics.bin"
MATED = "8/8/8/8/8/1k6/1q6/K7 w - - 0 1"
ROOK_ENDING = "8/8/8/8/3k4/8/8/KR6 w - - 0 1"


def tables_in_memory():
    return {path.name: path.read_bytes() for path in SYZYGY.glob("*.rtb?")}


def endings(count, seed):
    """Random positions of the endings of which there are tables."""
    source = random.Random(seed)
    while count:
        setup = Setup()
        squares = source.sample(range(64), 3)
        for where, letter in zip(squares, ["K", "k", source.choice("QRBNPqrbnp")]):
            setup.set_piece_at(where, letter)
        setup.turn = source.choice([WHITE, BLACK])
        if setup.is_valid:
            count -= 1
            yield setup.position


class Tablebases(TestCase):
    def test_known_positions(self):
        with luft.Tablebase(SYZYGY) as tablebase:
            self.assertEqual((len(tablebase), tablebase.largest, repr(tablebase)), (10, 3, "<Tablebase: 10 tables, up to 3 pieces>"))
            for fen, wdl, dtz in (
                (MATED, TablebaseResult.LOSS, -1),
                ("8/8/8/8/8/1k6/7q/K7 b - - 0 1", TablebaseResult.WIN, 1),  # Qb2#
                ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", TablebaseResult.DRAW, 0),  # stalemate
                ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", TablebaseResult.WIN, 1),  # the pawn promotes
                (BARE_KINGS, TablebaseResult.DRAW, 0),
            ):
                self.assertIs(tablebase.probe_wdl(Position(fen)), wdl, fen)
                self.assertEqual(tablebase.probe_dtz(Position(fen)), dtz, fen)
            self.assertEqual(tablebase.probe_root(Position(MATED)), [])

    def test_a_result_is_that_of_the_best_move(self):
        with luft.Tablebase(SYZYGY) as tablebase:
            for position in endings(300, 21):
                wdl, dtz, ranked = tablebase.probe_wdl(position), tablebase.probe_dtz(position), tablebase.probe_root(position)
                children = {move: -tablebase.probe_wdl(position.play(move)) for move in position.legal_moves}
                self.assertEqual({entry.move: int(entry.wdl) for entry in ranked}, children)
                self.assertEqual([entry.rank for entry in ranked], sorted((entry.rank for entry in ranked), reverse=True))
                if ranked:
                    self.assertEqual((wdl, ranked[0].wdl, ranked[0].dtz), (max(children.values()), wdl, dtz))
                self.assertEqual((dtz > 0) - (dtz < 0), (wdl > 0) - (wdl < 0))

    def test_the_first_move_leads_to_the_result(self):
        with luft.Tablebase(SYZYGY) as tablebase:
            for position in endings(12, 22):
                game, wdl = Game(position), tablebase.probe_wdl(position)
                while not game.outcome.is_over and len(game) < 120:
                    game.play(tablebase.probe_root(game)[0].move)
                    wdl = -wdl
                winner = None if wdl == 0 else (game.position.turn if wdl > 0 else Color(1 - game.position.turn))
                self.assertEqual(game.outcome.winner, winner, position)

    def test_the_clock_and_repetitions_count(self):
        with luft.Tablebase(SYZYGY) as tablebase:
            late = Position(ROOK_ENDING.replace("- 0 1", "- 99 80"))
            self.assertLess(tablebase.probe_root(late)[0].wdl, TablebaseResult.WIN)
            self.assertEqual(tablebase.probe_root(late, fifty_move_rule=False)[0].wdl, TablebaseResult.WIN)
            game = Game(ROOK_ENDING)
            game.play("Rb2", "Kc3", "Rb1", "Kd4", "Rb2", "Kc3", "Rb1")  # Kd4 gives the start position a third time
            found = {entry.move.uci: entry.wdl for entry in tablebase.probe_root(game)}
            alone = {entry.move.uci: entry.wdl for entry in tablebase.probe_root(game.position)}
            self.assertEqual((found["c3d4"], alone["c3d4"]), (TablebaseResult.DRAW, TablebaseResult.LOSS))

    def test_every_way_of_opening_gives_the_same(self):
        ways = [
            luft.Tablebase(str(SYZYGY)), luft.Tablebase([SYZYGY, str(SYZYGY)]), luft.Tablebase(f"{SYZYGY}{os.pathsep}"),
            luft.Tablebase(SYZYGY, mmap=True), luft.Tablebase(tables=tables_in_memory()),
            luft.Tablebase(tables={name: memoryview(bytearray(data)) for name, data in tables_in_memory().items()}),
        ]  # fmt: skip
        for position in endings(30, 23):
            self.assertEqual(len({(way.probe_wdl(position), way.probe_dtz(position)) for way in ways}), 1)
        self.assertEqual({len(way) for way in ways}, {10})
        self.assertEqual([table[:4] for table in ways[0].tables], [table[:4] for table in ways[4].tables])
        self.assertEqual((ways[0].tables[0].path, ways[4].tables[0].path), (str(SYZYGY / "KBvK.rtbw"), None))
        self.assertEqual(sum(table.kind == "wdl" for table in ways[0].tables), 5)
        self.assertEqual([way.verify() for way in ways], [[]] * len(ways))
        wdl = luft.Tablebase(tables={name: data for name, data in tables_in_memory().items() if name.endswith("w")})
        self.assertEqual({entry.dtz for entry in wdl.probe_root(Position(ROOK_ENDING))}, {None})
        self.assertEqual(wdl.get_dtz(Position(ROOK_ENDING), "none"), "none")

    def test_engines_probe(self):
        # White wins by the opposition, which one ply does not see.
        pawn_ending = Position("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")

        def score(engine):
            engine.clear()
            return engine.analyse(pawn_ending, depth=1).score.centipawns

        tablebase = luft.Tablebase(SYZYGY)
        with Engine(hash=1, tablebase=tablebase) as engine, Engine(hash=1) as other:
            self.assertIs(engine.tablebase, tablebase)
            self.assertIsNone(other.tablebase)
            self.assertGreater(score(engine), 19000)
            self.assertLess(score(other), 10000)
            tablebase.close()  # the engine still has it
            self.assertRaises(ValueError, tablebase.probe_wdl, pawn_ending)
            self.assertRaises(ValueError, setattr, other, "tablebase", tablebase)
            for bad in (5, str(SYZYGY), Position()):
                self.assertRaises(TypeError, setattr, engine, "tablebase", bad)
            self.assertIs(engine.tablebase, tablebase)
            self.assertGreater(score(engine), 19000)
            engine.tablebase = None
            self.assertIsNone(engine.tablebase)
            self.assertLess(score(engine), 10000)
            engine.tablebase = luft.Tablebase(tables=tables_in_memory())
            gc.collect()
            self.assertGreater(score(engine), 19000)

    def test_an_engine_and_its_tablebase_are_freed(self):
        class Mine(luft.Tablebase):
            pass

        tablebase = Mine(SYZYGY)
        freed = weakref.ref(tablebase)
        tablebase.engine = Engine(hash=1, tablebase=tablebase)
        del tablebase
        gc.collect()
        self.assertIsNone(freed())

    def test_missing_tables(self):
        with luft.Tablebase(SYZYGY) as tablebase:
            for fen in (luft.START_FEN, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/8/8/8/RR2K3 w - - 0 1"):
                for probe in (tablebase.probe_wdl, tablebase.probe_dtz, tablebase.probe_root):
                    message = self.refuses("MISSING", probe, Position(fen))
                    self.assertEqual(message, f"no table for this position: {fen}")
                self.assertEqual((tablebase.get_wdl(Position(fen)), tablebase.get_dtz(Position(fen), 7)), (None, 7))
            self.assertRaises(KeyError, tablebase.probe_wdl, Position())
            self.assertRaises(luft.MissingTableError, tablebase.probe_wdl, Position())
            self.assertEqual(tablebase.get_wdl(Position(MATED), 5), TablebaseResult.LOSS)
        self.assertEqual((len(luft.Tablebase()), luft.Tablebase().largest), (0, 0))

    def test_damaged_tables(self):
        tables = tables_in_memory()
        table = tables["KRvK.rtbw"]
        cut = luft.Tablebase(tables={**tables, "KRvK.rtbw": table[:-1]})
        self.assertEqual([(fault.name, fault.kind, fault.error) for fault in cut.faults], [("KRvK", "wdl", Error.DAMAGED)])
        self.assertIn("size", cut.faults[0].reason)
        changed = luft.Tablebase(tables={**tables, "KRvK.rtbw": b"\0" + table[1:]})
        self.assertEqual(changed.faults, [])
        self.refuses("DAMAGED", changed.get_wdl, Position(ROOK_ENDING))
        self.assertEqual((changed.get_wdl(Position(ROOK_ENDING)), len(changed.faults)), (None, 1))
        self.assertEqual(changed.get_wdl(Position(MATED)), TablebaseResult.LOSS)
        flipped = luft.Tablebase(tables={**tables, "KRvK.rtbw": table[:-1] + bytes([table[-1] ^ 1])})
        self.assertEqual([(fault.name, fault.reason) for fault in flipped.verify()], [("KRvK", "its checksum does not match")])

    def test_what_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "a:b"))
            self.refuses("ARGUMENT", luft.Tablebase, [os.path.join(folder, "a:b")])
            self.assertRaises(FileNotFoundError, luft.Tablebase, os.path.join(folder, "none"))
            self.assertRaises(FileNotFoundError, luft.Tablebase, [folder, os.path.join(folder, "none")])
        self.assertRaises(NotADirectoryError, luft.Tablebase, CLASSICS)
        self.assertRaises(ValueError, luft.Tablebase, "a\0b")
        for bad in ("KQvK", "KQvK.bin", "../KQvK.rtbw", "KQvK.rtbw\0", "", "\ud800"):
            self.refuses("ARGUMENT", lambda: luft.Tablebase(tables={bad: b""}))
        for bad in (lambda: luft.Tablebase(5), lambda: luft.Tablebase([5]), lambda: luft.Tablebase(tables={"KQvK.rtbw": 5}),
                    lambda: luft.Tablebase(tables={5: b""}), lambda: luft.Tablebase(tables={"KQvK.rtbw": "text"})):  # fmt: skip
            self.assertRaises(TypeError, bad)
        tablebase = luft.Tablebase(SYZYGY)
        for bad in (None, MATED, 5, Game()):
            self.assertRaises(TypeError, tablebase.probe_wdl, bad)
            self.assertRaises(TypeError, tablebase.get_dtz, bad)
        self.assertRaises(TypeError, tablebase.probe_root, MATED)
        self.refuses("ARGUMENT", tablebase._check, -1)
        self.refuses("ARGUMENT", tablebase._check, 10)
        for function in (pickle.dumps, copy.copy, copy.deepcopy):
            with self.assertRaisesRegex(TypeError, "a Tablebase cannot be pickled or copied: open it again"):
                function(tablebase)
        with tablebase as same:
            self.assertIs(same, tablebase)
        tablebase.close()
        self.assertEqual(repr(tablebase), "<Tablebase: closed>")
        for closed in (lambda: len(tablebase), lambda: tablebase.largest, lambda: tablebase.tables, lambda: tablebase.faults,
                       lambda: tablebase.probe_wdl(Position(MATED)), lambda: tablebase.probe_root(Position(MATED)),
                       lambda: tablebase.get_dtz(Position(MATED)), lambda: tablebase.verify()):  # fmt: skip
            self.assertRaisesRegex(ValueError, "the tablebase is closed", closed)

    def test_threads_share_a_tablebase(self):
        positions = list(endings(200, 24))
        with luft.Tablebase(SYZYGY) as tablebase, luft.Tablebase(SYZYGY) as other:
            expected = [other.probe_dtz(position) for position in positions]
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                found = list(pool.map(lambda number: [tablebase.probe_dtz(position) for position in positions], range(8)))
        self.assertEqual(found, [expected] * 8)

    def test_it_is_closed_while_threads_probe(self):
        positions = list(endings(50, 25))

        def probe(tablebase):
            try:
                while True:
                    for position in positions:
                        tablebase.probe_root(position)
            except ValueError as error:
                return str(error)

        for _ in range(10):
            tablebase = luft.Tablebase(SYZYGY)
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                tasks = [pool.submit(probe, tablebase) for _ in range(4)]
                tablebase.probe_root(positions[0])
                tablebase.close()
                self.assertEqual({task.result(60) for task in tasks}, {"the tablebase is closed"})


class Books(TestCase):
    def slow_find(self, position):
        """The legal moves of the book in a position, found by reading the whole file."""
        moves = {}
        for key, code, weight, learn in struct.iter_unpack(">QHHI", CLASSICS.read_bytes()):
            if key == position.polyglot_key:
                names = [luft.square_name((code >> shift & 63) ^ 56) for shift in (6, 0)]
                move = position.parse_uci("".join(names) + " nbrq"[code >> 12].strip())
                moves[move] = moves.get(move, 0) + weight
        return moves

    def test_moves_are_those_of_the_file(self):
        book, found = luft.Book(CLASSICS), 0
        for game in luft.read_pgn(ROOT / "tests" / "data" / "pgn" / "classics.pgn"):
            position = game.start
            for move in [*game.moves[:12], None]:
                entries = book.find_all(position)
                self.assertEqual({entry.move: entry.weight for entry in entries}, self.slow_find(position))
                self.assertEqual([entry.weight for entry in entries], sorted((entry.weight for entry in entries), reverse=True))
                found += len(entries)
                position = position.play(move) if move else position
        self.assertGreater(found, 20)
        self.assertEqual(book.find_all(Position(KIWIPETE)), [])

    def test_a_book_is_a_sequence_of_its_entries(self):
        data = CLASSICS.read_bytes()
        entries = list(struct.iter_unpack(">QHHI", data))
        for book in (luft.Book(CLASSICS), luft.Book(str(CLASSICS)), luft.Book(data)):
            self.assertEqual((list(book), len(book), book[0], book[-1]), (entries, len(entries), entries[0], entries[-1]))
            self.assertEqual((bytes(book), repr(book)), (data, f"<Book: {len(entries)} entries>"))
            self.assertIsInstance(book[0], luft.BookEntry)
            for index in (len(entries), -len(entries) - 1, 1 << 70):
                self.assertRaises(IndexError, operator.getitem, book, index)
            self.assertRaises(TypeError, operator.getitem, book, "0")

    def test_a_book_is_made(self):
        start, castling = Position(), Position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        entries = [
            luft.BookEntry.make(start, "e4", 3), luft.BookEntry.make(start, "d4", 65535, 7),
            luft.BookEntry.make(castling, "O-O", 1), luft.BookEntry.make(castling, "Rh7", 0),
        ]  # fmt: skip
        # The key of the start position, and e2e4 and e1h1 in bits of a1 = 0, as the format defines them.
        self.assertEqual(entries[0], (0x463B96181691FC9C, 12 << 6 | 28, 3, 0))
        self.assertEqual(entries[2].raw_move, 4 << 6 | 7)
        book = luft.Book.from_entries(entries)
        self.assertEqual([(str(entry.move), entry.weight, entry.learn) for entry in book.find_all(start)], [("d2d4", 65535, 7), ("e2e4", 3, 0)])
        self.assertEqual([(entry.move.uci, entry.weight) for entry in book.find_all(castling)], [("e1g1", 1), ("h1h7", 0)])
        self.assertEqual(set(book), set(entries))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "book.bin")
            book.write(path)
            self.assertEqual((path.read_bytes(), bytes(luft.Book(path))), (bytes(book), bytes(book)))
        for source in (luft.Book.from_entries(iter(book)), luft.Book.from_entries(reversed(entries))):
            self.assertEqual(bytes(source), bytes(book))

    def test_en_passant_counts_as_the_format_defines_it(self):
        # After e4 the pawn on d4 is pinned: no capture is legal, and yet the key counts the file.
        game = Game("3k4/8/8/8/3p4/8/4P3/3R3K w - - 0 1")
        push = game.position.parse("e4")
        game.play(push)
        entry = luft.BookEntry.make(game, "Kc7", 1)
        capture = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"
        file_e = Position(capture).polyglot_key ^ Position(capture.replace("e3", "-")).polyglot_key
        self.assertEqual(entry.key, game.position.polyglot_key ^ file_e)
        book = luft.Book.from_entries([entry])
        for found in (book.find_all(game), *(book.find_all(game.position, en_passant=where) for where in (push, "e3", luft.E3))):
            self.assertEqual([move.move.uci for move in found], ["d8c7"])
        self.assertEqual(book.find_all(game.position), [])
        self.assertEqual(book.pick(game).uci, "d8c7")
        self.assertIsNone(book.pick(game.position))
        self.assertEqual(luft.BookEntry.make(game.position, "Kc7", 1, en_passant=push), entry)

    def test_a_pick_is_by_weight(self):
        start = Position()
        weights = {"e2e4": 600, "d2d4": 300, "c2c4": 100, "a2a3": 0}
        book = luft.Book.from_entries(luft.BookEntry.make(start, move, weight) for move, weight in weights.items())
        source, counts = random.Random(5), dict.fromkeys(weights, 0)
        for _ in range(10000):
            counts[book.pick(start, source).uci] += 1
        for move, weight in weights.items():
            deviation = (10000 * weight / 1000 * (1 - weight / 1000)) ** 0.5
            self.assertLessEqual(abs(counts[move] - 10 * weight), 5 * deviation, counts)
        one, two = ([book.pick(start, random.Random(seed)) for seed in range(50)] for _ in range(2))
        self.assertEqual(one, two)
        self.assertIn(book.pick(start).uci, weights)
        zeros = luft.Book.from_entries([luft.BookEntry.make(start, "e4", 0)])
        self.assertEqual((zeros.pick(start), len(zeros.find_all(start))), (None, 1))

    def test_what_is_refused(self):
        entry = luft.BookEntry.make(Position(), "e4", 1)
        data = struct.pack(">QHHI", *entry)
        for bad in (b"", data[:-1], data + bytes(16)):
            self.refuses("BOOK", luft.Book, bad)
        self.assertIn("byte 16 of", self.refuses("BOOK", luft.Book, data + bytes(16)))
        self.refuses("BOOK", luft.Book.from_entries, [])
        with tempfile.TemporaryDirectory() as folder:
            self.assertRaises(FileNotFoundError, luft.Book, os.path.join(folder, "none"))
            self.assertIn(folder, self.refuses("READ", luft.Book, folder))
            os.mkfifo(os.path.join(folder, "fifo"))
            self.refuses("READ", luft.Book, pathlib.Path(folder, "fifo"))
        for bad in (None, 3.5, bytearray(data)):
            self.assertRaises(TypeError, luft.Book, bad)
        self.refuses("ARGUMENT", luft.BookEntry.make, Position(), "e4", 65536)
        self.refuses("ARGUMENT", luft.BookEntry.make, Position(), "e4", -1)
        self.refuses("ARGUMENT", luft.BookEntry.make, Position(), "e4", 1, 1 << 32)
        self.refuses("MOVE_ILLEGAL", luft.BookEntry.make, Position(), "e5", 1)
        self.assertRaises(TypeError, luft.BookEntry.make, luft.START_FEN, "e4", 1)
        self.assertRaises(TypeError, luft.BookEntry.make, Position(), "e4", "1")
        for bad in (entry._replace(key=-1), entry._replace(key=1 << 64), entry._replace(weight=1 << 16), entry._replace(raw_move=1 << 16)):
            self.refuses("ARGUMENT", luft.Book.from_entries, [bad])
        for bad in ([(1, 2, 3)], [(1, 2, 3, 4, 5)], [entry, (1, 2, "3", 4)], 5, [None]):
            self.assertRaises(TypeError, luft.Book.from_entries, bad)
        self.refuses("OVERFLOW", luft.Book.from_entries, [entry] * 1025)
        book = luft.Book(CLASSICS)
        for bad in (None, luft.START_FEN, 5):
            self.assertRaises(TypeError, book.find_all, bad)
            self.assertRaises(TypeError, book.pick, bad)
        self.assertRaises(ValueError, lambda: book.find_all(Position(), en_passant="e9"))
        for function in (pickle.dumps, copy.copy, copy.deepcopy):
            with self.assertRaisesRegex(TypeError, "a Book cannot be pickled or copied: open it again"):
                function(book)
        with book as same:
            self.assertIs(same, book)
        book.close()
        self.assertEqual(repr(book), "<Book: closed>")
        for closed in (lambda: len(book), lambda: book[0], lambda: list(book), lambda: bytes(book), lambda: book.pick(Position()),
                       lambda: book.find_all(Position())):  # fmt: skip
            self.assertRaisesRegex(ValueError, "the book is closed", closed)

    def test_tablebases_and_books_are_freed(self):
        data, tables = CLASSICS.read_bytes(), tables_in_memory()

        def round():
            tablebase, book = luft.Tablebase(SYZYGY, tables=tables), luft.Book(data)
            position, game = Position(ROOK_ENDING), Game(ROOK_ENDING)
            game.play("Rb2")
            for probe in (tablebase.probe_wdl, tablebase.probe_dtz, tablebase.probe_root, tablebase.get_wdl):
                probe(position)
                self.assertRaises((LuftError, TypeError), probe, (Position() if probe != tablebase.get_wdl else None))
            tablebase.probe_root(game), tablebase.verify(), tablebase.tables, repr(tablebase), weakref.ref(tablebase)
            book.find_all(Position()), book.pick(Position()), list(book), bytes(book), repr(book), weakref.ref(book)
            luft.Book.from_entries(book)
            for bad in (lambda: luft.Tablebase(tables={"x": b""}), lambda: luft.Tablebase("no such directory"), lambda: luft.Book(b"x"),
                        lambda: luft.Book.from_entries([(1, 2, 3, -4)]), lambda: luft.Book.from_entries([(1, 2, 3)]), lambda: book[1000],
                        lambda: luft.BookEntry.make(Position(), "e5", 1), lambda: luft.Book(ROOT)):  # fmt: skip
                self.assertRaises((LuftError, TypeError, OSError, IndexError), bad)

        def memory_after(rounds):
            for _ in range(rounds):
                round()
            gc.collect()
            return tracemalloc.get_traced_memory()[0]

        tracemalloc.start()
        try:
            sizes = [memory_after(5) for _ in range(5)]
        finally:
            tracemalloc.stop()
        self.assertLess(min(after - before for before, after in zip(sizes[1:], sizes[2:])), 5 * 16)


# --- Everything together: pickles, copies, equality, subclasses ----------------------


class MyTree(PgnTree):
    pass


class MyPosition(Position):
    def material(self):
        return sum(" pnbrqk".find(piece.lower()) for piece in self.piece_map().values())


class MyGame(Game):
    pass


class MyError(LuftError):
    pass


class Lives(TestCase):
    def things(self):
        """Pairs of equal things, made apart from each other; then whether they are hashable."""

        def make():
            game = Game()
            game.play("e4", "e5", "Nf3")
            game.undo()
            batch = next(luft.PgnReader(PGN.encode()).batches())
            position = Position(KIWIPETE)
            values = [
                position, MyPosition(KIWIPETE), position.parse("O-O"), Move.from_uci("e7e8q"), Move.NONE, SquareSet([4, 7]),
                position.outcome, position.planes, position.keys, position.king_constraints(), game.opening, WHITE,
                Piece.BLACK_KING, luft.KING, Claim.FIFTY_MOVE_RULE, Status.BAD_KEY, Error.END, Termination.CHECKMATE,
                LuftError(Error.POSITION, "why", 6), MyError(Error.END), Positions([position]), Positions("nonsense"),
                batch, batch[1], batch[2].errors[0], luft.Epd(EpdLines.LINE), luft.Word("e4"),
                Author.ENGINE, luft.Comment("text", Author.PERSON), luft.MissingTableError(Error.MISSING, "why"),
                TablebaseResult.WIN, luft.BookEntry.make(Position(), "e4", 1),
            ]  # fmt: skip
            cut = PgnTree.parse("1. e4 Ke3 *")
            return values, [game, position.setup(), PgnTree.parse(TREE), cut, PgnTree(MyPosition(KIWIPETE))]

        for (hashable, others), (hashable_too, others_too) in [(make(), make())]:
            yield from ((one, two, True) for one, two in zip(hashable, hashable_too))
            yield from ((one, two, False) for one, two in zip(others, others_too))

    def test_everything_is_pickled_copied_and_compared(self):
        for one, two, is_hashable in self.things():
            copies = [pickle.loads(pickle.dumps(one, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
            for other in (two, copy.copy(one), copy.deepcopy(one), *copies):
                self.assertIs(type(other), type(one))
                self.assertEqual(other, one)
                self.assertFalse(other != one)
                self.assertFalse(one == "something else")
                if is_hashable:
                    self.assertEqual(hash(other), hash(one))
                else:
                    self.assertRaises(TypeError, hash, one)

    def test_different_things_are_unequal(self):
        hashable = [one for one, _, is_hashable in self.things() if is_hashable]
        batch = next(luft.PgnReader(PGN.encode()).batches())
        self.assertEqual(len(set(batch)), len(batch))
        self.assertNotEqual(batch[0], batch[1])
        self.assertNotEqual(LuftError(Error.END), LuftError(Error.END, "why"))
        self.assertNotEqual(LuftError(Error.END), MyError(Error.END))
        self.assertNotEqual(Positions([Position()]), Positions([Position(KIWIPETE)]))
        self.assertNotEqual(Position().setup(), Position(KIWIPETE).setup())
        self.assertGreater(len(set(map(repr, hashable))), len(hashable) - 2)
        one, two = Game(), Game()
        one.play("e4")
        self.assertNotEqual(one, two)
        two.play("e4", "e5")
        self.assertNotEqual(one, two)
        two.undo()
        self.assertNotEqual(one, two)  # it has a move to redo

    def test_an_error_comes_back_from_another_process(self):
        with multiprocessing.get_context("fork").Pool(1) as pool:
            task = pool.apply_async(Position, ("8/8/8/8/8/8/8/8 w - - 0 1",))
            with self.assertRaises(LuftError) as caught:
                task.get(timeout=60)
        self.assertEqual((caught.exception.name, caught.exception.status), ("POSITION", Setup().status))
        self.assertIn("no king", str(caught.exception))

    def test_a_copy_keeps_what_belongs_to_it(self):
        game = MyGame()
        game.play("e4", "e5")
        game.undo()
        game.name = ["mine"]
        for other in (game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            self.assertEqual((type(other), other, other.name), (MyGame, game, ["mine"]))
            other.redo()
            self.assertNotEqual(other, game)
        self.assertIs(copy.copy(game).name, game.name)
        self.assertIsNot(copy.deepcopy(game).name, game.name)
        error = LuftError(Error.END)
        error.place = "here"
        self.assertEqual(pickle.loads(pickle.dumps(error)).place, "here")

    def test_a_node_is_pickled_with_its_tree(self):
        tree = PgnTree.parse(TREE)
        node = tree.root.next.children[1].children[1]
        self.assertEqual(copy.copy(node), node)
        for other in (copy.deepcopy(node), pickle.loads(pickle.dumps(node))):
            self.assertEqual((other.san, other.tree), ("c3", tree))
            self.assertNotEqual(other, node)
        one, two = pickle.loads(pickle.dumps([tree, node]))
        self.assertIs(two.tree, one)
        restore, (_, path) = node.__reduce__()
        self.assertEqual(path, [0, 1, 1])
        self.refuses("PGN", restore, tree, [7])
        self.assertRaises(TypeError, restore, tree, [None])
        restore, (kind, pgn, errors), _ = tree.__reduce__()
        self.refuses("END", restore, kind, b"", errors)
        self.assertRaises(TypeError, restore, int, pgn, errors)
        mine = MyTree(MyPosition())
        mine.note = ["mine"]
        other = pickle.loads(pickle.dumps(mine))
        self.assertEqual((type(other), type(other.start), other.note), (MyTree, MyPosition, ["mine"]))
        self.assertIs(mine.copy().note, mine.note)
        self.assertEqual(PgnTree.parse("1. e4 Ke3 *").copy().errors[0].name, "MOVE_ILLEGAL")

    def test_subclasses_survive(self):
        position = MyPosition()
        for other in (
            position.play("e4"), position.play(position.parse("e4")).pass_turn(), position.flip(), MyPosition.chess960(3),
            MyPosition.from_compact(position.compact), MyPosition.from_planes(position.planes), Game(position).position,
            Game(position).copy().position, pickle.loads(pickle.dumps(Game(position))).start,
        ):  # fmt: skip
            self.assertIs(type(other), MyPosition)
            self.assertEqual(other.material(), 2 * (8 + 2 * 2 + 2 * 3 + 2 * 4 + 5 + 6))
        self.assertEqual((position, hash(position)), (Position(), hash(Position())))
        self.assertEqual(repr(position), f"MyPosition({luft.START_FEN!r})")
        position.note = "mine"
        self.assertEqual(copy.copy(position).note, "mine")
        seen = weakref.ref(position)
        position.itself = position
        del position, other
        gc.collect()
        self.assertIsNone(seen())

    def test_nothing_is_written_into_the_memory_of_batches(self):
        batch = Positions([Position()] * 3)
        games = next(luft.PgnReader(PGN.encode()).batches())
        for view in (batch.words, batch.errors, games.moves, games.results, games.first_moves, games[0].move_values):
            with self.assertRaises(TypeError):
                view[0] = 1
        self.assertRaises(TypeError, operator.setitem, games.records, 0, 0)
        self.assertRaises(TypeError, operator.setitem, games.text, 0, 0)
        for name in ("words", "errors"):
            with self.assertRaises(AttributeError):
                setattr(batch, name, b"")
        self.assertEqual([len(batch.legal_moves()[0]), *batch.perft(2)], [60, 400, 400, 400])

    def test_a_damaged_pickle_is_refused(self):
        batch = Positions([Position(), Position(KIWIPETE)])
        games = next(luft.PgnReader(PGN.encode()).batches())
        restore, (cls, words, errors) = batch.__reduce__()
        self.assertEqual(restore(cls, words, errors), batch)
        self.refuses("POSITION", restore, cls, bytes(96) + words[96:], errors)
        self.refuses("POSITION", restore, cls, words[:-1] + b"\1", errors)
        self.refuses("POSITION", restore, cls, words, errors[:-4])
        restore, (cls, records, moves, text) = games.__reduce__()
        self.refuses("PGN", restore, cls, b"\1" + records[1:], moves, text)
        self.refuses("PGN", restore, cls, records, moves[:-2], text)
        self.refuses("PGN", restore, cls, records, moves, text[:-1])
        restore, (cls, record, moves, text), _ = games[0].__reduce__()
        self.refuses("PGN", restore, cls, b"\1" + record[1:], moves, text)
        self.refuses("PGN", restore, cls, record, moves[2:], text)


class Memory(TestCase):
    def test_nothing_leaks(self):
        position, game, pgn = Position(KIWIPETE), Game(), PGN.encode()
        game.play("e4", "e5")

        def attempt(function, *arguments):
            try:
                function(*arguments)
            except (LuftError, TypeError, ValueError, IndexError, RuntimeError):
                pass

        def calls():
            names = [name for name in dir(Position) + dir(Game) if not name.startswith("_")]
            for thing in (position, MyPosition(KIWIPETE), game, MyGame(), position.parse("O-O"), SquareSet([1, 2])):
                for name in names:
                    found = getattr(thing, name, None)
                    for arguments in ((), ("e4",), (0, 0), (None,), ("Nb5",), (-1,), (3.5,), ("e1g1",), (0, "e9")):
                        if callable(found):
                            attempt(found, *arguments)
                for function in (repr, str, hash, copy.copy, copy.deepcopy, list, bool, int, thing.__eq__):
                    attempt(function, thing)
            for bad in ("nonsense", "\ud800", None, b"", 5, "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - -"):
                for function in (Position, Game, luft.Epd, Move.from_uci, Move, SquareSet, Positions, luft.fen_en_passant,
                                 Position.from_compact, Position.from_planes, position.line):  # fmt: skip
                    attempt(function, bad)
            Position.from_planes(position.planes), position.setup().position, Positions([position] * 3).legal_moves()
            Positions(f"{luft.START_FEN}\nbad").perft(1), str(luft.Epd(EpdLines.LINE)), luft.format_pgn(game)
            for one in luft.read_pgn(io.BytesIO(pgn)):
                one.tags, one.sans, one.errors, luft.format_pgn(one)
            attempt(next, luft.read_pgn(io.StringIO(PGN)))
            for tree in luft.read_pgn_trees(io.BytesIO(b"1. e4 {x} (1. d4 $1) Ke3 *\n\n" + TREE.encode())):
                for thing in [tree, *tree.nodes()[:3]]:
                    for name in (name for name in dir(thing) if not name.startswith("_")):
                        attempt(getattr, thing, name)
                        for arguments in ((), ("e4",), (0,), (None,), ("clk", "1")):
                            attempt(operator.methodcaller(name, *arguments), thing)
                    attempt(hash, thing), repr(thing)
                copy.deepcopy(tree), str(tree), dict(tree.tags)
            attempt(next, luft.read_pgn_trees(io.StringIO(PGN)))

        def memory_after(rounds):
            for _ in range(rounds):
                calls()
            gc.collect()
            return tracemalloc.get_traced_memory()[0]

        tracemalloc.start()
        try:
            sizes = [memory_after(10) for _ in range(6)]
        finally:
            tracemalloc.stop()
        # Caches grow now and then. A leak of one object in each round would show in every span.
        self.assertLess(min(after - before for before, after in zip(sizes[1:], sizes[2:])), 10 * 16)


class Images(TestCase):
    def elements(self, image, name):
        return list(ElementTree.fromstring(image).iter(f"{{http://www.w3.org/2000/svg}}{name}"))

    def pieces(self, image):
        return sorted(e.get("transform") for e in self.elements(image, "g") if e.get("transform"))

    def test_a_board_shows_its_pieces(self):
        for position in random_positions(games=2, plies=20, seed=12):
            image = luft.svg.board(position)
            self.assertEqual(len(self.elements(image, "rect")), 64)
            expected = sorted(f"translate({w % 8 * 45},{w // 8 * 45})" for w in position.piece_map())
            self.assertEqual(self.pieces(image), expected)
            turned = sorted(f"translate({(7 - w % 8) * 45},{(7 - w // 8) * 45})" for w in position.piece_map())
            self.assertEqual(self.pieces(luft.svg.board(position, orientation=BLACK)), turned)
        self.assertEqual(luft.svg.board(Position()), Position()._repr_svg_())
        self.assertEqual(self.pieces(luft.svg.board(Setup())), [])

    def test_marks_arrows_and_coordinates(self):
        position = Position().play("e4")
        move = Position().parse("e4")
        plain = luft.svg.board(position, coordinates=False)
        self.assertEqual((len(self.elements(plain, "text")), len(self.elements(luft.svg.board(position), "text"))), (0, 16))
        files = [element.text for element in self.elements(luft.svg.board(position, orientation=BLACK), "text")]
        self.assertEqual("".join(files), "hgfedcba12345678")
        marked = luft.svg.board(position, lastmove=move, check="e8", squares=["a1", luft.H8], size=400)
        corners = [(int(e.get("x")), int(e.get("y"))) for e in self.elements(marked, "rect")[64:]]
        names = [luft.SQUARE_NAMES[y // 45 * 8 + x // 45] for x, y in corners]
        self.assertEqual(names, ["e2", "e4", "a1", "h8", "e8"])
        self.assertEqual(ElementTree.fromstring(marked).get("width"), "400")
        arrows = luft.svg.board(position, arrows=[("e2", "e4"), (luft.A1, luft.A1)])
        self.assertEqual((len(self.elements(arrows, "line")), len(self.elements(arrows, "circle"))), (1, 1))
        hostile = luft.svg.board(position, colors={"light": '"><script>'})
        self.assertEqual(self.elements(hostile, "script"), [])
        self.assertRaises(ValueError, luft.svg.board, position, check="e9")

    def test_what_is_refused(self):
        for bad in (None, luft.START_FEN, Game()):
            with self.assertRaisesRegex(TypeError, "expected a Position or a Setup"):
                luft.svg.board(bad)
        with self.assertRaisesRegex(TypeError, "lastmove: expected a Move"):
            luft.svg.board(Position(), lastmove="e2e4")
        for bad in (-1, 0, float("nan"), float("inf")):
            with self.assertRaisesRegex(ValueError, "size: expected"):
                luft.svg.board(Position(), size=bad)


def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite(luft))
    tests.addTests(doctest.DocTestSuite(sys.modules["luft._setup"]))
    tests.addTests(doctest.DocTestSuite(sys.modules["luft._book"]))
    for name in ("python.md", "coming-from-python-chess.md"):
        tests.addTests(doctest.DocFileSuite(str(ROOT / "docs" / name), module_relative=False))
    return tests


if __name__ == "__main__":
    unittest.main()
