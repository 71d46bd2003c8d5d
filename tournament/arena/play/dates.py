"""What nobody asks for but dates and this machine: competitions open and close, seasons begin, clocks are moved."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from tournament.arena.acts import ACT_OF_STATE, append_act
from tournament.arena.files import ActKind, HostAct, format_moment
from tournament.arena.models import Announcement, CompetitionRow, RoundRow
from tournament.arena.play.desk import Desk
from tournament.arena.play.knowing import Competition
from tournament.arena.season.beginning import move_season
from tournament.arena.states import locked, move_competition
from tournament.arena.transitions import CompetitionState, RoundState

REFEREE: Final = "the referee"
"""Who acts in `acts.jsonl` where a date does."""

JUMP_SECONDS: Final = 30.0
"""A clock that differs by more from what it should say was moved, or the machine slept."""

DISTRUST_SECONDS: Final = 300.0
"""So long no date is acted on after that."""

GOES_ON: Final = (RoundState.PLANNED.value, RoundState.PLAYING.value, RoundState.INTERRUPTED.value)

_MAY_CHANGE: Final = (CompetitionState.OPEN.value, CompetitionState.PAUSED.value, CompetitionState.FROZEN.value)


class ClockWatch:
    """Compares the clock of this machine with seconds that only go on."""

    def __init__(self, desk: Desk) -> None:
        """Believes the clock as it is now."""
        self._desk = desk
        self._difference = self._differs()
        self._believed_from = desk.steady()

    def _differs(self) -> float:
        return self._desk.now().timestamp() - self._desk.steady()

    def is_believed(self) -> bool:
        """Returns whether dates may be acted on; trouble is told when the clock has been moved."""
        moved = self._differs() - self._difference
        if abs(moved) > JUMP_SECONDS:
            self._difference += moved
            self._believed_from = self._desk.steady() + DISTRUST_SECONDS
            way = "forward" if moved > 0 else "back"
            self._desk.trouble(
                f"The clock of this machine went {way} by {abs(moved):.0f} s at once, or the machine slept. Dates of "
                f"competitions are not acted on for {DISTRUST_SECONDS / 60:.0f} minutes: set the clock right by then."
            )
        return self._desk.steady() >= self._believed_from

    def is_over(self, row: CompetitionRow) -> bool:
        """Returns whether the date has come at which a competition closes, after which no round is begun.

        A clock that is not believed ends nothing: it may be a day ahead.
        """
        return _has_come(row.closes, self._desk.now()) and self.is_believed()


def _has_come(date: datetime | None, now: datetime) -> bool:
    return date is not None and date <= now


def follow_dates(competition: Competition, desk: Desk) -> None:
    """Opens, freezes and closes a competition whose date has come; what is being played is played to its end first."""
    row, now = competition.row, desk.now()
    state = CompetitionState(row.state)
    if state is CompetitionState.DRAFT and _has_come(row.opens, now):
        state = _act(competition, CompetitionState.OPEN, now)
    if state in (CompetitionState.OPEN, CompetitionState.PAUSED) and _has_come(row.freezes, now):
        state = _act(competition, CompetitionState.FROZEN, now)
    if state in (CompetitionState.DRAFT, CompetitionState.CLOSED) or not _has_come(row.closes, now):
        return
    if not RoundRow.objects.filter(competition=row, state__in=GOES_ON).exists():
        _act(competition, CompetitionState.CLOSED, now)


def _act(competition: Competition, after: CompetitionState, now: datetime) -> CompetitionState:
    """Returns the state after an act of the referee: that of a host, where one was quicker."""
    row, folder = competition.row, competition.folder
    with locked(folder.path):  # as hosts do, or an act would stand behind one that it may not follow
        before = row.state
        row.refresh_from_db()
        if row.state == before:
            kind = ACT_OF_STATE[after]
            append_act(folder, HostAct(at=format_moment(now), by=REFEREE, kind=kind, text="Its date has come."))
            move_competition(row, after)
    return CompetitionState(row.state)


def follow_environment(competition: Competition, desk: Desk) -> None:
    """Begins a new season where this program, Python, the rules of a game or a package of bots has another version.

    A frozen competition keeps its season, which its final is about, and hosts are told. Raises `ConfigurationError` for
    a package that is not installed.
    """
    row = competition.row
    if row.state not in _MAY_CHANGE or not _has_changed(competition):
        return
    with locked(competition.folder.path):  # a host may be changing the rules just now
        row.refresh_from_db()
        competition.read_rules()
        if row.state not in _MAY_CHANGE or not _has_changed(competition):
            return
        environment = competition.environment
        if row.state == CompetitionState.FROZEN:
            if competition.told_of_environment != environment.digest:
                competition.told_of_environment = environment.digest
                desk.trouble(
                    f"What is played with has changed to {environment.words()}. It is frozen, so its season goes on. "
                    "Install what its season began with, or open it again for a new season.",
                    competition=row,
                )
            return
        season, now = row.season + 1, desk.now()
        told = (
            f"Season {season} begins, in which nothing played so far counts. It is played with {environment.words()}."
        )
        # Whoever is killed in between says it once more; nobody begins a season without a word.
        for kind in (ActKind.ANNOUNCE, ActKind.SEASON):
            append_act(competition.folder, HostAct(at=format_moment(now), by=REFEREE, kind=kind, text=told))
        Announcement.objects.create(competition=row, at=now, text=told)
        move_season(row, season)
    desk.say(f"{row.name}: {told}")


def _has_changed(competition: Competition) -> bool:
    began = competition.environment_of_season()
    return began is not None and began != competition.environment.digest
