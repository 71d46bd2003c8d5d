"""Collects every bot of a folder and of the folders of authors in it, and chooses the class that a spec means.

What is broken and what has no bot is noted.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from tournament import examples
from tournament.entrants.folders import Folder, is_empty, look_into, sort_out
from tournament.entrants.model import Found
from tournament.entrants.module import Module
from tournament.entrants.reader import BotClass, Code, Reader
from tournament.errors import BotError, did_you_mean

VERSION_CHARACTERS = 64


def no_bot(where: str) -> str:
    """Returns the sentence that says what a bot is, and where it has to stand."""
    return f"A bot is a class that derives from tournament.Bot and has an act method, {where}."


def choose(reader: Reader, module: Module, spec: str, class_name: str | None) -> BotClass:
    """Returns the bot of a file: the one that is named, or its only one.

    Raises `BotError` when the file has no bot, several of which none is named, or none of that name.
    """
    bots = reader.bots(module)
    names = [bot.name for bot in bots]
    if class_name is None:
        if len(bots) == 1:
            return bots[0]
        if bots:
            raise BotError(f'"{spec}" has several bots: {", ".join(names)}. Name one of them: {spec}:{names[0]}.')
        raise BotError(f'"{spec}" has no bot. {no_bot("on the top level of its file")}')
    bot = reader.bot(module, class_name)
    if class_name not in module.classes:
        has = f"It has: {', '.join(names)}." if names else "It has no bot."
        raise BotError(f'"{spec}" has no class "{class_name}".{did_you_mean(class_name, names)} {has}')
    if bot is None or class_name.startswith("_"):
        why = "does not derive from tournament.Bot" if bot is None else "is private: its name starts with _"
        raise BotError(f'"{class_name}" in "{spec}" is no bot: it {why}. {_bots(names)}')
    if not bot.has_act:
        raise BotError(
            f'"{class_name}" in "{spec}" has no act method. Write one, or name another class. {_bots(names)}'
        )
    return bot


def nearly_bots(reader: Reader, module: Module, spec: str) -> Iterator[BotError]:
    """Yields why classes that derive from `Bot`, or have an act method, are no bots, in a file that has none."""
    for name in module.classes:
        if not name.startswith("_") and (reader.bot(module, name) is not None or module.has_act(name)):
            try:
                choose(reader, module, spec, name)
            except BotError as error:
                yield error


def games_of(bot: BotClass, spec: str) -> tuple[str, ...]:
    """Returns the games that a class says it plays; empty: every game. Raises `BotError` when they cannot be read."""
    games = _value(bot, "games", ())
    if isinstance(games, tuple | list) and all(isinstance(game, str) for game in games):
        return tuple(games)
    raise BotError(
        f'The games of {bot.name} in {spec} cannot be read. Write their names out: games = ("{examples.GAME}",). '
        "To play every game, leave it out."
    )


def players_of(bot: BotClass, spec: str) -> tuple[int, ...]:
    """Returns the numbers of players that a class says it plays with; empty: every number.

    Raises `BotError` when they cannot be read. A single constant that is no number of players is an attribute of the
    author's own, of bots that are older than this one.
    """
    players = _value(bot, "players", ())
    is_own = "players" in bot.values and isinstance(bot.values["players"], ast.Constant)
    if is_own and (not isinstance(players, int) or players < 2):
        return ()
    if isinstance(players, tuple | list) and all(type(one) is int and one > 1 for one in players):
        return tuple(players)
    raise BotError(
        f"The players of {bot.name} in {spec} cannot be read. Write the numbers of players out: players = (2,). "
        "To play with every number, leave it out."
    )


def check_params(bot: BotClass, spec: str, params: Collection[str], *, needs_all: bool) -> None:
    """Raises `BotError` for a parameter that the `__init__` of a class certainly does not take.

    With `needs_all` also for one that it certainly needs and is not given.
    """
    if bot.parameters is None:
        return
    known, required, takes_others = bot.parameters
    for name in params:
        if name not in known and not takes_others:
            taken = f"`__init__` of {bot.name} takes {', '.join(known)}" if known else f"{bot.name} takes none"
            raise BotError(
                f'{bot.name} in {spec} has no parameter "{name}".{did_you_mean(name, known)} {taken}. '
                f"Take {name} out of params."
            )
    lacking = [name for name in required if name not in params]
    if needs_all and lacking:
        values = ", ".join(f"{name}: VALUE" for name in lacking)
        them = "it a value" if len(lacking) == 1 else "each a value"
        raise BotError(
            f"`__init__` of {bot.name} in {spec} needs {' and '.join(lacking)}. Give {them} in the entry of "
            f"the bot, params: {{{values}}}, or a default in `__init__`."
        )


def version_of(bot: BotClass, spec: str) -> str:
    """Returns the version that a class gives itself. Raises `BotError` when it is no short text."""
    version = _value(bot, "version", "1")
    if isinstance(version, str) and is_version(version):
        return version
    raise BotError(f'The version of {bot.name} in {spec} cannot be read. Write it out as a short text: version = "2".')


def is_version(text: str) -> bool:
    """Returns whether a text can stand as a version in a record."""
    return 1 <= len(text) <= VERSION_CHARACTERS and text.isprintable()


def _bots(names: list[str]) -> str:
    return f"Its bots: {', '.join(names)}." if names else "The file has no bot."


def _value(bot: BotClass, name: str, default: object) -> object:
    """Returns a value that a class sets; None when it is not written out but computed."""
    if name not in bot.values:
        return default
    try:
        return ast.literal_eval(bot.values[name])
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


MOST_DEPTH: Final = 3
"""How many folders deep bots are looked for."""


class Collected(NamedTuple):
    """What was found in some paths."""

    found: list[Found]
    broken: list[BotError]
    passed_over: list[str]
    """Paths that have no bot, as a user would write them."""


@dataclass(frozen=True, kw_only=True)
class Collector:
    """Looks through folders of bots."""

    read: Callable[[Path, str], Code]
    """Reads a file, which a user wrote as a text."""

    bots_of: Callable[[Code, Path], list[Found]]
    programs: Collection[Path]
    """The files that take part as commands."""

    with_folders: bool
    """False: only the files of a folder are read, as in tournament 0.1.0."""

    def folder(self, folder: Path, where: str, *, depth: int = 0) -> Collected:
        """Returns every bot of a folder, which a user wrote as `where`. Raises `BotError` when it cannot be listed."""
        if not self.with_folders:
            paths = [path for path in sorted(folder.glob("*.py")) if path.is_file() and path.name[0] != "_"]
            return self._through(Folder(tuple(paths), (), (), ()), _shown(paths, where), depth)._replace(passed_over=[])
        inside = look_into(folder, where)
        return self._through(inside, _shown((*inside.modules, *inside.folders, *inside.programs), where), depth)

    def paths(self, named: Mapping[Path, str]) -> Collected:
        """Returns every bot of some files and folders, each given with how a user writes it."""
        return self._through(sort_out(list(named.items())), named, 0)

    def _through(self, inside: Folder, shown: Mapping[Path, str], depth: int) -> Collected:
        found: list[Found] = []
        broken = list(inside.broken)
        passed_over = [shown[path] for path in inside.programs if path not in self.programs]
        others: list[Code] = []
        imported: set[str] = set()
        for path in inside.modules:
            try:
                code = self.read(path, shown[path])
                imported |= {name.removeprefix(".").partition(".")[0] for name in code.module.imports}
                bots = self.bots_of(code, path)
            except BotError as error:
                broken.append(error)
                continue
            found += bots
            if not bots:
                others.append(code)
        for code in others:
            if code.module.path.stem not in imported:  # one that is imported is a part of a bot
                nearly = list(nearly_bots(code.reader, code.module, code.spec))
                broken += nearly
                passed_over += [] if nearly else [code.spec]
        for path in inside.folders:
            if path.name not in imported and depth < MOST_DEPTH:
                author = self._author(path, shown[path], depth=depth + 1)
                found += author.found
                broken += author.broken
                passed_over += author.passed_over
        return Collected(found, broken, passed_over)

    def _author(self, folder: Path, where: str, *, depth: int) -> Collected:
        """Returns the bots of a folder in a folder; a single bot is named after it."""
        try:
            collected = self.folder(folder, where, depth=depth)
        except BotError as error:
            return Collected([], [error], [])
        if len(collected.found) == 1:
            return collected._replace(found=[collected.found[0]._replace(name=folder.name)])
        if collected == Collected([], [], []) and not is_empty(folder):
            return Collected([], [], [where])
        return collected


def _shown(paths: Collection[Path], where: str) -> dict[Path, str]:
    return {path: f"{where.rstrip('/')}/{path.name}" for path in paths}
