"""The referee: the one process of an arena that checks versions, plays rounds and publishes ladders."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

from tournament.arena.folder import ArenaFolder
from tournament.arena.operating.settings_file import read_arena
from tournament.errors import RunError
from tournament.workers import usable_cores

TICK_SECONDS: Final = 0.5
"""How often the referee looks around when nothing ends."""


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()  # whoever reads it through a pipe reads it now


def run_referee(
    place: ArenaFolder,
    *,
    say: Callable[[str], object] = _say,
    cluster: str | None = None,
    is_over: threading.Event | None = None,
) -> None:
    """Checks and plays until SIGINT, SIGTERM or `is_over`; rounds under way are interrupted then, within seconds.

    `place` is the folder that Django has been set up for. Waits first until no other referee has the arena. `cluster`
    is the address of a Dask scheduler that plays ladder and final in place of that in `arena.yaml`. Raises `RunError`
    where the folder cannot be locked.
    """
    stop = is_over or threading.Event()
    with _listening(stop), _held(place, stop, say) as lock:
        if lock is None:
            return
        from tournament.arena.play.desk import Desk
        from tournament.arena.play.refereeing import Refereeing

        address = cluster if cluster is not None else read_arena(place).cluster
        desk = Desk(folder=place, say=say, cluster=address, kept=(lock,))
        refereeing = Refereeing(desk, cores=lane_cores())
        say(f"The referee of {place.path} has begun.")
        try:
            while not stop.is_set():
                refereeing.tick()
                refereeing.wait(TICK_SECONDS)
        finally:
            refereeing.end()
        say(f"The referee of {place.path} has ended.")


def lane_cores() -> tuple[int | None, int | None]:
    """Returns the cores of the quick and the long lane; None for both where they would share one."""
    if usable_cores() < 2 or not hasattr(os, "sched_getaffinity"):
        return None, None
    first, *_, last = sorted(os.sched_getaffinity(0))
    return first, last


@contextmanager
def _held(place: ArenaFolder, stop: threading.Event, say: Callable[[str], object]) -> Iterator[int | None]:
    """Yields the descriptor of the lock on an arena, once no other referee has it; None when it is to stop before."""
    try:
        descriptor = os.open(place.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise RunError(f"{place.lock} cannot be opened: {error.strerror}. Mend its rights.") from None
    try:
        is_waiting = False
        while not stop.is_set():
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                    raise RunError(f"{place.lock} cannot be locked: {error.strerror}. Use another disk.") from None
                if not is_waiting:
                    say(f"Another referee has {place.path}{_holder(descriptor)}. This one waits until it ends.")
                    is_waiting = True
                stop.wait(TICK_SECONDS)
                continue
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
            yield descriptor
            return
        yield None
    finally:
        os.close(descriptor)


def _holder(descriptor: int) -> str:
    with suppress(OSError, ValueError):
        return f" (process {int(os.pread(descriptor, 20, 0))})"
    return ""


@contextmanager
def _listening(stop: threading.Event) -> Iterator[None]:
    """Has SIGINT and SIGTERM stop the referee; outside the main thread handlers cannot be set."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        stop.set()

    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, end) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
