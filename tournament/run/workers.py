"""Worker processes, one a core, each behind an executor of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tournament.blocks import BlockPlayer, Job, PlayedBlock, Setup, setup_of
from tournament.configuration.resolving import Configuration
from tournament.errors import BotError
from tournament.players.base import Interrupts
from tournament.players.linux.files import sweep_scratch
from tournament.players.linux.groups import sweep_groups
from tournament.players.preparation import has_sandbox
from tournament.run.crews import (
    DIED_WHILE_LOADING,
    JOBS_A_WORKER,
    MOST_DEATHS_WHILE_LOADING,
    BlockPool,
    Crew,
    OwnProcess,
    WorkerKilledError,
    WorkerLostError,
    same_addresses,
)
from tournament.workers import cores_of_workers, kill_worker, start_worker


class _Flight(NamedTuple):
    future: Future[PlayedBlock]
    executor: Executor
    ready: Future[None]
    """The loading of the bots in the process that was given the job."""


class _Worker:
    """One process on a core of its own, behind an executor of its own, so that it is known which jobs die with it."""

    def __init__(self, setup: Setup, core: int | None) -> None:
        self._setup = setup
        self._core = core
        self._deaths_while_loading = 0
        self._culprits: dict[Executor, Future[PlayedBlock]] = {}
        """For each process that died and had jobs that are not checked yet: what it played then."""

        self.flights: list[_Flight] = []
        """In the order in which they were given; until they have been checked."""

        self._start()

    def _start(self) -> None:
        # Who knows where a program lies breaks into it more easily, and a worker reads what strangers write.
        strangers = has_sandbox(self._setup.entrants, self._setup.hosting)
        with nullcontext() if strangers else same_addresses():
            self.executor, self.ready = start_worker(_begin, self._setup, self._core)

    def _replace(self) -> None:
        """Starts another process for one that died. Raises `BotError` when they die while they load the bots."""
        self._deaths_while_loading = self._deaths_while_loading + 1 if _has_died(self.ready) else 0
        if self._deaths_while_loading >= MOST_DEATHS_WHILE_LOADING:
            raise BotError(DIED_WHILE_LOADING)
        self.executor.shutdown(wait=False)  # its pipes are closed
        self._start()

    def load(self) -> None:
        """Waits until a process has loaded the bots. Raises `BotError`."""
        while True:
            try:
                self.ready.result()
            except BrokenExecutor:
                self._replace()
            else:
                return

    def waiting(self) -> int:
        return sum(not flight.future.done() for flight in self.flights)

    def submit(self, job: Job) -> Future[PlayedBlock]:
        while True:
            try:
                future = self.executor.submit(_play, job)
            except BrokenExecutor:  # perhaps since a moment ago
                self._replace()
            else:
                self.flights.append(_Flight(future, self.executor, self.ready))
                return future

    def check(self, flight: _Flight) -> PlayedBlock:
        try:
            if _has_died(flight.ready):
                raise WorkerLostError
            flight.ready.result()  # a process that took another's place may fail to load the bots
            return flight.future.result()
        except BrokenExecutor:
            if flight.executor not in self._culprits:
                self._culprits[flight.executor] = next(
                    one.future
                    for one in self.flights
                    if one.executor is flight.executor and one.future.done() and _has_died(one.future)
                )
            if self._culprits[flight.executor] is flight.future:
                raise WorkerKilledError from None
            raise WorkerLostError from None
        finally:
            self.flights.remove(flight)
            if all(one.executor is not flight.executor for one in self.flights):
                self._culprits.pop(flight.executor, None)

    def end(self, *, at_once: bool) -> None:
        """Has the process end: killed, or as soon as it has played what it was given and let go of its bots."""
        if at_once:
            kill_worker(self.executor)
        else:
            with suppress(BrokenExecutor):  # the process is dead, and with it its bots
                self.executor.submit(_end)


class WorkerProcesses(BlockPool):
    """Plays in processes, one a core, pinned with its bots. A process that dies is replaced."""

    def __init__(self, setup: Setup, workers: int) -> None:
        """Starts the processes, which load every bot. Raises `BotError`."""
        self.window = 2 * JOBS_A_WORKER * workers
        self._workers: list[_Worker] = []
        try:
            for core in cores_of_workers(workers):
                self._workers.append(_Worker(setup, core))
            for worker in self._workers:
                worker.load()
        except BaseException:
            self.close(at_once=True)
            raise

    def has_room(self) -> bool:
        """Returns whether a worker has fewer than `JOBS_A_WORKER` jobs."""
        return any(worker.waiting() < JOBS_A_WORKER for worker in self._workers)

    def submit(self, job: Job) -> Future[PlayedBlock]:
        """Returns the block to be, played by the worker with the least to do.

        Raises `BotError` when its processes die while they load the bots.
        """
        return min(self._workers, key=_Worker.waiting).submit(job)

    def wait(self, futures: Collection[Future[PlayedBlock]], *, is_stopping: Callable[[], bool]) -> None:
        """Waits until one of these blocks is done."""
        wait(futures, return_when=FIRST_COMPLETED)

    def check(self, future: Future[PlayedBlock]) -> PlayedBlock:
        """Returns a block that is done; of a dead worker's jobs only the first had begun."""
        for worker in self._workers:
            for flight in worker.flights:
                if flight.future is future:
                    return worker.check(flight)
        raise AssertionError("every job has its worker")

    def close(self, *, at_once: bool = False) -> None:
        """Lets go of every bot and ends the workers; at once: without waiting for what they play."""
        if not self._workers:
            return
        for worker in self._workers:
            worker.end(at_once=at_once)
        for worker in self._workers:
            worker.executor.shutdown(wait=True, cancel_futures=at_once)
        self._workers = []
        sweep_scratch()  # of those that were killed
        sweep_groups()


def crew_of(
    configuration: Configuration,
    *,
    folder: Path,
    workers: int,
    cluster: str | None,
    interrupts: Interrupts,
    note: Callable[[str], object],
) -> Crew:
    """Returns who plays a run into a folder: this process, so many workers, or a cluster.

    `note` is told of workers of a cluster that come and go. Raises `BotError` for bots that do not load,
    `ConfigurationError` and `RunError` for a cluster that cannot play.
    """
    setup = setup_of(configuration, folder=folder)
    if cluster is not None:
        from tournament.run.cluster import ClusterCrew  # lazy: Dask takes a second

        return ClusterCrew(setup, configuration, address=cluster, workers=workers, folder=folder, note=note)
    return OwnProcess(setup, interrupts) if workers == 1 else WorkerProcesses(setup, workers)


def _has_died(future: Future[Any]) -> bool:
    return isinstance(future.exception(), BrokenExecutor)


# What follows runs in a worker.

_players: list[BlockPlayer] = []


def _begin(setup: Setup, core: int | None) -> None:
    if core is not None:
        os.sched_setaffinity(0, {core})
    _players.append(BlockPlayer(setup, interrupts=Interrupts()))


def _play(job: Job) -> PlayedBlock:
    return msgspec.structs.replace(_players[-1].play(job), records=())


def _end() -> None:
    while _players:
        _players.pop().close()
