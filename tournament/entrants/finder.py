"""Finds the bots that a spec means: a path, a module, an installed name, a folder, or a command. None is imported."""

from __future__ import annotations

import glob
import json
import os
import shlex
import shutil
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tournament.entrants.collector import (
    Collected,
    Collector,
    check_params,
    choose,
    games_of,
    no_bot,
    players_of,
    version_of,
)
from tournament.entrants.files import bytes_of, fingerprint, missing, names_in, relative_name
from tournament.entrants.folders import (
    INTERPRETERS,
    Parts,
    as_entry,
    check_named,
    command_for,
    matches,
    path_of,
    script_of,
)
from tournament.entrants.model import BotKind, BotSource, Found, Settings, format_numbers
from tournament.entrants.module import Module, parse
from tournament.entrants.reader import BotClass, Code, Reader, module_path
from tournament.errors import BotError, did_you_mean
from tournament.ids import parse_spec
from tournament.paths import data_folder

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "tournament.bots"
"""The entry-point group of installed bots."""

FINDING_VERSION: Final = 2
"""The version of the rules by which bots are found, named and fingerprinted; 1 is that of tournament 0.1.0."""

NO_NAMES: Final = frozenset({"agent", "bot", "index", "main", "player", "run", "submission"})
"""Names of files that do not tell bots apart; such a bot is named after its folder."""


class Finder:
    """Finds bots by their specs; paths are relative to one folder."""

    def __init__(
        self,
        base: Path,
        *,
        games: Iterable[str],
        unread: list[BotError] | None = None,
        passed_over: list[str] | None = None,
        programs: Collection[Path] = (),
        version: int = FINDING_VERSION,
    ) -> None:
        """Takes an absolute folder, the names of all games, and a list for the errors of files in folders.

        Without the list `unread` such an error is raised. `passed_over` is a list for paths in folders that have no
        bot, `programs` are the files that commands of the configuration name, and `version` says by which rules bots
        are found, named and fingerprinted.
        """
        self._base = base
        self._games = tuple(games)
        self._unread = unread
        self._passed_over = [] if passed_over is None else passed_over
        self._programs = frozenset(programs)
        self._version = version
        self._parts = Parts(base, programs=self._programs)

    def find(self, spec: object, settings: Settings) -> list[Found]:
        """Returns the bots of a spec, several for a folder or pattern. Raises `BotError` when there is none."""
        if isinstance(spec, os.PathLike):
            spec = os.fspath(spec)
        if isinstance(spec, list | tuple):
            return [self._command(spec, settings)]
        if not isinstance(spec, str) or not spec.strip():
            raise BotError(
                "A bot is written as a path, a module (pkg.mod:Class), an installed name or a command "
                f'(["./program", "--flag"]), not as {spec!r}.'
            )
        where, class_name = parse_spec(spec)
        path = self._path(where)
        if os.path.isdir(path):
            if class_name is not None:
                raise BotError(
                    f'"{where}" is a folder. Name the file that has {class_name}: {where}/FILE.py:{class_name}.'
                )
            return self._folder(path, where, settings)
        if glob.has_magic(where) and not os.path.exists(path):
            return self._pattern(where, settings)
        if os.path.isfile(path) or "/" in where or "\\" in where or where.endswith(".py"):
            return [self._file(path, spec, settings)]
        if class_name is not None:
            return [self._module(where, class_name, spec, settings)]
        return [self._installed(where, settings)]

    def check_games(self, games: Iterable[str], *, of: str) -> None:
        """Raises `BotError` for the first name that is no game; its message begins with `of`."""
        for game in games:
            if game not in self._games:
                raise BotError(
                    f'{of}: there is no game "{game}".{did_you_mean(game, self._games)} '
                    f"Known games: {', '.join(self._games)}."
                )

    def _path(self, name: str) -> Path:
        return path_of(name, base=self._base)

    def _folder(self, folder: Path, where: str, settings: Settings) -> list[Found]:
        """Returns every bot of a folder, and of the folders in it, each of which belongs to one author."""
        collected = self._collector(settings).folder(folder, where)
        advice = f'\nOr take what is broken out of the folder "{where}".'
        return self._taken(
            collected,
            advice=advice,
            nothing=f'The folder "{where}" ({folder}) has no bot. {no_bot("in a .py file that does not start with _")}',
        )

    def _pattern(self, pattern: str, settings: Settings) -> list[Found]:
        names = matches(self._base, pattern)
        if not names:
            raise BotError(f'Nothing fits "{pattern}" in {self._base}. Write a path, or another pattern.')
        collected = self._collector(settings).paths({self._path(name): name.rstrip("/") for name in names})
        nothing = f'Nothing that fits "{pattern}" has a bot. {no_bot("in a .py file or in its folder")}'
        return self._taken(collected, nothing=nothing)

    def _collector(self, settings: Settings) -> Collector:
        return Collector(
            read=self._read_file,
            bots_of=lambda code, path: self._all_of(code, settings, path),
            programs=self._programs,
            with_folders=self._version > 1,
        )

    def _taken(self, collected: Collected, *, nothing: str, advice: str = "") -> list[Found]:
        """Returns the bots that were collected. Raises `BotError` for broken files, or with `nothing` without a bot."""
        if collected.broken and self._unread is None:
            # Left out silently, a bot that was meant to play would not.
            raise BotError("\n".join(map(str, collected.broken)) + advice)
        if self._unread is not None:
            self._unread += collected.broken
        self._passed_over += collected.passed_over
        if not collected.found and not collected.broken:
            programs = [path for path in collected.passed_over if Path(path).suffix in INTERPRETERS]
            raise BotError(nothing + (f" {as_entry(programs[0], self._path(programs[0]))}" if programs else ""))
        return collected.found

    def _all_of(self, code: Code, settings: Settings, path: Path) -> list[Found]:
        """Returns every bot of a file, which may have none."""
        bots = sorted(code.reader.bots(code.module), key=lambda bot: bot.name)
        if len(bots) == 1:
            return [self._python(bots[0], code, settings, path)]
        return [self._python(bot, code._replace(spec=f"{code.spec}:{bot.name}"), settings, path) for bot in bots]

    def _file(self, path: Path, spec: str, settings: Settings) -> Found:
        where, class_name = parse_spec(spec)
        if not os.path.isfile(path):
            raise missing(path, where)
        if path.suffix != ".py":
            words = command_for(where, path)
            raise BotError(
                f'"{where}" is no Python file. A program in another language is a command: {json.dumps(words)}; '
                f'for one check: tournament bot check --command "{shlex.join(words)}".'
            )
        code = self._read_file(path, where)
        bot = choose(code.reader, code.module, where, class_name)
        return self._python(bot, code._replace(spec=spec), settings, path)

    def _module(self, dotted: str, class_name: str | None, spec: str, settings: Settings) -> Found:
        path = module_path(dotted, spec)
        package = dotted.split(".") if path.name == "__init__.py" else dotted.split(".")[:-1]
        reader = Reader(path.parents[len(package)], top=dotted.partition(".")[0])
        module = _checked(reader, path, tuple(package), dotted)
        bot = choose(reader, module, dotted, class_name)
        return self._python(bot, Code(spec, reader, module, dotted), settings, path)

    def _installed(self, name: str, settings: Settings) -> Found:
        points: dict[str, EntryPoint] = {}
        for point in _installed_on(tuple(sys.path)):
            first = points.setdefault(point.name, point)
            if point.name == name and point.value != first.value:
                raise BotError(
                    f'Two packages bring a bot "{name}": {_package_of(first)} ({first.value}) and {_package_of(point)} '
                    f"({point.value}). Write which you mean, {first.value} or {point.value}, or uninstall one."
                )
        example = data_folder("bots") / f"{name}.py"
        if name not in points and not name.startswith("_") and os.path.isfile(example):
            return self._file(example, name, settings)
        if name not in points:
            known = (
                f"Installed bots: {', '.join(sorted(points))}."
                if points
                else "No bots are installed; give the file of a bot. `tournament bot list` shows the example bots."
            )
            form = f" A class of a module is written {name}:Class." if "." in name else ""
            near = did_you_mean(name, [*sorted(points), *names_in(self._base)])
            raise BotError(
                f'"{name}" is not an installed bot, and {self._base} has no file or folder of that name.'
                f"{near} {known}{form}"
            )
        return self._module(points[name].module, points[name].attr or None, name, settings)._replace(name=name)

    def _python(self, bot: BotClass, code: Code, settings: Settings, path: Path) -> Found:
        """Returns a bot of a file; `path` is how the user named the file, which may be a link."""
        games = games_of(bot, code.spec)
        self.check_games(games, of=f"{bot.name} in {code.spec}")
        for game in settings.games:
            if games and game not in games:
                raise BotError(
                    f"{bot.name} in {code.spec} does not play {game}, only {', '.join(games)}. "
                    f"Give another bot for {game}, or leave {game} out."
                )
        players = players_of(bot, code.spec)
        for number in settings.players:
            if players and number not in players:
                raise BotError(
                    f"{bot.name} in {code.spec} plays with {format_numbers(players)} players, not with {number}. "
                    f"Leave {number} out of players in its entry."
                )
        if self._version > 1:  # tournament 0.1.0 played on with a bot that fails to start
            # Where bots are only listed, no entry is there that could give what a bot needs.
            check_params(bot, code.spec, settings.params, needs_all=self._unread is None)
        several = len(code.reader.bots(code.module)) > 1
        reached = code.reader.reach(code.module, code.dotted)
        own = self._own(code, reached)
        source = BotSource(
            kind=BotKind.FILE if code.dotted is None else BotKind.MODULE,
            spec=code.spec,
            path=str(code.module.path),
            folder=str(code.module.path.parent),
            module=code.dotted,
            class_name=bot.name,
            files=tuple(str(self._path(name)) for name in settings.files),
            params=settings.params,
            version=settings.version or version_of(bot, code.spec),
            games=settings.games or games,
            players=players,
            seated=settings.players,
            isolation=settings.isolation,
            python=self._interpreter(settings.python),
            env=settings.env,
            limits=settings.limits,
            clock=settings.clock,
            owns_folder=own is not None,
            hides_library=self._version < 2,
            fingerprint=fingerprint(
                {"class": bot.name, "params": settings.params, **_environment_facts(settings)},
                {**self._parts.listed(settings.files, own=code.module.path.parent), **(own or {}), **reached},
            ),
        )
        if several:
            return Found(bot.name.lower(), source)
        return Found(self._file_name(path) if code.dotted is None else code.dotted.rpartition(".")[2], source)

    def _file_name(self, path: Path) -> str:
        """Returns the name of a bot after its file, or after its folder when the file has a name of `NO_NAMES`."""
        if self._version > 1 and path.stem in NO_NAMES and path.parent != self._base and path.parent.name:
            return path.parent.name
        return path.stem

    def _own(self, code: Code, reached: Mapping[str, bytes]) -> Mapping[str, Path] | None:
        """Returns every file of a Python bot's own folder; None when the folder is not its own."""
        if self._version < 2 or code.dotted is not None or len(code.reader.bots(code.module)) > 1:
            return None
        return self._parts.own(code.module.path.parent, reached)

    def _command(self, words: Sequence[object], settings: Settings) -> Found:
        command = tuple(word for word in words if isinstance(word, str))
        if not command or len(command) < len(words) or not command[0].strip():
            raise BotError(f'A command is a list of texts, such as ["./program", "--fast"], not {list(words)!r}.')
        program = command[0]
        is_own = "/" in program or "\\" in program
        named = {word: self._path(word) for word in command if os.path.exists(self._path(word))}
        for word, path in named.items():
            if self._base in path.parents:
                check_named(path, word)
        first = next((path for path in named.values() if path.is_file() and path.is_relative_to(self._base)), None)
        files = self._parts.listed(settings.files, own=self._base if first is None else first.parent)
        if is_own:
            path = self._path(program)
            files[relative_name(program)] = bytes_of(path, program)
            if not os.access(path, os.X_OK):
                raise BotError(f'"{program}" is not executable. Make it so: chmod +x {path}')
        else:
            place = shutil.which(program)
            if place is None:
                here = f"{self._base} has one: write ./{program}." if self._path(program).is_file() else ""
                raise BotError(
                    f'There is no program "{program}" on the search path. {here or "Install it, or write its path."}'
                )
            path = Path(place)
        own = None
        if self._version > 1:
            own = self._parts.own_of_command(command)
            files |= self._parts.named(command, listed=settings.files)
            files |= {f"own:{name}": inner for name, inner in (own or {}).items()}
        source = BotSource(
            kind=BotKind.COMMAND,
            spec=shlex.join(command),
            path=str(path),
            folder=str(self._base),
            command=command,
            files=tuple(str(self._path(name)) for name in settings.files),
            params=settings.params,
            version=settings.version or "1",
            games=settings.games,
            players=settings.players,
            seated=settings.players,
            isolation=settings.isolation,
            env=settings.env,
            limits=settings.limits,
            clock=settings.clock,
            owns_folder=own is not None,
            fingerprint=fingerprint(
                {"command": list(command), "params": settings.params, **_environment_facts(settings)}, files
            ),
        )
        script = script_of(command, self._base) if self._version > 1 else None
        return Found(Path(program).stem if script is None else self._file_name(self._path(script)), source)

    def _interpreter(self, written: str | None) -> str | None:
        """Returns the path of the Python that a user wrote, as a program or as the folder of a virtual environment."""
        if written is None:
            return None
        path = self._path(written)
        if os.path.isdir(path):
            path = path / "bin" / "python"
        if not os.access(path, os.X_OK) or os.path.isdir(path):
            raise BotError(
                f'python: "{written}" is no Python that can be run ({path}). Write the path of one, '
                "or the folder of a virtual environment."
            )
        return str(path)

    def _read_file(self, path: Path, spec: str) -> Code:
        """Returns a Python file. Of a link, the file that it leads to is read, because its helpers lie there."""
        if self._version > 1:
            path = _lies_at(path)
        reader = Reader(path.parent, hides_library=self._version < 2)
        return Code(spec, reader, _checked(reader, path, (), spec), None)


@cache
def _installed_on(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Returns the installed bots, for which every package is looked at. `path` is `sys.path`."""
    from importlib import metadata  # slow to import

    del path
    return tuple(metadata.entry_points(group=GROUP))


def _package_of(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "a package"


def _environment_facts(settings: Settings) -> dict[str, Any]:
    """Returns what an entry says of a bot's environment; nothing when it says nothing, so that fingerprints stay."""
    return {"env": settings.env} if settings.env else {}


def _lies_at(path: Path) -> Path:
    """Returns where a Python file really lies; a link stays as it is when the helpers lie beside the link."""
    real = Path(os.path.realpath(path))
    if real == path or real.suffix != path.suffix or not real.is_file():
        return path
    beside_link, beside_file = Reader(path.parent), Reader(real.parent)
    for name in beside_file.read(real).imports:
        if beside_file.find(name) is None and beside_link.find(name) is not None:
            return path
    return real


def _checked(reader: Reader, path: Path, package: tuple[str, ...], spec: str) -> Module:
    module = reader.read(path, package)
    try:
        parse(module.data)
    except SyntaxError as error:
        raise BotError(
            f'"{spec}" cannot be read as Python: line {error.lineno or 1}: {error.msg}. Fix it: {path}'
        ) from None
    except ValueError as error:
        raise BotError(f'"{spec}" cannot be read as Python: {error}. Fix it: {path}') from None
    return module
