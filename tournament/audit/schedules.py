"""The schedule of a run, worked out again from `run.json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tournament.records.run import Field, Format, RunInfo
from tournament.schedule import MOST_BLOCKS, Block, blocks_of_run, can_tell_blocks, tables_of


class Due(NamedTuple):
    """A block of the schedule."""

    place: int
    """Blocks of the schedule before it."""

    block: Block


def schedule_of(info: RunInfo) -> dict[str, Due] | None:
    """Returns the blocks of a run by their id, in order; None when `run.json` alone does not tell them.

    Memory: all blocks. Ask `schedule_problem` first.
    """
    if not can_tell_blocks(info):
        return None
    return {block.id: Due(place, block) for place, block in enumerate(blocks_of_run(info))}


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
        if segment.format is not Format.KNOCKOUT and (blocks, games) != (segment.blocks, segment.games):
            yield (
                f"Segment {number} is not as long as its fields.",
                f"{blocks} blocks, {games} games",
                f"{segment.blocks} blocks, {segment.games} games",
            )
        if blocks > MOST_BLOCKS:
            yield f"Segment {number} is too long to be worked out.", f"at most {MOST_BLOCKS} blocks", blocks


def _has_tables(field: Field) -> bool:
    names = set(field.entrants)
    return (
        len(names) == len(field.entrants) >= field.players
        and len(set(field.focus)) == len(field.focus) < len(names)
        and names.issuperset(field.focus)
        and tables_of(field) > 0
    )
