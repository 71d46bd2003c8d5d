"""Rounds of the ladder: who has played least of its due, at balanced tables, for about as long as a round may take."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import accumulate
from statistics import median
from typing import Final, NamedTuple

from tournament.arena.files import Lane, RoundKind
from tournament.arena.ladder_file import DEALS_TO_RANK
from tournament.arena.scheduling.known import (
    KnownCompetition,
    KnownGroup,
    KnownVersion,
    PlannedRound,
    Rest,
    RestReason,
    TableGuests,
)
from tournament.arena.scheduling.pacing import Allowance, allowances, deal_ms, next_release, playing_day
from tournament.configuration.types import Budget
from tournament.records.run import Field, Format

BEHIND: Final = 3
"""Who has so many deals less than its part of what the others have plays against these in a gauntlet."""

MOST_FOCUS: Final = 8
"""How many catch up in one round."""

UNLIMITED: Final = 1_000_000_000


class _Seat(NamedTuple):
    """A version or a house bot as one that may sit at the tables of a group."""

    version: KnownVersion
    is_house: bool
    deals: int
    allowance: Allowance
    ceiling: int
    """The most deals of a day; a house bot has none."""

    cost_ms: float
    """For each deal."""

    draw: bytes
    """The order of those that have played the same share."""

    @property
    def progress(self) -> float:
        """The share of its deals of the day that it has played."""
        return self.deals / self.allowance.today

    @property
    def is_due(self) -> bool:
        """Whether it may play now."""
        return self.deals < self.allowance.now

    @property
    def room(self) -> int:
        """How many deals it may still play as an opponent."""
        return max(0, self.ceiling - self.deals)


def ladder_round(competition: KnownCompetition, now: datetime, *, left_ms: float) -> PlannedRound | Rest:
    """Returns the next round of the ladder of an open competition, of one group; or why there is none.

    `left_ms` is how long the lane works for this competition until the day ends.
    """
    allowed = allowances(competition, now, left_ms=left_ms)
    placed = [version for version in competition.versions if version.placed]
    tables: list[tuple[float, KnownGroup, list[_Seat]]] = []
    for group in competition.groups:
        seats = _seats(competition, group, placed, allowed, ceiling=competition.deals_a_day)
        if any(seat.is_due and not seat.is_house for seat in seats):
            tables.append((sum(seat.progress for seat in seats) / len(seats), group, seats))
    for _, group, seats in sorted(tables, key=lambda one: one[0]):
        planned = _round_of_group(competition, group, seats)
        if planned is not None:
            return planned
    if tables or not placed:
        return Rest(why=RestReason.TOO_FEW if tables else RestReason.NOTHING_WAITS)
    if all(
        version.deals_today.get(group.name, 0) >= allowed[version.name].today
        for version in placed
        for group in competition.groups
        if group.name in version.groups
    ):
        return Rest(why=RestReason.CEILING, until=playing_day(competition, now).ends)
    return Rest(why=RestReason.PACE, until=next_release(competition, now))


def late_round(competition: KnownCompetition) -> PlannedRound | None:
    """Returns the next round for versions that are provisional at the freeze; None when each has its deals.

    It is played whatever the day has left, because nothing is released any more.
    """
    free = Allowance(competition.deals_a_day, UNLIMITED)
    allowed = {version.name: free for version in (*competition.versions, *competition.house)}
    placed = [version for version in competition.versions if version.placed]
    for group in competition.groups:
        seats = _seats(competition, group, placed, allowed, ceiling=UNLIMITED)
        late = [seat for seat in seats if not seat.is_house and seat.version.deals.get(group.name, 0) < DEALS_TO_RANK]
        others = [seat for seat in seats if seat not in late]
        planned = _gauntlet(competition, group, late[:MOST_FOCUS], others, competition.placement_deals)
        if planned is not None:
            return planned
    return None


def _seats(
    competition: KnownCompetition,
    group: KnownGroup,
    versions: Iterable[KnownVersion],
    allowed: Mapping[str, Allowance],
    *,
    ceiling: int,
) -> list[_Seat]:
    """Returns who may sit at the tables of a group; who has played the least share of its deals comes first."""
    seats = [
        _Seat(
            version=version,
            is_house=is_house,
            deals=version.deals_today.get(group.name, 0),
            allowance=allowed[version.name],
            ceiling=UNLIMITED if is_house else ceiling,
            cost_ms=deal_ms(version, group),
            draw=sha256(f"{competition.rounds_made}|{group.name}|{version.name}".encode()).digest(),
        )
        for is_house, members in ((False, versions), (True, competition.house))
        for version in members
        if group.name in version.groups
    ]
    return sorted(seats, key=lambda seat: (seat.progress, seat.draw))


def _apart(seats: Iterable[_Seat], group: KnownGroup, beside: Sequence[_Seat] = ()) -> list[_Seat]:
    """Returns seats, from the first, that may all sit at one table of the group, and at one with each of `beside`."""
    guests = TableGuests(group.players, (seat.version for seat in beside))
    return [seat for seat in seats if guests.admit(seat.version)]


def _round_of_group(competition: KnownCompetition, group: KnownGroup, seats: list[_Seat]) -> PlannedRound | None:
    """Returns a round of those that are due, who have played least first; None without enough for a table."""
    usual = median(seat.progress for seat in seats)
    behind = [
        seat
        for seat in seats
        if seat.is_due and not seat.is_house and usual * seat.allowance.today - seat.deals >= BEHIND
    ]
    if behind:
        others = [seat for seat in seats if seat not in behind]
        lag = min(int(usual * seat.allowance.today) - seat.deals for seat in behind[:MOST_FOCUS])
        planned = _gauntlet(competition, group, behind[:MOST_FOCUS], others, lag)
        if planned is not None:
            return planned
    return _round_robin(competition, group, seats)


def _gauntlet(
    competition: KnownCompetition, group: KnownGroup, focus: list[_Seat], others: list[_Seat], wanted: int
) -> PlannedRound | None:
    """Returns a round in which each of some plays up to so many deals against others; None without such others."""
    round_ms = 1000 * competition.round_seconds
    while focus:
        field = _apart((seat for seat in others if seat.room), group, beside=focus)
        drawn = group.players - 1
        if len(field) >= drawn:
            others_ms = drawn * sum(seat.cost_ms for seat in field) / len(field)
            one_ms = sum(seat.cost_ms + others_ms for seat in focus)
            room = len(field) * min(seat.room for seat in field) // (drawn * len(focus))
            due = min(seat.allowance.now - seat.deals for seat in focus)
            deals = min(wanted, due, room, max(1, int(round_ms / one_ms)))
            if deals >= 1 and (one_ms <= round_ms or len(focus) == 1):
                field = field[: max(drawn, deals * len(focus) * drawn)]
                return _planned(
                    competition, group, (*focus, *field), blocks=deals * len(focus), focus=focus, ms=deals * one_ms
                )
        focus = focus[:-1]
    return None


def _round_robin(competition: KnownCompetition, group: KnownGroup, seats: list[_Seat]) -> PlannedRound | None:
    """Returns a round in which all who are due and have played least sit equally often."""
    round_ms, players = 1000 * competition.round_seconds, group.players
    first = next(seat for seat in seats if seat.is_due and not seat.is_house)
    due = _apart((first, *(seat for seat in seats if seat.is_due and seat is not first)), group)
    total = sum(seat.cost_ms for seat in due)
    each = max(1, min(int(round_ms / total), *(seat.allowance.now - seat.deals for seat in due)))
    # Who would still be ahead of the first after this round lets the others play.
    level = (first.deals + each) / first.allowance.today
    due = [seat for seat in due if seat.progress < level]
    if each == 1:
        fitting = sum(spent <= round_ms for spent in accumulate(seat.cost_ms for seat in due))
        due = due[: max(players, fitting - fitting % players)]
    if len(due) < players:
        due = _filled(due, seats, group)
        if len(due) < players:
            return None
        each = min(each, *(seat.room for seat in due), max(1, int(round_ms / sum(seat.cost_ms for seat in due))))
    step = players // math.gcd(len(due), players)
    if each >= step:
        each -= each % step
    else:
        due = due[: len(due) - len(due) % players]
    ms = each * sum(seat.cost_ms for seat in due)
    return _planned(competition, group, due, blocks=each * len(due) // players, focus=(), ms=ms)


def _filled(due: list[_Seat], seats: list[_Seat], group: KnownGroup) -> list[_Seat]:
    """Returns those that are due with others that may still play, house bots last, to make one table."""
    rest = [seat for seat in seats if seat not in due and seat.room]
    fillers = sorted(rest, key=lambda seat: seat.is_house)
    return [*due, *_apart(fillers, group, beside=due)][: group.players]


def _planned(
    competition: KnownCompetition,
    group: KnownGroup,
    seats: Sequence[_Seat],
    *,
    blocks: int,
    focus: Sequence[_Seat],
    ms: float,
) -> PlannedRound:
    entrants = tuple(seat.version.name for seat in seats)
    names = tuple(seat.version.name for seat in focus)
    field = Field(group=group.name, players=group.players, entrants=entrants, blocks=blocks, focus=names)
    return PlannedRound(
        competition=competition.name,
        kind=RoundKind.LADDER,
        lane=Lane.LONG,
        format=Format.GAUNTLET if focus else Format.ROUND_ROBIN,
        entrants=entrants,
        focus=names,
        fields=(field,),
        budget=Budget(games=blocks * group.players),
        expected_ms=ms,
    )
