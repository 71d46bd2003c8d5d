"""Control groups: made for each bot, limited, and removed whatever happened to the worker that made them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from tournament.players.linux import trees
from tournament.players.linux.group_places import Role, find_places
from tournament.players.linux.groups import BotGroup, WorkerGroups, sweep_groups
from tournament.players.linux.supervision import GroupedTree, Hold, Tree

HELPER = """
import os, time
if os.fork() == 0:
    os.setsid()
    end = time.process_time() + 0.3
    while time.process_time() < end: pass
time.sleep(60)
"""

KILLED = """
import os, signal, subprocess, time
from tournament.players.linux.groups import WorkerGroups
groups = WorkerGroups()
left = subprocess.Popen(["sleep", "600"], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
groups.make(memory_bytes=64 << 20, processes=10).add(left.pid, share=True)
print(left.pid, *groups._places.values(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def need_groups():
    """Skips a test where no groups can be made."""
    if not find_places():
        pytest.skip("no control groups can be made here")


def wait_until(condition):
    """Returns whether something came true within ten seconds."""
    deadline = monotonic() + 10
    while not condition() and monotonic() < deadline:
        sleep(0.01)
    return condition()


def test_the_groups_of_a_worker_are_gone_when_it_is_closed(need_groups):
    """With what still lives in them."""
    groups = WorkerGroups()
    folders = list(groups._places.values())
    with subprocess.Popen(["sleep", "600"]) as process:
        groups.make(memory_bytes=64 << 20, processes=10).add(process.pid, share=True)
        groups.close()

        assert -signal.SIGKILL == process.wait(10)
    assert not any(map(os.path.exists, folders))


def test_what_a_killed_worker_left_is_ended_and_removed_by_the_next(need_groups):
    """Its groups say whose they are; those of a living worker stay."""
    living = WorkerGroups()
    killed = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, check=False)
    pid, *folders = killed.stdout.split()
    sweep_groups()

    assert wait_until(lambda: not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text())
    assert folders
    assert not any(map(os.path.exists, folders))
    assert all(map(os.path.exists, living._places.values()))
    living.close()


@pytest.mark.parametrize("name", ["tournament-1-1-1-0", "tournament-x", "somebody"])
def test_no_group_of_others_is_swept(need_groups, name):
    """Another namespace of processes may have a living process of the same number."""
    folder = Path(find_places()[0].folder, name)
    folder.mkdir()
    try:
        sweep_groups()

        assert folder.exists()
    finally:
        folder.rmdir()


def test_version_two_is_told_its_limits_in_its_own_files(tmp_path):
    """What this machine may not have: all controllers in one hierarchy."""
    for name in ("cgroup.events", "memory.max", "memory.swap.max", "pids.max", "cpu.max"):
        (tmp_path / name).touch()
    BotGroup(dict.fromkeys(Role, str(tmp_path))).limit(memory_bytes=1000, processes=7)

    assert ["1000", "0", "7", "100000 100000"] == [
        (tmp_path / name).read_text() for name in ("memory.max", "memory.swap.max", "pids.max", "cpu.max")
    ]


@pytest.mark.parametrize("grouped", [True, False])
def test_the_time_of_helpers_counts_when_somebody_asks_who_was_late(need_groups, grouped):
    """A bot that sleeps while its helper works is no victim of a busy machine."""
    trees.protect_this_process()
    groups = WorkerGroups()
    tree = Tree(most_bytes=1 << 30, uid=None, sandboxed=False)
    if grouped:
        group = groups.make(memory_bytes=1 << 30, processes=10)
        tree = GroupedTree(group, most_bytes=1 << 30, uid=None, sandboxed=False, share=False)
    begins = subprocess.Popen(
        ["sh", "-c", 'read go; exec "$@"', "sh", sys.executable, "-c", HELPER],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    hold = Hold(begins.pid, tree)
    try:
        hold.begin(sandboxed=False)
        before = trees.cpu_ns(hold.clock)
        begins.stdin.write(b"\n")
        begins.stdin.flush()

        assert wait_until(lambda: hold.used_ns() >= 300_000_000)
        assert trees.cpu_ns(hold.clock) - before < 300_000_000
        hold.look()
        assert hold.has_several
    finally:
        for pid in tree.processes():
            os.kill(pid, signal.SIGKILL)
        begins.stdin.close()
        begins.wait()
        tree.forget()
        groups.close()


def test_a_process_that_one_hierarchy_refuses_is_put_back_in_the_others(tmp_path):
    """As a real-time process is by that of processors: what is still in a group is ended when the group is removed."""
    for folder in ("freezer/worker/bot", "cpu/worker/bot"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "freezer" / "cgroup.procs").touch()
    (tmp_path / "freezer/worker/bot/cgroup.procs").touch()
    group = BotGroup({Role.TREE: f"{tmp_path}/freezer/worker/bot", Role.SHARE: f"{tmp_path}/cpu/worker/bot"})

    with pytest.raises(FileNotFoundError):
        group.add(4321, share=True)

    assert "4321" == (tmp_path / "freezer" / "cgroup.procs").read_text()
