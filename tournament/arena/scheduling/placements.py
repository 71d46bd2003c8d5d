"""Rounds for somebody: placements of new versions, and challenges. Both are gauntlets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, Protocol, TypeVar

from tournament.arena.files import Lane, RoundKind
from tournament.arena.scheduling.known import (
    KnownChallenge,
    KnownCompetition,
    KnownGroup,
    KnownVersion,
    PlannedRound,
    TableGuests,
)
from tournament.arena.scheduling.pacing import deal_ms
from tournament.configuration.types import Budget
from tournament.records.run import Field, Format

MOST_PLACED: Final = 8
"""How many versions are placed in one round."""

MOST_OPPONENTS: Final = 8
MOST_HOUSE: Final = 5
"""How many of the opponents of a placement are house bots where the ladder has others."""


class Waiting(Protocol):
    """A version that waits for a check or a placement."""

    @property
    def name(self) -> str:
        """The version as an entrant."""

    @property
    def owners(self) -> frozenset[str]:
        """By any id."""

    @property
    def since(self) -> datetime:
        """When it began to wait."""


AnyWaiting = TypeVar("AnyWaiting", bound=Waiting)


def in_turn(waiting: Iterable[AnyWaiting]) -> list[AnyWaiting]:
    """Returns who waits with participants in turn: the earliest of each, then the second of each, and so on."""
    turns: list[tuple[int, datetime, str, AnyWaiting]] = []
    seen: dict[str, int] = {}
    for one in sorted(waiting, key=lambda one: (one.since, one.name)):
        turn = max((seen.get(owner, 0) for owner in one.owners), default=0)
        seen.update(dict.fromkeys(one.owners, turn + 1))
        turns.append((turn, one.since, one.name, one))
    return [one for _, _, _, one in sorted(turns, key=lambda turn: turn[:3])]


def placement_round(competition: KnownCompetition) -> PlannedRound | None:
    """Returns the placement of those that wait first; None when nobody waits who has somebody to play against."""
    focus = in_turn(version for version in competition.versions if not version.placed and _plays(competition, version))
    focus = focus[:MOST_PLACED]
    while focus:
        planned = _planned(competition, RoundKind.PLACEMENT, focus, _opponents(competition, focus))
        if planned is not None:
            return planned
        focus = focus[1:]
    return None


def challenge_round(competition: KnownCompetition, challenge: KnownChallenge) -> PlannedRound | None:
    """Returns the round that answers a challenge; None where no table of it is allowed.

    Opponents that share an owner with the challenger are met at tables of two only, and only if there are no others.
    House bots fill the places that are left at larger tables.
    """
    own = challenge.version
    largest = max(group.players for group in competition.groups)
    opponents = apart(challenge.opponents, players=largest, beside=[own])
    groups = competition.groups
    if not opponents:
        opponents = list(challenge.opponents)
        groups = tuple(group for group in groups if group.players == 2)
    missing = max((group.players for group in groups), default=1) - 1 - len(opponents)
    opponents += [bot for bot in competition.house if bot not in opponents][: max(0, missing)]
    return _planned(competition, RoundKind.CHALLENGE, [own], opponents, groups=groups, challenge=challenge.number)


def apart(versions: Iterable[KnownVersion], *, players: int, beside: Sequence[KnownVersion] = ()) -> list[KnownVersion]:
    """Returns versions, from the first, that may all sit at one table, and at one with each of `beside`."""
    guests = TableGuests(players, beside)
    return [version for version in versions if guests.admit(version)]


def _plays(competition: KnownCompetition, version: KnownVersion) -> bool:
    return any(group.name in version.groups for group in competition.groups)


def _opponents(competition: KnownCompetition, focus: Sequence[KnownVersion]) -> list[KnownVersion]:
    """Returns house bots, and versions spread evenly over the ladder from its first to its last."""
    largest = max(group.players for group in competition.groups)
    placed = [version for version in competition.versions if version.placed]
    ranked = sorted(placed, key=lambda one: (one.strength is None, -(one.strength or 0.0), one.name))
    ladder = apart(ranked, players=largest, beside=focus)
    house = competition.house[: MOST_OPPONENTS - min(len(ladder), MOST_OPPONENTS - MOST_HOUSE)]
    places = min(len(ladder), MOST_OPPONENTS - len(house))
    step = (len(ladder) - 1) / (places - 1) if places > 1 else 0.0
    return [*house, *(ladder[round(number * step)] for number in range(places))]


def _planned(
    competition: KnownCompetition,
    kind: RoundKind,
    focus: Sequence[KnownVersion],
    opponents: Sequence[KnownVersion],
    *,
    groups: Sequence[KnownGroup] | None = None,
    challenge: int | None = None,
) -> PlannedRound | None:
    """Returns a gauntlet in all groups that have a table for it; None where somebody in focus has none.

    All groups have as many blocks, since that is what a budget in games gives.
    """
    blocks = len(focus) * competition.placement_deals
    everybody = (*focus, *opponents)
    fields, expected_ms = [], 0.0
    for group in groups if groups is not None else competition.groups:
        seated = [version for version in focus if group.name in version.groups]
        others = [version for version in opponents if group.name in version.groups]
        if not seated or len(others) < group.players - 1:
            continue
        fields.append(
            Field(
                group=group.name,
                players=group.players,
                entrants=tuple(version.name for version in (*seated, *others)),
                blocks=blocks,
                focus=tuple(version.name for version in seated),
            )
        )
        drawn = (group.players - 1) * sum(deal_ms(version, group) for version in others) / len(others)
        expected_ms += blocks * (sum(deal_ms(version, group) for version in seated) / len(seated) + drawn)
    seen = {name for field in fields for name in field.entrants}
    if not fields or not all(version.name in seen for version in focus):
        return None
    return PlannedRound(
        competition=competition.name,
        kind=kind,
        lane=Lane.QUICK,
        format=Format.GAUNTLET,
        entrants=tuple(version.name for version in everybody if version.name in seen),
        focus=tuple(version.name for version in focus),
        fields=tuple(fields),
        budget=Budget(games=sum(field.blocks * field.players for field in fields)),
        expected_ms=expected_ms,
        challenge=challenge,
    )
