"""A complete run that grows: more deals, or more bots, each in a segment of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from tournament.configuration import Configuration
from tournament.errors import RunError, UsageError
from tournament.ids import group_of, rotation_of
from tournament.records.configuration import Budget
from tournament.records.fitting import read_results
from tournament.records.lock import RunLock
from tournament.records.run import Field, Format, RunInfo, RunState
from tournament.runner.adding import with_bots
from tournament.runner.budgets import with_budget
from tournament.runner.cores import workers_at_once
from tournament.runner.describing import entrant_info, group_info
from tournament.runner.observing import Observer, Observers
from tournament.runner.replacing import with_new_entrants
from tournament.runner.resuming import open_run
from tournament.runner.starting import play_more
from tournament.schedule import with_rounds


def extend_tournament(
    folder: str | Path,
    *,
    budget: Budget | None = None,
    add: Sequence[str] = (),
    seed: str | None = None,
    accept_changes: bool = False,
    workers: int | None = None,
    observer: Observer | None = None,
    cluster: str | None = None,
) -> Path:
    """Plays more of a complete run and returns its folder.

    With `add` (specs of bots, relative to the current folder) each new bot in turn plays tables with all others,
    by default as much as they played; without, all play as much again as `budget` says. Every such part
    is a segment with a master and a commitment of its own; `seed` is that master, drawn when left out.
    `accept_changes`: a bot whose fingerprint changed plays as a new entrant. Raises `RunError` for a run that is
    not complete, that has changed, or that is a knockout, and for a bot that plays none of its games, before
    anything is played; `UsageError` without anything to do.
    """
    folder = Path(folder)
    observer = observer or Observers()
    if not add and budget is None:
        raise UsageError("Say by what the run is to grow: --deals 50, --games 1000, or --add bots/new.py.")
    with RunLock(folder):
        return _extend(
            folder,
            budget=budget,
            add=add,
            seed=seed,
            accept_changes=accept_changes,
            workers=workers,
            observer=observer,
            cluster=cluster,
        )


def _extend(
    folder: Path,
    *,
    budget: Budget | None,
    add: Sequence[str],
    seed: str | None,
    accept_changes: bool,
    workers: int | None,
    observer: Observer,
    cluster: str | None,
) -> Path:
    opened = open_run(folder, observer=observer)
    info, configuration = opened.info, opened.configuration
    if info.state is not RunState.COMPLETE:
        raise RunError(
            f"{folder} is {info.state}, and only a complete run can grow. First: tournament resume {folder}."
        )
    if info.schedule is Format.KNOCKOUT:
        raise RunError(f"{folder} is a knockout, which is over when it is over. Begin a new run.")
    opened.changes.refuse(folder, accept_changes=accept_changes, accept_new=True)
    if opened.changes.bots:
        info, configuration, _ = with_new_entrants(info, configuration, opened.changes)
    at_once = workers_at_once(info.workers if workers is None else workers, cluster=cluster)
    if not add:
        fields = _again(info, configuration, budget, at_once=at_once)
        return play_more(
            folder, info, configuration, fields, seed=seed, workers=workers, observer=observer, cluster=cluster
        )
    known = {entrant.name for entrant in info.entrants}
    configuration, new, unasked = with_bots(folder, info, add)
    if unasked:
        observer.note(f"{', '.join(unasked)}: added before and not let in since, so playing now, too.")
    for entrant in new:
        known.add(entrant.name)
        fields = _with_newcomer(folder, info, configuration, entrant.name, known=known, budget=budget, at_once=at_once)
        info = msgspec.structs.replace(
            info,
            entrants=(*info.entrants, entrant_info(entrant, configuration.groups)),
            groups=tuple(
                msgspec.structs.replace(
                    group_info(group), entrants=tuple(dict.fromkeys((*old.entrants, *_known(group.entrants, known))))
                )
                for old, group in zip(info.groups, configuration.groups, strict=True)
            ),
        )
        play_more(folder, info, configuration, fields, seed=seed, workers=workers, observer=observer, cluster=cluster)
        info = open_run(folder, observer=observer).info
    return folder


def _again(info: RunInfo, configuration: Configuration, budget: Budget | None, *, at_once: int) -> tuple[Field, ...]:
    """Returns the fields of all who are in the run now, as the first segment set them up."""
    assert budget is not None, "without bots to add there is a budget"
    groups = {group.name: group for group in configuration.groups}
    out = {one.entrant for one in info.withdrawn}
    known = {entrant.name for entrant in info.entrants}
    focus = {info.replaced.get(name, name) for field in info.segments[0].fields for name in field.focus}
    fields = []
    for field in info.segments[0].fields:
        entrants = tuple(name for name in groups[field.group].entrants if name in known and name not in out)
        if len(entrants) < field.players:
            raise RunError(f"{field.group} has too few entrants left that are not withdrawn: {', '.join(entrants)}.")
        fields.append(
            msgspec.structs.replace(
                field, entrants=entrants, focus=tuple(name for name in entrants if name in focus), blocks=0
            )
        )
    return with_budget(fields, budget, configuration=configuration, workers=at_once)


def _with_newcomer(
    folder: Path,
    info: RunInfo,
    configuration: Configuration,
    name: str,
    *,
    known: set[str],
    budget: Budget | None,
    at_once: int,
) -> tuple[Field, ...]:
    """Returns the fields of tables with a new entrant, in the groups that it plays."""
    out = {one.entrant for one in info.withdrawn}
    fields = tuple(
        Field(
            group=group.name,
            players=group.players,
            entrants=tuple(one for one in _known(group.entrants, known) if one not in out),
            blocks=0,
            focus=(name,),
        )
        for group in configuration.groups
        if name in group.entrants
    )
    if budget is None and "deals" in info.budget:
        budget = Budget(deals=int(info.budget["deals"]))
    if budget is not None:
        return with_budget(fields, budget, configuration=configuration, workers=at_once)
    appearances = _mean_appearances(folder, info)
    return tuple(one for field in fields for one in with_rounds([field], max(1, appearances[field.group])))


def _mean_appearances(folder: Path, info: RunInfo) -> Mapping[str, int]:
    """Returns by group in how many blocks an entrant sat on average."""
    blocks: Counter[str] = Counter()
    for result in read_results(folder):
        blocks[group_of(result.id)] += rotation_of(result.id) == 0
    return {group.name: blocks[group.name] * group.players // len(group.entrants) for group in info.groups}


def _known(names: Sequence[str], known: set[str]) -> list[str]:
    return [name for name in names if name in known]
