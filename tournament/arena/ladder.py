"""The ladder of a season: outcomes of its rounds in, what the page shows out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

import numpy as np

from tournament.arena.ladder_file import (
    ANCHOR_STRENGTH,
    MOST_POINTS_OF_A_LINE,
    FormerRow,
    LadderFile,
    LadderGroup,
    LadderMeeting,
    LadderRow,
    LeftOutVersion,
    StrengthPoint,
)
from tournament.arena.season.figures import Contest, LadderEntrant, SeasonFigures
from tournament.arena.season.lines import strengths_so_far
from tournament.arena.season.outcomes import Outcomes, PairOutcomes, pair_outcomes
from tournament.ranking.compact.by_deal import Floats
from tournament.ranking.compact.threads import in_one_thread
from tournament.ranking.strengths import RATING_PER_STRENGTH
from tournament.records.figures import Figure

_POINT_DECIMALS: Final = 5
_STRENGTH_DECIMALS: Final = 2


@in_one_thread
def make_ladder(
    contest: Contest,
    outcomes: Outcomes,
    entrants: Iterable[LadderEntrant],
    *,
    made: str,
    before: LadderFile | None = None,
) -> LadderFile:
    """Returns the ladder of a season from all its outcomes.

    `entrants` are all versions and house bots of the competition. `before` is a former ladder of the season: a fit
    begins at its strengths, and ends at the same figures sooner. Raises `UsageError` for weights that are not one
    positive number for each game. Needs about 4 s and 400 MB for a million games of 2,000 versions.
    """
    return _LadderMaker(SeasonFigures(contest, outcomes, entrants, before)).ladder(made=made)


class _LadderMaker:
    """Puts figures in the places where the page shows them."""

    def __init__(self, figures: SeasonFigures) -> None:
        self._figures = figures
        self._contest = figures.contest
        championship = figures.championship
        self._shares = {} if championship is None else championship.by_group
        anchor = figures.contest.anchor
        self._anchor = anchor if any(anchor in own.strengths for own in figures.groups.values()) else None

    def ladder(self, *, made: str) -> LadderFile:
        """Returns all of it."""
        outcomes = self._figures.outcomes
        rows = self._rows()
        return LadderFile(
            competition=self._contest.competition,
            season=self._contest.season,
            made=made,
            rounds=len(outcomes.rounds),
            last_round=max(outcomes.rounds, default=None),
            games=sum(own.games_played for own in outcomes.groups.values()),
            anchor=self._anchor,
            groups=tuple(self._group(name, game) for name, game in sorted(self._contest.games.items())),
            rows=rows,
            former=self._former(),
            meetings=self._meetings([row.name for row in rows]),
            left_out=self._left_out(),
        )

    def _group(self, name: str, game: str) -> LadderGroup:
        own = self._figures.outcomes.groups.get(name)
        return LadderGroup(
            group=name,
            game=game,
            weight=round(self._shares.get(name, 0.0), 6),
            deals=0 if own is None else len(own.order),
            games=0 if own is None else own.games_played,
        )

    def _rows(self) -> tuple[LadderRow, ...]:
        here = [one for one in self._figures.entrants.values() if one.active and not one.is_out]
        rows = [self._row(one) for one in here]
        return tuple(sorted(rows, key=_order_of_rows))

    def _row(self, entrant: LadderEntrant) -> LadderRow:
        figures, name = self._figures, entrant.name
        points, ratings, ranks = figures.points, figures.ratings, figures.ranks.get(name)
        is_whole = points is not None and ratings is not None and name in points.entrants
        strength = None
        if is_whole and ratings is not None:
            strength = _moved(ratings.figure(name), to=self._strength(name))
        return LadderRow(
            name=name,
            bot=entrant.bot,
            number=entrant.number,
            house=entrant.number is None,
            provisional=figures.is_provisional(name),
            rank=None if ranks is None else ranks.rank,
            best_rank=None if ranks is None else ranks.best,
            worst_rank=None if ranks is None else ranks.worst,
            points=_rounded(points.figure(name), _POINT_DECIMALS) if is_whole and points is not None else None,
            strength=strength,
            strength_by_group=self._strength_by_group(name),
            points_by_group={
                group: round(own.points[name], _POINT_DECIMALS)
                for group, own in figures.groups.items()
                if name in own.points
            },
            deals=self._deals(name),
            games=self._games(name),
            faults=self._faults(name),
            since=entrant.since,
            above=figures.above(name),
            history=self._history(name, strength=None if strength is None else strength.value),
        )

    def _former(self) -> tuple[FormerRow, ...]:
        rows = []
        for one in self._figures.entrants.values():
            if one.number is None or one.active or one.is_out or not sum(self._deals(one.name).values()):
                continue
            strength = self._strength(one.name)
            rows.append(
                FormerRow(
                    name=one.name,
                    bot=one.bot,
                    number=one.number,
                    strength=strength,
                    strength_by_group=self._strength_by_group(one.name),
                    deals=self._deals(one.name),
                    games=self._games(one.name),
                    faults=self._faults(one.name),
                    history=self._history(one.name, strength=strength),
                )
            )
        return tuple(sorted(rows, key=lambda row: (row.bot, row.number)))

    def _strength(self, name: str) -> float | None:
        """Returns the weighted mean over the groups; None where one is missing."""
        by_group = {group: self._rating(group, name) for group in self._shares}
        if not by_group or any(rating is None for rating in by_group.values()):
            return None
        mean = sum(self._shares[group] * rating for group, rating in by_group.items() if rating is not None)
        return round(mean, _STRENGTH_DECIMALS)

    def _strength_by_group(self, name: str) -> dict[str, float]:
        ratings = {group: self._rating(group, name) for group in self._figures.groups}
        return {group: round(rating, _STRENGTH_DECIMALS) for group, rating in ratings.items() if rating is not None}

    def _rating(self, group: str, name: str) -> float | None:
        strength = self._figures.groups[group].strengths.get(name)
        return None if strength is None else ANCHOR_STRENGTH + RATING_PER_STRENGTH * (strength - self._zero(group))

    def _zero(self, group: str) -> float:
        """Returns the strength in a group that is shown as 1500."""
        own = self._figures.groups[group]
        if self._anchor in own.strengths:
            return own.strengths[self._anchor]
        field = [own.strengths[name] for name in own.points]
        return sum(field) / len(field)

    def _deals(self, name: str) -> dict[str, int]:
        return self._figures.deals.get(name, dict.fromkeys(sorted(self._contest.games), 0))

    def _games(self, name: str) -> int:
        outcomes = self._figures.outcomes
        return sum(
            deals * outcomes.groups[group].players
            for group, deals in self._deals(name).items()
            if group in outcomes.groups
        )

    def _faults(self, name: str) -> dict[str, int]:
        return dict(sorted(self._figures.outcomes.faults.get(name, {}).items()))

    @cached_property
    def _last_rounds(self) -> list[int]:
        """The last round of each stretch of the lines: at most so many stretches, of equally many rounds."""
        rounds = sorted(self._figures.outcomes.rounds)
        count = min(len(rounds), MOST_POINTS_OF_A_LINE)
        return [rounds[(at + 1) * len(rounds) // count - 1] for at in range(count)]

    @cached_property
    def _pairs(self) -> dict[str, PairOutcomes]:
        groups = self._figures.outcomes.groups
        return {
            name: pair_outcomes(own, last_rounds=self._last_rounds) for name, own in groups.items() if len(own.order)
        }

    @cached_property
    def _lines(self) -> Floats:
        """Strengths by name and stretch; not a number before a version has played each group."""
        names, stretches = self._figures.outcomes.names, len(self._last_rounds)
        lines: Floats = np.full((len(names), stretches), ANCHOR_STRENGTH if self._shares else np.nan)
        for group, share in sorted(self._shares.items()):
            known = self._figures.groups[group].strengths
            strengths = np.array([known.get(name, 0.0) for name in names])
            found = strengths_so_far(self._pairs[group], strengths, stretches=stretches)
            lines += share * RATING_PER_STRENGTH * (found - self._zero(group))
        return lines

    @cached_property
    def _played(self) -> Mapping[int, list[int]]:
        """By the place of a name in which stretches it played."""
        size, stretches = len(self._figures.outcomes.names), len(self._last_rounds)
        there = np.zeros((size, stretches), dtype=np.bool_)
        for pairs in self._pairs.values():
            there[pairs.first, pairs.stretch] = there[pairs.second, pairs.stretch] = True
        return {at: np.flatnonzero(there[at]).tolist() for at in range(size)}

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self._figures.outcomes.names)}

    def _history(self, name: str, *, strength: float | None) -> tuple[StrengthPoint, ...]:
        """Returns the line of a version; it ends at the strength that is shown."""
        at = self._place.get(name)
        if at is None or strength is None:
            return ()
        line = self._lines[at]
        played = [stretch for stretch in self._played[at] if not np.isnan(line[stretch])]
        points = [(self._last_rounds[stretch], round(float(line[stretch]), 1)) for stretch in played]
        if points:
            points[-1] = points[-1][0], round(strength, 1)
        return tuple(StrengthPoint(number, value) for number, value in points)

    def _meetings(self, names: list[str]) -> tuple[LadderMeeting, ...]:
        row_of = {name: row for row, name in enumerate(names)}
        row = np.array([row_of.get(name, -1) for name in self._figures.outcomes.names], dtype=np.int64)
        size = len(names)
        sums = np.zeros((3, size * size), dtype=np.int64)
        for pairs in self._pairs.values():
            first, second = row[pairs.first], row[pairs.second]
            both = (first >= 0) & (second >= 0)
            turned = (first > second)[both]
            cell = np.minimum(first, second)[both] * size + np.maximum(first, second)[both]
            won, level, games = pairs.won[both], pairs.level[both], pairs.games[both]
            won = np.where(turned, games - won - level, won)
            for total, values in zip(sums, (games, won, level), strict=True):
                total += np.bincount(cell, weights=values, minlength=size * size).astype(np.int64)
        found = np.flatnonzero(sums[0])
        columns = (found // max(size, 1), found % max(size, 1), *sums[:, found])
        return tuple(LadderMeeting(*values) for values in zip(*(column.tolist() for column in columns), strict=True))

    def _left_out(self) -> tuple[LeftOutVersion, ...]:
        outcomes = self._figures.all_outcomes
        games = np.zeros(len(outcomes.names), dtype=np.int64)
        for own in outcomes.groups.values():
            games += own.players * own.deals_of(len(games))
        by_name = dict(zip(outcomes.names, games.tolist(), strict=True))
        out = sorted(one.name for one in self._figures.entrants.values() if one.is_out)
        return tuple(LeftOutVersion(name=name, games=by_name.get(name, 0)) for name in out)


def _order_of_rows(row: LadderRow) -> tuple[bool, bool, float, str]:
    is_last = row.points is None
    return row.provisional and not row.house, is_last, 0.0 if row.points is None else -row.points.value, row.name


def _rounded(figure: Figure, decimals: int) -> Figure:
    def short(value: float | None) -> float | None:
        return None if value is None else round(value, decimals)

    return Figure(
        value=round(figure.value, decimals),
        error=short(figure.error),
        low=short(figure.low),
        high=short(figure.high),
        deals=figure.deals,
    )


def _moved(figure: Figure, *, to: float | None) -> Figure | None:
    """Returns a figure with another value, and its interval moved with it."""
    if to is None:
        return None
    by = to - figure.value
    low, high = (None if end is None else end + by for end in (figure.low, figure.high))
    return _rounded(Figure(value=to, error=figure.error, low=low, high=high, deals=figure.deals), _STRENGTH_DECIMALS)
