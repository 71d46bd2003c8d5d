"""The verdict of a gate as Markdown, for a pull request."""

from __future__ import annotations

from tournament.ranking.standings import CHAMPIONSHIP
from tournament.records.comparison import Gate
from tournament.report.figures import (
    format_count,
    format_figure,
    format_points,
    format_probability,
)
from tournament.report.tables import Column, Part, format_markdown


def format_gate(gate: Gate) -> str:
    """Returns the verdict, what was asked for, what was found, and notes on the runs, as a Markdown block."""
    comparison = gate.overall.comparison
    difference = comparison.difference
    where = gate.overall.name if gate.overall.name == CHAMPIONSHIP else f"group {gate.overall.name}"
    faults = f"{gate.faults} in {format_count(gate.games, 'game')} ({_per_cent(gate.faults / max(gate.games, 1))})"
    rows = [
        (
            f"P({gate.new} better)",
            f"at least {_per_cent(gate.superior)}",
            format_probability(difference.probability_better),
            "yes" if (difference.probability_better or 0.0) >= gate.superior else "no",
        ),
        (
            f"faults of {gate.new}",
            f"at most {_per_cent(gate.max_faults)} of games",
            faults,
            "yes" if gate.faults <= gate.max_faults * gate.games else "no",
        ),
    ]
    new, old = gate.overall.points
    return format_markdown(
        [
            Part(
                title=f"Gate {'passed' if gate.passed else 'not passed'}: {gate.new} for {gate.old}",
                columns=(Column("what"), Column("asked for"), Column("found"), Column("holds")),
                rows=rows,
                lines=(
                    f"Points ({where}): {gate.new} {format_points(new)}, {gate.old} {format_points(old)}, difference "
                    f"{format_figure(difference.figure, digits=3, signed=True)} on {difference.figure.deals} deals.",
                    *gate.failures,
                    *gate.notes,
                ),
            ),
        ]
    )


def _per_cent(share: float) -> str:
    return f"{100 * share:.4g} %"
