"""Jobs played by a crew and given back in order, with a small window of them in flight."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final

from tournament.blocks import Job
from tournament.runner.crews import Crew, FinishedBlock, WorkerKilledError, WorkerLostError

MOST_KILLS: Final = 2
"""A block that has killed so many workers is void."""


@dataclass
class SettledJob:
    """What became of a job."""

    job: Job
    finished: FinishedBlock | None = None
    """None: it killed its workers, and the block is void."""


@dataclass
class _Flight:
    job: Job
    future: Future[FinishedBlock]
    kills: int = 0
    outcome: SettledJob | None = field(default=None)


def play_in_order(
    crew: Crew,
    next_job: Callable[[], Job | None],
    *,
    is_stopping: Callable[[], bool],
    on_kill: Callable[[Job], None],
) -> Iterator[SettledJob]:
    """Yields what became of each job in the order in which `next_job` gives them.

    `next_job` gives None when there is none now: after the next outcome it is asked again. When the run is
    stopping no job is begun; those in flight are played to their end. A job whose worker dies is played again,
    at most `MOST_KILLS` times. Raises what the play of a job raised.
    """
    window: deque[_Flight] = deque()
    while True:
        while len(window) < crew.window and crew.has_room() and not is_stopping():
            job = next_job()
            if job is None:
                break
            window.append(_Flight(job, crew.submit(job)))
        if not window:
            return
        waiting = [flight.future for flight in window if flight.outcome is None]
        if waiting:
            crew.wait(waiting, is_stopping=is_stopping)
        _settle(window, crew, on_kill)
        while window and (outcome := window[0].outcome) is not None:
            window.popleft()
            yield outcome


def _settle(window: deque[_Flight], crew: Crew, on_kill: Callable[[Job], None]) -> None:
    """Takes in every job that is done; those whose worker died are given out again, in order."""
    again: list[_Flight] = []
    for flight in window:
        if flight.outcome is not None or not flight.future.done():
            continue
        try:
            flight.outcome = SettledJob(flight.job, crew.check(flight.future))
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
        flight.future = crew.submit(flight.job)
