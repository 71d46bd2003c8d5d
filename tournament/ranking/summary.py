"""Standings as `standings.json` has them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tournament.ranking.brackets import brackets_of
from tournament.ranking.extents import written_extent
from tournament.ranking.knockout_standings import as_knockout, championship_without_claims, group_without_claims
from tournament.ranking.ratio import ratio_test
from tournament.ranking.results import counted, results_from_lines
from tournament.ranking.standings import rank
from tournament.ranking.withdrawn import withdrawn_entrants
from tournament.records.ratio import RatioTest
from tournament.records.results import GameResult, ResultLine
from tournament.records.run import Disqualification, Extent, RunInfo, RunState
from tournament.records.standings import FORMAT, VERSION, Bracket, StandingsFile


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
    withdrawn: Collection[str] = (),
    brackets: Mapping[str, Bracket] | None = None,
    knockouts: Collection[str] = (),
) -> StandingsFile:
    """Returns the standings with where they come from; `interim` when a run is not complete.

    `told_apart`, `merged` and `without` are what was done to names when runs were pooled; of who is
    `disqualified` no result is given any more. `test` is that of a run with `until: sprt`, `extent` how much was
    planned and played, `withdrawn` who comes after all others. `brackets` are those of a knockout by group;
    `knockouts`: groups in which games of one are pooled with others.
    """
    figures = rank(results, weights=weights, withdrawn=withdrawn)
    groups, championship = figures.groups, figures.championship
    if brackets:
        # Each group has its winner; points, which a championship adds up, compare nobody.
        groups, championship = tuple(as_knockout(group, brackets[group.group]) for group in groups), None
    elif knockouts:
        groups = tuple(group_without_claims(group) if group.group in knockouts else group for group in groups)
        championship = None if championship is None else championship_without_claims(championship)
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
        groups=groups,
        championship=championship,
        test=test,
        left_out=figures.left_out,
    )


def standings_file(info: RunInfo, lines: Iterable[ResultLine]) -> dict[str, Any]:
    """Returns the values of `standings.json` of a run, complete or not, from all of its results.

    Raises `RecordError` for results that cannot be of this run.
    """
    lines = list(lines)
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
            withdrawn=withdrawn_entrants([info]),
            brackets=brackets_of(info, lines),
        )
    )
    return values
