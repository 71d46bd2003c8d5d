"""What all tests share: the end says what they lacked; texts are compared with those in `snapshots/` beside the tests.

`UPDATE_SNAPSHOTS=1 python -m pytest tests/viewer tests/report` writes the files anew: look at the difference.
"""

from __future__ import annotations

import fcntl
import gc
import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

from needs import summary, want_of

# Tests start thousands of processes. Each would compile the package anew where Python is told to keep no bytecode. This
# file is read before workers of pytest-xdist start, so it holds for them and for what they start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# As the command does: the threads of a library of linear algebra would take the cores from other tests.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Textual's pilot waits until the screen is at rest: it draws four times as often here, and nothing glides.
os.environ["TEXTUAL_FPS"] = "240"
os.environ["TEXTUAL_ANIMATIONS"] = "none"

# Tests read English, whatever the developer's own language is.
os.environ["LC_ALL"] = "C.UTF-8"

# No time decides whether a test passes. In CI a commit has one outcome; elsewhere each run draws other examples.
settings.register_profile(
    "tournament",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=os.environ.get("CI") == "true",
    print_blob=True,
)
settings.load_profile("tournament")

LONGEST = (
    "hostile/test_kit.py",
    "test_compiled.py",
    "docs/test_shown_commands.py",
    "browser/test_replay_fits.py",
    "docs/test_trained_with_torch.py",
    "arena/test_killed.py",
    "arena/test_layout.py",
    "arena/test_on_a_cluster.py",
    "browser/test_replay_page.py",
    "browser/test_report_layout.py",
    "cli/test_prompt.py",
    "arena/test_going_on.py",
    "run/test_cluster_workers.py",
    "protocol/test_faults.py",
    "lab/test_new_bot.py",
    "run/test_until.py",
    "protocol/test_levels.py",
    "lab/check/test_examination.py",
    "plugin/test_crazy_eights_runs.py",
    "browser/test_report_pages.py",
    "cli/test_commands.py",
    "cli/test_building.py",
    "cli/test_pipes.py",
    "run/test_kills.py",
    "run/test_cluster.py",
    "protocol/test_reach.py",
    "lab/test_repro.py",
    "cli/test_odd_machines.py",
    "run/test_cores.py",
    "run/test_withdrawing.py",
    "protocol/test_users.py",
    "lab/test_person.py",
    "protocol/test_cleaning_up.py",
)
"""The files that take longest, longest first. Workers of pytest-xdist begin with them: else one of them is left alone
with such a file at the end."""

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


def pytest_collection_modifyitems(config, items):
    """Puts the longest files first, where several workers share them."""
    if hasattr(config, "workerinput"):
        tests = Path(__file__).parent
        ranks = {tests / name: rank for rank, name in enumerate(LONGEST)}
        items.sort(key=lambda item: ranks.get(item.path, len(ranks)))


def pytest_collection_finish(session):
    """Leaves what stays for the whole session out of each search for garbage, and lets Textual's pilot look oftener."""
    del session
    gc.collect()
    gc.freeze()
    waiting = sys.modules.get("textual._wait")
    if waiting is not None:
        waiting.SLEEP_GRANULARITY = 1 / 150  # it looks that often whether all is at rest: longer than a frame
        waiting.SLEEP_IDLE = waiting.SLEEP_GRANULARITY / 20


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
