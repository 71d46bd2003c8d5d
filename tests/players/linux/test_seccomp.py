"""The system calls refused in a sandbox: the program, run here as the kernel would run it."""

from __future__ import annotations

import struct

import pytest

from tournament.players.linux.seccomp import ALLOW, DO_NOTHING, MACHINES, MISSING, NOT_SUPPORTED, REFUSE, program_for

READ = {"x86_64": 0, "aarch64": 63}


def answer(program, number, *words, audit):
    """Returns what a program says to a system call."""
    call = struct.pack("=IIQ6Q", number, audit, 0, *words, *[0] * (6 - len(words)))
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
    """Channels between sandboxes; memory that no limit counts."""
    refused = {*say.machine.heard, *say.machine.uncounted, *say.machine.cached, say.machine.setns}
    by_argument = {say.machine.fcntl, say.machine.socket, say.machine.clone, say.machine.unshare, say.machine.clone3}
    by_argument |= {say.machine.fadvise, say.machine.preadv2, say.machine.madvise}

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


def test_advice_on_a_file_succeeds_and_does_nothing(say):
    """By POSIX_FADV_DONTNEED two bots that read one file told each other whole hands."""
    assert {DO_NOTHING} == {say(say.machine.fadvise, 3, 0, 0, advice) for advice in range(6)}


def test_nobody_reads_only_what_is_in_memory(say):
    """RWF_NOWAIT tells what is; without it, and with RWF_HIPRI, preadv2 reads on."""
    assert {NOT_SUPPORTED} == {say(say.machine.preadv2, 3, 0, 1, 0, 0, flags) for flags in (0x08, 0x09, 0x80)}
    assert {ALLOW} == {say(say.machine.preadv2, 3, 0, 1, 0, 0, flags) for flags in (0, 0x01)}


def test_nobody_moves_a_file_out_of_memory(say):
    """MADV_COLD and MADV_PAGEOUT; an allocator's MADV_DONTNEED and MADV_FREE go on, and MADV_HUGEPAGE."""
    assert {REFUSE} == {say(say.machine.madvise, 0, 4096, advice) for advice in (20, 21)}
    assert {ALLOW} == {say(say.machine.madvise, 0, 4096, advice) for advice in (4, 8, 14, 22)}
