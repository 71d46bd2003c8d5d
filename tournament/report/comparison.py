"""Two entrants, or two rankings, in plain words and then in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from tournament.ranking.pairs import Pair, compare_pair
from tournament.ranking.sources import Sources
from tournament.ranking.standings import CHAMPIONSHIP
from tournament.records.comparison import (
    BOTS_FORMAT,
    VERSION,
    BotComparison,
    Comparison,
    GroupPair,
    Scope,
)
from tournament.records.standings import Figure
from tournament.report.figures import (
    INTERIM,
    format_count,
    format_figure,
    format_number,
    format_points,
    format_probability,
)
from tournament.report.head_to_head import claim_sign
from tournament.report.tables import Column, Part, TableFormat, format_csv, format_json, format_markdown, format_text


def format_pair(sources: Sources, entrants: tuple[str, str], *, form: TableFormat, width: int = 100) -> str:
    """Returns two entrants compared: a paragraph, then the numbers by group, seat and opponent.

    Raises `UsageError` for entrants that cannot be compared.
    """
    pair = compare_pair(sources.results, entrants, weights=sources.weights)
    if form is TableFormat.JSON:
        return format_json(
            BotComparison(
                format=BOTS_FORMAT,
                version=VERSION,
                runs=sources.runs,
                interim=sources.interim,
                notes=sources.notes,
                entrants=pair.entrants,
                overall=pair.overall,
                groups=pair.groups,
            )
        )
    if form is TableFormat.CSV:
        return _pair_csv(pair)
    parts = [Part(lines=(INTERIM,))] if sources.interim else []
    parts += [Part(lines=(pair_paragraph(pair),)), *_notes_part(sources.notes), *_pair_parts(pair)]
    return format_markdown(parts) if form is TableFormat.MARKDOWN else format_text(parts, width=width)


def _notes_part(notes: Sequence[str]) -> list[Part]:
    return [Part(lines=notes)] if notes else []


def pair_paragraph(pair: Pair) -> str:
    """Returns what is known of two entrants as a paragraph in plain words."""
    scope = pair.overall
    difference = scope.comparison.difference
    value = difference.figure.value
    leader, other = pair.entrants if value >= 0 else pair.entrants[::-1]
    points = sorted((figure.value for figure in scope.points), reverse=True)
    if value == 0:
        first = f"{leader} and {other} are level with {format_number(points[0], digits=3)} points in {_where(scope)}."
    else:
        gap = format_figure(difference.figure if value > 0 else _negated(difference.figure), digits=3)
        first = (
            f"{leader} is ahead of {other} by {gap} points in {_where(scope)} "
            f"({format_number(points[0], digits=3)} to {format_number(points[1], digits=3)})."
        )
    if difference.probability_better is None:
        return (
            f"{first} That is too few games to say more: {format_count(difference.figure.deals, 'deal')} so far, "
            "and nothing is claimed under 10."
        )
    probability = difference.probability_better if value >= 0 else 1.0 - difference.probability_better
    second = f"The probability that {leader} is the better bot is {format_probability(probability)}."
    return " ".join((first, second, _claim_sentence(scope)))


def _negated(figure: Figure) -> Figure:
    """Returns the difference seen from the other side."""
    low, high = (None if end is None else -end for end in (figure.high, figure.low))
    return msgspec.structs.replace(figure, value=-figure.value, low=low, high=high)


def _where(scope: Scope) -> str:
    return "the championship" if scope.name == CHAMPIONSHIP else scope.name


def _claim_sentence(scope: Scope) -> str:
    pairs = scope.entrants * (scope.entrants - 1) // 2
    among = "at 95 %" if pairs == 1 else f"at 95 % for all {pairs} pairs of the {scope.entrants} entrants together"
    comparison = scope.comparison
    if comparison.claimed:
        return f"The difference is claimed: it holds {among}."
    return f"The difference is not claimed: it does not hold {among}. {_more_deals(comparison)}"


def _more_deals(comparison: Comparison) -> str:
    if comparison.more_deals is None:
        return "How many more deals would decide cannot be told while they are level."
    return (
        f"About {format_count(comparison.more_deals, 'more deal')} of each group would decide, "
        "if the difference stays as it is."
    )


def _pair_parts(pair: Pair) -> Iterator[Part]:
    first, second = pair.entrants
    yield Part(
        title="By group",
        columns=(
            Column("group"),
            Column(first, right=True),
            Column(second, right=True),
            Column("difference", right=True),
            Column(f"P({first} better)", right=True),
            Column("claimed"),
            Column("deals", right=True, drop=1),
        ),
        rows=[_scope_row(scope) for scope in _scopes(pair)],
    )
    yield Part(
        title="By seat, points",
        columns=(Column("group"), Column("seat"), Column(first, right=True), Column(second, right=True)),
        rows=[
            (group.scope.name, str(seat.seat), *("" if p is None else format_number(p, digits=3) for p in seat.points))
            for group in pair.groups
            for seat in group.seats
        ],
    )
    yield Part(
        title="By opponent, head to head",
        columns=(Column("group"), Column("opponent"), Column(first, right=True), Column(second, right=True)),
        rows=[row for group in pair.groups for row in _opponent_rows(group, pair.entrants)],
    )


def _scopes(pair: Pair) -> list[Scope]:
    """Returns that of each group, and of all together where there are several."""
    return [*(group.scope for group in pair.groups), *([pair.overall] if pair.overall.name == CHAMPIONSHIP else [])]


def _scope_row(scope: Scope) -> tuple[str, ...]:
    difference = scope.comparison.difference
    sign = ("<" if difference.figure.value < 0 else ">") if scope.comparison.claimed else ""
    return (
        scope.name,
        *map(format_points, scope.points),
        format_figure(difference.figure, digits=3, signed=True),
        format_probability(difference.probability_better),
        sign,
        str(difference.figure.deals),
    )


def _opponent_rows(group: GroupPair, entrants: tuple[str, str]) -> Iterator[tuple[str, ...]]:
    name = group.scope.name
    if group.meeting is not None:
        text = f"{claim_sign(group.meeting)}{format_points(group.meeting.score)}"
        yield name, entrants[1], text, ""
    for opponent in group.opponents:
        yield name, opponent.opponent, *("" if score is None else format_points(score) for score in opponent.scores)


def _pair_csv(pair: Pair) -> str:
    headers = ("scope", "entrant", "opponent", "difference", "error", "low", "high", "probability_better", "claimed")
    return format_csv(
        (*headers, "more_deals", "deals"),
        [
            (
                scope.name,
                *pair.entrants,
                scope.comparison.difference.figure.value,
                scope.comparison.difference.figure.error,
                scope.comparison.difference.figure.low,
                scope.comparison.difference.figure.high,
                scope.comparison.difference.probability_better,
                str(scope.comparison.claimed).lower(),
                scope.comparison.more_deals,
                scope.comparison.difference.figure.deals,
            )
            for scope in _scopes(pair)
        ],
    )
