"""What all tests share: the end says what they lacked; texts are compared with those in `snapshots/` beside the tests.

`UPDATE_SNAPSHOTS=1 python -m pytest tests/viewer tests/report` writes the files anew: look at the difference.
"""

from __future__ import annotations

import fcntl
import os
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from needs import summary, want_of

LOCKS = pytest.StashKey[tempfile.TemporaryDirectory]()


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


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Tells a worker of pytest-xdist where the locks lie that all workers share."""
    if LOCKS not in node.config.stash:
        node.config.stash[LOCKS] = tempfile.TemporaryDirectory(prefix="tournament-tests-")
        node.config.add_cleanup(node.config.stash[LOCKS].cleanup)
    node.workerinput["locks"] = node.config.stash[LOCKS].name


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Runs a test marked `alone` while no other runs: it holds a lock exclusively that the others share.

    Every test passes the door first: a stream of others never keeps a test waiting that must be alone.
    """
    locks = getattr(item.config, "workerinput", {}).get("locks")
    if locks is None:
        return (yield)
    with open(Path(locks) / "door", "w") as door, open(Path(locks) / "room", "w") as room:
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(room, fcntl.LOCK_EX if item.get_closest_marker("alone") else fcntl.LOCK_SH)
        fcntl.flock(door, fcntl.LOCK_UN)
        return (yield)
