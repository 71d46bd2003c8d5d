"""The system calls that no bot in a process of its own is given, because they take from others (seccomp).

- Which core a process is on, and how it is scheduled: bots share a core with their worker, and are its equals.
- What ties a bot to its runner: it may not outlive that, hide its memory from it, or make it its debugger, whose
  waiting for an end would end with a stop.
- A signal to everybody at once.
"""

from __future__ import annotations

import platform
import sys
from functools import cache
from typing import Final, NamedTuple

from tournament.players.calls import (
    ALLOW,
    FIRST_AT,
    IF_EQUAL,
    LOAD,
    MACHINE_AT,
    MACHINES,
    NUMBER_AT,
    REFUSE,
    RETURN,
    SECOND_AT,
    Line,
    assembled,
)

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
SIGKILL: Final = 9
EVERYBODY: Final = 0xFFFFFFFF
"""-1, as `kill` takes it."""


class Numbers(NamedTuple):
    """The numbers of some system calls on one kind of processor."""

    scheduling: tuple[int, ...]
    """sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr, setpriority, ioprio_set."""

    ptrace: int
    prctl: int
    kill: int


NUMBERS: Final = {
    "x86_64": Numbers(scheduling=(142, 144, 203, 314, 141, 251), ptrace=101, prctl=157, kill=62),
    "aarch64": Numbers(scheduling=(118, 119, 122, 274, 140, 30), ptrace=117, prctl=167, kill=129),
}


@cache
def unfair_calls() -> str:
    """Returns the program that refuses these calls, as hex; empty where their numbers are not known.

    The calls of programs for another architecture are not known either, and pass.
    """
    machine = platform.machine()
    if sys.platform != "linux" or machine not in NUMBERS:
        return ""
    numbers = NUMBERS[machine]
    program: list[Line | str] = [
        Line(LOAD, MACHINE_AT),
        Line(IF_EQUAL, MACHINES[machine].audit, "known"),
        Line(RETURN, ALLOW),
        "known",
        Line(LOAD, NUMBER_AT),
        *(Line(IF_EQUAL, number, "refuse") for number in (*numbers.scheduling, numbers.ptrace)),
        Line(IF_EQUAL, numbers.kill, "signal"),
        Line(IF_EQUAL, numbers.prctl, "process"),
        Line(RETURN, ALLOW),
        "signal",
        Line(LOAD, FIRST_AT),
        Line(IF_EQUAL, EVERYBODY, "refuse"),
        Line(RETURN, ALLOW),
        "process",
        Line(LOAD, FIRST_AT),
        Line(IF_EQUAL, PR_SET_DUMPABLE, "refuse"),
        Line(IF_EQUAL, PR_SET_PDEATHSIG, "death"),
        Line(RETURN, ALLOW),
        "death",
        Line(LOAD, SECOND_AT),
        Line(IF_EQUAL, SIGKILL, "allow"),
        "refuse",
        Line(RETURN, REFUSE),
        "allow",
        Line(RETURN, ALLOW),
    ]
    return assembled(program).hex()
