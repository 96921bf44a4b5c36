#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the moves of games slowly and compares the counts with a book that `luft book make` made.

usage: book_count.py LUFT GAMES.pgn BOOK [--max-ply N] [--min-games N] [--weights KIND] [--color COLOR] [--player NAME]
                     [--elo-min N]

Computes the Polyglot keys here, from FENs and the published constants; luft converts the games to FENs and UCI moves.
The games must have no errors and no variations. The exit status is 0 if the book has exactly the entries that were
counted.
"""
import argparse
import os
import re
import struct
import subprocess
import sys
from collections import defaultdict

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def constants():
    """The constants of the format: 768 of pieces by colour, type and square from a8, 4 of castling, 8 of files, 1 of the side."""
    with open(os.path.join(ROOT, "src/core/polyglot_table.h"), encoding="utf-8") as table:
        numbers = [int(number, 16) for number in re.findall(r"0x[0-9a-f]{16}", table.read())]
    assert len(numbers) == 781
    return numbers


RANDOM = constants()


def polyglot_key(fen):
    """The key as the format defines it, of a FEN with an en passant square after every double push."""
    board, side, castling, ep = fen.split()[:4]
    pieces, key = {}, 0
    for row, text in enumerate(board.split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
                continue
            pieces[file, row] = letter
            key ^= RANDOM[384 * letter.islower() + 64 * "pnbrqk".index(letter.lower()) + 8 * row + file]
            file += 1
    for index, letter in enumerate("KQkq"):
        if letter in castling:
            key ^= RANDOM[768 + index]
    if ep != "-":
        file, row = ord(ep[0]) - ord("a"), 3 if side == "w" else 4  # of the pawn that may be captured
        own = "P" if side == "w" else "p"
        if own in (pieces.get((file - 1, row)), pieces.get((file + 1, row))):
            key ^= RANDOM[772 + file]
    return key ^ RANDOM[780] if side == "w" else key


def move_code(fen, uci):
    """A move as the format codes it; castling goes to the rook."""
    squares = {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}
    rank = fen.split()[0].split("/")[8 - int(uci[1])]
    row = "".join("." * int(letter) if letter.isdigit() else letter for letter in rank)
    if uci in squares and row[4] in "Kk":
        uci = squares[uci]
    from_file, from_rank, to_file, to_rank = (ord(uci[0]) - 97, int(uci[1]) - 1, ord(uci[2]) - 97, int(uci[3]) - 1)
    return to_file | to_rank << 3 | from_file << 6 | from_rank << 9 | " nbrq".index(uci[4:] or " ") << 12


def games_of(luft, path):
    """The tags, FENs and UCI moves of each game."""
    def lines(*options):
        return subprocess.run([luft, "pgn", "convert", "--quiet", *options, path], check=True, capture_output=True, text=True,
                              errors="replace").stdout.splitlines()  # fmt: skip

    fens = iter(lines("--to", "fen", "--ep-always"))
    moves = [line.split("moves", 1)[-1].split() for line in lines("--to", "uci")]
    tags = []
    for name, value in re.findall(r'^\[(\w+) "(.*)"\]$', "\n".join(lines("--to", "pgn")), re.M):
        if name == "Event":
            tags.append({})
        tags[-1].setdefault(name, value)
    assert len(tags) == len(moves)
    for game_tags, game_moves in zip(tags, moves):
        yield game_tags, [next(fens) for _ in range(len(game_moves) + 1)], game_moves


def counted(arguments):
    """Counts of lost, drawn and won games by key and move."""
    counts = defaultdict(lambda: [0, 0, 0])
    for tags, fens, moves in games_of(arguments.luft, arguments.games):
        if tags["Result"] not in ("1-0", "0-1", "1/2-1/2"):
            continue
        white = {"0-1": 0, "1/2-1/2": 1, "1-0": 2}[tags["Result"]]
        for fen, uci in list(zip(fens, moves))[: arguments.max_ply]:
            color = {"w": "white", "b": "black"}[fen.split()[1]]
            name = color.capitalize()
            elo = tags.get(name + "Elo", "")
            if arguments.color not in ("both", color) or arguments.player.lower() not in tags[name].lower():
                continue
            if arguments.elo_min and not (elo.isdigit() and int(elo) >= arguments.elo_min):
                continue
            counts[polyglot_key(fen), move_code(fen, uci)][white if color == "white" else 2 - white] += 1
    return counts


def entries(counts, arguments):
    """The entries of the book: key, move, weight and learn value."""
    by_key = defaultdict(list)
    for (key, move), (lost, drawn, won) in counts.items():
        weight = {"score": 2 * won + drawn, "wins": won, "games": won + drawn + lost, "equal": 1}[arguments.weights]
        if won + drawn + lost >= arguments.min_games and weight > 0:
            by_key[key].append((weight, move))
    for key in sorted(by_key):
        highest = max(by_key[key])[0]
        for weight, move in sorted(by_key[key], key=lambda entry: (-entry[0], entry[1])):
            if highest > 65535:
                weight = max(1, (2 * weight * 65535 + highest) // (2 * highest))
            yield key, move, weight, 0


def main():
    parser = argparse.ArgumentParser()
    for name in ("luft", "games", "book"):
        parser.add_argument(name)
    for name, default in (("max-ply", 40), ("min-games", 3), ("elo-min", 0)):
        parser.add_argument("--" + name, type=int, default=default)
    for name, default in (("weights", "score"), ("color", "both"), ("player", "")):
        parser.add_argument("--" + name, default=default)
    arguments = parser.parse_args()
    expected = list(entries(counted(arguments), arguments))
    with open(arguments.book, "rb") as book:
        found = list(struct.iter_unpack(">QHHI", book.read()))
    print(f"{len(expected)} entries expected, {len(found)} found")
    for one, other in zip(expected, found):
        if one != other:
            print(f"# expected {one}, found {other}")
            break
    sys.exit(expected != found or not expected)


if __name__ == "__main__":
    main()
