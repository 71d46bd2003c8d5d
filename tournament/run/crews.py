"""Crews play blocks, each on its core; their answers come back in order, and a signal of the user stops them.

The first signal lets the blocks in flight finish, the second stops at once, and others do nothing.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Final, Protocol

from tournament.blocks import BlockPlayer, Job, PlayedBlock, Setup
from tournament.players.base import Interrupts
from tournament.players.linux.launcher import fix_addresses, restore_addresses
from tournament.records.run import ClusterPlay
from tournament.records.settings import Isolation
from tournament.workers import core_of_this_thread, pinned, usable_cores


def workers_at_once(workers: int, *, cluster: str | None = None) -> int:
    """Returns how many workers play at the same time: on a cluster all of them, here at most one a core."""
    return workers if cluster is not None else min(workers, usable_cores())


def too_many_workers(workers: int) -> str | None:
    """Returns a warning when there are more workers than cores here, otherwise None."""
    cores = usable_cores()
    if workers <= cores:
        return None
    on = "1 core: only 1 plays" if cores == 1 else f"{cores} cores: only {cores} play"
    return f"{workers} workers on {on} at a time. `--workers auto` takes one a core."


def own_core(isolation: Isolation) -> int | None:
    """Returns the core that this thread runs on now, so that runs side by side do not all take the first.

    None where it cannot be told or chosen, and for bots in this process: threads that they start would keep it.
    """
    if isolation is Isolation.NONE or not hasattr(os, "sched_setaffinity"):
        return None
    return core_of_this_thread()


@contextmanager
def same_addresses() -> Iterator[None]:
    """Has processes that this thread starts meanwhile lie in memory as their bots do; see `launcher.fix_addresses`."""
    if sys.platform != "linux":
        yield
        return
    before = fix_addresses()
    try:
        yield
    finally:
        restore_addresses(before)


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

    def cluster_play(self) -> ClusterPlay | None:
        """Returns what the workers of a cluster have done so far, also after `close`; None when there is no cluster."""
        ...

    def close(self, *, at_once: bool = False) -> None:
        """Lets go of every bot and ends the workers; a second call does nothing."""
        ...


class BlockPool(Protocol):
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

    def play(
        self,
        next_job: Callable[[], Job | None],
        *,
        is_stopping: Callable[[], bool],
        on_kill: Callable[[Job], None],
    ) -> Iterator[SettledJob]:
        """Yields each job, played; see `Crew`."""
        return play_in_order(self, next_job, is_stopping=is_stopping, on_kill=on_kill)

    def cluster_play(self) -> ClusterPlay | None:
        """Returns None: no cluster plays."""
        return None


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

    def cluster_play(self) -> ClusterPlay | None:
        """Returns None: no cluster plays."""
        return None

    def close(self, *, at_once: bool = False) -> None:
        """Lets go of every bot."""
        self._player.close()


MOST_KILLS: Final = 2
"""A block that has killed so many workers is void."""


@dataclass
class _Flight:
    job: Job
    future: Future[PlayedBlock]
    kills: int = 0
    outcome: SettledJob | None = field(default=None)


def play_in_order(
    pool: BlockPool,
    next_job: Callable[[], Job | None],
    *,
    is_stopping: Callable[[], bool],
    on_kill: Callable[[Job], None],
) -> Iterator[SettledJob]:
    """Yields the jobs of a pool, played, in the order in which `next_job` gives them; see `Crew.play`.

    A job whose worker dies is played again, at most `MOST_KILLS` times.
    """
    window: deque[_Flight] = deque()
    while True:
        while len(window) < pool.window and pool.has_room() and not is_stopping():
            job = next_job()
            if job is None:
                break
            window.append(_Flight(job, pool.submit(job)))
        if not window:
            return
        waiting = [flight.future for flight in window if flight.outcome is None]
        if waiting:
            pool.wait(waiting, is_stopping=is_stopping)
        _settle(window, pool, on_kill)
        while window and (outcome := window[0].outcome) is not None:
            window.popleft()
            yield outcome


def _settle(window: deque[_Flight], pool: BlockPool, on_kill: Callable[[Job], None]) -> None:
    """Settles every job that is done; jobs whose worker died are submitted again, in order."""
    again: list[_Flight] = []
    for flight in window:
        if flight.outcome is not None or not flight.future.done():
            continue
        try:
            flight.outcome = SettledJob(flight.job, pool.check(flight.future))
        except WorkerLostError:
            again.append(flight)
        except WorkerKilledError as error:
            flight.kills += error.workers
            on_kill(flight.job)
            if flight.kills >= MOST_KILLS:
                flight.outcome = SettledJob(flight.job)
            else:
                again.append(flight)
    for flight in again:
        flight.future = pool.submit(flight.job)


class Stop:
    """Whether a run is to stop."""

    def __init__(self, interrupts: Interrupts) -> None:
        """Takes the interrupts, which tell a `KeyboardInterrupt` of a bot from one of the user."""
        self.asked = False
        self.is_ending = False
        """What is written now must be written whole: SIGINT changes nothing more."""

        self._interrupts = interrupts

    def interrupt(self, signal_number: int, frame: FrameType | None) -> None:
        """Handles SIGINT: once lets the blocks in flight finish, twice stops where the program is.

        It does so again while nothing shows that the program stops: a bot may have caught the exception.
        """
        if self.asked and not self.is_ending:
            self._interrupts.ask(signal_number, frame)
        self.asked = True

    def terminate(self, signal_number: int, frame: FrameType | None) -> None:
        """Handles SIGTERM: lets the blocks in flight finish."""
        self.asked = True

    def hang_up(self, signal_number: int, frame: FrameType | None) -> None:
        """Handles SIGHUP as SIGTERM; what is printed to the terminal, which has gone, goes nowhere."""
        self.asked = True
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for descriptor in (1, 2):
            if stat.S_ISCHR(os.fstat(descriptor).st_mode):  # a terminal that has gone is none any more
                os.dup2(nowhere, descriptor)
        os.close(nowhere)


@contextmanager
def listening(stop: Stop) -> Iterator[None]:
    """Listens to the user; outside the main thread handlers cannot be set, and a notebook's own stay."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {signal.SIGINT: stop.interrupt, signal.SIGTERM: stop.terminate}
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup does
        handlers[signal.SIGHUP] = stop.hang_up
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
