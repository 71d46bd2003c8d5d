"""Lines of a file checked one by one, each for itself: what a worker of an audit does."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from tournament.auditing.findings import Finding, Findings, Unchecked
from tournament.auditing.lines import LineReader
from tournament.auditing.records import check_record
from tournament.records.codec import AnyRecord, codec_for
from tournament.records.record import Fault, GameInfo, Parent, SeatInfo
from tournament.records.results import format_result, result_line
from tournament.store.lines import RecordLine

MOST_LINES: Final = 200
"""How many lines are checked at a time."""


class RecordFacts(NamedTuple):
    """What the audit of a run asks of a record, beside what the record says of its own moves."""

    id: str
    tournament: str
    game: GameInfo[Any]
    seats: tuple[SeatInfo, ...]
    result: bytes
    """As its line in the results should be."""

    seed: str | None
    parent: Parent | None
    moves: tuple[int, ...]
    """How many moves each seat's own bot made, by seat."""

    faults: tuple[Fault, ...]


class CheckedLine(NamedTuple):
    """What is wrong with one line."""

    number: int | None
    """Of the line; None for a file that is one record."""

    id: str | None
    """Of the record, where it could be read."""

    of_line: tuple[Finding, ...]
    """What is wrong with the bytes."""

    of_record: tuple[Finding, ...]
    """What is wrong with the record."""

    unchecked: Unchecked
    facts: RecordFacts | None
    """None for a line that is no record, or not of a run."""


def check_lines(lines: list[RecordLine], *, of_run: bool) -> list[CheckedLine]:
    """Returns what is wrong with each of some lines of one file, with facts where it is that of a run."""
    findings = Findings()
    reader = LineReader(findings)
    shared: dict[Any, Any] | None = {} if of_run else None
    checked = []
    for line in lines:
        with _without_collections():
            checked.append(_check(line, reader, findings, shared))
    return checked


@contextmanager
def _without_collections() -> Iterator[None]:
    """Lets Python look for cycles after the block alone: a record has thousands of objects, and none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _check(line: RecordLine, reader: LineReader, findings: Findings, shared: dict[Any, Any] | None) -> CheckedLine:
    number = line.number if line.is_line or line.number > 1 else None
    findings.move_to(str(line.path), line=number)
    record = reader.read(line)
    of_line = findings.take()
    if record is not None:
        check_record(record, findings)
    return CheckedLine(
        number=number,
        id=findings.record,
        of_line=of_line,
        of_record=findings.take(),
        unchecked=findings.take_unchecked(),
        facts=None if record is None or shared is None else _facts(record, shared),
    )


def _facts(record: AnyRecord, shared: dict[Any, Any]) -> RecordFacts:
    moves = Counter(codec_for(record.game.name).own_seats(record.moves))
    return RecordFacts(
        id=record.id,
        tournament=record.tournament,
        game=_shared(record.game, shared),
        seats=_shared(record.seats, shared),
        result=format_result(result_line(record)),
        seed=record.seed,
        parent=record.parent,
        moves=tuple(moves[seat] for seat in range(len(record.seats))),
        faults=record.faults,
    )


def _shared(value: Any, shared: dict[Any, Any]) -> Any:
    """Returns an equal value that was there before: it is sent once for all records that have it."""
    try:
        return shared.setdefault(value, value)
    except TypeError:  # options that cannot be a key
        return value
