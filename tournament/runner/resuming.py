"""A run that was stopped, however it was stopped, played to its end."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import msgspec

from tournament.configuration import Configuration, ConfigurationSource, build, has_builds, read_configuration, resolve
from tournament.errors import BotError, RunError
from tournament.players.base import Interrupts
from tournament.records.folder import read_run, remove_secrets
from tournament.records.hosting import Isolation
from tournament.records.layout import CONFIGURATION_FILE
from tournament.records.lock import RunLock
from tournament.records.paths import data_folder
from tournament.records.repair import mend
from tournament.records.run import Format, RunInfo, RunState
from tournament.records.store import RunWriter
from tournament.runner.changes import Changes, changes_of, rename
from tournament.runner.choosing import crew_of
from tournament.runner.observing import Observer, Observers
from tournament.runner.replacing import replace_changed
from tournament.runner.secrets import secret_of
from tournament.runner.segment import SegmentPlay, describe
from tournament.schedule import Block, blocks_of_run, can_tell_blocks


class Opened(NamedTuple):
    """A run folder, read and mended."""

    info: RunInfo
    configuration: Configuration
    changes: Changes


def resume_tournament(
    folder: str | Path,
    *,
    accept_changes: bool = False,
    play_again: bool = False,
    workers: int | None = None,
    observer: Observer | None = None,
    cluster: str | None = None,
) -> Path:
    """Plays what is left of a run and returns its folder; of a complete one nothing is.

    A torn or half block at the end is dropped and played again. `accept_changes`: a bot whose
    fingerprint changed goes on as a new entrant. `play_again`: games whose results are there and whose records
    are lost or damaged, or stand behind damage, are played again. `workers`: instead of as many as before. Raises
    `RunError` that names the difference when configuration, rules or a bot changed, or when another
    process plays the run.
    """
    folder = Path(folder)
    with RunLock(folder):
        return _resume(
            folder,
            accept_changes=accept_changes,
            play_again=play_again,
            workers=workers,
            observer=observer or Observers(),
            cluster=cluster,
        )


def _resume(
    folder: Path,
    *,
    accept_changes: bool,
    play_again: bool,
    workers: int | None,
    observer: Observer,
    cluster: str | None,
) -> Path:
    opened = open_run(folder, observer=observer, play_again=play_again)
    info, configuration = opened.info, opened.configuration
    if info.state is RunState.COMPLETE:
        remove_secrets(folder)  # its runner may have been killed right before it did
        is_over = info.schedule is Format.KNOCKOUT
        observer.note(f"{folder} is complete.{'' if is_over else f' More deals or bots: tournament extend {folder}.'}")
        _note_waiting(opened, folder, observer)
        return folder
    # An extension by several bots lets in one after the other: the next of them wait in the configuration.
    opened.changes.refuse(folder, accept_changes=accept_changes, accept_new=info.segments[-1].number > 0)
    interrupts = Interrupts()
    workers = info.workers if workers is None else workers
    if opened.changes.bots:
        info, configuration = replace_changed(folder, info, configuration, opened.changes)
        if info.decision is not None:
            observer.note(info.decision.text)
    secret = secret_of(folder, info.segments[-1])
    crew = crew_of(
        configuration, folder=folder, workers=workers, cluster=cluster, interrupts=interrupts, observer=observer
    )
    try:
        with RunWriter(folder, keep=info.keep, compressed=info.compress) as writer:
            play = SegmentPlay(
                info,
                configuration,
                secret=secret,
                writer=writer,
                observer=observer,
            )
            play.pass_over_written()
            if info.state is RunState.RUNNING and (block := play.look_ahead()) is not None:
                observer.note(_sudden_end(block, info.isolation))
            play.play(crew, interrupts)
    finally:
        crew.close(at_once=True)
    _note_waiting(opened, folder, observer)
    return folder


def open_run(folder: Path, *, observer: Observer, play_again: bool = False) -> Opened:
    """Returns a run with its files mended, and what changed since it was begun; the lock on its folder is held.

    Raises `RunError` when it is no run, or would lose games by being mended.
    """
    info = read_run(folder)
    for loss in mend(folder, info, closed=_closed_blocks(info), play_again=play_again):
        observer.note(loss)
    if not (folder / CONFIGURATION_FILE).exists():
        raise RunError(
            f"{folder} has no {CONFIGURATION_FILE}, the configuration that it was begun with. Take it from a copy."
        )
    configuration = resolve_again(read_configuration(folder / CONFIGURATION_FILE), folder, info)
    return Opened(info, configuration, changes_of(info, configuration))


def _closed_blocks(info: RunInfo) -> Iterator[str]:
    """Yields the blocks of the segments that are over, as far as `run.json` tells them."""
    closed = info.segments if info.state is RunState.COMPLETE else info.segments[:-1]
    over = msgspec.structs.replace(info, segments=closed)
    return (block.id for block in blocks_of_run(over)) if can_tell_blocks(over) else iter(())


def _note_waiting(opened: Opened, folder: Path, observer: Observer) -> None:
    if opened.changes.new:
        added = " ".join(f"--add {shlex.quote(spec)}" for spec in _waiting(folder, opened))
        observer.note(
            f"{', '.join(opened.changes.new)}: added, but not let in before the run was stopped. Go on, with the "
            f"--deals, --games, --minutes and --seed that were given:\n  tournament extend {folder} {added}"
        )


def _waiting(folder: Path, opened: Opened) -> tuple[str, ...]:
    """Returns the entries of the configuration, files or folders, whose bots are not in the run yet, from here."""
    specs = [one.bots[0].spec for one in opened.configuration.entrants if one.name in opened.changes.new]
    base = base_of(folder, opened.info)
    waiting = []
    for written in read_configuration(folder / CONFIGURATION_FILE).file.bots or ():
        entry = written.get("bot") if isinstance(written, dict) else written
        if isinstance(entry, str) and any(_stands_for(entry, spec) for spec in specs):
            path, colon, class_name = entry.partition(":")
            if base is not None and (base / path).exists():
                entry = f"{os.path.relpath(base / path)}{colon}{class_name}"
            waiting.append(entry)
    return tuple(waiting)


def _stands_for(entry: str, spec: str) -> bool:
    """Returns whether an entry of a configuration gave the bot of a spec: itself, its folder, or a pattern."""
    return f"{spec}/".startswith(f"{entry.rstrip('/')}/") or fnmatch(spec, f"{entry.rstrip('/')}*")


def _sudden_end(block: Block, isolation: Isolation) -> str:
    """Returns what is said of a run that did not say itself why it stopped."""
    text = (
        f"The run ended without a word: it was killed, the machine stopped, or the disk was full. {describe(block)} is "
        "the first block that was not written."
    )
    if isolation is Isolation.NONE:
        text += (
            " A bot can do that, too, at isolation none: if it ends here again, begin a run with --isolation process."
        )
    return text


def base_of(folder: Path, info: RunInfo) -> Path | None:
    """Returns where the relative paths of a run's configuration start; None: with the bots that come along."""
    return None if info.base is None else (folder / info.base).resolve()


def build_again(folder: Path, *, say: Callable[[str], object]) -> None:
    """Builds the bots of a run as its configuration says; `say` is given each command first.

    That file may be a stranger's, and its commands run with our rights. Raises `RunError`, `BotError`.
    """
    build(_source_again(read_configuration(folder / CONFIGURATION_FILE), folder, read_run(folder)), say=say)


def resolve_again(source: ConfigurationSource, folder: Path, info: RunInfo) -> Configuration:
    """Returns the configuration of a run, its bots found where they are now, under the names of the run.

    Nothing is built. Raises `BotError` for bots that are not there.
    """
    again = _source_again(source, folder, info)
    try:
        return rename(resolve(again, finding_version=info.finding_version), info.replaced)
    except BotError as error:
        if not has_builds(again):
            raise
        raise BotError(
            f"{error}\nSome bots of this run are built, and only when that is asked for: --build. Read first what "
            f"would run with your rights: {folder / CONFIGURATION_FILE}."
        ) from None


def _source_again(source: ConfigurationSource, folder: Path, info: RunInfo) -> ConfigurationSource:
    """Returns the configuration of a run as it was given, with where its paths start now."""
    base = base_of(folder, info) or data_folder("bots")
    return source._replace(base=base, file=msgspec.structs.replace(source.file, name=info.name))
