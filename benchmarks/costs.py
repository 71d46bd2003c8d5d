"""What commands take: CPU time, time and peak memory, each in a process of its own; and the goals for growth."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

TIME_GOAL: Final = 1.2
"""The time of a game among many, in times of the time of one among few."""

MEMORY_GOAL_MB: Final = 300.0
TURNS: Final = 7
"""How often what takes less than `LONG_SECONDS` is measured; the fastest counts."""

LONG_SECONDS: Final = 3.0
"""Of CPU time: from so much on one measurement is enough."""


class Cost(NamedTuple):
    """What a command took, its worker processes included, but for their memory."""

    cpu_seconds: float
    seconds: float
    peak_mb: float


_TELLER: Final = """
import json, os, subprocess, sys, time
begun = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
seconds = time.perf_counter() - begun
told = {"status": status, "cpu_seconds": used.ru_utime + used.ru_stime, "seconds": seconds, "peak_kib": used.ru_maxrss}
print(json.dumps(told))
"""
"""Starts a command and tells what it took.

A small process does this, because Linux counts the memory of the process that starts a command as the command's, too.
"""


def cost_of(*words: str) -> Cost:
    """Returns what `tournament` took with these words, as the system tells at its end.

    Raises `RuntimeError` where it fails.
    """
    command = [sys.executable, "-m", "tournament", *words]
    done = subprocess.run([sys.executable, "-I", "-S", "-c", _TELLER, *command], check=True, stdout=subprocess.PIPE)
    told = json.loads(done.stdout)
    if code := os.waitstatus_to_exitcode(told["status"]):
        raise RuntimeError(f"tournament {' '.join(words)} ended with {code}")
    return Cost(told["cpu_seconds"], told["seconds"], told["peak_kib"] / 1024)


def least_costs(measures: Sequence[Callable[[], Cost]], *, turns: int = TURNS) -> list[Cost]:
    """Returns of each of some measurements the times of the fastest of a few, or of one that takes seconds.

    Its memory is the most of them. Measurements that are subtracted from each other, such as a command's start, take
    turns: what is measured first would be slower, because nothing of it is in the caches of the system yet.
    """
    found = [[measure()] for measure in measures]
    for _ in range(turns - 1):
        for measure, own in zip(measures, found, strict=True):
            if own[0].cpu_seconds < LONG_SECONDS:
                own.append(measure())
    return [
        Cost(min(one.cpu_seconds for one in own), min(one.seconds for one in own), max(one.peak_mb for one in own))
        for own in found
    ]
