"""A run folder: how it begins, its run.json, its secrets, and what a killed writer left in it."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Final

import msgspec

from tournament.errors import RunError, writing_advice
from tournament.ids import group_of, is_block_id
from tournament.records.results import CLOCKS_FILE, FAULTS_FILE, RESULTS_FILE
from tournament.records.run import Format, RunInfo
from tournament.records.schema import written_by_newer
from tournament.store import layout
from tournament.store.files import RunLock, read_regular, sync_folder
from tournament.store.names import folder_name
from tournament.text import format_place, option


class Secret(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What nobody may know before a segment is complete."""

    master: str
    salt: str


def free_folder(name: str) -> Path:
    """Returns `records/NAME`, or the first of `records/NAME-2`, `-3` ... that does not exist.

    What Windows takes in no name, such as a colon, is `%` and two digits there, on every system.
    """
    folder = Path("records") / folder_name(name)
    others = (folder.with_name(f"{folder.name}-{number}") for number in count(2))
    return next(path for path in chain((folder,), others) if not path.exists())


def make_free_folder(name: str) -> Path:
    """Makes the folder that `free_folder` returns, or the next one when another process is faster."""
    while True:
        folder = free_folder(name)
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            if not folder.exists():
                raise RunError(f"{folder.parent} is not a folder. Give another {option('--out', 'folder')}.") from None
        except OSError as error:
            raise unwritable(folder, error) from None
        else:
            return folder


def begin_folder(folder: Path) -> RunLock:
    """Makes the folder of a run, or empties one whose run was killed before it began, and returns the lock on it.

    Raises `RunError` when it exists with anything else in it, or cannot be made, or another process begins in it.
    """
    if (folder / layout.RUN_FILE).exists():
        raise RunError(
            f"{folder} has a run already, and runs are never written over. Go on with it: "
            f"`tournament resume {format_place(folder)}`. Or give another --out."
        )
    if not folder.exists():
        try:
            folder.mkdir(parents=True)
            sync_folder(folder.parent)
        except OSError as error:
            raise unwritable(folder, error) from None
    elif not folder.is_dir() or not _is_unbegun(folder):
        raise RunError(
            f"{folder} exists already, and runs are never written over. Give another "
            f"{option('--out', 'folder')}, or delete it first."
        )
    lock = RunLock(folder)
    try:
        if not _is_unbegun(folder):  # two may have found it empty, and the other was first
            raise RunError(
                f"{folder} was begun by another process meanwhile. Give another {option('--out', 'folder')}."
            )
        _empty(folder)
    except OSError as error:
        lock.release()
        raise unwritable(folder, error) from None
    except BaseException:
        lock.release()
        raise
    return lock


def _is_unbegun(folder: Path) -> bool:
    """Returns whether a folder has nothing but what a runner makes before it writes `run.json`."""
    files = {path.name: path for path in folder.iterdir() if path.name != layout.ROUND_FILE}
    beside = {f"{name}.new" for name in (layout.SECRET_FILE, layout.RUN_FILE, layout.CONFIGURATION_FILE)}
    written = {layout.SECRET_FILE, layout.CONFIGURATION_FILE, layout.SYNCED_FILE, *beside}
    if written & files.keys() and RESULTS_FILE not in files:
        return False  # somebody else's: a runner makes its empty files first
    empty = [path for name, path in files.items() if name not in written]
    records = [folder / layout.RECORDS_FILE, folder / layout.COMPRESSED_FILE]
    known = {layout.LOGS_FOLDER, RESULTS_FILE, CLOCKS_FILE, FAULTS_FILE}
    known.update(one.name for path in records for one in (path, layout.index_path(path)))
    return all(
        path.name in known and not (any(path.iterdir()) if path.is_dir() else path.stat().st_size) for path in empty
    )


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            path.rmdir()
        elif path.name != layout.ROUND_FILE:
            path.unlink()


def unwritable(path: Path, error: OSError) -> RunError:
    """Returns the error for the folder of a run that cannot be written; a new run can go into another folder."""
    other = "" if (path / layout.RUN_FILE).is_file() else f", or give another {option('--out', 'folder')}"
    return RunError(f"{path} cannot be written: {error.strerror}. {writing_advice(error)}{other}.")


def cannot_go_on(path: object, error: OSError) -> RunError:
    """Returns the error for a file that could not be written: the one that `error` names, else `path`."""
    return RunError(
        f"{error.filename or path} cannot be written: {error.strerror}. {writing_advice(error)}, then go on with "
        "`tournament resume`."
    )


def read_run(folder: Path) -> RunInfo:
    """Returns `run.json` of a run folder. Raises `RunError` when there is none, or it is not valid."""
    path = folder / layout.RUN_FILE
    data = b""
    try:
        data = read_regular(path)
        info = msgspec.json.decode(data, type=RunInfo)
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(
            f"{folder} is not a run: it has no {layout.RUN_FILE}. Give the folder that `tournament run` wrote."
        ) from None
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}. Check the path and its permissions.") from None
    except msgspec.DecodeError as error:
        if newer := written_by_newer(data):
            raise RunError(f"{path} cannot be used: {error}. {newer}") from None
        raise RunError(
            f"{path} cannot be used: {error}. `tournament validate {format_place(path)}` says more."
        ) from None
    if problem := _problem(info):
        raise RunError(
            f"{path} cannot be used: {problem}. `tournament audit {format_place(folder)}` says all that is wrong."
        )
    return info


MOST_PLAYERS: Final = 1000
"""At a table."""


def _problem(info: RunInfo) -> str | None:
    """Returns what makes no sense in a run, and that no runner writes; None when there is nothing."""
    players = {group.name: group.players for group in info.groups}
    for name, size in players.items():
        if size > MOST_PLAYERS:
            return f"expected at most {MOST_PLAYERS} players in {name}, found {size:,}"
    for number, segment in enumerate(info.segments):
        if segment.number != number:
            return f"expected segment {number}, found {segment.number}"
        for field in segment.fields:
            if players.get(field.group) != field.players:
                return f"segment {number} plays {field.group} with {field.players}, which is no group of the run"
        if segment.format is Format.KNOCKOUT:
            if not segment.deals:
                return f"segment {number} is a knockout without deals"
            if any(not 1 < field.players <= len(set(field.entrants)) for field in segment.fields):
                return f"segment {number} is a knockout without enough entrants for a table"
    for void in info.void:
        if not is_block_id(void.block) or group_of(void.block) not in players:
            return f"expected the id of a block, found {void.block[:80]!r}"
    return None


def read_secrets(folder: Path) -> tuple[Secret, ...]:
    """Returns the secrets that lie in a run: one, or two when its runner was killed while it began a segment."""
    secrets = []
    for name in (layout.SECRET_FILE, f"{layout.SECRET_FILE}.new"):
        with suppress(OSError, msgspec.DecodeError):
            secrets.append(msgspec.json.decode(read_regular(folder / name), type=Secret))
    return tuple(secrets)


def remove_secrets(folder: Path) -> None:
    """Removes the secrets of a complete run, which are published in its `run.json`."""
    for name in (layout.SECRET_FILE, f"{layout.SECRET_FILE}.new"):
        (folder / name).unlink(missing_ok=True)


def remove_leftovers(folder: Path) -> None:
    """Removes what a killed writer left beside the files that it was about to replace.

    It keeps a secret that waits for its segment: `read_secrets` may need it.
    """
    for name in (layout.RUN_FILE, layout.STANDINGS_FILE, layout.CONFIGURATION_FILE):
        (folder / f"{name}.new").unlink(missing_ok=True)
    for path in folder.glob(f"{layout.RECORDS_FILE}*.new"):
        path.unlink(missing_ok=True)
