"""The knockouts of a run, worked out from its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from tournament.ranking.results import half_points
from tournament.records.results import ResultLine, read_results
from tournament.records.run import Format, RunInfo
from tournament.schedule import Knockout, knockout


def points_of_block(results: Iterable[ResultLine]) -> Counter[str]:
    """Returns the half points of each entrant in the games of a block; none for a block without games."""
    points: Counter[str] = Counter()
    for result in results:
        halves = half_points(result.places, result.forfeits, result.ending)
        points.update(dict(zip(result.seats, halves, strict=True)))
    return points


def brackets_of_run(folder: Path, info: RunInfo) -> dict[str, Knockout]:
    """Returns by group how far its knockout is; nothing for a run in another format."""
    segment = info.segments[-1]
    if segment.format is not Format.KNOCKOUT or segment.deals is None:
        return {}
    points: dict[str, dict[int, Counter[str]]] = {field.group: {} for field in segment.fields}
    for block, results in groupby(read_results(folder), key=lambda result: result.block):
        group, _, number = block.split(".")
        points[group][int(number)] = points_of_block(results)
    for void in info.void:
        group, _, number = void.block.split(".")
        points[group][int(number)] = Counter()
    return {
        field.group: knockout(
            field,
            deals=segment.deals,
            points=[known for _, known in sorted(points[field.group].items())],
            segment=segment.number,
        )
        for field in segment.fields
    }
