"""Everything that a bot has started, counted, stopped, woken and ended as a whole, whatever its session.

Where there are control groups, the kernel keeps the list. Elsewhere the processes are found in `/proc`: those that
descend from the bot, and those of the bot that this process has adopted. On other systems psutil finds those that
descend.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from time import monotonic_ns
from typing import Final

from tournament.players.linux import elsewhere, trees
from tournament.players.linux.groups import BotGroup

SCANS: Final = 20
"""How often one `stop` looks for processes that were started meanwhile."""

SHARED_MEMORY: Final = re.compile(
    rb"^([0-9a-f]+)-([0-9a-f]+) ...s ([0-9a-f]+) \S+ ([0-9]+) +(?:/dev/zero|/memfd:|/SYSV)", re.MULTILINE
)
"""In `/proc/PID/maps`: memory shared by processes. It lasts while one of them has it mapped, resident or not."""

FAIR_SHARES: Final = re.compile(rb"^(Pss|Pss_Anon): +([0-9]+) kB", re.MULTILINE)
"""In `/proc/PID/smaps_rollup`."""

FILE_BYTES: Final = 2048
"""What the kernel keeps for each file in memory, even an empty one."""

FOLDERS_IN_MEMORY: Final = ("tmp", "dev/shm")
"""The folders of a sandbox that lie in memory."""

TICK_NS: Final = 1_000_000_000 // (os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100)


class Tree:
    """A bot's process and all it has started, found by reading `/proc`."""

    def __init__(self, *, most_bytes: int, uid: int | None, sandboxed: bool) -> None:
        self.pid = self.program = 0
        self._most_bytes = most_bytes
        self._uid = uid
        self._sandboxed = sandboxed
        self._stopped: set[int] = set()

    def begin(self, pid: int, program: int) -> None:
        """Takes the first process, and the one that will become the bot's program: in a sandbox these are two."""
        self.pid, self.program = pid, program

    def processes(self) -> set[int]:
        """Returns the bot's process and all it has started. Cost: about 20 microseconds a process."""
        found = {self.program, *trees.descendants(self.program)}
        if self._sandboxed:
            # Between us and the bot are two processes of the sandbox; the second adopts what others leave.
            first = set(trees.children(self.pid))
            return found | {one for init in first for one in trees.descendants(init)}
        for stray in trees.strays(self.pid, uid=self._uid):
            found |= {stray, *trees.descendants(stray)}
        return found

    def has_several(self) -> bool:
        """Returns whether the bot has more than one process."""
        return len(self.processes()) > 1

    def cpu_ns(self) -> int:
        """Returns the processor time of all; that of ended processes is counted in ticks, once they are waited for."""
        return sum(trees.cpu_ns(trees.cpu_clock(pid)) + _ended_childrens_ns(pid) for pid in self.processes())

    def holds_too_much(self) -> bool:
        """Returns whether all together hold more memory than they may. Cost: about 100 microseconds a process."""
        return self._held_bytes() > self._most_bytes

    def ran_out_of_memory(self) -> bool:
        """Returns whether the kernel has ended a process because all together held more than they may."""
        return False

    def stop(self) -> None:
        """Stops all processes until `wake`."""
        for _ in range(SCANS):
            new = self.processes() - self._stopped
            if not new:
                return
            for pid in new:
                _signal(pid, signal.SIGSTOP)
            self._stopped |= new

    def wake(self) -> None:
        """Undoes `stop`."""
        for pid in self._stopped:
            _signal(pid, signal.SIGCONT)
        self._stopped.clear()

    def has_become_several(self) -> None:
        """Is called once, when more than one process was seen."""

    def end(self) -> None:
        """Ends the processes of its control group, if it has one; `trees.end_tree` ends the others."""

    def forget(self) -> None:
        """Removes the control group, if it has one, after everything has ended."""

    def without_group(self) -> Tree:
        """Returns the same tree without a control group."""
        return Tree(most_bytes=self._most_bytes, uid=self._uid, sandboxed=self._sandboxed)

    def _held_bytes(self) -> int:
        processes = self.processes()
        if sys.platform != "linux":
            return elsewhere.held_bytes(processes, most=self._most_bytes)
        held = _held_bytes(processes, trees.memory_pages)
        if held > self._most_bytes and len(processes) > 1:
            held = _held_bytes(processes, _fair_pages)  # pages that several share are not held by each of them
        return held + self._files()[0] * FILE_BYTES

    def _files(self) -> tuple[int, int]:
        """Returns how many files a sandbox has in memory, and their bytes, which have a limit of their own."""
        files = size = 0
        for folder in FOLDERS_IN_MEMORY if self._sandboxed else ():
            with contextlib.suppress(OSError):
                stat = os.statvfs(f"/proc/{self.program}/root/{folder}")
                files += stat.f_files - stat.f_ffree
                size += (stat.f_blocks - stat.f_bfree) * stat.f_frsize
        return files, size


class GroupedTree(Tree):
    """The same tree in a control group, where the kernel lists, counts and freezes the processes."""

    def __init__(self, group: BotGroup, *, most_bytes: int, uid: int | None, sandboxed: bool, share: bool) -> None:
        super().__init__(most_bytes=most_bytes, uid=uid, sandboxed=sandboxed)
        self._group = group
        self._share = share

    def begin(self, pid: int, program: int) -> None:
        """Takes the processes, and moves the second into the group. Raises `OSError`."""
        super().begin(pid, program)
        self._group.add(program, share=self._share)

    def processes(self) -> set[int]:
        """Returns the processes in the group."""
        return set(self._group.processes())

    def has_several(self) -> bool:
        """Returns whether more than one process is in the group. Cost: a microsecond."""
        return self._group.has_several()

    def cpu_ns(self) -> int:
        """Returns the processor time of all, ended processes included."""
        return self._group.cpu_ns() if self._group.counts_time else super().cpu_ns()

    def holds_too_much(self) -> bool:
        """Returns whether all together hold, or have held, more memory than they may."""
        return self._group.ran_out_of_memory() or super().holds_too_much()

    def ran_out_of_memory(self) -> bool:
        """Returns whether the kernel has ended a process because all together held more than they may."""
        return self._group.ran_out_of_memory()

    def stop(self) -> None:
        """Freezes the group."""
        self._group.freeze()

    def wake(self) -> None:
        """Undoes `stop`."""
        self._group.thaw()

    def has_become_several(self) -> None:
        """Limits all processes together to the processor share of one."""
        self._group.take_share()

    def end(self) -> None:
        """Ends all processes of the group, by the kernel where it can do that."""
        with contextlib.suppress(OSError):
            self._group.end()

    def forget(self) -> None:
        """Removes the group."""
        self._group.remove()

    def without_group(self) -> Tree:
        """Removes the group, and returns the same tree without it."""
        self._group.remove()
        return super().without_group()

    def _held_bytes(self) -> int:
        if not self._group.counts_memory:
            return super()._held_bytes()
        files, size = self._files()
        return self._group.memory_bytes() - size + files * FILE_BYTES


def _ended_childrens_ns(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[16 - 3]) + int(fields[17 - 3])) * TICK_NS


def _held_bytes(processes: Iterable[int], pages: Callable[[str], tuple[int, int]]) -> int:
    """Returns the bytes that processes hold: what is resident, or their own and all shared memory, whichever is more.

    `pages` takes the folder of a process in `/proc`, and returns how many pages it has, and how many are not its own.
    """
    resident = own = 0
    shared: dict[bytes, int] = {}
    for pid in processes:
        with contextlib.suppress(OSError):
            has, not_own = pages(f"/proc/{pid}")
            resident += has
            own += has - not_own
            _add_shared_memory(shared, Path(f"/proc/{pid}/maps").read_bytes())
    return max(resident * trees.PAGE_BYTES, own * trees.PAGE_BYTES + sum(shared.values()))


def _fair_pages(place: str) -> tuple[int, int]:
    """Returns the pages of a process, each divided by the processes that have it, and how many are not its own."""
    sizes = dict(FAIR_SHARES.findall(Path(place, "smaps_rollup").read_bytes()))
    pages, own = (int(sizes.get(name, 0)) * 1024 // trees.PAGE_BYTES for name in (b"Pss", b"Pss_Anon"))
    return pages, pages - own


def _add_shared_memory(found: dict[bytes, int], maps: bytes) -> None:
    """Notes the size of each piece of shared memory by its inode number: several processes may map the same."""
    for begin, end, offset, number in SHARED_MEMORY.findall(maps):
        size = int(offset, 16) + int(end, 16) - int(begin, 16)
        found[number] = max(size, found.get(number, 0))


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


MS: Final = 1_000_000
RESTLESS_NS: Final = MS // 2
"""A bot that used the processor longer than this after an answer is stopped right after each answer from then on."""

SEEN_NS: Final = RESTLESS_NS // 2
"""How much processor time a bot may need for answers until it is read again: to read it takes as long as to poll."""


def usable_cores() -> int:
    """Returns on how many cores this process, and all it starts, may run."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_real_time() -> bool:
    """Returns whether this process is in a real-time class, where one that is woken waits until we give up the core."""
    return hasattr(os, "sched_getscheduler") and os.sched_getscheduler(0) in (os.SCHED_FIFO, os.SCHED_RR)


class Hold:
    """Stops and wakes a bot: by one signal while it is a single process, else by the freezer or a signal to each."""

    def __init__(self, pid: int, tree: Tree) -> None:
        self.tree = tree
        self.clock = trees.cpu_clock(pid)
        """The CPU clock of the bot's process."""

        self.has_several = False
        """Whether the bot was ever seen to have more than one process."""

        self.cores = usable_cores()
        """On how many cores the bot may run."""

        self.see_at = 0
        """When its processor time is to be read again."""

        self._pid = self._program = pid
        self._is_tree_stopped = False
        self._others_ns = 0
        self._seen_at = self._seen_ns = 0

    def begin(self, *, sandboxed: bool) -> None:
        """Puts the process where it is counted with all it will start, before anything of the bot runs."""
        if sandboxed:  # bubblewrap, its own first process, and then the bot, which leads a group
            self._program = [self._pid, *islice(trees.descendants(self._pid), 2)][-1]
            self.clock = trees.cpu_clock(self._program)
        try:
            self.tree.begin(self._pid, self._program)
        except OSError:  # it may not be moved there
            self.tree = self.tree.without_group()
            self.tree.begin(self._pid, self._program)
        self._others_ns = self.tree.cpu_ns() - trees.cpu_ns(self.clock)
        self.see(monotonic_ns())

    def see(self, now: int) -> None:
        """Reads the processor time of the bot."""
        self._seen_at, self._seen_ns = now, trees.cpu_ns(self.clock)
        self.see_at = now + SEEN_NS // self.cores

    def was_restless(self, now: int, *, answered_at: int) -> bool:
        """Returns whether the bot has used the processor after its last answer.

        Whatever it can have needed to answer, since its time was last read, is taken off.
        """
        before = self._seen_ns + (answered_at - self._seen_at) * self.cores
        self.see(now)
        return self._seen_ns - before > RESTLESS_NS

    def stop(self) -> None:
        """Stops the bot until `wake`. Cost: a signal, and a microsecond or a look at its children."""
        trees.signal_group(self._program, SIGSTOP)
        if self.has_several or self.tree.has_several() or trees.has_left_its_group(self._program):
            self.tree.stop()
            self._is_tree_stopped = True

    def wake(self) -> None:
        """Undoes `stop`."""
        if self._is_tree_stopped:
            self._is_tree_stopped = False
            self.tree.wake()
        trees.signal_group(self._program, SIGCONT)

    def look(self) -> None:
        """Notices whether the bot has several processes, or had: their processor time shows that."""
        others_ns = self.tree.cpu_ns() - trees.cpu_ns(self.clock)
        if not self.has_several and (self.tree.has_several() or others_ns - self._others_ns > RESTLESS_NS):
            self.has_several = True
            self.tree.has_become_several()
        self._others_ns = others_ns

    def used_ns(self) -> int:
        """Returns the processor time of the bot since it was last read, plus others' since `look`."""
        cpu = trees.cpu_ns(self.clock)
        return cpu - self._seen_ns + max(0, self.tree.cpu_ns() - cpu - self._others_ns)
