"""Listeners follow a run while it is played."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec.structs import replace

from tournament.ranking.sources import StandingsSoFar
from tournament.ranking.stopping import Decider
from tournament.records.results import ResultLine
from tournament.records.run import DecisionInfo, Field, RunInfo, SegmentInfo
from tournament.schedule.extents import ExtentCounter
from tournament.schedule.formats import BalanceCounter, Block


class Observer(Protocol):
    """Follows a run; called from the thread that writes it, in schedule order."""

    def started(self, info: RunInfo, folder: Path, *, games: int) -> None:
        """Play begins or goes on; `games` were played before."""
        ...

    def block(self, block: Block, results: Sequence[ResultLine]) -> None:
        """A block has been written."""
        ...

    def note(self, text: str) -> None:
        """Something happened that a user should know."""
        ...

    def finished(self, info: RunInfo, folder: Path) -> None:
        """Play has ended: complete with its standings, or as `info.state` says."""
        ...


class Observers:
    """Passes everything on to each of several."""

    def __init__(self, *observers: Observer) -> None:
        """Takes those who follow, in the order in which they are told."""
        self._observers = observers

    def started(self, info: RunInfo, folder: Path, *, games: int) -> None:
        """Passes it on."""
        for observer in self._observers:
            observer.started(info, folder, games=games)

    def block(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Passes it on."""
        for observer in self._observers:
            observer.block(block, results)

    def note(self, text: str) -> None:
        """Passes it on."""
        for observer in self._observers:
            observer.note(text)

    def finished(self, info: RunInfo, folder: Path) -> None:
        """Passes it on."""
        for observer in self._observers:
            observer.finished(info, folder)


Listener = Callable[[Block, Sequence[ResultLine]], object]
"""Is given each block that counts with its results, in schedule order."""


class Figures:
    """Counts what a run has played, for the figures that `run.json` gives at its end."""

    def __init__(self, segments: Sequence[SegmentInfo]) -> None:
        """Takes all segments of the run."""
        self._extents = ExtentCounter(segments)
        self._balance = BalanceCounter()
        self.games = 0
        self.blocks = 0

    def note(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Counts a block."""
        self._balance.add(block)
        self._extents.add(block)
        self.games += len(results)
        self.blocks += 1

    def with_figures(self, info: RunInfo) -> RunInfo:
        """Returns a complete run with its balance, and with the extent of each of its segments."""
        fields = [field for one in info.segments for field in one.fields]
        return replace(
            info,
            balance=self._balance.balance(fields),
            segments=tuple(replace(one, extent=self._extents.extent(info, one)) for one in info.segments),
        )


class StandingsListener:
    """Takes in what the standings need of each block, so that nothing is read again at the end of a run."""

    def __init__(self, info: RunInfo) -> None:
        """Takes the run before the first of the blocks that are told."""
        self._so_far = StandingsSoFar(info)
        self._error: Exception | None = None

    def note(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Takes in a block. What fails is told at the end: the run goes on without standings."""
        if self._error is None:
            try:
                self._so_far.add(results)
            except Exception as error:
                self._error = error

    def file(self, info: RunInfo) -> dict[str, Any]:
        """Returns the values of `standings.json`. Raises whatever failed."""
        if self._error is not None:
            raise self._error
        return self._so_far.file(info)


class EarlyEnd:
    """Asks what `until` asks after each block of a segment: whether the run may end now."""

    def __init__(self, info: RunInfo, *, say: Callable[[str], object]) -> None:
        """Takes a run that has an `until`; `say` is told the decision."""
        self._decider = Decider(info)
        self._say = say
        self._last = ""
        self._handed_out = 0
        # Blocks handed out and not noted yet, each with its number and with the fields that begin with it in place of
        # others. Blocks that are never played are among them.
        self._due: deque[tuple[int, Block, tuple[Field, ...]]] = deque()
        self._ended_after: int | None = None
        self.decision: DecisionInfo | None = None

    def expect(self, block: Block, begun: tuple[Field, ...]) -> None:
        """Takes the next block of the schedule, played or not, and the fields that begin with it."""
        self._handed_out += 1
        self._due.append((self._handed_out, block, begun))

    def note(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Asks whether the run may end after this block."""
        self._last = block.id
        if self.decision is not None:
            return
        number, due, begun = self._due.popleft()
        while due != block:
            self._decider.begin(begun)
            self._decider.pass_over(due)
            number, due, begun = self._due.popleft()
        self._decider.begin(begun)
        self.decision = self._decider.note(block, results)
        if self.decision is not None:
            self._ended_after = number
            self._say(self.decision.text)

    def withdraw(self, entrant: str) -> None:
        """Decides without an entrant from here on."""
        self._decider.withdraw(entrant)

    def with_decision(self, info: RunInfo) -> RunInfo:
        """Returns a complete run with the decision, or with the note that the budget was used up before one."""
        if self.decision is None:
            text = "Not decided within the budget."
            return replace(info, decision=DecisionInfo(decided=False, after=self._last, text=text))
        closed = replace(info.segments[-1], ended_after=self._ended_after)
        return replace(info, decision=self.decision, segments=(*info.segments[:-1], closed))
