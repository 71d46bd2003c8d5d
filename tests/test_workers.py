"""A pool of worker processes: answers in order, errors at their place, and none left when it ends."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from multiprocessing import resource_tracker

import pytest

from tournament import workers
from tournament.errors import WorkerError
from tournament.workers import PAYS_BYTES, WorkerPool, WorkerProcess, usable_cores, workers_for


def broken_after(*items: str) -> Iterator[str]:
    yield from items
    raise ValueError("no more")


def numbers(taken: list[int]) -> Iterator[str]:
    """Yields a thousand items, and notes each as it is taken."""
    for number in range(1000):
        taken.append(number)
        yield str(number)


def pids_of(pool: WorkerPool) -> list[int]:
    return [pid for executor in pool._executors for pid in executor._processes]


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("workers", [1, 2])
def test_answers_come_in_the_order_of_the_items(workers):
    items = [str(number) for number in range(40)]
    with WorkerPool(workers) as pool:
        answers = list(pool.map(int, items))

    assert list(range(40)) == answers


@pytest.mark.parametrize("workers", [1, 2])
def test_what_the_making_of_an_item_raises_comes_behind_the_answers_before_it(workers):
    """So that as much is written before an error with several workers as with one."""
    answers = []
    with WorkerPool(workers) as pool, pytest.raises(ValueError, match="no more"):
        answers.extend(pool.map(int, broken_after("1", "2", "3")))

    assert [1, 2, 3] == answers


@pytest.mark.parametrize("workers", [1, 2])
def test_what_the_work_raises_is_raised_at_its_place(workers):
    answers = []
    with WorkerPool(workers) as pool, pytest.raises(ValueError, match="invalid literal"):
        answers.extend(pool.map(int, ["1", "x", "2"]))

    assert [1] == answers


def test_only_a_few_items_are_taken_ahead():
    """A long file is not read into memory."""
    taken: list[int] = []
    with WorkerPool(2) as pool:
        next(pool.map(int, numbers(taken)))
        assert 0 < len(taken) < 10


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        ("__import__('os')._exit(3)", "ended with exit code 3"),
        ("__import__('os').kill(__import__('os').getpid(), 9)", "was killed while it worked"),
        ("__import__('os').kill(__import__('os').getpid(), 11)", "was ended by SIGSEGV"),
    ],
)
def test_a_worker_that_dies_is_told_with_how_it_ended(ending, told):
    with WorkerPool(2) as pool, pytest.raises(WorkerError, match=told):
        list(pool.map(eval, [ending]))


def test_the_death_of_a_worker_has_an_exit_code_of_its_own():

    assert 9 == WorkerError.exit_code


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, None])
def test_no_process_is_left_whatever_ends_the_pool(error):
    pool = WorkerPool(2)
    try:
        with pool:
            next(pool.map(abs, [1, 2, 3]))
            left = pids_of(pool)
            if error is not None:
                raise error
    except (KeyboardInterrupt, ValueError):
        pass

    assert 2 == len(left)
    assert [] == [pid for pid in left if is_there(pid)]


def test_one_worker_is_this_process():
    with WorkerPool(1) as pool:
        assert [os.getpid()] == list(pool.map(lambda _: os.getpid(), [0]))
        assert [] == pids_of(pool)


def test_several_workers_are_taken_for_long_files_only():
    """For a short one their start takes longer than the work."""
    assert 1 == workers_for("auto", size=PAYS_BYTES - 1)
    assert usable_cores() == workers_for("auto", size=PAYS_BYTES)
    assert 3 == workers_for(3, size=0)


def test_a_worker_loads_nothing_that_plays():
    """Its first job is free to import what it needs, and nothing else is there."""
    with WorkerPool(2) as pool:
        (loaded,) = pool.map(eval, ["sorted(__import__('sys').modules)"])

    assert "tournament.workers" in loaded
    assert [] == [name for name in loaded if name.startswith(("tournament.players", "tournament.run", "numpy"))]


def test_workers_get_items_before_an_answer_is_asked_for():
    taken: list[int] = []
    with WorkerPool(2) as pool:
        pool.map(int, numbers(taken), waiting=1)

        assert [0, 1, 2, 3] == taken


def test_items_go_past_a_worker_that_works_on_something_else():
    with WorkerPool(2) as pool:
        answer = pool.begin(time.sleep, 600.0)

        assert list(range(20)) == list(pool.map(int, map(str, range(20))))
        del answer


def test_work_that_nobody_wants_any_more_ends_with_the_pool():
    with WorkerPool(2) as pool:
        pool.begin(time.sleep, 600.0)
        pids = pids_of(pool)

    assert [False, False] == list(map(is_there, pids))


@pytest.mark.parametrize("workers", [1, 2])
def test_one_piece_of_work_is_begun_and_answered_later(workers):
    with WorkerPool(workers) as pool:
        answer = pool.begin(int, "7")

        assert [1, 2] == list(pool.map(int, ["1", "2"]))
        assert 7 == answer()


def test_work_in_a_process_of_its_own_gives_its_answer():
    process = WorkerProcess(abs, -7)
    try:
        while not process.wait(60):
            pass

        assert 7 == process.answer()
    finally:
        process.end()


def test_work_in_a_process_of_its_own_is_ended_at_any_moment():
    process = WorkerProcess(time.sleep, 600)
    (pid,) = process._executor._processes
    assert not process.wait(0)
    process.end()

    assert not is_there(pid)
    with pytest.raises(WorkerError, match="killed"):
        process.answer()


def test_work_that_is_ended_before_it_began_is_told_like_any_other():
    process = WorkerProcess(time.sleep, 600)
    process._future.cancel()
    process.end()

    with pytest.raises(WorkerError, match="killed"):
        process.answer()


def test_no_tracker_is_started_on_windows(monkeypatch):
    """There it cannot be: what starts it is only on POSIX."""
    started = []
    monkeypatch.setattr(resource_tracker, "ensure_running", lambda: started.append(True))
    monkeypatch.setattr(sys, "platform", "win32")
    workers._start_tracker()

    assert [] == started


def test_the_end_of_a_worker_is_told_where_there_is_no_sigkill(monkeypatch):
    monkeypatch.setattr(workers, "_exit_code", lambda executor: 1)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(signal, "SIGKILL")

    assert "A worker process ended with exit code 1 while it worked." in str(workers._died(None))
