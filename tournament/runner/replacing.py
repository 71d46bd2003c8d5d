"""Changed bots in a run: each goes on as a new entrant, in a new segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from tournament.configuration import Configuration
from tournament.deals import draw_master, draw_salt, schedule_seed
from tournament.errors import RunError
from tournament.records.fitting import read_results
from tournament.records.folder import Secret
from tournament.records.run import DecisionInfo, Field, Format, RunInfo, SegmentInfo
from tournament.records.store import RunWriter
from tournament.runner.changes import Changes, rename
from tournament.runner.describing import entrant_info, segment_info
from tournament.runner.secrets import secret_of
from tournament.schedule.replacements import has_tables, left_of, walk_segment


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
    with RunWriter(folder, keep=info.keep, compressed=info.compress) as writer:
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
    """Returns a field with so many blocks and new names, without who was withdrawn, as long as they make tables."""
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
    """Returns how looking on the way ends when others play on: nobody's games before count for who comes anew."""
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
