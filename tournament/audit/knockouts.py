"""The schedule of a run with a knockout, worked out again from its results: who went on, who had a bye."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import groupby, zip_longest

from msgspec.structs import replace

from tournament.ranking.brackets import points_of_block
from tournament.records.results import ResultLine
from tournament.records.run import Format, RunInfo, SegmentInfo
from tournament.schedule import Block, blocks_of_run, can_tell_blocks, knockout

Points = Mapping[str, Counter[str]]
"""By the id of a block."""


def has_knockout(info: RunInfo) -> bool:
    """Returns whether results say which blocks a run has."""
    return any(segment.format is Format.KNOCKOUT for segment in info.segments)


def blocks_with_knockouts(info: RunInfo, results: Iterable[ResultLine]) -> Iterator[Block] | None:
    """Returns the blocks of a run, void ones too, in the order of its records, up to those that wait for results.

    None when another segment is a sample whose master is still secret. Raises what results that make no sense
    may raise.
    """
    others = tuple(segment for segment in info.segments if segment.format is not Format.KNOCKOUT)
    if others and not can_tell_blocks(replace(info, segments=others)):
        return None
    points = {block: points_of_block(games) for block, games in groupby(results, key=lambda result: result.block)}
    points |= {void.block: Counter() for void in info.void}
    return _blocks(info, points)


def _blocks(info: RunInfo, points: Points) -> Iterator[Block]:
    for segment in info.segments:
        if segment.format is Format.KNOCKOUT:
            yield from _of_segment(segment, points)
        else:
            yield from blocks_of_run(replace(info, segments=(segment,)))


def _of_segment(segment: SegmentInfo, points: Points) -> Iterator[Block]:
    """Yields stage after stage: the next of every group at once, its blocks in turn."""
    known: dict[str, list[Counter[str]]] = {field.group: [] for field in segment.fields}
    while True:
        stages = [
            knockout(field, deals=segment.deals or 1, points=known[field.group], segment=segment.number).waiting
            for field in segment.fields
        ]
        stage = [block for turn in zip_longest(*stages) for block in turn if block is not None]
        yield from stage
        if not stage or not all(block.id in points for block in stage):
            return
        for block in stage:
            known[block.group].append(points[block.id])


def check_knockouts(info: RunInfo, blocks: Collection[Block], note: Callable[[str, object, object], None]) -> None:
    """Notes where a complete knockout is said to be longer or shorter than it was."""
    lengths = Counter(block.segment for block in blocks)
    games: Counter[int] = Counter()
    for block in blocks:
        games[block.segment] += len(block.order)
    for segment in info.segments:
        found = (lengths[segment.number], games[segment.number])
        if segment.format is Format.KNOCKOUT and found != (segment.blocks, segment.games):
            note(
                f"Segment {segment.number} is not as long as its knockout.",
                f"{found[0]} blocks, {found[1]} games",
                f"{segment.blocks} blocks, {segment.games} games",
            )
