"""The blocks that belong in a run, from its `run.json` alone."""

from __future__ import annotations

from collections.abc import Iterator

from tournament.deals import schedule_seed
from tournament.records.run import Format, RunInfo, SegmentInfo
from tournament.schedule.model import Block
from tournament.schedule.replacements import walk_segment, withdrawn_until
from tournament.schedule.tables import tables_of


def can_tell_blocks(info: RunInfo) -> bool:
    """Returns whether `run.json` says every block: a knockout it never does, a sample only with its master.

    What is played in place of blocks with an entrant that was withdrawn counts as a sample.
    """
    return all(_can_tell(info, segment) for segment in info.segments)


def _can_tell(info: RunInfo, segment: SegmentInfo) -> bool:
    if segment.format is Format.KNOCKOUT:
        return False
    if segment.master is not None or segment.suite is not None:
        return True
    is_replaced = info.withdraw is not None and bool(
        withdrawn_until(info, segment.number) - withdrawn_until(info, segment.number - 1)
    )
    return not is_replaced and not any(field.blocks % (tables_of(field) or 1) for field in segment.fields)


def blocks_of_run(info: RunInfo) -> Iterator[Block]:
    """Yields the blocks of a complete run in the order of its records, without those that are void or withdrawn.

    Ask `can_tell_blocks` first.
    """
    return (block for block, is_played in walk_run(info) if is_played)


def walk_run(info: RunInfo) -> Iterator[tuple[Block, bool]]:
    """Yields all blocks of a run that were due, and whether each is played, as `walk_segment` does."""
    for segment in info.segments:
        seed = schedule_seed(segment.master or segment.suite or "", segment=segment.number)
        yield from walk_segment(info, segment, seed=seed)
