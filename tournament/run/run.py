"""A run, which is begun, played, extended and ranked; one place holds its lock, its crew and its writer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from msgspec.structs import replace

from tournament.configuration.checking import check_size, check_suite
from tournament.configuration.resolving import Configuration
from tournament.configuration.rules import seed_problem
from tournament.configuration.types import Budget
from tournament.deals import draw_master, draw_salt
from tournament.errors import ConfigurationError, RunError, UsageError
from tournament.players.base import Interrupts
from tournament.ranking.results import results_of_run
from tournament.ranking.sources import read_sources, standings_file
from tournament.records.codec import AnyRecord
from tournament.records.run import Field, Format, RunInfo, RunState
from tournament.records.standings import Standings
from tournament.run.budgets import Beginning, fields_of, format_of
from tournament.run.crews import workers_at_once
from tournament.run.describing import run_info, segment_info, with_disqualified, with_reinstated
from tournament.run.growth import (
    check_can_grow,
    check_can_have_final,
    fields_of_all,
    fields_of_final,
    fields_with_newcomer,
    with_bots,
    with_newcomer,
)
from tournament.run.listeners import Observer, Observers
from tournament.run.planning import format_cannot_start, who_cannot_start
from tournament.run.resuming import (
    build_again,
    note_complete,
    note_unasked,
    note_waiting,
    open_run,
    replace_changed,
    secret_of,
    sudden_end,
    with_new_entrants,
)
from tournament.run.segment import SegmentPlay
from tournament.run.workers import crew_of
from tournament.store.files import RunLock
from tournament.store.folder import Secret, begin_folder, make_free_folder, read_run, remove_secrets
from tournament.store.layout import RUN_FILE
from tournament.store.reader import read_records
from tournament.store.results import read_results
from tournament.store.writer import RunWriter
from tournament.text import each, format_command, option


class Run:
    """A tournament in its folder.

    `Run.begin` makes a new one and `Run.open` takes one that is there; `play` plays what is left of it. All that a run
    is stands in its folder, so any number of `Run` objects may be made for it; only one of them plays at a time.
    """

    def __init__(
        self,
        folder: Path,
        *,
        workers: int | None = None,
        cluster: str | None = None,
        observer: Observer | None = None,
        beginning: Beginning | None = None,
    ) -> None:
        """Takes a folder; use `begin` or `open`."""
        self.folder = folder
        self._workers = workers
        self._cluster = cluster
        self._observer: Observer = observer or Observers()
        self._beginning = beginning

    @classmethod
    def begin(
        cls,
        configuration: Configuration | str | Path | None = None,
        folder: str | Path | None = None,
        *,
        cluster: str | None = None,
        observer: Observer | None = None,
    ) -> Run:
        """Returns a new run, of which nothing has been played; its folder is made.

        `configuration` is the path of a file, or what `Configuration.from_flags` made; left out, four example bots play
        both games. Bots that have a `build` are built, unless it is a `Configuration`. `folder` must be empty or
        not there, and is `records/NAME` by default. `cluster` is the address of a Dask scheduler that plays instead
        of this machine, or `local`. The observer is told of everything that happens. Nothing is written before
        `play`, which loads the bots first. A budget in minutes is measured here, about a second a group. Raises
        `ConfigurationError`, `BotError`, `RunError`.
        """
        if not isinstance(configuration, Configuration):
            configuration = Configuration.from_flags(configuration, say=(observer or Observers()).note)
        fields = fields_of(configuration, cluster=cluster)
        check_suite(configuration, fields)
        place = make_free_folder(configuration.name) if folder is None else Path(folder)
        begin_folder(place).release()  # before bots are loaded: a run that is there already is told at once
        return cls(place, cluster=cluster, observer=observer, beginning=Beginning(configuration, fields))

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        workers: int | None = None,
        cluster: str | None = None,
        observer: Observer | None = None,
    ) -> Run:
        """Returns the run in a folder, for whatever is to be done with it.

        `workers` play in place of as many as before, or the workers of `cluster`; see `begin`. Raises `RunError` for a
        folder without a run, and for a run that this version cannot read.
        """
        place = Path(folder)
        if not (place / RUN_FILE).exists():
            RunLock(place).release()  # a run that another process is just beginning is told as such
        read_run(place)
        return cls(place, workers=workers, cluster=cluster, observer=observer)

    def __fspath__(self) -> str:
        """Returns the folder, so that a run can be given wherever the path of one is asked for."""
        return str(self.folder)

    def __repr__(self) -> str:
        """Returns how the run is opened again."""
        return f"Run.open({str(self.folder)!r})"

    @property
    def info(self) -> RunInfo:
        """What `run.json` says now: the state, the groups, the entrants and the segments. Raises `RunError`."""
        return read_run(self.folder)

    def build(self) -> None:
        """Builds the bots of the run as its configuration says; the observer is told each command first.

        The configuration may be a stranger's, and its commands run with your rights: read it first. Raises
        `RunError`, `BotError`.
        """
        build_again(self.folder, say=self._observer.note)

    def play(self, *, accept_changes: bool = False, play_again: bool = False) -> None:
        """Plays what is left of the run; of a complete one nothing is.

        After an interruption it goes on where it was: a torn or half block at the end is dropped and played again.
        `accept_changes`: a bot whose fingerprint changed goes on as a new entrant. `play_again`: games are played
        again whose results are there, but whose records are lost or damaged, or stand behind damage. Raises
        `RunError` that names the difference when configuration, rules or a bot changed, or when another process plays
        the run; `BotError` for bots that do not load, after which a run that was just begun is gone; `Interrupted`
        when the user stops it.
        """
        beginning, self._beginning = self._beginning, None
        with (
            self._resuming(accept_changes=accept_changes, play_again=play_again)
            if beginning is None
            else self._starting(beginning)
        ) as segment:
            if segment is not None:
                segment.play()

    def extend(
        self,
        *,
        budget: Budget | None = None,
        add: Sequence[str] = (),
        seed: str | None = None,
        accept_changes: bool = False,
    ) -> None:
        """Plays more of a complete run.

        With `add` (specs of bots, relative to the current folder) each new bot in turn plays tables with all others,
        by default as much as they played; without, all play as much again as `budget` says. Every such part
        is a segment with a master and a commitment of its own; `seed` is that master, drawn when left out.
        `accept_changes`: a bot whose fingerprint changed plays as a new entrant. Raises `RunError` for a run that is
        not complete, that has changed, or that is a knockout, and for a bot that plays none of its games, before
        anything is played; `UsageError` without anything to do.
        """
        add = each(add)
        if not add and budget is None:
            more = option("--deals 50, --games 1000, or --add bots/new.py", "budget=Budget(deals=50), or add=[BOT]")
            raise UsageError(f"Say by what the run is to grow: {more}.")
        with RunLock(self.folder):
            opened = open_run(self.folder, observer=self._observer)
            check_can_grow(self.folder, opened.info)
            opened.changes.refuse(self.folder, accept_changes=accept_changes, accept_new=True)
            info, configuration = opened.info, opened.configuration
            if opened.changes.bots:
                info, configuration, _ = with_new_entrants(info, configuration, opened.changes)
            if not add:
                assert budget is not None, "checked above"
                fields = fields_of_all(info, configuration, budget, workers=self._at_once(info))
                self._play_more(info, configuration, fields, seed=seed)
                return
            configuration, new, unasked = with_bots(self.folder, info, add)
            note_unasked(unasked, self._observer)
            for entrant in new:
                fields = fields_with_newcomer(
                    self.folder, info, configuration, entrant.name, budget=budget, workers=self._at_once(info)
                )
                info = with_newcomer(info, configuration, entrant)
                self._play_more(info, configuration, fields, seed=seed)
                configuration = configuration._replace(notices=())  # they are told once
                info = open_run(self.folder, observer=self._observer).info

    def final(self, *, budget: Budget | None = None, seed: str | None = None, again: bool = False) -> int:
        """Plays a final as a new segment of a complete run and returns its number, to rank on it alone.

        Finalists are those who may be first in the championship, or in the only group: nobody is claimed to be
        better. They play every group that has enough of them for a table, by default on as many deals as the run had.
        `seed` is the master of the segment, drawn when left out. Raises `RunError` for a run that is not complete, that
        has changed, or that has had its final already, unless `again` is given, and when there is nothing to decide, or
        no table of finalists.
        """
        with RunLock(self.folder):
            opened = open_run(self.folder, observer=self._observer)
            info, configuration = opened.info, opened.configuration
            check_can_have_final(self.folder, info, again=again)
            opened.changes.refuse(
                self.folder,
                accept_new=True,
                advice="let each in as a new entrant first: "
                + format_command("extend", self.folder, "--deals", 50, "--accept-changes"),
            )
            fields = fields_of_final(
                self.folder, info, configuration, budget, workers=self._at_once(info), say=self._observer.note
            )
            self._play_more(info, configuration, fields, seed=seed, final=True)
            return len(info.segments)

    def disqualify(self, entrant: str, *, reason: str) -> None:
        """Takes an entrant out of the run after it was played: no block with it counts, and its records stay.

        The standings are written again. Raises `BotError` for an entrant that takes no part, `UsageError` without a
        reason of at most 500 characters, `RunError` when it is out already, when no game would be left, or while
        another process plays the run.
        """
        with RunLock(self.folder):
            self._write_disqualified(with_disqualified(read_run(self.folder), entrant, reason=reason))

    def reinstate(self, entrant: str) -> None:
        """Takes a disqualified entrant back in; the standings are written again.

        Raises `BotError` for an entrant that takes no part, `RunError` when it is not disqualified or while another
        process plays the run.
        """
        with RunLock(self.folder):
            self._write_disqualified(with_reinstated(read_run(self.folder), entrant, folder=self.folder))

    def records(self) -> Iterator[AnyRecord]:
        """Yields the records of the games in the order in which they were played. Raises `RecordError`."""
        return read_records(self.folder)

    def standings(self, *, weights: Mapping[str, float] | None = None, segment: int | None = None) -> Standings:
        """Returns the standings, of a run that goes on as well, where they are marked as interim.

        `weights` are the shares of the games in the championship, in place of those of the run; with `segment` those of
        one segment alone, such as a final. Raises as `tournament.standings` does. Cost: reads all results.
        """
        return read_sources([self.folder], segment=segment).standings(weights=weights)

    @contextmanager
    def _starting(self, beginning: Beginning) -> Iterator[SegmentPlay]:
        """Yields the first segment of a new run, ready to play; the run is gone when its bots do not load."""
        configuration, fields = beginning
        with begin_folder(self.folder):
            secret = None if configuration.suite is not None else Secret(master=configuration.master, salt=draw_salt())
            segment = segment_info(
                fields,
                number=0,
                format=configuration.schedule,
                secret=secret,
                suite=configuration.suite,
                deals=configuration.budget.deals if configuration.schedule is Format.KNOCKOUT else None,
            )
            info = run_info(configuration, segment, folder=self.folder)
            with self._playing(info, configuration, secret, begins=True) as play:
                yield play

    @contextmanager
    def _resuming(self, *, accept_changes: bool, play_again: bool) -> Iterator[SegmentPlay | None]:
        """Yields what is left of the run, ready to play; None when it is complete."""
        folder, observer = self.folder, self._observer
        with RunLock(folder):
            opened = open_run(folder, observer=observer, play_again=play_again)
            info, configuration = opened.info, opened.configuration
            if info.state is RunState.COMPLETE:
                remove_secrets(folder)  # its runner may have been killed right before it did
                note_complete(folder, info, observer)
                yield None
            else:
                # An extension by several bots lets in one after the other: the rest waits in the configuration.
                opened.changes.refuse(folder, accept_changes=accept_changes, accept_new=info.segments[-1].number > 0)
                if opened.changes.bots:
                    info, configuration = replace_changed(folder, info, configuration, opened.changes)
                    if info.decision is not None:
                        observer.note(info.decision.text)
                secret = secret_of(folder, info.segments[-1])
                with self._playing(info, configuration, secret) as play:
                    if info.state is RunState.RUNNING and (block := play.look_ahead()) is not None:
                        observer.note(sudden_end(block, info.isolation))
                    yield play
            note_waiting(opened, folder, observer)

    def _play_more(
        self,
        info: RunInfo,
        configuration: Configuration,
        fields: tuple[Field, ...],
        *,
        seed: str | None,
        final: bool = False,
    ) -> None:
        """Plays fields as a new segment, whose master is `seed` or drawn; `final`: one that is ranked alone.

        Raises `ConfigurationError` when they have more blocks than can be played at once, and for a bad seed.
        """
        if seed is not None and (problem := seed_problem(seed)) is not None:
            raise ConfigurationError(f"seed: {problem}")
        check_size(fields)
        secret = Secret(master=draw_master() if seed is None else seed, salt=draw_salt())
        segment = segment_info(fields, number=len(info.segments), format=format_of(fields), secret=secret, final=final)
        info = replace(info, state=RunState.RUNNING, segments=(*info.segments, segment), finished=None)
        with self._playing(info, configuration, secret, begins=True) as play:
            play.play()

    @contextmanager
    def _playing(
        self,
        info: RunInfo,
        configuration: Configuration,
        secret: Secret | None,
        *,
        begins: bool = False,
    ) -> Iterator[SegmentPlay]:
        """Yields the last segment of a run, ready to play: loads the bots first, and lets go of them afterwards.

        The lock on the folder is held. `begins`: it is written now. A new run is gone when its bots do not load.
        """
        is_new = begins and not info.segments[-1].number
        for notice in configuration.notices:
            self._observer.note(notice)
        interrupts = Interrupts()
        with ExitStack() as crews:
            try:
                crew = crew_of(
                    configuration,
                    folder=self.folder,
                    workers=self._workers_of(info),
                    cluster=self._cluster,
                    interrupts=interrupts,
                    note=self._observer.note,
                )
                crews.callback(crew.close, at_once=True)
                if is_new and self._cluster is None:  # else bots play, and are checked, on its workers
                    for line in format_cannot_start(who_cannot_start(configuration, hidden=[self.folder])):
                        self._observer.note(line)
            except BaseException:
                if is_new:
                    crews.close()
                    with suppress(OSError):  # a bot may have written into it
                        self.folder.rmdir()
                raise
            with RunWriter.of_run(self.folder, info) as writer:
                if begins:
                    writer.write_configuration(configuration.text)
                    writer.begin_segment(info, secret)
                play = SegmentPlay(
                    info,
                    configuration,
                    secret=secret,
                    writer=writer,
                    observer=self._observer,
                    crew=crew,
                    interrupts=interrupts,
                )
                if not is_new:
                    play.pass_over_written()
                yield play

    def _workers_of(self, info: RunInfo) -> int:
        return info.workers if self._workers is None else self._workers

    def _at_once(self, info: RunInfo) -> int:
        """Returns how many blocks are played at the same time."""
        return workers_at_once(self._workers_of(info), cluster=self._cluster)

    def _write_disqualified(self, info: RunInfo) -> None:
        """Writes a run with other disqualifications, and the standings that follow from them."""
        with RunWriter.of_run(self.folder, info) as writer:
            if info.state is RunState.COMPLETE:
                if next(results_of_run(self.folder, info), None) is None:
                    raise RunError(
                        f"{self.folder} would have no game left that counts. Play a new run without that bot."
                    )
                writer.write_standings(standings_file(info, read_results(self.folder)))
            writer.write_run(info)


def run_tournament(
    configuration: Configuration | str | Path | None = None,
    *,
    out: str | Path | None = None,
    observer: Observer | None = None,
    cluster: str | None = None,
) -> Path:
    """Plays a tournament and returns its folder, which has every record and the standings.

    It is the short way for `Run.begin`, which says what the parameters mean, and `Run.play`. Raises
    `TournamentError` for whatever a user can mend, `Interrupted` when the user stops it.
    """
    run = Run.begin(configuration, out, cluster=cluster, observer=observer)
    run.play()
    return run.folder
