"""A run that was stopped, opened and played to its end; changed bots go on as new entrants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from fnmatch import fnmatch
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tournament.configuration.bots import build, has_builds
from tournament.configuration.file import ConfigurationSource, read_configuration
from tournament.configuration.resolving import Configuration, resolve
from tournament.deals import commitment_of, draw_master, draw_salt, schedule_seed
from tournament.entrants.model import PlayersError, format_numbers
from tournament.errors import BotError, RunError
from tournament.ids import BotSpec, parse_spec
from tournament.languages import kept_gettext, kept_row
from tournament.paths import data_folder, path_from, real_path
from tournament.records.run import DecisionInfo, Field, Format, RunInfo, RunState, SegmentInfo
from tournament.records.settings import Isolation
from tournament.run.describing import Changes, changes_of, entrant_info, rename, segment_info
from tournament.run.listeners import Observer
from tournament.run.segment import describe
from tournament.schedule.formats import Block
from tournament.schedule.withdrawals import blocks_of_run, can_tell_blocks, has_tables, left_of, walk_segment
from tournament.store.folder import Secret, read_run, read_secrets
from tournament.store.layout import CONFIGURATION_FILE, SECRET_FILE
from tournament.store.repair import mend
from tournament.store.results import read_results
from tournament.store.writer import RunWriter
from tournament.text import format_command, format_place


def secret_of(folder: Path, segment: SegmentInfo) -> Secret | None:
    """Returns master and salt of the segment under way, None for one on a suite. Raises `RunError` when lost."""
    if segment.suite is not None:
        return None
    for secret in read_secrets(folder):
        if commitment_of(salt=secret.salt, master=secret.master) == segment.commitment:
            return secret
    raise RunError(
        f"{folder / SECRET_FILE} is missing or is of another segment, and without it nobody knows the deals that are "
        "left. Put the file back from where the run was played, or begin a new run."
    )


def replace_changed(
    folder: Path, info: RunInfo, configuration: Configuration, changes: Changes
) -> tuple[RunInfo, Configuration]:
    """Returns a run and its configuration with a new entrant for each changed bot, as they are written now.

    The segment under way is closed where it is, its master published; a new one with a master of its own has
    as many blocks as were left; `until` is not asked any more. Raises `RunError` for a knockout, whose tables
    cannot change, and for a final, whose entrants have been chosen.
    """
    old = info.segments[-1]
    if old.format is Format.KNOCKOUT or old.final:
        kind = "in its final" if old.final else "a knockout"
        raise RunError(f"{folder} is {kind}, in which nobody can be replaced. Undo the change of the bot.")
    info, configuration, names = with_new_entrants(info, configuration, changes)
    closed, left = _closed(folder, info, old)
    out = {one.entrant for one in info.withdrawn}.difference(names)
    fields = tuple(_renamed(field, old.format, names=names, out=out, blocks=left[field.group]) for field in old.fields)
    secret = Secret(master=draw_master(), salt=draw_salt())
    new = segment_info(fields, number=old.number + 1, format=old.format, secret=secret)
    if info.until is not None and info.decision is None:
        info = msgspec.structs.replace(info, decision=_undecided(folder, names))
    info = msgspec.structs.replace(info, segments=(*info.segments[:-1], closed, new))
    with RunWriter.of_run(folder, info) as writer:
        writer.begin_segment(info, secret)
    return info, configuration


def _renamed(
    field: Field,
    format: Format,  # noqa: A002 (the word of run.json)
    *,
    names: dict[str, str],
    out: Collection[str],
    blocks: int,
) -> Field:
    """Returns a field with new names and a number of blocks; withdrawn entrants leave it if enough others remain."""
    rest = left_of(field, out)
    if not has_tables(rest, format):
        rest = field
    return msgspec.structs.replace(
        rest,
        entrants=tuple(names.get(name, name) for name in rest.entrants),
        focus=tuple(names.get(name, name) for name in rest.focus),
        blocks=blocks,
    )


def _undecided(folder: Path, names: Collection[str]) -> DecisionInfo:
    """Returns where `until` stops after replacing an entrant: games from before the change no longer count."""
    last = ""
    for result in read_results(folder):
        last = result.block
    text = f"Not decided before {', '.join(names)} changed; all of the budget was played then."
    return DecisionInfo(decided=False, after=last, text=text)


def with_new_entrants(
    info: RunInfo, configuration: Configuration, changes: Changes
) -> tuple[RunInfo, Configuration, dict[str, str]]:
    """Returns a run and its configuration with a new entrant for each changed bot, and the new name of each."""
    origins = {now: given for given, now in info.replaced.items()}
    taken = {entrant.name for entrant in info.entrants}
    names = {name: _free_name(origins.get(name, name), taken) for name in changes.bots}
    configuration = rename(configuration, names)
    info = msgspec.structs.replace(
        info,
        entrants=(
            *info.entrants,
            *(
                entrant_info(entrant, configuration.groups)
                for entrant in configuration.entrants
                if entrant.name in names.values()
            ),
        ),
        groups=tuple(
            msgspec.structs.replace(group, entrants=(*group.entrants, *_added(group.entrants, names)))
            for group in info.groups
        ),
        replaced=info.replaced | {origins.get(name, name): new_name for name, new_name in names.items()},
    )
    return info, configuration, names


def _closed(folder: Path, info: RunInfo, segment: SegmentInfo) -> tuple[SegmentInfo, Counter[str]]:
    """Returns a segment that ends with the last block played, its master published, and what is left by group."""
    secret = secret_of(folder, segment)
    seed = schedule_seed(segment.suite or "" if secret is None else secret.master, segment=segment.number)
    prefix = f".{segment.number}."
    played = (block for block, _ in groupby(result.block for result in read_results(folder)) if prefix in block)
    left = Counter({field.group: field.blocks for field in segment.fields})
    passed: Counter[str] = Counter()
    ended_after = 0
    waiting = next(played, None)
    void = {one.block for one in info.void}
    for number, (block, is_played) in enumerate(walk_segment(info, segment, seed=seed), start=1):
        if waiting is None:
            break
        # What was left out because somebody had been withdrawn is still to be replaced.
        passed[block.group] += is_played or block.id in void or info.withdraw is None
        if block.id == waiting:
            ended_after = number
            left -= passed
            passed.clear()
            waiting = next(played, None)
    changes: dict[str, Any] = {"ended_after": ended_after}
    if secret is not None:
        changes |= {"master": secret.master, "salt": secret.salt}
    return msgspec.structs.replace(segment, **changes), left


def _added(entrants: Collection[str], names: dict[str, str]) -> list[str]:
    return [new for old, new in names.items() if old in entrants]


def _free_name(name: str, taken: Collection[str]) -> str:
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


class Opened(NamedTuple):
    """A run folder, read and mended."""

    info: RunInfo
    configuration: Configuration
    changes: Changes


def open_run(folder: Path, *, observer: Observer, play_again: bool = False) -> Opened:
    """Returns a run with its files mended, and what changed since it was begun; the lock on its folder is held.

    Raises `RunError` when it is not a run, or would lose games by being mended.
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
    """Yields the blocks of the segments that are over; none when `run.json` does not say which they are."""
    closed = info.segments if info.state is RunState.COMPLETE else info.segments[:-1]
    over = msgspec.structs.replace(info, segments=closed)
    return (block.id for block in blocks_of_run(over)) if can_tell_blocks(over) else iter(())


def note_waiting(opened: Opened, folder: Path, observer: Observer) -> None:
    """Tells who waits to be let in since an extension was stopped, and how to go on."""
    if opened.changes.new:
        added = " ".join(f"--add {format_place(spec)}" for spec in _waiting(folder, opened))
        command = f"{format_command('extend', folder)} {added}"
        observer.note(
            kept_gettext(
                "{names}: added, but not let in before the run was stopped. Go on, with the --deals, --games, "
                "--minutes and --seed that were given:\n  {command}",
                names=", ".join(opened.changes.new),
                command=command,
            )
        )


def note_unasked(names: Sequence[str], observer: Observer) -> None:
    """Tells which entrants of an extension that was stopped play now, too."""
    if names:
        listed = ", ".join(names)
        observer.note(kept_gettext("{names}: added before and not let in since, so playing now, too.", names=listed))


def note_complete(folder: Path, info: RunInfo, observer: Observer) -> None:
    """Tells that a run is complete, and how it grows if it can."""
    told = [kept_gettext("{run} is complete.", run=str(folder))]
    if info.schedule is not Format.KNOCKOUT:
        told.append(kept_gettext("More deals or bots: `{command}`.", command=format_command("extend", folder)))
    observer.note(kept_row(told, " "))


def _waiting(folder: Path, opened: Opened) -> tuple[str, ...]:
    """Returns the files and folders in the configuration whose bots are not in the run yet, relative to here."""
    specs = [one.bots[0].spec for one in opened.configuration.entrants if one.name in opened.changes.new]
    base = base_of(folder, opened.info)
    waiting = []
    for written in read_configuration(folder / CONFIGURATION_FILE).file.bots or ():
        entry = written.get("bot") if isinstance(written, dict) else written
        if isinstance(entry, str) and any(_stands_for(entry, spec) for spec in specs):
            path, class_name = parse_spec(entry)
            if base is not None and (base / path).exists():
                entry = str(BotSpec(path_from(base / path, Path()), class_name))
            waiting.append(entry)
    return tuple(waiting)


def _stands_for(entry: str, spec: str) -> bool:
    """Returns whether an entry of a configuration names the bot of a spec: by file, by folder or by pattern."""
    return f"{spec}/".startswith(f"{entry.rstrip('/')}/") or fnmatch(spec, f"{entry.rstrip('/')}*")


def sudden_end(block: Block, isolation: Isolation) -> str:
    """Returns the message for a run that stopped without writing why."""
    ended = kept_gettext(
        "The run ended without a word: it was killed, the machine stopped, or the disk was full. {block} is the first "
        "block that was not written.",
        block=describe(block),
    )
    if isolation is not Isolation.NONE:
        return ended
    by_bot = kept_gettext(
        "A bot can do that, too, at isolation none: if it ends here again, begin a run with --isolation process."
    )
    return kept_row([ended, by_bot], " ")


def base_of(folder: Path, info: RunInfo) -> Path | None:
    """Returns where the relative paths of a run's configuration start; None: with the bots that come along."""
    return None if info.base is None else real_path(folder / info.base)


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
    except PlayersError as refused:
        if refused.name not in {entrant.name for entrant in info.entrants}:
            raise
        raise BotError(
            f'"{refused.name}" now plays with {format_numbers(refused.known)} players, and {folder} has {refused.game} '
            f"with {refused.players}: it changed since the run began. Put its code of then back, or begin a new run."
        ) from None
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
