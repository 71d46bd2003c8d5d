"""Trees of processes: protects this process, and measures and ends bots with all they started (Linux).

A bot leads a session of its own. What it starts stays in that session or makes a new one, and is adopted
when its parent ends: by the bot's own process where bots share a user, else by this process, for both are
subreapers. So a child of ours in another session, which no running bot leads, was left behind by a bot, or
started by the program that plays the tournament. A flag tells these apart: whatever a bot starts can never
gain rights.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from time import clock_gettime_ns, monotonic, sleep
from typing import Final

from tournament.players.linux import elsewhere
from tournament.players.linux.launcher import PR_SET_CHILD_SUBREAPER

PR_SET_DUMPABLE: Final = 4
NO_NEW_PRIVILEGES: Final = "\nNoNewPrivs:\t1\n"
"""In `/proc/PID/status`: set by the launcher of every bot, inherited, and impossible to unset."""

KILL_SECONDS: Final = 20.0
PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

_bots: set[int] = set()
"""The running bots that this process started."""

_owners: dict[int, int] = {}
"""For processes that bots of one user left behind: the bot with which each was first seen."""

_older: set[int] = set()
"""Children that this process had before its first bot."""


@cache
def protect_this_process() -> None:
    """Keeps other processes of our user from looking into this one, and adopts what bots leave behind."""
    if sys.platform == "linux":
        _older.update(children(os.getpid()))
        libc = ctypes.CDLL(None, use_errno=True)
        for option, value in ((PR_SET_DUMPABLE, 0), (PR_SET_CHILD_SUBREAPER, 1)):
            if libc.prctl(option, value, 0, 0, 0) != 0:
                raise OSError(ctypes.get_errno(), "prctl")


def note_bot(pid: int) -> None:
    """Notes that a bot runs, so that it is not taken for a leftover of another bot."""
    _bots.add(pid)


def end_tree(pid: int, *, uid: int | None) -> None:
    """Kills a bot and everything it started, and reaps what was adopted; the caller reaps the bot itself.

    `uid` is a user that only this bot has. Raises `RuntimeError` when a process is still there after twenty seconds.
    """
    if sys.platform != "linux":
        elsewhere.children(pid, at_once=True)
        for one in list(descendants(pid)):  # nobody adopts them when their parent has ended
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
    signal_group(pid, signal.SIGKILL)
    _bots.discard(pid)
    end_leftovers(uid=uid)
    for stray in [stray for stray, bot in _owners.items() if bot == pid]:
        del _owners[stray]


def end_leftovers(*, uid: int | None = None) -> None:
    """Kills and reaps what ended bots left behind, and all processes of `uid`, a user that only one bot had.

    Raises `RuntimeError` when a process is still there after twenty seconds.
    """
    deadline = monotonic() + KILL_SECONDS
    while left := {*_adopted(), *(_of_user(uid) if uid is not None else ())}:
        for one in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        for one in left:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(one, os.WNOHANG)
        if monotonic() > deadline:
            raise RuntimeError(f"processes that a bot started cannot be ended: {sorted(left)}")
        sleep(0.001)


def signal_group(pid: int, number: int) -> None:
    """Sends a signal to the group that a bot leads; nothing happens when it is gone."""
    try:  # no context manager, because this happens twice a decision
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def has_left_its_group(pid: int) -> bool:
    """Returns whether a process that led a group is in another one now, which the group's signals do not reach."""
    try:
        return os.getpgid(pid) != pid
    except OSError:
        return False


def memory_pages(place: str) -> tuple[int, int]:
    """Returns how many pages a process has in memory, and how many of them it shares.

    `place` is its folder in `/proc`. When its first thread has ended, only the other threads tell. Raises `OSError`
    when the process is gone.
    """
    pages = _statm(place)
    threads = () if pages[0] else os.listdir(f"{place}/task")
    return max((_statm(f"{place}/task/{one}") for one in threads), default=pages)


def _statm(place: str) -> tuple[int, int]:
    fields = Path(place, "statm").read_text().split()
    return int(fields[1]), int(fields[2])


def cpu_clock(pid: int) -> int:
    """Returns the number of the clock of a process's processor time (`man clock_getcpuclockid`)."""
    return (~pid << 3) | 2


def cpu_ns(clock: int) -> int:
    """Returns the processor time that such a clock shows, of all threads together; 0 when the process is gone."""
    try:
        return clock_gettime_ns(clock)
    except OSError:
        return 0


def descendants(pid: int) -> Iterator[int]:
    """Yields the children of a process, their children, and so on."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def children(pid: int) -> list[int]:
    """Returns the processes that a process started, or adopted."""
    if sys.platform != "linux":
        return elsewhere.children(pid)
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return found


def _adopted() -> Iterator[int]:
    """Yields the children of this process that a bot left behind."""
    ours = os.getsid(0)
    for child in children(os.getpid()):
        with contextlib.suppress(OSError):
            session = os.getsid(child)
            foreign = child not in _bots and session != ours and session not in _bots
            # What a bot can have started can never gain rights.
            if foreign and child not in _older and NO_NEW_PRIVILEGES in Path(f"/proc/{child}/status").read_text():
                yield child


def strays(bot: int, *, uid: int | None) -> Iterator[int]:
    """Yields the children of this process that one running bot left behind.

    A process in the bot's session belongs to it; another belongs to the bot with its user, `uid`, which only this bot
    has. Where bots share a user, each adopts itself what it leaves behind. If one has ended, or could not be made to
    adopt, a process belongs to the bot for which it is first seen: the bot whose turn it was.
    """
    ours = os.getsid(0)
    for child in children(os.getpid()):
        with contextlib.suppress(OSError):
            session = os.getsid(child)
            if child in _bots or (session != bot and (session == ours or session in _bots or child in _older)):
                continue
            status = "" if session == bot else Path(f"/proc/{child}/status").read_text()
            if session == bot or (NO_NEW_PRIVILEGES in status and _belongs(child, status, bot=bot, uid=uid)):
                yield child


def _belongs(stray: int, status: str, *, bot: int, uid: int | None) -> bool:
    return _owners.setdefault(stray, bot) == bot if uid is None else f"\nUid:\t{uid}\t" in status


def _of_user(uid: int) -> Iterator[int]:
    """Yields the processes of a user; a zombie is left to its parent."""
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                fields = dict(
                    line.split(":", 1) for line in Path(f"/proc/{name}/status").read_text().splitlines() if ":" in line
                )
                if int(fields["Uid"].split()[0]) == uid and "Z" not in fields["State"]:
                    yield int(name)


def users_with_processes() -> set[int]:
    """Returns the users of all processes that we can see."""
    users = set()
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                users.add(os.stat(f"/proc/{name}").st_uid)
    return users
