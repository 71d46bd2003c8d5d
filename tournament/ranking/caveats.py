"""Caveats: what a reader of the standings of a group has to know before believing them.

Source: `docs/statistics.md`; the list of warnings is that of `tournament standings`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

import numpy as np

from tournament.languages import kept_gettext, kept_ngettext, kept_row
from tournament.ranking.basis import GroupScores, Scale
from tournament.ranking.claims import claimed_cycle
from tournament.ranking.compact.columns import CountedGroup
from tournament.ranking.group_games import STRAY_BLOCKS, GroupGames, Integers, meetings
from tournament.ranking.points import FEWEST_DEALS
from tournament.records.figures import FEW_DEALS, Basis, format_number
from tournament.records.standings import Caveat, CaveatKind, Evenness, Meeting
from tournament.text import format_names

_SAME_RATING = 1e-6

MOST_FORFEITS = 0.01
"""The share of its games that a bot may forfeit without a caveat."""


def balance(games: GroupGames) -> Evenness:
    """Returns how evenly a group was played."""
    played = games.played
    met = meetings(games)[np.triu_indices(len(games.entrants), k=1)]
    seats = _seat_counts(games)
    return Evenness(
        fewest_games=int(played.min()),
        most_games=int(played.max()),
        fewest_meetings=int(met.min()) if met.size else None,
        most_meetings=int(met.max()) if met.size else None,
        seats_even=bool((seats == seats[:, :1]).all()),
    )


def group_caveats(
    counted: CountedGroup, scores: GroupScores, scale: Scale, met: Sequence[Meeting]
) -> tuple[Caveat, ...]:
    """Returns the caveats of one group, the gravest first; `scores`, `scale` and `met` come from the same games."""
    games = scores.games
    found = [
        _not_comparable(scale),
        _unequal_opposition(scale),
        _two_orders(scores, scale),
        _too_few_deals(games, scale.estimate.entrants),
        _forfeits(games),
        _cycle(met),
        _repeated_games(counted),
        _one_opponent(games, scale.estimate.entrants),
        _unbalanced_seats(games),
    ]
    return tuple(caveat for caveat in found if caveat is not None)


def _not_comparable(scale: Scale) -> Caveat | None:
    """Returns which entrants cannot be compared, where ratings rank the group."""
    if scale.basis is Basis.POINTS or len(scale.classes) == 1:
        return None
    camps = kept_row([format_names(members) for members in scale.classes[:5]], "; ")
    if len(scale.classes) > 5:
        more = len(scale.classes) - 5
        # Translators: {groups} are groups of names with semicolons between them
        camps = kept_ngettext("{groups}; and {count} more", "{groups}; and {count} more", more, groups=camps)
    if len(scale.parts) > 1:
        apart = format_names(scale.parts[0])
        for part in scale.parts[1:3]:
            apart = kept_gettext("{first} with {second}", first=apart, second=format_names(part))
        text = kept_gettext(
            "No chain of wins and ties joins these both ways: {groups}. Between them an order is claimed only of those "
            "who shared {tables} tables or more. Nothing at all joins {apart}: they are ranked apart. Play more tables "
            "at which they meet.",
            groups=camps,
            tables=FEWEST_DEALS,
            apart=apart,
        )
    else:
        text = kept_gettext(
            "No chain of wins and ties joins these both ways: {groups}. Between them an order is claimed only of those "
            "who shared {tables} tables or more. Play more tables at which they meet.",
            groups=camps,
            tables=FEWEST_DEALS,
        )
    return Caveat(
        kind=CaveatKind.NOT_COMPARABLE,
        text=text,
        entrants=tuple(name for members in scale.classes[1:] for name in members),
    )


def _unequal_opposition(scale: Scale) -> Caveat | None:
    if scale.basis is Basis.POINTS:
        return None
    return Caveat(
        kind=CaveatKind.UNEQUAL_OPPOSITION,
        text=kept_gettext(
            "Not all met the same opponents, so points do not compare them: ranks, letters and claims go by rating."
        ),
    )


def _two_orders(scores: GroupScores, scale: Scale) -> Caveat | None:
    """Returns which entrants have more points but a lower rating than another one in the same part."""
    rating = scale.estimate if scale.basis is Basis.RATINGS else scores.ratings
    if rating is None:
        return None
    points = dict(zip(scores.points.entrants, scores.points.values.tolist(), strict=True))
    rated = dict(zip(rating.entrants, rating.values.tolist(), strict=True))
    swapped = [
        (first, second)
        for part in scale.parts
        for first in part
        for second in part
        if points[first] > points[second] and rated[first] < rated[second] - _SAME_RATING
    ]
    if not swapped:
        return None
    swapped.sort(key=lambda pair: (points[pair[1]] - points[pair[0]], pair))
    named = format_names(
        [kept_gettext("{first} has more points than {second}", first=first, second=second) for first, second in swapped]
    )
    return Caveat(
        kind=CaveatKind.TWO_ORDERS,
        text=kept_gettext(
            "Points and ratings give two orders: {examples}, and the lower rating. Ratings count who was met.",
            examples=named,
        ),
        entrants=tuple(dict.fromkeys(name for pair in swapped for name in pair)),
    )


def _too_few_deals(games: GroupGames, ranked: Collection[str]) -> Caveat | None:
    met = games.met.tolist()
    few = {name: deals for name, deals in zip(games.entrants, met, strict=True) if name in ranked and deals < FEW_DEALS}
    if not few:
        return None
    fewest, most = min(few.values()), max(few.values())
    if fewest < FEWEST_DEALS:
        consequence = kept_gettext("no interval is given under {deals}", deals=FEWEST_DEALS)
    else:
        consequence = kept_gettext("intervals are rough")
    played = f"{fewest}" if fewest == most else kept_gettext("{low} to {high}", low=fewest, high=most)
    values = {"names": format_names(tuple(few)), "deals": played, "consequence": consequence}
    if len(few) > 1:
        text = kept_gettext("Too few deals: {names} played {deals} each; {consequence}.", **values)
    else:
        text = kept_gettext("Too few deals: {names} played {deals}; {consequence}.", **values)
    return Caveat(
        kind=CaveatKind.TOO_FEW_DEALS,
        text=text,
        entrants=tuple(few),
    )


def _forfeits(games: GroupGames) -> Caveat | None:
    forfeits = np.bincount(games.seats[games.forfeited], minlength=len(games.entrants))
    shares = (forfeits / games.played).tolist()
    guilty = [(name, share) for name, share in zip(games.entrants, shares, strict=True) if share > MOST_FORFEITS]
    if not guilty:
        return None
    named = [
        kept_gettext("{name} {share} %", name=name, share=partial(format_number, 100 * share, digits=1))
        for name, share in guilty
    ]
    return Caveat(
        kind=CaveatKind.FORFEITS,
        text=kept_gettext(
            "Forfeited more than {share} % of their games: {names}; look at the standings without forfeits too.",
            share=round(100 * MOST_FORFEITS),
            names=format_names(named),
        ),
        entrants=tuple(name for name, _ in guilty),
    )


def _cycle(met: Sequence[Meeting]) -> Caveat | None:
    cycle = claimed_cycle(met)
    if cycle is None:
        return None
    return Caveat(
        kind=CaveatKind.CYCLE,
        text=kept_gettext(
            "A circle: head to head, {circle}, each claimed to beat the next: no single order is true.",
            circle=" > ".join(cycle),
        ),
        entrants=cycle[:-1],
    )


def _repeated_games(counted: CountedGroup) -> Caveat | None:
    # Same deal, same seats, same scores in another game: bots that do not vary add no information by playing again.
    if counted.named is None:
        return None
    repeats, numbers = 0, set[int]()
    for part, named in counted.games.chunks_with(counted.named):
        rows = np.column_stack([part.deal, part.seats, part.scores])[named]
        found, counts = np.unique(rows, axis=0, return_counts=True)
        repeats += int((counts - 1).sum())
        numbers.update(found[counts > 1, 1 : 1 + part.players].ravel().tolist())
    if not repeats:
        return None
    who = tuple(sorted(counted.games.entrants[number] for number in numbers))
    return Caveat(
        kind=CaveatKind.REPEATED_GAMES,
        text=kept_ngettext(
            "{count} games repeat another on the same deal, seat by seat and point by point ({names}): they add "
            "nothing, and the errors count them so.",
            "{count} games repeat another on the same deal, seat by seat and point by point ({names}): they add "
            "nothing, and the errors count them so.",
            repeats,
            names=format_names(who),
        ),
        entrants=who,
    )


def _one_opponent(games: GroupGames, ranked: Collection[str]) -> Caveat | None:
    size = len(games.entrants)
    if size < 3:
        return None
    met = meetings(games) / games.players
    share = met.sum(axis=1) / (size - 1)  # what of it an even schedule gives each opponent
    most = met.max(axis=1)
    leaning = [
        (games.entrants[at], games.entrants[int(met[at].argmax())])
        for at in np.flatnonzero((most >= 2.0 * share) & (most > share + STRAY_BLOCKS)).tolist()
        if games.entrants[at] in ranked
    ]
    if not leaning:
        return None
    named = format_names(
        [kept_gettext("{name} met {opponent}", name=name, opponent=opponent) for name, opponent in leaning]
    )
    return Caveat(
        kind=CaveatKind.ONE_OPPONENT,
        text=kept_gettext(
            "One opponent dominates, at least twice its share: {examples}; such points say little about the others.",
            examples=named,
        ),
        entrants=tuple(name for name, _ in leaning),
    )


def _unbalanced_seats(games: GroupGames) -> Caveat | None:
    seats = _seat_counts(games)
    uneven = (seats != seats[:, :1]).any(axis=1)
    if not uneven.any():
        return None
    who = tuple(name for name, bad in zip(games.entrants, uneven.tolist(), strict=True) if bad)
    return Caveat(
        kind=CaveatKind.UNBALANCED_SEATS,
        text=kept_gettext(
            "Unbalanced seats: {names} did not sit in every seat equally often.", names=format_names(who)
        ),
        entrants=who,
    )


def _seat_counts(games: GroupGames) -> Integers:
    counts: Integers = np.zeros(len(games.entrants) * games.players, dtype=np.int64)
    for part in games.chunks():
        cells = part.seats * part.players + np.arange(part.players)
        counts += np.bincount(cells.ravel(), minlength=len(counts))
    return counts.reshape(-1, games.players)
