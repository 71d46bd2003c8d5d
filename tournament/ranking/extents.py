"""How much of the runs that are ranked was planned and played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from tournament.records.fitting import read_results
from tournament.records.run import Extent, RunInfo, SegmentInfo
from tournament.schedule.extents import ExtentCounter, total_extent
from tournament.schedule.model import Block


def written_extent(info: RunInfo) -> Extent | None:
    """Returns how much a complete run says was played, without its finals; None for one that does not say."""
    return _total(segment.extent for segment in _ranked(info, None))


def extent_of_run(folder: Path, info: RunInfo, *, segment: int | None = None) -> Extent | None:
    """Returns how much of a run was planned and played, without its finals, or of one segment.

    Where `run.json` does not say, because the run goes on or 0.1.0 played it, the results are counted.
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
