"""Cores: issue 4, Workers: one process a core, pinned with its bots."""

from __future__ import annotations

import os

import pytest

from tournament import run_tournament
from tournament.configuration import usable_cores
from tournament.records.configuration import Budget
from tournament.records.hosting import Isolation
from tournament.records.results import read_results
from tournament.runner.cores import own_core, pinned

COUNTING = """
import os

from tournament import Bot


class Counting(Bot):
    \"\"\"Crashes where it may not use so many cores.\"\"\"

    def act(self, view):
        assert len(os.sched_getaffinity(0)) == {cores}
        return view.legal_actions()[0]
"""

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
