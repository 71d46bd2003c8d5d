"""A complete run that grows: who comes in, and which fields a new segment plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from tournament import examples
from tournament.configuration.file import read_configuration
from tournament.configuration.flags import spec_from_here
from tournament.configuration.resolving import Configuration
from tournament.configuration.types import Budget
from tournament.entrants.entries import entrants_from
from tournament.entrants.model import Entrant
from tournament.errors import RunError, UsageError
from tournament.ids import BotSpec, group_of, parse_spec, rotation_of
from tournament.paths import data_folder, path_from, real_path
from tournament.ranking.sources import read_sources
from tournament.ranking.standings import overall_scale, scale_ranks
from tournament.records.run import Field, Format, RunInfo, RunState
from tournament.run.budgets import with_budget
from tournament.run.describing import entrant_info, group_info
from tournament.run.resuming import base_of, resolve_again
from tournament.schedule.formats import with_rounds
from tournament.store.layout import CONFIGURATION_FILE
from tournament.store.results import read_results
from tournament.text import format_command, option


def check_can_grow(folder: Path, info: RunInfo) -> None:
    """Raises `RunError` for a run that cannot be extended."""
    if info.state is not RunState.COMPLETE:
        raise RunError(
            f"{folder} is {info.state}, and only a complete run can grow. First: `{format_command('resume', folder)}`."
        )
    if info.schedule is Format.KNOCKOUT:
        raise RunError(f"{folder} is a knockout, which is over when it is over. Begin a new run.")


def check_can_have_final(folder: Path, info: RunInfo, *, again: bool) -> None:
    """Raises `RunError` for a run that can have no final, or had one and `again` is not given."""
    if info.state is not RunState.COMPLETE:
        raise RunError(
            f"{folder} is {info.state}, and only a complete run has a final. First: "
            f"`{format_command('resume', folder)}`."
        )
    if info.schedule is Format.KNOCKOUT:
        raise RunError(f"{folder} is a knockout, which has its winner: a final has nothing to decide. Begin a new run.")
    earlier = [segment.number for segment in info.segments if segment.final]
    if earlier and not again:
        raise RunError(
            f"{folder} has had its final: `{format_command('standings', folder, '--segment', earlier[-1])}`. "
            f"Finals until one is liked would decide nothing; {option('--again', '`again`')} plays one more, and all "
            "of them stay in the run."
        )


class Added(NamedTuple):
    """A run's configuration with more bots at its end."""

    configuration: Configuration
    new: tuple[Entrant, ...]
    """Everybody who is not in the run yet."""

    unasked: tuple[str, ...]
    """Who of them waits since an earlier extension, which was stopped before their turn."""


def with_bots(folder: Path, info: RunInfo, add: Sequence[str]) -> Added:
    """Returns the configuration of a run with more bots; a bot whose code is in the run already is not added.

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
        more = option("--deals 50", "budget=Budget(deals=50)")
        changed = option("--deals 50 --accept-changes", "budget=Budget(deals=50), accept_changes=True")
        raise UsageError(
            f"{', '.join(add)}: expected a bot that is not in {folder}, found none. More games of all: {more}. "
            f"A bot that was changed goes on as a new entrant with {changed}."
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
    """Returns the spec of a bot as it is written into the configuration of a run: relative to where its paths start."""
    path, class_name = parse_spec(spec)
    if not Path(path).exists():
        return spec if base is not None and (base / path).exists() else spec_from_here(spec)
    whole = real_path(Path(path))
    return str(BotSpec(str(whole) if base is None else path_from(whole, base), class_name))


def with_newcomer(info: RunInfo, configuration: Configuration, newcomer: Entrant) -> RunInfo:
    """Returns a run with one more entrant, in the groups that it plays."""
    known = {newcomer.name, *(entrant.name for entrant in info.entrants)}
    return replace(
        info,
        entrants=(*info.entrants, entrant_info(newcomer, configuration.groups)),
        groups=tuple(
            replace(group_info(group), entrants=tuple(dict.fromkeys((*old.entrants, *_known(group.entrants, known)))))
            for old, group in zip(info.groups, configuration.groups, strict=True)
        ),
    )


def fields_of_all(info: RunInfo, configuration: Configuration, budget: Budget, *, workers: int) -> tuple[Field, ...]:
    """Returns the fields of all who are in the run now, as the first segment set them up.

    `workers` play at the same time. Raises `RunError` when too many are withdrawn.
    """
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
            replace(field, entrants=entrants, focus=tuple(name for name in entrants if name in focus), blocks=0)
        )
    return with_budget(fields, budget, configuration=configuration, workers=workers)


def fields_with_newcomer(
    folder: Path,
    info: RunInfo,
    configuration: Configuration,
    name: str,
    *,
    budget: Budget | None,
    workers: int,
) -> tuple[Field, ...]:
    """Returns the fields of tables with a new entrant, in the groups that it plays; before the run has it.

    Without a budget it plays as many deals as the run did, or as many blocks as an entrant on average.
    """
    known = {name, *(entrant.name for entrant in info.entrants)}
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
        return with_budget(fields, budget, configuration=configuration, workers=workers)
    appearances = _mean_appearances(folder, info)
    return tuple(one for field in fields for one in with_rounds([field], max(1, appearances[field.group])))


def _mean_appearances(folder: Path, info: RunInfo) -> Mapping[str, int]:
    """Returns for each group in how many blocks an entrant sat on average."""
    blocks: Counter[str] = Counter()
    for result in read_results(folder):
        blocks[group_of(result.id)] += rotation_of(result.id) == 0
    return {group.name: blocks[group.name] * group.players // len(group.entrants) for group in info.groups}


def fields_of_final(
    folder: Path,
    info: RunInfo,
    configuration: Configuration,
    budget: Budget | None,
    *,
    workers: int,
    say: Callable[[str], object],
) -> tuple[Field, ...]:
    """Returns the fields of a final; `say` is told of finalists that have changed, and so cannot play.

    Without a budget they have as many deals as the run had. Raises `RunError` without a table of finalists.
    """
    names = finalists(folder, info)
    changed = [name for name in names if not any(name in group.entrants for group in configuration.groups)]
    if changed:
        say(f"{', '.join(changed)} may be first, too, but has changed since, and so is not in the final.")
    fields = tuple(
        Field(group=group.name, players=group.players, entrants=able, blocks=0)
        for group in configuration.groups
        if len(able := tuple(name for name in group.entrants if name in names)) >= group.players
    )
    if not fields:
        raise RunError(
            f"The finalists are {', '.join(names)}: too few for a table of any group of {folder}. "
            f"Compare them two by two (`{format_command('compare', folder, '--bots', *names[:2])}`), or play more "
            f"deals: `{format_command('extend', folder, '--deals', 'N')}`."
        )
    if budget is None:
        budget = Budget(deals=int(info.budget["deals"])) if "deals" in info.budget else _as_before(info)
    return with_budget(fields, budget, configuration=configuration, workers=workers)


def finalists(folder: Path, info: RunInfo) -> tuple[str, ...]:
    """Returns who may be first, best first. Raises `RunError` when there are not two."""
    sources = read_sources([folder])
    scale = overall_scale(sources.counted, weights=info.weights, withdrawn=sources.withdrawn)
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


def _known(names: Sequence[str], known: set[str]) -> list[str]:
    return [name for name in names if name in known]
