# SPDX-License-Identifier: MIT
"""Engine: searches positions for the best move. AsyncEngine: the same for asyncio."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import inspect
import operator
import os
import threading
from typing import Any, Callable, Generic, Iterable, NamedTuple, NoReturn, Optional, TypeVar, Union

from . import _core
from ._core import Game, Move, Position
from ._tablebase import Tablebase
from ._types import Analysis, AnalysisLine, Error, LuftError

FULL_STRENGTH = 20  # LUFT_ENGINE_MAX_LEVEL
MIN_ELO, MAX_ELO = 800, 2500

_NO_LIMIT = -1  # LUFT_ENGINE_NO_LIMIT
_LARGEST = (1 << 63) - 1

Report = Callable[[AnalysisLine], object]
_ResultT = TypeVar("_ResultT")


class Clock(NamedTuple):
    """The clocks of a game, in seconds."""

    white: float
    black: float
    white_increment: float = 0
    black_increment: float = 0
    moves_to_go: int = 0  # until the next time control; 0 if there is none


def _refuse(name: str, value: object, expected: str) -> NoReturn:
    raise LuftError(Error.ARGUMENT, f"{name}: expected {expected}, got {value!r}")


def _milliseconds(name: str, seconds: float) -> int:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{name}: expected seconds, got {type(seconds)!r}")
    if not 0 <= seconds < float("inf"):
        _refuse(name, seconds, "seconds, 0 or more")
    return min(round(1000 * seconds), _LARGEST)


def _integer(name: str, value: object) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: expected an integer, got {type(value)!r}")
    return operator.index(value)


def _count(name: str, value: Optional[int], minimum: int, none: int, largest: int = _LARGEST) -> int:
    """A limit that is a number; `none` if it is not given, and cut to what C can hold."""
    if value is None:
        return none
    number = _integer(name, value)
    if number < minimum:
        _refuse(name, value, f"an integer from {minimum} on")
    return min(number, largest)


def _strength(level: Optional[int], elo: Optional[int]) -> tuple[int, int]:
    """The level and the Elo, as numbers of luft/engine.h."""
    numbers = (FULL_STRENGTH if level is None else _integer("level", level), 0 if elo is None else _integer("elo", elo))
    if not 0 <= numbers[0] <= FULL_STRENGTH:
        _refuse("level", level, f"an integer from 0 to {FULL_STRENGTH}")
    if elo is not None and not MIN_ELO <= numbers[1] <= MAX_ELO:
        _refuse("elo", elo, f"an integer from {MIN_ELO} to {MAX_ELO}")
    return numbers


def _limits(
    nodes: Optional[int],
    soft_nodes: Optional[int],
    depth: Optional[int],
    time: Optional[float],
    mate: Optional[int],
    clock: Optional[Clock],
    infinite: bool,
) -> tuple[Any, ...]:
    if not infinite and all(limit is None for limit in (nodes, soft_nodes, depth, time, mate, clock)):
        raise LuftError(Error.ARGUMENT, "a search needs a limit: nodes, soft_nodes, depth, time, mate, clock or infinite")
    clocks = [_NO_LIMIT, _NO_LIMIT, 0, 0, 0]
    if clock is not None:
        clocks = [_milliseconds(f"clock.{name}", value) for name, value in zip(Clock._fields, Clock(*clock)[:4])]
        clocks.append(_count("clock.moves_to_go", clock[4] if len(clock) > 4 else 0, 0, 0, 1000))
    return (
        *clocks[:4],
        _NO_LIMIT if time is None else _milliseconds("time", time),
        _count("nodes", nodes, 0, _NO_LIMIT),
        _count("soft_nodes", soft_nodes, 0, _NO_LIMIT),
        clocks[4],
        _count("depth", depth, 1, 0, 245),
        _count("mate", mate, 1, 0, 1000),
        bool(infinite),
    )


def _check_report(report: object) -> None:
    if report is not None and not callable(report):
        raise TypeError(f"report: expected a callable, got {type(report)!r}")
    if inspect.iscoroutinefunction(report) or inspect.iscoroutinefunction(getattr(report, "__call__", None)):
        raise TypeError("report: expected a plain function, got a coroutine function, which nobody would await")


class Engine:
    """Luft's engine, in this process. It searches in threads of its own; other Python threads run meanwhile.

        >>> import luft
        >>> with luft.Engine() as engine:
        ...     engine.play(luft.Position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), depth=2)
        <Move a1a8>

    One search runs at a time. While it does, everything but `stop`, `close` and `is_searching` raises LuftError BUSY;
    use an engine for each search that runs at the same time.
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        hash: int = 16,
        level: Optional[int] = None,
        elo: Optional[int] = None,
        seed: int = 0,
        overhead: float = 0.01,
        network: Union[str, "os.PathLike[str]", bytes, None] = None,
        tablebase: Optional[Tablebase] = None,
    ) -> None:
        """`hash` is the size of the transposition table in megabytes, `overhead` the seconds that each move loses between
        engine and opponent, `network` the path or the bytes of another evaluation network, `tablebase` what searches
        probe.

        `level`, 0 to 20, or `elo`, 800 to 2500, limit the strength of `play`. `seed` makes its random choices the same
        after each `clear`; 0 makes them different.
        """
        _strength(level, elo)
        self._level, self._elo = level, elo
        self._searcher = _core.Searcher()
        self._searcher.set_threads(threads)
        self._searcher.set_hash(hash)
        self._searcher.set_overhead(_milliseconds("overhead", overhead))
        if not 0 <= _integer("seed", seed) < 1 << 64:
            _refuse("seed", seed, "an integer from 0 to 18446744073709551615")
        self._searcher.set_seed(seed)
        self._threads, self._hash = int(threads), int(hash)
        if network is not None:
            self.load_network(network)
        self.tablebase = tablebase

    # Settings

    @property
    def threads(self) -> int:
        """How many threads search."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        self._searcher.set_threads(threads)
        self._threads = int(threads)

    @property
    def hash(self) -> int:
        """The size of the transposition table in megabytes. Setting it empties the table."""
        return self._hash

    @hash.setter
    def hash(self, megabytes: int) -> None:
        self._searcher.set_hash(megabytes)
        self._hash = int(megabytes)

    @property
    def level(self) -> Optional[int]:
        """The level of `play`, 0 to 20; None is full strength."""
        return self._level

    @level.setter
    def level(self, level: Optional[int]) -> None:
        _strength(level, self._elo)
        self._level = level

    @property
    def elo(self) -> Optional[int]:
        """The Elo of `play`, 800 to 2500; overrides the level. None is full strength."""
        return self._elo

    @elo.setter
    def elo(self, elo: Optional[int]) -> None:
        _strength(self._level, elo)
        self._elo = elo

    @property
    def tablebase(self) -> Optional[Tablebase]:
        """The tablebase that searches probe. It stays open until the engine is closed or gets another one."""
        return self._tablebase

    @tablebase.setter
    def tablebase(self, tablebase: Optional[Tablebase]) -> None:
        self._searcher.set_tablebase(tablebase)
        self._tablebase = tablebase

    @property
    def network_text(self) -> str:
        """The description of the evaluation network."""
        return self._searcher.network_text

    def load_network(self, network: Union[str, "os.PathLike[str]", bytes, None]) -> None:
        """Evaluates with another network, from a path or from bytes; None is the one in the library. The error is NETWORK."""
        if network is None or isinstance(network, bytes):
            self._searcher.set_network(network)
        else:
            with open(os.fspath(network), "rb") as file:
                self._searcher.set_network(file.read(1 << 24))

    # Searching

    def analyse(
        self,
        position: Union[Position, Game],
        *,
        nodes: Optional[int] = None,
        soft_nodes: Optional[int] = None,
        depth: Optional[int] = None,
        time: Optional[float] = None,
        mate: Optional[int] = None,
        clock: Optional[Clock] = None,
        infinite: bool = False,
        moves: Optional[Iterable[Union[Move, str, int]]] = None,
        lines: int = 1,
        report: Optional[Report] = None,
    ) -> Analysis:
        """Searches with full strength and returns what was found.

        At least one limit is needed; the search ends at the first that is reached. `nodes` and `depth` are numbers,
        `soft_nodes` allows no new iteration after so many, `time` is in seconds, `mate` ends the search when a mate in so
        many moves is found, `clock` shares out the time of a game, and `infinite` ends at `stop` only. `moves` are the
        moves to search, by default all. `lines` is the number of variations, each with another first move.

        A Game, unlike a Position, tells the engine which positions have occurred. `report` is called with each
        AnalysisLine that is new or deeper, from a thread of the engine; what it raises ends the search.
        """
        limits = _limits(nodes, soft_nodes, depth, time, mate, clock, infinite)
        return self._search(position, limits, moves, lines, report, _strength(None, None))

    def play(
        self,
        position: Union[Position, Game],
        *,
        nodes: Optional[int] = None,
        soft_nodes: Optional[int] = None,
        depth: Optional[int] = None,
        time: Optional[float] = None,
        mate: Optional[int] = None,
        clock: Optional[Clock] = None,
        moves: Optional[Iterable[Union[Move, str, int]]] = None,
    ) -> Move:
        """The move that the engine plays with its level or Elo. The limits are those of `analyse`.

        The error is END if there is no legal move.
        """
        limits = _limits(nodes, soft_nodes, depth, time, mate, clock, False)
        best = self._search(position, limits, moves, 1, None, _strength(self._level, self._elo)).best
        if best is None:
            raise LuftError(Error.END, "there is no legal move")
        return best

    def _search(
        self,
        target: Union[Position, Game],
        limits: tuple[Any, ...],
        moves: Optional[Iterable[Union[Move, str, int]]],
        lines: int,
        report: Optional[Report],
        strength: tuple[int, int],
    ) -> Analysis:
        if not isinstance(target, (Position, Game)):
            raise TypeError(f"expected a Position or a Game, got {type(target)!r}")
        _check_report(report)
        position = target if isinstance(target, Position) else target.position
        chosen = b"" if moves is None else _core.legal_move_values(position, moves)
        if moves is not None and not chosen:
            raise LuftError(Error.ARGUMENT, "moves: expected at least one")
        number = _count("lines", lines, 1, 1, 1 << 30)
        return self._searcher.search(target, position, limits, chosen, number, *strength, report)

    def evaluate(self, position: Position) -> int:
        """The static evaluation in centipawns, for the side to move."""
        return self._searcher.evaluate(position)

    def stop(self) -> None:
        """Ends a search that runs in another thread: it returns what it has found. For any thread and for `report`."""
        self._searcher.stop()

    @property
    def is_searching(self) -> bool:
        return self._searcher.is_searching

    def clear(self) -> None:
        """Clears the results of all searches, for a new game."""
        self._searcher.clear()

    # Life

    def close(self) -> None:
        """Frees the engine. A search that runs ends as by `stop`, and its result is still returned."""
        self._searcher.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an Engine cannot be pickled or copied: make another one")

    def __repr__(self) -> str:
        if self._searcher.is_closed:
            return "<Engine: closed>"
        strength = f", Elo {self._elo}" if self._elo is not None else f", level {self._level}" if self._level is not None else ""
        threads = "1 thread" if self._threads == 1 else f"{self._threads} threads"
        return f"<Engine: {threads}, {self._hash} MB{strength}>"


class _Call(Generic[_ResultT]):
    """A call of an AsyncEngine: waits for the thread of the executor, then runs in it."""

    def __init__(
        self, owner: AsyncEngine, function: Callable[..., _ResultT], arguments: tuple[Any, ...], settings: dict[str, Any]
    ) -> None:
        self.failure: Optional[BaseException] = None  # what `report` has raised
        self._owner, self._function, self._arguments, self._settings = owner, function, arguments, settings
        report = settings.get("report")
        _check_report(report)
        if report is not None:
            self._report, self._loop = report, asyncio.get_running_loop()
            settings["report"] = lambda line: self._loop.call_soon_threadsafe(self._deliver, line)

    def run(self) -> _ResultT:
        with self._owner._lock:
            self._owner._running = self
        try:
            return self._function(*self._arguments, **self._settings)
        finally:
            with self._owner._lock:
                self._owner._running = None

    def stop(self) -> None:
        """Ends the search of this call if it runs, but not that of the next one."""
        with self._owner._lock:
            if self._owner._running is self:
                self._owner.engine.stop()

    def _deliver(self, line: AnalysisLine) -> None:
        """Reports a line, in the event loop. Nothing more is reported after an exception."""
        if self.failure is None:
            try:
                self._report(line)
            except BaseException as error:
                self.failure = error
                self.stop()


class AsyncEngine:
    """An Engine for asyncio: `analyse`, `play`, `evaluate` and `clear` are coroutines.

        async with luft.AsyncEngine() as engine:
            analysis = await engine.analyse(luft.Position(), nodes=10000)

    Calls that wait are done one after the other, from whichever event loop they come. A search whose task is cancelled is
    stopped. `report` is called in the event loop; what it raises ends the search. `engine` is the Engine, for its settings.
    """

    def __init__(self, **settings: Any) -> None:
        """The settings are those of Engine."""
        self.engine = Engine(**settings)
        self._executor = concurrent.futures.ThreadPoolExecutor(max_workers=1, thread_name_prefix="luft-engine")
        self._lock = threading.Lock()
        self._running: Optional[_Call[Any]] = None  # the call that the thread of the executor makes; guarded by the lock

    async def _run(self, function: Callable[..., _ResultT], *arguments: Any, **settings: Any) -> _ResultT:
        call = _Call(self, function, arguments, settings)
        try:
            work = self._executor.submit(call.run)
        except RuntimeError:
            if self.engine._searcher.is_closed:
                raise ValueError("the engine is closed") from None
            raise
        future = asyncio.wrap_future(work)
        try:
            result = await asyncio.shield(future)
        except asyncio.CancelledError:
            # The task ends when the search has ended, also if it is cancelled again meanwhile.
            if not work.cancel():
                while not future.done():
                    call.stop()
                    with contextlib.suppress(asyncio.CancelledError):
                        await asyncio.wait([future], timeout=0.01)
                future.exception()  # which nobody waits for any more
            raise
        if call.failure is not None:
            raise call.failure
        return result

    async def analyse(self, position: Union[Position, Game], **limits: Any) -> Analysis:
        """Engine.analyse."""
        return await self._run(self.engine.analyse, position, **limits)

    async def play(self, position: Union[Position, Game], **limits: Any) -> Move:
        """Engine.play."""
        return await self._run(self.engine.play, position, **limits)

    async def evaluate(self, position: Position) -> int:
        """Engine.evaluate."""
        return await self._run(self.engine.evaluate, position)

    async def clear(self) -> None:
        """Engine.clear."""
        await self._run(self.engine.clear)

    def stop(self) -> None:
        """Ends the search that runs: it returns what it has found."""
        self.engine.stop()

    def close(self) -> None:
        """Frees the engine. A search that runs ends as by `stop`, and its result is still returned."""
        self.engine.close()
        self._executor.shutdown(wait=False)

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(self, *unused: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an AsyncEngine cannot be pickled or copied: make another one")

    def __repr__(self) -> str:
        return f"<Async{repr(self.engine)[1:]}"
