"""A report in words, and what a report says of rules that fail."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from make_goldens import FOLDER as GOLDEN
from make_invalid import path_of

from tournament import audit
from tournament.auditing import FindingCode, format_findings
from tournament.errors import RecordError, RunError
from tournament.games.scout.state import ScoutState


def test_a_clean_report_says_what_was_looked_at() -> None:
    report = audit(GOLDEN / "scout-2p-stuck.json", GOLDEN / "explorers-2p-complete.json")

    assert format_findings(report) == "2 records audited (scout-2p 1, explorers-2p 1): nothing wrong."


def test_a_finding_is_a_line_with_place_code_expected_and_found() -> None:
    """Code, record, step, expected and found."""
    path = path_of(FindingCode.TURN)

    lines = format_findings(audit(path)).splitlines()

    assert lines == [
        f"{path}, scout-2p.0.000000.0, step 4: turn: A seat moved that was not to move. Expected seat 0; found seat 1.",
        "1 record audited (scout-2p 1): 1 finding: turn 1.",
    ]


def test_only_so_many_findings_are_shown_and_the_rest_is_counted() -> None:
    """A file with a million wrong lines does not flood the terminal."""
    report = audit(path_of(FindingCode.DETAIL), path_of(FindingCode.SCORES), path_of(FindingCode.PLACES))

    lines = format_findings(report, limit=1).splitlines()

    assert len(report.findings) == 3
    assert lines[1] == "... and 2 more; --json gives all of them."
    assert lines[2].endswith("3 findings: detail 1, scores 1, places 1.")


def test_a_report_goes_through_json_and_back() -> None:
    """`tournament audit --json`."""
    report = audit(path_of(FindingCode.ILLEGAL))

    assert msgspec.convert(msgspec.to_builtins(report), type(report)) == report


def test_rules_that_raise_an_error_become_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules of another's game may fail on a record they never meant."""

    def fail(self: ScoutState, action: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(ScoutState, "check", fail)

    findings = audit(GOLDEN / "scout-2p-stuck.json").findings

    assert [(finding.code, finding.found) for finding in findings] == [
        (FindingCode.RULES_FAILED, "ZeroDivisionError: by zero")
    ]


def test_what_is_not_there_is_an_error_and_no_finding(tmp_path: Path) -> None:
    """A wrong path is the user's mistake."""
    with pytest.raises(RunError, match="no run and no file"):
        audit(tmp_path / "nothing")
    with pytest.raises(RecordError, match="no run and no file"):
        audit(tmp_path / "nothing.jsonl")
    with pytest.raises(RunError, match="is not a run"):
        audit(tmp_path)
    with pytest.raises(RecordError, match="has no record"):
        audit(f"{GOLDEN / 'scout-2p-stuck.json'}#scout-2p.0.000009.0")
