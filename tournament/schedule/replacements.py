"""The blocks of a segment with those that stand in for blocks of entrants that were withdrawn.

When the schedule is over, blocks that were left out because an entrant had been withdrawn are replaced by as many
among those who are left, in whole chunks; when somebody is withdrawn in these, they are replaced in turn. All of it
follows from schedule and withdrawals alone: workers do not matter, and resume and audit come to the same blocks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from tournament.ids import segment_of
from tournament.records.run import Field, Format, RunInfo, SegmentInfo
from tournament.schedule.formats import blocks_of_fields, scheduled
from tournament.schedule.model import Block
from tournament.schedule.tables import blocks_of_chunk


class SegmentBlocks:
    """Hands out the blocks of a round robin or a gauntlet in the order of the records, and is told what became of each.

    Rounds follow on each other: the schedule, and then what replaces blocks that were left out of the round before.
    """

    def __init__(self, segment: SegmentInfo, *, seed: str, replaces: bool) -> None:
        """Starts with nobody withdrawn; `replaces`: whether blocks that are left out are replaced.

        `seed` comes from `tournament.deals.schedule_seed`.
        """
        self._segment = segment
        self._seed = seed
        self._replaces = replaces
        self._blocks = scheduled(replace(segment, ended_after=None), seed=seed)
        self._first = {field.group: field.blocks for field in segment.fields}
        """The number of the next block that is made, by group."""

        self._out: set[str] = set()
        self._left_out: Counter[str] = Counter()
        self._open = 0
        self.given = 0
        """How many blocks have been handed out."""

        self.round = 0
        self.fields = segment.fields
        """Those of the present round."""

    def next(self) -> Block | None:
        """Returns the next block; None when there is none, or none before it is known what becomes of others."""
        if self.given == self._segment.ended_after:
            return None
        block = next(self._blocks, None)
        if block is None and self._begin_round():
            block = next(self._blocks, None)
        if block is not None:
            self.given += 1
            self._open += 1
        return block

    def settle(self) -> None:
        """Takes in that a block was played, or is void."""
        self._open -= 1

    def leave_out(self, block: Block) -> None:
        """Takes in that a block is not played, because one of its entrants was withdrawn before it."""
        self._open -= 1
        self._left_out[block.group] += 1

    def withdraw(self, entrant: str) -> None:
        """Takes in that an entrant is withdrawn."""
        self._out.add(entrant)

    def _begin_round(self) -> bool:
        """Begins a round of blocks in place of those that were left out; returns whether there is one."""
        if not self._replaces or self._open or not self._left_out:
            return False
        fields = [
            field
            for field in (self._filled(field) for field in self._segment.fields if self._left_out[field.group])
            if field.blocks
        ]
        if not fields:
            return False
        self.round += 1
        self.fields = tuple(fields)
        self._blocks = blocks_of_fields(
            fields,
            format=self._segment.format,
            seed=f"{self._seed}|in place {self.round}",
            segment=self._segment.number,
            first=dict(self._first),
        )
        for field in fields:
            self._left_out[field.group] -= field.blocks
            self._first[field.group] += field.blocks
        return True

    def _filled(self, field: Field) -> Field:
        rest = left_of(field, self._out)
        if not has_tables(rest, self._segment.format):
            return replace(rest, blocks=0)
        chunk = blocks_of_chunk(rest)
        blocks = self._left_out[field.group]
        if self._segment.suite_deals is not None:
            blocks = min(blocks, self._segment.suite_deals - self._first[field.group])
        return replace(rest, blocks=blocks // chunk * chunk)


def left_of(field: Field, out: Collection[str]) -> Field:
    """Returns a field without those who are out."""
    return replace(
        field,
        entrants=tuple(name for name in field.entrants if name not in out),
        focus=tuple(name for name in field.focus if name not in out),
    )


def has_tables(rest: Field, format: Format) -> bool:  # noqa: A002 (the word of run.json)
    """Returns whether those who are left of a field are enough for a table."""
    if format is Format.GAUNTLET:
        return bool(rest.focus) and len(rest.entrants) - len(rest.focus) >= rest.players - 1
    return len(rest.entrants) >= rest.players


def withdrawn_until(info: RunInfo, segment: int) -> set[str]:
    """Returns who had been withdrawn at the end of a segment."""
    return {
        one.entrant
        for one in info.withdrawn
        if (number := segment_of(one.after)) is None or number <= segment  # None: `run.json` claims what is no block
    }


def walk_segment(info: RunInfo, segment: SegmentInfo, *, seed: str) -> Iterator[tuple[Block, bool]]:
    """Yields every block that a round robin or a gauntlet hands out, and whether it is played.

    Not played are those that are void, or of an entrant that was withdrawn before.
    """
    void = {one.block for one in info.void}
    after: defaultdict[str, list[str]] = defaultdict(list)
    for one in info.withdrawn:
        after[one.after].append(one.entrant)
    blocks = SegmentBlocks(segment, seed=seed, replaces=info.withdraw is not None)
    out = withdrawn_until(info, segment.number - 1)
    for entrant in out:
        blocks.withdraw(entrant)
    while (block := blocks.next()) is not None:
        is_left_out = not out.isdisjoint(block.order)
        yield block, not is_left_out and block.id not in void
        if is_left_out and block.id not in void:
            blocks.leave_out(block)
            continue
        blocks.settle()
        for entrant in after.get(block.id, ()):
            out.add(entrant)
            blocks.withdraw(entrant)
