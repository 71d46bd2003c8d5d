"""What lies in a folder of bots, sorted by what it can be: files of Python, folders of authors, and the rest."""

from __future__ import annotations

import glob
import os
from pathlib import Path
from typing import Final, NamedTuple

from tournament.entrants.contents import is_apart
from tournament.entrants.scripts import INTERPRETERS
from tournament.errors import BotError
from tournament.records.paths import data_folder

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
