"""What a lane does next: the checks, placements and challenges of the quick one, ladder and final of the long one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from tournament.arena.files import Lane
from tournament.arena.scheduling.finals import final_round, finalists
from tournament.arena.scheduling.known import (
    FAILURES_TO_WAIT,
    KnownCompetition,
    PlannedCheck,
    PlannedRound,
    Rest,
    RestReason,
)
from tournament.arena.scheduling.pacing import Allowance, allowances, fair_shares, needed_ms, playing_day
from tournament.arena.scheduling.placements import challenge_round, in_turn, placement_round
from tournament.arena.scheduling.rotation import ladder_round, late_round
from tournament.arena.transitions import CompetitionState

CHECKED_IN: Final = frozenset({CompetitionState.OPEN, CompetitionState.PAUSED, CompetitionState.FROZEN})
PLACED_IN: Final = frozenset({CompetitionState.OPEN, CompetitionState.FROZEN})
CHALLENGED_IN: Final = frozenset({CompetitionState.OPEN, CompetitionState.FROZEN, CompetitionState.CLOSED})
"""Challenges count for nothing, so that who wants to play on after the end may."""

PLACEMENTS_BEFORE_A_CHALLENGE: Final = 8
"""After so many placements in a row a challenge that waits goes first."""

ONE_MS: Final = timedelta(milliseconds=1)


def next_quick(competitions: Sequence[KnownCompetition]) -> PlannedCheck | PlannedRound | Rest:
    """Returns what the quick lane does next; the competition that used it least in the last hour goes first.

    Within a competition, checks and placements take turns as long as both wait, and challenges come last, but are not
    put off for ever.
    """
    for competition in _in_turn(competitions, Lane.QUICK):
        found = _quick(competition)
        if found is not None:
            return found
    return Rest(why=RestReason.NOTHING_WAITS)


def next_long(competitions: Sequence[KnownCompetition], now: datetime) -> PlannedRound | Rest:
    """Returns the round that the long lane plays next; the competition that used it least in the last hour goes first.

    What is left of the day is shared out to the competitions by what they need. Where all rest, the rest that ends
    first is returned.
    """
    left = time_left_ms(competitions, now)
    rests = []
    for competition in _in_turn(competitions, Lane.LONG):
        found = _long(competition, now, left_ms=left.get(competition.name, 0.0))
        if isinstance(found, PlannedRound):
            return found
        rests.append(found)
    ending = [rest for rest in rests if rest.until is not None]
    if ending:
        return min(ending, key=lambda rest: rest.until or now)
    return rests[0] if rests else Rest(why=RestReason.NOTHING_WAITS)


def time_left_ms(competitions: Sequence[KnownCompetition], now: datetime) -> dict[str, float]:
    """Returns by name how long the long lane works for each open competition until its day ends."""
    open_ones = [one for one in competitions if one.state is CompetitionState.OPEN]
    left = {one.name: (playing_day(one, now).ends - now) / ONE_MS for one in open_ones}
    shares = fair_shares({one.name: needed_ms(one) for one in open_ones}, max(left.values(), default=0.0))
    spare = max(left.values(), default=0.0) - sum(shares.values())
    return {name: min(left[name], share + spare) for name, share in shares.items()}


def paces(competitions: Sequence[KnownCompetition], now: datetime) -> Mapping[str, Mapping[str, Allowance]]:
    """Returns by competition and version how many deals each may play in a group today.

    Whoever has fewer than `deals_a_day` is slower than the machine has time for, and is told its pace.
    """
    left = time_left_ms(competitions, now)
    return {
        competition.name: allowances(competition, now, left_ms=left[competition.name])
        for competition in competitions
        if competition.name in left
    }


def _in_turn(competitions: Sequence[KnownCompetition], lane: Lane) -> list[KnownCompetition]:
    return sorted(competitions, key=lambda one: (one.lane_ms.get(lane, 0), one.name))


def _quick(competition: KnownCompetition) -> PlannedCheck | PlannedRound | None:
    check = placement = challenge = None
    checks = [one for one in competition.checks if not one.rests]
    if checks and competition.state in CHECKED_IN:
        first = min(in_turn(checks), key=lambda one: one.failures >= FAILURES_TO_WAIT)
        check = PlannedCheck(competition=competition.name, version=first.name)
    if competition.state in PLACED_IN:
        placement = placement_round(competition)
    if competition.state in CHALLENGED_IN:
        for one in sorted(competition.challenges, key=lambda one: (one.asked, one.number)):
            challenge = challenge or challenge_round(competition, one)
    if challenge is not None and competition.placements_in_a_row >= PLACEMENTS_BEFORE_A_CHALLENGE:
        return challenge
    if check is not None and (placement is None or not competition.checked_last):
        return check
    return placement or challenge


def _long(competition: KnownCompetition, now: datetime, *, left_ms: float) -> PlannedRound | Rest:
    if competition.state is CompetitionState.OPEN:
        return ladder_round(competition, now, left_ms=left_ms)
    if competition.state is not CompetitionState.FROZEN:
        return Rest(why=RestReason.NOT_OPEN)
    late = late_round(competition)
    if late is not None:
        return late
    if not competition.wants_final:
        return Rest(why=RestReason.NOTHING_WAITS)
    waits = bool(competition.checks) or any(not version.placed for version in competition.versions)
    if waits or competition.is_admitting:
        return Rest(why=RestReason.WAITS_FOR_QUICK)
    if len([one for one in finalists(competition) if one.may_be_first]) == 1:
        return Rest(why=RestReason.DECIDED)
    return final_round(competition) or Rest(why=RestReason.TOO_FEW)
