"""A run folder after its runner was killed: only whole blocks stay, in every file."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tournament.errors import RecordError, RunError
from tournament.records.codec import parse_record
from tournament.records.index import write_index
from tournament.records.keep import KEEP_ALL
from tournament.records.machine import CLOCKS_FILE, FAULTS_FILE
from tournament.records.model import group_of
from tournament.records.read import PlacedLine, id_in, index_entries, placed_lines, records_path
from tournament.records.results import RESULTS_FILE, ResultLine, format_result, has_record, parse_result, result_line
from tournament.records.run import RunInfo, RunState


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

    Lost results and a lost index are made anew from the records. Of a complete run nothing is ever cut. Raises
    `RunError`, before anything is changed, for files that are damaged anywhere but at their end, or at all in a
    complete run, and when the folder cannot be written.
    """
    try:
        return _Mender(folder, info).mend()
    except OSError as error:
        raise RunError(
            f"{folder} cannot be mended: {error.strerror}. Check its permissions and the room left."
        ) from None


class _Whole(NamedTuple):
    """How far the files are whole and agree."""

    records_end: int
    results_end: int
    missing: Sequence[ResultLine]
    """Results that are not in their file, but follow from the records."""

    blocks: Sequence[str]
    """Those that both files have whole, or the records alone where they say everything."""


class _Mender:
    def __init__(self, folder: Path, info: RunInfo) -> None:
        self._folder = folder
        self._info = info
        self._keep = info.keep
        self._records = records_path(folder)
        self._results = folder / RESULTS_FILE
        self._players = {group.name: group.players for group in info.groups}

    def mend(self) -> Dropped | None:
        whole = self._from_records() if self._keep == KEEP_ALL else self._from_results()
        if self._info.state is RunState.COMPLETE:
            self._check_complete(whole)
        _cut(self._results, whole.results_end)
        if whole.missing:
            with self._results.open("ab") as file:
                file.writelines(format_result(result) + b"\n" for result in whole.missing)
        dropped = self._cut_records(whole.records_end)
        played = set(whole.blocks)
        _cut_side(self._folder / CLOCKS_FILE, played)
        _cut_side(self._folder / FAULTS_FILE, played)
        return dropped

    def _from_records(self) -> _Whole:
        """Looks at a run that keeps all records: they say everything."""
        records_end = results_end = 0
        blocks: list[str] = []
        missing: list[ResultLine] = []
        written = self._whole_blocks(self._results, is_whole=_is_result)
        for block, lines in self._whole_blocks(self._records):
            known = None if missing else next(written, None)
            if known is not None and known[0] == block:
                results_end = known[1][-1].end
            else:
                if known is not None and any(later == block for later, _ in written):
                    raise self._damaged(self._records, records_end)  # the block that stands first has no records
                missing += [result_line(parse_record(line.data, str(self._records))) for line in lines]
            records_end = lines[-1].end
            blocks.append(block)
        self._check_rest(self._records, records_end)
        return _Whole(records_end, results_end, missing, blocks)

    def _from_results(self) -> _Whole:
        """Looks at a run that keeps some records: only its results know of all games."""
        if not self._results.exists():
            raise self._damaged(self._results, 0)
        records_end = results_end = 0
        blocks: list[str] = []
        placed = _lines_of(self._records)
        for block, lines in self._whole_blocks(self._results, is_whole=_is_result):
            last = None
            for result in (parse_result(line.data) for line in lines):
                if has_record(result, keep=self._keep):
                    last = next(placed, None)
                    if last is None:  # a machine that stopped may have lost more of one file than of the other
                        return _Whole(records_end, results_end, (), blocks)
                    if id_in(last.data) != result.id:
                        raise self._damaged(self._records, last.begin)
            records_end = records_end if last is None else last.end
            results_end = lines[-1].end
            blocks.append(block)
        self._check_rest(self._results, results_end)
        return _Whole(records_end, results_end, (), blocks)

    def _check_complete(self, whole: _Whole) -> None:
        """Raises `RunError` when anything of a complete run would be cut, or is gone already."""
        found = len(whole.blocks)
        expected = sum(balance.blocks for balance in self._info.balance) or found
        cut = [
            path.name
            for path, end in ((self._records, whole.records_end), (self._results, whole.results_end))
            if path.exists() and path.stat().st_size != end and not (path == self._results and whole.missing)
        ]
        if cut or expected != found:
            raise RunError(
                f"{self._folder} is complete, but expected {expected} whole blocks in {self._records.name} and "
                f"{RESULTS_FILE}, found {found}{f', and more behind them in {cut[0]}' if cut else ''}. Nothing "
                f"was changed. `tournament audit {self._folder}` says what is wrong; take the file from a copy."
            )

    def _check_rest(self, path: Path, end: int) -> None:
        """Raises `RunError` when there is more behind an end than the one block that was being written."""
        ids = [id_in(line.data) for line in _lines_of(path) if line.begin >= end]
        if None in ids[:-1] or len({one.rpartition(".")[0] for one in ids if one is not None}) > 1:
            raise self._damaged(path, end)

    def _damaged(self, path: Path, end: int) -> RunError:
        return RunError(
            f"{path} is damaged in its middle, at byte {end}, and what follows would be lost. "
            "Take the file from a copy, or begin a new run."
        )

    def _whole_blocks(
        self, path: Path, *, is_whole: Callable[[bytes], bool] = bool
    ) -> Iterator[tuple[str, list[PlacedLine]]]:
        """Yields the whole blocks of a file from its start up to the first that is not whole."""
        for block, group in groupby(_lines_of(path), key=_block_of):
            lines = list(group)
            ids = [f"{block}.{rotation}" for rotation in range(self._players.get(group_of(block), 0))]
            if not ids or [id_in(line.data) for line in lines] != ids or not all(is_whole(one.data) for one in lines):
                return
            yield block, lines

    def _cut_records(self, end: int) -> Dropped | None:
        size = self._records.stat().st_size
        dropped = sum(line.begin >= end for line in _lines_of(self._records)) if size != end else 0
        _cut(self._records, end)
        write_index(self._records, index_entries(self._records))
        return Dropped(records=dropped, bytes=size - end) if size != end else None


def _block_of(line: PlacedLine) -> str:
    """Returns the id of the block that a line is of; nothing for a line without one."""
    return (id_in(line.data) or "").rpartition(".")[0]


def _is_result(data: bytes) -> bool:
    try:
        parse_result(data)
    except RecordError:
        return False
    return True


def _cut_side(path: Path, played: Container[str]) -> None:
    """Cuts what a file beside the records says at its end of blocks that have no results."""
    end = 0
    for line in _lines_of(path):
        if _block_of(line) in played:
            end = line.end
    _cut(path, end)


def _lines_of(path: Path) -> Iterator[PlacedLine]:
    return placed_lines(path) if path.exists() else iter(())


def _cut(path: Path, end: int) -> None:
    if path.exists() and path.stat().st_size != end:
        os.truncate(path, end)
