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
    Instruction,
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
    program: list[Instruction | str] = [
        Instruction(LOAD, MACHINE_AT),
        Instruction(IF_EQUAL, MACHINES[machine].audit, "known"),
        Instruction(RETURN, ALLOW),
        "known",
        Instruction(LOAD, NUMBER_AT),
        *(Instruction(IF_EQUAL, number, "refuse") for number in (*numbers.scheduling, numbers.ptrace)),
        Instruction(IF_EQUAL, numbers.kill, "signal"),
        Instruction(IF_EQUAL, numbers.prctl, "process"),
        Instruction(RETURN, ALLOW),
        "signal",
        Instruction(LOAD, FIRST_AT),
        Instruction(IF_EQUAL, EVERYBODY, "refuse"),
        Instruction(RETURN, ALLOW),
        "process",
        Instruction(LOAD, FIRST_AT),
        Instruction(IF_EQUAL, PR_SET_DUMPABLE, "refuse"),
        Instruction(IF_EQUAL, PR_SET_PDEATHSIG, "death"),
        Instruction(RETURN, ALLOW),
        "death",
        Instruction(LOAD, SECOND_AT),
        Instruction(IF_EQUAL, SIGKILL, "allow"),
        "refuse",
        Instruction(RETURN, REFUSE),
        "allow",
        Instruction(RETURN, ALLOW),
    ]
    return assembled(program).hex()
