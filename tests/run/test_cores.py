"""Cores: one process a core, pinned with its bots."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from tournament import run_tournament
from tournament import workers as worker_processes
from tournament.blocks import setup_of
from tournament.configuration.types import Budget
from tournament.records.settings import Isolation
from tournament.run.crews import own_core, same_addresses
from tournament.run.workers import _Worker
from tournament.store.results import read_results
from tournament.workers import cores_of_workers, pinned, usable_cores

COUNTING = """
import os

from tournament import Bot


class Counting(Bot):
    \"\"\"Crashes where it may not use so many cores.\"\"\"

    def act(self, view):
        assert len(os.sched_getaffinity(0)) == {cores}
        return view.legal_actions()[0]
"""

LYING = """
from tournament import Bot


class Lying(Bot):
    \"\"\"Crashes where the interpreter does not lie where it lies in another process.\"\"\"

    def act(self, view):
        assert id(object) == {address}
        return view.legal_actions()[0]
"""
ADDRESS = "import os, sys; os.execv(sys.executable, [sys.executable, '-c', 'print(id(object))'])"

needs_cores = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or usable_cores() < 2, reason="this process may use one core only"
)


@needs_cores
@pytest.mark.parametrize(
    ("isolation", "workers", "pins"), [("process", 1, True), ("process", 2, True), ("none", 1, False)]
)
def test_processes_of_bots_are_on_one_core_whatever_the_number_of_workers(
    configure, bots, tmp_path, isolation, workers, pins
):
    """Pinned with its bots; only a bot in the process of the caller is not, because its threads would stay so."""
    for path in bots.iterdir():
        path.write_text(COUNTING.format(cores=1 if pins else usable_cores()))
    configuration = configure(isolation=Isolation(isolation), workers=workers, budget=Budget(deals=1))
    folder = run_tournament(configuration, out=tmp_path / "run")

    assert [()] * 12 == [result.faults for result in read_results(folder)]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores cannot be chosen here")
@pytest.mark.parametrize(
    ("here", "workers", "expected"),
    [(2, 2, [2, 3]), (5, 2, [5, 0]), (5, 6, [5, 0, 1, 2, 3, 4]), (None, 2, [0, 1]), (0, 7, [None] * 7)],
)
def test_workers_begin_at_the_core_their_runner_is_on(monkeypatch, here, workers, expected):
    """Runs side by side do not all take the first cores: the system has put their runners on different ones."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(6)))
    monkeypatch.setattr(worker_processes, "core_of_this_thread", lambda: here)

    assert expected == cores_of_workers(workers)


@needs_cores
def test_whoever_runs_a_tournament_may_use_all_cores_afterwards(configure, tmp_path):
    """The affinity of the calling thread is as it was, after a run and after an error in it."""
    before = os.sched_getaffinity(0)
    run_tournament(configure(isolation=Isolation.PROCESS, budget=Budget(games=2)), out=tmp_path / "run")
    after_run = os.sched_getaffinity(0)
    with pytest.raises(KeyboardInterrupt), pinned(own_core(Isolation.PROCESS)):
        raise KeyboardInterrupt

    assert before == after_run
    assert before == os.sched_getaffinity(0)


@pytest.fixture
def address():
    """Where the type `object` lies in every Python that is started as bots are; skips where the kernel shuffles on."""
    if sys.platform != "linux":
        pytest.skip("only Linux lets a process choose where programs lie")
    with same_addresses():
        asked = [subprocess.run([sys.executable, "-c", ADDRESS], capture_output=True, check=True) for _ in range(3)]
    found = {int(one.stdout) for one in asked}
    if len(found) > 1:
        pytest.skip("the kernel does not let this process choose where programs lie")
    return found.pop()


def test_the_processes_of_bots_lie_at_the_same_addresses(configure, bots, tmp_path, address):
    """So that what one leaves in the caches of the core is there for the next: `launcher.fix_addresses`."""
    for path in bots.iterdir():
        path.write_text(LYING.format(address=address))
    folder = run_tournament(configure(isolation=Isolation.PROCESS, budget=Budget(deals=1)), out=tmp_path / "run")

    assert [()] * 12 == [result.faults for result in read_results(folder)]


def test_a_worker_lies_where_its_bots_do(configure, address):
    """Asked in a worker process itself; the runner starts other programs as before."""
    before = Path("/proc/thread-self/personality").read_text()
    worker = _Worker(setup_of(configure()), core=None)
    asked = [worker.executor.submit(id, object).result()]
    worker.executor.shutdown()

    assert [address] == asked
    assert before == Path("/proc/thread-self/personality").read_text()


def test_a_worker_keeps_the_shuffling_of_the_kernel_where_a_bot_is_in_a_sandbox(configure, address):
    """It reads what strangers write."""
    setup = setup_of(configure())
    first, *others = setup.entrants
    stranger = replace(first, bots=tuple(replace(bot, isolation=Isolation.SANDBOX) for bot in first.bots))
    worker = _Worker(replace(setup, entrants=(stranger, *others)), core=None)
    asked = worker.executor.submit(id, object).result()
    worker.executor.shutdown()

    assert address != asked
