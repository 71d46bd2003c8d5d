"""Systems other than Linux, as far as they can be shown here: another name of the system, and no `/proc`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tournament.players.linux import group_places

ELSEWHERE = """
import sys, sysconfig
import os, psutil
psutil.PROCFS_PATH = os.environ["PROCESSES"]  # psutil asks the kernel of this machine, which only tells it there
sysconfig.get_config_vars()  # has the name of the system in the name of a module
sys.platform = "darwin"
from tournament.cli.main import run
sys.argv[0] = "tournament"
run()
"""


def can_hide():
    """Returns whether this user may hide `/proc` from a process."""
    if shutil.which("unshare") is None:
        return False
    hiding = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/proc"]
    return subprocess.run(hiding, capture_output=True, check=False).returncode == 0


HIDES = can_hide()


def elsewhere(tmp_path, *words):
    """Runs the command on a system that is called Darwin and has no `/proc`."""
    place = tmp_path.with_name(f"{tmp_path.name}-processes")
    place.mkdir(exist_ok=True)
    command = 'mount --bind /proc "$PROCESSES" && mount -t tmpfs none /proc && exec "$@"'
    return subprocess.run(
        ["unshare", "-m", "sh", "-c", command, "sh", sys.executable, "-c", ELSEWHERE, *words],
        cwd=tmp_path,
        env=os.environ | {"PROCESSES": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )


DUEL = ("run", "--game", "scout:2", "--bots", "scout_greedy,scout_cautious", "--deals", "1", "--out", "run")


@pytest.mark.skipif(not HIDES, reason="only root may hide /proc")
@pytest.mark.parametrize("level", ["none", "process"])
def test_a_run_is_played_without_proc(tmp_path, level):
    done = elsewhere(tmp_path, *DUEL, "--isolation", level)

    assert ("2 of 2 planned games, no faults." in done.stdout, done.returncode) == (True, 0), done.stderr


@pytest.mark.skipif(not HIDES, reason="only root may hide /proc")
def test_what_processes_lack_there_is_said_before_play(tmp_path):
    lines = elsewhere(tmp_path, *DUEL, "--isolation", "process").stdout.splitlines()

    assert lines[0].startswith("This is not Linux: the memory of bots is looked at only now and then")
    assert "2 entrants" in lines[2]


@pytest.mark.skipif(not HIDES, reason="only root may hide /proc")
def test_a_sandbox_is_refused_there_before_anything_is_written(tmp_path):
    done = elsewhere(tmp_path, *DUEL, "--isolation", "sandbox")

    assert (3, []) == (done.returncode, list(tmp_path.iterdir()))
    assert "isolation: sandbox needs Linux (bubblewrap); on Windows use WSL." in done.stderr


def test_groups_have_names_where_there_are_no_namespaces(monkeypatch):
    def missing(path):
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "stat", missing)

    assert group_places.name_group(7).startswith("tournament-0-")
