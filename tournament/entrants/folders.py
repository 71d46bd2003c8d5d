"""What lies in folders of bots, which files are part of a bot, and where links may lead; nothing is run."""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tournament.entrants.commands import INTERPRETERS, files_named, script_of
from tournament.entrants.fingerprint import bytes_of, relative_name
from tournament.entrants.reader import Reader
from tournament.errors import BotError
from tournament.paths import data_folder

MOST_FILES: Final = 10_000
MOST_BYTES: Final = 1_073_741_824
"""A folder with more than these is no bot's own: somebody's project, or their home."""

MOST_DEPTH: Final = 32
MARKED_BYTES: Final = 65_536
"""So much is read of a file to see whether it is a configuration, or was written by this program."""

CACHES: Final = frozenset({"__pycache__", "__pypackages__"})
ENVIRONMENT_FILE: Final = "pyvenv.cfg"
RUN_FILE: Final = "run.json"
_CONFIGURATION: Final = re.compile(rb"^(bots|games)[ \t]*:", re.MULTILINE)
_WRITTEN: Final = re.compile(rb'"format" ?: ?"tournament-')


def is_apart(path: Path) -> bool:
    """Returns whether a file or folder is nobody's part: hidden, a cache, an environment of Python, a run."""
    if path.name.startswith(".") or path.name in CACHES:
        return True
    return (path / ENVIRONMENT_FILE).is_file() or (path / RUN_FILE).is_file()


def files_of(folder: Path) -> dict[str, Path] | None:
    """Returns the files of a folder by their names below it; None when they are too many for one bot's.

    Left out are hidden ones, caches, environments of Python, run folders, configurations of tournaments, and what
    this program wrote. Links are followed, but for those that lead round in a circle.
    """
    files: dict[str, Path] = {}
    size = 0
    for path in _walk(folder, (os.path.realpath(folder),)):
        try:
            found = path.stat()
        except OSError:
            continue  # a link to nowhere has nothing in it
        if not stat.S_ISREG(found.st_mode) or path.suffix == ".pyc" or _is_ours(path):
            continue
        files[path.relative_to(folder).as_posix()] = path
        size += found.st_size
        if len(files) > MOST_FILES or size > MOST_BYTES:
            return None
    return files


class Contents(NamedTuple):
    """What a folder consists of."""

    files: dict[str, Path] | None
    """By their names below it; None when they are too many for one bot's."""

    with_bots: frozenset[str]
    """Which of its files have a bot."""


def contents_of(folder: Path) -> Contents:
    """Returns what a folder consists of, and where in it bots are.

    A file deeper in it is read only when it says `tournament`: every bot there, or a base of it, does.
    """
    files = files_of(folder)
    modules = {name: path for name, path in (files or {}).items() if path.suffix == ".py"}
    return Contents(files, frozenset(name for name, path in modules.items() if _has_bot(folder, name, path)))


def _has_bot(folder: Path, name: str, path: Path) -> bool:
    reader = Reader(folder if "/" not in name else path.parent)
    try:
        module = reader.read(path)
        return ("/" not in name or b"tournament" in module.data) and bool(reader.bots(module))
    except BotError:
        return False  # it cannot be read, and so play


def _walk(folder: Path, above: tuple[str, ...]) -> Iterator[Path]:
    """Yields all that is no folder below a folder, sorted; `above` are the real paths on the way to it."""
    try:
        children = sorted(folder.iterdir())
    except OSError:
        return
    for path in children:
        if is_apart(path):
            continue
        if not path.is_dir():
            yield path
        elif (real := os.path.realpath(path)) not in above and len(above) < MOST_DEPTH:
            yield from _walk(path, (*above, real))


def _is_ours(path: Path) -> bool:
    """Returns whether a file is a configuration, or was written by this program: no bot's part, and often changed."""
    marks = {".yaml": _CONFIGURATION, ".yml": _CONFIGURATION, ".json": _WRITTEN, ".jsonl": _WRITTEN}
    mark = marks.get(path.suffix)
    if mark is None:
        return False
    try:
        with path.open("rb") as file:
            return mark.search(file.read(MARKED_BYTES)) is not None
    except OSError:
        return False


PYTHON: Final = ".py"


class Folder(NamedTuple):
    """What lies in a folder, each sorted by name; what is hidden or begins with `_` is private and in none."""

    modules: tuple[Path, ...]
    """Files of Python."""

    folders: tuple[Path, ...]
    programs: tuple[Path, ...]
    """Files that look like programs in other languages."""

    broken: tuple[BotError, ...]
    """Links that lead nowhere."""


def path_of(name: str, *, base: Path) -> Path:
    """Returns the absolute path; `bots/...` that is not there is one of the examples that come along."""
    path = base / name
    top, *rest = Path(name).parts or ("",)
    if top == "bots" and not path.exists() and (shipped := data_folder("bots").joinpath(*rest)).exists():
        path = shipped
    return Path(os.path.abspath(path))


def look_into(folder: Path, where: str) -> Folder:
    """Returns what lies in a folder that a user calls `where`. Raises `BotError` when it cannot be listed."""
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise BotError(
            f'The folder "{where}" cannot be listed: {error.strerror}. See to its permissions: {folder}'
        ) from None
    return sort_out([(path, f"{where.rstrip('/')}/{path.name}") for path in paths])


def sort_out(named: list[tuple[Path, str]]) -> Folder:
    """Returns paths by what they can be; each stands beside what a user calls it."""
    modules, folders, programs, broken = [], [], [], []
    for path, shown in named:
        if path.name.startswith("_") or is_apart(path):
            continue
        if path.is_dir():
            folders.append(path)
        elif path.is_file():
            if path.suffix == PYTHON:
                modules.append(path)
            elif path.suffix in INTERPRETERS or os.access(path, os.X_OK):
                programs.append(path)
        elif path.is_symlink():
            broken.append(
                BotError(f'"{shown}" is a link to {os.readlink(path)}, which is not there. Mend it, or take it out.')
            )
    return Folder(tuple(modules), tuple(folders), tuple(programs), tuple(broken))


def is_empty(folder: Path) -> bool:
    """Returns whether nothing lies in a folder but what is nobody's part."""
    return all(map(is_apart, folder.iterdir()))


def is_pattern(where: str) -> bool:
    """Returns whether a spec stands for all paths of a form, such as `submissions/*`."""
    return glob.has_magic(where)


def matches(base: Path, where: str) -> list[str]:
    """Returns what a pattern stands for, sorted, as a user would write each; hidden and private ones are left out."""
    found = glob.glob(where, root_dir=base, recursive=True)
    if not found and where.startswith("bots/"):  # the examples that come along
        found = glob.glob(where, root_dir=data_folder("bots").parent, recursive=True)
    return sorted(name for name in found if not Path(name).name.startswith("_"))


def check_listed(path: Path, name: str, *, own: Path) -> None:
    """Raises `BotError` for a listed file that is a link out of the bot's folder, or out of its own where it is named.

    Who hands in a link to a key is not shown the key; a host who wants it so names the file itself.
    """
    real = Path(os.path.realpath(path))
    home = own if path.is_relative_to(own) else path.parent
    if not real.is_relative_to(os.path.realpath(home)):
        raise BotError(
            f'files: "{name}" is a link that leads out of {home}, to {real}. '
            "Put the file itself there, or list the path that it leads to."
        )


def check_named(path: Path, name: str) -> None:
    """Raises `BotError` for a file on a command that is a link elsewhere, to what others may not read."""
    real = Path(os.path.realpath(path))
    if real.is_relative_to(os.path.realpath(path.parent)) or not real.exists():
        return
    needed = 0o005 if real.is_dir() else 0o004
    if real.stat().st_mode & needed != needed:
        raise BotError(
            f'"{name}" is a link that leads to {real}, which others may not read. '
            "Put the file itself there, or write the path that it leads to."
        )


class Parts:
    """The parts of the bots of one configuration; a folder is looked at once."""

    def __init__(self, base: Path, *, programs: Collection[Path]) -> None:
        """Takes the folder that paths start at, and the files that commands of the configuration name."""
        self._base = base
        self._programs = programs
        self._contents: dict[Path, Contents] = {}

    def own(self, folder: Path, reached: Collection[str]) -> dict[str, Path] | None:
        """Returns every file of a folder, when it is the own one of a bot that imports what is `reached` in it.

        None for a folder in which another bot lies: one bot's files must not change another's fingerprint.
        """
        contents = self._contents_of(folder)
        if contents.with_bots - set(reached) or self._has_program(folder):
            return None
        return contents.files

    def own_of_command(self, command: Sequence[str]) -> dict[str, Path] | None:
        """Returns every file of the folder in which a command's own file lies; None where another bot lies there."""
        named = {word: Path(os.path.abspath(path)) for word, path in files_named(command, self._base).items()}
        script = script_of(command, self._base)
        if script is None or script not in named:
            return None
        folder = named[script].parent
        contents = self._contents_of(folder)
        if contents.with_bots or self._has_program(folder, but=named.values()):
            return None
        return contents.files

    def named(self, command: Sequence[str], *, listed: Collection[str]) -> dict[str, bytes | Path]:
        """Returns the files that the arguments of a command name; those that are `listed` come no second time."""
        return {
            f"named:{relative_name(word)}": Path(os.path.abspath(path))
            for word, path in files_named(command, self._base).items()
            if word != command[0] and word not in listed
        }

    def listed(self, names: Sequence[str], *, own: Path) -> dict[str, bytes | Path]:
        """Returns the files that a configuration lists, by the names it gives them; of a folder all in it.

        `own` is the bot's folder. Raises `BotError` for one that is not there, and for a link that leads elsewhere.
        """
        files: dict[str, bytes | Path] = {}
        for name in names:
            path = path_of(name, base=self._base)
            check_listed(path, name, own=own)
            inside = files_of(path) if path.is_dir() else None
            if inside is None:
                files[f"listed:{relative_name(name)}"] = bytes_of(path, name)
            else:
                files |= {f"listed:{relative_name(name)}/{inner}": found for inner, found in inside.items()}
        return files

    def _contents_of(self, folder: Path) -> Contents:
        if folder not in self._contents:
            self._contents[folder] = contents_of(folder)
        return self._contents[folder]

    def _has_program(self, folder: Path, *, but: Collection[Path] = ()) -> bool:
        """Returns whether a command of the configuration has a file in a folder, beside those that are left out."""
        return any(path not in but and path.is_relative_to(folder) for path in self._programs)
