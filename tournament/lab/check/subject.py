"""Which bot is checked, what it is to play, and how it is hosted."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from tournament.configuration.bot_file import NO_PROGRAM, entry_of, parse_bot_file
from tournament.configuration.bots import build
from tournament.configuration.file import ConfigurationSource, read_configuration
from tournament.configuration.resolving import find_entrants, hosting_of
from tournament.configuration.rules import clashes, group_games
from tournament.configuration.types import DEFAULT_GAMES
from tournament.entrants.entries import entrants_from
from tournament.entrants.model import Entrant
from tournament.errors import BotError, ConfigurationError, UsageError, did_you_mean
from tournament.games import game_names, load_game
from tournament.ids import format_group
from tournament.lab.check.fixed_games import TriedTable
from tournament.paths import real_path
from tournament.plain_yaml import YamlError
from tournament.players.preparation import build_bots, default_isolation
from tournament.records.record import name_problem
from tournament.records.settings import Hosting, Isolation
from tournament.store.layout import BOT_FILE, YAML_SUFFIXES
from tournament.text import composed

BOT_NAME: Final = "bot"
"""Of a bot in a folder whose own name is none for a bot."""


class Subject(Struct, frozen=True, kw_only=True):
    """A bot to be checked, and how it is hosted."""

    entrant: Entrant
    hosting: Hosting
    tables: tuple[TriedTable, ...]
    """What it is to play."""

    is_configured: bool = False
    """Whether a configuration says what it is to play: then it must play all of that."""

    packages: tuple[str, ...] | None = None
    """What it may import beside the standard library, where a host decides that; None where its author does."""


def find_bot(spec: str, *, isolation: Isolation | None, is_command: bool, say: Callable[[str], object]) -> Subject:
    """Returns the one bot that a spec names; of a folder with a `bot.yaml` the one that this describes.

    Raises `BotError` when there is none, or more than one, and `ConfigurationError` for a `bot.yaml` that an arena
    would refuse.
    """
    where, _, name = spec.partition("#")
    if is_whole_configuration(where) and not is_command:
        return _named(where, name, isolation, say)
    bot_file = None if is_command else _bot_file_of(Path(spec))
    if bot_file is not None:
        return _handed_in(bot_file, isolation, say)
    found = entrants_from([shlex.split(spec) if is_command else spec], base=Path.cwd())
    if len(found) > 1:
        listed = ", ".join(entrant.bots[0].spec for entrant in found)
        raise BotError(f"{spec} has {len(found)} bots. Check one at a time: {listed}.")
    return Subject(
        entrant=found[0],
        hosting=Hosting(isolation=isolation or default_isolation()),
        tables=tuple(_tables_of(found[0])),
    )


def _bot_file_of(path: Path) -> Path | None:
    """Returns the `bot.yaml` that a path names, or that lies in the folder which it names; None where there is none."""
    path = path / BOT_FILE if path.is_dir() else path
    return path if path.name == BOT_FILE and path.is_file() else None


def _handed_in(path: Path, isolation: Isolation | None, say: Callable[[str], object]) -> Subject:
    """Returns the bot that a `bot.yaml` describes, built, as an arena would take it from this folder."""
    described, folder = parse_bot_file(path), path.parent
    entry = entry_of(folder, described)
    if entry is None:
        raise YamlError(path, None, NO_PROGRAM)
    name = composed(real_path(folder).name)
    entry["name"] = name if name_problem(name) is None else BOT_NAME
    if described.build is not None:
        build_bots([{**entry, "build": list(described.build)}], base=folder, say=say)
    (entrant,) = entrants_from([entry], base=folder)
    hosting = Hosting(isolation=isolation or default_isolation())
    return Subject(entrant=entrant, hosting=hosting, tables=tuple(_tables_of(entrant)))


def _tables_of(entrant: Entrant) -> Iterator[TriedTable]:
    """Yields every table that a bot says it plays, with the usual options."""
    for game in map(load_game, game_names()):
        if entrant.plays(game.name):
            known = entrant.bot_for(game.name).players
            for players in game.players:
                if entrant.plays(game.name, players) and (not known or players in known):
                    yield TriedTable(format_group(game.name, players), game, players, game.Options())


def _tables_in(source: ConfigurationSource, entrant: Entrant) -> Iterator[TriedTable]:
    """Yields the tables of a configuration that a bot is to play. Raises `BotError` when it does not play one."""
    seen: Counter[tuple[str, int]] = Counter()
    for game, players, options in group_games(source.file.games or DEFAULT_GAMES):
        seen[game.name, players] += 1
        if entrant.plays(game.name, players):
            entrant.check_players(game.name, players)
            yield TriedTable(format_group(game.name, players, number=seen[game.name, players]), game, players, options)


def read_checked(path: Path) -> ConfigurationSource:
    """Returns a configuration. Raises `ConfigurationError` when its fields contradict each other."""
    source = read_configuration(path)
    for clash in clashes(source.file):
        raise ConfigurationError(str(clash))
    return source


def _named(where: str, name: str, isolation: Isolation | None, say: Callable[[str], object]) -> Subject:
    """Returns a bot of a configuration, whose other bots may be missing."""
    source, name = read_checked(Path(where)), composed(name)
    if name:
        build(source, say=say, name=name)
    unread: list[BotError] = []
    subjects = subjects_in(source, isolation, unread)
    for entrant, own in subjects:
        if entrant.name == name:
            return subject_of(source, entrant, own)
    names = [entrant.name for entrant, _ in subjects]
    if not name:
        raise UsageError(f"Say which bot of {where}: {where}#{names[0]}. It has: {', '.join(names)}.")
    broken = "".join(f"\n{error}" for error in unread)
    raise BotError(f'{where} has no bot "{name}".{did_you_mean(name, names)} It has: {", ".join(names)}.{broken}')


def subject_of(source: ConfigurationSource, entrant: Entrant, hosting: Hosting) -> Subject:
    """Returns a bot of a configuration with the tables that it is to play there. Raises `BotError` without any."""
    tables = tuple(_tables_in(source, entrant))
    if not tables:
        raise BotError(
            f"{entrant.name} plays at no table of this configuration. Add a game that it plays, or a number of players."
        )
    return Subject(entrant=entrant, hosting=hosting, tables=tables, is_configured=True)


def subjects_in(
    source: ConfigurationSource, isolation: Isolation | None, unread: list[BotError]
) -> list[tuple[Entrant, Hosting]]:
    """Returns the bots of a configuration and how each is hosted; errors of others are added to `unread`."""
    entrants = find_entrants(source, unread=unread)
    hosting = hosting_of(source.file, entrants)
    if isolation is not None:
        hosting = replace(hosting, isolation=isolation)
        bots = [tuple(replace(bot, isolation=isolation) for bot in entrant.bots) for entrant in entrants]
        entrants = tuple(replace(entrant, bots=own) for entrant, own in zip(entrants, bots, strict=True))
    return [(entrant, hosting) for entrant in entrants]


def is_whole_configuration(spec: str) -> bool:
    """Returns whether a spec names a whole configuration, and not a bot of it, or a `bot.yaml`."""
    return Path(spec).suffix in YAML_SUFFIXES and Path(spec).name != BOT_FILE
