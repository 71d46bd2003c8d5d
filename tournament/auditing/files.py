"""The files beside the records: `clocks.jsonl`, `faults.jsonl` and the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec

from tournament.auditing.checking import RecordFacts
from tournament.auditing.findings import Contradiction, Finding, FindingCode, Findings, Unchecked, first_byte_difference
from tournament.auditing.lines import repeated_name
from tournament.auditing.results import KnownResults
from tournament.errors import RecordError, TournamentError, install_advice
from tournament.ids import NumberByGame
from tournament.languages import OWN_FOLDER, Language, knows_languages, speaking
from tournament.languages.catalogues import own_digest
from tournament.records.record import Fault
from tournament.records.results import CLOCKS_FILE, FAULTS_FILE, GameClock, ResultLine, TroubleKind, TroubleLine
from tournament.report.facts import read_facts
from tournament.report.site import MADE_BY_FILE, REPORT_FOLDER, MadeBy, report_files
from tournament.store.files import bounded_lines, open_regular, read_regular
from tournament.text import shortened
from tournament.version import __version__

_ROUNDING_MS: Final = 0.002
"""How far the longest move may exceed the sum of all moves, since both are rounded."""

Line = TypeVar("Line", GameClock, TroubleLine)


class _Told(msgspec.Struct, frozen=True, array_like=True):
    """The parts of a record that the two files tell as well."""

    moves: tuple[int, ...]
    """How many moves each seat's own bot made, by seat."""

    faults: tuple[Fault, ...]


class MachineAudit:
    """Takes the records of a run one by one, then compares times and faults with them and with the results."""

    def __init__(self, folder: Path, findings: Findings, seen: NumberByGame) -> None:
        """Takes what is told of each id of a record that has come: 0 for nothing."""
        self._folder = folder
        self._findings = findings
        self._clocks = partial(findings.add, FindingCode.CLOCKS)
        self._seen = seen
        self._told = bytearray(1)
        """What is told of each record, packed, one after the other; `seen` has where it begins."""

    def note_record(self, record: RecordFacts) -> None:
        """Takes a record that could be read."""
        self._seen[record.id] = len(self._told)
        packed = _PACK.encode(_Told(record.moves, record.faults))
        self._told += len(packed).to_bytes(4) + packed

    def forget(self) -> None:
        """Forgets the records that have come."""
        self._told = bytearray(1)

    def _told_of(self, record_id: str) -> _Told | None:
        begin = self._seen.get(record_id)
        if not begin:
            return None
        behind = begin + 4
        size = int.from_bytes(self._told[begin:behind])
        return _UNPACK.decode(self._told[behind : behind + size])

    def finish(self, results: KnownResults, *, is_public: bool, most_bank_ms: int | None) -> None:
        """Notes where the two files of a complete run contradict the rest of it; a public copy must have neither.

        `most_bank_ms` is the longest bank that a game begins with; None where that is not known.
        """
        if is_public:
            self._check_absence()
            return
        self._check_clocks(results, most_bank_ms)
        self._check_faults(results)

    def _check_absence(self) -> None:
        for name, code in ((CLOCKS_FILE, FindingCode.CLOCKS), (FAULTS_FILE, FindingCode.TROUBLE)):
            if (self._folder / name).exists():
                self._findings.move_to(str(self._folder / name))
                self._findings.add(code, "A public copy does not have this file.", "no file", name)

    def _check_clocks(self, results: Iterable[ResultLine], most_bank_ms: int | None) -> None:
        due = iter(results)
        for clock in self._lines(CLOCKS_FILE, GameClock, FindingCode.CLOCKS):
            result = next(due, None)
            self._findings.record = clock.id
            if result is None or result.id != clock.id:
                self._clocks("The times are not those of the next game.", result.id if result else "none", clock.id)
                return
            if len(clock.seats) != len(result.seats):
                self._clocks("Not every seat has its time.", f"{len(result.seats)} seats", f"{len(clock.seats)} seats")
                continue
            told = self._told_of(clock.id)
            for seat, times in enumerate(clock.seats):
                if times.longest_ms > times.total_ms + _ROUNDING_MS:
                    self._clocks("A move took longer than all moves.", f"at most {times.total_ms}", times.longest_ms)
                if times.bank_ms is not None and most_bank_ms is not None and times.bank_ms > most_bank_ms:
                    self._clocks("More is left of a bank than was in it.", f"at most {most_bank_ms}", times.bank_ms)
                if told is not None and seat < len(told.moves) and (problem := _moves_problem(told, seat, times.moves)):
                    self._clocks(f"Seat {seat} was not asked so often.", problem, times.moves)
                elif times.spread and sum(times.spread) != times.moves:
                    self._clocks("Its moves are not as many as the times of them.", times.moves, sum(times.spread))
        if (missing := next(due, None)) is not None:
            self._clocks("The times of a game are missing.", missing.id, "nothing")

    def _check_faults(self, results: KnownResults) -> None:
        due = self._faults_due(results)
        for line in self._lines(FAULTS_FILE, TroubleLine, FindingCode.TROUBLE):
            self._findings.record = line.id
            if line.kind is TroubleKind.AFTER_END:
                self._check_after_end(line, results.get(line.id))
                continue
            fault = next(due, None)
            found = _text(line)
            if fault is None or (line.id, line.seat, line.kind) != (fault.id, fault.seat, fault.kind):
                self._trouble("The fault is not the next one of the results.", fault and _text(fault), found)
                return
            if line.bot != fault.bot:
                self._trouble("Another bot sat there.", fault.bot, line.bot)
            if fault.detail is not None and (line.at, line.detail) != (fault.at, fault.detail):
                self._trouble("The record tells the fault another way.", _text(fault), found)
        if (missing := next(due, None)) is not None:
            self._findings.record = missing.id
            self._trouble("A fault of the results is missing.", _text(missing), "nothing")

    def _check_after_end(self, line: TroubleLine, result: ResultLine | None) -> None:
        if result is None or line.bot not in result.seats:
            seats = ", ".join(result.seats) if result is not None else "a game of this run"
            self._trouble("Somebody failed after the end of a game it did not play.", seats, line.bot)
        elif line.seat is not None or line.at is not None:
            self._trouble("What comes after the end of a game is no fault of it.", "neither seat nor step", _text(line))

    def _trouble(self, message: str, expected: object, found: object) -> None:
        self._findings.add(FindingCode.TROUBLE, message, expected or "nothing", found)

    def _faults_due(self, results: Iterable[ResultLine]) -> Iterator[TroubleLine]:
        """Yields the lines the file must have, one for each fault; with step and detail where the record was kept."""
        for result in results:
            told = self._told_of(result.id)
            for number, (seat, kind) in enumerate(result.faults):
                fault = told.faults[number] if told is not None and number < len(told.faults) else None
                yield TroubleLine(
                    id=result.id,
                    bot=result.seats[seat] if seat < len(result.seats) else "nobody",
                    seat=seat,
                    kind=TroubleKind(kind),
                    at=None if fault is None else fault.at,
                    detail=None if fault is None else fault.detail,
                )

    def _lines(self, name: str, kind: type[Line], code: FindingCode) -> Iterator[Line]:
        """Yields the lines of a file up to the first that cannot be read, and notes what is wrong with them."""
        path, findings = self._folder / name, self._findings
        findings.move_to(str(path))
        decoder = msgspec.json.Decoder(kind)
        try:
            with open_regular(path) as file:
                for number, data in enumerate(bounded_lines(file, path), start=1):
                    findings.move_to(str(path), line=number)
                    if not data.endswith(b"\n"):
                        findings.add(code, "The last line is torn.", "a newline", "the end of the file")
                        return
                    if (repeated := repeated_name(data)) is not None:
                        message = "A name stands twice: readers disagree on which counts."
                        findings.add(code, message, "each name once", repeated)
                    yield decoder.decode(data)
        except OSError as error:
            findings.add(code, "The file cannot be read.", "a line for each", error.strerror)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecordError) as error:
            findings.add(code, "This line is not what stands there.", kind.__name__, error)
        findings.move_to(str(path))


_PACK: Final = msgspec.msgpack.Encoder()
_UNPACK: Final = msgspec.msgpack.Decoder(_Told)


def _moves_problem(told: _Told, seat: int, moves: int) -> str | None:
    """Returns how often a seat was asked, or None where `moves` may be right: a fault may be one request more."""
    own = told.moves[seat]
    most = own + any(fault.seat == seat for fault in told.faults)
    return None if own <= moves <= most else str(own) if own == most else f"{own} or {most}"


def _text(line: TroubleLine) -> str:
    step = "" if line.at is None else f" at step {line.at}"
    detail = "" if line.detail is None else f" ({line.detail})"
    return f"{line.id}: {line.kind} of seat {line.seat}{step}{detail}"


class Looked(NamedTuple):
    """What was found, and what could not be checked."""

    findings: tuple[Finding, ...]
    unchecked: Unchecked


def look_at_report(folder: Path) -> Looked:
    """Returns where a report is not what the run gives, for a run that has no findings but these.

    A report is left unchecked when another version made it, when it shows analyses, which are no part of the run, and
    when its language is not installed here.
    Cost: that of making the report.
    """
    findings = Findings()
    _check_report(folder, findings)
    return Looked(findings.take(), findings.take_unchecked())


def _check_report(folder: Path, findings: Findings) -> None:
    report = folder / REPORT_FOLDER
    if not report.is_dir():
        return
    findings.move_to(str(report))
    try:
        made_by = msgspec.json.decode(read_regular(report / MADE_BY_FILE), type=MadeBy)
    except (OSError, msgspec.DecodeError):
        findings.leave("the report does not say which version made it. `tournament report` makes it anew.")
        return
    if made_by.tournament != __version__:
        findings.leave(
            f"the report was made by tournament {shortened(made_by.tournament, 40)}, and this is {__version__}. "
            "`tournament report` makes it anew."
        )
        return
    if made_by.analyses:
        findings.leave("the report shows analyses, which are no part of the run.")
        return
    if made_by.language is not Language.ENGLISH and not knows_languages():
        findings.leave(f"the report is in {made_by.language.own_name}. {install_advice('languages')}")
        return
    if made_by.catalogue != own_digest(made_by.language):
        findings.leave(_other_catalogue(made_by))
        return
    found = {path.relative_to(report).as_posix() for path in report.rglob("*") if not path.is_dir()}
    problems: dict[str, Contradiction] = {}
    wanted: set[str] = set()
    try:
        with speaking(made_by.language):
            for name, data in report_files(read_facts(folder)):
                wanted.add(name)
                if name not in found:
                    problems[name] = ("A file of the report is missing.", name, "nothing")
                elif problem := _page_problem(data, report / name):
                    problems[name] = problem
    except TournamentError as error:
        findings.add(FindingCode.REPORT, "The report cannot be made again.", "a report of this run", error)
        return
    problems |= {name: ("The report has no such file.", "no file", name) for name in found - wanted}
    for name, problem in sorted(problems.items()):
        findings.move_to(str(report / name))
        findings.add(FindingCode.REPORT, *problem)


def _other_catalogue(made_by: MadeBy) -> str:
    """Returns why a report that was made with other texts than there are here cannot be compared."""
    name = made_by.language.own_name
    if made_by.catalogue is None:
        return (
            f"the report was made with our own texts in {name}, and there is a catalogue of others here. "
            f"Audit it without {OWN_FOLDER}."
        )
    return (
        f"the report was made with texts of a catalogue in {name} that is not here. "
        f"Let {OWN_FOLDER} name the folder with that catalogue, or make the report anew: tournament report."
    )


def _page_problem(wanted: bytes, path: Path) -> Contradiction | None:
    """Returns what is wrong with a page; None when it is as it should be."""
    try:
        found = read_regular(path)
    except OSError as error:
        return "The page cannot be read.", "a file", error.strerror
    if found == wanted:
        return None
    at, expected, different = first_byte_difference(wanted, found)
    return f"The page is not what the run gives, from byte {at} on.", expected, different
