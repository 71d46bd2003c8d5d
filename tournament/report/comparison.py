"""Two entrants compared, or two rankings, in words and in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from tournament.languages import gettext, gettext_noop, ngettext, pgettext, spoken
from tournament.ranking.basis import ENOUGH_SHARED
from tournament.ranking.changes import comparison_of
from tournament.ranking.comparison import compare_sources
from tournament.ranking.sources import Sources
from tournament.ranking.standings import CHAMPIONSHIP
from tournament.records.comparison import (
    Change,
    ChangeVerdict,
    Comparison,
    GroupPair,
    PlaceRange,
    RankingChange,
    Scope,
    ScopeComparison,
    format_ranking,
    format_scope,
)
from tournament.records.figures import (
    Basis,
    Figure,
    format_figure,
    format_number,
    format_points,
    format_probability,
    format_range,
)
from tournament.records.standings import INTERIM
from tournament.report.choices import TableFormat
from tournament.report.ratings import BETTER, WORSE, claim_sign
from tournament.report.tables import (
    Column,
    ReportPart,
    Value,
    entrants,
    figure_cells,
    format_csv,
    format_json,
    format_markdown,
    format_text,
    numbers,
)


def format_pair(sources: Sources, entrants: tuple[str, str], *, form: TableFormat, width: int = 100) -> str:
    """Returns a comparison of two entrants: a paragraph, then the numbers by group, seat and opponent.

    Raises `UsageError` for entrants that cannot be compared.
    """
    pair = compare_sources(sources, entrants)
    if form is TableFormat.JSON:
        return format_json(pair)
    if form is TableFormat.CSV:
        return _pair_csv(pair)
    parts = [ReportPart(lines=(gettext(INTERIM),))] if sources.interim else []
    notes = [ReportPart(lines=tuple(map(spoken, sources.notes)))] if sources.notes else []
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
        first = gettext(
            "{leader} and {other} are level with {points} points {where}.",
            leader=leader,
            other=other,
            points=level,
            where=_where(scope),
        )
    else:
        gap = format_figure(difference.figure if value > 0 else _negated(difference.figure), digits=3)
        # Translators: {where} is: in the championship, or in a group, perhaps with: at the tables where both sat
        first = gettext(
            "{leader} is ahead of {other} by {gap} points {where} ({own} to {others}).",
            leader=leader,
            other=other,
            gap=gap,
            where=_where(scope),
            own=format_number(points[0], digits=3),
            others=format_number(points[1], digits=3),
        )
    return " ".join((first, *_certainty(scope.comparison, scope)))


def not_comparable(entrants: tuple[str, str], scope: Scope) -> str:
    """Returns a sentence that says why two entrants cannot be compared, and what to play."""
    first, second = entrants
    values = {"first": first, "second": second, "where": _where(scope), "enough": ENOUGH_SHARED}
    if not scope.shared_deals:
        return gettext(
            "{first} and {second} are not comparable {where}: they never met, and no chain of wins and ties connects "
            "them in both directions. Play at least {enough} deals at tables where both sit.",
            **values,
        )
    return ngettext(
        "{first} and {second} are not comparable {where}: they met on {count} deal only, and no chain of wins and ties "
        "connects them in both directions. Play at least {enough} deals at tables where both sit.",
        "{first} and {second} are not comparable {where}: they met on {count} deals only, and no chain of wins and "
        "ties connects them in both directions. Play at least {enough} deals at tables where both sit.",
        scope.shared_deals,
        **values,
    )


def _ratings_sentence(comparison: ScopeComparison, scope: Scope) -> str:
    difference = comparison.difference
    gap = difference.figure
    leader, other = difference.entrant, difference.opponent
    if gap.value < 0:
        leader, other = other, leader
    lead = format_figure(gap if gap.value >= 0 else _negated(gap), digits=0)
    return gettext(
        "{leader} is ahead of {other} by {lead} rating points {where}. They did not meet the same opponents, so "
        "ratings compare them, not points.",
        leader=leader,
        other=other,
        lead=lead,
        where=_where(scope),
    )


def _certainty(comparison: ScopeComparison, scope: Scope) -> Iterator[str]:
    """Yields sentences about how certain a difference is."""
    difference = comparison.difference
    if difference.probability_better is None:
        yield ngettext(
            "These are too few games to say more: {count} deal so far, and nothing is claimed below {enough}.",
            "These are too few games to say more: {count} deals so far, and nothing is claimed below {enough}.",
            difference.figure.deals,
            enough=10,
        )
        return
    leads = difference.figure.value >= 0
    leader = difference.entrant if leads else difference.opponent
    probability = difference.probability_better if leads else 1.0 - difference.probability_better
    yield gettext(
        "If this pair was chosen before looking at the results, {leader} is better with a probability of "
        "{probability}.",
        leader=leader,
        probability=format_probability(probability),
    )
    yield _claim_sentence(comparison, scope)


def _negated(figure: Figure) -> Figure:
    """Returns the difference with the entrants exchanged."""
    low, high = (None if end is None else -end for end in (figure.high, figure.low))
    return msgspec.structs.replace(figure, value=-figure.value, low=low, high=high)


def _where(scope: Scope) -> str:
    where = gettext("in the championship")
    if scope.name != CHAMPIONSHIP:
        where = pgettext("where two are compared", "in {group}", group=scope.name)
    if scope.basis is not Basis.SHARED_TABLES:
        return where
    return ngettext(
        "{where} at the tables where both sat, on {count} deal",
        "{where} at the tables where both sat, on {count} deals",
        scope.shared_deals,
        where=where,
    )


def _claim_sentence(comparison: ScopeComparison, scope: Scope) -> str:
    pairs = scope.entrants * (scope.entrants - 1) // 2
    among_all = format_probability(comparison.probability_among_all)
    if pairs == 1:
        probability = gettext("If it was not named before, the probability is {probability}.", probability=among_all)
    else:
        probability = gettext(
            "If it was chosen afterwards from all {pairs} pairs, the probability is {probability}.",
            pairs=pairs,
            probability=among_all,
        )
    if comparison.claimed:
        claimed = gettext("A claim needs 95 %, so the difference is claimed.")
        return f"{probability} {claimed}"
    tied = gettext("A claim needs 95 %, so they are statistically tied.")
    return f"{probability} {tied} {_more_deals(comparison)}"


def _more_deals(comparison: ScopeComparison) -> str:
    if comparison.more_deals is None:
        return gettext("While they are level, nobody can say how many more deals would decide.")
    return ngettext(
        "About {count} more deal of each group would decide, if the difference stays as it is.",
        "About {count} more deals of each group would decide, if the difference stays as it is.",
        comparison.more_deals,
    )


def _pair_parts(pair: Comparison) -> Iterator[ReportPart]:
    first, second = pair.entrants
    yield ReportPart(
        title=gettext("By group"),
        columns=(
            Column(gettext("group")),
            *numbers(first, second, drop=1),
            *numbers(gettext("difference")),
            *([Column(pgettext("heading of a table", "basis"))] if _is_basis_shown(pair) else []),
            *numbers(gettext("{bot} better, this pair", bot=first), gettext("all pairs")),
            *(Column(pgettext("heading of a table", "claimed")), *numbers(gettext("deals"), drop=2)),
        ),
        rows=[format_scope(scope, basis=_is_basis_shown(pair)) for scope in pair.scopes],
    )
    yield ReportPart(
        title=gettext("By seat, points"),
        columns=(Column(gettext("group")), Column(gettext("seat")), *numbers(first, second)),
        rows=[
            (group.scope.name, str(seat.seat), *("" if p is None else format_number(p, digits=3) for p in seat.points))
            for group in pair.groups
            for seat in group.seats
        ],
    )
    yield ReportPart(
        title=gettext(
            "By opponent, head to head ({better} claimed to be better, {worse} worse)", better=BETTER, worse=WORSE
        ),
        columns=(Column(gettext("group")), Column(gettext("opponent")), *numbers(first, second)),
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


_WORDS = {
    ChangeVerdict.LUCK: gettext_noop("may be luck"),
    ChangeVerdict.BETTER: gettext_noop("better"),
    ChangeVerdict.WORSE: gettext_noop("worse"),
    ChangeVerdict.OTHERS: gettext_noop("other bots changed"),
    ChangeVerdict.OPPOSITION: gettext_noop("other opponents"),
    ChangeVerdict.UNEXPLAINED: gettext_noop("no reason known"),
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
    parts = [ReportPart(lines=(gettext(INTERIM),))] if compared.interim else []
    parts += [ReportPart(lines=tuple(map(spoken, compared.notes)))] if compared.notes else []
    parts += [_change_part(name, change) for name, change in compared.changes.items()]
    if compared.not_compared:
        lines = [
            gettext("{ranking} is not compared: {why}.", ranking=format_ranking(name), why=spoken(why))
            for name, why in compared.not_compared.items()
        ]
        parts.append(ReportPart(lines=lines))
    return format_markdown(parts) if form is TableFormat.MARKDOWN else format_text(parts, width=width)


def _change_part(name: str, change: RankingChange) -> ReportPart:
    return ReportPart(
        title=gettext("{ranking}: before and after", ranking=format_ranking(name)),
        columns=(
            *(entrants(), Column(gettext("bot")), Column(gettext("place before")), Column(gettext("place after"))),
            *(*numbers(gettext("change of points")), Column(gettext("verdict"))),
        ),
        rows=[
            (
                moved.entrant,
                pgettext("a bot", "same") if moved.same_bot else pgettext("a bot", "changed"),
                _format_places(moved.before),
                _format_places(moved.after),
                format_figure(moved.difference, digits=3, signed=True),
                gettext(_WORDS[moved.verdict]),
            )
            for moved in change.changes
        ],
        lines=list(_lines(change)),
    )


def _lines(change: RankingChange) -> Iterator[str]:
    own = [moved for moved in change.changes if moved.verdict in (ChangeVerdict.BETTER, ChangeVerdict.WORSE)]
    if own:
        yield gettext("More than luck: {changes}.", changes=", ".join(map(_became, own)))
    elif all(moved.verdict is ChangeVerdict.LUCK for moved in change.changes):
        yield gettext("All changes may be luck.")
    if others := _named(change.changes, ChangeVerdict.OTHERS):
        yield gettext("The same bot in both, whose points changed because other bots did: {names}.", names=others)
    if met_others := _named(change.changes, ChangeVerdict.OPPOSITION):
        yield gettext(
            "Met other opponents, or the same ones more or less often, which alone changes points: {names}. Play both "
            "runs with the same bots and the same schedule, or let the two versions meet in one run.",
            names=met_others,
        )
    if unexplained := _named(change.changes, ChangeVerdict.UNEXPLAINED):
        yield gettext(
            "More than luck, although no bot changed: {names}. Something else differs: the machine, the clock, the "
            "schedule, or a file that a bot reads.",
            names=unexplained,
        )
    if len(change.changed) > 1 and own:
        yield gettext("Several bots changed: what one gained may be what another lost.")
    if change.only_before:
        yield gettext(
            "Only before: {names}. The others met other opponents, which alone changes points; places count only bots "
            "that are in both runs.",
            names=", ".join(change.only_before),
        )
    if change.only_after:
        yield gettext(
            "Only after: {names}. The others met other opponents, which alone changes points; places count only bots "
            "that are in both runs.",
            names=", ".join(change.only_after),
        )


def _became(moved: Change) -> str:
    if moved.verdict is ChangeVerdict.BETTER:
        return gettext("{bot} became better", bot=moved.entrant)
    return gettext("{bot} became worse", bot=moved.entrant)


def _named(changes: Sequence[Change], verdict: ChangeVerdict) -> str:
    return ", ".join(moved.entrant for moved in changes if moved.verdict is verdict)


def _format_places(range_: PlaceRange) -> str:
    if range_.withdrawn:
        return gettext("withdrawn")
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
