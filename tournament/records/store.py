"""A run folder; the only writer of it.

Every file but the appended ones is written beside and moved into place, so that a reader never
sees half a file. A block is written whole, with one write.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final

import msgspec

from tournament.errors import RunError
from tournament.records.codec import canonical_bytes
from tournament.records.read import RECORDS_FILE, RUN_FILE
from tournament.records.run import RunInfo
from tournament.records.schema import check_valid

CONFIGURATION_FILE: Final = "tournament.yaml"
CLOCKS_FILE: Final = "clocks.jsonl"
FAULTS_FILE: Final = "faults.jsonl"
STANDINGS_FILE: Final = "standings.json"
SECRET_FILE: Final = "master.secret"
LOGS_FOLDER: Final = "logs"
LOG_BYTES: Final = 1_048_576
"""A bot's log is cut here."""


class RunWriter:
    """Writes a new run folder; used as a context so that its files are closed."""

    def __init__(self, folder: Path) -> None:
        """Makes the folder. Raises `RunError` when it exists already or cannot be made."""
        self.folder = folder
        if folder.exists():
            raise RunError(
                f"{folder} exists already, and runs are never written over. Give another --out, or delete it first."
            )
        try:
            folder.mkdir(parents=True)
            (folder / LOGS_FOLDER).mkdir()
            self._records = (folder / RECORDS_FILE).open("ab")
            self._clocks = (folder / CLOCKS_FILE).open("ab")
            self._faults = (folder / FAULTS_FILE).open("ab")
        except OSError as error:
            raise RunError(f"{folder} cannot be written: {error.strerror}. Give another --out.") from None
        self._log_sizes: dict[str, int] = {}

    def __enter__(self) -> RunWriter:
        """Returns itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the appended files."""
        for file in (self._records, self._clocks, self._faults):
            file.close()

    def write_configuration(self, text: str) -> None:
        """Writes the configuration as given, the seed withheld."""
        _replace(self.folder / CONFIGURATION_FILE, text.encode())

    def write_secret(self, *, master: str, salt: str) -> None:
        """Writes master and salt where only their owner can read them, until the run is complete."""
        path = self.folder / SECRET_FILE
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(canonical_bytes({"master": master, "salt": salt}) + b"\n")

    def remove_secret(self) -> None:
        """Removes what is published in `run.json` by now."""
        (self.folder / SECRET_FILE).unlink(missing_ok=True)

    def write_run(self, info: RunInfo) -> None:
        """Writes `run.json`."""
        _write_checked(self.folder / RUN_FILE, "run.v1", msgspec.to_builtins(info))

    def write_standings(self, values: Mapping[str, Any]) -> None:
        """Writes `standings.json`."""
        _write_checked(self.folder / STANDINGS_FILE, "standings.v1", values)

    def append_block(
        self,
        *,
        lines: Iterable[bytes],
        clocks: Iterable[Any],
        faults: Iterable[Any],
        logs: Iterable[tuple[str, str]],
    ) -> None:
        """Appends a block: its records whole, and beside them times, tracebacks and what bots printed."""
        _append(self._records, lines)
        _append(self._clocks, map(canonical_bytes, clocks))
        _append(self._faults, map(canonical_bytes, faults))
        for name, text in logs:
            self._append_log(name, text)

    def _append_log(self, name: str, text: str) -> None:
        size = self._log_sizes.get(name, 0)
        data = text.encode("utf-8", "backslashreplace")[: LOG_BYTES - size]
        if data:
            with (self.folder / LOGS_FOLDER / f"{_file_name(name)}.txt").open("ab") as file:
                file.write(data)
            self._log_sizes[name] = size + len(data)


def _append(file: BinaryIO, lines: Iterable[bytes]) -> None:
    data = b"".join(line + b"\n" for line in lines)
    try:
        file.write(data)
        file.flush()
    except OSError as error:
        raise RunError(f"{file.name} cannot be written: {error.strerror}. Make room, and run again.") from None


def _file_name(name: str) -> str:
    """Returns a name without what a file system or a shell could trip over."""
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in name).lstrip(".") or "_"


def _write_checked(path: Path, schema: str, values: Any) -> None:
    check_valid(schema, values, str(path))
    _replace(path, (json.dumps(values, indent=2, ensure_ascii=False) + "\n").encode())


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(f"{path.name}.new")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror}. Make room, and run again.") from None


def read_run(folder: Path) -> RunInfo:
    """Returns `run.json` of a run folder. Raises `RunError` when there is none, or it is not valid."""
    path = folder / RUN_FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=RunInfo)
    except FileNotFoundError:
        raise RunError(
            f"{folder} is no run: it has no {RUN_FILE}. Give the folder that `tournament run` wrote."
        ) from None
    except (OSError, msgspec.DecodeError) as error:
        raise RunError(f"{path} cannot be used: {error}. `tournament validate {path}` says more.") from None
