#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The speed of the Python package, beside python-chess where that can be imported:

    make python && PYTHONPATH=build/python python3 bench/compare_python.py [FILE.pgn]

Both do the same in turns, at least five times; shown is the shortest processor time of each and the ratio. Where Luft has
batches, their time follows. Of a PGN only the first megabyte is read with python-chess. Nothing of python-chess is part of Luft.

The goals: FEN, legal moves, SAN and playing moves are at least 10 times as fast as in python-chess, and nothing is slower.
The last line says how many rows reach theirs, and the exit status is 1 if one does not. Reading an attribute takes about the
same time on both sides, so short rows are repeated until the shortest time no longer depends on chance.
"""

import copy
import io
import pickle
import random
import sys
import time
import timeit

import luft

try:
    import chess
    import chess.pgn
    import chess.polyglot
    import chess.svg
except ImportError:
    chess = None

POSITIONS = 2000
ROUNDS = 5
SHORT_ROUNDS = 200  # of what takes less than SHORT_S seconds
SHORT_S = 0.005


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


missed = []
rows = 0


def measure(name, other, *ours, goal=1.0):
    """One line: the other's time, then each of ours with how many times faster it is. The goal is for the first of ours."""
    global rows
    functions = [function for function in (other if chess else None, *ours) if function]
    times = [[] for _ in functions]
    while len(times[0]) < (SHORT_ROUNDS if times[0] and min(times[0]) < SHORT_S else ROUNDS):
        for function, list_of_times in zip(functions, times):
            start = time.process_time()
            function()
            list_of_times.append(time.process_time() - start)
    best = [1000 * min(list_of_times) for list_of_times in times]
    ratios = [f" ({best[0] / span:6.{2 if best[0] < 2 * span else 1}f}x)" if chess and number else "" for number, span in enumerate(best)]
    is_slow = chess is not None and best[0] / best[1] < goal
    rows += 1
    if is_slow:
        missed.append(name)
    print(f"{name:20}" + "  ".join(f"{span:9.2f} ms{ratio}" for span, ratio in zip(best, ratios)), end="")
    print(f"  MISSED, the goal is {goal:g}x" if is_slow else "")


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
    return lambda: timer.timeit(100_000)


def read_with_chess(data):
    file = io.StringIO(data.decode("latin-1"))
    count = 0
    while (game := chess.pgn.read_game(file)) is not None:
        count += sum(1 for _ in game.mainline_moves())
    return count


def walk_with_chess(data):
    """Reads the trees of all games and collects moves, comments and NAGs of all variations."""
    file, found = io.StringIO(data.decode("latin-1")), []
    comments = "comments" if hasattr(chess.pgn.Game(), "comments") else "comment"  # newer versions, older ones
    while (game := chess.pgn.read_game(file)) is not None:
        nodes = [game]
        while nodes:
            node = nodes.pop()
            found.append((node.move, getattr(node, comments), node.nags) if node.parent else None)
            nodes += node.variations
    return len(found)


def walk_trees(data):
    found = []
    for tree in luft.read_pgn_trees(data):
        found += [(node.move, node.comment, node.nags) for node in tree.nodes()]
    return len(found)


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
    measure("read a FEN", each(fens, lambda fen: chess.Board(fen)), each(fens, luft.Position), lambda: luft.Positions(text),
            goal=10)  # fmt: skip
    measure("write a FEN", each(boards, lambda board: board.fen()), each(positions, lambda position: position.fen), goal=10)
    measure("legal moves", each(boards, lambda board: list(board.legal_moves)),
            each(positions, lambda position: position.legal_moves), batch.legal_moves, goal=10)  # fmt: skip
    measure("read SAN", each_pair(boards, sans, lambda board, san: board.parse_san(san)),
            each_pair(positions, sans, lambda position, san: position.parse_san(san)), goal=10)  # fmt: skip
    measure("write SAN", each_pair(boards, board_moves, lambda board, move: board.san(move)),
            each_pair(positions, moves, lambda position, move: position.san(move)), goal=10)  # fmt: skip
    measure("write LAN", each_pair(boards, board_moves, lambda board, move: board.lan(move)),
            each_pair(positions, moves, lambda position, move: position.lan(move)))  # fmt: skip
    measure("play a move", each_pair(boards, board_moves, push_and_pop),
            each_pair(positions, moves, lambda position, move: position.play(move)), goal=10)  # fmt: skip
    measure("is it check", each(boards, lambda board: board.is_check()), each(positions, lambda position: position.is_check))
    measure("outcome", each(boards, lambda board: board.outcome()), each(positions, lambda position: position.outcome))
    measure("piece map", each(boards, lambda board: board.piece_map()), each(positions, lambda position: position.piece_map()))
    measure("status", each(boards, lambda board: board.status()), each(positions, lambda position: position.status))
    measure("copy", each(boards, copy.copy), each(positions, copy.copy))
    measure("pickle", each(boards, pickle.dumps), each(positions, pickle.dumps))
    measure("SVG", each(boards[:20], lambda board: chess.svg.board(board)), each(positions[:20], luft.svg.board))
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
    """What costs so little that only the call counts, 100,000 times each."""
    position = luft.Position()
    move = position.parse("e4")
    board, board_move = (chess.Board(), chess.Move.from_uci("e2e4")) if chess else (None, None)
    names = {"board": board, "board_move": board_move, "position": position, "move": move, "chess": chess, "luft": luft,
             "board_piece": board and board.piece_at(4), "piece": position.piece_at("e1"),
             "board_set": chess and chess.SquareSet(255), "set": luft.SquareSet(255),
             "stack": chess and chess.Board(), "game": luft.Game(), "setup": position.setup()}  # fmt: skip
    for name, other, ours in (
        ("turn", "board.turn", "position.turn"),
        ("fullmove number", "board.fullmove_number", "position.fullmove_number"),
        ("en passant", "board.ep_square", "position.en_passant"),
        ("castling rights", "chess.SquareSet(board.castling_rights)", "position.castling_rights"),
        ("from square", "board_move.from_square", "move.from_square"),
        ("Move.uci", "board_move.uci()", "move.uci"),
        ("Move.from_uci", "chess.Move.from_uci('e2e4')", "luft.Move.from_uci('e2e4')"),
        ("compare moves", "board_move == board_move", "move == move"),
        ("hash of a move", "hash(board_move)", "hash(move)"),
        ("is it legal", "board.is_legal(board_move)", "position.is_legal(move)"),
        ("type of a piece", "board_piece.piece_type", "piece.piece_type"),
        ("compare pieces", "board_piece == board_piece", "piece == piece"),
        ("square by name", "chess.parse_square('e4')", "luft.square('e4')"),
        ("name of a square", "chess.square_name(36)", "luft.square_name(36)"),
        ("file of a square", "chess.square_file(36)", "luft.square_file(36)"),
        ("union of sets", "board_set | board_set", "set | set"),
        ("list of a set", "list(board_set)", "list(set)"),
        ("is it in a set", "36 in board_set", "36 in set"),
        ("push and pop", "stack.push(board_move); stack.pop()", "game.play(move); game.undo()"),
        ("edit a board", "stack.set_piece_at(20, board_piece)", "setup.set_piece_at(20, piece)"),
    ):
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
    assert not chess or walk_with_chess(part) == walk_trees(part)
    measure("trees of the same", lambda: walk_with_chess(part), lambda: walk_trees(part))
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
    if chess:
        print(f"{rows - len(missed)} of {rows} reach their goal" + "".join(f"; missed: {name}" for name in missed))
    sys.exit(1 if missed else 0)
