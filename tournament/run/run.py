"""A run from its first block on: its crew, its writer and its lock."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from tournament.blocks import setup_of
from tournament.configuration.bots import build
from tournament.configuration.file import ConfigurationSource, default_source, read_configuration
from tournament.configuration.resolving import Configuration, resolve
from tournament.configuration.rules import seed_problem
from tournament.deals import draw_master, draw_salt
from tournament.errors import BotError, ConfigurationError, RunError, UsageError, did_you_mean
from tournament.players.base import Interrupts
from tournament.players.preparation import is_shipped, isolation_of
from tournament.ranking.results import results_of_run
from tournament.ranking.sources import standings_file
from tournament.records.run import Disqualification, Field, Format, RunInfo, RunState
from tournament.records.settings import Isolation
from tournament.run.budgets import check_size, check_suite, fields_of, format_of
from tournament.run.crews import Crew, OwnProcess
from tournament.run.describing import run_info, segment_info
from tournament.run.listeners import Observer, Observers
from tournament.run.planning import format_cannot_start, who_cannot_start
from tournament.run.segment import SegmentPlay
from tournament.run.workers import WorkerProcesses
from tournament.store.folder import Secret, begin_folder, read_run
from tournament.store.lock import RunLock
from tournament.store.results import read_results
from tournament.store.writer import RunWriter


def crew_of(
    configuration: Configuration,
    *,
    folder: Path,
    workers: int,
    cluster: str | None,
    interrupts: Interrupts,
    observer: Observer | None,
) -> Crew:
    """Returns who plays a run into a folder: this process, so many workers, or a cluster.

    `observer` is told of workers of a cluster that come and go. Raises `BotError` for bots that do not load,
    `ConfigurationError` and `RunError` for a cluster that cannot play.
    """
    setup = setup_of(configuration, folder=folder)
    if cluster is not None:
        from tournament.run.cluster import ClusterCrew  # lazy: Dask takes a second
        from tournament.run.cluster_connection import LOCAL

        if cluster != LOCAL:
            _check_reach(configuration, cluster)

        note = (observer or Observers()).note
        return ClusterCrew(setup, configuration, address=cluster, workers=workers, folder=folder, note=note)
    return OwnProcess(setup, interrupts) if workers == 1 else WorkerProcesses(setup, workers)


def _check_reach(configuration: Configuration, cluster: str) -> None:
    """Raises `ConfigurationError` for a bot that could reach the scheduler, and for which nobody vouches."""
    for entrant in configuration.entrants:
        for source in entrant.bots:
            level = isolation_of(source, configuration.hosting)
            if level is Isolation.PROCESS and source.isolation is None and not is_shipped(source):
                raise ConfigurationError(
                    f'"{entrant.name}" would play at isolation process, where a bot reaches the network, and whoever '
                    f"reaches the scheduler at {cluster} can run programs on all its workers. Choose isolation: "
                    "sandbox for bots of others, none for your own, or write isolation: process into the entry of a "
                    "bot that you trust so far."
                )


def run_tournament(
    configuration: Configuration | ConfigurationSource | str | Path | None = None,
    *,
    out: str | Path | None = None,
    observer: Observer | None = None,
    cluster: str | None = None,
) -> Path:
    """Plays a tournament and returns its folder, which has every record and the standings.

    `configuration` is the path of a file, or what `tournament.configuration` made; left out, four
    entrants that play both games. What is not a `Configuration` yet has its bots built. `out` is the folder, by
    default `records/NAME`. `cluster` is the address of a Dask scheduler that plays instead of this machine, or
    `local`. Raises `TournamentError` for
    whatever a user can mend, `Interrupted` when the user stops it.
    """
    resolved = _resolved(configuration, observer or Observers())
    interrupts = Interrupts()
    fields = fields_of(resolved, cluster=cluster)
    check_suite(resolved, fields)
    folder = make_free_folder(resolved.name) if out is None else Path(out)
    with begin_folder(folder):  # before bots are loaded: an existing one is told at once
        return _begin(resolved, fields, folder=folder, cluster=cluster, interrupts=interrupts, observer=observer)


def _begin(
    resolved: Configuration,
    fields: tuple[Field, ...],
    *,
    folder: Path,
    cluster: str | None,
    interrupts: Interrupts,
    observer: Observer | None,
) -> Path:
    """Plays a run from its first block; its folder is empty, and the lock on it is held."""
    try:
        crew = crew_of(
            resolved,
            folder=folder,
            workers=resolved.workers,
            cluster=cluster,
            interrupts=interrupts,
            observer=observer,
        )
        try:
            if cluster is None:  # else bots play, and are checked, on its workers
                for line in format_cannot_start(who_cannot_start(resolved, hidden=[folder])):
                    (observer or Observers()).note(line)
        except BaseException:
            crew.close(at_once=True)
            raise
    except BaseException:
        with suppress(OSError):  # a bot may have written into it
            folder.rmdir()
        raise
    secret = None if resolved.suite is not None else Secret(master=resolved.master, salt=draw_salt())
    segment = segment_info(
        fields,
        number=0,
        format=resolved.schedule,
        secret=secret,
        suite=resolved.suite,
        deals=resolved.budget.deals if resolved.schedule is Format.KNOCKOUT else None,
    )
    info = run_info(resolved, segment, folder=folder)
    try:
        with RunWriter(folder, keep=info.keep, compressed=info.compress) as writer:
            writer.write_configuration(resolved.text)
            return play_segment(
                info, resolved, secret=secret, writer=writer, crew=crew, interrupts=interrupts, observer=observer
            )
    finally:
        crew.close(at_once=True)


def play_segment(
    info: RunInfo,
    configuration: Configuration,
    *,
    secret: Secret | None,
    writer: RunWriter,
    crew: Crew,
    interrupts: Interrupts,
    observer: Observer | None,
) -> Path:
    """Plays the last segment of a run from its first block and returns the folder."""
    writer.begin_segment(info, secret)
    segment = SegmentPlay(
        info,
        configuration,
        secret=secret,
        writer=writer,
        observer=observer or Observers(),
    )
    if info.segments[-1].number:
        segment.pass_over_written()
    segment.play(crew, interrupts)
    return writer.folder


def free_folder(name: str) -> Path:
    """Returns `records/NAME`, or the first of `records/NAME-2`, `-3` ... that does not exist."""
    folder = Path("records") / name
    number = 2
    free = folder
    while free.exists():
        free = folder.with_name(f"{folder.name}-{number}")
        number += 1
    return free


def make_free_folder(name: str) -> Path:
    """Makes the folder that `free_folder` returns, or the next one when another process is faster."""
    while True:
        folder = free_folder(name)
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            if not folder.exists():
                raise RunError(f"{folder.parent} is no folder. Give another --out.") from None
        except OSError as error:
            raise RunError(f"{folder} cannot be written: {error.strerror}. Mend that, or give another --out.") from None
        else:
            return folder


def _resolved(
    configuration: Configuration | ConfigurationSource | str | Path | None, observer: Observer
) -> Configuration:
    if isinstance(configuration, Configuration):
        return configuration
    if configuration is None:
        configuration = default_source()
    elif not isinstance(configuration, ConfigurationSource):
        configuration = read_configuration(Path(configuration))
    build(configuration, say=observer.note)
    return resolve(configuration)


def play_more(
    folder: Path,
    info: RunInfo,
    configuration: Configuration,
    fields: tuple[Field, ...],
    *,
    workers: int | None,
    observer: Observer,
    cluster: str | None,
    seed: str | None = None,
    final: bool = False,
) -> Path:
    """Plays fields as a new segment, whose master is `seed` or drawn; `final`: one that is ranked alone.

    Raises `ConfigurationError` when they have more blocks than can be played at once, and for a seed that is none.
    """
    if seed is not None and (problem := seed_problem(seed)) is not None:
        raise ConfigurationError(f"seed: {problem}")
    check_size(fields)
    interrupts = Interrupts()
    secret = Secret(master=draw_master() if seed is None else seed, salt=draw_salt())
    segment = segment_info(
        fields,
        number=len(info.segments),
        format=format_of(fields),
        secret=secret,
        final=final,
    )
    info = msgspec.structs.replace(info, state=RunState.RUNNING, segments=(*info.segments, segment), finished=None)
    crew = crew_of(
        configuration,
        folder=folder,
        workers=info.workers if workers is None else workers,
        cluster=cluster,
        interrupts=interrupts,
        observer=observer,
    )
    try:
        with RunWriter(folder, keep=info.keep, compressed=info.compress) as writer:
            writer.write_configuration(configuration.text)
            return play_segment(
                info, configuration, secret=secret, writer=writer, crew=crew, interrupts=interrupts, observer=observer
            )
    finally:
        crew.close(at_once=True)


REASON_CHARACTERS: Final = 500


def disqualify(folder: Path, entrant: str, *, reason: str) -> RunInfo:
    """Takes an entrant out of a run, writes its standings anew, and returns the run.

    Raises `BotError` for an entrant that takes no part, `UsageError` without a reason of at most 500 characters,
    `RunError` when it is out already, when no game would be left, or while another process plays the run.
    """
    with RunLock(folder):
        info = read_run(folder)
        _check_entrant(info, entrant)
        _check_reason(reason.strip())
        if any(one.entrant == entrant for one in info.disqualified):
            raise RunError(f"{entrant} is disqualified already. To give another reason, --undo it first.")
        return _write(folder, info, (*info.disqualified, Disqualification(entrant=entrant, reason=reason.strip())))


def reinstate(folder: Path, entrant: str) -> RunInfo:
    """Takes an entrant back in, writes the standings anew, and returns the run.

    Raises `BotError` for an entrant that takes no part, `RunError` when it is not disqualified or while another
    process plays the run.
    """
    with RunLock(folder):
        info = read_run(folder)
        _check_entrant(info, entrant)
        left = tuple(one for one in info.disqualified if one.entrant != entrant)
        if left == info.disqualified:
            raise RunError(f"{entrant} is not disqualified in {folder}, so there is nothing to undo.")
        return _write(folder, info, left)


def _check_reason(reason: str) -> None:
    if not reason:
        raise UsageError('Say why: --reason "...". It is shown with the standings.')
    if len(reason) > REASON_CHARACTERS:
        raise UsageError(f"--reason has {len(reason)} characters, and {REASON_CHARACTERS} are the most. Shorten it.")


def _check_entrant(info: RunInfo, entrant: str) -> None:
    names = [one.name for one in info.entrants]
    if entrant not in names:
        raise BotError(f'There is no entrant "{entrant}".{did_you_mean(entrant, names)} Known: {", ".join(names)}.')


def _write(folder: Path, info: RunInfo, disqualified: Sequence[Disqualification]) -> RunInfo:
    changed = replace(info, disqualified=tuple(disqualified))
    with RunWriter(folder, keep=info.keep, compressed=info.compress) as writer:
        if info.state is RunState.COMPLETE:
            if next(results_of_run(folder, changed), None) is None:
                raise RunError(f"{folder} would have no game left that counts. Play a new run without that bot.")
            writer.write_standings(standings_file(changed, read_results(folder)))
        writer.write_run(changed)
    return changed
