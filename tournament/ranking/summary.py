"""Standings as `standings.json` has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tournament.ranking.results import GameResult
from tournament.records.run import Disqualification
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
) -> StandingsFile:
    """Returns the standings with where they come from; `interim` when a run is not complete.

    `told_apart`, `merged` and `without` are what was done to names when runs were pooled; of who is
    `disqualified` no result is given any more. `test` is that of a run with `until: sprt`.
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
        groups=figures.groups,
        championship=figures.championship,
        test=test,
        left_out=figures.left_out,
    )


def standings_file(
    results: Iterable[GameResult],
    *,
    runs: Sequence[str],
    interim: bool,
    weights: Mapping[str, float] | None = None,
    disqualified: Sequence[Disqualification] = (),
    test: RatioTest | None = None,
) -> dict[str, Any]:
    """Returns the values of `standings.json`; `interim` when the runs are not complete."""
    values: dict[str, Any] = msgspec.to_builtins(
        make_standings_file(results, runs=runs, interim=interim, weights=weights, disqualified=disqualified, test=test)
    )
    return values
