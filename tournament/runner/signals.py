"""What the user's signals do: the first lets the blocks in flight finish, the second stops at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from tournament.players.base import Interrupts


class Stop:
    """Whether a run is to stop."""

    def __init__(self, interrupts: Interrupts) -> None:
        """Takes what tells a bot's `KeyboardInterrupt` from the user's."""
        self.asked = False
        self._interrupts = interrupts

    def interrupt(self, signal_number: int, frame: FrameType | None) -> None:
        """Handles SIGINT: once lets the blocks in flight finish, twice stops where the program is."""
        if self.asked:
            self._interrupts.ask(signal_number, frame)
        self.asked = True

    def terminate(self, signal_number: int, frame: FrameType | None) -> None:
        """Handles SIGTERM: lets the blocks in flight finish."""
        self.asked = True


@contextmanager
def listening(stop: Stop) -> Iterator[None]:
    """Listens to the user; outside the main thread handlers cannot be set, and a notebook's own stay."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, handler)
        for number, handler in ((signal.SIGINT, stop.interrupt), (signal.SIGTERM, stop.terminate))
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
