"""Standings as `standings.json` has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tournament.ranking.results import GameResult
from tournament.records.standings import FORMAT, VERSION


def standings_file(
    results: Iterable[GameResult],
    *,
    runs: Sequence[str],
    interim: bool,
    weights: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """Returns the values of `standings.json`; `interim` when the runs are not complete."""
    from tournament.ranking.standings import standings  # numpy and scipy: only when a ranking is asked for

    values: dict[str, Any] = msgspec.to_builtins(standings(results, weights=weights))
    return {"format": FORMAT, "version": VERSION, "runs": list(runs), "interim": interim, **values}
