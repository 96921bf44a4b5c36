#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The speed of the Python package, beside python-chess where that can be imported:

    make python && PYTHONPATH=build/python python3 bench/compare_python.py [FILE.pgn]

Both do the same in turns, five times; shown are the medians of processor time and their ratio. Where Luft has batches, their
time follows. Of a PGN only the first megabyte is read with python-chess. Nothing of python-chess is part of Luft.
"""

import io
import random
import statistics
import sys
import time
import timeit

import luft

try:
    import chess
    import chess.pgn
    import chess.polyglot
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


def each(things, function):
    """Calls the function for each of the things: the loop costs the same on both sides."""

    def run():
        for thing in things:
            function(thing)

    return run


def each_pair(things, lists, function):
    def run():
        for thing, items in zip(things, lists):
            for item in items:
                function(thing, item)

    return run


def repeat(statement, **names):
    """Runs a statement many times, without a function call around it."""
    timer = timeit.Timer(statement, globals=names)
    return lambda: timer.timeit(200_000)


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

    first = f"; first python-chess {chess.__version__}" if chess else ""
    print(f"{len(fens)} positions, {sum(map(len, moves))} moves{first}")
    measure("read a FEN", each(fens, lambda fen: chess.Board(fen)), each(fens, luft.Position), lambda: luft.Positions(text))
    measure("write a FEN", each(boards, lambda board: board.fen()), each(positions, lambda position: position.fen))
    measure("legal moves", each(boards, lambda board: list(board.legal_moves)),
            each(positions, lambda position: position.legal_moves), batch.legal_moves)  # fmt: skip
    measure("read SAN", each_pair(boards, sans, lambda board, san: board.parse_san(san)),
            each_pair(positions, sans, lambda position, san: position.parse_san(san)))  # fmt: skip
    measure("write SAN", each_pair(boards, board_moves, lambda board, move: board.san(move)),
            each_pair(positions, moves, lambda position, move: position.san(move)))  # fmt: skip
    measure("write LAN", each_pair(boards, board_moves, lambda board, move: board.lan(move)),
            each_pair(positions, moves, lambda position, move: position.lan(move)))  # fmt: skip
    measure("play a move", each_pair(boards, board_moves, push_and_pop),
            each_pair(positions, moves, lambda position, move: position.play(move)))  # fmt: skip
    measure("is it check", each(boards, lambda board: board.is_check()), each(positions, lambda position: position.is_check))
    measure("outcome", each(boards, lambda board: board.outcome()), each(positions, lambda position: position.outcome))
    measure("piece map", each(boards, lambda board: board.piece_map()), each(positions, lambda position: position.piece_map()))
    squares = [range(64)] * len(fens)
    measure("piece at", each_pair(boards, squares, lambda board, square: board.piece_at(square)),
            each_pair(positions, squares, lambda position, square: position.piece_at(square)))  # fmt: skip
    measure("attackers", each_pair(boards, squares, lambda board, square: board.attackers(True, square)),
            each_pair(positions, squares, lambda position, square: position.attackers(luft.WHITE, square)))  # fmt: skip
    measure("pins", each_pair(boards, squares, lambda board, square: board.pin(True, square)),
            each_pair(positions, squares, lambda position, square: position.pin(luft.WHITE, square)))  # fmt: skip
    measure("polyglot key", each(boards, lambda board: chess.polyglot.zobrist_hash(board)),
            each(positions, lambda position: position.polyglot_key))  # fmt: skip


def compare_attributes():
    """What costs so little that only the call counts, 200,000 times each."""
    position = luft.Position()
    move = position.parse("e4")
    board, board_move = (chess.Board(), chess.Move.from_uci("e2e4")) if chess else (None, None)
    for name, other, ours in (
        ("turn", "board.turn", "position.turn"),
        ("fullmove number", "board.fullmove_number", "position.fullmove_number"),
        ("en passant", "board.ep_square", "position.en_passant"),
        ("from square", "board_move.from_square", "move.from_square"),
        ("Move.uci", "board_move.uci()", "move.uci"),
        ("Move.from_uci", "from_uci('e2e4')", "luft_from_uci('e2e4')"),
        ("compare moves", "board_move == board_move", "move == move"),
        ("hash of a move", "hash(board_move)", "hash(move)"),
        ("is it legal", "board.is_legal(board_move)", "position.is_legal(move)"),
    ):
        names = {"board": board, "board_move": board_move, "position": position, "move": move,
                 "from_uci": chess and chess.Move.from_uci, "luft_from_uci": luft.Move.from_uci}  # fmt: skip
        measure(name, repeat(other, **names), repeat(ours, **names))


def compare_games():
    """A game of 300 plies: play it from UCI text, and walk through it with the FEN of each position."""
    source, game = random.Random(3), luft.Game()
    while game.ply < 300:
        moves = [move for move in game.position.legal_moves if game.position.play(move).legal_moves]
        game.play(source.choice(moves))
    texts = [move.uci for move in game.moves]

    def play_with_chess():
        board = chess.Board()
        for text in texts:
            board.push(chess.Move.from_uci(text))
        return board

    def play():
        game = luft.Game()
        for text in texts:
            game.play(text)
        return game

    def walk_with_chess():
        board = chess.Board()
        return [(board.push(move), board.turn, board.fen())[2] for move in moves_of_chess]

    def walk():
        return [(position.turn, position.fen)[1] for position in (game.position_at(ply) for ply in range(1, 301))]

    moves_of_chess = play_with_chess().move_stack if chess else []
    assert not chess or [fen.split()[0] for fen in walk_with_chess()] == [fen.split()[0] for fen in walk()]
    measure("play 300 plies", play_with_chess, play)
    measure("walk 300 plies", walk_with_chess, walk)


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
    compare_attributes()
    compare_games()
    if len(sys.argv) > 1:
        compare_pgn(sys.argv[1])
