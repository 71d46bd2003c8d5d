"""Independent checks of records and runs: a second opinion that never asks the referee or a bot.

The audit works out everything in a record again, from its deal and moves and by the rules. For a run it also works
out the schedule, the seeds, the commitment and the standings, from `run.json` and the results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from tournament.auditing import checking
from tournament.auditing.checking import CheckedLine, check_lines
from tournament.auditing.findings import RUN_CODES, AuditReport, Finding, FindingCode, Findings, format_findings
from tournament.deals import Suite, load_suite
from tournament.errors import RecordError
from tournament.ids import NumberByGame, group_of
from tournament.store.layout import Reference, parse_reference, records_path
from tournament.store.lines import PassedOver, RecordLine, batches, read_lines
from tournament.store.reader import find_record, is_wanted, records_bytes
from tournament.text import each
from tournament.workers import WorkerPool, workers_for

if TYPE_CHECKING:
    from tournament.auditing.runs import RunAudit

__all__ = ["RUN_CODES", "AuditReport", "Finding", "FindingCode", "audit", "format_findings"]

_WAITING: Final = 6
"""How many batches of records wait at each worker, so that it has enough to do while a run's results are read."""


def audit(
    *sources: str | PathLike[str],
    suites: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
    workers: int | Literal["auto"] = 1,
) -> AuditReport:
    """Returns all that is wrong with runs, `.jsonl` and `.json` files, and single games named `RUN#ID`.

    `suites` are the files of deal suites that the runs were played on, other than those that come with the package.
    With several `workers` records are checked in so many processes, and the report is the same; `auto` takes one a
    core for long files. A script that asks for several needs `if __name__ == "__main__":`.

    What is wrong inside the sources becomes findings. Raises `ConfigurationError` for a suite that cannot be read,
    `RecordError` for a path that does not exist or cannot be read or a game that is not in its run, `RunError` for a
    folder that is not a run, and `WorkerError` when a worker process is killed or crashes.
    """
    references = list(map(parse_reference, sources))
    known = tuple(map(load_suite, map(Path, each(suites))))
    with WorkerPool(workers_for(workers, size=sum(map(records_bytes, references)))) as pool:
        auditor = _Auditor(known, pool)
        for reference in references:
            auditor.look_at(reference)
    return auditor.report()


class _Records(NamedTuple):
    """The records of a file, as they come from the workers."""

    path: Path
    reference: Reference
    passed: PassedOver
    checked: Iterator[list[CheckedLine]]


class _Auditor:
    def __init__(self, suites: Collection[Suite], pool: WorkerPool) -> None:
        self._suites = suites
        self._pool = pool
        self._findings = Findings()
        self._notes: list[str] = []
        self._games: dict[str, int] = {}
        self._records = 0

    def report(self) -> AuditReport:
        return AuditReport(
            records=self._records,
            games=self._games,
            findings=tuple(self._findings.all),
            unchecked=self._findings.unchecked,
            notes=tuple(self._notes),
        )

    def look_at(self, reference: Reference) -> None:
        path = records_path(reference.path)
        passed = PassedOver()
        lines = batches(_lines(path, reference, passed), most=checking.MOST_LINES)
        # Workers begin with the records while the other files of a run are read here.
        of_run = reference.path.is_dir()
        checked = self._pool.map(partial(check_lines, of_run=of_run), lines, waiting=_WAITING)
        records = _Records(path, reference, passed, checked)
        if not of_run:
            self._look_at_records(records, None, NumberByGame())
            return
        from tournament.auditing.runs import RunAudit  # lazy: it ranks, and neither a file nor a worker needs that

        seen = NumberByGame()
        run = RunAudit(reference.path, self._findings, self._notes, seen=seen, suites=self._suites)
        with closing(run):
            if reference.id is None:
                run.begin_report(self._pool)
            self._look_at_records(records, run, seen)

    def _look_at_records(self, records: _Records, run: RunAudit | None, seen: NumberByGame) -> None:
        """Takes the checked records of a file, of a `run` where it belongs to one; `seen` takes their ids."""
        findings = self._findings
        path, reference = records.path, records.reference
        before = self._records
        for checked in records.checked:
            for line in checked:
                self._records += 1
                findings.move_to(str(path), line=line.number, record=line.id)
                findings.all += line.of_line
                if line.id is not None:
                    self._note_id(line.id, seen)
                findings.all += line.of_record
                findings.note_unchecked(line.unchecked)
                if run is not None:
                    run.note_line(line, is_alone=reference.id is not None)
        self._note_passed(records.passed, path, is_run=run is not None)
        if run is not None and reference.id is None:
            run.finish(path)
        elif self._records == before:
            findings.move_to(str(path))
            findings.add(FindingCode.NO_RECORDS, "There are no records.", "a record a line", "nothing")

    def _note_passed(self, passed: PassedOver, path: Path, *, is_run: bool) -> None:
        """Notes what the reader passed over: a finding in a run, which a runner wrote; a note for any other file."""
        self._findings.move_to(str(path))
        for note in passed.notes():
            if is_run:
                message = "A runner writes a line for each record, and nothing else."
                self._findings.add(FindingCode.NOT_CANONICAL, message, "a record a line", note.text)
            else:
                self._notes.append(str(note))

    def _note_id(self, record_id: str, seen: NumberByGame) -> None:
        group = group_of(record_id)
        self._games[group] = self._games.get(group, 0) + 1
        if record_id in seen:
            self._findings.add(
                FindingCode.DUPLICATE_ID, "This id stands here a second time.", "each id once", record_id
            )
        else:
            seen[record_id] = 0


class _Name(msgspec.Struct):
    """The parts of a record that a reference can name."""

    id: str
    digest: str = ""


_NAME = msgspec.json.Decoder(_Name)


def _lines(path: Path, reference: Reference, passed: PassedOver) -> Iterator[RecordLine]:
    """Yields the lines of a file, or of the one record that is named. Raises `RecordError` when that is not there."""
    if reference.id is None:
        yield from read_lines(path, passed)
        return
    named = [line for line in read_lines(path) if _is_named(line.data, reference.id)]
    if not named:
        find_record(reference)
        raise RecordError(f'{path} has no record "{reference.id}".')
    yield from named


def _is_named(data: bytes, wanted: str) -> bool:
    if wanted.encode() not in data:
        return False
    try:
        name = _NAME.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return b'"id":"%b"' % wanted.encode() in data
    return is_wanted(wanted, record_id=name.id, digest=name.digest)
