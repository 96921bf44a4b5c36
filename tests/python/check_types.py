# SPDX-License-Identifier: MIT
"""What mypy must know about the package from outside. It is checked, not run."""

import random
from typing import Any, Optional, Union, assert_type

import luft


class MyPosition(luft.Position):
    pass


position = luft.Position()
assert_type(position.turn, luft.Color)
assert_type(position.legal_moves, list[luft.Move])
assert_type(position.play("e4").fen, str)
assert_type(position.piece_at("e4"), Optional[luft.Piece])
assert_type(position.attackers(luft.WHITE, luft.E4), luft.SquareSet)
assert_type(position.king_constraints().pinned, luft.SquareSet)
assert_type(position.outcome.winner, Optional[luft.Color])
assert_type(position.line(position.legal_moves[:1])[0], luft.Position)
assert_type(position.setup().status, luft.Status)
assert_type(MyPosition().play(luft.Move.from_uci("e2e4")), MyPosition)
assert_type(MyPosition.chess960(5).flip(), MyPosition)
assert_type(luft.Game().position, luft.Position)
assert_type(luft.Game().copy().claims, luft.Claim)
assert_type([game.tags["White"] for game in luft.read_pgn("games.pgn")], list[str])
assert_type(luft.Epd("8/8/8/8/8/8/8/8 w - -").moves("bm"), list[luft.Move])
assert_type(luft.svg.board(position, orientation=luft.BLACK, arrows=[("e2", luft.E4)]), str)

position.play(None)  # type: ignore[arg-type]
position.turn = luft.BLACK  # type: ignore[misc]

for tree in luft.read_pgn_trees(b""):
    assert_type(tree, luft.PgnTree)
    assert_type(tree.tags["White"], str)
    assert_type(tree.root.add("e4", author=luft.Author.ENGINE), luft.PgnNode)
    assert_type(tree.root.children[0].nags, dict[int, luft.Author])
    assert_type(tree.copy(), luft.PgnTree)

with luft.Engine(threads=2, elo=1500) as engine:
    analysis = engine.analyse(position, nodes=1000, lines=3, report=lambda line: print(line.score))
    assert_type(analysis, luft.Analysis)
    assert_type(analysis.best, Optional[luft.Move])
    assert_type(analysis.lines[0].score.mate, Optional[int])
    assert_type(analysis.sans(), list[str])
    assert_type(engine.play(luft.Game(), clock=luft.Clock(60, 60)), luft.Move)
    assert_type(engine.evaluate(position), int)

with luft.Tablebase(["syzygy"], mmap=True, tables={"KQvK.rtbw": b""}) as tablebase:
    assert_type(tablebase.probe_wdl(position), luft.TablebaseResult)
    assert_type(tablebase.probe_dtz(position), int)
    assert_type(tablebase.get_dtz(position, "none"), Union[int, str, None])
    assert_type(tablebase.probe_root(luft.Game(), fifty_move_rule=False)[0].dtz, Optional[int])
    assert_type(tablebase.faults[0].path, Optional[str])

with luft.Book("book.bin") as book:
    assert_type(book.find_all(position, en_passant="e3")[0].move, luft.Move)
    assert_type(book.pick(luft.Game(), random.Random(1)), Optional[luft.Move])
    assert_type([entry.weight for entry in book], list[int])
    assert_type(luft.Book.from_entries([luft.BookEntry.make(position, "e4", 1)]), luft.Book)

with luft.Database.create("games.luftdb", b"1. e4 *", threads=2) as database:
    found = database.explore(position, player="Carlsen", color=luft.WHITE, from_date="2019")
    assert_type(found.moves[0].move, Optional[luft.Move])
    assert_type(found.total.rating, Optional[int])
    assert_type(database.search("check", limit=5, result=["1-0"])[0].ply, int)
    assert_type(database[1], luft.PgnTree)
    assert_type(next(database.games(eco="B90")).sans, list[str])
    assert_type(database.append("more.pgn").left_out, int)
    assert_type(database.info, luft.DatabaseInfo)
    assert_type(database.columns("white", games=database.search("check"))["white"], list[Any])


async def search() -> None:
    async with luft.AsyncEngine() as engine:
        assert_type(await engine.analyse(position, time=1), luft.Analysis)
        assert_type(await engine.play(position, time=1), luft.Move)
