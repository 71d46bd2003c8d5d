"""The system calls that bots are refused, as programs for the kernel (seccomp).

In a sandbox these are refused:

- What can be noticed in other sandboxes. Bots share nothing they can write to, but they read the same files of
  the system, and a lock or a watch on one of these works across sandboxes, as do keys and sockets between
  virtual machines. Load and timing remain: no filter takes away the clock.
- What tells which pages of a file are in memory, and what moves them in and out: by that two bots that read the
  same file of the system could tell each other everything. `posix_fadvise` is advice: it succeeds and does nothing.
- Memory that belongs to no process, so that no limit counts it: files without a name, System V segments.
- Namespaces of its own, in which a bot could mount a file system of any size.

At level process, too, a bot is refused what takes from others:

- To choose its core and how it is scheduled: bots share a core with their worker, and are its equals.
- To outlive its runner, to hide its memory from it, or to make it its debugger, whose waiting for an end would
  end with a stop.
- To choose who adopts what it leaves behind: where bots share a user, that shows whose a process is.
- To signal everybody at once.
"""

from __future__ import annotations

import errno
import platform
import struct
import sys
from functools import cache
from typing import Final, NamedTuple

from tournament.players.linux.launcher import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, SIGKILL
from tournament.players.linux.trees import PR_SET_DUMPABLE


class Machine(NamedTuple):
    """How one kind of processor numbers its system calls."""

    audit: int
    """What the kernel calls it, `AUDIT_ARCH_...`."""

    fcntl: int
    socket: int
    clone: int
    unshare: int
    clone3: int
    heard: tuple[int, ...]
    """flock, add_key, request_key, keyctl, inotify_init1, fanotify_init, io_uring_setup; inotify_init."""

    uncounted: tuple[int, ...]
    """memfd_create, memfd_secret, shmget, msgget, semget."""

    cached: tuple[int, ...]
    """mincore, cachestat, process_madvise, and io_setup, whose requests no filter can see: they may say not to wait."""

    fadvise: int
    preadv2: int
    madvise: int
    setns: int


MACHINES: Final = {
    "x86_64": Machine(
        audit=0xC000003E,
        fcntl=72,
        socket=41,
        clone=56,
        unshare=272,
        clone3=435,
        heard=(73, 248, 249, 250, 294, 300, 425, 253),
        uncounted=(319, 447, 29, 68, 64),
        cached=(27, 451, 440, 206),
        fadvise=221,
        preadv2=327,
        madvise=28,
        setns=308,
    ),
    "aarch64": Machine(
        audit=0xC00000B7,
        fcntl=25,
        socket=198,
        clone=220,
        unshare=97,
        clone3=435,
        heard=(32, 217, 218, 219, 26, 262, 425),
        uncounted=(279, 447, 194, 186, 190),
        cached=(232, 451, 440, 0),
        fadvise=223,
        preadv2=286,
        madvise=233,
        setns=268,
    ),
}
LOCKS: Final = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)
"""The commands of `fcntl` that are refused: its locks (`man 2 fcntl`), leases, and notices of changes in a folder."""

AF_VSOCK: Final = 40
ONLY_IF_CACHED: Final = 0x08 | 0x80
"""Flags of `preadv2`: `RWF_NOWAIT` reads only what is in memory, `RWF_DONTCACHE` leaves nothing in memory."""

RECLAIM: Final = (20, 21)
"""`MADV_COLD` and `MADV_PAGEOUT`, by which the owner of a file moves it out of memory."""

NAMESPACES: Final = 0x7E020080
"""All flags `CLONE_NEW...` of `clone` and `unshare`."""

X32_BIT: Final = 0x40000000
"""Set in the numbers of a second set of system calls of x86_64."""

NUMBER_AT, MACHINE_AT, FIRST_AT, SECOND_AT, THIRD_AT, SIXTH_AT = 0, 4, 16, 24, 32, 56
LOAD, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW: Final = 0x7FFF0000
REFUSE: Final = 0x00050000 | errno.EPERM
DO_NOTHING: Final = 0x00050000
NOT_SUPPORTED: Final = 0x00050000 | errno.EOPNOTSUPP
MISSING: Final = 0x00050000 | errno.ENOSYS
"""The answer to `clone3`, whose flags no filter can see; every library then falls back to `clone`."""


class Instruction(NamedTuple):
    """One instruction."""

    code: int
    value: int
    then: str | None = None
    """The label at which a test that holds goes on; otherwise the next instruction follows."""


@cache
def refused_calls() -> str:
    """Returns the program that the kernel runs at each system call of a bot in a sandbox, as hex.

    Empty where the numbers of the calls are not known; then nothing is refused.
    """
    machine = MACHINES.get(platform.machine()) if sys.platform == "linux" else None
    return "" if machine is None else program_for(machine).hex()


def program_for(machine: Machine) -> bytes:
    """Returns the program for a kind of processor: eight bytes an instruction, as `struct sock_filter`."""
    refused = (*machine.heard, *machine.uncounted, *machine.cached, machine.setns)
    return assembled(
        [
            Instruction(LOAD, MACHINE_AT),
            Instruction(IF_EQUAL, machine.audit, "known"),
            Instruction(RETURN, REFUSE),
            "known",
            Instruction(LOAD, NUMBER_AT),
            Instruction(IF_AT_LEAST, X32_BIT, "refuse"),
            *(Instruction(IF_EQUAL, number, "refuse") for number in refused),
            Instruction(IF_EQUAL, machine.clone3, "missing"),
            Instruction(IF_EQUAL, machine.fcntl, "lock"),
            Instruction(IF_EQUAL, machine.socket, "family"),
            Instruction(IF_EQUAL, machine.clone, "namespace"),
            Instruction(IF_EQUAL, machine.unshare, "namespace"),
            Instruction(IF_EQUAL, machine.fadvise, "nothing"),
            Instruction(IF_EQUAL, machine.preadv2, "cached"),
            Instruction(IF_EQUAL, machine.madvise, "reclaim"),
            Instruction(RETURN, ALLOW),
            *_checks("lock", SECOND_AT, [(IF_EQUAL, command) for command in LOCKS]),
            *_checks("family", FIRST_AT, [(IF_EQUAL, AF_VSOCK)]),
            *_checks("namespace", FIRST_AT, [(IF_ANY_BIT, NAMESPACES)]),
            *_checks("cached", SIXTH_AT, [(IF_ANY_BIT, ONLY_IF_CACHED)], "unsupported"),
            *_checks("reclaim", THIRD_AT, [(IF_EQUAL, advice) for advice in RECLAIM]),
            "refuse",
            Instruction(RETURN, REFUSE),
            "nothing",
            Instruction(RETURN, DO_NOTHING),
            "unsupported",
            Instruction(RETURN, NOT_SUPPORTED),
            "missing",
            Instruction(RETURN, MISSING),
        ]
    )


def _checks(label: str, at: int, tests: list[tuple[int, int]], then: str = "refuse") -> list[Instruction | str]:
    """Returns a labelled part, which goes on at `then` if an argument meets one of the tests, or allows the call."""
    return [label, Instruction(LOAD, at), *(Instruction(*test, then) for test in tests), Instruction(RETURN, ALLOW)]


def assembled(lines: list[Instruction | str]) -> bytes:
    """Returns the bytes of instructions; the texts among `lines` are labels, to which tests jump."""
    places: dict[str, int] = {}
    instructions: list[Instruction] = []
    for line in lines:
        if isinstance(line, str):
            places[line] = len(instructions)
        else:
            instructions.append(line)
    return b"".join(
        struct.pack("=HBBI", line.code, 0 if line.then is None else places[line.then] - place - 1, 0, line.value)
        for place, line in enumerate(instructions)
    )


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
        *_checks("signal", FIRST_AT, [(IF_EQUAL, EVERYBODY)]),
        "process",
        Instruction(LOAD, FIRST_AT),
        Instruction(IF_EQUAL, PR_SET_DUMPABLE, "refuse"),
        Instruction(IF_EQUAL, PR_SET_CHILD_SUBREAPER, "refuse"),
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
