"""Who takes part in a simulated course: when versions are handed in, how they behave, and how strong they are."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

import numpy as np

from benchmarks.arena.simulated_games import Skills
from benchmarks.arena.simulated_versions import GROUPS, Kind, Version
from tournament.arena.transitions import VersionState

BEGIN: Final = datetime(2026, 10, 19, 22, tzinfo=UTC)
"""Midnight in Warsaw, six days before clocks are changed there."""

HOUSE: Final = 4
KINDS: Final = {Kind.SOUND: 0.8, Kind.SLOW: 0.05, Kind.HANGS: 0.05, Kind.FAILS: 0.05, Kind.CRASHES: 0.05}


class Sizes(NamedTuple):
    """How large a course is."""

    participants: int = 60
    days: int = 14
    versions: int = 600
    deals_a_day: int = 50
    machine_fails: float = 0.04
    """The probability for each check and round."""


class Enrolment(NamedTuple):
    """All that is drawn before a course begins."""

    house: tuple[Version, ...]
    arrivals: tuple[Version, ...]
    """In the order in which they are handed in."""

    skills: Skills


def draw_enrolment(rng: np.random.Generator, sizes: Sizes) -> Enrolment:
    """Returns who takes part in a course of such sizes."""
    total = HOUSE + sizes.versions
    talent = {f"p{number:02}": rng.normal(0.0, 0.7) for number in range(sizes.participants)}
    strengths = {group.name: np.zeros(total) for group in GROUPS}
    crashes = np.zeros(total)
    house = []
    for number in range(HOUSE):
        name = f"house{number}"
        house.append(Version(number, name, name, None, Kind.SOUND, BEGIN, VersionState.ACTIVE, BEGIN, placed=True))
        for values in strengths.values():
            values[number] = -1.0 + number / 3
    owners = list(talent)
    # A quarter comes in the last minutes of a lesson, once a day; the others more and more towards the end.
    lessons = (rng.integers(0, sizes.days, sizes.versions) + 0.6) * 86_400 + rng.exponential(40.0, sizes.versions)
    spread = rng.beta(1.2, 0.9, sizes.versions) * (sizes.days - 0.26) * 86_400
    moments = np.sort(np.where(rng.random(sizes.versions) < 0.25, lessons, spread))
    kinds = rng.choice(list(KINDS), p=list(KINDS.values()), size=sizes.versions)
    made: Counter[str] = Counter()
    arrivals: list[Version] = []
    for at in range(sizes.versions):
        owner = owners[at] if at < len(owners) else str(rng.choice(owners))
        # One participant in ten has two bots.
        bot = f"{owner}{'b' if int(owner[1:]) % 10 == 0 and rng.random() < 0.5 else 'a'}"
        made[bot] += 1
        number, kind = HOUSE + at, Kind(kinds[at])
        received = BEGIN + timedelta(seconds=float(moments[at]))
        version = Version(number, f"{bot}.v{made[bot]}", bot, owner, kind, received)
        arrivals.append(version)
        skill = talent[owner] + 0.15 * np.log1p(made[bot]) + rng.normal(0.0, 0.3)
        for values in strengths.values():
            values[number] = skill + rng.normal(0.0, 0.3)
        crashes[number] = rng.uniform(0.1, 0.6) if kind is Kind.CRASHES else 0.0
    return Enrolment(tuple(house), tuple(arrivals), Skills(strengths, crashes))
