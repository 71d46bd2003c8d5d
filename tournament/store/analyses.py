"""Files of analyses, read and written; and whether an analysis is of a record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from os import PathLike
from pathlib import Path

import msgspec

from tournament.errors import RecordError, UsageError
from tournament.records.analysis import FORMAT, Analysis
from tournament.records.codec import AnyRecord, canonical_bytes
from tournament.records.schema import written_by_newer
from tournament.text import option


def read_analysis(path: Path) -> Analysis:
    """Returns the analysis in a file. Raises `RecordError` when it cannot be read or is no analysis."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}. Give a file that `analyse --out` wrote.") from None
    try:
        return msgspec.json.decode(data, type=Analysis)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if newer := written_by_newer(data):
            raise RecordError(f"{path}: {newer}") from None
        raise RecordError(f"{path}: {_what_it_is(data, error)} Give a file that `analyse --out` wrote.") from None


def _what_it_is(data: bytes, error: Exception) -> str:
    try:
        found = json.loads(data)["format"]
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        return f"this is not an analysis ({error})."
    return f"{error}." if found == FORMAT else f'format is "{found}", expected "{FORMAT}".'


def find_analyses(paths: Sequence[Path]) -> dict[Path, Analysis]:
    """Returns the analyses in files, and in all `.json` files of folders, by file.

    Raises `RecordError` for a file that is no analysis, and for a folder without any.
    """
    files = []
    for path in paths:
        found = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not found:
            raise RecordError(f"{path} has no .json in it. Give files that `analyse --out` wrote, or their folder.")
        files += found
    return {path: read_analysis(path) for path in files}


def read_analysis_of(record: AnyRecord, path: Path) -> Analysis:
    """Returns the analysis of a record in a file. Raises `RecordError` when there is none, or one of another."""
    analysis = read_analysis(path)
    check_judges(analysis, record, path)
    return analysis


def check_judges(analysis: Analysis, record: AnyRecord, path: Path) -> None:
    """Raises `RecordError` when an analysis, read from a file, is not of this record."""
    if (analysis.record, analysis.digest) != (record.id, record.digest):
        raise RecordError(
            f"{path} judges {analysis.record} with the digest {analysis.digest[:12]}, and this record is {record.id} "
            f"with the digest {(record.digest or 'none')[:12]}. Judge it anew: tournament analyse."
        )
    steps = [-1, *(decision.step for decision in analysis.decisions), len(record.moves)]
    ordered = all(before < after for before, after in pairwise(steps))
    if not ordered or any(record.moves[one.step].seat != one.seat for one in analysis.decisions):
        raise RecordError(f"{path} judges decisions that {record.id} does not have. Judge it anew: tournament analyse.")
    seats = {split.seat for split in analysis.splits}
    sat = tuple(seat.bot for seat in record.seats)
    if analysis.names != sat or not {one.seat for one in analysis.decisions} <= seats <= set(range(len(sat))):
        raise RecordError(f"{path} tells of other seats than {record.id} has. Judge it anew: tournament analyse.")


def check_writable(path: Path) -> None:
    """Raises `UsageError` when an analysis cannot be written to a path: only another analysis is overwritten."""
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}. Make it, or give another {option('--out')}.")
    if path.exists():
        try:
            read_analysis(path)
        except RecordError:
            raise UsageError(f"{path} exists already and is not an analysis. Give another {option('--out')}.") from None


def write_analysis(analysis: Analysis, path: str | PathLike[str]) -> None:
    """Writes an analysis in canonical form. Raises `UsageError` when that cannot be done."""
    path = Path(path)
    check_writable(path)
    try:
        path.write_bytes(canonical_bytes(analysis) + b"\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. Give another {option('--out')}.") from None
