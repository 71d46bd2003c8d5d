"""Collects every bot of a folder and of the folders of authors in it, and notes what is broken and what has no bot."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from tournament.entrants.classes import nearly_bots
from tournament.entrants.folders import Folder, is_empty, look_into, sort_out
from tournament.entrants.model import Found
from tournament.entrants.reader import Code
from tournament.errors import BotError

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
