"""What the user's signals do: the first lets the blocks in flight finish, the second stops at once, others nothing."""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from tournament.players.base import Interrupts


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
