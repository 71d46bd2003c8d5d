"""The blocks that belong in a run, from its `run.json` alone."""

from __future__ import annotations

from collections.abc import Iterator

from tournament.deals import schedule_seed
from tournament.records.run import Format, RunInfo, SegmentInfo
from tournament.schedule.formats import scheduled
from tournament.schedule.model import Block
from tournament.schedule.tables import tables_of


def can_tell_blocks(info: RunInfo) -> bool:
    """Returns whether `run.json` says every block: a knockout it never does, a sample only with its master."""
    return all(map(_can_tell, info.segments))


def _can_tell(segment: SegmentInfo) -> bool:
    if segment.format is Format.KNOCKOUT:
        return False
    is_sampled = any(field.blocks % (tables_of(field) or 1) for field in segment.fields)
    return not is_sampled or segment.master is not None or segment.suite is not None


def blocks_of_run(info: RunInfo) -> Iterator[Block]:
    """Yields the blocks of a complete run in the order of its records, without those that are void or withdrawn.

    Ask `can_tell_blocks` first.
    """
    void = {one.block for one in info.void}
    after = {one.after for one in info.withdrawn}
    gone: set[str] = set()
    for segment in info.segments:
        seed = schedule_seed(segment.master or segment.suite or "", segment=segment.number)
        for block in scheduled(segment, seed=seed):
            if block.id in void or gone.intersection(block.order):
                continue
            yield block
            if block.id in after:
                gone.update(one.entrant for one in info.withdrawn if one.after == block.id)
