"""Simulated ladders: versions of known strength arrive, replace each other and play; no rules, no processes.

A member of a table gets the sum of its strength, what it gains from who else sits there (strengths that form no line),
the luck of the hand (which rotates), how well it gets on with the deal (which does not), and noise; the highest sum
wins. What it expects at tables drawn evenly from the field is worked out without chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from tournament.arena.season.figures import Contest, LadderEntrant
from tournament.arena.season.outcomes import GroupOutcomes, Outcomes, joined_outcomes
from tournament.ranking.compact.by_deal import Floats
from tournament.ranking.group_games import Integers
from tournament.records.run import Field
from tournament.schedule.formats import gauntlet_tables, round_robin_tables

HOUSE: Final = 4
HAND, TASTE = 1.0, 0.7
PLACEMENT_DEALS: Final = 10
DEALS_A_ROUND: Final = 8
NEAR_SPREAD: Final = 0.15
GAIN: Final = 0.5
NEARNESS: Final = 0.05
GAME: Final = "cards"


class Course(StrEnum):
    """What strengths the versions of a simulated ladder have."""

    EQUAL = "equal"
    NEAR = "nearly equal"
    CYCLIC = "cyclic"
    """Equal, but each version gains from sitting with a third of the others and loses from a third."""

    CYCLIC_NEAR = "cyclic and nearly equal"


@dataclass(frozen=True, eq=False, kw_only=True)
class LadderWorld:
    """Versions that arrive in the course of a season."""

    players: tuple[int, ...]
    """Of each group."""

    strengths: Floats
    """The house bots first, then versions as they arrive."""

    kinds: Integers
    """0, 1 or 2: each gains from the next kind."""

    gain: float
    arrivals: tuple[int, ...]
    """At which look each version arrives."""

    replaces: tuple[int | None, ...]
    """Which earlier version each one retires."""

    looks: int
    adaptive: bool
    """Whether every other table of the ladder puts together versions that stand near each other."""

    @property
    def size(self) -> int:
        """How many there are, house bots included."""
        return len(self.strengths)

    @property
    def names(self) -> tuple[str, ...]:
        """By number."""
        return tuple(_name(number) for number in range(self.size))

    @property
    def contest(self) -> Contest:
        """What is ranked."""
        groups = {_group(players): GAME for players in self.players}
        return Contest(competition="simulated", season=1, games=groups, anchor=_name(0))

    def field_at(self, look: int) -> tuple[int, ...]:
        """Returns who is active at a look."""
        here = [number for number in range(HOUSE, self.size) if self.arrivals[number - HOUSE] <= look]
        gone = {self.replaces[number - HOUSE] for number in here}
        return (*range(HOUSE), *(number for number in here if number not in gone))

    def entrants_at(self, look: int) -> tuple[LadderEntrant, ...]:
        """Returns everybody as the ladder is told of them."""
        active = self.field_at(look)
        return tuple(
            LadderEntrant(
                name=_name(number),
                bot=_name(number),
                number=None if number < HOUSE else 1,
                active=number in active,
            )
            for number in range(self.size)
        )

    def truth_at(self, look: int) -> Floats:
        """Returns what everybody active expects at tables drawn evenly from the field, the groups weighing the same."""
        field = self.field_at(look)
        return np.mean([self._expected(field, players) for players in self.players], axis=0)

    def _expected(self, field: tuple[int, ...], players: int) -> Floats:
        found = np.full(self.size, np.nan)
        found[list(field)] = 0.0
        gains = self._gains()
        for first, second in combinations(field, 2):
            others = [number for number in field if number not in (first, second)]
            beside = np.array(list(combinations(others, players - 2)), dtype=np.int64)
            ahead = self.strengths[first] - self.strengths[second] + gains[first, second] - gains[second, first]
            ahead = ahead + gains[first][beside].sum(axis=1) - gains[second][beside].sum(axis=1)
            share = float(_wins(ahead).mean()) / (len(field) - 1)
            found[first] += share
            found[second] += 1.0 / (len(field) - 1) - share
        return found

    def _gains(self) -> Floats:
        apart = (self.kinds[None, :] - self.kinds[:, None]) % 3
        gains: Floats = self.gain * np.array([0.0, 1.0, -1.0])[apart]
        return gains

    def played(self, order: Integers, *, number: int, rng: np.random.Generator) -> GroupOutcomes:
        """Returns how the blocks at some tables end, in round `number`."""
        blocks, players = order.shape
        gains = self._gains()
        own = self.strengths[order] + TASTE * rng.standard_normal(order.shape)
        own += gains[order[:, :, None], order[:, None, :]].sum(axis=2)
        turn = (np.arange(players)[:, None] + np.arange(players)) % players  # who sits where in each rotation
        sums = (
            own[:, turn]
            + HAND * rng.standard_normal((blocks, 1, players))
            + rng.gumbel(size=(blocks, players, players))
        )
        places = 1 + (sums[:, :, None, :] > sums[:, :, :, None]).sum(axis=3)
        return GroupOutcomes(
            group=_group(players),
            game=GAME,
            players=players,
            rounds=np.full(blocks, number, dtype=np.int32),
            order=order,
            places=places.astype(np.int8),
            forfeited=np.zeros(places.shape, dtype=np.bool_),
        )

    def rounds(self, rng: np.random.Generator) -> Iterator[tuple[int, Outcomes]]:
        """Yields for each look all outcomes so far: a placement where somebody is new, and a round of the ladder."""
        parts: list[Outcomes] = []
        points = np.full(self.size, 0.5)
        deals = np.zeros(self.size)
        for look in range(1, self.looks + 1):
            field = self.field_at(look)
            fresh = [number for number in field if number >= HOUSE and self.arrivals[number - HOUSE] == look]
            settled = [number for number in field if number not in fresh]
            if fresh:
                against = settled[:HOUSE] + sorted(settled[HOUSE:], key=lambda one: rng.random())[: 8 - HOUSE]
                parts.append(self._round(len(parts) + 1, tuple(fresh), tuple(against), None, rng))
            standing = _Standing(points, deals) if self.adaptive and look > 1 else None
            parts.append(self._round(len(parts) + 1, (), field, standing, rng))
            for part in parts[-2:] if fresh else parts[-1:]:
                _count(part, points, deals)
            yield look, joined_outcomes(parts)

    def _round(
        self,
        number: int,
        focus: tuple[int, ...],
        others: tuple[int, ...],
        standing: _Standing | None,
        rng: np.random.Generator,
    ) -> Outcomes:
        groups = {}
        for players in self.players:
            everybody = (*others, *focus)
            each = PLACEMENT_DEALS * len(focus) if focus else -(-DEALS_A_ROUND * len(everybody) // players)
            near = each // 2 if standing is not None else 0
            field = Field(
                group=_group(players),
                players=players,
                entrants=tuple(_name(one) for one in everybody),
                blocks=each - near,
                focus=tuple(_name(one) for one in focus),
            )
            drawn = gauntlet_tables if focus else round_robin_tables
            place = {_name(one): one for one in everybody}
            tables = [[place[name] for name in table] for table in drawn(field, seed=str(rng.integers(1 << 60)))]
            if standing is not None:
                tables += standing.tables(everybody, players=players, blocks=near, rng=rng)
            order = rng.permuted(np.array(tables, dtype=np.int64), axis=1)
            groups[_group(players)] = self.played(order, number=number, rng=rng)
        there = np.unique(np.concatenate([own.order.ravel() for own in groups.values()]))
        moved = {name: replace(own, order=np.searchsorted(there, own.order)) for name, own in groups.items()}
        return Outcomes(names=tuple(_name(one) for one in there.tolist()), rounds=(number,), groups=moved, faults={})


class _Standing(NamedTuple):
    """What tables are chosen by: the mean points of everybody so far, and in how many deals."""

    points: Floats
    deals: Floats

    def tables(
        self, everybody: tuple[int, ...], *, players: int, blocks: int, rng: np.random.Generator
    ) -> list[list[int]]:
        """Returns tables: whoever sat least, with versions that stand near it."""
        numbers = np.array(everybody)
        sat = np.zeros(len(numbers))
        found = []
        for _ in range(blocks):
            table = [int(np.argmin(sat + self.deals[numbers] * 1e-3 + rng.random(len(numbers)) * 1e-3))]
            while len(table) < players:
                apart = np.abs(self.points[numbers] - self.points[numbers[table[0]]])
                weights = np.exp(-apart / NEARNESS) / (1.0 + sat)
                weights[table] = 0.0
                table.append(int(rng.choice(len(numbers), p=weights / weights.sum())))
            sat[table] += 1.0
            found.append(numbers[table].tolist())
        return found


def _count(part: Outcomes, points: Floats, deals: Floats) -> None:
    """Adds the points of a round to what is known of everybody."""
    number = {_name(one): one for one in range(len(points))}
    place = np.array([number[name] for name in part.names])
    for own in part.groups.values():
        players = own.players
        turn = (np.arange(players)[:, None] + np.arange(players)) % players
        members = place[own.order]
        scored = ((players - own.places) / (players - 1)).ravel()
        size = len(points)
        sums = np.bincount(members[:, turn].ravel(), weights=scored, minlength=size) / players
        sat = np.bincount(members.ravel(), minlength=size)
        points[:] = np.where(sat > 0, (points * deals + sums) / np.maximum(deals + sat, 1.0), points)
        deals += sat


def _name(number: int) -> str:
    return f"house{number}" if number < HOUSE else f"v{number:04d}"


def _group(players: int) -> str:
    return f"{GAME}-{players}p"


_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(24)
_SPREAD: Final = (2.0 * (HAND**2 + TASTE**2)) ** 0.5


def _wins(ahead: Floats) -> Floats:
    """Returns how probable it is to finish above somebody than whom one is stronger by so much."""
    odds = 1.0 / (1.0 + np.exp(-(ahead[..., None] + _SPREAD * _NODES)))
    return np.asarray((odds * _WEIGHTS).sum(axis=-1) / _WEIGHTS.sum(), dtype=np.float64)


def draw_world(
    course: Course,
    rng: np.random.Generator,
    *,
    players: tuple[int, ...] = (2,),
    adaptive: bool = False,
    arrivals: int = 20,
    looks: int = 40,
) -> LadderWorld:
    """Returns a ladder: a third of the versions are there from the first look, and half of the others replace one."""
    count = HOUSE + arrivals
    near = course in (Course.NEAR, Course.CYCLIC_NEAR)
    first = arrivals // 3
    later = np.sort(rng.integers(2, max(looks * 3 // 4, 3), size=arrivals - first))
    replaces: list[int | None] = [None] * arrivals
    for at in range(first, arrivals):
        standing = [number for number in range(at) if number + HOUSE not in replaces]
        if rng.random() < 0.5 and len(standing) > 1:
            replaces[at] = HOUSE + int(rng.choice(standing))
    return LadderWorld(
        players=players,
        strengths=NEAR_SPREAD * rng.standard_normal(count) if near else np.zeros(count),
        kinds=rng.integers(0, 3, size=count),
        gain=GAIN if course in (Course.CYCLIC, Course.CYCLIC_NEAR) else 0.0,
        arrivals=(*[1] * first, *later.tolist()),
        replaces=tuple(replaces),
        looks=looks,
        adaptive=adaptive,
    )
