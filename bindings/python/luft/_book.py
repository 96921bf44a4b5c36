# SPDX-License-Identifier: MIT
"""Book: opening books in the Polyglot format."""

from __future__ import annotations

import os
import random as _random
from typing import Iterable, Iterator, NoReturn, Optional, TypeVar, Union

from ._core import BookView, Game, Move, Position, write_book
from ._types import BookEntry, Square

_BookT = TypeVar("_BookT", bound="Book")


class Book(BookView):
    """An opening book in the Polyglot format: the moves of a position with their weights.

        >>> import luft
        >>> start = luft.Position()
        >>> entries = [luft.BookEntry.make(start, "e4", 3), luft.BookEntry.make(start, "d4", 1)]
        >>> luft.Book.from_entries(entries).find_all(start)
        [BookMove(move=<Move e2e4>, weight=3, learn=0), BookMove(move=<Move d2d4>, weight=1, learn=0)]

    Opening reads the whole file and checks it; the error is BOOK or READ. A book is a sequence of BookEntry, sorted by key.
    It does not change: any number of threads may share it.
    """

    __slots__ = ("__weakref__",)

    def __new__(cls: type[_BookT], source: Union[str, "os.PathLike[str]", bytes]) -> _BookT:
        """`source` is the path of a file, or the bytes of one."""
        if isinstance(source, bytes):
            return super().__new__(cls, source, False)
        path = os.fsencode(source)
        os.stat(path)  # a file that does not exist raises what open would
        return super().__new__(cls, path, True)

    @classmethod
    def from_entries(cls: type[_BookT], entries: Iterable[BookEntry]) -> _BookT:
        """A book with these entries, which need not be sorted."""
        return cls(write_book(sorted(entries, key=lambda entry: (entry[0], -entry[2]))))

    def write(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the book into a file. bytes(book) are its contents."""
        contents = bytes(self)
        with open(path, "wb") as file:
            file.write(contents)

    def pick(
        self,
        position: Union[Position, Game],
        random: Optional[_random.Random] = None,
        *,
        en_passant: Union[Square, Move, None] = None,
    ) -> Optional[Move]:
        """A move with a probability proportional to its weight, None if there is none. `en_passant` as in find_all."""
        number = _random.getrandbits(64) if random is None else random.getrandbits(64)
        return self._pick(position, number, en_passant)

    def __iter__(self) -> Iterator[BookEntry]:
        return (self[index] for index in range(len(self)))

    def __enter__(self: _BookT) -> _BookT:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Book cannot be pickled or copied: open it again, or use bytes(book)")

    def __repr__(self) -> str:
        if self.is_closed:
            return "<Book: closed>"
        return f"<Book: {len(self)} {'entry' if len(self) == 1 else 'entries'}>"
