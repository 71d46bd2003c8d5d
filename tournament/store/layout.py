"""Where the files of a run lie, and what a user calls a run, a file or one game."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Final, NamedTuple

from tournament.errors import RecordError, RunError, did_you_mean
from tournament.records.results import CLOCKS_FILE, FAULTS_FILE, RESULTS_FILE
from tournament.store.names import folder_name
from tournament.text import format_place

SUFFIX: Final = ".zst"
"""Of files compressed with Zstandard."""

RECORDS_FILE: Final = "games.jsonl"
COMPRESSED_FILE: Final = RECORDS_FILE + SUFFIX
RUN_FILE: Final = "run.json"
ROUND_FILE: Final = "round.json"
"""Stands beside `run.json` where a run is a round of a competition; a runner leaves it alone."""

VERSION_FILE: Final = "version.json"
ACTS_FILE: Final = "acts.jsonl"
LEADS_FILE: Final = "leads.jsonl"
PACES_FILE: Final = "paces.json"
"""These stand in an arena: what is known of a program that was handed in, what hosts did, who led a ladder, and what
slow versions are told."""

ARENA_FILE: Final = "arena.yaml"
"""What the host of an arena set, in its folder."""

BOT_FILE: Final = "bot.yaml"
"""What an author says of a bot, beside it: how it is built and started."""

BOT_PYTHON_FILE: Final = "bot.py"
"""The bot beside a `bot.yaml` that names no command."""

YAML_SUFFIXES: Final = (".yaml", ".yml")
"""Of configurations."""


class Reference(NamedTuple):
    """What a user named: a file or a run, and perhaps one game in it."""

    path: Path
    id: str | None


def parse_reference(text: str | PathLike[str]) -> Reference:
    """Returns what `RUN`, `FILE` or `RUN#ID` names."""
    if not isinstance(text, str):
        return Reference(Path(text), None)
    path, hash_sign, record_id = text.rpartition("#")  # a path may have one of its own, an id has none
    if hash_sign and not Path(text).exists():
        return Reference(Path(path), record_id)
    return Reference(Path(text), None)


def records_path(path: Path) -> Path:
    """Returns the file of records that a run or a file names.

    Raises `RunError` for a folder that is not a run or is missing, `RecordError` for a file that is missing.
    """
    if path.is_dir():
        for name in (RECORDS_FILE, COMPRESSED_FILE):
            if (path / name).is_file():
                return path / name
        if (path / RUN_FILE).is_file():
            raise RunError(f"{path} has lost its {RECORDS_FILE}, where its games are. Take the file from a copy.")
        raise RunError(f"{path} is not a run: it has no {RECORDS_FILE}. Give the folder that `tournament run` wrote.")
    if path.suffix in YAML_SUFFIXES:
        check = f"`tournament validate {format_place(path)}` checks it"
        raise RecordError(f"{path} is a configuration, and has no games: {check}. Give the folder of the run it made.")
    if path.exists():
        return path  # a pipe, too, when somebody names it
    raise no_such_path(path, "Give a run folder, a .jsonl, a .json, or RUN#ID.")


def no_such_path(path: Path, advice: str) -> RecordError | RunError:
    """Returns the error for a path where nothing is: a record by the ending of its name, else a run."""
    usual = Path("records") / folder_name(str(path))  # where `tournament run` puts a run of this name
    near = ""
    if (usual / RUN_FILE).is_file():
        near = f' Did you mean "{usual}"?'
    elif path.parent.is_dir():
        others = {other.name: str(other) for other in path.parent.iterdir()}
        near = did_you_mean(path.name, others, shown=others)
    error = RecordError if path.suffix in (".json", ".jsonl", SUFFIX) else RunError
    return error(f"There is no run and no file {path}.{near} {advice}")


def index_path(records: Path) -> Path:
    """Returns where the index of a file of records is."""
    return records.with_name(f"{records.name}.index")


CONFIGURATION_FILE: Final = "tournament.yaml"
STANDINGS_FILE: Final = "standings.json"
SECRET_FILE: Final = "master.secret"


def appended_files(folder: Path) -> Iterator[Path]:
    """Yields every file that a run appends to, whether it exists or not."""
    for records in (folder / RECORDS_FILE, folder / COMPRESSED_FILE):
        yield from (records, index_path(records))
    yield from (folder / name for name in (RESULTS_FILE, CLOCKS_FILE, FAULTS_FILE, LOGS_FOLDER))
    if not (folder / LOGS_FOLDER).is_symlink():
        yield from (folder / LOGS_FOLDER).glob("*")


SYNCED_FILE: Final = "synced.json"
LOGS_FOLDER: Final = "logs"
