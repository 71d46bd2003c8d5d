"""What all tests share: the end says what they lacked; texts are compared with those in `snapshots/` beside the tests.

`UPDATE_SNAPSHOTS=1 python -m pytest tests/viewer tests/report` writes the files anew: look at the difference.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from needs import summary, want_of


@pytest.fixture
def snapshot(request):
    """Compares a text with the file of a name."""

    def compare(name: str, text: str) -> None:
        file = request.path.parent / "snapshots" / name
        if os.environ.get("UPDATE_SNAPSHOTS"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")

        assert file.read_text(encoding="utf-8") == text

    return compare


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Notes for want of what a test was skipped."""
    report = yield
    report.want = want_of(call.excinfo and call.excinfo.value)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Notes for want of what a file was skipped."""
    report = yield
    report.want = want_of(report.call.excinfo and report.call.excinfo.value)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter):
    """Says at the very end what was not tested for want of something that can be installed."""
    yield
    lines = summary(terminalreporter.stats.get("skipped", []))
    if lines:
        terminalreporter.section("not tested on this machine")
        for line in lines:
            terminalreporter.line(line)
