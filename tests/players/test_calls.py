"""The system calls refused in a sandbox: the program, run here as the kernel would run it."""

from __future__ import annotations

import struct

import pytest

from tournament.players.calls import ALLOW, MACHINES, MISSING, REFUSE, program_for

READ = {"x86_64": 0, "aarch64": 63}


def answer(program, number, first=0, second=0, *, audit):
    """Returns what a program says to a system call."""
    call = struct.pack("=IIQQQ", number, audit, 0, first, second)
    instructions = list(struct.iter_unpack("=HBBI", program))
    place = value = 0
    while True:
        code, yes, no, operand = instructions[place]
        place += 1
        if code == 0x20:
            (value,) = struct.unpack_from("=I", call, operand)
        elif code == 0x06:
            return operand
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
            place += yes if holds else no


@pytest.fixture(params=MACHINES)
def say(request):
    """Returns a function that gives the answer to a call on one machine, and its numbers."""
    machine = MACHINES[request.param]

    def asked(number, *words, audit=machine.audit):
        return answer(program_for(machine), number, *words, audit=audit)

    asked.machine, asked.read = machine, READ[request.param]
    return asked


def test_every_refused_call_is_refused_and_its_neighbours_are_not(say):
    """field/isolation.md, 2.4: channels between sandboxes; memory that no limit counts."""
    refused = {*say.machine.heard, *say.machine.uncounted, say.machine.setns}
    by_argument = {say.machine.fcntl, say.machine.socket, say.machine.clone, say.machine.unshare, say.machine.clone3}

    assert {REFUSE} == {say(number) for number in refused}
    assert {ALLOW} == {say(number) for number in set(range(460)) - refused - by_argument}
    assert ALLOW == say(say.read)


@pytest.mark.parametrize("flag", [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
def test_no_namespace_is_made_and_threads_and_processes_are(flag, say):
    """In a user namespace of its own a bot could mount what has no cap."""
    thread, fork = 0x3D0F00, 0x1200011

    for call in (say.machine.clone, say.machine.unshare):
        assert REFUSE == say(call, flag | 0x11)
        assert ALLOW == say(call, thread)
    assert ALLOW == say(say.machine.clone, fork)
    assert MISSING == say(say.machine.clone3)


@pytest.mark.parametrize("command", [5, 6, 7, 36, 37, 38, 1024, 1025, 1026])
def test_fcntl_takes_no_lock_and_no_lease(command, say):
    """A lock on a file that two bots read is seen by both."""
    assert REFUSE == say(say.machine.fcntl, 3, command)


@pytest.mark.parametrize("command", [0, 1, 2, 3, 4, 1030, 1031])
def test_fcntl_still_does_what_programs_need(command, say):
    """F_DUPFD, flags of descriptors and files, the size of a pipe."""
    assert ALLOW == say(say.machine.fcntl, 3, command)


def test_a_socket_between_virtual_machines_is_refused_and_others_are_left_to_the_network_namespace(say):
    """AF_VSOCK knows of no network namespace."""
    assert REFUSE == say(say.machine.socket, 40)
    assert {ALLOW} == {say(say.machine.socket, family) for family in (1, 2, 10, 16)}


def test_calls_by_other_numbers_are_refused(say):
    """Another architecture, and the second numbering of x86_64, would go around the filter."""
    assert REFUSE == say(say.read, audit=0x40000003)
    assert REFUSE == say(say.read | 0x40000000)
