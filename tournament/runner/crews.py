"""Crews play blocks: what every crew offers, and the crew that plays in this process."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, Protocol

from tournament.blocks import BlockPlayer, Job, PlayedBlock, Setup
from tournament.players.base import Interrupts
from tournament.runner.cores import own_core, pinned

JOBS_A_WORKER: Final = 2
"""One is played and one waits, so that no worker is ever idle."""

MOST_DEATHS_WHILE_LOADING: Final = 2
"""When the processes of a worker have died so often in a row before they could play, a bot is to blame."""

DIED_WHILE_LOADING: Final = (
    "A worker died while it loaded the bots: one of them ends its process. `tournament bot check` finds it."
)


class WorkerKilledError(Exception):
    """The worker that played this job is dead, or several one after another."""

    def __init__(self, workers: int = 1) -> None:
        """Takes how many workers died."""
        super().__init__(workers)
        self.workers = workers


class WorkerLostError(Exception):
    """The worker that this job waited for is dead; the job had not begun."""


@dataclass(frozen=True, slots=True)
class SettledJob:
    """A job that was played, or given up."""

    job: Job
    played: PlayedBlock | None = None
    """None: it killed its workers, and the block is void."""


class Crew(Protocol):
    """Plays jobs."""

    def play(
        self,
        next_job: Callable[[], Job | None],
        *,
        is_stopping: Callable[[], bool],
        on_kill: Callable[[Job], None],
    ) -> Iterator[SettledJob]:
        """Yields each job, played, in the order in which `next_job` gives them.

        `next_job` gives None when it has none now; it is asked again after the next job is yielded. Once the run is
        stopping no job is begun; those in flight are played to their end. `on_kill` is told of each job whose worker
        died. Raises what the play of a job raised.
        """
        ...

    def close(self, *, at_once: bool = False) -> None:
        """Lets go of every bot and ends the workers; a second call does nothing."""
        ...


class Pool(Protocol):
    """Workers that are given jobs. A future raises `WorkerKilledError` or `WorkerLostError` when its worker died."""

    window: int
    """How many blocks may be in flight, or wait until one before them is written."""

    def has_room(self) -> bool:
        """Returns whether another job would be begun soon."""
        ...

    def submit(self, job: Job) -> Future[PlayedBlock]:
        """Gives a job to a worker and returns the block to come."""
        ...

    def wait(self, futures: Collection[Future[PlayedBlock]], *, is_stopping: Callable[[], bool]) -> None:
        """Waits until one of these blocks is done. Raises `KeyboardInterrupt` when none can be, and the run stops."""
        ...

    def check(self, future: Future[PlayedBlock]) -> PlayedBlock:
        """Returns a block that is done. Raises what its play raised."""
        ...


class OwnProcess:
    """Plays in this process, one block at a time.

    During a block this thread stays on one core, with the processes of its bots.
    """

    def __init__(self, setup: Setup, interrupts: Interrupts) -> None:
        """Loads every bot. Raises `BotError`."""
        self._player = BlockPlayer(setup, interrupts=interrupts)
        self._core = own_core(setup.hosting.isolation)

    def play(
        self,
        next_job: Callable[[], Job | None],
        *,
        is_stopping: Callable[[], bool],
        on_kill: Callable[[Job], None],
    ) -> Iterator[SettledJob]:
        """Yields each job, played; see `Crew`."""
        while not is_stopping() and (job := next_job()) is not None:
            with pinned(self._core):
                played = self._player.play(job)
            yield SettledJob(job, played)

    def close(self, *, at_once: bool = False) -> None:
        """Lets go of every bot."""
        self._player.close()
