"""What is said of a record that is not there although its game was played: a run need not keep all records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tournament.errors import RunError
from tournament.records.files import bounded_lines, open_regular
from tournament.records.folder import read_run
from tournament.records.keep import KEEP_ALL
from tournament.records.read import is_wanted
from tournament.records.results import RESULTS_FILE, ResultLine, has_record, parse_result
from tournament.records.run import RunInfo

AGAIN: Final = (
    "For the records of all games play the run again with --keep all; with the same --seed it has the same deals."
)


def why_missing(records: Path, wanted: str, *, ids: Sequence[str]) -> str | None:
    """Returns why the record of a game is not in the file of a run, which has those of `ids`.

    None for a game that was not played, and for a file that belongs to no run. Raises `RecordError` for a result
    that cannot be read.
    """
    info, result = _run_of(records), _result_of(records.parent / RESULTS_FILE, wanted)
    if info is None or result is None:
        return None
    said = f'{records} has no record "{wanted}": the game was played,'
    if has_record(result, keep=info.keep):
        return f"{said} and its record was kept, but is gone. Take the file from a copy."
    first = f"; the first game that was kept is {ids[0]}" if ids else ""
    return f"{said} but not kept (keep: {info.keep}). Its result is in {records.parent / RESULTS_FILE}{first}. {AGAIN}"


def why_empty(records: Path) -> str:
    """Returns why a file of records has none, after a blank: its run does not keep all. Else an empty text."""
    info = _run_of(records)
    return "" if info is None or info.keep == KEEP_ALL else f" No game was kept (keep: {info.keep}). {AGAIN}"


def _run_of(records: Path) -> RunInfo | None:
    try:
        return read_run(records.parent)
    except RunError:
        return None


def _result_of(path: Path, wanted: str) -> ResultLine | None:
    """Returns the result of a game, named by its id or the first digits of the digest of its record."""
    if not path.is_file():
        return None
    with open_regular(path) as file:
        for number, data in enumerate(bounded_lines(file, path), start=1):
            if wanted.encode() in data and data.endswith(b"\n"):
                result = parse_result(data, f"{path}, line {number}")
                if is_wanted(wanted, record_id=result.id, digest=result.digest):
                    return result
    return None
