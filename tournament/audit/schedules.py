"""The schedule of a run, worked out again from `run.json` and walked along beside its records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from tournament.audit.records import RecordId
from tournament.records.run import RunInfo
from tournament.schedule import blocks_of_run

MOST_GAMES: Final = 10_000_000
"""A longer schedule is not walked: such a `run.json` is a mistake or a trap."""


class Place(NamedTuple):
    """Where a record belongs."""

    entrants: tuple[str, ...]
    """Who should sit at the table, by seat."""

    late: bool
    """Whether a record that belongs behind it came before."""


class Walk:
    """The ids of a schedule in order, passed over one by one as records come along."""

    def __init__(self, info: RunInfo) -> None:
        """Takes a run whose blocks can be told, with at most `MOST_GAMES` games."""
        self._players = {group.name: group.players for group in info.groups}
        self._blocks = {
            (segment.number, field.group): field.blocks for segment in info.segments for field in segment.fields
        }
        self._coming = self._games(info)
        self._next = next(self._coming, None)
        self.passed: dict[str, tuple[str, ...]] = {}
        """Ids, with the entrants by seat, whose record did not come when it was due."""

    def _games(self, info: RunInfo) -> Iterator[tuple[str, tuple[str, ...]]]:
        for block in blocks_of_run(info):
            for rotation in range(self._players[block.group]):
                yield block.record_id(rotation), block.seats(rotation)

    def place(self, record_id: str, parts: RecordId) -> Place | None:
        """Returns where a record belongs; None when it is nowhere in the schedule. Ask once for each id."""
        late = self.passed.pop(record_id, None)
        if late is not None:
            return Place(late, late=True)
        if not self._has(parts):
            return None
        while self._next is not None:
            due, entrants = self._next
            self._next = next(self._coming, None)
            if due == record_id:
                return Place(entrants, late=False)
            self.passed[due] = entrants
        return None

    def _has(self, parts: RecordId) -> bool:
        blocks = self._blocks.get((parts.segment, parts.group), 0)
        return parts.block < blocks and parts.rotation < self._players[parts.group]

    def rest_of_block(self) -> tuple[str, ...]:
        """Returns the ids that are missing from the block of the last record that came."""
        ids = []
        while self._next is not None and not self._next[0].endswith(".0"):
            ids.append(self._next[0])
            self._next = next(self._coming, None)
        return tuple(ids)

    def next_id(self) -> str | None:
        """Returns the id after the last one passed or placed; None at the end."""
        return None if self._next is None else self._next[0]
