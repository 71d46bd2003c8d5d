"""How many games a ladder needs for the same rank error, by how its tables are made up.

    python -m benchmarks.arena.tables [--ladders 120] [--players 3]

Plain rotation lets versions sit down in one fixed order. Balanced tables are those that the arena plays. Near tables
put together versions whose strengths are close by what is known so far: always, or at every second look. Versions sit
in equally many deals everywhere, so that only their opponents differ. A ladder counts as false with its first false
claim at any look.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.arena.simulated_games import PlayedBlocks, Skills, expected_points, play_blocks
from tournament.arena.season.figures import Contest, LadderEntrant, SeasonFigures
from tournament.arena.season.outcomes import GroupOutcomes, Outcomes
from tournament.ranking.compact.by_deal import Floats
from tournament.records.run import Field
from tournament.schedule.formats import round_robin_tables

VERSIONS = 24
LOOKS = 16
DEALS_A_LOOK = 10
SPREAD = 0.7
DRAWN = 400
GROUP = "cards"
NAMES = tuple(f"v{number:02}" for number in range(VERSIONS))

Tables = list[tuple[int, ...]]
Maker = Callable[["Look"], Tables]


class Look(NamedTuple):
    """What tables are made up by."""

    number: int
    players: int
    strengths: Floats
    """As they are estimated; all 0 at first."""

    rng: np.random.Generator


class Course(NamedTuple):
    """How a ladder went, look by look."""

    rank_errors: Floats
    is_false: bool
    """Whether it made a false claim."""


def rotation(look: Look) -> Tables:
    """Returns tables of neighbours in one order, which goes on where it was."""
    first = look.number * DEALS_A_LOOK * VERSIONS
    seats = [(first + seat) % (VERSIONS + 1) for seat in range(2 * DEALS_A_LOOK * VERSIONS)]
    seated = [seat for seat in seats if seat < VERSIONS][: DEALS_A_LOOK * VERSIONS]
    players = look.players
    return [tuple(seated[at : at + players]) for at in range(0, len(seated) - players + 1, players)]


def balanced(look: Look) -> Tables:
    """Returns a balanced sample of all tables."""
    return _sample(range(VERSIONS), look)


def near(look: Look) -> Tables:
    """Returns balanced tables within windows of versions that are close in strength; the windows overlap by chance."""
    size = 2 * look.players
    order = np.argsort(look.strengths + 0.15 * look.rng.standard_normal(VERSIONS))
    order = np.roll(order, int(look.rng.integers(size)))
    return [table for at in range(0, VERSIONS, size) for table in _sample(order[at : at + size].tolist(), look)]


def half_near(look: Look) -> Tables:
    """Returns near tables at every second look, and balanced ones at the others."""
    return near(look) if look.number % 2 else balanced(look)


def _sample(members: range | list[int], look: Look) -> Tables:
    names = tuple(NAMES[member] for member in members)
    blocks = DEALS_A_LOOK * len(names) // look.players
    field = Field(group=GROUP, players=look.players, entrants=names, blocks=blocks)
    tables = round_robin_tables(field, seed=str(look.rng.integers(1 << 60)))
    return [tuple(NAMES.index(name) for name in table) for table in tables]


def ladder(maker: Maker, *, players: int, seed: int) -> Course:
    """Returns how a ladder goes with tables of a kind; the same seed gives the same strengths."""
    true = np.random.default_rng([7, seed]).normal(0.0, SPREAD, VERSIONS)
    skills = Skills({GROUP: true}, np.zeros(VERSIONS))
    points = expected_points(GROUP, range(VERSIONS), skills)
    rng = np.random.default_rng([8, seed])
    entrants = [LadderEntrant(name=name, bot=name, number=1, active=True) for name in NAMES]
    contest = Contest(competition="tables", season=1, games={GROUP: GROUP})
    played: list[PlayedBlocks] = []
    strengths, errors, is_false = np.zeros(VERSIONS), [], False
    for number in range(LOOKS):
        tables = maker(Look(number, players, strengths, rng))
        played.append(play_blocks(GROUP, rng.permuted(np.array(tables), axis=1), skills, rng))
        outcomes = _outcomes(played, players)
        figures = SeasonFigures(contest, outcomes, entrants)
        known = figures.groups[GROUP].points
        strengths = np.array([figures.groups[GROUP].strengths[name] for name in NAMES])
        ranked = _ranks(np.array([known[name] for name in NAMES]))
        errors.append(np.abs(ranked - _ranks(points)).mean())
        if figures.compared is not None:
            own = points[[NAMES.index(name) for name in figures.compared.entrants]]
            is_false |= bool((figures.claimed & (own[:, None] <= own[None, :])).any())
    return Course(np.array(errors), is_false)


def _outcomes(played: list[PlayedBlocks], players: int) -> Outcomes:
    group = GroupOutcomes(
        group=GROUP,
        game=GROUP,
        players=players,
        rounds=np.concatenate([np.full(len(one.order), number) for number, one in enumerate(played, start=1)]),
        order=np.concatenate([one.order for one in played]),
        places=np.concatenate([one.places for one in played]),
        forfeited=np.concatenate([one.forfeited for one in played]),
    )
    return Outcomes(names=NAMES, rounds=tuple(range(1, len(played) + 1)), groups={GROUP: group}, faults={})


def _ranks(values: Floats) -> Floats:
    ranks: Floats = np.argsort(np.argsort(-values)).astype(np.float64)
    return ranks


def games_for(error: float, errors: Floats) -> float:
    """Returns after how many looks a mean rank error is reached; not a number if it is not.

    One over its square grows about as the games do: between two looks it is taken to grow evenly.
    """
    grown = np.maximum.accumulate(1.0 / errors**2)
    wanted = 1.0 / error**2
    if grown[-1] < wanted:
        return float("nan")
    return float(np.interp(wanted, np.concatenate([[0.0], grown]), np.arange(len(errors) + 1)))


def saving(errors: Floats, others: Floats, *, look: int) -> float:
    """Returns which share of the games of others gives the rank error that these have after so many looks."""
    return games_for(float(others.mean(axis=0)[look - 1]), errors.mean(axis=0)) / look


def bounds_of_saving(errors: Floats, others: Floats, *, look: int) -> tuple[float, float]:
    """Returns the 95 % interval of `saving`, by drawing ladders anew, each with both kinds of tables."""
    rng = np.random.default_rng(1)
    drawn = [rng.integers(len(errors), size=len(errors)) for _ in range(DRAWN)]
    found = [saving(errors[rows], others[rows], look=look) for rows in drawn]
    low, high = np.nanpercentile(found, [2.5, 97.5])
    return float(low), float(high)


def main() -> None:
    """Prints a line for each kind of tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ladders", type=int, default=120)
    parser.add_argument("--players", type=int, default=3)
    options = parser.parse_args()
    errors, false = {}, {}
    for maker in (rotation, balanced, near, half_near):
        courses = [ladder(maker, players=options.players, seed=seed) for seed in range(options.ladders)]
        errors[maker.__name__] = np.array([one.rank_errors for one in courses])
        false[maker.__name__] = sum(one.is_false for one in courses)
    print(f"{options.ladders} ladders of {VERSIONS} versions at tables of {options.players}:")
    for name, own in errors.items():
        mean = own.mean(axis=0)
        shown = ", ".join(f"{mean[look - 1]:.2f} after {look * DEALS_A_LOOK}" for look in (4, 8, LOOKS))
        print(f"{name:<10} rank error {shown} deals; {false[name]} ladders with a false claim")
    for name, other, look in (
        ("balanced", "rotation", LOOKS),
        ("near", "balanced", LOOKS // 2),
        ("half_near", "balanced", LOOKS // 2),
    ):
        share = saving(errors[name], errors[other], look=look)
        low, high = bounds_of_saving(errors[name], errors[other], look=look)
        print(f"{name} needs {share:.2f} of the games of {other} for the same rank error ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
