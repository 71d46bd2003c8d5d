"""The verdict of a gate, which decides whether a new bot is accepted, as Markdown."""

from __future__ import annotations

from tournament.languages import gettext, ngettext, pgettext, spoken, with_percent_sign
from tournament.ranking.standings import CHAMPIONSHIP
from tournament.records.comparison import Gate, format_truth
from tournament.records.figures import Basis, format_difference, format_points, format_probability, format_short
from tournament.report.tables import Column, ReportPart, format_markdown


def format_gate(gate: Gate) -> str:
    """Returns the verdict of a gate as Markdown for a pull request: what was asked for, what was found, and notes."""
    comparison = gate.overall.comparison
    assert comparison is not None, "of two that are not comparable there is no verdict"
    difference = comparison.difference
    where = gettext("championship")
    if gate.overall.name != CHAMPIONSHIP:
        where = gettext("group {group}", group=gate.overall.name)
    faults = ngettext(
        "{faults} in {count} game ({share})",
        "{faults} in {count} games ({share})",
        gate.games,
        faults=gate.faults,
        share=_per_cent(gate.faults / max(gate.games, 1)),
    )
    rows = [
        (
            gettext("{bot} is better, this pair alone", bot=gate.new),
            gettext("at least {share}", share=_per_cent(gate.superior)),
            _with_all_pairs(format_probability(difference.probability_better), gate),
            format_truth((difference.probability_better or 0.0) >= gate.superior),
        ),
        (
            gettext("faults of {bot}", bot=gate.new),
            gettext("at most {share} of games", share=_per_cent(gate.max_faults)),
            faults,
            format_truth(gate.faults <= gate.max_faults * gate.games),
        ),
    ]
    values = {"new": gate.new, "old": gate.old}
    if gate.passed:
        title = gettext("Gate passed: {new} for {old}", **values)
    else:
        title = gettext("Gate not passed: {new} for {old}", **values)
    return format_markdown(
        [
            ReportPart(
                title=title,
                columns=(
                    *(Column(gettext("criterion")), Column(gettext("required"))),
                    *(Column(gettext("found")), Column(pgettext("a requirement", "met"))),
                ),
                rows=rows,
                lines=(_points_line(gate, where), *map(spoken, (*gate.failures, *gate.notes))),
            )
        ]
    )


def _points_line(gate: Gate, where: str) -> str:
    """Returns the basis of the verdict: points, points at shared tables, or ratings."""
    assert gate.overall.comparison is not None, "of two that are not comparable there is no verdict"
    figure = gate.overall.comparison.difference.figure
    new, old = map(format_points, gate.overall.points)
    points = f"{gate.new} {new}, {gate.old} {old}"
    difference = ngettext(
        "{difference} on {count} deal",
        "{difference} on {count} deals",
        figure.deals,
        difference=format_difference(figure, gate.overall.basis),
    )
    values = {"where": where, "points": points, "difference": difference}
    if gate.overall.basis is Basis.RATINGS:
        return gettext(
            "Ratings ({where}): difference {difference}. They did not meet the same opponents, so points do not "
            "compare them: {points}.",
            **values,
        )
    if gate.overall.basis is Basis.SHARED_TABLES:
        return gettext("Points ({where}, at the tables where both sat): {points}, difference {difference}.", **values)
    return gettext("Points ({where}): {points}, difference {difference}.", **values)


def _with_all_pairs(probability: str, gate: Gate) -> str:
    """Returns how certain it is, and how certain if the pair had been chosen after looking, where there are others."""
    comparison, pairs = gate.overall.comparison, gate.overall.entrants * (gate.overall.entrants - 1) // 2
    if pairs == 1 or comparison is None or comparison.probability_among_all is None:
        return probability
    return gettext(
        "{probability} (chosen from all {pairs} pairs: {among_all})",
        probability=probability,
        pairs=pairs,
        among_all=format_probability(comparison.probability_among_all),
    )


def _per_cent(share: float) -> str:
    return with_percent_sign(format_short(float(f"{100 * share:.4g}"), most_digits=8))
