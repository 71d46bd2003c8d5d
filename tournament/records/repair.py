"""A run folder after its runner was killed: only whole blocks stay, in every file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tournament.errors import RunError
from tournament.records.codec import parse_record
from tournament.records.index import write_index
from tournament.records.keep import KEEP_ALL, is_kept
from tournament.records.model import group_of
from tournament.records.read import PlacedLine, id_in, index_entries, placed_lines, records_path
from tournament.records.results import RESULTS_FILE, format_result, parse_result, result_line
from tournament.records.run import RunInfo
from tournament.records.store import CLOCKS_FILE, FAULTS_FILE


class Dropped(NamedTuple):
    """What was cut off at the end of the records: it is played again."""

    records: int
    bytes: int

    def __str__(self) -> str:
        """Returns it as a sentence."""
        return (
            f"Dropped the end of the records, which was no whole block ({self.records} whole records, "
            f"{self.bytes:,} bytes): it is played again."
        )


def mend(folder: Path, info: RunInfo) -> Dropped | None:
    """Cuts every appended file of a run after its last whole block; returns what records were dropped.

    Lost results and a lost index are made anew from the records. Raises `RunError` for records that are
    damaged anywhere but at their end, and when the folder cannot be written.
    """
    try:
        return _Mender(folder, info).mend()
    except OSError as error:
        raise RunError(
            f"{folder} cannot be mended: {error.strerror}. Check its permissions and the room left."
        ) from None


class _Mender:
    def __init__(self, folder: Path, info: RunInfo) -> None:
        self._folder = folder
        self._keep = info.keep
        self._records = records_path(folder)
        self._results = folder / RESULTS_FILE
        self._players = {group.name: group.players for group in info.groups}

    def mend(self) -> Dropped | None:
        if self._keep == KEEP_ALL:
            self._follow_records()
        records_end, results_end = self._agree()
        dropped = self._cut_records(records_end)
        _cut(self._results, results_end)
        self._cut_side(CLOCKS_FILE)
        self._cut_side(FAULTS_FILE)
        return dropped

    def _follow_records(self) -> None:
        """Adds to the results those of whole blocks of records that have none."""
        known = end = 0
        for _, lines in self._whole_blocks(self._results):
            known, end = known + 1, lines[-1].end
        _cut(self._results, end)
        missing: list[bytes] = []
        for number, (_, lines) in enumerate(self._whole_blocks(self._records)):
            if number >= known:
                records = (parse_record(line.data, str(self._records)) for line in lines)
                missing += [format_result(result_line(record)) + b"\n" for record in records]
        if missing:
            with self._results.open("ab") as file:
                file.writelines(missing)

    def _agree(self) -> tuple[int, int]:
        """Returns where records and results end after the last block that both have whole."""
        records_end = results_end = 0
        placed = _lines_of(self._records)
        for _, lines in self._whole_blocks(self._results):
            last = None
            for line in lines:
                result = parse_result(line.data, str(self._results))
                if not is_kept(self._keep, record_id=result.id, has_faults=bool(result.faults)):
                    continue
                last = next(placed, None)
                if last is None or id_in(last.data) != result.id:
                    return records_end, results_end
            records_end = records_end if last is None else last.end
            results_end = lines[-1].end
        return records_end, results_end

    def _whole_blocks(self, path: Path) -> Iterator[tuple[str, list[PlacedLine]]]:
        """Yields the whole blocks of a file from its start up to the first that is not whole."""
        for block, group in groupby(_lines_of(path), key=lambda line: (id_in(line.data) or "").rpartition(".")[0]):
            lines = list(group)
            ids = [f"{block}.{rotation}" for rotation in range(self._players.get(group_of(block), 0))]
            if not ids or [id_in(line.data) for line in lines] != ids:
                return
            yield block, lines

    def _cut_records(self, end: int) -> Dropped | None:
        size = self._records.stat().st_size
        dropped = [line for line in _lines_of(self._records) if line.begin >= end]
        if any(id_in(line.data) is None for line in dropped[:-1]):
            raise RunError(
                f"{self._records} is damaged in its middle, at byte {end}, and what follows would be lost. "
                "Take the file from a copy, or begin a new run."
            )
        if size != end:
            _cut(self._records, end)
        write_index(self._records, index_entries(self._records))
        return Dropped(records=len(dropped), bytes=size - end) if size != end else None

    def _cut_side(self, name: str) -> None:
        """Cuts what a file beside the records says of games behind the last result."""
        path = self._folder / name
        sides = _lines_of(path)
        side = next(sides, None)
        end = 0
        for line in _lines_of(self._results):
            while side is not None and id_in(side.data) == id_in(line.data):
                end = side.end
                side = next(sides, None)
        _cut(path, end)


def _lines_of(path: Path) -> Iterator[PlacedLine]:
    return placed_lines(path) if path.exists() else iter(())


def _cut(path: Path, end: int) -> None:
    if path.exists() and path.stat().st_size != end:
        os.truncate(path, end)
