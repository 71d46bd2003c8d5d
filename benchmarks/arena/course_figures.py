"""How the versions of a simulated course stand, by the arena's own ladder, and whether that is true."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchmarks.arena.simulated_games import expected_points
from benchmarks.arena.simulated_versions import GROUPS
from benchmarks.arena.simulation import SimulatedCourse
from tournament.arena.season.figures import Contest, LadderEntrant, SeasonFigures
from tournament.arena.season.outcomes import GroupOutcomes, Outcomes
from tournament.arena.transitions import VersionState
from tournament.ranking.compact.by_deal import Floats

GAME = "cards"


class Truth(NamedTuple):
    """What the ladder says of a course, beside what is true."""

    differences: int
    """Of versions that are not provisional."""

    covered: int
    """Those whose true value lies in the 95 % interval."""

    claims: int
    false_claims: int
    rank_error: float
    """By how many places a version is off, on average."""

    error_ratio: float
    """The root mean square of the true errors of versions, each divided by the error that the ladder tells: 1.0 where
    errors are told rightly, whichever versions had luck."""


def season_of(course: SimulatedCourse) -> SeasonFigures:
    """Returns the figures of a course by all rounds so far."""
    entrants = [
        LadderEntrant(
            name=version.name,
            bot=version.bot,
            number=None if version.owner is None else version.number,
            active=version.state is VersionState.ACTIVE,
        )
        for version in course.versions.values()
    ]
    contest = Contest(competition="course", season=1, games={group.name: GAME for group in GROUPS}, anchor="house0")
    return SeasonFigures(contest, _outcomes(course), entrants)


def _outcomes(course: SimulatedCourse) -> Outcomes:
    names = {version.number: version.name for version in course.versions.values()}
    place: dict[int, int] = {}
    for _, played in course.blocks:
        for number in sorted(np.unique(played.order).tolist()):
            place.setdefault(number, len(place))
    moved = np.zeros(max(place, default=0) + 1, dtype=np.int32)
    moved[list(place)] = list(place.values())
    groups = {}
    for group in GROUPS:
        own = [(number, played) for number, played in course.blocks if played.group == group.name]
        groups[group.name] = GroupOutcomes(
            group=group.name,
            game=GAME,
            players=group.players,
            rounds=np.concatenate([np.full(len(played.order), number, dtype=np.int32) for number, played in own]),
            order=moved[np.concatenate([played.order for _, played in own])],
            places=np.concatenate([played.places for _, played in own]),
            forfeited=np.concatenate([played.forfeited for _, played in own]),
        )
    rounds = tuple(dict.fromkeys(number for number, _ in course.blocks))
    return Outcomes(names=tuple(names[number] for number in place), rounds=rounds, groups=groups, faults={})


def note_standing(course: SimulatedCourse, figures: SeasonFigures) -> None:
    """Tells a course how its versions stand: placements spread by it, and the final takes who may be first."""
    if figures.ratings is not None:
        ratings = figures.ratings
        course.strengths = dict(zip(ratings.entrants, ratings.values.tolist(), strict=True))
    course.ranks = {name: (ranks.rank, ranks.best == 1) for name, ranks in figures.ranks.items()}


def truth_of(course: SimulatedCourse, figures: SeasonFigures) -> Truth:
    """Returns how far the figures of versions that are not provisional are true."""
    compared = figures.compared
    number = {version.name: version.number for version in course.versions.values()}
    names = [] if compared is None else [one for one in compared.entrants if course.versions[one].owner is not None]
    true = np.zeros(len(number))
    for group in GROUPS:
        field = [number[name] for name in figures.groups[group.name].field.points.entrants]
        points = np.full(len(number), np.nan)
        points[field] = expected_points(group.name, field, course.skills)
        true = true + points / len(GROUPS)
    if compared is None or len(names) < 2:
        return Truth(0, 0, 0, 0, 0.0, 1.0)
    rows = [compared.entrants.index(name) for name in names]
    own = true[[number[name] for name in names]]
    apart = own[:, None] - own[None, :]
    covered = differences = 0
    for first in range(len(names)):
        for second in range(first):
            figure = compared.difference(names[first], names[second]).figure
            if figure.low is not None and figure.high is not None:
                differences += 1
                covered += figure.low <= apart[first, second] <= figure.high
    claimed = figures.claimed[np.ix_(rows, rows)]
    ranked = np.argsort(np.argsort(-compared.values[rows]))
    return Truth(
        differences=differences,
        covered=covered,
        claims=int(claimed.sum()),
        false_claims=int((claimed & (apart <= 0)).sum()),
        rank_error=float(np.abs(ranked - np.argsort(np.argsort(-own))).mean()),
        error_ratio=_error_ratio(compared.values[rows] - own, compared.difference_errors[np.ix_(rows, rows)]),
    )


def _error_ratio(apart: Floats, difference_errors: Floats) -> float:
    """Returns it from how far values are from true ones, less their mean, and from the errors of all differences."""
    squares: Floats = np.square(difference_errors)
    np.fill_diagonal(squares, 0.0)
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    variances = -np.diag(centred) / 2  # each version's own, against the mean of all
    return float(np.sqrt(np.mean(np.square(apart - apart.mean()) / variances)))
