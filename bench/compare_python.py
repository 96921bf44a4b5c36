#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The speed of the Python module, beside python-chess where that can be imported:

    PYTHONPATH=bindings/python python3 bench/compare_python.py [FILE.pgn]

Both do the same in turns, five times; shown are the medians of processor time and their ratio. Of a PGN only the first
megabyte is read with python-chess. Nothing of python-chess is part of Luft.
"""

import io
import random
import statistics
import sys
import time

import luft

try:
    import chess
    import chess.pgn
except ImportError:
    chess = None

POSITIONS = 2000
ROUNDS = 5


def sample_fens():
    """Positions of random games, the same in each run."""
    source, fens = random.Random(1), []
    while len(fens) < POSITIONS:
        position = luft.Position()
        for _ in range(100):
            moves = position.legal_moves
            if not moves:
                break
            position = position.play(source.choice(moves))
            fens.append(position.fen)
    return fens[:POSITIONS]


def measure(name, other, *ours):
    """One line: the other's time, then each of ours with how many times faster it is."""
    functions = [function for function in (other if chess else None, *ours) if function]
    times = [[] for _ in functions]
    for _ in range(ROUNDS):
        for function, list_of_times in zip(functions, times):
            start = time.process_time()
            function()
            list_of_times.append(time.process_time() - start)
    medians = [1000 * statistics.median(list_of_times) for list_of_times in times]
    ratios = [f" ({medians[0] / median:5.1f}x)" if chess and median != medians[0] else "" for median in medians]
    print(f"{name:16}" + "  ".join(f"{median:9.1f} ms{ratio}" for median, ratio in zip(medians, ratios)))


def push_and_pop(board, move):
    board.push(move)
    board.pop()


def read_with_chess(data):
    file = io.StringIO(data.decode("latin-1"))
    count = 0
    while (game := chess.pgn.read_game(file)) is not None:
        count += sum(1 for _ in game.mainline_moves())
    return count


def read_games(data):
    return sum(len(game.moves) for game in luft.read_pgn(data) if game.tags is not None)


def read_batches(data):
    return sum(len(batch.moves) for batch in luft.PgnReader(data).batches())


def compare_positions():
    fens = sample_fens()
    text, positions = "\n".join(fens), [luft.Position(fen) for fen in fens]
    batch, moves = luft.Positions(text), [position.legal_moves for position in positions]
    sans = [[position.san(move) for move in list_of_moves] for position, list_of_moves in zip(positions, moves)]
    boards = [chess.Board(fen) for fen in fens] if chess else []
    board_moves = [list(board.legal_moves) for board in boards]
    for board, list_of_moves in zip(boards, moves):
        assert sorted(move.uci() for move in board.legal_moves) == sorted(move.uci for move in list_of_moves)

    def each(things, lists, function):
        def run():
            for thing, items in zip(things, lists):
                for item in items:
                    function(thing, item)

        return run

    first = f"; first python-chess {chess.__version__}" if chess else ""
    print(f"{len(fens)} positions, {sum(map(len, moves))} moves{first}")
    measure("read a FEN", lambda: list(map(chess.Board, fens)),
            lambda: list(map(luft.Position, fens)), lambda: luft.Positions(text))  # fmt: skip
    measure("legal moves", lambda: [list(board.legal_moves) for board in boards],
            lambda: [position.legal_moves for position in positions], batch.legal_moves)  # fmt: skip
    measure("read SAN", each(boards, sans, lambda board, san: board.parse_san(san)),
            each(positions, sans, lambda position, san: position.parse_san(san)))  # fmt: skip
    measure("write SAN", each(boards, board_moves, lambda board, move: board.san(move)),
            each(positions, moves, lambda position, move: position.san(move)))  # fmt: skip
    measure("play a move", each(boards, board_moves, push_and_pop),
            each(positions, moves, lambda position, move: position.play(move)))  # fmt: skip


def compare_pgn(path):
    with open(path, "rb") as file:
        data = file.read()
    part = data[: data.find(b"\n[Event ", 1_000_000) + 1] or data
    assert not chess or read_with_chess(part) == read_games(part) == read_batches(part)
    measure(f"PGN, {len(part) / 1e6:.1f} MB", lambda: read_with_chess(part),
            lambda: read_games(part), lambda: read_batches(part))  # fmt: skip
    for name, function in (("games", read_games), ("batches", read_batches)):
        start = time.process_time()
        function(data)
        print(f"PGN, {len(data) / 1e6:.1f} MB, {name}: {len(data) / 1e6 / (time.process_time() - start):.0f} MB/s")


if __name__ == "__main__":
    compare_positions()
    if len(sys.argv) > 1:
        compare_pgn(sys.argv[1])
