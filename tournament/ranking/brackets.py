"""The knockouts of a run, worked out from its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from tournament.ids import parse_block_id
from tournament.records.fitting import read_results
from tournament.records.results import ResultLine
from tournament.records.run import Field, Format, RunInfo
from tournament.records.standings import Bracket, BracketRound, BracketSeat
from tournament.schedule.knockout import Knockout, Round, knockout
from tournament.schedule.model import Block


def points_of_block(results: Iterable[ResultLine]) -> Counter[str]:
    """Returns the half points of each entrant in the games of a block; none for a block without games."""
    points: Counter[str] = Counter()
    for result in results:
        points.update(dict(zip(result.seats, result.half_points, strict=True)))
    return points


def is_knockout(info: RunInfo) -> bool:
    """Returns whether a run was played as a knockout."""
    return info.segments[0].format is Format.KNOCKOUT


def brackets_of_run(folder: Path, info: RunInfo) -> dict[str, Bracket]:
    """Returns by group how far its knockout is; nothing for a run in another format.

    Raises `RecordError` when the results cannot be read.
    """
    return brackets_of(info, read_results(folder)) if is_knockout(info) else {}


def brackets_of(info: RunInfo, lines: Iterable[ResultLine]) -> dict[str, Bracket]:
    """Returns the same from all results of a run, those of entrants too that were disqualified afterwards."""
    if not is_knockout(info):
        return {}
    segment = info.segments[0]
    points: dict[str, dict[int, Counter[str]]] = {field.group: {} for field in segment.fields}
    for block_id, games in groupby(lines, key=lambda result: result.block):
        results = list(games)
        block = Block.from_id(block_id, order=results[0].seats)
        if block.segment == segment.number and len(results) == len(block.order):  # whole, and of no final
            points[block.group][block.number] = points_of_block(results)
    for void in info.void:
        block_id = parse_block_id(void.block)
        if block_id.segment == segment.number:
            points[block_id.group][block_id.number] = Counter()
    assert segment.deals is not None, "a knockout is made with its deals"
    return {
        field.group: _bracket(
            field,
            knockout(
                field,
                deals=segment.deals,
                points=[known for _, known in sorted(points[field.group].items())],
                segment=segment.number,
            ),
        )
        for field in segment.fields
    }


def _bracket(field: Field, state: Knockout) -> Bracket:
    return Bracket(rounds=tuple(_round(field, one) for one in state.rounds), winner=state.winner)


def _round(field: Field, one: Round) -> BracketRound:
    most = 2 * (field.players - 1)
    return BracketRound(
        tables=tuple(
            tuple(
                BracketSeat(entrant=name, points=one.points.get(name, 0) / most, through=name in one.through)
                for name in table
            )
            for table in one.tables
        ),
        byes=one.byes,
        is_over=bool(one.through),
    )


def rounds_reached(bracket: Bracket) -> dict[str, int]:
    """Returns for each entrant the last round that it played in or is to play in, from 1; the winner's is one more."""
    reached: dict[str, int] = {}
    for number, one in enumerate(bracket.rounds, start=1):
        reached |= dict.fromkeys((*(seat.entrant for table in one.tables for seat in table), *one.byes), number)
    if bracket.winner is not None:
        reached[bracket.winner] += 1
    return reached


def format_bracket(group: str, bracket: Bracket) -> str:
    """Returns how far a knockout is, in a sentence."""
    if bracket.winner is not None:
        return f"{group} is won by {bracket.winner}."
    last = bracket.rounds[-1]
    playing = [seat.entrant for table in last.tables for seat in table]
    return f"{group}, round {len(bracket.rounds)}: still in are {', '.join((*playing, *last.byes))}."
