"""Everything that a bot has started, counted, stopped, woken and ended as a whole."""

from __future__ import annotations

import contextlib
import os
import re
import signal
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import Final

from tournament.players.linux import trees
from tournament.players.linux.groups import BotGroup

SCANS: Final = 20
"""So often new processes are looked for while all are stopped: who starts others all the time is ended in the end."""

SHARED_MEMORY: Final = re.compile(
    rb"^([0-9a-f]+)-([0-9a-f]+) ...s ([0-9a-f]+) \S+ ([0-9]+) +(?:/dev/zero|/memfd:|/SYSV)", re.MULTILINE
)
"""In `/proc/PID/maps`: memory that processes share and that lasts while one of them has it, in it or not."""

FAIR_SHARES: Final = re.compile(rb"^(Pss|Pss_Anon): +([0-9]+) kB", re.MULTILINE)
"""In `/proc/PID/smaps_rollup`."""

FILE_BYTES: Final = 2048
"""What the kernel keeps for a file in memory, be it empty."""

FOLDERS_IN_MEMORY: Final = ("tmp", "dev/shm")
"""Of a sandbox."""

TICK_NS: Final = 1_000_000_000 // (os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100)


class Tree:
    """A bot's process and all it has started, found by looking."""

    def __init__(self, *, most_bytes: int, uid: int | None, sandboxed: bool) -> None:
        """Takes what all may hold together, and the user that only this bot has."""
        self.pid = self.program = 0
        self._most_bytes = most_bytes
        self._uid = uid
        self._sandboxed = sandboxed
        self._stopped: set[int] = set()

    def begin(self, pid: int, program: int) -> None:
        """Takes the first process, and the one that is about to become the bot's program: the same, or in a sandbox."""
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
        """Returns the time that all have had; of those that have ended, if somebody waited for them, in ticks."""
        return sum(trees.cpu_ns(trees.cpu_clock(pid)) + _ended_childrens_ns(pid) for pid in self.processes())

    def holds_too_much(self) -> bool:
        """Returns whether all together hold more than they may. Cost: about 100 microseconds a process."""
        return self._held_bytes() > self._most_bytes

    def ran_out_of_memory(self) -> bool:
        """Returns whether the kernel has ended a process because all together held more than they may."""
        return False

    def stop(self) -> None:
        """Lets none of the processes do anything until `wake`."""
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
        """Is told when more than one process was seen."""

    def end(self) -> None:
        """Ends what a group has in it; the rest is `trees.end_tree`'s."""

    def forget(self) -> None:
        """Lets go of the group when everything has ended."""

    def without_group(self) -> Tree:
        """Returns the same, found by looking."""
        return Tree(most_bytes=self._most_bytes, uid=self._uid, sandboxed=self._sandboxed)

    def _held_bytes(self) -> int:
        processes = self.processes()
        held = _held_bytes(processes, trees.memory_pages)
        if held > self._most_bytes and len(processes) > 1:
            held = _held_bytes(processes, _fair_pages)  # what several have of each other is not held by each
        return held + self._files()[0] * FILE_BYTES

    def _files(self) -> tuple[int, int]:
        """Returns how many files a sandbox has in memory, and the bytes in them, which have a limit of their own."""
        files = size = 0
        for folder in FOLDERS_IN_MEMORY if self._sandboxed else ():
            with contextlib.suppress(OSError):
                stat = os.statvfs(f"/proc/{self.program}/root/{folder}")
                files += stat.f_files - stat.f_ffree
                size += (stat.f_blocks - stat.f_bfree) * stat.f_frsize
        return files, size


class GroupedTree(Tree):
    """The same where the kernel keeps the list, counts and freezes."""

    def __init__(self, group: BotGroup, *, most_bytes: int, uid: int | None, sandboxed: bool, share: bool) -> None:
        """Takes the bot's group, and whether it has the share of one process from the beginning."""
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
        """Returns the time that all have had, also those that have ended."""
        return self._group.cpu_ns() if self._group.counts_time else super().cpu_ns()

    def holds_too_much(self) -> bool:
        """Returns whether all together hold more than they may, or have."""
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
        """Gives all processes together the share of one."""
        self._group.take_share()

    def end(self) -> None:
        """Ends all processes of the group, from inside the kernel where that can be."""
        with contextlib.suppress(OSError):
            self._group.end()

    def forget(self) -> None:
        """Removes the group."""
        self._group.remove()

    def without_group(self) -> Tree:
        """Removes the group, and returns the same, found by looking."""
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
    """Returns what processes hold: what is in memory, or what is their own and all that they share, in memory or not.

    `pages` tells of one, by its folder in `/proc`, how many pages it has, and how many of them are not its own.
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
    """Returns the pages of a process, each divided by how many have it, and those of them that are files' or shared."""
    sizes = dict(FAIR_SHARES.findall(Path(place, "smaps_rollup").read_bytes()))
    pages, own = (int(sizes.get(name, 0)) * 1024 // trees.PAGE_BYTES for name in (b"Pss", b"Pss_Anon"))
    return pages, pages - own


def _add_shared_memory(found: dict[bytes, int], maps: bytes) -> None:
    """Notes how large each piece of shared memory is, by its number: many processes have the same."""
    for begin, end, offset, number in SHARED_MEMORY.findall(maps):
        size = int(offset, 16) + int(end, 16) - int(begin, 16)
        found[number] = max(size, found.get(number, 0))


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


MS: Final = 1_000_000
RESTLESS_NS: Final = MS // 2
"""Who has used the processor longer than this after an answer is stopped right after each from then on."""


class Hold:
    """The hold on a bot: a signal to its group while it is alone, a freezer or signals to each when it has others."""

    def __init__(self, pid: int, tree: Tree) -> None:
        """Takes the process that was started, and what finds, counts and stops all of them."""
        self.tree = tree
        self.clock = trees.cpu_clock(pid)
        """The CPU clock of the bot's process."""

        self.has_several = False
        """Whether more than one process was ever seen."""

        self._pid = self._program = pid
        self._is_tree_stopped = False
        self._others_ns = 0

    def begin(self, *, sandboxed: bool) -> None:
        """Puts the process where it is counted with all it will start; nothing of the bot runs yet."""
        if sandboxed:  # bubblewrap, its own first process, and then the bot, which leads a group
            self._program = [self._pid, *islice(trees.descendants(self._pid), 2)][-1]
            self.clock = trees.cpu_clock(self._program)
        try:
            self.tree.begin(self._pid, self._program)
        except OSError:  # it may not be moved there
            self.tree = self.tree.without_group()
            self.tree.begin(self._pid, self._program)
        self._others_ns = self.tree.cpu_ns() - trees.cpu_ns(self.clock)

    def stop(self) -> None:
        """Lets the bot do nothing until `wake`. Cost: a signal, and a microsecond or a look at its children."""
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
        """Notices whether the bot has several processes, or had, by the time that they used."""
        others_ns = self.tree.cpu_ns() - trees.cpu_ns(self.clock)
        if not self.has_several and (self.tree.has_several() or others_ns - self._others_ns > RESTLESS_NS):
            self.has_several = True
            self.tree.has_become_several()
        self._others_ns = others_ns

    def used_ns(self, cpu_before: int) -> int:
        """Returns the time that the bot has had since its clock showed this, and all others since the last look."""
        cpu = trees.cpu_ns(self.clock)
        return cpu - cpu_before + max(0, self.tree.cpu_ns() - cpu - self._others_ns)
