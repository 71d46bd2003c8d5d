"""The verdict of a gate as Markdown, for a pull request."""

from __future__ import annotations

from tournament.ranking.standings import CHAMPIONSHIP
from tournament.records.basis import Basis
from tournament.records.comparison import Gate
from tournament.report.figures import (
    format_difference,
    format_points,
    format_probability,
)
from tournament.report.tables import Column, ReportPart, format_markdown
from tournament.text import format_count


def format_gate(gate: Gate) -> str:
    """Returns the verdict, what was asked for, what was found, and notes on the runs, as a Markdown block."""
    comparison = gate.overall.comparison
    assert comparison is not None, "of two that are not comparable there is no verdict"
    difference = comparison.difference
    where = gate.overall.name if gate.overall.name == CHAMPIONSHIP else f"group {gate.overall.name}"
    faults = f"{gate.faults} in {format_count(gate.games, 'game')} ({_per_cent(gate.faults / max(gate.games, 1))})"
    rows = [
        (
            f"{gate.new} is better, of this pair alone",
            f"at least {_per_cent(gate.superior)}",
            f"{format_probability(difference.probability_better)}{_among_all(gate)}",
            "yes" if (difference.probability_better or 0.0) >= gate.superior else "no",
        ),
        (
            f"faults of {gate.new}",
            f"at most {_per_cent(gate.max_faults)} of games",
            faults,
            "yes" if gate.faults <= gate.max_faults * gate.games else "no",
        ),
    ]
    return format_markdown(
        [
            ReportPart(
                title=f"Gate {'passed' if gate.passed else 'not passed'}: {gate.new} for {gate.old}",
                columns=(Column("what"), Column("asked for"), Column("found"), Column("holds")),
                rows=rows,
                lines=(
                    _points_line(gate, where),
                    *gate.failures,
                    *gate.notes,
                ),
            ),
        ]
    )


def _points_line(gate: Gate, where: str) -> str:
    """Returns what the verdict rests on: points, points at shared tables, or ratings."""
    assert gate.overall.comparison is not None, "of two that are not comparable there is no verdict"
    figure = gate.overall.comparison.difference.figure
    new, old = map(format_points, gate.overall.points)
    points = f"{gate.new} {new}, {gate.old} {old}"
    difference = f"{format_difference(figure, gate.overall.basis)} on {figure.deals} deals"
    if gate.overall.basis is Basis.RATINGS:
        return (
            f"Ratings ({where}): difference {difference}. They did not meet the same opponents, so points do not "
            f"compare them: {points}."
        )
    if gate.overall.basis is Basis.SHARED_TABLES:
        return f"Points ({where}, at the tables that both sat at): {points}, difference {difference}."
    return f"Points ({where}): {points}, difference {difference}."


def _among_all(gate: Gate) -> str:
    """Returns how sure it would be, had the pair been picked after looking; nothing where there is no other."""
    comparison, pairs = gate.overall.comparison, gate.overall.entrants * (gate.overall.entrants - 1) // 2
    if pairs == 1 or comparison is None or comparison.probability_among_all is None:
        return ""
    return f" (picked out of the {pairs} pairs: {format_probability(comparison.probability_among_all)})"


def _per_cent(share: float) -> str:
    return f"{100 * share:.4g} %"
