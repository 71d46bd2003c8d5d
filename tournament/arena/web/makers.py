"""Asks another process for pages and copies of rounds, one at a time, and waits for them no longer than people do."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from importlib import import_module
from threading import Lock
from typing import Any, Final

from tournament.errors import TournamentError
from tournament.languages import gettext
from tournament.workers import kill_worker, start_worker

MAKING_SECONDS: Final = 60.0
"""How long making one thing may take."""

QUEUE_SECONDS: Final = 20.0
"""How long a reader waits for its turn."""

WORKS: Final = "tournament.arena.web.rendering"


class BusyError(TournamentError):
    """Too many people ask for pages of rounds at once, or one of them takes too long to make."""


class Maker:
    """A process that makes pages; it is started when first asked, and again when it died."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._executor: Any = None

    def make(self, work: str, *arguments: object, **named: object) -> Any:
        """Returns what a function of `rendering` returns. Raises what it raises, and `BusyError`."""
        if not self._turn.acquire(timeout=QUEUE_SECONDS):
            raise BusyError(
                gettext("Too many pages of rounds are asked for at once. Load this page again in a moment.")
            )
        try:
            if self._executor is None:
                self._executor, _ = start_worker(_load)
            try:
                return self._executor.submit(_call, work, arguments, named).result(timeout=MAKING_SECONDS)
            except TournamentError:
                raise
            except BaseException as error:
                self._end()
                if isinstance(error, Exception):
                    raise BusyError(gettext("This page took too long to make. Load it again in a moment.")) from error
                raise
        finally:
            self._turn.release()

    def close(self) -> None:
        """Ends the process."""
        with self._turn:
            self._end()

    def _end(self) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            kill_worker(executor)
            executor.shutdown(wait=False, cancel_futures=True)


MAKER: Final = Maker()
"""The one of this web process."""

atexit.register(MAKER.close)  # left to the interpreter it would end among modules that are taken down, with a complaint


def _load() -> None:
    import_module(WORKS)


def _call(work: str, arguments: tuple[object, ...], named: dict[str, object]) -> Any:
    function: Callable[..., Any] = getattr(import_module(WORKS), work)
    return function(*arguments, **named)
