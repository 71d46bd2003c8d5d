"""The schedule of a run, worked out again from `run.json`, and of a knockout from its results."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final, NamedTuple

from tournament.audit.knockouts import blocks_with_knockouts, has_knockout
from tournament.records.results import ResultLine
from tournament.records.run import Field, Format, RunInfo, RunState, SegmentInfo
from tournament.schedule import MOST_BLOCKS, Block, blocks_of_run, can_tell_blocks, tables_of
from tournament.schedule.knockout import blocks_of_knockout

MOST_MISSING: Final = 10_000
"""So many blocks more than have results are worked out: a `run.json` may claim millions."""


class Due(NamedTuple):
    """A block of the schedule."""

    place: int
    """Blocks of the schedule before it."""

    block: Block


class Schedule(NamedTuple):
    """The blocks of a run."""

    dues: dict[str, Due]
    """By their id, in order, without those that are void."""

    void: set[str]
    """Void ones of a knockout; the schedules of others are made without them."""

    goes_on: bool
    """There are more: at least `MOST_MISSING` blocks have no results."""


def schedule_of(info: RunInfo, results: Collection[ResultLine]) -> Schedule | None:
    """Returns the blocks of a run; None when a sample cannot be told, because its master is still secret.

    Memory: all blocks. Ask `schedule_problem` first. Raises what results of a knockout that make no sense may raise.
    """
    blocks: Iterator[Block] | None
    if has_knockout(info):
        blocks = blocks_with_knockouts(info, results)
    else:
        blocks = blocks_of_run(info) if can_tell_blocks(info) else None
    if blocks is None:
        return None
    void = {one.block for one in info.void}
    first = list(islice(blocks, len({result.block for result in results}) + len(void) + MOST_MISSING))
    return Schedule(
        {block.id: Due(place, block) for place, block in enumerate(first) if block.id not in void},
        void=void.intersection(block.id for block in first),
        goes_on=next(blocks, None) is not None,
    )


def schedule_problem(info: RunInfo) -> tuple[str, object, object] | None:
    """Returns how the segments of a run contradict themselves (a sentence, expected, found), or None."""
    return next(_problems(info), None)


def _problems(info: RunInfo) -> Iterator[tuple[str, object, object]]:
    players = {group.name: group.players for group in info.groups}
    for number, segment in enumerate(info.segments):
        if segment.number != number:
            yield "Segments are numbered from 0.", number, segment.number
        for field in segment.fields:
            if players.get(field.group) != field.players:
                yield (
                    f"Segment {number} plays a group the run has not.",
                    ", ".join(f"{name} with {count}" for name, count in players.items()),
                    f"{field.group} with {field.players}",
                )
            elif field.blocks and not _has_tables(field):
                yield (
                    f"Segment {number} has no tables for {field.group}.",
                    f"at least {field.players} different entrants, and of these those in focus",
                    f"{len(field.entrants)} entrants",
                )
        blocks = sum(field.blocks for field in segment.fields)
        games = sum(field.blocks * field.players for field in segment.fields)
        is_counted = segment.format is Format.KNOCKOUT and info.state is RunState.COMPLETE  # its extra blocks too
        if not is_counted and (blocks, games) != (segment.blocks, segment.games):
            yield (
                f"Segment {number} is not as long as its fields.",
                f"{blocks} blocks, {games} games",
                f"{segment.blocks} blocks, {segment.games} games",
            )
        if blocks > MOST_BLOCKS:
            yield f"Segment {number} is too long to be worked out.", f"at most {MOST_BLOCKS} blocks", blocks
        elif segment.format is Format.KNOCKOUT:
            yield from _knockout_problems(segment)


def _knockout_problems(segment: SegmentInfo) -> Iterator[tuple[str, object, object]]:
    for field in segment.fields:
        if not segment.deals or not 1 < field.players <= len(field.entrants) or not _has_tables(field):
            yield (
                f"Segment {segment.number} is no knockout of {field.group}.",
                "deals, and entrants for a table",
                f"{segment.deals or 'no'} deals, {len(field.entrants)} entrants",
            )
        elif field.blocks != (wanted := blocks_of_knockout(field, deals=segment.deals)):
            yield f"The knockout of {field.group} has another number of blocks.", wanted, field.blocks


def _has_tables(field: Field) -> bool:
    names = set(field.entrants)
    return (
        len(names) == len(field.entrants) >= field.players
        and len(set(field.focus)) == len(field.focus) < len(names)
        and names.issuperset(field.focus)
        and tables_of(field) > 0
    )
