"""The only writer of a run folder.

A file that is not appended to is written beside its place and moved there, so that a reader never sees half of it. A
block is written whole, file by file; it counts as soon as its results are there. Whoever changes a run holds its
`RunLock` from before it reads `run.json`.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from tournament.errors import RunError
from tournament.records.codec import canonical_bytes
from tournament.records.misfits import check_valid
from tournament.records.results import (
    CLOCKS_FILE,
    FAULTS_FILE,
    RESULTS_FILE,
    GameClock,
    ResultLine,
    TroubleLine,
    format_result,
    has_record,
)
from tournament.records.run import RunInfo, RunState
from tournament.store import layout
from tournament.store.compression import compress
from tournament.store.files import (
    SYNC_SECONDS,
    Synced,
    Timer,
    append_to_regular,
    check_no_links,
    format_synced,
    replace_file,
    sync_descriptor,
    sync_folder,
)
from tournament.store.folder import Secret, cannot_go_on, unwritable
from tournament.store.lines import format_entry
from tournament.store.logs import BotLogs, Printed, bytes_of_words


class RunWriter:
    """Writes a run folder, as a context manager that closes its files."""

    @classmethod
    def of_run(cls, folder: Path, info: RunInfo) -> RunWriter:
        """Opens the folder of a run. Raises `RunError` when it cannot be written."""
        entrants = [entrant.name for entrant in info.entrants]
        return cls(folder, keep=info.keep, compressed=info.compress, entrants=entrants)

    def __init__(self, folder: Path, *, keep: str, compressed: bool, entrants: Sequence[str] = ()) -> None:
        """Opens a folder that is new or has been mended, and whose lock is held.

        `entrants` are those of the run, in its order. Raises `RunError` when it cannot be written.
        """
        self.folder = folder
        self._keep = keep
        self._compressed = compressed
        records = folder / (layout.COMPRESSED_FILE if compressed else layout.RECORDS_FILE)
        check_no_links(layout.appended_files(folder))
        try:
            self._logs = BotLogs(folder, entrants=entrants)
            with ExitStack() as opened:
                beside = (folder / name for name in (RESULTS_FILE, CLOCKS_FILE, FAULTS_FILE))
                self._files = [
                    opened.enter_context(append_to_regular(path))
                    for path in (records, layout.index_path(records), *beside)
                ]
                self._records, self._index, self._results, self._clocks, self._faults = self._files
                (folder / layout.SYNCED_FILE).unlink(missing_ok=True)  # it may be a link, in a run that somebody sent
                self._mark = opened.enter_context((folder / layout.SYNCED_FILE).open("xb", buffering=0))
                opened.pop_all()
        except OSError as error:
            raise unwritable(folder, error) from None
        self._offset = records.stat().st_size
        self._whole = Synced(records=self._offset, results=(folder / RESULTS_FILE).stat().st_size)
        self._synced: Synced | None = None
        self._syncing = threading.Lock()
        self._trouble: RunError | None = None
        self._timer = Timer(self._sync_in_time, seconds=SYNC_SECONDS)

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Writes the appended files through to the disk and closes them."""
        self._timer.stop()
        try:
            if error is None:
                self._sync()
        finally:
            for file in (*self._files, self._mark):
                file.close()

    def write_configuration(self, text: str) -> None:
        """Writes the configuration as given, the seed withheld."""
        _replace(self.folder / layout.CONFIGURATION_FILE, text.encode())

    def begin_segment(self, info: RunInfo, secret: Secret | None) -> None:
        """Writes `run.json` with a new segment, and its secret where only its owner can read it.

        At every moment the secret of the last segment in `run.json` can be read.
        """
        path = self.folder / layout.SECRET_FILE
        waiting = path.with_name(f"{layout.SECRET_FILE}.new")
        try:
            if secret is not None:
                _write_secret(waiting, secret)
            self.write_run(info)
            if secret is not None:
                waiting.replace(path)
                sync_folder(self.folder)
        except OSError as error:
            raise cannot_go_on(path, error) from None

    def write_run(self, info: RunInfo) -> None:
        """Writes `run.json`, once what was appended is on the disk."""
        self._sync()
        _write_checked(self.folder / layout.RUN_FILE, "run.v1", msgspec.to_builtins(info))
        if info.state is RunState.COMPLETE:
            with self._syncing:
                self._mark.close()  # Windows moves and deletes no file that is open
                (self.folder / layout.SYNCED_FILE).unlink(missing_ok=True)

    def write_standings(self, values: Mapping[str, Any]) -> None:
        """Writes `standings.json`."""
        _write_checked(self.folder / layout.STANDINGS_FILE, "standings.v2", values)

    def append_block(
        self,
        *,
        lines: Sequence[bytes],
        results: Sequence[ResultLine],
        clocks: Iterable[GameClock],
        faults: Iterable[TroubleLine],
        logs: tuple[Printed, ...],
        traces: tuple[tuple[str, dict[str, Any]], ...] = (),
    ) -> None:
        """Appends a block: times, tracebacks, what bots printed or were sent, the records that are kept, the results.

        Raises `RunError` when there is no room or no permission; what was written of the block is dropped on resume.
        """
        if self._trouble is not None:
            raise self._trouble
        kept = [
            (line, result) for line, result in zip(lines, results, strict=True) if has_record(result, keep=self._keep)
        ]
        _append(self._clocks, _lines(map(canonical_bytes, clocks)))
        _append(self._faults, _lines(map(bytes_of_words, faults)))
        try:
            self._logs.append(logs)
            self._logs.append_traces(traces)
        except OSError as error:
            raise cannot_go_on(self.folder / layout.LOGS_FOLDER, error) from None
        self._append_records(kept)
        data = _lines(map(format_result, results))
        _append(self._results, data)
        self._whole = Synced(records=self._offset, results=self._whole.results + len(data))

    def _append_records(self, kept: Sequence[tuple[bytes, ResultLine]]) -> None:
        data = _lines(line for line, _ in kept)
        begins = [self._offset]
        if self._compressed:
            data = compress(data) if data else b""
            begins *= len(kept)
        else:
            for line, _ in kept:
                begins.append(begins[-1] + len(line) + 1)
        _append(self._records, data)
        entries = (
            format_entry(record_id=result.id, digest=result.digest, offset=begin)
            for (_, result), begin in zip(kept, begins, strict=False)
        )
        _append(self._index, b"".join(entries))
        self._offset += len(data)

    def _sync(self) -> None:
        """Writes everything that was appended through to the disk, and notes how far that is."""
        with self._syncing:
            whole = self._whole  # more may be appended meanwhile
            if whole == self._synced:
                return
            try:
                for file in self._files:
                    sync_descriptor(file.fileno(), Path(file.name))
                self._logs.sync()
                if self._synced is None:
                    sync_folder(self.folder)
                if not self._mark.closed:
                    self._mark.seek(0)
                    self._mark.write(format_synced(whole))
            except OSError as error:
                raise cannot_go_on(self.folder / layout.SYNCED_FILE, error) from None
            self._synced = whole

    def _sync_in_time(self) -> None:
        try:
            self._sync()
        except RunError as error:
            self._trouble = error  # raised where the next block is written


def _lines(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _append(file: BinaryIO, data: bytes) -> None:
    view = memoryview(data)
    try:
        while view:
            view = view[file.write(view) :]
    except OSError as error:
        raise cannot_go_on(file.name, error) from None


def _write_secret(path: Path, secret: Secret) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(canonical_bytes(msgspec.to_builtins(secret)) + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _write_checked(path: Path, schema: str, values: Any) -> None:
    check_valid(schema, values, str(path))
    _replace(path, (json.dumps(values, indent=2, ensure_ascii=False) + "\n").encode())


def _replace(path: Path, data: bytes) -> None:
    try:
        replace_file(path, data, beside=path.with_name(f"{path.name}.new"))
    except OSError as error:
        raise cannot_go_on(path, error) from None
