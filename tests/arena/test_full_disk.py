"""A disk that is really full at each moment of a competition, on a small disk of the test's own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from needs import missing

pytestmark = pytest.mark.long

TESTS = Path(__file__).parents[1]
MOUNTING = 'mount -t tmpfs -o size=24m none "$DISK" && exec "$@"'


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Returns what `full_disk.py` found out; its disk is seen by no other process, and ends with it."""
    if shutil.which("unshare") is None or os.geteuid() != 0:
        missing("the right to mount a disk", "Run the tests as root.")
    place = tmp_path_factory.mktemp("small")
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", MOUNTING, "sh", sys.executable, TESTS / "arena" / "full_disk.py", place],
        env=os.environ | {"DISK": str(place), "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("moment", ["hand-in", "check", "begin", "games", "count", "ladder", "backup"])
def test_a_full_disk_is_said_at_each_moment(found, moment):
    assert any("No space left on device" in text or "disk is full" in text for text in found["said"][moment])


def test_hosts_read_in_the_control_room_that_the_disk_was_full(found):
    assert any("disk is full" in text for text in found["told"])
    assert any("No space left on device" in text for text in found["told"])


def test_an_upload_without_room_is_answered_with_an_error_and_taken_once_there_is_room(found):
    assert [503, 201] == found["statuses"]


def test_what_was_cut_short_goes_on_once_there_is_room(found):
    assert [[1, "active", True]] == found["versions"]
    assert {"complete"} == {state for _, state, *_ in found["rounds"][:-1]}


def test_every_round_is_whole_and_all_is_as_it_is_made_anew(found):
    assert found["database"], "the database has to lie on the small disk, too"
    assert ([], True) == (found["findings"], found["rebuilt"])


def test_a_backup_without_room_is_refused_and_leaves_nothing(found):
    assert (True, [], 1) == (
        "No space left on device" in found["backup"]["said"] or "disk is full" in found["backup"]["said"],
        found["backup"]["left"],
        found["backup"]["versions"],
    )
