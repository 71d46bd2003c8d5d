"""Blocks played on a cluster of Dask Distributed; this process stays the only one that writes.

Each worker is checked when it comes, and only those that passed the check get jobs, a few at a time. So a worker that
differs gets none, and when a worker dies it is known what it was playing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, NamedTuple

import msgspec

from tournament.blocks import Job, PlayedBlock, Setup
from tournament.configuration.resolving import Configuration
from tournament.errors import BotError, RunError, SchedulerGoneError, TournamentError, install_advice
from tournament.records.run import ClusterPlay
from tournament.run import cluster_sides
from tournament.run.cluster_sides import LOCAL, Requirements, SchedulerConnection, check_reach
from tournament.run.crews import (
    DIED_WHILE_LOADING,
    JOBS_A_WORKER,
    MOST_DEATHS_WHILE_LOADING,
    MOST_KILLS,
    BlockPool,
    WorkerKilledError,
    WorkerLostError,
)
from tournament.run.describing import versions
from tournament.text import format_command, format_place

LOOK_SECONDS: Final = 1.0
"""How often the list of workers is read."""

FIRST_SECONDS: Final = 30.0
"""How long the run waits for its first worker: on a batch system workers come when they can."""

ANSWER_SECONDS: Final = 10.0

INSTALL: Final = f"The same is needed there as here, for the Python that runs it. {install_advice('cluster')}"


class _Flight(NamedTuple):
    future: Future[PlayedBlock]
    task: Any
    """Dask's future of the same block."""

    job: bytes


@dataclass
class _Worker:
    address: str
    guest: Any
    """Dask's future of the bots there, which live as long as it is held."""

    flights: list[_Flight] = field(default_factory=list)
    """In the order in which they were given."""


class ClusterCrew(BlockPool):
    """Plays on the workers of a scheduler; when one dies, others get its jobs."""

    def __init__(
        self,
        setup: Setup,
        configuration: Configuration,
        *,
        address: str,
        workers: int,
        folder: Path,
        note: Callable[[str], object],
    ) -> None:
        """Connects, or with the address `local` starts so many workers, and checks those that are there.

        `note` gets a sentence for each worker that comes or goes later. Raises `ConfigurationError` for a text that is
        no address, `RunError` when nothing answers, when there is no worker, or when one has other bots, rules
        or versions, and `BotError` when workers die while they load the bots.
        """
        if address != LOCAL:
            check_reach(configuration, address)
        self._address = address
        self._folder = folder
        self._note = note
        self._arguments = (
            msgspec.msgpack.encode(Requirements.of(configuration)),
            msgspec.msgpack.encode(setup),
        )
        self._workers: dict[str, _Worker] = {}
        self._greeted: dict[str, Any] = {}
        """Those that have been asked what they are, with Dask's future of their bots."""

        self._refused: set[str] = set()
        self._queue: deque[tuple[Future[PlayedBlock], bytes]] = deque()
        """Jobs for which no worker has room."""

        self._suspects: set[bytes] = set()
        """Jobs of workers that died with several; each has a worker for itself now, so that it is known who kills."""

        self._played: set[str] = set()
        self._lost_workers = 0
        self._lost_blocks = 0
        self._has_begun = False
        self._deaths_while_loading = 0
        self._is_waiting = False
        self._looked = 0.0
        self.window = 0
        self._connection: SchedulerConnection | None = SchedulerConnection(address, workers=workers, note=self._note)
        try:
            self._wait_for_first()
        except BaseException:
            self.close(at_once=True)
            raise
        self._has_begun = True

    @property
    def _room(self) -> int:
        return JOBS_A_WORKER * max(1, len(self._workers))

    def has_room(self) -> bool:
        """Returns whether the workers have fewer than `JOBS_A_WORKER` jobs each."""
        return len(self._queue) + sum(len(worker.flights) for worker in self._workers.values()) < self._room

    def submit(self, job: Job) -> Future[PlayedBlock]:
        """Returns a future of the block. Raises `RunError` when the scheduler is gone."""
        future: Future[PlayedBlock] = Future()
        self._queue.append((future, msgspec.msgpack.encode(job)))
        self._hand_out()
        return future

    def wait(self, futures: Collection[Future[PlayedBlock]], *, is_stopping: Callable[[], bool]) -> None:
        """Waits until one of these blocks is done.

        Raises `RunError` when the scheduler is gone, `KeyboardInterrupt` when the run stops and no worker is left.
        """
        while not any(future.done() for future in futures):
            if self._is_waiting and is_stopping():
                raise KeyboardInterrupt
            if monotonic() - self._looked >= LOOK_SECONDS:
                self._look()
            self._hand_out()
            self._wait_for_tasks()
            self._take_answers()
            self._collect()

    def check(self, future: Future[PlayedBlock]) -> PlayedBlock:
        """Returns a block that is done."""
        from distributed import KilledWorker

        try:
            return future.result()
        except KilledWorker:  # workers that came again at the same address: the scheduler has tried it several times
            self._lost_blocks += 1
            raise WorkerKilledError(MOST_KILLS) from None

    def cluster_play(self) -> ClusterPlay:
        """Returns what the workers have done so far."""
        return ClusterPlay(workers=len(self._played), lost_workers=self._lost_workers, lost_blocks=self._lost_blocks)

    def close(self, *, at_once: bool = False) -> None:
        """Releases every bot and the cluster, without waiting; a cluster of our own ends.

        Workers of another cluster finish the blocks they are playing, and then end the bots.
        """
        if self._connection is None:
            return
        try:
            if not at_once:
                self._end_bots()
        finally:
            connection, self._connection = self._connection, None
            self._workers.clear()
            self._greeted.clear()
            connection.close()

    @property
    def _client(self) -> Any:
        assert self._connection is not None, "a crew that was closed plays nothing"
        return self._connection.client

    def _submit(self, function: Callable[..., Any], *arguments: Any, worker: str) -> Any:
        """Returns Dask's future of a call in one worker, which makes its calls in the order given."""
        with self._asking():
            return self._client.submit(
                function, *arguments, workers=[worker], allow_other_workers=False, pure=False, fifo_timeout="0 s"
            )

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Raises `RunError` when the scheduler is gone or goes during the block; passes `TimeoutError` on."""
        if self._client.status != "running":
            raise self._gone()
        try:
            yield
        except TimeoutError:  # an `OSError`, too
            raise
        except (OSError, CancelledError):  # what was asked for is cancelled when the connection breaks
            raise self._gone() from None

    def _wait_for_first(self) -> None:
        """Waits until all present workers have been checked. Raises `RunError` when one differs, or there is none."""
        end = monotonic() + FIRST_SECONDS
        while True:
            self._look()
            if self._workers and not self._greeted:
                return
            if monotonic() >= end:
                break
            if not self._greeted and not self._is_waiting:
                self._is_waiting = True
                self._note(f"No worker is at {self._address} yet; waiting {FIRST_SECONDS:.0f} seconds for one.")
            self._wait_for_tasks()
        if self._workers:
            return  # the others are busy with something else, and may come later
        if self._greeted:
            raise RunError(
                f"No worker at {self._address} has answered within {FIRST_SECONDS:.0f} seconds: "
                f"{', '.join(sorted(self._greeted))}. Wait until they have ended what they do, or start others."
            )
        raise RunError(
            f"No worker is at {self._address}. Start one, on each machine that is to play:\n"
            f"  dask worker {self._address} --nthreads 1"
        )

    def _look(self) -> None:
        """Reads which workers there are: greets new ones, and takes back the jobs of those that have gone."""
        threads = self._threads()
        self._looked = monotonic()
        for address in self._workers.keys() - threads:
            self._lose(self._workers.pop(address))
        for address in self._greeted.keys() - threads:
            del self._greeted[address]
            self._deaths_while_loading += 1
        if self._deaths_while_loading >= MOST_DEATHS_WHILE_LOADING and not self._has_begun:
            raise BotError(DIED_WHILE_LOADING)
        self._refused &= threads.keys()
        for address in threads.keys() - self._workers - self._greeted.keys() - self._refused:
            self._greet(address, threads[address])
        self._take_answers()
        self.window = 2 * self._room
        if self._has_begun and not self._workers and not self._is_waiting:
            self._is_waiting = True
            self._note(f"No worker is left at {self._address}; waiting for one.")

    def _greet(self, address: str, threads: int) -> None:
        """Makes a new worker begin, unless it is known already that it cannot."""
        problem = None
        if threads != 1:
            problem = f"it has {threads} threads, and bots need one. Start it with --nthreads 1."
        else:
            # A worker that cannot import what a task needs would end, so that is asked first, outside of any.
            answer = self._run(cluster_sides.versions, worker=address)
            if isinstance(answer, OSError):
                return  # it is gone, or will be asked again
            if isinstance(answer, BaseException):
                problem = f"it cannot load the project: {answer}. {INSTALL}"
            elif answer != versions():
                problem = f"it has {_listed(answer)}, and this machine {_listed(versions())}. {INSTALL}"
        if problem is None:
            self._greeted[address] = self._submit(cluster_sides.begin, *self._arguments, worker=address)
        else:
            self._refuse(address, problem)

    def _run(self, function: Callable[[], Any], *, worker: str) -> Any:
        """Returns what a function gives in a worker, beside what that plays, or the exception, also an `OSError`."""
        client = self._client
        try:
            answers = client.sync(
                client._run, function, workers=[worker], on_error="return", callback_timeout=ANSWER_SECONDS
            )
        except OSError as error:
            return error
        return answers.get(worker, OSError())

    def _threads(self) -> dict[str, int]:
        """Returns how many threads each worker has. Raises `RunError` when the scheduler is gone."""
        while True:
            with self._asking(), suppress(TimeoutError):  # it has much to do
                return dict(self._client.nthreads(callback_timeout=ANSWER_SECONDS))

    def _take_answers(self) -> None:
        for address, task in list(self._greeted.items()):
            if not task.done():
                continue
            del self._greeted[address]
            problem = self._problem(task)
            if problem is None:
                self._accept(_Worker(address, task))
            else:
                self._refuse(address, problem)

    def _accept(self, worker: _Worker) -> None:
        if self._address == LOCAL:
            self._run(cluster_sides.ignore_interrupts, worker=worker.address)
        self._workers[worker.address] = worker
        self._deaths_while_loading = 0
        if self._is_waiting:
            self._is_waiting = False
            if self._has_begun:
                self._note(f"{worker.address} has come; the run goes on.")

    def _refuse(self, address: str, problem: str) -> None:
        """Uses a worker no more. Raises `RunError` before play, when the user can still mend it."""
        if not self._has_begun:
            raise RunError(f"The worker {address} cannot play this run: {problem}")
        self._refused.add(address)
        self._note(f"The worker {address} is not used: {problem}")

    def _problem(self, task: Any) -> str | None:
        """Returns why a worker did not begin, as a sentence, or None. Raises `RunError` when the scheduler is gone."""
        from distributed import KilledWorker

        if task.status == "finished":
            return None
        if task.status != "error":
            raise self._gone()
        with self._asking():
            error = task.exception()
        if isinstance(error, TournamentError):
            return str(error)
        if isinstance(error, KilledWorker):
            return DIED_WHILE_LOADING
        if isinstance(error, RuntimeError) and error.__cause__ is not None:
            return f"its scheduler cannot read what it is sent ({_named(error.__cause__)}). {INSTALL}"
        return _named(error)

    def _lose(self, worker: _Worker) -> None:
        """Takes back the jobs of a worker that is gone; results of what it had just played may be lost with it."""
        alone = len(worker.flights) == 1
        self._lost_workers += 1
        self._lost_blocks += len(worker.flights)
        for flight in worker.flights:
            self._suspects.add(flight.job)
            flight.future.set_exception(WorkerKilledError() if alone else WorkerLostError())

    def _hand_out(self) -> None:
        while self._queue and self._workers:
            worker = min(self._workers.values(), key=lambda one: len(one.flights))
            future, job = self._queue[0]
            room = 1 if job in self._suspects or self._has_suspect(worker) else JOBS_A_WORKER
            if len(worker.flights) >= room:
                return
            self._queue.popleft()
            task = self._submit(cluster_sides.play, worker.guest, job, worker=worker.address)
            worker.flights.append(_Flight(future, task, job))

    def _has_suspect(self, worker: _Worker) -> bool:
        return any(flight.job in self._suspects for flight in worker.flights)

    def _wait_for_tasks(self) -> None:
        """Waits until a worker has answered or played, or until the list of workers is due."""
        tasks = [flight.task for worker in self._workers.values() for flight in worker.flights]
        tasks += self._greeted.values()
        if not tasks:
            sleep(LOOK_SECONDS)
            return
        self._wait(tasks, timeout=LOOK_SECONDS, return_when="FIRST_COMPLETED")

    def _wait(self, tasks: list[Any], **options: Any) -> None:
        from distributed import wait

        with self._asking(), self._client.as_current(), suppress(TimeoutError):
            wait(tasks, **options)  # type: ignore[no-untyped-call]

    def _collect(self) -> None:
        """Takes what has been played from the workers."""
        for worker in self._workers.values():
            for flight in [one for one in worker.flights if one.task.done()]:
                if self._take(flight):
                    self._played.add(worker.address)
                    worker.flights.remove(flight)
                    self._suspects.discard(flight.job)

    def _take(self, flight: _Flight) -> bool:
        """Returns whether a finished block could be fetched: its worker may be gone by now."""
        try:
            with self._asking():
                if flight.task.status == "error":
                    flight.future.set_exception(flight.task.exception(timeout=ANSWER_SECONDS))
                else:
                    flight.future.set_result(flight.task.result(timeout=ANSWER_SECONDS))
        except TimeoutError:
            return False
        return True

    def _end_bots(self) -> None:
        """Makes every worker end its bots, and waits for that, when nothing is played any more."""
        with suppress(RunError):  # a worker that has gone has let go of its bots
            tasks = [
                self._submit(cluster_sides.end, worker.guest, worker=worker.address)
                for worker in self._workers.values()
            ]
            self._wait(tasks, timeout=ANSWER_SECONDS)

    def _gone(self) -> RunError:
        if not self._has_begun:
            return RunError(f"The Dask scheduler at {self._address} is gone. Start it again.")
        again = format_command("resume", self._folder)
        return SchedulerGoneError(
            self._address,
            f"The scheduler at {self._address} is gone, or the connection to it. Go on with:\n  {again}\n"
            f"That plays here; with --cluster {format_place(self._address)} on the cluster, when the scheduler is "
            "back.",
        )


def _named(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _listed(found: dict[str, str]) -> str:
    return " and ".join(f"{name} {version}" for name, version in found.items())
