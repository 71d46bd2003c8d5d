"""Processes of the referee, one for each round and each check: what happens to one happens to nothing else.

Such a process ends when the referee does, however that ends, and holds the referee's lock until then: no second referee
begins while something of the first one's still plays.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import DupFd
from typing import Any, Final

import msgspec
from msgspec import Struct

from tournament.errors import Interrupted, TournamentError
from tournament.workers import end_with_parent, pinned, signal_name, signals_held

POLITE_SECONDS: Final = 2.0
"""How long a block or a check under way may take to end by itself when the referee stops."""

IMPATIENT_SECONDS: Final = 3.0
"""How long a process may take to let go of its bots after that; then it is killed."""


MOST_CHARACTERS: Final = 4000
"""Of what a process has to say."""


class ProcessOutcome(StrEnum):
    """How the work of a process ended."""

    DONE = "done"
    STOPPED = "stopped"
    """It was asked to stop, and can go on later."""

    FAILED = "failed"
    """Something went wrong that may be the machine's, or our own, mistake."""


class ProcessEnding(Struct, frozen=True, kw_only=True):
    """How the work of a process ended, and what it has to say."""

    outcome: ProcessOutcome
    text: str = ""
    answer: Any = None
    """What the work returned."""


Work = Callable[..., Any]


class LaneProcess:
    """A process that does one piece of work."""

    def __init__(self, work: Work, *arguments: object, core: int | None, kept: Sequence[int] = ()) -> None:
        """Starts a process that calls `work` with these arguments; `kept` are descriptors that it holds.

        It and all that it starts stay on a core, unless that is None.
        """
        context = multiprocessing.get_context("spawn")
        self._answers, answering = context.Pipe(duplex=False)
        self._stop_asked: float | None = None
        self._is_impatient = False
        self._ending: ProcessEnding | None = None
        self._process = context.Process(
            target=_do, args=(answering, _Kept(tuple(kept)), work, arguments), name=getattr(work, "__name__", "")
        )
        with signals_held(), pinned(core):  # from its birth: the bots of the other lane are measured meanwhile
            self._process.start()
        answering.close()

    @property
    def is_alive(self) -> bool:
        """Whether it still works."""
        return self._process.is_alive()

    @property
    def is_stopping(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop_asked is not None

    @property
    def sentinel(self) -> int:
        """What becomes ready when the process has ended."""
        return self._process.sentinel

    def stop(self) -> None:
        """Asks it to stop; again and again, until it has: first politely, then at once, then it is killed."""
        if not self._process.is_alive():
            return
        if self._stop_asked is None:
            self._stop_asked = time.monotonic()
            self._signal(signal.SIGTERM)
        waited = time.monotonic() - self._stop_asked
        if waited > POLITE_SECONDS + IMPATIENT_SECONDS:
            self._process.kill()
        elif waited > POLITE_SECONDS and not self._is_impatient:
            self._is_impatient = True
            self._signal(signal.SIGINT)  # the second signal to a run: it stops in the middle of a block

    def _signal(self, number: int) -> None:
        if self._process.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    def ending(self) -> ProcessEnding:
        """Returns how the work ended, once the process has, however often it is asked. One that died has failed."""
        if self._ending is None:
            self._ending = self._found()
        return self._ending

    def _found(self) -> ProcessEnding:
        self._process.join()
        try:
            ending = self._answers.recv() if self._answers.poll() else None
        except (EOFError, OSError):
            ending = None
        self._answers.close()
        if isinstance(ending, ProcessEnding):
            return ending
        if self._stop_asked is not None:
            return ProcessEnding(outcome=ProcessOutcome.STOPPED)
        code = self._process.exitcode or 0
        how = signal_name(-code) if code < 0 else f"exit code {code}"
        return ProcessEnding(
            outcome=ProcessOutcome.FAILED, text=f"The process that did it ended without a word ({how})."
        )


def wait_for(children: Sequence[LaneProcess], seconds: float) -> None:
    """Waits until one of some processes has ended, or for so many seconds."""
    if children:
        wait([child.sentinel for child in children], timeout=seconds)
    else:
        time.sleep(seconds)


def stop_all(children: Sequence[LaneProcess]) -> None:
    """Stops processes, and returns when all have ended: within `POLITE_SECONDS` and `IMPATIENT_SECONDS`."""
    while left := [child for child in children if child.is_alive]:
        for child in left:
            child.stop()
        wait_for(left, 0.1)


class _Kept:
    """Descriptors on their way to a process."""

    def __init__(self, descriptors: tuple[int, ...]) -> None:
        self._descriptors = descriptors

    def __reduce__(self) -> tuple[Any, ...]:
        return _keep, (tuple(map(DupFd, self._descriptors)),)


def _keep(descriptors: tuple[Any, ...]) -> None:
    """Holds descriptors for as long as this process lives; programs that it starts do not get them."""
    for descriptor in descriptors:
        os.set_inheritable(descriptor.detach(), False)


def _do(answers: Connection, kept: object, work: Work, arguments: tuple[Any, ...]) -> None:
    end_with_parent()
    for number in (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)):
        signal.signal(number, signal.SIG_IGN)  # Ctrl-C goes to the referee, which ends its processes
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        ending = ProcessEnding(outcome=ProcessOutcome.DONE, answer=work(*arguments))
    except (Interrupted, KeyboardInterrupt):
        ending = ProcessEnding(outcome=ProcessOutcome.STOPPED)
    except (TournamentError, OSError) as error:
        ending = ProcessEnding(outcome=ProcessOutcome.FAILED, text=str(error))
    except Exception as error:
        told = f"{type(error).__name__}: {error}\n{traceback.format_exc()}"
        ending = ProcessEnding(outcome=ProcessOutcome.FAILED, text=f"A mistake of this program; report it. {told}")
    # What is longer would fill the pipe, and nobody reads before the process has ended.
    answers.send(msgspec.structs.replace(ending, text=ending.text[:MOST_CHARACTERS]))
    answers.close()
