"""Jobs played by a crew and given back in order, with a small window of them in flight."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final

from tournament.blocks import Job, PlayedBlock
from tournament.runner.crews import Pool, SettledJob, WorkerKilledError, WorkerLostError

MOST_KILLS: Final = 2
"""A block that has killed so many workers is void."""


@dataclass
class _Flight:
    job: Job
    future: Future[PlayedBlock]
    kills: int = 0
    outcome: SettledJob | None = field(default=None)


def play_in_order(
    pool: Pool,
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


def _settle(window: deque[_Flight], pool: Pool, on_kill: Callable[[Job], None]) -> None:
    """Takes in every job that is done; those whose worker died are given out again, in order."""
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
