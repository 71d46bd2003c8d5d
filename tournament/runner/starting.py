"""A new run."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from tournament.configuration import (
    Configuration,
    ConfigurationSource,
    build,
    default_source,
    read_configuration,
    resolve,
)
from tournament.deals import draw_master, draw_salt
from tournament.errors import ConfigurationError, RunError
from tournament.players.base import Interrupts
from tournament.records.configuration_rules import seed_problem
from tournament.records.folder import Secret, begin_folder
from tournament.records.run import Field, Format, RunInfo, RunState
from tournament.records.store import RunWriter
from tournament.runner.budgets import check_size, check_suite, fields_of, format_of
from tournament.runner.choosing import crew_of
from tournament.runner.crews import Crew
from tournament.runner.describing import run_info, segment_info
from tournament.runner.observing import Observer, Observers
from tournament.runner.segment import SegmentPlay
from tournament.runner.tryout import format_cannot_start, who_cannot_start


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
