"""Processes on other systems than Linux, which have no `/proc`: their children and their memory, by psutil.

psutil reads all processes of the system to find children, which takes milliseconds; so what it found serves a while.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from time import monotonic
from typing import Final

LIST_SECONDS: Final = 0.1
"""How long a list of processes serves: one that was started since is not seen before."""


class _Processes:
    """The children of every process of the system, as they were a short while ago."""

    def __init__(self) -> None:
        self._read_at = float("-inf")
        self._children: dict[int, list[int]] = {}

    def children(self, pid: int, *, at_once: bool) -> list[int]:
        if at_once or monotonic() - self._read_at > LIST_SECONDS:
            self._read()
        return self._children.get(pid, [])

    def _read(self) -> None:
        import psutil  # lazy, and not installed on Linux

        found: dict[int, list[int]] = defaultdict(list)
        for one in psutil.process_iter(["ppid"]):
            if one.info["ppid"] is not None and one.info["ppid"] != one.pid:
                found[one.info["ppid"]].append(one.pid)
        self._children = found
        self._read_at = monotonic()


_processes = _Processes()


def children(pid: int, *, at_once: bool = False) -> list[int]:
    """Returns the processes that a process started, from a list that may be `LIST_SECONDS` old unless `at_once`."""
    return _processes.children(pid, at_once=at_once)


def held_bytes(processes: Iterable[int], *, most: int) -> int:
    """Returns the bytes that processes hold; above `most`, what several of them share is not counted for each.

    Then it is what each has alone, and the most that one of them shares.
    """
    resident = {pid: resident_bytes(pid) for pid in processes}
    held = sum(resident.values())
    if held <= most or len(resident) < 2:
        return held
    alone = {pid: _alone_bytes(pid, resident=size) for pid, size in resident.items()}
    return sum(alone.values()) + max(size - alone[pid] for pid, size in resident.items())


def resident_bytes(pid: int) -> int:
    """Returns the bytes that a process has in memory; 0 when it is gone."""
    import psutil

    with suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return 0


def _alone_bytes(pid: int, *, resident: int) -> int:
    """Returns how many of its resident bytes a process has alone; all where the system does not tell."""
    import psutil

    with suppress(psutil.Error):
        return min(resident, int(psutil.Process(pid).memory_full_info().uss))
    return resident
