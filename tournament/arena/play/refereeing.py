"""The referee's work, a look at a time: dates, what has ended, ladders, and what is done next."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from django.db import DatabaseError, close_old_connections, connections

from tournament.arena.files import Lane
from tournament.arena.models import CompetitionRow
from tournament.arena.operating.leftovers import remove_leftovers
from tournament.arena.play.children import stop_all, wait_for
from tournament.arena.play.dates import ClockWatch, follow_dates, follow_environment
from tournament.arena.play.desk import Desk, told_of
from tournament.arena.play.knowing import Competition
from tournament.arena.play.ladders import LadderKeeper
from tournament.arena.play.lane_runner import LaneRunner
from tournament.arena.play.reconciling import reconcile, remove_old_uploads
from tournament.arena.scheduling.known import KnownCompetition
from tournament.arena.taking_part.leaving import remove_left_files
from tournament.errors import TournamentError

REMOVED_EVERY_SECONDS: Final = 3600.0
"""How often programs and logs are removed whose owners have left, and what processes that died were writing."""


class Refereeing:
    """Does what a referee does; its lock is held."""

    def __init__(self, desk: Desk, *, cores: tuple[int | None, int | None]) -> None:
        """Takes the cores of the quick and the long lane. Nothing is done before the first `tick`."""
        self._desk = desk
        self._clock = ClockWatch(desk)
        quick, long = (
            LaneRunner(lane, desk, core, clock=self._clock)
            for lane, core in zip((Lane.QUICK, Lane.LONG), cores, strict=True)
        )
        self.lanes = (quick, long)
        self._competitions: dict[int, Competition] = {}
        self._ladders = LadderKeeper(desk)
        self._why_no_database: str | None = None
        """What the database said when it did not answer; None while it does."""

        self._next_removal = 0.0
        remove_old_uploads(desk.folder.incoming)

    def tick(self) -> None:
        """Looks around once. A database that is away is waited for; what is played goes on meanwhile."""
        try:
            close_old_connections()
            self._look()
            if self._why_no_database is not None:
                why, self._why_no_database = self._why_no_database, None
                self._desk.say("The database is there again.")
                self._desk.trouble(f"For a while the database took nothing: {why}")
        except DatabaseError as error:
            connections.close_all()
            if self._why_no_database is None:
                self._why_no_database = self._failure(error)
                self._desk.say(f"The database does not answer, and is waited for: {self._why_no_database}".strip())
        except (TournamentError, OSError) as error:
            self._say_trouble(str(error))
        except Exception as error:  # one mistake of ours must not end a competition of weeks
            told = "".join(traceback.format_exception(error))
            self._say_trouble(f"A mistake of this program; report it. {told}")

    def _look(self) -> None:
        self._desk.tell_hosts()
        competitions = self._present()
        if self._clock.is_believed():
            for competition in competitions:
                with self._apart(competition.row):
                    follow_dates(competition, self._desk)
        if self._desk.steady() >= self._next_removal:
            self._next_removal = self._desk.steady() + REMOVED_EVERY_SECONDS
            remove_left_files()
            remove_leftovers(self._desk.folder)
        has_room = self._desk.has_room()
        for lane in self.lanes:
            lane.settle(has_room=has_room)
        for competition in competitions:
            with self._apart(competition.row):
                self._ladders.keep(competition)
        if has_room:
            known: dict[int, KnownCompetition] = {}
            for lane in self.lanes:  # the quick one first: it alone knows which checks rest
                lane.begin(competitions, known)

    def _present(self) -> Sequence[Competition]:
        """Returns the competitions whose rules can be read, as they are now; a new one is put right first."""
        found = []
        for row in CompetitionRow.objects.order_by("pk"):
            with self._apart(row):
                known = self._competitions.get(row.pk)
                if known is None:
                    known = Competition(row, self._desk.folder.competition(row.name))
                    reconcile(known, self._desk)
                    self._competitions[row.pk] = known
                else:
                    known.row = row
                    known.read_rules()
                    known.read_acts()
                follow_environment(known, self._desk)
                found.append(known)
        return found

    @contextmanager
    def _apart(self, row: CompetitionRow) -> Iterator[None]:
        """Keeps what is wrong with one competition from all others; its hosts are told."""
        try:
            yield
        except DatabaseError:
            raise
        except Exception as error:
            self._desk.trouble(f"It does not go on as it should: {told_of(error)}", competition=row)

    def _say_trouble(self, text: str) -> None:
        """Tells trouble; where the database cannot take it either, hosts read it later."""
        with suppress(DatabaseError):
            self._desk.trouble(text)

    def _failure(self, error: DatabaseError) -> str:
        return self._desk.folder.database_failure(str(error).strip())

    def wait(self, seconds: float) -> None:
        """Waits until something that is done has ended, or for so many seconds."""
        wait_for(
            [lane.work.child for lane in self.lanes if lane.work is not None and lane.work.child.is_alive], seconds
        )

    def end(self) -> None:
        """Stops what is under way, and writes how far it is. What cannot be written is put right at the next start."""
        stop_all([lane.work.child for lane in self.lanes if lane.work is not None])
        for lane in self.lanes:
            try:
                lane.settle(has_room=True)
            except (DatabaseError, TournamentError, OSError) as error:
                why = self._failure(error) if isinstance(error, DatabaseError) else error
                self._desk.say(f"Not all could be written, which is put right at the next start: {why}")
        for competition in self._competitions.values():
            try:
                self._ladders.keep(competition, at_once=True)
            except DatabaseError as error:
                self._desk.say(f"The ladder is made at the next start: {self._failure(error)}")
        connections.close_all()
