# SPDX-License-Identifier: MIT
"""Tablebase: the exact results of endgames, from Syzygy tables."""

from __future__ import annotations

import os
from typing import Iterable, Iterator, Mapping, NoReturn, Optional, TypeVar, Union

from ._core import Position, TableProber
from ._types import Error, LuftError, MissingTableError, TablebaseResult, TablebaseTable

_Path = Union[str, "os.PathLike[str]"]
_TablebaseT = TypeVar("_TablebaseT", bound="Tablebase")
_DefaultT = TypeVar("_DefaultT")


def _directories(paths: Union[_Path, Iterable[_Path]]) -> Iterator[str]:
    """Each directory by itself. Raises what the operating system says if one cannot be read."""
    if isinstance(paths, str):  # as in the UCI option SyzygyPath
        names = [name for name in paths.split(os.pathsep) if name]
    else:
        names = [os.fspath(path) for path in ([paths] if isinstance(paths, os.PathLike) else paths)]
    for name in names:
        if os.pathsep in name:
            raise LuftError(Error.ARGUMENT, f"expected a directory without {os.pathsep!r} in its name, got {name!r}")
        os.scandir(name).close()
        yield name


class Tablebase(TableProber):
    """Syzygy tables of up to seven pieces: the result and the distance of a position, and all moves in order.

        with luft.Tablebase("syzygy") as tablebase:
            tablebase.probe_wdl(luft.Position("8/8/8/8/8/2k5/8/K5Q1 w - - 0 1"))

    It does not change after opening: any number of threads may share it, and probes let other threads run. A table is
    checked before its first use. The probe that finds a damaged table raises LuftError DAMAGED or READ; after that the
    table counts as missing.
    """

    __slots__ = ("__weakref__",)

    def __new__(
        cls: type[_TablebaseT],
        paths: Union[_Path, Iterable[_Path]] = (),
        *,
        tables: Optional[Mapping[str, Union[bytes, bytearray, memoryview]]] = None,
        mmap: bool = False,
    ) -> _TablebaseT:
        """`paths` is a directory or several: an iterable, or a str in which os.pathsep separates them.

        `tables` are tables in memory by their file names, such as KQvK.rtbw; a file of that name comes first. `mmap` maps
        the files: faster, but a file that another program cuts then ends the process by SIGBUS.
        """
        memory = {
            name: table if isinstance(table, bytes) else bytes(memoryview(table)) for name, table in (tables or {}).items()
        }
        return super().__new__(cls, os.fsencode(os.pathsep.join(_directories(paths))), memory, mmap)

    def get_wdl(
        self, position: Position, default: Optional[_DefaultT] = None
    ) -> Union[TablebaseResult, _DefaultT, None]:
        """probe_wdl, or `default` if a table is missing."""
        try:
            return self.probe_wdl(position)
        except MissingTableError:
            return default

    def get_dtz(self, position: Position, default: Optional[_DefaultT] = None) -> Union[int, _DefaultT, None]:
        """probe_dtz, or `default` if a table is missing."""
        try:
            return self.probe_dtz(position)
        except MissingTableError:
            return default

    @property
    def faults(self) -> list[TablebaseTable]:
        """The tables that were found to be damaged so far."""
        return [table for table in self.tables if table.error != Error.OK]

    def verify(self) -> list[TablebaseTable]:
        """Reads all tables, compares them with their checksums, and returns the faults."""
        for number in range(len(self)):
            self._check(number)
        return self.faults

    def __enter__(self: _TablebaseT) -> _TablebaseT:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Tablebase cannot be pickled or copied: open it again")

    def __repr__(self) -> str:
        if self.is_closed:
            return "<Tablebase: closed>"
        return f"<Tablebase: {len(self)} {'table' if len(self) == 1 else 'tables'}, up to {self.largest} pieces>"
