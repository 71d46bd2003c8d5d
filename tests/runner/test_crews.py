"""Workers that die between two calls: issue 4, Resume: the pool is rebuilt, the blocks go again."""

from __future__ import annotations

import os
import signal
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from tournament.blocks import Job
from tournament.configuration import Configuration
from tournament.errors import BotError
from tournament.runner.choosing import setup_of
from tournament.runner.crews import WorkerProcesses
from tournament.runner.window import Outcome, play_in_order
from tournament.schedule import Block

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


def play(crew: WorkerProcesses, configuration: Configuration) -> list[Outcome]:
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

    assert outcome.finished is not None


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


def test_a_worker_that_dies_while_it_sends_a_result_is_not_waited_for(configure, bots):
    """A worker may be killed at any moment, also in the middle of a line."""
    (bots / "dora.py").write_text(HALF)
    configuration = configure()
    crew = WorkerProcesses(setup_of(configuration), 1)
    future = crew.submit(job_of(configuration))

    assert isinstance(future.exception(timeout=60), BrokenExecutor)
    crew.close()
