"""Memory and children of bots by psutil, as on systems without `/proc`; here the system has another name."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from tournament.lab.check import trial
from tournament.players.linux import elsewhere, supervision, trees

psutil = pytest.importorskip("psutil", reason="it comes with the extra cluster, and with the base elsewhere")

MEGABYTE = 1_048_576
FAMILY = """
import os, sys, time
hog = bytearray({megabytes} << 20)
for at in range(0, len(hog), 4096): hog[at] = 1
if os.fork() == 0:
    os.setsid()
    mine = bytearray({megabytes} << 20)
    for at in range(0, len(mine), 4096): mine[at] = 1
    print(os.getpid(), flush=True)
time.sleep(600)
"""


@pytest.fixture
def elsewhere_only(monkeypatch):
    """Another name of the system, and no file of `/proc` that we read."""
    real = Path.read_text

    def read_text(self, *words, **options):
        if str(self).startswith("/proc"):
            raise FileNotFoundError(self)
        return real(self, *words, **options)

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(Path, "read_text", read_text)
    monkeypatch.setattr(elsewhere, "_processes", elsewhere._Processes())


@pytest.fixture
def family(elsewhere_only):
    """A bot that holds 40 MiB, with a child in a session of its own that holds 40 more and shares those."""
    bot = subprocess.Popen(
        [sys.executable, "-c", FAMILY.format(megabytes=40)], stdout=subprocess.PIPE, start_new_session=True
    )
    child = int(bot.stdout.readline())
    yield bot, child
    for pid in (child, bot.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    bot.wait()
    bot.stdout.close()


def has_ended(pid):
    try:
        return psutil.Process(pid).status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return True


def tree_of(bot, *, megabytes):
    tree = supervision.Tree(most_bytes=megabytes * MEGABYTE, uid=None, sandboxed=False)
    tree.begin(bot.pid, bot.pid)
    return tree


def test_what_a_bot_started_is_found(family):
    bot, child = family

    assert {bot.pid, child} == tree_of(bot, megabytes=1).processes()


@pytest.mark.parametrize(("megabytes", "too_much"), [(60, True), (200, False)])
def test_the_memory_of_a_bot_and_of_what_it_started_is_added_up(family, megabytes, too_much):
    assert too_much is tree_of(family[0], megabytes=megabytes).holds_too_much()


def test_memory_that_a_bot_shares_with_what_it_started_counts_once(family):
    """Each has 40 MiB of the first one, and the child 40 more."""
    processes = [family[0].pid, family[1]]

    assert elsewhere.held_bytes(processes, most=10**12) > 120 * MEGABYTE
    assert 120 * MEGABYTE > elsewhere.held_bytes(processes, most=0) > 80 * MEGABYTE


def test_what_a_bot_started_ends_with_it_in_another_session_too(family):
    bot, child = family
    trees.end_tree(bot.pid, uid=None)
    bot.wait()
    for _ in range(1000):
        if has_ended(child):
            break
        sleep(0.01)

    assert has_ended(child)


def test_the_check_of_a_bot_measures_its_memory(family):
    assert trial._memory_mb(()) > 80


def test_processes_that_are_gone_hold_nothing(family):
    bot, _ = family
    trees.end_tree(bot.pid, uid=None)
    bot.wait()

    assert 0 == elsewhere.resident_bytes(bot.pid)
