"""Several processes of ours kept running: one that dies is started again, and all end together.

They are started by `posix_spawn`, each in a process group of its own, so that Ctrl-C reaches only the process that
keeps them. It holds the other end of their input: should it be killed, they read the end of it, and end, too.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tournament.errors import TournamentError, UsageError
from tournament.workers import format_end

FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 60.0
STEADY_SECONDS: Final = 60.0
"""Whoever lived so long has started well: the pauses begin anew."""

STOP_SECONDS: Final = 20.0
"""How long processes may take to end before they are killed."""

ENDS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
AWAITED: Final = (signal.SIGCHLD, *ENDS)
KEPT_BY: Final = "TOURNAMENT_KEPT"
"""The environment variable that tells a process that it is kept by another, at whose end it ends."""

MISTAKES: Final = range(UsageError.exit_code, 10)
"""Exit codes of what a host has to mend; see `errors.py`."""


@dataclass
class KeptProcess:
    """One process, and when it is started again."""

    name: str
    command: Sequence[str]
    pid: int | None = None
    begun: float = 0.0
    pause_seconds: float = FIRST_PAUSE_SECONDS
    starts_at: float = 0.0
    """By the monotonic clock; means something while there is no process."""

    has_been_steady: bool = False


def keep_running(commands: Mapping[str, Sequence[str]], *, say: Callable[[str], object]) -> None:
    """Runs commands by name until SIGINT, SIGTERM or SIGHUP; all have ended then. `say` takes what happens meanwhile.

    Raises `TournamentError` where one of them soon ends with the exit code of a mistake of the host, which it has said.
    """
    kept = [KeptProcess(name, command) for name, command in commands.items()]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, AWAITED)
    reading, writing = os.pipe()  # neither is inherited: each child gets a copy of the first as its input
    try:
        while True:
            for process in kept:
                if process.pid is None and process.starts_at <= time.monotonic():
                    _start(process, reading)
            waits = [max(0.0, one.starts_at - time.monotonic()) for one in kept if one.pid is None]
            found = signal.sigtimedwait(AWAITED, min(waits, default=LONGEST_PAUSE_SECONDS))
            if found is not None and found.si_signo in ENDS:
                return
            for process in kept:
                _look_after(process, say)
    finally:
        _stop(kept, say)
        os.close(reading)
        os.close(writing)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(process: KeptProcess, reading: int) -> None:
    process.begun = time.monotonic()
    process.pid = os.posix_spawn(
        process.command[0],
        list(process.command),
        os.environ | {KEPT_BY: str(os.getpid())},
        file_actions=[(os.POSIX_SPAWN_DUP2, reading, 0)],
        setpgroup=0,
        setsigmask=[],
        setsigdef=AWAITED,
    )


def _look_after(process: KeptProcess, say: Callable[[str], object]) -> None:
    """Notes whether a process has ended, and when it is started again."""
    if process.pid is None:
        return
    pid, status = os.waitpid(process.pid, os.WNOHANG)
    lived = time.monotonic() - process.begun
    process.has_been_steady = process.has_been_steady or lived >= STEADY_SECONDS
    if pid == 0:
        return
    process.pid = None
    code = os.waitstatus_to_exitcode(status)
    if code in MISTAKES and not process.has_been_steady:
        raise KeptProcessError(f"The process `{process.name}` cannot start: see above.", code)
    if lived >= STEADY_SECONDS:
        process.pause_seconds = FIRST_PAUSE_SECONDS
    process.starts_at = time.monotonic() + process.pause_seconds
    say(f"The process `{process.name}` {format_end(code)}. It starts again in {process.pause_seconds:.0f} s.")
    process.pause_seconds = min(LONGEST_PAUSE_SECONDS, process.pause_seconds * 2)


class KeptProcessError(TournamentError):
    """A process that cannot start, with its exit code."""

    def __init__(self, text: str, exit_code: int) -> None:
        super().__init__(text)
        self.exit_code = exit_code  # type: ignore[misc]  # of this one, not of its class


def _stop(kept: Sequence[KeptProcess], say: Callable[[str], object]) -> None:
    for process in kept:
        if process.pid is not None:
            os.kill(process.pid, signal.SIGTERM)
    latest = time.monotonic() + STOP_SECONDS
    while alive := [process for process in kept if process.pid is not None]:
        for process in alive:
            assert process.pid is not None
            if os.waitpid(process.pid, os.WNOHANG)[0]:
                process.pid = None
        left = latest - time.monotonic()
        if left <= 0:
            break
        if any(process.pid is not None for process in alive):
            signal.sigtimedwait((signal.SIGCHLD,), left)
    for process in alive:
        assert process.pid is not None
        say(f"The process `{process.name}` did not end within {STOP_SECONDS:.0f} s, and is killed.")
        os.killpg(process.pid, signal.SIGKILL)
        os.waitpid(process.pid, 0)


def end_with_keeper() -> bool:
    """Has this process end, as by SIGTERM, once the process that keeps it is gone; returns whether one does."""
    if os.environ.pop(KEPT_BY, None) is None:
        return False
    threading.Thread(target=_wait_for_keepers_end, daemon=True).start()
    return True


def _wait_for_keepers_end() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
