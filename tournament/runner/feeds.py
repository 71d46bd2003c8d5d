"""The blocks of a segment one by one, in the order in which they are written."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import Protocol

from tournament.ranking.brackets import points_of_block
from tournament.records.results import ResultLine
from tournament.records.run import Field, Format, SegmentInfo
from tournament.schedule import Block, SegmentBlocks, knockout


class Feed(Protocol):
    """Hands out blocks."""

    def next(self) -> Block | None:
        """Returns the next block; None when there is none, or none before the results of those handed out."""
        ...

    def note(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Takes the results of a block, in the order in which blocks were handed out; none for a void one."""
        ...

    def leave_out(self, block: Block) -> None:
        """Takes in that a block is not played, because one of its entrants was withdrawn before it."""
        ...

    def withdraw(self, entrant: str) -> None:
        """Takes in that an entrant is withdrawn, at the end of the block that was noted last."""
        ...

    @property
    def begun(self) -> tuple[Field, ...]:
        """The fields of the blocks in place of others that begin with the one handed out last; otherwise none."""
        ...


def feed_of(segment: SegmentInfo, *, seed: str, replaces: bool = False) -> Feed:
    """Returns what hands out the blocks of a segment; `replaces`: and others for those that are left out."""
    if segment.format is Format.KNOCKOUT:
        assert segment.deals is not None, "a knockout is made with its deals"
        return _Knockouts(segment.fields, deals=segment.deals, segment=segment.number)
    return _Stream(SegmentBlocks(segment, seed=seed, replaces=replaces))


class _Stream:
    def __init__(self, blocks: SegmentBlocks) -> None:
        self._blocks = blocks
        self.begun: tuple[Field, ...] = ()

    def next(self) -> Block | None:
        before = self._blocks.round
        block = self._blocks.next()
        self.begun = self._blocks.fields if self._blocks.round > before else ()
        return block

    def note(self, block: Block, results: Sequence[ResultLine]) -> None:
        self._blocks.settle()

    def leave_out(self, block: Block) -> None:
        self._blocks.leave_out(block)

    def withdraw(self, entrant: str) -> None:
        self._blocks.withdraw(entrant)


class _Knockouts:
    """The knockouts of all groups, in turn; a stage of each is handed out as soon as the one before is known."""

    def __init__(self, fields: Sequence[Field], *, deals: int, segment: int) -> None:
        self._fields = fields
        self._deals = deals
        self._segment = segment
        self._points: dict[str, list[Counter[str]]] = {field.group: [] for field in fields}
        self._ready: deque[Block] = deque()
        self._missing = 0
        self.begun: tuple[Field, ...] = ()

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

    def leave_out(self, block: Block) -> None:
        raise AssertionError("nobody is withdrawn from a knockout")

    def withdraw(self, entrant: str) -> None:
        """Does nothing: who was withdrawn from an earlier segment takes no part."""

    def _fill(self) -> None:
        waiting = [
            deque(knockout(field, deals=self._deals, points=self._points[field.group], segment=self._segment).waiting)
            for field in self._fields
        ]
        while any(waiting):
            self._ready += [blocks.popleft() for blocks in waiting if blocks]
