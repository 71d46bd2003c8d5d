"""Finding what a spec means: a path, a module, an installed name, a folder, or a command.

No bot is imported. Modules are looked up part by part, because asking for the place of
`pkg.mod` the usual way would run `pkg`.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from tournament.entrants.choosing import choose, games_of, nearly_bots, no_bot, version_of
from tournament.entrants.fingerprint import bytes_of, fingerprint, missing, names_in, relative_name
from tournament.entrants.model import BotKind, BotSource
from tournament.entrants.reading import BotClass, Module, Reader, parse
from tournament.errors import BotError, did_you_mean
from tournament.records.hosting import ClockEntry, Isolation, LimitsEntry
from tournament.records.paths import data_folder

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "tournament.bots"
"""The entry-point group of installed bots."""


class Settings(Struct, frozen=True, kw_only=True):
    """What a configuration says about a bot beside where it is."""

    params: dict[str, Any] = {}
    version: str | None = None
    games: tuple[str, ...] = ()
    """The games it is to play; empty: all the bot plays."""

    files: tuple[str, ...] = ()
    """Further files that belong to the bot, as written."""

    isolation: Isolation | None = None
    python: str | None = None
    """The Python of an environment, or its folder, as written."""

    env: dict[str, str] = {}
    limits: LimitsEntry | None = None
    clock: ClockEntry | None = None


class Found(NamedTuple):
    """One bot, and the name it gets when nobody gives it one."""

    name: str
    source: BotSource


class _Code(NamedTuple):
    """A Python file that has bots."""

    spec: str
    reader: Reader
    module: Module
    dotted: str | None
    """Its name as a module, when it is an installed one."""


class Finder:
    """Finds bots by their specs; paths are relative to one folder."""

    def __init__(self, base: Path, *, games: Iterable[str], unread: list[BotError] | None = None) -> None:
        """Takes an absolute folder, the names of all games there are, and where to note what of a folder is broken."""
        self._base = base
        self._games = tuple(games)
        self._unread = unread

    def find(self, spec: object, settings: Settings) -> list[Found]:
        """Returns the bots of a spec: one, or every bot of a folder. Raises `BotError` when there is none."""
        if isinstance(spec, os.PathLike):
            spec = os.fspath(spec)
        if isinstance(spec, list | tuple):
            return [self._command(spec, settings)]
        if not isinstance(spec, str) or not spec.strip():
            raise BotError(
                "A bot is written as a path, a module (pkg.mod:Class), an installed name or a command "
                f'(["./program", "--flag"]), not as {spec!r}.'
            )
        where, class_name = _split(spec)
        path = self._path(where)
        if os.path.isdir(path):
            if class_name is not None:
                raise BotError(
                    f'"{where}" is a folder. Name the file that has {class_name}: {where}/FILE.py:{class_name}.'
                )
            return self._folder(path, where, settings)
        if os.path.isfile(path) or "/" in where or "\\" in where or where.endswith(".py"):
            return [self._file(path, spec, settings)]
        if class_name is not None:
            return [self._module(where, class_name, spec, settings)]
        return [self._installed(where, settings)]

    def check_games(self, games: Iterable[str], *, of: str) -> None:
        """Raises `BotError` for the first name that is no game; `of` says whose games they are."""
        for game in games:
            if game not in self._games:
                raise BotError(
                    f'{of}: there is no game "{game}".{did_you_mean(game, self._games)} '
                    f"Known games: {', '.join(self._games)}."
                )

    def _path(self, name: str) -> Path:
        """Returns the absolute path; `bots/...` that is not there is one of the examples that come along."""
        path = self._base / name
        top, *rest = Path(name).parts or ("",)
        if top == "bots" and not path.exists() and (shipped := data_folder("bots").joinpath(*rest)).exists():
            path = shipped
        return Path(os.path.abspath(path))

    def _folder(self, folder: Path, where: str, settings: Settings) -> list[Found]:
        found: list[Found] = []
        broken: list[BotError] = []
        others: list[_Code] = []
        imported: set[str] = set()
        for path in sorted(folder.glob("*.py")):
            if path.name.startswith("_") or not path.is_file():
                continue
            try:
                code = _read_file(path, f"{where.rstrip('/')}/{path.name}")
                imported |= {name.removeprefix(".").partition(".")[0] for name in code.module.imports}
                bots = self._all_of(code, settings)
            except BotError as error:
                broken.append(error)
                continue
            found += bots
            if not bots:
                others.append(code)
        for code in others:
            if code.module.path.stem not in imported:  # else it is a part of a bot
                broken += nearly_bots(code.reader, code.module, code.spec)
        if broken and self._unread is None:
            # Leaving it out would make a tournament without a bot that was meant to play.
            raise BotError("\n".join([*map(str, broken), f'Or take what is broken out of the folder "{where}".']))
        if self._unread is not None:
            self._unread += broken
        if not found and not broken:
            raise BotError(
                f'The folder "{where}" ({folder}) has no bot. {no_bot("in a .py file that does not start with _")}'
            )
        return found

    def _all_of(self, code: _Code, settings: Settings) -> list[Found]:
        """Returns every bot of a file; none for a file without."""
        bots = sorted(code.reader.bots(code.module), key=lambda bot: bot.name)
        if len(bots) == 1:
            return [self._python(bots[0], code, settings)]
        return [self._python(bot, code._replace(spec=f"{code.spec}:{bot.name}"), settings) for bot in bots]

    def _file(self, path: Path, spec: str, settings: Settings) -> Found:
        where, class_name = _split(spec)
        if not os.path.isfile(path):
            raise missing(path, where)
        if path.suffix != ".py":
            raise BotError(f'"{where}" is no Python file. A program in another language is a command: ["./{where}"].')
        code = _read_file(path, where)
        return self._python(choose(code.reader, code.module, where, class_name), code._replace(spec=spec), settings)

    def _module(self, dotted: str, class_name: str | None, spec: str, settings: Settings) -> Found:
        path = _module_path(dotted, spec)
        package = dotted.split(".") if path.name == "__init__.py" else dotted.split(".")[:-1]
        reader = Reader(path.parents[len(package)], top=dotted.partition(".")[0])
        module = _checked(reader, path, tuple(package), dotted)
        bot = choose(reader, module, dotted, class_name)
        return self._python(bot, _Code(spec, reader, module, dotted), settings)

    def _installed(self, name: str, settings: Settings) -> Found:
        from importlib import metadata  # slow to import, and every process of a bot imports this file

        points: dict[str, EntryPoint] = {}
        for point in metadata.entry_points(group=GROUP):
            points.setdefault(point.name, point)
        if name not in points:
            known = f"Installed bots: {', '.join(sorted(points))}." if points else "No bots are installed."
            form = f" A class of a module is written {name}:Class." if "." in name else ""
            raise BotError(
                f'"{name}" is no installed bot, and {self._base} has no file or folder of that name.'
                f"{did_you_mean(name, [*sorted(points), *names_in(self._base)])} {known}{form}"
            )
        return self._module(points[name].module, points[name].attr or None, name, settings)._replace(name=name)

    def _python(self, bot: BotClass, code: _Code, settings: Settings) -> Found:
        games = games_of(bot, code.spec)
        self.check_games(games, of=f"{bot.name} in {code.spec}")
        for game in settings.games:
            if games and game not in games:
                raise BotError(
                    f"{bot.name} in {code.spec} does not play {game}, only {', '.join(games)}. "
                    f"Give another bot for {game}, or leave {game} out."
                )
        several = len(code.reader.bots(code.module)) > 1
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
            isolation=settings.isolation,
            python=self._interpreter(settings.python),
            env=settings.env,
            limits=settings.limits,
            clock=settings.clock,
            fingerprint=fingerprint(
                {"class": bot.name, "params": settings.params, **_environment_facts(settings)},
                {**self._files(settings), **code.reader.reach(code.module, code.dotted)},
            ),
        )
        stem = code.module.path.stem if code.dotted is None else code.dotted.rpartition(".")[2]
        return Found(bot.name.lower() if several else stem, source)

    def _command(self, words: Sequence[object], settings: Settings) -> Found:
        command = tuple(word for word in words if isinstance(word, str))
        if not command or len(command) < len(words) or not command[0].strip():
            raise BotError(f'A command is a list of texts, such as ["./program", "--fast"], not {list(words)!r}.')
        program, files = command[0], self._files(settings)
        if "/" in program or "\\" in program:
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
            isolation=settings.isolation,
            env=settings.env,
            limits=settings.limits,
            clock=settings.clock,
            fingerprint=fingerprint(
                {"command": list(command), "params": settings.params, **_environment_facts(settings)}, files
            ),
        )
        return Found(Path(program).stem, source)

    def _interpreter(self, written: str | None) -> str | None:
        """Returns the Python that a user wrote: a program, or the folder of a virtual environment."""
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

    def _files(self, settings: Settings) -> dict[str, bytes]:
        """Returns the bytes of the files that a configuration lists, by the names it gives them."""
        return {f"listed:{relative_name(name)}": bytes_of(self._path(name), name) for name in settings.files}


def _environment_facts(settings: Settings) -> dict[str, Any]:
    """Returns what else makes a bot play as it does; nothing where nothing is said, so that fingerprints stay."""
    return {"env": settings.env} if settings.env else {}


def _split(spec: str) -> tuple[str, str | None]:
    """Returns the two parts of `bots/greedy.py:Greedy`; what follows a drive letter is no class."""
    where, _, name = spec.rpartition(":")
    return (where, name) if where and name.isidentifier() else (spec, None)


def _read_file(path: Path, spec: str) -> _Code:
    reader = Reader(path.parent)
    return _Code(spec, reader, _checked(reader, path, (), spec), None)


def _checked(reader: Reader, path: Path, package: tuple[str, ...], spec: str) -> Module:
    """Returns the file of a bot. Raises `BotError` when it is not Python."""
    module = reader.read(path, package)
    try:
        parse(module.data)
    except SyntaxError as error:
        raise BotError(
            f'"{spec}" cannot be read as Python: line {error.lineno or 1}: {error.msg}. Mend it: {path}'
        ) from None
    except ValueError as error:
        raise BotError(f'"{spec}" cannot be read as Python: {error}. Mend it: {path}') from None
    return module


def _module_path(dotted: str, spec: str) -> Path:
    """Returns the file of an installed module, without running its packages."""
    top, *rest = dotted.split(".")
    found = _top_level(top)
    name = top
    for part in rest:
        if found is None or found.submodule_search_locations is None:
            break
        # By its last part alone: a full name would ask sys.modules for its package.
        found = PathFinder.find_spec(part, list(found.submodule_search_locations))
        name = f"{name}.{part}"
    if found is None or name != dotted:
        raise BotError(
            f'There is no module "{name if found is None else dotted}", wanted for "{spec}". '
            "Install the package that has it into this Python, or write the path of the file."
        )
    if found.origin is None or not found.origin.endswith(".py") or not Path(found.origin).is_file():
        raise BotError(
            f'"{dotted}" is no module written in Python as a file, so its bots cannot be read. Name another.'
        )
    return Path(os.path.abspath(found.origin))


def _top_level(name: str) -> ModuleSpec | None:
    for finder in sys.meta_path:
        found = finder.find_spec(name, None)
        if found is not None:
            return found
    return None
