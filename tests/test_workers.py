"""A pool of worker processes: answers in order, errors at their place, and none left when it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tournament.errors import WorkerError
from tournament.workers import PAYS_BYTES, WorkerPool, usable_cores, workers_for


def broken_after(*items: str) -> Iterator[str]:
    yield from items
    raise ValueError("no more")


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
    taken = []

    def items() -> Iterator[str]:
        for number in range(1000):
            taken.append(number)
            yield str(number)

    with WorkerPool(2) as pool:
        next(pool.map(int, items()))
        assert 0 < len(taken) < 10


def test_a_worker_that_dies_is_told_with_an_exit_code_of_its_own():
    with WorkerPool(2) as pool, pytest.raises(WorkerError, match="killed while it worked"):
        list(pool.map(os._exit, [1]))

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


@pytest.mark.parametrize("workers", [1, 2])
def test_one_piece_of_work_is_begun_and_answered_later(workers):
    with WorkerPool(workers) as pool:
        answer = pool.begin(int, "7")

        assert [1, 2] == list(pool.map(int, ["1", "2"]))
        assert 7 == answer()
