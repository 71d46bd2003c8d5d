"""Which bot is checked, and how it is hosted: one by its spec, one of a configuration, or all of one."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from tournament.configuration import ConfigurationSource, build, find_entrants, hosting_of, read_configuration
from tournament.entrants import Entrant, entrants_from
from tournament.errors import BotError, ConfigurationError, UsageError, did_you_mean
from tournament.players.preparing import default_isolation
from tournament.records.configuration_rules import clashes
from tournament.records.hosting import Hosting, Isolation

CONFIGURATIONS: Final = (".yaml", ".yml")


class Subject(Struct, frozen=True, kw_only=True):
    """A bot to be looked at, and how it is hosted."""

    entrant: Entrant
    hosting: Hosting


def find_bot(spec: str, *, isolation: Isolation | None, is_command: bool, say: Callable[[str], object]) -> Subject:
    """Returns the one bot that is named. Raises `BotError` when there is none, or more than one."""
    where, _, name = spec.partition("#")
    if where.endswith(CONFIGURATIONS) and not is_command:
        return _named(where, name, isolation, say)
    found = entrants_from([shlex.split(spec) if is_command else spec], base=Path.cwd())
    if len(found) > 1:
        raise BotError(f"{spec} has {len(found)} bots, and one is checked at a time: {_listed(found)}.")
    return Subject(entrant=found[0], hosting=Hosting(isolation=isolation or default_isolation()))


def read_checked(path: Path) -> ConfigurationSource:
    """Returns a configuration whose fields go together. Raises `ConfigurationError` for one in which they do not."""
    source = read_configuration(path)
    for clash in clashes(source.file):
        raise ConfigurationError(str(clash))
    return source


def _named(where: str, name: str, isolation: Isolation | None, say: Callable[[str], object]) -> Subject:
    """Returns a bot of a configuration; the others need not be there."""
    source = read_checked(Path(where))
    if name:
        build(source, say=say, name=name)
    unread: list[BotError] = []
    subjects = subjects_in(source, isolation, unread)
    for subject in subjects:
        if subject.entrant.name == name:
            return subject
    names = [subject.entrant.name for subject in subjects]
    if not name:
        raise UsageError(f"Say which bot of {where}: {where}#{names[0]}. It has: {', '.join(names)}.")
    broken = "".join(f"\n{error}" for error in unread)
    raise BotError(f'{where} has no bot "{name}".{did_you_mean(name, names)} It has: {", ".join(names)}.{broken}')


def subjects_in(source: ConfigurationSource, isolation: Isolation | None, unread: list[BotError]) -> list[Subject]:
    """Returns the bots of a configuration and how each is hosted; those that cannot be found go to `unread`."""
    entrants = find_entrants(source, unread=unread)
    hosting = hosting_of(source.file, entrants)
    if isolation is not None:
        hosting = replace(hosting, isolation=isolation)
    return [
        Subject(
            entrant=replace(
                entrant, bots=tuple(replace(bot, isolation=isolation or bot.isolation) for bot in entrant.bots)
            ),
            hosting=hosting,
        )
        for entrant in entrants
    ]


def _listed(entrants: tuple[Entrant, ...]) -> str:
    return ", ".join(entrant.bots[0].spec for entrant in entrants)


def is_whole_configuration(spec: str) -> bool:
    """Returns whether a spec names a configuration, and no bot of it."""
    return spec.endswith(CONFIGURATIONS)
