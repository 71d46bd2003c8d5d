"""Standings as `standings.json` has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tournament.ranking.extents import written_extent
from tournament.ranking.from_results import counted, results_from_lines
from tournament.ranking.ratio import ratio_test
from tournament.ranking.results import GameResult
from tournament.records.results import ResultLine
from tournament.records.run import Disqualification, Extent, RunInfo, RunState
from tournament.records.standings import FORMAT, VERSION, RatioTest, StandingsFile


def make_standings_file(
    results: Iterable[GameResult],
    *,
    runs: Sequence[str],
    interim: bool,
    weights: Mapping[str, float] | None = None,
    told_apart: Mapping[str, tuple[str, ...]] | None = None,
    merged: Sequence[str] = (),
    without: Sequence[str] = (),
    disqualified: Sequence[Disqualification] = (),
    test: RatioTest | None = None,
    extent: Extent | None = None,
) -> StandingsFile:
    """Returns the standings with where they come from; `interim` when a run is not complete.

    `told_apart`, `merged` and `without` are what was done to names when runs were pooled; of who is
    `disqualified` no result is given any more. `test` is that of a run with `until: sprt`, `extent` how much was
    planned and played.
    """
    from tournament.ranking.standings import standings  # numpy and scipy: only when a ranking is asked for

    figures = standings(results, weights=weights)
    return StandingsFile(
        format=FORMAT,
        version=VERSION,
        runs=tuple(runs),
        interim=interim,
        told_apart=dict(told_apart or {}),
        merged=tuple(merged),
        without=tuple(without),
        disqualified=tuple(disqualified),
        extent=extent,
        groups=figures.groups,
        championship=figures.championship,
        test=test,
        left_out=figures.left_out,
    )


def standings_file(info: RunInfo, lines: Iterable[ResultLine]) -> dict[str, Any]:
    """Returns the values of `standings.json` of a run, complete or not, from all of its results.

    Raises `RecordError` for results that cannot be of this run.
    """
    results = list(results_from_lines(lines, info))
    values: dict[str, Any] = msgspec.to_builtins(
        make_standings_file(
            counted(results, info),
            runs=(info.name,),
            interim=info.state is not RunState.COMPLETE,
            weights=info.weights,
            disqualified=info.disqualified,
            test=ratio_test(info, results),
            extent=written_extent(info),
        )
    )
    return values
