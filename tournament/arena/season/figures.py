"""The figures of a season behind its ladder: expected points, strengths, claims and ranks.

In each group strengths of a Plackett-Luce model, from all games, those of retired versions among them; from these and
what was seen of each pair the points that a version expects at tables drawn evenly from the field; over the groups
their weighted mean, by which the ladder is ordered. Whatever is estimated here is estimated in `tournament.ranking`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tournament.arena.ladder_file import DEALS_TO_RANK, LadderFile
from tournament.arena.season.looks import told_apart
from tournament.arena.season.outcomes import GroupOutcomes, Outcomes
from tournament.ranking.basis import Championship, combine_games, weighted_sum
from tournament.ranking.claims import places, rank_ranges
from tournament.ranking.compact.fields import FieldFigures, fit_field
from tournament.ranking.group_games import Booleans
from tournament.ranking.points import Estimate
from tournament.ranking.strengths import RATING_PER_STRENGTH


class LadderEntrant(NamedTuple):
    """Who may have played in a season: a version, or a house bot."""

    name: str
    bot: str
    number: int | None
    """None for a house bot."""

    active: bool
    """Whether it is in the field; a house bot always is."""

    since: str | None = None
    """Since when it has been active."""

    is_out: bool = False
    """Whether it is disqualified."""


class Contest(NamedTuple):
    """What is ranked."""

    competition: str
    season: int
    games: Mapping[str, str]
    """By group its game: all groups of the competition."""

    weights: Mapping[str, float] | None = None
    """By game; None: all weigh the same."""

    anchor: str | None = None
    """The house bot whose strength is 1500."""


class Ranks(NamedTuple):
    """Where a version ranks, and the ranks that the claims leave open."""

    rank: int
    best: int
    worst: int


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupFigures:
    """A group of which something is known."""

    game: str
    field: FieldFigures
    strengths: dict[str, float]
    """Of everybody who sat in it, natural logarithms of odds."""

    points: dict[str, float]
    """Expected points of the field."""


class SeasonFigures:
    """How the versions of a season stand: the figures behind a ladder."""

    def __init__(
        self,
        contest: Contest,
        outcomes: Outcomes,
        entrants: Iterable[LadderEntrant],
        before: LadderFile | None = None,
    ) -> None:
        """Takes what `make_ladder` does; figures are worked out when they are asked for."""
        self.contest = contest
        self.all_outcomes = outcomes
        self.entrants = {one.name: one for one in entrants}
        self._before = before

    @cached_property
    def outcomes(self) -> Outcomes:
        """The outcomes that count: of the competition's groups, and the tables at which nobody disqualified sat."""
        out = [one.name for one in self.entrants.values() if one.is_out]
        return self.all_outcomes.only(self.contest.games).without(out)

    @cached_property
    def groups(self) -> dict[str, GroupFigures]:
        """By group, those in which at least two of the field have played."""
        field = {one.name for one in self.entrants.values() if one.active and not one.is_out}
        found = {}
        for name, group in sorted(self.outcomes.groups.items()):
            if len(group.order):
                own = _group_figures(group, self.outcomes.names, field=field, start=self._known(name))
                if own is not None:
                    found[name] = own
        return found

    def _known(self, group: str) -> dict[str, float]:
        if self._before is None:
            return {}
        known = {row.name: row.strength_by_group for row in self._before.rows}
        known |= {row.name: row.strength_by_group for row in self._before.former}
        return {name: by_group[group] for name, by_group in known.items() if group in by_group}

    @cached_property
    def championship(self) -> Championship | None:
        """Expected points over all groups that were played; None while there are none."""
        if not self.groups:
            return None
        by_game: dict[str, dict[str, Estimate]] = {}
        for name, own in self.groups.items():
            by_game.setdefault(own.game, {})[name] = own.field.points
        return combine_games(by_game, weights=self.contest.weights)

    @property
    def points(self) -> Estimate | None:
        """Expected points of those who have played every group; None without any."""
        return None if self.championship is None else self.championship.estimate

    @cached_property
    def ratings(self) -> Estimate | None:
        """Strengths of the same, as ratings less the mean of the field."""
        if self.championship is None or self.points is None:
            return None
        names, shares = self.points.entrants, self.championship.by_group
        parts = [(self.groups[name].field.relative.only(names), share) for name, share in sorted(shares.items())]
        return weighted_sum(parts).scaled(RATING_PER_STRENGTH)

    @cached_property
    def deals(self) -> dict[str, dict[str, int]]:
        """By entrant and group of the competition."""
        size = len(self.outcomes.names)
        counts = {
            group: self.outcomes.groups[group].deals_of(size).tolist() if group in self.outcomes.groups else [0] * size
            for group in sorted(self.contest.games)
        }
        return {
            name: {group: own[number] for group, own in counts.items()}
            for number, name in enumerate(self.outcomes.names)
        }

    @cached_property
    def arrived(self) -> dict[str, int]:
        """As the so-manieth of the season: house bots, then versions by the round they first sat in."""
        house = sorted(one.name for one in self.entrants.values() if one.number is None)
        return {name: number for number, name in enumerate(dict.fromkeys((*house, *self.all_outcomes.names)), start=1)}

    def is_provisional(self, name: str) -> bool:
        """Returns whether an entrant has too few deals in a group to be ranked."""
        deals = self.deals.get(name)
        return deals is None or min(deals.values()) < DEALS_TO_RANK

    @cached_property
    def compared(self) -> Estimate | None:
        """Expected points of those of whom claims may be made; None without any."""
        if self.points is None:
            return None
        names = tuple(name for name in self.points.entrants if not self.is_provisional(name))
        return self.points.only(names) if names else None

    @cached_property
    def claimed(self) -> Booleans:
        """True at [a, b] where a is claimed to be better than b, of those that are `compared`."""
        if self.compared is None:
            return np.zeros((0, 0), dtype=np.bool_)
        return told_apart(self.compared, arrived=[self.arrived[name] for name in self.compared.entrants])

    def above(self, name: str) -> tuple[str, ...]:
        """Returns the names of those that an entrant is claimed to be better than."""
        names = () if self.compared is None else self.compared.entrants
        if name not in names:
            return ()
        return tuple(names[row] for row in np.flatnonzero(self.claimed[names.index(name)]).tolist())

    @cached_property
    def ranks(self) -> dict[str, Ranks]:
        """By ranked version."""
        if self.compared is None:
            return {}
        rows = [at for at, name in enumerate(self.compared.entrants) if self.entrants[name].number is not None]
        own = places(self.compared.values[rows])
        ranges = rank_ranges(self.claimed[np.ix_(rows, rows)])
        return {
            self.compared.entrants[row]: Ranks(rank, best, worst)
            for row, rank, (best, worst) in zip(rows, own, ranges, strict=True)
        }


def _group_figures(
    group: GroupOutcomes, names: tuple[str, ...], *, field: Iterable[str], start: Mapping[str, float]
) -> GroupFigures | None:
    games = group.games(names)
    wanted = set(field)
    there = [name for name in games.entrants if name in wanted]
    known = [start.get(name) for name in games.entrants]
    given = [rating for rating in known if rating is not None]
    begin = None
    if given:
        mean = sum(given) / len(given)
        begin = np.array([0.0 if rating is None else (rating - mean) / RATING_PER_STRENGTH for rating in known])
    figures = fit_field(games, there, start=begin)
    if figures is None:
        return None
    return GroupFigures(
        game=group.game,
        field=figures,
        strengths=dict(zip(games.entrants, figures.strengths.tolist(), strict=True)),
        points=dict(zip(figures.points.entrants, figures.points.values.tolist(), strict=True)),
    )
