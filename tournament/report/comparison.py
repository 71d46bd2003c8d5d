"""Two entrants compared, in words and in numbers; and the gate, which decides whether a new bot is accepted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from tournament.ranking.basis import ENOUGH_SHARED
from tournament.ranking.changes import comparison_of
from tournament.ranking.comparison import compare_sources
from tournament.ranking.sources import Sources
from tournament.ranking.standings import CHAMPIONSHIP
from tournament.records.comparison import (
    Change,
    ChangeVerdict,
    Comparison,
    Gate,
    GroupPair,
    PlaceRange,
    RankingChange,
    Scope,
    ScopeComparison,
    format_scope,
)
from tournament.records.figures import (
    Basis,
    Figure,
    format_difference,
    format_figure,
    format_number,
    format_points,
    format_probability,
    format_range,
)
from tournament.records.standings import INTERIM
from tournament.report.choices import TableFormat
from tournament.report.ratings import claim_sign
from tournament.report.tables import (
    Column,
    ReportPart,
    Value,
    figure_cells,
    format_csv,
    format_json,
    format_markdown,
    format_text,
    numbers,
)
from tournament.text import format_count


def format_pair(sources: Sources, entrants: tuple[str, str], *, form: TableFormat, width: int = 100) -> str:
    """Returns a comparison of two entrants: a paragraph, then the numbers by group, seat and opponent.

    Raises `UsageError` for entrants that cannot be compared.
    """
    pair = compare_sources(sources, entrants)
    if form is TableFormat.JSON:
        return format_json(pair)
    if form is TableFormat.CSV:
        return _pair_csv(pair)
    parts = [ReportPart(lines=(INTERIM,))] if sources.interim else []
    notes = [ReportPart(lines=sources.notes)] if sources.notes else []
    parts += [ReportPart(lines=(pair_paragraph(pair),)), *notes, *_pair_parts(pair)]
    return format_markdown(parts) if form is TableFormat.MARKDOWN else format_text(parts, width=width)


def pair_paragraph(pair: Comparison) -> str:
    """Returns a paragraph about two entrants: who is ahead, by how much, and how certain that is."""
    scope = pair.overall
    if scope.comparison is None:
        return not_comparable(pair.entrants, scope)
    difference = scope.comparison.difference
    value = difference.figure.value
    if scope.basis is Basis.RATINGS:
        return " ".join((_ratings_sentence(scope.comparison, scope), *_certainty(scope.comparison, scope)))
    leader, other = pair.entrants if value >= 0 else pair.entrants[::-1]
    points = sorted((figure.value for figure in scope.points), reverse=True)
    if value == 0:
        level = format_number(points[0], digits=3)
        first = f"{leader} and {other} are level with {level} points {_where(scope)}."
    else:
        gap = format_figure(difference.figure if value > 0 else _negated(difference.figure), digits=3)
        first = (
            f"{leader} is ahead of {other} by {gap} points {_where(scope)} "
            f"({format_number(points[0], digits=3)} to {format_number(points[1], digits=3)})."
        )
    return " ".join((first, *_certainty(scope.comparison, scope)))


def not_comparable(entrants: tuple[str, str], scope: Scope) -> str:
    """Returns a sentence that says why two entrants cannot be compared, and what to play."""
    first, second = entrants
    met = f"met on {format_count(scope.shared_deals, 'deal')} only" if scope.shared_deals else "never met"
    return (
        f"{first} and {second} are not comparable {_where(scope)}: they {met}, and no chain of wins and ties connects "
        f"them in both directions. Play at least {ENOUGH_SHARED} deals at tables where both sit."
    )


def _ratings_sentence(comparison: ScopeComparison, scope: Scope) -> str:
    difference = comparison.difference
    gap = difference.figure
    leader, other = difference.entrant, difference.opponent
    if gap.value < 0:
        leader, other = other, leader
    lead = format_figure(gap if gap.value >= 0 else _negated(gap), digits=0)
    return (
        f"{leader} is ahead of {other} by {lead} rating points {_where(scope)}. They did not meet the same opponents, "
        f"so ratings compare them, not points."
    )


def _certainty(comparison: ScopeComparison, scope: Scope) -> Iterator[str]:
    """Yields sentences about how certain a difference is."""
    difference = comparison.difference
    if difference.probability_better is None:
        yield (
            f"These are too few games to say more: {format_count(difference.figure.deals, 'deal')} so far, "
            "and nothing is claimed below 10."
        )
        return
    leads = difference.figure.value >= 0
    leader = difference.entrant if leads else difference.opponent
    probability = difference.probability_better if leads else 1.0 - difference.probability_better
    yield (
        f"If this pair was chosen before looking at the results, {leader} is better with a probability of "
        f"{format_probability(probability)}."
    )
    yield _claim_sentence(comparison, scope)


def _negated(figure: Figure) -> Figure:
    """Returns the difference with the entrants exchanged."""
    low, high = (None if end is None else -end for end in (figure.high, figure.low))
    return msgspec.structs.replace(figure, value=-figure.value, low=low, high=high)


def _where(scope: Scope) -> str:
    where = "in the championship" if scope.name == CHAMPIONSHIP else f"in {scope.name}"
    if scope.basis is not Basis.SHARED_TABLES:
        return where
    return f"{where} at the tables where both sat, on {format_count(scope.shared_deals, 'deal')}"


def _claim_sentence(comparison: ScopeComparison, scope: Scope) -> str:
    pairs = scope.entrants * (scope.entrants - 1) // 2
    chosen = "If it was not named before" if pairs == 1 else f"If it was chosen afterwards from all {pairs} pairs"
    probability = f"{chosen}, the probability is {format_probability(comparison.probability_among_all)}."
    if comparison.claimed:
        return f"{probability} A claim needs 95 %, so the difference is claimed."
    return f"{probability} A claim needs 95 %, so they are statistically tied. {_more_deals(comparison)}"


def _more_deals(comparison: ScopeComparison) -> str:
    if comparison.more_deals is None:
        return "While they are level, nobody can say how many more deals would decide."
    return (
        f"About {format_count(comparison.more_deals, 'more deal')} of each group would decide, "
        "if the difference stays as it is."
    )


def _pair_parts(pair: Comparison) -> Iterator[ReportPart]:
    first, second = pair.entrants
    yield ReportPart(
        title="By group",
        columns=(
            Column("group"),
            *numbers(first, second, drop=1),
            *numbers("difference"),
            *([Column("basis")] if _is_basis_shown(pair) else []),
            *numbers(f"{first} better, this pair", "all pairs"),
            *(Column("claimed"), *numbers("deals", drop=2)),
        ),
        rows=[format_scope(scope, basis=_is_basis_shown(pair)) for scope in pair.scopes],
    )
    yield ReportPart(
        title="By seat, points",
        columns=(Column("group"), Column("seat"), *numbers(first, second)),
        rows=[
            (group.scope.name, str(seat.seat), *("" if p is None else format_number(p, digits=3) for p in seat.points))
            for group in pair.groups
            for seat in group.seats
        ],
    )
    yield ReportPart(
        title="By opponent, head to head (> claimed to be better, < worse)",
        columns=(Column("group"), Column("opponent"), *numbers(first, second)),
        rows=[row for group in pair.groups for row in _opponent_rows(group, pair.entrants)],
    )


def _is_basis_shown(pair: Comparison) -> bool:
    """Returns whether the basis needs a column: some difference is not one of points over all tables."""
    return any(scope.basis is not Basis.POINTS for scope in pair.scopes)


def _opponent_rows(group: GroupPair, entrants: tuple[str, str]) -> Iterator[tuple[str, ...]]:
    name = group.scope.name
    if group.meeting is not None:
        text = f"{claim_sign(group.meeting)}{format_points(group.meeting.score)}"
        yield name, entrants[1], text, ""
    for opponent in group.opponents:
        yield name, opponent.opponent, *("" if score is None else format_points(score) for score in opponent.scores)


def _pair_csv(pair: Comparison) -> str:
    headers = ("scope", "entrant", "opponent", "basis", "difference", "error", "low", "high")
    return format_csv(
        (*headers, "probability_better", "probability_among_all", "claimed", "more_deals", "deals"),
        [(scope.name, *pair.entrants, str(scope.basis), *_csv_comparison(scope.comparison)) for scope in pair.scopes],
    )


def _csv_comparison(comparison: ScopeComparison | None) -> tuple[Value, ...]:
    if comparison is None:
        return (None,) * 9
    difference = comparison.difference
    return (
        *figure_cells(difference.figure),
        difference.probability_better,
        comparison.probability_among_all,
        str(comparison.claimed).lower(),
        comparison.more_deals,
        difference.figure.deals,
    )


def format_gate(gate: Gate) -> str:
    """Returns the verdict of a gate as Markdown for a pull request: what was asked for, what was found, and notes."""
    comparison = gate.overall.comparison
    assert comparison is not None, "of two that are not comparable there is no verdict"
    difference = comparison.difference
    where = gate.overall.name if gate.overall.name == CHAMPIONSHIP else f"group {gate.overall.name}"
    faults = f"{gate.faults} in {format_count(gate.games, 'game')} ({_per_cent(gate.faults / max(gate.games, 1))})"
    rows = [
        (
            f"{gate.new} is better, this pair alone",
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
                columns=(Column("criterion"), Column("required"), Column("found"), Column("met")),
                rows=rows,
                lines=(_points_line(gate, where), *gate.failures, *gate.notes),
            )
        ]
    )


def _points_line(gate: Gate, where: str) -> str:
    """Returns the basis of the verdict: points, points at shared tables, or ratings."""
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
        return f"Points ({where}, at the tables where both sat): {points}, difference {difference}."
    return f"Points ({where}): {points}, difference {difference}."


def _among_all(gate: Gate) -> str:
    """Returns how certain it would be if the pair had been chosen after looking; empty if it is the only pair."""
    comparison, pairs = gate.overall.comparison, gate.overall.entrants * (gate.overall.entrants - 1) // 2
    if pairs == 1 or comparison is None or comparison.probability_among_all is None:
        return ""
    return f" (chosen from all {pairs} pairs: {format_probability(comparison.probability_among_all)})"


def _per_cent(share: float) -> str:
    return f"{100 * share:.4g} %"


_WORDS = {
    ChangeVerdict.LUCK: "may be luck",
    ChangeVerdict.BETTER: "better",
    ChangeVerdict.WORSE: "worse",
    ChangeVerdict.OTHERS: "other bots changed",
    ChangeVerdict.OPPOSITION: "other opponents",
    ChangeVerdict.UNEXPLAINED: "no reason known",
}


def format_rankings(before: Sources, after: Sources, *, form: TableFormat, width: int = 100) -> str:
    """Returns two rankings side by side: who moved, by how much, and whether that is more than luck.

    Both must have named their deals, so that a deal played in both counts as one. Raises `UsageError` when there is
    nothing to compare.
    """
    compared = comparison_of(before, after)
    if form is TableFormat.JSON:
        return format_json(compared)
    if form is TableFormat.CSV:
        return _rankings_csv(compared.changes)
    parts = [ReportPart(lines=(INTERIM,))] if compared.interim else []
    parts += [ReportPart(lines=compared.notes)] if compared.notes else []
    parts += [_change_part(name, change) for name, change in compared.changes.items()]
    if compared.not_compared:
        lines = [f"{name} is not compared: {why}." for name, why in compared.not_compared.items()]
        parts.append(ReportPart(lines=lines))
    return format_markdown(parts) if form is TableFormat.MARKDOWN else format_text(parts, width=width)


def _change_part(name: str, change: RankingChange) -> ReportPart:
    return ReportPart(
        title=f"{name}: before and after",
        columns=(
            *map(Column, ("entrant", "bot", "place before", "place after")),
            *(*numbers("change of points"), Column("verdict")),
        ),
        rows=[
            (
                moved.entrant,
                "same" if moved.same_bot else "changed",
                _format_places(moved.before),
                _format_places(moved.after),
                format_figure(moved.difference, digits=3, signed=True),
                _WORDS[moved.verdict],
            )
            for moved in change.changes
        ],
        lines=list(_lines(change)),
    )


def _lines(change: RankingChange) -> Iterator[str]:
    own = [moved for moved in change.changes if moved.verdict in (ChangeVerdict.BETTER, ChangeVerdict.WORSE)]
    if own:
        yield f"More than luck: {', '.join(f'{moved.entrant} became {_WORDS[moved.verdict]}' for moved in own)}."
    elif all(moved.verdict is ChangeVerdict.LUCK for moved in change.changes):
        yield "All changes may be luck."
    if others := _named(change.changes, ChangeVerdict.OTHERS):
        yield f"The same bot in both, whose points changed because other bots did: {others}."
    if met_others := _named(change.changes, ChangeVerdict.OPPOSITION):
        yield (
            f"Met other opponents, or the same ones more or less often, which alone changes points: {met_others}. Play "
            "both runs with the same bots and the same schedule, or let the two versions meet in one run."
        )
    if unexplained := _named(change.changes, ChangeVerdict.UNEXPLAINED):
        yield (
            f"More than luck, although no bot changed: {unexplained}. Something else differs: the machine, the clock, "
            "the schedule, or a file that a bot reads."
        )
    if len(change.changed) > 1 and own:
        yield "Several bots changed: what one gained may be what another lost."
    for who, where in ((change.only_before, "before"), (change.only_after, "after")):
        if who:
            yield (
                f"Only {where}: {', '.join(who)}. The others met other opponents, which alone changes points; "
                "places count only bots that are in both runs."
            )


def _named(changes: Sequence[Change], verdict: ChangeVerdict) -> str:
    return ", ".join(moved.entrant for moved in changes if moved.verdict is verdict)


def _format_places(range_: PlaceRange) -> str:
    if range_.withdrawn:
        return "withdrawn"
    if range_.best_rank == range_.worst_rank:
        return str(range_.place)
    return f"{range_.place} ({format_range(range_.best_rank, range_.worst_rank)})"


def _rankings_csv(changes: Mapping[str, RankingChange]) -> str:
    headers = ("scope", "entrant", "same_bot", "place_before", "best_before", "worst_before", "place_after")
    return format_csv(
        (*headers, "best_after", "worst_after", "change", "error", "low", "high", "verdict", "deals"),
        [
            (
                name,
                moved.entrant,
                str(moved.same_bot).lower(),
                *(moved.before.place, moved.before.best_rank, moved.before.worst_rank),
                *(moved.after.place, moved.after.best_rank, moved.after.worst_rank),
                *figure_cells(moved.difference),
                str(moved.verdict),
                moved.difference.deals,
            )
            for name, change in changes.items()
            for moved in change.changes
        ],
    )
