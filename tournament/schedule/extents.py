"""How much of a run, or of runs that are ranked, was planned and played, and why the rest was not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from tournament.ids import is_in_segment
from tournament.languages import gettext_noop, kept_gettext, kept_row
from tournament.records.run import Extent, Field, Format, Gap, GapReason, RunInfo, RunState, SegmentInfo
from tournament.schedule.formats import Block, blocks_of_chunk
from tournament.schedule.withdrawals import has_tables, left_of, withdrawn_until
from tournament.store.results import read_results

_WHY: Final = {
    GapReason.VOID: gettext_noop("they killed the workers that played them"),
    GapReason.DECIDED: gettext_noop("the run was decided before"),
    GapReason.CHANGED: gettext_noop("a bot was changed before"),
    GapReason.WITHDRAWN: gettext_noop("one of their entrants was withdrawn"),
    GapReason.TOO_FEW_ENTRANTS: gettext_noop("too few entrants are left for a table"),
    GapReason.SUITE_TOO_SHORT: gettext_noop("the deal suite has no more deals"),
    GapReason.NO_WHOLE_CHUNK: gettext_noop("they are too few for all who are left to sit equally often"),
}


class ExtentCounter:
    """Counts the blocks of a run as they are played."""

    def __init__(self, segments: Iterable[SegmentInfo]) -> None:
        """Starts without any block; takes all segments of the run."""
        self._scheduled = {
            (segment.number, field.group): field.blocks
            for segment in segments
            if segment.format is not Format.KNOCKOUT
            for field in segment.fields
        }
        self._blocks: Counter[tuple[int, str]] = Counter()
        self._in_place: Counter[tuple[int, str]] = Counter()

    def add(self, block: Block) -> None:
        """Counts a block that was played."""
        key = block.segment, block.group
        self._blocks[key] += 1
        # Blocks in place of others have the numbers after those of the schedule.
        self._in_place[key] += block.number >= self._scheduled.get(key, block.number + 1)

    def extent(self, info: RunInfo, segment: SegmentInfo) -> Extent:
        """Returns how much of a segment was planned and played.

        Games that are missing are named only where no more of them can come.
        """
        fields = segment.fields
        is_over = info.state is RunState.COMPLETE or segment is not info.segments[-1]
        return Extent(
            planned=sum(field.blocks * field.players for field in fields),
            played=sum(self._blocks[segment.number, field.group] * field.players for field in fields),
            in_place=sum(self._in_place[segment.number, field.group] * field.players for field in fields),
            left_out=tuple(gap for field in fields for gap in self._gaps(info, segment, field)) if is_over else (),
        )

    def _gaps(self, info: RunInfo, segment: SegmentInfo, field: Field) -> Iterable[Gap]:
        missing = field.blocks - self._blocks[segment.number, field.group]
        void = min(
            sum(is_in_segment(one.block, group=field.group, segment=segment.number) for one in info.void), missing
        )
        if void > 0:
            yield Gap(group=field.group, games=void * field.players, why=GapReason.VOID)
        if missing > max(void, 0):
            blocks = missing - void
            why = _reason(info, segment, field, blocks)
            yield Gap(group=field.group, games=blocks * field.players, why=why)


def _reason(info: RunInfo, segment: SegmentInfo, field: Field, blocks: int) -> GapReason:
    """Returns why so many blocks of a field that are not void are missing."""
    if segment.ended_after is not None:
        is_decided = segment.number == 0 and info.decision is not None and info.decision.decided
        return GapReason.DECIDED if is_decided else GapReason.CHANGED
    if info.withdraw is None:
        return GapReason.WITHDRAWN
    rest = left_of(field, withdrawn_until(info, segment.number))
    if not has_tables(rest, segment.format):
        return GapReason.TOO_FEW_ENTRANTS
    return GapReason.NO_WHOLE_CHUNK if blocks < blocks_of_chunk(rest) else GapReason.SUITE_TOO_SHORT


def total_extent(extents: Iterable[Extent]) -> Extent:
    """Returns several extents as one; games that were planned again in a later segment count once."""
    total = Extent(planned=0, played=0)
    gaps: Counter[tuple[str, GapReason]] = Counter()
    for extent in extents:
        again = sum(gap.games for gap in extent.left_out if gap.why is GapReason.CHANGED)
        planned, played = total.planned + extent.planned - again, total.played + extent.played
        total = replace(total, planned=planned, played=played, in_place=total.in_place + extent.in_place)
        gaps.update({(gap.group, gap.why): gap.games for gap in extent.left_out if gap.why is not GapReason.CHANGED})
    return replace(
        total, left_out=tuple(Gap(group=group, games=games, why=why) for (group, why), games in gaps.items())
    )


def format_extent(extent: Extent) -> str:
    """Returns how much was planned, played and left out, and why, in English, which `spoken` translates."""
    values = {"planned": extent.planned, "played": extent.played}
    if extent.in_place:
        played = kept_gettext(
            "Planned were {planned} games, played {played}, {in_place} of them in place of games with somebody "
            "withdrawn.",
            **values,
            in_place=extent.in_place,
        )
    else:
        played = kept_gettext("Planned were {planned} games, played {played}.", **values)
    gaps = [
        kept_gettext(
            "{games} of {group} left out: {why}.", games=gap.games, group=gap.group, why=kept_gettext(_WHY[gap.why])
        )
        for gap in extent.left_out
    ]
    return kept_row([played, *gaps], " ")


def written_extent(info: RunInfo) -> Extent | None:
    """Returns how much of a complete run was played by its `run.json`, without finals; None where that is missing."""
    return _total(segment.extent for segment in _ranked(info, None))


def extent_of_run(folder: Path, info: RunInfo, *, segment: int | None = None) -> Extent | None:
    """Returns how much of a run, without its finals, or of one segment was planned and played.

    The results are counted where `run.json` does not say it, because the run goes on or 0.1.0 played it.
    """
    asked = _ranked(info, segment)
    if all(one.extent is not None for one in asked):
        return _total(one.extent for one in asked)
    counter = ExtentCounter(info.segments)
    for block, games in groupby(read_results(folder), key=lambda result: result.block):
        counter.add(Block.from_id(block, order=next(games).seats))
    return _total(counter.extent(info, one) for one in asked)


def _ranked(info: RunInfo, segment: int | None) -> list[SegmentInfo]:
    return [one for one in info.segments if (not one.final if segment is None else one.number == segment)]


def _total(extents: Iterator[Extent | None]) -> Extent | None:
    known = list(extents)
    return None if None in known or not known else total_extent(one for one in known if one is not None)
