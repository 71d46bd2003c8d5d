"""Workers that die between two calls: the pool is rebuilt, the blocks go again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest
from small_runs import children_of, is_running, wait_until

from tournament.blocks import Job, setup_of
from tournament.configuration.resolving import Configuration
from tournament.errors import BotError
from tournament.run.crews import SettledJob, play_in_order
from tournament.run.workers import WorkerProcesses
from tournament.schedule.formats import Block

LOADED = """
import os, signal
from pathlib import Path

from tournament import Bot

if Path({marker!r}).exists():
    {trouble}


class Loaded(Bot):
    \"\"\"Does something while it is loaded.\"\"\"

    def act(self, view):
        return view.legal_actions()[0]
"""

HALF = """
import os, signal, struct, sys

from tournament import Bot


class Half(Bot):
    \"\"\"Has its worker die while it sends a result.\"\"\"

    def act(self, view):
        frame = sys._getframe()
        while "result_queue" not in frame.f_locals:
            frame = frame.f_back
        os.write(frame.f_locals["result_queue"]._writer.fileno(), struct.pack("!i", 1000) + b"half")
        os.kill(os.getpid(), signal.SIGKILL)
"""


def kill_worker(crew: WorkerProcesses) -> None:
    """Kills the process of the only worker, and waits until Python knows."""
    (worker,) = crew._workers
    (process,) = worker.executor._processes
    watcher = worker.executor._executor_manager_thread
    os.kill(process, signal.SIGKILL)
    watcher.join()


def job_of(configuration: Configuration) -> Job:
    """Returns the job of one block."""
    (group,) = configuration.groups
    block = Block(group=group.name, segment=0, number=0, order=("ada", "dora"))
    return Job(block=block, game="explorers", players=2, options={"move_limit": 40}, seed="a" * 64)


def play(crew: WorkerProcesses, configuration: Configuration) -> list[SettledJob]:
    """Returns what became of one block."""
    jobs = iter([job_of(configuration)])
    return list(play_in_order(crew, lambda: next(jobs, None), is_stopping=lambda: False, on_kill=lambda job: None))


def test_a_crew_whose_worker_has_died_is_closed_like_any_other(configure):
    """The worker had nothing to do when it died, so nobody knew of it yet."""
    crew = WorkerProcesses(setup_of(configure()), 1)
    kill_worker(crew)
    crew.close()

    assert not crew.has_room()


def test_a_worker_that_died_with_nothing_to_do_is_replaced(configure):
    """Its next block is played, and no block is blamed."""
    configuration = configure()
    crew = WorkerProcesses(setup_of(configuration), 1)
    try:
        kill_worker(crew)
        (outcome,) = play(crew, configuration)
    finally:
        crew.close()

    assert outcome.played is not None


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "A worker died while it loaded the bots"),
        ("raise ValueError('changed')", "dora.py cannot be imported: ValueError: changed"),
    ],
)
def test_bots_that_do_not_load_any_more_are_to_blame_and_not_the_block(
    configure, bots, tmp_path: Path, trouble, sentence
):
    """A worker in the place of one that died loads the bots anew; a block that has not begun is not void."""
    marker = tmp_path / "marker"
    (bots / "dora.py").write_text(LOADED.format(marker=str(marker), trouble=trouble))
    configuration = configure()
    crew = WorkerProcesses(setup_of(configuration), 1)
    marker.touch()
    try:
        kill_worker(crew)
        with pytest.raises(BotError, match=sentence):
            play(crew, configuration)
    finally:
        crew.close()


@pytest.mark.parametrize("deaths", [1, 2])
def test_one_death_while_a_run_begins_is_nobodys_fault_and_two_in_a_row_are_a_bots(
    configure, bots, tmp_path: Path, deaths
):
    """The first process of a worker may be killed by anybody, as a later one may."""
    marker = tmp_path / "marker"
    trouble = f"file = Path({str(marker)!r}); died = file.read_text(); file.write_text(died + 'x')\n"
    trouble += f"    if len(died) < {deaths}: os.kill(os.getpid(), signal.SIGKILL)"
    (bots / "dora.py").write_text(LOADED.format(marker=str(marker), trouble=trouble))
    configuration = configure()
    marker.touch()
    if deaths > 1:
        with pytest.raises(BotError, match="A worker died while it loaded the bots"):
            WorkerProcesses(setup_of(configuration), 1)
        return
    crew = WorkerProcesses(setup_of(configuration), 1)
    try:
        (outcome,) = play(crew, configuration)
    finally:
        crew.close()

    assert outcome.played is not None


WITHOUT_A_FIRST_JOB = """
import concurrent.futures.process as pool
from tournament.blocks import Setup
from tournament.run.workers import WorkerProcesses

pool._ExecutorManagerThread.add_call_item_to_queue = lambda self: None
if __name__ == "__main__":
    WorkerProcesses(Setup(tournament="t", entrants=()), 1)
"""


def test_a_worker_whose_first_job_never_came_ends_with_its_killed_runner(tmp_path: Path):
    """Killed right after it started the worker, the runner leaves neither that nor what frees semaphores."""
    program = tmp_path / "runner.py"
    program.write_text(WITHOUT_A_FIRST_JOB)
    runner = subprocess.Popen([sys.executable, str(program)])
    wait_until(lambda: len(children_of(runner.pid)) == 2, runner)
    left = children_of(runner.pid)
    runner.kill()
    runner.wait()

    wait_until(lambda: not any(map(is_running, left)), seconds=10)


def test_a_worker_that_dies_while_it_sends_a_result_is_not_waited_for(configure, bots):
    """A worker may be killed at any moment, also in the middle of a line."""
    (bots / "dora.py").write_text(HALF)
    configuration = configure()
    crew = WorkerProcesses(setup_of(configuration), 1)
    future = crew.submit(job_of(configuration))

    assert isinstance(future.exception(timeout=60), BrokenExecutor)
    crew.close()
