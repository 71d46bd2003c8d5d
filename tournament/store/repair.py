"""A run folder after its runner was killed, or its machine failed: only whole blocks stay, in every file.

First everything is read and decided, then it is changed. What may go without being asked for: the one block that
was being written, and what was not on the disk yet when the machine failed (see `synced.json` in `store.files`).
Anything else that is whole, and every block of a segment that is over, stays.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import msgspec

from tournament.errors import RecordError, RunError, writing_advice
from tournament.ids import block_of, format_game_id, group_of, segment_of
from tournament.records.codec import has_its_digest, parse_record
from tournament.records.results import (
    CLOCKS_FILE,
    FAULTS_FILE,
    RESULTS_FILE,
    ResultLine,
    TroubleKind,
    format_result,
    has_record,
    parse_result,
    result_line,
)
from tournament.records.run import RunInfo, RunState
from tournament.records.settings import KEEP_ALL
from tournament.store.block_ids import BlockIds
from tournament.store.files import check_no_links, read_regular, read_synced, sync_folder
from tournament.store.folder import remove_leftovers
from tournament.store.layout import appended_files, index_path, records_path
from tournament.store.lines import PlacedLine, digest_in, entries_of, id_in, lines_behind, placed_lines, write_index
from tournament.text import format_place


def mend(folder: Path, info: RunInfo, *, closed: Iterable[str] = (), play_again: bool = False) -> tuple[str, ...]:
    """Cuts every appended file of a run after its last whole block; returns a sentence for each loss.

    Lost results and a lost index are made anew from the records. `closed` are the blocks of the segments that are
    over, in order: all of them must be whole. `play_again`: what is whole behind damage goes, too. Raises `RunError`,
    before anything is changed, for files that are damaged anywhere but at their end, for a closed segment that lacks
    a block, for results that would be cut without being asked, and when the folder cannot be written. Cost: all
    files are read, and the digests of all records checked.
    """
    check_no_links(appended_files(folder))
    try:
        return _Mender(folder, info, closed=closed, play_again=play_again).mend()
    except OSError as error:
        raise RunError(f"{folder} cannot be written: {error.strerror}. {writing_advice(error)}.") from None


class _Whole(NamedTuple):
    """Up to where the files are whole and agree."""

    records_end: int
    results_end: int
    blocks: BlockIds
    """The blocks that are whole in both files, or in the records alone where these have every game; in order."""

    missing: Sequence[ResultLine]
    """Results that their file lacks and that can be made from the records."""

    entries: bytes
    """Of the index."""

    faults: int
    """In these blocks."""

    lacks_records: bool = False
    """The next block has whole results, and its records are lost, damaged, or of other games."""


class _Behind(NamedTuple):
    """What follows the last whole block of a file."""

    lines: int
    whole: tuple[str, ...]
    """The ids of games that are whole."""

    blocks: int
    """How many different blocks these lines are of, where they can be read."""


class _Mender:
    def __init__(self, folder: Path, info: RunInfo, *, closed: Iterable[str], play_again: bool) -> None:
        self._folder = folder
        self._info = info
        self._closed = closed
        self._play_again = play_again
        self._records = records_path(folder)
        self._results = folder / RESULTS_FILE
        self._players = {group.name: group.players for group in info.groups}

    def mend(self) -> tuple[str, ...]:
        keeps_all = self._info.keep == KEEP_ALL
        whole = self._from_records() if keeps_all else self._from_results()
        if self._info.state is RunState.COMPLETE:
            self._check_complete(whole)
        self._check_closed(whole)
        records = self._behind(self._records, whole.records_end, is_whole=has_its_digest)
        results = self._behind(self._results, whole.results_end, is_whole=_is_result)
        lost = self._lost(whole, results) if keeps_all else results.whole
        self._check_loss(whole, records=records, results=results, lost=lost)
        clocks = self._side_end(CLOCKS_FILE, whole.blocks)
        faults = self._side_end(FAULTS_FILE, whole.blocks)
        mended: list[str] = []
        for path, end, behind in (
            (self._records, whole.records_end, records),
            (self._results, whole.results_end, results),
        ):
            if _size(path) > end and (path == self._records or not keeps_all):
                what = "results" if path == self._results else "records"
                mended.append(
                    f"Dropped the end of the {what}, behind the last block that is whole in every file "
                    f"({len(behind.whole)} whole {what}, {_size(path) - end:,} bytes): it is played again."
                )
        if lost and keeps_all:
            mended.append(
                f"Of {len(lost)} games, from {lost[0]} on, the results were there and not the whole records: their "
                "results are dropped, too, and they are played again on the same deals."
            )
        mended += self._lost_lines(whole, clocks=clocks, faults=faults)
        self._change(whole, clocks=clocks, faults=faults)
        return tuple(mended)

    def _change(self, whole: _Whole, *, clocks: _Side, faults: _Side) -> None:
        _cut(self._results, whole.results_end)
        if whole.missing:
            with self._results.open("ab") as file:
                file.writelines(format_result(result) + b"\n" for result in whole.missing)
                file.flush()
                os.fsync(file.fileno())
        _cut(self._records, whole.records_end)
        self._write_index(whole.entries)
        _cut(clocks.path, clocks.end)
        _cut(faults.path, faults.end)
        remove_leftovers(self._folder)
        sync_folder(self._folder)

    def _from_records(self) -> _Whole:
        """Reads a run that keeps all records, from which everything else can be made."""
        records_end = results_end = faults = 0
        blocks = BlockIds()
        index = bytearray()
        missing: list[ResultLine] = []
        written = self._whole_blocks(self._results, is_whole=_is_result)
        for block, lines in self._whole_blocks(self._records, is_whole=has_its_digest):
            known = None if missing else next(written, None)
            if known is not None and known[0] == block and _digests(known[1]) == _digests(lines):
                results_end = known[1][-1].end
                faults += sum(len(parse_result(line.data).faults) for line in known[1])
            elif known is not None and self._lacks(block, known[0]):
                break
            else:
                made = [result_line(parse_record(line.data, str(self._records))) for line in lines]
                faults += sum(len(result.faults) for result in made)
                missing += made
            records_end = lines[-1].end
            index += b"".join(entries_of(lines))
            blocks.add(block)
        return _Whole(records_end, results_end, blocks, missing, bytes(index), faults)

    def _lacks(self, block: str, known: str) -> bool:
        """Returns whether the records lack a block that the results have; otherwise the results lack one."""
        there = {one for one, _ in self._whole_blocks(self._records, is_whole=bool)}
        return known == block or known not in there

    def _from_results(self) -> _Whole:
        """Reads a run that keeps some records: only its results have every game."""
        if not self._results.exists():
            raise RunError(
                f"{self._results} is gone, and no other file knows all games of a run with keep: {self._info.keep}. "
                "Nothing was changed. Take the file from a copy, or begin a new run."
            )
        records_end = results_end = faults = 0
        blocks = BlockIds()
        index = bytearray()
        lacks_records = False
        placed = _whole_lines(self._records)
        for block, lines in self._whole_blocks(self._results, is_whole=_is_result):
            results = [parse_result(line.data) for line in lines]
            kept = [result for result in results if has_record(result, keep=self._info.keep)]
            records = [record for _, record in zip(kept, placed, strict=False)]
            is_there = _names(records) == [(result.id, result.digest) for result in kept]
            if not is_there or not all(has_its_digest(record.data) for record in records):
                lacks_records = True
                break
            records_end = records[-1].end if records else records_end
            index += b"".join(entries_of(records))
            results_end = lines[-1].end
            faults += sum(len(result.faults) for result in results)
            blocks.add(block)
        return _Whole(records_end, results_end, blocks, (), bytes(index), faults, lacks_records=lacks_records)

    # What must not be lost

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
                f"was changed. `tournament audit {format_place(self._folder)}` says what is wrong; take the file from "
                "a copy."
            )

    def _check_closed(self, whole: _Whole) -> None:
        """Raises `RunError` when a segment that is over lacks one of its blocks, or has another in its place."""
        found = iter(whole.blocks)
        for number, due in enumerate(self._closed):
            block = next(found, None)
            if block == due:
                continue
            segment = segment_of(due)
            raise RunError(
                f"Segment {segment} of {self._folder} is over, so all its blocks are in {self._records.name} and "
                f"{RESULTS_FILE}: expected {due} as whole block {number + 1}, found {block or 'none'}. Nothing was "
                f"changed. Its games cannot be played again: take the file from a copy. "
                f"`tournament audit {format_place(self._folder)}` says more."
            )

    def _lost(self, whole: _Whole, behind: _Behind) -> tuple[str, ...]:
        """Returns the games with whole results that cannot be made again from the records."""
        told = {result.id: result.digest for result in whole.missing}
        lost = []
        for line in _lines_behind(self._results, whole.results_end):
            record_id = id_in(line.data)
            if record_id in behind.whole and told.get(record_id) != digest_in(line.data):
                lost.append(record_id)
        return tuple(lost)

    def _check_loss(self, whole: _Whole, *, records: _Behind, results: _Behind, lost: Collection[str]) -> None:
        """Raises `RunError` when more would be cut than a killed runner or a failing machine leaves unfinished."""
        if self._play_again:
            return
        synced = read_synced(self._folder)
        if synced and whole.records_end >= synced.records and whole.results_end >= synced.results:
            return  # nothing that would be cut was on the disk yet
        again = (
            "Nothing was changed. Take the file from a copy, or let everything from there on be played again: "
            f"tournament resume {format_place(self._folder)} --play-again"
        )
        in_records = self._info.keep == KEEP_ALL or whole.lacks_records
        path, end, behind = (
            (self._records, whole.records_end, records) if in_records else (self._results, whole.results_end, results)
        )
        if not self._is_torn_block(behind):
            raise RunError(f"{path} is damaged in its middle, at byte {end}, and what follows would be lost. {again}")
        if lost and self._is_whole_block(lost):
            raise RunError(
                f"{self._records} is damaged, or has lost its end: {len(lost)} games, from {next(iter(lost))} on, "
                f"have whole results in {RESULTS_FILE} and no whole records any more. {again}"
            )
        if not in_records and not self._is_torn_block(records):
            raise RunError(
                f"{self._results} has lost its end: {self._records.name} has records of {records.blocks} blocks that "
                f"have no result. {again}"
            )

    def _is_torn_block(self, behind: _Behind) -> bool:
        """Returns whether lines can all be of the one block that was being written."""
        return behind.lines <= max(self._players.values()) and behind.blocks <= 1

    def _is_whole_block(self, lost: Collection[str]) -> bool:
        """Returns whether results would be lost that make up a whole block."""
        blocks = groupby(lost, key=block_of)
        return any(len(set(games)) >= self._players.get(group_of(block), 0) for block, games in blocks)

    def _write_index(self, entries: bytes) -> None:
        with suppress(OSError):  # there is none, or it cannot be read
            if read_regular(index_path(self._records)) == entries:
                return
        write_index(self._records, (entries,))

    # Looking

    def _whole_blocks(self, path: Path, *, is_whole: Callable[[bytes], bool]) -> Iterator[tuple[str, list[PlacedLine]]]:
        """Yields the whole blocks of a file from its start up to the first that is not whole."""
        for block, group in groupby(_whole_lines(path), key=_block_of):
            lines = list(group)
            ids = [format_game_id(block, rotation) for rotation in range(self._players.get(group_of(block), 0))]
            if not ids or [id_in(line.data) for line in lines] != ids or not all(is_whole(one.data) for one in lines):
                return
            yield block, lines

    def _behind(self, path: Path, end: int, *, is_whole: Callable[[bytes], bool]) -> _Behind:
        lines = 0
        whole = []
        blocks = set()
        for line in _lines_behind(path, end):
            lines += 1
            blocks.add(_block_of(line))
            if is_whole(line.data) and (record_id := id_in(line.data)) is not None:
                whole.append(record_id)
        return _Behind(lines, tuple(whole), blocks=len(blocks - {""}))

    def _side_end(self, name: str, blocks: Collection[str]) -> _Side:
        """Returns where the last line about a game with a result ends, in a file beside the records."""
        path = self._folder / name
        end = lines = 0
        for line in placed_lines(path) if path.exists() else ():
            try:
                said = _SIDE_LINE.decode(line.data)
            except (msgspec.DecodeError, RecursionError):
                continue
            if block_of(said.id) in blocks:
                end = line.end
                lines += said.kind != TroubleKind.AFTER_END
        return _Side(path, end, lines)

    def _lost_lines(self, whole: _Whole, *, clocks: _Side, faults: _Side) -> Iterator[str]:
        """Yields a sentence for each file beside the records that has lost lines: nothing can bring them back."""
        games = sum(self._players[group_of(block)] for block in whole.blocks)
        if clocks.lines < games:
            yield _lost_from(clocks.path, "the times of games", games - clocks.lines)
        if faults.lines < whole.faults:
            yield _lost_from(faults.path, "what is told of faults", whole.faults - faults.lines)


class _SideLine(msgspec.Struct):
    """The fields of a line of clocks or faults that are read here."""

    id: str
    kind: str | None = None


_SIDE_LINE = msgspec.json.Decoder(_SideLine)


class _Side(NamedTuple):
    """Where the last line about a game with a result ends, in a file beside the records."""

    path: Path
    end: int
    lines: int


def _whole_lines(path: Path) -> Iterator[PlacedLine]:
    """Yields the lines of a file up to where it cannot be read any more."""
    if path.exists():
        with suppress(RecordError):
            yield from placed_lines(path)


def _lines_behind(path: Path, end: int) -> Iterator[PlacedLine]:
    return lines_behind(path, end) if path.exists() else iter(())


def _names(lines: Iterable[PlacedLine]) -> list[tuple[str | None, str | None]]:
    return [(id_in(line.data), digest_in(line.data)) for line in lines]


def _digests(lines: Iterable[PlacedLine]) -> list[str | None]:
    return [digest_in(line.data) for line in lines]


def _block_of(line: PlacedLine) -> str:
    """Returns the id of the block that a line is of; nothing for a line without one."""
    return block_of(id_in(line.data) or "")


def _is_result(data: bytes) -> bool:
    try:
        parse_result(data)
    except RecordError:
        return False
    return True


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _cut(path: Path, end: int) -> None:
    if path.exists() and path.stat().st_size != end:
        os.truncate(path, end)


def _lost_from(path: Path, what: str, lines: int) -> str:
    return f"{path} has lost {what} ({lines} lines); no game and no standing depends on them."
