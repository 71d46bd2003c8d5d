"""Crews play blocks: what every crew offers, and the crew that plays in this process."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import Future
from typing import Final, NamedTuple, Protocol

import msgspec

from tournament.blocks import BlockPlayer, Job, PlayedBlock, Setup
from tournament.players.base import Interrupts
from tournament.records.results import ResultLine, result_line
from tournament.runner.cores import own_core, pinned

JOBS_A_WORKER: Final = 2
"""One is played and one waits, so that no worker is ever idle."""

MOST_DEATHS_WHILE_LOADING: Final = 2
"""When the processes of a worker have died so often in a row before they could play, a bot is to blame."""

DIED_WHILE_LOADING: Final = (
    "A worker died while it loaded the bots: one of them ends its process. `tournament bot check` finds it."
)


class FinishedBlock(NamedTuple):
    """A block as it comes from a worker: ready to be written, its records as lines only."""

    played: PlayedBlock
    results: tuple[ResultLine, ...]


def play_block(player: BlockPlayer, job: Job) -> FinishedBlock:
    """Returns a block, played; without the records as objects, which are large to send."""
    played = player.play(job)
    results = tuple(map(result_line, played.records))
    return FinishedBlock(msgspec.structs.replace(played, records=()), results)


class WorkerKilledError(Exception):
    """The worker that played this job is dead, or several one after another."""

    def __init__(self, workers: int = 1) -> None:
        """Takes how many workers died."""
        super().__init__(workers)
        self.workers = workers


class WorkerLostError(Exception):
    """The worker that this job waited for is dead; the job had not begun."""


class Crew(Protocol):
    """Plays jobs. A future raises `WorkerKilledError` or `WorkerLostError` when its worker has died."""

    window: int
    """How many blocks may be in flight or wait for one before them to be written."""

    def has_room(self) -> bool:
        """Returns whether another job would be begun soon."""
        ...

    def submit(self, job: Job) -> Future[FinishedBlock]:
        """Returns the block to be."""
        ...

    def wait(self, futures: Collection[Future[FinishedBlock]], *, is_stopping: Callable[[], bool]) -> None:
        """Waits until one of these blocks is done. Raises `KeyboardInterrupt` when none can be, and the run stops."""
        ...

    def check(self, future: Future[FinishedBlock]) -> FinishedBlock:
        """Returns a block that is done. Raises what its play raised."""
        ...

    def close(self, *, at_once: bool = False) -> None:
        """Lets go of every bot and ends the workers; again it does nothing."""
        ...


class OwnProcess:
    """Plays in this process, one block at a time, during which it is on one core with the processes of its bots."""

    window = 1

    def __init__(self, setup: Setup, interrupts: Interrupts) -> None:
        """Loads every bot. Raises `BotError`."""
        self._player = BlockPlayer(setup, interrupts=interrupts)
        self._core = own_core(setup.hosting.isolation)

    def has_room(self) -> bool:
        """Returns True: a job is done as soon as it is given."""
        return True

    def submit(self, job: Job) -> Future[FinishedBlock]:
        """Returns the block, played now."""
        future: Future[FinishedBlock] = Future()
        try:
            with pinned(self._core):
                future.set_result(play_block(self._player, job))
        except Exception as error:
            future.set_exception(error)
        return future

    def wait(self, futures: Collection[Future[FinishedBlock]], *, is_stopping: Callable[[], bool]) -> None:
        """Returns at once: a job is done as soon as it is given."""

    def check(self, future: Future[FinishedBlock]) -> FinishedBlock:
        """Returns the block."""
        return future.result()

    def close(self, *, at_once: bool = False) -> None:
        """Lets go of every bot."""
        self._player.close()
