"""A program that was unpacked: its digest, its `bot.yaml`, and the entry of a configuration that runs it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tournament.arena.checks.defects import DefectKind, refuse
from tournament.arena.checks.environment import environment_with, python_for
from tournament.arena.files import CompetitionFile
from tournament.arena.folder import CompetitionFolder
from tournament.configuration.bot_file import ForeignPathError, entry_of, parse_bot_file
from tournament.configuration.types import BotFile
from tournament.entrants.entries import entrants_from
from tournament.entrants.model import Entrant
from tournament.errors import BotError
from tournament.plain_yaml import YamlError
from tournament.records.settings import Isolation
from tournament.store.layout import BOT_FILE


def program_digest(folder: Path) -> str:
    """Returns the SHA-256, as hex, of the files of a program: names, modes and contents, in the order of names."""
    whole = hashlib.sha256()
    for name, path in sorted(_files_in(folder)):
        mode = b"755" if path.stat().st_mode & 0o100 else b"644"
        with path.open("rb") as file:
            contents = hashlib.file_digest(file, "sha256").digest()
        whole.update(b"\0".join((name.encode(), mode, contents)))
    return whole.hexdigest()


def _files_in(folder: Path) -> Iterator[tuple[str, Path]]:
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names):
            yield path.relative_to(folder).as_posix(), path


def read_bot_file(folder: Path) -> BotFile | None:
    """Returns the `bot.yaml` of a program, None where it has none. Raises `SubmissionError` with the line."""
    path = folder / BOT_FILE
    if not path.is_file():
        return None
    try:
        return parse_bot_file(path)
    except ForeignPathError as error:
        raise refuse(DefectKind.FOREIGN_PATH, error.name, line=error.line) from None
    except YamlError as error:
        raise refuse(DefectKind.WRONG_BOT_FILE, found=error.text, line=error.line) from None


def spec_of(folder: Path, bot_file: BotFile | None) -> dict[str, Any]:
    """Returns the entry of a configuration that runs a program, its paths relative to the program's folder.

    Raises `SubmissionError` where there is no program.
    """
    spec = entry_of(folder, bot_file)
    if spec is None:
        raise refuse(DefectKind.NO_BOT)
    return spec


def with_python(
    entry: dict[str, Any], rules: CompetitionFile, *, folder: CompetitionFolder, base: Path
) -> dict[str, Any]:
    """Returns the entry of a version with the Python that runs it in a competition, which is made where it is missing.

    Its path is relative to `base`, as all in an entry, so that an arena can be moved. A command names its own program,
    and at isolation none a bot is in our process. Raises `ConfigurationError` for a package that is not installed, and
    `OSError`.
    """
    if "bot" not in entry or rules.isolation is Isolation.NONE:
        return entry
    python = python_for(environment_with(rules.packages), folder.environment)
    return {**entry, "python": os.path.relpath(python, base)}


def entrant_of(folder: Path, spec: dict[str, Any], name: str) -> Entrant:
    """Returns the program in a folder as an entrant; nothing of it is run. Raises `SubmissionError`."""
    try:
        (entrant,) = entrants_from([{**spec, "name": name}], base=folder)
    except BotError as error:
        raise refuse(DefectKind.UNREADABLE_BOT, found=without_place(str(error), folder)) from None
    return entrant


def without_place(text: str, folder: Path) -> str:
    """Returns a text in which the paths of files below a folder begin there: its owner knows no other place."""
    for place in dict.fromkeys((str(folder), os.path.realpath(folder))):
        text = text.replace(f"{place}{os.sep}", "").replace(place, "the folder of the bot")
    return text
