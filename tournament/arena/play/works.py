"""What a lane is doing: a check or a round, in a process of its own, and what is written when it has ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime
from typing import Final

from tournament.arena.acts import Disqualified, read_acts
from tournament.arena.checks.check_steps import CheckOutcome
from tournament.arena.checks.checking import CheckResult, most_seconds
from tournament.arena.files import ChangeReason, Lane, ReasonKind, RoundKind
from tournament.arena.folder import CompetitionFolder
from tournament.arena.models import RoundRow, VersionRow
from tournament.arena.play.checks import run_check
from tournament.arena.play.children import LaneProcess, ProcessEnding, ProcessOutcome
from tournament.arena.play.desk import Desk
from tournament.arena.play.knowing import Competition
from tournament.arena.play.rounds import play_round
from tournament.arena.play.tallies import COUNTING, RoundTally, run_in
from tournament.arena.scheduling.known import WITHDRAWALS_TO_PARK
from tournament.arena.states import StateError, activate, follow_version, move_round, move_version
from tournament.arena.transitions import CompetitionState, RoundState, VersionState
from tournament.languages import gettext_noop
from tournament.records.results import RESULTS_FILE
from tournament.records.run import RunInfo

# Kept in English, and shown in the language of who reads them.
WAITS_AGAIN: Final = gettext_noop("It waits again.")
MACHINE_FAILED: Final = gettext_noop("The machine failed while it was checked. It is checked again.")
ONLY_CHECKED: Final = gettext_noop("It was only to be checked.")

LATE_SECONDS: Final = 60.0
"""A check ends itself in time; one that is so much later than that is ended."""

STALLED_SECONDS: Final = 120.0
"""A round on a cluster that has not got on for so long is told: its workers may be gone, and it waits for others."""

_ENDED: Final = (RoundState.COMPLETE.value, RoundState.ABANDONED.value)


class Work(ABC):
    """One check or one round."""

    def __init__(self, desk: Desk, competition: Competition, lane: Lane, child: LaneProcess) -> None:
        """Takes the process that does it."""
        self.competition = competition
        self.lane = lane
        self.child = child
        self._desk = desk
        self._begun = desk.steady()

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return self._desk.steady() - self._begun

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called where hosts are told of it."""

    @property
    @abstractmethod
    def kind(self) -> RoundKind | None:
        """The kind of the round; None for a check."""

    @abstractmethod
    def must_stop(self, *, has_room: bool) -> bool:
        """Returns whether it must not go on, by what hosts did meanwhile."""

    def watch(self) -> None:  # noqa: B027 (most has nothing to tell)
        """Tells hosts if it does not get on; called again and again while its process lives."""

    @abstractmethod
    def settle(self) -> bool:
        """Writes what became of it, once its process has ended; returns whether it failed by the machine's fault."""


class CheckWork(Work):
    """The check of a version."""

    def __init__(self, desk: Desk, competition: Competition, version: VersionRow, core: int | None) -> None:
        """Begins the check of a version that was received. Raises `StateError`, `RunError`."""
        self.version = version
        folder = competition.folder
        move_version(version, VersionState.CHECKING, folder=folder, at=desk.now())
        try:
            child = LaneProcess(run_check, folder.path, version.bot.name, version.number, core=core, kept=desk.kept)
        except OSError:  # such as for want of memory
            move_version(version, VersionState.RECEIVED, folder=folder, at=desk.now(), why=WAITS_AGAIN)
            raise
        super().__init__(desk, competition, Lane.QUICK, child)
        self._most_seconds = most_seconds(competition.rules) + LATE_SECONDS

    @property
    def name(self) -> str:
        """The check of a version."""
        return f"the check of {self.competition.name_of(self.version)}"

    @property
    def kind(self) -> None:
        """None: it is no round."""
        return

    def must_stop(self, *, has_room: bool) -> bool:
        """Returns whether the version was disqualified, or the check takes too long, or the disk is full."""
        self.version.refresh_from_db(fields=["state"])
        return not has_room or self.version.state != VersionState.CHECKING or self.seconds > self._most_seconds

    def settle(self) -> bool:
        """Accepts or refuses the version, or puts it back where the machine failed."""
        ending, folder, at = self.child.ending(), self.competition.folder, self._desk.now()
        self.version.refresh_from_db()
        file = self.competition.file_of(self.version)
        if file.state is not VersionState.CHECKING:  # disqualified meanwhile, or written when the database was away
            follow_version(self.version, file)
            if file.state is VersionState.ACCEPTED:
                settle_accepted(self.version, folder=folder, at=at)
            return False
        found = ending.answer if isinstance(ending.answer, CheckResult) else None
        if found is not None and found.outcome is not CheckOutcome.PUT_BACK:
            settle_check(self.version, found, folder=folder, at=at)
            return False
        trouble = ending.text if found is None else found.trouble
        is_failure = bool(trouble) or self.seconds > self._most_seconds
        why = MACHINE_FAILED if is_failure else WAITS_AGAIN
        move_version(self.version, VersionState.RECEIVED, folder=folder, at=at, why=why, machine_failed=is_failure)
        if is_failure:
            text = trouble or f"It took longer than {self._most_seconds:.0f} s."
            self._desk.trouble(
                f"The check of {self.competition.name_of(self.version)} failed, and is done again: {text}",
                competition=self.competition.row,
            )
        return is_failure


class RoundWork(Work):
    """The play of a round."""

    def __init__(self, desk: Desk, competition: Competition, row: RoundRow, core: int | None) -> None:
        """Begins a round that was planned, or goes on with one. Raises `StateError`, `RunError`."""
        self.row = row
        lane = Lane(row.lane)
        self._cluster = desk.cluster if lane is Lane.LONG else None
        self._games_before = _games_written(competition, row.number)
        folder = competition.folder
        move_round(row, RoundState.PLAYING, folder=folder, at=desk.now())
        try:
            child = LaneProcess(play_round, folder.path, row.number, self._cluster, core=core, kept=desk.kept)
        except OSError:
            move_round(row, RoundState.INTERRUPTED, folder=folder, at=desk.now())
            raise
        super().__init__(desk, competition, lane, child)
        self._why_abandoned = ""
        self._games_seen = self._games_before
        self._got_on_at = self._begun

    @property
    def name(self) -> str:
        """The round by its number."""
        return f"round {self.row.number}"

    @property
    def kind(self) -> RoundKind:
        """The kind of the round."""
        return RoundKind(self.row.kind)

    def must_stop(self, *, has_room: bool) -> bool:
        """Returns whether somebody in it was disqualified, or its competition pauses, or the disk is full."""
        self.row.refresh_from_db(fields=["state"])
        out = self.row.versions.filter(state=VersionState.DISQUALIFIED.value).select_related("bot").first()
        if out is not None:
            self._why_abandoned = f"{self.competition.name_of(out)} was disqualified."
        given_up = self.competition.given_up.get(self.row.number)
        if given_up is not None:
            self._why_abandoned = given_up
        is_paused = self.competition.row.state == CompetitionState.PAUSED
        return bool(self._why_abandoned) or is_paused or not has_room or self.row.state in _ENDED

    def settle(self) -> bool:
        """Writes how the round ended, and what follows for its versions."""
        ending, at = self.child.ending(), self._desk.now()
        self.row.refresh_from_db()
        if self.row.state in _ENDED:  # a host abandoned it
            return False
        if settle_round(self.competition, self.row, at=at):
            return False
        folder = self.competition.folder
        follow_start(self.competition, self.row)
        if self._why_abandoned:
            move_round(self.row, RoundState.ABANDONED, folder=folder, at=at, why=self._why_abandoned)
            return False
        move_round(self.row, RoundState.INTERRUPTED, folder=folder, at=at)
        if ending.outcome is ProcessOutcome.STOPPED:
            return False
        self._tell(ending)
        return True

    def watch(self) -> None:
        """Tells hosts if it does not get on on the cluster, where it waits for workers as long as it must."""
        if self._cluster is None:
            return
        written, now = _games_written(self.competition, self.row.number), self._desk.steady()
        if written != self._games_seen:
            self._games_seen, self._got_on_at = written, now
        elif now >= self._got_on_at + STALLED_SECONDS:
            self._got_on_at = now
            self._desk.trouble(
                f"Round {self.row.number} has not got on for {STALLED_SECONDS / 60:.0f} minutes on the cluster "
                f"{self._cluster}, and waits. See whether its workers are there. To play on this machine, take "
                "`cluster` out of arena.yaml and start the referee again.",
                competition=self.competition.row,
            )

    @property
    def got_on(self) -> bool:
        """Whether more of it is written than before."""
        return _games_written(self.competition, self.row.number) > self._games_before

    def _tell(self, ending: ProcessEnding) -> None:
        where = "" if self._cluster is None else f" on the cluster {self._cluster}"
        text = ending.text or "It ended before it was complete."
        self._desk.trouble(
            f"Round {self.row.number} cannot go on for now{where}, and is tried again: {text}",
            competition=self.competition.row,
        )

    @property
    def blames_cluster(self) -> bool:
        """Whether it is played elsewhere, so that its failure says nothing of the round."""
        return self._cluster is not None


def _games_written(competition: Competition, number: int) -> int:
    path = competition.folder.round(number) / RESULTS_FILE
    return path.stat().st_size if path.exists() else 0


def follow_start(competition: Competition, row: RoundRow) -> RunInfo | None:
    """Returns what `run.json` of a round says, by which its row says when it was begun; None before its first game."""
    info = run_in(competition.folder.round(row.number))
    started = None if info is None else datetime.fromisoformat(info.started)
    if row.started != started:
        RoundRow.objects.filter(pk=row.pk).update(started=started)
        row.started = started
    return info


def settle_round(competition: Competition, row: RoundRow, *, at: datetime) -> bool:
    """Writes what follows from a round if its run is complete; returns whether it is.

    All of it can be done again by whoever finds it half done.
    """
    tally = competition.tallies.add(row.number)
    if tally is None:
        return False
    _settle_versions(competition, tally, at=at)
    info = follow_start(competition, row)
    if info is not None and info.finished is not None:
        at = datetime.fromisoformat(info.finished)
    if row.state == RoundState.INTERRUPTED:
        move_round(row, RoundState.PLAYING, folder=competition.folder, at=at)
    move_round(row, RoundState.COMPLETE, folder=competition.folder, at=at, games=tally.games)
    return True


def _settle_versions(competition: Competition, tally: RoundTally, *, at: datetime) -> None:
    """Notes whose placement is complete, and parks who was withdrawn again."""
    file = competition.file_of_round(tally.number)
    rows = VersionRow.objects.filter(bot__competition=competition.row).select_related("bot")
    for one in file.entrants:
        if one.number is None:
            continue
        version = rows.get(bot__name=one.bot, number=one.number)
        if one.name in tally.placed and not version.placed:
            rows.filter(pk=version.pk).update(placed=True)
        is_of_season = tally.kind in COUNTING and tally.season == competition.row.season
        if not is_of_season or one.name not in tally.withdrawn:
            continue
        withdrawals = competition.tallies.withdrawals(one.name, season=tally.season, since=version.changed)
        if withdrawals >= WITHDRAWALS_TO_PARK and version.state == VersionState.ACTIVE:
            why = ChangeReason(kind=ReasonKind.WITHDRAWN, number=withdrawals)
            try:
                move_version(version, VersionState.PARKED, folder=competition.folder, at=at, why=why)
            except StateError:
                continue  # its owner or a host was quicker


def settle_check(version: VersionRow, verdict: CheckResult, *, folder: CompetitionFolder, at: datetime) -> None:
    """Writes what a check found, and lets the version play if it was accepted. Raises `StateError`, `RunError`."""
    found = {name: value for name in ("digest", "spec") if (value := getattr(verdict, name)) is not None}
    if verdict.outcome is not CheckOutcome.ACCEPTED:
        move_version(version, VersionState.REFUSED, folder=folder, at=at, why=verdict.why or "", **found)
        return
    move_version(version, VersionState.ACCEPTED, folder=folder, at=at, **found)
    settle_accepted(version, folder=folder, at=at)


def settle_accepted(version: VersionRow, *, folder: CompetitionFolder, at: datetime) -> None:
    """Lets an accepted version play for its bot.

    Where the bot had the same program before, that version plays again, with its games; a program that was disqualified
    stays so. A version that was only to be checked is retired, and so is one whose check ended after that of a later
    version, which goes on playing.
    """
    reason = Disqualified(read_acts(folder)).reason(version.bot.name, version.number)
    if reason is not None:
        move_version(version, VersionState.DISQUALIFIED, folder=folder, at=at, why=reason)
        return
    if version.check_only:
        move_version(version, VersionState.RETIRED, folder=folder, at=at, why=ONLY_CHECKED)
        return
    same = VersionRow.objects.filter(bot=version.bot, digest=version.digest, number__lt=version.number)
    same = same.exclude(digest="").exclude(check_only=True).select_related("bot").order_by("number")
    out = same.filter(state=VersionState.DISQUALIFIED.value).first()
    if out is not None:
        same_out = ChangeReason(kind=ReasonKind.SAME_AS_DISQUALIFIED, number=out.number)
        move_version(version, VersionState.DISQUALIFIED, folder=folder, at=at, why=same_out)
        return
    playing = VersionRow.objects.filter(bot=version.bot, state=VersionState.ACTIVE.value)
    later = playing.filter(number__gt=version.number).first()
    if later is not None:  # the machine failed at this check at first, or a host let it be done again
        overtaken = ChangeReason(kind=ReasonKind.LATER_PLAYS, number=later.number)
        move_version(version, VersionState.RETIRED, folder=folder, at=at, why=overtaken)
        return
    states = (VersionState.ACTIVE, VersionState.RETIRED, VersionState.PARKED)
    former = same.filter(state__in=[state.value for state in states]).first()
    if former is None:
        activate(version, folder=folder, at=at)
        return
    again = ChangeReason(kind=ReasonKind.HANDED_IN_AGAIN, number=version.number)
    activate(former, folder=folder, at=at, why=again)
    same_program = ChangeReason(kind=ReasonKind.SAME_AS_FORMER, number=former.number)
    move_version(version, VersionState.RETIRED, folder=folder, at=at, why=same_program)
