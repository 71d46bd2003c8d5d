"""What an audit says: findings, each with a code, and a report of all of them, also in words."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import Final

from msgspec import Struct

from tournament.text import format_count


class FindingCode(StrEnum):
    """What kind of thing is wrong."""

    # The line
    TORN_LINE = "torn-line"
    """The last line has no newline: what a killed writer leaves."""

    BROKEN_JSON = "broken-json"
    NEWER_VERSION = "newer-version"
    """Of a version of the record format that is not known here."""

    UNKNOWN_GAME = "unknown-game"
    SCHEMA = "schema"
    """Does not fit the schema of its game's records."""

    NOT_CANONICAL = "not-canonical"
    """The bytes are not the canonical form of the record."""

    DIGEST = "digest"
    NO_RECORDS = "no-records"

    # What a record says before the first move
    RULES_VERSION = "rules-version"
    """Played by other rules than those known here, so it cannot be replayed."""

    PLAYERS = "players"
    """Players, seats and hands are not equally many, or too many or too few for the game."""

    ID = "id"
    """The id does not fit its form, the game or the number of players."""

    DUPLICATE_ID = "duplicate-id"
    DEAL_SEED = "deal-seed"
    """The deal is not the one its seed gives."""

    PACK = "pack"
    """The cards are not the whole pack in hands of the right size."""

    PARENT = "parent"
    """Goes on from behind its own last move, or stands in a run although it is a what-if."""

    # The moves
    TURN = "turn"
    """A seat moved that was not to move."""

    ILLEGAL = "illegal"
    AFTER_END = "after-end"
    """Moves after the end of the game."""

    UNFINISHED = "unfinished"
    """The moves stop before the end of the game."""

    ABORTED = "aborted"
    """Aborted although a seat was still playing, or played on after every seat had forfeited."""

    STAND_IN = "stand-in"
    """A stand-in moved for a seat that plays, none for one that forfeited, or not as the seed gives."""

    FAULT = "fault"
    """A fault that cannot have been as it stands there."""

    RULES_FAILED = "rules-failed"
    """The rules of the game raised an error, so the record could not be followed."""

    # The result
    FORFEITS = "forfeits"
    ENDING = "ending"
    SCORES = "scores"
    PLACES = "places"
    DETAIL = "detail"

    # The run around the records
    RUN_FILE = "run-file"
    """`run.json` cannot be read, is not valid or contradicts itself."""

    TOURNAMENT = "tournament"
    """A record names another tournament."""

    GROUP = "group"
    """Options or rules of a record are not those of its group, or the run has no such group."""

    SEATS = "seats"
    """Others sat at the table than the schedule says, or with other bots than `run.json` lists."""

    SCHEDULE = "schedule"
    """A record is missing, out of order, or not in the schedule at all."""

    RESULTS = "results"
    """`results.jsonl` cannot be read, or says something else than the records."""

    BLOCK_DEAL = "block-deal"
    """The rotations of a block were not played on one deal."""

    MASTER = "master"
    """A deal seed is not the one that the master, or the deal suite, gives."""

    COMMITMENT = "commitment"
    """Salt and master are not those that were committed to, or not where they belong."""

    SUITE = "suite"
    """The deal suite of a segment is another one than `run.json` says."""

    STANDINGS = "standings"
    """`standings.json` is missing, cannot be read, or is not what the records give."""

    CLOCKS = "clocks"
    """`clocks.jsonl` is missing, cannot be read, or tells of other games than the results."""

    TROUBLE = "faults-file"
    """`faults.jsonl` is missing, cannot be read, or tells of other faults than results and records."""

    CONFIGURATION = "configuration"
    """`tournament.yaml` is missing, cannot be read, or is not what `run.json` was made from."""

    REPORT = "report"
    """A page of the report is not what the run gives."""


RUN_CODES = frozenset(
    {
        FindingCode.RUN_FILE,
        FindingCode.TOURNAMENT,
        FindingCode.GROUP,
        FindingCode.SEATS,
        FindingCode.SCHEDULE,
        FindingCode.RESULTS,
        FindingCode.BLOCK_DEAL,
        FindingCode.MASTER,
        FindingCode.COMMITMENT,
        FindingCode.SUITE,
        FindingCode.STANDINGS,
        FindingCode.CLOCKS,
        FindingCode.TROUBLE,
        FindingCode.CONFIGURATION,
        FindingCode.REPORT,
    }
)
"""Codes that only the audit of a run can find; all others a file of records can show."""


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is wrong."""

    code: FindingCode
    file: str
    line: int | None = None
    """The line in a file of records, from 1."""

    record: str | None = None
    """The id of the record, where it can be told."""

    step: int | None = None
    """The number of moves before the one in question."""

    message: str
    """What is wrong, as a sentence."""

    expected: str
    found: str

    @property
    def where(self) -> str:
        """File, line, record and step, as far as they are known."""
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
    """How many records were looked at, broken ones included."""

    games: dict[str, int]
    """Records by group, as far as they could be read."""

    findings: tuple[Finding, ...]
    """In the order of the sources and their lines."""

    unchecked: tuple[str, ...]
    """What could not be checked, and what would let it be: while there is any, nobody can say that nothing is wrong."""

    notes: tuple[str, ...]
    """What is no finding but should be known: a run that is not complete, what has to be believed."""

    @property
    def clean(self) -> bool:
        """Whether there are no findings; see `unchecked` too."""
        return not self.findings


class Findings:
    """Collects findings; `file`, `line` and `record` are where the audit is."""

    def __init__(self) -> None:
        self.file = ""
        self.line: int | None = None
        self.record: str | None = None
        self.all: list[Finding] = []
        self._unchecked: dict[tuple[str, str], int] = {}
        """How many records, by file and sentence."""

    @property
    def unchecked(self) -> tuple[str, ...]:
        """What could not be checked, a sentence each; what holds for many records of a file stands there once."""
        return tuple(
            f"{file}: {sentence}"
            if records == 0
            else f"{file}: in {format_count(records, 'record', grouped=False)} {sentence}"
            for (file, sentence), records in self._unchecked.items()
        )

    def leave(self, sentence: str, *, of_record: bool = False) -> None:
        """Notes what could not be checked in the present file; `of_record`: in the present record."""
        key = (self.file, sentence)
        self._unchecked[key] = self._unchecked.get(key, 0) + of_record

    def move_to(self, file: str, *, line: int | None = None, record: str | None = None) -> None:
        """Says where the findings that follow are."""
        self.file, self.line, self.record = file, line, record

    def add(self, code: FindingCode, message: str, *, expected: object, found: object, step: int | None = None) -> None:
        """Notes a finding at the present place."""
        self.all.append(
            Finding(
                code=code,
                file=self.file,
                line=self.line,
                record=self.record,
                step=step,
                message=message,
                expected=shortened(str(expected)),
                found=shortened(str(found)),
            )
        )


def shortened(text: str, limit: int = 200) -> str:
    """Returns a text cut to a length that can be shown."""
    return text if len(text) <= limit else f"{text[:limit]}..."


SHOWN: Final = 100
"""How many findings are shown one by one when nothing else is said."""


def format_finding(finding: Finding) -> str:
    """Returns one finding as a line: where, code, sentence, expected and found."""
    return f"{finding.where}: {finding.code}: {finding.message} Expected {finding.expected}; found {finding.found}."


def format_findings(report: AuditReport, *, limit: int | None = SHOWN) -> str:
    """Returns the findings a line each, notes, and a summary as the last line; `limit` None shows all of them."""
    shown = report.findings[:limit]
    lines = [format_finding(finding) for finding in shown]
    hidden = len(report.findings) - len(shown)
    if hidden:
        lines.append(f"... and {hidden} more; --json gives all of them.")
    lines += [f"Not checked: {sentence}" for sentence in report.unchecked]
    lines += [f"Note: {note}" for note in report.notes]
    return "\n".join([*lines, format_summary(report)])


def format_summary(report: AuditReport) -> str:
    """Returns what was looked at and what came out, as one line."""
    games = ", ".join(f"{group} {count}" for group, count in report.games.items())
    looked = f"{format_count(report.records, 'record', grouped=False)} audited" + (f" ({games})" if games else "")
    if report.clean:
        return (
            f"{looked}: {'not all of it checked; nothing wrong in the rest' if report.unchecked else 'nothing wrong'}."
        )
    codes = Counter(str(finding.code) for finding in report.findings)
    counted = ", ".join(f"{code} {count}" for code, count in codes.most_common())
    return f"{looked}: {format_count(len(report.findings), 'finding', grouped=False)}: {counted}."
