#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks every variation that the engine prints with the rules of the library.

usage: check_lines.py PATH-OF-LUFT [NODES [SEED [ELO]]]

Searches each of some hundred positions for NODES (4000) nodes; positions are chosen with SEED (7). With ELO the strength is
limited. In every variation all moves are legal; it ends at mate, stalemate, a dead position, the third occurrence of a
position or the fifty-move rule; an exact mate score is as long as its variation, which ends in mate. The best move and
the ponder move begin the last first variation; with limited strength and MultiPV the engine may play any of them.
Prints each offence, then "lines=<n> bounds=<n> ponder=<n> errors=<m>"; the exit status is 1 if there are any.
"""

import os
import random
import re
import sys

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
sys.path.append(os.path.join(os.environ.get("BUILD", os.path.join(ROOT, "build")), "python"))
import luft  # noqa: E402
from uci import HANG_S, Engine  # noqa: E402

FENS = """
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4
r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1
r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 10
1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1
6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
8/8/8/8/8/3k4/3q4/3K4 w - - 0 1
7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
8/8/8/8/4k3/8/1Q6/K7 w - - 0 1
8/8/8/8/4k3/8/1R6/K7 w - - 0 1
8/8/8/3k4/8/8/1R6/K7 b - - 90 80
8/8/8/8/4k3/2B5/1N6/K7 w - - 0 1
8/8/3k4/8/8/2B5/1N6/K7 w - - 60 100
4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
8/5k2/8/8/8/2K5/4P3/8 b - - 97 90
4k3/4r3/8/8/8/8/4R3/4K3 w - - 98 120
r1b1k2r/ppp2ppp/2n5/3qp3/8/3P1N2/PP2BPPP/R1BQK2R w KQkq - 95 60
k7/8/1K6/8/8/8/8/7R w - - 95 100
k7/8/1K6/8/8/8/8/7R w - - 99 100
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1
6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1
8/8/8/8/1p6/8/1P1K4/k1N5 w - - 0 1
8/6pk/8/1K6/5P2/8/6PP/8 w - - 0 1
R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1
2r3k1/p4p2/3Rp2p/1p2P1pK/8/1P4P1/P3Q2P/1q6 b - - 0 1
1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1
8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47
7k/8/8/8/8/1K6/2R5/3R4 w - - 0 1
3k4/8/3K4/3P4/8/8/8/8 w - - 0 1
""".strip().splitlines()

# Games with repeated positions, so that a third occurrence is near.
REPETITIONS = [
    (luft.START_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"),
    (luft.START_FEN, "e2e4 e7e5 g1f3 b8c6 f3g1 c6b8 g1f3 b8c6 f3g1"),
    ("8/8/8/8/4k3/8/1Q6/K7 w - - 0 1", "b2c2 e4e5 c2b2 e5e4 b2c2 e4e5 c2b2"),
    ("6k1/5ppp/8/8/8/q7/5PPP/3Q2K1 b - - 0 1", "h7h6 h2h3 a3a2 d1d8 g8h7 d8d3 h7g8 d3d8 g8h7 d8d3 h7g8"),
    ("6k1/6pp/8/8/7q/8/5PPP/5RK1 b - - 0 1", "h4e4 f1a1 e4f4 a1f1 f4e4 f1a1 e4f4"),
    ("3r2k1/5ppp/8/8/8/8/1Q3PPP/6K1 w - - 10 30", "b2b3 d8c8 b3b2 c8d8 b2b3 d8c8 b3b2"),
]


FORM = (
    r"info depth \d+ seldepth \d+ multipv \d+ score (cp|mate) -?\d+( lowerbound| upperbound)? nodes \d+ nps \d+ "
    r"hashfull (\d{1,3}|1000) tbhits 0 time \d+ pv "
)


def is_finished(game):
    """The game is over, or is a draw for the search."""
    return game.outcome.is_over or game.repetitions >= 3 or game.position.halfmove_clock >= 100


def faults(game, line):
    """The faults of an info line of a search of the last position of this game."""
    words = line.split()
    moves = words[words.index("pv") + 1 :]
    if not moves:
        yield "no move"
    for i, move in enumerate(moves):
        if i > 0 and is_finished(game):
            yield f"continues after the end of the game: {' '.join(moves[i:])}"
            return
        try:
            game.play(game.position.parse_uci(move))
        except ValueError:
            yield f"{move} is not legal"
            return
    mate = re.search(r" score mate (-?\d+)( [a-z]+bound)?", line)
    if mate and not mate.group(2):
        count = int(mate.group(1))
        plies = 2 * count - 1 if count > 0 else -2 * count
        if len(moves) != plies:
            yield f"a mate of {plies} plies with {len(moves)} moves"
        elif game.outcome.termination != luft.Termination.CHECKMATE:
            yield "the variation does not end in mate"
    if not re.match(FORM, line):
        yield "has the wrong form"


def check_best(game, line, first):
    """The faults of a best move; `first` is the last first variation, or None if any may be played."""
    best = re.fullmatch(r"bestmove (\S+)(?: ponder (\S+))?", line)
    if not game.position.legal_moves:
        return [] if line == "bestmove 0000" else [f"no legal move, but {line}"]
    try:
        game.play(game.position.parse_uci(best.group(1)))
        if best.group(2):
            game.play(game.position.parse_uci(best.group(2)))
    except (ValueError, AttributeError):
        return [f"{line} is not legal"]
    if first is None:
        return []
    if first[:1] != [best.group(1)] or (len(first) > 1 and first[1] != best.group(2)):
        return [f"{line} does not begin the variation {' '.join(first)}"]
    return []


def searches(rng):
    """Settings, FEN and moves of every search."""
    for multipv in (1, 3):
        for fen in FENS:
            yield {"MultiPV": multipv}, fen, ""
        for fen, moves in REPETITIONS:
            yield {"MultiPV": multipv}, fen, moves
        for _ in range(30):  # random games, some of them to their end
            game = luft.Game()
            for _ in range(rng.randrange(6, 160)):
                if game.outcome.is_over:
                    break
                game.play(rng.choice(game.position.legal_moves))
            yield {"MultiPV": multipv}, luft.START_FEN, " ".join(map(str, game.moves))
        for _ in range(20):
            game = luft.Game(luft.Position.chess960(rng.randrange(960)))
            for _ in range(rng.randrange(0, 60)):
                if game.outcome.is_over:
                    break
                game.play(rng.choice(game.position.legal_moves))
            moves = " ".join(move.uci_chess960 for move in game.moves)
            yield {"MultiPV": multipv, "UCI_Chess960": "true"}, game.position_at(0).shredder_fen, moves
        for pieces in ("KQvK", "KRvK", "KRRvK", "KQvKR", "KBBvK", "KPvK", "KQQvKQ", "KRPvKR"):
            for _ in range(4):
                yield {"MultiPV": multipv}, endgame(rng, pieces), ""


def endgame(rng, pieces):
    """A legal position with these pieces, either side to move."""
    white, black = pieces.split("v")
    while True:
        board = [""] * 64
        for letter, where in zip(white + black.lower(), rng.sample(range(8, 56), len(white + black))):
            board[where] = letter
        rows = ["".join(piece or "1" for piece in board[row * 8 : row * 8 + 8]) for row in range(8)]
        try:
            fen = f"{'/'.join(rows)} {rng.choice('wb')} - - {rng.choice([0, 0, 0, 92])} 50"
            fen = re.sub("1+", lambda ones: str(len(ones.group())), fen.split(" ", 1)[0]) + " " + fen.split(" ", 1)[1]
            position = luft.Position(fen)
        except ValueError:
            continue
        if position.legal_moves:
            return fen


def main():
    engine = Engine(sys.argv[1])
    nodes = int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 7)
    limited = len(sys.argv) > 4
    if limited:
        engine.tell("setoption name UCI_LimitStrength value true")
        engine.tell(f"setoption name UCI_Elo value {int(sys.argv[4])}")
    lines = bounds = errors = ponders = 0
    for settings, fen, moves in searches(rng):
        for name, value in {"MultiPV": 1, "UCI_Chess960": "false", **settings}.items():
            engine.tell(f"setoption name {name} value {value}")
        engine.tell(f"position fen {fen}" + (f" moves {moves}" if moves else ""))
        engine.tell(f"go nodes {nodes}")
        first = []
        for line in engine.read_until("bestmove", HANG_S)[1]:
            game = luft.Game(fen)
            game.play(*(moves.split()))
            found = []
            if " pv " in line:
                lines += 1
                bounds += "bound " in line
                found = list(faults(game, line))
                if " multipv 1 " in line:
                    first = line.split(" pv ")[1].split()
            elif line.startswith("bestmove"):
                ponders += " ponder " in line
                several = limited and settings["MultiPV"] > 1
                found = check_best(game, line, None if several else first)
            else:
                found = ["neither a variation nor a best move"]
            for fault in found:
                errors += 1
                print(f"{fault}: {line}: fen {fen} moves {moves}")
    engine.quit()
    print(f"lines={lines} bounds={bounds} ponder={ponders} errors={errors}")
    return errors > 0


if __name__ == "__main__":
    sys.exit(main())
