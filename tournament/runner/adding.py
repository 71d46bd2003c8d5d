"""Bots that come into a run later: which of them are new, and how its configuration names them."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tournament.configuration import DEFAULT_BOTS, Configuration, read_configuration, spec_from_here
from tournament.entrants import Entrant, entrants_from
from tournament.errors import RunError, UsageError
from tournament.records.layout import CONFIGURATION_FILE
from tournament.records.paths import data_folder
from tournament.records.run import RunInfo
from tournament.runner.resuming import base_of, resolve_again


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
    bots: list[Any] = list(DEFAULT_BOTS if source.file.bots is None else source.file.bots)
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
    path, colon, class_name = spec.partition(":")
    if not Path(path).exists():
        return spec if base is not None and (base / path).exists() else spec_from_here(spec)
    whole = Path(path).resolve()
    return f"{whole if base is None else os.path.relpath(whole, base)}{colon}{class_name}"
