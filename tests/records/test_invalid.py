"""The invalid records: each shows one finding, and every code is shown by one."""

from __future__ import annotations

import pytest
from make_invalid import FOLDER, INVALID, path_of

from tournament import audit
from tournament.auditing import RUN_CODES, FindingCode, format_findings


@pytest.mark.parametrize("code", INVALID)
def test_a_file_shows_just_the_finding_it_is_named_after(code: FindingCode) -> None:
    """One file per finding code."""
    report = audit(path_of(code))

    assert [code] == [finding.code for finding in report.findings], format_findings(report)


@pytest.mark.parametrize("code", INVALID)
def test_making_an_invalid_record_again_changes_nothing(code: FindingCode) -> None:
    """Regeneration is a no-op."""
    assert path_of(code).read_bytes() == INVALID[code]()


def test_every_code_that_a_file_can_show_has_its_file() -> None:
    """Codes of a run, and of rules that fail, are shown in tests/auditing."""
    assert set(FindingCode) - RUN_CODES - {FindingCode.RULES_FAILED} == set(INVALID)
    assert {path_of(code) for code in INVALID} == set(FOLDER.iterdir())
