"""A course of two weeks, simulated: the arena's scheduling and states, with players of known strength.

No process is started and no clock is read: time goes from event to event. Participants hand in versions, among them
ones that hang, crash or are slow; the machine fails at random. Rounds are planned by `tournament.arena.scheduling`,
their tables are those of ordinary runs, and every state follows the one before as `transitions` allows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import numpy as np

from benchmarks.arena.enrolment import BEGIN, Sizes, draw_enrolment
from benchmarks.arena.simulated_games import PlayedBlocks
from benchmarks.arena.simulated_rounds import simulate_round
from benchmarks.arena.simulated_versions import GROUPS, Kind, Version
from tournament.arena.files import Lane, RoundKind
from tournament.arena.scheduling.days import day_of
from tournament.arena.scheduling.known import (
    WITHDRAWALS_TO_PARK,
    KnownChallenge,
    KnownCheck,
    KnownCompetition,
    KnownVersion,
    PlannedCheck,
    PlannedRound,
    Rest,
)
from tournament.arena.scheduling.lanes import next_long, next_quick
from tournament.arena.transitions import CompetitionState, VersionState

ZONE: Final = "Europe/Warsaw"
START_MS: Final = 150.0
CHECK_SECONDS: Final = 12
HANGING_CHECK_SECONDS: Final = 120


class Wait(NamedTuple):
    """How long a version waited for its placement."""

    rounds: int
    """Of the quick lane, from when it began to wait, its own among them."""

    waiting: int
    """How many waited when it began to, itself among them."""


class DayEnd(NamedTuple):
    """How even a day was."""

    deals: Mapping[str, Mapping[str, int]]
    """By group and version, of those that were active all day, slow ones left out."""

    most_of_a_round: int
    """The most deals that a version played in one round of the day."""


@dataclass
class _Work:
    lane: Lane
    ends: datetime
    what: PlannedCheck | PlannedRound
    lost: bool = False
    """Whether the machine fails so that nothing of it counts."""


class SimulatedCourse:
    """A course that is played from its first day to its freeze."""

    def __init__(self, seed: int, sizes: Sizes = Sizes()) -> None:  # noqa: B008 (a constant)
        """Draws who takes part, when versions are handed in and how strong they are."""
        self.sizes = sizes
        self.rng = np.random.default_rng([16, seed])
        self.now = BEGIN
        self.blocks: list[tuple[int, PlayedBlocks]] = []
        """By round, of all rounds that count."""

        self.waits: list[Wait] = []
        self.days: list[DayEnd] = []
        self.accepted_a_day: Counter[tuple[str, datetime]] = Counter()
        self.refused: list[Version] = []
        self.challenges_played = 0
        self.abandoned = 0
        self.interrupted = 0
        self.final: PlannedRound | None = None
        self.strengths: Mapping[str, float] = {}
        self.ranks: Mapping[str, tuple[int, bool]] = {}
        """By version its rank, and whether it may be first."""

        self._state = CompetitionState.OPEN
        self._freezes = BEGIN + timedelta(days=sizes.days, hours=-6)
        self._lanes: dict[Lane, _Work | Rest | None] = dict.fromkeys(Lane)
        self._busy: dict[Lane, list[tuple[datetime, float]]] = {lane: [] for lane in Lane}
        self.rounds_made = 0
        self._quick_rounds = 0
        self._checked_last = False
        self._placements_in_a_row = 0
        self._challenges: list[KnownChallenge] = []
        self._most_of_a_round = 1
        self._wants_final = False
        drawn = draw_enrolment(self.rng, sizes)
        self.skills = drawn.skills
        self.versions = {version.name: version for version in drawn.house}
        self._arrivals = list(reversed(drawn.arrivals))

    # What is known

    def known(self) -> KnownCompetition:
        """Returns what scheduling is told now."""
        quick = self._lanes[Lane.QUICK]
        admitted = quick.what if isinstance(quick, _Work) else None
        placing = admitted.focus if isinstance(admitted, PlannedRound) and admitted.kind is RoundKind.PLACEMENT else ()
        here = [
            version
            for version in self.versions.values()
            if version.state is VersionState.ACTIVE and version.name not in placing
        ]
        hour = self.now - timedelta(hours=1)
        return KnownCompetition(
            name="course",
            state=self._state,
            groups=GROUPS,
            house=tuple(self._known(version) for version in here if version.owner is None),
            versions=tuple(self._known(version) for version in here if version.owner is not None),
            checks=tuple(
                KnownCheck(name=version.name, owners=version.owners, since=version.received)
                for version in self.versions.values()
                if version.state is VersionState.RECEIVED
            ),
            challenges=tuple(self._challenges),
            time_zone=ZONE,
            freezes=self._freezes,
            deals_a_day=self.sizes.deals_a_day,
            is_admitting=isinstance(admitted, PlannedCheck) or bool(placing),
            wants_final=self._wants_final,
            rounds_made=self.rounds_made,
            lane_ms={lane: int(_ms_after(hour, busy)) for lane, busy in self._busy.items()},
            checked_last=self._checked_last,
            placements_in_a_row=self._placements_in_a_row,
        )

    def _known(self, version: Version) -> KnownVersion:
        rank, may_be_first = self.ranks.get(version.name, (None, False))
        return version.known(strength=self.strengths.get(version.name), rank=rank, may_be_first=may_be_first)

    # The course of time

    def play(self) -> Iterator[datetime]:
        """Plays the course, and yields the end of each day, at which whoever likes ranks the versions."""
        midnight = day_of(self.now, ZONE).ends
        while self.now < self._freezes or self._arrivals:
            moment = min(self._next_event(), midnight, self._freezes)
            self._move_to(moment)
            if self.now == midnight:
                self._end_day()
                yield midnight
                midnight = day_of(midnight, ZONE).ends
        self._state = CompetitionState.FROZEN
        self._settle()
        yield self.now
        self._wants_final = True
        self._settle()
        self._state = CompetitionState.CLOSED

    def _settle(self) -> None:
        """Goes on until both lanes rest with nothing to wait for."""
        self._move_to(self.now)
        while any(isinstance(work, _Work) for work in self._lanes.values()):
            self._move_to(self._next_event())

    def _next_event(self) -> datetime:
        """Returns when the next work ends, a rest ends, or a version is handed in."""
        times = [work.ends for work in self._lanes.values() if isinstance(work, _Work)]
        times += [rest.until for rest in self._lanes.values() if isinstance(rest, Rest) and rest.until is not None]
        times += [self._arrivals[-1].received] if self._arrivals else []
        return max(self.now, min(times))

    def _move_to(self, moment: datetime) -> None:
        self.now = moment
        while self._arrivals and self._arrivals[-1].received <= moment:
            version = self._arrivals.pop()
            self.versions[version.name] = version
        for lane, work in self._lanes.items():
            if isinstance(work, _Work) and work.ends <= moment:
                self._lanes[lane] = None
                self._finish(work)
        known: list[KnownCompetition] = []
        for lane, work in self._lanes.items():
            if not isinstance(work, _Work):
                known = known or [self.known()]
                self._lanes[lane] = begun = self._begin(lane, known)
                if isinstance(begun, _Work):  # the other lane has to know of it
                    known = []

    def _begin(self, lane: Lane, known: list[KnownCompetition]) -> _Work | Rest:
        planned = next_quick(known) if lane is Lane.QUICK else next_long(known, self.now)
        if isinstance(planned, Rest):
            return planned
        if isinstance(planned, PlannedCheck):
            version = self.versions[planned.version]
            version.move_to(VersionState.CHECKING)
            seconds = HANGING_CHECK_SECONDS if version.kind is Kind.HANGS else CHECK_SECONDS
            self._checked_last = True
            ms = 1000.0 * seconds
        else:
            self.rounds_made += 1
            ms = self._true_ms(planned) + START_MS * len(planned.entrants)
            if lane is Lane.QUICK:
                self._begin_quick(planned)
        lost = False
        if self.rng.random() < self.sizes.machine_fails:
            # Half of what the machine does wrong is lost; the other half goes on after a while.
            lost = self.rng.random() < 0.5
            self.abandoned += lost
            self.interrupted += not lost
            ms += 0.0 if lost else float(self.rng.exponential(600_000.0))
        self._busy[lane] = [*self._busy[lane][-500:], (self.now, ms)]
        return _Work(lane, self.now + timedelta(milliseconds=ms), planned, lost=lost)

    def _begin_quick(self, planned: PlannedRound) -> None:
        self._quick_rounds += 1
        self._checked_last = False
        if planned.kind is RoundKind.CHALLENGE:
            self._placements_in_a_row = 0
            self._challenges = [one for one in self._challenges if one.number != planned.challenge]
            return
        self._placements_in_a_row += 1
        for name in planned.focus:
            version = self.versions[name]
            self.waits.append(Wait(self._quick_rounds - version.rounds_when_waiting, version.waiting_with))

    def _true_ms(self, planned: PlannedRound) -> float:
        ms = 0.0
        for own in planned.fields:
            mean = sum(self.versions[name].game_ms for name in own.entrants) / len(own.entrants)
            ms += own.blocks * own.players * (own.players * mean + 5.0)
        return ms

    # What becomes of it

    def _finish(self, work: _Work) -> None:
        if isinstance(work.what, PlannedCheck):
            self._finish_check(self.versions[work.what.version], lost=work.lost)
        elif not work.lost:
            self._finish_round(work.what)
        else:
            for name in work.what.focus if work.what.kind is RoundKind.PLACEMENT else ():
                self._begin_to_wait(self.versions[name])

    def _finish_check(self, version: Version, *, lost: bool) -> None:
        if lost:
            version.checks_failed_by_machine += 1
            version.move_to(VersionState.RECEIVED)
        elif version.kind in (Kind.HANGS, Kind.FAILS):
            version.move_to(VersionState.REFUSED)
            self.refused.append(version)
        else:
            version.move_to(VersionState.ACCEPTED)
            assert version.owner is not None
            self.accepted_a_day[version.owner, day_of(version.received, ZONE).begins] += 1
            for other in self.versions.values():
                if other.bot == version.bot and other.state is VersionState.ACTIVE:
                    other.move_to(VersionState.RETIRED)
            version.move_to(VersionState.ACTIVE)
            version.since = self.now
            self._begin_to_wait(version)
            if self.rng.random() < 0.3:
                self._challenge(version)

    def _begin_to_wait(self, version: Version) -> None:
        version.rounds_when_waiting = self._quick_rounds
        version.waiting_with = sum(
            other.state is VersionState.ACTIVE and not other.placed for other in self.versions.values()
        )

    def _challenge(self, version: Version) -> None:
        others = [one for one in self.versions.values() if one.state is VersionState.ACTIVE and one.bot != version.bot]
        opponent = others[int(self.rng.integers(len(others)))]
        self._challenges.append(
            KnownChallenge(
                number=self.rounds_made * 1000 + version.number,
                version=self._known(version),
                opponents=(self._known(opponent),),
                asked=self.now,
            )
        )

    def _finish_round(self, planned: PlannedRound) -> None:
        numbers = {name: self.versions[name].number for name in planned.entrants}
        played = simulate_round(planned, numbers, skills=self.skills, rng=self.rng)
        if planned.kind in (RoundKind.PLACEMENT, RoundKind.LADDER):
            for name in planned.entrants:
                if numbers[name] in played.withdrawn:
                    self._withdraw(self.versions[name])
        if planned.kind is RoundKind.CHALLENGE:
            self.challenges_played += 1
            return
        if planned.kind is RoundKind.FINAL:
            self.final, self._wants_final = planned, False
            return
        by_number = {number: self.versions[name] for name, number in numbers.items()}
        for own in played.blocks:
            self.blocks.append((self.rounds_made, own))
            for number, deals in Counter(own.order.ravel().tolist()).items():
                version = by_number[number]
                version.deals[own.group] += deals
                version.played_ms[own.group] = version.game_ms
                if planned.kind is RoundKind.LADDER:
                    version.today[own.group] += deals
                    self._most_of_a_round = max(self._most_of_a_round, deals)
        for name in planned.focus if planned.kind is RoundKind.PLACEMENT else ():
            self.versions[name].placed = True

    def _withdraw(self, version: Version) -> None:
        version.withdrawals += 1
        if version.withdrawals >= WITHDRAWALS_TO_PARK and version.state is VersionState.ACTIVE:
            version.move_to(VersionState.PARKED)

    def _end_day(self) -> None:
        day = day_of(self.now - timedelta(seconds=1), ZONE)
        there = [
            version
            for version in self.versions.values()
            if version.state is VersionState.ACTIVE
            and version.owner is not None
            and version.kind is Kind.SOUND
            and version.placed
            and version.since is not None
            and version.since <= day.begins
        ]
        deals = {group.name: {version.name: version.today[group.name] for version in there} for group in GROUPS}
        self.days.append(DayEnd(deals, self._most_of_a_round))
        self._most_of_a_round = 1
        for version in self.versions.values():
            version.today = Counter()


def _ms_after(moment: datetime, busy: list[tuple[datetime, float]]) -> float:
    """Returns how long a lane worked on what it began later than that."""
    return sum(ms for _, ms in busy[bisect_right(busy, moment, key=lambda one: one[0]) :])
