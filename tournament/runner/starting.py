"""A new run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tournament.configuration import (
    Configuration,
    Group,
    Source,
    build,
    default_source,
    read_configuration,
    resolve,
)
from tournament.deals import draw_salt
from tournament.errors import ConfigurationError, RunError
from tournament.players.base import Interrupts
from tournament.records.configuration import Budget
from tournament.records.run import Field, Format, RunInfo
from tournament.records.store import RunWriter, Secret, begin_folder
from tournament.runner.choosing import crew_of
from tournament.runner.cores import workers_at_once
from tournament.runner.crews import Crew
from tournament.runner.describing import run_info, segment_info
from tournament.runner.observing import Observer, Observers
from tournament.runner.probing import probe, rounds_in
from tournament.runner.segment import SegmentPlay
from tournament.runner.tryout import format_cannot_start, who_cannot_start
from tournament.schedule import MOST_BLOCKS, with_deals, with_games, with_rounds
from tournament.schedule.knockout import blocks_of_knockout


def run_tournament(
    configuration: Configuration | Source | str | Path | None = None,
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
        suite=configuration.suite if secret is None else None,
        writer=writer,
        observer=observer or Observers(),
    )
    if info.segments[-1].number:
        segment.pass_over_written()
    return segment.play(crew, interrupts)


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


def bare_fields(configuration: Configuration) -> tuple[Field, ...]:
    """Returns the groups without any block."""
    return tuple(_field(group, configuration.focus) for group in configuration.groups)


def fields_of(configuration: Configuration, *, cluster: str | None = None) -> tuple[Field, ...]:
    """Returns the groups with as many blocks as the budget gives; minutes become blocks by a probe.

    Raises `ConfigurationError` when it gives none, or more than can be played at once.
    """
    fields = bare_fields(configuration)
    budget = configuration.budget
    if configuration.schedule is Format.KNOCKOUT and budget.deals is not None:
        deals = budget.deals
        check_size(fields, least=deals)
        fields = tuple(_with_blocks(field, blocks_of_knockout(field, deals=deals)) for field in fields)
    else:
        workers = workers_at_once(configuration.workers, cluster=cluster)
        fields = with_budget(fields, budget, configuration=configuration, workers=workers)
    check_size(fields)
    return fields


def check_size(fields: Sequence[Field], *, least: int = 0) -> None:
    """Raises `ConfigurationError` when fields have more blocks than can be played at once."""
    blocks = max(least, sum(field.blocks for field in fields))
    if blocks > MOST_BLOCKS:
        raise ConfigurationError(
            f"budget: at most {MOST_BLOCKS:,} blocks are played at once, and this asks for more. "
            "Give fewer deals, games or minutes; a complete run can be extended."
        )


def format_of(fields: Sequence[Field]) -> Format:
    """Returns how fields are played that are no knockout."""
    return Format.GAUNTLET if any(field.focus for field in fields) else Format.ROUND_ROBIN


def with_budget(
    fields: Sequence[Field], budget: Budget, *, configuration: Configuration, workers: int
) -> tuple[Field, ...]:
    """Returns fields with as many blocks as a budget gives; so many workers play at the same time.

    Raises `ConfigurationError` when it gives none.
    """
    if budget.deals is not None:
        return with_deals(fields, budget.deals)
    if budget.games is not None:
        filled = with_games(fields, budget.games)
        if not all(field.blocks for field in filled):
            needed = sum(field.players for field in fields)
            raise ConfigurationError(
                f"budget: {budget.games} games are fewer than one block of every group, which has {needed}. "
                f"Give at least {needed} games."
            )
        return filled
    assert budget.minutes is not None, "a budget has one of its three"
    if not math.isfinite(budget.minutes):
        raise ConfigurationError(f"budget: minutes are a finite number, not {budget.minutes}. Give one.")
    probed = probe(configuration, fields, format=format_of(fields))
    return with_rounds(fields, rounds_in(budget.minutes, probed, workers=workers))


def _field(group: Group, focus: Sequence[str]) -> Field:
    return Field(
        group=group.name,
        players=group.players,
        entrants=group.entrants,
        blocks=0,
        focus=tuple(name for name in focus if name in group.entrants),
    )


def _with_blocks(field: Field, blocks: int) -> Field:
    (filled,) = with_rounds([field], blocks)
    return filled


def _resolved(configuration: Configuration | Source | str | Path | None, observer: Observer) -> Configuration:
    if isinstance(configuration, Configuration):
        return configuration
    if configuration is None:
        configuration = default_source()
    elif not isinstance(configuration, Source):
        configuration = read_configuration(Path(configuration))
    build(configuration, say=observer.note)
    return resolve(configuration)


def check_suite(configuration: Configuration, fields: Sequence[Field]) -> None:
    """Raises `ConfigurationError` when a run needs more deals than its suite has."""
    suite = configuration.suite
    if suite is None:
        return
    needed = max(field.blocks for field in fields)
    if needed > len(suite.seeds):
        raise ConfigurationError(
            f"The suite {suite.name} has {len(suite.seeds)} deals, and this run needs {needed}. "
            "Ask for fewer deals, or take a longer suite."
        )
