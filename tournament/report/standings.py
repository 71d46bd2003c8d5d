"""Standings as tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabulate import tabulate

from tournament.ranking.from_records import standings
from tournament.records.read import read_records
from tournament.records.run import RunState
from tournament.records.store import read_run

if TYPE_CHECKING:
    from tournament.ranking.standings import Standings
    from tournament.records.standings import ChampionshipStandings, Figure, GroupStandings, Rank

TOO_FEW = "too few games"


def format_standings_file(folder: Path) -> str:
    """Returns the standings of a run, worked out from its records, as tables."""
    info = read_run(folder)
    return format_standings(
        standings(read_records(folder), weights=info.weights), interim=info.state is not RunState.COMPLETE
    )


def format_standings(figures: Standings, *, interim: bool) -> str:
    """Returns standings as tables for a terminal: each group, then the championship."""
    parts = ["Interim, not a test: the run is not complete."] if interim else []
    parts += [_format_group(group) for group in figures.groups]
    if figures.championship is not None:
        parts.append(_format_championship(figures.championship))
    for left_out in figures.left_out:
        parts.append(f"Left out: {left_out.games} games of {left_out.block} ({left_out.reason}).")
    return "\n\n".join(parts)


def _format_group(group: GroupStandings) -> str:
    rows = [
        (
            row.rank.place,
            _rank_range(row.rank),
            row.rank.letters,
            row.entrant,
            row.games,
            _figure(row.points),
            f"{row.mean_score:.1f}",
            f"{100 * row.win_share.value:.0f} %",
            _faults(row.faults),
        )
        for row in group.rows
    ]
    headers = ("place", "ranks", "same", "entrant", "games", "points", "mean score", "wins", "faults")
    table = tabulate(rows, headers=headers, tablefmt="simple", disable_numparse=True, colalign=_ALIGN)
    title = f"{group.group}: {group.games} games, {group.deals} deals"
    return "\n".join([title, table, *(f"  {caveat.text}" for caveat in group.caveats)])


_ALIGN = ("right", "left", "left", "left", "right", "right", "right", "right", "left")


def _format_championship(championship: ChampionshipStandings) -> str:
    groups = list(championship.rows[0].groups) if championship.rows else []
    rows = [
        (
            row.rank.place,
            _rank_range(row.rank),
            row.rank.letters,
            row.entrant,
            _figure(row.points),
            *(f"{row.groups[group]:.3f}" for group in groups),
        )
        for row in championship.rows
    ]
    headers = ("place", "ranks", "same", "entrant", "points", *groups)
    shares = ", ".join(f"{game} {100 * share:.0f} %" for game, share in championship.weights.items())
    lines = [f"Championship: {shares}"]
    if rows:
        lines.append(tabulate(rows, headers=headers, tablefmt="simple", disable_numparse=True))
    for entrant, missing in championship.absent.items():
        lines.append(f"  {entrant} is not ranked: it did not play {', '.join(missing)}.")
    return "\n".join(lines)


def _rank_range(rank: Rank) -> str:
    return str(rank.best_rank) if rank.best_rank == rank.worst_rank else f"{rank.best_rank}-{rank.worst_rank}"


def _figure(figure: Figure) -> str:
    return f"{figure.value:.3f}" if figure.half_width is None else f"{figure.value:.3f} ± {figure.half_width:.3f}"


def _faults(faults: Mapping[str, Any]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "0"
