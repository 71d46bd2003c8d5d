"""A complete run that grows: more deals, more bots, or a final, each in a segment of its own."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tournament import examples
from tournament.configuration.file import read_configuration
from tournament.configuration.flags import spec_from_here
from tournament.configuration.resolving import Configuration
from tournament.configuration.types import Budget
from tournament.entrants import Entrant, entrants_from
from tournament.errors import RunError, UsageError
from tournament.ids import BotSpec, group_of, parse_spec, rotation_of
from tournament.paths import data_folder
from tournament.ranking.sources import read_sources
from tournament.ranking.standings import overall_scale, scale_ranks
from tournament.records.run import Field, Format, RunInfo, RunState
from tournament.run.budgets import with_budget
from tournament.run.crews import workers_at_once
from tournament.run.describing import entrant_info, group_info
from tournament.run.listeners import Observer, Observers
from tournament.run.resuming import base_of, open_run, resolve_again, with_new_entrants
from tournament.run.run import play_more
from tournament.schedule import with_rounds
from tournament.store.layout import CONFIGURATION_FILE
from tournament.store.lock import RunLock
from tournament.store.results import read_results
from tournament.text import format_place


class Added(NamedTuple):
    """A run's configuration with more bots at its end."""

    configuration: Configuration
    new: tuple[Entrant, ...]
    """Everybody who is not in the run yet."""

    unasked: tuple[str, ...]
    """Who of them waits since an earlier extension, which was stopped before their turn."""


def with_bots(folder: Path, info: RunInfo, add: Sequence[str]) -> Added:
    """Returns the configuration of a run with the bots of some specs; one whose code is there comes no second time.

    Raises `UsageError` when nobody is new, `RunError` for a new bot that plays no game of the run.
    """
    source = read_configuration(folder / CONFIGURATION_FILE)
    bots: list[Any] = list(examples.DEFAULT_BOTS if source.file.bots is None else source.file.bots)
    base = base_of(folder, info)
    there = {_code(entrant) for entrant in resolve_again(source, folder, info).entrants}
    asked: set[_Code] = set()
    for spec in (_spec(one, base) for one in add):
        found = entrants_from([spec], base=base or data_folder("bots"), version=info.finding_version)
        missing = [entrant for entrant in found if _code(entrant) not in there]
        bots += [spec] if len(missing) == len(found) else map(_entry_of, missing)
        there |= {_code(entrant) for entrant in missing}
        asked |= {_code(entrant) for entrant in found}
    file = msgspec.structs.replace(source.file, bots=tuple(bots))
    configuration = resolve_again(source._replace(file=file), folder, info)
    known = {entrant.name for entrant in info.entrants}
    new = tuple(entrant for entrant in configuration.entrants if entrant.name not in known)
    _check(folder, configuration, new, add)
    return Added(configuration, new, tuple(entrant.name for entrant in new if _code(entrant) not in asked))


def _check(folder: Path, configuration: Configuration, new: Collection[Entrant], add: Sequence[str]) -> None:
    if not new:
        raise UsageError(
            f"{', '.join(add)}: expected a bot that is not in {folder}, found none. More games of all: --deals 50. "
            "A bot that was changed goes on as a new entrant with --deals 50 --accept-changes."
        )
    for entrant in new:
        if not any(entrant.name in group.entrants for group in configuration.groups):
            games = ", ".join(group.name for group in configuration.groups)
            raise RunError(f"{entrant.name} plays none of the games of {folder}: {games}. Nothing was played.")


def _entry_of(entrant: Entrant) -> Any:
    """Returns how a configuration names one bot of a folder; one called after its own folder keeps that name."""
    bot = entrant.bots[0]
    named_by_folder = Path(bot.folder).name == entrant.name != Path(bot.path).stem
    return {"name": entrant.name, "bot": bot.spec} if named_by_folder else bot.spec


_Code = tuple[tuple[str, str | None, tuple[str, ...]], ...]


def _code(entrant: Entrant) -> _Code:
    return tuple((bot.path, bot.class_name, bot.command) for bot in entrant.bots)


def _spec(spec: str, base: Path | None) -> str:
    """Returns the spec of a bot as the configuration of a run has it: relative to where its paths start."""
    path, class_name = parse_spec(spec)
    if not Path(path).exists():
        return spec if base is not None and (base / path).exists() else spec_from_here(spec)
    whole = Path(path).resolve()
    return str(BotSpec(str(whole) if base is None else os.path.relpath(whole, base), class_name))


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
            f"{folder} is {info.state}, and only a complete run can grow. First: "
            f"`tournament resume {format_place(folder)}`."
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


def play_final(
    folder: str | Path,
    *,
    budget: Budget | None = None,
    seed: str | None = None,
    workers: int | None = None,
    observer: Observer | None = None,
    cluster: str | None = None,
    again: bool = False,
) -> int:
    """Plays a final as a new segment of a complete run and returns its number, to rank on it alone.

    Finalists are those who may be first in the championship, or in the only group: nobody is claimed to be
    better. They play every group for which they are enough, by default on as many deals as the run had. `seed` is
    the master of the segment, drawn when left out. Raises `RunError` for a run that is not complete or has
    changed, or has had its final and `again` is not said, and when there is nothing to decide, or no table of
    finalists.
    """
    folder = Path(folder)
    with RunLock(folder):
        return _play_final(
            folder,
            budget=budget,
            seed=seed,
            workers=workers,
            observer=observer or Observers(),
            cluster=cluster,
            again=again,
        )


def _play_final(
    folder: Path,
    *,
    budget: Budget | None,
    seed: str | None,
    workers: int | None,
    observer: Observer,
    cluster: str | None,
    again: bool,
) -> int:
    opened = open_run(folder, observer=observer)
    info, configuration = opened.info, opened.configuration
    if info.state is not RunState.COMPLETE:
        raise RunError(
            f"{folder} is {info.state}, and only a complete run has a final. First: "
            f"`tournament resume {format_place(folder)}`."
        )
    if info.schedule is Format.KNOCKOUT:
        raise RunError(f"{folder} is a knockout, which has its winner: a final has nothing to decide. Begin a new run.")
    earlier = [segment.number for segment in info.segments if segment.final]
    if earlier and not again:
        raise RunError(
            f"{folder} has had its final: `tournament standings {format_place(folder)} --segment {earlier[-1]}`. "
            "Finals until one is liked would decide nothing; --again plays one more, and all of them stay in the run."
        )
    opened.changes.refuse(
        folder,
        accept_new=True,
        advice="let each in as a new entrant first: "
        f"tournament extend {format_place(folder)} --deals 50 --accept-changes",
    )
    names = finalists(folder, info)
    changed = [name for name in names if not any(name in group.entrants for group in configuration.groups)]
    if changed:
        observer.note(f"{', '.join(changed)} may be first, too, but has changed since, and so is not in the final.")
    fields = tuple(
        Field(group=group.name, players=group.players, entrants=able, blocks=0)
        for group in configuration.groups
        if len(able := tuple(name for name in group.entrants if name in names)) >= group.players
    )
    if not fields:
        raise RunError(
            f"The finalists are {', '.join(names)}: too few for a table of any group of {folder}. "
            f"Compare them two by two (`tournament compare {format_place(folder)} --bots "
            f"{' '.join(map(format_place, names[:2]))}`), or play more deals: "
            f"`tournament extend {format_place(folder)} --deals N`."
        )
    if budget is None:
        budget = Budget(deals=int(info.budget["deals"])) if "deals" in info.budget else _as_before(info)
    play_more(
        folder,
        info,
        configuration,
        with_budget(
            fields,
            budget,
            configuration=configuration,
            workers=workers_at_once(info.workers if workers is None else workers, cluster=cluster),
        ),
        seed=seed,
        workers=workers,
        observer=observer,
        cluster=cluster,
        final=True,
    )
    return len(info.segments)


def finalists(folder: Path, info: RunInfo) -> tuple[str, ...]:
    """Returns who may be first, best first. Raises `RunError` when there are not two."""
    sources = read_sources([folder])
    scale = overall_scale(sources.results, weights=info.weights, withdrawn=sources.withdrawn)
    if scale is None:
        raise RunError(f"Nobody played all groups of {folder}, so nobody is in a final. Extend the run.")
    order = scale_ranks(scale)
    out = {withdrawal.entrant for withdrawal in info.withdrawn}
    names = tuple(name for name, rank in order.items() if rank.best_rank == 1 and name not in out)
    if len(names) < 2:
        raise RunError(f"{', '.join(names) or 'Nobody'} is first beyond doubt in {folder}: there is nothing to decide.")
    return names


def _as_before(info: RunInfo) -> Budget:
    return Budget(games=info.segments[0].games)
