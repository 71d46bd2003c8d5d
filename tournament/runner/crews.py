"""Who plays blocks: this process, or worker processes, each behind a `concurrent.futures.Executor`."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait as wait_for
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from tournament.blocks import BlockPlayer, Job, PlayedBlock, Setup
from tournament.errors import BotError
from tournament.players.base import Interrupts
from tournament.players.scratch import sweep_scratch
from tournament.records.results import ResultLine, result_line
from tournament.runner.cores import cores_of_workers, own_core, pinned, same_addresses

JOBS_A_WORKER: Final = 2
"""One is played and one waits, so that no worker is ever idle."""


class Finished(NamedTuple):
    """A block as it comes from a worker: ready to be written, its records as lines only."""

    played: PlayedBlock
    results: tuple[ResultLine, ...]


def play_block(player: BlockPlayer, job: Job) -> Finished:
    """Returns a block, played; without the records as objects, which are large to send."""
    played = player.play(job)
    results = tuple(map(result_line, played.records))
    return Finished(msgspec.structs.replace(played, records=()), results)


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

    def submit(self, job: Job) -> Future[Finished]:
        """Returns the block to be."""
        ...

    def check(self, future: Future[Finished]) -> Finished:
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

    def submit(self, job: Job) -> Future[Finished]:
        """Returns the block, played now."""
        future: Future[Finished] = Future()
        try:
            with pinned(self._core):
                future.set_result(play_block(self._player, job))
        except Exception as error:
            future.set_exception(error)
        return future

    def check(self, future: Future[Finished]) -> Finished:
        """Returns the block."""
        return future.result()

    def close(self, *, at_once: bool = False) -> None:
        """Lets go of every bot."""
        self._player.close()


class _Flight(NamedTuple):
    future: Future[Finished]
    executor: Executor


class _Worker:
    """One process, pinned to a core, behind an executor of its own: so it is known whom a death concerns."""

    def __init__(self, setup: Setup, core: int | None) -> None:
        self._setup = setup
        self._core = core
        self._culprits: dict[Executor, Future[Finished]] = {}
        """For each process that died: what it played then."""

        self.flights: list[_Flight] = []
        """In the order in which they were given; until they have been checked."""

        self.ready = self.start()

    def start(self) -> Future[None]:
        context = multiprocessing.get_context("spawn")  # a fork would copy threads' locks
        self.executor: Executor = ProcessPoolExecutor(1, mp_context=context)
        with same_addresses():
            return self.executor.submit(_begin, self._setup, self._core)

    def waiting(self) -> int:
        return sum(not flight.future.done() for flight in self.flights)

    def submit(self, job: Job) -> Future[Finished]:
        future = self.executor.submit(_play, job)
        self.flights.append(_Flight(future, self.executor))
        return future

    def check(self, flight: _Flight) -> Finished:
        try:
            return flight.future.result()
        except BrokenProcessPool:
            if flight.executor not in self._culprits:
                self._culprits[flight.executor] = next(
                    one.future for one in self.flights if one.executor is flight.executor and _is_broken(one.future)
                )
            if self._culprits[flight.executor] is flight.future:
                raise WorkerKilledError from None
            raise WorkerLostError from None
        finally:
            self.flights.remove(flight)


class WorkerProcesses:
    """Plays in processes, one a core, pinned with its bots. A process that dies is replaced."""

    def __init__(self, setup: Setup, workers: int) -> None:
        """Starts the processes, which load every bot. Raises `BotError`."""
        self.window = 2 * JOBS_A_WORKER * workers
        self._workers = [_Worker(setup, core) for core in cores_of_workers(workers)]
        try:
            for worker in self._workers:
                worker.ready.result()
        except BrokenProcessPool:
            self.close(at_once=True)
            raise BotError(
                "A worker died while it loaded the bots: one of them ends its process. `tournament bot check` finds it."
            ) from None
        except BaseException:
            self.close(at_once=True)
            raise

    def has_room(self) -> bool:
        """Returns whether a worker has fewer than `JOBS_A_WORKER` jobs."""
        return any(worker.waiting() < JOBS_A_WORKER for worker in self._workers)

    def submit(self, job: Job) -> Future[Finished]:
        """Returns the block to be, played by the worker with the least to do."""
        worker = min(self._workers, key=_Worker.waiting)
        try:
            return worker.submit(job)
        except BrokenProcessPool:
            worker.start()
            return worker.submit(job)

    def check(self, future: Future[Finished]) -> Finished:
        """Returns a block that is done; of a dead worker's jobs only the first had begun."""
        for worker in self._workers:
            for flight in worker.flights:
                if flight.future is future:
                    return worker.check(flight)
        raise AssertionError("every job has its worker")

    def close(self, *, at_once: bool = False) -> None:
        """Lets go of every bot and ends the workers; at once: without waiting for what they play."""
        for worker in self._workers:
            if at_once:
                for process in _processes(worker.executor):
                    process.kill()
            else:
                worker.executor.submit(_end)
        for worker in self._workers:
            worker.executor.shutdown(wait=True, cancel_futures=at_once)
        self._workers = []
        sweep_scratch()  # of those that were killed


def _is_broken(future: Future[Finished]) -> bool:
    return future.done() and isinstance(future.exception(), BrokenProcessPool)


def _processes(executor: Executor) -> list[Any]:
    return list((getattr(executor, "_processes", None) or {}).values())


# What follows runs in a worker.

_players: list[BlockPlayer] = []


def _begin(setup: Setup, core: int | None) -> None:
    """Makes this process a worker that ends with the runner and leaves signals to it."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # they may be sent to all: the runner lets blocks finish
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    if core is not None:
        os.sched_setaffinity(0, {core})
    threading.Thread(target=_end_with_runner, daemon=True).start()
    _players.append(BlockPlayer(setup, interrupts=Interrupts()))


def _end_with_runner() -> None:
    runner = multiprocessing.parent_process()
    if runner is not None:
        wait_for([runner.sentinel])
        os._exit(1)


def _play(job: Job) -> Finished:
    return play_block(_players[-1], job)


def _end() -> None:
    while _players:
        _players.pop().close()
