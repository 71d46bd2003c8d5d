"""System calls that would carry word from one sandbox to another, and the filter that refuses them (seccomp).

Bots in sandboxes share nothing they can write to, but they read the same files of the system: a lock on
one of these, or a watch, is seen in every sandbox, stopped or not. Keys and sockets between virtual
machines know of no sandbox either. Load and timing remain: no filter takes away the clock.
"""

from __future__ import annotations

import errno
import platform
import struct
import sys
from functools import cache
from typing import Final, NamedTuple


class Machine(NamedTuple):
    """How one kind of processor numbers its system calls."""

    audit: int
    """What the kernel calls it, `AUDIT_ARCH_...`."""

    fcntl: int
    socket: int
    refused: tuple[int, ...]
    """flock, add_key, request_key, keyctl, inotify_init1, fanotify_init, io_uring_setup, and older forms."""


MACHINES: Final = {
    "x86_64": Machine(0xC000003E, 72, 41, (73, 248, 249, 250, 294, 300, 425, 253)),
    "aarch64": Machine(0xC00000B7, 25, 198, (32, 217, 218, 219, 26, 262, 425)),
}
LOCKS: Final = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)
"""What `fcntl` is asked for: the locks of `man 2 fcntl`, leases, and notices of changes in a folder."""

AF_VSOCK: Final = 40
X32_BIT: Final = 0x40000000
"""Set in the numbers of a second set of system calls of x86_64."""

NUMBER_AT, MACHINE_AT, FIRST_AT, SECOND_AT = 0, 4, 16, 24
LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW: Final = 0x7FFF0000
REFUSE: Final = 0x00050000 | errno.EPERM


@cache
def channel_filter() -> str:
    """Returns the program that the kernel runs at each system call of a bot in a sandbox, as hex.

    Empty where the numbers of the calls are not known; then nothing is refused.
    """
    machine = MACHINES.get(platform.machine()) if sys.platform == "linux" else None
    return "" if machine is None else filter_for(machine).hex()


def filter_for(machine: Machine) -> bytes:
    """Returns the program for a kind of processor: eight bytes an instruction, as `struct sock_filter`."""
    locks = _if_any(LOCKS, SECOND_AT)
    vsock = _if_any((AF_VSOCK,), FIRST_AT)
    # Each jump goes so many instructions on; the last two of all, and of each part, are: allow, refuse.
    tests = [(IF_AT_LEAST, X32_BIT), *((IF_EQUAL, number) for number in machine.refused)]
    calls = [_instruction(kind, value, yes=len(tests) - place + 2) for place, (kind, value) in enumerate(tests)]
    calls += [
        _instruction(IF_EQUAL, machine.fcntl, yes=3),
        _instruction(IF_EQUAL, machine.socket, yes=2 + len(locks)),
        _instruction(RETURN, ALLOW),
        _instruction(RETURN, REFUSE),
    ]
    head = [
        _instruction(LOAD, MACHINE_AT),
        _instruction(IF_EQUAL, machine.audit, yes=1),
        _instruction(RETURN, REFUSE),
        _instruction(LOAD, NUMBER_AT),
    ]
    return b"".join([*head, *calls, *locks, *vsock])


def _if_any(values: tuple[int, ...], at: int) -> list[bytes]:
    """Returns instructions that refuse a call whose argument, which lies at `at`, is one of `values`."""
    tests = [_instruction(IF_EQUAL, value, yes=len(values) - place) for place, value in enumerate(values)]
    return [_instruction(LOAD, at), *tests, _instruction(RETURN, ALLOW), _instruction(RETURN, REFUSE)]


def _instruction(code: int, value: int, *, yes: int = 0) -> bytes:
    """Returns one instruction; a test that holds skips the next `yes`."""
    return struct.pack("=HBBI", code, yes, 0, value)
