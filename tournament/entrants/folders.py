"""What lies in folders of bots: the files of a bot, the program that a command runs, and where links may lead.

Nothing is run.
"""

from __future__ import annotations

import glob
import json
import os
import re
import stat
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tournament.entrants.files import bytes_of, relative_name
from tournament.entrants.reader import Reader
from tournament.errors import BotError
from tournament.paths import data_folder

MOST_FILES: Final = 10_000
MOST_BYTES: Final = 1_073_741_824
"""A folder with more files, or more bytes, belongs to no bot: it is somebody's project, or their home."""

MOST_DEPTH: Final = 32
MARKED_BYTES: Final = 65_536
"""How much of a file is read to see whether it is a configuration, or was written by this program."""

CACHES: Final = frozenset({"__pycache__", "__pypackages__"})
ENVIRONMENT_FILE: Final = "pyvenv.cfg"
RUN_FILE: Final = "run.json"
_CONFIGURATION: Final = re.compile(rb"^(bots|games)[ \t]*:", re.MULTILINE)
_WRITTEN: Final = re.compile(rb'"format" ?: ?"tournament-')


def is_apart(path: Path) -> bool:
    """Returns whether a path is part of no bot: hidden, a cache, a Python environment, or a run."""
    if path.name.startswith(".") or path.name in CACHES:
        return True
    return (path / ENVIRONMENT_FILE).is_file() or (path / RUN_FILE).is_file()


def files_of(folder: Path) -> dict[str, Path] | None:
    """Returns the files of a folder by their names below it; None when they are too many to belong to one bot.

    Hidden files, caches, Python environments, run folders, configurations of tournaments, and what this program wrote
    are left out. Links are followed, except those that lead back to a folder above.
    """
    files: dict[str, Path] = {}
    size = 0
    for path in _walk(folder, (os.path.realpath(folder),)):
        try:
            found = path.stat()
        except OSError:
            continue  # a link to nowhere
        if not stat.S_ISREG(found.st_mode) or path.suffix == ".pyc" or _is_ours(path):
            continue
        files[path.relative_to(folder).as_posix()] = path
        size += found.st_size
        if len(files) > MOST_FILES or size > MOST_BYTES:
            return None
    return files


class Contents(NamedTuple):
    """The files of a folder."""

    files: dict[str, Path] | None
    """By their names below it; None when they are too many to belong to one bot."""

    with_bots: frozenset[str]
    """The names of those that have a bot."""


def contents_of(folder: Path) -> Contents:
    """Returns the files of a folder, and which of them have a bot.

    A file in a folder below is parsed only if it says `tournament`, as every bot, or a base of it, does.
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
        return False  # what cannot be read cannot play


def _walk(folder: Path, above: tuple[str, ...]) -> Iterator[Path]:
    """Yields everything below a folder that is no folder, sorted; `above` are the real paths of the folders above."""
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
    """Returns whether a file is a configuration, or was written by this program: part of no bot, and often changed."""
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
    """What lies in a folder, sorted by name; hidden names, and those that begin with `_`, are left out."""

    modules: tuple[Path, ...]
    """Files of Python."""

    folders: tuple[Path, ...]
    programs: tuple[Path, ...]
    """Files that look like programs in other languages."""

    broken: tuple[BotError, ...]
    """Links that lead nowhere."""


def path_of(name: str, *, base: Path) -> Path:
    """Returns the absolute path of a name; `bots/...` that does not exist means the examples of this package."""
    path = base / name
    top, *rest = Path(name).parts or ("",)
    if top == "bots" and not path.exists() and (shipped := data_folder("bots").joinpath(*rest)).exists():
        path = shipped
    return Path(os.path.abspath(path))


def look_into(folder: Path, where: str) -> Folder:
    """Returns what lies in a folder, which a user wrote as `where`. Raises `BotError` when it cannot be listed."""
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise BotError(
            f'The folder "{where}" cannot be listed: {error.strerror}. See to its permissions: {folder}'
        ) from None
    return sort_out([(path, f"{where.rstrip('/')}/{path.name}") for path in paths])


def sort_out(named: list[tuple[Path, str]]) -> Folder:
    """Returns paths sorted by what they can be; each is given with how a user writes it."""
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
                BotError(f'"{shown}" is a link to {os.readlink(path)}, which is not there. Fix it, or take it out.')
            )
    return Folder(tuple(modules), tuple(folders), tuple(programs), tuple(broken))


def is_empty(folder: Path) -> bool:
    """Returns whether a folder has nothing that could be part of a bot."""
    return all(map(is_apart, folder.iterdir()))


def matches(base: Path, where: str) -> list[str]:
    """Returns the paths that fit a pattern, sorted, as a user would write them, without hidden and private ones."""
    found = glob.glob(where, root_dir=base, recursive=True)
    if not found and where.startswith("bots/"):  # the examples of this package
        found = glob.glob(where, root_dir=data_folder("bots").parent, recursive=True)
    return sorted(name for name in found if not Path(name).name.startswith("_"))


def check_listed(path: Path, name: str, *, own: Path) -> None:
    """Raises `BotError` for a listed file that is a link out of the bot's folder, or out of the folder that is named.

    So nobody can hand in a link to a key of the host and read it. A host who wants that names the file itself.
    """
    real = Path(os.path.realpath(path))
    home = own if path.is_relative_to(own) else path.parent
    if not real.is_relative_to(os.path.realpath(home)):
        raise BotError(
            f'files: "{name}" is a link that leads out of {home}, to {real}. '
            "Put the file itself there, or list the path that it leads to."
        )


def check_named(path: Path, name: str) -> None:
    """Raises `BotError` for a file of a command that is a link to elsewhere, to what other users may not read."""
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
    """Which files belong to the bots of one configuration, so that fingerprints cover them; a folder is read once."""

    def __init__(self, base: Path, *, programs: Collection[Path]) -> None:
        """Takes the folder to which paths are relative, and the files that commands of the configuration name."""
        self._base = base
        self._programs = programs
        self._contents: dict[Path, Contents] = {}

    def own(self, folder: Path, reached: Collection[str]) -> dict[str, Path] | None:
        """Returns every file of a folder that belongs to one bot, which imports the files `reached`.

        None for a folder with another bot: one bot's files must not change another's fingerprint.
        """
        contents = self._contents_of(folder)
        if contents.with_bots - set(reached) or self._has_program(folder):
            return None
        return contents.files

    def own_of_command(self, command: Sequence[str]) -> dict[str, Path] | None:
        """Returns every file of the folder of a command's own file; None for a folder with another bot."""
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
        """Returns the files that the arguments of a command name, without those that are `listed`."""
        return {
            f"named:{relative_name(word)}": Path(os.path.abspath(path))
            for word, path in files_named(command, self._base).items()
            if word != command[0] and word not in listed
        }

    def listed(self, names: Sequence[str], *, own: Path) -> dict[str, bytes | Path]:
        """Returns the files that a configuration lists, by the names it gives them; a folder stands for all its files.

        `own` is the bot's folder. Raises `BotError` for one that does not exist, and for a link that leads elsewhere.
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
        """Returns whether a command of the configuration has a file in a folder, other than the files `but`."""
        return any(path not in but and path.is_relative_to(folder) for path in self._programs)


INTERPRETERS: Final[dict[str, tuple[str, ...]]] = {
    ".cjs": ("node",),
    ".jar": ("java", "-jar"),
    ".jl": ("julia",),
    ".js": ("node",),
    ".lua": ("lua",),
    ".mjs": ("node",),
    ".php": ("php",),
    ".pl": ("perl",),
    ".py": ("python3",),
    ".R": ("Rscript",),
    ".rb": ("ruby",),
    ".sh": ("sh",),
}
"""The command that runs a file, by the end of the file's name."""


def command_for(name: str, path: Path) -> list[str]:
    """Returns the command that runs a file: the file itself when it is executable, else its interpreter."""
    if os.access(path, os.X_OK) or path.suffix not in INTERPRETERS:
        return [name if "/" in name else f"./{name}"]
    return [*INTERPRETERS[path.suffix], name]


def as_entry(name: str, path: Path) -> str:
    """Returns a sentence that says how a configuration names a program in another language."""
    words = json.dumps(command_for(name, path))
    return f"A program in another language is an entry of its own: {{name: {path.stem}, command: {words}}}."


def script_of(command: Sequence[str], base: Path) -> str | None:
    """Returns the word of a command that names the bot's own file; None when no word does.

    That is the program itself when it is written as a path, else the first argument that is a file or has the name of
    one, by its ending.
    """
    if _is_path(command[0]):
        return command[0]
    for word in command[1:]:
        if not word.startswith("-") and (os.path.isfile(base / word) or Path(word).suffix in INTERPRETERS):
            return word
    return None


def files_named(command: Sequence[str], base: Path) -> dict[str, Path]:
    """Returns the files that words of a command name, by these words."""
    words = command if _is_path(command[0]) else command[1:]
    return {word: base / word for word in words if os.path.isfile(base / word)}


def missing_files(command: Sequence[str], base: Path) -> list[str]:
    """Returns the arguments that have the name of a file of a known language, and do not exist."""
    return [
        word
        for word in command[1:]
        if not word.startswith("-") and Path(word).suffix in INTERPRETERS and not os.path.exists(base / word)
    ]


def _is_path(word: str) -> bool:
    return "/" in word or "\\" in word
