"""How many deals each version may play today: shares of the machine's time, spread over the day."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeVar

from tournament.arena.ladder_file import DEALS_TO_RANK
from tournament.arena.scheduling.days import Day, day_of
from tournament.arena.scheduling.known import KnownCompetition, KnownGroup, KnownVersion

UNMEASURED_MS: Final = 200.0
"""What the moves of a version are taken to need in a game before any was measured."""

OVERHEAD_MS: Final = 5.0
"""What a seat adds to a game beside the moves of its bot."""

AT_ONCE: Final = 0.5
"""The share of the deals of a day that is played as soon as the machine can; the rest is spread over the day."""

PACE_STEP: Final = timedelta(minutes=10)
"""The deals that are spread over the day are released at these steps at the latest."""

SHORTEST_STEP: Final = timedelta(minutes=1)
STEP_DEALS: Final = 3
"""With many deals a day they are released as soon as there are so many, so that play goes on where one looks."""

Key = TypeVar("Key", bound=Hashable)


class Allowance(NamedTuple):
    """How many deals a version may play in each group."""

    today: int
    """By its share of the machine; at most `deals_a_day`."""

    now: int
    """So far; a version that has played fewer is due."""


def playing_day(competition: KnownCompetition, now: datetime) -> Day:
    """Returns the part of the present day in which the ladder is played: to midnight, or to the freeze."""
    day = day_of(now, competition.time_zone)
    if competition.freezes is not None and now < competition.freezes < day.ends:
        return Day(day.begins, competition.freezes)
    return day


def game_ms(version: KnownVersion, group: str) -> float:
    """Returns what a version adds to a game of a group, in milliseconds; a guess before it has played one."""
    known = version.game_ms.get(group)
    if known is None:
        known = max(version.game_ms.values(), default=UNMEASURED_MS)
    return known + OVERHEAD_MS


def deal_ms(version: KnownVersion, group: KnownGroup) -> float:
    """Returns what a version adds to the games of one deal of a group: it sits in each seat once."""
    return group.players * game_ms(version, group.name)


def fair_shares(needs: Mapping[Key, float], available: float) -> dict[Key, float]:
    """Returns what each gets: all the same, but nobody more than it needs; what one leaves goes to the others."""
    shares: dict[Key, float] = {}
    left = available
    for number, (key, need) in enumerate(sorted(needs.items(), key=lambda one: one[1])):
        shares[key] = min(need, max(left, 0.0) / (len(needs) - number))
        left -= shares[key]
    return shares


def needed_ms(competition: KnownCompetition) -> float:
    """Returns how much time a competition still needs to bring every version to the deals of a day."""
    return sum(
        max(0, competition.deals_a_day - version.deals_today.get(group.name, 0)) * deal_ms(version, group)
        for version in (*competition.versions, *competition.house)
        for group in competition.groups
        if group.name in version.groups
    )


def allowances(competition: KnownCompetition, now: datetime, *, left_ms: float) -> dict[str, Allowance]:
    """Returns by name what each version and house bot may play in each group today.

    `left_ms` is how long the lane of the ladder works for this competition until the day ends. Who needs more than an
    equal share of the day's time plays fewer deals, and nobody else does.
    """
    day = playing_day(competition, now)
    everybody = (*competition.versions, *competition.house)
    needs: dict[str, float] = {}
    used = 0.0
    for version in everybody:
        costs = {group.name: deal_ms(version, group) for group in competition.groups if group.name in version.groups}
        needs[version.name] = competition.deals_a_day * sum(costs.values())
        used += sum(version.deals_today.get(group, 0) * cost for group, cost in costs.items())
    shares = fair_shares(needs, used + left_ms)
    found: dict[str, Allowance] = {}
    released: dict[datetime, float] = {}
    for version in everybody:
        begun = max(day.begins, version.since)
        if begun not in released:  # most were active all day
            released[begun] = _released(competition, begun, day=day, now=now)
        need = needs[version.name]
        share = shares[version.name] / need if need else 1.0
        today = max(1, math.floor(competition.deals_a_day * share + 1e-9))
        wanted = released[begun] * share
        found[version.name] = Allowance(today, min(today, max(1, math.ceil(wanted - 1e-9))))
    return found


def pace_step(competition: KnownCompetition) -> timedelta:
    """Returns after how long further deals of a day are released."""
    a_day = (1 - AT_ONCE) * competition.deals_a_day
    return min(PACE_STEP, max(SHORTEST_STEP, timedelta(days=1) * STEP_DEALS / a_day))


def _released(competition: KnownCompetition, begun: datetime, *, day: Day, now: datetime) -> float:
    """Returns how many deals the day has released so far for whoever began then, if the machine has time for all.

    Who was active all day has the first half at once. Who became active on the way has its part of that half, and at
    least what it needs to be ranked.
    """
    at_once = AT_ONCE * competition.deals_a_day
    if begun > day.begins:
        at_once = max(at_once * day.share_of(day.ends - begun), DEALS_TO_RANK - competition.placement_deals)
    step = pace_step(competition)
    elapsed = max(timedelta(), min(now, day.begins + (now - day.begins) // step * step) - begun)
    return min(competition.deals_a_day, at_once + (1 - AT_ONCE) * competition.deals_a_day * day.share_of(elapsed))


def next_release(competition: KnownCompetition, now: datetime) -> datetime:
    """Returns when the day next releases deals: at the next step, or when the next day begins."""
    day = playing_day(competition, now)
    step = pace_step(competition)
    return min(day.ends, day.begins + ((now - day.begins) // step + 1) * step)
