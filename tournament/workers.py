"""Worker processes: how they begin and end, and a pool of them whose answers come in order.

A worker ends with the process that started it, and leaves Ctrl-C to it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Self, TypeVar

from tournament.errors import WorkerError

if TYPE_CHECKING:  # lazy: most commands need no worker
    from concurrent.futures import Executor, Future

USERS_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

WAITING: Final = 2
"""How many items wait at each worker of a pool, so that no worker is ever idle."""

PAYS_BYTES: Final = 16_000_000
"""From so many bytes of records on, some thousand games, several workers are faster than one."""

DEATH_SECONDS: Final = 1.0
"""How long is waited for the end of a process that no longer answers, so that its error can say how it ended."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def usable_cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def workers_for(asked: int | Literal["auto"], *, size: int) -> int:
    """Returns how many workers read `size` bytes of records: with `auto` one a core, but one where more do not pay."""
    if asked == "auto":
        return usable_cores() if size >= PAYS_BYTES else 1
    return asked


def core_of_this_thread() -> int | None:
    """Returns the core that this thread runs on now; None where it cannot be told."""
    try:
        # Fields after the name, which may hold anything: the 39th of all is the processor, the 3rd is the first here.
        return int(Path("/proc/thread-self/stat").read_text().rpartition(")")[2].split()[39 - 3])
    except OSError:
        return None


def cores_of_workers(workers: int) -> list[int | None]:
    """Returns a core for each worker, from the one on that this thread runs on, so that not all take the first.

    None for all where there are fewer cores, or they cannot be chosen.
    """
    if workers > usable_cores() or not hasattr(os, "sched_getaffinity"):
        return [None] * workers
    cores = sorted(os.sched_getaffinity(0))
    begin = bisect_left(cores, core_of_this_thread() or 0)
    rotated: list[int | None] = [*cores[begin:], *cores[:begin]]
    return rotated[:workers]


@contextmanager
def pinned(core: int | None) -> Iterator[None]:
    """Keeps this thread and the processes that it starts meanwhile on a core; the thread is let go afterwards."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def signals_held() -> Iterator[None]:
    """Holds the user's signals back, here and in processes that this thread starts meanwhile.

    Otherwise Ctrl-C would end a worker that has not come to ignore it yet.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, USERS_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_worker(begin: Callable[..., None], *arguments: object) -> tuple[Executor, Future[None]]:
    """Returns an executor with one new process, and the future of `begin(*arguments)`, the first thing done in it."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    _start_tracker()
    context = multiprocessing.get_context("spawn")  # a fork would copy threads' locks
    # The process watches for its parent's end from its own beginning: its first job may never come.
    executor: Executor = ProcessPoolExecutor(1, mp_context=context, initializer=end_with_parent)
    with signals_held():
        ready = executor.submit(_begin, begin, *arguments)
    # Nobody else writes results: with its process a result ends that was half sent, and is not waited for.
    results: Any = getattr(executor, "_result_queue", None)
    if results is not None:
        results._writer.close()
    return executor, ready


def kill_worker(executor: Executor) -> None:
    """Kills the process of an executor."""
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        process.kill()


class WorkerPool:
    """Works on one item after another: in this process, or in several worker processes.

    It is a context manager, and processes begin and end with it. They are killed then: nothing that they still work on
    is wanted, and Python takes 30 milliseconds to leave each of its own accord.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._executors: list[Executor] = []
        self._begun: list[tuple[Executor, Future[Any]]] = []
        """What `begin` began; whoever works on it gets no items meanwhile."""

    def __enter__(self) -> Self:
        try:
            for _ in range(self._workers if self._workers > 1 else 0):
                self._executors.append(start_worker(_do_nothing)[0])
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._end()

    def _end(self) -> None:
        for executor in self._executors:
            kill_worker(executor)
        for executor in self._executors:
            executor.shutdown(wait=True, cancel_futures=True)
        self._executors = []
        self._begun = []

    def map(self, work: Callable[[Item], Answer], items: Iterable[Item], *, waiting: int = WAITING) -> Iterator[Answer]:
        """Returns an iterator over what `work` makes of each item, in their order.

        Workers get the first items at once, before an answer is asked for, and the others as answers are taken: so many
        are `waiting` at each. What the making of an item raises is raised behind the answers of the items before it.
        The iterator raises what `work` raises, and `WorkerError` when a process dies.
        """
        if self._workers == 1:
            return map(work, items)
        given = _Given(items)
        flights: deque[tuple[Executor, Future[Answer]]] = deque()
        most = self._workers * (1 + waiting)

        def fill() -> None:
            while len(flights) < most and given.has_next():
                executor = min(self._executors, key=lambda one: self._load(one, flights, most=most))
                flights.append((executor, self._submit(executor, work, given.next())))

        def answers() -> Iterator[Answer]:
            while flights:
                yield self._answer(*flights.popleft())
                fill()
            given.raise_trouble()

        fill()
        return answers()

    def _load(self, executor: Executor, flights: Iterable[tuple[Executor, Future[Any]]], *, most: int) -> int:
        """Returns how many items wait at a worker; `most` of them where it works on something else."""
        return most if self._is_busy(executor) else sum(executor is other for other, _ in flights)

    def _is_busy(self, executor: Executor) -> bool:
        """Returns whether a worker still works on what `begin` began."""
        return any(executor is other and not future.done() for other, future in self._begun)

    def begin(self, work: Callable[[Item], Answer], item: Item) -> Callable[[], Answer]:
        """Returns what gives the answer for one item, which a worker begins to work on; of one worker only then.

        It raises what `map` raises.
        """
        if self._workers == 1:
            return lambda: work(item)
        executor = self._executors[-1]
        future = self._submit(executor, work, item)
        self._begun.append((executor, future))
        return lambda: self._answer(executor, future)

    def _submit(self, executor: Executor, work: Callable[[Item], Answer], item: Item) -> Future[Answer]:
        from concurrent.futures import BrokenExecutor

        try:
            return executor.submit(work, item)
        except BrokenExecutor as error:
            raise _died(executor) from error

    def _answer(self, executor: Executor, future: Future[Answer]) -> Answer:
        from concurrent.futures import BrokenExecutor

        try:
            return future.result()
        except BrokenExecutor as error:
            raise _died(executor) from error


class WorkerProcess(Generic[Answer]):
    """One piece of work in a process of its own, which can be ended at any moment with all that it holds."""

    def __init__(self, work: Callable[[Item], Answer], item: Item) -> None:
        """Starts the process, which begins to work on the item. Raises `OSError` where none can be started."""
        self._executor, _ = start_worker(_do_nothing)
        self._future: Future[Answer] = self._executor.submit(work, item)

    def wait(self, seconds: float) -> bool:
        """Waits until the work is done or its process has died, at most so long; returns whether it is."""
        from concurrent.futures import wait

        return not wait([self._future], timeout=seconds).not_done

    def answer(self) -> Answer:
        """Returns what the work gave. Raises what it raises, and `WorkerError` when its process died."""
        from concurrent.futures import BrokenExecutor, CancelledError

        try:
            return self._future.result()
        except (BrokenExecutor, CancelledError) as error:  # cancelled: its process was ended before the work began
            raise _died(self._executor) from error

    def end(self) -> None:
        """Ends the process, wherever it is, and waits until it is gone."""
        if not self._future.done():
            kill_worker(self._executor)
        self._executor.shutdown(wait=True, cancel_futures=True)


class _Given(Generic[Item]):
    """Items one by one, and what making the next one raised, to be raised later."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = iter(items)
        self._waiting: list[Item] = []
        self._trouble: Exception | None = None

    def has_next(self) -> bool:
        if not self._waiting and self._trouble is None:
            try:
                self._waiting.append(next(self._items))
            except StopIteration:
                return False
            except Exception as error:
                self._trouble = error
        return bool(self._waiting)

    def next(self) -> Item:
        return self._waiting.pop()

    def raise_trouble(self) -> None:
        if self._trouble is not None:
            raise self._trouble


def _died(executor: Executor) -> WorkerError:
    """Returns the error that tells how the process of a broken executor ended."""
    code = _exit_code(executor)
    if code is None or (sys.platform != "win32" and code == -signal.SIGKILL):
        return WorkerError(
            "A worker process was killed while it worked. Perhaps the machine has too little memory for so many: try "
            "again with one worker."
        )
    is_broken = "Where one worker ends so, too, one of the installed libraries is broken."
    why = is_broken if code < 0 else "What it wrote to stderr says why."
    return WorkerError(f"A worker process {format_end(code)} while it worked. {why} Try again with one worker.")


def format_end(code: int) -> str:
    """Returns how a process ended by its exit code, as what follows its name: `was ended by SIGTERM`."""
    return f"was ended by {signal_name(-code)}" if code < 0 else f"ended with exit code {code}"


def signal_name(number: int) -> str:
    """Returns the name of a signal, such as `SIGTERM`; of one without a name its number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _exit_code(executor: Executor) -> int | None:
    """Returns how the process of a broken executor ended, negative for a signal; None where that cannot be told."""
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        until = time.monotonic() + DEATH_SECONDS
        process.join(DEATH_SECONDS)
        while process.exitcode is None and time.monotonic() < until:
            time.sleep(0.001)  # the executor's own thread was told the end first, and has not said it yet
        code: int | None = process.exitcode
        return code
    return None


def _start_tracker() -> None:
    """Starts the tracker that frees the workers' semaphores when their parent is killed, without its warnings."""
    if sys.platform == "win32":
        return  # there is none, and nothing that it would free
    from multiprocessing import resource_tracker

    sys.warnoptions.append("ignore:resource_tracker")  # a program of its own, which is given these
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.pop()


# What follows runs in a worker.


def _begin(begin: Callable[..., None], *arguments: object) -> None:
    """Leaves the user's signals, those that were held back among them, to the parent, and begins."""
    for number in USERS_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, USERS_SIGNALS)
    begin(*arguments)


def end_with_parent() -> None:
    """Has this process end as soon as its parent has."""
    threading.Thread(target=_wait_for_parents_end, daemon=True).start()


def _wait_for_parents_end() -> None:
    import multiprocessing
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _do_nothing() -> None:
    pass
