"""Records from wherever a command takes them: a run, a `.jsonl`, a `.json`, or one game as `RUN#ID`.

One streaming reader for everything: replay, audit, ranking and export all start from its lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tournament.errors import RecordError, RunError, did_you_mean
from tournament.records.codec import AnyRecord, parse_record

RECORDS_FILE = "games.jsonl"
RUN_FILE = "run.json"


class Line(NamedTuple):
    """One record as it stands in a file."""

    data: bytes
    """Without the newline."""

    path: Path
    number: int
    """The line in the file, from 1."""

    torn: bool
    """The last line of a `.jsonl`, without a newline: what a killed writer leaves."""

    @property
    def where(self) -> str:
        """The file and the line, for messages."""
        return str(self.path) if self.path.suffix == ".json" else f"{self.path}, line {self.number}"


class Reference(NamedTuple):
    """What a user named: a file or a run, and perhaps one game in it."""

    path: Path
    id: str | None


def parse_reference(text: str | Path) -> Reference:
    """Returns what `RUN`, `FILE` or `RUN#ID` names."""
    if isinstance(text, Path):
        return Reference(text, None)
    path, hash_sign, record_id = text.partition("#")
    if hash_sign and not Path(text).exists():
        return Reference(Path(path), record_id)
    return Reference(Path(text), None)


def records_path(path: Path) -> Path:
    """Returns the file of records that a run or a file names.

    Raises `RunError` for a folder that is no run, `RecordError` for a file that is missing.
    """
    if path.is_dir():
        if (path / RECORDS_FILE).is_file():
            return path / RECORDS_FILE
        raise RunError(f"{path} is no run: it has no {RECORDS_FILE}. Give the folder that `tournament run` wrote.")
    if path.is_file():
        return path
    near = did_you_mean(path.name, (other.name for other in path.parent.iterdir())) if path.parent.is_dir() else ""
    raise RecordError(f"There is no run and no file {path}.{near} Give a run folder, a .jsonl, a .json, or RUN#ID.")


def read_lines(path: Path) -> Iterator[Line]:
    """Yields the lines of a file of records, a `.json` as one. Raises `RecordError` when it cannot be read."""
    try:
        if path.suffix == ".json":
            yield Line(path.read_bytes().strip(), path, 1, torn=False)
            return
        with path.open("rb") as file:
            for number, data in enumerate(file, start=1):
                yield Line(data.removesuffix(b"\n"), path, number, torn=not data.endswith(b"\n"))
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}. Check the path and its permissions.") from None


def read_records(source: str | Path) -> Iterator[AnyRecord]:
    """Yields the records of a run, a `.jsonl`, a `.json`, or the one that `RUN#ID` names.

    A torn last line is passed over. Raises `RecordError` naming the line for anything else that
    is no record, and `RunError` for a folder that is no run.
    """
    reference = parse_reference(source)
    if reference.id is not None:
        yield find_record(reference)
        return
    for line in read_lines(records_path(reference.path)):
        if not line.torn or _is_whole(line):
            yield parse_record(line.data, line.where)


def _is_whole(line: Line) -> bool:
    """A last line without its newline may still be a whole record, written by another hand."""
    return line.data.endswith(b"}")


def find_record(reference: Reference) -> AnyRecord:
    """Returns the one record that `RUN#ID` names, by its id or by the first digits of its digest.

    A reference without an id must name a file with one record. Raises `RecordError` when there is
    none, or more than one. Cost: reads the file up to the record.
    """
    path = records_path(reference.path)
    wanted = reference.id
    ids: list[str] = []
    only: AnyRecord | None = None
    for line in read_lines(path):
        if wanted is not None and wanted.encode() not in line.data:
            if len(ids) < 2000:
                ids += _id_of(line.data)
            continue
        if line.torn and not _is_whole(line):
            continue
        record = parse_record(line.data, line.where)
        if wanted is None:
            if only is not None:
                raise RecordError(f"{path} has many records. Say which one: {reference.path}#{only.id}")
            only = record
        elif record.id == wanted or (len(wanted) >= 6 and (record.digest or "").startswith(wanted)):
            return record
        ids.append(record.id)
    if only is not None:
        return only
    if wanted is None:
        raise RecordError(f"{path} has no record in it.")
    example = f" Its first is {ids[0]}." if ids else " It has no records."
    raise RecordError(f'{path} has no record "{wanted}".{did_you_mean(wanted, ids) or example}')


def _id_of(data: bytes) -> list[str]:
    """Returns the id in a line without reading the rest; none when there is no such field."""
    _, found, rest = data.partition(b'"id":"')
    return [rest.partition(b'"')[0].decode(errors="replace")] if found else []
