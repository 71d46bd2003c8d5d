"""A lane of the referee: it does one thing after another, each in a process of its own, on a core of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.db.models import QuerySet

from tournament.arena.files import ROUND_FILE, Lane, RoundKind, VersionFile
from tournament.arena.models import Challenge, RoundRow
from tournament.arena.play.dates import ClockWatch
from tournament.arena.play.desk import Desk, told_of
from tournament.arena.play.indexing import index_round
from tournament.arena.play.knowing import Competition
from tournament.arena.play.rounds import make_round
from tournament.arena.play.works import CheckWork, RoundWork, Work
from tournament.arena.scheduling.known import FAILURES_TO_WAIT, KnownCompetition, PlannedCheck, PlannedRound
from tournament.arena.scheduling.lanes import next_long, next_quick, paces
from tournament.arena.scheduling.paces import paces_file, tell_paces
from tournament.arena.states import StateError, move_round
from tournament.arena.transitions import CompetitionState, RoundState, VersionState
from tournament.errors import TournamentError
from tournament.languages import gettext_noop

MOST_FAILURES: Final = 3
"""A round that failed so often without getting on is abandoned."""

MOST_ON_NO_CLUSTER: Final = 2
"""While rounds fail on the cluster, no further one is planned beside so many that wait."""

_PLAYED_IN = frozenset({CompetitionState.OPEN, CompetitionState.FROZEN})


@dataclass
class _Patience:
    failures: int = 0
    until: float = 0.0


@dataclass(frozen=True)
class _Unwritten:
    """What has ended, and could not be written."""

    work: Work
    failures: int
    until: float


class LaneRunner:
    """Does what one lane has to do."""

    def __init__(self, lane: Lane, desk: Desk, core: int | None, *, clock: ClockWatch) -> None:
        """Starts with nothing to do."""
        self.lane = lane
        self.work: Work | None = None
        self._desk = desk
        self._core = core
        self._clock = clock
        self._patience: dict[tuple[str, int], _Patience] = {}
        self._resting_until = 0.0
        self._failures_on_cluster = 0
        """In a row, whatever the round."""

        self._unwritten: list[_Unwritten] = []

    def settle(self, *, has_room: bool) -> None:
        """Ends what must not go on, and writes what has ended.

        What cannot be written, for want of room or because a file is damaged, is tried again later, and keeps the lane
        from nothing. Raises `DatabaseError`: the database is waited for.
        """
        for waiting in list(self._unwritten):
            if self._desk.steady() >= waiting.until:
                self._unwritten.remove(waiting)
                self._settle(waiting.work, failures=waiting.failures)
        work = self.work
        if work is None:
            return
        if work.child.is_alive:
            if work.child.is_stopping or _must_stop(work, has_room=has_room):
                work.child.stop()
            work.watch()
            return
        self._settle(work, failures=0)
        self.work = None
        work.competition.record.note(self.lane, work.kind, at=self._desk.steady(), seconds=work.seconds)

    def _settle(self, work: Work, *, failures: int) -> None:
        try:
            self._note(work, failed=work.settle())
        except StateError as error:  # a host was quicker
            self._desk.trouble(str(error), competition=work.competition.row)
        except DatabaseError:
            if work is not self.work:
                self._unwritten.append(_Unwritten(work, failures, self._desk.steady()))
            raise
        except Exception as error:  # also a mistake of ours: other rounds and checks go on
            until = self._desk.steady() + self._desk.wait_after(failures + 1)
            self._unwritten.append(_Unwritten(work, failures + 1, until))
            self._desk.trouble(
                f"What became of {work.name} cannot be written, which is tried again: {told_of(error)}",
                competition=work.competition.row,
            )

    def _note(self, work: Work, *, failed: bool) -> None:
        key = _key(work)
        if isinstance(work, RoundWork) and work.blames_cluster:
            self._note_cluster(work, failed=failed)
        if not failed:
            self._patience.pop(key, None)
            return
        if isinstance(work, RoundWork) and work.got_on:
            self._patience.pop(key, None)
        patience = self._wait(key)
        if isinstance(work, CheckWork) and patience.failures == FAILURES_TO_WAIT:
            self._desk.trouble(
                f"The machine failed {patience.failures} times at {work.name}, which waits behind all others from now "
                "on, and counts against nobody. Where others pass theirs, look at what was handed in: a final waits "
                "for it, too, unless you disqualify it.",
                competition=work.competition.row,
            )
        if isinstance(work, RoundWork) and not work.blames_cluster and patience.failures >= MOST_FAILURES:
            why = f"It failed {patience.failures} times at the same place; the troubles of that time say why."
            at = self._desk.now()
            move_round(work.row, RoundState.ABANDONED, folder=work.competition.folder, at=at, why=why)
            del self._patience[key]

    def _note_cluster(self, work: RoundWork, *, failed: bool) -> None:
        """Lets the lane rest where the cluster may be gone: any other round would fail there, too.

        It rests for less than that round, so that another one is tried before: the fault may be that of the round.
        """
        if not failed or work.got_on:
            self._failures_on_cluster = 0
        if failed:
            self._failures_on_cluster += 1
            self._resting_until = self._desk.steady() + self._desk.wait_after(self._failures_on_cluster) / 2

    def _wait(self, key: tuple[str, int]) -> _Patience:
        """Lets something that failed wait for a while, the longer the oftener it failed."""
        patience = self._patience.setdefault(key, _Patience())
        patience.failures += 1
        patience.until = self._desk.steady() + self._desk.wait_after(patience.failures)
        return patience

    def _failed_to_begin(self, competition: Competition, key: tuple[str, int], error: Exception) -> None:
        """Lets what could not be begun wait, so that all else goes on."""
        self._wait(key)
        competition.forget_entrants()
        what = {"round": "A round", "version": "A check"}.get(key[0], "What comes next")
        self._desk.trouble(f"{what} could not be begun, which is tried again: {error}", competition=competition.row)

    def _may_begin(self, kind: str, key: int) -> bool:
        patience = self._patience.get((kind, key))
        return patience is None or self._desk.steady() >= patience.until

    def _failures(self, kind: str, key: int) -> int:
        patience = self._patience.get((kind, key))
        return 0 if patience is None else patience.failures

    def begin(self, competitions: Sequence[Competition], known: dict[int, KnownCompetition]) -> bool:
        """Begins the next thing, if there is one; returns whether it has begun.

        `known` has by competition what planning was told since anything began; what is missing is added.
        """
        if self.work is not None or self._desk.steady() < self._resting_until:
            return False
        try:
            self.work = self._gone_on(competitions) or self._begun(competitions, known)
        except (TournamentError, OSError) as error:
            self._desk.trouble(f"The {self.lane} lane rests for a while: {error}")
            self._resting_until = self._desk.steady() + self._desk.patience_seconds
        if self.work is not None:
            known.clear()  # the other lane has to know of it
        return self.work is not None

    def _gone_on(self, competitions: Sequence[Competition]) -> Work | None:
        """Goes on with a round that was planned or interrupted; abandons one that may not go on."""
        for competition in competitions:
            row = competition.row
            for one in self._waiting().filter(competition=row).order_by("number"):
                is_challenge = one.kind == RoundKind.CHALLENGE
                why = self._why_abandoned(competition, one)
                if why is not None:
                    move_round(one, RoundState.ABANDONED, folder=competition.folder, at=self._desk.now(), why=why)
                elif self._may_begin("round", one.pk) and (is_challenge or row.state in _PLAYED_IN):
                    try:
                        return RoundWork(self._desk, competition, one, self._core)
                    except (TournamentError, OSError) as error:
                        self._failed_to_begin(competition, ("round", one.pk), error)
        return None

    def _waiting(self) -> QuerySet[RoundRow]:
        """Returns the rounds of the lane that were planned or interrupted."""
        states = (RoundState.PLANNED.value, RoundState.INTERRUPTED.value)
        return RoundRow.objects.filter(lane=self.lane.value, state__in=states)

    def _why_abandoned(self, competition: Competition, row: RoundRow) -> str | None:
        """Returns why a round that waits cannot go on any more; None when it can."""
        if row.number in competition.given_up:
            return competition.given_up[row.number]
        out = row.versions.filter(state=VersionState.DISQUALIFIED.value).select_related("bot").first()
        if out is not None:
            return f"{competition.name_of(out)} was disqualified."
        if row.kind == RoundKind.CHALLENGE:
            return None
        if competition.row.state == CompetitionState.CLOSED:
            return gettext_noop("The competition was closed before it was complete.")
        if row.season != competition.row.season:
            return gettext_noop("A new season began before it was complete.")
        return None

    def _begun(self, competitions: Sequence[Competition], known: dict[int, KnownCompetition]) -> Work | None:
        if self._failures_on_cluster and self._waiting().count() >= MOST_ON_NO_CLUSTER:
            return None
        now = self._desk.now()
        found: list[KnownCompetition] = []
        by_name: dict[str, Competition] = {}
        for competition in competitions:
            key = ("competition", competition.row.pk)
            if not self._may_begin(*key):
                continue
            try:
                if competition.row.pk not in known:
                    known[competition.row.pk] = self._known(competition)
                found.append(known[competition.row.pk])
                by_name[competition.row.name] = competition
            except (TournamentError, OSError) as error:
                self._failed_to_begin(competition, key, error)
        planned = next_quick(found) if self.lane is Lane.QUICK else next_long(found, now)
        if not isinstance(planned, PlannedCheck | PlannedRound):
            return None
        if self.lane is Lane.LONG:
            self._tell_paces(by_name, found, now)
        return self._work_of(by_name[planned.competition], planned)

    def _work_of(self, competition: Competition, planned: PlannedCheck | PlannedRound) -> Work | None:
        """Begins what was planned; None where that fails: it waits then, and nothing else does."""
        key = ("competition", competition.row.pk)
        try:
            if isinstance(planned, PlannedCheck):
                version = competition.received(planned.version)
                key = ("version", version.pk)
                return CheckWork(self._desk, competition, version, self._core)
            made = self._made(competition, planned)
            key = ("round", made.pk)
            return RoundWork(self._desk, competition, made, self._core)
        except (TournamentError, OSError) as error:
            self._failed_to_begin(competition, key, error)
        return None

    def _tell_paces(self, by_name: Mapping[str, Competition], known: Sequence[KnownCompetition], now: datetime) -> None:
        """Tells slow versions how much they play today."""
        told = paces(known, now)
        for competition in known:
            if competition.name in told:
                tell_paces(by_name[competition.name].folder, paces_file(competition, told[competition.name], made=now))

    def _known(self, competition: Competition) -> KnownCompetition:
        now = self._desk.now()
        return competition.known(
            now,
            clock=self._desk.steady(),
            rests=lambda version: not self._may_begin("version", version.pk),
            failures=lambda version: self._failures("version", version.pk),
            is_over=self._clock.is_over(competition.row),
        )

    def _made(self, competition: Competition, planned: PlannedRound) -> RoundRow:
        """Returns the row of a planned round; its folder is there first."""
        row, folder = competition.row, competition.folder
        row.refresh_from_db(fields=["rounds_made", "season"])
        left = folder.round(row.rounds_made + 1)
        if (left / ROUND_FILE).exists():  # the database failed once the folder was there
            return index_round(row, left)
        versions: Mapping[str, VersionFile] = competition.files_of(planned.entrants)
        asked_by = None
        if planned.challenge is not None:
            asked_by = Challenge.objects.select_related("asked_by").get(pk=planned.challenge).asked_by
        make_round(
            folder,
            planned,
            rules=competition.rules,
            house=competition.house,
            versions=versions,
            number=row.rounds_made + 1,
            season=row.season,
            environment=competition.environment.digest,
            at=self._desk.now(),
            asked_by=None if asked_by is None else asked_by.public_name,
        )
        return index_round(row, folder.round(row.rounds_made + 1))


def _must_stop(work: Work, *, has_room: bool) -> bool:
    try:
        return work.must_stop(has_room=has_room)
    except ObjectDoesNotExist:  # its row was taken away
        return True


def _key(work: Work) -> tuple[str, int]:
    if isinstance(work, RoundWork):
        return "round", work.row.pk
    assert isinstance(work, CheckWork), "a lane does nothing else"
    return "version", work.version.pk
