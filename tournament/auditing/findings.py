"""What an audit says: findings, each with a code, the first difference between two values, and a report of them all."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from itertools import dropwhile, zip_longest
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from tournament.text import format_count, shortened


class FindingCode(StrEnum):
    """What kind of thing is wrong."""

    # The line
    TORN_LINE = "torn-line"
    """The last line has no newline, as when its writer was killed."""

    BROKEN_JSON = "broken-json"
    NEWER_VERSION = "newer-version"
    """Written in a later version of the record format."""

    UNKNOWN_GAME = "unknown-game"
    SCHEMA = "schema"
    """Does not fit the schema of its game's records."""

    NOT_CANONICAL = "not-canonical"
    """The bytes are not the canonical form of the record."""

    DIGEST = "digest"
    NO_RECORDS = "no-records"

    # What a record says before the first move
    RULES_VERSION = "rules-version"
    """Played by another version of the rules, so it cannot be replayed."""

    PLAYERS = "players"
    """There are not as many seats and hands as players, or the game is not for that many players."""

    ID = "id"
    """The id is malformed, or names another game or number of players."""

    DUPLICATE_ID = "duplicate-id"
    DEAL_SEED = "deal-seed"
    """The deal is not the one its seed gives."""

    PACK = "pack"
    """The cards are not the whole pack in hands of the right size."""

    PARENT = "parent"
    """A what-if that goes on from a move it does not have, or that stands among the records of a run."""

    # The moves
    TURN = "turn"
    """A seat moved out of turn."""

    ILLEGAL = "illegal"
    AFTER_END = "after-end"
    """Moves after the end of the game."""

    UNFINISHED = "unfinished"
    """The moves stop before the end of the game."""

    ABORTED = "aborted"
    """Aborted while a seat was still playing, or played on after every seat had forfeited."""

    STAND_IN = "stand-in"
    """A stand-in moved for a seat that had not forfeited, was missing for one that had, or did not follow its seed."""

    FAULT = "fault"
    """A fault that cannot have happened as it is told."""

    RULES_FAILED = "rules-failed"
    """The rules of the game raised an error, so the record could not be followed."""

    # The result
    FORFEITS = "forfeits"
    ENDING = "ending"
    SCORES = "scores"
    PLACES = "places"
    DETAIL = "detail"

    # The run around the records: from here on `RUN_CODES`
    RUN_FILE = "run-file"
    """`run.json` cannot be read, is not valid or contradicts itself."""

    TOURNAMENT = "tournament"
    """A record names another tournament."""

    GROUP = "group"
    """A record has other options or rules than its group, or the run has no such group."""

    SEATS = "seats"
    """Other entrants sat at the table than the schedule says, or with other bots than `run.json` lists."""

    SCHEDULE = "schedule"
    """A record is missing, out of order, or not in the schedule."""

    RESULTS = "results"
    """`results.jsonl` cannot be read, or contradicts the records."""

    BLOCK_DEAL = "block-deal"
    """The rotations of a block were not played on the same deal."""

    MASTER = "master"
    """A deal seed does not come from the master or the deal suite."""

    COMMITMENT = "commitment"
    """Salt and master do not open the commitment, or are missing or published at the wrong time."""

    SUITE = "suite"
    """The deal suite of a segment is not the one that `run.json` names."""

    STANDINGS = "standings"
    """`standings.json` is missing, cannot be read, or does not follow from the results."""

    CLOCKS = "clocks"
    """`clocks.jsonl` is missing, cannot be read, or contradicts the results."""

    TROUBLE = "faults-file"
    """`faults.jsonl` is missing, cannot be read, or contradicts the results or the records."""

    CONFIGURATION = "configuration"
    """`tournament.yaml` is missing, cannot be read, or contradicts `run.json`."""

    REPORT = "report"
    """A page of the report is not what the run gives."""


RUN_CODES = frozenset(dropwhile(lambda code: code is not FindingCode.RUN_FILE, FindingCode))
"""Codes that only the audit of a run can find; a file of records can show all others."""


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is wrong."""

    code: FindingCode
    file: str
    line: int | None = None
    """The line in a file of records, from 1."""

    record: str | None = None
    """The id of the record, where it could be read."""

    step: int | None = None
    """How many moves come before the one in question."""

    message: str
    """What is wrong, as a sentence."""

    expected: str
    found: str

    @property
    def where(self) -> str:
        """File, line, record and step, those that are known."""
        parts = [self.file]
        if self.line is not None:
            parts.append(f"line {self.line}")
        if self.record is not None:
            parts.append(self.record)
        if self.step is not None:
            parts.append(f"step {self.step}")
        return ", ".join(parts)


class AuditReport(Struct, frozen=True, kw_only=True):
    """What an audit looked at and what it found."""

    records: int
    """How many records the audit looked at, broken ones included."""

    games: dict[str, int]
    """How many records each group has, among those that could be read."""

    findings: tuple[Finding, ...]
    """In the order of the sources and their lines."""

    unchecked: tuple[str, ...]
    """What could not be checked, a sentence each: as long as there is any, something may be wrong without a finding."""

    notes: tuple[str, ...]
    """What a reader should know besides: a run that is not complete, and claims that nothing can prove."""

    @property
    def clean(self) -> bool:
        """Whether there are no findings; look at `unchecked` as well."""
        return not self.findings


Contradiction = tuple[str, object, object]
"""A sentence, what was expected, what was found."""

Note = Callable[[str, object, object], None]
"""Takes the parts of a contradiction."""


Unchecked = tuple[tuple[tuple[str, str], int], ...]
"""What could not be checked: file and sentence, and in how many records."""


class Findings:
    """Collects findings. `file`, `line` and `record` say where the audit is now."""

    def __init__(self) -> None:
        self.file = ""
        self.line: int | None = None
        self.record: str | None = None
        self.all: list[Finding] = []
        self._unchecked: dict[tuple[str, str], int] = {}
        """By file and sentence: how many records."""

    @property
    def unchecked(self) -> tuple[str, ...]:
        """What could not be checked, a sentence each; one that holds for many records of a file is there once."""
        return tuple(
            f"{file}: {sentence}"
            if records == 0
            else f"{file}: in {format_count(records, 'record', grouped=False)} {sentence}"
            for (file, sentence), records in self._unchecked.items()
        )

    def leave(self, sentence: str, *, of_record: bool = False) -> None:
        """Notes, as a sentence, what could not be checked in this file, or with `of_record` in this record."""
        key = (self.file, sentence)
        self._unchecked[key] = self._unchecked.get(key, 0) + of_record

    def take(self) -> tuple[Finding, ...]:
        """Returns the findings so far, and forgets them."""
        taken = tuple(self.all)
        self.all.clear()
        return taken

    def take_unchecked(self) -> Unchecked:
        """Returns what could not be checked so far, and forgets it."""
        taken = tuple(self._unchecked.items())
        self._unchecked.clear()
        return taken

    def note_unchecked(self, unchecked: Unchecked) -> None:
        """Adds what others could not check."""
        for key, records in unchecked:
            self._unchecked[key] = self._unchecked.get(key, 0) + records

    def move_to(self, file: str, *, line: int | None = None, record: str | None = None) -> None:
        """Sets the place of the findings that follow."""
        self.file, self.line, self.record = file, line, record

    def add(self, code: FindingCode, message: str, expected: object, found: object, *, step: int | None = None) -> None:
        """Notes a contradiction as a finding at this place."""
        self.all.append(
            Finding(
                code=code,
                file=self.file,
                line=self.line,
                record=self.record,
                step=step,
                message=message,
                expected=shortened(str(expected), 200),
                found=shortened(str(found), 200),
            )
        )


SHOWN: Final = 100
"""How many findings are shown one by one by default."""


def format_finding(finding: Finding) -> str:
    """Returns one finding as a line: where, code, sentence, expected and found."""
    return f"{finding.where}: {finding.code}: {finding.message} Expected {finding.expected}; found {finding.found}."


def format_findings(report: AuditReport, *, limit: int | None = SHOWN) -> str:
    """Returns the findings, one a line, then the notes, then a summary line; `limit` None shows all findings."""
    shown = report.findings[:limit]
    lines = [format_finding(finding) for finding in shown]
    hidden = len(report.findings) - len(shown)
    if hidden:
        lines.append(f"... and {hidden} more; --json gives all of them.")
    lines += [f"Not checked: {sentence}" for sentence in report.unchecked]
    lines += [f"Note: {note}" for note in report.notes]
    return "\n".join([*lines, format_summary(report)])


def format_summary(report: AuditReport) -> str:
    """Returns one line with what was audited and how many findings there are."""
    games = ", ".join(f"{group} {count}" for group, count in report.games.items())
    looked = f"{format_count(report.records, 'record', grouped=False)} audited" + (f" ({games})" if games else "")
    if report.clean:
        return (
            f"{looked}: {'not all of it checked; nothing wrong in the rest' if report.unchecked else 'nothing wrong'}."
        )
    codes = Counter(str(finding.code) for finding in report.findings)
    counted = ", ".join(f"{code} {count}" for code, count in codes.most_common())
    return f"{looked}: {format_count(len(report.findings), 'finding', grouped=False)}: {counted}."


_CONTEXT_BYTES: Final = 30
"""How many bytes are shown on either side of the first difference."""


class ValueDifference(NamedTuple):
    """A place where two JSON values differ, and what is there; a missing value is `nothing`."""

    path: str
    expected: str
    found: str


class ByteDifference(NamedTuple):
    """Where two texts begin to differ, with some bytes of both around that place, ready to be shown."""

    at: int
    expected: str
    found: str


def first_difference(expected: Any, found: Any) -> ValueDifference | None:
    """Returns the first place where two values differ as JSON, or None; floats may differ in their last digits.

    `expected` has finite floats only, so any other float in `found` differs.
    """
    return _differ(msgspec.to_builtins(expected), msgspec.to_builtins(found), "$")


def _differ(expected: Any, found: Any, path: str) -> ValueDifference | None:
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*expected, *found)):
            inner = f"{path}.{key}"
            if key not in found:
                return ValueDifference(inner, _text(expected[key]), "nothing")
            if key not in expected:
                return ValueDifference(inner, "nothing", _text(found[key]))
            if difference := _differ(expected[key], found[key], inner):
                return difference
        return None
    if isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        for index, (one, other) in enumerate(zip(expected, found, strict=False)):
            if difference := _differ(one, other, f"{path}[{index}]"):
                return difference
        if len(expected) != len(found):
            return ValueDifference(path, f"{len(expected)} items", f"{len(found)} items")
        return None
    if isinstance(expected, float) and isinstance(found, float) and math.isclose(expected, found, abs_tol=1e-9):
        return None
    if type(expected) is type(found) and expected == found:
        return None
    return ValueDifference(path, _text(expected), _text(found))


def first_byte_difference(expected: bytes, found: bytes) -> ByteDifference:
    """Returns where two different texts begin to differ, with what is around that place."""
    at = next(place for place, (one, other) in enumerate(zip_longest(expected, found)) if one != other)
    around = slice(max(at - _CONTEXT_BYTES, 0), at + _CONTEXT_BYTES)
    return ByteDifference(at, shown_bytes(expected[around]), shown_bytes(found[around]))


def shown_bytes(data: bytes) -> str:
    """Returns bytes ready to be shown: quoted, in ASCII, cut."""
    return shortened(ascii(data.decode("utf-8", "backslashreplace")), 120)


def _text(value: Any) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except (msgspec.MsgspecError, ValueError, OverflowError):
        return repr(value)
