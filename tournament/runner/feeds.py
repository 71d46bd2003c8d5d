"""The blocks of a segment one by one, in the order in which they are written."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Protocol

from tournament.ranking.brackets import points_of_block
from tournament.records.results import ResultLine
from tournament.records.run import Format, SegmentInfo
from tournament.schedule import Block, Field, knockout, scheduled


class Feed(Protocol):
    """Hands out blocks."""

    def next(self) -> Block | None:
        """Returns the next block; None when there is none, or none before the results of those handed out."""
        ...

    def note(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Takes the results of a block, in the order in which blocks were handed out; none for a void one."""
        ...


def feed_of(segment: SegmentInfo, *, seed: str) -> Feed:
    """Returns what hands out the blocks of a segment."""
    if segment.format is Format.KNOCKOUT:
        assert segment.deals is not None, "a knockout is made with its deals"
        return _Knockouts(segment.fields, deals=segment.deals, segment=segment.number)
    return _Stream(scheduled(segment, seed=seed))


class _Stream:
    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks = blocks

    def next(self) -> Block | None:
        return next(self._blocks, None)

    def note(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Forgets them: results change nothing."""


class _Knockouts:
    """The knockouts of all groups, in turn; a stage of each is handed out as soon as the one before is known."""

    def __init__(self, fields: Sequence[Field], *, deals: int, segment: int) -> None:
        self._fields = fields
        self._deals = deals
        self._segment = segment
        self._points: dict[str, list[Counter[str]]] = {field.group: [] for field in fields}
        self._ready: deque[Block] = deque()
        self._missing = 0

    def next(self) -> Block | None:
        if not self._ready and not self._missing:
            self._fill()
        if not self._ready:
            return None
        self._missing += 1
        return self._ready.popleft()

    def note(self, block: Block, results: Sequence[ResultLine]) -> None:
        self._points[block.group].append(points_of_block(results))
        self._missing -= 1

    def _fill(self) -> None:
        waiting = [
            deque(knockout(field, deals=self._deals, points=self._points[field.group], segment=self._segment).waiting)
            for field in self._fields
        ]
        while any(waiting):
            self._ready += [blocks.popleft() for blocks in waiting if blocks]
